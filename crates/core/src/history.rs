//! A game in progress: a state, the plies that led to it, and the checked way to add one more.

use std::sync::{Arc, OnceLock};

use crate::erased::Playable;
use crate::game::{Choice, Payoffs, Phase};
use crate::information::{Information, SeatView};
use crate::notation::{ParseError, shortened};
use crate::path::{PathGame, PathState};
use crate::picture::{Picture, Scene, Sketch, Touch};
use crate::position::SetUp;
use crate::random::Rng;
use crate::seat::{Seat, SeatSet, Viewer};

/// A game from its first ply to where it stands.
#[derive(Clone, Debug)]
pub struct Match<G: Playable> {
    game: Arc<PathGame<G>>,
    start: PathState<G>,
    /// Whose view the start is, where it was set up from a text that hides something.
    seen_by: Option<Viewer>,
    state: PathState<G>,
    choices: Vec<Choice<G>>,
    /// In games with secrets, the seats that saw each choice; empty in others, where all did.
    witnesses: Vec<SeatSet>,
    /// Made when it is first asked for and kept up to date from then on: play that never asks for it does not pay for it.
    described: OnceLock<Described<G>>,
}

/// What is remembered of the plies to show them.
#[derive(Clone, Debug)]
struct Described<G: Playable> {
    plies: Vec<Ply>,
    aftermath: Option<G::State>,
}

/// Who made a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A seat, by an action.
    Seat(Seat),
    /// Chance, by an outcome.
    Chance,
}

/// One ply in text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Who made it.
    pub by: By,
    /// The canonical text of the action or outcome, without the seat.
    pub text: String,
    /// Whether several seats could act, so that a history writes the seat before the action.
    pub simultaneous: bool,
    /// What to highlight, for those who saw the ply.
    pub marks: Vec<String>,
    /// What begins with it: a round.
    pub begins: Option<String>,
    seen_by: SeatSet,
    public: bool,
}

impl Ply {
    /// Whether `viewer` saw what was chosen.
    pub fn seen_by(&self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seen_by.contains(seat),
            Viewer::Spectator => self.public,
            Viewer::Referee => true,
        }
    }

    /// The ply as a history writes it for `viewer`: `e2`, `1:draft-fire`, `~As`; a hidden part is a question mark.
    pub fn token(&self, viewer: Viewer) -> String {
        let text = match (self.seen_by(viewer), self.by) {
            (true, _) => self.text.as_str(),
            (false, By::Seat(_)) => "?",
            (false, By::Chance) => "~?",
        };
        match self.by {
            By::Seat(seat) if self.simultaneous => format!("{seat}:{text}"),
            _ => text.into(),
        }
    }
}

/// Why a ply was refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// Nobody can act any more.
    #[error("the game is over")]
    GameOver,
    /// Chance is to act.
    #[error("chance acts now: an outcome is expected, which begins with ~")]
    ChanceActs,
    /// A seat is to act, not chance.
    #[error("`{}` is an outcome, but {} to act", shortened(.text), seats(*.to_act))]
    NotChance {
        /// What was given.
        text: String,
        /// Who may act.
        to_act: SeatSet,
    },
    /// Another seat is to act.
    #[error("seat {seat} is not to act now; {} to act", seats(*.to_act))]
    NotToAct {
        /// Who tried.
        seat: Seat,
        /// Who may.
        to_act: SeatSet,
    },
    /// Several seats may act, and the text does not say which of them does.
    #[error("several seats may act now ({}): write seat:action, not `{}`", list(*.to_act), shortened(.text))]
    SeatMissing {
        /// What was given.
        text: String,
        /// Who may act.
        to_act: SeatSet,
    },
    /// The text names nothing here.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Well-formed, but against the rules.
    #[error("`{text}` is not legal: {why}")]
    Illegal {
        /// The action or outcome, canonical.
        text: String,
        /// Which rule forbids it.
        why: String,
    },
}

impl PlayError {
    /// A code that stays the same when the sentence is reworded.
    pub fn code(&self) -> &'static str {
        match self {
            PlayError::GameOver => "play/over",
            PlayError::ChanceActs => "play/chance-acts",
            PlayError::NotChance { .. } => "play/not-chance",
            PlayError::NotToAct { .. } => "play/not-to-act",
            PlayError::SeatMissing { .. } => "play/seat-missing",
            PlayError::Parse(_) => "play/not-understood",
            PlayError::Illegal { .. } => "play/illegal",
        }
    }
}

fn list(seats: SeatSet) -> String {
    seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(", ")
}

