//! Networks that learn by playing with a search: what they reach in a short training, and that one seed gives one result.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::{Game, Phase};
use raichi_core::history::Match;
use raichi_core::host::Host;
use raichi_core::path::PathGame;
use raichi_core::random::stream;
use raichi_core::toy::Toy;
use raichi_games::cards::Card;
use raichi_games::kaalu::Kaalu;
use raichi_games::kuhn_poker::{self, KuhnPoker};
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::alphazero::{AlphaZeroLearner, Config, OPTIONS, read_policy};
use raichi_learn::{CancelFlag, Evaluator, Learned, Learner, Saved, Work};
use raichi_search::options::Options;
use raichi_search::{BareHost, Budget, Failure, Limits};

fn config<G: Playable>(game: &PathGame<G>, options: &str) -> Result<Config, String> {
    let text = (!options.is_empty()).then_some(options);
    let options = Options::parse("alphazero", OPTIONS, None, text).unwrap();
    Config::from_options(&options, &game.facts())
}

fn train<G: Playable>(game: &Arc<PathGame<G>>, options: &str, games: &[u64], n_threads: usize) -> AlphaZeroLearner<G> {
    let planned = games.iter().sum();
    let mut learner = AlphaZeroLearner::new(game, config(game, options).unwrap(), 1, planned).unwrap();
    for &n in games {
        learner.advance(n, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads });
    }
    assert_eq!(learner.progress().games, planned);
    learner
}

/// What each position is worth to seat 0, by minimax.
fn solve<G: Game>(game: &G, state: &G::State, values: &mut HashMap<G::State, f64>) -> f64 {
    if let Some(&value) = values.get(state) {
        return value;
    }
    let Phase::Act(seats) = game.phase(state) else { return game.payoffs(state)[0] };
    let seat = seats.first();
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let mut worth = Vec::new();
    for action in actions {
        let mut after = state.clone();
        game.apply(&mut after, seat, action);
        worth.push(solve(game, &after, values));
    }
    let value = if seat == 0 { worth.into_iter().fold(-2.0, f64::max) } else { worth.into_iter().fold(2.0, f64::min) };
    values.insert(state.clone(), value);
    value
}

/// The share of positions in which the most likely action keeps what the position is worth, and in which the action of the
/// greatest value does.
fn shares<G: Playable>(game: &PathGame<G>, learned: &dyn Learned<G>) -> (f64, f64) {
    let (game, mut values) = (game.game(), HashMap::new());
    solve(game, &game.initial_state(), &mut values);
    let (mut by_policy, mut by_value) = (0, 0);
    for (state, value) in &values {
        let Phase::Act(seats) = game.phase(state) else { unreachable!("only positions that go on are kept") };
        let seat = seats.first();
        let mut actions = Vec::new();
        game.legal_actions(state, seat, &mut actions);
        let mut odds = vec![0.0; actions.len()];
        learned.priors(game, state, seat, &actions, &mut odds);
        let mut worth = vec![0.0; actions.len()];
        learned.value_actions(game, state, seat, &actions, &mut worth);
        let keeps = |i: usize| {
            let mut after = state.clone();
            game.apply(&mut after, seat, actions[i]);
            values.get(&after).copied().unwrap_or_else(|| game.payoffs(&after)[0]) == *value
        };
        let best = |of: &dyn Fn(usize) -> f64| (0..actions.len()).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap();
        by_policy += usize::from(keeps(best(&|i| f64::from(odds[i]))));
        by_value += usize::from(keeps(best(&|i| worth[i])));
    }
    (by_policy as f64 / values.len() as f64, by_value as f64 / values.len() as f64)
}

#[test]
fn a_short_training_reaches_its_floor() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let options = "width=64,blocks=1,sims=16,full=1,random-plies=6,reuse=8,rate=0.005,rate-end=0.0005";
    let learner = train(&game, options, &[4000], 1);
    let (by_policy, by_value) = shares(&game, &learner.policy());
    println!("policy {by_policy:.4}, value {by_value:.4}");
    assert!(by_policy >= 0.96 && by_value >= 0.96, "policy {by_policy}, value {by_value}");
}

