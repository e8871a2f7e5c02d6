//! What an OIL description says, as it is written: attribute definitions of the implementation, and objects with their
//! attributes.

use plumb_c::source::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// Everything that was read, sections of a kind joined in their order.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The last `OIL_VERSION`.
    pub version: Option<Name>,
    pub definitions: Vec<ObjectDefinition>,
    /// The names of the CPU sections; several describe one system.
    pub cpus: Vec<Name>,
    pub objects: Vec<Object>,
}

/// The attributes that objects of a kind have: part of an IMPLEMENTATION section.
#[derive(Clone, Debug)]
pub struct ObjectDefinition {
    pub kind: Name,
    pub attributes: Vec<AttributeDefinition>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct AttributeDefinition {
    pub name: Name,
    pub ty: AttributeType,
    pub with_auto: bool,
    /// `[]`: the attribute may be given any number of times.
    pub multiple: bool,
    pub default: Default,
}

#[derive(Clone, PartialEq, Debug)]
pub enum AttributeType {
    Integer {
        bits: u32,
        signed: bool,
        range: Option<IntegerRange>,
    },
    Float {
        range: Option<(f64, f64)>,
    },
    /// The attributes that belong to each of the two values.
    Boolean {
        when_true: Vec<AttributeDefinition>,
        when_false: Vec<AttributeDefinition>,
    },
    Enumeration(Vec<Enumerator>),
    Text,
    /// A C identifier without quotes: `IDENTIFIER` in Trampoline's definitions, `SYMBOLNAME` in TOPPERS/OSEK's.
    Identifier,
    /// `TASK_TYPE` and the like, by the kind of object.
    Reference(String),
    /// A named group of attributes, `STRUCT` in Trampoline's definitions.
    Group(Vec<AttributeDefinition>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum IntegerRange {
    Between(i128, i128),
    OneOf(Vec<i128>),
}

impl IntegerRange {
    pub fn contains(&self, number: i128) -> bool {
        match self {
            IntegerRange::Between(low, high) => (*low..=*high).contains(&number),
            IntegerRange::OneOf(list) => list.contains(&number),
        }
    }
}

impl std::fmt::Display for IntegerRange {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            IntegerRange::Between(low, high) => write!(f, "from {low} to {high}"),
            IntegerRange::OneOf(list) => {
                let list: Vec<String> = list.iter().map(i128::to_string).collect();
                write!(f, "one of {}", list.join(", "))
            }
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Enumerator {
    pub name: Name,
    /// The attributes that belong to this value.
    pub attributes: Vec<AttributeDefinition>,
}

/// What an attribute is that an object does not give.
#[derive(Clone, PartialEq, Debug)]
pub enum Default {
    /// Nothing is said: an earlier definition's default stays.
    Unsaid,
    /// `NO_DEFAULT`: every object must give it.
    None,
    Value(Value),
}

/// An object of a CPU section.
#[derive(Clone, Debug)]
pub struct Object {
    /// The number of the CPU section that it stands in.
    pub section: usize,
    pub kind: Name,
    pub name: Name,
    pub attributes: Vec<Attribute>,
}

/// `NAME = value;`, or `NAME name { ... };` for a group.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    pub name: Name,
    pub value: Value,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    pub kind: ValueKind,
    pub span: Span,
    /// What stands in braces behind a name, `TRUE` or `FALSE`.
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ValueKind {
    /// An enumerator, an identifier or the name of an object.
    Name(String),
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    Auto,
    /// The name of a group of attributes.
    Group(String),
}

impl std::fmt::Display for ValueKind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ValueKind::Name(text) | ValueKind::Group(text) => f.write_str(text),
            ValueKind::Boolean(true) => f.write_str("TRUE"),
            ValueKind::Boolean(false) => f.write_str("FALSE"),
            ValueKind::Integer(number) => write!(f, "{number}"),
            ValueKind::Float(number) => write!(f, "{number}"),
            ValueKind::Text(text) => write!(f, "{text:?}"),
            ValueKind::Auto => f.write_str("AUTO"),
        }
    }
}
