//! Abstract objects, targets into them, and the nodes of their words.

use super::Object;
use super::solve::{Loc, Node, Obj, Shift, Solver, UNKNOWN_LOC, UNKNOWN_OBJ};
use rustc_hash::FxHashMap;

/// The offset of a target that may be anywhere in its object.
pub const ANYWHERE: i64 = i64::MIN;
/// More distinct offsets than this into one object are folded.
const MAX_OFFSETS: usize = 64;
/// More words than this are not copied one by one.
const MAX_COPIED_WORDS: u64 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjKind {
    Unknown,
    Known(Object),
}

pub struct ObjInfo {
    pub kind: ObjKind,
    pub size: Option<u64>,
    /// Offsets count modulo this; 0 means as they are.
    pub stride: i64,
    pub locs: FxHashMap<i64, Loc>,
    /// By word.
    pub cells: FxHashMap<i64, Node>,
}

impl Solver {
    pub fn find_loc(&self, mut loc: Loc) -> Loc {
        while self.loc_parent[loc as usize] != loc {
            loc = self.loc_parent[loc as usize];
        }
        loc
    }

    /// The abstract object; the second number tells apart the instances of a function that own it.
    pub fn object(&mut self, object: Object, instance: u32, size: Option<u64>) -> Obj {
        if let Some(&id) = self.by_object.get(&(object, instance)) {
            return id;
        }
        let id = self.objects.len() as Obj;
        self.objects.push(ObjInfo {
            kind: ObjKind::Known(object),
            size,
            stride: if self.fields { 0 } else { 1 },
            locs: FxHashMap::default(),
            cells: FxHashMap::default(),
        });
        self.by_object.insert((object, instance), id);
        id
    }

    fn is_function(&self, obj: Obj) -> bool {
        matches!(self.objects[obj as usize].kind, ObjKind::Known(Object::Function(_)))
    }

    /// The target at an offset of an object.
    pub fn loc(&mut self, obj: Obj, offset: i64) -> Loc {
        if obj == UNKNOWN_OBJ {
            return UNKNOWN_LOC;
        }
        let offset = if self.is_function(obj) { 0 } else { self.canonical(obj, offset) };
        if let Some(&loc) = self.objects[obj as usize].locs.get(&offset) {
            return self.find_loc(loc);
        }
        let loc = self.locs.len() as Loc;
        self.locs.push((obj, offset));
        self.loc_parent.push(loc);
        let info = &mut self.objects[obj as usize];
        info.locs.insert(offset, loc);
        if info.locs.len() > MAX_OFFSETS && info.stride == 0 {
            let offsets = info.locs.keys().copied().filter(|&k| k != ANYWHERE);
            let common = offsets.fold(0, |a, k| gcd(a, k.unsigned_abs()));
            self.set_stride(obj, common.max(1));
            return self.loc(obj, offset);
        }
        loc
    }

    fn canonical(&self, obj: Obj, offset: i64) -> i64 {
        let stride = self.objects[obj as usize].stride;
        if offset == ANYWHERE || stride == 0 { if stride == 1 { 0 } else { offset } } else { offset.rem_euclid(stride) }
    }

    /// From now on offsets into the object count modulo the stride, or not at all if words would not stay words.
    fn set_stride(&mut self, obj: Obj, stride: u64) {
        if obj == UNKNOWN_OBJ || self.is_function(obj) {
            return;
        }
        let old = self.objects[obj as usize].stride;
        let mut new = gcd(old as u64, stride) as i64;
        if new % self.word != 0 || new <= 0 {
            new = 1;
        }
        if new == old {
            return;
        }
        self.objects[obj as usize].stride = new;
        let mut locs: Vec<(i64, Loc)> = self.objects[obj as usize].locs.drain().collect();
        locs.sort_unstable();
        for (offset, loc) in locs {
            let offset = self.canonical(obj, offset);
            let first = *self.objects[obj as usize].locs.entry(offset).or_insert(loc);
            let (first, loc) = (self.find_loc(first), self.find_loc(loc));
            self.loc_parent[loc as usize] = first;
            self.locs[first as usize] = (obj, offset);
        }
        let mut cells: Vec<(i64, Node)> = self.objects[obj as usize].cells.drain().collect();
        cells.sort_unstable();
        for (word, node) in cells {
            let word = if new == 1 { 0 } else { (word * self.word).rem_euclid(new) / self.word };
            let first = *self.objects[obj as usize].cells.entry(word).or_insert(node);
            self.unite(first, node);
        }
    }

