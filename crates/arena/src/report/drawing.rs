//! Positions as SVG, drawn from the pictures that games give: what the page draws, without what only touching needs.
//!
//! What many positions share (a board's cells, a piece of one kind and colour) is a fragment, written once and referred to
//! by number, so that the positions of a game take little room. Boards and trays are drawings of their own; the style of
//! the page lays them out. Bodies in space are shown from two opposite corners.

use std::collections::HashMap;
use std::fmt::Write;

use raichi_core::chart::Figure;
use raichi_core::picture::{Area, AreaKind, Cell, Counter, Line, Picture, Piece, PieceKind, Shape, Tone};

use super::page::escape;
use super::tones::{Shades, shades, stroke};

/// The engraving of each seat, so that seats are told apart without their colours: those of the page.
const MARKS: [&str; 10] = [
    "M-.42 -.42L.42 .42M.42 -.42L-.42 .42",
    "M.5 0A.5 .5 0 1 1-.5 0A.5 .5 0 1 1 .5 0Z",
    "M0 -.52L.48 .34L-.48 .34Z",
    "M-.4 -.4H.4V.4H-.4Z",
    "M0 -.55L.42 0L0 .55L-.42 0Z",
    "M0 -.5V.5M-.5 0H.5",
    "M-.5 -.2H.5M-.5 .2H.5",
    "M-.45 .28L0 -.3L.45 .28",
    "M.18 -.5A.52 .52 0 1 0 .18 .5A.62 .62 0 0 1 .18 -.5Z",
    "M-.2 -.5V.5M.2 -.5V.5",
];

/// Draws positions of one game.
pub(super) struct Drawer {
    seats: Vec<Tone>,
    names: Vec<String>,
    prefix: String,
    numbers: HashMap<String, usize>,
    fragments: Vec<String>,
}

impl Drawer {
    /// For a game whose seats have these colours and names. `prefix` is the page's own for its fragments.
    pub(super) fn new(prefix: &str, seats: Vec<Tone>, names: Vec<String>) -> Drawer {
        Drawer { seats, names, prefix: prefix.into(), numbers: HashMap::new(), fragments: Vec::new() }
    }

    /// Goes on with positions of a game whose seats are others.
    pub(super) fn set_seats(&mut self, seats: Vec<Tone>, names: Vec<String>) {
        (self.seats, self.names) = (seats, names);
    }

    /// What the drawings refer to; it must stand on the same page.
    pub(super) fn definitions(&self) -> String {
        let symbol = |(i, fragment): (usize, &String)| format!("<g id=\"{}{i}\">{fragment}</g>", self.prefix);
        let fragments: String = self.fragments.iter().enumerate().map(symbol).collect();
        format!(
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><defs>{fragments}</defs></svg>"
        )
    }

    /// A position, with the places in `last` marked.
    pub(super) fn position(&mut self, picture: &Picture, last: &[String]) -> String {
        self.joined_position(picture, last, &[])
    }

    /// A position in which places belong together, each of `joined` a way from place to place.
    pub(super) fn joined_position(&mut self, picture: &Picture, last: &[String], joined: &[Vec<String>]) -> String {
        let (mut boards, mut trays) = (String::new(), String::new());
        for area in &picture.areas {
            match area.kind {
                AreaKind::Tray => trays += &self.tray(area, last),
                _ => boards += &self.board(area, last, joined),
            }
        }
        let trays = if trays.is_empty() { trays } else { format!("<div class=\"trays\">{trays}</div>") };
        format!("{boards}{trays}{}", self.words(picture))
    }

    /// An area as it is without anything on it, to be played on with real pieces.
    pub(super) fn blank(&mut self, area: &Area) -> String {
        let blank = Area { pieces: Vec::new(), ..area.clone() };
        match area.kind {
            AreaKind::Solid => self.solid(&blank),
            _ => self.flat(&blank, &[], &[]),
        }
    }

