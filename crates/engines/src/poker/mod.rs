//! Poker: an agent that plays ranges, not cards; and what can be computed exactly: how strong seven cards are
//! ([`evaluator`]), what hands and ranges are worth against each other ([`equity`], [`preflop`]) and against any hand ([`against_random`]), when to
//! go all-in heads-up ([`push_or_fold`]), both drawn as charts ([`charts()`]), and equilibria of the turn and the river between two seats ([`postflop`]). What is learned by regret is
//! the play of whole rounds between two and three seats ([`blueprint`]), with a player of its own.
//!
//! The agent of ranges. Method: every opponent is believed to hold each pair of cards with some weight and to play in one of a few styles
//! ([`style`]; one of them is how a tree search was seen to play, [`observed`]); what it does in this round multiplies the weights by how likely a player of that style does it with those
//! cards, and what it did in earlier rounds makes styles likely or not ([`beliefs`]). A decision is then made by playing
//! the rest of the round many times for each action, with hands drawn from these beliefs and opponents who play their
//! styles, so that equity, pot odds, position, the fold equity of a bet and side pots all count in one number, the mean of
//! the chips at the end of the round ([`ranges`]). The Bayesian part is that of Southey et al., *Bayes' Bluff* (2005), with
//! few styles; the rest is Monte-Carlo simulation of a round as in Billings et al., *The Challenge of Poker* (2002).
//! Handled: all parameters, two to ten seats. A round whose beginning was not seen (a position set up in its middle) is
//! played with the ranges of nobody having acted.
//! Not here: balance (an opponent who knows the agent can exploit it), hands shown in earlier rounds, stacks worth more
//! or less than their chips.
//! Promise: it looks at nothing but the seat's view; advice is the same for all states that the seat cannot tell apart.
//! Checked: `tests/poker.rs`; what it is worth is in docs/strength.md.

pub mod against_random;
mod beliefs;
pub mod blueprint;
mod charts;
pub mod equity;
pub mod evaluator;
pub mod observed;
pub mod postflop;
pub mod preflop;
pub mod push_or_fold;
pub mod ranges;
mod rank;
mod style;
mod tree_search_style;

pub use charts::charts;
pub use ranges::Ranges;
