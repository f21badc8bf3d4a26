//! The laws that every game keeps, checked along random games.
//!
//! [`check`] plays one random game and looks at every position; [`random_params`] draws parameters to play it with.
//! Each law is a function below, named after what it says.

use std::collections::HashSet;

use crate::erased::{AnyMatch, Playable};
use crate::game::{Game, Phase};
use crate::history::{By, Match};
use crate::params::{ParamKind, ParamSpec};
use crate::picture::{Picture, Touch};
use crate::playout::playout;
use crate::random::{self, FastRng, Rng, stream};
use crate::seat::Viewer;

/// How thoroughly one random game is checked.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Plies after which the game is left unfinished.
    pub max_plies: usize,
    /// Positions on the way that get the slow checks: pictures, determinizations, symmetries, replays.
    pub n_looks: usize,
}

/// Plays one random game and checks every law at every position.
///
/// # Panics
/// Where a law is broken, saying which, in which game and after which history.
pub fn check<G: Playable>(game: &G, spec: &str, seed: u64, effort: Effort) {
    let mut rng = stream(seed, "conformance", 0);
    let mut current = Match::new(game.clone());
    let mut texts_seen: HashSet<String> = HashSet::new();
    // Positions looked at slowly: the first few, then ever fewer.
    let mut looks_left = effort.n_looks;
    loop {
        let n_plies = current.plies().len();
        let place = Place { spec, seed, current: &current };
        let over = current.phase() == Phase::Over || n_plies >= effort.max_plies;
        place.actions_are_listed_once_and_read_back(&mut texts_seen, &mut rng);
        place.outcomes_have_weights_and_read_back(&mut rng);
        place.noise_is_refused(&mut rng);
        place.what_is_kept_along_equals_what_is_worked_out();
        if over || looks_left > 0 && (n_plies < 4 || random::index(&mut rng, 1 + n_plies / 8) == 0) {
            looks_left = looks_left.saturating_sub(1);
            place.the_history_leads_here();
            place.determinizations_show_each_seat_what_it_saw(&mut rng);
            place.symmetries_commute_with_the_rules();
            place.paths_of_touches_tell_actions_apart();
        }
        if over {
            place.payoffs_are_as_declared();
            place.over_means_nobody_can_act();
            return;
        }
        step(&mut current, &mut rng);
    }
}

fn step<G: Playable>(current: &mut Match<G>, rng: &mut FastRng) {
    match current.phase() {
        Phase::Chance => {
            current.sample_outcome(rng).expect("chance is to act");
        }
        Phase::Act(seats) => {
            let nth = random::index(rng, seats.len());
            let seat = seats.iter().nth(nth).expect("the index is below the length");
            let action = current.game().random_action(current.state(), seat, &mut Vec::new(), rng);
            current.play(seat, action).expect("a random action is legal");
        }
        Phase::Over => unreachable!("the caller has looked"),
    }
}

struct Place<'a, G: Playable> {
    spec: &'a str,
    seed: u64,
    current: &'a Match<G>,
}

/// Asserts with the place in the message.
macro_rules! law {
    ($place:expr, $holds:expr, $($message:tt)+) => {
        assert!(
            $holds,
            "{}\n  in {} (seed {}), after {} plies: {}",
            format!($($message)+), $place.spec, $place.seed, $place.current.plies().len(),
            AnyMatch::history($place.current, Viewer::Referee),
        )
    };
}

