//! What a game was worth to each seat after each of its plies, and which plies lost most.
//!
//! An agent looks at every position for a short time, then at every one again for longer.
//!
//! Estimates are compared only where they are of one kind. Many evaluators favour the seat that is to act where the search
//! ends, so that a search that ends after an odd number of plies is not to be compared with one that ends after an even
//! number: the same position is worth something else by each. A point is therefore the mean of the deepest values of
//! both kinds ([`Worth`]), and each position is searched in several steps so that both are seen. A ply that the agent
//! itself would have chosen loses nothing. Of another one, the position after it is compared with the position after
//! the agent's choice, which is looked at for the same time: the loss is the difference of their deepest values of
//! one kind. Where what follows cannot be asked about, in games with secrets and before chance, the loss is by what one
//! search thought of both actions at the time, since luck and what comes to light is nobody's fault.

use std::sync::Arc;
use std::time::Duration;

use raichi_agents::separately::{Choice, play_forced};
use raichi_agents::{Advice, Candidate, Certainty};
use raichi_core::AnyMatch;
use raichi_core::game::{Facts, Phase};
use raichi_core::history::By;
use raichi_core::seat::Seat;

use super::blocking;
use super::deepening::Asker;
use super::message::{AnalysisMessage, CurvePoint, PlyLoss};
use super::source::Position;
use crate::agents::{Engine, Player};
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::App;
use crate::lines::{Sender, Stopped};

/// How long all positions may take together in each pass, and the least and the most for one.
const PASSES: [(Duration, Duration, Duration); 2] = [
    (Duration::from_secs(8), Duration::from_millis(30), Duration::from_millis(100)),
    (Duration::from_secs(40), Duration::from_millis(100), Duration::from_millis(500)),
];
/// Searches at each ply at most: of its position, and of the position after the agent's choice.
const SEARCHES: usize = 2;
/// In which parts of its time a search that goes by depth is asked what it has found. Each part is three times as long as the
/// one before, about what one more ply takes.
const STEPS: [f64; 3] = [1.0 / 13.0, 3.0 / 13.0, 9.0 / 13.0];
/// Values of depths further apart than this are not averaged: the less deep one says too little.
const FAR_APART: u32 = 3;
/// Plies that are marked, at most.
const MOST_WORST: usize = 5;
/// The least part of what can be won or lost that a marked ply has lost ([`Curve::range`]).
const TELLING: f64 = 0.1;
/// Losses smaller than this are noise in the last digits.
const NOTHING: f64 = 1e-9;

/// Sends points and losses as they are found.
pub(super) async fn trace(
    app: &Arc<App>,
    client: ClientAddress,
    position: Position,
    player: Player,
    sender: &Sender,
) -> Result<(), Stopped> {
    let mut searcher = Searcher { asker: Asker::new(app, client), player, time: Duration::ZERO };
    // Describing the plies of a long game takes a while, and so does playing it again.
    let mut walk = blocking(move || Ok(Walk::new(position))).await?;
    let n_passes = PASSES.len();
    for (pass, (all, least, most)) in PASSES.into_iter().enumerate() {
        let n_searches = SEARCHES * walk.curve.n_decisions(&*walk.position.current).max(1);
        searcher.time = (all / n_searches as u32).clamp(least, most);
        let mut engines = PassEngines::default();
        walk = blocking(move || Ok(walk.gone_back())).await?;
        loop {
            let asked;
            (walk, asked) = blocking(move || walk.go_on().map(|asked| (walk, asked))).await?;
            if let Some(seat) = asked {
                searcher.decision(&mut walk.curve, &mut engines, walk.at, &*walk.current, seat).await?;
            }
            let (told, goes_on);
            (walk, told, goes_on) = blocking(move || {
                let told = walk.told();
                let goes_on = walk.play()?;
                Ok((walk, told, goes_on))
            })
            .await?;
            if let Some(Told { points, losses, worst, part }) = told {
                let progress = (pass as f64 + part) / n_passes as f64;
                sender.send(AnalysisMessage::Curve { points, losses, worst, progress }).await?;
            }
            if !goes_on {
                break;
            }
        }
        if walk.curve.is_all_exact() {
            break;
        }
    }
    Ok(())
}

