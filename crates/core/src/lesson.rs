//! Lessons: steps with a position, something to do there, and what is said to what the learner tried.
//!
//! The lessons of a game are data, a file in TOML:
//!
//! ```
//! # use raichi_core::lesson::Course;
//! let course = Course::parse(r#"
//! [[lesson]]
//! title = "First steps"
//!
//! [[lesson.step]]
//! title = "Three in a row"
//! game = "tic-tac-toe"                # the spec
//! history = "a1 b1 b2 c1"             # from the start, or from the position that `from` gives
//! text = "X has two corners of a diagonal."
//! task = "Complete it."
//! actions = ["c3"]                    # done by one of these
//! right = "Three in a row."
//! wrong = "That is not on the diagonal."
//! tries = { a2 = "Close: the row below is not the diagonal." }
//! "#).unwrap();
//! assert_eq!(course.lesson[0].step[0].actions, ["c3"]);
//! ```
//!
//! Exactly one of these says what counts as done: `actions` (one of these; with `keeps = true` they are exactly those
//! that keep what the position is worth, which a test asks the solvers), `won = true`, `safe = true` (the learner has not
//! lost, and nobody else can win by one action), `ends` (the reason for which the
//! game is over), `says` (a note that the position shows), `counter` with `least` or `most` (what a counter of the
//! position shows), `who_wins` (a question: who wins after these plies), `shows` (a question: what the counter of `seat`
//! shows after these plies; one of `choices`), or `lasts` (a question: how many plies these are till the game is over; one of
//! `choices`). The learner has `within` actions for it, one where it is not said; `replies` holds what the others do after
//! what the learner has done so far in the step, chance draws by itself, and `solution` is one way, needed where `within` is
//! more than one. Where what the learner has done is not in `replies`, the others do the first of `others` that they may.
//! With `among` the learner keeps to these actions; any other is not done. `seat` is the learner's, where it is not the one
//! to act.
//!
//! What a search to some depth proves is said by two more, which a test asks it for: with `forces = N` `actions` are exactly
//! those by which the learner wins within N plies whatever the others do, with `averts = N` exactly those after which no
//! other can win so within N plies. With `keeps = true` beside `who_wins`, `shows` or `lasts`, the plies are best play.
//! Of a position that is lost whatever the learner does, `lost_in = N` says that `actions` are exactly those with which it is
//! lost as late as can be, after N plies, the action counted, and `lost_by = N` that they are exactly those that lose it by
//! the least, N of what the game's experts count; a test asks the solvers.
//!
//! Errors of the file name its line and column; what the positions and answers must satisfy is [`Step::faults`], which
//! a test of the games asks for every lesson.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

use crate::erased::{AnyGame, AnyMatch};
use crate::game::Phase;
use crate::history::{By, PlayError};
use crate::random::stream;
use crate::rulebook::{OpenError, Position};
use crate::seat::{Seat, Viewer};

/// What chance draws in lessons: the same for all, so that everybody has the same lesson.
const SEED: u64 = 1732;

/// The lessons of a game, the first one first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// In order.
    pub lesson: Vec<Lesson>,
}

/// What teaches one thing, in steps.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// What is learned.
    pub title: String,
    /// In order.
    pub step: Vec<Step>,
}

