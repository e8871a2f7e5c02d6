//! Oracle: random programs with threads or interrupt handlers against all their interleavings.
//!
//! The programs are small enough to enumerate the states of a direct reading of what may happen: every read and every write is a step, between any two of which another
//! thread, or a handler of higher priority, may go on. That reading knows nothing of preemption points. The explicit-state engine must say the same;
//! other engines must not say otherwise, and the certificates of their proofs are not rejected. `PLUMB_PREEMPTION_COUNT` asks for more programs (default 24), `PLUMB_PREEMPTION_SEED` for others.

mod interleavings;

use interleavings::{Rng, VARS};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// A statement of the programs.
#[derive(Clone, Debug)]
enum Stmt {
    /// `a = (b + c + constant) & 3`, with one or two variables.
    Assign(usize, Vec<usize>, u64),
    /// `if (a == constant && b == constant) statement`
    If(Vec<(usize, u64)>, Box<Stmt>),
    /// Taken together: under a lock, in an atomic section, or with interrupts masked.
    Locked(Vec<Stmt>),
    Atomic(Vec<Stmt>),
    Error,
}

/// One step of the direct reading.
#[derive(Clone, Debug)]
enum Micro {
    Read(usize),
    /// The sum of what was read, and a constant.
    Write(usize, u64),
    /// Goes on at another step unless what was read is the constant.
    Unless(u64, usize),
    Forget,
    Lock,
    Unlock,
    Enter,
    Leave,
    Spawn(usize),
    Join(usize),
    Error,
}

fn compile(stmt: &Stmt, out: &mut Vec<Micro>) {
    match stmt {
        Stmt::Assign(to, from, constant) => {
            out.push(Micro::Forget);
            out.extend(from.iter().map(|var| Micro::Read(*var)));
            out.push(Micro::Write(*to, *constant));
        }
        Stmt::If(conditions, then) => {
            let mut jumps = Vec::new();
            for (var, constant) in conditions {
                out.push(Micro::Forget);
                out.push(Micro::Read(*var));
                jumps.push(out.len());
                out.push(Micro::Unless(*constant, 0));
            }
            compile(then, out);
            let end = out.len();
            for at in jumps {
                if let Micro::Unless(_, to) = &mut out[at] {
                    *to = end;
                }
            }
        }
        Stmt::Locked(list) | Stmt::Atomic(list) => {
            let is_lock = matches!(stmt, Stmt::Locked(_));
            out.push(if is_lock { Micro::Lock } else { Micro::Enter });
            list.iter().for_each(|one| compile(one, out));
            out.push(if is_lock { Micro::Unlock } else { Micro::Leave });
        }
        Stmt::Error => out.push(Micro::Error),
    }
}

fn emit(stmt: &Stmt, names: &[&str; 4], text: &mut String) {
    match stmt {
        Stmt::Assign(to, from, constant) => {
            let sum: Vec<&str> = from.iter().map(|var| VARS[*var]).collect();
            writeln!(text, "    {} = ({} + {constant}) & 3;", VARS[*to], sum.join(" + ")).unwrap();
        }
        Stmt::If(conditions, then) => {
            let all: Vec<String> = conditions.iter().map(|(var, c)| format!("{} == {c}", VARS[*var])).collect();
            writeln!(text, "    if ({}) {{", all.join(" && ")).unwrap();
            emit(then, names, text);
            text.push_str("    }\n");
        }
        Stmt::Locked(list) | Stmt::Atomic(list) => {
            let at = if matches!(stmt, Stmt::Locked(_)) { 0 } else { 2 };
            writeln!(text, "    {};", names[at]).unwrap();
            list.iter().for_each(|one| emit(one, names, text));
            writeln!(text, "    {};", names[at + 1]).unwrap();
        }
        Stmt::Error => text.push_str("    reach_error();\n"),
    }
}

fn simple(rng: &mut Rng) -> Stmt {
    let var = |rng: &mut Rng| rng.below(VARS.len() as u64) as usize;
    let from = if rng.below(2) == 0 { vec![var(rng)] } else { vec![var(rng), var(rng)] };
    Stmt::Assign(var(rng), from, rng.below(3))
}

