//! A position as a client that analyses it is told.

use raichi_core::game::{Payoffs, Phase};
use raichi_core::history::{By, Ply};
use raichi_core::record::RecordedResult;
use raichi_core::seat::Viewer;
use raichi_core::verdict::{Names, sentence};

use super::message::{AnalysedPly, AnalysedPosition, AnalysedSeat, OutcomeView};
use super::source::Position;
use crate::choices::Choices;
use crate::message::{ByView, PlyView, ResultView, ToAct};

impl Position {
    /// All there is to see, without the plies before number `plies_from`.
    pub(crate) fn told(&self, plies_from: usize) -> AnalysedPosition {
        let current = &*self.current;
        let facts = self.rules.facts();
        let plies_from = plies_from.min(current.n_plies());
        let phase = current.phase();
        let acting = if let Phase::Act(seats) = phase { seats.iter().collect() } else { Vec::new() };
        let choices = |&seat| Some((seat, Choices::after(current, seat, &current.touches(seat), &[])?));
        AnalysedPosition {
            game: self.rules.spec().into(),
            name: self.rules.name(),
            seats: self.seats(),
            viewer: self.known_to(),
            of_one_draw: self.is_of_one_draw(),
            n_own: self.n_own,
            n_plies: current.n_plies(),
            plies_from,
            plies: current.plies()[plies_from..].iter().map(|ply| told_ply(ply, self.viewer)).collect(),
            picture: current.picture(self.viewer),
            position: current.position_text(self.viewer),
            start: self.is_set_up.then(|| current.position_text_after(0, self.viewer)),
            last: current.last_marks(self.viewer),
            choices: acting.iter().filter_map(choices).collect(),
            outcomes: self.outcomes(phase),
            to_act: match phase {
                Phase::Act(_) => ToAct::Seats(acting),
                Phase::Chance => ToAct::Chance,
                Phase::Over => ToAct::Over,
            },
            result: self.result(),
            payoff_range: facts.payoff_range,
            opposed: facts.n_seats == 2 && facts.payoff_sum.is_some(),
            placing: self.rules.placements().is_some(),
        }
    }

    fn seats(&self) -> Vec<AnalysedSeat> {
        let seat = |(seat, occupant): (usize, &Option<String>)| AnalysedSeat {
            name: self.rules.seat_name(seat),
            tone: self.rules.seat_tone(seat),
            occupant: occupant.clone(),
        };
        self.occupants.iter().enumerate().map(seat).collect()
    }

    /// Those that the viewer can expect.
    fn outcomes(&self, phase: Phase) -> Vec<OutcomeView> {
        if phase != Phase::Chance {
            return Vec::new();
        }
        // Those of the draw would tell what is hidden in it.
        let viewer = if self.draw.is_some() { self.viewer } else { Viewer::Referee };
        let outcomes = self.current.outcomes(viewer).into_iter();
        outcomes.map(|(token, weight)| OutcomeView { token, weight }).collect()
    }

    /// How the game ended by its rules, or as it was recorded.
    fn result(&self) -> Option<ResultView> {
        let ended = |end: &str| RecordedResult { payoffs: self.current.payoffs().as_slice().to_vec(), end: end.into() };
        let by_rules = self.current.end_reason().map(ended);
        let RecordedResult { payoffs, end } = self.result.clone().or(by_rules)?;
        let names = Names::of(self.rules.as_ref());
        let sentence = sentence(&*self.current, &names, &Payoffs::new(payoffs.iter().copied()), &end);
        Some(ResultView { payoffs, end, sentence })
    }
}

fn told_ply(ply: &Ply, viewer: Viewer) -> AnalysedPly {
    let (by, unseen) = match ply.by {
        By::Seat(seat) => (ByView::Seat(seat), "?"),
        By::Chance => (ByView::Chance, "~?"),
    };
    let text = if ply.seen_by(viewer) { ply.text.clone() } else { unseen.into() };
    AnalysedPly { ply: PlyView { by, text, begins: ply.begins.clone() }, token: ply.token(Viewer::Referee) }
}
