//! The text of inline assembly: its instructions, and which of them are known to leave the program's objects alone.
//!
//! A `memory` clobber is mostly a barrier for the compiler: `sei`, `cpsid i` and `dsb` have one although they write
//! nothing. So the instructions decide. The tables are lists of what is known: an instruction that is on none may write
//! anything. Machines are not distinguished, since no name on the lists writes objects on any of them.

use plumb_c::target::Target;

/// Barriers, hints, waiting, and the processor's interrupt mask. Operands, if any, say which kind.
const NO_EFFECT: &[&str] = &[
    // any
    "nop", "cli", // AVR
    "sei", "sleep", "wdr", // ARM
    "dmb", "dsb", "isb", "wfi", "wfe", "sev", "sevl", "yield", "clrex", // x86
    "mfence", "lfence", "sfence", "pause", "hlt", "sti", "cld", "clac", "stac",
];

/// Reads of memory, devices or special registers into registers, and writes of devices. Nothing of it writes an object.
const READS: &[&str] = &[
    // AVR: I/O registers, program memory, data memory
    "in", "out", "lpm", "elpm", "ld", "ldd", "lds", // ARM: special registers, memory
    "mrs", "vmrs", "ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "ldrex", "ldrexb", "ldrexh", "ldrt", "ldrbt", "ldrht",
    "lda", "ldab", "ldah", "ldaex", "ldaexb", "ldaexh", // x86
    "rdtsc", "rdtscp", "rdmsr", "cpuid",
];

/// Interrupt masks that ARM's `msr` sets. Others move the stack or change the mode.
const MASKS: &[&str] = &["primask", "basepri", "basepri_max", "faultmask"];

/// The instructions of a template: what is between separators, without comments, labels and doubled blanks.
pub(super) fn instructions(template: &str, target: &Target) -> Vec<String> {
    let text = without_comments(template, target);
    // `;` begins a comment for AVR, where `$` separates.
    let separators: &[char] = if target.is_avr() { &['\n', '$'] } else { &['\n', ';'] };
    text.split(separators)
        .map(|statement| {
            without_labels(statement).split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase()
        })
        .filter(|statement| !statement.is_empty())
        .collect()
}

/// How an instruction accesses the register that holds the interrupt mask, if it does more than mask or unmask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskAccess {
    /// Its operand in the C program gets the value of PRIMASK, or of AVR's status register.
    Reads,
    /// PRIMASK, or AVR's status register, gets the value of its operand in the C program.
    Sets,
    /// It masks or unmasks in a way of its own: by priority, in a mode, with other flags.
    Other,
}

/// Instructions that mask, restore flags, return from handlers, or write control registers. Those that are on no other list count as such as well;
/// this list is for what the others have, and names the rest.
const CONTROL: &[&str] = &[
    "cli", "sei", "sti", "cpsie", "cpsid", "msr", "rfe", "eret", // ARM
    "popf", "popfw", "popfl", "popfd", "popfq", "iret", "iretd", "iretq", "iretl", // x86
    "reti", "bset", "bclr", // AVR
    "rti", "andcc", "orcc", "tap", "tfr", "exg", // HC12
    "csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci", "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci", "mret",
    "mtmsr", "wrtee", "wrteei", "mtc0", "eint", "dint", "ei", "di", "setpsw", "clrpsw", "mvtc", "mvtipl",
];

/// Registers of flags, among them the one that masks interrupts, as operands of ordinary instructions have them on some machines.
const FLAGS: &[&str] =
    &["sr", "r2", "ccr", "ccw", "cc", "psr", "xpsr", "apsr", "cpsr", "spsr", "ps", "psw", "flg", "st", "status"];

