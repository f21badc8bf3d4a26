//! How a game ended, in a sentence.

use crate::erased::AnyGame;
use crate::game::Payoffs;
use crate::resignation::RESIGNED;
use crate::seat::Seat;

/// Who won and why: `Yellow wins: line`, `A draw: full`. `end` is the game's own reason, or `resigned`.
pub fn verdict(game: &dyn AnyGame, payoffs: &Payoffs, end: &str) -> String {
    let names: Vec<String> = (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect();
    let headline = headline(&names, payoffs.as_slice(), None);
    format!("{headline}: {end}")
}

/// The same in words for people, one of whom may hold the seat `you`: `You win: four in a row.`
pub fn sentence(game: &dyn AnyGame, payoffs: &Payoffs, end: &str, you: Option<Seat>) -> String {
    let name = |seat| if you == Some(seat) { "You".into() } else { game.seat_name(seat) };
    let names: Vec<String> = (0..game.facts().n_seats).map(name).collect();
    let payoffs = payoffs.as_slice();
    let headline = headline(&names, payoffs, you);
    let why = match end {
        RESIGNED if you.is_some_and(|seat| is_least(payoffs, seat)) => "you resigned".into(),
        RESIGNED => match (0..names.len()).find(|&seat| is_least(payoffs, seat)) {
            Some(seat) => format!("{} resigned", names[seat]),
            None => end.into(),
        },
        end => game.end_text(end).map_or_else(|| common_end_text(end), String::from),
    };
    format!("{headline}: {why}.")
}

fn is_least(payoffs: &[f64], seat: Seat) -> bool {
    payoffs.iter().all(|&payoff| payoffs[seat] <= payoff)
}

/// What the reasons mean that several games share.
fn common_end_text(end: &str) -> String {
    match end {
        "cap" => "the limit of plies is reached".into(),
        "full" => "the board is full".into(),
        "last-item" => "the last item is taken".into(),
        "no-progress" => "no progress for too long".into(),
        "repetition" => "the position was repeated".into(),
        "rounds" => "all rounds are played".into(),
        "stuck" => "no move is left".into(),
        other => other.replace('-', " "),
    }
}

fn headline(names: &[String], payoffs: &[f64], you: Option<Seat>) -> String {
    if let [payoff] = payoffs {
        return format!("{} {} with {payoff}", names[0], if you.is_some() { "end" } else { "ends" });
    }
    let most = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut winners: Vec<Seat> = (0..names.len()).filter(|&seat| payoffs[seat] == most).collect();
    // You and others, not others and you.
    winners.sort_by_key(|&seat| you != Some(seat));
    let winning: Vec<&str> = winners.iter().map(|&seat| names[seat].as_str()).collect();
    match winning[..] {
        [winner] => format!("{winner} {}", if you == Some(winners[0]) { "win" } else { "wins" }),
        _ if winning.len() == names.len() && names.len() == 2 => "A draw".into(),
        _ if winning.len() == names.len() => "All share alike".into(),
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
            assert_eq!(headline(&names, payoffs, None), says);
        }
    }

    #[test]
    fn who_wins_is_called_you() {
        let names =
            |you: usize| ["A", "B", "C"].iter().enumerate().map(move |(i, name)| if i == you { "You" } else { name });
        for (payoffs, you, says) in [
            (&[1.0, -1.0][..], 0, "You win"),
            (&[1.0, -1.0], 1, "A wins"),
            (&[0.0, 0.0], 1, "A draw"),
            (&[0.5, 0.0, 0.5], 2, "You and A win together"),
            (&[12.0], 0, "You end with 12"),
        ] {
            let names: Vec<String> = names(you).take(payoffs.len()).map(String::from).collect();
            assert_eq!(headline(&names, payoffs, Some(you)), says);
        }
    }

    #[test]
    fn signs_are_shown() {
        assert_eq!([signed(1.0), signed(-0.5), signed(0.0), signed(-0.0)], ["+1", "−0.5", "0", "0"]);
    }
}
