//! Finds the loops that can be accelerated ([`crate::accelerate`]) in the code of a function.
//!
//! From the target of each backward jump all paths are followed that lead back to it. One that only moves values, adds constants and compares
//! integers is an [`Iteration`]. Inner loops whose comparisons are between constants are followed round and round, as far as the budget goes. Jumps back to a head
//! with iterations become [`Inst::Loop`]; what else goes on in the loop runs as before.

use crate::accelerate::{Cell, Closing, Condition, Iteration, Order, Relation, Stride, Sum, mask};
use crate::image::Image;
use crate::inst::{Inst, Slot, Target};
use plumb_ir::program::{EdgeId, FuncId};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions on one path.
const MOST_INSTRUCTIONS: usize = 400;
/// Comparisons on one path that are not of constants.
const MOST_CONDITIONS: usize = 6;
/// Paths through one loop.
const MOST_ITERATIONS: usize = 8;
/// Instructions that are looked at for one loop.
const MOST_WORK: usize = 4000;

/// A comparison, as a branch has it.
struct Compared {
    relation: Relation,
    order: Order,
    a: Sum,
    b: Sum,
}

/// A path from the head that has come to an instruction.
#[derive(Clone)]
struct Path {
    pc: u32,
    length: usize,
    steps: u64,
    values: BTreeMap<Cell, Sum>,
    /// With what they have to come out as.
    compared: Vec<(Relation, Order, Sum, Sum)>,
    covered: BTreeMap<u32, (FuncId, EdgeId, u64)>,
}

impl Path {
    fn new(pc: u32) -> Path {
        let (values, covered) = (BTreeMap::new(), BTreeMap::new());
        Path { pc, length: 0, steps: 0, values, compared: Vec::new(), covered }
    }

    fn get(&self, cell: Cell) -> Sum {
        self.values.get(&cell).copied().unwrap_or(Sum { base: Some(cell), offset: 0, bits: None })
    }

    fn register(&self, slot: Slot) -> Sum {
        self.get(Cell::Register(slot.0))
    }

    fn set(&mut self, slot: Slot, value: Sum) {
        self.values.insert(Cell::Register(slot.0), value);
    }

    /// Does what an instruction does that goes on to the next. `None` where that is not followed.
    fn execute(&mut self, inst: Inst) -> Option<()> {
        match inst {
            Inst::Move { d, a } => self.set(d, self.register(a)),
            Inst::Const { d, lo, hi } => self.set(d, constant(u64::from(hi) << 32 | u64::from(lo))),
            Inst::GlobalGet { d, g } => self.set(d, self.get(Cell::Global(g))),
            Inst::GlobalSet { g, a } => drop(self.values.insert(Cell::Global(g), self.register(a))),
            Inst::GlobalSetI { g, lo, hi } => {
                self.values.insert(Cell::Global(g), constant(u64::from(hi) << 32 | u64::from(lo)));
            }
            Inst::GlobalAdd32I { d, g, i } => {
                let sum = add(self.get(Cell::Global(g)), i, 32)?;
                self.values.insert(Cell::Global(g), sum);
                self.set(d, sum);
            }
            Inst::Add32I { d, a, i } => self.set(d, add(self.register(a), i, 32)?),
            Inst::Add64I { d, a, i } => self.set(d, add(self.register(a), i, 64)?),
            Inst::AddNI { n, d, a, i } => self.set(d, add(self.register(a), i, n)?),
            Inst::Cover { i, f, e } => self.covered.entry(i).or_insert((FuncId(f), EdgeId(e), 0)).2 += 1,
            Inst::Measure { .. } => {}
            _ => return None,
        }
        Some(())
    }

