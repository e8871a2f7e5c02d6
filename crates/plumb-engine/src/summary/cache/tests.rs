use super::*;
use crate::summary::by_hand::{FUNCTIONS, Subject, of_parameters, subject};
use crate::summary::examples::Prober;
use crate::summary::synthesis::{Constraints, synthesise_summary};
use crate::test_program::{budget, program};

/// A folder of its own that is deleted at the end.
struct Folder(Cache);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("plumb-summaries-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Folder(Cache::new(folder))
    }

    fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.0.folder) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0.folder);
    }
}

fn options() -> SynthesisOptions {
    SynthesisOptions { iterations: 20, candidates: 100_000, ..SynthesisOptions::default() }
}

fn key(cache: &Cache, subject: &Subject) -> Key {
    cache.key(&subject.analyses, &subject.signature, &options())
}

fn summary(subject: &Subject) -> Summary {
    let Subject { analyses, signature, examples, .. } = subject;
    synthesise_summary(analyses, signature, examples, &Constraints::default(), &options(), &budget()).unwrap()
}

fn load_within(cache: &Cache, key: &Key, subject: &Subject, budget: &Budget) -> Option<Cached> {
    let mut prober = Prober::new(subject.analyses.program(), &subject.signature).unwrap();
    cache.load(key, &subject.analyses, &subject.signature, &mut prober, budget)
}

fn load(cache: &Cache, key: &Key, subject: &Subject) -> Option<Summary> {
    load_within(cache, key, subject, &budget()).map(|cached| cached.summary)
}

const FINISHED: Effort = Effort { is_finished: true, milliseconds: 1 };

fn store_after(cache: &Cache, key: &Key, subject: &Subject, summary: &Summary, effort: Effort) {
    let mut prober = Prober::new(subject.analyses.program(), &subject.signature).unwrap();
    cache.store(key, &subject.analyses, summary, effort, &mut prober);
}

fn store(cache: &Cache, key: &Key, subject: &Subject, summary: &Summary) {
    store_after(cache, key, subject, summary, FINISHED);
}

#[test]
fn summaries_are_found_again() {
    let folder = Folder::new("again");
    let subject = subject(FUNCTIONS, "process");
    let (key, summary) = (key(&folder.0, &subject), summary(&subject));
    assert!(load(&folder.0, &key, &subject).is_none());
    store(&folder.0, &key, &subject, &summary);
    assert_eq!(folder.files().len(), 1);
    let found = load(&folder.0, &key, &subject).unwrap();
    assert_eq!((found.expr, found.similarity, found.range), (summary.expr, summary.similarity, summary.range));
}

#[test]
fn keys_are_the_content() {
    let cache = Cache::new("/nowhere");
    let of = |text: &str| {
        let analyses = Analyses::new(&program(text));
        cache.key(&analyses, &of_parameters(analyses.program(), "f"), &options())
    };
    let text = "const int t[2] = { 3, 4 }; int g(int x) { return x + 1; } int f(int x) { return t[g(x) & 1]; }
        int main(void) { return f(input()); }";
    let same = of(text);
    assert_eq!(of(&format!("int other(int y) {{ return input(); }}\n\n{text}")), same);
    assert_ne!(of(&text.replace("3, 4", "3, 5")), same, "tables count");
    assert_ne!(of(&text.replace("x + 1", "x + 2")), same, "callees count");
    assert_ne!(of(&text.replace("int f(int x)", "int f(unsigned x)")), same, "types count");
    let text = "int low[2] = { 1, 2 }, high[2] = { 3, 4 }; int *const rows[2] = { low, high }; int *row = low;
        int f(int x) { return rows[x & 1][x >> 1 & 1] + *row; } int main(void) { return f(input()); }";
    let behind = of(text);
    assert_ne!(of(&text.replace("3, 4", "3, 5")), behind, "what tables point to counts");
    assert_ne!(of(&text.replace("1, 2", "0, 2")), behind, "what globals point to counts");
    let text = "int f(int x) { return x + 1; } int main(void) { return f(input()); }";
    let same = of(text);
    let analyses = Analyses::new(&program(text));
    let signature = of_parameters(analyses.program(), "f");
    let variant = SynthesisOptions { uses_coverage: false, ..options() };
    assert_ne!(cache.key(&analyses, &signature, &variant), same, "the variant counts");
}

