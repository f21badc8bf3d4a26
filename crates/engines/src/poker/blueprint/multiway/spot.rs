//! What a decision looks like but for the cards: chips in classes, and where the others sit.
//!
//! All is seen in the position as it is; of the betting before it only what it left on the table counts. Chips are measured in big blinds and classes
//! become wider as numbers grow, so that one strategy serves all blinds and stacks.

use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_games::poker::{Action, Poker, State};

/// Most actions that a spot has.
pub const MOST_ACTIONS: usize = 4;

/// A decision's class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot(u64);

/// What may be done in a spot: giving up where something is owed, going on for what was bet, one big blind more, everything. What
/// nobody could answer is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    actions: [Action; MOST_ACTIONS],
    n: usize,
}

/// Upper ends of the classes of chips, in big blinds; the last class has none.
const OWED: [f32; 6] = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0];
const IN_POT: [f32; 12] = [1.5, 2.5, 3.5, 5.0, 7.0, 10.0, 14.0, 19.0, 26.0, 36.0, 50.0, 80.0];
const BEHIND: [f32; 11] = [0.0, 0.75, 1.5, 2.5, 4.0, 6.0, 8.5, 12.0, 18.0, 28.0, 45.0];
const BET: [f32; 4] = [0.0, 0.5, 1.0, 2.0];

impl Spot {
    /// The spot of `seat`, which is to act, and what it may do there.
    pub fn of(game: &Poker, state: &State, seat: Seat) -> (Spot, Options) {
        let blind = game.blind(state);
        let blinds = |chips: u32| chips as f32 / blind as f32;
        let (stack, owed) = (state.stack(seat), state.to_call(seat));
        let level = state.bet(seat) + owed;
        let others = || state.live().iter().filter(move |&other| other != seat);
        let able = || state.able_to_bet().iter().filter(move |&other| other != seat);
        // What the seat and some other one can still put in beyond the bet.
        let left = |other: Seat| (state.bet(other) + state.stack(other)).saturating_sub(level);
        let behind = able().map(left).max().unwrap_or(0).min(stack - owed);
        let options = Options::of(game.legal(state, seat), owed, stack, behind);
        let place = |seat: Seat| (seat + MAX_SEATS - state.dealer() - 1) % MAX_SEATS;
        let n_others = others().count();
        let key = Key(options.mask().into())
            .with(street(state), 4)
            .with(n_others.min(4), 5)
            .with(able().filter(|&other| !state.has_acted(other)).count().min(3), 4)
            .with(usize::from(able().count() < n_others), 2)
            .with(usize::from(able().all(|other| place(other) < place(seat))), 2)
            .with(class(blinds(owed), &OWED), OWED.len() + 1)
            .with(class(blinds(state.pot()), &IN_POT), IN_POT.len() + 1)
            .with(class(blinds(behind), &BEHIND), BEHIND.len() + 1)
            .with(class(blinds(state.bet(seat)), &BET), BET.len() + 1);
        (Spot(key.0), options)
    }

    /// As a number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The spot with a number; `None` where it is of none.
    pub fn from_number(number: u64) -> Option<Spot> {
        let spot = Spot(number);
        (spot.mask() < 16 && (1..=MOST_ACTIONS).contains(&spot.n_actions())).then_some(spot)
    }

    /// 0 before the flop, 3 on the river.
    pub fn street(self) -> usize {
        (self.0 / AFTER_STREET % 4) as usize
    }

    /// How many actions it has.
    pub fn n_actions(self) -> usize {
        self.mask().count_ones() as usize
    }

    /// Whether its first action is giving up.
    #[cfg(test)]
    pub(super) fn has_fold(self) -> bool {
        self.mask() & 1 == 1
    }

    /// Which actions it has; see [`Options::mask`].
    fn mask(self) -> u64 {
        self.0 / (4 * AFTER_STREET)
    }
}

/// How many combinations there are of the numbers that [`Spot::of`] puts after the street.
const AFTER_STREET: u64 =
    (5 * 4 * 2 * 2 * (OWED.len() + 1) * (IN_POT.len() + 1) * (BEHIND.len() + 1) * (BET.len() + 1)) as u64;

/// 0 before the flop, 3 on the river.
pub(super) fn street(state: &State) -> usize {
    state.board().len().saturating_sub(2)
}

/// Several small numbers as one.
struct Key(u64);

impl Key {
    /// One more, below `radix`.
    fn with(self, number: usize, radix: usize) -> Key {
        debug_assert!(number < radix, "the number has its place");
        Key(self.0 * radix as u64 + number as u64)
    }
}

/// The class of a number of big blinds.
fn class(blinds: f32, ends: &[f32]) -> usize {
    ends.iter().take_while(|&&end| blinds > end).count()
}

impl Options {
    fn of(legal: u8, owed: u32, stack: u32, behind: u32) -> Options {
        let is_legal = |action: Action| legal >> action as u8 & 1 == 1;
        let mut options = Options { actions: [Action::Fold; MOST_ACTIONS], n: 0 };
        let mut add = |action: Action| {
            options.actions[options.n] = action;
            options.n += 1;
        };
        if owed > 0 {
            add(Action::Fold);
        }
        add(if owed == 0 {
            Action::Check
        } else if owed < stack {
            Action::Call
        } else {
            Action::AllIn
        });
        if behind > 0 {
            [Action::Bet, Action::Raise].into_iter().filter(|&raise| is_legal(raise)).for_each(&mut add);
            add(Action::AllIn);
        }
        options
    }

    /// The actions, in the order of their shares in a strategy.
    #[inline]
    pub fn actions(&self) -> &[Action] {
        &self.actions[..self.n]
    }

    /// Which of the four kinds there are, as bits.
    fn mask(&self) -> u8 {
        let kind = |action: &Action| match action {
            Action::Fold => 1,
            Action::Check | Action::Call => 2,
            Action::Bet | Action::Raise => 4,
            Action::AllIn => 8,
        };
        self.actions().iter().map(kind).sum()
    }
}
