//! The rule book, clause by clause, and what is known about the game.

use std::collections::HashMap;

use raichi_core::erased::create;
use raichi_core::game::Game;
use raichi_core::picture::{Line, Scene, Tone, View};
use raichi_core::playout::playout;
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, Notation, PathGame, Phase, SeatSet, Viewer};

use super::board::{ENDS, edge, n_edges};
use super::rules::{Sim, State};

fn sim(n_nodes: u8, n_seats: u8) -> Sim {
    Sim { n_nodes, n_seats, coalition: false }
}

const COALITION: Sim = Sim { n_nodes: 5, n_seats: 3, coalition: true };

#[track_caller]
fn after(game: Sim, history: &str) -> Match<Sim> {
    let mut game = Match::new(game);
    game.play_history(history).expect("the test's history is legal");
    game
}

#[track_caller]
fn ends(game: Sim, history: &str, reason: &str, payoffs: &[f64]) {
    let game = after(game, history);
    assert_eq!(game.end_reason(), Some(reason), "{history}");
    assert_eq!(game.payoffs().as_slice(), payoffs, "{history}");
}

#[test]
fn edges_are_numbered_alike_in_all_graphs() {
    for b in 1..20 {
        for a in 0..b {
            assert_eq!((ENDS[usize::from(edge(a, b))], edge(a, b)), ((a, b), edge(b, a)));
            assert!(usize::from(edge(a, b)) < n_edges(usize::from(b) + 1));
        }
    }
    assert_eq!((n_edges(6), n_edges(20)), (15, 190));
}

#[test]
fn the_terminal_shows_who_coloured_which_edge() {
    let drawing = after(sim(4, 3), "1-2 2-3 1-4").sketch(Viewer::Spectator).to_string();
    let (lines, table) = drawing.split_at(drawing.find("  1\n  X").expect("the table of edges"));
    assert_eq!(table, "  1\n  X  2\n  .  O  3\n  #  .  .  4\nX Black, O White, # Blue\n");
    let lines: Vec<&str> = lines.lines().collect();
    // From 1 at the top Black's line goes down to 2 at the right, and White's from there to 3 at the bottom.
    assert!(lines[0].trim() == "1" && lines[10].trim_start().starts_with('3'), "{drawing}");
    assert!(lines[5].starts_with('4') && lines[5].ends_with('2'), "{drawing}");
    assert!(lines[2].trim_start().starts_with('#') && lines[2].ends_with('X'), "{drawing}");
    assert!(lines[8].ends_with('O') && !lines[8].contains(['#', 'X']), "{drawing}");
}

#[test]
fn an_edge_is_two_nodes_the_smaller_first() {
    let refused = |text: &str| after(sim(6, 2), "2-5").play_text(1, text).unwrap_err().to_string();
    assert_eq!(refused("2-5"), "`2-5` is not legal: Black has coloured that edge already");
    for text in ["5-2", "2-2", "1-7", "0-1", "01-2", "1-2-3", "12", "~1-2", ""] {
        let expected = "is not understood; expected two nodes from 1 to 6, the smaller number first, such as 1-6";
        assert_eq!(refused(text), format!("`{text}` {expected}"));
    }
    assert!(AnyMatch::legal(&after(sim(20, 2), ""), 0).contains(&"19-20".to_string()));
}

#[test]
fn a_coalition_takes_three_and_sizes_have_bounds() {
    let fault = |params: &str| create::<Sim>(Some(params)).unwrap_err().to_string();
    let why = "`coalition=1-2`: a coalition takes three players; with two it is none";
    assert_eq!(fault("coalition=1-2"), why);
    assert_eq!(fault("nodes=21"), "`nodes=21`: nodes is a whole number from 3 to 20");
    assert_eq!(fault("players=4"), "`players=4`: players is a whole number from 2 to 3");
    let game = create::<Sim>(Some("coalition=1-2,players=3,nodes=6")).expect("a game");
    assert_eq!(game.spec(), "sim:players=3,coalition=1-2");
}

