//! State, legal actions, apply, payoffs: the seven steps of a round.

use arrayvec::ArrayVec;
use raichi_core::game::{Chance, Choice, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::cards::{BEST, Cards, make_natural, value};
use super::house::House;
use super::shoe::Shoe;
use crate::cards::{Card, SUIT_MAPS};

pub(super) const MAX_PLAYERS: usize = 7;
const MAX_SPLITS: usize = 3;
/// The most hands of one seat.
pub(super) const HANDS_EACH: usize = MAX_SPLITS + 1;
pub(super) const MAX_HANDS: usize = MAX_PLAYERS * HANDS_EACH;

/// The rules with their parameters.
#[derive(Clone, Debug)]
pub struct Blackjack {
    pub(super) n_seats: usize,
    /// What every seat starts with.
    pub(super) chips: u64,
    /// The wagers there are; even, in rising order.
    pub(super) bets: Vec<u32>,
    pub(super) rounds: u32,
    /// How many decks are shuffled together for a round; 0 is a card put back after each draw.
    pub(super) decks: u8,
    pub(super) house: House,
}

/// What a seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Place this wager.
    Bet(u32),
    /// Put in what insurance costs, against a natural of the dealer.
    Insurance,
    /// Decline insurance.
    NoInsurance,
    /// Draw no more for this hand.
    Stand,
    /// Draw a card.
    Hit,
    /// Double the wager, draw one card and stand.
    Double,
    /// Make two hands of two cards of one rank.
    Split,
    /// Give up the hand for half its wager.
    Surrender,
}

/// What can be done with a hand.
pub(super) const PLAYS: [Action; 5] = [Action::Stand, Action::Hit, Action::Double, Action::Split, Action::Surrender];

type PerSeat<T> = [T; MAX_PLAYERS];

/// A round in progress, or the end. While wagers are placed the table is empty.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// This round's number, from 1; 0 at an end that came because nobody could bet.
    pub(super) round: u32,
    pub(super) turn: Turn,
    /// What each seat has before it.
    pub(super) chips: PerSeat<u64>,
    /// What each seat has bet this round; 0 is nothing.
    pub(super) wagers: PerSeat<u32>,
    /// Seats that have taken insurance, as bits.
    pub(super) insured: u8,
    /// The hands seat by seat, each seat's in the order in which they are played.
    pub(super) hands: ArrayVec<Hand, MAX_HANDS>,
    /// The dealer's cards that lie face up.
    pub(super) dealer: Cards,
    /// The dealer's card that lies face down.
    pub(super) face_down: Option<Card>,
    pub(super) shoe: Shoe,
}

// Derived, `clone_from` would copy the room for all hands twice: it is most of a state, and mostly empty.
impl Clone for State {
    #[inline]
    fn clone(&self) -> State {
        State { hands: self.hands.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, source: &State) {
        let State { round, turn, chips, wagers, insured, ref hands, dealer, face_down, shoe } = *source;
        self.hands.clone_from(hands);
        (self.round, self.turn, self.chips, self.wagers, self.insured) = (round, turn, chips, wagers, insured);
        (self.dealer, self.face_down, self.shoe) = (dealer, face_down, shoe);
    }
}

/// A seat's hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Hand {
    pub(super) seat: u8,
    pub(super) wager: u32,
    pub(super) cards: Cards,
    pub(super) standing: Standing,
    /// Whether it is from a split, so that 21 in two cards is no natural.
    pub(super) of_split: bool,
}

/// What its seat has decided about a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Standing {
    Open,
    Stands,
    Doubled,
    Surrendered,
}

/// What happens next. Hands are named by their index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Turn {
    /// This seat places a wager.
    Bet(u8),
    /// The card of this number is dealt: one to each hand, one to the dealer, and the same again.
    Deal(u8),
    /// The seat of this hand is asked whether it wants insurance.
    Insurance(u8),
    /// This hand is played.
    Play(u8),
    /// This hand gets a card.
    Draw(u8),
    /// The dealer gets a card.
    Dealer,
    /// Nothing: the game is over.
    Over,
}

