//! What holds of every text that a stranger may write where an agent is named: nothing panics, what is accepted names
//! itself, and what is refused is refused in a sentence, which is returned.
//!
//! The fuzz target asks it of what libFuzzer makes up, `crates/agents/tests/corpus.rs` of the committed corpus, and
//! `cargo xtask golden` writes the sentences down.

use raichi_agents::{canonical, prepare};

/// An agent's spec.
pub fn agent(text: &str) -> Option<String> {
    let game = raichi_games::game("tic-tac-toe").expect("the defaults make a game");
    let made = prepare(&game, text);
    match canonical(text) {
        Ok(spec) => {
            assert_eq!(canonical(&spec).as_deref(), Ok(&*spec));
            match made {
                Ok(agent) => assert_eq!(agent.spec(), spec),
                // The spec is right, and the agent does not play this game.
                Err(why) => assert_eq!(why.code(), "agent/refused", "{why}"),
            }
            None
        }
        Err(why) => {
            let sentence = why.to_string();
            assert!(sentence.chars().count() <= 500 && !sentence.contains(char::is_control), "{sentence:?}");
            assert_eq!(made.err(), Some(why));
            Some(sentence)
        }
    }
}
