//! The agents that come with the command. `README.md` beside this says how each was made, and how good it is.

/// Their names and archives.
pub(super) const SHIPPED: &[(&str, &[u8])] = &[
    ("learned-black-6", include_bytes!("learned-black-6.zip")),
    ("learned-connect-four", include_bytes!("learned-connect-four.zip")),
    ("learned-french-military", include_bytes!("learned-french-military.zip")),
    ("learned-hex-6", include_bytes!("learned-hex-6.zip")),
    ("learned-nim", include_bytes!("learned-nim.zip")),
    ("learned-nim3p", include_bytes!("learned-nim3p.zip")),
    ("learned-tic-tac-toe", include_bytes!("learned-tic-tac-toe.zip")),
];

#[cfg(test)]
mod tests {
    use super::SHIPPED;
    use crate::trained::{archive, store};
    use crate::{Budget, prepare};

    /// All of them together take no more.
    const MOST_BYTES: usize = 20 << 20;

    #[test]
    fn shipped_agents_are_whole_and_play_their_games() {
        assert!(SHIPPED.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < MOST_BYTES);
        let readme = include_str!("README.md");
        for (name, bytes) in SHIPPED {
            let files = archive::read(bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
            let manifest = store::manifest_of(name, &files).unwrap();
            assert_eq!(manifest.name, *name);
            assert!(readme.contains(&format!("`{name}`")), "README.md says nothing of {name}");
            assert!(!manifest.evaluations.is_empty(), "{name} was evaluated");
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
    }

    #[test]
    fn they_are_named_in_order() {
        assert!(SHIPPED.is_sorted_by_key(|(name, _)| *name));
    }
}
