//! Every template: a relation that is planted among noise is found, and gone after a sample that violates it.

mod random;

use plumb_infer::{
    Arrangement, Fact, FloatFormat, Inference, Linear, Options, Point, Relation, Role, Sample, Scalar, Sort, Term,
    Value, VarId, Variable,
};
use random::{Random, int};

const X: Term = Term::Var(VarId(0));
const Y: Term = Term::Var(VarId(1));
const Z: Term = Term::Var(VarId(2));

const I32: Scalar = Scalar::Int { bits: 32, signed: true };
const U32: Scalar = Scalar::Int { bits: 32, signed: false };
const F64: Scalar = Scalar::Float(FloatFormat::F64);
const POINTER: Scalar = Scalar::Pointer { class: 0 };

/// Variables with a relation, and noise.
struct Plant {
    variables: Vec<Variable>,
    /// Values of the variables that have the relation.
    relation: fn(&mut Random) -> Vec<Value>,
    /// Values that do not.
    violation: fn(&mut Random) -> Vec<Value>,
    fact: Fact,
    options: Options,
}

const NOISE: usize = 5;

impl Plant {
    fn new(
        sorts: &[Sort],
        fact: Fact,
        relation: fn(&mut Random) -> Vec<Value>,
        violation: fn(&mut Random) -> Vec<Value>,
    ) -> Plant {
        let named = |(at, sort): (usize, &Sort)| Variable::new(&format!("v{at}"), *sort, Role::State);
        let variables = sorts.iter().enumerate().map(named).collect();
        Plant { variables, relation, violation, fact, options: Options::default() }
    }

    fn scalars(
        scalars: &[Scalar],
        fact: Fact,
        relation: fn(&mut Random) -> Vec<Value>,
        violation: fn(&mut Random) -> Vec<Value>,
    ) -> Plant {
        let sorts: Vec<Sort> = scalars.iter().map(|scalar| Sort::Scalar(*scalar)).collect();
        Plant::new(&sorts, fact, relation, violation)
    }

    fn check(&self) {
        for seed in 1..=5 {
            let mut random = Random(seed);
            let mut variables = self.variables.clone();
            variables.extend((0..NOISE).map(|i| Variable::scalar(&format!("noise{i}"), I32)));
            let point = Point::new(variables);
            let mut inference = Inference::new(point.clone(), self.options.clone());
            let mut sample = |values: fn(&mut Random) -> Vec<Value>| {
                let mut list = values(&mut random);
                list.extend((0..NOISE).map(|_| Value::Scalar(random.next() & 0xffff_ffff)));
                Sample::new(list)
            };
            for _ in 0..500 {
                let sample = sample(self.relation);
                assert!(self.fact.holds(&point, &sample), "the relation itself: {}", self.fact.text(&point));
                inference.add(&sample).unwrap();
            }
            let all = inference.all_facts();
            let text = self.fact.text(&point);
            let reported: Vec<String> = all.reported.iter().map(|l| l.fact.text(&point)).collect();
            // Reported, or implied by what is: the laws say that what is suppressed is.
            let is_known = all.reported.iter().chain(&all.suppressed).any(|l| l.fact == self.fact);
            assert!(is_known, "{text} is not among {reported:#?}");
            assert!(reported.len() < 60, "{} facts are reported: {reported:#?}", reported.len());
            let violating = sample(self.violation);
            assert!(!self.fact.holds(&point, &violating), "the violation of {text}");
            inference.add(&violating).unwrap();
            let after = inference.all_facts();
            let survives = after.reported.iter().chain(&after.suppressed).any(|l| l.fact == self.fact);
            assert!(!survives, "{text} survives its violation");
        }
    }
}

fn scalars(patterns: &[u64]) -> Vec<Value> {
    patterns.iter().map(|p| Value::Scalar(p & 0xffff_ffff)).collect()
}

fn floats(values: &[f64]) -> Vec<Value> {
    values.iter().map(|v| Value::Scalar(v.to_bits())).collect()
}

fn word(random: &mut Random) -> u64 {
    random.next() & 0xffff_ffff
}

fn linear(parts: &[(i128, Term)], constant: i128) -> Linear {
    Linear::new(parts.iter().copied(), constant).unwrap()
}

