//! Actions of which an agent said too little are looked at separately ([`raichi_agents::separately`]), each for a short
//! time in the queue of those who think.

use std::time::Duration;

use raichi_agents::separately::{Look, Separately};
use raichi_core::seat::Seat;

use super::SEED;
use super::deepening::Asker;
use super::source::Position;
use crate::agents::Player;
use crate::error::Refusal;

/// How long a position after an action is looked at, and how many actions after each step.
const TIME: Duration = Duration::from_millis(60);
/// The same for each draw of what chance does, of which there are many for every action.
const TIME_A_DRAW: Duration = Duration::from_millis(10);
pub(super) const MOST: usize = 64;

/// Looks at what follows an action; says whether it found anything.
pub(super) async fn look(
    separately: &mut Separately,
    asker: &Asker,
    player: &Player,
    position: &Position,
    seat: Seat,
    action: &str,
) -> Result<bool, Refusal> {
    let Some(mut look) = Look::at(&*position.rules, &*position.current, seat, action, SEED) else { return Ok(false) };
    let of_chance = look.n_asked() > 1 && !position.current.facts().hidden;
    let time = if of_chance { TIME_A_DRAW } else { TIME };
    while let Some((after, to_act)) = look.question() {
        match asker.ask(player, None, after, to_act, time).await {
            Ok((advice, _)) => look.hear(&advice),
            // An agent that plays one seat only has nothing to say of what the others choose.
            Err(refusal) if refusal.code == "agent/refused" => return Ok(false),
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(separately.add(look))
}

#[cfg(test)]
mod tests {
    use raichi_agents::{Advice, Budget, Candidate, Certainty};
    use raichi_core::AnyMatch;
    use raichi_core::game::Facts;

    use super::*;

    fn candidate(action: &str, value: f64, certainty: Certainty) -> Candidate<String> {
        let values = vec![value, -value];
        Candidate { action: action.into(), values, certainty, visits: None, depth: None, plies: None }
    }

    /// What an agent says of the position after an action: `value` for seat 0.
    fn heard(current: &dyn AnyMatch, action: &str, value: f64, certainty: Certainty) -> Look {
        let game = raichi_games::game(current.spec()).unwrap();
        let mut look = Look::at(&*game, current, 0, action, SEED).unwrap();
        let (after, seat) = look.question().unwrap();
        let reply = after.legal(seat).remove(0);
        let candidates = vec![candidate(&reply, value, certainty)];
        look.hear(&Advice { candidates, ..Advice::without_search(reply, certainty == Certainty::Exact) });
        look
    }

    const ESTIMATE: Certainty = Certainty::Estimate { standard_error: None };

    #[test]
    fn a_short_look_is_worth_no_more_than_the_bound_and_the_chosen_action() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let current = game.new_match();
        let advice = Advice {
            candidates: vec![
                candidate("b2", 0.3, ESTIMATE),
                candidate("a1", 0.2, Certainty::UpperBound),
                candidate("a2", 0.3, Certainty::UpperBound),
                candidate("b1", 0.3, Certainty::UpperBound),
            ],
            ..Advice::without_search("b2".to_string(), false)
        };
        let mut separately = Separately::default();
        assert_eq!(separately.wanted(&*current, 0, &advice, false).len(), 8, "all but the chosen one");
        for (action, value, certainty) in
            [("a1", 0.5, ESTIMATE), ("a2", 0.1, ESTIMATE), ("a3", 0.9, ESTIMATE), ("c3", 1.0, Certainty::Exact)]
        {
            assert!(separately.add(heard(&*current, action, value, certainty)));
        }
        let completed = separately.completed(&game.facts(), 0, advice.clone());
        let complete = &completed.candidates;
        let said: Vec<_> = complete.iter().map(|one| (one.action.as_str(), one.values[0], one.values[1])).collect();
        // What is exact is told as it is, and a certain win is the choice; "b1" was not looked at.
        let expected =
            [("c3", 1.0), ("b2", 0.3), ("b1", 0.3), ("a3", 0.3), ("a1", 0.2), ("a2", 0.1)].map(|(a, v)| (a, v, -v));
        assert_eq!(said, expected);
        assert_eq!((&*completed.action, completed.proven, &*completed.line), ("c3", true, &["c3".to_string()][..]));
        assert_eq!(complete[2].certainty, Certainty::UpperBound);
        assert_eq!(separately.wanted(&*current, 0, &advice, false), ["b1", "b3", "c1", "c2"]);
    }

    #[test]
    fn an_action_that_is_known_to_pay_more_than_the_chosen_one_comes_first() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let current = game.new_match();
        let advice = |chosen: Certainty| Advice {
            candidates: vec![candidate("b2", 0.0, chosen), candidate("a1", 0.2, ESTIMATE)],
            ..Advice::without_search("b2".to_string(), false)
        };
        let found = |value| {
            let mut separately = Separately::default();
            assert!(separately.add(heard(&*current, "c3", value, Certainty::Exact)));
            assert!(separately.add(heard(&*current, "a3", 0.1, ESTIMATE)));
            separately
        };
        let order = |separately: &Separately, chosen| {
            let completed = separately.completed(&game.facts(), 0, advice(chosen));
            let order: Vec<String> = completed.candidates.into_iter().map(|one| one.action).collect();
            assert_eq!(order[0], completed.action);
            (order.join(" "), completed.proven)
        };
        // A draw is better than a loss, and it is not known that nothing is better than a draw.
        assert_eq!(order(&found(0.5), Certainty::Exact), ("c3 a1 a3 b2".into(), false));
        assert_eq!(order(&found(0.0), Certainty::Exact), ("b2 a1 a3 c3".into(), false));
        // What rounding leaves behind is no difference.
        assert_eq!(order(&found(1e-12), Certainty::Exact), ("b2 a1 c3 a3".into(), false));
        // What is only estimated may be worth more than something that is exact, as long as that is not a win.
        assert_eq!(order(&found(0.5), ESTIMATE), ("b2 c3 a1 a3".into(), false));
        assert_eq!(order(&found(1.0), ESTIMATE), ("c3 a1 b2 a3".into(), true));
    }

    /// What an agent finds of the only action.
    fn only(spec: &str, agent: &str) -> (Candidate<String>, Vec<String>, Facts) {
        let game = raichi_games::game(spec).unwrap();
        let current = game.new_match();
        let mut session = raichi_agents::prepare(&game, agent).unwrap().open(1);
        let advice = session.decide(&*current, 0, Budget::UNLIMITED).unwrap();
        let mut separately = Separately::default();
        let wanted = separately.wanted(&*current, 0, &advice, true);
        assert_eq!(wanted.len(), 1, "{spec}");
        let mut look = Look::at(&*game, &*current, 0, &wanted[0], SEED).unwrap();
        while let Some((after, seat)) = look.question() {
            look.hear(&session.decide(&*after, seat, Budget::UNLIMITED).unwrap());
        }
        assert!(separately.add(look), "{spec}");
        let complete = separately.completed(&game.facts(), 0, advice.clone());
        let found = &complete.candidates;
        assert_eq!((found.len(), &found[0].action), (1, &advice.action));
        (found[0].clone(), complete.line, game.facts())
    }

    #[test]
    fn the_only_action_has_a_value() {
        for spec in ["kaalu", "black"] {
            let (found, line, facts) = only(spec, "alphabeta:nodes=2000");
            let (low, high) = facts.payoff_range.unwrap();
            assert!(found.values[0] >= low && found.values[0] <= high, "{found:?}");
            assert!(line.len() > 1 && line[0] == found.action, "{line:?}");
        }
        // Chance deals next, and the dealer has a hidden card: the mean of several draws.
        let (found, line, _) = only("blackjack", "mcts:sims=50");
        assert!(matches!(found.certainty, Certainty::Estimate { standard_error: Some(error) } if error > 0.0));
        assert!(line.is_empty());
    }
}
