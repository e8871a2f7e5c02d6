//! Every concrete state satisfies the state from anywhere.
//!
//! A program is run by the concrete machine and stopped at random locations. The symbolic state that stands for all states
//! there must have a model that is the machine's state: every register and every byte has its value, and a pointer into an
//! object that has a name in the state points into that object, not just to the same number. From that model on, the rest
//! of the run is followed symbolically: it must end as the concrete run does, or where the symbolic side says that it is
//! beyond it.

use crate::compare::{Verdict, judge};
use crate::follow::{End, Follower};
use plumb_exec::{
    AddressMap, CompileOptions, Image, Limits, Machine, Outcome, ProbeId, Recorder, Rng, SeedInputs, SegmentKind,
    Settling, StopSet,
};
use plumb_ir::analysis::Analyses;
use plumb_ir::index::TiVec;
use plumb_ir::program::{EdgeId, FuncId, GlobalObj, Loc, Program, VarRef};
use plumb_ir::ty::Ty;
use plumb_solve::{BitSolver, Limits as SolverLimits, Outcome as Found, Solver};
use plumb_sym::{Callers, ObjId, ObjectKind, Place, State, Sym, Value};
use plumb_term::TermId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pointers that random programs do not have: to locals that are gone, to locals of other activations of a recursive function,
/// numbers, pointers across words, objects that are allocated once.
pub const CORNERS: &str = r#"
extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
struct packed { char tag; int *p; } __attribute__((packed)) across;
int *left, *once, *moved, *stale, *mixed; int g; int **at = &left; int *few[3]; unsigned long number;
static void leave(int n) { int own = n; left = &own; g += *left; few[n % 3] = &g; stale = n & 1 ? &own : &g; }
static int deep(int *p, int n) { int here = n; return n <= 0 ? *p : deep(&here, n - 1) + *p; }
static int down(int *p, int n) {
    int here = n + *p, *mine = n & 2 ? &here : p;
    if (n <= 0) return *mine;
    return down(n & 1 ? &here : mine, n - 1) + *p;
}
static void odd(int n) {
    left = (int *)16; left = left + n; mixed = n & 1 ? &g : (int *)16;
    across.p = n & 1 ? &g : once; *across.p += 1;
    moved = 0; if (n > 3) moved = once + 3;
    number = (unsigned long)&once[n % 3]; *(int *)number += 1;
}
static int reads(int **p, int n) { int k, s = 0; for (k = 0; k < n; k++) if (*p) s += k; return s; }
int main(void) {
    int i, local = 3, *keep = &local;
    once = malloc(12); once[0] = 1; once[1] = 5; once[2] = 2;
    for (i = 0; i < 12; i++) {
        leave(i);
        g += reads(&few[i % 3], 2);
        g += down(keep, i & 3) + deep(&g, i & 3);
        odd(i);
        once[i % 3] += g;
        *at = i & 4 ? once : 0;
        keep = *at ? *at : &local;
    }
    number = 0;
    return 0;
}
"#;

/// Locations at which a run is stopped, and stops of a run that are looked at.
const LOCATIONS: usize = 12;
const STOPS: usize = 4;
/// Steps for which the rest of a run is followed.
const MOST_STEPS: u64 = 20_000;

#[derive(Default, Debug)]
pub struct Tally {
    pub stops: u64,
    /// Stops below other calls than the first.
    pub in_calls: u64,
    /// Pointers that point into an object with a name.
    pub named: u64,
    /// Pointers that are null or no object's address.
    pub nowhere: u64,
    /// Pointers for which only the unknown object is left.
    pub unknown: u64,
    pub followed: u64,
    pub beyond: u64,
    pub skipped: u64,
}

/// An object of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Concrete {
    base: u64,
    size: u64,
}

/// Where the objects of a symbolic state are in the machine.
type Objects = BTreeMap<ObjId, Concrete>;

/// What a value must be for the symbolic state to be the machine's.
struct Matcher<'s, 'p> {
    sym: &'s mut Sym<'p>,
    machine: &'s Machine,
    map: &'s AddressMap,
    objects: &'s Objects,
    /// Objects of the heap that pointers have led to.
    allocated: Objects,
    conditions: Vec<TermId>,
    tally: &'s mut Tally,
}

