//! Memory from outside in the compiled program (`plumb-ir`'s `lower/foreign.rs`): mapped at the addresses that it has for Plumb, before
//! the program starts, and filled as recorded.

use super::answers::Answers;
use crate::replay::compile;
use plumb_exec::CompileOptions;
use plumb_ir::program::{Program, foreign_addresses};
use std::fmt::Write;

/// What a harness cannot do: static objects of the compiled program lie elsewhere than those of the recorded run, whose addresses memory from
/// outside may hold.
pub(super) fn cannot_set(program: &Program, answers: &Answers) -> Option<String> {
    let bytes = answers.foreign.as_ref()?;
    let image = compile(program, &CompileOptions::default()).ok()?;
    let is_address = |at: u64| {
        let word = (0..8).rev().fold(0u64, |word, i| word << 8 | u64::from(*bytes.get(&(at + i)).unwrap_or(&0)));
        image.addresses().find_static(word).is_some() || image.addresses().function_at(word).is_some()
    };
    let mut words = bytes.keys().map(|at| at / 8 * 8);
    let what = "the harness cannot set addresses of the program's objects in memory from outside";
    words.any(is_address).then(|| what.to_string())
}

/// Bytes of a run in the table.
const LONGEST: usize = 64;

pub(super) fn emit(out: &mut String, program: &Program, answers: &Answers) {
    let Some(bytes) = &answers.foreign else { return };
    *out += "extern void *mmap(void *, plumb_size, int, int, int, long);\n\n";
    *out += "static const struct { plumb_size at, count; unsigned char bytes[64]; } plumb_foreign_bytes[] = {\n";
    let mut run: Vec<u8> = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes {
        if !run.is_empty() && (*at != start + run.len() as u64 || run.len() == LONGEST) {
            line(out, start, &run);
            run.clear();
        }
        if run.is_empty() {
            start = *at;
        }
        run.push(*byte);
    }
    line(out, start, &run);
    let addresses = foreign_addresses(&program.target);
    let (base, size) = (addresses.start, addresses.end - addresses.start);
    // PROT_READ | PROT_WRITE; MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE.
    let _ = write!(
        out,
        "}};\n\n__attribute__((constructor(1))) static void PLUMB_QUIET plumb_map_foreign(void)\n{{\n    \
         unsigned char *base = (unsigned char *){base:#x}UL;\n    \
         if (mmap(base, {size:#x}UL, 3, 0x104022, -1, 0) != base)\n        \
         plumb_strayed(\"there is no room for memory from outside\");\n    \
         for (plumb_size i = 0; i < sizeof plumb_foreign_bytes / sizeof *plumb_foreign_bytes; i++)\n        \
         plumb_copy(base + plumb_foreign_bytes[i].at, plumb_foreign_bytes[i].bytes, plumb_foreign_bytes[i].count);\n}}\n\n"
    );
}

fn line(out: &mut String, at: u64, bytes: &[u8]) {
    let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let list = if list.is_empty() { "0".to_string() } else { list.join(", ") };
    let _ = writeln!(out, "    {{ {at:#x}UL, {}, {{ {list} }} }},", bytes.len());
}
