//! Text in and out: `RYB>W` or, in other groups than the published one, `10.01>11`; `draw`, `pass`, `final`; `~R`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError, Value};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Ending, counted};

use super::exchanges::Exchange;
use super::group::{Colour, Element, Group, MAX_MODULI, MAX_ORDER};
use super::rules::{Action, AlJabar, House, MAX_PLAYERS, State, hand_size, least_copies};
use super::sets::{MAX_LIMIT, MAX_SETS, Set, n_sets};

pub(super) const MAX_COPIES: u64 = 100;

/// Letters and names of the published game, in the order of colours.
const LETTERS: &[u8; 8] = b"RYBOGPWK";
const NAMES: [&str; 8] = ["Red", "Yellow", "Blue", "Orange", "Green", "Purple", "White", "Black"];

impl Group {
    /// A colour's place when the zero follows on the others at once.
    pub(super) fn place(&self, colour: Colour) -> usize {
        colour.index().min(self.n_coloured())
    }

    /// `R`, or digits: `102`.
    pub(super) fn colour_text(&self, colour: Colour) -> String {
        if self.is_published() {
            return char::from(LETTERS[self.place(colour)]).into();
        }
        self.element(colour)[..self.n_moduli()].iter().map(|&digit| char::from(b'0' + digit)).collect()
    }

    /// `Red`, or digits.
    pub(super) fn colour_name(&self, colour: Colour) -> String {
        if self.is_published() { NAMES[self.place(colour)].into() } else { self.colour_text(colour) }
    }

    pub(super) fn parse_colour(&self, text: &[u8]) -> Option<Colour> {
        if self.is_published() {
            return self.colours().find(|&colour| [LETTERS[self.place(colour)]] == text);
        }
        let mut element = Element::default();
        for ((digit, &modulus), byte) in element.iter_mut().zip(self.moduli()).zip(text) {
            *digit = byte.checked_sub(b'0').filter(|&digit| digit < modulus)?;
        }
        (text.len() == self.n_moduli()).then(|| self.colour(element))
    }

    pub(super) fn set_text(&self, set: &[Colour]) -> String {
        let texts: Vec<String> = set.iter().map(|&colour| self.colour_text(colour)).collect();
        texts.join(if self.is_published() { "" } else { "." })
    }

    fn parse_set(&self, text: &str) -> Option<Set> {
        let mut set = Set::new();
        let mut push = |colour: &[u8]| set.try_push(self.parse_colour(colour)?).ok();
        if self.is_published() {
            text.as_bytes().chunks(1).try_for_each(&mut push)?;
        } else {
            text.as_bytes().split(|&byte| byte == b'.').try_for_each(&mut push)?;
        }
        Some(set)
    }

    /// `Red + Yellow = Orange`, or just `Red`.
    pub(super) fn sum_in_words(&self, colours: &[Colour]) -> String {
        let names: Vec<String> = colours.iter().map(|&colour| self.colour_name(colour)).collect();
        match colours {
            [_] => names.join(""),
            _ => format!("{} = {}", names.join(" + "), self.colour_name(self.sum(colours.iter().copied()))),
        }
    }

    /// The source's four steps to the sum of a handful, a sentence each: what cancels goes out, the rest is taken apart into
    /// primaries, what cancels then goes out, and what is left is put together.
    pub(super) fn steps_of_sum(&self, colours: &[Colour]) -> Vec<String> {
        let shown = |set: &[Colour]| match set {
            [] => "nothing is left".into(),
            set => set.iter().map(|&colour| self.colour_text(colour)).collect::<Vec<_>>().join(" + "),
        };
        let what_cancels =
            if self.is_published() { "Doubles go out" } else { "What sums to zero in one colour goes out" };
        let simpler = self.without_what_cancels(colours);
        let primaries: Vec<Colour> = simpler.iter().flat_map(|&colour| self.primaries(colour)).collect();
        let left = self.without_what_cancels(&primaries);
        let sum = self.sum(colours.iter().copied());
        vec![
            format!("{what_cancels}: {}", shown(&simpler)),
            format!("Taken apart into primaries: {}", shown(&primaries)),
            format!("{what_cancels}: {}", shown(&left)),
            format!("Put together: {}", self.colour_name(sum)),
        ]
    }

    /// A set in the order of colours, less as many pieces of one colour as sum to zero, as often as there are so many; zeros go
    /// out too.
    fn without_what_cancels(&self, colours: &[Colour]) -> Vec<Colour> {
        let left = |colour: Colour| {
            let n = colours.iter().filter(|&&other| other == colour).count();
            let times = |n: usize| self.sum(std::iter::repeat_n(colour, n));
            let cancel = (1..).find(|&n| times(n) == Colour::ZERO).expect("the group is finite");
            std::iter::repeat_n(colour, n % cancel)
        };
        self.coloured().flat_map(left).collect()
    }

    /// The primaries that make a colour.
    fn primaries(&self, colour: Colour) -> Vec<Colour> {
        let digits = self.element(colour);
        let unit = |i: usize| self.colour(std::array::from_fn(|j| u8::from(i == j)));
        (0..self.n_moduli()).flat_map(|i| std::iter::repeat_n(unit(i), digits[i].into())).collect()
    }
}

