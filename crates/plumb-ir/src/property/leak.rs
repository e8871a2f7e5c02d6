//! Heap memory at the end of the program, however it ends: `main` returns, `exit` or `abort` is called.
//!
//! `valid-memtrack`: whatever is still allocated can be reached from a global or, where the program ends in the middle of
//! calls, from what the active functions hold: their variables, whether they are used again or not, and what their
//! unfinished expressions have computed and still need. Memory that is lost while the program runs on is reported at its end, so not at
//! all if it has none. `valid-memcleanup`: nothing is allocated any more.

use super::selection::PropertySet;
use super::site::Site;
use crate::check::CheckKind;
use crate::expr::ExprKind;
use crate::ty::Ty;

/// The program is about to end.
pub(super) fn at_end(site: &mut Site<'_>, set: &PropertySet) {
    if site.wants(CheckKind::Leak) {
        let cond = site.make.exprs.push(ExprKind::NoLeak, Ty::BOOL);
        site.require(CheckKind::Leak, cond, "allocated memory is lost: nothing points to it any more".to_string());
    }
    if set.cleanup {
        let cond = site.make.exprs.push(ExprKind::HeapEmpty, Ty::BOOL);
        site.require(CheckKind::Leak, cond, "allocated memory is not freed when the program ends".to_string());
    }
}
