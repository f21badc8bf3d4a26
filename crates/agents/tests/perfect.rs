//! `perfect` against itself, from random positions of the solved games that are too large for every run: no ply gives away
//! what the position is worth, wins are shortened, losses prolonged.
//!
//! A thousand positions of each, or of the largest boards fewer; `RAICHI_POSITIONS=20` looks at so many at most. Small games
//! are in `agents.rs`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raichi_agents::{Budget, CancelFlag, Exact, SystemHost, Work, prepare, truth};
use raichi_core::erased::AnyGame;
use raichi_core::game::{Payoffs, Phase};
use raichi_core::host::Host;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{AnyMatch, Viewer};
use raichi_solve::Method;

const AGENT: &str = "perfect:time=600s";
const THOUSAND: u64 = 1000;

/// How many positions are looked at where `n` are wanted.
fn at_most(n: u64) -> u64 {
    let most = std::env::var("RAICHI_POSITIONS").ok().and_then(|most| most.parse().ok());
    most.map_or(n, |most: u64| n.min(most))
}

/// Plays so many plies at random.
fn play_random(current: &mut dyn AnyMatch, n_plies: u64, rng: &mut FastRng) {
    for _ in 0..n_plies {
        match current.phase() {
            Phase::Over => return,
            Phase::Chance => current.sample_outcome(rng).unwrap(),
            Phase::Act(seats) => current.play_random(seats.first(), rng).unwrap(),
        }
    }
}

/// From `n` positions of games of `spec` that `begin` has begun at random, with their numbers.
fn keeps_the_value(spec: &str, n: u64, begin: impl Fn(&mut dyn AnyMatch, u64, &mut FastRng)) {
    let game = raichi_games::game(spec).unwrap();
    let known = truth::known(&*game).unwrap();
    let cancel = CancelFlag::default();
    let work = unlimited(&cancel);
    let prepared = prepare(&game, AGENT).unwrap();
    let mut n_plies = 0;
    for seed in 0..at_most(n) {
        let mut rng = stream(seed, "perfect", 0);
        let begun = (0..1000).find_map(|_| {
            let mut current = game.new_match();
            begin(&mut *current, seed, &mut rng);
            // A game may be over before it has come so far.
            (current.phase() != Phase::Over).then_some(current)
        });
        let mut current = begun.expect("most games come so far");
        let mut session = prepared.open(seed);
        loop {
            let seat = match current.phase() {
                Phase::Over => break,
                Phase::Chance => {
                    current.sample_outcome(&mut rng).unwrap();
                    continue;
                }
                Phase::Act(seats) => seats.first(),
            };
            let examined = known.examine(&*current, None, &work);
            let before = examined.exact.as_ref().unwrap();
            let advice = session.decide(&*current, seat, Budget::UNLIMITED).unwrap();
            let place = format!("{spec} seed {seed}: {} {}", current.history(Viewer::Referee), advice.action);
            assert!(advice.proven, "{place}: {advice:?}");
            current.play(seat, &advice.action).unwrap();
            let after = if game.facts().hidden {
                // The position that follows may show what nobody knew.
                let action = examined.actions.iter().find(|action| action.action == advice.action);
                action.expect("it is an action").exact.clone()
            } else {
                known.examine(&*current, None, &work).exact
            };
            check_ply(seat, before, after.as_ref().unwrap(), &place);
            n_plies += 1;
        }
    }
    println!("{spec}: {} positions, {n_plies} plies", at_most(n));
}

fn check_ply(seat: usize, before: &Exact, after: &Exact, place: &str) {
    assert!((after.values[seat] - before.values[seat]).abs() < 1e-9, "{place}: {before:?} {after:?}");
    let values = before.values.as_slice();
    // Draws are equal, however long.
    let is_decided = values.len() == 1 || values.iter().any(|&payoff| payoff != values[0]);
    if let (true, Some(before), Some(after)) = (is_decided, before.plies, after.plies) {
        assert_eq!(after + 1, before, "{place}: wins are shortened, losses prolonged");
    }
}

/// Begins with `least` to `most` plies at random.
fn after(least: u64, most: u64) -> impl Fn(&mut dyn AnyMatch, u64, &mut FastRng) {
    move |current, seed, rng| play_random(current, least + seed % (most - least + 1), rng)
}

