//! The game at the table: whose turn it is, what is shown to whom, and what is saved.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use raichi_agents::{Advice, Budget, Certainty, Session, levels};
use raichi_arena::{Runner, Step, Streams};
use raichi_core::history::By;
use raichi_core::notation::shortened;
use raichi_core::record::{Record, RecordedPly, RecordedResult, VERSION};
use raichi_core::resignation::{RESIGNED, Resignation, resignation};
use raichi_core::verdict::{Names, signed};
use raichi_core::{AnyGame, AnyMatch, Payoffs, Phase, Seat, Viewer};

use super::save::SaveFile;
use super::seats::{self, Occupant};
use super::typed::{self, COMMANDS, Typed};
use crate::agents;
use crate::args::Start;
use crate::commands::keyboard::Keyboard;
use crate::commands::{rules, shown};
use crate::failure::Failure;
use crate::output::{Output, complain, is_terminal, width};
use crate::palette::{BAD, BOLD, CODE, FAINT, TITLE, paint, seat as seat_style};

/// With this many legal actions or fewer, they are listed without being asked for.
const FEW: usize = 12;

/// Said of a position in which nobody can play on.
const OVER: &str = "the game is over in this position";

/// A game being played.
pub(super) struct Table {
    game: Arc<dyn AnyGame>,
    runner: Runner,
    /// The text of the position that play began with; `None` for the start of the game.
    position: Option<String>,
    occupants: Vec<Occupant>,
    seed: u64,
    /// Of each ply, where it was measured.
    millis: Vec<Option<u64>>,
    /// Since the last ply.
    clock: Instant,
    /// How a game ended that did not end by its own rules.
    resigned: Option<Payoffs>,
    file: Option<SaveFile>,
    keyboard: Keyboard,
    out: Output,
    /// Who looks at the screen, where the keyboard is passed on.
    at_keyboard: Option<Seat>,
    /// How many plies everybody was told.
    told: usize,
    /// How many plies each seat was told, where the keyboard is passed on.
    told_seat: Vec<usize>,
    adviser: Option<Box<dyn Session>>,
}

/// What a person's turn came to.
#[derive(PartialEq, Eq)]
enum Turn {
    Done,
    Leave,
}

impl Table {
    /// A new game.
    ///
    /// # Errors
    /// Seats that nobody can take like that; a file that cannot be written.
    pub(super) fn new(
        game: Arc<dyn AnyGame>,
        start: &Start,
        given: &[String],
        seed: u64,
        file: Option<SaveFile>,
    ) -> Result<Table, Failure> {
        let occupants = seats::seated(&game, given)?;
        let mut current = start.open(game.as_ref())?;
        let drawn = current.draw_hidden(&mut Streams::new(seed).hidden());
        drawn.map_err(|why| Failure::Refused(format!("--position: {why}")))?;
        if current.phase() == Phase::Over {
            return Err(Failure::Usage(format!("--position: {OVER}")));
        }
        // What was drawn is part of the record.
        let position = start.position.is_some().then(|| current.position_text(Viewer::Referee));
        let mut table = Table::with(game, current, occupants, seed, file);
        table.position = position;
        table.save()?;
        Ok(table)
    }

    /// The game of a record that was read from `path`.
    ///
    /// # Errors
    /// Records of another game or against the rules.
    pub(super) fn resume(
        record: &Record,
        path: &Path,
        expected: Option<&dyn AnyGame>,
        given: &[String],
        file: SaveFile,
    ) -> Result<Table, Failure> {
        let refuse = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
        let game = raichi_games::game_of_record(record).map_err(|why| refuse(why.to_string()))?;
        if let Some(expected) = expected.filter(|expected| expected.spec() != game.spec()) {
            return Err(refuse(format!("this is a game of {}, not of {}", game.spec(), expected.spec())));
        }
        let seed = record.seed.as_deref().unwrap_or_default();
        let seed = read_seed(seed).ok_or_else(|| {
            let seed = shortened(seed);
            refuse(format!("its seed is `{seed}`, and this command can go on with 1 to 16 hexadecimal digits"))
        })?;
        let current = record.replay(game.as_ref()).map_err(|why| refuse(why.to_string()))?;
        let occupants = seats::seated_again(&game, given, &record.seats)?;
        let mut table = Table::with(game, current, occupants, seed, Some(file));
        table.position = record.position.clone();
        table.millis = record.plies.iter().map(|ply| ply.millis).collect();
        table.told = record.plies.len();
        table.told_seat.fill(record.plies.len());
        table.resigned = record
            .result
            .as_ref()
            .filter(|result| result.end == RESIGNED)
            .map(|result| Payoffs::new(result.payoffs.iter().copied()));
        Ok(table)
    }

