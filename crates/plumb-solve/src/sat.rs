//! CaDiCaL behind a safe face: the only place that knows the SAT solver.
//!
//! Literals are DIMACS integers in a newtype. A search ends with an answer or with the reason why it was stopped: the
//! conflict limit, the deadline or the cancellation flag. The latter two are polled through CaDiCaL's terminator, which it
//! asks every few hundred propagations, also while it simplifies.

use crate::limits::{Limits, Why};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::ops::{Deref, DerefMut, Not};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A literal of the SAT solver: a variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SatLit(i32);

impl Not for SatLit {
    type Output = SatLit;

    fn not(self) -> SatLit {
        SatLit(-self.0)
    }
}

impl SatLit {
    /// The literal itself, or its negation.
    pub fn negate_if(self, negate: bool) -> SatLit {
        if negate { !self } else { self }
    }
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    Model,
    Refutation,
    Nothing(Why),
}

/// Effort so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct SatStats {
    pub variables: usize,
    pub clauses: usize,
    pub searches: usize,
    pub conflicts: u64,
}

pub struct Sat {
    solver: Solver,
    variables: i32,
    clauses: usize,
    searches: usize,
}

/// CaDiCaL's object.
struct Solver(CaDiCal);

// SAFETY: CaDiCaL's state belongs to the solver object alone; it uses no thread-local data, and the terminator, the only
// callback connected here, is `Send`.
unsafe impl Send for Solver {}

impl Deref for Solver {
    type Target = CaDiCal;

    fn deref(&self) -> &CaDiCal {
        &self.0
    }
}

impl DerefMut for Solver {
    fn deref_mut(&mut self) -> &mut CaDiCal {
        &mut self.0
    }
}

/// Solvers with more clauses than this are taken apart in the background: for millions of them it takes seconds, in which
/// nobody should have to wait for an answer.
const MANY_CLAUSES: usize = 100_000;

impl Drop for Sat {
    fn drop(&mut self) {
        if self.clauses > MANY_CLAUSES {
            let old = std::mem::replace(&mut self.solver, Solver(CaDiCal::new()));
            // Where there can be no further thread, it is done here.
            let _ = std::thread::Builder::new().name("dispose".to_string()).spawn(move || drop(old));
        }
    }
}

/// Stops a search; remembers why.
struct Stop {
    limits: Limits,
    reason: Arc<AtomicU8>,
}

const TIME: u8 = 1;
const CANCELLED: u8 = 2;

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        let reason = match self.limits.exhausted() {
            None => return false,
            Some(Why::Cancelled) => CANCELLED,
            Some(_) => TIME,
        };
        self.reason.store(reason, Ordering::Relaxed);
        true
    }
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

impl Sat {
    pub fn new() -> Sat {
        let mut solver = CaDiCal::new();
        solver.set("quiet", 1);
        // Later clauses bring eliminated variables back: 15 times slower when unrolling, 1.4 times faster for single queries.
        solver.set("elim", 0);
        // It looks at all clauses every few conflicts, however easy the searches are: 3 times slower when unrolling.
        solver.set("inprobing", 0);
        Sat { solver: Solver(solver), variables: 0, clauses: 0, searches: 0 }
    }

    /// Sets one of CaDiCaL's own options, before anything else is done.
    pub fn set_option(&mut self, name: &str, value: i32) -> bool {
        self.solver.set(name, value)
    }

    pub fn new_variable(&mut self) -> SatLit {
        self.variables += 1;
        SatLit(self.variables)
    }

    /// Decides a variable the one way or the other, by chance but always the same.
    pub fn scatter(&mut self, lit: SatLit) {
        let variable = lit.0.abs();
        let is_true = (variable as u32).wrapping_mul(0x9e37_79b1) >> 31 == 1;
        self.solver.phase(if is_true { variable } else { -variable });
    }

    pub fn add(&mut self, clause: &[SatLit]) {
        self.clauses += 1;
        match *clause {
            [a] => self.solver.clause1(a.0),
            [a, b] => self.solver.clause2(a.0, b.0),
            [a, b, c] => self.solver.clause3(a.0, b.0, c.0),
            [a, b, c, d] => self.solver.clause4(a.0, b.0, c.0, d.0),
            _ => {
                for lit in clause {
                    self.solver.add(lit.0);
                }
                self.solver.add(0);
            }
        }
    }

