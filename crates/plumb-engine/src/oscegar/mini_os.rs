//! The mini-OS (Definition 8 of the paper): is a trace of the composition executable on the tasks as they are?
//!
//! A counterexample says which block of which stack runs when. The tasks and the kernel are followed once more, symbolically and without
//! any abstraction, along just these blocks: the abstract state goes ahead and says which path was taken, and the unabstracted one
//! must be able to go it too. The trace is executable if the path condition at its end is satisfiable; otherwise the
//! first block at whose end it is not is the first non-executable transition.

use super::composition::{Composition, Failure, Job, NodeId, Trail, Workspace};
use super::tuning::TUNING;
use crate::answer::WhyUnknown;
use plumb_solve::Outcome;
use plumb_sym::{Assumed, EventLog, Input, Next, State};
use plumb_term::TermId;

/// A trace of the composition: blocks from a state on.
pub(super) struct Trace {
    pub from: NodeId,
    /// Where each block begins, and the path through it.
    pub blocks: Vec<(NodeId, Trail)>,
}

impl Trace {
    /// The trace along which a node was reached first, and a last block.
    pub fn to_alarm(composition: &Composition, from: NodeId, last: Trail) -> Trace {
        let mut trace = Trace::along(composition, &composition.path_to(from));
        trace.blocks.push((from, last));
        trace
    }

    pub fn along(composition: &Composition, transitions: &[usize]) -> Trace {
        let block = |at: &usize| {
            let transition = &composition.transitions[*at];
            (transition.from, transition.trail.clone())
        };
        Trace { from: NodeId(0), blocks: transitions.iter().map(block).collect() }
    }

    /// Its end from a block on.
    pub fn since(&self, block: usize) -> Trace {
        let from = self.blocks.get(block).map_or(self.from, |(node, _)| *node);
        Trace { from, blocks: self.blocks[block..].to_vec() }
    }

    pub fn up_to(&self, len: usize) -> Trace {
        Trace { from: self.from, blocks: self.blocks[..len].to_vec() }
    }
}

/// What comes of following a trace.
pub(super) enum Executable {
    /// With the inputs, and the condition on them under which it is.
    Yes {
        inputs: Vec<Input>,
        /// Inputs that had been asked for at the end of each block.
        asked: Vec<usize>,
        when: TermId,
    },
    /// The block at whose end no run is.
    No {
        block: usize,
    },
    Unknown(WhyUnknown),
}

