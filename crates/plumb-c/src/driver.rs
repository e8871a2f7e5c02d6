//! The way from files to a checked program, for the command line and for tests: preprocess, parse, check.

use crate::ast::TranslationUnit;
use crate::code_flags::{CodeFlags, is_before_c99};
use crate::diag::{Diagnostic, Diagnostics};
use crate::hir;
use crate::names::Names;
use crate::parse::parse_unit_with;
use crate::preprocess::{CompileEntry, PreprocessOptions, compile_commands, load};
use crate::sema::check;
use crate::source::{SourceMap, Span};
use crate::target::Target;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct FrontOptions {
    /// `None`: what the compile commands agree on, or else LP64.
    pub target: Option<Target>,
    pub preprocess: PreprocessOptions,
    pub compile_commands: Option<PathBuf>,
    /// Units to read besides the named files or those of the compile commands, with the user's flags only.
    pub generated: Vec<PathBuf>,
    /// Makes the library models for a target, as preprocessed C: those that the preprocessed texts of a program may need.
    pub library: Option<fn(&Target, &[&str]) -> String>,
}

#[derive(Clone, Debug)]
pub struct Loaded {
    pub hir: hir::Program,
    /// Warnings only.
    pub diags: Diagnostics,
}

/// What is needed to tell the user why there is no program.
#[derive(Clone, Debug)]
pub struct Failed {
    pub sources: Arc<SourceMap>,
    pub diags: Diagnostics,
}

impl Failed {
    fn new(sources: Arc<SourceMap>, mut diags: Diagnostics) -> Failed {
        diags.help_where_missing(
            "see what the compiler says of this line (`cc -fsyntax-only`); what it accepts and Plumb does not is a defect \
             worth reporting",
        );
        Failed { sources, diags }
    }

    fn early(diagnostic: Diagnostic) -> Failed {
        let mut diags = Diagnostics::new();
        diags.push(diagnostic);
        Failed { sources: Arc::default(), diags }
    }
}

/// Reads files, or every file of the compile commands when none is named, into one program.
///
/// Deeply nested programs need a deep stack: callers run this on a thread of a gibibyte or so.
pub fn load_program(files: &[PathBuf], options: &FrontOptions) -> Result<Loaded, Failed> {
    load_edited(files, options, &|_, text| text)
}

/// The same with the preprocessed text of each file, which its number tells, changed before it is read.
pub fn load_edited(
    files: &[PathBuf],
    options: &FrontOptions,
    edit: &dyn Fn(usize, String) -> String,
) -> Result<Loaded, Failed> {
    let (files, target) = plan(files, options).map_err(Failed::early)?;
    let mut diags = Diagnostics::new();
    let mut sources = SourceMap::new();
    let mut unit_flags = Vec::with_capacity(files.len() + 1);
    for (i, (path, preprocess)) in files.iter().enumerate() {
        match load(path, preprocess) {
            Ok(text) => {
                add(&mut sources, &path.display().to_string(), edit(i, text), &mut diags);
                unit_flags.push(preprocess.code);
            }
            Err(diagnostic) => diags.push(diagnostic),
        }
    }
    let user_units = sources.units().len();
    if let Some(library) = options.library {
        let texts: Vec<&str> = sources.units().iter().map(|unit| &*unit.text).collect();
        let models = library(&target, &texts);
        add(&mut sources, "<library>", models, &mut diags);
    }
    let sources = Arc::new(sources);
    let mut names = Names::new();
    let mut units: Vec<TranslationUnit> = Vec::with_capacity(sources.units().len());
    // The library's own unit has no flags.
    unit_flags.push(CodeFlags::default());
    for (unit, flags) in sources.units().iter().zip(unit_flags) {
        units.push(parse_unit_with(unit, flags, &mut names, &mut diags));
    }
    if diags.has_errors() {
        return Err(Failed::new(sources, diags));
    }
    let library = units.get(user_units);
    match check(&units[..user_units], library, sources.clone(), names, target, &mut diags) {
        Some(hir) => Ok(Loaded { hir, diags }),
        None => Err(Failed::new(sources, diags)),
    }
}

fn add(sources: &mut SourceMap, name: &str, text: String, diags: &mut Diagnostics) {
    if sources.add(name, text).is_err() {
        let message = format!("`{name}` does not fit: all files together may have 4 GiB after preprocessing");
        diags.push(Diagnostic::error(Span::NONE, message).help("check the program in parts"));
    }
}

