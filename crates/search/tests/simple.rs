//! The searches without a tree: one ply by an evaluator, flat Monte Carlo, rolling-horizon evolution.

use std::sync::Arc;

use raichi_core::game::{Game, Phase};
use raichi_core::random::stream;
use raichi_core::seat::Seat;
use raichi_core::toy::Toy;
use raichi_core::{Match, Playable};
use raichi_games::connect_four::ConnectFour;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_search::monte_carlo::{self, Allocation};
use raichi_search::options::Options;
use raichi_search::rolling_horizon::{self, Opponents};
use raichi_search::{
    Advice, BareHost, Budget, CancelFlag, Certainty, Evaluator, Greedy, Limits, MonteCarlo, RollingHorizon, Session,
    greedy,
};

use crate::common::{Kuhn, Matrix};

fn connect_four() -> ConnectFour {
    ConnectFour::new(7, 6).unwrap()
}

fn decide<G: Playable>(
    search: &mut impl Session<G>,
    current: &Match<G>,
    seat: Seat,
    simulations: u64,
    seed: u64,
) -> Advice<G::Action> {
    let (cancel, budget) = (CancelFlag::default(), Budget::simulations(simulations));
    let limits = Limits { budget, cancel: &cancel, host: &BareHost };
    search.decide(&current.view(seat), &limits, &mut stream(seed, "test", 0))
}

/// Values a position by what it pays when play breaks off there: in toys nothing, except where it says so.
struct AtOnce(fn(u32) -> f32);

impl Evaluator<Toy> for AtOnce {
    fn value(&self, _: &Toy, &state: &u32, seat: Seat) -> f32 {
        if seat == 0 { self.0(state) } else { -self.0(state) }
    }
}

/// What the evaluator of a tiny matrix cannot be asked, since its game ends with the first choices.
struct Nothing;

impl<G: Game> Evaluator<G> for Nothing {
    fn value(&self, _: &G, _: &G::State, _: Seat) -> f32 {
        0.0
    }
}

fn greedy<G: Playable>(evaluator: impl Evaluator<G>) -> Greedy<G> {
    let options = Options::parse("greedy", greedy::OPTIONS, None, None).unwrap();
    Greedy::new(greedy::Config::from_options(&options), Arc::new(evaluator))
}

#[test]
fn greedy_takes_expectations_where_chance_follows() {
    // The third pays 4 on average, chance after chance included; the first and the second less, the last 3 for sure.
    let current = Match::new(Toy::new("( {1 2 3} {9 -9 0} {2 {5 9 4} 4} 3 )"));
    let advice = decide(&mut greedy(AtOnce(|_| 0.0)), &current, 0, 1, 1);
    let found: Vec<_> = advice.candidates.iter().map(|candidate| (candidate.action, candidate.values[0])).collect();
    assert_eq!(found, [(2, 4.0), (3, 3.0), (0, 2.0), (1, 0.0)]);
    assert!(advice.proven && advice.candidates.iter().all(|candidate| candidate.is_exact()));
}

#[test]
fn greedy_asks_the_evaluator_where_play_goes_on_and_takes_the_payoff_where_it_ends() {
    // Nodes are numbered in the order in which they close: those of the opponent are 2 and 5.
    let current = Match::new(Toy::new("( [1 2] [3 -9] 4 )"));
    let advice = decide(&mut greedy(AtOnce(|state| if state == 5 { 4.5 } else { 0.0 })), &current, 0, 1, 1);
    assert_eq!(advice.action, 1, "it does not look beyond one ply: {advice:?}");
    assert!(!advice.proven);
    assert_eq!(advice.candidates[1].certainty, Certainty::Exact);
    assert_eq!(advice.candidates[0].certainty, Certainty::Estimate { standard_error: None });
}

#[test]
fn greedy_chooses_among_equals_at_random() {
    let current = Match::new(Toy::new("( 1 4 4 3 4 )"));
    let mut counts = [0; 5];
    for seed in 0..300 {
        counts[decide(&mut greedy(AtOnce(|_| 0.0)), &current, 0, 1, seed).action as usize] += 1;
    }
    assert_eq!((counts[0], counts[3]), (0, 0));
    assert!([1, 2, 4].into_iter().all(|i| (70..130).contains(&counts[i])), "{counts:?}");
}

