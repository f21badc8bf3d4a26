use raichi_games::kaalu::Kaalu;

use crate::drawn::Known;

#[test]
fn primacies_count() {
    let known = Known::<Kaalu>::new("");
    // Black rules pile a; with one stone less it ties neutral there, and white rules it.
    let ruled = known.value("3/4/2,3/2/3 1 stocks=5/6", 0);
    let even = known.value("3/3/2 1 stocks=6/7", 0);
    assert!(ruled > even, "{ruled} {even}");
}

#[test]
fn colours_are_alike() {
    let known = Known::<Kaalu>::new("");
    let black = known.value("3/4/2,3/2/3 1 stocks=5/6", 0);
    let white = known.value("3/2/4,3/3/2 0 stocks=6/5", 1);
    assert!((black - white).abs() < 1e-5, "{black} {white}");
}
