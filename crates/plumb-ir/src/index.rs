//! Tables that are indexed by the numbers of one kind of thing: a function's number finds no variable.

pub use plumb_c::index::{TiSlice, TiVec};
pub use plumb_c::index_types;
