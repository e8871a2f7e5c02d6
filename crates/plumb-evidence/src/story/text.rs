//! The story as text.

use super::fold::{Block, fold};
use super::{Change, Counterexample, Decision, Input, Iteration, Style};
use crate::report::{NamedValue, plural};
use plumb_ir::check::CheckKind;
use std::fmt::Write;

/// Blocks of iterations shown at the end when the story is short.
const LAST_BLOCKS: usize = 3;
/// Blocks before them that are shown too, because a mode changes in them.
const MODE_BLOCKS: usize = 6;
/// Inputs, decisions and changes of one iteration shown when the story is short.
const FEW: usize = 8;

struct Paint {
    color: bool,
}

impl Paint {
    fn wrap(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    fn bold(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn red(&self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    fn cyan(&self, text: &str) -> String {
        self.wrap("36", text)
    }

    fn dim(&self, text: &str) -> String {
        self.wrap("2", text)
    }
}

pub(super) fn text(story: &Counterexample, style: Style) -> String {
    let paint = Paint { color: style.color };
    let mut out = String::new();
    summary(&mut out, story, &paint);
    if let Some(timeline) = &story.timeline {
        let _ = writeln!(out, "{}", paint.bold("the tasks"));
        out += &timeline.text(style.full);
        out.push('\n');
    }
    let blocks = fold(&story.iterations);
    let limit = if style.full { usize::MAX } else { FEW };
    // What comes before the loop is no iteration of it.
    let mut printed = usize::from(story.main.is_some());
    for block in blocks
        .iter()
        .zip(printed_blocks(&blocks, story, style))
        .filter_map(|(block, is_printed)| is_printed.then_some(block))
    {
        left_out(&mut out, printed..block.iterations.start, &paint);
        self::block(&mut out, story, block, limit, &paint);
        printed = block.repeated.end;
    }
    ending(&mut out, story, &paint);
    out
}

/// Which blocks are printed: all, or the last ones and those before in which a mode changes.
fn printed_blocks(blocks: &[Block], story: &Counterexample, style: Style) -> Vec<bool> {
    let last = blocks.len().saturating_sub(LAST_BLOCKS);
    let changes_mode =
        |block: &Block| story.iterations[block.iterations.clone()].iter().any(|t| t.changes.iter().any(is_mode));
    let modes: Vec<usize> = (0..last).filter(|&i| changes_mode(&blocks[i])).collect();
    let modes = &modes[modes.len().saturating_sub(MODE_BLOCKS)..];
    (0..blocks.len()).map(|i| style.full || i >= last || modes.contains(&i)).collect()
}

/// Enumerators and truth values are what programs keep their modes in; they are written as words.
fn is_mode(change: &Change) -> bool {
    change.after.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn left_out(out: &mut String, iterations: std::ops::Range<usize>, paint: &Paint) {
    if !iterations.is_empty() {
        let _ =
            writeln!(out, "{}", paint.dim(&format!("  ... {} left out here", plural(iterations.len(), "iteration"))));
    }
}

fn summary(out: &mut String, story: &Counterexample, paint: &Paint) {
    let _ = writeln!(
        out,
        "{} {}",
        paint.red("violated:"),
        paint.bold(&format!("{}: {}", story.check.kind.name(), story.check.message))
    );
    if let Some(place) = &story.check.place {
        let inside = story.ending.inside.as_ref().map_or(String::new(), |name| format!(", inside {name}"));
        let _ = writeln!(out, "  at {place}, in {}{inside}", story.ending.function);
    }
    let iterations = match &story.main {
        Some(place) => {
            let rounds = story.iterations.len().saturating_sub(1);
            format!("in iteration {rounds} of the loop at {}:{}, ", place.file, place.line)
        }
        None => String::new(),
    };
    let _ = writeln!(out, "  {iterations}after {}\n", plural(story.input_count, "input"));
}

fn block(out: &mut String, story: &Counterexample, block: &Block, limit: usize, paint: &Paint) {
    for number in block.iterations.clone() {
        iteration(out, story, number, limit, paint);
    }
    if block.repeated.is_empty() {
        return;
    }
    let (first, last) = (block.repeated.start, block.repeated.end - 1);
    let which = if first == last { format!("iteration {first}") } else { format!("iterations {first}..{last}") };
    let like = match block.iterations.len() {
        1 => "as before".to_string(),
        n => format!("the last {n} iterations again and again"),
    };
    let _ = writeln!(out, "{}", paint.bold(&format!("{which}: {like}")));
    for change in overall(&story.iterations[block.repeated.clone()]).iter().take(limit) {
        let _ = writeln!(out, "    {} goes {} -> {}", paint.cyan(&change.name), change.before, change.after);
    }
}

/// How variables change from before the first to after the last of some iterations.
fn overall(iterations: &[Iteration]) -> Vec<Change> {
    let mut result: Vec<Change> = Vec::new();
    for change in iterations.iter().flat_map(|t| &t.changes) {
        match result.iter_mut().find(|c| c.name == change.name) {
            Some(known) => known.after.clone_from(&change.after),
            None => result.push(change.clone()),
        }
    }
    result.retain(|c| c.before != c.after);
    result
}

fn iteration(out: &mut String, story: &Counterexample, number: usize, limit: usize, paint: &Paint) {
    let iteration = &story.iterations[number];
    let title = match (number, &story.main) {
        (0, Some(_)) => "before the loop".to_string(),
        (0, None) => "the run".to_string(),
        _ => format!("iteration {number}"),
    };
    if number == 0 && iteration.inputs.is_empty() && iteration.decisions.is_empty() && iteration.changes.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", paint.bold(&title));
    let is_full = limit == usize::MAX;
    let listed = iteration.inputs.iter().filter(|i| is_full || !i.is_idle);
    list(out, &inputs(listed), limit, |i| format!("{} = {}", paint.cyan(&i.0), i.1));
    // A short story tells what is decided otherwise than in the iteration before.
    let before: &[Decision] = match number.checked_sub(1) {
        Some(previous) if !is_full => &story.iterations[previous].decisions,
        Some(_) | None => &[],
    };
    let is_new = |d: &&Decision| !before.iter().any(|b| b.place == d.place && b.taken == d.taken);
    let decisions: Vec<&Decision> = iteration.decisions.iter().filter(is_new).collect();
    list(out, &decisions, limit, |d| decision(d, paint));
    list(out, &iteration.changes, limit, |c| format!("{}: {} -> {}", paint.cyan(&c.name), c.before, c.after));
}

/// Equal inputs one after the other are told once.
fn inputs<'a>(inputs: impl Iterator<Item = &'a Input>) -> Vec<(String, String)> {
    let mut result: Vec<(String, String, usize)> = Vec::new();
    for input in inputs {
        match result.last_mut() {
            Some((name, value, times)) if *name == input.name && *value == input.value => *times += 1,
            _ => result.push((input.name.clone(), input.value.clone(), 1)),
        }
    }
    let line = |(name, value, times): (String, String, usize)| match times {
        1 => (name, value),
        n => (name, format!("{value}  ({n} times)")),
    };
    result.into_iter().map(line).collect()
}

fn list<T>(out: &mut String, items: &[T], limit: usize, line: impl Fn(&T) -> String) {
    for item in items.iter().take(limit) {
        let _ = writeln!(out, "    {}", line(item));
    }
    if items.len() > limit {
        let _ = writeln!(out, "    ... and {} more", items.len() - limit);
    }
}

fn decision(decision: &Decision, paint: &Paint) -> String {
    let way = if decision.taken { "true" } else { "false" };
    let times = if decision.times > 1 { format!(" ({} times)", decision.times) } else { String::new() };
    format!("{} {} is {way}{times}", paint.dim(&format!("line {}:", decision.place.line)), decision.text)
}

fn ending(out: &mut String, story: &Counterexample, paint: &Paint) {
    let ending = &story.ending;
    let _ = writeln!(out, "{}", paint.red(&format!("then {}", story.check.message)));
    // The message of an assertion has its text, while its line in the preprocessed source is the macro's.
    let is_assertion = story.check.kind == CheckKind::Assertion;
    if let Some(place) = story.check.place.as_ref().filter(|_| !is_assertion) {
        let _ = writeln!(out, "    {} {}", paint.dim(&format!("line {}:", place.line)), ending.line);
    }
    if let Some(decided) = ending.decision.as_ref().filter(|_| !is_assertion) {
        let _ = writeln!(out, "    since {}", decision(decided, paint));
    }
    for NamedValue { name, value } in &ending.values {
        let _ = writeln!(out, "    {} = {value}", paint.cyan(name));
    }
    for call in &ending.calls {
        let _ = writeln!(out, "    called at {}:{}: {}", call.place.file, call.place.line, call.text);
        for NamedValue { name, value } in &call.values {
            let _ = writeln!(out, "        {} = {value}", paint.cyan(name));
        }
    }
}
