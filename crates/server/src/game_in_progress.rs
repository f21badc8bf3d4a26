//! A game in progress and who holds its seats. It knows no clock, no store and no socket.

use std::sync::{Arc, Mutex, PoisonError};

use raichi_core::game::{Facts, Payoffs, Phase};
use raichi_core::history::{By, HistoryError, PlayError, Ply};
use raichi_core::picture::Touch;
use raichi_core::position::PositionError;
use raichi_core::resignation::{self, AGREED, RESIGNED, TIME};
use raichi_core::seat::{Seat, SeatSet, Viewer};
use raichi_core::{AnyGame, AnyMatch};

use crate::error::Refusal;
use crate::secret::{KeyHash, Seed, hidden_stream, outcome_stream};
use crate::store::{Ending, Holder, Resignation, SeatRow, Start};

/// A game in progress and who holds its seats.
pub(crate) struct GameInProgress {
    rules: Arc<dyn AnyGame>,
    current: Box<dyn AnyMatch>,
    start: Option<Start>,
    seats: Vec<SeatRow>,
    many_touches: Mutex<Option<ManyTouches>>,
    n_taken_back: usize,
}

/// With more legal actions than this, they are kept from one touch to the next.
const MANY: usize = 500;

/// All that a seat may choose, after so many plies.
struct ManyTouches {
    seat: Seat,
    n_plies: usize,
    touches: Arc<[Touch]>,
}

impl GameInProgress {
    /// `seats` has as many entries as the game has seats.
    ///
    /// # Errors
    /// When the rules do not accept the position of the start.
    pub(crate) fn new(
        rules: Arc<dyn AnyGame>,
        start: Option<Start>,
        seats: Vec<SeatRow>,
    ) -> Result<GameInProgress, PositionError> {
        let current = match &start {
            None => rules.new_match(),
            Some(Start { position, .. }) => rules.match_at(position)?,
        };
        Ok(GameInProgress::from_match(rules, current, start, seats))
    }

    pub(crate) fn from_match(
        rules: Arc<dyn AnyGame>,
        current: Box<dyn AnyMatch>,
        start: Option<Start>,
        seats: Vec<SeatRow>,
    ) -> GameInProgress {
        GameInProgress { rules, current, start, seats, many_touches: Mutex::new(None), n_taken_back: 0 }
    }

