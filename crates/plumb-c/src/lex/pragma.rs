//! `#pragma pack`, the one pragma that changes what a program means.
//!
//! gcc packs a record with the value that holds at its closing brace. The lexer keeps the pragma's stack and notes at
//! which token the value changes; the parser looks the value up.

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

/// What the lexer must tell the user about a pragma.
pub(crate) enum PragmaEffect {
    None,
    Malformed,
    /// The pragma changes the layout in a way that is not modelled.
    Unsupported,
}

impl PackState {
    pub fn into_changes(self) -> Vec<PackChange> {
        self.changes
    }

    /// Handles the text after `#pragma`, standing before the token of the given index.
    pub fn pragma(&mut self, text: &str, token: usize) -> PragmaEffect {
        let words: Vec<&str> = split(text);
        match words.as_slice() {
            ["pack", "(", arguments @ .., ")"] => self.pack(arguments, token),
            ["pack", ..] => PragmaEffect::Malformed,
            ["scalar_storage_order", "big", "-", "endian"] | ["ms_struct", "on"] => PragmaEffect::Unsupported,
            _ => PragmaEffect::None,
        }
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

/// Words and single punctuation characters.
fn split(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_is_gccs() {
        let mut state = PackState::default();
        let steps = [
            ("pack(push,1)", 1),
            (" pack ( push , here , 2 )", 2),
            ("pack(4)", 4),
            ("pack(pop, here)", 1),
            ("pack(pop)", 0),
            ("pack(pop)", 0),
            ("pack(8)", 8),
            ("pack()", 0),
            ("GCC diagnostic push", 0),
            ("pack(3)", 0),
        ];
        for (index, (text, expected)) in steps.into_iter().enumerate() {
            state.pragma(text, index);
            assert_eq!(state.current, expected, "{text}");
        }
    }
}
