//! Games of the program with itself, for their positions.

use std::sync::{Arc, LazyLock};

use raichi_core::game::{Game, Phase};
use raichi_core::host::{BareHost, CancelFlag};
use raichi_core::random::{FastRng, index, stream};
use raichi_engines::othello::patterns::{PER_DISC, Patterns, search};
use raichi_games::othello::{Action, Othello, State};
use raichi_search::Evaluator;
use raichi_solve::{Solver, Work};

/// What is asked for.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) seed: u64,
    /// Of each round.
    pub(crate) games: Vec<u64>,
    pub(crate) exact: u32,
    pub(crate) depth: u32,
    pub(crate) play: u32,
    pub(crate) ridge: f32,
    pub(crate) share: u64,
    pub(crate) from: Option<String>,
    /// Games that say what it is worth to act.
    pub(crate) tempo: u64,
}

impl Settings {
    pub(crate) fn of(entries: &[String]) -> Settings {
        let find = |key: &str| entries.iter().find_map(|entry| entry.strip_prefix(key)?.strip_prefix('='));
        let number = |key, default| find(key).map_or(default, |text| text.parse().expect("settings are whole numbers"));
        Settings {
            seed: number("seed", 1),
            games: find("games")
                .unwrap_or("10000,30000")
                .split(',')
                .filter(|text| !text.is_empty())
                .map(|text| text.parse().expect("numbers of games are whole numbers"))
                .collect(),
            exact: number("exact", 12) as u32,
            depth: number("depth", 4) as u32,
            play: number("play", 2) as u32,
            ridge: number("ridge", 20) as f32,
            share: number("share", 1),
            from: find("from").map(String::from),
            tempo: number("tempo", 0),
        }
    }
}

/// A position of a game, seen by the seat to act.
pub(crate) struct Position {
    pub(crate) own: u64,
    pub(crate) foes: u64,
    pub(crate) game: u32,
    /// The score if it was found by solving.
    pub(crate) exact: Option<i8>,
    /// What is learned, in discs.
    pub(crate) score: Option<f32>,
    /// The game's payoff.
    pub(crate) payoff: i8,
}

impl Position {
    pub(crate) fn n_discs(&self) -> u32 {
        (self.own | self.foes).count_ones()
    }
}

/// Random plies at the beginning, at least and at most.
const OPENING: (usize, usize) = (2, 18);
/// One ply in so many is random after them.
const RANDOM_IN: usize = 12;

static SOLVER: LazyLock<Arc<dyn Solver<Othello>>> =
    LazyLock::new(|| raichi_engines::solver(&Othello::new(8)).expect("boards to 8×8 are known"));
static HAND: LazyLock<Arc<dyn Evaluator<Othello>>> =
    LazyLock::new(|| raichi_engines::hand(&Othello::new(8)).expect("the game has an evaluator"));

/// Plays a game and adds its positions in which the seat to act has a placement.
pub(crate) fn play(
    round: u64,
    number: u64,
    patterns: Option<&Patterns>,
    settings: &Settings,
    positions: &mut Vec<Position>,
) {
    let game = Othello::new(8);
    let mut rng = stream(settings.seed + round, "games", number);
    let n_random = OPENING.0 + index(&mut rng, OPENING.1 - OPENING.0 + 1);
    let (mut state, first) = (game.initial_state(), positions.len());
    let mut seats = Vec::new();
    for ply in 0.. {
        let Phase::Act(to_act) = game.phase(&state) else { break };
        let seat = to_act.first();
        if state.placements() != 0 && ply > 0 {
            let [own, foes] = state.own_and_foes().map(|cells| cells as u64);
            let exact = (64 - (own | foes).count_ones() <= settings.exact).then(|| exact(&state));
            positions.push(Position { own, foes, game: number as u32, exact, score: None, payoff: 0 });
            seats.push(seat);
        }
        let action = if ply < n_random || index(&mut rng, RANDOM_IN) == 0 {
            game.random_action(&state, seat, &mut Vec::new(), &mut rng)
        } else {
            choose(&game, &state, patterns, settings, &mut rng)
        };
        game.apply(&mut state, seat, action);
    }
    let payoffs = game.payoffs(&state);
    for (position, seat) in positions[first..].iter_mut().zip(seats) {
        position.payoff = payoffs[seat] as i8;
    }
}

/// What the search thinks best; which of equals is left to chance.
pub(crate) fn choose(
    game: &Othello,
    state: &State,
    patterns: Option<&Patterns>,
    settings: &Settings,
    rng: &mut FastRng,
) -> Action {
    let mut actions = Vec::new();
    game.legal_actions(state, state.to_act(), &mut actions);
    raichi_core::random::shuffle(rng, &mut actions);
    let mut best = (f32::NEG_INFINITY, actions[0]);
    for action in actions {
        let mut next = *state;
        game.apply(&mut next, state.to_act(), action);
        let [own, foes] = next.own_and_foes().map(|cells| cells as u64);
        let value = match (game.phase(&next), patterns) {
            (Phase::Over, _) => 1000.0 * game.payoffs(&next)[state.to_act()] as f32,
            (_, Some(patterns)) => {
                let most = 100 * PER_DISC;
                -search(patterns, own, foes, settings.play.saturating_sub(1), -most, most, &mut 0) as f32
            }
            (_, None) => HAND.value(game, &next, state.to_act()),
        };
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}

fn exact(state: &State) -> i8 {
    let work = Work {
        deadline: None,
        cancel: &CancelFlag::default(),
        host: &BareHost,
        n_threads: 1,
        memory: 1 << 24,
        folder: None,
        progress: &|_| {},
    };
    let exact = SOLVER.solve(state, &work).expect("nothing ends it");
    exact.score.expect("there is one") as i8
}