/// Arithmetic, moves between registers and branches, which leave the mask alone unless an operand names it. What is on no list may change it.
const ORDINARY: &[&str] = &[
    "mov",
    "movs",
    "movw",
    "movt",
    "mvn",
    "mvns",
    "add",
    "adds",
    "adc",
    "adcs",
    "sub",
    "subs",
    "sbc",
    "sbcs",
    "rsb",
    "rsbs",
    "mul",
    "muls",
    "mla",
    "mls",
    "umull",
    "smull",
    "umlal",
    "smlal",
    "udiv",
    "sdiv",
    "and",
    "ands",
    "orr",
    "orrs",
    "orn",
    "eor",
    "eors",
    "bics",
    "lsl",
    "lsls",
    "lsr",
    "lsrs",
    "asr",
    "asrs",
    "ror",
    "rors",
    "rev",
    "rev16",
    "revsh",
    "rbit",
    "clz",
    "cmp",
    "cmn",
    "tst",
    "teq",
    "uxtb",
    "uxth",
    "sxtb",
    "sxth",
    "bfi",
    "bfc",
    "ubfx",
    "sbfx",
    "ssat",
    "usat",
    "qadd",
    "qsub",
    "it",
    "ite",
    "itt",
    "b",
    "beq",
    "bne",
    "bcs",
    "bcc",
    "bhi",
    "bls",
    "bge",
    "blt",
    "bgt",
    "ble",
    "cbz",
    "cbnz",
    "str",
    "strb",
    "strh",
    "strex",
    "strexb",
    "strexh",
    "bkpt", // AVR
    "ldi",
    "subi",
    "sbci",
    "andi",
    "or",
    "ori",
    "com",
    "neg",
    "inc",
    "dec",
    "rol",
    "swap",
    "bst",
    "bld",
    "clr",
    "ser",
    "cp",
    "cpc",
    "cpi",
    "sbiw",
    "adiw",
    "fmul",
    "mulsu",
    "sbrc",
    "sbrs",
    "sbic",
    "sbis",
    "cpse",
    "rjmp",
    "brne",
    "breq",
    "brcc",
    "brcs",
    "brge",
    "brlt",
    "brpl",
    "brmi",
    "sbi",
    "cbi", // x86
    "movl",
    "movq",
    "movb",
    "addl",
    "addq",
    "subl",
    "subq",
    "andl",
    "andq",
    "orl",
    "orq",
    "xorl",
    "xorq",
    "xor",
    "shll",
    "shrl",
    "shlq",
    "shrq",
    "notl",
    "negl",
    "incl",
    "decl",
    "bsf",
    "bsfl",
    "bsfq",
    "bsr",
    "bsrl",
    "bsrq",
    "bswap",
    "xchg",
    "xchgl",
    "xchgq",
    "xchgb",
    "cmpxchg",
    "cmpxchgl",
    "cmpxchgq",
    "xaddl",
    "prefetcht0",
    "prefetchnta",
    "int3",
    "ud2",
    "lock",
    "rep",
    "repz",
];

