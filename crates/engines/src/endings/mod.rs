//! Tables of endings: made once in a process, those that they depend on first, or read where they lie in a folder.
//!
//! A game says which endings it has ([`Ending`]); the analysis is [`raichi_solve::numbered`]. Tables of some million numbers
//! are made on first use. Larger ones are read where they lie in the folder, and made where no deadline is given and the
//! memory suffices.

#[cfg(test)]
pub(crate) mod checks;

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use raichi_solve::numbered::{Analysis, Numbered, State, Table, Value};
use raichi_solve::{Unsolved, Work};

use crate::table_files;

/// Tables of so many numbers are made whenever they are asked for; it takes some ten seconds of one core.
const SMALL: u64 = 5_000_000;

/// A set of positions with the same pieces, which has a table.
pub trait Ending: Numbered + Sized + Send + 'static {
    /// Which ending it is.
    type Key: Copy + Eq + Hash + Debug;

    /// The ending with this key.
    ///
    /// # Errors
    /// A sentence that says which endings there are.
    fn of(key: Self::Key) -> Result<Self, String>;

    /// Which ending it is.
    fn key(&self) -> Self::Key;

    /// The name of its file, without what follows the dot; no other ending has it.
    fn name(&self) -> String;

    /// The pieces in words, for errors: `3 Muscovites and 2 Swedes`.
    fn pieces(&self) -> String;

    /// What one ply that captures something may lead to.
    fn after_captures(&self) -> Vec<Self>;

    /// The tables of this process.
    fn tables() -> &'static Tables<Self>;
}

/// The tables that this process has, of the endings of one game.
#[derive(Debug)]
pub struct Tables<E: Ending> {
    made: RwLock<HashMap<E::Key, Arc<WithTable<E>>>>,
    /// What was interrupted.
    making: Mutex<HashMap<E::Key, Analysis>>,
}

/// An ending and its table.
#[derive(Debug)]
pub struct WithTable<E> {
    /// The ending.
    pub ending: E,
    /// What its positions are worth.
    pub table: Table,
}

impl<E: Ending> WithTable<E> {
    fn value(&self, state: &State<E>) -> Option<Value> {
        self.ending.number(state).map(|number| self.table.value(number))
    }
}

impl<E: Ending> Default for Tables<E> {
    fn default() -> Self {
        Tables { made: RwLock::default(), making: Mutex::default() }
    }
}

impl<E: Ending> Tables<E> {
    /// The ending with its table, once in a process: read from the folder of `work`, or made after those that it depends on. What
    /// was interrupted goes on next time.
    ///
    /// # Errors
    /// When there is no such ending, or it takes more time or memory than there is.
    pub fn get(&self, key: E::Key, work: &Work<'_>) -> Result<Arc<WithTable<E>>, Unsolved> {
        if let Some(made) = self.made(key) {
            return Ok(made);
        }
        let ending = E::of(key).map_err(Unsolved::Unknown)?;
        let name = ending.name();
        let in_folder = work.folder.and_then(|folder| table_files::read(&ending, folder.path, &name));
        let table = match in_folder {
            Some(Ok(table)) => table,
            refused => {
                if work.deadline.is_some() && ending.n_numbers() > SMALL {
                    return Err(too_large(&ending, refused.and_then(Result::err).map(|why| why.to_string())));
                }
                if Analysis::bytes(ending.n_numbers()) > work.memory as u64 {
                    return Err(Unsolved::OutOfMemory);
                }
                let smaller: Vec<_> = ending
                    .after_captures()
                    .iter()
                    .map(|fewer| self.get(fewer.key(), work))
                    .collect::<Result<_, _>>()?;
                let beyond = |state: &State<E>| smaller.iter().find_map(|smaller| smaller.value(state));
                let path = work.folder.map(|folder| folder.path);
                let mut making = work.lock(&self.making)?;
                // Who was faster may have made it while this thread waited.
                if let Some(made) = self.made(key) {
                    return Ok(made);
                }
                let mut analysis = making.remove(&key).unwrap_or_else(|| table_files::begin(&ending, path, &name));
                if let Err(why) = table_files::finish(&ending, &mut analysis, &beyond, work, &name) {
                    // What is larger is written down, where there is a folder.
                    if why == Unsolved::OutOfTime && ending.n_numbers() <= SMALL {
                        making.insert(key, analysis);
                    }
                    return Err(why);
                }
                table_files::keep(&ending, analysis.into_table(&ending)?, work.folder, &name)
            }
        };
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(made.entry(key).or_insert_with(|| Arc::new(WithTable { ending, table }))))
    }

    fn made(&self, key: E::Key) -> Option<Arc<WithTable<E>>> {
        self.made.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// How many numbers the tables have that were made or read, and how many bytes of memory they take.
    pub fn size(&self) -> (u64, u64) {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let of = |size: fn(&Table) -> u64| made.values().map(|made| size(&made.table)).sum();
        (of(Table::n_numbers), of(Table::bytes))
    }
}

fn too_large<E: Ending>(ending: &E, damaged: Option<String>) -> Unsolved {
    let why = damaged.unwrap_or_else(|| "it lies in no folder of tables".into());
    let pieces = ending.pieces();
    Unsolved::Unknown(format!("the table of {pieces} is too large to be made in a given time, and {why}"))
}
