//! Where every byte of a program came from.
//!
//! All translation units of a run share one offset space: a [`Span`] is a pair of global byte offsets into the
//! preprocessed text of some unit. The [`SourceMap`] turns offsets back into the file, line and column that the
//! user wrote, following the line markers (`# 12 "motor.c"`) that the preprocessor left.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// A half-open range of bytes in the shared offset space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span of things that have no source, such as compiler-made code.
    pub const NONE: Span = Span { start: 0, end: 0 };

    pub fn is_none(self) -> bool {
        self == Span::NONE
    }
}

/// What a user calls a place: presumed file, line and column, each as the preprocessor's markers say.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    pub file: Arc<str>,
    /// One-based.
    pub line: u32,
    /// One-based, in bytes of the preprocessed line.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// From this offset on, text belongs to `file`, the first line of it being `line`.
#[derive(Clone, Debug)]
struct Marker {
    offset: u32,
    file: Arc<str>,
    line: u32,
}

/// One preprocessed translation unit.
#[derive(Clone, Debug)]
pub struct SourceUnit {
    /// The path given by the user.
    pub name: Arc<str>,
    pub text: Arc<str>,
    base: u32,
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
}

impl SourceUnit {
    /// The offset of the unit's first byte in the shared space.
    pub fn base(&self) -> u32 {
        self.base
    }

    fn line_index(&self, local: u32) -> usize {
        self.line_starts.partition_point(|&s| s <= local) - 1
    }

    /// The index of the physical line that holds the local offset.
    pub fn physical_line(&self, local: u32) -> usize {
        self.line_index(local.min(self.text.len() as u32))
    }

    /// The byte range of a physical line with its newline.
    pub fn physical_line_range(&self, index: usize) -> Option<std::ops::Range<usize>> {
        let start = *self.line_starts.get(index)? as usize;
        Some(start..self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize))
    }

    /// The byte range of the physical line that holds the local offset, without its newline.
    fn line_range(&self, local: u32) -> std::ops::Range<usize> {
        let index = self.line_index(local);
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize - 1);
        start..end.max(start)
    }
}

/// All units, in order of their offsets.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    units: Vec<SourceUnit>,
}

/// The shared offset space is 4 GiB; a program beyond that cannot be read.
#[derive(Debug)]
pub struct TooLarge;

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds preprocessed text and returns the unit's index.
    pub fn add(&mut self, name: &str, text: String) -> Result<usize, TooLarge> {
        // Offset 0 is reserved so that `Span::NONE` never denotes text.
        let base = self.units.last().map_or(1, |u| u.base as u64 + u.text.len() as u64 + 1);
        if base + text.len() as u64 >= u32::MAX as u64 {
            return Err(TooLarge);
        }
        let mut line_starts = vec![0u32];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let name: Arc<str> = name.into();
        let mut markers = vec![Marker { offset: 0, file: name.clone(), line: 1 }];
        for &start in &line_starts {
            let rest = &text[start as usize..];
            if !rest.starts_with('#') {
                continue;
            }
            let line_end = rest.find('\n').unwrap_or(rest.len());
            if let Some((line, file)) = parse_marker(&rest[..line_end]) {
                let last = &markers[markers.len() - 1].file;
                let file = match file {
                    Some(f) if *f != **last => f.into(),
                    Some(_) | None => last.clone(),
                };
                markers.push(Marker { offset: start + line_end as u32 + 1, file, line });
            }
        }
        self.units.push(SourceUnit { name, text: text.into(), base: base as u32, line_starts, markers });
        Ok(self.units.len() - 1)
    }

    pub fn units(&self) -> &[SourceUnit] {
        &self.units
    }

    /// The unit that holds an offset, if it lies in any.
    pub fn unit_of(&self, offset: u32) -> Option<&SourceUnit> {
        let index = self.units.partition_point(|u| u.base <= offset);
        self.units.get(index.checked_sub(1)?)
    }

    /// Where the user wrote the first byte of the span; `None` for code without a source.
    pub fn place(&self, span: Span) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        let unit = self.unit_of(span.start)?;
        let local = (span.start - unit.base).min(unit.text.len() as u32);
        let marker = &unit.markers[unit.markers.partition_point(|m| m.offset <= local) - 1];
        let index = unit.line_index(local);
        let lines_since = index as u32 - unit.line_index(marker.offset.min(unit.text.len() as u32)) as u32;
        Some(Place {
            file: marker.file.clone(),
            line: marker.line + lines_since,
            column: local - unit.line_starts[index] + 1,
        })
    }

    /// The text of a span, empty for code without a source.
    pub fn text(&self, span: Span) -> &str {
        match self.unit_of(span.start) {
            Some(unit) if !span.is_none() => {
                let start = (span.start - unit.base) as usize;
                let end = (span.end.max(span.start) - unit.base) as usize;
                unit.text.get(start..end.min(unit.text.len())).unwrap_or("")
            }
            _ => "",
        }
    }

    /// The physical line that holds the first byte of the span.
    pub fn line_text(&self, span: Span) -> &str {
        match self.unit_of(span.start) {
            Some(unit) if !span.is_none() => {
                let local = (span.start - unit.base).min(unit.text.len() as u32);
                &unit.text[unit.line_range(local)]
            }
            _ => "",
        }
    }
}

/// Reads `# 12 "file" flags` or `#line 12 "file"`.
fn parse_marker(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start();
    let file = rest.strip_prefix('"').and_then(|r| r.find('"').map(|end| &r[..end]));
    Some((number, file))
}

/// Whether text has been through a preprocessor already: by its name, or because it starts with a line marker.
pub fn is_preprocessed(path: &Path, text: &str) -> bool {
    path.extension().is_some_and(|e| e == "i")
        || text.lines().find(|l| !l.trim().is_empty()).and_then(parse_marker).is_some_and(|(_, file)| file.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_move_lines_to_their_files() {
        let mut map = SourceMap::new();
        map.add("a.i", "# 10 \"a.c\"\nint x;\n# 3 \"b.h\" 1\n\nint y;\n".to_string()).unwrap();
        let at = |needle: &str| {
            let start = map.units()[0].text.find(needle).unwrap() as u32 + map.units()[0].base();
            map.place(Span::new(start, start + 1)).unwrap().to_string()
        };
        assert_eq!(at("x;"), "a.c:10:5");
        assert_eq!(at("y;"), "b.h:4:5");
    }

    #[test]
    fn a_file_without_a_final_newline_has_places() {
        let mut map = SourceMap::new();
        map.add("a.c", "int x".to_string()).unwrap();
        map.add("b.c", "".to_string()).unwrap();
        assert_eq!(map.place(Span::new(5, 6)).unwrap().to_string(), "a.c:1:5");
        assert_eq!(map.place(Span::new(7, 7)).unwrap().file.as_ref(), "b.c");
    }
}
