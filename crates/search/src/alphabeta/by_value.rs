//! Alpha-beta where chance acts or there are more seats than two: by payoffs themselves, in plies of actions.
//!
//! With one seat, with two of constant sum, and where the others are taken for opponents (paranoid: Sturtevant and
//! Korf, *On pruning techniques for multi-player games*, 2000; best-reply: Schadd and Winands, *Best reply search for
//! multiplayer games*, 2011, with the other opponents' best-looking actions in place of passes, after Esser and others,
//! 2013) a position has one number, which one side wants great and the other small. Chance is taken by expectation,
//! with the bounds of Star1, and Star2 where what follows is a choice (Ballard, *The \*-minimax search procedure for
//! trees containing chance nodes*, 1983); they need bounds on the payoffs. Otherwise max-n: a number a seat, nothing
//! pruned but what follows an action that pays the most there is.
//!
//! Where chance can do very much, and again directly before it, outcomes are drawn, the same whenever the position
//! comes up; what rests on a draw is an estimate. Only where no rule looks at the path is there a table.

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Phase};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random;
use raichi_core::seat::Seat;

use super::Others;
use super::ordering::{Ordering, RANK_OF_TABLE, Rank, Turn, highest_first};
use super::table::Bound;
use super::value_table::{ValueTable, Values};
use crate::clock::Clock;
use crate::deepening::{ByDepth, Estimates, Finding, Root, outcomes};
use crate::ties::share_ties;

/// What a search came to.
#[derive(Clone, Copy, Debug)]
struct Worth {
    value: f64,
    proven: bool,
}

/// The search.
pub(super) struct ByValue<G: Playable> {
    estimates: Estimates<G>,
    others: Others,
    /// Whether a position has one number only.
    is_scalar: bool,
    most_outcomes: usize,
    table: ValueTable,
    ordering: Ordering<G>,
    /// The seat that searches.
    seat: Seat,
    has_table: bool,
    /// Of the payoffs; infinite where they are not bounded.
    bounds: (f64, f64),
    /// What a seat looks for nothing beyond, in max-n.
    settling: f64,
    states: Vec<PathState<G>>,
    /// The best line from each ply on.
    lines: Vec<Vec<Choice<G>>>,
    stopped: bool,
}

/// A place in the tree.
#[derive(Clone, Copy)]
struct Place {
    ply: usize,
    depth: u32,
    /// How many outcomes the plies of chance directly before this had, multiplied.
    spread: usize,
    /// Whether an opponent has already chosen freely since the searching seat did; of best-reply search.
    replied: bool,
}

