//! What the edges of a loop assign: the first guess at what its iterations modify.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::VarRef;
use plumb_ir::ty::Ty;
use plumb_sym::Changes;

/// The registers other than pointers that the loop's own edges assign.
pub fn assigned_registers(analyses: &Analyses, key: LoopKey) -> Changes {
    let program = analyses.program();
    let function = program.function(key.0);
    let body = &analyses.shape(key.0).loops.get(key.1).body;
    let mut changes = Changes::default();
    for edge in body.iter().flat_map(|loc| function.out_edges(*loc)).map(|edge| function.edge(edge)) {
        if let Some(var) = edge.op.written() {
            let ty = match var {
                VarRef::Global(var) => program.var(var).ty,
                VarRef::Local(var) => function.var(var).ty,
            };
            if ty != Ty::Ptr {
                changes.registers.entry(var).or_default();
            }
        }
    }
    changes
}
