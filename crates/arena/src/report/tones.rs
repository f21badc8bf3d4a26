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
        Tone::Mix(parts) => mix(parts),
        Tone::Seat(seat) => match seats.get(usize::from(seat)) {
            Some(Tone::Seat(_) | Tone::Scale(_) | Tone::Mix(_)) | None => named(&format!("seat-{}", seat % 10)),
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

/// What paints come to where they are mixed in full, as red, green and blue light: none, red, yellow, both, then the same
/// with blue (N. Gossett and B. Chen, *Paint Inspired Color Mixing and Compositing for Visualization*, 2004, their blue and
/// their black lighter, so that shades of them can be told apart).
const PAINTS: [[f64; 3]; 8] = [
    [1.0, 1.0, 1.0],
    [0.85, 0.12, 0.12],
    [0.98, 0.85, 0.12],
    [0.95, 0.5, 0.05],
    [0.16, 0.4, 0.75],
    [0.5, 0.15, 0.55],
    [0.1, 0.6, 0.3],
    [0.4, 0.27, 0.18],
];
/// What is darkened goes towards the first, what is paled towards the second, so far.
const DARK: ([f64; 3], f64) = ([0.08, 0.07, 0.06], 0.5);
const PALE: ([f64; 3], f64) = ([1.0, 1.0, 1.0], 0.6);

fn mix(parts: [u8; 5]) -> Shades {
    let rgb = mixed(parts);
    let colour = |rgb: [f64; 3]| {
        let [r, g, b] = rgb.map(|part| (part * 255.0).round() as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    };
    let on = if luminance(rgb) > 0.2 { "var(--ink-fixed)" } else { "var(--paper-fixed)" };
    Shades { fill: colour(rgb), edge: colour(rgb.map(|part| part * 0.7)), on: on.into() }
}

fn mixed(parts: [u8; 5]) -> [f64; 3] {
    let [red, yellow, blue, dark, pale] = parts.map(|part| f64::from(part.min(100)) / 100.0);
    let part = |i: usize, bit: usize, paint: f64| if i >> bit & 1 == 1 { paint } else { 1.0 - paint };
    let share = |i: usize| part(i, 0, red) * part(i, 1, yellow) * part(i, 2, blue);
    let towards = |rgb: [f64; 3], (goal, most): ([f64; 3], f64), how: f64| {
        std::array::from_fn(|at| rgb[at] + (goal[at] - rgb[at]) * most * how)
    };
    let paint = std::array::from_fn(|at| (0..8).map(|i| share(i) * PAINTS[i][at]).sum());
    towards(towards(paint, DARK, dark), PALE, pale)
}

/// How bright a colour of a screen is, from 0 to 1.
fn luminance(rgb: [f64; 3]) -> f64 {
    let [r, g, b] = rgb.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn paints_mix_as_the_page_mixes_them() {
        let fill = |parts| shades(Tone::Mix(parts), &[]).fill;
        // The same stand in `web/src/lib/tone.test.ts`.
        assert_eq!(fill([0; 5]), "#ffffff");
        assert_eq!(fill([100, 0, 0, 0, 0]), "#d91f1f");
        assert_eq!(fill([50, 0, 100, 0, 0]), "#5446a6");
        assert_eq!(fill([100, 100, 100, 100, 0]), "#3d2b1f");
        assert_eq!(fill([0, 100, 0, 100, 100]), "#cfc8a2");
    }

    #[test]
    fn each_piece_of_a_large_group_has_a_colour_of_its_own() {
        for spec in ["al-jabar:group=2/2/2/2/2,limit=3", "al-jabar:group=3/3/3", "al-jabar:group=5/5"] {
            let game = raichi_games::game(spec).unwrap();
            let sums = &game.charts()[0];
            let fills: HashSet<String> =
                sums.columns.iter().map(|head| shades(head.figures[0].tone, &[]).fill).collect();
            assert_eq!(fills.len(), sums.columns.len(), "{spec}");
        }
    }

    #[test]
    fn what_is_written_on_a_mixture_can_be_read() {
        let (ink, paper) = ([0x24, 0x1d, 0x15], [0xfb, 0xf6, 0xea]);
        let light = |rgb: [u8; 3]| luminance(rgb.map(|part| f64::from(part) / 255.0)) + 0.05;
        for number in 0..243 {
            let parts = std::array::from_fn(|i| (number / 3u32.pow(i as u32) % 3 * 50) as u8);
            let on = shades(Tone::Mix(parts), &[]).on;
            let written = if on == "var(--ink-fixed)" { light(ink) } else { light(paper) };
            let ground = luminance(mixed(parts)) + 0.05;
            let contrast = (written / ground).max(ground / written);
            assert!(contrast >= 3.9, "{parts:?}: {contrast}");
        }
    }
}
