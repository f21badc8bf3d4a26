//! Monte-Carlo tree search where every seat sees everything: exact values, proofs, determinism, budgets.

mod common;

use std::time::Duration;

use common::{Brackets, advise, config, exact, findings, random_tree};
use raichi_core::game::{Game, Phase};
use raichi_core::random::stream;
use raichi_core::toy::Toy;
use raichi_core::{Match, Playable};
use raichi_games::connect_four::ConnectFour;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_search::mcts::{Config, Mcts};
use raichi_search::{Agent, Budget, RandomAgent};

fn brackets(tree: &str) -> Match<Brackets> {
    Match::new(Brackets(Toy::new(tree)))
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
        let advice = advise(&current, 0, config(2000), 1);
        assert!(advice.proven, "{tree}: {advice:?}");
        assert_eq!(advice.action, action, "{tree}");
        assert_eq!(advice.candidates[0].values, values, "{tree}");
        assert!(advice.simulations < 2000, "{tree}: a search ends when it is proven");
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
        let advice = advise(&current, seat, config(50_000), seed);
        let value = |action| {
            let mut next = *current.state();
            current.game().apply(&mut next, seat, action);
            exact(current.game(), next)[seat]
        };
        let best = current.legal_actions(seat).into_iter().map(value).fold(f64::MIN, f64::max);
        assert!(advice.proven, "{tree}: {advice:?}");
        let proven = advice.candidates.iter().filter(|candidate| candidate.proven);
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
    let advice = advise(&brackets(tree), 0, Config { nodes: 1, ..config(20_000) }, 1);
    assert!(!advice.proven);
    assert_eq!(advice.action, 2, "a random reply to the last action pays 3.5 on average");
    assert!((advice.candidates[0].values[0] - 3.5).abs() < 0.1, "{advice:?}");
}

#[test]
fn tic_tac_toe_is_a_proven_draw() {
    let advice = advise(&Match::new(TicTacToe), 0, config(1_000_000), 1);
    assert!(advice.proven && advice.simulations < 200_000, "{} simulations", advice.simulations);
    assert!(advice.candidates.iter().all(|candidate| candidate.proven && candidate.values == [0.0, 0.0]));
    assert_eq!(advice.line.len(), 9, "a draw fills the board: {:?}", advice.line);
}

#[test]
fn a_win_is_proven_and_a_loss_is_put_off() {
    // X to move has b2 with two lines open next.
    let mut current = Match::new(TicTacToe);
    current.play_history("a1 b1 a2 a3").unwrap();
    let advice = advise(&current, 0, config(10_000), 1);
    assert!(advice.proven);
    assert_eq!(advice.candidates[0].values, [1.0, -1.0]);
    let line = advice.line.join(" ");
    current.play_history(&line).unwrap();
    assert_eq!(current.phase(), Phase::Over, "the line ends the game: {line}");
    assert_eq!(current.game().payoffs(current.state()).as_slice(), [1.0, -1.0]);
}

fn play<G: Playable>(game: G, agents: &mut [Box<dyn Agent<G>>], seed: u64) -> Match<G> {
    let mut current = Match::new(game);
    let mut rng = stream(seed, "play", 0);
    loop {
        match current.phase() {
            Phase::Over => return current,
            Phase::Chance => drop(current.sample_outcome(&mut rng).unwrap()),
            Phase::Act(seats) => {
                let seat = seats.first();
                let action = agents[seat].decide(&current.view(seat), &mut rng).action;
                current.play(seat, action).unwrap();
            }
        }
    }
}

fn mcts<G: Playable>(simulations: u64) -> Box<dyn Agent<G>> {
    Box::new(Mcts::new(config(simulations)))
}

