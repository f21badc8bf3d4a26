//! A position as numbers, for learners, tables and other languages.
//!
//! An observation is what a seat sees now, as small integers with declared ranges: some lie on a grid (a cell and what
//! stands on it), some are plain numbers. It is taken for a seat, so the law of secrets holds for it byte for byte.
//! Actions have numbers, both ways, by arithmetic. A state has bytes that read back.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::game::Payoffs;
use crate::information::Information;
use crate::random::Rng;
use crate::seat::Seat;

/// A game whose positions and actions are numbers too.
pub trait Encoding: Information<State: Serialize + DeserializeOwned> {
    /// What an observation is made of, in order. The same for every position and seat of the game.
    fn layout(&self) -> Layout;

    /// What `seat` sees in `state`, into a buffer of [`Layout::len`] integers. Entries that tell seats apart count from
    /// `seat`: 1 is its own, 2 the next seat's in order of play, and so on; 0 is nobody's.
    fn observe(&self, state: &Self::State, seat: Seat, observation: &mut [i32]);

    /// How many action numbers there are: those of all actions of these rules, legal in some position or not.
    fn n_actions(&self) -> u64;

    /// The number of an action, below [`Encoding::n_actions`]. Two actions never share one.
    fn action_number(&self, action: Self::Action) -> u64;

    /// The action that has this number; `None` where none has.
    fn numbered_action(&self, number: u64) -> Option<Self::Action>;

    /// How many factors there are that actions are put together from, as a person puts them together by touching: a pile, how many
    /// of its stones, another pile. Policies learn these where actions are too many to be told apart one by one. Unless a game
    /// says otherwise, each action is a factor of its own.
    fn n_factors(&self) -> u64 {
        self.n_actions()
    }

    /// The factors of an action, each below [`Encoding::n_factors`], in place of what was in `factors`. Two actions never have
    /// the same ones.
    fn factors(&self, action: Self::Action, factors: &mut Vec<u64>) {
        factors.clear();
        factors.push(self.action_number(action));
    }

    /// The observation after a symmetry of the rules: what the seat that looks at the image of a state sees. Law: the
    /// observation of the image is the image of the observation.
    fn map_observation(&self, _symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
    }

    /// What each seat has been paid for certain while play goes on, where the payoff adds up ply by ply: learners that learn
    /// from what each ply brings take differences of it. What the payoff is if play ends here, unless the game says otherwise.
    fn paid(&self, state: &Self::State) -> Payoffs {
        self.payoffs(state)
    }

    /// A position to act in from which the goal of a puzzle is at most `n_plies` plies away, drawn by going back from the goal
    /// as many; `None` in games without a goal. Learners begin with it what they would hardly ever reach by chance.
    fn near_goal<R: Rng + ?Sized>(&self, _n_plies: u64, _rng: &mut R) -> Option<Self::State> {
        None
    }

    /// A state as bytes, appended to `bytes`.
    fn write_state(&self, state: &Self::State, bytes: &mut Vec<u8>) {
        let written = postcard::to_stdvec(state).expect("a state is made of numbers and lists of them");
        bytes.extend_from_slice(&written);
    }

    /// The state that [`Encoding::write_state`] wrote. Bytes from strangers are not for here: a position's text is
    /// checked, its bytes are not.
    ///
    /// # Errors
    /// When the bytes are not a state's.
    fn read_state(&self, bytes: &[u8]) -> Result<Self::State, NotAState> {
        match postcard::take_from_bytes(bytes) {
            Ok((state, [])) => Ok(state),
            _ => Err(NotAState),
        }
    }
}

/// Bytes that are not a state's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are not a state of this game")]
pub struct NotAState;

/// What an observation is made of.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// In the order of their entries.
    pub blocks: Vec<Block>,
}

/// Entries of an observation that mean the same kind of thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is about: `board`, `own chips`.
    pub name: String,
    /// How the entries lie.
    pub shape: Shape,
    /// The least value of an entry.
    pub min: i32,
    /// The greatest value of an entry.
    pub max: i32,
    /// What the values mean.
    pub meaning: Meaning,
    /// What stands at the head of a grid's rows and columns, for people; nothing where its place says it, as on a board.
    pub heads: Option<Heads>,
}

/// The names of a grid's rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heads {
    /// From the top, one a row.
    pub rows: Vec<String>,
    /// From the left, one a column.
    pub columns: Vec<String>,
}

