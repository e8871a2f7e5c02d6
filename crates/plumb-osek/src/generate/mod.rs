//! The C that the kernel model needs of a system: the names of its objects, and the tables of `kernel/config.h`.

mod ids;
mod tables;

pub use ids::ids;
pub use tables::tables;

/// The first lines of a generated file.
const HEAD: &str = "/* Generated from the OIL description. */\n";
