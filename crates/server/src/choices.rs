//! What a seat may choose, as much of it as is good to send.
//!
//! A position may have tens of thousands of legal actions. Where there are few, a client is sent them all and needs
//! nobody to narrow them; where there are many, it is sent what may be touched next and asks again after each touch.

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
    /// Whether there is something to be said of half-made choices.
    pub(crate) captions: bool,
    /// The text of one of them.
    pub(crate) example: String,
}

impl Choices {
    /// Of all that `seat` may choose what begins with `touched`; `None` where nothing does.
    pub(crate) fn after(current: &dyn AnyMatch, seat: Seat, all: &[Touch], touched: &[String]) -> Option<Choices> {
        let possible: Vec<&Touch> = all.iter().filter(|touch| touch.path.starts_with(touched)).collect();
        let example = possible.first()?.action.clone();
        let n_actions = possible.len();
        if n_actions > FEW {
            let next = Some(next(&possible, touched.len()));
            return Some(Choices { n_actions, touches: None, next, captions: true, example });
        }
        let captions = possible.iter().any(|touch| is_captioned(current, seat, &touch.path));
        let touches = Some(possible.into_iter().cloned().collect());
        Some(Choices { n_actions, touches, next: None, captions, example })
    }

    /// Whether `touched` is the whole path of an action.
    pub(crate) fn is_complete(&self, touched: &[String]) -> bool {
        self.touches.iter().flatten().any(|touch| touch.path == touched)
    }
}

/// The ids that come after the first `n_touched`, each once, in the order of the actions.
fn next(possible: &[&Touch], n_touched: usize) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let ids = possible.iter().filter_map(|touch| touch.path.get(n_touched));
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
        assert_eq!(next(&possible, 0), ["b", "a", "c"]);
        assert_eq!(next(&possible[..2], 1), ["1", "2"]);
        assert_eq!(next(&possible[3..], 1), [""; 0]);
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
}
