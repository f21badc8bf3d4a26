//! State, legal actions, apply, payoffs.

use raichi_core::bits;
use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::{PathEnd, PathLimits, PathRules, Repetitions};
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use super::board::{
    AHEAD, ALL, BEHIND, BESIDE, LAST_COLUMN, Point, Points, bit, each, highest, lowest, mirrored, sum_of_columns,
};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct FrenchMilitary {
    /// Whether Black, as seat 0, first chooses where its man starts.
    pub(super) choose: bool,
    /// Whether White must pin Black on point B, and loses by pinning it elsewhere.
    pub(super) on_b_only: bool,
}

/// Whose men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    /// Three men, who never go back.
    White,
    /// One man, who goes anywhere.
    Black,
}

/// What a side does on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Black's man starts here.
    Place(Point),
    /// A man goes along a line.
    Move {
        /// Where it stood.
        from: Point,
        /// Where it goes.
        to: Point,
    },
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// Black is to move and cannot.
    Pinned,
    /// Black has slipped behind the lines.
    Escaped,
    /// White is to move and cannot. No play leads there, but a position can be set up so.
    Stuck,
}

/// Where the men stand, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) white: Points,
    /// None until it is placed.
    pub(super) black: Points,
    pub(super) to_act: Side,
    /// Kept along.
    pub(super) end: Option<End>,
}

/// Where White's men start, and Black's where it has no choice.
const WHITE: Points = bit(0) | bit(1) | bit(3);
const CENTER: Points = bit(5);
/// The point at the far end.
const B: Points = bit(10);

impl State {
    /// These men, and whether the game is over with them.
    pub(super) fn new(white: Points, black: Points, to_act: Side) -> State {
        let state = State { white, black, to_act, end: None };
        State { end: state.find_end(), ..state }
    }

    #[inline]
    pub(super) fn free(&self) -> Points {
        ALL & !(self.white | self.black)
    }

    /// The men of the side to act.
    #[inline]
    pub(super) fn movers(&self) -> Points {
        match self.to_act {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Where each man of the side to act can go, sixteen bits a man, the lowest man lowest.
    #[inline]
    fn reach(&self) -> u64 {
        let free = self.free();
        match self.to_act {
            Side::Black if self.black == 0 => free.into(),
            Side::Black => (BESIDE[usize::from(lowest(self.black))] & free).into(),
            Side::White => {
                let mut men = self.white;
                [0, 16, 32].into_iter().fold(0, |reach, shift| {
                    let man = lowest(men);
                    men ^= bit(man);
                    reach | u64::from(AHEAD[usize::from(man)] & free) << shift
                })
            }
        }
    }

    // The action that a bit of the reach stands for.
    #[inline]
    fn action(&self, place: u32) -> Action {
        let to = (place % 16) as Point;
        if self.black == 0 {
            return Action::Place(to);
        }
        let men = self.movers();
        let from = match place / 16 {
            0 => lowest(men),
            1 => lowest(men & (men - 1)),
            _ => highest(men),
        };
        Action::Move { from, to }
    }

    /// The first that holds, in the order of the rules.
    #[inline]
    fn find_end(&self) -> Option<End> {
        if self.black == 0 {
            None
        } else if self.to_act == Side::Black && self.reach() == 0 {
            Some(End::Pinned)
        } else if BEHIND[usize::from(lowest(self.black))] & self.white == 0 {
            Some(End::Escaped)
        } else if self.to_act == Side::White && self.white == LAST_COLUMN {
            // Black has not escaped, so its man stands on B; nowhere else is White without a move.
            Some(End::Stuck)
        } else {
            None
        }
    }

    /// All of the position in one word.
    #[inline]
    fn packed(&self) -> u64 {
        u64::from(self.white) | u64::from(self.black) << 16 | (self.to_act as u64) << 32
    }
}

impl FrenchMilitary {
    /// The position with White's three men and Black's man on these points, a bit each, and this side to act.
    pub fn position(&self, white: Points, black: Points, to_act: Side) -> State {
        State::new(white, black, to_act)
    }

    /// The side a seat plays.
    #[inline]
    pub fn side(&self, seat: Seat) -> Side {
        if (seat == 0) == self.choose { Side::Black } else { Side::White }
    }

    /// The seat that plays a side.
    #[inline]
    pub fn seat(&self, side: Side) -> Seat {
        usize::from((side == Side::White) == self.choose)
    }
}

impl Game for FrenchMilitary {
    type State = State;
    type Action = Action;
    type Outcome = Never;
    type PathMemory = Repetitions;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }

    fn initial_state(&self) -> State {
        if self.choose { State::new(WHITE, 0, Side::Black) } else { State::new(WHITE, CENTER, Side::White) }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end.is_some() { Phase::Over } else { Phase::seat(self.seat(state.to_act)) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        actions.extend(bits::ones([state.reach()]).map(|place| state.action(place)));
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        match (action, state.to_act) {
            (Action::Place(point), _) => state.black = bit(point),
            (Action::Move { from, to }, Side::Black) => state.black ^= bit(from) | bit(to),
            (Action::Move { from, to }, Side::White) => state.white ^= bit(from) | bit(to),
        }
        state.to_act = if state.to_act == Side::White { Side::Black } else { Side::White };
        state.end = state.find_end();
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        match state.end {
            None => Payoffs::zero(2),
            Some(End::Pinned) if self.on_b_only && state.black != B => Payoffs::win(self.seat(Side::Black)),
            Some(End::Pinned) => Payoffs::win(self.seat(Side::White)),
            Some(End::Escaped | End::Stuck) => Payoffs::win(self.seat(Side::Black)),
        }
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::Pinned) => "pinned",
            Some(End::Escaped) => "escaped",
            Some(End::Stuck) | None => "stuck",
        }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        state.reach().count_ones() as usize
    }

