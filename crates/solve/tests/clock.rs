//! Solvers look at the clock as often as their work asks for, by a clock that the work itself moves on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raichi_core::game::{Facts, Game, Never, Payoffs, Phase};
use raichi_core::host::{CancelFlag, Host};
use raichi_core::path::NoMemory;
use raichi_core::seat::Seat;
use raichi_solve::backward::Ties;
use raichi_solve::exhaustive::Exhaustive;
use raichi_solve::{Progress, Solver, Unsolved, Work};

/// How many images were made. Each takes a microsecond.
static IMAGES: AtomicU64 = AtomicU64::new(0);

/// Every position has a hundred successors and a dozen images, as on a large board; nothing ends for long.
#[derive(Clone, Debug)]
struct Large;

impl Game for Large {
    type State = u64;
    type Action = u64;
    type Outcome = Never;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }
    fn initial_state(&self) -> u64 {
        1
    }
    fn phase(&self, &state: &u64) -> Phase {
        if state < 1 << 40 { Phase::seat(0) } else { Phase::Over }
    }
    fn legal_actions(&self, _state: &u64, _seat: Seat, actions: &mut Vec<u64>) {
        actions.extend(0..100);
    }
    fn apply(&self, state: &mut u64, _seat: Seat, action: u64) {
        *state = 100 * *state + action;
    }
    fn payoffs(&self, _state: &u64) -> Payoffs {
        Payoffs::new([0.0, 0.0])
    }
    fn end_reason(&self, _state: &u64) -> &'static str {
        "end"
    }
    fn n_symmetries(&self) -> usize {
        12
    }
    fn map_state(&self, _symmetry: usize, state: &u64) -> u64 {
        IMAGES.fetch_add(1, Ordering::Relaxed);
        *state
    }
}

/// One action a position, a hundred thousand times.
#[derive(Clone, Debug)]
struct Long;

const LENGTH: u32 = 100_000;

impl Game for Long {
    type State = u32;
    type Action = ();
    type Outcome = Never;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }
    fn initial_state(&self) -> u32 {
        0
    }
    fn phase(&self, &state: &u32) -> Phase {
        if state < LENGTH { Phase::seat(state as usize % 2) } else { Phase::Over }
    }
    fn legal_actions(&self, _state: &u32, _seat: Seat, actions: &mut Vec<()>) {
        actions.push(());
    }
    fn apply(&self, state: &mut u32, _seat: Seat, _action: ()) {
        *state += 1;
    }
    fn payoffs(&self, _state: &u32) -> Payoffs {
        Payoffs::win(0)
    }
    fn end_reason(&self, _state: &u32) -> &'static str {
        "end"
    }
}

struct ByWork;

impl Host for ByWork {
    fn now(&self) -> Duration {
        Duration::from_micros(IMAGES.load(Ordering::Relaxed))
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

#[test]
fn on_a_large_board_with_many_symmetries_a_search_of_all_positions_keeps_to_its_time() {
    let cancel = CancelFlag::default();
    let time = Duration::from_millis(50);
    let work = Work {
        deadline: Some(time),
        cancel: &cancel,
        host: &ByWork,
        n_threads: 1,
        memory: 1 << 30,
        folder: None,
        progress: &|_| (),
    };
    let solved = Exhaustive::backward(Large, Ties::Shared).solve(&1, &work);
    assert_eq!(solved, Err(Unsolved::OutOfTime));
    let late = ByWork.now().saturating_sub(time);
    assert!(late < Duration::from_millis(20), "{late:?} late");
}

#[test]
fn the_second_pass_of_retrograde_analysis_ends_when_it_is_cancelled() {
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &ByWork,
        n_threads: 1,
        memory: 1 << 30,
        folder: None,
        progress: &|_| (),
    };
    let solver = || Exhaustive::retrograde(Long);
    let exact = solver().solve(&0, &work).expect("nothing ends it");
    assert_eq!(exact.plies, Some(LENGTH));
    let at_second_pass = |progress: Progress| {
        if progress.stage == "second pass" {
            cancel.cancel();
        }
    };
    assert_eq!(solver().solve(&0, &Work { progress: &at_second_pass, ..work }), Err(Unsolved::OutOfTime));
}
