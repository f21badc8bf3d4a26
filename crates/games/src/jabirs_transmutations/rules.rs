//! State, legal actions, apply, payoffs.

use raichi_core::game::{Chance, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use super::board::{CARDS, Card, Die, EVENTS, Event, METALS, Metal, Product, Resource, TRANSMUTATIONS, Transmutation};

pub(super) const N_SEATS: usize = 3;
/// Tokens of a seat's colour, shared over the fourteen resources.
pub(super) const TOKENS: u8 = 28;
/// Cards dealt to each seat, and turns of the draft.
pub(super) const HAND: usize = 6;
/// Fire and water cards a seat may take into the next round.
pub(super) const MAX_SAVED: u8 = 3;
/// Points that end the game.
const SEVENTEEN: u32 = 17;
/// The least roll that succeeds.
const LEAST_SUCCESS: u8 = 3;

/// What each transmutation needs, in bytes as [`State::holdings`] has them, so that all are compared at once.
const NEEDED: [u128; TRANSMUTATIONS.len()] = {
    let mut needed = [0; TRANSMUTATIONS.len()];
    let mut number = 0;
    while number < TRANSMUTATIONS.len() {
        let Transmutation { reactants, card, .. } = &TRANSMUTATIONS[number];
        let mut nth = 0;
        while nth < reactants.len() {
            let (resource, n) = reactants[nth];
            needed[number] += (n as u128) << (8 * resource as u32);
            nth += 1;
        }
        if let Some(card) = *card {
            needed[number] += 1 << (8 * (14 + card as u32));
        }
        number += 1;
    }
    needed
};
/// The highest bit of every byte.
const HIGH_BITS: u128 = u128::from_ne_bytes([0x80; 16]);

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct JabirsTransmutations {
    /// Whether an eureka gives its elixir to all seats, not to the chooser alone.
    pub(super) eureka_for_all: bool,
    pub(super) max_rounds: u16,
    /// Whether all seats take their turns in Play at the same time, in steps.
    pub(super) together: bool,
}

/// Counts of cards, in the order of [`Card`].
pub(super) type Cards = [u8; 5];

/// Everything on the table, hidden cards included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) stage: Stage,
    /// Rounds completed; the starting seat follows from it.
    pub(super) round: u16,
    /// By seat and resource.
    pub(super) tokens: [[u8; 14]; N_SEATS],
    /// By seat and metal.
    pub(super) metals: [[u8; 2]; N_SEATS],
    /// Fire and water, by seat; face up.
    pub(super) saved: [[u8; 2]; N_SEATS],
    /// What the seats whose turn in Play has not come yet have drafted; face up. Empty in other phases.
    pub(super) drafted: [Cards; N_SEATS],
    /// The event deck.
    pub(super) events: [u8; 5],
    /// The resource deck.
    pub(super) deck: Cards,
    pub(super) discard: Cards,
    /// The secrets of the draft.
    pub(super) draft: Draft,
    /// In Play, where turns are taken together.
    pub(super) step: Option<Step>,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Stage {
    /// An event card is turned.
    Event,
    /// The starting seat carries it out.
    Choice(Event),
    /// A card is dealt; so many have been.
    Deal(u8),
    /// The seats draft; so many turns are complete.
    Draft(u8),
    /// A seat transmutes.
    Play(u8),
    /// The seats choose what to do in this step.
    Together,
    /// A seat's transmutation waits for the die.
    Die(u8, u8),
    Over,
}

/// The hands that go round, and what has been picked from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Draft {
    /// Cards left, by the seat that the hand was dealt to.
    pub(super) hands: [Cards; N_SEATS],
    /// By seat and turn.
    pub(super) picks: [[Option<Card>; HAND]; N_SEATS],
    /// Cards of this deal that came before the discards were shuffled in; 0 when they were not, or before the first card.
    pub(super) n_old: u8,
    /// Of those, the ones in the hand that was being dealt just then. The seat that got it knows which they are.
    pub(super) old: Cards,
}

