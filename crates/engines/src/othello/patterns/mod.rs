//! Othello 8×8 by patterns: what lies in overlapping shapes of the board has weights, which were learned.
//!
//! Papers: M. Buro, *Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello* (1997): shapes, phases,
//! least squares. The shapes are the classical ones: corners of 3×3 and 2×5 cells, edges, rows, diagonals of four to eight
//! cells ([`shapes`]); besides them placements of both seats, the number of discs, and quarters of the board with an odd
//! number of empty cells. A sum of weights is the expected difference of the discs at the end, for the seat to act.
//! A phase is five discs; it has weights of its own.
//! Learned from: games of the program with itself, see `crates/engines/examples/othello_patterns` and docs/learning.md.
//! Not here: other sizes of the board; tables of what is known of openings.

mod file;
mod search;
mod shapes;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use raichi_core::seat::Seat;
use raichi_games::othello::lines::{Lines, placements};
use raichi_games::othello::{Action, Othello, State};
use raichi_machine::{Body, Choice, InstructionSet, Instructions, Portable};
use raichi_search::Evaluator;

use super::Hand;
use crate::linear::{NEARLY_WON, Tunable, seen_by, squash};

pub use file::FileError;
pub(in crate::othello) use search::Search;
pub use search::search;
use shapes::{N_PLACES, Numbers, PLACES, SHAPES, STARTS, first_place};

/// Parts of a disc in which weights and sums are counted.
pub const PER_DISC: i32 = 16;
/// Phases of the game.
pub const N_PHASES: usize = 12;
const DISCS_A_PHASE: u32 = 5;

/// Weights beside those of the shapes: placements of the seat to act and of the other one (as many as there can be), discs,
/// odd quarters.
const OWN_PLACEMENTS: usize = 0;
const FOES_PLACEMENTS: usize = OWN_PLACEMENTS + MOST_PLACEMENTS;
const DISCS: usize = FOES_PLACEMENTS + MOST_PLACEMENTS;
const ODD_QUARTERS: usize = DISCS + 65;
const N_COUNTS: usize = ODD_QUARTERS + 5;
/// More placements than this weigh no more.
const MOST_PLACEMENTS: usize = 32;

const QUARTER: u64 = 0x0f0f_0f0f;
const QUARTERS: [u64; 4] = [QUARTER, QUARTER << 4, QUARTER << 32, QUARTER << 36];

/// How many weights a position has.
pub const N_ACTIVE: usize = N_PLACES + 4;

/// The weights of one phase.
#[derive(Clone)]
struct Phase {
    /// For all contents of all shapes, as many as that the greatest number finds something.
    contents: Box<[i8; TABLE]>,
    counts: [i16; N_COUNTS],
    /// What sums are worth to the seat to act, from −[`TABLED`] on: a root and two divisions take longer than a look.
    values: Box<[f32; 2 * TABLED as usize]>,
    /// The sum that is worth 0.7 of a win.
    scale: u16,
}

/// Sums nearer to 0 than this have their values in a table.
const TABLED: i32 = 2048;

const TABLE: usize = STARTS[N_PLACES - 1] + (1 << 16);

/// The evaluator with its weights.
#[derive(Clone)]
pub struct Patterns {
    phases: Vec<Phase>,
    /// For the order of actions: by the patterns' own scores it was no better (docs/strength.md).
    hand: Hand,
    instructions: InstructionSet,
}

/// The weights that come with the engine.
static SHIPPED: LazyLock<Option<Arc<Patterns>>> = LazyLock::new(|| of_file(include_bytes!("weights.bin")));

/// Nothing in an empty file: so an engine is built to learn the first weights.
fn of_file(bytes: &[u8]) -> Option<Arc<Patterns>> {
    let read = || Arc::new(Patterns::from_bytes(bytes).expect("a test reads the file that comes with the engine"));
    (!bytes.is_empty()).then(read)
}

/// The evaluator with the weights that come with the engine; `None` where their file is empty.
pub fn shipped() -> Option<&'static Arc<Patterns>> {
    SHIPPED.as_ref()
}

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Othello) -> Option<Arc<dyn Evaluator<Othello>>> {
    let patterns = if game.size() == 8 { shipped()? } else { return None };
    Some(Arc::clone(patterns) as Arc<dyn Evaluator<Othello>>)
}

