//! The vocabulary of predicates: symbols that stand for parts of a state.
//!
//! A predicate of a loop is a condition over the *parts* of a state at its head that have a name there: registers, and
//! scalars in static objects, in those of the running activation, or behind its pointers. It is kept as a term over symbols that stand for the
//! parts, those of a state of which nothing is known ([`plumb_sym::Sym::template`]), so that it can be instantiated in any
//! state.

use crate::answer::StatePart;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::program::{FuncId, GlobalVar, LocalVar, VarRef};
use plumb_ir::ty::Ty;
use plumb_sym::{State, Sym, TemplateSymbols};
use plumb_term::{Sort, Substitution, TermId, free_symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A state of which nothing is known, for the predicates of one function.
struct Template {
    state: State,
    symbols: TemplateSymbols,
}

pub struct Vocabulary {
    /// Scalars in memory that conditions are translated to.
    max_scalars: usize,
    templates: FxHashMap<FuncId, Template>,
    /// The parts that symbols of predicates stand for.
    part_of_symbol: FxHashMap<TermId, StatePart>,
    /// The symbols for what lies behind pointers, by function and width: a template does not say where pointers point.
    behind: FxHashMap<(FuncId, StatePart, u32), TermId>,
    /// The parts of predicates that were looked up.
    parts: FxHashMap<(FuncId, TermId), Option<Parts>>,
}

/// Symbols with the parts that they stand for.
type Parts = Arc<[(TermId, StatePart)]>;

impl Vocabulary {
    pub fn new(max_scalars: usize) -> Vocabulary {
        Vocabulary {
            max_scalars,
            templates: FxHashMap::default(),
            part_of_symbol: FxHashMap::default(),
            behind: FxHashMap::default(),
            parts: FxHashMap::default(),
        }
    }

    fn template(&mut self, sym: &mut Sym, func: FuncId) -> &Template {
        self.templates.entry(func).or_insert_with(|| {
            let (state, symbols) = sym.template(func);
            Template { state, symbols }
        })
    }

    /// A state whose parts are the symbols of predicates.
    pub fn template_state(&mut self, sym: &mut Sym, func: FuncId) -> State {
        self.template(sym, func).state.clone()
    }

    fn part_of_symbol(&mut self, sym: &mut Sym, func: FuncId, symbol: TermId) -> Option<StatePart> {
        if let Some(part) = self.part_of_symbol.get(&symbol) {
            return Some(*part);
        }
        let parts = self.template(sym, func).symbols.parts(sym);
        self.part_of_symbol.extend(parts);
        self.part_of_symbol.get(&symbol).copied()
    }

    /// Whether a symbol stands for what lies behind a pointer.
    pub fn is_behind_pointer(&self, symbol: TermId) -> bool {
        matches!(self.part_of_symbol.get(&symbol), Some(StatePart::Behind { .. }))
    }

    /// The symbols of a predicate with their parts; `None` if it is about something else too, such as an input.
    pub fn parts(&mut self, sym: &mut Sym, func: FuncId, predicate: TermId) -> Option<Parts> {
        if let Some(known) = self.parts.get(&(func, predicate)) {
            return known.clone();
        }
        let found = self.parts_within(sym, func, predicate);
        let is_all = found.len() == free_symbols(&sym.terms, &[predicate]).len();
        let found = is_all.then(|| Parts::from(found));
        self.parts.insert((func, predicate), found.clone());
        found
    }

    /// Those symbols of a term that stand for parts.
    pub fn parts_within(&mut self, sym: &mut Sym, func: FuncId, term: TermId) -> Vec<(TermId, StatePart)> {
        let symbols = free_symbols(&sym.terms, &[term]);
        let symbols: Vec<TermId> = symbols.into_iter().map(|symbol| sym.terms.symbol_term(symbol)).collect();
        symbols.into_iter().filter_map(|symbol| Some((symbol, self.part_of_symbol(sym, func, symbol)?))).collect()
    }

    /// The predicate in a state of its function; `None` where the state has no such part.
    pub fn instantiate(&mut self, sym: &mut Sym, predicate: TermId, state: &State) -> Option<TermId> {
        let mut pairs = Vec::new();
        for (symbol, part) in self.parts(sym, state.func(), predicate)?.iter() {
            pairs.push((*symbol, sym.part_for(&[predicate], state, *part, *symbol)?));
        }
        Some(Substitution::new(pairs).apply(&mut sym.terms, predicate))
    }

    /// The values of a state's parts, each with the term over the symbols of predicates that stands for it.
    pub fn symbols_of_values(&mut self, sym: &mut Sym, state: &State, live: &Liveness) -> FxHashMap<TermId, TermId> {
        let func = state.func();
        self.template(sym, func);
        let Some(Template { state: template, .. }) = self.templates.get(&func) else { return FxHashMap::default() };
        let mut names = FxHashMap::default();
        let mut pointers = Vec::new();
        let program = sym.program;
        let locals = (0..program.function(func).vars.len() as u32).map(|i| VarRef::Local(LocalVar(i)));
        let globals = (0..program.vars.len() as u32).map(|i| VarRef::Global(GlobalVar(i)));
        for var in globals.chain(locals) {
            let is_local = matches!(var, VarRef::Local(_));
            if is_local && !live.is_live(state.loc, var) {
                continue;
            }
            if sym.register_type(state, var) == Ty::Ptr {
                pointers.push(var);
                continue;
            }
            let (Some(value), Some(name)) = (sym.register_term(state, var), sym.register_term(template, var)) else {
                continue;
            };
            if !sym.terms.is_const(value) {
                names.entry(value).or_insert(name);
            }
        }
        for scalar in sym.named_scalars(state, &pointers, self.max_scalars) {
            let size = scalar.ty.bytes(&program.target);
            let bytes = match scalar.part {
                StatePart::Behind { .. } => {
                    let width = size as u32 * 8;
                    let symbol = *self
                        .behind
                        .entry((func, scalar.part, width))
                        .or_insert_with(|| sym.terms.fresh_symbol("behind", Sort::Bv(width)));
                    self.part_of_symbol.insert(symbol, scalar.part);
                    Some(symbol)
                }
                part => sym.part_term(template, part, size as u32 * 8),
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
