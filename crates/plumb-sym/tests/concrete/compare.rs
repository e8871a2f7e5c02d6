//! Whether a symbolic run that followed a concrete one came to the same.

use crate::follow::{End, Follower};
use plumb_exec::{CompileOptions, FaultKind, Image, InputSource, Limits, Machine, Outcome, Recorder, Settling};
use plumb_ir::index::TiVec;
use plumb_ir::program::{GlobalObj, GlobalVar, ObjRef, Program, VarRef};
use plumb_ir::ty::{FloatFormat, Ty};
use plumb_sym::State;
use plumb_term::{Evaluator, TermId};
use std::sync::Arc;

pub struct Plan {
    pub seed: u64,
    /// Percent of the splits at which all ways are followed.
    pub detours: u64,
    /// Initial values of globals are symbols.
    pub unknown_start: bool,
    pub steps: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// Too long, or out of some resource.
    Skipped,
    /// The symbolic side has said that something there is beyond it.
    Beyond(String),
    Different(String),
}

#[derive(Default, Debug)]
pub struct Tally {
    pub joins: u64,
    pub joined_stacks: u64,
    pub splits: u64,
    pub steps: u64,
    pub terms: usize,
    /// Runs that came to their end, and others.
    pub ended: u64,
    pub broken: u64,
    pub assumed: u64,
    pub faults: u64,
}

impl Tally {
    fn note(&mut self, outcome: &Outcome) {
        let count = match outcome {
            Outcome::CheckFailed { .. } | Outcome::Unsupported { .. } => &mut self.broken,
            Outcome::AssumptionFailed(_) => &mut self.assumed,
            Outcome::Fault { .. } => &mut self.faults,
            _ => &mut self.ended,
        };
        *count += 1;
    }
}

/// Runs a program concretely and follows it.
pub fn compare(program: &Program, inputs: impl InputSource, plan: &Plan, tally: &mut Tally) -> Verdict {
    let image = match Image::compile(program, &CompileOptions::default()) {
        Ok(image) => Arc::new(image),
        Err(e) => return Verdict::Different(e.to_string()),
    };
    let mut machine = Machine::new(image.clone());
    machine.set_settling(Settling::AsInputs);
    let mut recorder = Recorder::new(inputs);
    let start = plan.unknown_start.then(|| initial(program, &mut machine));
    let outcome = machine.run(&mut recorder, Limits { depth: 5_000, ..Limits::steps(plan.steps) });
    let beyond = [FaultKind::StackOverflow, FaultKind::OutOfMemory, FaultKind::BadFormat];
    match &outcome {
        Outcome::StepLimit => return Verdict::Skipped,
        Outcome::Fault { kind, .. } if beyond.contains(kind) => return Verdict::Skipped,
        _ => {}
    }
    let given = recorder.record.into_iter().map(|(_, value)| value).collect();
    let mut follower = Follower::new(program, image.addresses(), given, plan.seed, plan.detours);
    let state = match start {
        Some(start) => begin_unknown(&mut follower, start),
        None => follower.sym.start(),
    };
    let mut steps = plan.steps * 4 + 1000;
    let end = follower.follow(state, None, &mut steps, true, 0);
    tally.note(&outcome);
    tally.joins += follower.joins;
    tally.joined_stacks += follower.joined_stacks;
    tally.splits += follower.splits;
    tally.steps += follower.steps;
    tally.terms += follower.sym.terms.len();
    let state = match end {
        End::Over(state) | End::There(state) => state,
        End::Lost => return Verdict::Different("the symbolic run does not end".to_string()),
    };
    judge(program, &mut machine, &outcome, &mut follower, &state)
}

/// Values that globals have at first.
struct Initial {
    registers: TiVec<GlobalVar, u128>,
    objects: TiVec<GlobalObj, Vec<u8>>,
}

fn initial(program: &Program, machine: &mut Machine) -> Initial {
    let registers = program.vars.keys().map(|var| machine.global(var).u128()).collect();
    let objects = program.objects.keys().map(|object| bytes(machine, object)).collect();
    Initial { registers, objects }
}

