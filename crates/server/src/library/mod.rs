//! The library: finished games, listed, downloaded as records, and imported. Everything here is public: everybody who
//! has the link of a finished game sees all of it, and only what its record says is listed.

mod import;

use std::collections::HashMap;
use std::sync::Arc;

use raichi_agents::levels;
use raichi_core::AnyGame;
use raichi_core::game::Payoffs;
use raichi_core::record::{self, Record, RecordedPly, RecordedResult};
use raichi_core::score_sheet;
use raichi_core::verdict::{Ending as Verdict, Names};
use serde::Deserialize;

pub(crate) use import::{MAX_RECORDS, Sent, import, played_here};

use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::message::{LibraryEntry, LibraryPage, LibrarySeat, SeatKind};
use crate::restore::restore;
use crate::secret::is_table_id;
use crate::store::{Ending, Finished, Millis, PlyRow, Store, TableRow, Wanted, WantedResult};
use crate::variations::RecordWithVariations;

/// The games on a page of the list, at most.
const MOST: usize = 100;
const USUAL: usize = 30;
/// Records that are read at once for a download, and after how many bytes no further one is.
const RECORDS_AT_ONCE: usize = 20;
const BYTES_AT_ONCE: usize = 100_000;

/// What is asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LibraryQuery {
    game: String,
    name: String,
    agent: String,
    result: String,
    seats: Option<usize>,
    before: String,
    limit: Option<usize>,
}

impl LibraryQuery {
    fn wanted(&self) -> Result<Wanted, Refusal> {
        let given = |text: &String| Some(text.trim()).filter(|text| !text.is_empty()).map(String::from);
        let result = given(&self.result).map(|text| match text.parse() {
            Ok(seat) => WantedResult::Won(seat),
            Err(_) if text == "draw" => WantedResult::Drawn,
            Err(_) => WantedResult::By(text),
        });
        let before = given(&self.before).map(|text| read_place(&text)).transpose()?;
        Ok(Wanted {
            game: given(&self.game),
            name: given(&self.name),
            agent: given(&self.agent),
            result,
            seats: self.seats,
            before,
        })
    }
}

fn read_place(text: &str) -> Result<(Millis, String), Refusal> {
    let place = text.split_once('-').and_then(|(at, id)| Some((at.parse().ok()?, id)));
    match place {
        Some((at, id)) if is_table_id(id) => Ok((at, id.into())),
        _ => Err(Refusal::malformed("`before` is what a page of the list calls `next`")),
    }
}

fn place(at: Millis, id: &str) -> String {
    format!("{at}-{id}")
}

/// A page of the list, newest first.
pub(crate) async fn list(store: &dyn Store, query: &LibraryQuery) -> Result<LibraryPage, Refusal> {
    let most = query.limit.unwrap_or(USUAL).clamp(1, MOST);
    let mut found = store.finished(&query.wanted()?, most + 1).await?;
    let more = found.len() > most;
    found.truncate(most);
    let next = found.last().filter(|_| more).map(|last| place(last.ended_at, &last.id));
    let mut rules = HashMap::new();
    let games = found.into_iter().map(|game| entry(game, &mut rules)).collect();
    Ok(LibraryPage { games, next })
}

/// The rules of each game on a page, by its spec.
type RulesBySpec = HashMap<String, Option<Arc<dyn AnyGame>>>;

fn entry(finished: Finished, rules: &mut RulesBySpec) -> LibraryEntry {
    let Finished { id, game, version, ended_at, ending, n_plies, seats } = finished;
    let spec = raichi_games::spec_of_version(version, &game).into_owned();
    let rules = rules.entry(spec.clone()).or_insert_with(|| raichi_games::game(&spec).ok());
    let fits = rules.as_ref().filter(|rules| rules.facts().n_seats == seats.len());
    // As at the table, a seat that an engine took over is not called by the name of who left it.
    let people: Vec<Option<&str>> =
        seats.iter().map(|seat| seat.name.as_deref().filter(|_| seat.agent.is_none())).collect();
    let outcome = fits.map_or_else(String::new, |rules| outcome(rules.as_ref(), &people, &ending.payoffs));
    let seat = |(seat, holder): (usize, &crate::store::FinishedSeat)| LibrarySeat {
        name: fits.map_or_else(|| format!("seat {seat}"), |rules| rules.seat_name(seat)),
        occupant: holder.agent.clone().or_else(|| holder.name.clone()),
        kind: if holder.agent.is_some() { SeatKind::Engine } else { SeatKind::Human },
    };
    LibraryEntry {
        table: id,
        name: fits.map_or_else(|| spec.clone(), |rules| rules.name().into()),
        game: spec,
        seats: seats.iter().enumerate().map(seat).collect(),
        n_plies,
        ended_at,
        end: ending.end,
        payoffs: ending.payoffs,
        outcome,
        score_sheet: fits.is_some_and(|rules| score_sheet::has_sheets(&rules.facts())),
    }
}

