//! The engines that a table may seat.
//!
//! An engine is prepared once for a game and shared by all tables that play it; a table opens a session for each seat
//! and keeps it, so that what a search found is there at the next ply. Both happen off the async threads, since they
//! may take long; when it searches, and for how long, is decided in [`crate::thinking`]. What an engine sees is a
//! seat's view, never the state. Between two of its decisions it may think on ([`pondering`]).

mod pondering;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use raichi_agents::trained::store;
use raichi_agents::{Advice, AgentError, Budget, CancelFlag, Prepared, Session};
use raichi_core::seat::Seat;
use raichi_core::{AnyGame, AnyMatch};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) use pondering::Pondering;

use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::hub::check_spec;
use crate::message::AgentEntry;
use crate::metrics::DecisionClock;
use crate::offers::{self, Offer};
use crate::thinking::{NoThought, Thinking, ThinkingRequest};

/// The longest that an engine may take which plays on for somebody who resigned.
const SUCCESSOR_TIME: Duration = Duration::from_secs(1);

/// The longest that an engine of a run of the lab may take for a ply: a run stops between plies only.
const TIME_IN_A_RUN: Duration = Duration::from_secs(1);

/// How long an engine may take that does not think by the clock, while others want to think.
const UNTIMED: Duration = Duration::from_secs(1);

/// The engines on offer and the threads they search on.
pub(crate) struct Engines {
    offers: Vec<Offer>,
    prepared: Mutex<HashMap<GameAndAgent, Arc<Slot>>>,
    thinking: Thinking,
    /// One permit for each session that is kept.
    kept: Arc<Semaphore>,
}

/// The specs of both.
type GameAndAgent = (String, String);

/// An agent that is prepared for a game, or being prepared: kept as long as a table uses it. Others who want it wait
/// here, and those who want other ones do not.
#[derive(Default)]
struct Slot(Mutex<Option<Weak<dyn Prepared>>>);

/// An engine at a table between two decisions. The agent stays prepared, whether or not its session is kept.
pub(crate) struct Engine {
    prepared: Arc<dyn Prepared>,
    session: Option<KeptSession>,
}

struct KeptSession {
    session: SharedSession,
    cancel: CancelFlag,
    _permit: OwnedSemaphorePermit,
}

/// A session, used by a decision or by pondering. A decision begins once the pondering that was dropped for it has ended.
type SharedSession = Arc<Mutex<Box<dyn Session>>>;

/// Which engine plays what.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) game: Arc<dyn AnyGame>,
    /// Its spec.
    pub(crate) agent: String,
    /// What decides its random draws.
    pub(crate) seed: u64,
}

/// What an engine has to decide.
pub(crate) struct EngineRequest {
    /// Whose time it takes.
    pub(crate) client: ClientAddress,
    pub(crate) table: Arc<str>,
    pub(crate) player: Player,
    /// What is left of the decision before.
    pub(crate) engine: Option<Engine>,
    pub(crate) current: Box<dyn AnyMatch>,
    pub(crate) seat: Seat,
    /// The longest that it may think, where its clock says so.
    pub(crate) most: Option<Duration>,
    /// Set when it begins to think.
    pub(crate) begun: Arc<AtomicBool>,
}

/// What an engine decided: its action, and its session for the next decision.
pub(crate) struct EngineDecision {
    pub(crate) advice: Result<Advice<String>, AgentError>,
    /// How long it thought; it may have waited before.
    pub(crate) took: Duration,
    pub(crate) open: OpenSession,
}

/// A session, and the agent that it shares with others.
pub(crate) struct OpenSession {
    session: SharedSession,
    /// Ends its decision early.
    cancel: CancelFlag,
    prepared: Arc<dyn Prepared>,
}

