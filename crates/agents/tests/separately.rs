//! Actions looked at by themselves, within the budget of a decision.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raichi_agents::separately::{Allowance, complete};
use raichi_agents::{Advice, AgentError, Budget, CancelFlag, Candidate, Certainty, Cost, Session, SystemHost};
use raichi_core::game::Phase;
use raichi_core::{AnyMatch, Host, Seat};

/// A clock that goes on only while an agent decides.
#[derive(Default)]
struct DecidingClock(AtomicU64);

impl Host for DecidingClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

/// Takes 3 ms and 5 simulations for every decision, however little it is given.
struct Slow<'a>(&'a DecidingClock);

impl Session for Slow<'_> {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, _limit: Budget) -> Result<Advice<String>, AgentError> {
        self.0.0.fetch_add(3, Ordering::Relaxed);
        let action = current.legal(seat).remove(0);
        let candidates = vec![candidate(&action, vec![0.1, -0.1], Certainty::Estimate { standard_error: None })];
        let cost = Cost { simulations: 5, ..Cost::default() };
        Ok(Advice { candidates, cost, ..Advice::without_search(action, false) })
    }
    fn cancel_flag(&self) -> CancelFlag {
        CancelFlag::default()
    }
}

fn candidate(action: &str, values: Vec<f64>, certainty: Certainty) -> Candidate<String> {
    Candidate { action: action.into(), values, certainty, visits: None, depth: None, plies: None }
}

/// What such an agent says of the start of `game`, of which it knew at first what two actions are worth at most; and how much
/// time that took.
fn completed(game: &str, spec: &str, known: [&str; 3]) -> (Advice<String>, Duration) {
    let game = raichi_games::game(game).unwrap();
    let current = game.new_match();
    let clock = DecidingClock::default();
    let [chosen, second, third] = known;
    let candidates = vec![
        candidate(chosen, vec![0.5, -0.5], Certainty::Estimate { standard_error: None }),
        candidate(second, vec![0.4, -0.4], Certainty::UpperBound),
        candidate(third, vec![0.3, -0.3], Certainty::UpperBound),
    ];
    let advice = Advice { candidates, ..Advice::without_search(chosen.to_string(), false) };
    let allowance = Allowance::new(spec, &advice.cost, &clock).unwrap();
    let advice = complete(&*game, &*current, 0, 1, &mut Slow(&clock), allowance, advice).unwrap();
    (advice, clock.now())
}

#[test]
fn many_actions_are_looked_at_within_the_budget_the_best_looking_first() {
    let legal = raichi_games::game("hex:size=11").unwrap().new_match().legal(0);
    for (spec, n_looks) in [("mcts:time=20ms", 7), ("mcts:sims=20", 4), ("mcts:time=20ms,sims=10", 2)] {
        let (advice, took) = completed("hex:size=11", spec, ["f6", "k2", "e5"]);
        assert_eq!((took, advice.cost.simulations), (Duration::from_millis(3 * n_looks), 5 * n_looks), "{spec}");
        let found: Vec<&str> = advice.candidates.iter().map(|candidate| candidate.action.as_str()).collect();
        let known = ["f6", "k2", "e5"];
        let others = legal.iter().map(String::as_str).filter(|action| !known.contains(action));
        let expected: Vec<&str> = known.into_iter().chain(others).take(n_looks as usize + 1).collect();
        assert_eq!(found.len(), expected.len(), "{spec}: {found:?}");
        assert!(found.iter().all(|action| expected.contains(action)), "{spec}: {found:?}");
        let is_bound = |candidate: &Candidate<String>| candidate.certainty == Certainty::UpperBound;
        assert!(!advice.candidates.iter().any(is_bound), "{spec}: those it held best were looked at");
    }
}

#[test]
fn of_draws_that_the_budget_does_not_reach_to_the_end_those_before_count() {
    let game = raichi_games::game("blackjack").unwrap();
    let current = game.new_match();
    let clock = DecidingClock::default();
    let advice = Advice::without_search(current.legal(0).remove(0), true);
    let allowance = Allowance::new("mcts:time=20ms", &advice.cost, &clock).unwrap();
    let advice = complete(&*game, &*current, 0, 1, &mut Slow(&clock), allowance, advice).unwrap();
    assert_eq!(clock.now(), Duration::from_millis(21));
    assert_eq!(advice.candidates.len(), 1);
    assert!(matches!(advice.candidates[0].certainty, Certainty::Estimate { standard_error: Some(_) }));
    assert_eq!(advice.candidates[0].visits, Some(7 * 5));
}

/// The position has one action, so that all is found by looking at what follows it; there the next seat has replies that pay it
/// the same and the others differently. The payoffs were computed by another program, which tries all plies to the end.
#[test]
fn equal_replies_to_an_action_are_shared_or_its_payoffs_are_not_exact() {
    let game = raichi_games::game("yavalath:players=3,size=3").unwrap();
    let mut current = game.new_match();
    for action in "b1 e2 d3 b4 d4 c1 a3 c5 c4 a1 b2 c3 d1".split(' ') {
        let Phase::Act(seats) = current.phase() else { panic!("somebody is to act") };
        current.play(seats.first(), action).unwrap();
    }
    let Phase::Act(seats) = current.phase() else { panic!("somebody is to act") };
    let seat = seats.first();
    for spec in ["minimax:nodes=20000", "alphabeta:nodes=20000", "mcts:sims=20000"] {
        let prepared = raichi_agents::prepare(&game, spec).unwrap();
        let mut session = prepared.open(1);
        let advice = session.decide(&*current, seat, Budget::UNLIMITED).unwrap();
        let allowance = Allowance::new(spec, &advice.cost, &SystemHost).unwrap();
        let advice = complete(&*game, &*current, seat, 1, &mut *session, allowance, advice).unwrap();
        let [only] = &advice.candidates[..] else { panic!("{spec}: one action is legal") };
        let is_right = || only.values.iter().zip([0.5, 1.0 / 6.0, 1.0 / 3.0]).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(!only.is_exact() || is_right(), "{spec}: {only:?}");
        assert!(only.is_exact() || spec.starts_with("alphabeta"), "{spec}: {only:?}");
    }
}

/// With two nodes the search knows nothing of most actions and takes one of them. Where the looks prove that it loses and another
/// one wins, that one is the best.
#[test]
fn an_action_that_was_found_to_be_better_for_certain_is_the_best() {
    let game = raichi_games::game("hex:size=3").unwrap();
    let mut current = game.new_match();
    current.play_history("c1 c2 b3 a2 b1").unwrap();
    let spec = "dfpn:nodes=2";
    let (prepared, mut n_corrected) = (raichi_agents::prepare(&game, spec).unwrap(), 0);
    for seed in 0..40 {
        let chosen = prepared.open(seed).decide(&*current, 1, Budget::UNLIMITED).unwrap();
        let allowance = Allowance::new(spec, &chosen.cost, &SystemHost).unwrap();
        let before = chosen.action.clone();
        let found = complete(&*game, &*current, 1, seed, &mut *prepared.open(seed), allowance, chosen).unwrap();
        let worth = |candidate: &Candidate<String>| candidate.is_exact().then(|| candidate.values[1]);
        let best = found.candidates.iter().filter_map(worth).fold(f64::NEG_INFINITY, f64::max);
        let first = &found.candidates[0];
        assert_eq!(first.action, found.action);
        assert!(worth(first).is_none_or(|worth| worth >= best), "{seed}: {:?}", found.candidates);
        n_corrected += u32::from(found.action != before);
    }
    assert!(n_corrected > 0);
}
