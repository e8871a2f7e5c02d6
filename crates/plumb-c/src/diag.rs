//! Diagnostics: what is wrong, where, and what to do next.
//!
//! Phases push [`Diagnostic`]s into a [`Diagnostics`] list and go on; a phase whose list holds an error produces no
//! result. Rendering is done once, at the edge, by [`render`].

use crate::source::{Place, SourceMap, Span};
use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error as FilesError, Files};
use codespan_reporting::term;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// `Span::NONE` when the trouble has no place in a source (a missing file, say).
    pub span: Span,
    /// What stands at the span, in a few words.
    pub label: String,
    /// The next step for the user.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), span, label: String::new(), help: None }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Diagnostics of a run in the order they were found, with a cap on errors so that garbage does not flood the user.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// After this many errors a phase gives up on the unit.
    pub const MAX_ERRORS: usize = 20;

    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            if self.errors > Diagnostics::MAX_ERRORS {
                return;
            }
        }
        self.list.push(diagnostic);
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether going on would only add noise.
    pub fn saturated(&self) -> bool {
        self.errors >= Diagnostics::MAX_ERRORS
    }

    /// Gives errors that name no next step of their own this one.
    pub fn help_where_missing(&mut self, help: &str) {
        for diagnostic in self.list.iter_mut().filter(|d| d.severity == Severity::Error && d.help.is_none()) {
            diagnostic.help = Some(help.to_string());
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

/// Renders one diagnostic as text, with the source line under it; `color` adds terminal escapes.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => cs::Severity::Error,
        Severity::Warning => cs::Severity::Warning,
    };
    let unit = sources.unit_of(diagnostic.span.start).filter(|_| !diagnostic.span.is_none());
    let result = match unit {
        None => emit(&MappedFiles(sources), message(severity, diagnostic, None), color),
        Some(unit) => {
            let start = ((diagnostic.span.start - unit.base()) as usize).min(unit.text.len());
            let end = ((diagnostic.span.end.max(diagnostic.span.start) - unit.base()) as usize).min(unit.text.len());
            // A label that spans lines would print all of them; the first line tells enough.
            let end =
                unit.text[floor_boundary(&unit.text, start)..end].find('\n').map_or(end, |n| start + n).max(start);
            let range = unit.physical_line_range(unit.physical_line(start as u32));
            match range.filter(|line| line.len() > LONG_LINE).zip(sources.place(diagnostic.span)) {
                Some((line, place)) => {
                    let (excerpt, label) = excerpt(&unit.text, line, start..end);
                    let label = cs::Label::primary((), label).with_message(&diagnostic.label);
                    emit(&OneLine { text: excerpt, place }, message(severity, diagnostic, Some(label)), color)
                }
                None => {
                    let label = cs::Label::primary(diagnostic.span.start, start..end).with_message(&diagnostic.label);
                    emit(&MappedFiles(sources), message(severity, diagnostic, Some(label)), color)
                }
            }
        }
    };
    match result {
        Some(text) => text,
        // The text was cut inside a character, say: the message itself must never be lost.
        None => format!("error: {}\n", diagnostic.message),
    }
}

/// Longer lines are cut around the label: generated code puts whole programs on one.
const LONG_LINE: usize = 400;

/// The part of a line around a label, and the label's range in it.
fn excerpt(text: &str, line: Range<usize>, label: Range<usize>) -> (String, Range<usize>) {
    const AROUND: usize = 60;
    let start = floor_boundary(text, label.start.saturating_sub(AROUND).max(line.start));
    let end = floor_boundary(text, label.end.min(label.start + AROUND).saturating_add(AROUND).min(line.end));
    let shown = text[start..end.max(start)].trim_end_matches(['\n', '\r']);
    let (before, after) = (if start > line.start { "... " } else { "" }, if end < line.end { " ..." } else { "" });
    let at = |offset: usize| (offset - start).min(shown.len()) + before.len();
    (format!("{before}{shown}{after}"), at(label.start)..at(label.end))
}

