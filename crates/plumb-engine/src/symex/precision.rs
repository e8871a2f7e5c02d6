//! Precision functions: where, when and by which predicates paths are abstracted.
//!
//! A predicate of a loop is a condition over the *parts* of a state at its head that have a name there: registers, and
//! scalars in static objects or in those of the running activation. It is kept as a term over symbols that stand for the
//! parts, those of a state of which nothing is known ([`plumb_sym::Sym::anywhere`]), so that it can be said of any state.

use crate::answer::StatePart;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{FuncId, GlobalVar, LocalVar, ObjRef, VarRef};
use plumb_ir::ty::Ty;
use plumb_sym::{State, Sym, TemplateSymbols};
use plumb_term::{Sort, Substitution, TermId, free_symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Scalars in memory that are looked at.
const MOST_SCALARS: usize = 2_000;

/// What the precision function assigns to one location.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    /// Visits before the abstraction begins.
    pub threshold: u32,
    pub predicates: Vec<TermId>,
}

/// The precision function: a location that has none gets the initial threshold and no predicate.
#[derive(Clone, Debug)]
pub struct PrecisionFunction {
    initial: u32,
    by_loop: FxHashMap<LoopKey, Precision>,
}

impl PrecisionFunction {
    pub fn new(initial: u32) -> PrecisionFunction {
        PrecisionFunction { initial, by_loop: FxHashMap::default() }
    }

    pub fn threshold(&self, key: LoopKey) -> u32 {
        self.by_loop.get(&key).map_or(self.initial, |p| p.threshold)
    }

    pub fn predicates(&self, key: LoopKey) -> &[TermId] {
        self.by_loop.get(&key).map_or(&[], |p| &p.predicates)
    }

    pub fn of(&mut self, key: LoopKey) -> &mut Precision {
        let initial = self.initial;
        self.by_loop.entry(key).or_insert_with(|| Precision { threshold: initial, predicates: Vec::new() })
    }

    /// Adds a predicate. Whether it, or its opposite, was not there.
    pub fn add(&mut self, key: LoopKey, predicate: TermId, sym: &mut Sym) -> bool {
        let opposite = sym.terms.not(predicate);
        let known = &mut self.of(key).predicates;
        let is_new = !known.contains(&predicate) && !known.contains(&opposite);
        if is_new {
            known.push(predicate);
        }
        is_new
    }

    /// Locations with what was found for them.
    pub fn iter(&self) -> impl Iterator<Item = (LoopKey, &Precision)> {
        self.by_loop.iter().map(|(key, precision)| (*key, precision))
    }
}

/// A state whose parts are symbols, for the predicates of one function.
struct Template {
    state: State,
    symbols: TemplateSymbols,
}

/// The symbols that predicates are made of.
#[derive(Default)]
pub struct Vocabulary {
    templates: FxHashMap<FuncId, Template>,
    /// What the symbols of predicates stand for.
    held: FxHashMap<TermId, StatePart>,
    /// The symbols of predicates that were asked for.
    parts: FxHashMap<(FuncId, TermId), Option<Parts>>,
}

/// Symbols with what they stand for.
type Parts = Arc<[(TermId, StatePart)]>;

impl Vocabulary {
    fn template(&mut self, sym: &mut Sym, func: FuncId) -> &Template {
        self.templates.entry(func).or_insert_with(|| {
            let (state, symbols) = sym.template(func);
            Template { state, symbols }
        })
    }

    /// A state whose parts are the symbols of predicates.
    pub fn state(&mut self, sym: &mut Sym, func: FuncId) -> State {
        self.template(sym, func).state.clone()
    }

    /// What a predicate's symbol stands for.
    fn held(&mut self, sym: &mut Sym, func: FuncId, symbol: TermId) -> Option<StatePart> {
        if let Some(held) = self.held.get(&symbol) {
            return Some(*held);
        }
        let parts = self.template(sym, func).symbols.parts(sym);
        self.held.extend(parts);
        self.held.get(&symbol).copied()
    }

