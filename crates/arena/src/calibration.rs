//! Finds the ten levels of a game: how strong an agent is by its count of nodes or simulations and its share of random
//! plies, and which of these are evenly spaced.
//!
//! A *rung* is such an agent. First rungs from mostly random to a second's count, each count twice the one before, play
//! those next to them; the ratings of all make a curve. Levels are placed on it at equal distances, and play each other in
//! pairs, the same seed from both sides. Where a step turns out to be too small or too large the curve is drawn again with
//! what was learned, and the levels placed anew; the last of the time goes to measuring the steps as they stand.
//!
//! Two seats and more are measured in Elo ([`crate::ratings`]). One seat alone, and seats that each play against a bank (their payoffs
//! have neither a constant sum nor bounds), are measured by the mean payoff on the same seeds. Where it matters how much is won and
//! not how often, as in a single hand of poker, a task can ask for the same: then every rung plays the tenth level.
//!
//! Promises: what is reported of a step was measured between these two levels, with a 95 % interval; nothing is carried over
//! from the curve. Not promised: that every step lies where it should, since time may not suffice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use raichi_agents::levels::{Ladder, Level, Measured};
use raichi_agents::{AgentError, Prepared};
use raichi_core::AnyGame;
use raichi_core::random::mix;
use serde::{Deserialize, Serialize};

use crate::ratings::{Comparison, Ratings, score};
use crate::runner::{Runner, Streams};
use crate::statistics::Mean;

/// How many Elo a level should be stronger than the one below.
pub const STEP: std::ops::RangeInclusive<f64> = 60.0..=200.0;

/// What is to be calibrated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The game's canonical spec.
    pub game: String,
    /// The agent, without a budget.
    pub best: String,
    /// What it counts: `sims` or `nodes`; empty where it counts nothing, and only the share of random plies tells levels apart.
    pub unit: String,
    /// The count of the tenth level; 0 where nothing is counted.
    pub top: u64,
    /// Of the plies of the first level, how many in a hundred are random.
    #[serde(default = "usual_easiest")]
    pub easiest: u64,
    /// Decides every game.
    pub seed: u64,
    /// Whether rungs are measured by what they are paid against the tenth level, and not in Elo.
    #[serde(default)]
    pub by_payoff: bool,
}

/// What [`Task::easiest`] is where nothing else is said: four plies of five.
pub const EASIEST: u64 = 80;

/// For tasks that were written before it could be said.
fn usual_easiest() -> u64 {
    EASIEST
}

/// An agent of a certain strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Rung {
    /// Of the plies, how many in a hundred are random. The other way round, so that weaker is less.
    reason_percent: u64,
    /// Of nodes or simulations; 0 where nothing is counted.
    count: u64,
}

/// Two rungs on one seed, from both sides; or one rung for itself: alone, or against the tenth level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    one: Rung,
    other: Rung,
    number: u64,
    games: Vec<PlayedSides>,
}

/// A game: who sat where, and what everybody got.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct PlayedSides {
    /// By seat: whether the first of the two rungs sat there.
    is_one: Vec<bool>,
    payoffs: Vec<f64>,
}

/// A calibration on its way.
pub struct Calibration {
    game: Arc<dyn AnyGame>,
    task: Task,
    rounds: Vec<Round>,
    prepared: BTreeMap<Rung, Arc<dyn Prepared>>,
    /// Seconds spent on each pair of rungs, in this run.
    spent: BTreeMap<(Rung, Rung), f64>,
    levels: Vec<Rung>,
    /// How often levels were placed.
    n_placed: u32,
}

/// How many rounds two rungs of the grid play, if they are quick. Measured by payoff they play until levels are placed, which is
/// then done only once.
const GRID_ROUNDS: usize = 8;

/// When levels are placed, and placed again if their steps are off: at these shares of the time.
const PLACED_AT: [f64; 4] = [0.3, 0.45, 0.6, 0.75];

/// What a rung is expected to be worth over the next one before they have played, in Elo: for each doubling of the count,
/// and for each random ply in a hundred that is left out.
const DOUBLING: f64 = 60.0;
const PERCENT: f64 = 5.0;

/// As how many games that expectation counts. Steps of a second a ply are played a few times only, and three games that
/// one side happened to win are no reason to put five levels between two neighbours.
const EXPECTED_GAMES: f64 = 4.0;

/// Shares of random plies on the grid, in percent of the first level's, all with the least count.
const RANDOM_SHARES: [u64; 7] = [100, 81, 63, 47, 34, 21, 10];

