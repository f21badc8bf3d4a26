//! Records from elsewhere, which become finished games of the library: each is played again under the rules, and its
//! result has to be the one that follows.

use std::time::{SystemTime, UNIX_EPOCH};

use raichi_agents::{canonical, levels};
use raichi_core::record::{self, Record};
use raichi_core::resignation::{AGREED, RESIGNED, TIME};
use raichi_core::score_sheet;
use raichi_core::{AnyGame, Phase};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::library::record_of;
use crate::names;
use crate::restore::restore;
use crate::secret::{Key, Seed, table_id};
use crate::settings::Settings;
use crate::store::{
    Ending, Holder, Imported, Millis, Origin, PlyRow, Resignation, SeatRow, Start, Store, TableRow, TriedLine,
};
use crate::variations::{checked, within_bounds};

/// Records in one request, at most.
pub(crate) const MAX_RECORDS: usize = 100;

/// A record that was sent.
pub(crate) struct Sent {
    /// The record itself, its plies in their normal form.
    pub(crate) record: Record,
    /// The table that it makes.
    pub(crate) game: Imported,
    /// The key of its variations.
    pub(crate) key: Key,
}

/// The table of a record, which stands on line `number` of what was sent.
///
/// # Errors
/// Says why the record is none of a finished game.
pub(crate) fn import(line: &str, number: usize) -> Result<Sent, Refusal> {
    let refuse = |why: String| Refusal::new("record/refused", why);
    let record = match is_sheet(line) {
        true => of_sheet(line)?,
        false => Record::from_line(line, number).map_err(|why| refuse(why.to_string()))?,
    };
    let tried = if is_sheet(line) { Vec::new() } else { tried(line)? };
    let rules = raichi_games::game_of_record(&record)?;
    // Written in another form, it is the same game.
    let as_written = record.clone();
    let record = record.in_normal_form(rules.as_ref());
    let current = record.replay(rules.as_ref()).map_err(|why| refuse(why.to_string()))?;
    if current.plies().len() != record.plies.len() || current.phase() == Phase::Chance {
        return Err(refuse("the game is not over: chance acts next".into()));
    }
    let mut seats = record.seats.iter().map(|text| seat(text, record.plies.len())).collect::<Result<Vec<_>, _>>()?;
    let claimed = record.result.as_ref();
    if current.end_reason().is_none() {
        let result = claimed.ok_or_else(|| refuse("the game is not over, and the record has no result".into()))?;
        end_by_people(&mut seats, &result.end, &result.payoffs, record.plies.len())
            .ok_or_else(|| refuse(format!("the game is not over after its {} plies", record.plies.len())))?;
    }
    let variations = checked(rules.as_ref(), &record, in_normal_form(rules.as_ref(), &as_written, tried))?;
    let start = record.position.clone().map(|position| Start { position, seen_by: None });
    let game = GameInProgress::from_match(rules, current, start.clone(), seats.clone());
    let ending = game.ending().ok_or_else(|| refuse("the game is not over".into()))?;
    if let Some(result) = claimed.filter(|result| (&result.end, &result.payoffs) != (&ending.end, &ending.payoffs)) {
        let Ending { end, payoffs } = &ending;
        let why =
            format!("its result is {} {:?}, and by the rules it is {end} {payoffs:?}", result.end, result.payoffs);
        return Err(refuse(why));
    }
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis);
    let (created_at, plies) = plies(&record, at);
    let seed = match record.seed.as_deref().and_then(Seed::from_hex) {
        Some(seed) => seed,
        None => Seed::new()?,
    };
    let key = Key::new()?;
    let mut table = TableRow {
        id: table_id()?,
        game: game.rules().spec().into(),
        version: record::VERSION,
        start,
        seed,
        created_at,
        settings: Settings::default(),
        clock_started: None,
        imported: Some(Origin { hash: String::new(), seed: record.seed.clone() }),
        variations_key: Some(key.hash()),
        levels: record.levels,
        seats,
    };
    // What is lost of a record here, as how long each ply took where it does not say that, makes no other game of it when it is
    // downloaded and comes back.
    let as_written_here = record_of(&game, &table, &plies, ending.clone());
    table.imported =
        Some(Origin { hash: hash_in_form(CURRENT_FORM, as_written_here.clone()), seed: record.seed.clone() });
    let without_successors = without_successors(as_written_here.clone(), &game, &table);
    let earlier_hashes = vec![hash_in_form(0, as_written_here), hash_in_form(0, without_successors), hash(&record)];
    Ok(Sent { record, game: Imported { table, plies, ending, variations, at, earlier_hashes }, key })
}

