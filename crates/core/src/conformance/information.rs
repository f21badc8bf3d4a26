//! A seat is shown the same in all states that it cannot tell apart.

use super::{Place, advance, law};
use crate::erased::Playable;
use crate::game::{Choice, Phase};
use crate::information::Seen;
use crate::picture::{Picture, Scene};
use crate::random::FastRng;
use crate::seat::Viewer;

impl<G: Playable> Place<'_, G> {
    pub(super) fn determinizations_show_each_seat_what_it_saw(&self, rng: &mut FastRng) {
        let (game, state) = (self.game(), self.state());
        let facts = game.facts();
        for seat in 0..facts.n_seats {
            let other = game.determinize(state, seat, rng);
            if !facts.hidden {
                law!(self, &other == state, "nothing is hidden, but a determinization differs: {other:?}");
                continue;
            }
            law!(self, game.phase(&other) == game.phase(state), "seat {seat}: the phase tells states apart");
            if matches!(game.phase(state), Phase::Act(seats) if seats.contains(seat)) {
                let (mut ours, mut others) = (Vec::new(), Vec::new());
                game.legal_actions(state, seat, &mut ours);
                game.legal_actions(&other, seat, &mut others);
                law!(self, ours == others, "seat {seat}: its actions tell states apart: {ours:?} {others:?}");
                for path in ours.iter().take(8).map(|&action| game.path(state, seat, action)) {
                    for touched in (1..path.len()).map(|end| &path[..end]) {
                        let captions = [state, &other].map(|state| game.caption(state, seat, touched));
                        let same = captions[0] == captions[1];
                        law!(self, same, "seat {seat}: the caption tells states apart: {captions:?}");
                    }
                }
            }
            law!(self, game.begins(state) == game.begins(&other), "seat {seat}: what begins tells states apart");
            // A spectator sees no more than any seat does.
            for viewer in [Viewer::Seat(seat), Viewer::Spectator] {
                let [ours, others] = [state, &other].map(|state| self.expected(state, viewer));
                law!(self, ours == others, "{viewer:?}: the outcomes tell states apart: {ours:?} {others:?}");
                let scene = self.current.scene();
                let there = Scene { state: &other, ..self.current.scene() };
                let (ours, others) = (bytes(&game.picture(&scene, viewer)), bytes(&game.picture(&there, viewer)));
                law!(self, ours == others, "{viewer:?}: the picture tells states apart:\n{ours}\n{others}");
                let (ours, others) = (game.sketch(&scene, viewer), game.sketch(&there, viewer));
                law!(self, ours == others, "{viewer:?}: the sketch tells states apart:\n{ours}\n{others}");
                let (ours, others) = (game.position_text(state, viewer), game.position_text(&other, viewer));
                law!(self, ours == others, "{viewer:?}: the position tells states apart:\n{ours}\n{others}");
            }
            law!(self, game.recomputed(&other) == other, "seat {seat}: a determinization is inconsistent: {other:?}");
            let mut n_plies = 0;
            let mut end = other;
            while game.phase(&end) != Phase::Over && n_plies < 40 {
                advance(game, &mut end, rng);
                n_plies += 1;
            }
        }
    }
}

impl<G: Playable> Place<'_, G> {
    pub(super) fn seats_remember_what_they_saw(&self) {
        for seat in 0..self.game().facts().n_seats {
            let view = self.current.view(seat);
            law!(self, view.seen().len() == self.current.n_plies(), "seat {seat} remembers another number of plies");
            for (seen, (ply, &choice)) in view.seen().zip(self.current.plies().iter().zip(self.current.choices())) {
                let expected = match choice {
                    _ if ply.seen_by(Viewer::Seat(seat)) => Seen::Choice(choice),
                    Choice::Action(by, _) => Seen::Action(by),
                    Choice::Outcome(_) => Seen::Outcome,
                };
                law!(self, seen == expected, "seat {seat} remembers {seen:?} of a ply of which it saw {expected:?}");
            }
        }
    }

    /// The outcomes that `viewer` can expect in `state`; none where chance is not to act.
    fn expected(&self, state: &G::State, viewer: Viewer) -> Vec<(G::Outcome, u64)> {
        let mut outcomes = Vec::new();
        if self.game().phase(state) == Phase::Chance {
            self.game().expected_outcomes(state, viewer, &mut outcomes);
        }
        outcomes
    }
}

fn bytes(picture: &Picture) -> String {
    serde_json::to_string(picture).expect("a picture has only text keys and finite numbers")
}
