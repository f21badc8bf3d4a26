//! The rule book, clause by clause, and what has been found about the game in 130 years.

use std::collections::HashSet;

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, PathGame, Phase, Viewer};

use super::board::{AHEAD, ALL, BESIDE, Point, Points, bit, column, each, sum_of_columns};
use super::notation::{name, parse};
use super::rules::{Action, End, FrenchMilitary, Side, State};

const CENTER: FrenchMilitary = FrenchMilitary { choose: false, on_b_only: false };
const CHOOSE: FrenchMilitary = FrenchMilitary { choose: true, on_b_only: false };
const ON_B_ONLY: FrenchMilitary = FrenchMilitary { on_b_only: true, ..CENTER };

#[track_caller]
fn after(game: FrenchMilitary, history: &str) -> Match<FrenchMilitary> {
    let mut game = Match::new(game);
    game.play_history(history).expect("the test's history is legal");
    game
}

fn drawn(history: &str) -> String {
    after(CENTER, history).sketch(Viewer::Spectator).to_string()
}

fn refusal(history: &str, seat: usize, text: &str) -> String {
    after(CENTER, history).play_text(seat, text).unwrap_err().to_string()
}

fn points(names: &str) -> Points {
    names.split_whitespace().map(|name| bit(parse(name).expect("a point"))).sum()
}

#[test]
fn the_men_start_on_a_1_3_and_5() {
    let drawing = "
     [1]---- 4 ---- 7
   /  |  \\   |   /  |  \\
[A]-- 2 ----<5>---- 8 -- B
   \\  |  /   |   \\  |  /
     [3]---- 6 ---- 9
[ ] White, < > Black
";
    let plain = |text: &str| text.lines().map(|line| line.trim_end().to_string() + "\n").collect::<String>();
    assert_eq!(plain(&drawn("")), drawing[1..]);
    assert_eq!(after(CENTER, "").phase(), Phase::seat(0));
    assert_eq!((CENTER.seat_name(0).as_str(), CENTER.seat_name(1).as_str()), ("White", "Black"));
}

#[test]
fn columns_go_from_a_to_b() {
    let columns = ["A", "1 2 3", "4 5 6", "7 8 9", "B"];
    for (i, names) in columns.into_iter().enumerate() {
        assert!(each(points(names)).all(|point| usize::from(column(point)) == i), "{names}");
    }
}

#[test]
fn the_lines_are_the_22_of_the_contract() {
    let lines = "A1 A2 A3 12 23 14 25 36 15 35 45 56 47 58 69 57 59 78 89 7B 8B 9B";
    let joined: HashSet<(Point, Point)> = lines
        .split(' ')
        .map(|line| (parse(&line[..1]).expect("a point"), parse(&line[1..]).expect("a point")))
        .collect();
    assert_eq!(joined.len(), 22);
    for (from, to) in each(ALL).flat_map(|from| each(ALL).map(move |to| (from, to))) {
        let line = joined.contains(&(from, to)) || joined.contains(&(to, from));
        assert_eq!(BESIDE[usize::from(from)] & bit(to) != 0, line);
        assert_eq!(AHEAD[usize::from(from)] & bit(to) != 0, line && column(to) >= column(from));
    }
}

#[test]
fn white_goes_ahead_across_and_sideways_but_never_back() {
    assert_eq!(AnyMatch::legal(&after(CENTER, ""), 0), ["1-2", "1-4", "3-2", "3-6", "A-2"]);
    let game = after(CENTER, "1-4 5-1");
    assert_eq!(AnyMatch::legal(&game, 0), ["3-2", "3-5", "3-6", "4-5", "4-7", "A-2"]);
    assert_eq!(refusal("A-2 5-8", 0, "2-A"), "`2-A` is not legal: White's men never go back");
    assert_eq!(refusal("1-4 5-7", 0, "4-1"), "`4-1` is not legal: White's men never go back");
}

