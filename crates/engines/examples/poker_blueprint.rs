//! Learns the blueprints of poker, between two seats and of several, and measures how much a player who knows them can win:
//!
//!     poker_blueprint OUT [seed=1] [minutes=10] [stop=BOARDS]
//!     poker_blueprint multiway OUT [seats=3] [seed=1] [minutes=10] [stop=BOARDS]
//!     poker_blueprint lbr [FILE] [hands=2000] [seed=1] [stacks=2,4,8,12,16,20] [order=source|casino]
//!
//! The first form writes the blueprint to `OUT` and what is needed to go on to `OUT.regrets` every two minutes and at the end; it goes on
//! from there where that file lies already, and `seed=` is then the one it began with. `minutes=` is by the clock, of this call alone;
//! with `stop=` it ends once it has learned from so many boards. The second form does so for tables of up to so many seats. The third one prints chips a hand by local best response
//! for each stack (in small blinds), of the blueprint that comes with the engine or of a file.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use raichi_engines::poker::blueprint::lbr::LocalBestResponse;
use raichi_engines::poker::blueprint::tree::{LONGEST, Order};
use raichi_engines::poker::blueprint::{Blueprint, Training, multiway, shipped};
use raichi_engines::poker::preflop::Preflop;

const USAGE: &str = "poker_blueprint OUT [seed=N] [minutes=N] [stop=BOARDS]\n\
    poker_blueprint multiway OUT [seats=N] [seed=N] [minutes=N] [stop=BOARDS]\n\
    poker_blueprint lbr [FILE] [hands=N] [seed=N] [stacks=N,N,…] [order=source|casino]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.split_first() {
        None => Err("nothing is asked for".into()),
        Some((first, rest)) if first == "lbr" => measure(rest),
        Some((first, rest)) if first == "multiway" => match rest.split_first() {
            None => Err("multiway needs a file to write to".into()),
            Some((out, rest)) => train::<multiway::Training>(out, rest),
        },
        Some((out, rest)) => train::<Training>(out, rest),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn number<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{key}={text} is no number that fits"))
}

/// What learns from boards.
trait Learner: Sized {
    /// Nothing is regretted yet; `seats` where they were named.
    fn new(seed: u64, seats: Option<usize>) -> Result<Self, String>;
    fn from_checkpoint(bytes: &[u8]) -> Option<Self>;
    fn advance(&mut self);
    fn n_boards(&self) -> u64;
    fn checkpoint(&self) -> Vec<u8>;
    fn strategies(&self) -> Vec<u8>;
}

impl Learner for Training {
    fn new(seed: u64, seats: Option<usize>) -> Result<Training, String> {
        if seats.is_some() {
            return Err("seats= is of multiway".into());
        }
        let shares = Preflop::count(&mut |done| eprint!("\rall boards before the flop: {done} of 52"));
        eprintln!();
        Ok(Training::new(seed, LONGEST, Some(&shares)))
    }

    fn from_checkpoint(bytes: &[u8]) -> Option<Training> {
        Training::from_bytes(bytes)
    }

    fn advance(&mut self) {
        self.advance();
    }

    fn n_boards(&self) -> u64 {
        self.n_boards()
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn strategies(&self) -> Vec<u8> {
        self.blueprint().to_bytes()
    }
}

impl Learner for multiway::Training {
    fn new(seed: u64, seats: Option<usize>) -> Result<multiway::Training, String> {
        match seats.unwrap_or(3) {
            seats @ 2..=10 => Ok(multiway::Training::new(seed, seats)),
            seats => Err(format!("seats={seats} is not 2 to 10")),
        }
    }

    fn from_checkpoint(bytes: &[u8]) -> Option<multiway::Training> {
        multiway::Training::from_bytes(bytes)
    }

    fn advance(&mut self) {
        self.advance();
    }