fn implies(condition: Fact, fact: Fact) -> Fact {
    Fact::Implies(Box::new(condition), Box::new(fact))
}

#[test]
fn constants() {
    Plant::scalars(&[I32], Fact::constant(X, 42), |_| scalars(&[42]), |_| scalars(&[43])).check();
    Plant::scalars(&[F64], Fact::constant(X, 0.5f64.to_bits()), |_| floats(&[0.5]), |_| floats(&[0.25])).check();
    Plant::scalars(&[F64], Fact::constant(X, 0), |_| floats(&[0.0]), |_| floats(&[-0.0])).check();
}

#[test]
fn non_zero() {
    let values = |r: &mut Random| scalars(&[r.pick(&[0xffff_fffd, 0xffff_ffff, 1, 2, 5])]);
    Plant {
        options: Options { max_values: 3, ..Options::default() },
        ..Plant::scalars(&[I32], Fact::Differs(X, 0), values, |_| scalars(&[0]))
    }
    .check();
}

#[test]
fn value_sets() {
    let fact = Fact::OneOf(X, vec![3, 17, 0xffff_ffff]);
    Plant::scalars(&[I32], fact, |r| scalars(&[r.pick(&[3, 17, 0xffff_ffff])]), |_| scalars(&[18])).check();
}

#[test]
fn ranges() {
    let values = |r: &mut Random| scalars(&[r.below(31).wrapping_sub(10)]);
    Plant::scalars(&[I32], Fact::AtLeast(X, -10), values, |_| scalars(&[(-11i64) as u64])).check();
    Plant::scalars(&[I32], Fact::AtMost(X, 20), values, |_| scalars(&[21])).check();
    let positive = |r: &mut Random| scalars(&[word(r) >> 1]);
    Plant::scalars(&[I32], Fact::AtLeast(X, 0), positive, |_| scalars(&[u64::MAX])).check();
    let cut = |r: &mut Random| scalars(&[r.below(4_000_000_000).min(1_000_000_000)]);
    Plant::scalars(&[U32], Fact::AtMost(X, 1_000_000_000), cut, |_| scalars(&[1_000_000_001])).check();
}

#[test]
fn linear_relations() {
    let two = Fact::Linear(linear(&[(3, X), (-1, Y)], -7));
    let values = |r: &mut Random| {
        let x = r.below(1000).wrapping_sub(500);
        scalars(&[x, x.wrapping_mul(3).wrapping_sub(7)])
    };
    Plant::scalars(&[I32, I32], two, values, |_| scalars(&[0, 0])).check();
    // Of different widths and signs, as numbers.
    let mixed = Fact::Linear(linear(&[(2, X), (-5, Y)], 1));
    let values = |r: &mut Random| {
        let k = r.below(20);
        vec![Value::Scalar((5 * k).wrapping_sub(3) & 0xff), Value::Scalar((2 * k).wrapping_sub(1) & 0xffff_ffff)]
    };
    Plant::scalars(&[int(8, true), I32], mixed, values, |_| scalars(&[0, 0])).check();
    let three = Fact::Linear(linear(&[(1, X), (2, Y), (-1, Z)], 4));
    let values = |r: &mut Random| {
        let (x, y) = (r.below(1000), r.below(1000));
        scalars(&[x, y, x + 2 * y + 4])
    };
    Plant::scalars(&[I32, I32, I32], three, values, |_| scalars(&[0, 0, 0])).check();
}

#[test]
fn relations_that_wrap() {
    let two = Fact::LinearModulo(linear(&[(1_103_515_245, X), (-1, Y)], 12345), 32);
    let values = |r: &mut Random| {
        let x = word(r);
        scalars(&[x, x.wrapping_mul(1_103_515_245).wrapping_add(12345)])
    };
    Plant::scalars(&[U32, U32], two, values, |_| scalars(&[0, 0])).check();
    let three = Fact::LinearModulo(linear(&[(1, X), (1, Y), (-1, Z)], 0), 32);
    let values = |r: &mut Random| {
        let (x, y) = (word(r), word(r));
        scalars(&[x, y, x.wrapping_add(y)])
    };
    Plant::scalars(&[U32, U32, U32], three, values, |_| scalars(&[0, 0, 1])).check();
}