fn condition(rng: &mut Rng) -> Vec<(usize, u64)> {
    (0..1 + rng.below(2)).map(|_| (rng.below(3) as usize, rng.below(4))).collect()
}

fn statement(rng: &mut Rng) -> Stmt {
    match rng.below(8) {
        0..=3 => simple(rng),
        4 => Stmt::If(condition(rng), Box::new(simple(rng))),
        5 => Stmt::If(condition(rng), Box::new(Stmt::Error)),
        6 => Stmt::Locked((0..1 + rng.below(2)).map(|_| simple(rng)).collect()),
        _ => Stmt::Atomic((0..1 + rng.below(2)).map(|_| simple(rng)).collect()),
    }
}

fn block(rng: &mut Rng, most: u64) -> Vec<Stmt> {
    (0..1 + rng.below(most)).map(|_| statement(rng)).collect()
}

fn micro(list: &[Stmt]) -> Vec<Micro> {
    let mut out = Vec::new();
    list.iter().for_each(|one| compile(one, &mut out));
    out
}

/// A thread, or an activation of a handler.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Activity {
    code: usize,
    pc: usize,
    sum: u64,
}

/// What both readings have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    vars: [u64; 3],
    /// Threads by number, the first is main's; or activations, the last one runs.
    activities: Vec<Activity>,
    started: Vec<bool>,
    lock: Option<usize>,
    section: Option<usize>,
    masked: bool,
}

enum Stepped {
    To(State),
    Blocked,
    Error,
}

fn step(state: &State, who: usize, code: &[Vec<Micro>]) -> Stepped {
    let mut next = state.clone();
    let activity = &mut next.activities[who];
    let op = &code[activity.code][activity.pc];
    activity.pc += 1;
    match op {
        Micro::Read(var) => activity.sum += state.vars[*var],
        Micro::Write(var, constant) => next.vars[*var] = (activity.sum + constant) & 3,
        Micro::Unless(constant, to) => {
            if activity.sum != *constant {
                activity.pc = *to;
            }
        }
        Micro::Forget => activity.sum = 0,
        Micro::Lock if state.lock.is_some() => return Stepped::Blocked,
        Micro::Lock => next.lock = Some(who),
        Micro::Unlock => next.lock = None,
        Micro::Enter => (next.section, next.masked) = (Some(who), true),
        Micro::Leave => (next.section, next.masked) = (None, false),
        Micro::Spawn(thread) => next.started[*thread] = true,
        Micro::Join(thread) => {
            let other = &state.activities[*thread];
            if other.pc < code[other.code].len() {
                return Stepped::Blocked;
            }
        }
        Micro::Error => return Stepped::Error,
    }
    Stepped::To(next)
}

/// Whether some interleaving of threads reaches the error. Code 0 is main's, whose end ends the program.
fn threads_err(code: &[Vec<Micro>]) -> bool {
    let activity = |code| Activity { code, pc: 0, sum: 0 };
    let start = State {
        vars: [0; 3],
        activities: (0..code.len()).map(activity).collect(),
        started: (0..code.len()).map(|i| i == 0).collect(),
        lock: None,
        section: None,
        masked: false,
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        if state.activities[0].pc >= code[0].len() {
            continue;
        }
        for who in 0..code.len() {
            let is_over = state.activities[who].pc >= code[who].len();
            if !state.started[who] || is_over || state.section.is_some_and(|one| one != who) {
                continue;
            }
            match step(&state, who, code) {
                Stepped::Error => return true,
                Stepped::Blocked => {}
                Stepped::To(next) => {
                    if seen.insert(next.clone()) {
                        work.push(next);
                    }
                }
            }
        }
    }
    false
}

/// Whether some run of main and handlers, code 1 at priority 1 and so on, reaches the error. Handlers are done before main ends or never run.
fn interrupts_err(code: &[Vec<Micro>]) -> bool {
    interrupted_err(code, true)
}

/// The same where all handlers have one priority, or begin with interrupts masked: nothing interrupts a handler.
fn flat_interrupts_err(code: &[Vec<Micro>]) -> bool {
    interrupted_err(code, false)
}

