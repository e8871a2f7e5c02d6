//! Runs of the program, and what variables are when they pass the places.

use super::places::{Kind, Places};
use super::watch::Watched;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, SeedInputs, StopSet};
use plumb_infer::Value;
use plumb_ir::program::{FuncId, Loc, LocalVar, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// Samples of one place, and of those of one run.
const MAX_ROWS: usize = 3000;
const MAX_ROWS_OF_RUN: u32 = 100;

/// A value for each variable that has one.
pub type Values = Vec<Option<Value>>;

/// One sample, and the run that it is of.
pub struct Row {
    pub run: u64,
    pub values: Values,
}

/// How often and how long the program is run.
pub struct Plan {
    pub runs: u64,
    pub steps: u64,
    pub seed: u64,
    pub memory: u64,
    pub deadline: Option<Instant>,
}

/// What was sampled of a function, place by place. Exits have the state at the entry before that at the exit.
#[derive(Default)]
pub struct Sampled {
    pub entry: Vec<Row>,
    pub exit: Vec<Row>,
    pub loops: Vec<Vec<Row>>,
}

pub struct Samples {
    pub functions: Vec<Sampled>,
    pub runs: u64,
}

/// A call in progress.
struct Call {
    depth: usize,
    function: usize,
    parameters: Values,
    state: Values,
    pointers: Vec<(LocalVar, u64)>,
}

pub fn sample(program: &Program, places: &[Places], plan: &Plan) -> Result<Samples, plumb_exec::CompileError> {
    let (probes, stops) = probes(places);
    let image = Arc::new(Image::compile(program, &CompileOptions { probes, ..CompileOptions::default() })?);
    let every = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    let empty =
        |places: &Places| Sampled { loops: places.loops.iter().map(|_| Vec::new()).collect(), ..Sampled::default() };
    let mut samples = Samples { functions: places.iter().map(empty).collect(), runs: 0 };
    for run in 0..plan.runs {
        if plan.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        machine.restore(&start);
        samples.runs += 1;
        let mut one = Run { number: run, places, stops: &stops, calls: Vec::new(), rows: FxHashMap::default() };
        let mut inputs = SeedInputs::new(plan.seed.wrapping_add(run));
        let before = machine.steps();
        loop {
            let left = plan.steps.saturating_sub(machine.steps() - before);
            let limits = Limits { steps: left, memory: plan.memory, ..Limits::default() };
            // What ends a run, be it a violation, ends the samples of it; those before are states of the program.
            let Outcome::Probe(probe) = machine.run_until(&mut inputs, limits, &every) else { break };
            one.pass(probe.0 as usize, &mut machine, &mut samples);
        }
    }
    Ok(samples)
}

/// The locations to stop at, and by location what is sampled there: the function and the kind of place.
fn probes(places: &[Places]) -> (Vec<(FuncId, Loc)>, Vec<Vec<(usize, Kind)>>) {
    let mut probes: Vec<(FuncId, Loc)> = Vec::new();
    let mut stops: Vec<Vec<(usize, Kind)>> = Vec::new();
    let mut index: FxHashMap<(FuncId, Loc), usize> = FxHashMap::default();
    for (at, one) in places.iter().enumerate() {
        let exits = one.markers.exits.iter().map(|loc| (*loc, Kind::Exit));
        let loops = one.loops.iter().map(|head| (head.loc, Kind::Loop(head.loc)));
        for (loc, kind) in std::iter::once((one.markers.entry, Kind::Entry)).chain(loops).chain(exits) {
            let key = (one.markers.func, loc);
            let stop = *index.entry(key).or_insert_with(|| {
                probes.push(key);
                stops.push(Vec::new());
                probes.len() - 1
            });
            stops[stop].push((at, kind));
        }
    }
    (probes, stops)
}

struct Run<'a> {
    number: u64,
    places: &'a [Places],
    stops: &'a [Vec<(usize, Kind)>],
    calls: Vec<Call>,
    /// Samples of this run, by place.
    rows: FxHashMap<(usize, Option<Loc>, bool), u32>,
}

impl Run<'_> {
    fn pass(&mut self, stop: usize, machine: &mut Machine, samples: &mut Samples) {
        let depth = machine.call_stack().count();
        for (function, kind) in &self.stops[stop] {
            match kind {
                Kind::Entry => self.enter(*function, depth, machine, samples),
                Kind::Exit => self.leave(*function, depth, machine, samples),
                Kind::Loop(head) => self.iterate(*function, *head, depth, machine, samples),
            }
        }
    }

    /// Whether this run may add a sample of the place.
    fn has_room(&mut self, function: usize, head: Option<Loc>, is_exit: bool) -> bool {
        let count = self.rows.entry((function, head, is_exit)).or_default();
        *count += 1;
        *count <= MAX_ROWS_OF_RUN
    }

    fn enter(&mut self, function: usize, depth: usize, machine: &mut Machine, samples: &mut Samples) {
        let places = &self.places[function];
        let address = |var: &LocalVar| machine.local(*var).map(|bits| (*var, bits.u64()));
        let pointers: Vec<(LocalVar, u64)> = places.pointers.iter().filter_map(address).collect();
        let parameters = read(&places.parameters, machine, &pointers);
        let state = read(&places.state, machine, &pointers);
        let rows = &mut samples.functions[function].entry;
        if rows.len() < MAX_ROWS && self.has_room(function, None, false) {
            rows.push(Row { run: self.number, values: [&parameters[..], &state[..]].concat() });
        }
        self.calls.retain(|call| call.depth < depth);
        self.calls.push(Call { depth, function, parameters, state, pointers });
    }

    /// The call that the machine is in. One whose beginning was not seen is none.
    fn call(&mut self, function: usize, depth: usize) -> Option<usize> {
        self.calls.iter().rposition(|call| call.depth == depth && call.function == function)
    }

    fn leave(&mut self, function: usize, depth: usize, machine: &mut Machine, samples: &mut Samples) {
        let Some(at) = self.call(function, depth) else { return };
        let places = &self.places[function];
        let rows = &mut samples.functions[function].exit;
        if rows.len() < MAX_ROWS && self.has_room(function, None, true) {
            let call = &self.calls[at];
            let state = read(&places.state, machine, &call.pointers);
            let result = read(places.result.as_slice(), machine, &call.pointers);
            let values = [&call.parameters[..], &call.state[..], &state[..], &result[..]].concat();
            rows.push(Row { run: self.number, values });
        }
        self.calls.truncate(at);
    }

    fn iterate(&mut self, function: usize, head: Loc, depth: usize, machine: &mut Machine, samples: &mut Samples) {
        let places = &self.places[function];
        let Some(number) = places.loops.iter().position(|one| one.loc == head) else { return };
        let Some(at) = self.call(function, depth) else { return };
        let rows = &mut samples.functions[function].loops[number];
        if rows.len() < MAX_ROWS && self.has_room(function, Some(head), false) {
            let call = &self.calls[at];
            let locals = read(&places.loops[number].locals, machine, &call.pointers);
            let state = read(&places.state, machine, &call.pointers);
            rows.push(Row { run: self.number, values: [&locals[..], &state[..]].concat() });
        }
    }
}

fn read(list: &[Watched], machine: &mut Machine, pointers: &[(LocalVar, u64)]) -> Values {
    let pointer = |var: LocalVar| pointers.iter().find(|(other, _)| *other == var).map(|(_, address)| *address);
    list.iter().map(|watched| watched.read(machine, &pointer)).collect()
}
