//! The law of secrets at the socket: two servers whose databases differ only in what a viewer cannot tell apart send that
//! viewer the same bytes. For every game with secrets, 50 pairs of positions; with `RAICHI_NIGHTLY=1` a thousand.

use std::path::Path;
use std::sync::Arc;

use futures_util::{FutureExt, StreamExt, future, stream as futures};
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::{Choice, Phase};
use raichi_core::history::describe;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{Match, Viewer};
use raichi_games::REGISTRY;
use raichi_server::Config;
use raichi_server::store::{SqliteStore, Store};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common::{Client, TestServer, with_limits};

/// Plies after the position that a table begins with.
const MOST_PLIES: usize = 8;

/// How many viewers ask at the same time.
const CONNECTIONS: usize = 16;

/// What one of the two servers has.
struct Side {
    start: String,
    plies: Vec<String>,
}

/// Two tables that `viewer` cannot tell apart.
struct Pair {
    viewer: Viewer,
    sides: [Side; 2],
    /// Texts of actions and outcomes, possible or not.
    tokens: Vec<String>,
}

/// Draws pairs from random games.
struct Pairs {
    n: usize,
}

impl GameVisitor for Pairs {
    type Output = Vec<Pair>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Vec<Pair> {
        let mut rng = stream(11, "secrets at the socket", 0);
        let mut pairs = Vec::new();
        while pairs.len() < self.n {
            let mut current = Match::of(Arc::clone(game));
            while current.phase() != Phase::Over && pairs.len() < self.n {
                if index(&mut rng, 4) == 0 {
                    pairs.extend(pair(game, current.state(), &mut rng));
                }
                match current.phase() {
                    Phase::Act(seats) => {
                        let seat = seats.iter().nth(index(&mut rng, seats.len())).unwrap();
                        current.play_random(seat, &mut Vec::new(), &mut rng).unwrap();
                    }
                    _ => current.sample_outcome(&mut rng).unwrap(),
                }
            }
        }
        pairs
    }
}

/// `ours`, and what a seat may take it for, both played on for some plies of which a viewer sees the same. `None` where
/// that does not come about, or the two are the same.
fn pair<G: Playable>(game: &Arc<PathGame<G>>, ours: &PathState<G>, rng: &mut FastRng) -> Option<Pair> {
    let n_seats = game.facts().n_seats;
    let seat = index(rng, n_seats);
    // A spectator sees no more than any seat does.
    let viewer = if index(rng, 4) == 0 { Viewer::Spectator } else { Viewer::Seat(seat) };
    let mut states = [ours.clone(), game.determinize(ours, seat, rng)];
    let mut sides = [0, 1].map(|i| Side { start: game.position_text(&states[i], Viewer::Referee), plies: Vec::new() });
    let mut tokens = vec!["fold".to_string(), "~As".into(), "nonsense".into()];
    let n_plies = index(rng, MOST_PLIES);
    // Where chance is to act, a server would let it act.
    while sides[0].plies.len() < n_plies || game.phase(&states[0]) == Phase::Chance {
        let choices = match game.phase(&states[0]) {
            Phase::Over => break,
            Phase::Chance => {
                let outcome = game.sample_outcome(&states[0], rng);
                let mut possible = Vec::new();
                game.outcomes(&states[1], &mut possible);
                let other = match game.sees_outcome(&states[0], outcome, viewer) {
                    true => possible.into_iter().map(|(other, _)| other).find(|&other| other == outcome)?,
                    false => game.sample_outcome(&states[1], rng),
                };
                [Choice::Outcome(outcome), Choice::Outcome(other)]
            }
            Phase::Act(seats) => {
                let by = seats.iter().nth(index(rng, seats.len()))?;
                let action = game.random_action(&states[0], by, &mut Vec::new(), rng);
                let other = match game.sees_action(&states[0], by, action, viewer) {
                    true => Some(action).filter(|&action| game.is_legal(&states[1], by, action))?,
                    false => game.random_action(&states[1], by, &mut Vec::new(), rng),
                };
                [Choice::Action(by, action), Choice::Action(by, other)]
            }
        };
        let plies = [0, 1].map(|i| describe(game, &states[i], choices[i]));
        // What everybody is shown at the end of a round tells them apart; so does what a seat is handed later.
        let shown = [0, 1].map(|i| game.aftermath(&states[i], choices[i]));
        (0..2).for_each(|i| game.play(&mut states[i], choices[i]));
        let known = [0, 1].map(|i| (plies[i].token(viewer), game.position_text(&states[i], viewer)));
        if known[0] != known[1] || shown[0] != shown[1] {
            return None;
        }
        for (side, ply) in sides.iter_mut().zip(plies) {
            side.plies.push(ply.token(Viewer::Referee));
            tokens.push(ply.text);
        }
    }
    let differ = sides[0].start != sides[1].start || sides[0].plies != sides[1].plies;
    differ.then_some(Pair { viewer, sides, tokens })
}

