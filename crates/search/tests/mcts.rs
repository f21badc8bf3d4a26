//! Monte-Carlo tree search where every seat sees everything: exact values, proofs, determinism, budgets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_core::toy::Toy;
use raichi_core::{Match, PathGame, Playable};
use raichi_games::connect_four::ConnectFour;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_games::twenty_forty_eight::TwentyFortyEight;
use raichi_search::mcts::{Backup, Config, Knowledge, Mcts, Playouts, Priors};
use raichi_search::{Advice, BareHost, Budget, CancelFlag, Evaluator, Host, Limits, PlayoutPolicy, Session};

use crate::common::{advise, decide, exact, findings, random_tree};

fn brackets(tree: &str) -> Match<Toy> {
    Match::new(Toy::new(tree))
}

#[test]
fn trees_written_by_hand_are_solved() {
    for (tree, action, values) in [
        ("( [3 -5] [2 9] 1 )", 1, vec![2.0, -2.0]),
        ("( [3 -5] {2 9 1} -7 )", 1, vec![4.0, -4.0]),
        // The last action pays the most there is, so the others need no proof.
        ("( [4 2] [1 0] 4 )", 2, vec![4.0, -4.0]),
        // The same seat twice, and then the other one twice.
        ("( (1 (3 2)) [[5 2] [9 8]] )", 0, vec![3.0, -3.0]),
        // Three seats, each for itself: seat 2 helps nobody, seat 1 takes the 1 that is left for it.
        ("( [<1,0,3 5,0,2> <4,1,1 0,2,0>] <2,2,2 3,0,1> )", 0, vec![4.0, 1.0, 1.0]),
        ("{(1 2)}", 1, vec![2.0, -2.0]),
    ] {
        let mut current = brackets(tree);
        if current.phase() == Phase::Chance {
            current.sample_outcome(&mut stream(1, "chance", 0)).unwrap();
        }
        let advice = advise(&current, 0, Config::default(), 2000, 1);
        assert!(advice.proven, "{tree}: {advice:?}");
        assert_eq!(advice.action, action, "{tree}");
        assert_eq!(advice.candidates[0].values, values, "{tree}");
        assert!(advice.cost.simulations < 2000, "{tree}: a search ends when it is proven");
    }
}

#[test]
fn random_trees_are_solved() {
    let mut solved = 0;
    for seed in 0..300 {
        let mut rng = stream(seed, "tree", 0);
        let (n_seats, chance) = (2 + seed as usize % 2, seed % 4 >= 2);
        let tree = random_tree(&mut rng, n_seats, chance, 4);
        let current = brackets(&tree);
        let Phase::Act(seats) = current.phase() else { continue };
        let seat = seats.first();
        let advice = advise(&current, seat, Config::default(), 50_000, seed);
        let value = |action| {
            let mut next = *current.state().position();
            current.game().game().apply(&mut next, seat, action);
            exact(current.game(), next)[seat]
        };
        let best = current.legal_actions(seat).into_iter().map(value).fold(f64::MIN, f64::max);
        assert!(advice.proven, "{tree}: {advice:?}");
        let proven = advice.candidates.iter().filter(|candidate| candidate.is_exact());
        let proven = proven.map(|candidate| (candidate.values[seat], value(candidate.action)));
        for (found, expected) in proven.chain([(value(advice.action), best)]) {
            assert!((found - expected).abs() < 1e-9, "{tree}: {found} for {expected}: {advice:?}");
        }
        solved += 1;
    }
    assert!(solved > 150, "only {solved} of the trees begin with a choice");
}

#[test]
fn averages_approach_exact_values_where_nothing_is_proven() {
    // Below its size the tree is proven at once; with room for the root's children alone it has to sample.
    let tree = "( {1 2 3 6} {4 -4} [2 5] )";
    let advice = advise(&brackets(tree), 0, Config { memory: 0, ..Config::default() }, 20_000, 1);
    assert!(!advice.proven);
    assert_eq!(advice.action, 2, "a random reply to the last action pays 3.5 on average");
    assert!((advice.candidates[0].values[0] - 3.5).abs() < 0.1, "{advice:?}");
}

