//! State, legal actions, apply, payoffs: blinds, dealing, betting, and how a round ends.

use raichi_core::game::{Chance, Choice, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{MAX_SEATS, Seat, SeatSet, Viewer};
use serde::{Deserialize, Serialize};

use super::hands::{Strength, strength};
use super::pots;
use crate::cards::{Card, CardSet, SUIT_MAPS};

/// The rules with their parameters.
#[derive(Clone, Copy, Debug)]
pub struct Poker {
    pub(super) n_seats: usize,
    /// What every seat starts with.
    pub(super) chips: u32,
    /// The big blind of the first round; even.
    pub(super) blind: u32,
    /// The most rounds played; 0 is no limit.
    pub(super) rounds: u32,
    pub(super) heads_up: HeadsUp,
    /// After so many rounds the blind doubles; 0 is never.
    pub(super) rise: u32,
    /// How often it can double without being more than all the chips there are.
    pub(super) most_doublings: u32,
}

/// Rounds beyond this number are not told apart, where there is no limit to them.
pub(super) const LAST_COUNTED: u32 = 1_000_000_000;

/// Who posts which blind when two seats are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HeadsUp {
    /// As with more seats: the dealer posts the big blind.
    Source,
    /// The dealer posts the small blind.
    Casino,
}

/// What a seat chooses. Each puts in a different number of chips: where a word would put in all of them it is `AllIn`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    /// Give up the round.
    Fold,
    /// Put nothing in.
    Check,
    /// Put in the first bet.
    Bet,
    /// Match the bet.
    Call,
    /// Match the bet and one blind more.
    Raise,
    /// Put in everything.
    AllIn,
}

pub(super) const ACTIONS: [Action; 6] =
    [Action::Fold, Action::Check, Action::Bet, Action::Call, Action::Raise, Action::AllIn];

/// Seats as bits.
pub(super) type Seats = u16;

pub(super) type PerSeat<T> = [T; MAX_SEATS];

/// A round in progress, or the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// This round's number, from 1; 0 where rounds are not counted, and at the end.
    pub(super) round: u32,
    pub(super) dealer: u8,
    pub(super) turn: Turn,
    /// Seats that are dealt into the round and have not folded.
    pub(super) live: Seats,
    /// Those of them with chips that have acted since the bet was last increased.
    pub(super) acted: Seats,
    /// What each seat has before it.
    pub(super) stacks: PerSeat<u32>,
    /// What each live seat has put in during this betting round.
    pub(super) bets: PerSeat<u32>,
    /// What each seat has put in during this round, `bets` included.
    pub(super) staked: PerSeat<u32>,
    /// The greatest of `bets`, kept along.
    pub(super) bet: u32,
    /// The community cards. In which order they came decides nothing.
    pub(super) board: CardSet,
    pub(super) holes: PerSeat<CardSet>,
    /// The cards not dealt yet, kept along.
    pub(super) deck: CardSet,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Turn {
    /// This seat is dealt a hole card.
    Hole(u8),
    /// A community card is dealt.
    Board,
    /// This seat acts.
    Act(u8),
    /// Nothing: the game is over.
    Over,
}

/// The first of `seats` after `after` in order of play, `after` itself last.
#[inline]
pub(super) const fn next_of(seats: Seats, after: Seat) -> Seat {
    debug_assert!(seats != 0, "there is a seat to find");
    let later = seats & !((2 << after) - 1);
    (if later != 0 { later } else { seats }).trailing_zeros() as Seat
}

#[inline]
const fn bit(seat: Seat) -> Seats {
    1 << seat
}

// Without an instruction for it, counting bits takes a dozen others.
#[inline]
const fn is_at_most_one(seats: Seats) -> bool {
    seats & seats.wrapping_sub(1) == 0
}

impl State {
    /// What `seat` must put in to match the bet.
    #[inline]
    pub(super) fn owe(&self, seat: Seat) -> u32 {
        self.bet - self.bets[seat]
    }

    /// Seats that were dealt into this round: those who had chips when it began.
    #[inline]
    pub(super) fn playing(&self) -> Seats {
        (0..MAX_SEATS)
            .filter(|&seat| self.stacks[seat] + self.staked[seat] > 0)
            .fold(0, |seats, seat| seats | bit(seat))
    }

    #[inline]
    pub(super) fn with_chips(&self) -> Seats {
        (0..MAX_SEATS).filter(|&seat| self.stacks[seat] > 0).fold(0, |seats, seat| seats | bit(seat))
    }

