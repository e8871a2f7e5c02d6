//! Calls of one function on the concrete machine.
//!
//! The machine runs the function's probe ([`plumb_ir::derive::probe`]) from a snapshot, so that a call costs little more than
//! the function itself. It measures which branches calls take for the first time and how near they come to others.

use plumb_exec::{
    CompileOptions, Image, InputSource, Limits, Machine, News, Outcome as RunOutcome, RegionFill, Snapshot,
};
use plumb_ir::analysis::signature::Signature;
use plumb_ir::derive::probe::probe;
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::{EdgeId, FuncId, Loc, LocalVar, Program};
use plumb_ir::ty::Bits;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With this pattern of the result's type.
    Returned(u64),
    NotReturned(NotReturned),
}

impl Outcome {
    pub fn returned(self) -> Option<u64> {
        match self {
            Outcome::Returned(value) => Some(value),
            Outcome::NotReturned(_) => None,
        }
    }
}

/// Why a call has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReturned {
    Fault,
    /// The program ended, or stopped for good.
    Exit,
    StepLimit,
    /// An assumption did not hold: the call belongs to no run.
    Assumption,
    Check,
    /// The function does something that is not modelled, or asked twice for an input that it asks for once.
    Unsupported,
}

/// Steps of one call. A function that takes longer is no auxiliary one.
const STEPS: u64 = 200_000;

pub struct Prober {
    machine: Machine,
    start: Snapshot,
    answers: Answers,
    result: LocalVar,
    returned: (FuncId, Loc),
    covered: FxHashSet<(FuncId, EdgeId)>,
    news: Vec<News>,
    /// Steps of all calls.
    pub work: u64,
}

/// Whether a call did something that no earlier one did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Novelty {
    /// Took a branch.
    pub branch: bool,
    /// Came nearer to one.
    pub nearer: bool,
}

impl Prober {
    /// `None` if the function cannot be called: its signature does not suit it, or the program does not compile.
    pub fn new(program: &Program, signature: &Signature) -> Option<Prober> {
        let probe = probe(program, signature).ok()?;
        let options = CompileOptions { measure: true, ..CompileOptions::default() };
        let image = Arc::new(Image::compile(&probe.derived.program, &options).ok()?);
        let mut machine = Machine::new(image);
        let start = machine.snapshot();
        let places = probe.inputs.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        Some(Prober {
            machine,
            start,
            answers: Answers { places, values: vec![None; probe.inputs.len()], is_repeated: false },
            result: probe.result,
            returned: probe.returned,
            covered: FxHashSet::default(),
            news: Vec::new(),
            work: 0,
        })
    }

    /// The program that is run.
    pub fn program(&self) -> &Arc<Program> {
        self.machine.image().program()
    }

    /// Where it stops once the call has returned.
    pub fn returned_at(&self) -> (FuncId, Loc) {
        self.returned
    }

    /// The inputs of that program, in the order of the signature.
    pub fn place_of(&self, input: InputId) -> Option<usize> {
        self.answers.places.get(&input).copied()
    }

    /// Calls the function on patterns of its inputs, in the order of the signature.
    pub fn call(&mut self, inputs: &[u64]) -> Outcome {
        self.call_measured(inputs).0
    }

    /// The same, with what was new about it.
    pub fn call_measured(&mut self, inputs: &[u64]) -> (Outcome, Novelty) {
        self.machine.restore(&self.start);
        self.answers.set(inputs);
        let before = self.machine.work();
        let outcome = self.machine.run(&mut self.answers, Limits::steps(STEPS));
        self.work += self.machine.work().saturating_sub(before);
        (self.judge(&outcome), self.take_news())
    }

    fn judge(&self, outcome: &RunOutcome) -> Outcome {
        let why = match outcome {
            RunOutcome::Stopped { func, loc } if (*func, *loc) == self.returned => {
                match self.machine.local(self.result) {
                    _ if self.answers.is_repeated => NotReturned::Unsupported,
                    Some(bits) => return Outcome::Returned(bits.u64()),
                    None => NotReturned::Unsupported,
                }
            }
            RunOutcome::Fault { .. } => NotReturned::Fault,
            RunOutcome::StepLimit => NotReturned::StepLimit,
            RunOutcome::AssumptionFailed(_) => NotReturned::Assumption,
            RunOutcome::CheckFailed { .. } => NotReturned::Check,
            RunOutcome::Unsupported { .. } | RunOutcome::NoInput { .. } | RunOutcome::Probe(_) => {
                NotReturned::Unsupported
            }
            RunOutcome::Returned(_) | RunOutcome::Exited(_) | RunOutcome::Aborted | RunOutcome::Stopped { .. } => {
                NotReturned::Exit
            }
        };
        Outcome::NotReturned(why)
    }

    fn take_news(&mut self) -> Novelty {
        let mut novelty = Novelty::default();
        if !self.machine.meter().has_news() {
            return novelty;
        }
        let mut news = std::mem::take(&mut self.news);
        self.machine.meter().take_news(&mut news);
        for one in &news {
            match *one {
                News::Branch(func, edge) => {
                    novelty.branch |= self.covered.insert((func, edge));
                }
                News::Nearer { .. } => novelty.nearer = true,
            }
        }
        self.news = news;
        novelty
    }

    /// Whether some call has taken a branch.
    pub fn is_covered(&self, func: FuncId, edge: EdgeId) -> bool {
        self.covered.contains(&(func, edge))
    }

    /// Branches that calls have taken.
    pub fn covered(&self) -> usize {
        self.covered.len()
    }
}

/// The inputs of the call at hand.
struct Answers {
    places: FxHashMap<InputId, usize>,
    /// By place; what was given is gone, since every call asks at most once.
    values: Vec<Option<u64>>,
    is_repeated: bool,
}

impl Answers {
    fn set(&mut self, inputs: &[u64]) {
        debug_assert_eq!(inputs.len(), self.values.len());
        self.is_repeated = false;
        for (value, input) in self.values.iter_mut().zip(inputs) {
            *value = Some(*input);
        }
    }
}

impl InputSource for Answers {
    /// What is no input of the signature has no influence on the result.
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        match self.places.get(&id).map(|&place| &mut self.values[place]) {
            Some(value @ Some(_)) => value.take().map(|value| Bits::new(value as u128, 64)),
            Some(None) => {
                self.is_repeated = true;
                None
            }
            None => Some(Bits::ZERO),
        }
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        Some(RegionFill::Zero)
    }
}
