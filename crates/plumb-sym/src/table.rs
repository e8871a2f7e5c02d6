//! Tables that are cheap to copy: chunks are shared until they are written to.

use std::sync::Arc;

const CHUNK: usize = 32;

/// A list of entries, each of which may be missing.
#[derive(Clone, Debug)]
pub struct Table<T> {
    chunks: Vec<Option<Arc<[Option<T>; CHUNK]>>>,
}

impl<T: Clone> Default for Table<T> {
    fn default() -> Table<T> {
        Table { chunks: Vec::new() }
    }
}

impl<T: Clone> Table<T> {
    pub fn get(&self, at: u32) -> Option<&T> {
        self.chunks.get(at as usize / CHUNK)?.as_ref()?[at as usize % CHUNK].as_ref()
    }

    pub fn set(&mut self, at: u32, value: T) {
        *self.slot(at) = Some(value);
    }

    pub fn get_mut(&mut self, at: u32) -> Option<&mut T> {
        let chunk = self.chunks.get_mut(at as usize / CHUNK)?.as_mut()?;
        chunk[at as usize % CHUNK].as_ref()?;
        Arc::make_mut(chunk)[at as usize % CHUNK].as_mut()
    }

    pub fn remove(&mut self, at: u32) {
        if self.get(at).is_some() {
            *self.slot(at) = None;
        }
    }

    fn slot(&mut self, at: u32) -> &mut Option<T> {
        let chunk = at as usize / CHUNK;
        if chunk >= self.chunks.len() {
            self.chunks.resize(chunk + 1, None);
        }
        let chunk = self.chunks[chunk].get_or_insert_with(|| Arc::new(std::array::from_fn(|_| None)));
        &mut Arc::make_mut(chunk)[at as usize % CHUNK]
    }

    /// The entries that there are.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let chunks = self.chunks.iter().enumerate().filter_map(|(i, chunk)| Some((i, chunk.as_ref()?)));
        chunks.flat_map(|(i, chunk)| {
            let entries = chunk.iter().enumerate();
            entries.filter_map(move |(j, entry)| Some(((i * CHUNK + j) as u32, entry.as_ref()?)))
        })
    }

    /// The places whose entries may differ: chunks that both tables share are passed over.
    pub fn unshared<'a>(&'a self, other: &'a Table<T>) -> impl Iterator<Item = u32> + 'a {
        let len = self.chunks.len().max(other.chunks.len());
        let differs = move |i: &usize| match (self.chunk(*i), other.chunk(*i)) {
            (Some(a), Some(b)) => !Arc::ptr_eq(a, b),
            (None, None) => false,
            (Some(_), None) | (None, Some(_)) => true,
        };
        (0..len).filter(differs).flat_map(|i| (i * CHUNK) as u32..((i + 1) * CHUNK) as u32)
    }

    fn chunk(&self, at: usize) -> Option<&Arc<[Option<T>; CHUNK]>> {
        self.chunks.get(at)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_neither_writes() {
        let mut a = Table::default();
        (0..100).for_each(|i| a.set(i, i));
        let mut b = a.clone();
        b.set(70, 0);
        b.remove(71);
        assert_eq!((a.get(70), b.get(70), b.get(71), b.get(500)), (Some(&70), Some(&0), None, None));
        assert_eq!(a.unshared(&b).collect::<Vec<_>>(), (64..96).collect::<Vec<_>>());
        assert_eq!(b.iter().count(), 99);
    }
}
