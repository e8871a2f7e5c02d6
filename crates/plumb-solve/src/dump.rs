//! Writes every query to a folder before it is answered, as a script that any SMT-LIB 2 solver reads.

use crate::limits::Limits;
use crate::solver::{Outcome, Solver};
use plumb_term::{Assignment, TermId, Terms, smtlib};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Where queries are written, by any number of solvers: `query-1.smt2` and so on, in a folder that exists. Copies count
/// together.
#[derive(Clone, Debug)]
pub struct QueryFolder {
    path: PathBuf,
    count: Arc<AtomicUsize>,
    failed: Arc<OnceLock<String>>,
}

impl QueryFolder {
    /// Makes the folder if it is not there. One with queries of another run is refused: nobody could tell which are whose.
    pub fn create(path: PathBuf) -> io::Result<QueryFolder> {
        std::fs::create_dir_all(&path)?;
        if path.join(file_name(1)).exists() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it has queries of an earlier run"));
        }
        Ok(QueryFolder { path, count: Arc::default(), failed: Arc::default() })
    }

    /// Why the first of the queries that could not be written was not.
    pub fn failed(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }

    fn next(&self) -> PathBuf {
        self.path.join(file_name(self.count.fetch_add(1, Ordering::Relaxed) + 1))
    }

    fn write(&self, path: &Path, script: &str) {
        if let Err(error) = std::fs::write(path, script) {
            self.failed.get_or_init(|| format!("cannot write `{}`: {error}", path.display()));
        }
    }
}

fn file_name(number: usize) -> String {
    format!("query-{number}.smt2")
}

/// A solver whose queries are written down. What cannot be written is answered all the same ([`QueryFolder::failed`]).
pub struct Dump {
    inner: Box<dyn Solver>,
    folder: QueryFolder,
    assertions: Vec<Vec<TermId>>,
}

impl Dump {
    pub fn new(inner: Box<dyn Solver>, folder: QueryFolder) -> Dump {
        Dump { inner, folder, assertions: vec![Vec::new()] }
    }
}

impl Solver for Dump {
    fn assert(&mut self, terms: &mut Terms, term: TermId) {
        if let Some(scope) = self.assertions.last_mut() {
            scope.push(term);
        }
        self.inner.assert(terms, term);
    }

    fn push(&mut self) {
        self.assertions.push(Vec::new());
        self.inner.push();
    }

    fn pop(&mut self) {
        if self.assertions.len() > 1 {
            self.assertions.pop();
        }
        self.inner.pop();
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Outcome {
        let query: Vec<TermId> = self.assertions.iter().flatten().chain(assumptions).copied().collect();
        let script = smtlib::script(terms, &query);
        let path = self.folder.next();
        self.folder.write(&path, &script);
        let outcome = self.inner.check(terms, assumptions);
        let status = match outcome {
            Outcome::Sat => "sat",
            Outcome::Unsat => "unsat",
            Outcome::Unknown(_) => "unknown",
        };
        self.folder.write(&path, &format!("(set-info :status {status})\n{script}"));
        outcome
    }

    fn model(&self) -> Option<&Assignment> {
        self.inner.model()
    }

    fn core(&self) -> &[TermId] {
        self.inner.core()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitSolver;
    use plumb_term::Sort;

    #[test]
    fn queries_are_written_with_their_answers() {
        let folder = std::env::temp_dir().join(format!("plumb-dump-{}", std::process::id()));
        let queries = QueryFolder::create(folder.clone()).unwrap();
        let mut terms = Terms::new();
        let mut solver = Dump::new(Box::new(BitSolver::new()), queries.clone());
        let (x, three) = (terms.symbol("x", Sort::Bv(8)), terms.bv(8, 3));
        let less = terms.bv_ult(x, three);
        solver.assert(&mut terms, less);
        let equal = terms.eq(x, three);
        assert_eq!(solver.check(&mut terms, &[equal]), Outcome::Unsat);
        assert_eq!(solver.core(), [equal]);
        let text = std::fs::read_to_string(folder.join("query-1.smt2")).unwrap();
        assert!(text.starts_with("(set-info :status unsat)") && text.contains("check-sat"), "{text}");
        assert!(QueryFolder::create(folder.clone()).is_err(), "it has queries");
        assert_eq!(queries.failed(), None);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(solver.check(&mut terms, &[equal]), Outcome::Unsat);
        assert!(queries.failed().is_some_and(|why| why.contains("query-2.smt2")), "it could not be written");
    }
}
