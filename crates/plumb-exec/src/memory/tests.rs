//! Law: memory behaves as a flat array of bytes with a set of valid ones, under any mixture of operations, snapshots
//! and restores.

use super::*;
use crate::inputs::Rng;
use layout::FrameLayout;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use plumb_ir::program::{CTypes, FuncId, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the segments of an empty program lie.
pub fn address_map(target: Target) -> AddressMap {
    let program = Program {
        target,
        sources: Arc::new(SourceMap::new()),
        types: Arc::new(CTypes { table: plumb_c::types::TypeTable::new(target), names: plumb_c::names::Names::new() }),
        functions: Default::default(),
        vars: Arc::default(),
        objects: Arc::default(),
        inputs: Arc::default(),
        checks: Arc::default(),
        start: FuncId(0),
        entry: None,
        assumptions: Arc::default(),
        divisions: Default::default(),
        full_expressions: Arc::default(),
        mentioned: Arc::default(),
        claims: Arc::default(),
        store_reads: Arc::default(),
        devices: Arc::default(),
    };
    AddressMap::new(&program, false).unwrap()
}

/// The slow truth: a byte is there exactly if it is valid.
#[derive(Clone, Default)]
struct Model {
    bytes: BTreeMap<u64, u8>,
    objects: BTreeMap<u64, u64>,
}

impl Model {
    fn read(&self, addr: u64, len: u64) -> Option<Vec<u8>> {
        (addr..addr + len).map(|a| self.bytes.get(&a).copied()).collect()
    }

    fn write(&mut self, addr: u64, data: &[u8]) -> bool {
        let fits = self.read(addr, data.len() as u64).is_some();
        if fits {
            data.iter().enumerate().for_each(|(i, b)| {
                self.bytes.insert(addr + i as u64, *b);
            });
        }
        fits
    }
}

fn random_address(rng: &mut Rng, model: &Model, heap: Segment) -> u64 {
    let count = model.objects.len() as u64;
    if count == 0 || rng.below(10) == 0 {
        return heap.base + rng.below(40_000);
    }
    let (base, size) = model.objects.iter().nth(rng.below(count) as usize).unwrap();
    (base + rng.below(size + 12)).saturating_sub(rng.below(4))
}

#[test]
fn agrees_with_a_map_of_bytes() {
    for target in [Target::LP64, Target::ILP32, Target::AVR] {
        let map = address_map(target);
        let heap = map.segment(SegmentKind::Heap);
        let small = target.pointer_bits() == 16;
        let mut rng = Rng(target.pointer_bits() as u64);
        let mut memory = Memory::new(Space::new(&map));
        let mut model = Model::default();
        let mut saved = vec![(memory.snapshot(), model.clone())];
        for _ in 0..6000 {
            match rng.below(12) {
                0 | 1 if model.objects.len() < 40 => {
                    let limit = if rng.below(6) == 0 && !small { 20_000 } else { 200 };
                    let size = rng.below(limit);
                    if let Ok(base) = memory.allocate(size, 1, &map) {
                        let near = model.objects.range(..base + size + map.gap).next_back();
                        assert!(near.is_none_or(|(b, s)| b + s + map.gap <= base), "objects keep their distance");
                        assert_eq!(base % map.heap_align, 0);
                        (base..base + size).for_each(|a| {
                            model.bytes.insert(a, 0);
                        });
                        model.objects.insert(base, size);
                    } else {
                        assert!(small);
                    }
                }
                2 => {
                    let addr = random_address(&mut rng, &model, heap);
                    let expected = model.objects.remove(&addr);
                    assert_eq!(memory.release(addr).is_ok(), expected.is_some());
                    if let Some(size) = expected {
                        (addr..addr + size).for_each(|a| {
                            model.bytes.remove(&a);
                        });
                    }
                }
                3..=5 => {
                    let addr = random_address(&mut rng, &model, heap);
                    let data: Vec<u8> = (0..1 + rng.below(24)).map(|_| rng.next() as u8).collect();
                    assert_eq!(memory.write(addr, &data).is_ok(), model.write(addr, &data));
                }
                6 => {
                    let (to, from) = (random_address(&mut rng, &model, heap), random_address(&mut rng, &model, heap));
                    let limit = if rng.below(4) == 0 { 9000 } else { 60 };
                    let len = rng.below(limit);
                    let data = model.read(from, len);
                    let expected = data.is_some_and(|d| model.write(to, &d));
                    assert_eq!(memory.copy(to, from, len).is_ok(), expected);
                }
                7 => {
                    let addr = random_address(&mut rng, &model, heap);
                    let limit = if rng.below(4) == 0 { 12_000 } else { 60 };
                    let len = rng.below(limit);
                    let byte = rng.below(2) as u8 * 77;
                    let expected = model.write(addr, &vec![byte; len as usize]);
                    assert_eq!(memory.set(addr, byte, len).is_ok(), expected);
                }
                8 if rng.below(4) == 0 => saved.push((memory.snapshot(), model.clone())),
                9 if rng.below(4) == 0 => {
                    let (space, then) = &saved[rng.below(saved.len() as u64) as usize];
                    memory.restore(space);
                    model = then.clone();
                }
                _ => {
                    let addr = random_address(&mut rng, &model, heap);
                    let mut data = vec![0; 1 + rng.below(24) as usize];
                    let expected = model.read(addr, data.len() as u64);
                    assert_eq!(memory.read(addr, &mut data).ok().map(|()| data.clone()), expected);
                }
            }
            assert_eq!(memory.space().heap_objects().iter().count(), model.objects.len());
        }
    }
}

#[test]
fn huge_objects_cost_nothing_until_touched() {
    let map = address_map(Target::LP64);
    let mut memory = Memory::new(Space::new(&map));
    memory.set_limit(1 << 20);
    let base = memory.allocate(8 << 30, 1, &map).unwrap();
    let mut bytes = [1; 8];
    memory.read(base + (5 << 30), &mut bytes).unwrap();
    assert_eq!(bytes, [0; 8]);
    memory.write(base + (5 << 30), &[7]).unwrap();
    assert!(memory.read(base + (8 << 30), &mut bytes).is_err());
    assert_eq!(memory.set(base, 1, 8 << 30), Err(FaultKind::OutOfMemory));
    memory.release(base).unwrap();
    assert_eq!(memory.space.pages, 0);
    assert!(memory.read(base, &mut bytes).is_err());
}

#[test]
fn freed_addresses_rest_until_all_are_used() {
    let map = address_map(Target::AVR);
    let mut memory = Memory::new(Space::new(&map));
    let first = memory.allocate(100, 1, &map).unwrap();
    memory.release(first).unwrap();
    let second = memory.allocate(100, 1, &map).unwrap();
    assert_ne!(first, second);
    // Far more than 64 KiB in all: addresses do come back.
    for _ in 0..2000 {
        let next = memory.allocate(100, 1, &map).unwrap();
        memory.release(next).unwrap();
    }
    assert!(memory.write(second, &[1; 100]).is_ok());
}

#[test]
fn frames_are_valid_exactly_where_their_objects_are() {
    let map = address_map(Target::LP64);
    let stack = map.segment(SegmentKind::Stack);
    let mut memory = Memory::new(Space::new(&map));
    let objects = vec![Object { base: 0, size: 3 }, Object { base: 24, size: 100 }, Object { base: 144, size: 8 }];
    let mut valid = vec![page::INVALID; 192];
    objects.iter().flat_map(|o| o.base..o.end()).for_each(|b| valid[b as usize] = page::VALID);
    let layout = FrameLayout { objects: objects.clone().into(), size: 192, bytes: 0, align: 16, height: 0, valid };
    // Over the end of a page.
    let base = stack.base + PAGE_SIZE - 64;
    for _ in 0..2 {
        memory.enter(base, &layout).unwrap();
        for offset in 0..192 {
            let valid = objects.iter().any(|o| o.covers(offset, 1));
            let mut byte = [9];
            assert_eq!(memory.read(base + offset, &mut byte).is_ok(), valid, "{offset}");
            assert!(!valid || byte == [0], "fresh objects are zero");
            assert_eq!(memory.write(base + offset, &[5]).is_ok(), valid);
        }
        memory.leave(base, &layout).unwrap();
        assert!(memory.read(base, &mut [0]).is_err());
    }
}