    /// The iteration that the path is, now that it is at the head again.
    fn iteration(self) -> Option<Iteration> {
        let mut strides: BTreeMap<Cell, Option<Stride>> = BTreeMap::new();
        for (&cell, sum) in self.values.iter().filter(|(cell, sum)| sum.base == Some(**cell)) {
            let stride = sum.bits.filter(|_| sum.offset != 0).map(|bits| Stride { by: sum.offset, bits });
            strides.insert(cell, stride);
        }
        // How the value of a sum moves; `None` if it has no stride.
        let stride_of = |sum: &Sum| -> Option<Option<Stride>> {
            let Some(base) = sum.base else { return Some(None) };
            match strides.get(&base) {
                None if self.values.contains_key(&base) => None,
                None | Some(None) => Some(None),
                Some(Some(stride)) if sum.bits.is_none_or(|bits| bits == stride.bits) => Some(Some(*stride)),
                Some(Some(_)) => None,
            }
        };
        let mut conditions = Vec::new();
        for (relation, order, a, b) in &self.compared {
            let (moving, stride, limit, relation) = match (stride_of(a)?, stride_of(b)?) {
                (stride, None) => (*a, stride, *b, *relation),
                (None, stride) => (*b, stride, *a, relation.swapped()),
                (Some(_), Some(_)) => return None,
            };
            if stride.is_some_and(|stride| order.range(stride.bits).is_none()) {
                return None;
            }
            conditions.push(Condition { moving, stride, relation, limit, order: *order });
        }
        let mut set = Vec::new();
        for (cell, sum) in self.values.iter().filter(|(cell, sum)| sum.base != Some(**cell)) {
            set.push((*cell, *sum, stride_of(sum)?));
        }
        let strides = strides.into_iter().filter_map(|(cell, stride)| Some((cell, stride?))).collect();
        let covered =
            self.covered.into_iter().map(|(number, (func, edge, often))| (number, func, edge, often)).collect();
        Some(Iteration { steps: self.steps.max(1), conditions, strides, set, covered })
    }
}

fn constant(offset: u64) -> Sum {
    Sum { base: None, offset, bits: None }
}

/// A sum and a constant, in so many bits.
fn add(sum: Sum, i: i32, bits: u8) -> Option<Sum> {
    let offset = sum.offset.wrapping_add(i as i64 as u64) & mask(bits);
    match sum.base {
        None => Some(Sum { offset, ..sum }),
        Some(_) if sum.bits.is_none_or(|known| known == bits) => Some(Sum { offset, bits: Some(bits), ..sum }),
        Some(_) => None,
    }
}

/// What a branch compares.
fn compared(inst: Inst, path: &Path) -> Option<Compared> {
    use {Order::*, Relation::*};
    let (relation, order, a, b) = match inst {
        Inst::BrEq { a, b, .. } => (Equal, Unsigned, path.register(a), path.register(b)),
        Inst::BrNe { a, b, .. } => (Unequal, Unsigned, path.register(a), path.register(b)),
        Inst::BrLtU { a, b, .. } => (Below, Unsigned, path.register(a), path.register(b)),
        Inst::BrLeU { a, b, .. } => (AtMost, Unsigned, path.register(a), path.register(b)),
        Inst::BrLtS32 { a, b, .. } => (Below, Signed32, path.register(a), path.register(b)),
        Inst::BrLeS32 { a, b, .. } => (AtMost, Signed32, path.register(a), path.register(b)),
        Inst::BrLtS64 { a, b, .. } => (Below, Signed64, path.register(a), path.register(b)),
        Inst::BrLeS64 { a, b, .. } => (AtMost, Signed64, path.register(a), path.register(b)),
        Inst::BrEqI { a, i, .. } => (Equal, Unsigned, path.register(a), constant(i.into())),
        Inst::BrNeI { a, i, .. } => (Unequal, Unsigned, path.register(a), constant(i.into())),
        Inst::BrLtUI { a, i, .. } => (Below, Unsigned, path.register(a), constant(i.into())),
        Inst::BrGeUI { a, i, .. } => (AtLeast, Unsigned, path.register(a), constant(i.into())),
        Inst::BrLtS32I { a, i, .. } => (Below, Signed32, path.register(a), constant(i as i64 as u64)),
        Inst::BrGeS32I { a, i, .. } => (AtLeast, Signed32, path.register(a), constant(i as i64 as u64)),
        Inst::BrLtS64I { a, i, .. } => (Below, Signed64, path.register(a), constant(i as i64 as u64)),
        Inst::BrGeS64I { a, i, .. } => (AtLeast, Signed64, path.register(a), constant(i as i64 as u64)),
        Inst::BrGlobalEqI { g, i, .. } => (Equal, Unsigned, path.get(Cell::Global(g)), constant(i.into())),
        Inst::BrGlobalNeI { g, i, .. } => (Unequal, Unsigned, path.get(Cell::Global(g)), constant(i.into())),
        _ => return None,
    };
    Some(Compared { relation, order, a, b })
}