impl Draft {
    pub(super) const NONE: Draft =
        Draft { hands: [[0; 5]; N_SEATS], picks: [[None; HAND]; N_SEATS], n_old: 0, old: [0; 5] };
}

/// Where turns are taken together: who has ended its turn, and what the others have chosen. Their choices are secret until
/// the last one is made; then those that are left wait for a roll of the die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) chosen: [Option<Action>; N_SEATS],
    pub(super) ended: [bool; N_SEATS],
}

impl Step {
    pub(super) const FIRST: Step = Step { chosen: [None; N_SEATS], ended: [false; N_SEATS] };
}

/// The hand that `seat` holds in a turn of the draft, named by the seat it was dealt to.
#[inline]
pub(super) const fn held_hand(turn: u8, seat: Seat) -> usize {
    (seat + HAND - turn as usize) % N_SEATS
}

/// The seat that holds a hand in a turn of the draft.
#[inline]
pub(super) const fn holder(dealt_to: Seat, turn: usize) -> Seat {
    (dealt_to + turn) % N_SEATS
}

impl Draft {
    /// How many cards have been picked from a hand.
    pub(super) fn n_picks(&self, dealt_to: Seat) -> usize {
        (0..HAND).take_while(|&turn| self.picks[holder(dealt_to, turn)][turn].is_some()).count()
    }

    /// What was in a hand when so many cards had been picked from it.
    pub(super) fn hand_after(&self, dealt_to: Seat, n_picks: usize) -> Cards {
        let mut hand = self.hands[dealt_to];
        for turn in n_picks..HAND {
            if let Some(card) = self.picks[holder(dealt_to, turn)][turn] {
                hand[card as usize] += 1;
            }
        }
        hand
    }
}

impl State {
    /// How many cards of a hand were dealt before the discards were shuffled in.
    pub(super) fn n_old_of(&self, dealt_to: Seat) -> usize {
        let order = (dealt_to + N_SEATS - self.starter()) % N_SEATS;
        usize::from(self.draft.n_old).saturating_sub(order * HAND).min(HAND)
    }

    /// The hand that was being dealt when the discards were shuffled in.
    pub(super) fn split_hand(&self) -> Option<Seat> {
        (0..N_SEATS).find(|&dealt_to| (1..HAND).contains(&self.n_old_of(dealt_to)))
    }

    /// All cards of this deal that came before the discards were shuffled in; everybody knows them from the rest.
    pub(super) fn old_cards(&self) -> Cards {
        let mut old = self.draft.old;
        for dealt_to in (0..N_SEATS).filter(|&dealt_to| self.n_old_of(dealt_to) == HAND) {
            old.iter_mut().zip(self.draft.hand_after(dealt_to, 0)).for_each(|(old, n)| *old += n);
        }
        old
    }
}

/// What is read from outside.
impl State {
    /// A seat's tokens on a resource.
    pub fn tokens_of(&self, seat: Seat, resource: Resource) -> u8 {
        self.tokens[seat][resource as usize]
    }

    /// A seat's pieces of silver and of gold.
    pub fn metals_of(&self, seat: Seat) -> [u8; 2] {
        self.metals[seat]
    }

    /// A seat's saved cards of a kind that is saved.
    pub fn saved_by(&self, seat: Seat, card: Card) -> u8 {
        self.saved[seat].get(card as usize).copied().unwrap_or(0)
    }

    /// The cards of a kind that a seat has drafted and shown, and that wait for its turn.
    pub fn drafted_by(&self, seat: Seat, card: Card) -> u8 {
        self.drafted[seat][card as usize]
    }
}

/// What a seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// `eureka-hotness`
    Eureka(Resource),
    /// `explosion-tin`
    Explosion(Resource),
    /// `disaster-fire`
    Disaster(Card),
    /// `favor-lead`
    Favor(Resource),
    /// `steal-1-tin`: from that seat.
    Steal(u8, Resource),
    /// `no-event`
    NoEvent,
    /// `draft-fire`
    Draft(Card),
    /// One of the twelve, by its place in their list.
    Transmute(u8),
    /// `discard-fire`
    Discard(Card),
    /// `end`
    End,
}

