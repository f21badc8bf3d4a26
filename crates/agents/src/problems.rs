//! Problems made from what is known exactly: positions in which one action, and no other, does what is asked.
//!
//! Games are played at random, one stream of draws for each; every position in them is put to the solvers
//! ([`crate::truth`]). It becomes a problem where exactly one of at least three actions keeps the win, saves the game, or
//! wins in the fewest plies. No two problems are images of each other under a symmetry of the rules. Each wrong action has
//! its refutation, a line of best play. How hard a problem is: one grade for every two plies that the solution must see
//! ahead, and one where three or more wrong actions do not lose at once.

use std::collections::HashSet;
use std::sync::Arc;

use raichi_core::Phase;
use raichi_core::erased::{AnyGame, AnyMatch, GameVisitor, Playable};
use raichi_core::history::Match;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::seat::{Seat, Viewer};
use raichi_solve::{Exact, Unsolved, Work};

use crate::truth::{Examined, Truth};

/// The plies of a refutation that are told.
const LONGEST_LINE: usize = 8;
/// A game is played at random for so many plies at most.
const LONGEST_GAME: usize = 200;
/// Fewer actions make no problem.
const FEWEST_ACTIONS: usize = 3;
/// The hardest grade.
const HARDEST: usize = 5;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// One action keeps the win, all others give it away.
    KeepTheWin,
    /// One action does not lose.
    Save,
    /// Several actions win, one of them in the fewest plies.
    FewestPlies,
}

/// A position with a question that has one answer.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What is asked.
    pub question: Question,
    /// The position as text.
    pub position: String,
    /// Whose choice it is.
    pub seat: Seat,
    /// The answer.
    pub action: String,
    /// The plies to the end after the answer, where that is known.
    pub plies: Option<u32>,
    /// For each wrong action a line of best play after it, and the plies to the end of the game.
    pub refutations: Vec<Refutation>,
    /// From 1 to 5.
    pub grade: u8,
}

/// Why an action is wrong.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The wrong action.
    pub action: String,
    /// The plies after it, as a history writes them; empty where the game is over.
    pub line: Vec<String>,
    /// What the action leads to for the seat that chose it.
    pub value: f64,
    /// Plies to the end.
    pub plies: Option<u32>,
}

/// Makes at most `number` problems of `game`, whose solver is `truth`, from so many random games at most.
///
/// # Errors
/// Where the solver runs out of time or memory, or does not know a position of the game.
pub fn problems(
    game: &dyn AnyGame,
    truth: &dyn Truth,
    seed: u64,
    number: usize,
    n_games: u64,
    work: &Work<'_>,
) -> Result<Vec<Problem>, Unsolved> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for nth in 0..n_games {
        let mut rng = stream(seed, "problems", nth);
        let mut current = game.new_match();
        // One problem a game, so that they differ.
        let mut candidates = Vec::new();
        while current.n_plies() < LONGEST_GAME && advance(&mut *current, &mut rng) {
            let Phase::Act(seats) = current.phase() else { continue };
            let key = canonical(game, &*current, seats.first());
            if seen.contains(&key) || current.count_actions(seats.first()) < FEWEST_ACTIONS {
                continue;
            }
            let examined = truth.examine(&*current, None, work);
            examined.complete().map_err(Clone::clone)?;
            if let Some((question, action)) = asked(&examined) {
                candidates.push((key, question, action, current.n_plies(), examined));
            }
        }
        if candidates.is_empty() {
            continue;
        }
        let (key, question, action, n_plies, examined) = candidates.swap_remove(index(&mut rng, candidates.len()));
        current.truncate(n_plies);
        if let Some(problem) = problem(game, &*current, truth, question, &action, &examined, work) {
            seen.insert(key);
            found.push(problem);
        }
        if found.len() == number {
            break;
        }
    }
    Ok(found)
}

/// A random ply; returns whether there was one.
fn advance(current: &mut dyn AnyMatch, rng: &mut FastRng) -> bool {
    match current.phase() {
        Phase::Over => false,
        Phase::Chance => current.sample_outcome(rng).is_ok(),
        Phase::Act(seats) => current.play_random(seats.first(), rng).is_ok(),
    }
}

