//! The player of Blackjack by expectation under its name.

use raichi_engines::blackjack::Expectation;
use raichi_games::blackjack::Blackjack;

use crate::kind::AgentKind;
use crate::of_one_game;

pub(crate) const KIND: AgentKind = AgentKind {
    id: "expectation",
    name: "Expectation",
    help: "Plays Blackjack by what each action is worth against the cards that are left, and bets the least.",
    bare: None,
    options: &[],
    supports: |game| of_one_game::supports::<Blackjack>(game),
    seat: None,
    instead: None,
    complete: |_| {},
    prepare: |game, options| of_one_game::prepare::<Blackjack>(game, &options, |_| Box::new(Expectation)),
};
