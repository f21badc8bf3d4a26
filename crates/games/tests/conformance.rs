//! The laws of core's conformance suite, over every registered game and its parameters.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use raichi_core::PathGame;
use raichi_core::conformance::{Effort, check, random_params};
use raichi_core::erased::{Entry, GameVisitor, Playable};
use raichi_core::random::stream;
use raichi_games::REGISTRY;

struct Check {
    seed: u64,
    effort: Effort,
}

impl GameVisitor for Check {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        check(game, self.seed, self.effort);
    }
}

#[test]
fn standard_rules_keep_the_laws() {
    for entry in REGISTRY {
        for seed in 0..6 {
            let effort = Effort { max_plies: 1500, n_looks: 12, n_draws: 3 };
            raichi_games::visit(entry.id, Check { seed, effort }).expect("the defaults make a game");
        }
    }
}

/// Corners of the house rules that drawn parameters seldom meet: secrets that last longer, blinds above all stacks, steps in
/// which metals run out.
#[test]
fn house_rules_keep_the_laws() {
    for spec in [
        "blackjack:players=3,decks=1,peek=false,soft17=hit,insurance=half,bets=10/20,chips=60",
        "blackjack:players=2,decks=0,peek=false,natural=6:5,double-after-split=false,surrender=false",
        "blackjack:players=7,decks=1,insurance=none,soft17=hit,rounds=3",
        "poker:players=3,chips=40,rise=1",
        "poker:players=10,chips=20,blind=20,rise=1,heads-up=casino,rounds=30",
        "jabirs-transmutations:turns=together",
        "jabirs-transmutations:eureka=all,turns=together,max-rounds=2",
        "jabirs-transmutations:turns=together,max-plies=60",
    ] {
        for seed in 0..4 {
            let effort = Effort { max_plies: 1200, n_looks: 16, n_draws: 3 };
            raichi_games::visit(spec, Check { seed, effort }).expect("the parameters make a game");
        }
    }
}

/// Draws the same cases each time, so that no change is refused by luck; nightly draws others.
fn runner(config: Config) -> TestRunner {
    match std::env::var_os("RAICHI_NIGHTLY") {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    }
}

/// On all cores: nightly's draws take minutes.
fn for_each_game(check: impl Fn(&Entry) + Sync) {
    let next = AtomicUsize::new(0);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(entry) = REGISTRY.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(entry);
                }
            });
        }
    });
}

#[test]
fn drawn_parameters_keep_the_laws() {
    let cases = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 1500 } else { 40 };
    for_each_game(|entry| {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let made = std::cell::Cell::new(0);
        runner(config)
            .run(&any::<u64>(), |seed| {
                let params = random_params(&(entry.params)(), &mut stream(seed, "parameters", 0));
                let spec = params.map_or(entry.id.to_string(), |params| format!("{}:{params}", entry.id));
                // Combinations that make no game are refused with an error, never a panic.
                let Ok(game) = raichi_games::game(&spec) else { return Ok(()) };
                let canonical = game.spec().to_string();
                let again = raichi_games::game(&canonical).expect("canonical text is accepted");
                prop_assert_eq!(again.spec(), &canonical);
                let effort = Effort { max_plies: 250, n_looks: 6, n_draws: 1 };
                raichi_games::visit(&spec, Check { seed, effort }).expect("the spec was accepted");
                made.set(made.get() + 1);
                Ok(())
            })
            .unwrap_or_else(|why| panic!("{}: {why}", entry.id));
        assert!(made.get() * 4 > cases, "{}: only {} of {cases} draws made a game", entry.id, made.get());
    });
}
