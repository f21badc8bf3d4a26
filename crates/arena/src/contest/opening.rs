//! How games begin: at the start, after plies drawn at random, or with an opening of a list.

use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::game::Phase;
use raichi_core::random::{index, mix, stream};
use raichi_core::score_sheet;
use raichi_core::seat::Viewer;

/// How often an opening that ended the game is drawn anew.
const MOST_DRAWS: u64 = 1000;
/// How often in a round whose opening must be found, since that of the first round was.
const MANY_DRAWS: u64 = 100 * MOST_DRAWS;

/// Where the openings of a contest come from.
#[derive(Clone, Debug, Default)]
pub enum Openings {
    /// Every game begins at its start.
    #[default]
    Start,
    /// So many plies, actions and outcomes of chance, each legal action equally likely.
    Random {
        /// How many.
        plies: usize,
    },
    /// These, in turn.
    List(Vec<Opening>),
}

/// How one game begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opening {
    /// The text of the position; the start of the game where there is none.
    pub position: Option<String>,
    /// The plies from there, as a history writes them.
    pub plies: Vec<String>,
}

/// Why games cannot begin so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Random plies end the game.
    #[error("{game}: {plies} random plies always end the game; openings must be shorter")]
    TooLong {
        /// The game's spec.
        game: String,
        /// How many plies were to be drawn.
        plies: usize,
    },
    /// A line is neither a history nor a position.
    #[error("openings, line {line}: `{}` is no history of {game} ({history}) and no position ({position})",
        raichi_core::notation::shortened(.text))]
    NoOpening {
        /// From 1.
        line: usize,
        /// What it says.
        text: String,
        /// The game's spec.
        game: String,
        /// Why it is no history.
        history: String,
        /// Why it is no position.
        position: String,
    },
    /// The game is over there.
    #[error("openings, line {line}: the game is over there")]
    Over {
        /// From 1.
        line: usize,
    },
    /// The position hides something.
    #[error("openings, line {line}: the position hides something, and play needs all of it")]
    Hidden {
        /// From 1.
        line: usize,
    },
    /// Nothing in the list.
    #[error("openings: the list has no line; each line is a history or a position")]
    Empty,
}

impl Openings {
    /// Reads a list for `game`: a history, a score sheet or the text of a position on each line. Empty lines and lines that begin with
    /// `#` are skipped.
    ///
    /// # Errors
    /// Names the first line that is neither.
    pub fn list(game: &dyn AnyGame, text: &str) -> Result<Openings, OpeningError> {
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let openings = lines.map(|(line, text)| Opening::read(game, text, line)).collect::<Result<Vec<_>, _>>()?;
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(Openings::List(openings)) }
    }

    /// That these openings leave something to play in `game`.
    ///
    /// # Errors
    /// When random plies always end the game.
    pub fn check(&self, game: &dyn AnyGame, seed: u64) -> Result<(), OpeningError> {
        match *self {
            Openings::Random { plies } if draw(game, plies, 0, seed, MOST_DRAWS).is_none() => {
                Err(OpeningError::TooLong { game: game.spec().into(), plies })
            }
            _ => Ok(()),
        }
    }

    /// The opening of a round.
    pub fn opening(&self, game: &dyn AnyGame, round: u64, seed: u64) -> Opening {
        match self {
            Openings::Start => Opening::default(),
            // The first round has one. Where another round has none within many more draws, it has that one too.
            Openings::Random { plies } => draw(game, *plies, round, seed, MANY_DRAWS)
                .or_else(|| draw(game, *plies, 0, seed, MOST_DRAWS))
                .unwrap_or_default(),
            Openings::List(list) => list[(round % list.len() as u64) as usize].clone(),
        }
    }
}

