//! Derived programs: passes that make a program out of another one, and say where every part of it came from.
//!
//! ```text
//!   chain          edges one after the other: what the start of a unit and bodies without branches are made of
//!   replace_body   a function's body by another automaton: a summary
//!   replace_calls  some calls of a function by those of a summary
//!   unit           one function as the whole program, called in an arbitrary state
//!   stand_ins      objects of callers in a unit
//!   probe          one function as the whole program, called on inputs that its signature names
//!   path_program   one path: branches become assumptions, the rest is cut off
//!   slice          what can influence the checks; the rest does nothing
//! ```
//!
//! Each is a pure pass: program in, [`Derived`] out, and [`crate::verify`] accepts the result. The [`Provenance`]
//! maps every location, edge, input and check of the derived program to the one of the original that it came from, or
//! says why it was made up. An alarm in a derived program is carried home by it: the inputs of its run that have an
//! origin, in their order, are the inputs of the run of the original.
//!
//! **Soundness.** A pass is sound if the relation that it claims ([`Runs`]) holds. The relation is about what both
//! programs have in common: the sequence of edges with an origin, the values of inputs with an origin, and the check
//! with an origin that breaks. How the laws are tested: `plumb-exec/tests/derive`.

pub mod chain;
pub mod path_program;
pub mod probe;
pub mod replace_body;
pub mod replace_calls;
pub mod slice;
mod stand_ins;
pub mod unit;

use crate::check::CheckId;
use crate::index::TiVec;
use crate::input::InputId;
use crate::input_value::InputValue;
use crate::program::{Edge, EdgeId, FuncId, Function, FunctionParts, Loc, Program};

/// A program that was made out of another one.
#[derive(Clone, Debug)]
pub struct Derived {
    pub program: Program,
    pub provenance: Provenance,
}

/// Where a part of a derived program comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin<T> {
    Original(T),
    Made(Made),
}

impl<T: Copy> Origin<T> {
    pub fn original(self) -> Option<T> {
        match self {
            Origin::Original(part) => Some(part),
            Origin::Made(_) => None,
        }
    }

    /// The origin of the origin.
    fn through(self, earlier: impl FnOnce(T) -> Origin<T>) -> Origin<T> {
        match self {
            Origin::Original(part) => earlier(part),
            Origin::Made(why) => Origin::Made(why),
        }
    }
}

/// Why a part was made up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Made {
    /// It stands for the body of this function of the original.
    Summary(FuncId),
    /// It sets up a state in which this function of the original is called.
    Unit(FuncId),
    /// It says that an indirect call of the path reached the function that the path goes on in.
    CallTarget,
    /// It leads on where the original did something that does not matter.
    Skip,
}

/// How the runs of a derived program and those of the original correspond.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Runs {
    /// Each has a counterpart for every run of the other: proofs and violations carry over.
    Same,
    /// Every run of the original has a counterpart; the derived program may have others. A proof carries over, a
    /// violation has to be replayed.
    More,
    /// Every run of the derived program has a counterpart in the original, but not the other way round. A violation
    /// carries over, a proof does not.
    Fewer,
    /// Neither: what is found is a candidate.
    Unrelated,
}

impl Runs {
    /// The relation of a program that was derived twice to the first one.
    fn then(self, later: Runs) -> Runs {
        match (self, later) {
            (Runs::Same, other) | (other, Runs::Same) => other,
            (Runs::More, Runs::More) => Runs::More,
            (Runs::Fewer, Runs::Fewer) => Runs::Fewer,
            (Runs::More, Runs::Fewer)
            | (Runs::Fewer, Runs::More)
            | (Runs::Unrelated, Runs::More | Runs::Fewer | Runs::Unrelated)
            | (Runs::More | Runs::Fewer, Runs::Unrelated) => Runs::Unrelated,
        }
    }
}

