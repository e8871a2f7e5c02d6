//! Oracle: random OSEK systems against all their interleavings.
//!
//! The systems are small enough to enumerate the states of a direct reading of the specification: every read, every write and every service is a
//! step, and between any two of them any interrupt may occur whose level is above that of what runs. The reading knows
//! nothing of preemption points, and so nothing of those that the kernel model leaves out: behind accesses that nobody who can run there sees, and behind the services
//! for resources. The explicit-state engine must say the same, be it asked for an error or for a state of several variables, and the
//! validator must confirm its proofs. `PLUMB_TASKS_COUNT` asks for more systems (default 16), `PLUMB_TASKS_SEED` for others.

mod interleavings;

use interleavings::{Rng, VARS};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// A random variable.
fn var(rng: &mut Rng) -> usize {
    rng.below(VARS.len() as u64) as usize
}

/// A statement of tasks and handlers.
#[derive(Clone, Debug)]
enum Stmt {
    /// `a = (b + constant) & 3`
    Assign(usize, usize, u64),
    /// `if (a == constant && b == constant) reach_error();`
    Error((usize, u64), (usize, u64)),
    /// Between GetResource and ReleaseResource.
    Locked(Vec<Stmt>),
    Activate(usize),
}

/// One step of the direct reading.
#[derive(Clone, Debug)]
enum Micro {
    Read(usize),
    Write(usize, u64),
    /// Goes on at another step unless what was read is the constant.
    Unless(u64, usize),
    Take,
    Give,
    Activate(usize),
    Error,
}

struct Task {
    priority: u64,
    preemptable: bool,
    uses_resource: bool,
    body: Vec<Stmt>,
    code: Vec<Micro>,
}

struct Handler {
    level: u64,
    body: Vec<Stmt>,
    code: Vec<Micro>,
}

struct System {
    tasks: Vec<Task>,
    handlers: Vec<Handler>,
    ceiling: u64,
    /// A state that is looked for.
    state: Option<[(usize, u64); 2]>,
}

fn simple(rng: &mut Rng) -> Stmt {
    Stmt::Assign(var(rng), var(rng), rng.below(3))
}

fn error(rng: &mut Rng) -> Stmt {
    Stmt::Error((var(rng), rng.below(4)), (var(rng), rng.below(4)))
}

fn body(rng: &mut Rng, tasks: u64, can_lock: bool, can_err: bool) -> Vec<Stmt> {
    let statement = |rng: &mut Rng| match rng.below(8) {
        0..=3 => simple(rng),
        4 => Stmt::Activate(rng.below(tasks) as usize),
        5 if can_err => error(rng),
        _ if can_lock => Stmt::Locked((0..1 + rng.below(2)).map(|_| simple(rng)).collect()),
        _ => simple(rng),
    };
    (0..1 + rng.below(2)).map(|_| statement(rng)).collect()
}

fn compile(list: &[Stmt], code: &mut Vec<Micro>) {
    for stmt in list {
        match stmt {
            Stmt::Assign(to, from, constant) => code.extend([Micro::Read(*from), Micro::Write(*to, *constant)]),
            Stmt::Error(first, second) => {
                let end = code.len() + 5;
                for (var, constant) in [first, second] {
                    code.extend([Micro::Read(*var), Micro::Unless(*constant, end)]);
                }
                code.push(Micro::Error);
            }
            Stmt::Locked(list) => {
                code.push(Micro::Take);
                compile(list, code);
                code.push(Micro::Give);
            }
            Stmt::Activate(task) => code.push(Micro::Activate(*task)),
        }
    }
}

fn emit(list: &[Stmt], text: &mut String) {
    for stmt in list {
        match stmt {
            Stmt::Assign(to, from, constant) => {
                writeln!(text, "    {} = ({} + {constant}) & 3;", VARS[*to], VARS[*from]).unwrap();
            }
            Stmt::Error((a, one), (b, two)) => {
                writeln!(text, "    if ({} == {one} && {} == {two}) reach_error();", VARS[*a], VARS[*b]).unwrap();
            }
            Stmt::Locked(list) => {
                text.push_str("    GetResource(lock);\n");
                emit(list, text);
                text.push_str("    ReleaseResource(lock);\n");
            }
            Stmt::Activate(task) => writeln!(text, "    ActivateTask(t{task});").unwrap(),
        }
    }
}

fn uses_resource(list: &[Stmt]) -> bool {
    list.iter().any(|stmt| matches!(stmt, Stmt::Locked(_)))
}

