//! Random games through the filter: what a seat is sent does not depend on what it cannot know.

use std::any::Any;
use std::sync::Arc;

use raichi_core::AnyMatch;
use raichi_core::conformance::random_params;
use raichi_core::erased::{Entry, GameVisitor, Playable};
use raichi_core::game::Facts;
use raichi_core::history::{HistoryError, Match, PlayError, SpectatorsView, why_not};
use raichi_core::path::{PathGame, PathState};
use raichi_core::picture::{Scene, Sketch, Touch};
use raichi_core::random::{FastRng, Rng, index, stream};
use raichi_core::verdict::Ending;
use raichi_games::REGISTRY;

use super::*;
use crate::secret::KeyHash;
use crate::store::Start;

/// A match as it might be for all that one seat knows: the hidden part of its state is drawn anew, and the hidden plies
/// say something else. Only what a filter may look at can be called.
struct Twin<G: Playable> {
    real: Match<G>,
    state: PathState<G>,
    plies: Vec<Ply>,
    seat: Seat,
}

impl<G: Playable> Twin<G> {
    /// `viewer` is the seat itself or a spectator, who knows no more than any seat.
    fn new(real: &Match<G>, seat: Seat, viewer: Viewer, rng: &mut FastRng) -> Twin<G> {
        let scrambled = |ply: &Ply| {
            let mut ply = ply.clone();
            if !ply.seen_by(viewer) {
                ply.text = "secret".into();
                ply.marks = vec!["secret".into()];
            }
            ply
        };
        let state = real.view(seat).determinize(rng);
        Twin { real: real.clone(), state, plies: real.plies().iter().map(scrambled).collect(), seat }
    }

    fn game(&self) -> &PathGame<G> {
        self.real.game()
    }

    /// The real game after its first `n_plies` plies, and a state as it might have been then.
    fn earlier(&self, n_plies: usize) -> (Match<G>, PathState<G>) {
        let mut real = self.real.clone();
        real.truncate(n_plies);
        let state = real.view(self.seat).determinize(&mut stream(n_plies as u64, "look", 0));
        (real, state)
    }
}

