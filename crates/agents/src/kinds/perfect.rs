//! The player that never loses value, where the truth is known or can be found in its time.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::game::{Facts, Phase};
use raichi_core::random::{self, FastRng};
use raichi_core::seat::Seat;
use raichi_search::options::{AgentOption, OptionKind, Options};
use raichi_search::{Advice, Budget, CancelFlag, Candidate, Certainty, Cost, Host};
use raichi_solve::{Exact, Work};

use crate::equilibrium::has_equilibrium;
use crate::equilibrium::player::EquilibriumPlayer;
use crate::kind::{self, AgentError, AgentKind, PrepareResult};
use crate::levels;
use crate::searching::{self, TIME};
use crate::session::{Prepared, Session, check_turn, decision_stream};
use crate::system_host::SystemHost;
use crate::truth::{self, Examined, ExaminedAction, Truth, better};

const TIES: AgentOption = AgentOption {
    name: "ties",
    kind: OptionKind::Choice { options: &["random", "trap", "best"] },
    default: Some("random"),
    help: "What it plays of equally good actions: any, the one after which a random player errs most, or the one that the best \
           agent would choose.",
};

const THREADS: AgentOption = AgentOption {
    name: "threads",
    kind: OptionKind::Int { min: 1, max: 256 },
    default: Some("1"),
    help: "How many threads search, where it needs a search.",
};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "perfect",
    name: "Perfect",
    help: "Never gives away what a position is worth, where that is known or found in its time; it wins as soon and loses \
           as late as can be, or by the best score where one is counted. Elsewhere it plays as the best agent does. With secrets it plays an equilibrium, drawing by its \
           shares.",
    bare: None,
    options: &[TIME, TIES, THREADS],
    supports: |game| if has_equilibrium(game) { Ok(()) } else { truth::is_solved(game) },
    seat: None,
    instead: Some(truth::solved_instead),
    complete: searching::complete_budget,
    prepare,
};

/// The most that its tables take, but for games whose tables need more.
const MEMORY: usize = 256 << 20;

/// How long its tables may take to be built: those of 2048 on 3×3 take half a minute.
const BUILDING: Duration = Duration::from_secs(120);

/// Differences of payoffs up to this are rounding.
const EQUAL: f64 = 1e-9;

/// Which part of the time it tries to solve the position; the rest is for the best agent, where that did not suffice.
const SOLVING: f64 = 0.7;

/// How far the line of play is followed, how long at least and at most, and until which part of the time.
const LONGEST_LINE: usize = 40;
const LEAST_FOR_LINE: Duration = Duration::from_millis(5);
const MOST_FOR_LINE: Duration = Duration::from_millis(500);
const UNTIL: f64 = 0.9;

fn prepare(game: &Arc<dyn AnyGame>, options: Options) -> PrepareResult {
    let time = options.duration(TIME.name).unwrap_or(Duration::from_secs(1));
    let budget = format!("time={}ms", time.as_millis());
    let search = || kind::prepare(game, &format!("mcts:{budget}"));
    if let Some(player) = EquilibriumPlayer::prepare(game, &options.canonical(), search) {
        return player;
    }
    let refused = |why| AgentError::Refused { agent: options.agent().into(), game: game.spec().into(), why };
    let truth = truth::known(&**game).map_err(refused)?;
    let n_threads = options.int(THREADS.name).unwrap_or(1) as usize;
    // Tables are built now, not while a clock runs.
    truth.get_ready(&work(&*truth, &CancelFlag::default(), SystemHost.now() + BUILDING, n_threads));
    Ok(Arc::new(Perfect {
        otherwise: levels::prepare_next_best(game, &budget, &format!("best:{budget}"))?,
        game: Arc::clone(game),
        truth,
        time,
        ties: match options.choice(TIES.name) {
            Some("trap") => Ties::Trap,
            Some("best") => Ties::Best,
            _ => Ties::Random,
        },
        n_threads,
        spec: options.canonical().into(),
    }))
}

