//! Fingerprints of states: 128 bits that tell whether two states go on alike.
//!
//! Part of it is what the rest of a run depends on: the calls of all stacks with their registers, global registers, valid bytes and live objects. Left out are
//! counters, and which addresses are free: two states with one fingerprint may get other addresses for what they allocate from here on. Registers that
//! nobody will read again are part of it, so that states may differ in vain.
//!
//! Different states have the same fingerprint by chance once in 2^128 pairs (hash compaction, Wolper and Leroy 1993).

use crate::machine::Machine;
use crate::memory::layout::SegmentKind;
use crate::state::Stack;

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

struct Folding {
    a: u64,
    b: u64,
}

fn multiplied(x: u64, by: u64) -> u64 {
    let product = x as u128 * by as u128;
    product as u64 ^ (product >> 64) as u64
}

impl Folding {
    fn add(&mut self, word: u64) {
        self.a = multiplied(self.a.rotate_left(29) ^ word ^ SECOND, FIRST);
        self.b = multiplied(self.b.rotate_left(41) ^ word.wrapping_add(FIRST), SECOND);
    }

    fn add_all(&mut self, words: &[u64]) {
        self.add(words.len() as u64);
        words.iter().for_each(|word| self.add(*word));
    }
}

impl Machine {
    /// The fingerprint of the present state.
    pub fn fingerprint(&self) -> u128 {
        let mut folding = Folding { a: FIRST, b: SECOND };
        folding.add(self.state.current as u64);
        folding.add_all(&self.state.globals);
        for (number, stack) in self.state.stacks.iter().enumerate().filter(|(_, stack)| stack.is_live()) {
            folding.add(number as u64);
            self.add_stack(&mut folding, stack);
        }
        for kind in SegmentKind::ALL {
            self.memory.space().each_page_in(kind, None, |address, page| {
                folding.add(address);
                let bytes = page.data.chunks_exact(8).zip(page.valid.chunks_exact(8));
                for (data, valid) in bytes {
                    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                    folding.add(word(data) & word(valid));
                }
            });
        }
        for object in self.memory.space().heap_objects().iter() {
            folding.add(object.base);
            folding.add(object.size);
        }
        (folding.a as u128) << 64 | folding.b as u128
    }

    fn add_stack(&self, folding: &mut Folding, stack: &Stack) {
        folding.add(stack.pc as u64);
        folding.add(stack.fp as u64);
        folding.add(stack.sp);
        folding.add_all(&stack.registers[..stack.used(&self.image)]);
        for call in &stack.activations {
            folding.add(self.image.index_of(call.ret) as u64);
            folding.add((call.func as u64) << 32 | call.d as u64);
        }
        for frame in &stack.frames {
            folding.add(frame.base);
        }
        for allocated in &stack.allocated {
            folding.add(allocated.object.base);
            folding.add(allocated.object.size);
        }
    }
}