impl Matcher<'_, '_> {
    fn width(&self) -> u32 {
        self.sym.program.target.pointer_bits()
    }

    /// The object with a name that has the address, or ends there.
    fn named_at(&self, address: u64) -> Option<(ObjId, Concrete)> {
        let ends = |concrete: &Concrete| address.wrapping_sub(concrete.base) == concrete.size;
        let has = |concrete: &Concrete| address.wrapping_sub(concrete.base) < concrete.size;
        let found = self.objects.iter().find(|(_, one)| has(one)).or(self.objects.iter().find(|(_, one)| ends(one)));
        found.map(|(id, concrete)| (*id, *concrete))
    }

    fn is_function(&self, object: ObjId, address: u64) -> bool {
        let kind = self.sym.objects[object].kind;
        matches!(kind, ObjectKind::Function(func) if self.map.function_address(func) == address)
    }

    /// Whether an object is none of a frame nor a static one.
    fn is_allocated(&self, base: u64) -> bool {
        self.map.kind_of(base) == Some(SegmentKind::Heap)
    }

    fn equals(&mut self, offset: TermId, number: u64) -> TermId {
        let number = self.sym.terms.bv(self.width(), number as u128);
        self.sym.terms.eq(offset, number)
    }

    /// When a place is where the machine's pointer points; `None` if it cannot be. The unknown object is left out.
    fn at_place(&mut self, place: &Place, address: u64) -> Option<TermId> {
        let Some(object) = place.object else { return Some(self.equals(place.offset, address)) };
        if object == self.sym.dead {
            // The machine may have put something else there by now.
            return Some(TermId::bool(true));
        }
        if let Some(concrete) = self.objects.get(&object).copied() {
            return Some(self.equals(place.offset, address.wrapping_sub(concrete.base)));
        }
        if self.is_function(object, address) {
            return Some(self.equals(place.offset, 0));
        }
        let live = self.machine.object_at(address);
        let info = self.sym.objects[object].clone();
        match live {
            // What was allocated once. A dangling pointer may lead to what lies there by now.
            Some(live) if info.kind == ObjectKind::Heap && self.is_allocated(live.base) => {
                let size = match info.size {
                    Value::Const(size) => TermId::bool(size.u64() == live.size),
                    Value::Term(size) => self.equals(size, live.size),
                    Value::Addr(..) | Value::Pointer(_) => return None,
                };
                self.allocated.insert(object, Concrete { base: live.base, size: live.size });
                let here = self.equals(place.offset, address.wrapping_sub(live.base));
                Some(self.sym.terms.and(size, here))
            }
            Some(_) => None,
            // What is dead has no place that could be compared.
            None => Some(TermId::bool(true)),
        }
    }

    fn pointer(&mut self, what: &str, value: &Value, address: u64) -> Result<(), String> {
        let places = self.sym.places(value);
        let unknown = self.sym.unknown;
        let mut alternatives = Vec::new();
        // Where one object ends another may begin: that one is meant.
        let inside = self.named_at(address).filter(|(_, concrete)| address.wrapping_sub(concrete.base) < concrete.size);
        let inside = inside.map(|(object, _)| object).filter(|object| places.iter().any(|p| p.object == Some(*object)));
        let mut is_named = false;
        let is_meant =
            |place: &&Place| place.object != Some(unknown) && inside.is_none_or(|one| place.object == Some(one));
        for place in places.iter().filter(is_meant) {
            if let Some(here) = self.at_place(place, address) {
                let here = self.sym.terms.and(place.guard, here);
                if here != TermId::bool(false) {
                    is_named |= place.object.is_some();
                    alternatives.push(here);
                }
            }
        }
        let named = self.named_at(address);
        let is_complete = |place: &Place| place.object != Some(unknown) && place.object != Some(self.sym.dead);
        let is_complete = places.iter().all(is_complete);
        if let Some((object, _)) = named
            && is_complete
            && !places.iter().any(|place| place.object == Some(object))
        {
            let name = &self.sym.objects[object].name;
            return Err(format!("{what} points into `{name}`, which is not among {places:?}"));
        }
        match (is_named, alternatives.is_empty()) {
            (true, _) => self.tally.named += 1,
            (false, false) => self.tally.nowhere += 1,
            (false, true) => self.tally.unknown += 1,
        }
        if alternatives.is_empty() {
            let guards = places.iter().filter(|place| place.object == Some(unknown)).map(|place| place.guard);
            alternatives.extend(guards.collect::<Vec<_>>());
        }
        // Dead and unknown objects have the address too.
        let number = self.sym.address(value);
        let number = self.equals(number, address);
        self.conditions.push(number);
        let condition = self.sym.terms.or_all(alternatives);
        if condition == TermId::bool(false) {
            return Err(format!("{what} is {address:#x}, which none of {places:?} is"));
        }
        self.conditions.push(condition);
        Ok(())
    }

