//! How a network plays: by its policy, or by the search that it was trained with, without luck.
//!
//! Sequential halving must know its number of simulations in advance. Where only the limits of a decision say when it ends,
//! the position is searched in rounds, each with twice as many simulations as the one before. What the network said is kept
//! from round to round, so that where nothing is hidden a round asks it about little more than the positions that are new.
//! The last round is cut off by the limits; it decides where it made more simulations than the one before, which was made
//! to its end, or proved what the position is worth.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Phase};
use raichi_core::information::SeatView;
use raichi_core::order::{Total, sort_by_keys};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;
use raichi_search::{Advice, Candidate, Certainty, Cost, Evaluator, Limits, Session};

use super::environment::{Position, PositionOf};
use super::policy::NetworkPolicy;
use super::search::{Found, Search};
use crate::learner::Learned;

/// Simulations of the first round.
const FIRST_ROUND: usize = 16;
/// The most simulations of a round, for the sake of memory.
const MOST_SIMULATIONS: u64 = 100_000;
/// After how many simulations that did not need the network the limits are looked at: a simulation costs microseconds.
const BETWEEN_LOOKS: usize = 16;

/// The session. What the network said of positions is kept for the next decision: it changes nothing but how much is looked at.
pub struct NetworkPlayer<G: Playable> {
    policy: NetworkPolicy,
    simulations: Option<u64>,
    kept: Option<Kept<G>>,
}

/// What the last decision left.
struct Kept<G: Playable> {
    search: Search,
    /// The choices that led to the position that was searched.
    followed: Vec<Choice<G>>,
    state: PathState<G>,
}

impl<G: Playable> Kept<G> {
    /// Goes on to `state` by the choices that were made since; `false` where the search does not know the way, chance having
    /// acted for example, or it leads to another position.
    fn follow(&mut self, game: &PathGame<G>, choices: &[Choice<G>], state: &PathState<G>) -> bool {
        let Some(since) = choices.strip_prefix(self.followed.as_slice()) else { return false };
        for &choice in since {
            let Choice::Action(seat, action) = choice else { return false };
            let knows =
                game.phase(&self.state) == Phase::seat(seat) && self.search.follow(game.action_number(action) as u32);
            if !knows {
                return false;
            }
            game.play(&mut self.state, choice);
        }
        self.state.position() == state.position() && game.path_key(&self.state) == game.path_key(state)
    }
}

/// What a decision may cost, and what of it is spent.
struct Spending<'a> {
    limits: &'a Limits<'a>,
    /// By the host's clock.
    began: Duration,
    n_looked_at: u64,
}

impl Spending<'_> {
    /// What is left of the time, without what is kept back for the answer; `None` where there is no end.
    fn time_left(&self) -> Option<Duration> {
        let time = self.limits.budget.time?;
        let kept_back = (time / 20).min(Duration::from_millis(20));
        Some((self.began + time).saturating_sub(kept_back + self.limits.host.now()))
    }

    fn is_over(&self) -> bool {
        self.limits.cancel.is_cancelled()
            || self.limits.budget.nodes.is_some_and(|nodes| self.n_looked_at >= nodes)
            || self.time_left().is_some_and(|left| left.is_zero())
    }
}

/// What a search came to.
struct Outcome {
    /// The number of the action to be played.
    best: u32,
    found: Vec<Found>,
    n_done: usize,
    is_proven: bool,
}

impl Outcome {
    fn of(search: &mut Search) -> Outcome {
        let (best, n_done) = (search.best(), search.n_done());
        Outcome { best, found: search.found(), n_done, is_proven: search.exact().is_some() }
    }
}

