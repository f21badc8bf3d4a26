//! What first stones are worth between two seats without a swap, where that is proven; to prove it again takes seconds to minutes.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_games::yavalath::Yavalath;

/// By the cells of the board: first stones, one for each class under symmetry, and whether they win.
/// Found by: `cargo run --profile figures -p raichi-engines --example yavalath_openings -- SIZE`.
/// On the board of 37 cells the values of a1, a2, b2 and c3 are not known.
const PROVEN: [(u8, &[(&str, bool)]); 2] =
    [(19, &[("a1", false), ("a2", false), ("b2", false), ("c3", false)]), (37, &[("b3", false), ("d4", true)])];

/// For each cell what a first stone on it is worth to its owner: 1, −1, or nobody knows.
pub(super) fn first_stones(game: &Yavalath) -> Vec<Option<i8>> {
    let mut worth = vec![None; game.n_cells().into()];
    let proven = PROVEN.iter().filter(|(n_cells, _)| *n_cells == game.n_cells()).flat_map(|(_, stones)| stones.iter());
    for (name, wins) in proven {
        let cell = game.parse_action(&game.initial_state(), 0, name).expect("the table names cells of the board");
        for symmetry in 0..game.n_symmetries() {
            worth[usize::from(game.map_action(symmetry, cell))] = Some(if *wins { 1 } else { -1 });
        }
    }
    worth
}
