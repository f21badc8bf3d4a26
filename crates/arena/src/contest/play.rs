//! Playing what a schedule says, on threads, with the results in order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use raichi_agents::AgentError;
use raichi_core::record::Record;

use super::{Contest, CostMeter, Journal, JournalError, Outcome, Planned, Schedule};
use crate::runner::Step;

/// Why a contest ends before its time.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// An agent cannot choose.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The records cannot be kept, or are another contest's.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Whether a contest goes on after a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It does.
    Continue,
    /// Enough is known.
    Stop,
}

/// Plays what `schedule` says on `threads` threads. Records go to `journal`, and what stands there already is not played.
/// `tell` is told every result with its record, in the order of the games' numbers, also of those from the journal; it can
/// end the contest. Returns all results.
///
/// # Errors
/// When an agent cannot choose, or the journal is another contest's or cannot be written.
pub fn play(
    contest: &Contest,
    schedule: &mut dyn Schedule,
    journal: &mut Journal,
    threads: usize,
    tell: &mut (dyn FnMut(&Outcome, &Record) -> Flow + Send),
) -> Result<Vec<Outcome>, ContestError> {
    let mut results = Vec::new();
    let mut flow = Flow::Continue;
    while flow == Flow::Continue {
        let mut planned = schedule.next(&results).into_iter();
        if planned.len() == 0 {
            break;
        }
        while flow == Flow::Continue && planned.len() > 0 {
            let Some((outcome, record)) = journal.recorded(contest, &planned.as_slice()[0])? else { break };
            flow = tell(&outcome, &record);
            results.push(outcome);
            planned.next();
        }
        if flow == Flow::Continue {
            flow = play_new(contest, planned.as_slice(), journal, threads, tell, &mut results)?;
        }
    }
    journal.finish()?;
    Ok(results)
}

type Finished = Result<(Outcome, Record), AgentError>;

/// Where finished games wait until all before them are there, and what is done with them then.
struct InOrder<'a> {
    next: usize,
    waiting: BTreeMap<usize, Finished>,
    journal: &'a mut Journal,
    tell: &'a mut (dyn FnMut(&Outcome, &Record) -> Flow + Send),
    results: &'a mut Vec<Outcome>,
    ended: Result<Flow, ContestError>,
}

impl InOrder<'_> {
    /// Returns whether to go on.
    fn take(&mut self, i: usize, finished: Finished) -> bool {
        self.waiting.insert(i, finished);
        while matches!(self.ended, Ok(Flow::Continue)) {
            let Some(finished) = self.waiting.remove(&self.next) else { return true };
            self.next += 1;
            self.ended = self.hand_over(finished);
        }
        false
    }

    fn hand_over(&mut self, finished: Finished) -> Result<Flow, ContestError> {
        let (outcome, record) = finished?;
        self.journal.add(&outcome, &record)?;
        let flow = (self.tell)(&outcome, &record);
        self.results.push(outcome);
        Ok(flow)
    }
}

fn play_new(
    contest: &Contest,
    planned: &[Planned],
    journal: &mut Journal,
    threads: usize,
    tell: &mut (dyn FnMut(&Outcome, &Record) -> Flow + Send),
    results: &mut Vec<Outcome>,
) -> Result<Flow, ContestError> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let in_order =
        Mutex::new(InOrder { next: 0, waiting: BTreeMap::new(), journal, tell, results, ended: Ok(Flow::Continue) });
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(planned) = planned.get(i) else { return };
            let Some(finished) = play_one(contest, planned, &stop).transpose() else { return };
            if !in_order.lock().expect("no thread panics with the lock").take(i, finished) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, planned.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    in_order.into_inner().expect("the threads have ended").ended
}

// Nothing where the contest has been ended meanwhile.
fn play_one(contest: &Contest, planned: &Planned, stop: &AtomicBool) -> Result<Option<(Outcome, Record)>, AgentError> {
    let mut runner = contest.open(planned);
    let mut costs = CostMeter::new(planned.seats.len());
    loop {
        match runner.step(&mut costs)? {
            Step::Played if stop.load(Ordering::Relaxed) => return Ok(None),
            Step::Played => {}
            Step::Over => break,
            Step::Waiting(seat) => panic!("nobody plays for seat {seat}"),
        }
    }
    let record = contest.record(planned, &*runner.current);
    let outcome = Outcome::of(planned.clone(), &record, Some(costs.finish()));
    Ok(outcome.map(|outcome| (outcome, record)))
}
