//! What happens beyond the tree: a game played on, and what is learned from it for the next one.
//!
//! Uniformly at random; or by what simulations have paid so far: the move-average sampling technique (MAST; Finnsson and
//! Björnsson, *Simulation-based approach to general game playing*, 2008; with an ε of uniform choices as in Tak, Winands
//! and Björnsson, *N-grams and the last-good-reply policy applied in general game playing*, 2012), the last good reply
//! with forgetting (Baier and Drake, *The power of forgetting*, 2010); or by a policy made for the game. Each thread learns
//! for itself. Actions are told apart by their numbers ([`raichi_core::encoding`]), in a table of [`SLOTS`]; in games with
//! more actions several share a place.

use std::sync::Arc;

use raichi_core::encoding::Encoding;
use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Game, Payoffs, Phase};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, index};
use raichi_core::seat::{MAX_SEATS, Seat};

use super::{Config, random_fraction};
use crate::evaluator::{Evaluator, PlayoutPolicy, as_payoffs};

/// How many actions of a seat are told apart.
pub(super) const SLOTS: usize = 1 << 13;

/// How often MAST leaves the choice to chance.
const MAST_EPSILON: f64 = 0.2;

/// How the actions of playouts are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playouts {
    /// Uniformly at random.
    Uniform,
    /// The action that has paid best on average wherever it was played, one in five at random.
    Mast,
    /// The reply that last did well to the action before, if it is legal; else at random.
    Reply,
    /// By a policy made for the game, where there is one; else at random.
    Policy,
}

/// What is known about a game beyond its rules.
pub struct Knowledge<G: Game> {
    /// Values positions and actions.
    pub evaluator: Option<Arc<dyn Evaluator<G>>>,
    /// Plays playouts.
    pub policy: Option<Arc<dyn PlayoutPolicy<G>>>,
}

// Derived, they would ask for the same of G.
impl<G: Game> Clone for Knowledge<G> {
    fn clone(&self) -> Self {
        Knowledge { evaluator: self.evaluator.clone(), policy: self.policy.clone() }
    }
}
impl<G: Game> Default for Knowledge<G> {
    fn default() -> Self {
        Knowledge { evaluator: None, policy: None }
    }
}

/// An action of this simulation.
#[derive(Clone, Copy)]
pub(super) struct Played<A> {
    pub(super) seat: u8,
    pub(super) slot: u16,
    action: A,
}

/// The plies of a playout.
#[derive(Clone, Copy, Default)]
pub(super) struct Plies {
    /// All of them.
    pub(super) plies: u32,
    /// Those of chance.
    pub(super) outcomes: u32,
}

/// Plays on at random for at most `max_plies`. A function of its own, so that its loop is optimised by itself.
#[inline(never)]
pub(super) fn play_at_random<G: Playable>(
    game: &PathGame<G>,
    state: &mut PathState<G>,
    max_plies: u32,
    actions: &mut Vec<G::Action>,
    rng: &mut FastRng,
) -> Plies {
    let mut outcomes = 0;
    for plies in 0..max_plies {
        match game.phase(state) {
            Phase::Act(seats) => {
                let seat = seats.first();
                let action = game.random_action(state, seat, actions, rng);
                game.apply(state, seat, action);
            }
            Phase::Chance => {
                outcomes += 1;
                let outcome = game.sample_outcome(state, rng);
                game.apply_outcome(state, outcome);
            }
            Phase::Over => return Plies { plies, outcomes },
        }
    }
    Plies { plies: max_plies, outcomes }
}

/// What the evaluator expects, by seat.
#[inline(never)]
pub(super) fn expected<G: Playable>(
    game: &PathGame<G>,
    facts: &Facts,
    evaluator: &dyn Evaluator<G>,
    state: &PathState<G>,
) -> Payoffs {
    let mut values = [0.0; MAX_SEATS];
    if let (2, Some(sum)) = (facts.n_seats, facts.payoff_sum) {
        values[0] = evaluator.value(game, state, 0);
        values[1] = sum as f32 - values[0];
    } else {
        evaluator.values(game, state, &mut values[..facts.n_seats]);
    }
    as_payoffs(&values[..facts.n_seats])
}

