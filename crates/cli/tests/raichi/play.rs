//! Games in the terminal, played by a script through standard input.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::running::{raichi, refused, run, run_with};
use raichi_core::record::Record;

fn record(path: &str) -> Record {
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    Record::from_line(&text, 1).unwrap()
}

#[test]
fn two_people_play_to_the_end() {
    let args = ["play", "tic-tac-toe", "--seat", "human:name=Ann", "--seat", "human:name=Bob", "--seed", "5"];
    let game = run_with(&args, "b2\na1\nc1\na3\na2\nc2\nb1\nb3\nc3\n");
    assert_eq!((game.code, game.err.as_str()), (0, ""));
    assert!(game.out.contains("Ann (X)> b2\nX: b2\n\n1  . . .\n2  .[X].\n3  . . .\n"), "{}", game.out);
    assert!(
        game.out.contains("\n1  O X X\n2  X X O\n3  O O[X]\n   a b c\n\nA draw: the board is full.\nX 0, O 0\n"),
        "{}",
        game.out
    );
    assert!(game.out.ends_with("9 plies, seed 5\n"), "{}", game.out);
    assert!(!game.out.contains("Pass the keyboard"), "there are no secrets in this game");
}

#[test]
fn a_person_meets_an_engine_until_one_wins() {
    // Whatever the engine does, taking the first cell listed fills the board in the end.
    let mut child = raichi(&["play", "tic-tac-toe", "--seat", "random", "--seat", "human", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut all = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(legal) = line.strip_prefix("O may play ") {
            writeln!(stdin, "{}", legal.split(' ').next().unwrap()).unwrap();
        }
        all += &line;
        all += "\n";
    }
    assert!(child.wait().unwrap().success());
    let ends = ["X wins: three in a row.", "You win: three in a row.", "A draw: the board is full."];
    assert!(ends.iter().any(|end| all.contains(end)), "{all}");
}

#[test]
fn engines_play_for_whoever_watches() {
    let game = run(&["play", "tic-tac-toe", "--seat", "random", "--seat", "random", "--seed", "1"]);
    assert_eq!(game.code, 0, "{}", game.err);
    assert!(game.out.contains("X: ") && game.out.contains("O: "), "{}", game.out);
    assert!(!game.out.contains('>'), "nobody is asked");
    assert_eq!(game.out, run(&["play", "tic-tac-toe", "--seat", "random", "--seat", "random", "--seed", "1"]).out);
}

#[test]
fn mistakes_are_explained_and_commands_obeyed() {
    let lines = "z9\nb2\nhint\nhistory\nlegal\nboard\nrules\nhelp\n/jump\nundo 5\nundo 2\n/legal\nb2\nundo\n\nquit\n";
    let args = ["play", "tic-tac-toe", "--seat", "human", "--seat", "human"];
    let game = run_with(&args, lines);
    assert_eq!(game.code, 0, "{}", game.err);
    for says in [
        "✗ `z9` is not understood; expected a cell from a1 to c3",
        "would play ",
        "O> history\n1. b2\n",
        "O> legal\na1  a2  a3  b1  b3  c1  c2  c3\n",
        "Put your mark on an empty cell",
        "take back your last action",
        "✗ there is no command `jump`",
        "✗ you have not acted yet",
        "Left after ",
    ] {
        let flat = game.out.replace("On your turn put", "Put");
        assert!(flat.contains(says), "{says}: {}", game.out);
    }
}

#[test]
fn undo_takes_back_ones_own_action_and_what_followed() {
    let game = run_with(
        &["play", "tic-tac-toe", "--seat", "human", "--seat", "human"],
        "b2\na1\nundo\nhistory\na3\nundo\nundo\n",
    );
    assert!(game.out.contains("X> undo\nBack to ply 0.\n"), "{}", game.out);
    assert!(game.out.contains("X> history\nnothing yet\n"), "{}", game.out);
    assert!(game.out.contains("O> undo\n✗ you have not acted yet\n"), "{}", game.out);
}

#[test]
fn whoever_resigns_loses() {
    let game = run_with(&["play", "tic-tac-toe", "--seat", "human", "--seat", "human"], "b2\nresign\n");
    assert!(game.out.contains("X wins: O resigned.\nX +1, O −1\n"), "{}", game.out);
}

#[test]
fn a_game_is_saved_after_every_ply_and_goes_on_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let path = path.to_str().unwrap();
    let mut child = raichi(&["play", "tic-tac-toe", "--seat", "human:name=Ann", "--seat", "human", "--save", path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"b2\na1\nc3\n").unwrap();
    // Once the third ply is shown, all three are on disk.
    let shown = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(shown.into_iter().any(|line| line == "X: c3"));
    child.kill().unwrap();
    child.wait().unwrap();
    let saved = record(path);
    assert_eq!(
        (saved.history().as_str(), saved.seats.as_slice()),
        ("b2 a1 c3", &["Ann".to_string(), "human".into()][..])
    );
    assert_eq!(saved.result, None);

    let rest = run_with(&["play", "--resume", path], "a2\na3\nc1\n");
    assert!(rest.out.contains("Ann (X)> a3"), "{}", rest.out);
    assert_eq!(record(path).history(), "b2 a1 c3 a2 a3 c1");
    let end = run_with(&["play", "tic-tac-toe", "--resume", path], "b1\nb3\nc2\n");
    assert!(end.out.contains("A draw: the board is full."), "{}", end.out);
    let finished = record(path).result.expect("the game is over");
    assert_eq!(finished.payoffs.len(), 2);
    let again = run(&["play", "--resume", path]);
    assert!(again.code == 0 && again.out.contains(&finished.end), "{}", again.out);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
}

#[test]
fn a_game_that_goes_on_in_another_file_is_written_there_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (old, new) = (at("a.json"), at("b.json"));
    let begun = ["play", "tic-tac-toe", "--seat", "human", "--seat", "human", "--seed", "5", "--save", &old];
    assert_eq!(run_with(&begun, "b2\na1\nquit\n").code, 0);
    let before = std::fs::read_to_string(&old).unwrap();

    let left = run_with(&["play", "--resume", &old, "--save", &new], "quit\n");
    assert!(left.code == 0 && left.out.contains(&format!("Go on with: raichi play --resume {new}")), "{}", left.out);
    assert_eq!(record(&new).history(), "b2 a1");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), before);

    // What is there is not replaced, by whatever name.
    let there = ["play", "--resume", &old, "--save", &new];
    refused(&there, 2, &["there is such a file", &format!("--resume {new}")]);
    let nowhere = at("no/such.json");
    refused(&["play", "--resume", &old, "--save", &nowhere], 1, &["such.json cannot be written"]);
    // The same file by another name is the one that the game is in.
    let same = folder.path().join("..").join(folder.path().file_name().unwrap()).join("a.json");
    let on = run_with(&["play", "--resume", &old, "--save", same.to_str().unwrap()], "c3\nquit\n");
    assert_eq!((on.code, record(&old).history().as_str()), (0, "b2 a1 c3"), "{}", on.err);
}

