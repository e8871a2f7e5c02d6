//! The recorded inputs, sorted by who has to give them to the compiled program.

use super::devices::Read;
use crate::minimise::feed::{PATTERN, pattern_bits};
use plumb_c::types::TyId;
use plumb_exec::{InputValue, RegionFill};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::{AssumptionKind, HavocPlace, Op, Program};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a function returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Scalar(Bits),
    /// The bytes of a record from its start; the rest is zero.
    Bytes(Vec<u8>),
}

/// A function that the harness defines.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    pub cty: Option<TyId>,
    /// Where there is no C type.
    pub ty: Option<Ty>,
    pub answers: Vec<Answer>,
    /// Fills memory that it is given instead of returning a value.
    pub fills: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Local {
    pub name: Arc<str>,
    pub is_zero: bool,
    pub is_pattern: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    pub functions: BTreeMap<Arc<str>, Source>,
    /// Weak functions that nobody defines.
    pub absent: BTreeSet<Arc<str>>,
    /// Objects without a definition: their type and bytes.
    pub objects: BTreeMap<Arc<str>, (Option<TyId>, Vec<u8>)>,
    /// What fresh heap memory contains, in the order of allocation.
    pub heap: Vec<Vec<u8>>,
    /// What memory from outside holds at first, by offset.
    pub foreign: Option<BTreeMap<u64, u8>>,
    /// What was read from device registers, in order.
    pub registers: Vec<Read>,
    /// Arguments of the entry function.
    pub arguments: Vec<(InputId, InputValue)>,
    /// Locals that are read before they are written, and what they hold.
    pub locals: Vec<Local>,
    /// What calls leave out: whatever the compiled program finds in its place.
    pub missing: BTreeSet<String>,
    pub notes: Vec<String>,
}

