//! The text of a witness as a tree of YAML, read by `saphyr-parser`.
//!
//! Witnesses are strangers' text. What the format has no use for is refused rather than misread: tags, keys that are no
//! text, merge keys, a key that a mapping has twice, several documents. Aliases are copies, as in other readers, but few
//! enough and flat enough that they cannot blow up. The parser reports events, so that nothing here is recursive in what
//! the text is.

use super::tuning::TUNING;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use std::collections::{HashMap, HashSet};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Yaml {
    Scalar(String),
    Sequence(Vec<Yaml>),
    Mapping(Vec<(String, Yaml)>),
    /// Nothing stands there.
    Null,
}

impl Yaml {
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Mapping(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Yaml::Scalar(_) | Yaml::Sequence(_) | Yaml::Null => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Yaml::Scalar(text) => Some(text),
            Yaml::Sequence(_) | Yaml::Mapping(_) | Yaml::Null => None,
        }
    }

    pub fn list(&self) -> Option<&[Yaml]> {
        match self {
            Yaml::Sequence(items) => Some(items),
            Yaml::Null => Some(&[]),
            Yaml::Scalar(_) | Yaml::Mapping(_) => None,
        }
    }

    /// The number of nodes, and the longest way down. No deeper than `TUNING.max_yaml_depth`, so recursion is fine.
    fn size(&self) -> (usize, usize) {
        let sum = |children: &mut dyn Iterator<Item = &Yaml>| {
            children.map(Yaml::size).fold((1, 1), |(nodes, height), (n, h)| (nodes + n, height.max(h + 1)))
        };
        match self {
            Yaml::Scalar(_) | Yaml::Null => (1, 1),
            Yaml::Sequence(items) => sum(&mut items.iter()),
            Yaml::Mapping(pairs) => sum(&mut pairs.iter().map(|(_, value)| value)),
        }
    }
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YamlError {
    pub line: usize,
    pub column: usize,
    pub what: String,
}

impl YamlError {
    fn new(at: Marker, what: impl Into<String>) -> YamlError {
        YamlError { line: at.line(), column: at.col() + 1, what: what.into() }
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

type Parsed<T> = Result<T, YamlError>;

pub fn parse(text: &str) -> Parsed<Yaml> {
    let mut tree = Tree::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| YamlError::new(*error.marker(), error.info()))?;
        tree.take(event, span.start)?;
    }
    Ok(tree.root.unwrap_or(Yaml::Null))
}

/// A collection that has not ended.
enum Open {
    Sequence { anchor: usize, items: Vec<Yaml> },
    Mapping { anchor: usize, pairs: Vec<(String, Yaml)>, names: HashSet<String>, key: Option<String> },
}

#[derive(Default)]
struct Tree {
    open: Vec<Open>,
    root: Option<Yaml>,
    documents: usize,
    /// What anchors name. Zero is none.
    anchors: HashMap<usize, Yaml>,
    copies: usize,
}

impl Tree {
    fn take(&mut self, event: Event, at: Marker) -> Parsed<()> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 { Err(YamlError::new(at, "a second document")) } else { Ok(()) }
            }
            Event::Scalar(_, _, _, Some(tag))
            | Event::SequenceStart(_, Some(tag))
            | Event::MappingStart(_, Some(tag)) => Err(YamlError::new(at, format!("the tag `{tag}`"))),
            Event::Scalar(text, style, anchor, None) => self.put(scalar(&text, style), anchor, at),
            Event::SequenceStart(anchor, None) => self.begin(Open::Sequence { anchor, items: Vec::new() }, at),
            Event::MappingStart(anchor, None) => {
                self.begin(Open::Mapping { anchor, pairs: Vec::new(), names: HashSet::new(), key: None }, at)
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence { anchor, items }) => self.put(Yaml::Sequence(items), anchor, at),
                Some(Open::Mapping { anchor, pairs, .. }) => self.put(Yaml::Mapping(pairs), anchor, at),
                None => Err(YamlError::new(at, "an end without a beginning")),
            },
            Event::Alias(anchor) => self.copy(anchor, at),
        }
    }

    fn begin(&mut self, collection: Open, at: Marker) -> Parsed<()> {
        if let Some(Open::Mapping { key: None, .. }) = self.open.last() {
            return Err(YamlError::new(at, "a key that is not a string"));
        }
        if self.open.len() >= TUNING.max_yaml_depth {
            return Err(YamlError::new(at, "nested too deeply"));
        }
        self.open.push(collection);
        Ok(())
    }

    /// Another copy of what an anchor names. A collection that has not ended is not named yet, so it cannot hold itself.
    fn copy(&mut self, anchor: usize, at: Marker) -> Parsed<()> {
        let Some(named) = self.anchors.get(&anchor) else {
            return Err(YamlError::new(at, "an alias to a node that contains it"));
        };
        let (nodes, height) = named.size();
        self.copies += nodes;
        if self.copies > TUNING.max_yaml_copies {
            return Err(YamlError::new(at, "aliases that expand to too many nodes"));
        }
        if self.open.len() + height > TUNING.max_yaml_depth {
            return Err(YamlError::new(at, "nested too deeply"));
        }
        let copy = named.clone();
        self.put(copy, 0, at)
    }

    /// Puts a value where it belongs.
    fn put(&mut self, value: Yaml, anchor: usize, at: Marker) -> Parsed<()> {
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::Sequence { items, .. }) => items.push(value),
            Some(Open::Mapping { pairs, names, key, .. }) => match (key.take(), value) {
                (Some(name), value) => pairs.push((name, value)),
                (None, Yaml::Scalar(name)) if name == "<<" => return Err(YamlError::new(at, "a merge key")),
                (None, Yaml::Scalar(name)) if !names.insert(name.clone()) => {
                    return Err(YamlError::new(at, format!("the key `{name}` is repeated")));
                }
                (None, Yaml::Scalar(name)) => *key = Some(name),
                (None, Yaml::Sequence(_) | Yaml::Mapping(_) | Yaml::Null) => {
                    return Err(YamlError::new(at, "a key that is not a string"));
                }
            },
        }
        Ok(())
    }
}

/// Numbers stay text: their reader knows which it wants. The last line break of a block means nothing in a witness.
fn scalar(text: &str, style: ScalarStyle) -> Yaml {
    match style {
        ScalarStyle::Plain if matches!(text, "" | "~" | "null" | "Null" | "NULL") => Yaml::Null,
        ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Yaml::Scalar(text.to_string()),
        ScalarStyle::Literal | ScalarStyle::Folded => Yaml::Scalar(text.trim_end_matches('\n').to_string()),
    }
}

#[cfg(test)]
mod tests;
