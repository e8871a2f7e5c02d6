//! A generated program with places that are written differently for the driver, which finds out the truth, and for Plumb.
//!
//! Between two `@` stands one of these:
//!
//! ```text
//!   main         the head of main
//!   state        before objects that outlive a run
//!   local        before variables of main in front of its endless loop
//!   loop, after  the head of the endless loop; behind it
//!   in KIND N    an input below N, drawn by the function __VERIFIER_nondet_KIND
//!   stop E       an assumption: the run goes on if E holds
//!   check K E    check number K, about the integer E
//!   new T N      a new object on the heap of the structure T, for the pointer N; cell T N stands where it may be declared
//!   alias N      the pointer N, at the start
//!   first S      statements that are made once, in front of the endless loop
//! ```

use crate::oracle::Random;
use std::collections::BTreeMap;

/// How checks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assertion {
    /// `assert` of the header.
    Header,
    /// A call of `reach_error`.
    ErrorCall,
    /// `__VERIFIER_assert`, which the program does not define.
    Verifier,
}

pub const ASSERTIONS: [Assertion; 3] = [Assertion::Header, Assertion::ErrorCall, Assertion::Verifier];

/// What a check's integer was seen to be, and in how many runs.
pub type Seen = BTreeMap<i64, u64>;

const DRIVER_HEAD: &str = "unsigned driver_choose(unsigned);\nvoid driver_observe(int, long long);\nvoid driver_stop(void);\n\
extern int driver_ended;\n#define abort driver_stop\n";

