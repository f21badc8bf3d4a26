//! What small games of Al-Jabar are worth: `al_jabar_values MEMORY-IN-GB PARAMS…`, such as `al_jabar_values 1 group=2/2,copies=4`.
//!
//! Prints how many positions there are, from how many rounds on values repeat, what the start is worth to seat 0 with so
//! many rounds, in which part of the deals seat 0 has the better of it and in which it should begin by drawing, and between
//! which bounds the value without a cap lies, whatever play without an end pays.

mod clock;
mod machine;

use std::collections::BTreeMap;

use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::host::CancelFlag;
use raichi_engines::al_jabar::{by_rounds, endless};
use raichi_games::al_jabar::{Action, AlJabar, Numbers, State};
use raichi_solve::rounds::Bound;
use raichi_solve::{Solver, Unsolved, Work};

use clock::processor_seconds;
use machine::Machine;

fn main() {
    let mut args = std::env::args().skip(1);
    let memory = args.next().and_then(|arg| arg.parse::<usize>().ok()).expect("the memory in gigabytes comes first");
    let (cancel, clock) = (CancelFlag::default(), Machine::new());
    let progress = |_| ();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &clock,
        n_threads: 1,
        memory: memory << 30,
        folder: None,
        progress: &progress,
    };
    for params in args {
        println!("al-jabar:{params}");
        let game = create::<AlJabar>(Some(&params)).expect("the parameters make a game").game().clone();
        if let Err(why) = print_values(&game, &work) {
            println!("  {why}");
        }
    }
}

fn print_values(game: &AlJabar, work: &Work<'_>) -> Result<(), Unsolved> {
    let unknown = || Unsolved::Unknown("it is too large".into());
    let start = game.initial_state();
    let (begun, begun_processor) = (work.host.now(), processor_seconds());
    println!("  estimated positions: {:.0}", game.n_positions());
    {
        let solver = by_rounds(game).ok_or_else(unknown)?;
        let value = solver.solve(&start, work)?.values[0];
        let (taken, processor) = (work.host.now() - begun, processor_seconds() - begun_processor);
        let cost = solver.statistics();
        println!(
            "  {} positions, {} edges, {taken:.1?}, {processor:.1} s of the processor",
            cost.positions, cost.nodes
        );
        println!("  value of the start for seat 0: {value:.12}; repeats: {:?}", solver.repeats(&start, work)?);
        let by_rounds = (1..=game.max_rounds().min(50)).map(|n| solver.value(&start, n, work));
        let texts: Vec<String> =
            by_rounds.map(|value| value.map(|value| format!("{value:.6}"))).collect::<Result<_, _>>()?;
        println!("  by rounds: {}", texts.join(" "));
        print_deals(game, &solver, work)?;
    }
    for bound in [Bound::AtLeast, Bound::AtMost] {
        let solver = endless(game, bound).ok_or_else(unknown)?;
        let value = solver.solve(&start, work)?.values[0];
        println!("  without a cap, {bound:?}: {value:.12}; {:?}", solver.repeats(&start, work)?);
    }
    println!(
        "  {:.1?} in all, {:.1} s of the processor",
        work.host.now() - begun,
        processor_seconds() - begun_processor
    );
    Ok(())
}

/// In which part of the deals seat 0 wins, and in which a draw of a piece is its best beginning.
fn print_deals(game: &AlJabar, solver: &dyn Solver<AlJabar>, work: &Work<'_>) -> Result<(), Unsolved> {
    let (mut better, mut even, mut draw_best, mut draw_as_good, mut can_draw) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let deals = deals(game);
    for (state, probability) in &deals {
        let value = solver.solve(state, work)?.values[0];
        better += if value > 1e-9 { *probability } else { 0.0 };
        even += if value.abs() <= 1e-9 { *probability } else { 0.0 };
        let (mut drawing, mut others) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut actions = Vec::new();
        game.legal_actions(state, 0, &mut actions);
        for action in actions {
            let mut next = *state;
            game.apply(&mut next, 0, action);
            let best = if action == Action::Draw { &mut drawing } else { &mut others };
            *best = best.max(solver.solve(&next, work)?.values[0]);
        }
        can_draw += if drawing > f64::NEG_INFINITY { *probability } else { 0.0 };
        draw_best += if drawing > others + 1e-9 { *probability } else { 0.0 };
        draw_as_good += if (drawing - others).abs() <= 1e-9 { *probability } else { 0.0 };
    }
    println!("  {} deals: seat 0 has the better of {better:.4}, evens {even:.4}", deals.len());
    println!(
        "  a draw is possible in {can_draw:.4}, the only best action in {draw_best:.4}, one of several in {draw_as_good:.4}"
    );
    Ok(())
}

/// What the deal leads to, up to symmetries, with probabilities.
fn deals(game: &AlJabar) -> Vec<(State, f64)> {
    let numbers = Numbers::new(game).expect("the game was solved");
    let mut level = BTreeMap::from([(numbers.least(&game.initial_state()).expect("it is not over"), 1.0)]);
    loop {
        let states = level.into_iter().map(|(number, probability)| (numbers.position(number), probability));
        let states: Vec<(State, f64)> = states.collect();
        if states.iter().all(|(state, _)| game.phase(state) != Phase::Chance) {
            return states;
        }
        level = BTreeMap::new();
        for (state, probability) in states {
            let mut outcomes = Vec::new();
            game.outcomes(&state, &mut outcomes);
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            for (outcome, weight) in outcomes {
                let mut next = state;
                game.apply_outcome(&mut next, outcome);
                let number = numbers.least(&next).expect("nothing is over in the deal");
                *level.entry(number).or_insert(0.0) += probability * weight as f64 / total as f64;
            }
        }
    }
}
