//! The engines that a table may seat, and their thinking: on threads of their own, a limited number at a time.
//!
//! Engines are named by spec and made anew for every decision, so that nothing is kept between plies and a restarted
//! server goes on as it would have. What an engine sees is search's concern: a seat's view, never the state.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use raichi_core::AnyMatch;
use raichi_core::seat::Seat;
use raichi_search::options::OptionKind;
use raichi_search::{AGENTS, AgentError, AgentKind, AnyAgent, Stop};
use tokio::sync::Semaphore;

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

/// The engines and the threads they think on.
pub(crate) struct Engines {
    offers: Vec<Offer>,
    threads: Arc<Semaphore>,
}

struct Offer {
    entry: AgentEntry,
    time: Duration,
}

/// What an engine has to decide.
pub(crate) struct Question {
    /// The game's spec.
    pub(crate) game: String,
    /// The engine's spec.
    pub(crate) agent: String,
    pub(crate) current: Box<dyn AnyMatch>,
    pub(crate) seat: Seat,
    /// Where its randomness comes from.
    pub(crate) seed: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Game(#[from] raichi_core::SpecError),
    #[error("the engine failed: {0}")]
    Failed(#[from] tokio::task::JoinError),
    #[error("the server is closing")]
    Closing(#[from] tokio::sync::AcquireError),
}

/// Makes an engine answer at once, if it has begun.
#[derive(Clone, Default)]
pub(crate) struct Hurry(Arc<OnceLock<Stop>>);

impl Hurry {
    pub(crate) fn up(&self) {
        if let Some(stop) = self.0.get() {
            stop.press();
        }
    }
}

impl Engines {
    /// All that search offers, at most `n_threads` of them thinking at a time.
    pub(crate) fn new(n_threads: usize) -> Engines {
        let offers = AGENTS.iter().flat_map(offers_of).collect();
        Engines { offers, threads: Arc::new(Semaphore::new(n_threads.max(1))) }
    }

    /// Everybody on offer, weakest first.
    pub(crate) fn all(&self) -> Vec<AgentEntry> {
        self.offers.iter().map(|offer| offer.entry.clone()).collect()
    }

    /// Those who play the game of this spec.
    pub(crate) fn able(&self, game: &str) -> Result<Vec<AgentEntry>, Refusal> {
        raichi_games::game(game)?;
        Ok(self.offers.iter().filter(|offer| offer.plays(game)).map(|offer| offer.entry.clone()).collect())
    }

    /// The canonical spec of an engine that may sit at a table of this game.
    pub(crate) fn seat(&self, game: &str, agent: &str) -> Result<String, Refusal> {
        let spec = raichi_search::canonical(agent)?;
        if !self.offers.iter().any(|offer| offer.entry.spec == spec) {
            let offered: Vec<&str> = self.offers.iter().map(|offer| offer.entry.spec.as_str()).collect();
            let message = format!("`{spec}` is not offered here; there are {}", offered.join(" "));
            return Err(Refusal::new("agent/not-offered", message));
        }
        make(game, &spec, 0).map_err(|why| match why {
            NoAnswer::Agent(why) => why.into(),
            NoAnswer::Game(why) => why.into(),
            NoAnswer::Failed(_) | NoAnswer::Closing(_) => Refusal::internal(),
        })?;
        Ok(spec)
    }

    /// The engine that plays on for somebody who resigned: the strongest that is not slow.
    pub(crate) fn successor(&self, game: &str) -> Option<String> {
        let quick = self.offers.iter().rev().filter(|offer| offer.time <= SUCCESSOR_TIME);
        quick.map(|offer| &offer.entry.spec).find(|spec| make(game, spec, 0).is_ok()).cloned()
    }

    /// Answers once a thread was free and the engine has decided.
    pub(crate) async fn decide(&self, question: Question, hurry: Hurry) -> Result<String, NoAnswer> {
        // The thread holds its permit to the end, even where nobody waits for the answer any more.
        let permit = Arc::clone(&self.threads).acquire_owned().await?;
        let thinking = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let mut agent = make(&question.game, &question.agent, question.seed)?;
            let _ = hurry.0.set(agent.stop());
            Ok(agent.decide(&*question.current, question.seat)?.action)
        });
        thinking.await?
    }
}

impl Offer {
    fn plays(&self, game: &str) -> bool {
        make(game, &self.entry.spec, 0).is_ok()
    }
}

fn make(game: &str, agent: &str, seed: u64) -> Result<Box<dyn AnyAgent>, NoAnswer> {
    Ok(raichi_arena::make_agent(game, agent, seed)??)
}

fn offers_of(kind: &AgentKind) -> Vec<Offer> {
    let by_the_clock =
        kind.options.iter().any(|option| option.name == "time" && matches!(option.kind, OptionKind::Duration { .. }));
    if !by_the_clock {
        let entry = AgentEntry { spec: kind.id.into(), name: kind.name.into(), help: kind.help };
        return vec![Offer { entry, time: Duration::ZERO }];
    }
    let offer = |(text, time, words): (&str, Duration, &str)| {
        let spec = format!("{}:time={text}", kind.id);
        let spec = raichi_search::canonical(&spec).unwrap_or(spec);
        Offer { entry: AgentEntry { spec, name: format!("{}, {words}", kind.name), help: kind.help }, time }
    };
    TIMES.into_iter().map(offer).collect()
}
