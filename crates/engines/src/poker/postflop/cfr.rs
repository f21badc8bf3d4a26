//! The strategies of both seats from the turn or the river to the end of the round, learned by counterfactual regret
//! minimisation.

use raichi_games::cards::CardSet;

use super::layout::{Hands, Layout, River, rivers};
use super::strategy::Discount;
use super::street::{Mode, Pass, Scratch, Strategies, Street};
use super::tree::{Action, Node};
use crate::poker::equity::Range;

/// With both seats' cards and the turn's board known, so many river cards are left.
const N_RIVERS: f32 = 44.0;

/// How much older iterations count: discounted CFR (Brown and Sandholm 2019).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Regrets above 0 are multiplied by t^α / (t^α + 1) in iteration t.
    pub alpha: f64,
    /// Regrets below 0 are multiplied by this.
    pub below: f64,
    /// Sums for the average strategy are multiplied by (t / (t + 1))^γ.
    pub gamma: f64,
    /// Whether the average begins anew at iterations 1, 4, 16, 64 and so on: what was played at the very beginning never counts.
    pub anew: bool,
}

impl Weights {
    /// The fastest of those tried (docs/benchmarks.md).
    pub const DEFAULT: Weights = Weights { alpha: 1.5, below: 0.5, gamma: 5.0, anew: false };

    fn at(&self, iteration: u64) -> Discount {
        let power = (iteration as f64).powf(self.alpha);
        let since = match iteration {
            0 => 0,
            t if self.anew => t - (1 << (t.ilog2() / 2 * 2)),
            t => t,
        };
        Discount {
            positive: (power / (power + 1.0)) as f32,
            negative: self.below as f32,
            sums: (since as f64 / (since as f64 + 1.0)).powf(self.gamma) as f32,
        }
    }
}

/// Strategies being learned.
pub struct Cfr {
    pub(super) hands: [Hands; 2],
    root: Street,
    pub(super) root_layout: Layout,
    /// Betting after each deal.
    after: Vec<Street>,
    pub(super) rivers: Vec<River>,
    pub(super) strategies: Numbers,
    scratch: [Scratch; 2],
    /// The weight of all pairs of hands that go together.
    pub(super) total: f64,
    root_actions: Option<(usize, Vec<Action>)>,
    n_iterations: u64,
}

/// All strategies, and where those of each part begin.
pub(super) struct Numbers {
    regrets: [Vec<f32>; 2],
    pub(super) sums: [Vec<f32>; 2],
    /// By deal and river.
    pub(super) begins: Vec<[usize; 2]>,
}

impl Numbers {
    fn part(&mut self, begins: [usize; 2], sizes: [usize; 2]) -> Strategies<'_> {
        let [regrets_0, regrets_1] = &mut self.regrets;
        let [sums_0, sums_1] = &mut self.sums;
        Strategies {
            regrets: [&mut regrets_0[begins[0]..][..sizes[0]], &mut regrets_1[begins[1]..][..sizes[1]]],
            sums: [&mut sums_0[begins[0]..][..sizes[0]], &mut sums_1[begins[1]..][..sizes[1]]],
        }
    }
}

/// Why strategies cannot be learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The board has neither four cards nor five, or the tree does not fit it.
    #[error("the board has to be four community cards or five")]
    Board,
    /// No two hands of the ranges go together.
    #[error("no two hands of these ranges can be held at the same time on this board")]
    NoHands,
    /// The strategies take so many bytes.
    #[error("the strategies take {0} bytes")]
    Memory(usize),
}

