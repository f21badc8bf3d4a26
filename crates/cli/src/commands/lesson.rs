//! `raichi lesson GAME`: the lessons of a game, step by step, in the terminal.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use raichi_core::lesson::{Course, Judged, Lesson, Place, Step};
use raichi_core::{AnyGame, AnyMatch, Phase};

use super::keyboard::Keyboard;
use super::shown;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::markdown;
use crate::output::{Output, width, write_whole};
use crate::palette::{BAD, BOLD, CODE, FAINT, TITLE, paint};

/// Learn a game by doing: each step shows a position and says what to do there.
///
/// Type an action as the game writes it; `legal` lists them. Lines may come from a pipe. How far you came is kept, and the
/// next time you go on there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi lesson al-jabar
  raichi lesson al-jabar --list
  raichi lesson al-jabar --lesson 2 --step 1
  raichi lesson hex --problems
  echo \"c3\" | raichi lesson tic-tac-toe --step 1")]
pub(crate) struct Args {
    /// The game's id.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// Which of the game's lessons, from 1; the first that is not done where it is not given.
    #[arg(long, value_name = "N")]
    lesson: Option<usize>,

    /// Begin with this step, from 1; where you left off where it is not given.
    #[arg(long, value_name = "N")]
    step: Option<usize>,

    /// Solve the game's problems instead.
    #[arg(long)]
    problems: bool,

    /// List the lessons and their steps, with those that are done marked.
    #[arg(long)]
    list: bool,

    /// The file that says how far you came.
    #[arg(long, value_name = "FILE", env = "RAICHI_PROGRESS")]
    progress: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rooms = raichi_games::rooms(args.game.id()).expect("the game is of the registry");
    let text = if args.problems { rooms.problems } else { rooms.lesson };
    let course = Course::parse(text).expect("a test of the games parses every lesson");
    if course.lesson.is_empty() {
        return Err(Failure::Failed(format!("there are no problems of {}: no solver knows it", rooms.id)));
    }
    let mut progress = Progress::read(args.progress.clone().or_else(usual_file))?;
    let mut out = Output::new();
    if args.list {
        return out.print(listed(&args.shelf(), &course, &progress));
    }
    let place = place(args, &course, &progress)?;
    let mut room = Room { keyboard: Keyboard::new(), out, shelf: args.shelf(), width: width() };
    for (number, lesson) in course.lesson.iter().enumerate().skip(place.lesson) {
        let first = if number == place.lesson { place.step } else { 0 };
        if !room.teach(lesson, number, first, &mut progress)? {
            return room.out.line(paint(FAINT, "Come back any time: you will go on here."));
        }
    }
    room.out.line(format_args!("{} Now play: raichi play {}", paint(BOLD, "That was all."), args.game.id()))
}

impl Args {
    /// What progress is kept by.
    fn shelf(&self) -> String {
        if self.problems { format!("{}/problems", self.game.id()) } else { self.game.id().into() }
    }
}

/// Where to begin.
fn place(args: &Args, course: &Course, progress: &Progress) -> Result<Place, Failure> {
    let n_lessons = course.lesson.len();
    let done = |lesson: usize| progress.done(&args.shelf(), lesson);
    let unfinished = || (0..n_lessons).find(|&lesson| done(lesson) < course.lesson[lesson].step.len());
    let lesson = match args.lesson {
        Some(lesson) if (1..=n_lessons).contains(&lesson) => lesson - 1,
        Some(lesson) => {
            let why = format!("--lesson {lesson}: {} has lessons 1 to {n_lessons}", args.game.id());
            return Err(Failure::Usage(why));
        }
        None if args.step.is_some() => 0,
        None => unfinished().unwrap_or(0),
    };
    let n_steps = course.lesson[lesson].step.len();
    let step = match args.step {
        Some(step) if (1..=n_steps).contains(&step) => step - 1,
        Some(step) => return Err(Failure::Usage(format!("--step {step}: this lesson has steps 1 to {n_steps}"))),
        None => done(lesson) % n_steps,
    };
    Ok(Place { lesson, step })
}

