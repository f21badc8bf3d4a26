//! The numbers of this machine, a line for each game.

use raichi_games::REGISTRY;
use raichi_wasm::{decision, random_games};

fn main() {
    for (i, entry) in (0..).zip(REGISTRY) {
        println!("{} {:016x} {:016x}", entry.id, random_games(i), decision(i));
    }
}