/// The question that a position puts, and its answer; `None` where it puts none.
fn asked(examined: &Examined) -> Option<(Question, String)> {
    let seat = examined.seat?;
    let ranked = examined.ranked();
    if !examined.holds || ranked.len() < FEWEST_ACTIONS {
        return None;
    }
    let own = |exact: &Exact| exact.values[seat];
    let others = |exact: &Exact| {
        let values = exact.values.as_slice().iter().enumerate().filter(|&(i, _)| i != seat);
        values.map(|(_, &value)| value).fold(f64::NEG_INFINITY, f64::max)
    };
    let (best, second) = (ranked[0].1, ranked[1].1);
    let answer = ranked[0].0.action.clone();
    if best.values.as_slice().len() == 1 {
        return (own(best) > own(second) + 1e-9).then_some((Question::FewestPlies, answer));
    }
    let (wins, loses) = (own(best) > others(best), own(second) < others(second));
    if own(best) > own(second) + 1e-9 {
        return match (wins, loses) {
            (true, _) => Some((Question::KeepTheWin, answer)),
            (false, true) if own(best) >= others(best) => Some((Question::Save, answer)),
            _ => None,
        };
    }
    let faster = matches!((best.plies, second.plies), (Some(one), Some(other)) if one < other && one > 0);
    (wins && faster).then_some((Question::FewestPlies, answer))
}

fn problem(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    truth: &dyn Truth,
    question: Question,
    action: &str,
    examined: &Examined,
    work: &Work<'_>,
) -> Option<Problem> {
    let seat = examined.seat?;
    let position = current.position_text(Viewer::Referee);
    // What is printed must be the position itself, not one that a path leads to.
    let opened = game.match_at(&position).ok()?;
    let mut refutations = Vec::new();
    let mut plies = None;
    for (other, exact) in examined.ranked() {
        if other.action == action {
            plies = exact.plies;
            continue;
        }
        let line = line(&*opened, game, truth, seat, &other.action, work)?;
        refutations.push(Refutation {
            action: other.action.clone(),
            line,
            value: exact.values[seat],
            plies: exact.plies,
        });
    }
    let ahead = plies.unwrap_or(0) as usize + 1;
    let plausible = refutations.iter().filter(|refutation| refutation.line.len() > 1).count();
    let grade = (ahead / 2 + usize::from(plausible >= 3)).clamp(1, HARDEST) as u8;
    Some(Problem { question, position, seat, action: action.into(), plies, refutations, grade })
}

/// Best play after an action.
fn line(
    opened: &dyn AnyMatch,
    game: &dyn AnyGame,
    truth: &dyn Truth,
    seat: Seat,
    action: &str,
    work: &Work<'_>,
) -> Option<Vec<String>> {
    let mut current = game.match_at(&opened.position_text(Viewer::Referee)).ok()?;
    current.play(seat, action).ok()?;
    let mut line = Vec::new();
    while line.len() < LONGEST_LINE && matches!(current.phase(), Phase::Act(_)) {
        let examined = truth.examine(&*current, None, work);
        let best = examined.ranked().first()?.0.action.clone();
        current.play(examined.seat?, &best).ok()?;
        line.push(best);
    }
    Some(line)
}

/// What the seat sees, the least of its images under the symmetries of the rules: the same for positions that are images of
/// each other.
fn canonical(game: &dyn AnyGame, current: &dyn AnyMatch, seat: Seat) -> Vec<i32> {
    raichi_games::visit_game(game, Canonical { current, seat })
}

struct Canonical<'a> {
    current: &'a dyn AnyMatch,
    seat: Seat,
}

impl GameVisitor for Canonical<'_> {
    type Output = Vec<i32>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Vec<i32> {
        let current = self.current.as_any().downcast_ref::<Match<G>>().expect("the match is of the game");
        let rules = game.game();
        let mut observation = vec![0; rules.layout().len()];
        rules.observe(current.state(), self.seat, &mut observation);
        let images = (0..rules.n_symmetries()).map(|symmetry| {
            let mut image = vec![0; observation.len()];
            rules.map_observation(symmetry, &observation, &mut image);
            image
        });
        images.min().unwrap_or_default()
    }
}
