//! What unit tests share: functions with signatures that are written by hand.

use super::examples::{Examples, Prober, collect};
use crate::test_program::{budget, program};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Scalar, ScalarType, Signature, Source};
use plumb_ir::program::{LocalVar, Program};
use plumb_ir::ty::Ty;

pub const INT: ScalarType = ScalarType { ty: Ty::Int(32), is_signed: true, is_bool: false };

/// The functions of the paper's figure 2, and others of its kind.
pub const FUNCTIONS: &str = "
    int check(int a, int b) { if (a < 0) a = -a; if (b < 0) b = -b; while (b != 0) { int t = b; b = a % b; a = t; } return a; }
    int process(int x) { if (x < 30) return 0; else if (x < 50) return 1; else return 2; }
    int median(int a, int b, int c) {
        if (a > b) { int t = a; a = b; b = t; }
        if (b > c) { int t = b; b = c; c = t; }
        if (a > b) { int t = a; a = b; b = t; }
        return b;
    }
    unsigned root(unsigned x) { unsigned r = 0, bit = 1u << 14; while (bit > x) bit >>= 2;
        while (bit) { if (x >= r + bit) { x -= r + bit; r = (r >> 1) + bit; } else r >>= 1; bit >>= 2; } return r; }
    unsigned char crc(unsigned char crc, unsigned char byte) { crc ^= byte;
        for (int i = 0; i < 8; i++) crc = crc & 0x80 ? (unsigned char)(crc << 1 ^ 0x07) : (unsigned char)(crc << 1); return crc; }
    int limit(int x) { if (x < -100) return -100; if (x > 100) return 100; return x; }
    int main(void) { return check(input(), input()) + process(input()) + median(input(), input(), input())
        + root(input()) + crc(input(), input()) + limit(input()); }";

/// The signature of a function whose inputs are its parameters.
pub fn of_parameters(program: &Program, name: &str) -> Signature {
    let func = program.find_function(name).unwrap();
    let function = program.function(func);
    let scalar = |(at, info): (usize, &plumb_ir::program::LocalVarInfo)| {
        let kind = info.cty.and_then(|cty| program.types.table.int_kind(cty));
        let is_signed = kind.is_some_and(|kind| kind.is_signed(&program.target));
        Scalar {
            name: info.name.clone(),
            source: Source::Parameter(LocalVar::from(at)),
            ty: ScalarType { ty: info.ty, is_signed, is_bool: false },
        }
    };
    let inputs: Vec<Scalar> = function.params().iter().enumerate().map(scalar).collect();
    let is_signed = inputs.iter().all(|input| input.ty.is_signed);
    Signature { func, output: ScalarType { ty: function.ret.unwrap(), is_signed, is_bool: false }, inputs }
}

/// A program with the analyses, a function of it and its examples.
pub struct Subject {
    pub analyses: Analyses,
    pub signature: Signature,
    pub prober: Prober,
    pub examples: Examples,
}

pub fn subject(text: &str, name: &str) -> Subject {
    let analyses = Analyses::new(&program(text));
    let signature = of_parameters(analyses.program(), name);
    with_examples(analyses, signature)
}

pub fn with_examples(analyses: Analyses, signature: Signature) -> Subject {
    let mut prober = Prober::new(analyses.program(), &signature).unwrap();
    assert_eq!(plumb_ir::verify::verify(prober.program()), Vec::<String>::new());
    let examples = collect(&analyses, &signature, &mut prober, &budget(), 1);
    Subject { analyses, signature, prober, examples }
}
