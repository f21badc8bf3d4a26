//! The player of Blackjack by expectation.

use raichi_core::conformance::random_params;
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_core::{Match, SeatView};
use raichi_engines::blackjack::Expectation;
use raichi_games::blackjack::{Action, Blackjack};
use raichi_search::{Advice, Budget};

use crate::common::{begun, decide, keeps_time};

fn advise(current: &Match<Blackjack>, seed: u64) -> Advice<Action> {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    decide(&mut Expectation, &current.view(seats.first()), Budget::UNLIMITED, seed)
}

/// What is played with two cards against the dealer's card, its other card being `down`.
fn with(cards: [&str; 2], up: &str, down: &str) -> Advice<Action> {
    let [one, other] = cards;
    let mut current = begun::<Blackjack>("blackjack:chips=1000", "", &format!("bet-10 ~{one} ~{up} ~{other} ~{down}"));
    if current.view(0).legal_actions().contains(&Action::NoInsurance) {
        current.play(0, Action::NoInsurance).unwrap();
    }
    advise(&current, 1)
}

#[test]
fn it_plays_published_basic_strategy_where_that_is_clear() {
    use Action::{Double, Hit, Split, Stand, Surrender};
    // Six decks, the dealer stands on all 17s, doubling after splits, late surrender.
    for (cards, up, action) in [
        (["Tc", "6d"], "Th", Surrender),
        (["Tc", "6d"], "9h", Surrender),
        (["9c", "6d"], "Th", Surrender),
        (["Tc", "6d"], "7h", Hit),
        (["Tc", "3d"], "2h", Stand),
        (["Tc", "2d"], "3h", Hit),
        (["Tc", "2d"], "5h", Stand),
        (["Tc", "7d"], "Th", Stand),
        (["6c", "5d"], "Th", Double),
        (["6c", "5d"], "6h", Double),
        (["6c", "4d"], "9h", Double),
        (["6c", "4d"], "Th", Hit),
        (["5c", "4d"], "3h", Double),
        (["5c", "4d"], "7h", Hit),
        (["5c", "3d"], "6h", Hit),
        (["Ac", "7d"], "9h", Hit),
        (["Ac", "7d"], "8h", Stand),
        (["Ac", "7d"], "5h", Double),
        (["Ac", "6d"], "2h", Hit),
        (["Ac", "2d"], "6h", Double),
        (["Ac", "8d"], "6h", Stand),
        (["8c", "8d"], "Th", Split),
        (["Ac", "Ad"], "Th", Split),
        (["9c", "9d"], "7h", Stand),
        (["9c", "9d"], "9h", Split),
        (["5c", "5d"], "6h", Double),
        (["4c", "4d"], "6h", Split),
        (["Tc", "Td"], "6h", Stand),
        (["2c", "2d"], "6h", Split),
        (["7c", "7d"], "8h", Hit),
    ] {
        let advice = with(cards, up, "5s");
        assert_eq!(advice.action, action, "{cards:?} against {up}: {advice:?}");
    }
}

#[test]
fn the_advice_and_its_values_do_not_depend_on_the_card_that_lies_face_down() {
    for (cards, up) in [(["Tc", "6d"], "Th"), (["8c", "8d"], "6h"), (["Ac", "7d"], "2h")] {
        let found = ["5s", "9d", "Tc"].map(|down| with(cards, up, down));
        let same =
            |other: &Advice<Action>| (other.action, &other.candidates) == (found[0].action, &found[0].candidates);
        assert!(found.iter().all(same), "{cards:?} against {up}");
        let current = begun::<Blackjack>("blackjack", "", &format!("bet-10 ~{} ~{up} ~{} ~5s", cards[0], cards[1]));
        let view = current.view(0);
        for seed in 0..4 {
            let other = view.determinize(&mut stream(seed, "test", 0));
            let view = SeatView::new(current.game(), &other, current.choices(), 0);
            let advice = decide(&mut Expectation, &view, Budget::UNLIMITED, seed);
            assert_eq!(advice.candidates, advise(&current, seed).candidates);
        }
    }
}

#[test]
fn values_are_payoffs_and_insurance_is_for_shoes_full_of_tens() {
    let advice = with(["Tc", "6d"], "6h", "5s");
    let stand = advice.candidates.iter().find(|candidate| candidate.action == Action::Stand).unwrap();
    assert!((-2.0..-1.0).contains(&stand.values[0]), "a 16 against a 6 loses about 0.15 of the wager: {advice:?}");
    let current = begun::<Blackjack>("blackjack", "", "bet-10 ~2c ~Ah ~3d ~9s");
    assert_eq!(advise(&current, 1).action, Action::NoInsurance);
}

#[test]
fn every_parameter_set_is_played() {
    for seed in 0..60 {
        let mut rng = stream(seed, "parameters", 0);
        let params = random_params(&raichi_core::erased::params::<Blackjack>(), &mut rng);
        let Ok(game) = raichi_core::erased::create::<Blackjack>(params.as_deref()) else { continue };
        let mut current = Match::new(game);
        while current.n_plies() < 150 {
            match current.phase() {
                Phase::Over => break,
                Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
                Phase::Act(seats) => {
                    let advice = advise(&current, seed);
                    assert!(
                        advice.candidates.iter().flat_map(|candidate| &candidate.values).all(|value| value.is_finite())
                    );
                    current.play(seats.first(), advice.action).expect("what is advised is legal");
                }
            }
        }
    }
}

#[test]
fn decisions_end_in_time() {
    // What splitting is worth is not known at once by these rules.
    let current = begun::<Blackjack>("blackjack:decks=8,soft17=hit", "", "bet-10 ~2c ~2h ~2d ~9s");
    keeps_time::<Blackjack>(|| Box::new(Expectation), &current.view(0));
}