fn listed(shelf: &str, course: &Course, progress: &Progress) -> String {
    let mut text = String::new();
    for (number, lesson) in course.lesson.iter().enumerate() {
        text += &format!("{}\n", paint(TITLE, format!("{}. {}", number + 1, lesson.title)));
        let done = progress.done(shelf, number);
        for (i, step) in lesson.step.iter().enumerate() {
            text += &format!("  {} {}. {}\n", if i < done { "✓" } else { " " }, i + 1, step.title);
        }
    }
    text
}

/// The commands in a step: the word, and what it does.
const COMMANDS: [(&str, &str); 6] = [
    ("legal", "list what you may do"),
    ("board", "draw the position again"),
    ("show", "show what was meant"),
    ("skip", "go on to the next step"),
    ("help", "this list (also `?`)"),
    ("quit", "leave (also Ctrl-D)"),
];

/// Where a lesson is taught.
struct Room {
    keyboard: Keyboard,
    out: Output,
    shelf: String,
    width: usize,
}

/// What a step came to.
enum Left {
    Done,
    Skipped,
    Gone,
}

impl Room {
    /// Teaches the steps of a lesson from number `first` on; returns whether the learner has stayed to the end.
    fn teach(
        &mut self,
        lesson: &Lesson,
        number: usize,
        first: usize,
        progress: &mut Progress,
    ) -> Result<bool, Failure> {
        self.out.line(paint(TITLE, &lesson.title))?;
        self.out
            .line(paint(FAINT, "Type an action as the text writes it; `legal` lists them, `help` all commands."))?;
        for (i, step) in lesson.step.iter().enumerate().skip(first) {
            self.out
                .line(format_args!("\n{}", paint(BOLD, format!("{}/{}  {}", i + 1, lesson.step.len(), step.title))))?;
            match self.step(step)? {
                Left::Done => progress.note(&self.shelf, number, i + 1)?,
                Left::Skipped => {}
                Left::Gone => return Ok(false),
            }
        }
        self.out.line("")?;
        Ok(true)
    }

    fn step(&mut self, step: &Step) -> Result<Left, Failure> {
        const WHY: &str = "a test of the games opens every step";
        let game = raichi_games::game(&step.game).expect(WHY);
        let opened = step.open(&*game).expect(WHY);
        self.out.print(format_args!("{}\n", markdown::render(&step.text, self.width)))?;
        let mut current = step.open(&*game).expect(WHY);
        self.draw(step, &*current, &*opened)?;
        let answers = step.answers(&*game);
        if !answers.is_empty() {
            self.out.line(format_args!("Answers: {}", answers.join(", ")))?;
        }
        loop {
            let words = words(&answers, &*current, step, &*opened);
            let Some(line) = self.keyboard.line("> ", words, &mut self.out)? else { return Ok(Left::Gone) };
            let judged = match line.trim() {
                "" => continue,
                "quit" => return Ok(Left::Gone),
                "skip" => return Ok(Left::Skipped),
                "board" => {
                    self.draw(step, &*current, &*opened)?;
                    continue;
                }
                "help" | "?" => {
                    for (word, does) in COMMANDS {
                        self.out.line(format_args!("  {}  {does}", paint(CODE, format!("{word:6}"))))?;
                    }
                    continue;
                }
                "legal" => {
                    let legal =
                        if answers.is_empty() { current.legal(step.learner(&*opened)) } else { answers.clone() };
                    self.out.print(shown::columns(&legal, self.width))?;
                    continue;
                }
                "show" => {
                    let shown = step.shown(&*game).expect(WHY).join(" ");
                    self.out.line(format_args!("{} would do it. Type it yourself.", paint(CODE, shown)))?;
                    continue;
                }
                answer if !answers.is_empty() => step.judge_answer(&*game, answer).expect(WHY),
                token => match step.play(&mut *current, &*opened, token) {
                    Ok(judged) => judged,
                    Err(why) => {
                        self.out.line(format_args!("{why}"))?;
                        continue;
                    }
                },
            };
            if answers.is_empty() && !matches!(judged, Judged::Wrong { .. }) {
                self.draw_board(step, &*current, &*opened)?;
            }
            match judged {
                Judged::Right { said } => {
                    self.out.line(paint(BOLD, textwrap::fill(&said, self.width)))?;
                    return Ok(Left::Done);
                }
                Judged::GoesOn { said } => self.out.line(textwrap::fill(&said, self.width))?,
                Judged::Wrong { said } => {
                    self.out.line(paint(BAD, textwrap::fill(&said, self.width)))?;
                    current = step.open(&*game).expect(WHY);
                }
            }
        }
    }

