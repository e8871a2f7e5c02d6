//! Abstract states: what a state looks like from a distance.
//!
//! A feature is one scalar of the program: a global, a member of a static object, a local of the function whose loop head
//! is reached. Few different values are distinguished as they are; of many, only the place among the constants that the
//! program compares them with, or the magnitude. A state is new if a feature has a new value, if two features have a new
//! pair of values, or if all that have few values are in a new combination.

use super::plan::Plan;
use super::tuning::TUNING;
use plumb_c::types::{TyId, Type, TypeTable};
use plumb_exec::{Image, Machine};
use plumb_ir::program::{FuncId, GlobalVar, LocalObj, LocalVar, Program};
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// Where a feature's value is found.
#[derive(Clone, Copy, Debug)]
enum Place {
    Global(GlobalVar),
    Local(LocalVar),
    /// Among the bytes of the objects that are looked at.
    Bytes(usize),
}

/// An object of which bytes are looked at.
#[derive(Clone, Copy, Debug)]
enum Object {
    Static(u64),
    Frame(LocalObj),
}

#[derive(Clone, Debug)]
struct Feature {
    place: Place,
    bits: u32,
    signed: bool,
    is_float: bool,
    /// What it is compared with.
    constants: Arc<[i128]>,
}

/// The features seen at one loop head: the program's come first, at every head the same.
#[derive(Debug)]
pub struct Layout {
    features: Vec<Feature>,
    /// How many bytes from the start of each object, one after the other.
    objects: Vec<(Object, usize)>,
}

impl Layout {
    /// What to look at at each of the heads.
    pub fn all(program: &Program, image: &Image, plan: &Plan) -> Vec<Layout> {
        let shared = Layout::shared(program, image, plan);
        plan.heads.iter().map(|head| shared.with_locals(program, head.func)).collect()
    }

    /// The features that every head has.
    fn shared(program: &Program, image: &Image, plan: &Plan) -> Layout {
        let mut layout = Layout { features: Vec::new(), objects: Vec::new() };
        // What is compared with something matters most.
        for with_constants in [true, false] {
            for (id, var) in program.vars.iter_enumerated().filter(|(_, v)| !v.name.starts_with("__plumb")) {
                let constants = plan.constants.of_register.get(&id);
                if constants.is_some() == with_constants {
                    let constants: Arc<[i128]> = constants.map_or_else(|| Arc::from([]), |c| c.as_slice().into());
                    layout.features.extend(scalar(program, Place::Global(id), var.ty, var.cty, constants));
                }
            }
        }
        // Which constants a member of an object is compared with is not known: a few of any are tried.
        let pool: Arc<[i128]> = if plan.constants.all.len() <= TUNING.max_distinct {
            plan.constants.all.as_slice().into()
        } else {
            Arc::from([])
        };
        for (id, object) in program.objects.iter_enumerated() {
            let is_hidden = object.read_only || object.name.starts_with("__plumb");
            let (false, Some(ty)) = (is_hidden, object.cty) else { continue };
            let base = image.addresses().object(id).base;
            layout.add_object(program, Object::Static(base), ty, &pool, TUNING.max_features - TUNING.max_features / 4);
        }
        layout
    }

    fn with_locals(&self, program: &Program, func: FuncId) -> Layout {
        let function = program.function(func);
        let mut layout = Layout { features: self.features.clone(), objects: self.objects.clone() };
        layout.features.truncate(TUNING.max_features - TUNING.max_features / 4);
        for (id, var) in function.vars.iter_enumerated().filter(|(_, v)| !v.is_made()) {
            let place = Place::Local(id);
            layout.features.extend(scalar(program, place, var.ty, var.cty, Arc::from([])));
        }
        for (id, object) in function.objects.iter_enumerated().filter(|(_, o)| !o.name.starts_with('%')) {
            if let Some(ty) = object.cty {
                layout.add_object(program, Object::Frame(id), ty, &Arc::from([]), TUNING.max_features);
            }
        }
        layout.features.truncate(TUNING.max_features);
        layout
    }

    fn add_object(&mut self, program: &Program, object: Object, ty: TyId, constants: &Arc<[i128]>, most: usize) {
        if self.features.len() >= most {
            return;
        }
        let start: usize = self.objects.iter().map(|(_, size)| size).sum();
        let mut size = 0;
        let (features, table) = (&mut self.features, &program.types.table);
        table.each_scalar(ty, 0, TUNING.array_elements, &mut |offset, ty| {
            if let Some((bits, signed, is_float)) = number(table, ty).filter(|_| features.len() < most) {
                let place = Place::Bytes(start + offset as usize);
                features.push(Feature { place, bits, signed, is_float, constants: constants.clone() });
                size = size.max((offset + bits as u64 / 8) as usize);
            }
        });
        if size > 0 {
            self.objects.push((object, size));
        }
    }

