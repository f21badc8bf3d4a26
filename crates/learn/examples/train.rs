//! Trains an agent into a folder, without the command: `train GAME AGENT GAMES SEED FOLDER`, AGENT like `ntuple:tuples=70x8`.
//!
//! The weights are those of `raichi train GAME --agent AGENT --games GAMES --seed SEED`; this one is built in a
//! minute, and has no evaluations. The folder holds the agent after each tenth of the training.

#[path = "../benches/clock/mod.rs"]
mod clock;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use raichi_core::CancelFlag;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_learn::alphazero::{self, AlphaZeroLearner};
use raichi_learn::file::{self, Manifest};
use raichi_learn::ntuple::{self, NTupleLearner};
use raichi_learn::{Learner, Work};
use raichi_search::options::Options;

use clock::Clock;

struct Train {
    agent: String,
    games: u64,
    seed: u64,
    folder: PathBuf,
}

impl Train {
    /// The learner that the spec names, and its canonical spec.
    fn begin<G: Playable>(&self, game: &Arc<PathGame<G>>) -> Result<(Box<dyn Learner<G>>, String), String> {
        let (id, text) = self.agent.split_once(':').map_or((&*self.agent, None), |(id, text)| (id, Some(text)));
        let facts = game.facts();
        let read = |id, options| Options::parse(id, options, None, text).map_err(|why| why.to_string());
        if id == alphazero::ID {
            let options = read(alphazero::ID, alphazero::OPTIONS)?;
            let config = alphazero::Config::from_options(&options, &facts)?;
            return Ok((Box::new(AlphaZeroLearner::new(game, config, self.seed, self.games)?), options.canonical()));
        }
        let options = read(ntuple::ID, ntuple::OPTIONS)?;
        let config = ntuple::Config::from_options(&options, &facts)?;
        if config.by_hand {
            return Err("base=hand needs the engines, which the command has".into());
        }
        Ok((Box::new(NTupleLearner::new(game, config, self.seed, self.games)?), options.canonical()))
    }
}

impl GameVisitor for Train {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        let (mut learner, agent) = self.begin(game).expect("the game can be learned so");
        let Train { games, seed, folder, .. } = self;
        let (clock, cancel) = (Clock(Instant::now()), CancelFlag::default());
        let work = Work { cancel: &cancel, host: &clock, n_threads: 1 };
        for tenth in 1..=10 {
            learner.advance(games * tenth / 10 - learner.progress().games, &work);
            let progress = learner.progress();
            let manifest = Manifest {
                name: folder.file_name().expect("a folder has a name").to_string_lossy().into_owned(),
                game: game.spec().into(),
                command: format!(
                    "raichi train {} --agent {agent} --games {games} --seed {seed} --bits 16",
                    game.spec()
                ),
                agent: agent.clone(),
                seed,
                version: env!("CARGO_PKG_VERSION").into(),
                licence: "MIT OR Apache-2.0".into(),
                games: progress.games,
                plies: progress.plies,
                seconds: progress.elapsed.as_secs_f64(),
                ..Manifest::default()
            };
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            // As with --bits 16.
            let saved = learner.save_small(16).expect("it is a network");
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
    let [game, agent, games, seed, folder] = args.as_slice() else { panic!("GAME AGENT GAMES SEED FOLDER") };
    let train = Train {
        agent: agent.clone(),
        games: games.parse().expect("a number of games"),
        seed: seed.parse().expect("a seed"),
        folder: folder.into(),
    };
    raichi_games::visit(game, train).expect("the game exists");
}
