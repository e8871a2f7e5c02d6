//! Oracle: random programs that go on through pointers which a missing function returns, against implementations of that function.
//!
//! The truth comes from gcc: the program is run with several hundred implementations, which hand out nodes of arbitrary content, the same or different
//! ones, or null. No proof may be refuted by one of them, and its certificate must validate. A violation must be shown by its harness,
//! which is an implementation too. `PLUMB_FOREIGN_COUNT` asks for more programs (default 12), `PLUMB_FOREIGN_SEED` for others,
//! `PLUMB_FOREIGN_ENGINES` for other engines.

#[path = "oracle/mod.rs"]
mod oracle;

use oracle::{Arch, Random, TempDir, env_number, gcc_build, keep, parallel, plumb, run, say, testable_archs};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The status of a program with a harness that breaks the property.
const VIOLATED: i32 = 86;
/// Implementations that a program is run with.
const IMPLEMENTATIONS: u32 = 400;
const TIMEOUT: Duration = Duration::from_secs(120);

const DECLARATIONS: &str = "\
struct node { int a; short b; unsigned char c; unsigned f : 3, g : 9; float x; unsigned long w; int *p; struct node *next; };
extern struct node *find(int);
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
int own, other;
struct node mine;
";

/// What runs the program with one implementation after the other, each in a process of its own.
const DRIVER: &str = r#"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned long long state;
static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}
#define NODES 4
static struct node *pool[NODES];
static int *numbers[NODES];
static void fill(struct node *n)
{
    n->a = below(4); n->b = below(4); n->c = below(4); n->f = below(4); n->g = below(4);
    n->x = below(4); n->w = below(4);
    n->p = below(3) ? numbers[below(NODES)] : 0;
    n->next = below(4) ? pool[below(NODES)] : 0;
}
static void begin(unsigned seed)
{
    state = seed * 7919ull + 13;
    for (int i = 0; i < NODES; i++) {
        pool[i] = malloc(sizeof *pool[i]);
        numbers[i] = malloc(sizeof *numbers[i]);
        *numbers[i] = below(4);
    }
    for (int i = 0; i < NODES; i++)
        fill(pool[i]);
}
struct node *find(int which)
{
    if (CHANGES && below(2))
        fill(pool[below(NODES)]);
    return below(10) ? pool[below(NODES)] : 0;
}
void reach_error(void) { _exit(7); }
#undef main
int main(void)
{
    for (unsigned seed = 0; seed < IMPLEMENTATIONS; seed++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(5);
            begin(seed);
            program_main();
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 7)
            return 7;
    }
    return 0;
}
"#;

struct Generator {
    random: Random,
    text: String,
}

impl Generator {
    fn number(&mut self) -> String {
        let node = self.node();
        match self.random.below(12) {
            0..=2 => self.random.below(4).to_string(),
            3 => "own".to_string(),
            4 => "other".to_string(),
            5 | 6 => format!("{node}->a"),
            7 => format!("{node}->b"),
            8 => format!("{node}->c"),
            9 => format!("(int){node}->{}", self.random.pick(&["f", "g"])),
            10 => format!("(int){node}->x"),
            _ => format!("({node}->p ? *{node}->p : 0)"),
        }
    }

