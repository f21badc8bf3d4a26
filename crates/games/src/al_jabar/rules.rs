//! State, legal actions, apply, outcomes, payoffs.

use std::sync::Arc;

use arrayvec::ArrayVec;
use raichi_core::game::{Chance, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use super::exchanges::{Exchange, Exchanges};
use super::group::{Colour, Group, Map};
use super::pieces::Pieces;
use super::sets::{MAX_LIMIT, MAX_SETS, Set, SetId, Sets, n_sets};

pub(super) const MAX_PLAYERS: usize = 4;

/// The rules.
#[derive(Clone, Debug)]
pub struct AlJabar {
    table: Arc<Table>,
    pub(super) players: u8,
    pub(super) copies: u8,
    pub(super) max_rounds: u32,
    pub(super) house: House,
}

/// What may differ from the published rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct House {
    /// How many pieces are dealt to each seat.
    pub hand: u16,
    /// How many pieces are given at most, and taken at most.
    pub limit: u8,
    /// Whether the spectrum may be given even where it is more than `limit` pieces.
    pub spectrum: bool,
    /// Whether a cancellation gives the other seats a zero each.
    pub gift: bool,
}

impl House {
    /// The published rules, which limit exchanges to as many pieces as there are moduli.
    pub fn published(group: &Group) -> House {
        House { hand: hand_size(group), limit: group.n_moduli() as u8, spectrum: true, gift: true }
    }
}

/// What the rules know of their group.
#[derive(Debug)]
struct Table {
    group: Group,
    sets: Sets,
    symmetries: Vec<Map>,
}

/// All pieces on the table, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) hands: [Pieces; MAX_PLAYERS],
    pub(super) center: Pieces,
    pub(super) bag: Pieces,
    pub(super) stage: Stage,
    /// The seat whose turn it is.
    pub(super) to_act: u8,
    /// Whether this round is the last.
    pub(super) signalled: bool,
    /// Rounds completed.
    pub(super) round: u32,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Stage {
    /// A piece is dealt; so many have been.
    Deal(u16),
    /// The seat acts.
    Turn {
        /// Whether it has drawn, kept only where it could else call the final round.
        drawn: bool,
    },
    /// The seat draws a piece.
    Draw,
    Over,
}

/// What a seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// `RYB>W`
    Exchange(Exchange),
    /// `draw`
    Draw,
    /// `pass`
    Pass,
    /// `final`
    Final,
}

/// How many pieces the source deals to each seat.
pub(super) fn hand_size(group: &Group) -> u16 {
    let exponent = u16::from(group.exponent());
    group.order() as u16 * exponent - exponent - 1
}

/// How many copies of each colour the bag needs to deal.
pub(super) fn least_copies(group: &Group, players: u8, hand: u16) -> u16 {
    (u16::from(players) * hand + 1).div_ceil(group.n_coloured() as u16)
}

impl AlJabar {
    /// The game in a group, with so many copies of each of its colours.
    ///
    /// # Panics
    /// When there are not 2 to 4 players, no round, not enough pieces to deal, or too many sets to give.
    pub fn new(players: u8, group: Group, copies: u8, max_rounds: u32, house: House) -> AlJabar {
        assert!((2..=MAX_PLAYERS).contains(&players.into()), "2 to 4 can play, not {players}");
        assert!(max_rounds > 0, "there is at least one round");
        let (least, limit) = (least_copies(&group, players, house.hand), usize::from(house.limit));
        assert!(u16::from(copies) >= least, "{copies} copies are too few to deal");
        assert!((1..=MAX_LIMIT).contains(&limit) && n_sets(group.order(), limit) <= MAX_SETS, "the limit is too high");
        let (sets, symmetries) = (Sets::new(&group, limit, house.spectrum), group.symmetries());
        AlJabar { table: Arc::new(Table { group, sets, symmetries }), players, copies, max_rounds, house }
    }

    #[inline]
    pub(super) fn group(&self) -> &Group {
        &self.table.group
    }

    #[inline]
    pub(super) fn sets(&self) -> &Sets {
        &self.table.sets
    }

    #[inline]
    pub(super) fn symmetry(&self, number: usize) -> &Map {
        &self.table.symmetries[number]
    }

    #[inline]
    pub(super) fn n_seats(&self) -> usize {
        self.players.into()
    }

    /// A table without pieces.
    pub(super) fn empty(&self) -> State {
        State {
            hands: [Pieces::default(); MAX_PLAYERS],
            center: Pieces::default(),
            bag: Pieces::default(),
            stage: Stage::Deal(0),
            to_act: 0,
            signalled: false,
            round: 0,
        }
    }

