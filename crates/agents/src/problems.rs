//! Problems made from what is known exactly: positions in which one action, and no other, does what is asked.
//!
//! Games are played at random, one stream of draws for each; every position in them is put to the solvers
//! ([`crate::truth`]). It becomes a problem where exactly one of at least three actions keeps the win, saves the game, or
//! wins in the fewest plies. No two problems are images of each other under a symmetry of the rules. Each wrong action has
//! its refutation, a line of best play. How hard a problem is: one grade for every two plies that the solution must see
//! ahead, and one where three or more wrong actions do not lose at once.
//!
//! Of games against chance a position becomes a problem where one action is expected to bring clearly more than the others.
//! Of games too large to be solved ([`forced_problems`]) one does where a search to a bounded depth ([`raichi_solve::bounded`])
//! proves that one action alone forces a win within some plies, or that one alone keeps the other from doing so.

use std::collections::HashSet;
use std::sync::Arc;

use raichi_core::erased::{AnyGame, AnyMatch, GameVisitor, Playable};
use raichi_core::history::Match;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::{Classes, Phase};
use raichi_solve::{Bounded, Exact, Unsolved, Work};

use crate::truth::{Examined, Truth};

/// The plies of a refutation that are told.
const LONGEST_LINE: usize = 8;
/// A game is played at random for so many plies at most.
const LONGEST_GAME: usize = 200;
/// And one whose end is looked for.
const LONGEST_TO_AN_END: usize = 600;
/// Fewer actions make no problem.
const FEWEST_ACTIONS: usize = 3;
/// The hardest grade.
const HARDEST: usize = 5;
/// How much more the best action of a game against chance brings, as a part of what it brings.
const CLEARLY: f64 = 0.02;
/// Forced wins are looked for in so many last positions of a game.
const LAST_POSITIONS: usize = 12;
/// So many positions are looked at for one of them.
const MOST_NODES: u64 = 20_000_000;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// One action keeps the win, all others give it away.
    KeepTheWin,
    /// One action does not lose.
    Save,
    /// Several actions win, one of them in the fewest plies.
    FewestPlies,
    /// One action is expected to bring the most.
    Most,
    /// One action forces a win within so many plies, itself counted.
    Force(u32),
    /// After one action alone no other seat can force a win within so many plies.
    Avert(u32),
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
    let facts = game.facts();
    for nth in 0..n_games {
        let mut rng = stream(seed, "problems", nth);
        let mut current = game.new_match();
        // One problem a game, so that they differ.
        let mut candidates = Vec::new();
        while current.n_plies() < LONGEST_GAME && advance(&mut *current, &mut rng) {
            let Phase::Act(seats) = current.phase() else { continue };
            let key = canonical(game, &*current, seats.first());
            // Against chance even two actions are hard to tell apart.
            let fewest = if facts.chance { 2 } else { FEWEST_ACTIONS };
            if seen.contains(&key) || current.count_actions(seats.first()) < fewest {
                continue;
            }
            let examined = truth.examine(&*current, None, work);
            match examined.complete() {
                // Of games against chance solvers may know some positions only.
                Err(Unsolved::Unknown(_)) if facts.chance => continue,
                known => known.map_err(Clone::clone)?,
            }
            if let Some((question, action)) = asked(&examined, facts.chance) {
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
fn asked(examined: &Examined, chance: bool) -> Option<(Question, String)> {
    let seat = examined.seat?;
    let ranked = examined.ranked();
    if !examined.holds || ranked.len() < 2 {
        return None;
    }
    let own = |exact: &Exact| exact.values[seat];
    let others = |exact: &Exact| {
        let values = exact.values.as_slice().iter().enumerate().filter(|&(i, _)| i != seat);
        values.map(|(_, &value)| value).fold(f64::NEG_INFINITY, f64::max)
    };
    let (best, second) = (ranked[0].1, ranked[1].1);
    let answer = ranked[0].0.action.clone();
    if chance {
        let clearly = CLEARLY * own(best).abs().max(1.0);
        return (own(best) > own(second) + clearly).then_some((Question::Most, answer));
    }
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
    // Of a game with secrets the position is what the seat sees.
    let viewer = if current.facts().hidden { Viewer::Seat(seat) } else { Viewer::Referee };
    let position = current.position_text(viewer);
    // What is printed must be the position itself, not one that a path leads to.
    let opened = game.match_at(&position).ok()?;
    let mut refutations = Vec::new();
    let mut plies = None;
    for (other, exact) in examined.ranked() {
        if other.action == action {
            plies = exact.plies;
            continue;
        }
        let line = match question {
            Question::Most => Vec::new(),
            _ => line(&*opened, game, truth, seat, &other.action, work)?,
        };
        refutations.push(Refutation {
            action: other.action.clone(),
            line,
            value: exact.values[seat],
            plies: exact.plies,
        });
    }
    let ahead = plies.unwrap_or(0) as usize + 1;
    let plausible = refutations.iter().filter(|refutation| refutation.line.len() > 1).count();
    let grade = match question {
        // The nearer the second, the harder.
        Question::Most => {
            let values: Vec<f64> = examined.ranked().iter().map(|(_, exact)| exact.values[seat]).collect();
            let nearer = (values[0] - values[1]) / values[0].abs().max(1.0);
            [0.5, 0.2, 0.1, 0.05].iter().filter(|&&far| nearer < far).count() + 1
        }
        _ => (ahead / 2 + usize::from(plausible >= 3)).clamp(1, HARDEST),
    };
    Some(Problem { question, position, seat, action: action.into(), plies, refutations, grade: grade as u8 })
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

/// Makes at most `number` problems of forced wins within `plies` plies, from so many random games at most, which begin with the
/// position of `start`; none of games with secrets or seats that act at the same time.
pub fn forced_problems(
    game: &dyn AnyGame,
    start: &dyn AnyMatch,
    plies: u32,
    seed: u64,
    number: usize,
    n_games: u64,
) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for nth in 0..n_games {
        let mut rng = stream(seed, "forced-problems", nth);
        let mut current = start.boxed_clone();
        while current.n_plies() < LONGEST_TO_AN_END && advance(&mut *current, &mut rng) {}
        if current.phase() != Phase::Over {
            continue;
        }
        let last = current.n_plies();
        let mut candidates = Vec::new();
        for n_plies in last.saturating_sub(LAST_POSITIONS)..last {
            // What is asked is of the position itself, on no path.
            let Ok(opened) = game.match_at(&current.position_text_after(n_plies, Viewer::Referee)) else { continue };
            let Phase::Act(seats) = opened.phase() else { continue };
            let key = canonical(game, &*opened, seats.first());
            if !seen.contains(&key)
                && let Some(problem) = forced(game, &*opened, plies)
            {
                candidates.push((key, problem));
            }
        }
        if candidates.is_empty() {
            continue;
        }
        let (key, problem) = candidates.swap_remove(index(&mut rng, candidates.len()));
        seen.insert(key);
        found.push(problem);
        if found.len() == number {
            break;
        }
    }
    found
}

/// The actions of the seat to act after which `plies` more plies are enough for `winner` to force a win; `None` where too
/// many positions would have to be looked at, or the game has secrets.
pub fn forcing(game: &dyn AnyGame, current: &dyn AnyMatch, winner: Seat, plies: u32) -> Option<Vec<String>> {
    raichi_games::visit_game(game, Forcing { current, winner, plies })
}

struct Forcing<'a> {
    current: &'a dyn AnyMatch,
    winner: Seat,
    plies: u32,
}

impl GameVisitor for Forcing<'_> {
    type Output = Option<Vec<String>>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let current = self.current.as_any().downcast_ref::<Match<G>>().expect("the match is of the game");
        let Phase::Act(seats) = current.phase() else { return None };
        let (seat, mut forcing) = (seats.first(), Vec::new());
        if const { !G::CLASSES.meets(Classes::NO_SECRETS) } {
            return None;
        }
        let mut search = Bounded::new(game.game(), self.winner, MOST_NODES)?;
        for action in current.legal_actions(seat) {
            let mut next = current.state().position().clone();
            game.game().apply(&mut next, seat, action);
            if search.wins(&next, self.plies)? {
                forcing.push(game.action_text(current.state(), seat, action));
            }
        }
        Some(forcing)
    }
}

