//! A game in progress: a state, the plies that led to it, and the checked way to add one more.

use crate::erased::Playable;
use crate::game::Phase;
use crate::information::SeatView;
use crate::notation::{ParseError, shortened};
use crate::random::Rng;
use crate::seat::{Seat, SeatSet, Viewer};

/// A game from its first ply to where it stands.
#[derive(Clone, Debug)]
pub struct Match<G: Playable> {
    game: G,
    state: G::State,
    plies: Vec<Ply>,
    choices: Vec<Choice<G>>,
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

#[derive(Debug)]
enum Choice<G: Playable> {
    Action(Seat, G::Action),
    Outcome(G::Outcome),
}

// Derived, it would ask for G: Copy.
impl<G: Playable> Clone for Choice<G> {
    fn clone(&self) -> Self {
        match *self {
            Choice::Action(seat, action) => Choice::Action(seat, action),
            Choice::Outcome(outcome) => Choice::Outcome(outcome),
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
#[error("ply {ply} (`{}`): {why}", shortened(.token))]
pub struct HistoryError {
    /// The ply, from 0.
    pub ply: usize,
    /// What stands there.
    pub token: String,
    /// Why it was refused.
    pub why: PlayError,
}

impl<G: Playable> Match<G> {
    /// A game before its first ply.
    pub fn new(game: G) -> Self {
        let state = game.initial_state();
        Match { game, state, plies: Vec::new(), choices: Vec::new() }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The whole state, hidden things included: for records and referees, not for agents.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// What `seat` knows.
    pub fn view(&self, seat: Seat) -> SeatView<'_, G> {
        SeatView::new(&self.game, &self.state, seat)
    }

    /// The plies so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Who acts now.
    pub fn phase(&self) -> Phase {
        self.game.phase(&self.state)
    }

    /// The legal actions of a seat; empty when it is not to act.
    pub fn legal_actions(&self, seat: Seat) -> Vec<G::Action> {
        self.view(seat).legal_actions()
    }

    /// Plays the action that `text` names, if it is legal; answers its canonical text.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play_text(&mut self, seat: Seat, text: &str) -> Result<&str, PlayError> {
        self.check_turn(seat)?;
        let action = self.game.parse_action(&self.state, seat, text)?;
        self.play(seat, action)
    }

    fn check_turn(&self, seat: Seat) -> Result<(), PlayError> {
        match self.phase() {
            Phase::Over => Err(PlayError::GameOver),
            Phase::Chance => Err(PlayError::ChanceActs),
            Phase::Act(to_act) if !to_act.contains(seat) => Err(PlayError::NotToAct { seat, to_act }),
            Phase::Act(_) => Ok(()),
        }
    }

    /// Plays an action, if it is legal; answers its canonical text.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play(&mut self, seat: Seat, action: G::Action) -> Result<&str, PlayError> {
        self.check_turn(seat)?;
        if !self.game.is_legal(&self.state, seat, action) {
            let text = self.game.action_text(&self.state, seat, action);
            return Err(PlayError::Illegal { text, why: self.game.why_illegal(&self.state, seat, action) });
        }
        let sees = |viewer| self.game.sees_action(&self.state, seat, action, viewer);
        let ply = Ply {
            by: By::Seat(seat),
            text: self.game.action_text(&self.state, seat, action),
            simultaneous: matches!(self.phase(), Phase::Act(seats) if seats.len() > 1),
            marks: self.game.action_marks(&self.state, seat, action),
            seen_by: self.seats_who(sees),
            public: sees(Viewer::Spectator),
        };
        self.game.apply(&mut self.state, seat, action);
        Ok(self.push(ply, Choice::Action(seat, action)))
    }

    /// Lets the outcome happen that `text` names, if it is possible; answers its canonical text.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn play_outcome_text(&mut self, text: &str) -> Result<&str, PlayError> {
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
                Ok(self.play_outcome(outcome))
            }
        }
    }

    /// Draws an outcome by weight and lets it happen; answers its canonical text.
    ///
    /// # Errors
    /// When chance is not to act.
    pub fn sample_outcome<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<&str, PlayError> {
        match self.phase() {
            Phase::Over => Err(PlayError::GameOver),
            Phase::Act(to_act) => Err(PlayError::NotChance { text: "~".into(), to_act }),
            Phase::Chance => {
                let outcome = self.game.sample_outcome(&self.state, rng);
                Ok(self.play_outcome(outcome))
            }
        }
    }

    fn play_outcome(&mut self, outcome: G::Outcome) -> &str {
        let sees = |viewer| self.game.sees_outcome(&self.state, outcome, viewer);
        let ply = Ply {
            by: By::Chance,
            text: self.game.outcome_text(&self.state, outcome),
            simultaneous: false,
            marks: self.game.outcome_marks(&self.state, outcome),
            seen_by: self.seats_who(sees),
            public: sees(Viewer::Spectator),
        };
        self.game.apply_outcome(&mut self.state, outcome);
        self.push(ply, Choice::Outcome(outcome))
    }

    fn seats_who(&self, sees: impl Fn(Viewer) -> bool) -> SeatSet {
        (0..self.game.facts().n_seats).filter(|&seat| sees(Viewer::Seat(seat))).collect()
    }

    fn push(&mut self, ply: Ply, choice: Choice<G>) -> &str {
        self.choices.push(choice);
        self.plies.push(ply);
        &self.plies.last().expect("a ply was just pushed").text
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
            let ply = self.plies.len();
            self.play_token(token).map_err(|why| HistoryError { ply, token: token.into(), why })?;
        }
        Ok(())
    }

    /// Takes back plies until `n_plies` are left.
    pub fn truncate(&mut self, n_plies: usize) {
        self.plies.truncate(n_plies);
        self.choices.truncate(n_plies);
        self.state = self.state_after(n_plies);
    }

    /// The state after the first `n_plies` plies.
    pub fn state_after(&self, n_plies: usize) -> G::State {
        let mut state = self.game.initial_state();
        for choice in self.choices.iter().take(n_plies) {
            match *choice {
                Choice::Action(seat, action) => self.game.apply(&mut state, seat, action),
                Choice::Outcome(outcome) => self.game.apply_outcome(&mut state, outcome),
            }
        }
        state
    }
}