fn bytes(machine: &mut Machine, object: GlobalObj) -> Vec<u8> {
    let place = machine.image().addresses().object(object);
    let mut bytes = vec![0; place.size as usize];
    machine.read_memory(place.base, &mut bytes).expect("static objects can be read");
    bytes
}

fn begin_unknown(follower: &mut Follower, start: Initial) -> State {
    let (state, initial) = follower.sym.start_unknown();
    for (var, term) in initial.registers {
        let VarRef::Global(var) = var else { unreachable!("there is no activation yet") };
        follower.set(term, start.registers[var]);
    }
    for (object, region) in initial.objects {
        let ObjRef::Global(object) = object else { unreachable!("there is no activation yet") };
        follower.set_region(region, start.objects[object].clone());
    }
    state
}

pub fn judge(
    program: &Program,
    machine: &mut Machine,
    outcome: &Outcome,
    follower: &mut Follower,
    state: &State,
) -> Verdict {
    follower.refresh();
    let holding = |follower: &Follower, list: &[TermId]| {
        let mut evaluator = Evaluator::new(&follower.assignment);
        let found: Vec<usize> = (0..list.len()).filter(|i| evaluator.holds(&follower.sym.terms, list[*i])).collect();
        found
    };
    let axioms = holding(follower, &follower.sym.axioms);
    if axioms.len() != follower.sym.axioms.len() {
        return Verdict::Different("an axiom does not hold".to_string());
    }
    if let Some(&gap) = holding(follower, &follower.log.gaps).first() {
        let (func, loc) = follower.gap_places[gap];
        let function = program.function(func);
        let span = function.out_edges(loc).next().map(|edge| function.edge(edge).span);
        let place = span.and_then(|span| program.sources.place(span)).map(|place| place.to_string());
        return Verdict::Beyond(format!("{} {}", function.name, place.unwrap_or_default()));
    }
    if follower.is_confused {
        return Verdict::Different("the inputs are not those of the concrete run".to_string());
    }
    let goals: Vec<TermId> = follower.log.obligations.iter().map(|o| o.broken).collect();
    let broken: Vec<_> = holding(follower, &goals).into_iter().map(|i| follower.log.obligations[i].check).collect();
    let faults: Vec<TermId> = follower.log.faults.iter().map(|fault| fault.when).collect();
    let faults: Vec<_> = holding(follower, &faults)
        .into_iter()
        .map(|i| (follower.log.faults[i].kind, follower.log.faults[i].site))
        .collect();
    let is_possible = follower.holds(state.path.term());
    let found = (is_possible, !faults.is_empty(), broken.as_slice());
    let agree = match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::Stopped { .. } => {
            found == (true, false, &[])
        }
        // What comes from outside is assumed to satisfy such a check.
        Outcome::Unsupported { check, .. } if program.check(*check).of_inputs && !is_possible => {
            found == (false, false, &[])
        }
        Outcome::CheckFailed { check, .. } | Outcome::Unsupported { check, .. } => {
            (found.1, found.2) == (false, &[*check][..])
        }
        Outcome::AssumptionFailed(_) => found == (false, false, &[]),
        Outcome::Fault { .. } => faults.len() == 1 && broken.is_empty(),
        Outcome::StepLimit | Outcome::NoInput { .. } | Outcome::Probe(_) => false,
    };
    if !agree {
        let text = format!(
            "the path holds: {is_possible}, faults: {faults:?}, broken checks: {broken:?}\nconcrete: {outcome:?} {}",
            outcome.describe(program)
        );
        return Verdict::Different(text);
    }
    if !is_possible || !faults.is_empty() {
        return Verdict::Same;
    }
    match registers(program, machine, follower, state).or_else(|| objects(program, machine, follower, state)) {
        Some(text) => Verdict::Different(format!("{text}\nconcrete: {}", outcome.describe(program))),
        None => Verdict::Same,
    }
}

