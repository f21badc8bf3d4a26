//! Two cards against two others of which nothing is known, before the flop: how often each of the 169 kinds of hole cards
//! wins, over all hands of the other and all boards.
//!
//! The counts in `against_random.txt` are exact, and written by the example `against_random`; a nightly test counts them
//! anew. Each line has a kind, and won, tied and lost in pairs of hands times boards.

use std::sync::LazyLock;

use super::preflop::{N_CLASSES, Preflop, class_name};

/// Won, tied and lost by a kind of hand, in pairs of hands times boards; `None` where there is no such kind.
pub fn counts(kind: usize) -> Option<[u64; 3]> {
    COUNTS.get(kind).copied()
}

/// The share of the pot that a kind has, from 0 to 1.
pub fn share(kind: usize) -> Option<f64> {
    let [won, tied, lost] = counts(kind)?;
    Some((won as f64 + tied as f64 / 2.0) / (won + tied + lost) as f64)
}

/// The text of the counts, the strongest kinds by rank first.
pub fn counts_text(shares: &Preflop) -> String {
    let mut text = String::from(
        "# Before the flop, against any other two cards and on all boards: won, tied and lost, in pairs of hands times\n\
         # boards, by kind of hand. Written by the example against_random of raichi-engines.\n",
    );
    for kind in (0..N_CLASSES).rev() {
        let [won, tied, lost] = shares.against_any(kind);
        text += &format!("{} {won} {tied} {lost}\n", class_name(kind));
    }
    text
}

static COUNTS: LazyLock<Vec<[u64; 3]>> = LazyLock::new(|| {
    let lines = include_str!("against_random.txt").lines().rev().filter(|line| !line.starts_with('#'));
    let numbers = lines.map(|line| {
        let mut numbers = line.split(' ').skip(1).filter_map(|number| number.parse().ok());
        [(); 3].map(|()| numbers.next().unwrap_or_default())
    });
    numbers.collect()
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poker::preflop::{N_BOARDS, n_hands};

    fn kind(name: &str) -> usize {
        (0..N_CLASSES).find(|&class| class_name(class) == name).expect("there is such a kind")
    }

    #[test]
    fn the_counts_are_whole() {
        let lines = include_str!("against_random.txt").lines().filter(|line| !line.starts_with('#'));
        let names: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names, (0..N_CLASSES).rev().map(class_name).collect::<Vec<_>>());
        let mut sum = 0.0;
        for kind in 0..N_CLASSES {
            let counts = counts(kind).expect("there is such a kind");
            assert_eq!(counts.iter().sum::<u64>(), n_hands(kind) * (50 * 49 / 2) * N_BOARDS, "{}", class_name(kind));
            sum += n_hands(kind) as f64 / 1326.0 * share(kind).expect("there is such a kind");
        }
        assert!((sum - 0.5).abs() < 1e-12, "what one wins the other loses: {sum}");
        assert_eq!((counts(169), share(169)), (None, None));
    }

    // As tables have them everywhere, in hundredths of the pot.
    #[test]
    fn published_shares_are_met() {
        for (name, published) in [
            ("AA", 85.20),
            ("KK", 82.40),
            ("22", 50.33),
            ("AKs", 67.04),
            ("AKo", 65.32),
            ("72o", 34.58),
            ("32o", 32.30),
        ] {
            let found = 100.0 * share(kind(name)).expect("there is such a kind");
            assert!((found - published).abs() < 0.006, "{name}: {found}");
        }
    }

    #[test]
    #[ignore = "counts all boards; part of the nightly run"]
    fn nightly_the_counts_are_those_of_all_boards() {
        assert_eq!(counts_text(&Preflop::count(&mut |_| {})), include_str!("against_random.txt"));
    }
}
