use raichi_games::focus::Focus;

use crate::drawn::Known;

#[test]
fn piles_and_reserves_count() {
    let known = Known::<Focus>::new("rule=none");
    let even = known.value("4/6/8/3,R,1,B,2/8/8/6/4 0 reserves=0/0", 0);
    let commanding = known.value("4/6/8/3,RB,1,R,2/8/8/6/4 0 reserves=0/0", 0);
    let reserved = known.value("4/6/8/3,R,1,B,2/8/8/6/4 0 reserves=2/0", 0);
    assert!(commanding > even && reserved > even, "{even} {commanding} {reserved}");
}

#[test]
fn seats_are_alike() {
    let known = Known::<Focus>::new("rule=none");
    let red = known.value("4/6/8/3,RBB,1,B,2/8/8/6/4 0 reserves=1/0", 0);
    let black = known.value("4/6/8/3,BRR,1,R,2/8/8/6/4 1 reserves=0/1", 1);
    assert!((red - black).abs() < 1e-5, "{red} {black}");
}
