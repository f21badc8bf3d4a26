use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use raichi_core::host::{BareHost, CancelFlag};
use raichi_core::random::{index, stream};
use raichi_core::{Game, Notation, Phase};
use raichi_games::connect_four::{ConnectFour, State};
use raichi_solve::{Exact, Solver, Unsolved, Work};

use super::board::{AnySize, Cells, Shape, Standard, has_line, landing, threats};
use super::book::{self, Book, NoBook};
use super::search::Search;
use super::table::{Bounds, Near, Table};
use super::{solver, strategies, without_book};

fn solved(game: &ConnectFour, position: &State, n_threads: usize) -> Result<Exact, Unsolved> {
    solved_by(&*solver(game).expect("all sizes are known"), position, n_threads)
}

fn solved_by(solver: &dyn Solver<ConnectFour>, position: &State, n_threads: usize) -> Result<Exact, Unsolved> {
    let work = Work {
        deadline: None,
        cancel: &CancelFlag::default(),
        host: &BareHost,
        n_threads,
        memory: 1 << 25,
        folder: None,
        progress: &|_| {},
    };
    solver.solve(position, &work)
}

/// The score by the game's own rules, without any cut-off but the bounds of alpha-beta.
fn plain(game: &ConnectFour, state: &State, alpha: i32, beta: i32) -> i32 {
    let n_empty = (u32::from(game.width()) * u32::from(game.height()) - state.all().count_ones()) as i32;
    if game.phase(state) == Phase::Over {
        return if game.end_reason(state) == "line" { -(1 + n_empty / 2) } else { 0 };
    }
    let mut best = i32::MIN;
    for next in after_each(game, *state) {
        best = best.max(-plain(game, &next, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// A position with so many empty cells, after random plies that end nothing and allow no win at once where there are any.
fn random_position(game: &ConnectFour, n_empty: u32, seed: u64) -> Option<State> {
    let mut rng = stream(seed, "connect four", 0);
    let n_cells = u32::from(game.width()) * u32::from(game.height());
    let mut state = game.initial_state();
    while n_cells - state.all().count_ones() > n_empty {
        let goes_on: Vec<State> = after_each(game, state).filter(|next| game.phase(next) != Phase::Over).collect();
        let is_won = |state: &State| after_each(game, *state).any(|next| game.end_reason(&next) == "line");
        let quiet: Vec<State> = goes_on.iter().copied().filter(|next| !is_won(next)).collect();
        let among = if quiet.is_empty() { goes_on } else { quiet };
        if among.is_empty() {
            return None;
        }
        state = among[index(&mut rng, among.len())];
    }
    Some(state)
}

fn after_each(game: &ConnectFour, state: State) -> impl Iterator<Item = State> + use<'_> {
    let mut actions = Vec::new();
    game.legal_actions(&state, state.to_act(), &mut actions);
    actions.into_iter().map(move |action| {
        let mut next = state;
        game.apply(&mut next, state.to_act(), action);
        next
    })
}

#[test]
fn scores_are_those_of_a_plain_search_on_all_kinds_of_boards() {
    for (width, height, n_empty) in [
        (4, 4, 13),
        (5, 4, 11),
        (7, 6, 10),
        (6, 5, 11),
        (8, 7, 10),
        (4, 12, 11),
        (12, 4, 9),
        (9, 7, 9),
        (9, 9, 9),
        (12, 9, 9),
    ] {
        let game = ConnectFour::new(width, height).expect("it fits");
        let positions = (0..2000).filter_map(|seed| random_position(&game, n_empty - (seed % 3) as u32, seed));
        let mut n = 0;
        for position in positions.take(if height > 8 { 6 } else { 12 }) {
            let exact = solved(&game, &position, 1).expect("there is time");
            let expected = plain(&game, &position, -1000, 1000);
            assert_eq!(
                exact.score,
                Some(expected.into()),
                "{}",
                game.position_text(&position, raichi_core::Viewer::Spectator)
            );
            n += 1;
        }
        assert!(n > 0, "no position of {width}x{height}");
    }
}

#[test]
fn four_by_four_is_drawn_and_won_positions_have_their_length() {
    let game = ConnectFour::new(4, 4).expect("it fits");
    let drawn = solved(&game, &game.initial_state(), 1).expect("there is time");
    assert_eq!((drawn.values.as_slice(), drawn.plies, drawn.score), ([0.0, 0.0].as_slice(), Some(16), Some(0.0)));
    let game = ConnectFour::new(7, 6).expect("it fits");
    for (text, values, plies, score) in [
        // Yellow's fourth stone wins at once, and 18 of its 21 are left with it counted as the first of them.
        ("112233", [1.0, -1.0], 1, 18.0),
        // Yellow has both ends of a row.
        ("33445", [1.0, -1.0], 2, -18.0),
        ("1122334", [1.0, -1.0], 0, 18.0),
    ] {
        let position = game.parse_position(text).expect("it is one").state;
        // Two of them are in the book.
        let exact = solved_by(&*without_book(), &position, 1).expect("there is time");
        assert_eq!(
            (exact.values.as_slice(), exact.plies, exact.score),
            (values.as_slice(), Some(plies), Some(score)),
            "{text}"
        );
    }
}

#[test]
fn plies_are_counted_as_the_game_goes_on() {
    // Playing best plies to the end takes exactly as many.
    let game = ConnectFour::new(6, 5).expect("it fits");
    for seed in 0..30 {
        let Some(mut state) = random_position(&game, 14, seed) else { continue };
        let first = solved(&game, &state, 1).expect("there is time");
        for left in (0..first.plies.expect("it tells")).rev() {
            let mut next = after_each(&game, state).map(|next| (solved(&game, &next, 1).expect("there is time"), next));
            let (exact, next) =
                next.find(|(exact, _)| exact.values == first.values && exact.plies == Some(left)).expect("a best ply");
            state = next;
            assert_eq!(game.phase(&state) == Phase::Over, exact.plies == Some(0));
        }
        assert_eq!(game.phase(&state), Phase::Over);
    }
}

#[test]
fn positions_that_no_game_reaches_are_solved_as_well() {
    // Red to act with no stone, Yellow with three.
    let game = ConnectFour::new(4, 4).expect("it fits");
    for text in ["4/4/4/1YY1 1", "4/4/1Y2/1YY1 0", "4/4/4/YRR1 0", "1R2/1Y2/RR1R/YY1R 0"] {
        let position = game.parse_position(text).expect("it is one").state;
        let expected = plain(&game, &position, -1000, 1000);
        assert_eq!(solved(&game, &position, 1).expect("there is time").score, Some(expected.into()), "{text}");
    }
}

#[test]
fn two_searches_that_share_a_table_find_the_same() {
    let game = ConnectFour::new(7, 6).expect("it fits");
    let position = random_position(&game, 24, 3).expect("play goes so far");
    assert_eq!(solved(&game, &position, 2), solved(&game, &position, 1));
}

#[test]
fn what_is_stopped_or_has_no_memory_has_no_value() {
    let game = ConnectFour::new(7, 6).expect("it fits");
    let cancel = CancelFlag::default();
    cancel.cancel();
    let mut work = Work {
        deadline: None,
        cancel: &cancel,
        host: &BareHost,
        n_threads: 1,
        memory: 1 << 25,
        folder: None,
        progress: &|_| {},
    };
    // One that the book does not have.
    let position = random_position(&game, 32, 1).expect("play goes so far");
    let searcher = solver(&game).expect("it is known");
    assert_eq!(searcher.solve(&position, &work), Err(Unsolved::OutOfTime));
    work.memory = 1000;
    assert_eq!(solver(&game).expect("it is known").solve(&position, &work), Err(Unsolved::OutOfMemory));
}

#[test]
fn strategies_ensure_what_they_say() {
    // Their bounds hold for the exact score, and do so often enough that the test says something.
    let mut n_narrowed = 0;
    for (width, height) in [(7u8, 6u8), (6, 5), (5, 7)] {
        let game = ConnectFour::new(width, height).expect("it fits");
        let shape = AnySize::<u64>::new(width.into(), height.into());
        for seed in 0..400 {
            let Some(state) = random_position(&game, 9 + (seed % 6) as u32, seed) else { continue };
            let [own, all] = [state.own(), state.all()].map(|cells| super::moved(&game, shape, cells));
            let n_empty = (shape.board() & !all).n() as i32;
            let next = landing(shape, all);
            let foe_threats = threats(shape, own ^ all, all);
            if !((threats(shape, own, all) | foe_threats) & next).is_none() {
                continue;
            }
            let score = solved(&game, &state, 1).expect("there is time").score.expect("there is one") as i32;
            let Bounds { lower, upper } = strategies::bounds(shape, own, all, foe_threats, n_empty);
            assert!(lower <= score && score <= upper, "{lower} {score} {upper}");
            n_narrowed += usize::from(lower > -20 || upper < 20);
        }
    }
    assert!(n_narrowed > 40, "{n_narrowed}");
}

#[test]
fn a_table_keeps_bounds_and_takes_no_position_for_another() {
    fn check<C: Cells>(shape: AnySize<C>) {
        let table = Table::new::<C>(super::table::FEWEST_BUCKETS * 64).expect("there is memory");
        let key = |i: u64| C::of(u128::from(i) << 3 | u128::from(i % 7) << 20);
        let bounds = |i: u64| Bounds { lower: -(i as i32 % 60), upper: i as i32 % 59 };
        for i in 1..2000 {
            table.put::<C>(table.place(key(i), shape), bounds(i), 1 + i as u32 % 20);
        }
        let kept = (1..2000).filter(|&i| match table.get::<C>(table.place(key(i), shape)) {
            Some(known) => {
                assert_eq!(known, bounds(i));
                true
            }
            None => false,
        });
        assert!(kept.count() > 1900);
        assert!((2000..4000).all(|i| table.get::<C>(table.place(key(i), shape)).is_none()));
    }
    check(AnySize::<u64>::new(7, 6));
    check(AnySize::<u64>::new(8, 7));
    check(AnySize::<u128>::new(12, 9));
    assert!(Table::new::<u64>(1 << 20).is_none());
}

fn search_score(own: u64, all: u64) -> i32 {
    let table = Table::new::<u64>(1 << 26).expect("there is memory");
    let is_found = AtomicBool::new(false);
    let mut search = Search::new(Standard, &table, Near::new(), &|_| false, &is_found, 0);
    search.score(own, all).expect("nothing ends it")
}

#[test]
fn the_book_is_whole() {
    let book = book::built_in();
    assert!(book.entries.is_sorted() && book.entries.iter().all(|(_, score)| score.abs() <= 18));
    let positions = book::positions_to(book.n_plies);
    assert_eq!(book.entries.len(), positions.iter().map(Vec::len).sum::<usize>());
    // As published (J. Tromp, V. Allis): the middle wins, its neighbours draw, the others lose, the sooner the farther out.
    let after = |column: u32| book.score(book::canonical_key(0, 1 << (7 * column))).map(|score| -score);
    assert_eq!(book.score(book::canonical_key(0, 0)), Some(1));
    assert_eq!((0..7).map(after).collect::<Vec<_>>(), [-2, -1, 0, 1, 0, -1, -2].map(Some));
    let file = book.write();
    assert_eq!(Book::read(&file).as_ref(), Ok(book));
    assert_eq!(Book::read(&file[1..]), Err(NoBook::Title));
    assert_eq!(Book::read(&[&file[..], &[0]].concat()), Err(NoBook::Length));
    let book = Book { n_plies: 1, entries: vec![(3, -1), (9, 4)] };
    let mut damaged = book.write();
    *damaged.last_mut().expect("there are entries") ^= 1;
    assert_eq!(Book::read(&damaged), Err(NoBook::CheckSum));
}

#[test]
fn the_first_positions_folded_by_the_mirror_are_as_many_as_is_known() {
    // Of 1, 7, 49, 238, 1,120, 4,263 positions (J. Tromp).
    let levels = book::positions_to(5);
    assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [1, 4, 25, 121, 568, 2144]);
    assert!(levels[5].iter().all(|&(own, all)| !has_line(Standard, own ^ all)));
}

#[test]
fn a_book_follows_from_the_last_ply() {
    // Scores of ply 2 that depend on nothing but the key; those before are the best of what follows.
    let score = |key: u64| (key % 7) as i32 - 3;
    let at_ply_2: Vec<u64> = book::positions_to(2)[2].iter().map(|&(own, all)| book::canonical_key(own, all)).collect();
    let book = Book::gathered(2, |key| at_ply_2.contains(&key).then(|| score(key)));
    assert_eq!(book.entries.len(), 30);
    let partly = Book::gathered(2, |key| (key == at_ply_2[0]).then(|| score(key)));
    assert_eq!(partly.entries, [(at_ply_2[0], score(at_ply_2[0]) as i8)]);
}

#[test]
#[ignore = "some positions of the book, seconds each"]
fn nightly_the_book_says_what_a_search_finds() {
    let book = book::built_in();
    let last = &book::positions_to(book.n_plies)[usize::from(book.n_plies)];
    for &(own, all) in last.iter().step_by(last.len().div_ceil(5)) {
        if let Some(score) = book.score(book::canonical_key(own, all)) {
            assert_eq!(search_score(own, all), score);
        }
    }
}

proptest! {
    #[test]
    fn mirror_images_have_one_key(columns in proptest::collection::vec(0u8..7, 0..20)) {
        let game = ConnectFour::new(7, 6).expect("it fits");
        let (mut state, mut image) = (game.initial_state(), game.initial_state());
        for column in columns {
            if game.phase(&state) == Phase::Over || !game.is_legal(&state, state.to_act(), column) {
                break;
            }
            let seat = state.to_act();
            game.apply(&mut state, seat, column);
            game.apply(&mut image, seat, 6 - column);
        }
        let [one, other] = [state, image].map(|state| {
            let [own, all] = [state.own(), state.all()].map(|cells| super::moved(&game, Standard, cells));
            book::canonical_key(own, all)
        });
        prop_assert_eq!(one, other);
    }
}
