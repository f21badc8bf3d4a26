//! One game of training: an agent plays all seats, and learns from every ply.
//!
//! The textbook's outline: see the position, value what each action leads to, choose the best or explore, learn. What differs
//! between games is who values ([`looker`]) and which positions follow one another on a trail.

use std::sync::Arc;

use raichi_core::encoding::Encoding;
use raichi_core::erased::Playable;
use raichi_core::game::{Payoffs, Phase};
use raichi_core::information::SeatView;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, Rng, index};
use raichi_core::seat::Seat;
use raichi_search::alphabeta::{self, AlphaBeta};
use raichi_search::{BareHost, Budget, CancelFlag, Evaluator, Limits, Session};

use super::head::{BEFORE_ACTION, Head, looker};
use super::network::Network;
use super::options::{Backup, Config, Method};
use super::policy::{NTuplePolicy, sum_from};
use super::sight::{Look, Sight};
use super::trail::{Learning, Trail};
use super::weights::Rates;

/// What a game of training is played with.
pub(crate) struct Lesson<'a> {
    pub(crate) config: &'a Config,
    pub(crate) rates: &'a Rates,
    pub(crate) alpha: f64,
    pub(crate) epsilon: f64,
}

/// A thread's memory for games of training.
pub(crate) struct Pupil<G: Playable> {
    game: Arc<PathGame<G>>,
    network: Arc<Network>,
    head: Head,
    base: Option<Arc<dyn Evaluator<G>>>,
    sights: Vec<Sight>,
    trails: Vec<Trail>,
    /// For the position before an action, which learns from that action alone.
    before: Trail,
    observation: Vec<i32>,
    actions: Vec<G::Action>,
    valued: Vec<Valued>,
    /// Where rewards count: what the position on each trail had paid by then.
    paid: Vec<f64>,
    /// Chooses actions, where a search does.
    searching: Option<Searching<G>>,
}

/// A search that values positions by the network in training.
struct Searching<G: Playable> {
    policy: Arc<NTuplePolicy<G>>,
    nodes: u64,
    /// Of the game in progress: what a search remembers is of no use when weights have changed.
    session: AlphaBeta<G>,
}

impl<G: Playable> Searching<G> {
    fn new(policy: Arc<NTuplePolicy<G>>, nodes: u64) -> Self {
        Searching { session: Searching::session(&policy), policy, nodes }
    }

    fn session(policy: &Arc<NTuplePolicy<G>>) -> AlphaBeta<G> {
        AlphaBeta::new(alphabeta::Config::default(), Some(Arc::clone(policy) as Arc<dyn Evaluator<G>>))
    }

    fn begin_game(&mut self) {
        self.session = Searching::session(&self.policy);
    }

    /// The best action, and what it is worth to `seat`; nothing where there is no other.
    fn choose(
        &mut self,
        game: &PathGame<G>,
        state: &PathState<G>,
        seat: Seat,
        rng: &mut FastRng,
    ) -> Option<(G::Action, f64)> {
        // Nothing is hidden, so that the search does not ask for what was played before.
        let view = SeatView::new(game, state, &[], seat);
        let cancel = CancelFlag::default();
        let budget = Budget { nodes: Some(self.nodes), ..Budget::UNLIMITED };
        let limits = Limits { budget, cancel: &cancel, host: &BareHost };
        let advice = self.session.decide(&view, &limits, rng);
        let value = advice.candidates.first()?.values.get(seat)?;
        Some((advice.action, *value))
    }
}

/// What is known of an action: its value as soon as it is known, or where its weights lie.
#[derive(Clone, Copy)]
struct Valued {
    value: f32,
    look: Option<LookedAt>,
    /// What the action brings at once, in units.
    reward: f32,
}

/// Where the weights of a position lie; from what their sum counts; and whether the value is to be negated.
#[derive(Clone, Copy)]
struct LookedAt {
    look: Look,
    from: f32,
    turned: bool,
}

/// What was chosen.
struct Chosen<A> {
    action: A,
    /// The value of the position after it, for who chose; where rewards count, without what the action brought.
    value: f32,
    explored: bool,
}

