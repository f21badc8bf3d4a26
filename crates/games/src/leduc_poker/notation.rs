//! Text in and out: `fold`, `call`, `raise`, and cards `~Js`. Positions: see `one_card_poker`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{ACTIONS, Action, DECK, LeducPoker, State};
use crate::cards::Card;
use crate::one_card_poker;

impl Action {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Action::Fold => "fold",
            Action::Call => "call",
            Action::Raise => "raise",
        }
    }
}

impl Notation for LeducPoker {
    const ID: &'static str = "leduc-poker";
    const NAME: &'static str = "Leduc Poker";
    const BLURB: &'static str =
        "Six cards, two rounds of betting, and a public card that turns a jack into the best hand.";
    const ALIASES: &'static [&'static str] = &["Leduc hold'em"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = one_card_poker::END_REASONS;

    fn params() -> Vec<ParamSpec> {
        Vec::new()
    }

    fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
        Ok(LeducPoker)
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        state.end_text(ending)
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.text().into()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        let named = ACTIONS.into_iter().find(|action| action.text() == text);
        named.ok_or_else(|| ParseError::new(text, "fold, call or raise"))
    }

    fn position_text(&self, state: &State, viewer: Viewer) -> String {
        DECK.write_position(state, viewer)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        DECK.read_position(self, text)
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Fold => "there is no bet to give in to: call is the check".into(),
            _ => "there were two raises in this round already: call or fold".into(),
        }
    }
}

impl OutcomeText<LeducPoker> for Card {
    fn text(self, _game: &LeducPoker, _state: &State) -> String {
        format!("~{}", DECK.text(self))
    }

    fn parse(_game: &LeducPoker, _state: &State, text: &str) -> Result<Card, ParseError> {
        let card = text.strip_prefix('~').and_then(|text| DECK.parse(text));
        card.ok_or_else(|| ParseError::new(text, format!("~ and a card: {}", DECK.in_words())))
    }
}