#[test]
fn black_goes_anywhere() {
    assert_eq!(AnyMatch::legal(&after(CENTER, "A-2"), 1), ["5-4", "5-6", "5-7", "5-8", "5-9"]);
    assert_eq!(AnyMatch::legal(&after(CENTER, "1-4"), 1), ["5-1", "5-2", "5-6", "5-7", "5-8", "5-9"]);
}

#[test]
fn nothing_is_captured_and_lines_are_kept_to() {
    assert_eq!(refusal("", 0, "1-5"), "`1-5` is not legal: a man stands on 5 already");
    assert_eq!(refusal("", 0, "3-4"), "`3-4` is not legal: no line goes from 3 to 4");
    assert_eq!(refusal("", 0, "5-8"), "`5-8` is not legal: no man of yours stands on 5");
    assert_eq!(refusal("", 0, "@7"), "`@7` is not legal: Black's man is on the board already");
    let error = "`0-1` is not understood; expected two points, A, 1 to 9 or B, with a hyphen between them, such as 3-5";
    assert_eq!(refusal("", 0, "0-1"), error);
}

#[test]
fn white_wins_when_black_cannot_move() {
    for (history, name) in [
        ("A-2 5-4 1-5 4-7 3-6 7-4 5-7 4-5 6-9 5-8 2-5 8-B 5-8", "B"),
        ("1-4 5-1 4-7 1-5 A-1 5-4 3-5", "4"),
        ("3-6 5-2 1-5 2-3 6-9 3-6 A-3", "6"),
    ] {
        let won = after(CENTER, history);
        assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("pinned"), [1.0, -1.0].as_slice()));
        assert_eq!(won.state().black, points(name));
    }
}

#[test]
fn black_wins_behind_the_lines_whoever_moved() {
    // Black comes back into the last man's column; or the last man goes ahead into Black's.
    for history in ["A-2 5-4 1-5 4-1", "1-4 5-1 A-2"] {
        let won = after(CENTER, history);
        assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("escaped"), [-1.0, 1.0].as_slice()));
    }
    assert_eq!(after(CENTER, "1-4 5-1").end_reason(), None, "the man on A is still behind");
}

#[test]
fn black_wins_when_a_position_comes_for_the_third_time() {
    let twice = "1-2 5-4 2-1 4-5 1-2 5-4 2-1";
    assert_eq!(after(CENTER, twice).end_reason(), None);
    let won = after(CENTER, &format!("{twice} 4-5"));
    assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("repetition"), [-1.0, 1.0].as_slice()));
    // The same points with the other side to move are another position.
    let waited = after(CENTER, "1-2 5-6 2-1 6-9 1-2 9-5 2-1");
    assert_eq!((waited.state().black, waited.end_reason()), (points("5"), None));
}

#[test]
fn repetition_is_found_as_in_a_plain_list_of_positions() {
    let mut n_repetitions = 0;
    for seed in 0..3_000 {
        let mut rng = stream(seed, "repetition", 0);
        let game = PathGame::new(CENTER, 0);
        let mut state = game.initial_state();
        let mut before = vec![*state.position()];
        while let Phase::Act(seats) = game.phase(&state) {
            // Sideways where possible, so that positions do come again.
            let mut actions = Vec::new();
            game.legal_actions(&state, seats.first(), &mut actions);
            let ahead = |action: &Action| matches!(action, Action::Move { from, to } if column(*to) > column(*from));
            if state.to_act == Side::White && !actions.iter().all(ahead) && index(&mut rng, 40) > 0 {
                actions.retain(|action| !ahead(action));
            }
            game.apply(&mut state, seats.first(), actions[index(&mut rng, actions.len())]);
            before.push(*state.position());
            let occurrences = before.iter().filter(|&earlier| earlier == state.position()).count();
            assert_eq!(usize::from(state.occurrences()), occurrences);
            assert_eq!(game.path_end(&state).is_some(), occurrences == 3 && state.end.is_none());
            n_repetitions += u32::from(occurrences == 3);
        }
    }
    assert!(n_repetitions > 100, "only {n_repetitions} games were repeated");
}

