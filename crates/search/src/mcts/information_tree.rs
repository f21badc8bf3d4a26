//! The tree of a game with secrets: one node for all that the searching seat has seen on the way.
//!
//! Information-set Monte-Carlo tree search with a single observer (Cowling, Powley and Whitehouse, *Information set
//! Monte Carlo tree search*, 2012). Each simulation draws a determinization and walks the part of the tree that fits
//! it; how often an action was available takes the place of its parent's visits in the confidence bound. What the
//! searching seat cannot see does not split the tree: hidden outcomes, and the hidden actions of others, which are
//! chosen by statistics of their own seat's, kept at the node where they are chosen.
//!
//! Seats that act together are asked one after the other, the searching seat last, and none sees what the others chose
//! (decoupled statistics). Where a seat will see the others' choices afterwards, the tree goes on without telling them
//! apart: it averages over them.
//!
//! Where seats act together each may instead go by regret matching (Hart and Mas-Colell, *A simple adaptive procedure
//! leading to correlated equilibrium*, 2000; in trees: Lanctot, Lisý and Winands, *Monte Carlo tree search in
//! simultaneous move games with applications to Goofspiel*, 2014), with regrets kept above zero (Tammelin, *Solving large
//! imperfect information games using CFR+*, 2014) and estimated from the one payoff of a simulation with the averages as a
//! baseline (Schmid and others, *Variance reduction in Monte Carlo counterfactual regret minimization*, 2019). In a
//! matrix game with payoffs that sum to a constant the average strategies approach an equilibrium, and the action played
//! is drawn from the searching seat's.
//!
//! Not promised elsewhere: an equilibrium, or anything proven. Other seats are modelled as seeing what the searching seat sees.

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Game, Payoffs, Phase};
use raichi_core::information::{Information, SeatView};
use raichi_core::path::PathState;
use raichi_core::random::{FastRng, index};
use raichi_core::seat::{Seat, SeatSet, Viewer};

use super::exploration::{Exploration, sqrt_ln};
use super::playouts::{Beyond, Knowledge};
use super::root::RootArm;
use super::{Config, Simulator, Together, random_fraction};
use crate::line::token;

const NONE: u32 = u32::MAX;

/// A stage at which somebody chooses, as far as the searching seat can tell.
#[derive(Clone, Copy)]
struct Node {
    /// The first of a list.
    arms: u32,
    /// Where all that is hidden from the searching seat leads.
    unseen: u32,
    /// Whether others have just chosen who act at the same time.
    together: bool,
}

impl Node {
    const NEW: Node = Node { arms: NONE, unseen: NONE, together: false };
}

/// Something that was chosen at a node.
struct Arm<G: Game> {
    choice: Choice<G>,
    /// The payoff its chooser got on average.
    value: f64,
    visits: u32,
    /// In how many simulations that passed here it could have been chosen.
    available: u32,
    /// Where it leads, if the searching seat sees it.
    child: u32,
    /// The next arm of the same node.
    next: u32,
}

/// What regret matching knows of an arm. It lies beside the arms, so that these stay small where nothing goes by regrets:
/// most of a simulation is waiting for arms to come from memory.
#[derive(Clone, Copy, Default)]
struct Regret {
    /// What the arm's chooser would have gained by it so far.
    gain: f64,
    /// How likely it was chosen, added up over simulations.
    strategy: f64,
}

/// A choice of a simulation.
#[derive(Clone, Copy)]
struct Step {
    arm: u32,
    /// Where it was made.
    node: u32,
    /// How likely it was, where it went by regret matching; else 0.
    probability: f64,
}

/// How often regret matching leaves the choice to chance, so that every regret is estimated now and then.
const REGRET_EXPLORATION: f64 = 0.1;

/// A search tree, for one decision.
pub(super) struct InformationTree<'a, G: Information> {
    view: &'a SeatView<'a, G>,
    nodes: Vec<Node>,
    arms: Vec<Arm<G>>,
    /// One for each arm where choices go by regrets, else none.
    regrets: Vec<Regret>,
    /// The searching seat's own choice now.
    root_actions: Vec<G::Action>,
    root: Vec<RootArm>,
    simulations: u32,
    exploration: Exploration,
    max_nodes: usize,
    max_arms: usize,
    beyond: Beyond<G>,
    by_regret: bool,
    // Buffers.
    path: Vec<Step>,
    actions: Vec<G::Action>,
    arm_of_action: Vec<u32>,
}

