//! Function summaries as C files: what `--summaries DIR` asks for.
//!
//! Whether the folder can be written is known before the search begins; what there was to write, when it is over.

use crate::report::{Failure, Output};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::{SourceMap, Span};
use plumb_engine::summary::export::Exported;
use std::fs::{OpenOptions, create_dir_all, remove_file};
use std::path::Path;

/// Makes the folder, and shows that files can be made in it.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    let draft = folder.join(format!(".plumb-{}", std::process::id()));
    let made = create_dir_all(folder).and_then(|()| OpenOptions::new().write(true).create_new(true).open(&draft));
    made.and_then(|_| remove_file(&draft)).map_err(|error| {
        let message = format!("cannot write summaries to {}: {error}", folder.display());
        Failure::of(Diagnostic::error(Span::NONE, message).help("name a directory that you may write"))
    })
}

/// Writes all summaries that were made, and says so where there are none.
pub fn write(folder: &Path, exported: &Exported, out: &Output) {
    let mut diags = Diagnostics::new();
    let files = exported.files();
    if files.is_empty() {
        let message = format!("no summary was made, so nothing was written to {}", folder.display());
        let help = "`plumb show summaries` lists the functions that are worth one, and `--engine pbe` makes them; \
                    what is easy to decide is decided before";
        diags.push(Diagnostic::warning(Span::NONE, message).help(help));
    }
    for (name, text) in files {
        let path = folder.join(name);
        if let Err(error) = std::fs::write(&path, text) {
            diags.push(Diagnostic::warning(Span::NONE, format!("cannot write {}: {error}", path.display())));
        }
    }
    out.diagnostics(&diags, &SourceMap::default());
}
