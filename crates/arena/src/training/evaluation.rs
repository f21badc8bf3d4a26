//! How well an agent plays: games against an opponent, from given starts, on every seat in turn or on one.
//!
//! `score` is the mean payoff to the agent, with its 95 % interval; `kept` the share of games in which it got at least the
//! exact value of its start and seat. That is known where the game's solver knows every start, and null elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use raichi_agents::trained::Evaluation;
use raichi_agents::{AgentError, CancelFlag, Prepared};
use raichi_core::erased::{AnyGame, GameVisitor, Playable};
use raichi_core::game::Phase;
use raichi_core::path::PathGame;
use raichi_core::random::{mix, shuffle, stream};
use raichi_core::seat::{Seat, Viewer};

use super::exact::ExactStarts;
use crate::contest::{Opening, OpeningError, Openings};
use crate::runner::{Runner, Streams};
use crate::statistics::Estimate;

/// Who sits on the other seats.
pub type Opponent = String;

/// Where games begin.
#[derive(Clone, Debug)]
pub enum Starts {
    /// At the game's own start.
    Start,
    /// After so many plies drawn at random.
    Plies(usize),
    /// In every position that can be reached, each once from each seat.
    All,
    /// With the lines of a list, each a history or a position.
    List(Openings, String),
}

impl Starts {
    /// Reads `start`, `plies:N` or `all`; `None` where it is something else, such as a file.
    pub fn parse(text: &str) -> Option<Starts> {
        match text {
            "start" => Some(Starts::Start),
            "all" => Some(Starts::All),
            _ => text.strip_prefix("plies:")?.parse().ok().filter(|&plies| plies <= 10_000).map(Starts::Plies),
        }
    }

    /// As it is written.
    pub fn text(&self) -> String {
        match self {
            Starts::Start => "start".into(),
            Starts::Plies(plies) => format!("plies:{plies}"),
            Starts::All => "all".into(),
            Starts::List(_, name) => name.clone(),
        }
    }
}

/// What is to be evaluated.
#[derive(Clone, Debug)]
pub struct EvaluationPlan {
    /// The opponent's spec: `perfect`, `best`, `random`, or any other.
    pub against: Opponent,
    /// Where games begin.
    pub starts: Starts,
    /// The agent's seat; every seat in turn where it is not said.
    pub seat: Option<Seat>,
    /// How many games. Where the starts are all positions or a list: each once from each seat where it is not said.
    pub games: Option<u64>,
    /// Decides everything.
    pub seed: u64,
}

/// How many games are played where nothing is said.
pub const USUAL_GAMES: u64 = 100;
/// The most positions that `all` may mean.
const MOST_POSITIONS: usize = 200_000;

/// Why an agent cannot be evaluated so.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The opponent is none, or refuses the game.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The openings do not fit.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The seat is none.
    #[error("--seat {seat}: {game} has the seats 0 to {last}")]
    Seat {
        /// The seat given.
        seat: Seat,
        /// The game's spec.
        game: String,
        /// The last seat.
        last: Seat,
    },
    /// There are too many positions.
    #[error("all: {game} has more than {MOST_POSITIONS} positions; take --starts plies:N or a file, or --positions N")]
    TooMany {
        /// The game's spec.
        game: String,
    },
    /// Nobody can say which actions are right.
    #[error("--positions: which actions of {game} are right is not known: {why}")]
    NoAccuracy {
        /// The game's spec.
        game: String,
        /// Why.
        why: String,
    },
    /// A position was not solved.
    #[error("--positions: `{position}` was not solved: {why}")]
    Unsolved {
        /// The position's text.
        position: String,
        /// Why.
        why: String,
    },
}

/// Every position of a game in which a seat is to act, as text, in the order of their distance from the start.
///
/// # Errors
/// When there are too many.
pub(super) fn all_positions(game: &dyn AnyGame) -> Result<Vec<String>, EvaluationError> {
    let positions = raichi_games::visit_game(game, AllPositions);
    positions.ok_or_else(|| EvaluationError::TooMany { game: game.spec().into() })
}

struct AllPositions;

