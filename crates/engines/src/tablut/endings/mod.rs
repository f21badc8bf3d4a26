//! Endings with few men: what every position is worth, and how long it lasts.
//!
//! Method: retrograde analysis of all positions with the same men ([`raichi_solve::numbered`]), the eight images of a position
//! kept once. A capture leads to fewer men, whose tables are made first. What neither side forces to an end is a draw,
//! as the third occurrence of a position is. The tables are of Black, Muscovites, as seat 0; the parameter `first` changes
//! the seats and nothing else, every range of the king has tables of its own.
//! Handled: up to [`MOST_MEN`](numbering) men besides the king. Tables of some million numbers are made on first use. Larger ones
//! are read where they lie in the folder, and made where no deadline is given and the memory suffices.
//! Checked: the second pass of the analysis; `tests`, against a plain graph of the positions.

mod numbering;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use raichi_core::erased::create;
use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::tablut::{Side, State, Tablut};
use raichi_solve::numbered::{Analysis, Numbered, Table};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use crate::table_files;

/// Tables of so many numbers are made whenever they are asked for; it takes some ten seconds of one core.
const SMALL: u64 = 5_000_000;

/// Which table: the king's range, and how many Muscovites and Swedes there are.
type Key = (u8, usize, usize);

/// The positions of the king and so many Swedes against so many Muscovites.
#[derive(Clone, Debug)]
pub struct Ending {
    /// With Black as seat 0.
    game: Tablut,
    muscovites: usize,
    swedes: usize,
    /// By the king's cell: the first number.
    begins: [u64; 10],
}

impl Ending {
    /// The ending with so many men, under rules with this range of the king; `None` where there are too many men.
    pub fn new(king_range: u8, muscovites: usize, swedes: usize) -> Option<Ending> {
        if muscovites + swedes > numbering::MOST_MEN {
            return None;
        }
        let game = create::<Tablut>(Some(&format!("king-range={king_range}"))).ok()?;
        let mut ending = Ending { game: *game.game(), muscovites, swedes, begins: [0; 10] };
        ending.begins = ending.begins();
        Some(ending)
    }

    fn key(&self) -> Key {
        (self.game.king_range(), self.muscovites, self.swedes)
    }

    /// What a capture leads to: at most three men are captured at once, and without Muscovites the game is over.
    fn after_captures(&self) -> impl Iterator<Item = Ending> {
        let (range, muscovites, swedes) = self.key();
        let fewer = |n: usize, least: usize| n.saturating_sub(3).max(least)..n;
        let white = fewer(muscovites, 1).map(move |fewer| (fewer, swedes));
        let black = fewer(swedes, 0).map(move |fewer| (muscovites, fewer));
        white.chain(black).filter_map(move |(muscovites, swedes)| Ending::new(range, muscovites, swedes))
    }

    /// The file's name without what follows the dot.
    fn name(&self) -> String {
        let (range, muscovites, swedes) = self.key();
        format!("tablut-range-{range}-{muscovites}m{swedes}s")
    }

    /// The table, once in a process: read from the folder of `work`, or made after those that it depends on. What was
    /// interrupted goes on next time.
    ///
    /// # Errors
    /// When it takes more time or memory than there is.
    pub fn table(&self, work: &Work<'_>) -> Result<Arc<Table>, Unsolved> {
        static MADE: LazyLock<RwLock<HashMap<Key, Arc<Table>>>> = LazyLock::new(RwLock::default);
        static MAKING: LazyLock<Mutex<HashMap<Key, Analysis>>> = LazyLock::new(Mutex::default);
        let made = || MADE.read().unwrap_or_else(PoisonError::into_inner).get(&self.key()).cloned();
        if let Some(table) = made() {
            return Ok(table);
        }
        let in_folder = work.folder.and_then(|folder| table_files::read(self, folder, &self.name()));
        let table = match in_folder {
            Some(Ok(table)) => table,
            refused => {
                if work.deadline.is_some() && self.n_numbers() > SMALL {
                    return Err(self.too_large(refused.and_then(Result::err).map(|why| why.to_string())));
                }
                if Analysis::bytes(self.n_numbers()) > work.memory as u64 {
                    return Err(Unsolved::OutOfMemory);
                }
                let smaller = Smaller::of(self, work)?;
                let mut making = lock_in_time(&MAKING, work)?;
                // Who was faster may have made it while this thread waited.
                if let Some(table) = made() {
                    return Ok(table);
                }
                let name = self.name();
                let mut analysis =
                    making.remove(&self.key()).unwrap_or_else(|| table_files::begin(self, work.folder, &name));
                if let Err(why) = table_files::finish(self, &mut analysis, &|state| smaller.value(state), work, &name) {
                    // What is larger is written down, where there is a folder.
                    if why == Unsolved::OutOfTime && self.n_numbers() <= SMALL {
                        making.insert(self.key(), analysis);
                    }
                    return Err(why);
                }
                table_files::keep(self, analysis.into_table(self)?, work.folder, &name)
            }
        };
        let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(made.entry(self.key()).or_insert(Arc::new(table))))
    }

    fn too_large(&self, damaged: Option<String>) -> Unsolved {
        let (_, muscovites, swedes) = self.key();
        let why = damaged.unwrap_or_else(|| "it lies in no folder of tables".into());
        Unsolved::Unknown(format!(
            "the table of {muscovites} Muscovites and {swedes} Swedes is too large to be made in a given time, and {why}"
        ))
    }
}

