//! Names do not count: a state under other names takes the same steps, and states with the same canonical form have the same
//! future.
//!
//! Random ways are taken through random programs. Now and then the state is copied under fresh names: renaming it back gives
//! the state itself, both have the same canonical form, and a step of the one is a step of the other. States of one way that
//! have the same form are followed side by side.

use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use plumb_sym::{Canonical, EventLog, Next, Path, Renaming, State, Sym};
use plumb_term::{ArrayValue, Assignment, BitVec, Evaluator, Sort, TermId, Value};
use std::collections::HashMap;

/// Blocks that are entered again and again, with other objects and activations but the same in all that counts.
pub const REPEATED: &str = r#"
extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void free(void *); extern void abort(void);
extern void __CPROVER_assert(_Bool, const char *);
struct N { int v; struct N *next; };
int total; int *kept;
static int work(int *p, struct N *n, int k) {
    int i, s = 0, own[4]; kept = &own[k];
    for (i = 0; i < 3; i++) {
        own[i] = *p;
        if (*p > k) { s += n->v; *p -= 1; } else { s ^= n->next->v; kept = p; }
        __CPROVER_assert(s != 77, "sum");
        if (kept == n) s++;
    }
    s = s / (*p + own[k & 3]);
    kept = 0;
    return s;
}
static int peek(struct N *n, int k) { return k ? n->v : 0; }
static int twice(int *p, struct N *n) { return work(p, n, 2) + work(p, n->next, 2); }
static void outer(void) {
    int x = __VERIFIER_nondet_int(); struct N a, b; a.v = __VERIFIER_nondet_int(); b.v = __VERIFIER_nondet_int();
    a.next = &b; b.next = &a;
    struct N *h = malloc(sizeof *h); h->v = __VERIFIER_nondet_int(); h->next = &a;
    twice(&x, &b); twice(&h->v, h); peek(h, 1); if (x > 3) free(h); peek(h, 1);
}
static void deeper(int n) { int pad[5]; pad[n] = n; outer(); }
int main(void) { for (int i = 0; i < 8; i++) if (i & 1) outer(); else deeper(i & 3); return 0; }
"#;

/// Steps for which two states with the same form are followed.
const FUTURE: usize = 40;

#[derive(Default, Debug)]
pub struct Tally {
    pub copies: u64,
    pub steps: u64,
    pub joins: u64,
    /// Obligations, faults and gaps that were compared under values.
    pub compared: u64,
    /// States of one way with equal forms.
    pub equal: u64,
    pub followed: u64,
    /// States that differ in names alone and have other forms: operands are ordered by age.
    pub reordered: u64,
    pub forms: u64,
}

fn random_value(sort: Sort, rng: &mut Rng) -> Value {
    let bits = |width: u32, rng: &mut Rng| {
        let value = (rng.next() as u128) << 64 | rng.next() as u128;
        // Small numbers meet more often.
        BitVec::new(width, if rng.below(2) == 0 { value % 8 } else { value })
    };
    match sort {
        Sort::Bool => Value::Bool(rng.below(2) == 0),
        Sort::Bv(width) => Value::Bv(bits(width, rng)),
        Sort::Float(format) => Value::Float(format, bits(format.width(), rng)),
        Sort::Array { index, element } => Value::Array(ArrayValue::new(index, bits(element, rng))),
    }
}

/// Random values for the symbols of one state, and the same ones for those of another.
fn values(sym: &Sym, renaming: &Renaming, rng: &mut Rng) -> (Assignment, Assignment) {
    let (mut first, mut second) = (Assignment::new(), Assignment::new());
    let mut pairs: Vec<(TermId, TermId)> = renaming.symbols().collect();
    pairs.sort_unstable();
    for (from, to) in pairs {
        let (Some(x), Some(y)) = (sym.terms.as_symbol(from), sym.terms.as_symbol(to)) else { continue };
        let value = random_value(sym.terms.symbol_sort(x), rng);
        first.set(x, value.clone());
        second.set(y, value);
    }
    (first, second)
}

/// What happened, as checks or kinds with conditions.
fn events(log: &EventLog) -> Vec<(String, TermId)> {
    let obligations = log.obligations.iter().map(|o| (format!("check {:?}", o.check), o.broken));
    let faults = log.faults.iter().map(|f| (format!("{:?} {:?}", f.kind, f.site), f.when));
    let gaps = log.gaps.iter().map(|gap| ("gap".to_string(), *gap));
    let doubts = log.doubts.iter().map(|doubt| ("doubt".to_string(), *doubt));
    obligations.chain(faults).chain(gaps).chain(doubts).collect()
}