impl Hand {
    pub(super) fn new(seat: Seat, wager: u32) -> Hand {
        Hand { seat: seat as u8, wager, cards: Cards::default(), standing: Standing::Open, of_split: false }
    }

    /// Whose it is.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.seat.into()
    }

    /// Its cards.
    pub fn cards(&self) -> &Cards {
        &self.cards
    }

    /// What is bet on it, a second time included where it was doubled.
    pub fn wager(&self) -> u32 {
        self.wager
    }

    /// Whether its wager was doubled.
    pub fn is_doubled(&self) -> bool {
        self.standing == Standing::Doubled
    }

    /// Whether it is from a split.
    pub fn is_of_split(&self) -> bool {
        self.of_split
    }

    /// What was bet on it at first.
    pub(super) fn placed(&self) -> u32 {
        if self.standing == Standing::Doubled { self.wager / 2 } else { self.wager }
    }

    #[inline]
    pub(super) fn is_natural(&self) -> bool {
        !self.of_split && self.cards.are_natural()
    }

    #[inline]
    pub(super) fn is_bust(&self) -> bool {
        self.cards.count() > BEST
    }

    /// Whether nothing more is done with it.
    #[inline]
    pub(super) fn is_finished(&self) -> bool {
        self.standing != Standing::Open || self.cards.count() >= BEST
    }

    /// Whether its end depends on what the dealer draws.
    #[inline]
    pub(super) fn is_in_contest(&self) -> bool {
        self.standing != Standing::Surrendered && !self.is_bust() && !self.is_natural()
    }

    #[inline]
    pub(super) fn is_pair(&self) -> bool {
        matches!(*self.cards.as_slice(), [one, other] if one.rank() == other.rank())
    }
}

impl State {
    /// The hands on the table, seat by seat.
    pub fn hands(&self) -> &[Hand] {
        &self.hands
    }

    /// The dealer's cards that lie face up.
    pub fn dealer(&self) -> &Cards {
        &self.dealer
    }

    /// What each seat has before it.
    pub fn chips(&self) -> &[u64] {
        &self.chips
    }

    /// The cards not dealt yet.
    pub fn shoe(&self) -> &Shoe {
        &self.shoe
    }

    /// The hand that its seat is to play now.
    pub fn hand_in_play(&self) -> Option<&Hand> {
        if let Turn::Play(hand) = self.turn { self.hands.get(usize::from(hand)) } else { None }
    }

    /// How many there are of each value, ace first, of all cards that nobody has seen: those of the shoe, and the one that
    /// lies face down, whichever it is. One deck's where every card is put back.
    pub fn unseen(&self) -> [u16; 10] {
        let mut unseen = [0; 10];
        for card in Card::all() {
            unseen[usize::from(value(card)) - 1] += u16::from(self.shoe.copies(card));
        }
        if let Some(card) = self.face_down.filter(|_| self.shoe.n_left().is_some()) {
            unseen[usize::from(value(card)) - 1] += 1;
        }
        unseen
    }

    /// The hand that gets the next card.
    pub fn hand_to_draw(&self) -> Option<&Hand> {
        if let Turn::Draw(hand) = self.turn { self.hands.get(usize::from(hand)) } else { None }
    }

    /// This round's number, from 1; 0 at an end that came because nobody could bet.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Whether this is the table at the end of a round.
    pub(super) fn is_settled(&self) -> bool {
        self.turn == Turn::Over
    }

    /// What the dealer turned up first, once it lies there.
    pub(super) fn up(&self) -> Option<Card> {
        self.dealer.as_slice().first().copied()
    }

    /// The card that lies face down, where everybody knows it: if the shoe ran out, all others of it were seen.
    pub(super) fn known_face_down(&self) -> Option<Card> {
        self.face_down.filter(|_| self.shoe.was_refilled())
    }

