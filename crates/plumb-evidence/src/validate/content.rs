//! What a witness says, as types: metadata, waypoints of a violation, invariants, contracts.

use super::Rejected;
use super::yaml::{Yaml, parse};

/// A place in a file, as the witness names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metadata {
    pub version: String,
    /// Names and hashes.
    pub files: Vec<(String, String)>,
    pub specification: String,
    pub data_model: String,
    pub language: String,
    pub configuration: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    Assumption(String),
    Branching(bool),
    FunctionEnter,
    FunctionReturn(String),
    Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    /// To be passed, and not to be avoided.
    pub follow: bool,
    pub place: Place,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Of a loop, and not of a place.
    pub is_loop: bool,
    pub place: Place,
    pub value: String,
}

/// Of the function that is defined at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionContract {
    pub place: Place,
    pub requires: String,
    pub ensures: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InvariantSet {
    pub invariants: Vec<Invariant>,
    pub contracts: Vec<FunctionContract>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// By segment.
    Violation(Vec<Vec<Waypoint>>),
    Invariants(InvariantSet),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub metadata: Metadata,
    pub content: Content,
}

type Read<T> = Result<T, Rejected>;

fn malformed<T>(what: impl Into<String>) -> Read<T> {
    Err(Rejected(format!("the witness is malformed: {}", what.into())))
}

/// Reads a witness with a single entry.
pub fn read(text: &str) -> Read<Witness> {
    let document = match parse(text) {
        Ok(document) => document,
        Err(error) => return malformed(error.to_string()),
    };
    let entries = match &document {
        Yaml::Sequence(entries) => &entries[..],
        entry @ Yaml::Mapping(_) => std::slice::from_ref(entry),
        Yaml::Scalar(_) | Yaml::Null => return malformed("there is no entry"),
    };
    let [entry] = entries else { return malformed(format!("it has {} entries instead of one", entries.len())) };
    let metadata = metadata(field(entry, "metadata")?)?;
    let content = field(entry, "content")?;
    let Some(items) = content.list() else { return malformed("`content` is not a list") };
    let content = match text_of(entry, "entry_type")? {
        "violation_sequence" => Content::Violation(items.iter().map(segment).collect::<Read<_>>()?),
        "invariant_set" => Content::Invariants(invariant_set(items)?),
        other => return malformed(format!("there are no entries of type `{other}`")),
    };
    Ok(Witness { metadata, content })
}

fn field<'a>(of: &'a Yaml, key: &str) -> Read<&'a Yaml> {
    match of.get(key) {
        Some(value) => Ok(value),
        None => malformed(format!("`{key}` is missing")),
    }
}

fn text_of<'a>(of: &'a Yaml, key: &str) -> Read<&'a str> {
    match field(of, key)?.text() {
        Some(text) => Ok(text),
        None => malformed(format!("`{key}` is not a string")),
    }
}

fn metadata(of: &Yaml) -> Read<Metadata> {
    let task = field(of, "task")?;
    let Some(names) = field(task, "input_files")?.list() else { return malformed("`input_files` is not a list") };
    let hashes = field(task, "input_file_hashes")?;
    let mut files = Vec::new();
    for name in names {
        let Some(name) = name.text() else { return malformed("an input file has no name") };
        files.push((name.to_string(), text_of(hashes, name)?.to_string()));
    }
    let producer = field(of, "producer")?;
    Ok(Metadata {
        version: text_of(of, "format_version")?.to_string(),
        files,
        specification: text_of(task, "specification")?.to_string(),
        data_model: text_of(task, "data_model")?.to_string(),
        language: text_of(task, "language")?.to_string(),
        configuration: producer.get("configuration").and_then(Yaml::text).map(str::to_string),
    })
}

fn place(of: &Yaml) -> Read<Place> {
    let number = |key: &str| match of.get(key) {
        None | Some(Yaml::Null) => Ok(None),
        Some(value) => match value.text().and_then(|text| text.parse::<u32>().ok()).filter(|n| *n > 0) {
            Some(number) => Ok(Some(number)),
            None => malformed(format!("`{key}` is not a positive number")),
        },
    };
    let Some(line) = number("line")? else { return malformed("`line` is missing") };
    Ok(Place {
        file: text_of(of, "file_name")?.to_string(),
        line,
        column: number("column")?,
        function: of.get("function").and_then(Yaml::text).map(str::to_string),
    })
}

