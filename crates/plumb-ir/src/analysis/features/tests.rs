//! Every feature of section 7.2 on the graph of Figure 7.6, and features of programs.

use super::*;
use crate::analysis::Analyses;
use crate::analysis::target_distance::flow_graph::{FlowFuncId, FlowGraph, FlowGraphBuilder, FlowKind, FlowLoc};
use crate::expr::BinOp;
use crate::program::{FuncId, Loc, LoopKind, LoopStatement, Op};
use crate::sample::{self, Body, I32};
use plumb_c::source::Span;

/// Figure 7.6 is a drawing of which only the caption is at hand. The graph is rebuilt from the program of Figure 7.5 with a location for
/// each label. That it has no edge from `abort` at L11, and one edge for each of `a++` and `b++`, follows from the 13 edges of
/// `main` and the 6 of `f` that the text counts.
fn figure_7_6() -> FlowGraph {
    use FlowKind::{Condition, Statement};
    let call = || FlowKind::Call(Box::new([FlowFuncId(1)]));
    let mut builder = FlowGraphBuilder::default();
    let main = [
        (1, 2, Statement),
        (2, 3, Condition),
        (2, 8, Condition),
        (3, 4, call()),
        (4, 5, Condition),
        (4, 6, Condition),
        (5, 7, Statement),
        (6, 7, Statement),
        (7, 10, Statement),
        (8, 9, call()),
        (9, 10, Statement),
        (10, 11, Condition),
        (10, 12, Condition),
    ];
    builder.function(12, 0, 11, main.map(|(from, to, kind)| (from - 1, to - 1, kind)));
    let f = [
        (21, 22, Statement),
        (22, 23, Condition),
        (22, 25, Condition),
        (23, 24, Condition),
        (23, 22, Condition),
        (24, 23, Statement),
    ];
    builder.function(5, 0, 4, f.map(|(from, to, kind)| (from - 21, to - 21, kind)));
    // L22 and L23.
    builder.loop_head(FlowLoc(13));
    builder.loop_head(FlowLoc(14));
    builder.error(FlowLoc(10));
    builder.finish()
}

/// What Figure 7.5 says of its variables.
fn figure_7_5() -> VariableFacts {
    let [x, k, i, a, b, c] = [0, 1, 2, 3, 4, 5].map(Variable);
    VariableFacts {
        in_conditions: [x, k, i, a, b].into(),
        in_loop_conditions: [i, a, b].into(),
        dereferenced: [x].into(),
        counters: [a, b].into(),
        flows: vec![(i, x), (x, x), (a, a), (b, b), (c, c)],
        ..VariableFacts::default()
    }
}

#[test]
fn section_7_2_every_feature_of_figure_7_5() {
    let functions = [FlowFuncId(0), FlowFuncId(1)];
    let features = Features::new(&Structure::of(&figure_7_6(), &functions), &figure_7_5());
    // The text says of MXCALLS that main has 0 calls and f two; it is the other way round, which changes no value.
    let expected = [
        ("LOCS", 17.0),
        ("MXLOFN", 12.0),
        ("AVLOFN", 8.5),
        ("SDLOFN", 3.5),
        ("EDGES", 21.0),
        ("MXEGFN", 13.0),
        ("AVEGFN", 9.5),
        ("SDEGFN", 3.5),
        ("LOOPS", 2.0),
        ("MXLPFN", 2.0),
        ("AVLPFN", 1.0),
        ("SDLPFN", 1.0),
        ("FUNCS", 2.0),
        ("MXCALLS", 2.0),
        ("AVCALLS", 1.0),
        ("SDCALLS", 1.0),
        ("VARS", 5.0),
        ("VARSASM", 5.0),
        ("VARSLOOP", 3.0),
        ("VARSINC", 2.0),
        ("FIELDS", 0.0),
        ("MXCC", 3.0),
        ("SMCC", 6.0),
        ("AVCC", 3.0),
        ("SDCC", 0.0),
    ];
    let found: Vec<(&str, f64)> = features.iter().map(|(feature, value)| (feature.name, value)).collect();
    assert_eq!(found, expected);
}

