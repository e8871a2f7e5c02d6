//! Where a witness says that something is: lines and columns of the files on disk.
//!
//! A file that came preprocessed is its own text: positions are physical, whatever its line markers say. Otherwise the
//! markers lead back to the file; macros move columns, so a column is given only if the file has the same word there.

use super::Task;
use crate::condition::statement_at;
use plumb_c::source::Span;
use plumb_ir::program::Program;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Location {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

pub(super) struct Locator<'a> {
    program: &'a Program,
    task: &'a Task,
}

impl<'a> Locator<'a> {
    pub fn new(program: &'a Program, task: &'a Task) -> Locator<'a> {
        Locator { program, task }
    }

    /// The text of the unit that holds an offset, and the offset in it.
    pub fn text(&self, offset: u32) -> Option<(&'a str, usize)> {
        let unit = self.program.sources.unit_of(offset)?;
        let local = (offset - unit.base()) as usize;
        (local < unit.text.len()).then_some((&*unit.text, local))
    }

    /// Where the byte at an offset is, if it lies in a file of the task.
    pub fn locate(&self, offset: u32) -> Option<Location> {
        let unit = self.program.sources.unit_of(offset)?;
        let local = offset - unit.base();
        if let Some(file) = self.task.files.iter().find(|f| f.content == unit.text.as_bytes()) {
            let index = unit.physical_line(local);
            let start = unit.physical_line_range(index)?.start as u32;
            return Some(Location { file: file.name.clone(), line: index as u32 + 1, column: Some(local - start + 1) });
        }
        let place = self.program.sources.place(Span::new(offset, offset + 1))?;
        let file = self.task.files.iter().find(|f| f.name == *place.file)?;
        let word = word_at(&unit.text, local as usize);
        let line = file.content.split(|b| *b == b'\n').nth(place.line as usize - 1)?;
        let line = String::from_utf8_lossy(line);
        let at = |column: usize| line.get(column..).is_some_and(|rest| rest.starts_with(word));
        let column = if at(place.column as usize - 1) {
            Some(place.column)
        } else {
            let mut found = line.match_indices(word).filter(|_| word.len() > 1);
            found.next().filter(|_| found.next().is_none()).map(|(i, _)| i as u32 + 1)
        };
        Some(Location { file: file.name.clone(), line: place.line, column })
    }

    /// The keyword of the `if`, `while` or `for` whose condition starts at an offset.
    pub fn keyword(&self, offset: u32) -> Option<u32> {
        let (text, local) = self.text(offset)?;
        let statement = statement_at(text, local)?;
        Some(offset - (local - statement.keyword.start) as u32)
    }
}

/// The identifier or the character at a position.
fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let length = if length == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { length };
    &rest[..length]
}
