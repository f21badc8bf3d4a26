//! How well an agent plays: games against an opponent, from given starts, on every seat in turn or on one.
//!
//! `score` is the mean payoff to the agent, with its 95 % interval ([`Mean::payoff`]); `kept` the share of games in which it got at least the
//! exact value of its start and seat. That is known where the game's solver knows every start, and null elsewhere.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use raichi_agents::trained::Evaluation;
use raichi_agents::{AgentError, CancelFlag, Prepared};
use raichi_core::erased::{AnyGame, GameVisitor, Playable};
use raichi_core::game::Phase;
use raichi_core::path::PathGame;
use raichi_core::random::{mix, shuffle, stream};
use raichi_core::seat::{Seat, Viewer};

use super::exact::ExactStarts;
use crate::contest::{Opening, OpeningError, Openings};
use crate::runner::{Runner, Step, Streams};
use crate::statistics::Mean;

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

    /// Whether games begin from each of a number of positions, once from each seat where it is not said how many games there are.
    pub fn is_list(&self) -> bool {
        matches!(self, Starts::All | Starts::List(..))
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
/// the game's starts, and remembers what was found out. Where it is cancelled, it says what came of the games that were over.
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
    let mut evaluating = Evaluating::begin(game, agent, plan)?;
    evaluating.go_on(exact, n_threads, cancel, &|| false, progress)?;
    Ok(evaluating.evaluation())
}

/// An evaluation in progress. Its games go on ply by ply, so that it can be interrupted at any time, and ended early.
pub struct Evaluating {
    plan: EvaluationPlan,
    game: Arc<dyn AnyGame>,
    agent: Arc<dyn Prepared>,
    opponent: Arc<dyn Prepared>,
    games: Vec<Planned>,
    /// Seats that the agent takes in turn.
    n_seats: usize,
    state: Mutex<Standing>,
}

/// How far the games are.
struct Standing {
    /// What came of those that are over.
    results: Vec<Option<Played>>,
    n_over: u64,
    /// Those that were interrupted.
    begun: Vec<Begun>,
    /// The first that was not begun.
    next: usize,
    failure: Option<AgentError>,
}

/// A game that is played.
struct Begun {
    number: usize,
    runner: Runner,
    /// What its start is worth, where that is known.
    exact: Option<Vec<f64>>,
}

impl Evaluating {
    /// An evaluation before its first game.
    ///
    /// # Errors
    /// When the opponent does not play the game, or the starts do not fit it.
    pub fn begin(
        game: &Arc<dyn AnyGame>,
        agent: &Arc<dyn Prepared>,
        plan: &EvaluationPlan,
    ) -> Result<Evaluating, EvaluationError> {
        let games = planned(&**game, plan)?;
        let results = vec![None; games.len()];
        Ok(Evaluating {
            plan: plan.clone(),
            game: Arc::clone(game),
            agent: Arc::clone(agent),
            opponent: raichi_agents::prepare(game, &plan.against)?,
            n_seats: plan.seat.map_or(game.facts().n_seats, |_| 1),
            games,
            state: Mutex::new(Standing { results, n_over: 0, begun: Vec::new(), next: 0, failure: None }),
        })
    }

    /// Plays on until all games are over, or `enough` or `cancel` says so, which are asked before each ply. `progress` is
    /// called after each game with how many are over of how many.
    ///
    /// # Errors
    /// When an agent cannot choose.
    pub fn go_on(
        &mut self,
        exact: &ExactStarts,
        n_threads: usize,
        cancel: &CancelFlag,
        enough: &(dyn Fn() -> bool + Sync),
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), EvaluationError> {
        let enough = || cancel.is_cancelled() || enough();
        let play = || {
            while !enough()
                && let Some(begun) = self.take(exact, cancel)
            {
                self.play(begun, &enough, progress);
            }
        };
        match n_threads.min(self.games.len()) {
            0 | 1 => play(),
            n => std::thread::scope(|scope| (0..n).for_each(|_| drop(scope.spawn(play)))),
        }
        match self.state().failure.take() {
            Some(why) => Err(why.into()),
            None => Ok(()),
        }
    }