#[test]
fn the_cube_is_not_said_to_be_solved_in_more_twists_than_are_left() {
    // The plan of the first hint, four twists, is of the same cube as three twists later.
    let limit = ["play", "rubiks-cube:size=2,scramble=0,limit=4", "--position", "R U F R"];
    let game = run_with(&limit, "hint\nR'\nU\nU'\nhint\nquit\n");
    let hints: Vec<&str> = game.out.lines().filter(|line| line.contains("  expects ")).collect();
    assert_eq!(hints.len(), 2, "{}", game.out);
    assert!(hints[0].contains("expects −4 (proven)"), "{}", game.out);
    assert!(hints[1].contains("expects −5"), "one twist is left, and three are needed: {}", game.out);
}

#[test]
fn a_game_from_a_position_is_saved_with_it_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let path = path.to_str().unwrap();
    let seats = ["--seat", "human", "--seat", "human", "--save", path];
    let begun = run_with(
        &[&["play", "tic-tac-toe", "--position", "X1O/3/2X 1"][..], &seats].concat(),
        "b2\na2\nundo\nb2\na2\n",
    );
    assert_eq!((begun.code, begun.err.as_str()), (0, ""));
    assert!(begun.out.contains("1  X . O\n2  . . .\n3  . . X\n"), "{}", begun.out);
    assert!(begun.out.contains("Back to ply 0.") && begun.out.contains("Left after 2 plies"), "{}", begun.out);
    let saved = record(path);
    assert_eq!((saved.position.as_deref(), saved.history().as_str()), (Some("X1O/3/2X 1"), "b2 a2"));

    let rest = run_with(&["play", "--resume", path], "history\n");
    assert!(rest.out.contains("1  X . O\n2 [X]O .\n3  . . X\n"), "{}", rest.out);
    let end = run_with(&["play", "--resume", path], "a3\n");
    assert!(end.out.contains("O wins: three in a row."), "a line with the position's mark: {}", end.out);
    let finished = record(path);
    assert_eq!(
        (finished.position.as_deref(), finished.result.map(|result| result.payoffs)),
        (Some("X1O/3/2X 1"), Some(vec![-1.0, 1.0]))
    );
    refused(&["play", "--resume", path, "--position", "3/3/3 0"], 2, &["--position", "--resume"]);
    let over = ["play", "tic-tac-toe", "--position", "XXX/OO1/3 1"];
    refused(&over, 2, &["--position: the game is over in this position"]);
}

