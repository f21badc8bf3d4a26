//! What a network knows, for play: how likely actions are and what positions are worth.

use std::sync::{Arc, Mutex, PoisonError};

use raichi_core::encoding::Encoding;
use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::seat::{MAX_SEATS, Seat, SeatSet};
use raichi_search::{Evaluator, Failure, Session};

use super::options::{Config, SearchConfig};
use super::outputs::{logit, n_outputs};
use super::player::NetworkPlayer;
use super::training::{description, read_net, shape_of};
use super::units::{BySeat, Units};
use crate::learner::{Learned, Saved};
use crate::network::{Forward, Planes, Workspace};

/// A network, and how it is asked. Clones share it.
#[derive(Clone)]
pub struct NetworkPolicy {
    net: Arc<dyn Forward>,
    input: Input,
    pub(super) units: Units,
    pub(super) search: SearchConfig,
    /// Memory for those who ask at the same time.
    idle: Arc<Mutex<Vec<Asking>>>,
    /// Where it says that the network could not be run. Clones share it.
    failure: Failure,
}

/// What of an observation a network reads.
#[derive(Clone)]
pub(super) enum Input {
    /// Planes made of it.
    Planes(Arc<Planes>),
    /// All of it, so many numbers, as they are.
    Observation(usize),
}

impl Input {
    /// How many numbers an observation has.
    fn observation_len(&self) -> usize {
        match self {
            Input::Planes(planes) => planes.observation_len(),
            Input::Observation(len) => *len,
        }
    }

    /// Appends what the network reads of what `seat` observes.
    fn write(&self, observation: &[i32], seat: Seat, numbers: &mut Vec<f32>) {
        match self {
            Input::Planes(planes) => planes.write(observation, seat, numbers),
            Input::Observation(_) => numbers.extend(observation.iter().map(|&number| number as f32)),
        }
    }
}

/// Memory for a question.
#[derive(Default)]
pub(super) struct Asking {
    /// What the network saw last: searches ask for values and for priors of the same position.
    input: Vec<f32>,
    next: Vec<f32>,
    observation: Vec<i32>,
    pub(super) work: Workspace<f32>,
}

/// At most so many positions after chance are looked at.
const MOST_OUTCOMES: usize = 4096;
/// So many actions without a choice are played on at most, in all positions together.
const MOST_FORCED: u32 = 10_000;

impl NetworkPolicy {
    pub(super) fn new(net: Arc<dyn Forward>, input: Input, units: Units, search: SearchConfig) -> NetworkPolicy {
        NetworkPolicy { net, input, units, search, idle: Arc::default(), failure: Failure::default() }
    }

    /// The same network and memory, for a session that is told by `failure` where the network cannot be run.
    fn told_by(&self, failure: &Failure) -> NetworkPolicy {
        NetworkPolicy { failure: failure.clone(), ..self.clone() }
    }

    /// A network that was trained elsewhere, ready to play a game with these facts, an observation of so many numbers and
    /// these options. It reads the observation of the seat that acts as it is, and says of each position a logit for every
    /// action number and values between −1 and 1: of the least and the greatest payoff. Where two seats play for a constant
    /// sum, and where one plays alone, that is one value, of the seat that acts; elsewhere one for each seat, counted from it.
    pub fn of_foreign(net: Arc<dyn Forward>, facts: &Facts, observation_len: usize, config: &Config) -> NetworkPolicy {
        NetworkPolicy::new(net, Input::Observation(observation_len), Units::of(facts), config.search)
    }

    /// How many values a network says of each position of a game with these facts.
    pub fn n_values(facts: &Facts) -> usize {
        Units::of(facts).n_values()
    }

