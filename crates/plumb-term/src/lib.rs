//! Terms: what symbolic states are made of and solvers answer questions about.
//!
//! ```
//! use plumb_term::{Sort, Terms, TermId};
//! let mut terms = Terms::new();
//! let x = terms.symbol("x", Sort::Bv(32));
//! let (three, five) = (terms.bv(32, 3), terms.bv(32, 5));
//! let sum = terms.bv_add(x, three);
//! let equal = terms.eq(sum, five);          // rewritten to x == 2
//! let two = terms.bv(32, 2);
//! assert_eq!(equal, terms.eq(x, two));      // the same term has the same id
//! ```
//!
//! * [`Terms`] is an arena without global state or interior mutability. A [`TermId`] belongs to its arena; operands
//!   have smaller ids than their users, so a table indexed by [`TermId::index`] can be filled in order.
//! * Constructors are methods of [`Terms`] (`build/`): truth values `not and or xor implies iff and_all or_all`; any
//!   sort `eq ne ite`; bit-vectors `bv_*`, `concat extract zero_extend sign_extend resize_*`; floats `float_*`; arrays
//!   `const_array select store`; leaves `symbol fresh_symbol bool_const bv bv_signed bv_const float_const value`.
//!   They rewrite (`rewrite/`), each in a small bounded number of steps.
//! * A term is looked at with [`Terms::kind`] (an enum of a dozen shapes over [`UnaryOp`] and [`BinaryOp`]),
//!   [`Terms::sort`], [`Terms::const_bits`] and its relatives.
//! * Several things C has are no operators but built from others, so that back ends need not know them:
//!   `bv_ule/ugt/uge/sle/sgt/sge` (from `BvUlt`, `BvSlt`), `float_sub`, `float_copysign`, `float_to_int` (x86's
//!   conversions, from `FloatToSigned`), `bv_clz/ctz/popcount/bswap`.
//! * [`Evaluator`] gives a term's [`Value`] under an assignment; [`eval::unary`] and [`eval::binary`] define the operators.
//! * [`Substitution`] replaces terms by terms, [`Import`] copies them between arenas, [`cone()`] lists what terms depend on.
//! * [`smtlib`] prints SMT-LIB 2, [`c_print`] C expressions; [`exchange`] writes lines of text and reads them back.
//!
//! A float term denotes a bit pattern. `Eq` compares patterns, `FloatToBits` and `FloatFromBits` are free. Every operation
//! but `FloatNeg` and `FloatAbs` (and `ite`, `select`) gives canonical patterns: one quiet NaN ([`Format::canonical_nan`]),
//! and x87 numbers with the integer bit that their exponent asks for. x87 patterns that are not canonical are read
//! as the processor reads them.

pub mod bitvec;
mod build;
pub mod c_print;
pub mod cone;
pub mod eval;
pub mod exchange;
pub mod op;
mod persistent;
mod rewrite;
pub mod smtlib;
pub mod softfloat;
pub mod sort;
mod stride;
pub mod substitute;
pub mod terms;
pub mod value;

pub use bitvec::BitVec;
pub use cone::{cone, free_symbols};
pub use eval::{Assignment, Evaluator};
pub use op::{BinaryOp, Kind, Operands, UnaryOp};
pub use sort::{Format, Sort};
pub use stride::{Stride, Strides};
pub use substitute::{Import, Substitution};
pub use terms::{SymbolId, TermId, Terms};
pub use value::{ArrayValue, Value};
