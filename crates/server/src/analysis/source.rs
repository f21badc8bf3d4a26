//! What is analysed: the record of a finished game, or a position that a text describes, and plies from there.
//!
//! Of a finished game everything is known. A position whose text hides something is a seat's view: what it hides is
//! drawn as core draws it, and only what that seat sees is told.

use std::sync::Arc;

use raichi_core::record::{Record, RecordedResult};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::{AnyGame, AnyMatch, HistoryError};

use super::SEED;
use crate::error::Refusal;
use crate::hub::check_spec;

/// How often what a seat's view hides is drawn, to see whether what plies lead to depends on it.
const DRAWS: u64 = 64;

/// Where play begins, and what was played from there.
pub(super) struct Ground {
    rules: Arc<dyn AnyGame>,
    /// Before its first ply; what its text hides is not drawn.
    start: Box<dyn AnyMatch>,
    /// Whether it begins with a position other than the game's own start.
    is_set_up: bool,
    viewer: Viewer,
    occupants: Vec<Option<String>>,
    recorded: Vec<String>,
    result: Option<RecordedResult>,
}

/// A position that was reached.
pub(crate) struct Position {
    pub(crate) rules: Arc<dyn AnyGame>,
    pub(crate) current: Box<dyn AnyMatch>,
    pub(crate) is_set_up: bool,
    pub(crate) viewer: Viewer,
    /// Which draw of what the viewer does not see this is; plies that do not fit it lead to another one. `None` where nothing is
    /// drawn, or what is hidden stays as it is.
    pub(crate) draw: Option<u64>,
    pub(crate) occupants: Vec<Option<String>>,
    /// How many plies the record has.
    pub(crate) n_own: usize,
    /// How the game ended that was recorded, where this is its last position.
    pub(crate) result: Option<RecordedResult>,
}

impl Ground {
    pub(super) fn of_record(record: Record) -> Result<Ground, Refusal> {
        let rules = raichi_games::game_of_record(&record)?;
        let start = match &record.position {
            None => rules.new_match(),
            Some(text) => rules.match_at(text)?,
        };
        Ok(Ground {
            rules,
            start,
            is_set_up: record.position.is_some(),
            viewer: Viewer::Referee,
            occupants: record.seats.into_iter().map(Some).collect(),
            recorded: record.plies.into_iter().map(|ply| ply.text).collect(),
            result: record.result,
        })
    }

    pub(super) fn of_position(game: &str, position: Option<&str>) -> Result<Ground, Refusal> {
        check_spec(game)?;
        let rules = raichi_games::game(game)?;
        let start = match position {
            None => rules.new_match(),
            Some(text) => rules.match_at(text)?,
        };
        let viewer = start.seen_by().unwrap_or(Viewer::Referee);
        let occupants = vec![None; rules.facts().n_seats];
        let is_set_up = position.is_some();
        Ok(Ground { rules, start, is_set_up, viewer, occupants, recorded: Vec::new(), result: None })
    }

    /// The position after the first `n_plies` of the recorded plies, all where it is not said, and those of `line`. Where a
    /// viewer does not see everything, it is the first draw of the rest that the plies fit.
    ///
    /// # Errors
    /// Names the first ply that the rules refuse.
    pub(super) fn reached(self, n_plies: Option<usize>, line: &[String]) -> Result<Position, Refusal> {
        let n_own = self.recorded.len();
        let n_plies = n_plies.unwrap_or(n_own);
        if n_plies > n_own {
            return Err(Refusal::malformed(format!("the record has {n_own} plies, not {n_plies}")));
        }
        let plies: Vec<&String> = self.recorded[..n_plies].iter().chain(line).collect();
        let (draw, current) = match self.played(0, &plies) {
            // That a card is dealt which lies face down somewhere in this draw is no reason to refuse it.
            Err(Refused::Ply(why)) if matches!(self.viewer, Viewer::Seat(_)) && is_of_chance(&why.token) => {
                let fitting = |draw| Some((draw, self.played(draw, &plies).ok()?));
                (1..DRAWS).find_map(fitting).ok_or(Refused::Ply(why))?
            }
            played => (0, played?),
        };
        let Ground { rules, is_set_up, viewer, occupants, result, .. } = self;
        let result = result.filter(|_| n_plies == n_own && line.is_empty());
        let draw = matches!(viewer, Viewer::Seat(_)).then_some(draw);
        Ok(Position { rules, current, is_set_up, viewer, draw, occupants, n_own, result })
    }