    /// A figure of a chart; who reads the page aloud says `name`.
    pub(super) fn figure(&mut self, drawn: &Figure, name: &str) -> String {
        let Figure { kind, tone, text } = drawn.clone();
        let piece = Piece { cell: String::new(), kind, tone, text, dx: 0.0, dy: 0.0, size: None };
        let fragment = figure(&piece, &shades(tone, &self.seats), &self.seats);
        // Cards are higher than wide, and slabs and sticks lie flat.
        let (width, height) = match kind {
            PieceKind::Card | PieceKind::CardBack => (0.72, 1.0),
            _ => (0.9, 0.9),
        };
        let used = self.used(fragment, width / 2.0, height / 2.0);
        format!("{}{used}</svg>", svg_open(width, height, name))
    }

    // Counters, signs at the seats and notes, each on its line.
    fn words(&self, picture: &Picture) -> String {
        let name = |seat: usize| self.names.get(seat).map_or("", String::as_str);
        let counter = |Counter { seat, label, value }: &Counter| match seat {
            Some(seat) => format!("{}: {label} {value}", name(*seat)),
            None => format!("{label} {value}"),
        };
        let badges = picture.badges.iter().map(|badge| format!("{}: {}", name(badge.seat), badge.text));
        let words: Vec<String> =
            picture.counters.iter().map(counter).chain(badges).chain(picture.notes.iter().cloned()).collect();
        if words.is_empty() { String::new() } else { format!("<p class=\"words\">{}</p>", escape(&words.join(" · "))) }
    }

    fn board(&mut self, area: &Area, last: &[String], joined: &[Vec<String>]) -> String {
        let drawing = match area.kind {
            AreaKind::Solid => self.solid(area),
            _ => self.flat(area, last, joined),
        };
        format!("<div class=\"board\">{drawing}</div>")
    }

    fn tray(&mut self, area: &Area, last: &[String]) -> String {
        let width = area.width * 3.0;
        let flat = self.flat(area, last, &[]);
        format!("<div class=\"tray\" style=\"width:{width:.1}rem\"><span>{}</span>{flat}</div>", escape(&area.title))
    }

    fn flat(&mut self, area: &Area, last: &[String], joined: &[Vec<String>]) -> String {
        let ground = self.ground(area);
        let mut drawn = format!("{}{}", svg_open(area.width, area.height, &area.title), self.used(ground, 0.0, 0.0));
        let is_last = |id: &str| last.iter().any(|last| last == id);
        for cell in &area.cells {
            if !cell.passing && (is_last(&cell.id) || cell.touch.as_deref().is_some_and(is_last)) {
                drawn += &shape(cell, "m", "", 0.03);
            }
        }
        for line in &area.lines {
            drawn += &self.line(line, line.id.as_deref().is_some_and(is_last));
        }
        let places: HashMap<&str, &Cell> = area.cells.iter().map(|cell| (cell.id.as_str(), cell)).collect();
        for piece in &area.pieces {
            let Some(cell) = places.get(piece.cell.as_str()) else { continue };
            let figure = figure(piece, &shades(piece.tone, &self.seats), &self.seats);
            drawn += &self.used(figure, cell.x + piece.dx, cell.y + piece.dy);
        }
        for way in joined {
            let at = |id: &String| places.get(id.as_str()).map(|cell| (cell.x, cell.y));
            drawn += &way.iter().map(at).collect::<Option<Vec<_>>>().map_or(String::new(), |way| joining(&way));
        }
        for text in &area.texts {
            let size = text.size * if text.coordinate { 1.1 } else { 1.3 };
            let (x, y) = (round(text.x), round(text.y));
            write!(
                drawn,
                "<text class=\"caption\" x=\"{x}\" y=\"{y}\" font-size=\"{}\">{}</text>",
                round(size),
                escape(&text.text)
            )
            .expect("writing to a string");
        }
        drawn + "</svg>"
    }