impl GameVisitor for AllPositions {
    type Output = Option<Vec<String>>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let rules = game.game();
        let mut seen = std::collections::HashSet::from([rules.initial_state()]);
        let mut queue = vec![rules.initial_state()];
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < queue.len() {
            let state = queue[next].clone();
            next += 1;
            let mut reach = |after: G::State| {
                if rules.phase(&after) != Phase::Over && seen.insert(after.clone()) {
                    queue.push(after);
                }
            };
            match rules.phase(&state) {
                Phase::Over => {}
                Phase::Act(seats) => {
                    for seat in seats.iter() {
                        actions.clear();
                        rules.legal_actions(&state, seat, &mut actions);
                        for &action in &actions {
                            let mut after = state.clone();
                            rules.apply(&mut after, seat, action);
                            reach(after);
                        }
                    }
                }
                Phase::Chance => {
                    outcomes.clear();
                    rules.outcomes(&state, &mut outcomes);
                    for &(outcome, _) in &outcomes {
                        let mut after = state.clone();
                        rules.apply_outcome(&mut after, outcome);
                        reach(after);
                    }
                }
            }
            if queue.len() > MOST_POSITIONS {
                return None;
            }
        }
        let acts = |state: &&G::State| matches!(rules.phase(state), Phase::Act(_));
        Some(queue.iter().filter(acts).map(|state| rules.position_text(state, Viewer::Referee)).collect())
    }
}

/// One game: how it begins, the agent's seat, its seed.
struct Planned {
    opening: Opening,
    seat: Seat,
    seed: u64,
}

fn planned(game: &dyn AnyGame, plan: &EvaluationPlan) -> Result<Vec<Planned>, EvaluationError> {
    let n_seats = game.facts().n_seats;
    if let Some(seat) = plan.seat.filter(|&seat| seat >= n_seats) {
        return Err(EvaluationError::Seat { seat, game: game.spec().into(), last: n_seats - 1 });
    }
    let openings = match &plan.starts {
        Starts::Start => Openings::Start,
        Starts::Plies(0) => Openings::Start,
        Starts::Plies(plies) => Openings::Random { plies: *plies },
        Starts::List(openings, _) => openings.clone(),
        Starts::All => {
            let opening = |position| Opening { position: Some(position), plies: Vec::new() };
            let mut list: Vec<Opening> = all_positions(game)?.into_iter().map(opening).collect();
            if plan.games.is_some() {
                shuffle(&mut stream(plan.seed, "starts", 0), &mut list);
            }
            Openings::List(list)
        }
    };
    openings.check(game, plan.seed)?;
    let seats: Vec<Seat> = plan.seat.map_or_else(|| (0..n_seats).collect(), |seat| vec![seat]);
    let games = plan.games.unwrap_or(match &openings {
        Openings::List(list) => (list.len() * seats.len()) as u64,
        _ => USUAL_GAMES,
    });
    let n = seats.len() as u64;
    let one = |i: u64| Planned {
        opening: openings.opening(game, i / n, plan.seed),
        seat: seats[(i % n) as usize],
        seed: mix(mix(plan.seed) ^ (i / n)),
    };
    Ok((0..games).map(one).collect())
}

/// Plays the games; `progress` is called after each with how many have been played of how many. `exact` is what is known of
/// the game's starts, and remembers what was found out.
///
/// # Errors
/// When the opponent does not play the game, or the starts do not fit it.
pub fn evaluate(
    game: &Arc<dyn AnyGame>,
    agent: &Arc<dyn Prepared>,
    plan: &EvaluationPlan,
    exact: &ExactStarts,
    n_threads: usize,
    cancel: &CancelFlag,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Evaluation, EvaluationError> {
    let games = planned(&**game, plan)?;
    let opponent = raichi_agents::prepare(game, &plan.against)?;
    let n = games.len() as u64;
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let results = Mutex::new(vec![None; games.len()]);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..n_threads.max(1).min(games.len().max(1)) {
            scope.spawn(|| {
                while !cancel.is_cancelled() {
                    let i = next.fetch_add(1, Ordering::Relaxed) as usize;
                    let Some(planned) = games.get(i) else { break };
                    match play(&**game, agent, &opponent, planned, exact) {
                        Ok(result) => results.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(result),
                        Err(why) => {
                            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                            break;
                        }
                    }
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, n);
                }
            });
        }
    });
    if let Some(why) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(why.into());
    }
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(summary(plan, opponent.spec(), &results.into_iter().flatten().collect::<Vec<_>>()))
}

/// What came of a game.
#[derive(Clone, Copy)]
struct Played {
    payoff: f64,
    /// The best payoff among the other seats; none where there are no others.
    others: Option<f64>,
    kept: Option<bool>,
}

