//! Text in and out: `fold`, `check`, `bet`, `call`, `raise`, `all-in`, and cards `~As`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{MAX_SEATS, Seat, Viewer};
use raichi_core::verdict::{Ending, counted};

use super::rules::{ACTIONS, Action, HeadsUp, Poker, State, Turn};
use crate::cards::Card;
use crate::chips;

const MAX_CHIPS: u64 = 1_000_000;

impl Action {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Action::Fold => "fold",
            Action::Check => "check",
            Action::Bet => "bet",
            Action::Call => "call",
            Action::Raise => "raise",
            Action::AllIn => "all-in",
        }
    }
}

impl Notation for Poker {
    const ID: &'static str = "poker";
    const NAME: &'static str = "Poker";
    const BLURB: &'static str =
        "Texas hold'em: two cards that only you know, five that all share, and every chip at risk.";
    const ALIASES: &'static [&'static str] = &["Texas hold'em", "hold 'em", "holdem"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["last-standing", "rounds"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "players",
                kind: ParamKind::int(2, MAX_SEATS as u64),
                default: Some("2"),
                help: "How many sit at the table.",
            },
            ParamSpec {
                name: "chips",
                kind: ParamKind::int(2, MAX_CHIPS),
                default: Some("100"),
                help: "What everybody starts with, at least the blind.",
            },
            ParamSpec {
                name: "blind",
                kind: ParamKind::Int { min: 2, max: 100_000, step: 2 },
                default: Some("10"),
                help: "The big blind and the step of every bet; the small blind is half.",
            },
            ParamSpec {
                name: "rounds",
                kind: ParamKind::int(0, 100_000),
                default: Some("0"),
                help: "The most rounds played; 0 plays on until one seat has all the chips.",
            },
            ParamSpec {
                name: "heads-up",
                kind: ParamKind::Choice { options: &["source", "casino"] },
                default: Some("source"),
                help: "With two seats left the dealer posts the big blind (source) or the small one (casino).",
            },
            ParamSpec {
                name: "rise",
                kind: ParamKind::int(0, 1000),
                default: Some("0"),
                help: "The blind doubles after every so many rounds, up to all the chips there are; 0 never.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let (chips, blind) = (params.int("chips"), params.int("blind"));
        if chips < blind {
            let why = format!("with blind={blind}, chips is a whole number from {blind} to {MAX_CHIPS}");
            return Err(SpecError::conflict("chips", chips, why));
        }
        let n_seats = params.int("players") as usize;
        Ok(Poker {
            n_seats,
            chips: chips as u32,
            blind: blind as u32,
            rounds: params.int("rounds") as u32,
            heads_up: if params.choice("heads-up") == "casino" { HeadsUp::Casino } else { HeadsUp::Source },
            rise: params.int("rise") as u32,
            most_doublings: (n_seats as u64 * chips / blind).ilog2(),
        })
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "last-standing" => {
                let winner = ending.winners()[0];
                format!("{} {} all the chips", ending.names.subject(winner), ending.names.verb(winner, "take", "takes"))
            }
            "rounds" => {
                format!("{} in {}", chips::result(ending), counted(self.rounds.into(), "round", "rounds"))
            }
            _ => format!("{}: {}", chips::result(ending), ending.common_reason()),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.text().into()
    }

    // One effect has one canonical text: a word that needs more chips than the seat has means all of them.
    fn parse_action(&self, state: &State, seat: Seat, text: &str) -> Result<Action, ParseError> {
        let named = ACTIONS.into_iter().find(|action| action.text() == text);
        let action = named.ok_or_else(|| ParseError::new(text, "fold, check, bet, call, raise or all-in"))?;
        let has_its_occasion = match action {
            Action::Bet => state.bet == 0,
            Action::Call => state.owe(seat) > 0,
            Action::Raise => state.bet > 0,
            Action::Fold | Action::Check | Action::AllIn => false,
        };
        let to_act = state.turn == Turn::Act(seat as u8);
        let takes_all = to_act && has_its_occasion && self.price(state, seat, action) >= state.stacks[seat];
        Ok(if takes_all { Action::AllIn } else { action })
    }

    fn position_text(&self, state: &State, viewer: Viewer) -> String {
        self.write_position(state, viewer)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        self.read_position(text)
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        match action {
            Action::Check => format!("there is a bet, and {} more chips are needed to match it", state.owe(seat)),
            Action::Bet => format!("there is a bet of {} already: call it or raise it", state.bet),
            Action::Call => "there is nothing to match: check instead".into(),
            Action::Raise => "there is no bet to raise: bet instead".into(),
            Action::Fold | Action::AllIn => "that is not one of the legal actions here".into(),
        }
    }
}

impl OutcomeText<Poker> for Card {
    fn text(self, _game: &Poker, _state: &State) -> String {
        format!("~{self}")
    }

    fn parse(_game: &Poker, _state: &State, text: &str) -> Result<Card, ParseError> {
        let card = text.strip_prefix('~').and_then(Card::parse);
        card.ok_or_else(|| {
            ParseError::new(text, "~ and a card: a rank of 23456789TJQKA, then a suit of cdhs, such as ~As")
        })
    }
}
