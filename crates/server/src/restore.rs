//! A game in progress from what is stored about its table.

use raichi_core::HistoryError;
use raichi_core::record;

use crate::game_in_progress::GameInProgress;
use crate::store::{StoreError, StoredTable};

/// Plays what is stored again, under the rules that the table's spec meant when it was created.
///
/// # Errors
/// [`StoreError::Damaged`] where the rules refuse it or something is missing; never says what a hidden ply was.
pub(crate) fn restore(stored: &StoredTable) -> Result<GameInProgress, StoreError> {
    let StoredTable { table, plies, ended, .. } = stored;
    let version = table.version;
    if version > record::VERSION {
        let why = format!("its spec has version {version}, and this server reads 1 to {}", record::VERSION);
        return Err(StoreError::Newer { table: table.id.clone(), why });
    }
    let damaged = |why: String| StoreError::Damaged { table: table.id.clone(), why };
    let rules = raichi_games::game(&raichi_games::spec_of_version(version, &table.game));
    let rules = rules.map_err(|why| damaged(format!("its game is unknown: {why}")))?;
    let (given, n_seats) = (table.seats.len(), rules.facts().n_seats);
    if given != n_seats {
        return Err(damaged(format!("there are {given} seats, and {} has {n_seats}", rules.spec())));
    }
    let mut game = GameInProgress::new(rules, table.start.clone(), table.seats.clone())
        .map_err(|_| damaged("the rules refuse the position of its start".into()))?;
    let refused = |why: HistoryError| damaged(format!("the rules refuse ply {} ({})", why.ply + 1, why.why.code()));
    game.replay(plies.iter().map(|ply| ply.text.as_str())).map_err(refused)?;
    let resigned = table.seats.iter().filter_map(|seat| seat.resignation.as_ref());
    if let Some(after) = resigned.map(|resignation| resignation.n_plies).find(|&after| after > plies.len()) {
        return Err(damaged(format!("a seat resigned after {after} plies, but there are {}", plies.len())));
    }
    if *ended && !game.is_over() {
        return Err(damaged(format!("its game was over, but after the {} plies here it is not", plies.len())));
    }
    Ok(game)
}