/// The way through the game, ply by ply.
struct Walk {
    position: Position,
    curve: Curve,
    /// The position after `at` plies.
    current: Box<dyn AnyMatch>,
    at: usize,
}

/// What is new at a position.
struct Told {
    points: Vec<CurvePoint>,
    losses: Vec<PlyLoss>,
    worst: Vec<usize>,
    /// Which part of the plies lies behind.
    part: f64,
}

impl Walk {
    fn new(position: Position) -> Walk {
        let (curve, current) = (Curve::new(&position), position.current.boxed_clone());
        Walk { position, curve, current, at: 0 }
    }

    /// The same before the first ply.
    fn gone_back(mut self) -> Walk {
        self.current.truncate(0);
        self.at = 0;
        self
    }

    /// Goes on to the next position that a seat is to be asked about, from where it is on; `None` where the last one is reached.
    fn go_on(&mut self) -> Result<Option<Seat>, Refusal> {
        loop {
            if let Phase::Act(seats) = self.current.phase() {
                let seat = self.position.mover_at(self.at).unwrap_or_else(|| seats.first());
                let is_seen = self.position.known_to().is_none_or(|viewer| viewer == seat) && seats.contains(seat);
                if is_seen && self.curve.is_open(self.at, &*self.current, seat) {
                    return Ok(Some(seat));
                }
            }
            if !self.play()? {
                return Ok(None);
            }
        }
    }

    /// Plays the next ply; says whether there was one.
    fn play(&mut self) -> Result<bool, Refusal> {
        let Some(ply) = self.position.current.plies().get(self.at) else { return Ok(false) };
        let token = ply.token(raichi_core::Viewer::Referee);
        self.current.play_token(&token).map_err(|why| Refusal::new(why.code(), why.to_string()))?;
        self.at += 1;
        Ok(true)
    }

    /// What has become known here. With what the viewer did not know drawn otherwise, what is exact of this draw would be something
    /// else: that is an estimate.
    fn told(&mut self) -> Option<Told> {
        let mut points = match self.current.phase() {
            Phase::Over => self.curve.end(self.at, &*self.current),
            _ => self.curve.points_of(self.at),
        };
        if points.is_empty() {
            return None;
        }
        if points.iter().any(|point| point.exact) && self.position.is_of_one_draw_at(&*self.current) {
            points.iter_mut().for_each(|point| point.exact = false);
        }
        let losses = points.iter().flat_map(|point| self.curve.losses_beside(point.n_plies)).collect();
        let part = self.at as f64 / self.position.current.n_plies().max(1) as f64;
        Some(Told { points, losses, worst: self.curve.worst(), part })
    }
}

/// Who searches, and for how long.
struct Searcher {
    asker: Asker,
    player: Player,
    /// For each position.
    time: Duration,
}

/// What is kept from position to position: a search of the next one goes on from that of the one before.
#[derive(Default)]
struct PassEngines {
    played: Option<Engine>,
    beside: Option<Engine>,
}

impl Searcher {
    /// Searches the position after `at` plies, where `seat` is to act, and what the agent would have made of it.
    async fn decision(
        &self,
        curve: &mut Curve,
        engines: &mut PassEngines,
        at: usize,
        current: &dyn AnyMatch,
        seat: Seat,
    ) -> Result<(), Refusal> {
        if curve.is_forced(at) {
            let worth = self.worth(&mut engines.played, current.boxed_clone()).await?;
            curve.found[at].worth = worth.unwrap_or_default();
        } else {
            let advices = self.search(&mut engines.played, current, seat).await?;
            curve.decide(at, seat, &advices);
        }
        if let Some(choice) = curve.to_look_beside(at) {
            let mut after = current.boxed_clone();
            after.play(seat, &choice)?;
            let worth = match self.worth(&mut engines.beside, after).await {
                // An agent that plays one seat only has nothing to say of what the others choose.
                Err(refusal) if refusal.code == "agent/refused" => None,
                found => found?,
            };
            curve.note_beside(at, choice, worth);
        }
        Ok(())
    }

