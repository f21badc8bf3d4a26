//! The balance sheet: is a rule variant fair, decisive, of a good length, rich in choices?

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::measure::{Branching, ByDecision, Meter, PlayedGame};
use crate::runner::{ArenaError, Meeting, Runner, Step};
use crate::statistics::{Bar, Estimate, Mean, Spread, histogram};

/// What many games between equal agents say about a game.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceSheet {
    /// The canonical spec.
    pub game: String,
    /// By seat.
    pub agents: Vec<String>,
    /// Of all random streams.
    pub seed: u64,
    /// How many games were played.
    pub n_games: usize,
    /// How many of them are the same as an earlier one, ply for ply.
    pub n_repeated: usize,
    /// By seat.
    pub seats: Vec<SeatBalance>,
    /// The share of games that one seat alone won; `None` where there is one seat.
    pub decisive: Option<Estimate>,
    /// The share of games that several seats share or draw; `None` where there is one seat.
    pub drawn: Option<Estimate>,
    /// In plies.
    pub length: Spread,
    /// Of the lengths.
    pub length_histogram: Vec<Bar>,
    /// Actions a decision, all decisions alike.
    pub branching: Spread,
    /// The most actions a decision had.
    pub most_actions: usize,
    /// Mean number of actions at the 1st, 2nd, … decision of a game, over the games that lasted so long; empty where games are
    /// sampled ([`Sampling`]), of which that is not kept.
    pub branching_by_decision: Vec<f64>,
    /// Changes of lead a game; `None` where the agents give no values.
    pub lead_changes: Option<Mean>,
    /// Games by end reason.
    pub ends: BTreeMap<String, usize>,
    /// The share of the board's places that ever changed, a game; `None` without a board.
    pub coverage: Option<Mean>,
    /// How much was reached in how many games; `None` where a game counts nothing.
    pub reached: Option<Reached>,
}

/// What games reached: the largest tile, say.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// What is counted, in the singular.
    pub what: String,
    /// Each amount at which a game ended, rising, and the share of games that reached it or more.
    pub shares: Vec<(u64, Estimate)>,
}

/// What the games say about one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatBalance {
    /// What it is called.
    pub name: String,
    /// The mean payoff.
    pub payoff: Mean,
    /// The share of games it won alone.
    pub wins: Estimate,
}

/// Plays `n_games` on `threads` threads and draws up the sheet; game number i, from 0, has the seed `seed` + i. The result
/// does not depend on the number of threads. `progress` is told how many more games have ended, about as often as that
/// can be seen.
///
/// # Errors
/// When an agent cannot choose.
///
/// # Panics
/// When `n_games` is 0.
pub fn balance(
    meeting: &Meeting,
    seed: u64,
    n_games: u64,
    threads: usize,
    progress: impl Fn(u64) + Sync,
) -> Result<BalanceSheet, ArenaError> {
    assert!(n_games > 0, "a balance sheet of no games says nothing");
    let next = AtomicU64::new(0);
    let finished = Mutex::new(Ok(Vec::new()));
    let by_decision = Mutex::new(ByDecision::default());
    // Games are taken and handed over in batches, which grow while they take little time.
    let play_batches = || {
        let mut meter = Meter::new(meeting.game().as_ref()).by_decision_too();
        let mut batch = 1;
        loop {
            let first = next.fetch_add(batch, Ordering::Relaxed);
            let last = (first + batch).min(n_games);
            if first >= last || finished.lock().expect("no thread panics with the lock").is_err() {
                break;
            }
            let start = Instant::now();
            let games: Result<Vec<_>, _> = (first..last)
                .map(|number| meeting.play(seed.wrapping_add(number), &mut meter).map(|_| (number, meter.take())))
                .collect();
            let n_played = last - first;
            let mut finished = finished.lock().expect("no thread panics with the lock");
            match (&mut *finished, games) {
                (Ok(finished), Ok(games)) => finished.extend(games),
                (Ok(_), Err(why)) => *finished = Err(why),
                (Err(_), _) => {}
            }
            drop(finished);
            progress(n_played);
            if start.elapsed() < BATCH_TIME && batch < MOST_GAMES_A_BATCH {
                batch *= 2;
            }
        }
        by_decision.lock().expect("no thread panics with the lock").join(&meter.by_decision());
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(play_batches);
        }
        play_batches();
    });
    let mut games = finished.into_inner().expect("the threads have ended")?;
    games.sort_unstable_by_key(|&(number, _)| number);
    let games: Vec<PlayedGame> = games.into_iter().map(|(_, game)| game).collect();
    let by_decision = by_decision.into_inner().expect("the threads have ended");
    Ok(BalanceSheet { branching_by_decision: by_decision.means(), ..draw_up(meeting, seed, &games) })
}