    fn ground(&self, area: &Area) -> String {
        let cell = |cell: &Cell| {
            let look = shades(cell.tone, &self.seats);
            let place = if cell.shape == Shape::Card {
                "fill:none;stroke-dasharray:.1 .08".into()
            } else {
                format!("fill:{}", look.fill)
            };
            let text = cell.text.as_ref().map_or(String::new(), |text| {
                let (width, height) = extent(&cell.shape);
                let size = (height * 0.65).min(width * 1.7 / text.chars().count().max(2) as f64).min(0.5);
                written(text, cell.x, cell.y, size, &look.on)
            });
            shape(cell, "c", &place, 0.0) + &text
        };
        area.cells.iter().filter(|cell| !cell.passing).map(cell).collect()
    }

    // Seen from the corner where front, right side and top meet, and from the opposite one.
    fn solid(&mut self, area: &Area) -> String {
        let reach = 1.75;
        let mut drawn = svg_open(4.0 * reach, 2.0 * reach, &area.title);
        for (middle, yaw, pitch) in [(reach, -35.0, 27.0), (3.0 * reach, 145.0, -27.0)] {
            let mut facets: Vec<(f64, String)> =
                area.cells.iter().filter_map(|cell| self.facet(cell, middle, reach, yaw, pitch)).collect();
            facets.sort_by(|one, other| one.0.total_cmp(&other.0));
            drawn.extend(facets.into_iter().map(|(_, facet)| facet));
        }
        drawn + "</svg>"
    }

    fn facet(&self, cell: &Cell, x0: f64, y0: f64, yaw: f64, pitch: f64) -> Option<(f64, String)> {
        let Shape::Facet { corners } = cell.shape else { return None };
        let (a, b) = (f64::to_radians(yaw), f64::to_radians(pitch));
        let turned = corners.map(|[x, y, z]| {
            let (ahead, right) = (z * a.cos() - x * a.sin(), x * a.cos() + z * a.sin());
            (x0 + right, y0 - (y * b.cos() - ahead * b.sin()), y * b.sin() + ahead * b.cos())
        });
        // Clockwise on the screen is towards the person.
        let area: f64 = (0..4).map(|i| turned[i].0 * turned[(i + 1) % 4].1 - turned[(i + 1) % 4].0 * turned[i].1).sum();
        if area < 1e-4 {
            return None;
        }
        let points =
            turned.iter().map(|(x, y, _)| format!("{},{}", round(*x), round(*y))).collect::<Vec<_>>().join(" ");
        let look = shades(cell.tone, &self.seats);
        let mut facet = format!(
            "<polygon points=\"{points}\" style=\"fill:{};stroke:var(--edge);stroke-width:.03;stroke-linejoin:round\"/>",
            look.fill
        );
        let (x, y) = (turned.iter().map(|c| c.0).sum::<f64>() / 4.0, turned.iter().map(|c| c.1).sum::<f64>() / 4.0);
        facet += &cell.text.as_ref().map_or(String::new(), |text| written(text, x, y, 0.2, &look.on));
        Some((turned.iter().map(|c| c.2).sum(), facet))
    }

    fn line(&self, line: &Line, is_last: bool) -> String {
        let points =
            line.points.iter().map(|(x, y)| format!("{},{}", round(*x), round(*y))).collect::<Vec<_>>().join(" ");
        let drawn = |width: f64, colour: &str| {
            format!(
                "<polyline class=\"l\" points=\"{points}\" style=\"stroke:{colour};stroke-width:{}\"/>",
                round(width)
            )
        };
        let under = if is_last { drawn(line.width + 0.1, "var(--mark-last)") } else { String::new() };
        let colour = stroke(line.tone, &self.seats);
        let head = if line.arrow { arrow_head(line, &colour) } else { String::new() };
        under + &drawn(line.width, &colour) + &head
    }

    // A fragment, drawn here.
    fn used(&mut self, fragment: String, x: f64, y: f64) -> String {
        let next = self.fragments.len();
        let number = *self.numbers.entry(fragment).or_insert_with_key(|fragment| {
            self.fragments.push(fragment.clone());
            next
        });
        format!("<use href=\"#{}{number}\" x=\"{}\" y=\"{}\"/>", self.prefix, round(x), round(y))
    }
}

