//! A playthrough: a random game with everything that is asked of it at every ply, in a text that is read as a diff.
//!
//! Each game keeps one in `playthrough.txt`. A change of the rules, the notation or the view shows up in it, and somebody
//! decides whether it was meant. It is the [`crate::trace`] of a game made readable, with what each viewer is shown.

use std::fmt::Write;

use std::sync::Arc;

use raichi_core::erased::{AnyGame, AnyMatch, Entry};
use raichi_core::game::Phase;
use raichi_core::seat::Viewer;
use raichi_core::verdict::{Names, sentence};
use serde_json::Value;

use crate::runner::Meeting;
use crate::trace::Tracer;

/// Longer games are broken off.
const MOST_PLIES: usize = 200;
/// How many seeds are tried for a game that ends by itself.
const SEEDS: u64 = 50;
/// A position is drawn every so many plies.
const DRAWN_EVERY: usize = 10;
const WIDTH: usize = 110;

/// The playthrough of a game's standard rules: of the first seed whose game ends soon enough, or else broken off.
pub fn standard(entry: &Entry) -> String {
    let game = (entry.create)(None).expect("the defaults make a game");
    if let Some(seed) = (1..=SEEDS).find(|&seed| n_plies(&game, seed) <= MOST_PLIES) {
        return playthrough(&game, seed);
    }
    let capped = (entry.create)(Some(&format!("max-plies={MOST_PLIES}"))).expect("every game takes a cap");
    playthrough(&capped, 1)
}

/// The playthrough of the game that chance and uniformly random players make of `seed`: that of `raichi trace`.
pub fn playthrough(game: &Arc<dyn AnyGame>, seed: u64) -> String {
    let traced = traced(game, seed);
    let game = game.as_ref();
    let mut text = heading(game, seed);
    let mut current = game.new_match();
    let mut payoffs = String::new();
    for line in traced.lines() {
        let line: Value = serde_json::from_str(line).expect("a trace is JSON");
        let ply = current.n_plies();
        if ply.is_multiple_of(DRAWN_EVERY) || current.phase() == Phase::Over {
            text += &drawings(game, current.as_ref());
        }
        let now = paid(current.as_ref());
        if now != payoffs && current.phase() != Phase::Over {
            text += &format!("broken off here it pays {now}\n");
            payoffs = now;
        }
        match current.phase() {
            Phase::Over => text += &ending(game, current.as_ref()),
            Phase::Chance => text += &format!("[{ply}] chance, {}", outcomes(&line)),
            Phase::Act(_) => text += &choices(game, &line, ply),
        }
        if let Some(played) = line["played"].as_str() {
            let by =
                if line["to_act"].as_array().is_some_and(|seats| seats.len() > 1) { line["by"].as_u64() } else { None };
            let token = by.map_or(played.to_string(), |seat| format!("{seat}:{played}"));
            current.play_token(&token).expect("what was played once can be played again");
            text += &format!("    -> {token}{}\n", marks(current.as_ref()));
        }
    }
    text
}

fn traced(game: &Arc<dyn AnyGame>, seed: u64) -> String {
    let mut tracer = Tracer::new(seed, Vec::new());
    random(game).play(seed, &mut tracer).expect("a random agent always chooses");
    let lines = tracer.finish().expect("memory takes what is written to it");
    String::from_utf8(lines).expect("a trace is ASCII")
}

fn n_plies(game: &Arc<dyn AnyGame>, seed: u64) -> usize {
    random(game).play(seed, &mut ()).expect("a random agent always chooses").n_plies()
}

fn random(game: &Arc<dyn AnyGame>) -> Meeting {
    Meeting::new(Arc::clone(game), &["random".into()]).expect("random plays every game")
}

fn heading(game: &dyn AnyGame, seed: u64) -> String {
    let facts = game.facts();
    let seats: Vec<String> = (0..facts.n_seats).map(|seat| format!("{seat} {}", game.seat_name(seat))).collect();
    format!(
        "A random game, recorded by `cargo xtask golden`; `raichi trace {0} --seed {seed}` is the same.\n\n\
         game: {0}\nseed: {seed}\nseats: {1}\nfacts: {facts:?}\n",
        game.spec(),
        seats.join(", "),
    )
}

