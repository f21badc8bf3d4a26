//! The colours of the terminal: what a tone of a sketch looks like. Colour never carries meaning alone; without it the
//! text says the same.

use anstyle::{Ansi256Color, AnsiColor, Style};
use raichi_core::picture::{Sketch, Tone};
use raichi_core::{AnyGame, Seat};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const CODE: Style = AnsiColor::Cyan.on_default();
pub(crate) const TITLE: Style = Style::new().bold().underline();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();

/// `text` in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A sketch with its colours.
pub(crate) fn coloured(sketch: &Sketch) -> String {
    sketch.runs.iter().map(|(text, tone)| paint(style(*tone), text)).collect()
}

/// The colour of a seat.
pub(crate) fn seat(game: &dyn AnyGame, seat: Seat) -> Style {
    style(game.seat_tone(seat)).bold()
}

fn style(tone: Tone) -> Style {
    let bright = |color: AnsiColor| color.on_default().bold();
    let shade = |index: u8| Style::new().fg_color(Some(Ansi256Color(index).into()));
    match tone {
        Tone::Plain | Tone::Light => Style::new(),
        Tone::Dark | Tone::Neutral => FAINT,
        Tone::Accent => bright(AnsiColor::Magenta),
        Tone::Seat(seat) => seat_style(seat),
        // Legible on dark and on light terminals alike: neither real black nor real white.
        Tone::Black => bright(AnsiColor::BrightBlack),
        Tone::White => Style::new().bold(),
        Tone::Red => bright(AnsiColor::Red),
        Tone::Yellow => bright(AnsiColor::Yellow),
        Tone::Blue => bright(AnsiColor::Blue),
        Tone::Green => bright(AnsiColor::Green),
        Tone::Orange => shade(208).bold(),
        Tone::Purple => bright(AnsiColor::Magenta),
        // From a pale yellow over orange to a strong red, as far as the 256 colours go.
        Tone::Scale(step) => {
            const SCALE: [u8; 12] = [250, 187, 186, 222, 221, 220, 214, 208, 202, 196, 199, 201];
            shade(SCALE[usize::from(step).min(SCALE.len() - 1)]).bold()
        }
        // Of paints those that are there, in the strength of the strongest: as much as two shades of a colour tell.
        Tone::Mix([red, yellow, blue, ..]) => {
            const WEAK: [u8; 8] = [250, 174, 186, 215, 110, 176, 114, 180];
            const STRONG: [u8; 8] = [255, 196, 220, 208, 33, 129, 34, 137];
            let paints = [red, yellow, blue];
            let index = (0..3).map(|bit| usize::from(paints[bit] > 0) << bit).sum::<usize>();
            let is_strong = paints.into_iter().max() > Some(60);
            shade(if is_strong { STRONG } else { WEAK }[index]).bold()
        }
    }
}

fn seat_style(seat: u8) -> Style {
    const SEATS: [u8; 10] = [39, 203, 71, 178, 141, 208, 44, 205, 149, 250];
    Style::new().bold().fg_color(Some(Ansi256Color(SEATS[usize::from(seat) % SEATS.len()]).into()))
}
