//! What a seat may choose, as a graph of touches: the page looks up what a touch leads to and derives nothing.
//!
//! Every legal action has a path of ids to touch ([`Touch`]). A [`Step`] is what has been touched so far, and lists
//! each id that may follow with the action that it completes or the step that it leads to. Touches that may come in
//! any order lead to the same step. A position may have tens of thousands of legal actions; then the graph is cut off
//! where it would grow too large to send, and the client asks again when it comes to such a place.

use std::collections::HashMap;

use raichi_core::AnyMatch;
use raichi_core::picture::Touch;
use raichi_core::seat::Seat;
use serde::Serialize;

/// The graph grows to at most this many ids over all its steps, unless the first step alone has more.
const MAX_IDS: usize = 600;

/// The legal actions that begin with certain touches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Choices {
    /// The text of one of the actions.
    pub(crate) example: String,
    /// Never empty; the first is where the touches have led.
    pub(crate) steps: Vec<Step>,
}

/// Where some touches lead.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Step {
    /// How many actions go on from here.
    pub(crate) n_actions: usize,
    /// What may be touched next.
    pub(crate) next: Vec<NextTouch>,
    /// The ids touched so far that can be taken back by themselves: the last one, and those before it whose order is
    /// free.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) removable: Vec<String>,
    /// A sentence on the touches so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) caption: Option<String>,
}

/// An id that may be touched next. Where it has neither an action nor a step, the server knows more.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NextTouch {
    pub(crate) id: String,
    /// The action that this touch completes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) action: Option<String>,
    /// The index of the step that this touch leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) step: Option<usize>,
    /// Whether the action loses at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) loses: bool,
}

impl Choices {
    /// Of `all` that `seat` may choose what goes on from `touched`; `None` where nothing does.
    pub(crate) fn after(current: &dyn AnyMatch, seat: Seat, all: &[Touch], touched: &[String]) -> Option<Choices> {
        let graph = Graph {
            any_order: &|id| current.any_order(id),
            caption: &|touched| current.caption(seat, touched),
            losing: &current.losing(seat),
            max_ids: MAX_IDS,
        };
        graph.choices(all, touched)
    }
}

/// The touches that lead to a step, and the actions that go on from there.
struct Place<'a> {
    touched: Vec<String>,
    possible: Vec<&'a Touch>,
}

/// What the graph is made by, besides the paths.
pub(crate) struct Graph<'a> {
    pub(crate) any_order: &'a dyn Fn(&str) -> bool,
    pub(crate) caption: &'a dyn Fn(&[String]) -> Option<String>,
    /// The actions that lose at once.
    pub(crate) losing: &'a [String],
    pub(crate) max_ids: usize,
}

