//! Makes the tables of Tablut's endings with few men, and says how many positions there are, who wins them, and the longest win.
//!
//! `cargo run --release -p raichi-engines --example tablut_endings -- FOLDER 2 1` for the king and one Swede against two
//! Muscovites, with the tables that it depends on; a fourth number is the king's range. Work that was killed goes on.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use raichi_core::game::{Game, Phase};
use raichi_core::host::{CancelFlag, Host};
use raichi_core::notation::Notation;
use raichi_core::seat::Viewer;
use raichi_engines::tablut::endings::Ending;
use raichi_solve::numbered::{Numbered, Table};
use raichi_solve::{Progress, Work};

struct Machine(Instant);

impl Host for Machine {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        std::thread::scope(|scope| jobs.iter_mut().for_each(|job| drop(scope.spawn(job))));
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("a folder, the number of Muscovites and that of Swedes");
    let mut number = |otherwise: Option<usize>| {
        let given = args.next().map(|text| text.parse().expect("a number"));
        given.or(otherwise).expect("the numbers of Muscovites and Swedes")
    };
    let (muscovites, swedes, king_range) = (number(None), number(None), number(Some(8)));
    let ending = Ending::new(king_range as u8, muscovites, swedes).expect("at most six men");
    let machine = Machine(Instant::now());
    let cancel = CancelFlag::default();
    let told = AtomicU64::new(0);
    let progress = |progress: Progress| {
        let seconds = machine.0.elapsed().as_secs();
        if told.fetch_max(seconds, Relaxed) < seconds {
            let Progress { stage, done, total } = progress;
            eprint!("\r{seconds} s: {stage} {done} of {total}          ");
            let _ = std::io::stderr().flush();
        }
    };
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &machine,
        n_threads: std::thread::available_parallelism().map_or(1, usize::from),
        memory: 8 << 30,
        folder: Some(Path::new(&folder)),
        progress: &progress,
    };
    let table = ending.table(&work).unwrap_or_else(|why| panic!("{why}"));
    let seconds = machine.0.elapsed().as_secs_f64();
    println!("\r{}: {} numbers, {seconds:.1} s", ending.identity(), table.n_numbers());
    tell(&ending, &table);
}

/// Who wins how many positions, by the side to act, and the longest wins.
fn tell(ending: &Ending, table: &Table) {
    let game = ending.game();
    let names = ["Muscovites", "Swedes"];
    // By who acts: won by seat 0, won by seat 1, neither.
    let mut counts = [[0u64; 3]; 2];
    let mut longest: [Option<(u32, u64)>; 2] = [None; 2];
    for number in 0..table.n_numbers() {
        let Some(state) = ending.position(number) else { continue };
        let exact = table.exact(number);
        let result = if exact.values[0] > 0.0 { 0 } else { 1 + usize::from(exact.values[1] <= 0.0) };
        counts[state.to_act() as usize][result] += 1;
        if let (Some(plies), Some(longest)) = (exact.plies, longest.get_mut(result))
            && game.phase(&state) != Phase::Over
            && longest.is_none_or(|(most, _)| plies > most)
        {
            *longest = Some((plies, number));
        }
    }
    println!("positions: {}", counts.iter().flatten().sum::<u64>());
    for (seat, counts) in counts.iter().enumerate() {
        let [first, second, neither] = counts;
        println!("{} to act: {first} won by the Muscovites, {second} by the Swedes, {neither} drawn", names[seat]);
    }
    for (seat, longest) in longest.iter().enumerate() {
        let Some((plies, number)) = *longest else { continue };
        let state = ending.position(number).expect("it was looked at");
        println!("longest win of the {}: {plies} plies, {}", names[seat], game.position_text(&state, Viewer::Referee));
    }
}
