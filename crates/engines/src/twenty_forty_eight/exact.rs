//! 2048 on small boards: what every position is worth under best play.
//!
//! Method: expectation backward over layers of equal sum of tiles. A slide keeps the sum and a new tile adds to it, so that
//! nothing comes back; in each layer the positions where the player acts are reached from earlier layers, and lead to those
//! where a tile is put (afterstates). Of positions that are images of each other under the eight symmetries one is kept.
//! Handled: sizes 2 and 3, all tiles (the greatest are 32 and 1024). Positions that play does not reach are valued by the
//! same method, from themselves on; tables of that are kept as far as memory allows, so that what follows them is known too.
//! Kept in a file: the table of size 3, of 503 MB, which is read in a fraction of a second. Size 2 is worked out sooner than
//! a file is opened.
//! Promise: the value is the score so far and the expectation of what is to come, exact but for rounding.
//! Checked: against a plain walk over the game's own rules; the score expected of 3×3 is that published.

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::twenty_forty_eight::{State, TwentyFortyEight};
use raichi_solve::{Exact, Folder, Method, Progress, Solver, Statistics, Unsolved, Work};

use crate::kept::{self, Name, Sink, Source};

/// The solver of sizes 2 and 3.
pub fn solver(game: &TwentyFortyEight) -> Option<Arc<dyn Solver<TwentyFortyEight>>> {
    match game.size() {
        2 => Some(Arc::new(Layered::<2> { game: game.clone() })),
        3 => Some(Arc::new(Layered::<3> { game: game.clone() })),
        _ => None,
    }
}

/// What the layers of size 3 take at most while they are built, in bytes: the boards of 48.7 million positions and of 31.4
/// million afterstates, and the afterstates' values; of the table 503 MB stay.
const BYTES: usize = 900 << 20;
/// How likely a new tile is a 4.
const FOUR: f64 = 0.1;

/// A board, a nibble a cell, row by row.
type Board = u64;

struct Layered<const N: usize> {
    game: TwentyFortyEight,
}

/// What is to come after each afterstate, by half the sum of its tiles.
struct Table {
    layers: Vec<Layer>,
    n_positions: u64,
}

/// Boards in rising order, and what is to come of each.
#[derive(Default)]
struct Layer {
    boards: Vec<Board>,
    values: Vec<f64>,
}

impl Layer {
    fn value(&self, board: Board) -> Option<f64> {
        self.boards.binary_search(&board).ok().map(|at| self.values[at])
    }
}

/// The slides of lines of `N` cells towards the first, and their mirror images.
struct Lines {
    slid: Vec<u16>,
    gained: Vec<f64>,
    mirrored: Vec<u16>,
}

impl Lines {
    fn get<const N: usize>() -> &'static Lines {
        static LINES: [OnceLock<Lines>; 2] = [const { OnceLock::new() }; 2];
        LINES[N - 2].get_or_init(|| {
            let mut lines = Lines { slid: Vec::new(), gained: Vec::new(), mirrored: Vec::new() };
            for line in 0..1u16 << (4 * N) {
                let cells: [u8; N] = std::array::from_fn(|nth| (line >> (4 * nth)) as u8 & 15);
                let (slid, gained) = slide(cells);
                let packed = |cells: [u8; N]| cells.iter().rev().fold(0, |line, &cell| line << 4 | u16::from(cell));
                lines.slid.push(packed(slid));
                lines.gained.push(gained);
                let mut mirrored = cells;
                mirrored.reverse();
                lines.mirrored.push(packed(mirrored));
            }
            lines
        })
    }
}

/// A line's tiles slid towards the first cell, and what the merges bring.
fn slide<const N: usize>(line: [u8; N]) -> ([u8; N], f64) {
    let (mut slid, mut gained) = ([0; N], 0.0);
    let (mut end, mut may_merge) = (0, false);
    for tile in line.into_iter().filter(|&tile| tile > 0) {
        if may_merge && slid[end - 1] == tile {
            // Sixteen is beyond every board of these sizes; it is kept within its nibble all the same.
            slid[end - 1] = (tile + 1).min(15);
            gained += f64::from(2u32 << tile);
            may_merge = false;
        } else {
            slid[end] = tile;
            (end, may_merge) = (end + 1, true);
        }
    }
    (slid, gained)
}

