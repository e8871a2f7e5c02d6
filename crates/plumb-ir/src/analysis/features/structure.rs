//! Features of the control flow.

use crate::analysis::target_distance::exit_distance::ExitDistances;
use crate::analysis::target_distance::flow_graph::{FlowEdge, FlowFuncId, FlowGraph, FlowKind, FlowLoc};
use crate::analysis::target_distance::metric::Metric;
use crate::index::TiVec;

/// The size of one function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FunctionSize {
    /// Locations that its entry reaches, and its exit.
    pub locs: usize,
    /// Edges between them that a run can pass, where a call is one edge, from the call location to the return location.
    pub edges: usize,
    pub loops: usize,
    /// Call locations.
    pub calls: usize,
    /// Call and return edges, of each callee. They are counted in the program instead of the one edge over the call.
    pub call_edges: usize,
    /// Calls that are among `edges`, since they return.
    pub returning_calls: usize,
}

impl FunctionSize {
    /// McCabe's, for one entry and one exit. A function whose exit is never reached has a location without an edge.
    pub fn complexity(&self) -> usize {
        (self.edges + 2).saturating_sub(self.locs)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    pub functions: Vec<FunctionSize>,
}

/// Of a number that each function has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    pub sum: f64,
    pub max: f64,
    pub average: f64,
    /// Of the population: divided by the number of functions.
    pub deviation: f64,
}

impl Structure {
    /// Of these functions of a graph. A call of others is a statement, and one that never returns leads nowhere.
    pub fn of(graph: &FlowGraph, functions: &[FlowFuncId]) -> Structure {
        let mut is_counted: TiVec<FlowFuncId, bool> = vec![false; graph.functions.len()].into();
        functions.iter().for_each(|func| is_counted[*func] = true);
        let exits = ExitDistances::of(graph, &Metric::St.weights(graph));
        let can_pass = |edge: &FlowEdge| match &edge.kind {
            FlowKind::Call(callees) => callees.iter().any(|callee| exits.through(graph, *callee).is_finite()),
            FlowKind::EndStack | FlowKind::Blocked => false,
            FlowKind::Statement | FlowKind::Condition | FlowKind::NewStack(_) | FlowKind::Switch => true,
        };
        let size = |func: &FlowFuncId| size_of(graph, *func, &is_counted, can_pass);
        Structure { functions: functions.iter().map(size).collect() }
    }

    /// Call and return edges included.
    pub fn edges(&self) -> usize {
        self.functions.iter().map(|function| function.edges - function.returning_calls + function.call_edges).sum()
    }

    /// Of locations, edges, loops, calls and cyclomatic complexity.
    pub fn statistics(&self) -> [Statistics; 5] {
        let numbers: [fn(&FunctionSize) -> usize; 5] =
            [|f| f.locs, |f| f.edges, |f| f.loops, |f| f.calls, FunctionSize::complexity];
        numbers.map(|number| Statistics::of(self.functions.iter().map(number)))
    }
}

fn size_of(
    graph: &FlowGraph,
    func: FlowFuncId,
    is_counted: &TiVec<FlowFuncId, bool>,
    can_pass: impl Fn(&FlowEdge) -> bool,
) -> FunctionSize {
    let function = &graph.functions[func];
    let mut outgoing: Vec<Vec<&FlowEdge>> = vec![Vec::new(); function.locs.len()];
    for edge in graph.edges_of(func) {
        outgoing[(edge.from.0 - function.locs.start) as usize].push(edge);
    }
    let mut size = FunctionSize::default();
    let mut is_reached = vec![false; function.locs.len()];
    let mut work = vec![function.entry];
    let mut reach = |loc: FlowLoc| !std::mem::replace(&mut is_reached[(loc.0 - function.locs.start) as usize], true);
    reach(function.entry);
    while let Some(loc) = work.pop() {
        size.locs += 1;
        size.loops += usize::from(graph.is_loop_head(loc));
        for edge in &outgoing[(loc.0 - function.locs.start) as usize] {
            let passes = can_pass(edge);
            if let FlowKind::Call(callees) = &edge.kind {
                let counted = callees.iter().filter(|callee| is_counted[**callee]).count();
                size.calls += usize::from(counted > 0);
                size.returning_calls += usize::from(counted > 0 && passes);
                size.call_edges += counted * if passes { 2 } else { 1 };
            }
            if passes {
                size.edges += 1;
                work.extend(reach(edge.to).then_some(edge.to));
            }
        }
    }
    size.locs += usize::from(reach(function.exit));
    size
}

impl Statistics {
    fn of(numbers: impl Iterator<Item = usize> + Clone) -> Statistics {
        let count = numbers.clone().count().max(1) as f64;
        let sum = numbers.clone().sum::<usize>() as f64;
        let average = sum / count;
        // Not `sum`, which gives -0 where there is nothing to add.
        let squares = numbers.clone().fold(0.0, |sum, number| sum + (number as f64 - average).powi(2));
        Statistics { sum, max: numbers.max().unwrap_or(0) as f64, average, deviation: (squares / count).sqrt() }
    }
}