/// The paths from a head back to it. Targets are places in the code.
fn iterations(code: &[Inst], start: u32, head: u32) -> Vec<Iteration> {
    let mut found = Vec::new();
    let (mut open, mut work) = (vec![Path::new(head)], 0);
    while let Some(mut path) = open.pop() {
        loop {
            if path.pc == head && path.length > 0 {
                found.extend(path.iteration());
                break;
            }
            path.length += 1;
            work += 1;
            let Some(&inst) = code.get((path.pc - start) as usize) else { break };
            if path.length > MOST_INSTRUCTIONS || work > MOST_WORK || found.len() >= MOST_ITERATIONS {
                break;
            }
            match inst {
                Inst::Jump { n, to: Target(to) } => {
                    path.steps += u64::from(n);
                    path.pc = to;
                }
                Inst::Tick { n } => {
                    path.steps += u64::from(n);
                    path.pc += 1;
                }
                _ => match inst.counts() {
                    Some((Target(to), t, f)) => {
                        let Some(Compared { relation, order, a, b }) = compared(inst, &path) else { break };
                        let mut taken = path.clone();
                        (taken.pc, taken.steps) = (to, taken.steps + u64::from(t));
                        (path.pc, path.steps) = (path.pc + 1, path.steps + u64::from(f));
                        match (a.base, b.base) {
                            (None, None) if relation.holds(order.read(a.offset), order.read(b.offset)) => path = taken,
                            (None, None) => {}
                            (Some(_), _) | (_, Some(_)) if path.compared.len() >= MOST_CONDITIONS => break,
                            (Some(_), _) | (_, Some(_)) => {
                                taken.compared.push((relation, order, a, b));
                                path.compared.push((relation.negated(), order, a, b));
                                open.push(taken);
                            }
                        }
                    }
                    None if path.execute(inst).is_none() => break,
                    None => path.pc += 1,
                },
            }
        }
    }
    found
}

/// Replaces the jumps that close loops which can be accelerated. Targets are places in the code of all functions, of which this one's
/// begins at `start`.
pub(super) fn accelerate(code: &mut [Inst], start: u32, image: &mut Image) {
    let back = |pc: usize, inst: &Inst| {
        let to = match inst {
            Inst::Jump { to, .. } => *to,
            _ => inst.counts()?.0,
        };
        (to.0 <= start + pc as u32).then_some(to.0)
    };
    let heads: BTreeSet<u32> = code.iter().enumerate().filter_map(|(pc, inst)| back(pc, inst)).collect();
    let mut accelerated: BTreeMap<u32, u32> = BTreeMap::new();
    for head in heads {
        let iterations = iterations(code, start, head);
        if !iterations.is_empty() {
            accelerated.insert(head, image.loops.len() as u32);
            image.loops.push(iterations);
        }
    }
    for (pc, inst) in code.iter_mut().enumerate() {
        let Some(&loop_index) = back(pc, inst).and_then(|head| accelerated.get(&head)) else { continue };
        let condition = match compared(*inst, &Path::new(0)) {
            Some(Compared { relation, order, a, b }) => {
                Some(Condition { moving: a, stride: None, relation, limit: b, order })
            }
            None if matches!(inst, Inst::Jump { .. }) => None,
            None => continue,
        };
        let (to, steps_if_taken, steps_if_not) = match *inst {
            Inst::Jump { n, to } => (to, n, 0),
            _ => match inst.counts() {
                Some((to, t, f)) => (to, u16::from(t), f),
                None => continue,
            },
        };
        let to = (to.0 as i32).wrapping_sub((start as usize + pc) as i32).wrapping_mul(size_of::<Inst>() as i32);
        let closing = Closing { condition, to, steps_if_taken, steps_if_not, loop_index };
        *inst = Inst::Loop { i: image.closings.len() as u32 };
        image.closings.push(closing);
    }
}
