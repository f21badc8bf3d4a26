//! Every game's `perft.txt` against the rules.
//!
//! Lines as [`KnownCounts`] reads them. Set `RAICHI_NIGHTLY=1` to run the long ones too.

use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable, split_spec};
use raichi_core::perft::{CountTable, KnownCounts, perft, perft_with_table};
use raichi_core::{Match, PathGame};
use raichi_games::ROOMS;

struct Count<'a> {
    history: &'a str,
    counts: Vec<Option<u64>>,
}

impl GameVisitor for Count<'_> {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        let mut start = Match::of(Arc::clone(game));
        start.play_history(self.history).expect("the history in perft.txt is legal");
        // So small that entries are replaced all the time.
        let mut table = CountTable::of_size(1 << 16);
        for (i, expected) in self.counts.into_iter().enumerate() {
            if let Some(expected) = expected {
                let depth = i as u32 + 1;
                let found = perft(game, start.state(), depth);
                assert_eq!(found, expected, "perft {depth} of {} after `{}`", game.spec(), self.history);
                let found = perft_with_table(game, start.state(), depth, &mut table);
                assert_eq!(found, expected, "perft {depth} of {} after `{}`, with a table", game.spec(), self.history);
            }
        }
    }
}

#[test]
fn perft_files_hold() {
    let nightly = std::env::var_os("RAICHI_NIGHTLY").is_some();
    for room in ROOMS {
        let known = KnownCounts::parse(room.perft).unwrap_or_else(|why| panic!("{}/perft.txt: {why}", room.folder));
        let known: Vec<KnownCounts> = known.into_iter().filter(|line| nightly || !line.nightly).collect();
        assert!(!known.is_empty(), "{}/perft.txt has no line to check", room.folder);
        for line in known {
            assert_eq!(split_spec(&line.spec).0, room.id, "{}/perft.txt counts another game", room.folder);
            raichi_games::visit(&line.spec, Count { history: &line.history, counts: line.counts.clone() })
                .unwrap_or_else(|why| panic!("{}/perft.txt: {why}", room.folder));
        }
    }
}
