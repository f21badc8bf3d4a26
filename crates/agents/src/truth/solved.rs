//! Which games are solved, with which parameters.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use raichi_core::erased::{AnyGame, GameVisitor, Playable};
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

/// Games like `game`, with one parameter changed, that are solved: the largest of them by that parameter, six at most.
pub(crate) fn solved_instead(game: &dyn AnyGame) -> Vec<String> {
    /// Solved games that differ in more than one parameter, or in a list.
    const OTHERS: &[(&str, &[&str])] = &[("al-jabar", &["al-jabar:group=2/2,copies=4", "al-jabar:group=2/2,copies=5"])];
    if let Some((_, others)) = OTHERS.iter().find(|(id, _)| *id == game.id()) {
        return others.iter().map(ToString::to_string).collect();
    }
    let Ok(entry) = raichi_games::entry(game.id()) else { return Vec::new() };
    let (mut found, mut n_tried) = (Vec::new(), 0);
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
            let Ok(other) = raichi_games::game(&format!("{}:{}={value}", game.id(), param.name)) else { continue };
            n_tried += 1;
            if found.len() < 6 && n_tried <= 8 && !found.contains(&other.spec().to_string()) {
                match raichi_games::visit_game(&*other, Solves) {
                    Ok(()) => found.push(other.spec().to_string()),
                    // Larger ones are not smaller.
                    Err(_) if matches!(param.kind, ParamKind::Int { .. }) => break,
                    Err(_) => {}
                }
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
