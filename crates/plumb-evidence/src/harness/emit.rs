//! The harness as C text.

use super::answers::{Answer, Answers, Source};
use super::stacks::stacks_runtime;
use super::types::Shape;
use super::unseen::HEAP_RED_ZONE;
use super::{STRAYED, VIOLATED};
use super::{devices, entry, foreign, memory};
use crate::replay::Replay;
use plumb_exec::{InputValue, RegionFill};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::{Callee, Intrinsic, Op, Program};
use plumb_ir::ty::{Bits, FloatFormat};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

pub(super) fn emit(program: &Program, answers: &Answers, replayed: &Replay, heap: memory::Heap) -> String {
    let check = replayed.check;
    let mut out = String::new();
    let info = program.check(check);
    let span = program.function(replayed.reported_at.func).edge(replayed.reported_at.edge).span;
    let place = program.sources.place(span).map_or(String::new(), |p| format!(" at {}:{}", p.file, p.line));
    let what = format!("{}: {}{place}", info.kind.name(), info.message);
    let what = what.replace("*/", "* /");
    let _ = write!(
        out,
        "/* Made by Plumb: feeds a program the inputs that break a property.\n *\n * {}\n */\n\n",
        what.replace('\n', " ")
    );
    if uses_stacks(program) {
        out += &stacks_runtime();
    }
    if devices::has_devices(program) {
        out += devices::HEADERS;
    }
    out += "#undef main\n\n";
    out += "typedef __SIZE_TYPE__ plumb_size;\n";
    out += "#define PLUMB_QUIET __attribute__((no_instrument_function))\n";
    out += "#define PLUMB_WEAK __attribute__((weak, no_instrument_function))\n";
    out += "extern int dprintf(int, const char *, ...);\nextern void _exit(int) __attribute__((noreturn));\n\n";
    let _ = write!(
        out,
        "static void PLUMB_QUIET plumb_violated(void)\n{{\n    dprintf(2, \"plumb: property violated: %s\\n\", {});\n    \
         _exit({VIOLATED});\n}}\n\n",
        string(&what)
    );
    let _ = write!(
        out,
        "static void PLUMB_QUIET plumb_strayed(const char *why)\n{{\n    dprintf(2, \"plumb: the program has left the \
         recorded run: %s\\n\", why);\n    _exit({STRAYED});\n}}\n\n"
    );
    out += "static void PLUMB_QUIET plumb_copy(void *to, const void *from, plumb_size size)\n{\n    \
            for (plumb_size i = 0; i < size; i++)\n        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];\n}\n\n";
    // Sanitizers end the program as the harness does. Objects of calls that have returned are looked for on request only;
    // a search for leaks would find pointers in them.
    let asan = match info.kind {
        CheckKind::Leak => String::new(),
        _ => format!(":detect_stack_use_after_return=1:redzone={HEAP_RED_ZONE}"),
    };
    for (sanitizer, more) in [("asan", &*asan), ("lsan", ""), ("ubsan", "")] {
        let _ = writeln!(
            out,
            "const char *PLUMB_WEAK __{sanitizer}_default_options(void) {{ return \"exitcode={VIOLATED}{more}\"; }}"
        );
    }
    out.push('\n');
    let called = called_error_function(program, check);
    let is_defined = |name: &Arc<str>| !answers.absent.contains(name) && called.as_deref() != Some(&**name);
    let defined = answers.functions.iter().filter(|(name, _)| is_defined(name));
    for (i, (name, source)) in defined.enumerate() {
        function(&mut out, program, i, name, source);
    }
    memory::emit(&mut out, program, answers, heap);
    devices::emit(&mut out, program, answers);
    foreign::emit(&mut out, program, answers);
    properties(&mut out, program, check);
    arguments(&mut out, program, answers);
    out
}

/// Whether the program calls functions of `plumb/stack.h`.
fn uses_stacks(program: &Program) -> bool {
    program.functions.iter().any(|function| function.edges.iter().any(|edge| edge.op.stack_intrinsic().is_some()))
}