impl Cfr {
    /// Nothing is known yet. River cards that differ only by an exchange of suits are taken together where `exchange` says so.
    ///
    /// # Errors
    /// Says what stands in the way; `memory` is the most that may be taken, in bytes.
    pub fn new(
        tree: &Node,
        board: CardSet,
        ranges: [&Range; 2],
        exchange: bool,
        memory: usize,
    ) -> Result<Cfr, Refused> {
        let on_river = board.len() == 5;
        if !on_river && board.len() != 4 {
            return Err(Refused::Board);
        }
        let hands = ranges.map(|range| Hands::new(range, board));
        let total = total(&hands);
        if total <= 0.0 {
            return Err(Refused::NoHands);
        }
        let root_layout = Layout::new(&hands, board);
        let rivers = if on_river { Vec::new() } else { rivers(&hands, board, exchange) };
        // Before the streets are made: they take memory too, though less than the strategies.
        let bytes = bytes_of(tree, &root_layout, &rivers);
        if bytes > memory {
            return Err(Refused::Memory(bytes));
        }
        let mut after = Vec::new();
        let root = Street::new(tree, &mut |node| {
            after.push(Street::new(node, &mut |_| usize::MAX));
            after.len() - 1
        });
        if on_river && !after.is_empty() || after.iter().any(|street| !street.deals(0).is_empty()) {
            return Err(Refused::Board);
        }

        // The order is that of a pass, so that memory is gone through from its beginning to its end.
        let size = |street: &Street, layout: &Layout| [0, 1].map(|seat| street.size(seat, &layout.sides[seat]));
        let mut end = size(&root, &root_layout);
        let mut begins = Vec::with_capacity(after.len() * rivers.len());
        for street in &after {
            for river in &rivers {
                begins.push(end);
                let size = size(street, &river.layout);
                end = [end[0] + size[0], end[1] + size[1]];
            }
        }
        debug_assert_eq!(bytes, 8 * (end[0] + end[1]), "all strategies were counted");
        let zeros = || end.map(|n| vec![0.0; n]);
        let strategies = Numbers { regrets: zeros(), sums: zeros(), begins };
        let mut scratch = [Scratch::default(), Scratch::default()];
        scratch[0].fit(&root, &root_layout);
        for street in &after {
            rivers.iter().for_each(|river| scratch[1].fit(street, &river.layout));
        }
        let root_actions = match tree {
            Node::Act { seat, choices } => Some((*seat, choices.iter().map(|choice| choice.0).collect())),
            _ => None,
        };
        let n_iterations = 0;
        Ok(Cfr { hands, root, root_layout, after, rivers, strategies, scratch, total, root_actions, n_iterations })
    }

    /// Both seats learn, one after the other.
    pub fn iterate(&mut self, weights: &Weights) {
        let discount = weights.at(self.n_iterations);
        for learner in 0..2 {
            self.pass(learner, Mode::Learn(discount));
        }
        self.n_iterations += 1;
    }

    /// How many iterations there were.
    pub fn n_iterations(&self) -> u64 {
        self.n_iterations
    }

    /// What the first seat gets by average strategies, in the numbers of the tree; the other seat pays it.
    pub fn value(&mut self) -> f64 {
        self.pass(0, Mode::Average)
    }

    /// What both seats together could win by best responses to the other's average strategy, halved.
    pub fn exploitability(&mut self) -> f64 {
        // Where nothing is to win rounding can make it less.
        ((self.pass(0, Mode::BestResponse) + self.pass(1, Mode::BestResponse)) / 2.0).max(0.0)
    }

    /// Public states at which a seat acts, times the hands that it can have there, alike river cards once.
    pub fn n_information_sets(&self) -> usize {
        let of = |street: &Street, layout: &Layout| -> usize {
            (0..2).map(|seat| street.n_acts[seat] * layout.sides[seat].n).sum()
        };
        let later = self.after.iter().flat_map(|street| self.rivers.iter().map(|river| of(street, &river.layout)));
        of(&self.root, &self.root_layout) + later.sum::<usize>()
    }

    /// How many bytes the strategies take.
    pub fn bytes(&self) -> usize {
        8 * (self.strategies.regrets[0].len() + self.strategies.regrets[1].len())
    }

    /// How many river cards are gone through; none where the river lies already.
    pub fn n_rivers(&self) -> usize {
        self.rivers.len()
    }

    /// Goes through the whole tree; returns the mean of the learner's values over its hands.
    pub(super) fn pass(&mut self, learner: usize, mode: Mode) -> f64 {
        let other = 1 - learner;
        let [scratch, after_scratch] = &mut self.scratch;
        let (own_side, other_side) = (&self.root_layout.sides[learner], &self.root_layout.sides[other]);
        let begin = &mut scratch.weights[..other_side.stride];
        begin.fill(0.0);
        for (weight, &nth) in begin.iter_mut().zip(&other_side.order) {
            *weight = self.hands[other].weights[usize::from(nth)];
        }
        let root = Pass { street: &self.root, layout: &self.root_layout, learner, mode };
        let sizes = [0, 1].map(|seat| self.root.size(seat, &self.root_layout.sides[seat]));
        root.down(&mut self.strategies.part([0; 2], sizes), scratch);
        root.ends(scratch);
        for deal in self.root.deals(learner) {
            let street = &self.after[deal.nth];
            let weights = &scratch.weights[deal.weights * other_side.stride..][..other_side.stride];
            let values = &mut scratch.values[deal.value * own_side.stride..][..own_side.stride];
            values.fill(0.0);
            for (nth, river) in self.rivers.iter().enumerate() {
                let side = &river.layout.sides[other];
                let begin = &mut after_scratch.weights[..side.stride];
                begin[side.n..].fill(0.0);
                for (weight, &nth) in begin.iter_mut().zip(&side.order) {
                    *weight = weights[usize::from(nth)] * (1.0 / N_RIVERS);
                }
                let pass = Pass { street, layout: &river.layout, learner, mode };
                let sizes = [0, 1].map(|seat| street.size(seat, &river.layout.sides[seat]));
                let begins = self.strategies.begins[deal.nth * self.rivers.len() + nth];
                let mut strategies = self.strategies.part(begins, sizes);
                pass.down(&mut strategies, after_scratch);
                pass.ends(after_scratch);
                pass.up(&mut strategies, after_scratch);
                for image in &river.images {
                    for (&to, value) in image[learner].iter().zip(&after_scratch.values) {
                        values[usize::from(to)] += value;
                    }
                }
            }
        }
        root.up(&mut self.strategies.part([0; 2], sizes), scratch);
        let weighted = own_side.order.iter().zip(&scratch.values);
        let sum: f64 = weighted
            .map(|(&nth, &value)| f64::from(self.hands[learner].weights[usize::from(nth)]) * f64::from(value))
            .sum();
        sum / self.total
    }

