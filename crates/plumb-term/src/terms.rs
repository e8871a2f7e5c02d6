//! The arena: every term once, operands before their users.
//!
//! A node is 16 bytes: operator and sort in one word, three operands. Parameters (bounds of an extract, the number of a
//! symbol, a constant of up to 64 bits) take the place of operands; wider constants sit in a side table. The hash table
//! holds ids only and looks at the nodes, so a term costs 16 bytes and 6 to 11 for its slot, at most 36 with the slack of
//! vectors that grow by half. `benches/terms.rs` measures 31 bytes a term over ten million, never more than 39 while
//! growing, with a symbol for every 18 terms and what rules remember included; a million terms a second of one core's
//! time over all, 1.7 million over the first tenth, while tables fit into caches.

use crate::bitvec::BitVec;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::sort::{Format, Sort};
use crate::value::Value;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// A term of one arena. Ids grow with creation: operands have smaller ids than their users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The same in every arena.
    pub const FALSE: TermId = TermId(0);
    pub const TRUE: TermId = TermId(1);

    /// For tables indexed by term: less than [`Terms::len`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn bool(value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }
}

/// A symbol of one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

#[derive(Clone, Debug)]
struct Symbol {
    name: Box<str>,
    term: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    /// The operator's code in the low byte, the sort's number above.
    tag: u32,
    a: u32,
    b: u32,
    c: u32,
}

const CONST: u8 = 0;
const WIDE_CONST: u8 = 1;
const SYMBOL: u8 = 2;
const ITE: u8 = 3;
const FMA: u8 = 4;
const STORE: u8 = 5;
const EXTRACT: u8 = 6;
const UNARY: u8 = 16;
const BINARY: u8 = 64;
const _: () = assert!(UNARY as usize + UnaryOp::ALL.len() <= BINARY as usize);

/// All terms of one user, created through the constructors of `build/`, which rewrite.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    sorts: Vec<Sort>,
    sort_numbers: FxHashMap<Sort, u32>,
    wide: Vec<BitVec>,
    wide_numbers: FxHashMap<BitVec, u32>,
    symbols: Vec<Symbol>,
    symbol_table: HashTable<SymbolId>,
    fresh: u32,
    /// Constructors inside of constructors, through rules.
    pub(crate) depth: u32,
    /// Constructions since the outermost one began.
    pub(crate) work: u32,
    /// What constructions came to whose rules walk along chains: comparisons of choices, reads from arrays.
    pub(crate) known: FxHashMap<(BinaryOp, TermId, TermId), TermId>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

fn hash(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(node.tag as u64 | (node.a as u64) << 32);
    hasher.write_u64(node.b as u64 | (node.c as u64) << 32);
    hasher.finish()
}

