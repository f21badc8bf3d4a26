//! Makes the tables of endings with few pieces, and says how many positions there are, who wins them, and the longest wins.
//!
//! `endings FOLDER tablut MUSCOVITES SWEDES [RANGE]`: the king and so many Swedes against so many Muscovites, with the king's range.
//! `endings FOLDER focus RED BLACK [draw-wins]`: so many pieces of seat 0 and of seat 1, on the board and in reserve.
//! The tables that it depends on are made too. Work that was killed goes on.

mod machine;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use raichi_core::erased::Playable;
use raichi_core::game::{Game, Phase};
use raichi_core::host::{CancelFlag, Host};
use raichi_core::notation::Notation;
use raichi_core::seat::Viewer;
use raichi_engines::endings::{Ending, WithTable};
use raichi_engines::focus::endings::Pieces;
use raichi_engines::tablut::endings::Men;
use raichi_solve::{Folder, Progress, Work};

use machine::Machine;

const USAGE: &str = "endings FOLDER tablut MUSCOVITES SWEDES [RANGE] | endings FOLDER focus RED BLACK [draw-wins]";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().expect(USAGE);
    match args[..] {
        [folder, "tablut", muscovites, swedes] => make::<Men>((8, number(muscovites), number(swedes)), folder),
        [folder, "tablut", muscovites, swedes, range] => {
            make::<Men>((number(range) as u8, number(muscovites), number(swedes)), folder);
        }
        [folder, "focus", red, black] => make::<Pieces>((false, [red, black].map(|n| number(n) as u8)), folder),
        [folder, "focus", red, black, "draw-wins"] => {
            make::<Pieces>((true, [red, black].map(|n| number(n) as u8)), folder);
        }
        _ => panic!("{USAGE}"),
    }
}

fn make<E: Ending<Game: Playable>>(key: E::Key, folder: &str) {
    let machine = Machine::new();
    let cancel = CancelFlag::default();
    let told = AtomicU64::new(0);
    let progress = |progress: Progress| {
        let seconds = machine.now().as_secs();
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
        folder: Some(Folder { path: Path::new(folder), not_kept: &|why| eprintln!("\r{why}") }),
        progress: &progress,
    };
    let found = E::tables().get(key, &work).unwrap_or_else(|why| panic!("{why}"));
    let seconds = machine.now().as_secs_f64();
    println!("\r{}: {} numbers, {seconds:.1} s", found.ending.identity(), found.table.n_numbers());
    tell(&found);
}

/// Who wins how many positions, by the seat to act, and the longest wins.
fn tell<E: Ending<Game: Playable>>(WithTable { ending, table }: &WithTable<E>) {
    let game = ending.game();
    // By who acts: won by seat 0, won by seat 1, neither. Those that are over are counted apart.
    let mut counts = [[0u64; 3]; 2];
    let mut n_over = 0u64;
    let mut longest: [Option<(u32, u64)>; 2] = [None; 2];
    for number in 0..table.n_numbers() {
        let Some(state) = ending.position(number) else { continue };
        let Phase::Act(seats) = game.phase(&state) else {
            n_over += 1;
            continue;
        };
        let exact = table.exact(number);
        let forced = exact.plies.is_some();
        let result = if !forced { 2 } else { usize::from(exact.values[0] <= exact.values[1]) };
        counts[seats.first()][result] += 1;
        if let (Some(plies), Some(longest)) = (exact.plies, longest.get_mut(result))
            && longest.is_none_or(|(most, _)| plies > most)
        {
            *longest = Some((plies, number));
        }
    }
    let n_positions = counts.iter().flatten().sum::<u64>();
    println!("positions, images folded: {n_positions} to be played, {n_over} over");
    for (seat, [first, second, neither]) in counts.iter().enumerate() {
        println!("seat {seat} to act: seat 0 forces a win in {first}, seat 1 in {second}, neither in {neither}");
    }
    for (seat, longest) in longest.iter().enumerate() {
        let Some((plies, number)) = *longest else { continue };
        let state = ending.position(number).expect("it was looked at");
        println!("longest win of seat {seat}: {plies} plies, {}", game.position_text(&state, Viewer::Referee));
    }
}
