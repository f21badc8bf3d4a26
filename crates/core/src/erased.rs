//! The one form of a game with its types erased: for tables, matches, the command and every other edge.
//!
//! Hot loops stay generic; [`GameVisitor`] is the way back from a registry to a concrete type.

use std::any::Any;
use std::sync::Arc;

use crate::chart::{Chart, Lettering};
use crate::drill::{self, Exercise};
use crate::encoding::{Encoding, Layout};
use crate::game::{Facts, Payoffs, Phase};
use crate::history::{HistoryError, Match, PlayError, Ply, SpectatorsView};
use crate::information::Information;
use crate::notation::Notation;
use crate::params::{ParamKind, ParamSpec, Params, SpecError};
use crate::path::PathGame;
use crate::picture::{Area, Picture, Sketch, Tone, Touch, View};
use crate::placement::Placements;
use crate::position::PositionError;
use crate::random::Rng;
use crate::seat::{Seat, Viewer};
use crate::verdict::{Called, Ending};

/// All that a game of the collection is.
pub trait Playable: Information + Notation + View + Encoding {}
impl<G: Information + Notation + View + Encoding> Playable for G {}

/// Something to be done with a game of any type.
pub trait GameVisitor {
    /// What it returns.
    type Output;
    /// Does it.
    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output;
}

/// The result of creating a game from a spec.
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
    /// Other names, for searching.
    pub aliases: &'static [&'static str],
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
            aliases: G::ALIASES,
            rules: G::RULES,
            params: params::<G>,
            create: |params| {
                let game = create::<G>(params)?;
                Ok(Arc::new(Erased { game: Arc::new(game) }))
            },
        }
    }
}

/// The parameters of a game, and last the cap that every game has.
pub fn params<G: Notation>() -> Vec<ParamSpec> {
    let cap = ParamSpec {
        name: "max-plies",
        kind: ParamKind::int(0, 1_000_000),
        default: Some(G::DEFAULT_MAX_PLIES),
        help: "The game is broken off after this many plies; 0 is never.",
    };
    G::params().into_iter().chain([cap]).collect()
}

/// The game named by the parameters behind the colon of a spec.
///
/// # Errors
/// Names the parameter that is wrong and what is allowed.
pub fn create<G: Playable>(text: Option<&str>) -> Result<PathGame<G>, SpecError> {
    let mut params = Params::parse(G::ID, params::<G>(), text)?;
    let game = G::from_params(&mut params)?;
    Ok(PathGame::new(game, params.int("max-plies") as u32).named(&params.canonical(G::ID)))
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
    /// The colour of a seat.
    fn seat_tone(&self, seat: Seat) -> Tone;
    /// What a seat is called within a sentence.
    fn seat_called(&self, seat: Seat) -> Called;
    /// Tables that are of use beside the board; see [`View::charts`].
    fn charts(&self) -> Vec<Chart>;
    /// Ways of writing what stands on the pieces; see [`View::letterings`].
    fn letterings(&self) -> Vec<Lettering>;
    /// What may be put where; see [`View::placements`].
    fn placements(&self) -> Option<Placements>;
    /// Boards to play on with real pieces; see [`View::sheets`].
    fn sheets(&self) -> Vec<Area>;
    /// Question number `number`, from 0, of the drill with this seed; `None` where the game has no drill.
    fn exercise(&self, seed: u64, number: usize) -> Option<Exercise>;
    /// What an observation is made of.
    fn layout(&self) -> Layout;
    /// How many action numbers there are.
    fn n_actions(&self) -> u64;
    /// See [`Notation::normal_form`].
    fn normal_form(&self, plies: &[&str]) -> Vec<String>;
    /// The game before its first ply.
    fn new_match(&self) -> Box<dyn AnyMatch>;
    /// A game that begins with the position that `text` describes.
    ///
    /// # Errors
    /// Names the place in the text, and what would have been right there.
    fn match_at(&self, text: &str) -> Result<Box<dyn AnyMatch>, PositionError>;
    /// The `Arc<PathGame<G>>` itself, for code that knows the type.
    fn as_any(&self) -> &dyn Any;
}

struct Erased<G> {
    game: Arc<PathGame<G>>,
}