    fn with(
        game: Arc<dyn AnyGame>,
        current: Box<dyn AnyMatch>,
        occupants: Vec<Occupant>,
        seed: u64,
        file: Option<SaveFile>,
    ) -> Table {
        let agent = |occupant: &Occupant| match occupant {
            Occupant::Agent(agent) => Some(Arc::clone(agent)),
            Occupant::Human { .. } => None,
        };
        let agents: Vec<_> = occupants.iter().map(agent).collect();
        Table {
            game,
            runner: Runner::new(current, &agents, Streams::new(seed)),
            position: None,
            told_seat: vec![0; occupants.len()],
            occupants,
            seed,
            millis: Vec::new(),
            clock: Instant::now(),
            resigned: None,
            file,
            keyboard: Keyboard::new(),
            out: Output::new(),
            at_keyboard: None,
            told: 0,
            adviser: None,
        }
    }

    /// Plays to the end, or until the person at the keyboard leaves.
    ///
    /// # Errors
    /// When the terminal or the disk fails.
    pub(super) fn play(&mut self) -> Result<(), Failure> {
        self.greet()?;
        while self.resigned.is_none() {
            match self.step()? {
                Step::Over => break,
                Step::Played => {}
                Step::Waiting(seat) => {
                    if self.human_acts(seat)? == Turn::Leave {
                        return self.leave();
                    }
                }
            }
        }
        self.finish()
    }

    /// Makes the next ply, if it is chance's or an agent's.
    fn step(&mut self) -> Result<Step, Failure> {
        let acts = match self.runner.current.phase() {
            Phase::Act(seats) => seats.iter().find(|&seat| self.runner.sessions[seat].is_some()),
            Phase::Chance | Phase::Over => None,
        };
        let spinner = match acts {
            Some(seat) => {
                self.tell()?;
                Some(agents::thinking(&self.game.seat_name(seat)))
            }
            None => None,
        };
        let step = self.runner.step(&mut ());
        if let Some(spinner) = &spinner {
            spinner.finish_and_clear();
        }
        let step = step.map_err(|why| Failure::Failed(why.to_string()))?;
        if step == Step::Played {
            self.keep();
            if acts.is_some() && self.n_humans() == 0 && self.runner.current.phase() != Phase::Over {
                self.tell()?;
                let viewer = self.onlooker();
                self.out.line(format_args!("\n{}", shown::position(self.runner.current.as_ref(), viewer)))?;
            }
        }
        Ok(step)
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let title = paint(TITLE, self.game.name());
        self.out.line(format_args!("{title}  {}", paint(FAINT, self.game.spec())))?;
        for (seat, occupant) in self.occupants.iter().enumerate() {
            let name = paint(seat_style(&*self.game, seat), self.game.seat_name(seat));
            let who = match occupant {
                Occupant::Human { name: None } => "at this keyboard",
                other => other.text(),
            };
            self.out.line(format_args!("  {name}: {who}"))?;
        }
        if self.n_humans() > 0 {
            self.out.line(paint(FAINT, "Type an action, or `help`."))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.tell()?;
        if self.passes_keyboard() {
            self.clear()?;
        }
        let viewer = self.onlooker();
        self.out.line(format_args!("\n{}", shown::position(self.runner.current.as_ref(), viewer)))?;
        let (payoffs, end) = self.outcome().expect("the game is over");
        let current = self.runner.current.as_ref();
        self.out.print(shown::result(self.game.as_ref(), current, &self.names(), &payoffs, &end))?;
        self.out.line(paint(FAINT, format_args!("{} plies, seed {}", self.runner.current.n_plies(), self.seed)))?;
        self.saved_where()
    }

    /// What the seats are called: the one person at the keyboard is spoken to, several are called by their names.
    fn names(&self) -> Names {
        let people: Vec<Option<&str>> = self.occupants.iter().map(Occupant::name).collect();
        let you = self.occupants.iter().position(Occupant::is_human).filter(|_| self.n_humans() == 1);
        Names::of(self.game.as_ref()).with_people(&people).spoken_to(you)
    }

    fn leave(&mut self) -> Result<(), Failure> {
        self.out.line(format_args!("Left after {} plies.", self.runner.current.n_plies()))?;
        self.saved_where()
    }

    fn saved_where(&mut self) -> Result<(), Failure> {
        let Some(file) = &self.file else { return Ok(()) };
        let path = file.path().display();
        match self.outcome() {
            Some(_) => self.out.line(format_args!("The game is in {path}.")),
            None => self.out.line(format_args!("Go on with: raichi play --resume {path}")),
        }
    }

    /// Payoffs and reason of a game that has ended.
    fn outcome(&self) -> Option<(Payoffs, String)> {
        if let Some(payoffs) = &self.resigned {
            return Some((payoffs.clone(), RESIGNED.into()));
        }
        Some((self.runner.current.payoffs(), self.runner.current.end_reason()?.into()))
    }

    /// A ply was played: notes its time, and saves the game.
    fn keep(&mut self) {
        self.millis.push(Some(self.clock.elapsed().as_millis() as u64));
        self.clock = Instant::now();
        self.save_if_possible();
    }

    // A full disk is no reason to end a game in progress.
    fn save_if_possible(&self) {
        if let Err(why) = self.save() {
            complain(paint(BAD, format_args!("not saved: {why}")));
        }
    }

    /// Writes the game as it stands, where it is saved.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn save(&self) -> Result<(), Failure> {
        self.file.as_ref().map_or(Ok(()), |file| file.write(&self.record()))
    }

