//! The rule book, clause by clause; the packed cube against stickers that are turned in space; known numbers of
//! positions.

use std::collections::HashMap;

use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::picture::{Area, Shape, Tone};
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, Notation, PathGame, Scene, View, Viewer};
use rustc_hash::FxHashSet;

use super::cube::Cube;
use super::face::{Face, Twist};
use super::rules::{RubiksCube, State};
use super::symmetry::Symmetry;

fn game(params: &str) -> RubiksCube {
    *create::<RubiksCube>((!params.is_empty()).then_some(params)).expect("the test's parameters make a game").game()
}

fn after(params: &str, history: &str) -> Match<RubiksCube> {
    let mut current = Match::new(game(params));
    current.play_history(history).expect("the test's history is legal");
    current
}

fn drawing(current: &Match<RubiksCube>) -> String {
    current.sketch(Viewer::Spectator).to_string()
}

fn error(params: &str) -> String {
    create::<RubiksCube>(Some(params)).expect_err("the test's parameters make no game").to_string()
}

#[test]
fn parameters_have_the_contracts_ranges_and_defaults() {
    let spec = |params| create::<RubiksCube>(Some(params)).unwrap().spec().to_string();
    assert_eq!(spec("limit=20,scramble=11,metric=htm,size=2"), "rubiks-cube");
    let given = "limit=200,scramble=0,metric=qtm,size=3";
    assert_eq!(spec(given), "rubiks-cube:size=3,metric=qtm,scramble=0,limit=200");
    assert_eq!(error("size=4"), "`size=4`: size is a whole number from 2 to 3");
    assert_eq!(error("metric=stm"), "`metric=stm`: metric is one of htm, qtm");
    assert_eq!(error("limit=0"), "`limit=0`: limit is a whole number from 1 to 200");
    assert_eq!(error("scramble=101"), "`scramble=101`: scramble is a whole number from 0 to 100");
}

#[test]
fn size_2_turns_three_faces_size_3_six_and_half_turns_are_twists_in_htm_only() {
    let legal = |params: &str| AnyMatch::legal(&after(params, ""), 0).join(" ");
    assert_eq!(legal("scramble=0"), "F F' F2 R R' R2 U U' U2");
    assert_eq!(legal("scramble=0,metric=qtm"), "F F' R R' U U'");
    assert_eq!(legal("scramble=0,size=3"), "B B' B2 D D' D2 F F' F2 L L' L2 R R' R2 U U' U2");
    assert_eq!(legal("scramble=0,size=3,metric=qtm"), "B B' D D' F F' L L' R R' U U'");
}

#[test]
fn texts_are_singmasters_and_nothing_else_is_read() {
    let refused = |params: &str, text: &str| after(params, "").play_text(0, text).expect_err(text).to_string();
    for text in ["", "u", "U3", "U''", "U1", "2U", "X", "U 2", "U’", "~U", "é"] {
        let why = refused("scramble=0", text);
        assert!(why.ends_with("expected one of URF, then ', 2 or nothing, such as R'"), "{text}: {why}");
    }
    assert_eq!(
        refused("scramble=0,metric=qtm", "U2"),
        "`U2` is not legal: in the metric qtm a half turn is made of two twists"
    );
    assert!(refused("scramble=0", "L").starts_with("`L` is not legal: in a cube of size 2 only U, R and F turn"));
    let mut scramble = after("size=3,metric=qtm", "");
    assert_eq!(scramble.play_outcome_text("~B'").as_deref(), Ok("~B'"));
    assert_eq!(scramble.play_outcome_text("~U2").unwrap_err().code(), "play/illegal");
    let why = scramble.play_outcome_text("U").unwrap_err().to_string();
    assert!(why.ends_with("expected ~ and one of URFDLB, then ' or nothing, such as R'"), "{why}");
}

