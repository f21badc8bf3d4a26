//! Trained agents: trainings that are interrupted, presets, archives, tuples, and those that come with the command.

use std::time::{Duration, Instant};

use raichi_agents::trained::{
    FileError, Files, Manifest, Plan, begin, canonical_learner, check, check_bounded, presets, read_archive,
    read_bounded_archive, store, tuples, write_archive,
};
use raichi_agents::{BUILT_IN_EVALUATORS, Budget, CancelFlag, prepare};

#[test]
fn a_training_that_was_interrupted_ends_with_the_same_weights() {
    for agent in [
        "ntuple:tuples=10x4,tcl=exp,lambda=0.5,alpha=0.5,alpha-end=0.1,epsilon=0.3,epsilon-end=0",
        "alphazero:width=16,blocks=1,sims=8,fast-sims=2,round=16,batch=32,rate-end=0.0001",
    ] {
        interrupted(Plan { agent: agent.into(), seed: 3, games: 200, starts: Vec::new() });
    }
}

#[test]
fn a_file_that_the_manifest_does_not_list_is_refused() {
    let mut files = store::files("learned-nim").unwrap();
    check(&files).unwrap();
    files.push(("more.txt".into(), b"something".to_vec()));
    assert!(check(&files).unwrap_err().contains("more.txt"));
    files.pop();
    let again = files[0].clone();
    files.push(again);
    assert!(check(&files).unwrap_err().contains("twice"));
}

#[test]
fn what_a_killed_program_left_half_written_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["one.tmp-1", "one.tmp-2", "other.tmp-1"] {
        std::fs::write(at(name), "half").unwrap();
    }
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(7200);
    for name in ["one.tmp-1", "other.tmp-1"] {
        std::fs::File::options().write(true).open(at(name)).unwrap().set_modified(long_ago).unwrap();
    }
    store::write_whole(&at("one.zip"), b"whole").unwrap();
    let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["one.tmp-2", "one.zip", "other.tmp-1"], "another may be writing, or writes another file");
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
    // Those of an id are for all parameters that they do not exclude.
    for spec in [
        "blackjack:players=2",
        "yavalath:players=3",
        "yavalath:size=3",
        "2048:size=3",
        "hex:size=5",
        "sim:players=3",
        "al-jabar:group=3/3",
        "nim:heaps=12,size=255",
        "nim:heaps=5,size=60",
        "nim3p:sizes=255/255/255/255/1",
    ] {
        let preset = presets::of(spec).into_iter().find(|preset| preset.name == "good").unwrap();
        let plan = Plan { agent: preset.agent.clone(), seed: 1, games: 1, starts: Vec::new() };
        let begun = begin(&raichi_games::game(spec).unwrap(), &plan, None);
        // As many as the lab allows.
        assert!(begun.is_ok_and(|begun| begun.n_weights() <= 1 << 27), "{spec}: {}", preset.agent);
    }
    // What stands in for a preset that is too large does so nowhere else.
    for spec in ["nim", "nim:heaps=7,size=9", "nim3p:heaps=4,size=40"] {
        let mut good = presets::of(spec).into_iter().filter(|preset| preset.name == "good");
        assert!(good.next().is_some_and(|preset| !preset.large) && good.next().is_none(), "{spec}");
    }
    for entry in raichi_games::REGISTRY {
        let has_one = presets::of(entry.id).iter().any(|preset| preset.name == "good");
        assert!(has_one, "{}", entry.id);
    }
}