/// A position with something to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// A few words.
    pub title: String,
    /// The spec of the game.
    pub game: String,
    /// The position that the history begins with; the game's own start where there is none.
    pub from: Option<String>,
    /// The plies up to where the learner begins.
    pub history: String,
    /// Whose part the learner takes; the seat to act where it is not said.
    pub seat: Option<Seat>,
    /// Of a problem how hard it is, from 1 to 5.
    pub grade: Option<u8>,
    /// What is to be known, and why, in Markdown.
    pub text: String,
    /// What is to be done, a sentence.
    pub task: String,
    /// Done by one of these actions, in canonical text.
    pub actions: Vec<String>,
    /// `actions` are exactly those that keep what the position is worth to the learner.
    pub keeps: bool,
    /// Done when the game is over and the learner has won.
    pub won: bool,
    /// Done by an action after which the learner has not lost, and nobody else can win by one action.
    pub safe: bool,
    /// Done when the game is over for this reason.
    pub ends: Option<String>,
    /// Done when a note of the position begins so.
    pub says: Option<String>,
    /// Done when this counter shows at least `least`, at most `most`.
    pub counter: Option<String>,
    /// See `counter`.
    pub least: Option<i64>,
    /// See `counter`.
    pub most: Option<i64>,
    /// A question: after these plies the game is over; who has won?
    pub who_wins: Option<String>,
    /// A question: what the counter `counter` of `seat` shows after these plies.
    pub shows: Option<String>,
    /// A question: how many plies these are until the game is over.
    pub lasts: Option<String>,
    /// What a question after a number can be answered with.
    pub choices: Vec<String>,
    /// `actions` are exactly those that force a win within so many plies, the action counted.
    pub forces: Option<u32>,
    /// `actions` are exactly those after which no other seat can force a win within so many plies.
    pub averts: Option<u32>,
    /// All is lost, and `actions` are exactly those with which the game lasts longest: so many plies, the action counted.
    pub lost_in: Option<u32>,
    /// All is lost, and `actions` are exactly those that lose by the least: so much.
    pub lost_by: Option<u32>,
    /// How many actions the learner has; 1 where it is not said.
    pub within: Option<usize>,
    /// After the learner's actions so far, separated by spaces: the plies of the others that follow.
    pub replies: BTreeMap<String, String>,
    /// Where `replies` says nothing, the others do the first of these that they may.
    pub others: Vec<String>,
    /// The learner keeps to these actions, where there are any.
    pub among: Vec<String>,
    /// Actions of the learner that do it.
    pub solution: Vec<String>,
    /// Said when it is done.
    pub right: String,
    /// Said when it is not.
    pub wrong: String,
    /// Said instead, after these actions of the learner.
    pub tries: BTreeMap<String, String>,
}

/// What a try came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It is done.
    Right {
        /// What is said to it.
        said: String,
    },
    /// It is not done, and cannot be any more.
    Wrong {
        /// What is said to it.
        said: String,
    },
    /// Not yet done, the learner is to act again.
    GoesOn {
        /// What is said to it; it may be empty.
        said: String,
    },
}

/// A file that is no lesson.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LessonError {
    /// The text is malformed; the sentence names the line and the column.
    #[error("{0}")]
    Malformed(String),
    /// A step does not say what counts as done, or says it twice.
    #[error("lesson {lesson}, step {step} (`{title}`): {why}")]
    Goal {
        /// From 1.
        lesson: usize,
        /// From 1.
        step: usize,
        /// Its title.
        title: String,
        /// What is wrong.
        why: String,
    },
}

impl Course {
    /// The lessons that a text holds.
    ///
    /// # Errors
    /// Names the line and the column, or the step.
    pub fn parse(text: &str) -> Result<Course, LessonError> {
        let course: Course =
            toml::from_str(text).map_err(|why| LessonError::Malformed(why.to_string().trim_end().into()))?;
        for (i, lesson) in course.lesson.iter().enumerate() {
            for (j, step) in lesson.step.iter().enumerate() {
                let fault = |why| LessonError::Goal { lesson: i + 1, step: j + 1, title: step.title.clone(), why };
                step.check().map_err(fault)?;
            }
        }
        Ok(course)
    }
}

/// A step of a course, both numbers from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which lesson.
    pub lesson: usize,
    /// Which of its steps.
    pub step: usize,
}

impl Course {
    /// The step of the day: all steps of all lessons take turns by the day, counted from 1970; `None` where there is none.
    pub fn of_the_day(&self, day: u64) -> Option<Place> {
        let sizes = self.lesson.iter().map(|lesson| lesson.step.len());
        let n_steps: usize = sizes.clone().sum();
        let mut nth = day.checked_rem(n_steps as u64)? as usize;
        for (lesson, size) in sizes.enumerate() {
            if nth < size {
                return Some(Place { lesson, step: nth });
            }
            nth -= size;
        }
        None
    }
}

