//! All-in or nothing before the flop, heads-up: which hands the small blind goes all-in with, and which the big blind calls
//! with, so that neither can do better.
//!
//! The game: both have the same stack, counted in big blinds. The small blind (half a big blind) goes all-in or folds; then
//! the big blind calls or folds; all hands and boards are equally likely. Suits can only be exchanged, so a strategy is a
//! number for each of the 169 kinds of hands, and the game is 338 information sets and a matrix of exact shares
//! ([`Preflop`]), solved by discounted CFR. The equilibria are as exact as their exploitability says: below one millionth of
//! a big blind in the chart.
//! Not here: raises of other sizes, antes, more seats, stacks of different worth near the prizes of a tournament.
//! The chart `push_or_fold.txt` is written by the example `push_or_fold`; a nightly test checks it.

use std::sync::LazyLock;

use raichi_solve::regret::{Builder, FullCfr, Sequences, Weights};

use super::preflop::{N_CLASSES, Preflop, class_name, n_hands};

/// The stacks of the chart, in big blinds.
pub const STACKS: std::ops::RangeInclusive<u32> = 2..=20;

/// Strategies of both blinds with one stack.
#[derive(Clone, PartialEq, Debug)]
pub struct Equilibrium {
    /// How often the small blind goes all-in, by kind of hand.
    pub push: Vec<f64>,
    /// How often the big blind calls, by kind of hand.
    pub call: Vec<f64>,
    /// What the small blind wins, in big blinds a hand.
    pub value: f64,
    /// What both together could win by deviating, halved.
    pub exploitability: f64,
}

/// Information sets and ends of the game with a stack. Sequences of the small blind: fold, then all-in, of kind 0, of kind
/// 1, and so on from number 1; of the big blind: fold, then call.
fn game(shares: &Preflop, stack: f64) -> Sequences {
    let mut game = Builder::new(0.0);
    let mut first = |seat, kind| game.information_set(seat, kind as u64, 0, 2).expect("each is told once");
    let sets = [0, 1].map(|seat| (0..N_CLASSES).map(|kind| first(seat, kind)).collect::<Vec<u32>>());
    let n_deals: u64 = (0..N_CLASSES).map(n_hands).sum::<u64>() * (50 * 49 / 2);
    for own in 0..N_CLASSES {
        game.end([sets[0][own], 0], -0.5 * n_hands(own) as f64 / 1326.0);
        for other in 0..N_CLASSES {
            let likely = shares.pairs(own, other) as f64 / n_deals as f64;
            if likely > 0.0 {
                let (all_in, folds, calls) = (sets[0][own] + 1, sets[1][other], sets[1][other] + 1);
                game.end([all_in, folds], likely);
                game.end([all_in, calls], likely * stack * (2.0 * shares.share(own, other) - 1.0));
            }
        }
    }
    game.build()
}

/// The equilibrium with a stack, in big blinds, to an exploitability of `target`, or after `most` iterations.
pub fn solve(shares: &Preflop, stack: f64, target: f64, most: u64) -> Equilibrium {
    let game = game(shares, stack);
    let mut cfr = FullCfr::new(&game, Weights::DISCOUNTED);
    let mut plans = cfr.average();
    while cfr.n_iterations() < most && game.exploitability([&plans[0], &plans[1]]) > target {
        (0..50).for_each(|_| cfr.iterate());
        plans = cfr.average();
    }
    equilibrium(&game, &plans)
}

fn equilibrium(game: &Sequences, plans: &[Vec<f64>; 2]) -> Equilibrium {
    let both = [&plans[0][..], &plans[1][..]];
    // Each seat acts once, so its plan is how it behaves.
    let second = |plan: &[f64]| plan[1..].iter().skip(1).step_by(2).copied().collect();
    Equilibrium {
        push: second(both[0]),
        call: second(both[1]),
        value: game.values(both)[0],
        exploitability: game.exploitability(both),
    }
}

/// The strategies of the chart with their value and exploitability under `shares`; a test of the chart.
pub fn of_chart(shares: &Preflop, stack: u32) -> Equilibrium {
    let game = game(shares, stack.into());
    let plan = |seat: usize| {
        let mut plan = vec![1.0];
        for kind in 0..N_CLASSES {
            let often = CHART[seat][kind][(stack - STACKS.start()) as usize];
            plan.extend([1.0 - often, often]);
        }
        plan
    };
    equilibrium(&game, &[plan(0), plan(1)])
}

