//! The engines that a table may seat, and the threads they search on, a limited number at a time.
//!
//! An engine is prepared once for a game and shared by all tables that play it; a table opens a session for each seat and
//! keeps it, so that what a search found is there at the next ply. What an engine sees is a seat's view, never the state.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use raichi_agents::options::OptionKind;
use raichi_agents::{AgentError, AgentKind, Budget, KINDS, Prepared, Session};
use raichi_core::seat::Seat;
use raichi_core::{AnyGame, AnyMatch};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::Refusal;
use crate::message::AgentEntry;

/// How long an engine that thinks by the clock may take for a ply, weakest first.
const TIMES: [(&str, Duration, &str); 3] = [
    ("200ms", Duration::from_millis(200), "a fifth of a second a move"),
    ("1s", Duration::from_secs(1), "1 second a move"),
    ("5s", Duration::from_secs(5), "5 seconds a move"),
];

/// The longest that an engine may take which plays on for somebody who resigned.
const SUCCESSOR_TIME: Duration = Duration::from_secs(1);

/// So many sessions are kept from ply to ply, over all tables. A search's tree may take 250 MB; where there are more
/// games, those beyond search anew at each ply.
const MOST_KEPT: usize = 32;

/// The engines on offer and the threads they search on.
pub(crate) struct Engines {
    offers: Vec<Offer>,
    /// By game and agent; kept as long as a table uses it.
    prepared: Mutex<HashMap<(String, String), Weak<dyn Prepared>>>,
    threads: Arc<Semaphore>,
    /// One permit for each session that is kept.
    kept: Arc<Semaphore>,
}

/// A session between two decisions.
pub(crate) struct KeptSession {
    pub(crate) session: Box<dyn Session>,
    _permit: OwnedSemaphorePermit,
}

struct Offer {
    kind: &'static AgentKind,
    entry: AgentEntry,
    time: Duration,
}

/// What an engine has to decide.
pub(crate) struct EngineRequest {
    pub(crate) session: Box<dyn Session>,
    pub(crate) current: Box<dyn AnyMatch>,
    pub(crate) seat: Seat,
}

/// What an engine decided: its action, and its session for the next decision.
pub(crate) struct EngineDecision {
    pub(crate) action: Result<String, AgentError>,
    pub(crate) session: Box<dyn Session>,
}