    /// Looks at positions, in each of which a seat of `seats` is to act, and hands over what the network says. `observe` writes
    /// what a seat observes in the position with its index.
    pub(super) fn ask(
        &self,
        seats: &[Seat],
        observe: &dyn Fn(usize, Seat, &mut [i32]),
        answered: &mut dyn FnMut(&Asking),
    ) {
        let mut asking = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        asking.observation.resize(self.input.observation_len(), 0);
        asking.next.clear();
        for (i, &seat) in seats.iter().enumerate() {
            observe(i, seat, &mut asking.observation);
            self.input.write(&asking.observation, seat, &mut asking.next);
        }
        if asking.next != asking.input {
            std::mem::swap(&mut asking.next, &mut asking.input);
            if let Err(why) = self.net.forward(&asking.input, &mut asking.work) {
                self.failure.report(why);
                // What is there in place of an answer is kept for nobody.
                asking.input.clear();
            }
            // Weights from elsewhere may be so great that sums overflow.
            let Workspace { logits, values, .. } = &mut asking.work;
            logits.iter_mut().filter(|logit| !logit.is_finite()).for_each(|logit| *logit = f32::MIN / 4.0);
            values.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
        }
        answered(&asking);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(asking);
    }

    /// Adds what positions are worth to the seats, each times its weight. `places`: where a position's value is added, its weight, and
    /// the seat to act in it; `observe` as in [`Self::ask`].
    fn add_values(
        &self,
        places: &[(usize, f32, Seat)],
        observe: &dyn Fn(usize, Seat, &mut [i32]),
        sums: &mut [BySeat],
    ) {
        let seats: Vec<Seat> = places.iter().map(|&(.., seat)| seat).collect();
        self.ask(&seats, observe, &mut |asking| {
            let said = asking.work.values.chunks_exact(self.units.n_values());
            for (&(place, weight, seat), said) in places.iter().zip(said) {
                let values = self.units.by_seat(said, seat);
                sums[place].iter_mut().zip(&values).for_each(|(sum, value)| *sum += weight * value);
            }
        });
    }

    /// What positions are worth by seat, in units: their payoffs where they are over, the mean by weight where chance acts, and what
    /// comes next where there is one action only: training asks about no such position, and the network knows nothing of them.
    pub(super) fn values_of<G: Encoding>(&self, game: &G, states: &[G::State]) -> Vec<BySeat> {
        let mut sums = vec![[0.0; MAX_SEATS]; states.len()];
        let mut open: Vec<(usize, f32, G::State)> = Vec::with_capacity(states.len());
        for state in states {
            open.push((open.len(), 1.0, state.clone()));
        }
        let mut asked: Vec<G::State> = Vec::new();
        // For each of these the place in `states`, its weight, and the seat to act.
        let mut places: Vec<(usize, f32, Seat)> = Vec::new();
        let (mut outcomes, mut actions, mut n_forced) = (Vec::new(), Vec::new(), 0);
        while let Some((i, weight, mut state)) = open.pop() {
            let mut add =
                |values: &BySeat| sums[i].iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
            match game.phase(&state) {
                Phase::Over => add(&self.units.of_payoffs(&game.payoffs(&state))),
                Phase::Act(seats) => {
                    let seat = seats.first();
                    match only_action(game, &state, seats, &mut actions).filter(|_| n_forced < MOST_FORCED) {
                        Some(action) => {
                            n_forced += 1;
                            game.apply(&mut state, seat, action);
                            open.push((i, weight, state));
                        }
                        None => {
                            asked.push(state);
                            places.push((i, weight, seat));
                        }
                    }
                }
                // Beyond so many, what is left counts as undecided.
                Phase::Chance if open.len() + asked.len() > MOST_OUTCOMES => add(&[0.0; MAX_SEATS]),
                Phase::Chance => {
                    outcomes.clear();
                    game.outcomes(&state, &mut outcomes);
                    let mut all = 0;
                    for &(_, part) in &outcomes {
                        all += part;
                    }
                    for &(outcome, part) in &outcomes {
                        let mut after = state.clone();
                        game.apply_outcome(&mut after, outcome);
                        open.push((i, weight * (part as f64 / all as f64) as f32, after));
                    }
                }
            }
        }
        if asked.is_empty() {
            return sums;
        }
        let observe = |i: usize, seat: Seat, observation: &mut [i32]| game.observe(&asked[i], seat, observation);
        self.add_values(&places, &observe, &mut sums);
        sums
    }
}

/// The action of the one seat to act, where it has no other.
fn only_action<G: Game>(game: &G, state: &G::State, seats: SeatSet, actions: &mut Vec<G::Action>) -> Option<G::Action> {
    if seats.len() > 1 {
        return None;
    }
    actions.clear();
    game.legal_actions(state, seats.first(), actions);
    match actions[..] {
        [only] => Some(only),
        _ => None,
    }
}

