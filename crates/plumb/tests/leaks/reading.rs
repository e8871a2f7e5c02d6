//! What the programs mean, read directly: every path is run, and what is reached at its end is searched for.

use super::generate::{GLOBALS, Place, Program, Stmt};
use std::collections::HashMap;

/// What leads to all that is allocated at the end of a path, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Held {
    /// Globals, parameters and variables of outermost blocks.
    ByVariables,
    /// Not these alone.
    NotByVariables,
}

/// The program runs into undefined behaviour, or takes too long.
struct Refused;

enum Flow {
    GoesOn,
    Exits,
}

#[derive(Clone, Copy)]
struct Node {
    next: Option<usize>,
    is_freed: bool,
}

#[derive(Default)]
struct Frame {
    vars: HashMap<Place, Option<usize>>,
    blocks: HashMap<Place, Option<usize>>,
}

struct Run<'a> {
    program: &'a Program,
    nodes: Vec<Node>,
    globals: HashMap<Place, Option<usize>>,
    frames: Vec<Frame>,
    /// The choices of the path, and how many of them have been made.
    choices: Vec<bool>,
    made: usize,
}

const MOST_CHOICES: usize = 7;
const MOST_NODES: usize = 14;

/// The worst end of a path; nothing if some path has undefined behaviour or the program is too large.
pub fn worst_end(program: &Program) -> Option<Held> {
    let mut choices = Vec::new();
    let mut worst = Held::ByVariables;
    loop {
        let globals = GLOBALS.map(|name| (name.to_string(), None)).into();
        let mut run = Run { program, nodes: Vec::new(), globals, frames: Vec::new(), choices, made: 0 };
        let flow = run.call(program.functions.len() - 1, None).ok()?;
        if let Flow::GoesOn = flow {
            run.frames.clear();
        }
        worst = worst.max(run.end());
        choices = run.choices;
        // The next path: the last choice that can still be made otherwise.
        while choices.last() == Some(&true) {
            choices.pop();
        }
        match choices.last_mut() {
            Some(last) => *last = true,
            None => return Some(worst),
        }
    }
}

impl Run<'_> {
    fn slot(&mut self, place: &str) -> &mut Option<usize> {
        let frame = self.frames.last_mut().expect("somebody runs");
        if let Some(slot) = frame.blocks.get_mut(place) {
            return slot;
        }
        frame.vars.get_mut(place).unwrap_or_else(|| self.globals.get_mut(place).expect("a place of the program"))
    }

    /// What a place holds. Pointers to freed nodes are not read.
    fn read(&mut self, place: &str) -> Result<Option<usize>, Refused> {
        let value = *self.slot(place);
        match value {
            Some(node) if self.nodes[node].is_freed => Err(Refused),
            _ => Ok(value),
        }
    }

    fn make(&mut self) -> Result<usize, Refused> {
        self.nodes.push(Node { next: None, is_freed: false });
        if self.nodes.len() > MOST_NODES { Err(Refused) } else { Ok(self.nodes.len() - 1) }
    }

    fn call(&mut self, function: usize, argument: Option<usize>) -> Result<Flow, Refused> {
        let program = self.program;
        let function = &program.functions[function];
        let mut frame = Frame::default();
        frame.vars.extend(function.vars.iter().map(|name| (name.clone(), None)));
        if let Some(parameter) = frame.vars.get_mut("x") {
            *parameter = argument;
        }
        self.frames.push(frame);
        let flow = self.list(&function.body)?;
        if let Flow::GoesOn = flow {
            self.frames.pop();
        }
        Ok(flow)
    }

    fn list(&mut self, list: &[Stmt]) -> Result<Flow, Refused> {
        for stmt in list {
            if let Flow::Exits = self.stmt(stmt)? {
                return Ok(Flow::Exits);
            }
        }
        Ok(Flow::GoesOn)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Refused> {
        match stmt {
            Stmt::Make(place) => {
                let node = self.make()?;
                *self.slot(place) = Some(node);
            }
            Stmt::MakeWhereEmpty(place) => {
                if self.read(place)?.is_none() {
                    let node = self.make()?;
                    *self.slot(place) = Some(node);
                }
            }
            Stmt::CopyWhereEmpty(to, from) => {
                if self.read(to)?.is_none() {
                    let value = self.read(from)?;
                    *self.slot(to) = value;
                }
            }
            Stmt::Copy(to, from) => {
                let value = self.read(from)?;
                *self.slot(to) = value;
            }
            Stmt::Clear(place) | Stmt::ClearThrough(place) => *self.slot(place) = None,
            Stmt::Link(place, to) => {
                if let Some(node) = self.read(place)? {
                    self.nodes[node].next = self.read(to)?;
                }
            }
            Stmt::Follow(place) => {
                if let Some(node) = self.read(place)? {
                    let next = self.nodes[node].next;
                    *self.slot(place) = next;
                    self.read(place)?;
                }
            }
            Stmt::Free(place) => {
                if let Some(node) = self.read(place)? {
                    self.nodes[node].is_freed = true;
                    *self.slot(place) = None;
                }
            }
            Stmt::CopyPair(to, from) => {
                for member in ["p", "q"] {
                    let value = self.read(&format!("{from}.{member}"))?;
                    *self.slot(&format!("{to}.{member}")) = value;
                }
            }
            Stmt::If(yes, no) => {
                if self.made == self.choices.len() {
                    self.choices.push(false);
                }
                if self.choices.len() > MOST_CHOICES {
                    return Err(Refused);
                }
                self.made += 1;
                return self.list(if self.choices[self.made - 1] { yes } else { no });
            }
            Stmt::Twice(body) => {
                for _ in 0..2 {
                    if let Flow::Exits = self.list(body)? {
                        return Ok(Flow::Exits);
                    }
                }
            }
            Stmt::Block(name, from, body) => {
                let value = self.read(from)?;
                self.frames.last_mut().expect("somebody runs").blocks.insert(name.clone(), value);
                return self.list(body);
            }
            Stmt::Call(callee, argument) => {
                let value = match argument {
                    Some(place) => self.read(place)?,
                    None => Some(self.make()?),
                };
                return self.call(*callee, value);
            }
            Stmt::Exit => return Ok(Flow::Exits),
        }
        Ok(Flow::GoesOn)
    }

    fn end(&self) -> Held {
        let roots = self.globals.values().chain(self.frames.iter().flat_map(|frame| frame.vars.values()));
        let mut reached = vec![false; self.nodes.len()];
        let mut work: Vec<usize> = roots.flatten().copied().collect();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reached[node], true) && !self.nodes[node].is_freed {
                work.extend(self.nodes[node].next);
            }
        }
        let is_lost = |(node, reached): (&Node, &bool)| !node.is_freed && !reached;
        if self.nodes.iter().zip(&reached).any(is_lost) { Held::NotByVariables } else { Held::ByVariables }
    }
}
