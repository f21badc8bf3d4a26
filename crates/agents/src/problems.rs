//! Problems made from what is known exactly: positions in which one action, and no other, does what is asked.
//!
//! Games are played at random, one stream of draws for each; every position in them is put to the solvers
//! ([`crate::truth`]). It becomes a problem where exactly one of at least three actions keeps the win, saves the game, or
//! wins in the fewest plies. No two problems are images of each other under a symmetry of the rules. Each wrong action has
//! its refutation, a line of best play. How hard a problem is: one grade for every two plies that the solution must see
//! ahead, and one where three or more wrong actions do not lose at once.
//!
//! A position that is lost whatever its seat does asks something else ([`lost_problems`]): which action holds out longest, or
//! loses by the least; after how many plies the game is over if both play as well as they can, or what a counter shows then.
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
use raichi_core::verdict::{Names, sentence};
use raichi_core::{Classes, Phase};
use raichi_solve::{Bounded, Exact, Unsolved, Work};

use crate::truth::{Examined, ExaminedAction, Truth};

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
/// Smaller differences are rounding.
const EQUAL: f64 = 1e-9;
/// Forced wins are looked for in so many last positions of a game.
const LAST_POSITIONS: usize = 12;
/// So many positions are looked at for one of them.
const MOST_NODES: u64 = 20_000_000;
/// A loss that is asked for takes so many plies at least, and at most.
const SHORTEST_LOSS: u32 = 3;
const LONGEST_LOSS: u32 = 12;
/// The answers that a question after a number has to choose from.
const N_CHOICES: u32 = 4;
/// Lines of best play are followed through so many positions, to see whether all end with the same count.
const MOST_POSITIONS: usize = 20_000;

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
    /// Every action loses, one of them after the most plies: so many, itself counted.
    HoldOut(u32),
    /// Every action loses, one of them by the least: by so much.
    LoseLeast(u32),
    /// Every action loses: after how many plies is the game over?
    LostIn(u32),
    /// Every action loses: what does a counter show for the seat when the game is over?
    Left(u32),
}

impl Question {
    /// Whether it is answered by a number.
    pub fn is_counted(self) -> bool {
        matches!(self, Question::LostIn(_) | Question::Left(_))
    }
}

/// From which random games problems are made.
#[derive(Clone, Copy)]
pub struct Draws<'a> {
    /// What the games are drawn from.
    pub seed: u64,
    /// So many problems at most.
    pub number: usize,
    /// From so many games at most.
    pub n_games: u64,
    /// Is told, before each game, how many were played, and how many problems they held.
    pub progress: &'a dyn Fn(u64, usize),
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
    /// The answer: an action, or one of the choices.
    pub answer: String,
    /// The numbers to choose from, where one is asked for.
    pub choices: Vec<String>,
    /// What the answer brings the seat; 0 where that is not known.
    pub value: f64,
    /// The plies to the end after the answer, where that is known.
    pub plies: Option<u32>,
    /// Of a lost position, best play after the answer, or, where a number is asked for, from the position on.
    pub line: Option<Line>,
    /// Why each wrong action is wrong.
    pub refutations: Vec<Refutation>,
    /// From 1 to 5.
    pub grade: u8,
}

/// Why an action is wrong.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The wrong action.
    pub action: String,
    /// What follows; no plies where the game is over, or against chance.
    pub line: Line,
    /// What the action leads to for the seat that chose it.
    pub value: f64,
    /// By how much it loses, in what the game's experts count, where that is asked.
    pub score: Option<f64>,
    /// The one seat that then gets the most; `None` where several do, or nobody knows.
    pub winner: Option<Seat>,
    /// Plies to the end.
    pub plies: Option<u32>,
}

/// Plies, as a history writes them, and how they end.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// In order.
    pub plies: Vec<String>,
    /// Who has won and why, as the rules say it; `None` where the game goes on.
    pub end: Option<String>,
}