impl Step {
    fn check(&self) -> Result<(), String> {
        for (name, text) in [("title", &self.title), ("game", &self.game), ("task", &self.task), ("right", &self.right)]
        {
            if text.trim().is_empty() {
                return Err(format!("`{name}` is missing"));
            }
        }
        let goals = [
            !self.actions.is_empty(),
            self.won,
            self.safe,
            self.ends.is_some(),
            self.says.is_some(),
            self.counter.is_some() && self.shows.is_none(),
            self.who_wins.is_some(),
            self.shows.is_some(),
            self.lasts.is_some(),
        ];
        match goals.into_iter().filter(|&goal| goal).count() {
            1 => {}
            n => {
                return Err(format!(
                    "exactly one of `actions`, `won`, `safe`, `ends`, `says`, `counter`, `who_wins`, `shows` and \
                     `lasts` says what counts as done, and here {n} do"
                ));
            }
        }
        if self.shows.is_some() && (self.counter.is_none() || self.choices.len() < 2) {
            return Err("`shows` goes with `counter` and two `choices` or more".into());
        }
        if self.lasts.is_some() && self.choices.len() < 2 {
            return Err("`lasts` goes with two `choices` or more".into());
        }
        if self.counter.is_some() && self.shows.is_none() != (self.least.is_some() || self.most.is_some()) {
            return Err("`counter` goes with `least` or `most`".into());
        }
        if self.keeps && self.actions.is_empty() && !self.is_question() {
            return Err("`keeps` goes with `actions`, `who_wins`, `shows` or `lasts`".into());
        }
        if (self.lost_in.is_some() || self.lost_by.is_some()) && (self.actions.is_empty() || self.keeps) {
            return Err(
                "`lost_in` and `lost_by` go with `actions`, and without `keeps`: all actions keep a loss".into()
            );
        }
        if (self.forces.is_some() || self.averts.is_some()) && self.actions.is_empty() {
            return Err("`forces` and `averts` go with `actions`".into());
        }
        if self.within.is_some_and(|within| within != 1) && self.solution.is_empty() {
            return Err("`within` needs a `solution`".into());
        }
        if (!self.others.is_empty() || !self.among.is_empty()) && self.solution.is_empty() {
            return Err("`others` and `among` need a `solution`".into());
        }
        Ok(())
    }

