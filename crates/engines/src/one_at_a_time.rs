//! A search with a table of its own, of which one asks at a time: who comes first is let in first, and who waits looks at
//! the clock.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use raichi_solve::{Statistics, Unsolved, Work};

/// A search that keeps what it found.
pub(crate) trait WithTable {
    /// What all that was asked of it has cost together.
    fn cost(&self) -> Statistics;

    /// Empties its table. One that is full has no room for what is asked next, however little that is.
    fn forget(&mut self);
}

/// The search, what it had cost when it was last left, and who waits.
pub(crate) struct OneAtATime<S> {
    search: Mutex<S>,
    cost: Mutex<Statistics>,
    line: Mutex<Line>,
    is_left: Condvar,
}

#[derive(Default)]
struct Line {
    is_taken: bool,
    waiting: VecDeque<u64>,
    n_came: u64,
}

/// How long one sleeps before the clock is looked at again.
const NAP: Duration = Duration::from_millis(2);

impl<S: WithTable> OneAtATime<S> {
    pub(crate) fn new(search: S) -> Self {
        let cost = Mutex::new(search.cost());
        OneAtATime { search: Mutex::new(search), cost, line: Mutex::default(), is_left: Condvar::new() }
    }

    /// What `question` finds out, once it is its turn.
    ///
    /// # Errors
    /// Its own, and when the work is over before its turn comes.
    pub(crate) fn ask<T>(
        &self,
        work: &Work<'_>,
        question: impl FnOnce(&mut S) -> Result<T, Unsolved>,
    ) -> Result<T, Unsolved> {
        let _turn = self.wait(work)?;
        let mut search = lock(&self.search);
        let found = question(&mut search);
        if matches!(found, Err(Unsolved::OutOfMemory)) {
            search.forget();
        }
        *lock(&self.cost) = search.cost();
        found
    }

    /// What it had cost when it was last left; nobody has to wait for that.
    pub(crate) fn statistics(&self) -> Statistics {
        *lock(&self.cost)
    }

    fn wait(&self, work: &Work<'_>) -> Result<Turn<'_, S>, Unsolved> {
        let mut line = lock(&self.line);
        let own = line.n_came;
        line.n_came += 1;
        line.waiting.push_back(own);
        while line.is_taken || line.waiting.front() != Some(&own) {
            line = self.is_left.wait_timeout(line, NAP).unwrap_or_else(PoisonError::into_inner).0;
            if work.is_over() {
                line.waiting.retain(|&other| other != own);
                return Err(Unsolved::OutOfTime);
            }
        }
        line.waiting.pop_front();
        line.is_taken = true;
        Ok(Turn(self))
    }
}

/// Lets the next one in when it goes, also where a question panics.
struct Turn<'a, S>(&'a OneAtATime<S>);

impl<S> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        lock(&self.0.line).is_taken = false;
        self.0.is_left.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::host::CancelFlag;

    /// Notes who asks.
    #[derive(Default)]
    struct Notes(Vec<u32>);

    impl WithTable for Notes {
        fn cost(&self) -> Statistics {
            Statistics { nodes: self.0.len() as u64, ..Statistics::default() }
        }

        fn forget(&mut self) {
            self.0.clear();
        }
    }

    #[test]
    fn what_is_full_is_emptied() {
        let notes = OneAtATime::new(Notes::default());
        let note = |notes: &mut Notes| {
            notes.0.push(notes.0.len() as u32);
            if notes.0.len() > 2 { Err(Unsolved::OutOfMemory) } else { Ok(()) }
        };
        let answers: Vec<_> = (0..4).map(|_| unlimited(|work| notes.ask(work, note))).collect();
        assert_eq!(answers, [Ok(()), Ok(()), Err(Unsolved::OutOfMemory), Ok(())]);
        assert_eq!(notes.statistics().nodes, 1);
    }

    #[test]
    fn who_waits_is_cancelled_and_who_came_first_is_let_in_first() {
        let notes = OneAtATime::new(Notes::default());
        let n_came = || lock(&notes.line).n_came;
        let note = |name| {
            let note = |notes: &mut Notes| {
                notes.0.push(name);
                Ok(())
            };
            unlimited(|work| notes.ask(work, note))
        };
        std::thread::scope(|scope| {
            let first = |first: &mut Notes| {
                first.0.push(0);
                // The one that comes next is cancelled, and then two come of which none is.
                let cancel = CancelFlag::default();
                cancel.cancel();
                let refused = unlimited(|work| notes.ask(&Work { cancel: &cancel, ..*work }, |_| Ok(())));
                assert_eq!(refused, Err(Unsolved::OutOfTime));
                assert_eq!(notes.statistics().nodes, 0, "nobody waits to be told");
                for name in 1..3 {
                    let before = n_came();
                    scope.spawn(move || note(name).unwrap());
                    while n_came() == before {
                        std::thread::yield_now();
                    }
                }
                Ok(())
            };
            unlimited(|work| notes.ask(work, first)).unwrap();
        });
        assert_eq!(lock(&notes.search).0, [0, 1, 2]);
        assert_eq!(notes.statistics().nodes, 3);
    }
}