impl Line {
    /// The plies after the first `n_before` of a game.
    fn since(game: &dyn AnyGame, current: &dyn AnyMatch, n_before: usize) -> Line {
        let plies = current.plies()[n_before..].iter().map(|ply| ply.token(Viewer::Referee)).collect();
        let end = current.end_reason();
        let end = end.map(|end| sentence(current, &Names::of(game), &current.payoffs(), end));
        Line { plies, end }
    }
}

/// Makes problems of `game`, whose solver is `truth`.
///
/// # Errors
/// Where the solver runs out of time before there is any, out of memory, or does not know a position of the game.
pub fn problems(
    game: &dyn AnyGame,
    truth: &dyn Truth,
    draws: &Draws<'_>,
    work: &Work<'_>,
) -> Result<Vec<Problem>, Unsolved> {
    // Against chance even two actions are hard to tell apart.
    let fewest = if game.facts().chance { 2 } else { FEWEST_ACTIONS };
    Maker { game, truth, work, lost: None }.make(draws, "problems", fewest)
}

/// Makes problems of positions that are lost: which action holds out longest, and after how many plies it is over. With the name
/// of a counter (`discs`) those of a game in which the score counts, which the counter shows: which action loses by the least,
/// and what the counter shows for the loser in the end.
///
/// # Errors
/// As [`problems`].
pub fn lost_problems(
    game: &dyn AnyGame,
    truth: &dyn Truth,
    counter: Option<&str>,
    draws: &Draws<'_>,
    work: &Work<'_>,
) -> Result<Vec<Problem>, Unsolved> {
    let measure = if counter.is_some() { Measure::Score } else { Measure::Plies };
    let lost = Some((measure, counter.unwrap_or_default()));
    Maker { game, truth, work, lost }.make(draws, "lost-problems", 2)
}

/// What tells one loss from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// How long it can be put off.
    Plies,
    /// What the game's experts count.
    Score,
}

impl Measure {
    /// How good a result is for the seat that loses; the more the better.
    fn worth(self, exact: &Exact) -> Option<f64> {
        match self {
            Measure::Plies => exact.plies.map(f64::from),
            Measure::Score => exact.score,
        }
    }
}

/// Makes problems of one game.
struct Maker<'a> {
    game: &'a dyn AnyGame,
    truth: &'a dyn Truth,
    work: &'a Work<'a>,
    /// Where lost positions are asked about, by what, and of which counter.
    lost: Option<(Measure, &'a str)>,
}

/// A position of a game that puts a question.
struct Candidate {
    key: Vec<i32>,
    question: Question,
    answer: String,
    n_plies: usize,
    examined: Examined,
}

