//! Blackjack by Q-learning over what hands count, with a table for each hand of the seat: what is beyond doubt is learned in a
//! short training.

use std::sync::Arc;

use raichi_core::path::PathGame;
use raichi_core::{Match, Notation};
use raichi_games::blackjack::Blackjack;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS};
use raichi_learn::{CancelFlag, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

const OF_HANDS: &str = "blocks=dealer-count/hand-counts/soft-hands/standing-of-hands/insured/hand-in-question,\
                        tuples=0-1-5-9-13-14/0-2-6-10-13-14/0-3-7-11-13-14/0-4-8-12-13-14,method=q,alpha=0.3,alpha-end=0.01,\
                        epsilon=0.6,average=0.3";

#[test]
fn what_is_beyond_doubt_is_learned_soon() {
    let game: Arc<PathGame<Blackjack>> = Arc::new(raichi_core::erased::create(None).unwrap());
    let config =
        Config::from_options(&Options::parse("ntuple", OPTIONS, None, Some(OF_HANDS)).unwrap(), &game.facts()).unwrap();
    let mut learner = NTupleLearner::new(&game, config, 1, 40_000).unwrap();
    learner.advance(40_000, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
    let learned = learner.learned();
    let best = |cards: &str| {
        let mut current = Match::new(PathGame::clone(&game));
        current.play_history(cards).unwrap();
        let actions = current.view(0).legal_actions();
        let mut values = vec![0.0; actions.len()];
        learned.value_actions(game.game(), current.state(), 0, &actions, &mut values);
        let best = (0..values.len()).max_by(|&one, &other| values[one].total_cmp(&values[other])).unwrap();
        game.action_text(current.state(), 0, actions[best])
    };
    assert_eq!(best("bet-10 ~Th ~6s ~Tc ~5d"), "stand", "twenty");
    assert_eq!(best("bet-10 ~8h ~Ts ~Tc ~5d"), "stand", "eighteen against a ten");
    assert_eq!(best("bet-10 ~5h ~Ts ~3c ~5d"), "hit", "eight against a ten");
    assert_eq!(best("bet-10 ~7h ~6s ~4c ~5d"), "double", "eleven against a six");
    assert_eq!(best("bet-10 ~Ah ~6s ~Ac ~5d"), "split", "aces");
    assert_eq!(best("bet-10 ~Ah ~7s ~5c ~5d"), "hit", "an ace and a five");
    assert_eq!(best("bet-10 ~Th ~As ~6c ~5d"), "no-insurance");
}
