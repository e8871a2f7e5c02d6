//! Property files of the Competition on Software Verification: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    UnreachCall(String),
    UnreachLabel(String),
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
}

/// What a property file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyFile {
    /// The function inside `init(...)`.
    pub entry: String,
    pub properties: Vec<Property>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrpError {
    /// One-based.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for PrpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for PrpError {}

/// Parses a property file, one property per line; blank lines and lines starting with `//` or `#` are skipped.
pub fn parse(text: &str) -> Result<PropertyFile, PrpError> {
    let mut entry: Option<String> = None;
    let mut properties = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fail = |message: String| PrpError { line: index + 1, message };
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
            continue;
        }
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let (start, formula) = split(&compact)
            .ok_or_else(|| fail(format!("expected `CHECK( init(main()), LTL(...) )`, found `{line}`")))?;
        if entry.as_deref().is_some_and(|other| other != start) {
            return Err(fail(format!("`init({start}())` differs from the entry of the lines before")));
        }
        entry = Some(start.to_string());
        let property = property(formula).ok_or_else(|| {
            let known = "G ! call(f()), G ! label(L), G ! overflow, G valid-free, G valid-deref, G valid-memtrack and \
                         G valid-memcleanup";
            fail(format!("the property `{formula}` is not supported; the supported ones are {known}"))
        })?;
        properties.push(property);
    }
    let missing = || PrpError { line: 1, message: "there is no property in the file".to_string() };
    Ok(PropertyFile { entry: entry.ok_or_else(missing)?, properties })
}

/// The entry function and the formula of a line without blanks.
fn split(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("CHECK(init(")?;
    let (entry, rest) = rest.split_once("()),LTL(")?;
    let formula = rest.strip_suffix("))")?;
    is_identifier(entry).then_some((entry, formula))
}

fn property(formula: &str) -> Option<Property> {
    let always = formula.strip_prefix('G')?;
    match always {
        "valid-free" => return Some(Property::ValidFree),
        "valid-deref" => return Some(Property::ValidDeref),
        "valid-memtrack" => return Some(Property::ValidMemtrack),
        "valid-memcleanup" => return Some(Property::ValidMemcleanup),
        "!overflow" => return Some(Property::NoOverflow),
        _ => {}
    }
    let name_in = |prefix: &str, suffix: &str| {
        let name = always.strip_prefix(prefix)?.strip_suffix(suffix)?;
        is_identifier(name).then(|| name.to_string())
    };
    if let Some(name) = name_in("!call(", "())") {
        return Some(Property::UnreachCall(name));
    }
    name_in("!label(", ")").map(Property::UnreachLabel)
}

fn is_identifier(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_files_parse() {
        let unreach = parse("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n").unwrap();
        assert_eq!(unreach.entry, "main");
        assert_eq!(unreach.properties, [Property::UnreachCall("reach_error".to_string())]);
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\nCHECK(init(main()),LTL(G valid-memcleanup))";
        assert_eq!(parse(memory).unwrap().properties.len(), 4);
        let overflow = parse("CHECK( init(f()), LTL(G ! overflow) )").unwrap();
        assert_eq!((overflow.entry.as_str(), &overflow.properties[..]), ("f", &[Property::NoOverflow][..]));
        let label = parse("CHECK( init(main()), LTL(G ! label(ERROR)) )").unwrap();
        assert_eq!(label.properties, [Property::UnreachLabel("ERROR".to_string())]);
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        let error = |text: &str| parse(text).unwrap_err();
        assert!(error("CHECK( init(main()), LTL(F end) )").message.contains("Fend"));
        assert_eq!(error("CHECK( init(main()), LTL(G ! overflow) )\nnonsense").line, 2);
        assert!(error("").message.contains("no property"));
        assert!(error("CHECK( init(main()), LTL(G ! data-race) )").message.contains("data-race"));
        assert!(error("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").message.contains("CHECK"));
    }
}