/// The problem of a forced win, or of the escape from one, that a position puts.
fn forced(game: &dyn AnyGame, current: &dyn AnyMatch, plies: u32) -> Option<Problem> {
    let Phase::Act(seats) = current.phase() else { return None };
    let seat = seats.first();
    let legal = current.legal(seat);
    if legal.len() < FEWEST_ACTIONS {
        return None;
    }
    for within in (1..=plies).step_by(2) {
        let winning = forcing(game, current, seat, within - 1)?;
        match winning.as_slice() {
            [] => {}
            [one] if within > 1 => return made(game, current, Question::Force(within), one, &legal),
            _ => return None,
        }
    }
    let others = (0..game.facts().n_seats).filter(|&other| other != seat);
    for within in (1..plies).step_by(2) {
        let mut losing = HashSet::new();
        for other in others.clone() {
            losing.extend(forcing(game, current, other, within)?);
        }
        let safe: Vec<&String> = legal.iter().filter(|action| !losing.contains(*action)).collect();
        match safe.as_slice() {
            [] => return None,
            [one] => return made(game, current, Question::Avert(within), one, &legal),
            _ => {}
        }
    }
    None
}

fn made(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    question: Question,
    action: &str,
    legal: &[String],
) -> Option<Problem> {
    let Phase::Act(seats) = current.phase() else { return None };
    let (seat, position) = (seats.first(), current.position_text(Viewer::Referee));
    let mut refutations = Vec::new();
    for other in legal.iter().filter(|other| *other != action) {
        let mut next = game.match_at(&position).ok()?;
        next.play(seat, other).ok()?;
        let line = refuting(game, &*next, question, seat)?.into_iter().collect();
        refutations.push(Refutation { action: other.clone(), line, value: 0.0, plies: None });
    }
    let (Question::Force(within) | Question::Avert(within)) = question else { return None };
    let grade = (within as usize / 2 + usize::from(legal.len() >= 20)).clamp(1, HARDEST) as u8;
    Some(Problem { question, position, seat, action: action.into(), plies: None, refutations, grade })
}

/// What another seat answers a wrong action with; nothing where nobody else acts then.
fn refuting(game: &dyn AnyGame, next: &dyn AnyMatch, question: Question, seat: Seat) -> Option<Option<String>> {
    let Phase::Act(seats) = next.phase() else { return Some(None) };
    let other = seats.first();
    if other == seat {
        return Some(None);
    }
    let (winner, plies) = match question {
        Question::Force(within) => (seat, within - 2),
        Question::Avert(within) => (other, within - 1),
        _ => return None,
    };
    let forcing = forcing(game, next, winner, plies)?;
    let mut replies = next.legal(other).into_iter();
    Some(replies.find(|reply| forcing.contains(reply) == (winner == other)))
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
