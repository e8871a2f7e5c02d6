//! Whatever is said to follow from facts holds of every sample of which the facts hold: checked on points small enough that all
//! samples can be enumerated, with random facts.

use super::Known;
use crate::fact::{Arrangement, Fact, Linear, Relation, Term};
use crate::options::Options;
use crate::point::{FloatFormat, Point, Role, Scalar, Sort, VarId, Variable};
use crate::sample::{Sample, Value};
use crate::schema::Schema;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn between(&mut self, low: i128, high: i128) -> i128 {
        low + self.below((high - low + 1) as u64) as i128
    }
}

const FLOATS: [f64; 7] = [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
const RELATIONS: [Relation; 4] = [Relation::Equal, Relation::Less, Relation::LessOrEqual, Relation::NotEqual];
const ARRANGEMENTS: [Arrangement; 5] =
    [Arrangement::Uniform, Arrangement::StrictlyUp, Arrangement::StrictlyDown, Arrangement::Up, Arrangement::Down];

fn int(bits: u32, signed: bool) -> Scalar {
    Scalar::Int { bits, signed }
}

/// Points of integers, of floats, of pointers, and of scalars with arrays.
fn point(random: &mut Random) -> Point {
    let ints = [int(3, true), int(3, false), int(2, true), int(4, false), Scalar::Bool];
    let kind = random.below(6);
    let scalar = |random: &mut Random| match kind {
        0 => Scalar::Float(FloatFormat::F64),
        1 => Scalar::Pointer { class: 0 },
        _ => random.pick(&ints),
    };
    let element = match kind {
        0 | 1 => scalar(random),
        _ => int(2, random.below(2) == 0),
    };
    let arrays = kind < 2 && random.below(2) == 0 || kind > 3;
    let count = if arrays { 1 + random.below(2) } else { 3 };
    let mut variables: Vec<Variable> = (0..count).map(|_| Variable::scalar("x", scalar(random))).collect();
    if arrays {
        for _ in 0..random.below(2) + 1 {
            let len = random.pick(&[None, Some(2)]);
            variables.push(Variable::new("a", Sort::Array { element, len }, Role::State));
        }
    }
    Point::new(variables)
}

fn patterns(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Float(_) => FLOATS.iter().map(|value| value.to_bits()).collect(),
        Scalar::Pointer { .. } => vec![0, 0x1000, 0x2000],
        _ => (0..=scalar.mask()).collect(),
    }
}

fn values(sort: Sort) -> Vec<Value> {
    let (element, len) = match sort {
        Sort::Scalar(scalar) => return patterns(scalar).into_iter().map(Value::Scalar).collect(),
        Sort::Array { element, len } => (element, len),
    };
    let one = patterns(element);
    let two = one.iter().flat_map(|a| one.iter().map(move |b| vec![*a, *b]));
    let shorter = [vec![]].into_iter().chain(one.iter().map(|a| vec![*a])).filter(|_| len.is_none());
    shorter.chain(two).map(Value::Array).collect()
}

fn universe(point: &Point) -> Vec<Sample> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for variable in &point.variables {
        let values = values(variable.sort);
        all = all.iter().flat_map(|row| values.iter().map(|v| [&row[..], std::slice::from_ref(v)].concat())).collect();
    }
    all.into_iter().map(Sample::new).collect()
}

fn term(random: &mut Random, point: &Point) -> Term {
    let var = VarId(random.below(point.variables.len() as u64) as u32);
    match point.variable(var).sort {
        Sort::Scalar(_) => Term::Var(var),
        Sort::Array { len: None, .. } if random.below(3) == 0 => Term::Size(var),
        Sort::Array { .. } => Term::Each(var),
    }
}

fn pattern(random: &mut Random, scalar: Scalar) -> u64 {
    let list = patterns(if scalar.bits() == 64 && scalar.is_integer() { int(2, false) } else { scalar });
    random.pick(&list)
}

fn sum(random: &mut Random, point: &Point) -> Option<Linear> {
    let count = 1 + random.below(3);
    let parts: Vec<(i128, Term)> = (0..count).map(|_| (random.between(-3, 3), term(random, point))).collect();
    let fits = |term: &Term| term.scalar(point).is_some_and(Scalar::is_integer) && !matches!(term, Term::Each(_));
    if !parts.iter().all(|(_, term)| fits(term)) {
        return None;
    }
    Linear::new(parts, random.between(-4, 4))
}

fn array(random: &mut Random, point: &Point) -> Option<VarId> {
    let arrays: Vec<VarId> = point.ids().filter(|v| matches!(point.variable(*v).sort, Sort::Array { .. })).collect();
    if arrays.is_empty() { None } else { Some(random.pick(&arrays)) }
}

const KINDS: u64 = 19;

