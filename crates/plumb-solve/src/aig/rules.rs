//! The simplifying constructors.
//!
//! A rule either settles the gate, or replaces its operands by smaller ones. The latter repeats at most `ROUNDS` times, so
//! that the cost of a gate is bounded whatever the graph below looks like.

use super::{Aig, Gate, Kind, Lit};

const ROUNDS: usize = 8;

/// What a look at a conjunction's operands brings.
enum Step {
    Is(Lit),
    IsMux(Lit, Lit, Lit),
    Continue(Lit, Lit),
    Nothing,
}

impl Aig {
    fn and_operands(&self, lit: Lit) -> Option<(Lit, Lit)> {
        let node = &self.nodes[lit.gate().index()];
        (node.kind == Kind::And).then(|| (node.operands[0], node.operands[1]))
    }

    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        for _ in 0..ROUNDS {
            if a > b {
                (a, b) = (b, a);
            }
            if a == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            if a == Lit::TRUE || a == b {
                return b;
            }
            match self.simplify_operands(a, b) {
                Step::Is(lit) => return lit,
                Step::IsMux(c, t, e) => return self.mux(c, t, e),
                Step::Continue(x, y) => (a, b) = (x, y),
                Step::Nothing => break,
            }
        }
        if a > b {
            (a, b) = (b, a);
        }
        match (a, b) {
            (Lit::FALSE, _) => Lit::FALSE,
            (Lit::TRUE, _) => b,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => self.make(Kind::And, [a, b, Lit::FALSE]),
        }
    }

    fn simplify_operands(&self, a: Lit, b: Lit) -> Step {
        let (below_a, below_b) = (self.and_operands(a), self.and_operands(b));
        if let Some(pq) = below_a {
            let step = one_sided(a, pq, b);
            if !matches!(step, Step::Nothing) {
                return step;
            }
        }
        if let Some(rs) = below_b {
            let step = one_sided(b, rs, a);
            if !matches!(step, Step::Nothing) {
                return step;
            }
        }
        match (below_a, below_b) {
            (Some(pq), Some(rs)) => match (a.is_complement(), b.is_complement()) {
                (false, false) => both_conjunctions(a, pq, rs),
                (false, true) => conjunction_and_clause(a, pq, rs),
                (true, false) => conjunction_and_clause(b, rs, pq),
                (true, true) => both_clauses(pq, rs),
            },
            _ => Step::Nothing,
        }
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let mut negate = a.is_complement() ^ b.is_complement();
        let (mut a, mut b) = (a.positive(), b.positive());
        for _ in 0..ROUNDS {
            if a > b {
                (a, b) = (b, a);
            }
            if a == Lit::FALSE {
                return b.negate_if(negate);
            }
            if a == b {
                return Lit::FALSE.negate_if(negate);
            }
            // Operands that both sides have cancel.
            match (self.gate(a.gate()), self.gate(b.gate())) {
                (_, Gate::Xor(r, s)) if r == a => return s.negate_if(negate),
                (_, Gate::Xor(r, s)) if s == a => return r.negate_if(negate),
                (Gate::Xor(p, q), Gate::Xor(r, s)) if p == r => (a, b) = (q, s),
                (Gate::Xor(p, q), Gate::Xor(r, s)) if p == s => (a, b) = (q, r),
                (Gate::Xor(p, q), Gate::Xor(r, s)) if q == r => (a, b) = (p, s),
                (Gate::Xor(p, q), Gate::Xor(r, s)) if q == s => (a, b) = (p, r),
                // A conjunction comes after its operands.
                (_, Gate::And(r, s)) if r.positive() == a || s.positive() == a => {
                    let (same, other) = if r.positive() == a { (r, s) } else { (s, r) };
                    // x ^ (x & y) = x & !y, x ^ (!x & y) = x | y
                    let result = if same.is_complement() { self.or(a, other) } else { self.and(a, !other) };
                    return result.negate_if(negate);
                }
                _ => break,
            }
            // What is left may be complemented.
            negate ^= a.is_complement() ^ b.is_complement();
            (a, b) = (a.positive(), b.positive());
        }
        if a > b {
            (a, b) = (b, a);
        }
        match a {
            Lit::FALSE => b.negate_if(negate),
            _ if a == b => Lit::FALSE.negate_if(negate),
            _ => self.make(Kind::Xor, [a, b, Lit::FALSE]).negate_if(negate),
        }
    }

    /// `t` where `c` holds, else `e`.
    pub fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        let (c, t, e) = if c.is_complement() { (!c, e, t) } else { (c, t, e) };
        if c == Lit::FALSE {
            return e;
        }
        let (t, e) = (self.under(t, c), self.under(e, !c));
        if t == e {
            return t;
        }
        if t == !e {
            return self.iff(c, t);
        }
        match (t, e) {
            (Lit::TRUE, _) => return self.or(c, e),
            (Lit::FALSE, _) => return self.and(!c, e),
            (_, Lit::TRUE) => return self.or(!c, t),
            (_, Lit::FALSE) => return self.and(c, t),
            _ => {}
        }
        let negate = t.is_complement();
        self.make(Kind::Mux, [c, t.negate_if(negate), e.negate_if(negate)]).negate_if(negate)
    }

    /// A literal as it is where `fact` holds, as far as one look below tells.
    fn under(&self, lit: Lit, fact: Lit) -> Lit {
        if lit == fact {
            return Lit::TRUE;
        }
        if lit == !fact {
            return Lit::FALSE;
        }
        let negate = lit.is_complement();
        let result = match self.gate(lit.gate()) {
            Gate::And(p, q) if p == fact => q,
            Gate::And(p, q) if q == fact => p,
            Gate::And(p, q) if p == !fact || q == !fact => Lit::FALSE,
            Gate::Mux(p, q, _) if p == fact => q,
            Gate::Mux(p, _, r) if p == !fact => r,
            Gate::Xor(p, q) if p == fact.positive() => q.negate_if(!fact.is_complement()),
            Gate::Xor(p, q) if q == fact.positive() => p.negate_if(!fact.is_complement()),
            _ => return lit,
        };
        result.negate_if(negate)
    }

    /// Whether at least two of three hold.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        match a {
            Lit::FALSE => return self.and(b, c),
            Lit::TRUE => return self.or(b, c),
            _ => {}
        }
        // Sorted, so equal and complementary operands are neighbours.
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let negate = lits.iter().filter(|lit| lit.is_complement()).count() >= 2;
        self.make(Kind::Majority, lits.map(|lit| lit.negate_if(negate))).negate_if(negate)
    }
}

