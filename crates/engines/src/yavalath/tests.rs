use raichi_core::random::stream;
use raichi_games::yavalath::Yavalath;

use crate::drawn::Known;
use crate::playout_policy;

#[test]
fn four_at_once_is_won_and_a_block_that_makes_three_is_lost() {
    let known = Known::<Yavalath>::new("swap=false");
    assert!(known.value("5/6/7/8/2XX1X3/8/7/6/OO3 0", 0) > 0.99);
    assert!(!known.is_quiet("5/6/7/8/2XX1X3/8/7/6/OO3 1"));
    // O must put a stone between X's and makes three by that.
    let spoiled = "5/6/7/8/1XX1X4/3O4/3O3/6/5 1";
    let free = "5/6/7/8/1XX1X4/8/7/O5/O4 1";
    assert!(known.value(spoiled, 1) < known.value(free, 1));
}

#[test]
fn a_win_is_looked_at_first_and_then_a_block() {
    let known = Known::<Yavalath>::new("swap=false");
    assert_eq!(known.best("5/6/7/8/2XX1X3/8/7/6/OO1O1 0").len(), 1);
    assert_eq!(known.best("5/6/7/8/2XX1X3/8/7/6/5 1"), known.best("5/6/7/8/2XX1X3/8/7/6/5 0"));
}

#[test]
fn playouts_win_block_and_make_no_three() {
    let known = Known::<Yavalath>::new("swap=false");
    let policy = playout_policy(&known.game).expect("Yavalath has a policy");
    let choose = |text: &str, seat: usize, seed: u64| {
        let mut rng = stream(seed, "test", 0);
        policy.choose(&known.game, &known.position(text), seat, None, &mut Vec::new(), &mut rng)
    };
    let four = "5/6/7/8/2XX1X3/8/7/6/5";
    let cell = choose(&format!("{four} 0"), 0, 0);
    for seed in 0..20 {
        assert_eq!(choose(&format!("{four} 0"), 0, seed), cell, "it wins");
        assert_eq!(choose(&format!("{four} 1"), 1, seed), cell, "it blocks");
    }
}

#[test]
fn of_three_seats_the_one_with_pairs_has_more() {
    let known = Known::<Yavalath>::new("players=3");
    let text = "5/6/7/8/2X1X4/8/7/6/5 0";
    let [first, second, third] = [0, 1, 2].map(|seat| known.value(text, seat));
    assert!(first > second && (second - third).abs() < 0.1, "{first} {second} {third}");
}