impl Workspace<'_> {
    /// Whether a trace from the program's start is executable, with what goes wrong at its end.
    pub fn execute(
        &mut self,
        job: &Job,
        composition: &Composition,
        trace: &Trace,
        failure: Option<Failure>,
    ) -> Executable {
        let start = self.sym.start();
        self.execute_from(job, composition, trace, start, failure)
    }

    /// The same from some state on, which is one of the states that the trace begins in.
    pub fn execute_from(
        &mut self,
        job: &Job,
        composition: &Composition,
        trace: &Trace,
        start: State,
        failure: Option<Failure>,
    ) -> Executable {
        let mut state = start;
        let mut inputs = Vec::new();
        let mut paths = Vec::with_capacity(trace.blocks.len());
        let mut asked = Vec::with_capacity(trace.blocks.len());
        let mut last = EventLog::default();
        for (number, (node, trail)) in trace.blocks.iter().enumerate() {
            match self.follow_trail(composition.node(*node).state.clone(), trail, &mut state, &mut inputs) {
                Followed::Feasible(log) => last = log,
                Followed::Infeasible => return self.first_infeasible(job, &paths, number),
                Followed::Ambiguous => {
                    let why = "a trace of the abstract tasks cannot be followed on the tasks".to_string();
                    return Executable::Unknown(WhyUnknown::GaveUp(why));
                }
            }
            let sound = self.sym.terms.not(state.fault);
            asked.push(inputs.len());
            paths.push(self.sym.terms.and(state.path.term(), sound));
        }
        let when = match failure {
            Some(failure) => self.when(&last, failure),
            None => state.path.term(),
        };
        match self.ask(job, &[when], TUNING.trace_conflicts) {
            Outcome::Sat => Executable::Yes { inputs, asked, when },
            // What goes wrong happens in the last block, whose end is another.
            Outcome::Unsat => {
                let before = trace.blocks.len().saturating_sub(1);
                self.first_infeasible(job, &paths[..paths.len().min(before)], before)
            }
            Outcome::Unknown(why) => Executable::Unknown(why.into()),
        }
    }

    /// The condition under which this goes wrong, of what a step has noted.
    fn when(&mut self, log: &EventLog, failure: Failure) -> TermId {
        let list: Vec<TermId> = match failure {
            Failure::Check(check) => log.obligations.iter().filter(|o| o.check == check).map(|o| o.broken).collect(),
            Failure::Fault(assumed) => {
                log.faults.iter().filter(|fault| Assumed::of(fault) == assumed).map(|fault| fault.when).collect()
            }
            Failure::Gap => log.unknowns().collect(),
        };
        self.sym.terms.or_all(list)
    }

    /// The first block at whose end no run is, given the conditions at the ends of those before the last one.
    fn first_infeasible(&mut self, job: &Job, paths: &[TermId], last: usize) -> Executable {
        let (mut low, mut high) = (0, last.min(paths.len()));
        while low < high {
            let middle = (low + high) / 2;
            match self.ask(job, &[paths[middle]], TUNING.trace_conflicts) {
                Outcome::Unsat => high = middle,
                Outcome::Sat => low = middle + 1,
                Outcome::Unknown(why) => return Executable::Unknown(why.into()),
            }
        }
        Executable::No { block: if low < paths.len().min(last) { low } else { last } }
    }

    /// Lets a state take the path that an abstract one takes through a block.
    fn follow_trail(
        &mut self,
        mut ahead: State,
        trail: &Trail,
        state: &mut State,
        inputs: &mut Vec<Input>,
    ) -> Followed {
        let mut choices = trail.choices.iter();
        let mut log = EventLog::default();
        for number in 1..=trail.steps {
            let is_last = number == trail.steps;
            let mut index = None;
            let mut has_ended = false;
            match self.sym.step(&mut ahead).next {
                Next::Moved => {}
                Next::Ended => has_ended = true,
                Next::Split(states) => match choices.next().map(|choice| *choice as usize) {
                    Some(choice) if choice < states.len() => {
                        index = Some(choice);
                        ahead = states.into_iter().nth(choice).expect("there are so many");
                    }
                    // In the step of an alarm nobody has chosen yet.
                    Some(_) | None if is_last => has_ended = true,
                    Some(_) | None => return Followed::Ambiguous,
                },
            }
            let step = self.sym.step(state);
            inputs.extend(step.log.inputs.iter().cloned());
            log = step.log;
            match step.next {
                Next::Moved => {}
                Next::Ended if is_last => return Followed::Feasible(log),
                Next::Ended => return Followed::Infeasible,
                Next::Split(_) if has_ended => return Followed::Feasible(log),
                Next::Split(states) => {
                    let fits = |(_, one): &(usize, State)| is_together(one, &ahead);
                    let mut fitting: Vec<(usize, State)> = states.into_iter().enumerate().filter(fits).collect();
                    let at = match fitting.len() {
                        0 => return Followed::Infeasible,
                        1 => 0,
                        _ => match fitting.iter().position(|(number, _)| Some(*number) == index) {
                            Some(at) => at,
                            None => return Followed::Ambiguous,
                        },
                    };
                    *state = fitting.swap_remove(at).1;
                }
            }
            if !has_ended && !is_together(state, &ahead) {
                return Followed::Infeasible;
            }
        }
        Followed::Feasible(log)
    }
}

enum Followed {
    /// With what the last step has noted.
    Feasible(EventLog),
    /// No run takes this path.
    Infeasible,
    /// Which path it is cannot be decided.
    Ambiguous,
}

/// Whether two states are at the same place of the same stack.
fn is_together(a: &State, b: &State) -> bool {
    (a.func(), a.loc, a.depth(), a.current_stack()) == (b.func(), b.loc, b.depth(), b.current_stack())
}