    fn value(&mut self, what: &str, value: &Value, ty: Ty, bits: u128) -> Result<(), String> {
        match value {
            Value::Const(constant) if constant.u128() == bits => Ok(()),
            Value::Const(_) => Err(format!("{what} is {value:?}, concretely {bits:#x}")),
            _ if ty == Ty::Ptr => self.pointer(what, value, bits as u64),
            // A symbol of its own: bound below.
            Value::Term(term) => {
                let constant = match ty {
                    Ty::Int(1) => TermId::bool(bits != 0),
                    Ty::Int(width) => self.sym.terms.bv(width as u32, bits),
                    Ty::Float(_) | Ty::Ptr => {
                        let plumb_term::Sort::Float(format) = self.sym.terms.sort(*term) else { return Ok(()) };
                        self.sym.terms.float_const(format, bits)
                    }
                };
                let same = self.sym.terms.eq(*term, constant);
                self.conditions.push(same);
                Ok(())
            }
            Value::Addr(..) | Value::Pointer(_) => Ok(()),
        }
    }
}

fn bytes_of(machine: &mut Machine, object: Concrete) -> Vec<u8> {
    let mut bytes = vec![0; object.size as usize];
    machine.read_memory(object.base, &mut bytes).expect("living objects can be read");
    bytes
}

/// Where the named objects of a state are in the machine.
fn objects(program: &Program, machine: &Machine, sym: &Sym, state: &State, lowest: usize) -> Objects {
    let map = machine.image().addresses();
    let mut found = Objects::new();
    for i in 0..program.objects.len() as u32 {
        let object = map.object(GlobalObj(i));
        found.insert(ObjId(i), Concrete { base: object.base, size: object.size });
    }
    for (i, frame) in state.frames().enumerate() {
        for (local, id) in frame.objects().iter_enumerated() {
            if let Some(object) = machine.object_of(lowest + i, local) {
                found.insert(*id, Concrete { base: object.base, size: object.size });
            }
        }
    }
    // Locals of frames that the state does not have.
    let stack: Vec<FuncId> = machine.call_stack().collect();
    for (id, _) in state.objects().filter(|(id, _)| !found.contains_key(id)).collect::<Vec<_>>() {
        let Some((func, local)) = sym.objects[id].local else { continue };
        let depth = stack[..lowest].iter().rposition(|active| *active == func);
        if let Some(object) = depth.and_then(|depth| machine.object_of(depth, local)) {
            found.insert(id, Concrete { base: object.base, size: object.size });
        }
    }
    found
}

/// A symbolic state from anywhere with a model that is the machine's state.
struct Started<'p> {
    follower: Follower<'p>,
    state: State,
    /// Inputs that the run had read.
    inputs: usize,
}

struct Stop<'a> {
    func: FuncId,
    loc: Loc,
    calls: &'a [(FuncId, EdgeId)],
    knows_callers: bool,
}

impl Stop<'_> {
    /// The outermost activation that the state has.
    fn lowest(&self) -> usize {
        if self.knows_callers { 0 } else { self.calls.len() }
    }
}

/// The objects that both the state and the machine have, with their bytes.
fn contents(machine: &mut Machine, state: &State, objects: &Objects) -> Vec<(ObjId, Concrete, Vec<u8>)> {
    let found = state.objects().filter_map(|(id, _)| Some((id, *objects.get(&id)?)));
    found.collect::<Vec<_>>().into_iter().map(|(id, concrete)| (id, concrete, bytes_of(machine, concrete))).collect()
}