impl<G: Playable> AnyMatch for Twin<G> {
    fn spec(&self) -> &str {
        self.game().spec()
    }
    fn facts(&self) -> Facts {
        self.game().facts()
    }
    fn phase(&self) -> Phase {
        self.game().phase(&self.state)
    }
    fn seen_by(&self) -> Option<Viewer> {
        None
    }
    fn n_plies(&self) -> usize {
        self.plies.len()
    }
    fn plies(&self) -> &[Ply] {
        &self.plies
    }
    fn payoffs(&self) -> Payoffs {
        self.game().payoffs(&self.state)
    }
    fn end_reason(&self) -> Option<&'static str> {
        (self.phase() == Phase::Over).then(|| self.game().end_reason(&self.state))
    }
    fn end_text(&self, ending: &Ending<'_>) -> String {
        let ending = Ending { max_plies: self.game().max_plies(), ..*ending };
        self.game().end_text(&self.state, &ending)
    }
    // Of a game with secrets it is empty, as a test of the choices makes sure; elsewhere this is the same state.
    fn losing(&self, seat: Seat) -> Vec<String> {
        AnyMatch::losing(&self.real, seat)
    }
    fn picture(&self, viewer: Viewer) -> Picture {
        self.game().picture(&Scene { state: &self.state, ..self.real.scene() }, viewer)
    }
    fn picture_after(&self, n_plies: usize, viewer: Viewer) -> Picture {
        let (real, state) = self.earlier(n_plies);
        self.game().picture(&Scene { state: &state, ..real.scene() }, viewer)
    }
    fn position_text(&self, viewer: Viewer) -> String {
        self.game().position_text(&self.state, viewer)
    }
    fn position_text_after(&self, n_plies: usize, viewer: Viewer) -> String {
        self.game().position_text(&self.earlier(n_plies).1, viewer)
    }
    fn touches(&self, seat: Seat) -> Vec<Touch> {
        let mut actions = Vec::new();
        self.game().legal_actions(&self.state, seat, &mut actions);
        let touch = |action| Touch {
            action: self.game().action_text(&self.state, seat, action),
            path: self.game().path(&self.state, seat, action),
        };
        let mut touches: Vec<Touch> = actions.into_iter().map(touch).collect();
        touches.sort_unstable_by(|a, b| a.action.cmp(&b.action));
        touches
    }

    fn any_order(&self, id: &str) -> bool {
        self.game().any_order(id)
    }

    fn caption(&self, seat: Seat, touched: &[String]) -> Option<String> {
        self.game().caption(&self.state, seat, touched)
    }

    fn legal(&self, _seat: Seat) -> Vec<String> {
        panic!("no view lists actions")
    }
    fn count_actions(&self, _seat: Seat) -> usize {
        panic!("no view counts actions")
    }
    fn legal_numbers(&self, _seat: Seat) -> Vec<u64> {
        panic!("no view numbers actions")
    }
    fn numbered_actions(&self, _seat: Seat) -> Vec<(u64, String)> {
        panic!("no view numbers actions")
    }
    fn outcomes(&self, _viewer: Viewer) -> Vec<(String, u64)> {
        panic!("no view lists outcomes")
    }
    fn observe(&self, _seat: Seat, _observation: &mut [i32]) {
        panic!("no view observes")
    }
    fn reached(&self) -> Option<(&'static str, u64)> {
        unreachable!("nothing is measured in views")
    }
    fn information_state(&self, _seat: Seat) -> String {
        panic!("no view lists what a seat has seen")
    }
    fn play(&mut self, _seat: Seat, _text: &str) -> Result<String, PlayError> {
        panic!("no view plays")
    }
    fn play_random(&mut self, _seat: Seat, _rng: &mut dyn Rng) -> Result<(), PlayError> {
        panic!("no view plays")
    }
    fn random_action(&self, _seat: Seat, _rng: &mut dyn Rng) -> Result<String, PlayError> {
        panic!("no view plays")
    }
    fn why_not(&self, seat: Seat, touched: &[String]) -> Option<String> {
        why_not(self.game(), &self.state, seat, touched)
    }
    fn play_token(&mut self, _token: &str) -> Result<(), PlayError> {
        panic!("no view plays")
    }
    fn play_history(&mut self, _history: &str) -> Result<(), HistoryError> {
        panic!("no view plays")
    }
    fn sample_outcome(&mut self, _rng: &mut dyn Rng) -> Result<(), PlayError> {
        panic!("no view plays")
    }
    fn draw_hidden(&mut self, _rng: &mut dyn Rng) -> Result<(), SpectatorsView> {
        panic!("no view draws what is hidden")
    }
    fn truncate(&mut self, _n_plies: usize) {
        panic!("no view takes back")
    }
    fn sketch(&self, _viewer: Viewer) -> Sketch {
        panic!("no view sketches")
    }
    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        panic!("no view keeps a game")
    }
    fn as_any(&self) -> &dyn Any {
        panic!("no view knows the game")
    }
}

