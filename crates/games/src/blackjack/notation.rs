//! Text in and out: `bet-10`, `insurance`, `no-insurance`, `stand`, `hit`, `double`, `split`, `surrender`, and cards `~7h`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Ending, counted};

use super::house::{House, Insurance, Natural};
use super::rules::{Action, Blackjack, MAX_PLAYERS, State, Turn};
use crate::cards::Card;
use crate::chips;

const MAX_CHIPS: u64 = 1_000_000;
const MAX_BETS: usize = 100;

/// All actions but bets.
pub(super) const WORDS: [(&str, Action); 7] = [
    ("insurance", Action::Insurance),
    ("no-insurance", Action::NoInsurance),
    ("stand", Action::Stand),
    ("hit", Action::Hit),
    ("double", Action::Double),
    ("split", Action::Split),
    ("surrender", Action::Surrender),
];

impl Action {
    pub(super) fn text(self) -> String {
        match self {
            Action::Bet(wager) => format!("bet-{wager}"),
            _ => WORDS.iter().find(|&&(_, action)| action == self).map_or("", |&(word, _)| word).into(),
        }
    }

    fn parse(text: &str) -> Option<Action> {
        if let Some(wager) = text.strip_prefix("bet-") {
            let canonical = !wager.starts_with('0') && wager.bytes().all(|b| b.is_ascii_digit());
            return wager.parse().ok().filter(|_| canonical).map(Action::Bet);
        }
        WORDS.iter().find(|&&(word, _)| word == text).map(|&(_, action)| action)
    }
}