impl<G: Playable> AnyGame for Erased<G> {
    fn id(&self) -> &'static str {
        G::ID
    }
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn spec(&self) -> &str {
        self.game.spec()
    }
    fn facts(&self) -> Facts {
        self.game.facts()
    }
    fn seat_name(&self, seat: Seat) -> String {
        self.game.seat_name(seat)
    }
    fn seat_tone(&self, seat: Seat) -> Tone {
        self.game.seat_tone(seat)
    }
    fn seat_called(&self, seat: Seat) -> Called {
        self.game.seat_called(seat)
    }
    fn charts(&self) -> Vec<Chart> {
        self.game.charts()
    }
    fn letterings(&self) -> Vec<Lettering> {
        self.game.letterings()
    }
    fn placements(&self) -> Option<Placements> {
        self.game.placements()
    }
    fn sheets(&self) -> Vec<Area> {
        self.game.sheets()
    }
    fn exercise(&self, seed: u64, number: usize) -> Option<Exercise> {
        self.game.exercise(drill::level(number), &mut drill::questions(seed, number))
    }
    fn layout(&self) -> Layout {
        self.game.layout()
    }
    fn normal_form(&self, plies: &[&str]) -> Vec<String> {
        self.game.game().normal_form(plies)
    }
    fn n_actions(&self) -> u64 {
        self.game.n_actions()
    }
    fn new_match(&self) -> Box<dyn AnyMatch> {
        Box::new(Match::of(Arc::clone(&self.game)))
    }
    fn match_at(&self, text: &str) -> Result<Box<dyn AnyMatch>, PositionError> {
        let position = self.game.parse_position(text)?;
        Ok(Box::new(Match::from_position(Arc::clone(&self.game), position)))
    }
    fn as_any(&self) -> &dyn Any {
        &self.game
    }
}

