//! One ply by an evaluator: each action is carried out, and the position after it valued.
//!
//! Where chance acts after the action the value is the expectation over the outcomes, exact as long as they are few, else
//! over outcomes drawn. Where something is hidden the values are means over determinizations, the same for all actions;
//! where other seats act at the same time their choices are drawn at random. Actions that promise the same are chosen
//! among at random.
//!
//! Promises: an action that ends the game at once has its true value. `proven` only where all that was compared is so.
//! Not here: anything beyond one ply; a position in which captures are pending is valued as it stands.
//! Checked against: expectations of trees written by hand, a matrix, the showdowns of Kuhn poker.

use std::cmp::Reverse;
use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::Phase;
use raichi_core::information::SeatView;
use raichi_core::order::Total;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, Rng, index, stream};
use raichi_core::seat::Seat;

use crate::agent::{Advice, Candidate, Certainty, Cost, Limits, Session};
use crate::evaluator::Evaluator;
use crate::options::{AgentOption, OptionKind, Options};

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// How many determinizations are looked at where something is hidden; how many outcomes, or choices of others who act
    /// at the same time, are drawn where they are not all looked at. At least 1.
    pub samples: u64,
}

impl Config {
    /// What the options say.
    pub fn from_options(options: &Options) -> Config {
        Config { samples: options.int("samples").expect("the option has a default") }
    }
}

/// The options of the search.
pub const OPTIONS: &[AgentOption] = &[AgentOption {
    name: "samples",
    kind: OptionKind::Int { min: 1, max: 1_000_000 },
    default: Some("64"),
    help: "Where something is hidden or drawn: over how many possibilities it takes the mean.",
}];

/// Chance is looked at in full as long as there are at most so many ways, chance after chance included.
const MAX_OUTCOMES: u64 = 1_000;

/// No further determinization of what is hidden is begun once so many positions were entered: with a hundred thousand actions one is
/// enough.
const MOST_NODES: u64 = 100_000;

/// A search in one game in progress; it keeps nothing.
pub struct Greedy<G: Playable> {
    config: Config,
    evaluator: Arc<dyn Evaluator<G>>,
}

impl<G: Playable> Greedy<G> {
    /// A search as `config` says.
    pub fn new(config: Config, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        Greedy { config, evaluator }
    }
}

impl<G: Playable> Session<G> for Greedy<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = limits.host.now();
        let (facts, seat) = (view.facts(), view.seat());
        let actions = view.legal_actions();
        let seed = rng.next_u64();
        let mut looks = vec![Look::new(facts.n_seats); actions.len()];
        let mut nodes = 0;
        'worlds: for world in 0..if facts.hidden || facts.simultaneous { self.config.samples } else { 1 } {
            if nodes >= MOST_NODES {
                break;
            }
            let state = view.determinize(&mut stream(seed, "world", world));
            for (&action, look) in actions.iter().zip(&mut looks) {
                let is_late = limits.budget.time.is_some_and(|time| limits.host.now().saturating_sub(start) >= time);
                if limits.cancel.is_cancelled() || is_late {
                    break 'worlds;
                }
                let mut after = state.clone();
                view.game().apply(&mut after, seat, action);
                // Every action meets the same luck.
                let rng = &mut stream(seed, "luck", world);
                choose_for_others(view, &mut after, rng);
                let mut afterstate = Afterstate { search: self, game: view.game(), rng, nodes: 1, exact: true };
                afterstate.resolve(&mut after, 1.0, MAX_OUTCOMES, &mut look.sums);
                look.exact &= afterstate.exact;
                look.worlds += 1;
                nodes += afterstate.nodes;
            }
        }
        // With secrets nothing is exact: not all worlds were seen.
        for look in &mut looks {
            look.exact &= !facts.hidden && !facts.simultaneous && look.worlds > 0;
        }
        let cost = Cost { nodes, depth: Some(1), elapsed: limits.host.now().saturating_sub(start), ..Cost::default() };
        advise(&looks, seat, cost, facts.payoff_range, rng).of(&actions)
    }
}

/// The seats that act at the same time as the view's choose at random.
fn choose_for_others<G: Playable>(view: &SeatView<'_, G>, after: &mut PathState<G>, rng: &mut FastRng) {
    let Phase::Act(together) = view.phase() else { return };
    for other in together.without(view.seat()).iter() {
        if matches!(view.game().phase(after), Phase::Act(seats) if seats.contains(other)) {
            let action = view.game().random_action(after, other, &mut Vec::new(), rng);
            view.game().apply(after, other, action);
        }
    }
}

