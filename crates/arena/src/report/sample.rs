//! Records that stand for all games of a tournament: about as many of each order of the agents on the seats, spread evenly
//! from its first game to its last.

use std::collections::HashMap;

use raichi_core::record::Record;

use super::tournament::MOST_SHOWN;

/// Records kept for the page while a tournament is played, which may have far more games than can be kept.
#[derive(Default)]
pub struct Sample {
    /// By game and agents on its seats.
    orders: HashMap<(String, Vec<String>), Order>,
    n_seen: u64,
}

/// Every so many games of one order are kept.
#[derive(Default)]
struct Order {
    /// How often it was halved: one game of 2 to this power is kept.
    halved: u32,
    n_seen: u64,
    /// With their numbers in the tournament.
    kept: Vec<(u64, Record)>,
}

impl Sample {
    /// Another game was played.
    pub fn add(&mut self, record: &Record) {
        let most = MOST_SHOWN.div_ceil(self.orders.len().max(1));
        let order = self.orders.entry((record.game.clone(), record.seats.clone())).or_default();
        order.add(self.n_seen, record);
        order.thin(most);
        self.n_seen += 1;
    }

    /// The records kept, in the order in which they were played.
    pub fn records(self) -> Vec<Record> {
        let mut all: Vec<(u64, Record)> = self.orders.into_values().flat_map(|order| order.kept).collect();
        all.sort_by_key(|&(number, _)| number);
        all.into_iter().map(|(_, record)| record).collect()
    }
}

impl Order {
    fn add(&mut self, number: u64, record: &Record) {
        if self.n_seen.is_multiple_of(1 << self.halved) {
            self.kept.push((number, record.clone()));
        }
        self.n_seen += 1;
    }

    /// Keeps fewer than twice as many as `most`, as far apart as each other.
    fn thin(&mut self, most: usize) {
        while self.kept.len() >= 2 * most.max(1) {
            let mut is_even = false;
            self.kept.retain(|_| {
                is_even = !is_even;
                is_even
            });
            self.halved += 1;
        }
    }
}

/// An order of places in a list, of which every beginning is spread evenly over the list: the first, the one in the middle,
/// those at the quarters, and so on.
pub(super) fn spread(n: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    places.sort_by_key(|place| place.reverse_bits());
    places
}

/// An order of records of which every beginning is spread evenly over who sits where and over time.
pub(super) fn spread_records(records: &[Record]) -> Vec<usize> {
    let mut orders: Vec<Vec<usize>> = Vec::new();
    let mut numbers: HashMap<&[String], usize> = HashMap::new();
    for (i, record) in records.iter().enumerate() {
        let number = *numbers.entry(&record.seats).or_insert(orders.len());
        if number == orders.len() {
            orders.push(Vec::new());
        }
        orders[number].push(i);
    }
    let spread_orders: Vec<Vec<usize>> = spread(orders.len())
        .into_iter()
        .map(|order| spread(orders[order].len()).into_iter().map(|place| orders[order][place]).collect())
        .collect();
    let longest = spread_orders.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(|nth| spread_orders.iter().filter_map(move |order| order.get(nth).copied())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::record::{RecordedPly, VERSION};

    fn record(seats: [&str; 2], round: usize) -> Record {
        Record {
            version: VERSION,
            game: "tic-tac-toe".into(),
            position: None,
            levels: None,
            seats: seats.map(String::from).to_vec(),
            seed: None,
            plies: vec![RecordedPly { text: round.to_string(), millis: None }],
            result: None,
            program: String::new(),
        }
    }

    fn rounds(records: &[Record], first: &str) -> Vec<usize> {
        let own = records.iter().filter(|record| record.seats[0] == first);
        own.map(|record| record.plies[0].text.parse().unwrap()).collect()
    }

    #[test]
    fn of_many_games_some_of_each_order_are_kept_from_the_first_to_the_last() {
        let mut sample = Sample::default();
        for round in 0..10_000 {
            sample.add(&record(["a", "b"], round));
            sample.add(&record(["b", "a"], round));
        }
        let records = sample.records();
        for first in ["a", "b"] {
            let kept = rounds(&records, first);
            assert!((MOST_SHOWN / 2..MOST_SHOWN).contains(&kept.len()), "{}", kept.len());
            let apart = kept[1] - kept[0];
            assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == apart) && kept[0] == 0, "{kept:?}");
            assert!(10_000 - kept[kept.len() - 1] <= apart, "{kept:?}");
        }
        assert_eq!(records[0].seats, ["a", "b"]);
    }

    #[test]
    fn of_few_games_all_are_kept() {
        let mut sample = Sample::default();
        (0..9).for_each(|round| sample.add(&record(["a", "b"], round)));
        assert_eq!(rounds(&sample.records(), "a"), (0..9).collect::<Vec<_>>());
    }

    #[test]
    fn every_beginning_is_spread_evenly() {
        assert_eq!(spread(8), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(spread(5), [0, 4, 2, 1, 3]);
        assert!(spread(0).is_empty());
        // One of each order before a second of any.
        let records: Vec<Record> =
            (0..4).flat_map(|round| [["a", "b"], ["b", "a"], ["a", "c"]].map(|seats| record(seats, round))).collect();
        let order = spread_records(&records);
        let mut all = order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..12).collect::<Vec<_>>());
        for beginning in order.chunks(3) {
            let mut seats: Vec<&[String]> = beginning.iter().map(|&i| records[i].seats.as_slice()).collect();
            seats.sort_unstable();
            seats.dedup();
            assert_eq!(seats.len(), 3, "{order:?}");
        }
        let rounds: Vec<usize> = order.iter().map(|i| i / 3).collect();
        assert_eq!(rounds, [0, 0, 0, 2, 2, 2, 1, 1, 1, 3, 3, 3]);
    }
}
