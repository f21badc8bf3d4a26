//! The rule book, clause by clause.

use std::collections::HashSet;

use raichi_core::erased::create;
use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Scene, Tone, View};
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, PathGame, Phase, Viewer};

use super::board::{Hexagon, each};
use super::rules::{End, State, Yavalath};

#[track_caller]
fn after(game: Yavalath, history: &str) -> Match<Yavalath> {
    let mut game = Match::new(game);
    game.play_history(history).expect("the test's history is legal");
    game
}

#[track_caller]
fn ends(game: Yavalath, history: &str, reason: &str, payoffs: &[f64]) {
    let game = after(game, history);
    assert_eq!(game.end_reason(), Some(reason), "{history}");
    assert_eq!(game.payoffs().as_slice(), payoffs, "{history}");
}

fn two() -> Yavalath {
    Yavalath::new(5, 2, false)
}

fn three() -> Yavalath {
    Yavalath::new(3, 3, false)
}

#[test]
fn row_a_is_at_the_bottom_and_numbers_begin_at_the_left() {
    let drawing = after(Yavalath::new(3, 3, false), "a1 c5 e2").sketch(Viewer::Spectator).to_string();
    let expected = "  e  . # .  3
 d  . . . .  4
c  . . . . O  5
 b  . . . .  4
  a  X . .  3
X White, O Black, # Red
";
    assert_eq!(drawing, expected);
}

#[test]
fn boards_have_their_sizes() {
    for (size, n_cells, last) in
        [(3, 19, "e3"), (4, 37, "g4"), (5, 61, "i5"), (6, 91, "k6"), (7, 127, "m7"), (8, 169, "o8")]
    {
        let game = Yavalath::new(size, 2, false);
        let cells = AnyMatch::legal(&after(game.clone(), ""), 0);
        assert_eq!((cells.len(), game.cell_text(n_cells - 1).as_str()), (usize::from(n_cells), last));
        let board = game.picture(&Scene::of(&game.initial_state()), Viewer::Spectator).areas.remove(0);
        assert!(board.cells.iter().all(|cell| cell.x + 0.5 < board.width && cell.y + 0.5 < board.height));
    }
}

#[test]
fn cells_beyond_the_rim_are_none() {
    for text in ["a6", "e10", "j1", "a0", "a01", "e", "A1", "~a1", "swap", ""] {
        let error = after(two(), "e5").play_text(1, text).unwrap_err().to_string();
        assert_eq!(error, format!("`{text}` is not understood; expected a cell from a1 to i5"));
    }
    let error = after(two(), "e5").play_text(1, "e5").unwrap_err().to_string();
    assert_eq!(error, "`e5` is not legal: there is a stone on that cell already");
}

#[test]
fn the_three_lines_of_a_cell_are_those_of_the_contract() {
    // Below, in and above the middle row.
    for line in ["c1 c2 c3 c4", "b2 c2 d2 e2", "b1 c2 d3 e4", "e3 f2 g1", "e2 f2 g2 h2", "d8 e8 f7 g6", "d5 e6 f6 g6"] {
        let cells: Vec<&str> = line.split(' ').collect();
        let board = Hexagon::new(5);
        let places: Vec<(i8, i8)> = cells
            .iter()
            .map(|text| {
                let cell = two().parse_action(&two().initial_state(), 0, text).expect("a cell");
                (-9..9)
                    .flat_map(|i| (0..9).map(move |j| (i, j)))
                    .find(|&(i, j)| board.at(i, j) == Some(cell))
                    .expect("a place")
            })
            .collect();
        let step = |pair: &[(i8, i8)]| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let steps: HashSet<(i8, i8)> = places.windows(2).map(step).collect();
        assert_eq!(steps.len(), 1, "{line}");
        assert!(steps.iter().all(|step| [(0, 1), (1, 0), (1, 1)].contains(step)), "{line}");
    }
}

