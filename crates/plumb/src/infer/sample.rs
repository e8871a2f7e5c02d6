//! Runs of the program, and what variables are when they pass the places.

use super::places::{Kind, Places};
use super::watch::Watched;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, ProbeId, Rng, SeedInputs, StopSet};
use plumb_infer::Value;
use plumb_ir::index::TiVec;
use plumb_ir::program::{FuncId, Loc, LocalVar, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// Samples of one place in all runs.
const MAX_ROWS: u64 = 3000;
/// Calls of one function, and iterations of one loop, after which a run no longer stops there.
const MAX_CALLS: u32 = 2_000;
const MAX_ITERATIONS: u32 = 10_000;

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

/// Steps between two looks at the clock.
const SLICE: u64 = 10_000_000;

impl Plan {
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The samples of one place. Of each run it keeps a few states, each visit being as likely to be among them as any other
/// (Vitter's algorithm R), and the last one: where a loop ends is what facts are often wrong about. Where sampling ended before the
/// run did, there is nothing special about the last one.
#[derive(Default)]
pub struct Rows {
    pub list: Vec<Row>,
    run: Vec<Values>,
    visits: u64,
    last: Option<Values>,
    is_cut: bool,
}

impl Rows {
    fn push(&mut self, most: u64, rng: &mut Rng, values: Values) {
        self.visits += 1;
        if (self.run.len() as u64) < most {
            self.run.push(values);
            self.last = None;
            return;
        }
        let place = rng.below(self.visits) as usize;
        self.last = match self.run.get_mut(place) {
            Some(kept) => {
                *kept = values;
                None
            }
            None => Some(values),
        };
    }

    fn end_run(&mut self, run: u64, is_complete: bool) {
        let last = self.last.take().filter(|_| is_complete && !self.is_cut);
        let room = MAX_ROWS as usize - self.list.len();
        self.list.extend(self.run.drain(..).chain(last).take(room).map(|values| Row { run, values }));
        (self.visits, self.is_cut) = (0, false);
    }
}

/// What was sampled of a function, place by place. Exits have the state at the entry before that at the exit.
#[derive(Default)]
pub struct Sampled {
    pub entry: Rows,
    pub exit: Rows,
    pub loops: Vec<Rows>,
}

impl Sampled {
    fn rows(&mut self) -> impl Iterator<Item = &mut Rows> {
        [&mut self.entry, &mut self.exit].into_iter().chain(&mut self.loops)
    }
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
        if plan.is_over() {
            break;
        }
        machine.restore(&start);
        samples.runs += 1;
        let mut one = Run::new(places, &probes, (MAX_ROWS / plan.runs).max(1), plan.seed ^ run);
        let mut stops = every.clone();
        let mut inputs = SeedInputs::new(plan.seed.wrapping_add(run));
        let before = machine.work();
        // What ends a run, be it a violation, ends the samples of it; those before are states of the program.
        let outcome = loop {
            let left = plan.steps.saturating_sub(machine.work() - before);
            let limits = Limits { steps: left.min(SLICE), memory: plan.memory, ..Limits::default() };
            let probe = match machine.run_until(&mut inputs, limits, &stops) {
                Outcome::Probe(probe) => probe,
                Outcome::StepLimit if left > SLICE && !plan.is_over() => continue,
                outcome => break outcome,
            };
            one.pass(probe, &mut machine, &mut samples);
            one.finished.drain(..).for_each(|probe| stops.remove(probe));
        };
        let is_complete = outcome != Outcome::StepLimit;
        samples.functions.iter_mut().flat_map(Sampled::rows).for_each(|rows| rows.end_run(run, is_complete));
    }
    Ok(samples)
}

/// The locations to stop at.
struct Probes {
    locations: TiVec<ProbeId, (FuncId, Loc)>,
    /// The function and the kinds of place that the location is.
    places: TiVec<ProbeId, (usize, Vec<Kind>)>,
}

impl Probes {
    fn new(places: &[Places]) -> Probes {
        let mut probes = Probes { locations: TiVec::new(), places: TiVec::new() };
        let mut index: FxHashMap<(FuncId, Loc), ProbeId> = FxHashMap::default();
        for (function, one) in places.iter().enumerate() {
            let exits = one.markers.exits.iter().map(|loc| (*loc, Kind::Exit));
            let loops = one.loops.iter().enumerate().map(|(number, head)| (head.loc, Kind::Loop(number)));
            for (loc, kind) in std::iter::once((one.markers.entry, Kind::Entry)).chain(loops).chain(exits) {
                let key = (one.markers.func, loc);
                let at = *index.entry(key).or_insert_with(|| {
                    probes.places.push((function, Vec::new()));
                    probes.locations.push_and_get_key(key)
                });
                probes.places[at].1.push(kind);
            }
        }
        probes
    }

    fn of_function(&self, function: usize) -> impl Iterator<Item = ProbeId> {
        let is_own = move |(_, (other, _)): &(ProbeId, &(usize, Vec<Kind>))| *other == function;
        self.places.iter_enumerated().filter(is_own).map(|(id, _)| id)
    }
}

/// A run in progress. A function is sampled in so many of its calls; then the run no longer stops there.
struct Run<'a> {
    places: &'a [Places],
    probes: &'a Probes,
    /// Samples of a place.
    most: u64,
    rng: Rng,
    calls: Vec<Call>,
    /// Calls seen, by function, and iterations, by function and loop.
    entered: FxHashMap<usize, u32>,
    iterated: FxHashMap<(usize, usize), u32>,
    /// Probes at which there is nothing more to see.
    finished: Vec<ProbeId>,
}