#[test]
fn orders() {
    let less = Fact::Compare(X, Relation::Less, Y);
    let values = |r: &mut Random| {
        let x = r.below(1000).wrapping_sub(500);
        scalars(&[x, x.wrapping_add(1 + r.below(100))])
    };
    Plant::scalars(&[I32, I32], less, values, |_| scalars(&[3, 3])).check();
    let at_most = Fact::Compare(X, Relation::LessOrEqual, Y);
    let values = |r: &mut Random| {
        let x = r.below(1000);
        scalars(&[x, x + r.below(10)])
    };
    Plant::scalars(&[I32, U32], at_most, values, |_| scalars(&[4, 3])).check();
    let equal = Fact::equal(X, Y);
    let values = |r: &mut Random| {
        let x = word(r);
        scalars(&[x, x])
    };
    Plant::scalars(&[I32, I32], equal, values, |_| scalars(&[3, 4])).check();
    let differ = Fact::Compare(X, Relation::NotEqual, Y);
    let values = |r: &mut Random| {
        let x = r.below(10);
        scalars(&[x, (x + 1 + r.below(9)) % 10])
    };
    let plant = Plant::scalars(&[I32, I32], differ, values, |_| scalars(&[3, 3]));
    Plant { options: Options { disequalities: true, ..Options::default() }, ..plant }.check();
}

#[test]
fn remainders() {
    let fact = Fact::Remainder { term: X, modulus: 12, remainder: 7 };
    Plant::scalars(&[I32], fact, |r| scalars(&[(r.below(100_000) * 12).wrapping_sub(1205)]), |_| scalars(&[0])).check();
}

#[test]
fn bits() {
    let fact = Fact::Bits { term: X, mask: 0xf0f, value: 0x105 };
    Plant::scalars(&[U32], fact, |r| scalars(&[word(r) & !0xf0f | 0x105]), |_| scalars(&[0x106])).check();
    let fact = Fact::SameBits { left: X, right: Y, mask: 0xff00 };
    let values = |r: &mut Random| {
        let (x, y) = (word(r), word(r));
        scalars(&[x, y & !0xff00 | x & 0xff00])
    };
    Plant::scalars(&[U32, U32], fact, values, |_| scalars(&[0, 0x100])).check();
}

#[test]
fn values_at_the_entry() {
    let sort = Sort::Scalar(I32);
    let mut plant = Plant::new(
        &[sort, sort, sort],
        Fact::Linear(linear(&[(1, X), (-1, Y)], -1)),
        |r| {
            let old = r.below(1_000_000);
            scalars(&[old + 1, old, word(r)])
        },
        |_| scalars(&[5, 5, 5]),
    );
    plant.variables[0] = Variable { updated: true, ..Variable::new("x", sort, Role::Exit) };
    plant.variables[1] = Variable::new("\\old(x)", sort, Role::Old);
    plant.check();
    plant.fact = Fact::equal(X, Y);
    plant.relation = |r| {
        let old = word(r);
        scalars(&[old, old, word(r)])
    };
    plant.violation = |_| scalars(&[1, 2, 3]);
    plant.check();
}

#[test]
fn disjunctions_of_equalities() {
    let sort = Sort::Scalar(I32);
    let either = |more: &[Fact]| {
        let mut facts = vec![Fact::equal(X, Z), Fact::equal(Y, Z)];
        facts.extend_from_slice(more);
        facts.sort();
        Fact::Any(facts)
    };
    let mut plant = Plant::new(
        &[sort, sort, sort],
        either(&[]),
        |r| {
            let (a, b) = (word(r), word(r));
            scalars(&[a, b, r.pick(&[a, b])])
        },
        |_| scalars(&[1, 2, 3]),
    );
    plant.variables[2] = Variable::new("result", sort, Role::Result);
    plant.check();
    plant.fact = either(&[Fact::constant(Z, 77)]);
    plant.relation = |r| {
        let (a, b) = (word(r), word(r));
        scalars(&[a, b, r.pick(&[a, b, 77])])
    };
    plant.check();
    // One violation makes a constant, which is no more likely than chance.
    plant.fact = Fact::Any(vec![Fact::constant(Z, 3), Fact::equal(X, Z)]);
    plant.relation = |r| {
        let a = word(r);
        scalars(&[a, word(r), r.pick(&[a, 3])])
    };
    plant.violation = |_| scalars(&[1, 2, 4]);
    plant.check();
}

