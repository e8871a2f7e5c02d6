//! Ways through the automaton: how a path was taken, and the same way gone again.
//!
//! A trail is the list of a path's decisions. Going along it once more, without abstraction, tells whether a run can go
//! that way; going along it with memory forgotten at the same points again gives the formulas of the pieces in between.

use plumb_ir::check::CheckId;
use plumb_ir::program::{Callee, FuncId, Loc, Op, Program};
use plumb_sym::{Assumed, EventLog, Input, Next, Path, State, Step, Sym};
use plumb_term::TermId;

/// A point at which a path was abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PointId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Where a decision, or an indirect call, has led.
    Went(FuncId, Loc),
    /// A point before the step with this number, of those since paths met.
    Point(PointId, u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrailId(u32);

/// One of the paths that have become one.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    pub trail: TrailId,
    /// Since the paths before it met, or the start.
    pub steps: u64,
    pub when: TermId,
}

enum Node {
    After(TrailId, Sign),
    /// Steps are counted from here on again.
    Meeting(Box<[Alternative]>),
}

/// All trails: a tree, but for paths that have met.
#[derive(Default)]
pub struct Trails {
    /// The number 0 is the empty trail.
    nodes: Vec<Node>,
}

/// A single way: its signs, and its steps.
pub struct Line {
    pub signs: Vec<Sign>,
    pub steps: u64,
}

impl Trails {
    pub fn add(&mut self, before: TrailId, sign: Sign) -> TrailId {
        self.push(Node::After(before, sign))
    }

    pub fn meet(&mut self, alternatives: Vec<Alternative>) -> TrailId {
        self.push(Node::Meeting(alternatives.into()))
    }

    fn push(&mut self, node: Node) -> TrailId {
        self.nodes.push(node);
        TrailId(self.nodes.len() as u32)
    }

    /// One of the ways that a trail stands for. Where paths have met, `choose` is asked for the one to take: it is told the
    /// point that comes next, if one does.
    pub fn line(
        &self,
        trail: TrailId,
        steps: u64,
        mut choose: impl FnMut(Option<PointId>, &[Alternative]) -> Option<Alternative>,
    ) -> Option<Line> {
        // The last part first, and in it the last sign.
        let mut parts: Vec<(Vec<Sign>, u64)> = vec![(Vec::new(), steps)];
        let mut next = None;
        let mut at = trail;
        while let Some(node) = (at.0 as usize).checked_sub(1).map(|i| &self.nodes[i]) {
            match node {
                Node::After(before, sign) => {
                    if let Sign::Point(point, _) = sign {
                        next = Some(*point);
                    }
                    parts.last_mut()?.0.push(*sign);
                    at = *before;
                }
                Node::Meeting(alternatives) => {
                    let chosen = choose(next, alternatives)?;
                    parts.push((Vec::new(), chosen.steps));
                    at = chosen.trail;
                }
            }
        }
        let mut line = Line { signs: Vec::new(), steps: 0 };
        for (signs, steps) in parts.into_iter().rev() {
            line.signs.extend(signs.into_iter().rev().map(|sign| match sign {
                Sign::Point(point, step) => Sign::Point(point, step + line.steps),
                Sign::Went(..) => sign,
            }));
            line.steps += steps;
        }
        Some(line)
    }
}

/// What a path may end in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Check(CheckId),
    Fault(Assumed),
    Gap,
    Doubt,
}

impl Target {
    /// When a step has met it.
    fn met(self, log: &EventLog, sym: &mut Sym) -> TermId {
        let list: Vec<TermId> = match self {
            Target::Check(check) => log.obligations.iter().filter(|o| o.check == check).map(|o| o.broken).collect(),
            Target::Fault(assumed) => {
                log.faults.iter().filter(|fault| Assumed::of(fault) == assumed).map(|fault| fault.when).collect()
            }
            Target::Gap => log.gaps.clone(),
            Target::Doubt => log.doubts.clone(),
        };
        sym.terms.or_all(list)
    }
}