/// Everything that a client is sent about a position, as bytes: a first view, a later one, and earlier positions.
fn messages(current: Box<dyn AnyMatch>, spec: &str, held: SeatSet, looks: &[usize]) -> Vec<String> {
    let game = raichi_games::game(spec).unwrap();
    let human = |seat: usize| Holder::Human { key: KeyHash([seat as u8; 32]), name: None };
    let seats = (0..game.facts().n_seats)
        .map(|seat| SeatRow { holder: human(seat), resignation: None, draw_offered: None })
        .collect();
    // Only that there is one counts: what is sent is the text of the match's start.
    let start = Some(Start { position: "secret".into(), seen_by: None });
    let game = GameInProgress::from_match(game, current, start, seats);
    let around = TableState {
        table: "table",
        connected: held,
        thinking: SeatSet::EMPTY,
        seed: &Seed([7; 32]),
        next_table: None,
        settings: &Settings { help: true, clock: None },
        clock: None,
        pace: None,
        is_imported: false,
    };
    let filter = Filter::new(&game, held);
    let known = Known { viewer: Some(filter.viewer), n_plies: game.n_plies().saturating_sub(3), n_taken_back: 0 };
    let views = [Known::default(), known].map(|known| ServerMessage::View(Box::new(filter.view(&around, known).0)));
    let looks = looks.iter().map(|&n_plies| filter.look("look".into(), n_plies).unwrap());
    let mut messages: Vec<String> = views.into_iter().chain(looks).map(|message| message.to_text()).collect();
    for seat in held.iter().filter(|&seat| game.to_act().contains(seat)) {
        for touch in game.touches(seat).iter().take(3) {
            let touched = touch.path[..(touch.path.len() - 1).min(2)].to_vec();
            let choice = PartialChoice { seat, n_plies: game.n_plies(), touched };
            messages.push(filter.narrow("narrow".into(), &choice).unwrap().to_text());
        }
        // What can be touched is what the viewer sees.
        let picture = filter.picture();
        let cells = picture.areas.iter().flat_map(|area| &area.cells).map(|cell| cell.id.clone());
        let ids: Vec<String> = cells.chain(picture.buttons.iter().map(|button| button.id.clone())).collect();
        for pair in ids.windows(2).step_by(ids.len() / 12 + 1) {
            for touched in [&pair[..1], pair] {
                let choice = PartialChoice { seat, n_plies: game.n_plies(), touched: touched.to_vec() };
                messages.push(filter.why("why".into(), &choice).unwrap().to_text());
            }
        }
    }
    messages
}

/// What somebody is told who tries to play `text`; nothing where it is legal.
fn refusal<G: Playable>(game: &PathGame<G>, state: &PathState<G>, seat: Seat, text: &str) -> Option<String> {
    match game.parse_action(state, seat, text) {
        Err(why) => Some(why.to_string()),
        Ok(action) if game.is_legal(state, seat, action) => None,
        Ok(action) => Some(game.action_text(state, seat, action) + &game.why_illegal(state, seat, action)),
    }
}

/// Plays random games and compares at every ply.
struct Check {
    seed: u64,
    max_plies: usize,
}

/// How often there was something to compare.
#[derive(Default)]
struct Checked {
    positions: usize,
    /// Where somebody who sees everything would have seen a difference.
    telling: usize,
}

impl Checked {
    fn add(&mut self, other: Checked) {
        self.positions += other.positions;
        self.telling += other.telling;
    }
}

impl GameVisitor for Check {
    type Output = Checked;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Checked {
        let spec = game.spec();
        let mut checked = Checked::default();
        let mut rng = stream(self.seed, "secrets", 0);
        let mut texts: Vec<String> = Vec::new();
        let mut current = Match::of(Arc::clone(game));
        if self.seed % 2 == 1 {
            current = set_up_in_play(current, &mut rng);
        }
        while current.phase() != Phase::Over && current.plies().len() < self.max_plies {
            let n_plies = current.plies().len();
            if n_plies > 12 && index(&mut rng, 2) == 0 {
                step(&mut current, &mut texts, &mut rng);
                continue;
            }
            let looks = [index(&mut rng, n_plies + 1), n_plies];
            for seat in 0..game.facts().n_seats {
                for (viewer, held) in [(Viewer::Seat(seat), SeatSet::one(seat)), (Viewer::Spectator, SeatSet::EMPTY)] {
                    let twin = Twin::new(&current, seat, viewer, &mut rng);
                    checked.positions += 1;
                    checked.telling += usize::from(twin.state.position() != current.state().position());
                    if matches!(current.phase(), Phase::Act(seats) if seats.contains(seat)) {
                        for text in &texts {
                            let ours = refusal(game, current.state(), seat, text);
                            let theirs = refusal(game, &twin.state, seat, text);
                            assert_eq!(ours, theirs, "{spec}, seed {}, ply {n_plies}: {text} by {seat}", self.seed);
                        }
                    }
                    let ours = messages(Box::new(current.clone()), spec, held, &looks);
                    let theirs = messages(Box::new(twin), spec, held, &looks);
                    assert_eq!(ours, theirs, "{spec}, seed {}, ply {n_plies}: {viewer:?}", self.seed);
                }
            }
            step(&mut current, &mut texts, &mut rng);
        }
        checked
    }
}

