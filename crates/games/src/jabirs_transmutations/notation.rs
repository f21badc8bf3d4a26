//! Text in and out: words joined by hyphens, `steal-1-tin`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Ending, counted};

use super::board::{Card, Event, Resource, TRANSMUTATIONS};
use super::position::write_position;
use super::rules::{Action, JabirsTransmutations, MAX_SAVED, N_SEATS, Outcome, Stage, State};

/// The seats are called by the colours of their tokens.
pub(super) const SEAT_NAMES: [&str; N_SEATS] = ["Blue", "Green", "Red"];

impl Notation for JabirsTransmutations {
    const ID: &'static str = "jabirs-transmutations";
    const NAME: &'static str = "Jabir's Transmutations";
    const BLURB: &'static str = "Three alchemists draft fire, water and ores, and test twelve recipes for gold.";
    const ALIASES: &'static [&'static str] = &["alchemy", "Jabir"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["seventeen", "rounds"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "eureka",
                kind: ParamKind::Choice { options: &["chooser", "all"] },
                default: Some("chooser"),
                help: "Who gains the elixir of an eureka: the seat that chooses it, or all.",
            },
            ParamSpec {
                name: "max-rounds",
                kind: ParamKind::int(1, 10_000),
                default: Some("60"),
                help: "The game ends after this many rounds if nobody has reached 17 points.",
            },
            ParamSpec {
                name: "turns",
                kind: ParamKind::Choice { options: &["in-order", "together"] },
                default: Some("in-order"),
                help: "In Play one seat after the other transmutes, or all at the same time, step by step.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(JabirsTransmutations {
            eureka_for_all: params.choice("eureka") == "all",
            max_rounds: params.int("max-rounds") as u16,
            together: params.choice("turns") == "together",
        })
    }

    fn seat_name(&self, seat: Seat) -> String {
        SEAT_NAMES[seat].into()
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let winners = ending.winners();
        let points = counted(state.points(winners[0]).into(), "point", "points");
        let by_rank = matches!(ending.reason, "seventeen" | "rounds" | "cap");
        let tie = match state.tie_breaker(&winners) {
            Some(breaker) if by_rank => format!(" (tie broken by {breaker})"),
            _ => String::new(),
        };
        let result = format!("{} with {points}{tie}", ending.headline());
        match ending.reason {
            "seventeen" => result,
            _ => format!("{result}: {}", ending.common_reason()),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.text()
    }

    fn parse_action(&self, state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        read_action(text).ok_or_else(|| ParseError::new(text, expected(state)))
    }

    fn position_text(&self, state: &State, viewer: Viewer) -> String {
        write_position(state, viewer)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        self.read_position(text)
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        match (state.stage, action) {
            (Stage::Choice(Event::Steal), Action::Steal(..)) if state.supply(seat) == 0 => {
                "all your tokens are on the board, so there is none to put in the place of a stolen one".into()
            }
            (Stage::Choice(Event::Steal), Action::Steal(from, resource)) => {
                why_no_theft(state, seat, from.into(), resource)
            }
            (Stage::Choice(Event::Steal), Action::NoEvent) => {
                "there is something to steal, so something is stolen".into()
            }
            (Stage::Choice(Event::Eureka), Action::Eureka(other)) => format!("{} is not an elixir", other.word()),
            (Stage::Choice(Event::Disaster), Action::Disaster(other)) => {
                format!("a disaster destroys fire or water, not {}", other.word())
            }
            (Stage::Choice(Event::Favor), Action::Favor(other)) => {
                format!("{} is not a primary resource", other.word())
            }
            (Stage::Choice(event), _) => format!("the event is {}: that is what you carry out now", event.word()),
            (Stage::Draft(_), Action::Draft(card)) => format!("the hand you hold has no {} card", card.word()),
            (Stage::Draft(_), _) => "the cards are being drafted: pick one of those you hold".into(),
            (Stage::Play(_) | Stage::Together, Action::Transmute(number)) => why_no_transmutation(state, seat, number),
            (Stage::Play(_) | Stage::Together, Action::End) => {
                format!("you hold more than {MAX_SAVED} fire and water cards: use or discard some first")
            }
            (Stage::Play(_) | Stage::Together, Action::Discard(card)) if state.n_saved(seat) > MAX_SAVED => {
                format!("you hold no {} card that may be discarded", card.word())
            }
            (Stage::Play(_) | Stage::Together, Action::Discard(_)) => {
                format!("cards are discarded only while you hold more than {MAX_SAVED} of fire and water")
            }
            (Stage::Together, _) => "all transmute now, or end their turns".into(),
            (Stage::Play(_), _) => "it is your turn to transmute, or to end your turn".into(),
            _ => "nobody acts now".into(),
        }
    }
}

impl Action {
    pub(super) fn text(self) -> String {
        match self {
            Action::Eureka(elixir) => format!("eureka-{}", elixir.word()),
            Action::Explosion(resource) => format!("explosion-{}", resource.word()),
            Action::Disaster(card) => format!("disaster-{}", card.word()),
            Action::Favor(resource) => format!("favor-{}", resource.word()),
            Action::Steal(from, resource) => format!("steal-{from}-{}", resource.word()),
            Action::NoEvent => "no-event".into(),
            Action::Draft(card) => format!("draft-{}", card.word()),
            Action::Transmute(number) => TRANSMUTATIONS[usize::from(number)].name.into(),
            Action::Discard(card) => format!("discard-{}", card.word()),
            Action::End => "end".into(),
        }
    }
}

