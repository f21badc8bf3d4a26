//! What a seat may choose, as much of it as is good to send.
//!
//! A position may have tens of thousands of legal actions. Where there are few, a client is sent them all and needs
//! nobody to narrow them; where there are many, it is sent what may be touched next and asks again after each touch.

use std::collections::HashSet;

use raichi_core::AnyMatch;
use raichi_core::picture::Touch;
use raichi_core::seat::Seat;
use serde::Serialize;

/// Legal actions beyond which they are not sent one by one.
pub(crate) const FEW: usize = 500;

/// The legal actions that begin with certain touches.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Choices {
    pub(crate) n_actions: usize,
    /// All of them, where they are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) touches: Option<Vec<Touch>>,
    /// What may be touched next, where they are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<Vec<String>>,
    /// The ids among these that may be touched in any order where they follow one another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) any_order: Vec<String>,
    /// Whether there is something to be said of half-made choices.
    pub(crate) captions: bool,
    /// The text of one of them.
    pub(crate) example: String,
}

impl Choices {
    /// Of all that `seat` may choose what begins with `touched`; `None` where nothing does.
    pub(crate) fn after(current: &dyn AnyMatch, seat: Seat, all: &[Touch], touched: &[String]) -> Option<Choices> {
        let loose = |id: &str| current.any_order(id);
        let possible: Vec<&Touch> = all.iter().filter(|touch| touch.next(touched, &loose).is_some()).collect();
        let example = possible.first()?.action.clone();
        let n_actions = possible.len();
        if n_actions > FEW {
            let next = next(&possible, touched, &loose);
            let any_order = once(touched.iter().chain(&next).filter(|id| loose(id)));
            return Some(Choices { n_actions, touches: None, next: Some(next), any_order, captions: true, example });
        }
        let captions = possible.iter().any(|touch| is_captioned(current, seat, &touch.path));
        let any_order = once(possible.iter().flat_map(|touch| &touch.path).filter(|id| loose(id)));
        let touches = Some(possible.into_iter().cloned().collect());
        Some(Choices { n_actions, touches, next: None, any_order, captions, example })
    }

    /// Whether `touched` is the whole path of an action.
    pub(crate) fn is_complete(&self, touched: &[String]) -> bool {
        let loose = |id: &str| self.any_order.iter().any(|other| other == id);
        self.touches.iter().flatten().any(|touch| touch.next(touched, &loose).is_some_and(|next| next.is_empty()))
    }
}

/// The ids that may come after `touched`, each once, in the order of the actions.
fn next(possible: &[&Touch], touched: &[String], any_order: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut seen = HashSet::new();
    let ids = possible.iter().flat_map(|touch| touch.next(touched, any_order).unwrap_or_default());
    ids.filter(|&id| seen.insert(id)).map(String::from).collect()
}

fn once<'a>(ids: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = HashSet::new();
    ids.filter(|id| seen.insert(id.as_str())).cloned().collect()
}

/// Whether something is said on the way to the end of `path`.
fn is_captioned(current: &dyn AnyMatch, seat: Seat, path: &[String]) -> bool {
    (1..path.len()).any(|end| current.caption(seat, &path[..end]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(action: &str, path: &[&str]) -> Touch {
        Touch { action: action.into(), path: path.iter().map(|id| (*id).into()).collect() }
    }

    #[test]
    fn the_next_ids_are_listed_once_in_order() {
        let all = [touch("b1", &["b", "1"]), touch("b2", &["b", "2"]), touch("a1", &["a", "1"]), touch("c", &["c"])];
        let possible: Vec<&Touch> = all.iter().collect();
        let after = |possible: &[&Touch], touched: &str| {
            let touched: Vec<String> = touched.split_whitespace().map(String::from).collect();
            next(possible, &touched, &|id| id.starts_with(|first: char| first.is_ascii_digit()))
        };
        assert_eq!(after(&possible, ""), ["b", "a", "c"]);
        assert_eq!(after(&possible[..2], "b"), ["1", "2"]);
        assert_eq!(after(&possible[3..], "c"), [""; 0]);
        let exchanges = [touch("12>3", &["1", "2", "for", "3"]), touch("22>3", &["2", "2", "for", "3"])];
        let possible: Vec<&Touch> = exchanges.iter().collect();
        assert_eq!(after(&possible, ""), ["1", "2"]);
        assert_eq!(after(&possible, "2"), ["1", "2"]);
        assert_eq!(after(&possible[1..], "2 2"), ["for"]);
    }

    #[test]
    fn few_are_sent_and_many_are_narrowed() {
        let game = raichi_games::game("nim:sizes=200/200/101,max=0").unwrap();
        let current = game.new_match();
        let all = current.touches(0);
        let root = Choices::after(&*current, 0, &all, &[]).unwrap();
        assert_eq!((root.n_actions, root.touches.is_none(), root.next.unwrap().len()), (501, true, 501));
        let whole = Choices::after(&*current, 0, &all, &all[7].path).unwrap();
        assert_eq!((whole.n_actions, whole.touches, whole.next), (1, Some(vec![all[7].clone()]), None));
        assert_eq!(Choices::after(&*current, 0, &all, &["z-9".into()]), None);
        let fewer = Choices::after(&*current, 0, &all[1..], &[]).unwrap();
        assert_eq!((fewer.n_actions, fewer.touches.unwrap().len(), fewer.captions), (500, 500, false));
    }

    #[test]
    fn the_ends_of_a_line_are_touched_in_any_order() {
        let game = raichi_games::game("sim").unwrap();
        let current = game.new_match();
        let all = current.touches(0);
        let touched = |ids: &[&str]| ids.iter().map(|id| id.to_string()).collect::<Vec<String>>();
        let half = Choices::after(&*current, 0, &all, &touched(&["5"])).unwrap();
        assert_eq!((half.n_actions, half.any_order.len()), (5, 6));
        assert!(!half.is_complete(&touched(&["5"])));
        let whole = Choices::after(&*current, 0, &all, &touched(&["5", "2"])).unwrap();
        assert_eq!(whole.example, "2-5");
        assert!(whole.is_complete(&touched(&["5", "2"])));
        assert_eq!(Choices::after(&*current, 0, &all, &touched(&["5", "5"])), None);
    }
}
