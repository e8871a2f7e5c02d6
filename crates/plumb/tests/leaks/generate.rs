//! Programs that move pointers about, as trees and as C.

use super::oracle::Random;
use std::fmt::Write;

/// A variable or member that holds a pointer to a node, by its name in C.
pub type Place = String;

#[derive(Clone, Debug)]
pub enum Stmt {
    /// A new node whose `next` is null.
    Make(Place),
    /// The same if the place holds nothing.
    MakeWhereEmpty(Place),
    /// A copy to a place that holds nothing.
    CopyWhereEmpty(Place, Place),
    Copy(Place, Place),
    Clear(Place),
    /// The same through a pointer to the place, which so has to live in memory.
    ClearThrough(Place),
    /// If the place leads to a node, its `next` becomes what the other place holds.
    Link(Place, Place),
    /// If the place leads to a node, the place becomes its `next`.
    Follow(Place),
    /// If the place leads to a node, that is freed and the place cleared.
    Free(Place),
    /// All members of one structure to another.
    CopyPair(&'static str, &'static str),
    If(Vec<Stmt>, Vec<Stmt>),
    Twice(Vec<Stmt>),
    /// A block with a variable of its own, which begins as a copy.
    Block(Place, Place, Vec<Stmt>),
    /// A call of the function of that number with what a place holds, or with a new node that only the call knows.
    Call(usize, Option<Place>),
    Exit,
}

#[derive(Debug)]
pub struct Function {
    /// Parameters and variables of the outermost block.
    pub vars: Vec<Place>,
    pub body: Vec<Stmt>,
}

/// The last function is `main`; each calls only earlier ones, which have one parameter and one variable.
#[derive(Debug)]
pub struct Program {
    pub functions: Vec<Function>,
}

pub const GLOBALS: [&str; 4] = ["g0", "g1", "kept.p", "kept.q"];

struct Generator<'a> {
    random: &'a mut Random,
    places: Vec<Place>,
    pairs: Vec<&'static str>,
    callable: usize,
    blocks: usize,
    /// Little is lost: places are not overwritten where they hold something.
    is_tidy: bool,
}

pub fn program(random: &mut Random) -> Program {
    let count = random.below(3);
    let is_tidy = random.chance(70);
    let mut functions = Vec::new();
    for number in 0..=count {
        let is_main = number == count;
        let own: &[&str] = if is_main { &["a", "b", "c", "s.p", "s.q"] } else { &["x", "y"] };
        let vars: Vec<Place> = own.iter().map(|name| name.to_string()).collect();
        let places = vars.iter().cloned().chain(GLOBALS.map(str::to_string)).collect();
        let pairs = if is_main { vec!["kept", "s"] } else { vec!["kept"] };
        let length = 3 + random.below(6);
        let mut generator = Generator { random, places, pairs, callable: number, blocks: 0, is_tidy };
        let mut body = generator.list(length, 2);
        if random.chance(if is_main { 20 } else { 50 }) {
            body.push(Stmt::Exit);
        }
        functions.push(Function { vars, body });
    }
    Program { functions }
}

