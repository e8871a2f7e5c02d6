//! Law: the body of a summary, run on the machine, is right about exactly the examples that its similarity counts.
//!
//! Every function of random programs that has a signature is summarised, with little effort: what counts is that term, words and
//! body agree, whatever the types and places of inputs are. Longer runs: `PLUMB_SUMMARY_COUNT` (programs, default 60).

#[path = "../../plumb-sym/tests/concrete/generate/mod.rs"]
mod generate;

use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_engine::summary::body::summary_body;
use plumb_engine::summary::examples::{Example, Prober, collect};
use plumb_engine::summary::export::c_text;
use plumb_engine::summary::synthesis::{Constraints, SynthesisOptions, synthesise_summary};
use plumb_engine::{Budget, Cancel};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Signature, signature};
use plumb_ir::derive::Runs;
use plumb_ir::derive::replace_body::replace_body;
use plumb_ir::program::Program;
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};

/// Functions of one program that are summarised, and examples that are compared.
const FUNCTIONS: usize = 4;
const EXAMPLES: usize = 400;

/// What random programs seldom have: narrow and truth-valued results, memory behind pointers, wide arithmetic.
const SMALL: &str = "extern int __VERIFIER_nondet_int(void); typedef signed char s8; typedef unsigned long long u64;
    struct R { short w; unsigned char h; }; struct R rects[3]; static u64 wide; static int table[4];
    static _Bool fits(const struct R *r, int limit) { return r->w < limit && r->h > 2; }
    static s8 narrow(int x, unsigned char y) { return (s8)(x * 3 + y); }
    static u64 mix(u64 a, int b) { return (a >> 3 ^ wide) + (u64)b; }
    static short pick(int i) { return table[i & 3] > 4 ? table[i & 3] - 4 : i; }
    static int sense(int low) { int v = __VERIFIER_nondet_int(); return v < low ? low : v / 2; }
    int main(void) { int sum = 0; for (int i = 0; i < 9; i++) { int v = __VERIFIER_nondet_int(); rects[i % 3].w = v;
        rects[i % 3].h = v >> 4; wide += v; table[i & 3] = v; sum += fits(&rects[i % 3], v); sum ^= narrow(v, i);
        sum ^= (int)mix(v, i); sum += pick(v); sum += sense(i); } return sum; }";

fn program(text: &str, seed: u64) -> Program {
    let file = std::env::temp_dir().join(format!("plumb-summaries-{}-{seed}.i", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let target = if seed % 3 == 2 { Target::ILP32 } else { Target::LP64 };
    let front =
        FrontOptions { target: Some(target), library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let loaded = load_program(std::slice::from_ref(&file), &front);
    std::fs::remove_file(&file).unwrap();
    let mut loaded = loaded.unwrap_or_else(|failed| panic!("{:?}", failed.diags));
    let options = PrepareOptions { promotion: seed % 5 != 4, ..PrepareOptions::default() };
    prepare(&loaded.hir, &PropertySet::default(), &options, &mut loaded.diags).unwrap()
}

/// How many examples were compared.
fn compare(analyses: &Analyses, signature: &Signature) -> usize {
    let program = analyses.program();
    let name = &program.function(signature.func).name;
    let Some(mut prober) = Prober::new(program, signature) else { panic!("{name} cannot be called") };
    let budget = Budget { deadline: None, memory: 2 << 30, threads: 1, cancel: Cancel::new() };
    let mut examples = collect(analyses, signature, &mut prober, &budget, 1);
    examples.list.truncate(EXAMPLES);
    let options = SynthesisOptions { iterations: 3, candidates: 20_000, ..SynthesisOptions::default() };
    let constraints = Constraints::default();
    let Some(mut summary) = synthesise_summary(analyses, signature, &examples, &constraints, &options, &budget) else {
        return 0;
    };
    summary.range = None;
    assert!(c_text(program, &summary, 0).is_ok(), "{name}");
    let body = summary_body(program, &summary).unwrap().body;
    let derived = replace_body(program, signature.func, body, Runs::Unrelated).unwrap();
    // What the function asks for from outside the summary asks for as an input of its own.
    let mut own = signature.clone();
    let mut next = program.inputs.len() as u32;
    for input in &mut own.inputs {
        if let plumb_ir::analysis::signature::Source::External(id) = &mut input.source {
            id.0 = next;
            next += 1;
        }
    }
    let mut prober = Prober::new(&derived.program, &own).unwrap();
    let is_right = |example: &&Example| prober.call(&example.inputs).returned() == Some(example.output);
    let correct = examples.list.iter().filter(is_right).count();
    assert_eq!(correct, summary.similarity.correct, "{name}: {:?}", summary.expr);
    examples.list.len()
}

#[test]
fn bodies_are_right_about_what_similarity_counts() {
    let count = std::env::var("PLUMB_SUMMARY_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut functions, mut compared) = (0, 0);
    let random = (1..=count).map(|seed| (generate::program(seed), seed));
    for (text, seed) in random.chain((1..=5).map(|seed| (SMALL.to_string(), seed))) {
        let analyses = Analyses::new(&program(&text, seed));
        let ids = analyses.program().function_ids();
        let most = if text == SMALL { usize::MAX } else { FUNCTIONS };
        let signatures: Vec<Signature> = ids.filter_map(|id| signature(&analyses, id).ok()).collect();
        let own = signatures.iter().filter(|one| !analyses.program().function(one.func).is_library).take(most);
        for signature in own {
            functions += 1;
            compared += compare(&analyses, signature);
        }
    }
    eprintln!("{functions} functions, {compared} examples");
    assert!(functions > 30 && compared > 3_000, "only {functions} functions, {compared} examples");
}
