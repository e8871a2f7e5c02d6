//! What library functions returned where their models chose: the harness defines these functions too, so that the compiled
//! program gets the same answers from its world.
//!
//! Functions of mathematics stay the compiled program's own: their models only bound what the real ones compute.

use super::answers::{Answer, Answers, Source};
use crate::open_calls::OpenCalls;
use crate::replay::{Clock, NotReplayed, Tape, compile};
use plumb_answer::Budget;
use plumb_exec::{CompileOptions, InputValue, Machine, StopSet, TracePhase};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::{Callee, Intrinsic, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Functions that give their data in memory, which the harness does not fill.
const READING: [&str; 14] = [
    "scanf",
    "fscanf",
    "vscanf",
    "vfscanf",
    "fgets",
    "gets",
    "fread",
    "read",
    "getline",
    "getdelim",
    "getenv",
    "recv",
    "gmtime",
    "localtime",
];

pub(super) fn add_results(
    program: &Program,
    inputs: &[(InputId, InputValue)],
    answers: &mut Answers,
    budget: &Budget,
) -> Result<(), NotReplayed> {
    let chosen = |id: &InputId| matches!(program.input(*id).origin, InputOrigin::Library(_));
    if !inputs.iter().any(|(id, _)| chosen(id)) {
        return Ok(());
    }
    // Choices made before each input.
    let mut choices = vec![0u32];
    choices.extend(inputs.iter().scan(0, |sum, (id, _)| {
        *sum += chosen(id) as u32;
        Some(*sum)
    }));
    let image = compile(program, &CompileOptions { trace: true, ..CompileOptions::default() })?;
    let mut machine = Machine::new(image);
    let position = Cell::new(0);
    let mut tape = Counting { tape: Tape::new(inputs), position: &position };
    let mut open: OpenCalls<usize> = OpenCalls::default();
    let mut beyond = BTreeSet::new();
    let ended = Clock::new(budget).run(&mut machine, &mut tape, &StopSet::default(), &mut |event| {
        let function = program.function(event.func);
        if function.is_library {
            return;
        }
        let (op, stack) = (&function.edge(event.edge).op, event.machine.current_stack());
        if op.stack_intrinsic() == Some(Intrinsic::EndStack) {
            open.take(stack);
        }
        let Op::Call { to, callee: Callee::Direct(id), .. } = op else { return };
        let callee = program.function(*id);
        if !callee.is_library {
            return;
        }
        match event.phase {
            TracePhase::Call => open.begin(stack, op, position.get()),
            TracePhase::Done => {
                let Some(before) = open.end(stack) else { return };
                if choices[before] == choices[position.get()] {
                    return;
                }
                let (bits, ty) = match to {
                    Some(VarRef::Local(v)) => (event.machine.local(*v).unwrap_or_default(), Some(function.var(*v).ty)),
                    Some(VarRef::Global(v)) => (event.machine.global(*v), Some(program.var(*v).ty)),
                    None => (Bits::ZERO, callee.ret),
                };
                let is_world = match ty {
                    Some(Ty::Int(_)) => !READING.contains(&&*callee.name),
                    Some(Ty::Float(_)) => callee.name.ends_with("rand48"),
                    Some(Ty::Ptr) | None => false,
                };
                if is_world {
                    let source = Source { ty, ..Source::default() };
                    let source = answers.functions.entry(callee.name.clone()).or_insert(source);
                    source.answers.push(Answer::Scalar(bits));
                } else {
                    beyond.insert(callee.name.to_string());
                }
            }
        }
    });
    if ended.is_none() {
        answers.notes.push("there was no time to find out what library functions returned".to_string());
    }
    answers.notes.extend(beyond.into_iter().map(|name| {
        format!("the compiled program calls the real `{name}`, which may answer otherwise than in the recorded run")
    }));
    Ok(())
}

/// A tape whose position can be looked at while the machine runs.
struct Counting<'a> {
    tape: Tape<'a>,
    position: &'a Cell<usize>,
}

impl plumb_exec::InputSource for Counting<'_> {
    fn scalar(&mut self, id: InputId, site: &plumb_ir::input::InputSite) -> Option<Bits> {
        let value = self.tape.scalar(id, site);
        self.position.set(self.tape.used());
        value
    }

    fn region(&mut self, id: InputId, site: &plumb_ir::input::InputSite, size: u64) -> Option<plumb_exec::RegionFill> {
        let value = self.tape.region(id, site, size);
        self.position.set(self.tape.used());
        value
    }
}