impl<G: Playable> Simulator for InformationTree<'_, G> {
    fn simulate(&mut self, rng: &mut FastRng) -> u64 {
        let view = self.view;
        let (mut state, own_action, entered) = self.select_and_expand(view, rng);
        let (payoffs, played) = self.beyond.play(view.game(), &mut state, &mut self.actions, rng);
        self.exploration.observe(&payoffs);
        self.back_up(&payoffs, own_action);
        u64::from(entered + played)
    }

    fn is_settled(&self) -> bool {
        // Counts of visits have 32 bits.
        self.simulations == u32::MAX
    }
}

impl<'a, G: Playable> InformationTree<'a, G> {
    /// Each action of the root with what was found out about it, in the rules' order.
    pub(super) fn root_arms(&self) -> Vec<RootArm> {
        self.root.clone()
    }

    /// The searching seat's average strategy at the root, in the rules' order; `None` where it did not go by regrets.
    pub(super) fn root_strategy(&self, seat: Seat) -> Option<Vec<f64>> {
        // Of seats that act together one chooses after the other here, and none sees what those before it chose.
        let unseen = |&at: &u32| Some(self.nodes[at as usize].unseen).filter(|&next| next != NONE);
        std::iter::successors(Some(0), unseen).find_map(|at| {
            let weight = |action| {
                let arm = self.arm(at, Choice::Action(seat, action));
                arm.and_then(|arm| self.regrets.get(arm as usize)).map_or(0.0, |regret| regret.strategy)
            };
            let weights: Vec<f64> = self.root_actions.iter().map(|&action| weight(action)).collect();
            (weights.iter().sum::<f64>() > 0.0).then_some(weights)
        })
    }

    /// The line of play expected, as tokens of a history, its first action given. It says no more than the tree's nodes do: what
    /// the searching seat will see. It ends where what goes on depends on what is hidden from that seat.
    pub(super) fn line(&self, view: &SeatView<'_, G>, first: G::Action) -> Vec<String> {
        /// How many states it is compared with.
        const N_STATES: u64 = 8;
        let game = view.game();
        // Any states that fit will do, as long as they do not depend on the true one.
        let state = |i| view.determinize(&mut raichi_core::random::stream(i, "line", 0));
        let mut states: Vec<PathState<G>> = (0..N_STATES).map(state).collect();
        let (mut tokens, mut outcomes) = (Vec::new(), Vec::new());
        let (mut at, mut expected) = (0, Some(Choice::Action(view.seat(), first)));
        while let Some(choice) = expected {
            let phase = game.phase(&states[0]);
            if states.iter().any(|state| game.phase(state) != phase) {
                break;
            }
            match (choice, phase) {
                (Choice::Action(seat, action), Phase::Act(seats)) if seats.contains(seat) => {
                    if !states.iter().all(|state| game.is_legal(state, seat, action)) {
                        break;
                    }
                    tokens.push(token(game, &states[0], seat, action));
                    // Where seats act together the line ends: the others' choices are not seen.
                    if seats.len() > 1 {
                        break;
                    }
                }
                (Choice::Outcome(outcome), Phase::Chance) => {
                    // Seeing the outcome, the seat knows that it is in none of the states where it cannot come.
                    states.retain(|state| {
                        outcomes.clear();
                        game.outcomes(state, &mut outcomes);
                        outcomes.iter().any(|&(possible, _)| possible == outcome)
                    });
                    let Some(state) = states.first() else { break };
                    tokens.push(game.outcome_text(state, outcome));
                }
                _ => break,
            }
            let child = self.arm(at, choice).map(|arm| self.arms[arm as usize].child);
            let Some(child) = child.filter(|&child| child != NONE) else { break };
            at = child;
            states.iter_mut().for_each(|state| game.play(state, choice));
            expected = self.most_visited(at, game.phase(&states[0]));
        }
        tokens
    }

