//! How the knobs of engines and of the validator are written down: each once, with its reason above it and its value behind it.

/// A struct of knobs, and its constant `DEFAULT` with the value of each.
#[macro_export]
macro_rules! tuning {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$reason:meta])* $knob:ident: $ty:ty = $value:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $($(#[$reason])* pub $knob: $ty,)*
        }

        impl $name {
            pub const DEFAULT: $name = $name { $($knob: $value,)* };
        }
    };
}
