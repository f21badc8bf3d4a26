//! Boards filled at random: what is accepted as a position can be played to its end, and nothing on the way panics.

use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::position::write_rows;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{Match, PathGame, Phase, Viewer};

const N_BOARDS: usize = 150;

/// Positions whose text is a board and the seat to act.
struct Boards<'a> {
    symbols: &'a str,
    row_lengths: Vec<usize>,
}

impl Boards<'_> {
    fn draw(&self, n_seats: usize, rng: &mut FastRng) -> String {
        // From empty boards to full ones.
        let n_of_12 = index(rng, 13);
        let symbols: Vec<char> = self.symbols.chars().collect();
        let mut cell = || (index(rng, 12) < n_of_12).then(|| symbols[index(rng, symbols.len())]);
        let rows: Vec<Vec<_>> = self.row_lengths.iter().map(|&n| (0..n).map(|_| cell()).collect()).collect();
        let board = write_rows(self.row_lengths.iter().copied(), |row, column| rows[row][column]);
        format!("{board} {}", index(rng, n_seats))
    }
}

impl GameVisitor for Boards<'_> {
    /// How many boards were positions.
    type Output = usize;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> usize {
        let mut rng = stream(1, "setups", 0);
        let boards: Vec<String> = (0..N_BOARDS).map(|_| self.draw(game.facts().n_seats, &mut rng)).collect();
        boards.iter().filter(|text| plays_to_its_end(game, text, &mut rng)).count()
    }
}

/// Whether `text` is a position; asserts at each ply that it is consistent.
fn plays_to_its_end<G: Playable>(game: &Arc<PathGame<G>>, text: &str, rng: &mut FastRng) -> bool {
    let Ok(position) = game.parse_position(text) else { return false };
    assert_eq!(game.position_text(&position.state, Viewer::Referee), text);
    let mut current = Match::from_position(Arc::clone(game), position);
    loop {
        let state = current.state().position().clone();
        assert_eq!(game.game().recomputed(&state), state, "{text}");
        let here = current.position_text(Viewer::Referee);
        let read = game.parse_position(&here).unwrap_or_else(|why| panic!("{text}: {here}: {why}"));
        assert_eq!(read.state, state, "{text}: {here}");
        let _ = (current.picture(Viewer::Referee), current.sketch(Viewer::Referee));
        let total: f64 = current.payoffs().as_slice().iter().sum();
        assert!(game.facts().payoff_sum.is_none_or(|sum| (total - sum).abs() < 1e-9), "{here} pays {total} in all");
        let Phase::Act(seats) = current.phase() else { return true };
        let (seat, actions) = (seats.first(), current.legal_actions(seats.first()));
        assert_eq!(game.count_actions(&state, seat, &mut Vec::new()), actions.len(), "{here}");
        for action in (0..game.n_actions()).filter_map(|number| game.numbered_action(number)) {
            assert_eq!(game.is_legal(&state, seat, action), actions.contains(&action), "{action:?} in {here}");
        }
        current.play_random(seat, &mut Vec::new(), rng).expect("the seat is to act");
    }
}

#[test]
fn boards_that_are_positions_can_be_played_to_their_end() {
    let square = |size: usize| vec![size; size];
    let hexagon = |size: usize| (1..2 * size).map(|row| 2 * size - 1 - row.abs_diff(size)).collect();
    let triangle = |n_nodes: usize| (1..n_nodes).collect();
    for (spec, symbols, row_lengths) in [
        ("othello:size=4", "XO", square(4)),
        ("othello", "XO", square(8)),
        ("othello:size=10", "XO", square(10)),
        ("hex:size=3,swap=true", "BW", square(3)),
        ("hex:size=9", "BW", square(9)),
        ("yavalath:size=3", "XO", hexagon(3)),
        ("yavalath:size=4,players=3", "XO#", hexagon(4)),
        ("sim:nodes=5", "XO", triangle(5)),
        ("sim:nodes=7,players=3", "XO#", triangle(7)),
        ("sim:nodes=5,players=3,coalition=1-2", "XO#", triangle(5)),
        ("black:rows=2,columns=2", "xsb", square(2)),
    ] {
        let n_positions = raichi_games::visit(spec, Boards { symbols, row_lengths }).expect("the spec names a game");
        assert!(n_positions >= 10, "{spec}: only {n_positions} of {N_BOARDS} boards are positions");
    }
}
