//! The player of ranges.

use raichi_core::conformance::random_params;
use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_core::{Match, PathGame, SeatView};
use raichi_engines::poker::Ranges;
use raichi_games::poker::{Action, Poker};
use raichi_search::{Advice, Budget};

use crate::common::{begun, decide, game, keeps_time};

fn advise(current: &Match<Poker>, simulations: u64, seed: u64) -> Advice<Action> {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    decide(&mut Ranges::new(), &current.view(seats.first()), Budget::simulations(simulations), seed)
}

/// Plays until the game is over or `n_plies` have been made, seats by `choose`.
fn play(
    current: &mut Match<Poker>,
    n_plies: usize,
    rng: &mut FastRng,
    mut choose: impl FnMut(&Match<Poker>, usize, &mut FastRng) -> Action,
) {
    while current.n_plies() < n_plies {
        match current.phase() {
            Phase::Over => return,
            Phase::Chance => current.sample_outcome(rng).expect("chance acts"),
            Phase::Act(seats) => {
                let action = choose(current, seats.first(), rng);
                current.play(seats.first(), action).expect("the action is legal");
            }
        }
    }
}

fn random(current: &Match<Poker>, seat: usize, rng: &mut FastRng) -> Action {
    current.game().random_action(current.state(), seat, &mut Vec::new(), rng)
}

#[test]
fn the_advice_is_the_same_for_all_states_that_the_seat_cannot_tell_apart() {
    for (spec, seed) in
        [("poker", 1), ("poker:players=3", 2), ("poker:players=6,chips=300", 3), ("poker:players=10", 4)]
    {
        let mut rng = stream(seed, "test", 0);
        let mut current = Match::new(game::<Poker>(spec));
        let mut n_compared = 0;
        while n_compared < 12 && current.phase() != Phase::Over {
            if let Phase::Act(seats) = current.phase() {
                let seat = seats.first();
                let ours = advise(&current, 60, seed);
                for _ in 0..3 {
                    let other = current.view(seat).determinize(&mut rng);
                    // The same plies were seen; of the others' cards, which nobody saw, the choices say nothing.
                    let seen: Vec<_> = (0..current.n_plies())
                        .map(|ply| current.plies()[ply].token(raichi_core::Viewer::Seat(seat)))
                        .collect();
                    assert_eq!(seen.len(), current.view(seat).seen().len());
                    let witnesses = witnesses(&current);
                    let view =
                        SeatView::new(current.game(), &other, current.choices(), seat).with_witnesses(&witnesses);
                    let theirs = decide(&mut Ranges::new(), &view, Budget::simulations(60), seed);
                    assert_eq!((ours.action, &ours.candidates), (theirs.action, &theirs.candidates), "{spec}");
                }
                n_compared += 1;
            }
            let n_plies = current.n_plies() + 1;
            play(&mut current, n_plies, &mut rng, |current, seat, rng| {
                // Without folding and all-in a round gets far.
                let legal = current.view(seat).legal_actions();
                let calls = [Action::Check, Action::Call].into_iter().find(|action| legal.contains(action));
                calls.unwrap_or_else(|| random(current, seat, rng))
            });
        }
        assert_eq!(n_compared, 12, "{spec}");
    }
}

fn witnesses(current: &Match<Poker>) -> Vec<raichi_core::SeatSet> {
    let sees = |ply: &raichi_core::history::Ply| {
        (0..current.game().facts().n_seats).filter(|&seat| ply.seen_by(raichi_core::Viewer::Seat(seat))).collect()
    };
    current.plies().iter().map(sees).collect()
}

#[test]
fn the_seed_decides() {
    let current = begun::<Poker>("poker", "", "~As ~2c ~Ad ~7h");
    assert_eq!(advise(&current, 500, 3).candidates, advise(&current, 500, 3).candidates);
    assert_ne!(advise(&current, 500, 3).candidates, advise(&current, 500, 4).candidates);
    assert_eq!(advise(&current, 500, 3).cost.simulations, 500);
}