/// Searches in rounds of more and more simulations, `most` in the last one, until the limits end it. All rounds draw the
/// same, so that the last one is what a search with `most` simulations is.
fn in_rounds(
    policy: &NetworkPolicy,
    search: &mut Search,
    root: &dyn Position,
    seat: Seat,
    most: usize,
    spending: &mut Spending<'_>,
    rng: &mut FastRng,
) -> Outcome {
    let mut n_simulations = FIRST_ROUND.min(most);
    let mut outcome: Option<Outcome> = None;
    loop {
        let (began, looked_at) = (spending.limits.host.now(), spending.n_looked_at);
        let rng = &mut rng.clone();
        search.begin(root, seat, n_simulations, 0.0, rng);
        let to_begin = spending.limits.host.now().saturating_sub(began);
        look_ahead(policy, search, spending, rng);
        let next = Outcome::of(search);
        let last = match outcome {
            Some(last) if next.n_done <= last.n_done && !next.is_proven => last,
            _ => next,
        };
        // Where a round with more simulations than the tree has positions asked for none, all there is to see was seen.
        let is_exhausted = spending.n_looked_at == looked_at && n_simulations > search.n_positions();
        // To begin is to copy the tree: no more than a quarter of what is left goes into that. The tree has grown since.
        let is_too_late = spending.time_left().is_some_and(|left| left <= 4 * to_begin);
        let is_settled = last.is_proven || last.found.len() == 1 || n_simulations >= most;
        if is_settled || is_exhausted || is_too_late || spending.is_over() {
            return last;
        }
        outcome = Some(last);
        n_simulations = n_simulations.saturating_mul(2).min(most);
    }
}

/// Searches until it is done or what may be spent is, but looks at one position at least where the root is not known.
fn look_ahead(policy: &NetworkPolicy, search: &mut Search, spending: &mut Spending<'_>, rng: &mut FastRng) {
    loop {
        if search.next_leaf_within(BETWEEN_LOOKS, rng) {
            spending.n_looked_at += 1;
            let (leaf, seat) = search.leaf();
            let observe = |_, seat: Seat, observation: &mut [i32]| leaf.observe(seat, observation);
            let (mut logits, mut said) = (Vec::new(), Vec::new());
            policy.ask(&[seat], &observe, &mut |asking| {
                (logits, said) = (asking.work.logits.clone(), asking.work.values.clone());
            });
            search.receive(&logits, &said, rng);
        } else if search.is_done() {
            break;
        }
        if spending.is_over() {
            break;
        }
    }
}

impl<G: Playable> NetworkPlayer<G> {
    /// Plays with so many simulations, with 0 by the policy alone; with `None` as long as the limits of each decision allow.
    pub fn new(policy: NetworkPolicy, simulations: Option<u64>) -> NetworkPlayer<G> {
        NetworkPlayer { policy, simulations, kept: None }
    }

    /// By the policy, without looking ahead. The values shown are those of the positions after each action; where something is
    /// hidden, their means over several positions that fit what the seat knows.
    fn by_policy(&self, view: &SeatView<'_, G>, state: &PathState<G>, rng: &mut FastRng) -> Advice<G::Action> {
        let (game, seat, actions) = (view.game(), view.seat(), view.legal_actions());
        let mut log_odds = vec![0.0; actions.len()];
        self.policy.priors(game.game(), state.position(), seat, &actions, &mut log_odds);
        let mut values = vec![0.0; actions.len()];
        self.policy.value_actions(game.game(), state.position(), seat, &actions, &mut values);
        let n_worlds = self.policy.search.n_worlds.max(1);
        for _ in 1..n_worlds {
            let mut more = vec![0.0; actions.len()];
            self.policy.value_actions(game.game(), view.determinize(rng).position(), seat, &actions, &mut more);
            values.iter_mut().zip(more).for_each(|(sum, value)| *sum += value);
        }
        values.iter_mut().for_each(|value| *value /= n_worlds as f64);
        let mut order: Vec<usize> = (0..actions.len()).collect();
        // Of equal ones the first.
        sort_by_keys(&mut order, |&i| Reverse(Total(log_odds[i].into())));
        let mut candidates = Vec::with_capacity(order.len());
        for &i in &order {
            candidates.push(Candidate {
                action: actions[i],
                values: self.by_seat(view, values[i]),
                certainty: Certainty::Estimate { standard_error: None },
                visits: None,
                depth: Some(1),
                plies: None,
            });
        }
        let cost = Cost { nodes: actions.len() as u64, depth: Some(1), ..Cost::default() };
        Advice { cost, candidates, ..Advice::without_search(actions[order[0]], false) }
    }

