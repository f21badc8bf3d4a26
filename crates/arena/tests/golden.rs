//! Every game's `playthrough.txt` against what is played now. `cargo xtask golden` writes them anew.

use std::fs;

use raichi_arena::playthrough::standard;
use raichi_games::{ROOMS, entry};

#[test]
fn playthroughs_are_played_as_recorded() {
    for rooms in ROOMS {
        let path = format!("{}/../games/src/{}/playthrough.txt", env!("CARGO_MANIFEST_DIR"), rooms.folder);
        // A new game has none until its rules stand; `cargo xtask tidy` asks for it.
        let Ok(recorded) = fs::read_to_string(&path) else { continue };
        let played = standard(entry(rooms.id).expect("the rooms are of a registered game"));
        let line = recorded.lines().zip(played.lines()).position(|(recorded, played)| recorded != played);
        let line = line.unwrap_or(recorded.lines().count().min(played.lines().count()));
        let (was, is) = (recorded.lines().nth(line), played.lines().nth(line));
        assert!(
            recorded == played,
            "{}/playthrough.txt, line {}: recorded is {was:?}, played is {is:?}; if that was meant, `cargo xtask golden`",
            rooms.folder,
            line + 1,
        );
    }
}
