//! Which games are solved, with which parameters.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use raichi_core::erased::{AnyGame, GameVisitor, Playable, split_spec};
use raichi_core::game::Phase;
use raichi_core::host::{CancelFlag, Host};
use raichi_core::params::ParamKind;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, index, stream};
use raichi_solve::{Method, Unsolved, Work, generic};

use super::lock;

/// Whether the game with these parameters is solved: a solver was made for it, or it is so small that all of it is searched
/// in a moment.
///
/// # Errors
/// A sentence that says why not.
pub fn is_solved(game: &dyn AnyGame) -> Result<(), String> {
    static VERDICTS: Mutex<Option<HashMap<String, Result<(), String>>>> = Mutex::new(None);
    if let Some(verdict) = lock(&VERDICTS).get_or_insert_default().get(game.spec()) {
        return verdict.clone();
    }
    let verdict = raichi_games::visit_game(game, Solves);
    let mut verdicts = lock(&VERDICTS);
    let verdicts = verdicts.get_or_insert_default();
    // Strangers may ask for any number of parameters.
    if verdicts.len() >= 1000 {
        verdicts.clear();
    }
    verdicts.insert(game.spec().into(), verdict.clone());
    verdict
}

/// What there is in place of `game`, which is not solved: games like it that are, and what is known of it nevertheless.
pub(crate) fn solved_instead(game: &dyn AnyGame) -> String {
    let others = solved_like(game);
    let listed = match others.as_slice() {
        [] => "no parameters are known with which it does".into(),
        others => format!("it plays {}", others.join(", ")),
    };
    match game.id() {
        "al-jabar" => format!("{listed}, and others of two seats with as few pieces"),
        "kaalu" => format!("{listed}, but dfpn proves wins near its end"),
        "poker" => format!(
            "{listed}, but `raichi solve` solves the turn and the river of two seats, and blueprint plays two and three seats by \
             what was learned by regret"
        ),
        _ => listed,
    }
}

/// Games like `game` that are solved, six at most: those that leave out one of the parameters given, then those with one
/// parameter changed, the smallest of them by that parameter.
fn solved_like(game: &dyn AnyGame) -> Vec<String> {
    /// Solved games that differ in more than one parameter, or in a list.
    const OTHERS: &[(&str, &[&str])] = &[(
        "al-jabar",
        &[
            "al-jabar:group=2/2,copies=4",
            "al-jabar:group=2/2,copies=5",
            "al-jabar:group=2/2,copies=6",
            "al-jabar:copies=1,hand=3",
            "al-jabar:group=3/3,copies=1,hand=2",
        ],
    )];
    const MOST: usize = 6;
    const MOST_TRIED: usize = 8;
    let mut found = Vec::new();
    let mut keep = |spec: String| {
        let other = raichi_games::game(&spec).ok()?;
        let spec = other.spec().to_string();
        if found.len() >= MOST || found.contains(&spec) {
            return None;
        }
        let is_solved = is_solved(&*other).is_ok();
        if is_solved {
            found.push(spec);
        }
        Some(is_solved)
    };
    let given: Vec<&str> =
        split_spec(game.spec()).1.unwrap_or_default().split(',').filter(|entry| !entry.is_empty()).collect();
    for without in 0..given.len() {
        let others: Vec<&str> =
            given.iter().enumerate().filter(|(i, _)| *i != without).map(|(_, entry)| *entry).collect();
        keep(format!("{}:{}", game.id(), others.join(",")));
    }
    if let Some((_, others)) = OTHERS.iter().find(|(id, _)| *id == game.id()) {
        for spec in *others {
            keep(spec.to_string());
        }
        return found;
    }
    let Ok(entry) = raichi_games::entry(game.id()) else { return found };
    let mut n_tried = 0;
    for param in (entry.params)().iter().filter(|param| param.name != "max-plies") {
        let values: Vec<String> = match &param.kind {
            ParamKind::Int { min, max, step } => {
                (0..).map(|i| min + i * step).take_while(|n| n <= max).take(8).map(|n| n.to_string()).collect()
            }
            ParamKind::Choice { options } => options.iter().map(ToString::to_string).collect(),
            ParamKind::Bool => vec!["false".into(), "true".into()],
            ParamKind::List { .. } => Vec::new(),
        };
        for value in values {
            let spec = format!("{}:{}={value}", game.id(), param.name);
            if raichi_games::game(&spec).is_err() || n_tried == MOST_TRIED {
                continue;
            }
            n_tried += 1;
            let is_solved = keep(spec);
            // Larger ones are not smaller.
            if is_solved == Some(false) && matches!(param.kind, ParamKind::Int { .. }) {
                break;
            }
        }
    }
    found
}

/// Whether a game is solved; see [`is_solved`].
struct Solves;

impl GameVisitor for Solves {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        if raichi_engines::solver(game.game()).is_some() {
            return Ok(());
        }
        let solver = generic(game.game()).map_err(|why| format!("{why}, and nobody has made a solver for it"))?;
        let too_large = || {
            Err::<(), String>("nobody has made a solver for it, and it is too large to be searched to its ends".into())
        };
        if is_wide(game) {
            return too_large();
        }
        // By a clock that goes by what is asked of it, so that the verdict is the same on every machine.
        let clock = AskedClock::default();
        let cancel = CancelFlag::default();
        let work = Work {
            deadline: Some(Duration::from_millis(most_asked(solver.method()))),
            cancel: &cancel,
            host: &clock,
            n_threads: 1,
            memory: 64 << 20,
            folder: None,
            progress: &|_| (),
        };
        match solver.solve(&game.game().initial_state(), &work) {
            Ok(_) => Ok(()),
            Err(Unsolved::Unknown(why)) => Err(format!("{why}, and nobody has made a solver for it")),
            Err(_) => too_large(),
        }
    }
}

/// Whether a single random game offers more actions than a search may see positions that looks at the clock so few times as
/// [`most_asked`]. Where a position has thousands of actions, such a search takes many seconds.
fn is_wide<G: Playable>(game: &PathGame<G>) -> bool {
    const MOST_OFFERED: usize = 4096;
    let mut rng: FastRng = stream(0, "width", 0);
    let (mut state, mut actions, mut n_offered) = (game.initial_state(), Vec::new(), 0);
    loop {
        match game.phase(&state) {
            Phase::Over => return false,
            Phase::Chance => {
                let outcome = game.sample_outcome(&state, &mut rng);
                game.apply_outcome(&mut state, outcome);
            }
            Phase::Act(seats) => {
                actions.clear();
                game.legal_actions(&state, seats.first(), &mut actions);
                n_offered += actions.len();
                if n_offered > MOST_OFFERED {
                    return true;
                }
                let action = actions[index(&mut rng, actions.len())];
                game.apply(&mut state, seats.first(), action);
            }
        }
    }
}

/// How often a solver may look at the clock in a game that is small; a search does so about every 256 positions, what works
/// on all positions every thousand or more.
fn most_asked(method: Method) -> u64 {
    if method == Method::Search { 16 } else { 4 }
}

/// A clock that goes on by a millisecond whenever it is asked.
#[derive(Default)]
struct AskedClock(AtomicU64);

impl Host for AskedClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}
