//! From files to one list of tokens: reading, lexing, and included files in the place of their directives.

use crate::lex::{Include, Token, TokenKind, lex};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::preprocess::decode;
use plumb_c::source::{SourceMap, Span};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files that include files that include files: beyond this it is a mistake.
const MAX_DEPTH: usize = 64;
/// Files that include others twice each grow exponentially; real descriptions include some dozens.
const MAX_INCLUDES: usize = 4096;

/// Reads files one after the other, as if they were one.
pub struct Reader<'a> {
    include_dirs: &'a [PathBuf],
    sources: SourceMap,
    diags: Diagnostics,
    /// Files that were read, by their real path: one that is included often is kept once.
    known: HashMap<PathBuf, Rc<[Token]>>,
    /// The files that are being read, the innermost last.
    open: Vec<PathBuf>,
    tokens: Vec<Token>,
    /// How many include directives have been followed.
    includes: usize,
}

impl<'a> Reader<'a> {
    pub fn new(include_dirs: &'a [PathBuf]) -> Reader<'a> {
        Reader {
            include_dirs,
            sources: SourceMap::new(),
            diags: Diagnostics::new(),
            known: HashMap::new(),
            open: Vec::new(),
            tokens: Vec::new(),
            includes: 0,
        }
    }

    pub fn file(&mut self, path: &Path) {
        if let Err(diagnostic) = self.expand(path, Span::NONE) {
            self.diags.push(diagnostic);
        }
    }

    /// Text that has no file of its own; its includes are looked for along the search path.
    pub fn text(&mut self, name: &str, text: &str) {
        match self.tokens_of(name, text.to_string()) {
            Ok(tokens) => self.append(&tokens, Path::new("")),
            Err(diagnostic) => self.diags.push(diagnostic),
        }
    }

    /// All tokens, with an end token behind them.
    pub fn finish(mut self) -> (Vec<Token>, SourceMap, Diagnostics) {
        let end = self.tokens.last().map_or(Span::NONE, |t| Span::new(t.span.end.saturating_sub(1), t.span.end));
        self.tokens.push(Token { kind: TokenKind::End, span: end });
        (self.tokens, self.sources, self.diags)
    }

    fn expand(&mut self, path: &Path, from: Span) -> Result<(), Diagnostic> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if self.open.contains(&real) {
            let message = format!("`{}` includes itself", path.display());
            return Err(Diagnostic::error(from, message).help("remove one of the include directives"));
        }
        if self.open.len() >= MAX_DEPTH {
            let message = format!("includes are nested deeper than {MAX_DEPTH} files");
            return Err(Diagnostic::error(from, message).help("include the innermost files directly"));
        }
        let tokens = match self.known.get(&real) {
            Some(tokens) => tokens.clone(),
            None => {
                let text = read_text(path, from)?;
                let tokens: Rc<[Token]> = self.tokens_of(&path.display().to_string(), text)?.into();
                self.known.insert(real.clone(), tokens.clone());
                tokens
            }
        };
        self.open.push(real);
        self.append(&tokens, path);
        self.open.pop();
        Ok(())
    }

    fn tokens_of(&mut self, name: &str, text: String) -> Result<Vec<Token>, Diagnostic> {
        let Ok(index) = self.sources.add(name, text) else {
            let message = format!("`{name}` does not fit: all files together may have 4 GiB");
            return Err(Diagnostic::error(Span::NONE, message).help("split the description"));
        };
        Ok(lex(&self.sources.units()[index], &mut self.diags))
    }

    fn append(&mut self, tokens: &[Token], file: &Path) {
        for token in tokens {
            if self.includes > MAX_INCLUDES || self.diags.saturated() {
                return;
            }
            match &token.kind {
                TokenKind::Include(include) => self.include(include, token.span, file),
                _ => self.tokens.push(token.clone()),
            }
        }
    }