impl Maker<'_> {
    fn make(&self, draws: &Draws<'_>, purpose: &str, fewest_actions: usize) -> Result<Vec<Problem>, Unsolved> {
        let mut found: Vec<Problem> = Vec::new();
        let mut seen = HashSet::new();
        for nth in 0..draws.n_games {
            (draws.progress)(nth, found.len());
            let mut rng = stream(draws.seed, purpose, nth);
            let mut current = self.game.new_match();
            // One problem a game, so that they differ.
            let mut candidates = match self.candidates(&mut *current, &seen, fewest_actions, &mut rng) {
                Err(Unsolved::OutOfTime) if !found.is_empty() => break,
                known => known?,
            };
            if self.lost.is_some() {
                keep_the_rarer(&mut candidates, &found);
            }
            if candidates.is_empty() {
                continue;
            }
            let candidate = candidates.swap_remove(index(&mut rng, candidates.len()));
            current.truncate(candidate.n_plies);
            let made = match self.lost {
                None => self.problem(&*current, &candidate),
                Some(_) => self.lost_problem(&*current, &candidate, &mut rng),
            };
            if let Some(problem) = made {
                seen.insert(candidate.key);
                found.push(problem);
            }
            if found.len() == draws.number {
                break;
            }
        }
        Ok(found)
    }

    /// Plays a game at random, and returns the positions in it that put a question.
    fn candidates(
        &self,
        current: &mut dyn AnyMatch,
        seen: &HashSet<Vec<i32>>,
        fewest_actions: usize,
        rng: &mut FastRng,
    ) -> Result<Vec<Candidate>, Unsolved> {
        let chance = self.game.facts().chance;
        let mut candidates = Vec::new();
        while current.n_plies() < LONGEST_GAME && advance(current, rng) {
            let Phase::Act(seats) = current.phase() else { continue };
            let key = canonical(self.game, current, seats.first());
            if seen.contains(&key) || current.count_actions(seats.first()) < fewest_actions {
                continue;
            }
            let examined = self.truth.examine(current, None, self.work);
            match examined.complete() {
                // Of games against chance solvers may know some positions only.
                Err(Unsolved::Unknown(_)) if chance => continue,
                known => known.map_err(Clone::clone)?,
            }
            let questions = match self.lost {
                None => asked(&examined, chance).into_iter().collect(),
                Some((measure, _)) => asked_of_lost(&examined, measure),
            };
            candidates.extend(questions.into_iter().map(|(question, answer)| Candidate {
                key: key.clone(),
                question,
                answer,
                n_plies: current.n_plies(),
                examined: examined.clone(),
            }));
        }
        Ok(candidates)
    }

    /// The position as text, and a match that begins with it.
    fn opened(&self, current: &dyn AnyMatch, seat: Seat) -> Option<(String, Box<dyn AnyMatch>)> {
        // Of a game with secrets the position is what the seat sees.
        let viewer = if current.facts().hidden { Viewer::Seat(seat) } else { Viewer::Referee };
        let position = current.position_text(viewer);
        // What is printed must be the position itself, not one that a path leads to.
        let opened = self.game.match_at(&position).ok()?;
        Some((position, opened))
    }

    fn problem(&self, current: &dyn AnyMatch, candidate: &Candidate) -> Option<Problem> {
        let Candidate { question, answer, examined, .. } = candidate;
        let seat = examined.seat?;
        let (position, opened) = self.opened(current, seat)?;
        let (_, best) = examined.ranked().into_iter().find(|(action, _)| action.action == *answer)?;
        let mut refutations = Vec::new();
        for (other, exact) in examined.ranked() {
            if other.action == *answer {
                continue;
            }
            let line = match question {
                Question::Most => Line::default(),
                _ => self.line(&*opened, seat, &other.action, LONGEST_LINE)?,
            };
            refutations.push(Refutation::of(other, exact, line, seat));
        }
        let grade = match question {
            // The nearer the second, the harder.
            Question::Most => {
                let values: Vec<f64> = examined.ranked().iter().map(|(_, exact)| exact.values[seat]).collect();
                let nearer = (values[0] - values[1]) / values[0].abs().max(1.0);
                ([0.5, 0.2, 0.1, 0.05].iter().filter(|&&far| nearer < far).count() + 1) as u8
            }
            _ => graded(best.plies.unwrap_or(0) as usize + 1, &refutations),
        };
        Some(Problem {
            question: *question,
            position,
            seat,
            answer: answer.clone(),
            choices: Vec::new(),
            value: best.values[seat],
            plies: best.plies,
            line: None,
            refutations,
            grade,
        })
    }

    /// The problem that a lost position puts.
    fn lost_problem(&self, current: &dyn AnyMatch, candidate: &Candidate, rng: &mut FastRng) -> Option<Problem> {
        let (_, counter) = self.lost?;
        let examined = &candidate.examined;
        let seat = examined.seat?;
        let (position, opened) = self.opened(current, seat)?;
        let ranked = examined.ranked();
        let (best, exact) = ranked[0];
        let mut line = self.line(&*opened, seat, &best.action, LONGEST_GAME)?;
        line.end.as_ref()?;
        let ahead = line.plies.len() + 1;
        let (mut question, mut choices, mut refutations) = (candidate.question, Vec::new(), Vec::new());
        match question {
            Question::LostIn(n) => choices = numbers(n, 2, 1..=u32::MAX, rng),
            Question::Left(_) => {
                let (n, all) = self.left(opened, seat, counter)?;
                question = Question::Left(n);
                // Who has lost has less than half.
                choices = numbers(n, 1, 0..=n.max(all.saturating_sub(1) / 2), rng);
            }
            _ => {
                for &(other, exact) in &ranked[1..] {
                    let opened = self.game.match_at(&position).ok()?;
                    let line = self.line(&*opened, seat, &other.action, LONGEST_LINE)?;
                    refutations.push(Refutation::of(other, exact, line, seat));
                }
            }
        }
        let answer = match question {
            Question::LostIn(n) | Question::Left(n) => {
                line.plies.insert(0, best.action.clone());
                n.to_string()
            }
            _ => best.action.clone(),
        };
        Some(Problem {
            question,
            position,
            seat,
            answer,
            choices,
            value: exact.values[seat],
            plies: exact.plies,
            line: Some(line),
            grade: graded(ahead, &refutations),
            refutations,
        })
    }

    /// Best play after an action, so many plies at most.
    fn line(&self, opened: &dyn AnyMatch, seat: Seat, action: &str, longest: usize) -> Option<Line> {
        let mut current = self.game.match_at(&opened.position_text(Viewer::Referee)).ok()?;
        current.play(seat, action).ok()?;
        let n_before = current.n_plies();
        while current.n_plies() < n_before + longest && matches!(current.phase(), Phase::Act(_)) {
            let examined = self.truth.examine(&*current, None, self.work);
            examined.complete().ok()?;
            let best = examined.ranked().first()?.0.action.clone();
            current.play(examined.seat?, &best).ok()?;
        }
        Some(Line::since(self.game, &*current, n_before))
    }

    /// What a counter shows for the seat at the end, whichever of the best actions are chosen, and for all seats together after
    /// the last line; `None` where the first depends on the line, the counter is not there, or there are too many positions.
    fn left(&self, mut current: Box<dyn AnyMatch>, seat: Seat, counter: &str) -> Option<(u32, u32)> {
        let (mut ends, mut all, mut n_left) = (HashSet::new(), 0, MOST_POSITIONS);
        self.follow(&mut *current, &mut n_left, &mut |end| {
            let counters = end.picture(Viewer::Referee).counters;
            let shown = counters.iter().filter(|one| one.label == counter);
            let shown: Vec<(Seat, u32)> = shown.filter_map(|one| Some((one.seat?, one.value.parse().ok()?))).collect();
            ends.insert(shown.iter().find(|(of, _)| *of == seat).map(|(_, n)| *n));
            all = shown.iter().map(|(_, n)| n).sum();
        })?;
        let mut ends = ends.into_iter();
        let n = ends.next().filter(|_| ends.next().is_none())??;
        Some((n, all))
    }

    /// Plays all lines of best play to their ends; `None` where there are too many positions.
    fn follow(
        &self,
        current: &mut dyn AnyMatch,
        n_left: &mut usize,
        at_end: &mut dyn FnMut(&dyn AnyMatch),
    ) -> Option<()> {
        if !matches!(current.phase(), Phase::Act(_)) {
            at_end(current);
            return Some(());
        }
        *n_left = n_left.checked_sub(1)?;
        let examined = self.truth.examine(current, None, self.work);
        examined.complete().ok()?;
        let (seat, ranked) = (examined.seat?, examined.ranked());
        let worth = |exact: &Exact| (exact.values[seat], exact.score);
        let best = worth(ranked.first()?.1);
        let n_before = current.n_plies();
        for (action, _) in ranked.iter().filter(|(_, exact)| worth(exact) == best) {
            current.play(seat, &action.action).ok()?;
            self.follow(current, n_left, at_end)?;
            current.truncate(n_before);
        }
        Some(())
    }
}

