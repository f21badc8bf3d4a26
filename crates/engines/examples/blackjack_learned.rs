//! How well a trained n-tuple network plays Blackjack, by exact expectations: `blackjack_learned FOLDER ROUNDS`.
//!
//! FOLDER holds an agent as `raichi-learn`'s example `train` writes it, or an unpacked one of the command. Printed are the share
//! of the cells of basic strategy in which it does what is best, the cells in which it does not, and what its decisions
//! lose in so many rounds: the difference to the best action, in a wager. Hands after a split count as if they were alone.

#[path = "../../learn/examples/agent_folder/mod.rs"]
mod agent_folder;

use std::sync::Arc;

use raichi_core::game::Phase;
use raichi_core::random::{FastRng, stream};
use raichi_core::{Match, PathGame};
use raichi_engines::blackjack::{Analysis, Choice, House, chart};
use raichi_games::blackjack::{Action, Blackjack, State, value};
use raichi_learn::ntuple::{Config, NTuplePolicy, OPTIONS, read_policy};
use raichi_learn::{GreedyByValues, Learned};
use raichi_search::options::Options;
use raichi_search::{BareHost, Budget, CancelFlag, Limits, Session};

/// By value, from the ace; no two of a suit, so that a pair can be dealt.
const CARDS: [[&str; 2]; 10] = [
    ["Ah", "Ac"],
    ["2h", "2c"],
    ["3h", "3c"],
    ["4h", "4c"],
    ["5h", "5c"],
    ["6h", "6c"],
    ["7h", "7c"],
    ["8h", "8c"],
    ["9h", "9c"],
    ["Th", "Tc"],
];

fn read(game: &PathGame<Blackjack>, folder: &str) -> Result<NTuplePolicy<Blackjack>, String> {
    let (manifest, saved) = agent_folder::read(folder)?;
    let text = manifest.agent.split_once(':').map(|(_, text)| text);
    let options = Options::parse("ntuple", OPTIONS, None, text).map_err(|why| why.to_string())?;
    read_policy(game, &Config::from_options(&options, &game.facts())?, &saved)
}

fn decide(session: &mut dyn Session<Blackjack>, current: &Match<Blackjack>, rng: &mut FastRng) -> Action {
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &CancelFlag::default(), host: &BareHost };
    session.decide(&current.view(0), &limits, rng).action
}

fn choice(action: Action) -> Option<Choice> {
    match action {
        Action::Stand => Some(Choice::Stand),
        Action::Hit => Some(Choice::Hit),
        Action::Double => Some(Choice::Double),
        Action::Split => Some(Choice::Split),
        Action::Surrender => Some(Choice::Surrender),
        _ => None,
    }
}

/// What the agent does with two cards of these values, counted from 0 for the ace.
fn with_two_cards(
    game: &PathGame<Blackjack>,
    session: &mut dyn Session<Blackjack>,
    (one, other): (usize, usize),
    up: usize,
) -> Option<Choice> {
    // The card face down makes no natural.
    let face_down = "5d";
    let [first, second] = [CARDS[one][0], CARDS[other][1]];
    let insurance = if up == 0 { " no-insurance" } else { "" };
    let up = CARDS[up][0].replace('h', "s");
    let mut current = Match::new(game.clone());
    current.play_history(&format!("bet-10 ~{first} ~{up} ~{second} ~{face_down}{insurance}")).expect("cards as dealt");
    choice(decide(session, &current, &mut stream(0, "cells", 0)))
}

/// The agreement with the chart, printed.
fn agreement(game: &PathGame<Blackjack>, analysis: &Analysis, session: &mut dyn Session<Blackjack>) {
    let ups = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"];
    let rows = chart(analysis);
    let (mut agreed, mut all) = (0, 0);
    for (nth, row) in rows.iter().enumerate() {
        for (column, cell) in row.cells.iter().enumerate() {
            let up = (column + 1) % 10;
            // The rows: counts from 5 to 19, an ace with 2 to 9, pairs from the ace.
            let two = match nth {
                0..15 => {
                    let count = nth + 5;
                    let high = (count - 2).min(10);
                    let high = if 2 * high == count { high - 1 } else { high };
                    (high - 1, count - high - 1)
                }
                15..23 => (0, nth - 14),
                _ => (nth - 23, nth - 23),
            };
            let done = with_two_cards(game, session, two, up);
            all += 1;
            agreed += u32::from(done == Some(cell.best));
            if done != Some(cell.best) {
                let worth =
                    |choice| cell.worths.iter().find(|worth| worth.0 == choice).map_or(f64::NAN, |worth| worth.1);
                let done = done.expect("it plays a hand");
                println!(
                    "{} against {}: {} ({:+.4}) where {} is best ({:+.4})",
                    row.cards,
                    ups[column],
                    done.word(),
                    worth(done),
                    cell.best.word(),
                    worth(cell.best)
                );
            }
        }
    }
    println!("agreement with basic strategy: {agreed} of {all} cells, {:.4}", f64::from(agreed) / f64::from(all));
}