fn work<'a>(truth: &dyn Truth, cancel: &'a CancelFlag, deadline: Duration, n_threads: usize) -> Work<'a> {
    Work {
        deadline: Some(deadline),
        cancel,
        host: &SystemHost,
        n_threads,
        memory: MEMORY.max(truth.least_memory()),
        folder: truth::folder(),
        progress: &|_| (),
    }
}

/// What is played of equally good actions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ties {
    Random,
    Trap,
    Best,
}

#[derive(Clone)]
struct Perfect {
    game: Arc<dyn AnyGame>,
    truth: Arc<dyn Truth>,
    otherwise: Arc<dyn Prepared>,
    time: Duration,
    ties: Ties,
    n_threads: usize,
    spec: Arc<str>,
}

impl Prepared for Perfect {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        let otherwise = self.otherwise.open(seed);
        // One flag ends both.
        Box::new(PerfectSession { of: self.clone(), cancel: otherwise.cancel_flag(), otherwise, seed })
    }
}

struct PerfectSession {
    of: Perfect,
    otherwise: Box<dyn Session>,
    cancel: CancelFlag,
    seed: u64,
}

impl Session for PerfectSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        if current.spec() != self.of.game.spec() {
            let prepared_for = self.of.game.spec().into();
            return Err(AgentError::OtherGame { prepared_for, game: current.spec().into() });
        }
        check_turn(current, seat)?;
        let start = SystemHost.now();
        let time = limit.time.map_or(self.of.time, |limit| limit.min(self.of.time));
        let mut rng = decision_stream(self.seed, current.n_plies());
        // What stands in a table leaves no need for the best agent.
        let solving = if self.of.truth.is_immediate() { time } else { time.mul_f64(SOLVING) };
        let cancel = self.cancel.clone();
        let work = work(&*self.of.truth, &cancel, start + solving, self.of.n_threads);
        let before = self.of.truth.statistics().nodes;
        let examined = self.of.truth.examine(current, Some(&mut rng), &work);
        let chosen = match equals(&examined) {
            Some(equal) => Some(self.choose(current, seat, equal, &work, start + time, &mut rng)?),
            None => None,
        };
        let nodes = self.of.truth.statistics().nodes - before;
        match chosen {
            Some(action) => {
                let spent = SystemHost.now() - start;
                // As long again as the decision took.
                let line_until = start + (spent + spent.clamp(LEAST_FOR_LINE, MOST_FOR_LINE)).min(time.mul_f64(UNTIL));
                let line = self.line(current, seat, &action, line_until);
                let cost = Cost { nodes, elapsed: spent, ..Cost::default() };
                Ok(Advice { why: self.of.truth.reason(current), ..self.proven(&examined, line, cost) })
            }
            None => {
                let left = (start + time).saturating_sub(SystemHost.now()).max(Duration::from_millis(1));
                let advice = self.otherwise.decide(current, seat, limit.at_most(Budget::time(left)))?;
                Ok(with_what_is_known(advice, &examined, seat, &current.facts()))
            }
        }
    }

    fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }
}

impl PerfectSession {
    /// One of several actions that are equally good.
    fn choose(
        &mut self,
        current: &dyn AnyMatch,
        seat: Seat,
        mut equal: Vec<String>,
        work: &Work<'_>,
        until: Duration,
        rng: &mut FastRng,
    ) -> Result<String, AgentError> {
        match self.of.ties {
            Ties::Trap if equal.len() > 1 => {
                let errors: Vec<f64> =
                    equal.iter().map(|action| self.errors_after(current, seat, action, work)).collect();
                let most = errors.iter().copied().fold(0.0, f64::max);
                let mut errors = errors.into_iter();
                equal.retain(|_| errors.next() == Some(most));
            }
            Ties::Best if equal.len() > 1 => {
                // A part is left for the line of play.
                let left = until.saturating_sub(SystemHost.now()).mul_f64(UNTIL).max(Duration::from_millis(1));
                let advice = self.otherwise.decide(current, seat, Budget::time(left))?;
                let liked = std::iter::once(advice.action).chain(advice.candidates.into_iter().map(|one| one.action));
                if let Some(liked) = liked.into_iter().find(|action| equal.contains(action)) {
                    return Ok(liked);
                }
            }
            _ => {}
        }
        Ok(equal.swap_remove(random::index(rng, equal.len())))
    }

