//! A table of all positions met so far, which many read at a time and one search fills at a time. Who waits for either looks at
//! the clock.

use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use std::time::Duration;

use raichi_solve::{Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

/// How long one sleeps before the clock is looked at again.
const NAP: Duration = Duration::from_millis(2);

/// The table, and what it had cost when it was last filled.
pub(crate) struct SharedTable<K, V> {
    known: RwLock<FxHashMap<K, V>>,
    cost: Mutex<Statistics>,
}

/// The table in the hands of the one search that fills it.
pub(crate) struct Filling<'a, K, V> {
    table: &'a SharedTable<K, V>,
    known: RwLockWriteGuard<'a, FxHashMap<K, V>>,
}

/// What a table takes: an entry and a byte of control for each place, of which it uses seven eighths.
pub(crate) fn bytes<K, V>(known: &FxHashMap<K, V>) -> u64 {
    (known.capacity() * (size_of::<(K, V)>() + 1)) as u64 * 8 / 7
}

/// Whether a table has no room in so much memory for `n` more entries. When it grows it gets twice the room, and the old table lies
/// beside the new one.
pub(crate) fn is_full<K, V>(known: &FxHashMap<K, V>, n: usize, memory: usize) -> bool {
    let grows = known.capacity() - known.len() < n;
    bytes(known) * if grows { 3 } else { 1 } > memory as u64
}

impl<K: Eq + Hash, V: Copy> SharedTable<K, V> {
    pub(crate) fn new() -> SharedTable<K, V> {
        SharedTable { known: RwLock::default(), cost: Mutex::default() }
    }

    /// What is known of a position.
    ///
    /// # Errors
    /// When the work is over before the table can be read.
    pub(crate) fn find(&self, key: &K, work: &Work<'_>) -> Result<Option<V>, Unsolved> {
        let known = when_free(work, || self.known.try_read())?;
        Ok(known.get(key).copied())
    }

    /// The table for a search, once no other one fills it.
    ///
    /// # Errors
    /// When the work is over before.
    pub(crate) fn fill(&self, work: &Work<'_>) -> Result<Filling<'_, K, V>, Unsolved> {
        Ok(Filling { table: self, known: when_free(work, || self.known.try_write())? })
    }

    /// What it had cost when it was last filled; nobody has to wait for that.
    pub(crate) fn statistics(&self) -> Statistics {
        *self.cost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V: Copy> Filling<'_, K, V> {
    /// Ends a search of so many nodes that found this. A table that is full is emptied: it has no room for what is asked next,
    /// however little that is.
    ///
    /// # Errors
    /// That of the search.
    pub(crate) fn end<T>(mut self, found: Result<T, Unsolved>, n_nodes: u64) -> Result<T, Unsolved> {
        if matches!(found, Err(Unsolved::OutOfMemory)) {
            *self.known = FxHashMap::default();
        }
        let mut cost = self.table.cost.lock().unwrap_or_else(PoisonError::into_inner);
        cost.positions = self.known.len() as u64;
        cost.bytes = bytes(&self.known);
        cost.nodes += n_nodes;
        found
    }
}

impl<K, V> Deref for Filling<'_, K, V> {
    type Target = FxHashMap<K, V>;

    fn deref(&self) -> &Self::Target {
        &self.known
    }
}

impl<K, V> DerefMut for Filling<'_, K, V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.known
    }
}

fn when_free<G>(work: &Work<'_>, try_lock: impl Fn() -> Result<G, TryLockError<G>>) -> Result<G, Unsolved> {
    loop {
        match try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if work.is_over() => return Err(Unsolved::OutOfTime),
            Err(TryLockError::WouldBlock) => std::thread::sleep(NAP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::host::CancelFlag;

    #[test]
    fn who_waits_for_a_search_is_cancelled_and_told_what_it_cost_before() {
        let table: SharedTable<u8, u8> = SharedTable::new();
        unlimited(|work| {
            let mut filling = table.fill(work).unwrap();
            filling.insert(1, 10);
            let cancel = CancelFlag::default();
            cancel.cancel();
            let over = Work { cancel: &cancel, ..*work };
            assert_eq!(table.find(&1, &over), Err(Unsolved::OutOfTime));
            assert!(table.fill(&over).is_err());
            assert_eq!(table.statistics().nodes, 0);
            assert_eq!(filling.end(Ok(()), 7), Ok(()));
            assert_eq!((table.find(&1, &over), table.statistics().nodes), (Ok(Some(10)), 7));
        });
    }

    #[test]
    fn what_is_full_is_emptied() {
        let table: SharedTable<u8, u8> = SharedTable::new();
        unlimited(|work| {
            let mut filling = table.fill(work).unwrap();
            filling.insert(1, 10);
            assert_eq!(filling.end(Err::<(), _>(Unsolved::OutOfMemory), 1), Err(Unsolved::OutOfMemory));
            assert_eq!(table.find(&1, work), Ok(None));
            assert_eq!((table.statistics().positions, table.statistics().bytes), (0, 0));
        });
    }
}