    fn by_search(
        &mut self,
        view: &SeatView<'_, G>,
        state: &PathState<G>,
        limits: &Limits<'_>,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let game = view.game();
        let mut spending = Spending { limits, began: limits.host.now(), n_looked_at: 0 };
        let root = PositionOf::new(&Arc::new(game.clone()), state);
        let mut search = self.search_for(view, state, &root);
        let allowed = limits.budget.simulations;
        let Outcome { best, mut found, n_done, is_proven } = match self.simulations {
            Some(own) => {
                let n_simulations = allowed.map_or(own, |most| most.min(own));
                let n_simulations = usize::try_from(n_simulations).unwrap_or(usize::MAX);
                search.begin(&root, view.seat(), n_simulations, 0.0, rng);
                look_ahead(&self.policy, &mut search, &mut spending, rng);
                Outcome::of(&mut search)
            }
            None => {
                let most = allowed.unwrap_or(MOST_SIMULATIONS).min(MOST_SIMULATIONS) as usize;
                in_rounds(&self.policy, &mut search, &root, view.seat(), most, &mut spending, rng)
            }
        };
        sort_by_keys(&mut found, |found| Reverse((found.action == best, Total(found.probability.into()))));
        let action = |number: u32| game.numbered_action(number.into()).expect("it is the number of a legal action");
        let mut candidates = Vec::with_capacity(found.len());
        for found in &found {
            let is_exact = found.is_exact && self.policy.search.n_worlds == 0;
            candidates.push(Candidate {
                action: action(found.action),
                values: self.by_seat(view, self.policy.units.payoff(found.value)),
                certainty: if is_exact { Certainty::Exact } else { Certainty::Estimate { standard_error: None } },
                visits: Some(found.visits.into()),
                depth: None,
                plies: None,
            });
        }
        let cost = Cost { simulations: n_done as u64, nodes: spending.n_looked_at, ..Cost::default() };
        let advice = Advice { cost, candidates, ..Advice::without_search(action(best), is_proven) };
        let followed = view.choices().map(<[_]>::to_vec);
        self.kept = followed.map(|followed| Kept { search, followed, state: state.clone() });
        advice
    }

    /// The search of the last decision where play has gone on inside it, or else a new one.
    fn search_for(&mut self, view: &SeatView<'_, G>, state: &PathState<G>, root: &dyn Position) -> Search {
        if let (Some(mut kept), Some(choices)) = (self.kept.take(), view.choices())
            && kept.follow(view.game(), choices, state)
        {
            return kept.search;
        }
        Search::new(self.policy.search, self.policy.units, root.boxed_clone())
    }

    /// Payoffs by seat from that of the seat that chooses; none where they do not follow from it.
    fn by_seat(&self, view: &SeatView<'_, G>, value: f64) -> Vec<f64> {
        let facts = view.facts();
        match (facts.n_seats, facts.payoff_sum, view.seat()) {
            (1, ..) => vec![value],
            (2, Some(sum), 0) => vec![value, sum - value],
            (2, Some(sum), _) => vec![sum - value, value],
            _ => Vec::new(),
        }
    }
}

impl<G: Playable> Session<G> for NetworkPlayer<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let began = limits.host.now();
        // Where something is hidden, a state that fits what the seat knows.
        let state = view.determinize(rng);
        let mut advice = if self.simulations == Some(0) {
            self.by_policy(view, &state, rng)
        } else {
            self.by_search(view, &state, limits, rng)
        };
        advice.cost.elapsed = limits.host.now().saturating_sub(began);
        advice
    }
}