impl<G: Playable> Pupil<G> {
    pub(crate) fn new(game: &Arc<PathGame<G>>, policy: &NTuplePolicy<G>, search: u64) -> Self {
        let (n_seats, network) = (game.facts().n_seats, policy.network());
        Pupil {
            game: Arc::clone(game),
            head: policy.head,
            base: policy.base.clone(),
            sights: Sight::of_seats(network, n_seats),
            trails: Trail::of_seats(n_seats),
            before: Trail::default(),
            observation: vec![0; network.observation_len()],
            network: Arc::clone(network),
            actions: Vec::new(),
            valued: Vec::new(),
            paid: vec![0.0; n_seats],
            searching: (search > 0).then(|| Searching::new(Arc::new(policy.clone()), search)),
        }
    }

    /// Plays one game from `start` and learns; returns how many plies were learned from.
    pub(crate) fn play(&mut self, start: PathState<G>, lesson: &Lesson<'_>, rng: &mut FastRng) -> u64 {
        let mut state = start;
        self.begin(&state, lesson);
        let mut n_plies = 0;
        let mut last = None;
        loop {
            match self.game.phase(&state) {
                Phase::Over => break,
                Phase::Act(_) if n_plies >= lesson.config.longest => {
                    self.trails.iter_mut().for_each(Trail::cut);
                    return n_plies;
                }
                Phase::Chance => {
                    let outcome = self.game.sample_outcome(&state, rng);
                    self.game.apply_outcome(&mut state, outcome);
                }
                Phase::Act(seats) => {
                    let seat = seats.first();
                    let explored = match self.head.method {
                        Method::Td => self.ply_by_positions(&mut state, seat, lesson, rng),
                        Method::Sarsa | Method::QLearning => self.ply_by_actions(&mut state, seat, lesson, rng),
                    };
                    last = Some((seat, explored));
                    n_plies += 1;
                }
            }
        }
        self.end(&state, last, lesson);
        n_plies
    }

    fn begin(&mut self, state: &PathState<G>, lesson: &Lesson<'_>) {
        self.trails.iter_mut().for_each(Trail::cut);
        if let Some(searching) = &mut self.searching {
            searching.begin_game();
        }
        if self.head.by_score {
            let paid = self.paid_by(state);
            self.paid.copy_from_slice(paid.as_slice());
        }
        // The start is a position like those after an action, and is to be valued too; where one seat plays against chance alone,
        // it is not.
        let acts = matches!(self.game.phase(state), Phase::Act(_));
        let is_like_others = self.sights.len() > 1 || lesson.config.from_goal > 0;
        if self.head.method == Method::Td && acts && lesson.config.backup == Backup::Ply && is_like_others {
            for seat in 0..if self.head.one_number { 1 } else { self.sights.len() } {
                self.push(state, seat, lesson);
            }
        }
    }

    /// Puts the position on the trail of `seat`, as who values it for the seat sees it.
    fn push(&mut self, state: &PathState<G>, seat: Seat, lesson: &Lesson<'_>) {
        let (looker, kind, turned) = self.looker(state, seat);
        let (from, first) = self.seen(state, looker, kind);
        let learning = learning(&self.network, &self.head, lesson);
        self.trails[seat].push(&learning, from, first, self.sights[looker].indices(), turned);
    }

    /// `looker` sees the position: from what the sum of its weights counts, and where those of its kind begin.
    fn seen(&mut self, state: &PathState<G>, looker: Seat, kind: usize) -> (f32, usize) {
        self.see(state, looker);
        (self.from(state.position(), looker), self.sights[looker].first_weight(&self.network, kind))
    }

    /// From what the sum of weights counts in a position that `looker` looks at.
    fn from(&self, state: &G::State, looker: Seat) -> f32 {
        sum_from(&self.head, self.base.as_deref(), self.game.game(), state, looker)
    }

    /// Who values the position for `seat`.
    fn looker(&self, state: &PathState<G>, seat: Seat) -> (Seat, usize, bool) {
        looker(&self.head, self.game.game(), state.position(), self.game.phase(state), seat)
    }