    fn record(&self) -> Record {
        let plies = self.runner.current.plies().iter().zip(&self.millis);
        let seats: Vec<String> = self.occupants.iter().map(|occupant| occupant.text().into()).collect();
        Record {
            version: VERSION,
            game: self.game.spec().into(),
            position: self.position.clone(),
            levels: levels::version_in_record(&seats, levels::version(&*self.game)),
            seats,
            seed: Some(format!("{:016x}", self.seed)),
            plies: plies.map(|(ply, &millis)| RecordedPly { text: ply.token(Viewer::Referee), millis }).collect(),
            result: self.outcome().map(|(payoffs, end)| RecordedResult { payoffs: payoffs.as_slice().to_vec(), end }),
            program: concat!("raichi ", env!("CARGO_PKG_VERSION")).into(),
        }
    }
}

// Who sees what.
impl Table {
    fn n_humans(&self) -> usize {
        self.occupants.iter().filter(|occupant| occupant.is_human()).count()
    }

    /// Whether the people at this keyboard have secrets from each other.
    fn passes_keyboard(&self) -> bool {
        self.n_humans() > 1 && self.has_secrets()
    }

    fn has_secrets(&self) -> bool {
        let facts = self.game.facts();
        facts.hidden || facts.simultaneous
    }

    /// Whose view of the table is shown while nobody is asked: the one person's, or the public's.
    fn onlooker(&self) -> Viewer {
        let mut humans = (0..self.occupants.len()).filter(|&seat| self.occupants[seat].is_human());
        match (humans.next(), humans.next()) {
            // A person who has resigned may still be at the keyboard.
            (Some(seat), None) if self.at_keyboard.is_none_or(|other| other == seat) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        }
    }

    /// Tells the plies that nobody was told yet.
    fn tell(&mut self) -> Result<(), Failure> {
        let from = std::mem::replace(&mut self.told, self.runner.current.n_plies());
        self.tell_from(from, self.onlooker())
    }