/// A global register that differs.
fn registers(program: &Program, machine: &Machine, follower: &mut Follower, state: &State) -> Option<String> {
    for (var, info) in program.vars.iter_enumerated() {
        let term = follower.sym.register_term(state, VarRef::Global(var))?;
        follower.refresh();
        let value = Evaluator::new(&follower.assignment).value(&follower.sym.terms, term);
        let ours = value.as_bits().and_then(|bits| bits.to_u128()).or(value.as_bool().map(u128::from)).unwrap_or(0);
        let theirs = machine.global(var).u128();
        let same = ours == theirs
            || info.ty == Ty::Ptr && same_place(machine, follower, ours as u64, theirs as u64)
            || both_nan(info.ty, ours, theirs);
        if !same {
            return Some(format!("`{}` is {ours:#x}, concretely {theirs:#x}", info.name));
        }
    }
    None
}

/// Objects that the symbolic side has elsewhere: the same byte of an object of the same size.
fn same_place(machine: &Machine, follower: &Follower, ours: u64, theirs: u64) -> bool {
    let Some((base, end)) = follower.invented.iter().find(|(base, end)| (*base..=*end).contains(&ours)) else {
        return false;
    };
    match machine.object_at(theirs) {
        Some(object) => object.size == end - base && theirs - object.base == ours - base,
        // It may be gone.
        None => true,
    }
}

/// Which NaN it is does not count.
fn both_nan(ty: Ty, a: u128, b: u128) -> bool {
    let is_nan = |bits: u128| match ty {
        Ty::Float(FloatFormat::F32) => f32::from_bits(bits as u32).is_nan(),
        Ty::Float(FloatFormat::F64) => f64::from_bits(bits as u64).is_nan(),
        Ty::Float(FloatFormat::X87) => bits >> 64 & 0x7fff == 0x7fff && bits << 65 != 0,
        Ty::Int(_) | Ty::Ptr => false,
    };
    is_nan(a) && is_nan(b)
}

/// A static object with a byte that differs.
fn objects(program: &Program, machine: &mut Machine, follower: &mut Follower, state: &State) -> Option<String> {
    for (object, info) in program.objects.iter_enumerated() {
        let terms: Vec<TermId> =
            (0..info.size).map(|at| follower.sym.bytes(state, ObjRef::Global(object), at, 1)).collect::<Option<_>>()?;
        follower.refresh();
        let mut evaluator = Evaluator::new(&follower.assignment);
        let mut ours = Vec::with_capacity(terms.len());
        for term in terms {
            let value = evaluator.value(&follower.sym.terms, term);
            ours.push(value.as_bits().and_then(|bits| bits.to_u64()).unwrap_or(0) as u8);
        }
        let theirs = bytes(machine, object);
        for at in (0..ours.len()).filter(|at| ours[*at] != theirs[*at]) {
            if !is_excused(program, machine, follower, &ours, &theirs, at) {
                return Some(format!("`{}` differs at {at}: {:#x}, concretely {:#x}", info.name, ours[at], theirs[at]));
            }
        }
    }
    None
}

/// Whether a byte is part of a pointer to the same place, or of a NaN.
fn is_excused(
    program: &Program,
    machine: &Machine,
    follower: &Follower,
    ours: &[u8],
    theirs: &[u8],
    at: usize,
) -> bool {
    let word = |bytes: &[u8], size: usize| {
        let from = at / size * size;
        let part = bytes.get(from..from + size)?;
        Some(part.iter().rev().fold(0u128, |v, b| v << 8 | *b as u128))
    };
    let pair = |size: usize| Some((word(ours, size)?, word(theirs, size)?));
    let pointer = program.target.pointer_bits() as usize / 8;
    let is_pointer = pair(pointer).is_some_and(|(a, b)| same_place(machine, follower, a as u64, b as u64));
    let formats = [(4, FloatFormat::F32), (8, FloatFormat::F64), (12, FloatFormat::X87), (16, FloatFormat::X87)];
    let is_nan =
        |(size, format): (usize, FloatFormat)| pair(size).is_some_and(|(a, b)| both_nan(Ty::Float(format), a, b));
    is_pointer || formats.into_iter().any(is_nan)
}