#[test]
#[ignore = "takes twenty seconds"]
fn nightly_convolutions_learn_a_small_connect_four() {
    struct Learns;

    impl GameVisitor for Learns {
        type Output = (f64, f64);

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            let options = "width=32,blocks=2,sims=24,random-plies=10,reuse=4,rate=0.004,rate-end=0.0004";
            shares(game, &train(game, options, &[6000], 2).policy())
        }
    }

    let (by_policy, by_value) = raichi_games::visit("connect-four:width=4,height=4", Learns).unwrap();
    println!("policy {by_policy:.4}, value {by_value:.4}");
    // Measured: 0.886 and 0.928.
    assert!(by_policy >= 0.85 && by_value >= 0.9, "policy {by_policy}, value {by_value}");
}

const SMALL: &str = "width=16,blocks=1,sims=8,fast-sims=2,round=8,parallel=3,batch=16,window=100,random-plies=2";

#[test]
fn a_training_that_was_interrupted_ends_with_the_same_weights() {
    struct Same;

    impl GameVisitor for Same {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let whole = train(game, SMALL, &[30], 1).save(true);
            let first = train(game, SMALL, &[13], 1);
            let saved = first.save(true);
            let mut second = AlphaZeroLearner::new(game, config(game, SMALL).unwrap(), 1, 30).unwrap();
            second.resume(&saved).unwrap();
            assert_eq!(second.progress().games, 13);
            second.advance(17, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 2 });
            assert_eq!(second.save(true).tensors, whole.tensors, "{}", game.spec());
            let mut other = AlphaZeroLearner::new(game, config(game, SMALL).unwrap(), 2, 30).unwrap();
            assert!(other.resume(&saved).unwrap_err().contains("another seed"));
            assert!(other.resume(&first.save(false)).unwrap_err().contains("missing"));
        }
    }

    for spec in ["tic-tac-toe", "connect-four:width=5,height=4", "nim3p"] {
        raichi_games::visit(spec, Same).unwrap();
    }
}

#[test]
fn what_was_saved_plays_as_what_was_trained() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let learner = train(&game, SMALL, &[20], 1);
    let (policy, state) = (learner.policy(), game.game().initial_state());
    let value = |policy: &dyn Evaluator<TicTacToe>| policy.value(game.game(), &state, 0);
    let back = |saved: &Saved| read_policy(&game, &config(&game, SMALL).unwrap(), saved);
    assert_eq!(value(&back(&learner.save(false)).unwrap()), value(&policy));
    for bits in [8, 15] {
        let near = value(&back(&learner.save_small(bits).unwrap()).unwrap());
        assert!((near - value(&policy)).abs() < if bits == 8 { 0.05 } else { 0.001 }, "{bits}: {near}");
    }
    let other = config(&game, &format!("{SMALL},value-weight=2").replace("width=16", "width=8")).unwrap();
    assert!(read_policy(&game, &other, &learner.save(false)).err().unwrap().contains("another shape"));
    let mut damaged = learner.save(false);
    damaged.tensors.pop();
    assert!(back(&damaged).err().unwrap().contains("value.biases"));
}

/// Training never asks about such a position. Here the game is over after its one action, so that the value is a payoff.
#[test]
fn a_position_with_one_action_is_worth_what_follows() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let policy = train(&game, SMALL, &[20], 1).policy();
    let (game, mut open, mut n_found) = (game.game(), vec![game.game().initial_state()], 0);
    while let Some(state) = open.pop() {
        let Phase::Act(seats) = game.phase(&state) else { continue };
        let mut actions = Vec::new();
        game.legal_actions(&state, seats.first(), &mut actions);
        for &action in actions.iter().take(3) {
            let mut after = state;
            game.apply(&mut after, seats.first(), action);
            if actions.len() == 1 {
                n_found += 1;
                let payoffs = game.payoffs(&after);
                let mut values = [0.0; 2];
                policy.values(game, &state, &mut values);
                let mut batch = [0.0];
                policy.value_batch(game, &[(&state, 1)], &mut batch);
                let told = [values[0], values[1], batch[0]].map(f64::from);
                assert!(told.iter().zip([payoffs[0], payoffs[1], payoffs[1]]).all(|(a, b)| (a - b).abs() < 1e-6));
            }
            open.push(after);
        }
    }
    assert!(n_found > 50, "{n_found}");
}

/// A clock that each reading puts forward by a hundredth of a millisecond; it is read once for each position looked at.
#[derive(Default)]
struct Readings(AtomicU64);