#[test]
fn four_in_a_row_win() {
    // Along each of the three lines; the last stone goes into the gap.
    ends(two(), "e4 d3 e5 f4 e7 g5 e6", "four", &[1.0, -1.0]);
    ends(two(), "a1 b2 b1 i1 d1 i3 c1", "four", &[1.0, -1.0]);
    ends(two(), "a1 i1 b2 i3 d4 h2 c3", "four", &[1.0, -1.0]);
    // Five at once are four or more.
    ends(two(), "e3 a1 e4 a3 e6 i1 e7 i3 e5", "four", &[1.0, -1.0]);
    // Black wins too.
    ends(two(), "a1 e4 a3 e5 b4 e7 i1 e6", "four", &[-1.0, 1.0]);
}

#[test]
fn three_in_a_row_lose() {
    ends(two(), "e4 a1 e5 a3 e6", "three", &[-1.0, 1.0]);
    ends(two(), "e4 a1 e6 a3 e5", "three", &[-1.0, 1.0]);
    ends(two(), "e4 f5 e5 g4 e7 e6", "three", &[1.0, -1.0]);
    assert_eq!(after(two(), "e4 a1 e5 a3 e7").end_reason(), None, "a gap parts a row");
}

#[test]
fn four_wins_even_if_the_same_stone_makes_three_elsewhere() {
    ends(two(), "e4 a1 e5 a3 e7 i1 f5 i3 g4 b5 e6", "four", &[1.0, -1.0]);
    ends(two(), "a1 i1 f5 i3 g4 b5 e6", "three", &[-1.0, 1.0]);
}

#[test]
fn rows_do_not_go_on_beyond_the_rim() {
    // Neighbours in number, not on the board.
    assert_eq!(after(two(), "a4 i1 a5 i3 b1").end_reason(), None);
    assert_eq!(after(two(), "e8 i1 e9 i3 f1").end_reason(), None);
}

#[test]
fn a_full_board_is_a_draw_and_its_last_stone_may_decide() {
    let small = || Yavalath::new(3, 2, false);
    ends(small(), "c5 a3 e1 b2 b1 c4 c2 a2 c3 e3 b3 d2 d3 b4 d4 c1 a1 d1 e2", "full", &[0.0, 0.0]);
    ends(small(), "e2 b1 c1 d4 d2 d1 c3 e1 b2 c5 a2 a1 e3 d3 b4 c4 a3 c2 b3", "four", &[1.0, -1.0]);
    ends(small(), "c2 a3 a1 e1 d3 b1 b4 b2 c1 e2 d2 c3 b3 a2 c5 d4 e3 c4 d1", "three", &[-1.0, 1.0]);
}

#[test]
fn a_swap_takes_the_stone_over_and_seat_0_goes_on() {
    let swapping = || Yavalath::new(5, 2, true);
    let game = after(swapping(), "e4 swap");
    assert_eq!(game.phase(), Phase::seat(0));
    assert_eq!(game.game().stone(game.state(), game.game().board.cell(4, 3)), Some(1));
    assert_eq!(game.plies()[1].marks, ["e4"]);
    assert_eq!(AnyMatch::legal(&game, 0).len(), 60);
    // The stone taken over counts for seat 1.
    ends(swapping(), "e4 swap a1 e5 a3 e7 i1 e6", "four", &[-1.0, 1.0]);
    ends(swapping(), "e4 swap a1 e5 a3 e6", "three", &[1.0, -1.0]);
    assert_eq!(game.picture(Viewer::Spectator).buttons, []);
    assert_eq!(after(swapping(), "e4").picture(Viewer::Seat(1)).buttons[0].id, "swap");
}

#[test]
fn the_swap_is_seat_1s_first_action_only() {
    let swapping = || Yavalath::new(5, 2, true);
    for history in ["", "a1 b1", "a1 swap", "a1 b1 c1", "a1 swap b2"] {
        let game = after(swapping(), history);
        let Phase::Act(seats) = game.phase() else { panic!("nobody has won yet") };
        let error = game.clone().play_text(seats.first(), "swap").unwrap_err().to_string();
        assert_eq!(error, "`swap` is not legal: only the second player's first action may be the swap");
    }
    assert_eq!(AnyMatch::legal(&after(swapping(), "a1"), 1).len(), 61);
    let error = after(swapping(), "a1").play_text(1, "x").unwrap_err().to_string();
    assert_eq!(error, "`x` is not understood; expected a cell from a1 to i5 or swap");
}