#[test]
fn one_good_way_is_enough_where_the_best_action_counts() {
    // More ends than simulations, so that nothing is proven; in one of them the seat gets 4. The 9 is out of reach.
    let mut ends = vec!["0"; 200];
    ends[70] = "4";
    let own = format!("( ( ( {} ) 1 ) [ 9 -9 ] )", ends.join(" "));
    // The same with the sides exchanged: the other seat has the way.
    let others = own.replace("4", "-4").replace("( ( (", "( [ [").replace(") 1 ) [ 9 -9 ] )", "] 1 ] [ 9 -9 ] )");
    for (tree, worth) in [(own, 4.0), (others, -4.0)] {
        let of = |backup: Backup| {
            let config = Config { backup, ..Config::default() };
            let advice = advise(&brackets(&tree), 0, config, 150, 1);
            assert!(!advice.proven);
            let first = advice.candidates.iter().find(|candidate| candidate.action == 0).expect("it was tried");
            first.values[0]
        };
        assert_eq!(of(Backup::Best), worth);
        assert!(of(Backup::Mean).abs() < 3.9, "{}", of(Backup::Mean));
    }
}

#[test]
fn trees_are_solved_by_the_best_action_too() {
    for seed in 0..100 {
        let tree = random_tree(&mut stream(seed, "tree", 0), 2, seed % 2 == 1, 4);
        let current = brackets(&tree);
        let Phase::Act(seats) = current.phase() else { continue };
        let of = |backup| advise(&current, seats.first(), Config { backup, ..Config::default() }, 50_000, seed);
        let (best, mean) = (of(Backup::Best), of(Backup::Mean));
        assert!(best.proven && mean.proven);
        assert_eq!(best.candidates[0].values, mean.candidates[0].values, "{tree}");
    }
}

#[test]
fn tic_tac_toe_is_a_proven_draw() {
    let advice = advise(&Match::new(TicTacToe), 0, Config::default(), 1_000_000, 1);
    assert!(advice.proven && advice.cost.simulations < 200_000, "{} simulations", advice.cost.simulations);
    assert!(advice.candidates.iter().all(|candidate| candidate.is_exact() && candidate.values == [0.0, 0.0]));
    assert_eq!(advice.line.len(), 9, "a draw fills the board: {:?}", advice.line);
}

#[test]
fn a_win_is_proven_and_a_loss_is_put_off() {
    // X to move has b2 with two lines open next.
    let mut current = Match::new(TicTacToe);
    current.play_history("a1 b1 a2 a3").unwrap();
    let advice = advise(&current, 0, Config::default(), 10_000, 1);
    assert!(advice.proven);
    assert_eq!(advice.candidates[0].values, [1.0, -1.0]);
    let line = advice.line.join(" ");
    current.play_history(&line).unwrap();
    assert_eq!(current.phase(), Phase::Over, "the line ends the game: {line}");
    assert_eq!(current.payoffs().as_slice(), [1.0, -1.0]);
}

/// Plays tic-tac-toe with so many simulations a ply on each seat; 0 plays at random.
fn play(simulations: [u64; 2], seed: u64) -> Vec<f64> {
    let mut current = Match::new(TicTacToe);
    let mut searches = [(); 2].map(|()| Mcts::new(Config::default()));
    let mut rng = stream(seed, "play", 0);
    while let Phase::Act(seats) = current.phase() {
        let seat = seats.first();
        match simulations[seat] {
            0 => current.play_random(seat, &mut Vec::new(), &mut rng).unwrap(),
            n => {
                let budget = Budget::simulations(n);
                let action = decide(&mut searches[seat], &current.view(seat), budget, &mut rng).action;
                current.play(seat, action).unwrap();
            }
        }
    }
    current.payoffs().as_slice().to_vec()
}

