//! How the strategies are learned: Monte Carlo CFR with external sampling, over the rules themselves.
//!
//! As between two seats (`blueprint::training`): each walk follows all actions of one seat and draws the others'; regrets and average
//! strategies are weighted by the number of the board (linear CFR). Rounds begin with stacks and seats drawn at random, since a game
//! comes through all of them; what counts is the chips of the round, in big blinds. A board gives several deals, because most of the time
//! would otherwise go into buckets.
//! One seed gives the same strategies, whether the training was interrupted or not.

use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_games::cards::{Card, CardSet};
use raichi_games::poker::{Action, Poker, State};
use rustc_hash::FxHashMap;

use super::MOST_BLINDS;
use super::spot::{MOST_ACTIONS, Spot, street};
use super::strategy::Strategies;
use crate::poker::beliefs::unit;
use crate::poker::blueprint::abstraction::{self, Flops, buckets, pair_index};
use crate::poker::blueprint::training::{drawn, matched};
use crate::poker::preflop::{N_CLASSES, class};

/// Deals on one board.
const N_DEALS: usize = 16;
/// The big blind in chips: half a big blind, the unit of stacks, is a small blind.
const BLIND: u32 = 2;
/// The chips of a table are between so many big blinds a seat, each ratio equally likely; seats that are out have left theirs to the others.
const CHIPS: [f32; 2] = [4.0, MOST_BLINDS as f32];
/// How many rounds of a hundred are between two seats, who are mostly served by the strategies for two.
const N_OF_TWO: usize = 8;
/// The first boards count nothing in the average: before this number strategies are hardly better than at random.
const N_VAIN: u64 = 100;
const MARK: &[u8; 8] = b"regrets2";

/// Hands are told apart by so many buckets after the flop: two of the abstraction's are one.
pub(super) const N_BUCKETS: usize = abstraction::N_BUCKETS / 2;

/// How many classes of hands a street has.
pub(super) fn n_buckets(street: usize) -> usize {
    if street == 0 { N_CLASSES } else { N_BUCKETS }
}

/// The class of two hole cards on a board of none or of three to five cards.
pub fn bucket(board: CardSet, hole: CardSet) -> usize {
    let bucket = abstraction::bucket(board, hole);
    if board.is_empty() { bucket } else { bucket / 2 }
}

/// Regrets so far.
pub struct Training {
    seed: u64,
    /// Of the table; rounds have two seats and more.
    n_seats: usize,
    n_boards: u64,
    /// With the two orders of play between two seats.
    games: [Poker; 2],
    flops: Flops,
    pub(super) spots: FxHashMap<Spot, u32>,
    /// By spot, bucket and action, from where [`Training::spots`] says.
    regrets: Vec<f32>,
    pub(super) sums: Vec<f32>,
}

/// The cards of a round.
struct Deal {
    holes: [CardSet; MAX_SEATS],
    board: [Card; 5],
    /// By seat and street.
    buckets: [[u8; 4]; MAX_SEATS],
}