#[test]
fn of_two_whoever_completes_its_triangle_loses() {
    ends(sim(6, 2), "1-4 1-5 2-4 3-4 1-2", "triangle", &[-1.0, 1.0]);
    ends(sim(6, 2), "2-4 1-4 2-3 1-3 3-5 3-4", "triangle", &[1.0, -1.0]);
    // A triangle of two colours is none.
    assert_eq!(after(sim(6, 2), "1-2 2-3 1-3").end_reason(), None);
}

#[test]
fn a_full_graph_is_a_draw_and_a_triangle_on_the_last_edge_still_loses() {
    ends(sim(3, 2), "1-2 1-3 2-3", "full", &[0.0, 0.0]);
    ends(sim(5, 2), "1-2 4-5 3-4 1-3 1-5 2-5 2-4 2-3 3-5 1-4", "full", &[0.0, 0.0]);
    ends(sim(5, 2), "1-4 1-2 2-4 1-5 1-3 3-4 4-5 2-3 3-5 2-5", "triangle", &[1.0, -1.0]);
}

#[test]
fn of_three_one_goes_out_its_edges_stay_and_the_others_go_on() {
    let game = after(sim(5, 3), "2-5 1-5 1-3 2-4 1-2 3-5 4-5");
    assert_eq!(game.phase(), Phase::seat(1));
    let state = game.state();
    assert_eq!(state.still_in.iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(state.colour(edge(3, 4)), Some(0));
    let refused = game.clone().play_text(1, "4-5").unwrap_err().to_string();
    assert_eq!(refused, "`4-5` is not legal: Black has coloured that edge already");
    let game = after(sim(5, 3), "2-5 1-5 1-3 2-4 1-2 3-5 4-5 3-4 1-4");
    assert_eq!(game.phase(), Phase::seat(1), "seat 0 is passed over");
    assert_eq!(game.picture(Viewer::Spectator).notes, ["Black has completed a triangle."]);
}

#[test]
fn the_last_of_three_wins_alone() {
    ends(sim(5, 3), "1-3 2-3 1-2 1-5 3-4 2-5 3-5 2-4", "triangle", &[0.0, 0.0, 1.0]);
    ends(sim(5, 3), "4-5 2-3 2-5 3-5 2-4 1-2 3-4 1-4 1-5", "triangle", &[0.0, 1.0, 0.0]);
    ends(sim(5, 3), "4-5 2-3 1-4 1-3 2-5 1-2 1-5 3-5 2-4", "triangle", &[1.0, 0.0, 0.0]);
    // On the last edge too.
    ends(sim(5, 3), "1-4 2-3 1-2 3-5 2-4 2-5 1-3 4-5 1-5 3-4", "triangle", &[0.0, 1.0, 0.0]);
}

#[test]
fn of_three_those_still_in_share_a_full_graph() {
    let third = 1.0 / 3.0;
    ends(sim(4, 3), "2-4 1-2 2-3 1-3 3-4 1-4", "full", &[third, third, third]);
    ends(sim(5, 3), "2-4 2-3 1-4 3-4 1-3 2-5 1-5 1-2 4-5 3-5", "full", &[0.5, 0.0, 0.5]);
    // Also when the last edge put a seat out.
    ends(sim(5, 3), "2-4 2-3 1-3 2-5 1-5 1-2 1-4 3-5 3-4 4-5", "full", &[0.0, 0.5, 0.5]);
}

#[test]
fn in_a_coalition_the_first_triangle_decides() {
    ends(COALITION, "1-5 4-5 1-3 1-2 3-4 1-4 2-5", "triangle", &[-1.0, 1.0, 1.0]);
    ends(COALITION, "2-4 3-5 1-4 2-3 1-5 1-2 2-5 1-3", "triangle", &[1.0, -1.0, -1.0]);
    ends(COALITION, "1-4 2-4 3-4 2-3 1-2 4-5 2-5 1-3 3-5", "triangle", &[1.0, -1.0, -1.0]);
    ends(COALITION, "3-4 2-3 2-5 1-5 2-4 1-2 4-5 1-3 1-4 3-5", "triangle", &[-1.0, 1.0, 1.0]);
    ends(COALITION, "2-5 1-5 1-2 3-5 2-3 2-4 1-4 1-3 3-4 4-5", "full", &[0.0, 0.0, 0.0]);
}

#[test]
fn a_game_broken_off_is_shared_by_those_still_in() {
    let broken_off = |game: Sim, history: &str| {
        let n_plies = history.split(' ').count() as u32;
        let mut game = Match::new(PathGame::new(game, n_plies));
        game.play_history(history).expect("the test's history is legal");
        assert_eq!(game.end_reason(), Some("cap"));
        game.payoffs().as_slice().to_vec()
    };
    assert_eq!(broken_off(sim(6, 2), "1-2 2-3"), [0.0, 0.0]);
    assert_eq!(broken_off(sim(5, 3), "2-5 1-5 1-3 2-4 1-2 3-5 4-5 3-4"), [0.0, 0.5, 0.5]);
    assert_eq!(broken_off(COALITION, "1-2 2-3"), [0.0, 0.0, 0.0]);
}

fn has_triangle(n_nodes: u8, is_own: impl Fn(u8) -> bool) -> bool {
    let own = |a, b| is_own(edge(a, b));
    (0..n_nodes).any(|c| (0..c).any(|b| own(b, c) && (0..b).any(|a| own(a, b) && own(a, c))))
}

#[test]
fn triangles_are_found_as_by_a_plain_search() {
    for n_nodes in 3..=20 {
        for (seed, game) in [sim(n_nodes, 2), sim(n_nodes, 3)].into_iter().cycle().take(20).enumerate() {
            let mut rng = stream(seed as u64, "triangles", n_nodes.into());
            let mut state = game.initial_state();
            while let Phase::Act(seats) = game.phase(&state) {
                let action = game.random_action(&state, seats.first(), &mut Vec::new(), &mut rng);
                game.apply(&mut state, seats.first(), action);
                for seat in 0..usize::from(game.n_seats) {
                    let lost = has_triangle(n_nodes, |edge| state.colour(edge) == Some(seat));
                    assert_eq!(state.still_in.contains(seat), !lost);
                }
            }
        }
    }
}

#[test]
fn random_actions_are_uniform() {
    // The last of the three words of edges has few free ones.
    let game = sim(20, 3);
    let mut rng = stream(1, "uniform", 0);
    let mut state = game.initial_state();
    while game.count_actions(&state, 0, &mut Vec::new()) > 8 {
        let mut actions = Vec::new();
        game.legal_actions(&state, 0, &mut actions);
        // Played as if nobody ever lost.
        let action = actions[index(&mut rng, actions.len() * 3 / 4)];
        game.apply(&mut state, index(&mut rng, 3), action);
        state.still_in = SeatSet::first_n(3);
    }
    let mut counts: HashMap<u8, i32> = HashMap::new();
    for _ in 0..8_000 {
        *counts.entry(game.random_action(&state, 0, &mut Vec::new(), &mut rng)).or_default() += 1;
    }
    // Five standard deviations of a binomial with p = 1/8.
    assert!(counts.len() == 8 && counts.values().all(|count| (count - 1_000).abs() < 150), "{counts:?}");
}

// Can the seat to act on six nodes make the other complete a triangle first?
fn mover_wins(game: &Sim, state: &State, known: &mut HashMap<u64, bool>) -> bool {
    let key = game.key(state);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let Phase::Act(seats) = game.phase(state) else { unreachable!("finished games are not asked about") };
    let mut actions = Vec::new();
    game.legal_actions(state, seats.first(), &mut actions);
    let wins = actions.into_iter().any(|action| {
        let mut next = *state;
        game.apply(&mut next, seats.first(), action);
        // A game that ends here is lost by the seat that ended it.
        game.phase(&next) != Phase::Over && !mover_wins(game, &next, known)
    });
    known.insert(key, wins);
    wins
}

#[test]
fn on_six_nodes_the_second_player_wins() {
    // Mead, Rosa and Huang 1974. All first edges are alike.
    let game = sim(6, 2);
    let mut state = game.initial_state();
    game.apply(&mut state, 0, 0);
    assert!(mover_wins(&game, &state, &mut HashMap::new()));
}

#[test]
fn two_seats_never_fill_six_nodes() {
    // Ramsey: two colours on the edges of six nodes, however put, make a triangle of one colour.
    for colours in 0..1u32 << 15 {
        let has = |colour| has_triangle(6, |edge| colours >> edge & 1 == colour);
        assert!(has(0) || has(1), "{colours:015b}");
    }
    for n_nodes in 6..=20 {
        assert!((0..20).all(|seed| random_end(sim(n_nodes, 2), seed) == "triangle"));
    }
}

#[test]
fn three_seats_can_all_come_through_on_sixteen_nodes_but_not_on_seventeen() {
    // Greenwood and Gleason 1955: nodes are the elements of the field of 16; an edge has the colour of its difference,
    // which is one of the three classes of cubes. No class holds three elements that add up to 0.
    let powers: Vec<u8> =
        std::iter::successors(Some(1u8), |&x| Some(if x < 8 { 2 * x } else { (2 * x) ^ 0b1_0011 })).take(15).collect();
    let class = |edge: u8| {
        let (a, b) = ENDS[usize::from(edge)];
        powers.iter().position(|&power| power == a ^ b).expect("every difference is a power") % 3
    };
    let game = sim(16, 3);
    let mut state = game.initial_state();
    while let Phase::Act(seats) = game.phase(&state) {
        let seat = seats.first();
        let own = (0..120).find(|&edge| class(edge) == seat && game.is_legal(&state, seat, edge));
        game.apply(&mut state, seat, own.expect("each class has 40 edges"));
    }
    let third = 1.0 / 3.0;
    assert_eq!((game.end_reason(&state), game.payoffs(&state).as_slice()), ("full", [third; 3].as_slice()));

    for n_nodes in 17..=20 {
        for seed in 0..30 {
            let end = played(sim(n_nodes, 3), seed);
            assert!(end.still_in.len() < 3);
        }
    }
}

fn played(game: Sim, seed: u64) -> State {
    let game = PathGame::from(game);
    let mut state = game.initial_state();
    playout(&game, &mut state, &mut Vec::new(), &mut stream(seed, "played", 0));
    *state.position()
}

fn random_end(game: Sim, seed: u64) -> &'static str {
    game.end_reason(&played(game, seed))
}

