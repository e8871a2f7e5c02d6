//! Where a witness says that something is: lines and columns of the files on disk.
//!
//! A file that came preprocessed is its own text: positions are physical, whatever its line markers say. Otherwise the
//! markers lead back to the file's line, and the line's tokens to the column ([`super::align`]).

use super::Task;
use super::align::{Origin, align, tokens};
use crate::condition::statement_at;
use plumb_c::source::{SourceUnit, Span};
use plumb_ir::program::Program;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Location {
    pub file: String,
    pub line: u32,
    /// Without one, validators take the leftmost position of the line that suits.
    pub column: Option<u32>,
}

/// A place, as far as the file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Exact(Location),
    /// It is inside a macro, which begins there.
    Macro(Location),
    /// Only the line is known.
    Line(Location),
}

/// What the preprocessor made of a line: the tokens' starts in the unit, and the columns that they come from.
type Line = Rc<Option<Vec<(u32, Origin, u32)>>>;

pub(crate) struct Locator<'a> {
    program: &'a Program,
    task: &'a Task,
    /// By unit, the file of the task that is its very text.
    same: Vec<Option<usize>>,
    /// By file: its text, and the tokens of each line.
    texts: Vec<(String, Vec<Vec<Range<usize>>>)>,
    /// By unit and first physical line.
    lines: RefCell<FxHashMap<(u32, u32), Line>>,
}

impl<'a> Locator<'a> {
    pub fn new(program: &'a Program, task: &'a Task) -> Locator<'a> {
        let same = |unit: &SourceUnit| task.files.iter().position(|f| f.content == unit.text.as_bytes());
        let same = program.sources.units().iter().map(same).collect();
        let texts = task.files.iter().map(|f| by_line(String::from_utf8_lossy(&f.content).into_owned())).collect();
        Locator { program, task, same, texts, lines: RefCell::default() }
    }

    /// The text of the unit that holds an offset, and the offset in it.
    pub fn text(&self, offset: u32) -> Option<(&'a str, usize)> {
        let unit = self.program.sources.unit_of(offset)?;
        let local = (offset - unit.base()) as usize;
        (local < unit.text.len()).then_some((&*unit.text, local))
    }

    /// Where the byte at an offset is, if the file has it.
    pub fn exact(&self, offset: u32) -> Option<Location> {
        match self.locate(offset)? {
            Found::Exact(location) => Some(location),
            Found::Macro(_) | Found::Line(_) => None,
        }
    }

    /// Where the byte at an offset is, if it lies in a file of the task.
    pub fn locate(&self, offset: u32) -> Option<Found> {
        let units = self.program.sources.units();
        let index = units.partition_point(|u| u.base() <= offset).checked_sub(1)?;
        let unit = &units[index];
        let local = offset - unit.base();
        let location = |file: usize, line, column| Location { file: self.task.files[file].name.clone(), line, column };
        if let Some(file) = self.same[index] {
            let number = unit.physical_line(local);
            let start = unit.physical_line_range(number)?.start as u32;
            return Some(Found::Exact(location(file, number as u32 + 1, Some(local - start + 1))));
        }
        let place = self.program.sources.place(Span::new(offset, offset + 1))?;
        let file = self.task.files.iter().position(|f| f.name == *place.file)?;
        let line = self.line(unit, local, file, &place);
        let token = line.as_ref().as_ref().and_then(|line| {
            let at = line.partition_point(|(start, ..)| *start <= local).checked_sub(1)?;
            line.get(at)
        });
        Some(match token {
            Some((start, Origin::Same(_), column)) => {
                Found::Exact(location(file, place.line, Some(column + local - start)))
            }
            Some((_, Origin::Macro(_), column)) => Found::Macro(location(file, place.line, Some(*column))),
            None => Found::Line(location(file, place.line, None)),
        })
    }

    /// The tokens of the preprocessed lines that stand for the line of the file at a place: the preprocessor puts what comes
    /// from system headers on lines of its own.
    fn line(&self, unit: &SourceUnit, local: u32, file: usize, place: &plumb_c::source::Place) -> Line {
        let range = |index: usize| unit.physical_line_range(index).unwrap_or(0..0);
        let is_marker = |index: usize| unit.text[range(index)].starts_with('#');
        let belongs = |index: usize| {
            let start = unit.base() + range(index).start as u32;
            let here = self.program.sources.place(Span::new(start, start + 1));
            is_marker(index) || here.is_some_and(|p| p.line == place.line && p.file == place.file)
        };
        let here = unit.physical_line(local);
        let first = (0..here).rev().take_while(|i| belongs(*i)).last().unwrap_or(here);
        if let Some(known) = self.lines.borrow().get(&(unit.base(), first as u32)) {
            return known.clone();
        }
        let lines =
            (first..).take_while(|i| unit.physical_line_range(*i).is_some_and(|r| !r.is_empty()) && belongs(*i));
        let made: Vec<Range<usize>> = lines
            .filter(|i| !is_marker(*i))
            .flat_map(|i| {
                let range = range(i);
                tokens(&unit.text[range.clone()]).into_iter().map(move |t| range.start + t.start..range.start + t.end)
            })
            .collect();
        let (text, by_line) = &self.texts[file];
        let written = by_line.get(place.line as usize - 1).map_or(&[][..], |line| line);
        let written_words: Vec<&str> = written.iter().map(|t| &text[t.clone()]).collect();
        let made_words: Vec<&str> = made.iter().map(|t| &unit.text[t.clone()]).collect();
        let aligned = align(&written_words, &made_words).map(|origins| {
            let column = |origin: Origin| {
                let (Origin::Same(i) | Origin::Macro(i)) = origin;
                let start = written[i].start;
                (start - text[..start].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1
            };
            made.iter().zip(origins).map(|(token, origin)| (token.start as u32, origin, column(origin))).collect()
        });
        let line: Line = Rc::new(aligned);
        self.lines.borrow_mut().insert((unit.base(), first as u32), line.clone());
        line
    }

    /// The keyword of the `if`, `while` or `for` whose condition starts at an offset.
    pub fn keyword(&self, offset: u32) -> Option<u32> {
        let (text, local) = self.text(offset)?;
        let statement = statement_at(text, local)?;
        Some(offset - (local - statement.keyword.start) as u32)
    }
}

/// The tokens of each line of a file.
fn by_line(text: String) -> (String, Vec<Vec<Range<usize>>>) {
    let mut lines: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    let mut at = 0;
    for token in tokens(&text) {
        let new = text[at..token.start].matches('\n').count();
        lines.resize(lines.len() + new, Vec::new());
        at = token.start;
        if let Some(line) = lines.last_mut() {
            line.push(token);
        }
    }
    (text, lines)
}
