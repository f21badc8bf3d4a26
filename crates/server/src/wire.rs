//! The page's types and the data of its tests, generated from the types here. A test fails when the committed files
//! differ; `cargo xtask golden` writes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use raichi_core::chart::{Chart, Detail, Entry, Figure, Lettering, Row};
use raichi_core::drill::{Answer, Exercise};
use raichi_core::params::{ParamKind, ParamSpec};
use raichi_core::picture::{
    Area, AreaKind, Badge, BadgeKind, Button, Cell, Counter, Line, Picture, Piece, PieceKind, Shape, Text, Tone, Touch,
};
use raichi_core::placement::Place;
use raichi_core::reason::Reason;
use raichi_core::seat::{Seat, SeatSet};
use serde::Serialize;
use serde_json::{Map, Value, json};
use ts_rs::TS;

use crate::analysis::message::{
    AnalysedPly, AnalysedPosition, AnalysedSeat, AnalysisMessage, AnalysisRequest, CandidateView, CertaintyView,
    CurvePoint, EndsAs, EndsView, LinePly, NarrowRequest, OutcomeView, PlyLoss, Source,
};
use crate::choices::{Choices, Graph, NextTouch, Step};
use crate::clock::TimeControl;
use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::lab::message::{
    BalanceRequest, BalanceView, CourseView, EstimateView, ExampleView, FormatView, FrameView, LearnerView,
    LearnersView, MeanView, MeasureView, MeasuringView, NewRun, OptionKindView, OptionView, PlayedGameView, PointView,
    PresetView, ReachedView, RunCommand, RunGameView, RunMessage, RunOrder, RunProgress, RunRequest, RunState, RunView,
    SampleView, SeatBalanceView, SheetView, StandingView, StartView, TournamentRequest, TournamentView, TrainedView,
    TrainingRequest, TrainingView, TupleView, TuplesView,
};
use crate::lessons::{LessonView, NarrowStep, StepView, TryRequest, TryView, VerdictView};
use crate::lobby;
use crate::message::{
    AgentEntry, AgentGroup, ByView, ClientMessage, ClockView, Description, GameCard, GameEntry, HintView,
    ImportedRecord, KeyKind, LibraryEntry, LibraryPage, LibrarySeat, NewTable, NextTable, Pace, PassageView, PlyView,
    RemarkView, ResultView, SeatKey, SeatKind, SeatRequest, SeatView, ServerMessage, StepOfPassage, TableRequest,
    ToAct, View,
};
use crate::placing::{PieceToPut, PlacingRequest, PlacingView};
use crate::reference::Reference;
use crate::secret::{KeyHash, Seed};
use crate::settings::Settings;
use crate::store::{Holder, KeptVariations, Resignation, SeatRow, TriedLine};
use crate::variations::VariationsRequest;
use crate::view::{Filter, Known, TableState};

/// Set by `cargo xtask golden`: the files are written rather than compared.
const WRITE: &str = "RAICHI_WRITE_WIRE";

#[test]
fn the_page_has_the_types_and_the_test_data_of_this_server() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let mut files = vec![(web.join("lib/wire.ts"), typescript())];
    files.extend(
        fixtures()
            .into_iter()
            .map(|(name, value)| (web.join("fixtures").join(name).with_extension("json"), written(&value))),
    );
    if std::env::var_os(WRITE).is_some() {
        files.iter().for_each(|(path, text)| write(path, text));
        return;
    }
    let differs = |(path, text): &&(PathBuf, String)| fs::read_to_string(path).ok().as_ref() != Some(text);
    let stale: Vec<&PathBuf> = files.iter().filter(differs).map(|(path, _)| path).collect();
    assert!(stale.is_empty(), "these differ from what the server sends; `cargo xtask golden` writes them: {stale:#?}");
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).unwrap();
    fs::write(path, text).unwrap_or_else(|why| panic!("{} cannot be written: {why}", path.display()));
}

