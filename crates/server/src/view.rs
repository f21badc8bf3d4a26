//! The one filter: what a client may see of a table.
//!
//! Every message about a position is made here from a [`Filter`], and a filter looks at the game only through the eyes
//! of one of the client's own seats, or a spectator's. Law: what it makes is byte-identical for all games that those
//! eyes cannot tell apart; `tests` below plays many games to check it.

use std::collections::BTreeMap;

use raichi_core::erased::marks_of_last;
use raichi_core::game::{Payoffs, Phase};
use raichi_core::history::{By, Ply};
use raichi_core::picture::Picture;
use raichi_core::seat::{Seat, SeatSet, Viewer};
use raichi_core::verdict::verdict;

use crate::choices::Choices;
use crate::error::Refusal;
use crate::message::{ByView, PlyView, ResultView, SeatKind, SeatView, ServerMessage, ToAct, View};
use crate::secret::Seed;
use crate::sitting::Sitting;
use crate::store::{Ending, Holder, SeatRow};

/// A game as the holder of some seats may see it.
pub(crate) struct Filter<'a> {
    sitting: &'a Sitting,
    seats: SeatSet,
    viewer: Viewer,
}

/// What a client has been sent already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// Through whose eyes.
    pub(crate) viewer: Option<Viewer>,
    /// How many plies.
    pub(crate) n_plies: usize,
}

/// A choice that somebody is about to make.
pub(crate) struct HalfMade {
    pub(crate) seat: Seat,
    /// How many plies the client had seen.
    pub(crate) n_plies: usize,
    pub(crate) touched: Vec<String>,
}

/// What there is to know of a table besides the game; all of it is public but the seed, which is once the game is over.
pub(crate) struct Surroundings<'a> {
    pub(crate) table: &'a str,
    pub(crate) connected: SeatSet,
    pub(crate) thinking: SeatSet,
    pub(crate) seed: &'a Seed,
    pub(crate) next_table: Option<&'a str>,
}

impl<'a> Filter<'a> {
    /// The game as whoever holds these seats may see it.
    pub(crate) fn new(sitting: &'a Sitting, held: SeatSet) -> Filter<'a> {
        let seats = sitting.playing(held);
        let to_act = sitting.to_act();
        let eyes = seats.iter().find(|&seat| to_act.contains(seat)).or_else(|| seats.iter().next());
        Filter { sitting, seats, viewer: eyes.map_or(Viewer::Spectator, Viewer::Seat) }
    }

    fn plies_from(&self, first: usize) -> Vec<PlyView> {
        let seen = |ply: &Ply| match (ply.by, ply.seen_by(self.viewer)) {
            (By::Seat(seat), true) => PlyView { by: ByView::Seat(seat), text: ply.text.clone() },
            (By::Seat(seat), false) => PlyView { by: ByView::Seat(seat), text: "?".into() },
            (By::Chance, true) => PlyView { by: ByView::Chance("chance"), text: ply.text.clone() },
            (By::Chance, false) => PlyView { by: ByView::Chance("chance"), text: "~?".into() },
        };
        self.sitting.current().plies()[first..].iter().map(seen).collect()
    }

    fn picture(&self) -> Picture {
        self.sitting.current().picture(self.viewer)
    }

    fn last(&self, n_plies: usize) -> Vec<String> {
        marks_of_last(&self.sitting.current().plies()[..n_plies], self.viewer)
    }

    fn choices(&self) -> BTreeMap<Seat, Choices> {
        let to_act = self.sitting.to_act();
        let own = self.seats.iter().filter(|&seat| to_act.contains(seat));
        own.filter_map(|seat| Some((seat, self.choices_after(seat, &[])?))).collect()
    }

    fn choices_after(&self, seat: Seat, touched: &[String]) -> Option<Choices> {
        Choices::after(self.sitting.current(), seat, &self.sitting.touches(seat), touched)
    }

    /// What a client that knows `known` is sent now, and what it knows then.
    pub(crate) fn view(&self, around: &Surroundings<'_>, known: Known) -> (View, Known) {
        let sitting = self.sitting;
        let n_plies = sitting.n_plies();
        // Other eyes saw other plies.
        let same_eyes = known.viewer == Some(self.viewer) || (known.viewer.is_some() && !sitting.facts().hidden);
        let plies_from = if same_eyes { known.n_plies.min(n_plies) } else { 0 };
        let ending = sitting.ending();
        let view = View {
            table: around.table.into(),
            game: sitting.game().spec().into(),
            name: sitting.game().name(),
            seats: seats(sitting, around.connected),
            you: self.seats.iter().collect(),
            n_plies,
            plies_from,
            plies: self.plies_from(plies_from),
            to_act: match sitting.phase() {
                Phase::Act(seats) => ToAct::Seats(seats.iter().collect()),
                Phase::Chance => ToAct::Nobody("chance"),
                Phase::Over => ToAct::Nobody("over"),
            },
            thinking: around.thinking.iter().collect(),
            picture: self.picture(),
            last: self.last(n_plies),
            choices: self.choices(),
            seed: ending.as_ref().map(|_| around.seed.reveal()),
            result: ending.map(|ending| result(sitting, ending)),
            seed_hash: around.seed.hash(),
            next_table: around.next_table.map(String::from),
        };
        (view, Known { viewer: Some(self.viewer), n_plies })
    }

    /// What goes on from a half-made choice.
    pub(crate) fn narrow(&self, id: String, half: &HalfMade) -> Result<ServerMessage, Refusal> {
        let HalfMade { seat, n_plies, ref touched } = *half;
        if !self.seats.contains(seat) {
            return Err(Refusal::not_yours(seat));
        }
        self.sitting.check_to_act(seat, n_plies)?;
        let nothing = || Refusal::new("play/no-path", "no legal action begins with these touches");
        let choices = self.choices_after(seat, touched).ok_or_else(nothing)?;
        let is_half_made = !touched.is_empty() && !choices.is_complete(touched);
        let caption = if is_half_made { self.sitting.current().caption(seat, touched) } else { None };
        Ok(ServerMessage::Narrowed { id, choices, caption })
    }

    /// An earlier position.
    pub(crate) fn look(&self, id: String, n_plies: usize) -> Result<ServerMessage, Refusal> {
        let now = self.sitting.n_plies();
        if n_plies > now {
            return Err(Refusal::malformed(format!("there are {now} plies so far, not {n_plies}")));
        }
        let picture = Box::new(self.sitting.current().picture_after(n_plies, self.viewer));
        Ok(ServerMessage::Look { id, n_plies, picture, last: self.last(n_plies) })
    }
}

fn seats(sitting: &Sitting, connected: SeatSet) -> Vec<SeatView> {
    let seat = |(seat, row): (Seat, &SeatRow)| {
        let name = sitting.game().seat_name(seat);
        match (sitting.engine(seat), &row.holder) {
            (Some(agent), _) => {
                SeatView { name, occupant: Some(agent.into()), kind: SeatKind::Engine, connected: true }
            }
            (None, Holder::Human { name: occupant, .. }) => {
                let connected = connected.contains(seat);
                SeatView { name, occupant: occupant.clone(), kind: SeatKind::Human, connected }
            }
            (None, Holder::Engine { .. }) => unreachable!("an engine's seat has an engine"),
        }
    };
    sitting.seats().iter().enumerate().map(seat).collect()
}

fn result(sitting: &Sitting, Ending { end, payoffs }: Ending) -> ResultView {
    let sentence = verdict(sitting.game(), &Payoffs::new(payoffs.iter().copied()), &end);
    ResultView { payoffs, end, sentence }
}

#[cfg(test)]
mod tests;
