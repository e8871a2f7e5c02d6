//! Fingerprints of states: 128 bits that tell whether two states go on alike.
//!
//! Part of it is what the rest of a run depends on: the calls of all stacks with their registers, global registers, valid bytes and live objects. Left out are
//! counters, and which addresses are free: two states with one fingerprint may get other addresses for what they allocate from here on.
//!
//! Registers that nobody will read again make states differ in vain. Where a run stops at an input they are left out, by liveness of the automata
//! ([`LiveRegisters`]). There, behind a call and behind a switch of stacks, an activation reads nothing but its variables before it writes:
//! temporaries belong to one edge, and copies of program registers and the address of the objects are what the state says elsewhere.
//!
//! Different states have the same fingerprint by chance once in 2^128 pairs (hash compaction, Wolper and Leroy 1993).

use crate::image::Image;
use crate::machine::Machine;
use crate::memory::layout::SegmentKind;
use crate::state::Stack;
use plumb_ir::program::{Callee, FuncId, HavocPlace, Intrinsic, LocalVar, Op, VarRef};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

struct Folding {
    a: u64,
    b: u64,
}

fn multiplied(x: u64, by: u64) -> u64 {
    let product = x as u128 * by as u128;
    product as u64 ^ (product >> 64) as u64
}

impl Folding {
    fn add(&mut self, word: u64) {
        self.a = multiplied(self.a.rotate_left(29) ^ word ^ SECOND, FIRST);
        self.b = multiplied(self.b.rotate_left(41) ^ word.wrapping_add(FIRST), SECOND);
    }

    fn add_all(&mut self, words: &[u64]) {
        self.add(words.len() as u64);
        words.iter().for_each(|word| self.add(*word));
    }
}

/// The variables of each function that may be read later, by location.
#[derive(Default)]
pub struct LiveRegisters {
    /// What was found before, by function and instruction.
    known: RefCell<FxHashMap<(FuncId, u32, Stopped), Found>>,
}

/// The registers that may be read later, or nothing where that is not known.
type Found = Option<Arc<[LiveRegister]>>;

/// How an activation has come to stop at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stopped {
    /// It asks for an input.
    AtInput,
    /// It has given the processor to another stack.
    BehindSwitch,
    /// It has called a function.
    InCall,
}

/// A register that may be read later: its variable, where it is in the window, and how many words it has.
#[derive(Clone, Copy)]
struct LiveRegister {
    var: u32,
    slot: u32,
    words: u32,
}

impl LiveRegisters {
    /// The registers of an activation that stopped at an instruction.
    fn at(&self, image: &Image, func: FuncId, pc: u32, stopped: Stopped) -> Found {
        let mut known = self.known.borrow_mut();
        known.entry((func, pc, stopped)).or_insert_with(|| self.find(image, func, pc, stopped)).clone()
    }

    fn find(&self, image: &Image, func: FuncId, pc: u32, stopped: Stopped) -> Found {
        let site = image.site(pc);
        let function = image.program().function(func);
        if site.func != func {
            return None;
        }
        let edge = function.edge(site.edge);
        let written = match (&edge.op, stopped) {
            (Op::Havoc { to: HavocPlace::Var(var), .. }, Stopped::AtInput) => Some(*var),
            (Op::Call { callee: Callee::Intrinsic(Intrinsic::SwitchStack), .. }, Stopped::BehindSwitch) => None,
            (Op::Call { to, callee: Callee::Direct(_) | Callee::Indirect(_), .. }, Stopped::InCall) => *to,
            _ => return None,
        };
        let is_read = |var: LocalVar| {
            let var = VarRef::Local(var);
            written != Some(var) && image.liveness(func).is_live(edge.to, var)
        };
        let vars = function.vars.iter_enumerated().filter(|(var, _)| is_read(*var));
        let registers = vars.map(|(var, info)| LiveRegister {
            var: var.0,
            slot: image.local_slot(func, var).0,
            words: if image.is_wide(info.ty) { 2 } else { 1 },
        });
        Some(registers.collect())
    }
}

impl Machine {
    /// The fingerprint of the present state.
    pub fn fingerprint(&self) -> u128 {
        self.folded(None)
    }

    /// The fingerprint of a state in which the program asks for an input, without what no run from there reads.
    pub fn fingerprint_at_input(&self, live: &LiveRegisters) -> u128 {
        self.folded(Some(live))
    }

    fn folded(&self, live: Option<&LiveRegisters>) -> u128 {
        let mut folding = Folding { a: FIRST, b: SECOND };
        folding.add(self.state.current as u64);
        folding.add_all(&self.state.globals);
        for (number, stack) in self.state.stacks.iter().enumerate().filter(|(_, stack)| stack.is_live()) {
            folding.add(number as u64);
            self.add_stack(&mut folding, stack);
            match live {
                None => folding.add_all(&stack.registers[..stack.used(&self.image)]),
                Some(live) => self.add_live(&mut folding, stack, number == self.state.current, live),
            }
        }
        for kind in SegmentKind::ALL {
            self.memory.space().each_page_in(kind, None, |address, page| {
                let bytes = page.data.chunks_exact(8).zip(page.valid.chunks_exact(8));
                for (at, (data, valid)) in bytes.enumerate() {
                    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                    let word = word(data) & word(valid);
                    // Most words are zero.
                    if word != 0 {
                        folding.add(address + 8 * at as u64);
                        folding.add(word);
                    }
                }
            });
        }
        for object in self.memory.space().heap_objects().iter() {
            folding.add(object.base);
            folding.add(object.size);
        }
        (folding.a as u128) << 64 | folding.b as u128
    }

    fn add_stack(&self, folding: &mut Folding, stack: &Stack) {
        folding.add(stack.pc as u64);
        folding.add(stack.fp as u64);
        folding.add(stack.sp);
        for call in &stack.activations {
            folding.add(self.image.index_of(call.ret) as u64);
            folding.add((call.func as u64) << 32 | call.d as u64);
        }
        for frame in &stack.frames {
            folding.add(frame.base);
        }
        for allocated in &stack.allocated {
            folding.add(allocated.object.base);
            folding.add(allocated.object.size);
        }
    }

    /// The registers of a stack that may be read later.
    fn add_live(&self, folding: &mut Folding, stack: &Stack, is_running: bool, live: &LiveRegisters) {
        let used = stack.used(&self.image);
        let mut base = stack.fp - stack.activations.iter().map(|call| call.window as usize).sum::<usize>();
        for (at, call) in stack.activations.iter().enumerate() {
            base += call.window as usize;
            let func = FuncId(call.func);
            // The instruction that the activation is at.
            let at_edge = match stack.activations.get(at + 1) {
                Some(callee) => self.image.index_of(callee.ret).checked_sub(1).map(|pc| (pc, Stopped::InCall)),
                None if is_running => Some((stack.pc, Stopped::AtInput)),
                // A stack that does not run goes on behind its switch.
                None if stack.pc > self.image.functions[func].start => Some((stack.pc - 1, Stopped::BehindSwitch)),
                // Or it has not begun.
                None => None,
            };
            match at_edge.and_then(|(pc, stopped)| live.at(&self.image, func, pc, stopped)) {
                Some(registers) => {
                    for register in registers.iter() {
                        let slot = base + register.slot as usize;
                        folding.add(register.var as u64);
                        folding.add_all(&stack.registers[slot..slot + register.words as usize]);
                    }
                }
                // Anywhere else all may be read.
                None => {
                    let end = stack.activations.get(at + 1).map_or(used, |callee| base + callee.window as usize);
                    folding.add_all(&stack.registers[base..end]);
                }
            }
        }
    }
}
