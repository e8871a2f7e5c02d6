//! A C program of any length that reads like firmware: registers and records, tables, drivers with state machines,
//! arithmetic, string handling and calls across modules. It is preprocessed text, as the bench wants it.

use crate::oracle::Random;
use std::fmt::Write;

/// A program of at least that many lines.
pub fn program(lines: usize) -> String {
    let mut random = Random::new(42);
    let mut text = String::with_capacity(lines * 40);
    text += "# 1 \"synthetic.c\"\ntypedef unsigned char u8;\ntypedef unsigned short u16;\ntypedef unsigned int u32;\n";
    text += "typedef signed long long s64;\nextern int printf(const char *, ...);\nextern int external_input(int);\n";
    let mut written = text.lines().count();
    let mut module = 0;
    while written < lines {
        let start = text.len();
        write_module(&mut text, &mut random, module);
        written += text[start..].lines().count();
        module += 1;
    }
    text += "int main(void)\n{\n  u32 sum = 0;\n";
    for index in 0..module {
        let _ = writeln!(text, "  sum += module{index}_run(sum & 15);");
    }
    text += "  printf(\"%u\\n\", sum);\n  return 0;\n}\n";
    text
}

fn write_module(text: &mut String, random: &mut Random, index: usize) {
    let m = format!("module{index}");
    let mut line = |content: String| {
        text.push_str(&content);
        text.push('\n');
    };
    line(format!("# {} \"{m}.c\"", index + 1));
    line(format!("enum {m}_state {{ {m}_IDLE, {m}_BUSY = {}, {m}_DONE, {m}_FAILED = -1 }};", random.between(1, 9)));
    line(format!("struct {m}_device {{"));
    line("  volatile u32 control;".into());
    line(format!("  u32 mode : {}, level : {};", random.between(1, 8), random.between(2, 16)));
    line(format!("  enum {m}_state state;"));
    line("  union { u16 word[2]; u32 whole; float ratio; } data;".into());
    line(format!("  u8 buffer[{}];", random.between(16, 64)));
    line(format!("  struct {m}_device *next;"));
    line("  int (*notify)(struct".to_string() + &format!(" {m}_device *, int);"));
    line("};".into());
    line(format!("static struct {m}_device {m}_devices[4];"));
    line(format!("static const int {m}_table[] = {{"));
    for _ in 0..random.between(6, 20) {
        let row: Vec<String> = (0..8).map(|_| random.between(-1000, 1000).to_string()).collect();
        line(format!("  {},", row.join(", ")));
    }
    line("};".into());
    let functions = random.between(8, 16);
    for function in 0..functions {
        write_function(&mut line, random, &m, function);
    }
    line(format!("u32 {m}_run(int n)"));
    line("{".into());
    line("  u32 sum = 0;".into());
    line("  for (int i = 0; i < n; i++) {".into());
    line(format!("    struct {m}_device *d = &{m}_devices[i & 3];"));
    for function in 0..functions {
        line(format!("    sum ^= (u32){m}_f{function}(d, i, (u16)sum);"));
    }
    line("  }".into());
    line("  return sum;".into());
    line("}".into());
}

fn write_function(line: &mut impl FnMut(String), random: &mut Random, m: &str, function: i64) {
    line(format!("static int {m}_f{function}(struct {m}_device *d, int a, u16 b)"));
    line("{".into());
    line("  int i, result = a;".into());
    line("  u32 mask = 0xffu << (b & 7);".into());
    line("  s64 wide = (s64)a * b;".into());
    line("  float scale = a / 3.0f;".into());
    for _ in 0..random.between(4, 12) {
        let k = random.between(1, 200);
        match random.below(9) {
            0 => {
                line(format!("  for (i = 0; i < {k} && d->buffer[i & 15] != 0; i++)"));
                line(format!("    result += {m}_table[(i * {k} + a) & 31] ^ (d->buffer[i & 15] << 2);"));
            }
            1 => {
                line(format!("  if (d->level > {k}u || (a & {k}) == 0) {{"));
                line("    d->mode++;".into());
                line(format!("    d->data.word[a & 1] |= (u16)(mask >> {});", k % 8));
                line("  } else if (d->next && d->next->notify) {".into());
                line(format!("    result = d->next->notify(d->next, result - {k});"));
                line("  }".into());
            }
            2 => {
                line("  switch (d->state) {".into());
                line(format!("  case {m}_IDLE:"));
                line(format!("    d->state = a > {k} ? {m}_BUSY : {m}_IDLE;"));
                line("    break;".into());
                line(format!("  case {m}_BUSY:"));
                line(format!("    if (--d->buffer[{}] == 0)", k % 16));
                line(format!("      d->state = {m}_DONE;"));
                line("    break;".into());
                line(format!("  case {m}_DONE: case {m}_FAILED:"));
                line("  default:".into());
                line("    result = -1;".into());
                line("  }".into());
            }
            3 => line(format!("  wide = (wide << {}) / (b | 1) + (s64)mask * {k};", k % 20)),
            4 => line(format!("  scale = scale * {k}.5f + (float)d->data.ratio - (result ? 1.0 : 0.25);")),
            5 => {
                line("  while (mask) {".into());
                line("    result += (int)(mask & 1u);".into());
                line("    mask >>= 1;".into());
                line("  }".into());
            }
            6 => line(format!("  d->buffer[(u8)(a + {k}) % sizeof d->buffer] = (u8)(result >> 8 & 0x7f);")),
            7 => {
                line(format!("  do {{ result ^= external_input({k}); }} while (result < 0 && ++a < {k});"));
            }
            _ => line(format!("  d->control = (d->control & ~mask) | ((u32)result << {} & mask);", k % 32)),
        }
    }
    line("  return result + (int)wide + (int)scale;".into());
    line("}".into());
}
