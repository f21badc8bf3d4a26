//! Solves the turn or the river between two ranges, betting in sizes of one's own choice; the time is that of the processor:
//! `cargo run --profile figures -p raichi-engines --example postflop -- [KEY=VALUE …]`.
//!
//! Keys: `board` (four cards or five), `first` and `second` (ranges), `pot`, `stack`, `bets`, `raises` and `leads` (sizes such
//! as `60%,2.5x,e,a`), `add`, `force` and `merge` (pots), `iterations`, `target` (share of the pot), `alpha`, `below`, `gamma`,
//! `anew`, `exchange` (0 or 1). What is left out is as in the turn example of postflop-solver. With `position` (and `game`, a
//! spec) the betting is that of the game itself, and any hand is possible where no range is given.

mod clock;

use std::sync::Arc;

use raichi_core::notation::Notation;
use raichi_core::path::PathGame;
use raichi_engines::poker::equity::Range;
use raichi_engines::poker::postflop::{Betting, Cfr, Size, Weights, remaining};
use raichi_engines::poker::preflop::{class, class_name};
use raichi_games::cards::{Card, CardSet};
use raichi_games::poker::Poker;

use clock::processor_seconds;

const FIRST: &str = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s";
const SECOND: &str = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+";

fn main() {
    let keys: Vec<String> = std::env::args().skip(1).collect();
    let text = |key: &str, default: &str| -> String {
        let given = keys.iter().find_map(|given| given.strip_prefix(key)?.strip_prefix('='));
        given.unwrap_or(default).to_string()
    };
    let number = |key: &str, default: f64| text(key, &default.to_string()).parse::<f64>().expect("a number");
    let sizes = |key: &str, default: &str| Size::parse_all(&text(key, default)).expect("sizes such as 60%,2.5x,e,a");

    let from_position = Some(text("position", "")).filter(|position| !position.is_empty()).map(|position| {
        let game = raichi_games::game(&text("game", "poker")).expect("a spec of Poker");
        let game: &Arc<PathGame<Poker>> = game.as_any().downcast_ref().expect("a spec of Poker");
        let state = game.game().parse_position(&position).expect("a position").state;
        let remaining = remaining(game.game(), &state).expect("the turn or the river between two seats");
        (state, remaining)
    });
    let (any_first, any_second) = if from_position.is_some() { ("any", "any") } else { (FIRST, SECOND) };
    let board = text("board", "Td9d6hQc");
    let cards = (0..board.len() / 2).map(|nth| Card::parse(&board[2 * nth..2 * nth + 2]).expect("cards such as As"));
    let board: CardSet = from_position.as_ref().map_or_else(|| cards.collect(), |(state, _)| state.board());
    let ranges =
        [text("first", any_first), text("second", any_second)].map(|range| Range::parse(&range).expect("a range"));
    let betting = Betting {
        pot: from_position.as_ref().map_or(number("pot", 200.0) as u32, |(state, _)| state.pot()),
        stack: number("stack", 900.0) as u32,
        bets: sizes("bets", "60%,e,a"),
        raises: sizes("raises", "2.5x"),
        leads: Some(sizes("leads", "50%")).filter(|leads| !leads.is_empty()),
        add_all_in: number("add", 1.5),
        force_all_in: number("force", 0.15),
        merge: number("merge", 0.1),
    };
    let weights = Weights {
        alpha: number("alpha", Weights::DEFAULT.alpha),
        below: number("below", Weights::DEFAULT.below),
        gamma: number("gamma", Weights::DEFAULT.gamma),
        anew: number("anew", f64::from(u8::from(Weights::DEFAULT.anew))) > 0.0,
    };
    let begin = processor_seconds();
    let tree = match &from_position {
        Some(remaining) => remaining.1.tree.clone(),
        None => betting.tree(board.len() == 5).expect("a tree of this size"),
    };
    let exchange = number("exchange", 1.0) > 0.0;
    let mut cfr = Cfr::new(&tree, board, [&ranges[0], &ranges[1]], exchange, 8 << 30).expect("a board and ranges");
    println!(
        "{} information sets, {} river cards, {:.1} MiB; ready after {:.3} s",
        cfr.n_information_sets(),
        cfr.n_rivers(),
        cfr.bytes() as f64 / f64::from(1 << 20),
        processor_seconds() - begin
    );
    let pot = f64::from(betting.pot);
    let (iterations, target) = (number("iterations", 1000.0) as u64, number("target", 0.0046));
    let mut looking = 0.0;
    for done in 0..=iterations {
        if done % 10 == 0 {
            let before = processor_seconds();
            let exploitability = cfr.exploitability();
            looking += processor_seconds() - before;
            let seconds = processor_seconds() - begin;
            println!(
                "{done:5} iterations  exploitability {exploitability:9.4} chips, {:7.4} % of the pot  {seconds:.3} s, {looking:.3} s of it to see that",
                100.0 * exploitability / pot
            );
            if exploitability <= target * pot {
                break;
            }
        }
        if done < iterations {
            cfr.iterate(&weights);
        }
    }
    let value = cfr.value();
    match &from_position {
        Some((_, remaining)) => {
            let ([first, second], base) = (remaining.seats, remaining.base);
            let (ours, theirs) = (base[0] + value, base[1] - value);
            println!("after the round seat {first} can expect {ours:.3} chips and seat {second} {theirs:.3}");
        }
        None => {
            let (ours, theirs) = (pot / 2.0 + value, pot / 2.0 - value);
            println!("of the pot of {pot}, seat 0 can expect {ours:.3} and seat 1 {theirs:.3}");
        }
    }
    let Some(root) = cfr.at_root() else { return };
    println!("seat {} with each kind of hands:", root.seat);
    let mut kinds: Vec<(usize, f64, Vec<f64>)> = Vec::new();
    for hand in &root.hands {
        let kind = class(hand.hand);
        let found = kinds.iter().position(|known| known.0 == kind).unwrap_or_else(|| {
            kinds.push((kind, 0.0, vec![0.0; root.actions.len()]));
            kinds.len() - 1
        });
        kinds[found].1 += hand.weight;
        kinds[found].2.iter_mut().zip(&hand.shares).for_each(|(sum, share)| *sum += hand.weight * share);
    }
    for (kind, weight, sums) in kinds {
        let shares =
            root.actions.iter().zip(sums).map(|(action, sum)| format!("{action} {:3.0} %", 100.0 * sum / weight));
        println!("  {:3}  {}", class_name(kind), shares.collect::<Vec<_>>().join("  "));
    }
}
