//! Where the time went: what `--stats` and `--stats-json` print.
//!
//! Engines open `tracing` spans for their phases, inside of one that names the engine, and report numbers as events whose fields
//! are counters. A layer adds them up by engine and phase. Outside of engines the outermost span stands for an engine: the front end,
//! replay, evidence, the board. Without `--stats` nobody listens, which costs next to nothing.
//!
//! Times and counters of phases include those of the phases inside of them. Fields whose names begin with `max_` are not added
//! up: the largest counts.

use plumb_evidence::report::{EngineStatistics, Statistics};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

/// The span of an engine; its field `name` says which.
const ENGINE: &str = "engine";
/// What happens outside of all spans.
const PROCESS: &str = "process";
/// The phase that is all of an engine.
const TOTAL: &str = "total";

#[derive(Default)]
struct Totals {
    phases: BTreeMap<(String, &'static str), (Duration, u64)>,
    /// By engine, phase and name.
    counters: BTreeMap<(String, &'static str, &'static str), u64>,
    /// Spans that are entered now, by thread and span.
    open: HashMap<(std::thread::ThreadId, u64), (String, &'static str, Instant)>,
}

/// Listens from when it is installed.
#[derive(Clone, Default)]
pub struct Listener(Arc<Mutex<Totals>>);

impl Listener {
    /// Starts to listen to the whole process.
    pub fn install() -> Listener {
        let listener = Listener::default();
        let subscriber = tracing_subscriber::registry().with(listener.clone());
        // Only one can be installed, and only here.
        let _ = tracing::subscriber::set_global_default(subscriber);
        listener
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What was seen so far.
    pub fn statistics(&self) -> Statistics {
        let totals = self.totals();
        let mut engines: BTreeMap<String, EngineStatistics> = BTreeMap::new();
        let ended = totals.phases.iter().map(|((engine, phase), (time, count))| (engine, *phase, *time, *count));
        let open = totals.open.values().map(|(engine, phase, since)| (engine, *phase, since.elapsed(), 1));
        for (engine, phase, time, count) in ended.chain(open) {
            let phases = &mut engines.entry(engine.clone()).or_default().phases;
            let known = phases.entry(phase.to_string()).or_default();
            known.time += time;
            known.entered += count;
        }
        for ((engine, phase, name), value) in &totals.counters {
            let engine = engines.entry(engine.clone()).or_default();
            let counters = match *phase {
                TOTAL => &mut engine.counters,
                phase => &mut engine.phases.entry(phase.to_string()).or_default().counters,
            };
            counters.insert(name.to_string(), *value);
        }
        Statistics { engines }
    }
}

/// The name of an engine, kept with its span.
struct EngineName(String);

#[derive(Default)]
struct Fields {
    name: Option<String>,
    numbers: Vec<(&'static str, u64)>,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "name" {
            self.name = Some(value.to_string());
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.numbers.push((field.name(), value));
    }

    /// A plain `1` is an `i32`: a counter like any other.
    fn record_i64(&mut self, field: &Field, value: i64) {
        if let Ok(value) = u64::try_from(value) {
            self.record_u64(field, value);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The engine that a span or event is in, and the phases around it, all of the engine being the last.
fn scope_of<S: Subscriber + for<'a> LookupSpan<'a>>(
    id: Option<&Id>,
    context: &Context<'_, S>,
) -> (String, Vec<&'static str>) {
    let mut phases = Vec::new();
    for span in id.and_then(|id| context.span_scope(id)).into_iter().flatten() {
        if let Some(EngineName(engine)) = span.extensions().get() {
            phases.push(TOTAL);
            return (engine.clone(), phases);
        }
        phases.push(span.name());
    }
    let outermost = phases.pop().unwrap_or(PROCESS);
    phases.push(TOTAL);
    (outermost.to_string(), phases)
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Listener {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let (ENGINE, Some(name), Some(span)) = (attributes.metadata().name(), fields.name, context.span(id)) {
            span.extensions_mut().insert(EngineName(name));
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let (engine, phases) = scope_of(Some(id), &context);
        let phase = phases.first().copied().unwrap_or(TOTAL);
        self.totals().open.insert((std::thread::current().id(), id.into_u64()), (engine, phase, Instant::now()));
    }

    fn on_exit(&self, id: &Id, _: Context<'_, S>) {
        let mut totals = self.totals();
        let open = totals.open.remove(&(std::thread::current().id(), id.into_u64()));
        if let Some((engine, phase, since)) = open {
            let (time, count) = totals.phases.entry((engine, phase)).or_default();
            *time += since.elapsed();
            *count += 1;
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let current = context.event_span(event).map(|span| span.id());
        let (engine, mut phases) = scope_of(current.as_ref(), &context);
        phases.sort_unstable();
        phases.dedup();
        let mut totals = self.totals();
        for (phase, (name, value)) in phases.iter().flat_map(|phase| fields.numbers.iter().map(|one| (*phase, *one))) {
            let total = totals.counters.entry((engine.clone(), phase, name)).or_default();
            *total = if name.starts_with("max_") { (*total).max(value) } else { *total + value };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_and_counters_are_added_up_by_engine() {
        let listener = Listener::default();
        let subscriber = tracing_subscriber::registry().with(listener.clone());
        let seen = tracing::subscriber::with_default(subscriber, || {
            let engine = tracing::info_span!("engine", name = "toy").entered();
            for conflicts in [2u64, 3] {
                let _phase = tracing::info_span!("search").entered();
                tracing::info!(queries = 1u64, conflicts, max_terms = 10 * conflicts);
            }
            let inside = listener.statistics();
            assert_eq!(inside.engines["toy"].phases["total"].entered, 1, "a span that is open counts");
            tracing::info!(alarms = 1);
            tracing::info!(alarms = 1i64, lost = -1);
            drop(engine);
            tracing::info!(max_bytes = 7u64);
            let _board = tracing::info_span!("board").entered();
            let _inner = tracing::info_span!("counting").entered();
            tracing::info!(invariants_posted = 4u64);
            listener.statistics()
        });
        let toy = &seen.engines["toy"];
        assert_eq!(toy.phases["search"].entered, 2);
        assert_eq!(toy.phases["search"].counters["conflicts"], 5);
        assert!(toy.phases["total"].time >= toy.phases["search"].time);
        let counters =
            [("queries", 2), ("conflicts", 5), ("max_terms", 30), ("alarms", 2)].map(|(name, n)| (name.to_string(), n));
        assert_eq!(toy.counters, BTreeMap::from(counters));
        assert_eq!(seen.engines[PROCESS].counters["max_bytes"], 7);
        let board = &seen.engines["board"];
        assert_eq!((board.phases[TOTAL].entered, board.phases["counting"].entered), (1, 1));
        assert_eq!(
            (board.counters["invariants_posted"], board.phases["counting"].counters["invariants_posted"]),
            (4, 4)
        );
        assert!(seen.lines().iter().any(|line| line.contains("conflicts 5")));
    }
}