#[test]
fn a_few_positions_of_large_games() {
    let few = 4;
    keeps_the_value("connect-four", few, after(20, 20));
    keeps_the_value("hex:size=5", few, after(6, 8));
    keeps_the_value("black:rows=4,columns=4", few, after(2, 6));
    keeps_the_value("yavalath:size=3", few, after(7, 10));
    keeps_the_value("2048:size=2", few, after(0, 24));
    keeps_the_value("al-jabar:group=2/2,copies=4", few, after(0, 40));
    keeps_the_value("blackjack:decks=0,rounds=1,chips=1000", few, after(0, 8));
    keeps_the_value("rubiks-cube:size=3,scramble=4", few, scrambled(0));
}

fn unlimited<'a>(cancel: &'a CancelFlag) -> Work<'a> {
    Work { deadline: None, cancel, host: &SystemHost, n_threads: 1, memory: 256 << 20, folder: None, progress: &|_| () }
}

/// A clock that goes on by a millisecond whenever it is asked, so that a test goes the same on every machine.
#[derive(Default)]
struct AskedClock(AtomicU64);

impl Host for AskedClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

/// What is known of the position after `history` and of its actions.
fn known_after(spec: &str, history: &str) -> truth::Examined {
    let game = raichi_games::game(spec).unwrap();
    let mut current = game.new_match();
    current.play_history(history).unwrap();
    known_of(&*game, &*current, Duration::from_secs(2))
}

/// What is known of a position and of its actions, within a time of that clock.
fn known_of(game: &dyn AnyGame, current: &dyn AnyMatch, time: Duration) -> truth::Examined {
    let cancel = CancelFlag::default();
    let clock = AskedClock::default();
    let work = Work { deadline: Some(time), host: &clock, ..unlimited(&cancel) };
    truth::known(game).unwrap().examine(current, None, &work)
}

#[test]
fn what_a_search_finds_of_actions_is_not_called_known_from_a_table() {
    // Tables of Tablut know endings only; whatever loses at once here is found by a search.
    let game = raichi_games::game("tablut").unwrap();
    let current = game.match_at("3MMM3/4M4/4S4/M3S3M/M1S1K2MM/M3S3M/4S4/4M4/3MMM3 0").unwrap();
    let examined = known_of(&*game, &*current, Duration::from_secs(3600));
    let n_known = examined.actions.iter().filter(|action| action.exact.is_ok()).count();
    assert!(examined.exact.is_err() && n_known > 0, "{n_known} known");
    assert_eq!(examined.method, Method::Search);
}

#[test]
fn the_card_that_lies_face_down_changes_no_value() {
    let (mut n_known, mut n_unknown) = (0, 0);
    for (params, before, after) in [
        ("decks=0,peek=false", "~9h ~Ad ~7s", "insurance"),
        ("decks=6,peek=false", "~9h ~Ad ~7s", "insurance"),
        ("decks=6,peek=false,insurance=half", "~9h ~Ad ~7s", "insurance"),
        ("decks=6", "~9h ~Ad ~7s", ""),
        ("decks=6", "~8s ~Ac ~8d", ""),
        ("decks=6,chips=20", "~8s ~Ac ~8d", ""),
        ("decks=6", "~8s ~6c ~8d", ""),
        ("decks=6,soft17=hit", "~8s ~Ac ~8d", ""),
        ("decks=6,soft17=hit", "~8s ~6c ~8d", ""),
        ("decks=6", "~As ~Tc ~Ad", "split ~Kc ~9d"),
        ("decks=0,chips=20", "~As ~9c ~Ad", "split ~Kc ~9d"),
    ] {
        let spec = format!("blackjack:rounds=1,{params}");
        let told = ["2h", "3h", "9h"].map(|card| {
            let examined = known_after(&spec, &format!("bet-10 {before} ~{card} {after}"));
            let actions = examined.actions.iter().map(|action| (action.action.clone(), action.exact.clone().ok()));
            (examined.exact.clone().ok(), actions.collect::<Vec<_>>())
        });
        assert!(told.iter().all(|one| *one == told[0]), "{spec} {before} {after}: {told:?}");
        let (exact, actions) = &told[0];
        if let Some(exact) = exact {
            let best =
                actions.iter().map(|(_, exact)| exact.as_ref().unwrap().values[0]).fold(f64::NEG_INFINITY, f64::max);
            assert!((exact.values[0] - best).abs() < 1e-9, "{spec} {before} {after}: {told:?}");
        }
        n_known += actions.iter().filter(|(_, exact)| exact.is_some()).count();
        n_unknown += usize::from(exact.is_none());
    }
    assert!(n_known > 10 && n_unknown > 3, "{n_known} actions known, {n_unknown} positions not");
}

