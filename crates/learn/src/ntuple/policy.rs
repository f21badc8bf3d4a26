//! What an n-tuple network knows, for play: values of actions, and of positions for searches.

use std::sync::{Arc, Mutex, PoisonError};

use raichi_core::encoding::Encoding;
use raichi_core::game::{Game, Phase};
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_search::Evaluator;

use super::head::{BEFORE_ACTION, Head, looker};
use super::network::Network;
use super::options::Method;
use super::sight::Sight;
use crate::learner::Learned;

/// How many times as likely an action is that is worth one unit more (what wins against what draws), as a natural logarithm.
/// In matches of `mcts` with 4, 10 and 20 in Connect Four and 4 and 10 in Hex 10 was about as good as 20, and better than 4
/// (docs/strength.md).
const SHARPNESS: f32 = 10.0;

/// A network and how its sums are read. Clones share it.
///
/// Where there is another evaluator at the base, the network learns what to add to its values, and what else searches ask of
/// evaluators (priors, which positions are quiet) is the other one's.
pub struct NTuplePolicy<G: Game> {
    pub(crate) network: Arc<Network>,
    pub(crate) head: Head,
    pub(crate) base: Option<Arc<dyn Evaluator<G>>>,
    /// Memory for those who ask at the same time.
    idle: Arc<Mutex<Vec<Looking>>>,
}

/// What positions are looked at with. Searches ask for positions close to each other, so that what each seat saw last is kept.
struct Looking {
    sights: Vec<Sight>,
    observation: Vec<i32>,
}

impl<G: Game> Clone for NTuplePolicy<G> {
    fn clone(&self) -> Self {
        let NTuplePolicy { network, head, base, idle } = self;
        NTuplePolicy { network: Arc::clone(network), head: *head, base: base.clone(), idle: Arc::clone(idle) }
    }
}

/// From what the sum of weights counts in a position that `looker` looks at: what the evaluator at the base says, or `init`.
pub(crate) fn sum_from<G: Game>(
    head: &Head,
    base: Option<&dyn Evaluator<G>>,
    game: &G,
    state: &G::State,
    looker: Seat,
) -> f32 {
    base.map_or(head.init(), |base| head.start_at(base.value(game, state, looker)))
}

impl<G: Encoding> NTuplePolicy<G> {
    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    pub(crate) fn new(network: Arc<Network>, head: Head) -> Self {
        NTuplePolicy { network, head, base: None, idle: Arc::default() }
    }

    /// The same with the weights of another network of its kind.
    pub(crate) fn with_network(&self, network: Arc<Network>) -> Self {
        NTuplePolicy { network, idle: Arc::default(), ..self.clone() }
    }

    /// What it says is added to what `base` says of positions, with which it learned.
    #[must_use]
    pub fn on(self, base: Arc<dyn Evaluator<G>>) -> Self {
        NTuplePolicy { base: Some(base), ..self }
    }

    /// The value of a position as `looker` sees it, in units, by the weights of one kind; the same to the bit as by
    /// [`Network::plain_sum`].
    fn unit_value(&self, game: &G, state: &G::State, looker: Seat, kind: usize) -> f32 {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let before = idle().pop();
        let mut looking = before.unwrap_or_else(|| Looking {
            sights: Sight::of_seats(&self.network, self.head.n_seats()),
            observation: vec![0; self.network.observation_len()],
        });
        game.observe(state, looker, &mut looking.observation);
        let sight = &mut looking.sights[looker];
        sight.see(&self.network, &looking.observation);
        let sum = self.network.weights().sum(sight.first_weight(&self.network, kind), sight.indices());
        idle().push(looking);
        self.head.unit_value(sum_from(&self.head, self.base.as_deref(), game, state, looker), sum)
    }

    /// What `seat` can expect in a position after an action, as a payoff; what was paid before included. What is still to come
    /// counts `discount` times.
    fn after(&self, game: &G, state: &G::State, seat: Seat, discount: f32) -> f64 {
        let phase = game.phase(state);
        if phase == Phase::Over {
            return game.payoffs(state)[seat];
        }
        let (looker, kind, turned) = looker(&self.head, game, state, phase, seat);
        let own = self.unit_value(game, state, looker, kind);
        let value = self.head.payoff(if turned { -own } else { own });
        if self.head.by_score { game.paid(state)[seat] + f64::from(discount) * value } else { value }
    }

    /// What an action is worth by its own table, as a payoff; what was paid before included.
    fn of_action(&self, game: &G, state: &G::State, seat: Seat, action: G::Action) -> f64 {
        let value = self.head.payoff(self.unit_value(game, state, seat, game.action_number(action) as usize));
        if self.head.by_score { game.paid(state)[seat] + value } else { value }
    }

