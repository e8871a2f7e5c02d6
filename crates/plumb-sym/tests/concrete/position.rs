//! Laws of positions, on random paths through random programs.
//!
//! A position is brought up to date step by step; here it is computed anew from the whole history of each frame, and the two are
//! compared after every step.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::program::Loc;
use plumb_sym::{Counting, Next, Position, State, Sym};
use std::collections::BTreeMap;

const COUNTING: Counting =
    Counting { free_iterations: 50, free_symbolic_iterations: 7, free_conditions: 20, free_calls: 5 };

/// A visit of a location by a frame.
struct Visit {
    loc: Loc,
    /// By a step of the frame itself, not by its being called.
    is_own: bool,
}

/// How often the heads of the loops around the last location were met since they were entered.
fn iterations(analyses: &Analyses, state: &State, history: &[Visit]) -> Vec<(LoopId, u32)> {
    let shape = analyses.shape(state.func());
    let of_loop = |id: &LoopId| {
        let inside = history.iter().rev().take_while(|visit| shape.around(visit.loc).contains(id));
        let inside: Vec<&Visit> = inside.collect();
        // The first visit is the entry.
        let later = &inside[..inside.len() - 1];
        let met = later.iter().filter(|visit| visit.is_own && visit.loc == shape.head(*id)).count();
        (*id, met as u32)
    };
    shape.around(state.loc).iter().map(of_loop).collect()
}

/// Follows a random path; the number of steps, and of loop iterations on the way.
pub fn follow(analyses: &Analyses, mut random: impl FnMut(usize) -> usize, steps: usize) -> (usize, u64) {
    let mut sym = Sym::new(analyses.program());
    let mut state = sym.start();
    let mut position: Position<()> = Position::start(&state);
    // By stack.
    let mut all = BTreeMap::from([(0, vec![vec![Visit { loc: state.loc, is_own: false }]])]);
    let mut iterated = 0;
    for step in 0..steps {
        let (conditions, stopped) = (state.path.len(), state.current_stack());
        let by_constants = match sym.step(&mut state).next {
            Next::Ended => return (step, iterated),
            Next::Moved => state.path.len() == conditions,
            Next::Split(mut states) => {
                if states.is_empty() {
                    return (step, iterated);
                }
                state = states.swap_remove(random(states.len()));
                false
            }
        };
        let before = position.clone();
        let shape = analyses.shape(state.func());
        let movement = position.advance(&state, shape, by_constants, sym.terms.len(), &COUNTING);
        let has_switched = state.current_stack() != stopped;
        if !state.has_stack(stopped) {
            all.remove(&stopped);
        }
        let histories: &mut Vec<Vec<Visit>> = all.entry(state.current_stack()).or_default();
        let has_called = state.depth() > histories.len();
        histories.truncate(state.depth());
        if has_called {
            histories.push(Vec::new());
        }
        let history = histories.last_mut().expect("a state has a frame");
        history.push(Visit { loc: state.loc, is_own: !has_called });
        let found: Vec<(LoopId, u32)> = position.loops().iter().map(|one| (one.id, one.iterations)).collect();
        assert_eq!(found, iterations(analyses, &state, history), "loops and iterations are those of the history");
        assert_eq!(movement.has_called, has_called);
        assert_eq!(position.depth(), state.depth());
        // Every loop of before is there still, or was left.
        let count = before.all_loops().count() + movement.entered.len();
        if !has_switched {
            assert_eq!(count, position.all_loops().count() + movement.left.len(), "loops come and go one by one");
            assert_eq!(movement.is_plain(), is_same_nest(&before, &position), "a plain movement changes no loop");
        }
        for one in position.all_loops() {
            assert!(one.counted <= one.iterations, "what counts has happened");
            let least = one.iterations / COUNTING.free_iterations;
            assert!(one.counted >= least, "every path is finite under every bound");
        }
        let mut joined = position.clone();
        joined.join(&position);
        assert_eq!(joined, position, "joining with itself changes nothing");
        iterated += u64::from(movement.iterated.is_some());
    }
    (steps, iterated)
}

fn is_same_nest(a: &Position<()>, b: &Position<()>) -> bool {
    let nest = |p: &Position<()>| p.all_loops().map(|one| (one.id, one.iterations)).collect::<Vec<_>>();
    // To return from a function without loops is plain; to call one is not.
    a.depth() >= b.depth() && nest(a) == nest(b)
}
