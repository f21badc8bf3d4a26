//! The one loop that plays agents against each other, and the one scheme of random streams.
//!
//! A game has one seed. Chance draws from its stream `chance`, the seat that goes first where several may act at once from
//! `order`, and the agent on each seat from a seed of its own; each ply has a stream of its own. So the same seed and
//! agents make the same game in a trace, at the terminal and in a match, on any number of threads, and a game that is
//! taken up again goes on as it would have.
//!
//! What else is wanted of a game (a trace, measurements, records, training data) is an [`Observer`].

use std::sync::Arc;

use raichi_agents::{AgentError, Budget, Played, Prepared, Session};
use raichi_core::SpecError;
use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::game::Phase;
use raichi_core::random::{FastRng, index, mix, stream};
use raichi_core::seat::Seat;

use crate::contest::{OpeningError, Openings};

/// The random streams of one game.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// Those of this seed.
    pub fn new(seed: u64) -> Streams {
        Streams { seed }
    }

    /// What chance draws from after `n_plies` plies.
    pub fn chance(self, n_plies: usize) -> FastRng {
        stream(self.seed, "chance", n_plies as u64)
    }

    /// Which of several seats that may act after `n_plies` plies goes first.
    pub fn order(self, n_plies: usize) -> FastRng {
        stream(self.seed, "order", n_plies as u64)
    }

    /// The seed of the agent on `seat`.
    pub fn agent(self, seat: Seat) -> u64 {
        mix(mix(self.seed) ^ seat as u64)
    }

    /// What a position's text hid is drawn from this.
    pub fn hidden(self) -> FastRng {
        stream(self.seed, "hidden", 0)
    }
}

/// Watches a game being played.
pub trait Observer {
    /// A ply is about to be made: by `seat`, or by chance. Where several seats may act, `seat` is the one that does.
    fn before(&mut self, _current: &dyn AnyMatch, _seat: Option<Seat>) {}

    /// A ply was made. `played` is what the agent says of it: what it expects and what the decision cost; nothing at
    /// chance.
    fn after(&mut self, _current: &dyn AnyMatch, _played: &Played) {}

    /// The game is over.
    fn end(&mut self, _current: &dyn AnyMatch) {}
}

/// Watches nothing.
impl Observer for () {}

/// Several observers, in order.
impl Observer for [&mut dyn Observer] {
    fn before(&mut self, current: &dyn AnyMatch, seat: Option<Seat>) {
        self.iter_mut().for_each(|observer| observer.before(current, seat));
    }
    fn after(&mut self, current: &dyn AnyMatch, played: &Played) {
        self.iter_mut().for_each(|observer| observer.after(current, played));
    }
    fn end(&mut self, current: &dyn AnyMatch) {
        self.iter_mut().for_each(|observer| observer.end(current));
    }
}

/// What happened in a step of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Chance or an agent made a ply.
    Played,
    /// No agent holds this seat, which is to act: somebody else has to play.
    Waiting(Seat),
    /// Nobody can act any more.
    Over,
}

/// One game in progress between agents, and people on other seats.
pub struct Runner {
    /// The game. Plies of seats without an agent are played on it from outside.
    pub current: Box<dyn AnyMatch>,
    /// By seat; `None` for a seat that somebody else holds.
    pub sessions: Vec<Option<Box<dyn Session>>>,
    streams: Streams,
}

impl Runner {
    /// A game from where `current` stands, with the agents given by seat.
    ///
    /// # Panics
    /// When there are more or fewer entries than seats.
    pub fn new(current: Box<dyn AnyMatch>, agents: &[Option<Arc<dyn Prepared>>], streams: Streams) -> Runner {
        assert_eq!(agents.len(), current.facts().n_seats, "every seat has an entry");
        let open = |(seat, agent): (Seat, &Option<Arc<dyn Prepared>>)| {
            agent.as_ref().map(|agent| agent.open(streams.agent(seat)))
        };
        let sessions = agents.iter().enumerate().map(open).collect();
        Runner { current, sessions, streams }
    }