#[test]
fn twists_are_clockwise_seen_from_outside() {
    let twisted = |size: u8, twist: &str| drawing(&after(&format!("size={size},scramble=0"), twist));
    let u = "      U U\n      U U\n  F F  R R  B B  L L\n  L L  F F  R R  B B\n      D D\n      D D\n";
    assert!(twisted(2, "U").starts_with(&u.replace("      ", "       ")), "{}", twisted(2, "U"));
    let r = "         U U F\n         U U F\n         U U F\n\
             \x20 L L L  F F D  R R R  U B B\n\
             \x20 L L L  F F D  R R R  U B B\n\
             \x20 L L L  F F D  R R R  U B B\n\
             \x20        D D B\n         D D B\n         D D B\n";
    assert_eq!(twisted(3, "R"), format!("{r}Twists 1 of 20.\n"));
    let b = "         R R R\n         U U U\n         U U U\n\
             \x20 U L L  F F F  R R D  B B B\n\
             \x20 U L L  F F F  R R D  B B B\n\
             \x20 U L L  F F F  R R D  B B B\n\
             \x20        D D D\n         D D D\n         L L L\n";
    assert!(twisted(3, "B").starts_with(b), "{}", twisted(3, "B"));
}

/// Stickers by place and direction in space; those of a layer are turned about its axis.
struct Stickers {
    size: u8,
    colours: HashMap<Sticker, Face>,
}

type Vector = [i32; 3];
type Sticker = (Vector, Vector);

fn axis(face: Face) -> Vector {
    match face {
        Face::U => [0, 1, 0],
        Face::R => [1, 0, 0],
        Face::F => [0, 0, 1],
        Face::D => [0, -1, 0],
        Face::L => [-1, 0, 0],
        Face::B => [0, 0, -1],
    }
}

fn dot(a: Vector, b: Vector) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A quarter turn about `axis`, clockwise for somebody who looks against it: what lies along it stays.
fn turned(v: Vector, axis: Vector) -> Vector {
    let along = axis.map(|x| x * dot(v, axis));
    let across = cross(v, axis);
    [0, 1, 2].map(|i| along[i] + across[i])
}

impl Stickers {
    // A layer is two units thick: the places of cubies are −1 and 1, or −2, 0 and 2.
    fn solved(size: u8) -> Stickers {
        let outermost = i32::from(size) - 1;
        let steps = || (-outermost..=outermost).step_by(2);
        let places = || steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])));
        let of_face =
            |face| places().filter(move |&at| dot(at, axis(face)) == outermost).map(move |at| ((at, axis(face)), face));
        Stickers { size, colours: Face::ALL.into_iter().flat_map(of_face).collect() }
    }

    fn twist(&mut self, twist: Twist) {
        let (axis, outermost) = (axis(twist.face()), i32::from(self.size) - 1);
        for _ in 0..twist.quarters() {
            let moved = |(at, out): Sticker| {
                if dot(at, axis) == outermost { (turned(at, axis), turned(out, axis)) } else { (at, out) }
            };
            self.colours = self.colours.iter().map(|(&sticker, &colour)| (moved(sticker), colour)).collect();
        }
    }
}

const COLOURS: [Tone; 6] = [Tone::White, Tone::Red, Tone::Green, Tone::Yellow, Tone::Orange, Tone::Blue];

fn body(game: &RubiksCube, state: &State) -> Area {
    game.picture(&Scene::of(state), Viewer::Spectator)
        .areas
        .into_iter()
        .find(|area| area.id == "body")
        .expect("there is a body")
}

/// The stickers that a picture shows in space.
fn seen_in_space(game: &RubiksCube, state: &State) -> HashMap<Sticker, Face> {
    let size = f64::from(game.size());
    let sticker = |cell: &raichi_core::picture::Cell| {
        let Shape::Facet { corners } = cell.shape else { panic!("a body has facets only") };
        let middle = [0, 1, 2].map(|i| corners.iter().map(|corner| corner[i]).sum::<f64>() / 4.0 / 0.95);
        let out = middle.map(|x| if x.abs() > 0.999 { x.signum() as i32 } else { 0 });
        // The middle of a sticker is on the cube's surface, that of its cubie half a layer below.
        let at = [0, 1, 2].map(|i| (middle[i] * size).round() as i32 - out[i]);
        let colour = COLOURS.iter().position(|&tone| tone == cell.tone).expect("stickers have the six colours");
        assert_eq!(cell.text.as_deref(), Some(["U", "R", "F", "D", "L", "B"][colour]));
        ((at, out), Face::ALL[colour])
    };
    body(game, state).cells.iter().map(sticker).collect()
}