impl Host for Readings {
    fn now(&self) -> Duration {
        Duration::from_micros(10 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        BareHost.run(jobs);
    }
}

#[test]
fn without_a_number_of_simulations_the_limits_end_a_search() {
    struct Ends;

    impl GameVisitor for Ends {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let learned = train(game, &format!("{SMALL},worlds=3"), &[8], 1).learned();
            let mut current = Match::of(Arc::clone(game));
            let rng = &mut stream(3, "test", 0);
            while current.phase() == Phase::Chance {
                current.sample_outcome(rng).unwrap();
            }
            let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
            let (view, clock) = (current.view(seats.first()), Readings::default());
            let decide = |simulations: Option<u64>, budget: Budget, cancel: &CancelFlag| {
                let limits = Limits { budget, cancel, host: &clock };
                learned.session(simulations, &Failure::default()).unwrap().decide(
                    &view,
                    &limits,
                    &mut stream(4, "test", 0),
                )
            };
            let goes_on = &CancelFlag::default();

            // The time is used, and kept.
            let mut last = 0;
            for millis in [1, 10, 40] {
                let time = Duration::from_millis(millis);
                let advice = decide(None, Budget::time(time), goes_on);
                assert!(advice.cost.elapsed <= time, "{}: {:?} in {time:?}", game.spec(), advice.cost);
                assert!(advice.proven || advice.cost.elapsed * 2 > time, "{}: {:?}", game.spec(), advice.cost);
                assert!(advice.proven || advice.cost.simulations > last, "{}: {:?}", game.spec(), advice.cost);
                last = advice.cost.simulations;
            }

            // Rounds that are not cut off come to what one schedule comes to.
            for n in [1, 24, 50] {
                let whole = decide(Some(n), Budget::UNLIMITED, goes_on);
                let rounds = decide(None, Budget::simulations(n), goes_on);
                assert_eq!((rounds.action, &rounds.candidates), (whole.action, &whole.candidates), "{}", game.spec());
                assert_eq!(rounds.cost.simulations, whole.cost.simulations);
                let late = decide(Some(n), Budget::time(Duration::from_secs(3600)), goes_on);
                assert_eq!(late.candidates, whole.candidates);
            }

            for nodes in [1, 2, 30] {
                let budget = Budget { nodes: Some(nodes), ..Budget::UNLIMITED };
                assert!(decide(None, budget, goes_on).cost.nodes <= nodes, "{}", game.spec());
                assert!(decide(Some(1000), budget, goes_on).cost.nodes <= nodes, "{}", game.spec());
            }
            let cancelled = CancelFlag::default();
            cancelled.cancel();
            assert!(decide(None, Budget::UNLIMITED, &cancelled).cost.nodes <= 1, "{}", game.spec());
        }
    }

    for spec in ["connect-four:width=5,height=4", "nim3p", "kuhn-poker"] {
        raichi_games::visit(spec, Ends).unwrap();
    }
}

#[test]
fn a_search_without_limits_ends_where_nothing_is_left_to_be_found_out() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let learned = train(&game, SMALL, &[8], 1).learned();
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &CancelFlag::default(), host: &BareHost };
    let mut current = Match::of(Arc::clone(&game));
    let mut player = learned.session(None, &Failure::default()).unwrap();
    for ply in 0..9 {
        let advice = player.decide(&current.view(ply % 2), &limits, &mut stream(5, "test", ply as u64));
        // Rounds of up to 100,000 simulations are allowed.
        assert!(advice.cost.simulations < 100_000, "ply {ply}: {:?}", advice.cost);
        assert!(advice.proven || ply < 4, "ply {ply}: {:?}", advice.cost);
        current.play(ply % 2, advice.action).unwrap();
    }
    assert_eq!(current.payoffs()[0], 0.0);
}