#[test]
fn two_swap_unless_told_otherwise_and_three_never() {
    let spec = |params: &str| create::<Yavalath>(Some(params)).map(|game| game.spec().to_string());
    assert_eq!(spec("swap=true,size=5").unwrap(), "yavalath");
    assert_eq!(spec("swap=false").unwrap(), "yavalath:swap=false");
    assert_eq!(spec("swap=false,players=3").unwrap(), "yavalath:players=3");
    let fault = |params: &str| spec(params).unwrap_err().to_string();
    assert_eq!(fault("players=3,swap=true"), "`swap=true`: three players never swap; with three it is false");
    assert_eq!(fault("size=9"), "`size=9`: size is a whole number from 3 to 8");
    assert_eq!(Yavalath::new(5, 2, true).seat_name(0), "Player 1");
    assert_eq!(Yavalath::new(5, 3, false).seat_name(2), "Red");
}

#[test]
fn of_three_one_that_makes_three_is_out_and_the_others_go_on() {
    // Black is forced to make three.
    let game = after(three(), "c5 d4 d2 c2 c4 c3 a1 b4 a3 e3 b3");
    assert_eq!((game.phase(), game.end_reason()), (Phase::seat(2), None));
    assert_eq!(game.state().still_in.iter().collect::<Vec<_>>(), [0, 2]);
    assert_eq!(game.picture(Viewer::Spectator).notes[0], "Black has made three in a row.");
    assert_eq!(game.picture(Viewer::Spectator).counters[1].value, "out");
    let mut game = game;
    let own = AnyMatch::legal(&game, 2)[0].clone();
    game.play_text(2, &own).expect("listed");
    assert_eq!(game.phase(), Phase::seat(0), "Black is passed over");
}

#[test]
fn the_last_of_three_wins() {
    ends(three(), "c4 b3 e2 c1 d1 d2 c3 b1 c2 d3 e3 a1 b2", "three", &[1.0, 0.0, 0.0]);
    ends(three(), "d2 c5 b2 d1 c3 b1 e2 a1 e3 c1 a3 d4 e1 d3 c2 b4", "three", &[0.0, 0.0, 1.0]);
    // On the last cell too.
    ends(three(), "d2 e3 b2 d3 b1 c5 e2 a2 d4 b3 c4 c1 e1 a3 c3 b4 d1 a1 c2", "three", &[0.0, 1.0, 0.0]);
}

#[test]
fn of_three_four_in_a_row_win_alone() {
    ends(three(), "b1 c5 e1 b4 b2 d4 d2 b3 d1 a1 e3 c3 d3 c1 a2 e2 a3 c4 c2", "four", &[1.0, 0.0, 0.0]);
}

#[test]
fn of_three_those_still_in_share_a_full_board() {
    let third = 1.0 / 3.0;
    ends(three(), "c3 d1 d2 e1 e2 e3 b3 c4 a3 c1 d4 a2 d3 c2 c5 b4 b1 b2 a1", "full", &[third, third, third]);
    ends(three(), "e3 b4 b1 d1 a1 b2 a3 d2 c3 e2 d4 a2 c1 c4 c5 c2 e1 b3 d3", "full", &[0.5, 0.5, 0.0]);
    // Also when the last stone put a seat out.
    ends(three(), "c5 e2 d4 c1 e3 b3 b1 a2 a1 d1 d2 e1 c3 b2 a3 b4 c4 d3 c2", "full", &[0.0, 0.5, 0.5]);
}