fn table_id(n: usize) -> String {
    format!("{n:020}")
}

fn key(seat: usize) -> String {
    format!("the key of seat {seat}")
}

/// A database with one side of each pair; ids, keys, seeds and times are the same on both sides.
async fn database(path: &Path, spec: &str, n_seats: usize, pairs: &[Pair], side: usize) {
    SqliteStore::open(path).await.unwrap().close().await;
    let mut connection = Connection::open(path).unwrap();
    let transaction = connection.transaction().unwrap();
    for (n, pair) in pairs.iter().enumerate() {
        let (id, Side { start, plies }) = (table_id(n), &pair.sides[side]);
        let insert = "INSERT INTO tables (id, game, version, position, seed, created_at, program) \
                      VALUES (?, ?, 2, ?, zeroblob(32), 0, 'test')";
        transaction.execute(insert, params![id, spec, start]).unwrap();
        for seat in 0..n_seats {
            let insert = "INSERT INTO seats (table_id, seat, key_hash, name) VALUES (?, ?, ?, ?)";
            let hash = Sha256::digest(key(seat));
            transaction.execute(insert, params![id, seat as i64, hash.as_slice(), format!("Player {seat}")]).unwrap();
        }
        for (ply, text) in plies.iter().enumerate() {
            let insert = "INSERT INTO plies (table_id, ply, text, played_at) VALUES (?, ?, ?, 0)";
            transaction.execute(insert, params![id, ply as i64, text]).unwrap();
        }
    }
    transaction.commit().unwrap();
}

/// A server with such a database, which a thousand viewers ask within seconds from one address.
fn server(database: &Path) -> TestServer {
    let config = with_limits(|limits| limits.requests_per_second_per_address = 10_000);
    TestServer::with(Config { database: database.into(), ..config })
}

/// All that a server sends this viewer, asked in every way that changes nothing.
async fn sent(server: &TestServer, n: usize, pair: &Pair) -> Vec<String> {
    let (seat, keys) = match pair.viewer {
        Viewer::Seat(seat) => (seat, vec![key(seat)]),
        _ => (0, vec![]),
    };
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let mut client = server.hello(&table_id(n), &keys).await;
    let first = client.next_text().await.expect("a view");
    let view: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(view["type"], "view", "{first}");
    let n_plies = pair.sides[0].plies.len();
    let mut all = vec![first];
    for n in 0..=n_plies + 1 {
        ask(&mut client, &mut all, json!({ "type": "look", "n_plies": n })).await;
    }
    let narrow = |seat: usize, touched: &[&str]| json!({ "type": "narrow", "seat": seat, "n_plies": n_plies, "touched": touched });
    ask(&mut client, &mut all, narrow(seat, &[])).await;
    ask(&mut client, &mut all, narrow(seat, &["nowhere"])).await;
    ask(&mut client, &mut all, narrow(seat + 1, &[])).await;
    let steps = view["choices"][seat.to_string()]["steps"].as_array().cloned().unwrap_or_default();
    for next in steps.iter().flat_map(|step| step["next"].as_array().unwrap()).take(6) {
        ask(&mut client, &mut all, narrow(seat, &[next["id"].as_str().unwrap()])).await;
    }
    // Refused, whatever they say: they were chosen before the first ply, or for another seat, or cannot be.
    let play = |seat: usize, action: &str, n_plies: usize| json!({ "type": "play", "seat": seat, "action": action, "n_plies": n_plies });
    for action in &pair.tokens {
        ask(&mut client, &mut all, play(seat, action, n_plies + 1)).await;
        ask(&mut client, &mut all, play(seat + 1, action, n_plies)).await;
        if action == "nonsense"
            || action.starts_with('~')
            || !view["to_act"].as_array().is_some_and(|to_act| to_act.contains(&json!(seat)))
        {
            ask(&mut client, &mut all, play(seat, action, n_plies)).await;
        }
    }
    all
}

