//! Networks that learn from games which their own search played against itself (Silver and others, *A general reinforcement
//! learning algorithm that masters chess, shogi and Go through self-play*, 2018), with the search that learns from few
//! simulations: Danihelka and others, *Policy improvement by planning with Gumbel* (2022).
//!
//! [`search`] is the search for one decision, in a [`tree`], [`self_play`] a game of training, [`replay`] the positions that are
//! learned from, [`lesson`] a step of learning, [`training`] the whole, without the types of the game ([`environment`]), [`learner`]
//! the same for one type, [`policy`] what was learned, [`outputs`] how it tells actions apart, [`player`] how it plays. Chance acts
//! in the tree by its weights; each seat has a value of its own, or one number tells both where two play for a constant sum. The share of decisions that
//! are searched in full is KataGo's (Wu, *Accelerating self-play learning in Go*, 2019).
//!
//! Where something is hidden, the network reads what a seat observes, and the search goes on from positions drawn from those that
//! the seat cannot tell apart; [`search`] says what that overlooks. Not here: payoffs without bounds, which are refused. The tree
//! is not kept from ply to ply; what the network said of its positions is. Promises: one seed gives the same weights to the bit,
//! with any number of threads, whether the training was interrupted or not. Checked against: `tests/alphazero.rs`, floors on small games; the tests of `search`.

mod environment;
mod learner;
mod lesson;
pub mod options;
mod outputs;
pub mod player;
pub mod policy;
mod replay;
mod search;
mod self_play;
mod training;
mod tree;
mod units;

pub use learner::AlphaZeroLearner;
pub use options::{Config, ID, OPTIONS};
pub use player::NetworkPlayer;
pub use policy::{NetworkPolicy, read_policy};