#[test]
fn the_packed_cube_turns_like_stickers_in_space() {
    for params in
        ["size=2,limit=200,scramble=0", "size=3,limit=200,scramble=0", "size=3,metric=qtm,limit=200,scramble=0"]
    {
        let game = game(params);
        let mut rng = stream(1, params, 0);
        for _ in 0..8 {
            let (mut state, mut stickers) = (game.initial_state(), Stickers::solved(game.size()));
            assert_eq!(seen_in_space(&game, &state), stickers.colours);
            for _ in 0..60 {
                let twist = game.twists()[index(&mut rng, game.twists().len())];
                game.apply(&mut state, 0, twist);
                stickers.twist(twist);
                assert_eq!(seen_in_space(&game, &state), stickers.colours, "{params}, after {twist:?}");
            }
        }
    }
}

#[test]
fn every_twist_and_its_inverse_meet_and_four_quarters_are_nothing() {
    for twist in game("size=3").twists() {
        let mut cube = Cube::SOLVED;
        cube.twist(*twist);
        assert_ne!(cube, Cube::SOLVED);
        cube.twist(twist.inverse());
        assert_eq!(cube, Cube::SOLVED);
        let quarter = Twist::new(twist.face(), 1);
        (0..twist.quarters()).for_each(|_| cube.twist(quarter));
        cube.twist(twist.inverse());
        assert_eq!(cube, Cube::SOLVED);
    }
}

#[test]
fn the_superflip_turns_every_edge_and_no_corner() {
    let flip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let current = after("size=3,scramble=0,limit=200", flip);
    let cube = current.state().cube();
    assert!((0..12).all(|slot| (cube.edge(slot).number, cube.edge(slot).turn) == (slot, 1)));
    assert_eq!(cube.corners, Cube::SOLVED.corners);
    assert_eq!(after("size=3,scramble=0,limit=200", &format!("{flip} {flip}")).end_reason(), Some("solved"));
}

#[test]
fn the_corner_down_back_left_never_moves_in_size_2() {
    let game = PathGame::from(game("limit=200,scramble=100"));
    for seed in 0..20 {
        let (mut state, mut rng) = (game.initial_state(), stream(seed, "test", 0));
        raichi_core::playout::playout(&game, &mut state, &mut Vec::new(), &mut rng);
        assert_eq!((state.cube.corner(7).number, state.cube.corner(7).turn), (7, 0));
        assert_eq!(state.cube.edges, Cube::SOLVED.edges);
    }
}