/// A function that returns the recorded values, one call after the other.
fn function(out: &mut String, program: &Program, number: usize, name: &str, source: &Source) {
    if !is_identifier(name) {
        return;
    }
    if is_special(name) {
        return;
    }
    if source.fills {
        return filling(out, number, name, source);
    }
    let shape = Shape::of(program, source.cty, source.ty);
    let list = format!("plumb_list_{number}");
    let (type_name, declared) = match &shape {
        Shape::Void => {
            let body = if ends_program(program, name) { "__builtin_abort();" } else { "" };
            let _ = write!(out, "void PLUMB_WEAK {name}() {{ {body} }}\n\n");
            return;
        }
        Shape::Int { name, .. } | Shape::Float { name, .. } => (name.to_string(), String::new()),
        Shape::Pointer => ("void *".to_string(), String::new()),
        Shape::Record { align, members, .. } => {
            let tag = format!("struct plumb_record_{number}");
            let text = format!("{tag} {{ {} }} __attribute__((aligned({align})));\n", members.join(" "));
            (tag, text)
        }
    };
    out.push_str(&declared);
    let runs = runs(&source.answers);
    if runs.is_empty() {
        let _ = write!(
            out,
            "{type_name} PLUMB_WEAK {name}()\n{{\n    plumb_strayed({});\n    {type_name} value;\n    return value;\n}}\n\n",
            string(&format!("{name} is called"))
        );
        return;
    }
    // Values that have no literal are kept as bytes.
    let literals: Option<Vec<String>> = runs.iter().map(|(answer, _)| literal(answer, &shape)).collect();
    let size = match &shape {
        Shape::Record { size, .. } => *size as usize,
        Shape::Float { format, .. } => match format {
            FloatFormat::F32 => 4,
            FloatFormat::F64 => 8,
            FloatFormat::X87 => 10,
        },
        Shape::Int { bits, .. } => *bits as usize / 8,
        Shape::Pointer => program.target.pointer_bytes as usize,
        Shape::Void => 0,
    };
    let member = if literals.is_some() { format!("{type_name} value") } else { format!("unsigned char value[{size}]") };
    let _ = writeln!(out, "static const struct {{ {member}; unsigned long times; }} {list}[] = {{");
    for (i, (answer, times)) in runs.iter().enumerate() {
        let text = match &literals {
            Some(literals) => literals[i].clone(),
            None => bytes(answer, size),
        };
        let _ = writeln!(out, "    {{ {text}, {times} }},");
    }
    let _ = write!(
        out,
        "}};\n\n{type_name} PLUMB_WEAK {name}()\n{{\n    static unsigned long at, given;\n    {type_name} value;\n    \
         if (given == {list}[at].times) {{\n        at++;\n        given = 0;\n    }}\n    if (at == {})\n        \
         plumb_strayed({});\n    given++;\n",
        runs.len(),
        string(&format!("no value left for {name}"))
    );
    match literals {
        Some(_) => {
            let _ = write!(out, "    value = {list}[at].value;\n    return value;\n}}\n\n");
        }
        None => {
            let _ = write!(out, "    plumb_copy(&value, {list}[at].value, {size});\n    return value;\n}}\n\n");
        }
    }
}

/// A function that fills the memory it is given.
fn filling(out: &mut String, number: usize, name: &str, source: &Source) {
    let mut cases = String::new();
    for (i, answer) in source.answers.iter().enumerate() {
        let Answer::Bytes(content) = answer else { continue };
        let _ = writeln!(
            out,
            "static const unsigned char plumb_fill_{number}_{i}[{}] = {};",
            content.len().max(1),
            bytes(answer, content.len().max(1))
        );
        let _ = writeln!(
            cases,
            "    case {i}: plumb_copy(to, plumb_fill_{number}_{i}, size < {0} ? size : {0}); break;",
            content.len()
        );
    }
    let _ = write!(
        out,
        "void PLUMB_WEAK {name}(void *to, plumb_size size)\n{{\n    static unsigned long at;\n    for (plumb_size i = 0; i < \
         size; i++)\n        ((unsigned char *)to)[i] = 0;\n    switch (at++) {{\n{cases}    default: \
         plumb_strayed({});\n    }}\n}}\n\n",
        string(&format!("no value left for {name}"))
    );
}

/// Equal answers one after the other, counted.
fn runs(answers: &[Answer]) -> Vec<(&Answer, u64)> {
    let mut runs: Vec<(&Answer, u64)> = Vec::new();
    for answer in answers {
        match runs.last_mut() {
            Some((last, times)) if *last == answer => *times += 1,
            _ => runs.push((answer, 1)),
        }
    }
    runs
}

