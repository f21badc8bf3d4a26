//! N-tuple networks trained by temporal differences in games against oneself.
//!
//! Sources: Lucas (2008), Jaśkowski and Szubert (2010 to 2016), Thill, Konen and others (2012 to 2021) for the methods;
//! [`options`] says what can be set. Start with [`NTupleLearner`]; [`network`] is what is learned, [`self_play`] a game of
//! training, [`trail`] which positions learn from which.
//!
//! Promises: one seed and one thread give the same weights to the bit; a training that goes on from what was saved does
//! as one that was never interrupted. Checked against: `tests/reference.rs`, the plain form of every method on small games.

mod average;
mod head;
pub mod inputs;
pub mod joined;
pub mod network;
pub mod options;
mod policy;
mod self_play;
mod sight;
mod trail;
mod training;
pub mod tuples;
pub mod weights;

pub use network::Network;
pub use options::{Config, ID, OPTIONS};
pub use policy::NTuplePolicy;
pub use training::{NTupleLearner, quantised, read_policy};
