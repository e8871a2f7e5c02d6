//! Witnesses have exactly the shape that format 2.0 allows, and their places are right.

mod support;

use plumb_evidence::{NoWitness, Task, TaskFile, witness};
use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};
use support::{Case, How, budget, case, case_with, int, replayed};

/// The part of YAML that witnesses are written in: maps and lists by indentation, strings in double quotes, whole numbers.
#[derive(Clone, PartialEq, Debug)]
enum Yaml {
    Map(BTreeMap<String, Yaml>),
    List(Vec<Yaml>),
    Text(String),
    Number(u64),
}

struct Lines<'a> {
    /// Indentation and text; a dash counts as indentation of what follows it.
    lines: Vec<(usize, &'a str)>,
    at: usize,
}

fn parse(text: &str) -> Yaml {
    let mut lines = Vec::new();
    for line in text.lines() {
        assert!(!line.contains('\t') && line.trim_end() == line && !line.is_empty(), "{line:?}");
        let rest = line.trim_start();
        lines.push((line.len() - rest.len(), rest));
    }
    let mut lines = Lines { lines, at: 0 };
    let value = lines.value(0);
    assert_eq!(lines.at, lines.lines.len());
    value
}

impl Lines<'_> {
    fn value(&mut self, indent: usize) -> Yaml {
        let (found, text) = self.lines[self.at];
        assert!(found >= indent, "{text}");
        if text.starts_with("- ") { self.list(found) } else { self.map(found) }
    }

    fn list(&mut self, indent: usize) -> Yaml {
        let mut items = Vec::new();
        while self.at < self.lines.len() && self.lines[self.at].0 == indent && self.lines[self.at].1.starts_with("- ") {
            let rest = &self.lines[self.at].1[2..];
            if rest.starts_with('"') && scalar_end(rest) == rest.len() {
                items.push(scalar(rest));
                self.at += 1;
            } else {
                self.lines[self.at] = (indent + 2, rest);
                items.push(self.map(indent + 2));
            }
        }
        Yaml::List(items)
    }

    fn map(&mut self, indent: usize) -> Yaml {
        let mut map = BTreeMap::new();
        while self.at < self.lines.len() && self.lines[self.at].0 == indent && !self.lines[self.at].1.starts_with("- ")
        {
            let text = self.lines[self.at].1;
            let end = if text.starts_with('"') { scalar_end(text) } else { text.find(':').expect("a key") };
            let key = text[..end].trim_matches('"').to_string();
            let rest = text[end..].strip_prefix(':').expect("a colon").trim_start();
            self.at += 1;
            let value = if rest.is_empty() { self.value(indent) } else { scalar(rest) };
            assert!(map.insert(key.clone(), value).is_none(), "{key} twice");
        }
        Yaml::Map(map)
    }
}

fn scalar_end(text: &str) -> usize {
    let mut escaped = false;
    let closing = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    closing.expect("a closing quote").0 + 1
}