    /// Makes one ply, if it is chance's or an agent's.
    ///
    /// # Errors
    /// When an agent cannot choose.
    pub fn step<O: Observer + ?Sized>(&mut self, observer: &mut O) -> Result<Step, AgentError> {
        match self.current.phase() {
            Phase::Over => {
                observer.end(&*self.current);
                Ok(Step::Over)
            }
            Phase::Chance => {
                observer.before(&*self.current, None);
                let mut rng = self.streams.chance(self.current.n_plies());
                self.current.sample_outcome(&mut rng).expect("chance is to act");
                observer.after(&*self.current, &Played::default());
                Ok(Step::Played)
            }
            Phase::Act(seats) => {
                // Agents first: people may take their time.
                let held = |seat: &Seat| self.sessions[*seat].is_some();
                let n_held = seats.iter().filter(held).count();
                let seat = match n_held {
                    0 => return Ok(Step::Waiting(seats.first())),
                    1 => seats.iter().find(held),
                    n => seats.iter().filter(held).nth(index(&mut self.streams.order(self.current.n_plies()), n)),
                };
                let seat = seat.expect("they were counted");
                observer.before(&*self.current, Some(seat));
                let session = self.sessions[seat].as_mut().expect("an agent holds the seat");
                let played = session.play(&mut *self.current, seat, Budget::UNLIMITED)?;
                observer.after(&*self.current, &played);
                Ok(Step::Played)
            }
        }
    }

    /// Plays to the end. Every seat is held by an agent.
    ///
    /// # Errors
    /// When an agent cannot choose.
    pub fn run<O: Observer + ?Sized>(&mut self, observer: &mut O) -> Result<(), AgentError> {
        loop {
            match self.step(observer)? {
                Step::Played => {}
                Step::Over => return Ok(()),
                Step::Waiting(seat) => panic!("nobody plays for seat {seat}"),
            }
        }
    }
}

/// Why agents could not meet.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The game is not one.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// An agent is not one, or refuses the game.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// An opening does not fit the game.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The wrong number of agents.
    #[error("{game} has {n_seats} seats, but {given} agents were named: name one for all seats or one for each")]
    Seats {
        /// The game's spec.
        game: String,
        /// How many it has.
        n_seats: usize,
        /// How many were named.
        given: usize,
    },
}

/// A game and the agents on its seats, ready to meet again and again.
pub struct Meeting {
    game: Arc<dyn AnyGame>,
    agents: Vec<Option<Arc<dyn Prepared>>>,
    openings: Openings,
}

impl Meeting {
    /// Games of `game`; `agents` names one agent for all seats or one for each.
    ///
    /// # Errors
    /// Says what is wrong with an agent's spec, or with their number.
    pub fn new(game: Arc<dyn AnyGame>, agents: &[String]) -> Result<Meeting, ArenaError> {
        let n_seats = game.facts().n_seats;
        if agents.len() != 1 && agents.len() != n_seats {
            return Err(ArenaError::Seats { game: game.spec().into(), n_seats, given: agents.len() });
        }
        let prepared = agents.iter().map(|spec| raichi_agents::prepare(&game, spec));
        let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
        let seated = |seat: usize| {
            let agent = &prepared[seat % prepared.len()];
            agent.check_seat(seat).map(|()| Some(Arc::clone(agent)))
        };
        let agents = (0..n_seats).map(seated).collect::<Result<_, _>>()?;
        Ok(Meeting { game, agents, openings: Openings::Start })
    }

    /// The same, with games that begin with these openings: the game of seed s with opening s.
    ///
    /// # Errors
    /// When the openings leave nothing to play.
    pub fn with_openings(self, openings: Openings) -> Result<Meeting, ArenaError> {
        openings.check(self.game.as_ref(), 0)?;
        Ok(Meeting { openings, ..self })
    }

    /// The game.
    pub fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    /// The agents' canonical specs, by seat.
    pub fn agents(&self) -> Vec<String> {
        self.agents.iter().flatten().map(|agent| agent.spec().to_string()).collect()
    }

    /// The game of this seed, before its first ply.
    pub fn open(&self, seed: u64) -> Runner {
        let opening = self.openings.opening(self.game.as_ref(), seed, 0);
        Runner::new(opening.open(self.game.as_ref()), &self.agents, Streams::new(seed))
    }

    /// Plays the game of this seed to its end.
    ///
    /// # Errors
    /// When an agent cannot choose.
    pub fn play<O: Observer + ?Sized>(&self, seed: u64, observer: &mut O) -> Result<Box<dyn AnyMatch>, AgentError> {
        let mut runner = self.open(seed);
        runner.run(observer)?;
        Ok(runner.current)
    }
}
