//! 2048: what the tiles will still bring, judged line by line.
//!
//! Source: the features are those that players and programs agree on, with the weights that R. Xiao's solver (2014) was
//! tuned to: empty cells, neighbours that merge, lines that rise to one end, and the sum of all tiles, which is to stay
//! small. A line's judgement is looked up (4×4, tiles below 2¹⁶) or worked out (other sizes, greater tiles).
//! Promise: the value is the score so far and an estimate of what is still to come, which is never negative. The estimate
//! ranks positions; its scale was chosen by matches ([`scale`]), not fitted to how games go on.
//! Playout policy: the slide after which the board is judged best, without a look at what chance puts.
//! Checked: the table against the plain way, symmetries, and `tests/twenty_forty_eight.rs`.

mod exact;

use std::sync::{Arc, LazyLock};

use raichi_core::game::{Game, Phase};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;
use raichi_games::twenty_forty_eight::{Direction, State, TwentyFortyEight};
use raichi_search::{Evaluator, PlayoutPolicy};

pub use exact::solver;

/// The evaluator; it knows all sizes.
pub fn evaluator(game: &TwentyFortyEight) -> Option<Arc<dyn Evaluator<TwentyFortyEight>>> {
    Some(Arc::new(Lines::of(game)))
}

/// The playout policy; it knows all sizes.
pub fn playout_policy(game: &TwentyFortyEight) -> Option<Arc<dyn PlayoutPolicy<TwentyFortyEight>>> {
    Some(Arc::new(Lines::of(game)))
}

/// The judgement of lines.
pub struct Lines {
    /// Of lines of four cells, a nibble a cell.
    table: &'static [Short; 1 << 16],
    scale: Scale,
}

/// What is known of a line, in whole numbers, so that a board and its mirror images are worth exactly the same.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Judged {
    /// How well its tiles lie; of any sign.
    order: i64,
    /// What its tiles would have brought if chance had put no 4.
    worth: u128,
}

/// The same for a line of four cells.
#[derive(Clone, Copy)]
struct Short {
    order: i32,
    worth: u32,
}

/// How a sum of judgements becomes points.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// What a board in perfect order is expected to bring.
    to_come: f32,
    /// Points for each point of order.
    by_order: f32,
}

/// The scale for boards of a size. That of 4×4 was chosen by the mean of games of expectimax; larger boards last longer, and
/// from size to size about as much longer as these.
fn scale(size: u8) -> Scale {
    let to_come = [0.0, 0.0, 60.0, 2_000.0, 40_000.0, 400_000.0, 3e6, 2e7, 1e8][usize::from(size)];
    Scale { to_come, by_order: to_come / 1_600_000.0 }
}

impl Lines {
    fn of(game: &TwentyFortyEight) -> Lines {
        static TABLE: LazyLock<Box<[Short; 1 << 16]>> = LazyLock::new(|| {
            let judged = |line: usize| {
                let Judged { order, worth } = judge(&[0, 4, 8, 12].map(|shift| (line >> shift) as u8 & 15));
                Short { order: order as i32, worth: worth as u32 }
            };
            let table: Box<[Short]> = (0..1 << 16).map(judged).collect();
            table.try_into().unwrap_or_else(|_| unreachable!("there are 65536 lines"))
        });
        Lines { table: &TABLE, scale: scale(game.size()) }
    }

    /// How well the tiles lie, and what they are worth.
    #[inline]
    fn judge(&self, game: &TwentyFortyEight, state: &State) -> Judged {
        let Some(lines) = game.packed_lines(state) else { return judge_plainly(game, state) };
        let short = |line: u16| self.table[usize::from(line)];
        let order: i32 = lines.iter().map(|&line| short(line).order).sum();
        let worth: u32 = lines[..4].iter().map(|&line| short(line).worth).sum();
        Judged { order: order.into(), worth: worth.into() }
    }

    /// The score, and what is expected to come.
    #[inline]
    fn points(&self, game: &TwentyFortyEight, state: &State) -> f32 {
        let Judged { order, worth } = self.judge(game, state);
        let Scale { to_come, by_order } = self.scale;
        // However bad the order, some order is better than less.
        let expected = to_come + by_order * order as f32;
        let least = 0.02 * to_come;
        let expected = if expected > least { expected } else { least * (expected / to_come - 0.02).exp() };
        worth as f32 - 4.0 * state.n_fours() as f32 + expected
    }
}

fn judge_plainly(game: &TwentyFortyEight, state: &State) -> Judged {
    let size = game.size();
    let mut sum = Judged::default();
    let mut line = [0; 8];
    for nth in 0..size {
        for (cell_of, is_row) in [(1, true), (size, false)] {
            let first = if is_row { nth * size } else { nth };
            for cell in 0..size {
                line[usize::from(cell)] = game.exponent(state, first + cell * cell_of);
            }
            let judged = judge(&line[..usize::from(size)]);
            sum.order += judged.order;
            sum.worth += if is_row { judged.worth } else { 0 };
        }
    }
    sum
}