/// The conditions under which a state is the machine's, and objects that have been found on the way.
fn match_all(
    analyses: &Analyses,
    machine: &mut Machine,
    sym: &mut Sym,
    state: &State,
    stop: &Stop,
    objects: &Objects,
    tally: &mut Tally,
) -> Result<(Vec<TermId>, Objects), String> {
    let program = analyses.program();
    let lowest = stop.lowest();
    let contents = contents(machine, state, objects);
    let image = machine.image().clone();
    let (conditions, allocated) = (Vec::new(), Objects::new());
    let mut matcher = Matcher { sym, machine, map: image.addresses(), objects, allocated, conditions, tally };
    for (var, info) in program.vars.iter_enumerated() {
        if let Some(value) = state.register(VarRef::Global(var)).cloned() {
            matcher.value(&info.name, &value, info.ty, matcher.machine.global(var).u128())?;
        }
    }
    for (depth, frame) in state.frames().enumerate() {
        let function = program.function(frame.func);
        let live = &analyses.shape(frame.func).live;
        // What a pending call returns has not come yet.
        let pending =
            stop.calls[lowest..].get(depth).and_then(|(func, edge)| program.function(*func).edge(*edge).op.written());
        for (var, info) in function.vars.iter_enumerated() {
            let may_be_unassigned = live.is_live(function.entry, VarRef::Local(var)) && var.0 >= function.param_count;
            let (Some(value), Some(bits)) = (frame.register(var), matcher.machine.local_of(lowest + depth, var)) else {
                continue;
            };
            if !may_be_unassigned && pending != Some(VarRef::Local(var)) {
                matcher.value(&format!("{}.{}", function.name, info.name), &value.clone(), info.ty, bits.u128())?;
            }
        }
    }
    let word = matcher.width() as u64 / 8;
    for (id, concrete, bytes) in &contents {
        let name = matcher.sym.objects[*id].name.clone();
        for at in (0..concrete.size).step_by(word as usize).filter(|at| at + word <= concrete.size) {
            let part = &bytes[at as usize..(at + word) as usize];
            let bits = part.iter().rev().fold(0u128, |value, byte| value << 8 | *byte as u128);
            match matcher.sym.scalar_at(state, *id, at, Ty::Ptr) {
                // Bytes of a region have values of their own.
                Some(Value::Term(_)) | None => {}
                // Constants point where they pointed at first.
                Some(_) if matcher.sym.objects[*id].read_only => {}
                Some(value) => matcher.value(&format!("{name}+{at}"), &value, Ty::Ptr, bits)?,
            }
        }
    }
    for (id, alive) in state.objects() {
        let is_there = objects.contains_key(&id);
        let condition = if is_there { alive } else { matcher.sym.terms.not(alive) };
        matcher.conditions.push(condition);
    }
    Ok((matcher.conditions, matcher.allocated))
}

fn start<'p>(
    analyses: &'p Analyses,
    machine: &mut Machine,
    mut follower: Follower<'p>,
    stop: &Stop,
    tally: &mut Tally,
) -> Result<Option<Started<'p>>, String> {
    let program = analyses.program();
    let callers = if stop.knows_callers { Callers::Known(stop.calls) } else { Callers::Any };
    let state = follower.sym.anywhere(analyses, stop.func, stop.loc, callers);
    let mut objects = objects(program, machine, &follower.sym, &state, stop.lowest());
    let image = machine.image().clone();
    // What was allocated once is where a pointer to it points.
    let (_, allocated) =
        match_all(analyses, machine, &mut follower.sym, &state, stop, &objects, &mut Tally::default())?;
    for (id, concrete) in allocated {
        objects.insert(id, concrete);
    }
    let (mut conditions, _) = match_all(analyses, machine, &mut follower.sym, &state, stop, &objects, tally)?;
    for (id, concrete) in &objects {
        if let Value::Term(size) = follower.sym.objects[*id].size {
            let number = follower.sym.terms.bv(program.target.pointer_bits(), concrete.size as u128);
            conditions.push(follower.sym.terms.eq(size, number));
        }
        if let Some(base) = follower.sym.objects[*id].base {
            let number = follower.sym.terms.bv(program.target.pointer_bits(), concrete.base as u128);
            conditions.push(follower.sym.terms.eq(base, number));
        }
    }
    for (base, kind) in follower.sym.addresses_as_numbers() {
        if let ObjectKind::Function(func) = kind {
            let number = image.addresses().function_address(func);
            let number = follower.sym.terms.bv(program.target.pointer_bits(), number as u128);
            conditions.push(follower.sym.terms.eq(base, number));
        }
    }
    let mut solver = BitSolver::new();
    solver.set_limits(SolverLimits { conflicts: Some(20_000), ..SolverLimits::default() });
    follower.sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
    match solver.check(&mut follower.sym.terms, &conditions) {
        Found::Sat => {}
        Found::Unsat => return Err("no model of the state from anywhere is the machine's state".to_string()),
        Found::Unknown(_) => return Ok(None),
    }
    if let Some(model) = solver.model() {
        follower.assignment = model.clone();
    }
    for (id, _, bytes) in contents(machine, &state, &objects) {
        if let Some(region) = follower.sym.region_at(&state, id, 0) {
            follower.set_region(region, bytes);
        }
    }
    for (id, concrete) in objects {
        follower.place(id, concrete.base);
    }
    Ok(Some(Started { follower, state, inputs: 0 }))
}

