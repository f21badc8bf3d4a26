//! Basic strategy: the usual chart, derived.
//!
//! A row is a kind of two cards, a column the dealer's card. Where cards of several makes count alike (10 and 2, 9 and 3), each
//! counts as often as it is dealt, and the action is the one that is best for them together.

use super::exact::{Analysis, Worth};

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

/// What is best, and what is where that is not allowed (with more than two cards, say).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The best of all.
    pub best: Choice,
    /// The better of standing and drawing.
    pub otherwise: Choice,
}

/// A row of the chart.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    let mut may_split = house.max_hands > 1;
    let mut may_double = true;
    for &(one, other) in pairs {
        let mut cards = [0; 10];
        cards[one] += 1;
        cards[other] += 1;
        let worth = analysis.worth(&cards, up).expect("two cards are not lost");
        let often = analysis.often(one, other, up);
        let Worth { stand, hit, double, split, surrender } = worth;
        may_split &= split.is_some();
        may_double &= house.may_double(one + other + 2);
        let worths = [stand, hit, double, split.unwrap_or(f64::NEG_INFINITY), surrender];
        sum.iter_mut().zip(worths).for_each(|(sum, worth)| *sum += often * worth);
    }
    let [stand, hit, double, split, surrender] = sum;
    let (otherwise, mut most) = if stand >= hit { (Choice::Stand, stand) } else { (Choice::Hit, hit) };
    let mut best = otherwise;
    for (play, worth, allowed) in [
        (Choice::Double, double, may_double),
        (Choice::Split, split, may_split),
        (Choice::Surrender, surrender, house.surrender),
    ] {
        if allowed && worth > most {
            (best, most) = (play, worth);
        }
    }
    Cell { best, otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackjack::house::House;

    /// A letter a cell: what is best, and `d` for doubling where else one stands.
    fn letters(row: &Row) -> String {
        let letter = |cell: &Cell| match (cell.best, cell.otherwise) {
            (Choice::Double, Choice::Stand) => 'd',
            (Choice::Double, _) => 'D',
            (Choice::Stand, _) => 'S',
            (Choice::Hit, _) => 'H',
            (Choice::Split, _) => 'P',
            (Choice::Surrender, _) => 'R',
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
}