impl Answers {
    pub fn new(program: &Program, inputs: &[(InputId, InputValue)]) -> Answers {
        let mut answers = Answers::default();
        answers.declare(program);
        let in_library = library_sites(program);
        let mut unsettable: BTreeSet<String> = BTreeSet::default();
        for (id, value) in inputs {
            let site = program.input(*id);
            match &site.origin {
                InputOrigin::Nondet(name) | InputOrigin::External(name) => answers.returned(name, site, value, program),
                // Told by what the function returned.
                InputOrigin::Library(_) => {}
                InputOrigin::FreshMemory if in_library.contains(id) => {
                    answers.heap.push(bytes_of(value, site, program))
                }
                InputOrigin::FreshMemory => {
                    if !is_zero(value) {
                        unsettable.insert("memory from alloca".to_string());
                    }
                }
                InputOrigin::Uninitialised(name) => {
                    let local = Local {
                        name: name.clone(),
                        is_zero: is_zero(value),
                        is_pattern: is_pattern(value, site, program),
                    };
                    if !answers.locals.contains(&local) {
                        answers.locals.push(local);
                    }
                }
                // Whether a weak function exists.
                // gcc makes it zero where it fills locals.
                InputOrigin::Padding(name) => {
                    if !is_zero(value) {
                        unsettable.insert(format!("the padding of `{name}`"));
                    }
                }
                InputOrigin::ExternalObject(name) if program.find_function(name).is_some() => {
                    if is_zero(value) {
                        answers.absent.insert(name.clone());
                    } else {
                        answers.functions.entry(name.clone()).or_default();
                    }
                }
                InputOrigin::ExternalObject(name) => {
                    let whole = site.part.as_ref().map_or(site.cty, |p| p.whole);
                    let object = answers.objects.entry(name.clone()).or_insert((whole, Vec::new()));
                    let offset = site.part.as_ref().map_or(0, |p| p.offset) as usize;
                    put(&mut object.1, offset, &bytes_of(value, site, program));
                }
                InputOrigin::Register(addr) => match value {
                    InputValue::Scalar(_) | InputValue::Region(RegionFill::Bytes(_)) => {
                        answers.read(*id, *addr, site, value, program);
                    }
                    InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_)) => {
                        unsettable.insert(format!("the device registers from {addr:#x} on"));
                    }
                },
                InputOrigin::MainArgument | InputOrigin::EntryArgument(..) => {
                    answers.arguments.push((*id, value.clone()));
                }
                InputOrigin::Volatile(name) => {
                    unsettable.insert(format!("what is read from the volatile object `{name}`"));
                }
                InputOrigin::Assembly => {
                    if !is_zero(value) {
                        unsettable.insert("outputs of inline assembly".to_string());
                    }
                }
                InputOrigin::ForeignMemory => match value {
                    InputValue::Region(RegionFill::Zero) if answers.foreign.is_none() => {
                        answers.foreign = Some(BTreeMap::new());
                    }
                    InputValue::Region(RegionFill::Sparse(bytes)) if answers.foreign.is_none() => {
                        answers.foreign = Some(bytes.clone());
                    }
                    InputValue::Region(_) => {
                        unsettable.insert("what memory from outside holds".to_string());
                    }
                    InputValue::Scalar(_) => {
                        unsettable.insert("what functions from outside return".to_string());
                    }
                },
                InputOrigin::ExternalMemory(name) => {
                    unsettable.insert(format!("what `{name}` leaves in the memory that it is handed"));
                }
                // Inputs of derived programs, whose runs are carried home before anyone is told of them.
                InputOrigin::Summary(name) => {
                    unsettable.insert(format!("what the summary of `{name}` chose"));
                }
                InputOrigin::UnitState(name) => {
                    unsettable.insert(format!("the value of `{name}` where the unit starts"));
                }
                InputOrigin::Schedule(_) => {
                    unsettable.insert("when threads and interrupt handlers run".to_string());
                }
                InputOrigin::MissingArgument(name) => {
                    answers.missing.insert(format!("an argument that a call of `{name}` leaves out"));
                }
                InputOrigin::MissingReturn(name) => {
                    answers.missing.insert(format!("the value that `{name}` does not return"));
                }
            }
        }
        if answers.fill().is_none() {
            let others = answers.locals.iter().filter(|l| !l.is_zero);
            unsettable.extend(others.map(|l| format!("the uninitialised variable `{}`", l.name)));
        }
        answers.notes = unsettable.into_iter().map(|what| format!("the harness cannot set {what}")).collect();
        answers
    }

    /// Functions that the program may call, whether the run does or not: the linker asks for all of them.
    fn declare(&mut self, program: &Program) {
        for site in program.inputs.iter() {
            let (InputOrigin::Nondet(name) | InputOrigin::External(name)) = &site.origin else { continue };
            let cty = site.part.as_ref().map_or(site.cty, |p| p.whole);
            let is_region = site.ty.is_none() || site.part.is_some();
            let fills = matches!(site.origin, InputOrigin::Nondet(_)) && cty.is_none() && is_region;
            let source = Source { cty, ty: site.ty, answers: Vec::new(), fills };
            self.functions.entry(name.clone()).or_insert(source);
        }
        for assumption in program.assumptions.iter() {
            if matches!(assumption.kind, AssumptionKind::ExternalFunction | AssumptionKind::ExternalEffects) {
                self.functions.entry(assumption.name.clone()).or_default();
            }
        }
    }

    fn returned(&mut self, name: &Arc<str>, site: &InputSite, value: &InputValue, program: &Program) {
        let source = self.functions.entry(name.clone()).or_default();
        let Some(part) = &site.part else {
            source.answers.push(match value {
                InputValue::Scalar(bits) => Answer::Scalar(*bits),
                InputValue::Region(_) => Answer::Bytes(bytes_of(value, site, program)),
            });
            return;
        };
        let bytes = bytes_of(value, site, program);
        match source.answers.last_mut() {
            Some(Answer::Bytes(whole)) if !part.is_first => put(whole, part.offset as usize, &bytes),
            _ => {
                let mut whole = Vec::new();
                put(&mut whole, part.offset as usize, &bytes);
                source.answers.push(Answer::Bytes(whole));
            }
        }
    }

    /// A read from a device, or of one part of a structure there.
    fn read(&mut self, input: InputId, address: u64, site: &InputSite, value: &InputValue, program: &Program) {
        let mut bytes = bytes_of(value, site, program);
        if let Some(part) = &site.part {
            // Structures are copied in words.
            let word = program.target.pointer_bytes;
            bytes.resize(((part.offset + bytes.len() as u64).next_multiple_of(word) - part.offset) as usize, 0);
        }
        match (&site.part, self.registers.last_mut()) {
            (Some(part), Some(whole)) if !part.is_first => put(&mut whole.bytes, part.offset as usize, &bytes),
            (part, _) => {
                let is_bits = site.cty.is_none() && site.ty.is_some() && part.is_none();
                let mut read = Read { input, address, bytes: Vec::new(), is_bits };
                put(&mut read.bytes, part.as_ref().map_or(0, |part| part.offset as usize), &bytes);
                self.registers.push(read);
            }
        }
    }

    /// What the compiler is to fill locals with; `None` if nothing it can do is right.
    pub fn fill(&self) -> Option<&'static str> {
        if self.locals.iter().all(|l| l.is_zero) {
            return Some("zero");
        }
        self.locals.iter().all(|l| l.is_pattern).then_some("pattern")
    }

    /// Whether memory from `malloc` holds anything but zeros.
    pub fn heap_is_zero(&self) -> bool {
        self.heap.iter().flatten().all(|b| *b == 0)
    }
}