/// How the entries of a block lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// On a grid, row by row from the top; what one sees beside each other lies beside each other.
    Grid {
        /// Rows, from the top.
        rows: usize,
        /// Columns, from the left.
        columns: usize,
    },
    /// Plain numbers, so many.
    Numbers(usize),
}

/// What the values of a block mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Each value from the least on has a name: `empty`, `own stone`, `stone of the next seat`.
    Names(Vec<String>),
    /// How many of something: `chips`, `plies`.
    Amount(String),
}

impl Block {
    /// A grid whose values from 0 on are named.
    pub fn grid<T: ToString>(name: &str, rows: usize, columns: usize, values: &[T]) -> Block {
        Block { shape: Shape::Grid { rows, columns }, ..Block::named(name, 1, values) }
    }

    /// The same grid with names for its rows and columns, one each.
    #[must_use]
    pub fn headed<T: ToString, U: ToString>(
        self,
        rows: impl IntoIterator<Item = T>,
        columns: impl IntoIterator<Item = U>,
    ) -> Block {
        let heads = Heads {
            rows: rows.into_iter().map(|name| name.to_string()).collect(),
            columns: columns.into_iter().map(|name| name.to_string()).collect(),
        };
        Block { heads: Some(heads), ..self }
    }

    /// `n` numbers whose values from 0 on are named.
    pub fn named<T: ToString>(name: &str, n: usize, values: &[T]) -> Block {
        Block {
            name: name.into(),
            shape: Shape::Numbers(n),
            min: 0,
            max: values.len() as i32 - 1,
            meaning: Meaning::Names(values.iter().map(T::to_string).collect()),
            heads: None,
        }
    }

    /// `n` amounts of `what`, each from 0 to `max`.
    pub fn amounts(name: &str, n: usize, max: i32, what: &str) -> Block {
        let meaning = Meaning::Amount(what.into());
        Block { name: name.into(), shape: Shape::Numbers(n), min: 0, max, meaning, heads: None }
    }

    /// A grid of amounts of `what`, each from 0 to `max`.
    pub fn amounts_on_grid(name: &str, rows: usize, columns: usize, max: i32, what: &str) -> Block {
        Block { shape: Shape::Grid { rows, columns }, ..Block::amounts(name, 1, max, what) }
    }

    /// One entry: who is to act, counted from the seat that looks as in [`relative_seat`]; 0 where nobody or chance is.
    pub fn to_act(n_seats: usize) -> Block {
        Block::named("to act", 1, &seat_names("nobody", n_seats))
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        match self.shape {
            Shape::Grid { rows, columns } => rows * columns,
            Shape::Numbers(n) => n,
        }
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Layout {
    /// A layout of these blocks.
    pub fn new(blocks: impl IntoIterator<Item = Block>) -> Layout {
        Layout { blocks: blocks.into_iter().collect() }
    }

    /// How many entries an observation has.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Whether an observation has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The least and the greatest value of each entry, in order.
    pub fn ranges(&self) -> Vec<(i32, i32)> {
        self.blocks.iter().flat_map(|block| std::iter::repeat_n((block.min, block.max), block.len())).collect()
    }

    /// Each block with the index of its first entry.
    pub fn offsets(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.blocks.iter().scan(0, |next, block| {
            let first = *next;
            *next += block.len();
            Some((first, block))
        })
    }
}

/// How `seat` calls another seat in an observation: 1 is itself, 2 the next in order of play.
#[inline]
pub const fn relative_seat(seat: Seat, other: Seat, n_seats: usize) -> i32 {
    ((other + n_seats - seat) % n_seats) as i32 + 1
}

/// The names of the values that tell seats apart, as [`relative_seat`] counts them: `nobody` for 0, then the seat that
/// looks, the next seat, and so on.
pub fn seat_names(nobody: &str, n_seats: usize) -> Vec<String> {
    let name = |nth: usize| match nth {
        0 => nobody.into(),
        1 => "this seat".into(),
        2 if n_seats == 2 => "the other seat".into(),
        2 => "the next seat".into(),
        nth => format!("the seat {} places on", nth - 1),
    };
    (0..=n_seats).map(name).collect()
}

/// What the seats are called, counted from the one that looks.
pub fn seats_from_this(n_seats: usize) -> Vec<String> {
    seat_names("", n_seats).split_off(1)
}
