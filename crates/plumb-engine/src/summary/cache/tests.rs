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

fn load(cache: &Cache, key: &Key, subject: &Subject) -> Option<Summary> {
    let mut prober = Prober::new(subject.analyses.program(), &subject.signature).unwrap();
    cache.load(key, &subject.analyses, &subject.signature, &subject.examples, &mut prober, &budget())
}

#[test]
fn summaries_are_found_again() {
    let folder = Folder::new("again");
    let subject = subject(FUNCTIONS, "process");
    let (key, summary) = (key(&folder.0, &subject), summary(&subject));
    assert!(load(&folder.0, &key, &subject).is_none());
    folder.0.store(&key, subject.analyses.program(), &summary);
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
    folder.0.store(&key, subject.analyses.program(), &summary);
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
    folder.0.store(&key, old.analyses.program(), &summary(&old));
    assert!(load(&folder.0, &key, &new).is_none());
    assert!(folder.files().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let cache = Cache::new("/proc/plumb-has-no-such-folder");
    let subject = subject(FUNCTIONS, "process");
    let key = key(&cache, &subject);
    cache.store(&key, subject.analyses.program(), &summary(&subject));
    assert!(load(&cache, &key, &subject).is_none());
}

/// Its constraints hold, and it was recorded as right about everything.
#[test]
fn a_summary_that_fits_the_examples_badly_is_not_used() {
    let folder = Folder::new("unfit");
    let subject = subject(FUNCTIONS, "process");
    let (key, good) = (key(&folder.0, &subject), summary(&subject));
    let pair = subject.examples.list[0].clone();
    let poor = Summary {
        expr: Expr::Const(plumb_synth::Value::bv(32, pair.output)),
        complexity: 0,
        constraints: vec![pair],
        ..good.clone()
    };
    assert!(good.similarity.is_exact());
    folder.0.store(&key, subject.analyses.program(), &poor);
    assert!(load(&folder.0, &key, &subject).is_none());
    assert_eq!(folder.files().len(), 1, "the entry is not wrong, and may fit other examples");
    folder.0.store(&key, subject.analyses.program(), &good);
    assert!(load(&folder.0, &key, &subject).is_some());
}

#[test]
fn without_time_nothing_is_loaded_and_nothing_deleted() {
    let folder = Folder::new("late");
    let subject = subject(FUNCTIONS, "process");
    let key = key(&folder.0, &subject);
    folder.0.store(&key, subject.analyses.program(), &summary(&subject));
    let mut prober = Prober::new(subject.analyses.program(), &subject.signature).unwrap();
    let late = Budget { deadline: Some(std::time::Instant::now()), ..budget() };
    let Subject { analyses, signature, examples, .. } = &subject;
    assert!(folder.0.load(&key, analyses, signature, examples, &mut prober, &late).is_none());
    assert_eq!(folder.files().len(), 1);
}