async fn ask(client: &mut Client, all: &mut Vec<String>, mut message: Value) {
    let id = format!("m{}", all.len());
    message["id"] = json!(id);
    client.send(&message).await;
    loop {
        let text = client.next_text().await.expect("the connection stays open");
        let reply: Value = serde_json::from_str(&text).unwrap();
        assert_ne!(reply["type"], "ack", "nothing is played: {message}");
        all.push(text);
        if reply["id"] == id.as_str() {
            return;
        }
    }
}

#[tokio::test]
async fn what_a_viewer_cannot_tell_apart_is_sent_to_it_as_the_same_bytes() {
    let n = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 1000 } else { 50 };
    let mut n_games = 0;
    for entry in REGISTRY {
        let game = raichi_games::game(entry.id).unwrap();
        if !game.facts().hidden {
            continue;
        }
        n_games += 1;
        let pairs = raichi_games::visit(entry.id, Pairs { n }).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let files = ["ours.sqlite", "others.sqlite"].map(|name| folder.path().join(name));
        for (side, file) in files.iter().enumerate() {
            database(file, game.spec(), game.facts().n_seats, &pairs, side).await;
        }
        let servers = files.each_ref().map(|file| server(file));
        let mut n_bytes = 0;
        // Several at a time: most of a connection's time is waiting.
        let asked = futures::iter(pairs.iter().enumerate()).map(|(n, pair)| {
            future::join(sent(&servers[0], n, pair), sent(&servers[1], n, pair)).map(move |sent| (pair, sent))
        });
        let mut asked = asked.buffer_unordered(CONNECTIONS);
        while let Some((pair, (ours, others))) = asked.next().await {
            n_bytes += ours.iter().map(String::len).sum::<usize>();
            for (ours, others) in ours.iter().zip(&others) {
                let Pair { viewer, sides: [a, b], .. } = pair;
                assert!(
                    ours == others,
                    "{}: {viewer:?} can tell apart\n{} {:?}\n{} {:?}\nby\n{ours}\n{others}",
                    game.spec(),
                    a.start,
                    a.plies,
                    b.start,
                    b.plies,
                );
            }
            assert_eq!(ours.len(), others.len());
        }
        assert!(n_bytes > 1000 * n, "{}: {n_bytes} bytes were compared", entry.id);
    }
    assert!(n_games >= 3, "poker, blackjack, Jabir's Transmutations");
}

/// The comparison finds what it should: the referee's view of the same pairs differs.
#[tokio::test]
async fn other_seats_are_sent_something_else() {
    let pairs = raichi_games::visit("poker", Pairs { n: 20 }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = ["ours.sqlite", "others.sqlite"].map(|name| folder.path().join(name));
    for (side, file) in files.iter().enumerate() {
        database(file, "poker", 2, &pairs, side).await;
    }
    let servers = files.each_ref().map(|file| server(file));
    let mut n_differ = 0;
    for (n, pair) in pairs.into_iter().enumerate() {
        let Viewer::Seat(seat) = pair.viewer else { continue };
        let other = Pair { viewer: Viewer::Seat(1 - seat), ..pair };
        n_differ += usize::from(sent(&servers[0], n, &other).await != sent(&servers[1], n, &other).await);
    }
    assert!(n_differ > 5, "only {n_differ} pairs differ for those who know what they hold");
}