impl Calibration {
    /// A calibration that begins with the rounds played so far.
    pub fn new(game: Arc<dyn AnyGame>, task: Task, rounds: Vec<Round>) -> Calibration {
        let (prepared, spent) = (BTreeMap::new(), BTreeMap::new());
        Calibration { game, task, rounds, prepared, spent, levels: Vec::new(), n_placed: 0 }
    }

    /// The levels as they are placed now, from the first to the tenth; empty before the curve is known.
    pub fn steps(&self) -> Vec<Option<Measured>> {
        self.levels.windows(2).map(|pair| self.measure(pair[0], pair[1])).collect()
    }

    /// Plays for as long as `share` says that less than all of the time is over. `keep` is told every round, so that it can
    /// be gone on with.
    ///
    /// # Errors
    /// When an agent refuses the game.
    pub fn run(
        &mut self,
        threads: usize,
        share: &dyn Fn() -> f64,
        keep: &mut dyn FnMut(&Round, f64),
    ) -> Result<(), AgentError> {
        let grid = self.grid();
        self.play_grid(&grid, threads, share, keep)?;
        while share() < 1.0 {
            if self.is_to_be_placed(share()) {
                self.place(&grid);
            }
            // Where there is no room at all, all levels are the same.
            let Some((below, above)) = self.next_step() else { break };
            self.play(below, above, threads, share(), keep)?;
        }
        if self.levels.is_empty() {
            self.place(&grid);
        }
        Ok(())
    }

    /// The ladder found, the game's so many-th, with what was measured of each step.
    pub fn ladder(&self, command: &str, version: u32) -> Ladder {
        let measured = std::iter::once(None).chain(self.steps());
        let level = |(rung, measured): (&Rung, Option<Measured>)| Level { measured, ..self.level(*rung) };
        Ladder {
            game: self.task.game.clone(),
            version,
            command: command.into(),
            best: self.task.best.clone(),
            otherwise: None,
            best_of: Default::default(),
            levels: self.levels.iter().zip(measured).map(level).collect(),
        }
    }

    fn level(&self, rung: Rung) -> Level {
        let Task { best, unit, .. } = &self.task;
        let separator = if best.contains(':') { ',' } else { ':' };
        let counting = if unit.is_empty() { String::new() } else { format!("{separator}{unit}={}", rung.count) };
        Level { agent: format!("{best}{counting}"), random: (100 - rung.reason_percent) as f64 / 100.0, measured: None }
    }

    /// The tenth level.
    fn top(&self) -> Rung {
        Rung { reason_percent: 100, count: self.task.top }
    }

    /// Whether levels are measured in Elo. Seats that each play against a bank, with nothing between them, are not.
    fn in_elo(&self) -> bool {
        let facts = self.game.facts();
        !self.task.by_payoff && facts.n_seats > 1 && (facts.payoff_sum.is_some() || facts.payoff_range.is_some())
    }

    /// From mostly random to a second's count.
    fn grid(&self) -> Vec<Rung> {
        let least = (self.task.top / 4096).clamp(16, 400).min(self.task.top);
        let percent = |share: u64| self.task.easiest * share / 100;
        let random = RANDOM_SHARES.map(|share| Rung { reason_percent: 100 - percent(share), count: least });
        let top = self.task.top;
        if top == 0 {
            return random.into_iter().chain([Rung { reason_percent: 100, count: 0 }]).collect();
        }
        // The last step is at least half as large as the others.
        let next = |&count: &u64| (count < top).then_some(if count * 3 <= top { count * 2 } else { top });
        let counts = std::iter::successors(Some(least), next).map(|count| Rung { reason_percent: 100, count });
        random.into_iter().chain(counts).collect()
    }

    fn play_grid(
        &mut self,
        grid: &[Rung],
        threads: usize,
        share: &dyn Fn() -> f64,
        keep: &mut dyn FnMut(&Round, f64),
    ) -> Result<(), AgentError> {
        // Alone, each rung is measured for itself.
        let in_elo = self.in_elo();
        let matches: Vec<_> = if in_elo {
            grid.windows(2).map(|pair| (pair[0], pair[1])).collect()
        } else {
            grid.iter().map(|&rung| (rung, rung)).collect()
        };
        loop {
            // Every match is played once, the slow ones not again when the time for the grid is over.
            let late = share() >= PLACED_AT[0];
            let wanted = |&&(one, other): &&(Rung, Rung)| match self.n_rounds(one, other) {
                0 => true,
                n => (n < GRID_ROUNDS || !in_elo) && !late,
            };
            let least = matches.iter().filter(wanted).min_by(|a, b| self.effort(a).total_cmp(&self.effort(b)));
            let Some(&(one, other)) = least else { return Ok(()) };
            self.play(one, other, threads, share(), keep)?;
        }
    }