/// What an instruction that is no plain mask does to the mask; nothing if it leaves the mask alone.
pub(super) fn mask_access(instruction: &str, target: &Target) -> Option<MaskAccess> {
    let (name, operands) = mnemonic(instruction);
    let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
    // Whole operands, not parts of them.
    let of_program = |operand: &str| {
        let rest = operand.strip_prefix('%').map(|rest| rest.strip_prefix('a').unwrap_or(rest));
        rest.is_some_and(|rest| rest.starts_with('[') || !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    };
    match (name, &operands[..]) {
        ("mrs", [to, "primask"]) if of_program(to) => Some(MaskAccess::Reads),
        ("msr", ["primask", from]) if of_program(from) => Some(MaskAccess::Sets),
        ("in", [to, port]) if target.is_avr() && is_status_port(port) && of_program(to) => Some(MaskAccess::Reads),
        ("out", [port, from]) if target.is_avr() && is_status_port(port) && of_program(from) => Some(MaskAccess::Sets),
        ("out" | "sts" | "st" | "std", [place, ..]) if target.is_avr() => {
            // Numbers of other ports are other ports.
            let number = number(place).filter(|number| ![0x3f, 0x5f].contains(number));
            number.is_none().then_some(MaskAccess::Other)
        }
        _ => {
            let is_known = NO_EFFECT.contains(&name) || READS.contains(&name) || ORDINARY.contains(&name);
            let names_flags = !READS.contains(&name) && operands.iter().any(|operand| FLAGS.contains(operand));
            (CONTROL.contains(&name) || !is_known || names_flags).then_some(MaskAccess::Other)
        }
    }
}

fn is_status_port(port: &str) -> bool {
    port == "__sreg__" || number(port) == Some(0x3f)
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The first instruction that may write an object of the program.
pub(super) fn may_write(instructions: &[String]) -> Option<&str> {
    let mut list = instructions.iter().map(String::as_str).peekable();
    while let Some(instruction) = list.next() {
        // `rep; nop` is another name of `pause`. Prefixes of anything else are not known.
        if matches!(instruction, "rep" | "repz") && list.next_if_eq(&"nop").is_some() {
            continue;
        }
        // `lock; addl $0,0(%esp)`, the usual barrier of older x86.
        if instruction == "lock" && list.next_if(|next| adds_nothing(next)).is_some() {
            continue;
        }
        if !leaves_objects_alone(instruction) {
            return Some(instruction);
        }
    }
    None
}

/// Only barriers, hints and masks: nothing moves data.
pub(super) fn has_no_effect(instructions: &[String]) -> bool {
    may_write(instructions).is_none() && instructions.iter().all(|i| !READS.contains(&mnemonic(i).0))
}

fn leaves_objects_alone(instruction: &str) -> bool {
    let (name, operands) = mnemonic(instruction);
    match name {
        // With a mode as second operand it changes stacks.
        "cpsie" | "cpsid" => !operands.is_empty() && operands.chars().all(|c| matches!(c, 'a' | 'i' | 'f')),
        "msr" => {
            let register = operands.split(',').next().unwrap_or_default().trim();
            MASKS.contains(&register.strip_suffix("_ns").unwrap_or(register))
        }
        "lock" => adds_nothing(operands),
        "rep" | "repz" => operands == "nop",
        _ => NO_EFFECT.contains(&name) || READS.contains(&name),
    }
}

/// An immediate zero is added or put in.
fn adds_nothing(instruction: &str) -> bool {
    let (name, operands) = mnemonic(instruction);
    matches!(name, "add" | "addl" | "addq" | "or" | "orl" | "orq")
        && operands.split_once(',').is_some_and(|(added, _)| matches!(added.trim(), "$0" | "$0x0"))
}

/// The name of an instruction, without ARM's suffix for the width of its encoding, and the rest.
fn mnemonic(instruction: &str) -> (&str, &str) {
    let (name, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
    (name.strip_suffix(".w").or_else(|| name.strip_suffix(".n")).unwrap_or(name), operands)
}

/// `1: nop` and `again: nop` begin with labels.
fn without_labels(statement: &str) -> &str {
    let mut rest = statement.trim_start();
    while let Some((label, after)) = rest.split_once(':') {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '%' | '=');
        if label.is_empty() || !label.chars().all(is_name) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// Comments become blanks: `/* */`, `//` to the end of the line, `#` where a line begins, and `;` for AVR.
/// Elsewhere `#` begins a number of ARM's. `@` is a comment for ARM but part of a name for x86, and so is left.
fn without_comments(template: &str, target: &Target) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let begins_line = out.rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
        let to_line_end = rest.starts_with("//") || c == '#' && begins_line || c == ';' && target.is_avr();
        if rest.starts_with("/*") {
            out.push(' ');
            rest = rest[2..].split_once("*/").map_or("", |(_, after)| after);
        } else if to_line_end {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(template: &str, target: Target) -> Vec<String> {
        instructions(template, &target)
    }

    fn writes(template: &str) -> Option<String> {
        may_write(&list(template, Target::ILP32)).map(str::to_string)
    }

    #[test]
    fn templates_are_split() {
        assert_eq!(list("nop\n\tdsb  SY; isb", Target::LP64), ["nop", "dsb sy", "isb"]);
        assert_eq!(list("1: nop ; rjmp 1b\nsei", Target::AVR), ["nop", "sei"]);
        assert_eq!(list("# nothing\n/* at */ // all", Target::LP64), [""; 0]);
        assert_eq!(list("addl $0, x@NTPOFF; movl $1, g", Target::ILP32), ["addl $0, x@ntpoff", "movl $1, g"]);
        assert_eq!(list("mov x0, #1; str x0, [x1]", Target::LP64), ["mov x0, #1", "str x0, [x1]"]);
        assert_eq!(list("again%=: nop", Target::LP64), ["nop"]);
    }

    #[test]
    fn only_what_is_known_leaves_memory_alone() {
        for known in [
            "",
            "sei",
            "CLI",
            "dsb 0xF",
            "dmb.w ish",
            "cpsie i",
            "cpsid if",
            "msr primask, %0",
            "MSR basepri_ns, %0",
            "mrs %0, primask",
            "rep; nop",
            "rep nop",
            "lock; addl $0,0(%%esp)",
            "lock addl $0x0, -4(%rsp)",
            "in __tmp_reg__,__SREG__\n\tcli\n\tout __SREG__,__tmp_reg__",
            "lpm %0, Z+",
        ] {
            assert_eq!(writes(known), None, "{known}");
        }
        for unknown in [
            "str r0, [r1]",
            "cpsid i, #19",
            "cpsie",
            "msr msp, %0",
            "msr control, %0",
            "rep; stosb",
            "rep",
            "lock; addl $1,0(%%esp)",
            "lock; incl %0",
            "svc 0",
            "mov %0, %1",
            "nops",
            "sei_ x",
            ".word 0",
        ] {
            assert!(writes(unknown).is_some(), "{unknown}");
        }
        assert_eq!(writes("cpsid i; str r0, [r1]; cpsie i").as_deref(), Some("str r0, [r1]"));
    }
}