impl Training {
    /// Nothing is regretted yet.
    ///
    /// # Panics
    /// When there are not two to ten seats.
    pub fn new(seed: u64, n_seats: usize) -> Training {
        assert!((2..=MAX_SEATS).contains(&n_seats), "poker has two to ten seats");
        let game = |order: &str| {
            let spec = format!("players={n_seats},chips=1000,blind={BLIND},heads-up={order}");
            *create::<Poker>(Some(&spec)).expect("the game has these parameters").game()
        };
        Training {
            seed,
            n_seats,
            n_boards: 0,
            games: [game("source"), game("casino")],
            flops: Flops::new(),
            spots: FxHashMap::default(),
            regrets: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// How many boards were learned from; each has 16 deals.
    pub fn n_boards(&self) -> u64 {
        self.n_boards
    }

    /// Learns from one more board.
    pub fn advance(&mut self) {
        let mut rng = stream(self.seed, "multiway", self.n_boards);
        self.n_boards += 1;
        let weight = self.n_boards as f32 / 1000.0;
        let counts = if self.n_boards > N_VAIN { weight } else { 0.0 };
        for deal in deals(&mut self.flops, self.n_seats, &mut rng) {
            let game = self.games[index(&mut rng, 2)];
            let start = begun(&game, self.n_seats, &deal, &mut rng);
            for learner in start.dealt_in().iter() {
                Walk { training: self, game, deal: &deal, learner, weight, counts, rng: &mut rng }.from(start);
            }
        }
    }

    /// The average strategies.
    pub fn strategies(&self) -> Strategies {
        let rows = self.spots.iter().filter_map(|(&spot, &first)| {
            let n = n_buckets(spot.street()) * spot.n_actions();
            let sums = &self.sums[first as usize..][..n];
            sums.iter().any(|&sum| sum > 0.0).then_some((spot, sums))
        });
        Strategies::of(rows)
    }

    /// What is needed to go on, as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        let head = [self.seed, self.n_seats as u64, self.n_boards, self.spots.len() as u64];
        bytes.extend(head.iter().flat_map(|n| n.to_le_bytes()));
        let mut spots: Vec<(u32, Spot)> = self.spots.iter().map(|(&spot, &first)| (first, spot)).collect();
        spots.sort_unstable();
        bytes.extend(spots.iter().flat_map(|(_, spot)| spot.number().to_le_bytes()));
        bytes.extend(self.regrets.iter().chain(&self.sums).flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// A training that goes on where these bytes were made; `None` where they are none of a training.
    pub fn from_bytes(bytes: &[u8]) -> Option<Training> {
        let (head, mut rest) = bytes.strip_prefix(MARK)?.split_first_chunk::<32>()?;
        let number = |nth: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[8 * nth + byte]));
        let n_seats = usize::try_from(number(1)).ok().filter(|n| (2..=MAX_SEATS).contains(n))?;
        let mut training = Training::new(number(0), n_seats);
        training.n_boards = number(2);
        for _ in 0..number(3) {
            let (eight, left) = rest.split_first_chunk::<8>()?;
            training.place(Spot::from_number(u64::from_le_bytes(*eight))?);
            rest = left;
        }
        for number in training.regrets.iter_mut().chain(&mut training.sums) {
            let (four, left) = rest.split_first_chunk::<4>()?;
            (*number, rest) = (f32::from_le_bytes(*four), left);
        }
        rest.is_empty().then_some(training)
    }

    /// Where a spot's numbers begin.
    fn place(&mut self, spot: Spot) -> usize {
        let next = self.regrets.len();
        let number = u32::try_from(next).expect("there is no memory for four thousand million regrets");
        let first = *self.spots.entry(spot).or_insert(number) as usize;
        if first == next {
            let n = next + n_buckets(spot.street()) * spot.n_actions();
            self.regrets.resize(n, 0.0);
            self.sums.resize(n, 0.0);
        }
        first
    }
}

/// A board with hands for all seats, several times.
fn deals(flops: &mut Flops, n_seats: usize, rng: &mut FastRng) -> Vec<Deal> {
    let mut deck = CardSet::DECK;
    let board: [Card; 5] = std::array::from_fn(|_| taken(&mut deck, rng));
    let of = |n: usize| board[..n].iter().copied().collect::<CardSet>();
    let (on_flop, map) = flops.buckets(of(3));
    let (on_turn, on_river) = (buckets(of(4)), buckets(of(5)));
    let deal = |_| {
        let mut left = deck;
        let mut deal = Deal { holes: [CardSet::EMPTY; MAX_SEATS], board, buckets: [[0; 4]; MAX_SEATS] };
        for seat in 0..n_seats {
            let hole: CardSet = [taken(&mut left, rng), taken(&mut left, rng)].into_iter().collect();
            let pair = pair_index(hole);
            let after =
                [on_flop[pair_index(hole.with_suits(map))], on_turn[pair], on_river[pair]].map(|bucket| bucket / 2);
            deal.holes[seat] = hole;
            deal.buckets[seat] = [class(hole) as u8, after[0], after[1], after[2]];
        }
        deal
    };
    (0..N_DEALS).map(deal).collect()
}

fn taken(deck: &mut CardSet, rng: &mut FastRng) -> Card {
    let card = deck.choose(rng);
    deck.remove(card);
    card
}

/// A round with the blinds posted and the hole cards dealt.
fn begun(game: &Poker, n_seats: usize, deal: &Deal, rng: &mut FastRng) -> State {
    let stacks = stacks(n_seats, rng);
    let with_chips: Vec<Seat> = (0..n_seats).filter(|&seat| stacks[seat] > 0).collect();
    let mut state = game.round_with(with_chips[index(rng, with_chips.len())], &stacks);
    while let Some(seat) = state.deals_to() {
        let dealt = deal.holes[seat].minus(state.hole(seat)).first().expect("a seat is dealt two cards");
        game.apply_outcome(&mut state, dealt);
    }
    state
}

/// What lies before the seats of a table, in chips; nothing before those who are out.
fn stacks(n_seats: usize, rng: &mut FastRng) -> Vec<u32> {
    let of_two = n_seats == 2 || index(rng, 100) < N_OF_TWO;
    let n_in = if of_two { 2 } else { 3 + index(rng, n_seats - 2) };
    let [least, most] = CHIPS;
    let of_table = n_seats as f32 * least * (most / least).powf(unit(rng));
    // Between equal stacks and any division of the chips.
    let evenness = unit(rng);
    let parts: Vec<f32> = (0..n_in).map(|_| evenness - (1.0 - evenness) * unit(rng).max(1e-6).ln()).collect();
    let share = of_table * BLIND as f32 / parts.iter().sum::<f32>();
    let mut stacks: Vec<u32> = parts.iter().map(|part| (part * share).round().max(1.0) as u32).collect();
    // Seats that are out sit last here; the order of play is the same wherever they sit.
    stacks.resize(n_seats, 0);
    stacks
}

struct Walk<'a> {
    training: &'a mut Training,
    game: Poker,
    deal: &'a Deal,
    learner: Seat,
    weight: f32,
    /// How much strategies count in the average.
    counts: f32,
    rng: &'a mut FastRng,
}