#[test]
fn greedy_averages_over_what_others_choose_at_the_same_time_and_what_is_hidden() {
    // Against a random column the rows pay 0, 1 and −1.
    let matrix = Matrix(vec![vec![3.0, -3.0], vec![1.0, 1.0], vec![-4.0, 2.0]]);
    for seed in 0..20 {
        let advice = decide(&mut greedy(Nothing), &Match::new(matrix.clone()), 0, 1, seed);
        assert_eq!(advice.action, 1);
        assert!(!advice.proven);
    }
    // With the king a call wins the showdown, with the jack it loses: the last action of the game is its payoff.
    for (history, call) in [("~K ~Q pass bet", true), ("~J ~Q pass bet", false)] {
        let mut current = Match::new(Kuhn);
        current.play_history(history).unwrap();
        assert_eq!(decide(&mut greedy(Nothing), &current, 0, 1, 1).action, call, "{history}");
    }
}

const ALLOCATIONS: [Allocation; 3] = [Allocation::Uniform, Allocation::Ucb, Allocation::Halving];

fn flat(allocation: Allocation, threads: usize) -> MonteCarlo {
    MonteCarlo::new(monte_carlo::Config { allocation, threads, ..monte_carlo::Config::default() })
}

#[test]
fn monte_carlo_names_its_seat_where_several_act() {
    let matrix = Match::new(Matrix(vec![vec![0.0, 0.0], vec![1.0, 1.0]]));
    for seat in [0, 1] {
        let advice = decide(&mut flat(Allocation::Uniform, 1), &matrix, seat, 100, 1);
        assert_eq!(advice.line, [format!("{seat}:{}", advice.action)]);
    }
    let alone = Match::new(Toy::new("( 1 4 )"));
    assert_eq!(decide(&mut flat(Allocation::Uniform, 1), &alone, 0, 100, 1).line, ["1"]);
}

#[test]
fn monte_carlo_estimates_what_random_play_pays() {
    // Random replies: 2, then 5/3, then 7/4 by chance after the reply.
    let current = Match::new(Toy::new("( [3 1] [9 -5 1] [{1 2} {4 0}] )"));
    for allocation in ALLOCATIONS {
        let advice = decide(&mut flat(allocation, 1), &current, 0, 30_000, 1);
        assert_eq!(advice.action, 0, "{allocation:?}: {advice:?}");
        for candidate in &advice.candidates {
            let exact = [2.0, 5.0 / 3.0, 7.0 / 4.0][candidate.action as usize];
            let Certainty::Estimate { standard_error: Some(error) } = candidate.certainty else { panic!("{advice:?}") };
            let off = (candidate.values[0] - exact).abs();
            assert!(off < 5.0 * error && error < 0.2, "{allocation:?}: {off} with a standard error of {error}");
        }
        assert_eq!(advice.cost.simulations, 30_000);
    }
}

#[test]
fn halving_spends_its_playouts_on_the_better_half() {
    let current = Match::new(connect_four());
    let visits = |allocation, simulations| -> Vec<u64> {
        let advice = decide(&mut flat(allocation, 1), &current, 0, simulations, 1);
        advice.candidates.iter().map(|candidate| candidate.visits.unwrap()).collect()
    };
    // 7, 4 and 2 actions in three rounds of 280.
    let mut halving = visits(Allocation::Halving, 840);
    halving.sort_unstable();
    assert_eq!(halving, [40, 40, 40, 110, 110, 250, 250]);
    assert!(visits(Allocation::Uniform, 840).into_iter().all(|n| n == 120));
    // Fewer playouts than actions are no reason to stumble.
    for allocation in ALLOCATIONS {
        assert_eq!(visits(allocation, 3).into_iter().sum::<u64>(), 3);
    }
}

#[test]
fn threads_share_playouts_out_and_change_nothing() {
    let current = Match::new(connect_four());
    let found = |allocation, threads, seed| {
        let advice = decide(&mut flat(allocation, threads), &current, 0, 1_000, seed);
        format!("{advice:?}")
    };
    for allocation in [Allocation::Uniform, Allocation::Halving] {
        assert_eq!(found(allocation, 1, 1), found(allocation, 3, 1));
        assert_ne!(found(allocation, 1, 1), found(allocation, 1, 2));
    }
    assert_eq!(found(Allocation::Ucb, 3, 1), found(Allocation::Ucb, 3, 1));
}

#[test]
fn a_cancelled_search_returns_a_legal_action_at_once() {
    let cancel = CancelFlag::default();
    cancel.cancel();
    let current = Match::new(TicTacToe);
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &BareHost };
    let view = current.view(0);
    let mut searches: Vec<Box<dyn Session<TicTacToe>>> = vec![
        Box::new(greedy(Nothing)),
        Box::new(evolution(Opponents::Random)),
        Box::new(flat(Allocation::Uniform, 2)),
        Box::new(flat(Allocation::Ucb, 1)),
        Box::new(flat(Allocation::Halving, 1)),
    ];
    for search in &mut searches {
        let advice = search.decide(&view, &limits, &mut stream(1, "test", 0));
        assert!(current.legal_actions(0).contains(&advice.action));
        assert!(!advice.proven && advice.cost.simulations == 0);
    }
}

