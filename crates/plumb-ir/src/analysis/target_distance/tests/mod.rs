//! The thesis's worked examples, and laws of distances on random graphs.

mod entry_map;
mod figures;
mod laws;
mod learned;
mod programs;