/// The files to read, each with its flags, and the machine they are for.
fn plan(files: &[PathBuf], options: &FrontOptions) -> Result<(Vec<(PathBuf, PreprocessOptions)>, Target), Diagnostic> {
    let entries = match &options.compile_commands {
        Some(path) => compile_commands(path)?,
        None => Vec::new(),
    };
    let mut plan: Vec<(PathBuf, PreprocessOptions)> = Vec::new();
    if files.is_empty() {
        for entry in &entries {
            plan.push(flags_of_entry(entry, options)?);
        }
    } else {
        for file in files {
            plan.push(flags_of(file, &entries, options)?);
        }
    }
    if plan.is_empty() {
        return Err(Diagnostic::error(Span::NONE, "there is no C file to read").help("name at least one .c or .i file"));
    }
    plan.extend(options.generated.iter().map(|unit| (unit.clone(), PreprocessOptions::default())));
    let target = match options.target {
        Some(target) => target,
        None => agreed_target(&plan)?,
    };
    for (_, flags) in &mut plan {
        add_flags(flags, &options.preprocess);
        let is_c90 = flags.std.as_deref().is_some_and(is_before_c99);
        flags.code.gnu89_inline |= is_c90;
        flags.code.c90_constants |= is_c90;
    }
    let target = agreed_machine(&plan, target)?;
    for (_, flags) in &mut plan {
        flags.target = Some(target);
    }
    Ok((plan, target))
}

/// A file of the build with its flags, unless they say something that is not modelled.
fn flags_of_entry(entry: &CompileEntry, options: &FrontOptions) -> Result<(PathBuf, PreprocessOptions), Diagnostic> {
    match entry.trouble(options.target.is_some()) {
        Some(trouble) => Err(trouble),
        None => Ok((entry.file.clone(), entry.options.clone())),
    }
}

/// A file with the flags that the build uses for it; none if the build does not know the file.
fn flags_of(
    file: &Path,
    entries: &[CompileEntry],
    options: &FrontOptions,
) -> Result<(PathBuf, PreprocessOptions), Diagnostic> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let wanted = real(file);
    match entries.iter().find(|e| real(&e.file) == wanted) {
        // Under its absolute path, since it is read from the build's directory.
        Some(entry) => flags_of_entry(entry, options),
        None => Ok((file.to_path_buf(), PreprocessOptions::default())),
    }
}

/// The machine with what the flags change about it, which must be the same for all files: a type has one layout.
fn agreed_machine(plan: &[(PathBuf, PreprocessOptions)], target: Target) -> Result<Target, Diagnostic> {
    let mut machines = plan.iter().map(|(file, flags)| (file, flags.code.machine(target)));
    let Some((first, machine)) = machines.next() else { return Ok(target) };
    match machines.find(|(_, other)| *other != machine) {
        None => Ok(machine),
        Some((other, _)) => {
            let message = format!(
                "`{}` and `{}` are compiled with different -funsigned-char or -fshort-enums",
                first.display(),
                other.display()
            );
            Err(Diagnostic::error(Span::NONE, message).help("check them one by one, or say which on the command line"))
        }
    }
}

fn agreed_target(plan: &[(PathBuf, PreprocessOptions)]) -> Result<Target, Diagnostic> {
    let mut named = plan.iter().filter_map(|(_, flags)| flags.target);
    let Some(first) = named.next() else { return Ok(Target::LP64) };
    match named.find(|t| *t != first) {
        None => Ok(first),
        Some(_) => Err(Diagnostic::error(Span::NONE, "the compile commands are for different machines")
            .help("choose one with `--arch 32` or `--arch 64`")),
    }
}