#[test]
fn strong_hands_bet_and_hopeless_ones_fold() {
    // Seat 1 posts the small blind and is dealt to first.
    for (holes, history, good) in [
        ("~As ~2c ~Ad ~7h", "", &[Action::Raise, Action::AllIn, Action::Call][..]),
        ("~2c ~As ~7d ~Ad", "all-in", &[Action::AllIn]),
        ("~As ~2c ~Ad ~7h", "all-in", &[Action::Fold]),
        // The nuts on the river, after checks.
        ("~As ~2c ~Ks ~7h", "call check ~Qs ~Js ~Ts", &[Action::Check, Action::Bet, Action::AllIn]),
        (
            "~9c ~As ~8d ~Ks",
            "call check ~Qs ~Js ~3d check check ~4c check check ~Ts all-in",
            &[Action::AllIn, Action::Call],
        ),
        ("~9c ~2h ~8d ~3c", "call check ~As ~Ks ~Qd check check ~Js check check ~4h all-in", &[Action::Fold]),
    ] {
        let current = begun::<Poker>("poker", "", &format!("{holes} {history}"));
        let advice = advise(&current, 3_000, 1);
        assert!(good.contains(&advice.action), "{holes} {history}: {advice:?}");
    }
}

#[test]
fn values_are_payoffs() {
    let current = begun::<Poker>("poker:players=3", "", "~As ~2c ~Kd ~Ad ~7h ~Qs");
    let advice = advise(&current, 2_000, 1);
    for candidate in &advice.candidates {
        assert_eq!(candidate.values.len(), 3);
        assert!(candidate.values.iter().sum::<f64>().abs() < 1e-6, "chips are neither made nor lost: {candidate:?}");
        assert!(candidate.values.iter().all(|value| (-100.0..=200.0).contains(value)), "{candidate:?}");
    }
}

/// The chips that the player on each seat in turn wins of the others, in a game a seed.
fn mean_payoff(spec: &str, n_games: u64, other: impl Fn(&Match<Poker>, usize, &mut FastRng) -> Action) -> f64 {
    let game: PathGame<Poker> = game(spec);
    let n_seats = game.facts().n_seats;
    let payoff = |seed: u64| {
        let (seat, mut rng) = (seed as usize % n_seats, stream(seed / n_seats as u64, "match", 0));
        let mut current = Match::new(game.clone());
        play(&mut current, usize::MAX, &mut rng, |current, to_act, rng| {
            if to_act == seat { advise(current, 400, seed).action } else { other(current, to_act, rng) }
        });
        current.payoffs()[seat]
    };
    (0..n_games).map(payoff).sum::<f64>() / n_games as f64
}

#[test]
fn it_beats_whoever_always_calls_and_whoever_plays_anything() {
    let calls = |current: &Match<Poker>, seat: usize, _: &mut FastRng| {
        let legal = current.view(seat).legal_actions();
        let call = [Action::Check, Action::Call, Action::AllIn].into_iter().find(|action| legal.contains(action));
        call.expect("one of them is legal")
    };
    // Two standard errors are 12 chips where a game is won or lost with everything.
    let (of_callers, of_random) = (mean_payoff("poker", 300, calls), mean_payoff("poker", 300, random));
    assert!(of_callers > 12.0 && of_random > 12.0, "{of_callers} {of_random}");
}

#[test]
fn every_parameter_set_is_played() {
    for seed in 0..40 {
        let mut rng = stream(seed, "parameters", 0);
        let params = random_params(&raichi_core::erased::params::<Poker>(), &mut rng);
        let spec = params.map_or("poker".to_string(), |params| format!("poker:{params}"));
        let Ok(game) = raichi_core::erased::create::<Poker>(raichi_core::erased::split_spec(&spec).1) else { continue };
        let mut current = Match::new(game);
        play(&mut current, 60, &mut rng, |current, seat, rng| {
            if rng_is_even(rng) { advise(current, 20, seed).action } else { random(current, seat, rng) }
        });
    }
}

fn rng_is_even(rng: &mut FastRng) -> bool {
    raichi_core::random::index(rng, 2) == 0
}

#[test]
fn a_round_whose_beginning_was_not_seen_is_played() {
    let start = begun::<Poker>("poker:players=3", "", "~As ~2c ~Kd ~Ad ~7h ~Qs call call check ~2d ~9h ~Tc");
    let text = start.position_text(raichi_core::Viewer::Referee);
    let current = begun::<Poker>("poker:players=3", &text, "check");
    assert!(advise(&current, 300, 1).cost.simulations == 300);
}

#[test]
fn decisions_end_in_time() {
    let current = begun::<Poker>("poker:players=10", "", "");
    let mut current = current;
    play(&mut current, 20, &mut stream(1, "test", 0), random);
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    keeps_time::<Poker>(|| Box::new(Ranges::new()), &current.view(seats.first()));
}
