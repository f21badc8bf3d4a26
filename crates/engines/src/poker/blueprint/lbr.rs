//! Local best response: how much a player who knows the strategies can win, at least.
//!
//! Lisý and Bowling, *Equilibrium Approximation Quality of Current No-Limit Poker Bots* (2017). The player keeps the range of the other
//! seat exactly, by what the strategies do with each hand, and chooses the action that would win most if nobody bet after it and the other
//! only folded or called: it looks ahead no further, and its hands are simulated. What it wins is a lower bound of
//! what a best response wins, on average over both seats. Every deal is played from both seats with the same cards of each blind, which is where one sample
//! of the mean comes from.
//! Its own actions are those of the tree, which are all that the rules have. On the flop and before, shares of the pot are means over some
//! boards that may come; that it then errs at times makes the bound lower, not wrong.

use raichi_core::random::{FastRng, stream};
use raichi_games::cards::{Card, CardSet};

use super::abstraction::{Flops, buckets, pair_index};
use super::strategy::Strategy;
use super::training::drawn;
use super::tree::{BIG, Bet, Next, Node, SMALL};
use crate::poker::evaluator::{Evaluator, Hand};
use crate::poker::preflop::class;
use crate::poker::rank::{N_PAIRS, PAIRS};

/// So many boards that may come stand for all, where there are more.
const N_RUNOUTS: usize = 150;

/// What was won, in small blinds a hand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// The mean of both seats.
    pub mean: f64,
    /// Half of the 95 % interval.
    pub interval: f64,
}

/// The player, with the buckets of flops that it has met.
#[derive(Default)]
pub struct LocalBestResponse {
    flops: Flops,
}

/// The cards of a round.
struct Deal {
    /// Of the small and of the big blind.
    holes: [CardSet; 2],
    /// As it lies on each street.
    boards: [CardSet; 4],
}

/// What is known on a street of one deal, for one seat of the player.
struct Street {
    /// By pair: the bucket, and the share of the pot of the player's hand against it.
    buckets: Vec<u8>,
    shares: Vec<f32>,
}

impl LocalBestResponse {
    /// The player.
    pub fn new() -> LocalBestResponse {
        LocalBestResponse::default()
    }

