use raichi_games::connect_four::ConnectFour;

use crate::drawn::Known;

#[test]
fn four_at_once_is_won_and_two_of_the_enemy_s_are_lost() {
    let known = Known::<ConnectFour>::new("");
    assert!(known.value("7/7/7/7/RR5/YYY4 0", 0) > 0.99);
    // Yellow fills either end of its row.
    assert!(known.value("7/7/7/7/2R4/1YYY1RR 1", 1) < -0.99);
    assert!(!known.is_quiet("7/7/7/7/RR5/YYY4 1"));
    assert!(known.is_quiet("7/7/7/7/7/3Y3 1"));
}

// Yellow threatens d3 or, one row higher, d4; everything else is as good for one as for the other.
#[test]
fn a_threat_on_an_odd_row_is_the_first_seat_s() {
    let known = Known::<ConnectFour>::new("");
    let third_row = "7/7/7/1YY1Y2/1RY1R2/1YR1R2 1";
    let fourth_row = "7/7/1YY1Y2/1RY1R2/1YR1R2/1RY1R2 1";
    assert!(known.value(third_row, 0) > known.value(fourth_row, 0));
}

#[test]
fn wide_boards_are_valued_as_narrow_ones_are() {
    // Twelve columns take two words; the threats of the left half are the same.
    let wide = Known::<ConnectFour>::new("width=12,height=6");
    assert!(wide.value("12/12/12/12/RR10/YYY9 0", 0) > 0.99);
    assert!(wide.value("12/12/12/12/9RR1/8YYY1 0", 0) > 0.99);
}

#[test]
fn a_win_is_looked_at_first_and_then_a_block() {
    let known = Known::<ConnectFour>::new("");
    assert_eq!(known.best("7/7/7/7/RRR4/YYY4 0"), ["4"]);
    assert_eq!(known.best("7/7/7/7/R6/YYY1R2 1"), ["4"]);
}

#[test]
fn playouts_win_block_and_give_no_win_away() {
    let known = Known::<ConnectFour>::new("");
    let policy = crate::playout_policy(&known.game).expect("Connect Four has a policy");
    let choose = |text: &str, seat: usize, seed: u64| {
        let mut rng = raichi_core::random::stream(seed, "test", 0);
        policy.choose(&known.game, &known.position(text), seat, None, &mut Vec::new(), &mut rng) + 1
    };
    for seed in 0..20 {
        assert_eq!(choose("7/7/7/7/RRR4/YYY4 0", 0, seed), 4, "it wins");
        assert_eq!(choose("7/7/7/7/R6/YYY1R2 1", 1, seed), 4, "it blocks");
    }
    // Red wins on d2, so that Yellow does not go to d1, unless it is drawn five times in a row.
    let gives = (0..400).filter(|&seed| choose("7/7/7/7/RRR4/YYR1Y2 0", 0, seed) == 4).count();
    assert!(gives < 5, "{gives}");
}