impl Refutation {
    fn of(action: &ExaminedAction, exact: &Exact, line: Line, seat: Seat) -> Refutation {
        Refutation {
            action: action.action.clone(),
            line,
            value: exact.values[seat],
            score: exact.score,
            winner: best_alone(exact.values.as_slice()),
            plies: exact.plies,
        }
    }
}

/// One grade for every two plies that are to be seen ahead, and one where three or more wrong actions do not end at once.
fn graded(ahead: usize, refutations: &[Refutation]) -> u8 {
    let plausible = refutations.iter().filter(|refutation| refutation.line.plies.len() > 1).count();
    (ahead / 2 + usize::from(plausible >= 3)).clamp(1, HARDEST) as u8
}

/// The numbers to choose from: the right one among others, `step` apart, within a range that holds the right one.
fn numbers(right: u32, step: u32, range: std::ops::RangeInclusive<u32>, rng: &mut FastRng) -> Vec<String> {
    let below = ((right - range.start()) / step).min(N_CHOICES - 1);
    let above = ((range.end() - right) / step).min(N_CHOICES - 1);
    let fewest_below = (N_CHOICES - 1 - above).min(below);
    let n_below = fewest_below + index(rng, (below - fewest_below + 1) as usize) as u32;
    let first = right - step * n_below;
    (0..N_CHOICES).map(|i| first + step * i).filter(|number| range.contains(number)).map(|n| n.to_string()).collect()
}

