//! The one form of a game with its types erased: for tables, matches, the command and every other edge.
//!
//! Hot loops stay generic; [`GameVisitor`] is the way back from a registry to a concrete type.

use std::any::Any;
use std::sync::Arc;

use crate::capped::Capped;
use crate::game::{Facts, Payoffs, Phase};
use crate::history::{HistoryError, Match, PlayError, Ply};
use crate::information::Information;
use crate::notation::Notation;
use crate::params::{ParamSpec, Params, SpecError};
use crate::picture::{Picture, Sketch, Touch, View};
use crate::random::Rng;
use crate::seat::{Seat, Viewer};

/// All that a game of the collection is.
pub trait Playable: Information + Notation + View {}
impl<G: Information + Notation + View> Playable for G {}

/// Something to be done with a game of any type.
pub trait GameVisitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<G: Playable>(self, game: G, spec: &str) -> Self::Output;
}

/// What comes of a spec.
pub type CreateResult = Result<Arc<dyn AnyGame>, SpecError>;

/// A line of the registry: one game, its parameters still open.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The id used in specs.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// One sentence about it.
    pub blurb: &'static str,
    /// The rules for players, in Markdown.
    pub rules: &'static str,
    /// The declared parameters, `max-plies` last.
    pub params: fn() -> Vec<ParamSpec>,
    /// The game with the parameters behind the colon of a spec.
    pub create: fn(Option<&str>) -> CreateResult,
}

impl Entry {
    /// The entry of a game, its cap included.
    pub const fn of<G: Playable>() -> Entry {
        Entry {
            id: G::ID,
            name: G::NAME,
            blurb: G::BLURB,
            rules: G::RULES,
            params: <Capped<G> as Notation>::params,
            create: |params| {
                let (game, spec) = create::<Capped<G>>(params)?;
                Ok(Arc::new(Erased { game, spec }))
            },
        }
    }
}

/// The game named by the parameters behind the colon of a spec, and its canonical spec.
///
/// # Errors
/// Names the parameter that is wrong and what is allowed.
pub fn create<G: Playable>(params: Option<&str>) -> Result<(G, String), SpecError> {
    let mut params = Params::parse(G::ID, G::params(), params)?;
    let game = G::from_params(&mut params)?;
    let spec = params.canonical(G::ID);
    Ok((game, spec))
}

/// The id of a spec, and what stands behind its colon.
pub fn split_spec(spec: &str) -> (&str, Option<&str>) {
    spec.split_once(':').map_or((spec, None), |(id, params)| (id, Some(params)))
}

/// A game whose type is not known here.
pub trait AnyGame: Send + Sync {
    /// The id used in specs.
    fn id(&self) -> &'static str;
    /// The name for people.
    fn name(&self) -> &'static str;
    /// The canonical spec, parameters included.
    fn spec(&self) -> &str;
    /// What agents need to know.
    fn facts(&self) -> Facts;
    /// What a seat is called.
    fn seat_name(&self, seat: Seat) -> String;
    /// The game before its first ply.
    fn new_match(&self) -> Box<dyn AnyMatch>;
}

struct Erased<G> {
    game: G,
    spec: String,
}

impl<G: Playable> AnyGame for Erased<G> {
    fn id(&self) -> &'static str {
        G::ID
    }
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn spec(&self) -> &str {
        &self.spec
    }
    fn facts(&self) -> Facts {
        self.game.facts()
    }
    fn seat_name(&self, seat: Seat) -> String {
        self.game.seat_name(seat)
    }
    fn new_match(&self) -> Box<dyn AnyMatch> {
        Box::new(Match::new(self.game.clone()))
    }
}

/// A game in progress whose type is not known here; see [`Match`], whose methods these are.
pub trait AnyMatch: Send + Sync {
    /// What agents need to know.
    fn facts(&self) -> Facts;
    /// Who acts now.
    fn phase(&self) -> Phase;
    /// The canonical texts of a seat's legal actions, sorted bytewise; empty when it is not to act.
    fn legal(&self, seat: Seat) -> Vec<String>;
    /// The canonical texts of the possible outcomes with their weights, sorted bytewise; empty when chance is not to act.
    fn outcomes(&self) -> Vec<(String, u64)>;
    /// Plays an action given as text; answers its canonical text.
    ///
    /// # Errors
    /// Says why it was refused; nothing has changed then.
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, PlayError>;
    /// Plays one token of a history.
    ///
    /// # Errors
    /// Says why it was refused; nothing has changed then.
    fn play_token(&mut self, token: &str) -> Result<(), PlayError>;
    /// Plays a history.
    ///
    /// # Errors
    /// Names the first ply that is refused; those before it have been played.
    fn play_history(&mut self, history: &str) -> Result<(), HistoryError>;
    /// Draws an outcome by weight and lets it happen; answers its text.
    ///
    /// # Errors
    /// When chance is not to act.
    fn sample_outcome(&mut self, rng: &mut dyn Rng) -> Result<String, PlayError>;
    /// The plies so far.
    fn plies(&self) -> &[Ply];
    /// Takes back plies until `n_plies` are left.
    fn truncate(&mut self, n_plies: usize);
    /// What each seat gets, or would if play were broken off here.
    fn payoffs(&self) -> Payoffs;
    /// Why the game is over; `None` while it is not.
    fn end_reason(&self) -> Option<&'static str>;
    /// The position as `viewer` may see it.
    fn picture(&self, viewer: Viewer) -> Picture;
    /// The position after the first `n_plies` plies as `viewer` may see it.
    fn picture_after(&self, n_plies: usize, viewer: Viewer) -> Picture;
    /// For each legal action of `seat` what is touched to choose it, in the order of [`AnyMatch::legal`].
    fn touches(&self, seat: Seat) -> Vec<Touch>;
    /// Whether touches of `id` and of other such ids, where they follow one another, may come in any order.
    fn any_order(&self, id: &str) -> bool;
    /// A sentence on the choice that `seat` has half made by touching `touched`, the beginning of a legal action's path.
    fn caption(&self, seat: Seat, touched: &[String]) -> Option<String>;
    /// The position as text.
    fn sketch(&self, viewer: Viewer) -> Sketch;
    /// A copy to try things on.
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
    /// The [`Match`] itself, for whoever knows the type.
    fn as_any(&self) -> &dyn Any;