/// Why there is no decision.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoDecision {
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error("the engine cannot be opened: {0}")]
    NotOpened(#[from] tokio::task::JoinError),
    #[error(transparent)]
    NoThought(#[from] NoThought),
}

impl Engines {
    /// All kinds of agents. At most `most_kept` sessions are kept from ply to ply over all tables; where there are more
    /// games, those beyond search anew at each ply.
    pub(crate) fn new(thinking: Thinking, most_kept: usize) -> Engines {
        let most_kept = most_kept.min(Semaphore::MAX_PERMITS);
        Engines {
            offers: offers::all(),
            prepared: Mutex::default(),
            thinking,
            kept: Arc::new(Semaphore::new(most_kept)),
        }
    }

    /// Everybody on offer, by group, weakest first.
    pub(crate) fn all(&self) -> Vec<AgentEntry> {
        self.offers.iter().map(Offer::entry).collect()
    }

    /// Those who play this game.
    pub(crate) fn able(&self, game: &dyn AnyGame) -> Vec<AgentEntry> {
        with_trained(game, self.offers.iter().filter_map(|offer| offer.entry_for(game)).collect())
    }

    /// The canonical spec of an engine that may take a seat at a table of this game. Preparing it may take long.
    pub(crate) fn seat(&self, game: &Arc<dyn AnyGame>, seat: Seat, agent: &str) -> Result<String, Refusal> {
        let spec = self.offered(agent)?;
        self.prepared(game, &spec)?.check_seat(seat)?;
        Ok(spec)
    }

    /// The canonical spec of an engine that is on offer, whatever game it is for: nothing is prepared.
    pub(crate) fn offered(&self, agent: &str) -> Result<String, Refusal> {
        let spec = raichi_agents::canonical(agent)?;
        if !self.offers.iter().any(|offer| offer.spec() == spec) && offers::name_of_trained(&spec).is_none() {
            let offered: Vec<&str> = self.offers.iter().map(Offer::spec).collect();
            let message = format!("`{spec}` is not offered here; there are {}", offered.join(" "));
            return Err(Refusal::new("agent/not-offered", message));
        }
        Ok(spec)
    }

    /// The canonical spec of an agent that may play in a run of the lab.
    pub(crate) fn in_a_run(&self, agent: &str) -> Result<String, Refusal> {
        check_spec(agent)?;
        let spec = raichi_agents::canonical(agent)?;
        let offer = self.offers.iter().find(|offer| offer.spec() == spec);
        let refuse = |why: String| Err(Refusal::new("agent/not-offered", why));
        match offer {
            None if offers::name_of_trained(&spec).is_some() => Ok(spec),
            None => refuse(format!("`{spec}` is not offered here")),
            Some(offer) if offer.entry().seat.is_some() => {
                refuse(format!("`{spec}` does not play all seats, as agents in a run do"))
            }
            Some(offer) if offer.time > TIME_IN_A_RUN => {
                refuse(format!("`{spec}` thinks too long for a run: at most 1 second a ply"))
            }
            Some(_) => Ok(spec),
        }
    }

    /// Those who can play this game in a run of the lab.
    pub(crate) fn able_in_a_run(&self, game: &dyn AnyGame) -> Vec<AgentEntry> {
        let quick = self.offers.iter().filter(|offer| offer.time <= TIME_IN_A_RUN);
        let able = quick.filter_map(|offer| offer.entry_for(game)).filter(|entry| entry.seat.is_none());
        with_trained(game, able.collect())
    }

    /// What people call the agent of this spec.
    pub(crate) fn name_of(&self, agent: &str) -> String {
        let offer = self.offers.iter().find(|offer| offer.spec() == agent);
        let trained = || match offers::name_of_trained(agent) {
            Some((name, false)) => name.to_string(),
            Some((name, true)) => format!("{name}, with a search"),
            None => agent.to_string(),
        };
        offer.map_or_else(trained, |offer| offer.entry().name)
    }

    /// The threads that they search on.
    pub(crate) fn thinking(&self) -> &Thinking {
        &self.thinking
    }

    /// The engine that plays on for somebody who resigned: the best that is not slow.
    pub(crate) fn successor(&self, game: &dyn AnyGame) -> Option<String> {
        let quick = self.offers.iter().filter(|offer| (Duration::from_nanos(1)..=SUCCESSOR_TIME).contains(&offer.time));
        // Of those with the most time the first on offer.
        quick
            .rev()
            .filter(|offer| offer.plays(game))
            .max_by_key(|offer| offer.time)
            .map(|offer| offer.spec().to_string())
    }

    /// The agent of this spec, ready for `game`. This may take long.
    fn prepared(&self, game: &Arc<dyn AnyGame>, agent: &str) -> Result<Arc<dyn Prepared>, AgentError> {
        let slot = Arc::clone(self.slots().entry((game.spec().into(), agent.into())).or_default());
        let mut slot = slot.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(agent) = slot.as_ref().and_then(Weak::upgrade) {
            return Ok(agent);
        }
        let agent = raichi_agents::prepare(game, agent)?;
        *slot = Some(Arc::downgrade(&agent));
        Ok(agent)
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<GameAndAgent, Arc<Slot>>> {
        let mut slots = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| Arc::strong_count(slot) > 1 || slot.is_used());
        slots
    }

    /// Keeps an engine for its next decision, and its session unless too many are kept.
    pub(crate) fn keep(&self, open: OpenSession) -> Engine {
        let OpenSession { session, cancel, prepared } = open;
        let permit = Arc::clone(&self.kept).try_acquire_owned().ok();
        Engine { prepared, session: permit.map(|permit| KeptSession { session, cancel, _permit: permit }) }
    }

    /// Puts an agent in the place of another one, for as long as the caller keeps it.
    #[cfg(test)]
    pub(crate) fn put(&self, game: &str, agent: &str, prepared: &Arc<dyn Prepared>) {
        let slot = Slot(Mutex::new(Some(Arc::downgrade(prepared))));
        self.slots().insert((game.into(), agent.into()), Arc::new(slot));
    }

    /// Returns once it was the engine's turn and it has decided. Where that is dropped, the engine stops thinking.
    pub(crate) async fn decide(
        self: &Arc<Engines>,
        request: EngineRequest,
        clock: DecisionClock,
    ) -> Result<EngineDecision, NoDecision> {
        let wants = self.time_of(&request.player.agent);
        self.advise(request, wants, clock).await
    }

    /// All that the engine thinks, after `wants` or less where others want to think; as [`Engines::decide`].
    pub(crate) async fn advise(
        self: &Arc<Engines>,
        request: EngineRequest,
        wants: Duration,
        mut clock: DecisionClock,
    ) -> Result<EngineDecision, NoDecision> {
        let EngineRequest { client, table, player, engine, current, seat, most, begun } = request;
        let most = most.unwrap_or(Duration::MAX);
        let wants = wants.min(most);
        let open = match engine {
            // One that panicked while it pondered is not asked again.
            Some(Engine { prepared, session: Some(kept) }) if !kept.session.is_poisoned() => {
                OpenSession { session: kept.session, cancel: kept.cancel, prepared }
            }
            engine => {
                let (engines, prepared) = (Arc::clone(self), engine.map(|engine| engine.prepared));
                tokio::task::spawn_blocking(move || engines.open(&player, prepared)).await??
            }
        };
        let request = ThinkingRequest { client, table, wants, cancel: open.cancel.clone(), begun };
        let decide = move |time: Duration| {
            clock.begins();
            let began = Instant::now();
            let mut session = open.session.lock().unwrap_or_else(PoisonError::into_inner);
            let advice = session.decide(&*current, seat, Budget::time(time.min(most)));
            drop(session);
            EngineDecision { advice, took: began.elapsed(), open }
        };
        Ok(self.thinking.think(request, decide).await?)
    }

    fn open(&self, player: &Player, prepared: Option<Arc<dyn Prepared>>) -> Result<OpenSession, AgentError> {
        let prepared = prepared.map_or_else(|| self.prepared(&player.game, &player.agent), Ok)?;
        let session = prepared.open(player.seed);
        Ok(OpenSession { cancel: session.cancel_flag(), session: Arc::new(Mutex::new(session)), prepared })
    }

    /// How long an engine of this spec takes where nobody else wants to think.
    fn time_of(&self, agent: &str) -> Duration {
        let offered = self.offers.iter().find(|offer| offer.spec() == agent).map(|offer| offer.time);
        let searching = || offers::name_of_trained(agent).is_some_and(|(_, searches)| searches);
        let offered = offered.or_else(|| searching().then_some(offers::TIME_ON_TOP));
        offered.filter(|time| !time.is_zero()).unwrap_or(UNTIMED)
    }
}

/// Besides, those who were trained for this game.
fn with_trained(game: &dyn AnyGame, mut entries: Vec<AgentEntry>) -> Vec<AgentEntry> {
    entries.extend(store::trained_for(game.spec()).iter().flat_map(|name| offers::trained(name, game)));
    // The sort is stable: within a group the order stands.
    entries.sort_by_key(|entry| entry.group);
    entries
}

impl Engine {
    /// Frees what it has found; it searches anew next time.
    pub(crate) fn forget(&mut self) {
        self.session = None;
    }
}

impl Slot {
    fn is_used(&self) -> bool {
        // One that is locked is being prepared.
        self.0.try_lock().map_or(true, |agent| agent.as_ref().is_some_and(|agent| agent.strong_count() > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thinking::EngineTimes;

    fn engines(most_kept: usize) -> Arc<Engines> {
        let thinking = Thinking::new(1, EngineTimes::default()).unwrap();
        Arc::new(Engines::new(thinking, most_kept))
    }

    fn player(agent: &str) -> Player {
        Player { game: raichi_games::game("nim").unwrap(), agent: agent.into(), seed: 1 }
    }

    #[test]
    fn so_many_sessions_are_kept_and_no_more() {
        let engines = engines(3);
        let keep = || engines.keep(engines.open(&player("random"), None).unwrap());
        let mut engines_of_tables: Vec<Engine> = (0..4).map(|_| keep()).collect();
        let n_kept = |engines: &[Engine]| engines.iter().filter(|engine| engine.session.is_some()).count();
        assert_eq!(n_kept(&engines_of_tables), 3);
        engines_of_tables[0].forget();
        engines_of_tables.push(keep());
        assert_eq!(n_kept(&engines_of_tables), 3);
    }

    #[test]
    fn an_agent_is_prepared_once_for_all_who_use_it_and_forgotten_with_the_last() {
        let engines = engines(1);
        let game = raichi_games::game("nim").unwrap();
        let [one, other] = [(); 2].map(|()| engines.prepared(&game, "random").unwrap());
        assert!(Arc::ptr_eq(&one, &other));
        let session = engines.open(&player("random"), None).unwrap();
        drop((one, other));
        assert!(Arc::ptr_eq(&session.prepared, &engines.prepared(&game, "random").unwrap()));
        drop(session);
        assert_eq!(engines.slots().len(), 0);
    }

    #[test]
    fn while_one_agent_is_prepared_others_are_there() {
        let engines = engines(1);
        // Somebody prepares this one, and takes long.
        let slot = Arc::clone(engines.slots().entry(("nim".into(), "mcts:time=1s".into())).or_default());
        let _preparing = slot.0.lock().unwrap();
        let start = Instant::now();
        engines.open(&player("random"), None).unwrap();
        assert_eq!(engines.slots().len(), 1, "the one that is being prepared");
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn engines_want_the_time_that_they_are_offered_with() {
        let engines = engines(1);
        for offer in &engines.offers {
            let expected = if offer.time.is_zero() { UNTIMED } else { offer.time };
            assert_eq!(engines.time_of(offer.spec()), expected);
        }
        assert_eq!(engines.time_of("mcts:time=5s"), Duration::from_secs(5));
        assert_eq!(engines.time_of("an engine of a later version"), UNTIMED);
    }
}
