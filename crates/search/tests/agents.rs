//! The erased form: agents named by specs, playing matches whose type is not known.

use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_search::{AGENTS, AgentError, AnyAgent, MakeAgent, canonical};

fn agent(game: &str, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, AgentError> {
    raichi_games::visit(game, MakeAgent { spec, seed }).expect("the game's spec is right")
}

fn history_of_a_game(game: &str, specs: &[&str], seed: u64) -> String {
    let mut agents: Vec<_> = specs.iter().map(|spec| agent(game, spec, seed).unwrap()).collect();
    let mut current = raichi_games::game(game).unwrap().new_match();
    let mut chance = stream(seed, "chance", 0);
    loop {
        match current.phase() {
            Phase::Over => return current.history(raichi_core::Viewer::Referee),
            Phase::Chance => drop(current.sample_outcome(&mut chance).unwrap()),
            Phase::Act(seats) => {
                let seat = seats.first();
                let advice = agents[seat].decide(current.as_ref(), seat).unwrap();
                current.play(seat, &advice.action).unwrap();
            }
        }
    }
}

#[test]
fn every_kind_of_agent_plays_every_game_by_its_rules() {
    for entry in raichi_games::REGISTRY {
        let seats = raichi_games::game(entry.id).unwrap().facts().n_seats;
        for spec in ["random", "mcts:sims=20,depth=100", "mcts:sims=20,threads=2,depth=100"] {
            // Some games go on and on; a few hundred plies show enough.
            let history = history_of_a_game(&format!("{}:max-plies=300", entry.id), &vec![spec; seats], 1);
            assert!(!history.is_empty(), "{spec} at {}", entry.id);
        }
    }
}

#[test]
fn the_seed_decides_every_draw() {
    for specs in [["random", "random"], ["mcts:sims=50", "mcts:sims=50,threads=2"]] {
        let play = |seed| history_of_a_game("connect-four", &specs, seed);
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
    }
}

#[test]
fn a_spec_always_tells_the_budget() {
    for (spec, full) in [
        ("mcts", "mcts:time=1s"),
        ("mcts:c=0.5", "mcts:time=1s,c=0.5"),
        ("mcts:sims=100", "mcts:sims=100"),
        ("mcts:threads=1,sims=100,time=2000ms", "mcts:time=2s,sims=100"),
        ("random", "random"),
    ] {
        assert_eq!(canonical(spec).unwrap(), full);
        assert_eq!(canonical(full).unwrap(), full);
        assert_eq!(agent("tic-tac-toe", spec, 1).unwrap().spec(), full);
    }
}

#[test]
fn specs_that_name_no_agent_say_why() {
    for (spec, code, says) in [
        ("alphago", "agent/unknown", "there is no agent `alphago`; the agents are random, mcts"),
        ("random:time=1s", "agent/option", "random has no parameter `time`; it takes no options"),
        ("mcts:time=1", "agent/option", "`time=1`: time is a time in whole ms or s"),
        ("mcts:threads=0", "agent/option", "`threads=0`: threads is a whole number from 1 to 256"),
        ("random:", "agent/option", "not of the form key=value"),
        ("", "agent/unknown", "there is no agent ``"),
    ] {
        let error = agent("tic-tac-toe", spec, 1).err().expect("the spec is wrong");
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(says), "{spec}: {error}");
        assert_eq!(canonical(spec).unwrap_err(), error);
    }
}

#[test]
fn an_agent_refuses_the_match_of_another_game() {
    let mut agent = agent("tic-tac-toe", "mcts:sims=10", 1).unwrap();
    let other = raichi_games::game("connect-four").unwrap().new_match();
    let error = agent.decide(other.as_ref(), 0).unwrap_err();
    assert_eq!(error.code(), "agent/other-game");
    assert!(error.to_string().contains("made for tic-tac-toe"));
}

#[test]
fn an_agent_answers_only_when_its_seat_is_to_act() {
    for kind in AGENTS {
        let mut agent = agent("tic-tac-toe", kind.id, 1).unwrap();
        let mut current = raichi_games::game("tic-tac-toe").unwrap().new_match();
        assert_eq!(agent.decide(current.as_ref(), 1), Err(AgentError::NotToAct { seat: 1 }));
        current.play_history("a1 b1 a2 b2 a3").unwrap();
        assert_eq!(agent.decide(current.as_ref(), 1), Err(AgentError::NotToAct { seat: 1 }));
    }
}