/// The phase of a position with so many discs.
#[inline]
pub fn phase_of(n_discs: u32) -> usize {
    (n_discs.saturating_sub(4) / DISCS_A_PHASE).min(N_PHASES as u32 - 1) as usize
}

/// How many weights a phase has.
pub fn n_weights() -> usize {
    SHAPES.n_weights + N_COUNTS
}

/// The numbers of the weights that a position has in its phase, for the one who learns them.
pub fn active(own: u64, foes: u64) -> [u32; N_ACTIVE] {
    let numbers = SHAPES.numbers(Portable, own, foes);
    let counts = counts(Portable, own, foes, placements(own, foes, !(own | foes)));
    std::array::from_fn(|i| match i {
        ..N_PLACES => SHAPES.weight_of[STARTS[i] + usize::from(numbers.at(i))],
        _ => (SHAPES.n_weights + counts[i - N_PLACES]) as u32,
    })
}

/// The weights beside those of the shapes.
#[inline(always)]
fn counts<I: Instructions>(instructions: I, own: u64, foes: u64, own_placements: u64) -> [usize; 4] {
    let empty = !(own | foes);
    let n = |cells: u64| (cells.count_ones() as usize).min(MOST_PLACEMENTS - 1);
    let n_odd: u32 = QUARTERS.iter().map(|quarter| (quarter & empty).count_ones() % 2).sum();
    [
        OWN_PLACEMENTS + n(own_placements),
        FOES_PLACEMENTS + n(instructions.placements(foes, own, empty)),
        DISCS + (own | foes).count_ones() as usize,
        ODD_QUARTERS + n_odd as usize,
    ]
}

impl Patterns {
    /// With all weights 0.
    pub fn new() -> Patterns {
        let (contents, counts) = (Box::new([0; TABLE]), [0; N_COUNTS]);
        let mut phase = Phase { contents, counts, values: Box::new([0.0; 2 * TABLED as usize]), scale: 0 };
        phase.set_scale(10 * PER_DISC as u16);
        let hand = Hand::new(&Othello::new(8)).expect("the hand-made evaluator knows all sizes");
        Patterns { phases: vec![phase; N_PHASES], hand, instructions: InstructionSet::newest() }
    }

    /// Sets the weights of a phase, as many as [`n_weights`], and the sum that is worth 0.7 of a win. Those of shapes are
    /// bounded by those of a byte.
    pub fn set_phase(&mut self, phase: usize, weights: &[i16], scale: u16) {
        let phase = &mut self.phases[phase];
        let (of_shapes, counts) = weights.split_at(SHAPES.n_weights);
        for (content, &weight) in phase.contents.iter_mut().zip(&SHAPES.weight_of) {
            *content = of_shapes[weight as usize].clamp(-i16::from(i8::MAX), i8::MAX.into()) as i8;
        }
        phase.counts.copy_from_slice(counts);
        phase.set_scale(scale.max(1));
    }

    /// The weights of a phase, as [`Patterns::set_phase`] sets them.
    pub fn weights(&self, phase: usize) -> Vec<i16> {
        let phase = &self.phases[phase];
        let mut weights = vec![0; SHAPES.n_weights];
        for (&weight, &content) in SHAPES.weight_of.iter().zip(phase.contents.iter()) {
            weights[weight as usize] = content.into();
        }
        weights.extend(phase.counts);
        weights
    }

    /// Adds parts of a disc to what every position with so many discs is worth to the seat to act.
    pub fn add_to_act(&mut self, n_discs: u32, parts: i16) {
        self.phases[phase_of(n_discs)].counts[DISCS + n_discs as usize] += parts;
    }

    /// Gives a phase the weights of another one.
    pub fn copy_phase(&mut self, from: usize, to: usize) {
        self.phases[to] = self.phases[from].clone();
    }

    /// The expected difference of the discs at the end in parts of a disc, for `own`, who is to act and has these
    /// placements.
    #[inline]
    pub fn score(&self, own: u64, foes: u64, own_placements: u64) -> i32 {
        self.weigh(self.phase(own, foes), own, foes, own_placements)
    }

    /// The same in a body that is compiled for these instructions.
    #[inline(always)]
    pub(in crate::othello) fn score_by<I: Instructions>(
        &self,
        instructions: I,
        own: u64,
        foes: u64,
        own_placements: u64,
    ) -> i32 {
        self.phase(own, foes).weigh(instructions, own, foes, own_placements)
    }

