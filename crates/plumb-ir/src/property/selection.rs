//! What to check: the selection made by property files and command-line flags.

use super::prp::Property;
use crate::check::CheckKind;
use std::fmt;
use std::sync::Arc;

/// A set of the checks that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CheckSelection {
    bits: u16,
}

/// The checks that can be asked for, in the order in which help lists them.
pub const SELECTABLE: [CheckKind; 11] = [
    CheckKind::Assertion,
    CheckKind::Bounds,
    CheckKind::Pointer,
    CheckKind::Free,
    CheckKind::Leak,
    CheckKind::SignedOverflow,
    CheckKind::UnsignedOverflow,
    CheckKind::DivisionByZero,
    CheckKind::Shift,
    CheckKind::Conversion,
    CheckKind::FloatNan,
];

/// A name that no check has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCheck(pub String);

impl fmt::Display for UnknownCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = SELECTABLE.iter().map(|kind| kind.name()).collect();
        write!(f, "there is no check named `{}`; the checks are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownCheck {}

impl CheckSelection {
    pub const NONE: CheckSelection = CheckSelection { bits: 0 };

    /// Parses a list such as `bounds,overflow`. `all` stands for every check but `unsigned-overflow` and `conversion`,
    /// which report what C defines; `none` for nothing.
    pub fn parse(list: &str) -> Result<CheckSelection, UnknownCheck> {
        let mut selection = CheckSelection::NONE;
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match SELECTABLE.iter().find(|kind| kind.name() == name) {
                Some(&kind) => selection.add(kind),
                None if name == "all" => {
                    let defined = [CheckKind::UnsignedOverflow, CheckKind::Conversion];
                    SELECTABLE.iter().filter(|kind| !defined.contains(kind)).for_each(|&kind| selection.add(kind));
                }
                None if name == "none" => {}
                None => return Err(UnknownCheck(name.to_string())),
            }
        }
        Ok(selection)
    }

    fn bit(kind: CheckKind) -> u16 {
        SELECTABLE.iter().position(|&k| k == kind).map_or(0, |i| 1 << i)
    }

    pub fn add(&mut self, kind: CheckKind) {
        self.bits |= CheckSelection::bit(kind);
    }

    pub fn add_all(&mut self, other: CheckSelection) {
        self.bits |= other.bits;
    }

    pub fn contains(self, kind: CheckKind) -> bool {
        self.bits & CheckSelection::bit(kind) != 0
    }

    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The checks of memory among the selected ones.
    pub fn memory_only(self) -> CheckSelection {
        let memory = [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free, CheckKind::Leak];
        CheckSelection { bits: memory.iter().fold(0, |bits, &kind| bits | CheckSelection::bit(kind)) & self.bits }
    }

    pub fn without(self, kind: CheckKind) -> CheckSelection {
        CheckSelection { bits: self.bits & !CheckSelection::bit(kind) }
    }

    pub fn kinds(self) -> impl Iterator<Item = CheckKind> {
        SELECTABLE.into_iter().filter(move |&kind| self.contains(kind))
    }
}

/// Everything that must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertySet {
    pub checks: CheckSelection,
    /// Functions that must not be called.
    pub error_functions: Vec<Arc<str>>,
    /// Labels that must not be reached.
    pub error_labels: Vec<Arc<str>>,
    /// Whether all heap memory must be freed when the program ends.
    pub cleanup: bool,
    /// Whether these are all errors that there are, as where a property file names them: what else is called an error is a function like
    /// any other.
    pub names_all_errors: bool,
}

impl Default for PropertySet {
    /// Assertions hold and the usual error functions are not called.
    fn default() -> PropertySet {
        let mut checks = CheckSelection::NONE;
        checks.add(CheckKind::Assertion);
        PropertySet { checks, ..PropertySet::errors(&["__VERIFIER_error", "reach_error"]) }
    }
}

impl PropertySet {
    /// Nothing must hold.
    pub fn none() -> PropertySet {
        PropertySet::errors(&[])
    }

    /// Whether something must hold of pointers or of the heap.
    pub fn asks_about_memory(&self) -> bool {
        self.cleanup || !self.checks.memory_only().is_empty()
    }

    fn errors(functions: &[&str]) -> PropertySet {
        PropertySet {
            checks: CheckSelection::NONE,
            error_functions: functions.iter().map(|&f| f.into()).collect(),
            error_labels: Vec::new(),
            cleanup: false,
            names_all_errors: false,
        }
    }

    /// Exactly what a property file asks for.
    pub fn from_properties(properties: &[Property]) -> PropertySet {
        let mut set = PropertySet { names_all_errors: true, ..PropertySet::none() };
        for property in properties {
            match property {
                Property::UnreachCall(name) => set.error_functions.push(name.as_str().into()),
                Property::UnreachLabel(name) => set.error_labels.push(name.as_str().into()),
                Property::ValidFree => set.checks.add(CheckKind::Free),
                Property::ValidDeref => {
                    set.checks.add(CheckKind::Bounds);
                    set.checks.add(CheckKind::Pointer);
                }
                Property::ValidMemtrack => set.checks.add(CheckKind::Leak),
                Property::ValidMemcleanup => set.cleanup = true,
                Property::NoOverflow => set.checks.add(CheckKind::SignedOverflow),
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_parsed_and_wrong_names_are_named() {
        let selection = CheckSelection::parse("bounds, overflow,div-by-zero").unwrap();
        assert!(selection.contains(CheckKind::Bounds) && selection.contains(CheckKind::DivisionByZero));
        assert!(!selection.contains(CheckKind::Pointer) && !selection.contains(CheckKind::ErrorCall));
        assert_eq!(CheckSelection::parse("bounds,bonds"), Err(UnknownCheck("bonds".to_string())));
        assert!(UnknownCheck("x".into()).to_string().contains("double-free"));
        assert!(!CheckSelection::parse("all").unwrap().contains(CheckKind::UnsignedOverflow));
        assert!(CheckSelection::parse("").unwrap().is_empty());
    }
}