/// One session decides a game, then the same with other plies: each time as a session does that begins with the decision.
#[test]
fn what_is_kept_between_decisions_changes_nothing_but_how_much_is_looked_at() {
    struct Same;

    impl GameVisitor for Same {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let learned = train(game, SMALL, &[8], 1).learned();
            let open = || learned.session(Some(24), &Failure::default()).unwrap();
            let mut keeps = open();
            let limits = Limits { budget: Budget::UNLIMITED, cancel: &CancelFlag::default(), host: &BareHost };
            let (mut n_kept, mut n_afresh) = (0, 0);
            // The second game goes its own way from the fourth ply on, as if plies had been taken back.
            for strays_at in [usize::MAX, 3] {
                let mut current = Match::of(Arc::clone(game));
                for ply in 0..10 {
                    let rng = &mut stream(1, "play", ply as u64);
                    let Phase::Act(seats) = current.phase() else {
                        let Phase::Chance = current.phase() else { break };
                        current.sample_outcome(rng).unwrap();
                        continue;
                    };
                    let seat = seats.first();
                    let view = current.view(seat);
                    let advice = keeps.decide(&view, &limits, rng);
                    let expected = open().decide(&view, &limits, rng);
                    assert_eq!(advice.action, expected.action);
                    assert_eq!(advice.candidates, expected.candidates, "{} ply {ply}", game.spec());
                    n_kept += advice.cost.nodes;
                    n_afresh += expected.cost.nodes;
                    if ply < strays_at {
                        current.play(seat, advice.action).unwrap();
                    } else {
                        current.play_random(seat, &mut Vec::new(), rng).unwrap();
                    }
                }
            }
            assert!(n_kept < n_afresh, "{}: {n_kept} positions in place of {n_afresh}", game.spec());
        }
    }

    for spec in ["connect-four:width=5,height=4", "tablut:max-plies=8", "nim3p", "rubiks-cube:scramble=2,limit=6"] {
        raichi_games::visit(spec, Same).unwrap();
    }
}

/// Values add up and lie within the bounds for every seat, in games of one, two and three seats, also where chance begins.
#[test]
fn the_laws_of_evaluators_hold() {
    struct Laws;

    impl GameVisitor for Laws {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let learner = train(game, &format!("{SMALL},longest=40"), &[8], 1);
            let (policy, facts) = (learner.policy(), game.facts());
            let mut values = vec![0.0; facts.n_seats];
            Evaluator::<G>::values(&policy, game.game(), &game.game().initial_state(), &mut values);
            let (low, high) = facts.payoff_range.unwrap();
            assert!(values.iter().all(|&value| (low..=high).contains(&f64::from(value))), "{values:?}");
            if let Some(sum) = facts.payoff_sum {
                assert!((values.iter().sum::<f32>() - sum as f32).abs() < 1e-5, "{values:?}");
            }
        }
    }

    for spec in
        ["nim3p", "hex:size=4", "sim", "rubiks-cube:scramble=2,limit=6", "yavalath:players=3", "french-military"]
    {
        if let Err(why) = raichi_games::visit(spec, Laws) {
            panic!("{spec}: {why}");
        }
    }
}

/// A network that knows nothing says 0 of every position; what is over has its payoff, and chance the mean.
#[test]
fn what_actions_lead_to_is_valued() {
    let game = Arc::new(PathGame::from(Toy::new("( {6 0 {3 0}} [6 -6] 1 )")));
    let learner = AlphaZeroLearner::new(&game, config(&game, "width=4").unwrap(), 1, 1).unwrap();
    let mut values = [9.0; 3];
    learner.policy().value_actions(game.game(), &game.game().initial_state(), 0, &[0, 1, 2], &mut values);
    assert!(
        values.iter().zip([2.5, 0.0, 1.0]).all(|(value, expected): (&f64, f64)| (value - expected).abs() < 1e-5),
        "{values:?}"
    );
}

#[test]
fn games_with_secrets_or_very_many_actions_are_learned_and_played() {
    struct Learns(u64);

    impl GameVisitor for Learns {
        type Output = ();

        /// A few games are learned, and what comes of them plays by the rules.
        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let options = format!("{SMALL},net=layers,worlds=3,longest=60");
            let learned = train(game, &options, &[self.0], 1).learned();
            let mut player = learned.session(Some(6), &Failure::default()).unwrap();
            let mut current = Match::of(Arc::clone(game));
            let limits = Limits { budget: Budget::UNLIMITED, cancel: &CancelFlag::default(), host: &BareHost };
            for ply in 0..40 {
                let rng = &mut stream(2, "test", ply);
                let Phase::Act(seats) = current.phase() else {
                    let Phase::Chance = current.phase() else { break };
                    current.sample_outcome(rng).unwrap();
                    continue;
                };
                // Where several act together, each of them is asked before any has chosen.
                for seat in seats.iter() {
                    let view = current.view(seat);
                    assert!(view.legal_actions().contains(&player.decide(&view, &limits, rng).action));
                }
                let seat = seats.iter().last().unwrap();
                let action = player.decide(&current.view(seat), &limits, rng).action;
                current.play(seat, action).unwrap();
            }
        }
    }

    // Al-Jabar has 42,823,939 actions in this group, put together from 195 factors.
    let al_jabar = "al-jabar:group=8/4,limit=3,copies=20";
    for (spec, n_games) in
        [("kuhn-poker", 64), ("leduc-poker", 32), ("poker", 8), ("jabirs-transmutations", 2), (al_jabar, 1)]
    {
        raichi_games::visit(spec, Learns(n_games)).unwrap();
    }
}

