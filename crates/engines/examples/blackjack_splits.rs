//! Computes what splitting a pair is worth under best play from 1 to 8 decks (`blackjack::best_split`).
//!
//!     cargo run --profile figures --example blackjack_splits -- FILE PARAMETERS [MEGABYTES [PAIRS [DEALER'S CARDS]]]
//!
//! PARAMETERS are the game's, as `decks=6,soft17=hit`; PAIRS and DEALER'S CARDS some of `A23456789T`, else all. Each line of the
//! file is the parameters, the pair's card, the dealer's card, the worth in wagers, and the processor's seconds that it took; what
//! stands there is not computed again, so that the work can be stopped and taken up. Small pairs from many decks take minutes and
//! some gigabytes.

mod clock;
mod machine;

use std::fs::{self, OpenOptions};
use std::io::Write;

use raichi_core::erased::create;
use raichi_core::host::CancelFlag;
use raichi_engines::blackjack::{House, best_split};
use raichi_games::blackjack::Blackjack;
use raichi_solve::Work;

use clock::processor_seconds;
use machine::Machine;

const CARDS: &str = "A23456789T";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, params, more @ ..] = &args[..] else {
        panic!("the arguments are FILE PARAMETERS [MEGABYTES [PAIRS [DEALER'S CARDS]]]")
    };
    let game = create::<Blackjack>(Some(params)).expect("the parameters make a game");
    let house = House::of(&game);
    let megabytes: usize = more.first().map_or(8192, |text| text.parse().expect("a number of megabytes"));
    let some = |nth: usize| more.get(nth).map_or(CARDS, String::as_str);
    let known = fs::read_to_string(file).unwrap_or_default();
    let mut log = OpenOptions::new().create(true).append(true).open(file).expect("the file can be written");
    let (cancel, machine) = (CancelFlag::default(), Machine::new());
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &machine,
        n_threads: 1,
        memory: megabytes << 20,
        folder: None,
        progress: &|_| (),
    };
    // The largest pairs have the fewest cards to draw.
    for pair in some(1).chars().rev() {
        for up in some(2).chars() {
            let name = format!("{params} {pair} {up} ");
            if known.lines().any(|line| line.starts_with(&name)) {
                continue;
            }
            let start = processor_seconds();
            let number = |card| CARDS.find(card).expect("cards are among A23456789T");
            match best_split(&house, number(pair), number(up), &work) {
                Ok(Some(worth)) => {
                    writeln!(log, "{name}{worth:.15} {:.1}", processor_seconds() - start)
                        .expect("the file can be written");
                }
                Ok(None) => println!("{name}may not be split"),
                Err(why) => println!("{name}{why}"),
            }
        }
    }
}
