//! What unit tests share: programs made from text.

use crate::budget::{Budget, Cancel};
use plumb_c::driver::{FrontOptions, load_program};
use plumb_ir::program::Program;
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Lines that a program has before its text.
pub const PRELUDE_LINES: u32 = 3;

/// A program in which `reach_error` must not be called and `input` gives any integer.
pub fn program(text: &str) -> Program {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("plumb-engine-{}-{number}.c", std::process::id()));
    let declared = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    std::fs::write(&file, format!("{declared}#define input() __VERIFIER_nondet_int()\n{text}")).unwrap();
    let front = FrontOptions { library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let loaded = load_program(std::slice::from_ref(&file), &front);
    std::fs::remove_file(&file).unwrap();
    let Ok(mut loaded) = loaded else { panic!("the program is refused") };
    let mut set = PropertySet::default();
    set.error_functions.push("reach_error".into());
    prepare(&loaded.hir, &set, &PrepareOptions::default(), &mut loaded.diags).unwrap()
}

/// More than any test needs.
pub fn budget() -> Budget {
    Budget { deadline: None, memory: 4 << 30, threads: 1, cancel: Cancel::new() }
}