/// A game in progress whose type is not known here; see [`Match`], whose methods these are.
pub trait AnyMatch: Send + Sync {
    /// The canonical spec of the game.
    fn spec(&self) -> &str;
    /// What agents need to know.
    fn facts(&self) -> Facts;
    /// Who acts now.
    fn phase(&self) -> Phase;
    /// The canonical texts of a seat's legal actions, sorted bytewise; empty when it is not to act.
    fn legal(&self, seat: Seat) -> Vec<String>;
    /// How many actions a seat may choose; 0 when it is not to act.
    fn count_actions(&self, seat: Seat) -> usize;
    /// The canonical texts of the outcomes that `viewer` can expect, with their weights, sorted bytewise; empty when chance
    /// is not to act. The referee gets those that can happen.
    fn outcomes(&self, viewer: Viewer) -> Vec<(String, u64)>;
    /// Plays an action given as text; returns its canonical text.
    ///
    /// # Errors
    /// Says why it was refused; nothing has changed then.
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, PlayError>;
    /// Plays a uniformly random legal action of `seat`.
    ///
    /// # Errors
    /// When the seat is not to act.
    fn play_random(&mut self, seat: Seat, rng: &mut dyn Rng) -> Result<(), PlayError>;
    /// The canonical text of a uniformly random legal action of `seat`.
    ///
    /// # Errors
    /// When the seat is not to act.
    fn random_action(&self, seat: Seat, rng: &mut dyn Rng) -> Result<String, PlayError>;
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
    /// Draws an outcome by weight and lets it happen.
    ///
    /// # Errors
    /// When chance is not to act.
    fn sample_outcome(&mut self, rng: &mut dyn Rng) -> Result<(), PlayError>;
    /// Draws what the text of the start hid; see [`Match::draw_hidden`].
    ///
    /// # Errors
    /// When the text was a spectator's.
    fn draw_hidden(&mut self, rng: &mut dyn Rng) -> Result<(), SpectatorsView>;
    /// Whose view the start is; see [`Match::seen_by`].
    fn seen_by(&self) -> Option<Viewer>;
    /// How many plies there were.
    fn n_plies(&self) -> usize;
    /// The plies so far.
    fn plies(&self) -> &[Ply];
    /// Takes back plies until `n_plies` are left.
    fn truncate(&mut self, n_plies: usize);
    /// What each seat gets, or would if play were broken off here.
    fn payoffs(&self) -> Payoffs;
    /// Why the game is over; `None` while it is not.
    fn end_reason(&self) -> Option<&'static str>;
    /// How the game ended, in words; see [`Notation::end_text`] and [`crate::verdict::sentence`].
    fn end_text(&self, ending: &Ending<'_>) -> String;
    /// The position as `viewer` may see it.
    fn picture(&self, viewer: Viewer) -> Picture;
    /// The position after the first `n_plies` plies as `viewer` may see it.
    fn picture_after(&self, n_plies: usize, viewer: Viewer) -> Picture;
    /// For each legal action of `seat` what is touched to choose it, in the order of [`AnyMatch::legal`].
    fn touches(&self, seat: Seat) -> Vec<Touch>;
    /// The canonical texts of those legal actions of `seat` that lose at once; see [`Match::losing_actions`].
    fn losing(&self, seat: Seat) -> Vec<String>;
    /// Whether touches of `id` and of other such ids, where they follow one another, may come in any order.
    fn any_order(&self, id: &str) -> bool;
    /// A sentence on the choice that `seat` has half made by touching `touched`, the beginning of a legal action's path.
    fn caption(&self, seat: Seat, touched: &[String]) -> Option<String>;
    /// Which rule forbids what `seat` is meant to choose by `touched`; see [`Match::why_not`].
    fn why_not(&self, seat: Seat, touched: &[String]) -> Option<String>;
    /// The position as text for a terminal, in the seats' own colours.
    fn sketch(&self, viewer: Viewer) -> Sketch;
    /// The position as one line of text.
    fn position_text(&self, viewer: Viewer) -> String;
    /// The position after the first `n_plies` plies as one line of text.
    fn position_text_after(&self, n_plies: usize, viewer: Viewer) -> String;
    /// See [`View::reached`].
    fn reached(&self) -> Option<(&'static str, u64)>;
    /// All that `seat` has seen and done, in order; see [`Match::information_state`].
    fn information_state(&self, seat: Seat) -> String;
    /// What `seat` sees as numbers, into a buffer as long as the game's [`Layout`].
    fn observe(&self, seat: Seat, observation: &mut [i32]);
    /// The numbers of a seat's legal actions, rising; empty when it is not to act.
    fn legal_numbers(&self, seat: Seat) -> Vec<u64>;
    /// The same with the action's text behind each.
    fn numbered_actions(&self, seat: Seat) -> Vec<(u64, String)>;
    /// A copy to try things on.
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
    /// The [`Match`] itself, for code that knows the type.
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

/// What to highlight after `plies`: the last action and the outcomes since, as far as `viewer` saw them. Where a round has begun
/// since, what chance brought before that lies on the table no more.
pub fn marks_of_last(plies: &[Ply], viewer: Viewer) -> Vec<String> {
    let last_action = plies.iter().rposition(|ply| ply.by != crate::history::By::Chance).unwrap_or(0);
    let round = plies.iter().rposition(|ply| ply.begins.is_some()).unwrap_or(0);
    let since = plies.iter().enumerate().skip(last_action).filter(|(n, _)| *n == last_action || *n >= round);
    let seen = since.filter(|(_, ply)| ply.seen_by(viewer));
    seen.flat_map(|(_, ply)| ply.marks.iter().cloned()).collect()
}

/// Compiled once, not for each game.
fn sort_by_action(touches: &mut [Touch]) {
    touches.sort_unstable_by(|a, b| a.action.cmp(&b.action));
}

impl<G: Playable> Match<G> {
    fn may_act(&self, seat: Seat) -> bool {
        matches!(self.phase(), Phase::Act(seats) if seats.contains(seat))
    }
}

impl<G: Playable> AnyMatch for Match<G> {
    fn spec(&self) -> &str {
        self.game().spec()
    }
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
    fn count_actions(&self, seat: Seat) -> usize {
        if self.may_act(seat) { self.game().count_actions(self.state(), seat, &mut Vec::new()) } else { 0 }
    }
    fn outcomes(&self, viewer: Viewer) -> Vec<(String, u64)> {
        let outcomes = self.outcomes(viewer);
        let text = |(outcome, weight)| (self.game().outcome_text(self.state(), outcome), weight);
        let mut outcomes: Vec<(String, u64)> = outcomes.into_iter().map(text).collect();
        outcomes.sort_unstable();
        outcomes
    }
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, PlayError> {
        self.play_text(seat, text)
    }
    fn play_random(&mut self, seat: Seat, rng: &mut dyn Rng) -> Result<(), PlayError> {
        self.play_random(seat, &mut Vec::new(), rng)
    }
    fn random_action(&self, seat: Seat, rng: &mut dyn Rng) -> Result<String, PlayError> {
        self.check_turn(seat)?;
        let action = self.game().random_action(self.state(), seat, &mut Vec::new(), rng);
        Ok(self.game().action_text(self.state(), seat, action))
    }
    fn play_token(&mut self, token: &str) -> Result<(), PlayError> {
        self.play_token(token)
    }
    fn play_history(&mut self, history: &str) -> Result<(), HistoryError> {
        self.play_history(history)
    }
    fn sample_outcome(&mut self, rng: &mut dyn Rng) -> Result<(), PlayError> {
        self.sample_outcome(rng)
    }
    fn draw_hidden(&mut self, rng: &mut dyn Rng) -> Result<(), SpectatorsView> {
        self.draw_hidden(rng)
    }
    fn seen_by(&self) -> Option<Viewer> {
        self.seen_by()
    }
    fn n_plies(&self) -> usize {
        self.n_plies()
    }
    fn plies(&self) -> &[Ply] {
        self.plies()
    }
    fn truncate(&mut self, n_plies: usize) {
        self.truncate(n_plies);
    }
    fn payoffs(&self) -> Payoffs {
        self.payoffs()
    }
    fn end_reason(&self) -> Option<&'static str> {
        self.end_reason()
    }
    fn end_text(&self, ending: &Ending<'_>) -> String {
        let ending = Ending { max_plies: self.game().max_plies(), ..*ending };
        self.game().end_text(self.state(), &ending)
    }
    fn picture(&self, viewer: Viewer) -> Picture {
        self.picture(viewer)
    }
    fn picture_after(&self, n_plies: usize, viewer: Viewer) -> Picture {
        self.picture_after(n_plies, viewer)
    }
    fn touches(&self, seat: Seat) -> Vec<Touch> {
        let touch = |action| Touch {
            action: self.game().action_text(self.state(), seat, action),
            path: self.game().path(self.state(), seat, action),
        };
        let mut touches: Vec<Touch> = self.legal_actions(seat).into_iter().map(touch).collect();
        sort_by_action(&mut touches);
        touches
    }
    fn losing(&self, seat: Seat) -> Vec<String> {
        let text = |action| self.game().action_text(self.state(), seat, action);
        self.losing_actions(seat).into_iter().map(text).collect()
    }
    fn any_order(&self, id: &str) -> bool {
        self.game().any_order(id)
    }
    fn caption(&self, seat: Seat, touched: &[String]) -> Option<String> {
        self.game().caption(self.state(), seat, touched)
    }
    fn why_not(&self, seat: Seat, touched: &[String]) -> Option<String> {
        self.why_not(seat, touched)
    }
    fn sketch(&self, viewer: Viewer) -> Sketch {
        self.sketch(viewer).with_seat_tones(|seat| self.game().seat_tone(seat))
    }
    fn position_text(&self, viewer: Viewer) -> String {
        self.position_text(viewer)
    }
    fn position_text_after(&self, n_plies: usize, viewer: Viewer) -> String {
        self.position_text_after(n_plies, viewer)
    }
    fn reached(&self) -> Option<(&'static str, u64)> {
        self.game().game().reached(self.state().position())
    }
    fn information_state(&self, seat: Seat) -> String {
        self.information_state(seat)
    }
    fn observe(&self, seat: Seat, observation: &mut [i32]) {
        self.game().observe(self.state(), seat, observation);
    }
    fn legal_numbers(&self, seat: Seat) -> Vec<u64> {
        let number = |action| self.game().action_number(action);
        let mut numbers: Vec<u64> = self.legal_actions(seat).into_iter().map(number).collect();
        numbers.sort_unstable();
        numbers
    }
    fn numbered_actions(&self, seat: Seat) -> Vec<(u64, String)> {
        let numbered =
            |action| (self.game().action_number(action), self.game().action_text(self.state(), seat, action));
        let mut numbers: Vec<(u64, String)> = self.legal_actions(seat).into_iter().map(numbered).collect();
        numbers.sort_unstable();
        numbers
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
