//! Runs of the program, and what variables are when they pass the places.

use super::places::{Kind, Places};
use super::watch::Watched;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, ProbeId, SeedInputs, StopSet};
use plumb_infer::Value;
use plumb_ir::program::{FuncId, Loc, LocalVar, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// Samples of one place, and of those of one run.
const MAX_ROWS: usize = 1500;
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

/// The samples of one place.
#[derive(Default)]
pub struct Rows {
    pub list: Vec<Row>,
}

impl Rows {
    fn push(&mut self, run: u64, values: impl FnOnce() -> Values) {
        if self.list.len() < MAX_ROWS {
            self.list.push(Row { run, values: values() });
        }
    }
}

/// What was sampled of a function, place by place. Exits have the state at the entry before that at the exit.
#[derive(Default)]
pub struct Sampled {
    pub entry: Rows,
    pub exit: Rows,
    pub loops: Vec<Rows>,
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
    let probes = Probes::new(places);
    let options = CompileOptions { probes: probes.locations.clone(), ..CompileOptions::default() };
    let image = Arc::new(Image::compile(program, &options)?);
    let every = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    let empty = |places: &Places| Sampled {
        loops: places.loops.iter().map(|_| Rows::default()).collect(),
        ..Sampled::default()
    };
    let mut samples = Samples { functions: places.iter().map(empty).collect(), runs: 0 };
    for run in 0..plan.runs {
        if plan.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        machine.restore(&start);
        samples.runs += 1;
        let mut one = Run::new(run, places, &probes);
        let mut stops = every.clone();
        let mut inputs = SeedInputs::new(plan.seed.wrapping_add(run));
        let before = machine.steps();
        loop {
            let left = plan.steps.saturating_sub(machine.steps() - before);
            let limits = Limits { steps: left, memory: plan.memory, ..Limits::default() };
            // What ends a run, be it a violation, ends the samples of it; those before are states of the program.
            let Outcome::Probe(probe) = machine.run_until(&mut inputs, limits, &stops) else { break };
            one.pass(probe.0 as usize, &mut machine, &mut samples);
            one.finished.drain(..).for_each(|probe| stops.remove(ProbeId(probe)));
        }
    }
    Ok(samples)
}

/// The locations to stop at.
struct Probes {
    locations: Vec<(FuncId, Loc)>,
    /// By location: the function and the kinds of place that it is.
    places: Vec<(usize, Vec<Kind>)>,
}

impl Probes {
    fn new(places: &[Places]) -> Probes {
        let mut probes = Probes { locations: Vec::new(), places: Vec::new() };
        let mut index: FxHashMap<(FuncId, Loc), usize> = FxHashMap::default();
        for (function, one) in places.iter().enumerate() {
            let exits = one.markers.exits.iter().map(|loc| (*loc, Kind::Exit));
            let loops = one.loops.iter().map(|head| (head.loc, Kind::Loop(head.loc)));
            for (loc, kind) in std::iter::once((one.markers.entry, Kind::Entry)).chain(loops).chain(exits) {
                let key = (one.markers.func, loc);
                let at = *index.entry(key).or_insert_with(|| {
                    probes.locations.push(key);
                    probes.places.push((function, Vec::new()));
                    probes.locations.len() - 1
                });
                probes.places[at].1.push(kind);
            }
        }
        probes
    }

    fn of_function(&self, function: usize) -> impl Iterator<Item = u32> {
        let is_own = move |(_, (other, _)): &(usize, &(usize, Vec<Kind>))| *other == function;
        self.places.iter().enumerate().filter(is_own).map(|(at, _)| at as u32)
    }
}

/// A run in progress. A function is sampled in so many of its calls; then the run no longer stops there.
struct Run<'a> {
    number: u64,
    places: &'a [Places],
    probes: &'a Probes,
    calls: Vec<Call>,
    /// Calls seen, by function, and iterations, by loop head.
    entered: FxHashMap<usize, u32>,
    iterated: FxHashMap<(usize, Loc), u32>,
    /// Probes at which there is nothing more to see.
    finished: Vec<u32>,
}