    /// Whether a seat has taken insurance.
    pub fn is_insured(&self, seat: Seat) -> bool {
        self.insured >> seat & 1 == 1
    }

    #[inline]
    pub(super) fn can_pay(&self, hand: &Hand) -> bool {
        self.chips[hand.seat()] >= hand.wager.into()
    }

    #[inline]
    fn pay(&mut self, seat: Seat, chips: u32) {
        self.chips[seat] -= u64::from(chips);
    }

    #[inline]
    fn receive(&mut self, seat: Seat, chips: u32) {
        self.chips[seat] += u64::from(chips);
    }

    /// How often a seat has split this round.
    #[inline]
    pub(super) fn n_splits(&self, seat: u8) -> usize {
        self.hands.iter().filter(|hand| hand.seat == seat).count() - 1
    }
}

impl Blackjack {
    /// The wagers there are, in rising order.
    pub fn bets(&self) -> &[u32] {
        &self.bets
    }

    /// How many decks a shoe has; 0 is a card put back after each draw.
    pub fn decks(&self) -> u8 {
        self.decks
    }

    /// How many rounds are played.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// What the house does its own way.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// What a seat has put in for insurance this round; 0 is nothing.
    pub fn insurance(&self, state: &State, seat: Seat) -> u32 {
        let cost = self.house.insurance_cost(state.wagers[seat]).filter(|_| state.is_insured(seat));
        cost.unwrap_or(0)
    }

    /// Whether the seat of a hand is asked about insurance, when its turn for that comes.
    #[inline]
    pub(super) fn can_insure(&self, state: &State, hand: &Hand) -> bool {
        self.house.insurance_cost(hand.wager).is_some_and(|cost| state.chips[hand.seat()] >= cost.into())
    }

    /// Whether the dealer has looked at its card and everybody knows that it makes no natural.
    pub(super) fn peeked(&self, state: &State) -> bool {
        let looks = self.house.peeks && state.up().is_some_and(|up| matches!(value(up), 1 | 10));
        looks && state.face_down.is_some() && !matches!(state.turn, Turn::Insurance(_))
    }

    /// Whether the dealer is to draw: something depends on it, and its cards are not enough. A natural counts 21, so that
    /// nothing is drawn to it.
    #[inline]
    pub(super) fn dealer_draws(&self, state: &State) -> bool {
        self.house.dealer_draws(&state.dealer) && state.hands.iter().any(Hand::is_in_contest)
    }

    /// What comes back for a hand once the dealer has finished, the wager included; of a surrendered hand half has come back
    /// before.
    #[inline]
    pub(super) fn returned(&self, hand: &Hand, dealer: &Cards) -> u32 {
        if hand.standing == Standing::Surrendered || hand.is_bust() {
            return 0;
        }
        match (hand.is_natural(), dealer.are_natural()) {
            (true, true) => hand.wager,
            (true, false) => hand.wager + self.house.natural_wins(hand.wager),
            (false, true) => 0,
            (false, false) if dealer.count() > BEST || dealer.count() < hand.cards.count() => 2 * hand.wager,
            (false, false) if dealer.count() == hand.cards.count() => hand.wager,
            (false, false) => 0,
        }
    }

    /// What may be done with a hand, as bits by the order of [`PLAYS`].
    #[inline]
    fn plays(&self, state: &State, hand: u8) -> u64 {
        let hand = &state.hands[usize::from(hand)];
        if hand.cards.len() != 2 {
            return 0b00011;
        }
        let can_pay = state.can_pay(hand);
        let may_double = can_pay && (self.house.doubles_splits || !hand.of_split);
        let may_split = can_pay && hand.is_pair() && state.n_splits(hand.seat) < MAX_SPLITS;
        let may_surrender = self.house.surrender && !hand.of_split;
        0b00011 | u64::from(may_double) << 2 | u64::from(may_split) << 3 | u64::from(may_surrender) << 4
    }

