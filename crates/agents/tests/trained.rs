//! Trained agents: trainings that are interrupted, presets, archives.

use raichi_agents::CancelFlag;
use raichi_agents::trained::{Files, Plan, begin, presets, read_archive, write_archive};

#[test]
fn a_training_that_was_interrupted_ends_with_the_same_weights() {
    for agent in [
        "ntuple:tuples=10x4,tcl=exp,lambda=0.5,alpha=0.5,alpha-end=0.1,epsilon=0.3,epsilon-end=0",
        "alphazero:width=16,blocks=1,sims=8,fast-sims=2,round=16,batch=32,rate-end=0.0001",
    ] {
        interrupted(Plan { agent: agent.into(), seed: 3, games: 200, starts: Vec::new() });
    }
}

fn interrupted(plan: Plan) {
    let game = raichi_games::game("connect-four:width=5,height=4").unwrap();
    let cancel = CancelFlag::default();
    let mut whole = begin(&game, &plan, None).unwrap();
    whole.advance(200, &cancel, 1);
    let mut first = begin(&game, &plan, None).unwrap();
    first.advance(77, &cancel, 1);
    let saved = first.save(true);
    let mut second = begin(&game, &plan, Some(&saved)).unwrap();
    assert_eq!(second.progress().games, 77);
    second.advance(123, &cancel, 1);
    assert_eq!(whole.save(true).tensors, second.save(true).tensors);
    // Other options do not go on with it.
    let other = Plan { seed: 4, ..plan };
    assert!(begin(&game, &other, Some(&saved)).is_err());
}

#[test]
fn every_preset_can_be_trained_and_every_game_has_one() {
    for preset in presets::all() {
        let game = raichi_games::game(&preset.game).unwrap();
        let plan = Plan { agent: preset.agent.clone(), seed: 1, games: 1, starts: Vec::new() };
        if let Err(why) = begin(&game, &plan, None) {
            panic!("{} {}: {why}", preset.game, preset.name);
        }
    }
    for entry in raichi_games::REGISTRY {
        // Where seats act together nothing is learned yet.
        let learnable = !raichi_games::game(entry.id).unwrap().facts().simultaneous;
        let has_one = presets::of(entry.id).iter().any(|preset| preset.name == "good");
        assert_eq!(has_one, learnable, "{}", entry.id);
    }
}

#[test]
fn what_was_packed_is_unpacked_and_any_flipped_byte_is_noticed() {
    let files: Files = vec![("manifest.json".into(), b"{}".to_vec()), ("weights".into(), vec![7; 300])];
    for compressed in [false, true] {
        let bytes = write_archive(&files, compressed);
        assert_eq!(read_archive(&bytes).unwrap(), files);
        for at in 0..bytes.len() {
            for flip in [0x01, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                assert!(read_archive(&damaged).is_err(), "byte {at} of {}", bytes.len());
            }
        }
        for len in 0..bytes.len() {
            assert!(read_archive(&bytes[..len]).is_err(), "cut off after {len}");
        }
    }
    assert!(read_archive(b"no archive").is_err());
}