#[test]
fn of_three_a_win_of_the_next_must_be_blocked() {
    let game = after(three(), "b3 e2 b1 d2 a1 d3 a3 b2");
    let legal = AnyMatch::legal(&game, 2);
    assert!(legal.len() < 3, "{legal:?}");
    let refused = game.clone().play_text(2, "e1").unwrap_err().to_string();
    assert_eq!(refused, "`e1` is not legal: the next player could win at once; block that or win yourself");
    assert!(game.picture(Viewer::Spectator).notes[0].contains("block"));
    // The seat after the next does not count.
    let board = || Yavalath::new(5, 3, false);
    assert_eq!(AnyMatch::legal(&after(board(), "a1 e4 i1 a3 e5 i3 b5 e7 h1"), 0), ["e6"]);
    assert_eq!(AnyMatch::legal(&after(board(), "e4 a1 i1 e5 a3 i3 e7"), 1).len(), 54);
    // With a win of one's own there are two ways.
    assert_eq!(AnyMatch::legal(&after(board(), "e2 c1 a5 e4 c2 b6 e7 i1 i3 e5 c4 e6"), 0), ["c3", "e3"]);
    assert_eq!(AnyMatch::legal(&after(board(), "a5 e4 c1 b6 e5 c2 i1 e7"), 2).len(), 53);
}

#[test]
fn two_need_not_block() {
    assert_eq!(AnyMatch::legal(&after(two(), "e4 a1 e5 a3 e7"), 1).len(), 56);
}

#[test]
fn a_game_broken_off_is_shared_by_those_still_in() {
    let broken_off = |game: Yavalath, history: &str| {
        let n_plies = history.split(' ').count() as u32;
        let mut game = Match::new(PathGame::new(game, n_plies));
        game.play_history(history).expect("the test's history is legal");
        assert_eq!(game.end_reason(), Some("cap"));
        game.payoffs().as_slice().to_vec()
    };
    assert_eq!(broken_off(two(), "e4 a1"), [0.0, 0.0]);
    assert_eq!(broken_off(three(), "c5 d4 d2 c2 c4 c3 a1 b4 a3 e3 b3"), [0.5, 0.0, 0.5]);
}

/// The rules once more, on stones by (i, j) and with plain scans.
struct Plain<'a> {
    game: &'a Yavalath,
    stones: Vec<HashSet<(i8, i8)>>,
}

impl Plain<'_> {
    fn cells(&self) -> Vec<(i8, i8)> {
        let size = self.game.board.size as i8;
        let row = |i: i8| (0.max(i - size + 1)..(2 * size - 1).min(i + size)).map(move |j| (i, j));
        (0..2 * size - 1).flat_map(row).collect()
    }

    fn row(&self, seat: usize, (i, j): (i8, i8), (di, dj): (i8, i8)) -> usize {
        let own = |n: i8| n == 0 || self.stones[seat].contains(&(i + n * di, j + n * dj));
        (0..20).take_while(|&n| own(n)).count() + (1..20).take_while(|&n| own(-n)).count()
    }

    /// What a stone of `seat` would make there: four or more, and exactly three.
    fn verdict(&self, seat: usize, cell: (i8, i8)) -> (bool, bool) {
        let rows = [(0, 1), (1, 0), (1, 1)].map(|line| self.row(seat, cell, line));
        (rows.iter().any(|&n| n >= 4), rows.contains(&3))
    }

    fn legal(&self, seat: usize, next: usize) -> HashSet<(i8, i8)> {
        let mut cells = self.cells();
        cells.retain(|cell| !self.stones.iter().any(|stones| stones.contains(cell)));
        let wins = |seat: usize| cells.iter().copied().filter(move |&cell| self.verdict(seat, cell).0);
        if self.game.n_seats == 3 && wins(next).count() > 0 {
            wins(next).chain(wins(seat)).collect()
        } else {
            cells.into_iter().collect()
        }
    }
}