    /// What was spent on a pair: rounds and seconds together, so that slow ones get fewer rounds.
    fn effort(&self, pair: &(Rung, Rung)) -> f64 {
        self.n_rounds(pair.0, pair.1) as f64 + self.spent.get(pair).copied().unwrap_or(0.0)
    }

    fn is_to_be_placed(&self, share: f64) -> bool {
        let due = PLACED_AT.iter().filter(|&&at| share >= at).count() as u32;
        if self.n_placed == 0 {
            return true;
        }
        let is_off = |step: &Option<Measured>| step.as_ref().is_some_and(|step| !STEP.contains(&step.step));
        due > self.n_placed && self.in_elo() && self.steps().iter().any(is_off)
    }

    /// Places the levels at equal distances on the curve of all that was measured.
    fn place(&mut self, grid: &[Rung]) {
        self.n_placed += 1;
        let curve = self.curve();
        let (Some(first), Some(last)) = (grid.first(), grid.last()) else { return };
        let value_at = |rung: &Rung| curve.iter().find(|(known, _)| known == rung).map(|&(_, value)| value);
        let (Some(low), Some(high)) = (value_at(first), value_at(last)) else { return };
        let between = |n: usize| low + (high - low) * n as f64 / 9.0;
        self.levels = (0..10)
            .map(|n| match n {
                0 => *first,
                9 => *last,
                n => on_curve(&curve, between(n)),
            })
            .collect();
        // Where there is little room several would be the same.
        for n in 1..10 {
            if self.levels[n] < self.levels[n - 1] {
                self.levels[n] = self.levels[n - 1];
            }
        }
    }

    /// Every rung that has played, from the weakest by its counts, with its strength, which never falls.
    fn curve(&self) -> Vec<(Rung, f64)> {
        let mut rungs: Vec<Rung> = self.rounds.iter().flat_map(|round| [round.one, round.other]).collect();
        rungs.sort_unstable();
        rungs.dedup();
        let index = |rung: Rung| rungs.binary_search(&rung).expect("it is one of them");
        let strengths: Vec<f64> = if self.in_elo() {
            let of_round = |round: &Round| comparisons(round, index(round.one), index(round.other));
            let played = self.rounds.iter().flat_map(of_round);
            let games: Vec<Comparison> = played.chain(expected(&rungs)).collect();
            let Some(ratings) = Ratings::fit(rungs.len(), &games) else { return Vec::new() };
            (0..rungs.len()).map(|i| ratings.over_mean(i).value).collect()
        } else {
            rungs.iter().map(|&rung| mean(self.payoffs(rung).into_values())).collect()
        };
        let highest = strengths.into_iter().scan(f64::NEG_INFINITY, |highest, strength| {
            *highest = highest.max(strength);
            Some(*highest)
        });
        rungs.iter().copied().zip(highest).collect()
    }

    /// Who is to play next: the two levels, or the one level alone, of which least is known.
    fn next_step(&self) -> Option<(Rung, Rung)> {
        let alone = |rung| (rung, rung);
        let by_effort = |a: &(Rung, Rung), b: &(Rung, Rung)| self.effort(a).total_cmp(&self.effort(b));
        if self.in_elo() {
            let steps = self.levels.windows(2).map(|pair| (pair[0], pair[1]));
            steps.filter(|(below, above)| below != above).min_by(by_effort)
        } else {
            self.levels.iter().map(|&rung| alone(rung)).min_by(by_effort)
        }
    }

    fn n_rounds(&self, one: Rung, other: Rung) -> usize {
        self.rounds.iter().filter(|round| (round.one, round.other) == (one, other)).count()
    }