    pub(super) fn new(view: &'a SeatView<'a, G>, config: &Config, knowledge: &Knowledge<G>) -> Self {
        let facts = view.facts();
        let root_actions = view.legal_actions();
        // Each node is made with an arm that leads to it, and has a few more.
        let memory = config.memory / config.threads;
        let by_regret = config.together == Together::Regret;
        let of_arm = size_of::<Arm<G>>() + if by_regret { size_of::<Regret>() } else { 0 };
        let max_nodes = (memory / (size_of::<Node>() + 2 * of_arm)).clamp(1, NONE as usize);
        let max_arms = (2 * max_nodes).clamp(1024, NONE as usize);
        let mut nodes = Vec::with_capacity(max_nodes);
        nodes.push(Node::NEW);
        InformationTree {
            view,
            nodes,
            arms: Vec::with_capacity(max_arms),
            regrets: Vec::with_capacity(if by_regret { max_arms } else { 0 }),
            root: vec![RootArm::new(facts.n_seats); root_actions.len()],
            root_actions,
            simulations: 0,
            exploration: Exploration::new(config.exploration, &facts),
            max_nodes,
            max_arms,
            by_regret,
            beyond: Beyond::new(config, knowledge, facts),
            path: Vec::with_capacity(256),
            actions: Vec::with_capacity(256),
            arm_of_action: Vec::with_capacity(256),
        }
    }

