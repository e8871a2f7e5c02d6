//! Lowering: from the typed tree to control-flow automata.
//!
//! ```text
//!   mod       the program: which functions and objects are needed, tables shared by all functions
//!   types     C types as IR types, signatures
//!   global    static data
//!   facts     what must be known of a body before its first edge: side effects, jumps past declarations
//!   escape    locals that a pointer may outlive
//!   function  parameters, locals, returns, functions without a body
//!   stmt      control flow
//!   switch    switch, computed goto
//!   asm       inline assembly
//!   asm_text  its instructions
//!   expr      values
//!   cond      truth values and branches
//!   convert   conversions
//!   lvalue    places: registers, memory, bit-fields, device registers
//!   device    device registers behind pointers in variables
//!   foreign   memory behind pointers from outside, as one object
//!   subscript elements of arrays, checked against the array's length if asked for
//!   dynamic   sizes that are known at run time only
//!   bitfield  which bytes an access of a bit-field touches
//!   assign    assignment in all its forms
//!   init      initialisers of locals
//!   arbitrary objects from outside; missing: those that may not be there
//!   call      calls, models of library functions; external: functions without a body; constant: those that are const
//!   variadic  variadic arguments
//!   special   functions that are edges: inputs, assumptions, memory primitives
//!   builtin   compiler builtins; atomic: those on shared memory
//!   concurrency  what threads and handlers need beside the code that they run
//!   start     the function that runs the program; entry: arguments of a function that is not `main`
//! ```
//!
//! C's side effects become edges in the order gcc gives them; everything between two side effects becomes one
//! expression. An expression reads its registers and memory when its edge runs, so an operand is saved in a temporary
//! exactly when an operand evaluated after it has a side effect.
//!
//! Lowering starts at the user's functions and takes of library models, declarations and string literals only what they
//! reach.

mod arbitrary;
mod asm;
mod asm_text;
mod assign;
mod atomic;
mod bitfield;
mod builtin;
mod call;
mod concurrency;
mod cond;
mod constant;
mod convert;
mod device;
mod division;
mod dynamic;
mod entry;
mod escape;
mod expr;
mod external;
mod facts;
mod foreign;
mod function;
mod global;
mod init;
pub(crate) mod interrupt_names;
mod lvalue;
mod missing;
mod special;
mod start;
mod stmt;
mod subscript;
mod switch;
#[cfg(test)]
mod tests;
mod types;
mod variadic;

pub use concurrency::InterruptOptions;
pub use external::Missing;
pub use function::RESULT_ADDRESS;

use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::index::TiVec;
use crate::input::{InputId, InputOrigin, InputSite};
use crate::program::{
    Assumption, AssumptionKind, CTypes, DeviceRange, FuncId, Function, GlobalObj, GlobalObjInfo, GlobalVar,
    GlobalVarInfo, Program, VarRef,
};
use crate::property::PropertySet;
use crate::ty::Ty;
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::target::Target;
use plumb_c::types::{RecordId, TyId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// The function that a run starts with.
    pub entry: String,
    /// Lower a program without that function all the same: one to look at, whose run ends at once.
    pub entry_optional: bool,
    /// Reads of volatile objects give arbitrary values.
    pub volatile_inputs: bool,
    /// What functions without a body may do.
    pub missing: Missing,
    /// Pointers from outside lead to memory that is no object of the program. See `foreign.rs`.
    pub foreign_memory: bool,
    pub interrupts: InterruptOptions,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            entry: "main".to_string(),
            entry_optional: false,
            volatile_inputs: false,
            missing: Missing::Nothing,
            foreign_memory: false,
            interrupts: InterruptOptions::default(),
        }
    }
}

