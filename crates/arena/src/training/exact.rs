//! Exact values of the starts of games that evaluate an agent, each found once.
//!
//! Whether an agent *kept* the value of its start is known only where a solver knows that start. Solvers may take long for it, so
//! that what was found out is kept for as long as the training runs: the points of a curve begin at the same starts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use raichi_agents::truth::{self, Truth};
use raichi_agents::{CancelFlag, SystemHost, Work};
use raichi_core::Host;
use raichi_core::erased::{AnyGame, AnyMatch};

use crate::contest::Opening;

/// How long a solver may take for a start.
const SOLVING: Duration = Duration::from_secs(20);

/// What is known of the starts of a game.
pub struct ExactStarts {
    truth: Option<Arc<dyn Truth>>,
    known: Mutex<HashMap<Start, Option<Vec<f64>>>>,
    /// Whether some start was not known: then `kept` is not known either, and nothing need be asked any more.
    unknown: AtomicBool,
}

/// An opening's position and plies.
type Start = (Option<String>, Vec<String>);

impl ExactStarts {
    /// Nothing is known yet, but which solver to ask.
    pub fn of_game(game: &dyn AnyGame) -> ExactStarts {
        ExactStarts {
            truth: truth::is_solved(game).ok().and_then(|()| truth::known(game).ok()),
            known: Mutex::default(),
            unknown: AtomicBool::new(false),
        }
    }

    /// Whether a solver can be asked at all.
    pub fn may_be_known(&self) -> bool {
        self.truth.is_some()
    }

    /// The payoffs under best play from `start`, which the opening leads to.
    pub(super) fn of(&self, opening: &Opening, start: &dyn AnyMatch, cancel: &CancelFlag) -> Option<Vec<f64>> {
        if self.unknown.load(Ordering::Relaxed) {
            return None;
        }
        let key = (opening.position.clone(), opening.plies.clone());
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let found = self.truth.as_ref().and_then(|truth| exact(&**truth, start, cancel));
        if found.is_none() && cancel.is_cancelled() {
            // It may be known if it is asked again.
            return None;
        }
        self.unknown.fetch_or(found.is_none(), Ordering::Relaxed);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
        found
    }
}

fn exact(truth: &dyn Truth, start: &dyn AnyMatch, cancel: &CancelFlag) -> Option<Vec<f64>> {
    let work = work_within(SOLVING, cancel);
    let examined = truth.examine(start, None, &work);
    let exact = examined.exact.ok().filter(|_| examined.holds)?;
    Some(exact.values.as_slice().to_vec())
}

/// Work of one thread that may take so long.
pub(super) fn work_within(time: Duration, cancel: &CancelFlag) -> Work<'_> {
    Work {
        deadline: Some(SystemHost.now() + time),
        cancel,
        host: &SystemHost,
        n_threads: 1,
        memory: 256 << 20,
        folder: truth::folder(),
        progress: &|_| (),
    }
}
