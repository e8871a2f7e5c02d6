//! `plumb tune`: the choice of a metric for target-directed search, learned from runs.

use crate::args::{Args, TuneArgs};
use crate::load;
use crate::report::{Exit, Failure, Output};
use plumb_engine::metric_choice::evaluate::{Evaluation, Score, leave_one_out};
use plumb_engine::metric_choice::history::{self, Record};
use plumb_engine::metric_choice::model::Model;
use plumb_engine::metric_choice::tree::TreeTuning;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

pub fn tune(args: &Args, tune: &TuneArgs, out: &mut Output) -> Exit {
    match learn(args, tune, out) {
        Ok(()) => Exit::Done,
        Err(failure) => out.failure(&failure),
    }
}

#[derive(Serialize)]
struct TuneDoc {
    model: Model,
    evaluation: Evaluation,
}

fn learn(args: &Args, tune: &TuneArgs, out: &mut Output) -> Result<(), Failure> {
    let records = read(tune)?;
    let engine = engine(tune, &records)?;
    let threshold = tune.threshold.as_secs_f64();
    let tuning = TreeTuning::DEFAULT;
    let model = Model::learn(&engine, &records, threshold, &tuning).map_err(|few| {
        let message = format!(
            "{} records of {engine} differ by at least {threshold} seconds; a model needs {}",
            few.informative, few.needed
        );
        load::failure(message, "measure more programs, or lower --threshold")
    })?;
    let of_engine: Vec<&Record> = records.iter().filter(|record| record.engine == engine).collect();
    let evaluation = leave_one_out(&of_engine, threshold, &tuning);
    if let Some(path) = &tune.output {
        std::fs::write(path, model.write()).map_err(|error| {
            load::failure(format!("cannot write `{}`: {error}", path.display()), "name another file")
        })?;
    }
    if args.json {
        out.json(&TuneDoc { model, evaluation });
        return Ok(());
    }
    out.line(&format!(
        "{engine}: learned from {} of {} programs, {} leaves",
        model.trained_on.len(),
        of_engine.len(),
        model.tree.leaves()
    ));
    out.text(&model.tree.text());
    out.line("each program's metric chosen by a tree of the others:");
    for (name, score) in rows(&evaluation) {
        out.line(&format!("{name:<7} {:>6} solved {:>12.1} s", score.solved, score.seconds));
    }
    Ok(())
}

fn rows(evaluation: &Evaluation) -> Vec<(&'static str, Score)> {
    let mut rows: Vec<(&'static str, Score)> =
        evaluation.single.iter().map(|(metric, score)| (metric.name(), *score)).collect();
    rows.extend([("chosen", evaluation.chosen), ("best", evaluation.best)]);
    rows
}

/// All records of the files. A program may have one record for each engine, whichever file it is in.
fn read(tune: &TuneArgs) -> Result<Vec<Record>, Failure> {
    let mut records: Vec<Record> = Vec::new();
    for path in &tune.files {
        let new = read_one(path)?;
        let is_known = |record: &&Record| {
            records.iter().any(|known| known.program == record.program && known.engine == record.engine)
        };
        if let Some(twice) = new.iter().find(is_known) {
            let message =
                format!("`{}` has a record of `{}` that an earlier file has too", path.display(), twice.program);
            return Err(load::failure(message, "leave one of them out"));
        }
        records.extend(new);
    }
    Ok(records)
}

fn read_one(path: &Path) -> Result<Vec<Record>, Failure> {
    let shown = path.display();
    let help = "name a file with one record a line, as `plumb tune --help` describes it";
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| load::failure(format!("cannot read `{shown}`: {error}"), help))?;
    let fail = |error: history::HistoryError| {
        load::failure(format!("`{shown}`, line {}: {}", error.line, error.message), help)
    };
    history::read(&text).map_err(fail)
}

/// The engine whose runs count.
fn engine(tune: &TuneArgs, records: &[Record]) -> Result<String, Failure> {
    let engines: BTreeSet<&str> = records.iter().map(|record| record.engine.as_str()).collect();
    let names = engines.iter().copied().collect::<Vec<_>>().join(", ");
    match (&tune.engine, engines.first()) {
        (Some(name), _) if engines.contains(name.as_str()) => Ok(name.clone()),
        (Some(name), Some(_)) => {
            Err(load::failure(format!("there is no record of the engine `{name}`"), &format!("there are: {names}")))
        }
        (None, Some(only)) if engines.len() == 1 => Ok(only.to_string()),
        (None, Some(_)) => Err(load::failure(
            "the history has records of several engines".to_string(),
            &format!("choose one with --engine: {names}"),
        )),
        (_, None) => Err(load::failure("the history has no record".to_string(), "see `plumb tune --help`")),
    }
}