fn segment(of: &Yaml) -> Read<Vec<Waypoint>> {
    let Some(items) = field(of, "segment")?.list() else { return malformed("a segment is not a list") };
    let waypoints = items.iter().map(|item| waypoint(field(item, "waypoint")?)).collect::<Read<Vec<_>>>()?;
    let followed = waypoints.iter().position(|w| w.follow);
    match followed {
        Some(at) if at + 1 == waypoints.len() => Ok(waypoints),
        Some(_) | None => malformed("a segment must end with its only waypoint to follow"),
    }
}

fn waypoint(of: &Yaml) -> Read<Waypoint> {
    let constraint = |formats: &[&str]| {
        let constraint = field(of, "constraint")?;
        match constraint.get("format").and_then(Yaml::text) {
            Some(format) if !formats.contains(&format) => malformed(format!("the format `{format}` of a constraint")),
            Some(_) | None => Ok(text_of(constraint, "value")?.to_string()),
        }
    };
    let kind = match text_of(of, "type")? {
        "target" => WaypointKind::Target,
        "function_enter" => WaypointKind::FunctionEnter,
        "assumption" => WaypointKind::Assumption(constraint(&["c_expression"])?),
        "function_return" => {
            let formats = &["acsl_expression", "ext_c_expression", "c_expression"];
            WaypointKind::FunctionReturn(constraint(formats)?)
        }
        "branching" => match constraint(&[])?.as_str() {
            "true" => WaypointKind::Branching(true),
            "false" => WaypointKind::Branching(false),
            other => return malformed(format!("a branch goes `{other}`")),
        },
        other => return malformed(format!("there are no waypoints of type `{other}`")),
    };
    let follow = match text_of(of, "action")? {
        "follow" => true,
        "avoid" if kind != WaypointKind::Target => false,
        other => return malformed(format!("there is no action `{other}` for this waypoint")),
    };
    Ok(Waypoint { kind, follow, place: place(field(of, "location")?)? })
}

fn invariant_set(items: &[Yaml]) -> Read<InvariantSet> {
    let mut set = InvariantSet::default();
    for item in items {
        // Before format 2.1 was fixed, contracts were among invariants.
        let of = match item.get("contract") {
            Some(of) => of,
            None => field(item, "invariant")?,
        };
        match text_of(of, "type")? {
            "function_contract" => set.contracts.push(contract(of)?),
            _ => set.invariants.push(invariant(field(item, "invariant")?)?),
        }
    }
    Ok(set)
}

fn contract(of: &Yaml) -> Read<FunctionContract> {
    match of.get("format").and_then(Yaml::text) {
        Some("ext_c_expression" | "acsl_expression" | "c_expression") | None => {}
        Some(other) => return malformed(format!("the format `{other}` of a contract")),
    }
    // What is left out promises nothing.
    let condition = |key: &str| match of.get(key) {
        None | Some(Yaml::Null) => Ok("1".to_string()),
        Some(_) => Ok(text_of(of, key)?.to_string()),
    };
    let (requires, ensures) = (condition("requires")?, condition("ensures")?);
    Ok(FunctionContract { place: place(field(of, "location")?)?, requires, ensures })
}

fn invariant(of: &Yaml) -> Read<Invariant> {
    let is_loop = match text_of(of, "type")? {
        "loop_invariant" => true,
        "location_invariant" => false,
        other => return malformed(format!("there are no invariants of type `{other}`")),
    };
    match of.get("format").and_then(Yaml::text) {
        Some("c_expression") | None => {}
        Some(other) => return malformed(format!("the format `{other}` of an invariant")),
    }
    Ok(Invariant { is_loop, place: place(field(of, "location")?)?, value: text_of(of, "value")?.to_string() })
}