#[test]
fn what_is_lost_in_the_end_is_lost_as_late_as_the_table_says() {
    let examined = known_after("french-military", "3-6 5-9 1-2 9-B 2-3 B-7 6-5 7-4 3-6 4-7 5-8 7-5");
    let plies = |name: &str| {
        let action = examined.actions.iter().find(|action| action.action == name).unwrap();
        action.exact.as_ref().unwrap().plies
    };
    assert_eq!([plies("6-9"), plies("8-B"), plies("8-7")], [Some(9), Some(13), None]);
    let best = examined.ranked()[0].0.action.clone();
    assert!(["8-7", "8-9"].contains(&&*best), "{best}");
}

#[test]
fn a_third_occurrence_wins_what_was_lost() {
    // Black comes back to 5, whence White hunted it twice.
    let examined = known_after("french-military", "1-2 5-6 2-1 6-5 1-2 5-9 2-1");
    let exact = examined.exact.as_ref().unwrap();
    assert_eq!((exact.values.as_slice(), exact.plies, examined.holds), (&[-1.0, 1.0][..], Some(1), true));
    assert_eq!(examined.best().unwrap().action, "9-5");
    // White knows that a ply before.
    let before = known_after("french-military", "1-2 5-6 2-1 6-5 1-2 5-9");
    let back = before.actions.iter().find(|action| action.action == "2-1").unwrap();
    assert_eq!((back.exact.as_ref().unwrap().values.as_slice(), back.holds), (&[-1.0, 1.0][..], true));
    assert_ne!(before.best().unwrap().action, "2-1");
}

#[test]
fn more_discs_are_better_than_an_end_at_once() {
    let examined = known_after("othello:size=4", "a2 a3 a4 c1 d4 c4 b4 a1 d3 pass");
    let ranked = examined.ranked();
    assert_eq!((&*ranked[0].0.action, ranked[0].1.score), ("b1", Some(14.0)));
    assert_eq!(examined.exact.as_ref().unwrap().score, Some(14.0));
    assert!(ranked.iter().any(|(action, exact)| action.action == "d2" && exact.plies == Some(0)), "{ranked:?}");
}

/// A game of Focus in which nothing has left the board or come from a reserve for a hundred plies but one.
const WITHOUT_PROGRESS: &str = "c7:b6 f6:e2 d6-d5 g4-h4 e4-e3 d3-d2 e6-e5 e2-f2 e5-d5 c6-b6 e3-e2 c2-c1 e2-e3 e5-f5 d4-d3 d7-d8 \
    g5-g4 e7-e6 e3-e5 g6-h6 g3-g4 h6-g6 f7-f6 h4-h3 f3-f2 g2-f2 e5-e7 f2-f6 c5-c6 b6-a6 d5-e5 c4-c5 \
    b6-c6 f5-f7 g7-g6 f7-g7 f7-e7 c5-c4 b3-a3 c1-d1 g6-g5 c7-d7 d3-c3 f6-g6 b7-b6 f4-f5 f6-f8 g6-h6 \
    d5-d6 e6-e7 c3-a3 e7-e5 f8-f6 d5-c5 e7-e6 g7-g6 f6-f2 h6-g6 b5-b4 a6-a5 b4-b5 g6-g7 g4-h4 c5-b5 \
    c6-c4 a5-a4 f2-f6 e5-e4 c4-c2 g6-g5 b6-b5 d2-d3 e5-f5 d1-c1 e6-e7 b4-c4 f5-f3 g7-g6 d2-e2 c4-c3 \
    d6-c6 b2-c2 e2-d2 g6-f6 c6-d6 d7-e7 h4-g4 g5-g7 f3-f4 f6-f2 d2-d1 d8-e8 d1-d2 f3-f2 d2-d1 e7-d7 \
    b5-b7 g7-g6 b7-c7 c1-d1 e7-e8 c3-d3 f4-f3 c4-c5 e5-e6 c2-b2 a3-b3 g6-g7 g4-g2 c5-b5 b3-b2 d3-d2 \
    c2-b2 f2-f1 f3-f4 e7-f7 e8-d8 e8-e7 d6-e6 g7-g5 f4-g4 d1-f1 c2-c1 b7-c7 b2-b4 g5-h5 c1-d1";

#[test]
fn a_position_whose_actions_are_all_known_is_known() {
    let examined = known_after("focus", WITHOUT_PROGRESS);
    assert_eq!(examined.complete(), Ok(()));
    let exact = examined.exact.as_ref().unwrap();
    assert_eq!((exact.values.as_slice(), exact.plies, examined.holds), (&[0.0, 0.0][..], Some(1), true));
}

