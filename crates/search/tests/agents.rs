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
        let history = history_of_a_game(entry.id, &vec!["random"; seats], 1);
        assert!(!history.is_empty());
    }
}

#[test]
fn the_seed_decides_every_draw() {
    let play = |seed| history_of_a_game("tic-tac-toe", &["random", "random"], seed);
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn specs_that_name_no_agent_say_why() {
    for (spec, code, says) in [
        ("alphago", "agent/unknown", "there is no agent `alphago`; the agents are random"),
        ("random:time=1s", "agent/option", "random has no parameter `time`; it takes no options"),
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
fn an_agent_answers_only_when_its_seat_is_to_act() {
    for kind in AGENTS {
        let mut agent = agent("tic-tac-toe", kind.id, 1).unwrap();
        let mut current = raichi_games::game("tic-tac-toe").unwrap().new_match();
        assert_eq!(agent.decide(current.as_ref(), 1), Err(AgentError::NotToAct { seat: 1 }));
        current.play_history("a1 b1 a2 b2 a3").unwrap();
        assert_eq!(agent.decide(current.as_ref(), 1), Err(AgentError::NotToAct { seat: 1 }));
    }
}
