//! The one filter: what a client may see of a table.
//!
//! Every message about a position is made here by a [`Filter`], which looks at the game only as one of the client's own
//! seats or as a spectator. Law: its messages are byte-identical for all games that this viewer cannot tell apart. The
//! tests below check this in many random games.

use std::collections::BTreeMap;

use raichi_core::erased::marks_of_last;
use raichi_core::game::{Payoffs, Phase};
use raichi_core::history::{By, Ply};
use raichi_core::picture::Picture;
use raichi_core::score_sheet::has_sheets;
use raichi_core::seat::{Seat, SeatSet, Viewer};
use raichi_core::verdict::{Names, sentence};

use crate::choices::Choices;
use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::message::{
    ByView, ClockView, NextTable, Pace, PlyView, ResultView, SeatKind, SeatView, ServerMessage, ToAct, View,
};
use crate::secret::Seed;
use crate::settings::Settings;
use crate::store::{Ending, Holder, SeatRow};

/// A game as the holder of some seats may see it.
pub(crate) struct Filter<'a> {
    game: &'a GameInProgress,
    seats: SeatSet,
    viewer: Viewer,
}

/// What a client has been sent already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// The viewer.
    pub(crate) viewer: Option<Viewer>,
    /// How many plies.
    pub(crate) n_plies: usize,
    /// How often plies had been taken back.
    pub(crate) n_taken_back: usize,
}

/// The touches with which somebody has begun to choose.
pub(crate) struct PartialChoice {
    pub(crate) seat: Seat,
    /// How many plies the client had seen.
    pub(crate) n_plies: usize,
    pub(crate) touched: Vec<String>,
}

/// What there is to know of a table besides the game. All of it is public but the seed, which becomes public when the
/// game is over.
pub(crate) struct TableState<'a> {
    pub(crate) table: &'a str,
    pub(crate) connected: SeatSet,
    pub(crate) thinking: SeatSet,
    pub(crate) seed: &'a Seed,
    pub(crate) next_table: Option<&'a str>,
    pub(crate) settings: &'a Settings,
    pub(crate) clock: Option<&'a ClockView>,
    pub(crate) pace: Option<Pace>,
    /// Whether the game was played elsewhere, so that nothing was drawn here.
    pub(crate) is_imported: bool,
}