    /// Seats neither folded nor all-in.
    #[inline]
    pub(super) fn able(&self) -> Seats {
        self.live & self.with_chips()
    }

    /// Whether `seat` has folded this round.
    pub(super) fn folded(&self, seat: Seat) -> bool {
        (self.playing() & !self.live) >> seat & 1 == 1
    }

    /// Whether `seat` is in the round with nothing left to put in.
    pub(super) fn all_in(&self, seat: Seat) -> bool {
        self.live >> seat & 1 == 1 && self.stacks[seat] == 0
    }

    #[inline]
    fn put(&mut self, seat: Seat, chips: u32) {
        self.stacks[seat] -= chips;
        self.staked[seat] += chips;
        self.bets[seat] += chips;
        if self.bets[seat] > self.bet {
            self.bet = self.bets[seat];
            self.acted = 0;
        }
    }

    /// Whether none of the seats that are able to act has to any more in this betting round.
    #[inline]
    pub(super) fn betting_is_over(&self, able: Seats) -> bool {
        if able == 0 {
            true
        } else if is_at_most_one(able) {
            self.owe(able.trailing_zeros() as Seat) == 0
        } else {
            // A seat that acted since the last increase has matched the bet.
            able & !self.acted == 0
        }
    }

    #[inline]
    fn fold(&mut self, seat: Seat) {
        self.live &= !bit(seat);
        // Its chips stay in `staked`. The bet to match stays too: if others still owe, another seat has bet as much.
        self.bets[seat] = 0;
    }

    /// Whether hands are shown: more than one seat is left.
    pub(super) fn has_showdown(&self) -> bool {
        !is_at_most_one(self.live)
    }

    /// How strong a live seat's hand is once the board is complete.
    pub(super) fn strength(&self, seat: Seat) -> Strength {
        strength(self.holes[seat].union(self.board))
    }

    /// What each seat takes from the pots at the end of the round, when what nobody matched has come back.
    pub(super) fn winnings(&self) -> PerSeat<u32> {
        if !self.has_showdown() {
            let mut won = [0; MAX_SEATS];
            won[self.live.trailing_zeros() as Seat] = self.staked.iter().sum();
            return won;
        }
        let mut strengths = [None; MAX_SEATS];
        for seat in (0..MAX_SEATS).filter(|&seat| self.live >> seat & 1 == 1) {
            strengths[seat] = Some(self.strength(seat));
        }
        pots::share(&self.staked, &strengths, self.dealer.into())
    }
}

/// What is read from outside.
impl State {
    /// The seat whose turn it is to deal.
    pub fn dealer(&self) -> Seat {
        self.dealer.into()
    }

    /// What a seat has before it.
    #[inline]
    pub fn stack(&self, seat: Seat) -> u32 {
        self.stacks[seat]
    }

    /// What a seat has put in during this round.
    #[inline]
    pub fn staked(&self, seat: Seat) -> u32 {
        self.staked[seat]
    }

    /// What a seat that is in the round has put in during this betting round.
    #[inline]
    pub fn bet(&self, seat: Seat) -> u32 {
        self.bets[seat]
    }

    /// What all seats have put in during this round.
    #[inline]
    pub fn pot(&self) -> u32 {
        self.staked.iter().sum()
    }

    /// What a seat that is to act must put in to match the bet, as far as it can.
    #[inline]
    pub fn to_call(&self, seat: Seat) -> u32 {
        self.owe(seat).min(self.stacks[seat])
    }

    /// The seats that were dealt into the round and have not folded.
    #[inline]
    pub fn live(&self) -> SeatSet {
        SeatSet::from_bits(self.live)
    }

    /// The seats that are neither folded nor all-in.
    #[inline]
    pub fn able_to_bet(&self) -> SeatSet {
        SeatSet::from_bits(self.able())
    }

    /// The seats that were dealt into the round.
    pub fn dealt_in(&self) -> SeatSet {
        SeatSet::from_bits(self.playing())
    }

    /// Whether a seat that is able to bet has acted since the bet was last increased.
    #[inline]
    pub fn has_acted(&self, seat: Seat) -> bool {
        self.acted >> seat & 1 == 1
    }

    /// The community cards.
    #[inline]
    pub fn board(&self) -> CardSet {
        self.board
    }