fn check_against_plain_scans(game: &Yavalath, seed: u64) -> Option<End> {
    let mut rng = stream(seed, "plain", game.board.size.into());
    let n_seats = usize::from(game.n_seats);
    let mut plain = Plain { game, stones: vec![HashSet::new(); n_seats] };
    let mut state: State = game.initial_state();
    let mut still_in: Vec<usize> = (0..n_seats).collect();
    let mut seat = 0;
    loop {
        let next =
            (1..=n_seats).map(|n| (seat + n) % n_seats).find(|seat| still_in.contains(seat)).expect("somebody is in");
        assert_eq!(game.phase(&state), Phase::seat(seat));
        let mut actions = Vec::new();
        game.legal_actions(&state, seat, &mut actions);
        let cells = plain.cells();
        let listed: HashSet<(i8, i8)> = actions.iter().map(|&cell| cells[usize::from(cell)]).collect();
        assert_eq!(listed, plain.legal(seat, next));
        // Three in a row mostly avoided, so that games grow long.
        let safe: Vec<u8> =
            actions.iter().copied().filter(|&cell| !plain.verdict(seat, cells[usize::from(cell)]).1).collect();
        let from = if safe.is_empty() || index(&mut rng, 30) == 0 { &actions } else { &safe };
        let action = from[index(&mut rng, from.len())];
        let cell = cells[usize::from(action)];
        let (four, three) = plain.verdict(seat, cell);
        plain.stones[seat].insert(cell);
        game.apply(&mut state, seat, action);
        if four {
            assert_eq!((state.end, game.payoffs(&state)[seat]), (Some(End::Four), 1.0));
            return state.end;
        }
        if three {
            still_in.retain(|&other| other != seat);
        }
        assert_eq!(state.still_in.iter().collect::<Vec<_>>(), still_in);
        if still_in.len() == 1 {
            assert_eq!((state.end, game.payoffs(&state)[still_in[0]]), (Some(End::Three), 1.0));
            return state.end;
        }
        if plain.stones.iter().map(HashSet::len).sum::<usize>() == cells.len() {
            assert_eq!(state.end, Some(End::Full));
            return state.end;
        }
        assert_eq!(state.end, None);
        seat = next;
    }
}

#[test]
fn rows_wins_and_blocks_are_found_as_by_plain_scans() {
    let mut reasons = Vec::new();
    for size in 3..=8 {
        for n_seats in [2, 3] {
            let game = Yavalath::new(size, n_seats, false);
            let n_games = if size < 5 { 60 } else { 8 };
            reasons.extend((0..n_games).map(|seed| check_against_plain_scans(&game, seed)));
        }
    }
    for reason in [End::Four, End::Three, End::Full] {
        assert!(reasons.contains(&Some(reason)), "no game ends by {reason:?}");
    }
}

#[test]
fn random_actions_are_uniform_at_the_swap_at_a_block_and_when_few_cells_are_left() {
    let late = "c3 d1 d2 e1 e2 e3 b3 c4 a3 c1 d4 a2 d3 c2 c5 b4 b1";
    let blocked = after(Yavalath::new(5, 3, false), "e2 c1 a5 e4 c2 b6 e7 i1 i3 e5 c4 e6");
    let mut rng = stream(1, "uniform", 0);
    for game in [after(Yavalath::new(3, 2, true), "a2"), after(three(), late), blocked] {
        let Phase::Act(seats) = game.phase() else { panic!("nobody has won") };
        let actions = game.legal_actions(seats.first());
        let mut counts = [0i32; 62];
        for _ in 0..9_000 {
            counts[usize::from(game.game().random_action(game.state(), seats.first(), &mut Vec::new(), &mut rng))] += 1;
        }
        for action in 0..62 {
            let expected = if actions.contains(&action) { 9_000 / actions.len() as i32 } else { 0 };
            // Five standard deviations of a binomial with p = 1/2.
            assert!((counts[usize::from(action)] - expected).abs() < 237, "{actions:?}: {counts:?}");
        }
    }
}

#[test]
fn a_line_shows_the_row_that_decided() {
    let lines = |history: &str| after(two(), history).picture(Viewer::Spectator).areas.remove(0).lines;
    assert!(lines("e4 d3 e5 f4 e7 g5").is_empty());
    for (history, length) in [("e4 d3 e5 f4 e7 g5 e6", 3.0), ("e4 f5 e5 g4 e7 e6", 2.0), ("a1 b2 b1 i1 d1 i3 c1", 3.0)]
    {
        let drawn = lines(history);
        assert_eq!((drawn.len(), drawn[0].tone), (1, Tone::Accent));
        let [from, to] = drawn[0].points[..] else { panic!("a line from end to end") };
        assert!(((from.0 - to.0).hypot(from.1 - to.1) - length).abs() < 1e-6);
    }
}

