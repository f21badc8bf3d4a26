//! Every subcommand but the games in the terminal and the server: what it prints, and how it refuses.

use crate::running::{output, raichi, refused, run, run_with};
use raichi_games::{REGISTRY, seat_range};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the output is JSON")
}

#[test]
fn games_are_listed() {
    let list = output(&["games"]);
    let described = json(&output(&["games", "--json"]));
    assert_eq!(described.as_array().unwrap().len(), REGISTRY.len());
    for entry in REGISTRY {
        assert!(list.lines().any(|line| line.split_whitespace().next() == Some(entry.id)), "{} is missing", entry.id);
        let about = described.as_array().unwrap().iter().find(|about| about["id"] == entry.id).unwrap();
        assert_eq!(about["seats"], (entry.create)(None).unwrap().facts().n_seats);
        assert_eq!(about["seat_range"], Value::from(<[usize; 2]>::from(seat_range(entry)).to_vec()));
        assert_eq!(about["params"].as_array().unwrap().last().unwrap()["name"], "max-plies");
    }
}

#[test]
fn the_list_says_how_many_can_play() {
    let list = output(&["games"]);
    let seats = |id: &str| {
        let line = list.lines().find(|line| line.split_whitespace().next() == Some(id)).unwrap();
        line.split_whitespace().nth(1).unwrap()
    };
    for (id, many) in
        [("tic-tac-toe", "2"), ("al-jabar", "2–4"), ("poker", "2–10"), ("blackjack", "1–7"), ("2048", "1")]
    {
        assert_eq!(seats(id), many, "{id}");
    }
}

#[test]
fn rules_come_with_their_parameters() {
    for entry in REGISTRY {
        let page = output(&["rules", entry.id]);
        for param in (entry.params)() {
            assert!(page.contains(&format!("  {}  {}", param.name, param.kind)), "{}: {}", entry.id, param.name);
        }
        assert_eq!(output(&["rules", entry.id, "--markdown"]), entry.rules);
    }
}

