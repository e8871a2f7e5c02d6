//! The live heap objects, sorted by address, in chunks that snapshots share.

use std::sync::Arc;

/// A range of bytes that lives and dies together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Object {
    pub base: u64,
    pub size: u64,
}

impl Object {
    pub fn end(self) -> u64 {
        self.base + self.size
    }

    /// The address lies in the object or just past it.
    pub fn touches(self, addr: u64) -> bool {
        addr.wrapping_sub(self.base) <= self.size
    }

    /// `size` bytes from `addr` on lie inside.
    pub fn covers(self, addr: u64, size: u64) -> bool {
        addr >= self.base && size <= self.size && addr - self.base <= self.size - size
    }
}

const CHUNK: usize = 64;

/// Invariant: no chunk is empty, and bases increase within and across chunks.
#[derive(Clone, Default)]
pub struct Objects {
    chunks: Arc<Vec<Arc<Vec<Object>>>>,
    len: u64,
}

impl Objects {
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn iter(&self) -> impl Iterator<Item = Object> {
        self.chunks.iter().flat_map(|c| c.iter().copied())
    }

    /// The chunk and place of the last object that starts at or before the address.
    fn position(&self, addr: u64) -> Option<(usize, usize)> {
        let chunk = self.chunks.partition_point(|c| c[0].base <= addr).checked_sub(1)?;
        let at = self.chunks[chunk].partition_point(|o| o.base <= addr).checked_sub(1)?;
        Some((chunk, at))
    }

    /// The object that the address lies in or just past.
    pub fn find(&self, addr: u64) -> Option<Object> {
        let (chunk, at) = self.position(addr)?;
        Some(self.chunks[chunk][at]).filter(|o| o.touches(addr))
    }

    /// The first object that starts after the address.
    pub fn after(&self, addr: u64) -> Option<Object> {
        match self.position(addr) {
            None => self.chunks.first().map(|c| c[0]),
            Some((chunk, at)) => {
                self.chunks[chunk].get(at + 1).copied().or_else(|| self.chunks.get(chunk + 1).map(|c| c[0]))
            }
        }
    }

    pub fn insert(&mut self, object: Object) {
        self.len += 1;
        let position = self.position(object.base);
        let chunks = Arc::make_mut(&mut self.chunks);
        let (chunk, at) = match position {
            Some((chunk, at)) => (chunk, at + 1),
            None if chunks.is_empty() => {
                chunks.push(Arc::new(vec![object]));
                return;
            }
            None => (0, 0),
        };
        let list = Arc::make_mut(&mut chunks[chunk]);
        if list.len() < CHUNK {
            list.insert(at, object);
        } else if at == list.len() {
            chunks.insert(chunk + 1, Arc::new(vec![object]));
        } else {
            let rest = list.split_off(at);
            list.push(object);
            chunks.insert(chunk + 1, Arc::new(rest));
        }
    }

    /// Removes the object that starts at the address.
    pub fn remove(&mut self, base: u64) -> Option<Object> {
        let (chunk, at) = self.position(base)?;
        if self.chunks[chunk][at].base != base {
            return None;
        }
        self.len -= 1;
        let chunks = Arc::make_mut(&mut self.chunks);
        let object = if chunks[chunk].len() == 1 {
            chunks.remove(chunk)[at]
        } else {
            Arc::make_mut(&mut chunks[chunk]).remove(at)
        };
        Some(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    #[test]
    fn agrees_with_a_sorted_map() {
        let mut objects = Objects::default();
        let mut model: BTreeMap<u64, u64> = BTreeMap::new();
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let base = (seed >> 40) % 2000 * 100;
            if model.contains_key(&base) && seed >> 32 & 3 != 0 {
                assert_eq!(objects.remove(base).map(|o| o.size), model.remove(&base));
            } else if let Entry::Vacant(place) = model.entry(base) {
                let size = (seed >> 20) % 60;
                objects.insert(Object { base, size });
                place.insert(size);
            }
            let probe = (seed >> 30) % 200_000;
            let expected = model.range(..=probe).next_back().filter(|(b, s)| probe <= **b + **s).map(|(b, _)| *b);
            assert_eq!(objects.find(probe).map(|o| o.base), expected);
            assert_eq!(objects.after(probe).map(|o| o.base), model.range(probe + 1..).next().map(|(b, _)| *b));
            assert_eq!(objects.len, model.len() as u64);
        }
        assert!(objects.iter().map(|o| o.base).eq(model.keys().copied()));
    }
}