impl Walk<'_> {
    /// What the learner has at the end of the round, in big blinds.
    fn from(&mut self, mut state: State) -> f32 {
        loop {
            match self.game.phase(&state) {
                Phase::Chance if state.deals_to().is_none() => {
                    let card = self.deal.board[state.board().len()];
                    self.game.apply_outcome(&mut state, card);
                }
                // The next round begins, or nobody is left to play it.
                Phase::Chance | Phase::Over => return self.chips(&state),
                Phase::Act(seats) if seats.first() == self.learner => return self.learn(&state),
                Phase::Act(seats) => self.draw(&mut state, seats.first()),
            }
        }
    }

    fn chips(&self, state: &State) -> f32 {
        (state.stack(self.learner) + state.staked(self.learner)) as f32 / BLIND as f32
    }

    /// Follows all actions of the learner.
    fn learn(&mut self, state: &State) -> f32 {
        let (spot, options) = Spot::of(&self.game, state, self.learner);
        let at = self.place(spot, state, self.learner);
        let actions = options.actions();
        let shares = matched(&self.training.regrets[at..at + actions.len()]);
        let mut worths = [0.0; MOST_ACTIONS];
        let mut mean = 0.0;
        for (nth, &action) in actions.iter().enumerate() {
            worths[nth] = if action == Action::Fold {
                // What it has put in is lost, and nothing else.
                state.stack(self.learner) as f32 / BLIND as f32
            } else {
                let mut next = *state;
                self.game.apply(&mut next, self.learner, action);
                self.from(next)
            };
            mean += shares[nth] * worths[nth];
        }
        let regrets = self.training.regrets[at..at + actions.len()].iter_mut();
        regrets.zip(worths).for_each(|(regret, worth)| *regret += self.weight * (worth - mean));
        mean
    }

    /// Draws the action of another seat.
    fn draw(&mut self, state: &mut State, seat: Seat) {
        let (spot, options) = Spot::of(&self.game, state, seat);
        let at = self.place(spot, state, seat);
        let actions = options.actions();
        let shares = matched(&self.training.regrets[at..at + actions.len()]);
        if self.counts > 0.0 {
            let sums = self.training.sums[at..at + actions.len()].iter_mut();
            sums.zip(shares).for_each(|(sum, share)| *sum += self.counts * share);
        }
        let action = actions[drawn(&shares[..actions.len()], self.rng)];
        self.game.apply(state, seat, action);
    }

    fn place(&mut self, spot: Spot, state: &State, seat: Seat) -> usize {
        let bucket = usize::from(self.deal.buckets[seat][street(state)]);
        self.training.place(spot) + bucket * spot.n_actions()
    }
}
