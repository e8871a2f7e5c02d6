//! Programs and contracts for tests.

use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_contract::{Atom, Cell, Contract};
use plumb_ir::program::{FuncId, GlobalVar, LocalVar, Program};
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};
use plumb_term::TermId;
use std::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(0);

pub fn program(text: &str) -> Program {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("plumb-contract-{}-{count}.i", std::process::id()));
    std::fs::write(&file, text).expect("temporary files can be written");
    let front = FrontOptions {
        target: Some(Target::LP64),
        library: Some(plumb_ir::library::source),
        ..FrontOptions::default()
    };
    let mut loaded =
        load_program(std::slice::from_ref(&file), &front).unwrap_or_else(|failed| panic!("{:?}", failed.diags));
    let _ = std::fs::remove_file(&file);
    let program = prepare(&loaded.hir, &PropertySet::default(), &PrepareOptions::default(), &mut loaded.diags);
    program.unwrap_or_else(|| panic!("{:?}", loaded.diags))
}

pub fn function(program: &Program, name: &str) -> FuncId {
    program.find_function(name).expect("the program has the function")
}

/// The symbol of what the function returns.
pub fn result(program: &Program, contract: &mut Contract) -> TermId {
    let ty = program.function(contract.func).ret.expect("it returns something");
    contract.symbol(program, Atom::Result, ty, true)
}

/// The symbol of a parameter.
pub fn parameter(program: &Program, contract: &mut Contract, at: u32) -> TermId {
    let ty = program.function(contract.func).var(LocalVar(at)).ty;
    contract.symbol(program, Atom::Entry(Cell::Parameter(LocalVar(at))), ty, true)
}

/// The symbols of a global number when the function is called and when it returns.
pub fn global(program: &Program, contract: &mut Contract, name: &str) -> [TermId; 2] {
    let var = program.vars.position(|info| &*info.name == name).expect("the program has the global");
    let ty = program.var(var).ty;
    let cell = Cell::Global(GlobalVar::from(usize::from(var)));
    [Atom::Entry(cell), Atom::Exit(cell)].map(|atom| contract.symbol(program, atom, ty, true))
}
