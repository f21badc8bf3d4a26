//! Monte-Carlo tree search keeps to its memory, and allocates nothing once it has begun.

mod common;

use std::alloc::System;
use std::sync::Arc;

use common::decide;
use raichi_core::erased::create;
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_core::{Match, Playable};
use raichi_games::connect_four::ConnectFour;
use raichi_games::poker::Poker;
use raichi_games::tablut::Tablut;
use raichi_games::twenty_forty_eight::TwentyFortyEight;
use raichi_search::Budget;
use raichi_search::mcts::{Config, Mcts};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often so many simulations at the first choice of a game allocate, and how many bytes.
fn allocations<G: Playable>(simulations: u64, memory: usize) -> (usize, usize) {
    let mut position = Match::of(Arc::new(create::<G>(None).unwrap()));
    let mut rng = stream(1, "chance", 0);
    let seat = loop {
        match position.phase() {
            Phase::Chance => position.sample_outcome(&mut rng).unwrap(),
            Phase::Act(seats) if position.legal_actions(seats.first()).len() > 1 => break seats.first(),
            Phase::Act(seats) => position.play_random(seats.first(), &mut Vec::new(), &mut rng).unwrap(),
            Phase::Over => unreachable!("there is a choice"),
        }
    };
    let mut search = Mcts::new(Config { memory, ..Config::default() });
    let region = Region::new(ALLOCATOR);
    decide(&mut search, &position.view(seat), Budget::simulations(simulations), &mut rng);
    let change = region.change();
    (change.allocations + change.reallocations, change.bytes_allocated)
}

fn check<G: Playable>() {
    let memory = 8 << 20;
    let ((few, _), (many, bytes)) = (allocations::<G>(3_000, memory), allocations::<G>(9_000, memory));
    // Buffers reach their length, and the tokens of a longer line are allocated at the end.
    assert!(many < few + 100, "{}: {few} allocations, three times the simulations {many}", G::ID);
    assert!(bytes < memory + (2 << 20), "{}: {bytes} bytes", G::ID);
}

// One test: the allocator counts for all threads. Without chance and with it, with a memory of the path, with secrets.
#[test]
fn simulations_allocate_nothing_and_memory_is_what_was_asked_for() {
    check::<ConnectFour>();
    check::<Tablut>();
    check::<TwentyFortyEight>();
    check::<Poker>();
}
