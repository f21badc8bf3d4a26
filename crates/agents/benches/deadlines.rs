//! How well agents keep their time, and how soon they return when they are cancelled: every kind that takes a time, in
//! every game, from positions drawn at random, while others keep all cores busy.
//!
//!     cargo bench -p raichi-agents --bench deadlines -- [TIME_IN_MS [DECISIONS [KIND…]]]
//!
//! Prints, for each kind and game, how many decisions came later than the time and 20 ms, the latest of them, and the
//! longest wait for a cancelled one; and for each kind, over all games, the percentiles of how much later than the time
//! decisions came (before it counts as 0), and of how long cancelled ones took. What the machine itself is late by is told
//! first: by a loop that does nothing but read the clock, and means to end a twentieth of the time early, as searches do.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raichi_agents::{AgentKind, Budget, KINDS, Prepared, prepare};
use raichi_core::game::Phase;
use raichi_core::random::{index, stream};
use raichi_core::seat::Seat;
use raichi_core::{AnyGame, AnyMatch};

/// How much later than its time a decision may come.
const GRACE: Duration = Duration::from_millis(20);
/// How soon a cancelled one has to return.
const SOON: Duration = Duration::from_millis(10);
/// Of so many decisions one is cancelled, besides.
const DECISIONS_A_CANCEL: u64 = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |i: usize, default| arguments.get(i).map_or(default, |text| text.parse().expect("a number"));
    let (time, n_decisions) = (Duration::from_millis(number(0, 50)), number(1, 40));
    let wanted = |kind: &&AgentKind| arguments.len() < 3 || arguments[2..].iter().any(|id| id == kind.id);
    let is_timed = |kind: &&AgentKind| kind.options.iter().any(|option| option.name == "time");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        println!("{:47} later than the time: {}", "only the clock", only_the_clock(time, n_decisions));
        for kind in KINDS.iter().filter(is_timed).filter(wanted) {
            measure(kind, time, n_decisions);
        }
        done.store(true, Ordering::Relaxed);
    });
}

fn measure(kind: &AgentKind, time: Duration, n_decisions: u64) {
    let spec = format!("{}:time={}ms", kind.id, time.as_millis());
    let (mut overshoots, mut stops) = (Vec::new(), Vec::new());
    for entry in raichi_games::REGISTRY {
        let game = raichi_games::game(entry.id).expect("the registry's games exist");
        let Ok(agent) = prepare(&game, &spec) else { continue };
        let took: Vec<Duration> = (0..n_decisions).map(|seed| decide(&game, &*agent, seed)).collect();
        let late = took.iter().filter(|&&took| took > time + GRACE).count();
        let latest = took.iter().max().expect("there are decisions");
        let n_cancels = n_decisions.div_ceil(DECISIONS_A_CANCEL);
        let stopped: Vec<Duration> = (0..n_cancels).map(|seed| cancel(&game, kind, seed)).collect();
        let cancelled = stopped.iter().max().expect("there are some");
        println!(
            "{spec:24} {:22} late {late}/{n_decisions}, latest {latest:.1?}, cancelled after {cancelled:.1?}",
            entry.id
        );
        overshoots.extend(took.iter().map(|took| took.saturating_sub(time)));
        stops.extend(stopped);
    }
    println!("{spec:24} {:22} later than the time: {}", "all", Percentiles::of(overshoots, GRACE));
    println!("{spec:24} {:22} after it was cancelled: {}", "all", Percentiles::of(stops, SOON));
}

/// As many decisions as one for each game and so many, of which the search does nothing.
fn only_the_clock(time: Duration, n_decisions: u64) -> Percentiles {
    let wait = |_| {
        let start = Instant::now();
        while start.elapsed() < time - time / 20 {
            std::hint::spin_loop();
        }
        start.elapsed().saturating_sub(time)
    };
    Percentiles::of((0..n_decisions * raichi_games::REGISTRY.len() as u64).map(wait).collect(), GRACE)
}

/// Of durations, and how many are more than they may be.
struct Percentiles {
    sorted: Vec<Duration>,
    n_over: usize,
    most: Duration,
}

impl Percentiles {
    fn of(mut durations: Vec<Duration>, most: Duration) -> Percentiles {
        durations.sort_unstable();
        let n_over = durations.iter().filter(|&&duration| duration > most).count();
        Percentiles { sorted: durations, n_over, most }
    }

    /// The least of them that so many of a hundred do not exceed.
    fn at(&self, percent: f64) -> Duration {
        let rank = (self.sorted.len() as f64 * percent / 100.0).ceil() as usize;
        self.sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Percentiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, p999, last] = [50.0, 99.0, 99.9, 100.0].map(|percent| self.at(percent));
        write!(f, "p50 {p50:.1?}, p99 {p99:.1?}, p99.9 {p999:.1?}, at most {last:.1?}; ")?;
        write!(f, "{} of {} more than {:?}", self.n_over, self.sorted.len(), self.most)
    }
}

/// A position with a choice, reached by random plies.
fn drawn(game: &Arc<dyn AnyGame>, seed: u64) -> (Box<dyn AnyMatch>, Seat) {
    let mut rng = stream(seed, "position", 0);
    loop {
        let mut current = game.new_match();
        let mut plies_left = index(&mut rng, 40);
        loop {
            match current.phase() {
                Phase::Over => break,
                Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
                Phase::Act(seats) => {
                    let seat = seats.first();
                    if plies_left == 0 && current.count_actions(seat) > 1 {
                        return (current, seat);
                    }
                    plies_left = plies_left.saturating_sub(1);
                    current.play_random(seat, &mut rng).expect("the seat is to act");
                }
            }
        }
    }
}

fn decide(game: &Arc<dyn AnyGame>, agent: &dyn Prepared, seed: u64) -> Duration {
    let (current, seat) = drawn(game, seed);
    let mut session = agent.open(seed);
    let start = Instant::now();
    session.decide(&*current, seat, Budget::UNLIMITED).expect("the seat is to act");
    start.elapsed()
}

/// How long after it is cancelled a decision returns that could take ten minutes; nothing where it has ended before.
fn cancel(game: &Arc<dyn AnyGame>, kind: &AgentKind, seed: u64) -> Duration {
    let agent = prepare(game, &format!("{}:time=600s", kind.id)).expect("a shorter time was accepted");
    let (current, seat) = drawn(game, 1000 + seed);
    let mut session = agent.open(seed);
    let flag = session.cancel_flag();
    std::thread::scope(|scope| {
        let canceller = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            let cancelled = Instant::now();
            flag.cancel();
            cancelled
        });
        session.decide(&*current, seat, Budget::UNLIMITED).expect("the seat is to act");
        let returned = Instant::now();
        returned.saturating_duration_since(canceller.join().expect("it only waits"))
    })
}
