//! Writes the chart of all-in or fold, heads-up, and prints what each stack is worth:
//! `cargo run --profile figures -p raichi-engines --example push_or_fold > crates/engines/src/poker/push_or_fold.txt`.

use std::time::Instant;

use raichi_engines::poker::preflop::{N_CLASSES, Preflop, n_hands};
use raichi_engines::poker::push_or_fold::{STACKS, chart_text, solve};

fn main() {
    let begin = Instant::now();
    let shares = Preflop::count(&mut |done| eprint!("\rboards: {done} of 52"));
    eprintln!("\nall hands against all hands on all boards in {:.1} s", begin.elapsed().as_secs_f64());
    let share =
        |played: &[f64]| (0..N_CLASSES).map(|kind| played[kind] * n_hands(kind) as f64).sum::<f64>() / 1326.0 * 100.0;
    let begin = Instant::now();
    let equilibria: Vec<_> = STACKS.map(|stack| solve(&shares, stack.into(), 5e-7, 400_000)).collect();
    for (stack, found) in STACKS.zip(&equilibria) {
        eprintln!(
            "{stack:2} blinds: all-in {:6.2} %, called {:6.2} %, the small blind wins {:+.6} blinds, exploitability {:.1e}",
            share(&found.push),
            share(&found.call),
            found.value,
            found.exploitability
        );
    }
    eprintln!("all stacks in {:.1} s", begin.elapsed().as_secs_f64());
    print!("{}", chart_text(&equilibria));
}