#[test]
fn chance_scrambles_first_and_never_the_face_just_twisted() {
    let outcomes = |params: &str, history: &str| {
        let listed = AnyMatch::outcomes(&after(params, history), Viewer::Referee);
        assert!(listed.iter().all(|&(_, weight)| weight == 1), "each equally likely");
        listed.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(outcomes("scramble=3", ""), "~F ~F' ~F2 ~R ~R' ~R2 ~U ~U' ~U2");
    assert_eq!(outcomes("scramble=3", "~R'"), "~F ~F' ~F2 ~U ~U' ~U2");
    assert_eq!(outcomes("scramble=3", "~R' ~F"), "~R ~R' ~R2 ~U ~U' ~U2");
    assert_eq!(outcomes("scramble=3,metric=qtm", "~U"), "~F ~F' ~R ~R'");
    // The opposite face is no exception, and after it the first may turn again.
    assert_eq!(outcomes("size=3,metric=qtm,scramble=3", "~U"), "~B ~B' ~D ~D' ~F ~F' ~L ~L' ~R ~R'");
    assert_eq!(outcomes("size=3,metric=qtm,scramble=3", "~U ~D"), "~B ~B' ~F ~F' ~L ~L' ~R ~R' ~U ~U'");
    // The player may twist any face.
    let played = after("scramble=3", "~R' ~F ~U");
    assert_eq!((played.phase(), AnyMatch::legal(&played, 0).len()), (Phase::seat(0), 9));
    assert_eq!(after("scramble=0", "").phase(), Phase::seat(0));
}

#[test]
fn sampled_scrambles_are_even_over_what_is_listed() {
    for params in ["scramble=2", "scramble=2,metric=qtm", "size=3,scramble=2", "size=3,metric=qtm,scramble=2"] {
        let game = game(params);
        let mut rng = stream(1, params, 0);
        for &first in [None].iter().chain(game.twists().iter().map(Some).collect::<Vec<_>>().iter()) {
            let mut state = game.initial_state();
            if let Some(&twist) = first {
                game.apply_outcome(&mut state, twist);
            }
            let mut listed = Vec::new();
            game.outcomes(&state, &mut listed);
            let mut counts: HashMap<Twist, i32> = listed.iter().map(|&(twist, _)| (twist, 0)).collect();
            for _ in 0..1000 * listed.len() {
                *counts.get_mut(&game.sample_outcome(&state, &mut rng)).expect("only what is listed is drawn") += 1;
            }
            // Six standard deviations.
            assert!(counts.values().all(|count| (count - 1000).abs() < 190), "{params} {first:?}: {counts:?}");
        }
    }
}

#[test]
fn a_cube_solved_by_the_player_is_over_and_pays_minus_the_twists() {
    let over = after("scramble=2", "~R ~U' U R'");
    assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("solved"), [-2.0].as_slice()));
    let over = after("scramble=2,limit=2", "~R ~U' U R'");
    assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("solved"), [-2.0].as_slice()), "before the limit");
    assert_eq!(over.picture(Viewer::Seat(0)).notes, ["Solved in 2 twists."]);
    assert!(over.picture(Viewer::Seat(0)).buttons.is_empty());
}

#[test]
fn a_touched_face_asks_how_far() {
    let game = after("scramble=1", "~R");
    let caption = |id: &str| AnyMatch::caption(&game, 0, &[id.to_string()]);
    assert_eq!(caption("face:F").unwrap(), "the front face: turn it how far?");
    assert_eq!(caption("face:B"), None, "of the small cube's faces three turn");
    assert_eq!(game.picture(Viewer::Seat(0)).hints, ["Touch a face, then say how far it turns."]);
    assert!(game.picture(Viewer::Spectator).notes.is_empty());
}

#[test]
fn the_limit_ends_it_and_pays_one_more_than_the_limit() {
    let over = after("scramble=2,limit=3", "~R ~U' U R R");
    assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("limit"), [-4.0].as_slice()));
    assert_eq!(over.picture(Viewer::Seat(0)).notes, ["Not solved in 3 twists."]);
    let longest = "U ".repeat(197) + "R U R";
    let over = after("scramble=0,limit=200,metric=qtm", &longest.replacen("U U U U", "U U U F", 1));
    assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("limit"), [-201.0].as_slice()));
}

#[test]
fn a_cube_solved_after_the_scramble_is_played_all_the_same() {
    for (params, history) in [("scramble=0", ""), ("scramble=4,size=3", "~U ~D ~U' ~D'")] {
        let start = after(params, history);
        assert_eq!((start.state().cube(), start.phase()), (&Cube::SOLVED, Phase::seat(0)));
        assert_eq!(start.payoffs().as_slice(), [-21.0], "unsolved as long as no action solved it");
    }
    let again = after("scramble=0", "U U'");
    assert_eq!((again.end_reason(), again.payoffs().as_slice()), (Some("solved"), [-2.0].as_slice()));
}