#[test]
fn tic_tac_toe_is_never_lost_to_random_and_drawn_with_itself() {
    let mut wins = 0.0;
    for seed in 0..60 {
        let seat = seed as usize % 2;
        let mut agents: Vec<Box<dyn Agent<TicTacToe>>> = vec![mcts(3_000), Box::new(RandomAgent)];
        agents.rotate_right(seat);
        let payoffs = play(TicTacToe, &mut agents, seed);
        let payoff = payoffs.game().payoffs(payoffs.state())[seat];
        assert!(payoff >= 0.0, "seed {seed}");
        wins += payoff;
    }
    assert!(wins > 45.0, "random plays well enough to draw more often than that: {wins}");
    for seed in 0..10 {
        let end = play(TicTacToe, &mut [mcts(3_000), mcts(3_000)], seed);
        assert_eq!(end.game().payoffs(end.state()).as_slice(), [0.0, 0.0], "seed {seed}");
    }
}

#[test]
fn seed_and_simulations_decide_the_answer() {
    for threads in [1, 3] {
        let current = Match::new(TicTacToe);
        let search = |seed| findings(&advise(&current, 0, Config { threads, ..config(5_000) }, seed));
        assert_eq!(search(1), search(1));
        assert_ne!(search(1), search(2));
    }
}

#[test]
fn threads_share_the_simulations_out() {
    let advice = advise(&Match::new(TicTacToe), 0, Config { threads: 3, ..config(1_000) }, 1);
    assert_eq!(advice.simulations, 1_000);
    assert_eq!(advice.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 1_000);
}

#[test]
fn a_tree_is_kept_where_play_goes_on_inside_it() {
    let mut current = Match::new(TicTacToe);
    let mut agent = Mcts::new(config(200_000));
    let mut rng = stream(1, "test", 0);
    assert!(agent.decide(&current.view(0), &mut rng).simulations > 10_000);
    current.play_history("b2 b1").unwrap();
    let advice = agent.decide(&current.view(0), &mut rng);
    // What the first decision proved needs no simulation any more.
    assert!(advice.proven);
    assert_eq!(advice.simulations, 0);
    assert_eq!(advice.candidates[0].values, [1.0, -1.0], "b1 on the edge loses");
    // Another game begins: nothing of this one holds.
    let advice = agent.decide(&Match::new(TicTacToe).view(0), &mut rng);
    assert!(advice.simulations > 10_000);
}

#[test]
fn a_kept_tree_answers_as_a_new_one_would() {
    for seed in 0..20 {
        let mut kept = Mcts::new(config(300));
        let mut current = Match::new(TicTacToe);
        let mut rng = stream(seed, "test", 0);
        while let Phase::Act(seats) = current.phase() {
            let advice = kept.decide(&current.view(seats.first()), &mut rng);
            let visits: u64 = advice.candidates.iter().map(|candidate| candidate.visits).sum();
            assert!(visits >= advice.simulations.saturating_sub(1));
            for candidate in advice.candidates.iter().filter(|candidate| candidate.proven && candidate.visits > 0) {
                let mut after = current.clone();
                after.play(seats.first(), candidate.action).unwrap();
                let values = solve(after.game(), *after.state());
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
    let advice = advise(&current, 0, config(1_000), 1);
    assert_eq!((advice.simulations, advice.candidates.len()), (0, 1));
}

fn connect_four() -> ConnectFour {
    ConnectFour::new(7, 6).expect("that is the usual board")
}

#[test]
fn a_deadline_ends_the_search() {
    let budget = Budget { time: Some(Duration::from_millis(30)), simulations: Some(u64::MAX) };
    for threads in [1, 2] {
        // Too large to be proven, so that nothing but the clock ends it.
        let advice = advise(&Match::new(connect_four()), 0, Config { budget, threads, ..Config::default() }, 1);
        assert!(advice.simulations > 0 && !advice.proven);
    }
}

#[test]
fn the_button_ends_the_search() {
    let current = Match::new(connect_four());
    let mut agent = Mcts::new(Config { budget: Budget::default(), ..Config::default() });
    let stop = agent.stop();
    let advice = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            stop.press();
        });
        agent.decide(&current.view(0), &mut stream(1, "test", 0))
    });
    assert!(!advice.proven);
    // Pressed, it also ends the next one before it begins, and the answer is legal all the same.
    let advice = agent.decide(&current.view(0), &mut stream(1, "test", 0));
    assert_eq!(advice.simulations, 0);
}
