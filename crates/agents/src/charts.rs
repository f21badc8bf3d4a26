//! All charts of a game: those of its rules, and those of what is known about it.

use std::sync::Arc;

use raichi_core::chart::Chart;
use raichi_core::erased::{AnyGame, GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_engines::ChartMaker;

/// The charts of a game, those of its rules first. Some are worked out, which takes a second.
pub fn charts(game: &dyn AnyGame) -> Vec<Chart> {
    let mut charts = game.charts();
    charts.extend(raichi_games::visit_game(game, Known).map(|make| make()).unwrap_or_default());
    charts
}

/// Whether a game has charts; none is worked out for it.
pub fn has_charts(game: &dyn AnyGame) -> bool {
    !game.charts().is_empty() || raichi_games::visit_game(game, Known).is_some()
}

struct Known;

impl GameVisitor for Known {
    type Output = Option<ChartMaker>;
    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Option<ChartMaker> {
        raichi_engines::charts(game.game())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn charts_of_rules_and_of_engines_stand_side_by_side() {
        let ids = |spec: &str| -> Vec<String> {
            charts(&*raichi_games::game(spec).unwrap()).into_iter().map(|chart| chart.id).collect()
        };
        assert_eq!(ids("al-jabar"), ["sums", "makers"]);
        assert_eq!(ids("poker"), ["hands"]);
        assert_eq!(ids("jabirs-transmutations"), ["cards", "events"]);
        assert_eq!(ids("blackjack:decks=0"), ["strategy"]);
        let has = |spec: &str| has_charts(&*raichi_games::game(spec).unwrap());
        assert!(has("al-jabar") && has("blackjack") && !has("hex"));
        for entry in raichi_games::REGISTRY.iter().filter(|entry| entry.id != "blackjack") {
            let charts = charts(&*(entry.create)(None).unwrap());
            let different: HashSet<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
            assert_eq!(different.len(), charts.len(), "{}", entry.id);
            for id in ["rules", "board"] {
                assert!(!different.contains(id), "{}: `{id}` is a sheet of every game", entry.id);
            }
        }
    }
}
