//! The trace: one JSON object a line for each ply of a game, then one for its end, for referees to replay.

use std::io::{self, Write};

use raichi_agents::Played;
use raichi_core::erased::AnyMatch;
use raichi_core::game::Phase;
use raichi_core::history::By;
use raichi_core::seat::{Seat, Viewer};
use serde_json::{Value, json};

use crate::runner::Observer;

/// Writes the trace of the game that it watches.
pub struct Tracer<W> {
    seed: u64,
    line: Value,
    out: W,
    result: io::Result<()>,
}

impl<W: Write> Tracer<W> {
    /// Writes to `out`; `seed` is written into every line.
    pub fn new(seed: u64, out: W) -> Tracer<W> {
        Tracer { seed, line: Value::Null, out, result: Ok(()) }
    }

    /// Whether the writer has refused a line: no more of the game is written.
    pub fn has_failed(&self) -> bool {
        self.result.is_err()
    }

    /// The result of the writing; after an error nothing more was written.
    ///
    /// # Errors
    /// The writer's first.
    pub fn finish(self) -> io::Result<W> {
        self.result.map(|()| self.out)
    }

    fn start(&self, current: &dyn AnyMatch) -> Value {
        json!({"game": current.spec(), "seed": self.seed, "ply": current.n_plies()})
    }

    fn write(&mut self) {
        if self.result.is_ok() {
            self.result = writeln!(self.out, "{}", self.line);
        }
    }
}

impl<W: Write> Observer for Tracer<W> {
    fn before(&mut self, current: &dyn AnyMatch, _seat: Option<Seat>) {
        // Asked for at the first ply, the texts are kept up to date from then on and not all made at the end.
        current.plies();
        self.line = self.start(current);
        match current.phase() {
            Phase::Over => {}
            Phase::Chance => {
                let outcomes = current.outcomes(Viewer::Referee);
                let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
                self.line["to_act"] = json!("chance");
                self.line["weights"] =
                    outcomes.iter().map(|&(_, weight)| json!(weight as f64 / total as f64)).collect();
                self.line["legal"] = outcomes.into_iter().map(|(text, _)| json!(text)).collect();
            }
            Phase::Act(seats) => {
                let to_act: Vec<Seat> = seats.iter().collect();
                self.line["legal"] = match to_act[..] {
                    [seat] => json!(current.legal(seat)),
                    _ => to_act.iter().map(|&seat| (seat.to_string(), json!(current.legal(seat)))).collect(),
                };
                self.line["to_act"] = json!(to_act);
            }
        }
    }

    fn after(&mut self, current: &dyn AnyMatch, _played: &Played) {
        let ply = current.plies().last().expect("a ply was just made");
        self.line["played"] = json!(ply.text);
        self.line["by"] = match ply.by {
            By::Seat(seat) => json!(seat),
            By::Chance => json!("chance"),
        };
        self.write();
    }

    fn end(&mut self, current: &dyn AnyMatch) {
        self.line = self.start(current);
        self.line["to_act"] = json!("over");
        self.line["payoffs"] = json!(current.payoffs());
        self.line["end"] = json!(current.end_reason());
        self.write();
    }
}