    /// Plays a round on each thread.
    fn play(
        &mut self,
        one: Rung,
        other: Rung,
        threads: usize,
        share: f64,
        keep: &mut dyn FnMut(&Round, f64),
    ) -> Result<(), AgentError> {
        let opponent = if one == other && self.task.by_payoff { self.top() } else { other };
        let agents = [self.ready(one)?, self.ready(opponent)?];
        let first = self.n_rounds(one, other) as u64;
        let start = Instant::now();
        let play = |number: u64| self.round((one, other), &agents, number);
        let rounds = std::thread::scope(|scope| {
            let numbers = first..first + threads as u64;
            let running: Vec<_> = numbers.map(|number| scope.spawn(move || play(number))).collect();
            let rounds = running.into_iter().map(|thread| thread.join().expect("a round does not panic"));
            rounds.collect::<Result<Vec<Round>, AgentError>>()
        })?;
        *self.spent.entry((one, other)).or_default() += start.elapsed().as_secs_f64();
        for round in rounds {
            keep(&round, share);
            self.rounds.push(round);
        }
        Ok(())
    }

    fn ready(&mut self, rung: Rung) -> Result<Arc<dyn Prepared>, AgentError> {
        if let Some(ready) = self.prepared.get(&rung) {
            return Ok(Arc::clone(ready));
        }
        let ready = self.level(rung).prepare(&self.game, "level")?;
        self.prepared.insert(rung, Arc::clone(&ready));
        Ok(ready)
    }

    fn round(
        &self,
        (one, other): (Rung, Rung),
        agents: &[Arc<dyn Prepared>; 2],
        number: u64,
    ) -> Result<Round, AgentError> {
        let n_seats = self.game.facts().n_seats;
        let is_alone = one == other && !self.task.by_payoff;
        let sides = if is_alone { 1 } else { 2 };
        // For itself, every rung has the same seeds; in matches each has its own.
        let which =
            if one == other { 0 } else { mix(mix(one.count ^ other.count.rotate_left(32)) ^ one.reason_percent) };
        let seed = mix(mix(self.task.seed ^ which) ^ number);
        let play = |side: usize| {
            let is_one: Vec<bool> = (0..n_seats).map(|seat| is_alone || (seat + side).is_multiple_of(2)).collect();
            let seats = is_one.iter().map(|&is_one| Some(Arc::clone(&agents[usize::from(!is_one)])));
            let seats: Vec<_> = seats.collect();
            let mut runner = Runner::new(self.game.new_match(), &seats, Streams::new(seed));
            runner.run(&mut ())?;
            Ok(PlayedSides { is_one, payoffs: runner.current.payoffs().as_slice().to_vec() })
        };
        Ok(Round { one, other, number, games: (0..sides).map(play).collect::<Result<_, AgentError>>()? })
    }

    /// What a rung was paid when it was measured for itself, by the number of the seed, the mean of all its seats.
    fn payoffs(&self, rung: Rung) -> BTreeMap<u64, f64> {
        let own = |game: &PlayedSides| {
            let seats = game.is_one.iter().zip(&game.payoffs).filter(|(is_one, _)| **is_one);
            seats.map(|(_, &payoff)| payoff).collect::<Vec<f64>>()
        };
        let for_itself = self.rounds.iter().filter(|round| round.one == rung && round.other == rung);
        for_itself.map(|round| (round.number, mean(round.games.iter().flat_map(own)))).collect()
    }

    /// How much stronger a level is than the one below.
    fn measure(&self, below: Rung, above: Rung) -> Option<Measured> {
        if below == above {
            return None;
        }
        if !self.in_elo() {
            let (low, high) = (self.payoffs(below), self.payoffs(above));
            let gains: Vec<f64> = high.iter().filter_map(|(number, payoff)| Some(payoff - low.get(number)?)).collect();
            if gains.is_empty() {
                return None;
            }
            let Mean { value, interval } = Mean::of(&gains);
            let [low, high] = interval?;
            return Some(Measured {
                step: rounded(value),
                low: rounded(low),
                high: rounded(high),
                games: gains.len() as u64,
            });
        }
        let rounds: Vec<&Round> =
            self.rounds.iter().filter(|round| (round.one, round.other) == (below, above)).collect();
        let games: Vec<Comparison> = rounds.iter().flat_map(|round| comparisons(round, 0, 1)).collect();
        let elo = Ratings::fit(2, &games)?.over(1, 0);
        let n_games = rounds.iter().map(|round| round.games.len() as u64).sum();
        Some(Measured { step: elo.value.round(), low: elo.low.round(), high: elo.high.round(), games: n_games })
    }
}

