//! Calls of one function on the concrete machine.
//!
//! The machine runs the function's probe ([`plumb_ir::derive::probe`]) from a snapshot, so that a call costs little more than
//! the function itself. It measures which branches calls take for the first time and how near they come to others.

use crate::summary::tuning::TUNING;
use plumb_exec::{
    CompileOptions, Image, InputSource, Limits, Machine, News, Outcome as RunOutcome, RegionFill, SeedInputs, Snapshot,
};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::pointsto::{Object, Target, Targets};
use plumb_ir::analysis::signature::{Scalar, Signature, Source};
use plumb_ir::derive::probe::{Probe, call_on, probe};
use plumb_ir::derive::unit::argument_targets;
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::{EdgeId, FuncId, GlobalObj, Loc, LocalObj, LocalVar, Program};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With this pattern of the result's type; zero where there is no result.
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

pub struct Prober {
    machine: Machine,
    start: Snapshot,
    answers: Answers,
    result: Option<LocalVar>,
    pointees: BTreeMap<LocalVar, LocalObj>,
    returned: (FuncId, Loc),
    covered: FxHashSet<(FuncId, EdgeId)>,
    news: Vec<News>,
    /// Steps of all calls.
    pub work: u64,
    /// Steps of one call.
    pub limit: u64,
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
        Prober::of(probe(program, signature).ok()?)
    }

    /// Calls of a function that may change other things than its result, and may ask for any number of values from outside.
    /// `None` if the scalars do not suit the function, or the program does not compile.
    pub fn of_unit(analyses: &Analyses, func: FuncId, scalars: &[Scalar]) -> Option<Prober> {
        Prober::of(call_on(analyses.program(), func, scalars, &only_targets(analyses, func)).ok()?)
    }

    fn of(probe: Probe) -> Option<Prober> {
        let options = CompileOptions { measure: true, ..CompileOptions::default() };
        let image = Arc::new(Image::compile(&probe.derived.program, &options).ok()?);
        let mut machine = Machine::new(image);
        let start = machine.snapshot();
        let places = probe.inputs.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        Some(Prober {
            machine,
            start,
            answers: Answers::new(places, probe.inputs.len()),
            result: probe.result,
            pointees: probe.pointees,
            returned: probe.returned,
            covered: FxHashSet::default(),
            news: Vec::new(),
            work: 0,
            limit: TUNING.max_call_steps,
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
        let outcome = self.machine.run(&mut self.answers, Limits::steps(self.limit));
        self.work += self.machine.work().saturating_sub(before);
        (self.judge(&outcome), self.take_news())
    }

    /// The same with values from outside by chance, for those that are no scalars of the call.
    pub fn call_seeded(&mut self, inputs: &[u64], seed: u64) -> Outcome {
        self.answers.outside = Some(SeedInputs::new(seed));
        let outcome = self.call(inputs);
        self.answers.outside = None;
        outcome
    }

    /// Whether the last call asked for values from outside that are no scalars of the call.
    pub fn asked_outside(&self) -> bool {
        self.answers.asked_outside
    }

    /// What is at a place after a call that has returned: so many bytes as a pattern.
    pub fn after(&mut self, source: Source, bytes: u64) -> Option<u64> {
        let address = match source {
            Source::Global(var) => return Some(self.machine.global(var).u64()),
            Source::Object(object, offset) => self.machine.image().addresses().object(object).base + offset,
            Source::Pointee(param, offset) => self.machine.local_object(*self.pointees.get(&param)?)?.base + offset,
            Source::Parameter(_) | Source::External(_) | Source::Stream(_) => return None,
        };
        let mut read = [0u8; 8];
        self.machine.read_memory(address, read.get_mut(..bytes as usize)?).ok()?;
        Some(u64::from_le_bytes(read))
    }

    fn judge(&self, outcome: &RunOutcome) -> Outcome {
        let why = match outcome {
            RunOutcome::Stopped { func, loc } if (*func, *loc) == self.returned => {
                match self.result.map_or(Some(Bits::ZERO), |result| self.machine.local(result)) {
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

/// The pointer parameters of a function that point to the same part of a static object in all calls.
fn only_targets(analyses: &Analyses, func: FuncId) -> BTreeMap<LocalVar, (GlobalObj, i64)> {
    let function = analyses.program().function(func);
    let pointers = (0..function.param_count).filter(|at| function.var(LocalVar(*at)).ty == Ty::Ptr);
    let only = |at: u32| match argument_targets(analyses, func, at) {
        Targets::Known(list) => match list[..] {
            [Target { object: Object::Global(object), offset: Some(offset) }] => Some((LocalVar(at), (object, offset))),
            _ => None,
        },
        Targets::Unknown => None,
    };
    pointers.filter_map(only).collect()
}

/// The inputs of the call at hand.
struct Answers {
    places: FxHashMap<InputId, usize>,
    /// By place; what was given is gone, since every call asks at most once.
    values: Vec<Option<u64>>,
    is_repeated: bool,
    /// For inputs without a place; zeros where there is no source.
    outside: Option<SeedInputs>,
    asked_outside: bool,
}

impl Answers {
    fn new(places: FxHashMap<InputId, usize>, count: usize) -> Answers {
        Answers { places, values: vec![None; count], is_repeated: false, outside: None, asked_outside: false }
    }

    fn set(&mut self, inputs: &[u64]) {
        debug_assert_eq!(inputs.len(), self.values.len());
        self.is_repeated = false;
        self.asked_outside = false;
        for (value, input) in self.values.iter_mut().zip(inputs) {
            *value = Some(*input);
        }
    }
}

impl InputSource for Answers {
    /// What is no input of the signature has no influence on the result.
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        match self.places.get(&id).map(|&place| &mut self.values[place]) {
            Some(value @ Some(_)) => value.take().map(|value| Bits::new(value as u128, 64)),
            Some(None) => {
                self.is_repeated = true;
                None
            }
            None => {
                self.asked_outside = true;
                self.outside.as_mut().map_or(Some(Bits::ZERO), |outside| outside.scalar(id, site))
            }
        }
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        self.asked_outside = true;
        self.outside.as_mut().map_or(Some(RegionFill::Zero), |outside| outside.region(id, site, size))
    }
}
