//! The kinds of agents, a file each.

pub(crate) mod alphabeta;
pub(crate) mod best;
pub(crate) mod blueprint;
pub(crate) mod cube_ida;
pub(crate) mod dfpn;
pub(crate) mod expectation;
pub(crate) mod greedy;
pub(crate) mod level;
pub(crate) mod mc;
pub(crate) mod mcts;
pub(crate) mod minimax;
pub(crate) mod mirror;
pub(crate) mod perfect;
pub(crate) mod random;
pub(crate) mod ranges;
pub(crate) mod rhea;
pub(crate) mod trained;
