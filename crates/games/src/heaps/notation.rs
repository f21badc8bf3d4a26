//! Text and parameters: `b3` takes three items from heap b; `5/3/0 1` is a position; `heaps`, `size` and `sizes` say how
//! many there are at the start.

use arrayvec::ArrayVec;
use raichi_core::notation::ParseError;
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader};
use raichi_core::seat::Seat;

use super::{Heaps, MAX_HEAPS, Setup, Take};

/// How many heaps there are, where all are alike.
pub const HEAPS: ParamSpec = ParamSpec {
    name: "heaps",
    kind: ParamKind::int(1, MAX_HEAPS as u64),
    default: Some("3"),
    help: "How many heaps there are.",
};

/// How many items each heap has, where all are alike.
pub const SIZE: ParamSpec =
    ParamSpec { name: "size", kind: ParamKind::int(1, 255), default: Some("5"), help: "How many items each heap has." };

/// Heaps that are not all alike.
pub const SIZES: ParamSpec = ParamSpec {
    name: "sizes",
    kind: ParamKind::List { min_len: 1, max_len: MAX_HEAPS, min: 1, max: 255 },
    default: None,
    help: "The items of each heap, such as 1/3/5/7, instead of heaps and size.",
};

/// The sizes that [`HEAPS`], [`SIZE`] and [`SIZES`] ask for.
///
/// # Errors
/// When both ways of saying it are used.
pub fn sizes(params: &Params) -> Result<Vec<u8>, SpecError> {
    let Some(list) = params.list("sizes") else {
        return Ok(vec![params.int("size") as u8; params.int("heaps") as usize]);
    };
    if let Some(key) = ["heaps", "size"].into_iter().find(|key| params.given(key).is_some()) {
        let written = list.iter().map(u64::to_string).collect::<Vec<_>>().join("/");
        let why = format!("sizes lists every heap; it is given instead of heaps and size, not beside {key}");
        return Err(SpecError::conflict("sizes", written, why));
    }
    Ok(list.iter().map(|&size| size as u8).collect())
}

pub(super) fn letter(heap: u8) -> char {
    (b'a' + heap) as char
}

impl Setup {
    /// The canonical text: `b3`.
    pub fn text(&self, take: Take) -> String {
        format!("{}{}", letter(take.heap), take.count)
    }

    /// The action that `text` names, legal or not.
    ///
    /// # Errors
    /// Texts that are no heap's letter with a number of items.
    pub fn parse(&self, text: &str) -> Result<Take, ParseError> {
        let take = || {
            let heap = text.bytes().next()?.checked_sub(b'a').filter(|&heap| usize::from(heap) < self.sizes.len())?;
            let digits = &text[1..];
            let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
            digits.parse().ok().filter(|_| canonical).map(|count| Take { heap, count })
        };
        take().ok_or_else(|| {
            let last = letter(self.sizes.len() as u8 - 1);
            ParseError::new(text, format!("a heap from a to {last} and how many to take from it, such as a1"))
        })
    }

    /// A position: `5/3/0 1`.
    pub fn position_text(&self, heaps: &Heaps, to_act: Seat) -> String {
        let items = (0..self.sizes.len() as u8).map(|heap| heaps.items(heap).to_string());
        format!("{} {to_act}", items.collect::<Vec<_>>().join("/"))
    }

    /// The heaps and the seat to act that a line describes. No heap holds more than at the start.
    ///
    /// # Errors
    /// Names the place in the text, and what would have been right there.
    pub fn parse_position(&self, text: &str, n_seats: usize) -> Result<(Heaps, Seat), PositionError> {
        let n_heaps = self.sizes.len();
        let mut reader = Reader::new(text);
        let field = reader.field("the items of each heap, like 5/3/0")?;
        let heaps: Vec<Field<'_>> = field.split('/').collect();
        if heaps.len() != n_heaps {
            let expected = format!("{n_heaps} heaps with / between them, and there are {}", heaps.len());
            return Err(field.error(expected));
        }
        let number = |(heap, &size): (&Field<'_>, &u8)| heap.number(0..=size.into()).map(|items| items as u8);
        let items: ArrayVec<u8, MAX_HEAPS> = heaps.iter().zip(&self.sizes).map(number).collect::<Result<_, _>>()?;
        let to_act = reader.seat(n_seats)?;
        reader.end()?;
        Ok((Heaps::holding(&items), to_act))
    }

    /// Why this may not be taken.
    pub fn why_illegal(&self, heaps: &Heaps, take: Take) -> String {
        let heap = letter(take.heap);
        match heaps.items(take.heap) {
            0 => format!("heap {heap} is empty"),
            items if items < take.count => format!("heap {heap} has only {items} left"),
            _ => format!("at most {} may be taken at once", self.limit),
        }
    }
}
