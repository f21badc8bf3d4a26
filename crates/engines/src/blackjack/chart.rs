//! Basic strategy: the usual chart, derived, and the same with expectations for the page, paper and terminals.
//!
//! A row is a kind of two cards, a column the dealer's card. Where cards of several makes count alike (10 and 2, 9 and 3), each
//! counts as often as it is dealt, and the action is the one that is best for them together.

use raichi_core::chart::{Chart, Entry, Row as ChartRow};
use raichi_core::picture::Tone;
use raichi_games::blackjack::Blackjack;

use super::exact::{Analysis, Worth};
use super::solver::analysis;

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Draw no more.
    Stand,
    /// Draw.
    Hit,
    /// Double.
    Double,
    /// Split.
    Split,
    /// Give up.
    Surrender,
}

impl Choice {
    /// `hit`
    pub fn word(self) -> &'static str {
        match self {
            Choice::Stand => "stand",
            Choice::Hit => "hit",
            Choice::Double => "double",
            Choice::Split => "split",
            Choice::Surrender => "surrender",
        }
    }

    /// As charts have it.
    pub fn letter(self) -> char {
        match self {
            Choice::Stand => 'S',
            Choice::Hit => 'H',
            Choice::Double => 'D',
            Choice::Split => 'P',
            Choice::Surrender => 'R',
        }
    }
}

/// What is best, and what is where that is not allowed (with more than two cards, say).
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The best of all.
    pub best: Choice,
    /// The better of standing and drawing.
    pub otherwise: Choice,
    /// What each allowed action is expected to win, in wagers, the best first; where cards of several makes count alike,
    /// the mean over them.
    pub worths: Vec<(Choice, f64)>,
}

/// A row of the chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// As charts say: `16`, `A7`, `88`, `TT`.
    pub cards: String,
    /// Against 2 to 9, ten and ace.
    pub cells: [Cell; 10],
}

/// The chart of a rule set: counts from 5 to 19 without an ace as eleven, an ace with 2 to 9, pairs.
pub fn chart(analysis: &Analysis) -> Vec<Row> {
    let row = |cards: String, pairs: Vec<(usize, usize)>| {
        // Columns begin with the 2; the ace has value 0 and comes last.
        Row { cards, cells: std::array::from_fn(|column| cell(analysis, &pairs, (column + 1) % 10)) }
    };
    // By values from 0 for the ace: two cards count two more than their values.
    let hard = (5..=19).map(|count: usize| {
        let pairs = (1..10).filter_map(|one| Some((one, (count - 2).checked_sub(one)?)));
        row(count.to_string(), pairs.filter(|&(one, other)| one < other && other < 10).collect())
    });
    let soft = (1..9).map(|value| row(format!("A{}", value + 1), vec![(0, value)]));
    let pairs = (0..10).map(|value| {
        let letter = name(value);
        row(format!("{letter}{letter}"), vec![(value, value)])
    });
    hard.chain(soft).chain(pairs).collect()
}

fn name(value: usize) -> char {
    ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'][value]
}

fn cell(analysis: &Analysis, pairs: &[(usize, usize)], up: usize) -> Cell {
    let house = analysis.house();
    let mut sum = [0.0; 5];
    let mut n_dealt = 0.0;
    let mut may_split = house.max_hands > 1;
    let mut may_double = true;
    for &(one, other) in pairs {
        let mut cards = [0; 10];
        cards[one] += 1;
        cards[other] += 1;
        let worth = analysis.worth(&cards, up).expect("two cards are not lost");
        let often = analysis.often(one, other, up);
        n_dealt += often;
        let Worth { stand, hit, double, split, surrender } = worth;
        may_split &= split.is_some();
        may_double &= house.may_double(one + other + 2);
        let worths = [stand, hit, double, split.unwrap_or(f64::NEG_INFINITY), surrender];
        sum.iter_mut().zip(worths).for_each(|(sum, worth)| *sum += often * worth);
    }
    let [stand, hit, double, split, surrender] = sum;
    let (otherwise, mut most) = if stand >= hit { (Choice::Stand, stand) } else { (Choice::Hit, hit) };
    let mut best = otherwise;
    let mut worths = vec![(Choice::Stand, stand / n_dealt), (Choice::Hit, hit / n_dealt)];
    for (play, worth, allowed) in [
        (Choice::Double, double, may_double),
        (Choice::Split, split, may_split),
        (Choice::Surrender, surrender, house.surrender),
    ] {
        if allowed {
            worths.push((play, worth / n_dealt));
        }
        if allowed && worth > most {
            (best, most) = (play, worth);
        }
    }
    worths.sort_by(|one, other| other.1.total_cmp(&one.1));
    Cell { best, otherwise, worths }
}

/// The chart of the game with these parameters, each place with what its actions are expected to win. Working it out takes
/// a second.
pub fn strategy(game: &Blackjack) -> Vec<Chart> {
    let rows = chart(&analysis(game));
    let shoe = match game.decks() {
        0 => "with every card put back".into(),
        1 => "from one full deck".into(),
        n => format!("from {n} full decks"),
    };
    let dealers = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"];
    vec![Chart {
        id: "strategy".into(),
        title: "What to do with two cards".into(),
        text: format!(
            "A row is your two cards: their count, an ace with another, or a pair (T is a ten or a picture); a column is \
             the dealer's card. S stand, H hit, D double, P split, R surrender; after a stroke what to do where that is \
             not allowed. Below stands what it is expected to win of each chip wagered, worked out exactly {shoe}."
        ),
        corner: "yours".into(),
        columns: dealers.map(Entry::text).into(),
        rows: rows.iter().map(chart_row).collect(),
    }]
}

fn chart_row(row: &Row) -> ChartRow {
    ChartRow { head: Entry::text(row.cards.clone()), entries: row.cells.iter().map(entry).collect() }
}

