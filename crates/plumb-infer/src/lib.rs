//! Inference of likely facts from samples.
//!
//! ```
//! use plumb_infer::{Fact, Inference, Options, Point, Sample, Scalar, Term, VarId, Variable};
//! let int = Scalar::Int { bits: 32, signed: true };
//! let point = Point::new(vec![Variable::scalar("x", int), Variable::scalar("y", int)]);
//! let mut inference = Inference::new(point, Options::default());
//! for i in 0..100u64 {
//!     let x = i * i % 1009;
//!     inference.add(&Sample::of_scalars(&[x, 2 * x + 1])).unwrap();
//! }
//! let texts: Vec<String> = inference.facts().iter().map(|likely| likely.fact.text(inference.point())).collect();
//! assert!(texts.contains(&"2 * x + 1 == y".to_string()), "{texts:?}");
//! ```
//!
//! A [`Point`] is a list of typed variables; a [`Sample`] has a value for each. [`Inference`] takes samples one by one and gives
//! [`Likely`] facts: of the templates of the language ([`Fact`]) those that hold of every sample ([`Fact::holds`] is the judge),
//! that would hardly do so by chance, and that no other reported fact implies. The ideas are Daikon's (Ernst et al. 2007).
//!
//! * A sample weakens or kills what is kept (bounds widen, sets of values grow until they are given up, equations lose rank), and
//!   nothing is computed again. What is kept depends on neither the order of samples nor on how they were handed over.
//! * Facts are candidates: they hold of the samples and nobody has proved them.
//!
//! From top to bottom: `inference` (samples in, facts out), `splits` (facts under conditions), `core` (all templates over one set
//! of samples), `single`, `pairs`, `hull`, `module`, `choice`, `arrays` (a template or family of them each), `chance` (how likely a
//! coincidence is), `select` and `known` (what implies what), `unrelated` (what nobody wants to know).
//!
//! The crate knows nothing of C, of programs and of engines.

mod arrays;
mod chance;
mod choice;
mod core;
mod fact;
mod holds;
mod hull;
mod inference;
mod known;
mod module;
mod options;
mod pairs;
mod point;
mod prime;
mod sample;
mod schema;
mod select;
mod single;
mod splits;
mod text;
mod unrelated;

pub use fact::{Arrangement, Fact, Linear, Relation, Term, gcd};
pub use hull::{Equation, Hull};
pub use inference::{Facts, Inference, Likely};
pub use options::Options;
pub use point::{FloatFormat, Point, Role, Scalar, Sort, VarId, Variable};
pub use sample::{Sample, Value, WrongSample};