fn line<const N: usize>(board: Board, row: usize) -> usize {
    (board >> (4 * N * row)) as usize & ((1 << (4 * N)) - 1)
}

/// Each row replaced.
#[inline]
fn by_rows<const N: usize>(board: Board, lines: &[u16]) -> Board {
    (0..N).fold(0, |image, row| image | u64::from(lines[line::<N>(board, row)]) << (4 * N * row))
}

/// Rows in the other order.
#[inline]
fn flipped<const N: usize>(board: Board) -> Board {
    (0..N).fold(0, |image, row| image | (line::<N>(board, row) as u64) << (4 * N * (N - 1 - row)))
}

/// Rows become columns.
#[inline]
fn transposed<const N: usize>(board: Board) -> Board {
    let mut image = 0;
    for row in 0..N {
        for column in 0..N {
            image |= (board >> (4 * (row * N + column)) & 15) << (4 * (column * N + row));
        }
    }
    image
}

/// The least of the images of a board.
fn canonical<const N: usize>(board: Board, lines: &Lines) -> Board {
    let of = |board: Board| {
        let mirrored = by_rows::<N>(board, &lines.mirrored);
        board.min(mirrored).min(flipped::<N>(board)).min(flipped::<N>(mirrored))
    };
    of(board).min(of(transposed::<N>(board)))
}

/// Calls `with` for each slide that moves a tile: what it leads to, and what it brings. The boards are images of what the
/// slides lead to.
#[inline]
fn slides<const N: usize>(board: Board, lines: &Lines, mut with: impl FnMut(Board, f64)) {
    for board in [board, transposed::<N>(board)] {
        for board in [board, by_rows::<N>(board, &lines.mirrored)] {
            let slid = by_rows::<N>(board, &lines.slid);
            if slid != board {
                let gained = (0..N).map(|row| lines.gained[line::<N>(board, row)]).sum();
                with(slid, gained);
            }
        }
    }
}

fn empty_cells<const N: usize>(board: Board) -> impl Iterator<Item = usize> {
    (0..N * N).filter(move |cell| board >> (4 * cell) & 15 == 0)
}

/// Half the sum of the tiles.
fn half_sum<const N: usize>(board: Board) -> usize {
    (0..N * N)
        .map(|cell| (board >> (4 * cell)) as usize & 15)
        .filter(|&tile| tile > 0)
        .map(|tile| 1 << (tile - 1))
        .sum()
}

impl Table {
    /// All that comes after these afterstates and positions.
    fn build<const N: usize>(afterstates: &[Board], positions: &[Board], work: &Work<'_>) -> Result<Table, Unsolved> {
        let lines = Lines::get::<N>();
        // No board holds more.
        let n_layers = (1 << (N * N + 1)) + 2;
        let mut after: Vec<Vec<Board>> = vec![Vec::new(); n_layers];
        let mut acts: Vec<Vec<Board>> = vec![Vec::new(); n_layers];
        afterstates.iter().for_each(|&board| after[half_sum::<N>(board)].push(canonical::<N>(board, lines)));
        positions.iter().for_each(|&board| acts[half_sum::<N>(board)].push(canonical::<N>(board, lines)));
        for sum in 0..n_layers - 2 {
            check(work, "positions", sum, 2 * n_layers)?;
            let (now, later) = acts.split_at_mut(sum + 1);
            let now = &mut now[sum];
            unique(now);
            for &board in now.iter() {
                slides::<N>(board, lines, |slid, _| after[sum].push(canonical::<N>(slid, lines)));
            }
            unique(&mut after[sum]);
            for &board in &after[sum] {
                for cell in empty_cells::<N>(board) {
                    later[0].push(canonical::<N>(board | 1 << (4 * cell), lines));
                    later[1].push(canonical::<N>(board | 2 << (4 * cell), lines));
                }
            }
        }
        let n_positions = acts.iter().map(|boards| boards.len() as u64).sum();
        let mut layers: Vec<Layer> = Vec::new();
        layers.resize_with(n_layers, Layer::default);
        // What positions are worth, of the two layers after this one.
        let (mut with_two, mut with_four) = (Layer::default(), Layer::default());
        for sum in (0..n_layers).rev() {
            check(work, "values", 2 * n_layers - sum, 2 * n_layers)?;
            let boards = std::mem::take(&mut after[sum]);
            let values = boards.iter().map(|&board| expected::<N>(board, &with_two, &with_four, lines)).collect();
            layers[sum] = Layer { boards, values };
            let boards = std::mem::take(&mut acts[sum]);
            let values = boards.iter().map(|&board| best::<N>(board, &layers[sum], lines).unwrap_or(0.0)).collect();
            with_four = std::mem::replace(&mut with_two, Layer { boards, values });
        }
        Ok(Table { layers, n_positions })
    }