impl<'a> Filter<'a> {
    /// The game as the holder of these seats may see it.
    pub(crate) fn new(game: &'a GameInProgress, held: SeatSet) -> Filter<'a> {
        let seats = game.playing(held);
        let to_act = game.to_act();
        let acting = seats.iter().find(|&seat| to_act.contains(seat));
        let seat = acting.or_else(|| last_of(game, seats)).or_else(|| seats.iter().next());
        Filter { game, seats, viewer: seat.map_or(Viewer::Spectator, Viewer::Seat) }
    }

    /// Of the seats held, those that their holders still play; what is to be seen depends on nothing else of the
    /// viewer.
    pub(crate) fn seats(&self) -> SeatSet {
        self.seats
    }

    fn plies_from(&self, first: usize) -> Vec<PlyView> {
        let seen = |ply: &Ply| {
            let (by, unseen) = match ply.by {
                By::Seat(seat) => (ByView::Seat(seat), "?"),
                By::Chance => (ByView::Chance, "~?"),
            };
            let text = if ply.seen_by(self.viewer) { ply.text.clone() } else { unseen.into() };
            PlyView { by, text, begins: ply.begins.clone() }
        };
        self.game.current().plies()[first..].iter().map(seen).collect()
    }

    /// The seat whose secrets are shown.
    fn private_to(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) if self.game.facts().hidden => Some(seat),
            _ => None,
        }
    }

    fn picture(&self) -> Picture {
        self.game.current().picture(self.viewer)
    }

    fn last(&self, n_plies: usize) -> Vec<String> {
        marks_of_last(&self.game.current().plies()[..n_plies], self.viewer)
    }

    fn choices(&self) -> BTreeMap<Seat, Choices> {
        let to_act = self.game.to_act();
        let own = self.seats.iter().filter(|&seat| to_act.contains(seat));
        own.filter_map(|seat| Some((seat, self.choices_after(seat, &[])?))).collect()
    }

    fn choices_after(&self, seat: Seat, touched: &[String]) -> Option<Choices> {
        Choices::after(self.game.current(), seat, &self.game.touches(seat), touched)
    }

    /// The view to send to a client that has been sent `known`, and what it has been sent then.
    pub(crate) fn view(&self, around: &TableState<'_>, known: Known) -> (View, Known) {
        let game = self.game;
        let n_plies = game.n_plies();
        // Another viewer saw other plies.
        let same_viewer = known.viewer == Some(self.viewer) || (known.viewer.is_some() && !game.facts().hidden);
        // After plies were taken back, others may have come in their place.
        let n_taken_back = game.n_taken_back();
        let plies_from = if same_viewer && known.n_taken_back == n_taken_back { known.n_plies.min(n_plies) } else { 0 };
        let ending = game.ending();
        let view = View {
            table: around.table.into(),
            game: game.rules().spec().into(),
            name: game.rules().name(),
            seats: seats(game, around.connected),
            you: self.seats.iter().collect(),
            private_to: self.private_to(),
            n_plies,
            plies_from,
            plies: self.plies_from(plies_from),
            to_act: match game.phase() {
                Phase::Act(seats) => ToAct::Seats(seats.iter().collect()),
                Phase::Chance => ToAct::Chance,
                Phase::Over => ToAct::Over,
            },
            thinking: around.thinking.iter().collect(),
            picture: self.picture(),
            position: game.current().position_text(self.viewer),
            start: game.start().map(|_| game.current().position_text_after(0, self.viewer)),
            last: self.last(n_plies),
            choices: self.choices(),
            help: around.settings.help,
            take_back: if around.settings.takes_back() { self.take_back() } else { BTreeMap::new() },
            clock: around.clock.cloned(),
            pace: around.pace,
            draws: game.draw_by_agreement().is_some(),
            chance: game.rules().facts().chance,
            score_sheet: has_sheets(&game.rules().facts()),
            draw_offers: game.draw_offers().iter().collect(),
            seed: ending.as_ref().filter(|_| !around.is_imported).map(|_| around.seed.reveal()),
            result: ending.map(|ending| self.result(ending)),
            seed_hash: if around.is_imported { String::new() } else { around.seed.hash() },
            next_table: around
                .next_table
                .map(|table| NextTable { table: table.into(), seats: game.seats_in_rematch() }),
        };
        (view, Known { viewer: Some(self.viewer), n_plies, n_taken_back })
    }

    fn take_back(&self) -> BTreeMap<Seat, usize> {
        self.seats.iter().filter_map(|seat| Some((seat, self.game.take_back_to(seat).ok()?))).collect()
    }

    fn result(&self, Ending { end, payoffs }: Ending) -> ResultView {
        // Somebody who holds several seats is told their names.
        let you = self.seats.iter().next().filter(|_| self.seats.len() == 1);
        let names = Names::of(self.game.rules().as_ref()).with_people(&self.game.people()).spoken_to(you);
        let sentence = sentence(self.game.current(), &names, &Payoffs::new(payoffs.iter().copied()), &end);
        ResultView { payoffs, end, sentence }
    }

    /// What goes on from a choice that is partly made.
    pub(crate) fn narrow(&self, id: String, choice: &PartialChoice) -> Result<ServerMessage, Refusal> {
        let PartialChoice { seat, n_plies, ref touched } = *choice;
        if !self.seats.contains(seat) {
            return Err(Refusal::not_yours(seat));
        }
        self.game.check_to_act(seat, n_plies)?;
        let nothing = || Refusal::new("play/no-path", "no legal action goes on from these touches");
        let choices = self.choices_after(seat, touched).ok_or_else(nothing)?;
        Ok(ServerMessage::Narrowed { id, choices })
    }

    /// Which rule forbids what the touches are meant to choose.
    pub(crate) fn why(&self, id: String, choice: &PartialChoice) -> Result<ServerMessage, Refusal> {
        let PartialChoice { seat, n_plies, ref touched } = *choice;
        if !self.seats.contains(seat) {
            return Err(Refusal::not_yours(seat));
        }
        self.game.check_to_act(seat, n_plies)?;
        Ok(ServerMessage::Why { id, why: self.game.current().why_not(seat, touched) })
    }

    /// An earlier position.
    pub(crate) fn look(&self, id: String, n_plies: usize) -> Result<ServerMessage, Refusal> {
        let now = self.game.n_plies();
        if n_plies > now {
            return Err(Refusal::malformed(format!("there are {now} plies so far, not {n_plies}")));
        }
        let picture = Box::new(self.game.current().picture_after(n_plies, self.viewer));
        let position = self.game.current().position_text_after(n_plies, self.viewer);
        let private_to = self.private_to();
        Ok(ServerMessage::Look { id, n_plies, private_to, picture, position, last: self.last(n_plies) })
    }
}

/// Of these seats the one that acted last: it goes on seeing what it saw.
fn last_of(game: &GameInProgress, seats: SeatSet) -> Option<Seat> {
    let seat_of = |ply: &Ply| match ply.by {
        By::Seat(seat) => Some(seat),
        By::Chance => None,
    };
    game.current().plies().iter().rev().filter_map(seat_of).find(|&seat| seats.contains(seat))
}

fn seats(game: &GameInProgress, connected: SeatSet) -> Vec<SeatView> {
    let seat = |(seat, row): (Seat, &SeatRow)| {
        let (name, tone) = (game.rules().seat_name(seat), game.rules().seat_tone(seat));
        match (game.engine(seat), &row.holder) {
            (Some(agent), _) => {
                SeatView { name, tone, occupant: Some(agent.into()), kind: SeatKind::Engine, connected: true }
            }
            (None, Holder::Human { name: occupant, .. }) => {
                let connected = connected.contains(seat);
                SeatView { name, tone, occupant: occupant.clone(), kind: SeatKind::Human, connected }
            }
            (None, Holder::Engine { .. }) => unreachable!("an engine's seat has an engine"),
        }
    };
    game.seats().iter().enumerate().map(seat).collect()
}

#[cfg(test)]
mod tests;
