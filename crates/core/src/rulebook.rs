//! The rules for players: Markdown with positions in it.
//!
//! A fenced block whose info string is `position` and a spec stands for the position that its body, a history, leads
//! to; a program that shows the rules draws it there. Where the first line of the body begins with `from`, the rest of
//! that line is the text of the position that the history begins with.
//!
//! ````text
//! ```position hex:size=4
//! b2 c3 b3
//! ```
//!
//! ```position tic-tac-toe
//! from X1O/3/2X 1
//! b2
//! remark 0 The middle is free.
//! better 0 b1 This closes the upper row.
//! ```
//!
//! ```position black:rows=3,columns=3
//! a1x
//! joined b1+c1 a2+b2 c2+a3
//! ```
//!
//! ```sealed Who wins?
//! An answer in Markdown, which is shown to those who ask for it.
//! ```
//! ````
//!
//! `joined` names places of the drawing that belong together ([`crate::reason::Reason::joined`]). An answer that holds
//! positions is opened and closed by one backtick more than they are.

use crate::erased::{AnyGame, AnyMatch};
use crate::history::HistoryError;
use crate::position::PositionError;
use crate::reason::read_joined;

const POSITION: &str = "position ";
const SEALED: &str = "sealed ";
const FROM: &str = "from ";
const JOINED: &str = "joined ";
const REMARK: &str = "remark ";
const BETTER: &str = "better ";

/// A part of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage<'a> {
    /// Markdown.
    Text(&'a str),
    /// A position to be drawn.
    Position(Position<'a>),
    /// An answer that is shown only when it is asked for.
    Sealed {
        /// What is asked.
        question: &'a str,
        /// Texts and positions.
        answer: Vec<Passage<'a>>,
    },
}

/// A position by how one gets there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// Of the game.
    pub spec: &'a str,
    /// The text of the position that the history begins with; the start of the game where there is none.
    pub from: Option<&'a str>,
    /// From there on.
    pub history: &'a str,
    /// The lines of what is said on the way; [`Position::remarks`] reads them.
    pub said: &'a str,
}

/// What is said about a position on the way to the one that is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remark<'a> {
    /// After so many plies of the history.
    pub ply: usize,
    /// An action that is better than the one that the history has next.
    pub better: Option<&'a str>,
    /// Markdown.
    pub text: &'a str,
}

/// Why a position of the rules cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The text after `from` describes no position.
    #[error(transparent)]
    From(#[from] PositionError),
    /// The history breaks the rules.
    #[error(transparent)]
    History(#[from] HistoryError),
}

impl<'a> Position<'a> {
    /// The position; `game` is the one that the spec names.
    ///
    /// # Errors
    /// Texts of positions and histories that the game refuses.
    pub fn open(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyMatch>, OpenError> {
        let mut current = match self.from {
            None => game.new_match(),
            Some(text) => game.match_at(text)?,
        };
        current.play_history(self.history)?;
        Ok(current)
    }

    /// What is said on the way, in the order in which it is written; a line that is no remark is returned as it stands.
    pub fn remarks(&self) -> impl Iterator<Item = Result<Remark<'a>, &'a str>> + use<'a> {
        let is_remark = |line: &&str| !line.trim().is_empty() && !line.starts_with(JOINED);
        self.said.lines().filter(is_remark).map(|line| remark(line).ok_or(line))
    }

    /// Places of the drawing that belong together.
    ///
    /// # Errors
    /// The line that joins fewer than two places.
    pub fn joined(&self) -> Result<Vec<Vec<String>>, &'a str> {
        let lines = self.said.lines().filter_map(|line| Some((line, line.strip_prefix(JOINED)?)));
        let read = lines.map(|(line, ways)| read_joined(ways).ok_or(line));
        Ok(read.collect::<Result<Vec<_>, _>>()?.concat())
    }
}

fn remark(line: &str) -> Option<Remark<'_>> {
    let is_better = line.starts_with(BETTER);
    let rest = line.strip_prefix(if is_better { BETTER } else { REMARK })?;
    let (ply, text) = rest.split_once(' ')?;
    let (better, text) = match is_better {
        true => text.split_once(' ').map(|(action, text)| (Some(action), text))?,
        false => (None, text),
    };
    Some(Remark { ply: ply.parse().ok()?, better, text: text.trim() })
}

/// The passages of the rules, in order; none is empty text.
pub fn passages(rules: &str) -> Vec<Passage<'_>> {
    let mut passages = Vec::new();
    let mut rest = rules;
    while let Some((text, block)) = split_at_line(rest, |line| opening(line).is_some()) {
        let (first, block) = block.split_once('\n').unwrap_or((block, ""));
        let (fence, info) = opening(first).expect("the line opens a block");
        let (body, after) = split_at_line(block, |line| line.trim_end() == fence).unwrap_or((block, ""));
        push_text(&mut passages, text);
        passages.push(match info.strip_prefix(POSITION) {
            Some(spec) => Passage::Position(position(spec.trim(), body.trim())),
            None => Passage::Sealed { question: info[SEALED.len()..].trim(), answer: self::passages(body.trim()) },
        });
        rest = after.split_once('\n').map_or("", |(_, rest)| rest);
    }
    push_text(&mut passages, rest);
    passages
}

/// The positions of a text in order, those in answers too.
pub fn positions(rules: &str) -> Vec<Position<'_>> {
    fn collect<'a>(passages: Vec<Passage<'a>>, positions: &mut Vec<Position<'a>>) {
        for passage in passages {
            match passage {
                Passage::Text(_) => {}
                Passage::Position(position) => positions.push(position),
                Passage::Sealed { answer, .. } => collect(answer, positions),
            }
        }
    }
    let mut positions = Vec::new();
    collect(passages(rules), &mut positions);
    positions
}