    /// The symbols of a predicate with what they stand for; `None` if one of them stands for nothing.
    pub fn parts(&mut self, sym: &mut Sym, func: FuncId, predicate: TermId) -> Option<Parts> {
        if let Some(known) = self.parts.get(&(func, predicate)) {
            return known.clone();
        }
        let found = self.find_parts(sym, func, predicate).map(Parts::from);
        self.parts.insert((func, predicate), found.clone());
        found
    }

    /// Those symbols of a term that stand for something.
    pub fn mentioned(&mut self, sym: &mut Sym, func: FuncId, term: TermId) -> Vec<(TermId, StatePart)> {
        let symbols = free_symbols(&sym.terms, &[term]);
        let symbols: Vec<TermId> = symbols.into_iter().map(|symbol| sym.terms.symbol_term(symbol)).collect();
        symbols.into_iter().filter_map(|symbol| Some((symbol, self.held(sym, func, symbol)?))).collect()
    }

    fn find_parts(&mut self, sym: &mut Sym, func: FuncId, predicate: TermId) -> Option<Vec<(TermId, StatePart)>> {
        let symbols = free_symbols(&sym.terms, &[predicate]);
        let mut parts = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let symbol = sym.terms.symbol_term(symbol);
            parts.push((symbol, self.held(sym, func, symbol)?));
        }
        Some(parts)
    }

    /// The predicate, said of a state in its function; `None` where the state has no such part.
    pub fn at(&mut self, sym: &mut Sym, predicate: TermId, state: &State) -> Option<TermId> {
        let mut pairs = Vec::new();
        for (symbol, held) in self.parts(sym, state.func(), predicate)?.iter() {
            pairs.push((*symbol, sym.part_term(state, *held, *symbol)?));
        }
        Some(Substitution::new(pairs).apply(&mut sym.terms, predicate))
    }

    /// The values of a state's named parts, each with the term over the symbols of predicates that stands for it.
    pub fn names(&mut self, sym: &mut Sym, state: &State, live: &Liveness) -> FxHashMap<TermId, TermId> {
        let func = state.func();
        self.template(sym, func);
        let Some(Template { state: template, .. }) = self.templates.get(&func) else { return FxHashMap::default() };
        let mut names = FxHashMap::default();
        let program = sym.program;
        let locals = (0..program.function(func).vars.len() as u32).map(|i| VarRef::Local(LocalVar(i)));
        let globals = (0..program.vars.len() as u32).map(|i| VarRef::Global(GlobalVar(i)));
        for var in globals.chain(locals) {
            let is_local = matches!(var, VarRef::Local(_));
            if sym.register_type(state, var) == Ty::Ptr || is_local && !live.is_live(state.loc, var) {
                continue;
            }
            let (Some(value), Some(name)) = (sym.register_term(state, var), sym.register_term(template, var)) else {
                continue;
            };
            if !sym.terms.is_const(value) {
                names.entry(value).or_insert(name);
            }
        }
        for scalar in sym.named_scalars(state, MOST_SCALARS) {
            let size = scalar.ty.bytes(&program.target);
            let bytes = match scalar.object {
                ObjRef::Global(object) => sym.static_bytes(template, object, scalar.at, size),
                ObjRef::Local(object) => sym.local_bytes(template, object, scalar.at, size),
            };
            let Some(bytes) = bytes else { continue };
            let name = match sym.terms.sort(scalar.term) {
                Sort::Bv(width) if width == sym.terms.width(bytes) => bytes,
                Sort::Float(format) if sym.terms.width(bytes) == format.width() => {
                    sym.terms.float_from_bits(bytes, format)
                }
                Sort::Bv(_) | Sort::Float(_) | Sort::Bool | Sort::Array { .. } => continue,
            };
            names.entry(scalar.term).or_insert(name);
        }
        names
    }
}
