//! The poker player of ranges under its name.

use raichi_engines::poker::Ranges;
use raichi_games::poker::Poker;

use crate::kind::AgentKind;
use crate::of_one_game;
use crate::searching::{self, TIME_OR_SIMS};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "ranges",
    name: "Ranges",
    help: "Plays poker by what the betting tells of each opponent's cards, and what each bet is worth against that.",
    bare: None,
    options: &TIME_OR_SIMS,
    supports: |game| of_one_game::supports::<Poker>(game),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| of_one_game::prepare::<Poker>(game, &options, |_| Box::new(Ranges::new())),
};