    fn paid_by(&self, state: &PathState<G>) -> Payoffs {
        paid(self.game.game(), state.position())
    }

    fn see(&mut self, state: &PathState<G>, seat: Seat) {
        self.game.observe(state, seat, &mut self.observation);
        self.sights[seat].see(&self.network, &self.observation);
    }
}

/// What has been paid for certain: at the end, the payoff.
fn paid<G: Encoding>(game: &G, state: &G::State) -> Payoffs {
    if game.phase(state) == Phase::Over { game.payoffs(state) } else { game.paid(state) }
}

fn learning<'a>(network: &'a Network, head: &'a Head, lesson: &Lesson<'a>) -> Learning<'a> {
    let Lesson { config, rates, alpha, .. } = *lesson;
    Learning {
        network,
        head,
        rates,
        step: (alpha / network.n_placements() as f64) as f32,
        gamma: config.gamma,
        lambda: config.lambda,
        horizon: config.horizon,
        traces: config.traces,
        n_steps: config.n_steps,
    }
}

/// Learning the values of positions after an action.
impl<G: Playable> Pupil<G> {
    /// A ply of `seat`; whether it was drawn at random.
    fn ply_by_positions(
        &mut self,
        state: &mut PathState<G>,
        seat: Seat,
        lesson: &Lesson<'_>,
        rng: &mut FastRng,
    ) -> bool {
        let before = if self.head.by_score { self.paid_by(state)[seat] } else { 0.0 };
        let chosen = self.choose_by_positions(state, seat, before, lesson.epsilon, rng);
        if self.head.before_actions && !chosen.explored {
            self.learn_before(state, seat, chosen.value, lesson);
        }
        self.game.apply(state, seat, chosen.action);
        let one_line = self.head.one_number && lesson.config.backup == Backup::Ply;
        let is_over = self.game.phase(state) == Phase::Over;
        if chosen.explored && !lesson.config.learn_from_exploration {
            // What a random action leads to says nothing about the positions before it.
            match lesson.config.backup {
                Backup::Ply => self.trails.iter_mut().for_each(Trail::cut),
                Backup::Own => self.trails[seat].cut(),
            }
        }
        if is_over {
            return chosen.explored;
        }
        if one_line {
            let value = if seat == 0 { chosen.value } else { -chosen.value };
            let reward = self.reward_since(state, 0);
            self.learn_and_push(state, 0, value, reward, lesson);
        } else if lesson.config.backup == Backup::Own || self.sights.len() == 1 {
            let reward = self.reward_since(state, seat);
            self.learn_and_push(state, seat, chosen.value, reward, lesson);
        } else {
            for other in 0..self.sights.len() {
                let value = if other == seat { chosen.value } else { self.value_of(state, other) };
                let reward = self.reward_since(state, other);
                self.learn_and_push(state, other, value, reward, lesson);
            }
        }
        chosen.explored
    }

    /// The trail of `seat` learns that a position of this value came next, and the position joins it.
    fn learn_and_push(&mut self, state: &PathState<G>, seat: Seat, value: f32, reward: f32, lesson: &Lesson<'_>) {
        let learning = learning(&self.network, &self.head, lesson);
        if !self.trails[seat].is_empty() {
            self.trails[seat].learn(&learning, reward, value);
        }
        self.push(state, seat, lesson);
    }

    /// The position before an action of `seat` learns what the best one is worth.
    fn learn_before(&mut self, state: &PathState<G>, seat: Seat, value: f32, lesson: &Lesson<'_>) {
        let (looker, _, turned) = self.looker(state, seat);
        let (from, first) = self.seen(state, looker, BEFORE_ACTION);
        let learning = learning(&self.network, &self.head, lesson);
        self.before.push(&learning, from, first, self.sights[looker].indices(), turned);
        self.before.end(&learning, 0.0, value);
    }