impl<G: Playable> ByValue<G> {
    pub(super) fn new(estimates: Estimates<G>, others: Others, outcomes: usize, mut table: ValueTable) -> Self {
        let facts = *estimates.facts();
        let opposed = facts.n_seats == 2 && facts.payoff_sum.is_some();
        table.age();
        ByValue {
            is_scalar: facts.n_seats == 1 || opposed || others != Others::MaxN,
            others,
            most_outcomes: if outcomes == 0 { usize::MAX } else { outcomes },
            table,
            ordering: Ordering::default(),
            seat: 0,
            has_table: !facts.path_dependent,
            bounds: facts.payoff_range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY)),
            settling: facts.settling_payoff().unwrap_or(f64::INFINITY),
            states: Vec::new(),
            lines: Vec::new(),
            stopped: false,
            estimates,
        }
    }

    pub(super) fn into_table(self) -> ValueTable {
        self.table
    }

    /// The payoffs of all seats, where that of the searching one is known: what remains is shared equally.
    fn spread_out(&self, value: f64) -> Vec<f64> {
        let facts = self.estimates.facts();
        let others = (facts.n_seats - 1) as f64;
        let rest = match (facts.payoff_sum, facts.payoff_range) {
            (Some(sum), _) => (sum - value) / others,
            (None, Some((low, high))) => (low + high) / 2.0,
            (None, None) => 0.0,
        };
        let mut values = vec![rest; facts.n_seats];
        values[self.seat] = value;
        values
    }

    /// Makes `choice` at `ply`; `false` where the budget is spent.
    fn enter(&mut self, game: &PathGame<G>, ply: usize, choice: Choice<G>, clock: &mut Clock<'_>) -> bool {
        let goes_on = if matches!(choice, Choice::Action(..)) { clock.allows_another() } else { clock.goes_on() };
        if !goes_on {
            self.stopped = true;
            return false;
        }
        if self.states.len() == ply + 1 {
            self.states.push(self.states[ply].clone());
            self.lines.push(Vec::new());
        } else {
            let (before, after) = self.states.split_at_mut(ply + 1);
            after[0].clone_from(&before[ply]);
        }
        game.play(&mut self.states[ply + 1], choice);
        true
    }

    /// `choice` and what follows it become the line from `ply` on.
    fn extend_line(&mut self, ply: usize, choice: Choice<G>) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(choice);
        upper[ply].extend_from_slice(&lower[0]);
    }

    fn key(&self, game: &PathGame<G>, at: Place) -> u64 {
        let way = (at.spread.min(1 << 20) as u64) << 8 | u64::from(at.replied) << 7 | self.seat as u64;
        game.key(&self.states[at.ply]) ^ random::mix(way)
    }

    /// The outcomes at a place with their weights, and whether some were left out.
    fn outcomes(&self, game: &PathGame<G>, at: Place) -> (Vec<(G::Outcome, u64)>, bool) {
        outcomes(game, &self.states[at.ply], self.most_outcomes / at.spread)
    }

    // One number a position.

    fn value(&mut self, game: &PathGame<G>, at: Place, alpha: f64, beta: f64, clock: &mut Clock<'_>) -> Worth {
        self.lines[at.ply].clear();
        let state = &self.states[at.ply];
        match game.phase(state) {
            Phase::Over => Worth { value: game.payoffs(state)[self.seat], proven: true },
            Phase::Chance => self.expectation(game, at, alpha, beta, clock),
            Phase::Act(_) if at.depth == 0 => {
                Worth { value: self.estimates.value(game, state, self.seat), proven: false }
            }
            Phase::Act(seats) => self.choice(game, at, seats.first(), alpha, beta, clock),
        }
    }

    /// The best for the seat that acts: the greatest for the searching one, the least for others.
    fn choice(
        &mut self,
        game: &PathGame<G>,
        at: Place,
        actor: Seat,
        mut alpha: f64,
        mut beta: f64,
        clock: &mut Clock<'_>,
    ) -> Worth {
        let own = actor == self.seat;
        let key = if self.has_table { self.key(game, at) } else { 0 };
        let mut from_table = usize::MAX;
        if let Some((known, values)) = self.table.find(key).filter(|_| self.has_table) {
            from_table = known.action.into();
            let value = values[0];
            let cuts = match known.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cuts && (known.proven || u32::from(known.depth) == at.depth) {
                return Worth { value, proven: known.proven };
            }
        }
        let (actions, ranks) = self.ordered(game, at, actor, own, from_table);
        let (original_alpha, original_beta) = (alpha, beta);
        let mut best = Worth { value: if own { f64::NEG_INFINITY } else { f64::INFINITY }, proven: false };
        let (mut all_proven, mut best_place) = (true, 0);
        for (i, (&action, rank)) in actions.iter().zip(ranks).enumerate() {
            let replies_freely = !own && self.others == Others::BestReply && self.estimates.facts().n_seats > 2;
            if replies_freely && at.replied && i > 0 {
                // A seat modelled to play what looks best is not asked for more; what that leaves out is no proof.
                all_proven = false;
                break;
            }
            let choice = Choice::Action(actor, action);
            if !self.enter(game, at.ply, choice, clock) {
                break;
            }
            let replied = replies_freely && (at.replied || i > 0);
            let next = Place { ply: at.ply + 1, depth: at.depth - 1, spread: 1, replied };
            let found = self.value(game, next, alpha, beta, clock);
            if self.stopped {
                break;
            }
            all_proven &= found.proven;
            if own == (found.value > best.value) && found.value != best.value {
                (best, best_place) = (found, rank.place());
                self.extend_line(at.ply, choice);
            }
            if own {
                alpha = alpha.max(best.value);
            } else {
                beta = beta.min(best.value);
            }
            // Nothing pays more than the most there is.
            let at_limit = if own { best.value >= self.bounds.1 } else { best.value <= self.bounds.0 };
            if alpha >= beta || at_limit && best.proven {
                let turn = Turn { ply: at.ply, seat: usize::from(!own), last: None };
                self.ordering.learn(game, turn, at.depth, action, &actions[..i]);
                all_proven = best.proven;
                break;
            }
        }
        if self.stopped {
            return Worth { value: 0.0, proven: false };
        }
        best.proven = all_proven;
        if self.has_table {
            let bound = match best.value {
                value if value >= original_beta => Bound::Lower,
                value if value <= original_alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            self.table.keep(key, at.depth, bound, best.proven, best_place, &[best.value]);
        }
        best
    }

    /// The actions of `actor` in the order to look at them.
    fn ordered(
        &self,
        game: &PathGame<G>,
        at: Place,
        actor: Seat,
        own: bool,
        from_table: usize,
    ) -> (Vec<G::Action>, Vec<Rank>) {
        let state = &self.states[at.ply];
        let (mut actions, mut ranks) = (Vec::new(), Vec::new());
        game.legal_actions(state, actor, &mut actions);
        let turn = Turn { ply: at.ply, seat: usize::from(!own), last: None };
        self.ordering.rank(game, turn, &actions, &mut ranks);
        if let Some(evaluator) = self.estimates.evaluator().filter(|evaluator| evaluator.has_priors()) {
            let mut log_odds = vec![0.0; actions.len()];
            evaluator.priors(game.game(), state.position(), actor, &actions, &mut log_odds);
            ranks.iter_mut().zip(log_odds).for_each(|(rank, log_odds)| rank.add((log_odds * 2000.0) as i32));
        }
        if from_table < actions.len() {
            ranks[from_table].add(RANK_OF_TABLE);
        }
        let listed = actions.clone();
        highest_first(&mut ranks);
        actions.iter_mut().zip(&ranks).for_each(|(action, rank)| *action = listed[rank.place()]);
        (actions, ranks)
    }

    fn expectation(&mut self, game: &PathGame<G>, at: Place, alpha: f64, beta: f64, clock: &mut Clock<'_>) -> Worth {
        let (outcomes, some_left_out) = self.outcomes(game, at);
        let total = outcomes.iter().map(|&(_, weight)| weight).sum::<u64>() as f64;
        let (low, high) = self.bounds;
        let is_bounded = low.is_finite();
        let next = Place { ply: at.ply + 1, spread: at.spread.saturating_mul(outcomes.len()), ..at };
        // What each outcome is worth at least and at most; the probes make it narrower.
        let mut limits = vec![self.bounds; outcomes.len()];
        let mut probes_proven = true;
        if is_bounded && at.depth > 0 && outcomes.len() > 1 {
            let (cut, proven) = self.probe(game, at, next, &outcomes, total, (alpha, beta), &mut limits, clock);
            if self.stopped {
                return Worth { value: 0.0, proven: false };
            }
            if let Some(value) = cut {
                return Worth { value, proven: proven && !some_left_out };
            }
            probes_proven = proven;
        }
        let share = |i: usize| outcomes[i].1 as f64 / total;
        // Of those not yet searched.
        let mut rest = (0..outcomes.len())
            .fold((0.0, 0.0), |(low, high), i| (low + share(i) * limits[i].0, high + share(i) * limits[i].1));
        let (mut sum, mut proven) = (0.0, !some_left_out);
        let likeliest = (0..outcomes.len()).rev().max_by_key(|&i| outcomes[i].1);
        for (i, &(outcome, _)) in outcomes.iter().enumerate() {
            let p = share(i);
            let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
            if is_bounded {
                rest = (rest.0 - p * limits[i].0, rest.1 - p * limits[i].1);
                // A hair wider than need be, so that rounding cuts nothing off.
                let hair = 1e-9 * (high - low);
                lower = (alpha - sum - rest.1) / p - hair;
                upper = (beta - sum - rest.0) / p + hair;
            }
            let choice = Choice::Outcome(outcome);
            if !self.enter(game, at.ply, choice, clock) {
                return Worth { value: 0.0, proven: false };
            }
            let found = self.value(game, next, lower, upper, clock);
            if self.stopped {
                return Worth { value: 0.0, proven: false };
            }
            if likeliest == Some(i) {
                self.extend_line(at.ply, choice);
            }
            proven &= found.proven;
            sum += p * found.value;
            if found.value <= lower && i + 1 < outcomes.len() {
                return Worth { value: sum + rest.1, proven: proven && probes_proven };
            }
            if found.value >= upper && i + 1 < outcomes.len() {
                return Worth { value: sum + rest.0, proven: proven && probes_proven };
            }
        }
        Worth { value: sum, proven }
    }

    /// Star2's first part: one action after each outcome tells what it is worth at least (where the searching seat
    /// chooses it) or at most (where others do). Returns a value where that is enough, and whether what was found is
    /// proven.
    #[expect(clippy::too_many_arguments, reason = "a part of `expectation`")]
    fn probe(
        &mut self,
        game: &PathGame<G>,
        at: Place,
        next: Place,
        outcomes: &[(G::Outcome, u64)],
        total: f64,
        (alpha, beta): (f64, f64),
        limits: &mut [(f64, f64)],
        clock: &mut Clock<'_>,
    ) -> (Option<f64>, bool) {
        let (low, high) = self.bounds;
        let (mut least, mut most) = self.bounds;
        let mut proven = true;
        for (limit, &(outcome, weight)) in limits.iter_mut().zip(outcomes) {
            if !self.enter(game, at.ply, Choice::Outcome(outcome), clock) {
                break;
            }
            let Phase::Act(seats) = game.phase(&self.states[next.ply]) else { continue };
            let actor = seats.first();
            let own = actor == self.seat;
            let known = if self.has_table { self.table.find(self.key(game, next)) } else { None };
            let from_table = known.map_or(usize::MAX, |(known, _)| known.action.into());
            let (actions, _) = self.ordered(game, next, actor, own, from_table);
            // A single action is searched by the second part anyway; in best-reply search one action bounds nothing.
            if actions.len() < 2 || self.others == Others::BestReply {
                continue;
            }
            if !self.enter(game, next.ply, Choice::Action(actor, actions[0]), clock) {
                break;
            }
            let below = Place { ply: next.ply + 1, depth: next.depth - 1, spread: 1, replied: false };
            let found = self.value(game, below, low, high, clock);
            if self.stopped {
                break;
            }
            let share = weight as f64 / total;
            proven &= found.proven;
            if own {
                limit.0 = limit.0.max(found.value);
                least += share * (limit.0 - low);
            } else {
                limit.1 = limit.1.min(found.value);
                most -= share * (high - limit.1);
            }
            if least >= beta {
                return (Some(least), proven);
            }
            if most <= alpha {
                return (Some(most), proven);
            }
        }
        (None, proven)
    }

    // Max-n: a number a seat.

    fn values(&mut self, game: &PathGame<G>, at: Place, clock: &mut Clock<'_>) -> (Values, bool) {
        self.lines[at.ply].clear();
        let state = &self.states[at.ply];
        match game.phase(state) {
            Phase::Over => (game.payoffs(state).as_slice().iter().copied().collect(), true),
            Phase::Chance => self.expectations(game, at, clock),
            Phase::Act(_) if at.depth == 0 => {
                let mut values: Values = std::iter::repeat_n(0.0, self.estimates.facts().n_seats).collect();
                self.estimates.values(game, state, &mut values);
                (values, false)
            }
            Phase::Act(seats) => self.choices(game, at, seats.first(), clock),
        }
    }

    fn choices(&mut self, game: &PathGame<G>, at: Place, actor: Seat, clock: &mut Clock<'_>) -> (Values, bool) {
        let key = if self.has_table { self.key(game, at) } else { 0 };
        if let Some((known, values)) = self.table.find(key).filter(|_| self.has_table)
            && (known.proven || u32::from(known.depth) == at.depth)
        {
            return (values.iter().copied().collect(), known.proven);
        }
        let mut actions = Vec::new();
        game.legal_actions(&self.states[at.ply], actor, &mut actions);
        let mut best: Option<(Values, bool)> = None;
        let (mut proven, mut best_place, mut is_settled) = (true, 0, false);
        let ties_matter = self.estimates.facts().ties_matter();
        let mut all: Vec<Values> = Vec::new();
        for (i, action) in actions.into_iter().enumerate() {
            let choice = Choice::Action(actor, action);
            if !self.enter(game, at.ply, choice, clock) {
                break;
            }
            let next = Place { ply: at.ply + 1, depth: at.depth - 1, spread: 1, replied: false };
            let (values, found_proven) = self.values(game, next, clock);
            if self.stopped {
                break;
            }
            proven &= found_proven;
            if ties_matter {
                all.push(values.clone());
            }
            if best.as_ref().is_none_or(|(best, _)| values[actor] > best[actor]) {
                let pays_the_most = values[actor] >= self.settling;
                best = Some((values, found_proven));
                best_place = i;
                self.extend_line(at.ply, choice);
                if pays_the_most {
                    (proven, is_settled) = (found_proven, true);
                    break;
                }
            }
        }
        let Some((mut values, _)) = best.filter(|_| !self.stopped) else {
            return (std::iter::repeat_n(0.0, self.estimates.facts().n_seats).collect(), false);
        };
        if ties_matter && proven && !is_settled {
            values = share_ties(all.iter().map(|values| values.as_slice()), actor).into_iter().collect();
        }
        if self.has_table {
            self.table.keep(key, at.depth, Bound::Exact, proven, best_place, &values);
        }
        (values, proven)
    }

    fn expectations(&mut self, game: &PathGame<G>, at: Place, clock: &mut Clock<'_>) -> (Values, bool) {
        let (outcomes, some_left_out) = self.outcomes(game, at);
        let total = outcomes.iter().map(|&(_, weight)| weight).sum::<u64>() as f64;
        let likeliest = (0..outcomes.len()).rev().max_by_key(|&i| outcomes[i].1);
        let next = Place { ply: at.ply + 1, spread: at.spread.saturating_mul(outcomes.len()), ..at };
        let mut sums: Values = std::iter::repeat_n(0.0, self.estimates.facts().n_seats).collect();
        let mut proven = !some_left_out;
        for (i, &(outcome, weight)) in outcomes.iter().enumerate() {
            let choice = Choice::Outcome(outcome);
            if !self.enter(game, at.ply, choice, clock) {
                return (sums, false);
            }
            let (values, found_proven) = self.values(game, next, clock);
            if self.stopped {
                return (sums, false);
            }
            if likeliest == Some(i) {
                self.extend_line(at.ply, choice);
            }
            proven &= found_proven;
            sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += weight as f64 / total * value);
        }
        (sums, proven)
    }
}

