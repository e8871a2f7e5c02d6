//! Two states at one place become one.
//!
//! What they have in common stays as it is; what differs becomes a choice by the condition that distinguishes their paths.
//! Registers that nobody will read any more are dropped, but for variables where leaks are looked for.

use crate::log::EventLog;
use crate::memory::cells::{Cell, Cells, Fill};
use crate::memory::{ArrayContent, Content, Object};
use crate::path::Path;
use crate::state::{Frame, State};
use crate::sym::Sym;
use crate::value::ObjId;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::program::{GlobalVar, Lifetime, Loc, LocalVar, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::TermId;
use std::sync::Arc;

/// Fills of larger objects are not compared byte by byte.
const LARGE: u64 = 4096;

impl Sym<'_> {
    /// Joins two states of the same activations at the same locations, on all their stacks. `live` is of the running function. The log has a gap
    /// where their memory has nothing in common that one state could hold.
    pub fn join(&mut self, a: State, b: State, live: &Liveness) -> (State, EventLog) {
        // Who explores compares positions, of which those of other stacks are easily got wrong.
        assert!(a.stacks.is_none() && b.stacks.is_none() || a.is_at_same_places(&b), "states of different places");
        debug_assert!(a.is_at_same_places(&b));
        let meeting = Path::meet(&a.path, &b.path, &mut self.terms);
        let first = meeting.first;
        let fault = self.terms.or(a.fault, b.fault);
        let has_unnamed_heap = a.has_unnamed_heap || b.has_unnamed_heap;
        let is_stack_bounded_only = a.is_stack_bounded_only || b.is_stack_bounded_only;
        let has_unknown_stacks = a.has_unknown_stacks || b.has_unknown_stacks;
        let path = meeting.path;
        let mut joined = State { path, fault, has_unnamed_heap, is_stack_bounded_only, has_unknown_stacks, ..a };
        self.join_globals(&mut joined, &b, first);
        let loc = joined.loc;
        self.join_frames(&mut joined.frames, &b.frames, first, Some((live, loc)));
        if let (Some(stacks), Some(others)) = (&mut joined.stacks, &b.stacks)
            && !Arc::ptr_eq(stacks, others)
        {
            let suspended = &mut Arc::make_mut(stacks).suspended;
            for (stack, other) in suspended.values_mut().zip(others.suspended.values()) {
                self.join_frames(&mut stack.frames, &other.frames, first, None);
            }
        }
        self.join_memory(&mut joined, &b, first);
        (joined, std::mem::take(&mut self.scratch.log))
    }

    /// Joins the frames of one stack. `live` is of the last one, if that is known.
    fn join_frames(
        &mut self,
        frames: &mut [Arc<Frame>],
        others: &[Arc<Frame>],
        first: TermId,
        live: Option<(&Liveness, Loc)>,
    ) {
        let last = frames.len() - 1;
        for (i, (frame, other)) in frames.iter_mut().zip(others).enumerate() {
            if Arc::ptr_eq(frame, other) {
                continue;
            }
            let mut joined = Frame::clone(frame);
            self.join_frame(&mut joined, other, first, live.filter(|_| i == last));
            *frame = Arc::new(joined);
        }
    }

    fn join_globals(&mut self, joined: &mut State, b: &State, first: TermId) {
        let program = self.program;
        let places: Vec<u32> = joined.globals.unshared(&b.globals).collect();
        for at in places {
            let (Some(x), Some(y)) = (joined.globals.get(at), b.globals.get(at)) else { continue };
            if x != y {
                let value = self.choose(first, &x.clone(), y, program.var(GlobalVar(at)).ty);
                joined.globals.set(at, value);
            }
        }
    }

    fn join_frame(&mut self, frame: &mut Frame, other: &Frame, first: TermId, live: Option<(&Liveness, Loc)>) {
        let function = self.program.function(frame.func);
        let places: Vec<u32> = frame.registers.unshared(&other.registers).collect();
        for at in places {
            let (x, y) = (frame.registers.get(at).cloned(), other.registers.get(at).cloned());
            if x == y {
                continue;
            }
            let is_live = |(live, loc): (&Liveness, Loc)| live.is_live(loc, VarRef::Local(LocalVar(at)));
            let is_kept = || self.finds_leaks && function.var(LocalVar(at)).lifetime != Lifetime::Expression;
            if !live.is_none_or(is_live) && !is_kept() {
                frame.registers.remove(at);
                continue;
            }
            // One that has no value yet is not read before it has one, or it may be any.
            let ty = function.var(LocalVar(at)).ty;
            let [x, y] = [x, y].map(|value| value.unwrap_or_else(|| self.unspecified(ty)));
            let value = self.choose(first, &x, &y, ty);
            frame.registers.set(at, value);
        }
        frame.stack = frame.stack.max(other.stack);
        for object in &other.dynamic {
            if !frame.dynamic.contains(object) {
                frame.dynamic.push(*object);
            }
        }
    }

    fn join_memory(&mut self, joined: &mut State, b: &State, first: TermId) {
        let places: Vec<u32> = joined.memory.unshared(&b.memory).collect();
        for at in places {
            let object = match (joined.memory.get(at).cloned(), b.memory.get(at)) {
                (Some(x), Some(y)) => {
                    let alive = self.terms.ite(first, x.alive, y.alive);
                    let content = if Arc::ptr_eq(&x.content, &y.content) {
                        x.content
                    } else {
                        match self.join_content(ObjId(at), &x.content, &y.content, first) {
                            Some(content) => Arc::new(content),
                            None => {
                                self.give_up(joined, TermId::bool(true));
                                x.content
                            }
                        }
                    };
                    Object { content, alive }
                }
                (Some(x), None) => Object { alive: self.terms.and(first, x.alive), ..x },
                (None, Some(y)) => {
                    let second = self.terms.not(first);
                    Object { content: y.content.clone(), alive: self.terms.and(second, y.alive) }
                }
                (None, None) => continue,
            };
            joined.memory.set(at, object);
        }
    }

    pub(crate) fn join_content(&mut self, object: ObjId, a: &Content, b: &Content, first: TermId) -> Option<Content> {
        let size = self.objects[object].const_size();
        match (a, b) {
            (Content::Cells(x), Content::Cells(y)) => {
                if x.pieces() == y.pieces() {
                    return Some(Content::Cells(self.join_cells(x, y, first)));
                }
                if self.foreign() == Some(object) {
                    let unit = self.program.target.pointer_bytes;
                    let (x, y) = (self.array_of_cells(x, unit, size)?, self.array_of_cells(y, unit, size)?);
                    return self.join_arrays(&x, &y, first);
                }
                let size = size.filter(|size| *size <= LARGE)?;
                let (x, y) = (self.covered(x, y, size), self.covered(y, x, size));
                Some(Content::Cells(self.join_cells(&x, &y, first)))
            }
            (Content::Array(x), Content::Array(y)) => self.join_arrays(x, y, first),
            (Content::Cells(x), Content::Array(y)) => {
                let x = self.array_of_cells(x, y.unit, size)?;
                self.join_arrays(&x, y, first)
            }
            (Content::Array(x), Content::Cells(y)) => {
                let y = self.array_of_cells(y, x.unit, size)?;
                self.join_arrays(x, &y, first)
            }
        }
    }

    fn join_arrays(&mut self, a: &ArrayContent, b: &ArrayContent, first: TermId) -> Option<Content> {
        if a.unit != b.unit || self.terms.sort(a.array) != self.terms.sort(b.array) {
            return None;
        }
        let array = self.terms.ite(first, a.array, b.array);
        let mut pointees = a.pointees.clone();
        if !Arc::ptr_eq(&pointees, &b.pointees) {
            Arc::make_mut(&mut pointees).extend(b.pointees.iter().copied());
        }
        let holds_addresses = a.holds_addresses || b.holds_addresses;
        Some(Content::Array(ArrayContent { array, unit: a.unit, pointees, holds_addresses }))
    }

    /// Cells with equal fills.
    fn join_cells(&mut self, a: &Cells, b: &Cells, first: TermId) -> Cells {
        let mut joined = a.clone();
        let mut done = 0;
        for at in a.unshared(b) {
            if at < done {
                continue;
            }
            // The larger of the two cells there decides how it is read.
            let wider = |x: Option<&Cell>, y: Option<&Cell>| match (x, y) {
                (Some(x), Some(y)) if y.size > x.size => Some((y.ty, y.size)),
                (Some(x), _) => Some((x.ty, x.size)),
                (None, y) => y.map(|y| (y.ty, y.size)),
            };
            let Some((ty, size)) = wider(a.get(at), b.get(at)) else { continue };
            done = end_of_overlap(a, b, at, at + size);
            // Cells that lie across its end are joined with it, byte by byte.
            let (ty, step) = if done == at + size { (ty, size) } else { (Ty::Int(8), 1) };
            for at in (at..done).step_by(step as usize) {
                let (x, y) = (self.cells_load(a, at, ty), self.cells_load(b, at, ty));
                let value = self.choose(first, &x, &y, ty);
                self.cells_store(&mut joined, at, value, ty);
            }
        }
        joined
    }

    /// Cells with every byte covered where the fills of the two differ.
    fn covered(&mut self, cells: &Cells, other: &Cells, size: u64) -> Cells {
        let mut result = cells.clone();
        let word = self.pointer_width() as u64 / 8;
        let mut at = 0;
        while at < size {
            let ((x, x_end), (y, y_end)) = (cells.fill_at(at), other.fill_at(at));
            let end = x_end.min(y_end).min(size);
            if x == y {
                at = end;
                continue;
            }
            // Once every byte is covered, any fill will do.
            result.set_fill(at, end, Fill::Byte(0));
            if let Some((from, cell)) = cells.touching(at, at + 1).next() {
                at = from + cell.size;
                continue;
            }
            let free = cells.touching(at, at + word).next().map_or(u64::MAX, |(from, _)| from);
            let (ty, step) =
                if at % word == 0 && at + word <= end.min(free) { (Ty::Ptr, word) } else { (Ty::Int(8), 1) };
            let value = self.fill_value(x, at, ty);
            result.insert(at, Cell { value, ty, size: step });
            at += step;
        }
        result
    }
}

/// How far cells of the two reach that overlap a range, or overlap others that do.
fn end_of_overlap(a: &Cells, b: &Cells, from: u64, to: u64) -> u64 {
    let mut end = to;
    loop {
        let reach = a.touching(from, end).chain(b.touching(from, end)).map(|(at, cell)| at + cell.size).max();
        match reach {
            Some(reach) if reach > end => end = reach,
            Some(_) | None => return end,
        }
    }
}
