//! Data abstraction (section V.C of the paper): what of a state is kept at a cut.
//!
//! The kernel's variables are exact. Of the application, variables that several tasks access are forgotten until a refinement
//! tracks them; others keep what is constant, as in the paper local variables do. A variable that takes too many values at one
//! place is forgotten there and everywhere. A variable that is tracked by *constants* is distinguished by them, where its value
//! is no constant; everything else is one more case.

use super::blocks::Blocks;
use super::partition::Partition;
use super::tuning::TUNING;
use plumb_ir::ty::Bits;
use plumb_sym::StateCell;
use rustc_hash::{FxHashMap, FxHashSet};

/// How well a variable is known at cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Forgotten,
    /// What is constant stays, however many values there are.
    Exact,
    /// What is constant stays, unless there are too many values.
    Values,
    /// The same, and what is not is distinguished by these.
    Cases(Partition),
    /// Told apart by these alone: it has too many values.
    Classes(Partition),
}

#[derive(Default)]
pub(super) struct Precision {
    levels: FxHashMap<StateCell, Level>,
    /// Path conditions are kept up to the next loop head.
    pub keeps_paths: bool,
    /// Values of variables by place, until they are too many.
    seen: FxHashMap<(u64, StateCell), FxHashSet<u128>>,
    /// A variable has turned out to have too many values since the exploration began.
    has_widened: bool,
}

impl Precision {
    pub fn level(&self, blocks: &Blocks, cell: StateCell) -> &Level {
        match self.levels.get(&cell) {
            Some(level) => level,
            None => Precision::first(blocks, cell),
        }
    }

    /// The classes that a variable is distinguished by, if it is.
    pub fn partition(&self, cell: StateCell) -> Option<&Partition> {
        match self.levels.get(&cell)? {
            Level::Cases(partition) | Level::Classes(partition) => Some(partition),
            Level::Forgotten | Level::Exact | Level::Values => None,
        }
    }

    /// Whether some variable is distinguished by constants.
    pub fn has_cases(&self) -> bool {
        self.levels.values().any(|level| matches!(level, Level::Cases(_) | Level::Classes(_)))
    }

    /// Whether cuts before visible statements forget anything.
    pub fn forgets_visible(&self, blocks: &Blocks) -> bool {
        blocks.visible_cells().any(|cell| *self.level(blocks, cell) == Level::Forgotten)
    }

    /// Before any refinement.
    fn first(blocks: &Blocks, cell: StateCell) -> &'static Level {
        let is_forgotten = match cell {
            StateCell::Global(var) => blocks.is_visible_var(var) || blocks.is_unread(var),
            StateCell::Static(object, _) => blocks.is_visible_object(object),
            StateCell::Local(..) => blocks.is_long_counter(cell),
            StateCell::Memory(..) | StateCell::Unnamed => false,
        };
        match is_forgotten {
            true => &Level::Forgotten,
            false if Precision::is_kernels(blocks, cell) && !blocks.is_time(cell) => &Level::Exact,
            false => &Level::Values,
        }
    }

    fn is_kernels(blocks: &Blocks, cell: StateCell) -> bool {
        match cell {
            StateCell::Global(var) => blocks.is_kernel_var(var),
            StateCell::Static(object, _) => blocks.is_kernel_object(object),
            StateCell::Local(func, _) | StateCell::Memory(func, ..) => blocks.is_kernel_function(func),
            StateCell::Unnamed => false,
        }
    }

    /// A variable has a constant value at a place, given by a hash of where all stacks are. Whether it may keep it.
    pub fn admits(&mut self, blocks: &Blocks, place: u64, cell: StateCell, value: Bits) -> bool {
        if *self.level(blocks, cell) == Level::Exact {
            return true;
        }
        let most = match cell {
            _ if blocks.is_time(cell) => TUNING.most_times,
            StateCell::Local(..) => TUNING.most_local_values,
            StateCell::Global(_) | StateCell::Static(..) | StateCell::Memory(..) | StateCell::Unnamed => {
                TUNING.most_values
            }
        };
        let seen = self.seen.entry((place, cell)).or_default();
        if seen.len() > most {
            return false;
        }
        seen.insert(value.u128());
        if seen.len() <= most {
            return true;
        }
        let level = match self.level(blocks, cell) {
            Level::Cases(partition) | Level::Classes(partition) => Level::Classes(partition.clone()),
            Level::Forgotten | Level::Exact | Level::Values => Level::Forgotten,
        };
        self.levels.insert(cell, level);
        self.has_widened = true;
        false
    }

    pub fn begin_exploration(&mut self) {
        self.has_widened = false;
    }

    /// Whether an exploration that begins anew would know less of some variable from the start.
    pub fn has_widened(&self) -> bool {
        self.has_widened
    }

    /// Tracks a variable better, where some classes of values play a role. Whether that is possible.
    pub fn refine(&mut self, blocks: &Blocks, cell: StateCell, classes: &Partition) -> bool {
        let old = self.level(blocks, cell).clone();
        let was_widened = self.levels.get(&cell) == Some(&Level::Forgotten) || blocks.is_long_counter(cell);
        let joined = |known: &Partition| known.union(classes, TUNING.most_constants);
        let new = match old.clone() {
            // The constants that times are compared with say nothing about when alarms expire.
            _ if blocks.is_time(cell) => Level::Exact,
            Level::Forgotten if !was_widened => Level::Values,
            Level::Forgotten => Level::Classes(joined(&Partition::default())),
            Level::Exact => Level::Exact,
            Level::Values => Level::Cases(joined(&Partition::default())),
            Level::Cases(known) => Level::Cases(joined(&known)),
            Level::Classes(known) => Level::Classes(joined(&known)),
        };
        let is_better = new != old && !matches!(&new, Level::Classes(set) if set.is_empty());
        if is_better {
            self.levels.insert(cell, new);
        }
        is_better
    }

    /// The variables that refinements track.
    pub fn tracked(&self) -> Vec<StateCell> {
        let is_tracked = |level: &Level| !matches!(level, Level::Forgotten);
        let mut list: Vec<StateCell> =
            self.levels.iter().filter(|(_, level)| is_tracked(level)).map(|(cell, _)| *cell).collect();
        list.sort();
        list
    }
}