/// What was found out about an action.
#[derive(Clone)]
struct Look {
    /// Of values, by seat.
    sums: Vec<f64>,
    worlds: u64,
    exact: bool,
}

impl Look {
    fn new(n_seats: usize) -> Look {
        Look { sums: vec![0.0; n_seats], worlds: 0, exact: true }
    }

    fn value(&self, seat: Seat) -> f64 {
        if self.worlds == 0 { f64::NEG_INFINITY } else { self.sums[seat] / self.worlds as f64 }
    }

    fn candidate(&self, action: usize) -> Candidate<usize> {
        let (values, certainty) = match self.worlds {
            0 => (Vec::new(), Certainty::Unknown),
            n if self.exact => (self.sums.iter().map(|sum| sum / n as f64).collect(), Certainty::Exact),
            n => {
                let means = self.sums.iter().map(|sum| sum / n as f64).collect();
                (means, Certainty::Estimate { standard_error: None })
            }
        };
        Candidate { action, values, certainty, visits: None, depth: Some(1), plies: None }
    }
}

/// The advice, with places in place of actions: compiled once, not for each game.
fn advise(
    looks: &[Look],
    seat: Seat,
    cost: Cost,
    payoff_range: Option<(f64, f64)>,
    rng: &mut FastRng,
) -> Advice<usize> {
    let best = looks.iter().map(|look| look.value(seat)).fold(f64::NEG_INFINITY, f64::max);
    // Sums over many outcomes differ in their last digits where the values are equal.
    let is_best = |&i: &usize| looks[i].value(seat) >= best - 1e-9 * best.abs().max(1.0) || best == f64::NEG_INFINITY;
    let ties: Vec<usize> = (0..looks.len()).filter(is_best).collect();
    let chosen = ties[index(rng, ties.len())];
    let mut order: Vec<usize> = (0..looks.len()).collect();
    order.sort_by_key(|&i| Reverse((i == chosen, Total(looks[i].value(seat)))));
    let wins = looks[chosen].exact && payoff_range.is_some_and(|(_, high)| best >= high);
    Advice {
        action: chosen,
        candidates: order.into_iter().map(|i| looks[i].candidate(i)).collect(),
        line: Vec::new(),
        cost,
        proven: wins || looks.iter().all(|look| look.exact),
        known_by: None,
        why: None,
    }
}

/// What lies after an action.
struct Afterstate<'a, G: Playable> {
    search: &'a Greedy<G>,
    game: &'a PathGame<G>,
    rng: &'a mut FastRng,
    nodes: u64,
    exact: bool,
}

impl<G: Playable> Afterstate<'_, G> {
    /// Adds what each seat can expect from `state` on, times `weight`, to `sums`. Chance is looked at in full while there
    /// are at most `ways` outcomes.
    fn resolve(&mut self, state: &mut PathState<G>, weight: f64, ways: u64, sums: &mut [f64]) {
        let game = self.game;
        match game.phase(state) {
            Phase::Over => add(sums, game.payoffs(state).as_slice(), weight),
            Phase::Act(_) => {
                self.exact = false;
                let mut values = [0.0f32; raichi_core::seat::MAX_SEATS];
                let values = &mut values[..sums.len()];
                self.search.evaluator.values(game, state, values);
                add_estimates(sums, values, weight);
            }
            Phase::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                let (n, mut total) = (outcomes.len() as u64, 0.0);
                for &(_, likely) in &outcomes {
                    total += likely as f64;
                }
                if n <= ways {
                    for (outcome, likely) in outcomes {
                        let mut next = state.clone();
                        game.apply_outcome(&mut next, outcome);
                        self.nodes += 1;
                        self.resolve(&mut next, weight * likely as f64 / total, ways / n, sums);
                    }
                } else {
                    self.exact = false;
                    // Outcomes of outcomes are drawn once each.
                    let samples = if ways == 0 { 1 } else { self.search.config.samples };
                    for _ in 0..samples {
                        let mut next = state.clone();
                        let outcome = game.sample_outcome(&next, self.rng);
                        game.apply_outcome(&mut next, outcome);
                        self.nodes += 1;
                        self.resolve(&mut next, weight / samples as f64, 0, sums);
                    }
                }
            }
        }
    }
}

fn add(sums: &mut [f64], payoffs: &[f64], weight: f64) {
    sums.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += weight * payoff);
}

fn add_estimates(sums: &mut [f64], values: &[f32], weight: f64) {
    sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += weight * f64::from(value));
}
