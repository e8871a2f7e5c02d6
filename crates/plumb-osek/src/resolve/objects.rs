//! The objects of a description by kind, in the order in which they are first described, and the objects that attributes
//! refer to.

use super::error;
use crate::ast::{Attribute, Description, Name};
use crate::settings::{Checker, PassedOver, Setting, Settings};
use crate::vendor;
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;
use std::collections::HashMap;

/// Kinds whose names become names in C: an application uses them all in one scope.
pub const NAMED_KINDS: [&str; 7] = ["TASK", "EVENT", "RESOURCE", "COUNTER", "ALARM", "MESSAGE", "APPMODE"];
/// Kinds of which a system has one object, whatever it is called and however often it is described.
const SINGLE_KINDS: [&str; 2] = ["OS", "COM"];
/// The kernel's tables number objects in a byte, of which 255 stands for none.
const MAX_OBJECTS: usize = 254;

/// An object with all of its parts joined and its attributes checked.
pub struct Object {
    pub kind: String,
    pub name: String,
    pub span: Span,
    pub settings: Settings,
}

impl Object {
    /// As messages name it.
    pub fn shown(&self) -> String {
        format!("{} `{}`", self.kind, self.name)
    }

    /// A value that must be given; an error is reported if it is not.
    pub fn required<'a>(&self, settings: &'a Settings, name: &str, diags: &mut Diagnostics) -> Option<&'a Setting> {
        if settings.lacks(name) {
            let help = "give it, or a default for it in an IMPLEMENTATION section (name the vendor's file with another `--oil`)";
            error(diags, self.span, format!("{} has no `{name}`", self.shown()), help);
        }
        settings.one(name)
    }

    /// A number that must be given.
    pub fn number(&self, settings: &Settings, name: &str, diags: &mut Diagnostics) -> Option<(i128, Span)> {
        self.required(settings, name, diags)?;
        settings.integer(name)
    }
}

/// All objects that are understood.
pub struct Objects {
    list: Vec<Object>,
    /// Of kinds whose objects share one scope.
    by_name: HashMap<String, usize>,
}

/// The parts of an object, as they were found.
struct Parts {
    kind: Name,
    name: Name,
    attributes: Vec<Attribute>,
}

impl Objects {
    pub fn gather(description: &Description, mut checker: Checker) -> (Objects, Vec<PassedOver>) {
        let parts = join(description, &mut checker);
        let mut objects = Objects { list: Vec::new(), by_name: HashMap::new() };
        for part in &parts {
            if checker.understood.has_kind(&part.kind.text) {
                let settings = checker.object(&part.kind.text, &part.name.text, part.name.span, &part.attributes);
                objects.add(part, settings, checker.diags);
            }
        }
        for part in parts.iter().filter(|part| !checker.understood.has_kind(&part.kind.text)) {
            objects.vendor_object(part, &mut checker);
        }
        for kind in NAMED_KINDS {
            if let Some(object) = objects.of(kind).nth(MAX_OBJECTS) {
                let message = format!("there are more than {MAX_OBJECTS} objects of kind {kind}");
                error(checker.diags, object.span, message, "split the system");
            }
        }
        (objects, checker.passed_over)
    }

    fn add(&mut self, part: &Parts, settings: Settings, diags: &mut Diagnostics) {
        let (kind, name) = (part.kind.text.clone(), part.name.text.clone());
        if NAMED_KINDS.contains(&kind.as_str()) {
            if is_keyword(&name) {
                error(diags, part.name.span, format!("`{name}` cannot name an object: it is a word of C"), "rename it");
            }
            match self.by_name.get(&name) {
                Some(&other) => {
                    let message =
                        format!("{kind} `{name}` has the name of another object, of kind {}", self.list[other].kind);
                    error(diags, part.name.span, message, "names are the same in C, whatever the kind: rename one");
                }
                None => {
                    self.by_name.insert(name.clone(), self.list.len());
                }
            }
        }
        self.list.push(Object { kind, name, span: part.name.span, settings });
    }