    fn draw(&mut self, step: &Step, current: &dyn AnyMatch, opened: &dyn AnyMatch) -> Result<(), Failure> {
        self.draw_board(step, current, opened)?;
        self.out.line(format_args!("{} {}", paint(BOLD, "To do:"), step.task))
    }

    fn draw_board(&mut self, step: &Step, current: &dyn AnyMatch, opened: &dyn AnyMatch) -> Result<(), Failure> {
        self.out.print(format_args!("{}\n", shown::position(current, step.viewer(opened))))
    }
}

/// What Tab completes.
fn words(answers: &[String], current: &dyn AnyMatch, step: &Step, opened: &dyn AnyMatch) -> Vec<String> {
    let commands = COMMANDS.iter().map(|(word, _)| (*word).into());
    let legal = match current.phase() {
        Phase::Act(_) if answers.is_empty() => current.legal(step.learner(opened)),
        _ => answers.to_vec(),
    };
    legal.into_iter().chain(commands).collect()
}

/// How far somebody came: for each lesson, `GAME/NUMBER` from 1, how many of its steps are done in a row.
struct Progress {
    file: Option<PathBuf>,
    done: BTreeMap<String, usize>,
}

impl Progress {
    /// What a file says; a file that is not there says nothing.
    fn read(file: Option<PathBuf>) -> Result<Progress, Failure> {
        let Some(path) = &file else { return Ok(Progress { file, done: BTreeMap::new() }) };
        // Some devices can be read without end.
        if path.exists() && !path.is_file() {
            return Err(Failure::file(path, "read", "it is no regular file"));
        }
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => "{}".into(),
            Err(why) => return Err(Failure::file(path, "read", why)),
        };
        let done = serde_json::from_str(&text).map_err(|why| {
            Failure::Refused(format!(
                "{}, line {}, column {}: this is no record of lessons, which is like {{\"nim/1\": 3}}; \
                 move the file away to begin a new one",
                path.display(),
                why.line(),
                why.column(),
            ))
        })?;
        Ok(Progress { file, done })
    }

    fn done(&self, id: &str, lesson: usize) -> usize {
        self.done.get(&format!("{id}/{}", lesson + 1)).copied().unwrap_or(0)
    }

    /// So many steps are done; the file is written whole or not at all.
    fn note(&mut self, id: &str, lesson: usize, n_steps: usize) -> Result<(), Failure> {
        let done = self.done.entry(format!("{id}/{}", lesson + 1)).or_default();
        *done = n_steps.max(*done);
        let Some(path) = &self.file else { return Ok(()) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|why| Failure::file(path, "written", why))?;
        write_whole(path, &serde_json::to_vec_pretty(&self.done).expect("names and numbers are JSON"))
    }
}

/// Where a person's state is kept on this system; nowhere where no folder is known.
fn usual_file() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|text| !text.is_empty()).map(PathBuf::from);
    let state = of("XDG_STATE_HOME").or_else(|| Some(of("HOME")?.join(".local/state")));
    state.or_else(|| of("LOCALAPPDATA")).map(|folder| folder.join("raichi").join("lessons.json"))
}