    fn n_boards(&self) -> u64 {
        self.n_boards()
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn strategies(&self) -> Vec<u8> {
        let strategies = self.strategies();
        eprint!("\r{} spots  ", strategies.spots().len());
        strategies.to_bytes()
    }
}

fn train<L: Learner>(out: &str, args: &[String]) -> Result<(), String> {
    let (mut seed, mut seats, mut minutes, mut stop) = (None, None, 10.0f64, u64::MAX);
    for arg in args {
        match arg.split_once('=') {
            Some(("seed", text)) => seed = Some(number("seed", text)?),
            Some(("seats", text)) => seats = Some(number("seats", text)?),
            Some(("minutes", text)) => minutes = number("minutes", text)?,
            Some(("stop", text)) => stop = number("stop", text)?,
            _ => return Err(format!("{arg} is no option")),
        }
    }
    let limit = Duration::try_from_secs_f64(60.0 * minutes).map_err(|_| format!("minutes={minutes} is no time"))?;
    let checkpoint = format!("{out}.regrets");
    let mut training = match fs::read(&checkpoint) {
        Ok(_) if seed.is_some() || seats.is_some() => {
            return Err(format!("{checkpoint} has its seed and seats; leave seed= and seats= out, or remove it"));
        }
        Ok(bytes) => L::from_checkpoint(&bytes).ok_or(format!("{checkpoint} is no checkpoint of such a training"))?,
        Err(_) => L::new(seed.unwrap_or(1), seats)?,
    };
    let (begin, before) = (Instant::now(), training.n_boards());
    let mut kept = begin;
    while begin.elapsed() < limit && training.n_boards() < stop {
        training.advance();
        if training.n_boards().is_multiple_of(500) {
            let (n, passed) = (training.n_boards(), begin.elapsed().as_secs_f64());
            let share = (passed / limit.as_secs_f64()).max(n as f64 / stop as f64).min(1.0);
            let bar: String = (0..30).map(|nth| if f64::from(nth) < 30.0 * share { '#' } else { '.' }).collect();
            eprint!("\r{bar} {n} boards, {:.0} a second", (n - before) as f64 / passed);
        }
        if kept.elapsed() > Duration::from_secs(120) {
            keep(&training, out, &checkpoint)?;
            kept = Instant::now();
        }
    }
    let size = keep(&training, out, &checkpoint)?;
    let (n, passed) = (training.n_boards(), begin.elapsed().as_secs_f64());
    eprintln!("\n{n} boards, {} of them in {passed:.0} s now; {size} bytes", n - before);
    Ok(())
}

fn keep(training: &impl Learner, out: &str, checkpoint: &str) -> Result<usize, String> {
    let write = |path: &str, bytes: Vec<u8>| {
        let beside = format!("{path}.part");
        let written = fs::write(&beside, &bytes).and_then(|()| fs::rename(&beside, path));
        written.map_err(|why| format!("{path}: {why}")).map(|()| bytes.len())
    };
    write(checkpoint, training.checkpoint())?;
    write(out, training.strategies())
}

fn measure(args: &[String]) -> Result<(), String> {
    let (mut seed, mut n_hands, mut stacks, mut order) = (1, 2000, vec![2, 4, 8, 12, 16, 20], Order::SmallFirst);
    let mut file = None;
    for arg in args {
        match arg.split_once('=') {
            Some(("seed", text)) => seed = number("seed", text)?,
            Some(("hands", text)) => n_hands = number("hands", text)?,
            Some(("stacks", text)) => {
                stacks = text.split(',').map(|stack| number("stacks", stack)).collect::<Result<_, _>>()?;
            }
            Some(("order", "source")) => order = Order::SmallFirst,
            Some(("order", "casino")) => order = Order::BigFirst,
            None => file = Some(arg),
            _ => return Err(format!("{arg} is no option")),
        }
    }
    let read = file.map(|file| {
        let bytes = fs::read(file).map_err(|why| format!("{file}: {why}"))?;
        Blueprint::from_bytes(&bytes).map_err(|why| format!("{file}: {why}"))
    });
    let read = read.transpose()?;
    let blueprint = read.as_ref().unwrap_or_else(|| shipped());
    let mut response = LocalBestResponse::new();
    println!("small blinds, wins at least (thousandths of a big blind a hand), 95 % interval, hands, seconds");
    for stack in stacks {
        let strategy = blueprint.strategy(order, stack).ok_or(format!("there is no stack of {stack} small blinds"))?;
        let begin = Instant::now();
        let found = response.measure(strategy, n_hands, seed);
        let [mean, half] = [found.mean, found.interval].map(|small| small / 2.0 * 1000.0);
        println!("{stack:2}  {mean:+7.1} ± {half:5.1}  {n_hands}  {:.0}", begin.elapsed().as_secs_f64());
    }
    Ok(())
}
