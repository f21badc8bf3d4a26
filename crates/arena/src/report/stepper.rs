//! Games that can be stepped through on a page: positions are drawn beforehand, and a small script shows one of them.

use raichi_core::erased::{AnyGame, marks_of_last};
use raichi_core::record::Record;
use raichi_core::seat::Viewer;
use raichi_core::verdict::{Names, sentence};
use serde_json::{Value, json};

use super::drawing::Drawer;
use super::page::escape;
use super::sample::spread_records;
use super::tones::seat_tones;

/// So many positions of a game are shown; a longer one skips plies evenly.
const MOST_FRAMES: usize = 160;
/// The script that all steppers of a page need, once.
pub(super) fn script() -> String {
    format!("<script>{}</script>", include_str!("stepper.js"))
}

/// A stepper and how many games it has.
pub(super) struct Stepper {
    pub(super) n_games: usize,
    pub(super) html: String,
}

/// These games of `game`, `most` at most and as many as have room in about `room` bytes, spread evenly over who sits where
/// and over time. `prefix` is the stepper's own on the page. `None` where no game can be shown.
pub(super) fn stepper(
    game: &dyn AnyGame,
    records: &[Record],
    prefix: &str,
    most: usize,
    room: usize,
) -> Option<Stepper> {
    let names = (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect();
    let mut drawer = Drawer::new(prefix, seat_tones(game), names);
    let (mut games, mut n_bytes) = (Vec::new(), 0);
    for i in spread_records(records) {
        if games.len() == most {
            break;
        }
        // A record that does not replay was refused when it was read.
        let Some(shown) = shown(game, &records[i], &mut drawer) else { continue };
        n_bytes += shown.to_string().len();
        if n_bytes > room && !games.is_empty() {
            break;
        }
        games.push((i, shown));
    }
    if games.is_empty() {
        return None;
    }
    games.sort_by_key(|&(i, _)| i);
    let games: Vec<Value> = games.into_iter().map(|(_, shown)| shown).collect();
    Some(Stepper { n_games: games.len(), html: written(games, &drawer.definitions()) })
}

// The games with what their drawings refer to.
fn written(games: Vec<Value>, definitions: &str) -> String {
    let option = |(i, game): (usize, &Value)| {
        format!("<option value=\"{i}\">{}</option>", escape(game["title"].as_str().unwrap_or_default()))
    };
    let options: String = games.iter().enumerate().map(option).collect();
    // Within a script element only this sign could end it.
    let data = Value::Array(games).to_string().replace('<', "\\u003c");
    format!(
        "{definitions}<div class=\"stepper\"><div class=\"controls\">\
         <label>Game <select data-part=\"choice\">{options}</select></label></div>\
         <div class=\"position\" data-part=\"position\"></div>\
         <div class=\"controls\"><button data-part=\"first\" aria-label=\"to the start\">«</button>\
         <button data-part=\"back\" aria-label=\"one ply back\">‹</button>\
         <button data-part=\"on\" aria-label=\"one ply on\">›</button>\
         <button data-part=\"last\" aria-label=\"to the end\">»</button>\
         <input type=\"range\" min=\"0\" value=\"0\" data-part=\"range\" aria-label=\"ply\"></div>\
         <p data-part=\"said\" aria-live=\"polite\"></p><noscript>Stepping through games needs scripts.</noscript>\
         <script type=\"application/json\">{data}</script></div>"
    )
}

fn shown(game: &dyn AnyGame, record: &Record, drawer: &mut Drawer) -> Option<Value> {
    let current = record.replay(game).ok()?;
    let plies = current.plies();
    let end = sentence(&*current, &Names::of(game), &current.payoffs(), current.end_reason()?);
    let step = plies.len().div_ceil(MOST_FRAMES).max(1);
    let at = (0..plies.len()).step_by(step).chain([plies.len()]);
    let frames: Vec<Value> = at
        .map(|n| {
            let marks = marks_of_last(&plies[..n], Viewer::Referee);
            let last = n.checked_sub(1).map_or("the start".into(), |i| plies[i].token(Viewer::Referee));
            let said = format!(
                "ply {n} of {}: {last}{}",
                plies.len(),
                if n == plies.len() { format!(". {end}") } else { String::new() }
            );
            json!({"drawing": drawer.position(&current.picture_after(n, Viewer::Referee), &marks), "said": said})
        })
        .collect();
    let seats = record.seats.iter().enumerate().map(|(seat, agent)| format!("{}: {agent}", game.seat_name(seat)));
    let title = format!("{}. {end}", seats.collect::<Vec<_>>().join(", "));
    Some(json!({"title": title, "frames": frames}))
}
