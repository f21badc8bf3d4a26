//! Learns the weights of Othello's patterns from games of the program with itself, and writes their file.
//!
//!     cargo run --profile figures -p raichi-engines --example othello_patterns -- OUT [seed=1] [games=10000,30000]
//!
//! For each number of `games` a round: games by a search of a few plies with the weights so far, the hand-made evaluator in the
//! first round, with random plies, so that mistakes are seen too. Positions with few empty cells have their exact score. The others, from
//! the last phase backwards, have the score by a search, most of which ends in the next phase, whose weights were just fitted; the
//! phase's weights are then fitted to these scores ([`fit`]), and held to those of the next phase, so that what was seen seldom
//! keeps what is known there. The file is written after each round. One seed gives the same file.
//!
//! The engine that it is built with may have weights already or an empty `weights.bin`: exact scores are the same.
//!
//! With `tempo=5000`, what it is worth to act is measured by so many games in the end and added to the weights ([`tempo`]);
//! `from=FILE games= play=3 tempo=10000` does nothing else.
//!
//!     … --example othello_patterns -- contest ONE OTHER nodes=20000 games=200
//!
//! plays two files of weights against each other ([`contest`]).
//!
//! More settings: `exact=12`, empty cells of positions that are solved; `depth=4`, plies of the search that values the others;
//! `play=2`, plies of the search that plays; `ridge=20`, how strongly weights are held to those of the next phase; `from=FILE`, weights to
//! begin with; `share=1`, the share in hundredths of games that are not learned from, and tell the error.

mod contest;
mod fit;
mod games;
mod tempo;

use std::time::Instant;

use raichi_engines::othello::patterns::{N_PHASES, PER_DISC, Patterns, n_weights, phase_of, search};

use fit::{Fitted, fit};
use games::{Position, Settings, play};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, one, other, rest @ ..] = &*arguments
        && word == "contest"
    {
        let number = |key: &str| rest.iter().find_map(|entry| entry.strip_prefix(key)?.strip_prefix('=')?.parse().ok());
        let weights = [one, other].map(|file| read(file));
        return contest::contest(weights, number("nodes").unwrap_or(20_000), number("games").unwrap_or(200));
    }
    let (out, rest) = arguments.split_first().expect("the first argument is the file to write");
    let settings = Settings::of(rest);
    let start = Instant::now();
    let mut patterns = settings.from.as_ref().map(|file| read(file));
    for (round, &games) in settings.games.iter().enumerate() {
        let mut positions = Vec::new();
        for game in 0..games {
            play(round as u64, game, patterns.as_ref(), &settings, &mut positions);
        }
        println!("round {}: {} positions, {:.0} s", round + 1, positions.len(), start.elapsed().as_secs_f64());
        let learned = learn(&mut positions, patterns.take(), &settings);
        std::fs::write(out, learned.to_bytes()).expect("the file can be written");
        patterns = Some(learned);
        println!("round {}: {:.0} s", round + 1, start.elapsed().as_secs_f64());
    }
    if settings.tempo > 0 {
        let mut balanced = patterns.expect("weights were learned, or read from a file");
        tempo::balance(&mut balanced, settings.tempo, &settings);
        std::fs::write(out, balanced.to_bytes()).expect("the file can be written");
        println!("tempo: {:.0} s", start.elapsed().as_secs_f64());
    }
}

fn read(file: &str) -> Patterns {
    let bytes = std::fs::read(file).unwrap_or_else(|why| panic!("the weights {file} cannot be read: {why}"));
    Patterns::from_bytes(&bytes).unwrap_or_else(|why| panic!("{file}: {why}"))
}

/// Weights of all phases, from the last one backwards.
fn learn(positions: &mut [Position], before: Option<Patterns>, settings: &Settings) -> Patterns {
    let is_first = before.is_none();
    let mut patterns = before.unwrap_or_default();
    let mut weights = vec![0.0; n_weights()];
    positions.iter_mut().for_each(|position| position.score = position.exact.map(f32::from));
    for phase in (0..N_PHASES).rev() {
        // One more disc on both sides: more to learn from, and no steps between phases.
        let is_near = |position: &Position| (0..3).any(|more| phase_of(position.n_discs() + more - 1) == phase);
        if is_first && phase + 1 < N_PHASES {
            patterns.copy_phase(phase + 1, phase);
        }
        for position in positions.iter_mut().filter(|position| position.score.is_none() && is_near(position)) {
            let most = 100 * PER_DISC;
            let score = search(&patterns, position.own, position.foes, settings.depth, -most, most, &mut 0) as f32;
            position.score = Some(score / PER_DISC as f32);
        }
        let near: Vec<&Position> = positions.iter().filter(|position| is_near(position)).collect();
        let Fitted { error, n, clamped, scale } = fit(&near, phase, &mut weights, &mut patterns, settings);
        println!(
            "  phase {phase}: {n} positions, error {error:.2} discs of games not learned from, 0.7 of a win at {scale:.1} discs, \
             {clamped} weights too great"
        );
    }
    patterns
}