/// The user's flags come after the build's, so that they win; relative paths are the user's, whatever the build's
/// directory is.
fn add_flags(flags: &mut PreprocessOptions, user: &PreprocessOptions) {
    let elsewhere = flags.directory.is_some();
    let path = |p: &PathBuf| match elsewhere {
        true => std::path::absolute(p).unwrap_or_else(|_| p.clone()),
        false => p.clone(),
    };
    flags.include_dirs.splice(0..0, user.include_dirs.iter().map(path));
    flags.quote_dirs.splice(0..0, user.quote_dirs.iter().map(path));
    flags.system_dirs.splice(0..0, user.system_dirs.iter().map(path));
    flags.after_dirs.extend(user.after_dirs.iter().map(path));
    flags.includes.extend(user.includes.iter().map(path));
    flags.macros.extend(user.macros.iter().cloned());
    if user.std.is_some() {
        flags.std.clone_from(&user.std);
    }
    flags.nostdinc |= user.nostdinc;
    flags.code.add(&user.code);
    flags.macro_flags.extend(user.macro_flags.iter().cloned());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plumb-driver-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn the_build_s_flags_are_used_and_the_user_s_win() {
        let source = file("a.c", "int x = A; int y[sizeof(long) == 4 ? 1 : -1] = { B };");
        let folder = source.parent().unwrap().display().to_string();
        let commands =
            format!(r#"[{{"directory": "{folder}", "file": "a.c", "command": "cc -m32 -DA=1 -DB=2 -c a.c"}}]"#);
        let commands = file("compile_commands.json", &commands);
        let mut options = FrontOptions { compile_commands: Some(commands), ..FrontOptions::default() };
        options.preprocess.macros.push(crate::preprocess::MacroFlag::Define("B=7".to_string()));
        for files in [vec![], vec![source.clone()]] {
            let (plan, target) = plan(&files, &options).unwrap();
            assert_eq!(target, Target::ILP32);
            assert_eq!(plan.len(), 1);
            assert_eq!(plan[0].1.macros.len(), 3);
        }
        options.target = Some(Target::LP64);
        assert!(load_program(&[source], &options).is_err(), "the user's machine has an 8-byte long");
    }

    /// Loads a file with one compile command for it.
    fn load_built(name: &str, text: &str, command: &str, arch: Option<Target>) -> Result<Loaded, String> {
        let source = file(&format!("{name}.c"), text);
        let folder = source.parent().unwrap().display().to_string();
        let json = format!(r#"[{{"directory": "{folder}", "file": "{name}.c", "command": "{command} -c {name}.c"}}]"#);
        let commands = file(&format!("{name}.json"), &json);
        let options = FrontOptions { compile_commands: Some(commands), target: arch, ..FrontOptions::default() };
        load_program(&[source], &options).map_err(|failed| failed.diags.iter().map(|d| d.message.clone()).collect())
    }

    #[test]
    fn flags_that_change_the_meaning_are_honoured() {
        let table = [
            ("-funsigned-char", "(char)255 == 255"),
            ("-funsigned-char -fsigned-char", "(char)255 == -1"),
            ("-fshort-enums", "sizeof(enum E) == 1"),
            ("-fpack-struct", "sizeof(struct S) == 5"),
            ("-m32", "sizeof(long) == 4"),
            ("-O2 -g -Wall", "(char)255 == -1 && sizeof(enum E) == 4 && sizeof(struct S) == 8"),
        ];
        for (i, (flags, claim)) in table.into_iter().enumerate() {
            let text =
                format!("enum E {{ A = 200 }}; struct S {{ char c; int i; }}; _Static_assert({claim}, \"claim\");");
            let loaded = load_built(&format!("honoured{i}"), &text, &format!("gcc {flags}"), None);
            assert!(loaded.is_ok(), "{flags}: {:?}", loaded.err());
        }
    }

    #[test]
    fn flags_and_compilers_that_are_not_modelled_are_refused_by_name() {
        for flag in ["-fshort-wchar", "-ffast-math", "-funsigned-bitfields", "-fno-such-flag", "-mx32"] {
            let message = load_built("refused", "int x;", &format!("gcc {flag}"), None).unwrap_err();
            assert!(message.contains(flag), "{message}");
        }
        let arm = "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -funsigned-char -fshort-enums";
        let text = "_Static_assert((char)255 == 255 && sizeof(long) == 4, \"claim\");";
        let message = load_built("arm", text, arm, None).unwrap_err();
        assert!(message.contains("arm-none-eabi-gcc"), "{message}");
        let loaded = load_built("arm", text, arm, Some(Target::ILP32));
        assert!(loaded.is_ok(), "{:?}", loaded.err());
    }

    #[test]
    fn every_file_that_is_wrong_is_told() {
        let files = ["b.i", "c.i", "d.i"].map(|n| file(n, "int f( {"));
        let missing = PathBuf::from("/nowhere.c");
        let failed = load_program(&[&files[..], &[missing]].concat(), &FrontOptions::default()).unwrap_err();
        assert!(failed.diags.error_count() >= 4);
        assert!(failed.diags.iter().all(|d| d.help.is_some()));
    }
}