    #[inline(always)]
    fn phase(&self, own: u64, foes: u64) -> &Phase {
        &self.phases[phase_of((own | foes).count_ones())]
    }

    /// A sum by the instructions that the processor has.
    #[inline(always)]
    fn weigh(&self, phase: &Phase, own: u64, foes: u64, own_placements: u64) -> i32 {
        self.instructions.choose(ToWeigh { phase, own, foes, own_placements })
    }
}

/// A position to be weighed.
struct ToWeigh<'a> {
    phase: &'a Phase,
    own: u64,
    foes: u64,
    own_placements: u64,
}

impl Choice for ToWeigh<'_> {
    type Output = i32;

    #[inline(always)]
    fn with<I: Instructions>(self, instructions: I) -> i32 {
        let ToWeigh { phase, own, foes, own_placements } = self;
        instructions.run(Weighed { phase, instructions, own, foes, own_placements })
    }
}

/// [`Phase::weigh`] with its arguments.
struct Weighed<'a, I> {
    phase: &'a Phase,
    instructions: I,
    own: u64,
    foes: u64,
    own_placements: u64,
}

impl<I: Instructions> Body for Weighed<'_, I> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.phase.weigh(self.instructions, self.own, self.foes, self.own_placements)
    }
}

impl Phase {
    fn set_scale(&mut self, scale: u16) {
        self.scale = scale;
        for i in 0..2 * TABLED {
            self.values[i as usize] = self.worked_out(i - TABLED);
        }
    }

    fn worked_out(&self, sum: i32) -> f32 {
        squash(sum as f32 / f32::from(self.scale))
    }

    /// What a sum is worth to the seat to act.
    #[inline]
    fn value(&self, sum: i32) -> f32 {
        let place = usize::try_from(sum + TABLED).unwrap_or(usize::MAX);
        self.values.get(place).copied().unwrap_or_else(|| self.worked_out(sum))
    }

    /// The sum of all weights of a position.
    #[inline(always)]
    fn weigh<I: Instructions>(&self, instructions: I, own: u64, foes: u64, own_placements: u64) -> i32 {
        // In memory: taken out of vectors one by one, numbers wait for each other.
        let numbers = std::hint::black_box(SHAPES.numbers(instructions, own, foes));
        let counts = counts(instructions, own, foes, own_placements);
        self.of_shapes(&numbers) + counts.iter().map(|&count| i32::from(self.counts[count])).sum::<i32>()
    }

    /// The weights of what lies in all places.
    #[inline(always)]
    fn of_shapes(&self, numbers: &Numbers) -> i32 {
        self.of_shape::<0>(numbers)
            + self.of_shape::<1>(numbers)
            + self.of_shape::<2>(numbers)
            + self.of_shape::<3>(numbers)
            + self.of_shape::<4>(numbers)
            + self.of_shape::<5>(numbers)
            + self.of_shape::<6>(numbers)
            + self.of_shape::<7>(numbers)
            + self.of_shape::<8>(numbers)
            + self.of_shape::<9>(numbers)
            + self.of_shape::<10>(numbers)
    }

    /// Those of one shape: where it begins is known when this is compiled, and no number of 16 bits leads out of the table.
    #[inline(always)]
    fn of_shape<const SHAPE: usize>(&self, numbers: &Numbers) -> i32 {
        let first = const { first_place(SHAPE) };
        let contents: &[i8; 1 << 16] = self.contents[STARTS[first]..].first_chunk().expect("the table is long enough");
        let places = first..first + PLACES[SHAPE];
        places.map(|place| i32::from(contents[usize::from(numbers.at(place))])).sum()
    }
}

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns::new()
    }
}

impl Evaluator<Othello> for Patterns {
    #[inline]
    fn value(&self, _game: &Othello, state: &State, seat: Seat) -> f32 {
        let [own, foes] = state.own_and_foes().map(|cells| cells as u64);
        let phase = self.phase(own, foes);
        let sum = self.weigh(phase, own, foes, state.placements() as u64);
        seen_by(seat ^ state.to_act(), phase.value(sum)).clamp(-NEARLY_WON, NEARLY_WON)
    }

    fn priors(&self, game: &Othello, state: &State, seat: Seat, actions: &[Action], log_odds: &mut [f32]) {
        self.hand.priors(game, state, seat, actions, log_odds);
    }

    fn has_priors(&self) -> bool {
        true
    }
}
