//! What is measured of a game while it is played, without text or pictures.

use std::borrow::Cow;

use raichi_agents::Played;
use raichi_core::encoding::{Meaning, Shape};
use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::random::mix;
use raichi_core::seat::{Seat, Viewer};
use serde::{Deserialize, Serialize};

use crate::runner::Observer;
use crate::statistics::Spread;

/// What is kept of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// By seat.
    pub payoffs: Vec<f64>,
    /// The game's reason.
    pub end: Cow<'static, str>,
    /// Actions and outcomes together.
    pub n_plies: usize,
    /// How many actions seats had.
    pub branching: Branching,
    /// How often the seat that expected most changed, by the values the agents expected; `None` where agents give none.
    pub lead_changes: Option<usize>,
    /// The share of the board's places that ever held something other than at the start; `None` without a board.
    pub coverage: Option<f64>,
    /// What was reached at the end, and what it is called; see [`AnyMatch::reached`].
    #[serde(default)]
    pub reached: Option<(Cow<'static, str>, u64)>,
    /// Of where it began and all its plies: two games with the same fingerprint are the same game. `None` in what was kept
    /// before there were fingerprints.
    #[serde(default)]
    pub fingerprint: Option<u64>,
}

/// How many actions there were at the decisions of a game, all decisions alike. A game may have a million decisions, so that
/// sums are kept rather than each of the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "KeptBranching")]
pub struct Branching {
    /// Decisions.
    pub n: u64,
    /// The sum of the numbers of actions.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u64,
    /// The most actions that a decision had.
    pub most: usize,
}

/// As it may be kept.
#[derive(Deserialize)]
#[serde(untagged)]
enum KeptBranching {
    Sums {
        n: u64,
        sum: u64,
        squares: u64,
        most: usize,
    },
    /// Of each decision, as it was kept before there were sums.
    Numbers(Vec<usize>),
}

impl From<KeptBranching> for Branching {
    fn from(kept: KeptBranching) -> Branching {
        match kept {
            KeptBranching::Sums { n, sum, squares, most } => Branching { n, sum, squares, most },
            KeptBranching::Numbers(numbers) => {
                let mut branching = Branching::default();
                numbers.into_iter().for_each(|n_actions| branching.add(n_actions));
                branching
            }
        }
    }
}

impl Branching {
    /// Counts one more decision.
    pub fn add(&mut self, n_actions: usize) {
        let actions = n_actions as u64;
        self.n += 1;
        self.sum = self.sum.saturating_add(actions);
        self.squares = self.squares.saturating_add(actions.saturating_mul(actions));
        self.most = self.most.max(n_actions);
    }

    /// Of the decisions of many games; both numbers are 0 where there are none.
    pub fn spread<'a>(games: impl Iterator<Item = &'a Branching> + Clone) -> Spread {
        let sum_of = |part: fn(&Branching) -> u64| games.clone().map(|game| u128::from(part(game))).sum::<u128>();
        let (n, sum, squares) = (sum_of(|game| game.n), sum_of(|game| game.sum), sum_of(|game| game.squares));
        if n == 0 {
            return Spread { mean: 0.0, deviation: 0.0 };
        }
        // In whole numbers, so that nothing is lost where the numbers are nearly equal.
        let squares_around_mean = (n * squares).saturating_sub(sum * sum) as f64 / n as f64;
        let deviation = if n > 1 { (squares_around_mean / (n - 1) as f64).sqrt() } else { 0.0 };
        Spread { mean: sum as f64 / n as f64, deviation }
    }
}

/// How many actions there were at the 1st, 2nd, … decision of games.
#[derive(Clone, Debug, Default)]
pub struct ByDecision {
    /// For each number of a decision: how many games had it, and the sum of the numbers of actions.
    sums: Vec<(u64, u64)>,
}

impl ByDecision {
    fn add(&mut self, decision: usize, n_actions: usize) {
        if self.sums.len() <= decision {
            self.sums.resize(decision + 1, (0, 0));
        }
        let (n, sum) = &mut self.sums[decision];
        (*n, *sum) = (*n + 1, *sum + n_actions as u64);
    }

    /// Takes in what was counted of other games.
    pub fn join(&mut self, other: &ByDecision) {
        self.sums.resize(self.sums.len().max(other.sums.len()), (0, 0));
        for ((n, sum), (other_n, other_sum)) in self.sums.iter_mut().zip(&other.sums) {
            (*n, *sum) = (*n + other_n, *sum + other_sum);
        }
    }

    /// The mean at each, over the games that lasted so long.
    pub fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|&(n, sum)| sum as f64 / n as f64).collect()
    }
}

