//! Improve from experience.
//!
//! A [`Learner`] plays games of training against itself and becomes a better player; what it has learned is [`Learned`]: values
//! of positions for every search ([`raichi_search::Evaluator`]), and of actions for [`GreedyByValues`], which looks no further.
//! [`ntuple`] are networks of tuples on the encoding's integers, trained by temporal differences. [`alphazero`] are those of
//! [`network`], trained by games that a search played with them. [`mod@file`] is the form in which
//! a trained agent is kept: a manifest with checksums, and tensors.
//!
//! This crate names no game, and has no clock, thread, file or randomness of its own: the clock and threads come in as a
//! [`Host`], files as bytes, randomness as a seed. One seed and one thread give the same weights to the bit, whether the
//! training was interrupted or not.

pub mod alphazero;
pub mod file;
mod greedy;
pub mod learner;
pub mod network;
pub mod ntuple;
mod opening;
mod option;

pub use greedy::GreedyByValues;
pub use learner::{Learned, Learner, Progress, Saved, Tensor, Work};
pub use raichi_search::{CancelFlag, Evaluator, Host};