    /// The history as `viewer` saw it: tokens with spaces between them.
    fn history(&self, viewer: Viewer) -> String {
        self.plies().iter().map(|ply| ply.token(viewer)).collect::<Vec<_>>().join(" ")
    }

    /// What to highlight: the last action and the outcomes since, as far as `viewer` saw them.
    fn last_marks(&self, viewer: Viewer) -> Vec<String> {
        marks_of_last(self.plies(), viewer)
    }
}

/// What to highlight after `plies`: the last action and the outcomes since, as far as `viewer` saw them.
pub fn marks_of_last(plies: &[Ply], viewer: Viewer) -> Vec<String> {
    let last_action = plies.iter().rposition(|ply| ply.by != crate::history::By::Chance).unwrap_or(0);
    let seen = plies[last_action.min(plies.len())..].iter().filter(|ply| ply.seen_by(viewer));
    seen.flat_map(|ply| ply.marks.iter().cloned()).collect()
}

impl<G: Playable> AnyMatch for Match<G> {
    fn facts(&self) -> Facts {
        self.game().facts()
    }
    fn phase(&self) -> Phase {
        self.phase()
    }
    fn legal(&self, seat: Seat) -> Vec<String> {
        let text = |action| self.game().action_text(self.state(), seat, action);
        let mut legal: Vec<String> = self.legal_actions(seat).into_iter().map(text).collect();
        legal.sort_unstable();
        legal
    }
    fn outcomes(&self) -> Vec<(String, u64)> {
        let mut outcomes = Vec::new();
        if self.phase() == Phase::Chance {
            self.game().outcomes(self.state(), &mut outcomes);
        }
        let text = |(outcome, weight)| (self.game().outcome_text(self.state(), outcome), weight);
        let mut outcomes: Vec<(String, u64)> = outcomes.into_iter().map(text).collect();
        outcomes.sort_unstable();
        outcomes
    }
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, PlayError> {
        self.play_text(seat, text).map(str::to_string)
    }
    fn play_token(&mut self, token: &str) -> Result<(), PlayError> {
        self.play_token(token)
    }
    fn play_history(&mut self, history: &str) -> Result<(), HistoryError> {
        self.play_history(history)
    }
    fn sample_outcome(&mut self, rng: &mut dyn Rng) -> Result<String, PlayError> {
        self.sample_outcome(rng).map(str::to_string)
    }
    fn plies(&self) -> &[Ply] {
        self.plies()
    }
    fn truncate(&mut self, n_plies: usize) {
        self.truncate(n_plies);
    }
    fn payoffs(&self) -> Payoffs {
        self.game().payoffs(self.state())
    }
    fn end_reason(&self) -> Option<&'static str> {
        (self.phase() == Phase::Over).then(|| self.game().end_reason(self.state()))
    }
    fn picture(&self, viewer: Viewer) -> Picture {
        self.game().picture(self.state(), viewer)
    }
    fn picture_after(&self, n_plies: usize, viewer: Viewer) -> Picture {
        self.game().picture(&self.state_after(n_plies), viewer)
    }
    fn touches(&self, seat: Seat) -> Vec<Touch> {
        let touch = |action| Touch {
            action: self.game().action_text(self.state(), seat, action),
            path: self.game().path(self.state(), seat, action),
        };
        let mut touches: Vec<Touch> = self.legal_actions(seat).into_iter().map(touch).collect();
        touches.sort_unstable_by(|a, b| a.action.cmp(&b.action));
        touches
    }
    fn any_order(&self, id: &str) -> bool {
        self.game().any_order(id)
    }
    fn caption(&self, seat: Seat, touched: &[String]) -> Option<String> {
        self.game().caption(self.state(), seat, touched)
    }
    fn sketch(&self, viewer: Viewer) -> Sketch {
        self.game().sketch(self.state(), viewer)
    }
    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Clone for Box<dyn AnyMatch> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