    /// What a position is worth, or the first after it in which there is a choice; `None` where chance is to act.
    async fn worth(
        &self,
        engine: &mut Option<Engine>,
        mut current: Box<dyn AnyMatch>,
    ) -> Result<Option<Worth>, Refusal> {
        let mut worth = Worth::default();
        let (current, phase) = blocking(move || {
            let phase = play_forced(&mut *current);
            Ok((current, phase))
        })
        .await?;
        match phase {
            Phase::Chance => return Ok(None),
            Phase::Over => worth.exact = Some(current.payoffs().as_slice().to_vec()),
            Phase::Act(seats) => {
                for advice in self.search(engine, &*current, seats.first()).await? {
                    worth.hear(current.n_plies(), &advice, &Choice::of(&*current, seats.first()));
                }
            }
        }
        Ok(Some(worth))
    }

    /// What the agent thinks as it looks deeper: after each of [`STEPS`] where it goes by depth.
    async fn search(
        &self,
        engine: &mut Option<Engine>,
        current: &dyn AnyMatch,
        seat: Seat,
    ) -> Result<Vec<Advice<String>>, Refusal> {
        let mut advices = Vec::with_capacity(STEPS.len());
        let (mut step, mut part) = (0, STEPS[0]);
        while part > 0.0 {
            let time = self.time.mul_f64(part);
            let (advice, next) = self.asker.ask(&self.player, engine.take(), current.boxed_clone(), seat, time).await?;
            *engine = Some(next);
            step += 1;
            part = match chosen(&advice) {
                Some(_) if advice.proven => 0.0,
                Some(best) if best.depth.is_some() => STEPS.get(step).copied().unwrap_or(0.0),
                // All the rest at once.
                _ if step == 1 => 1.0 - part,
                _ => 0.0,
            };
            advices.push(advice);
        }
        Ok(advices)
    }
}

/// What the agent thinks of its own choice, where it says it.
fn chosen(advice: &Advice<String>) -> Option<&Candidate<String>> {
    let mut candidates = advice.candidates.iter();
    candidates.find(|candidate| candidate.action == advice.action && !candidate.values.is_empty())
}

impl Position {
    /// The seat that made the ply after `at` plies.
    fn mover_at(&self, at: usize) -> Option<Seat> {
        match self.current.plies().get(at)?.by {
            By::Seat(seat) => Some(seat),
            By::Chance => None,
        }
    }
}

/// What searches of a position have found it to be worth, by seat.
#[derive(Clone, Default, Debug)]
struct Worth {
    exact: Option<Vec<f64>>,
    /// The deepest estimate of searches that end after an even number of plies of the game, and of those that end after
    /// an odd number, with their depths.
    by_parity: [Option<(u32, Vec<f64>)>; 2],
    /// The last of an agent that does not go by depth, or a bound.
    other: Option<Vec<f64>>,
}

impl Worth {
    /// Takes note of what was found after `n_plies` plies.
    fn hear(&mut self, n_plies: usize, advice: &Advice<String>, choice: &Choice) {
        let Some(best) = chosen(advice) else { return };
        let (values, exact) = (best.values.clone(), choice.exact_values(advice));
        match (best.certainty, best.depth) {
            _ if exact.is_some() => self.exact = exact,
            (Certainty::Estimate { .. }, Some(depth)) => {
                let deepest = &mut self.by_parity[(n_plies + depth as usize) % 2];
                if deepest.as_ref().is_none_or(|(known, _)| *known <= depth) {
                    *deepest = Some((depth, values));
                }
            }
            _ => self.other = Some(values),
        }
    }

