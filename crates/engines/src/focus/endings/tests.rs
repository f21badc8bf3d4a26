use std::time::Duration;

use raichi_core::game::Payoffs;
use raichi_core::random::stream;
use raichi_solve::numbered::Numbered;

use super::*;
use crate::endings::checks;
use crate::solved::{game, patient, position};

fn ending(totals: [u8; 2]) -> Pieces {
    Pieces::of((false, totals)).expect("so many pieces are numbered")
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// How many positions there are, both seats to act, counted by piles: cells, heights, colours.
fn n_positions([first, second]: [u8; 2]) -> u64 {
    let on_board = |one: u64, other: u64| match one + other {
        0 => 1,
        // A pile of six is none.
        n => {
            (1..=n).map(|piles| choose(52, piles) * (choose(n - 1, piles - 1) - u64::from(n == 6 && piles == 1))).sum()
        }
    };
    let [first, second] = [first, second].map(u64::from);
    let splits = (0..=first).flat_map(|one| (0..=second).map(move |other| (one, other)));
    splits.map(|(one, other)| 2 * on_board(one, other) * choose(one + other, other)).sum()
}

#[test]
fn every_position_has_one_number_and_every_number_one_position() {
    for totals in [[1, 0], [1, 1], [2, 1], [0, 3]] {
        assert_eq!(checks::count_all_images(&ending(totals)), n_positions(totals), "{totals:?}");
    }
    let mut rng = stream(1, "test", 0);
    for totals in [[2, 2], [1, 3], [3, 2], [5, 0], [3, 3], [1, 5]] {
        let ending = ending(totals);
        // Not much is lost by folding.
        let [numbers, positions] = [ending.n_numbers(), n_positions(totals)];
        assert!(8 * numbers > positions && 5 * numbers < positions, "{numbers} numbers of {positions} positions");
        checks::numbers_are_those_of_drawn_positions(&ending, &mut rng);
        assert_eq!(ending.number(&ending.game.initial_state()), None);
    }
}

#[test]
fn predecessors_are_those_from_which_an_action_leads_here() {
    let mut rng = stream(2, "test", 0);
    for totals in [[1, 1], [2, 1], [2, 2], [1, 4], [3, 3], [4, 2]] {
        let ending = ending(totals);
        checks::predecessors_lead_here(&ending, |next| ending.number(next), &mut rng);
    }
}

#[test]
fn tables_say_what_the_graph_of_all_positions_says() {
    for key in [(false, [1, 1]), (true, [1, 1])] {
        checks::compare_with_graph::<Pieces>(key);
    }
}

#[test]
#[ignore = "all positions with three pieces"]
fn nightly_tables_say_what_the_graph_of_all_positions_says() {
    for key in [(false, [2, 1]), (true, [1, 2])] {
        checks::compare_with_graph::<Pieces>(key);
    }
}

#[test]
fn best_play_keeps_what_a_position_is_worth() {
    keeps_the_value("rule=none", [2, 1]);
    keeps_the_value("rule=draw-wins", [1, 2]);
}

#[test]
#[ignore = "makes the tables of four pieces"]
fn nightly_best_play_keeps_what_a_position_is_worth() {
    keeps_the_value("rule=exchange", [2, 2]);
    keeps_the_value("rule=exchange", [3, 1]);
    keeps_the_value("rule=draw-wins", [2, 2]);
}

fn keeps_the_value(params: &str, totals: [u8; 2]) {
    let game: Focus = game(params);
    let ending = Pieces::of((game.rule() == Rule::DrawWins, totals)).expect("so many pieces are numbered");
    checks::best_play_keeps_the_value(&ending, &game, &Endings::new(&game), &mut stream(3, "test", 0));
}

// As docs/truths.md has it.
#[test]
fn wins_of_three_pieces_are_counted() {
    let tally = checks::tally::<Pieces>((false, [1, 1]));
    assert_eq!((tally.of_actor(), tally.longest), ([370, 358, 0], [Some(18), Some(18)]));
    let tally = checks::tally::<Pieces>((false, [2, 1]));
    assert_eq!((tally.by_seat(), tally.longest[0]), ([17_469, 56, 1_990], Some(20)));
}

#[test]
#[ignore = "makes the tables of four and five pieces"]
fn nightly_wins_of_four_and_five_pieces_are_counted() {
    for draw_wins in [false, true] {
        let tally = checks::tally::<Pieces>((draw_wins, [2, 2]));
        assert_eq!((tally.of_actor(), tally.longest.into_iter().max()), ([216_078, 90_236, 244_848], Some(Some(55))));
    }
    for (totals, by_seat, longest) in [
        ([3, 1], [355_281, 70, 2_874], 24),
        ([4, 1], [5_049_043, 79, 2_344], 56),
        ([3, 2], [5_031_096, 150_508, 5_253_760], 72),
    ] {
        let tally = checks::tally::<Pieces>((false, totals));
        assert_eq!((tally.by_seat(), tally.longest[0]), (by_seat, Some(longest)), "{totals:?}");
        assert!(totals != [3, 2] || tally.longest[1] == Some(33), "{:?}", tally.longest);
    }
}

#[test]
fn captures_lead_to_fewer_pieces() {
    let captured = |totals| ending(totals).after_captures().iter().map(|fewer| fewer.totals).collect::<Vec<_>>();
    assert_eq!(captured([3, 2]), [[0; 2]; 0], "a pile of five loses nothing");
    assert_eq!(captured([3, 3]), [[2, 3], [3, 2]]);
    assert_eq!(captured([6, 0]), [[5, 0]]);
}

#[test]
fn who_covers_the_last_pile_wins() {
    for (params, seat) in [("", 0), ("rule=none", 1), ("rule=draw-wins", 0)] {
        let game: Focus = game(params);
        let (own, foe) = if seat == 0 { ("R", "B") } else { ("B", "R") };
        let state = position(&game, &format!("4/6/8/3,{own},{foe},3/8/8/6/4 {seat} reserves=0/0"));
        let exact = Endings::new(&game).solve(&state, &patient()).unwrap();
        assert_eq!((exact.values, exact.plies), (Payoffs::win(seat), Some(1)), "{params}");
    }
}

#[test]
fn more_pieces_are_not_known() {
    let game: Focus = game("rule=none");
    let why = Endings::new(&game).solve(&game.initial_state(), &patient()).unwrap_err();
    assert_eq!(why.to_string(), "endings are known with at most 6 pieces, on the board and in reserve");
    // Large tables are not made while somebody waits.
    let state = position(&game, "4/6/8/R,R,R,1,B,B,B,1/8/8/6/4 0 reserves=0/0");
    let work = Work { deadline: Some(Duration::from_secs(1)), ..patient() };
    let why = Endings::new(&game).solve(&state, &work).unwrap_err();
    assert!(matches!(&why, Unsolved::Unknown(text) if text.contains("it lies in no folder of tables")), "{why}");
}

#[test]
fn a_table_goes_on_where_it_was_interrupted() {
    checks::goes_on_where_it_was_interrupted::<Pieces>((true, [0, 3]));
}