/// At the end of a line, as high as it is wide.
fn arrow_head(line: &Line, colour: &str) -> String {
    let [.., (x0, y0), (x1, y1)] = line.points[..] else { return String::new() };
    let length = (x1 - x0).hypot(y1 - y0).max(1e-9);
    let (ux, uy) = ((x1 - x0) / length, (y1 - y0) / length);
    let half = 0.09 + line.width / 2.0;
    let corner = |along: f64, beside: f64| {
        format!("{},{}", round(x1 + ux * along - uy * beside), round(y1 + uy * along + ux * beside))
    };
    let points = [corner(half, 0.0), corner(-half, half), corner(-half, -half)].join(" ");
    format!("<polygon points=\"{points}\" style=\"fill:{colour}\"/>")
}

/// Places that belong together: one rim around two, and around each end of a longer way, which is dotted.
fn joining(way: &[(f64, f64)]) -> String {
    let (first, last) = (way[0], way[way.len() - 1]);
    let rim = |from: (f64, f64), to: (f64, f64)| format!("<path class=\"j\" d=\"{}\"/>", capsule(from, to));
    if way.len() == 2 {
        return rim(first, last);
    }
    let points: Vec<String> = way.iter().map(|(x, y)| format!("{},{}", round(*x), round(*y))).collect();
    format!("<polyline class=\"d\" points=\"{}\"/>{}{}", points.join(" "), rim(first, first), rim(last, last))
}