/// A fact of one of the kinds; `None` where the choice makes no sense at the point.
fn fact(random: &mut Random, point: &Point, kinds: &[u64]) -> Option<Fact> {
    let x = term(random, point);
    let scalar = x.scalar(point)?;
    let y = term(random, point);
    let other = y.scalar(point)?;
    let comparable = scalar.comparable(other);
    let is_float = matches!(scalar, Scalar::Float(_));
    Some(match random.pick(kinds) {
        0 => {
            let mut values: Vec<u64> = (0..1 + random.below(3)).map(|_| pattern(random, scalar)).collect();
            values.sort();
            values.dedup();
            Fact::OneOf(x, values)
        }
        1 if comparable => Fact::equal(x, y),
        2 if comparable => Fact::Compare(x, random.pick(&RELATIONS), y),
        3 => Fact::Linear(sum(random, point)?),
        4 => Fact::LinearModulo(sum(random, point)?, 1 + random.below(4) as u32),
        5 if scalar.is_integer() => Fact::AtLeast(x, random.between(-5, 8)),
        6 if scalar.is_integer() => Fact::AtMost(x, random.between(-5, 8)),
        5 if is_float => Fact::FloatAtLeast(x, random.pick(&FLOATS[..6]).to_bits()),
        6 if is_float => Fact::FloatAtMost(x, random.pick(&FLOATS[..6]).to_bits()),
        7 if is_float => Fact::NotNan(x),
        8 => Fact::Differs(x, pattern(random, scalar)),
        9 if scalar.is_integer() => {
            let modulus = 2 + random.below(4);
            Fact::Remainder { term: x, modulus, remainder: random.below(modulus) }
        }
        10 if scalar.is_integer() && scalar != Scalar::Bool => {
            let mask = 1 + random.below(scalar.mask().min(15));
            Fact::Bits { term: x, mask, value: random.next() & mask }
        }
        11 if scalar.is_integer() && scalar.bits() == other.bits() => {
            Fact::SameBits { left: x, right: y, mask: 1 + random.below(scalar.mask().min(15)) }
        }
        12 => Fact::Arranged(array(random, point)?, random.pick(&ARRANGEMENTS)),
        13 => Fact::Step(array(random, point)?, random.between(-2, 2)),
        14 => {
            let (factor, offset) = (random.between(-2, 2), random.between(-1, 2));
            Fact::Indexed { array: array(random, point)?, factor, offset }
        }
        15 => Fact::Pointwise(array(random, point)?, random.pick(&RELATIONS), array(random, point)?),
        16 => {
            let array = array(random, point)?;
            let fits = matches!(x, Term::Var(_)) && Term::Each(array).scalar(point)?.comparable(scalar);
            return fits.then_some(Fact::Member(x, array));
        }
        17 => Fact::Any(vec![fact(random, point, kinds)?, fact(random, point, kinds)?]),
        18 => Fact::Implies(Box::new(fact(random, point, kinds)?), Box::new(fact(random, point, kinds)?)),
        _ => return None,
    })
}

#[test]
fn what_follows_holds() {
    let mut random = Random(7);
    let (mut followed, mut nontrivial) = (0, 0);
    for _ in 0..4000 {
        let point = point(&mut random);
        let schema = Schema::new(point.clone(), Options::default());
        let mut known = Known::new(&schema);
        let mut models = universe(&point);
        let mut assumed: Vec<Fact> = Vec::new();
        // Few kinds in a round, so that facts have to do with each other.
        let kinds: Vec<u64> = (0..1 + random.below(3)).map(|_| random.below(KINDS)).filter(|k| *k < 17).collect();
        if kinds.is_empty() {
            continue;
        }
        for _ in 0..random.below(7) {
            let Some(fact) = fact(&mut random, &point, &kinds) else { continue };
            let remaining: Vec<Sample> = models.iter().filter(|s| fact.holds(&point, s)).cloned().collect();
            // Of facts that contradict each other everything follows.
            if remaining.is_empty() {
                continue;
            }
            models = remaining;
            known.assume(&fact);
            assumed.push(fact);
        }
        let all: Vec<u64> = (0..KINDS).collect();
        for round in 0..120 {
            let kinds = if round % 2 == 0 { &kinds } else { &all };
            let Some(fact) = fact(&mut random, &point, kinds) else { continue };
            if !known.implies(&fact) {
                continue;
            }
            followed += 1;
            nontrivial += usize::from(!Known::new(&schema).implies(&fact));
            let counterexample = models.iter().find(|sample| !fact.holds(&point, sample));
            assert_eq!(counterexample, None, "{fact:?} does not follow from {assumed:#?} at {point:?}");
        }
    }
    assert!(followed > 20_000 && nontrivial > 5_000, "{followed} followed, {nontrivial} of them not by themselves");
}