    fn tell_from(&mut self, from: usize, viewer: Viewer) -> Result<(), Failure> {
        let mut outcomes = Vec::new();
        for ply in &self.runner.current.plies()[from..] {
            match ply.by {
                By::Chance => outcomes.push(ply.token(viewer)),
                By::Seat(seat) => {
                    tell_outcomes(&mut self.out, &mut outcomes)?;
                    let text = if ply.seen_by(viewer) { &ply.text } else { "?" };
                    let name = paint(seat_style(&*self.game, seat), self.game.seat_name(seat));
                    self.out.line(format_args!("{name}: {}", paint(BOLD, text)))?;
                }
            }
        }
        tell_outcomes(&mut self.out, &mut outcomes)
    }

    /// Lets the person on `seat` sit down, alone in front of the screen, and tells what has happened.
    fn hand_over(&mut self, seat: Seat) -> Result<Turn, Failure> {
        let somebody_else = self.at_keyboard.is_some_and(|other| other != seat);
        if !self.passes_keyboard() && !somebody_else {
            self.tell()?;
            return Ok(Turn::Done);
        }
        if self.at_keyboard != Some(seat) {
            self.clear()?;
            self.keyboard.forget();
            let who = self.called(seat);
            self.out.line(format_args!("Pass the keyboard to {}.", paint(seat_style(&*self.game, seat), &who)))?;
            if self.keyboard.line(&format!("{who}, press Enter: "), Vec::new(), &mut self.out)?.is_none() {
                return Ok(Turn::Leave);
            }
            self.clear()?;
            self.at_keyboard = Some(seat);
        }
        self.told = self.runner.current.n_plies();
        let from = std::mem::replace(&mut self.told_seat[seat], self.told);
        self.tell_from(from, Viewer::Seat(seat))?;
        Ok(Turn::Done)
    }

    /// Empties the screen, with what has scrolled off it.
    fn clear(&mut self) -> Result<(), Failure> {
        self.out.print(if is_terminal() { "\x1b[2J\x1b[3J\x1b[H" } else { "\n────────\n" })
    }

    fn called(&self, seat: Seat) -> String {
        match &self.occupants[seat] {
            Occupant::Human { name: Some(name) } => format!("{name} ({})", self.game.seat_name(seat)),
            _ => self.game.seat_name(seat),
        }
    }
}

// A person's turn.
impl Table {
    fn human_acts(&mut self, seat: Seat) -> Result<Turn, Failure> {
        if self.hand_over(seat)? == Turn::Leave {
            return Ok(Turn::Leave);
        }
        self.draw(seat)?;
        loop {
            let legal = self.runner.current.legal(seat);
            let words = legal.iter().map(String::as_str).chain(COMMANDS.iter().map(|(word, _)| *word));
            let words = words.map(String::from).collect();
            let prompt = format!("{}> ", paint(seat_style(&*self.game, seat), self.called(seat)));
            let Some(line) = self.keyboard.line(&prompt, words, &mut self.out)? else { return Ok(Turn::Leave) };
            match typed::read(&line, &legal) {
                Ok(Typed::Action(text)) => {
                    if self.play_typed(seat, &text, &legal)? {
                        return Ok(Turn::Done);
                    }
                }
                Ok(Typed::Undo(count)) => {
                    if self.undo(seat, count)? {
                        return Ok(Turn::Done);
                    }
                }
                Ok(Typed::Resign) => return self.resign(seat),
                Ok(Typed::Quit) => return Ok(Turn::Leave),
                Ok(Typed::Nothing) => self.list(seat, &legal)?,
                Ok(Typed::Legal) => self.out.print(shown::columns(&legal, width()))?,
                Ok(Typed::Board) => self.draw(seat)?,
                Ok(Typed::Hint) => self.hint(seat)?,
                Ok(Typed::Position(None)) => {
                    let text = self.runner.current.position_text(Viewer::Seat(seat));
                    self.out.line(paint(CODE, text))?;
                }
                Ok(Typed::Position(Some(text))) => {
                    if self.set_up(&text)? {
                        return Ok(Turn::Done);
                    }
                }
                Ok(Typed::History) => self.history(seat)?,
                Ok(Typed::Rules) => self.out.print(rules::page(self.game.as_ref(), width(), false))?,
                Ok(Typed::Help) => self.help()?,
                Err(why) => self.object(why)?,
            }
        }
    }

