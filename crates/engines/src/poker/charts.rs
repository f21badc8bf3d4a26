//! What is known of two cards before the flop, as the usual squares: pairs on the diagonal, suited hands above it, others
//! below.

use std::ops::RangeInclusive;

use raichi_core::chart::{Chart, Entry, Row};
use raichi_core::picture::Tone;
use raichi_games::cards::RANKS;

use super::preflop::class_name;
use super::push_or_fold::{STACKS, call, push};
use super::{against_random, preflop};

/// All-in or fold, from both blinds, and what hands are worth against any other.
pub fn charts() -> Vec<Chart> {
    let played = "A place says with which stacks, in big blinds, at least half of the time; opened it tells how often with each \
                  stack. It is an equilibrium of the game in which the small blind goes all-in or folds and the big blind \
                  calls or folds, both with the same stack and nobody else in the hand: neither can gain a \
                  millionth of a big blind by another play.";
    let squares = "Pairs stand on the diagonal, suited hands (s) above it, others (o) below.";
    let often = |of: fn(usize, u32) -> Option<f64>| move |kind| of_stacks(kind, of);
    vec![
        square(
            "push",
            "All-in or fold: the small blind",
            format!("With which two cards the small blind goes all-in. {squares} {played}"),
            often(push),
        ),
        square(
            "call",
            "All-in or fold: the big blind",
            format!("With which two cards the big blind calls the small blind's all-in. {squares} {played}"),
            often(call),
        ),
        square(
            "equity",
            "Two cards against any other two",
            format!(
                "What part of the pot two cards win when both hands are shown down, against any two of the other cards and on \
                 all boards, a tie as half; counted exactly. {squares}"
            ),
            equity,
        ),
    ]
}

/// A place for each kind of hand, aces first.
fn square(id: &str, title: &str, text: String, entry: impl Fn(usize) -> Entry) -> Chart {
    let ranks = || (0..13).rev();
    let head = |rank: usize| Entry::text(char::from(RANKS[rank]));
    let row = |high: usize| Row { head: head(high), entries: ranks().map(|low| entry(high * 13 + low)).collect() };
    Chart {
        id: id.into(),
        title: title.into(),
        text,
        corner: "cards".into(),
        columns: ranks().map(head).collect(),
        rows: ranks().map(row).collect(),
    }
}

/// With which stacks a kind is played, and how often.
fn of_stacks(kind: usize, of: fn(usize, u32) -> Option<f64>) -> Entry {
    let often = |stack: u32| of(kind, stack).unwrap_or_default();
    let played: Vec<_> = alike(|stack| often(stack) >= 0.5).into_iter().filter(|&(_, played)| played).collect();
    let tone = match &played[..] {
        [] => Tone::Plain,
        [(stacks, _)] if *stacks == STACKS => Tone::Scale(3),
        _ => Tone::Light,
    };
    let told: Vec<String> = played.iter().map(|(stacks, _)| range(stacks)).collect();
    let note = if told.is_empty() { "never".into() } else { told.join(", ") };
    let entry = Entry { tone: Some(tone), note: Some(note), ..Entry::text(class_name(kind)) };
    let details = alike(|stack| percent(often(stack), 1)).into_iter();
    details.fold(entry, |entry, (stacks, often)| entry.with_detail(format!("{} blinds", range(&stacks)), often))
}

/// The stacks of the chart, those that follow each other and have the same together.
fn alike<T: PartialEq>(of: impl Fn(u32) -> T) -> Vec<(RangeInclusive<u32>, T)> {
    let mut groups: Vec<(RangeInclusive<u32>, T)> = Vec::new();
    for stack in STACKS {
        let own = of(stack);
        match groups.last_mut() {
            Some((stacks, same)) if *same == own => *stacks = *stacks.start()..=stack,
            _ => groups.push((stack..=stack, own)),
        }
    }
    groups
}

/// `2–20`, `7`
fn range(stacks: &RangeInclusive<u32>) -> String {
    let (first, last) = (stacks.start(), stacks.end());
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}