/// The position as everybody sees it: the referee's drawing, and of the others' those lines that differ.
fn drawings(game: &dyn AnyGame, current: &dyn AnyMatch) -> String {
    let seats = (0..game.facts().n_seats).map(|seat| (Viewer::Seat(seat), format!("seat {seat}")));
    let viewers = std::iter::once((Viewer::Spectator, "spectator".into())).chain(seats);
    let full = drawing(current, Viewer::Referee);
    let mut others: Vec<(String, Vec<String>)> = Vec::new();
    for (viewer, name) in viewers {
        let seen = differing(&drawing(current, viewer), &full);
        match others.iter_mut().find(|(other, _)| *other == seen) {
            Some((_, names)) => names.push(name),
            None => others.push((seen, vec![name])),
        }
    }
    let mut text = format!("\n{full}");
    for (seen, names) in others.iter().filter(|(seen, _)| !seen.is_empty()) {
        let _ = write!(text, "{} instead\n{seen}", names.join(", "));
    }
    text + "\n"
}

/// The lines of `seen` that are not those of `full`; all of them where lines are more or fewer.
fn differing(seen: &str, full: &str) -> String {
    if seen.lines().count() != full.lines().count() {
        return seen.into();
    }
    let pairs = seen.lines().zip(full.lines()).filter(|(seen, full)| seen != full);
    pairs.map(|(seen, _)| format!("{seen}\n")).collect()
}

fn drawing(current: &dyn AnyMatch, viewer: Viewer) -> String {
    let picture = current.picture(viewer);
    let mut text: String = current
        .sketch(viewer)
        .to_string()
        .lines()
        .map(|line| format!("  | {line}").trim_end().to_string() + "\n")
        .collect();
    for counter in &picture.counters {
        let whose = counter.seat.map_or(String::new(), |seat| format!(" of seat {seat}"));
        let _ = writeln!(text, "  {}{whose}: {}", counter.label, counter.value);
    }
    picture.notes.iter().chain(&picture.hints).for_each(|note| text += &format!("  {note}\n"));
    text
}

fn choices(game: &dyn AnyGame, line: &Value, ply: usize) -> String {
    let several = line["legal"].is_object();
    let seats = line["to_act"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let choice = |seat: u64| {
        let legal = words(if several { &line["legal"][seat.to_string()] } else { &line["legal"] });
        let name = game.seat_name(seat as usize);
        format!("[{ply}] seat {seat} ({name}), {} legal\n{}\n", legal.len(), wrapped(&legal))
    };
    seats.map(choice).collect()
}

fn paid(current: &dyn AnyMatch) -> String {
    current.payoffs().as_slice().iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

fn outcomes(line: &Value) -> String {
    let texts = words(&line["legal"]);
    let weights: Vec<f64> = line["weights"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    if weights.windows(2).all(|pair| pair[0] == pair[1]) {
        return format!("{} outcomes alike\n{}\n", texts.len(), wrapped(&texts));
    }
    let weighted: Vec<String> = texts.iter().zip(weights).map(|(text, weight)| format!("{text} {weight:.6}")).collect();
    format!("{} outcomes\n{}\n", weighted.len(), wrapped(&weighted))
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from).collect()
}

fn wrapped(words: &[String]) -> String {
    let mut lines = vec![String::from("      ")];
    for word in words {
        let line = lines.last_mut().expect("there is a line");
        if line.len() + word.len() + 2 > WIDTH && line.len() > 6 {
            lines.push(format!("      {word}  "));
        } else {
            *line += &format!("{word}  ");
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// What is highlighted after the last ply.
fn marks(current: &dyn AnyMatch) -> String {
    let marks = current.plies().last().map(|ply| ply.marks.join(" ")).unwrap_or_default();
    if marks.is_empty() { marks } else { format!("  marks {marks}") }
}

fn ending(game: &dyn AnyGame, current: &dyn AnyMatch) -> String {
    let end = current.end_reason().expect("the game is over");
    let words = sentence(current, &Names::of(game), &current.payoffs(), end);
    let mut text = format!("over: {end}\n{words}\npays {}\n", paid(current));
    let record = current.history(Viewer::Referee);
    for seat in 0..game.facts().n_seats {
        let saw = current.history(Viewer::Seat(seat));
        if saw != record {
            let tokens: Vec<String> = saw.split(' ').map(String::from).collect();
            let _ = writeln!(text, "seat {seat} saw\n{}", wrapped(&tokens));
        }
    }
    text
}