/// What chance chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The event card that is turned.
    Event(Event),
    /// The card that is dealt.
    Card(Card),
    /// The roll, 1 to 6.
    Roll(u8),
}

impl State {
    #[inline]
    pub(super) fn starter(&self) -> Seat {
        usize::from(self.round) % N_SEATS
    }

    /// Tokens the seat has not on the board.
    #[inline]
    pub(super) fn supply(&self, seat: Seat) -> u8 {
        TOKENS - self.tokens[seat].iter().sum::<u8>()
    }

    pub(super) fn metal_left(&self, metal: Metal) -> u8 {
        METALS[metal as usize] - (0..N_SEATS).map(|seat| self.metals[seat][metal as usize]).sum::<u8>()
    }

    pub(super) fn points(&self, seat: Seat) -> u32 {
        let elixirs: u8 = Resource::ELIXIRS.iter().map(|&elixir| self.tokens[seat][elixir as usize]).sum();
        let [silver, gold] = self.metals[seat];
        u32::from(elixirs) + 3 * u32::from(silver) + 5 * u32::from(gold)
    }

    #[inline]
    pub(super) fn n_saved(&self, seat: Seat) -> u8 {
        self.saved[seat][0] + self.saved[seat][1]
    }

    /// The seat and turn of a dealt card's hand.
    #[inline]
    pub(super) fn dealt_to(&self, n_dealt: u8) -> usize {
        (self.starter() + usize::from(n_dealt) / HAND) % N_SEATS
    }

    #[inline]
    pub(super) fn has_picked(&self, turn: u8, seat: Seat) -> bool {
        self.draft.picks[seat][usize::from(turn)].is_some()
    }

    /// Where all act at the same time, in the draft and in a step: the seats that have not chosen yet.
    #[inline]
    pub(super) fn choosing(&self) -> SeatSet {
        match self.stage {
            Stage::Draft(turn) => (0..N_SEATS).filter(|&seat| !self.has_picked(turn, seat)).collect(),
            _ => self.choosing_together(),
        }
    }

    #[cold]
    fn choosing_together(&self) -> SeatSet {
        let Some(step) = self.step.as_ref().filter(|_| self.stage == Stage::Together) else {
            return SeatSet::default();
        };
        (0..N_SEATS).filter(|&seat| !step.ended[seat] && step.chosen[seat].is_none()).collect()
    }

    /// The seats in order of play in this round.
    pub(super) fn in_order(&self) -> [Seat; N_SEATS] {
        std::array::from_fn(|nth| (self.starter() + nth) % N_SEATS)
    }

    /// The hand that `seat` holds while cards are dealt or drafted.
    pub(super) fn held(&self, seat: Seat) -> &Cards {
        let turn = if let Stage::Draft(turn) = self.stage { turn } else { 0 };
        &self.draft.hands[held_hand(turn, seat)]
    }

    fn place(&mut self, seat: Seat, resource: Resource, n: u8) {
        self.tokens[seat][resource as usize] += n.min(self.supply(seat));
    }

    // Event phase

    fn start_round(&mut self) {
        if self.events == [0; 5] {
            self.events = EVENTS;
        }
        self.stage = Stage::Event;
    }

    fn explode(&mut self, resource: Resource) {
        for tokens in &mut self.tokens {
            tokens[resource as usize] /= 2;
        }
    }

    fn destroy(&mut self, card: Card) {
        for saved in &mut self.saved {
            self.discard[card as usize] += std::mem::take(&mut saved[card as usize]);
        }
    }

    fn steal(&mut self, seat: Seat, from: Seat, resource: Resource) {
        self.tokens[from][resource as usize] -= 1;
        self.tokens[seat][resource as usize] += 1;
    }