/// A game that begins with what a seat saw in the middle of a random one.
fn set_up_in_play<G: Playable>(mut current: Match<G>, rng: &mut FastRng) -> Match<G> {
    let game = Arc::clone(current.game());
    for _ in 0..20 + index(rng, 20) {
        if current.phase() != Phase::Over {
            step(&mut current, &mut Vec::new(), rng);
        }
    }
    let text = current.position_text(Viewer::Seat(index(rng, game.facts().n_seats)));
    let position = game.parse_position(&text).unwrap_or_else(|why| panic!("{}: {text}: {why}", game.spec()));
    let mut current = Match::from_position(game, position);
    current.draw_hidden(rng).expect("a seat wrote the text");
    current
}

fn step<G: Playable>(current: &mut Match<G>, texts: &mut Vec<String>, rng: &mut FastRng) {
    let Phase::Act(seats) = current.phase() else {
        current.sample_outcome(rng).expect("chance is to act");
        return;
    };
    let nth = index(rng, seats.len());
    let seat = seats.iter().nth(nth).expect("the index is below the length");
    let action = current.game().random_action(current.state(), seat, &mut Vec::new(), rng);
    let text = current.game().action_text(current.state(), seat, action);
    if texts.len() < 12 && !texts.contains(&text) {
        texts.push(text);
    }
    current.play(seat, action).expect("a random action is legal");
}

/// Compares what is sent in games of these seeds, the first of them by the standard rules; in none where nothing is hidden.
fn check_games(entry: &Entry, seeds: impl Iterator<Item = u64>) -> Checked {
    let mut checked = Checked::default();
    for seed in seeds {
        let params = if seed < 3 { None } else { random_params(&(entry.params)(), &mut stream(seed, "params", 0)) };
        let spec = params.map_or(entry.id.to_string(), |params| format!("{}:{params}", entry.id));
        let Ok(game) = raichi_games::game(&spec) else { continue };
        if game.facts().hidden {
            checked.add(raichi_games::visit(&spec, Check { seed, max_plies: 160 }).unwrap());
        }
    }
    checked
}

#[test]
fn what_a_seat_is_sent_does_not_depend_on_what_is_hidden_from_it() {
    let nightly = std::env::var_os("RAICHI_NIGHTLY").is_some();
    let n_games = if nightly { 200 } else { 6 };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut n_hidden = 0;
    for entry in REGISTRY {
        let checked = std::thread::scope(|scope| {
            let share = |first| scope.spawn(move || check_games(entry, (first..n_games).step_by(n_threads)));
            let workers: Vec<_> = (0..n_threads as u64).map(share).collect();
            let mut all = Checked::default();
            workers.into_iter().for_each(|worker| all.add(worker.join().expect("what differs was printed")));
            all
        });
        let Checked { positions, telling } = checked;
        let has_secrets = raichi_games::game(entry.id).is_ok_and(|game| game.facts().hidden);
        if has_secrets || positions > 0 {
            n_hidden += 1;
            println!("{}: {positions} positions compared, {telling} of them truly different", entry.id);
            // Where little is hidden, as one card of a dealer, most twins are alike.
            assert!(telling * 8 > positions, "{}: the twins are too much alike: {telling} of {positions}", entry.id);
        }
    }
    assert!(n_hidden > 0, "no game with secrets was checked");
}