fn hash_name(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            table: HashTable::new(),
            sorts: Vec::new(),
            sort_numbers: FxHashMap::default(),
            wide: Vec::new(),
            wide_numbers: FxHashMap::default(),
            symbols: Vec::new(),
            symbol_table: HashTable::new(),
            fresh: 0,
            depth: 0,
            work: 0,
            known: FxHashMap::default(),
        };
        let no = terms.intern_bits(Sort::Bool, &BitVec::zero(1));
        let yes = terms.intern_bits(Sort::Bool, &BitVec::one(1));
        debug_assert!((no, yes) == (TermId::FALSE, TermId::TRUE));
        terms
    }

    /// The number of terms; ids are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: true and false are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every term, operands before their users.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        (0..self.nodes.len() as u32).map(TermId)
    }

    /// Bytes on the heap, but for names of symbols and limbs of very wide constants.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.table.allocation_size()
            + self.known.capacity() * 8 / 7 * (size_of::<(BinaryOp, TermId, TermId, TermId)>() + 1)
            + self.wide.capacity() * (size_of::<BitVec>() * 2 + 8)
            + self.symbols.capacity() * size_of::<Symbol>()
            + self.symbol_table.allocation_size()
    }

    // Looking at terms.

    fn node(&self, id: TermId) -> Node {
        self.nodes[id.index()]
    }

    pub fn sort(&self, id: TermId) -> Sort {
        self.sorts[(self.node(id).tag >> 8) as usize]
    }

    /// The width of a bit-vector or of a float's pattern; 1 for truth values, 0 for arrays.
    pub fn width(&self, id: TermId) -> u32 {
        match self.sort(id) {
            Sort::Bool => 1,
            Sort::Bv(width) => width,
            Sort::Float(format) => format.width(),
            Sort::Array { .. } => 0,
        }
    }

    /// The format of a float term.
    pub fn format(&self, id: TermId) -> Option<Format> {
        match self.sort(id) {
            Sort::Float(format) => Some(format),
            Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => None,
        }
    }

    pub fn kind(&self, id: TermId) -> Kind {
        let Node { tag, a, b, c } = self.node(id);
        let (a_term, b_term, c_term) = (TermId(a), TermId(b), TermId(c));
        match tag as u8 {
            CONST | WIDE_CONST => Kind::Const,
            SYMBOL => Kind::Symbol(SymbolId(a)),
            ITE => Kind::Ite(a_term, b_term, c_term),
            FMA => Kind::Fma(a_term, b_term, c_term),
            STORE => Kind::Store(a_term, b_term, c_term),
            EXTRACT => Kind::Extract { value: a_term, hi: b, lo: c },
            code if code < BINARY => Kind::Unary(UnaryOp::ALL[(code - UNARY) as usize], a_term),
            code => Kind::Binary(BinaryOp::ALL[(code - BINARY) as usize], a_term, b_term),
        }
    }

    pub fn is_const(&self, id: TermId) -> bool {
        self.node(id).tag as u8 <= WIDE_CONST
    }

    /// The bits of a constant: a truth value's one, a bit-vector's, or a float's pattern.
    pub fn const_bits(&self, id: TermId) -> Option<BitVec> {
        let node = self.node(id);
        match node.tag as u8 {
            CONST => Some(BitVec::new(self.width(id), node.b as u128 | (node.c as u128) << 32)),
            WIDE_CONST => Some(self.wide[node.b as usize].clone()),
            _ => None,
        }
    }

    /// The value of a constant.
    pub fn constant(&self, id: TermId) -> Option<Value> {
        self.const_bits(id).map(|bits| match self.sort(id) {
            Sort::Bool => Value::Bool(!bits.is_zero()),
            Sort::Float(format) => Value::Float(format, bits),
            Sort::Bv(_) | Sort::Array { .. } => Value::Bv(bits),
        })
    }

    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        match id {
            TermId::FALSE => Some(false),
            TermId::TRUE => Some(true),
            _ => None,
        }
    }

    /// A bit-vector constant.
    pub fn as_bv(&self, id: TermId) -> Option<BitVec> {
        match self.sort(id) {
            Sort::Bv(_) => self.const_bits(id),
            Sort::Bool | Sort::Float(_) | Sort::Array { .. } => None,
        }
    }

    /// A bit-vector constant below 2^64.
    pub fn as_u64(&self, id: TermId) -> Option<u64> {
        self.as_bv(id).and_then(|bits| bits.to_u64())
    }

    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize].name
    }

    pub fn symbol_term(&self, symbol: SymbolId) -> TermId {
        self.symbols[symbol.0 as usize].term
    }

    pub fn symbol_sort(&self, symbol: SymbolId) -> Sort {
        self.sort(self.symbol_term(symbol))
    }

    pub fn as_symbol(&self, id: TermId) -> Option<SymbolId> {
        match self.kind(id) {
            Kind::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    // Leaves.

    /// The symbol of that name and sort. Symbols of one name and different sorts are different.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> TermId {
        match self.find_symbol(name, sort) {
            Some(symbol) => self.symbol_term(symbol),
            None => self.new_symbol(name, sort),
        }
    }

    /// A symbol that was not there before, with a name that begins so.
    pub fn fresh_symbol(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if self.find_symbol(&name, sort).is_none() {
                return self.new_symbol(&name, sort);
            }
        }
    }

    pub fn find_symbol(&self, name: &str, sort: Sort) -> Option<SymbolId> {
        let is_it = |symbol: &SymbolId| self.symbol_name(*symbol) == name && self.symbol_sort(*symbol) == sort;
        self.symbol_table.find(hash_name(name), is_it).copied()
    }

    fn new_symbol(&mut self, name: &str, sort: Sort) -> TermId {
        let symbol = SymbolId(self.symbols.len() as u32);
        let tag = self.tag(SYMBOL, sort);
        let term = self.intern(Node { tag, a: symbol.0, b: 0, c: 0 });
        self.symbols.push(Symbol { name: name.into(), term });
        let symbols = &self.symbols;
        self.symbol_table.insert_unique(hash_name(name), symbol, |other| hash_name(&symbols[other.0 as usize].name));
        term
    }

    pub fn bool_const(&self, value: bool) -> TermId {
        TermId::bool(value)
    }

    pub fn bv_const(&mut self, value: &BitVec) -> TermId {
        self.intern_bits(Sort::Bv(value.width()), value)
    }

    /// The low bits of a number as a bit-vector.
    pub fn bv(&mut self, width: u32, value: u128) -> TermId {
        self.bv_const(&BitVec::new(width, value))
    }

    /// A number in two's complement as a bit-vector.
    pub fn bv_signed(&mut self, width: u32, value: i128) -> TermId {
        self.bv_const(&BitVec::from_i128(width, value))
    }

    /// The float with that pattern.
    pub fn float_const(&mut self, format: Format, pattern: u128) -> TermId {
        self.intern_bits(Sort::Float(format), &BitVec::new(format.width(), pattern))
    }

    pub fn f32_const(&mut self, value: f32) -> TermId {
        self.float_const(Format::F32, value.to_bits() as u128)
    }

    pub fn f64_const(&mut self, value: f64) -> TermId {
        self.float_const(Format::F64, value.to_bits() as u128)
    }

    /// A constant of sort Bool, Bv or Float. Arrays become stores into a constant array.
    pub fn value(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(value) => TermId::bool(*value),
            Value::Bv(bits) => self.bv_const(bits),
            Value::Float(format, bits) => self.intern_bits(Sort::Float(*format), bits),
            Value::Array(array) => {
                let default = self.bv_const(array.default());
                let mut term = self.const_array(array.index_width(), default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.bv_const(&index), self.bv_const(&element));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    // Interning, for the constructors.

    fn tag(&mut self, code: u8, sort: Sort) -> u32 {
        let sorts = &mut self.sorts;
        let number = *self.sort_numbers.entry(sort).or_insert_with(|| {
            sorts.push(sort);
            sorts.len() as u32 - 1
        });
        debug_assert!(number < 1 << 24, "sorts are numbered with 24 bits");
        number << 8 | code as u32
    }

    fn intern(&mut self, node: Node) -> TermId {
        let nodes = &mut self.nodes;
        let hash_of = hash(&node);
        if let Some(id) = self.table.find(hash_of, |id| nodes[*id as usize] == node) {
            return TermId(*id);
        }
        let id = u32::try_from(nodes.len()).expect("more than 2^32 terms do not fit into the memory of their budget");
        // Growing by half instead of doubling bounds the slack.
        if nodes.len() == nodes.capacity() {
            nodes.reserve_exact(nodes.len() / 2 + 64);
        }
        nodes.push(node);
        self.table.insert_unique(hash_of, id, |id| hash(&nodes[*id as usize]));
        TermId(id)
    }

    fn intern_bits(&mut self, sort: Sort, bits: &BitVec) -> TermId {
        if bits.width() <= 64 {
            let value = bits.to_u64().unwrap_or(0);
            let tag = self.tag(CONST, sort);
            return self.intern(Node { tag, a: 0, b: value as u32, c: (value >> 32) as u32 });
        }
        let number = match self.wide_numbers.get(bits) {
            Some(number) => *number,
            None => {
                self.wide.push(bits.clone());
                self.wide_numbers.insert(bits.clone(), self.wide.len() as u32 - 1);
                self.wide.len() as u32 - 1
            }
        };
        let tag = self.tag(WIDE_CONST, sort);
        self.intern(Node { tag, a: 0, b: number, c: 0 })
    }

    fn node_of(&mut self, kind: Kind, sort: Sort) -> Node {
        let (code, a, b, c) = match kind {
            // Leaves are made by their own functions: they need more than a kind.
            Kind::Const | Kind::Symbol(_) => (CONST, 0, 0, 0),
            Kind::Unary(op, a) => (UNARY + op as u8, a.0, 0, 0),
            Kind::Binary(op, a, b) => (BINARY + op as u8, a.0, b.0, 0),
            Kind::Ite(a, b, c) => (ITE, a.0, b.0, c.0),
            Kind::Fma(a, b, c) => (FMA, a.0, b.0, c.0),
            Kind::Store(a, b, c) => (STORE, a.0, b.0, c.0),
            Kind::Extract { value, hi, lo } => (EXTRACT, value.0, hi, lo),
        };
        Node { tag: self.tag(code, sort), a, b, c }
    }

    /// The term of that shape as it stands, without rewriting. `kind` is no leaf.
    pub(crate) fn make(&mut self, kind: Kind, sort: Sort) -> TermId {
        debug_assert!(!matches!(kind, Kind::Const | Kind::Symbol(_)));
        let node = self.node_of(kind, sort);
        self.intern(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bv(32));
        assert_eq!(terms.symbol("x", Sort::Bv(32)), x);
        assert_ne!(terms.symbol("x", Sort::Bv(16)), x);
        assert_ne!(terms.fresh_symbol("x", Sort::Bv(32)), terms.fresh_symbol("x", Sort::Bv(32)));
        let (y, z) = (terms.symbol("y", Sort::Bv(32)), terms.symbol("z", Sort::Bv(32)));
        assert_eq!(terms.bv_mul(y, z), terms.bv_mul(z, y));
        assert_eq!(terms.bool_const(true), TermId::TRUE);
    }

    #[test]
    fn constants_of_any_width_come_back() {
        let mut terms = Terms::new();
        for width in [1, 31, 32, 63, 64, 65, 80, 128, 129, 300] {
            for bits in [BitVec::zero(width), BitVec::one(width), BitVec::ones(width), BitVec::min_signed(width)] {
                let term = terms.bv_const(&bits);
                assert_eq!(terms.as_bv(term), Some(bits.clone()));
                assert_eq!(terms.bv_const(&bits), term);
                assert_eq!(terms.kind(term), Kind::Const);
                assert_eq!(terms.sort(term), Sort::Bv(width));
            }
        }
        let nan = terms.float_const(Format::X87, Format::X87.canonical_nan());
        assert_eq!(terms.sort(nan), Sort::Float(Format::X87));
    }

    #[test]
    fn arenas_and_values_travel_between_threads() {
        fn travels<T: Send + Sync>() {}
        travels::<Terms>();
        travels::<Value>();
        assert_eq!(size_of::<Node>(), 16);
        assert!(size_of::<Value>() <= 40);
    }

    #[test]
    fn every_operator_comes_back() {
        let mut terms = Terms::new();
        let (a, b) = (terms.symbol("a", Sort::Bv(8)), terms.symbol("b", Sort::Bv(8)));
        for op in UnaryOp::ALL {
            let term = terms.make(Kind::Unary(*op, a), Sort::Bv(8));
            assert_eq!(terms.kind(term), Kind::Unary(*op, a));
        }
        for op in BinaryOp::ALL {
            let term = terms.make(Kind::Binary(*op, a, b), Sort::Bv(8));
            assert_eq!(terms.kind(term), Kind::Binary(*op, a, b));
        }
    }
}
