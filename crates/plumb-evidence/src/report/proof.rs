//! Why a property holds, without what only a machine can read: that is in witnesses and certificates.

use super::plural;
use plumb_answer::Proof;
use plumb_ir::program::Program;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum ProofSummary {
    /// Nothing in the program could break it: why.
    NothingToBreak { because: String },
    /// The program asks for no input.
    OnlyRun { steps: u64 },
    /// Every state that a schedule leads to was visited.
    AllStates { states: u64, steps: u64 },
    /// Every run was unrolled to its end.
    Bounded { bound: u32, steps: u64 },
    Induction {
        k: u32,
        /// Some loop was abstracted, not followed to its end.
        loops: bool,
    },
    /// A tree of abstract paths has been exhausted.
    Abstraction {
        states: u64,
        paths: u64,
        refinements: u32,
        predicates: usize,
        /// Engines whose invariants strengthened the abstraction.
        strengthened_by: Vec<String>,
        /// Whether the loops have invariants that can be written down.
        invariants: bool,
    },
    /// All states of abstract tasks under their kernel have been explored.
    Exploration {
        states: u64,
        transitions: u64,
        refinements: u32,
        /// Variables that refinements track.
        tracked: u32,
    },
    /// Functions keep contracts, and the program with the contracts in their place holds.
    Modular {
        /// The functions.
        functions: Vec<String>,
        top: Box<ProofSummary>,
    },
}

impl ProofSummary {
    pub fn of(program: &Program, proof: &Proof) -> ProofSummary {
        match proof {
            Proof::Modular { contracts, top, .. } => ProofSummary::Modular {
                functions: contracts.iter().map(|one| program.function(one.func).name.to_string()).collect(),
                top: Box::new(ProofSummary::of(program, top)),
            },
            Proof::OnlyRun { steps } => ProofSummary::OnlyRun { steps: *steps },
            Proof::AllStates { states, steps } => ProofSummary::AllStates { states: *states, steps: *steps },
            Proof::Bounded { bound, steps } => ProofSummary::Bounded { bound: *bound, steps: *steps },
            Proof::Exploration { states, transitions, refinements, tracked } => ProofSummary::Exploration {
                states: *states,
                transitions: *transitions,
                refinements: *refinements,
                tracked: *tracked,
            },
            Proof::Induction { k, invariants } => {
                ProofSummary::Induction { k: *k, loops: !invariants.loops.is_empty() }
            }
            Proof::Abstraction { tree, invariants } => ProofSummary::Abstraction {
                states: tree.states,
                paths: tree.paths,
                refinements: tree.refinements,
                predicates: tree.predicates.loops.iter().map(|l| l.facts.len()).sum(),
                strengthened_by: tree.strengthened_by.iter().map(|name| name.to_string()).collect(),
                invariants: invariants.is_some(),
            },
        }
    }
}

impl fmt::Display for ProofSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofSummary::NothingToBreak { because } => f.write_str(because),
            ProofSummary::OnlyRun { steps } => {
                write!(
                    f,
                    "the program reads no input, and its only run of {} violates no check",
                    plural(*steps, "step")
                )
            }
            ProofSummary::AllStates { states, steps } => {
                write!(f, "no schedule violates a check: all {states} states were visited, in {steps} steps")
            }
            ProofSummary::Induction { loops: false, .. } => {
                f.write_str("every run was followed to its end, and none violates a check")
            }
            ProofSummary::Induction { k: 0, .. } => f.write_str(
                "from states that satisfy the invariants of its loop, no iteration violates a check (induction)",
            ),
            ProofSummary::Induction { k, .. } => {
                let iterations = plural(*k, "iteration");
                write!(f, "no check is violated after {iterations} of a loop in which none was (k-induction)")
            }
            ProofSummary::Abstraction { states, paths, refinements, predicates, strengthened_by, invariants } => {
                write!(
                    f,
                    "no abstract path violates a check: {} at loop heads, {}, {}, {}",
                    plural(*states, "abstract state"),
                    plural(*paths, "path"),
                    plural(*refinements, "refinement"),
                    plural(*predicates, "predicate")
                )?;
                if !strengthened_by.is_empty() {
                    write!(f, ", and invariants that {} found", strengthened_by.join(" and "))?;
                }
                match invariants {
                    true => Ok(()),
                    false => f.write_str("; they cannot be written as invariants, the exhausted tree is the evidence"),
                }
            }
            ProofSummary::Exploration { states, transitions, refinements, tracked } => write!(
                f,
                "no run of the abstract tasks under the kernel violates a check: {}, {}, {}, {}; the explored states are the \
                 evidence",
                plural(*states, "state"),
                plural(*transitions, "transition"),
                plural(*refinements, "refinement"),
                plural(*tracked, "tracked variable")
            ),
            ProofSummary::Modular { functions, top } => match &functions[..] {
                [one] => write!(f, "{one} keeps its contract, and with that {top}"),
                _ => write!(f, "{} keep their contracts, and with these {top}", functions.join(", ")),
            },
            ProofSummary::Bounded { bound, steps } => write!(
                f,
                "no run exceeds the unwinding (bound {bound}, {steps} symbolic steps), and none violates a check"
            ),
        }
    }
}
