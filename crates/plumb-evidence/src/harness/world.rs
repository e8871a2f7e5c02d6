//! What library functions returned where their models chose: the harness defines these functions too, so that the compiled
//! program gets the same answers from its world.
//!
//! A harness answers with what a call returned, and fills no memory: a function that may write to objects of the program stays
//! the compiled program's own, and a note says so. So do functions of mathematics, whose models only bound what the real
//! ones compute.

use super::answers::{Answer, Answers, Source};
use crate::open_calls::OpenCalls;
use crate::replay::{Clock, NotReplayed, Replay, Tape, compile};
use plumb_answer::Budget;
use plumb_exec::{CompileOptions, Machine, StopSet, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::modref::Objects;
use plumb_ir::analysis::pointsto::Object;
use plumb_ir::expr::ExprId;
use plumb_ir::fold::{Leaf, evaluate};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::{Callee, FuncId, Function, Intrinsic, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use std::cell::Cell;
use std::collections::BTreeSet;

pub(super) fn add_results(
    program: &Program,
    replayed: &Replay,
    answers: &mut Answers,
    moves_blocks: bool,
    budget: &Budget,
) -> Result<(), NotReplayed> {
    let inputs = &replayed.inputs[..];
    let chosen = |id: &InputId| matches!(program.input(*id).origin, InputOrigin::Library(_));
    let reallocates = program.mentioned.iter().any(|name| is_realloc(name)) && !moves_blocks;
    let ends_in_library = replayed.inside(program);
    if !inputs.iter().any(|(id, _)| chosen(id)) && !reallocates && ends_in_library.is_none() {
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
    let mut has_moved = false;
    let analyses = Analyses::new(program);
    let ended = Clock::new(budget).run(&mut machine, &mut tape, &StopSet::default(), &mut |event| {
        let function = program.function(event.func);
        if function.is_library {
            return;
        }
        let (op, stack) = (&function.edge(event.edge).op, event.machine.current_stack());
        if op.stack_intrinsic() == Some(Intrinsic::EndStack) {
            open.take(stack);
        }
        let Op::Call { to, callee: Callee::Direct(id), args } = op else { return };
        let callee = program.function(*id);
        if !callee.is_library {
            return;
        }
        match event.phase {
            TracePhase::Call => {
                let block = args.first().filter(|_| reallocates && is_realloc(&callee.name));
                has_moved |= block.is_some_and(|block| !is_null(function, *block, program, event.machine));
                open.begin(stack, op, position.get());
            }
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
                    Some(Ty::Int(_)) => !writes_to_program(&analyses, *id),
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
    // What the world gives decides how much such a function writes.
    let entered = ends_in_library.filter(|id| takes_bytes(&analyses, *id));
    beyond.extend(entered.map(|id| program.function(id).name.to_string()));
    answers.notes.extend(beyond.into_iter().map(|name| {
        format!("the compiled program calls the real `{name}`, which may answer otherwise than in the recorded run")
    }));
    if has_moved {
        answers.notes.push(
            "in the recorded run `realloc` moves the block; that of the compiled program may leave it where it is"
                .to_string(),
        );
    }
    Ok(())
}

fn is_realloc(name: &str) -> bool {
    matches!(name, "realloc" | "reallocarray")
}

/// Whether an argument of a call that is about to begin is null.
fn is_null(function: &Function, argument: ExprId, program: &Program, machine: &Machine) -> bool {
    let value = evaluate(&function.exprs, argument, &program.target, &mut |leaf| match leaf {
        Leaf::Var(VarRef::Local(var)) => machine.local(var),
        Leaf::Var(VarRef::Global(var)) => Some(machine.global(var)),
        Leaf::Addr(_) | Leaf::Function(_) => Some(Bits::ONE),
        Leaf::Load(..) => None,
    });
    value.is_some_and(|value| value.is_zero())
}

/// Whether a library function may write to what is not the library's own.
fn writes_to_program(analyses: &Analyses, func: FuncId) -> bool {
    let program = analyses.program();
    let is_own = |span| program.sources.unit_of(span).is_some_and(|unit| &*unit.name == "<library>");
    let is_programs = |object: &Object| match object {
        Object::Global(id) => !is_own(program.object(*id).span.start),
        Object::Local(func, _) | Object::Stack(func, _) => !program.function(*func).is_library,
        Object::Heap(..) => true,
        Object::Function(_) => false,
    };
    match &analyses.mod_ref().function(func).writes.objects {
        Objects::Any => true,
        Objects::Known(list) => list.iter().any(is_programs),
    }
}

/// Whether a function of the library may leave bytes in the program's memory that the world chooses, or as many of them.
fn takes_bytes(analyses: &Analyses, func: FuncId) -> bool {
    let program = analyses.program();
    if is_realloc(&program.function(func).name) || !writes_to_program(analyses, func) {
        return false;
    }
    let (mut open, mut seen) = (vec![func], BTreeSet::from([func]));
    while let Some(id) = open.pop() {
        for edge in program.function(id).edges.iter() {
            match &edge.op {
                Op::Havoc { input, .. } => {
                    let site = program.input(*input);
                    if matches!(site.origin, InputOrigin::Library(_)) && !site.origin.is_open(site.ty) {
                        return true;
                    }
                }
                Op::Call { callee: Callee::Direct(callee), .. } if seen.insert(*callee) => open.push(*callee),
                Op::Call { .. } | Op::Assign { .. } | Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => {}
            }
        }
    }
    false
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
