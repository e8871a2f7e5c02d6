//! Witnesses have exactly the shape that format 2.0 allows, and their places are right.

mod support;

use plumb_evidence::{Task, TaskFile, witness};
use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};
use support::{Case, case, int, violation};

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
            "assumption" => assert_eq!(format, Some("c_expression")),
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

fn witness_of(case: &Case, values: Vec<plumb_exec::InputValue>) -> Vec<Point> {
    let name = case.file.display().to_string();
    let task = Task {
        files: vec![TaskFile { name: name.clone(), content: std::fs::read(&case.file).unwrap() }],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_string(),
        created: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        version: "0.1.0".to_string(),
        command_line: Some("plumb check \"a b\".c".to_string()),
    };
    let violation = violation(&case.program, values);
    waypoints(&witness(&case.program, &violation, &task).unwrap(), &name)
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
    let told: Vec<Point> = points.into_iter().filter(|p| p.0 != "assumption").collect();
    assert_eq!(told, expected);
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
    // Inside macros the line is known and the column is not; what follows one is found by its word.
    for (kind, _, line, column) in &points {
        match (kind.as_str(), line) {
            ("branching", 7) => assert_eq!(*column, Some(42)),
            ("function_return", 7) => assert_eq!(*column, None),
            _ => assert_eq!(*line, 8, "{kind}"),
        }
    }
    assert_eq!(points.last().unwrap().2, 8);
}