    /// An empty table, and nobody with chips.
    pub(super) fn between_rounds(&self) -> State {
        State {
            round: 0,
            turn: Turn::Over,
            chips: [0; MAX_PLAYERS],
            wagers: [0; MAX_PLAYERS],
            insured: 0,
            hands: ArrayVec::new(),
            dealer: Cards::default(),
            face_down: None,
            shoe: Shoe::full(self.decks),
        }
    }

    /// The wagers that a seat can pay.
    #[inline]
    fn payable(&self, state: &State, seat: Seat) -> &[u32] {
        let n_payable = self.bets.iter().take_while(|&&bet| u64::from(bet) <= state.chips[seat]).count();
        &self.bets[..n_payable]
    }

    /// The first seat from `from` on that can place a wager.
    #[inline]
    fn bettor(&self, state: &State, from: Seat) -> Option<Seat> {
        (from..self.n_seats).find(|&seat| state.chips[seat] >= self.bets[0].into())
    }

    // Step 1.
    fn bet(&self, state: &mut State, seat: Seat, wager: u32) {
        state.pay(seat, wager);
        state.wagers[seat] = wager;
        match self.bettor(state, seat + 1) {
            Some(next) => state.turn = Turn::Bet(next as u8),
            None => {
                // In place: the room for all hands is most of a state.
                state.hands.clear();
                let bettors = (0..self.n_seats).filter(|&seat| state.wagers[seat] > 0);
                state.hands.extend(bettors.map(|seat| Hand::new(seat, state.wagers[seat])));
                state.turn = Turn::Deal(0);
            }
        }
    }

    // Steps 2 to 6 return whether the round has come to its end and is to be settled.

    /// Carries out an action, short of settling.
    #[inline]
    fn act(&self, state: &mut State, seat: Seat, action: Action) -> bool {
        match (state.turn, action) {
            (_, Action::Bet(wager)) => {
                self.bet(state, seat, wager);
                false
            }
            (Turn::Insurance(hand), _) => {
                if action == Action::Insurance {
                    state.insured |= 1 << seat;
                    state.pay(seat, self.insurance(state, seat));
                }
                self.offer_insurance(state, hand + 1)
            }
            (Turn::Play(hand), _) => self.play(state, hand, action),
            _ => {
                debug_assert!(false, "a seat is to act");
                false
            }
        }
    }

    /// Deals a card, short of settling.
    #[inline]
    fn give(&self, state: &mut State, card: Card) -> bool {
        state.shoe.take(card);
        match state.turn {
            Turn::Deal(nth) => self.deal(state, nth, card),
            Turn::Draw(hand) => {
                state.hands[usize::from(hand)].cards.push(card);
                self.play_from(state, hand)
            }
            _ => {
                state.dealer.push(card);
                self.dealer_plays(state)
            }
        }
    }

    // Step 2.
    #[inline]
    fn deal(&self, state: &mut State, nth: u8, card: Card) -> bool {
        let n_hands = state.hands.len();
        let twice_round = 2 * (n_hands + 1);
        match usize::from(nth) {
            nth if nth + 1 == twice_round => state.face_down = Some(card),
            nth if nth == n_hands => state.dealer.push(card),
            nth => state.hands[nth % (n_hands + 1)].cards.push(card),
        }
        if state.face_down.is_none() {
            state.turn = Turn::Deal(nth + 1);
            false
        } else if state.up().is_some_and(|up| value(up) == 1) {
            self.offer_insurance(state, 0)
        } else {
            self.peek(state)
        }
    }

    // Step 3, from this hand on.
    fn offer_insurance(&self, state: &mut State, from: u8) -> bool {
        let is_asked = |&hand: &u8| self.can_insure(state, &state.hands[usize::from(hand)]);
        match (from..state.hands.len() as u8).find(is_asked) {
            Some(hand) => {
                state.turn = Turn::Insurance(hand);
                false
            }
            None => self.peek(state),
        }
    }

    // Step 4, which falls away where the house has it so.
    #[inline]
    fn peek(&self, state: &mut State) -> bool {
        let cards = state.up().zip(state.face_down).filter(|_| self.house.peeks);
        if cards.is_some_and(|(up, face_down)| make_natural(up, face_down)) {
            self.dealer_plays(state)
        } else {
            self.play_from(state, 0)
        }
    }

