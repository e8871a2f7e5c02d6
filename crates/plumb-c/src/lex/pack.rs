//! `#pragma pack`.
//!
//! gcc packs a record with the value that holds at its closing brace. The lexer keeps the pragma's stack and notes at
//! which token the value changes; the parser looks the value up.

use super::pragma::PragmaEffect;

/// From the token with this index on, records are packed to `bytes`; 0 is no packing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackChange {
    pub token: u32,
    pub bytes: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PackState {
    current: u32,
    stack: Vec<(Option<String>, u32)>,
    changes: Vec<PackChange>,
}

impl PackState {
    pub fn into_changes(self) -> Vec<PackChange> {
        self.changes
    }

    /// Handles the words after `#pragma pack`, standing before the token of the given index.
    pub fn pragma(&mut self, words: &[&str], token: usize) -> PragmaEffect {
        match words {
            ["(", arguments @ .., ")"] => self.pack(arguments, token),
            _ => PragmaEffect::Malformed,
        }
    }

    #[cfg(test)]
    pub fn current(&self) -> u32 {
        self.current
    }

    fn pack(&mut self, arguments: &[&str], token: usize) -> PragmaEffect {
        match arguments {
            [] => self.set(0, token),
            [value] if is_number(value) => return self.set_parsed(value, token),
            ["push"] => self.stack.push((None, self.current)),
            ["push", ",", value] if is_number(value) => {
                self.stack.push((None, self.current));
                return self.set_parsed(value, token);
            }
            ["push", ",", name] => self.stack.push((Some(name.to_string()), self.current)),
            ["push", ",", name, ",", value] => {
                self.stack.push((Some(name.to_string()), self.current));
                return self.set_parsed(value, token);
            }
            // As gcc does, an unmatched `pop` changes nothing.
            ["pop"] => {
                if let Some((_, value)) = self.stack.pop() {
                    self.set(value, token);
                }
            }
            ["pop", ",", name] => {
                if let Some(at) = self.stack.iter().rposition(|(n, _)| n.as_deref() == Some(name)) {
                    let value = self.stack[at].1;
                    self.stack.truncate(at);
                    self.set(value, token);
                }
            }
            _ => return PragmaEffect::Malformed,
        }
        PragmaEffect::None
    }

    fn set_parsed(&mut self, value: &str, token: usize) -> PragmaEffect {
        match value.parse() {
            Ok(bytes @ (0 | 1 | 2 | 4 | 8 | 16)) => {
                self.set(bytes, token);
                PragmaEffect::None
            }
            _ => PragmaEffect::Malformed,
        }
    }

    fn set(&mut self, bytes: u32, token: usize) {
        self.current = bytes;
        self.changes.push(PackChange { token: token as u32, bytes });
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}