    /// The position as the learner finds it; `game` is the one that the spec names.
    ///
    /// # Errors
    /// Texts of positions and histories that the game refuses.
    pub fn open(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyMatch>, OpenError> {
        let position = Position { spec: &self.game, from: self.from.as_deref(), history: &self.history, said: "" };
        position.open(game)
    }

    /// Whose part the learner takes in the position that `opened` is.
    pub fn learner(&self, opened: &dyn AnyMatch) -> Seat {
        self.seat.unwrap_or(match opened.phase() {
            Phase::Act(seats) => seats.first(),
            Phase::Chance | Phase::Over => 0,
        })
    }

    /// Who looks at the position: the learner where something is hidden, unless a question shows all.
    pub fn viewer(&self, opened: &dyn AnyMatch) -> Viewer {
        match opened.facts().hidden && !self.is_question() {
            true => Viewer::Seat(self.learner(opened)),
            false => Viewer::Referee,
        }
    }

    /// Whether the step is answered in words, and not by an action.
    pub fn is_question(&self) -> bool {
        self.line().is_some()
    }

    /// The plies that a question is about.
    pub fn line(&self) -> Option<&str> {
        self.who_wins.as_deref().or(self.shows.as_deref()).or(self.lasts.as_deref())
    }

    /// The answers that a question has to choose from: what the seats are called and that nobody wins alone, or the
    /// `choices`.
    pub fn answers(&self, game: &dyn AnyGame) -> Vec<String> {
        if self.who_wins.is_none() {
            return self.choices.clone();
        }
        (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).chain([SHARED.into()]).collect()
    }

    /// What the right answer to a question is, by the rules.
    fn answer(&self, game: &dyn AnyGame) -> Result<String, OpenError> {
        let mut current = self.open(game)?;
        let n_before = current.n_plies();
        current.play_history(self.line().unwrap_or_default())?;
        if self.lasts.is_some() {
            return Ok((current.n_plies() - n_before).to_string());
        }
        if let (Some(_), Some(label)) = (&self.shows, &self.counter) {
            let counters = current.picture(Viewer::Referee).counters;
            let counter = counters.into_iter().find(|one| &one.label == label && one.seat == self.seat);
            return Ok(counter.map_or_else(String::new, |counter| counter.value));
        }
        let payoffs = current.payoffs();
        Ok(best_alone(payoffs.as_slice()).map_or(SHARED.into(), |seat| game.seat_name(seat)))
    }

    /// What answering a question so comes to.
    ///
    /// # Errors
    /// Positions and plies that the game refuses.
    pub fn judge_answer(&self, game: &dyn AnyGame, answer: &str) -> Result<Judged, OpenError> {
        let is_right = self.answer(game)?.eq_ignore_ascii_case(answer.trim());
        Ok(self.said(answer.trim(), if is_right { Verdict::Done } else { Verdict::Missed }))
    }

    /// Plays what the learner chose in the position `current` of this step, and what the others do then; returns what
    /// that came to. After a wrong try the position is the one that it led to.
    ///
    /// # Errors
    /// What the rules refuse; nothing has changed then.
    pub fn play(&self, current: &mut dyn AnyMatch, opened: &dyn AnyMatch, token: &str) -> Result<Judged, PlayError> {
        let n_before = opened.n_plies();
        current.play_token(token)?;
        let learner = self.learner(opened);
        let own = own_actions(current, n_before, learner);
        if own.last().is_some_and(|last| !self.among.is_empty() && !self.among.contains(last)) {
            return Ok(self.said(&own.join(" "), Verdict::Missed));
        }
        if self.is_done(current, learner, &own) {
            return Ok(self.said(&own.join(" "), Verdict::Done));
        }
        match self.replies.get(&own.join(" ")) {
            // A test plays every reply that is written; one that the rules refuse here counts for nothing.
            Some(replies) => drop(current.play_history(replies)),
            None => self.let_others_act(current, learner),
        }
        let mut rng = stream(SEED, "lesson", current.n_plies() as u64);
        while current.phase() == Phase::Chance && current.sample_outcome(&mut rng).is_ok() {}
        // Chance may have done it.
        let own = own_actions(current, n_before, learner);
        if self.is_done(current, learner, &own) {
            return Ok(self.said(&own.join(" "), Verdict::Done));
        }
        let may_act = matches!(current.phase(), Phase::Act(seats) if seats.contains(learner));
        let goes_on = may_act && own.len() < self.within.unwrap_or(1);
        Ok(self.said(&own.join(" "), if goes_on { Verdict::Open } else { Verdict::Missed }))
    }

    /// Each of the others who is to act before the learner does the first of `others` that it may.
    fn let_others_act(&self, current: &mut dyn AnyMatch, learner: Seat) {
        // Each plays its part once at the most: where the learner cannot act any more, this ends too.
        for _ in &self.others {
            let Phase::Act(seats) = current.phase() else { return };
            if seats.contains(learner) {
                return;
            }
            let legal = current.legal(seats.first());
            let Some(action) = self.others.iter().find(|action| legal.contains(action)) else { return };
            current.play(seats.first(), action).expect("the action is legal");
        }
    }

    /// Actions of the learner that do what is asked, as far as they are written down or follow from the rules; for a
    /// question the answer.
    ///
    /// # Errors
    /// Positions that the game refuses.
    pub fn shown(&self, game: &dyn AnyGame) -> Result<Vec<String>, OpenError> {
        if self.is_question() {
            return Ok(vec![self.answer(game)?]);
        }
        if !self.solution.is_empty() {
            return Ok(self.solution.clone());
        }
        Ok(self.done_at_once(game)?.into_iter().take(1).collect())
    }

    /// The tokens of the learner's actions that do what is asked at once.
    fn done_at_once(&self, game: &dyn AnyGame) -> Result<Vec<String>, OpenError> {
        let opened = self.open(game)?;
        let learner = self.learner(&*opened);
        let mut done = Vec::new();
        for action in opened.legal(learner) {
            let mut current = self.open(game)?;
            let token = written(current.phase(), learner, &action);
            if matches!(self.play(&mut *current, &*opened, &token), Ok(Judged::Right { .. })) {
                done.push(token);
            }
        }
        Ok(done)
    }

    fn is_done(&self, current: &mut dyn AnyMatch, learner: Seat, own: &[String]) -> bool {
        let over = current.phase() == Phase::Over;
        if !self.actions.is_empty() {
            return own.last().is_some_and(|last| self.actions.contains(last));
        }
        if self.won {
            return over && best_alone(current.payoffs().as_slice()) == Some(learner);
        }
        if self.safe {
            let lost = over && best_alone(current.payoffs().as_slice()).is_some_and(|seat| seat != learner);
            return !own.is_empty() && !lost && !another_wins(current, learner);
        }
        if let Some(end) = &self.ends {
            return over && current.end_reason() == Some(end);
        }
        let picture = current.picture(Viewer::Seat(learner));
        if let Some(says) = &self.says {
            return picture.notes.iter().any(|note| note.starts_with(says.as_str()));
        }
        let Some(label) = &self.counter else { return false };
        let shown = picture.counters.iter().filter(|counter| &counter.label == label);
        let own = shown.filter(|counter| counter.seat.is_none_or(|seat| seat == learner));
        own.filter_map(|counter| counter.value.split(' ').next()?.parse::<i64>().ok())
            .any(|value| self.least.is_none_or(|least| value >= least) && self.most.is_none_or(|most| value <= most))
    }

    fn said(&self, tried: &str, verdict: Verdict) -> Judged {
        let particular = self.tries.get(tried).cloned();
        match verdict {
            Verdict::Done => Judged::Right { said: particular.unwrap_or_else(|| self.right.clone()) },
            Verdict::Missed => Judged::Wrong { said: particular.unwrap_or_else(|| self.wrong.clone()) },
            Verdict::Open => Judged::GoesOn { said: particular.unwrap_or_default() },
        }
    }

    /// What is wrong with the step by the rules of its game; empty where nothing is.
    pub fn faults(&self, game: &dyn AnyGame) -> Vec<String> {
        match self.try_faults(game) {
            Ok(faults) => faults,
            Err(why) => vec![why.to_string()],
        }
    }

    fn try_faults(&self, game: &dyn AnyGame) -> Result<Vec<String>, OpenError> {
        let mut faults = Vec::new();
        let opened = self.open(game)?;
        if self.is_question() {
            let mut current = self.open(game)?;
            current.play_history(self.line().unwrap_or_default())?;
            let right = self.answer(game)?;
            if !self.answers(game).contains(&right) {
                faults.push(format!("`{right}` is right, and not among the answers"));
            }
            if self.shows.is_none() && current.phase() != Phase::Over {
                faults.push("the game is not over after the plies of `who_wins` or `lasts`".into());
            }
            let answers = self.answers(game);
            faults.extend(
                self.tries.keys().filter(|key| !answers.contains(key)).map(|key| format!("`{key}` is no answer")),
            );
            return Ok(faults);
        }
        let learner = self.learner(&*opened);
        if !matches!(opened.phase(), Phase::Act(seats) if seats.contains(learner)) {
            return Ok(vec!["the learner is not to act".into()]);
        }
        let legal = opened.legal(learner);
        for action in self.actions.iter().filter(|_| self.within.is_none_or(|within| within == 1)) {
            if !legal.contains(action) {
                faults.push(format!("`{action}` is not a legal action in its canonical text"));
            }
        }
        let done = self.done_at_once(game)?;
        if !self.solution.is_empty() {
            let mut current = self.open(game)?;
            let mut last = None;
            for token in &self.solution {
                match self.play(&mut *current, &*opened, token) {
                    Ok(judged) => last = Some(judged),
                    Err(why) => faults.push(format!("the solution's `{token}`: {why}")),
                }
            }
            if !matches!(last, Some(Judged::Right { .. })) {
                faults.push(format!("the solution does not do it: {last:?}"));
            }
            let met = self.met(game, &*current, opened.n_plies())?;
            let unmet = self.others.iter().chain(&self.among).filter(|action| !met.contains(*action));
            faults.extend(unmet.map(|action| format!("`{action}` is nowhere legal on the way of the solution")));
        } else if done.is_empty() {
            faults.push("no legal action does what is asked".into());
        }
        if done.len() == legal.len() && legal.len() > 1 {
            faults.push("every legal action does what is asked".into());
        }
        for (line, replies) in &self.replies {
            if let Err(why) = self.plays(game, &*opened, line, replies) {
                faults.push(format!("replies to `{line}`: {why}"));
            }
        }
        for line in self.tries.keys() {
            if let Err(why) = self.plays(game, &*opened, line, "") {
                faults.push(format!("tries, `{line}`: {why}"));
            }
        }
        if self.wrong.trim().is_empty()
            && legal.iter().any(|action| !done.contains(action) && !self.tries.contains_key(action))
        {
            faults.push("`wrong` is missing".into());
        }
        Ok(faults)
    }

    /// The actions that somebody might choose on the way from ply `n_before` of `played` on.
    fn met(&self, game: &dyn AnyGame, played: &dyn AnyMatch, n_before: usize) -> Result<HashSet<String>, OpenError> {
        let mut current = self.open(game)?;
        let mut met = HashSet::new();
        for ply in played.plies().iter().skip(n_before) {
            if let Phase::Act(seats) = current.phase() {
                met.extend(seats.iter().flat_map(|seat| current.legal(seat)));
            }
            current.play_history(&ply.token(Viewer::Referee))?;
        }
        Ok(met)
    }

    /// Whether the rules allow the learner's actions `line`, and after them the plies `replies`.
    fn plays(&self, game: &dyn AnyGame, opened: &dyn AnyMatch, line: &str, replies: &str) -> Result<(), String> {
        let mut current = self.open(game).map_err(|why| why.to_string())?;
        let learner = self.learner(opened);
        let mut actions: Vec<&str> = line.split(' ').collect();
        let last = actions.pop().unwrap_or_default();
        for action in actions {
            let token = written(current.phase(), learner, action);
            self.play(&mut *current, opened, &token).map_err(|why| why.to_string())?;
        }
        let token = written(current.phase(), learner, last);
        current.play_token(&token).map_err(|why| why.to_string())?;
        current.play_history(replies).map_err(|why| why.to_string())
    }
}

/// The answer to who wins where it is not one seat.
pub const SHARED: &str = "Nobody alone";

enum Verdict {
    Done,
    Missed,
    Open,
}

/// The one seat that gets more than every other.
fn best_alone(payoffs: &[f64]) -> Option<Seat> {
    let best = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut seats = payoffs.iter().enumerate().filter(|&(_, &payoff)| payoff >= best).map(|(seat, _)| seat);
    let first = seats.next()?;
    seats.next().is_none().then_some(first)
}

/// Whether a seat other than `seat` is to act and can win by one action.
fn another_wins(current: &mut dyn AnyMatch, seat: Seat) -> bool {
    let Phase::Act(acting) = current.phase() else { return false };
    let n_plies = current.n_plies();
    acting.iter().filter(|&other| other != seat).any(|other| {
        current.legal(other).iter().any(|action| {
            let played = current.play(other, action).is_ok();
            let wins = played && current.phase() == Phase::Over;
            let wins = wins && best_alone(current.payoffs().as_slice()) == Some(other);
            current.truncate(n_plies);
            wins
        })
    })
}

/// The texts of what the seat chose after so many plies.
fn own_actions(current: &dyn AnyMatch, n_before: usize, seat: Seat) -> Vec<String> {
    let plies = current.plies().iter().skip(n_before);
    plies.filter(|ply| ply.by == By::Seat(seat)).map(|ply| ply.text.clone()).collect()
}

/// An action as a history writes it in this phase.
fn written(phase: Phase, seat: Seat, action: &str) -> String {
    match phase {
        Phase::Act(seats) if seats.len() > 1 => format!("{seat}:{action}"),
        _ => action.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str =
        "[[lesson]]\ntitle = 'L'\n[[lesson.step]]\ntitle = 'S'\ngame = 'toy'\ntask = 'Do.'\nright = 'Yes.'\n";

    #[test]
    fn errors_name_the_place() {
        let why = |more: &str| Course::parse(&format!("{STEP}{more}")).unwrap_err().to_string();
        assert!(why("actoins = ['a']").contains("line 8, column 1"), "{}", why("actoins = ['a']"));
        assert!(why("").starts_with("lesson 1, step 1 (`S`): exactly one of"), "{}", why(""));
        assert!(why("won = true\nactions = ['a']").ends_with("here 2 do"));
        assert!(why("counter = 'Score'").contains("goes with `least`"));
        assert!(why("won = true\nwithin = 2").contains("`solution`"));
        assert!(why("won = true\namong = ['a']").contains("`others` and `among` need"));
        assert!(why("won = true\nkeeps = true").contains("`keeps` goes with `actions`"));
        assert!(why("won = true\nforces = 3").contains("`forces` and `averts` go with"));
        assert!(why("shows = 'a'\ncounter = 'Score'\nchoices = ['1']").contains("`shows` goes with"));
        assert!(why("lasts = 'a'\nchoices = ['1']").contains("`lasts` goes with two"));
        assert!(why("lasts = 'a'\nactions = ['a']\nchoices = ['1', '2']").ends_with("here 2 do"));
        assert!(why("won = true\nlost_in = 3").contains("`lost_in` and `lost_by` go with"));
        assert!(why("actions = ['a']\nkeeps = true\nlost_by = 3").contains("`lost_in` and `lost_by` go with"));
        assert!(Course::parse("lesson = 1").unwrap_err().to_string().contains("line 1, column 10"));
        assert!(
            Course::parse(&STEP.replace("task = 'Do.'\n", "won = true\n")).unwrap_err().to_string().contains("`task`")
        );
        assert_eq!(Course::parse(&format!("{STEP}actions = ['a']")).unwrap().lesson[0].step.len(), 1);
    }

    #[test]
    fn steps_take_turns_by_the_day_through_all_lessons() {
        let steps = |n: usize| Lesson { title: String::new(), step: vec![Step::default(); n] };
        let course = Course { lesson: vec![steps(1), steps(0), steps(3)] };
        let places = (0..6).map(|day| course.of_the_day(day).map(|place| (place.lesson, place.step)));
        let turns = [(0, 0), (2, 0), (2, 1), (2, 2), (0, 0), (2, 0)];
        assert_eq!(places.collect::<Vec<_>>(), turns.map(Some));
        assert_eq!(Course { lesson: vec![steps(0)] }.of_the_day(5), None);
    }

    #[test]
    fn one_seat_wins_or_nobody_alone() {
        assert_eq!(best_alone(&[1.0, -1.0]), Some(0));
        assert_eq!(best_alone(&[0.0, 1.0, 0.2]), Some(1));
        assert_eq!(best_alone(&[0.0, 0.0]), None);
        assert_eq!(best_alone(&[-3.0]), Some(0));
    }
}