    // In a whole program it has many callers, and was called rather than inlined in the playout loop.
    #[inline(always)]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        state.action(random::set_bit(rng, state.reach()))
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: Action) -> bool {
        match action {
            Action::Place(point) => state.black == 0 && state.free() & bit(point) != 0,
            Action::Move { from, to } => {
                let lines = if state.to_act == Side::White { AHEAD } else { BESIDE };
                state.black != 0
                    && state.movers() & bit(from) != 0
                    && lines[usize::from(from)] & state.free() & bit(to) != 0
            }
        }
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        random::mix(state.packed())
    }

    fn recomputed(&self, state: &State) -> State {
        State::new(state.white, state.black, state.to_act)
    }

    fn n_symmetries(&self) -> usize {
        2
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        if symmetry == 0 {
            return *state;
        }
        let image = |men: Points| each(men).fold(0, |image, man| image | bit(mirrored(man)));
        State { white: image(state.white), black: image(state.black), ..*state }
    }

    fn map_action(&self, symmetry: usize, action: Action) -> Action {
        match action {
            _ if symmetry == 0 => action,
            Action::Place(point) => Action::Place(mirrored(point)),
            Action::Move { from, to } => Action::Move { from: mirrored(from), to: mirrored(to) },
        }
    }
}

impl PathRules for FrenchMilitary {
    #[inline]
    fn path_limits(&self) -> PathLimits {
        PathLimits::THIRD_OCCURRENCE
    }

    #[inline]
    fn repetition_key(&self, state: &State) -> u64 {
        state.packed()
    }

    // White never goes back.
    #[inline]
    fn stage(&self, state: &State) -> u64 {
        sum_of_columns(state.white)
    }

    fn payoffs_by_path(&self, state: &State, end: PathEnd) -> Payoffs {
        match end {
            PathEnd::Repetition => Payoffs::win(self.seat(Side::Black)),
            PathEnd::NoProgress | PathEnd::Cap => self.payoffs(state),
        }
    }
}

impl Information for FrenchMilitary {}
