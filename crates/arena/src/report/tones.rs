//! Which of the theme's colours a tone is drawn in: as the page does.

use raichi_core::erased::AnyGame;
use raichi_core::picture::Tone;

/// A fill, its edge and what is written on it, as CSS.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shades {
    pub(super) fill: String,
    pub(super) edge: String,
    pub(super) on: String,
}

/// The colours of a game's seats.
pub(super) fn seat_tones(game: &dyn AnyGame) -> Vec<Tone> {
    (0..game.facts().n_seats).map(|seat| game.seat_tone(seat)).collect()
}

/// The shades of a tone.
pub(super) fn shades(tone: Tone, seats: &[Tone]) -> Shades {
    match tone {
        Tone::Scale(step) => scale(step),
        Tone::Seat(seat) => match seats.get(usize::from(seat)) {
            Some(Tone::Seat(_) | Tone::Scale(_)) | None => named(&format!("seat-{}", seat % 10)),
            Some(&own) => shades(own, seats),
        },
        Tone::Light => named("light"),
        Tone::Dark => named("dark"),
        Tone::Accent => named("accent"),
        Tone::Plain => named("plain"),
        Tone::Neutral => named("neutral"),
        Tone::Black => named("black"),
        Tone::White => named("white"),
        Tone::Red => named("red"),
        Tone::Yellow => named("yellow"),
        Tone::Blue => named("blue"),
        Tone::Green => named("green"),
        Tone::Orange => named("orange"),
        Tone::Purple => named("purple"),
    }
}

/// The colour of a line, which must be visible on cells.
pub(super) fn stroke(tone: Tone, seats: &[Tone]) -> String {
    match tone {
        Tone::Plain => "var(--line-plain)".into(),
        Tone::Accent => "var(--accent)".into(),
        tone => shades(tone, seats).fill,
    }
}

fn named(name: &str) -> Shades {
    Shades {
        fill: format!("var(--tone-{name})"),
        edge: format!("var(--tone-{name}-edge, var(--edge))"),
        on: format!("var(--tone-{name}-on)"),
    }
}

// From birch by way of cloudberry to lingonberry and the dark of a spruce wood: (lightness, chroma, hue).
const STOPS: [(f64, f64, f64); 7] = [
    (0.93, 0.03, 85.0),
    (0.85, 0.1, 78.0),
    (0.74, 0.15, 60.0),
    (0.6, 0.18, 38.0),
    (0.47, 0.16, 22.0),
    (0.35, 0.11, -10.0),
    (0.24, 0.06, -60.0),
];
const STEPS: f64 = 16.0;

fn scale(step: u8) -> Shades {
    let at = f64::from(step).min(STEPS) / STEPS * (STOPS.len() - 1) as f64;
    let i = (at as usize).min(STOPS.len() - 2);
    let (from, to, part) = (STOPS[i], STOPS[i + 1], at - i as f64);
    let mix = |a: f64, b: f64| a + (b - a) * part;
    let (lightness, chroma, hue) = (mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2).rem_euclid(360.0));
    let colour = |lightness: f64| format!("oklch({lightness:.3} {chroma:.3} {hue:.1})");
    let on = if lightness > 0.62 { "var(--ink-fixed)" } else { "var(--paper-fixed)" };
    Shades { fill: colour(lightness), edge: colour(lightness - 0.12), on: on.into() }
}
