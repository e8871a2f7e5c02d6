//! Inline assembly of other machines than the one that builds the harness.

use plumb_ir::program::{AssumptionKind, Program};

/// Instructions of x86 that programs for it put between their own lines, without the letter for the size.
const OF_X86: [&str; 60] = [
    "adc", "add", "and", "bsf", "bsr", "bswap", "bt", "btc", "btr", "bts", "call", "clac", "cld", "cli", "cmp",
    "cmpxchg", "cpuid", "dec", "div", "fldcw", "fnstcw", "hlt", "idiv", "imul", "in", "inc", "int", "int3", "jmp",
    "ldmxcsr", "lea", "lfence", "lock", "mfence", "mov", "mul", "neg", "nop", "not", "or", "out", "pause", "pop",
    "pushf", "popf", "push", "rdtsc", "rdtscp", "rep", "ret", "rol", "ror", "sar", "sbb", "sfence", "shl", "shr",
    "stac", "sti", "sub",
];
const MORE_OF_X86: [&str; 4] = ["test", "ud2", "xadd", "xchg"];

/// What the program has between its lines that may not be of x86.
pub(super) fn of_other_machines(program: &Program) -> Vec<String> {
    let is_assembly = |kind| matches!(kind, AssumptionKind::Assembly | AssumptionKind::Barrier);
    let texts = program.assumptions.iter().filter(|assumption| is_assembly(assumption.kind));
    let other = texts.filter_map(|assumption| {
        let statements = assumption.name.split(['\n', ';']).map(str::trim).filter(|statement| !statement.is_empty());
        let unknown = statements.into_iter().find(|statement| !is_of_x86(statement))?;
        let place = program.sources.place(assumption.span)?;
        let place = format!("{}:{}", place.file, place.line);
        Some(format!("the harness cannot be built unless compilers for x86 know `{unknown}`, the assembly at {place}"))
    });
    other.collect()
}

fn is_of_x86(statement: &str) -> bool {
    let word = statement.split_whitespace().next().unwrap_or("");
    let is_known = |word: &str| OF_X86.contains(&word) || MORE_OF_X86.contains(&word);
    let sized = word.strip_suffix(['b', 'w', 'l', 'q']);
    // Labels, directives and comments.
    word.ends_with(':') || word.starts_with(['.', '#', '/']) || is_known(word) || sized.is_some_and(is_known)
}