    fn node(&mut self) -> &'static str {
        self.random.pick(&["n", "n", "m", "m", "k", "(&mine)"])
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        match self.random.below(6) {
            0 => format!("{} == {}", self.node(), self.node()),
            1 => format!("{}->next == {}", self.node(), self.node()),
            _ => format!("{a} {} {b}", self.random.pick(&["==", "!=", "<"])),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let (node, source, value) = (self.node(), self.node(), self.number());
        match self.random.below(if depth > 0 { 19 } else { 16 }) {
            0 | 1 => format!("{node}->a = {value};"),
            2 => format!("{node}->b = {value};"),
            3 => format!("{node}->{} = {value};", self.random.pick(&["c", "f", "g"])),
            4 => format!("{node}->x = {value} & 3;"),
            5 => format!("{node}->p = {};", self.random.pick(&["&own", "&other", "&n->a", "0"])),
            6 => format!("if ({node}->p) *{node}->p = {value};"),
            7 => format!("{node}->w = (unsigned long)&{};", self.random.pick(&["own", "other"])),
            8 => format!("if ({node}->w == (unsigned long)&own) *(int *){node}->w = {value};"),
            9 => format!("{node}->next = {};", self.random.pick(&["n", "m", "&mine", "0"])),
            10 => format!("k = {node}->next; if (!k) k = &mine;"),
            11 => format!("m = {node}->next ? {node}->next : m;"),
            12 => match self.random.below(3) {
                0 => format!("*{node} = *{source};"),
                1 => format!("if ({node} != {source}) memcpy({node}, {source}, sizeof *{node});"),
                _ => format!("memset({node}, 0, sizeof *{node});"),
            },
            13 => format!("{} = {value};", self.random.pick(&["own", "other"])),
            14 => format!("if (!(k = find({}))) k = n;", self.random.below(3)),
            15 => format!("own = {value} + 1;"),
            16 => format!("for (int i = 0; i < {}; i++) {{ {} }}", 2 + self.random.below(2), self.statement(0)),
            17 => format!("if ({}) {{ {} }}", self.condition(), self.statement(depth - 1)),
            _ => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(),
                self.statement(depth - 1),
                self.statement(0)
            ),
        }
    }

    /// Mostly something that the statements before have made true, or false.
    fn check(&mut self) -> String {
        let (node, value) = (self.node(), self.random.below(4));
        match self.random.below(4) {
            0 => format!("{node}->a = {value}; {} if ({node}->a != {value}) reach_error();", self.statement(0)),
            1 => format!("{node}->p = &own; own = {value}; *{node}->p += 1; if (own != {}) reach_error();", value + 1),
            2 => format!("if ({} && {}) reach_error();", self.condition(), self.condition()),
            _ => format!("{node}->f = {value}; if ({node}->f != {value}) reach_error();"),
        }
    }

    fn program(mut self) -> String {
        self.text = DECLARATIONS.to_string();
        self.text += "int main(void)\n{\n    struct node *n = find(0), *m = find(1), *k = &mine;\n    if (!n || !m)\n        return 0;\n";
        for _ in 0..2 + self.random.below(4) {
            let statement = self.statement(1);
            let _ = writeln!(self.text, "    {statement}");
        }
        for _ in 0..1 + self.random.below(2) {
            let check = self.check();
            let _ = writeln!(self.text, "    {check}");
        }
        self.text += "    return 0;\n}\n";
        self.text
    }
}

/// Whether an implementation reaches the error.
fn refuted(dir: &TempDir, changes: bool) -> Result<bool, String> {
    let text = format!(
        "#define main program_main\n#include \"program.c\"\n#define IMPLEMENTATIONS {IMPLEMENTATIONS}\n#define CHANGES {}\n{DRIVER}",
        changes as u32
    );
    let source = dir.write("driver.c", text);
    let binary = dir.path().join("driver");
    gcc_build(Arch::Lp64, &source, &binary, &["-w".as_ref(), "-fno-strict-aliasing".as_ref()])?;
    let done = run(&mut Command::new(&binary), TIMEOUT);
    match done.status.and_then(|status| status.code()) {
        Some(0) => Ok(false),
        Some(7) => Ok(true),
        _ => Err(format!("the driver fails: {}", done.describe())),
    }
}

