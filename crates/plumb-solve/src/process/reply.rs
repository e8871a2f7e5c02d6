//! Replies: S-expressions, and the values that they write.

use plumb_term::{ArrayValue, BitVec, Sort, Value};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    Atom(String),
    List(Vec<Reply>),
}

/// The first expression of a text and what follows; nothing if the text ends before it does.
pub fn parse(text: &str) -> Result<Option<(Reply, &str)>, ()> {
    // Lists that are open, innermost last.
    let mut open: Vec<Vec<Reply>> = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let done = match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                None
            }
            ')' => {
                rest = &rest[1..];
                Some(Reply::List(open.pop().ok_or(())?))
            }
            '|' | '"' => {
                let Some(end) = rest[1..].find(first) else { return Ok(None) };
                let (atom, after) = rest.split_at(end + 2);
                rest = after;
                Some(Reply::Atom(atom.to_owned()))
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()|\"".contains(c));
                // An atom at the very end may go on with the next line.
                let Some(end) = end else { return Ok(None) };
                let (atom, after) = rest.split_at(end);
                rest = after;
                Some(Reply::Atom(atom.to_owned()))
            }
        };
        if let Some(reply) = done {
            match open.last_mut() {
                Some(list) => list.push(reply),
                None => return Ok(Some((reply, rest))),
            }
        }
        rest = rest.trim_start();
    }
}

impl Reply {
    pub fn items(&self) -> Option<&[Reply]> {
        match self {
            Reply::List(items) => Some(items),
            Reply::Atom(_) => None,
        }
    }

    fn atom(&self) -> Option<&str> {
        match self {
            Reply::Atom(text) => Some(text),
            Reply::List(_) => None,
        }
    }

    /// The value of a sort that this writes. Floats are given as bits.
    pub fn value(&self, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => match self.atom()? {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            Sort::Bv(width) => Some(Value::Bv(self.bits(width)?)),
            Sort::Float(format) => Some(Value::Float(format, self.bits(format.width())?)),
            Sort::Array { index, element } => self.array(index, element).map(Value::Array),
        }
    }

    fn bits(&self, width: u32) -> Option<BitVec> {
        if let Some(items) = self.items() {
            // (_ bv5 8)
            let [_, number, _] = items else { return None };
            return Some(BitVec::new(width, number.atom()?.strip_prefix("bv")?.parse().ok()?));
        }
        let text = self.atom()?;
        let (digits, each) = match text.get(..2)? {
            "#x" => (&text[2..], 4),
            "#b" => (&text[2..], 1),
            _ => return None,
        };
        let mut limbs = vec![0u64; width.div_ceil(64) as usize];
        for (at, digit) in digits.chars().rev().enumerate() {
            let (value, at) = (digit.to_digit(16)? as u64, at * each);
            *limbs.get_mut(at / 64)? |= value << (at % 64);
        }
        Some(BitVec::from_limbs(width, limbs))
    }

    /// Stores into a constant array, with names given by `let`.
    fn array(&self, index: u32, element: u32) -> Option<ArrayValue> {
        let mut stores = Vec::new();
        let mut names: Vec<(String, Reply)> = Vec::new();
        let mut reply = self.clone();
        loop {
            if let Some(name) = reply.atom() {
                reply = names.iter().rev().find(|(known, _)| known == name)?.1.clone();
                continue;
            }
            let items = reply.items()?;
            match items {
                [Reply::Atom(word), array, at, value] if word == "store" => {
                    stores.push((at.bits(index)?, value.bits(element)?));
                    reply = array.clone();
                }
                [Reply::Atom(word), bindings, body] if word == "let" => {
                    for binding in bindings.items()? {
                        let [name, value] = binding.items()? else { return None };
                        names.push((name.atom()?.to_owned(), value.clone()));
                    }
                    reply = body.clone();
                }
                // ((as const (Array ..)) value)
                [Reply::List(head), value] if head.get(1) == Some(&Reply::Atom("const".to_owned())) => {
                    let start = ArrayValue::new(index, value.bits(element)?);
                    return Some(stores.iter().rev().fold(start, |array, (at, value)| array.store(at, value)));
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_wait_for_their_end() {
        assert_eq!(parse("(a (b"), Ok(None));
        assert_eq!(parse("sat"), Ok(None));
        let (reply, rest) = parse("sat\n(x)").unwrap().unwrap();
        assert_eq!((reply, rest.trim()), (Reply::Atom("sat".into()), "(x)"));
        assert_eq!(parse(")"), Err(()));
        assert!(matches!(parse("|a b| c").unwrap().unwrap().0, Reply::Atom(name) if name == "|a b|"));
    }

    #[test]
    fn values_of_all_sorts() {
        let value = |text: &str, sort| parse(&format!("{text} ")).unwrap().unwrap().0.value(sort);
        assert_eq!(value("true", Sort::Bool), Some(Value::Bool(true)));
        assert_eq!(value("#x1f", Sort::Bv(8)), Some(Value::Bv(BitVec::new(8, 31))));
        assert_eq!(value("(_ bv5 8)", Sort::Bv(8)), Some(Value::Bv(BitVec::new(8, 5))));
        let sort = Sort::Array { index: 4, element: 8 };
        let array =
            "(let ((a!1 (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x07) #x1 #x02))) (store a!1 #x1 #x03))";
        let Some(Value::Array(array)) = value(array, sort) else { panic!("an array") };
        assert_eq!(array.select(&BitVec::new(4, 1)), &BitVec::new(8, 3));
        assert_eq!(array.select(&BitVec::new(4, 2)), &BitVec::new(8, 7));
        assert_eq!(value("(lambda ((x (_ BitVec 4))) #x00)", sort), None);
    }
}