    /// The values of the features in the state that the machine is in.
    fn read(&self, machine: &mut Machine, bytes: &mut Vec<u8>, state: &mut Vec<u64>) {
        bytes.clear();
        for (object, size) in &self.objects {
            let at = bytes.len();
            bytes.resize(at + size, 0);
            let base = match object {
                Object::Static(base) => Some(*base),
                Object::Frame(object) => machine.local_object(*object).map(|object| object.base),
            };
            // What cannot be read counts as zero.
            if base.is_none_or(|base| machine.read_memory(base, &mut bytes[at..]).is_err()) {
                bytes[at..].fill(0);
            }
        }
        state.clear();
        state.extend(self.features.iter().map(|f| match f.place {
            Place::Global(var) => machine.global(var).u64(),
            Place::Local(var) => machine.local(var).map_or(0, Bits::u64),
            Place::Bytes(at) => {
                let mut value = [0u8; 8];
                let size = f.bits as usize / 8;
                value[..size].copy_from_slice(&bytes[at..at + size]);
                u64::from_le_bytes(value)
            }
        }));
    }
}

fn scalar(program: &Program, place: Place, ty: Ty, cty: Option<TyId>, constants: Arc<[i128]>) -> Option<Feature> {
    let bits = ty.bits(&program.target);
    let is_pointer = ty == Ty::Ptr;
    let signed = cty.and_then(|c| number(&program.types.table, c)).is_some_and(|(_, signed, _)| signed);
    (bits <= 64 && !is_pointer).then_some(Feature { place, bits, signed, is_float: ty.is_float(), constants })
}

/// The bits of a number of a type, whether it is signed, and whether it is a float; `None` for what is no number, or a large one.
fn number(table: &TypeTable, ty: TyId) -> Option<(u32, bool, bool)> {
    let kind = match table.get(ty) {
        Type::Int(kind) => *kind,
        Type::Enum(id) => table.enumeration(*id).underlying?,
        Type::Float(kind) => {
            return match kind.format(&table.target) {
                FloatFormat::F32 => Some((32, false, true)),
                FloatFormat::F64 => Some((64, false, true)),
                FloatFormat::X87 => None,
            };
        }
        Type::Void | Type::Pointer(_) | Type::Array(..) | Type::Function(_) | Type::Record(_) | Type::Error => {
            return None;
        }
    };
    (kind.bits(&table.target) <= 64)
        .then(|| (kind.bytes(&table.target) as u32 * 8, kind.is_signed(&table.target), false))
}

impl Feature {
    fn number(&self, value: u64) -> i128 {
        match self.signed {
            true => Bits::new(value as u128, 64).signed(self.bits),
            false => value as i128,
        }
    }

    /// The class of a value among many.
    fn class(&self, value: u64) -> u64 {
        if self.is_float {
            // Sign and exponent.
            return value >> (self.bits - if self.bits == 32 { 9 } else { 12 });
        }
        // The interval between two constants, and how far the value is from the nearer end of it: what counts up to a
        // constant is distinguished ever more finely.
        let number = self.number(value);
        let above = self.constants.partition_point(|c| *c <= number);
        let below = above.checked_sub(1).map_or(0, |i| self.constants[i]);
        let from_below = number.abs_diff(below);
        let to_above = self.constants.get(above).map_or(u128::MAX, |c| c.abs_diff(number));
        let (away, side) = if to_above < from_below { (to_above, 1) } else { (from_below, 0) };
        let magnitude = 128 - away.leading_zeros() as u64;
        (above as u64) << 16 | side << 8 | magnitude | ((number < 0) as u64) << 63
    }

    /// The class of a value among many, in pairs with others: these are so many that fewer must do.
    fn coarse_class(&self, value: u64) -> u64 {
        let class = self.class(value);
        if self.is_float { class } else { class & !0xff | (class & 0xff).div_ceil(3) }
    }
}

/// How new a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Novelty {
    pub values: u32,
    pub pairs: u32,
    pub combination: bool,
}

/// What has been seen at the loop heads.
pub struct Seen {
    layouts: Arc<Vec<Layout>>,
    heads: Vec<SeenAt>,
    states: FxHashSet<u64>,
    bytes: Vec<u8>,
}

struct SeenAt {
    /// By feature: its values, as long as they are few.
    values: Vec<Option<Vec<u64>>>,
    classes: FxHashSet<u64>,
    pairs: Vec<u64>,
    last: Vec<u64>,
}