fn equity(kind: usize) -> Entry {
    let counts = against_random::counts(kind).unwrap_or_default();
    let all = counts.iter().sum::<u64>() as f64;
    let share = against_random::share(kind).unwrap_or_default();
    let tone = match share {
        share if share >= 0.6 => Tone::Scale(3),
        share if share >= 0.5 => Tone::Light,
        _ => Tone::Plain,
    };
    let entry = Entry { tone: Some(tone), note: Some(percent(share, 1)), ..Entry::text(class_name(kind)) };
    let lines = ["won", "tied", "lost"].into_iter().zip(counts);
    let entry = lines.fold(entry, |entry, (label, n)| entry.with_detail(label, percent(n as f64 / all, 3)));
    entry.with_detail("hands of this kind", preflop::n_hands(kind).to_string())
}

/// `85.2 %`, and whole numbers where it is one.
fn percent(part: f64, n_digits: usize) -> String {
    let percent = 100.0 * part;
    if percent == percent.round() { format!("{percent} %") } else { format!("{percent:.n_digits$} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(chart: &Chart, row: usize, column: usize) -> (&str, &str) {
        let entry = &chart.rows[row].entries[column];
        (&entry.text, entry.note.as_deref().expect("every place has a note"))
    }

    #[test]
    fn the_squares_are_the_usual_ones() {
        let charts = charts();
        let [push, call, equity] = &charts[..] else { panic!("there are three") };
        for chart in &charts {
            assert_eq!(chart.fault(), None);
            assert!(chart.rows.len() == 13 && chart.columns[0].text == "A" && chart.rows[12].head.text == "2");
            let names = [(0, 0), (0, 1), (1, 0), (12, 12)].map(|(row, column)| place(chart, row, column).0);
            assert_eq!(names, ["AA", "AKs", "AKo", "22"], "suited above the diagonal");
        }
        assert_eq!([push, call].map(|chart| place(chart, 0, 0).1), ["2–20", "2–20"]);
        assert_eq!((place(equity, 0, 0).1, place(equity, 12, 11)), ("85.2 %", ("32o", "32.3 %")));
        let details = |chart: &Chart| chart.rows[0].entries[0].details.len();
        assert_eq!([push, call, equity].map(details), [1, 1, 4]);
    }

    #[test]
    fn a_place_says_with_which_stacks_a_hand_is_played() {
        for (chart, of) in charts().iter().zip([push as fn(usize, u32) -> Option<f64>, call]) {
            for (kind, entry) in (0..169).rev().zip(chart.rows.iter().flat_map(|row| &row.entries)) {
                assert_eq!(entry.text, class_name(kind));
                let note = entry.note.as_deref().expect("every place has a note");
                let often = |stack: u32| of(kind, stack).expect("it is in the chart");
                match note {
                    "never" => assert!(STACKS.clone().all(|stack| often(stack) < 0.5)),
                    "2–20" => assert!(STACKS.clone().all(|stack| often(stack) >= 0.5)),
                    _ => assert!(STACKS.clone().any(|stack| often(stack) >= 0.5)),
                }
                // Every stack is in one line, which begins where the one before ends.
                let mut next = 2;
                for detail in &entry.details {
                    let label = detail.label.strip_suffix(" blinds").expect("it is of stacks");
                    let ends = label.split_once('–').unwrap_or((label, label));
                    let (first, last): (u32, u32) = (ends.0.parse().unwrap(), ends.1.parse().unwrap());
                    assert_eq!(first, next);
                    assert!((first..=last).all(|stack| percent(often(stack), 1) == detail.value));
                    next = last + 1;
                }
                assert_eq!(next, 21);
            }
        }
        assert_eq!(alike(|stack| stack / 10), [(2..=9, 0), (10..=19, 1), (20..=20, 2)]);
    }

    #[test]
    fn parts_are_hundredths() {
        assert_eq!([percent(1.0, 1), percent(0.0, 1), percent(0.3725, 1)], ["100 %", "0 %", "37.2 %"]);
    }
}