#[test]
fn facts_under_conditions() {
    // compare(a, b) of the paper: the smaller of two negative numbers, else the larger.
    let sort = Sort::Scalar(I32);
    let values = |r: &mut Random| {
        let (a, b) = (r.below(2000) as i64 - 1000, r.below(2000) as i64 - 1000);
        let result = if (a < 0) == (b < 0) && a.abs() > b.abs() || (a < 0) != (b < 0) && a > b { a } else { b };
        scalars(&[a as u64, b as u64, result as u64])
    };
    let violation = |_: &mut Random| scalars(&[7, 5, 6]);
    let flagged = |r: &mut Random| {
        let flag = r.below(2);
        scalars(&[flag, if flag == 1 { 9 } else { word(r) }])
    };
    let fact = implies(Fact::constant(X, 1), Fact::constant(Y, 9));
    Plant::scalars(&[Scalar::Bool, I32], fact, flagged, |_| scalars(&[1, 8])).check();
    let state = |r: &mut Random| {
        let (state, y) = (r.below(3), word(r));
        scalars(&[state, y, if state == 2 { y } else { word(r) }])
    };
    let fact = implies(Fact::constant(X, 2), Fact::equal(Y, Z));
    Plant::scalars(&[I32, I32, I32], fact, state, |_| scalars(&[2, 8, 9])).check();
    let mut plant = Plant::new(
        &[sort, sort, sort],
        implies(Fact::AtLeast(X, 1), Fact::Compare(Y, Relation::LessOrEqual, Z)),
        values,
        |_| scalars(&[7, 5, 4]),
    );
    plant.variables[2] = Variable::new("result", sort, Role::Result);
    plant.check();
    plant.fact = Fact::Any(vec![Fact::equal(X, Z), Fact::equal(Y, Z)]);
    plant.violation = violation;
    plant.check();
}

fn array(len: Option<u32>) -> Sort {
    Sort::Array { element: I32, len }
}

fn list(elements: Vec<u64>) -> Value {
    Value::Array(elements.into_iter().map(|e| e & 0xffff_ffff).collect())
}

#[test]
fn elements_of_arrays() {
    let a = VarId(0);
    let each = Term::Each(a);
    let zeros = |_: &mut Random| vec![list(vec![4; 5])];
    Plant::new(&[array(Some(5))], Fact::constant(each, 4), zeros, |_| vec![list(vec![4, 4, 4, 5, 4])]).check();
    let small = |r: &mut Random| vec![list((0..5).map(|_| r.below(20)).collect())];
    Plant::new(&[array(Some(5))], Fact::AtMost(each, 19), small, |_| vec![list(vec![0, 20, 1, 2, 3])]).check();
    let odd = |r: &mut Random| vec![list((0..5).map(|_| r.pick(&[0xffff_fff9, 3, 0xffff_fffc, 9, 1, 2])).collect())];
    let plant = Plant::new(&[array(Some(5))], Fact::Differs(each, 0), odd, |_| vec![list(vec![1, 2, 0, 9, 3])]);
    Plant { options: Options { max_values: 3, ..Options::default() }, ..plant }.check();
    let indexed = |_: &mut Random| vec![list((0..6).map(|i| 3 * i + 2).collect())];
    let fact = Fact::Indexed { array: a, factor: 3, offset: 2 };
    Plant::new(&[array(Some(6))], fact, indexed, |_| vec![list(vec![2, 5, 8, 11, 15, 17])]).check();
    let steps = |r: &mut Random| {
        let first = r.below(1000);
        vec![list((0..6).map(|i| first + 3 * i).collect())]
    };
    Plant::new(&[array(Some(6))], Fact::Step(a, 3), steps, |_| vec![list(vec![2, 5, 8, 11, 15, 18])]).check();
}