/// Of both kinds of questions about lost positions those stay of which fewer were found, where there are any.
fn keep_the_rarer(candidates: &mut Vec<Candidate>, found: &[Problem]) {
    let n_counted = found.iter().filter(|problem| problem.question.is_counted()).count();
    let wants_counted = 2 * n_counted < found.len();
    if candidates.iter().any(|candidate| candidate.question.is_counted() == wants_counted) {
        candidates.retain(|candidate| candidate.question.is_counted() == wants_counted);
    }
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
    // Alone, where chance has done all that it will do: a cube that is twisted.
    if best.values.as_slice().len() == 1 && (!chance || best.plies.is_some()) {
        return (own(best) > own(second) + EQUAL).then_some((Question::FewestPlies, answer));
    }
    if chance {
        let clearly = CLEARLY * own(best).abs().max(1.0);
        return (own(best) > own(second) + clearly).then_some((Question::Most, answer));
    }
    let (wins, loses) = (own(best) > others(best), own(second) < others(second));
    if own(best) > own(second) + EQUAL {
        return match (wins, loses) {
            (true, _) => Some((Question::KeepTheWin, answer)),
            (false, true) if own(best) >= others(best) => Some((Question::Save, answer)),
            _ => None,
        };
    }
    let faster = matches!((best.plies, second.plies), (Some(one), Some(other)) if one < other && one > 0);
    (wins && faster).then_some((Question::FewestPlies, answer))
}

/// The questions that a position puts which is lost whatever its seat does, and their answers.
fn asked_of_lost(examined: &Examined, measure: Measure) -> Vec<(Question, String)> {
    let (Some(seat), ranked) = (examined.seat, examined.ranked()) else { return Vec::new() };
    let values: Option<Vec<f64>> = ranked.iter().map(|(_, exact)| measure.worth(exact)).collect();
    let lost = |exact: &Exact| best_alone(exact.values.as_slice()).is_some_and(|winner| winner != seat);
    let (Some(values), true) = (values, examined.holds && ranked.iter().all(|(_, exact)| lost(exact))) else {
        return Vec::new();
    };
    let alone = values.len() >= FEWEST_ACTIONS && values[0] > values[1];
    let mut questions = Vec::new();
    let action = match measure {
        Measure::Plies => {
            let n = values[0] as u32 + 1;
            if (SHORTEST_LOSS..=LONGEST_LOSS).contains(&n) {
                questions.push((Question::LostIn(n), n.to_string()));
            }
            Question::HoldOut(n)
        }
        Measure::Score => {
            // What the counter shows at the end is found out where it is asked.
            questions.push((Question::Left(0), String::new()));
            Question::LoseLeast(-values[0] as u32)
        }
    };
    if alone {
        questions.push((action, ranked[0].0.action.clone()));
    }
    questions
}