fn interrupted_err(code: &[Vec<Micro>], are_nested: bool) -> bool {
    let start = State {
        vars: [0; 3],
        activities: vec![Activity { code: 0, pc: 0, sum: 0 }],
        started: Vec::new(),
        lock: None,
        section: None,
        masked: false,
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        let mut next = Vec::new();
        let running = state.activities.last().unwrap().clone();
        if !state.masked && (are_nested || running.code == 0) {
            for handler in running.code + 1..code.len() {
                let mut interrupted = state.clone();
                interrupted.activities.push(Activity { code: handler, pc: 0, sum: 0 });
                next.push(interrupted);
            }
        }
        if running.pc < code[running.code].len() {
            match step(&state, state.activities.len() - 1, code) {
                Stepped::Error => return true,
                Stepped::Blocked => {}
                Stepped::To(after) => next.push(after),
            }
        } else if state.activities.len() > 1 {
            let mut returned = state.clone();
            returned.activities.pop();
            next.push(returned);
        }
        for one in next {
            if seen.insert(one.clone()) {
                work.push(one);
            }
        }
    }
    false
}

const PROLOGUE: &str = "extern void reach_error(void);\nstatic int x, y, z;\n";

fn threaded(rng: &mut Rng) -> (String, Vec<Vec<Micro>>) {
    let count = 2 + rng.below(2) as usize;
    let names =
        ["pthread_mutex_lock(&m)", "pthread_mutex_unlock(&m)", "__VERIFIER_atomic_begin()", "__VERIFIER_atomic_end()"];
    let mut text = format!(
        "#include <pthread.h>\n{PROLOGUE}extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
         static pthread_mutex_t m;\nstatic pthread_t t1, t2;\n"
    );
    let mut code = vec![Vec::new()];
    for thread in 1..count {
        let body = block(rng, 4 - count as u64 + 1);
        writeln!(text, "static void *run{thread}(void *unused)\n{{").unwrap();
        body.iter().for_each(|one| emit(one, &names, &mut text));
        text.push_str("    return 0;\n}\n");
        code.push(micro(&body));
    }
    text.push_str("int main(void)\n{\n");
    let (before, between) = (block(rng, 1), block(rng, 2));
    let joins = rng.below(3) > 0;
    let after = vec![Stmt::If(condition(rng), Box::new(Stmt::Error))];
    let add = |list: &[Stmt], text: &mut String, code: &mut Vec<Micro>| {
        list.iter().for_each(|one| emit(one, &names, text));
        for one in list {
            // Jumps count from the beginning of main.
            let at = code.len();
            let mut part = Vec::new();
            compile(one, &mut part);
            part.iter_mut().for_each(|micro| {
                if let Micro::Unless(_, to) = micro {
                    *to += at;
                }
            });
            code.extend(part);
        }
    };
    let mut main = Vec::new();
    add(&before, &mut text, &mut main);
    for thread in 1..count {
        writeln!(text, "    pthread_create(&t{thread}, 0, run{thread}, 0);").unwrap();
        main.push(Micro::Spawn(thread));
    }
    add(&between, &mut text, &mut main);
    if joins {
        for thread in 1..count {
            writeln!(text, "    pthread_join(t{thread}, 0);").unwrap();
            main.push(Micro::Join(thread));
        }
    }
    add(&after, &mut text, &mut main);
    text.push_str("    return 0;\n}\n");
    // Others may go on before main returns.
    main.push(Micro::Forget);
    code[0] = main;
    (text, code)
}

/// Handlers do not mask: a priority is enough.
fn without_sections(list: Vec<Stmt>) -> Vec<Stmt> {
    let flat = |one: Stmt| match one {
        Stmt::Locked(list) | Stmt::Atomic(list) => list,
        other => vec![other],
    };
    list.into_iter().flat_map(flat).collect()
}

fn interrupted(rng: &mut Rng) -> (String, Vec<Vec<Micro>>) {
    handlers_and_main(rng, |main| main)
}

/// Without masks, machines that begin masked where something unmasks do not.
fn never_masked(rng: &mut Rng) -> (String, Vec<Vec<Micro>>) {
    handlers_and_main(rng, without_sections)
}

