//! The constants of a program: those that its functions name, and those that they compare with.

use crate::expr::{BinOp, CastOp, ExprId, ExprKind};
use crate::program::{FuncId, Function, GlobalVar, Program, VarRef};
use crate::ty::Ty;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Numbers that the user's functions compare with or assign, up to so many.
pub fn named_constants(program: &Program, most: usize) -> BTreeSet<i128> {
    let mut found = BTreeSet::new();
    for function in program.functions.iter().filter(|function| !function.is_library) {
        let exprs = &function.exprs;
        for id in exprs.ids() {
            let ExprKind::Const(bits) = exprs.kind(id) else { continue };
            let Ty::Int(width) = exprs.ty(id) else { continue };
            if width > 1 && width <= 64 && found.len() < most {
                found.insert(bits.signed(width as u32));
            }
        }
    }
    found
}

/// What is compared with what.
pub struct ComparedConstants {
    /// The constants that each program register is compared with, in order.
    pub of_register: FxHashMap<GlobalVar, Vec<i128>>,
    /// The constants of all comparisons of the user's functions, in order.
    pub all: Vec<i128>,
}

impl ComparedConstants {
    pub fn of(program: &Program, functions: &[FuncId]) -> ComparedConstants {
        let mut found = ComparedConstants { of_register: FxHashMap::default(), all: Vec::new() };
        for &func in functions {
            let function = program.function(func);
            for id in function.exprs.ids() {
                let ExprKind::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le, _, a, b) = function.exprs.kind(id)
                else {
                    continue;
                };
                for (value, constant) in [(a, b), (b, a)] {
                    found.add(function, value, constant);
                }
            }
        }
        found.of_register.values_mut().chain([&mut found.all]).for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        found
    }

    fn add(&mut self, function: &Function, value: ExprId, constant: ExprId) {
        let Some(bits) = function.exprs.as_const(constant) else { return };
        let Ty::Int(width) = function.exprs.ty(constant) else { return };
        let number = bits.signed(width as u32);
        if !function.is_library {
            self.all.push(number);
        }
        if let Some(var) = global_behind(function, value) {
            self.of_register.entry(var).or_default().push(number);
        }
    }
}

/// The program register that an expression is a widened or narrowed copy of.
fn global_behind(function: &Function, mut id: ExprId) -> Option<GlobalVar> {
    loop {
        match function.exprs.kind(id) {
            ExprKind::Var(VarRef::Global(var)) => return Some(var),
            ExprKind::Cast(CastOp::Int { .. }, inner) => id = inner,
            _ => return None,
        }
    }
}
