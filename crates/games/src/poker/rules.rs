//! State, legal actions, apply, payoffs: blinds, dealing, betting, and how a round ends.

use std::hash::{Hash, Hasher};

use raichi_core::game::{Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{MAX_SEATS, Seat, Viewer};

use super::hands::{Strength, strength};
use super::pots;
use crate::cards::{Card, CardSet, SUIT_MAPS};

/// The rules with their parameters.
#[derive(Clone, Copy, Debug)]
pub struct Poker {
    pub(super) n_seats: usize,
    /// What every seat starts with.
    pub(super) chips: u32,
    /// The big blind, the step of every bet; even.
    pub(super) blind: u32,
    /// The most rounds played; 0 is no limit.
    pub(super) rounds: u32,
    pub(super) heads_up: HeadsUp,
}

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// This round's number, from 1.
    pub(super) round: u32,
    pub(super) dealer: u8,
    pub(super) turn: Turn,
    /// Seats that are dealt into the round and have not folded.
    pub(super) live: Seats,
    /// Seats that have acted since the bet was last increased.
    pub(super) acted: Seats,
    /// What each seat has before it.
    pub(super) stacks: PerSeat<u32>,
    /// What each seat has put in during this betting round.
    pub(super) bets: PerSeat<u32>,
    /// What each seat has put in during this round, `bets` included.
    pub(super) staked: PerSeat<u32>,
    /// The greatest of `bets`, kept along.
    pub(super) bet: u32,
    pub(super) board: Board,
    pub(super) holes: PerSeat<CardSet>,
    /// The cards not dealt yet, kept along.
    pub(super) deck: CardSet,
    /// What everybody saw of the end of the round before.
    pub(super) last: Option<RoundEnd>,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// The community cards, in the order in which they were dealt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Board {
    cards: [Card; 5],
    len: u8,
}

impl Board {
    pub(super) fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    fn push(&mut self, card: Card) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
    }

    fn set(&self) -> CardSet {
        self.cards().iter().copied().collect()
    }

    fn with_suits(mut self, map: [u8; 4]) -> Board {
        for card in &mut self.cards[..usize::from(self.len)] {
            *card = card.with_suits(map);
        }
        self
    }
}

/// What everybody saw of a round's end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct RoundEnd {
    pub(super) board: Board,
    /// The hands of those who contested a pot; empty for all others, and for everybody when all but one folded.
    pub(super) shown: PerSeat<CardSet>,
    /// What each seat took from the pots.
    pub(super) won: PerSeat<u32>,
}

impl RoundEnd {
    /// How strong a hand was that was shown.
    pub(super) fn strength(&self, seat: Seat) -> Option<Strength> {
        let shown = self.shown[seat];
        (!shown.is_empty()).then(|| strength(shown.union(self.board.set())))
    }
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
    fn with_chips(&self) -> Seats {
        (0..MAX_SEATS).filter(|&seat| self.stacks[seat] > 0).fold(0, |seats, seat| seats | bit(seat))
    }

    /// Seats neither folded nor all-in.
    #[inline]
    fn able(&self) -> Seats {
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
}

impl Poker {
    /// The actions `seat` may choose, as bits `1 << action`.
    #[inline]
    pub(super) fn legal(&self, state: &State, seat: Seat) -> u8 {
        let (owe, stack) = (state.owe(seat), state.stacks[seat]);
        let when = |legal: bool, action: Action| u8::from(legal) << action as u8;
        when(true, Action::Fold)
            | when(owe == 0, Action::Check)
            | when(state.bet == 0 && stack > self.blind, Action::Bet)
            | when(owe > 0 && stack > owe, Action::Call)
            | when(state.bet > 0 && stack > owe + self.blind, Action::Raise)
            | when(stack > 0, Action::AllIn)
    }

