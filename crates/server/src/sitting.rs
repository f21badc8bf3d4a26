//! A game in progress and who holds its seats. It knows no clock, no store and no socket.

use std::sync::{Arc, Mutex, PoisonError};

use raichi_core::game::{Facts, Payoffs, Phase};
use raichi_core::history::{HistoryError, PlayError};
use raichi_core::picture::Touch;
use raichi_core::seat::{Seat, SeatSet, Viewer};
use raichi_core::{AnyGame, AnyMatch};

use crate::choices::FEW;
use crate::error::Refusal;
use crate::secret::{KeyHash, Seed, outcome_stream};
use crate::store::{Ending, Holder, Resignation, SeatRow};

/// The end reason of a game that somebody gave up.
const RESIGNED: &str = "resigned";

/// A game in progress and who holds its seats.
pub(crate) struct Sitting {
    game: Arc<dyn AnyGame>,
    current: Box<dyn AnyMatch>,
    seats: Vec<SeatRow>,
    many_touches: Mutex<Option<ManyTouches>>,
}

/// All that a seat may choose, after so many plies.
struct ManyTouches {
    seat: Seat,
    n_plies: usize,
    touches: Arc<[Touch]>,
}

impl Sitting {
    /// `seats` has as many entries as the game has seats.
    pub(crate) fn new(game: Arc<dyn AnyGame>, seats: Vec<SeatRow>) -> Sitting {
        let current = game.new_match();
        Sitting::from_match(game, current, seats)
    }

    pub(crate) fn from_match(game: Arc<dyn AnyGame>, current: Box<dyn AnyMatch>, seats: Vec<SeatRow>) -> Sitting {
        Sitting { game, current, seats, many_touches: Mutex::new(None) }
    }