/// What an action loses against the best, in wagers.
fn loss(analysis: &Analysis, state: &State, legal: &[Action], action: Action) -> f64 {
    let Some(hand) = state.hand_in_play() else {
        let unseen = state.unseen();
        let natural = f64::from(unseen[9]) / f64::from(unseen.iter().sum::<u16>());
        // A wager is paid for it, and comes back with two more.
        let insured = 3.0 * natural - 1.0;
        return match action {
            Action::Insurance => (-insured).max(0.0),
            Action::NoInsurance => insured.max(0.0),
            _ => 0.0,
        };
    };
    let mut cards = [0; 10];
    hand.cards().as_slice().iter().for_each(|&card| cards[usize::from(value(card)) - 1] += 1);
    let up = usize::from(value(state.dealer().as_slice()[0])) - 1;
    let worth = analysis.worth(&cards, up).expect("the hand is in play");
    let of = |action: &Action| match choice(*action) {
        Some(Choice::Stand) => worth.stand,
        Some(Choice::Hit) => worth.hit,
        Some(Choice::Double) => worth.double,
        Some(Choice::Split) => worth.split.unwrap_or(f64::NEG_INFINITY),
        Some(Choice::Surrender) => worth.surrender,
        None => unreachable!("a hand is played"),
    };
    legal.iter().map(of).fold(f64::NEG_INFINITY, f64::max) - of(&action)
}

/// Kinds of decisions.
const KINDS: [&str; 4] = ["wagers and insurance", "two cards", "more cards", "hands after a split"];

fn kind(state: &State) -> usize {
    match state.hand_in_play() {
        None => 0,
        Some(hand) if hand.is_of_split() => 3,
        Some(hand) if hand.cards().len() > 2 => 2,
        Some(_) => 1,
    }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, rounds] = args.as_slice() else { return Err("FOLDER ROUNDS".into()) };
    let n_rounds: u64 = rounds.parse().map_err(|_| format!("{rounds} is no number of rounds"))?;
    let game = raichi_core::erased::create::<Blackjack>(None).map_err(|why| why.to_string())?;
    let learned: Arc<dyn Learned<Blackjack>> = Arc::new(read(&game, folder)?);
    let mut session = GreedyByValues::new(learned);
    let analysis = Analysis::new(House::of(game.game()));
    agreement(&game, &analysis, &mut session);
    let (mut lost, mut squares, mut played, mut decisions) = (0.0, 0.0, 0, 0);
    let mut by_kind = [0.0; KINDS.len()];
    for number in 0.. {
        let mut current = Match::new(game.clone());
        let (mut chance, mut own): (FastRng, FastRng) = (stream(number, "chance", 0), stream(number, "player", 0));
        let mut of_game = 0.0;
        loop {
            match current.phase() {
                Phase::Over => break,
                Phase::Chance => current.sample_outcome(&mut chance).expect("chance acts"),
                Phase::Act(_) => {
                    let action = decide(&mut session, &current, &mut own);
                    let here = loss(&analysis, current.state(), &current.view(0).legal_actions(), action);
                    of_game += here;
                    by_kind[kind(current.state())] += here;
                    decisions += 1;
                    current.play(0, action).expect("it chooses legal actions");
                }
            }
        }
        let of_rounds = u64::from(game.game().rounds());
        (lost, squares, played) = (lost + of_game, squares + of_game * of_game, played + of_rounds);
        if played >= n_rounds {
            let n_games = (number + 1) as f64;
            let mean = lost / n_games;
            let error = ((squares / n_games - mean * mean) / n_games).sqrt();
            let each = 100.0 / of_rounds as f64;
            println!(
                "loss of expectation: {:.4} ± {:.4} % of a wager a round, {played} rounds, {decisions} decisions",
                mean * each,
                1.96 * error * each
            );
            for (kind, lost) in KINDS.iter().zip(by_kind) {
                println!("    {kind}: {:.4} %", 100.0 * lost / played as f64);
            }
            break;
        }
    }
    Ok(())
}