#[test]
fn calls_that_never_return_lead_nowhere() {
    let stop = FlowFuncId(1);
    let mut builder = FlowGraphBuilder::default();
    let call = FlowKind::Call(Box::new([stop]));
    builder.function(
        4,
        0,
        3,
        [(0, 1, FlowKind::Condition), (0, 3, FlowKind::Condition), (1, 2, call), (2, 3, FlowKind::Statement)],
    );
    builder.function(2, 0, 1, [(0, 1, FlowKind::Blocked)]);
    let structure = Structure::of(&builder.finish(), &[FlowFuncId(0), stop]);
    let [main, stop] = structure.functions[..] else { panic!("two functions") };
    // The location behind the call is not reached; the call itself is.
    assert_eq!((main.locs, main.edges, main.calls, main.complexity()), (3, 2, 1, 1));
    assert_eq!((stop.locs, stop.edges), (2, 0));
    // A call edge and no return edge.
    assert_eq!(structure.edges(), 3);
}

#[test]
fn conditions_depend_on_what_their_variables_are_computed_from() {
    let [flag, sum, part, made, unused, field] = [0, 1, 2, 3, 4, 5].map(Variable);
    let facts = VariableFacts {
        in_conditions: [made, flag].into(),
        flows: vec![(made, sum), (sum, part), (unused, flag), (flag, field)],
        made: [made].into(),
        bit_fields: [field].into(),
        ..VariableFacts::default()
    };
    // flag, sum and part are relevant; sum is used in a condition by way of a temporary.
    assert_eq!(facts.counts(), [3, 2, 0, 0, 1]);
}

/// `main` counts to its argument in a `for` statement, over an accumulator that nothing depends on.
#[test]
fn counters_of_programs_are_found() {
    let mut main = Body::new("main", &[("n", I32)], None);
    let (i, sum) = (main.var("i", I32), main.var("sum", I32));
    let n = crate::program::VarRef::Local(crate::program::LocalVar(0));
    let (zero, one) = (main.int(0), main.int(1));
    let head = main.assign(Loc(0), i, zero);
    let (read_i, read_n, read_sum) = (main.get(i), main.get(n), main.get(sum));
    let less = main.binary(BinOp::Lt, read_i, read_n);
    let not_less = main.binary(BinOp::Le, read_n, read_i);
    let body = main.step(head, Op::Assume { cond: less, branch: None });
    let after = main.step(head, Op::Assume { cond: not_less, branch: None });
    let (next_i, next_sum) = (main.binary(BinOp::Add, read_i, one), main.binary(BinOp::Add, read_sum, one));
    let at = main.assign(body, sum, next_sum);
    main.edge(at, head, Op::Assign { to: crate::program::Place::Var(i), value: next_i });
    main.ret(after, None);
    main.parts.loops.push(LoopStatement { kind: LoopKind::For, head, span: Span::NONE });
    let mut start = Body::new("start", &[], None);
    let two = start.int(2);
    let at = start.call(Loc(0), None, FuncId(1), vec![two]);
    start.ret(at, None);
    let program = sample::program(vec![start.finish(), main.finish()]);
    let features = Features::of(&Analyses::new(&program));
    let value = |name| features.get(name).unwrap();
    assert_eq!(["FUNCS", "LOOPS", "MXCC"].map(value), [1.0, 1.0, 2.0]);
    assert_eq!(["VARS", "VARSASM", "VARSLOOP", "VARSINC", "FIELDS"].map(value), [2.0, 2.0, 2.0, 1.0, 0.0]);
}

#[test]
fn features_are_read_by_name() {
    let features = Features::new(&Structure::default(), &figure_7_5());
    let text = serde_json::to_string(&features).unwrap();
    assert_eq!(serde_json::from_str::<Features>(&text).unwrap(), features);
    for (wrong, why) in [
        (text.replace("SMCC", "SMCD"), "the feature SMCC is missing"),
        (text.replace("{", "{\"MORE\":1,"), "there is no feature `MORE`"),
        (text.replace("\"VARS\":5.0", "\"VARS\":-1"), "not a count"),
    ] {
        let error = serde_json::from_str::<Features>(&wrong).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
