//! Heap memory at the end of the program.
//!
//! `valid-memtrack`: after the entry function has returned, whatever is still allocated can be reached from a global.
//! Where the program ends in the middle of a call, the locals of the active functions still point to their memory, so
//! nothing is lost there. `valid-memcleanup`: nothing is allocated any more wherever the program exits; `abort` is not an
//! exit. Memory that is lost while the program runs on forever is not reported.

use super::selection::PropertySet;
use super::site::Site;
use crate::check::CheckKind;
use crate::expr::ExprKind;
use crate::ty::Ty;

/// The program is about to end; `returned` tells that the entry function has.
pub(super) fn at_exit(site: &mut Site<'_>, returned: bool, set: &PropertySet) {
    if site.wants(CheckKind::Leak) && returned {
        let cond = site.make.exprs.push(ExprKind::NoLeak, Ty::BOOL);
        site.require(CheckKind::Leak, cond, "allocated memory is lost: nothing points to it any more".to_string());
    }
    if set.cleanup {
        let cond = site.make.exprs.push(ExprKind::HeapEmpty, Ty::BOOL);
        site.require(CheckKind::Leak, cond, "allocated memory is not freed when the program ends".to_string());
    }
}