/// Runs a program, stops it, and looks at the states from anywhere there.
pub fn check(program: &Program, seed: u64, steps: u64, tally: &mut Tally) -> Result<(), String> {
    let mut rng = Rng(seed);
    let analyses = Analyses::new(program);
    let mut places = Vec::new();
    for func in program.function_ids().filter(|func| program.function(*func).has_body) {
        let function = program.function(func);
        // The library's are many.
        let locations = function.locs().filter(|_| !function.is_library || rng.below(10) == 0);
        places.extend(locations.map(|loc| (func, loc)));
    }
    let probes: TiVec<ProbeId, (FuncId, Loc)> =
        (0..LOCATIONS).map(|_| places[rng.below(places.len() as u64) as usize]).collect();
    let options = CompileOptions { probes: probes.clone(), ..CompileOptions::default() };
    let image = Arc::new(Image::compile(program, &options).map_err(|e| e.to_string())?);
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image.clone());
    machine.set_settling(Settling::AsInputs);
    let mut inputs = Recorder::new(SeedInputs::new(seed));
    let mut started: Vec<(Started, String)> = Vec::new();
    let outcome = loop {
        let outcome = machine.run_until(&mut inputs, Limits { depth: 5_000, ..Limits::steps(steps) }, &stops);
        let Outcome::Probe(id) = outcome else { break outcome };
        if started.len() >= STOPS || rng.below(3) == 0 {
            continue;
        }
        let (func, loc) = probes[id];
        let calls: Vec<(FuncId, EdgeId)> = machine.calls().map(|site| (site.func, site.edge)).collect();
        let knows_callers = rng.below(3) > 0;
        let stop = Stop { func, loc, calls: &calls, knows_callers };
        let follower = Follower::new(program, image.addresses(), Vec::new(), seed, 0);
        let place = format!("{} {loc:?}, callers known: {knows_callers}", program.function(func).name);
        tally.stops += 1;
        tally.in_calls += (calls.len() > 1) as u64;
        match start(&analyses, &mut machine, follower, &stop, tally).map_err(|text| format!("{place}: {text}"))? {
            Some(one) if knows_callers => {
                started.push((Started { inputs: inputs.record.len(), ..one }, place));
            }
            Some(_) | None => {}
        }
    };
    if matches!(outcome, Outcome::StepLimit | Outcome::Fault { .. }) {
        tally.skipped += started.len() as u64;
        return Ok(());
    }
    for (Started { mut follower, state, inputs: taken }, place) in started {
        follower.give(inputs.record[taken..].iter().map(|(_, value)| value.clone()).collect());
        let mut steps = MOST_STEPS;
        let state = match follower.follow(state, None, &mut steps, true, 0) {
            End::Over(state) | End::There(state) => state,
            End::Lost => {
                tally.skipped += 1;
                continue;
            }
        };
        match judge(program, &mut machine, &outcome, &mut follower, &state) {
            Verdict::Same => tally.followed += 1,
            Verdict::Beyond(gap) => {
                tally.beyond += 1;
                if std::env::var_os("PLUMB_SYM_TELL").is_some() {
                    eprintln!("seed {seed}: {place} is beyond: {gap}");
                }
            }
            Verdict::Skipped => tally.skipped += 1,
            Verdict::Different(text) => return Err(format!("{place}: from there on, {text}")),
        }
    }
    Ok(())
}
