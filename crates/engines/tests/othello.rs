//! Othello's exact scores against the FFO endgame test (sets/README.md).

use raichi_core::Notation;
use raichi_core::host::CancelFlag;
use raichi_games::othello::Othello;
use raichi_solve::Work;

use crate::common::Clock;

/// Each of the first `n` positions (the first is number 20 of the test) with so many empty cells has the score that the test
/// says; returns how many there are.
fn check(n: usize, empty: std::ops::RangeInclusive<usize>) -> usize {
    let game = Othello::new(8);
    let solver = raichi_engines::solver(&game).expect("8×8 is known");
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &Clock,
        n_threads: 1,
        memory: 1 << 28,
        folder: None,
        progress: &|_| {},
    };
    let lines = include_str!("sets/othello/ffo.txt").lines().take(n);
    let lines = lines.filter(|line| empty.contains(&line[..64].matches('-').count()));
    lines
        .map(|line| {
            let (position, score) = line.split_once("; ").expect("a line is a position and its score");
            let position = game.parse_position(position).unwrap_or_else(|why| panic!("{line}: {why}")).state;
            let exact = solver.solve(&position, &work).expect("there is time");
            assert_eq!(exact.score, score.parse().ok(), "{line}");
        })
        .count()
}

#[test]
fn the_first_positions_have_their_scores() {
    assert_eq!(check(30, 0..=18), 4);
}

#[test]
#[ignore = "two minutes"]
fn nightly_positions_to_number_49_have_their_scores() {
    assert_eq!(check(30, 19..=26), 26);
}
