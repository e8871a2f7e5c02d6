//! Productions as straight-line code over columns.

use crate::column;
use crate::examples::Examples;
use crate::expr::Expr;
use crate::op::Op;
use crate::sort::{Sort, Value};

/// A column that is known before the search: an input or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    Input(u32),
    Const(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The column of the term in a hole.
    Hole(u32),
    /// A leaf of the table that all productions share.
    Leaf(u32),
    /// The result of an earlier instruction.
    Result(u32),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Instruction {
    op: Op,
    operands: Vec<Operand>,
    sorts: Vec<Sort>,
    sort: Sort,
}

/// What a production computes. Without instructions it is its result: a leaf or a hole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    instructions: Vec<Instruction>,
    result: Operand,
}

/// Where instructions leave their results.
#[derive(Default)]
pub struct Scratch(Vec<Vec<u64>>);

impl Code {
    /// The code of an expanded template. Leaves are added to the table as needed.
    pub fn new(template: &Expr, inputs: &[Sort], holes: &[Sort], leaves: &mut Vec<Leaf>) -> Code {
        let mut code = Code { instructions: Vec::new(), result: Operand::Hole(0) };
        code.result = code.compile(template, inputs, holes, leaves).0;
        code
    }

    fn compile(&mut self, expr: &Expr, inputs: &[Sort], holes: &[Sort], leaves: &mut Vec<Leaf>) -> (Operand, Sort) {
        match expr {
            Expr::Hole(at) => (Operand::Hole(*at), holes[*at as usize]),
            Expr::Input(at) => (leaf(Leaf::Input(*at), leaves), inputs[*at as usize]),
            Expr::Const(value) => (leaf(Leaf::Const(*value), leaves), value.sort()),
            Expr::Call(..) => self.compile(&expr.expand(), inputs, holes, leaves),
            Expr::Apply(op, operands) => {
                let operands: Vec<(Operand, Sort)> =
                    operands.iter().map(|operand| self.compile(operand, inputs, holes, leaves)).collect();
                match operands.split_first() {
                    Some((first, rest)) if op.folds() => {
                        rest.iter().fold(*first, |first, second| self.push(*op, &[first, *second]))
                    }
                    _ => self.push(*op, &operands),
                }
            }
        }
    }

    fn push(&mut self, op: Op, operands: &[(Operand, Sort)]) -> (Operand, Sort) {
        let sorts: Vec<Sort> = operands.iter().map(|(_, sort)| *sort).collect();
        let sort = op.result(&sorts).expect("productions are checked when they are added to a grammar");
        let operands = operands.iter().map(|(operand, _)| *operand).collect();
        self.instructions.push(Instruction { op, operands, sorts, sort });
        (Operand::Result(self.instructions.len() as u32 - 1), sort)
    }

    /// The leaf or the hole that this is, if it computes nothing.
    pub fn plain(&self) -> Option<Operand> {
        self.instructions.is_empty().then_some(self.result)
    }

    /// The operator, if it is only one.
    pub fn single(&self) -> Option<Op> {
        match self.instructions.as_slice() {
            [one] => Some(one.op),
            _ => None,
        }
    }

    /// Computes the column for terms in the holes. False where some example has no value.
    pub fn run(
        &self,
        examples: usize,
        leaves: &[Vec<u64>],
        holes: &[&[u64]],
        scratch: &mut Scratch,
        out: &mut [u64],
    ) -> bool {
        let results = &mut scratch.0;
        if results.len() < self.instructions.len() {
            results.resize_with(self.instructions.len(), Vec::new);
        }
        let last = self.instructions.len().saturating_sub(1);
        for (at, instruction) in self.instructions.iter().enumerate() {
            let (before, own) = results.split_at_mut(at);
            let get = |operand: &Operand| match *operand {
                Operand::Hole(hole) => holes[hole as usize],
                Operand::Leaf(leaf) => &leaves[leaf as usize],
                Operand::Result(result) => before[result as usize].as_slice(),
            };
            let mut columns: [&[u64]; 3] = [&[]; 3];
            for (column, operand) in columns.iter_mut().zip(&instruction.operands) {
                *column = get(operand);
            }
            let columns = &columns[..instruction.operands.len()];
            let target = if at == last {
                &mut *out
            } else {
                own[0].resize(column::words(instruction.sort, examples), 0);
                &mut own[0]
            };
            if !column::apply(instruction.op, &instruction.sorts, columns, examples, target) {
                return false;
            }
        }
        match self.plain() {
            Some(Operand::Hole(hole)) => out.copy_from_slice(holes[hole as usize]),
            Some(Operand::Leaf(leaf)) => out.copy_from_slice(&leaves[leaf as usize]),
            Some(Operand::Result(_)) | None => {}
        }
        true
    }
}

impl Leaf {
    /// The column of the leaf on these examples.
    pub fn column(self, examples: &Examples) -> Vec<u64> {
        match self {
            Leaf::Input(input) => {
                let sort = examples.input_sorts()[input as usize];
                column::pack(sort, examples.input(input as usize))
            }
            Leaf::Const(value) => column::pack(value.sort(), &vec![value.lane(); examples.len()]),
        }
    }
}

/// The values of a term without holes on all examples, a word for each; truth values are packed, 64 to a word. `None` if some
/// example has no value.
pub fn evaluate(expr: &Expr, examples: &Examples) -> Option<Vec<u64>> {
    let inputs = examples.input_sorts();
    let sort = expr.sort(&inputs, &[])?;
    let mut leaves = Vec::new();
    let code = Code::new(expr, &inputs, &[], &mut leaves);
    let leaves: Vec<Vec<u64>> = leaves.into_iter().map(|leaf| leaf.column(examples)).collect();
    let mut out = vec![0; column::words(sort, examples.len())];
    code.run(examples.len(), &leaves, &[], &mut Scratch::default(), &mut out).then_some(out)
}

/// The place of a leaf in the table.
fn leaf(leaf: Leaf, leaves: &mut Vec<Leaf>) -> Operand {
    let known = leaves.iter().position(|known| *known == leaf);
    Operand::Leaf(known.unwrap_or_else(|| {
        leaves.push(leaf);
        leaves.len() - 1
    }) as u32)
}