#[test]
fn tic_tac_toe_is_never_lost_to_random_and_drawn_with_itself() {
    let mut wins = 0.0;
    for seed in 0..60 {
        let seat = seed as usize % 2;
        let mut simulations = [3_000, 0];
        simulations.rotate_right(seat);
        let payoff = play(simulations, seed)[seat];
        assert!(payoff >= 0.0, "seed {seed}");
        wins += payoff;
    }
    assert!(wins > 45.0, "random plays well enough to draw more often than that: {wins}");
    for seed in 0..10 {
        assert_eq!(play([3_000, 3_000], seed), [0.0, 0.0], "seed {seed}");
    }
}

#[test]
fn seed_and_simulations_decide_the_answer() {
    let current = Match::new(TicTacToe);
    let search = |seed| findings(&advise(&current, 0, Config::default(), 5_000, seed));
    assert_eq!(search(1), search(1));
    assert_ne!(search(1), search(2));
}

/// The machine's threads, without a clock.
struct RealThreads;

impl Host for RealThreads {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        std::thread::scope(|scope| {
            for job in jobs {
                scope.spawn(job);
            }
        });
    }
}

/// What several threads find out in one tree.
fn advise_together<G: Playable>(current: &Match<G>, seat: usize, simulations: u64, seed: u64) -> Advice<G::Action> {
    let (config, cancel) = (Config { threads: 4, ..Config::default() }, CancelFlag::default());
    let limits = Limits { budget: Budget::simulations(simulations), cancel: &cancel, host: &RealThreads };
    Mcts::new(config).decide(&current.view(seat), &limits, &mut stream(seed, "test", 0))
}

#[test]
fn threads_that_share_a_tree_lose_no_visit() {
    let current = Match::new(connect_four());
    for seed in 0..5 {
        let advice = advise_together(&current, 0, 20_000, seed);
        assert_eq!(advice.cost.simulations, 20_000);
        assert_eq!(advice.candidates.iter().map(|candidate| candidate.visits.unwrap()).sum::<u64>(), 20_000);
        for candidate in &advice.candidates {
            assert!((candidate.values[0] + candidate.values[1]).abs() < 1e-9, "{candidate:?}");
        }
    }
}

#[test]
fn what_threads_prove_together_is_proven() {
    for seed in 0..10 {
        let advice = advise_together(&Match::new(TicTacToe), 0, 1_000_000, seed);
        assert!(advice.proven && advice.candidates.iter().all(|candidate| candidate.values == [0.0, 0.0]));
    }
    let mut solved = 0;
    for seed in 0..200 {
        let (n_seats, chance) = (2 + seed as usize % 2, seed % 4 >= 2);
        let tree = random_tree(&mut stream(seed, "tree", 0), n_seats, chance, 4);
        let current = brackets(&tree);
        let Phase::Act(seats) = current.phase() else { continue };
        let seat = seats.first();
        if current.legal_actions(seat).len() == 1 {
            continue;
        }
        let advice = advise_together(&current, seat, 100_000, seed);
        let expected = exact(current.game(), *current.state().position());
        assert!(advice.proven, "{tree}: {advice:?}");
        let found = advice.candidates[0].values[seat];
        assert!((found - expected[seat]).abs() < 1e-9, "{tree}: {found} for {expected:?}");
        solved += 1;
    }
    assert!(solved > 60, "only {solved} of the trees begin with a choice");
}

#[test]
fn threads_share_the_simulations_out() {
    let advice = advise(&Match::new(TicTacToe), 0, Config { threads: 3, ..Config::default() }, 1_000, 1);
    assert_eq!(advice.cost.simulations, 1_000);
    assert_eq!(advice.candidates.iter().map(|candidate| candidate.visits.unwrap()).sum::<u64>(), 1_000);
}