    /// Takes note of what another search has found of the same position.
    fn add(&mut self, more: Worth) {
        self.exact = more.exact.or(self.exact.take());
        self.other = more.other.or(self.other.take());
        for (known, more) in self.by_parity.iter_mut().zip(more.by_parity) {
            if more.as_ref().map(|(depth, _)| *depth) >= known.as_ref().map(|(depth, _)| *depth) {
                *known = more;
            }
        }
    }

    /// The mean of what searches that end on one seat's turn and on the other's have found, where both are known.
    fn values(&self) -> Option<Vec<f64>> {
        if self.exact.is_some() {
            return self.exact.clone();
        }
        match &self.by_parity {
            [Some((one_depth, one)), Some((other_depth, other))] if one_depth.abs_diff(*other_depth) <= FAR_APART => {
                Some(one.iter().zip(other).map(|(one, other)| (one + other) / 2.0).collect())
            }
            found => found.iter().flatten().max_by_key(|(depth, _)| *depth).map(|(_, values)| values.clone()),
        }
        .or_else(|| self.other.clone())
    }

    /// How much more this is worth to `seat` than `other`, by estimates of one kind; `None` where there are none.
    fn more_than(&self, other: &Worth, seat: Seat) -> Option<f64> {
        let difference = |one: &[f64], other: &[f64]| Some(one.get(seat)? - other.get(seat)?);
        if self.exact.is_some() || other.exact.is_some() {
            return difference(&self.values()?, &other.values()?);
        }
        let pairs = self.by_parity.iter().zip(&other.by_parity);
        let of_one_kind = pairs.filter_map(|(one, other)| Some((one.as_ref()?, other.as_ref()?)));
        match of_one_kind.max_by_key(|(one, other)| one.0.min(other.0)) {
            Some(((_, one), (_, other))) => difference(one, other),
            None => difference(self.other.as_ref()?, other.other.as_ref()?),
        }
    }
}

/// What is known of the game so far.
struct Curve {
    facts: Facts,
    /// Who made each ply, and what; `None` for chance.
    choices: Vec<Option<(Seat, String)>>,
    /// How many actions the seat to act had, after so many plies, as far as it is known.
    n_actions: Vec<usize>,
    /// After so many plies.
    found: Vec<Found>,
    losses: Vec<Option<PlyLoss>>,
}

/// What is known of a position of the game.
#[derive(Default)]
struct Found {
    worth: Worth,
    /// What the agent would play, as the last search says.
    best: Option<Candidate<String>>,
    /// What the same search thinks of the action that was played.
    played: Option<Candidate<String>>,
    /// What the position after the agent's choice is worth.
    beside: Option<(String, Worth)>,
    /// How far apart the values of its actions are, as the last search says.
    at_stake: f64,
}

impl Curve {
    fn new(position: &Position) -> Curve {
        let plies = position.current.plies();
        let choice = |ply: &raichi_core::history::Ply| match ply.by {
            By::Seat(seat) => Some((seat, ply.text.clone())),
            By::Chance => None,
        };
        Curve {
            facts: position.rules.facts(),
            choices: plies.iter().map(choice).collect(),
            n_actions: vec![0; plies.len() + 1],
            found: (0..=plies.len()).map(|_| Found::default()).collect(),
            losses: vec![None; plies.len()],
        }
    }

    fn n_decisions(&self, current: &dyn AnyMatch) -> usize {
        let last = usize::from(matches!(current.phase(), Phase::Act(_)));
        self.choices.iter().flatten().count() + last
    }

    /// Whether an agent can be asked about the position after any action.
    fn is_all_seen(&self) -> bool {
        !self.facts.hidden && !self.facts.simultaneous
    }

