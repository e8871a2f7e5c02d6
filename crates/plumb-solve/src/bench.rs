//! For the crate's benches: the layers by themselves.

use crate::blast::Blaster;
use crate::limits::Limits;
use plumb_term::{TermId, Terms};

/// Makes the gates of a term and nothing else; tells how many.
pub fn gates(terms: &Terms, term: TermId) -> usize {
    let mut blaster = Blaster::default();
    let blasted = blaster.blast(terms, term, &Limits::default());
    debug_assert!(blasted.is_ok());
    blaster.aig.len()
}