/// Measures the games that it watches, one after the other.
pub struct Meter {
    game: PlayedGame,
    /// Over all games, where that is wanted.
    by_decision: Option<ByDecision>,
    is_open: bool,
    lead: Lead,
    coverage: Coverage,
}

impl Meter {
    /// For games of `game`.
    pub fn new(game: &dyn AnyGame) -> Meter {
        let (game, coverage) = (PlayedGame::default(), Coverage::new(game));
        Meter { game, by_decision: None, is_open: false, lead: Lead::default(), coverage }
    }

    /// Besides, it counts the actions at the 1st, 2nd, … decision, over all games.
    pub fn by_decision_too(self) -> Meter {
        Meter { by_decision: Some(ByDecision::default()), ..self }
    }

    /// What it has counted at the 1st, 2nd, … decision; nothing where that was not wanted.
    pub fn by_decision(self) -> ByDecision {
        self.by_decision.unwrap_or_default()
    }

    /// What was measured of the game that has just ended; the next one may begin.
    pub fn take(&mut self) -> PlayedGame {
        self.is_open = false;
        let lead_changes = std::mem::take(&mut self.lead).changes();
        let coverage = self.coverage.take();
        PlayedGame { lead_changes, coverage, ..std::mem::take(&mut self.game) }
    }
}

impl Observer for Meter {
    fn before(&mut self, current: &dyn AnyMatch, seat: Option<Seat>) {
        // Not at ply 0: a game may begin with an opening.
        if !std::mem::replace(&mut self.is_open, true) {
            self.coverage.start(current);
        }
        if let Some(seat) = seat {
            let (number, n_actions) = (self.game.branching.n as usize, current.count_actions(seat));
            self.game.branching.add(n_actions);
            if let Some(by_decision) = &mut self.by_decision {
                by_decision.add(number, n_actions);
            }
        }
    }

    fn after(&mut self, current: &dyn AnyMatch, played: &Played) {
        self.lead.note(&played.values);
        self.coverage.note(current);
    }

    fn end(&mut self, current: &dyn AnyMatch) {
        self.game.payoffs = current.payoffs().as_slice().to_vec();
        self.game.end = current.end_reason().expect("the game is over").into();
        self.game.n_plies = current.n_plies();
        self.game.reached = current.reached().map(|(name, n)| (name.into(), n));
        self.game.fingerprint = Some(fingerprint(current));
    }
}

// The same on every machine and in every version, since it is kept.
fn fingerprint(current: &dyn AnyMatch) -> u64 {
    let start = current.position_text_after(0, Viewer::Referee);
    let plies = current.plies().iter().map(|ply| ply.token(Viewer::Referee));
    let bytes = |hash, text: String| text.bytes().fold(mix(hash), |hash, byte| mix(hash ^ u64::from(byte)));
    plies.fold(bytes(0, start), bytes)
}

/// Who leads by the values that the deciding agents expected, and how often that changed.
#[derive(Default)]
struct Lead {
    leader: Option<Seat>,
    changes: usize,
    seen: bool,
}

impl Lead {
    // A lead is a value above every other seat's by a twentieth of their spread, so that noise around a level game is
    // no change of lead.
    const MARGIN: f64 = 0.05;

    fn note(&mut self, values: &[f64]) {
        if values.len() < 2 {
            return;
        }
        self.seen = true;
        let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("there are values");
        let second = (0..values.len()).filter(|&seat| seat != best).map(|seat| values[seat]).fold(f64::MIN, f64::max);
        let scale = values.iter().fold(1.0f64, |scale, value| scale.max(value.abs()));
        if values[best] - second <= Self::MARGIN * scale || self.leader == Some(best) {
            return;
        }
        self.changes += usize::from(self.leader.is_some());
        self.leader = Some(best);
    }

    fn changes(&self) -> Option<usize> {
        self.seen.then_some(self.changes)
    }
}

/// Which places of the board ever changed: the entries of the first grid that seat 0 sees.
struct Coverage {
    /// Where the grid lies in an observation.
    grid: std::ops::Range<usize>,
    /// The value of entries that are no places of the board.
    no_cell: Option<i32>,
    now: Vec<i32>,
    first: Vec<i32>,
    changed: Vec<bool>,
}

impl Coverage {
    fn new(game: &dyn AnyGame) -> Coverage {
        let layout = game.layout();
        let grid = layout.offsets().find(|(_, block)| matches!(block.shape, Shape::Grid { .. }));
        let no_cell = grid.and_then(|(_, block)| match &block.meaning {
            Meaning::Names(names) => names.iter().position(|name| name == "no cell").map(|i| i as i32 + block.min),
            Meaning::Amount(_) => None,
        });
        let grid = grid.map_or(0..0, |(first, block)| first..first + block.len());
        let changed = vec![false; grid.len()];
        Coverage { grid, no_cell, now: vec![0; layout.len()], first: Vec::new(), changed }
    }

