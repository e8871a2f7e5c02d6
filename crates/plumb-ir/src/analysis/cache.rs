//! The analyses of one program, each computed when it is first asked for and shared by all who ask.
//!
//! A program that a pass has changed is another program, with analyses of its own.

use crate::analysis::callgraph::CallGraph;
use crate::analysis::control::ControlDependence;
use crate::analysis::defuse::DefUse;
use crate::analysis::handed_down::HandedDown;
use crate::analysis::intervals::Intervals;
use crate::analysis::lifetime::Lifetimes;
use crate::analysis::modref::{Effects, ModRef};
use crate::analysis::nullness::Nullness;
use crate::analysis::pointsto::PointsTo;
use crate::analysis::shape::FunctionShape;
use crate::analysis::target_distance::{Metric, ProgramGraph, TargetDistances};
use crate::index::TiVec;
use crate::program::{EdgeId, FuncId, Program};
use std::sync::OnceLock;

pub struct Analyses {
    program: Program,
    functions: TiVec<FuncId, OfFunction>,
    call_graph: OnceLock<CallGraph>,
    points_to: OnceLock<PointsTo>,
    resolved_calls: OnceLock<CallGraph>,
    mod_ref: OnceLock<ModRef>,
    lifetimes: OnceLock<Lifetimes>,
    nullness: OnceLock<Nullness>,
    handed_down: OnceLock<HandedDown>,
    intervals: OnceLock<Option<Intervals>>,
    flow_graph: OnceLock<ProgramGraph>,
    target_distances: [OnceLock<TargetDistances>; Metric::ALL.len()],
}

#[derive(Default)]
struct OfFunction {
    shape: OnceLock<FunctionShape>,
    control_dependence: OnceLock<ControlDependence>,
    def_use: OnceLock<DefUse>,
}

impl Analyses {
    /// Of a program, whose functions are shared and not copied.
    pub fn new(program: &Program) -> Analyses {
        Analyses {
            program: program.clone(),
            functions: program.functions.iter().map(|_| OfFunction::default()).collect(),
            call_graph: OnceLock::new(),
            points_to: OnceLock::new(),
            resolved_calls: OnceLock::new(),
            mod_ref: OnceLock::new(),
            lifetimes: OnceLock::new(),
            nullness: OnceLock::new(),
            handed_down: OnceLock::new(),
            intervals: OnceLock::new(),
            flow_graph: OnceLock::new(),
            target_distances: Default::default(),
        }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Loops, order of locations, liveness.
    pub fn shape(&self, func: FuncId) -> &FunctionShape {
        let of_function = &self.functions[func];
        of_function.shape.get_or_init(|| FunctionShape::of(self.program.function(func)))
    }

    /// Which branches decide whether a location is reached.
    pub fn control_dependence(&self, func: FuncId) -> &ControlDependence {
        let of_function = &self.functions[func];
        of_function.control_dependence.get_or_init(|| ControlDependence::of(self.program.function(func)))
    }

    /// Which writes of registers each read may see.
    pub fn def_use(&self, func: FuncId) -> &DefUse {
        let of_function = &self.functions[func];
        of_function.def_use.get_or_init(|| DefUse::of(self.program.function(func)))
    }

    /// Indirect calls go to every function that fits.
    pub fn call_graph(&self) -> &CallGraph {
        self.call_graph.get_or_init(|| CallGraph::of(&self.program, None))
    }

    pub fn points_to(&self) -> &PointsTo {
        self.points_to.get_or_init(|| PointsTo::of(&self.program))
    }

    /// Indirect calls go where the points-to analysis says.
    pub fn resolved_calls(&self) -> &CallGraph {
        self.resolved_calls.get_or_init(|| CallGraph::of(&self.program, Some(self.points_to())))
    }

    /// Whether a function, or one that it calls, has loops or calls itself.
    pub fn runs_long(&self, func: FuncId) -> bool {
        let calls = self.resolved_calls();
        calls.reachable(func).iter().any(|f| calls.is_recursive(*f) || !self.shape(*f).loops.loops.is_empty())
    }

    /// What each function, with all that it calls, may read and write.
    pub fn mod_ref(&self) -> &ModRef {
        self.mod_ref.get_or_init(|| ModRef::of(&self.program, self.resolved_calls(), self.points_to()))
    }

    /// What pointers may be that point to no object.
    pub fn nullness(&self) -> &Nullness {
        self.nullness.get_or_init(|| Nullness::of(self))
    }

    /// Which pointers come down the call stack as arguments.
    pub fn handed_down(&self) -> &HandedDown {
        self.handed_down.get_or_init(|| HandedDown::of(&self.program, self.resolved_calls(), self.points_to()))
    }

    /// How many activations and objects of a name there can be.
    pub fn lifetimes(&self) -> &Lifetimes {
        self.lifetimes.get_or_init(|| Lifetimes::of(self))
    }

    /// What an edge, with all that it calls, may read and write.
    pub fn edge_effects(&self, func: FuncId, edge: EdgeId) -> Effects {
        self.mod_ref().edge(&self.program, self.resolved_calls(), self.points_to(), func, edge)
    }

    /// `None` where the program is too large for it.
    pub fn intervals(&self) -> Option<&Intervals> {
        self.intervals.get_or_init(|| Intervals::of(self)).as_ref()
    }

    /// What distances and features are computed on.
    pub fn flow_graph(&self) -> &ProgramGraph {
        self.flow_graph.get_or_init(|| ProgramGraph::of(self, self.resolved_calls()))
    }

    /// How far locations are from the nearest check that can be seen to fail.
    pub fn target_distances(&self, metric: Metric) -> &TargetDistances {
        let graph = || &self.flow_graph().graph;
        self.target_distances[metric as usize].get_or_init(|| TargetDistances::new(graph(), &metric.weights(graph())))
    }
}