/// The likeliest action of a Kuhn Poker's second seat that holds a card and was bet against.
#[test]
fn a_king_calls_and_a_jack_gives_up() {
    let game = Arc::new(PathGame::from(KuhnPoker));
    let options = "width=32,blocks=1,sims=16,full=1,reuse=8,rate=0.005,rate-end=0.0005";
    let policy = train(&game, options, &[3000], 1).policy();
    let log_odds = |own, other| {
        let mut state = game.initial_state();
        [other, own].into_iter().for_each(|rank| game.apply_outcome(&mut state, Card::new(rank, 3)));
        game.apply(&mut state, 0, kuhn_poker::Action::Bet);
        let mut odds = [0.0; 2];
        let actions = [kuhn_poker::Action::Pass, kuhn_poker::Action::Bet];
        policy.priors(game.game(), state.position(), 1, &actions, &mut odds);
        odds[1] - odds[0]
    };
    let (jack, queen, king) = (9, 10, 11);
    assert!(log_odds(king, queen) > 2.0 && log_odds(king, jack) == log_odds(king, queen), "{}", log_odds(king, queen));
    assert!(log_odds(jack, queen) < -2.0, "{}", log_odds(jack, queen));
}

/// The share of games against random play that the likeliest actions win; half of a draw counts.
fn won_against_random<G: Playable>(game: &Arc<PathGame<G>>, learned: &dyn Learned<G>) -> f64 {
    const N_GAMES: u64 = 100;
    let mut won = 0.0;
    for number in 0..N_GAMES {
        let (own, rng) = (number as usize % 2, &mut stream(number, "random", 0));
        let (mut state, mut actions) = (game.initial_state(), Vec::new());
        while let Phase::Act(seats) = game.phase(&state) {
            let seat = seats.first();
            let action = if seat == own {
                actions.clear();
                game.legal_actions(&state, seat, &mut actions);
                let mut odds = vec![0.0; actions.len()];
                learned.priors(game.game(), state.position(), seat, &actions, &mut odds);
                let best = (0..odds.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b])).expect("there is an action");
                actions[best]
            } else {
                game.random_action(&state, seat, &mut actions, rng)
            };
            game.apply(&mut state, seat, action);
        }
        won += game.payoffs(&state)[own];
    }
    let (low, high) = game.facts().payoff_range.expect("payoffs have bounds");
    (won / N_GAMES as f64 - low) / (high - low)
}

/// kaalu has 9,416 actions, put together from 225 factors.
#[test]
fn actions_that_are_too_many_are_learned_by_their_factors() {
    let game = Arc::new(PathGame::from(Kaalu));
    let options = "net=layers,width=48,blocks=1,sims=16,full=1,longest=100,random-plies=4,reuse=8,rate=0.004";
    let learner = train(&game, options, &[600], 1);
    assert_eq!(learner.net().shape().actions, 225);
    let won = won_against_random(&game, &*learner.learned());
    // 0.865 when this was written.
    assert!(won > 0.75, "{won}");
    let back = read_policy(&game, &config(&game, options).unwrap(), &learner.save(false)).unwrap();
    assert_eq!(won_against_random(&game, &back), won);
    // What it remembers, with numbers of actions beyond those of 16 bits, reads back.
    let mut resumed = AlphaZeroLearner::new(&game, config(&game, options).unwrap(), 1, 600).unwrap();
    resumed.resume(&learner.save(true)).unwrap();
    assert_eq!(resumed.save(true), learner.save(true));
}

#[test]
fn games_that_it_cannot_learn_are_refused_with_the_reason() {
    struct Refused(&'static str);

    impl GameVisitor for Refused {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let why = config(game, "").unwrap_err();
            assert!(why.contains(self.0), "{}: {why}", game.spec());
        }
    }

    raichi_games::visit("2048", Refused("no bounds")).unwrap();
}