#[test]
fn symmetries_are_twelve_and_keep_lines() {
    let board = Hexagon::new(4);
    for symmetry in 0..12 {
        let images: HashSet<u8> = (0..37).map(|cell| board.map_cell(symmetry, cell)).collect();
        assert_eq!(images.len(), 37);
        assert_eq!(each(board.all()).count(), 37);
    }
    let images: HashSet<Vec<u8>> =
        (0..12).map(|symmetry| [0, 1].map(|cell| board.map_cell(symmetry, cell)).to_vec()).collect();
    assert_eq!(images.len(), 12);
}

fn read(game: &Yavalath, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|why| panic!("{text}: {why}")).state
}

#[test]
fn positions_are_rows_from_the_top_and_the_seat_to_act() {
    let text = |game: Yavalath, history: &str| after(game, history).position_text(Viewer::Spectator);
    assert_eq!(text(Yavalath::new(3, 2, true), ""), "3/4/5/4/3 0");
    assert_eq!(text(three(), "a1 c5 e2"), "1#1/4/4O/4/X2 0");
    // Seat 1 is out; the three that put it out is on the board.
    let history = "c5 d4 d2 c2 c4 c3 a1 b4 a3 e3 b3";
    let out = after(three(), history);
    let state = read(&three(), &out.position_text(Viewer::Spectator));
    assert_eq!((&state, state.still_in.iter().collect::<Vec<_>>()), (out.state().position(), vec![0, 2]));
}

#[test]
fn the_end_of_a_game_follows_from_its_stones() {
    for (game, history, end) in [
        (two(), "e4 d3 e5 f4 e7 g5 e6", End::Four),
        // Four and three by one stone.
        (two(), "e4 a1 e5 a3 e7 i1 f5 i3 g4 b5 e6", End::Four),
        (two(), "e4 f5 e5 g4 e7 e6", End::Three),
        (Yavalath::new(3, 2, false), "c5 a3 e1 b2 b1 c4 c2 a2 c3 e3 b3 d2 d3 b4 d4 c1 a1 d1 e2", End::Full),
        (three(), "c5 e2 d4 c1 e3 b3 b1 a2 a1 d1 d2 e1 c3 b2 a3 b4 c4 d3 c2", End::Full),
        (three(), "d2 e3 b2 d3 b1 c5 e2 a2 d4 b3 c4 c1 e1 a3 c3 b4 d1 a1 c2", End::Three),
    ] {
        let over = after(game.clone(), history);
        let state = read(&game, &over.position_text(Viewer::Spectator));
        assert_eq!((&state, state.end), (over.state().position(), Some(end)), "{history}");
    }
    // The winner by four stands in the place of the seat to act.
    assert!(after(two(), "e4 d3 e5 f4 e7 g5 e6").position_text(Viewer::Spectator).ends_with(" 0"));
}

#[test]
fn a_position_says_whether_seat_1_may_swap() {
    let game = Yavalath::new(3, 2, true);
    for (text, may_swap) in [
        ("3/4/2X2/4/3 1", true),
        ("3/4/2X2/4/3 0", false),
        ("3/4/2O2/4/3 0", false),
        // Seat 1 has put its first stone already.
        ("3/4/2O2/4/3 1", false),
        ("3/4/2XO1/4/3 1", false),
        ("3/4/5/4/3 1", false),
    ] {
        let state = read(&game, text);
        let seat = usize::from(state.to_act);
        assert_eq!(game.is_legal(&state, seat, game.swap_action()), may_swap, "{text}");
        let mut actions = Vec::new();
        game.legal_actions(&state, seat, &mut actions);
        assert_eq!(actions.contains(&game.swap_action()), may_swap);
        assert_eq!(game.count_actions(&state, seat, &mut Vec::new()), actions.len());
        assert!(!Yavalath::new(3, 2, false).may_swap(&read(&Yavalath::new(3, 2, false), text)));
    }
    assert_eq!(&read(&game, "3/4/2O2/4/3 0"), after(game, "c3 swap").state().position());
}