    /// What the seat to act does with each of its hands, by its average strategy; `None` where no seat is to act.
    pub fn at_root(&mut self) -> Option<RootStrategy> {
        let (seat, actions) = self.root_actions.clone()?;
        self.pass(seat, Mode::Average);
        let side = &self.root_layout.sides[seat];
        let weights = compatible(&self.hands, seat);
        let row = |nth: usize| &self.strategies.sums[seat][nth * side.stride..][..side.stride];
        let hands = side.order.iter().enumerate().map(|(at, &nth)| {
            let nth = usize::from(nth);
            let sums: Vec<f32> = (0..actions.len()).map(|action| row(action)[at]).collect();
            let sum: f32 = sums.iter().sum();
            let even = 1.0 / actions.len() as f64;
            let share = |&part: &f32| if sum > 0.0 { f64::from(part) / f64::from(sum) } else { even };
            // What follows the root has the values after it.
            let worth =
                |action: usize| f64::from(self.scratch[0].values[(1 + action) * side.stride + at]) / weights[nth];
            RootHand {
                hand: self.hands[seat].cards[nth],
                weight: f64::from(self.hands[seat].weights[nth]) * weights[nth] / self.total,
                shares: sums.iter().map(share).collect(),
                worth: (0..actions.len()).map(worth).collect(),
            }
        });
        // Against a hand that leaves the other seat none nothing can be said.
        let hands = hands.filter(|hand| hand.weight > 0.0).collect();
        Some(RootStrategy { seat, actions, hands })
    }
}

/// How many bytes the strategies of both seats take.
fn bytes_of(tree: &Node, root: &Layout, rivers: &[River]) -> usize {
    // By seat, before the river card and after it.
    fn add(node: &Node, is_after: bool, rows: &mut [[usize; 2]; 2]) {
        match node {
            Node::Act { seat, choices } => {
                rows[*seat][usize::from(is_after)] += choices.len();
                choices.iter().for_each(|(_, next)| add(next, is_after, rows));
            }
            Node::Deal(next) => add(next, true, rows),
            Node::Fold { .. } | Node::Showdown { .. } => {}
        }
    }
    let mut rows = [[0; 2]; 2];
    add(tree, false, &mut rows);
    let numbers = |seat: usize| {
        let [before, after] = rows[seat];
        let on_rivers: usize = rivers.iter().map(|river| river.layout.sides[seat].stride).sum();
        before * root.sides[seat].stride + after * on_rivers
    };
    8 * (numbers(0) + numbers(1))
}

/// What the seat to act does with its hands.
#[derive(Clone, PartialEq, Debug)]
pub struct RootStrategy {
    /// The seat, 0 or 1.
    pub seat: usize,
    /// What it can do.
    pub actions: Vec<Action>,
    /// Its hands.
    pub hands: Vec<RootHand>,
}

/// What is done with one hand.
#[derive(Clone, PartialEq, Debug)]
pub struct RootHand {
    /// The hand.
    pub hand: CardSet,
    /// How likely the seat has it; all add up to 1.
    pub weight: f64,
    /// How often each action is chosen.
    pub shares: Vec<f64>,
    /// What each action is worth to the seat, in the numbers of the tree.
    pub worth: Vec<f64>,
}

/// For each hand of `seat`, the weight of the other seat's hands that share no card with it.
fn compatible(hands: &[Hands; 2], seat: usize) -> Vec<f64> {
    let other = &hands[1 - seat];
    let weight = |hand: CardSet| {
        let apart = other.cards.iter().zip(&other.weights).filter(|(cards, _)| cards.minus(hand) == **cards);
        apart.map(|(_, &weight)| f64::from(weight)).sum()
    };
    hands[seat].cards.iter().map(|&hand| weight(hand)).collect()
}

fn total(hands: &[Hands; 2]) -> f64 {
    compatible(hands, 0).iter().zip(&hands[0].weights).map(|(other, &weight)| other * f64::from(weight)).sum()
}