    /// The position after `plies`, with the `number`th draw of what is hidden.
    fn played(&self, number: u64, plies: &[&String]) -> Result<Box<dyn AnyMatch>, Refused> {
        let mut current = self.start.boxed_clone();
        current.draw_hidden(&mut draw(number)).map_err(|why| Refused::Start(why.into()))?;
        for (ply, &token) in plies.iter().enumerate() {
            let refused = |why| Refused::Ply(HistoryError { ply, token: token.clone(), why });
            current.play_token(token).map_err(refused)?;
        }
        Ok(current)
    }
}

/// Why plies cannot be played.
enum Refused {
    Start(Refusal),
    Ply(HistoryError),
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        match refused {
            Refused::Start(why) => why,
            Refused::Ply(why) => why.into(),
        }
    }
}

/// Whether a token of a history is an outcome.
fn is_of_chance(token: &str) -> bool {
    token.starts_with('~')
}

/// A stream that a determinization is drawn from.
fn draw(number: u64) -> raichi_core::random::FastRng {
    raichi_core::random::stream(SEED, "analysis", number)
}

impl Position {
    /// The seat whose knowledge is all that is known; `None` where everything is.
    pub(super) fn known_to(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Referee | Viewer::Spectator => None,
        }
    }

    /// Whether what is shown here depends on how what the seat did not know was drawn, as cards that are laid open do.
    /// Draws in which the plies cannot be played do not count; where no other one is left, it does.
    pub(super) fn is_of_one_draw(&self) -> bool {
        self.is_of_one_draw_at(&*self.current)
    }

    /// The same of an earlier position of the game.
    pub(super) fn is_of_one_draw_at(&self, current: &dyn AnyMatch) -> bool {
        let played = current.plies();
        if self.known_to().is_none() || played.is_empty() {
            return false;
        }
        let start = current.position_text_after(0, self.viewer);
        let tokens: Vec<String> = played.iter().map(|ply| ply.token(Viewer::Referee)).collect();
        let shown = |current: &dyn AnyMatch| {
            let result = current.end_reason().map(|end| (end, current.payoffs()));
            (current.position_text(self.viewer), current.picture(self.viewer), result)
        };
        let here = shown(current);
        let with_draw = |number| {
            let mut other = self.rules.match_at(&start).ok()?;
            other.draw_hidden(&mut draw(number)).ok()?;
            tokens.iter().try_for_each(|token| other.play_token(token)).ok()?;
            Some(shown(&*other))
        };
        let mut others = (0..DRAWS).filter(|&number| number != self.draw.unwrap_or(0)).filter_map(with_draw).peekable();
        others.peek().is_none() || others.any(|other| other != here)
    }

    /// The position as it may be, as far as the seat knows that it is known to: what is hidden is drawn anew, the
    /// `number`th time.
    ///
    /// # Errors
    /// When the text of the seat's view does not read back, which it should.
    pub(super) fn drawn_anew(&self, number: u64) -> Result<Box<dyn AnyMatch>, Refusal> {
        let mut drawn = self.rules.match_at(&self.current.position_text(self.viewer))?;
        drawn.draw_hidden(&mut draw(number))?;
        Ok(drawn)
    }
}

impl From<HistoryError> for Refusal {
    fn from(error: HistoryError) -> Refusal {
        Refusal { param: Some("line".into()), ..Refusal::new(error.why.code(), error.to_string()) }
    }
}
