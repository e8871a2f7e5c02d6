//! The abstract domains, each in a file of its own; the laws that all of them keep are in [`super::domain`].

pub mod interval;
pub mod predicate;
pub mod value;
