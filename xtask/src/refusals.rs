//! How the texts of the fuzzer's corpora are refused: every sentence, to be read as a diff.

use std::path::Path;

#[path = "../../fuzz/src/agents.rs"]
mod agents;
#[path = "../../fuzz/corpus.rs"]
mod corpus;
#[path = "../../fuzz/src/games.rs"]
mod games;

/// A line for each committed text that is refused.
pub(crate) fn all(fuzz: &Path) -> String {
    let targets: [(&str, corpus::Check); 6] = [
        ("spec", games::spec),
        ("history", games::history),
        ("position", games::position),
        ("record", games::record),
        ("choice", games::choice),
        ("agent", agents::agent),
    ];
    let mut text =
        String::from("How each text of the corpora is refused, if it is. Written by `cargo xtask golden`.\n");
    for (target, check) in targets {
        text += &format!("\n{target}\n");
        for (name, sentence) in corpus::each(fuzz, target, check) {
            text += &sentence.map_or(String::new(), |sentence| format!("{name}: {sentence}\n"));
        }
    }
    text
}