/// The one seat that gets more than every other.
fn best_alone(values: &[f64]) -> Option<Seat> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut seats = values.iter().enumerate().filter(|&(_, &value)| value >= best - EQUAL).map(|(seat, _)| seat);
    let first = seats.next()?;
    seats.next().is_none().then_some(first)
}

/// Makes problems of forced wins within `plies` plies, from random games that begin with the position of `start`; none of games
/// with secrets or seats that act at the same time.
pub fn forced_problems(game: &dyn AnyGame, start: &dyn AnyMatch, plies: u32, draws: &Draws<'_>) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for nth in 0..draws.n_games {
        (draws.progress)(nth, found.len());
        let mut rng = stream(draws.seed, "forced-problems", nth);
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
        if found.len() == draws.number {
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
        let (line, winner) = refuting(game, next, question, seat)?;
        refutations.push(Refutation { action: other.clone(), line, value: 0.0, score: None, winner, plies: None });
    }
    let (Question::Force(within) | Question::Avert(within)) = question else { return None };
    let grade = (within as usize / 2 + usize::from(legal.len() >= 20)).clamp(1, HARDEST) as u8;
    let answer = action.into();
    let choices = Vec::new();
    Some(Problem { question, position, seat, answer, choices, value: 0.0, plies: None, line: None, refutations, grade })
}

/// What a wrong action is answered with, and who wins by it: after one that does not force a win, an action that keeps it from
/// being forced in time; after one that does not avert it, the whole of a shortest line.
fn refuting(
    game: &dyn AnyGame,
    mut next: Box<dyn AnyMatch>,
    question: Question,
    seat: Seat,
) -> Option<(Line, Option<Seat>)> {
    let n_before = next.n_plies();
    let mut winner = best_alone(next.payoffs().as_slice()).filter(|_| next.phase() == Phase::Over);
    if let Phase::Act(seats) = next.phase()
        && seats.first() != seat
    {
        let other = seats.first();
        match question {
            Question::Force(within) => {
                let forcing = forcing(game, &*next, seat, within - 2)?;
                let reply = next.legal(other).into_iter().find(|reply| !forcing.contains(reply));
                if let Some(reply) = reply {
                    next.play(other, &reply).ok()?;
                }
            }
            Question::Avert(within) => {
                winner = Some(other);
                // Where that would take too long, the line breaks off.
                let _: Option<()> = win_soon(game, &mut *next, other, within);
            }
            _ => return None,
        }
    }
    Some((Line::since(game, &*next, n_before), winner))
}

/// Plays on to the end: the winner by a shortest way, the others so that it takes as long as they can make it.
fn win_soon(game: &dyn AnyGame, current: &mut dyn AnyMatch, winner: Seat, within: u32) -> Option<()> {
    let mut left = within;
    while let Phase::Act(seats) = current.phase() {
        let seat = seats.first();
        let action = if seat == winner {
            let mut plies = 0;
            let action = loop {
                if let Some(action) = forcing(game, current, winner, plies)?.into_iter().next() {
                    break action;
                }
                plies += 1;
                if plies >= left {
                    return None;
                }
            };
            left = plies + 1;
            action
        } else {
            let short = forcing(game, current, winner, left.saturating_sub(3))?;
            let legal = current.legal(seat);
            let longest = legal.iter().find(|action| !short.contains(action)).or(legal.first())?;
            longest.clone()
        };
        current.play(seat, &action).ok()?;
        left -= 1;
    }
    Some(())
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
