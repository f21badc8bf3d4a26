use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use raichi_core::host::{BareHost, CancelFlag};
use raichi_core::random::{Rng, index, stream};
use raichi_core::{Encoding, Game, Notation, Phase, Viewer};
use raichi_games::othello::lines::{placements, turned};
use raichi_games::othello::{Othello, State};
use raichi_machine::{Choice, InstructionSet, Instructions, Portable};
use raichi_solve::{Exact, Unsolved, Work};

use super::last::{n_turned, score_of};
use super::near::Near;
use super::search::Search;
use super::solver;
use super::table::{Known, Table};
use crate::othello::board::{canonical, stable};
use crate::othello::effort::ASK_EVERY;

fn solved(game: &Othello, position: &State, n_threads: usize) -> Result<Exact, Unsolved> {
    solved_within(1 << 24, game, position, n_threads)
}

/// With a table of so many bytes.
fn solved_within(memory: usize, game: &Othello, position: &State, n_threads: usize) -> Result<Exact, Unsolved> {
    let work = Work {
        deadline: None,
        cancel: &CancelFlag::default(),
        host: &BareHost,
        n_threads,
        memory,
        folder: None,
        progress: &|_| {},
    };
    solver(game).expect("boards to 8×8 are known").solve(position, &work)
}

/// The score by the game's own rules, without any cut-off but those of alpha-beta.
fn plain(game: &Othello, state: &State, mut alpha: i32, beta: i32) -> i32 {
    if game.phase(state) == Phase::Over {
        let [own, foes] = state.own_and_foes().map(|cells| cells.count_ones() as i32);
        return score_of(own, foes, game.board().count_ones() as i32);
    }
    let mut actions = Vec::new();
    game.legal_actions(state, state.to_act(), &mut actions);
    let mut best = i32::MIN;
    for action in actions {
        let mut next = *state;
        game.apply(&mut next, state.to_act(), action);
        best = best.max(-plain(game, &next, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn n_empty(game: &Othello, state: &State) -> u32 {
    let [own, foes] = state.own_and_foes();
    (game.board() & !(own | foes)).count_ones()
}

/// The positions of a game of random play.
fn random_game(game: &Othello, seed: u64) -> Vec<State> {
    let mut rng = stream(seed, "othello", 0);
    let mut states = vec![game.initial_state()];
    loop {
        let mut state = *states.last().expect("the first one is there");
        if game.phase(&state) == Phase::Over {
            return states;
        }
        let mut actions = Vec::new();
        game.legal_actions(&state, state.to_act(), &mut actions);
        let seat = state.to_act();
        game.apply(&mut state, seat, actions[index(&mut rng, actions.len())]);
        states.push(state);
    }
}

/// The score of a position of 8×8 by a new search, and its nodes.
struct Scored {
    own: u64,
    foes: u64,
}

impl Choice for Scored {
    type Output = (Option<i32>, u64);

    fn with<I: Instructions>(self, instructions: I) -> Self::Output {
        let table = Table::new(1 << 22).expect("there is memory");
        let mut search = Search::new(instructions, 8, table.part(16), &|_| false, 0);
        (search.score(self.own, self.foes), search.effort.nodes)
    }
}

#[test]
fn what_the_last_disc_turns_is_counted_as_it_is_turned() {
    let mut rng = stream(5, "last", 0);
    for size in [4, 6, 8] {
        let board = Othello::new(size).board() as u64;
        for _ in 0..20_000 {
            let cell = index(&mut rng, 64) as u32;
            if board >> cell & 1 == 0 {
                continue;
            }
            // Few own discs make long runs.
            let sets = [rng.next_u64(), rng.next_u64(), rng.next_u64()];
            let own = board & !(1 << cell) & if sets[0] & 1 == 0 { sets[1] } else { sets[1] & sets[2] };
            let foes = board & !own & !(1 << cell);
            assert_eq!(n_turned(cell, own), turned(cell, own, foes).count_ones() as i32, "{cell} {own:x}");
        }
    }
}

#[test]
fn stable_discs_are_never_turned() {
    let mut n = 0;
    for size in [4, 6, 8] {
        let game = Othello::new(size);
        for states in (0..100).map(|seed| random_game(&game, seed)) {
            let mut kept = [0; 2];
            for state in states {
                let discs = state.discs().map(|cells| cells as u64);
                for seat in 0..2 {
                    assert_eq!(kept[seat] & !discs[seat], 0, "{}", game.position_text(&state, Viewer::Spectator));
                    kept[seat] |= stable(discs[seat], discs[1 - seat], game.board() as u64);
                }
            }
            n += kept[0].count_ones() + kept[1].count_ones();
        }
    }
    // In the end of most games the whole board is.
    assert!(n > 4000, "{n}");
}

#[test]
fn scores_are_those_of_a_plain_search() {
    for (size, most) in [(4, 9), (6, 9), (8, 9)] {
        let game = Othello::new(size);
        for (seed, states) in (0..20).map(|seed| (seed, random_game(&game, seed))) {
            let wanted = most - seed as u32 % 9;
            // The positions at a pass, and those that are over, come with the others.
            for position in states.iter().filter(|state| n_empty(&game, state) == wanted) {
                let score = plain(&game, position, -100, 100);
                let exact = solved(&game, position, 1).expect("there is time");
                let seen = if game.phase(position) == Phase::Over && position.to_act() == 1 { -score } else { score };
                assert_eq!(exact.score, Some(seen.into()), "{}", game.position_text(position, Viewer::Spectator));
                let to_act = exact.values[position.to_act()];
                assert!(to_act * f64::from(score) > 0.0 || (to_act, score) == (0.0, 0));
            }
        }
    }
}

#[test]
fn neither_the_patterns_nor_the_selective_search_change_a_score() {
    let game = Othello::new(8);
    for seed in 100..120 {
        let states = random_game(&game, seed);
        let Some(state) = states.iter().find(|state| n_empty(&game, state) == 14) else { continue };
        let [own, foes] = state.own_and_foes().map(|cells| cells as u64);
        let score = |with_patterns: bool, long: u32, probed: u32| {
            let table = Table::new(1 << 22).expect("there is memory");
            let mut search = Search::new(Portable, 8, table.part(16), &|_| false, 0);
            (search.long, search.probed) = (long, probed);
            if !with_patterns {
                search.patterns = None;
            }
            search.score(own, foes)
        };
        // Whatever the processor has, with the same tree.
        let by_words = Scored { own, foes }.with(Portable);
        for set in InstructionSet::all() {
            assert_eq!(set.choose(Scored { own, foes }), by_words, "{set:?}");
        }
        let plain = score(false, 64, 64);
        assert!(plain.is_some());
        assert_eq!(score(true, 64, 64), plain);
        for probed in [9, 10, 12] {
            assert_eq!(score(true, 11, probed), plain, "{}", game.position_text(state, Viewer::Spectator));
        }
    }
}

#[test]
fn images_of_a_position_have_one_form_which_is_an_image_itself() {
    for size in [4, 6, 8] {
        let game = Othello::new(size);
        for state in random_game(&game, 7).iter().filter(|state| game.phase(state) != Phase::Over) {
            let [own, foes] = state.own_and_foes().map(|cells| cells as u64);
            let form = canonical(own, foes, size.into());
            let n = |own: u64, foes: u64| {
                let board = game.board() as u64;
                (own.count_ones(), foes.count_ones(), placements(own, foes, board & !(own | foes)).count_ones())
            };
            assert_eq!(n(form.0, form.1), n(own, foes), "{}", game.position_text(state, Viewer::Spectator));
            for symmetry in 0..game.n_symmetries() {
                let mut observation = vec![0; game.layout().len()];
                game.observe(state, state.to_act(), &mut observation);
                let mut image = observation.clone();
                game.map_observation(symmetry, &observation, &mut image);
                let cells = |value: i32| {
                    let of = |i: usize| 1 << (8 * (i / usize::from(size)) + i % usize::from(size));
                    let n_cells = usize::from(size) * usize::from(size);
                    (0..n_cells).filter(|&i| image[i] == value).map(of).sum::<u64>()
                };
                assert_eq!(canonical(cells(1), cells(2), size.into()), form, "{symmetry}");
            }
        }
    }
}

#[test]
fn four_by_four_is_the_second_seat_s_by_eleven_to_three() {
    let game = Othello::new(4);
    let start = game.initial_state();
    let exact = solved(&game, &start, 1).expect("there is time");
    assert_eq!(exact.values.as_slice(), [-1.0, 1.0]);
    // Two cells stay empty, and count for the winner.
    assert_eq!(exact.score, Some(-10.0));
    assert_eq!(plain(&game, &start, -100, 100), -10);
    assert_eq!(solved(&game, &start, 2), Ok(exact));
}

#[test]
#[ignore = "some minutes, and a gigabyte"]
fn nightly_six_by_six_is_the_second_seat_s_by_four() {
    let game = Othello::new(6);
    let exact = solved_within(1 << 30, &game, &game.initial_state(), 1).expect("there is time");
    assert_eq!((exact.values.as_slice(), exact.score), (&[-1.0, 1.0][..], Some(-4.0)));
}

#[test]
fn what_is_stopped_has_no_memory_or_is_too_large_has_no_value() {
    let game = Othello::new(8);
    let cancel = CancelFlag::default();
    cancel.cancel();
    let mut work = Work {
        deadline: None,
        cancel: &cancel,
        host: &BareHost,
        n_threads: 1,
        memory: 1 << 24,
        folder: None,
        progress: &|_| {},
    };
    let searcher = solver(&game).expect("8×8 is known");
    assert_eq!(searcher.solve(&game.initial_state(), &work), Err(Unsolved::OutOfTime));
    work.memory = 1000;
    assert_eq!(solver(&game).expect("8×8 is known").solve(&game.initial_state(), &work), Err(Unsolved::OutOfMemory));
}

#[test]
fn ten_by_ten_is_scored_as_by_a_plain_search() {
    let game = Othello::new(10);
    let mut n_compared = 0;
    for number in 0..20 {
        let mut rng = stream(7, "wide", number);
        let mut state = game.initial_state();
        while n_empty(&game, &state) > 6 && game.phase(&state) != Phase::Over {
            let seat = state.to_act();
            let action = game.random_action(&state, seat, &mut Vec::new(), &mut rng);
            game.apply(&mut state, seat, action);
        }
        let exact = solved(&game, &state, 1).expect("there is time");
        let view = if game.phase(&state) == Phase::Over && state.to_act() == 1 { -1 } else { 1 };
        let score = view * plain(&game, &state, -100, 100);
        assert_eq!(exact.score, Some(f64::from(score)), "{}", game.position_text(&state, Viewer::Seat(0)));
        n_compared += u32::from(game.phase(&state) != Phase::Over);
    }
    assert!(n_compared >= 10, "{n_compared}");
}

#[test]
fn a_search_asks_often_whether_it_is_over_also_where_shallow_searches_take_its_time() {
    let whole = Table::new(1 << 24).expect("there is memory");
    let [own, foes] = Othello::new(8).initial_state().own_and_foes().map(|cells| cells as u64);
    for times in [1, 10, 100] {
        let asked = AtomicU64::new(0);
        let is_over = |_| asked.fetch_add(1, Relaxed) + 1 >= times;
        let mut search = Search::new(Portable, 8, whole.part(u32::MAX), &is_over, 0);
        assert_eq!(search.score(own, foes), None);
        assert_eq!(asked.load(Relaxed), times, "what is over is not asked again");
        // Each time after so many nodes, and the rest of a shallow search of a few.
        let most = times * (ASK_EVERY + 500);
        assert!(search.effort.nodes <= most, "{} nodes, asked {times} times", search.effort.nodes);
    }
}

#[test]
fn the_small_table_keeps_both_bounds_and_takes_no_position_for_another() {
    let mut near = Near::new();
    let mut rng = stream(3, "near", 0);
    for _ in 0..40_000 {
        let own = rng.next_u64();
        let foes = !own & rng.next_u64();
        assert_eq!(near.bound(own, foes, 0), None, "nothing is known of it");
        let score = 2 * index(&mut rng, 63) as i32 - 62;
        // The score is known where one search found it to be this at least, and another one no more.
        near.keep(own, foes, score, score);
        assert_eq!(near.bound(own, foes, score), Some(score));
        assert_eq!(near.bound(own, foes, score + 1), None);
        near.keep(own, foes, score + 1, score);
        assert_eq!([near.bound(own, foes, score), near.bound(own, foes, score + 1)], [Some(score); 2]);
        assert_eq!(near.bound(foes, own, score), None, "the other seat's discs");
    }
}

#[test]
fn a_table_keeps_what_is_known_and_takes_no_position_for_another() {
    let whole = Table::new(1 << 24).expect("there is memory");
    let table = whole.part(u32::MAX);
    let known = |i: u64| Known { lower: -(i as i32 % 65), upper: i as i32 % 64, best: i as u32 % 65 };
    for i in 1..5000 {
        table.put(i, i << 32, known(i), i as u32 % 30 + 1);
    }
    let kept = (1..5000u64).filter(|&i| table.get(i, i << 32).inspect(|&found| assert_eq!(found, known(i))).is_some());
    assert!(kept.count() > 4900);
    // A small part keeps few, and is not the rest.
    let part = whole.part(4);
    (9000..9100).for_each(|i| part.put(i, i << 32, known(i), 1));
    let kept =
        (9000..9100u64).filter(|&i| part.get(i, i << 32).inspect(|&found| assert_eq!(found, known(i))).is_some());
    assert!((16..=32).contains(&kept.count()));
    assert!((5000..9000u64).all(|i| table.get(i, i << 32).is_none()));
    assert!(Table::new(1 << 16).is_none());
}
