//! Counts how often each kind of hole cards beats any other two cards before the flop:
//! `cargo run --profile figures -p raichi-engines --example against_random > crates/engines/src/poker/against_random.txt`.

use std::time::Instant;

use raichi_engines::poker::against_random::counts_text;
use raichi_engines::poker::preflop::Preflop;

fn main() {
    let begin = Instant::now();
    let shares = Preflop::count(&mut |done| eprint!("\rboards: {done} of 52"));
    eprintln!("\nall hands against all hands on all boards in {:.1} s", begin.elapsed().as_secs_f64());
    print!("{}", counts_text(&shares));
}