    /// The cards that a seat holds, seen or not.
    #[inline]
    pub fn hole(&self, seat: Seat) -> CardSet {
        self.holes[seat]
    }

    /// The seat that is dealt a hole card now.
    #[inline]
    pub fn deals_to(&self) -> Option<Seat> {
        if let Turn::Hole(seat) = self.turn { Some(seat.into()) } else { None }
    }

    /// The same position with other hole cards; seats without any here have folded.
    pub fn with_holes(&self, holes: &[CardSet]) -> State {
        let mut state = *self;
        state.holes[..holes.len()].copy_from_slice(holes);
        let dealt = state.holes.iter().fold(state.board, |dealt, &hole| dealt.union(hole));
        State { deck: CardSet::DECK.minus(dealt), ..state }
    }
}

impl Poker {
    /// The big blind of this round, which is the step of every bet.
    #[inline]
    pub fn blind(&self, state: &State) -> u32 {
        if self.rise == 0 {
            return self.blind;
        }
        let n_doublings = state.round.saturating_sub(1) / self.rise;
        self.blind << n_doublings.min(self.most_doublings)
    }

    /// Whether a round's number decides something: how many are left, or the blind.
    pub(super) fn counts_rounds(&self) -> bool {
        self.rounds > 0 || self.rise > 0
    }

    /// The greatest number that a round can have.
    pub(super) fn most_rounds(&self) -> u32 {
        if self.rounds > 0 { self.rounds } else { LAST_COUNTED }
    }

    /// How this round began: the blinds posted and no card dealt.
    pub fn round_start(&self, state: &State) -> State {
        let mut start = State { round: state.round, ..State::CLEARED };
        start.stacks.iter_mut().zip(state.stacks.iter().zip(&state.staked)).for_each(|(start, (a, b))| *start = a + b);
        self.begin_round(&mut start, state.dealer.into());
        start
    }

    /// A first round with these chips before the seats, the blinds posted and no card dealt. Two seats at least have chips, `dealer` among
    /// them; chips need not add up to those of the game.
    pub fn round_with(&self, dealer: Seat, stacks: &[u32]) -> State {
        let mut start = State { round: u32::from(self.counts_rounds()), ..State::CLEARED };
        start.stacks[..stacks.len()].copy_from_slice(stacks);
        self.begin_round(&mut start, dealer);
        start
    }

    /// The actions `seat` may choose, as bits `1 << action`.
    #[inline]
    pub fn legal(&self, state: &State, seat: Seat) -> u8 {
        let (owe, stack, blind) = (state.owe(seat), state.stacks[seat], self.blind(state));
        let when = |legal: bool, action: Action| u8::from(legal) << action as u8;
        when(true, Action::Fold)
            | when(owe == 0, Action::Check)
            | when(state.bet == 0 && stack > blind, Action::Bet)
            | when(owe > 0 && stack > owe, Action::Call)
            | when(state.bet > 0 && stack > owe + blind, Action::Raise)
            | when(stack > 0, Action::AllIn)
    }

    /// How many chips an action puts in.
    #[inline]
    pub(super) fn price(&self, state: &State, seat: Seat, action: Action) -> u32 {
        match action {
            Action::Fold | Action::Check => 0,
            Action::Bet => self.blind(state),
            Action::Call => state.owe(seat),
            Action::Raise => state.owe(seat) + self.blind(state),
            Action::AllIn => state.stacks[seat],
        }
    }

    /// Who posts the small blind and who the big one.
    #[inline]
    pub(super) fn blinds(&self, playing: Seats, dealer: Seat) -> (Seat, Seat) {
        let dealer_is_small = self.heads_up == HeadsUp::Casino && playing.count_ones() == 2;
        let small = if dealer_is_small { dealer } else { next_of(playing, dealer) };
        (small, next_of(playing, small))
    }

    /// Posts the blinds of the round whose number the state has.
    pub(super) fn begin_round(&self, state: &mut State, dealer: Seat) {
        let playing = state.with_chips();
        let (small, big) = self.blinds(playing, dealer);
        let blind = self.blind(state);
        state.dealer = dealer as u8;
        state.live = playing;
        state.put(small, state.stacks[small].min(blind / 2));
        state.put(big, state.stacks[big].min(blind));
        state.turn = Turn::Hole(small as u8);
    }

