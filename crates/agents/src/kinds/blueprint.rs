//! The poker player of strategies that were learned by regret, under its name.

use raichi_engines::poker::blueprint::BlueprintPlayer;
use raichi_engines::poker::blueprint::player::plays;
use raichi_games::poker::Poker;

use crate::kind::AgentKind;
use crate::of_one_game;
use crate::searching::{self, TIME_OR_SIMS};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "blueprint",
    name: "Blueprint",
    help: "Plays poker for two and three by strategies that were learned by regret for stacks of up to 16 blinds, drawing by \
           their shares. What they do not know it plays as ranges does, which is what its time is for.",
    bare: None,
    options: &TIME_OR_SIMS,
    supports: |game| of_one_game::supports_where::<Poker>(game, plays),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| of_one_game::prepare::<Poker>(game, &options, |_| Box::new(BlueprintPlayer::new())),
};