    /// Whether the position after `at` plies, where `seat` is to act, is to be asked about: not what is exact, nor what is worth as
    /// much as the next one.
    fn is_open(&mut self, at: usize, current: &dyn AnyMatch, seat: Seat) -> bool {
        self.n_actions[at] = current.count_actions(seat);
        !self.is_known_by_next(at) && !self.is_exact(at)
    }

    /// Whether there was one action only.
    fn is_forced(&self, at: usize) -> bool {
        self.is_all_seen() && self.n_actions[at] == 1
    }

    /// Whether the position is worth what the next one is, since there was no choice.
    fn is_known_by_next(&self, at: usize) -> bool {
        self.is_forced(at) && at < self.choices.len()
    }

    /// Takes note of what the agent thinks after `at` plies.
    fn decide(&mut self, at: usize, seat: Seat, advices: &[Advice<String>]) {
        let choice = Choice::new(self.facts, seat, self.n_actions[at]);
        let found = &mut self.found[at];
        for advice in advices {
            found.worth.hear(at, advice, &choice);
        }
        let Some(advice) = advices.last() else { return };
        found.best = chosen(advice).cloned();
        let known = advice.candidates.iter().filter(|candidate| !matches!(candidate.certainty, Certainty::Unknown));
        found.at_stake = spread(known.filter_map(|candidate| candidate.values.get(seat).copied()));
        found.played = self.choices.get(at).and_then(|choice| choice.as_ref()).and_then(|(mover, action)| {
            let mut candidates = advice.candidates.iter();
            let played = candidates.find(|candidate| *mover == seat && candidate.action == *action)?;
            Some(played.clone()).filter(|played| !played.values.is_empty())
        });
    }

    /// The agent's choice, where the position after it is to be looked at: it is not what was played, and one search does
    /// not say how the two compare.
    fn to_look_beside(&self, at: usize) -> Option<String> {
        let (seat, played) = self.choices.get(at)?.as_ref()?;
        let found = &self.found[at];
        let best = found.best.as_ref()?;
        let is_told = found.worth.exact.is_some() || found.loss_in_one_search(*seat).is_some();
        (self.is_all_seen() && best.action != *played && !is_told).then(|| best.action.clone())
    }

    /// Takes note of what the position after the agent's choice is worth: more of the same choice, or another one.
    fn note_beside(&mut self, at: usize, choice: String, worth: Option<Worth>) {
        let known = self.found[at].beside.take().filter(|(known, _)| *known == choice);
        let mut beside = known.map(|(_, worth)| worth).unwrap_or_default();
        if let Some(worth) = worth {
            beside.add(worth);
        }
        self.found[at].beside = Some((choice, beside));
    }

    /// Takes note of the end.
    fn end(&mut self, at: usize, current: &dyn AnyMatch) -> Vec<CurvePoint> {
        if self.is_exact(at) {
            return Vec::new();
        }
        self.found[at].worth.exact = Some(current.payoffs().as_slice().to_vec());
        self.points_of(at)
    }

    /// The point after `at` plies, and those before it from which there was no choice; nothing where no value is known.
    fn points_of(&mut self, at: usize) -> Vec<CurvePoint> {
        let mut points = Vec::from_iter(self.point(at));
        if points.is_empty() {
            return points;
        }
        self.update_losses(at);
        for before in (0..at).rev().take_while(|&before| self.is_forced(before)).collect::<Vec<_>>() {
            self.found[before].worth = self.found[at].worth.clone();
            points.extend(self.point(before));
            self.update_losses(before);
        }
        points
    }

    fn point(&self, at: usize) -> Option<CurvePoint> {
        let Found { worth, best, .. } = &self.found[at];
        let forced = || self.choices.get(at)?.as_ref().filter(|_| self.is_forced(at)).map(|(_, action)| action.clone());
        let best = best.as_ref().map(|best| best.action.clone()).or_else(forced);
        Some(CurvePoint { n_plies: at, values: worth.values()?, exact: worth.exact.is_some(), best })
    }