fn play(
    game: &dyn AnyGame,
    agent: &Arc<dyn Prepared>,
    opponent: &Arc<dyn Prepared>,
    planned: &Planned,
    exact: &ExactStarts,
) -> Result<Played, AgentError> {
    let start = planned.opening.open(game);
    let exact = exact.of(&planned.opening, &*start);
    let seated = |seat: Seat| Some(Arc::clone(if seat == planned.seat { agent } else { opponent }));
    let seats: Vec<_> = (0..game.facts().n_seats).map(seated).collect();
    let mut runner = Runner::new(start, &seats, Streams::new(planned.seed));
    runner.run(&mut ())?;
    let payoffs = runner.current.payoffs();
    let payoff = payoffs[planned.seat];
    let others = payoffs.as_slice().iter().enumerate().filter(|&(seat, _)| seat != planned.seat);
    Ok(Played {
        payoff,
        others: others.map(|(_, &payoff)| payoff).reduce(f64::max),
        kept: exact.map(|exact| payoff >= exact[planned.seat] - 1e-9),
    })
}

fn summary(plan: &EvaluationPlan, against: &str, results: &[Played]) -> Evaluation {
    let payoffs: Vec<f64> = results.iter().map(|result| result.payoff).collect();
    let estimate =
        if payoffs.is_empty() { Estimate { value: 0.0, low: 0.0, high: 0.0 } } else { Estimate::mean(&payoffs) };
    let kept: Option<Vec<bool>> = results.iter().map(|result| result.kept).collect();
    let share = |kept: &Vec<bool>| kept.iter().filter(|&&kept| kept).count() as f64 / kept.len() as f64;
    let count = |test: fn(f64, f64) -> bool| {
        results.iter().filter(|result| result.others.is_some_and(|others| test(result.payoff, others))).count() as u64
    };
    Evaluation {
        against: against.into(),
        starts: plan.starts.text(),
        seat: plan.seat,
        score: estimate.value,
        interval: [estimate.low, estimate.high],
        kept: kept.filter(|kept| !kept.is_empty()).map(|kept| share(&kept)),
        games: results.len() as u64,
        wins: count(|own, others| own > others + 1e-9),
        draws: count(|own, others| (own - others).abs() <= 1e-9),
        losses: count(|own, others| own < others - 1e-9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluated(spec: &str, agent: &str, plan: &EvaluationPlan) -> Evaluation {
        let game = raichi_games::game(spec).unwrap();
        let agent = raichi_agents::prepare(&game, agent).unwrap();
        evaluate(&game, &agent, plan, &ExactStarts::of_game(&*game), 2, &CancelFlag::default(), &|_, _| ()).unwrap()
    }

    fn plan(against: &str, starts: Starts, games: Option<u64>) -> EvaluationPlan {
        EvaluationPlan { against: against.into(), starts, seat: None, games, seed: 1 }
    }

    #[test]
    fn who_is_perfect_keeps_all_and_who_is_random_does_not() {
        let perfect = evaluated("tic-tac-toe", "perfect", &plan("random", Starts::Plies(2), Some(40)));
        assert_eq!((perfect.kept, perfect.games), (Some(1.0), 40));
        assert_eq!(perfect.wins + perfect.draws + perfect.losses, 40);
        assert!(perfect.interval[0] <= perfect.score && perfect.score <= perfect.interval[1]);
        let random = evaluated("tic-tac-toe", "random", &plan("perfect", Starts::Start, Some(40)));
        assert!(random.kept.unwrap() < 0.6 && random.score < 0.0, "{random:?}");
    }

    #[test]
    fn all_positions_are_played_from_each_seat() {
        // From every position in which a seat can act; the count is that of tic-tac-toe's unfinished positions.
        let game = raichi_games::game("tic-tac-toe").unwrap();
        assert_eq!(planned(&*game, &plan("random", Starts::All, None)).unwrap().len(), 2 * 4520);
        assert_eq!(planned(&*game, &plan("random", Starts::All, Some(10))).unwrap().len(), 10);
        let large = raichi_games::game("connect-four").unwrap();
        let refused = planned(&*large, &plan("random", Starts::All, None)).err().unwrap().to_string();
        assert!(refused.contains("more than 200000 positions"), "{refused}");
    }
}