impl<G: Encoding> Evaluator<G> for NetworkPolicy {
    fn value(&self, game: &G, state: &G::State, seat: Seat) -> f32 {
        let mut payoffs = [0.0; MAX_SEATS];
        let payoffs = &mut payoffs[..self.units.n_seats];
        self.values(game, state, payoffs);
        payoffs[seat]
    }

    fn values(&self, game: &G, state: &G::State, values: &mut [f32]) {
        let units = match game.phase(state) {
            Phase::Act(seats) if only_action(game, state, seats, &mut Vec::new()).is_none() => {
                let (seat, mut units) = (seats.first(), [0.0; MAX_SEATS]);
                let observe = |_, seat: Seat, observation: &mut [i32]| game.observe(state, seat, observation);
                self.ask(&[seat], &observe, &mut |asking| units = self.units.by_seat(&asking.work.values, seat));
                units
            }
            _ => self.values_of(game, std::slice::from_ref(state))[0],
        };
        self.units.payoffs(&units, values);
    }

    fn value_batch(&self, game: &G, positions: &[(&G::State, Seat)], values: &mut [f32]) {
        let states: Vec<G::State> = positions.iter().map(|&(state, _)| state.clone()).collect();
        let mut payoffs = [0.0; MAX_SEATS];
        let payoffs = &mut payoffs[..self.units.n_seats];
        for ((value, &(_, seat)), units) in values.iter_mut().zip(positions).zip(self.values_of(game, &states)) {
            self.units.payoffs(&units, payoffs);
            *value = payoffs[seat];
        }
    }

    fn priors(&self, game: &G, state: &G::State, seat: Seat, actions: &[G::Action], log_odds: &mut [f32]) {
        let observe = |_, seat: Seat, observation: &mut [i32]| game.observe(state, seat, observation);
        self.ask(&[seat], &observe, &mut |asking| {
            let mut outputs = Vec::new();
            for (&action, odds) in actions.iter().zip(&mut *log_odds) {
                *odds = logit(game, action, &asking.work.logits, &mut outputs);
            }
        });
    }

    fn reporting(&self, failure: &Failure) -> Option<Arc<dyn Evaluator<G>>> {
        Some(Arc::new(self.told_by(failure)))
    }

    fn has_priors(&self) -> bool {
        true
    }
}

impl<G: Encoding> Learned<G> for NetworkPolicy {
    fn value_actions(&self, game: &G, state: &G::State, seat: Seat, actions: &[G::Action], values: &mut [f64]) {
        let after = |&action: &G::Action| {
            let mut after = state.clone();
            game.apply(&mut after, seat, action);
            after
        };
        let states: Vec<G::State> = actions.iter().map(after).collect();
        for ((value, state), units) in values.iter_mut().zip(&states).zip(self.values_of(game, &states)) {
            *value = match game.phase(state) {
                Phase::Over => game.payoffs(state)[seat],
                _ => self.units.payoff(units[seat]),
            };
        }
    }

    fn session(&self, simulations: Option<u64>, failure: &Failure) -> Option<Box<dyn Session<G>>>
    where
        G: Playable,
    {
        Some(Box::new(NetworkPlayer::new(self.told_by(failure), simulations)))
    }
}

/// What was saved, ready to play `game`.
///
/// # Errors
/// A sentence, where it is damaged, too large, or of another game.
pub fn read_policy<G: Encoding>(game: &PathGame<G>, config: &Config, saved: &Saved) -> Result<NetworkPolicy, String> {
    let description = description(saved)?;
    let facts = game.facts();
    let planes = Planes::new(&game.layout(), facts.n_seats, config.net)?.with_coordinates(config.coordinates);
    if shape_of(n_outputs(game.game())?, &facts, config, &planes)? != description.shape {
        return Err("its network has another shape than its options and the game say".into());
    }
    let net = config.precision.form(&Arc::new(read_net(&description, saved)?));
    Ok(NetworkPolicy::new(net, Input::Planes(Arc::new(planes)), Units::of(&facts), config.search))
}