    /// Searches a model of the clauses under assumptions.
    pub fn solve(&mut self, assumptions: &[SatLit], limits: &Limits) -> Found {
        if let Some(why) = limits.exhausted() {
            return Found::Nothing(why);
        }
        for lit in assumptions {
            self.solver.assume(lit.0);
        }
        if let Some(conflicts) = limits.conflicts {
            self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        let reason = Arc::new(AtomicU8::new(0));
        self.solver.connect_terminator(Stop { limits: limits.clone(), reason: reason.clone() });
        self.searches += 1;
        let status = self.solver.solve();
        self.solver.disconnect_terminator();
        match status {
            Status::SATISFIABLE => Found::Model,
            Status::UNSATISFIABLE => Found::Refutation,
            Status::UNKNOWN => Found::Nothing(match reason.load(Ordering::Relaxed) {
                CANCELLED => Why::Cancelled,
                TIME => Why::Time,
                _ => Why::Conflicts,
            }),
        }
    }

    /// The value of a literal in the model just found.
    pub fn value(&mut self, lit: SatLit) -> bool {
        // IPASIR: the literal of the variable that holds.
        self.solver.val(lit.0) == lit.0
    }

    /// Whether an assumption takes part in the refutation just found.
    pub fn failed(&mut self, lit: SatLit) -> bool {
        self.solver.failed(lit.0)
    }

    pub fn stats(&self) -> SatStats {
        SatStats {
            variables: self.variables as usize,
            clauses: self.clauses,
            searches: self.searches,
            conflicts: self.solver.get_statistic_value("conflicts").max(0) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    /// Pigeons in one hole too few: short to state, long to refute.
    fn pigeons(sat: &mut Sat, holes: usize) {
        let sits: Vec<Vec<SatLit>> = (0..=holes).map(|_| (0..holes).map(|_| sat.new_variable()).collect()).collect();
        for pigeon in &sits {
            sat.add(pigeon);
        }
        for (i, first) in sits.iter().enumerate() {
            for second in &sits[..i] {
                for (&a, &b) in first.iter().zip(second) {
                    sat.add(&[!a, !b]);
                }
            }
        }
    }

    #[test]
    fn assumptions_fail_by_name() {
        let mut sat = Sat::new();
        let [a, b, c] = [(); 3].map(|()| sat.new_variable());
        sat.add(&[!a, !b]);
        assert_eq!(sat.solve(&[a, c], &Limits::default()), Found::Model);
        assert!(sat.value(a) && sat.value(c) && !sat.value(b) && sat.value(!b) && !sat.value(!a));
        assert_eq!(sat.solve(&[a, b, c], &Limits::default()), Found::Refutation);
        assert!(sat.failed(a) && sat.failed(b) && !sat.failed(c));
        assert_eq!(sat.solve(&[a, !a], &Limits::default()), Found::Refutation);
        assert_eq!(sat.solve(&[], &Limits::default()), Found::Model);
    }

    #[test]
    fn limits_stop_the_search() {
        let mut sat = Sat::new();
        pigeons(&mut sat, 12);
        let limits = Limits { conflicts: Some(10), ..Limits::default() };
        assert_eq!(sat.solve(&[], &limits), Found::Nothing(Why::Conflicts));
        let start = Instant::now();
        let limits = Limits { deadline: Some(start + Duration::from_millis(50)), ..Limits::default() };
        assert_eq!(sat.solve(&[], &limits), Found::Nothing(Why::Time));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }

    #[test]
    fn the_flag_stops_the_search_from_another_thread() {
        let mut sat = Sat::new();
        pigeons(&mut sat, 13);
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(flag.clone()), ..Limits::default() };
        let search = std::thread::spawn(move || sat.solve(&[], &limits));
        std::thread::sleep(Duration::from_millis(50));
        let start = Instant::now();
        flag.store(true, Ordering::Relaxed);
        assert_eq!(search.join().unwrap(), Found::Nothing(Why::Cancelled));
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
}
