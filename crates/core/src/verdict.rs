//! How a game ended, in a sentence.

use crate::erased::AnyGame;
use crate::game::Payoffs;

/// Who won and why: `Yellow wins: line`, `A draw: full`. `end` is the game's own reason, or `resigned`.
pub fn verdict(game: &dyn AnyGame, payoffs: &Payoffs, end: &str) -> String {
    let names: Vec<String> = (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect();
    let headline = headline(&names, payoffs.as_slice());
    format!("{headline}: {end}")
}

fn headline(names: &[String], payoffs: &[f64]) -> String {
    if let [payoff] = payoffs {
        return format!("{} ends with {payoff}", names[0]);
    }
    let most = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let winners: Vec<&str> = names.iter().zip(payoffs).filter(|&(_, &p)| p == most).map(|(name, _)| &**name).collect();
    match winners[..] {
        [winner] => format!("{winner} wins"),
        _ if winners.len() == names.len() && names.len() == 2 => "A draw".into(),
        _ if winners.len() == names.len() => "All share alike".into(),
        [ref others @ .., last] => format!("{} and {last} win together", others.join(", ")),
        [] => "Nobody wins".into(),
    }
}

/// A payoff for people, its sign always shown where it may be either: `+1`, `−0.5`, `0`.
pub fn signed(payoff: f64) -> String {
    if payoff > 0.0 {
        format!("+{payoff}")
    } else if payoff < 0.0 {
        format!("−{}", -payoff)
    } else {
        "0".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_draws_and_scores_are_told_apart() {
        for (payoffs, says) in [
            (&[1.0, -1.0][..], "A wins"),
            (&[0.0, 0.0], "A draw"),
            (&[-40.0, 40.0], "B wins"),
            (&[1234.0], "A ends with 1234"),
            (&[0.0, 1.0, 0.2], "B wins"),
            (&[0.5, 0.0, 0.5], "A and C win together"),
            (&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], "All share alike"),
        ] {
            let names: Vec<String> = ["A", "B", "C"].iter().take(payoffs.len()).map(|name| name.to_string()).collect();
            assert_eq!(headline(&names, payoffs), says);
        }
    }

    #[test]
    fn signs_are_shown() {
        assert_eq!([signed(1.0), signed(-0.5), signed(0.0), signed(-0.0)], ["+1", "−0.5", "0", "0"]);
    }
}