const EMPTY: i64 = 270;
const MERGES: i64 = 700;
const FALLS: i64 = 47;
const TILES: i64 = 11;

/// Judges the exponents of a line.
fn judge(line: &[u8]) -> Judged {
    let n_empty = line.iter().filter(|&&exponent| exponent == 0).count() as i64;
    let tiles = line.iter().copied().filter(|&exponent| exponent > 0);
    let sum: i64 = tiles.clone().map(|exponent| f64::from(exponent).powf(3.5).round() as i64).sum();
    // A run of equal neighbours counts each of its tiles; empty cells between them do not part them.
    let neighbours = tiles.clone().zip(tiles.clone().skip(1));
    let (merges, _) = neighbours.fold((0, false), |(merges, inside), (one, next)| match one == next {
        true => (merges + 1 + i64::from(!inside), true),
        false => (merges, false),
    });
    let (mut rises, mut falls) = (0, 0);
    for pair in line.windows(2) {
        let change = i64::from(pair[1]).pow(4) - i64::from(pair[0]).pow(4);
        if change > 0 { rises += change } else { falls -= change }
    }
    let worth = tiles.map(|exponent| u128::from(exponent - 1) << exponent).sum();
    Judged { order: EMPTY * n_empty + MERGES * merges - FALLS * rises.min(falls) - TILES * sum, worth }
}

impl Evaluator<TwentyFortyEight> for Lines {
    fn value(&self, game: &TwentyFortyEight, state: &State, _seat: Seat) -> f32 {
        self.points(game, state)
    }

    fn priors(&self, game: &TwentyFortyEight, state: &State, seat: Seat, actions: &[Direction], log_odds: &mut [f32]) {
        for (&action, odds) in actions.iter().zip(log_odds) {
            let mut after = *state;
            game.apply(&mut after, seat, action);
            // A slide that is worse by a hundredth of all that is to come is less likely by e.
            *odds = 100.0 * self.points(game, &after) / self.scale.to_come;
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}

impl PlayoutPolicy<TwentyFortyEight> for Lines {
    fn choose(
        &self,
        game: &TwentyFortyEight,
        state: &State,
        seat: Seat,
        _last: Option<Direction>,
        scratch: &mut Vec<Direction>,
        _rng: &mut FastRng,
    ) -> Direction {
        scratch.clear();
        game.legal_actions(state, seat, scratch);
        let after = |&action: &Direction| {
            let mut after = *state;
            game.apply(&mut after, seat, action);
            self.points(game, &after)
        };
        let best = scratch
            .iter()
            .map(|action| (after(action), *action))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        debug_assert!(matches!(game.phase(state), Phase::Act(_)), "a slide is asked for where there is one");
        best.expect("a seat that acts has an action").1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::random::{index, stream};

    #[test]
    fn the_table_says_what_the_plain_way_says_and_symmetries_change_nothing() {
        let game = TwentyFortyEight::new(4);
        let lines = Lines::of(&game);
        let mut rng = stream(1, "test", 0);
        let mut state = game.initial_state();
        for _ in 0..400 {
            match game.phase(&state) {
                Phase::Over => state = game.initial_state(),
                Phase::Chance => {
                    let spawn = game.sample_outcome(&state, &mut rng);
                    game.apply_outcome(&mut state, spawn);
                }
                Phase::Act(_) => {
                    let action = game.random_action(&state, 0, &mut Vec::new(), &mut rng);
                    game.apply(&mut state, 0, action);
                }
            }
            let (by_table, plainly) = (lines.judge(&game, &state), judge_plainly(&game, &state));
            assert_eq!(by_table, plainly);
            let score = game.score(&state) as f32;
            let image = game.map_state(index(&mut rng, game.n_symmetries()), &state);
            let (points, mirrored) = (lines.points(&game, &state), lines.points(&game, &image));
            assert!(points > score && points == mirrored, "{points} {mirrored} {score}");
        }
    }

    #[test]
    fn order_is_what_players_call_order() {
        let order = |line: [u8; 4]| judge(&line).order;
        assert!(order([5, 4, 3, 2]) > order([5, 3, 4, 2]), "falling to one end");
        assert!(order([5, 4, 0, 0]) > order([5, 4, 3, 2]), "empty cells");
        assert!(order([4, 4, 3, 2]) > order([5, 4, 3, 2]) - 500 && order([4, 4, 0, 0]) > order([4, 3, 0, 0]), "merges");
    }
}
