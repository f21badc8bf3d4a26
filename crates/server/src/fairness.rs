//! Checks that chance was fair by drawing a record's outcomes again from its seed.

use raichi_core::game::Phase;
use raichi_core::position::PositionError;
use raichi_core::record::Record;
use raichi_core::{HistoryError, SpecError};

use crate::secret::{Seed, outcome_stream};

/// Why a record's outcomes are not those of its seed.
#[derive(Debug, thiserror::Error)]
pub enum Unfair {
    /// There is no seed to draw from.
    #[error("the record has no seed of 64 hexadecimal digits")]
    NoSeed,
    /// No such game.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// No position to begin with.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The history is not legal.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The seed gives another outcome.
    #[error("ply {} is {recorded}, but the seed gives {drawn}", .ply + 1)]
    OtherOutcome {
        /// The ply, from 0; the message counts from 1.
        ply: usize,
        /// What the record says.
        recorded: String,
        /// What the seed says.
        drawn: String,
    },
}

/// Checks that every outcome of a record is the one that its seed gives. Returns the hash of the seed, for comparison
/// with the hash that was shown from the start.
///
/// # Errors
/// Names the first ply that differs.
pub fn check_fairness(record: &Record) -> Result<String, Unfair> {
    let seed = record.seed.as_deref().and_then(Seed::from_hex).ok_or(Unfair::NoSeed)?;
    let game = raichi_games::game_of_record(record)?;
    let mut current = match &record.position {
        None => game.new_match(),
        Some(text) => game.match_at(text)?,
    };
    for (ply, recorded) in record.plies.iter().map(|ply| &ply.text).enumerate() {
        if current.phase() == Phase::Chance {
            current.sample_outcome(&mut outcome_stream(&seed, ply)).expect("chance is to act");
            let drawn = current.plies().last().expect("a ply was just made").text.clone();
            if drawn != *recorded {
                return Err(Unfair::OtherOutcome { ply, recorded: recorded.clone(), drawn });
            }
        } else {
            current.play_token(recorded).map_err(|why| HistoryError { ply, token: recorded.clone(), why })?;
        }
    }
    Ok(seed.hash())
}
