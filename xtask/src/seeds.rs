//! The texts that a fuzzer begins with: for each game one or more that each target accepts, and the words to write others
//! with. More of them, of special parameters and malformed, stand beside them in `fuzz/corpus`.

use std::collections::BTreeSet;

use raichi_agents::KINDS;
use raichi_core::random::{index, stream};
use raichi_core::record::{Record, RecordedPly, RecordedResult, VERSION};
use raichi_core::{AnyGame, AnyMatch, Entry, ParamKind, Phase, Viewer};
use raichi_games::REGISTRY;
use raichi_search::options::OptionKind;

/// Every phase of a game has been reached by then, and most of its notation used.
const N_PLIES: usize = 60;

/// Positions are written after so many plies: soon after the start, and when something has happened.
const POSITIONS_AFTER: [usize; 2] = [6, 40];

/// A text of a corpus.
pub(crate) struct Seed {
    /// The target that it is for.
    pub(crate) target: &'static str,
    /// The file's name.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: String,
}

/// What each target begins with, all from the beginning of one random game.
pub(crate) fn of(entry: &Entry) -> Vec<Seed> {
    let game = (entry.create)(None).expect("the defaults make a game");
    let mut current = game.new_match();
    let mut rng = stream(1, "seeds", 0);
    let mut choice = None;
    while current.plies().len() < N_PLIES && current.phase() != Phase::Over {
        if let Phase::Act(seats) = current.phase() {
            let seat = seats.first();
            let mut touches = current.touches(seat);
            let touch = touches.swap_remove(index(&mut rng, touches.len()));
            let history = current.history(Viewer::Referee);
            choice = Some(format!("{}\n{history}\n{seat}\n{}\n{}", entry.id, touch.action, touch.path.join("\n")));
            current.play(seat, &touch.action).expect("a listed action is legal");
        } else {
            current.sample_outcome(&mut rng).expect("chance is to act");
        }
    }
    let history = format!("{}\n{}\n", entry.id, current.history(Viewer::Referee));
    let choice = choice.expect("somebody acts soon in every game");
    let one_each = [
        ("spec", entry.id.into()),
        ("history", history),
        ("record", record(&*game, &*current).to_line() + "\n"),
        ("choice", choice),
    ];
    let seeds = one_each.into_iter().map(|(target, text)| Seed { target, name: entry.id.into(), text });
    seeds.chain(positions(entry, current)).collect()
}

/// Positions on the way of a game; where there are secrets, also as a seat sees them.
fn positions(entry: &Entry, mut current: Box<dyn AnyMatch>) -> Vec<Seed> {
    let hidden = current.facts().hidden;
    let mut seeds = Vec::new();
    for n_plies in POSITIONS_AFTER.into_iter().rev() {
        current.truncate(n_plies.min(current.n_plies()));
        let mut add = |name: String, viewer| {
            let text = format!("{}\n{}", entry.id, current.position_text(viewer));
            seeds.push(Seed { target: "position", name, text });
        };
        add(format!("{}-after-{n_plies}", entry.id), Viewer::Referee);
        if hidden {
            add(format!("{}-after-{n_plies}-seat-0", entry.id), Viewer::Seat(0));
        }
    }
    seeds
}

fn record(game: &dyn AnyGame, current: &dyn AnyMatch) -> Record {
    let payoffs = current.payoffs().as_slice().to_vec();
    let ply = |ply: &raichi_core::history::Ply| RecordedPly { text: ply.token(Viewer::Referee), millis: Some(1000) };
    Record {
        version: VERSION,
        game: game.spec().into(),
        position: None,
        seats: (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect(),
        levels: None,
        seed: Some("07".into()),
        plies: current.plies().iter().map(ply).collect(),
        result: current.end_reason().map(|end| RecordedResult { payoffs, end: end.into() }),
        program: "raichi".into(),
    }
}

/// Ids, parameters and options with their words, in libFuzzer's form.
pub(crate) fn dictionary() -> String {
    let mut words = BTreeSet::from(["true".to_string(), "false".to_string()]);
    for entry in REGISTRY {
        words.insert(entry.id.into());
        for param in (entry.params)() {
            words.insert(format!("{}=", param.name));
            if let ParamKind::Choice { options } = param.kind {
                words.extend(options.iter().map(|&option| option.into()));
            }
        }
    }
    for kind in KINDS {
        words.insert(kind.id.into());
        for option in kind.options {
            words.insert(format!("{}=", option.name));
            if let OptionKind::Choice { options } = option.kind {
                words.extend(options.iter().map(|&word| word.into()));
            }
        }
    }
    let lines: String = words.iter().map(|word| format!("\"{word}\"\n")).collect();
    format!("# Written by `cargo xtask golden`.\n{lines}")
}