#[test]
fn a_tree_is_kept_where_play_goes_on_inside_it() {
    let mut current = Match::new(TicTacToe);
    let mut search = Mcts::new(Config::default());
    let mut rng = stream(1, "test", 0);
    let budget = Budget::simulations(200_000);
    assert!(decide(&mut search, &current.view(0), budget, &mut rng).cost.simulations > 10_000);
    current.play_history("b2 b1").unwrap();
    let advice = decide(&mut search, &current.view(0), budget, &mut rng);
    // What the first decision proved needs no simulation any more.
    assert!(advice.proven);
    assert_eq!(advice.cost.simulations, 0);
    assert_eq!(advice.candidates[0].values, [1.0, -1.0], "b1 on the edge loses");
    // Plies are taken back and others made: nothing of this tree holds.
    current.truncate(1);
    current.play_history("a1").unwrap();
    let advice = decide(&mut search, &current.view(0), budget, &mut rng);
    assert!(advice.cost.simulations > 100 && advice.candidates[0].values == [0.0, 0.0], "{advice:?}");
    // Nor where another game begins.
    let advice = decide(&mut search, &Match::new(TicTacToe).view(0), budget, &mut rng);
    assert!(advice.cost.simulations > 10_000);
}

#[test]
fn a_kept_tree_answers_as_a_new_one_would() {
    for seed in 0..20 {
        let mut kept = Mcts::new(Config::default());
        let mut current = Match::new(TicTacToe);
        let mut rng = stream(seed, "test", 0);
        while let Phase::Act(seats) = current.phase() {
            let advice = decide(&mut kept, &current.view(seats.first()), Budget::simulations(300), &mut rng);
            let visits: u64 = advice.candidates.iter().map(|candidate| candidate.visits.unwrap()).sum();
            assert!(visits >= advice.cost.simulations.saturating_sub(1));
            for candidate in
                advice.candidates.iter().filter(|candidate| candidate.is_exact() && candidate.visits > Some(0))
            {
                let mut after = current.clone();
                after.play(seats.first(), candidate.action).unwrap();
                let values = solve(after.game().game(), *after.state().position());
                assert_eq!(candidate.values, values, "{:?} after {:?}", candidate, current.plies());
            }
            current.play(seats.first(), advice.action).unwrap();
        }
    }
}

fn solve<G: Game>(game: &G, state: G::State) -> Vec<f64> {
    let Phase::Act(seats) = game.phase(&state) else { return game.payoffs(&state).as_slice().to_vec() };
    let (seat, mut actions) = (seats.first(), Vec::new());
    game.legal_actions(&state, seat, &mut actions);
    let children = actions.into_iter().map(|action| {
        let mut next = state.clone();
        game.apply(&mut next, seat, action);
        solve(game, next)
    });
    children.reduce(|best, next| if next[seat] > best[seat] { next } else { best }).expect("somebody can act")
}

#[test]
fn a_single_action_needs_no_thought() {
    let mut current = Match::new(TicTacToe);
    current.play_history("a1 b1 c1 a2 c2 b2 a3 c3").unwrap();
    let advice = advise(&current, 0, Config::default(), 1_000, 1);
    assert_eq!((advice.cost.simulations, advice.candidates.len()), (0, 1));
}

fn connect_four() -> ConnectFour {
    ConnectFour::new(7, 6).expect("that is the usual board")
}

/// The machine's clock, without threads.
struct RealClock(Instant);

impl Host for RealClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        BareHost.run(jobs);
    }
}

#[test]
fn a_deadline_ends_the_search() {
    let budget = Budget { simulations: Some(u64::MAX), ..Budget::time(Duration::from_millis(30)) };
    let (cancel, host, current) = (CancelFlag::default(), RealClock(Instant::now()), Match::new(connect_four()));
    for threads in [1, 2] {
        // Too large to be proven, so that nothing but the clock ends it.
        let mut search = Mcts::new(Config { threads, ..Config::default() });
        let limits = Limits { budget, cancel: &cancel, host: &host };
        let advice = search.decide(&current.view(0), &limits, &mut stream(1, "test", 0));
        assert!(advice.cost.simulations > 0 && !advice.proven);
    }
}

#[test]
fn cancelling_ends_the_search() {
    let (cancel, host, current) = (CancelFlag::default(), RealClock(Instant::now()), Match::new(connect_four()));
    let mut search = Mcts::new(Config::default());
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &host };
    let advice = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            cancel.cancel();
        });
        search.decide(&current.view(0), &limits, &mut stream(1, "test", 0))
    });
    assert!(!advice.proven);
    // Still set, it also ends the next search before it begins, and the action is legal all the same.
    let advice = search.decide(&current.view(0), &limits, &mut stream(1, "test", 0));
    assert_eq!(advice.cost.simulations, 0);
    assert!(current.legal_actions(0).contains(&advice.action));
}

