//! Monte-Carlo tree search keeps to its memory, and allocates nothing once it has begun.

mod common;

use std::alloc::System;

use common::decide;
use raichi_core::erased::GameVisitor;
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_core::{Match, PathGame, Playable};
use raichi_search::Budget;
use raichi_search::mcts::{Config, Mcts};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What so many simulations at the first choice allocate: how often, and the most bytes.
struct Allocations {
    simulations: u64,
    memory: usize,
}

impl GameVisitor for Allocations {
    type Output = (usize, usize);

    fn visit<G: Playable>(self, game: &std::sync::Arc<PathGame<G>>) -> (usize, usize) {
        let mut position = Match::of(game.clone());
        let mut rng = stream(1, "chance", 0);
        let seat = loop {
            match position.phase() {
                Phase::Chance => position.sample_outcome(&mut rng).unwrap(),
                Phase::Act(seats) if position.legal_actions(seats.first()).len() > 1 => break seats.first(),
                Phase::Act(seats) => position.play_random(seats.first(), &mut Vec::new(), &mut rng).unwrap(),
                Phase::Over => unreachable!("there is a choice"),
            }
        };
        let mut search = Mcts::new(Config { memory: self.memory, ..Config::default() });
        let region = Region::new(ALLOCATOR);
        decide(&mut search, &position.view(seat), Budget::simulations(self.simulations), &mut rng);
        let change = region.change();
        (change.allocations + change.reallocations, change.bytes_allocated)
    }
}

// One test: the allocator counts for all threads.
#[test]
fn simulations_allocate_nothing_and_memory_is_what_was_asked_for() {
    let memory = 8 << 20;
    for spec in ["connect-four", "othello", "hex", "tablut", "kaalu", "2048", "sim:players=3", "blackjack", "poker"] {
        let game = raichi_games::game(spec).unwrap();
        let measure = |simulations| raichi_games::visit_game(game.as_ref(), Allocations { simulations, memory });
        let ((few, _), (many, bytes)) = (measure(3_000), measure(9_000));
        // Buffers reach their length, and the tokens of a longer line are allocated at the end.
        assert!(many < few + 100, "{spec}: {few} allocations, three times the simulations {many}");
        assert!(bytes < memory + (2 << 20), "{spec}: {bytes} bytes");
    }
}
