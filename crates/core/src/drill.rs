//! Drills: short questions about a game with answers to choose from, asked one after the other against a clock.
//!
//! A game makes them from its own rules ([`View::exercise`](crate::picture::View::exercise)); the caller keeps the time
//! and the score.

use serde::Serialize;

use crate::chart::Figure;
use crate::random::{Rng, stream};

/// A question with answers to choose from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Exercise {
    /// What is asked about the figures.
    pub question: String,
    /// What it is asked about.
    pub figures: Vec<Figure>,
    /// What can be said, in a fixed order.
    pub answers: Vec<Answer>,
    /// The number of the right one, from 0.
    pub right: usize,
    /// Why it is right, in a sentence.
    pub because: String,
    /// How the answer is found, one step after the other; empty where there are no steps.
    pub steps: Vec<String>,
}

/// What can be said to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Answer {
    /// What is typed for it.
    pub key: String,
    /// In words.
    pub text: String,
    /// As it is drawn.
    pub figure: Figure,
}

impl Exercise {
    /// Whether what somebody typed, the key or the words in capitals or not, is the right answer; `None` where it is none.
    pub fn judge(&self, typed: &str) -> Option<bool> {
        let said = |answer: &Answer| [&answer.key, &answer.text].iter().any(|text| text.eq_ignore_ascii_case(typed));
        self.answers.iter().position(said).map(|number| number == self.right)
    }
}

/// After so many questions they become harder by one level.
const PER_LEVEL: usize = 5;

/// How hard question number `number`, from 0, is when the questions of a drill become harder: from 0.
pub fn level(number: usize) -> usize {
    number / PER_LEVEL
}

/// The stream that question number `number` of a drill with this seed is drawn from.
pub fn questions(seed: u64, number: usize) -> impl Rng {
    stream(seed, "drill", number as u64)
}