    /// Walks down as far as the tree reaches in a determinization, and adds one node. Returns the state there
    /// and what the searching seat chose at the root.
    fn select_and_expand(
        &mut self,
        view: &SeatView<'_, G>,
        rng: &mut FastRng,
    ) -> (PathState<G>, Option<G::Action>, u32) {
        let (game, observer) = (view.game(), view.seat());
        let mut state = view.determinize(rng);
        let (mut own_action, mut entered) = (None, 0);
        let mut at = 0;
        self.path.clear();
        let mut together;
        loop {
            let (step, seen) = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    together = false;
                    let outcome = game.sample_outcome(&state, rng);
                    let seen = game.sees_outcome(&state, outcome, Viewer::Seat(observer));
                    let arm = if seen { self.arm_of_outcome(at, outcome) } else { NONE };
                    game.apply_outcome(&mut state, outcome);
                    (Step { arm, node: at, probability: 0.0 }, seen)
                }
                Phase::Act(seats) => {
                    let seat = next_to_choose(seats, observer);
                    let (step, action) = self.choose(view, at, &state, seat, rng);
                    together = seat != observer && seats.contains(observer);
                    let seen = !together && game.sees_action(&state, seat, action, Viewer::Seat(observer));
                    if seat == observer {
                        own_action.get_or_insert(action);
                    }
                    game.apply(&mut state, seat, action);
                    entered += 1;
                    (step, seen)
                }
            };
            if step.arm != NONE {
                self.path.push(step);
            } else if seen {
                // There is no room for what was chosen.
                break;
            }
            let n_nodes = self.nodes.len();
            let child =
                if seen { &mut self.arms[step.arm as usize].child } else { &mut self.nodes[at as usize].unseen };
            if *child == NONE {
                if n_nodes < self.max_nodes {
                    *child = n_nodes as u32;
                    self.nodes.push(Node { together: together && !seen, ..Node::NEW });
                }
                break;
            }
            at = *child;
        }
        (state, own_action, entered)
    }

    /// Chooses for `seat`: an action that was never tried here, or the one with the highest upper confidence bound.
    ///
    /// Choices made without seeing each other must not depend on each other either. But where both go by bounds they
    /// fall into step: in matching pennies each would alternate, and one of them win for ever. There the widths of the
    /// bounds are drawn at random, as in RandUCB (Vaswani and others, *Old dog learns new tricks: randomized UCB for
    /// bandit problems*, 2020).
    fn choose(
        &mut self,
        view: &SeatView<'_, G>,
        at: u32,
        state: &PathState<G>,
        seat: Seat,
        rng: &mut FastRng,
    ) -> (Step, G::Action) {
        let game = view.game();
        self.actions.clear();
        game.legal_actions(state, seat, &mut self.actions);
        let n_untried = self.find_arms(at, seat);
        if n_untried > 0 {
            let mut untried = (0..self.actions.len()).filter(|&i| self.arm_of_action[i] == NONE);
            let i = untried.nth(index(rng, n_untried)).expect("they were counted");
            let action = self.actions[i];
            let arm = self.add_arm(at, Choice::Action(seat, action));
            if let Some(arm) = self.arms.get_mut(arm as usize) {
                arm.available = 1;
            }
            return (Step { arm, node: at, probability: 0.0 }, action);
        }
        // Who is asked last acts together with those who were asked before.
        let together =
            matches!(game.phase(state), Phase::Act(seats) if seats.len() > 1) || self.nodes[at as usize].together;
        if together && self.by_regret {
            return self.match_regret(at, rng);
        }
        let blind = together || !game.sees_action(state, seat, self.actions[0], Viewer::Seat(view.seat()));
        let factor = self.exploration.factor();
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (i, &arm) in self.arm_of_action.iter().enumerate() {
            let arm = &self.arms[arm as usize];
            let width = if blind { 2.0 * random_fraction(rng) } else { 1.0 };
            let bound = arm.value + width * factor * f64::from(sqrt_ln(arm.available)) / f64::from(arm.visits).sqrt();
            if bound > highest {
                (best, highest) = (i, bound);
            }
        }
        (Step { arm: self.arm_of_action[best], node: at, probability: 0.0 }, self.actions[best])
    }

    /// Draws an action of those in `actions`, each as likely as its regret is large, one in ten at random.
    fn match_regret(&mut self, at: u32, rng: &mut FastRng) -> (Step, G::Action) {
        let n = self.arm_of_action.len() as f64;
        let positive: f64 = self.arm_of_action.iter().map(|&arm| self.regrets[arm as usize].gain).sum();
        let mut left = random_fraction(rng);
        let mut chosen = None;
        for (i, &arm) in self.arm_of_action.iter().enumerate() {
            let regret = &mut self.regrets[arm as usize];
            let strategy = if positive > 0.0 { regret.gain / positive } else { 1.0 / n };
            regret.strategy += strategy;
            let probability = (1.0 - REGRET_EXPLORATION) * strategy + REGRET_EXPLORATION / n;
            left -= probability;
            if chosen.is_none() && (left < 0.0 || i + 1 == self.arm_of_action.len()) {
                chosen = Some((i, probability));
            }
        }
        let (i, probability) = chosen.expect("there is an action");
        (Step { arm: self.arm_of_action[i], node: at, probability }, self.actions[i])
    }

    /// Updates the regrets of a seat that chose `arm` with this probability and was paid so much: of each action, what it
    /// is estimated to pay less what the strategy is. An action that was not tried is estimated by its average, the one
    /// that was by its average and what the payoff differs from that, divided by how likely it was.
    fn update_regrets(&mut self, step: Step, seat: Seat, payoff: f64) {
        let positive: f64 = self.arms_of(step.node, seat).map(|arm| self.regrets[arm as usize].gain).sum();
        let n = self.arms_of(step.node, seat).count() as f64;
        let estimate = |at: u32, arm: &Arm<G>| {
            arm.value + if at == step.arm { (payoff - arm.value) / step.probability } else { 0.0 }
        };
        let mut expected = 0.0;
        for at in self.arms_of(step.node, seat) {
            let gain = self.regrets[at as usize].gain;
            let strategy = if positive > 0.0 { gain / positive } else { 1.0 / n };
            expected += strategy * estimate(at, &self.arms[at as usize]);
        }
        let mut next = self.nodes[step.node as usize].arms;
        while next != NONE {
            let arm = &self.arms[next as usize];
            if matches!(arm.choice, Choice::Action(by, _) if by == seat) {
                let gain = &mut self.regrets[next as usize].gain;
                *gain = (*gain + estimate(next, arm) - expected).max(0.0);
            }
            next = arm.next;
        }
    }

    /// The arms of a node that are `seat`'s.
    fn arms_of(&self, at: u32, seat: Seat) -> impl Iterator<Item = u32> {
        let is_its = move |arm: &u32| matches!(self.arms[*arm as usize].choice, Choice::Action(by, _) if by == seat);
        self.arms_at(at).filter(is_its)
    }

    /// Matches the legal actions with the node's arms, which were available once more; returns how many have none.
    fn find_arms(&mut self, at: u32, seat: Seat) -> usize {
        self.arm_of_action.clear();
        self.arm_of_action.resize(self.actions.len(), NONE);
        let mut n_untried = self.actions.len();
        let mut next = self.nodes[at as usize].arms;
        while next != NONE {
            let arm = &mut self.arms[next as usize];
            if let Choice::Action(chooser, action) = arm.choice
                && chooser == seat
                && let Some(i) = self.actions.iter().position(|&legal| legal == action)
            {
                arm.available += 1;
                self.arm_of_action[i] = next;
                n_untried -= 1;
            }
            next = arm.next;
        }
        n_untried
    }

    /// [`NONE`] where there is no room.
    fn add_arm(&mut self, at: u32, choice: Choice<G>) -> u32 {
        if self.arms.len() == self.max_arms {
            return NONE;
        }
        let node = &mut self.nodes[at as usize];
        let added = self.arms.len() as u32;
        self.arms.push(Arm { choice, value: 0.0, visits: 0, available: 0, child: NONE, next: node.arms });
        if self.by_regret {
            self.regrets.push(Regret::default());
        }
        node.arms = added;
        added
    }

    fn arm_of_outcome(&mut self, at: u32, sought: G::Outcome) -> u32 {
        let is_it = |arm: &Arm<G>| matches!(arm.choice, Choice::Outcome(outcome) if outcome == sought);
        let found = self.arms_at(at).find(|&arm| is_it(&self.arms[arm as usize]));
        found.unwrap_or_else(|| self.add_arm(at, Choice::Outcome(sought)))
    }

    fn arms_at(&self, at: u32) -> impl Iterator<Item = u32> {
        let some = |arm: u32| (arm != NONE).then_some(arm);
        let first = some(self.nodes[at as usize].arms);
        std::iter::successors(first, move |&arm| some(self.arms[arm as usize].next))
    }

    fn back_up(&mut self, payoffs: &Payoffs, own_action: Option<G::Action>) {
        for i in 0..self.path.len() {
            let step = self.path[i];
            if let Choice::Action(seat, _) = self.arms[step.arm as usize].choice
                && step.probability > 0.0
            {
                self.update_regrets(step, seat, payoffs[seat]);
            }
            let arm = &mut self.arms[step.arm as usize];
            arm.visits += 1;
            if let Choice::Action(seat, _) = arm.choice {
                arm.value += (payoffs[seat] - arm.value) / f64::from(arm.visits);
            }
        }
        self.simulations += 1;
        if let Some(place) = self.root_actions.iter().position(|&action| Some(action) == own_action) {
            self.root[place].pay(payoffs);
        }
    }

    fn arm(&self, at: u32, choice: Choice<G>) -> Option<u32> {
        self.arms_at(at).find(|&arm| self.arms[arm as usize].choice == choice)
    }

    /// What was chosen most often at a node where one seat or chance chooses.
    fn most_visited(&self, at: u32, phase: Phase) -> Option<Choice<G>> {
        let is_due = |choice: Choice<G>| match (choice, phase) {
            (Choice::Action(by, _), Phase::Act(seats)) => seats.len() == 1 && seats.contains(by),
            (Choice::Outcome(_), Phase::Chance) => true,
            _ => false,
        };
        let due = self.arms_at(at).map(|arm| &self.arms[arm as usize]).filter(|arm| is_due(arm.choice));
        due.max_by_key(|arm| arm.visits).map(|arm| arm.choice)
    }
}

/// Who is asked first where several may act: the others before the observer, whose choice comes last and unseen.
fn next_to_choose(seats: SeatSet, observer: Seat) -> Seat {
    let others = seats.without(observer);
    if others.is_empty() { observer } else { others.first() }
}
