//! What the tests of several games share: a clock, and decisions.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use raichi_core::erased::{Playable, create, split_spec};
use raichi_core::random::stream;
use raichi_core::{Match, PathGame, SeatView};
use raichi_search::{Advice, Budget, CancelFlag, Host, Limits, Session};

/// The machine's clock.
pub(crate) struct Clock;

impl Host for Clock {
    fn now(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

/// The game of a spec.
pub(crate) fn game<G: Playable>(spec: &str) -> PathGame<G> {
    create(split_spec(spec).1).unwrap_or_else(|why| panic!("{spec}: {why}"))
}

/// The game of a spec, begun with a position or a history.
pub(crate) fn begun<G: Playable>(spec: &str, position: &str, history: &str) -> Match<G> {
    let game: PathGame<G> = game(spec);
    let mut current = if position.is_empty() {
        Match::new(game)
    } else {
        let position = game.parse_position(position).unwrap_or_else(|why| panic!("{position}: {why}"));
        Match::from_position(game.into(), position)
    };
    current.play_history(history).unwrap_or_else(|why| panic!("{history}: {why}"));
    current
}

/// What a session advises, with a seed.
pub(crate) fn decide<G: Playable>(
    session: &mut dyn Session<G>,
    view: &SeatView<'_, G>,
    budget: Budget,
    seed: u64,
) -> Advice<G::Action> {
    let limits = Limits { budget, cancel: &CancelFlag::default(), host: &Clock };
    session.decide(view, &limits, &mut stream(seed, "test", 0))
}

/// Decisions with a little time end in time, and cancelled ones at once. The machine may be taken away at any time, so that
/// one try in thirty is enough.
pub(crate) fn keeps_time<G: Playable>(mut session: impl FnMut() -> Box<dyn Session<G>>, view: &SeatView<'_, G>) {
    let within = |most: Duration, mut decide: Box<dyn FnMut() + '_>| {
        let mut took = Vec::new();
        let is_in_time = (0..30).any(|_| {
            let start = Instant::now();
            decide();
            let elapsed = start.elapsed();
            took.push(elapsed);
            elapsed <= most
        });
        assert!(is_in_time, "{took:?}, and not {most:?}");
    };
    let mut one = session();
    let time = Duration::from_millis(30);
    within(
        time + Duration::from_millis(20),
        Box::new(|| {
            decide(&mut *one, view, Budget::time(time), 1);
        }),
    );
    let mut other = session();
    let cancel = CancelFlag::default();
    cancel.cancel();
    within(
        Duration::from_millis(10),
        Box::new(move || {
            let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &Clock };
            other.decide(view, &limits, &mut stream(1, "test", 0));
        }),
    );
}
