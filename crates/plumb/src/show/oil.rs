//! `plumb show oil`: the system that a description configures.

use crate::args::{Args, ShowArgs};
use crate::load::failure;
use crate::osek;
use crate::report::{Failure, Output};
use plumb_osek::{OilOptions, kernel, print};

pub fn show(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    let files = args.oil.files.iter().chain(&show.files).cloned().collect();
    let (system, diags, sources) = osek::read(&OilOptions { files, ..args.oil.clone() })?;
    if args.json {
        out.json(&system);
    } else {
        out.diagnostics(&diags, &sources);
        out.text(&print::text(&system));
    }
    if let Some(folder) = &show.write {
        kernel::write(&system, &kernel::KernelOptions::default(), folder).map_err(|error| {
            let message = format!("cannot write to `{}`: {error}", folder.display());
            failure(message, "name a folder that can be made and written to")
        })?;
    }
    Ok(())
}