impl OutcomeText<JabirsTransmutations> for Outcome {
    fn text(self, _game: &JabirsTransmutations, _state: &State) -> String {
        match self {
            Outcome::Event(event) => format!("~{}", event.word()),
            Outcome::Card(card) => format!("~{}", card.word()),
            Outcome::Roll(roll) => format!("~{roll}"),
        }
    }

    fn parse(_game: &JabirsTransmutations, state: &State, text: &str) -> Result<Outcome, ParseError> {
        let word = text.strip_prefix('~');
        let outcome = match state.stage {
            Stage::Event => word.and_then(Event::from_word).map(Outcome::Event),
            Stage::Deal(_) => word.and_then(Card::from_word).map(Outcome::Card),
            Stage::Die(..) => word.and_then(read_digit).filter(|roll| (1..=6).contains(roll)).map(Outcome::Roll),
            Stage::Choice(_) | Stage::Draft(_) | Stage::Play(_) | Stage::Together | Stage::Over => None,
        };
        outcome.ok_or_else(|| {
            let expected = match state.stage {
                Stage::Event => {
                    format!("an event, one of ~{}", words(Event::ALL.iter().map(|event| event.word()), ", ~"))
                }
                Stage::Deal(_) => format!("a card, one of ~{}", words(Card::ALL.iter().map(|card| card.word()), ", ~")),
                Stage::Die(..) => "a roll from ~1 to ~6".into(),
                _ => "no outcome: chance does not act now".into(),
            };
            ParseError::new(text, expected)
        })
    }
}

pub(super) fn read_action(text: &str) -> Option<Action> {
    if let Some(number) = TRANSMUTATIONS.iter().position(|one| one.name == text) {
        return Some(Action::Transmute(number as u8));
    }
    match text {
        "no-event" => return Some(Action::NoEvent),
        "end" => return Some(Action::End),
        _ => {}
    }
    let (verb, object) = text.split_once('-')?;
    match verb {
        "eureka" => Resource::from_word(object).map(Action::Eureka),
        "explosion" => Resource::from_word(object).map(Action::Explosion),
        "disaster" => Card::from_word(object).map(Action::Disaster),
        "favor" => Resource::from_word(object).map(Action::Favor),
        "steal" => {
            let (from, resource) = object.split_once('-')?;
            let from = read_digit(from).filter(|&from| usize::from(from) < N_SEATS)?;
            Resource::from_word(resource).map(|resource| Action::Steal(from, resource))
        }
        "draft" => Card::from_word(object).map(Action::Draft),
        "discard" => Card::from_word(object).map(Action::Discard),
        _ => None,
    }
}

fn read_digit(text: &str) -> Option<u8> {
    if let [digit @ b'0'..=b'9'] = *text.as_bytes() { Some(digit - b'0') } else { None }
}

fn words(words: impl Iterator<Item = &'static str>, separator: &str) -> String {
    words.collect::<Vec<_>>().join(separator)
}

fn expected(state: &State) -> String {
    let resources = |list: &[Resource]| list.iter().map(|one| one.word()).collect::<Vec<_>>().join(", ");
    match state.stage {
        Stage::Choice(Event::Eureka) => format!("eureka- and one of {}", resources(Resource::ELIXIRS)),
        Stage::Choice(Event::Explosion) => format!("explosion- and one of {}", resources(Resource::ALL)),
        Stage::Choice(Event::Disaster) => "disaster-fire or disaster-water".into(),
        Stage::Choice(Event::Favor) => format!("favor- and one of {}", resources(Resource::PRIMARY)),
        Stage::Choice(Event::Steal) => {
            "steal-, the number of an opponent, - and a resource, such as steal-1-tin; or no-event".into()
        }
        Stage::Draft(_) => format!("draft- and one of {}", words(Card::ALL.iter().map(|card| card.word()), ", ")),
        Stage::Play(_) | Stage::Together => format!(
            "a transmutation ({}), discard-fire, discard-water or end",
            words(TRANSMUTATIONS.iter().map(|one| one.name), ", ")
        ),
        Stage::Event | Stage::Deal(_) | Stage::Die(..) | Stage::Over => "no action: nobody acts now".into(),
    }
}

fn why_no_theft(state: &State, seat: Seat, from: Seat, resource: Resource) -> String {
    if from == seat {
        "you steal from an opponent".into()
    } else if !Resource::STEALABLE.contains(&resource) {
        format!("{} is an elixir, which cannot be stolen", resource.word())
    } else {
        debug_assert_eq!(state.tokens[from][resource as usize], 0, "anything else may be stolen");
        format!("seat {from} has no token on {}", resource.word())
    }
}

fn why_no_transmutation(state: &State, seat: Seat, number: u8) -> String {
    let transmutation = &TRANSMUTATIONS[usize::from(number)];
    let lacks = |&&(resource, n): &&(Resource, u8)| state.tokens[seat][resource as usize] < n;
    if let Some(&(resource, n)) = transmutation.reactants.iter().find(lacks) {
        let has = state.tokens[seat][resource as usize];
        return format!("it needs {n} {}, and you have {has}", resource.word());
    }
    match (transmutation.card, transmutation.metal()) {
        (Some(card), _) if state.saved[seat][card as usize] == 0 => format!("it needs a {} card", card.word()),
        (_, Some(metal)) => format!("no {} is left", metal.word()),
        _ => "that is not one of the legal actions here".into(),
    }
}