#[test]
fn a_position_set_up_knows_what_must_be_blocked() {
    let game = three();
    let state = read(&game, "3/4/XX1XO/4/3 2");
    let mut actions = Vec::new();
    game.legal_actions(&state, 2, &mut actions);
    assert_eq!(actions.iter().map(|&cell| game.cell_text(cell)).collect::<Vec<_>>(), ["c3"]);
    // The seat after the next does not count.
    assert_eq!(game.count_actions(&read(&game, "3/4/XX1XO/4/3 1"), 1, &mut Vec::new()), 15);
}

#[test]
fn what_is_no_position_is_refused_where_it_goes_wrong() {
    for (game, text, says) in [
        (two(), "5/6/7/8/1XX6/8/7/6/5 0", None),
        (
            two(),
            "5/6/7/8/1XXX5/8/7/6/5 0",
            Some("character 23: `0` cannot stand here; expected a seat without three in a row"),
        ),
        (
            two(),
            "5/6/7/8/1XXXX4/8/7/6/5 1",
            Some("character 24: `1` cannot stand here; expected 0, the seat that has won by four in a row"),
        ),
        (
            two(),
            "5/6/7/8/XXXX1OOOO/8/7/6/5 1",
            Some("character 1: `5/6/7/8/XXXX1OOOO/8/7/6/5` cannot stand here; expected four in a row of one seat only"),
        ),
        (two(), "5/6/7/8/XXX3OOO/8/7/6/5 1", Some("expected somebody without three in a row")),
        (
            two(),
            "5/6/7/8/4#4/8/7/6/5 1",
            Some("character 10: `#` cannot stand here; expected X or O, or a number of empty cells (row 5 has 9)"),
        ),
        (two(), "5/6/7/8/10/8/7/6/5 1", Some("character 10: `0` cannot stand here; expected at most 9 cells in row 5")),
        (two(), "5/6/7/8/9/8/7/6/5 2", Some("expected the seat to act, 0 to 1")),
        (three(), "3/4/XXX2/4/3 1", None),
        (three(), "3/4/XXX2/4/3 0", Some("expected a seat without three in a row")),
        (three(), "3/4/XXX2/OOO1/3 0", Some("expected a seat without three in a row")),
        (three(), "3/4/XXX2/OOO1/### 2", Some("expected somebody without three in a row")),
        (three(), "3/4/5/4 2", Some("expected 5 rows with / between them, and there are 4")),
    ] {
        let error = game.parse_position(text).err().map(|why| why.to_string());
        assert_eq!(error.is_some(), says.is_some(), "{text}: {error:?}");
        assert!(error.unwrap_or_default().contains(says.unwrap_or_default()), "{text}");
    }
}

#[test]
fn neighbours_are_observed_beside_each_other() {
    let game = after(Yavalath::new(3, 3, false), "a1 c5 e2 b2");
    let observe = |seat| {
        let mut observation = [-1; 26];
        AnyMatch::observe(&game, seat, &mut observation);
        observation
    };
    // Rows from e at the top; 4 is no cell.
    #[rustfmt::skip]
    assert_eq!(observe(1), [
        4, 4, 0, 2, 0,
        4, 0, 0, 0, 0,
        0, 0, 0, 0, 1,
        0, 3, 0, 0, 4,
        3, 0, 0, 4, 4,
        1,
    ]);
    assert_eq!([observe(0)[25], observe(2)[25]], [2, 3]);
    let swapping = after(Yavalath::new(3, 2, true), "c3");
    let open = [0, 1].map(|seat| {
        let mut observation = [-1; 27];
        AnyMatch::observe(&swapping, seat, &mut observation);
        [observation[12], observation[25], observation[26]]
    });
    assert_eq!(open, [[1, 2, 1], [2, 1, 1]]);
    assert_eq!(
        (swapping.game().n_actions(), swapping.game().numbered_action(19)),
        (20, Some(swapping.game().swap_action()))
    );
    assert_eq!((game.game().n_actions(), game.game().numbered_action(19)), (19, None));
}