/// Whether what leaves a state's location is noted in trails.
pub fn is_decision(program: &Program, state: &State) -> bool {
    let function = program.function(state.func());
    let mut edges = function.out_edges(state.loc);
    match (edges.next(), edges.next()) {
        (Some(only), None) => {
            matches!(function.edge(only).op, Op::Call { callee: Callee::Indirect(_), .. })
        }
        (Some(_), Some(_)) => true,
        (None, _) => false,
    }
}

/// A run that has faulted is over: those that go on have not.
pub fn leave_faults(sym: &mut Sym, state: &mut State) {
    if state.fault != TermId::bool(false) {
        let sound = sym.terms.not(state.fault);
        state.path.push(sound, &mut sym.terms);
        state.fault = TermId::bool(false);
    }
}

/// A way that was gone again.
pub struct Walk {
    /// Conditions of the path, each with the number of its step.
    pub conditions: Vec<(u64, TermId)>,
    /// In the order in which they were asked for.
    pub inputs: Vec<Input>,
    /// Before the last step.
    pub path: Path,
    pub end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// At the target, when this holds.
    Arrived(TermId),
    /// Constants alone lead elsewhere, at this step.
    Off(u64),
}

/// Goes along a trail for so many steps, and one more that meets the target. At points the state may be changed.
pub fn walk(
    sym: &mut Sym,
    signs: &[Sign],
    steps: u64,
    target: Target,
    at_point: &mut dyn FnMut(&mut Sym, &mut State, PointId, u64),
) -> Walk {
    let program = sym.program;
    let mut state = sym.start();
    let (mut conditions, mut inputs) = (Vec::new(), Vec::new());
    let mut signs = signs.iter().copied().peekable();
    let mut end = None;
    let mut path = state.path.clone();
    for step in 0..=steps {
        while let Some(Sign::Point(point, _)) = signs.next_if(|sign| matches!(sign, Sign::Point(_, at) if *at == step))
        {
            at_point(sym, &mut state, point, step);
        }
        let decides = is_decision(program, &state);
        path = state.path.clone();
        let len = path.len();
        let Step { next, mut log } = sym.step(&mut state);
        inputs.append(&mut log.inputs);
        if step == steps {
            end = Some(End::Arrived(target.met(&log, sym)));
            break;
        }
        let wanted = if decides { signs.next() } else { None };
        let is_wanted = |state: &State| wanted.is_none_or(|sign| sign == Sign::Went(state.func(), state.loc));
        let next = match next {
            Next::Ended => None,
            Next::Moved => is_wanted(&state).then_some(state),
            Next::Split(states) => states.into_iter().find(|one| is_wanted(one)),
        };
        let Some(next) = next else {
            end = Some(End::Off(step));
            break;
        };
        state = next;
        leave_faults(sym, &mut state);
        conditions.extend(state.path.since(len).into_iter().map(|condition| (step, condition)));
        if state.path.is_impossible() {
            end = Some(End::Off(step));
            break;
        }
    }
    Walk { conditions, inputs, path, end: end.unwrap_or(End::Off(steps)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_way_go_on_where_paths_have_met() {
        let mut trails = Trails::default();
        let went = |at: u32| Sign::Went(FuncId(0), Loc(at));
        let start = TrailId::default();
        let left = trails.add(start, went(1));
        let right = trails.add(start, went(2));
        let right = trails.add(right, Sign::Point(PointId(0), 3));
        let when = [TermId::bool(true), TermId::bool(false)];
        let both = trails.meet(vec![
            Alternative { trail: left, steps: 7, when: when[0] },
            Alternative { trail: right, steps: 5, when: when[1] },
        ]);
        let after = trails.add(both, Sign::Point(PointId(1), 2));
        let last = trails.add(after, went(3));
        let mut asked = Vec::new();
        let line = trails.line(last, 4, |next, all| {
            asked.push(next);
            all.iter().copied().find(|one| one.when == when[1])
        });
        let line = line.unwrap();
        assert_eq!(line.steps, 9);
        assert_eq!(line.signs, [went(2), Sign::Point(PointId(0), 3), Sign::Point(PointId(1), 7), went(3)]);
        assert_eq!(asked, [Some(PointId(1))]);
        assert!(trails.line(last, 4, |_, _| None).is_none());
    }
}