    /// All that play reaches.
    fn of_play<const N: usize>(work: &Work<'_>) -> Result<Table, Unsolved> {
        // The first tile; the second is put as after a slide.
        let first: Vec<Board> = (0..N * N).flat_map(|cell| [1 << (4 * cell), 2 << (4 * cell)]).collect();
        Table::build::<N>(&first, &[], work)
    }

    /// The same from the folder, where it is kept.
    fn kept<const N: usize>(folder: Folder<'_>, work: &Work<'_>) -> Result<Table, Unsolved> {
        let (file, identity) = (format!("2048-{N}"), format!("2048:size={N}, afterstates, version 1"));
        let name = Name { file: &file, identity: &identity };
        if let Some(table) = kept::read(folder.path, &name, Table::read) {
            return Ok(table);
        }
        let table = Table::of_play::<N>(work)?;
        kept::write(folder, &name, &|sink| table.write(sink));
        Ok(table)
    }

    fn write(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.words([self.n_positions, self.layers.len() as u64])?;
        sink.words(self.layers.iter().map(|layer| layer.boards.len() as u64))?;
        for layer in &self.layers {
            sink.words(layer.boards.iter().copied())?;
            sink.words(layer.values.iter().map(|value| value.to_bits()))?;
        }
        Ok(())
    }

    fn read(source: &mut Source) -> io::Result<Table> {
        let counts = source.words(2)?;
        let sizes = source.words(counts[1] as usize)?;
        let layer = |size| {
            let (boards, values) = (source.words(size as usize)?, source.words(size as usize)?);
            Ok(Layer { boards, values: values.into_iter().map(f64::from_bits).collect() })
        };
        let layers = sizes.into_iter().map(layer).collect::<io::Result<_>>()?;
        Ok(Table { layers, n_positions: counts[0] })
    }

    fn n_afterstates(&self) -> usize {
        self.layers.iter().map(|layer| layer.boards.len()).sum()
    }

    /// What it takes in memory.
    fn bytes(&self) -> usize {
        (size_of::<Board>() + size_of::<f64>()) * self.n_afterstates()
    }

    /// What is to come where a tile is put.
    fn after<const N: usize>(&self, board: Board) -> Option<f64> {
        self.layers.get(half_sum::<N>(board))?.value(canonical::<N>(board, Lines::get::<N>()))
    }

    /// What is to come where the player acts.
    fn acts<const N: usize>(&self, board: Board) -> Option<f64> {
        best::<N>(board, self.layers.get(half_sum::<N>(board))?, Lines::get::<N>())
    }
}

fn check(work: &Work<'_>, stage: &'static str, done: usize, total: usize) -> Result<(), Unsolved> {
    (work.progress)(Progress { stage, done: done as u64, total: total as u64 });
    if work.is_over() { Err(Unsolved::OutOfTime) } else { Ok(()) }
}

fn unique(boards: &mut Vec<Board>) {
    boards.sort_unstable();
    boards.dedup();
    boards.shrink_to_fit();
}

/// The mean over the next tile.
fn expected<const N: usize>(board: Board, with_two: &Layer, with_four: &Layer, lines: &Lines) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for cell in empty_cells::<N>(board) {
        let value = |layer: &Layer, tile: u64| {
            let known = layer.value(canonical::<N>(board | tile << (4 * cell), lines));
            known.expect("what follows a board of the table is in the table")
        };
        sum += (1.0 - FOUR) * value(with_two, 1) + FOUR * value(with_four, 2);
        n += 1.0;
    }
    sum / n
}