    /// How likely a random opponent is to lose value at once after `action`; 0 where nobody else is to act, or not all is
    /// known in time.
    fn errors_after(&self, current: &dyn AnyMatch, seat: Seat, action: &str, work: &Work<'_>) -> f64 {
        // Formulas and tables answer without looking at the clock, which thousands of equal actions make long.
        if work.is_over() {
            return 0.0;
        }
        let mut after = current.boxed_clone();
        after.play(seat, action).expect("it is one of the legal actions");
        let Phase::Act(others) = after.phase() else { return 0.0 };
        let other = others.first();
        if other == seat || current.facts().hidden {
            return 0.0;
        }
        let examined = self.of.truth.examine(&*after, None, work);
        let ranked = examined.ranked();
        if examined.complete().is_err() || ranked.is_empty() {
            return 0.0;
        }
        let best = ranked[0].1.values[other];
        let errors = ranked.iter().filter(|(_, exact)| exact.values[other] < best - EQUAL).count();
        errors as f64 / ranked.len() as f64
    }

    /// The line of play under best play, `action` first, as far as it is found until `deadline`. It ends where chance is to act,
    /// and before a seat that does not see all.
    fn line(&self, current: &dyn AnyMatch, seat: Seat, action: &str, deadline: Duration) -> Vec<String> {
        let mut line = vec![action.to_string()];
        if current.facts().hidden || current.facts().simultaneous {
            return line;
        }
        let work = work(&*self.of.truth, &self.cancel, deadline, self.of.n_threads);
        let mut ahead = current.boxed_clone();
        ahead.play(seat, action).expect("it is one of the legal actions");
        while line.len() < LONGEST_LINE
            && let Phase::Act(seats) = ahead.phase()
        {
            let examined = self.of.truth.examine(&*ahead, None, &work);
            let Some(best) = examined.best() else { break };
            ahead.play(seats.first(), &best.action).expect("it is one of the legal actions");
            line.push(best.action.clone());
        }
        line
    }

    /// What is known, the first of `line` chosen.
    fn proven(&self, examined: &Examined, line: Vec<String>, cost: Cost) -> Advice<String> {
        let ranked = examined.ranked();
        let mut candidates: Vec<_> = ranked.iter().map(|(action, exact)| candidate(action, exact)).collect();
        let action = line[0].clone();
        // What the cap or a rule of the path may change is not proven in this game.
        let proven = examined.holds && ranked.iter().any(|(known, _)| known.action == action && known.holds);
        // What is chosen comes first.
        if let Some(place) = candidates.iter().position(|candidate| candidate.action == action) {
            candidates[..=place].rotate_right(1);
        }
        let known_by = Some(examined.method.name());
        Advice { line, action, candidates, cost, proven, known_by, why: None }
    }
}

fn candidate(known: &ExaminedAction, exact: &Exact) -> Candidate<String> {
    Candidate {
        action: known.action.clone(),
        values: truth::rounded(&exact.values).as_slice().to_vec(),
        certainty: if known.holds { Certainty::Exact } else { Certainty::Estimate { standard_error: None } },
        visits: None,
        depth: exact.plies.map(|plies| plies + 1),
        plies: exact.plies.map(|plies| plies + 1),
    }
}

/// The actions that are known to be best, in the order in which they are ranked; `None` where none is.
fn equals(examined: &Examined) -> Option<Vec<String>> {
    let ranked = examined.ranked();
    let (_, best) = *ranked.first()?;
    examined.knows_best().ok()?;
    let seat = examined.seat?;
    let equal = ranked.iter().take_while(|(_, exact)| better(seat, exact, best).is_eq());
    Some(equal.map(|(action, _)| action.action.clone()).collect())
}