    /// Plays `n_hands` deals, at least two, from both seats.
    pub fn measure(&mut self, strategy: &Strategy, n_hands: u64, seed: u64) -> Found {
        let play = |nth: u64| {
            let mut rng = stream(seed, "local best response", nth);
            let deal = Deal::draw(&mut rng);
            let won: f64 = [SMALL, BIG].iter().map(|&seat| self.play(strategy, &deal, seat, &mut rng)).sum();
            won / 2.0
        };
        let won: Vec<f64> = (0..n_hands).map(play).collect();
        let n = n_hands as f64;
        let mean = won.iter().sum::<f64>() / n;
        let variance = won.iter().map(|won| (won - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Found { mean, interval: 1.96 * (variance / n).sqrt() }
    }

    /// What the player wins of one deal on `seat`, in small blinds.
    fn play(&mut self, strategy: &Strategy, deal: &Deal, seat: usize, rng: &mut FastRng) -> f64 {
        let nodes = &strategy.tree.nodes;
        if nodes.is_empty() {
            return deal.showdown(seat);
        }
        let own = deal.holes[seat];
        let mut range: Vec<f32> = PAIRS.iter().map(|pair| f32::from(u8::from(pair.minus(own) == *pair))).collect();
        let (mut at, mut street) = (0, None);
        loop {
            let node = &nodes[at];
            let known = match street {
                Some((of, ref known)) if of == node.street => known,
                _ => {
                    let board = deal.boards[node.street];
                    let apart = range.iter_mut().zip(PAIRS.iter()).filter(|(_, pair)| pair.minus(board) != **pair);
                    apart.for_each(|(weight, _)| *weight = 0.0);
                    &street.insert((node.street, self.look(board, own, rng))).1
                }
            };
            let action = if node.actor == seat {
                respond(strategy, node, known, &range)
            } else {
                let bucket = usize::from(known.buckets[pair_index(deal.holes[1 - seat])]);
                let shares: Vec<f32> = strategy.probabilities(at, bucket).map(|(_, share)| share).collect();
                let action = drawn(&shares, rng);
                for (weight, &bucket) in range.iter_mut().zip(&known.buckets) {
                    if *weight > 0.0 {
                        *weight *= strategy.probability(at, bucket.into(), action);
                    }
                }
                action
            };
            match node.actions[action].1 {
                Next::Node(next) => at = next as usize,
                Next::Folded(lost) => return f64::from(lost) * if node.actor == seat { -1.0 } else { 1.0 },
                Next::Showdown(staked) => return f64::from(staked) * deal.showdown(seat),
            }
        }
    }

    fn look(&mut self, board: CardSet, own: CardSet, rng: &mut FastRng) -> Street {
        let buckets = match board.len() {
            0 => PAIRS.iter().map(|&pair| class(pair) as u8).collect(),
            3 => {
                let (of, map) = self.flops.buckets(board);
                PAIRS.iter().map(|pair| of[pair_index(pair.with_suits(map))]).collect()
            }
            _ => buckets(board),
        };
        Street { buckets, shares: shares(board, own, rng) }
    }
}

/// The index of the action that wins most if the other only folds or calls and nobody bets after that.
fn respond(strategy: &Strategy, node: &Node, known: &Street, range: &[f32]) -> usize {
    let other = f32::from(node.staked[1 - node.actor]);
    let worth = |&(bet, next): &(Bet, Next)| match (bet, next) {
        (Bet::Fold, _) => -f32::from(node.staked[node.actor]),
        (_, Next::Node(next)) if bet != Bet::Pass => {
            let answer = &strategy.tree.nodes[next as usize];
            let fold = answer.actions.iter().position(|(bet, _)| *bet == Bet::Fold).expect("a bet can be given up to");
            let stays = |pair: usize| 1.0 - strategy.probability(next as usize, known.buckets[pair].into(), fold);
            let [folded, called, won] = against(range, &known.shares, stays);
            let staked = f32::from(answer.staked[node.actor]);
            (folded * other + (2.0 * won - called) * staked) / (folded + called)
        }
        // A check, or a call.
        _ => {
            let [_, called, won] = against(range, &known.shares, |_| 1.0);
            (2.0 * won - called) / called * other
        }
    };
    let worths: Vec<f32> = node.actions.iter().map(worth).collect();
    (0..worths.len()).max_by(|&one, &two| worths[one].total_cmp(&worths[two])).expect("there is an action")
}

/// The weight that gives up and that stays, and the share of the pot of that which stays, times its weight.
fn against(range: &[f32], shares: &[f32], stays: impl Fn(usize) -> f32) -> [f32; 3] {
    let mut sums = [0.0; 3];
    for pair in 0..N_PAIRS {
        let weight = range[pair];
        if weight > 0.0 {
            let called = weight * stays(pair);
            sums[0] += weight - called;
            sums[1] += called;
            sums[2] += called * shares[pair];
        }
    }
    sums
}

/// The share of the pot of a hand against every other, by pair; of boards that may come some are drawn where there are many.
fn shares(board: CardSet, own: CardSet, rng: &mut FastRng) -> Vec<f32> {
    let evaluator = Evaluator::get();
    let left = CardSet::DECK.minus(board).minus(own);
    let with = |board: CardSet, card: Card| board.union([card].into_iter().collect());
    let runouts: Vec<CardSet> = match board.len() {
        5 => vec![board],
        4 => left.iter().map(|card| with(board, card)).collect(),
        _ => (0..N_RUNOUTS)
            .map(|_| {
                let mut full = board;
                while full.len() < 5 {
                    full.insert(left.choose(rng));
                }
                full
            })
            .collect(),
    };
    let hands: Vec<Hand> = PAIRS.iter().map(|&pair| evaluator.cards(pair)).collect();
    let mut sums = vec![(0u32, 0u32); N_PAIRS];
    for full in runouts {
        let on_board = evaluator.on_board(full);
        let ours = on_board.evaluate(evaluator.cards(own));
        let taken = full.union(own);
        for ((sum, n), (pair, &hand)) in sums.iter_mut().zip(PAIRS.iter().zip(&hands)) {
            if pair.minus(taken) == *pair {
                let theirs = on_board.evaluate(hand);
                *sum += u32::from(theirs < ours) + u32::from(theirs <= ours);
                *n += 2;
            }
        }
    }
    sums.into_iter().map(|(sum, n)| sum as f32 / n.max(1) as f32).collect()
}

impl Deal {
    fn draw(rng: &mut FastRng) -> Deal {
        let mut left = CardSet::DECK;
        let mut cards = |n: usize| {
            let mut cards = CardSet::EMPTY;
            for _ in 0..n {
                let card = left.choose(rng);
                left.remove(card);
                cards.insert(card);
            }
            cards
        };
        let holes = [cards(2), cards(2)];
        let flop = cards(3);
        let turn = flop.union(cards(1));
        Deal { holes, boards: [CardSet::EMPTY, flop, turn, turn.union(cards(1))] }
    }

    /// 1 where `seat` wins at showdown, −1 where it loses, 0 where the pot is shared.
    fn showdown(&self, seat: usize) -> f64 {
        let evaluator = Evaluator::get();
        let strength = |seat: usize| {
            let all = self.boards[3].union(self.holes[seat]);
            evaluator.evaluate(Hand::EMPTY.with(evaluator.cards(all)))
        };
        f64::from(strength(seat).cmp(&strength(1 - seat)) as i8)
    }
}
