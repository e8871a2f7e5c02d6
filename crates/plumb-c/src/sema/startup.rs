//! Constructors and destructors: functions that the startup code calls before `main`, and `exit` after all others.
//!
//! Constructors run by ascending priority, those of equal priority in the order of their definitions, units in the order
//! in which they are linked. Destructors run the other way round, after the functions that `atexit` knows: they are
//! registered with it before anything else.

use super::Sema;
use super::attr::OutsideMain;
use crate::hir::{FuncId, Function};
use crate::index::TiSlice;
use crate::source::Span;
use crate::types::{FnType, Type, TypeTable};

#[derive(Debug, Default)]
pub(crate) struct Startup {
    functions: Vec<(FuncId, OutsideMain)>,
}

impl Startup {
    /// Constructors in the order of their calls, destructors in the order of their registration.
    pub(crate) fn in_order(mut self, functions: &TiSlice<FuncId, Function>) -> (Vec<FuncId>, Vec<FuncId>) {
        let function = |id: FuncId| &functions[id];
        self.functions.retain(|(id, _)| function(*id).body.is_some());
        // Places grow from unit to unit.
        self.functions.sort_by_key(|(id, when)| (when.priority, function(*id).span.start));
        let (before, after): (Vec<_>, Vec<_>) = self.functions.into_iter().partition(|(_, when)| when.before);
        let ids = |list: Vec<(FuncId, OutsideMain)>| list.into_iter().map(|(id, _)| id).collect();
        (ids(before), ids(after))
    }
}

impl Sema<'_> {
    pub(crate) fn runs_outside_main(&mut self, id: FuncId, when: OutsideMain, span: Span) {
        let has_parameters = matches!(self.types.get(self.functions[id].ty), Type::Function(f) if !f.params.is_empty());
        if has_parameters {
            return self.error_help(
                span,
                "a constructor or destructor with parameters is not supported",
                "take the parameters out",
            );
        }
        self.functions[id].address_taken = true;
        // A declaration and a definition may both say it, the last one with the priority that counts.
        self.startup.functions.retain(|(known, other)| *known != id || other.before != when.before);
        self.startup.functions.push((id, when));
        if !when.before {
            self.need_atexit();
        }
    }

    fn need_atexit(&mut self) {
        let void = FnType { ret: TypeTable::VOID.into(), params: Vec::new(), variadic: false, unprototyped: false };
        let function = self.types.intern(Type::Function(void));
        let pointer = self.types.pointer_to(function);
        let ty =
            FnType { ret: TypeTable::INT.into(), params: vec![pointer.into()], variadic: false, unprototyped: false };
        let ty = self.types.intern(Type::Function(ty));
        self.declare_library_function("atexit", ty);
    }
}
