//! A model's inputs as those of a real run.
//!
//! To a symbolic engine the values that library models leave open are inputs like others; the machine settles most of them
//! and does not ask. A violation that needs other values than the real ones is none.

use crate::answer::{Violation, WhyUnknown};
use crate::budget::Budget;
use crate::loose;
use plumb_exec::{CompileOptions, Image, InputSource, InputValue, Limits, Machine, Outcome, RegionFill};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use std::sync::Arc;

/// Steps between two looks at the clock.
const SLICE: u64 = 10_000_000;

/// Gives out what was claimed; what the machine settles is passed over.
struct Claimed<'a> {
    program: &'a Program,
    inputs: &'a [(InputId, InputValue)],
    at: usize,
    given: Vec<(InputId, InputValue)>,
    /// An input that is open and was given.
    open: Option<InputId>,
}

impl Claimed<'_> {
    fn next(&mut self, id: InputId) -> Option<InputValue> {
        let is_open = |id: InputId| {
            let site = self.program.input(id);
            site.origin.is_open(site.ty)
        };
        while self.inputs.get(self.at).is_some_and(|(next, _)| *next != id && is_open(*next)) {
            self.at += 1;
        }
        let (next, value) = self.inputs.get(self.at)?;
        if *next != id {
            return None;
        }
        if is_open(id) {
            self.open.get_or_insert(id);
        }
        self.at += 1;
        self.given.push((id, value.clone()));
        Some(value.clone())
    }
}

impl InputSource for Claimed<'_> {
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        match self.next(id)? {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, id: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        match self.next(id)? {
            InputValue::Region(fill) => Some(fill),
            InputValue::Scalar(_) => None,
        }
    }
}

/// The violation as the machine makes it, or why it is none. A claim that does not break its check although all its inputs
/// are real is given back as it is: whoever replays it will tell.
pub(crate) fn realise(program: &Program, claim: Violation, budget: &Budget) -> Result<Violation, WhyUnknown> {
    let image = match Image::compile(program, &CompileOptions::default()) {
        Ok(image) => Arc::new(image),
        Err(error) => return Err(WhyUnknown::CannotRun(error.to_string())),
    };
    let mut machine = Machine::new(image.clone());
    let mut inputs = Claimed { program, inputs: &claim.inputs, at: 0, given: Vec::new(), open: None };
    loop {
        match machine.run(&mut inputs, Limits::steps(SLICE)) {
            Outcome::StepLimit if !budget.is_over() => {}
            Outcome::StepLimit => return Err(WhyUnknown::Timeout),
            Outcome::CheckFailed { check, .. } => {
                if let Some(open) = inputs.open {
                    return Err(WhyUnknown::LooseModel(open));
                }
                let violation = Violation { check, inputs: inputs.given };
                return match loose::rests_on(&image, &violation, budget) {
                    Some(input) => Err(WhyUnknown::LooseModel(input)),
                    None => Ok(violation),
                };
            }
            _ => {
                let open = claim.inputs.iter().map(|(id, _)| *id).find(|id| {
                    let site = program.input(*id);
                    site.origin.is_open(site.ty)
                });
                return match open {
                    Some(open) => Err(WhyUnknown::LooseModel(open)),
                    None => Ok(claim),
                };
            }
        }
    }
}
