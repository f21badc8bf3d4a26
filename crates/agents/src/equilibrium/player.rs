//! The player that goes by an equilibrium: each action is drawn by the share that the equilibrium gives it.
//!
//! Whatever the other seat plays, it gets in the mean no less than the game is worth to its seat, but for what the strategies could
//! still be exploited by. Positions that were set up have no past, of which its strategies are made; another agent plays
//! them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::host::Host;
use raichi_core::random::{FastRng, Rng};
use raichi_core::seat::Seat;
use raichi_search::{Advice, Budget, CancelFlag, Candidate, Certainty, Cost};
use raichi_solve::Work;
use raichi_solve::regret::Equilibrium;

use super::{action_values, equilibrium, has_equilibrium, shares_of_actions};
use crate::kind::AgentError;
use crate::session::{Prepared, Session, check_turn, decision_stream};
use crate::system_host::SystemHost;

/// An agent that plays by an equilibrium of a whole game.
#[derive(Clone)]
pub(crate) struct EquilibriumPlayer {
    game: Arc<dyn AnyGame>,
    found: Arc<Equilibrium>,
    /// Plays positions that were set up.
    otherwise: Arc<dyn Prepared>,
    spec: Arc<str>,
}

impl EquilibriumPlayer {
    /// Ready to play `game` under the spec `spec`, or `None` where the game has no equilibrium here. The first one for a game
    /// takes a moment.
    pub(crate) fn prepare(
        game: &Arc<dyn AnyGame>,
        spec: &str,
        otherwise: impl FnOnce() -> Result<Arc<dyn Prepared>, AgentError>,
    ) -> Option<Result<Arc<dyn Prepared>, AgentError>> {
        has_equilibrium(&**game).then(|| {
            let (game, found, spec) = (Arc::clone(game), known(&**game), spec.into());
            Ok(Arc::new(EquilibriumPlayer { game, found, otherwise: otherwise()?, spec }) as Arc<dyn Prepared>)
        })
    }
}

/// Where the equilibrium of a game is kept; the first thread that needs it computes it.
type Place = Arc<OnceLock<Arc<Equilibrium>>>;

/// How much could be won against the player, in units of the payoffs: too little to be seen in a million games. A tenth of it
/// takes forty times as long, for which a beginner's opponent would have to wait.
const TARGET: f64 = 1e-5;

/// From so many on, equilibria that nobody uses are kept no longer.
const MOST_KEPT: usize = 16;

/// The equilibrium of a game that has one, found once.
fn known(game: &dyn AnyGame) -> Arc<Equilibrium> {
    static KNOWN: Mutex<Option<HashMap<String, Place>>> = Mutex::new(None);
    let place = {
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = known.get_or_insert_default();
        // Each cap is a game of its own; those that nobody plays go.
        if known.len() >= MOST_KEPT {
            known.retain(|_, place| place.get().is_none_or(|found| Arc::strong_count(found) > 1));
        }
        Arc::clone(known.entry(game.spec().into()).or_default())
    };
    let found = place.get_or_init(|| {
        let work = Work {
            deadline: None,
            cancel: &CancelFlag::default(),
            host: &SystemHost,
            n_threads: 1,
            memory: usize::MAX,
            folder: None,
            progress: &|_| (),
        };
        let found = equilibrium(game, TARGET, &work).expect("it has one");
        Arc::new(found.unwrap_or_else(|_| unreachable!("neither time nor memory ends the search")))
    });
    Arc::clone(found)
}

impl Prepared for EquilibriumPlayer {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        let otherwise = self.otherwise.open(seed);
        Box::new(EquilibriumSession { of: self.clone(), otherwise, seed })
    }
}

struct EquilibriumSession {
    of: EquilibriumPlayer,
    otherwise: Box<dyn Session>,
    seed: u64,
}

impl Session for EquilibriumSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        let EquilibriumPlayer { game, found, .. } = &self.of;
        if current.spec() != game.spec() {
            return Err(AgentError::OtherGame { prepared_for: game.spec().into(), game: current.spec().into() });
        }
        check_turn(current, seat)?;
        let start = SystemHost.now();
        let Some(shares) = shares_of_actions(&**game, current, found) else {
            return self.otherwise.decide(current, seat, limit);
        };
        let action = draw(&shares, &mut decision_stream(self.seed, current.n_plies()));
        let worth = action_values(&**game, current, found).unwrap_or_default();
        let mut candidates: Vec<Candidate<String>> =
            worth.into_iter().map(|(action, worth)| candidate(action, worth, seat)).collect();
        candidates.sort_by_key(|candidate| candidate.action != action);
        let cost = Cost { elapsed: SystemHost.now() - start, ..Cost::default() };
        let line = vec![action.clone()];
        Ok(Advice { action, candidates, line, cost, proven: false, known_by: None, why: None })
    }

    fn cancel_flag(&self) -> CancelFlag {
        self.otherwise.cancel_flag()
    }
}

/// An action with what it is worth to `seat`, of two, where both play on by the equilibrium.
fn candidate(action: String, worth: f64, seat: Seat) -> Candidate<String> {
    let values = if seat == 0 { vec![worth, -worth] } else { vec![-worth, worth] };
    let certainty = Certainty::Estimate { standard_error: None };
    Candidate { action, values, certainty, visits: None, depth: None, plies: None }
}

/// One of these, by its share.
fn draw(shares: &[(String, f64)], rng: &mut FastRng) -> String {
    let total: f64 = shares.iter().map(|(_, share)| share).sum();
    let mut left = total * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let chosen = shares.iter().find(|(_, share)| {
        left -= share;
        left < 0.0
    });
    // Rounding may leave a little; it counts as the likeliest one's.
    let likeliest = || shares.iter().max_by(|(_, one), (_, other)| one.total_cmp(other)).expect("an action is legal");
    chosen.unwrap_or_else(likeliest).0.clone()
}
