//! A model's inputs as those of a real run.
//!
//! To a symbolic engine the values that library models leave open are inputs like others; the machine settles most of them
//! and does not ask. A violation that needs other values than the real ones is none. Nor is one that needs objects to lie
//! elsewhere than on the machine, or another NaN: that is reported, and the engine looks for a model with the machine's own
//! addresses ([`Realiser::layout`]) or for the violation of another check.

use super::loose;
use super::tuning::TUNING;
use crate::answer::{Violation, WhyUnknown};
use crate::budget::Budget;
use plumb_exec::{CompileOptions, FnInputs, Image, InputValue, Limits, Machine, NoLasso, Outcome, lasso};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::input::InputId;
use plumb_ir::program::Program;
use plumb_sym::{Input, ObjectKind, Sym, inputs_of};
use plumb_term::{Assignment, TermId};
use std::sync::Arc;

/// Gives out what was claimed; what the machine settles is passed over.
struct Claimed<'a> {
    program: &'a Program,
    inputs: &'a [(InputId, InputValue)],
    at: usize,
    given: Vec<(InputId, InputValue)>,
    /// An input that is open and was given.
    open: Option<InputId>,
}

/// Whether a library's model leaves the value open.
fn is_open(program: &Program, id: InputId) -> bool {
    let site = program.input(id);
    site.origin.is_open(site.ty)
}

impl Claimed<'_> {
    fn next(&mut self, id: InputId) -> Option<InputValue> {
        let is_open = |id: InputId| is_open(self.program, id);
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

/// The machine that claims are tried on.
pub(crate) struct Realiser<'p> {
    program: &'p Program,
    image: Option<Arc<Image>>,
}

impl<'p> Realiser<'p> {
    pub fn new(program: &'p Program) -> Realiser<'p> {
        Realiser { program, image: None }
    }

    fn image(&mut self) -> Result<Arc<Image>, WhyUnknown> {
        if let Some(image) = &self.image {
            return Ok(image.clone());
        }
        let image = Image::compile(self.program, &CompileOptions::default());
        let image = Arc::new(image.map_err(|error| WhyUnknown::CannotRun(error.to_string()))?);
        self.image = Some(image.clone());
        Ok(image)
    }

    /// The violation as the machine makes it, or why it is none. Where all its inputs are real and the run goes another way,
    /// the choice that it rests on is left open.
    pub fn realise(&mut self, claim: &Violation, budget: &Budget) -> Result<Violation, WhyUnknown> {
        if self.program.check(claim.check).kind == CheckKind::Request {
            return match lasso(self.program, &claim.inputs, &|| budget.is_over()) {
                Ok(found) => Ok(Violation { check: found.check, inputs: claim.inputs.clone() }),
                Err(NoLasso::OutOfTime) => Err(WhyUnknown::Timeout),
                Err(NoLasso::CannotRun(why)) => Err(WhyUnknown::CannotRun(why)),
                Err(_) => Err(WhyUnknown::NotReplayed(claim.check, None)),
            };
        }
        let image = self.image()?;
        let mut machine = Machine::new(image.clone());
        let mut inputs = Claimed { program: self.program, inputs: &claim.inputs, at: 0, given: Vec::new(), open: None };
        let outcome = loop {
            match machine.run(&mut FnInputs(|id| inputs.next(id)), Limits::steps(TUNING.model_slice)) {
                Outcome::StepLimit if !budget.is_over() => {}
                outcome => break outcome,
            }
        };
        let open = match outcome {
            Outcome::StepLimit => return Err(WhyUnknown::Timeout),
            Outcome::CheckFailed { check, .. } if inputs.open.is_none() => {
                let violation = Violation { check, inputs: inputs.given };
                return match loose::rests_on(&image, &violation, budget) {
                    None => Ok(violation),
                    Some(why) => Err(why),
                };
            }
            Outcome::CheckFailed { .. } => inputs.open,
            _ => claim.inputs.iter().map(|(id, _)| *id).find(|id| is_open(self.program, *id)),
        };
        Err(open.map_or(WhyUnknown::NotReplayed(claim.check, None), WhyUnknown::LooseModel))
    }

    /// The violation of a check that a model breaks under some conditions, or why the run of its inputs does not break it.
    pub fn replay(
        &mut self,
        sym: &Sym,
        model: Option<&Assignment>,
        (check, inputs): (CheckId, &[Input]),
        conditions: &[TermId],
        budget: &Budget,
    ) -> Result<Violation, WhyUnknown> {
        let claim = Violation { check, inputs: inputs_of(sym, inputs, model.ok_or_else(WhyUnknown::no_model)?) };
        self.realise(&claim, budget).map_err(|why| match why {
            WhyUnknown::NotReplayed(_, None) => {
                WhyUnknown::NotReplayed(check, sym.open_choices(conditions).first().copied())
            }
            _ => why,
        })
    }

    /// That static objects and functions lie where the machine has them, of those whose addresses a program looks at.
    pub fn layout(&mut self, sym: &mut Sym) -> Vec<TermId> {
        let Ok(image) = self.image() else { return Vec::new() };
        let width = sym.pointer_width();
        let mut layout = Vec::new();
        for (base, kind) in sym.addresses_as_numbers() {
            let address = match kind {
                ObjectKind::Static(object) => image.addresses().object(object).base,
                ObjectKind::Function(function) => image.addresses().function_address(function),
                ObjectKind::Local | ObjectKind::Heap => continue,
            };
            let address = sym.terms.bv(width, address as u128);
            layout.push(sym.terms.eq(base, address));
        }
        layout
    }
}
