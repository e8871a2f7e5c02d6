//! Heap memory at the end of the program, however it ends: `main` returns, `exit` or `abort` is called.
//!
//! `valid-memtrack`: whatever is still allocated can be reached from a global or, where the program ends in the middle of
//! calls, from what the active functions hold. What nothing holds is lost; what a variable of an outermost block or a parameter points to is not,
//! whether it is used again or not. In between (memory that only a variable of an inner block, a nameless object, an unfinished
//! expression or pieces of an address lead to) C does not say, or engines cannot: that is not supported, neither proved nor a violation.
//! Memory that is lost while the program runs on is reported at its end, so not at all if it has none. `valid-memcleanup`: nothing is allocated any more.

use super::selection::PropertySet;
use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{ExprKind, LeakRoots};
use crate::ty::Ty;

const UNDECIDED: &str = "the program ends while only a variable of an inner block, an unfinished expression or pieces of an address point to \
     allocated memory";

/// The program is about to end.
pub(super) fn at_end(site: &mut Site<'_>, set: &PropertySet) {
    if site.wants(CheckKind::Leak) {
        let cond = site.make.exprs.push(ExprKind::NoLeak(LeakRoots::Possible), Ty::BOOL);
        site.require(CheckKind::Leak, cond, "allocated memory is lost: nothing points to it any more".to_string());
        let cond = site.make.exprs.push(ExprKind::NoLeak(LeakRoots::Certain), Ty::BOOL);
        site.require(CheckKind::Unsupported, cond, UNDECIDED.to_string());
    }
    if set.cleanup {
        let cond = site.make.exprs.push(ExprKind::HeapEmpty, Ty::BOOL);
        site.require(CheckKind::Leak, cond, "allocated memory is not freed when the program ends".to_string());
    }
}
