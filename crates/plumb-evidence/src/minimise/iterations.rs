//! The main loop of a run: the outermost loop whose iterations read the inputs.
//!
//! A run with a probe at every loop head of the user's functions tells how many inputs lie between the first and the last
//! time each head is met. Of the loops that span almost as many inputs as any, the main loop is the one with the fewest
//! calls around it, and the outermost of those in one function.

use crate::replay::{Clock, NotReplayed, Tape, compile};
use plumb_answer::Budget;
use plumb_exec::{CompileOptions, InputValue, Machine, Outcome, ProbeId, StopSet};
use plumb_ir::analysis::loops::Loops;
use plumb_ir::index::TiVec;
use plumb_ir::input::InputId;
use plumb_ir::program::{FuncId, Loc, Program};

/// The head of a loop, with its depth in its function.
#[derive(Clone, Copy)]
struct Head {
    func: FuncId,
    loc: Loc,
    nesting: u32,
}

#[derive(Clone, Copy, Default)]
struct LoopVisits {
    times: u64,
    /// Inputs read before the first and the last meeting.
    first: usize,
    last: usize,
    /// Calls in progress.
    calls: usize,
}

/// Where a new iteration of the main loop begins; `None` if no loop reads inputs again and again.
pub(crate) fn main_loop(
    program: &Program,
    inputs: &[(InputId, InputValue)],
    budget: &Budget,
) -> Result<Option<(FuncId, Loc)>, NotReplayed> {
    let mut heads: TiVec<ProbeId, Head> = TiVec::new();
    for func in program.function_ids() {
        let function = program.function(func);
        if function.is_library {
            continue;
        }
        heads.extend(Loops::of(function).loops.iter().map(|l| Head { func, loc: l.head, nesting: l.depth }));
    }
    if heads.is_empty() || inputs.is_empty() {
        return Ok(None);
    }
    let probes = heads.iter().map(|h| (h.func, h.loc)).collect();
    let image = compile(program, &CompileOptions { probes, ..CompileOptions::default() })?;
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let mut tape = Tape::new(inputs);
    let mut met: TiVec<ProbeId, LoopVisits> = vec![LoopVisits::default(); heads.len()].into();
    let mut clock = Clock::new(budget);
    // What was met before the time was over is better than nothing.
    while let Some(Outcome::Probe(id)) = clock.run(&mut machine, &mut tape, &stops, &mut |_| {}) {
        let calls = machine.call_stack().count();
        let Some(met) = met.get_mut(id) else { break };
        if met.times == 0 {
            *met = LoopVisits { times: 0, first: tape.used(), last: 0, calls };
        }
        met.times += 1;
        met.last = tape.used();
        met.calls = met.calls.min(calls);
    }
    let spanned = |m: &LoopVisits| if m.times >= 2 { m.last - m.first } else { 0 };
    let most = met.iter().map(spanned).max().unwrap_or(0);
    if most == 0 {
        return Ok(None);
    }
    let candidates = heads.iter().zip(&met).filter(|(_, m)| spanned(m) * 10 >= most * 8 && spanned(m) > 0);
    let main = candidates.min_by_key(|(h, m)| (m.calls, h.func, h.nesting, std::cmp::Reverse(spanned(m)), h.loc));
    Ok(main.map(|(h, _)| (h.func, h.loc)))
}
