//! What solvers say, for the tests of all folders.

use std::sync::LazyLock;

use raichi_core::erased::Playable;
use raichi_core::game::{Game, Phase};
use raichi_core::host::{BareHost, CancelFlag};
use raichi_core::params::Params;
use raichi_solve::{Exact, Solver, Work};

/// All the time and memory there is.
pub(crate) fn patient() -> Work<'static> {
    static CANCEL: LazyLock<CancelFlag> = LazyLock::new(CancelFlag::default);
    Work {
        deadline: None,
        cancel: &CANCEL,
        host: &BareHost,
        n_threads: 1,
        memory: usize::MAX,
        folder: None,
        progress: &|_| {},
    }
}

/// The game with these parameters (`size=7,swap=true`, or nothing).
pub(crate) fn game<G: Playable>(params: &str) -> G {
    let given = (!params.is_empty()).then_some(params);
    let mut params = Params::parse(G::ID, G::params(), given).expect("the parameters are right");
    G::from_params(&mut params).expect("the parameters make a game")
}

pub(crate) fn position<G: Playable>(game: &G, text: &str) -> G::State {
    game.parse_position(text).expect("the position is right").state
}

/// Every action in a position with what comes of it.
pub(crate) fn nexts<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let Phase::Act(seats) = game.phase(state) else { return Vec::new() };
    let mut actions = Vec::new();
    game.legal_actions(state, seats.first(), &mut actions);
    let after = |action| {
        let mut next = state.clone();
        game.apply(&mut next, seats.first(), action);
        next
    };
    actions.into_iter().map(after).collect()
}

/// What the solver says of a position is what it says of the best position after it.
pub(crate) fn check_against_successors<G: Game>(game: &G, solver: &dyn Solver<G>, state: &G::State) -> Exact {
    let exact = solver.solve(state, &patient()).expect("there is time");
    let Phase::Act(seats) = game.phase(state) else {
        assert_eq!(exact.values, game.payoffs(state), "{state:?}");
        return exact;
    };
    let seat = seats.first();
    let after: Vec<Exact> =
        nexts(game, state).iter().map(|next| solver.solve(next, &patient()).expect("there is time")).collect();
    let best = after.iter().map(|exact| exact.values[seat]).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(exact.values[seat], best, "{state:?}");
    if let Some(plies) = exact.plies {
        let as_good = after.iter().filter(|exact| exact.values[seat] == best);
        let lengths = as_good.map(|exact| exact.plies.expect("what follows has a length too"));
        let length = if best > 0.0 { lengths.min() } else { lengths.max() };
        assert_eq!(Some(plies), length.map(|length| length + 1), "{state:?}");
    }
    exact
}