    // Step 5: finds the first hand from this one on with which something is to happen.
    #[inline]
    fn play_from(&self, state: &mut State, from: u8) -> bool {
        for index in from..state.hands.len() as u8 {
            let hand = &state.hands[usize::from(index)];
            if hand.cards.len() == 1 {
                state.turn = Turn::Draw(index);
                return false;
            }
            if !hand.is_finished() {
                state.turn = Turn::Play(index);
                return false;
            }
        }
        self.dealer_plays(state)
    }

    #[inline]
    fn play(&self, state: &mut State, index: u8, action: Action) -> bool {
        let at = usize::from(index);
        let Hand { wager, .. } = state.hands[at];
        let seat = state.hands[at].seat();
        match action {
            Action::Stand => state.hands[at].standing = Standing::Stands,
            Action::Hit => {}
            Action::Double => {
                state.pay(seat, wager);
                state.hands[at].wager = 2 * wager;
                state.hands[at].standing = Standing::Doubled;
            }
            Action::Split => {
                state.pay(seat, wager);
                let mut new = Hand { of_split: true, ..Hand::new(seat, wager) };
                new.cards.push(state.hands[at].cards.pop());
                state.hands[at].of_split = true;
                state.hands.insert(at + 1, new);
            }
            Action::Surrender => {
                state.receive(seat, wager / 2);
                state.hands[at].standing = Standing::Surrendered;
            }
            Action::Bet(_) | Action::Insurance | Action::NoInsurance => debug_assert!(false, "no play of a hand"),
        }
        match action {
            Action::Hit | Action::Double | Action::Split => {
                state.turn = Turn::Draw(index);
                false
            }
            _ => self.play_from(state, index + 1),
        }
    }

    // Step 6.
    #[inline]
    fn dealer_plays(&self, state: &mut State) -> bool {
        if let Some(card) = state.face_down.take() {
            state.dealer.push(card);
        }
        if self.dealer_draws(state) {
            state.turn = Turn::Dealer;
            return false;
        }
        true
    }

    // Step 7, and the next round, if there is one, with an empty table.
    #[inline]
    fn settle(&self, state: &mut State) {
        for index in 0..state.hands.len() {
            let hand = &state.hands[index];
            state.chips[hand.seat()] += u64::from(self.returned(hand, &state.dealer));
        }
        if state.insured != 0 && state.dealer.are_natural() {
            for seat in 0..self.n_seats {
                state.chips[seat] += 3 * u64::from(self.insurance(state, seat));
            }
        }
        state.wagers = [0; MAX_PLAYERS];
        state.insured = 0;
        state.hands.clear();
        state.dealer = Cards::default();
        state.shoe = Shoe::full(self.decks);
        state.turn = match self.bettor(state, 0) {
            Some(first) if state.round < self.rounds => {
                state.round += 1;
                Turn::Bet(first as u8)
            }
            _ => {
                if state.round < self.rounds {
                    state.round = 0;
                }
                Turn::Over
            }
        };
    }

    /// What a seat began the round with: its chips, and all that it has put in without getting it back.
    pub(super) fn began_with(&self, state: &State, seat: Seat) -> u64 {
        let put_in = |hand: &Hand| hand.wager / if hand.standing == Standing::Surrendered { 2 } else { 1 };
        let hands = state.hands.iter().filter(|hand| hand.seat() == seat);
        let on_hands = match state.turn {
            Turn::Bet(_) => state.wagers[seat].into(),
            _ => hands.map(|hand| u64::from(put_in(hand))).sum::<u64>(),
        };
        state.chips[seat] + on_hands + u64::from(self.insurance(state, seat))
    }
}