#[test]
fn broken_off_at_the_cap_it_pays_as_if_not_solved() {
    let capped = |spec: &str, history: &str| {
        let mut capped = crate::game(spec).unwrap().new_match();
        capped.play_history(history).unwrap();
        (capped.end_reason().unwrap(), capped.payoffs()[0])
    };
    assert_eq!(capped("rubiks-cube:scramble=2,max-plies=3", "~R ~U R"), ("cap", -21.0));
    assert_eq!(capped("rubiks-cube:scramble=2,max-plies=1", "~R"), ("cap", -21.0));
    assert_eq!(capped("rubiks-cube:scramble=1,max-plies=2", "~R R'"), ("solved", -1.0));
    assert_eq!(capped("rubiks-cube:scramble=1,limit=1,max-plies=2", "~R R"), ("limit", -2.0));
}

/// How many positions there are at each distance from the solved cube, up to `depth`.
fn by_distance(params: &str, depth: usize) -> Vec<usize> {
    let game = game(params);
    let mut known: FxHashSet<(u64, u64)> = FxHashSet::default();
    known.insert((Cube::SOLVED.corners, Cube::SOLVED.edges));
    let mut layer = vec![Cube::SOLVED];
    let mut counts = vec![1];
    while counts.len() <= depth {
        let mut next = Vec::new();
        for cube in &layer {
            for &twist in game.twists() {
                let mut twisted = *cube;
                if game.size() == 2 {
                    twisted.twist_corners(twist);
                } else {
                    twisted.twist(twist);
                }
                if known.insert((twisted.corners, twisted.edges)) {
                    next.push(twisted);
                }
            }
        }
        layer = next;
        counts.push(layer.len());
    }
    counts
}

// For size 2 by many, first by exhaustive search in the 1980s; for size 3 by Rokicki and others (cube20.org).
const HTM_2: [usize; 12] = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
const QTM_2: [usize; 15] = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276];
const HTM_3: [usize; 7] = [1, 18, 243, 3240, 43239, 574908, 7618438];
const QTM_3: [usize; 7] = [1, 12, 114, 1068, 10011, 93840, 878880];

#[test]
fn positions_by_distance_are_as_published() {
    let nightly = std::env::var_os("RAICHI_NIGHTLY").is_some();
    let known: [(&str, &[usize], usize); 4] = [
        ("size=2,metric=htm", &HTM_2, 6),
        ("size=2,metric=qtm", &QTM_2, 8),
        ("size=3,metric=htm", &HTM_3, 4),
        ("size=3,metric=qtm", &QTM_3, 5),
    ];
    for (params, published, quick) in known {
        let depth = if nightly { published.len() - 1 } else { quick };
        assert_eq!(by_distance(params, depth), published[..=depth], "{params}");
    }
}

#[test]
fn size_2_has_3_674_160_positions_and_none_beyond_the_greatest_distance() {
    assert_eq!(HTM_2.iter().sum::<usize>(), 3_674_160);
    assert_eq!(QTM_2.iter().sum::<usize>(), 3_674_160);
    if std::env::var_os("RAICHI_NIGHTLY").is_some() {
        assert_eq!(by_distance("size=2", 12)[12], 0);
        assert_eq!(by_distance("size=2,metric=qtm", 15)[15], 0);
    }
}

#[test]
fn symmetries_are_all_different_and_form_a_group() {
    let images = |nth: usize| Face::ALL.map(|face| Symmetry::new(nth).face(face));
    let all: FxHashSet<[Face; 6]> = (0..48).map(images).collect();
    assert_eq!((all.len(), images(0)), (48, Face::ALL));
    for (a, b) in (0..48).flat_map(|a| (0..48).map(move |b| (a, b))) {
        assert!(all.contains(&images(b).map(|face| Symmetry::new(a).face(face))));
    }
    // Of a twist of U: 24 rotations keep it clockwise, 24 mirrors do not.
    let clockwise = (0..48).filter(|&nth| Symmetry::new(nth).twist(Twist::new(Face::U, 1)).quarters() == 1).count();
    assert_eq!(clockwise, 24);
    // Those of size 2 exchange the faces that turn.
    assert!((0..6).all(|nth| images(nth)[..3].iter().all(|&face| (face as usize) < 3)));
}

fn facet(cell: &raichi_core::picture::Cell) -> [[f64; 3]; 4] {
    let Shape::Facet { corners } = cell.shape else { panic!("a body has facets only") };
    corners
}

