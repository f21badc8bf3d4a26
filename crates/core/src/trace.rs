//! The trace: one JSON object a line for each ply of a game, then one for its end, for referees to replay.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::erased::{AnyGame, AnyMatch};
use crate::game::{Payoffs, Phase};
use crate::history::By;
use crate::random::{self, FastRng, stream};
use crate::seat::Seat;

/// Plays one game and writes its trace. `choose` picks an action's text for the given seat; chance draws by weight from
/// the seed's stream `chance`.
///
/// # Errors
/// Of the writer.
pub fn trace(
    game: &dyn AnyGame,
    seed: u64,
    mut choose: impl FnMut(&dyn AnyMatch, Seat) -> String,
    mut out: impl Write,
) -> io::Result<()> {
    let mut chance = stream(seed, "chance", 0);
    let mut order = stream(seed, "order", 0);
    let mut current = game.new_match();
    loop {
        let mut line = json!({"game": game.spec(), "seed": seed, "ply": current.plies().len()});
        match current.phase() {
            Phase::Over => {
                line["to_act"] = json!("over");
                line["payoffs"] = payoffs_json(&current.payoffs());
                line["end"] = json!(current.end_reason());
                return writeln!(out, "{line}");
            }
            Phase::Chance => {
                let outcomes = current.outcomes();
                let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
                line["to_act"] = json!("chance");
                line["weights"] = outcomes.iter().map(|&(_, weight)| json!(weight as f64 / total as f64)).collect();
                line["legal"] = outcomes.into_iter().map(|(text, _)| json!(text)).collect();
                current.sample_outcome(&mut chance).expect("chance is to act");
            }
            Phase::Act(seats) => {
                let to_act: Vec<Seat> = seats.iter().collect();
                line["legal"] = match to_act[..] {
                    [seat] => json!(current.legal(seat)),
                    _ => to_act.iter().map(|&seat| (seat.to_string(), json!(current.legal(seat)))).collect(),
                };
                line["to_act"] = json!(to_act);
                let seat = to_act[random::index(&mut order, to_act.len())];
                let text = choose(current.as_ref(), seat);
                current.play(seat, &text).expect("whoever chooses, chooses a legal action");
            }
        }
        let ply = current.plies().last().expect("a ply was just played");
        line["played"] = json!(ply.text);
        line["by"] = match ply.by {
            By::Seat(seat) => json!(seat),
            By::Chance => json!("chance"),
        };
        writeln!(out, "{line}")?;
    }
}

/// A chooser of uniformly random actions for [`trace`].
pub fn uniform(mut rng: FastRng) -> impl FnMut(&dyn AnyMatch, Seat) -> String {
    move |current, seat| {
        let mut legal = current.legal(seat);
        legal.swap_remove(random::index(&mut rng, legal.len()))
    }
}

/// Payoffs as JSON, whole numbers without a fraction.
pub fn payoffs_json(payoffs: &Payoffs) -> Value {
    let number = |&x: &f64| if x.fract() == 0.0 && x.abs() < 1e15 { json!(x as i64) } else { json!(x) };
    payoffs.as_slice().iter().map(number).collect()
}