/// The value as a C expression, if it has one that means exactly it.
pub(super) fn literal(answer: &Answer, shape: &Shape) -> Option<String> {
    let Answer::Scalar(bits) = answer else { return None };
    match shape {
        Shape::Int { name: "_Bool", .. } => Some((bits.u128() & 1).to_string()),
        Shape::Int { signed, bits: width @ ..=64, .. } => Some(integer(*bits, *width, *signed)),
        Shape::Int { .. } | Shape::Record { .. } | Shape::Void => None,
        Shape::Pointer => Some(format!("(void *){:#x}", bits.u64())),
        Shape::Float { format: FloatFormat::F64, .. } => {
            let value = f64::from_bits(bits.u64());
            value.is_finite().then(|| format!("{value:e}"))
        }
        Shape::Float { format: FloatFormat::F32, .. } => {
            let value = f32::from_bits(bits.u64() as u32);
            value.is_finite().then(|| format!("{value:e}f"))
        }
        Shape::Float { format: FloatFormat::X87, .. } => None,
    }
}

fn integer(bits: Bits, width: u32, signed: bool) -> String {
    if !signed {
        let value = Bits::new(bits.u128(), width).u64();
        return if width > 32 { format!("{value}ull") } else { format!("{value}u") };
    }
    let value = bits.signed(width);
    match width {
        ..=32 if value > i32::MIN as i128 => value.to_string(),
        _ if value == i64::MIN as i128 => "(-9223372036854775807ll - 1)".to_string(),
        _ => format!("{value}ll"),
    }
}

pub(super) fn bytes(answer: &Answer, size: usize) -> String {
    let mut content = match answer {
        Answer::Bytes(bytes) => bytes.clone(),
        Answer::Scalar(bits) => bits.u128().to_le_bytes().to_vec(),
    };
    content.resize(size, 0);
    initialiser(&content)
}

pub(super) fn initialiser(content: &[u8]) -> String {
    let used = content.iter().rposition(|b| *b != 0).map_or(1, |last| last + 1).min(content.len().max(1));
    let list: Vec<String> = content.iter().take(used).map(|b| b.to_string()).collect();
    format!("{{ {} }}", if list.is_empty() { "0".to_string() } else { list.join(", ") })
}

/// Functions that mean something to verifiers and that lowering knows by name.
const ASSUMING: [&str; 2] = ["__VERIFIER_assume", "__CPROVER_assume"];
const ASSERTING: [&str; 5] =
    ["__VERIFIER_assert", "__CPROVER_assert", "assert", "__CPROVER_precondition", "__CPROVER_postcondition"];
const NOTHING: [&str; 9] = [
    "__CPROVER_havoc_object",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__CPROVER_atomic_begin",
    "__CPROVER_atomic_end",
    "__CPROVER_cover",
    "__CPROVER_input",
    "__CPROVER_output",
    "__CPROVER_printf",
];
/// Questions that only a verifier answers: taken to hold, and noted.
const QUESTIONS: [&str; 6] = [
    "__CPROVER_r_ok",
    "__CPROVER_w_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_same_object",
    "__CPROVER_POINTER_OFFSET",
    "__CPROVER_OBJECT_SIZE",
];
/// Words of CBMC's C that compilers do not know, and a function of which they do not know what it returns.
const WORDS: [&str; 4] = ["__CPROVER_forall", "__CPROVER_exists", "==>", "__CPROVER_allocate"];
const ERRORS: [&str; 2] = ["__VERIFIER_error", "reach_error"];

fn is_special(name: &str) -> bool {
    [&ASSUMING[..], &ASSERTING, &NOTHING, &ERRORS].concat().contains(&name)
}

/// What the program uses that a compiled program cannot do.
pub(super) fn primitives_of_others(program: &Program) -> Vec<String> {
    let asked = QUESTIONS.iter().filter(|name| program.mentioned.contains(**name));
    let asked = asked.map(|name| format!("a compiled program cannot answer `{name}`: the harness takes it to hold"));
    let is_used = |word: &&&str| {
        let own = program.sources.units().iter().filter(|unit| &*unit.name != "<library>");
        own.into_iter().any(|unit| unit.text.contains(**word))
    };
    let words = WORDS.iter().filter(is_used).map(|word| format!("compilers do not know `{word}`"));
    asked.chain(words).collect()
}

