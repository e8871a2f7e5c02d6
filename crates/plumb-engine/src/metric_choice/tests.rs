//! The thesis's examples of records and trees, and laws of the learner.

use super::evaluate::leave_one_out;
use super::history::{self, Record, Run, Runs, informative};
use super::model::Model;
use super::tree::{Tree, TreeTuning};
use super::*;
use plumb_exec::Rng;
use plumb_ir::analysis::features::{FEATURES, index_of};
use std::collections::BTreeMap;

fn features(values: &[(&str, f64)]) -> Features {
    let mut by_name: BTreeMap<String, f64> = FEATURES.iter().map(|row| (row.name.to_string(), 0.0)).collect();
    by_name.extend(values.iter().map(|(name, value)| (name.to_string(), *value)));
    Features::from_names(by_name).unwrap()
}

/// `None`: a time-out after 900 seconds.
fn runs(seconds: [Option<f64>; 4]) -> Runs {
    let run = |at: usize| Run { solved: seconds[at].is_some(), seconds: seconds[at].unwrap_or(900.0) };
    Runs { st: run(0), bb: run(1), lh: run(2), lf: run(3) }
}

fn record(program: &str, features: Features, runs: Runs) -> Record {
    Record { program: program.to_string(), engine: "bam".to_string(), features, runs }
}

/// Figure 4.3, with its threshold of 10 seconds.
#[test]
fn figure_4_3_records_where_the_metric_does_not_matter_are_left_out() {
    let rows = [
        (runs([Some(20.0), Some(32.0), Some(100.0), Some(24.0)]), Metric::St, 80.0),
        (runs([Some(20.0), Some(19.0), Some(15.0), Some(17.0)]), Metric::Lh, 5.0),
        (runs([None, Some(18.0), Some(20.0), Some(21.0)]), Metric::Bb, f64::INFINITY),
    ];
    for (runs, best, spread) in rows {
        assert_eq!((runs.best(), runs.spread()), (Some(best), spread));
    }
    let mut records: Vec<Record> =
        rows.iter().enumerate().map(|(at, row)| record(&format!("{at}.c"), features(&[]), row.0)).collect();
    records.push(record("failed.c", features(&[]), runs([None; 4])));
    let names: Vec<&str> = informative(&records, 10.0).iter().map(|record| record.program.as_str()).collect();
    assert_eq!(names, ["0.c", "2.c"]);
}

/// A tree like Figure 4.4's, of which the text gives the features, the values of a program and its way: left, right, right, right, left
/// to `bb`. The constants are ours.
#[test]
fn figure_4_4_a_tree_is_followed_to_its_leaf() {
    let leaf = |metric| Box::new(Tree::Leaf { metric, records: [0; 4] });
    let split = |name: &str, below, yes, no| Box::new(Tree::Split { feature: index_of(name).unwrap(), below, yes, no });
    let fifth = split("FUNCS", 900.0, leaf(Metric::Bb), leaf(Metric::Lf));
    let fourth = split("MXCC", 20.0, leaf(Metric::Lh), fifth);
    let third = split("AVLOFN", 30.0, leaf(Metric::St), fourth);
    let second = split("VARSINC", 5.0, leaf(Metric::Lf), third);
    let tree = split("FUNCS", 1000.0, second, leaf(Metric::Lf));
    let program = features(&[("FUNCS", 840.0), ("VARSINC", 11.0), ("AVLOFN", 39.0), ("MXCC", 30.0)]);
    assert_eq!(tree.choose(&program), Metric::Bb);
    assert_eq!(tree.choose(&features(&[("FUNCS", 1000.0)])), Metric::Lf);
}

/// Programs whose best metric two features decide: few functions `st`, else few loops `bb`, else `lf`.
fn planted(count: usize, noise: u64, seed: u64) -> Vec<Record> {
    let mut rng = Rng(seed);
    let mut one = |at: usize| {
        let (funcs, loops) = (rng.below(100) as f64, rng.below(50) as f64);
        let mut values: Vec<(&str, f64)> = vec![("FUNCS", funcs), ("LOOPS", loops)];
        values.extend(["LOCS", "EDGES", "VARS"].map(|name| (name, rng.below(1000) as f64)));
        let mut best = if funcs < 40.0 {
            0
        } else if loops < 20.0 {
            1
        } else {
            3
        };
        if rng.below(100) < noise {
            best = rng.below(4) as usize;
        }
        let seconds = std::array::from_fn(|metric| Some(if metric == best { 10.0 } else { 100.0 }));
        record(&format!("{at:04}.c"), features(&values), runs(seconds))
    };
    (0..count).map(&mut one).collect()
}

#[test]
fn what_decides_is_learned() {
    let records = planted(300, 0, 3);
    let model = Model::learn("bam", &records, 40.0, &TreeTuning::DEFAULT).unwrap();
    assert_eq!(model.tree.leaves(), 3, "{}", model.tree.text());
    for record in &records {
        assert_eq!(Some(model.tree.choose(&record.features)), record.runs.best());
    }
    // With noise in every fifth record the tree stays small.
    let noisy = Model::learn("bam", &planted(300, 20, 4), 40.0, &TreeTuning::DEFAULT).unwrap();
    assert!(noisy.tree.leaves() <= 8, "{}", noisy.tree.text());
}

