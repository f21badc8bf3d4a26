//! How the strategies are learned: Monte Carlo CFR with external sampling.
//!
//! Lanctot, Waugh, Zinkevich, Bowling (2009): each walk follows all actions of one seat and draws the other's; regrets and average
//! strategies are weighted by the number of the board (linear CFR: Brown and Sandholm 2019), so that what was learned early counts less.
//! A hand that is all-in before the flop is paid its exact share against the other's kind, where these are given, which takes most of
//! the luck out of short stacks. Boards are drawn, and on each some pairs of hands, which every stack and both orders of play learn from: most of the time
//! would otherwise go into buckets. Since nodes and buckets forget some of the past (imperfect recall), no bound holds for how far the
//! result is from an equilibrium; [`super::lbr`] measures it from below.
//! One seed gives the same strategies, whether the training was interrupted or not.

use raichi_core::random::{FastRng, Rng, stream};
use raichi_games::cards::{Card, CardSet};

use super::abstraction::{Flops, buckets, n_buckets, pair_index};
use super::strategy::{Blueprint, Strategy};
use super::tree::{BIG, LONGEST, Next, ORDERS, SMALL, Tree};
use crate::poker::beliefs::unit;
use crate::poker::evaluator::{Evaluator, Hand};
use crate::poker::preflop::{N_CLASSES, Preflop, class};

/// Pairs of hands on one board.
const N_DEALS: usize = 16;
/// The first boards count nothing in the average: before this number strategies are hardly better than at random.
const N_VAIN: u64 = 50;
const MARK: &[u8; 8] = b"regrets1";

/// Regrets so far.
pub struct Training {
    seed: u64,
    n_boards: u64,
    flops: Flops,
    /// By the kind of the small blind's hand and of the big blind's: what is won, of 1, when both are all-in before the flop; empty
    /// where boards decide.
    shares: Vec<f32>,
    /// One for each order of play and stack, in the order of [`Blueprint`].
    tables: Vec<Table>,
}

/// Regrets with one stack.
struct Table {
    tree: Tree,
    places: Vec<Place>,
    regrets: Vec<f32>,
    sums: Vec<f32>,
}

/// A node of the tree, in one piece for speed.
#[derive(Clone, Copy)]
struct Place {
    /// Where its numbers begin: those of its buckets one after the other, a number an action.
    first: u32,
    street: u8,
    actor: u8,
    n_actions: u8,
    next: [Next; 4],
}

/// Two hands on a board.
struct Deal {
    /// By seat and street.
    buckets: [[u8; 4]; 2],
    /// What the small blind wins of 1, when both are all-in before the flop and at any later showdown.
    wins: [f32; 2],
}

impl Training {
    /// Nothing is regretted yet. Stacks go up to `longest` small blinds; a blueprint that is kept has [`LONGEST`]. Without `shares`
    /// boards decide before the flop too.
    ///
    /// # Panics
    /// When `longest` is more than [`LONGEST`].
    pub fn new(seed: u64, longest: usize, shares: Option<&Preflop>) -> Training {
        assert!(longest <= LONGEST, "there are no trees with longer stacks");
        let stacks = ORDERS.iter().flat_map(|&order| (1..=longest).map(move |stack| Tree::new(order, stack)));
        let of = |shares: &Preflop| {
            let pairs = (0..N_CLASSES).flat_map(|own| (0..N_CLASSES).map(move |other| (own, other)));
            pairs.map(|(own, other)| 2.0 * shares.share(own, other) as f32 - 1.0).collect()
        };
        Training {
            seed,
            n_boards: 0,
            flops: Flops::new(),
            shares: shares.map(of).unwrap_or_default(),
            tables: stacks.map(Table::new).collect(),
        }
    }

    /// How many boards were learned from; each has 16 pairs of hands.
    pub fn n_boards(&self) -> u64 {
        self.n_boards
    }

