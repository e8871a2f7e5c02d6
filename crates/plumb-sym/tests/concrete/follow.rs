//! A symbolic run along the path of a concrete one.
//!
//! Symbols for inputs get the values that the concrete run was given; where states split, the one whose path holds is
//! followed. At some of the splits the others are followed too, for a while, and joined with it where paths meet: that must
//! not make a difference.

use plumb_exec::{AddressMap, InputValue, Rng};
use plumb_ir::analysis::dominators::Dominators;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::program::{FuncId, Loc, Program};
use plumb_sym::memory::region::RegionId;
use plumb_sym::{EventLog, Given, Next, ObjId, ObjectKind, State, Sym};
use plumb_term::{ArrayValue, Assignment, BitVec, Evaluator, Sort, TermId, Value, free_symbols};
use std::collections::HashMap;
use std::rc::Rc;

/// Steps along ways that the concrete run does not take, from one split on.
const DETOUR: u64 = 400;
/// Splits inside of each other at which both ways are followed.
const DEEPEST: u32 = 200;

/// How following a state went.
pub enum End {
    /// It is where it should stop.
    There(State),
    /// The run is over.
    Over(State),
    /// Too many steps.
    Lost,
}

struct Shape {
    post: Dominators,
    live: Liveness,
}

pub struct Follower<'p> {
    pub sym: Sym<'p>,
    pub log: EventLog,
    pub assignment: Assignment,
    map: &'p AddressMap,
    given: Vec<InputValue>,
    /// Of the inputs of the log, those that have values.
    seen: usize,
    /// Of the values that were given, those that were taken.
    taken: usize,
    regions: Vec<(RegionId, Vec<u8>)>,
    /// Objects that are not where the concrete machine has them: where they end.
    pub invented: Vec<(u64, u64)>,
    next_address: u64,
    /// Objects that are known to be where the concrete machine has them.
    placed: HashMap<ObjId, u64>,
    shapes: HashMap<FuncId, Rc<Shape>>,
    rng: Rng,
    /// Percent of the splits at which all ways are followed.
    detours: u64,
    /// The program has asked for another kind of input than the concrete run got.
    pub is_confused: bool,
    /// Where the gaps of the log were noted.
    pub gap_places: Vec<(FuncId, Loc)>,
    pub joins: u64,
    /// Of these, joins of states with other stacks.
    pub joined_stacks: u64,
    pub splits: u64,
    pub steps: u64,
}

impl<'p> Follower<'p> {
    pub fn new(program: &'p Program, map: &'p AddressMap, given: Vec<InputValue>, seed: u64, detours: u64) -> Self {
        Follower {
            sym: Sym::new(program),
            log: EventLog::default(),
            assignment: Assignment::new(),
            map,
            given,
            seen: 0,
            taken: 0,
            regions: Vec::new(),
            invented: Vec::new(),
            next_address: if program.target.pointer_bits() == 64 { 0x5000_0000_0000 } else { 0x9000_0000 },
            placed: HashMap::new(),
            shapes: HashMap::new(),
            rng: Rng(seed),
            detours,
            is_confused: false,
            gap_places: Vec::new(),
            joins: 0,
            joined_stacks: 0,
            splits: 0,
            steps: 0,
        }
    }

    pub fn set(&mut self, term: TermId, bits: u128) {
        for symbol in free_symbols(&self.sym.terms, &[term]) {
            let value = match self.sym.terms.symbol_sort(symbol) {
                Sort::Bool => Value::Bool(bits != 0),
                Sort::Bv(width) => Value::Bv(BitVec::new(width, bits)),
                Sort::Float(format) => Value::Float(format, BitVec::new(format.width(), bits)),
                Sort::Array { .. } => continue,
            };
            self.assignment.set(symbol, value);
        }
    }

    /// The values that will be given.
    pub fn give(&mut self, values: Vec<InputValue>) {
        self.given = values;
    }

    /// An object is where the concrete machine has it.
    pub fn place(&mut self, object: ObjId, address: u64) {
        self.placed.insert(object, address);
    }

    pub fn set_region(&mut self, region: RegionId, bytes: Vec<u8>) {
        self.regions.push((region, bytes));
    }

    /// Gives values to symbols that have appeared.
    pub fn refresh(&mut self) {
        while self.seen < self.log.inputs.len() {
            self.give_regions();
            self.give_addresses();
            let input = self.log.inputs[self.seen].clone();
            self.seen += 1;
            let mut evaluator = Evaluator::new(&self.assignment);
            if !evaluator.holds(&self.sym.terms, input.path) {
                continue;
            }
            let Some(value) = self.given.get(self.taken).cloned() else { continue };
            self.taken += 1;
            match (input.given, value) {
                (Given::Scalar(term, _), InputValue::Scalar(bits)) => self.set(term, bits.u128()),
                (Given::Region(region, size), InputValue::Region(fill)) => {
                    let size = evaluator.value(&self.sym.terms, size);
                    let size = size.as_bits().and_then(BitVec::to_u64).unwrap_or(0).min(1 << 20);
                    self.regions.push((region, fill.bytes(size as usize)));
                }
                // After a gap they need not be the same.
                (..) => self.is_confused = true,
            }
        }
        self.give_regions();
        self.give_addresses();
    }