/// Whether the same happened in two steps, under the same values.
fn compare_events(
    sym: &Sym,
    logs: [&EventLog; 2],
    renaming: &Renaming,
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let [first, second] = logs.map(events);
    let names = |list: &[(String, TermId)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if names(&first) != names(&second) || logs[0].inputs.len() != logs[1].inputs.len() {
        return Err(format!("{:?}\nhappens in one state, in the other\n{:?}", names(&first), names(&second)));
    }
    for _ in 0..3 {
        let (x, y) = values(sym, renaming, rng);
        let (mut x, mut y) = (Evaluator::new(&x), Evaluator::new(&y));
        for ((name, a), (_, b)) in first.iter().zip(&second) {
            tally.compared += 1;
            if x.holds(&sym.terms, *a) != y.holds(&sym.terms, *b) {
                return Err(format!("{name} under values of one state but not of the other"));
            }
        }
    }
    Ok(())
}

/// Takes both states over one step. The states that follow, in pairs.
fn step_both(
    sym: &mut Sym,
    mut a: State,
    mut b: State,
    renaming: &Renaming,
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<Vec<(State, State)>, String> {
    let (first, second) = (sym.step(&mut a), sym.step(&mut b));
    compare_events(sym, [&first.log, &second.log], renaming, rng, tally)?;
    match (first.next, second.next) {
        (Next::Moved, Next::Moved) => Ok(vec![(a, b)]),
        (Next::Ended, Next::Ended) => Ok(Vec::new()),
        (Next::Split(a), Next::Split(b)) if a.len() == b.len() => Ok(a.into_iter().zip(b).collect()),
        (a, b) => Err(format!("one state goes on as {a:?}\nthe other as {b:?}")),
    }
}

fn is_identity(renaming: &Renaming, state: &State) -> bool {
    renaming.symbols().all(|(from, to)| from == to) && state.objects().all(|(id, _)| renaming.object(id) == id)
}

/// A copy under fresh names is the same state.
fn check_copy(
    sym: &mut Sym,
    analyses: &Analyses,
    state: &State,
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    tally.copies += 1;
    tally.forms += 2;
    let (copy, renaming) = sym.fresh_copy(analyses, state);
    if !renaming.is_bijection() {
        return Err("a renaming is no bijection".to_string());
    }
    let own = sym.canonical(analyses, state, state.depth());
    let back = sym.rename(&copy, &renaming.inverse());
    let returned = sym.canonical(analyses, &back, state.depth());
    match own.renaming_to(&returned) {
        Some(identity) if is_identity(&identity, state) => {}
        Some(_) => return Err("a state that was renamed and renamed back has other names".to_string()),
        None => tally.reordered += 1,
    }
    let other = sym.canonical(analyses, &copy, copy.depth());
    tally.reordered += own.renaming_to(&other).is_none() as u64;
    let pairs = step_both(sym, state.clone(), copy, &renaming, rng, tally)?;
    tally.steps += 1;
    for (a, b) in &pairs {
        let (x, y) = (sym.canonical(analyses, a, a.depth()), sym.canonical(analyses, b, b.depth()));
        tally.forms += 1;
        tally.reordered += (x.form != y.form) as u64;
    }
    // Both ways of a decision meet again where they came from.
    if let [(a, x), (b, y)] = &pairs[..]
        && at(a, a.loc).is_at_same_places(&at(b, a.loc))
    {
        let live = &analyses.shape(a.func()).live;
        let at = |state: &State| at(state, a.loc);
        let (joined, _) = sym.join(at(a), at(b), live);
        let (other, _) = sym.join(at(x), at(y), live);
        tally.joins += 1;
        let (x, y) = (sym.canonical(analyses, &joined, 1), sym.canonical(analyses, &other, 1));
        tally.forms += 1;
        tally.reordered += (x.form != y.form) as u64;
    }
    Ok(())
}

fn at(state: &State, loc: plumb_ir::program::Loc) -> State {
    let mut moved = state.clone();
    moved.loc = loc;
    moved
}

/// Two states with the same form take the same steps until the lowest of their common frames returns.
fn check_future(
    sym: &mut Sym,
    analyses: &Analyses,
    [a, b]: [&(State, Canonical); 2],
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(renaming) = a.1.renaming_to(&b.1) else { return Err("equal forms without a renaming".to_string()) };
    tally.equal += 1;
    let depths = (a.0.depth(), b.0.depth());
    let stack = a.0.current_stack();
    let (mut a, mut b) = (a.0.clone(), b.0.clone());
    for _ in 0..FUTURE {
        let mut pairs = step_both(sym, a, b, &renaming, rng, tally)?;
        pairs.retain(|(a, b)| a.depth() >= depths.0 && b.depth() >= depths.1);
        // Another stack's frames are counted elsewhere.
        pairs.retain(|(a, b)| a.current_stack() == stack && b.current_stack() == stack);
        if pairs.is_empty() {
            return Ok(());
        }
        (a, b) = pairs.swap_remove(rng.below(pairs.len() as u64) as usize);
        tally.followed += 1;
        let frames = a.depth() - depths.0 + 1;
        if frames != b.depth() - depths.1 + 1 || a.loc != b.loc {
            return Err("states with equal forms are at different places".to_string());
        }
        let (x, y) = (sym.canonical(analyses, &a, frames), sym.canonical(analyses, &b, frames));
        tally.forms += 1;
        tally.reordered += (x.form != y.form) as u64;
    }
    Ok(())
}

/// Takes a random way of at most so many steps.
pub fn check(analyses: &Analyses, seed: u64, steps: usize, tally: &mut Tally) -> Result<(), String> {
    let mut rng = Rng(seed);
    let mut sym = Sym::new(analyses.program());
    let mut state = sym.start();
    let mut known: HashMap<plumb_sym::CanonicalForm, (State, Canonical)> = HashMap::new();
    for _ in 0..steps {
        let depth = state.depth();
        let next = sym.step(&mut state).next;
        match next {
            Next::Ended => break,
            Next::Moved => {}
            Next::Split(mut ways) => {
                if ways.is_empty() {
                    break;
                }
                state = ways.swap_remove(rng.below(ways.len() as u64) as usize);
            }
        }
        if state.depth() > depth {
            // What a block does with what it is given does not depend on how that came about.
            let mut entry = state.clone();
            if rng.below(2) == 0 {
                (entry.path, entry.fault) = (Path::default(), TermId::bool(false));
            }
            let form = sym.canonical(analyses, &entry, 1);
            let entry = (entry, form);
            if let Some(before) = known.get(&entry.1.form) {
                check_future(&mut sym, analyses, [before, &entry], &mut rng, tally)?;
            }
            known.insert(entry.1.form.clone(), entry);
        }
        if rng.below(40) == 0 {
            check_copy(&mut sym, analyses, &state, &mut rng, tally)?;
        }
    }
    Ok(())
}
