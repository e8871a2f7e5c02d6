//! The compile line: the machine, the property as the compiler can watch it, and what the harness relies on.

use super::HarnessOptions;
use super::answers::Answers;
use super::emit::{Static, has_own_error_function, library_error_function, renames_main, statics};
use super::memory::Heap;
use crate::replay::Replay;
use crate::shell::shell_word;
use plumb_exec::Site;
use plumb_ir::check::CheckKind;
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind};
use plumb_ir::program::{AssumptionKind, Edge, Op, Program};

/// The command, and what it cannot do.
pub(super) fn command(
    program: &Program,
    replayed: &Replay,
    answers: &Answers,
    heap: Heap,
    options: &HarnessOptions,
) -> (String, Vec<String>) {
    let check = replayed.check;
    let mut flags: Vec<String> = vec!["gcc".into()];
    let mut notes = Vec::new();
    flags.extend(program.target.cc_flags.iter().map(|f| f.to_string()));
    if program.target.cc_flags.is_empty() {
        notes.push(format!(
            "there is no host compiler for the machine `{}`: build with the compiler of your target",
            program.target.name
        ));
    }
    if !program.target.char_signed {
        flags.push("-funsigned-char".into());
    }
    if program.target.short_enums {
        flags.push("-fshort-enums".into());
    }
    flags.extend(["-w", "-g", "-O0", "-fno-strict-aliasing"].map(String::from));
    let kind = program.check(check).kind;
    let (watch, note) = if heap == Heap::Cleaned { (&[][..], None) } else { watching(kind) };
    // Where overflow wraps, gcc takes shifts of negative numbers for defined.
    if !matches!(kind, CheckKind::SignedOverflow | CheckKind::Shift) {
        flags.push("-fwrapv".into());
    }
    flags.extend(watch.iter().map(|f| f.to_string()));
    notes.extend(note.map(String::from));
    if kind == CheckKind::SignedOverflow && is_narrowed(program, replayed.site) {
        notes.push(
            "gcc computes arithmetic in the narrower type that its result is converted to, where nothing overflows"
                .into(),
        );
    }
    if program.assumptions.iter().any(|assumption| assumption.kind == AssumptionKind::OwnLibrary) {
        flags.push("-fno-builtin".into());
    }
    if let Some(name) = library_error_function(program, check) {
        flags.push(format!("-fno-builtin-{name}"));
    }
    if !answers.locals.is_empty() {
        flags.push(format!("-ftrivial-auto-var-init={}", answers.fill().unwrap_or("zero")));
    }
    if has_own_error_function(program, check).is_some() {
        flags.push("-finstrument-functions".into());
    }
    if has_old_inline(program) {
        flags.push("-fgnu89-inline".into());
    }
    if heap != Heap::Untouched {
        let wrapped: String = heap.wrapped().iter().map(|name| format!(",--wrap={name}")).collect();
        flags.push(format!("-Wl{wrapped}"));
    }
    if renames_main(program, answers) {
        flags.push("-Dmain=plumb_program_main".into());
    }
    if program.sources.units().iter().any(|u| u.text.contains("__CPROVER_bool")) {
        flags.push("-D__CPROVER_bool=_Bool".into());
    }
    flags.extend(options.flags.iter().map(|f| shell_word(f)));
    let (named, foreign): (Vec<Static>, Vec<Static>) =
        statics(program, check).into_iter().partition(|function| options.files.contains(&function.file));
    notes.extend(
        foreign.iter().map(|function| format!("the harness cannot name the static function `{}`", function.name)),
    );
    let (first, files) = globalised(&flags, &named, options);
    flags.extend(files.iter().map(|f| shell_word(f)));
    flags.push(shell_word(&options.name));
    flags.push("-lm".into());
    (first + &flags.join(" "), notes)
}

