use raichi_games::tablut::Tablut;

use crate::drawn::Known;

// For the Muscovites, who are seat 0.
fn value(text: &str) -> f32 {
    Known::<Tablut>::new("").value(text, 0)
}

#[test]
fn an_open_way_is_won_for_the_swedes_to_act() {
    assert!(value("4M4/9/9/9/M3K3M/9/9/9/9 1") < -0.99);
    // Two ways at once cannot be closed by one ply.
    assert!(value("4M4/9/4K4/9/9/9/4M4/9/9 0") < -0.7);
}

#[test]
fn a_short_king_range_shortens_the_ways() {
    let text = "9/9/9/9/2MMKMM2/4M4/9/9/9 1";
    assert!(Known::<Tablut>::new("king-range=4").value(text, 1) > 0.99);
    assert!(Known::<Tablut>::new("king-range=3").value(text, 1) < 0.99);
}

#[test]
fn men_count_for_their_side() {
    let full = value("3MMM3/4M4/4S4/M3S3M/MMSSKSSMM/M3S3M/4S4/4M4/3MMM3 0");
    let fewer_muscovites = value("3M1M3/4M4/4S4/M3S3M/MMSSKSSMM/M3S3M/4S4/4M4/3M1M3 0");
    assert!(fewer_muscovites < full, "{fewer_muscovites} {full}");
}

#[test]
fn the_seats_of_the_sides_do_not_matter() {
    let (black, white) = (Known::<Tablut>::new("first=black"), Known::<Tablut>::new("first=white"));
    let board = "3MMM3/4M4/4S4/M7M/MMSSKSSMM/M3S3M/4S4/4M4/3MMM3";
    assert_eq!(black.value(&format!("{board} 0"), 0), white.value(&format!("{board} 1"), 1));
}

#[test]
fn a_king_in_danger_is_not_quiet() {
    let known = Known::<Tablut>::new("");
    assert!(known.is_quiet("3MMM3/4M4/4S4/M3S3M/MMSSKSSMM/M3S3M/4S4/4M4/3MMM3 0"));
    assert!(!known.is_quiet("9/4M4/3MKM3/9/9/9/9/4M4/9 0"), "the fourth side is open");
    assert!(!known.is_quiet("4M4/9/M3K4/9/9/9/4M4/9/9 0"), "a way is open");
}

#[test]
fn the_escape_is_looked_at_first_and_then_what_closes_a_way() {
    let known = Known::<Tablut>::new("");
    assert_eq!(known.best("4M4/9/4K4/9/M8/9/4M4/9/9 1"), ["e7-a7", "e7-i7"]);
    let closing = known.best("4M4/9/M3K4/9/8M/9/4M4/9/9 0");
    assert!(closing.iter().all(|text| text.ends_with('7')), "{closing:?}");
}

#[test]
fn playouts_escape_and_close_ways() {
    use raichi_core::notation::Notation;
    let known = Known::<Tablut>::new("");
    let policy = crate::playout_policy(&known.game).expect("Tablut has a policy");
    let choose = |text: &str, seat: usize, seed: u64| {
        let state = known.position(text);
        let mut rng = raichi_core::random::stream(seed, "test", 0);
        let action = policy.choose(&known.game, &state, seat, None, &mut Vec::new(), &mut rng);
        known.game.action_text(&state, seat, action)
    };
    for seed in 0..20 {
        let escape = choose("4M4/9/4K4/9/M8/9/4M4/9/9 1", 1, seed);
        assert!(["e7-a7", "e7-i7"].contains(&escape.as_str()), "{escape}");
        assert_eq!(choose("4M4/9/M3K4/9/8M/9/4M4/9/9 0", 0, seed), "i5-i7");
        assert_eq!(choose("4M4/4M4/3MKM3/9/9/9/4M4/9/9 0", 0, seed), "e3-e6", "it catches the king");
    }
}
