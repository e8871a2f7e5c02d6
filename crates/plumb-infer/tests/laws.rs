//! What holds of every inference.

mod random;

use plumb_infer::{Facts, FloatFormat, Inference, Likely, Options, Point, Role, Sample, Scalar, Sort, Value, Variable};
use random::Random;

fn infer(point: &Point, options: &Options, samples: &[Sample]) -> Facts {
    let mut inference = Inference::new(point.clone(), options.clone());
    inference.add_many(samples).unwrap();
    inference.all_facts()
}

fn options(round: u64) -> Options {
    let base = if round.is_multiple_of(2) { Options::everything() } else { Options::default() };
    Options {
        disequalities: round.is_multiple_of(3),
        related_only: !round.is_multiple_of(5),
        constants: if round.is_multiple_of(7) { vec![0, 1, -1, 5] } else { vec![0] },
        ..base
    }
}

fn all(facts: &Facts) -> impl Iterator<Item = &Likely> {
    facts.reported.iter().chain(&facts.suppressed)
}

#[test]
fn every_fact_holds_of_every_sample() {
    let mut random = Random(1);
    let mut found = 0;
    for round in 0..400 {
        let point = random::point(&mut random);
        let count = random.pick(&[0, 1, 2, 5, 30, 200]);
        let samples = random::samples(&mut random, &point, count);
        let facts = infer(&point, &options(round), &samples);
        for likely in all(&facts) {
            found += 1;
            for sample in &samples {
                assert!(
                    likely.fact.holds(&point, sample),
                    "{}: {likely:?}\n{sample:?}\n{point:?}",
                    likely.fact.text(&point)
                );
            }
            assert!((0.0..=1.0).contains(&likely.confidence));
        }
    }
    assert!(found > 10_000, "only {found} facts");
}

#[test]
fn facts_do_not_depend_on_the_order_or_on_how_samples_come() {
    let mut random = Random(2);
    for round in 0..300 {
        let point = random::point(&mut random);
        let count = random.pick(&[1, 3, 10, 60, 300]);
        let mut samples = random::samples(&mut random, &point, count);
        let options = options(round);
        let whole = infer(&point, &options, &samples);
        let mut inference = Inference::new(point.clone(), options.clone());
        for (at, sample) in samples.iter().enumerate() {
            inference.add(sample).unwrap();
            // Looking changes nothing; what is seen is what a fresh inference sees.
            if at % 50 == 7 {
                assert_eq!(inference.all_facts(), infer(&point, &options, &samples[..=at]));
            }
        }
        assert_eq!(inference.all_facts(), whole);
        random.shuffle(&mut samples);
        let other = infer(&point, &options, &samples);
        assert_eq!(other, whole, "{point:?}\n{samples:?}");
    }
}

#[test]
fn samples_of_one_origin_are_evidence_for_one() {
    let mut random = Random(6);
    let point =
        Point::new(vec![Variable::scalar("x", random::int(32, true)), Variable::scalar("y", random::int(32, true))]);
    let facts = |samples: &[(u64, Sample)]| {
        let mut inference = Inference::new(point.clone(), Options::default());
        for (origin, sample) in samples {
            inference.add_from(*origin, sample).unwrap();
        }
        inference.all_facts()
    };
    let tagged = |origins: u64, random: &mut Random| {
        let pair = |i: u64, x: u64| (i % origins, Sample::of_scalars(&[x, 3 * x]));
        (0..400).map(|i| pair(i, random.below(1000))).collect::<Vec<(u64, Sample)>>()
    };
    let mut many = tagged(200, &mut random);
    let before = facts(&many);
    assert!(before.reported.iter().any(|l| l.fact.text(&point) == "3 * x == y"), "{before:?}");
    random.shuffle(&mut many);
    assert_eq!(facts(&many), before);
    // Two runs, however long, determine the equation and confirm nothing.
    let few = tagged(2, &mut random);
    assert_eq!(facts(&few).reported, []);
    let violated = few.iter().chain([&(0, Sample::of_scalars(&[1, 1]))]).cloned().collect::<Vec<_>>();
    assert!(!all(&facts(&violated)).any(|l| l.fact.text(&point) == "3 * x == y"));
}

#[test]
fn samples_only_weaken_and_kill() {
    // With everything reported, what holds of more samples was implied by what held of fewer: a fact that a sample violates is
    // gone, and none appears that was violated before.
    let mut random = Random(3);
    for round in 0..100 {
        let point = random::point(&mut random);
        let samples = random::samples(&mut random, &point, 40);
        let options = Options { max_conditions: 0, ..options(2 * round) };
        let few = infer(&point, &options, &samples[..20]);
        let many = infer(&point, &options, &samples);
        for likely in all(&many) {
            assert!(samples[..20].iter().all(|sample| likely.fact.holds(&point, sample)));
        }
        for likely in all(&few).filter(|l| samples[20..].iter().any(|s| !l.fact.holds(&point, s))) {
            assert!(!all(&many).any(|other| other.fact == likely.fact), "{:?}", likely.fact);
        }
    }
}

const FLOATS: [f64; 7] = [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// All patterns of integers, and some of the others.
fn patterns(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Float(_) => FLOATS.iter().map(|value| value.to_bits()).collect(),
        Scalar::Pointer { .. } => vec![0, 0x1000, 0x2000],
        _ => (0..=scalar.mask()).collect(),
    }
}

