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

use crate::machine::Machine;
use crate::memory::layout::SegmentKind;
use crate::state::Stack;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::index::TiVec;
use plumb_ir::program::{Callee, FuncId, HavocPlace, Intrinsic, LocalVar, Op, Program, VarRef};

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
pub struct LiveRegisters {
    functions: TiVec<FuncId, Liveness>,
}

impl LiveRegisters {
    pub fn of(program: &Program) -> LiveRegisters {
        let functions: Vec<Liveness> = program.functions.iter().map(|function| Liveness::of(function)).collect();
        LiveRegisters { functions: functions.into() }
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
                folding.add(address);
                let bytes = page.data.chunks_exact(8).zip(page.valid.chunks_exact(8));
                for (data, valid) in bytes {
                    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                    folding.add(word(data) & word(valid));
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
        let last = stack.activations.len().saturating_sub(1);
        let mut base = stack.fp - stack.activations.iter().map(|call| call.window as usize).sum::<usize>();
        for (at, call) in stack.activations.iter().enumerate() {
            base += call.window as usize;
            let func = FuncId(call.func);
            // The edge that the activation is at.
            let pc = match stack.activations.get(at + 1) {
                Some(callee) => self.image.index_of(callee.ret).checked_sub(1),
                None if is_running => Some(stack.pc),
                // A stack that does not run goes on behind its switch.
                None if stack.pc > self.image.functions[func].start => Some(stack.pc - 1),
                // Or it has not begun.
                None => None,
            };
            let site = pc.map(|pc| self.image.site(pc)).filter(|site| site.func == func);
            let function = self.image.program().function(func);
            let edge = site.map(|site| function.edge(site.edge));
            let written = match edge.map(|edge| &edge.op) {
                Some(Op::Havoc { to: HavocPlace::Var(var), .. }) if at == last && is_running => Some(Some(*var)),
                Some(Op::Call { callee: Callee::Intrinsic(Intrinsic::SwitchStack), .. })
                    if at == last && !is_running =>
                {
                    Some(None)
                }
                Some(Op::Call { to, callee: Callee::Direct(_) | Callee::Indirect(_), .. }) if at < last => Some(*to),
                _ => None,
            };
            match edge.zip(written) {
                Some((edge, written)) => {
                    let is_read = |var: LocalVar| {
                        let var = VarRef::Local(var);
                        written != Some(var) && live.functions[func].is_live(edge.to, var)
                    };
                    for (var, info) in function.vars.iter_enumerated().filter(|(var, _)| is_read(*var)) {
                        let slot = base + self.image.local_slot(func, var).0 as usize;
                        let width = if self.image.is_wide(info.ty) { 2 } else { 1 };
                        folding.add(var.0 as u64);
                        folding.add_all(&stack.registers[slot..slot + width]);
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