fn entry(cell: &Cell) -> Entry {
    let text = match cell.best {
        Choice::Double | Choice::Surrender => format!("{}/{}", cell.best.letter(), cell.otherwise.letter()),
        best => best.letter().into(),
    };
    let tone = match cell.best {
        Choice::Stand => Tone::Plain,
        Choice::Hit => Tone::Light,
        Choice::Double => Tone::Scale(3),
        Choice::Split => Tone::Dark,
        Choice::Surrender => Tone::Neutral,
    };
    let of_best = cell.worths.first().map(|&(_, worth)| signed(worth));
    let entry = Entry { tone: Some(tone), note: of_best, ..Entry::text(text) };
    cell.worths.iter().fold(entry, |entry, &(choice, worth)| entry.with_detail(choice.word(), signed(worth)))
}

/// `+0.125`, `−0.293`
fn signed(worth: f64) -> String {
    let sign = if worth < 0.0 { '−' } else { '+' };
    format!("{sign}{:.3}", worth.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackjack::house::House;

    /// A letter a cell: what is best, and `d` for doubling where else one stands.
    fn letters(row: &Row) -> String {
        let letter = |cell: &Cell| match (cell.best, cell.otherwise) {
            (Choice::Double, Choice::Stand) => 'd',
            (best, _) => best.letter(),
        };
        row.cells.iter().map(letter).collect()
    }

    #[test]
    fn the_chart_is_the_published_one() {
        // Six decks, standing on all 17s, doubling after splits, late surrender: as charts have it everywhere.
        let published = [
            ("5", "HHHHHHHHHH"),
            ("8", "HHHHHHHHHH"),
            ("9", "HDDDDHHHHH"),
            ("10", "DDDDDDDDHH"),
            ("11", "DDDDDDDDDH"),
            ("12", "HHSSSHHHHH"),
            ("13", "SSSSSHHHHH"),
            ("14", "SSSSSHHHHH"),
            ("15", "SSSSSHHHRH"),
            ("16", "SSSSSHHRRR"),
            ("17", "SSSSSSSSSS"),
            ("A2", "HHHDDHHHHH"),
            ("A3", "HHHDDHHHHH"),
            ("A4", "HHDDDHHHHH"),
            ("A5", "HHDDDHHHHH"),
            ("A6", "HDDDDHHHHH"),
            ("A7", "SddddSSHHH"),
            ("A8", "SSSSSSSSSS"),
            ("AA", "PPPPPPPPPP"),
            ("22", "PPPPPPHHHH"),
            ("33", "PPPPPPHHHH"),
            ("44", "HHHPPHHHHH"),
            ("55", "DDDDDDDDHH"),
            ("66", "PPPPPHHHHH"),
            ("77", "PPPPPPHHHH"),
            ("88", "PPPPPPPPPP"),
            ("99", "PPPPPSPPSS"),
            ("TT", "SSSSSSSSSS"),
        ];
        let rows = chart(&Analysis::new(House { surrender: true, ..House::usual(6) }));
        for (cards, expected) in published {
            let row = rows.iter().find(|row| row.cards == cards).unwrap();
            assert_eq!(letters(row), expected, "{cards}");
        }
    }

    #[test]
    fn a_place_tells_what_each_action_is_worth() {
        let game = raichi_core::erased::create::<Blackjack>(Some("decks=0")).unwrap();
        let charts = strategy(game.game());
        let [chart] = &charts[..] else { panic!("there is one chart") };
        assert_eq!(chart.fault(), None);
        let house = House::of(game.game());
        let analysis = Analysis::new(house);
        // A pair of eights against a ten, card by card: by value from the ace, 8 is number 7 and the ten number 9.
        let mut eights = [0; 10];
        eights[7] = 2;
        let worth = analysis.worth(&eights, 9).unwrap();
        let row = chart.rows.iter().find(|row| row.head.text == "88").unwrap();
        let details = &row.entries[8].details;
        let said = |word: &str| details.iter().find(|detail| detail.label == word).unwrap().value.clone();
        assert_eq!(said("stand"), signed(worth.stand));
        assert_eq!(said("hit"), signed(worth.hit));
        assert_eq!(said("double"), signed(worth.double));
        assert_eq!(said("split"), signed(worth.split.unwrap()));
        assert_eq!(said("surrender"), "−0.500");
        assert_eq!(row.entries[8].note.as_deref(), Some(details[0].value.as_str()));
        // The best stands first, and what the chart says is that.
        for (row, plain) in chart.rows.iter().zip(super::chart(&analysis)) {
            for (entry, cell) in row.entries.iter().zip(&plain.cells) {
                assert_eq!(entry.details[0].label, cell.best.word(), "{}", row.head.text);
                assert!(cell.worths.is_sorted_by(|one, other| one.1 >= other.1));
            }
        }
    }

    #[test]
    fn the_mean_over_alike_hands_is_weighed_by_how_often_they_are_dealt() {
        let analysis = Analysis::new(House::usual(1));
        let rows = chart(&analysis);
        let row = rows.iter().find(|row| row.cards == "7").unwrap();
        // 7 is 2 and 5, or 3 and 4; the dealer's 2 is value 1.
        let of = |one: usize, other: usize| {
            let mut cards = [0; 10];
            (cards[one], cards[other]) = (1, 1);
            (analysis.often(one, other, 1), analysis.worth(&cards, 1).unwrap().hit)
        };
        let ((n, a), (m, b)) = (of(1, 4), of(2, 3));
        let hit = row.cells[0].worths.iter().find(|(choice, _)| *choice == Choice::Hit).unwrap().1;
        assert!((hit - (n * a + m * b) / (n + m)).abs() < 1e-12);
    }
}
