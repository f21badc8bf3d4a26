//! The dominoes of a position, for people.

use raichi_core::Notation;
use raichi_core::reason::Reason;
use raichi_games::black::{Black, State};

use super::cover::{Cover, Pair, cover};

/// How dominoes settle a position; `None` where they do not.
pub(super) fn reason(game: &Black, state: &State) -> Option<Reason> {
    let Cover { winner, pairs } = cover(game, state)?;
    let (own, other) = (game.seat_name(winner), game.seat_name(1 - winner));
    let mut text = match (winner == state.to_act(), pairs.first()) {
        (true, Some(first)) => {
            let tip = state.next_cell();
            let on = first.cells[usize::from(first.cells[0] == tip)];
            format!(
                "{own} wins: it leads the path from {} to the other half of the same domino, {}. From there {other} has to lead \
                 it to a new domino, and {own} goes on to the other half of that one, and so on.",
                place(tip),
                place(on)
            )
        }
        _ => format!(
            "{own} wins: wherever {other} leads the path, it comes to a domino, and {own} leads it on to the other half of the \
             same one, and so on."
        ),
    };
    text += &format!(" When all are used up, {other} can only run over the border or hand {own} the lower right cell.");
    if pairs.iter().any(|pair| !pair.through.is_empty()) {
        text += " A split domino's halves, which the dotted line joins, lie apart: a path that leaves one of them by that line \
                 comes to the other over marked cells.";
    }
    Some(Reason { text, joined: pairs.iter().map(way).collect() })
}

/// From the one cell to the other.
fn way(pair: &Pair) -> Vec<String> {
    let [from, to] = pair.cells;
    std::iter::once(from).chain(pair.through.iter().copied()).chain([to]).map(place).collect()
}

/// A cell as the board names it.
fn place(cell: u8) -> String {
    format!("{}{}", char::from(b'a' + (cell & 15)), (cell >> 4) + 1)
}
