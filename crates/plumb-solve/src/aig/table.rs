//! The hash table of gates: open addressing over gate numbers, so that a gate's operands are stored once.

/// A gate number and part of its hash; the number zero, the constant gate, which is never looked up, marks an empty one.
#[derive(Clone, Copy)]
struct Slot {
    id: u32,
    /// Tells most others apart without a look at the gate, and places the slot anew when the table grows.
    hash: u32,
}

pub struct Table {
    slots: Vec<Slot>,
    used: usize,
}

const EMPTY: Slot = Slot { id: 0, hash: 0 };

pub fn hash(kind: u32, operands: [u32; 3]) -> u32 {
    let [a, b, c] = operands;
    let low = ((a as u64) << 32 | b as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let high = ((c as u64) << 32 | kind as u64).wrapping_add(low.rotate_left(29));
    let mixed = (high ^ low >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> 32) as u32
}

impl Table {
    pub fn new() -> Table {
        Table { slots: vec![EMPTY; 1 << 10], used: 0 }
    }

    /// The entry that `same` recognises, or `new`, which then is one.
    pub fn find_or_insert(&mut self, hash: u32, new: u32, same: impl Fn(u32) -> bool) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                Slot { id: 0, .. } => break,
                slot if slot.hash == hash && same(slot.id) => return slot.id,
                _ => at = (at + 1) & mask,
            }
        }
        self.slots[at] = Slot { id: new, hash };
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            self.grow();
        }
        new
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; mask + 1]);
        for slot in old.into_iter().filter(|slot| slot.id != 0) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at].id != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}