/// What best play brings by the rules as they stand, the cap among them; equal choices are made equally often.
fn by_all_rules(current: &dyn AnyMatch) -> Vec<f64> {
    let Phase::Act(seats) = current.phase() else {
        assert_eq!(current.phase(), Phase::Over, "chance has done its part");
        return current.payoffs().as_slice().to_vec();
    };
    let seat = seats.first();
    let after = current.legal(seat).into_iter().map(|action| {
        let mut next = current.boxed_clone();
        next.play(seat, &action).unwrap();
        by_all_rules(&*next)
    });
    let after: Vec<Vec<f64>> = after.collect();
    let best = after.iter().map(|values| values[seat]).fold(f64::NEG_INFINITY, f64::max);
    let as_good: Vec<_> = after.iter().filter(|values| best - values[seat] < 1e-9).collect();
    let mean = |seat: usize| as_good.iter().map(|values| values[seat]).sum::<f64>() / as_good.len() as f64;
    (0..after[0].len()).map(mean).collect()
}

#[test]
fn values_are_exact_where_no_cap_changes_them() {
    let mut rng = stream(1, "caps", 0);
    for (spec, longest, n_before) in [
        ("tic-tac-toe", 9, 4..8),
        ("nim:sizes=2/2/1", 5, 0..5),
        ("nim3p:sizes=2/2", 4, 0..4),
        ("sim:nodes=4", 6, 1..6),
        ("sim:nodes=5,players=3", 10, 5..10),
        ("sim:nodes=5,players=3,coalition=1-2", 10, 5..10),
        ("hex:size=3", 9, 4..8),
        ("hex:size=2,swap=true", 5, 0..4),
        ("connect-four:width=4,height=4", 16, 11..16),
        ("yavalath:size=3,players=3", 19, 14..19),
        ("black:rows=2,columns=3", 6, 0..5),
        ("rubiks-cube:scramble=3,limit=3", 6, 3..6),
    ] {
        let (mut n_exact, mut n_changed) = (0, 0);
        for _ in 0..60 {
            let least = n_before.start.max(1);
            let max_plies = least + index(&mut rng, longest + 1 - least);
            let separator = if spec.contains(':') { ',' } else { ':' };
            let game = raichi_games::game(&format!("{spec}{separator}max-plies={max_plies}")).unwrap();
            let mut current = game.new_match();
            let n_plies = n_before.start + index(&mut rng, n_before.end - n_before.start);
            play_random(&mut *current, n_plies as u64, &mut rng);
            if current.phase() == Phase::Chance {
                continue;
            }
            let place = format!("{}: {}", current.spec(), current.history(Viewer::Referee));
            let cancel = CancelFlag::default();
            let examined = truth::known(&*game).unwrap().examine(&*current, None, &unlimited(&cancel));
            let exact = examined.exact.as_ref().unwrap_or_else(|why| panic!("{place}: {why}"));
            let capped = by_all_rules(&*current);
            let is_equal = exact.values.as_slice().iter().zip(&capped).all(|(one, other)| (one - other).abs() < 1e-9);
            assert!(is_equal || !examined.holds, "{place}: {exact:?}, with the cap {capped:?}");
            assert!(examined.holds || max_plies < longest, "{place}: no game is longer than the cap");
            n_exact += u32::from(examined.holds);
            n_changed += u32::from(!is_equal);
        }
        // So that both happen; in Sim two seats draw whatever the cap says.
        assert!(
            n_exact > 5 && (n_changed > 0 || spec == "sim:nodes=4"),
            "{spec}: {n_exact} exact, {n_changed} changed"
        );
    }
}

#[test]
#[ignore = "minutes: a thousand positions"]
fn nightly_connect_four_from_the_sixteenth_stone() {
    keeps_the_value("connect-four", THOUSAND, after(16, 16));
}

#[test]
#[ignore = "minutes: a thousand positions"]
fn nightly_othello_from_fourteen_empty_cells() {
    let n_empty = |current: &dyn AnyMatch| {
        let text = current.position_text(Viewer::Referee);
        // Empty cells of a row that follow each other are a digit.
        let rows = text.split(' ').next().unwrap_or_default();
        rows.chars().filter_map(|cell| cell.to_digit(10)).sum::<u32>()
    };
    keeps_the_value("othello", THOUSAND, |current, _, rng| {
        while n_empty(current) > 14 && current.phase() != Phase::Over {
            play_random(current, 1, rng);
        }
    });
}

/// After the scramble and up to so many twists more.
fn scrambled(most: usize) -> impl Fn(&mut dyn AnyMatch, u64, &mut FastRng) {
    move |current, _, rng| {
        while current.phase() == Phase::Chance {
            play_random(current, 1, rng);
        }
        play_random(current, index(rng, most + 1) as u64, rng);
    }
}

