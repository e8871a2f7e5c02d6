//! Which solver answers somebody's questions, chosen once for all of them.

use crate::bit_solver::BitSolver;
use crate::dump::{Dump, QueryFolder};
use crate::process::{ProcessSolver, Program};
use crate::solver::Solver;
use std::path::PathBuf;

/// The default is this crate's own solver, whose queries nobody writes down.
#[derive(Clone, Debug, Default)]
pub struct SolverChoice {
    external: Option<(Program, PathBuf)>,
    queries: Option<QueryFolder>,
}

impl SolverChoice {
    /// Another program, if it is on the search path.
    pub fn external(program: Program) -> Option<SolverChoice> {
        Some(SolverChoice { external: Some((program, program.find()?)), queries: None })
    }

    /// Every query is written to a folder.
    pub fn with_queries(self, folder: QueryFolder) -> SolverChoice {
        SolverChoice { queries: Some(folder), ..self }
    }

    /// Why the first of the queries that could not be written was not.
    pub fn unwritten(&self) -> Option<&str> {
        self.queries.as_ref()?.failed()
    }

    /// A solver without assertions.
    pub fn solver(&self) -> Box<dyn Solver> {
        let solver: Box<dyn Solver> = match &self.external {
            Some((program, path)) => Box::new(ProcessSolver::at(*program, path.clone())),
            None => Box::new(BitSolver::new()),
        };
        match &self.queries {
            Some(folder) => Box::new(Dump::new(solver, folder.clone())),
            None => solver,
        }
    }
}