    fn draw(&mut self, seat: Seat) -> Result<(), Failure> {
        self.out.line(format_args!("\n{}", shown::position(self.runner.current.as_ref(), Viewer::Seat(seat))))?;
        let legal = self.runner.current.legal(seat);
        if legal.len() <= FEW { self.list(seat, &legal) } else { Ok(()) }
    }

    fn list(&mut self, seat: Seat, legal: &[String]) -> Result<(), Failure> {
        let name = self.game.seat_name(seat);
        if legal.len() <= FEW {
            return self.out.line(format_args!("{name} may play {}", paint(CODE, legal.join(" "))));
        }
        self.out.line(format_args!(
            "{name} has {} legal actions, such as {}; `legal` lists them all",
            legal.len(),
            legal[0]
        ))
    }

    fn object(&mut self, why: impl std::fmt::Display) -> Result<(), Failure> {
        self.out.line(format_args!("{} {why}", paint(BAD, "✗")))
    }

    /// Plays what was typed; returns whether that went well, and says why not.
    fn play_typed(&mut self, seat: Seat, text: &str, legal: &[String]) -> Result<bool, Failure> {
        // A history writes the seat before the action where several act; here it is known who types.
        let text = text.strip_prefix(&format!("{seat}:")).unwrap_or(text);
        match self.runner.current.play(seat, text) {
            Ok(_) => {
                self.keep();
                // The person knows; the others are told with the plies that follow.
                if self.n_humans() == 1 {
                    self.told = self.runner.current.n_plies();
                }
                self.told_seat[seat] = self.runner.current.n_plies();
                Ok(true)
            }
            Err(why) => {
                self.object(why)?;
                let alike: Vec<&str> = legal.iter().filter(|a| a.starts_with(text)).map(String::as_str).collect();
                if alike.is_empty() || alike.len() > FEW {
                    self.list(seat, legal)?;
                } else {
                    self.out.line(format_args!("legal are {}", paint(CODE, alike.join(" "))))?;
                }
                Ok(false)
            }
        }
    }

    /// Takes back the last `count` actions of `seat`, and all that followed; returns whether there were so many.
    fn undo(&mut self, seat: Seat, count: usize) -> Result<bool, Failure> {
        if self.passes_keyboard() {
            self.object("nothing is taken back where people have secrets from each other")?;
            return Ok(false);
        }
        let own = self.runner.current.plies().iter().enumerate().filter(|(_, ply)| ply.by == By::Seat(seat));
        let own: Vec<usize> = own.map(|(i, _)| i).collect();
        let Some(&n_plies) = own.len().checked_sub(count).and_then(|i| own.get(i)) else {
            self.object(match own.len() {
                0 => "you have not acted yet".into(),
                1 => "you have acted once so far".into(),
                n => format!("you have acted {n} times so far"),
            })?;
            return Ok(false);
        };
        self.runner.current.truncate(n_plies);
        self.millis.truncate(n_plies);
        self.told = n_plies;
        self.told_seat.iter_mut().for_each(|told| *told = n_plies.min(*told));
        self.clock = Instant::now();
        self.save_if_possible();
        self.out.line(paint(FAINT, format_args!("Back to ply {n_plies}.")))?;
        Ok(true)
    }

    /// Goes on from the position that `text` describes, with no plies before it; returns whether there is such a one.
    fn set_up(&mut self, text: &str) -> Result<bool, Failure> {
        if self.n_humans() > 1 {
            self.object("a position is set up only where one person plays alone or against engines")?;
            return Ok(false);
        }
        let mut current = match self.game.match_at(text) {
            Ok(current) => current,
            Err(why) => {
                self.object(why)?;
                return Ok(false);
            }
        };
        if let Err(why) = current.draw_hidden(&mut Streams::new(self.seed).hidden()) {
            self.object(why)?;
            return Ok(false);
        }
        if current.phase() == Phase::Over {
            self.object(OVER)?;
            return Ok(false);
        }
        // What was drawn is part of the record.
        self.position = Some(current.position_text(Viewer::Referee));
        self.runner.current = current;
        self.millis.clear();
        self.told = 0;
        self.told_seat.fill(0);
        self.clock = Instant::now();
        self.save_if_possible();
        self.out.line(paint(FAINT, "The game goes on from this position."))?;
        Ok(true)
    }