impl<G: Playable> ByDepth<G> for ByValue<G> {
    fn search(&mut self, root: &Root<'_, G>, depth: u32, clock: &mut Clock<'_>, findings: &mut [Option<Finding>]) {
        self.seat = root.seat;
        self.states.truncate(1);
        self.states.resize_with(1, || root.state.clone());
        self.states[0].clone_from(root.state);
        self.lines.resize_with(1, Vec::new);
        self.lines.truncate(1);
        let mut best = f64::NEG_INFINITY;
        for &i in root.order {
            let choice = Choice::Action(root.seat, root.actions[i]);
            if !self.enter(root.game, 0, choice, clock) {
                return;
            }
            let next = Place { ply: 1, depth: depth - 1, spread: 1, replied: false };
            let finding = if self.is_scalar {
                let alpha = if root.whole { f64::NEG_INFINITY } else { best };
                let Worth { value, proven } = self.value(root.game, next, alpha, f64::INFINITY, clock);
                let assumed = self.estimates.facts().n_seats > 2;
                Finding { values: self.spread_out(value), at_most: value <= alpha, proven, assumed }
            } else {
                let (values, proven) = self.values(root.game, next, clock);
                Finding { values: values.to_vec(), at_most: false, proven, assumed: false }
            };
            if self.stopped {
                return;
            }
            let value = finding.values[root.seat];
            findings[i] = Some(finding);
            if value > best {
                best = value;
                self.extend_line(0, choice);
            }
        }
    }

    fn line(&self) -> &[Choice<G>] {
        &self.lines[0]
    }
}
