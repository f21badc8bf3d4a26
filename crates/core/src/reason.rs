//! Why something is so, for people: in a sentence, and on the board.

use serde::Serialize;

/// Why an action is chosen, or who wins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Reason {
    /// A sentence or a few.
    pub text: String,
    /// Places of the picture that belong together, by their ids: each a way from its first place to its last, two places at
    /// least. They are drawn on the board; the text says what they are.
    pub joined: Vec<Vec<String>>,
}

impl Reason {
    /// What only a sentence says.
    pub fn in_words(text: impl Into<String>) -> Reason {
        Reason { text: text.into(), joined: Vec::new() }
    }
}

/// Ways in words: `b1+c1 a2+b2+b3`, as a text for players writes them too.
pub fn joined_text(joined: &[Vec<String>]) -> String {
    joined.iter().map(|way| way.join("+")).collect::<Vec<_>>().join(" ")
}

/// Reads what [`joined_text`] writes; `None` where a way has less than two places.
pub fn read_joined(text: &str) -> Option<Vec<Vec<String>>> {
    let way = |way: &str| {
        let places: Vec<String> = way.split('+').map(String::from).collect();
        (places.len() >= 2 && places.iter().all(|place| !place.is_empty())).then_some(places)
    };
    text.split_whitespace().map(way).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read_as_they_are_written() {
        let joined = read_joined("b1+c1  a2+b2+b3").unwrap();
        assert_eq!(joined, [vec!["b1", "c1"], vec!["a2", "b2", "b3"]]);
        assert_eq!(joined_text(&joined), "b1+c1 a2+b2+b3");
        assert_eq!(read_joined(""), Some(Vec::new()));
        assert_eq!([read_joined("b1"), read_joined("b1+"), read_joined("b1+c1 +")], [None, None, None]);
    }
}