/// The lock, as soon as it is free.
///
/// # Errors
/// When the work is over before.
fn lock_in_time<'a, T>(mutex: &'a Mutex<T>, work: &Work<'_>) -> Result<MutexGuard<'a, T>, Unsolved> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if work.is_over() => return Err(Unsolved::OutOfTime),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// The tables that captures lead to.
struct Smaller(Vec<(Ending, Arc<Table>)>);

impl Smaller {
    fn of(ending: &Ending, work: &Work<'_>) -> Result<Smaller, Unsolved> {
        let table = |ending: Ending| {
            let table = ending.table(work)?;
            Ok((ending, table))
        };
        ending.after_captures().map(table).collect::<Result<_, _>>().map(Smaller)
    }

    fn value(&self, state: &State) -> Option<raichi_solve::numbered::Value> {
        self.0.iter().find_map(|(ending, table)| Some(table.value(ending.number(state)?)))
    }
}

/// The solver: endings, by tables.
#[derive(Debug)]
pub struct Endings {
    game: Tablut,
    used: RwLock<HashMap<Key, Arc<Used>>>,
}

/// An ending that positions were asked of.
#[derive(Debug)]
struct Used {
    ending: Ending,
    table: Arc<Table>,
}

impl Endings {
    /// The solver for these rules.
    pub fn new(game: &Tablut) -> Endings {
        Endings { game: *game, used: RwLock::default() }
    }

    /// The ending that a position belongs to, with its table.
    fn ending_of(&self, position: &State, work: &Work<'_>) -> Result<Arc<Used>, Unsolved> {
        let count = |side| position.of(side).count_ones() as usize;
        let key = (self.game.king_range(), count(Side::Black), count(Side::White) - 1);
        if let Some(used) = self.used.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(used));
        }
        let too_many = || {
            let most = numbering::MOST_MEN;
            Unsolved::Unknown(format!("endings are known with at most {most} men besides the king"))
        };
        let ending = Ending::new(key.0, key.1, key.2).ok_or_else(too_many)?;
        let used = Arc::new(Used { table: ending.table(work)?, ending });
        self.used.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&used));
        Ok(used)
    }
}

impl Solver<Tablut> for Endings {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let used = self.ending_of(position, work)?;
        let Used { ending, table } = &*used;
        let exact = table.exact(ending.number(position).expect("what is not over has a number"));
        // The table's seat 0 is Black.
        let values = [Side::Black, Side::White].map(|side| exact.values[ending.game.seat(side)]);
        let seat_0 = self.game.side(0) as usize;
        Ok(Exact { values: Payoffs::new([values[seat_0], values[1 - seat_0]]), ..exact })
    }

    /// Tables are made when the first position of theirs is asked for.
    fn is_immediate(&self) -> bool {
        false
    }

    /// Graphs of more men are larger than any memory.
    fn leaves_the_rest(&self) -> bool {
        false
    }

    fn statistics(&self) -> Statistics {
        let used = self.used.read().unwrap_or_else(PoisonError::into_inner);
        let positions = used.values().map(|used| used.table.n_numbers()).sum();
        Statistics { positions, nodes: 0, bytes: used.values().map(|used| used.table.bytes()).sum() }
    }
}