/// Builds the harness as the output says, and runs it.
fn harness_fails(dir: &Path, output: &str) -> Result<(), String> {
    let mut lines = output.lines().skip_while(|line| !line.starts_with("wrote the harness to ")).skip(1);
    let compile = lines.next().ok_or(format!("no harness was written: {output}"))?.trim();
    let shell = |text: &str| run(Command::new("sh").args(["-c", text]).current_dir(dir), TIMEOUT);
    let built = shell(compile);
    if !built.success() {
        return Err(format!("the harness does not compile: {compile}: {}", built.describe()));
    }
    let binary = compile.split(" -o ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or("a.out");
    let done = shell(&format!("./{binary}"));
    // What is said of uninitialised variables and results of calls through pointers is an excuse.
    let is_excused = output.contains("the harness cannot set ");
    if done.status.and_then(|status| status.code()) == Some(VIOLATED) || is_excused {
        Ok(())
    } else {
        Err(format!("the harness does not fail: {}", done.describe()))
    }
}

/// The verdict of an engine, if it is not wrong.
fn judged(dir: &TempDir, engine: &str, changes: bool, is_refuted: bool) -> Result<String, String> {
    let missing = if changes { "havoc" } else { "nothing" };
    let mut check = plumb();
    check.current_dir(dir.path()).args(["check", "program.c", "--arch", "64", "--missing", missing, "--timeout", "10"]);
    check.args(["--engine", engine, "--certificate", "certificate", "--harness", "harness.c"]);
    let done = run(&mut check, TIMEOUT);
    let verdict = done.stdout.lines().last().unwrap_or_default().to_string();
    if done.stdout.contains("defect of Plumb") || done.stderr.contains("panicked") {
        return Err(format!("a defect: {}", done.describe()));
    }
    if verdict.starts_with("TRUE") {
        if is_refuted {
            return Err("an implementation refutes the proof".to_string());
        }
        let mut validate = plumb();
        validate.current_dir(dir.path()).args(["validate", "program.c", "--arch", "64", "--missing", missing]);
        let validated = run(validate.args(["--certificate", "certificate", "--timeout", "30"]), TIMEOUT);
        if validated.stdout.lines().last().is_some_and(|line| line.contains("rejected")) {
            return Err(format!("the certificate is rejected: {}", validated.describe()));
        }
    } else if verdict.starts_with("FALSE") {
        harness_fails(dir.path(), &done.stdout)?;
    }
    Ok(verdict)
}

#[test]
fn pointers_of_missing_functions() {
    if !testable_archs().contains(&Arch::Lp64) {
        return say("skipped: gcc does not build for 64 bits");
    }
    let (count, first) = (env_number("PLUMB_FOREIGN_COUNT", 12) as usize, env_number("PLUMB_FOREIGN_SEED", 1));
    let engines = std::env::var("PLUMB_FOREIGN_ENGINES").unwrap_or_else(|_| "bmc,symex,auto".to_string());
    let results = parallel(count, |index| {
        let seed = first + index as u64;
        let mut random = Random::new(seed);
        let changes = random.chance(30);
        let program = Generator { random, text: String::new() }.program();
        let dir = TempDir::new("foreign");
        dir.write("program.c", &program);
        let mut verdicts = Vec::new();
        let mut problems = Vec::new();
        match refuted(&dir, changes) {
            Ok(is_refuted) => {
                for engine in engines.split(',') {
                    match judged(&dir, engine, changes, is_refuted) {
                        Ok(verdict) => verdicts.push(verdict),
                        Err(problem) => problems.push(format!("seed {seed}, {engine}, changes {changes}: {problem}")),
                    }
                }
            }
            Err(problem) => problems.push(format!("seed {seed}: {problem}")),
        }
        if !problems.is_empty() {
            let kept = keep(&format!("foreign-{seed}.c"), &program);
            say(format!("{}\n{}", kept.display(), problems.join("\n")));
        }
        (verdicts, problems.len())
    });
    let all: Vec<&String> = results.iter().flat_map(|(verdicts, _)| verdicts).collect();
    let of = |kind: &str| all.iter().filter(|verdict| verdict.starts_with(kind)).count();
    let problems: usize = results.iter().map(|(_, problems)| problems).sum();
    say(format!(
        "foreign: {count} programs, {} TRUE, {} FALSE of {} answers, {problems} problems",
        of("TRUE"),
        of("FALSE"),
        all.len()
    ));
    assert_eq!(problems, 0, "wrong verdicts, or evidence that is worth nothing");
    // Where missing functions change what they are handed there is no such memory, and what was stored there beside addresses is a gap.
    assert!(of("TRUE") + of("FALSE") >= all.len() / 4, "too few answers to say anything");
}
