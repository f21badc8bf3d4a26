//! Text in and out: `pass`, `bet`, and cards `~J`. Positions: see `one_card_poker`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{ACTIONS, Action, DECK, KuhnPoker, State};
use crate::cards::Card;
use crate::one_card_poker;

impl Action {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Action::Pass => "pass",
            Action::Bet => "bet",
        }
    }
}

impl Notation for KuhnPoker {
    const ID: &'static str = "kuhn-poker";
    const NAME: &'static str = "Kuhn Poker";
    const BLURB: &'static str = "Three cards, one bet: the smallest game in which bluffing is right.";
    const ALIASES: &'static [&'static str] = &[];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = one_card_poker::END_REASONS;

    fn params() -> Vec<ParamSpec> {
        Vec::new()
    }

    fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
        Ok(KuhnPoker)
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        state.end_text(ending)
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.text().into()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        let named = ACTIONS.into_iter().find(|action| action.text() == text);
        named.ok_or_else(|| ParseError::new(text, "pass or bet"))
    }

    fn position_text(&self, state: &State, viewer: Viewer) -> String {
        DECK.write_position(state, viewer)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        DECK.read_position(self, text)
    }
}

impl OutcomeText<KuhnPoker> for Card {
    fn text(self, _game: &KuhnPoker, _state: &State) -> String {
        format!("~{}", DECK.text(self))
    }

    fn parse(_game: &KuhnPoker, _state: &State, text: &str) -> Result<Card, ParseError> {
        let card = text.strip_prefix('~').and_then(|text| DECK.parse(text));
        card.ok_or_else(|| ParseError::new(text, format!("~ and a card: {}", DECK.in_words())))
    }
}