fn comparisons(round: &Round, one: usize, other: usize) -> Vec<Comparison> {
    let mut found = Vec::new();
    // Rounds of different pairs have nothing in common.
    let unique = mix(mix(one as u64 ^ (other as u64) << 32) ^ round.number);
    for PlayedSides { is_one, payoffs } in &round.games {
        let n = payoffs.len();
        for i in (0..n).filter(|&i| is_one[i]) {
            for j in (0..n).filter(|&j| !is_one[j]) {
                let (score, weight) = (score(payoffs[i], payoffs[j]), 1.0 / (n - 1) as f64);
                found.push(Comparison { one, other, score, weight, round: unique, group: 0 });
            }
        }
    }
    found
}

/// What neighbours are expected to be worth over each other, as if they had played a few games. Each is a round by itself.
fn expected(rungs: &[Rung]) -> impl Iterator<Item = Comparison> {
    rungs.windows(2).enumerate().map(|(one, pair)| {
        let same = pair[1].count == pair[0].count;
        let doublings = if same { 0.0 } else { (pair[1].count as f64 / pair[0].count as f64).log2() };
        let percent = pair[1].reason_percent as f64 - pair[0].reason_percent as f64;
        let elo = doublings * DOUBLING + percent * PERCENT;
        let score = 1.0 / (1.0 + 10f64.powf(elo / 400.0));
        let round = mix(u64::MAX ^ one as u64);
        Comparison { one, other: one + 1, score, weight: EXPECTED_GAMES, round, group: 0 }
    })
}