/// The best slide's worth, 0 where there is none; `None` where one leads out of the layer.
fn best<const N: usize>(board: Board, after: &Layer, lines: &Lines) -> Option<f64> {
    let mut best = Some(0.0f64);
    slides::<N>(board, lines, |slid, gained| {
        let value = after.value(canonical::<N>(slid, lines)).map(|value| gained + value);
        best = best.zip(value).map(|(best, value)| best.max(value));
    });
    best
}

/// The tables of a size that this process has.
struct Tables {
    of_play: OnceLock<Table>,
    /// From positions on that play does not reach, the latest last.
    others: RwLock<Vec<Arc<Table>>>,
    /// Held while a table is built.
    building: Mutex<()>,
}

impl Tables {
    const fn new() -> Tables {
        Tables { of_play: OnceLock::new(), others: RwLock::new(Vec::new()), building: Mutex::new(()) }
    }

    /// What `look` finds in a table from a position on that play does not reach.
    fn in_others(&self, look: &dyn Fn(&Table) -> Option<f64>) -> Option<f64> {
        // The lock is not held while a table is searched.
        let others = self.others.read().unwrap_or_else(PoisonError::into_inner).clone();
        others.iter().rev().find_map(|table| look(table))
    }

    /// Keeps one more such table; the oldest ones go where all of them take more than `memory`, in bytes.
    fn keep(&self, table: Table, memory: usize) {
        let mut others = self.others.write().unwrap_or_else(PoisonError::into_inner);
        others.push(Arc::new(table));
        let of_play = self.of_play.get().map_or(0, Table::bytes);
        while !others.is_empty() && of_play + others.iter().map(|table| table.bytes()).sum::<usize>() > memory {
            others.remove(0);
        }
    }
}

impl<const N: usize> Layered<N> {
    fn tables(&self) -> &'static Tables {
        static TABLES: [Tables; 2] = [const { Tables::new() }; 2];
        &TABLES[N - 2]
    }

    /// All that play reaches, worked out or read once in a process.
    fn table(&self, work: &Work<'_>) -> Result<&'static Table, Unsolved> {
        let Tables { of_play, building, .. } = self.tables();
        if let Some(table) = of_play.get() {
            return Ok(table);
        }
        let _one_at_a_time = work.lock(building)?;
        if let Some(table) = of_play.get() {
            return Ok(table);
        }
        if work.memory < self.least_memory() {
            return Err(Unsolved::OutOfMemory);
        }
        let table = match work.folder.filter(|_| N > 2) {
            Some(folder) => Table::kept::<N>(folder, work)?,
            None => Table::of_play::<N>(work)?,
        };
        Ok(of_play.get_or_init(|| table))
    }

    fn board(&self, state: &State) -> Board {
        (0..(N * N) as u8).fold(0, |board, cell| board | u64::from(self.game.exponent(state, cell)) << (4 * cell))
    }

    /// What `look` finds in the table of all that play reaches, else in one of what follows these boards, `[afterstates, positions]`,
    /// which play does not reach then.
    fn find(
        &self,
        look: &dyn Fn(&Table) -> Option<f64>,
        [afterstates, positions]: [&[Board]; 2],
        work: &Work<'_>,
    ) -> Result<f64, Unsolved> {
        let (of_play, tables) = (self.table(work)?, self.tables());
        let known = || look(of_play).or_else(|| tables.in_others(look));
        if let Some(value) = known() {
            return Ok(value);
        }
        let _one_at_a_time = work.lock(&tables.building)?;
        // Who was faster may have built it while this thread waited.
        if let Some(value) = known() {
            return Ok(value);
        }
        let own = Table::build::<N>(afterstates, positions, work)?;
        let value = look(&own).unwrap_or(0.0);
        tables.keep(own, work.memory);
        Ok(value)
    }

    /// What is to come.
    fn to_come(&self, board: Board, n_tiles: usize, work: &Work<'_>) -> Result<f64, Unsolved> {
        match n_tiles {
            0 => self.find(&|table| table.acts::<N>(board), [&[], &[board]], work),
            1 => self.find(&|table| table.after::<N>(board), [&[board], &[]], work),
            _ => {
                let (mut sum, mut n) = (0.0, 0.0);
                for cell in empty_cells::<N>(board) {
                    let with = |tile: u64| self.to_come(board | tile << (4 * cell), n_tiles - 1, work);
                    sum += (1.0 - FOUR) * with(1)? + FOUR * with(2)?;
                    n += 1.0;
                }
                Ok(sum / n)
            }
        }
    }
}