/// The best agent's advice, corrected by what was found out of some actions: it does not play what is known to be worse
/// than another action, nor what is known to be no better than any, as long as something is open whose end is not known.
fn with_what_is_known(mut advice: Advice<String>, examined: &Examined, seat: Seat, facts: &Facts) -> Advice<String> {
    let ranked = examined.ranked();
    let Some((best, exact)) = ranked.first() else { return advice };
    advice.known_by = Some(examined.method.name());
    for (action, exact) in &ranked {
        let known = candidate(action, exact);
        match advice.candidates.iter_mut().find(|candidate| candidate.action == known.action) {
            Some(candidate) => *candidate = known,
            None => advice.candidates.push(known),
        }
    }
    let Some((_, chosen)) = ranked.iter().find(|(known, _)| known.action == advice.action) else { return advice };
    let (value, least) = (exact.values[seat], facts.payoff_range.map(|(least, _)| least));
    let is_worst = least.is_some_and(|least| value <= least + EQUAL);
    let is_too_little = examined.exact.as_ref().is_ok_and(|root| value < root.values[seat] - EQUAL);
    let open = if is_worst || is_too_little { most_liked_of_the_unknown(&advice, examined) } else { None };
    let better = open.or_else(|| (chosen.values[seat] < value - EQUAL).then(|| best.action.clone()));
    if let Some(action) = better {
        advice.line = vec![action.clone()];
        advice.proven = false;
        advice.action = action;
    }
    advice
}

/// Of the actions about which nothing is known, the one that the best agent puts first.
fn most_liked_of_the_unknown(advice: &Advice<String>, examined: &Examined) -> Option<String> {
    let unknown: Vec<&str> = examined.unknown().collect();
    let liked = advice
        .candidates
        .iter()
        .find(|candidate| candidate.certainty != Certainty::Exact && unknown.contains(&&*candidate.action));
    liked.map(|candidate| candidate.action.clone())
}

#[cfg(test)]
mod tests {
    use raichi_core::game::Payoffs;
    use raichi_solve::{Method, Unsolved};

    use super::*;

    /// Values of the actions `a`, `b` and so on for the first of two seats; `None` where they are not known.
    fn examined(values: &[Option<f64>], position: Option<f64>) -> Examined {
        let exact = |value: Option<f64>| match value {
            Some(value) => Ok(Exact::of(Payoffs::new([value, -value]))),
            None => Err(Unsolved::OutOfTime),
        };
        let actions = ('a'..).zip(values);
        let actions = actions.map(|(name, &value)| ExaminedAction {
            action: name.to_string(),
            exact: exact(value),
            holds: true,
            method: Method::Search,
        });
        Examined {
            seat: Some(0),
            exact: exact(position),
            holds: true,
            method: Method::Search,
            actions: actions.collect(),
        }
    }

    /// What is played where the best agent likes `a` best, then `b` and so on.
    fn played(values: &[Option<f64>], position: Option<f64>) -> String {
        let candidates = ('a'..).take(values.len()).map(|name| Candidate {
            action: name.to_string(),
            values: vec![0.5, -0.5],
            certainty: Certainty::Estimate { standard_error: None },
            visits: None,
            depth: None,
            plies: None,
        });
        let liked = Advice { candidates: candidates.collect(), ..Advice::without_search("a".to_string(), false) };
        let advice = with_what_is_known(liked, &examined(values, position), 0, &Facts::TWO_SEATS_AND_DRAWS);
        assert_eq!(advice.line.first().unwrap_or(&advice.action), &advice.action);
        advice.action
    }

    #[test]
    fn what_is_known_to_be_worse_is_not_played() {
        assert_eq!(played(&[Some(-1.0), Some(0.0), None], None), "b");
        assert_eq!(played(&[Some(0.0), Some(0.0), None], None), "a");
        assert_eq!(played(&[None, Some(0.0)], None), "a");
    }

    #[test]
    fn what_is_known_to_lose_is_not_played_while_something_is_open() {
        assert_eq!(played(&[Some(-1.0), Some(-1.0), None, None], None), "c");
        assert_eq!(played(&[Some(-1.0), Some(-1.0)], Some(-1.0)), "a");
    }

    #[test]
    fn what_is_worth_less_than_the_position_is_not_played_while_something_is_open() {
        assert_eq!(played(&[Some(0.0), Some(-1.0), None], Some(1.0)), "c");
        assert_eq!(played(&[Some(-1.0), Some(0.0), None], Some(0.0)), "b");
    }
}