    /// What was paid to `seat` since the last position on its trail, in units; 0 where only the end counts.
    fn reward_since(&mut self, state: &PathState<G>, seat: Seat) -> f32 {
        if !self.head.by_score {
            return 0.0;
        }
        let now = self.paid_by(state)[seat];
        let before = std::mem::replace(&mut self.paid[seat], now);
        self.head.difference_in_units(now - before)
    }

    /// The value of the position for `seat`, in units.
    fn value_of(&mut self, state: &PathState<G>, seat: Seat) -> f32 {
        let (looker, kind, turned) = self.looker(state, seat);
        self.see(state, looker);
        let from = self.from(state.position(), looker);
        let value = self.head.unit_value(from, self.sights[looker].gather(&self.network, kind));
        if turned { -value } else { value }
    }

    fn choose_by_positions(
        &mut self,
        state: &PathState<G>,
        seat: Seat,
        before: f64,
        epsilon: f64,
        rng: &mut FastRng,
    ) -> Chosen<G::Action> {
        let explores = explores(epsilon, rng);
        if let Some(searching) = self.searching.as_mut().filter(|_| !explores)
            && let Some((action, value)) = searching.choose(&self.game, state, seat, rng)
        {
            return Chosen { action, value: self.head.in_units(value), explored: false };
        }
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.game.legal_actions(state, seat, &mut actions);
        let chosen = if explores {
            let action = actions[index(rng, actions.len())];
            let valued = [self.value_one(state, seat, before, action)];
            Chosen { action, value: valued[0].value, explored: true }
        } else {
            self.value_all(state, seat, before, &actions);
            let best = best_of(&self.valued, self.head.discount, rng);
            Chosen { action: actions[best], value: self.valued[best].value, explored: false }
        };
        self.actions = actions;
        chosen
    }

    fn value_one(&mut self, state: &PathState<G>, seat: Seat, before: f64, action: G::Action) -> Valued {
        self.value_all(state, seat, before, &[action]);
        self.valued[0]
    }

    /// Values what each action leads to, into `self.valued`.
    fn value_all(&mut self, state: &PathState<G>, seat: Seat, before: f64, actions: &[G::Action]) {
        if !self.network.is_worked_out_afresh() {
            self.see(state, seat);
        }
        self.sights[seat].begin();
        self.valued.clear();
        let mut is_prepared = false;
        for &action in actions {
            let mut after = state.position().clone();
            let game = self.game.game();
            game.apply(&mut after, seat, action);
            let phase = game.phase(&after);
            let reward =
                if self.head.by_score { self.head.difference_in_units(paid(game, &after)[seat] - before) } else { 0.0 };
            if phase == Phase::Over {
                let value = if self.head.by_score { 0.0 } else { self.head.in_units(game.payoffs(&after)[seat]) };
                self.valued.push(Valued { value, look: None, reward });
                continue;
            }
            let (looker, kind, turned) = looker(&self.head, game, &after, phase, seat);
            let from = sum_from(&self.head, self.base.as_deref(), game, &after, looker);
            game.observe(&after, looker, &mut self.observation);
            if looker == seat {
                let sight = &mut self.sights[seat];
                if !is_prepared {
                    sight.prepare(&self.network, kind);
                    is_prepared = true;
                }
                let look = sight.look(&self.network, &self.observation, kind);
                self.valued.push(Valued { value: 0.0, look: Some(LookedAt { look, from, turned }), reward });
            } else {
                let own = self.head.unit_value(from, self.network.plain_sum(&self.observation, looker, kind));
                self.valued.push(Valued { value: if turned { -own } else { own }, look: None, reward });
            }
        }
        for valued in &mut self.valued {
            if let Some(LookedAt { look, from, turned }) = valued.look {
                let own = self.head.unit_value(from, self.sights[seat].sum(&self.network, look));
                valued.value = if turned { -own } else { own };
            }
        }
    }