/// Games of a balance sheet played ply by ply, for a caller that has to stop now and then. The games are those of
/// [`balance()`], one after the other.
pub struct Sampling {
    meeting: Meeting,
    seed: u64,
    n_games: u64,
    games: Vec<PlayedGame>,
    current: Option<Runner>,
    meter: Meter,
}

impl Sampling {
    /// Before the first of `n_games` games.
    pub fn new(meeting: Meeting, seed: u64, n_games: u64) -> Sampling {
        let meter = Meter::new(meeting.game().as_ref());
        Sampling { meeting, seed, n_games, games: Vec::new(), current: None, meter }
    }

    /// The games that have ended, in the order of their seeds.
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    /// How many plies the game in progress has; 0 between two games.
    pub fn n_plies(&self) -> usize {
        self.current.as_ref().map_or(0, |runner| runner.current.n_plies())
    }

    /// Who plays what.
    pub fn meeting(&self) -> &Meeting {
        &self.meeting
    }

    /// Whether all games are played.
    pub fn is_over(&self) -> bool {
        self.games.len() as u64 >= self.n_games
    }

    /// Takes the next games from what was measured of them before.
    pub fn recall(&mut self, games: impl IntoIterator<Item = PlayedGame>) {
        debug_assert!(self.current.is_none(), "games are recalled before one is played");
        self.games.extend(games);
    }

    /// Makes one ply; says whether a game is over with that.
    ///
    /// # Errors
    /// When an agent cannot choose.
    pub fn step(&mut self) -> Result<bool, ArenaError> {
        if self.is_over() {
            return Ok(false);
        }
        let seed = self.seed.wrapping_add(self.games.len() as u64);
        let current = self.current.get_or_insert_with(|| self.meeting.open(seed));
        if current.step(&mut self.meter)? != Step::Over {
            return Ok(false);
        }
        self.current = None;
        self.games.push(self.meter.take());
        Ok(true)
    }

    /// The sheet of the games that have ended; `None` before the first.
    pub fn sheet(&self) -> Option<BalanceSheet> {
        (!self.games.is_empty()).then(|| draw_up(&self.meeting, self.seed, &self.games))
    }
}

/// About how long a batch of games should take.
const BATCH_TIME: Duration = Duration::from_millis(20);
const MOST_GAMES_A_BATCH: u64 = 4096;