fn evolution<G: Playable>(opponents: Opponents) -> RollingHorizon<G> {
    let config = rolling_horizon::Config { opponents, ..rolling_horizon::Config::default() };
    RollingHorizon::new(config, None)
}

#[test]
fn evolution_finds_the_one_sequence_that_pays() {
    // Alone at the table: one way in 4 · 4 · 4 pays 10, the others at most 5.
    let current = Match::new(Toy::new(
        "( ((1 1 1 1) (1 1 1 1) (1 1 1 1) (1 1 1 1)) \
           ((2 2 2 2) (0 0 0 0) (0 0 10 0) (0 0 0 0)) \
           ((1 1 1 1) (3 3 3 3) (1 1 1 1) (1 1 1 1)) \
           ((0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 5 0)) )",
    ));
    let found =
        (0..20).filter(|&seed| decide(&mut evolution(Opponents::Random), &current, 0, 20_000, seed).action == 1);
    assert!(found.count() >= 18);
}

#[test]
fn the_model_of_the_opponents_decides_what_evolution_expects() {
    // Against random replies the first pays 3 on average and the second 2.
    let current = Match::new(Toy::new("( [0 6] [2 2] )"));
    assert_eq!(decide(&mut evolution(Opponents::Random), &current, 0, 5_000, 1).action, 0);
    // A sequence chooses the reply as well: the gene that chose the first action of two chooses the first reply.
    let advice = decide(&mut evolution(Opponents::Same), &current, 0, 5_000, 1);
    let value = |action| advice.candidates.iter().find(|candidate| candidate.action == action).unwrap().values[0];
    assert_eq!((value(0), value(1)), (0.0, 2.0));
    assert_eq!(advice.action, 1);
}

/// What `search` is paid in a game against random play.
fn against_random<G: Playable>(game: G, search: &mut impl Session<G>, seat: Seat, simulations: u64, seed: u64) -> f64 {
    let mut current = Match::new(game);
    let mut rng = stream(seed, "play", 0);
    loop {
        match current.phase() {
            Phase::Over => return current.payoffs().as_slice()[seat],
            Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
            Phase::Act(seats) if seats.contains(seat) => {
                let number = seed * 1_000 + current.n_plies() as u64;
                let action = decide(search, &current, seat, simulations, number).action;
                current.play(seat, action).unwrap();
            }
            Phase::Act(seats) => current.play_random(seats.first(), &mut Vec::new(), &mut rng).unwrap(),
        }
    }
}

#[test]
fn all_of_them_beat_random_play_at_connect_four() {
    let mut searches: Vec<(&str, Box<dyn Session<ConnectFour>>, f64)> = vec![
        ("uniform", Box::new(flat(Allocation::Uniform, 1)), 0.9),
        ("ucb", Box::new(flat(Allocation::Ucb, 1)), 0.9),
        ("halving", Box::new(flat(Allocation::Halving, 1)), 0.9),
        ("random opponents", Box::new(evolution(Opponents::Random)), 0.6),
    ];
    for (name, search, least) in &mut searches {
        let payoff = |seed: u64| against_random(connect_four(), &mut Boxed(search), seed as usize % 2, 280, seed);
        let mean = (0..40).map(payoff).sum::<f64>() / 40.0;
        assert!(mean >= *least, "{name}: {mean} on average");
    }
}

/// A boxed session is a session.
struct Boxed<'a, G: Playable>(&'a mut Box<dyn Session<G>>);

impl<G: Playable> Session<G> for Boxed<'_, G> {
    fn decide(
        &mut self,
        view: &raichi_core::information::SeatView<'_, G>,
        limits: &Limits<'_>,
        rng: &mut raichi_core::random::FastRng,
    ) -> Advice<G::Action> {
        self.0.decide(view, limits, rng)
    }
}

#[test]
fn payoffs_of_all_seats_are_reported() {
    let current = Match::new(Toy::new("( <3,1,2 3,1,2> <0,5,1 2,3,1> )"));
    let advice = decide(&mut flat(Allocation::Uniform, 1), &current, 0, 100, 1);
    assert_eq!(advice.candidates[0].values, [3.0, 1.0, 2.0]);
}