#[test]
fn damaged_entries_are_dropped() {
    let folder = Folder::new("damaged");
    let subject = subject(FUNCTIONS, "process");
    let (key, summary) = (key(&folder.0, &subject), summary(&subject));
    store(&folder.0, &key, &subject, &summary);
    let path = folder.files().pop().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let damage = [
        text.replacen("bv", "bw", 1),
        text.replacen("in0", "in1", 1),
        text[..text.len() / 2].to_string(),
        text.replacen("#x0000001e", "#x0000001f", 1),
        String::new(),
        "{}".to_string(),
    ];
    for damaged in damage {
        assert_ne!(damaged, text);
        fs::write(&path, &damaged).unwrap();
        assert!(load(&folder.0, &key, &subject).is_none(), "{damaged}");
        assert!(!path.exists());
    }
    fs::write(&path, &text).unwrap();
    assert!(load(&folder.0, &key, &subject).is_some());
}

/// The checksum is right, and the function is another one: its constraints tell.
#[test]
fn stale_entries_are_dropped() {
    let folder = Folder::new("stale");
    let old = subject(FUNCTIONS, "process");
    let new = subject(&FUNCTIONS.replace("return 2", "return 5").replace("x < 30", "x < 31"), "process");
    let key = key(&folder.0, &new);
    store(&folder.0, &key, &old, &summary(&old));
    assert!(load(&folder.0, &key, &new).is_none());
    assert!(folder.files().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let cache = Cache::new("/proc/plumb-has-no-such-folder");
    let subject = subject(FUNCTIONS, "process");
    let key = key(&cache, &subject);
    store(&cache, &key, &subject, &summary(&subject));
    assert!(load(&cache, &key, &subject).is_none());
}

/// In the program that it was stored from, calls pass large numbers, for which it is right; in this one they pass any.
#[test]
fn a_summary_that_fits_the_calls_badly_is_not_used() {
    let folder = Folder::new("unfit");
    let other = subject(&FUNCTIONS.replace("process(input())", "process((input() & 0xffff) + 50)"), "process");
    let here = subject(FUNCTIONS, "process");
    assert_eq!(key(&folder.0, &other), key(&folder.0, &here));
    let (key, good) = (key(&folder.0, &here), summary(&here));
    let pair = Example { inputs: [60].into(), output: 2, origin: crate::summary::examples::Origin::Special };
    let two = Summary {
        expr: Expr::Const(plumb_synth::Value::bv(32, 2)),
        complexity: 0,
        constraints: vec![pair],
        ..good.clone()
    };
    store(&folder.0, &key, &other, &two);
    assert!(load(&folder.0, &key, &other).is_some());
    assert!(load(&folder.0, &key, &here).is_none());
    assert_eq!(folder.files().len(), 1, "the entry is not wrong, and fits other calls");
}

/// What was made in little time is used by who has no more of it.
#[test]
fn summaries_are_stored_although_their_time_was_over() {
    let folder = Folder::new("hurried");
    let subject = subject(FUNCTIONS, "check");
    let (key, summary) = (key(&folder.0, &subject), summary(&subject));
    assert!(!summary.similarity.is_exact());
    let seconds =
        |count: u64| Budget { deadline: Some(Instant::now() + std::time::Duration::from_secs(count)), ..budget() };
    store_after(&folder.0, &key, &subject, &summary, Effort { is_finished: false, milliseconds: 600_000 });
    let found = load_within(&folder.0, &key, &subject, &seconds(900)).unwrap();
    assert!(found.is_enough);
    assert_eq!(found.summary.similarity, summary.similarity, "as it was recorded");
    assert!(!load_within(&folder.0, &key, &subject, &seconds(3600)).unwrap().is_enough, "there is much more time");
    assert!(!load_within(&folder.0, &key, &subject, &budget()).unwrap().is_enough);
    store_after(&folder.0, &key, &subject, &summary, FINISHED);
    assert!(load_within(&folder.0, &key, &subject, &budget()).unwrap().is_enough, "more time brings nothing");
}

#[test]
fn a_better_entry_stays() {
    let folder = Folder::new("better");
    let subject = subject(FUNCTIONS, "process");
    let (key, good) = (key(&folder.0, &subject), summary(&subject));
    let poor = Summary { similarity: Similarity { correct: 1, covered: 1, ..good.similarity }, ..good.clone() };
    store(&folder.0, &key, &subject, &good);
    store(&folder.0, &key, &subject, &poor);
    assert_eq!(load(&folder.0, &key, &subject).unwrap().similarity, good.similarity);
}

#[test]
fn without_time_nothing_is_loaded_and_nothing_deleted() {
    let folder = Folder::new("late");
    let subject = subject(FUNCTIONS, "process");
    let key = key(&folder.0, &subject);
    store(&folder.0, &key, &subject, &summary(&subject));
    let late = Budget { deadline: Some(Instant::now()), ..budget() };
    assert!(load_within(&folder.0, &key, &subject, &late).is_none());
    assert_eq!(folder.files().len(), 1);
}