    /// The value of the best action of who is to act.
    fn best(&self, game: &G, state: &G::State, actor: Seat) -> f64 {
        let mut actions = Vec::new();
        game.legal_actions(state, actor, &mut actions);
        let mut values = vec![0.0; actions.len()];
        Learned::value_actions(self, game, state, actor, &actions, &mut values);
        values.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The value for `seat`, not yet fitted to the game's bounds.
    fn estimate(&self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let phase = game.phase(state);
        let Phase::Act(seats) = phase else { return self.after(game, state, seat, 1.0) };
        if self.head.before_actions {
            let (looker, _, turned) = looker(&self.head, game, state, phase, seat);
            let own = self.unit_value(game, state, looker, BEFORE_ACTION);
            return self.head.payoff(if turned { -own } else { own });
        }
        let facts = game.facts();
        // Positions that come after chance were never learned, those after the next action were; and so were actions.
        let looks_on = self.head.method != Method::Td || facts.chance && (facts.n_seats == 1 || self.head.one_number);
        if !looks_on {
            return self.after(game, state, seat, 1.0);
        }
        let actor = seats.first();
        let best = self.best(game, state, actor);
        match facts.payoff_sum {
            Some(sum) if actor != seat => sum - best,
            _ => best,
        }
    }
}

impl<G: Encoding> Evaluator<G> for NTuplePolicy<G> {
    fn value(&self, game: &G, state: &G::State, seat: Seat) -> f32 {
        let mut values = [0.0; MAX_SEATS];
        let values = &mut values[..game.facts().n_seats];
        self.values(game, state, values);
        values[seat]
    }

    fn values(&self, game: &G, state: &G::State, values: &mut [f32]) {
        let facts = game.facts();
        let within = |value: f64| facts.payoff_range.map_or(value, |(low, high)| value.clamp(low, high));
        if let (true, Some(sum)) = (self.head.one_number, facts.payoff_sum) {
            let first = within(self.estimate(game, state, 0)) as f32;
            (values[0], values[1]) = (first, sum as f32 - first);
            return;
        }
        for (seat, value) in values.iter_mut().enumerate() {
            *value = within(self.estimate(game, state, seat)) as f32;
        }
        if let (Some(sum), Some((low, _)), true) = (facts.payoff_sum, facts.payoff_range, facts.n_seats > 1) {
            share_out(values, sum as f32, low as f32);
        }
    }

    fn priors(&self, game: &G, state: &G::State, seat: Seat, actions: &[G::Action], log_odds: &mut [f32]) {
        if let Some(base) = &self.base {
            return base.priors(game, state, seat, actions, log_odds);
        }
        let mut values = vec![0.0; actions.len()];
        self.value_actions(game, state, seat, actions, &mut values);
        for (log_odds, value) in log_odds.iter_mut().zip(values) {
            *log_odds = SHARPNESS * self.head.difference_in_units(value);
        }
    }

    fn has_priors(&self) -> bool {
        self.base.as_ref().map_or(self.head.has_bounds(), |base| base.has_priors())
    }

    fn is_quiet(&self, game: &G, state: &G::State) -> bool {
        self.base.as_ref().is_none_or(|base| base.is_quiet(game, state))
    }

    fn is_forcing(&self, game: &G, state: &G::State, seat: Seat, action: G::Action) -> bool {
        self.base.as_ref().is_none_or(|base| base.is_forcing(game, state, seat, action))
    }
}

/// Makes values add up to `sum`: what lies above the least is shared in the same proportions.
fn share_out(values: &mut [f32], sum: f32, low: f32) {
    let n = values.len() as f32;
    let above: f32 = values.iter().map(|value| value - low).sum();
    for value in values {
        let share = if above > 1e-6 { (*value - low) / above } else { 1.0 / n };
        *value = low + share * (sum - n * low);
    }
}

impl<G: Encoding> Learned<G> for NTuplePolicy<G> {
    fn value_actions(&self, game: &G, state: &G::State, seat: Seat, actions: &[G::Action], values: &mut [f64]) {
        if self.head.method == Method::Td {
            for (&action, value) in actions.iter().zip(values) {
                let mut after = state.clone();
                game.apply(&mut after, seat, action);
                *value = self.after(game, &after, seat, self.head.discount);
            }
        } else {
            for (&action, value) in actions.iter().zip(values) {
                *value = self.of_action(game, state, seat, action);
            }
        }
    }