#[test]
fn with_choose_black_sits_first_and_puts_its_man_on_any_free_point() {
    let start = after(CHOOSE, "");
    assert_eq!(AnyMatch::legal(&start, 0), ["@2", "@4", "@5", "@6", "@7", "@8", "@9", "@B"]);
    assert_eq!((CHOOSE.seat_name(0).as_str(), CHOOSE.seat_name(1).as_str()), ("Black", "White"));
    assert_eq!(after(CHOOSE, "@7").phase(), Phase::seat(1));
    let refused = |text: &str| after(CHOOSE, "").play_text(0, text).unwrap_err().to_string();
    assert_eq!(refused("@A"), "`@A` is not legal: a man stands on A already");
    assert_eq!(refused("5-8"), "`5-8` is not legal: Black's man must be put on a point first, such as @5");
    assert_eq!(refused("7"), "`7` is not understood; expected @ and a point A, 1 to 9 or B, such as @5");
    let won = after(CHOOSE, "@5 1-4 5-1 4-7 1-5 A-1 5-4 3-5");
    assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("pinned"), [-1.0, 1.0].as_slice()));
    let won = after(CHOOSE, "@5 A-2 5-4 1-5 4-1");
    assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("escaped"), [1.0, -1.0].as_slice()));
    assert_eq!(start.state().black, 0);
}

#[test]
fn a_game_broken_off_is_drawn() {
    let mut game = Match::new(PathGame::new(CENTER, 2));
    game.play_history("A-2 5-4").expect("the test's history is legal");
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
}

#[test]
fn the_stage_is_the_sum_of_whites_columns() {
    for men in (0..=ALL).filter(|men| men.count_ones() == 3) {
        assert_eq!(sum_of_columns(men), each(men).map(|man| u64::from(column(man))).sum::<u64>(), "{men:#b}");
    }
}

