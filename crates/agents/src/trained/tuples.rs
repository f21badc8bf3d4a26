//! What a trained network of tuples looks at, and how much of it training has changed.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_learn::Saved;
use raichi_learn::ntuple;

use super::{Manifest, check_game, tuples_config};

/// A network of tuples, as its files say it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuples {
    /// How many symmetries share weights.
    pub n_symmetries: usize,
    /// In order.
    pub tuples: Vec<Tuple>,
}

/// A tuple, with its weights in all sets of tables together.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuple {
    /// The entries of an observation that it looks at.
    pub entries: Vec<usize>,
    /// How many weights it has.
    pub n_weights: u64,
    /// Those that training has changed.
    pub n_visited: u64,
    /// The mean size of those.
    pub mean_size: f64,
    /// The greatest size.
    pub greatest: f64,
}

/// What an agent looks at.
///
/// # Errors
/// A sentence, when it was trained for another game, or is no network of tuples.
pub fn tuples(game: &Arc<dyn AnyGame>, manifest: &Manifest, saved: &Saved) -> Result<Tuples, String> {
    raichi_games::visit_game(&**game, Look { manifest, saved })
}

struct Look<'a> {
    manifest: &'a Manifest,
    saved: &'a Saved,
}

impl GameVisitor for Look<'_> {
    type Output = Result<Tuples, String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        check_game(game.spec(), &self.manifest.game)?;
        let config = tuples_config(game, &self.manifest.agent)?;
        let policy = ntuple::read_policy(game, &config, self.saved)?;
        let network = policy.network();
        let (points, tables, n_tuples) = (network.points(), network.tables(), network.tuples().len());
        let tuple = |(i, looked_at): (usize, &Vec<u16>)| {
            let own = tables.iter().skip(i).step_by(n_tuples).flat_map(Clone::clone);
            let sizes = own.clone().map(|at| f64::from(network.weights().get(at).abs()));
            let visited: Vec<f64> = sizes.filter(|&size| size > 0.0).collect();
            Tuple {
                entries: looked_at.iter().flat_map(|&point| points[usize::from(point)].entries()).collect(),
                n_weights: own.count() as u64,
                n_visited: visited.len() as u64,
                mean_size: visited.iter().sum::<f64>() / (visited.len().max(1)) as f64,
                greatest: visited.iter().copied().fold(0.0, f64::max),
            }
        };
        let tuples = network.tuples().iter().enumerate().map(tuple).collect();
        Ok(Tuples { n_symmetries: network.n_symmetries(), tuples })
    }
}
