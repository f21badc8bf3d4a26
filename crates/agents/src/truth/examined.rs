//! What was found out about a position and its actions, and which of two actions is better.

use raichi_core::seat::Seat;
use raichi_solve::{Exact, Method, Unsolved};

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The seat to act; `None` at chance and when the game is over.
    pub seat: Option<Seat>,
    /// What the position is worth under best play, without a cap; where only its actions were solved, what follows from them on the
    /// path of the match.
    pub exact: Result<Exact, Unsolved>,
    /// Whether that holds on the path of the match too: that neither the cap nor a rule of the path can change it.
    pub holds: bool,
    /// How it is known; where it is not, how what is known of the actions is.
    pub method: Method,
    /// The actions of the seat, in the order in which the game lists them. Where the position was not solved, what some of them
    /// are worth may be known all the same; there are none where it is of none.
    pub actions: Vec<ExaminedAction>,
}

/// What an action leads to.
#[derive(Clone, Debug)]
pub struct ExaminedAction {
    /// The action's text.
    pub action: String,
    /// What is known after it. The score is from the view of the seat that chooses, the plies count from after the action.
    pub exact: Result<Exact, Unsolved>,
    /// As [`Examined::holds`].
    pub holds: bool,
    /// How it is known.
    pub method: Method,
}

/// Relative differences below this are rounding.
const EQUAL: f64 = 1e-9;

fn compare(one: f64, other: f64) -> std::cmp::Ordering {
    match (one - other).abs() <= EQUAL * one.abs().max(1.0) {
        true => std::cmp::Ordering::Equal,
        false => one.total_cmp(&other),
    }
}

/// Which of two results of `seat`'s own actions is better: by its payoff; then by the score, where there is one; then it shortens a
/// win and prolongs a loss, and draws are equal, however long. The better one is the greater.
///
/// What has no length counts as longer than all that has one: a win at once is not put off, nor a loss at once sought.
pub fn better(seat: Seat, one: &Exact, other: &Exact) -> std::cmp::Ordering {
    let length = |exact: &Exact| exact.plies.map_or(u64::MAX, u64::from);
    let own = |exact: &Exact| exact.values[seat];
    let others = |exact: &Exact| {
        let values = exact.values.as_slice().iter().enumerate();
        values.filter(|&(i, _)| i != seat).map(|(_, &value)| value).fold(f64::NEG_INFINITY, f64::max)
    };
    let by_score = || match (one.score, other.score) {
        (Some(one), Some(other)) => compare(one, other),
        _ => std::cmp::Ordering::Equal,
    };
    let by_length = || match compare(own(one), others(one)) {
        std::cmp::Ordering::Greater => length(other).cmp(&length(one)),
        std::cmp::Ordering::Less => length(one).cmp(&length(other)),
        std::cmp::Ordering::Equal => std::cmp::Ordering::Equal,
    };
    compare(own(one), own(other)).then_with(by_score).then_with(by_length)
}

impl Examined {
    /// Everything there is to know, or why it is not known.
    ///
    /// # Errors
    /// Of the position, or of the first action that is not solved.
    pub fn complete(&self) -> Result<(), &Unsolved> {
        let mut all = std::iter::once(&self.exact).chain(self.actions.iter().map(|action| &action.exact));
        all.try_for_each(|exact| exact.as_ref().map(|_| ()))
    }

    /// Takes the position's value from its best action, where every action is solved but the position is not.
    ///
    /// Where equal actions bring the other seats different payoffs, the position stays unsolved.
    pub(super) fn or_by_actions(mut self) -> Examined {
        let all_are_known = self.actions.iter().all(|action| action.exact.is_ok());
        if self.exact.is_ok() || !all_are_known {
            return self;
        }
        if let (Some(seat), [(_, best), rest @ ..]) = (self.seat, &self.ranked()[..]) {
            let is_as_good = |exact: &&Exact| compare(exact.values[seat], best.values[seat]).is_eq();
            let as_good: Vec<&Exact> = rest.iter().map(|&(_, exact)| exact).filter(is_as_good).collect();
            let pays_the_same = |exact: &&Exact| {
                let pairs = exact.values.as_slice().iter().zip(best.values.as_slice());
                pairs.into_iter().all(|(&one, &other)| compare(one, other).is_eq())
            };
            if as_good.iter().all(pays_the_same) {
                let has_length = best.plies.is_some() && as_good.iter().all(|exact| exact.plies.is_some());
                let plies = best.plies.filter(|_| has_length).map(|plies| plies + 1);
                let exact = Exact { plies, ..(*best).clone() };
                self.holds = self.actions.iter().all(|action| action.holds);
                self.exact = Ok(exact);
            }
        }
        self
    }

    /// Where the position is not known, the method is that by which the known actions are: a search where they differ.
    pub(super) fn by_methods_of_actions(mut self) -> Examined {
        let mut methods = self.actions.iter().filter(|action| action.exact.is_ok()).map(|action| action.method);
        if let (Err(_), Some(first)) = (&self.exact, methods.next()) {
            self.method = if methods.all(|method| method == first) { first } else { Method::Search };
        }
        self
    }

    /// Whether the position and an action that is worth as much to the seat are solved, so that a best action is known, however
    /// many others are not.
    ///
    /// # Errors
    /// Of the position, or of the first action that is not solved.
    pub fn knows_best(&self) -> Result<(), &Unsolved> {
        let root = self.exact.as_ref()?;
        let reaches = |seat: Seat, best: &Exact| compare(best.values[seat], root.values[seat]).is_eq();
        match (self.seat, self.ranked().first()) {
            (Some(seat), Some((_, best))) if reaches(seat, best) => Ok(()),
            _ => self.complete(),
        }
    }

    /// The action that best play goes on with: the first of the best ones where all are known, else one that is worth what the
    /// position is and takes as long.
    pub fn best(&self) -> Option<&ExaminedAction> {
        let (action, best) = *self.ranked().first()?;
        let takes_as_long = |root: &Exact| root.plies.is_some() && best.plies.map(|plies| plies + 1) == root.plies;
        let is_best =
            self.complete().is_ok() || self.knows_best().is_ok() && self.exact.as_ref().is_ok_and(takes_as_long);
        is_best.then_some(action)
    }

    /// The actions whose values were not found, in the order in which the game lists them.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().filter(|action| action.exact.is_err()).map(|action| &*action.action)
    }

    /// The actions whose values are known, best first; of equals the first that the game lists comes first.
    pub fn ranked(&self) -> Vec<(&ExaminedAction, &Exact)> {
        let Some(seat) = self.seat else { return Vec::new() };
        let known = self.actions.iter().filter_map(|action| Some((action, action.exact.as_ref().ok()?)));
        let mut ranked: Vec<_> = known.collect();
        ranked.sort_by(|(_, one), (_, other)| better(seat, other, one));
        ranked
    }
}
