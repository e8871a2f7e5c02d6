//! Interned identifiers: equality is a number's, and the text is one look-up away.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An identifier. Names of one [`Names`] table compare equal exactly when their texts do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(u32);

impl Name {
    /// The name's number in its table: small and dense, fit for indexing side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The table of all identifiers of a run, shared by its translation units.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_text: FxHashMap<Arc<str>, Name>,
    texts: Vec<Arc<str>>,
}

impl Names {
    pub fn new() -> Names {
        Names::default()
    }

    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.by_text.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.by_text.insert(text, name);
        name
    }

    /// The name of a text that has been interned before.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.by_text.get(text).copied()
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    /// The shared text, for keeping beyond the table's life.
    pub fn shared(&self, name: Name) -> Arc<str> {
        self.texts[name.0 as usize].clone()
    }
}