impl Notation for Blackjack {
    const ID: &'static str = "blackjack";
    const NAME: &'static str = "Blackjack";
    const BLURB: &'static str = "Closer to 21 than the dealer, and never beyond: draw, stand, double or split.";
    const ALIASES: &'static [&'static str] = &["twenty-one", "21", "vingt-et-un", "pontoon"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["rounds", "broke"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "players",
                kind: ParamKind::int(1, MAX_PLAYERS as u64),
                default: Some("1"),
                help: "How many play against the dealer, each for themselves.",
            },
            ParamSpec {
                name: "chips",
                kind: ParamKind::int(2, MAX_CHIPS),
                default: Some("200"),
                help: "What everybody starts with, at least the smallest wager.",
            },
            ParamSpec {
                name: "bets",
                kind: ParamKind::List { min_len: 1, max_len: MAX_BETS, min: 2, max: MAX_CHIPS },
                default: Some("10"),
                help: "The wagers there are: even numbers in rising order.",
            },
            ParamSpec {
                name: "rounds",
                kind: ParamKind::int(1, 1000),
                default: Some("15"),
                help: "How many rounds are played.",
            },
            ParamSpec {
                name: "decks",
                kind: ParamKind::int(0, 8),
                default: Some("6"),
                help: "How many decks are shuffled together for a round; with 0 every card is put back.",
            },
            ParamSpec {
                name: "soft17",
                kind: ParamKind::Choice { options: &["stand", "hit"] },
                default: Some("stand"),
                help: "What the dealer does on a 17 that counts an ace as eleven.",
            },
            ParamSpec {
                name: "insurance",
                kind: ParamKind::Choice { options: &["full", "half", "none"] },
                default: Some("full"),
                help: "Insurance costs the whole wager, or half of it, or is not offered.",
            },
            ParamSpec {
                name: "natural",
                kind: ParamKind::Choice { options: &["3:2", "6:5"] },
                default: Some("3:2"),
                help: "What a natural pays; with 6:5 all wagers are divisible by 10.",
            },
            ParamSpec {
                name: "peek",
                kind: ParamKind::Bool,
                default: Some("true"),
                help: "With an ace or a ten-value card the dealer looks for a natural first; else at the end, and a natural \
                       then takes doubled and split wagers too.",
            },
            ParamSpec {
                name: "double-after-split",
                kind: ParamKind::Bool,
                default: Some("true"),
                help: "Hands that came from a split may be doubled.",
            },
            ParamSpec {
                name: "surrender",
                kind: ParamKind::Bool,
                default: Some("true"),
                help: "A hand may be given up for half its wager.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let (chips, bets) = (params.int("chips"), params.list("bets").expect("bets have a default").to_vec());
        let even = bets.iter().all(|bet| bet.is_multiple_of(2));
        if !even || !bets.is_sorted_by(|one, next| one < next) {
            let value = bets.iter().map(u64::to_string).collect::<Vec<_>>().join("/");
            return Err(SpecError::conflict("bets", value, "bets are even numbers in rising order"));
        }
        let house = House {
            hits_soft_17: params.choice("soft17") == "hit",
            insurance: match params.choice("insurance") {
                "half" => Insurance::Half,
                "none" => Insurance::None,
                _ => Insurance::Full,
            },
            natural: if params.choice("natural") == "6:5" { Natural::SixToFive } else { Natural::ThreeToTwo },
            peeks: params.bool("peek"),
            doubles_splits: params.bool("double-after-split"),
            surrender: params.bool("surrender"),
        };
        if house.natural == Natural::SixToFive && !bets.iter().all(|bet| bet.is_multiple_of(10)) {
            let why = "6:5 is paid in whole chips, so all bets must be divisible by 10 then";
            return Err(SpecError::conflict("natural", "6:5", why));
        }
        if chips < bets[0] {
            let why = format!("with a smallest wager of {0}, chips is a whole number from {0} to {MAX_CHIPS}", bets[0]);
            return Err(SpecError::conflict("chips", chips, why));
        }
        Ok(Blackjack {
            n_seats: params.int("players") as usize,
            chips,
            bets: bets.into_iter().map(|bet| bet as u32).collect(),
            rounds: params.int("rounds") as u32,
            decks: params.int("decks") as u8,
            house,
        })
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        let result = chips::result(ending);
        match ending.reason {
            "rounds" => format!("{result} in {}", counted(self.rounds.into(), "round", "rounds")),
            "broke" if self.n_seats == 1 => {
                format!("{} lost all {} chips", ending.names.subject(0), ending.names.own(0))
            }
            "broke" => "the dealer has won everybody's chips".into(),
            _ => format!("{result}: {}", ending.common_reason()),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.text()
    }

    fn parse_action(&self, state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        Action::parse(text).ok_or_else(|| match state.turn {
            Turn::Bet(_) => ParseError::new(text, format!("bet- and a wager, such as bet-{}", self.bets[0])),
            Turn::Insurance(_) => ParseError::new(text, "insurance or no-insurance"),
            _ => ParseError::new(text, "stand, hit, double, split or surrender"),
        })
    }

    fn position_text(&self, state: &State, viewer: Viewer) -> String {
        self.write_position(state, viewer)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        self.read_position(text)
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        match (state.turn, action) {
            (Turn::Bet(_), Action::Bet(wager)) if self.bets.contains(&wager) => {
                format!("there are only {} chips to bet with", state.chips[seat])
            }
            (Turn::Bet(_), Action::Bet(_)) => {
                let bets = self.bets.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
                format!("the wagers here are {bets}")
            }
            (Turn::Bet(_), _) => "a wager is placed first".into(),
            (Turn::Insurance(_), _) => "the question is whether to take insurance".into(),
            (Turn::Play(hand), _) => self.why_no_play(state, hand, action),
            _ => "that is not one of the legal actions here".into(),
        }
    }
}

impl Blackjack {
    fn why_no_play(&self, state: &State, hand: u8, action: Action) -> String {
        let hand = &state.hands[usize::from(hand)];
        match action {
            Action::Surrender if !self.house.surrender => "surrender is not offered here".into(),
            Action::Surrender if hand.of_split => "a hand from a split cannot be surrendered".into(),
            Action::Double | Action::Split | Action::Surrender if hand.cards.len() > 2 => {
                "that takes a hand of two cards".into()
            }
            Action::Double if hand.of_split && !self.house.doubles_splits => {
                "a hand from a split cannot be doubled here".into()
            }
            Action::Split if !hand.is_pair() => "only two cards of the same rank are split".into(),
            Action::Double | Action::Split if state.chips[hand.seat()] < hand.wager.into() => {
                format!("it costs {} more chips", hand.wager)
            }
            Action::Split => "a seat may split three times a round".into(),
            Action::Bet(_) => "the wagers of this round are placed".into(),
            _ if self.house.insurance == Insurance::None => "insurance is not offered here".into(),
            _ => "insurance is offered before hands are played, when the dealer shows an ace".into(),
        }
    }
}

impl OutcomeText<Blackjack> for Card {
    fn text(self, _game: &Blackjack, _state: &State) -> String {
        format!("~{self}")
    }

    fn parse(_game: &Blackjack, _state: &State, text: &str) -> Result<Card, ParseError> {
        let card = text.strip_prefix('~').and_then(Card::parse);
        card.ok_or_else(|| {
            ParseError::new(text, "~ and a card: a rank of 23456789TJQKA, then a suit of cdhs, such as ~7h")
        })
    }
}
