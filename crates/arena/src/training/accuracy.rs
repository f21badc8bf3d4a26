//! In which share of positions an agent's action is right: one that keeps what the position is worth to who acts.
//!
//! Positions are drawn from games of random plies, or are all there are. What they are worth a solver says; the length of a
//! game and its cap do not count.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use raichi_agents::truth::{self, Truth};
use raichi_agents::{AgentError, Budget, CancelFlag, Prepared};
use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::game::Phase;
use raichi_core::random::{FastRng, index, mix, shuffle, stream};
use raichi_core::seat::{Seat, Viewer};

use super::evaluation::{EvaluationError, all_positions};
use super::exact::work_within;
use crate::statistics::Estimate;

/// How long a solver may take for a position.
const SOLVING: Duration = Duration::from_secs(60);

/// Values that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Which positions are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positions {
    /// So many, each of a game of random plies: any of its plies at which a seat acts, all equally likely.
    Drawn(u64),
    /// Every position in which a seat is to act.
    All,
}

impl Positions {
    /// Reads `all` or a number from 1.
    pub fn parse(text: &str) -> Option<Positions> {
        match text {
            "all" => Some(Positions::All),
            _ => text.parse().ok().filter(|&n| (1..=10_000_000).contains(&n)).map(Positions::Drawn),
        }
    }
}

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Accuracy {
    /// Positions that were looked at.
    pub positions: u64,
    /// Those in which the agent's action keeps the value.
    pub right: u64,
    /// Those in which not every action does.
    pub choices: u64,
    /// Of these, where the agent's action does.
    pub right_choices: u64,
}

impl Accuracy {
    /// The share of positions with the right action, with its 95 % interval.
    ///
    /// # Panics
    /// Where no position was looked at.
    pub fn share(&self) -> Estimate {
        Estimate::proportion(self.right as f64, self.positions as usize)
    }

    /// The same of positions in which some action is wrong; `None` where there was none.
    pub fn share_of_choices(&self) -> Option<Estimate> {
        (self.choices > 0).then(|| Estimate::proportion(self.right_choices as f64, self.choices as usize))
    }

    fn add(&mut self, right: bool, is_choice: bool) {
        self.positions += 1;
        self.right += u64::from(right);
        self.choices += u64::from(is_choice);
        self.right_choices += u64::from(right && is_choice);
    }
}