impl Game for Blackjack {
    type State = State;
    type Action = Action;
    type Outcome = Card;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::IMPERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        Facts {
            n_seats: self.n_seats,
            chance: true,
            hidden: true,
            simultaneous: false,
            path_dependent: false,
            payoff_sum: None,
            payoff_range: None,
            draws: true,
        }
    }

    fn initial_state(&self) -> State {
        let mut state = State { round: 1, turn: Turn::Bet(0), ..self.between_rounds() };
        state.chips[..self.n_seats].fill(self.chips);
        state
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.turn {
            Turn::Bet(seat) => Phase::seat(seat.into()),
            Turn::Insurance(hand) | Turn::Play(hand) => Phase::seat(state.hands[usize::from(hand)].seat()),
            Turn::Deal(_) | Turn::Draw(_) | Turn::Dealer => Phase::Chance,
            Turn::Over => Phase::Over,
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        match state.turn {
            Turn::Bet(_) => actions.extend(self.payable(state, seat).iter().map(|&wager| Action::Bet(wager))),
            Turn::Insurance(_) => actions.extend([Action::Insurance, Action::NoInsurance]),
            Turn::Play(hand) => {
                let plays = self.plays(state, hand);
                actions
                    .extend(PLAYS.into_iter().enumerate().filter(|(i, _)| plays >> i & 1 == 1).map(|(_, play)| play));
            }
            Turn::Deal(_) | Turn::Draw(_) | Turn::Dealer | Turn::Over => {}
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "the action is legal");
        if self.act(state, seat, action) {
            self.settle(state);
        }
    }

    // A round that is broken off is void: every seat has what it began the round with.
    fn payoffs(&self, state: &State) -> Payoffs {
        let ends_with = |seat: Seat| self.began_with(state, seat) as f64;
        Payoffs::new((0..self.n_seats).map(|seat| ends_with(seat) - self.chips as f64))
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.round == self.rounds { "rounds" } else { "broke" }
    }

    #[inline]
    fn count_actions(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        match state.turn {
            Turn::Bet(_) => self.payable(state, seat).len(),
            Turn::Insurance(_) => 2,
            Turn::Play(hand) => self.plays(state, hand).count_ones() as usize,
            Turn::Deal(_) | Turn::Draw(_) | Turn::Dealer | Turn::Over => 0,
        }
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        match state.turn {
            Turn::Bet(_) => {
                let payable = self.payable(state, seat);
                Action::Bet(payable[random::index(rng, payable.len())])
            }
            Turn::Play(hand) => PLAYS[random::set_bit(rng, self.plays(state, hand)) as usize],
            _ => [Action::Insurance, Action::NoInsurance][random::index(rng, 2)],
        }
    }

    fn is_legal(&self, state: &State, seat: Seat, action: Action) -> bool {
        match (state.turn, action) {
            (Turn::Bet(_), Action::Bet(wager)) => self.payable(state, seat).contains(&wager),
            (Turn::Insurance(_), _) => matches!(action, Action::Insurance | Action::NoInsurance),
            (Turn::Play(hand), _) => {
                let play = PLAYS.into_iter().position(|play| play == action);
                play.is_some_and(|play| self.plays(state, hand) >> play & 1 == 1)
            }
            _ => false,
        }
    }

    fn recomputed(&self, state: &State) -> State {
        let anew = |cards: &Cards| cards.as_slice().iter().copied().collect::<Cards>();
        let hands: ArrayVec<Hand, MAX_HANDS> =
            state.hands.iter().map(|hand| Hand { cards: anew(&hand.cards), ..*hand }).collect();
        let dealer = anew(&state.dealer);
        let dealt = hands.iter().map(|hand| &hand.cards).chain([&dealer]).flat_map(|cards| cards.as_slice().iter());
        let shoe = state.shoe.without(dealt.copied().chain(state.face_down));
        State { hands, dealer, shoe, ..state.clone() }
    }

    fn n_symmetries(&self) -> usize {
        SUIT_MAPS.len()
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let suits = SUIT_MAPS[symmetry];
        let map = |cards: &Cards| cards.as_slice().iter().map(|card| card.with_suits(suits)).collect::<Cards>();
        State {
            hands: state.hands.iter().map(|hand| Hand { cards: map(&hand.cards), ..*hand }).collect(),
            dealer: map(&state.dealer),
            face_down: state.face_down.map(|card| card.with_suits(suits)),
            shoe: state.shoe.with_suits(suits),
            ..state.clone()
        }
    }
}

