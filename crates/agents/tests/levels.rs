//! The levels as opponents: the first loses to somebody careful, the last wins.

use raichi_agents::{Budget, Session, prepare};
use raichi_core::game::Phase;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{AnyGame, AnyMatch, Seat};
use std::sync::Arc;

/// Wins at once where it can, does not lose at once and lets nobody else win at once where it can help it, and does
/// anything otherwise.
fn careful(current: &dyn AnyMatch, seat: Seat, rng: &mut FastRng) -> String {
    let mut quiet = Vec::new();
    let legal = current.legal(seat);
    for action in &legal {
        let mut after = current.boxed_clone();
        after.play(seat, action).unwrap();
        match after.phase() {
            Phase::Over if after.payoffs()[seat] > 0.0 => return action.clone(),
            Phase::Over if after.payoffs()[seat] < 0.0 => {}
            Phase::Act(seats) if wins_at_once(&*after, seats.first(), seat) => {}
            _ => quiet.push(action.clone()),
        }
    }
    let choices = if quiet.is_empty() { legal } else { quiet };
    choices[index(rng, choices.len())].clone()
}

fn wins_at_once(current: &dyn AnyMatch, seat: Seat, other: Seat) -> bool {
    seat != other
        && current.legal(seat).iter().any(|action| {
            let mut after = current.boxed_clone();
            after.play(seat, action).unwrap();
            after.phase() == Phase::Over && after.payoffs()[seat] > 0.0
        })
}

/// What `one` scores against `other` in so many games, half of them from each side: 1 for a win, ½ for a draw.
fn score(
    game: &Arc<dyn AnyGame>,
    n_games: u64,
    one: &mut dyn FnMut(&dyn AnyMatch, Seat) -> String,
    other: &str,
) -> f64 {
    let agent = prepare(game, other).unwrap();
    let mut points = 0.0;
    for seed in 0..n_games {
        let (mut session, own): (Box<dyn Session>, Seat) = (agent.open(seed), seed as usize % 2);
        let mut current = game.new_match();
        while let Phase::Act(seats) = current.phase() {
            let seat = seats.first();
            let action = match seat == own {
                true => one(&*current, seat),
                false => session.decide(&*current, seat, Budget::UNLIMITED).unwrap().action,
            };
            current.play(seat, &action).unwrap();
        }
        points += (1.0 + current.payoffs()[own]) / 2.0;
    }
    points / n_games as f64
}

#[test]
fn somebody_careful_beats_the_first_level() {
    for (spec, n_games) in
        [("tic-tac-toe", 100), ("connect-four", 60), ("yavalath", 40), ("hex:size=4", 60), ("tablut", 20)]
    {
        let game = raichi_games::game(spec).unwrap();
        let mut rng = stream(1, "careful", 0);
        let points = score(&game, n_games, &mut |current, seat| careful(current, seat, &mut rng), "level:1");
        println!("{spec}: {points:.3}");
        assert!(points > 0.6, "{spec}: {points} points a game");
    }
}

#[test]
fn the_last_level_beats_the_first_at_connect_four() {
    let game = raichi_games::game("connect-four").unwrap();
    let agent = prepare(&game, "level:10").unwrap();
    let mut session = agent.open(1);
    let mut play = |current: &dyn AnyMatch, seat| session.decide(current, seat, Budget::UNLIMITED).unwrap().action;
    assert!(score(&game, 10, &mut play, "level:1") >= 0.95);
}
