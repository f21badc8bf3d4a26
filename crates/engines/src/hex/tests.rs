use raichi_core::game::Game;
use raichi_core::random::stream;
use raichi_games::hex::Hex;

use crate::drawn::Known;
use crate::playout_policy;

#[test]
fn a_chain_of_bridges_is_nearly_won() {
    let known = Known::<Hex>::new("size=5");
    // Black's bridges from the top rim to the bottom one.
    let joined = known.value("5/3B1/5/2B2/WW3 1", 0);
    let apart = known.value("5/B4/5/4B/WW3 1", 0);
    assert!(joined > apart + 0.3, "{joined} {apart}");
}

#[test]
fn the_first_seat_s_position_turned_is_the_second_s() {
    let known = Known::<Hex>::new("size=4");
    // Mirrored at the long diagonal with the colours exchanged.
    let black = known.value("2B1/4/1B2/W3 0", 0);
    let white = known.value("3B/2W1/W3/4 1", 1);
    assert!((black - white).abs() < 1e-5, "{black} {white}");
}

#[test]
fn the_middle_is_looked_at_first_on_an_empty_board() {
    let known = Known::<Hex>::new("size=5");
    assert!(known.best("5/5/5/5/5 0").contains(&"c3".to_string()));
}

#[test]
fn an_intrusion_into_a_bridge_is_answered() {
    let known = Known::<Hex>::new("size=5");
    // The bridge of d2 and c4 goes through c3 and d3; White has come to d3.
    let state = known.position("5/3B1/3W1/2B2/5 0");
    let policy = playout_policy(&known.game).expect("Hex has a policy");
    let d3 = 2 * 5 + 3;
    for seed in 0..20 {
        let mut rng = stream(seed, "test", 0);
        let answer = policy.choose(&known.game, &state, 0, Some(d3), &mut Vec::new(), &mut rng);
        assert_eq!(answer, 2 * 5 + 2, "seed {seed}: c3 keeps the bridge");
    }
    assert!(known.best("5/3B1/3W1/2B2/5 0").contains(&"c3".to_string()));
    assert!(known.game.is_legal(&state, 0, 2 * 5 + 2));
}

#[test]
fn a_bridge_to_the_rim_is_kept() {
    let known = Known::<Hex>::new("size=5");
    // Black on c2 is joined to the top rim by c1 and d1; White has come to c1.
    let state = known.position("2W2/2B2/5/5/5 0");
    let policy = playout_policy(&known.game).expect("Hex has a policy");
    for seed in 0..20 {
        let mut rng = stream(seed, "test", 0);
        assert_eq!(policy.choose(&known.game, &state, 0, Some(2), &mut Vec::new(), &mut rng), 3, "seed {seed}");
    }
}
