//! The kinds of agents, a file each.

pub(crate) mod alphabeta;
pub(crate) mod mcts;
pub(crate) mod minimax;
pub(crate) mod random;
