//! Every game's `perft.txt` against the rules.
//!
//! A line: `[nightly] SPEC [after HISTORY]: COUNT COUNT … | SOURCE`, the counts from ply 1 on, `-` for one not checked.
//! Set `RAICHI_NIGHTLY=1` to run the long ones too.

use raichi_core::Match;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::perft::perft;
use raichi_games::REGISTRY;

struct Count<'a> {
    history: &'a str,
    counts: Vec<Option<u64>>,
}

impl GameVisitor for Count<'_> {
    type Output = ();

    fn visit<G: Playable>(self, game: G, spec: &str) {
        let mut start = Match::new(game.clone());
        start.play_history(self.history).expect("the history in perft.txt is legal");
        for (i, expected) in self.counts.into_iter().enumerate() {
            if let Some(expected) = expected {
                let depth = i as u32 + 1;
                let found = perft(&game, start.state(), depth);
                assert_eq!(found, expected, "perft {depth} of {spec} after `{}`", self.history);
            }
        }
    }
}

#[test]
fn perft_files_hold() {
    let nightly = std::env::var_os("RAICHI_NIGHTLY").is_some();
    for entry in REGISTRY {
        let folder = raichi_games::folder(entry.id).expect("the entry is of the registry");
        let path = format!("{}/src/{folder}/perft.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let mut checked = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let (long, line) = line.strip_prefix("nightly ").map_or((false, line), |line| (true, line));
            if long && !nightly {
                continue;
            }
            let (line, _source) = line.split_once('|').unwrap_or_else(|| panic!("{path}: no source in {line}"));
            let (start, counts) = line.rsplit_once(": ").unwrap_or_else(|| panic!("{path}: no counts in {line}"));
            let (spec, history) = start.split_once(" after ").unwrap_or((start, ""));
            let counts = counts.split_whitespace().map(|count| match count {
                "-" => None,
                count => Some(count.parse().unwrap_or_else(|why| panic!("{path}: {count}: {why}"))),
            });
            raichi_games::visit(spec, Count { history, counts: counts.collect() })
                .unwrap_or_else(|why| panic!("{path}: {why}"));
            checked += 1;
        }
        assert!(checked > 0, "{path} has no line to check");
    }
}