#[test]
fn the_order_of_records_does_not_matter() {
    let mut records = planted(120, 30, 8);
    let model = Model::learn("bam", &records, 40.0, &TreeTuning::DEFAULT).unwrap();
    records.reverse();
    let mut rng = Rng(1);
    for at in (1..records.len()).rev() {
        records.swap(at, rng.below(at as u64 + 1) as usize);
    }
    assert_eq!(Model::learn("bam", &records, 40.0, &TreeTuning::DEFAULT).unwrap(), model);
}

/// Every leaf has as many records as it must, and no split could be undone without more errors.
#[test]
fn trees_keep_the_limits_of_their_tuning() {
    fn check(tree: &Tree, tuning: &TreeTuning) {
        match tree {
            Tree::Leaf { metric, records } => {
                assert!(records.iter().sum::<usize>() >= tuning.min_leaf);
                assert_eq!(records[*metric as usize], *records.iter().max().unwrap());
            }
            Tree::Split { yes, no, .. } => [yes, no].into_iter().for_each(|part| check(part, tuning)),
        }
    }
    let errors = |tree: &Tree, records: &[Record]| {
        records.iter().filter(|record| Some(tree.choose(&record.features)) != record.runs.best()).count()
    };
    for seed in 0..20 {
        let records = planted(150, 50, seed);
        let learn = |complexity| {
            let tuning = TreeTuning { complexity, ..TreeTuning::DEFAULT };
            let tree = Model::learn("bam", &records, 40.0, &tuning).unwrap().tree;
            check(&tree, &tuning);
            tree
        };
        let trees = [0.0, 0.01, 0.1, 1.0].map(learn);
        for pair in trees.windows(2) {
            assert!(pair[1].leaves() <= pair[0].leaves());
            assert!(errors(&pair[0], &records) <= errors(&pair[1], &records));
        }
        assert_eq!(trees[3].leaves(), 1);
    }
}

#[test]
fn evaluation_leaves_the_program_out() {
    let records = planted(200, 0, 5);
    let all: Vec<&Record> = records.iter().collect();
    let evaluation = leave_one_out(&all, 40.0, &TreeTuning::DEFAULT);
    assert_eq!(evaluation.best.seconds, 2000.0);
    assert!(evaluation.chosen.seconds < 1.15 * evaluation.best.seconds, "{:?}", evaluation.chosen);
    assert!(evaluation.single.iter().all(|(_, score)| score.seconds > 2.0 * evaluation.chosen.seconds));
    assert!(evaluation.single.iter().all(|(_, score)| score.solved == 200));
    // Were a program among those that its tree is learned from, chance could be learned by heart: the best metric alternates here, and all
    // features but the name are the same.
    let alternating: Vec<Record> = (0..40)
        .map(|at| {
            let seconds = std::array::from_fn(|metric| Some(if metric == at % 2 { 10.0 } else { 100.0 }));
            record(&format!("{at}.c"), features(&[("LOCS", at as f64)]), runs(seconds))
        })
        .collect();
    let tuning = TreeTuning { min_split: 2, min_leaf: 1, complexity: 0.0, ..TreeTuning::DEFAULT };
    let all: Vec<&Record> = alternating.iter().collect();
    let evaluation = leave_one_out(&all, 0.0, &tuning);
    let right =
        evaluation.choices.iter().zip(&alternating).filter(|((_, metric), one)| one.runs.best() == Some(*metric));
    assert_eq!(right.count(), 0);
}

#[test]
fn histories_and_models_are_read_as_they_are_written() {
    let records = planted(30, 0, 9);
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    let text = format!("{}\n\n", lines.join("\n"));
    assert_eq!(history::read(&text).unwrap(), records);
    let model = Model::learn("bam", &records, 40.0, &TreeTuning::DEFAULT).unwrap();
    assert_eq!(Model::read(&model.write()).unwrap(), model);
    assert_eq!(model.trained_on.len(), 30);
    let twice = format!("{}\n{}\n", lines[0], lines[0]);
    let wrong = [
        (lines[0].replace("\"lf\"", "\"lx\""), 1, "unknown field `lx`"),
        (lines[0].replace("10.0", "-10.0"), 1, "number of seconds"),
        (twice, 2, "has a record for the engine bam already"),
        (format!("{}\nnonsense\n", lines[0]), 2, "expected"),
    ];
    for (text, line, message) in wrong {
        let error = history::read(&text).unwrap_err();
        assert!(error.line == line && error.message.contains(message), "{error:?}");
    }
    assert!(Model::read(&model.write().replace("\"format\": 1", "\"format\": 2")).unwrap_err().contains("format 2"));
    assert!(Model::read(&model.write().replace("FUNCS", "FUNKS")).is_err());
    let few = Model::learn("bam", &records[..5], 40.0, &TreeTuning::DEFAULT).unwrap_err();
    assert_eq!((few.informative, few.needed), (5, 20));
    assert_eq!(Model::learn("la", &records, 40.0, &TreeTuning::DEFAULT).unwrap_err().informative, 0);
}

#[test]
fn shipped_models_can_be_read_and_others_have_a_default() {
    for (engine, text) in SHIPPED {
        let model = Model::read(text).unwrap();
        assert_eq!(model.engine, engine);
        assert!(!model.trained_on.is_empty());
    }
    let nothing = features(&[]);
    let default = Choice { metric: Metric::Bb, basis: Basis::BestSingleMetric };
    assert_eq!(choose("no such engine", &nothing), default);
}