#[test]
fn positions_are_three_rows_from_the_top() {
    let text = |game, history: &str| after(game, history).position_text(Viewer::Spectator);
    assert_eq!(text(CENTER, ""), "W2/W1B2/W2 0");
    assert_eq!(text(CENTER, "A-2 5-8"), "W2/1W1B1/W2 0");
    assert_eq!(text(CHOOSE, ""), "W2/W4/W2 0");
    assert_eq!(text(CHOOSE, "@B"), "W2/W3B/W2 1");
    assert_eq!(CHOOSE.parse_position("W2/W4/W2 0").unwrap().state, CHOOSE.initial_state());
    // Ends are seen on the board, the one that play never leads to included.
    for (text, end) in [
        ("2W/3WB/2W 1", Some(End::Pinned)),
        ("BW1/W4/2W 0", None),
        ("BW1/1W3/2W 0", Some(End::Escaped)),
        ("2W/3WB/2W 0", Some(End::Stuck)),
    ] {
        let state = CENTER.parse_position(text).unwrap().state;
        assert_eq!((state.end, CENTER.phase(&state) == Phase::Over), (end, end.is_some()), "{text}");
    }
    let stuck = CENTER.parse_position("2W/3WB/2W 0").unwrap().state;
    assert_eq!((CENTER.end_reason(&stuck), CENTER.payoffs(&stuck).as_slice()), ("stuck", [-1.0, 1.0].as_slice()));
    for (game, text, says) in [
        (CENTER, "W2/W1B2/W1 0", "character 11: the text ends here; expected 1 more cells in row 3"),
        (CENTER, "W2/W1B2/3 0", "expected three white men (W)"),
        (CENTER, "WW1/W1B2/W2 0", "expected three white men (W)"),
        (CENTER, "W1B/W1B2/W2 0", "expected one black man (B)"),
        (CENTER, "W2/W4/W2 1", "expected one black man (B)"),
        (CHOOSE, "W2/W4/W2 1", "character 10: `1` cannot stand here; expected seat 0, which has still to put"),
        (CENTER, "W2/W1X2/W2 0", "character 6: `X` cannot stand here; expected W or B"),
        (CENTER, "W2/W1B2/W2 0 1", "expected the end of the text"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn observations_show_the_points_as_they_lie() {
    let game = after(CENTER, "A-2");
    let observe = |seat| {
        let mut observation = vec![-1; CENTER.layout().len()];
        CENTER.observe(game.state(), seat, &mut observation);
        observation
    };
    assert_eq!(observe(0), [3, 1, 0, 0, 3, 0, 1, 2, 0, 0, 3, 1, 0, 0, 3, 2]);
    assert_eq!(observe(1), [3, 2, 0, 0, 3, 0, 2, 1, 0, 0, 3, 2, 0, 0, 3, 1]);
    assert_eq!(CENTER.n_actions(), 55);
    let number = |text: &str| CENTER.action_number(CENTER.parse_action(game.state(), 0, text).unwrap());
    assert_eq!([number("@A"), number("@B"), number("A-1"), number("1-A"), number("B-9")], [0, 10, 11, 12, 54]);
    assert!((0..55).all(|number| CENTER.action_number(CENTER.numbered_action(number).unwrap()) == number));
    assert!(number("1-7") >= 55, "no line goes from 1 to 7");
}

// The analysis of all positions, repetition aside.

type Position = (Points, Points, Side);

fn all_positions() -> Vec<Position> {
    let threes = (0..=ALL).filter(|men| men.count_ones() == 3);
    let pairs = threes.flat_map(|men| each(ALL & !men).map(move |black| (men, bit(black))));
    pairs.flat_map(|(men, black)| [(men, black, Side::White), (men, black, Side::Black)]).collect()
}

/// The positions after each action, with why the game is over there.
fn after_each_action(position: Position) -> Vec<(Position, Option<End>)> {
    let (white, black, side) = position;
    let start = State::new(white, black, side);
    let mut actions = Vec::new();
    CENTER.legal_actions(&start, CENTER.seat(side), &mut actions);
    let after = |action| {
        let mut state = start;
        CENTER.apply(&mut state, CENTER.seat(side), action);
        ((state.white, state.black, state.to_act), state.end)
    };
    actions.into_iter().map(after).collect()
}

/// From where White can force a pin on one of `goals`, however long it takes. A forced pin that is a ply nearer each
/// time never repeats a position, so the repetition rule changes nothing. `escapes`: Black wins once behind the lines.
fn won_by_white(goals: Points, escapes: bool) -> HashSet<Position> {
    let positions = all_positions();
    let mut won: HashSet<Position> = HashSet::new();
    loop {
        let is_won = |&(position, end): &(Position, Option<End>)| match end {
            Some(End::Pinned) => position.1 & goals != 0,
            Some(End::Escaped) if escapes => false,
            _ => won.contains(&position),
        };
        let found: Vec<Position> = positions
            .iter()
            .copied()
            .filter(|&position| {
                let next = after_each_action(position);
                match position.2 {
                    Side::White => next.iter().any(is_won),
                    Side::Black => !next.is_empty() && next.iter().all(is_won),
                }
            })
            .filter(|position| !won.contains(position))
            .collect();
        if found.is_empty() {
            return won;
        }
        won.extend(found);
    }
}

fn reachable() -> HashSet<Position> {
    let starts = each(points("2 4 5 6 7 8 9 B")).map(|point| (points("A 1 3"), bit(point), Side::White));
    let mut waiting: Vec<Position> = starts.collect();
    let mut reached: HashSet<Position> = waiting.iter().copied().collect();
    while let Some(position) = waiting.pop() {
        for (next, end) in after_each_action(position) {
            if reached.insert(next) && end.is_none() {
                waiting.push(next);
            }
        }
    }
    reached
}

#[test]
fn white_wins_wherever_black_starts_and_by_each_reply_of_schuhs_table() {
    let won = won_by_white(ALL, true);
    for point in each(points("2 4 5 6 7 8 9 B")) {
        assert!(won.contains(&(points("A 1 3"), bit(point), Side::White)), "from {}", name(point));
    }
    for (black, replies) in [
        ("2", vec!["A 3 5"]),
        ("4", vec!["A 1 5", "A 3 5"]),
        ("6", vec!["A 1 5", "A 3 5"]),
        ("5", vec!["1 2 3"]),
        ("7", vec!["A 1 5", "A 3 5"]),
        ("9", vec!["A 1 5", "A 3 5"]),
        ("8", vec!["A 1 5"]),
        ("B", vec!["1 2 3"]),
    ] {
        let start = (points("A 1 3"), points(black), Side::White);
        for reply in replies {
            let next = (points(reply), points(black), Side::Black);
            assert!(after_each_action(start).contains(&(next, None)), "{reply} is one move away");
            assert!(won.contains(&next), "{reply} wins against {black}");
        }
    }
    // The first move matters: two of five throw the win away.
    let first: Vec<bool> = after_each_action((points("A 1 3"), points("5"), Side::White))
        .iter()
        .map(|(position, _)| won.contains(position))
        .collect();
    assert_eq!(first.iter().filter(|&&wins| wins).count(), 3);
}

#[test]
fn white_can_always_pin_black_on_b() {
    // Sites 1970.
    let won = won_by_white(points("B"), true);
    for point in each(points("2 4 5 6 7 8 9 B")) {
        assert!(won.contains(&(points("A 1 3"), bit(point), Side::White)), "from {}", name(point));
    }
}

#[test]
fn that_black_has_escaped_changes_no_value() {
    let reached = reachable();
    let among = |won: HashSet<Position>| won.intersection(&reached).copied().collect::<HashSet<_>>();
    assert_eq!(among(won_by_white(ALL, true)), among(won_by_white(ALL, false)));
}

#[test]
fn black_is_pinned_on_b_4_and_6_only() {
    let pins = reachable().into_iter().flat_map(after_each_action).filter(|(_, end)| *end == Some(End::Pinned));
    let pinned = pins.fold(0, |pinned, ((_, black, _), _)| pinned | black);
    assert_eq!(pinned, points("4 6 B"));
}

#[test]
fn white_is_never_without_a_move_before_black_has_escaped() {
    let is_stuck = |&(white, black, side): &Position| {
        let escaped = column(black.trailing_zeros() as u8) <= column(white.trailing_zeros() as u8);
        side == Side::White && !escaped && after_each_action((white, black, side)).is_empty()
    };
    let stuck: Vec<Position> = all_positions().into_iter().filter(is_stuck).collect();
    // Black cannot have come to B past men on 7, 8 and 9.
    assert_eq!(stuck, [(points("7 8 9"), points("B"), Side::White)]);
    assert!(stuck.iter().all(|position| !reachable().contains(position)));
}

#[test]
fn with_goal_b_white_loses_by_pinning_black_elsewhere() {
    let on_b = "A-2 5-4 1-5 4-7 3-6 7-4 5-7 4-5 6-9 5-8 2-5 8-B 5-8";
    let on_4 = "1-4 5-1 4-7 1-5 A-1 5-4 3-5";
    for (game, history, payoffs) in [
        (CENTER, on_b, [1.0, -1.0]),
        (CENTER, on_4, [1.0, -1.0]),
        (ON_B_ONLY, on_b, [1.0, -1.0]),
        (ON_B_ONLY, on_4, [-1.0, 1.0]),
    ] {
        let game = after(game, history);
        assert_eq!(game.end_reason(), Some("pinned"));
        assert_eq!(game.payoffs().as_slice(), payoffs, "{history}");
    }
    let game = raichi_core::erased::create::<FrenchMilitary>(Some("goal=b")).unwrap();
    assert_eq!((game.spec(), game.on_b_only), ("french-military:goal=b", true));
}
