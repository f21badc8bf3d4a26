//! How a game ended, in a sentence for people: who won, and why.
//!
//! A game writes its sentences in [`Notation::end_text`](crate::notation::Notation::end_text), with what it finds here:
//! who won ([`Ending::headline`]), what the seats are called ([`Names`]), and the reasons that all games share
//! ([`Ending::in_common`]).

use std::fmt::Display;

use crate::erased::{AnyGame, AnyMatch};
use crate::game::Payoffs;
use crate::resignation::{AGREED, RESIGNED, TIME};
use crate::seat::Seat;

/// Who won and why: `You win: four in a row.` `reason` is the game's own, one of the path's, or `resigned`, `time` or `agreed`.
pub fn sentence(current: &dyn AnyMatch, names: &Names, payoffs: &Payoffs, reason: &str) -> String {
    let ending = Ending { reason, payoffs, names, max_plies: None };
    names.sentence(&current.end_text(&ending))
}

/// What a seat is called within a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    text: String,
    many: bool,
}

impl Called {
    /// A name in the singular: `Black`, `the player`.
    pub fn one(text: impl Into<String>) -> Called {
        Called { text: text.into(), many: false }
    }

    /// A name in the plural: `the Swedes`.
    pub fn many(text: impl Into<String>) -> Called {
        Called { text: text.into(), many: true }
    }
}

/// What the seats are called in sentences. One of them may be "you".
#[derive(Clone, Debug)]
pub struct Names {
    called: Vec<Called>,
    you: Option<Seat>,
}

impl Names {
    /// The names that the game gives its seats.
    pub fn of(game: &dyn AnyGame) -> Names {
        Names::called((0..game.facts().n_seats).map(|seat| game.seat_called(seat)))
    }

    /// These names, in order of seats.
    pub fn called(called: impl IntoIterator<Item = Called>) -> Names {
        Names { called: called.into_iter().collect(), you: None }
    }

    /// With the names of the people who hold the seats, where they have one. A name that several have tells nobody
    /// apart, so they keep those of their seats.
    #[must_use]
    pub fn with_people(mut self, people: &[Option<&str>]) -> Names {
        let called = self.called.clone();
        let is_taken = |seat: Seat, name: &str| {
            let same = |other: &str| other.to_lowercase() == name.to_lowercase();
            (0..called.len())
                .filter(|&other| other != seat)
                .any(|other| same(&called[other].text) || people.get(other).copied().flatten().is_some_and(same))
        };
        for (seat, name) in people.iter().enumerate().take(called.len()) {
            if let Some(name) = name.filter(|name| !is_taken(seat, name)) {
                self.called[seat] = Called::one(name);
            }
        }
        self
    }

    /// Spoken to the person who holds this seat.
    #[must_use]
    pub fn spoken_to(self, you: Option<Seat>) -> Names {
        Names { you, ..self }
    }

    /// `you`, `the Swedes`, `Ann`.
    pub fn subject(&self, seat: Seat) -> &str {
        if self.you == Some(seat) { "you" } else { &self.called[seat].text }
    }

    /// `your`, `the Swedes'`, `Ann's`.
    pub fn whose(&self, seat: Seat) -> String {
        match &self.called[seat] {
            _ if self.you == Some(seat) => "your".into(),
            Called { text, many: true } if text.ends_with('s') => format!("{text}'"),
            Called { text, .. } => format!("{text}'s"),
        }
    }

    /// As [`Names::whose`], of a seat that was named just before: `your`, `their`, `the`.
    pub fn own(&self, seat: Seat) -> &'static str {
        match self.called[seat].many {
            _ if self.you == Some(seat) => "your",
            true => "their",
            false => "the",
        }
    }

    /// The form of a verb that goes with the seat, after `you` and plurals or after one: `are` or `is`.
    pub fn verb(&self, seat: Seat, plain: &'static str, of_one: &'static str) -> &'static str {
        if self.you == Some(seat) || self.called[seat].many { plain } else { of_one }
    }

    /// Several of them, "you" first: `you, Ann and Bob`.
    pub fn list(&self, seats: &[Seat]) -> String {
        let mut seats = seats.to_vec();
        seats.sort_by_key(|&seat| self.you != Some(seat));
        let names: Vec<&str> = seats.iter().map(|&seat| self.subject(seat)).collect();
        match names[..] {
            [] => "nobody".into(),
            [one] => one.into(),
            [ref others @ .., last] => format!("{} and {last}", others.join(", ")),
        }
    }

    /// With a capital, except where a person's name begins it, and a full stop.
    fn sentence(&self, text: &str) -> String {
        let begins_with_name = self.called.iter().any(|called| text.starts_with(&called.text));
        let article = text.starts_with("the ");
        let mut chars = text.chars();
        match chars.next() {
            Some(first) if !begins_with_name || article => format!("{}{}.", first.to_uppercase(), chars.as_str()),
            _ => format!("{text}."),
        }
    }
}

/// How a game ended, and what its sentence is made of.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    /// The game's own reason, one of the path's, or `resigned`.
    pub reason: &'a str,
    /// What each seat gets.
    pub payoffs: &'a Payoffs,
    /// What the seats are called.
    pub names: &'a Names,
    /// The cap on plies.
    pub max_plies: Option<u32>,
}

impl<'a> Ending<'a> {
    fn seats_with(&self, payoff: f64) -> Vec<Seat> {
        let payoffs = self.payoffs.as_slice();
        (0..payoffs.len()).filter(|&seat| payoffs[seat] == payoff).collect()
    }