fn seats(seats: SeatSet) -> String {
    if seats.len() == 1 { format!("seat {} is", list(seats)) } else { format!("seats {} are", list(seats)) }
}

/// Which ply of a history was refused, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {} (`{}`): {why}", .ply + 1, shortened(.token))]
pub struct HistoryError {
    /// The ply, from 0. The message counts from 1, as the page does.
    pub ply: usize,
    /// What stands there.
    pub token: String,
    /// Why it was refused.
    pub why: PlayError,
}

impl<G: Playable> Described<G> {
    /// Adds `choice`, which is made in `state`.
    fn add(&mut self, game: &PathGame<G>, state: &PathState<G>, choice: Choice<G>) {
        self.plies.push(describe(game, state, choice));
        if let Some(table) = game.aftermath(state, choice) {
            self.aftermath = Some(table);
        }
    }
}

/// The seats that see which choice is made in `state` (the state before).
fn witnesses<G: Information>(game: &PathGame<G>, state: &PathState<G>, choice: Choice<G>) -> SeatSet {
    let sees = |&seat: &Seat| match choice {
        Choice::Action(by, action) => game.sees_action(state, by, action, Viewer::Seat(seat)),
        Choice::Outcome(outcome) => game.sees_outcome(state, outcome, Viewer::Seat(seat)),
    };
    (0..game.facts().n_seats).filter(sees).collect()
}

/// The ply that `choice`, made in `state` (the state before), is.
pub fn describe<G: Playable>(game: &PathGame<G>, state: &PathState<G>, choice: Choice<G>) -> Ply {
    let seen_by = witnesses(game, state, choice);
    let begins = game.begins(state);
    match choice {
        Choice::Action(seat, action) => Ply {
            by: By::Seat(seat),
            text: game.action_text(state, seat, action),
            simultaneous: matches!(game.phase(state), Phase::Act(seats) if seats.len() > 1),
            marks: game.action_marks(state, seat, action),
            begins,
            seen_by,
            public: game.sees_action(state, seat, action, Viewer::Spectator),
        },
        Choice::Outcome(outcome) => Ply {
            by: By::Chance,
            text: game.outcome_text(state, outcome),
            simultaneous: false,
            marks: game.outcome_marks(state, outcome),
            begins,
            seen_by,
            public: game.sees_outcome(state, outcome, Viewer::Spectator),
        },
    }
}

/// Which rule forbids what `seat`, which is to act in `state`, is meant to choose by `touched`; `None` where the touches
/// begin a legal action, and where nobody can say what they mean.
pub fn why_not<G: Playable>(
    game: &PathGame<G>,
    state: &PathState<G>,
    seat: Seat,
    touched: &[String],
) -> Option<String> {
    let goes_on = |action: &G::Action| {
        let touch = Touch { action: String::new(), path: game.path(state, seat, *action) };
        touch.next(touched, &|id| game.any_order(id)).is_some()
    };
    let mut legal = Vec::new();
    game.legal_actions(state, seat, &mut legal);
    if touched.is_empty() || legal.iter().any(goes_on) {
        return None;
    }
    let spelt = || {
        let read = |text: String| game.parse_action(state, seat, &text).ok();
        let action = read(touched.concat()).or_else(|| read(touched.join("-")))?;
        (!game.is_legal(state, seat, action)).then(|| game.why_illegal(state, seat, action))
    };
    game.why_not(state, seat, touched).or_else(spelt)
}

impl<G: Playable> Match<G> {
    /// A game before its first ply.
    pub fn new(game: impl Into<PathGame<G>>) -> Self {
        Match::of(Arc::new(game.into()))
    }

    /// A game before its first ply, with rules that are shared.
    pub fn of(game: Arc<PathGame<G>>) -> Self {
        let start = game.initial_state();
        Match::starting(game, start, None)
    }

    /// A game that begins with a position set up.
    pub fn from_position(game: Arc<PathGame<G>>, position: SetUp<G::State>) -> Self {
        let start = game.state_at(position.state);
        Match::starting(game, start, position.seen_by)
    }

    fn starting(game: Arc<PathGame<G>>, start: PathState<G>, seen_by: Option<Viewer>) -> Self {
        let (state, choices, witnesses) = (start.clone(), Vec::new(), Vec::new());
        Match { game, state, start, seen_by, choices, witnesses, described: OnceLock::new() }
    }

    /// The rules.
    pub fn game(&self) -> &Arc<PathGame<G>> {
        &self.game
    }

    /// The whole state, hidden things included: for records and referees, not for agents.
    pub fn state(&self) -> &PathState<G> {
        &self.state
    }