#[test]
fn facets_go_clockwise_seen_from_outside_and_close_the_cube() {
    for (params, n_stickers) in [("size=2", 24), ("size=3", 54)] {
        let game = game(params);
        let cells = body(&game, &game.initial_state()).cells;
        assert_eq!(cells.len(), n_stickers);
        let mut area = 0.0;
        for cell in &cells {
            let [a, b, c, d] = facet(cell);
            let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let (right, down) = (minus(b, a), minus(d, a));
            // Clockwise seen from outside: from the top edge to the left one the turn is against the outward direction.
            let turn = [
                right[1] * down[2] - right[2] * down[1],
                right[2] * down[0] - right[0] * down[2],
                right[0] * down[1] - right[1] * down[0],
            ];
            let face =
                Face::ALL.into_iter().find(|face| cell.id.starts_with(&format!("body:{}", face.letter()))).unwrap();
            let outward: f64 = turn.iter().zip(axis(face)).map(|(turn, out)| turn * f64::from(out)).sum();
            assert!(outward < -0.1, "{}", cell.id);
            area -= outward;
            assert!(minus(c, b).iter().zip(down).all(|(x, y)| (x - y).abs() < 1e-9), "{} is a parallelogram", cell.id);
            assert!([a, b, c, d].iter().flatten().all(|x| x.abs() <= 1.0));
        }
        assert!((area - 6.0 * 1.9 * 1.9).abs() < 1e-9, "{area}");
    }
}

#[test]
fn net_and_body_show_the_same_stickers_and_fold_together() {
    for params in ["size=2,scramble=0", "size=3,scramble=0"] {
        let current = after(params, "R U' F2 R' U2");
        let areas = current.picture(Viewer::Seat(0)).areas;
        let (net, body) = (&areas[0], &areas[1]);
        assert_eq!(net.cells.len(), body.cells.len());
        for (flat, solid) in net.cells.iter().zip(&body.cells) {
            assert_eq!(format!("body:{}", flat.id), solid.id);
            assert_eq!((flat.tone, &flat.text, &flat.touch), (solid.tone, &solid.text, &solid.touch));
        }
        // Stickers that lie side by side in the net, across a fold too, share an edge of the body.
        let (mut n_inside, mut n_folds) = (0, 0);
        for (i, a) in net.cells.iter().enumerate() {
            for (j, b) in net.cells.iter().enumerate().take(i) {
                let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
                let apart = dx + dy;
                if dx.min(dy) < 1e-9 && apart < 1.4 {
                    let shared = facet(&body.cells[i])
                        .into_iter()
                        .filter(|p| facet(&body.cells[j]).iter().any(|q| (0..3).all(|k| (p[k] - q[k]).abs() < 1e-9)));
                    assert_eq!(shared.count(), 2, "{} and {}", a.id, b.id);
                    if apart > 1.1 { n_folds += 1 } else { n_inside += 1 }
                }
            }
        }
        let size = usize::from(current.game().size());
        assert_eq!((n_inside, n_folds), (6 * 2 * size * (size - 1), 5 * size));
    }
}

#[test]
fn a_face_is_touched_anywhere_and_a_button_says_how_far() {
    let touches = |params: &str| -> Vec<String> {
        let mut paths: Vec<String> = AnyMatch::touches(&after(params, ""), 0)
            .into_iter()
            .map(|touch| touch.action + "=" + &touch.path.join("+"))
            .collect();
        paths.sort_unstable();
        paths
    };
    assert_eq!(touches("scramble=0")[3..6], ["R'=face:R+turn:'", "R2=face:R+turn:2", "R=face:R+turn:1"]);
    assert_eq!(touches("scramble=0,size=3,metric=qtm").len(), 12);
    let picture = after("scramble=0", "").picture(Viewer::Seat(0));
    let touched = |face: &str| {
        let cells = picture.areas.iter().flat_map(|area| &area.cells);
        cells.filter(|cell| cell.touch.as_deref() == Some(face)).count()
    };
    assert_eq!((touched("face:U"), touched("face:D")), (8, 0));
    assert_eq!(picture.buttons.iter().map(|button| &*button.id).collect::<Vec<_>>(), ["turn:1", "turn:'", "turn:2"]);
    assert_eq!(after("scramble=0,metric=qtm", "").picture(Viewer::Seat(0)).buttons.len(), 2);
    assert!(after("scramble=0", "").picture(Viewer::Spectator).buttons.is_empty());
}

