//! Lassos: runs that come to the same state again and could go around for ever.
//!
//! The inputs of a claim end where its loop closes. The program is given one input after the other; each time that it asks for the
//! next one its whole state is compared with those of earlier times. If the last state is an earlier one, the inputs between the two can
//! be repeated without end. A program that asks for nothing any more is compared with itself jump by jump.

use crate::image::{CompileOptions, Image};
use crate::inputs::{FnInputs, InputValue};
use crate::machine::{Limits, Machine};
use crate::memory::layout::SegmentKind;
use crate::memory::page::VALID;
use crate::outcome::Outcome;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::input::InputId;
use plumb_ir::program::{Op, Program};
use std::sync::Arc;

/// A run whose state repeats while a request is open that nobody has answered.
pub struct Lasso {
    /// The request.
    pub check: CheckId,
    /// Inputs before the loop.
    pub stem: usize,
    /// At the end of the loop.
    pub machine: Machine,
}

/// Why a claim is no lasso.
#[derive(Debug)]
pub enum NoLasso {
    CannotRun(String),
    /// The run asks for another input than is given.
    OtherInput(usize),
    /// The run ends.
    Ended(Outcome),
    /// No state repeats.
    Open,
    /// No request is open.
    NoRequest,
    OutOfTime,
}

/// Steps between two looks at the clock, and jumps of a run without inputs in search of a state that repeats.
const SLICE: u64 = 1_000_000;
/// Slices in which an input must be asked for that the claim has, and after which a run is taken to ask for none any more.
const LONG: u32 = 1_000;
const SHORT: u32 = 4;
const MOST_JUMPS: u32 = 20_000;
/// Inputs for each of which the state is kept.
const MOST_INPUTS: usize = 20_000;

/// Whether the inputs of a claim are those of a lasso.
pub fn lasso(
    program: &Program,
    inputs: &[(InputId, InputValue)],
    is_over: &dyn Fn() -> bool,
) -> Result<Lasso, NoLasso> {
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let image = Image::compile(program, &options).map_err(|error| NoLasso::CannotRun(error.to_string()))?;
    let mut walk = Walk { program, machine: Machine::new(Arc::new(image)), request: None };
    let mut states: Vec<Vec<u8>> = Vec::new();
    if inputs.len() > MOST_INPUTS {
        return Err(NoLasso::Open);
    }
    let is_open = |id: InputId| program.input(id).origin.is_open(program.input(id).ty);
    for (number, (id, value)) in inputs.iter().enumerate().filter(|(_, (id, _))| !is_open(*id)) {
        // Up to the question, and past it.
        match walk.ask(None, LONG, is_over)? {
            Some(asked) if asked == *id => {}
            Some(_) | None => return Err(NoLasso::OtherInput(number)),
        }
        states.push(walk.machine.state_bytes());
        walk.ask(Some((*id, value.clone())), LONG, is_over)?;
    }
    let stem = match walk.ask(None, SHORT, is_over)? {
        Some(_) => {
            let last = walk.machine.state_bytes();
            states.iter().position(|state| *state == last).ok_or(NoLasso::Open)?
        }
        None => {
            walk.repeat(is_over)?;
            inputs.len()
        }
    };
    let check = walk.request.ok_or(NoLasso::NoRequest)?;
    Ok(Lasso { check, stem, machine: walk.machine })
}

struct Walk<'p> {
    program: &'p Program,
    machine: Machine,
    request: Option<CheckId>,
}

impl Walk<'_> {
    /// Runs to the next question, which the answer is given to first if there is one; none if the program asks for nothing in a long
    /// time. With an answer the run stops at the first look at the clock or the next question.
    fn ask(
        &mut self,
        answer: Option<(InputId, InputValue)>,
        slices: u32,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<InputId>, NoLasso> {
        let (mut answer, mut asked) = (answer, None);
        let steps = if answer.is_some() { 1 } else { SLICE };
        for _ in 0..slices {
            let is_answered = answer.is_some();
            let outcome = self.go(&mut answer, &mut asked, steps);
            match outcome {
                Outcome::NoInput { .. } => return Ok(asked),
                Outcome::StepLimit if is_answered && answer.is_none() => return Ok(None),
                Outcome::StepLimit if is_over() => return Err(NoLasso::OutOfTime),
                Outcome::StepLimit => {}
                outcome => return Err(NoLasso::Ended(outcome)),
            }
        }
        Ok(None)
    }

    fn go(&mut self, answer: &mut Option<(InputId, InputValue)>, asked: &mut Option<InputId>, steps: u64) -> Outcome {
        let (program, request) = (self.program, &mut self.request);
        let mut inputs = FnInputs(|id: InputId| {
            *asked = Some(id);
            answer.take().filter(|(given, _)| *given == id).map(|(_, value)| value)
        });
        self.machine.run_traced(&mut inputs, Limits::steps(steps), &Default::default(), &mut |event| {
            if let Op::Check { check, .. } = program.function(event.func).edge(event.edge).op {
                match program.check(check).kind {
                    CheckKind::Request => *request = Some(check),
                    CheckKind::Response => *request = None,
                    _ => {}
                }
            }
        })
    }

    /// Looks for a state that repeats while nothing is asked (Brent's algorithm).
    fn repeat(&mut self, is_over: &dyn Fn() -> bool) -> Result<(), NoLasso> {
        let mut anchor = self.machine.state_bytes();
        let (mut power, mut length) = (1u32, 0u32);
        for _ in 0..MOST_JUMPS {
            match self.go(&mut None, &mut None, 1) {
                Outcome::StepLimit if is_over() => return Err(NoLasso::OutOfTime),
                Outcome::StepLimit => {}
                outcome => return Err(NoLasso::Ended(outcome)),
            }
            let state = self.machine.state_bytes();
            if state == anchor {
                return Ok(());
            }
            length += 1;
            if length == power {
                (anchor, power, length) = (state, power * 2, 0);
            }
        }
        Err(NoLasso::Open)
    }
}

impl Machine {
    /// All that the further course of a run depends on: machines of one image with equal bytes run alike under equal inputs.
    pub fn state_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |number: u64| bytes.extend_from_slice(&number.to_le_bytes());
        put(self.state.current as u64);
        self.state.globals.iter().for_each(|value| put(*value));
        for (number, stack) in self.state.stacks.iter().enumerate().filter(|(_, stack)| stack.is_live()) {
            [number as u64, stack.pc as u64, stack.fp as u64, stack.sp].into_iter().for_each(&mut put);
            for call in &stack.activations {
                [call.ret as u64, call.sp, call.window as u64, call.d as u64, call.func as u64]
                    .into_iter()
                    .for_each(&mut put);
            }
            let used = stack.used(&self.image);
            stack.registers[..used].iter().for_each(|value| put(*value));
        }
        for kind in [SegmentKind::Static, SegmentKind::Heap, SegmentKind::Stack, SegmentKind::Foreign] {
            self.memory.space().each_page_in(kind, None, |address, page| {
                bytes.extend_from_slice(&address.to_le_bytes());
                let valid = page.data.iter().zip(&page.valid);
                bytes.extend(valid.map(|(byte, valid)| if *valid == VALID { *byte } else { 0 }));
                bytes.extend_from_slice(&page.valid);
            });
        }
        bytes
    }
}