    #[inline]
    pub(super) fn exchanges(&self, state: &State, seat: Seat) -> Exchanges<'_> {
        Exchanges::new(self.sets(), &state.hands[seat], &state.center)
    }

    /// The seat that the next piece is dealt to; none is the Center.
    #[inline]
    pub(super) fn dealt_to(&self, n_dealt: u16) -> Option<Seat> {
        Some(usize::from(n_dealt / self.house.hand)).filter(|&seat| seat < self.n_seats())
    }

    /// The legal actions besides exchanges.
    #[inline]
    pub(super) fn words(&self, state: &State, seat: Seat, has_exchange: bool) -> ArrayVec<Action, 3> {
        let mut words = ArrayVec::new();
        let can_draw = !state.bag.is_empty();
        if can_draw {
            words.push(Action::Draw);
        }
        if state.signalled || !has_exchange && !can_draw {
            words.push(Action::Pass);
        }
        if self.may_signal(state, seat) {
            words.push(Action::Final);
        }
        words
    }

    /// Whether `final` is legal.
    #[inline]
    pub(super) fn may_signal(&self, state: &State, seat: Seat) -> bool {
        state.stage == Stage::Turn { drawn: false } && self.could_signal(state, seat)
    }

    /// Whether `final` would be legal as the first action of a turn.
    #[inline]
    pub(super) fn could_signal(&self, state: &State, seat: Seat) -> bool {
        !state.signalled && usize::from(state.hands[seat].len()) <= self.group().n_moduli()
    }

    fn exchange(&self, state: &mut State, seat: Seat, Exchange { give, take }: Exchange) {
        let (give, take) = (self.sets().get(give), self.sets().get(take));
        for &colour in give {
            state.hands[seat].remove(colour, 1);
        }
        for &colour in take {
            state.center.remove(colour, 1);
            state.hands[seat].add(colour, 1);
        }
        for &colour in give {
            state.center.add(colour, 1);
        }
        self.cancel(state, seat, give);
    }

    /// Only what was given can have become enough to cancel.
    fn cancel(&self, state: &mut State, seat: Seat, give: &[Colour]) {
        let exponent = u16::from(self.group().exponent());
        for alike in give.chunk_by(PartialEq::eq).filter(|alike| alike[0] != Colour::ZERO) {
            let n = state.center.count(alike[0]) / exponent;
            state.center.remove(alike[0], n * exponent);
            state.center.add(Colour::ZERO, n);
            if self.house.gift && alike.len() < usize::from(exponent) {
                let others = (0..self.n_seats()).filter(|&other| other != seat);
                others.for_each(|other| state.hands[other].add(Colour::ZERO, n));
            }
        }
    }

    fn end_turn(&self, state: &mut State, seat: Seat) {
        state.signalled |= state.hands[seat].len() == 1;
        state.stage = Stage::Turn { drawn: false };
        state.to_act += 1;
        if state.to_act == self.players {
            state.to_act = 0;
            state.round += 1;
            if state.signalled || state.round == self.max_rounds {
                state.stage = Stage::Over;
            }
        }
    }

    fn map_set(&self, map: &Map, set: SetId) -> SetId {
        let mut image: Set = self.sets().get(set).iter().map(|colour| map[colour.index()]).collect();
        image.sort();
        self.sets().find(&image).expect("symmetries keep the numbers of pieces, and the spectrum")
    }
}

/// What is read from outside.
impl State {
    /// How many pieces a seat holds.
    pub fn hand_len(&self, seat: Seat) -> u16 {
        self.hands[seat].len()
    }

    /// How many pieces are in the bag.
    pub fn bag_len(&self) -> u16 {
        self.bag.len()
    }

    /// Whether this round is the last.
    pub fn is_signalled(&self) -> bool {
        self.signalled
    }

    /// How many rounds are completed.
    pub fn n_rounds(&self) -> u32 {
        self.round
    }
}

impl AlJabar {
    /// After how many rounds the game ends at the latest.
    pub fn max_rounds(&self) -> u32 {
        self.max_rounds
    }

    /// How many pieces more an exchange gives than it takes.
    pub fn pieces_less(&self, Exchange { give, take }: Exchange) -> i16 {
        self.sets().get(give).len() as i16 - self.sets().get(take).len() as i16
    }

    /// The most that an exchange of a seat gives more than it takes; 0 where none gives more.
    pub fn best_exchange(&self, state: &State, seat: Seat) -> i16 {
        let mut most = 0;
        self.exchanges(state, seat).for_each(|exchange| most = most.max(self.pieces_less(exchange)));
        most
    }
}