impl Graph<'_> {
    /// Of `all` what goes on from `touched`; `None` where nothing does.
    pub(crate) fn choices(&self, all: &[Touch], touched: &[String]) -> Option<Choices> {
        let goes_on = |touch: &&Touch| self.next(touch, touched).is_some_and(|next| !next.is_empty());
        let possible: Vec<&Touch> = all.iter().filter(goes_on).collect();
        let example = possible.first()?.action.clone();
        let first = Place { touched: touched.to_vec(), possible };
        let mut index_of = HashMap::from([(self.canonical(touched), 0)]);
        let mut steps = vec![self.step(&first)];
        let mut n_ids = steps[0].next.len();
        // Breadth first, so that what is cut off is what lies farthest.
        let mut places = vec![first];
        let mut at = 0;
        while at < places.len() && n_ids < self.max_ids {
            for i in 0..steps[at].next.len() {
                let NextTouch { id, action: None, .. } = &steps[at].next[i] else { continue };
                let touched: Vec<String> = places[at].touched.iter().chain([id]).cloned().collect();
                let key = self.canonical(&touched);
                let index = index_of.get(&key).copied().or_else(|| {
                    let place = self.place(&places[at].possible, touched);
                    let step = self.step(&place);
                    if n_ids + step.next.len() > self.max_ids {
                        return None;
                    }
                    n_ids += step.next.len();
                    index_of.insert(key, steps.len());
                    steps.push(step);
                    places.push(place);
                    Some(steps.len() - 1)
                });
                steps[at].next[i].step = index;
            }
            at += 1;
        }
        Some(Choices { example, steps })
    }

    fn next<'t>(&self, touch: &'t Touch, touched: &[String]) -> Option<Vec<&'t str>> {
        touch.next(touched, self.any_order)
    }

    /// Those of `possible` that go on from `touched`.
    fn place<'a>(&self, possible: &[&'a Touch], touched: Vec<String>) -> Place<'a> {
        let possible = possible.iter().filter(|touch| self.next(touch, &touched).is_some()).copied().collect();
        Place { touched, possible }
    }

    fn step(&self, Place { touched, possible }: &Place<'_>) -> Step {
        let mut next: Vec<NextTouch> = Vec::new();
        let mut index_of: HashMap<&str, usize> = HashMap::new();
        for touch in possible {
            for id in self.next(touch, touched).unwrap_or_default() {
                let index = *index_of.entry(id).or_insert(next.len());
                if index == next.len() {
                    next.push(NextTouch { id: id.into(), action: None, step: None, loses: false });
                }
                if touch.path.len() == touched.len() + 1 {
                    next[index].action = Some(touch.action.clone());
                    next[index].loses = self.losing.contains(&touch.action);
                }
            }
        }
        let caption = if touched.is_empty() { None } else { (self.caption)(touched) };
        Step { n_actions: possible.len(), next, removable: self.removable(touched), caption }
    }

    fn removable(&self, touched: &[String]) -> Vec<String> {
        let n_free = touched.iter().rev().take_while(|id| (self.any_order)(id)).count();
        touched[touched.len() - n_free.max(1).min(touched.len())..].to_vec()
    }

    /// The touches with those sorted that follow one another and may come in any order.
    fn canonical(&self, touched: &[String]) -> Vec<String> {
        let mut touched = touched.to_vec();
        let is_free = |id: &String| (self.any_order)(id);
        touched.chunk_by_mut(|a, b| is_free(a) && is_free(b)).for_each(<[String]>::sort_unstable);
        touched
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(touched: &[&str]) -> Vec<String> {
        touched.iter().map(|id| id.to_string()).collect()
    }

    fn after(current: &dyn AnyMatch, touched: &[&str]) -> Option<Choices> {
        Choices::after(current, 0, &current.touches(0), &ids(touched))
    }

    fn listed(step: &Step) -> Vec<&str> {
        step.next.iter().map(|next| next.id.as_str()).collect()
    }

    /// The action that touching `path` chooses, with a new question wherever the graph is cut off.
    fn chosen(current: &dyn AnyMatch, all: &[Touch], path: &[String]) -> Option<String> {
        let mut choices = Choices::after(current, 0, all, &[])?;
        let mut at = 0;
        for (i, id) in path.iter().enumerate() {
            let next = choices.steps[at].next.iter().find(|next| next.id == *id)?.clone();
            match next {
                NextTouch { action: Some(action), .. } => return (i + 1 == path.len()).then_some(action),
                NextTouch { step: Some(step), .. } => at = step,
                NextTouch { .. } => {
                    choices = Choices::after(current, 0, all, &path[..=i])?;
                    at = 0;
                }
            }
        }
        None
    }

    #[test]
    fn every_path_of_every_game_chooses_its_action() {
        for entry in raichi_games::REGISTRY {
            let game = raichi_games::game(entry.id).unwrap();
            let mut current = game.new_match();
            let mut rng = raichi_core::random::stream(1, entry.id, 0);
            while current.phase() == raichi_core::Phase::Chance {
                current.sample_outcome(&mut rng).unwrap();
            }
            let all = current.touches(0);
            for touch in all.iter().step_by(all.len() / 40 + 1) {
                assert_eq!(chosen(&*current, &all, &touch.path).as_ref(), Some(&touch.action), "{}", entry.id);
            }
        }
    }

    #[test]
    fn few_actions_are_one_whole_graph_and_many_are_cut_off() {
        let tablut = raichi_games::game("tablut").unwrap().new_match();
        let choices = after(&*tablut, &[]).unwrap();
        assert_eq!(choices.steps[0].n_actions, tablut.touches(0).len());
        assert!(
            choices.steps.iter().flat_map(|step| &step.next).all(|next| next.action.is_some() || next.step.is_some())
        );
        let from = choices.steps[0].next[0].step.unwrap();
        assert_eq!(choices.steps[from].removable, [choices.steps[0].next[0].id.clone()]);

        let all = tablut.touches(0);
        let graph = Graph { any_order: &|_| false, caption: &|_| None, losing: &[], max_ids: 40 };
        let choices = graph.choices(&all, &[]).unwrap();
        let ids: Vec<&NextTouch> = choices.steps.iter().flat_map(|step| &step.next).collect();
        assert!(choices.steps.len() > 1 && ids.len() <= 40, "{} ids", ids.len());
        assert!(ids.iter().any(|next| next.action.is_none() && next.step.is_none()));
    }

    #[test]
    fn actions_that_lose_at_once_are_marked() {
        let losing = |spec: &str, history: &str, seat: Seat| -> Vec<String> {
            let mut current = raichi_games::game(spec).unwrap().new_match();
            current.play_history(history).unwrap();
            let choices = Choices::after(&*current, seat, &current.touches(seat), &[]).unwrap();
            let next = choices.steps.into_iter().flat_map(|step| step.next);
            let mut losing: Vec<String> = next.filter(|next| next.loses).filter_map(|next| next.action).collect();
            losing.sort_unstable();
            losing.dedup();
            losing
        };
        // Black has 1-2 and 2-3; the third side of the triangle loses, whichever of its ends is touched first.
        assert_eq!(losing("sim", "1-2 4-5 2-3 4-6", 0), ["1-3"]);
        assert_eq!(losing("sim", "1-2 4-5 2-3", 1), [""; 0]);
        // A seat that makes three in a row loses.
        assert_eq!(losing("yavalath:swap=false", "a1 e1 a2 e9", 0), ["a3"]);
        // With three players one is out, and the others play on.
        assert_eq!(losing("sim:players=3", "1-2 4-5 3-6 2-3 4-6 2-5", 0), ["1-3"]);
        assert_eq!(losing("yavalath:players=3", "a1 e1 i5 a2 e9 i1", 0), ["a3"]);
        // The last stick, unless it is the only one left to take.
        assert_eq!(losing("nim:sizes=1/2,misere=true", "a1", 1), ["b2"]);
        assert_eq!(losing("nim:sizes=1/1,misere=true", "a1", 1), [""; 0]);
    }

    #[test]
    fn nothing_is_marked_where_a_state_holds_more_than_a_seat_knows() {
        for spec in ["poker", "blackjack", "jabirs-transmutations", "2048"] {
            let mut current = raichi_games::game(spec).unwrap().new_match();
            let mut rng = raichi_core::random::stream(3, spec, 0);
            for _ in 0..60 {
                match current.phase() {
                    raichi_core::Phase::Act(seats) => {
                        assert!(current.losing(seats.first()).is_empty(), "{spec}");
                        current.play_random(seats.first(), &mut rng).unwrap();
                    }
                    raichi_core::Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
                    raichi_core::Phase::Over => break,
                }
            }
        }
    }

    #[test]
    fn what_begins_nothing_or_is_whole_has_no_choices() {
        let nim = raichi_games::game("nim").unwrap().new_match();
        let path = &nim.touches(0)[0].path;
        assert_eq!(after(&*nim, &["z-9"]), None);
        assert_eq!(Choices::after(&*nim, 0, &nim.touches(0), path), None);
    }

    #[test]
    fn the_ends_of_a_line_are_touched_in_any_order() {
        let sim = raichi_games::game("sim").unwrap().new_match();
        let choices = after(&*sim, &[]).unwrap();
        assert_eq!((choices.steps.len(), choices.steps[0].next.len()), (7, 6));
        let half = after(&*sim, &["5"]).unwrap();
        assert_eq!((half.steps[0].n_actions, listed(&half.steps[0])), (5, vec!["1", "2", "3", "4", "6"]));
        assert_eq!(half.steps[0].removable, ["5"]);
        assert_eq!(half.steps[0].next[1].action.as_deref(), Some("2-5"));
        assert_eq!(after(&*sim, &["5", "5"]), None);
    }

    #[test]
    fn touches_in_any_order_lead_to_the_same_step() {
        let swap = |action: &str, path: &[&str]| Touch { action: action.into(), path: ids(path) };
        let all = [swap("RO>Y", &["R", "O", "for", "Y"]), swap("RO>K", &["R", "O", "for", "K"])];
        let graph = Graph { any_order: &|id| id != "for", caption: &|_| None, losing: &[], max_ids: 100 };
        let choices = graph.choices(&all, &[]).unwrap();
        let after =
            |step: usize, id: &str| choices.steps[step].next.iter().find(|next| next.id == id).unwrap().step.unwrap();
        let (red, orange) = (after(0, "R"), after(0, "O"));
        assert_ne!(red, orange);
        let both = after(red, "O");
        assert_eq!(both, after(orange, "R"));
        assert_eq!(choices.steps[both].removable, ids(&["R", "O"]));
        assert_eq!(choices.steps[after(both, "for")].removable, ids(&["for"]));
        let backwards = graph.choices(&all, &ids(&["O", "R", "for"])).unwrap();
        assert_eq!((backwards.steps.len(), listed(&backwards.steps[0])), (1, vec!["Y", "K"]));
    }

    #[test]
    fn the_first_step_is_whole_however_small_the_limit() {
        let all = raichi_games::game("tablut").unwrap().new_match().touches(0);
        let graph = Graph { any_order: &|_| false, caption: &|_| None, losing: &[], max_ids: 1 };
        let choices = graph.choices(&all, &[]).unwrap();
        assert_eq!(choices.steps.len(), 1);
        assert!(choices.steps[0].next.len() > 1 && choices.steps[0].next.iter().all(|next| next.step.is_none()));
    }
}