fn draw_up(meeting: &Meeting, seed: u64, games: &[PlayedGame]) -> BalanceSheet {
    let n_games = games.len();
    let lengths: Vec<u64> = games.iter().map(|game| game.n_plies as u64).collect();
    let lengths_f64: Vec<f64> = lengths.iter().map(|&n| n as f64).collect();
    let won_alone = |seat: usize| games.iter().filter(|game| sole_winner(&game.payoffs) == Some(seat)).count() as f64;
    let game = meeting.game();
    let facts = game.facts();
    let seats = (0..facts.n_seats).map(|seat| SeatBalance {
        name: game.seat_name(seat),
        payoff: Mean::payoff(&games.iter().map(|game| game.payoffs[seat]).collect::<Vec<_>>(), facts.payoff_range),
        wins: Estimate::proportion(won_alone(seat), n_games),
    });
    let decisive = games.iter().filter(|game| sole_winner(&game.payoffs).is_some()).count() as f64;
    let share = |count: f64| (facts.n_seats > 1).then(|| Estimate::proportion(count, n_games));
    let mut ends = BTreeMap::new();
    for game in games {
        *ends.entry(game.end.to_string()).or_insert(0) += 1;
    }
    BalanceSheet {
        game: game.spec().into(),
        agents: meeting.agents(),
        seed,
        n_games,
        n_repeated: n_repeated(games),
        seats: seats.collect(),
        decisive: share(decisive),
        drawn: share(n_games as f64 - decisive),
        length: Spread::of(&lengths_f64),
        length_histogram: histogram(&lengths, 24),
        branching: Branching::spread(games.iter().map(|game| &game.branching)),
        most_actions: games.iter().map(|game| game.branching.most).max().unwrap_or(0),
        branching_by_decision: Vec::new(),
        lead_changes: mean_of_some(games.iter().map(|game| game.lead_changes.map(|n| n as f64)))
            .map(|changes| changes.within(0.0, f64::INFINITY)),
        ends,
        coverage: mean_of_some(games.iter().map(|game| game.coverage)).map(|share| share.within(0.0, 1.0)),
        reached: reached(games),
    }
}

fn reached(games: &[PlayedGame]) -> Option<Reached> {
    let what = games.iter().find_map(|game| Some(game.reached.as_ref()?.0.to_string()))?;
    let amounts: Vec<u64> = games.iter().map(|game| game.reached.as_ref().map_or(0, |&(_, n)| n)).collect();
    let ends: BTreeSet<u64> = amounts.iter().copied().collect();
    let share = |least: u64| amounts.iter().filter(|&&n| n >= least).count() as f64;
    let shares = ends.into_iter().map(|least| (least, Estimate::proportion(share(least), games.len()))).collect();
    Some(Reached { what, shares })
}

fn n_repeated(games: &[PlayedGame]) -> usize {
    let mut seen = HashSet::new();
    games.iter().filter_map(|game| game.fingerprint).filter(|&fingerprint| !seen.insert(fingerprint)).count()
}

// One seat has more than every other. A game for one seat is never won against anybody.
fn sole_winner(payoffs: &[f64]) -> Option<usize> {
    let best = payoffs.iter().copied().fold(f64::MIN, f64::max);
    let mut winners = (0..payoffs.len()).filter(|&seat| payoffs[seat] == best);
    let winner = winners.next()?;
    (payoffs.len() > 1 && winners.next().is_none()).then_some(winner)
}