    // Draft phase

    /// Makes sure that the next card can be dealt.
    fn ready_to_deal(&mut self, n_dealt: u8) {
        self.stage = Stage::Deal(n_dealt);
        if self.deck == [0; 5] {
            self.deck = std::mem::take(&mut self.discard);
            self.draft.n_old = n_dealt;
            self.draft.old = self.draft.hands[self.dealt_to(n_dealt)];
        }
    }

    fn deal(&mut self, n_dealt: u8, card: Card) {
        self.deck[card as usize] -= 1;
        let seat = self.dealt_to(n_dealt);
        self.draft.hands[seat][card as usize] += 1;
        if usize::from(n_dealt) + 1 < N_SEATS * HAND {
            self.ready_to_deal(n_dealt + 1);
        } else {
            self.stage = Stage::Draft(0);
        }
    }

    #[inline]
    fn pick(&mut self, game: &JabirsTransmutations, turn: u8, seat: Seat, card: Card) {
        self.draft.hands[held_hand(turn, seat)][card as usize] -= 1;
        self.draft.picks[seat][usize::from(turn)] = Some(card);
        if (0..N_SEATS).all(|seat| self.has_picked(turn, seat)) {
            // The hands go to the next seats by the count of turns alone.
            self.stage = Stage::Draft(turn + 1);
            if usize::from(turn) + 1 == HAND {
                self.reveal(game.together);
            }
        }
    }

    fn reveal(&mut self, together: bool) {
        for (drafted, picks) in self.drafted.iter_mut().zip(&self.draft.picks) {
            picks.iter().flatten().for_each(|&card| drafted[card as usize] += 1);
        }
        self.draft = Draft::NONE;
        if together {
            self.play_together();
        } else {
            self.start_turn(self.starter());
        }
    }

    #[cold]
    fn play_together(&mut self) {
        self.in_order().into_iter().for_each(|seat| self.take_drafted(seat));
        (self.stage, self.step) = (Stage::Together, Some(Step::FIRST));
    }

    // Play phase

    fn start_turn(&mut self, seat: Seat) {
        self.take_drafted(seat);
        self.stage = Stage::Play(seat as u8);
    }

    /// Primary cards become tokens, fire and water join the saved cards.
    fn take_drafted(&mut self, seat: Seat) {
        let drafted = std::mem::take(&mut self.drafted[seat]);
        for (card, resource) in Card::PRIMARY {
            self.place(seat, resource, drafted[card as usize]);
            self.discard[card as usize] += drafted[card as usize];
        }
        for card in Card::SAVED {
            self.saved[seat][card as usize] += drafted[card as usize];
        }
    }

    fn discard(&mut self, seat: Seat, card: Card) {
        self.saved[seat][card as usize] -= 1;
        self.discard[card as usize] += 1;
    }

    /// What `seat` holds: a byte for each resource, then one for fire cards and one for water cards. All are below 128.
    #[inline]
    fn holdings(&self, seat: Seat) -> u128 {
        let mut bytes = [0; 16];
        bytes[..14].copy_from_slice(&self.tokens[seat]);
        bytes[14..].copy_from_slice(&self.saved[seat]);
        u128::from_le_bytes(bytes)
    }

    pub(super) fn can_transmute(&self, seat: Seat, transmutation: &Transmutation) -> bool {
        let tokens = &self.tokens[seat];
        transmutation.reactants.iter().all(|&(resource, n)| tokens[resource as usize] >= n)
            && transmutation.card.is_none_or(|card| self.saved[seat][card as usize] > 0)
            && transmutation.metal().is_none_or(|metal| self.metal_left(metal) > 0)
    }

    fn transmute(&mut self, seat: Seat, number: u8) {
        let transmutation = &TRANSMUTATIONS[usize::from(number)];
        let rolls = match transmutation.die {
            Die::Risks(_) => true,
            Die::Adds(_) => {
                self.react(seat, transmutation);
                self.supply(seat) > 0
            }
            Die::No => {
                self.react(seat, transmutation);
                false
            }
        };
        if rolls {
            self.stage = Stage::Die(seat as u8, number);
        }
    }