#[test]
fn edges_of_seats_are_drawn_in_different_ways_and_triangles_on_a_lit_ground() {
    let game = after(sim(6, 3), "1-2 2-3 3-4");
    let board = game.picture(Viewer::Spectator).areas.remove(0);
    let of = |seat| board.lines.iter().filter(|line| line.tone == Tone::Seat(seat)).collect::<Vec<_>>();
    assert_eq!((of(0).len(), of(1).len()), (1, 1), "one line each");
    assert!(of(2).len() > 3, "beads on a thread");
    assert!(of(1)[0].width < of(0)[0].width && of(2).last().expect("the thread").width < of(1)[0].width);
    let (free, drawn): (Vec<&Line>, Vec<&Line>) =
        board.lines.iter().filter(|line| line.id.is_some()).partition(|line| !line.touch.is_empty());
    let ids: Vec<&str> = drawn.iter().filter_map(|line| line.id.as_deref()).collect();
    assert_eq!(ids, ["1-2", "2-3", "3-4"]);
    // An edge without a colour can be touched itself, rather than its ends.
    assert_eq!(free.len(), n_edges(6) - 3);
    assert!(free.iter().all(|line| line.id == Some(line.touch.join("-"))));
    for n_nodes in 3..=20 {
        let game = sim(n_nodes, 2);
        let board = game.picture(&Scene::of(&game.initial_state()), Viewer::Spectator).areas.remove(0);
        let inside = |x: f64, y: f64| (0.0..board.width).contains(&x) && (0.0..board.height).contains(&y);
        assert!(board.cells.iter().all(|cell| inside(cell.x, cell.y)));
        assert_eq!(board.lines.len(), n_edges(n_nodes.into()));
    }
    let lost = after(sim(6, 2), "1-4 1-5 2-4 3-4 1-2").picture(Viewer::Spectator).areas.remove(0);
    assert_eq!(lost.lines.iter().filter(|line| line.tone == Tone::Accent).count(), 3);
}

