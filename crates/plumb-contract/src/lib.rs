//! Contracts of functions, and the programs by which they are proved and used.
//!
//! A [`Contract`] says of every call of a function that returns: for each of its cases, if `requires` held when the function
//! was called, `ensures` holds when it returns. What is in no case is promised nothing. Two programs are made of it:
//!
//! ```text
//!   summarised   the whole program in which the function has the contract for a body: whatever it may write is arbitrary,
//!                within what the contract says
//!   unit_of      the function's own body, called once in an arbitrary state; the contract is checked where it returns
//! ```
//!
//! In both, calls of contracted functions run their contracts: in `unit_of` those that the body makes, be they of the function
//! itself.
//!
//! **Soundness** of the rule: if all units and the summarised program are proved, the program is. Take a run of the program,
//! and the calls of contracted functions that return in it, in the order in which they return. Each keeps its contract: the
//! calls inside of it have returned before and keep theirs, so that the unit has a run that does the same, and the proof of
//! the unit says that what its run leaves satisfies the contract. If a check breaks, look at the innermost contracted function that
//! is active then. Its unit breaks the check as well, or the summarised program does where none is active. The same holds for
//! faults and for what is not modelled: whoever proves a unit has to show that neither happens, whatever the contract says,
//! and be it nothing. So a contracted function needs the proof of its unit always. What such proofs suppose of undefined
//! behaviour ([`plumb_sym::Assumed`]) the whole proof supposes.
//!
//! The stack is not part of the argument: nothing in a unit knows what lies below its first frame. Where the calls of a program are not bounded
//! to fit the stack, the whole proof supposes that they do ([`unbounded_stack`]).
//!
//! ```text
//!   contract   what a contract is                     lower   formulas as expressions of automata
//!   body       contracts as bodies: summarised        unit    units, and what proofs of them leave out
//!   cell       places that contracts speak of         asserted   conditions at locations as checks
//! ```

mod asserted;
mod body;
mod cell;
mod contract;
mod lower;
mod unit;

pub use asserted::{Asserted, Conditions, asserted};
pub use body::{Installed, Summarised, summarised, without_input_assumptions};
pub use cell::{Atom, Cell};
pub use contract::{Case, Contract, Symbol, conjuncts};
pub use lower::{Lowering, type_of};
pub use unit::{Unit, UnitCheck, assumed_home, unbounded_stack, unbounded_stack_of, unit_of};
