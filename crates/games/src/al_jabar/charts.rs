//! What stands beside the board: the table of all sums, what makes each colour, and other ways to write the colours; and
//! the handfuls of the drill.
//!
//! Everything is computed from the group, so it holds for the group of any parameters. Checked against: the table and the
//! pairs of the source, and all sets of pieces (`tests.rs`).

use raichi_core::chart::{Chart, Entry, Figure, Lettering, Row};
use raichi_core::drill::{Answer, Exercise};
use raichi_core::picture::PieceKind;
use raichi_core::random::{self, Rng};

use super::group::{Colour, Group};
use super::rules::AlJabar;

/// In larger groups each colour is made by too many triples to be read.
const MOST_FOR_TRIPLES: usize = 16;

/// The fewest and the most pieces of a handful.
const HANDFUL: (usize, usize) = (2, 8);

/// The source's names of the dyes of Z3 × Z3, by digits.
const DYES: [(&str, &str); 9] = [
    ("00", "black"),
    ("01", "light blue"),
    ("02", "dark blue"),
    ("10", "light red"),
    ("20", "dark red"),
    ("11", "light purple"),
    ("12", "bluish purple"),
    ("21", "reddish purple"),
    ("22", "dark purple"),
];

impl Group {
    /// The sets of so many pieces that sum to `sum`, no part of which could be left out: nothing in them cancels. Each in
    /// the order of colours.
    pub(super) fn made_by(&self, sum: Colour, n: usize) -> Vec<Vec<Colour>> {
        let colours: Vec<Colour> = self.coloured().collect();
        let mut found = Vec::new();
        self.extend_to(sum, n, &colours, &mut Vec::new(), &mut found);
        found
    }

    fn extend_to(&self, sum: Colour, n: usize, from: &[Colour], set: &mut Vec<Colour>, found: &mut Vec<Vec<Colour>>) {
        if set.len() == n {
            if self.sum(set.iter().copied()) == sum {
                found.push(set.clone());
            }
            return;
        }
        for (i, &colour) in from.iter().enumerate() {
            set.push(colour);
            if !self.cancels(set, set.len() == n) {
                self.extend_to(sum, n, &from[i..], set, found);
            }
            set.pop();
        }
    }

    /// Whether some of these pieces sum to zero; all of a `whole` set may.
    fn cancels(&self, set: &[Colour], whole: bool) -> bool {
        let all = (1u32 << set.len()) - 1;
        (1..=all - u32::from(whole)).any(|part| {
            let chosen = set.iter().enumerate().filter(|&(i, _)| part >> i & 1 == 1);
            self.sum(chosen.map(|(_, &colour)| colour)) == Colour::ZERO
        })
    }

    /// `102` for any group, the digits of the published game's colours included.
    fn digits_text(&self, colour: Colour) -> String {
        self.element(colour)[..self.n_moduli()].iter().map(u8::to_string).collect()
    }
}

impl AlJabar {
    pub(super) fn all_charts(&self) -> Vec<Chart> {
        vec![self.sums(), self.makers()]
    }

    fn sums(&self) -> Chart {
        let group = self.group();
        let heads: Vec<Entry> = group.colours().map(|colour| self.head(colour)).collect();
        let row = |(one, head): (Colour, &Entry)| Row {
            head: head.clone(),
            entries: group.colours().map(|other| self.entry(group.sum([one, other]))).collect(),
        };
        Chart {
            id: "sums".into(),
            title: "All sums".into(),
            text: format!(
                "Where the row of a piece and the column of another meet stands what they make together. {} adds nothing. \
                 Of more pieces, take the sum of two first, and go on with it.",
                group.colour_name(Colour::ZERO)
            ),
            corner: "+".into(),
            rows: group.colours().zip(&heads).map(row).collect(),
            columns: group.colours().map(|colour| self.entry(colour)).collect(),
        }
    }