#[test]
fn a_line_goes_through_chance() {
    let advice = advise(&brackets("( {[1 2] [3 4]} 0 )"), 0, Config::default(), 2_000, 1);
    assert_eq!((advice.action, advice.line.len()), (0, 3), "{advice:?}");
    assert!(advice.line[1].starts_with('~') && advice.line[2] == "0", "{:?}", advice.line);
}

#[test]
fn a_win_is_taken_soon_and_a_loss_is_put_off() {
    for seed in 0..20 {
        // Every action loses: after one ply, after two, after four.
        let advice = advise(&brackets("( -1 [-1] [([-1])] )"), 0, Config::default(), 2_000, seed);
        assert!(advice.proven && advice.candidates[0].values == [-1.0, 1.0], "{advice:?}");
        assert_eq!((advice.action, advice.line.len()), (2, 4), "{advice:?}");
        // Every action wins, and a draw is there too.
        let advice = advise(&brackets("( [([1])] [1] [([(1)])] 0 )"), 0, Config::default(), 2_000, seed);
        assert!(advice.proven && advice.candidates[0].values == [1.0, -1.0], "{advice:?}");
    }
}

/// Finds even actions better than odd ones, and a first seat's prospects good: wrong, and to be overcome.
struct Opinion;

impl Evaluator<Toy> for Opinion {
    fn value(&self, game: &Toy, _state: &u32, seat: usize) -> f32 {
        let (low, high) = game.facts().payoff_range.expect("toys have one");
        (if seat == 0 { high } else { low }) as f32
    }
    fn priors(&self, _game: &Toy, _state: &u32, _seat: usize, actions: &[u32], log_odds: &mut [f32]) {
        for (odds, action) in log_odds.iter_mut().zip(actions) {
            *odds = if action % 2 == 0 { 2.0 } else { 0.0 };
        }
    }
    fn has_priors(&self) -> bool {
        true
    }
}

#[test]
fn no_option_makes_a_wrong_thing_proven() {
    let default = Config::default();
    let known = Knowledge { evaluator: Some(Arc::new(Opinion)), policy: None };
    let none = Knowledge::default();
    for (config, knowledge) in [
        (Config { playouts: Playouts::Mast, ..default }, &none),
        (Config { playouts: Playouts::Reply, ..default }, &none),
        (Config { rave: 30.0, ..default }, &none),
        (Config { decisive: true, ..default }, &none),
        (Config { joins: true, ..default }, &none),
        (Config { rave: 30.0, decisive: true, playouts: Playouts::Mast, threads: 3, ..default }, &none),
        (Config { priors: Priors::Puct, ..default }, &known),
        (Config { priors: Priors::Bias, cut: 2, ..default }, &known),
        (Config { priors: Priors::Off, ..default }, &known),
        (Config { rave: 30.0, threads: 3, ..default }, &known),
        (Config { backup: Backup::Best, rave: 30.0, ..default }, &none),
        (Config { backup: Backup::Best, joins: true, ..default }, &known),
        (Config { backup: Backup::Best, priors: Priors::Bias, threads: 3, ..default }, &known),
    ] {
        for seed in 0..60 {
            let tree = random_tree(&mut stream(seed, "tree", 0), 2, seed % 2 == 0, 4);
            let current = brackets(&tree);
            let Phase::Act(seats) = current.phase() else { continue };
            let seat = seats.first();
            if current.legal_actions(seat).len() == 1 {
                continue;
            }
            let cancel = CancelFlag::default();
            let limits = Limits { budget: Budget::simulations(100_000), cancel: &cancel, host: &RealThreads };
            let mut search = Mcts::knowing(config, knowledge.clone());
            let advice = search.decide(&current.view(seat), &limits, &mut stream(seed, "test", 0));
            let expected = exact(current.game(), *current.state().position())[seat];
            assert!(advice.proven, "{config:?}: {tree}: {advice:?}");
            let found = advice.candidates[0].values[seat];
            assert!((found - expected).abs() < 1e-9, "{config:?}: {tree}: {found} for {expected}");
        }
    }
}