#[test]
fn sorted_arrays() {
    let sorted = |r: &mut Random| {
        let mut elements: Vec<u64> = (0..2 + r.below(5)).map(|_| r.below(50)).collect();
        elements.sort();
        vec![list(elements)]
    };
    let fact = Fact::Arranged(VarId(0), Arrangement::Up);
    Plant::new(&[array(None)], fact, sorted, |_| vec![list(vec![1, 2, 1])]).check();
    let falling = |r: &mut Random| {
        let mut elements: Vec<u64> = (0..4).map(|i| 1000 * i + r.below(900)).collect();
        elements.reverse();
        vec![list(elements)]
    };
    let fact = Fact::Arranged(VarId(0), Arrangement::StrictlyDown);
    Plant::new(&[array(None)], fact, falling, |_| vec![list(vec![5, 5])]).check();
}

#[test]
fn arrays_and_other_variables() {
    let (a, b) = (VarId(0), VarId(1));
    let sizes = |r: &mut Random| {
        let size = r.below(10);
        vec![list((0..size).map(|_| word(r)).collect()), Value::Scalar(size)]
    };
    let fact = Fact::equal(Term::Size(a), Y);
    Plant::new(&[array(None), Sort::Scalar(U32)], fact, sizes, |_| vec![list(vec![]), Value::Scalar(1)]).check();
    let bounded = |r: &mut Random| {
        let most = r.below(1_000_000) + 1;
        vec![list((0..4).map(|_| r.below(most)).collect()), Value::Scalar(most)]
    };
    let fact = Fact::Compare(Term::Each(a), Relation::Less, Y);
    let sorts = [array(Some(4)), Sort::Scalar(I32)];
    Plant::new(&sorts, fact, bounded, |_| vec![list(vec![1, 2, 9, 3]), Value::Scalar(9)]).check();
    let member = |r: &mut Random| {
        let elements: Vec<u64> = (0..4).map(|_| word(r)).collect();
        let one = r.pick(&elements);
        vec![list(elements), Value::Scalar(one)]
    };
    Plant::new(&sorts, Fact::Member(Y, a), member, |_| vec![list(vec![1, 2, 3, 4]), Value::Scalar(9)]).check();
    let same = |r: &mut Random| {
        let elements: Vec<u64> = (0..4).map(|_| word(r)).collect();
        vec![list(elements.clone()), list(elements)]
    };
    let sorts = [array(None), array(None)];
    let fact = Fact::Pointwise(a, Relation::Equal, b);
    Plant::new(&sorts, fact, same, |_| vec![list(vec![1, 2]), list(vec![1, 2, 3])]).check();
    let above = |r: &mut Random| {
        let elements: Vec<u64> = (0..4).map(|_| r.below(1000)).collect();
        vec![list(elements.clone()), list(elements.iter().map(|e| e + 1 + r.below(9)).collect())]
    };
    let fact = Fact::Pointwise(a, Relation::Less, b);
    Plant::new(&sorts, fact, above, |_| vec![list(vec![1, 2]), list(vec![2, 2])]).check();
}

#[test]
fn pointers() {
    fn address(random: &mut Random) -> u64 {
        0x1000 + 16 * random.below(100_000)
    }
    let one = |r: &mut Random| vec![Value::Scalar(address(r))];
    Plant::scalars(&[POINTER], Fact::Differs(X, 0), one, |_| scalars(&[0])).check();
    Plant::scalars(&[POINTER], Fact::constant(X, 0), |_| scalars(&[0]), |_| scalars(&[16])).check();
    let alias = |r: &mut Random| {
        let p = address(r);
        vec![Value::Scalar(p), Value::Scalar(p)]
    };
    Plant::scalars(&[POINTER, POINTER], Fact::equal(X, Y), alias, |_| scalars(&[16, 32])).check();
    let found = |r: &mut Random| {
        let p = address(r);
        vec![Value::Scalar(p), Value::Scalar(if r.below(3) == 0 { 0 } else { p })]
    };
    let fact = Fact::Any(vec![Fact::constant(Y, 0), Fact::equal(X, Y)]);
    Plant::scalars(&[POINTER, POINTER], fact, found, |_| scalars(&[16, 32])).check();
}

