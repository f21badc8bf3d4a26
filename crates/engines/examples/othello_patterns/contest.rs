//! Two files of weights against each other, by `alphabeta` with the same number of nodes.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::create;
use raichi_core::game::Phase;
use raichi_core::host::CancelFlag;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{Host, Match};
use raichi_engines::othello::patterns::Patterns;
use raichi_games::othello::Othello;
use raichi_search::alphabeta::{AlphaBeta, Config};
use raichi_search::{Budget, Limits, Session};

/// Random plies at the beginning; both sides of each opening are played.
const OPENING: usize = 6;

/// No clock is needed: nodes are counted.
struct NoClock;

impl Host for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

/// Plays `games` games and prints how the first weights did, with the error by pairs of games.
pub(crate) fn contest(weights: [Patterns; 2], nodes: u64, games: u64) {
    let game: Arc<PathGame<Othello>> = Arc::new(create(None).expect("the game has its usual size"));
    let weights = weights.map(Arc::new);
    let (mut sum, mut squares, pairs) = (0.0, 0.0, games.div_ceil(2));
    for opening in 0..pairs {
        let points: f64 = (0..2).map(|first| play(&game, &weights, first, opening, nodes)).sum::<f64>() / 2.0;
        (sum, squares) = (sum + points, squares + points * points);
    }
    let n = pairs as f64;
    let share = sum / n;
    let error = 1.96 * ((squares / n - share * share) / n).sqrt();
    let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{:.1} of {} points, Elo {:+.0} [{:+.0}, {:+.0}]",
        2.0 * sum,
        2 * pairs,
        elo(share),
        elo(share - error),
        elo(share + error)
    );
}

/// A game in which the first weights have the seat `first`; returns their points.
fn play(game: &Arc<PathGame<Othello>>, weights: &[Arc<Patterns>; 2], first: usize, opening: u64, nodes: u64) -> f64 {
    let mut rng: FastRng = stream(opening, "contest", 0);
    let cancel = CancelFlag::default();
    let limits = Limits { budget: Budget { nodes: Some(nodes), ..Budget::UNLIMITED }, cancel: &cancel, host: &NoClock };
    let mut players = [0, 1]
        .map(|seat| AlphaBeta::new(Config::default(), Some(Arc::clone(&weights[usize::from(seat != first)]) as _)));
    let mut current = Match::of(Arc::clone(game));
    while let Phase::Act(seats) = current.phase() {
        let seat = seats.first();
        let view = current.view(seat);
        let action = if current.n_plies() < OPENING {
            let actions = view.legal_actions();
            actions[index(&mut rng, actions.len())]
        } else {
            players[seat].decide(&view, &limits, &mut rng).action
        };
        current.play(seat, action).expect("it is legal");
    }
    let payoffs = current.payoffs();
    (payoffs[first] + 1.0) / 2.0
}
