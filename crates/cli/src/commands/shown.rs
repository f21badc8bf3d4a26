//! Positions and results as text, the same in every subcommand.

use raichi_core::verdict::{Names, sentence, signed};
use raichi_core::{AnyGame, AnyMatch, Payoffs, Viewer};

use crate::palette::{BOLD, FAINT, coloured, paint, seat};

/// The position as `viewer` may see it: the sketch with the last ply marked, and those notes that it does not tell
/// already.
pub(crate) fn position(current: &dyn AnyMatch, viewer: Viewer) -> String {
    let mut sketch = current.sketch(viewer);
    let plain = sketch.to_string();
    let is_marked = sketch.mark(&current.last_marks(viewer));
    let mut text = coloured(&sketch);
    // What the sketch has no place for is said.
    if let Some(ply) = current.plies().last().filter(|_| !is_marked) {
        text += &paint(FAINT, format!("last: {}", ply.token(viewer)));
        text += "\n";
    }
    let notes = current.picture(viewer).notes;
    for note in notes.iter().filter(|note| !plain.contains(note.as_str())) {
        text += &paint(BOLD, note);
        text += "\n";
    }
    text
}

/// How the game ended, and what each seat gets.
pub(crate) fn result(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    names: &Names,
    payoffs: &Payoffs,
    end: &str,
) -> String {
    format!("{}\n{}\n", paint(BOLD, sentence(current, names, payoffs, end)), each(game, payoffs))
}

/// What each seat would get if play stopped here.
pub(crate) fn as_it_stands(game: &dyn AnyGame, payoffs: &Payoffs) -> String {
    paint(FAINT, format!("payoffs if stopped here: {}", each(game, payoffs)))
}

fn each(game: &dyn AnyGame, payoffs: &Payoffs) -> String {
    let each = payoffs.as_slice().iter().enumerate();
    each.map(|(i, &payoff)| format!("{} {}", paint(seat(game, i), game.seat_name(i)), signed(payoff)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Texts in columns, read downward like `ls`, in lines of at most `width` where that is possible.
pub(crate) fn columns(texts: &[String], width: usize) -> String {
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let n_columns = (width / widest).clamp(1, texts.len().max(1));
    let n_rows = texts.len().div_ceil(n_columns);
    let mut lines = String::new();
    for row in 0..n_rows {
        let line: String = texts.iter().skip(row).step_by(n_rows).map(|text| format!("{text:widest$}")).collect();
        lines += line.trim_end();
        lines += "\n";
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_downward() {
        let texts: Vec<String> = ["a1", "a2", "a3", "b1", "b2"].map(String::from).to_vec();
        assert_eq!(columns(&texts, 9), "a1  b1\na2  b2\na3\n");
        assert_eq!(columns(&texts, 1), "a1\na2\na3\nb1\nb2\n");
        assert_eq!(columns(&texts, 80), "a1  a2  a3  b1  b2\n");
        assert_eq!(columns(&[], 80), "");
    }
}