/// `Ann wins`, `A draw`; of a seat that is alone what it got.
fn outcome(rules: &dyn AnyGame, people: &[Option<&str>], payoffs: &[f64]) -> String {
    if let [alone] = payoffs {
        return alone.to_string();
    }
    let (names, payoffs) = (Names::of(rules).with_people(people), Payoffs::new(payoffs.iter().copied()));
    let verdict = Verdict { reason: "", payoffs: &payoffs, names: &names, max_plies: None }.headline();
    let mut letters = verdict.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The records of all games that are wanted, as lines of JSON, some at a time; the first argument is where to go on.
pub(crate) async fn records(store: &dyn Store, mut wanted: Wanted) -> Result<Option<(String, Wanted)>, Refusal> {
    let found = store.finished(&wanted, RECORDS_AT_ONCE).await?;
    if found.is_empty() {
        return Ok(None);
    }
    let mut lines = String::new();
    for Finished { id, ended_at, ending, .. } in found {
        if lines.len() > BYTES_AT_ONCE {
            break;
        }
        wanted.before = Some((ended_at, id.clone()));
        // One that is damaged is left out, as it is from everything else.
        let Ok(Some(stored)) = store.load(&id).await else { continue };
        let Ok(kept) = store.variations(&id).await else { continue };
        let made = tokio::task::spawn_blocking(move || {
            let game = restore(&stored).ok()?;
            Some(record_of(&game, &stored.table, &stored.plies, ending))
        });
        let made = made.await;
        if let Ok(Some(record)) = made {
            lines += &RecordWithVariations { record, variations: kept.lines }.to_line();
            lines.push('\n');
        }
    }
    Ok(Some((lines, wanted)))
}

/// A finished game as a score sheet, the game's spec before it, as [`import()`] reads it.
///
/// # Errors
/// Where the game has no score sheets, or began with a position.
pub(crate) fn sheet(record: &Record) -> Result<String, Refusal> {
    let refuse = |why: &str| Refusal::new("record/refused", why);
    let game = raichi_games::game_of_record(record)?;
    if record.position.is_some() {
        return Err(refuse("a score sheet tells a game from its start, and this one began with a position"));
    }
    let played = record.replay(game.as_ref()).map_err(|why| refuse(&why.to_string()))?;
    let none = "score sheets are for games of two seats without chance";
    let sheet = score_sheet::written(&*played).ok_or_else(|| refuse(none))?;
    Ok(format!("{} {sheet}\n", game.spec()))
}

/// What is wanted by a query, for [`records`].
pub(crate) fn wanted(query: &LibraryQuery) -> Result<Wanted, Refusal> {
    query.wanted()
}

/// The record of a finished game from what is stored about its table.
fn record_of(game: &GameInProgress, table: &TableRow, plies: &[PlyRow], ending: Ending) -> Record {
    let since = [table.created_at].into_iter().chain(plies.iter().map(|ply| ply.played_at));
    let plies = plies.iter().zip(since).map(|(ply, before)| RecordedPly {
        text: ply.text.clone(),
        millis: Some((ply.played_at - before).max(0) as u64),
    });
    let seats = game.occupants();
    Record {
        version: record::VERSION,
        game: game.rules().spec().into(),
        position: table.start.as_ref().map(|start| start.position.clone()),
        levels: table.levels.and_then(|version| levels::version_in_record(&seats, version)),
        seats,
        seed: table.seed_of_record(),
        plies: plies.collect(),
        result: Some(RecordedResult { payoffs: ending.payoffs, end: ending.end }),
        program: crate::PROGRAM.into(),
    }
}