fn scalar(text: &str) -> Yaml {
    match text.strip_prefix('"') {
        Some(_) => {
            assert_eq!(scalar_end(text), text.len(), "{text}");
            Yaml::Text(text[1..text.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\"))
        }
        None => Yaml::Number(text.parse().unwrap_or_else(|_| panic!("{text} is no number"))),
    }
}

impl Yaml {
    fn map(&self, keys: &[&str], optional: &[&str]) -> &BTreeMap<String, Yaml> {
        let Yaml::Map(map) = self else { panic!("{self:?} is no map") };
        keys.iter().for_each(|k| assert!(map.contains_key(*k), "{k} is missing in {map:?}"));
        map.keys()
            .for_each(|k| assert!(keys.contains(&k.as_str()) || optional.contains(&k.as_str()), "{k} is too much"));
        map
    }

    fn list(&self) -> &[Yaml] {
        let Yaml::List(list) = self else { panic!("{self:?} is no list") };
        assert!(!list.is_empty());
        list
    }

    fn text(&self) -> &str {
        let Yaml::Text(text) = self else { panic!("{self:?} is no string") };
        text
    }

    fn number(&self) -> u64 {
        let Yaml::Number(number) = self else { panic!("{self:?} is no number") };
        *number
    }
}

/// A waypoint: type, value of its constraint, line, column.
type Point = (String, Option<String>, u64, Option<u64>);

/// Reads a witness as strictly as the format's schema does.
fn waypoints(text: &str, file: &str) -> Vec<Point> {
    let yaml = parse(text);
    let [entry] = yaml.list() else { panic!("one entry") };
    let entry = entry.map(&["entry_type", "metadata", "content"], &[]);
    assert_eq!(entry["entry_type"].text(), "violation_sequence");
    let keys = ["format_version", "uuid", "creation_time", "producer", "task"];
    let metadata = entry["metadata"].map(&keys, &[]);
    assert_eq!(metadata["format_version"].text(), "2.0");
    assert_eq!(metadata["uuid"].text().split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    assert_eq!(metadata["creation_time"].text(), "2023-11-14T22:13:20Z");
    metadata["producer"].map(&["name", "version"], &["configuration", "command_line", "description"]);
    let keys = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    let task = metadata["task"].map(&keys, &[]);
    let files: Vec<&str> = task["input_files"].list().iter().map(Yaml::text).collect();
    assert_eq!(files, [file]);
    let hashes = task["input_file_hashes"].map(&[file], &[]);
    assert_eq!(hashes[file].text().len(), 64);
    assert_eq!(task["data_model"].text(), "LP64");
    assert_eq!(task["language"].text(), "C");
    let mut points = Vec::new();
    for segment in entry["content"].list() {
        let [waypoint] = segment.map(&["segment"], &[])["segment"].list() else { panic!("one waypoint per segment") };
        let waypoint =
            waypoint.map(&["waypoint"], &[])["waypoint"].map(&["type", "action", "location"], &["constraint"]);
        assert_eq!(waypoint["action"].text(), "follow");
        let location = waypoint["location"].map(&["file_name", "line"], &["column", "function"]);
        assert_eq!(location["file_name"].text(), file);
        let kind = waypoint["type"].text();
        let constraint = waypoint.get("constraint").map(|c| c.map(&["value"], &["format"]));
        let format = constraint.and_then(|c| c.get("format")).map(Yaml::text);
        let value = constraint.map(|c| c["value"].text().to_string());
        match kind {
            "function_return" => assert_eq!(format, Some("acsl_expression")),
            "branching" => assert!(format.is_none() && ["true", "false"].contains(&value.as_deref().unwrap())),
            "target" => assert!(constraint.is_none()),
            other => panic!("{other} is no type of waypoint"),
        }
        points.push((kind.to_string(), value, location["line"].number(), location.get("column").map(Yaml::number)));
    }
    let targets = points.iter().filter(|p| p.0 == "target").count();
    assert_eq!(targets, 1);
    assert_eq!(points.last().unwrap().0, "target");
    points
}

fn task(case: &Case) -> Task {
    let name = case.file.display().to_string();
    Task {
        configuration: None,
        files: vec![TaskFile { name, content: std::fs::read(&case.file).unwrap() }],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_string(),
        created: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        version: "0.1.0".to_string(),
        command_line: Some("plumb check \"a b\".c".to_string()),
    }
}

fn witness_of(case: &Case, values: Vec<plumb_exec::InputValue>) -> Vec<Point> {
    let replayed = replayed(&case.program, values);
    let made = witness(&case.program, &replayed, &task(case), &budget(Duration::from_secs(10)));
    waypoints(&made.unwrap(), &case.file.display().to_string())
}

/// The line and column of the target.
fn target(text: &str, checks: &'static str, values: Vec<plumb_exec::InputValue>) -> (u64, u64) {
    let case = case_with(text, &How { checks, ..How::default() });
    let points = witness_of(&case, values);
    let last = points.last().unwrap();
    (last.2, last.3.expect("a column"))
}

#[test]
fn a_run_becomes_a_sequence_of_waypoints() {
    let case = case(
        "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned sensor(int);
int main(void)
{
    int n = 0;
    while (n < 2) {
        int x = __VERIFIER_nondet_int ();
        if (!(x >= 0)) n++;
    }
    if (sensor(n) == 7u)
        reach_error();
    return 0;
}
",
    );
    let points = witness_of(&case, vec![int(-1), int(4), int(-5), int(7)]);
    let expected = [
        ("branching", "true", 7, 5),
        ("function_return", "\\result == -1", 8, 40),
        ("branching", "true", 9, 9),
        ("branching", "true", 7, 5),
        ("function_return", "\\result == 4", 8, 40),
        ("branching", "false", 9, 9),
        ("branching", "true", 7, 5),
        ("function_return", "\\result == -5", 8, 40),
        ("branching", "true", 9, 9),
        ("branching", "false", 7, 5),
        ("function_return", "\\result == 7", 11, 17),
        ("branching", "true", 11, 5),
    ];
    let expected: Vec<Point> = expected
        .into_iter()
        .map(|(kind, value, line, column)| (kind.to_string(), Some(value.to_string()), line, Some(column)))
        .chain([("target".to_string(), None, 12, Some(9))])
        .collect();
    assert_eq!(points, expected);
}

#[test]
fn macros_do_not_move_places() {
    let case = case(
        "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define LONG_NAME_FOR_THE_INPUT __VERIFIER_nondet_int()
#define CHECK(x) do { if (x) reach_error(); } while (0)
int main(void)
{
    int a = LONG_NAME_FOR_THE_INPUT + 1; if (a == 4) a = 5;
    CHECK(a == 5);
    return 0;
}
",
    );
    let points = witness_of(&case, vec![int(3)]);
    // What comes from a macro is no place of the file; the target is the macro's.
    let expected = [("branching", Some("true"), 7, 42), ("target", None, 8, 5)];
    let expected =
        expected.map(|(kind, value, line, column)| (kind.to_string(), value.map(str::to_string), line, Some(column)));
    assert_eq!(points, expected);
}

const INPUT: &str = "extern int __VERIFIER_nondet_int(void);\nint id(int a, int b) { return a; }\n";

#[test]
fn targets_are_full_expressions() {
    let overflow = |statement: &str| {
        let text = format!(
            "{INPUT}int main(void) {{\n  int x = __VERIFIER_nondet_int(), y = 3, z[3];\n{statement}\n  return y;\n}}\n"
        );
        let (line, column) = target(&text, "overflow", vec![int(i32::MAX as i128)]);
        assert_eq!(line, 5, "{statement}");
        column
    };
    assert_eq!(overflow("  y = 4 + id(y, 3 * (x + 1));"), 3);
    assert_eq!(overflow("  y = x > 5 ? x + 1 : 2;"), 3);
    assert_eq!(overflow("  z[y - 2] = y, y = x + 1;"), 3);
    assert_eq!(overflow("  return y + id(x * 2, 1);"), 10);
    assert_eq!(overflow("  int w = y + (x + 1);"), 11);
    assert_eq!(overflow("  if (y && x + 1 > 0) y = 2;"), 7);
    assert_eq!(overflow("  for (y = 0; y < 2; x++) y = 2;"), 22);
    assert_eq!(overflow("  while (x + 1 > 0) y = 2;"), 10);
    assert_eq!(overflow("  do y = x + 1; while (0);"), 6);
}

#[test]
fn targets_of_the_library_are_the_users_calls() {
    let memory = "#include <stdlib.h>\n#include <string.h>\n";
    let twice = format!("{memory}int main(void) {{\n  int *a = malloc(4);\n  free(a); free(a);\n  return 0;\n}}\n");
    assert_eq!(target(&twice, "double-free", vec![]), (5, 12));
    let long = format!(
        "{memory}int main(void) {{\n  char b[4]; int n = 2;\n  if (n) n += !!strcpy(b, \"hello\");\n  return 0;\n}}\n"
    );
    assert_eq!(target(&long, "pointer", vec![]), (5, 10));
    // Leaks end with the program.
    let lost = "static void f(int n) {\n  char *q = malloc(3);\n  q[0] = n;\n}\n";
    let returned = format!("{memory}{lost}int main(void) {{\n  f(2);\n  return 0;\n}}\n");
    assert_eq!(target(&returned, "leak", vec![]), (9, 3));
    let fallen = format!("{memory}{lost}int main(void) {{\n  f(2);\n}}\n");
    assert_eq!(target(&fallen, "leak", vec![]), (8, 3));
    let ended = format!("{memory}{lost}int main(void) {{\n  f(2);\n  if (1) exit(3);\n}}\n");
    assert_eq!(target(&ended, "leak", vec![]), (9, 10));
    // Calls through pointers are where the call is.
    let pointer = "extern void reach_error();\nvoid (*fp)() = reach_error;\nint main(void) {\n  fp();\n}\n";
    assert_eq!(target(pointer, "", vec![]), (4, 3));
}

#[test]
fn targets_inside_macros_are_the_macros() {
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define IN __VERIFIER_nondet_int()
#define CHK(c) do { if (!(c)) assert(0); } while (0)
#define NEXT(c) ((c) + 1)
int main(void) {
  int a = IN, b = 1; if (a == 3) { b = a; assert(a != b); }
  if (a == 4) b = 2; CHK(b != 2);
  b = 1 + NEXT(a);
  return 0;
}
";
    let case = case(text);
    assert_eq!(target(text, "", vec![int(3)]), (7, 43));
    assert_eq!(target(text, "", vec![int(4)]), (8, 22));
    assert_eq!(target(text, "overflow", vec![int(i32::MAX as i128)]), (9, 3));
    // No waypoint points into a macro, or has no column.
    let points = witness_of(&case, vec![int(3)]);
    assert!(points.iter().all(|p| p.3.is_some() && p.0 != "function_return"), "{points:?}");
}

#[test]
fn constants_are_those_of_c() {
    let case = case(
        "extern void reach_error(void); extern unsigned long __VERIFIER_nondet_ulong(void);
extern long __VERIFIER_nondet_long(void); extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { __VERIFIER_nondet_ulong(); __VERIFIER_nondet_long(); __VERIFIER_nondet_uchar(); reach_error(); }
",
    );
    let points = witness_of(&case, vec![int(-1), int(i64::MIN as i128), int(200)]);
    let values: Vec<String> = points.into_iter().filter_map(|p| p.1).collect();
    let expected = ["18446744073709551615u", "(-9223372036854775807 - 1)", "200"];
    assert_eq!(values, expected.map(|c| format!("\\result == {c}")));
}

#[test]
fn machines_without_a_data_model_get_no_witness() {
    let text = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n";
    for (arch, has_one) in [("64", true), ("32", true), ("avr", false), ("hc12", false)] {
        let case = case_with(text, &How { arch, ..How::default() });
        let made =
            witness(&case.program, &replayed(&case.program, vec![]), &task(&case), &budget(Duration::from_secs(10)));
        match made {
            Ok(text) => assert!(has_one && text.contains(if arch == "64" { "\"LP64\"" } else { "\"ILP32\"" })),
            Err(why) => assert!(!has_one && matches!(why, NoWitness::DataModel(name) if name == arch)),
        }
    }
}

#[test]
fn without_time_a_witness_has_values_and_target() {
    let case = case(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int n;
int main(void) {
  while (n < 10000000) n++;
  if (__VERIFIER_nondet_int() == 7) reach_error();
}
",
    );
    let found = replayed(&case.program, vec![int(7)]);
    let made = witness(&case.program, &found, &task(&case), &budget(Duration::ZERO)).unwrap();
    let points = waypoints(&made, &case.file.display().to_string());
    let kinds: Vec<(&str, u64, Option<u64>)> = points.iter().map(|p| (&*p.0, p.2, p.3)).collect();
    assert_eq!(kinds, [("function_return", 4, Some(29)), ("target", 4, Some(37))]);
    // A claim that there is no time to replay is no violation.
    let late = plumb_evidence::replay(&case.program, &found.violation(), &budget(Duration::ZERO));
    assert!(matches!(late, Err(plumb_evidence::NotReplayed::OutOfTime)));
}