/// All types of the wire, those of core first.
fn typescript() -> String {
    let mut text = "// Generated from the server's Rust types by `cargo xtask golden`. Do not edit.\n".to_string();
    macro_rules! declare {
        ($($kind:ty),* $(,)?) => { $(text += &declaration::<$kind>();)* };
    }
    declare!(
        Picture, Area, AreaKind, Cell, Shape, Piece, PieceKind, Tone, Line, Text, Counter, Badge, BadgeKind, Button,
        Chart, Row, Entry, Figure, Detail, Lettering, Exercise, Answer, Reason, ParamSpec, ParamKind,
    );
    declare!(
        GameEntry,
        GameCard,
        PassageView,
        RemarkView,
        StepOfPassage,
        LessonView,
        StepView,
        TryRequest,
        NarrowStep,
        VerdictView,
        TryView,
        Description,
        PlacingRequest,
        PlacingView,
        PieceToPut,
        Place,
        Reference,
        AgentEntry,
        AgentGroup,
        TableRequest,
        SeatRequest,
        NewTable,
        SeatKey,
        KeyKind
    );
    declare!(
        ClientMessage,
        ServerMessage,
        View,
        SeatView,
        SeatKind,
        PlyView,
        ByView,
        ToAct,
        ResultView,
        NextTable,
        HintView,
        TimeControl,
        ClockView,
        LibraryPage,
        LibraryEntry,
        LibrarySeat,
        ImportedRecord,
        Pace
    );
    declare!(Choices, Step, NextTouch, Refusal);
    declare!(
        AnalysisRequest,
        Source,
        NarrowRequest,
        AnalysisMessage,
        AnalysedPosition,
        AnalysedSeat,
        AnalysedPly,
        OutcomeView,
        CandidateView,
        CertaintyView,
        EndsView,
        EndsAs,
        LinePly,
        CurvePoint,
        PlyLoss,
        KeptVariations,
        TriedLine,
        VariationsRequest,
    );
    declare!(
        RunRequest,
        TournamentRequest,
        FormatView,
        BalanceRequest,
        RunCommand,
        RunOrder,
        NewRun,
        RunState,
        RunView,
        RunMessage,
        RunProgress,
        EstimateView,
        MeanView,
        ReachedView,
        PlayedGameView,
        TournamentView,
        StandingView,
        BalanceView,
        SheetView,
        SeatBalanceView,
        CourseView,
        RunGameView,
        TrainingRequest,
        TrainingView,
        MeasuringView,
        PointView,
        MeasureView,
        StartView,
        SampleView,
        FrameView,
        LearnerView,
        LearnersView,
        OptionView,
        OptionKindView,
        PresetView,
        ExampleView,
        TrainedView,
        TuplesView,
        TupleView,
    );
    text
}

fn declaration<T: TS>() -> String {
    let config = ts_rs::Config::new().with_large_int("number");
    format!("\n{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config))
}

/// What the page's tests draw and touch, by name.
fn fixtures() -> BTreeMap<&'static str, Value> {
    let error = |spec| value(&lobby::describe(spec, None).expect_err("the spec is wrong"));
    let game = |id| value(&lobby::games().into_iter().find(|entry| entry.id == id).expect("the game is there"));
    BTreeMap::from([
        ("choices", choices()),
        ("body", json!({ "one": body(1), "three": body(3), "view": view_of_body() })),
        ("connect-four", view("connect-four", "4 4 6 5 7 7 3 3", &[0])),
        ("hex", json!({ "game": game("hex"), "errors": [error("hex:size=1"), error("hex:sise=3")] })),
        ("nim3p", view("nim3p", "", &[1])),
        ("poker", view("poker:players=2", "", &[0])),
        ("tablut", view("tablut", "d1-d3 e4-d4", &[0])),
        ("tic-tac-toe", view("tic-tac-toe", "", &[0])),
        ("tic-tac-toe-over", view("tic-tac-toe", "a1 b1 a2 b2 a3", &[0, 1])),
    ])
}

fn value(thing: &impl Serialize) -> Value {
    serde_json::to_value(thing).expect("messages have only text keys and finite numbers")
}

/// What the holder of some seats is sent after a history, with which a game is over or a rematch made.
fn view(spec: &str, history: &str, held: &[Seat]) -> Value {
    let rules = raichi_games::game(spec).expect("the spec makes a game");
    let human = |seat: usize| Holder::Human { key: KeyHash([seat as u8; 32]), name: (seat == 0).then(|| "Ann".into()) };
    let seats = (0..rules.facts().n_seats).map(|seat| SeatRow {
        holder: human(seat),
        resignation: None::<Resignation>,
        draw_offered: None,
    });
    let mut game = GameInProgress::new(rules.clone(), None, seats.collect()).expect("the game has a start");
    let seed = Seed([7; 32]);
    game.play_chance(&seed);
    game.replay(history.split_whitespace()).expect("the history is legal");
    game.play_chance(&seed);
    let state = TableState {
        table: "table",
        connected: SeatSet::one(0),
        thinking: SeatSet::EMPTY,
        seed: &seed,
        next_table: game.is_over().then_some("next"),
        settings: &Settings { help: true, clock: None },
        clock: None,
        pace: None,
        is_imported: false,
    };
    let held = held.iter().copied().collect();
    value(&ServerMessage::View(Box::new(Filter::new(&game, held).view(&state, Known::default()).0)))
}