    /// Learns from one more board.
    pub fn advance(&mut self) {
        let mut rng = stream(self.seed, "blueprint", self.n_boards);
        self.n_boards += 1;
        let deals = deals(&mut self.flops, &self.shares, &mut rng);
        let weight = self.n_boards as f32 / 1000.0;
        let counts = if self.n_boards > N_VAIN { weight } else { 0.0 };
        for table in &mut self.tables {
            if table.tree.nodes.is_empty() {
                continue;
            }
            for deal in &deals {
                for learner in [SMALL, BIG] {
                    Walk { table, deal, learner, weight, counts, rng: &mut rng }.from(0);
                }
            }
        }
    }

    /// The average strategies.
    pub fn blueprint(&self) -> Blueprint {
        Blueprint::new(self.tables.iter().map(Table::strategy).collect())
    }

    /// What is needed to go on, as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        let head = [self.seed, self.n_boards, self.tables.len() as u64, self.shares.len() as u64];
        bytes.extend(head.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.shares.iter().flat_map(|share| share.to_le_bytes()));
        for table in &self.tables {
            bytes.extend(table.regrets.iter().chain(&table.sums).flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// A training that goes on where these bytes were made; `None` where they are none of a training.
    pub fn from_bytes(bytes: &[u8]) -> Option<Training> {
        let (head, mut rest) = bytes.strip_prefix(MARK)?.split_first_chunk::<32>()?;
        let number = |nth: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[8 * nth + byte]));
        let longest = usize::try_from(number(2)).ok()? / ORDERS.len();
        let mut training = (longest <= LONGEST).then(|| Training::new(number(0), longest, None))?;
        training.n_boards = number(1);
        let n_shares = usize::try_from(number(3)).ok().filter(|n| [0, N_CLASSES * N_CLASSES].contains(n))?;
        training.shares = vec![0.0; n_shares];
        let tables = training.tables.iter_mut().flat_map(|table| table.regrets.iter_mut().chain(&mut table.sums));
        for number in training.shares.iter_mut().chain(tables) {
            let (four, left) = rest.split_first_chunk::<4>()?;
            (*number, rest) = (f32::from_le_bytes(*four), left);
        }
        rest.is_empty().then_some(training)
    }
}

/// A board with its pairs of hands.
fn deals(flops: &mut Flops, shares: &[f32], rng: &mut FastRng) -> Vec<Deal> {
    let mut deck = CardSet::DECK;
    let mut cards = || -> Card {
        let card = deck.choose(rng);
        deck.remove(card);
        card
    };
    let flop: CardSet = [cards(), cards(), cards()].into_iter().collect();
    let turn = flop.union([cards()].into_iter().collect());
    let board = turn.union([cards()].into_iter().collect());
    let (on_flop, map) = flops.buckets(flop);
    let (on_turn, on_river) = (buckets(turn), buckets(board));
    let evaluator = Evaluator::get();
    let on_board = Hand::EMPTY.with(evaluator.cards(board));
    let deal = |_| {
        let mut left = deck;
        let mut hand = || -> CardSet {
            let mut hand = CardSet::EMPTY;
            while hand.len() < 2 {
                let card = left.choose(rng);
                left.remove(card);
                hand.insert(card);
            }
            hand
        };
        let hands = [hand(), hand()];
        let of = |hand: CardSet| {
            let pair = pair_index(hand);
            [class(hand) as u8, on_flop[pair_index(hand.with_suits(map))], on_turn[pair], on_river[pair]]
        };
        let strength = |hand: CardSet| evaluator.evaluate(on_board.with(evaluator.cards(hand)));
        let winner = match strength(hands[0]).cmp(&strength(hands[1])) {
            std::cmp::Ordering::Less => -1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 1.0,
        };
        let before = shares.get(class(hands[0]) * N_CLASSES + class(hands[1])).copied();
        Deal { buckets: hands.map(of), wins: [before.unwrap_or(winner), winner] }
    };
    (0..N_DEALS).map(deal).collect()
}