    /// The reactants leave, then the products come.
    fn react(&mut self, seat: Seat, transmutation: &Transmutation) {
        for &(resource, n) in transmutation.reactants {
            self.tokens[seat][resource as usize] -= n;
        }
        if let Some(card) = transmutation.card {
            self.discard(seat, card);
        }
        for product in transmutation.products {
            match *product {
                Product::Token(resource) => self.place(seat, resource, 1),
                Product::Metal(metal) => self.metals[seat][metal as usize] += 1,
            }
        }
    }

    fn roll(&mut self, seat: Seat, number: u8, roll: u8) {
        let transmutation = &TRANSMUTATIONS[usize::from(number)];
        let succeeds = roll >= LEAST_SUCCESS;
        match transmutation.die {
            Die::Risks(_) if succeeds => self.react(seat, transmutation),
            Die::Risks(lost) => self.tokens[seat][lost as usize] -= 1,
            Die::Adds(product) if succeeds => self.place(seat, product, 1),
            Die::Adds(_) | Die::No => {}
        }
    }

    fn end_turn(&mut self, seat: Seat, max_rounds: u16) {
        let next = (seat + 1) % N_SEATS;
        if next != self.starter() { self.start_turn(next) } else { self.end_round(max_rounds) }
    }

    fn end_round(&mut self, max_rounds: u16) {
        self.round += 1;
        if self.seventeen() || self.round == max_rounds {
            self.stage = Stage::Over;
        } else {
            self.start_round();
        }
    }

    // Play phase, turns taken together

    /// Notes what a seat has chosen; returns whether the step is complete.
    pub(super) fn choose(&mut self, seat: Seat, action: Action) -> bool {
        let Some(step) = &mut self.step else { unreachable!("turns are taken together") };
        step.chosen[seat] = Some(action);
        self.choosing().is_empty()
    }

    /// Carries out what has been chosen in a complete step, in order of play, until a die is to be rolled or the step is
    /// over. What is no longer legal, since another seat has taken the last piece of a metal, does nothing.
    fn carry_out(&mut self, max_rounds: u16) {
        self.stage = Stage::Together;
        for seat in self.in_order() {
            let Some(step) = &mut self.step else { unreachable!("turns are taken together") };
            match step.chosen[seat].take() {
                Some(Action::End) => step.ended[seat] = true,
                Some(Action::Discard(card)) => self.discard(seat, card),
                Some(Action::Transmute(number)) if self.can_transmute(seat, &TRANSMUTATIONS[usize::from(number)]) => {
                    self.transmute(seat, number);
                    if self.stage != Stage::Together {
                        return;
                    }
                }
                _ => {}
            }
        }
        if self.step.is_some_and(|step| step.ended == [true; N_SEATS]) {
            self.step = None;
            self.end_round(max_rounds);
        }
    }

    pub(super) fn seventeen(&self) -> bool {
        (0..N_SEATS).any(|seat| self.points(seat) >= SEVENTEEN)
    }

    /// What seats are ranked by, most important first.
    fn rank(&self, seat: Seat) -> [u32; 4] {
        let [silver, gold] = self.metals[seat].map(u32::from);
        let tokens = self.tokens[seat].iter().map(|&n| u32::from(n)).sum();
        [self.points(seat), gold, silver, tokens]
    }

    /// What broke the tie where the best of the other seats has as many points as the winners.
    pub(super) fn tie_breaker(&self, winners: &[Seat]) -> Option<&'static str> {
        let best = self.rank(*winners.first()?);
        let next = (0..N_SEATS).filter(|seat| !winners.contains(seat)).map(|seat| self.rank(seat)).max()?;
        let differs = (0..best.len()).find(|&i| best[i] != next[i])?;
        [None, Some("gold"), Some("silver"), Some("tokens")][differs]
    }
}

