//! Small networks over a game's encoding: layers, and residual convolutions over the grid.
//!
//! [`planes`] turns an observation into numbers, [`layer`] is one layer forward and backward, [`net`] a whole network with a
//! policy over action numbers and values, [`quantised`] the same with bytes, [`optimiser`] changes weights by gradients. There is no normalisation of batches:
//! the last layer of each residual block begins with zeros, so that a deep network begins as a shallow one (as in Zhang,
//! Dauphin and Ma, *Fixup initialization*, 2019).
//!
//! Promises: what a network says of a position depends on no other in its batch, and is the same to the bit on every
//! machine but for the last bit of `exp` and `tanh`; one seed gives one training. Checked against: gradients by finite
//! differences with numbers of 64 bits (the same code, [`Number`]), `net/tests`; products in `raichi_machine::matrix`.

pub mod layer;
pub mod net;
mod number;
pub mod optimiser;
pub mod planes;
pub mod quantised;

pub use net::{Forward, Loss, Net, Shape, Target, Workspace};
pub use number::Number;
pub use optimiser::{Optimiser, Rule};
pub use planes::Planes;
pub use quantised::{Precision, QuantisedNet};