/// One operand is a conjunction `p & q` or its complement.
fn one_sided(gate: Lit, (p, q): (Lit, Lit), other: Lit) -> Step {
    if gate.is_complement() {
        if other == !p || other == !q {
            Step::Is(other)
        } else if other == p {
            Step::Continue(other, !q)
        } else if other == q {
            Step::Continue(other, !p)
        } else {
            Step::Nothing
        }
    } else if other == !p || other == !q {
        Step::Is(Lit::FALSE)
    } else if other == p || other == q {
        Step::Is(gate)
    } else {
        Step::Nothing
    }
}

/// `(p & q) & (r & s)`.
fn both_conjunctions(a: Lit, (p, q): (Lit, Lit), (r, s): (Lit, Lit)) -> Step {
    if r == !p || r == !q || s == !p || s == !q {
        Step::Is(Lit::FALSE)
    } else if r == p || r == q {
        Step::Continue(a, s)
    } else if s == p || s == q {
        Step::Continue(a, r)
    } else {
        Step::Nothing
    }
}

/// `(p & q) & !(r & s)`.
fn conjunction_and_clause(a: Lit, (p, q): (Lit, Lit), (r, s): (Lit, Lit)) -> Step {
    if r == !p || r == !q || s == !p || s == !q {
        Step::Is(a)
    } else if r == p || r == q {
        Step::Continue(a, !s)
    } else if s == p || s == q {
        Step::Continue(a, !r)
    } else {
        Step::Nothing
    }
}

/// `!(p & q) & !(r & s)`: resolution, or a multiplexer (an exclusive-or is one with complementary branches).
fn both_clauses((p, q): (Lit, Lit), (r, s): (Lit, Lit)) -> Step {
    if p == r && q == !s || p == s && q == !r {
        Step::Is(!p)
    } else if q == s && p == !r || q == r && p == !s {
        Step::Is(!q)
    } else if p == !r {
        Step::IsMux(p, !q, !s)
    } else if p == !s {
        Step::IsMux(p, !q, !r)
    } else if q == !r {
        Step::IsMux(q, !p, !s)
    } else if q == !s {
        Step::IsMux(q, !p, !r)
    } else {
        Step::Nothing
    }
}