#[test]
fn perft_counts_divides_and_says_what_is_known() {
    let counted = output(&["perft", "tic-tac-toe", "6"]);
    assert!(counted.contains("perft 6 of tic-tac-toe: 54720 as known (published"), "{counted}");
    let divided = output(&["perft", "tic-tac-toe", "4", "--divide"]);
    assert_eq!(divided.lines().filter(|line| line.ends_with("  336")).count(), 9, "{divided}");
    let after = json(&output(&["perft", "tic-tac-toe", "5", "--after", "b2  a1", "--json", "--divide"]));
    assert_eq!((&after["after"], &after["depth"], &after["known"]), (&json("\"b2 a1\""), &json("5"), &Value::Null));
    let sum: u64 = after["divide"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!((after["divide"].as_object().unwrap().len(), Some(sum)), (7, after["leaves"].as_u64()));
    for (depth, leaves) in [("0", "1"), ("1", "9"), ("2", "72"), ("9", "127872"), ("10", "0")] {
        assert!(output(&["perft", "tic-tac-toe", depth]).contains(&format!("tic-tac-toe: {leaves}")), "{depth}");
    }
}

#[test]
fn paths_that_are_too_many_to_be_counted_are_refused() {
    let deep = ["perft", "nim:sizes=9/9/9/9/9/9", "40"];
    for with in [&["--json"][..], &["--divide"]] {
        refused(
            &[&deep[..], with].concat(),
            1,
            &["perft 40 of nim:", "too many paths to be counted, 2^64 − 1 or more"],
        );
    }
    assert_eq!(run(&deep).out, "");
}

#[test]
fn the_last_ply_is_marked_and_the_colours_are_those_of_the_game() {
    let hex = output(&["replay", "hex:size=3", "a1 b2"]);
    assert!(hex.contains("1 X . .\n") && hex.contains("2 .[O].\n"), "{hex}");
    // A pile by its letter, an edge in the table and as a line between its nodes, and what has no place in words.
    assert!(output(&["replay", "kaalu", "a b"]).contains("\n[b]NNN"));
    let sim = output(&["replay", "sim", "1-4"]);
    assert!(sim.contains(" [X]") && sim.lines().filter(|line| line.trim() == "X").count() > 5, "{sim}");
    assert!(output(&["replay", "nim", "b2"]).contains("last: b2\n"));
    assert!(!output(&["replay", "nim"]).contains("last:"));
    let yellow_and_red = output(&["replay", "connect-four", "4 3", "--color", "always"]);
    for colour in ["\u{1b}[33m", "\u{1b}[31m"] {
        assert!(yellow_and_red.contains(colour), "{yellow_and_red:?}");
    }
}

#[test]
fn a_game_is_listed_and_found_with_its_other_names() {
    assert!(output(&["games"]).contains("Reversi"));
    refused(&["replay", "reversi"], 2, &["there is no game `reversi`; that is `othello` here; the games are 2048, "]);
}

#[test]
fn a_history_is_replayed_and_a_wrong_one_named() {
    let page = output(&["replay", "tic-tac-toe", "b2 a1 c3"]);
    assert!(page.contains("1  O . .\n2  . X .\n3  . .[X]\n   a b c\n"), "{page}");
    assert!(page.contains("O (seat 1) to act, 6 legal:\na2  a3  b1  b3  c1  c2\n"), "{page}");
    let over = run_with(&["replay", "tic-tac-toe", "-", "--json"], "a1 a2\nb1 b2\nc1\n");
    let over = json(&over.out);
    assert_eq!(
        (&over["to_act"], &over["end"], &over["payoffs"]),
        (&json("\"over\""), &json("\"line\""), &json("[1,-1]"))
    );
    assert_eq!(over["history"], "a1 a2 b1 b2 c1");
    let start = json(&output(&["replay", "tic-tac-toe", "--json"]));
    assert_eq!((&start["to_act"], start["legal"].as_array().unwrap().len()), (&json("[0]"), 9));

    refused(&["replay", "tic-tac-toe", "b2 a1 b2"], 3, &["ply 3 (`b2`)", "there is a mark on that cell already"]);
    refused(&["replay", "tic-tac-toe", "b2 ~a1"], 3, &["ply 2 (`~a1`)", "seat 1 is to act"]);
    refused(&["replay", "tic-tac-toe", "z9"], 3, &["ply 1 (`z9`)", "expected a cell from a1 to c3"]);
    refused(&["replay", "tic-tac-toe", "", "--viewer", "2"], 2, &["--viewer 2", "0 to 1"]);
    refused(&["replay", "tic-tac-toe", "", "--viewer", "me"], 2, &["all, spectator"]);

    // A seat does not see what the other was dealt: that card may still come, as far as it knows.
    for (viewer, n, ace, king) in [("0", 51, true, false), ("1", 51, false, true), ("spectator", 52, true, true)] {
        let dealt = json(&output(&["replay", "poker", "~As ~Ks", "--viewer", viewer, "--json"]));
        let cards: Vec<&str> = dealt["legal"].as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
        assert_eq!(
            (cards.len(), cards.contains(&"~As"), cards.contains(&"~Ks")),
            (n, ace, king),
            "{viewer}: {cards:?}"
        );
    }
    let page = output(&["replay", "poker", "~As ~Ks", "--viewer", "1"]);
    assert!(page.contains("chance acts, 51 outcomes") && page.contains("~Ks 1.961 %"), "{page}");

    let garbage = run_with(&["replay", "tic-tac-toe", "-"], [0xff, 0xfe]);
    assert_eq!(garbage.code, 3, "{}", garbage.err);
}

#[test]
fn positions_are_written_and_set_up() {
    for entry in REGISTRY {
        let seed = &["--seed", "5"];
        let spec = format!("{}:max-plies=9", entry.id);
        let trace = output(&[&["trace", &spec][..], seed].concat());
        let tokens: Vec<String> = trace.lines().map(json).filter_map(|line| token(&line)).collect();
        let (before, after) = tokens.split_at(tokens.len() * 2 / 3);
        let whole = json(&output(&["replay", entry.id, &tokens.join(" "), "--json"]));
        let position = json(&output(&["replay", entry.id, &before.join(" "), "--json"]));
        let position = position["position"].as_str().unwrap();
        let again = json(&output(&["replay", entry.id, "--position", position, "--json"]));
        assert_eq!((&again["position"], &again["plies"]), (&Value::from(position), &json("0")), "{}", entry.id);
        let rest = json(&output(&["replay", entry.id, "--position", position, &after.join(" "), "--json"]));
        for key in ["position", "to_act", "legal", "weights"] {
            assert_eq!(rest[key], whole[key], "{}: {key}", entry.id);
        }
    }
    let page = output(&["replay", "tic-tac-toe", "--position", "X1O/3/2X 1", "b2 a2"]);
    assert!(page.contains("tic-tac-toe after 2 plies\n\n1  X . O\n2 [X]O .\n3  . . X\n"), "{page}");
    assert!(page.contains("position: X1O/XO1/2X 1\n"), "{page}");
    let start = "---------------------------OX------XO--------------------------- X";
    let othello = json(&output(&["replay", "othello", "--position", start, "--json"]));
    assert_eq!(othello["position"], json(&output(&["replay", "othello", "--json"]))["position"], "as other programs");
    assert!(output(&["replay", "tic-tac-toe", "--position", "3/3/3 1"]).starts_with("tic-tac-toe set up\n"));

    let refused_at = |text: &str, says: &[&str]| refused(&["replay", "tic-tac-toe", "--position", text], 3, says);
    refused_at("X1Z/3/2X 1", &["--position, character 3: `Z` cannot stand here; expected X or O"]);
    refused_at("X1O/3/2X", &["character 9: the text ends here; expected the seat to act, 0 to 1"]);
    refused_at("", &["character 1: the text ends here; expected the board"]);
    refused_at("XXX/OO1/3 0", &["character 1", "the seat that makes a line has won"]);
    refused(&["replay", "tic-tac-toe", "--position", "X1O/3/2X 1", "a1"], 3, &["ply 1 (`a1`)", "a mark on that cell"]);
    refused(&["encode", "tic-tac-toe", "--position", "x"], 3, &["--position, character 1: `x`"]);
    refused(&["play", "tic-tac-toe", "--position", "x"], 3, &["--position, character 1: `x`"]);
}

/// What was played at a line of a trace, as a history writes it.
fn token(line: &Value) -> Option<String> {
    let played = line["played"].as_str()?;
    let several = line["legal"].is_object();
    Some(if several { format!("{}:{played}", line["by"]) } else { played.into() })
}

#[test]
fn a_position_is_shown_as_numbers() {
    let page = output(&["encode", "tic-tac-toe", "b2 a1 c3"]);
    let wanted = "tic-tac-toe, seen by O (seat 1): 10 numbers\n\n\
        board  entries 0 to 8\n  0:  1  0  0\n  3:  0  2  0\n  6:  0  0  2\n  0 empty, 1 this seat, 2 the other seat\n\n\
        to act  entry 9\n  1\n  1 this seat\n\n\
        9 action numbers, 6 legal\n1:b1  2:c1  3:a2  5:c2  6:a3  7:b3\n";
    assert_eq!(page, wanted);
    let about = json(&output(&["encode", "tic-tac-toe", "b2 a1 c3", "--json"]));
    assert_eq!(
        (&about["game"], &about["seat"], &about["n_actions"]),
        (&json("\"tic-tac-toe\""), &json("1"), &json("9"))
    );
    assert_eq!(about["observation"], json("[1,0,0,0,2,0,0,0,2,1]"));
    assert_eq!(about["ranges"], json("[[0,2],[0,2],[0,2],[0,2],[0,2],[0,2],[0,2],[0,2],[0,2],[0,2]]"));
    assert_eq!(about["grids"], json(r#"[{"name":"board","first":0,"rows":3,"columns":3}]"#));
    assert_eq!(about["legal"], json("[1,2,3,5,6,7]"));
    let cards = output(&["encode", "poker", "~As ~Kd ~2c ~7h", "--seat", "0"]);
    let with_heads = "            2  3  4  5  6  7  8  9  T  J  Q  K  A\n\
        \x20    clubs  0  0  0  0  0  0  0  0  0  0  0  0  0\n\
        \x20 diamonds  0  0  0  0  0  0  0  0  0  0  0  1  0\n";
    assert!(cards.contains(with_heads), "{cards}");
    let other = json(&output(&["encode", "tic-tac-toe", "b2 a1 c3", "--seat", "0", "--json"]));
    assert_eq!((&other["observation"], &other["legal"]), (&json("[2,0,0,0,1,0,0,0,1,2]"), &json("[]")));
    let set_up = ["encode", "tic-tac-toe", "--position", "O2/1X1/3 0", "c3", "--json"];
    assert_eq!(json(&output(&set_up)), about, "the same position");
    assert_eq!(json(&run_with(&["encode", "tic-tac-toe", "-", "--json"], "b2 a1\nc3").out), about);

    refused(&["encode", "tic-tac-toe", "--seat", "2"], 2, &["--seat 2", "0 to 1"]);
    refused(&["encode", "tic-tac-toe", "b2 b2"], 3, &["ply 2 (`b2`)"]);
    for entry in REGISTRY {
        let about = json(&output(&["encode", entry.id, "--json"]));
        let (entries, ranges) = (about["observation"].as_array().unwrap(), about["ranges"].as_array().unwrap());
        assert_eq!(entries.len(), ranges.len(), "{}", entry.id);
        let page = output(&["encode", entry.id]);
        assert!(page.contains(&format!(": {} numbers\n", entries.len())), "{page}");
    }
}

#[test]
fn a_position_with_secrets_has_one_view() {
    let trace = output(&["trace", "poker", "--seed", "3"]);
    let dealt = trace.lines().map(json).take_while(|line| line["to_act"] == "chance");
    let dealt = dealt.map(|line| token(&line).unwrap()).collect::<Vec<_>>().join(" ");
    let position = |viewer: &str| {
        let about = json(&output(&["replay", "poker", &dealt, "--viewer", viewer, "--json"]));
        about["position"].as_str().unwrap().to_string()
    };
    let (whole, own, public) = (position("all"), position("0"), position("spectator"));
    assert!(!whole.contains('?') && own.contains('?') && public.contains('?'), "{whole}; {own}; {public}");
    let observation =
        |args: &[&str]| json(&output(&[&["encode", "poker", "--json"], args].concat()))["observation"].clone();
    let wanted = observation(&[&dealt, "--seat", "0"]);
    assert_eq!(observation(&["--position", &whole, "--seat", "0"]), wanted);
    assert_eq!(observation(&["--position", &own, "--seat", "0"]), wanted);
    assert_eq!(observation(&["--position", &own]), wanted, "the seat that wrote it");
    refused(&["encode", "poker", "--position", &own, "--seat", "1"], 2, &["what seat 0 sees", "--seat 0"]);
    refused(&["encode", "poker", "--position", &public], 3, &["a spectator"]);
    refused(&["play", "poker", "--position", &public], 3, &["--position", "spectator"]);
    let shown = json(&output(&["replay", "poker", "--position", &own, "--json"]));
    assert_eq!(shown["position"], Value::from(own), "nobody is shown more");
}

#[test]
fn what_a_position_hides_is_not_told_by_what_follows() {
    let kuhn =
        |plies: &str| run(&["replay", "kuhn-poker", plies, "--position", "0 stakes=1/1 cards=Q/? seen-by=0", "--json"]);
    let shown_down = kuhn("pass pass");
    assert_eq!((shown_down.code, &*shown_down.out), (3, ""), "against a jack or a king");
    assert!(shown_down.err.contains("depends on what it hides, which is not in the text"), "{}", shown_down.err);
    let folded = json(&kuhn("pass bet pass").out);
    assert_eq!((&folded["to_act"], &folded["payoffs"]), (&json("\"over\""), &json("[-1,1]")));
    assert_eq!(json(&kuhn("bet").out)["to_act"], json("[1]"));
    assert!(kuhn("pass hop").err.contains("`hop`"));
    let encoded =
        |plies: &str| run(&["encode", "kuhn-poker", plies, "--position", "0 stakes=1/1 cards=Q/? seen-by=0", "--json"]);
    assert_eq!(
        json(&encoded("pass bet").out)["legal"].as_array().map(Vec::len),
        Some(2),
        "{}",
        encoded("pass bet").err
    );
    let shown_down = encoded("pass pass");
    assert_eq!((shown_down.code, &*shown_down.out), (3, ""), "the other card is among the numbers");

    // Every card that the seat has not seen can come, whatever was taken to be hidden.
    let position = "Th9d7c 0 dealer=1 stacks=80/80 staked=20/20 cards=AsAh/???? seen-by=0";
    let turn = |plies: &str| run(&["replay", "poker", plies, "--position", position, "--json"]);
    let before = json(&turn("check check").out);
    let cards: Vec<&str> = before["legal"].as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
    assert_eq!(cards.len(), 52 - 5);
    let lines: String = cards.iter().map(|card| format!("check check {card}\n")).collect();
    let turns = run_with(&["replay", "poker", "--position", position, "--file", "-"], lines);
    for (line, card) in turns.out.lines().map(json).zip(&cards) {
        assert!(line["position"].as_str().is_some_and(|text| text.ends_with("seen-by=0")), "{card}: {line}");
    }
    assert_eq!(turns.out.lines().count(), cards.len());
    assert_eq!(turn("check check ~As").code, 3, "the seat holds it");
    let spectator = position.replace("AsAh/???? seen-by=0", "????/???? seen-by=spectator");
    refused(&["replay", "poker", "check", "--position", &spectator], 3, &["what a spectator sees"]);
}

#[test]
fn an_analysis_takes_no_draw_of_what_a_position_hides_for_the_truth() {
    let analysed = |position: &str, plies: &str, seed: &str| {
        run(&["analyse", "poker", plies, "--position", position, "--agent", "random", "--seed", seed, "--json"])
    };
    // With these seeds the other seat was dealt the king that comes.
    let turn = "Th9d7c2d 0 dealer=1 stacks=80/80 staked=20/20 cards=AsAh/???? seen-by=0";
    for seed in ["79", "102", "116", "0"] {
        let river = analysed(turn, "check check ~Kd", seed);
        assert_eq!(river.code, 0, "{seed}: {}", river.err);
        assert_eq!(json(&river.out)["seat"], 0);
    }
    // Who wins the showdown, and with it the stacks of the next round, is not in the text.
    let river = "Th9d7c2d2c 0 dealer=1 stacks=80/80 staked=20/20 cards=2h8h/???? seen-by=0";
    let shown_down = analysed(river, "check check ~3s ~4s ~5s ~6s call", "0");
    assert_eq!((shown_down.code, &*shown_down.out), (3, ""), "{}", shown_down.err);
    assert!(shown_down.err.contains("depends on what it hides, which is not in the text"), "{}", shown_down.err);
    assert!(analysed(river, "check hop", "0").err.contains("`hop`"));
}

#[test]
fn a_seed_is_the_same_game_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let specs = REGISTRY.iter().map(|entry| format!("{}:max-plies=60", entry.id));
    for (i, spec) in specs.chain(["2048:size=3".into()]).enumerate() {
        let trace = output(&["trace", &spec, "--seed", "7"]);
        let traced: Vec<String> = trace.lines().map(json).filter_map(|line| token(&line)).collect();

        let path = folder.path().join(i.to_string());
        let path = path.to_str().unwrap();
        let n_seats = raichi_games::game(&spec).unwrap().facts().n_seats;
        let seats = ["--seat", "random"].repeat(n_seats);
        let played = output(&[&["play", &spec, "--seed", "7", "--save", path][..], &seats].concat());
        assert!(played.contains(&format!("{} plies, seed 7\n", traced.len())), "{spec}: {played}");
        let saved = json(&std::fs::read_to_string(path).unwrap());
        let saved = saved["plies"].as_array().unwrap().iter().map(|ply| ply["text"].as_str().unwrap());
        assert!(saved.eq(traced.iter()), "{spec}");

        let sheet = ["balance", &spec, "--games", "1", "--agent", "random", "--seed", "7", "--json"];
        assert_eq!(json(&output(&sheet))["length"]["mean"].as_f64(), Some(traced.len() as f64), "{spec}");
    }
}

#[test]
fn traces_are_json_in_the_form_of_the_contract() {
    for entry in REGISTRY {
        let spec = if entry.id == "tic-tac-toe" { entry.id.into() } else { format!("{}:max-plies=60", entry.id) };
        let canonical = raichi_games::game(&spec).unwrap().spec().to_string();
        let lines = output(&["trace", &spec, "--games", "3", "--seed", "7"]);
        let mut ends = 0;
        let mut ply = 0;
        for line in lines.lines().map(json) {
            assert_eq!((&line["game"], &line["seed"]), (&Value::from(canonical.clone()), &Value::from(7 + ends)));
            assert_eq!(line["ply"], ply);
            if line["to_act"] == "over" {
                assert!(line["payoffs"].is_array() && line["end"].is_string(), "{line}");
                (ends, ply) = (ends + 1, 0);
                continue;
            }
            ply += 1;
            check_ply(&line);
        }
        assert_eq!(ends, 3, "{spec}");
        assert_eq!(lines, output(&["trace", &spec, "--games", "3", "--seed", "7"]), "the same bytes");
        assert!(lines.ends_with(&output(&["trace", &spec, "--seed", "9"])), "game i has the seed S + i");
    }
}

#[track_caller]
fn check_ply(line: &Value) {
    let sorted = |list: &Value| list.as_array().unwrap().windows(2).all(|pair| pair[0].as_str() < pair[1].as_str());
    if line["to_act"] == "chance" {
        let weights = line["weights"].as_array().unwrap();
        let sum: f64 = weights.iter().map(|weight| weight.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9 && weights.len() == line["legal"].as_array().unwrap().len(), "{line}");
        assert!(sorted(&line["legal"]) && line["legal"].as_array().unwrap().contains(&line["played"]), "{line}");
        assert!(line["played"].as_str().unwrap().starts_with('~') && line["by"] == "chance", "{line}");
        return;
    }
    let to_act = line["to_act"].as_array().unwrap();
    let list = if to_act.len() == 1 { &line["legal"] } else { &line["legal"][line["by"].to_string()] };
    assert!(to_act.contains(&line["by"]) && sorted(list), "{line}");
    assert!(list.as_array().unwrap().contains(&line["played"]), "{line}");
}

#[test]
fn the_trace_named_by_a_playthrough_is_the_game_recorded_there() {
    let mut compared = 0;
    for rooms in raichi_games::ROOMS {
        let path = format!("{}/../games/src/{}/playthrough.txt", env!("CARGO_MANIFEST_DIR"), rooms.folder);
        let Ok(recorded) = std::fs::read_to_string(path) else { continue };
        let value = |key: &str| recorded.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        let trace = output(&["trace", value("game: "), "--seed", value("seed: ")]);
        let played = trace.lines().map(json).filter_map(|line| Some(line["played"].as_str()?.to_string()));
        // A record writes the seat before the action where several act.
        let tokens = recorded.lines().filter_map(|line| line.strip_prefix("    -> ")?.split(' ').next());
        let texts = tokens.map(|token| match token.split_once(':') {
            Some((seat, text)) if seat.bytes().all(|b| b.is_ascii_digit()) => text,
            _ => token,
        });
        assert!(played.eq(texts), "{}", rooms.id);
        compared += 1;
    }
    assert!(compared > 0, "no game has a playthrough");
}

#[test]
fn a_trace_goes_to_a_file_and_agents_may_play_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    assert_eq!(output(&["trace", "tic-tac-toe", "--games", "5", "--out", path]), "");
    assert_eq!(std::fs::read_to_string(path).unwrap(), output(&["trace", "tic-tac-toe", "--games", "5"]));
    let played = output(&["trace", "tic-tac-toe", "--agent", "random", "--seed", "3"]);
    assert_eq!(played, output(&["trace", "tic-tac-toe", "--seed", "3"]), "the agent is random where none is named");
    assert_eq!(json(played.lines().last().unwrap())["to_act"], "over");
    refused(&["trace", "tic-tac-toe", "--agent", "rand"], 2, &["`rand`", "the agents are", "random"]);
    refused(&["trace", "tic-tac-toe", "--out", "/nowhere/at/all"], 1, &["/nowhere/at/all cannot be written"]);
    refused(&["trace", "tic-tac-toe", "--games", "2", "--seed", "18446744073709551615"], 2, &["--seed"]);
}

#[test]
fn benches_measure_what_they_name() {
    let run = run(&["bench", "tic-tac-toe", "nim3p", "--seconds", "0.02", "--threads", "2", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<Value> = run.out.lines().map(json).collect();
    assert_eq!(lines.iter().map(|line| line["game"].as_str().unwrap()).collect::<Vec<_>>(), ["tic-tac-toe", "nim3p"]);
    for line in &lines {
        for figure in ["playouts", "plies", "perft_leaves", "simulations", "nodes"] {
            assert!(line[format!("{figure}_per_second")].as_u64().unwrap() > 0, "{line}");
        }
        assert_eq!((&line["threads"], &line["perft_known"]), (&json("2"), &json("true")));
    }
    let table = output_in_words(&["bench", "tic-tac-toe:max-plies=3", "--seconds", "0.02"]);
    assert!(table.contains("PLAYOUTS/S") && table.contains("tic-tac-toe:max-plies=3"), "{table}");
    refused(&["bench", "--seconds", "0"], 2, &["from 0.01 to 3600"]);
    refused(&["bench", "chess"], 2, &["there is no game `chess`"]);
}

// A build that is not optimised says so on standard error.
fn output_in_words(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = output(&["completions", shell]);
        assert!(script.contains("raichi") && script.contains("divide"), "{shell}");
    }
    for shell in ["bash", "zsh"] {
        assert!(output(&["completions", shell]).contains("tic-tac-toe"), "{shell} offers no games");
    }
    refused(&["completions", "csh"], 2, &["csh", "bash, elvish, fish, powershell, zsh"]);
}

#[test]
fn wrong_usage_names_what_is_wrong_and_what_is_allowed() {
    refused(&["dance"], 2, &["dance"]);
    refused(&["rules", "chess"], 2, &["there is no game `chess`; the games are", "tic-tac-toe"]);
    refused(&["rules", "tic-tac-toe:size=3"], 2, &["no parameter `size`; it takes max-plies"]);
    refused(&["rules", "tic-tac-toe:max-plies=x"], 2, &["`max-plies=x`", "from 0 to 1000000"]);
    refused(&["perft", "tic-tac-toe", "many"], 2, &["many", "DEPTH"]);
    refused(&["perft", "tic-tac-toe", "x"], 2, &["'x'", "how many plies, from 0 to 100"]);
    refused(&["perft", "tic-tac-toe", "101"], 2, &["101", "from 0 to 100"]);
    refused(&["perft", "tic-tac-toe", "2", "--after", "b2 b2"], 3, &["--after", "ply 2"]);
    refused(&["games", "--color", "sometimes"], 2, &["sometimes", "auto, always, never"]);
    let nothing = run(&[]);
    assert!(nothing.code == 2 && nothing.err.contains("Usage: raichi"), "{}", nothing.err);
}

#[test]
fn help_has_examples_and_the_exit_codes() {
    let help = output(&["--help"]);
    assert!(help.contains("Exit codes:") && help.contains("Examples:"), "{help}");
    for command in help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty()) {
        let Some(name) = command.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) else { continue };
        let name = name.split_whitespace().next().unwrap();
        if name != "help" {
            assert!(output(&[name, "--help"]).contains("Examples:\n  raichi "), "{name} has no examples");
        }
    }
    assert_eq!(output(&["--version"]), format!("raichi {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn colours_are_used_as_asked() {
    let coloured = |args: &[&str]| output(args).contains('\x1b');
    assert!(coloured(&["rules", "tic-tac-toe", "--color", "always"]));
    assert!(!coloured(&["rules", "tic-tac-toe", "--color", "never"]));
    assert!(!coloured(&["rules", "tic-tac-toe"]), "a pipe shows no colours");
    let forced = raichi(&["rules", "tic-tac-toe"]).env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
}

#[test]
fn analysis_values_every_action_best_first() {
    let won = json(&output(&["analyse", "tic-tac-toe", "a1 b1 a2 b2", "--agent", "mcts:sims=2000", "--json"]));
    assert_eq!((&won["spec"], &won["seat"], &won["best"]), (&json("\"tic-tac-toe\""), &json("0"), &json("\"a3\"")));
    assert_eq!(won["line"], json("[\"a3\"]"));
    let actions = won["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 5);
    assert_eq!((&actions[0]["action"], &actions[0]["values"]), (&json("\"a3\""), &json("[1.0, -1.0]")));
    assert_eq!((&actions[0]["exact"], &actions[0]["depth"]), (&json("true"), &Value::Null));
    // An agent without an opinion still lists what is legal.
    let random = json(&output(&["analyse", "tic-tac-toe", "a1", "--agent", "random", "--json"]));
    assert_eq!(random["seat"], 1);
    assert_eq!(random["actions"].as_array().unwrap().len(), 8);
    assert_eq!(random["actions"][0]["action"], random["best"]);
    assert_eq!(random["actions"][0]["values"], json("[]"));
    // For people: two agents, one below the other.
    let page = output(&["analyse", "tic-tac-toe", "a1 b1 a2 b2", "--agent", "mcts:sims=2000", "--agent", "random"]);
    assert!(page.contains("mcts:sims=2000: a3, proven best\n") && page.contains("\nrandom: "), "{page}");
    assert!(page.contains("a3  ████████████████████        +1  exact"), "{page}");
    assert!(page.contains("this agent does not say what actions are worth\n"), "{page}");
    // Of 68 actions the one that it has something to say of, and why.
    let page = output(&["analyse", "focus:rule=none", "b5-b4", "--agent", "mirror"]);
    let (_, said) = page.split_once("mirror: ").unwrap();
    assert!(said.starts_with("g4-g5\n  g4-g5  "), "{page}");
    assert!(said.contains("other actions were not looked at\nHalf a turn of the board takes b5-b4 to g4-g5"), "{page}");
    assert!(said.lines().count() < 10, "{page}");
}

#[test]
fn problems_say_who_wins_and_what_to_do_where_a_game_is_too_large() {
    let page = output(&["problems", "tic-tac-toe", "--seed", "7", "--number", "3", "--answers"]);
    assert!(page.contains(" is answered by ") && page.contains(" wins: "), "{page}");
    let lost = ["problems", "tic-tac-toe", "--lost", "--seed", "7", "--number", "4"];
    let page = output(&lost);
    assert!(page.contains("you are lost, whatever you do."), "{page}");
    assert!(page.contains("Answers: ") && !page.contains("answer: "), "{page}");
    let with_answers = output(&[&lost[..], &["--json"]].concat());
    let problems: Vec<Value> = with_answers.lines().map(json).collect();
    assert_eq!(problems.len(), 4);
    assert!(problems.iter().any(|one| one["question"] == "lost-in" && one["choices"].as_array().unwrap().len() == 4));
    for problem in problems.iter().filter(|one| one["question"] == "hold-out") {
        assert!(problem["end"].as_str().unwrap().contains(" wins: "), "{problem}");
        let wrong = problem["refutations"].as_array().unwrap();
        assert!(!wrong.is_empty() && wrong.iter().all(|one| one["winner"] != problem["seat"]), "{problem}");
    }
    for game in ["tablut", "focus"] {
        refused(&["problems", game], 1, &["is not solved", "`--within N --position TEXT`"]);
    }
    // A game that is solved, and takes longer than that from its start.
    let too_long = ["problems", "othello", "--time", "300ms"];
    refused(&too_long, 1, &["no problem was found in 300ms", "`--within N --position TEXT`"]);
    refused(&["problems"], 2, &["GAME"]);
}

#[test]
fn the_problem_of_the_day_is_sealed_until_its_answer_is_asked_for() {
    for game in REGISTRY {
        let asked = ["problems", game.id, "--today"];
        let problem = json(&output(&[&asked[..], &["--json"]].concat()));
        assert_eq!((&problem["game"], problem.get("answer")), (&Value::from(game.id), None), "{problem}");
        let open = json(&output(&[&asked[..], &["--json", "--answers"]].concat()));
        let answer = open["answer"].as_str().unwrap();
        let page = output(&asked);
        assert!(page.contains("--answers shows the answer") && !page.contains("answer: "), "{page}");
        let way = format!("raichi lesson {} --problems --lesson {} --step {}", game.id, open["lesson"], open["step"]);
        assert!(page.contains(&way), "{page}");
        let page = output(&[&asked[..], &["--answers"]].concat());
        assert!(page.contains(&format!("answer: {answer}")) || answer.len() > 40, "{answer}: {page}");
    }
    assert!(output(&["problems", "--today"]).starts_with("The problem of the day, 20"));
    for ignored in [&["--lost"][..], &["--position", "3/3/3 0"], &["--counter", "discs"]] {
        refused(&[&["problems", "--today"], ignored].concat(), 2, &["--today", ignored[0]]);
    }
}

#[test]
fn problems_begin_with_positions_that_begin_with_a_hyphen() {
    refused(&["problems", "kaalu", "--within", "3", "--position", "- x"], 3, &["--position, character 3"]);
}

#[test]
fn the_first_line_of_a_shelf_makes_it_again() {
    let args = ["--seed", "7", "--number", "2", "--games", "300", "--time", "90s", "--toml"];
    let shelf = output(&[&["problems", "tic-tac-toe"][..], &args].concat());
    let first = shelf.strip_prefix("# Written by `raichi ").and_then(|rest| rest.split('`').next()).unwrap();
    assert!(first.contains(" --games 300") && first.contains(" --time 1m30s"), "{first}");
    assert_eq!(output(&first.split(' ').collect::<Vec<_>>()), shelf);
}

#[test]
fn analysis_keeps_secrets_and_says_why_it_cannot_be_made() {
    // The same view of seat 1, other cards at seat 0: the same bytes.
    let asked = |history: &str| output(&["analyse", "poker:players=2", history, "--agent", "mcts:sims=300", "--json"]);
    assert_eq!(asked("~As ~Ks ~2c ~7h"), asked("~As ~Qd ~2c ~Qh"));
    // A text with `?` is one seat's view.
    let shown = json(&output(&["replay", "poker:players=2", "~As ~Ks ~2c ~7h", "--viewer", "1", "--json"]));
    let text = shown["position"].as_str().unwrap();
    assert!(text.contains('?'), "{text}");
    let analysed = output(&["analyse", "poker:players=2", "--position", text, "--agent", "mcts:sims=300", "--json"]);
    assert_eq!(json(&analysed)["seat"], 1);
    for (arguments, code, says) in [
        (&["tic-tac-toe", "--agent", "deep-blue"][..], 2, "there is no agent `deep-blue`"),
        (&["tic-tac-toe"], 2, "--agent"),
        (&["tic-tac-toe", "a1 b1 a2 b2 a3", "--agent", "random"], 3, "the game is over"),
        (&["poker", "~As", "--agent", "random"], 3, "chance is to act"),
        (&["tic-tac-toe", "a1 a1", "--agent", "random"], 3, "a1"),
        (&["tic-tac-toe", "--agent", "random", "--seat", "1"], 2, "to act here: 0"),
        (
            &["poker:players=2", "raise", "--position", text, "--agent", "random"],
            3,
            "seat 1 sees, and seat 0 is to act",
        ),
    ] {
        let arguments: Vec<&str> = std::iter::once("analyse").chain(arguments.iter().copied()).collect();
        refused(&arguments, code, &[says]);
    }
}

#[test]
fn agents_are_listed_with_their_options_and_with_what_stands_in_their_way() {
    let all = output(&["agents"]);
    for kind in raichi_agents::KINDS {
        assert!(all.lines().any(|line| line.starts_with(&format!("{}  ", kind.id))), "{} is missing", kind.id);
        for option in kind.options {
            assert!(all.contains(&format!("  {}  ", option.name)), "{}: {}", kind.id, option.name);
        }
    }
    let able = json(&output(&["agents", "poker", "--json"]));
    let ids: Vec<&str> = able.as_array().unwrap().iter().map(|agent| agent["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"random") && !ids.contains(&"dfpn"), "{ids:?}");
    assert!(output(&["agents", "poker"]).contains("not dfpn: "));
    refused(&["agents", "chess"], 2, &["chess"]);
}

#[test]
fn values_are_those_of_best_play_and_best_first() {
    let start = json(&output(&["values", "tic-tac-toe", "--json"]));
    assert_eq!(
        (&start["spec"], &start["seat"], &start["exact"]),
        (&json("\"tic-tac-toe\""), &json("0"), &json("true"))
    );
    assert_eq!((&start["values"], &start["plies"]), (&json("[0,0]"), &json("9")));
    assert_eq!(start["actions"].as_array().unwrap().len(), 9);
    // X has two in a row, O to act: only the block holds the draw.
    let block = json(&output(&["values", "tic-tac-toe", "b2 c3 a1 c1 c2", "--json"]));
    assert_eq!((&block["seat"], &block["values"]), (&json("1"), &json("[0,0]")));
    let actions = block["actions"].as_array().unwrap();
    assert_eq!(actions[0]["action"], "a2");
    for lost in &actions[1..] {
        assert_eq!((&lost["values"], &lost["plies"]), (&json("[1,-1]"), &json("1")), "{lost}");
    }
    // What is over has no actions; a cap that is too near can change what is known.
    let over = json(&output(&["values", "tic-tac-toe", "a1 b1 a2 b2 a3", "--json"]));
    assert_eq!((&over["seat"], &over["values"], &over["plies"]), (&Value::Null, &json("[1,-1]"), &json("0")));
    assert_eq!(over["actions"], json("[]"));
    // A win comes after five plies more, and a draw stays one.
    for (max_plies, history, values, exact) in
        [(6, "b2 a2", "[1,-1]", "false"), (7, "b2 a2", "[1,-1]", "true"), (8, "b2 a1", "[0,0]", "true")]
    {
        let capped = json(&output(&["values", &format!("tic-tac-toe:max-plies={max_plies}"), history, "--json"]));
        assert_eq!((&capped["values"], &capped["exact"]), (&json(values), &json(exact)), "{max_plies}: {capped}");
    }
    // Over by the cap: what it would be worth without it, which is not what it paid.
    let over = json(&output(&["values", "tic-tac-toe:max-plies=2", "b2 a2", "--json"]));
    assert_eq!((&over["seat"], &over["values"], &over["exact"]), (&Value::Null, &json("[1,-1]"), &json("false")));
    // The position is worth what it is said to be worth; some actions would win after the cap.
    let args = ["values", "hex:size=3,max-plies=6", "c1 a1"];
    let beyond = json(&output(&[&args[..], &["--json"]].concat()));
    let may_change =
        beyond["actions"].as_array().unwrap().iter().filter(|action| action["exact"] == json("false")).count();
    assert!(may_change > 0 && output(&args).contains("(the cap or a rule of repetition may change that)"), "{beyond}");
    assert!(output(&["values", "nim:sizes=3/2/1"]).contains("plies"));
    // A win at once is one whatever else may come, which is too much to be looked at in kaalu.
    let near = "1/2/4,7/1/1,1/4/3,2/4/1,5/4/1,2/2/4,3/2/3 1 stocks=2/4 barred=b0/2c";
    let won = json(&output(&["values", "kaalu", "a", "--position", near, "--time", "300ms", "--json"]));
    assert_eq!((&won["values"], &won["plies"], &won["exact"]), (&json("[1,-1]"), &json("1"), &json("true")));
    assert_eq!((&won["actions"][0]["values"], &won["actions"][0]["plies"]), (&json("[1,-1]"), &json("0")));
    let (known, unknown) = (won["actions"].as_array().unwrap(), won["unknown"].as_array().unwrap());
    assert!(!unknown.is_empty() && known.iter().all(|action| !unknown.contains(&action["action"])), "{won}");
    let page = output(&["values", "kaalu", "a", "--position", near, "--time", "300ms"]);
    assert!(page.contains("not found: ") && page.contains(" more"), "{page}");
    // Of 7x7 Hex every first stone is known, but not what is best after it; nor is the first stone on larger boards.
    for (spec, stone, values, n_actions) in
        [("hex:size=7", "a2", "[-1,1]", 48), ("hex:size=7", "d4", "[1,-1]", 48), ("hex:size=11", "", "[1,-1]", 121)]
    {
        let known = json(&output(&["values", spec, stone, "--time", "100ms", "--json"]));
        assert_eq!((&known["values"], &known["exact"]), (&json(values), &json("true")), "{spec} {stone}");
        let count = |field: &str| known[field].as_array().map_or(0, Vec::len);
        assert_eq!(count("actions") + count("unknown"), n_actions, "{spec} {stone}: {known}");
    }
    assert!(output(&["values", "hex:size=11", "--time", "1ms"]).contains("not found: a1, "));
    refused(&["values", "yavalath", "--time", "1ms"], 1, &["no exact value"]);
    refused(&["values", "jabirs-transmutations"], 1, &["no exact values of jabirs-transmutations are known"]);
    refused(&["values", "tic-tac-toe", "a1 a1"], 3, &["a1"]);
}

#[test]
fn what_actions_are_worth_is_shown_where_the_position_is_not_solved() {
    // Three in a column: the seat that does not put a fourth stone on them loses at once. All else is too far away.
    let args = ["values", "connect-four:width=8,height=8", "1 2 1 2 1", "--time", "500ms"];
    let people = run(&args);
    assert_eq!(people.code, 1);
    let says = "error: no exact value of the position was found in 500ms; of its 8 actions 7 are known";
    assert!(people.err.starts_with(says), "{}", people.err);
    let lost = |line: &&str| line.contains("Red −1, 1 ply, score ");
    assert_eq!(people.out.lines().filter(lost).count(), 7, "{}", people.out);
    assert!(people.out.contains(": not found\n") && people.out.contains("  not found: 1\n"), "{}", people.out);
    let programs = run(&[&args[..], &["--json"]].concat());
    let about = json(&programs.out);
    assert_eq!((programs.code, &about["exact"], &about["values"]), (1, &json("false"), &Value::Null));
    assert_eq!((about["actions"].as_array().unwrap().len(), &about["unknown"]), (7, &json("[\"1\"]")), "{about}");
    // Line by line the error stands beside what was found.
    let lines =
        run_with(&["values", "connect-four:width=8,height=8", "--time", "500ms", "--file", "-"], "1 2 1 2 1\n1\n");
    assert_eq!(lines.code, 0);
    let [lost, nothing]: [Value; 2] = lines.out.lines().map(json).collect::<Vec<_>>().try_into().unwrap();
    assert!(
        lost["error"].as_str().unwrap().starts_with("no exact value") && lost["actions"].as_array().unwrap().len() == 7
    );
    assert!(nothing["error"].is_string() && nothing["actions"].is_null(), "{nothing}");
}

#[test]
fn folders_that_tables_cannot_be_kept_in_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(at("file"), "").unwrap();
    for place in [at("file"), at("file/below")] {
        for command in ["solve", "values", "problems"] {
            let says = ["--tables: nothing can be kept in ", &place];
            refused(&[command, "tic-tac-toe", "--tables", &place], 1, &says);
        }
    }
    let by_variable = raichi(&["solve", "tic-tac-toe"]).env("RAICHI_TABLES", at("file")).output().unwrap();
    assert_eq!(by_variable.status.code(), Some(1));
    // One that is not there yet is made.
    output(&["solve", "tic-tac-toe", "--tables", &at("a/b")]);
    assert!(folder.path().join("a/b").is_dir());
}

#[test]
fn a_table_that_cannot_be_kept_is_named_and_the_result_given() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let args = ["solve", "focus", "--position", "4/6/8/8/3,R,4/8/6/2,B,B 0 reserves=0/0", "--json"];
    let with_tables = || run(&[&args[..], &["--tables", tables]].concat());
    let wanted = json(&output(&args));
    // A folder in the place of the file: it can be neither read nor replaced.
    let table = folder.path().join("focus-1r2b.table");
    std::fs::create_dir_all(table.join("in the way")).unwrap();
    let solved = with_tables();
    let says = format!("note: the table focus-1r2b cannot be kept in {tables}: ");
    assert!(solved.err.starts_with(&says) && solved.err.lines().count() == 1, "{}", solved.err);
    assert_eq!((solved.code, &json(&solved.out)["values"]), (0, &wanted["values"]));
    // Where it can be kept nothing is said, and it is used.
    std::fs::remove_dir_all(&table).unwrap();
    for _ in 0..2 {
        let solved = with_tables();
        assert_eq!((solved.code, &*solved.err, &json(&solved.out)["values"]), (0, "", &wanted["values"]));
        assert!(table.is_file());
    }
}

#[test]
fn lines_of_a_file_are_answered_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines");
    std::fs::write(&file, "\na1 b1 a2 b2 a3\nO2/1X1/3 0\na1 a1\nnothing\n").unwrap();
    let file = file.to_str().unwrap();
    let answers =
        |command: &str| -> Vec<Value> { output(&[command, "tic-tac-toe", "--file", file]).lines().map(json).collect() };
    let values = answers("values");
    assert_eq!(values.len(), 5);
    assert_eq!([&values[0]["seat"], &values[1]["seat"], &values[2]["seat"]], [&json("0"), &Value::Null, &json("0")]);
    assert!(values[3]["error"].as_str().unwrap().starts_with("ply 2 (`a1`)"), "{}", values[3]);
    assert!(values[4]["error"].as_str().unwrap().contains("no history"), "{}", values[4]);
    let replayed = answers("replay");
    assert_eq!((&replayed[1]["to_act"], &replayed[2]["position"]), (&json("\"over\""), &json("\"O2/1X1/3 0\"")));
    assert!(replayed[3]["error"].is_string());
    let encoded = answers("encode");
    assert_eq!(encoded[0]["legal"].as_array().unwrap().len(), 9);
    assert!(encoded[4]["error"].is_string());
    // What is no text is a fault of its line only, and a mark before the first line is none.
    for command in ["values", "replay", "encode"] {
        let lines: &[u8] = b"\xef\xbb\xbfa1 b1\r\na1 \xff\na2\n";
        let answers = run_with(&[command, "tic-tac-toe", "--file", "-"], lines);
        let answers: Vec<Value> = answers.out.lines().map(json).collect();
        assert_eq!(answers.len(), 3);
        let error = answers[1]["error"].as_str().unwrap();
        assert!(error.starts_with("the line is no text: "), "{command}: {error}");
        assert!(answers[0]["error"].is_null() && answers[2]["error"].is_null(), "{command}: {answers:?}");
    }
    let many = "a1 b1\n".repeat(300);
    let piped = run_with(&["replay", "tic-tac-toe", "--file", "-"], &many);
    assert_eq!(piped.out.lines().count(), 300);
    refused(&["values", "tic-tac-toe", "--file", "/nowhere"], 1, &["/nowhere cannot be read"]);
}

#[test]
fn what_is_wrong_for_every_line_of_a_file_is_refused_once() {
    refused(&["encode", "tic-tac-toe", "--file", "-", "--seat", "9"], 2, &["--seat 9", "0 to 1"]);
    let own = "0 stakes=1/1 cards=Q/? seen-by=0";
    refused(&["encode", "kuhn-poker", "--file", "-", "--position", own, "--seat", "1"], 2, &["only --seat 0"]);
    for command in ["values", "replay", "encode"] {
        refused(&[command, "tic-tac-toe", "--file", "-", "--position", "zz"], 3, &["--position, character 1: `z`"]);
    }
    refused(&["replay", "tic-tac-toe", "--file", "-", "--sheet"], 2, &["--file", "--sheet"]);
    // That nothing solves the game is said of each line.
    let unsolved = run_with(&["values", "jabirs-transmutations", "--file", "-"], "\n\n");
    assert_eq!((unsolved.code, unsolved.out.lines().count()), (0, 2), "{}", unsolved.err);
    assert!(unsolved.out.lines().all(|line| json(line)["error"].is_string()), "{}", unsolved.out);
}

#[test]
fn solving_says_the_value_and_what_it_cost() {
    let solved = json(&output(&["solve", "connect-four:width=4,height=4", "--json"]));
    assert_eq!((&solved["values"], &solved["plies"]), (&json("[0,0]"), &json("16")));
    for number in ["positions", "nodes", "bytes"] {
        assert!(solved[number].as_u64().unwrap() > 0, "{solved}");
    }
    assert!(solved["seconds"].as_f64().unwrap() > 0.0 && solved["method"].is_string(), "{solved}");
    let page = output(&["solve", "tic-tac-toe", "--position", "O2/1X1/3 0"]);
    assert!(page.contains(" positions, ") && page.ends_with(" MiB reserved for tables\n"), "{page}");
    // No search could find out more: it is not tried.
    for time in [&["--time", "10s"][..], &[]] {
        refused(
            &[&["solve", "hex:size=11"], time].concat(),
            1,
            &["was not solved: Hex is solved on boards of up to 8"],
        );
    }
    refused(&["solve", "connect-four:width=8,height=8", "--time", "10ms"], 1, &["was not solved in"]);
    refused(&["solve", "yavalath:players=3", "--memory", "1"], 1, &["was not solved in 1 MiB"]);
}

#[test]
fn what_is_known_without_a_search_has_no_count_of_positions() {
    let cost = |args: &[&str]| output(args).lines().last().unwrap().to_string();
    assert!(cost(&["solve", "hex:size=5"]).starts_with("by table, "));
    assert!(cost(&["solve", "hex:size=4", "--position", "4/4/1B2/4 1"]).starts_with("by table, "));
    // The actions after the swap are searched.
    assert!(cost(&["solve", "hex:size=4,swap=true", "--position", "4/4/1B2/4 1"]).starts_with("by table: "));
    assert!(cost(&["solve", "connect-four"]).starts_with("by table, "));
    assert!(cost(&["solve", "hex:size=4", "--position", "2B1/4/1B2/W3 1"]).starts_with("by search: "));
    assert_eq!(json(&output(&["solve", "hex:size=5", "--json"]))["method"], "table");
}

#[test]
fn negative_numbers_are_refused_with_what_is_allowed() {
    for (args, says) in [
        (&["encode", "tic-tac-toe", "--seat", "-1"][..], "a whole number is wanted, and no negative one"),
        (&["perft", "tic-tac-toe", "2", "--table", "-5"], "-5 is not in 0..=65536"),
        (&["perft", "tic-tac-toe", "-5"], "how many plies, from 0 to 100"),
        (&["trace", "tic-tac-toe", "--seed", "-1"], "and no negative one"),
        (&["balance", "tic-tac-toe", "--threads", "-1"], "-1 is not in 1..=256"),
    ] {
        refused(args, 2, &["invalid value '-", says]);
    }
}

#[test]
fn no_games_are_refused() {
    for command in ["trace", "problems", "balance"] {
        refused(&[command, "tic-tac-toe", "--games", "0"], 2, &["0 is not in 1.."]);
    }
}

#[test]
#[cfg(unix)]
fn progress_is_kept_in_a_regular_file() {
    // A device without end is not read.
    let says = ["/dev/zero cannot be read: it is no regular file"];
    refused(&["lesson", "nim", "--list", "--progress", "/dev/zero"], 1, &says);
}

#[test]
fn problems_are_asked_of_counters_that_there_are() {
    let refused_of = |game: &str, says: &[&str]| refused(&["problems", game, "--lost", "--counter", "foo"], 2, says);
    refused_of("othello:size=4", &["--counter foo: othello:size=4 has no such counter; it has discs"]);
    refused_of("tic-tac-toe", &["--counter foo: tic-tac-toe has no such counter; it has none"]);
}

#[test]
fn a_length_of_time_that_is_none_is_refused_with_examples() {
    for time in ["banana", "5", "5x", "-1s", ""] {
        for command in ["solve", "values", "problems"] {
            for given in [&[&*format!("--time={time}")][..], &["--time", time]] {
                let says = ["--time", "like 20ms, 1.5s, 2m or 1h"];
                refused(&[&[command, "nim"], given].concat(), 2, &says);
            }
        }
        refused(&["strength", "--game", "nim", &format!("--time={time}")], 2, &["--time", "like 20ms or 2s"]);
    }
    for time in ["20000ms", "1.5s", "2m"] {
        output(&["solve", "nim", "--time", time]);
    }
}

#[test]
fn the_line_of_play_ends_as_the_position_is_worth() {
    // The published value: 3 discs to 11, and two empty cells to the winner.
    let solved = json(&output(&["solve", "othello:size=4", "--line", "--json"]));
    assert_eq!((&solved["values"], &solved["score"]), (&json("[-1,1]"), &json("-10")));
    let line: Vec<&str> = solved["line"].as_array().unwrap().iter().map(|action| action.as_str().unwrap()).collect();
    let replayed = output(&["replay", "othello:size=4", &line.join(" "), "--json"]);
    let last = json(replayed.lines().last().unwrap());
    assert_eq!(last["payoffs"], json("[-1,1]"), "{last}");
    let discs = |disc: char| last["position"].as_str().unwrap().chars().filter(|&char| char == disc).count();
    assert_eq!((discs('X'), discs('O')), (3, 11), "{last}");
    // An endless line stops where it would repeat itself.
    let page = output(&["solve", "focus", "--position", "4/6/8/8/3,R,4/8/6/2,B,B 0 reserves=0/0", "--line"]);
    assert!(page.contains("line of play: "), "{page}");
    refused(&["solve", "kuhn-poker", "--line"], 2, &["--line", "something is hidden"]);
}

#[test]
fn values_found_are_shown_where_memory_does_not_suffice_for_what_ties_mean() {
    let args = ["solve", "sim:players=3,nodes=5", "--memory", "1"];
    let people = run(&args);
    assert_eq!(people.code, 0, "{}", people.err);
    let says =
        "whatever seats choose between what is equal to them: not found in the memory given: give it more by --memory";
    assert!(people.out.contains(says) && people.out.contains("Black 0, White +0.5, Blue +0.5"), "{}", people.out);
    let about = json(&run(&[&args[..], &["--json"]].concat()).out);
    assert_eq!((&about["values"], &about["ties"]), (&json("[0, 0.5, 0.5]"), &Value::Null));
    assert!(about.as_object().unwrap().contains_key("ties"));
}

#[test]
fn games_with_secrets_are_solved_by_strategies() {
    let solved = json(&output(&["solve", "kuhn-poker", "--json"]));
    assert!((solved["values"][0].as_f64().unwrap() + 1.0 / 18.0).abs() < 1e-4, "{solved}");
    assert!(
        solved["exploitability"].as_f64().unwrap() < 1e-4 && solved["iterations"].as_u64().unwrap() > 0,
        "{solved}"
    );
    assert_eq!(solved["information_sets"], json("12"));
    assert!(output(&["solve", "kuhn-poker"]).contains("exploitability"));
    refused(&["solve", "poker"], 1, &["poker was not solved"]);
    // What was reached of a solution is none.
    refused(
        &["solve", "kuhn-poker", "--time", "1ms", "--json"],
        1,
        &["kuhn-poker was not solved in", "exploitability"],
    );
    refused(&["solve", "kuhn-poker", "--file", "-"], 2, &["from its start only"]);
}

#[test]
fn the_turn_and_the_river_of_poker_are_solved_range_against_range() {
    let position = "Th9d7c2d2c 0 dealer=1 stacks=80/80 staked=20/20 cards=AsAh/???? seen-by=0";
    let solved = json(&output(&["solve", "poker", "--position", position, "--json"]));
    // What one seat wins the other loses; a thousandth of the pot of 40 at most is left to win.
    let value = |seat: usize| solved["values"][seat].as_f64().unwrap();
    assert!((value(0) + value(1)).abs() < 1e-6 && value(0).abs() < 20.0, "{solved}");
    assert!(solved["exploitability"].as_f64().unwrap() <= 0.04 && solved["iterations"].as_u64().unwrap() > 0);
    assert!(solved["information_sets"].as_u64().unwrap() > 1081, "{solved}");
    let strategy = &solved["strategy"];
    assert_eq!((&strategy["seat"], &strategy["actions"]), (&json("0"), &json(r#"["check","bet","all-in"]"#)));
    assert_eq!((&strategy["hands"][0]["hands"], &strategy["own"]["hands"]), (&json(r#""AA""#), &json(r#""AsAh""#)));
    let shares = strategy["own"]["shares"].as_array().unwrap().iter();
    assert!((shares.map(|share| share.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 1e-6, "{strategy}");

    // What nobody has shown decides nothing, and only a seat's own view shows its hand.
    let with = |cards: &str| {
        let position = position.replace("AsAh/???? seen-by=0", cards);
        json(&output(&[
            "solve",
            "poker",
            "--position",
            &position,
            "--range",
            "QQ+,T9",
            "--range",
            "88+:0.5,AK",
            "--json",
        ]))
    };
    assert_eq!(with("AsAh/KdKc"), with("3s4h/QdQc"));
    let page = output(&["solve", "poker", "--position", position]);
    assert!(
        page.contains("exploitability") && page.contains("with AsAh:") && page.contains("\n  AA   check"),
        "{page}"
    );

    let line = run_with(&["solve", "poker", "--file", "-"], format!("{position}\nnonsense\n"));
    let lines: Vec<&str> = line.out.lines().collect();
    assert_eq!(json(lines[0])["values"], solved["values"]);
    assert!(json(lines[1])["error"].is_string(), "{}", lines[1]);
    refused(&["solve", "poker", "--position", position, "--range", "any"], 2, &["--range: two ranges are needed"]);
    refused(
        &["solve", "poker", "--position", position, "--range", "AA", "--range", "x"],
        2,
        &["--range: `x` is not a range"],
    );
    refused(&["solve", "poker", "--range", "AA", "--range", "KK"], 2, &["--position"]);
    refused(&["solve", "hex", "--range", "AA"], 2, &["nothing is hidden"]);
    let flop = "Th9d7c 0 dealer=1 stacks=80/80 staked=20/20 cards=AsAh/???? seen-by=0";
    refused(&["solve", "poker", "--position", flop], 1, &["four community cards or five"]);
}

#[test]
fn what_answers_an_all_in_of_fewer_chips_is_worth_what_the_cards_are() {
    let position = "Th9d7c2d2c 0 dealer=1 stacks=100/0 staked=20/80 bets=0/60 cards=4h3s/???? seen-by=0";
    let args = ["solve", "poker", "--position", position, "--range", "4h3s", "--range", "KdKc", "--json"];
    let solved = json(&output(&args));
    assert_eq!(solved["strategy"]["actions"], json(r#"["fold","call","raise","all-in"]"#));
    let worth: Vec<f64> = serde_json::from_value(solved["strategy"]["own"]["worth"].clone()).unwrap();
    let expected = [0.0, -60.0, -60.0, -60.0];
    assert!(worth.iter().zip(expected).all(|(worth, expected)| (worth - expected).abs() < 1e-3), "{worth:?}");
    assert!(solved["values"][0].as_f64().unwrap().abs() < 0.2, "{solved}");
}

#[test]
fn strategies_that_can_still_be_exploited_are_no_solution() {
    // Some hundred iterations are needed. The time is enough for a few, on a slow machine with other work too.
    let position = "Th9d7c2d 0 dealer=1 stacks=80/80 staked=20/20 cards=AsAh/???? seen-by=0";
    let ranges = ["--range", "22+,A2+", "--range", "33+,A5+,KT+"];
    let solve = ["solve", "poker", "--time", "6s"];
    let said = ["poker was not solved in", "an exploitability of", "it is solved at 4.0e-2"];
    refused(&[&solve[..], &["--position", position], &ranges].concat(), 1, &said);
    let line = run_with(&[&solve[..], &["--file", "-"], &ranges].concat(), format!("{position}\n"));
    let error = json(&line.out)["error"].as_str().map(str::to_string);
    assert!(said.iter().all(|said| error.as_ref().is_some_and(|error| error.contains(said))), "{}", line.out);
}

#[test]
fn score_sheets_are_read_wherever_histories_are() {
    let (sheet, history) = ("1. b2 a1  2. c1", "b2 a1 c1");
    for command in ["replay", "encode", "values"] {
        let said = |plies: &str| output(&[command, "tic-tac-toe", plies, "--json"]);
        assert_eq!(said(sheet), said(history), "{command}");
        let line = run_with(&[command, "tic-tac-toe", "--file", "-"], format!("{sheet}\n"));
        assert_eq!(json(&line.out), json(&said(history)), "{command}");
    }
    let counted =
        |plies: &str| output(&["perft", "tic-tac-toe", "2", "--after", plies]).lines().next().map(String::from);
    assert_eq!(counted(sheet), counted(history));
    refused(&["values", "tic-tac-toe", "1. b2 a1 3. c1"], 3, &["3."]);
}

#[test]
fn sheets_are_printed_as_a_page_or_into_a_file() {
    let list = output(&["print", "al-jabar", "--list"]);
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ids, ["rules", "board", "sums", "makers"]);
    let page = output(&["print", "al-jabar:group=3/3", "--what", "sums"]);
    assert!(page.starts_with("<!doctype html>") && page.contains("id=\"sums\"") && !page.contains("id=\"rules\""));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hex.html");
    assert_eq!(output(&["print", "hex:size=4", "--what", "board,rules", "--html", file.to_str().unwrap()]), "");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("id=\"board\"") && written.ends_with("</html>\n"));
    refused(
        &["print", "hex", "--what", "sums"],
        2,
        &["--what: there is no sheet `sums` of hex; its sheets are rules, board"],
    );
    // A link stays one, and what is no plain file is written to as it is.
    #[cfg(unix)]
    {
        let link = folder.path().join("link.html");
        for to in ["hex.html", "new.html"] {
            std::os::unix::fs::symlink(to, &link).unwrap();
            output(&["print", "hex:size=3", "--what", "board", "--html", link.to_str().unwrap()]);
            assert!(
                link.is_symlink() && std::fs::read_to_string(folder.path().join(to)).unwrap().contains("hex:size=3")
            );
            std::fs::remove_file(&link).unwrap();
        }
        assert!(output(&["print", "hex", "--html", "/dev/stdout"]).starts_with("<!doctype html>"));
    }
    let nowhere = folder.path().join("no/such/folder.html");
    refused(&["print", "hex", "--html", nowhere.to_str().unwrap()], 1, &["folder.html cannot be written"]);
}

#[test]
fn a_drill_counts_what_is_right() {
    let game = raichi_games::game("al-jabar").unwrap();
    let exercises: Vec<_> = (0..3).map(|number| game.exercise(7, number).unwrap()).collect();
    let key = |i: usize, by: usize| exercises[i].answers[(exercises[i].right + by) % 8].key.clone();
    let typed = format!("{}\nmaroon\nstep\nstep\n{}\n{}\n", key(0, 0), key(1, 3), key(2, 0).to_lowercase());
    let drilled = run_with(&["drill", "al-jabar", "--seed", "7", "--number", "3", "--seconds", "3600"], typed);
    assert_eq!(drilled.code, 0, "{}", drilled.err);
    assert!(drilled.out.contains("2 of 3 right in"), "{}", drilled.out);
    assert!(drilled.out.contains("`maroon` is no answer; the answers are R, Y, B"), "{}", drilled.out);
    assert!(drilled.out.contains(&format!("No: {}.", exercises[1].because)), "{}", drilled.out);
    assert!(exercises[1].steps[..2].iter().all(|step| drilled.out.contains(step)), "{}", drilled.out);
    assert!(!drilled.out.contains(&exercises[1].steps[3]), "{}", drilled.out);
    refused(&["drill", "hex"], 2, &["there is no drill of hex; al-jabar has one"]);
}