    /// Carries out an action, short of ending the round; returns whether the round has come to its end.
    #[inline]
    fn act(&self, state: &mut State, seat: Seat, action: Action) -> bool {
        debug_assert!(self.legal(state, seat) >> action as u8 & 1 == 1, "the action is legal");
        if action == Action::Fold {
            state.fold(seat);
        } else {
            state.put(seat, self.price(state, seat, action));
            state.acted |= bit(seat);
        }
        is_at_most_one(state.live) || self.go_on(state, seat)
    }

    /// Deals a card, short of ending the round; returns whether the round has come to its end.
    #[inline]
    fn deal(&self, state: &mut State, card: Card) -> bool {
        debug_assert!(state.deck.contains(card), "the card is in the deck");
        state.deck.remove(card);
        match state.turn {
            Turn::Hole(seat) => self.deal_hole(state, seat.into(), card),
            _ => self.deal_board(state, card),
        }
    }

    #[inline]
    fn deal_hole(&self, state: &mut State, seat: Seat, card: Card) -> bool {
        state.holes[seat].insert(card);
        let playing = state.live; // nobody folds before the cards are dealt
        let next = next_of(playing, seat);
        if state.holes[next].len() < 2 {
            state.turn = Turn::Hole(next as u8);
            return false;
        }
        let (_, big) = self.blinds(playing, state.dealer.into());
        self.go_on(state, big)
    }

    #[inline]
    fn deal_board(&self, state: &mut State, card: Card) -> bool {
        state.board.insert(card);
        state.board.len() >= 3 && self.go_on(state, state.dealer.into())
    }

    /// Finds who acts after seat `after`, or what else happens when nobody does; returns whether the round is over.
    #[inline]
    fn go_on(&self, state: &mut State, after: Seat) -> bool {
        let able = state.able();
        if !state.betting_is_over(able) {
            state.acted &= able;
            state.turn = Turn::Act(next_of(able, after) as u8);
            return false;
        }
        if state.board.len() < 5 {
            state.bets = [0; MAX_SEATS];
            state.bet = 0;
            state.acted = 0;
            state.turn = Turn::Board;
            return false;
        }
        true
    }

    /// Pays the pots and begins the next round, if there is one.
    fn end_round(&self, state: &mut State) {
        pots::return_uncalled(&mut state.staked[..self.n_seats], &mut state.stacks);
        let won = state.winnings();
        let (round, dealer) = (state.round, state.dealer);
        let mut stacks = state.stacks;
        stacks[..self.n_seats].iter_mut().zip(won).for_each(|(stack, won)| *stack += won);
        *state = State::CLEARED;
        state.stacks = stacks;

        let left = state.with_chips();
        let was_last = self.rounds > 0 && round == self.rounds;
        if left.count_ones() > 1 && !was_last {
            state.round = if self.counts_rounds() { (round + 1).min(self.most_rounds()) } else { 0 };
            self.begin_round(state, next_of(left, dealer.into()));
        }
    }

    /// The table at the end of a round, with the hands that nobody showed removed and no pot paid yet.
    fn shown(&self, mut table: State) -> State {
        pots::return_uncalled(&mut table.staked, &mut table.stacks);
        for seat in 0..MAX_SEATS {
            if !table.has_showdown() || table.live >> seat & 1 == 0 {
                table.holes[seat] = CardSet::EMPTY;
            }
        }
        let over = State { turn: Turn::Over, acted: 0, bets: [0; MAX_SEATS], ..table };
        self.recomputed(&over)
    }
}

impl State {
    /// The table between two rounds, and without chips.
    pub(super) const CLEARED: State = State {
        round: 0,
        dealer: 0,
        turn: Turn::Over,
        live: 0,
        acted: 0,
        stacks: [0; MAX_SEATS],
        bets: [0; MAX_SEATS],
        staked: [0; MAX_SEATS],
        bet: 0,
        board: CardSet::EMPTY,
        holes: [CardSet::EMPTY; MAX_SEATS],
        deck: CardSet::DECK,
    };
}

