//! Runs of the machine, edge by edge.

use plumb_exec::{
    CompileOptions, FnInputs, Image, InputSource, InputValue, Limits, Machine, Outcome, RegionFill, Settling, StopSet,
    TraceEvent, TracePhase,
};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::{Callee, EdgeId, FuncId, Op, Program, VarRef};
use plumb_ir::ty::Bits;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

pub const STEPS: u64 = 20_000;
/// Runs that ask for larger regions are cut off.
const LARGEST: u64 = 1 << 20;

/// What a run did.
#[derive(Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// The edges in the order in which they began, the one that ended the run included.
    pub path: Vec<(FuncId, EdgeId)>,
    /// The inputs with the edges that asked for them.
    pub inputs: Vec<Given>,
}

#[derive(Clone, Debug)]
pub struct Given {
    pub id: InputId,
    pub value: InputValue,
    pub at: (FuncId, EdgeId),
    /// How many edges of the path had begun.
    pub step: usize,
}

impl Run {
    pub fn values(&self) -> Vec<(InputId, InputValue)> {
        self.inputs.iter().map(|given| (given.id, given.value.clone())).collect()
    }
}

type Record = Rc<RefCell<Vec<(InputId, InputValue)>>>;

struct Noted<'a> {
    source: &'a mut dyn InputSource,
    record: Record,
}

impl InputSource for Noted<'_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        let value = self.source.scalar(id, site)?;
        self.record.borrow_mut().push((id, InputValue::Scalar(value)));
        Some(value)
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        if size > LARGEST {
            return None;
        }
        let fill = RegionFill::Bytes(self.source.region(id, site, size)?.bytes(size as usize));
        self.record.borrow_mut().push((id, InputValue::Region(fill.clone())));
        Some(fill)
    }
}

pub fn image(program: &Program) -> Arc<Image> {
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    Arc::new(Image::compile(program, &options).expect("the program can be compiled"))
}

/// Runs the program from its start.
pub fn run(program: &Program, source: &mut dyn InputSource) -> Run {
    run_observed(&mut Machine::new(image(program)), source, STEPS, &mut |_, _| {})
}

/// Where an event belongs to a direct call of a function, and where its result goes.
pub fn direct_call(program: &Program, event: &TraceEvent, func: FuncId) -> Option<((FuncId, EdgeId), Option<VarRef>)> {
    let at = (event.func, event.edge);
    match program.function(at.0).edge(at.1).op {
        Op::Call { to, callee: Callee::Direct(callee), .. } if callee == func => Some((at, to)),
        _ => None,
    }
}

/// Goes on with a run. The observer is told of each event, with the number of edges that had begun before it.
pub fn run_observed(
    machine: &mut Machine,
    source: &mut dyn InputSource,
    steps: u64,
    observer: &mut dyn FnMut(TraceEvent, usize),
) -> Run {
    machine.set_settling(Settling::AsInputs);
    let program = machine.image().program().clone();
    let record = Record::default();
    let mut noted = Noted { source, record: record.clone() };
    let mut path = Vec::new();
    let mut inputs: Vec<Given> = Vec::new();
    let take = |inputs: &mut Vec<Given>, at: (FuncId, EdgeId), step: usize| {
        let record = record.borrow();
        let news = record.iter().skip(inputs.len()).cloned().collect::<Vec<_>>();
        inputs.extend(news.into_iter().map(|(id, value)| Given { id, value, at, step }));
    };
    let limits = Limits { depth: 5_000, memory: 1 << 26, ..Limits::steps(steps) };
    let outcome = machine.run_traced(&mut noted, limits, &StopSet::default(), &mut |event| {
        let at = (event.func, event.edge);
        let op = &program.function(event.func).edge(event.edge).op;
        take(&mut inputs, at, path.len());
        let before = path.len();
        if !(matches!(op, Op::Call { .. }) && event.phase == TracePhase::Done) {
            path.push(at);
        }
        observer(event, before);
    });
    if let Some(site) = outcome.site() {
        let at = (site.func, site.edge);
        take(&mut inputs, at, path.len());
        // Calls and returns are told of before they fail.
        let is_told = matches!(program.function(at.0).edge(at.1).op, Op::Call { .. } | Op::Return(_));
        if !(is_told && path.last() == Some(&at)) {
            path.push(at);
        }
    }
    Run { outcome, path, inputs }
}

/// Answers the inputs of a list, each of which must be the one that is asked for.
pub struct Listed {
    list: std::vec::IntoIter<(InputId, InputValue)>,
    /// An input that was asked for while another one was next.
    pub astray: Option<(InputId, Option<InputId>)>,
}

impl Listed {
    pub fn new(list: Vec<(InputId, InputValue)>) -> Listed {
        Listed { list: list.into_iter(), astray: None }
    }

    fn next(&mut self, id: InputId) -> Option<InputValue> {
        match self.list.next() {
            Some((next, value)) if next == id => Some(value),
            other => {
                self.astray.get_or_insert((id, other.map(|(next, _)| next)));
                None
            }
        }
    }
}

impl InputSource for Listed {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        FnInputs(|id| self.next(id)).scalar(id, site)
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        FnInputs(|id| self.next(id)).region(id, site, size)
    }
}

/// Whether the run met a limit of the machine, of which programs know nothing.
pub fn is_cut_off(outcome: &Outcome) -> bool {
    use plumb_exec::FaultKind;
    match outcome {
        Outcome::StepLimit | Outcome::NoInput { .. } => true,
        Outcome::Fault { kind, .. } => {
            matches!(kind, FaultKind::StackOverflow | FaultKind::OutOfMemory | FaultKind::BadFormat)
        }
        _ => false,
    }
}