fn read(game: &Sim, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|why| panic!("{text}: {why}")).state
}

#[test]
fn positions_are_the_edges_node_by_node_and_the_seat_to_act() {
    let text = |game: Sim, history: &str| after(game, history).position_text(Viewer::Spectator);
    assert_eq!(text(sim(6, 2), ""), "1/2/3/4/5 0");
    assert_eq!(text(sim(4, 2), "1-2 2-3"), "X/1O/3 0");
    assert_eq!(text(sim(4, 3), "1-2 2-3 1-4"), "X/1O/#2 0");
    assert!(text(sim(20, 2), "1-20 19-20").ends_with("/X17O 0"));
    for (game, history) in [
        // Seat 0 is out, its triangle is on the board.
        (sim(5, 3), "2-5 1-5 1-3 2-4 1-2 3-5 4-5 3-4 1-4"),
        (sim(5, 3), "1-4 2-3 1-2 3-5 2-4 2-5 1-3 4-5 1-5 3-4"),
        (sim(6, 2), "1-4 1-5 2-4 3-4 1-2"),
        (sim(3, 2), "1-2 1-3 2-3"),
        (COALITION, "2-4 3-5 1-4 2-3 1-5 1-2 2-5 1-3"),
    ] {
        let game = after(game, history);
        let state = read(game.game(), &game.position_text(Viewer::Spectator));
        assert_eq!(&state, game.state().position(), "{history}");
    }
}

