//! Numbers of one kind of thing, as indices of tables.

pub use typed_index_collections::{TiSlice, TiVec};

/// Makes types that wrap a `u32` indices of typed vectors. A table never gets longer than such a number can say: its elements
/// would not fit into memory.
#[macro_export]
macro_rules! index_types {
    ($($name:ident),+ $(,)?) => {$(
        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok());
                Self(index as u32)
            }
        }

        impl From<$name> for usize {
            fn from(index: $name) -> usize {
                index.0 as usize
            }
        }
    )+};
}