    /// The seats that get most.
    pub fn winners(&self) -> Vec<Seat> {
        self.seats_with(self.payoffs.as_slice().iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// The seats that get least.
    pub fn losers(&self) -> Vec<Seat> {
        self.seats_with(self.payoffs.as_slice().iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// Whether all get the same.
    pub fn is_drawn(&self) -> bool {
        self.winners() == self.losers()
    }

    /// Who won: `you win`, `Ann and Bob win together`, `a draw`.
    pub fn headline(&self) -> String {
        let winners = self.winners();
        match winners[..] {
            _ if self.is_drawn() => "a draw".into(),
            [winner] => format!("{} {}", self.names.subject(winner), self.names.verb(winner, "win", "wins")),
            _ => format!("{} win together", self.names.list(&winners)),
        }
    }

    /// Who won, and why.
    pub fn because(&self, why: impl Display) -> String {
        format!("{}: {why}", self.headline())
    }

    /// Who won, and why, where the game has nothing of its own to say to the reason.
    pub fn in_common(&self) -> String {
        self.because(self.common_reason())
    }

    /// What the reasons mean that several games share.
    pub fn common_reason(&self) -> String {
        match self.reason {
            "cap" => match self.max_plies {
                Some(n) => format!("the limit of {} is reached", counted(n.into(), "ply", "plies")),
                None => "the limit of plies is reached".into(),
            },
            "full" => "the board is full".into(),
            "no-progress" => "nobody made progress for too long".into(),
            "repetition" => "the same position came for the third time".into(),
            "rounds" => "all rounds are played".into(),
            RESIGNED => match self.losers()[..] {
                [loser] => format!("{} resigned", self.names.subject(loser)),
                _ => "somebody resigned".into(),
            },
            TIME => match self.losers()[..] {
                [loser] => format!("{} ran out of time", self.names.subject(loser)),
                _ => "time ran out".into(),
            },
            AGREED => "all agreed on it".into(),
            _ => UNKNOWN.into(),
        }
    }
}

/// Said to a reason that no game knows: one of an old record, perhaps.
pub const UNKNOWN: &str = "the game is over";

/// `1 twist`, `7 twists`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A payoff for people, its sign always shown where it may be either: `+1`, `−0.5`, `0`.
pub fn signed(payoff: f64) -> String {
    if payoff > 0.0 {
        format!("+{payoff}")
    } else if payoff < 0.0 {
        format!("−{}", -payoff)
    } else {
        "0".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Names {
        Names { called: names.iter().map(|&name| Called::one(name)).collect(), you: None }
    }

    fn headline(payoffs: &[f64], names: &Names) -> String {
        let payoffs = Payoffs::new(payoffs.iter().copied());
        Ending { reason: "line", payoffs: &payoffs, names, max_plies: None }.headline()
    }

    #[test]
    fn winners_and_draws_are_told_apart() {
        for (payoffs, says) in [
            (&[1.0, -1.0][..], "A wins"),
            (&[0.0, 0.0], "a draw"),
            (&[-40.0, 40.0], "B wins"),
            (&[0.0, 1.0, 0.2], "B wins"),
            (&[0.5, 0.0, 0.5], "A and C win together"),
            (&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], "a draw"),
        ] {
            assert_eq!(headline(payoffs, &named(&["A", "B", "C"])), says);
        }
    }

    #[test]
    fn who_wins_is_called_you() {
        for (payoffs, you, says) in [
            (&[1.0, -1.0][..], 0, "you win"),
            (&[1.0, -1.0], 1, "A wins"),
            (&[0.0, 0.0], 1, "a draw"),
            (&[0.5, 0.0, 0.5], 2, "you and A win together"),
        ] {
            assert_eq!(headline(payoffs, &named(&["A", "B", "C"]).spoken_to(Some(you))), says);
        }
    }

    #[test]
    fn verbs_and_possessives_go_with_their_names() {
        let names = Names { called: vec![Called::many("the Swedes"), Called::one("Ann")], you: None };
        assert_eq!([0, 1].map(|seat| names.whose(seat)), ["the Swedes'", "Ann's"]);
        assert_eq!([0, 1].map(|seat| names.own(seat)), ["their", "the"]);
        assert_eq!([0, 1].map(|seat| names.verb(seat, "win", "wins")), ["win", "wins"]);
        let to_ann = names.spoken_to(Some(1));
        assert_eq!((to_ann.whose(1), to_ann.own(1), to_ann.subject(1)), ("your".into(), "your", "you"));
        assert_eq!(to_ann.sentence("the Swedes win"), "The Swedes win.");
        assert_eq!(to_ann.sentence("you win"), "You win.");
    }

    #[test]
    fn people_keep_their_names_unless_two_have_the_same() {
        let seats = named(&["Black", "White"]);
        let called = |people: &[Option<&str>]| {
            let names = seats.clone().with_people(people);
            [0, 1].map(|seat| names.subject(seat).to_string())
        };
        assert_eq!(called(&[Some("ann"), None]), ["ann", "White"]);
        assert_eq!(called(&[Some("Ann"), Some("ann")]), ["Black", "White"]);
        assert_eq!(called(&[Some("White"), None]), ["Black", "White"]);
        assert_eq!(seats.with_people(&[Some("ann")]).sentence("ann wins"), "ann wins.");
    }

    #[test]
    fn signs_are_shown() {
        assert_eq!([signed(1.0), signed(-0.5), signed(0.0), signed(-0.0)], ["+1", "−0.5", "0", "0"]);
    }
}
