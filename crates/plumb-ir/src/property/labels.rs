//! Error labels: a labelled statement that must not be reached.

use super::selection::PropertySet;
use crate::program::{Function, Loc};

/// The error labels of a function.
pub(super) fn broken<'a>(function: &'a Function, set: &'a PropertySet) -> impl Iterator<Item = (&'a str, Loc)> {
    let user = function.labels.iter().filter(move |_| !function.is_library);
    user.filter(|(name, _)| set.error_labels.contains(name)).map(|(name, loc)| (&**name, *loc))
}