#[test]
#[ignore = "a minute: a thousand positions"]
fn nightly_cubes_of_size_two() {
    keeps_the_value("rubiks-cube", THOUSAND, scrambled(4));
    keeps_the_value("rubiks-cube:metric=qtm", THOUSAND, scrambled(4));
}

/// The cube of size 3 by its twists to go: as many at most as it was scrambled with.
#[test]
#[ignore = "minutes: a thousand positions"]
fn nightly_cubes_of_size_three_by_twists_to_go() {
    for n_twists in 1..=8 {
        keeps_the_value(&format!("rubiks-cube:size=3,scramble={n_twists}"), THOUSAND / 8, scrambled(0));
    }
}

#[test]
#[ignore = "minutes: a thousand positions of each"]
fn nightly_sim_in_all_forms_that_are_solved() {
    for (spec, n_lines) in [
        ("sim:nodes=3", 3),
        ("sim:nodes=4", 6),
        ("sim:nodes=5", 10),
        ("sim", 15),
        ("sim:nodes=7", 21),
        ("sim:nodes=3,players=3", 3),
        ("sim:nodes=4,players=3", 6),
        ("sim:nodes=5,players=3", 10),
        ("sim:players=3", 15),
        ("sim:nodes=3,players=3,coalition=1-2", 3),
        ("sim:nodes=4,players=3,coalition=1-2", 6),
        ("sim:nodes=5,players=3,coalition=1-2", 10),
        ("sim:players=3,coalition=1-2", 15),
    ] {
        keeps_the_value(spec, THOUSAND, after(0, n_lines / 2));
    }
}

#[test]
#[ignore = "minutes: a thousand positions of each"]
fn nightly_black() {
    for (rows, columns) in [(2, 2), (3, 3), (3, 4), (4, 4), (5, 5)] {
        keeps_the_value(&format!("black:rows={rows},columns={columns}"), THOUSAND, after(0, rows + columns - 2));
    }
    // Positions off the ways of the dominoes are searched.
    keeps_the_value("black:rows=6,columns=6", THOUSAND / 4, after(0, 6));
}

#[test]
#[ignore = "minutes: a thousand positions of each"]
fn nightly_yavalath_on_three_cells() {
    for spec in ["yavalath:size=3,swap=false", "yavalath:size=3"] {
        keeps_the_value(spec, THOUSAND, after(0, 10));
    }
}

/// Of the larger boards fewer positions: each ply of a position may take seconds.
#[test]
#[ignore = "minutes: a thousand positions of the smaller boards"]
fn nightly_hex_on_four_to_seven_cells() {
    keeps_the_value("hex:size=4", THOUSAND, after(0, 7));
    keeps_the_value("hex:size=4,swap=true", THOUSAND, after(0, 7));
    keeps_the_value("hex:size=5", THOUSAND, after(1, 8));
    keeps_the_value("hex:size=6", 100, after(6, 12));
    keeps_the_value("hex:size=7", 20, after(14, 20));
}

#[test]
#[ignore = "a minute: a thousand positions"]
fn nightly_two_by_two_of_2048() {
    keeps_the_value("2048:size=2", THOUSAND, after(0, 24));
}

#[test]
#[ignore = "a minute: a thousand positions of each"]
fn nightly_blackjack_with_every_card_put_back() {
    keeps_the_value("blackjack:decks=0,rounds=1,chips=1000", THOUSAND, after(0, 8));
    keeps_the_value("blackjack:decks=0,rounds=3,chips=1000", THOUSAND, after(0, 16));
    let house = "soft17=hit,insurance=half,natural=6:5,peek=false,double-after-split=false";
    keeps_the_value(&format!("blackjack:decks=0,rounds=1,chips=1000,{house}"), THOUSAND, after(0, 8));
}

#[test]
#[ignore = "minutes: a thousand positions"]
fn nightly_small_al_jabar() {
    keeps_the_value("al-jabar:group=2/2,copies=4", THOUSAND, after(0, 40));
}

#[test]
fn a_value_that_is_lost_is_seen() {
    let exact = |value: f64, plies| Exact { plies: Some(plies), ..Exact::of(Payoffs::new([value, -value])) };
    let lost = std::panic::catch_unwind(|| check_ply(0, &exact(1.0, 5), &exact(0.0, 4), "here"));
    let put_off = std::panic::catch_unwind(|| check_ply(0, &exact(1.0, 5), &exact(1.0, 6), "here"));
    assert!(lost.is_err() && put_off.is_err());
    check_ply(0, &exact(1.0, 5), &exact(1.0, 4), "here");
}
