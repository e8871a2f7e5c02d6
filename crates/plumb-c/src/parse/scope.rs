//! Scopes, as far as parsing depends on them: whether an identifier is a typedef name (C11 6.7.8).

use crate::names::Name;

/// The current meaning of every name in one table, with a log to undo what an inner scope changed.
#[derive(Debug, Default)]
pub(super) struct TypedefScopes {
    is_typedef: Vec<bool>,
    /// Names whose meaning changed, each with what it was before.
    log: Vec<(Name, bool)>,
    /// Where each open scope starts in the log.
    marks: Vec<usize>,
}

impl TypedefScopes {
    pub fn push(&mut self) {
        self.marks.push(self.log.len());
    }

    pub fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.log.len() > mark {
            if let Some((name, before)) = self.log.pop() {
                self.is_typedef[name.index()] = before;
            }
        }
    }

    pub fn is_typedef(&self, name: Name) -> bool {
        self.is_typedef.get(name.index()).copied().unwrap_or(false)
    }

    /// Declares a name in the innermost scope, as a typedef or as something else.
    pub fn declare(&mut self, name: Name, typedef: bool) {
        let before = self.is_typedef(name);
        if before == typedef {
            return;
        }
        if self.is_typedef.len() <= name.index() {
            self.is_typedef.resize(name.index() + 1, false);
        }
        self.is_typedef[name.index()] = typedef;
        self.log.push((name, before));
    }
}
