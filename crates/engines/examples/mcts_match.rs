//! What an option of Monte-Carlo tree search is worth, at equal simulations: two searches play each other, every random
//! opening from both sides.
//! `cargo run --profile figures -p raichi-engines --example mcts_match -- hex:size=7 500 200 rave=300 -`
//!
//! Game, simulations a ply, games, options of the one and the other, of which `-` is none and `hand` the evaluator made by hand
//! (`hand,prior-weight=0.2`), and how many plies of an opening are drawn at random where chance deals nothing: 6 unless given. The
//! fewer they are, the fewer different games there are.

#[path = "machine/mod.rs"]
mod machine;

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::{create, split_spec};
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_core::{Match, PathGame, Playable};
use raichi_games::al_jabar::AlJabar;
use raichi_games::connect_four::ConnectFour;
use raichi_games::focus::Focus;
use raichi_games::hex::Hex;
use raichi_games::kaalu::Kaalu;
use raichi_games::kuhn_poker::KuhnPoker;
use raichi_games::leduc_poker::LeducPoker;
use raichi_games::othello::Othello;
use raichi_games::poker::Poker;
use raichi_games::tablut::Tablut;
use raichi_games::yavalath::Yavalath;
use raichi_search::mcts::{Config, Knowledge, Mcts, OPTIONS};
use raichi_search::options::Options;
use raichi_search::{Budget, CancelFlag, Host, Limits, Session};

use machine::Machine;

/// One side.
#[derive(Clone, Copy)]
struct Player {
    config: Config,
    /// Whether it has the evaluator made by hand.
    by_hand: bool,
}

impl Player {
    /// From options of `mcts`, `hand` among them or not; `-` is none.
    fn of(text: &str) -> Player {
        let (by_hand, others): (Vec<&str>, Vec<&str>) =
            text.split(',').filter(|&option| option != "-").partition(|&option| option == "hand");
        let options = (!others.is_empty()).then(|| others.join(","));
        let options = Options::parse("mcts", OPTIONS, None, options.as_deref()).expect("options of mcts");
        Player { config: Config::from_options(&options), by_hand: !by_hand.is_empty() }
    }

    fn search<G: Playable>(self, game: &G) -> Mcts<G> {
        let evaluator =
            self.by_hand.then(|| raichi_engines::hand(game).expect("the game has an evaluator made by hand"));
        Mcts::knowing(self.config, Knowledge { evaluator, ..Knowledge::default() })
    }
}

struct Meeting {
    simulations: u64,
    games: u64,
    opening: u32,
    players: [Player; 2],
}

impl Meeting {
    /// Points of the first search in each pair of games, and the time that both took.
    fn play<G: Playable>(self, parameters: Option<&str>) -> (Vec<f64>, [Duration; 2]) {
        let game: Arc<PathGame<G>> = Arc::new(create(parameters).expect("a game's parameters"));
        let host = Machine::new();
        let opening = if game.facts().hidden { 0 } else { self.opening };
        let mut spent = [Duration::ZERO; 2];
        let mut play = |pair: u64, sides: [usize; 2]| {
            let (mut current, mut rng) = (Match::of(Arc::clone(&game)), stream(pair, "opening", 0));
            let mut searches = self.players.map(|player| player.search(game.game()));
            let mut streams = [0, 1].map(|i| stream(pair, "decision", i));
            let mut n_plies = 0;
            loop {
                match current.phase() {
                    Phase::Over => break,
                    Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
                    Phase::Act(seats) if n_plies < opening => {
                        n_plies += 1;
                        current.play_random(seats.first(), &mut Vec::new(), &mut rng).expect("the seat is to act");
                    }
                    Phase::Act(seats) => {
                        let (seat, cancel) = (seats.first(), CancelFlag::default());
                        let side = sides[seat];
                        let budget = Budget::simulations(self.simulations);
                        let limits = Limits { budget, cancel: &cancel, host: &host };
                        let start = host.now();
                        let advice = searches[side].decide(&current.view(seat), &limits, &mut streams[side]);
                        spent[side] += host.now() - start;
                        current.play(seat, advice.action).expect("advice is legal");
                    }
                }
            }
            let payoffs = current.payoffs();
            let first = sides.iter().position(|&side| side == 0).expect("it plays");
            let facts = game.facts();
            let (low, high) = facts.payoff_range.expect("the payoffs are bounded");
            (payoffs[first] - low) / (high - low)
        };
        let pairs = (0..self.games / 2).map(|pair| (play(pair, [0, 1]) + play(pair, [1, 0])) / 2.0).collect();
        (pairs, spent)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [spec, simulations, games, one, other, opening @ ..] = &arguments[..] else {
        println!("what is to be played? see the first lines of the source");
        return;
    };
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let opening = opening.first().map_or(6, |plies| number(plies) as u32);
    let players = [Player::of(one), Player::of(other)];
    let meeting = Meeting { simulations: number(simulations), games: number(games), opening, players };
    let (id, parameters) = split_spec(spec);
    // Each game takes its time to compile, so that these must do.
    let (pairs, spent) = match id {
        "al-jabar" => meeting.play::<AlJabar>(parameters),
        "connect-four" => meeting.play::<ConnectFour>(parameters),
        "focus" => meeting.play::<Focus>(parameters),
        "hex" => meeting.play::<Hex>(parameters),
        "kaalu" => meeting.play::<Kaalu>(parameters),
        "kuhn-poker" => meeting.play::<KuhnPoker>(parameters),
        "leduc-poker" => meeting.play::<LeducPoker>(parameters),
        "othello" => meeting.play::<Othello>(parameters),
        "poker" => meeting.play::<Poker>(parameters),
        "tablut" => meeting.play::<Tablut>(parameters),
        "yavalath" => meeting.play::<Yavalath>(parameters),
        _ => return println!("{id} is none of the games that this was compiled for"),
    };
    let n = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / n;
    // One more pair is counted with the variance that independent games would have, as `raichi match` does: pairs that happen
    // to agree claim no certainty.
    let squares = pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>() + mean * (1.0 - mean) / 2.0;
    let error = 1.96 * squares.sqrt() / n;
    let elo = |score: f64| 400.0 * (score.clamp(0.001, 0.999) / (1.0 - score.clamp(0.001, 0.999))).log10();
    let elo = match mean {
        0.0 | 1.0 => "Elo without a bound".to_string(),
        _ => format!("Elo {:+.0} [{:+.0}, {:+.0}]", elo(mean), elo(mean - error), elo(mean + error)),
    };
    println!(
        "{spec}, {simulations} simulations, {games} games: {one} against {other}: {:.1} %, {elo}, time x {:.2}",
        100.0 * mean,
        spent[0].as_secs_f64() / spent[1].as_secs_f64().max(1e-9)
    );
}