impl JabirsTransmutations {
    #[cold]
    fn apply_together(&self, state: &mut State, seat: Seat, action: Action) {
        if state.choose(seat, action) {
            state.carry_out(self.max_rounds);
        }
    }
}

impl Game for JabirsTransmutations {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::IMPERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        Facts {
            n_seats: N_SEATS,
            chance: true,
            hidden: true,
            simultaneous: true,
            path_dependent: false,
            payoff_sum: Some(1.0),
            payoff_range: Some((0.0, 1.0)),
            draws: true,
        }
    }

    fn initial_state(&self) -> State {
        let mut tokens = [0; 14];
        for &resource in Resource::PRIMARY {
            tokens[resource as usize] = 1;
        }
        State {
            stage: Stage::Event,
            round: 0,
            tokens: [tokens; N_SEATS],
            metals: [[0; 2]; N_SEATS],
            saved: [[0; 2]; N_SEATS],
            drafted: [[0; 5]; N_SEATS],
            events: EVENTS,
            deck: CARDS,
            discard: [0; 5],
            draft: Draft::NONE,
            step: None,
        }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.stage {
            Stage::Event | Stage::Deal(_) | Stage::Die(..) => Phase::Chance,
            Stage::Choice(_) => Phase::seat(state.starter()),
            Stage::Draft(_) | Stage::Together => Phase::Act(state.choosing()),
            Stage::Play(seat) => Phase::seat(seat.into()),
            Stage::Over => Phase::Over,
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        match state.stage {
            Stage::Choice(event) => choices(state, seat, event, actions),
            Stage::Draft(_) => {
                let hand = state.held(seat);
                let kinds = Card::ALL.iter().copied().filter(|&card| hand[card as usize] > 0);
                actions.extend(kinds.map(Action::Draft));
            }
            Stage::Play(_) | Stage::Together => {
                let held = state.holdings(seat) | HIGH_BITS;
                for ((number, transmutation), needed) in (0..).zip(&TRANSMUTATIONS).zip(NEEDED) {
                    // A byte of what is held that is less than what is needed loses its high bit.
                    let has_all = (held - needed) & HIGH_BITS == HIGH_BITS;
                    let can_transmute =
                        has_all && transmutation.metal().is_none_or(|metal| state.metal_left(metal) > 0);
                    debug_assert_eq!(can_transmute, state.can_transmute(seat, transmutation), "{}", transmutation.name);
                    if can_transmute {
                        actions.push(Action::Transmute(number));
                    }
                }
                if state.n_saved(seat) <= MAX_SAVED {
                    actions.push(Action::End);
                } else {
                    let held = Card::SAVED.into_iter().filter(|&card| state.saved[seat][card as usize] > 0);
                    actions.extend(held.map(Action::Discard));
                }
            }
            Stage::Event | Stage::Deal(_) | Stage::Die(..) | Stage::Over => {}
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        if state.stage == Stage::Together {
            return self.apply_together(state, seat, action);
        }
        match action {
            Action::Eureka(elixir) if self.eureka_for_all => (0..N_SEATS).for_each(|seat| state.place(seat, elixir, 1)),
            Action::Eureka(elixir) => state.place(seat, elixir, 1),
            Action::Explosion(resource) => state.explode(resource),
            Action::Disaster(card) => state.destroy(card),
            Action::Favor(resource) => state.place(seat, resource, 2),
            Action::Steal(from, resource) => state.steal(seat, from.into(), resource),
            Action::NoEvent => {}
            Action::Draft(card) => {
                let Stage::Draft(turn) = state.stage else { unreachable!("cards are picked in the draft") };
                return state.pick(self, turn, seat, card);
            }
            Action::Transmute(number) => return state.transmute(seat, number),
            Action::Discard(card) => return state.discard(seat, card),
            Action::End => return state.end_turn(seat, self.max_rounds),
        }
        // The event is done.
        state.ready_to_deal(0);
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let best = (0..N_SEATS).map(|seat| state.rank(seat)).max();
        let winners: SeatSet = (0..N_SEATS).filter(|&seat| Some(state.rank(seat)) == best).collect();
        Payoffs::ranked(winners, N_SEATS)
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.seventeen() { "seventeen" } else { "rounds" }
    }
}

impl Chance<JabirsTransmutations> for Outcome {
    fn list(_game: &JabirsTransmutations, state: &State, outcomes: &mut Vec<(Outcome, u64)>) {
        let weighted = |&n: &u8| u64::from(n);
        match state.stage {
            Stage::Event => {
                let weights = state.events.iter().map(weighted);
                outcomes.extend(Event::ALL.iter().map(|&event| Outcome::Event(event)).zip(weights));
            }
            Stage::Deal(_) => {
                let weights = state.deck.iter().map(weighted);
                outcomes.extend(Card::ALL.iter().map(|&card| Outcome::Card(card)).zip(weights));
            }
            Stage::Die(..) => outcomes.extend((1..=6).map(|roll| (Outcome::Roll(roll), 1))),
            Stage::Choice(_) | Stage::Draft(_) | Stage::Play(_) | Stage::Together | Stage::Over => {}
        }
        outcomes.retain(|&(_, weight)| weight > 0);
    }

    #[inline]
    fn happen(self, game: &JabirsTransmutations, state: &mut State) {
        match (state.stage, self) {
            (Stage::Event, Outcome::Event(event)) => {
                state.events[event as usize] -= 1;
                state.stage = Stage::Choice(event);
            }
            (Stage::Deal(n_dealt), Outcome::Card(card)) => state.deal(n_dealt, card),
            (Stage::Die(seat, number), Outcome::Roll(roll)) => {
                state.roll(seat.into(), number, roll);
                if state.step.is_some() {
                    state.carry_out(game.max_rounds);
                } else {
                    state.stage = Stage::Play(seat);
                }
            }
            (stage, outcome) => unreachable!("{outcome:?} cannot happen in {stage:?}"),
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(_game: &JabirsTransmutations, state: &State, rng: &mut R) -> Outcome {
        match state.stage {
            Stage::Event => Outcome::Event(Event::ALL[random_kind(rng, &state.events)]),
            Stage::Deal(_) => Outcome::Card(Card::ALL[random_kind(rng, &state.deck)]),
            _ => Outcome::Roll(1 + random::index(rng, 6) as u8),
        }
    }
}

/// What the starting seat may do with the event.
fn choices(state: &State, seat: Seat, event: Event, actions: &mut Vec<Action>) {
    match event {
        Event::Eureka => actions.extend(Resource::ELIXIRS.iter().map(|&elixir| Action::Eureka(elixir))),
        Event::Explosion => actions.extend(Resource::ALL.iter().map(|&resource| Action::Explosion(resource))),
        Event::Disaster => actions.extend(Card::SAVED.map(Action::Disaster)),
        Event::Favor => actions.extend(Resource::PRIMARY.iter().map(|&resource| Action::Favor(resource))),
        Event::Steal => {
            let before = actions.len();
            if state.supply(seat) > 0 {
                for from in (0..N_SEATS).filter(|&from| from != seat) {
                    let there = Resource::STEALABLE.iter().filter(|&&one| state.tokens[from][one as usize] > 0);
                    actions.extend(there.map(|&resource| Action::Steal(from as u8, resource)));
                }
            }
            if actions.len() == before {
                actions.push(Action::NoEvent);
            }
        }
    }
}

/// A kind drawn by how many there are of each.
#[inline]
pub(super) fn random_kind<R: Rng + ?Sized>(rng: &mut R, counts: &[u8; 5]) -> usize {
    let total: u8 = counts.iter().sum();
    let mut left = random::index(rng, total.into()) as u8;
    for kind in 0..4 {
        if left < counts[kind] {
            return kind;
        }
        left -= counts[kind];
    }
    4
}