const SOLVED_3: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
const SOLVED_2: &str = "UUUURRRRFFFFDDDDLLLLBBBB";

#[test]
fn positions_are_stickers_as_solvers_write_them() {
    let text = |params: &str, history: &str| after(params, history).position_text(Viewer::Spectator);
    assert_eq!(text("size=3,scramble=0", ""), format!("{SOLVED_3} 0 twists=0"));
    assert_eq!(text("", ""), format!("{SOLVED_2} ~11"));
    assert_eq!(text("scramble=3", "~R ~U"), "UUFFUBRRRRFDDBDBFDLLLLUB ~1 just-twisted=U");
    // The superflip as solvers write it.
    let flip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let superflip = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";
    assert_eq!(text("size=3,scramble=0,limit=20", flip), format!("{superflip} 0 twists=20"));
    // R brings the front's right column up.
    let r = "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB";
    assert_eq!(text("size=3,scramble=0", "R"), format!("{r} 0 twists=1"));
    let read = |params: &str, text: &str| game(params).parse_position(text).unwrap().state;
    // Stickers alone and scrambles leave the player to act, no twist made.
    for (params, texts) in [
        ("size=3", vec![superflip, flip, "~U ~R2 ~F ~B ~R ~B2 ~R ~U2 ~L ~B2 ~R ~U' ~D' ~R2 ~F ~R' ~L ~B2 ~U2 ~F2"]),
        ("size=3,metric=qtm", vec![superflip, flip]),
        ("size=2,scramble=0", vec![&text("scramble=0", "R U2 F'")[..24], "R U2 F'", "~R ~U2 ~F'"]),
    ] {
        for written in &texts {
            let state = read(params, written);
            assert_eq!((state, state.n_twists), (read(params, texts[0]), 0), "{params}: {written}");
            assert_eq!(game(params).phase(&state), Phase::seat(0));
        }
    }
    // Solved by a twist, or not yet twisted.
    let solved = read("", &format!("{SOLVED_2} 0 twists=3"));
    assert_eq!((game("").phase(&solved), game("").payoffs(&solved)[0]), (Phase::Over, -3.0));
    assert_eq!(game("").phase(&read("", SOLVED_2)), Phase::seat(0));
}

