//! The rule book, clause by clause; the clauses of the heaps themselves are tested with Nim3P.

use std::collections::HashMap;

use raichi_core::game::Game;
use raichi_core::{AnyMatch, Encoding, Match, Notation, Phase, Viewer};

use super::Nim;
use crate::heaps::Setup;

fn after(sizes: &[u8], limit: u8, misere: bool, history: &str) -> Match<Nim> {
    let mut game = Match::new(Nim { setup: Setup::new(sizes, limit), misere });
    game.play_history(history).expect("the test's history is legal");
    game
}

fn spec(text: &str) -> Result<String, String> {
    crate::game(text).map(|game| game.spec().to_string()).map_err(|why| why.to_string())
}

#[test]
fn the_last_item_wins_or_in_misere_loses() {
    for (misere, history, payoffs) in [
        (false, "a2", [1.0, -1.0]),
        (false, "a1 a1", [-1.0, 1.0]),
        (true, "a2", [-1.0, 1.0]),
        (true, "a1 a1", [1.0, -1.0]),
    ] {
        let over = after(&[2], 2, misere, history);
        assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("last-item"), payoffs.as_slice()));
    }
}

#[test]
fn no_more_than_the_limit_is_taken_at_once() {
    let mut game = after(&[5, 2], 3, false, "");
    assert_eq!(AnyMatch::legal(&game, 0), ["a1", "a2", "a3", "b1", "b2"]);
    let error = game.play_text(0, "a4").unwrap_err().to_string();
    assert_eq!(error, "`a4` is not legal: at most 3 may be taken at once");
}

#[test]
fn broken_off_it_is_drawn() {
    let mut capped = crate::game("nim:max-plies=1").unwrap().new_match();
    capped.play_history("a5").unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
}

#[test]
fn max_defaults_to_five_or_the_largest_heap() {
    let n_actions = |spec: &str| crate::game(spec).unwrap().new_match().legal(0).len();
    assert_eq!(n_actions("nim:heaps=1,size=9"), 5);
    assert_eq!(n_actions("nim:heaps=1,size=3"), 3);
    assert_eq!(n_actions("nim:heaps=1,size=9,max=0"), 9);
    assert_eq!(n_actions("nim:sizes=1/7/2"), 8);
    assert_eq!(spec("nim:size=9,max=5"), Ok("nim:size=9".into()));
    assert_eq!(spec("nim:max=3,size=3"), Ok("nim:size=3".into()));
    assert_eq!(spec("nim:size=3,max=0"), Ok("nim:size=3,max=0".into()));
    assert_eq!(
        spec("nim:misere=true,sizes=1/3,max=2,max-plies=9"),
        Ok("nim:max=2,sizes=1/3,misere=true,max-plies=9".into())
    );
    let why = "the largest heap has 3, so max is at most 3, or 0 for no limit";
    assert_eq!(spec("nim:sizes=1/3,max=4"), Err(format!("`max=4`: {why}")));
}

#[test]
fn the_mover_loses_exactly_when_the_remainders_cancel() {
    for limit in [1, 2, 3, 5, u8::MAX] {
        let game = Nim { setup: Setup::new(&[6, 7, 5], limit), misere: false };
        let mut wins = HashMap::new();
        mover_wins(&game, &game.initial_state(), &mut wins);
        assert!(wins.len() > 300);
        for (state, wins) in wins {
            let remainder = |heap| u16::from(state.heaps.items(heap)) % (u16::from(limit) + 1);
            assert_eq!(wins, remainder(0) ^ remainder(1) ^ remainder(2) != 0, "{state:?}, at most {limit} at once");
        }
    }
}

type State = <Nim as Game>::State;

fn mover_wins(game: &Nim, state: &State, known: &mut HashMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let Phase::Act(seats) = game.phase(state) else { return false };
    let mut actions = Vec::new();
    game.legal_actions(state, seats.first(), &mut actions);
    // Not `any`: every position is visited.
    let mut wins = false;
    for action in actions {
        let mut next = *state;
        game.apply(&mut next, seats.first(), action);
        wins |= !mover_wins(game, &next, known);
    }
    known.insert(*state, wins);
    wins
}

#[test]
fn who_would_act_next_decides_a_finished_position() {
    let over = after(&[2], 2, false, "a1 a1");
    assert_eq!(over.position_text(Viewer::Spectator), "0 0");
    let game = over.game().game();
    let payoffs = |text: &str| game.payoffs(&game.parse_position(text).unwrap().state);
    assert_eq!(payoffs("0 0"), over.payoffs());
    assert_eq!(payoffs("0 1").as_slice(), [1.0, -1.0]);
    let error = game.parse_position("1 2").unwrap_err().to_string();
    assert_eq!(error, "position, character 3: `2` cannot stand here; expected the seat to act, 0 to 1");
}

#[test]
fn actions_are_numbered_up_to_the_limit() {
    let game = Nim { setup: Setup::new(&[1, 7, 2], 3), misere: false };
    assert_eq!(game.n_actions(), 9);
    let texts = (0..9).map(|number| game.setup.text(game.numbered_action(number).unwrap())).collect::<Vec<_>>();
    assert_eq!(texts, ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]);
    let unlimited = Nim { setup: Setup::new(&[255; 12], u8::MAX), misere: false };
    assert_eq!((unlimited.n_actions(), unlimited.numbered_action(3060)), (3060, None));
    let mut observation = [-1; 13];
    unlimited.observe(&unlimited.initial_state(), 1, &mut observation);
    assert_eq!((&observation[..12], observation[12]), ([255; 12].as_slice(), 2));
}