#[test]
fn what_a_position_hides_is_drawn_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let path = path.to_str().unwrap();
    let dealt = run(&["trace", "poker", "--seed", "3"]).out;
    let dealt = dealt.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let dealt: Vec<String> = dealt
        .take_while(|line| line["to_act"] == "chance")
        .map(|line| line["played"].as_str().unwrap().into())
        .collect();
    let shown = run(&["replay", "poker", &dealt.join(" "), "--viewer", "0", "--json"]).out;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let own = shown["position"].as_str().unwrap();
    let game = run_with(&["play", "poker", "--position", own, "--seat", "human", "--save", path], "quit\n");
    assert_eq!(game.code, 0, "{}", game.err);
    let position = record(path).position.expect("the game began with a position");
    assert!(own.contains('?') && !position.contains('?'), "{own}; {position}");
}

#[test]
fn files_that_hold_no_game_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let start = r#"{"version":1,"game":"tic-tac-toe","seats":["human","human"],"seed":"07","#;
    let eleven = r#"{"payoffs":[0,0,0,0,0,0,0,0,0,0,0],"end":"resigned"}"#;
    for (name, text, code, says) in [
        ("empty", String::new(), 3, "there is no record in this file"),
        ("garbage", "hello".into(), 3, "line 1 is not a record"),
        ("later", format!("{start}\"plies\":[],\"program\":\"x\"}}").replace(":1,", ":9,"), 3, "format version 9"),
        ("illegal", format!(r#"{start}"plies":[{{"text":"b2"}},{{"text":"b2"}}],"program":"x"}}"#), 3, "ply 2 (`b2`)"),
        ("unknown", format!("{start}\"plies\":[],\"program\":\"x\"}}").replace("tic-", "tac-"), 3, "there is no game"),
        ("seats", format!("{start}\"plies\":[],\"program\":\"x\"}}").replace("\"human\",", ""), 3, "1 seats"),
        ("pair", format!(r#"{start}"plies":[{{"text":"b2 a1"}}],"program":"x"}}"#), 3, "ply 1 (`b2 a1`)"),
        ("blank", format!(r#"{start}"plies":[{{"text":""}}],"program":"x"}}"#), 3, "ply 1 (``)"),
        ("payoffs", format!("{start}\"plies\":[],\"result\":{eleven},\"program\":\"x\"}}"), 3, "11 payoffs"),
        ("seed", format!("{start}\"plies\":[],\"program\":\"x\"}}").replace("07", "+7"), 3, "its seed is `+7`"),
    ] {
        let path = file(name, &text);
        refused(&["play", "--resume", &path], code, &[&path, says]);
    }
    refused(&["play", "--resume", "/nowhere/game"], 1, &["/nowhere/game cannot be read"]);
    let path = file("there", "x");
    refused(&["play", "tic-tac-toe", "--save", &path], 2, &["there is such a file", "--resume"]);
    refused(&["play", "tic-tac-toe", "--save", folder.path().to_str().unwrap()], 2, &["that is a folder"]);
    let nowhere = run(&["play", "tic-tac-toe", "--save", "/nowhere/game"]);
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.err.starts_with("error: /nowhere/game cannot be written: "), "{}", nowhere.err);
    assert!(!nowhere.err.contains(".tmp"), "no temporary file is named: {}", nowhere.err);
}

#[test]
fn seats_that_nobody_can_take_are_refused() {
    refused(&["play"], 2, &["GAME"]);
    refused(&["play", "tic-tac-toe", "--seat", "robot"], 2, &["robot", "the agents are", "human:name=Ann"]);
    refused(&["play", "tic-tac-toe", "--seat", "human:Ann"], 2, &["human:name="]);
    refused(&["play", "tic-tac-toe", "--seat", "human:name="], 2, &["1 to 40 characters"]);
    refused(&["play", "tic-tac-toe", "--seat", "human:name=random"], 2, &["`random` is an agent"]);
    refused(
        &["play", "tic-tac-toe", "--seat", "human", "--seat", "human", "--seat", "human"],
        2,
        &["3 times", "2 seats"],
    );
    refused(&["play", "tic-tac-toe", "--seed", "x"], 2, &["--seed"]);
}

#[test]
fn noise_on_the_keyboard_is_harmless() {
    let mut noise = Vec::new();
    for byte in 0..=255u8 {
        noise.extend([byte, b'x', byte, b'\n']);
    }
    noise.extend("\u{202e}é✗ \n".repeat(20).bytes());
    noise.extend([b'a'; 100_000]);
    let game = run_with(&["play", "tic-tac-toe", "--seat", "human", "--seat", "human"], noise);
    assert_eq!((game.code, game.err.as_str()), (0, ""));
}

#[test]
fn people_at_one_keyboard_see_their_own_hands_only() {
    let seats = ["--seat", "human:name=Ann", "--seat", "human:name=Bob", "--seat", "random", "--seed", "3"];
    let args = [&["play", "poker:players=3"][..], &seats].concat();
    let game = run_with(&args, "\ncall\n\nundo\ncall\n\nquit\n");
    assert_eq!(game.code, 0, "{}", game.err);
    // The screen is cleared before the keyboard is passed on, and again once it has been.
    let screens: Vec<&str> = game.out.split("────────\n").collect();
    let hands = |screen: &str, seat: &str| {
        let line = screen.lines().find(|line| line.contains(seat) && line.contains("  ") && line.len() > 30);
        line.map(|line| line.split_whitespace().rev().take(2).map(String::from).collect::<Vec<_>>())
    };
    let covered = Some(vec!["??".to_string(); 2]);
    let mut turns = 0;
    for screen in screens.iter().filter(|screen| screen.contains("Board:")) {
        let (own, other) =
            if screen.contains("Ann (Player 1)> ") { ("Player 1 ", "Player 2 ") } else { ("Player 2 ", "Player 1 ") };
        assert_ne!(hands(screen, own), covered, "{screen}");
        assert_eq!(hands(screen, other), covered, "{screen}");
        assert_eq!(hands(screen, "Player 3 "), covered, "{screen}");
        turns += 1;
    }
    assert!(turns >= 2, "{}", game.out);
    assert!(game.out.contains("Pass the keyboard to Bob (Player 2).\nBob (Player 2), press Enter: "), "{}", game.out);
    assert!(game.out.contains("✗ nothing is taken back where people have secrets"), "{}", game.out);
}

#[test]
fn seats_that_act_at_the_same_time_choose_one_after_the_other() {
    let seats = ["--seat", "random", "--seat", "human", "--seat", "random", "--seed", "1"];
    let args = [&["play", "jabirs-transmutations"][..], &seats].concat();
    // A history writes the seat before such an action; here one may, and need not.
    let game = run_with(&args, "1:draft-fire\ndraft-gold\ndraft-water\nhistory\nquit\n");
    assert_eq!(game.code, 0, "{}", game.err);
    assert!(
        game.out.contains("Blue: ?\n") && game.out.contains("Red: ?\n"),
        "the others' picks are hidden: {}",
        game.out
    );
    assert!(game.out.contains("✗ `draft-gold` is not understood"), "{}", game.out);
    assert!(game.out.contains("1:draft-fire") && game.out.contains("0:?"), "{}", game.out);
}

#[test]
fn chance_is_the_same_again_after_an_undo() {
    let game = run_with(&["play", "2048", "--seed", "4"], "left\nundo\nleft\nundo\nright\nquit\n");
    let chance: Vec<&str> = game.out.lines().filter(|line| line.starts_with("chance: ")).collect();
    assert!(chance.len() >= 3 && chance[1] == chance[2], "{}", game.out);
}