/// Choices with little in them, each to show one thing.
fn choices() -> Value {
    let touch = |action: &str, path: &[&str]| Touch { action: action.into(), path: texts(path) };
    let moves = [
        touch("d1-d2", &["d1", "d2"]),
        touch("d1-d3", &["d1", "d3"]),
        touch("a4-a3", &["a4", "a3"]),
        touch("pass", &["pass"]),
    ];
    let deep = [
        touch("a-b-c", &["a", "b", "c"]),
        touch("a-b-d", &["a", "b", "d"]),
        touch("a-c", &["a", "c"]),
        touch("b-c", &["b", "c"]),
    ];
    let repeated = [
        touch("RR>K", &["hand:R", "hand:R", "center:K", "ok"]),
        touch("RB>P", &["hand:R", "hand:B", "center:P", "ok"]),
    ];
    let swaps = [
        touch("RO>Y", &["hand:R", "hand:O", "for", "center:Y", "ok"]),
        touch("OO>K", &["hand:O", "hand:O", "for", "center:K", "ok"]),
        touch("O>RY", &["hand:O", "for", "center:R", "center:Y", "ok"]),
    ];
    let silent = Graph { any_order: &|_| false, caption: &|_| None, losing: &[], max_ids: 100 };
    let captioned = Graph { caption: &|touched| Some(format!("{} so far", touched.join(" "))), ..silent };
    let small = Graph { max_ids: 2, ..captioned };
    let free = Graph { any_order: &|id| id.contains(':'), ..silent };
    let of = |graph: &Graph<'_>, all: &[Touch], touched: &[&str]| value(&graph.choices(all, &texts(touched)).unwrap());
    json!({
        "moves": of(&silent, &moves, &[]),
        "captioned": of(&captioned, &moves, &[]),
        "repeated": of(&silent, &repeated, &[]),
        "swaps": of(&free, &swaps, &[]),
        "fewer_swaps": of(&free, &swaps[1..], &[]),
        "cut_off": of(&small, &deep, &[]),
        "cut_off_at_a": of(&small, &deep, &["a"]),
        "cut_off_at_a_b": of(&small, &deep, &["a", "b"]),
        "cut_off_at_b": of(&small, &deep, &["b"]),
        "cut_off_without_a": of(&small, &deep[3..], &[]),
    })
}

fn texts(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| id.to_string()).collect()
}

/// A cube of 6 × n × n facets, two units wide.
fn body(n: usize) -> Area {
    type Spot = [f64; 3];
    // Each face by its normal and by where its right and its down lie.
    let faces: [(char, Tone, Spot, Spot, Spot); 6] = [
        ('f', Tone::Green, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
        ('b', Tone::Blue, [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
        ('r', Tone::Red, [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]),
        ('l', Tone::Orange, [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
        ('u', Tone::White, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ('d', Tone::Yellow, [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
    ];
    let mut area = Area::solid("body", "Cube");
    for (name, tone, out, right, down) in faces {
        for nth in 0..n * n {
            let corner = |x: usize, y: usize| {
                let along = |step: usize| 2.0 * step as f64 / n as f64 - 1.0;
                let (across, along) = (along(nth % n + x), along(nth / n + y));
                std::array::from_fn(|axis| out[axis] + right[axis] * across + down[axis] * along)
            };
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let cell = area.cell(format!("{name}{nth}"), 0.0, 0.0, Shape::Facet { corners }, tone);
            cell.text = Some(name.to_ascii_uppercase().into());
        }
    }
    area
}

/// A table where every facet of a body is an action.
fn view_of_body() -> Value {
    let area = body(3);
    let touch = |cell: &Cell| Touch { action: cell.id.clone(), path: vec![cell.id.clone()] };
    let touches: Vec<Touch> = area.cells.iter().map(touch).collect();
    let graph = Graph { any_order: &|_| false, caption: &|_| None, losing: &[], max_ids: 100 };
    let choices = graph.choices(&touches, &[]).expect("there are actions");
    let view = View {
        table: "body".into(),
        game: "body".into(),
        name: "A body",
        seats: vec![SeatView {
            name: "Solver".into(),
            tone: Tone::Seat(0),
            occupant: Some("Ann".into()),
            kind: SeatKind::Human,
            connected: true,
        }],
        you: vec![0],
        private_to: None,
        n_plies: 0,
        plies_from: 0,
        plies: Vec::new(),
        to_act: ToAct::Seats(vec![0]),
        thinking: Vec::new(),
        picture: Picture { areas: vec![area], ..Picture::default() },
        position: String::new(),
        start: None,
        last: Vec::new(),
        choices: BTreeMap::from([(0, choices)]),
        help: false,
        take_back: BTreeMap::new(),
        clock: None,
        pace: None,
        draws: false,
        chance: false,
        score_sheet: false,
        draw_offers: Vec::new(),
        result: None,
        seed_hash: String::new(),
        seed: None,
        next_table: None,
    };
    value(&ServerMessage::View(Box::new(view)))
}

/// JSON in which whatever fits stands on one line, so that differences are easy to read.
fn written(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, 0, &mut text);
    text + "\n"
}

fn write_value(value: &Value, indent: usize, text: &mut String) {
    const WIDTH: usize = 118;
    let line = value.to_string();
    if indent + line.len() <= WIDTH {
        *text += &line;
        return;
    }
    let entries: Vec<(Option<&String>, &Value)> = match value {
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Object(fields) => Map::iter(fields).map(|(key, item)| (Some(key), item)).collect(),
        _ => {
            *text += &line;
            return;
        }
    };
    let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
    text.push(open);
    for (i, (key, item)) in entries.iter().enumerate() {
        *text += if i == 0 { "\n" } else { ",\n" };
        *text += &" ".repeat(indent + 2);
        if let Some(key) = key {
            *text += &format!("{}: ", Value::from(key.as_str()));
        }
        write_value(item, indent + 2, text);
    }
    *text += &format!("\n{}{close}", " ".repeat(indent));
}