impl Game for Poker {
    type State = State;
    type Action = Action;
    type Outcome = Card;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::IMPERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        let chips = f64::from(self.chips);
        Facts {
            n_seats: self.n_seats,
            chance: true,
            hidden: true,
            simultaneous: false,
            path_dependent: false,
            payoff_sum: Some(0.0),
            payoff_range: Some((-chips, chips * (self.n_seats - 1) as f64)),
            draws: true,
        }
    }

    fn initial_state(&self) -> State {
        let mut state = State { round: u32::from(self.counts_rounds()), ..State::CLEARED };
        state.stacks[..self.n_seats].fill(self.chips);
        self.begin_round(&mut state, 0);
        state
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.turn {
            Turn::Act(seat) => Phase::seat(seat.into()),
            Turn::Hole(_) | Turn::Board => Phase::Chance,
            Turn::Over => Phase::Over,
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        let legal = self.legal(state, seat);
        actions.extend(ACTIONS.into_iter().filter(|&action| legal >> action as u8 & 1 == 1));
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        if self.act(state, seat, action) {
            self.end_round(state);
        }
    }

    // A round that is broken off is void: every seat has what it began the round with.
    fn payoffs(&self, state: &State) -> Payoffs {
        let chips = |seat: Seat| f64::from(state.stacks[seat] + state.staked[seat]);
        Payoffs::new((0..self.n_seats).map(|seat| chips(seat) - f64::from(self.chips)))
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.with_chips().count_ones() == 1 { "last-standing" } else { "rounds" }
    }

    #[inline]
    fn count_actions(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        self.legal(state, seat).count_ones() as usize
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        ACTIONS[random::set_bit(rng, self.legal(state, seat).into()) as usize]
    }

    fn is_legal(&self, state: &State, seat: Seat, action: Action) -> bool {
        self.legal(state, seat) >> action as u8 & 1 == 1
    }

    fn recomputed(&self, state: &State) -> State {
        let dealt = state.holes.iter().fold(state.board, |dealt, &hole| dealt.union(hole));
        let bet = state.bets.iter().copied().max().unwrap_or(0);
        State { bet, deck: CardSet::DECK.minus(dealt), ..*state }
    }

    fn n_symmetries(&self) -> usize {
        SUIT_MAPS.len()
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let suits = SUIT_MAPS[symmetry];
        State {
            board: state.board.with_suits(suits),
            holes: state.holes.map(|hole| hole.with_suits(suits)),
            deck: state.deck.with_suits(suits),
            ..*state
        }
    }
}

/// Chance deals the cards.
impl Chance<Poker> for Card {
    fn list(_game: &Poker, state: &State, outcomes: &mut Vec<(Card, u64)>) {
        outcomes.extend(state.deck.iter().map(|card| (card, 1)));
    }

    #[inline]
    fn happen(self, game: &Poker, state: &mut State) {
        if game.deal(state, self) {
            game.end_round(state);
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(_game: &Poker, state: &State, rng: &mut R) -> Card {
        state.deck.choose(rng)
    }

    fn map(self, _game: &Poker, symmetry: usize) -> Card {
        self.with_suits(SUIT_MAPS[symmetry])
    }
}

impl Information for Poker {
    fn sees_outcome(&self, state: &State, _card: Card, viewer: Viewer) -> bool {
        match state.turn {
            Turn::Hole(seat) => viewer.is(seat.into()),
            _ => true,
        }
    }

    // All that a seat cannot see are the others' hole cards and the deck; every way to divide them is equally likely.
    fn determinize<R: Rng + ?Sized>(&self, state: &State, seat: Seat, rng: &mut R) -> State {
        let mut drawn = *state;
        let others = || (0..self.n_seats).filter(|&other| other != seat);
        for other in others() {
            drawn.deck = drawn.deck.union(state.holes[other]);
            drawn.holes[other] = CardSet::EMPTY;
        }
        for other in others() {
            for _ in 0..state.holes[other].len() {
                let card = drawn.deck.choose(rng);
                drawn.deck.remove(card);
                drawn.holes[other].insert(card);
            }
        }
        drawn
    }

    // Every card that the viewer has not seen is as likely as any other.
    fn expected_outcomes(&self, state: &State, viewer: Viewer, outcomes: &mut Vec<(Card, u64)>) {
        let hidden = (0..self.n_seats).filter(|&seat| !viewer.is(seat));
        let unseen = hidden.fold(state.deck, |unseen, seat| unseen.union(state.holes[seat]));
        outcomes.extend(unseen.iter().map(|card| (card, 1)));
    }

    fn aftermath(&self, state: &State, choice: Choice<Self>) -> Option<State> {
        let mut table = *state;
        let round_is_over = match choice {
            Choice::Action(seat, action) => self.act(&mut table, seat, action),
            Choice::Outcome(card) => self.deal(&mut table, card),
        };
        round_is_over.then(|| self.shown(table))
    }
}