impl Seen {
    /// What all this takes, roughly.
    pub fn bytes(&self) -> u64 {
        let of_set = |set: &FxHashSet<u64>| set.capacity() as u64 * 9;
        let of_head = |at: &SeenAt| {
            let values: usize = at.values.iter().flatten().map(Vec::capacity).sum();
            of_set(&at.classes) + 8 * (values + at.pairs.capacity() + at.last.capacity()) as u64
        };
        of_set(&self.states) + self.heads.iter().map(of_head).sum::<u64>()
    }

    pub fn new(layouts: Arc<Vec<Layout>>) -> Seen {
        let heads = layouts
            .iter()
            .map(|layout| SeenAt {
                values: vec![Some(Vec::new()); layout.features.len()],
                classes: FxHashSet::default(),
                pairs: Vec::new(),
                last: vec![u64::MAX; layout.features.len()],
            })
            .collect();
        Seen { layouts, heads, states: FxHashSet::default(), bytes: Vec::new() }
    }

    /// Combinations seen.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The state that the machine is in, at a head.
    pub fn observe(&mut self, head: usize, machine: &mut Machine, state: &mut Vec<u64>) -> Novelty {
        self.layouts[head].read(machine, &mut self.bytes, state);
        self.add(head, state)
    }

    /// Adds a state, given by the values of its features.
    pub fn add(&mut self, head: usize, state: &[u64]) -> Novelty {
        let layout = &self.layouts[head];
        let at = &mut self.heads[head];
        let mut novelty = Novelty::default();
        let mut changed = [0u16; TUNING.max_features];
        let mut changes = 0;
        let mut combination = FxHasher::default();
        combination.write_u32(head as u32);
        for (i, feature) in layout.features.iter().enumerate() {
            let value = state[i];
            if at.last[i] != value {
                at.last[i] = value;
                changed[changes] = i as u16;
                changes += 1;
                novelty.values += at.add_value(i, feature, value) as u32;
            }
            if let Some(few) = &at.values[i]
                && few.len() <= TUNING.max_distinct / 2
            {
                combination.write_u64(value ^ (i as u64) << 48);
            }
        }
        if changes > 0 {
            novelty.pairs = at.add_pairs(layout, state, &changed[..changes]);
        }
        novelty.combination = self.states.insert(combination.finish());
        novelty
    }

    /// Forgets which state was the last one: the next is another run's.
    pub fn jump(&mut self) {
        // Values that no feature has, so that all count as changed, would make every pair be looked at again; that is
        // what a jump to another state means.
        self.heads.iter_mut().for_each(|at| at.last.fill(u64::MAX));
    }
}

impl SeenAt {
    /// Whether a value of a feature, or its class once there are many, is new.
    fn add_value(&mut self, i: usize, feature: &Feature, value: u64) -> bool {
        let class = |value: u64| hash2(i as u64, feature.class(value));
        let Some(few) = &mut self.values[i] else { return self.classes.insert(class(value)) };
        let is_new = !few.contains(&value);
        if is_new {
            few.push(value);
            if few.len() > TUNING.max_distinct {
                self.classes.extend(few.iter().map(|v| class(*v)));
                self.values[i] = None;
            }
        }
        is_new
    }

    /// Counts the new pairs of values that the changed features are in.
    fn add_pairs(&mut self, layout: &Layout, state: &[u64], changed: &[u16]) -> u32 {
        let paired = layout.features.len().min(TUNING.max_paired);
        if self.pairs.is_empty() {
            self.pairs = vec![0; 1 << (TUNING.pair_bits - 6)];
        }
        let mut kinds = [0u64; TUNING.max_paired];
        for (i, kind) in kinds.iter_mut().enumerate().take(paired) {
            let class = match &self.values[i] {
                Some(_) => state[i],
                None => layout.features[i].coarse_class(state[i]),
            };
            *kind = hash2(i as u64, class);
        }
        let mut new = 0;
        for i in changed.iter().map(|i| *i as usize).filter(|i| *i < paired) {
            for j in (0..paired).filter(|j| *j != i) {
                let bit = (hash2(kinds[i.min(j)], kinds[i.max(j)]) >> (64 - TUNING.pair_bits)) as usize;
                let word = &mut self.pairs[bit / 64];
                new += (*word >> (bit % 64) & 1 == 0) as u32;
                *word |= 1 << (bit % 64);
            }
        }
        new
    }
}

fn hash2(a: u64, b: u64) -> u64 {
    let mixed = (a ^ b.rotate_left(32)).wrapping_add(b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