    fn cannot_evaluate(&self) -> Option<String> {
        let knows_actors_only = self.head.method != Method::Td && !self.head.one_number && self.head.n_seats() > 1;
        knows_actors_only
            .then(|| "it values the actions of who is to act, and not what they are worth to others".into())
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::erased::{GameVisitor, Playable};
    use raichi_core::host::{BareHost, CancelFlag};
    use raichi_core::path::PathGame;
    use raichi_search::options::Options;

    use super::*;
    use crate::learner::{Learner, Work};
    use crate::ntuple::{Config, NTupleLearner, OPTIONS};

    /// Whether a network has priors after a few games, which then are in the order of its values of actions.
    struct HasPriors;

    impl GameVisitor for HasPriors {
        type Output = bool;

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> bool {
            let options = Options::parse("ntuple", OPTIONS, None, Some("tuples=20x4")).unwrap();
            let config = Config::from_options(&options, &game.facts()).unwrap();
            let mut learner = NTupleLearner::new(game, config, 1, 500).unwrap();
            learner.advance(500, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
            let policy = learner.policy();
            let spec = game.spec();
            let (game, state) = (game.game(), game.game().initial_state());
            if !policy.has_priors() {
                return false;
            }
            let Phase::Act(seats) = game.phase(&state) else { unreachable!("a seat begins") };
            let (seat, mut actions) = (seats.first(), Vec::new());
            game.legal_actions(&state, seat, &mut actions);
            let (mut values, mut log_odds) = (vec![0.0; actions.len()], vec![0.0; actions.len()]);
            policy.value_actions(game, &state, seat, &actions, &mut values);
            policy.priors(game, &state, seat, &actions, &mut log_odds);
            assert!(values.iter().any(|value| *value != values[0]), "{spec}: nothing was learned");
            for (i, j) in (0..actions.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let expected = 10.0 * policy.head.difference_in_units(values[i] - values[j]);
                assert!((log_odds[i] - log_odds[j] - expected).abs() < 1e-4, "{log_odds:?} of {values:?}");
            }
            true
        }
    }

    /// What an untrained network says of the actions in the first position of a game in which something was paid, and what that was.
    struct SaysOfPaid;

    impl GameVisitor for SaysOfPaid {
        type Output = (Vec<f64>, f64);

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> (Vec<f64>, f64) {
            let options = Options::parse("ntuple", OPTIONS, None, Some("tuples=20x4,method=q,rewards=score")).unwrap();
            let config = Config::from_options(&options, &game.facts()).unwrap();
            let learner = NTupleLearner::new(game, config, 1, 1).unwrap();
            let policy = learner.policy();
            let mut current = raichi_core::Match::new(game.game().clone());
            let mut rng = raichi_core::random::stream(1, "test", 0);
            loop {
                match current.phase() {
                    Phase::Over => panic!("nothing was paid"),
                    Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
                    Phase::Act(seats) => {
                        let (state, seat) = (current.state().position(), seats.first());
                        let paid = game.game().paid(state)[seat];
                        if paid != 0.0 {
                            let actions = current.legal_actions(seat);
                            let mut values = vec![0.0; actions.len()];
                            policy.value_actions(game.game(), state, seat, &actions, &mut values);
                            return (values, paid);
                        }
                        current.play_random(seat, &mut Vec::new(), &mut rng).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_paid_counts_where_actions_are_valued_too() {
        let (values, paid) = raichi_games::visit("2048", SaysOfPaid).unwrap();
        assert!(paid > 0.0 && values.iter().all(|&value| value == paid), "{values:?} {paid}");
    }

    /// That with `gamma=0` actions are compared by what they bring at once, whatever was learned of what follows.
    struct BringsAtOnce;

    impl GameVisitor for BringsAtOnce {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let options =
                Options::parse("ntuple", OPTIONS, None, Some("tuples=8x3,values=16,alpha=0.01,gamma=0")).unwrap();
            let config = Config::from_options(&options, &game.facts()).unwrap();
            let mut learner = NTupleLearner::new(game, config, 1, 20).unwrap();
            learner.advance(20, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
            let policy = learner.policy();
            let (game, mut state) = (game.game(), game.game().initial_state());
            let rng: &mut raichi_core::random::FastRng = &mut raichi_core::random::stream(1, "test", 0);
            let mut n_learned = 0;
            loop {
                match game.phase(&state) {
                    Phase::Over => break,
                    Phase::Chance => {
                        let outcome = game.sample_outcome(&state, rng);
                        game.apply_outcome(&mut state, outcome);
                    }
                    Phase::Act(seats) => {
                        let (seat, mut actions) = (seats.first(), Vec::new());
                        game.legal_actions(&state, seat, &mut actions);
                        let mut values = vec![0.0; actions.len()];
                        policy.value_actions(game, &state, seat, &actions, &mut values);
                        for (&action, value) in actions.iter().zip(values) {
                            let mut after = state.clone();
                            game.apply(&mut after, seat, action);
                            assert_eq!(value, game.paid(&after)[seat]);
                            n_learned += u32::from(f64::from(policy.value(game, &after, seat)) != value);
                        }
                        game.apply(&mut state, seat, actions[0]);
                    }
                }
            }
            assert!(n_learned > 0, "what follows is worth something");
        }
    }

    #[test]
    fn what_follows_counts_by_gamma_beside_what_an_action_brings() {
        raichi_games::visit("2048", BringsAtOnce).unwrap();
    }

    #[test]
    fn priors_follow_the_values_of_actions_where_payoffs_have_bounds() {
        for spec in ["tic-tac-toe", "connect-four", "nim3p"] {
            assert!(raichi_games::visit(spec, HasPriors).unwrap(), "{spec}");
        }
        assert!(!raichi_games::visit("2048", HasPriors).unwrap());
    }
}