impl<G: Playable> Place<'_, G> {
    fn game(&self) -> &G {
        self.current.game()
    }

    fn state(&self) -> &G::State {
        self.current.state()
    }

    fn actions_are_listed_once_and_read_back(&self, texts_seen: &mut HashSet<String>, rng: &mut FastRng) {
        let Phase::Act(seats) = self.current.phase() else { return };
        law!(self, !seats.is_empty(), "somebody is to act, but no seat");
        let (game, state) = (self.game(), self.state());
        for seat in seats.iter() {
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

    fn outcomes_have_weights_and_read_back(&self, rng: &mut FastRng) {
        if self.current.phase() != Phase::Chance {
            return;
        }
        let (game, state) = (self.game(), self.state());
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

    // Parsers are total, and what they read is legal only if listed.
    fn noise_is_refused(&self, rng: &mut FastRng) {
        let (game, state) = (self.game(), self.state());
        let alphabet: Vec<char> = "abcdijk0123456789-/>.!#*@:~+RYBKé swx'".chars().collect();
        for _ in 0..2 {
            let len = random::index(rng, 7);
            let noise: String = (0..len).map(|_| alphabet[random::index(rng, alphabet.len())]).collect();
            for seat in 0..game.facts().n_seats {
                if let Ok(action) = game.parse_action(state, seat, &noise) {
                    let to_act = matches!(self.current.phase(), Phase::Act(seats) if seats.contains(seat));
                    let listed = self.current.legal_actions(seat).contains(&action);
                    let legal = to_act && game.is_legal(state, seat, action);
                    law!(self, legal == listed, "`{noise}` is legal: {legal}, but listed otherwise");
                    if to_act && !legal {
                        let _ = (game.action_text(state, seat, action), game.why_illegal(state, seat, action));
                    }
                }
            }
            let _ = game.parse_outcome(state, &noise);
        }
    }

    fn what_is_kept_along_equals_what_is_worked_out(&self) {
        let recomputed = self.game().recomputed(self.state());
        law!(self, &recomputed == self.state(), "worked out anew: {recomputed:?}\nkept: {:?}", self.state());
        let keys = (self.game().key(&recomputed), self.game().key(self.state()));
        law!(self, keys.0 == keys.1, "equal states have the keys {keys:?}");
    }

    fn the_history_leads_here(&self) {
        let mut again = Match::new(self.game().clone());
        let history = AnyMatch::history(self.current, Viewer::Referee);
        let result = again.play_history(&history);
        law!(self, result.is_ok(), "the history is refused: {result:?}");
        law!(self, again.state() == self.state(), "the history leads to {:?}, not {:?}", again.state(), self.state());
        law!(self, again.plies() == self.current.plies(), "the plies read back differ");
        let half = self.current.plies().len() / 2;
        again.truncate(half);
        law!(self, again.state() == &self.current.state_after(half), "undo does not lead back");
    }

    fn determinizations_show_each_seat_what_it_saw(&self, rng: &mut FastRng) {
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
            // A spectator sees no more than any seat does.
            for viewer in [Viewer::Seat(seat), Viewer::Spectator] {
                let (ours, others) = (bytes(&game.picture(state, viewer)), bytes(&game.picture(&other, viewer)));
                law!(self, ours == others, "{viewer:?}: the picture tells states apart:\n{ours}\n{others}");
                let (ours, others) = (game.sketch(state, viewer), game.sketch(&other, viewer));
                law!(self, ours == others, "{viewer:?}: the sketch tells states apart:\n{ours}\n{others}");
            }
            law!(self, game.recomputed(&other) == other, "seat {seat}: a determinization is inconsistent: {other:?}");
            let mut capped = 0;
            let mut end = other;
            while game.phase(&end) != Phase::Over && capped < 40 {
                advance(game, &mut end, rng);
                capped += 1;
            }
        }
    }

    fn symmetries_commute_with_the_rules(&self) {
        let (game, state) = (self.game(), self.state());
        for symmetry in 0..game.n_symmetries() {
            let image = game.map_state(symmetry, state);
            if symmetry == 0 {
                law!(self, &image == state, "symmetry 0 is not the identity");
            }
            law!(self, game.recomputed(&image) == image, "symmetry {symmetry} leaves something behind");
            law!(self, game.phase(&image) == game.phase(state), "symmetry {symmetry} changes who acts");
            law!(self, game.payoffs(&image) == game.payoffs(state), "symmetry {symmetry} changes the payoffs");
            match game.phase(state) {
                Phase::Over => {}
                Phase::Act(seats) => {
                    for seat in seats.iter() {
                        let (mut actions, mut images) = (Vec::new(), Vec::new());
                        game.legal_actions(state, seat, &mut actions);
                        game.legal_actions(&image, seat, &mut images);
                        let mapped: HashSet<_> =
                            actions.iter().map(|&action| game.map_action(symmetry, action)).collect();
                        let images: HashSet<_> = images.into_iter().collect();
                        law!(self, mapped == images, "symmetry {symmetry} changes what is legal");
                        for &action in actions.iter().take(6) {
                            let mut after = state.clone();
                            game.apply(&mut after, seat, action);
                            let mut image_after = image.clone();
                            game.apply(&mut image_after, seat, game.map_action(symmetry, action));
                            let same = game.map_state(symmetry, &after) == image_after;
                            law!(self, same, "symmetry {symmetry} does not commute with {action:?}");
                        }
                    }
                }
                Phase::Chance => {
                    let (mut outcomes, mut images) = (Vec::new(), Vec::new());
                    game.outcomes(state, &mut outcomes);
                    game.outcomes(&image, &mut images);
                    let mapped: HashSet<_> = outcomes
                        .iter()
                        .map(|&(outcome, weight)| (game.map_outcome(symmetry, outcome), weight))
                        .collect();
                    let images: HashSet<_> = images.into_iter().collect();
                    law!(self, mapped == images, "symmetry {symmetry} changes what may happen");
                }
            }
        }
    }

    fn paths_of_touches_tell_actions_apart(&self) {
        let Phase::Act(seats) = self.current.phase() else { return };
        for seat in seats.iter() {
            let ids = touchable(&self.game().picture(self.state(), Viewer::Seat(seat)));
            let touches: Vec<Touch> =
                AnyMatch::touches(self.current, seat).into_iter().map(|touch| self.in_fixed_order(touch)).collect();
            let paths: HashSet<&[String]> = touches.iter().map(|touch| touch.path.as_slice()).collect();
            law!(self, paths.len() == touches.len(), "two actions of seat {seat} share a path: {touches:?}");
            for touch in &touches {
                law!(self, !touch.path.is_empty(), "`{}` has no path", touch.action);
                for id in &touch.path {
                    law!(self, ids.contains(id), "`{}` is chosen by `{id}`, which is not in the picture", touch.action);
                }
                for end in 1..touch.path.len() {
                    let clash = paths.contains(&touch.path[..end]);
                    law!(
                        self,
                        !clash,
                        "the path of `{}` goes on after another action's: {:?}",
                        touch.action,
                        touch.path
                    );
                }
            }
        }
    }

    /// Touches that may come in any order, sorted.
    fn in_fixed_order(&self, mut touch: Touch) -> Touch {
        for run in touch.path.chunk_by_mut(|a, b| self.game().any_order(a) && self.game().any_order(b)) {
            run.sort_unstable();
        }
        touch
    }

    fn payoffs_are_as_declared(&self) {
        let facts = self.game().facts();
        let payoffs = self.game().payoffs(self.state());
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

    fn over_means_nobody_can_act(&self) {
        if self.current.phase() != Phase::Over {
            return;
        }
        let game = self.game();
        law!(self, !game.end_reason(self.state()).is_empty(), "the game is over without a reason");
        for seat in 0..game.facts().n_seats {
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

fn advance<G: Game>(game: &G, state: &mut G::State, rng: &mut FastRng) {
    match game.phase(state) {
        Phase::Act(seats) => {
            let seat = seats.first();
            let action = game.random_action(state, seat, &mut Vec::new(), rng);
            game.apply(state, seat, action);
        }
        Phase::Chance => {
            let outcome = game.sample_outcome(state, rng);
            game.apply_outcome(state, outcome);
        }
        Phase::Over => {}
    }
}

fn bytes(picture: &Picture) -> String {
    serde_json::to_string(picture).expect("a picture has only text keys and finite numbers")
}

fn touchable(picture: &Picture) -> HashSet<String> {
    let cells = picture.areas.iter().flat_map(|area| &area.cells);
    let lines = picture.areas.iter().flat_map(|area| &area.lines);
    cells
        .map(|cell| cell.touch.as_ref().unwrap_or(&cell.id).clone())
        .chain(lines.filter_map(|line| line.id.clone()))
        .chain(picture.buttons.iter().map(|button| button.id.clone()))
        .collect()
}

/// Plays a random game to its end and answers how many plies that took, or `None` beyond `max_plies`.
pub fn length_of_random_game<G: Game>(game: &G, seed: u64, max_plies: u32) -> Option<u32> {
    let capped = crate::capped::Capped::new(game.clone(), max_plies);
    let plies = playout(&capped, &mut capped.initial_state(), &mut Vec::new(), &mut stream(seed, "length", 0));
    (plies < max_plies).then_some(plies)
}

/// Parameters drawn at random, corners more often than the middle, as the part of a spec behind the colon; `None` for
/// all defaults. Combinations that make no game come up too: the caller draws again.
pub fn random_params(specs: &[ParamSpec], rng: &mut FastRng) -> Option<String> {
    let mut entries: Vec<String> = Vec::new();
    for spec in specs {
        if random::index(rng, 2) == 0 {
            entries.push(format!("{}={}", spec.name, random_value(&spec.kind, rng)));
        }
    }
    (!entries.is_empty()).then(|| entries.join(","))
}

fn random_value(kind: &ParamKind, rng: &mut FastRng) -> String {
    match *kind {
        ParamKind::Int { min, max, step } => random_int(min, max, step, rng).to_string(),
        ParamKind::Bool => (rng.next_u64() & 1 == 0).to_string(),
        ParamKind::Choice { options } => options[random::index(rng, options.len())].into(),
        ParamKind::List { min_len, max_len, min, max } => {
            let len = min_len + random::index(rng, (max_len - min_len).min(4) + 1);
            (0..len).map(|_| random_int(min, max, 1, rng).to_string()).collect::<Vec<_>>().join("/")
        }
    }
}

// Either end, near the low end, or anywhere.
fn random_int(min: u64, max: u64, step: u64, rng: &mut FastRng) -> u64 {
    let n_steps = (max - min) / step;
    let steps = match random::index(rng, 6) {
        0 => 0,
        1 => n_steps,
        2 | 3 => random::index(rng, n_steps.min(12) as usize + 1) as u64,
        _ => random::index(rng, n_steps as usize + 1) as u64,
    };
    min + steps * step
}