/// What lies beyond the tree of a game with secrets: a playout at random, or a shorter one and what an evaluator expects
/// where it ends.
pub(super) struct Beyond<G: Game> {
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    facts: Facts,
    max_plies: u32,
}

impl<G: Playable> Beyond<G> {
    pub(super) fn new(config: &Config, knowledge: &Knowledge<G>, facts: Facts) -> Self {
        Beyond { evaluator: knowledge.evaluator.clone(), facts, max_plies: config.longest_playout(knowledge) }
    }

    /// What a simulation pays that leaves the tree in `state`, and how many positions were entered by an action on the way.
    pub(super) fn play(
        &self,
        game: &PathGame<G>,
        state: &mut PathState<G>,
        actions: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> (Payoffs, u32) {
        let played = play_at_random(game, state, self.max_plies, actions, rng);
        let entered = played.plies - played.outcomes;
        let Some(evaluator) = &self.evaluator else { return (game.payoffs(state), entered) };
        // An evaluator values positions in which somebody decides.
        while game.phase(state) == Phase::Chance {
            let outcome = game.sample_outcome(state, rng);
            game.apply_outcome(state, outcome);
        }
        let payoffs = match game.phase(state) {
            Phase::Over => game.payoffs(state),
            _ => expected(game, &self.facts, evaluator.as_ref(), state),
        };
        (payoffs, entered)
    }
}

/// What one thread learns from its simulations.
pub(super) struct Lessons<G: Game> {
    playouts: Playouts,
    /// The actions of this simulation in order, chance left out, where anything is learned from them.
    pub(super) played: Vec<Played<G::Action>>,
    records: bool,
    /// MAST: by seat and slot, the average payoff and of how many.
    averages: Vec<(f32, u32)>,
    /// Last good replies, by the seat that replies and the slot of the action before.
    replies: Vec<Option<G::Action>>,
    /// What is between a good and a bad payoff.
    middle: f64,
    payoff_sum: f64,
    n_payoffs: f64,
}

#[inline]
pub(super) fn slot<G: Encoding>(game: &G, action: G::Action) -> u16 {
    (game.action_number(action) % SLOTS as u64) as u16
}

impl<G: Playable> Lessons<G> {
    /// `records`: whether the simulation's actions are wanted even if playouts do not learn from them.
    pub(super) fn new(playouts: Playouts, records: bool, facts: &Facts) -> Self {
        let table = |wanted: bool| if wanted { facts.n_seats * SLOTS } else { 0 };
        let learns = matches!(playouts, Playouts::Mast | Playouts::Reply);
        Lessons {
            playouts,
            played: Vec::with_capacity(if learns || records { 1024 } else { 0 }),
            records: learns || records,
            averages: vec![(0.0, 0); table(playouts == Playouts::Mast)],
            replies: vec![None; table(playouts == Playouts::Reply)],
            middle: facts.payoff_range.map_or(0.0, |(low, high)| (low + high) / 2.0),
            payoff_sum: 0.0,
            n_payoffs: if facts.payoff_range.is_some() { -1.0 } else { 0.0 },
        }
    }

    /// Whether playouts are uniform and leave no trace.
    #[inline]
    pub(super) fn are_plain(&self) -> bool {
        !self.records && self.playouts == Playouts::Uniform
    }

    /// A simulation begins.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.played.clear();
    }

    /// A seat has chosen in the tree.
    #[inline]
    pub(super) fn note(&mut self, game: &G, seat: Seat, action: G::Action) {
        if self.records {
            self.played.push(Played { seat: seat as u8, slot: slot(game, action), action });
        }
    }