    pub(crate) fn replay<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) -> Result<(), HistoryError> {
        for token in tokens {
            let ply = self.n_plies();
            self.current.play_token(token).map_err(|why| HistoryError { ply, token: token.into(), why })?;
        }
        Ok(())
    }

    pub(crate) fn rules(&self) -> &Arc<dyn AnyGame> {
        &self.rules
    }

    /// The position that play began with, hidden information included; `None` where that is the game's own start.
    pub(crate) fn start(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// The whole game, hidden information included: for the filter, the record and the engines, which use only what
    /// one seat sees.
    pub(crate) fn current(&self) -> &dyn AnyMatch {
        &*self.current
    }

    pub(crate) fn facts(&self) -> Facts {
        self.rules.facts()
    }

    pub(crate) fn seats(&self) -> &[SeatRow] {
        &self.seats
    }

    pub(crate) fn n_plies(&self) -> usize {
        self.current.n_plies()
    }

    /// Who acts, with resignations taken into account.
    pub(crate) fn phase(&self) -> Phase {
        if self.decided_by_people().is_some() { Phase::Over } else { self.current.phase() }
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

    // What the game pays after a resignation, a fallen flag or an agreement that ended it, and which of them did.
    fn decided_by_people(&self) -> Option<(&'static str, Payoffs)> {
        if self.draw_offers().len() == self.seats.len()
            && let Some(payoffs) = self.draw_by_agreement()
        {
            return Some((AGREED, payoffs));
        }
        let ended = |row: &SeatRow| row.resignation.as_ref().is_some_and(|resigned| resigned.successor.is_none());
        let seat = self.seats.iter().position(ended)?;
        let by_time = self.seats[seat].resignation.as_ref().is_some_and(|resigned| resigned.by_time);
        let payoffs = match self.resignation_of(seat) {
            resignation::Resignation::Ends(payoffs) => payoffs,
            // When the facts of the game have changed since it was stored.
            resignation::Resignation::EnginePlaysOn => self.current.payoffs(),
        };
        Some((if by_time { TIME } else { RESIGNED }, payoffs))
    }

    /// What each seat gets when all agree on a draw; `None` where the game has none, or an engine plays.
    pub(crate) fn draw_by_agreement(&self) -> Option<Payoffs> {
        let all_people = (0..self.seats.len()).all(|seat| self.engine(seat).is_none());
        resignation::agreement(&self.facts()).filter(|_| all_people)
    }

    /// The seats whose offer of a draw stands: nobody else has acted since, who would have declined by that.
    pub(crate) fn draw_offers(&self) -> SeatSet {
        let stands = |seat: &Seat| {
            let since = self.seats[*seat].draw_offered.and_then(|after| self.current.plies().get(after..));
            let declines = |ply: &Ply| matches!(ply.by, By::Seat(other) if other != *seat);
            since.is_some_and(|since| !since.iter().any(declines))
        };
        (0..self.seats.len()).filter(stands).collect()
    }

    /// Sets or takes back the offer of a draw; returns the one before.
    pub(crate) fn offer_draw(&mut self, seat: Seat, after: Option<usize>) -> Option<usize> {
        std::mem::replace(&mut self.seats[seat].draw_offered, after)
    }

    /// How the game ended, once it is over.
    pub(crate) fn ending(&self) -> Option<Ending> {
        let ending = |end: &str, payoffs: Payoffs| Ending { end: end.into(), payoffs: payoffs.as_slice().to_vec() };
        match self.decided_by_people() {
            Some((reason, payoffs)) => Some(ending(reason, payoffs)),
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

    /// The names of the people who still play, where they gave one.
    pub(crate) fn people(&self) -> Vec<Option<&str>> {
        fn given(row: &SeatRow) -> Option<&str> {
            if let Holder::Human { name, .. } = &row.holder { name.as_deref() } else { None }
        }
        let seats = self.seats.iter().enumerate();
        seats.map(|(seat, row)| given(row).filter(|_| self.engine(seat).is_none())).collect()
    }

    /// The seats that these keys hold.
    ///
    /// # Errors
    /// When one of them holds none.
    pub(crate) fn held_by(&self, keys: &[KeyHash]) -> Result<SeatSet, Refusal> {
        let mut held = SeatSet::EMPTY;
        for (i, key) in keys.iter().enumerate() {
            let opens = |row: &SeatRow| matches!(&row.holder, Holder::Human { key: hash, .. } if hash == key);
            let seats: SeatSet = (0..self.seats.len()).filter(|&seat| opens(&self.seats[seat])).collect();
            if seats.is_empty() {
                return Err(Refusal::key(i));
            }
            held = seats.iter().fold(held, SeatSet::with);
        }
        Ok(held)
    }

    /// Of the seats held, those whose holders still play.
    pub(crate) fn playing(&self, held: SeatSet) -> SeatSet {
        held.iter().filter(|&seat| self.engine(seat).is_none()).collect()
    }

    /// Gives this name to those of the seats held that have none yet, and returns them.
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

    /// Takes back the name of a seat.
    pub(crate) fn unname(&mut self, seat: Seat) {
        if let Some(SeatRow { holder: Holder::Human { name, .. }, .. }) = self.seats.get_mut(seat) {
            *name = None;
        }
    }

    /// Whether a choice made after `n_plies` plies is still current: since then other seats have only played what they
    /// chose at the same time.
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
            let message = format!("this was chosen after {n_plies} plies, but the table has {now}");
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

    /// The paths of touches of all legal actions of `seat`. A large list is kept until the next ply, since a client may
    /// ask for it with every touch.
    pub(crate) fn touches(&self, seat: Seat) -> Arc<[Touch]> {
        let n_plies = self.n_plies();
        let mut kept = self.many_touches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| (kept.seat, kept.n_plies) == (seat, n_plies)) {
            return Arc::clone(&kept.touches);
        }
        let touches: Arc<[Touch]> = self.current.touches(seat).into();
        *kept = (touches.len() > MANY).then(|| ManyTouches { seat, n_plies, touches: Arc::clone(&touches) });
        touches
    }

    /// Lets chance act until a seat is to act or the game is over.
    pub(crate) fn play_chance(&mut self, seed: &Seed) {
        while self.phase() == Phase::Chance {
            let mut rng = outcome_stream(seed, self.n_plies());
            self.current.sample_outcome(&mut rng).expect("chance is to act");
        }
    }

    /// What happens if `seat` resigns now.
    pub(crate) fn resignation_of(&self, seat: Seat) -> resignation::Resignation {
        resignation::resignation(&self.facts(), &self.current.payoffs(), seat)
    }

    /// Sets or takes back a resignation.
    pub(crate) fn resign(&mut self, seat: Seat, resignation: Option<Resignation>) {
        self.seats[seat].resignation = resignation;
    }

    /// Takes back plies until `n_plies` are left.
    pub(crate) fn truncate(&mut self, n_plies: usize) {
        self.current.truncate(n_plies);
        *self.many_touches.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// How often plies were taken back since the table was opened.
    pub(crate) fn n_taken_back(&self) -> usize {
        self.n_taken_back
    }

    /// How many plies are left when `seat` takes back its last action, and whatever came after it.
    ///
    /// # Errors
    /// Says why it cannot.
    pub(crate) fn take_back_to(&self, seat: Seat) -> Result<usize, Refusal> {
        let refuse = |why: &str| Err(Refusal::new("play/no-way-back", why));
        if self.is_over() {
            return Err(PlayError::GameOver.into());
        }
        if self.facts().hidden {
            return refuse("in a game with secrets nothing is taken back: what was seen stays known");
        }
        let acted = |ply: &Ply| ply.by == By::Seat(seat);
        let Some(n_plies) = self.current.plies().iter().rposition(acted) else {
            return refuse("this seat has not acted yet");
        };
        let resigned = self.seats.iter().filter_map(|row| row.resignation.as_ref());
        if resigned.map(|resignation| resignation.n_plies).any(|after| after > n_plies) {
            return refuse("somebody has resigned since, which is not taken back");
        }
        Ok(n_plies)
    }

    /// Takes back plies until `n_plies` are left, as somebody asked. Draws that were offered after more plies go with
    /// them, or they would stand again once there are as many others.
    pub(crate) fn take_back(&mut self, n_plies: usize) {
        self.truncate(n_plies);
        for row in &mut self.seats {
            row.draw_offered = row.draw_offered.filter(|&after| after <= n_plies);
        }
        self.n_taken_back += 1;
    }

    /// For each seat, the one that its holder has in a rematch: everybody moves on by one.
    pub(crate) fn seats_in_rematch(&self) -> Vec<Seat> {
        let n_seats = self.seats.len();
        (0..n_seats).map(|seat| (seat + n_seats - 1) % n_seats).collect()
    }

    /// The position that a rematch begins with: the same, but what the given text hid is drawn anew.
    ///
    /// # Errors
    /// When the rules do not accept it, which they did at this table.
    pub(crate) fn start_of_rematch(&self, seed: &Seed) -> Result<Option<Start>, Refusal> {
        let Some(Start { position, seen_by }) = &self.start else { return Ok(None) };
        let given = match seen_by {
            None => position.clone(),
            Some(seat) => self.rules.match_at(position)?.position_text(Viewer::Seat(*seat)),
        };
        set_up(self.rules.as_ref(), &given, seed).map(Some)
    }

    /// Who holds the seats of a rematch. Those who had resigned are back.
    pub(crate) fn holders_in_rematch(&self) -> Vec<SeatRow> {
        let mut rows: Vec<(Seat, &SeatRow)> = self.seats_in_rematch().into_iter().zip(&self.seats).collect();
        rows.sort_unstable_by_key(|&(seat, _)| seat);
        rows.into_iter()
            .map(|(_, row)| SeatRow { holder: row.holder.clone(), resignation: None, draw_offered: None })
            .collect()
    }

    /// Who holds each seat, as a record says it.
    pub(crate) fn occupants(&self) -> Vec<String> {
        let occupant = |(seat, row): (Seat, &SeatRow)| match (&row.holder, &row.resignation) {
            (Holder::Engine { agent }, _) => agent.clone(),
            (Holder::Human { name, .. }, resignation) => {
                let name = name.clone().unwrap_or_else(|| self.rules.seat_name(seat));
                match resignation {
                    None => name,
                    Some(Resignation { n_plies, successor: None, by_time }) => {
                        let how = if *by_time { "out of time" } else { "resigned" };
                        format!("{name} ({how} after {n_plies} plies)")
                    }
                    Some(Resignation { n_plies, successor: Some(agent), .. }) => {
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

/// The position that `text` describes, to begin a game with. What it hides from its writer is drawn, and from then on fixed.
///
/// # Errors
/// When the rules do not accept it, or there is nothing to play.
pub(crate) fn set_up(rules: &dyn AnyGame, text: &str, seed: &Seed) -> Result<Start, Refusal> {
    let mut current = rules.match_at(text)?;
    let seen_by = match current.seen_by() {
        Some(Viewer::Seat(seat)) => Some(seat),
        _ => None,
    };
    current.draw_hidden(&mut hidden_stream(seed))?;
    if current.phase() == Phase::Over {
        return Err(Refusal::position("position/over", "the game is over in this position"));
    }
    Ok(Start { position: current.position_text(Viewer::Referee), seen_by })
}