/// What lies no further than this from the line between two points.
fn capsule((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    const REACH: f64 = 0.38;
    let length = (x2 - x1).hypot(y2 - y1);
    // Of a single point any direction will do.
    let (dx, dy) = if length > 0.0 { ((x2 - x1) / length, (y2 - y1) / length) } else { (1.0, 0.0) };
    let (a, b) = (-dy * REACH, dx * REACH);
    let [x1a, y1a, x2a, y2a] = [x1 + a, y1 + b, x2 + a, y2 + b].map(round);
    let [x1b, y1b, x2b, y2b] = [x1 - a, y1 - b, x2 - a, y2 - b].map(round);
    format!("M{x1a} {y1a}L{x2a} {y2a}A{REACH} {REACH} 0 0 0 {x2b} {y2b}L{x1b} {y1b}A{REACH} {REACH} 0 0 0 {x1a} {y1a}Z")
}

fn svg_open(width: f64, height: f64, title: &str) -> String {
    format!("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", round(width), round(height), escape(title))
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

fn extent(shape: &Shape) -> (f64, f64) {
    match *shape {
        Shape::Rect { width, height } => (width, height),
        Shape::Circle { radius } => (2.0 * radius, 2.0 * radius),
        Shape::Card => (0.7, 1.0),
        Shape::Square | Shape::Hexagon | Shape::Facet { .. } => (1.0, 1.0),
    }
}

fn shape(cell: &Cell, class: &str, style: &str, inset: f64) -> String {
    let (x, y) = (cell.x, cell.y);
    let style = if style.is_empty() { String::new() } else { format!(" style=\"{style}\"") };
    match cell.shape {
        Shape::Hexagon => {
            let radius = (1.0 - 2.0 * inset) / 3.0f64.sqrt();
            let corner = |i: usize| {
                let angle = std::f64::consts::FRAC_PI_6 + i as f64 * std::f64::consts::FRAC_PI_3;
                format!("{},{}", round(x + radius * angle.cos()), round(y + radius * angle.sin()))
            };
            format!(
                "<polygon class=\"{class}\" points=\"{}\"{style}/>",
                (0..6).map(corner).collect::<Vec<_>>().join(" ")
            )
        }
        Shape::Circle { radius } => {
            let (x, y, r) = (round(x), round(y), round((radius - inset).max(0.02)));
            format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{style}/>")
        }
        _ => {
            let (width, height) = extent(&cell.shape);
            let (width, height) = ((width - 2.0 * inset).max(0.02), (height - 2.0 * inset).max(0.02));
            let (left, top) = (round(x - width / 2.0), round(y - height / 2.0));
            let rx = if cell.shape == Shape::Card { 0.06 } else { 0.015 };
            let (width, height) = (round(width), round(height));
            format!(
                "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"{rx}\"{style}/>"
            )
        }
    }
}

fn written(text: &str, x: f64, y: f64, size: f64, colour: &str) -> String {
    let (x, y, size) = (round(x), round(y), round(size));
    format!(
        "<text class=\"w\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" style=\"fill:{colour}\">{}</text>",
        escape(text)
    )
}

// A piece around the origin.
fn figure(piece: &Piece, look: &Shades, seats: &[Tone]) -> String {
    let kind = piece.kind;
    let size = piece.size.unwrap_or(match kind {
        PieceKind::Disc => 0.76,
        PieceKind::Slab | PieceKind::Stick => 0.8,
        PieceKind::King => 0.82,
        PieceKind::Cross => 0.62,
        PieceKind::Ring => 0.66,
        PieceKind::Tile => 0.9,
        PieceKind::Card | PieceKind::CardBack => 1.0,
        PieceKind::Token => 0.46,
        PieceKind::Die => 0.7,
    });
    let body = format!("class=\"p\" style=\"fill:{};stroke:{}\"", look.fill, look.edge);
    let text = piece.text.as_deref().unwrap_or_default();
    let fitted = |width: f64, tallest: f64| tallest.min(width * 1.75 / text.chars().count().max(1) as f64);
    let label = |width: f64, tallest: f64| match text {
        "" => String::new(),
        text => written(text, 0.0, 0.0, fitted(width, tallest), &look.on),
    };
    let engraved = |radius: f64| match piece.tone {
        Tone::Seat(seat) if text.is_empty() => engraving(usize::from(seat), radius, &look.on),
        _ => String::new(),
    };
    let rect = |width: f64, height: f64, rx: f64| {
        let (x, y, width, height) = (round(-width / 2.0), round(-height / 2.0), round(width), round(height));
        format!("<rect {body} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"/>", round(rx))
    };
    let circle = |r: f64| format!("<circle {body} r=\"{}\"/>", round(r));
    let r = size / 2.0;
    match kind {
        // Many digits stand on two lines, so that they can be read.
        PieceKind::Disc if text.len() > 3 && text.bytes().all(|b| b.is_ascii_digit()) => {
            let (above, below) = text.split_at(text.len().div_ceil(2));
            let height = (size * 0.4).min(size * 0.7 * 1.75 / above.len() as f64);
            let line = |text, y| written(text, 0.0, y, height, &look.on);
            circle(r) + &line(above, -0.18 * size) + &line(below, 0.18 * size)
        }
        PieceKind::Disc => {
            let width = if text.bytes().all(|b| b.is_ascii_digit()) { 0.8 } else { 0.62 };
            circle(r) + &label(size * width, size * 0.5) + &engraved(r * 0.84)
        }
        PieceKind::King => {
            let crown = "M-.26 .19L-.3 -.15L-.13 .01L0 -.25L.13 .01L.3 -.15L.26 .19Z";
            circle(r) + &format!("<path d=\"{crown}\" transform=\"scale({size})\" style=\"fill:{}\"/>", look.on)
        }
        PieceKind::Slab => {
            let height = size * 0.24;
            let mark = if text.is_empty() { engraved(height * 0.6) } else { label(size * 0.6, height * 0.9) };
            rect(size, height, height / 2.4) + &mark
        }
        PieceKind::Cross => {
            let colour = stroke(piece.tone, seats);
            let width = round(size * 0.2);
            format!(
                "<path class=\"l\" d=\"M-{r} -{r}L{r} {r}M{r} -{r}L-{r} {r}\" style=\"stroke:{colour};stroke-width:{width}\"/>"
            )
        }
        PieceKind::Ring => {
            let colour = stroke(piece.tone, seats);
            format!("<circle class=\"l\" r=\"{r}\" style=\"stroke:{colour};stroke-width:{}\"/>", round(size * 0.18))
        }
        PieceKind::Tile => rect(size, size, size * 0.08) + &label(size * 0.86, size * 0.52),
        PieceKind::Token => circle(r) + &label(size * 0.72, size * 0.62) + &engraved(r * 0.8),
        PieceKind::Die => rect(size, size, size * 0.18) + &label(size * 0.8, size * 0.6),
        PieceKind::Stick => {
            let head = format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\".05\" style=\"fill:var(--accent)\"/>",
                round(-r),
                round(-size * 0.1),
                round(size * 0.19),
                round(size * 0.2)
            );
            rect(size, size * 0.14, size * 0.035) + &head
        }
        PieceKind::CardBack => {
            let back = "fill:light-dark(#9c2b1f,#8a3226);stroke:light-dark(#8d7c61,#0d0b09)";
            card(size, back, "")
        }
        PieceKind::Card => {
            card(size, "fill:light-dark(#fffdf7,#f3ecdc);stroke:light-dark(#8d7c61,#0d0b09)", &face(text, size, look))
        }
    }
}

fn engraving(seat: usize, radius: f64, colour: &str) -> String {
    let mark = MARKS[seat % MARKS.len()];
    let style =
        format!("fill:none;stroke:{colour};stroke-width:.15;stroke-linecap:round;stroke-linejoin:round;opacity:.62");
    format!("<path d=\"{mark}\" transform=\"scale({})\" style=\"{style}\"/>", round(radius))
}

fn card(size: f64, style: &str, face: &str) -> String {
    let (x, y, width, height) = (round(-0.335 * size), round(-0.485 * size), round(0.67 * size), round(0.97 * size));
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\".06\" style=\"{style};stroke-width:.012\"/>{face}"
    )
}

// Rank and suit of a French card; another deck's word.
fn face(text: &str, size: f64, look: &Shades) -> String {
    let mut signs = text.chars();
    let french = match (signs.next(), signs.next(), signs.next()) {
        (Some(rank), Some(suit @ ('c' | 'd' | 'h' | 's')), None) if "23456789TJQKA".contains(rank) => {
            Some((rank, suit))
        }
        _ => None,
    };
    let Some((rank, suit)) = french else {
        let band = format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"fill:{}\"/>",
            round(-0.335 * size),
            round(-0.42 * size),
            round(0.67 * size),
            round(0.3 * size),
            look.fill
        );
        let words: Vec<&str> = text.split('-').collect();
        let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(3);
        let height = size * (1.24 / longest as f64).min(0.2);
        let word = |(i, word): (usize, &&str)| {
            let y = size * 0.2 + (i as f64 - (words.len() - 1) as f64 / 2.0) * height * 1.05;
            written(word, 0.0, y, height, "#241d15")
        };
        return band + &words.iter().enumerate().map(word).collect::<String>();
    };
    let (sign, colour) = match suit {
        'c' => ("♣", "#241d15"),
        'd' => ("♦", "#ae2a20"),
        'h' => ("♥", "#ae2a20"),
        _ => ("♠", "#241d15"),
    };
    let rank = if rank == 'T' { "10".into() } else { rank.to_string() };
    written(&rank, 0.0, -0.2 * size, 0.42 * size, colour) + &written(sign, 0.0, 0.22 * size, 0.44 * size, colour)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tones::seat_tones;
    use raichi_core::game::Phase;
    use raichi_core::random::stream;
    use raichi_core::seat::Viewer;

    #[test]
    fn every_game_can_be_drawn() {
        for entry in raichi_games::REGISTRY {
            let game = (entry.create)(None).unwrap();
            let mut drawer = Drawer::new("f", seat_tones(game.as_ref()), Vec::new());
            let mut current = game.new_match();
            let mut rng = stream(1, "drawing", 0);
            for _ in 0..30 {
                let drawn = drawer.position(&current.picture(Viewer::Referee), &[]);
                assert!(drawn.contains("<svg") && !drawn.contains("NaN"), "{}: {drawn}", entry.id);
                assert_eq!(drawn.matches("<svg").count(), drawn.matches("</svg>").count(), "{}", entry.id);
                match current.phase() {
                    Phase::Over => break,
                    Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
                    Phase::Act(seats) => current.play_random(seats.first(), &mut rng).unwrap(),
                }
            }
            assert!(!drawer.fragments.is_empty() || entry.id.contains("cube"), "{}", entry.id);
        }
    }
}
