//! Games that can be stepped through on a page: positions are drawn beforehand, and a small script shows one of them.

use raichi_core::erased::{AnyGame, marks_of_last};
use raichi_core::record::Record;
use raichi_core::seat::Viewer;
use raichi_core::verdict::{Names, sentence};
use serde_json::{Value, json};

use super::drawing::Drawer;
use super::page::escape;
use super::tones::seat_tones;

/// So many positions of a game are shown; a longer one skips plies evenly.
const MOST_FRAMES: usize = 160;
/// The script that all steppers of a page need, once.
pub(super) fn script() -> String {
    format!("<script>{}</script>", include_str!("stepper.js"))
}

/// These games of `game`, `most` at most and as many as have room in about `room` bytes, spread evenly over
/// them. `prefix` is the stepper's own on the page. Nothing where no game can be shown.
pub(super) fn stepper(game: &dyn AnyGame, records: &[Record], prefix: &str, most: usize, room: usize) -> String {
    let names = (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect();
    let mut drawer = Drawer::new(prefix, seat_tones(game), names);
    let (mut games, mut n_bytes) = (Vec::new(), 0);
    for record in spread(records, most) {
        // A record that does not replay was refused when it was read.
        let Some(shown) = shown(game, record, &mut drawer) else { continue };
        n_bytes += shown.to_string().len();
        if n_bytes > room && !games.is_empty() {
            break;
        }
        games.push(shown);
    }
    if games.is_empty() {
        return String::new();
    }
    let option = |(i, game): (usize, &Value)| {
        format!("<option value=\"{i}\">{}</option>", escape(game["title"].as_str().unwrap_or_default()))
    };
    let options: String = games.iter().enumerate().map(option).collect();
    // Within a script element only this sign could end it.
    let data = Value::Array(games).to_string().replace('<', "\\u003c");
    format!(
        "{}<div class=\"stepper\"><div class=\"controls\"><label>Game <select data-part=\"choice\">{options}</select></label>\
         </div><div class=\"position\" data-part=\"position\"></div>\
         <div class=\"controls\"><button data-part=\"first\" aria-label=\"to the start\">«</button>\
         <button data-part=\"back\" aria-label=\"one ply back\">‹</button>\
         <button data-part=\"on\" aria-label=\"one ply on\">›</button>\
         <button data-part=\"last\" aria-label=\"to the end\">»</button>\
         <input type=\"range\" min=\"0\" value=\"0\" data-part=\"range\" aria-label=\"ply\"></div>\
         <p data-part=\"said\" aria-live=\"polite\"></p><noscript>Stepping through games needs scripts.</noscript>\
         <script type=\"application/json\">{data}</script></div>",
        drawer.definitions()
    )
}

// At most `n` of them, from the first to the last.
fn spread<T>(all: &[T], n: usize) -> impl Iterator<Item = &T> {
    let n = n.min(all.len());
    (0..n).map(move |i| &all[i * all.len() / n])
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
