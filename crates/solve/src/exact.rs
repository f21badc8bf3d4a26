//! What is known exactly about a position, and who finds it out.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use raichi_core::game::{Game, Payoffs};
use raichi_core::host::{CancelFlag, Host};
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;

/// What a position is worth under best play.
#[derive(Clone, PartialEq, Debug)]
pub struct Exact {
    /// The payoffs by seat, without any cap. Where play can go round for ever, as the rule of the path that ends it says.
    pub values: Payoffs,
    /// How many plies the game lasts under best play, the winner shortening it and the loser prolonging it; `None` where the
    /// method does not tell, and for chance and three seats or more.
    pub plies: Option<u32>,
    /// What the game's experts count, from the view of the seat to act (of seat 0 where nobody is to act); `None` where there
    /// is no such number.
    pub score: Option<f64>,
}

impl Exact {
    /// Payoffs about which nothing more is known.
    pub fn of(values: Payoffs) -> Exact {
        Exact { values, plies: None, score: None }
    }
}

/// How a value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By the rules: the game is over.
    Rules,
    /// By a formula or a strategy that is proven.
    Proof,
    /// From a table of all positions.
    Table,
    /// By a search to the end.
    Search,
}

impl Method {
    /// The method in a word.
    pub fn name(self) -> &'static str {
        match self {
            Method::Rules => "rules",
            Method::Proof => "proof",
            Method::Table => "table",
            Method::Search => "search",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a position was not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The time was up, or the work was cancelled.
    #[error("no exact value was found in the time given")]
    OutOfTime,
    /// The memory allowed does not hold what is needed.
    #[error("no exact value was found in the memory given")]
    OutOfMemory,
    /// The solver does not know such positions; the sentence says which it knows.
    #[error("{0}")]
    Unknown(String),
}

/// How far long work has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// What is being done, in a few words ("distance 7", "writing the table").
    pub stage: &'static str,
    /// How much of it is done, of `total`.
    pub done: u64,
    /// 0 where nobody knows.
    pub total: u64,
}

/// A folder where tables are kept from run to run.
#[derive(Clone, Copy)]
pub struct Folder<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// Is told of each table that cannot be kept there, by any thread. What was found out is not lost: it is found again the
    /// next time.
    pub not_kept: &'a (dyn Fn(&NotKept) + Sync),
}

/// Why a table is not kept.
#[derive(Debug, thiserror::Error)]
#[error("the {what} {name} cannot be kept in {}: {why}", folder.display())]
pub struct NotKept {
    /// What it is: `table`, or `checkpoint` of one that is not finished.
    pub what: &'static str,
    /// Which table it is, by the name of its file without the ending.
    pub name: String,
    /// Where it should lie.
    pub folder: PathBuf,
    /// Why it does not.
    pub why: io::Error,
}

/// What a solver may use.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// By the host's clock; `None` is no deadline.
    pub deadline: Option<Duration>,
    /// Ends it early.
    pub cancel: &'a CancelFlag,
    /// The clock and the threads.
    pub host: &'a dyn Host,
    /// How many threads it may use at once; at least 1.
    pub n_threads: usize,
    /// The most that its tables may take, in bytes.
    pub memory: usize,
    /// The folder where tables are kept from run to run; `None` keeps them in memory only.
    pub folder: Option<Folder<'a>>,
    /// Is told of progress now and then, by any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Work<'_> {
    /// Whether the work is to end. It reads the clock: ask every thousand nodes or so.
    pub fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|deadline| self.host.now() >= deadline)
    }

    /// The lock, as soon as it is free.
    ///
    /// # Errors
    /// When the work is over before.
    pub fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> Result<MutexGuard<'m, T>, Unsolved> {
        loop {
            match mutex.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if self.is_over() => return Err(Unsolved::OutOfTime),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}

/// What solving cost, all calls together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Different positions valued.
    pub positions: u64,
    /// Positions entered by an action.
    pub nodes: u64,
    /// What the tables take now.
    pub bytes: u64,
}

/// Finds the exact values of positions of one game with its parameters.
///
/// A solver is made once and asked often, by several threads: what it builds on first use it keeps.
pub trait Solver<G: Game>: Send + Sync {
    /// How it knows.
    fn method(&self) -> Method;

    /// How it knows what `position` is worth, where it knows some positions otherwise than the rest.
    fn method_of(&self, _position: &G::State) -> Method {
        self.method()
    }

    /// Makes or reads such tables as take little time, before a clock runs that counts; nothing is wrong where it is not called.
    fn get_ready(&self, _work: &Work<'_>) {}

    /// What `position` is worth. Positions that are over and positions at chance are allowed.
    ///
    /// # Errors
    /// When the work ended before the value was known, or the solver does not know such positions.
    fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<Exact, Unsolved>;

    /// What `position` is worth after `action`, to a seat that does not see what is hidden in it; `None` where that is what the
    /// position after it is worth, as it is unless the action brings something hidden to light.
    fn solve_action(
        &self,
        _position: &G::State,
        _seat: Seat,
        _action: G::Action,
        _work: &Work<'_>,
    ) -> Option<Result<Exact, Unsolved>> {
        None
    }

    /// Why `position` is worth what it is, where that can be said to people; `None` where it cannot.
    fn reason(&self, _position: &G::State) -> Option<Reason> {
        None
    }

    /// Whether every position it knows is valued at once (in well under a millisecond), once tables are built.
    fn is_immediate(&self) -> bool {
        matches!(self.method(), Method::Proof | Method::Table)
    }

    /// Whether it values every position that it knows within about a second: at once, or by a short search.
    fn is_quick(&self) -> bool {
        self.is_immediate()
    }

    /// Whether who asks waits until all that were there before are answered.
    fn answers_one_at_a_time(&self) -> bool {
        false
    }

    /// Whether a position that it does not know may be asked of another solver; not where such positions are too large for any.
    fn leaves_the_rest(&self, _position: &G::State) -> bool {
        true
    }

    /// With less memory than this, in bytes, it knows nothing.
    fn least_memory(&self) -> usize {
        0
    }

    /// What solving has cost so far.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