/// Lowers a program. Returns `None` when `diags` received an error.
///
/// The properties must be those that the program is instrumented with afterwards: [`crate::prepare()`] sees to that. Only
/// the typed tree knows the arrays inside an object, so this part of the bounds check is laid here; for the pointer
/// check, objects of inner blocks that a pointer may outlive die with their block, and the sizes of arrays that are made
/// on the stack are checked; a function whose call is an error needs no body.
pub fn lower(
    hir: &hir::Program,
    options: &LowerOptions,
    properties: &PropertySet,
    diags: &mut Diagnostics,
) -> Option<Program> {
    let errors = diags.error_count();
    let mut context = Context::new(hir, options, properties, diags);
    context.find_handlers();
    context.refer_to_user_code();
    context.refer_to_dispatch();
    context.lower_pending();
    if let Some(start) = context.start_function() {
        // What the start function needed last: the run of `atexit` functions, say.
        context.lower_pending();
        let program = context.finish(start);
        return (diags.error_count() == errors).then_some(program);
    }
    None
}

/// Where a global lives.
#[derive(Clone, Copy, Debug)]
enum GlobalSlot {
    Register(GlobalVar, Ty),
    Object(GlobalObj),
}

/// The state of lowering a program.
struct Context<'a> {
    hir: &'a hir::Program,
    options: &'a LowerOptions,
    properties: &'a PropertySet,
    diags: &'a mut Diagnostics,
    target: Target,
    /// By function of the typed program: its place in `functions`, once something refers to it.
    function_ids: TiVec<hir::FuncId, Option<FuncId>>,
    functions: TiVec<FuncId, Option<Arc<Function>>>,
    pending_functions: Vec<hir::FuncId>,
    /// By global of the typed program, once something refers to it.
    global_slots: TiVec<hir::GlobalId, Option<GlobalSlot>>,
    pending_globals: Vec<hir::GlobalId>,
    /// By global: a static initialiser holds its address.
    address_in_data: TiVec<hir::GlobalId, bool>,
    vars: TiVec<GlobalVar, GlobalVarInfo>,
    objects: TiVec<GlobalObj, GlobalObjInfo>,
    /// By object, the global it stands for; `None` for objects that lowering made.
    object_globals: TiVec<GlobalObj, Option<hir::GlobalId>>,
    inputs: TiVec<InputId, InputSite>,
    checks: TiVec<CheckId, CheckInfo>,
    assumptions: Vec<Assumption>,
    assumed: FxHashSet<(AssumptionKind, Arc<str>)>,
    /// Of the user's functions, as they are met.
    full_expressions: Vec<Span>,
    /// By span of an edge with divisions, whether compiled programs carry all of them out.
    divisions: FxHashMap<Span, bool>,
    /// Objects and registers that no unit defines, in order of reference.
    external: Vec<hir::GlobalId>,
    bit_windows: FxHashMap<RecordId, Rc<[Option<bitfield::Window>]>>,
    /// Weak functions without a definition, with the register that tells whether they exist.
    weak_functions: Vec<(hir::FuncId, GlobalVar)>,
    /// See [`Program::claims`].
    claims: BTreeMap<Arc<str>, BTreeSet<TyId>>,
    /// See [`Program::store_reads`].
    store_reads: BTreeSet<InputId>,
    /// Addresses that the program takes for those of devices.
    devices: Arc<Vec<DeviceRange>>,
    /// Parameters that the entry's body mentions.
    entry_mentions: Vec<bool>,
    entry: Option<hir::FuncId>,
    /// Threads, handlers or tasks run beside the code.
    is_concurrent: bool,
    /// The functions that hardware calls, with their priorities.
    handlers: Vec<(hir::FuncId, u8)>,
    /// Something in the program unmasks interrupts.
    has_unmasked: bool,
    /// A function that the program mentions may leave arbitrary bytes in its objects.
    objects_are_filled: bool,
    /// What pointers from outside lead to.
    foreign_memory: Option<GlobalObj>,
}