    fn start(&mut self, current: &dyn AnyMatch) {
        current.observe(0, &mut self.now);
        self.first.clear();
        self.first.extend_from_slice(&self.now[self.grid.clone()]);
        self.changed.fill(false);
    }

    fn note(&mut self, current: &dyn AnyMatch) {
        if self.grid.is_empty() {
            return;
        }
        current.observe(0, &mut self.now);
        let entries = self.changed.iter_mut().zip(&self.now[self.grid.clone()]).zip(&self.first);
        entries.for_each(|((changed, now), first)| *changed |= now != first);
    }

    fn take(&mut self) -> Option<f64> {
        let n_cells = self.first.iter().filter(|&&value| Some(value) != self.no_cell).count();
        let n_changed = self.changed.iter().filter(|&&changed| changed).count();
        (n_cells > 0).then(|| n_changed as f64 / n_cells as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Meeting;

    #[test]
    fn the_lead_changes_only_by_a_margin() {
        let mut lead = Lead::default();
        for values in [[0.0, 0.01], [0.4, -0.4], [0.01, 0.0], [-0.3, 0.3], [0.2, -0.2]] {
            lead.note(&values);
        }
        assert_eq!(lead.changes(), Some(2));
        assert_eq!(Lead::default().changes(), None);
    }

    #[test]
    fn a_game_has_its_seed_and_is_the_same_again() {
        let meeting = Meeting::new(raichi_games::game("tic-tac-toe").unwrap(), &["random".into()]).unwrap();
        let mut meter = Meter::new(meeting.game().as_ref());
        let mut play = |seed| {
            meeting.play(seed, &mut meter).unwrap();
            meter.take()
        };
        let game = play(3);
        assert_eq!(play(3), game);
        let n_actions = || (10 - game.n_plies as u64..=9).rev();
        let branching = Branching {
            n: game.n_plies as u64,
            sum: n_actions().sum(),
            squares: n_actions().map(|n| n * n).sum(),
            most: 9,
        };
        assert_eq!(game.branching, branching);
        assert_eq!(game.coverage, Some(game.n_plies as f64 / 9.0));
        assert!((0..20).any(|seed| play(seed) != game));
        let fingerprints: std::collections::HashSet<_> = (0..20).map(|seed| play(seed).fingerprint).collect();
        assert_eq!(fingerprints.len(), 20, "random games of so many plies differ");
    }

    #[test]
    fn what_is_kept_of_a_game_does_not_grow_with_it() {
        let meeting = Meeting::new(raichi_games::game("2048").unwrap(), &["random".into()]).unwrap();
        let mut meter = Meter::new(meeting.game().as_ref());
        meeting.play(1, &mut meter).unwrap();
        let game = meter.take();
        assert!(game.branching.n > 50);
        let kept = serde_json::to_string(&game).unwrap();
        assert!(kept.len() < 400, "{kept}");
        assert_eq!(serde_json::from_str::<PlayedGame>(&kept).unwrap(), game);
        // As it was kept before.
        let old =
            r#"{"payoffs":[1.0],"end":"full","n_plies":3,"branching":[3,1,2],"lead_changes":null,"coverage":null}"#;
        let old: PlayedGame = serde_json::from_str(old).unwrap();
        assert_eq!(old.branching, Branching { n: 3, sum: 6, squares: 14, most: 3 });
    }

    #[test]
    fn sums_give_the_same_spread_as_the_numbers() {
        let games = [vec![3, 1, 4, 1, 5], vec![9, 2, 6], vec![]];
        let branching = |numbers: &Vec<usize>| Branching::from(KeptBranching::Numbers(numbers.clone()));
        let sums: Vec<Branching> = games.iter().map(branching).collect();
        let numbers: Vec<f64> = games.iter().flatten().map(|&n| n as f64).collect();
        let (spread, expected) = (Branching::spread(sums.iter()), Spread::of(&numbers));
        assert!((spread.mean - expected.mean).abs() < 1e-12 && (spread.deviation - expected.deviation).abs() < 1e-12);
        assert_eq!(Branching::spread([].iter()), Spread { mean: 0.0, deviation: 0.0 });
    }

    #[test]
    fn a_wrong_number_of_agents_is_refused() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let error = Meeting::new(game, &["random".into(), "random".into(), "random".into()]);
        let error = error.err().expect("three agents for two seats").to_string();
        assert!(error.contains("2 seats") && error.contains("3 agents"), "{error}");
    }
}