/// Why there is no decision.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    #[error("the engine failed: {0}")]
    Failed(#[from] tokio::task::JoinError),
    #[error("the server is closing")]
    Closing(#[from] tokio::sync::AcquireError),
}

impl Engines {
    /// All kinds of agents, at most `n_threads` sessions searching at a time.
    pub(crate) fn new(n_threads: usize) -> Engines {
        let offers = KINDS.iter().flat_map(offers_of).collect();
        let threads = Arc::new(Semaphore::new(n_threads.max(1)));
        Engines { offers, prepared: Mutex::default(), threads, kept: Arc::new(Semaphore::new(MOST_KEPT)) }
    }

    /// Everybody on offer, weakest first.
    pub(crate) fn all(&self) -> Vec<AgentEntry> {
        self.offers.iter().map(|offer| offer.entry.clone()).collect()
    }

    /// Those who play this game.
    pub(crate) fn able(&self, game: &dyn AnyGame) -> Vec<AgentEntry> {
        self.offers.iter().filter(|offer| offer.plays(game)).map(|offer| offer.entry.clone()).collect()
    }

    /// The canonical spec of an engine that may sit at a table of this game.
    pub(crate) fn seat(&self, game: &Arc<dyn AnyGame>, agent: &str) -> Result<String, Refusal> {
        let spec = raichi_agents::canonical(agent)?;
        if !self.offers.iter().any(|offer| offer.entry.spec == spec) {
            let offered: Vec<&str> = self.offers.iter().map(|offer| offer.entry.spec.as_str()).collect();
            let message = format!("`{spec}` is not offered here; there are {}", offered.join(" "));
            return Err(Refusal::new("agent/not-offered", message));
        }
        self.prepared(game, &spec)?;
        Ok(spec)
    }

    /// The engine that plays on for somebody who resigned: the strongest that is not slow.
    pub(crate) fn successor(&self, game: &dyn AnyGame) -> Option<String> {
        let quick = self.offers.iter().rev().filter(|offer| offer.time <= SUCCESSOR_TIME);
        quick.filter(|offer| offer.plays(game)).map(|offer| offer.entry.spec.clone()).next()
    }

    /// The agent of this spec, ready for `game`.
    pub(crate) fn prepared(&self, game: &Arc<dyn AnyGame>, agent: &str) -> Result<Arc<dyn Prepared>, AgentError> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (game.spec().to_string(), agent.to_string());
        if let Some(agent) = prepared.get(&key).and_then(Weak::upgrade) {
            return Ok(agent);
        }
        let agent = raichi_agents::prepare(game, agent)?;
        prepared.retain(|_, agent| agent.strong_count() > 0);
        prepared.insert(key, Arc::downgrade(&agent));
        Ok(agent)
    }

    /// Keeps a session for its next decision, unless too many are kept.
    pub(crate) fn keep(&self, session: Box<dyn Session>) -> Option<KeptSession> {
        let permit = Arc::clone(&self.kept).try_acquire_owned().ok()?;
        Some(KeptSession { session, _permit: permit })
    }

    /// Puts an agent in the place of another one, for as long as the caller keeps it.
    #[cfg(test)]
    pub(crate) fn put(&self, game: &str, agent: &str, prepared: &Arc<dyn Prepared>) {
        let key = (game.to_string(), agent.to_string());
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::downgrade(prepared));
    }

    /// Returns once a thread was free and the engine has decided.
    pub(crate) async fn decide(&self, request: EngineRequest) -> Result<EngineDecision, EngineError> {
        // The thread holds its permit to the end, even where nobody waits for the decision any more.
        let permit = Arc::clone(&self.threads).acquire_owned().await?;
        let searching = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let EngineRequest { mut session, current, seat } = request;
            let advice = session.decide(&*current, seat, Budget::UNLIMITED);
            EngineDecision { action: advice.map(|advice| advice.action), session }
        });
        Ok(searching.await?)
    }
}

impl Offer {
    fn plays(&self, game: &dyn AnyGame) -> bool {
        (self.kind.supports)(&game.facts()).is_ok()
    }
}

fn offers_of(kind: &'static AgentKind) -> Vec<Offer> {
    let by_the_clock =
        kind.options.iter().any(|option| option.name == "time" && matches!(option.kind, OptionKind::Duration { .. }));
    if !by_the_clock {
        let entry = AgentEntry { spec: kind.id.into(), name: kind.name.into(), help: kind.help };
        return vec![Offer { kind, entry, time: Duration::ZERO }];
    }
    let offer = |(text, time, words): (&str, Duration, &str)| {
        let spec = format!("{}:time={text}", kind.id);
        let spec = raichi_agents::canonical(&spec).unwrap_or(spec);
        Offer { kind, entry: AgentEntry { spec, name: format!("{}, {words}", kind.name), help: kind.help }, time }
    };
    TIMES.into_iter().map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_sessions_are_kept_and_no_more() {
        let engines = Engines::new(1);
        let game = raichi_games::game("nim").unwrap();
        let agent = engines.prepared(&game, "random").unwrap();
        let mut kept: Vec<KeptSession> = (0..MOST_KEPT).filter_map(|_| engines.keep(agent.open(1))).collect();
        assert_eq!(kept.len(), MOST_KEPT);
        assert!(engines.keep(agent.open(1)).is_none());
        kept.pop();
        assert!(engines.keep(agent.open(1)).is_some());
    }

    #[test]
    fn an_agent_is_prepared_once_for_all_who_use_it() {
        let engines = Engines::new(1);
        let game = raichi_games::game("nim").unwrap();
        let [one, other] = [(); 2].map(|()| engines.prepared(&game, "random").unwrap());
        assert!(Arc::ptr_eq(&one, &other));
    }
}
