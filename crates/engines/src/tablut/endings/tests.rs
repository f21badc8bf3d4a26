use std::time::Duration;

use raichi_core::game::Game;
use raichi_core::random::stream;

use super::*;
use crate::endings::checks;
use crate::solved::{game, patient, position};

fn ending(king_range: u8, muscovites: usize, swedes: usize) -> Men {
    Men::of((king_range, muscovites, swedes)).expect("so many men are numbered")
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn every_position_has_one_number_and_every_number_one_position() {
    for (muscovites, swedes) in [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1)] {
        let n_positions = checks::count_all_images(&ending(8, muscovites, swedes));
        let sets = |n: u64| choose(n, muscovites as u64) * choose(n - muscovites as u64, swedes as u64);
        assert_eq!(n_positions, 2 * (sets(80) + 48 * sets(79)), "{muscovites} Muscovites, {swedes} Swedes");
    }
    let mut rng = stream(1, "test", 0);
    for (muscovites, swedes) in [(3, 0), (2, 1), (1, 2), (4, 0), (2, 2), (1, 3), (3, 3), (6, 0)] {
        let ending = ending(8, muscovites, swedes);
        checks::numbers_are_those_of_drawn_positions(&ending, &mut rng);
        assert_eq!(ending.number(&ending.game.initial_state()), None);
    }
}

#[test]
fn predecessors_are_those_from_which_an_action_leads_here() {
    let mut rng = stream(2, "test", 0);
    for (king_range, muscovites, swedes) in [(8, 2, 1), (8, 4, 0), (2, 3, 1), (8, 1, 2), (3, 4, 1)] {
        let ending = ending(king_range, muscovites, swedes);
        let number = |next: &State| match ending.game.phase(next) {
            Phase::Over if ending.game.end_reason(next) != "stuck" => None,
            _ => ending.number(next),
        };
        checks::predecessors_lead_here(&ending, number, &mut rng);
    }
}

#[test]
fn tables_say_what_the_graph_of_all_positions_says() {
    for key in [(8, 1, 0), (2, 2, 0), (8, 1, 1)] {
        checks::compare_with_graph::<Men>(key);
    }
}

#[test]
#[ignore = "all positions with two men"]
fn nightly_tables_say_what_the_graph_of_all_positions_says() {
    // The graph of three men was not done after 24 minutes, with 5 GB.
    for key in [(8, 2, 0), (1, 2, 0), (1, 1, 1)] {
        checks::compare_with_graph::<Men>(key);
    }
}

#[test]
fn best_play_keeps_what_a_position_is_worth() {
    for params in ["", "first=white,king-range=2"] {
        keeps_the_value(params, &[(2, 0), (1, 1)]);
    }
}

#[test]
#[ignore = "takes minutes: makes the tables of three men"]
fn nightly_best_play_keeps_what_a_position_is_worth() {
    keeps_the_value("", &[(3, 0), (2, 1), (1, 2)]);
    // One of the three for other rules: the tables are what takes time.
    for params in ["king-range=1", "king-range=4,first=white"] {
        keeps_the_value(params, &[(2, 1)]);
    }
}

fn keeps_the_value(params: &str, endings: &[(usize, usize)]) {
    let game: Tablut = game(params);
    let mut rng = stream(3, "test", 0);
    for &(muscovites, swedes) in endings {
        let ending = ending(game.king_range(), muscovites, swedes);
        checks::best_play_keeps_the_value(&ending, &game, &Endings::new(&game), &mut rng);
    }
}

// As docs/truths.md has it: the Muscovites are seat 0.
#[test]
fn wins_with_two_men_are_counted() {
    for (key, n_positions) in [((8, 1, 0), 1_018), ((8, 2, 0), 38_178), ((8, 1, 1), 75_832)] {
        let tally = checks::tally::<Men>(key);
        assert_eq!(tally.by_seat(), [0, n_positions, 0], "{key:?}");
        assert_eq!(tally.longest, [None, Some(2)], "{key:?}: by their next action at the latest");
    }
}

#[test]
#[ignore = "takes minutes: makes the tables of three men"]
fn nightly_wins_with_three_men_are_counted() {
    for (key, longest) in [((8, 3, 0), 2), ((4, 3, 0), 4), ((2, 3, 0), 8), ((1, 3, 0), 22)] {
        let tally = checks::tally::<Men>(key);
        assert_eq!((tally.by_seat(), tally.longest), ([17, 971_537, 0], [Some(1), Some(longest)]), "{key:?}");
    }
    // In 32 positions the one Muscovite is shut in, so that the game is over.
    for (key, n_over) in [((8, 2, 1), 0), ((8, 1, 2), 32)] {
        let tally = checks::tally::<Men>(key);
        assert_eq!((tally.by_seat(), tally.longest), ([0, 2_911_062 - n_over, 0], [None, Some(2)]), "{key:?}");
    }
}

#[test]
fn seats_are_those_of_the_rules() {
    for (params, seat) in [("", 0), ("first=white", 1)] {
        let game: Tablut = game(params);
        // Two ways at once cannot be closed by the one man there is.
        let state = position(&game, &format!("9/9/9/3K5/9/9/9/9/M8 {seat}"));
        let exact = Endings::new(&game).solve(&state, &patient()).unwrap();
        assert_eq!((exact.values, exact.plies), (Payoffs::win(1 - seat), Some(2)), "{params}");
    }
}

#[test]
fn more_men_are_not_known() {
    let game: Tablut = game("");
    let why = Endings::new(&game).solve(&game.initial_state(), &patient()).unwrap_err();
    assert_eq!(why.to_string(), "endings are known with at most 6 men besides the king");
    // Large tables are not made while somebody waits.
    let state = position(&game, "9/9/M1M1M1M1M/9/4K4/9/9/9/9 0");
    let work = Work { deadline: Some(Duration::from_secs(1)), ..patient() };
    let why = Endings::new(&game).solve(&state, &work).unwrap_err();
    assert!(matches!(&why, Unsolved::Unknown(text) if text.contains("it lies in no folder of tables")), "{why}");
    let work = Work { memory: 1 << 20, ..patient() };
    assert_eq!(Endings::new(&game).solve(&state, &work).unwrap_err(), Unsolved::OutOfMemory);
}

#[test]
fn a_table_goes_on_where_it_was_interrupted() {
    checks::goes_on_where_it_was_interrupted::<Men>((5, 2, 0));
}