/// How often the small blind goes all-in with a kind of hand and a stack of 2 to 20 big blinds.
pub fn push(kind: usize, stack: u32) -> Option<f64> {
    of(0, kind, stack)
}

/// How often the big blind calls an all-in.
pub fn call(kind: usize, stack: u32) -> Option<f64> {
    of(1, kind, stack)
}

fn of(seat: usize, kind: usize, stack: u32) -> Option<f64> {
    let column = stack.checked_sub(*STACKS.start())?;
    CHART[seat].get(kind)?.get(column as usize).copied()
}

/// The chart's text: a line for each seat and kind of hand, with a number for each stack.
pub fn chart_text(equilibria: &[Equilibrium]) -> String {
    let mut text = String::from(
        "# All-in or fold, heads-up: how often (in millionths) the small blind goes all-in and the big blind calls, by kind\n\
         # of hand and stack (2 to 20 big blinds). Written by the example push_or_fold of raichi-engines.\n",
    );
    for seat in 0..2 {
        for kind in (0..N_CLASSES).rev() {
            text += &format!("{} {}", ["push", "call"][seat], class_name(kind));
            for equilibrium in equilibria {
                let often = [&equilibrium.push, &equilibrium.call][seat][kind];
                text += &format!(" {:.0}", often * 1e6);
            }
            text.push('\n');
        }
    }
    text
}

type Column = Vec<Vec<f64>>;

static CHART: LazyLock<[Column; 2]> = LazyLock::new(|| {
    let mut chart = [(); 2].map(|()| vec![Vec::new(); N_CLASSES]);
    let lines = include_str!("push_or_fold.txt").lines().filter(|line| !line.starts_with('#'));
    for (nth, line) in lines.enumerate() {
        let (seat, kind) = (nth / N_CLASSES, N_CLASSES - 1 - nth % N_CLASSES);
        chart[seat][kind] =
            line.split(' ').skip(2).filter_map(|often| often.parse().ok()).map(|often: f64| often / 1e6).collect();
    }
    chart
});

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> usize {
        (0..N_CLASSES).find(|&class| class_name(class) == name).expect("there is such a kind")
    }

    #[test]
    fn the_chart_is_whole() {
        let lines: Vec<&str> = include_str!("push_or_fold.txt").lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.len(), 2 * N_CLASSES);
        for (nth, line) in lines.iter().enumerate() {
            let name = class_name(N_CLASSES - 1 - nth % N_CLASSES);
            let word = ["push", "call"][nth / N_CLASSES];
            assert!(line.starts_with(&format!("{word} {name} ")), "{line}");
        }
        for seat in 0..2 {
            assert!(
                CHART[seat].iter().all(|row| row.len() == 19 && row.iter().all(|often| (0.0..=1.0).contains(often)))
            );
        }
        assert_eq!((push(kind("AA"), 1), push(kind("AA"), 21), push(169, 5)), (None, None, None));
    }

    #[test]
    fn aces_always_play_and_the_more_there_is_to_lose_the_fewer_hands_do() {
        for stack in STACKS {
            assert_eq!((push(kind("AA"), stack), call(kind("AA"), stack)), (Some(1.0), Some(1.0)));
        }
        let share = |of: fn(usize, u32) -> Option<f64>, stack| {
            let played = |kind| of(kind, stack).expect("it is in the chart") * n_hands(kind) as f64;
            (0..N_CLASSES).map(played).sum::<f64>() / 1326.0
        };
        let pushes: Vec<f64> = STACKS.map(|stack| share(push, stack)).collect();
        let calls: Vec<f64> = STACKS.map(|stack| share(call, stack)).collect();
        assert!(pushes.is_sorted_by(|more, less| more >= less), "{pushes:?}");
        assert!(calls.is_sorted_by(|more, less| more >= less), "{calls:?}");
        // The small blind risks a fold of the other, so it may go all-in with less than the other needs to call.
        assert!(pushes.iter().zip(&calls).skip(3).all(|(push, call)| push > call));
        assert_eq!(push(kind("32o"), 20), Some(0.0));
    }

    #[test]
    #[ignore = "counts all boards; part of the nightly run"]
    fn nightly_the_chart_cannot_be_beaten_by_more_than_a_millionth_of_a_blind() {
        let shares = Preflop::count(&mut |_| {});
        for stack in STACKS {
            let found = of_chart(&shares, stack);
            assert!(found.exploitability < 2e-6, "{stack}: {}", found.exploitability);
        }
    }
}
