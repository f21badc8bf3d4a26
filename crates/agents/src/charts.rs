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