fn properties(out: &mut String, program: &Program, check: CheckId) {
    for name in ASSUMING {
        let (ty, why) = (claimed_type(program, name), string("an assumption does not hold"));
        let _ = writeln!(out, "void PLUMB_WEAK {name}({ty} holds) {{ if (!holds) plumb_strayed({why}); }}");
    }
    for name in ASSERTING {
        let ty = claimed_type(program, name);
        let _ = writeln!(out, "void PLUMB_WEAK {name}({ty} holds) {{ if (!holds) plumb_violated(); }}");
    }
    for name in NOTHING {
        let _ = writeln!(out, "void PLUMB_WEAK {name}() {{}}");
    }
    for name in QUESTIONS.into_iter().filter(|name| program.mentioned.contains(*name)) {
        let _ = writeln!(out, "int PLUMB_WEAK {name}() {{ return 1; }}");
    }
    let info = program.check(check);
    let called = called_error_function(program, check);
    let is_free = |name: &&str| !ERRORS.contains(name) && !OWN_CALLS.contains(name) && is_identifier(name);
    let extra = called.as_deref().filter(is_free);
    for name in ERRORS.into_iter().chain(extra) {
        let _ = writeln!(out, "void PLUMB_WEAK {name}() {{ plumb_violated(); }}");
    }
    if info.kind == CheckKind::Assertion {
        for name in ["__assert_fail", "__assert", "__assert_func", "_assert", "__assert_rtn"] {
            let _ = writeln!(out, "void PLUMB_WEAK {name}() {{ plumb_violated(); }}");
        }
    }
    if let Some(name) = has_own_error_function(program, check) {
        let _ = write!(
            out,
            "\n/* The program defines {name} itself: its call is seen at the entry. */\n#pragma weak {name}\nextern void \
             {name}();\n\nvoid PLUMB_QUIET __cyg_profile_func_enter(void *function, void *caller)\n{{\n    if ((void \
             *){name} && function == (void *){name})\n        plumb_violated();\n}}\n\nvoid PLUMB_QUIET \
             __cyg_profile_func_exit(void *function, void *caller) {{}}\n"
        );
    }
    out.push('\n');
}

/// The C types in which a function that claims its argument is given it, as the harness spells them.
fn claimed_types(program: &Program, name: &str) -> BTreeSet<&'static str> {
    let types = program.claims.get(name).into_iter().flatten();
    let spelled = types.map(|cty| match Shape::of(program, Some(*cty), None) {
        Shape::Int { name, .. } | Shape::Float { name, .. } => name,
        Shape::Pointer => "void *",
        Shape::Void | Shape::Record { .. } => "int",
    });
    spelled.collect()
}

fn claimed_type(program: &Program, name: &str) -> &'static str {
    let types = claimed_types(program, name);
    // Registers of 64 bits hold narrower integers with zeros in front.
    if types.len() > 1 && are_registers(program, &types) {
        return "unsigned long";
    }
    types.first().copied().unwrap_or("int")
}

/// Whether all values of these types are passed in registers for integers.
fn are_registers(program: &Program, types: &BTreeSet<&'static str>) -> bool {
    let others = ["float", "double", "long double"];
    program.target.pointer_bytes == 8 && !types.iter().any(|ty| others.contains(ty) || ty.contains("128"))
}

/// The functions that are given arguments of several types: without a prototype none of them is right for all calls.
pub(super) fn claims_of_many_types(program: &Program) -> Vec<String> {
    let is_unclear = |name: &&str| {
        let types = claimed_types(program, name);
        types.len() > 1 && !are_registers(program, &types)
    };
    let names = ASSUMING.into_iter().chain(ASSERTING).filter(is_unclear);
    names.map(|name| format!("the harness cannot define `{name}` for arguments of different types")).collect()
}

/// Functions that the harness itself calls.
const OWN_CALLS: [&str; 5] = ["dprintf", "_exit", "mmap", "mprotect", "sigaction"];

/// Why a call of the error function does not end the compiled program.
pub(super) fn cannot_see_error(program: &Program, check: CheckId) -> Option<String> {
    let name = called_error_function(program, check)?;
    let own = program.functions.iter().filter(|f| *f.name == *name && f.has_body && !f.is_library).count();
    let is_seen = own <= 1 && (own == 1 || (is_identifier(&name) && !OWN_CALLS.contains(&&*name)));
    (!is_seen).then(|| format!("the harness cannot see all calls of `{name}`"))
}

