//! Trains an agent into a folder, without the command: `train GAME OPTIONS GAMES SEED FOLDER`.
//!
//! The weights are those of `raichi train GAME --agent ntuple:OPTIONS --games GAMES --seed SEED`; this one is built in a
//! minute, and has no evaluations. The folder holds the agent after each tenth of the training.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_core::{CancelFlag, Host};
use raichi_learn::file::{self, Manifest};
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS, quantised};
use raichi_learn::{Learner, Work};
use raichi_search::options::Options;

struct Clock(Instant);

impl Host for Clock {
    fn now(&self) -> Duration {
        let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        let nanoseconds = statistics.split(' ').next().and_then(|number| number.parse().ok());
        nanoseconds.map_or_else(|| self.0.elapsed(), Duration::from_nanos)
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

struct Train {
    options: String,
    games: u64,
    seed: u64,
    folder: PathBuf,
}

impl GameVisitor for Train {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        let Train { options, games, seed, folder } = self;
        let options = Options::parse("ntuple", OPTIONS, None, Some(&options)).expect("the options are right");
        let config = Config::from_options(&options, &game.facts()).expect("the game can be learned");
        let mut learner = NTupleLearner::new(game, config, seed, games).expect("the game can be learned");
        let (clock, cancel) = (Clock(Instant::now()), CancelFlag::default());
        let work = Work { cancel: &cancel, host: &clock, n_threads: 1 };
        for tenth in 1..=10 {
            learner.advance(games * tenth / 10 - learner.progress().games, &work);
            let progress = learner.progress();
            let agent = options.canonical();
            let manifest = Manifest {
                name: folder.file_name().expect("a folder has a name").to_string_lossy().into_owned(),
                game: game.spec().into(),
                command: format!(
                    "raichi train {} --agent {agent} --games {games} --seed {seed} --bits 16",
                    game.spec()
                ),
                agent,
                seed,
                version: env!("CARGO_PKG_VERSION").into(),
                licence: "MIT OR Apache-2.0".into(),
                games: progress.games,
                plies: progress.plies,
                seconds: progress.elapsed.as_secs_f64(),
                ..Manifest::default()
            };
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            let saved = learner.save(false);
            // As with --bits 16.
            let saved = quantised(learner.policy().network(), &saved, 16).expect("it is a network");
            for (name, bytes) in file::write(manifest, &saved) {
                std::fs::write(folder.join(name), bytes).expect("the folder can be written");
            }
            let (games, plies) = (progress.games, progress.plies);
            println!(
                "{games} games, {plies} plies, {:.1} s, {:.0} plies/s, {:.1} plies a game",
                progress.elapsed.as_secs_f64(),
                progress.plies_per_second(),
                plies as f64 / games as f64
            );
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, options, games, seed, folder] = args.as_slice() else { panic!("GAME OPTIONS GAMES SEED FOLDER") };
    let train = Train {
        options: options.clone(),
        games: games.parse().expect("a number of games"),
        seed: seed.parse().expect("a seed"),
        folder: folder.into(),
    };
    raichi_games::visit(game, train).expect("the game exists");
}