fn system(rng: &mut Rng) -> System {
    let count = 2 + rng.below(2);
    let compiled = |body: &[Stmt]| {
        let mut code = Vec::new();
        compile(body, &mut code);
        code
    };
    let state = (rng.below(2) == 0).then(|| [(var(rng), rng.below(4)), (var(rng), rng.below(4))]);
    let can_err = state.is_none();
    let tasks: Vec<Task> = (1..=count)
        .map(|priority| {
            let mut body = body(rng, count, true, can_err);
            if can_err && priority == 1 {
                body.push(error(rng));
            }
            let uses_resource = uses_resource(&body) || rng.below(2) == 0;
            Task { priority, preemptable: rng.below(4) > 0, uses_resource, code: compiled(&body), body }
        })
        .collect();
    let first = count + 1;
    // Three tasks and two handlers have more states than a test should visit.
    let handlers = (0..if count == 2 { 1 + rng.below(2) } else { 1 }).map(|_| {
        let body = body(rng, count, false, can_err);
        Handler { level: first + rng.below(2), code: compiled(&body), body }
    });
    let handlers: Vec<Handler> = handlers.collect();
    let ceiling = tasks.iter().filter(|task| task.uses_resource).map(|task| task.priority).max().unwrap_or(0);
    System { tasks, handlers, ceiling, state }
}

/// An activation of a task or a handler.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Activity {
    pc: usize,
    read: u64,
    holds: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    vars: [u64; 3],
    /// By task: its activation, and whether it has begun.
    tasks: Vec<Option<(Activity, bool)>>,
    running: Option<usize>,
    /// Those that nest, the last one runs.
    handlers: Vec<(usize, Activity)>,
}

impl System {
    /// The priority that an active task has now.
    fn priority(&self, state: &State, task: usize) -> u64 {
        let holds = matches!(&state.tasks[task], Some((activity, _)) if activity.holds);
        if holds { self.tasks[task].priority.max(self.ceiling) } else { self.tasks[task].priority }
    }

    /// The task that has the processor once no handler runs: a task that has begun is older than one that has not.
    fn schedule(&self, state: &mut State) {
        if !state.handlers.is_empty() {
            return;
        }
        let active = (0..self.tasks.len()).filter(|task| state.tasks[*task].is_some());
        let has_begun = |task: usize| matches!(&state.tasks[task], Some((_, true)));
        let best = active.max_by_key(|task| (self.priority(state, *task), has_begun(*task)));
        let stays = |task: usize| {
            !self.tasks[task].preemptable
                || best.is_none_or(|best| self.priority(state, best) <= self.priority(state, task))
        };
        if !state.running.is_some_and(stays) {
            state.running = best;
            if let Some((_, has_begun)) = best.and_then(|best| state.tasks[best].as_mut()) {
                *has_begun = true;
            }
        }
    }

    /// What has been reached counts as an error.
    fn is_looked_for(&self, state: &State) -> bool {
        self.state.is_some_and(|state_of| state_of.iter().all(|(var, value)| state.vars[*var] == *value))
    }

    /// One step of what runs; nothing if the error is reached.
    fn step(&self, state: &State) -> Option<State> {
        let mut next = state.clone();
        let (code, mut activity) = match (state.handlers.last(), state.running) {
            (Some((handler, activity)), _) => (&self.handlers[*handler].code, activity.clone()),
            (None, Some(task)) => (&self.tasks[task].code, state.tasks[task].clone().unwrap().0),
            (None, None) => return Some(next),
        };
        let op = code.get(activity.pc);
        activity.pc += 1;
        let mut activated = None;
        match op {
            Some(Micro::Read(var)) => activity.read = state.vars[*var],
            Some(Micro::Write(var, constant)) => next.vars[*var] = (activity.read + constant) & 3,
            Some(Micro::Unless(constant, to)) if activity.read != *constant => activity.pc = *to,
            Some(Micro::Unless(..)) => {}
            Some(Micro::Take) => activity.holds = true,
            Some(Micro::Give) => activity.holds = false,
            Some(Micro::Activate(task)) => activated = Some(*task),
            Some(Micro::Error) => return None,
            None => {}
        }
        // What was read is not used a second time.
        if !matches!(op, Some(Micro::Read(_))) {
            activity.read = 0;
        }
        match (next.handlers.last_mut(), state.running) {
            (Some(_), _) if op.is_none() => drop(next.handlers.pop()),
            (Some((_, own)), _) => *own = activity,
            (None, Some(task)) if op.is_none() => (next.tasks[task], next.running) = (None, None),
            (None, Some(task)) => next.tasks[task] = Some((activity, true)),
            (None, None) => {}
        }
        if let Some(task) = activated {
            next.tasks[task].get_or_insert((Activity::default(), false));
        }
        self.schedule(&mut next);
        (!self.is_looked_for(&next)).then_some(next)
    }

