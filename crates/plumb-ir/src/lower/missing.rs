//! Symbols that may be missing: declared weak and defined nowhere, or arrays of which nobody says how long they are.
//!
//! Whether a weak function exists is an input of the program, chosen once: its address is then the function's or null. Of
//! objects that may be missing, or whose size is unknown, no use is modelled.

use super::external::is_reserved;
use super::function::Lowerer;
use super::{Context, special};
use crate::expr::ExprId;
use crate::input::InputOrigin;
use crate::program::{GlobalVar, GlobalVarInfo, ScalarInit, VarRef};
use crate::ty::{Bits, Ty};
use plumb_c::hir::{self, GlobalInit, StaticValue};

/// Objects that the C library defines, and that its functions change beside what they return: `lgamma`, `mktime`, `setenv`, `getopt` and
/// `getdate` and their like.
const LIBRARY_OBJECTS: &[&str] = &[
    "errno",
    "signgam",
    "daylight",
    "timezone",
    "tzname",
    "environ",
    "__daylight",
    "__timezone",
    "__tzname",
    "__environ",
    "_environ",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "getdate_err",
    "h_errno",
    "loc1",
    "loc2",
    "locs",
    "error_message_count",
];

impl Context<'_> {
    /// The register that tells whether a weak function exists; `None` for functions that certainly do.
    fn existence(&mut self, id: hir::FuncId) -> Option<GlobalVar> {
        let id = self.hir.symbol(id);
        let function = self.hir.function(id);
        let text = self.hir.names.text(function.name);
        if !function.weak || function.body.is_some() || function.model.is_some() || special::find(text).is_some() {
            return None;
        }
        if let Some((_, known)) = self.weak_functions.iter().find(|(weak, _)| *weak == id) {
            return Some(*known);
        }
        let name = format!("{text}%exists").into();
        let init = ScalarInit::Const(Bits::ZERO);
        let info = GlobalVarInfo { name, ty: Ty::BOOL, cty: None, init, span: function.span };
        let var = self.vars.push_and_get_key(info);
        self.weak_functions.push((id, var));
        Some(var)
    }

    /// Why no use of an object is modelled.
    fn unusable(&self, id: hir::GlobalId) -> Option<&'static str> {
        let global = self.hir.global(self.hir.object(id));
        if !matches!(global.init, GlobalInit::Extern) {
            None
        } else if is_reserved(self.hir.names.text(global.name)) {
            Some("an object of a verifier or compiler")
        } else if global.in_machine_register {
            Some("a variable in a machine register")
        } else if LIBRARY_OBJECTS.contains(&self.hir.names.text(global.name)) {
            Some("an object that functions of the C library change")
        } else if global.weak {
            Some("a weak object that no file defines")
        } else if self.hir.types.size_of(global.ty.ty).is_none() {
            Some("an object of unknown size that no file defines")
        } else {
            None
        }
    }
}

impl Lowerer<'_, '_> {
    /// The address of a function that may be missing.
    pub(super) fn weak_address(&mut self, id: hir::FuncId) -> Option<ExprId> {
        let exists = self.cx.existence(id)?;
        let function = self.cx.function(id);
        let exists = self.b.var(VarRef::Global(exists), Ty::BOOL);
        let (address, null) = (self.b.func_addr(function), self.b.null());
        Some(self.b.ite(exists, address, null))
    }

    /// Ends the run where an object is used of which too little is known.
    pub(super) fn require_usable(&mut self, id: hir::GlobalId, span: plumb_c::source::Span) {
        if let Some(why) = self.cx.unusable(id) {
            let name = self.cx.hir.names.text(self.cx.hir.global(id).name);
            self.unsupported(format!("{why}: {name}"), span);
        }
    }

    /// At the start of a run: decides which weak functions exist, and gives up where static data point to what is not
    /// modelled.
    pub(super) fn settle_missing(&mut self) {
        for (id, var) in self.cx.weak_functions.clone() {
            let function = self.cx.hir.function(id);
            let origin = InputOrigin::ExternalObject(self.cx.hir.names.shared(function.name));
            self.havoc_var(VarRef::Global(var), origin, None, function.span);
        }
        let hir = self.cx.hir;
        for (id, global) in hir.globals.iter_enumerated() {
            let GlobalInit::Data(parts) = &global.init else { continue };
            if self.cx.global_slots[id].is_none() {
                continue;
            }
            for part in parts {
                if let StaticValue::Address { base: hir::AddressBase::Global(id), .. } = part.value {
                    self.require_usable(id, global.span);
                }
            }
        }
    }
}