/// Chance deals the cards.
impl Chance<Blackjack> for Card {
    fn list(_game: &Blackjack, state: &State, outcomes: &mut Vec<(Card, u64)>) {
        let copies = Card::all().map(|card| (card, u64::from(state.shoe.copies(card))));
        outcomes.extend(copies.filter(|&(_, copies)| copies > 0));
    }

    #[inline]
    fn happen(self, game: &Blackjack, state: &mut State) {
        if game.give(state, self) {
            game.settle(state);
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(_game: &Blackjack, state: &State, rng: &mut R) -> Card {
        state.shoe.draw(rng)
    }

    fn map(self, _game: &Blackjack, symmetry: usize) -> Card {
        self.with_suits(SUIT_MAPS[symmetry])
    }
}

impl Information for Blackjack {
    // Of the card that is dealt face down everybody sees the back.
    fn sees_outcome(&self, state: &State, _card: Card, viewer: Viewer) -> bool {
        let face_down = state.hands.len() * 2 + 1;
        viewer == Viewer::Referee || !matches!(state.turn, Turn::Deal(nth) if usize::from(nth) == face_down)
    }

    // The card that lies face down may be any that nobody has seen, each as likely as it has copies, but none that would
    // have made a natural when the dealer peeked. If the shoe ran out since, all others of it were seen.
    fn determinize<R: Rng + ?Sized>(&self, state: &State, _seat: Seat, rng: &mut R) -> State {
        let mut drawn = state.clone();
        let (Some(up), Some(face_down)) = (state.up(), state.face_down) else { return drawn };
        if state.known_face_down().is_some() {
            return drawn;
        }
        drawn.shoe.put_back(face_down);
        let card = loop {
            let card = drawn.shoe.draw(rng);
            if !(self.peeked(state) && make_natural(up, card)) {
                break card;
            }
        };
        drawn.shoe.take(card);
        drawn.face_down = Some(card);
        drawn
    }

    // A card c comes next with probability Σ P(f) (n(c) − [f = c]) / (N − 1), where n counts the N unseen cards and f, which
    // lies face down, is one of those M of them that it may be, each as likely: in proportion to n(c) (M − [c may be f]).
    fn expected_outcomes(&self, state: &State, viewer: Viewer, outcomes: &mut Vec<(Card, u64)>) {
        let (Some(up), Some(face_down)) = (state.up(), state.face_down) else { return self.outcomes(state, outcomes) };
        let tells_nothing = matches!(state.shoe.n_left(), None | Some(0)) || state.known_face_down().is_some();
        if tells_nothing || viewer == Viewer::Referee {
            return self.outcomes(state, outcomes);
        }
        let mut unseen = state.shoe;
        unseen.put_back(face_down);
        let may_be_face_down = |card: Card| !(self.peeked(state) && make_natural(up, card));
        let candidates = Card::all().filter(|&card| may_be_face_down(card));
        let n_candidates: u64 = candidates.map(|card| u64::from(unseen.copies(card))).sum();
        let weight = |card| u64::from(unseen.copies(card)) * (n_candidates - u64::from(may_be_face_down(card)));
        outcomes.extend(Card::all().map(|card| (card, weight(card))).filter(|&(_, weight)| weight > 0));
    }

    fn aftermath(&self, state: &State, choice: Choice<Self>) -> Option<State> {
        let mut table = state.clone();
        let round_is_over = match choice {
            Choice::Action(seat, action) => self.act(&mut table, seat, action),
            Choice::Outcome(card) => self.give(&mut table, card),
        };
        table.turn = Turn::Over;
        round_is_over.then_some(table)
    }
}