    fn vendor_object(&self, part: &Parts, checker: &mut Checker) {
        let kind = &part.kind.text;
        let help = format!("if it plays no role for what is checked, say `--oil-ignore {kind}`");
        if checker.ignored.contains(kind) {
            return checker.pass_over(kind.clone());
        }
        if let Some(reason) = vendor::refused_kind(kind) {
            let message = format!("{kind} `{}` is not supported: {reason}", part.name.text);
            return error(checker.diags, part.kind.span, message, help);
        }
        let is_scheduled = |name: &str| self.by_name.contains_key(name);
        match vendor::first_reference(&part.attributes, &is_scheduled) {
            Some(value) => {
                let message = format!(
                    "{kind} `{}` is not understood, and could change the schedule: it refers to `{}`",
                    part.name.text, value.kind
                );
                error(checker.diags, value.span, message, help);
            }
            None => checker.pass_over(kind.clone()),
        }
    }

    pub fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Object> {
        self.list.iter().filter(move |object| object.kind == kind)
    }

    /// The number of an object among those of its kind.
    pub fn index(&self, kind: &str, name: &str) -> Option<usize> {
        self.of(kind).position(|object| object.name == name)
    }

    /// The object of this kind that an attribute refers to, as a number; an error is reported if there is none.
    pub fn refer(&self, kind: &str, setting: &Setting, user: &Object, diags: &mut Diagnostics) -> Option<usize> {
        let name = setting.kind.to_string();
        if let Some(index) = self.index(kind, &name) {
            return Some(index);
        }
        let message = match self.by_name.get(&name) {
            Some(&other) => {
                let other = &self.list[other].kind;
                format!("{} refers to `{name}`, which is of kind {other}, not {kind}", user.shown())
            }
            None => format!("{} refers to the {kind} `{name}`, which is not described", user.shown()),
        };
        let help = match self.similar(kind, &name) {
            Some(similar) => format!("correct the name: {kind} `{similar}` is described"),
            None => format!("describe the {kind}, or correct the name"),
        };
        error(diags, setting.span, message, help);
        None
    }

    /// The number of the object that an attribute must refer to.
    pub fn required_reference(
        &self,
        kind: &str,
        name: &str,
        user: &Object,
        settings: &Settings,
        diags: &mut Diagnostics,
    ) -> Option<usize> {
        let setting = user.required(settings, name, diags)?;
        self.refer(kind, setting, user, diags)
    }

    /// All objects of a kind that an attribute refers to, each once.
    pub fn refer_all(&self, kind: &str, settings: &Settings, user: &Object, diags: &mut Diagnostics) -> Vec<usize> {
        let mut list = Vec::new();
        for setting in settings.all(kind) {
            if let Some(index) = self.refer(kind, setting, user, diags)
                && !list.contains(&index)
            {
                list.push(index);
            }
        }
        list
    }

    fn similar<'a>(&'a self, kind: &'a str, name: &str) -> Option<&'a str> {
        let lower = name.to_lowercase();
        self.of(kind)
            .map(|object| object.name.as_str())
            .find(|other| other.to_lowercase() == lower || (other.len() == name.len() && differences(other, name) == 1))
    }
}

fn differences(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).filter(|(a, b)| a != b).count()
}

/// Joins the parts of each object. Several CPU sections describe one system, and may add to each other's objects; within
/// one section a second description is suspicious.
fn join(description: &Description, checker: &mut Checker) -> Vec<Parts> {
    let mut parts: Vec<Parts> = Vec::new();
    let mut sections: Vec<usize> = Vec::new();
    for object in &description.objects {
        let (kind, name) = (&object.kind.text, &object.name.text);
        let single = SINGLE_KINDS.contains(&kind.as_str());
        match parts.iter().position(|p| p.kind.text == *kind && (single || p.name.text == *name)) {
            Some(index) => {
                if sections[index] == object.section {
                    let message = format!("{kind} `{name}` is described more than once");
                    let help = "the descriptions are taken together; remove one if that is not meant";
                    checker.diags.push(Diagnostic::warning(object.name.span, message).help(help));
                }
                sections[index] = object.section;
                parts[index].attributes.extend(object.attributes.iter().cloned());
            }
            None => {
                sections.push(object.section);
                parts.push(Parts {
                    kind: object.kind.clone(),
                    name: object.name.clone(),
                    attributes: object.attributes.clone(),
                });
            }
        }
    }
    parts
}

fn is_keyword(name: &str) -> bool {
    const WORDS: [&str; 37] = [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
        "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
        "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Bool",
        "_Complex", "asm",
    ];
    WORDS.contains(&name)
}