/// The backticks that open a block, and its info string.
fn opening(line: &str) -> Option<(&str, &str)> {
    let (fence, info) = line.split_at(line.len() - line.trim_start_matches('`').len());
    let opens = fence.len() >= 3 && (info.starts_with(POSITION) || info.starts_with(SEALED));
    opens.then_some((fence, info))
}

fn position<'a>(spec: &'a str, body: &'a str) -> Position<'a> {
    let is_said = |line: &str| [REMARK, BETTER, JOINED].iter().any(|word| line.starts_with(word));
    let (body, said) = split_at_line(body, is_said).unwrap_or((body, ""));
    match body.strip_prefix(FROM) {
        None => Position { spec, from: None, history: body.trim(), said },
        Some(body) => {
            let (from, history) = body.split_once('\n').unwrap_or((body, ""));
            Position { spec, from: Some(from.trim()), history: history.trim(), said }
        }
    }
}

fn push_text<'a>(passages: &mut Vec<Passage<'a>>, text: &'a str) {
    if !text.trim().is_empty() {
        passages.push(Passage::Text(text));
    }
}

/// What stands before the first such line, and the rest, that line included.
fn split_at_line(text: &str, is_it: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if is_it(line) {
            return Some(text.split_at(start));
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position<'a>(spec: &'a str, history: &'a str) -> Passage<'a> {
        Passage::Position(Position { spec, from: None, history, said: "" })
    }

    #[test]
    fn positions_stand_between_texts() {
        let rules = "One.\n\n```position hex:size=4\nb2 c3\nb3\n```\n\nTwo.\n\n```position hex\n```\n";
        let wanted = [
            Passage::Text("One.\n\n"),
            position("hex:size=4", "b2 c3\nb3"),
            Passage::Text("\nTwo.\n\n"),
            position("hex", ""),
        ];
        assert_eq!(passages(rules), wanted);
    }

    #[test]
    fn other_blocks_are_text() {
        let rules = "```\nA | B\n```\nand `position` in a line\n";
        assert_eq!(passages(rules), [Passage::Text(rules)]);
        assert_eq!(passages(""), []);
        assert_eq!(passages("\n \n"), []);
    }

    #[test]
    fn a_block_may_begin_with_a_position() {
        let rules =
            "```position tic-tac-toe\nfrom X1O/3/2X 1 \nb2\na3\n```\n```position tic-tac-toe\nfrom 3/3/3 0\n```\n";
        let from =
            |from, history| Passage::Position(Position { spec: "tic-tac-toe", from: Some(from), history, said: "" });
        assert_eq!(passages(rules), [from("X1O/3/2X 1", "b2\na3"), from("3/3/3 0", "")]);
        assert_eq!(passages("```position x\nfromage\n```\n"), [position("x", "fromage")]);
    }

    #[test]
    fn what_is_said_on_the_way_is_told_by_its_ply() {
        let rules = "```position nim\na1 b2\nremark 0 At the *start*.\nbetter 1 b3 This wins.\nremark here\n```\n";
        let [Passage::Position(position)] = passages(rules)[..] else { panic!("one position") };
        assert_eq!((position.history, position.from), ("a1 b2", None));
        let wanted = [
            Ok(Remark { ply: 0, better: None, text: "At the *start*." }),
            Ok(Remark { ply: 1, better: Some("b3"), text: "This wins." }),
            Err("remark here"),
        ];
        assert_eq!(position.remarks().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn an_answer_may_be_sealed() {
        let rules = "One.\n```sealed Who wins?\nWhite,\n*always*.\n```\n```position nim\n```\n";
        let sealed = Passage::Sealed { question: "Who wins?", answer: vec![Passage::Text("White,\n*always*.")] };
        assert_eq!(passages(rules), [Passage::Text("One.\n"), sealed, position("nim", "")]);
    }

    #[test]
    fn an_answer_may_hold_positions() {
        let rules = "````sealed How?\nSo:\n```position nim\na1\n```\nAnd so.\n````\nTwo.\n```position hex\n```\n";
        let answer = vec![Passage::Text("So:\n"), position("nim", "a1"), Passage::Text("And so.")];
        let sealed = Passage::Sealed { question: "How?", answer };
        assert_eq!(passages(rules), [sealed, Passage::Text("Two.\n"), position("hex", "")]);
        let specs: Vec<&str> = positions(rules).iter().map(|position| position.spec).collect();
        assert_eq!(specs, ["nim", "hex"]);
    }

    #[test]
    fn places_may_be_joined() {
        let rules = "```position nim\na1\njoined b1+c1 a2+b2\nremark 0 Yes.\njoined d1+d2\n```\n";
        let [position] = positions(rules)[..] else { panic!("one position") };
        assert_eq!(position.history, "a1");
        assert_eq!(position.joined().unwrap(), [["b1", "c1"], ["a2", "b2"], ["d1", "d2"]]);
        assert_eq!(position.remarks().count(), 1);
        let wrong = positions("```position nim\njoined b1\n```\n")[0];
        assert_eq!(wrong.joined(), Err("joined b1"));
    }

    #[test]
    fn a_block_without_an_end_goes_on_to_the_end() {
        assert_eq!(passages("```position nim\na1 b2"), [position("nim", "a1 b2")]);
        assert_eq!(passages("```position nim"), [position("nim", "")]);
    }
}