    /// Whose view the start is, where it was set up from a text that hides something: what that viewer could not see is
    /// chosen arbitrarily. `None` where everything is known.
    pub fn seen_by(&self) -> Option<Viewer> {
        self.seen_by
    }

    /// Replaces the start, whose text hid something, by a determinization, so that play can go on. Does nothing where
    /// nothing was hidden.
    ///
    /// # Errors
    /// When the text was a spectator's, who has no seat's knowledge.
    pub fn draw_hidden<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<(), SpectatorsView> {
        let seat = match self.seen_by {
            None => return Ok(()),
            Some(Viewer::Seat(seat)) => seat,
            Some(_) => return Err(SpectatorsView),
        };
        let choices = std::mem::take(&mut self.choices);
        let drawn = self.game.determinize(&self.start, seat, rng);
        *self = Match::starting(Arc::clone(&self.game), drawn, None);
        debug_assert!(choices.is_empty(), "what is hidden is drawn before the first ply");
        Ok(())
    }

    /// What `seat` knows.
    pub fn view(&self, seat: Seat) -> SeatView<'_, G> {
        SeatView::new(&self.game, &self.state, &self.choices, seat).with_witnesses(&self.witnesses)
    }

    /// What was chosen since the start, hidden things included.
    pub fn choices(&self) -> &[Choice<G>] {
        &self.choices
    }

    /// How many plies there were since the start.
    pub fn n_plies(&self) -> usize {
        self.choices.len()
    }

    /// The plies so far.
    pub fn plies(&self) -> &[Ply] {
        &self.described().plies
    }

    fn described(&self) -> &Described<G> {
        self.described.get_or_init(|| {
            let mut described = Described { plies: Vec::new(), aftermath: None };
            self.replay(self.n_plies(), |state, choice| described.add(&self.game, state, choice));
            described
        })
    }

    /// What a picture shows.
    pub fn scene(&self) -> Scene<'_, G> {
        self.scene_of(&self.state, self.described().aftermath.as_ref())
    }

    fn scene_of<'a>(&self, state: &'a PathState<G>, aftermath: Option<&'a G::State>) -> Scene<'a, G> {
        Scene {
            state: state.position(),
            occurrences: state.occurrences(),
            n_quiet: state.n_quiet(),
            path_end: self.game.path_end(state),
            aftermath,
        }
    }

    /// The view shown where `viewer` asks: nobody sees more than the viewer who wrote the start's text.
    fn at_most(&self, viewer: Viewer) -> Viewer {
        self.seen_by.unwrap_or(viewer)
    }

    /// The position as `viewer` may see it.
    pub fn picture(&self, viewer: Viewer) -> Picture {
        self.game.picture(&self.scene(), self.at_most(viewer))
    }

    /// The position as text for a terminal, as `viewer` may see it.
    pub fn sketch(&self, viewer: Viewer) -> Sketch {
        self.game.sketch(&self.scene(), self.at_most(viewer))
    }

    /// The position after the first `n_plies` plies as `viewer` may see it.
    pub fn picture_after(&self, n_plies: usize, viewer: Viewer) -> Picture {
        let mut aftermath = None;
        let state = self.replay(n_plies, |state, choice| {
            aftermath = self.game.aftermath(state, choice).or(aftermath.take());
        });
        self.game.picture(&self.scene_of(&state, aftermath.as_ref()), self.at_most(viewer))
    }

    /// The position as one line of text, as `viewer` may see it.
    pub fn position_text(&self, viewer: Viewer) -> String {
        self.game.position_text(&self.state, self.at_most(viewer))
    }

    /// The position after the first `n_plies` plies as one line of text, as `viewer` may see it.
    pub fn position_text_after(&self, n_plies: usize, viewer: Viewer) -> String {
        self.game.position_text(&self.state_after(n_plies), self.at_most(viewer))
    }

    /// All that `seat` has seen and done since the start, in order: its information state. The plies as tokens, unseen
    /// ones as question marks, and in brackets what everybody was shown at the end of a round. Empty in games without
    /// secrets, where the position says enough. [`crate::information::Recall`] has it as a key.
    pub fn information_state(&self, seat: Seat) -> String {
        if !self.game.facts().hidden {
            return String::new();
        }
        let mut seen = Vec::new();
        self.replay(self.n_plies(), |state, choice| {
            seen.push(describe(&self.game, state, choice).token(Viewer::Seat(seat)));
            let table = self.game.aftermath(state, choice);
            seen.extend(table.map(|table| format!("[{}]", self.game.position_text(&table, Viewer::Referee))));
        });
        seen.join(" ")
    }

    /// Who acts now.
    pub fn phase(&self) -> Phase {
        self.game.phase(&self.state)
    }

    /// Why the game is over; `None` while it is not.
    pub fn end_reason(&self) -> Option<&'static str> {
        (self.phase() == Phase::Over).then(|| self.game.end_reason(&self.state))
    }

    /// What each seat gets, or would if play were broken off here.
    pub fn payoffs(&self) -> Payoffs {
        self.game.payoffs(&self.state)
    }

    /// The legal actions of a seat; empty when it is not to act.
    pub fn legal_actions(&self, seat: Seat) -> Vec<G::Action> {
        self.view(seat).legal_actions()
    }

    /// The outcomes that `viewer` can expect, with their weights; empty when chance is not to act.
    pub fn outcomes(&self, viewer: Viewer) -> Vec<(G::Outcome, u64)> {
        let mut outcomes = Vec::new();
        match (self.phase(), self.at_most(viewer)) {
            (Phase::Chance, Viewer::Referee) => self.game.outcomes(&self.state, &mut outcomes),
            (Phase::Chance, viewer) => self.game.expected_outcomes(&self.state, viewer, &mut outcomes),
            _ => {}
        }
        outcomes
    }

    /// The legal actions of a seat that lose at once: the seat is out, or the game is over and nobody gets less than the
    /// seat, while somebody gets more. Empty where every action is like that, so that there is nothing to warn of; in games with secrets or
    /// simultaneous actions, where the state would tell what the seat does not know; and where there are so many
    /// actions that trying each would take long.
    pub fn losing_actions(&self, seat: Seat) -> Vec<G::Action> {
        const MANY: usize = 2000;
        let facts = self.game.facts();
        let actions = self.legal_actions(seat);
        if facts.hidden || facts.simultaneous || facts.n_seats == 1 || actions.len() > MANY {
            return Vec::new();
        }
        let loses = |action: &G::Action| {
            let mut after = self.state.clone();
            self.game.apply(&mut after, seat, *action);
            let is_over = self.game.phase(&after) == Phase::Over;
            self.game.is_out(&after, seat) || is_over && is_last(self.game.payoffs(&after).as_slice(), seat)
        };
        let losing: Vec<G::Action> = actions.iter().copied().filter(loses).collect();
        if losing.len() == actions.len() { Vec::new() } else { losing }
    }

    /// Which rule forbids what `seat` is meant to choose by `touched`; `None` where it is not to act, and as [`why_not`].
    pub fn why_not(&self, seat: Seat, touched: &[String]) -> Option<String> {
        self.check_turn(seat).ok()?;
        why_not(&self.game, &self.state, seat, touched)
    }

    /// Plays the action that `text` names, if it is legal; returns its canonical text.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play_text(&mut self, seat: Seat, text: &str) -> Result<String, PlayError> {
        self.check_turn(seat)?;
        let action = self.game.parse_action(&self.state, seat, text)?;
        let canonical = self.game.action_text(&self.state, seat, action);
        self.play(seat, action).map(|()| canonical)
    }

    pub(crate) fn check_turn(&self, seat: Seat) -> Result<(), PlayError> {
        match self.phase() {
            Phase::Over => Err(PlayError::GameOver),
            Phase::Chance => Err(PlayError::ChanceActs),
            Phase::Act(to_act) if !to_act.contains(seat) => Err(PlayError::NotToAct { seat, to_act }),
            Phase::Act(_) => Ok(()),
        }
    }

    /// Plays an action, if it is legal.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play(&mut self, seat: Seat, action: G::Action) -> Result<(), PlayError> {
        self.check_turn(seat)?;
        if !self.game.is_legal(&self.state, seat, action) {
            let text = self.game.action_text(&self.state, seat, action);
            return Err(PlayError::Illegal { text, why: self.game.why_illegal(&self.state, seat, action) });
        }
        self.advance(Choice::Action(seat, action));
        Ok(())
    }

    /// Plays a uniformly random legal action of `seat`. `scratch` may be overwritten.
    ///
    /// # Errors
    /// When the seat is not to act.
    pub fn play_random<R: Rng + ?Sized>(
        &mut self,
        seat: Seat,
        scratch: &mut Vec<G::Action>,
        rng: &mut R,
    ) -> Result<(), PlayError> {
        self.check_turn(seat)?;
        let action = self.game.random_action(&self.state, seat, scratch, rng);
        self.advance(Choice::Action(seat, action));
        Ok(())
    }

    /// Lets the outcome happen that `text` names, if it is possible; returns its canonical text.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play_outcome_text(&mut self, text: &str) -> Result<String, PlayError> {
        match self.phase() {
            Phase::Over => Err(PlayError::GameOver),
            Phase::Act(to_act) => Err(PlayError::NotChance { text: text.into(), to_act }),
            Phase::Chance => {
                let outcome = self.game.parse_outcome(&self.state, text)?;
                let mut outcomes = Vec::new();
                self.game.outcomes(&self.state, &mut outcomes);
                if !outcomes.iter().any(|&(possible, _)| possible == outcome) {
                    let (n, example) = (outcomes.len(), self.game.outcome_text(&self.state, outcomes[0].0));
                    let why = match n {
                        1 => format!("only {example} can happen here"),
                        _ => format!("that cannot happen here; {n} outcomes can, such as {example}"),
                    };
                    return Err(PlayError::Illegal { text: shortened(text), why });
                }
                let canonical = self.game.outcome_text(&self.state, outcome);
                self.advance(Choice::Outcome(outcome));
                Ok(canonical)
            }
        }
    }

    /// Draws an outcome by weight and lets it happen.
    ///
    /// # Errors
    /// When chance is not to act.
    pub fn sample_outcome<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<(), PlayError> {
        match self.phase() {
            Phase::Over => Err(PlayError::GameOver),
            Phase::Act(to_act) => Err(PlayError::NotChance { text: "~".into(), to_act }),
            Phase::Chance => {
                let outcome = self.game.sample_outcome(&self.state, rng);
                self.advance(Choice::Outcome(outcome));
                Ok(())
            }
        }
    }

    fn advance(&mut self, choice: Choice<G>) {
        if let Some(described) = self.described.get_mut() {
            described.add(&self.game, &self.state, choice);
        }
        if self.game.facts().hidden {
            self.witnesses.push(witnesses(&self.game, &self.state, choice));
        }
        self.game.play(&mut self.state, choice);
        self.choices.push(choice);
    }

    /// Plays one token of a history: `~outcome`, `action`, or `seat:action` where several seats may act.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play_token(&mut self, token: &str) -> Result<(), PlayError> {
        let to_act = match self.phase() {
            Phase::Over => return Err(PlayError::GameOver),
            Phase::Chance if !token.starts_with('~') => return Err(PlayError::ChanceActs),
            Phase::Chance => return self.play_outcome_text(token).map(drop),
            Phase::Act(to_act) => to_act,
        };
        if token.starts_with('~') {
            return Err(PlayError::NotChance { text: token.into(), to_act });
        }
        if to_act.len() == 1 {
            return self.play_text(to_act.first(), token).map(drop);
        }
        let missing = || PlayError::SeatMissing { text: token.into(), to_act };
        let (seat, action) = token.split_once(':').ok_or_else(missing)?;
        let canonical = seat == "0" || (!seat.starts_with('0') && seat.bytes().all(|b| b.is_ascii_digit()));
        let seat = seat.parse().ok().filter(|_| canonical).ok_or_else(missing)?;
        self.play_text(seat, action).map(drop)
    }

    /// Plays a history: tokens with spaces between them.
    ///
    /// # Errors
    /// Names the first ply that is refused; those before it have been played.
    pub fn play_history(&mut self, history: &str) -> Result<(), HistoryError> {
        for token in history.split_whitespace() {
            let ply = self.n_plies();
            self.play_token(token).map_err(|why| HistoryError { ply, token: token.into(), why })?;
        }
        Ok(())
    }

    /// Takes back plies until `n_plies` are left.
    pub fn truncate(&mut self, n_plies: usize) {
        self.choices.truncate(n_plies);
        self.witnesses.truncate(n_plies);
        self.state = self.state_after(n_plies);
        self.described = OnceLock::new();
    }

    /// The state after the first `n_plies` plies.
    pub fn state_after(&self, n_plies: usize) -> PathState<G> {
        self.replay(n_plies, |_, _| {})
    }

    /// Plays the first `n_plies` plies again, showing each choice with the state before it.
    fn replay(&self, n_plies: usize, mut look: impl FnMut(&PathState<G>, Choice<G>)) -> PathState<G> {
        let mut state = self.start.clone();
        for &choice in self.choices.iter().take(n_plies) {
            look(&state, choice);
            self.game.play(&mut state, choice);
        }
        state
    }
}

/// What was hidden in a position's text cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the position's text is a spectator's, who knows no seat's secrets; play needs the view of a seat or all of it"
)]
pub struct SpectatorsView;

/// Whether nobody gets less than `seat`, and somebody more.
fn is_last(payoffs: &[f64], seat: Seat) -> bool {
    payoffs.iter().all(|&payoff| payoffs[seat] <= payoff) && payoffs.iter().any(|&payoff| payoffs[seat] < payoff)
}
