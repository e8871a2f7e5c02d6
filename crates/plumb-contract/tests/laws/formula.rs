//! Random contracts.

use plumb_contract::{Atom, Case, Cell, Contract};
use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::pointsto::{Object, Targets};
use plumb_ir::derive::replace_body::written_places;
use plumb_ir::derive::unit::argument_targets;
use plumb_ir::program::{FuncId, LocalVar};
use plumb_ir::ty::Ty;
use plumb_term::{Sort, TermId, Terms};

/// Symbols that a random contract has at most.
const MOST_SYMBOLS: usize = 12;

/// A contract of a function about what it takes, writes and returns. `None` where that has no names.
pub fn contract(analyses: &Analyses, func: FuncId, rng: &mut Rng) -> Option<Contract> {
    let program = analyses.program();
    let function = program.function(func);
    let written = written_places(analyses, func).ok()?;
    let mut places = Vec::new();
    for (at, param) in function.params().iter().enumerate() {
        places.push((Atom::Entry(Cell::Parameter(LocalVar(at as u32))), param.ty));
    }
    let mut cells = Vec::new();
    for &var in &written.registers {
        cells.push((Cell::Global(var), program.var(var).ty));
    }
    for &object in &written.objects {
        let size = program.object(object).size;
        for width in [8u64, 16, 32, 64] {
            let offset = rng.below(size.max(1)) / (width / 8) * (width / 8);
            if offset + width / 8 <= size {
                cells.push((Cell::Object(object, offset), Ty::Int(width as u8)));
            }
        }
    }
    for &parameter in &written.pointees {
        let bytes = readable_bytes(analyses, func, parameter);
        for width in [8u64, 16, 32] {
            let offset = rng.below(bytes.max(1)) / (width / 8) * (width / 8);
            if offset + width / 8 <= bytes {
                cells.push((Cell::Pointee(parameter, offset), Ty::Int(width as u8)));
            }
        }
    }
    for (cell, ty) in cells {
        places.extend([(Atom::Entry(cell), ty), (Atom::Exit(cell), ty)]);
    }
    places.retain(|(_, ty)| matches!(ty, Ty::Int(_)));
    while places.len() > MOST_SYMBOLS {
        let at = rng.below(places.len() as u64) as usize;
        places.swap_remove(at);
    }
    if let Some(ty @ Ty::Int(_)) = function.ret {
        places.push((Atom::Result, ty));
    }
    let mut contract = Contract::trivial(func);
    for (atom, ty) in places {
        contract.symbol(program, atom, ty, rng.below(2) == 0);
    }
    let entry: Vec<TermId> = symbols(&contract, true);
    let all: Vec<TermId> = symbols(&contract, false);
    for _ in 0..=rng.below(2) {
        let requires = match rng.below(3) {
            0 => TermId::bool(true),
            _ => Formula { terms: &mut contract.terms, symbols: &entry, rng }.truth(2),
        };
        let mut formula = Formula { terms: &mut contract.terms, symbols: &all, rng };
        let ensures = [formula.truth(3), formula.truth(2)];
        let ensures = contract.terms.and(ensures[0], ensures[1]);
        contract.cases.push(Case { requires, ensures });
    }
    Some(contract)
}

/// Bytes that there are behind a pointer parameter in every call.
fn readable_bytes(analyses: &Analyses, func: FuncId, parameter: LocalVar) -> u64 {
    let no_object = analyses.nullness().local(func, parameter);
    let Targets::Known(list) = argument_targets(analyses, func, parameter.0) else { return 0 };
    if no_object.null || no_object.number {
        return 0;
    }
    let left = list.iter().map(|target| {
        let size = match target.object {
            Object::Global(object) => analyses.program().object(object).size,
            Object::Local(owner, object) => analyses.program().function(owner).object(object).size,
            Object::Heap(..) | Object::Stack(..) | Object::Function(_) => 0,
        };
        target.offset.map_or(0, |offset| size.saturating_sub(offset as u64))
    });
    left.min().unwrap_or(0)
}

fn symbols(contract: &Contract, of_entry: bool) -> Vec<TermId> {
    let symbols = contract.symbols.iter().filter(|symbol| !of_entry || matches!(symbol.atom, Atom::Entry(_)));
    symbols.map(|symbol| symbol.term).collect()
}

struct Formula<'a> {
    terms: &'a mut Terms,
    symbols: &'a [TermId],
    rng: &'a mut Rng,
}

impl Formula<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn truth(&mut self, depth: u32) -> TermId {
        let width = [1, 8, 16, 32, 32, 64, 128, 24][self.below(8) as usize];
        let choice = if depth == 0 { self.below(4) } else { self.below(9) };
        if choice < 5 {
            let (a, b) = (self.bits(width, depth.saturating_sub(1)), self.bits(width, depth.saturating_sub(1)));
            return match choice {
                0 => self.terms.bv_ult(a, b),
                1 => self.terms.bv_slt(a, b),
                2 => self.terms.bv_sle(b, a),
                3 => self.terms.bv_ule(a, b),
                _ => self.terms.eq(a, b),
            };
        }
        let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
        match choice {
            5 => self.terms.or(a, b),
            6 => self.terms.not(a),
            7 => self.terms.iff(a, b),
            _ => {
                let c = self.truth(depth - 1);
                self.terms.ite(a, b, c)
            }
        }
    }

    fn bits(&mut self, width: u32, depth: u32) -> TermId {
        if depth == 0 || self.below(4) == 0 {
            return self.leaf(width);
        }
        let choice = self.below(18);
        let (a, b) = (self.bits(width, depth - 1), self.bits(width, depth - 1));
        let terms = &mut *self.terms;
        match choice {
            0 => terms.bv_add(a, b),
            1 => terms.bv_sub(a, b),
            2 => terms.bv_mul(a, b),
            3 => terms.bv_udiv(a, b),
            4 => terms.bv_urem(a, b),
            5 => terms.bv_sdiv(a, b),
            6 => terms.bv_srem(a, b),
            7 => terms.bv_shl(a, b),
            8 => terms.bv_lshr(a, b),
            9 => terms.bv_ashr(a, b),
            10 => terms.bv_and(a, b),
            11 => terms.bv_or(a, b),
            12 => terms.bv_xor(a, b),
            13 => terms.bv_not(a),
            14 => terms.bv_neg(a),
            15 if width > 1 => {
                let (high, low) = (terms.extract(a, width - 1, width / 2), terms.extract(b, width / 2 - 1, 0));
                terms.concat(low, high)
            }
            _ => {
                let condition = self.truth(depth - 1);
                self.terms.ite(condition, a, b)
            }
        }
    }

    /// A symbol at the width, or a constant that may be near values of programs.
    fn leaf(&mut self, width: u32) -> TermId {
        if self.symbols.is_empty() || self.below(3) == 0 {
            let value = match self.below(4) {
                0 => self.below(4) as u128,
                1 => u128::MAX - self.below(3) as u128,
                2 => self.below(200) as u128,
                _ => 1u128 << self.below(width.min(64) as u64),
            };
            let mask = u128::MAX >> (128 - width);
            return self.terms.bv(width, value & mask);
        }
        let symbol = self.symbols[self.rng.below(self.symbols.len() as u64) as usize];
        let number = match self.terms.sort(symbol) {
            Sort::Bool => self.terms.bool_to_bv(symbol, width),
            Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => symbol,
        };
        match self.rng.below(2) {
            0 => self.terms.resize_unsigned(number, width),
            _ => self.terms.resize_signed(number, width),
        }
    }
}