/// Looks at the positions; `progress` is called after each with how many have been looked at of how many.
///
/// # Errors
/// When the game has no solver, hides something, or has too many positions; when a position was not solved within a minute;
/// when the agent cannot choose.
pub fn accuracy(
    game: &Arc<dyn AnyGame>,
    agent: &Arc<dyn Prepared>,
    positions: Positions,
    seed: u64,
    n_threads: usize,
    cancel: &CancelFlag,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Accuracy, EvaluationError> {
    let truth = known(&**game)?;
    let listed = if positions == Positions::All { shuffled(all_positions(&**game)?, seed) } else { Vec::new() };
    let n = if let Positions::Drawn(n) = positions { n } else { listed.len() as u64 };
    let counted = Mutex::new(Accuracy::default());
    let failure = Mutex::new(None);
    let next = AtomicU64::new(0);
    let look = |number: u64| {
        let position = match listed.get(number as usize) {
            Some(text) => game.match_at(text).expect("it is a position's own text"),
            None => drawn(&**game, &mut stream(seed, "positions", number)),
        };
        judge(&*truth, agent, &*position, mix(mix(seed) ^ number), cancel)
    };
    std::thread::scope(|scope| {
        for _ in 0..n_threads.max(1) {
            scope.spawn(|| {
                while !cancel.is_cancelled() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= n || lock(&failure).is_some() {
                        break;
                    }
                    match look(number) {
                        Ok((right, is_choice)) => {
                            let mut counted = lock(&counted);
                            counted.add(right, is_choice);
                            progress(counted.positions, n);
                        }
                        Err(_) if cancel.is_cancelled() => break,
                        Err(why) => *lock(&failure) = Some(why),
                    }
                }
            });
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(why) => Err(why),
        None => Ok(counted.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn known(game: &dyn AnyGame) -> Result<Arc<dyn Truth>, EvaluationError> {
    let unknown = |why: String| EvaluationError::NoAccuracy { game: game.spec().into(), why };
    if game.facts().hidden {
        return Err(unknown("what is right depends on what the seat does not see".into()));
    }
    truth::known(game).map_err(unknown)
}

fn shuffled(mut positions: Vec<String>, seed: u64) -> Vec<String> {
    // Neighbours in the list are neighbours in the game, of which one may take longer than another.
    shuffle(&mut stream(seed, "positions", 0), &mut positions);
    positions
}

/// A position of a game of random plies in which a seat is to act.
fn drawn(game: &dyn AnyGame, rng: &mut FastRng) -> Box<dyn AnyMatch> {
    let mut current = game.new_match();
    let mut decisions = Vec::new();
    loop {
        match current.phase() {
            // Chance alone may end a game.
            Phase::Over if decisions.is_empty() => current = game.new_match(),
            Phase::Over => break,
            Phase::Chance => current.sample_outcome(rng).expect("chance is to act"),
            Phase::Act(seats) => {
                decisions.push(current.n_plies());
                current.play_random(seats.first(), rng).expect("the seat is to act");
            }
        }
    }
    current.truncate(decisions[index(rng, decisions.len())]);
    current
}

/// Whether the agent's action keeps the value of the position, and whether some action does not.
fn judge(
    truth: &dyn Truth,
    agent: &Arc<dyn Prepared>,
    position: &dyn AnyMatch,
    seed: u64,
    cancel: &CancelFlag,
) -> Result<(bool, bool), EvaluationError> {
    let Phase::Act(seats) = position.phase() else { unreachable!("a seat is to act") };
    let seat = seats.first();
    let unsolved = |why: String| EvaluationError::Unsolved { position: position.position_text(Viewer::Referee), why };
    let worth = worth(truth, position, seat, cancel).map_err(unsolved)?;
    let best = worth.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    let keeps = |value: f64| value >= best - EQUAL * best.abs().max(1.0);
    let advice = agent.open(seed).decide(position, seat, Budget::UNLIMITED)?;
    let chosen = worth.iter().find(|(action, _)| *action == advice.action);
    let value = chosen.ok_or(AgentError::NotToAct { seat })?.1;
    Ok((keeps(value), worth.iter().any(|(_, value)| !keeps(*value))))
}

/// What each action brings `seat` under best play.
fn worth(
    truth: &dyn Truth,
    position: &dyn AnyMatch,
    seat: Seat,
    cancel: &CancelFlag,
) -> Result<Vec<(String, f64)>, String> {
    let work = work_within(SOLVING, cancel);
    let examined = truth.examine(position, None, &work);
    examined.complete().map_err(ToString::to_string)?;
    let value = |action: &truth::ExaminedAction| {
        let exact = action.exact.as_ref().expect("all of them are known");
        (action.action.clone(), exact.values[seat])
    };
    Ok(examined.actions.iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spec: &str, agent: &str, positions: Positions) -> Result<Accuracy, EvaluationError> {
        let game = raichi_games::game(spec).unwrap();
        let agent = raichi_agents::prepare(&game, agent).unwrap();
        accuracy(&game, &agent, positions, 1, 2, &CancelFlag::default(), &|_, _| ())
    }

    #[test]
    fn who_is_perfect_is_always_right_and_who_is_random_is_not() {
        let perfect = of("tic-tac-toe", "perfect", Positions::All).unwrap();
        // Tic-tac-toe has 4,520 positions that are not over.
        assert_eq!((perfect.positions, perfect.right), (4520, 4520));
        assert_eq!(perfect.choices, perfect.right_choices);
        let random = of("tic-tac-toe", "random", Positions::All).unwrap();
        assert_eq!((random.positions, random.choices), (4520, perfect.choices));
        // Whatever is chosen is right in the positions where all actions are.
        assert_eq!(random.right - random.right_choices, random.positions - random.choices);
        assert!(random.right_choices * 2 < random.choices, "{random:?}");
        assert_eq!(of("tic-tac-toe", "random", Positions::All).unwrap(), random, "a seed decides everything");
    }

    #[test]
    fn positions_are_drawn_from_every_part_of_a_game() {
        let counted = of("nim3p", "perfect", Positions::Drawn(200)).unwrap();
        assert_eq!((counted.positions, counted.right), (200, 200));
        assert!(counted.choices > 20 && counted.choices < 200, "{counted:?}");
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let plies = |number| drawn(&*game, &mut stream(1, "positions", number)).n_plies();
        let mut found: Vec<usize> = (0..400).map(plies).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, (0..9).collect::<Vec<_>>());
    }

    #[test]
    fn what_has_no_right_action_is_refused() {
        let why = |spec, agent| of(spec, agent, Positions::Drawn(1)).unwrap_err().to_string();
        assert!(why("blackjack", "random").contains("does not see"), "{}", why("blackjack", "random"));
        let large = of("connect-four", "random", Positions::All).unwrap_err().to_string();
        assert!(large.contains("more than 200000 positions"), "{large}");
    }
}