    fn cell(&mut self, obj: Obj, word: i64) -> Node {
        if let Some(&node) = self.objects[obj as usize].cells.get(&word) {
            return self.find(node);
        }
        let node = self.node();
        self.objects[obj as usize].cells.insert(word, node);
        node
    }

    /// The nodes of the words that an access touches. Out of bounds there are none: such an access ends the run.
    pub fn cells(&mut self, loc: Loc, size: Option<u64>) -> Vec<Node> {
        let (obj, offset) = self.locs[self.find_loc(loc) as usize];
        if obj == UNKNOWN_OBJ || self.is_function(obj) {
            return Vec::new();
        }
        match size.filter(|&n| offset != ANYWHERE && n <= MAX_COPIED_WORDS * self.word as u64) {
            Some(size) => self.cells_at((obj, offset), size),
            None => {
                self.set_stride(obj, 1);
                vec![self.cell(obj, 0)]
            }
        }
    }

    fn cells_at(&mut self, (obj, offset): (Obj, i64), size: u64) -> Vec<Node> {
        let info = &self.objects[obj as usize];
        if obj == UNKNOWN_OBJ || self.is_function(obj) {
            return Vec::new();
        }
        let stride = info.stride;
        if stride == 1 {
            return vec![self.cell(obj, 0)];
        }
        let (mut first, mut last) = (offset, offset + size.max(1) as i64 - 1);
        if stride == 0 {
            first = first.max(0);
            if let Some(limit) = info.size {
                last = last.min(limit as i64 - 1);
            }
        }
        let mut nodes = Vec::new();
        if first > last {
            return nodes;
        }
        for word in first.div_euclid(self.word)..=last.div_euclid(self.word) {
            let folded = if stride == 0 { word } else { (word * self.word).rem_euclid(stride) / self.word };
            let node = self.cell(obj, folded);
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        nodes
    }

    pub fn shifted(&mut self, loc: Loc, shift: Shift) -> Loc {
        let (obj, offset) = self.locs[self.find_loc(loc) as usize];
        match shift {
            Shift::By(_) if offset == ANYWHERE => self.loc(obj, ANYWHERE),
            Shift::By(delta) => self.loc(obj, offset.saturating_add(delta).max(ANYWHERE + 1)),
            Shift::Multiple(stride) => {
                self.set_stride(obj, stride);
                self.loc(obj, offset)
            }
            Shift::Anywhere => self.loc(obj, ANYWHERE),
        }
    }

    /// How many nodes a copy of that many bytes goes through: one for each word, or one for all.
    pub fn copied_words(&self, size: Option<u64>) -> u32 {
        match size {
            Some(bytes) if bytes <= MAX_COPIED_WORDS * self.word as u64 => bytes.div_ceil(self.word as u64) as u32,
            _ => 1,
        }
    }

    pub fn each_word(&self, size: Option<u64>) -> std::ops::Range<u32> {
        0..self.copied_words(size)
    }

    /// The cells that a copy touches at one end, each with the number of the copied word that it overlaps.
    pub fn copied_cells(&mut self, loc: Loc, size: Option<u64>) -> Vec<(Node, u32)> {
        let (obj, offset) = self.locs[self.find_loc(loc) as usize];
        let bytes = size.filter(|&n| n <= MAX_COPIED_WORDS * self.word as u64);
        let Some(bytes) = bytes.filter(|_| offset != ANYWHERE) else {
            let words = self.each_word(size);
            let cells = self.cells(loc, None);
            return cells.into_iter().flat_map(|cell| words.clone().map(move |w| (cell, w))).collect();
        };
        let mut found = Vec::new();
        for word in self.each_word(size) {
            let start = word as i64 * self.word;
            let length = (bytes as i64 - start).min(self.word) as u64;
            let place = self.place_at(obj, offset.saturating_add(start));
            found.extend(self.cells_at(place, length).into_iter().map(|cell| (cell, word)));
        }
        found
    }

    fn place_at(&self, obj: Obj, offset: i64) -> (Obj, i64) {
        (obj, self.canonical(obj, offset))
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