/// The rung at a height of the curve: between two that are known, the share of random plies by the straight line, the count
/// by the geometric one.
fn on_curve(curve: &[(Rung, f64)], height: f64) -> Rung {
    let above = curve.iter().position(|&(_, value)| value >= height).unwrap_or(curve.len() - 1).max(1);
    let ((below, low), (above, high)) = (curve[above - 1], curve[above]);
    let share = if high > low { ((height - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
    let between = |low: f64, high: f64| low + (high - low) * share;
    let reason_percent = between(below.reason_percent as f64, above.reason_percent as f64).round() as u64;
    if below.count == above.count {
        return Rung { reason_percent, count: below.count };
    }
    let count = between((below.count as f64).ln(), (above.count as f64).ln()).exp();
    Rung { reason_percent, count: two_digits(count) }
}

/// Rounded to two significant digits: more would claim too much.
pub fn two_digits(count: f64) -> u64 {
    let unit = 10f64.powi((count.max(1.0).log10().floor() as i32 - 1).max(0));
    ((count / unit).round() * unit) as u64
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = values.fold((0u64, 0.0), |(n, sum), value| (n + 1, sum + value));
    sum / n.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibrate(spec: &str, top: u64, n_rounds: usize) -> (Calibration, Vec<Round>) {
        calibrate_agent(spec, "mcts", "sims", top, n_rounds)
    }

    /// Of an agent that counts simulations.
    fn task(spec: &str, best: &str, top: u64) -> Task {
        let (game, best, unit) = (spec.into(), best.into(), "sims".into());
        Task { game, best, unit, top, easiest: EASIEST, seed: 1, by_payoff: false }
    }

    fn calibrate_agent(spec: &str, best: &str, unit: &str, top: u64, n_rounds: usize) -> (Calibration, Vec<Round>) {
        let game = raichi_games::game(spec).unwrap();
        let task = Task { unit: unit.into(), ..task(spec, best, top) };
        let mut calibration = Calibration::new(game, task, Vec::new());
        let mut kept = Vec::new();
        let n_kept = std::cell::Cell::new(0);
        calibration
            .run(1, &|| n_kept.get() as f64 / n_rounds as f64, &mut |round, _| {
                n_kept.set(n_kept.get() + 1);
                kept.push(round.clone());
            })
            .unwrap();
        (calibration, kept)
    }

    #[test]
    fn levels_rise_from_mostly_random_to_the_full_count() {
        // Levels may be equal, and have no step between them then.
        for (spec, n_steps, in_elo) in [
            ("connect-four", 6, true),
            ("nim3p", 6, true),
            ("blackjack:players=2", 2, false),
            ("2048:max-plies=60", 6, false),
        ] {
            let (calibration, rounds) = calibrate(spec, 64, 150);
            assert_eq!(calibration.in_elo(), in_elo, "{spec}");
            let ladder = calibration.ladder("test", 2);
            assert_eq!(ladder.levels.len(), 10, "{spec}");
            assert_eq!((ladder.levels[0].random, ladder.levels[9].random), (0.8, 0.0), "{spec}");
            assert_eq!(ladder.levels[9].agent, "mcts:sims=64", "{spec}");
            assert!(calibration.levels.is_sorted(), "{spec}");
            let n_measured = ladder.levels[1..].iter().filter(|level| level.measured.is_some()).count();
            assert!(n_measured >= n_steps, "{spec}: {n_measured} steps");
            // What was kept is all that there is to know.
            let text: Vec<String> = rounds.iter().map(|round| serde_json::to_string(round).unwrap()).collect();
            let read: Vec<Round> = text.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(read, rounds, "{spec}");
        }
    }

    #[test]
    fn an_agent_that_counts_nothing_errs_less_from_level_to_level() {
        let (calibration, _) = calibrate_agent("connect-four:width=5,height=4", "minimax:depth=2", "", 0, 300);
        let ladder = calibration.ladder("test", 2);
        assert!(ladder.levels.iter().all(|level| level.agent == "minimax:depth=2"), "{ladder:?}");
        assert_eq!((ladder.levels[0].random, ladder.levels[9].random), (0.8, 0.0));
        assert!(ladder.levels.is_sorted_by(|below, above| below.random >= above.random), "{ladder:?}");
        let n_different = ladder.levels.windows(2).filter(|pair| pair[0].random != pair[1].random).count();
        assert!(n_different >= 6, "{ladder:?}");
    }

    #[test]
    fn by_payoff_every_rung_plays_the_tenth_level() {
        let game = raichi_games::game("leduc-poker").unwrap();
        let task = Task { by_payoff: true, ..task("leduc-poker", "mcts", 40) };
        let calibration = Calibration::new(game, task, Vec::new());
        let (weak, top) = (Rung { reason_percent: 20, count: 16 }, calibration.top());
        let agents = [weak, top].map(|rung| calibration.level(rung).prepare(&calibration.game, "level").unwrap());
        let rounds: Vec<Round> = (0..400).map(|n| calibration.round((weak, weak), &agents, n).unwrap()).collect();
        assert!(
            rounds.iter().all(|round| round.games[0].is_one == [true, false] && round.games[1].is_one == [false, true])
        );
        let calibration = Calibration { rounds, ..calibration };
        let paid = mean(calibration.payoffs(weak).into_values());
        assert!(paid < -0.2, "mostly random it loses to the top, {paid} a hand");
    }

    #[test]
    fn the_last_step_of_the_grid_is_no_smaller_than_half_of_the_others() {
        for top in [16, 17, 23, 24, 40, 47, 48, 64, 570_000] {
            let game = raichi_games::game("nim").unwrap();
            let grid = Calibration::new(game, task("nim", "mcts", top), Vec::new()).grid();
            let counts: Vec<u64> =
                grid.iter().filter(|rung| rung.reason_percent == 100).map(|rung| rung.count).collect();
            assert_eq!(counts.last(), Some(&top));
            let steps = counts.windows(2).map(|pair| pair[1] as f64 / pair[0] as f64);
            assert!(steps.clone().all(|step| step < 3.0), "{counts:?}");
            assert!(steps.skip(1).all(|step| step >= 1.5), "{counts:?}");
        }
    }

    #[test]
    fn the_first_level_is_as_easy_as_wanted() {
        let game = raichi_games::game("nim").unwrap();
        let task = |easiest| Task { easiest, ..task("nim", "mcts", 64) };
        let random = |easiest| {
            let grid = Calibration::new(game.clone(), task(easiest), Vec::new()).grid();
            grid.iter().map(|rung| 100 - rung.reason_percent).take_while(|&percent| percent > 0).collect::<Vec<_>>()
        };
        assert_eq!(random(80), [80, 64, 50, 37, 27, 16, 8]);
        assert_eq!(random(95), [95, 76, 59, 44, 32, 19, 9]);
        // A calibration that was begun before it could be said.
        let old = r#"{"game":"nim","best":"mcts","unit":"sims","top":64,"seed":1}"#;
        assert_eq!(serde_json::from_str::<Task>(old).unwrap(), task(EASIEST));
    }

    #[test]
    fn a_height_between_two_rungs_lies_between_their_counts() {
        let rung = |reason_percent, count| Rung { reason_percent, count };
        let curve = [(rung(50, 16), 0.0), (rung(100, 16), 100.0), (rung(100, 1600), 300.0)];
        assert_eq!(on_curve(&curve, 50.0), rung(75, 16));
        assert_eq!(on_curve(&curve, 200.0), rung(100, 160));
        assert_eq!(on_curve(&curve, 300.0), rung(100, 1600));
        assert_eq!([3.4, 1234.0, 98.7].map(two_digits), [3, 1200, 99]);
    }
}
