//! How a game ended, in words.

use super::{Place, law};
use crate::erased::{AnyMatch, Playable};
use crate::game::{Payoffs, Phase};
use crate::random::FastRng;
use crate::resignation::{AGREED, RESIGNED, Resignation, TIME, agreement, resignation};
use crate::seat::Seat;
use crate::verdict::{Ending, Names, UNKNOWN, sentence};

const BY_PATH: [&str; 3] = ["repetition", "no-progress", "cap"];

impl<G: Playable> Place<'_, G> {
    pub(super) fn endings_have_words(&self, rng: &mut FastRng) {
        let payoffs = self.current.payoffs();
        if let Some(reason) = self.current.end_reason() {
            let known = G::END_REASONS.contains(&reason) || BY_PATH.contains(&reason);
            law!(self, known, "`{reason}` is not among the reasons {:?}", G::END_REASONS);
            self.has_words(reason, &payoffs);
            self.words_tell_no_secret(reason, &payoffs, rng);
            let is_drawn = payoffs.as_slice().iter().all(|payoff| *payoff == payoffs.as_slice()[0]);
            let facts = AnyMatch::facts(self.current);
            let may_be = facts.n_seats == 1 || facts.draws || reason == "cap";
            law!(self, !is_drawn || may_be, "a draw by `{reason}`, and the facts say that there are none");
        }
        let facts = AnyMatch::facts(self.current);
        if let Resignation::Ends(payoffs) = resignation(&facts, &payoffs, facts.n_seats - 1) {
            self.has_words(RESIGNED, &payoffs);
            self.has_words(TIME, &payoffs);
        }
        if let Some(payoffs) = agreement(&facts) {
            self.has_words(AGREED, &payoffs);
        }
        // Reasons that random games seldom or never reach.
        for reason in G::END_REASONS.iter().chain(&BY_PATH) {
            self.has_words(reason, &payoffs);
        }
    }

    fn names(&self, you: Option<Seat>) -> Names {
        let n_seats = AnyMatch::facts(self.current).n_seats;
        Names::called((0..n_seats).map(|seat| self.game().seat_called(seat))).spoken_to(you)
    }

    fn has_words(&self, reason: &str, payoffs: &Payoffs) {
        let n_seats = AnyMatch::facts(self.current).n_seats;
        for you in (0..n_seats).map(Some).chain([None]) {
            let text = sentence(self.current, &self.names(you), payoffs, reason);
            law!(self, !text.contains(UNKNOWN), "`{reason}` has no words: {text}");
            let is_code = reason.contains('-') && text.contains(reason);
            let is_clean = text.ends_with('.') && !text.ends_with("..") && !text.contains("  ") && !is_code;
            law!(self, is_clean, "`{reason}` is said as `{text}`");
            let begins = text.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
            law!(self, begins, "no capital: `{text}`");
        }
    }

    fn words_tell_no_secret(&self, reason: &str, payoffs: &Payoffs, rng: &mut FastRng) {
        if self.current.phase() != Phase::Over || !AnyMatch::facts(self.current).hidden {
            return;
        }
        let (game, names) = (self.game(), self.names(None));
        let ending = Ending { reason, payoffs, names: &names, max_plies: None };
        let said = game.end_text(self.state(), &ending);
        for seat in 0..AnyMatch::facts(self.current).n_seats {
            let says = game.end_text(&game.determinize(self.state(), seat, rng), &ending);
            law!(self, said == says, "seat {seat} learns from `{said}` that it is not `{says}`");
        }
    }
}