fn draw(game: &dyn AnyGame, n_plies: usize, round: u64, seed: u64, most_draws: u64) -> Option<Opening> {
    (0..most_draws).find_map(|attempt| {
        let mut rng = stream(mix(mix(seed) ^ round), "opening", attempt);
        let mut current = game.new_match();
        for _ in 0..n_plies {
            match current.phase() {
                Phase::Over => return None,
                Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
                Phase::Act(seats) => {
                    let seat = seats.iter().nth(index(&mut rng, seats.len())).expect("one of them");
                    current.play_random(seat, &mut rng).expect("the seat is to act");
                }
            }
        }
        let plies = current.plies().iter().map(|ply| ply.token(Viewer::Referee)).collect();
        (current.phase() != Phase::Over).then_some(Opening { position: None, plies })
    })
}

impl Opening {
    fn read(game: &dyn AnyGame, text: &str, line: usize) -> Result<Opening, OpeningError> {
        let mut current = game.new_match();
        let opening = match score_sheet::play(&mut *current, text) {
            Ok(()) => Opening { position: None, plies: Vec::new() },
            Err(history) => {
                current = game.match_at(text).map_err(|position| OpeningError::NoOpening {
                    line,
                    text: text.into(),
                    game: game.spec().into(),
                    history: history.to_string(),
                    position: position.to_string(),
                })?;
                Opening { position: Some(text.into()), plies: Vec::new() }
            }
        };
        if current.seen_by().is_some() {
            return Err(OpeningError::Hidden { line });
        }
        match current.phase() {
            Phase::Over => Err(OpeningError::Over { line }),
            _ => {
                Ok(Opening { plies: current.plies().iter().map(|ply| ply.token(Viewer::Referee)).collect(), ..opening })
            }
        }
    }

    /// The game after the opening.
    ///
    /// # Panics
    /// When the opening is another game's.
    pub fn open(&self, game: &dyn AnyGame) -> Box<dyn AnyMatch> {
        let mut current = match &self.position {
            None => game.new_match(),
            Some(text) => game.match_at(text).expect("openings were checked when they were read"),
        };
        for token in &self.plies {
            current.play_token(token).expect("openings were checked when they were read");
        }
        current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str) -> std::sync::Arc<dyn AnyGame> {
        raichi_games::game(spec).unwrap()
    }

    #[test]
    fn a_drawn_opening_is_its_rounds_and_leaves_something_to_play() {
        let game = game("tic-tac-toe");
        let openings = Openings::Random { plies: 6 };
        openings.check(game.as_ref(), 1).unwrap();
        for round in 0..50 {
            let opening = openings.opening(game.as_ref(), round, 1);
            assert_eq!(opening.plies.len(), 6);
            assert_ne!(opening.open(game.as_ref()).phase(), Phase::Over);
            assert_eq!(opening, openings.opening(game.as_ref(), round, 1));
        }
        assert_ne!(openings.opening(game.as_ref(), 0, 1), openings.opening(game.as_ref(), 1, 1));
        let error = Openings::Random { plies: 10 }.check(game.as_ref(), 1).unwrap_err().to_string();
        assert!(error.contains("10 random plies always end the game"), "{error}");
    }

    #[test]
    fn an_opening_that_is_seldom_drawn_is_found_in_every_round() {
        // Five plies that take one at a time are drawn once in some thousand times.
        let game = game("nim:heaps=1,size=6");
        let openings = Openings::Random { plies: 5 };
        openings.check(game.as_ref(), 1).unwrap();
        for round in 0..40 {
            assert_eq!(openings.opening(game.as_ref(), round, 1).plies.len(), 5, "{round}");
        }
    }

    #[test]
    fn a_list_has_histories_and_positions() {
        let game = game("tic-tac-toe");
        let list = "# corners\nb2 a1\n\nX1O/3/2X 1\n";
        let Openings::List(list) = Openings::list(game.as_ref(), list).unwrap() else { panic!("it is a list") };
        assert_eq!(list[0], Opening { position: None, plies: vec!["b2".into(), "a1".into()] });
        assert_eq!(list[1].position.as_deref(), Some("X1O/3/2X 1"));
        for (text, says) in [
            ("b2\nb2 b2", "line 2: `b2 b2` is no history of tic-tac-toe"),
            ("a1 a2 b1 b2 c1", "line 1: the game is over there"),
            ("# nothing\n", "the list has no line"),
        ] {
            let error = Openings::list(game.as_ref(), text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
