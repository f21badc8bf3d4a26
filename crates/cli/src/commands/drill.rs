//! `raichi drill GAME`: short questions about a game, against the clock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::AnyGame;
use raichi_core::drill::Exercise;
use raichi_core::picture::Sketch;

use super::keyboard::Keyboard;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{BAD, BOLD, FAINT, GOOD, coloured, paint};

/// Answer short questions about a game against the clock: what a handful of pieces makes together.
///
/// The questions become harder. Type an answer as it stands below the question and press Enter; `step` shows the way to it
/// one step at a time, and `quit` leaves. What is answered when the time is over does not count. Lines may come from a pipe.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi drill al-jabar
  raichi drill al-jabar:group=3/3 --seconds 120
  raichi drill al-jabar --seed 7 --number 10")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// How long, in seconds.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,

    /// End after so many questions, should there be time left.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    number: Option<u64>,

    /// What the questions are drawn from: the same seed asks the same. Another one each time where not given.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// What came of a question.
enum Left {
    Right,
    Wrong,
    Late,
    Gone,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let seed = match args.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|why| Failure::Failed(format!("no randomness to be had: {why}")))?,
    };
    if args.game.exercise(seed, 0).is_none() {
        return Err(Failure::Usage(format!("there is no drill of {}; {}", args.game.id(), those_with_a_drill())));
    }
    let mut drill = Drill {
        keyboard: Keyboard::new(),
        out: Output::new(),
        start: Instant::now(),
        time: Duration::from_secs(args.seconds),
    };
    drill.out.line(paint(FAINT, format!("{} seconds. `quit` leaves.", args.seconds)))?;
    let (mut n_right, mut n_asked) = (0, 0);
    for number in 0..args.number.unwrap_or(u64::MAX) {
        let Some(exercise) = args.game.exercise(seed, number as usize) else { break };
        match drill.ask(&exercise)? {
            Left::Right => n_right += 1,
            Left::Wrong => {}
            Left::Late => {
                drill.out.line(paint(FAINT, "The time is over."))?;
                break;
            }
            Left::Gone => break,
        }
        n_asked += 1;
    }
    let seconds = drill.start.elapsed().min(drill.time).as_secs_f64();
    let score = paint(BOLD, format!("{n_right} of {n_asked} right"));
    drill.out.line(format_args!("{score} in {seconds:.1} s (--seed {seed} asks the same again)."))
}

fn those_with_a_drill() -> String {
    let has_one = |entry: &&raichi_core::Entry| (entry.create)(None).is_ok_and(|game| game.exercise(0, 0).is_some());
    let ids: Vec<&str> = raichi_games::REGISTRY.iter().filter(has_one).map(|entry| entry.id).collect();
    match ids[..] {
        [one] => format!("{one} has one"),
        _ => format!("these have one: {}", ids.join(", ")),
    }
}

struct Drill {
    keyboard: Keyboard,
    out: Output,
    start: Instant,
    time: Duration,
}

impl Drill {
    fn ask(&mut self, exercise: &Exercise) -> Result<Left, Failure> {
        let mut sketch = Sketch::default();
        sketch.text(format!("\n{}\n ", exercise.question));
        for figure in &exercise.figures {
            sketch.text(" ").tone(figure.text.clone().unwrap_or_default(), figure.tone);
        }
        sketch.text("\n");
        let keys: Vec<String> = exercise.answers.iter().map(|answer| answer.key.clone()).collect();
        self.out.print(coloured(&sketch))?;
        let steps = if exercise.steps.is_empty() { "" } else { "; `step` shows the next step of the way there" };
        self.out.line(paint(FAINT, format!("Answers: {}{steps}", keys.join(" "))))?;
        let mut steps = exercise.steps.iter();
        loop {
            let words = keys.iter().cloned().chain(["step".into(), "quit".into()]).collect();
            let Some(line) = self.keyboard.line("> ", words, &mut self.out)? else { return Ok(Left::Gone) };
            let typed = line.trim();
            if typed == "quit" {
                return Ok(Left::Gone);
            }
            if self.start.elapsed() >= self.time {
                return Ok(Left::Late);
            }
            if typed == "step" && !exercise.steps.is_empty() {
                self.out.line(steps.next().map_or("That was the last step.", String::as_str))?;
                continue;
            }
            match exercise.judge(typed) {
                Some(true) => {
                    self.out.line(paint(GOOD, "Right."))?;
                    return Ok(Left::Right);
                }
                Some(false) => {
                    self.out.line(paint(BAD, format!("No: {}.", exercise.because)))?;
                    return Ok(Left::Wrong);
                }
                None if typed.is_empty() => {}
                None => self.out.line(format_args!("`{typed}` is no answer; the answers are {}", keys.join(", ")))?,
            }
        }
    }
}