/// Commands that make objects of the files with such static functions, in which others can name them, and the files that are
/// left to build. An entry function may be called by nobody else, so the compiler is told to keep it.
fn globalised(flags: &[String], named: &[Static], options: &HarnessOptions) -> (String, Vec<String>) {
    let mut commands = String::new();
    let mut files = options.files.clone();
    for (i, file) in files.iter_mut().enumerate() {
        let here: Vec<&Static> = named.iter().filter(|function| function.file == *file).collect();
        if here.is_empty() {
            continue;
        }
        let number = if i == 0 { String::new() } else { i.to_string() };
        let object = format!("{}.entry{number}.o", options.name);
        let symbols: String = here.iter().map(|function| format!(" --globalize-symbol={}", function.name)).collect();
        commands += &format!(
            "{} -fkeep-static-functions -fkeep-inline-functions -c {} -o {object} && objcopy{symbols} {object} && ",
            flags.join(" "),
            shell_word(file),
            object = shell_word(&object)
        );
        *file = object;
    }
    (commands, files)
}

/// What makes the compiled program end where the check fails.
fn watching(kind: CheckKind) -> (&'static [&'static str], Option<&'static str>) {
    const STOP: &str = "-fno-sanitize-recover=all";
    match kind {
        CheckKind::Assertion | CheckKind::ErrorCall | CheckKind::Invariant | CheckKind::Unsupported => (&[], None),
        CheckKind::Request | CheckKind::Response => {
            (&[], Some("the compiled program goes on for ever: it ends where the inputs of the loop do"))
        }
        CheckKind::ErrorLabel => (&[], Some("the compiled program goes on after the error label")),
        CheckKind::Bounds => (&["-fsanitize=address,bounds", STOP], None),
        CheckKind::Pointer => (&["-fsanitize=address,null", STOP], None),
        CheckKind::Free | CheckKind::Leak => (&["-fsanitize=address", STOP], None),
        CheckKind::SignedOverflow => (&["-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift", STOP], None),
        CheckKind::DivisionByZero => (&["-fsanitize=integer-divide-by-zero,float-divide-by-zero", STOP], None),
        CheckKind::Shift => (&["-fsanitize=shift", STOP], None),
        CheckKind::UnsignedOverflow => {
            (&[], Some("gcc does not watch unsigned overflow: the compiled program goes on after it"))
        }
        CheckKind::Conversion => {
            (&["-fsanitize=float-cast-overflow", STOP], Some("gcc watches conversions from floats only"))
        }
        CheckKind::FloatNan => (&[], Some("gcc does not watch for NaN: the compiled program goes on after it")),
    }
}

/// Whether the result of arithmetic is converted to a narrower type where an edge leads.
fn is_narrowed(program: &Program, site: Site) -> bool {
    let function = program.function(site.func);
    let is_narrowed = |id: ExprId| match function.exprs.kind(id) {
        ExprKind::Cast(CastOp::Int { .. }, of) => {
            let bits = |id: ExprId| function.exprs.ty(id).bits(&program.target);
            bits(id) < bits(of)
                && matches!(function.exprs.kind(of), ExprKind::Binary(BinOp::Mul | BinOp::Add | BinOp::Sub, ..))
        }
        _ => false,
    };
    let mut loc = function.edge(site.edge).to;
    // Other checks of the statement come before it.
    loop {
        let mut edges = function.out_edges(loc).map(|edge| function.edge(edge));
        match edges.next() {
            Some(edge) if matches!(edge.op, Op::Check { .. }) && edge.to != loc => loc = edge.to,
            Some(Edge { op: Op::Assign { value, .. }, .. }) => {
                let (mut open, mut seen) = (vec![*value], vec![*value]);
                while let Some(id) = open.pop() {
                    if is_narrowed(id) {
                        return true;
                    }
                    for part in function.exprs.kind(id).operands() {
                        if !seen.contains(&part) {
                            seen.push(part);
                            open.push(part);
                        }
                    }
                }
                return false;
            }
            Some(_) | None => return false,
        }
    }
}

/// Whether `inline` is meant as before C99, where it defines the function for other files as well: without that, unoptimised
/// calls of inline functions find no definition. Files that write `extern inline` before a body mean the newer one.
fn has_old_inline(program: &Program) -> bool {
    let texts = || program.sources.units().iter().filter(|u| !u.name.starts_with('<')).map(|u| &u.text);
    let has_inline = texts().any(|t| t.contains("inline"));
    let newer = |t: &str| {
        let words = ["extern inline ", "extern __inline ", "extern __inline__ "];
        words
            .iter()
            .any(|w| t.match_indices(w).any(|(at, _)| !t[at..].lines().next().unwrap_or("").contains("__gnu_inline__")))
    };
    has_inline && !texts().any(|t| newer(t))
}