fn hash(record: &Record) -> String {
    Sha256::digest(record.to_line().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// In which form records are hashed now. In form 0 most have no engines that took seats over: those were not kept then, so that a
/// record that names one is also the same game without it. In form 1 it is another game.
const CURRENT_FORM: u32 = 1;

/// The hash of what this server writes, in the given form. The form stands in the place of the version of records, so that later
/// versions make no other game of it, nor does another program.
fn hash_in_form(form: u32, written: Record) -> String {
    hash(&Record { program: String::new(), version: form, ..written })
}

/// The record as it was written when it was not kept that an engine took a seat over.
fn without_successors(mut written: Record, game: &GameInProgress, table: &TableRow) -> Record {
    for (seat, row) in table.seats.iter().enumerate() {
        if let (Holder::Human { name, .. }, Some(Resignation { successor: Some(_), .. })) =
            (&row.holder, &row.resignation)
        {
            written.seats[seat] = name.clone().unwrap_or_else(|| game.rules().seat_name(seat));
        }
    }
    written.levels = table.levels.and_then(|version| levels::version_in_record(&written.seats, version));
    written
}

/// The finished game of this server that a record is of, whole and unchanged. A record that says something else of the game with
/// its seed, a name or a ply, is another one.
pub(crate) async fn played_here(store: &dyn Store, record: Record) -> Result<Option<String>, Refusal> {
    let Some(seed) = record.seed.as_deref().and_then(Seed::from_hex) else { return Ok(None) };
    let Some(table) = store.played_with(&seed).await? else { return Ok(None) };
    // One that is damaged cannot be compared.
    let Ok(Some(stored)) = store.load(&table).await else { return Ok(None) };
    let is_same = tokio::task::spawn_blocking(move || {
        let game = restore(&stored).ok()?;
        let here = record_of(&game, &stored.table, &stored.plies, game.ending()?).in_normal_form(game.rules().as_ref());
        // Old records are read too, and a later program may have written the same one.
        let game = raichi_games::game_of_record(&record).ok()?.spec().into();
        let sent = Record { version: here.version, game, program: here.program.clone(), ..record };
        Some(sent == here)
    });
    Ok(is_same.await.ok().flatten().unwrap_or(false).then_some(table))
}

/// What was tried in the game's analysis, as its record says it.
fn tried(line: &str) -> Result<Vec<TriedLine>, Refusal> {
    #[derive(Deserialize)]
    struct OnlyVariations {
        #[serde(default)]
        variations: Vec<TriedLine>,
    }
    let read: Result<OnlyVariations, _> = serde_json::from_str(line);
    let unread = |why| Refusal::new("record/refused", format!("its variations cannot be read: {why}"));
    let OnlyVariations { variations } = read.map_err(unread)?;
    within_bounds(&variations)?;
    Ok(variations)
}

/// The lines with their plies in the form that the record has in its normal form.
fn in_normal_form(rules: &dyn AnyGame, record: &Record, lines: Vec<TriedLine>) -> Vec<TriedLine> {
    if record.position.is_some() {
        return lines;
    }
    let normal = |TriedLine { after, plies }: TriedLine| {
        let played = record.plies.iter().take(after).map(|ply| ply.text.as_str());
        let all: Vec<&str> = played.chain(plies.iter().map(String::as_str)).collect();
        TriedLine { after, plies: rules.normal_form(&all).split_off(all.len() - plies.len()) }
    };
    lines.into_iter().map(normal).collect()
}

/// Whether what stands on a line is a score sheet: the game's spec, then its plies (`kaalu 1. a b 2. a c`).
fn is_sheet(line: &str) -> bool {
    line.trim_start().starts_with(|c: char| c.is_ascii_alphanumeric()) && line.trim().contains(' ')
}

/// The record of a score sheet, whose players have no names.
fn of_sheet(line: &str) -> Result<Record, Refusal> {
    let (spec, sheet) = line.trim().split_once(' ').unwrap_or((line, ""));
    let rules = raichi_games::game(spec)?;
    let seats = (0..rules.facts().n_seats).map(|seat| rules.seat_name(seat)).collect();
    score_sheet::record(rules.as_ref(), sheet, seats, crate::PROGRAM)
        .map_err(|why| Refusal::new("record/refused", why.to_string()))
}

/// The plies with times that end at `at`, and when the first of them began.
fn plies(record: &Record, at: Millis) -> (Millis, Vec<PlyRow>) {
    let took = |millis: Option<u64>| Millis::try_from(millis.unwrap_or(0)).unwrap_or(0).min(Millis::from(u32::MAX));
    let total: Millis = record.plies.iter().map(|ply| took(ply.millis)).sum();
    let created_at = (at - total).max(0);
    let mut played_at = created_at;
    let row = |ply: &record::RecordedPly| {
        played_at += took(ply.millis);
        PlyRow { text: ply.text.clone(), request: None, played_at, used: None }
    };
    (created_at, record.plies.iter().map(row).collect())
}

/// Who held a seat, as the record of a game of `n_plies` plies says it. Nobody has the key that is made for a person.
fn seat(text: &str, n_plies: usize) -> Result<SeatRow, Refusal> {
    let (holder, resignation) = match canonical(text) {
        Ok(agent) => (Holder::Engine { agent }, None),
        Err(_) => {
            let (name, taken_over) = name_and_note(text);
            let resignation = taken_over.filter(|resigned| resigned.n_plies <= n_plies);
            (Holder::Human { key: Key::new()?.hash(), name: names::name(name) }, resignation)
        }
    };
    Ok(SeatRow { holder, resignation, draw_offered: None })
}

/// A name without what a record adds to it, `Ann (resigned after 5 plies)`, and that an engine took over where this says so,
/// `Ann (after 5 plies best:time=1s)`.
fn name_and_note(text: &str) -> (&str, Option<Resignation>) {
    let note = |how: &str| {
        let (name, rest) = text.rsplit_once(how)?;
        let (count, rest) = rest.split_once(" plies")?;
        let is_note = !name.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
        is_note.then(|| (name, taken_over(count, rest)))
    };
    [" (resigned after ", " (out of time after ", " (after "].into_iter().find_map(note).unwrap_or((text, None))
}

fn taken_over(count: &str, rest: &str) -> Option<Resignation> {
    let agent = canonical(rest.strip_prefix(' ')?.strip_suffix(')')?).ok()?;
    Some(Resignation { n_plies: count.parse().ok()?, successor: Some(agent), by_time: false })
}

/// Lets a game end as the record says that people ended it; `None` where that is no such way.
fn end_by_people(seats: &mut [SeatRow], end: &str, payoffs: &[f64], n_plies: usize) -> Option<()> {
    if end == AGREED {
        seats.iter_mut().for_each(|row| row.draw_offered = Some(n_plies));
        return Some(());
    }
    if end != RESIGNED && end != TIME {
        return None;
    }
    let least = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
    let loser = payoffs.iter().position(|&payoff| payoff == least)?;
    seats.get_mut(loser)?.resignation = Some(Resignation { n_plies, successor: None, by_time: end == TIME });
    Some(())
}