#[test]
fn cubes_that_cannot_be_solved_are_refused() {
    let refused = |params: &str, text: &str| game(params).parse_position(text).unwrap_err().to_string();
    // Letters of the solved cube changed at places from 0.
    let changed = |changes: &[(usize, &str)]| {
        let mut text = SOLVED_3.to_string();
        changes.iter().for_each(|&(i, letter)| text.replace_range(i..=i, letter));
        text
    };
    // URF is U9, R1 and F3; UR is U6 and R2, UF is U8 and F2.
    let twisted = changed(&[(8, "R"), (9, "F"), (20, "U")]);
    assert!(refused("size=3", &twisted).ends_with("one corner of this one is twisted in its place"));
    let flipped = changed(&[(5, "R"), (10, "U")]);
    assert!(refused("size=3", &flipped).ends_with("one edge of this one is flipped in its place"));
    let exchanged = changed(&[(10, "F"), (19, "R")]);
    assert!(refused("size=3", &exchanged).ends_with("two cubies of this one have changed places"));
    let mirrored = changed(&[(9, "F"), (20, "R")]);
    assert!(refused("size=3", &mirrored).contains("expected each corner of the cube once; that at URF is none"));
    let twice = changed(&[(10, "F")]);
    assert!(
        refused("size=3", &twice).contains("expected each edge of the cube once; that at UF is none, or there twice")
    );
    assert!(
        refused("size=3", &changed(&[(4, "D")]))
            .contains("character 5: `D` cannot stand here; expected U, the face's own")
    );
    let held_upside_down = "DDDDLLLLFFFFUUUURRRRBBBB";
    assert!(refused("", held_upside_down).ends_with("not turned: hold the cube that way"));
    for (params, text, says) in [
        (
            "",
            "",
            "character 1: the text ends here; expected 24 letters for the stickers, or a scramble such as R U2 F'",
        ),
        ("size=3", SOLVED_2, "expected 54 letters, face by face in the order U R F D L B"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBX", "character 24: `X` cannot stand here; expected one of U, R, F, D, L and B"),
        ("", "R U3", "character 3: `U3` cannot stand here; expected a twist: one of URF, then ', 2 or nothing"),
        ("", "R L", "character 3: `L` cannot stand here; expected a twist: one of URF"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBB 1", "expected 0 for the player, or ~1 to ~11 for the scramble"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBB ~12", "expected 0 for the player, or ~1 to ~11 for the scramble"),
        ("scramble=0", "UUUURRRRFFFFDDDDLLLLBBBB ~1", "expected 0, the player to act"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBB 0", "expected twists=…"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBB 0 twists=21", "expected a number from 0 to 20"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBB ~2 just-twisted=B", "character 42: `B` cannot stand here; expected one of URF"),
        ("", "UUUURRRRFFFFDDDDLLLLBBBB ~2 twists=0", "expected the end of the text"),
    ] {
        let error = refused(params, text);
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn observations_are_the_unfolded_cube() {
    let current = after("size=2,scramble=1", "~R U");
    let game = current.game();
    let mut observation = vec![-1; game.layout().len()];
    game.observe(current.state(), 0, &mut observation);
    // Row by row as the terminal draws it.
    let drawn: Vec<i32> = drawing(&current)
        .lines()
        .take(6)
        .flat_map(|line| {
            let mut row = [6; 8];
            let left = if line.starts_with("     ") { 2 } else { 0 };
            for (i, letter) in line.split_whitespace().enumerate() {
                row[left + i] = "URFDLB".find(letter).expect("a colour") as i32;
            }
            row
        })
        .collect();
    assert_eq!(observation[..48], drawn);
    assert_eq!(observation[48..], [1, 0, 0, 1]);
    for (params, n_actions) in [("size=2", 9), ("size=2,metric=qtm", 6), ("size=3", 18), ("size=3,metric=qtm", 12)] {
        let game = self::game(params);
        assert_eq!(game.n_actions(), n_actions);
        for number in 0..n_actions {
            assert_eq!(game.action_number(game.numbered_action(number).expect("every number is a twist")), number);
        }
        let others = (0..18).map(Twist::from_index).filter(|twist| !game.twists().contains(twist));
        assert!(others.clone().all(|twist| game.action_number(twist) == n_actions));
        assert_eq!(others.count() as u64, 18 - n_actions);
    }
}

#[test]
fn a_cube_near_the_goal_is_solved_by_as_many_twists() {
    for params in ["", "size=3", "metric=qtm", "size=3,metric=qtm"] {
        let game = game(params);
        for number in 0..20 {
            let near = game.near_goal(2, &mut stream(1, "near goal", number)).expect("the cube has a goal");
            assert_eq!((game.phase(&near), game.paid(&near)[0]), (Phase::seat(0), 0.0), "{params}");
            let twisted = |state: &State, twist: Twist| {
                let mut state = *state;
                game.apply(&mut state, 0, twist);
                state
            };
            let solving = game.twists().iter().find_map(|&first| {
                let before = twisted(&near, first);
                game.twists().iter().map(|&second| twisted(&before, second)).find(|after| after.is_solved())
            });
            let solved = solving.expect("two twists away from solved");
            assert_eq!((game.phase(&solved), game.payoffs(&solved)[0]), (Phase::Over, -2.0), "{params}");
            assert_eq!(game.paid(&solved)[0], game.payoffs(&solved)[0], "{params}: the goal itself costs nothing");
        }
    }
}