impl<'a> Context<'a> {
    fn new(
        hir: &'a hir::Program,
        options: &'a LowerOptions,
        properties: &'a PropertySet,
        diags: &'a mut Diagnostics,
    ) -> Context<'a> {
        let mut address_in_data: TiVec<hir::GlobalId, bool> = vec![false; hir.globals.len()].into();
        for global in &hir.globals {
            if let hir::GlobalInit::Data(parts) = &global.init {
                for part in parts {
                    if let hir::StaticValue::Address { base: hir::AddressBase::Global(g), .. } = part.value {
                        address_in_data[g] = true;
                    }
                }
            }
        }
        let mut context = Context {
            hir,
            options,
            properties,
            diags,
            target: hir.types.target,
            function_ids: vec![None; hir.functions.len()].into(),
            functions: TiVec::new(),
            pending_functions: Vec::new(),
            global_slots: vec![None; hir.globals.len()].into(),
            pending_globals: Vec::new(),
            address_in_data,
            vars: TiVec::new(),
            objects: TiVec::new(),
            object_globals: TiVec::new(),
            inputs: TiVec::new(),
            checks: TiVec::new(),
            assumptions: Vec::new(),
            assumed: FxHashSet::default(),
            full_expressions: Vec::new(),
            divisions: FxHashMap::default(),
            external: Vec::new(),
            bit_windows: FxHashMap::default(),
            weak_functions: Vec::new(),
            claims: BTreeMap::new(),
            store_reads: BTreeSet::new(),
            devices: Arc::new(device::ranges(hir)),
            entry_mentions: Vec::new(),
            entry: hir.find_function(&options.entry),
            is_concurrent: concurrency::is_concurrent(hir),
            handlers: Vec::new(),
            has_unmasked: false,
            objects_are_filled: false,
            foreign_memory: None,
        };
        context.foreign_memory = context.new_foreign_memory();
        context.objects_are_filled = context.foreign_memory.is_some() || context.fills_objects();
        context
    }

    /// Everything the user defined is lowered, in the user's order, whether the entry reaches it or not.
    fn refer_to_user_code(&mut self) {
        let library: FxHashSet<u32> =
            self.hir.functions.iter().filter(|f| f.is_library).filter_map(|f| self.unit_base(f.span)).collect();
        for (id, global) in self.hir.globals.iter_enumerated() {
            let is_library = self.unit_base(global.span).is_some_and(|base| library.contains(&base));
            let is_defined = !matches!(global.init, hir::GlobalInit::Extern);
            if is_defined && !is_library && !self.is_string(id) {
                self.global(id);
            }
        }
        for (id, function) in self.hir.functions.iter_enumerated() {
            if function.body.is_some() && !function.is_library {
                self.function(id);
            }
        }
    }

    fn unit_base(&self, span: Span) -> Option<u32> {
        self.hir.sources.unit_of(span.start).filter(|_| !span.is_none()).map(|u| u.base())
    }

    /// Lowers until nothing refers to anything new.
    fn lower_pending(&mut self) {
        loop {
            if let Some(global) = self.pending_globals.pop() {
                self.lower_global(global);
            } else if let Some(function) = self.pending_functions.pop() {
                let lowered = function::lower(self, function);
                if let Some(id) = self.function_ids[function] {
                    self.functions[id] = Some(Arc::new(lowered));
                }
            } else {
                return;
            }
        }
    }

    fn finish(mut self, start: FuncId) -> Program {
        self.settle_interrupts();
        for &span in &self.hir.file_assembly {
            self.assume(AssumptionKind::FileAssembly, format!("{}", span.start).into(), span);
        }
        let entry = self.entry.filter(|&id| self.hir.function(id).body.is_some()).map(|id| self.function(id));
        Program {
            target: self.target,
            sources: self.hir.sources.clone(),
            types: Arc::new(CTypes { table: self.hir.types.clone(), names: self.hir.names.clone() }),
            functions: self.functions.into_iter().flatten().collect(),
            vars: Arc::new(self.vars),
            objects: Arc::new(self.objects),
            inputs: Arc::new(self.inputs),
            checks: Arc::new(self.checks),
            start,
            entry,
            assumptions: Arc::new(self.assumptions),
            full_expressions: Arc::new(self.full_expressions),
            divisions: Arc::new(self.divisions.into_iter().filter(|(_, made)| *made).map(|(span, _)| span).collect()),
            mentioned: Arc::new(self.hir.mentioned.iter().map(|name| self.hir.names.shared(*name)).collect()),
            claims: Arc::new(self.claims),
            store_reads: Arc::new(self.store_reads),
            devices: self.devices,
        }
    }

    /// The function's id in the lowered program.
    fn function(&mut self, id: hir::FuncId) -> FuncId {
        let id = self.hir.symbol(id);
        if let Some(known) = self.function_ids[id] {
            return known;
        }
        let new = self.functions.push_and_get_key(None);
        self.function_ids[id] = Some(new);
        self.pending_functions.push(id);
        new
    }

    /// Where a global lives in the lowered program.
    fn global(&mut self, id: hir::GlobalId) -> GlobalSlot {
        let id = self.hir.object(id);
        if let Some(slot) = self.global_slots[id] {
            return slot;
        }
        let global = self.hir.global(id);
        let slot = match self.register_type(id) {
            Some(ty) => {
                let info = self.register_info(global, ty);
                GlobalSlot::Register(self.vars.push_and_get_key(info), ty)
            }
            None => {
                let info = self.object_info(id);
                GlobalSlot::Object(self.add_object(info, Some(id)))
            }
        };
        self.global_slots[id] = Some(slot);
        self.pending_globals.push(id);
        if global.ty.quals.is_volatile && !self.options.volatile_inputs {
            self.assume(AssumptionKind::Volatile, self.hir.names.shared(global.name), global.span);
        }
        if global.in_program_memory {
            self.assume(AssumptionKind::ProgramMemory, self.hir.names.shared(global.name), global.span);
        }
        if global.noinit {
            self.external.push(id);
        } else if matches!(global.init, hir::GlobalInit::Extern) {
            self.external.push(id);
            let name = self.hir.names.shared(global.name);
            self.assume(AssumptionKind::ExternalObject, name, global.span);
        }
        slot
    }

    fn add_object(&mut self, info: GlobalObjInfo, global: Option<hir::GlobalId>) -> GlobalObj {
        self.object_globals.push(global);
        self.objects.push_and_get_key(info)
    }

    /// Notes an assumption about the world, once.
    fn assume(&mut self, kind: AssumptionKind, name: Arc<str>, span: Span) {
        if self.assumed.insert((kind, name.clone())) {
            self.assumptions.push(Assumption { kind, name, span });
        }
    }

    fn add_input(&mut self, origin: InputOrigin, ty: Option<Ty>, cty: Option<TyId>, span: Span) -> InputId {
        let kind = cty.and_then(|c| self.hir.types.int_kind(c));
        self.inputs.push_and_get_key(InputSite {
            origin,
            ty,
            cty,
            part: None,
            is_signed: kind.is_some_and(|k| k.is_signed(&self.target)),
            is_bool: kind == Some(plumb_c::types::IntKind::Bool),
            span,
        })
    }

    fn add_check(&mut self, kind: CheckKind, message: Arc<str>, span: Span) -> CheckId {
        self.checks.push_and_get_key(CheckInfo { kind, message, subject: None, of_inputs: false, span })
    }

    /// What is not supported, but assumed not to happen with a value that comes from outside as it is.
    fn add_input_check(&mut self, message: Arc<str>, span: Span) -> CheckId {
        let check = self.add_check(CheckKind::Unsupported, message, span);
        self.checks[check].of_inputs = true;
        check
    }

    /// The tree breaks a promise of the type checker: said to the user, since going on might give a wrong verdict.
    fn broken_promise(&mut self, span: Span, what: &str) {
        self.diags.push(
            Diagnostic::error(span, format!("cannot lower this: {what}"))
                .help("this is a defect of Plumb; please report it with the source around this place"),
        );
    }

    fn var_ty(&self, var: VarRef) -> Option<Ty> {
        match var {
            VarRef::Global(v) => Some(self.vars[v].ty),
            VarRef::Local(_) => None,
        }
    }
}
