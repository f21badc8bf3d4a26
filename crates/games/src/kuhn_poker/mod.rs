//! Kuhn Poker: three cards, one chip in the pot from each seat, and one bet.
//!
//! Rules: H. W. Kuhn, *A simplified two-person poker*, in *Contributions to the Theory of Games* I (1950); the actions and
//! what is seen at the end as in the rules contract.
//! Decisions: a hand broken off at the cap pays nothing; after a fold each seat still sees its own card, and nobody the
//! other's.
//! Not here: other stakes, more cards, more than two seats.
//! Actions: `pass` and `bet`, whatever went before. Outcomes: cards, `~J`, seat 0's and then seat 1's.
//! Positions: `1 stakes=2/1 cards=?/K seen-by=1`, explained in `one_card_poker/position.rs`. Which of two ways led to the
//! same bets decides nothing and is not kept.
//! Checked against: Kuhn's twelve information sets and value of −1/18 for the first seat (`solve`), perft.txt (counts by a
//! second implementation), clause-by-clause tests.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, KuhnPoker, State};