impl AlJabar {
    fn parse_exchange(&self, text: &str) -> Option<Exchange> {
        let (give, take) = text.split_once('>')?;
        let [give, take] = [give, take].map(|text| self.sets().find(&self.group().parse_set(text)?));
        let exchange = Exchange { give: give?, take: take? };
        (Some(exchange.take) != self.sets().spectrum()).then_some(exchange)
    }

    /// The exchange that `text` names with its pieces in another order, in the order of colours.
    fn in_order(&self, text: &str) -> Option<String> {
        let sorted = |text: &str| {
            let mut set = self.group().parse_set(text)?;
            set.sort_unstable();
            Some(self.group().set_text(&set))
        };
        let (give, take) = text.split_once('>')?;
        let text = format!("{}>{}", sorted(give)?, sorted(take)?);
        self.parse_exchange(&text).map(|_| text)
    }

    /// The order of colours, in words where it is too long.
    fn order(&self) -> String {
        let texts: Vec<String> = self.group().colours().map(|colour| self.group().colour_text(colour)).collect();
        if self.group().is_published() { texts.join(" ") } else { "of colours".into() }
    }

    fn expected(&self) -> String {
        let group = self.group();
        let pair = [Colour(0), Colour::ZERO];
        let example = format!("{}>{}", group.set_text(&pair), group.set_text(&pair[..1]));
        let zero = group.colour_text(Colour::ZERO);
        let pieces = match self.house.limit {
            1 => "one piece for one".into(),
            n => format!("1 to {n} pieces for 1 to {n} in the order {}, such as {example}", self.order()),
        };
        let spectrum = self.sets().spectrum().map(|set| group.set_text(self.sets().get(set)));
        let spectrum = spectrum.map_or_else(String::new, |pieces| format!(" the spectrum {pieces}>{zero},"));
        format!("an exchange ({pieces}),{spectrum} draw, pass or final")
    }

    fn why_no_exchange(&self, state: &State, seat: Seat, exchange: Exchange) -> String {
        let Exchange { give, take } = exchange;
        let (exchanges, group) = (self.exchanges(state, seat), self.group());
        let [given, taken] = [give, take].map(|set| self.sets().get(set));
        if !exchanges.can_give(give) {
            return format!("the hand does not hold {}", group.set_text(given));
        }
        if !exchanges.can_take(take) {
            return format!("the Center does not hold {}", group.set_text(taken));
        }
        if give == take {
            return "an exchange has to change something".into();
        }
        if Some(give) == self.sets().spectrum() {
            return format!("the spectrum is exchanged for {} alone", group.colour_name(Colour::ZERO));
        }
        format!("the sums differ: {}, but {}", group.sum_in_words(given), group.sum_in_words(taken))
    }

    fn why_not_final(&self, state: &State, seat: Seat) -> String {
        let most = self.group().n_moduli();
        if state.signalled {
            "the final round has been signalled already".into()
        } else if usize::from(state.hands[seat].len()) > most {
            format!("the final round is called with at most {most} pieces in hand")
        } else {
            "the final round is called before anything else in a turn".into()
        }
    }
}

