//! The hash table of gates: open addressing over gate numbers, so that a gate's operands are stored once.

/// Slots hold a gate number; zero, the constant gate, which is never looked up, marks an empty one.
pub struct Table {
    slots: Vec<u32>,
    used: usize,
}

pub fn hash(kind: u32, operands: [u32; 3]) -> u64 {
    let [a, b, c] = operands;
    let low = ((a as u64) << 32 | b as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let high = ((c as u64) << 32 | kind as u64).wrapping_add(low.rotate_left(29));
    let mixed = (high ^ low >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

impl Table {
    pub fn new() -> Table {
        Table { slots: vec![0; 1 << 10], used: 0 }
    }

    /// The entry that `same` recognises, or `new`, which then is one.
    pub fn find_or_insert(&mut self, hash: u64, new: u32, same: impl Fn(u32) -> bool) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                0 => {
                    self.slots[at] = new;
                    self.used += 1;
                    return new;
                }
                id if same(id) => return id,
                _ => at = (at + 1) & mask,
            }
        }
    }

    pub fn is_crowded(&self) -> bool {
        self.used * 2 > self.slots.len()
    }

    pub fn grow(&mut self, hash: impl Fn(u32) -> u64) {
        let mask = self.slots.len() * 2 - 1;
        let old = std::mem::replace(&mut self.slots, vec![0; mask + 1]);
        for id in old.into_iter().filter(|&id| id != 0) {
            let mut at = hash(id) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = id;
        }
    }
}
