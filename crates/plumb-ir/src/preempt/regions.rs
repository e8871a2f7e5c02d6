//! Sections in which control certainly is not taken away: between the beginning of an atomic section and its end, while interrupts are masked.
//!
//! A forward analysis over one function's locations. A call that may end a section somewhere below ends it here; where paths
//! meet of which one is outside, so is what follows.

use super::Preemptor;
use super::contexts::Contexts;
use crate::analysis::Analyses;
use crate::analysis::dataflow::{Direction, Problem, solve};
use crate::index::TiVec;
use crate::lower::interrupt_names::{MASK, SET_PRIMASK, SET_STATUS, UNMASK};
use crate::program::{Callee, EdgeId, FuncId, Function, Loc, Op};

/// Begins and ends sections, by name.
const BEGINS: [(Preemptor, &[&str]); 3] = [
    (Preemptor::Threads, &["__VERIFIER_atomic_begin", "__plumb_atomic_begin", "__CPROVER_atomic_begin"]),
    (Preemptor::Interrupts, &[MASK, "__builtin_avr_cli", "__plumb_atomic_begin", "__VERIFIER_atomic_begin"]),
    (Preemptor::Kernel, &["DisableAllInterrupts", "SuspendAllInterrupts", "__plumb_atomic_begin"]),
];
const ENDS: [(Preemptor, &[&str]); 3] = [
    (Preemptor::Threads, &["__VERIFIER_atomic_end", "__plumb_atomic_end", "__CPROVER_atomic_end"]),
    (
        Preemptor::Interrupts,
        &[UNMASK, SET_STATUS, SET_PRIMASK, "__builtin_avr_sei", "__plumb_atomic_end", "__VERIFIER_atomic_end"],
    ),
    (Preemptor::Kernel, &["EnableAllInterrupts", "ResumeAllInterrupts", "__plumb_atomic_end"]),
];

/// Where a location is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Nothing leads there.
    Nowhere,
    /// In a section, in which something visible may have happened.
    Inside { has_acted: bool },
    /// Perhaps outside of all sections.
    Outside,
}

pub struct Regions {
    of: TiVec<Loc, Region>,
}

impl Regions {
    /// `is_visible` tells of an edge whether others can see what it does.
    pub fn of(analyses: &Analyses, contexts: &Contexts, id: FuncId, is_visible: &dyn Fn(EdgeId) -> bool) -> Regions {
        let function = analyses.program().function(id);
        let masking = Masking { analyses, contexts, id, function, is_visible };
        Regions { of: solve(function, &masking, Direction::Forward) }
    }

    pub fn is_inside(&self, loc: Loc) -> bool {
        matches!(self.of[loc], Region::Inside { .. })
    }

    /// Whether an edge may end a section in which something has happened, or one of which that is not known.
    pub fn needs_point(&self, loc: Loc) -> bool {
        match self.of[loc] {
            Region::Nowhere => false,
            Region::Inside { has_acted } => has_acted,
            Region::Outside => true,
        }
    }
}

fn names(table: &[(Preemptor, &'static [&'static str]); 3], preemptor: Preemptor) -> &'static [&'static str] {
    table.iter().find(|(one, _)| *one == preemptor).map_or(&[], |(_, names)| names)
}

fn calls(analyses: &Analyses, id: FuncId, edge: EdgeId, names: &[&str]) -> bool {
    match &analyses.program().function(id).edge(edge).op {
        Op::Call { callee: Callee::Direct(callee), .. } => names.contains(&&*analyses.program().function(*callee).name),
        _ => false,
    }
}

/// Whether the edge is a call that ends a section.
pub fn ends_section(analyses: &Analyses, preemptor: Preemptor, id: FuncId, edge: EdgeId) -> bool {
    calls(analyses, id, edge, names(&ENDS, preemptor))
}

/// Whether the edge is a call that begins one.
pub fn begins_section(analyses: &Analyses, preemptor: Preemptor, id: FuncId, edge: EdgeId) -> bool {
    calls(analyses, id, edge, names(&BEGINS, preemptor))
}

struct Masking<'a> {
    analyses: &'a Analyses,
    contexts: &'a Contexts<'a>,
    id: FuncId,
    function: &'a Function,
    is_visible: &'a dyn Fn(EdgeId) -> bool,
}

impl Masking<'_> {
    /// Whether a call may leave the section: something that ends sections, or services of a kernel, may run in it.
    fn may_end(&self, edge: EdgeId) -> bool {
        let graph = self.analyses.resolved_calls();
        let program = self.analyses.program();
        let ends = names(&ENDS, self.contexts.preemptor);
        graph.targets(self.id, edge).any(|callee| {
            graph.reachable(callee).iter().any(|below| {
                let function = program.function(*below);
                let is_kernel = self.contexts.is_model(*below) && !function.is_library;
                is_kernel || ends.contains(&&*function.name)
            })
        })
    }
}

impl Problem for Masking<'_> {
    type Fact = Region;

    fn bottom(&self) -> Region {
        Region::Nowhere
    }

    fn boundary(&self, _: Loc) -> Region {
        Region::Outside
    }

    fn transfer(&self, edge: EdgeId, fact: &Region) -> Region {
        let preemptor = self.contexts.preemptor;
        if begins_section(self.analyses, preemptor, self.id, edge) {
            // A kernel's services that mask may be called in a section as well, and count.
            return match fact {
                Region::Inside { has_acted } => Region::Inside { has_acted: *has_acted },
                Region::Nowhere | Region::Outside => Region::Inside { has_acted: false },
            };
        }
        if ends_section(self.analyses, preemptor, self.id, edge) {
            return Region::Outside;
        }
        match (fact, &self.function.edge(edge).op) {
            (Region::Inside { .. }, Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. })
                if self.may_end(edge) =>
            {
                Region::Outside
            }
            // A function of the user's may do anything visible.
            (Region::Inside { has_acted }, Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. }) => {
                let runs_users =
                    self.analyses.resolved_calls().targets(self.id, edge).any(|id| !self.contexts.is_model(id));
                Region::Inside { has_acted: *has_acted || runs_users || (self.is_visible)(edge) }
            }
            (Region::Inside { has_acted }, _) => Region::Inside { has_acted: *has_acted || (self.is_visible)(edge) },
            (Region::Nowhere | Region::Outside, _) => *fact,
        }
    }

    fn join(&self, into: &mut Region, fact: &Region) -> bool {
        let joined = match (*into, *fact) {
            (Region::Nowhere, other) | (other, Region::Nowhere) => other,
            (Region::Inside { has_acted: a }, Region::Inside { has_acted: b }) => Region::Inside { has_acted: a || b },
            (Region::Outside, _) | (_, Region::Outside) => Region::Outside,
        };
        std::mem::replace(into, joined) != joined
    }
}