/// The error function, if it is one of the library: compilers must not know it.
pub(super) fn library_error_function(program: &Program, check: CheckId) -> Option<String> {
    let name = called_error_function(program, check)?;
    let function = program.function(program.find_function(&name)?);
    function.is_library.then_some(name)
}

/// The function whose call breaks the property.
fn called_error_function(program: &Program, check: CheckId) -> Option<String> {
    let info = program.check(check);
    info.subject.as_deref().filter(|_| info.kind == CheckKind::ErrorCall).map(str::to_string)
}

/// The error function, if the program itself defines it.
pub(super) fn has_own_error_function(program: &Program, check: CheckId) -> Option<String> {
    let name = called_error_function(program, check)?;
    let function = program.function(program.find_function(&name)?);
    (function.has_body && !function.is_library).then_some(name)
}

/// The function that the start function calls.
pub(super) fn entry_name(program: &Program) -> Option<String> {
    program.entry.map(|id| program.function(id).name.to_string())
}

/// The harness has a `main` of its own.
pub(super) fn renames_main(program: &Program, answers: &Answers) -> bool {
    !answers.arguments.is_empty() || entry_name(program).is_some_and(|name| name != "main")
}

fn arguments(out: &mut String, program: &Program, answers: &Answers) {
    let Some(entry) = entry_name(program).filter(|_| renames_main(program, answers)) else { return };
    if entry != "main" {
        return entry::call(out, program, &entry, answers);
    }
    let mut scalars = answers.arguments.iter().filter_map(|(_, value)| match value {
        InputValue::Scalar(bits) => Some(bits.signed(program.target.int_bytes as u32 * 8)),
        InputValue::Region(_) => None,
    });
    let count = scalars.next().unwrap_or(0).saturating_add(1);
    let texts: Vec<Vec<u8>> = answers
        .arguments
        .iter()
        .filter_map(|(_, value)| match value {
            InputValue::Scalar(_) => None,
            InputValue::Region(RegionFill::Bytes(bytes)) => Some(bytes.clone()),
            InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_)) => Some(Vec::new()),
        })
        .collect();
    let mut arguments = Vec::new();
    for (i, text) in texts.iter().take(count.clamp(0, 16) as usize).enumerate() {
        // What lies behind the end of the text is there to be read too.
        let _ = writeln!(out, "static char plumb_argument_{i}[16] = {};", initialiser(text));
        arguments.push(format!("plumb_argument_{i}"));
    }
    arguments.push("0".to_string());
    let _ = write!(
        out,
        "\nextern int plumb_program_main();\n\nint PLUMB_QUIET main(void)\n{{\n    static char *arguments[] = {{ {} }};\n    \
         return plumb_program_main({count}, arguments);\n}}\n",
        arguments.join(", ")
    );
}

/// A function that only its own file can call by its name.
pub(super) struct Static {
    pub name: String,
    pub file: String,
}

/// The functions that the harness names although only their own files can: the entry, and the error function.
pub(super) fn statics(program: &Program, check: CheckId) -> Vec<Static> {
    let error = has_own_error_function(program, check).and_then(|name| program.find_function(&name));
    let mut named: Vec<_> = program.entry.into_iter().chain(error).collect();
    named.dedup();
    let functions = named.into_iter().map(|id| program.function(id)).filter(|function| function.is_static);
    let found = functions.filter_map(|function| {
        let unit = program.sources.unit_of(function.span.start)?;
        Some(Static { name: function.name.to_string(), file: unit.name.to_string() })
    });
    found.collect()
}

/// The function is known not to return.
fn ends_program(program: &Program, name: &str) -> bool {
    let Some(id) = program.find_function(name) else { return false };
    let aborts = |op: &Op| matches!(op, Op::Call { callee: Callee::Intrinsic(Intrinsic::Abort), .. });
    program.function(id).edges.iter().any(|edge| aborts(&edge.op))
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        && !name.starts_with("__builtin_")
}

fn string(text: &str) -> String {
    string_of_bytes(text.as_bytes())
}

fn string_of_bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(b as char);
            }
            b' '..=b'~' if b != b'?' => out.push(b as char),
            // Three octal digits end the escape whatever follows.
            _ => {
                let _ = write!(out, "\\{b:03o}");
            }
        }
    }
    out.push('"');
    out
}