    fn give_regions(&mut self) {
        let word = |bytes: &[u8], at: u64, size: u64| {
            let byte = |k: u64| bytes.get((at + k) as usize).copied().unwrap_or(0) as u64;
            let limb = |i: u64| (0..8.min(size - i * 8)).fold(0, |v, k| v | byte(i * 8 + k) << (8 * k));
            BitVec::from_limbs(size as u32 * 8, (0..size.div_ceil(8)).map(limb).collect())
        };
        for (id, bytes) in &self.regions {
            let region = self.sym.region(*id);
            for (at, symbol) in &region.symbols {
                if let Some(symbol) = self.sym.terms.as_symbol(*symbol)
                    && self.assignment.get(symbol).is_none()
                {
                    let size = self.sym.terms.symbol_sort(symbol).width().unwrap_or(8) as u64 / 8;
                    self.assignment.set(symbol, Value::Bv(word(bytes, *at, size)));
                }
            }
            if let Some((unit, array)) = region.array
                && let Some(symbol) = self.sym.terms.as_symbol(array)
                && self.assignment.get(symbol).is_none()
                && let Sort::Array { index, element } = self.sym.terms.symbol_sort(symbol)
            {
                let mut value = ArrayValue::new(index, BitVec::zero(element));
                for i in 0..(bytes.len() as u64).div_ceil(unit) {
                    value = value.store(&BitVec::new(index, i as u128), &word(bytes, i * unit, unit));
                }
                self.assignment.set(symbol, Value::Array(value));
            }
        }
    }

    /// Static objects and functions are where the concrete machine has them, others anywhere.
    fn give_addresses(&mut self) {
        for id in self.sym.objects.keys() {
            let info = self.sym.objects[id].clone();
            let Some(base) = info.base else { continue };
            let Some(symbol) = self.sym.terms.as_symbol(base) else { continue };
            if self.assignment.get(symbol).is_some() {
                continue;
            }
            let address = match info.kind {
                ObjectKind::Static(object) => self.map.object(object).base,
                ObjectKind::Function(function) => self.map.function_address(function),
                ObjectKind::Local | ObjectKind::Heap if self.placed.contains_key(&id) => self.placed[&id],
                ObjectKind::Local | ObjectKind::Heap => {
                    let size = match &info.size {
                        plumb_sym::Value::Const(bits) => bits.u64(),
                        plumb_sym::Value::Term(term) => {
                            let value = Evaluator::new(&self.assignment).value(&self.sym.terms, *term);
                            value.as_bits().and_then(BitVec::to_u64).unwrap_or(0).min(1 << 20)
                        }
                        plumb_sym::Value::Addr(..) | plumb_sym::Value::Pointer(_) => 0,
                    };
                    let address = self.next_address.next_multiple_of(info.align.max(16));
                    self.next_address = address + size + 16;
                    self.invented.push((address, address + size));
                    address
                }
            };
            self.set(base, address as u128);
        }
    }

    pub fn holds(&mut self, term: TermId) -> bool {
        self.refresh();
        Evaluator::new(&self.assignment).holds(&self.sym.terms, term)
    }

    fn shape(&mut self, func: FuncId) -> Rc<Shape> {
        let function = self.sym.program.function(func);
        let make = || Rc::new(Shape { post: Dominators::post(function), live: Liveness::of(function) });
        self.shapes.entry(func).or_insert_with(make).clone()
    }

    fn note(&mut self, log: EventLog, place: (FuncId, Loc)) {
        self.log.append(log);
        self.gap_places.resize(self.log.gaps.len(), place);
    }

    /// Follows a state to a place, or to its end. A state that the concrete run is not in goes any way.
    pub fn follow(
        &mut self,
        mut state: State,
        stop: Option<(u32, Loc)>,
        steps: &mut u64,
        is_real: bool,
        depth: u32,
    ) -> End {
        loop {
            if stop == Some((state.frame().activation, state.loc)) {
                return End::There(state);
            }
            if *steps == 0 {
                return End::Lost;
            }
            *steps -= 1;
            self.steps += 1;
            let (activation, func, loc) = (state.frame().activation, state.func(), state.loc);
            let step = self.sym.step(&mut state);
            self.note(step.log, (func, loc));
            let mut ways = match step.next {
                Next::Moved => continue,
                Next::Ended => return End::Over(state),
                Next::Split(ways) => ways,
            };
            self.splits += 1;
            if ways.is_empty() {
                return End::Over(state);
            }
            let real = if is_real {
                let real: Vec<usize> = (0..ways.len()).filter(|i| self.holds(ways[*i].path.term())).collect();
                assert!(real.len() <= 1, "several ways at once");
                match real.first() {
                    Some(real) => *real,
                    // The run has ended in a check or a fault before.
                    None => return End::Over(state),
                }
            } else {
                self.rng.below(ways.len() as u64) as usize
            };
            let chosen = ways.swap_remove(real);
            let shape = self.shape(func);
            let meeting = shape.post.immediate(loc).filter(|_| depth < DEEPEST && self.rng.below(100) < self.detours);
            let Some(meeting) = meeting else {
                state = chosen;
                continue;
            };
            let place = Some((activation, meeting));
            let mut joined = match self.follow(chosen, place, steps, is_real, depth + 1) {
                End::There(state) => state,
                other => return other,
            };
            for other in ways {
                // Detours from detours are part of them.
                let mut few = if is_real { DETOUR } else { *steps / 2 };
                let some = few;
                let end = self.follow(other, place, &mut few, false, depth + 1);
                if !is_real {
                    *steps -= some - few;
                }
                // Its other stacks may be elsewhere.
                if let End::There(other) = end
                    && joined.is_at_same_places(&other)
                {
                    self.joins += 1;
                    self.joined_stacks += u64::from(joined.suspended().next().is_some());
                    let (state, log) = match self.rng.below(2) {
                        0 => self.sym.join(joined, other, &shape.live),
                        _ => self.sym.join(other, joined, &shape.live),
                    };
                    self.note(log, (func, loc));
                    joined = state;
                }
            }
            state = joined;
        }
    }
}