    /// Plays `state` on for at most `max_plies`, and then until no chance is to act.
    #[inline(never)]
    #[allow(clippy::too_many_arguments, reason = "each is another thing; a struct of them would be made for one call")]
    pub(super) fn play(
        &mut self,
        game: &PathGame<G>,
        state: &mut PathState<G>,
        max_plies: u32,
        policy: Option<&dyn PlayoutPolicy<G>>,
        last: Option<G::Action>,
        actions: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> Plies {
        let (mut made, mut last) = (Plies::default(), last);
        loop {
            match game.phase(state) {
                Phase::Over => return made,
                Phase::Chance => {
                    made.outcomes += 1;
                    let outcome = game.sample_outcome(state, rng);
                    game.apply_outcome(state, outcome);
                }
                Phase::Act(_) if made.plies >= max_plies => return made,
                Phase::Act(seats) => {
                    let seat = seats.first();
                    let action = match (self.playouts, policy) {
                        (Playouts::Mast, _) => self.best_on_average(game, state, seat, actions, rng),
                        (Playouts::Reply, _) => self.reply(game, state, seat, actions, rng),
                        (Playouts::Policy, Some(policy)) => policy.choose(game, state, seat, last, actions, rng),
                        _ => game.random_action(state, seat, actions, rng),
                    };
                    self.note(game, seat, action);
                    game.apply(state, seat, action);
                    last = Some(action);
                }
            }
            made.plies += 1;
        }
    }

    fn best_on_average(
        &self,
        game: &PathGame<G>,
        state: &PathState<G>,
        seat: Seat,
        actions: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> G::Action {
        if random_fraction(rng) < MAST_EPSILON {
            return game.random_action(state, seat, actions, rng);
        }
        actions.clear();
        game.legal_actions(state, seat, actions);
        // From a place drawn at random on: the first of equals is not always the same.
        let first = index(rng, actions.len());
        let (mut best, mut highest) = (actions[first], f32::NEG_INFINITY);
        for &action in actions[first..].iter().chain(&actions[..first]) {
            let (average, n) = self.averages[seat * SLOTS + usize::from(slot(game.game(), action))];
            let average = if n == 0 { f32::INFINITY } else { average };
            if average > highest {
                (best, highest) = (action, average);
            }
        }
        best
    }

    fn reply(
        &self,
        game: &PathGame<G>,
        state: &PathState<G>,
        seat: Seat,
        actions: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> G::Action {
        let known = self.played.last().and_then(|last| self.replies[seat * SLOTS + usize::from(last.slot)]);
        if let Some(reply) = known {
            actions.clear();
            game.legal_actions(state, seat, actions);
            if actions.contains(&reply) {
                return reply;
            }
        }
        game.random_action(state, seat, actions, rng)
    }

    /// Learns from what the simulation paid.
    #[inline(never)]
    pub(super) fn learn(&mut self, payoffs: &Payoffs) {
        match self.playouts {
            Playouts::Mast => {
                for played in &self.played {
                    let seat = usize::from(played.seat);
                    let (average, n) = &mut self.averages[seat * SLOTS + usize::from(played.slot)];
                    *n += 1;
                    *average += (payoffs[seat] as f32 - *average) / *n as f32;
                }
            }
            Playouts::Reply => {
                let middle = self.middle(payoffs);
                for pair in self.played.windows(2) {
                    let (before, reply) = (&pair[0], &pair[1]);
                    let seat = usize::from(reply.seat);
                    let known = &mut self.replies[seat * SLOTS + usize::from(before.slot)];
                    if payoffs[seat] > middle {
                        *known = Some(reply.action);
                    } else if payoffs[seat] < middle && *known == Some(reply.action) {
                        *known = None;
                    }
                }
            }
            Playouts::Uniform | Playouts::Policy => {}
        }
    }

    /// The middle of the payoffs' range, or where they have none their average so far.
    fn middle(&mut self, payoffs: &Payoffs) -> f64 {
        if self.n_payoffs >= 0.0 {
            self.payoff_sum += payoffs.as_slice().iter().sum::<f64>();
            self.n_payoffs += payoffs.as_slice().len() as f64;
            self.middle = self.payoff_sum / self.n_payoffs;
        }
        self.middle
    }
}
