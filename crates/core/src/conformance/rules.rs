//! Actions, outcomes, payoffs, ends, and what a state keeps for speed.

use std::collections::HashSet;

use super::{Place, law};
use crate::erased::{AnyMatch, Playable};
use crate::game::{Chance, Phase};
use crate::history::{By, Match};
use crate::random::FastRng;
use crate::seat::Viewer;

/// Games with more action numbers than this are not asked for each of them.
const MOST_NUMBERS: u64 = 100_000;

impl<G: Playable> Place<'_, G> {
    pub(super) fn actions_are_listed_once_and_read_back(&self, texts_seen: &mut HashSet<String>, rng: &mut FastRng) {
        let Phase::Act(seats) = self.current.phase() else { return };
        law!(self, !seats.is_empty(), "somebody is to act, but no seat");
        let (game, state) = (self.game(), self.state());
        for seat in seats.iter() {
            law!(self, !game.is_out(state, seat), "seat {seat} is out and to act");
            let actions = self.current.legal_actions(seat);
            law!(self, !actions.is_empty(), "seat {seat} is to act but has no action");
            let listed: HashSet<G::Action> = actions.iter().copied().collect();
            law!(self, listed.len() == actions.len(), "an action of seat {seat} is listed twice: {actions:?}");
            let mut scratch = Vec::new();
            let count = game.count_actions(state, seat, &mut scratch);
            law!(self, count == actions.len(), "{count} actions are counted, {} listed", actions.len());
            let random = game.random_action(state, seat, &mut scratch, rng);
            law!(self, listed.contains(&random), "the random action {random:?} is not listed");
            let mut texts = HashSet::new();
            for &action in &actions {
                law!(self, game.is_legal(state, seat, action), "{action:?} is listed but not legal");
                let text = game.action_text(state, seat, action);
                let plain = text.bytes().all(|b| b.is_ascii_graphic());
                law!(self, plain && !text.is_empty() && !text.starts_with('~'), "`{text}` is no action's text");
                let read = game.parse_action(state, seat, &text);
                law!(self, read == Ok(action), "`{text}` of {action:?} is read as {read:?}");
                law!(self, texts.insert(text.clone()), "`{text}` names two actions");
            }
            // Texts of other positions: legal exactly when listed here.
            for text in texts_seen.iter() {
                if let Ok(action) = game.parse_action(state, seat, text) {
                    let legal = game.is_legal(state, seat, action);
                    law!(self, legal == listed.contains(&action), "`{text}` is legal: {legal}, but listed otherwise");
                }
            }
            if texts_seen.len() < 40 {
                texts_seen.extend(texts.into_iter().take(4));
            }
        }
        for seat in (0..game.facts().n_seats).filter(|&seat| !seats.contains(seat)) {
            let refused = self.current.clone().play_text(seat, "x").is_err();
            law!(self, refused && self.current.legal_actions(seat).is_empty(), "seat {seat} acts out of turn");
        }
    }

    pub(super) fn outcomes_have_weights_and_read_back(&self, rng: &mut FastRng) {
        if self.current.phase() != Phase::Chance {
            return;
        }
        let (game, state) = (self.game(), self.state());
        law!(self, game.facts().chance && <G::Outcome as Chance<G>>::ACTS, "chance acts in a game without chance");
        let mut outcomes = Vec::new();
        game.outcomes(state, &mut outcomes);
        law!(self, !outcomes.is_empty(), "chance is to act but has no outcome");
        let listed: HashSet<G::Outcome> = outcomes.iter().map(|&(outcome, _)| outcome).collect();
        law!(self, listed.len() == outcomes.len(), "an outcome is listed twice: {outcomes:?}");
        let sampled = game.sample_outcome(state, rng);
        law!(self, listed.contains(&sampled), "the sampled outcome {sampled:?} is not listed");
        let mut texts = HashSet::new();
        for &(outcome, weight) in &outcomes {
            law!(self, weight > 0, "{outcome:?} is listed with weight 0");
            let text = game.outcome_text(state, outcome);
            let plain = text.bytes().all(|b| b.is_ascii_graphic());
            law!(self, plain && text.starts_with('~'), "`{text}` is no outcome's text");
            let read = game.parse_outcome(state, &text);
            law!(self, read == Ok(outcome), "`{text}` of {outcome:?} is read as {read:?}");
            law!(self, texts.insert(text.clone()), "`{text}` names two outcomes");
        }
    }

    /// Every action that has a number: what is not listed is refused, whatever it is.
    pub(super) fn every_action_is_accepted_exactly_if_listed(&self) {
        let (game, state) = (self.game(), self.state());
        let Phase::Act(seats) = self.current.phase() else { return };
        if game.n_actions() > MOST_NUMBERS {
            return;
        }
        for seat in seats.iter() {
            let listed: HashSet<G::Action> = self.current.legal_actions(seat).into_iter().collect();
            for action in (0..game.n_actions()).filter_map(|number| game.numbered_action(number)) {
                let legal = game.is_legal(state, seat, action);
                law!(self, legal == listed.contains(&action), "{action:?} is legal: {legal}, but listed otherwise");
                if !legal {
                    let refused = self.current.clone().play(seat, action).is_err();
                    law!(self, refused, "{action:?} is accepted, but not listed");
                }
            }
        }
    }

    pub(super) fn derived_values_equal_those_computed_again(&self) {
        let recomputed = self.game().recomputed(self.state());
        law!(self, &recomputed == self.state(), "computed again: {recomputed:?}\nkept: {:?}", self.state());
        let keys = (self.game().key(&recomputed), self.game().key(self.state()));
        law!(self, keys.0 == keys.1, "equal states have the keys {keys:?}");
    }

    pub(super) fn the_history_leads_here(&self) {
        let mut again = Match::of(self.current.game().clone());
        let history = AnyMatch::history(self.current, Viewer::Referee);
        let result = again.play_history(&history);
        law!(self, result.is_ok(), "the history is refused: {result:?}");
        let (there, here) = (again.state(), self.current.state());
        law!(self, there.position() == here.position(), "the history leads to {there:?}, not {here:?}");
        law!(self, there.occurrences() == here.occurrences(), "the history counts {} occurrences", there.occurrences());
        law!(self, there.n_quiet() == here.n_quiet(), "the history counts {} quiet plies", there.n_quiet());
        law!(self, again.plies() == self.current.plies(), "the plies read back differ");
        let half = self.current.n_plies() / 2;
        again.truncate(half);
        let half = self.current.state_after(half);
        law!(self, again.state().position() == half.position(), "undo does not lead back");
    }

    pub(super) fn the_class_is_one_of_the_types(&self) {
        let class = self.current.game().facts().class();
        law!(self, G::CLASSES.has(class), "the facts are those of the class {class:?}, and the type declares others");
    }

    pub(super) fn payoffs_are_as_declared(&self) {
        let facts = self.current.game().facts();
        let payoffs = self.current.payoffs();
        let payoffs = payoffs.as_slice();
        law!(self, payoffs.len() == facts.n_seats, "{} seats have the payoffs {payoffs:?}", facts.n_seats);
        law!(self, payoffs.iter().all(|x| x.is_finite()), "a payoff is not a number: {payoffs:?}");
        if let Some(sum) = facts.payoff_sum {
            let total: f64 = payoffs.iter().sum();
            law!(self, (total - sum).abs() < 1e-9, "the payoffs {payoffs:?} add up to {total}, not {sum}");
        }
        if let Some((low, high)) = facts.payoff_range {
            let within = payoffs.iter().all(|&x| (low..=high).contains(&x));
            law!(self, within, "the payoffs {payoffs:?} are not within {low} to {high}");
        }
    }

    pub(super) fn over_means_nobody_can_act(&self) {
        if self.current.phase() != Phase::Over {
            return;
        }
        let reason = self.current.end_reason();
        law!(self, reason.is_some_and(|reason| !reason.is_empty()), "the game is over without a reason");
        for seat in 0..self.game().facts().n_seats {
            law!(self, self.current.legal_actions(seat).is_empty(), "seat {seat} has actions after the end");
        }
        let mut after = self.current.clone();
        for ply in self.current.plies().iter().rev().take(3) {
            let refused = match ply.by {
                By::Seat(seat) => after.play_text(seat, &ply.text).is_err(),
                By::Chance => after.play_outcome_text(&ply.text).is_err(),
            };
            law!(self, refused, "`{}` is accepted after the end", ply.text);
        }
    }
}
