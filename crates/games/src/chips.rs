//! Who won how many chips, in words: what the games for chips say at their end.

use raichi_core::verdict::{Ending, counted};

/// Who came out best, and by how much: `you won the most, 35 chips`. A payoff is what a seat has more than at the start.
pub fn result(ending: &Ending<'_>) -> String {
    let (names, payoffs) = (ending.names, ending.payoffs.as_slice());
    let best = ending.winners();
    let payoff = payoffs[best[0]];
    let chips = counted(payoff.abs() as u64, "chip", "chips");
    let (who, each) = (names.list(&best), if best.len() > 1 { " each" } else { "" });
    let alone = payoffs.len() == 1;
    if payoff > 0.0 {
        let most = if alone { "" } else { "the most, " };
        format!("{who} won {most}{chips}{each}")
    } else if payoff < 0.0 {
        let least = if alone { "" } else { "the least, " };
        format!("{who} lost {least}{chips}{each}")
    } else if alone {
        format!("{who} came out even")
    } else {
        "nobody won any chips".into()
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::Payoffs;
    use raichi_core::verdict::Names;

    use super::*;

    #[test]
    fn the_best_are_named_with_their_chips() {
        for (spec, payoffs, says) in [
            ("blackjack:players=1", &[35.0][..], "you won 35 chips"),
            ("blackjack:players=1", &[-1.0], "you lost 1 chip"),
            ("blackjack:players=1", &[0.0], "you came out even"),
            ("blackjack:players=3", &[35.0, 35.0, -9.0], "you and Player 2 won the most, 35 chips each"),
            ("blackjack:players=3", &[-9.0, -2.0, -3.0], "Player 2 lost the least, 2 chips"),
            ("blackjack:players=3", &[0.0, 0.0, -3.0], "nobody won any chips"),
        ] {
            let game = crate::game(spec).unwrap();
            let names = Names::of(&*game).spoken_to(Some(0));
            let payoffs = Payoffs::new(payoffs.iter().copied());
            assert_eq!(result(&Ending { reason: "rounds", payoffs: &payoffs, names: &names, max_plies: None }), says);
        }
    }
}