    fn update_losses(&mut self, at: usize) {
        for ply in [at, at + 1] {
            if ply >= 1 && ply <= self.choices.len() {
                self.losses[ply - 1] = self.loss(ply);
            }
        }
    }

    /// What the `ply`th ply lost, from 1; nothing where it is chance's or not known yet.
    fn loss(&self, ply: usize) -> Option<PlyLoss> {
        let (seat, action) = self.choices[ply - 1].as_ref()?;
        let loss = if self.is_forced(ply - 1) { 0.0 } else { self.loss_of_choice(ply, *seat, action)? };
        Some(PlyLoss { ply, seat: *seat, loss: if loss > NOTHING { loss } else { 0.0 } })
    }

    fn loss_of_choice(&self, ply: usize, seat: Seat, action: &str) -> Option<f64> {
        let before = &self.found[ply - 1];
        let best = before.best.as_ref()?;
        if best.action == action {
            return Some(0.0);
        }
        if !self.is_all_seen() {
            return before.least_loss(seat);
        }
        let after = &self.found[ply].worth;
        let by_what_followed = || match (&before.worth.exact, &before.beside) {
            (Some(_), _) => before.worth.more_than(after, seat),
            (None, Some((_, beside))) => beside.more_than(after, seat),
            (None, None) => None,
        };
        before.loss_in_one_search(seat).or_else(by_what_followed).or_else(|| before.least_loss(seat))
    }

    /// The losses that depend on the point after `at` plies.
    fn losses_beside(&self, at: usize) -> Vec<PlyLoss> {
        let plies = [at.checked_sub(1), Some(at)].into_iter().flatten();
        plies.filter_map(|index| self.losses.get(index)?.clone()).collect()
    }

    fn is_exact(&self, at: usize) -> bool {
        self.found[at].worth.exact.is_some()
    }

    fn is_all_exact(&self) -> bool {
        (0..self.found.len()).filter_map(|at| self.point(at)).all(|point| point.exact)
    }

    /// The plies that lost most, the worst first; of equals the first.
    fn worst(&self) -> Vec<usize> {
        let telling = TELLING * self.range();
        let mut worst: Vec<&PlyLoss> =
            self.losses.iter().flatten().filter(|one| one.loss > telling.max(NOTHING)).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.ply.cmp(&b.ply)));
        worst.iter().take(MOST_WORST).map(|loss| loss.ply).collect()
    }

    /// How far apart payoffs can be. Where they have no bounds, how far apart the actions of one decision were: what all plies
    /// of a game of Blackjack were worth is mostly luck.
    fn range(&self) -> f64 {
        let most_at_stake = || self.found.iter().map(|found| found.at_stake).fold(0.0, f64::max);
        self.facts.payoff_range.map_or_else(most_at_stake, |(low, high)| high - low)
    }
}

/// The greatest of some values less the least; 0 where there are none.
fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let ends = values.fold(None, |ends: Option<(f64, f64)>, value| match ends {
        Some((low, high)) => Some((low.min(value), high.max(value))),
        None => Some((value, value)),
    });
    ends.map_or(0.0, |(low, high)| high - low)
}

impl Found {
    /// The loss where one search knows both actions alike: exactly, or to depths that end on the same seat's turn.
    fn loss_in_one_search(&self, seat: Seat) -> Option<f64> {
        let (best, played) = (self.best.as_ref()?, self.played.as_ref()?);
        let is_estimate = |one: &Candidate<String>| matches!(one.certainty, Certainty::Estimate { .. });
        let same_turn = || Some(best.depth? % 2 == played.depth? % 2);
        let estimated_alike = is_estimate(best) && is_estimate(played) && same_turn() == Some(true);
        let alike = best.is_exact() && played.is_exact() || estimated_alike;
        if alike { Some(best.values.get(seat)? - played.values.get(seat)?) } else { None }
    }