impl<'a> Run<'a> {
    fn new(places: &'a [Places], probes: &'a Probes, most: u64, seed: u64) -> Run<'a> {
        Run {
            places,
            probes,
            most,
            rng: Rng(seed),
            calls: Vec::new(),
            entered: FxHashMap::default(),
            iterated: FxHashMap::default(),
            finished: Vec::new(),
        }
    }

    fn pass(&mut self, probe: ProbeId, machine: &mut Machine, samples: &mut Samples) {
        let depth = machine.call_depth();
        let (function, kinds) = &self.probes.places[probe];
        let sampled = &mut samples.functions[*function];
        for kind in kinds {
            match kind {
                Kind::Entry => self.enter(probe, *function, depth, machine, sampled),
                Kind::Exit => self.leave(*function, depth, machine, sampled),
                Kind::Loop(number) => self.iterate(probe, *function, *number, depth, machine, sampled),
            }
        }
    }

    fn enter(&mut self, probe: ProbeId, function: usize, depth: usize, machine: &mut Machine, sampled: &mut Sampled) {
        let places = &self.places[function];
        let address = |var: &LocalVar| machine.local(*var).map(|bits| (*var, bits.u64()));
        let pointers: Vec<(LocalVar, u64)> = places.pointers.iter().filter_map(address).collect();
        let parameters = read(&places.parameters, machine, &pointers);
        let state = read(&places.state, machine, &pointers);
        sampled.entry.push(self.most, &mut self.rng, [&parameters[..], &state[..]].concat());
        self.calls.push(Call { depth, function, parameters, state, pointers });
        let count = self.entered.entry(function).or_default();
        *count += 1;
        if *count == MAX_CALLS {
            sampled.rows().for_each(|rows| rows.is_cut = true);
            self.finished.push(probe);
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
        let values = [&call.parameters[..], &call.state[..], &state[..], &result[..]].concat();
        sampled.exit.push(self.most, &mut self.rng, values);
        let is_open = || self.calls.iter().any(|call| call.function == function);
        if self.entered.get(&function).is_some_and(|count| *count >= MAX_CALLS) && !is_open() {
            self.finished.extend(self.probes.of_function(function));
        }
    }

    fn iterate(
        &mut self,
        probe: ProbeId,
        function: usize,
        number: usize,
        depth: usize,
        machine: &mut Machine,
        sampled: &mut Sampled,
    ) {
        let places = &self.places[function];
        let Some(at) = self.call(function, depth) else { return };
        let call = &self.calls[at];
        let locals = read(&places.loops[number].locals, machine, &call.pointers);
        let state = read(&places.state, machine, &call.pointers);
        sampled.loops[number].push(self.most, &mut self.rng, [&locals[..], &state[..]].concat());
        let count = self.iterated.entry((function, number)).or_default();
        *count += 1;
        if *count == MAX_ITERATIONS {
            sampled.loops[number].is_cut = true;
            self.finished.push(probe);
        }
    }
}

fn read(list: &[Watched], machine: &mut Machine, pointers: &[(LocalVar, u64)]) -> Values {
    let pointer = |var: LocalVar| pointers.iter().find(|(other, _)| *other == var).map(|(_, address)| *address);
    list.iter().map(|watched| watched.read(machine, &pointer)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_more_rows_than_the_maximum() {
        let (mut rows, mut rng) = (Rows::default(), Rng(1));
        for run in 0..2 * MAX_ROWS {
            (0..3).for_each(|value| rows.push(1, &mut rng, vec![Some(Value::Scalar(value))]));
            rows.end_run(run, true);
        }
        assert_eq!(rows.list.len() as u64, MAX_ROWS);
    }
}