#[test]
fn floats_with_care() {
    let some = |r: &mut Random| floats(&[r.below(1000) as f64 / 7.0]);
    Plant::scalars(&[F64], Fact::NotNan(X), some, |_| floats(&[f64::NAN])).check();
    Plant::scalars(&[F64], Fact::FloatAtLeast(X, 0), some, |_| floats(&[-1.0])).check();
    let cut = |r: &mut Random| floats(&[(r.below(1000) as f64 / 7.0).min(100.0)]);
    Plant::scalars(&[F64], Fact::FloatAtMost(X, 100f64.to_bits()), cut, |_| floats(&[f64::INFINITY])).check();
    let order = |r: &mut Random| {
        let x = r.below(1000) as f64 / 7.0 - 70.0;
        floats(&[x, x + 0.25 * (1 + r.below(100)) as f64])
    };
    let less = Fact::Compare(X, Relation::Less, Y);
    Plant::scalars(&[F64, F64], less.clone(), order, |_| floats(&[0.0, -0.0])).check();
    Plant::scalars(&[F64, F64], less, order, |_| floats(&[0.0, f64::NAN])).check();
    let equal = |r: &mut Random| {
        let x = r.below(1000) as f64 / 7.0;
        floats(&[x, x])
    };
    Plant::scalars(&[F64, F64], Fact::equal(X, Y), equal, |_| floats(&[f64::NAN, f64::NAN])).check();
    // The same bits, NaNs included.
    let same = |r: &mut Random| {
        let x = if r.below(4) == 0 { f64::NAN } else { r.below(1000) as f64 };
        floats(&[x, x])
    };
    let fact = Fact::SameBits { left: X, right: Y, mask: u64::MAX };
    Plant::scalars(&[F64, F64], fact, same, |_| floats(&[0.0, -0.0])).check();
}

#[test]
fn unrelated_variables_are_left_out() {
    let sort = Sort::Scalar(I32);
    let point = Point::new(vec![
        Variable { updated: true, ..Variable::new("x", sort, Role::Exit) },
        Variable::new("\\old(x)", sort, Role::Old),
        Variable::new("\\old(y)", sort, Role::Old),
    ]);
    let mut random = Random(9);
    let samples: Vec<Sample> =
        (0..200).map(|_| random.below(1000)).map(|v| Sample::of_scalars(&[2 * v, v, v])).collect();
    let facts = |related_only: bool| {
        let mut inference = Inference::new(point.clone(), Options { related_only, ..Options::default() });
        inference.add_many(&samples).unwrap();
        inference.facts().into_iter().map(|l| l.fact).collect::<Vec<Fact>>()
    };
    assert!(facts(false).contains(&Fact::equal(Y, Z)));
    let related = facts(true);
    assert!(!related.contains(&Fact::equal(Y, Z)));
    assert!(related.contains(&Fact::Linear(linear(&[(1, X), (-2, Y)], 0))), "{related:?}");
}

#[test]
fn a_few_samples_give_candidates() {
    // The second example of the paper: one run of `compare`, then a counterexample to what was inferred from it.
    let sort = Sort::Scalar(I32);
    let point = Point::new(vec![
        Variable::new("a", sort, Role::Old),
        Variable::new("b", sort, Role::Old),
        Variable::new("ret", sort, Role::Result),
    ]);
    let options = Options { related_only: false, ..Options::everything() };
    let mut inference = Inference::new(point.clone(), options);
    let mut add = |values: [i64; 3]| {
        inference.add(&Sample::new(scalars(&values.map(|v| v as u64)))).unwrap();
        let all = inference.all_facts();
        all.reported.into_iter().chain(all.suppressed).map(|l| l.fact.text(&point)).collect::<Vec<String>>()
    };
    let has = |facts: &[String], text: &str| facts.iter().any(|fact| fact == text);
    let first = add([4, -4, 4]);
    assert!(has(&first, "b < a") && has(&first, "a == ret"), "{first:#?}");
    let second = add([-4, -6, -6]);
    assert!(has(&second, "b < a") && has(&second, "(a == ret || b == ret)"), "{second:#?}");
    assert!(!has(&second, "a == ret"));
    assert!(has(&second, "a >= 1 ==> a == ret") && has(&second, "a <= 0 ==> b == ret"), "{second:#?}");
}
