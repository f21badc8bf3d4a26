//! How a player of poker chooses: `poker_styles MS GAMES SEED GAME...` lets `mcts` with so many milliseconds a decision play so many
//! of each game against itself, and prints what it did with hands of which strength, how likely each style that `ranges` believes
//! in makes that, and the frequencies that are kept in `src/poker/tree_search_style.rs`.

mod machine;

use std::time::Duration;

use raichi_core::Match;
use raichi_core::erased::{create, split_spec};
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_engines::poker::observed::{Observed, frequencies, likelihoods};
use raichi_games::poker::Poker;
use raichi_search::mcts::Config;
use raichi_search::{Budget, CancelFlag, Limits, Mcts, Session};

use machine::Machine;

/// Plays a game to its end and adds what was done.
fn play(spec: &str, budget: Budget, machine: &Machine, seed: u64, observed: &mut Vec<Observed>) {
    let mut current = Match::new(create::<Poker>(split_spec(spec).1).expect("the game's spec"));
    let mut rng = stream(seed, "styles", 0);
    let n_seats = current.game().facts().n_seats;
    let mut players: Vec<Mcts<Poker>> = (0..n_seats).map(|_| Mcts::new(Config::default())).collect();
    loop {
        match current.phase() {
            Phase::Over => return,
            Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
            Phase::Act(seats) => {
                let seat = seats.first();
                let limits = Limits { budget, cancel: &CancelFlag::default(), host: machine };
                let action = players[seat].decide(&current.view(seat), &limits, &mut rng).action;
                observed.push(Observed::new(current.game().game(), current.state(), seat, action, &mut rng));
                current.play(seat, action).expect("players choose legal actions");
            }
        }
    }
}

/// Rows of shares, columns of actions.
fn table(name: &str, observed: &[Observed]) {
    println!("{name}: {} decisions\nshare    fold check   bet  call raise all-in", observed.len());
    for tenth in 2..9 {
        let of_share = |seen: &&Observed| (seen.share() * 10.0) as usize == tenth;
        let here: Vec<_> = observed.iter().filter(of_share).collect();
        if here.is_empty() {
            continue;
        }
        let part = |action: usize| {
            here.iter().filter(|seen| seen.action() as usize == action).count() as f64 / here.len() as f64
        };
        let parts: Vec<String> = (0..6).map(|action| format!("{:5.2}", part(action))).collect();
        println!("0.{tenth}     {}   {}", parts.join(" "), here.len());
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [ms, games, seed, specs @ ..] = &args[..] else {
        return eprintln!("poker_styles MS GAMES SEED GAME...");
    };
    let budget = Budget::time(Duration::from_millis(ms.parse().expect("milliseconds")));
    let first: u64 = seed.parse().expect("a seed");
    let machine = Machine::new();
    let mut observed = Vec::new();
    for spec in specs {
        for game in 0..games.parse::<u64>().expect("a number of games") {
            play(spec, budget, &machine, first + game, &mut observed);
        }
    }
    let (asked, free): (Vec<_>, Vec<_>) = observed.iter().partition(|seen| seen.price() > 0.0);
    let (dear, cheap): (Vec<_>, Vec<_>) = asked.into_iter().partition(|seen: &Observed| seen.price() > 0.5);
    table("nothing to call", &free);
    table("a call of less than half the stack", &cheap);
    table("a call of more", &dear);
    println!("styles: {:.3?}", likelihoods(&observed));
    println!("{:?}", frequencies(&observed));
}