/// The origins of a function's parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionProvenance {
    pub function: Origin<FuncId>,
    /// By location.
    pub locations: TiVec<Loc, Origin<(FuncId, Loc)>>,
    /// By edge.
    pub edges: TiVec<EdgeId, Origin<(FuncId, EdgeId)>>,
}

/// The way back from a derived program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    pub functions: TiVec<FuncId, FunctionProvenance>,
    pub inputs: TiVec<InputId, Origin<InputId>>,
    pub checks: TiVec<CheckId, Origin<CheckId>>,
    pub runs: Runs,
}

impl Provenance {
    /// Of a program that is the original itself.
    pub fn identity(program: &Program) -> Provenance {
        Provenance {
            functions: program.function_ids().map(|id| FunctionProvenance::identity(program, id)).collect(),
            inputs: program.inputs.keys().map(Origin::Original).collect(),
            checks: program.checks.keys().map(Origin::Original).collect(),
            runs: Runs::Same,
        }
    }

    pub fn location(&self, func: FuncId, loc: Loc) -> Origin<(FuncId, Loc)> {
        self.functions[func].locations[loc]
    }

    pub fn edge(&self, func: FuncId, edge: EdgeId) -> Origin<(FuncId, EdgeId)> {
        self.functions[func].edges[edge]
    }

    pub fn input(&self, id: InputId) -> Origin<InputId> {
        self.inputs[id]
    }

    pub fn check(&self, id: CheckId) -> Origin<CheckId> {
        self.checks[id]
    }

    /// The inputs of a run of the derived program as inputs of the original: those that the original asks for.
    pub fn inputs_home(&self, inputs: &[(InputId, InputValue)]) -> Vec<(InputId, InputValue)> {
        let home = inputs.iter().filter_map(|(id, value)| Some((self.input(*id).original()?, value.clone())));
        home.collect()
    }

    /// The provenance in the original's original, whose derivation `earlier` describes.
    pub fn after(self, earlier: &Provenance) -> Provenance {
        let functions = self.functions.into_iter().map(|f| FunctionProvenance {
            function: f.function.through(|id| earlier.functions[id].function),
            locations: f.locations.into_iter().map(|l| l.through(|(id, loc)| earlier.location(id, loc))).collect(),
            edges: f.edges.into_iter().map(|e| e.through(|(id, edge)| earlier.edge(id, edge))).collect(),
        });
        Provenance {
            functions: functions.collect(),
            inputs: self.inputs.into_iter().map(|i| i.through(|id| earlier.input(id))).collect(),
            checks: self.checks.into_iter().map(|c| c.through(|id| earlier.check(id))).collect(),
            runs: earlier.runs.then(self.runs),
        }
    }
}

impl FunctionProvenance {
    pub fn identity(program: &Program, id: FuncId) -> FunctionProvenance {
        let function = program.function(id);
        FunctionProvenance {
            function: Origin::Original(id),
            locations: function.locs().map(|loc| Origin::Original((id, loc))).collect(),
            edges: function.edge_ids().map(|edge| Origin::Original((id, edge))).collect(),
        }
    }

    /// Of a function all of which was made up.
    fn made(function: &Function, why: Made) -> FunctionProvenance {
        FunctionProvenance {
            function: Origin::Made(why),
            locations: vec![Origin::Made(why); function.loc_count as usize].into(),
            edges: vec![Origin::Made(why); function.edges.len()].into(),
        }
    }
}

/// A function of edges with their origins, in the order that functions keep their edges in.
fn assemble(
    mut parts: FunctionParts,
    mut edges: Vec<(Edge, Origin<(FuncId, EdgeId)>)>,
) -> (Function, TiVec<EdgeId, Origin<(FuncId, EdgeId)>>) {
    // The same stable order as `Function::new` makes.
    edges.sort_by_key(|(edge, _)| edge.from);
    let (list, origins) = edges.into_iter().unzip();
    parts.edges = list;
    (Function::new(parts), origins)
}