    /// Whether some interleaving reaches the error or the state.
    fn errs(&self) -> bool {
        let mut start =
            State { vars: [0; 3], tasks: vec![None; self.tasks.len()], running: None, handlers: Vec::new() };
        start.tasks[0] = Some((Activity::default(), false));
        self.schedule(&mut start);
        if self.is_looked_for(&start) {
            return true;
        }
        let mut seen = HashSet::from([start.clone()]);
        let mut work = vec![start];
        while let Some(state) = work.pop() {
            let level = state.handlers.last().map_or(0, |(handler, _)| self.handlers[*handler].level);
            let interrupts = self.handlers.iter().enumerate().filter(|(_, handler)| handler.level > level);
            let mut next: Vec<State> = interrupts
                .map(|(handler, _)| {
                    let mut interrupted = state.clone();
                    interrupted.handlers.push((handler, Activity::default()));
                    interrupted
                })
                .collect();
            match self.step(&state) {
                Some(after) => next.push(after),
                None => return true,
            }
            for one in next {
                if seen.insert(one.clone()) {
                    work.push(one);
                }
            }
        }
        false
    }

    fn oil(&self) -> String {
        let mut text = "OIL_VERSION = \"2.5\";\nCPU system {\n    OS os { STATUS = EXTENDED; };\n    APPMODE normal;\n\
                        \x20   RESOURCE lock { RESOURCEPROPERTY = STANDARD; };\n"
            .to_string();
        for (number, task) in self.tasks.iter().enumerate() {
            let schedule = if task.preemptable { "FULL" } else { "NON" };
            let start = if number == 0 { "TRUE { APPMODE = normal; }" } else { "FALSE" };
            let resource = if task.uses_resource { " RESOURCE = lock;" } else { "" };
            writeln!(
                text,
                "    TASK t{number} {{ PRIORITY = {}; SCHEDULE = {schedule}; ACTIVATION = 1; AUTOSTART = {start};{resource} }};",
                task.priority
            )
            .unwrap();
        }
        for (number, handler) in self.handlers.iter().enumerate() {
            let level = handler.level;
            writeln!(text, "    ISR h{number} {{ CATEGORY = 2; PRIORITY = {level}; }};").unwrap();
        }
        text + "};\n"
    }

    fn text(&self) -> String {
        let mut text = "#include \"os.h\"\nextern void reach_error(void);\nint x, y, z;\n".to_string();
        for (number, task) in self.tasks.iter().enumerate() {
            writeln!(text, "TASK(t{number})\n{{").unwrap();
            emit(&task.body, &mut text);
            text.push_str("    TerminateTask();\n}\n");
        }
        for (number, handler) in self.handlers.iter().enumerate() {
            writeln!(text, "ISR(h{number})\n{{").unwrap();
            emit(&handler.body, &mut text);
            text.push_str("}\n");
        }
        text
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The last line of what the engine says. The certificate of a proof has to be confirmed.
fn verdict(system: &System, round: u64) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = |ending: &str| folder.join(format!("task-preemption-{round}.{ending}"));
    std::fs::write(file("c"), system.text()).unwrap();
    std::fs::write(file("oil"), system.oil()).unwrap();
    let plumb = |subcommand: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
        command.args(subcommand).arg(file("c")).args(["--timeout", "120", "--oil"]).arg(file("oil"));
        command.arg("--certificate").arg(file("json"));
        if let Some([(a, one), (b, two)]) = system.state {
            command.args(["--reach", &format!("{} == {one} && {} == {two}", VARS[a], VARS[b])]);
        }
        command.output().unwrap()
    };
    let output = plumb(&["check", "--engine", "explicit"]);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = stdout.lines().last().unwrap_or_default().to_string();
    assert!(!last.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    if last == "TRUE" {
        let said = String::from_utf8_lossy(&plumb(&["validate"]).stdout).into_owned();
        assert!(said.starts_with("confirmed"), "{said}\n{}{}", system.oil(), system.text());
    }
    last
}

#[test]
fn every_interleaving_of_tasks_and_handlers_counts() {
    let seed = number("PLUMB_TASKS_SEED", 1);
    let mut violated = 0;
    let count = number("PLUMB_TASKS_COUNT", 16);
    for round in 0..count {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9).wrapping_add(round));
        rng.below(2);
        let system = system(&mut rng);
        let errs = system.errs();
        violated += u64::from(errs);
        let expected = if errs { "FALSE(unreach-call)" } else { "TRUE" };
        let said = verdict(&system, round);
        assert_eq!(said, expected, "round {round}, {:?}:\n{}{}", system.state, system.oil(), system.text());
    }
    assert!(count < 16 || (violated > 0 && violated < count), "{violated} of {count} systems reach the error");
}