    fn makers(&self) -> Chart {
        let group = self.group();
        let has_triples = group.order() <= MOST_FOR_TRIPLES;
        let columns = if has_triples { vec![2, 3] } else { vec![2] };
        let row = |colour: Colour| Row {
            head: self.entry(colour),
            entries: columns.iter().map(|&n| Entry::text(self.made_by_text(colour, n))).collect(),
        };
        let left_out = if has_triples { "" } else { " Triples are listed for groups of up to 16 colours." };
        Chart {
            id: "makers".into(),
            title: "What makes each colour".into(),
            text: format!(
                "The pairs and the triples of pieces that make a colour, but those in which {} lies or a part \
                 cancels.{left_out}",
                group.colour_name(Colour::ZERO)
            ),
            corner: "colour".into(),
            columns: columns.iter().map(|&n| Entry::text(if n == 2 { "pairs" } else { "triples" })).collect(),
            rows: group.colours().map(row).collect(),
        }
    }

    /// `RY, BP`, or a dash.
    fn made_by_text(&self, colour: Colour, n: usize) -> String {
        let made = self.group().made_by(colour, n);
        let sets: Vec<String> = made.iter().map(|set| self.group().set_text(set)).collect();
        if sets.is_empty() { "–".into() } else { sets.join(", ") }
    }

    /// A colour that tells what makes it.
    fn head(&self, colour: Colour) -> Entry {
        let entry = self.entry(colour).with_detail("pairs", self.made_by_text(colour, 2));
        if self.group().order() > MOST_FOR_TRIPLES {
            return entry;
        }
        entry.with_detail("triples", self.made_by_text(colour, 3))
    }

    fn entry(&self, colour: Colour) -> Entry {
        Entry::figures(vec![self.figure(colour)], self.group().colour_name(colour))
    }

    fn figure(&self, colour: Colour) -> Figure {
        Figure { kind: PieceKind::Disc, tone: self.tone(colour), text: Some(self.group().colour_text(colour)) }
    }

    pub(super) fn all_letterings(&self) -> Vec<Lettering> {
        let group = self.group();
        let written = |title: &str, text: &dyn Fn(Colour) -> String| Lettering {
            title: title.into(),
            texts: group.colours().map(|colour| (group.colour_text(colour), text(colour))).collect(),
        };
        let own = |colour| group.colour_text(colour);
        if group.is_published() {
            let name = |colour| group.colour_name(colour);
            let digits = |colour| group.digits_text(colour);
            return vec![written("Letters", &own), written("Colours", &name), written("Triples", &digits)];
        }
        if group.moduli() == [3, 3] {
            let name = |colour| {
                let digits = group.digits_text(colour);
                DYES.iter().find(|(text, _)| *text == digits).map_or(digits.clone(), |(_, name)| (*name).into())
            };
            return vec![written("Digits", &own), written("Colours", &name)];
        }
        Vec::new()
    }

    /// A handful of pieces, whose sum is asked. Each piece is any colour but the zero, all as likely.
    pub(super) fn handful(&self, level: usize, rng: &mut dyn Rng) -> Exercise {
        let group = self.group();
        let n = (HANDFUL.0 + level).min(HANDFUL.1);
        let coloured: Vec<Colour> = group.coloured().collect();
        let mut pieces: Vec<Colour> = (0..n).map(|_| coloured[random::index(rng, coloured.len())]).collect();
        pieces.sort_unstable();
        let sum = group.sum(pieces.iter().copied());
        let answer = |colour| Answer {
            key: group.colour_text(colour),
            text: group.colour_name(colour),
            figure: self.figure(colour),
        };
        Exercise {
            question: "What do these make together?".into(),
            figures: pieces.iter().map(|&colour| self.figure(colour)).collect(),
            answers: group.colours().map(answer).collect(),
            right: group.place(sum),
            because: group.sum_in_words(&pieces),
            steps: group.steps_of_sum(&pieces),
        }
    }
}
