//! Whole small games, whose values are known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raichi_core::PathGame;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::host::{CancelFlag, Host};
use raichi_solve::{Exact, Solver, Statistics, Work, generic};

use crate::common::{solve, work};

struct FromTheStart;

impl GameVisitor for FromTheStart {
    type Output = (Exact, Statistics);

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let solver = generic(game.game()).unwrap();
        let exact = solve(&*solver, &game.game().initial_state(), 2).unwrap();
        (exact, solver.statistics())
    }
}

/// Lengths where they are known for sure.
fn check(known: &[(&str, &[f64], Option<u32>)]) {
    for &(spec, values, plies) in known {
        let (exact, statistics) = raichi_games::visit(spec, FromTheStart).unwrap();
        println!("{spec}: {exact:?} {statistics:?}");
        assert_eq!(exact.values.as_slice(), values, "{spec}");
        assert!(plies.is_none() || exact.plies == plies, "{spec}: {exact:?}");
    }
}

#[test]
fn small_games_have_their_known_values() {
    check(&[
        // All nine cells are filled.
        ("tic-tac-toe", &[0.0, 0.0], Some(9)),
        // Bouton: who leaves heaps whose binary sum is zero wins.
        ("nim:heaps=3,size=3", &[1.0, -1.0], None),
        ("nim:sizes=3/2/1,max=3", &[-1.0, 1.0], None),
        ("nim:sizes=1/1/1,max=1,misere=true", &[-1.0, 1.0], Some(3)),
        ("othello:size=4", &[-1.0, 1.0], None),
        // Strategy stealing: the first wins, and with the swap the second.
        ("hex:size=3", &[1.0, -1.0], None),
        ("hex:size=3,swap=true", &[-1.0, 1.0], None),
        // Drawn (Tromp's table of Connect Four on small boards).
        ("connect-four:width=4,height=4", &[0.0, 0.0], Some(16)),
    ]);
}

/// Notes how many nodes a solver has searched whenever the clock is looked at.
struct Watch<'a, G: Playable> {
    solver: &'a dyn Solver<G>,
    n_times: AtomicU64,
    last: AtomicU64,
}

impl<G: Playable> Host for Watch<'_, G> {
    fn now(&self) -> Duration {
        let nodes = self.solver.statistics().nodes;
        let before = self.last.fetch_max(nodes, Ordering::Relaxed);
        self.n_times.fetch_add(u64::from(nodes > before), Ordering::Relaxed);
        Duration::ZERO
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

struct WatchTheNodes;

impl GameVisitor for WatchTheNodes {
    type Output = (u64, u64);

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let solver = generic(game.game()).unwrap();
        let watch = Watch { solver: &*solver, n_times: AtomicU64::new(0), last: AtomicU64::new(0) };
        let cancel = CancelFlag::default();
        let work = Work { deadline: Some(Duration::from_secs(1)), host: &watch, ..work(&cancel, 1) };
        solver.solve(&game.game().initial_state(), &work).unwrap();
        (watch.n_times.into_inner(), solver.statistics().nodes)
    }
}

#[test]
fn nodes_are_counted_while_they_are_searched() {
    let (n_times, nodes) = raichi_games::visit("connect-four:width=4,height=4", WatchTheNodes).unwrap();
    assert!(n_times > 10 && nodes > 256 * n_times, "{n_times} of {nodes}");
}

#[test]
fn nim3p_is_worth_what_backward_induction_says() {
    // Three heaps of five, equal choices made equally often; computed here, and by plain induction in small_positions.rs
    // for what is smaller.
    check(&[("nim3p:extra=false", &[0.45, 0.3, 0.25], None)]);
}

#[test]
fn white_wins_french_military_from_every_start() {
    // Lucas; that White wins wherever Black begins: Schuh.
    check(&[("french-military", &[1.0, -1.0], None), ("french-military:start=choose", &[-1.0, 1.0], None)]);
}