    pub(crate) fn replay<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) -> Result<(), HistoryError> {
        for token in tokens {
            let ply = self.n_plies();
            self.current.play_token(token).map_err(|why| HistoryError { ply, token: token.into(), why })?;
        }
        Ok(())
    }

    pub(crate) fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// The whole game, hidden things included: for the filter, the record and the engines, which look at it through a
    /// seat's eyes.
    pub(crate) fn current(&self) -> &dyn AnyMatch {
        &*self.current
    }

    pub(crate) fn facts(&self) -> Facts {
        self.game.facts()
    }

    pub(crate) fn seats(&self) -> &[SeatRow] {
        &self.seats
    }

    pub(crate) fn n_plies(&self) -> usize {
        self.current.plies().len()
    }

    /// Who acts, resignations considered.
    pub(crate) fn phase(&self) -> Phase {
        if self.given_up_by().is_some() { Phase::Over } else { self.current.phase() }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.phase() == Phase::Over
    }

    /// The seats that may act now.
    pub(crate) fn to_act(&self) -> SeatSet {
        match self.phase() {
            Phase::Act(seats) => seats,
            Phase::Chance | Phase::Over => SeatSet::EMPTY,
        }
    }

    // The seat with whose resignation the game ended.
    fn given_up_by(&self) -> Option<Seat> {
        let gave_up = |row: &SeatRow| row.resignation.as_ref().is_some_and(|resigned| resigned.successor.is_none());
        self.seats.iter().position(gave_up)
    }

    /// How the game ended, once it is over.
    pub(crate) fn ending(&self) -> Option<Ending> {
        let ending = |end: &str, payoffs: Payoffs| Ending { end: end.into(), payoffs: payoffs.as_slice().to_vec() };
        match self.given_up_by() {
            // Two seats, of which the other wins, or one, which gets what there is.
            Some(seat) if self.seats.len() == 2 => Some(ending(RESIGNED, Payoffs::win(1 - seat))),
            Some(_) => Some(ending(RESIGNED, self.current.payoffs())),
            None => self.current.end_reason().map(|end| ending(end, self.current.payoffs())),
        }
    }

    /// The engine that plays a seat, by its spec.
    pub(crate) fn engine(&self, seat: Seat) -> Option<&str> {
        let row = self.seats.get(seat)?;
        match (&row.holder, &row.resignation) {
            (Holder::Engine { agent }, _) => Some(agent),
            (_, Some(Resignation { successor: Some(agent), .. })) => Some(agent),
            _ => None,
        }
    }

    /// The seats that these keys hold.
    ///
    /// # Errors
    /// When one of them holds none.
    pub(crate) fn held_by(&self, keys: &[KeyHash]) -> Result<SeatSet, Refusal> {
        let mut held = SeatSet::EMPTY;
        for key in keys {
            let opens = |row: &SeatRow| matches!(&row.holder, Holder::Human { key: hash, .. } if hash == key);
            let seats: SeatSet = (0..self.seats.len()).filter(|&seat| opens(&self.seats[seat])).collect();
            if seats.is_empty() {
                return Err(Refusal::new("seat/key", "this key holds no seat at this table"));
            }
            held = seats.iter().fold(held, SeatSet::with);
        }
        Ok(held)
    }

    /// Of the seats held, those whose holders still play.
    pub(crate) fn playing(&self, held: SeatSet) -> SeatSet {
        held.iter().filter(|&seat| self.engine(seat).is_none()).collect()
    }

    /// Those of the seats held that have no name yet get this one; answers them.
    pub(crate) fn name(&mut self, held: SeatSet, name: &str) -> Vec<Seat> {
        let mut named = Vec::new();
        for seat in held.iter() {
            if let Some(SeatRow { holder: Holder::Human { name: nameless @ None, .. }, .. }) = self.seats.get_mut(seat)
            {
                *nameless = Some(name.into());
                named.push(seat);
            }
        }
        named
    }

    /// Whether a choice made after `n_plies` plies still counts: nothing was played since but what other seats chose
    /// at the same time.
    pub(crate) fn is_current(&self, n_plies: usize) -> bool {
        self.current.plies().get(n_plies..).is_some_and(|since| since.iter().all(|ply| ply.simultaneous))
    }

    /// Plays an action that was chosen after `n_plies` plies.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub(crate) fn play(&mut self, seat: Seat, action: &str, n_plies: usize) -> Result<(), Refusal> {
        self.check_current(n_plies)?;
        self.current.play(seat, action)?;
        Ok(())
    }

    fn check_current(&self, n_plies: usize) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(PlayError::GameOver.into());
        }
        if !self.is_current(n_plies) {
            let now = self.n_plies();
            let message = format!("this was chosen after {n_plies} plies, and the table has {now}");
            return Err(Refusal::new("play/stale", message));
        }
        Ok(())
    }

    /// Whether `seat` may choose now, having seen `n_plies` plies.
    ///
    /// # Errors
    /// Says why not.
    pub(crate) fn check_to_act(&self, seat: Seat, n_plies: usize) -> Result<(), Refusal> {
        self.check_current(n_plies)?;
        let to_act = self.to_act();
        if to_act.contains(seat) { Ok(()) } else { Err(PlayError::NotToAct { seat, to_act }.into()) }
    }

    /// For each legal action of `seat` what is touched to choose it. Where they are many they are kept until the next
    /// ply: a client asks for them with every touch.
    pub(crate) fn touches(&self, seat: Seat) -> Arc<[Touch]> {
        let n_plies = self.n_plies();
        let mut kept = self.many_touches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| (kept.seat, kept.n_plies) == (seat, n_plies)) {
            return Arc::clone(&kept.touches);
        }
        let touches: Arc<[Touch]> = self.current.touches(seat).into();
        *kept = (touches.len() > FEW).then(|| ManyTouches { seat, n_plies, touches: Arc::clone(&touches) });
        touches
    }

    /// Lets chance act as long as it is to.
    pub(crate) fn play_chance(&mut self, seed: &Seed) {
        while self.phase() == Phase::Chance {
            let mut rng = outcome_stream(seed, self.n_plies());
            self.current.sample_outcome(&mut rng).expect("chance is to act");
        }
    }

    /// Whether resigning here decides the game at once; elsewhere an engine plays on.
    pub(crate) fn resigning_ends_it(&self) -> bool {
        let facts = self.facts();
        facts.n_seats == 1
            || facts.n_seats == 2 && facts.payoff_sum == Some(0.0) && facts.payoff_range == Some((-1.0, 1.0))
    }

    pub(crate) fn resign(&mut self, seat: Seat, resignation: Resignation) {
        self.seats[seat].resignation = Some(resignation);
    }

    /// Who holds the seats of a rematch: everybody moves on by one, and whoever had resigned is back.
    pub(crate) fn seats_of_rematch(&self) -> Vec<SeatRow> {
        let n = self.seats.len();
        let holder = |seat: usize| self.seats[(seat + 1) % n].holder.clone();
        (0..n).map(|seat| SeatRow { holder: holder(seat), resignation: None }).collect()
    }

    /// Who sits where, in words for a record.
    pub(crate) fn occupants(&self) -> Vec<String> {
        let occupant = |(seat, row): (Seat, &SeatRow)| match (&row.holder, &row.resignation) {
            (Holder::Engine { agent }, _) => agent.clone(),
            (Holder::Human { name, .. }, resignation) => {
                let name = name.clone().unwrap_or_else(|| self.game.seat_name(seat));
                match resignation {
                    None => name,
                    Some(Resignation { n_plies, successor: None }) => {
                        format!("{name} (resigned after {n_plies} plies)")
                    }
                    Some(Resignation { n_plies, successor: Some(agent) }) => {
                        format!("{name} (after {n_plies} plies {agent})")
                    }
                }
            }
        };
        self.seats.iter().enumerate().map(occupant).collect()
    }

    /// The plies from number `first` on as a history writes them, hidden ones in full.
    pub(crate) fn tokens_from(&self, first: usize) -> impl Iterator<Item = String> {
        self.current.plies()[first..].iter().map(|ply| ply.token(Viewer::Referee))
    }
}