/// All samples of a point whose variables have few bits and elements.
fn every_sample(point: &Point) -> Vec<Sample> {
    let mut all = vec![Vec::new()];
    for variable in &point.variables {
        let values: Vec<Value> = match variable.sort {
            Sort::Scalar(scalar) => patterns(scalar).into_iter().map(Value::Scalar).collect(),
            Sort::Array { element, len } => {
                let mut lists: Vec<Vec<u64>> = vec![Vec::new()];
                let longest = len.unwrap_or(2) as usize;
                let mut found = if len.is_none() { vec![Value::Array(Vec::new())] } else { Vec::new() };
                for length in 1..=longest {
                    let longer = |l: &Vec<u64>| {
                        patterns(element).into_iter().map(|e| [&l[..], &[e]].concat()).collect::<Vec<_>>()
                    };
                    lists = lists.iter().flat_map(longer).collect();
                    if len.is_none() || length == longest {
                        found.extend(lists.iter().cloned().map(Value::Array));
                    }
                }
                found
            }
        };
        all = all
            .iter()
            .flat_map(|row: &Vec<Value>| values.iter().map(|v| [&row[..], std::slice::from_ref(v)].concat()))
            .collect();
    }
    all.into_iter().map(Sample::new).collect()
}

fn small_point(random: &mut Random) -> Point {
    let kind = random.below(6);
    let scalar = |random: &mut Random| match random.below(7) {
        _ if kind == 0 => Scalar::Float(FloatFormat::F64),
        _ if kind == 1 => Scalar::Pointer { class: 0 },
        0 => Scalar::Bool,
        1 => Scalar::Int { bits: 2, signed: true },
        2 => Scalar::Int { bits: 4, signed: false },
        _ => Scalar::Int { bits: 3, signed: random.below(2) == 0 },
    };
    let mut variables = vec![];
    for name in ["x", "y", "z"] {
        variables.push(Variable::scalar(name, scalar(random)));
    }
    if random.below(3) == 0 {
        variables.truncate(1 + random.below(2) as usize);
        let element = match kind {
            0 | 1 => scalar(random),
            _ => Scalar::Int { bits: 2, signed: random.below(2) == 0 },
        };
        let len = [None, Some(2)][random.below(2) as usize];
        for name in ["a", "b"] {
            variables.push(Variable::new(name, Sort::Array { element, len }, Role::State));
        }
    }
    Point::new(variables)
}

#[test]
fn what_is_suppressed_is_implied() {
    let mut random = Random(4);
    let (mut suppressed, mut strict) = (0, 0);
    for round in 0..1000 {
        let point = small_point(&mut random);
        let universe = every_sample(&point);
        let count = random.pick(&[1, 2, 3, 6, 12]);
        let mut samples = match random.below(2) {
            0 => random::samples(&mut random, &point, count),
            _ => (0..count).map(|_| universe[random.below(universe.len() as u64) as usize].clone()).collect(),
        };
        if let Some(first) = samples.first().cloned() {
            samples.push(first);
        }
        samples.retain(|sample| universe.contains(sample));
        if samples.is_empty() {
            continue;
        }
        let facts = infer(&point, &Options { disequalities: round % 2 == 0, ..options(2 * round) }, &samples);
        let models: Vec<&Sample> =
            universe.iter().filter(|sample| facts.reported.iter().all(|l| l.fact.holds(&point, sample))).collect();
        strict += usize::from(models.len() < universe.len());
        for likely in &facts.suppressed {
            suppressed += 1;
            if let Some(sample) = models.iter().find(|sample| !likely.fact.holds(&point, sample)) {
                let reported: Vec<String> = facts.reported.iter().map(|l| l.fact.text(&point)).collect();
                panic!("{} is not implied at {sample:?} by {reported:#?}\n{point:?}", likely.fact.text(&point));
            }
        }
    }
    assert!(suppressed > 5_000 && strict > 300, "{suppressed} suppressed, {strict} with facts");
}

#[test]
fn a_sample_that_does_not_fit_changes_nothing() {
    let byte = Scalar::Int { bits: 8, signed: false };
    let point = Point::new(vec![
        Variable::scalar("x", byte),
        Variable::new("a", Sort::Array { element: byte, len: Some(2) }, Role::State),
    ]);
    let mut inference = Inference::new(point, Options::everything());
    let good = Sample::new(vec![Value::Scalar(7), Value::Array(vec![1, 2])]);
    inference.add(&good).unwrap();
    let before = inference.facts();
    for bad in [
        vec![Value::Scalar(7)],
        vec![Value::Scalar(256), Value::Array(vec![1, 2])],
        vec![Value::Scalar(7), Value::Array(vec![1])],
        vec![Value::Scalar(7), Value::Array(vec![1, 256])],
        vec![Value::Array(vec![]), Value::Array(vec![1, 2])],
    ] {
        assert!(inference.add(&Sample::new(bad)).is_err());
    }
    assert_eq!((inference.facts(), inference.samples()), (before, 1));
}

#[test]
fn few_facts_of_noise_are_reported() {
    // Of independent variables hardly any relation is likely: a hundredth of the candidates of each kind at most.
    let mut random = Random(5);
    let mut relations = 0;
    for _ in 0..100 {
        let point = Point::new((0..5).map(|i| Variable::scalar(&format!("x{i}"), random::int(16, true))).collect());
        let samples: Vec<Sample> =
            (0..50).map(|_| Sample::of_scalars(&(0..5).map(|_| random.below(1 << 16)).collect::<Vec<u64>>())).collect();
        let facts = infer(&point, &Options { max_conditions: 0, ..Options::default() }, &samples);
        relations += facts.reported.iter().filter(|l| l.fact.variables().len() > 1).count();
    }
    assert!(relations <= 5, "{relations} relations of 100 points of noise");
}