fn handlers_and_main(rng: &mut Rng, of_main: fn(Vec<Stmt>) -> Vec<Stmt>) -> (String, Vec<Vec<Micro>>) {
    let names = ["__disable_irq()", "__enable_irq()", "__disable_irq()", "__enable_irq()"];
    let mut text = format!("{PROLOGUE}extern void __disable_irq(void);\nextern void __enable_irq(void);\n");
    let main = block(rng, 4).into_iter().map(|one| match one {
        Stmt::Locked(list) => Stmt::Atomic(list),
        other => other,
    });
    let mut main = of_main(main.collect());
    if rng.below(2) == 0 {
        main.push(Stmt::If(condition(rng), Box::new(Stmt::Error)));
    }
    let mut code = vec![micro(&main)];
    for handler in 1..=2 {
        let mut body = without_sections(block(rng, 2));
        if handler == 2 {
            body.push(Stmt::If(condition(rng), Box::new(Stmt::Error)));
        }
        writeln!(text, "void handler{handler}(void)\n{{").unwrap();
        body.iter().for_each(|one| emit(one, &names, &mut text));
        text.push_str("}\n");
        code.push(micro(&body));
    }
    text.push_str("int main(void)\n{\n");
    main.iter().for_each(|one| emit(one, &names, &mut text));
    text.push_str("    for (;;) {\n    }\n}\n");
    (text, code)
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The last line of what the engine says. The certificate of a proof has to be confirmed.
fn verdict(text: &str, name: &str, flags: &[&str], engine: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("preemption-{name}-{engine}.c"));
    let certificate = folder.join(format!("preemption-{name}-{engine}.json"));
    std::fs::write(&file, text).unwrap();
    let plumb = |subcommand: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
        command.args(subcommand).args(flags).arg("--certificate").arg(&certificate).arg(&file);
        command.output().unwrap()
    };
    let limits: &[&str] = match engine {
        "explicit" => &["--timeout", "60"],
        "bmc" => &["--timeout", "60", "--unwind", "3"],
        _ => &["--timeout", "3"],
    };
    let output = plumb(&[&["check", "--engine", engine], limits].concat());
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = stdout.lines().last().unwrap_or_default().to_string();
    assert!(!last.is_empty(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    if last == "TRUE" {
        let said = String::from_utf8_lossy(&plumb(&["validate", "--timeout", "60"]).stdout).into_owned();
        let is_fine = said.starts_with("confirmed") || said.starts_with("unknown") && engine != "explicit";
        assert!(is_fine, "{engine}: {said}\n{text}");
    }
    last
}

fn compare(
    name: &str,
    flags: &[&str],
    make: fn(&mut Rng) -> (String, Vec<Vec<Micro>>),
    truth: fn(&[Vec<Micro>]) -> bool,
) {
    let count = number("PLUMB_PREEMPTION_COUNT", 24);
    let seed = number("PLUMB_PREEMPTION_SEED", 1);
    let mut violated = 0;
    for round in 0..count {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9).wrapping_add(round));
        rng.below(2);
        let (text, code) = make(&mut rng);
        let errs = truth(&code);
        violated += u64::from(errs);
        let expected = if errs { "FALSE(unreach-call)" } else { "TRUE" };
        let said = verdict(&text, name, flags, "explicit");
        assert_eq!(said, expected, "explicit, round {round}:\n{text}");
        let engine = ["bmc", "kind", "symexia", "simulate"][(round % 4) as usize];
        let said = verdict(&text, name, flags, engine);
        assert!(said == expected || said == "UNKNOWN", "{engine} says {said}, round {round}:\n{text}");
    }
    assert!(violated > 0 && violated < count, "{violated} of {count} programs reach the error");
}

#[test]
fn threads_interleave_like_a_direct_reading() {
    compare("threads", &[], threaded, threads_err);
}

#[test]
fn interrupts_occur_like_in_a_direct_reading() {
    compare("interrupts", &["--isr", "handler1:1", "--isr", "handler2:2"], interrupted, interrupts_err);
}

#[test]
fn handlers_of_one_priority_do_not_interrupt_each_other() {
    compare("flat", &["--isr", "handler1", "--isr", "handler2"], interrupted, flat_interrupts_err);
}

#[test]
fn handlers_that_begin_masked_do_not_interrupt_each_other() {
    let flags = ["--arch", "avr", "--isr", "handler1:1", "--isr", "handler2:2"];
    compare("masked", &flags, never_masked, flat_interrupts_err);
}
