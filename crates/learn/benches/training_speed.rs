//! Plies of training a second of one thread, by game.
//!
//! `cargo bench --profile figures -p raichi-learn --bench training_speed [-- FILTER]`. Each line is a training of some
//! seconds; the speed is that of its last third, when games are longer than at first, by the processor's time.

mod clock;

use std::sync::Arc;
use std::time::Instant;

use raichi_core::CancelFlag;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS};
use raichi_learn::{Learner, Work};
use raichi_search::options::Options;

use clock::Clock;

/// Game, options, games of training.
const CASES: &[(&str, &str, u64)] = &[
    ("tic-tac-toe", "tuples=1x9", 30_000),
    ("connect-four", "tuples=70x8,below=support,tables=seat,tcl=exp,alpha=3.7", 60_000),
    ("othello", "tuples=100x7,tcl=exp,lambda=0.5,alpha=0.2,epsilon=0.2", 6_000),
    ("hex:size=6", "tuples=25x6,tables=seat,tcl=exp", 60_000),
    ("2048", "tuples=0-1-2-3-4-5/4-5-6-7-8-9/0-1-2-4-5-6/4-5-6-8-9-10,values=16,epsilon=0,tcl=id", 9_000),
];

struct Train<'a>(&'a str, u64);

impl GameVisitor for Train<'_> {
    type Output = f64;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> f64 {
        let options = Options::parse("ntuple", OPTIONS, None, Some(self.0)).expect("the options are right");
        let config = Config::from_options(&options, &game.facts()).expect("the game can be learned");
        let mut learner = NTupleLearner::new(game, config, 1, self.1).expect("the game can be learned");
        let (clock, cancel) = (Clock(Instant::now()), CancelFlag::default());
        let work = Work { cancel: &cancel, host: &clock, n_threads: 1 };
        learner.advance(self.1 * 2 / 3, &work);
        let before = learner.progress();
        learner.advance(self.1 / 3, &work);
        let after = learner.progress();
        assert_eq!(after.games, self.1 * 2 / 3 + self.1 / 3);
        (after.plies - before.plies) as f64 / (after.elapsed - before.elapsed).as_secs_f64()
    }
}

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    for (spec, options, games) in CASES.iter().filter(|(spec, ..)| spec.contains(&filter)) {
        let speed = raichi_games::visit(spec, Train(options, *games)).expect("the game exists");
        println!("{spec:<16} {speed:>12.0} plies/s   {options}");
    }
}