impl<const N: usize> Solver<TwentyFortyEight> for Layered<N> {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let score = self.game.payoffs(position)[0];
        let to_come = match self.game.phase(position) {
            Phase::Over => 0.0,
            _ => self.to_come(self.board(position), position.n_to_come().into(), work)?,
        };
        let value = score + to_come;
        Ok(Exact { values: Payoffs::new([value]), plies: None, score: Some(value) })
    }

    fn least_memory(&self) -> usize {
        if N > 2 { BYTES } else { 0 }
    }

    fn statistics(&self) -> Statistics {
        let others = self.tables().others.read().unwrap_or_else(PoisonError::into_inner);
        let all = || self.tables().of_play.get().into_iter().chain(others.iter().map(|table| &**table));
        let positions = all().map(|table| table.n_positions + table.n_afterstates() as u64).sum();
        Statistics { positions, nodes: 0, bytes: all().map(|table| table.bytes() as u64).sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_folder::OwnFolder;
    use crate::unlimited::unlimited;
    use raichi_core::Notation;
    use raichi_core::host::CancelFlag;
    use raichi_core::random::stream;
    use rustc_hash::FxHashMap;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    fn solve(game: &TwentyFortyEight, state: &State) -> f64 {
        unlimited(|work| solver(game).unwrap().solve(state, work)).unwrap().values[0]
    }

    /// By the game's own rules, position by position.
    fn plainly(game: &TwentyFortyEight, state: &State, known: &mut FxHashMap<State, f64>) -> f64 {
        if let Some(&value) = known.get(state) {
            return value;
        }
        let value = match game.phase(state) {
            Phase::Over => game.payoffs(state)[0],
            Phase::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                let total: f64 = outcomes.iter().map(|&(_, weight)| weight as f64).sum();
                let worth = outcomes.iter().map(|&(spawn, weight)| {
                    let mut next = *state;
                    game.apply_outcome(&mut next, spawn);
                    weight as f64 / total * plainly(game, &next, known)
                });
                worth.sum()
            }
            Phase::Act(_) => {
                let mut actions = Vec::new();
                game.legal_actions(state, 0, &mut actions);
                let worth = actions.iter().map(|&action| {
                    let mut next = *state;
                    game.apply(&mut next, 0, action);
                    plainly(game, &next, known)
                });
                worth.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        known.insert(*state, value);
        value
    }

    #[test]
    fn every_position_of_2x2_is_worth_what_a_plain_walk_says() {
        let game = TwentyFortyEight::new(2);
        let mut known = FxHashMap::default();
        plainly(&game, &game.initial_state(), &mut known);
        assert!(known.len() > 500, "{}", known.len());
        let start = solve(&game, &game.initial_state());
        assert!((start - 66.964_149_457).abs() < 6e-10, "as docs/truths.md has it: {start}");
        for (state, value) in known {
            assert!((solve(&game, &state) - value).abs() < 1e-9, "{state:?}");
        }
    }

    #[test]
    fn positions_that_play_does_not_reach_are_valued_too() {
        let game = TwentyFortyEight::new(2);
        for text in ["8,8/8,8 0 score=64", "16,16/16,. ~1 score=144"] {
            let Ok(position) = game.parse_position(text) else { panic!("{:?}", game.parse_position(text).err()) };
            let value = plainly(&game, &position.state, &mut FxHashMap::default());
            assert!((solve(&game, &position.state) - value).abs() < 1e-9, "{text}: {value}");
        }
    }

    #[test]
    fn what_follows_a_position_that_play_does_not_reach_is_worked_out_once() {
        let game = TwentyFortyEight::new(2);
        let position = game.parse_position("16,16/16,. ~1 score=144").unwrap().state;
        let (n_built, solver) = (AtomicU32::new(0), solver(&game).unwrap());
        let count = |progress: Progress| {
            n_built.fetch_add(u32::from((progress.stage, progress.done) == ("positions", 0)), Relaxed);
        };
        let solve = |state: &State| unlimited(|work| solver.solve(state, &Work { progress: &count, ..*work })).unwrap();
        // The table of all that play reaches is built first, if no other test has.
        solve(&game.initial_state());
        let before = n_built.load(Relaxed);
        let value = plainly(&game, &position, &mut FxHashMap::default());
        for _ in 0..3 {
            assert!((solve(&position).values[0] - value).abs() < 1e-9, "{value}");
        }
        // None where another test has asked before.
        assert!(n_built.load(Relaxed) <= before + 1);
        // Where there is no room for it, it is not kept.
        let tables = Layered::<2> { game: game.clone() }.tables();
        let own = unlimited(|work| Table::build::<2>(&[], &[0x5331], work)).unwrap();
        tables.keep(own, 0);
        assert_eq!(tables.others.read().unwrap().len(), 0);
    }

    #[test]
    fn a_table_that_is_kept_is_read_and_a_damaged_one_is_made_anew() {
        let folder = OwnFolder::new("2048");
        let bits = |table: Table| -> Vec<u64> {
            let layer = |layer: Layer| [layer.boards, layer.values.into_iter().map(f64::to_bits).collect()].concat();
            std::iter::once(table.n_positions).chain(table.layers.into_iter().flat_map(layer)).collect()
        };
        let make = || unlimited(|work| Table::kept::<2>(folder.kept(), work)).map(bits);
        // When the time is up nothing is worked out any more: it is read, or not known.
        let cancel = CancelFlag::default();
        cancel.cancel();
        let read = || unlimited(|work| Table::kept::<2>(folder.kept(), &Work { cancel: &cancel, ..*work })).map(bits);
        assert_eq!(read(), Err(Unsolved::OutOfTime));
        let made = make().unwrap();
        assert!(made[0] > 100, "{}", made[0]);
        assert_eq!(read().as_ref(), Ok(&made));
        let file = folder.0.join("2048-2.table");
        let mut damaged = std::fs::read(&file).unwrap();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 4;
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(read(), Err(Unsolved::OutOfTime));
        assert_eq!(make().as_ref(), Ok(&made));
        assert_eq!(read(), Ok(made));
    }

    #[test]
    fn late_positions_of_3x3_are_worth_what_a_plain_walk_says() {
        // From near the greatest sum, little play is left; the table is built from the position itself.
        let game = TwentyFortyEight::new(3);
        let solver = Layered::<3> { game: game.clone() };
        for text in ["1024,512,256/128,64,32/16,4,. ~1 score=15808", "1024,512,256/32,64,128/.,4,2 0 score=15748"] {
            let position = game.parse_position(text).unwrap().state;
            let value = plainly(&game, &position, &mut FxHashMap::default()) - game.payoffs(&position)[0];
            let board = solver.board(&position);
            let table =
                |after: &[Board], acts: &[Board]| unlimited(|work| Table::build::<3>(after, acts, work)).unwrap();
            let found = match position.n_to_come() {
                0 => table(&[], &[board]).acts::<3>(board),
                _ => table(&[board], &[]).after::<3>(board),
            };
            assert!((found.unwrap() - value).abs() < 1e-9, "{text}: {found:?} {value}");
        }
    }

    #[test]
    #[ignore = "nightly: the table of 3×3 takes half a minute and 900 MB to build"]
    fn nightly_3x3_is_worth_what_is_published() {
        let game = TwentyFortyEight::new(3);
        let value = solve(&game, &game.initial_state());
        assert!((value - 5469.0).abs() < 1.0 && (value - 5_468.486_797).abs() < 1e-5, "{value}");
        // Each position is worth what follows it.
        let (mut state, mut rng) = (game.initial_state(), stream(1, "test", 0));
        while game.phase(&state) != Phase::Over {
            let here = solve(&game, &state);
            if game.phase(&state) == Phase::Chance {
                let spawn = game.sample_outcome(&state, &mut rng);
                game.apply_outcome(&mut state, spawn);
                continue;
            }
            let mut actions = Vec::new();
            game.legal_actions(&state, 0, &mut actions);
            let after = actions.iter().map(|&action| {
                let mut next = state;
                game.apply(&mut next, 0, action);
                (solve(&game, &next), next)
            });
            let (best, next) = after.max_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
            assert!((here - best).abs() < 1e-9);
            state = next;
        }
    }
}