impl<'a> Run<'a> {
    fn new(number: u64, places: &'a [Places], probes: &'a Probes) -> Run<'a> {
        Run {
            number,
            places,
            probes,
            calls: Vec::new(),
            entered: FxHashMap::default(),
            iterated: FxHashMap::default(),
            finished: Vec::new(),
        }
    }

    fn pass(&mut self, probe: usize, machine: &mut Machine, samples: &mut Samples) {
        let depth = machine.call_depth();
        let (function, kinds) = &self.probes.places[probe];
        let sampled = &mut samples.functions[*function];
        for kind in kinds {
            match kind {
                Kind::Entry => self.enter(probe, *function, depth, machine, sampled),
                Kind::Exit => self.leave(*function, depth, machine, sampled),
                Kind::Loop(head) => self.iterate(probe, *function, *head, depth, machine, sampled),
            }
        }
    }

    fn enter(&mut self, probe: usize, function: usize, depth: usize, machine: &mut Machine, sampled: &mut Sampled) {
        let places = &self.places[function];
        let address = |var: &LocalVar| machine.local(*var).map(|bits| (*var, bits.u64()));
        let pointers: Vec<(LocalVar, u64)> = places.pointers.iter().filter_map(address).collect();
        let parameters = read(&places.parameters, machine, &pointers);
        let state = read(&places.state, machine, &pointers);
        sampled.entry.push(self.number, || [&parameters[..], &state[..]].concat());
        self.calls.push(Call { depth, function, parameters, state, pointers });
        let count = self.entered.entry(function).or_default();
        *count += 1;
        if *count == MAX_ROWS_OF_RUN {
            self.finished.push(probe as u32);
        }
    }

    /// The call that the machine is in. One whose beginning was not seen is none.
    fn call(&self, function: usize, depth: usize) -> Option<usize> {
        self.calls.iter().rposition(|call| call.depth == depth && call.function == function)
    }

    fn leave(&mut self, function: usize, depth: usize, machine: &mut Machine, sampled: &mut Sampled) {
        let Some(at) = self.call(function, depth) else { return };
        let places = &self.places[function];
        let call = self.calls.remove(at);
        let state = read(&places.state, machine, &call.pointers);
        let result = read(places.result.as_slice(), machine, &call.pointers);
        let row = || [&call.parameters[..], &call.state[..], &state[..], &result[..]].concat();
        sampled.exit.push(self.number, row);
        let is_open = self.calls.iter().any(|call| call.function == function);
        if !is_open && self.entered.get(&function).is_some_and(|count| *count >= MAX_ROWS_OF_RUN) {
            self.finished.extend(self.probes.of_function(function));
        }
    }

    fn iterate(
        &mut self,
        probe: usize,
        function: usize,
        head: Loc,
        depth: usize,
        machine: &mut Machine,
        sampled: &mut Sampled,
    ) {
        let places = &self.places[function];
        let Some(number) = places.loops.iter().position(|one| one.loc == head) else { return };
        let Some(at) = self.call(function, depth) else { return };
        let call = &self.calls[at];
        let locals = read(&places.loops[number].locals, machine, &call.pointers);
        let state = read(&places.state, machine, &call.pointers);
        sampled.loops[number].push(self.number, || [&locals[..], &state[..]].concat());
        let count = self.iterated.entry((function, head)).or_default();
        *count += 1;
        if *count == MAX_ROWS_OF_RUN {
            self.finished.push(probe as u32);
        }
    }
}

fn read(list: &[Watched], machine: &mut Machine, pointers: &[(LocalVar, u64)]) -> Values {
    let pointer = |var: LocalVar| pointers.iter().find(|(other, _)| *other == var).map(|(_, address)| *address);
    list.iter().map(|watched| watched.read(machine, &pointer)).collect()
}