impl Table {
    fn new(tree: Tree) -> Table {
        let mut n = 0;
        let mut places = Vec::new();
        for node in &tree.nodes {
            let mut next = [Next::Showdown(0); 4];
            next.iter_mut().zip(&node.actions).for_each(|(next, action)| *next = action.1);
            let (street, actor) = (node.street as u8, node.actor as u8);
            places.push(Place { first: n, street, actor, n_actions: node.actions.len() as u8, next });
            n += (n_buckets(node.street) * node.actions.len()) as u32;
        }
        let zeros = vec![0.0; n as usize];
        Table { tree, places, regrets: zeros.clone(), sums: zeros }
    }

    fn strategy(&self) -> Strategy {
        Strategy::of(self.tree.clone(), |node, bucket| {
            let n_actions = self.tree.nodes[node].actions.len();
            let at = self.places[node].first as usize + bucket * n_actions;
            let sums = &self.sums[at..at + n_actions];
            let total: f32 = sums.iter().sum();
            if total > 0.0 {
                sums.iter().map(|sum| sum / total).collect()
            } else {
                matched(&self.regrets[at..at + n_actions])[..n_actions].to_vec()
            }
        })
    }
}

/// Shares by regret matching; the first ones count, one an action.
#[inline]
pub(super) fn matched(regrets: &[f32]) -> [f32; 4] {
    let mut shares = [0.0; 4];
    let mut total = 0.0;
    for (share, &regret) in shares.iter_mut().zip(regrets) {
        *share = regret.max(0.0);
        total += *share;
    }
    if total > 0.0 {
        let scale = 1.0 / total;
        shares.map(|share| share * scale)
    } else {
        [1.0 / regrets.len() as f32; 4]
    }
}

struct Walk<'a> {
    table: &'a mut Table,
    deal: &'a Deal,
    learner: usize,
    weight: f32,
    /// How much strategies count in the average.
    counts: f32,
    rng: &'a mut FastRng,
}

impl Walk<'_> {
    /// What the learner wins from a node on, in small blinds.
    fn from(&mut self, node: usize) -> f32 {
        let Place { first, street, actor, n_actions, next } = self.table.places[node];
        let (actor, n_actions) = (usize::from(actor), usize::from(n_actions));
        let bucket = usize::from(self.deal.buckets[actor][usize::from(street)]);
        let at = first as usize + bucket * n_actions;
        let shares = matched(&self.table.regrets[at..at + n_actions]);
        if actor != self.learner {
            if self.counts > 0.0 {
                let sums = self.table.sums[at..at + n_actions].iter_mut();
                sums.zip(shares).for_each(|(sum, share)| *sum += self.counts * share);
            }
            let action = drawn(&shares[..n_actions], self.rng);
            return self.after(next[action], street, 1.0);
        }
        let mut worths = [0.0; 4];
        let mut mean = 0.0;
        for action in 0..n_actions {
            worths[action] = self.after(next[action], street, -1.0);
            mean += shares[action] * worths[action];
        }
        let regrets = self.table.regrets[at..at + n_actions].iter_mut();
        regrets.zip(worths).for_each(|(regret, worth)| *regret += self.weight * (worth - mean));
        mean
    }

    /// What the learner wins after an action on a street; `of_fold` is the sign of what a fold is worth to it.
    #[inline]
    fn after(&mut self, next: Next, street: u8, of_fold: f32) -> f32 {
        match next {
            Next::Node(next) => self.from(next as usize),
            Next::Folded(lost) => f32::from(lost) * of_fold,
            Next::Showdown(staked) => {
                let wins = self.deal.wins[usize::from(street > 0)];
                f32::from(staked) * if self.learner == SMALL { wins } else { -wins }
            }
        }
    }
}

/// An action drawn by shares that add up to 1.
pub(super) fn drawn(shares: &[f32], rng: &mut (impl Rng + ?Sized)) -> usize {
    let mut left = unit(rng);
    for (action, &share) in shares.iter().enumerate() {
        if left < share {
            return action;
        }
        left -= share;
    }
    shares.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}