impl Notation for AlJabar {
    const ID: &'static str = "al-jabar";
    const NAME: &'static str = "Al-Jabar";
    const BLURB: &'static str = "Mix colours as algebra does: give many pieces for few with the same sum.";
    const ALIASES: &'static [&'static str] = &["algebra", "colour mixing"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["final-round", "rounds"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "players",
                kind: ParamKind::int(2, MAX_PLAYERS as u64),
                default: Some("2"),
                help: "How many play.",
            },
            ParamSpec {
                name: "group",
                kind: ParamKind::List { min_len: 1, max_len: MAX_MODULI, min: 2, max: 9 },
                default: Some("2/2/2"),
                help: "The moduli of the digits that make a colour; 2/2/2 has red, yellow and blue. At most 32 colours.",
            },
            ParamSpec {
                name: "copies",
                kind: ParamKind::int(1, MAX_COPIES),
                default: Some("10"),
                help: "Pieces of each colour in the bag at the start; enough to deal.",
            },
            ParamSpec {
                name: "max-rounds",
                kind: ParamKind::int(1, 100_000),
                default: Some("200"),
                help: "The game ends after this many rounds if it has not ended before.",
            },
            ParamSpec {
                name: "hand",
                kind: ParamKind::int(1, 1000),
                default: None,
                help: "Pieces dealt to each; where not given as many as the source has it, 13 in 2/2/2.",
            },
            ParamSpec {
                name: "limit",
                kind: ParamKind::int(1, MAX_LIMIT as u64),
                default: None,
                help: "The most pieces given, and taken, in an exchange; where not given as many as there are moduli. Five moduli need it.",
            },
            ParamSpec {
                name: "spectrum",
                kind: ParamKind::Bool,
                default: Some("true"),
                help: "The spectrum may be given for one zero although it is one piece more than there are moduli.",
            },
            ParamSpec {
                name: "gift",
                kind: ParamKind::Bool,
                default: Some("true"),
                help: "A cancellation gives every other player a zero.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let players = params.int("players") as u8;
        let moduli: Vec<u8> = params.list("group").into_iter().flatten().map(|&modulus| modulus as u8).collect();
        let named = moduli.iter().map(u8::to_string).collect::<Vec<_>>().join("/");
        let group = Group::new(&moduli).ok_or_else(|| {
            let order: usize = moduli.iter().map(|&modulus| usize::from(modulus)).product();
            SpecError::conflict(
                "group",
                &named,
                format!("the group has {order} colours; at most {MAX_ORDER} are allowed"),
            )
        })?;
        let limit = read_limit(params, &group, &named)?;
        params.set_default("hand", Value::Int(hand_size(&group).into()));
        let hand = params.int("hand") as u16;
        let copies = params.int("copies");
        let least = least_copies(&group, players, hand);
        if copies < least.into() {
            let dealt = format!("{players} players are dealt {hand} pieces each and the Center one");
            let colours = format!("{} colours in group {named}", group.n_coloured());
            let why = if u64::from(least) > MAX_COPIES {
                format!("{dealt}, from {colours}; no number of copies suffices, so hand must be less or players fewer")
            } else {
                format!("{dealt}, from {colours}; copies is a whole number from {least} to {MAX_COPIES} then")
            };
            return Err(SpecError::conflict("copies", copies, why));
        }
        let house = House { hand, limit, spectrum: params.bool("spectrum"), gift: params.bool("gift") };
        Ok(AlJabar::new(players, group, copies as u8, params.int("max-rounds") as u32, house))
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let left = u64::from(state.hands[ending.winners()[0]].len());
        let each = if ending.winners().len() > 1 { " each" } else { "" };
        let why = match ending.reason {
            "final-round" => "the final round is over".into(),
            _ => ending.common_reason(),
        };
        format!("{} with {} left{each}: {why}", ending.headline(), counted(left, "piece", "pieces"))
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Exchange(Exchange { give, take }) => {
                let [give, take] = [give, take].map(|set| self.group().set_text(self.sets().get(set)));
                format!("{give}>{take}")
            }
            Action::Draw => "draw".into(),
            Action::Pass => "pass".into(),
            Action::Final => "final".into(),
        }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        match text {
            "draw" => Ok(Action::Draw),
            "pass" => Ok(Action::Pass),
            "final" => Ok(Action::Final),
            _ => {
                let exchange = self.parse_exchange(text).map(Action::Exchange);
                exchange.ok_or_else(|| {
                    let in_order = self.in_order(text);
                    let in_order = in_order.map_or_else(String::new, |text| format!("; in that order this is {text}"));
                    ParseError::new(text, self.expected() + &in_order)
                })
            }
        }
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        self.write_position(state)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        self.read_position(text).map(SetUp::full)
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        match action {
            Action::Exchange(exchange) => self.why_no_exchange(state, seat, exchange),
            Action::Draw => "the bag is empty".into(),
            Action::Pass if state.bag.is_empty() => {
                "there is an exchange, and the final round has not been called".into()
            }
            Action::Pass => "before the final round one passes only when the bag is empty".into(),
            Action::Final => self.why_not_final(state, seat),
        }
    }
}

/// The most pieces given and taken: as many as there are moduli, where nothing else is given.
fn read_limit(params: &mut Params, group: &Group, named: &str) -> Result<u8, SpecError> {
    if group.n_moduli() <= MAX_LIMIT {
        params.set_default("limit", Value::Int(group.n_moduli() as u64));
    }
    let order = group.order();
    let most = (1..=MAX_LIMIT).take_while(|&limit| n_sets(order, limit) <= MAX_SETS).last().unwrap_or(1);
    let Some(&Value::Int(limit)) = params.get("limit") else {
        let why = format!(
            "with five moduli it has to be said how many pieces are given at most: limit, a whole number from 1 to {most}"
        );
        return Err(SpecError::conflict("group", named, why));
    };
    if limit > most as u64 {
        let n = n_sets(order, limit as usize);
        let why = format!(
            "{n} sets of 1 to {limit} pieces could be given in a group of {order} colours, and at most {MAX_SETS} are \
             allowed; limit is a whole number from 1 to {most} then"
        );
        return Err(SpecError::conflict("limit", limit, why));
    }
    Ok(limit as u8)
}

impl OutcomeText<AlJabar> for Colour {
    fn text(self, game: &AlJabar, _state: &State) -> String {
        format!("~{}", game.group().colour_text(self))
    }

    fn parse(game: &AlJabar, _state: &State, text: &str) -> Result<Colour, ParseError> {
        let colour = text.strip_prefix('~').and_then(|text| game.group().parse_colour(text.as_bytes()));
        colour.filter(|&colour| colour != Colour::ZERO).ok_or_else(|| {
            let texts: Vec<String> = game.group().coloured().map(|colour| game.group().colour_text(colour)).collect();
            ParseError::new(text, format!("a piece of the bag, ~ before one of {}", texts.join(" ")))
        })
    }
}