const INPUTS: [(&str, &str); 7] = [
    ("uchar", "unsigned char"),
    ("char", "char"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("ulong", "unsigned long"),
    ("bool", "_Bool"),
];

pub struct Template {
    pub text: String,
    pub assertion: Assertion,
}

impl Template {
    fn render(&self, head: &str, write: impl Fn(&[&str]) -> String) -> String {
        let mut out = String::from(head);
        for (index, part) in self.text.split('@').enumerate() {
            match index % 2 {
                0 => out += part,
                _ => out += &write(&part.splitn(3, ' ').collect::<Vec<_>>()),
            }
        }
        out
    }

    /// With inputs and checks handed over to the driver.
    pub fn for_driver(&self, has_state: bool) -> String {
        let state = if has_state { "__attribute__((section(\"plumb_state\"))) " } else { "" };
        self.render(DRIVER_HEAD, |marker| match *marker {
            ["main"] => "int program_main(void)".to_string(),
            ["state"] => state.to_string(),
            ["local"] => format!("static {state}"),
            ["loop"] => "int driver_once; for (driver_once = 0; driver_once < 1; driver_once++)".to_string(),
            ["after"] => "driver_ended = driver_once == 0; if (!driver_ended) return 0;".to_string(),
            ["in", _, bound] => format!("driver_choose({bound})"),
            ["stop", ..] => format!("if (!({})) driver_stop()", marker[1..].join(" ")),
            ["check", number, what] => format!("driver_observe({number}, {what})"),
            ["cell", tag, name] => format!("{state}struct {tag} {name}_cell;"),
            ["new", _, name] | ["alias", name] => format!("&{name}_cell"),
            ["first", ..] => format!(
                "{{ static {state}int is_begun; if (!is_begun) {{ is_begun = 1; {} }} }}",
                marker[1..].join(" ")
            ),
            _ => panic!("unknown marker {marker:?}"),
        })
    }

    /// As a program, with a condition for each check.
    pub fn for_plumb(&self, conditions: &[Condition]) -> String {
        let mut head = match self.assertion {
            Assertion::Header => "#include <assert.h>\n",
            Assertion::ErrorCall => "extern void reach_error(void);\n",
            Assertion::Verifier => "extern void __VERIFIER_assert(int);\n",
        }
        .to_string();
        if self.text.contains("@stop ") {
            head += "extern void __VERIFIER_assume(int);\n";
        }
        if self.text.contains("@new ") {
            head += "extern void *malloc(__SIZE_TYPE__);\n";
        }
        if self.text.contains("abort()") {
            head += "extern void abort(void);\n";
        }
        for (name, ty) in INPUTS {
            if self.text.contains(&format!("@in {name} ")) {
                head += &format!("extern {ty} __VERIFIER_nondet_{name}(void);\n");
            }
        }
        self.render(&head, |marker| match *marker {
            ["main"] => "int main(void)".to_string(),
            ["state" | "local" | "after"] | ["cell", ..] => String::new(),
            ["new", tag, _] => format!("malloc(sizeof(struct {tag}))"),
            ["alias", name] => name.to_string(),
            ["first", ..] => marker[1..].join(" "),
            ["loop"] => "while (1)".to_string(),
            ["in", kind, bound] => input(kind, bound.parse().expect("bounds are numbers")),
            ["stop", ..] => format!("__VERIFIER_assume({})", marker[1..].join(" ")),
            ["check", number, what] => {
                let number: usize = number.parse().expect("checks are numbered");
                let condition = conditions[number].of(what);
                match self.assertion {
                    Assertion::Header => format!("assert({condition})"),
                    Assertion::ErrorCall => format!("if (!({condition})) reach_error()"),
                    Assertion::Verifier => format!("__VERIFIER_assert({condition})"),
                }
            }
            _ => panic!("unknown marker {marker:?}"),
        })
    }
}

/// An input below the bound, whatever the function returns.
fn input(kind: &str, bound: u32) -> String {
    match (kind, bound) {
        ("bool", _) => "__VERIFIER_nondet_bool()".to_string(),
        (_, bound) if bound.is_power_of_two() => format!("(__VERIFIER_nondet_{kind}() & {})", bound - 1),
        _ => format!("(__VERIFIER_nondet_{kind}() % {bound}u)"),
    }
}

/// What a check asks of its integer.
#[derive(Clone, Debug)]
pub enum Condition {
    IsNot(i64),
    Between(i64, i64),
    AnyOf(Vec<i64>),
}

impl Condition {
    pub fn holds(&self, value: i64) -> bool {
        match self {
            Condition::IsNot(other) => value != *other,
            Condition::Between(low, high) => (*low..=*high).contains(&value),
            Condition::AnyOf(values) => values.contains(&value),
        }
    }

    /// A condition that all values fulfil and that none of its neighbours would fulfil, or one that a rare value breaks.
    pub fn choose(random: &mut Random, seen: &Seen, broken: bool) -> Condition {
        let (Some((&low, _)), Some((&high, _))) = (seen.first_key_value(), seen.last_key_value()) else {
            return Condition::IsNot(random.between(-2, 9));
        };
        if broken {
            let (&rarest, _) = seen.iter().min_by_key(|(_, times)| **times).expect("there is a value");
            return match random.below(4) {
                0 if low < high => Condition::Between(low, high - 1),
                1 if low < high => Condition::Between(low + 1, high),
                2 => Condition::IsNot(high),
                _ => Condition::IsNot(rarest),
            };
        }
        let gap = (low..=high.min(low.saturating_add(500))).find(|value| !seen.contains_key(value));
        match random.below(4) {
            0 if seen.len() <= 4 => Condition::AnyOf(seen.keys().copied().collect()),
            1 => Condition::Between(low, high),
            2 => Condition::IsNot(high.saturating_add(1)),
            _ => Condition::IsNot(gap.unwrap_or(low.saturating_sub(1))),
        }
    }

    fn of(&self, what: &str) -> String {
        let literal = |value: &i64| match i32::try_from(*value) {
            Ok(i32::MIN) => "(-2147483647 - 1)".to_string(),
            Ok(small) => small.to_string(),
            Err(_) => format!("{value}LL"),
        };
        match self {
            Condition::IsNot(value) => format!("{what} != {}", literal(value)),
            Condition::Between(low, high) => format!("{what} >= {} && {what} <= {}", literal(low), literal(high)),
            Condition::AnyOf(values) => {
                let each: Vec<String> = values.iter().map(|value| format!("{what} == {}", literal(value))).collect();
                each.join(" || ")
            }
        }
    }
}