fn mean_of_some(values: impl Iterator<Item = Option<f64>>) -> Option<Mean> {
    let values: Vec<f64> = values.flatten().collect();
    (!values.is_empty()).then(|| Mean::of(&values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Openings;

    fn sheet(threads: usize) -> BalanceSheet {
        let meeting = Meeting::new(raichi_games::game("tic-tac-toe").unwrap(), &["random".into()]).unwrap();
        balance(&meeting, 1, 2000, threads, |_| {}).unwrap()
    }

    #[test]
    fn random_tic_tac_toe_has_its_known_shares() {
        // Exact, by weighing all 255,168 games: X 0.5850, O 0.2881, drawn 0.1270.
        let sheet = sheet(2);
        for (estimate, exact) in
            [(sheet.seats[0].wins, 0.5850), (sheet.seats[1].wins, 0.2881), (sheet.drawn.unwrap(), 0.1270)]
        {
            // Twice the interval, so that a fixed seed far out would still show.
            let half = estimate.high - estimate.low;
            assert!((estimate.value - exact).abs() < half, "{estimate:?} is far from {exact}");
        }
        assert_eq!(sheet.ends.values().sum::<usize>(), 2000);
        assert_eq!(sheet.branching_by_decision[..5], [9.0, 8.0, 7.0, 6.0, 5.0]);
        assert_eq!(sheet.most_actions, 9);
    }

    #[test]
    fn what_games_reach_is_told_as_shares_that_fall() {
        let meeting = Meeting::new(raichi_games::game("2048:size=2").unwrap(), &["random".into()]).unwrap();
        let mut games = Vec::new();
        let mut sampling = Sampling::new(meeting, 1, 200);
        while !sampling.is_over() {
            sampling.step().unwrap();
        }
        games.extend(sampling.games().iter().map(|game| game.reached.clone().unwrap().1));
        let reached = sampling.sheet().unwrap().reached.unwrap();
        assert_eq!(reached.what, "tile");
        assert_eq!(reached.shares[0].1.value, 1.0);
        for &(tile, share) in &reached.shares {
            assert!(tile.is_power_of_two() && games.contains(&tile));
            assert_eq!(share.value, games.iter().filter(|&&n| n >= tile).count() as f64 / 200.0);
        }
        assert!(reached.shares.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1.value > two[1].1.value));
        assert!(reached.shares.iter().any(|&(tile, _)| tile == 16) && sheet(1).reached.is_none());
    }

    #[test]
    fn repeated_games_are_counted_and_openings_make_games_differ() {
        let game = |spec| raichi_games::game(spec).unwrap();
        // There is one game only.
        let forced = Meeting::new(game("nim:heaps=1,size=1"), &["random".into()]).unwrap();
        assert_eq!(balance(&forced, 1, 8, 1, |_| {}).unwrap().n_repeated, 7);
        // One cell is left, and three ways lead there.
        let meeting = || Meeting::new(game("tic-tac-toe"), &["random".into()]).unwrap();
        let lines = ["a1 b1 c1 b2 a2", "c1 b1 a1 b2 a2", "a2 b1 c1 b2 a1"].map(|line| format!("{line} c2 b3 a3"));
        let openings = Openings::list(game("tic-tac-toe").as_ref(), &lines.join("\n")).unwrap();
        let sheet = balance(&meeting().with_openings(openings).unwrap(), 0, 6, 2, |_| {}).unwrap();
        assert_eq!((sheet.n_games, sheet.n_repeated), (6, 3));
        let too_long = meeting().with_openings(Openings::Random { plies: 9 });
        assert!(too_long.is_err_and(|why| why.to_string().contains("always end the game")));
    }

    #[test]
    fn threads_change_nothing() {
        let (one, three) = (sheet(1), sheet(3));
        assert_eq!(serde_json::to_value(one).unwrap(), serde_json::to_value(three).unwrap());
    }

    #[test]
    fn game_by_game_the_sheet_is_the_same() {
        let sampling = || {
            let meeting = Meeting::new(raichi_games::game("tic-tac-toe").unwrap(), &["random".into()]).unwrap();
            Sampling::new(meeting, 1, 2000)
        };
        let mut one = sampling();
        assert!(one.sheet().is_none());
        while one.games().len() < 700 {
            one.step().unwrap();
        }
        let mut other = sampling();
        // As from a file.
        let kept = serde_json::to_string(one.games()).unwrap();
        other.recall(serde_json::from_str::<Vec<PlayedGame>>(&kept).unwrap());
        while !other.is_over() {
            other.step().unwrap();
        }
        assert!(!other.step().unwrap());
        let expected = BalanceSheet { branching_by_decision: Vec::new(), ..sheet(2) };
        assert_eq!(serde_json::to_value(other.sheet()).unwrap(), serde_json::to_value(expected).unwrap());
    }

    #[test]
    fn who_wins_alone() {
        assert_eq!(sole_winner(&[1.0, -1.0]), Some(0));
        assert_eq!(sole_winner(&[0.0, 0.0]), None);
        assert_eq!(sole_winner(&[0.5, 0.0, 0.5]), None);
        assert_eq!(sole_winner(&[77.0]), None);
    }
}
