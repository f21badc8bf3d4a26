//! What a player of poker computes once in a process is computed when it is made, not in a decision. A file of its own: in one
//! with other tests these would compute it.

use raichi_engines::poker::blueprint::BlueprintPlayer;
use raichi_engines::poker::evaluator::Evaluator;

#[test]
fn the_blueprint_brings_the_tables_that_value_hands() {
    assert!(!Evaluator::is_made(), "nobody has asked for them yet");
    BlueprintPlayer::new();
    assert!(Evaluator::is_made());
}
