//! Symmetric play in Focus under its name, for the second seat.

use std::sync::Arc;

use raichi_core::Notation;
use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::game::Choice;
use raichi_core::history::Match;
use raichi_core::path::PathGame;
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;
use raichi_engines::focus::mirror;
use raichi_games::focus::Focus;
use raichi_search::options::Options;
use raichi_search::{Advice, Budget, CancelFlag, Candidate, Certainty};

use crate::kind::{AgentError, AgentKind, PrepareResult};
use crate::of_one_game;
use crate::session::{Prepared, Session, check_turn};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "mirror",
    name: "Mirror",
    help: "Answers each move by the same move after half a turn of the board, c5-c4 by f4-f5, and never loses; for the second \
           seat of focus:rule=none.",
    bare: None,
    options: &[],
    seat: Some(SECOND),
    supports,
    instead: None,
    complete: |_| {},
    prepare,
};

/// The seat that has something to mirror.
const SECOND: Seat = 1;

fn supports(game: &dyn AnyGame) -> Result<(), String> {
    of_one_game::supports::<Focus>(game)?;
    let focus = game.as_any().downcast_ref::<Arc<PathGame<Focus>>>();
    focus.and_then(|game| mirror::refusal(game)).map_or(Ok(()), |why| Err(why.into()))
}

fn prepare(game: &Arc<dyn AnyGame>, _options: Options) -> PrepareResult {
    Ok(Arc::new(Mirror { game: game.spec().into() }))
}

struct Mirror {
    /// The game's spec.
    game: Arc<str>,
}

impl Prepared for Mirror {
    fn spec(&self) -> &str {
        KIND.id
    }

    fn check_seat(&self, seat: Seat) -> Result<(), AgentError> {
        if seat == SECOND {
            return Ok(());
        }
        let why = format!("it plays the second seat, {SECOND}; at seat {seat} there is no move to mirror");
        Err(AgentError::Refused { agent: KIND.id.into(), game: self.game.to_string(), why })
    }

    fn open(&self, _seed: u64) -> Box<dyn Session> {
        Box::new(Mirror { game: Arc::clone(&self.game) })
    }
}

/// What the last action becomes by half a turn, and what that is good for.
fn why(focus: &Match<Focus>, reply: &str) -> Reason {
    let last = focus.plies().last().map_or("the last move", |ply| ply.text.as_str());
    Reason::in_words(format!(
        "Half a turn of the board takes {last} to {reply}: each pile is answered by the one at its image, and after it half a turn \
         exchanges the colours again."
    ))
}

impl Session for Mirror {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, _limit: Budget) -> Result<Advice<String>, AgentError> {
        let of_this_game = current.as_any().downcast_ref::<Match<Focus>>().filter(|_| current.spec() == &*self.game);
        let focus = of_this_game.ok_or_else(|| AgentError::OtherGame {
            prepared_for: self.game.to_string(),
            game: current.spec().into(),
        })?;
        check_turn(current, seat)?;
        self.check_seat(seat)?;
        let last = match focus.choices().last() {
            Some(&Choice::Action(_, action)) => Some(action),
            _ => None,
        };
        let reply = mirror::reply(focus.game(), focus.state(), last).ok_or_else(|| AgentError::Refused {
            agent: KIND.id.into(),
            game: self.game.to_string(),
            why: "no move makes this position its own image after half a turn, as it must be from the first move on"
                .into(),
        })?;
        let action = focus.game().action_text(focus.state(), seat, reply);
        // A draw at least, for both while it is kept up.
        let known = Candidate {
            action: action.clone(),
            values: vec![0.0, 0.0],
            certainty: Certainty::LowerBound,
            visits: None,
            depth: None,
            plies: None,
        };
        let only = current.count_actions(seat) == 1;
        let why = last.filter(|last| last.half_turned() == reply).map(|_| why(focus, &action));
        Ok(Advice { candidates: vec![known], why, ..Advice::without_search(action, only) })
    }

    fn cancel_flag(&self) -> CancelFlag {
        CancelFlag::default()
    }
}