impl Generator<'_> {
    fn place(&mut self) -> Place {
        self.random.pick(&self.places)
    }

    fn list(&mut self, length: usize, depth: usize) -> Vec<Stmt> {
        (0..length).map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        match self.random.below(if depth > 0 { 20 } else { 14 }) {
            0..=3 if self.is_tidy => Stmt::MakeWhereEmpty(self.place()),
            0..=3 => Stmt::Make(self.place()),
            4 | 5 if self.is_tidy => Stmt::CopyWhereEmpty(self.place(), self.place()),
            4 | 5 => Stmt::Copy(self.place(), self.place()),
            6 | 7 if self.is_tidy => Stmt::Free(self.place()),
            6 => Stmt::Clear(self.place()),
            7 => Stmt::ClearThrough(self.place()),
            8 | 9 => Stmt::Link(self.place(), self.place()),
            10 if self.is_tidy => Stmt::MakeWhereEmpty(self.place()),
            10 => Stmt::Follow(self.place()),
            11 | 12 => Stmt::Free(self.place()),
            13 => match self.random.chance(if self.is_tidy { 25 } else { 70 }) && self.pairs.len() > 1 {
                true => Stmt::CopyPair(self.random.pick(&self.pairs), self.random.pick(&self.pairs)),
                false if self.random.chance(15) => Stmt::Exit,
                false => Stmt::MakeWhereEmpty(self.place()),
            },
            14 | 15 => {
                let length = 1 + self.random.below(3);
                Stmt::If(self.list(length, depth - 1), self.list(length / 2, depth - 1))
            }
            16 => Stmt::Twice(self.list(2, depth - 1)),
            17 => {
                let name = format!("t{}", self.blocks);
                self.blocks += 1;
                let from = self.place();
                self.places.push(name.clone());
                let body = self.list(2, depth - 1);
                self.places.retain(|place| *place != name);
                Stmt::Block(name, from, body)
            }
            _ if self.callable > 0 => {
                let callee = self.random.below(self.callable);
                Stmt::Call(callee, self.random.chance(75).then(|| self.place()))
            }
            _ => Stmt::MakeWhereEmpty(self.place()),
        }
    }
}

const HEAD: &str = "\
#include <stdlib.h>
struct node { struct node *next; int value; };
struct pair { struct node *p; struct node *q; };
extern _Bool __VERIFIER_nondet_bool(void);
static struct node *g0, *g1;
static struct pair kept;
static struct node *make(void)
{
    struct node *made = malloc(sizeof *made);
    made->next = 0;
    made->value = 1;
    return made;
}
static void clear(struct node **place) { *place = 0; }
";

pub fn text(program: &Program) -> String {
    let mut text = HEAD.to_string();
    let main = program.functions.len() - 1;
    for (number, function) in program.functions.iter().enumerate() {
        if number == main {
            text += "int main(void)\n{\n    struct node *a = 0, *b = 0, *c = 0;\n    struct pair s = { 0, 0 };\n";
        } else {
            let _ = write!(text, "static void f{number}(struct node *x)\n{{\n    struct node *y = 0;\n");
        }
        write_list(&mut text, &function.body, 1);
        text += if number == main { "    return 0;\n}\n" } else { "}\n" };
    }
    text
}

fn write_list(text: &mut String, list: &[Stmt], depth: usize) {
    let margin = "    ".repeat(depth);
    for stmt in list {
        text.push_str(&margin);
        let line = match stmt {
            Stmt::Make(place) => format!("{place} = make();"),
            Stmt::MakeWhereEmpty(place) => format!("if (!{place}) {place} = make();"),
            Stmt::CopyWhereEmpty(to, from) => format!("if (!{to}) {to} = {from};"),
            Stmt::Copy(to, from) => format!("{to} = {from};"),
            Stmt::Clear(place) => format!("{place} = 0;"),
            Stmt::ClearThrough(place) => format!("clear(&{place});"),
            Stmt::Link(place, to) => format!("if ({place}) {place}->next = {to};"),
            Stmt::Follow(place) => format!("if ({place}) {place} = {place}->next;"),
            Stmt::Free(place) => format!("if ({place}) {{ free({place}); {place} = 0; }}"),
            Stmt::CopyPair(to, from) => format!("{to} = {from};"),
            Stmt::Call(callee, Some(place)) => format!("f{callee}({place});"),
            Stmt::Call(callee, None) => format!("f{callee}(make());"),
            Stmt::Exit => "exit(1);".to_string(),
            Stmt::If(yes, no) => {
                text.push_str("if (__VERIFIER_nondet_bool()) {\n");
                write_list(text, yes, depth + 1);
                let _ = writeln!(text, "{margin}}} else {{");
                write_list(text, no, depth + 1);
                format!("{margin}}}")
            }
            Stmt::Twice(body) => {
                text.push_str("for (int i = 0; i < 2; i++) {\n");
                write_list(text, body, depth + 1);
                format!("{margin}}}")
            }
            Stmt::Block(name, from, body) => {
                let _ = writeln!(text, "{{\n{margin}    struct node *{name} = {from};");
                write_list(text, body, depth + 1);
                format!("{margin}}}")
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
}