    // Where an engine is to play on and nobody is left to watch it, the game is broken off.
    fn resign(&mut self, seat: Seat) -> Result<Turn, Failure> {
        match resignation(&self.game.facts(), &self.runner.current.payoffs(), seat) {
            Resignation::Ends(payoffs) => self.resigned = Some(payoffs),
            Resignation::EnginePlaysOn if self.n_humans() > 1 => {
                let engine = seats::engine(&self.game)?;
                if let Occupant::Agent(agent) = &engine {
                    self.runner.sessions[seat] = Some(agent.open(Streams::new(self.seed).agent(seat)));
                }
                self.occupants[seat] = engine;
                let engine = self.occupants[seat].text();
                self.out.line(format_args!("{engine} plays on for {}.", self.game.seat_name(seat)))?;
            }
            Resignation::EnginePlaysOn => {
                self.out.line("Nobody is left at the keyboard; the game is broken off.")?;
                return Ok(Turn::Leave);
            }
        }
        self.save_if_possible();
        Ok(Turn::Done)
    }

    fn hint(&mut self, seat: Seat) -> Result<(), Failure> {
        let prepared = agents::strongest(&self.game)?;
        let adviser = self.adviser.get_or_insert_with(|| prepared.open(self.seed));
        let spinner = agents::thinking("The adviser");
        let advice = adviser.decide(self.runner.current.as_ref(), seat, Budget::UNLIMITED);
        spinner.finish_and_clear();
        let advice = advice.map_err(|why| Failure::Failed(format!("{}: {why}", prepared.spec())))?;
        self.out.print(advised(prepared.spec(), &advice, seat))
    }

    fn history(&mut self, seat: Seat) -> Result<(), Failure> {
        let viewer = Viewer::Seat(seat);
        let plies = self.runner.current.plies().iter().enumerate();
        let lines: Vec<String> = plies.map(|(i, ply)| format!("{}. {}", i + 1, ply.token(viewer))).collect();
        if lines.is_empty() { self.out.line("nothing yet") } else { self.out.print(shown::columns(&lines, width())) }
    }

    fn help(&mut self) -> Result<(), Failure> {
        self.out.line("An action is typed as the game writes it; Tab completes it. Besides there are:")?;
        for (word, help) in COMMANDS {
            self.out.line(format_args!("  {}  {help}", paint(CODE, format_args!("{word:9}"))))?;
        }
        Ok(())
    }
}

/// The seed of a record that this command wrote.
fn read_seed(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|b| b.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| digits)
}

fn tell_outcomes(out: &mut Output, outcomes: &mut Vec<String>) -> Result<(), Failure> {
    if outcomes.is_empty() {
        return Ok(());
    }
    let line = format!("chance: {}", std::mem::take(outcomes).join(" "));
    out.line(paint(FAINT, textwrap::fill(&line, width())))
}

fn advised(spec: &str, advice: &Advice<String>, seat: Seat) -> String {
    let sure = if advice.proven { ", proven" } else { "" };
    let mut text = format!("{spec} would play {}{sure}\n", paint(BOLD, &advice.action));
    for candidate in advice.candidates.iter().take(5) {
        let value = candidate.values.get(seat).map_or(String::new(), |value| {
            let rounded = signed((value * 1000.0).round() / 1000.0);
            match candidate.certainty {
                Certainty::Exact => format!("  expects {rounded} (proven)"),
                Certainty::LowerBound => format!("  expects at least {rounded}"),
                Certainty::UpperBound => format!("  expects at most {rounded}"),
                Certainty::Estimate { .. } | Certainty::Unknown => format!("  expects {rounded}"),
            }
        });
        let looked = match (candidate.visits, candidate.depth) {
            (Some(visits), _) => format!(" {visits:>9} visits"),
            (None, Some(depth)) => format!(" depth {depth:>3}"),
            (None, None) => String::new(),
        };
        text += &paint(FAINT, format_args!("  {:12}{looked}{value}", candidate.action));
        text += "\n";
    }
    if advice.line.len() > 1 {
        text += &paint(FAINT, format_args!("  line: {}", advice.line.join(" ")));
        text += "\n";
    }
    text
}