/// The inputs that models of the library ask for.
fn library_sites(program: &Program) -> FxHashSet<InputId> {
    let library = program.functions.iter().filter(|f| f.is_library);
    let inputs = library.flat_map(|f| f.edges.iter()).filter_map(|edge| match &edge.op {
        Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Region { .. } | HavocPlace::Objects { .. }, input } => {
            Some(*input)
        }
        Op::Assign { .. } | Op::Assume { .. } | Op::Call { .. } | Op::Return(_) | Op::Check { .. } => None,
    });
    inputs.collect()
}

fn put(whole: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    if whole.len() < offset + bytes.len() {
        whole.resize(offset + bytes.len(), 0);
    }
    whole[offset..offset + bytes.len()].copy_from_slice(bytes);
}

fn is_zero(value: &InputValue) -> bool {
    match value {
        InputValue::Scalar(bits) => bits.is_zero(),
        InputValue::Region(RegionFill::Zero) => true,
        InputValue::Region(RegionFill::Bytes(bytes)) => bytes.iter().all(|b| *b == 0),
        InputValue::Region(RegionFill::Sparse(bytes)) => bytes.values().all(|b| *b == 0),
        InputValue::Region(RegionFill::Pattern(_)) => false,
    }
}

fn is_pattern(value: &InputValue, site: &InputSite, program: &Program) -> bool {
    match value {
        InputValue::Scalar(bits) => {
            let mask = if site.is_bool { 1 } else { site.ty.map_or(u128::MAX, |ty| ty.mask(&program.target)) };
            bits.u128() == pattern_bits().u128() & mask
        }
        InputValue::Region(RegionFill::Bytes(bytes)) => bytes.iter().all(|b| *b == PATTERN),
        InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_)) => false,
    }
}

pub(super) fn bytes_of(value: &InputValue, site: &InputSite, program: &Program) -> Vec<u8> {
    match value {
        InputValue::Scalar(bits) => {
            let size = site.ty.map_or(16, |ty| ty.bytes(&program.target)) as usize;
            let bits = if site.is_bool { bits.u128() & 1 } else { bits.u128() };
            bits.to_le_bytes()[..size.min(16)].to_vec()
        }
        InputValue::Region(RegionFill::Bytes(bytes)) => bytes.clone(),
        InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_)) => Vec::new(),
    }
}