    /// The next game to be played; `None` where all are over or in play, or one failed.
    fn take(&self, exact: &ExactStarts, cancel: &CancelFlag) -> Option<Begun> {
        let number = {
            let mut state = self.state();
            if state.failure.is_some() {
                return None;
            }
            if let Some(begun) = state.begun.pop() {
                return Some(begun);
            }
            let number = state.next;
            state.next += usize::from(number < self.games.len());
            number
        };
        let planned = self.games.get(number)?;
        let start = planned.opening.open(&*self.game);
        let exact = exact.of(&planned.opening, &*start, cancel);
        let seated = |seat: Seat| Some(Arc::clone(if seat == planned.seat { &self.agent } else { &self.opponent }));
        let seats: Vec<_> = (0..self.game.facts().n_seats).map(seated).collect();
        Some(Begun { number, runner: Runner::new(start, &seats, Streams::new(planned.seed)), exact })
    }

    fn play(&self, mut begun: Begun, enough: &dyn Fn() -> bool, progress: &(dyn Fn(u64, u64) + Sync)) {
        loop {
            if enough() {
                self.state().begun.push(begun);
                return;
            }
            match begun.runner.step(&mut ()) {
                Ok(Step::Played) => {}
                Ok(Step::Over) => break,
                Ok(Step::Waiting(seat)) => panic!("nobody plays for seat {seat}"),
                Err(why) => {
                    self.state().failure = Some(why);
                    return;
                }
            }
        }
        let seat = self.games[begun.number].seat;
        let n_over = {
            let mut state = self.state();
            state.results[begun.number] = Some(Played::of(&begun, seat));
            state.n_over += 1;
            state.n_over
        };
        progress(n_over, self.games.len() as u64);
    }

    fn state(&self) -> MutexGuard<'_, Standing> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games are over.
    pub fn n_over(&self) -> u64 {
        self.state().n_over
    }

    /// Of how many.
    pub fn n_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Whether all games are over.
    pub fn is_over(&self) -> bool {
        self.n_over() == self.n_games()
    }

    /// Begins no games any more, but those that are needed for the agent to have taken each seat equally often.
    pub fn begin_no_more(&mut self) {
        let begun = self.state().next.max(1).next_multiple_of(self.n_seats);
        self.games.truncate(begun);
        let n = self.games.len();
        self.state().results.truncate(n);
    }

    /// What came of the games that are over.
    pub fn evaluation(&self) -> Evaluation {
        let rounds: Vec<Vec<Played>> =
            self.state().results.chunks(self.n_seats).map(|round| round.iter().copied().flatten().collect()).collect();
        summary(&self.plan, self.opponent.spec(), self.game.facts().payoff_range, &rounds)
    }
}

/// What came of a game.
#[derive(Clone, Copy)]
struct Played {
    payoff: f64,
    /// The best payoff among the other seats; none where there are no others.
    others: Option<f64>,
    kept: Option<bool>,
}

impl Played {
    /// Of a game that is over, for the agent's seat.
    fn of(begun: &Begun, agent: Seat) -> Played {
        let payoffs = begun.runner.current.payoffs();
        let payoff = payoffs[agent];
        let others = payoffs.as_slice().iter().enumerate().filter(|&(seat, _)| seat != agent);
        Played {
            payoff,
            others: others.map(|(_, &payoff)| payoff).reduce(f64::max),
            kept: begun.exact.as_ref().map(|exact| payoff >= exact[agent] - 1e-9),
        }
    }
}

/// A round are the games from one start with one seed, in which the agent takes each seat: these are not independent.
fn summary(plan: &EvaluationPlan, against: &str, range: Option<(f64, f64)>, rounds: &[Vec<Played>]) -> Evaluation {
    let results: Vec<Played> = rounds.iter().flatten().copied().collect();
    let payoffs = |round: &Vec<Played>| round.iter().map(|result| result.payoff).collect();
    let Mean { value: score, interval } = mean(rounds.iter().map(payoffs).collect(), range);
    let kept =
        |round: &Vec<Played>| round.iter().map(|result| result.kept.map(|kept| f64::from(u8::from(kept)))).collect();
    let kept: Option<Vec<Vec<f64>>> = rounds.iter().map(kept).collect();
    let kept = kept.filter(|_| !results.is_empty()).map(|kept| mean(kept, Some((0.0, 1.0))));
    let count = |test: fn(f64, f64) -> bool| {
        results.iter().filter(|result| result.others.is_some_and(|others| test(result.payoff, others))).count() as u64
    };
    Evaluation {
        against: against.into(),
        starts: plan.starts.text(),
        seat: plan.seat,
        score,
        // One round alone says nothing of others.
        interval: interval.or(range.map(|(least, most)| [least, most])),
        kept: kept.map(|kept| kept.value),
        kept_interval: kept.map(|kept| kept.interval.unwrap_or([0.0, 1.0])),
        games: results.len() as u64,
        wins: count(|own, others| own > others + 1e-9),
        draws: count(|own, others| (own - others).abs() <= 1e-9),
        losses: count(|own, others| own < others - 1e-9),
    }
}