impl Game for AlJabar {
    type State = State;
    type Action = Action;
    type Outcome = Colour;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::PERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        let (payoff_sum, payoff_range) = match self.players {
            2 => (Some(0.0), Some((-1.0, 1.0))),
            _ => (Some(1.0), Some((0.0, 1.0))),
        };
        Facts {
            n_seats: self.n_seats(),
            chance: true,
            hidden: false,
            simultaneous: false,
            path_dependent: false,
            payoff_sum,
            payoff_range,
            draws: true,
        }
    }

    fn initial_state(&self) -> State {
        let mut state = self.empty();
        self.group().coloured().for_each(|colour| state.bag.add(colour, self.copies.into()));
        state.center.add(Colour::ZERO, 1);
        state
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.stage {
            Stage::Deal(_) | Stage::Draw => Phase::Chance,
            Stage::Turn { .. } => Phase::seat(state.to_act.into()),
            Stage::Over => Phase::Over,
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        let before = actions.len();
        self.exchanges(state, seat).for_each(|exchange| actions.push(Action::Exchange(exchange)));
        let has_exchange = actions.len() > before;
        actions.extend(self.words(state, seat, has_exchange));
    }

    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        match action {
            Action::Exchange(exchange) => {
                self.exchange(state, seat, exchange);
                self.end_turn(state, seat);
            }
            Action::Draw => state.stage = Stage::Draw,
            Action::Pass => self.end_turn(state, seat),
            Action::Final => state.signalled = true,
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let hands = &state.hands[..self.n_seats()];
        let fewest = hands.iter().map(Pieces::len).min().expect("two play at least");
        let winners = (0..self.n_seats()).filter(|&seat| hands[seat].len() == fewest);
        Payoffs::ranked(winners.collect(), self.n_seats())
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.signalled { "final-round" } else { "rounds" }
    }

    fn count_actions(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        let n_exchanges = self.exchanges(state, seat).tally().total;
        n_exchanges + self.words(state, seat, n_exchanges > 0).len()
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        let exchanges = self.exchanges(state, seat);
        let tally = exchanges.tally();
        let words = self.words(state, seat, tally.total > 0);
        let drawn = random::index(rng, tally.total + words.len());
        match words.get(drawn) {
            Some(&word) => word,
            None => Action::Exchange(exchanges.nth(&tally, drawn - words.len())),
        }
    }

    fn is_legal(&self, state: &State, seat: Seat, action: Action) -> bool {
        let exchanges = self.exchanges(state, seat);
        match action {
            Action::Exchange(exchange) => exchanges.contains(exchange),
            Action::Draw => !state.bag.is_empty(),
            Action::Pass => state.signalled || state.bag.is_empty() && exchanges.tally().total == 0,
            Action::Final => self.may_signal(state, seat),
        }
    }

    fn n_symmetries(&self) -> usize {
        self.table.symmetries.len()
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let map = |pieces: &Pieces| pieces.map(self.symmetry(symmetry));
        let hands = state.hands.each_ref().map(map);
        State { hands, center: map(&state.center), bag: map(&state.bag), ..*state }
    }

    fn map_action(&self, symmetry: usize, action: Action) -> Action {
        let Action::Exchange(Exchange { give, take }) = action else { return action };
        let map = self.symmetry(symmetry);
        Action::Exchange(Exchange { give: self.map_set(map, give), take: self.map_set(map, take) })
    }
}

/// Chance takes pieces out of the bag.
impl Chance<AlJabar> for Colour {
    fn list(game: &AlJabar, state: &State, outcomes: &mut Vec<(Colour, u64)>) {
        let weighted = game.group().coloured().map(|colour| (colour, u64::from(state.bag.count(colour))));
        outcomes.extend(weighted.filter(|&(_, weight)| weight > 0));
    }

    #[inline]
    fn happen(self, game: &AlJabar, state: &mut State) {
        state.bag.remove(self, 1);
        let Stage::Deal(n_dealt) = state.stage else {
            let seat = usize::from(state.to_act);
            state.hands[seat].add(self, 1);
            state.stage = Stage::Turn { drawn: game.could_signal(state, seat) };
            return;
        };
        match game.dealt_to(n_dealt) {
            Some(seat) => {
                state.hands[seat].add(self, 1);
                state.stage = Stage::Deal(n_dealt + 1);
            }
            None => {
                state.center.add(self, 1);
                state.stage = Stage::Turn { drawn: false };
            }
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(_game: &AlJabar, state: &State, rng: &mut R) -> Colour {
        state.bag.nth(random::index(rng, state.bag.len().into()))
    }

    fn map(self, game: &AlJabar, symmetry: usize) -> Colour {
        game.symmetry(symmetry)[self.index()]
    }
}

impl Information for AlJabar {}