#[test]
fn priors_and_values_guide_the_search() {
    // Before anything is proven the evaluator's word counts: the second of three actions is praised.
    struct Praise;
    impl Evaluator<ConnectFour> for Praise {
        fn value(&self, _game: &ConnectFour, _state: &<ConnectFour as Game>::State, seat: usize) -> f32 {
            if seat == 0 { 0.5 } else { -0.5 }
        }
        fn priors(
            &self,
            _: &ConnectFour,
            _: &<ConnectFour as Game>::State,
            _: usize,
            actions: &[u8],
            odds: &mut [f32],
        ) {
            odds.iter_mut().zip(actions).for_each(|(odds, &action)| *odds = if action == 5 { 5.0 } else { 0.0 });
        }
        fn has_priors(&self) -> bool {
            true
        }
    }
    let knowledge = Knowledge { evaluator: Some(Arc::new(Praise)), policy: None };
    let current = Match::new(connect_four());
    for priors in [Priors::Puct, Priors::Off] {
        let mut search = Mcts::knowing(Config { priors, ..Config::default() }, knowledge.clone());
        let advice = decide(&mut search, &current.view(0), Budget::simulations(400), &mut stream(1, "test", 0));
        let praised = advice.candidates.iter().find(|candidate| candidate.action == 5).unwrap();
        assert!((praised.values[0] - 0.5).abs() < 1e-6, "every position is worth the same: {advice:?}");
        assert_eq!(praised.visits.unwrap() > 300, priors == Priors::Puct, "{advice:?}");
        // Without priors all actions are tried first, with them those that promise something.
        let mut search = Mcts::knowing(Config { priors, ..Config::default() }, knowledge.clone());
        let advice = decide(&mut search, &current.view(0), Budget::simulations(8), &mut stream(1, "test", 0));
        let n_tried = advice.candidates.iter().filter(|candidate| candidate.visits > Some(0)).count();
        assert!(if priors == Priors::Puct { n_tried <= 2 } else { n_tried == 7 }, "{advice:?}");
    }
}

#[test]
fn a_playout_policy_is_asked() {
    /// Always the first column that is open.
    struct Leftmost;
    impl PlayoutPolicy<ConnectFour> for Leftmost {
        fn choose(
            &self,
            game: &ConnectFour,
            state: &<ConnectFour as Game>::State,
            seat: usize,
            _last: Option<u8>,
            scratch: &mut Vec<u8>,
            _rng: &mut FastRng,
        ) -> u8 {
            scratch.clear();
            game.legal_actions(state, seat, scratch);
            scratch[0]
        }
    }
    let knowledge = Knowledge { evaluator: None, policy: Some(Arc::new(Leftmost)) };
    let current = Match::new(connect_four());
    let config = Config { playouts: Playouts::Policy, ..Config::default() };
    // Each action is tried once. Both fill columns from the left, which the first seat wins by a line.
    let advice = decide(
        &mut Mcts::knowing(config, knowledge),
        &current.view(0),
        Budget::simulations(7),
        &mut stream(1, "test", 0),
    );
    for candidate in &advice.candidates {
        let mut after = current.clone();
        after.play(0, candidate.action).unwrap();
        while let Phase::Act(seats) = after.phase() {
            let first = after.legal_actions(seats.first())[0];
            after.play(seats.first(), first).unwrap();
        }
        assert_eq!((candidate.visits, candidate.values.as_slice()), (Some(1), after.payoffs().as_slice()));
    }
}