    /// The game is over: the trails learn what was paid.
    fn end(&mut self, state: &PathState<G>, last: Option<(Seat, bool)>, lesson: &Lesson<'_>) {
        let payoffs = self.game.payoffs(state);
        let own = lesson.config.backup == Backup::Own;
        for seat in 0..self.trails.len() {
            if self.trails[seat].is_empty() {
                continue;
            }
            let by_other = last.is_some_and(|(actor, _)| actor != seat);
            if own && by_other && !lesson.config.final_adaptation {
                self.trails[seat].cut();
                continue;
            }
            let learning = learning(&self.network, &self.head, lesson);
            let (reward, value) = if self.head.by_score {
                (self.head.difference_in_units(payoffs[seat] - self.paid[seat]), 0.0)
            } else {
                (0.0, self.head.in_units(payoffs[seat]))
            };
            self.trails[seat].end(&learning, reward, value);
        }
    }
}

/// Learning the values of actions.
impl<G: Playable> Pupil<G> {
    /// A ply of `seat`; whether it was drawn at random.
    fn ply_by_actions(&mut self, state: &mut PathState<G>, seat: Seat, lesson: &Lesson<'_>, rng: &mut FastRng) -> bool {
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.game.legal_actions(state, seat, &mut actions);
        self.see(state, seat);
        self.valued.clear();
        for &action in &actions {
            let kind = self.game.action_number(action) as usize;
            let sight = &self.sights[seat];
            let sum = self.network.weights().sum(sight.first_weight(&self.network, kind), sight.indices());
            self.valued.push(Valued { value: self.head.unit_value(self.head.init(), sum), look: None, reward: 0.0 });
        }
        let explored = explores(lesson.epsilon, rng);
        // What an action is worth has all that follows it in it.
        let best = best_of(&self.valued, 1.0, rng);
        let chosen = if explored { index(rng, actions.len()) } else { best };
        let action = actions[chosen];
        self.actions = actions;

        let one_line = self.head.one_number && lesson.config.backup == Backup::Ply;
        let (trail, turned) = if one_line { (0, seat == 1) } else { (seat, false) };
        // Q-learning learns from the best action whatever was chosen; Sarsa from the one chosen.
        let learned = if lesson.config.method == Method::QLearning { best } else { chosen };
        let value = self.valued[learned].value;
        let reward = self.reward_since(state, trail);
        let learning = learning(&self.network, &self.head, lesson);
        if !self.trails[trail].is_empty() {
            self.trails[trail].learn(&learning, reward, if turned { -value } else { value });
        }
        if explored && lesson.config.method == Method::QLearning {
            // Errors from here on say nothing about the actions before.
            self.trails[trail].cut();
        }
        let sight = &self.sights[seat];
        let first = sight.first_weight(&self.network, self.game.action_number(action) as usize);
        self.trails[trail].push(&learning, self.head.init(), first, sight.indices(), turned);
        self.game.apply(state, seat, action);
        // The action itself is part of what was learned, so that what came of it counts even where it was drawn at random.
        false
    }
}

fn explores(epsilon: f64, rng: &mut FastRng) -> bool {
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
    epsilon > 0.0 && ((rng.next_u64() >> 11) as f64 * UNIT) < epsilon
}

/// The place of the best action, where what comes after it counts `discount` times; of equals one at random.
fn best_of(valued: &[Valued], discount: f32, rng: &mut FastRng) -> usize {
    let total = |valued: &Valued| discount * valued.value + valued.reward;
    let best = valued.iter().map(total).fold(f32::NEG_INFINITY, f32::max);
    let n_best = valued.iter().filter(|valued| total(valued) >= best).count();
    let nth = if n_best > 1 { index(rng, n_best) } else { 0 };
    let mut ties = (0..valued.len()).filter(|&i| total(&valued[i]) >= best);
    ties.nth(nth).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_counts_by_the_discount_where_an_action_is_chosen() {
        let valued = |value, reward| Valued { value, look: None, reward };
        let rng = &mut raichi_core::random::stream(1, "test", 0);
        let actions = [valued(5.0, 0.0), valued(0.0, 1.0)];
        assert_eq!([1.0, 0.3, 0.1, 0.0].map(|discount| best_of(&actions, discount, rng)), [0, 0, 1, 1]);
    }
}