#[test]
fn what_is_no_position_is_refused_where_it_goes_wrong() {
    let three = sim(5, 3);
    for (game, text, says) in [
        (three, "X/XX/3/4 1", None),
        (three, "X/XX/3/4 0", Some("character 10: `0` cannot stand here; expected a seat without a triangle")),
        (three, "X/XX/2O/2OO 2", None),
        (
            COALITION,
            "X/XX/2O/2OO 2",
            Some("character 1: `X/XX/2O/2OO` cannot stand here; expected triangles of one player only"),
        ),
        (COALITION, "X/XX/3/4 0", Some("expected a seat without a triangle")),
        (sim(5, 2), "X/XX/2O/2OO 1", Some("expected somebody without a triangle")),
        (
            sim(5, 2),
            "1/2/3/#3 1",
            Some("character 7: `#` cannot stand here; expected X or O, or a number of empty cells (row 4 has 4)"),
        ),
        (sim(5, 2), "1/2/3 1", Some("expected 4 rows with / between them, and there are 3")),
        (sim(5, 2), "1/2/3/4", Some("character 8: the text ends here; expected the seat to act, 0 to 1")),
        (sim(5, 2), "", Some("expected for each node from 2 on its edges to the smaller ones, like X/1O/3")),
    ] {
        let error = game.parse_position(text).err().map(|why| why.to_string());
        assert_eq!(error.is_some(), says.is_some(), "{text}: {error:?}");
        assert!(error.unwrap_or_default().contains(says.unwrap_or_default()), "{text}");
    }
}

#[test]
fn edges_are_observed_at_both_of_their_nodes() {
    let observe = |game: Sim, history: &str, seat| {
        let game = after(game, history);
        let mut observation = vec![-1; game.game().layout().len()];
        AnyMatch::observe(&game, seat, &mut observation);
        observation
    };
    // 4 is no edge.
    #[rustfmt::skip]
    assert_eq!(observe(sim(4, 3), "1-2 2-3 1-4", 1), [
        4, 3, 0, 2,
        3, 4, 1, 0,
        0, 1, 4, 0,
        2, 0, 0, 4,
        3,
    ]);
    assert_eq!(observe(sim(3, 2), "1-3", 0), [3, 0, 1, 0, 3, 0, 1, 0, 3, 2]);
    assert_eq!([0, 1, 2].map(|seat| observe(COALITION, "", seat)[26]), [0, 1, 2]);
    assert_eq!(sim(20, 3).layout().len(), 401);
    assert_eq!((sim(20, 2).n_actions(), sim(20, 2).numbered_action(189)), (190, Some(edge(18, 19))));
    assert_eq!(sim(6, 2).numbered_action(15), None);
}
