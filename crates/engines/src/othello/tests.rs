use raichi_games::othello::Othello;

use crate::drawn::Known;

#[test]
fn a_corner_is_worth_more_than_a_disc() {
    let known = Known::<Othello>::new("");
    let with = known.value("X7/8/8/3OX3/3XO3/8/8/8 1", 0);
    let without = known.value("8/8/2X5/3OX3/3XO3/8/8/8 1", 0);
    assert!(with > without + 0.1, "{with} {without}");
}

#[test]
fn the_cell_diagonally_beside_an_empty_corner_is_bad() {
    let known = Known::<Othello>::new("");
    let bad = known.value("8/1X6/8/3OX3/3XO3/8/8/8 1", 0);
    let good = known.value("8/8/2X5/3OX3/3XO3/8/8/8 1", 0);
    assert!(bad < good, "{bad} {good}");
}

#[test]
fn seats_are_alike() {
    let known = Known::<Othello>::new("size=10");
    let black = known.value("10/10/10/3XX5/4XO4/4OX4/10/10/10/10 0", 0);
    let white = known.value("10/10/10/3OO5/4OX4/4XO4/10/10/10/10 1", 1);
    assert!((black - white).abs() < 1e-5, "{black} {white}");
}

#[test]
fn the_corner_is_looked_at_first() {
    let known = Known::<Othello>::new("");
    assert_eq!(known.best("1OX5/8/8/3OX3/3XO3/8/8/8 0"), ["a1"]);
}
