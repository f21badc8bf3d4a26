//! `perfect` against itself, from random positions of the solved games that are too large for every run: no ply gives away
//! what the position is worth, wins are shortened, losses prolonged.
//!
//! A thousand positions of each, or of the largest boards fewer; `RAICHI_POSITIONS=20` looks at so many at most. Small games
//! are in `agents.rs`.

use raichi_agents::{Budget, CancelFlag, Exact, SystemHost, Work, prepare, truth};
use raichi_core::game::{Payoffs, Phase};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{AnyMatch, Viewer};

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
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &SystemHost,
        n_threads: 1,
        memory: 256 << 20,
        folder: None,
        progress: &|_| (),
    };
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
        keeps_the_value(spec, THOUSAND, after(4, 10));
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