fn message<F>(severity: cs::Severity, diagnostic: &Diagnostic, label: Option<cs::Label<F>>) -> cs::Diagnostic<F> {
    let notes = diagnostic.help.iter().map(|help| format!("help: {help}")).collect();
    let message = cs::Diagnostic::new(severity).with_message(&diagnostic.message).with_notes(notes);
    message.with_labels(label.into_iter().collect())
}

fn emit<'a, F: Files<'a>>(files: &'a F, diagnostic: cs::Diagnostic<F::FileId>, color: bool) -> Option<String> {
    let config = term::Config::default();
    if color {
        let mut buffer = codespan_reporting::term::termcolor::Buffer::ansi();
        term::emit_to_write_style(&mut buffer, &config, files, &diagnostic).ok()?;
        Some(String::from_utf8_lossy(buffer.as_slice()).into_owned())
    } else {
        let mut text = String::new();
        term::emit_to_string(&mut text, &config, files, &diagnostic).ok()?;
        Some(text)
    }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Presents preprocessed units to the renderer under the file names and line numbers of their markers. A "file" is the
/// offset that the label starts at, since one unit holds the lines of many files.
struct MappedFiles<'a>(&'a SourceMap);

impl MappedFiles<'_> {
    fn place(&self, offset: u32) -> Result<Place, FilesError> {
        self.0.place(Span::new(offset, offset + 1)).ok_or(FilesError::FileMissing)
    }
}

impl<'a> Files<'a> for MappedFiles<'a> {
    type FileId = u32;
    type Name = String;
    type Source = &'a str;

    fn name(&'a self, id: u32) -> Result<String, FilesError> {
        Ok(self.place(id)?.file.to_string())
    }

    fn source(&'a self, id: u32) -> Result<&'a str, FilesError> {
        self.0.unit_of(id).map(|u| &*u.text).ok_or(FilesError::FileMissing)
    }

    fn line_index(&'a self, id: u32, byte: usize) -> Result<usize, FilesError> {
        let unit = self.0.unit_of(id).ok_or(FilesError::FileMissing)?;
        Ok(unit.physical_line(byte as u32))
    }

    fn line_number(&'a self, id: u32, line_index: usize) -> Result<usize, FilesError> {
        let unit = self.0.unit_of(id).ok_or(FilesError::FileMissing)?;
        let start =
            unit.physical_line_range(line_index).ok_or(FilesError::LineTooLarge { given: line_index, max: 0 })?.start;
        Ok(self.place(unit.base() + start as u32)?.line as usize)
    }

    fn line_range(&'a self, id: u32, line_index: usize) -> Result<Range<usize>, FilesError> {
        let unit = self.0.unit_of(id).ok_or(FilesError::FileMissing)?;
        unit.physical_line_range(line_index).ok_or(FilesError::LineTooLarge { given: line_index, max: 0 })
    }
}

/// An excerpt of a line under the place that its label has in the whole.
struct OneLine {
    text: String,
    place: Place,
}

impl<'a> Files<'a> for OneLine {
    type FileId = ();
    type Name = String;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<String, FilesError> {
        Ok(self.place.file.to_string())
    }

    fn source(&'a self, (): ()) -> Result<&'a str, FilesError> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), _: usize) -> Result<usize, FilesError> {
        Ok(0)
    }

    fn line_number(&'a self, (): (), _: usize) -> Result<usize, FilesError> {
        Ok(self.place.line as usize)
    }

    fn column_number(&'a self, (): (), _: usize, _: usize) -> Result<usize, FilesError> {
        Ok(self.place.column as usize)
    }

    fn line_range(&'a self, (): (), _: usize) -> Result<Range<usize>, FilesError> {
        Ok(0..self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_label() {
        let mut sources = SourceMap::new();
        sources.add("a.i", format!("{}WRONG{}\n", "x + ".repeat(5000), " + y".repeat(5000))).unwrap();
        let start = sources.units()[0].base() + 20_000;
        let text = render(&Diagnostic::error(Span::new(start, start + 5), "message").label("here"), &sources, false);
        assert!(text.contains("a.i:1:20001") && text.contains("WRONG") && text.contains("^^^^^ here"), "{text}");
        assert!(text.len() < 1000, "{text}");
    }
}