#[test]
fn no_trained_agent_has_the_name_of_a_built_in_evaluator() {
    assert!(store::check_name("hand-made.2").is_ok());
    for name in BUILT_IN_EVALUATORS {
        for refused in [store::check_name(name), store::save(name, &Files::new(), true).map(drop)] {
            assert!(matches!(refused, Err(store::StoreError::Reserved { .. })), "{name}: {refused:?}");
        }
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

#[test]
fn of_a_small_archive_no_more_is_unpacked_than_is_allowed() {
    let zeros = || vec![0; 1 << 20];
    let files = store::files("learned-nim").unwrap();
    let read = |files: &Files, most| read_bounded_archive(&write_archive(files, true), 10_000, most);
    assert_eq!(read(&files, 20_000).unwrap(), files);
    // Without a manifest nothing else is read, wherever it stands.
    for (manifest, is_too_large) in [(b"{}".to_vec(), false), (zeros(), true)] {
        let bomb = vec![("a.bin".into(), zeros()), ("manifest.json".into(), manifest)];
        match read(&bomb, usize::MAX).unwrap_err() {
            FileError::Damaged { name, .. } => assert_eq!((name.as_str(), is_too_large), ("manifest.json", false)),
            FileError::TooLarge { name, .. } => assert_eq!((name.as_str(), is_too_large), ("manifest.json", true)),
            other => panic!("{other}"),
        }
    }
    assert!(matches!(read(&vec![("a.bin".into(), zeros())], usize::MAX), Err(FileError::Missing { .. })));
    let bomb = vec![files[0].clone(), (files[1].0.clone(), zeros())];
    let refused = read(&bomb, 20_000).unwrap_err();
    assert!(matches!(&refused, FileError::TooLarge { name, .. } if name == "the archive"), "{refused}");

    assert!(check_bounded(files.clone(), 1_000).is_ok());
    assert!(check_bounded(files, 10).unwrap_err().contains("10 are allowed"));
}

#[test]
fn what_training_has_changed_is_counted_and_another_game_is_refused() {
    let game = raichi_games::game("tic-tac-toe").unwrap();
    let agent = "ntuple:tuples=0-1-2/0-4-8,symmetries=1".to_string();
    let plan = Plan { agent: agent.clone(), seed: 1, games: 20, starts: Vec::new() };
    let mut training = begin(&game, &plan, None).unwrap();
    let manifest = Manifest { game: "tic-tac-toe".into(), agent, ..Manifest::default() };
    let before = tuples(&game, &manifest, &training.save(false)).unwrap();
    assert_eq!(before.tuples.iter().map(|tuple| tuple.n_visited).sum::<u64>(), 0);
    assert_eq!((before.n_symmetries, before.tuples.len()), (1, 2));
    assert_eq!(before.tuples[0].entries.len(), 3);
    training.advance(20, &CancelFlag::default(), 1);
    let saved = training.save(false);
    let after = tuples(&game, &manifest, &saved).unwrap();
    for tuple in &after.tuples {
        assert!(tuple.n_visited > 0 && tuple.n_visited <= tuple.n_weights && tuple.n_weights == 27, "{tuple:?}");
        assert!(tuple.mean_size > 0.0 && tuple.mean_size <= tuple.greatest, "{tuple:?}");
    }
    let other = raichi_games::game("hex:size=3").unwrap();
    assert!(tuples(&other, &manifest, &saved).unwrap_err().contains("trained for tic-tac-toe"));
}

#[test]
fn a_budget_is_for_agents_that_have_a_search_of_their_own() {
    let nim = raichi_games::game("nim").unwrap();
    for (budget, named) in [("time=20ms", "time="), ("nodes=5", "nodes="), ("time=1s,sims=3", "time= and sims=")] {
        let Err(why) = prepare(&nim, &format!("trained:learned-nim,{budget}")) else { panic!("it has no search") };
        let why = why.to_string();
        assert!(why.contains(&format!("leave {named} out")) && why.contains("mcts:evaluator=learned-nim"), "{why}");
    }
    assert!(prepare(&nim, "trained:learned-nim,sims=0").is_ok());

    let game = raichi_games::game("al-jabar").unwrap();
    let mut current = game.new_match();
    while current.phase() == raichi_core::Phase::Chance {
        current.sample_outcome(&mut raichi_core::random::stream(1, "test", 0)).unwrap();
    }
    let raichi_core::Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    let spec = "trained:learned-al-jabar,time=50ms";
    let agent = prepare(&game, spec).unwrap();
    assert_eq!(agent.spec(), spec);
    let decide = || agent.open(1).decide(&*current, seats.first(), Budget::default()).unwrap().cost;
    // A machine may be taken away for a while: one try in time is enough.
    let costs: Vec<_> = (0..8).map(|_| decide()).collect();
    let in_time = costs.iter().any(|cost| cost.elapsed <= Duration::from_millis(70) && cost.simulations > 0);
    assert!(in_time, "{costs:?}");
    // On a busy machine a search may end early, since its next batch would not.
    let n_long = costs.iter().filter(|cost| cost.elapsed >= Duration::from_millis(25)).count();
    assert!(n_long >= 4, "{costs:?}");
    // Cancelled, it returns at once.
    let late = |_| {
        let mut session = prepare(&game, "trained:learned-al-jabar,time=20s").unwrap().open(1);
        let cancel = session.cancel_flag();
        std::thread::scope(|scope| {
            let cancelled = scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                cancel.cancel();
                Instant::now()
            });
            session.decide(&*current, seats.first(), Budget::default()).unwrap();
            Instant::now().saturating_duration_since(cancelled.join().expect("it only sleeps"))
        })
    };
    let late: Vec<Duration> = (0..5).map(late).collect();
    assert!(late.iter().any(|late| *late <= Duration::from_millis(10)), "{late:?}");
    let by_nodes = prepare(&game, "trained:learned-al-jabar,nodes=40").unwrap();
    let cost = by_nodes.open(1).decide(&*current, seats.first(), Budget::default()).unwrap().cost;
    assert!(cost.nodes == 40 && cost.simulations >= 16, "{cost:?}");
}

/// All that come with the command take no more together.
const MOST_BYTES: usize = 20 << 20;

#[test]
fn shipped_agents_are_whole_and_play_their_games() {
    // The folder of the person who runs this test may hold other agents.
    store::keep_in(std::env::temp_dir().join("raichi-without-agents"));
    let readme = include_str!("../src/trained/shipped/README.md");
    let names: Vec<String> = store::list().into_iter().filter(|place| place.shipped).map(|place| place.name).collect();
    assert!(names.len() >= 7 && names.is_sorted(), "{names:?}");
    let mut size = 0;
    for name in &names {
        let files = store::files(name).unwrap_or_else(|why| panic!("{name}: {why}"));
        size += write_archive(&files, true).len();
        let manifest = store::manifest_of(name, &files).unwrap();
        assert_eq!(manifest.name, *name);
        assert!(readme.contains(&format!("`{name}`")), "README.md says nothing of {name}");
        assert!(!manifest.evaluations.is_empty(), "{name} was evaluated");
        let preset = presets::of(&manifest.game).into_iter().find(|preset| preset.name == "good").unwrap();
        let by_preset = (canonical_learner(&preset.agent).unwrap(), preset.games);
        assert_eq!((manifest.agent, manifest.games), by_preset, "README.md says that the preset makes {name}");
        let game = raichi_games::game(&manifest.game).unwrap();
        let agent = prepare(&game, &format!("trained:{name}")).unwrap_or_else(|why| panic!("{name}: {why}"));
        let current = game.new_match();
        let seat = match current.phase() {
            raichi_core::Phase::Act(seats) => seats.first(),
            _ => continue,
        };
        let advice = agent.open(1).decide(&*current, seat, Budget::default()).unwrap();
        assert!(current.legal(seat).contains(&advice.action), "{name}: {}", advice.action);
    }
    assert!(size < MOST_BYTES, "{size}");
}