    fn include(&mut self, include: &Include, span: Span, file: &Path) {
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            let message = format!("the description includes more than {MAX_INCLUDES} files");
            self.diags.push(Diagnostic::error(span, message).help("check which files are included often"));
            return;
        }
        let result = match self.find(include, file) {
            Some(path) => self.expand(&path, span),
            None if include.optional => Ok(()),
            None => {
                let message = format!("the included file `{}` is not found", include.path);
                Err(Diagnostic::error(span, message).help("name its directory with `-I`"))
            }
        };
        if let Err(diagnostic) = result {
            self.diags.push(diagnostic);
        }
    }

    fn find(&self, include: &Include, file: &Path) -> Option<PathBuf> {
        let beside = file.parent().filter(|_| include.beside).map(Path::to_path_buf);
        let folders = beside.into_iter().chain(self.include_dirs.iter().cloned());
        folders.map(|folder| folder.join(&include.path)).find(|path| path.is_file())
    }
}

fn read_text(path: &Path, from: Span) -> Result<String, Diagnostic> {
    match std::fs::read(path) {
        Ok(bytes) if bytes.contains(&0) => {
            let message = format!("`{}` is not text: it has a NUL byte", path.display());
            Err(Diagnostic::error(from, message).help("give an OIL file, saved as UTF-8"))
        }
        Ok(bytes) => Ok(decode(bytes)),
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", path.display());
            Err(Diagnostic::error(from, message).help("check the path of the OIL file and its permissions"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plumb-osek-read-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn names(tokens: &[Token]) -> Vec<&str> {
        tokens
            .iter()
            .filter_map(|t| if let TokenKind::Name(name) = &t.kind { Some(name.as_str()) } else { None })
            .collect()
    }

    #[test]
    fn included_files_stand_in_the_place_of_their_directives() {
        let root = folder(
            "place",
            &[
                ("a.oil", "one\n#include \"sub/b.oil\"\nfour\n#include <c.oil>\n#includeifexists <none.oil>\n"),
                ("sub/b.oil", "two\n#include \"c.oil\"\n"),
                ("sub/c.oil", "three"),
                ("lib/c.oil", "five"),
            ],
        );
        let dirs = [root.join("lib")];
        let mut reader = Reader::new(&dirs);
        reader.file(&root.join("a.oil"));
        let (tokens, sources, diags) = reader.finish();
        assert!(!diags.has_errors());
        assert_eq!(names(&tokens), ["one", "two", "three", "four", "five"]);
        let place = sources.place(tokens[2].span).unwrap();
        assert!(place.file.ends_with("c.oil") && place.line == 1, "{place}");
    }

    #[test]
    fn cycles_and_missing_files_are_told_at_the_directive() {
        let root = folder(
            "cycle",
            &[("a.oil", "x\n#include \"b.oil\"\n"), ("b.oil", "#include \"a.oil\"\n#include \"none.oil\"\n")],
        );
        let mut reader = Reader::new(&[]);
        reader.file(&root.join("a.oil"));
        reader.file(&root.join("none.oil"));
        let (tokens, sources, diags) = reader.finish();
        assert_eq!(names(&tokens), ["x"]);
        let errors: Vec<_> = diags.iter().map(|d| (d.message.clone(), sources.place(d.span).map(|p| p.line))).collect();
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(errors[0].0.contains("includes itself") && errors[0].1 == Some(1), "{errors:?}");
        assert!(errors[1].0.contains("`none.oil` is not found") && errors[1].1 == Some(2), "{errors:?}");
        assert!(errors[2].0.contains("cannot read") && errors[2].1.is_none(), "{errors:?}");
    }

    #[test]
    fn files_that_grow_exponentially_end() {
        let names: Vec<String> = (0..40).map(|i| format!("f{i}.oil")).collect();
        let texts: Vec<String> = (1..=40)
            .map(|i| if i < 40 { format!("#include \"f{i}.oil\"\n#include \"f{i}.oil\"\n") } else { "a b c d".into() })
            .collect();
        let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        let root = folder("grow", &files);
        let mut reader = Reader::new(&[]);
        reader.file(&root.join("f0.oil"));
        let (_, _, diags) = reader.finish();
        assert!(diags.iter().any(|d| d.message.contains("more than 4096 files")));
    }
}