/// The mean of values by round, where a round counts as one.
fn mean(rounds: Vec<Vec<f64>>, range: Option<(f64, f64)>) -> Mean {
    let rounds: Vec<Vec<f64>> = rounds.into_iter().filter(|round| !round.is_empty()).collect();
    match rounds.iter().map(Vec::len).max() {
        None => Mean { value: 0.0, interval: None },
        Some(1) => Mean::payoff(&rounds.concat(), range),
        _ => Mean::payoff_by_round(rounds.iter().map(Vec::as_slice), range),
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
        let [low, high] = perfect.interval.unwrap();
        assert!(low <= perfect.score && perfect.score <= high);
        let [low, high] = perfect.kept_interval.unwrap();
        assert!(low > 0.8 && high == 1.0, "{low} {high}");
        let random = evaluated("tic-tac-toe", "random", &plan("perfect", Starts::Start, Some(40)));
        assert!(random.kept.unwrap() < 0.6 && random.score < 0.0, "{random:?}");
    }

    #[test]
    fn games_from_one_start_with_one_seed_count_as_one_value() {
        let played = |payoff: f64| Played { payoff, others: None, kept: None };
        let interval = |rounds: &[Vec<Played>]| {
            let plan = plan("random", Starts::Start, None);
            summary(&plan, "random", Some((-4.0, 4.0)), rounds).interval.unwrap()
        };
        let payoffs = [0.5, 1.5, -0.25, 0.75, 2.5];
        let alone = interval(&payoffs.map(|payoff| vec![played(payoff)]));
        let thrice = interval(&payoffs.map(|payoff| vec![played(payoff); 3]));
        assert!((0..2).all(|i| (alone[i] - thrice[i]).abs() < 1e-9), "{alone:?} {thrice:?}");
        // One round alone says nothing of others.
        let one_round = [vec![played(0.5), played(1.5)]];
        assert_eq!(interval(&one_round), [-4.0, 4.0]);
        assert_eq!(summary(&plan("random", Starts::Start, None), "random", None, &one_round).interval, None);
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

    #[test]
    fn an_evaluation_is_interrupted_between_plies_and_comes_to_the_same() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let agent = raichi_agents::prepare(&game, "random").unwrap();
        let plan = plan("perfect", Starts::Plies(1), Some(12));
        let (exact, cancel) = (ExactStarts::of_game(&*game), CancelFlag::default());
        let whole = evaluate(&game, &agent, &plan, &exact, 1, &cancel, &|_, _| ()).unwrap();
        for n_threads in [1, 3] {
            let mut evaluating = Evaluating::begin(&game, &agent, &plan).unwrap();
            let mut n_stretches = 0;
            while !evaluating.is_over() {
                let asked = std::sync::atomic::AtomicU64::new(0);
                let enough = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 6;
                evaluating.go_on(&exact, n_threads, &cancel, &enough, &|_, _| ()).unwrap();
                n_stretches += 1;
            }
            assert!(n_stretches > 5, "{n_stretches}");
            assert_eq!(evaluating.evaluation(), whole);
        }
    }

    #[test]
    fn what_is_ended_early_has_each_seat_equally_often_and_what_is_cancelled_ends_at_once() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let agent = raichi_agents::prepare(&game, "random").unwrap();
        let (exact, cancel) = (ExactStarts::of_game(&*game), CancelFlag::default());
        let mut evaluating = Evaluating::begin(&game, &agent, &plan("random", Starts::Start, Some(100))).unwrap();
        // Five games are over or begun.
        let over = std::sync::atomic::AtomicU64::new(0);
        let note = |n, _| over.store(n, std::sync::atomic::Ordering::Relaxed);
        let enough = || over.load(std::sync::atomic::Ordering::Relaxed) >= 5;
        evaluating.go_on(&exact, 1, &cancel, &enough, &note).unwrap();
        assert_eq!((evaluating.n_over(), evaluating.n_games()), (5, 100));
        evaluating.begin_no_more();
        evaluating.go_on(&exact, 1, &cancel, &|| false, &|_, _| ()).unwrap();
        assert!(evaluating.is_over());
        assert_eq!(evaluating.evaluation().games, 6);

        cancel.cancel();
        let stopped = evaluate(&game, &agent, &plan("random", Starts::Start, None), &exact, 2, &cancel, &|_, _| ());
        assert_eq!(stopped.unwrap().games, 0);
    }
}