    /// The loss by what one search thinks of both actions, or the least that its bounds leave.
    fn least_loss(&self, seat: Seat) -> Option<f64> {
        let (best, played) = (self.best.as_ref()?, self.played.as_ref()?);
        let parity = |one: &Candidate<String>| one.depth.map_or(0, |depth| depth % 2);
        let says_nothing = matches!(played.certainty, Certainty::Unknown | Certainty::LowerBound);
        if says_nothing || parity(best) != parity(played) {
            return None;
        }
        Some(best.values.get(seat)? - played.values.get(seat)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Ground;
    use super::*;

    const ESTIMATE: Certainty = Certainty::Estimate { standard_error: None };

    fn curve(plies: &str) -> Curve {
        let line: Vec<String> = plies.split(' ').map(str::to_string).collect();
        let Ok(ground) = Ground::of_position("tic-tac-toe", None) else { panic!("it is a game") };
        let Ok(position) = ground.reached(None, &line) else { panic!("{plies}") };
        Curve::new(&position)
    }

    fn candidate(action: &str, value: f64, depth: u32, certainty: Certainty) -> Candidate<String> {
        let values = vec![value, -value];
        Candidate { action: action.into(), values, certainty, visits: None, depth: Some(depth), plies: None }
    }

    fn advice(candidates: Vec<Candidate<String>>) -> Advice<String> {
        let action = candidates[0].action.clone();
        Advice { candidates, ..Advice::without_search(action, false) }
    }

    fn one(action: &str, value: f64, depth: u32) -> Advice<String> {
        advice(vec![candidate(action, value, depth, ESTIMATE)])
    }

    /// `value` with half a point for whom is to act where the search ends; seat 0 is to act after even numbers of plies.
    fn biased(action: &str, value: f64, n_plies: u32, depth: u32) -> Advice<String> {
        one(action, value + if (n_plies + depth).is_multiple_of(2) { 0.5 } else { -0.5 }, depth)
    }

    fn loss(curve: &Curve, ply: usize) -> Option<f64> {
        curve.losses[ply - 1].as_ref().map(|loss| loss.loss)
    }

    #[test]
    fn points_do_not_depend_on_whose_turn_ends_the_search() {
        let mut curve = curve("b2 a1 a2");
        for (at, first) in [(0, 6), (1, 6), (2, 7), (3, 5)] {
            let seat = at as usize % 2;
            let advices = [first, first + 1].map(|depth| biased("c3", 0.1, at, depth));
            curve.decide(at as usize, seat, &advices);
            let points = curve.points_of(at as usize);
            assert!((points[0].values[0] - 0.1).abs() < 1e-9, "{points:?}");
        }
        // Where one kind only was searched deep, the other does not count.
        let mut worth = Worth::default();
        let choice = Choice::new(curve.facts, 0, 9);
        worth.hear(0, &one("c3", -0.5, 2), &choice);
        worth.hear(0, &one("c3", 0.5, 9), &choice);
        assert_eq!(worth.values(), Some(vec![0.5, -0.5]));
    }

    #[test]
    fn what_the_agent_would_have_played_loses_nothing() {
        let mut curve = curve("b2 a1");
        curve.decide(0, 0, &[biased("b2", 0.0, 0, 4)]);
        curve.decide(1, 1, &[biased("a1", 0.0, 1, 4)]);
        curve.points_of(0);
        let points = curve.points_of(1);
        assert_eq!(points[0].values, [-0.5, 0.5], "one kind of search only");
        assert_eq!((loss(&curve, 1), loss(&curve, 2), curve.worst()), (Some(0.0), Some(0.0), vec![]));
        assert_eq!(curve.to_look_beside(0), None);
    }

    #[test]
    fn a_ply_of_which_a_bound_is_known_is_compared_with_the_agents_choice_by_searches_of_one_kind() {
        let mut curve = curve("b1 a1");
        let bounded = || vec![candidate("b2", 0.5, 4, ESTIMATE), candidate("b1", 0.5, 4, Certainty::UpperBound)];
        curve.decide(0, 0, &[advice(bounded())]);
        assert_eq!(curve.to_look_beside(0).as_deref(), Some("b2"));
        // Both positions are looked at, and the searches end on different seats' turns: no more is known than the bound.
        let mut beside = Worth::default();
        beside.hear(1, &biased("a3", 0.3, 1, 5), &Choice::new(curve.facts, 1, 7));
        curve.note_beside(0, "b2".into(), Some(beside));
        curve.decide(1, 1, &[biased("a3", 0.0, 1, 4)]);
        curve.points_of(1);
        assert_eq!(loss(&curve, 1), Some(0.0));
        // As soon as one of them has both kinds the difference is known.
        curve.decide(1, 1, &[biased("a3", 0.0, 1, 5)]);
        curve.points_of(1);
        assert!((loss(&curve, 1).unwrap() - 0.3).abs() < 1e-9, "{:?}", curve.losses);
        assert_eq!(curve.worst(), [1]);
        // A later search chooses what was played.
        curve.decide(0, 0, &[one("b1", 0.5, 6)]);
        curve.points_of(0);
        assert_eq!((loss(&curve, 1), curve.worst()), (Some(0.0), vec![]));
    }

    #[test]
    fn luck_hides_no_mistake_where_payoffs_have_no_bounds() {
        let mut curve = curve("b1 a1");
        curve.facts.payoff_range = None;
        let all = [("b2", 1.0), ("b1", -7.0), ("c3", -14.0)];
        curve.decide(0, 0, &[advice(all.map(|(action, value)| candidate(action, value, 4, ESTIMATE)).to_vec())]);
        // What came by chance was worth more than any decision.
        curve.decide(1, 1, &[one("a1", 120.0, 4)]);
        curve.points_of(0);
        curve.points_of(1);
        assert_eq!((loss(&curve, 1), curve.worst()), (Some(8.0), vec![1]));
        // A tenth of what the decision could lose is nothing to speak of.
        let near = [("b2", 1.0), ("b1", 0.0), ("c3", -14.0)];
        curve.decide(0, 0, &[advice(near.map(|(action, value)| candidate(action, value, 4, ESTIMATE)).to_vec())]);
        curve.points_of(0);
        assert_eq!((loss(&curve, 1), curve.worst()), (Some(1.0), vec![]));
    }

    #[test]
    fn one_search_compares_what_it_knows_of_both_alike() {
        let mut curve = curve("b1 a1");
        let both = |depth| vec![candidate("b2", 0.5, 4, ESTIMATE), candidate("b1", 0.1, depth, ESTIMATE)];
        curve.decide(0, 0, &[advice(both(4))]);
        curve.points_of(0);
        assert!((loss(&curve, 1).unwrap() - 0.4).abs() < 1e-9);
        assert_eq!(curve.to_look_beside(0), None);
        // Not those that it has searched to depths of different kinds.
        curve.decide(0, 0, &[advice(both(3))]);
        curve.points_of(0);
        assert_eq!((loss(&curve, 1), curve.to_look_beside(0).as_deref()), (None, Some("b2")));
    }

    #[test]
    fn without_a_choice_nothing_is_lost_and_a_position_is_worth_what_the_next_one_is() {
        let mut curve = curve("b2 a1 a2");
        curve.n_actions[1] = 1;
        assert!(curve.is_known_by_next(1));
        curve.decide(2, 0, &[one("a3", 0.2, 3)]);
        let points = curve.points_of(2);
        let said: Vec<_> = points.iter().map(|point| (point.n_plies, point.values[0], point.best.as_deref())).collect();
        assert_eq!(said, [(2, 0.2, Some("a3")), (1, 0.2, Some("a1"))]);
        assert_eq!(loss(&curve, 2), Some(0.0));
    }
}