    /// How many chips an action puts in.
    #[inline]
    pub(super) fn price(&self, state: &State, seat: Seat, action: Action) -> u32 {
        match action {
            Action::Fold | Action::Check => 0,
            Action::Bet => self.blind,
            Action::Call => state.owe(seat),
            Action::Raise => state.owe(seat) + self.blind,
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

    fn begin_round(&self, state: &mut State, dealer: Seat) {
        let playing = state.with_chips();
        let (small, big) = self.blinds(playing, dealer);
        state.round += 1;
        state.dealer = dealer as u8;
        state.live = playing;
        state.put(small, state.stacks[small].min(self.blind / 2));
        state.put(big, state.stacks[big].min(self.blind));
        state.turn = Turn::Hole(small as u8);
    }

    fn deal_hole(&self, state: &mut State, seat: Seat, card: Card) {
        state.holes[seat].insert(card);
        let playing = state.live; // nobody folds before the cards are dealt
        let next = next_of(playing, seat);
        if state.holes[next].len() < 2 {
            state.turn = Turn::Hole(next as u8);
        } else {
            let (_, big) = self.blinds(playing, state.dealer.into());
            self.go_on(state, big);
        }
    }

    fn deal_board(&self, state: &mut State, card: Card) {
        state.board.push(card);
        if state.board.len >= 3 {
            self.go_on(state, state.dealer.into());
        }
    }

    /// Finds who acts after seat `after`, or what else happens when nobody does.
    #[inline]
    fn go_on(&self, state: &mut State, after: Seat) {
        let able = state.able();
        let betting_is_over = match able.count_ones() {
            0 => true,
            1 => state.owe(able.trailing_zeros() as Seat) == 0,
            // Whoever acted since the last increase has matched the bet.
            _ => able & !state.acted == 0,
        };
        if !betting_is_over {
            state.turn = Turn::Act(next_of(able, after) as u8);
        } else if state.board.len < 5 {
            state.bets = [0; MAX_SEATS];
            state.bet = 0;
            state.acted = 0;
            state.turn = Turn::Board;
        } else {
            self.end_round(state);
        }
    }

    /// Pays the pots and begins the next round, if there is one.
    fn end_round(&self, state: &mut State) {
        let showdown = state.live.count_ones() > 1;
        let mut end = RoundEnd { board: state.board, shown: [CardSet::EMPTY; MAX_SEATS], won: [0; MAX_SEATS] };
        pots::return_uncalled(&mut state.staked, &mut state.stacks);
        if showdown {
            let board = state.board.set();
            let mut strengths = [None; MAX_SEATS];
            for seat in (0..self.n_seats).filter(|&seat| state.live >> seat & 1 == 1) {
                end.shown[seat] = state.holes[seat];
                strengths[seat] = Some(strength(state.holes[seat].union(board)));
            }
            end.won = pots::share(&state.staked, &strengths, state.dealer.into());
        } else {
            end.won[state.live.trailing_zeros() as Seat] = state.staked.iter().sum();
        }
        for seat in 0..self.n_seats {
            state.stacks[seat] += end.won[seat];
        }
        *state = State { stacks: state.stacks, last: Some(end), ..cleared(state.round, state.dealer) };

        let left = state.with_chips();
        if left.count_ones() > 1 && state.round != self.rounds {
            self.begin_round(state, next_of(left, state.dealer.into()));
        }
    }
}

// The table after `round` rounds, without chips.
fn cleared(round: u32, dealer: u8) -> State {
    State {
        round,
        dealer,
        turn: Turn::Over,
        live: 0,
        acted: 0,
        stacks: [0; MAX_SEATS],
        bets: [0; MAX_SEATS],
        staked: [0; MAX_SEATS],
        bet: 0,
        board: Board::default(),
        holes: [CardSet::EMPTY; MAX_SEATS],
        deck: CardSet::DECK,
        last: None,
    }
}

impl Game for Poker {
    type State = State;
    type Action = Action;
    type Outcome = Card;

    fn facts(&self) -> Facts {
        let chips = f64::from(self.chips);
        Facts {
            n_seats: self.n_seats,
            chance: true,
            hidden: true,
            simultaneous: false,
            // Broken off at the cap, what folded seats have put in is lost and not yet won. With two seats a fold
            // ends the round.
            payoff_sum: (self.n_seats == 2).then_some(0.0),
            payoff_range: Some((-chips, chips * (self.n_seats - 1) as f64)),
        }
    }

    fn initial_state(&self) -> State {
        let mut state = cleared(0, 0);
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
        debug_assert!(self.legal(state, seat) >> action as u8 & 1 == 1, "the action is legal");
        if action == Action::Fold {
            state.live &= !bit(seat);
        } else {
            state.put(seat, self.price(state, seat, action));
            state.acted |= bit(seat);
        }
        if state.live.count_ones() == 1 {
            self.end_round(state);
        } else {
            self.go_on(state, seat);
        }
    }

    fn outcomes(&self, state: &State, outcomes: &mut Vec<(Card, u64)>) {
        outcomes.extend(state.deck.iter().map(|card| (card, 1)));
    }

    #[inline]
    fn apply_outcome(&self, state: &mut State, card: Card) {
        debug_assert!(state.deck.contains(card), "the card is in the deck");
        state.deck.remove(card);
        if let Turn::Hole(seat) = state.turn {
            self.deal_hole(state, seat.into(), card);
        } else {
            self.deal_board(state, card);
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        Payoffs::new((0..self.n_seats).map(|seat| {
            let given_back = if state.live >> seat & 1 == 1 { state.staked[seat] } else { 0 };
            f64::from(state.stacks[seat] + given_back) - f64::from(self.chips)
        }))
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

    #[inline]
    fn sample_outcome<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Card {
        state.deck.choose(rng)
    }

    // The round before, the order of the community cards and (without a limit) the number of the round decide nothing.
    fn key(&self, state: &State) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        let round = if self.rounds == 0 { 0 } else { state.round };
        (round, state.dealer, state.turn, state.live, state.acted).hash(&mut hasher);
        (state.stacks, state.bets, state.staked, state.holes, state.board.set()).hash(&mut hasher);
        random::mix(hasher.finish())
    }

    fn recomputed(&self, state: &State) -> State {
        let dealt = state.holes.iter().fold(state.board.set(), |dealt, &hole| dealt.union(hole));
        let bet = state.bets.iter().copied().max().unwrap_or(0);
        State { bet, deck: CardSet::DECK.minus(dealt), ..*state }
    }

    fn n_symmetries(&self) -> usize {
        SUIT_MAPS.len()
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let suits = SUIT_MAPS[symmetry];
        let last = state.last.map(|end| RoundEnd {
            board: end.board.with_suits(suits),
            shown: end.shown.map(|hand| hand.with_suits(suits)),
            won: end.won,
        });
        State {
            board: state.board.with_suits(suits),
            holes: state.holes.map(|hole| hole.with_suits(suits)),
            deck: state.deck.with_suits(suits),
            last,
            ..*state
        }
    }

    fn map_outcome(&self, symmetry: usize, card: Card) -> Card {
        card.with_suits(SUIT_MAPS[symmetry])
    }
}

impl Information for Poker {
    fn sees_outcome(&self, state: &State, _card: Card, viewer: Viewer) -> bool {
        match state.turn {
            Turn::Hole(seat) => viewer.is(seat.into()),
            _ => true,
        }
    }

    // All that a seat cannot see are the others' hole cards and the deck; every way to part them is equally likely.
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
}