#[test]
fn what_was_thought_on_the_opponents_time_is_kept() {
    let (cancel, host) = (CancelFlag::default(), RealClock(Instant::now()));
    let mut search = Mcts::new(Config::default());
    let mut current = Match::new(TicTacToe);
    current.play_history("b2").unwrap();
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &host };
    // Seat 1 is to act; seat 0 thinks until nothing is left to be found out.
    search.ponder(&current.view(0), &limits, &mut stream(1, "test", 0));
    current.play_history("b1").unwrap();
    let advice = decide(&mut search, &current.view(0), Budget::simulations(100_000), &mut stream(1, "test", 0));
    assert!(advice.proven && advice.cost.simulations < 2_000, "{advice:?}");
    assert_eq!(advice.candidates[0].values, [1.0, -1.0], "b1 on the edge loses");
}

#[test]
fn thinking_on_the_opponents_time_ends_when_it_is_cancelled() {
    let (cancel, host, current) = (CancelFlag::default(), RealClock(Instant::now()), Match::new(connect_four()));
    let mut search = Mcts::new(Config::default());
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &host };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            cancel.cancel();
        });
        search.ponder(&current.view(1), &limits, &mut stream(1, "test", 0));
    });
    cancel.reset();
    let advice = decide(&mut search, &current.view(0), Budget::simulations(1), &mut stream(1, "test", 0));
    assert!(advice.candidates.iter().map(|candidate| candidate.visits.unwrap()).sum::<u64>() > 100);
}

#[test]
fn positions_reached_on_several_ways_are_looked_at_once() {
    let simulations = |joins, threads| {
        let config = Config { joins, threads, ..Config::default() };
        let cancel = CancelFlag::default();
        let limits = Limits { budget: Budget::simulations(1_000_000), cancel: &cancel, host: &RealThreads };
        let mut search = Mcts::new(config);
        let advice = search.decide(&Match::new(TicTacToe).view(0), &limits, &mut stream(1, "test", 0));
        assert!(advice.proven && advice.candidates.iter().all(|candidate| candidate.values == [0.0, 0.0]));
        // What was kept, after it was compacted, still proves what is true.
        let mut current = Match::new(TicTacToe);
        current.play_history("b2 b1").unwrap();
        let advice = search.decide(&current.view(0), &limits, &mut stream(1, "test", 0));
        assert!(advice.proven && advice.candidates[0].values == [1.0, -1.0], "{advice:?}");
        advice.cost.simulations
    };
    for threads in [1, 3] {
        simulations(true, threads);
    }
    let proven_after = |joins| {
        let config = Config { joins, ..Config::default() };
        advise(&Match::new(TicTacToe), 0, config, 1_000_000, 1).cost.simulations
    };
    let (joined, apart) = (proven_after(true), proven_after(false));
    assert!(joined * 2 < apart, "{joined} simulations, and {apart} without");
}

#[test]
fn a_budget_of_nodes_counts_the_positions_entered_by_an_action() {
    let within = |current: &Match<ConnectFour>, nodes| {
        let budget = Budget { nodes: Some(nodes), ..Budget::UNLIMITED };
        decide(&mut Mcts::new(Config::default()), &current.view(0), budget, &mut stream(1, "test", 0))
    };
    let current = Match::new(ConnectFour::new(7, 6).unwrap());
    for nodes in [1, 100, 20_000] {
        let advice = within(&current, nodes);
        // The last simulation is finished.
        assert!((nodes..nodes + 42).contains(&advice.cost.nodes), "{nodes}: {:?}", advice.cost);
        assert_eq!(findings(&advice), findings(&within(&current, nodes)));
        let same = advise(&current, 0, Config::default(), advice.cost.simulations, 1);
        assert_eq!((findings(&advice), advice.cost.nodes), (findings(&same), same.cost.nodes));
    }
    // A seat and chance in turns, and play is broken off after nine plies: five actions a simulation, in tree and playout.
    let begin = |max_plies| {
        let game = create::<TwentyFortyEight>(None).unwrap().game().clone();
        let mut current = Match::new(PathGame::new(game, max_plies));
        while current.phase() == Phase::Chance {
            current.sample_outcome(&mut stream(1, "chance", 0)).unwrap();
        }
        current
    };
    let current = begin(begin(0).n_plies() as u32 + 9);
    let cost = advise(&current, 0, Config::default(), 300, 1).cost;
    assert_eq!((cost.simulations, cost.nodes), (300, 1500));
}
