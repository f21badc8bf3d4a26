//! `raichi match`, `raichi tournament` and `raichi strength`: what they print, keep, go on with and refuse.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::running::{output, raichi, refused, run};

fn last_line(text: &str) -> Value {
    serde_json::from_str(text.lines().last().expect("there is a line")).expect("the last line is JSON")
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a temporary path is text").into()
}

#[test]
fn a_match_is_summed_up_in_text_and_in_a_last_line() {
    let args = ["match", "mcts:sims=40", "random", "--game", "connect-four:width=5,height=4", "--games", "20"];
    let text = output(&args);
    assert!(text.starts_with("connect-four:width=5,height=4, 20 games in 10 rounds, seed 0\n"), "{text}");
    let json = output(&[&args[..], &["--json"]].concat());
    let line = json.lines().last().unwrap();
    assert!(line.starts_with("{\"agents\":[{\"spec\":\"mcts:sims=40\",\"games\":20,\"points\":"), "{line}");
    let agents = last_line(&json)["agents"].as_array().unwrap().clone();
    assert_eq!(agents.len(), 2);
    let keys: Vec<&String> = agents[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["elo", "games", "interval", "points", "spec"]);
    let number = |agent: usize, key: &str| agents[agent][key].as_f64().unwrap();
    assert_eq!(number(0, "points") + number(1, "points"), 20.0);
    assert!(number(0, "elo") > 100.0 && number(1, "elo") == 0.0, "{line}");
    let low = agents[0]["interval"][0].as_f64().unwrap();
    assert!(low < number(0, "elo"), "{line}");
    // Elo is that of the points, wherever it is finite.
    let mean = number(0, "points") / 20.0;
    if mean < 1.0 {
        assert!((number(0, "elo") - 400.0 * (mean / (1.0 - mean)).log10()).abs() < 1e-6, "{line}");
    }
}

#[test]
fn games_of_one_seat_have_points_and_no_elo() {
    let json = output(&["match", "random", "mcts:sims=1", "--game", "2048:max-plies=50", "--games", "6", "--json"]);
    for agent in last_line(&json)["agents"].as_array().unwrap() {
        assert_eq!((agent["games"].as_u64(), &agent["elo"], &agent["interval"]), (Some(3), &Value::Null, &Value::Null));
        assert!(agent["points"].as_f64().unwrap() > 10.0, "{json}");
    }
}

#[test]
fn a_balance_sheet_says_which_games_it_has_seen_before_and_begins_with_openings() {
    let sheet = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    // There is one game only.
    let same = run(&["balance", "nim:heaps=1,size=1", "--agent", "random", "--games", "20", "--json"]);
    assert_eq!((same.code, &sheet(&same.out)["n_repeated"]), (0, &19.into()));
    assert!(same.err.starts_with("note: 19 of the 20 games repeat an earlier one; --openings"), "{}", same.err);
    let args = ["balance", "tic-tac-toe", "--agent", "random", "--games", "20", "--json"];
    assert_eq!(run(&args).err, "");
    let folder = tempfile::tempdir().unwrap();
    let list = path(folder.path(), "openings");
    // One cell is left, and two ways lead there.
    fs::write(&list, "a1 b1 c1 b2 a2 c2 b3 a3\nc1 b1 a1 b2 a2 c2 b3 a3\n").unwrap();
    let begun = run(&[&args[..], &["--openings", &list]].concat());
    assert_eq!((&sheet(&begun.out)["n_repeated"], &sheet(&begun.out)["length"]["mean"]), (&18.into(), &9.0.into()));
    fs::write(&list, "b2 b2\n").unwrap();
    refused(&[&args[..], &["--openings", &list]].concat(), 3, &["line 1", "`b2 b2` is no history of tic-tac-toe"]);
    refused(&[&args[..], &["--openings", "9"]].concat(), 2, &["9 random plies always end the game"]);
}

#[test]
fn any_number_of_agents_and_seats() {
    // Fewer agents than seats, as many, more.
    for (agents, games, seats_held) in [(1, 2, 6), (2, 6, 9), (3, 6, 6), (4, 24, 18)] {
        let specs: Vec<String> = (1..=agents).map(|n| format!("mcts:sims={n}")).collect();
        let games_text = games.to_string();
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        let args = [&["match"], &specs[..], &["--game", "nim3p", "--games", &games_text, "--json"]].concat();
        let run = run(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        let summary = last_line(&run.out);
        for agent in summary["agents"].as_array().unwrap() {
            assert_eq!(agent["games"].as_u64(), Some(seats_held), "{agents} agents: {summary}");
        }
    }
}

#[test]
fn the_same_records_from_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["1", "2"].map(|threads| {
        let file = path(folder.path(), threads);
        let args = ["match", "mcts:sims=9", "random", "--game", "hex:size=4", "--games", "12", "--openings", "2"];
        output(&[&args[..], &["--seed", "5", "--threads", threads, "--out", &file]].concat());
        fs::read_to_string(file).unwrap()
    });
    assert_eq!(files[0].lines().count(), 12);
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_killed_match_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, whole) = (path(folder.path(), "killed"), path(folder.path(), "whole"));
    let args =
        ["match", "mcts:sims=300", "mcts:sims=200", "--game", "othello:size=6", "--games", "24", "--threads", "2"];
    let args = |file| [&args[..], &["--json", "--out", file]].concat();
    let mut child = raichi(&args(&killed)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    // SIGKILL once there is something, and before all is there.
    while fs::metadata(&killed).map_or(0, |file| file.len()) == 0 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(&killed).unwrap();
    let uninterrupted = output(&args(&whole));
    let resumed = output(&args(&killed));
    assert_eq!(last_line(&resumed), last_line(&uninterrupted));
    let after = fs::read_to_string(&killed).unwrap();
    assert_eq!(after, fs::read_to_string(&whole).unwrap());
    assert!(after.starts_with(before.rsplit_once('\n').map_or("", |(whole, _)| whole)));
    // Once more: nothing is played.
    assert_eq!(last_line(&output(&args(&killed))), last_line(&uninterrupted));
    refused(&[&args(&killed)[..], &["--seed", "1"]].concat(), 3, &["line 1", "the seed", "not this command's"]);
    assert_eq!(fs::read_to_string(&killed).unwrap(), after);
}

#[test]
fn records_can_be_replayed_and_begin_with_their_openings() {
    let folder = tempfile::tempdir().unwrap();
    let (list, file) = (path(folder.path(), "openings"), path(folder.path(), "records"));
    fs::write(&list, "# two of them\nb2 a1\nX1O/3/2X 1\n").unwrap();
    let args = ["match", "random", "mcts:sims=3", "--game", "tic-tac-toe", "--games", "8"];
    output(&[&args[..], &["--openings", &list, "--out", &file]].concat());
    let records: Vec<Value> =
        fs::read_to_string(&file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (i, record) in records.iter().enumerate() {
        assert_eq!(record["version"], 2);
        if i / 2 % 2 == 0 {
            assert_eq!((&record["plies"][0]["text"], &record["plies"][1]["text"]), (&"b2".into(), &"a1".into()));
        } else {
            assert_eq!(record["position"], "X1O/3/2X 1");
        }
        let seats = &record["seats"];
        assert_eq!(seats[i % 2], "random", "every opening is played from both sides");
    }
    fs::write(&list, "b2 b2\n").unwrap();
    refused(&[&args[..], &["--openings", &list]].concat(), 3, &["line 1", "`b2 b2` is no history of tic-tac-toe"]);
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let args = ["match", "mcts:sims=60", "random", "--game", "tic-tac-toe", "--games", "4000", "--openings", "1"];
    let text = output(&[&args[..], &["--elo0", "0", "--elo1", "100"]].concat());
    assert!(text.contains("accepted: better by 100 Elo rather than by 0"), "{text}");
    let games: u64 = text.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(games < 400 && games.is_multiple_of(2), "{text}");
    assert!(text.contains("The test ended the games"), "{text}");
    let open = output(&[&args[..6], &["4", "--elo0", "0", "--elo1", "5"]].concat());
    assert!(open.contains("not decided") && !open.contains("The test ended the games"), "{open}");
    refused(&[&args[..], &["--elo0", "5", "--elo1", "5"]].concat(), 2, &["the first must be less"]);
    refused(
        &["match", "random", "--game", "nim", "--elo0", "0", "--elo1", "5"],
        2,
        &["two agents", "1 agent is named and nim has 2 seats"],
    );
}

#[test]
fn wrong_matches_are_refused_with_what_is_allowed() {
    refused(&["match", "random", "nobody", "--game", "nim"], 2, &["there is no agent `nobody`; the agents are"]);
    refused(&["match", "random", "--game", "chess"], 2, &["there is no game `chess`"]);
    refused(&["match", "--game", "nim"], 2, &["<AGENT>"]);
    refused(&["match", "random"], 2, &["--game"]);
    refused(&["match", "random", "--game", "nim", "--games", "0"], 2, &["--games"]);
    refused(
        &["match", "random", "--game", "tic-tac-toe", "--openings", "9"],
        2,
        &["9 random plies always end the game"],
    );
    refused(&["match", "random", "--game", "nim", "--openings", "no-such-file"], 1, &["no-such-file cannot be read"]);
    refused(&["match", "random", "--game", "nim", "--out", "/"], 1, &["/ cannot be opened"]);
    refused(&["match", "random", "--game", "nim", "--elo0", "1"], 2, &["--elo1"]);
}

#[test]
fn a_tournament_is_written_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path(folder.path(), name);
    let (field, csv, html, out) = (file("field"), file("csv"), file("html"), file("out"));
    fs::write(&field, "\u{feff}# the strong one\nmcts:sims=30\n\nmcts:sims=3\n").unwrap();
    let args =
        ["tournament", "random", "--agents", &field, "--game", "tic-tac-toe", "--game", "nim3p", "--openings", "1"];
    let args = [&args[..], &["--games", "4", "--csv", &csv, "--html", &html, "--out", &out]].concat();
    let text = output(&args);
    for says in ["tic-tac-toe, 12 games", "nim3p, 6 games", "all games", "Glicko-2", "rows against columns", "by seat:"]
    {
        assert!(text.contains(says), "{says}: {text}");
    }
    let csv = fs::read_to_string(&csv).unwrap();
    let n_lines = |table: &str| csv.lines().filter(|line| line.starts_with(&format!("{table},"))).count();
    assert_eq!(["table", "agents", "pairs", "seats", "overall"].map(n_lines), [1, 6, 12, 15, 3], "{csv}");
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("class=\"heat\"") && page.matches("class=\"stepper\"").count() == 2);
    assert!(page.contains("12 games to step through, all that were played."));
    let again = output(&[&args[..], &["--json"]].concat());
    let summary = last_line(&again);
    let specs: Vec<&str> = summary["agents"].as_array().unwrap().iter().map(|a| a["spec"].as_str().unwrap()).collect();
    assert_eq!(specs, ["random", "mcts:sims=30", "mcts:sims=3"]);
    assert_eq!(summary["agents"][0]["games"], 8 + 6);
    assert!(summary["agents"][1]["elo"].as_f64() > summary["agents"][0]["elo"].as_f64(), "{summary}");
    let details: Value = serde_json::from_str(again.lines().next().unwrap()).unwrap();
    assert_eq!(details["tournament"]["games"].as_array().unwrap().len(), 2);
    for format in ["double", "knock-out", "swiss"] {
        let args =
            ["tournament", "random", "mcts:sims=9", "mcts:sims=3", "--game", "nim", "--format", format, "--json"];
        let run = run(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(last_line(&run.out)["agents"].as_array().unwrap().len(), 3);
        let details: Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
        let game = &details["tournament"]["games"][0];
        assert!(format != "knock-out" || game["winner"].is_u64(), "{details}");
        assert_eq!(game["scores"].as_array().unwrap().len(), if format == "swiss" { 3 } else { 0 });
        assert_eq!(game["stages"].as_array().unwrap().len(), if format == "double" { 0 } else { 2 });
        let text = output(&args[..args.len() - 1]);
        assert_eq!(text.contains("winner: "), format != "double", "{text}");
    }
}

#[test]
fn wrong_tournaments_are_refused() {
    refused(&["tournament", "random", "--game", "nim"], 2, &["two agents at least, and here are 1"]);
    refused(&["tournament", "random", "random", "--game", "nim"], 2, &["random is named twice"]);
    refused(&["tournament", "random", "mcts", "--game", "nim", "--game", "nim"], 2, &["--game nim: it is named twice"]);
    refused(&["tournament", "random", "mcts", "--game", "nim", "--format", "ladder"], 2, &["round-robin", "swiss"]);
    refused(&["tournament", "--agents", "no-such-file", "--game", "nim"], 1, &["no-such-file cannot be read"]);
    let folder = tempfile::tempdir().unwrap();
    let field = path(folder.path(), "field");
    let args = ["tournament", "mcts:sims=9", "--agents", &field, "--game", "nim", "--game", "black"];
    for (lines, says) in [
        ("# the field\nrandom\n\nmcts:sims=x\n", &["field: line 4: `mcts:sims=x`: ", "whole number"][..]),
        ("random\nmctz\n", &["field: line 2: `mctz`: "]),
        // It plays only one of the games.
        ("random\nmirror\n", &["field: line 2: `mirror`: "]),
        ("random\n# again\nmcts:sims=9\n", &["field: line 3: mcts:sims=9 is named twice"]),
    ] {
        fs::write(&field, lines).unwrap();
        refused(&args, 2, says);
    }
    // What stands on the command line is in no file.
    fs::write(&field, "mctz\n").unwrap();
    let wrong = run(&["tournament", "mcts:sims=x", "--agents", &field, "--game", "nim"]);
    assert!(wrong.code == 2 && wrong.err.contains("whole number") && !wrong.err.contains("line"), "{}", wrong.err);
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, out) = (path(folder.path(), "missing/file"), path(folder.path(), "out"));
    let tournament = ["tournament", "random", "mcts:sims=2", "--game", "tic-tac-toe", "--out", &out];
    for option in ["--csv", "--html"] {
        refused(&[&tournament[..], &[option, &missing]].concat(), 1, &["missing/file cannot be written"]);
        refused(&[&tournament[..], &[option, folder.path().to_str().unwrap()]].concat(), 1, &["cannot be written"]);
        assert!(!Path::new(&out).exists(), "nothing was played");
    }
    let balance = ["balance", "tic-tac-toe", "--games", "1000000", "--agent", "random"];
    refused(&[&balance[..], &["--html", &missing]].concat(), 1, &["missing/file cannot be written"]);
    // A command that is refused for something else leaves a file as it was, and none where none was.
    let (kept, new) = (path(folder.path(), "kept"), path(folder.path(), "new"));
    fs::write(&kept, "something").unwrap();
    output(&["balance", "tic-tac-toe", "--games", "3", "--agent", "random", "--html", &new]);
    assert!(fs::read_to_string(&new).unwrap().ends_with("</html>\n"));
    fs::remove_file(&new).unwrap();
    refused(&[&tournament[..], &["--html", &kept, "--csv", &missing]].concat(), 1, &["missing/file"]);
    refused(&[&tournament[..], &["--csv", &new, "--html", &missing]].concat(), 1, &["missing/file"]);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "something");
    assert!(!Path::new(&new).exists());
}

#[test]
#[cfg(target_os = "linux")]
fn what_was_played_is_printed_where_a_file_cannot_be_written() {
    let run = run(&["tournament", "random", "mcts:sims=2", "--game", "tic-tac-toe", "--csv", "/dev/full"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("/dev/full cannot be written"), "{}", run.err);
    assert!(run.out.starts_with("tic-tac-toe, 2 games\n") && run.out.contains("by seat:"), "{}", run.out);
}

#[test]
fn an_agent_that_does_not_play_every_seat_is_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "out");
    for command in ["match", "tournament"] {
        let args = [command, "random", "mirror", "--game", "focus:rule=none", "--games", "2", "--out", &out];
        let says = ["mirror does not play focus:rule=none", "at seat 0 there is no move to mirror", "every seat"];
        refused(&args, 2, &says);
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn one_game_is_one_game() {
    let text = output(&["match", "random", "--game", "nim", "--games", "1"]);
    assert!(text.starts_with("nim, 1 game in 1 round, seed 0\n"), "{text}");
    let alone = output(&["tournament", "random", "mcts:sims=1", "--game", "2048:max-plies=20"]);
    assert!(alone.starts_with("2048:max-plies=20, 2 games\n") && !alone.contains("Elo"), "{alone}");
}

#[test]
fn strength_is_measured_by_a_reference_and_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "strength.jsonl");
    let args = |games: &'static str| {
        [
            "strength",
            "random",
            "mcts:sims=4",
            "mcts:sims=60",
            "--reference",
            "mcts:sims=20",
            "--game",
            "connect-four",
            "--games",
        ]
        .into_iter()
        .chain([games, "--openings", "2", "--threads", "2", "--json"])
        .collect::<Vec<_>>()
    };
    let whole = output(&args("24"));
    let agents = last_line(&whole)["agents"].as_array().unwrap().clone();
    let spec = |agent: usize| agents[agent]["spec"].as_str().unwrap();
    assert_eq!(["random", "mcts:sims=4", "mcts:sims=60", "mcts:sims=20"], [spec(0), spec(1), spec(2), spec(3)]);
    assert_eq!(agents[3]["elo"].as_f64(), Some(0.0), "Elo is counted from the reference");
    assert!(agents[0]["elo"].as_f64() < agents[1]["elo"].as_f64(), "{whole}");
    assert!(agents[2]["elo"].as_f64() > Some(0.0), "{whole}");
    // All four are the best four, so that each has met each.
    let first: Value = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
    let met = |row: usize, column: usize| first["standings"]["matrix"][row][column]["wins"].as_u64().is_some();
    assert!(met(0, 1) && met(1, 2) && first["standings"]["n_games"].as_u64() >= Some(60), "{first}");

    // Stopped after some games, and with half a line.
    let kept = [&args("24")[..], &["--out", &file]].concat();
    output(&kept);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    let again = output(&kept);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert_eq!(last_line(&again), last_line(&whole));
}

#[test]
fn without_names_all_agents_that_fit_the_game_are_measured_for_so_long() {
    let args = ["strength", "--game", "connect-four", "--openings", "4", "--time", "2ms", "--minutes", "0.02"];
    let text = output(&args);
    for agent in ["alphabeta:time=2ms", "mcts:time=2ms", "mc:time=2ms", "random"] {
        assert!(text.contains(agent), "{text}");
    }
    assert!(!text.contains("perfect"), "{text}");
    refused(&["strength", "--game", "tic-tac-toe", "--minutes", "0"], 2, &["--minutes is a number above 0"]);
    refused(&["strength", "mirror", "--game", "nim"], 2, &["mirror does not play nim"]);
}

#[test]
fn records_of_levels_say_which_levels_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "levels.jsonl");
    output(&["match", "level:1", "random", "--game", "tic-tac-toe", "--games", "2", "--out", &file]);
    let record: Value = serde_json::from_str(fs::read_to_string(&file).unwrap().lines().next().unwrap()).unwrap();
    let version = record["levels"].as_u64().expect("a level played");
    let text = output(&["agents", "tic-tac-toe"]);
    assert!(text.replace('\n', " ").contains(&format!("(version {version})")), "{text}");

    // Other levels than those that the first games were played by.
    let other = fs::read_to_string(&file).unwrap().replace("\"levels\":", "\"levels\":9");
    fs::write(&file, other).unwrap();
    let args = ["match", "level:1", "random", "--game", "tic-tac-toe", "--games", "4", "--out", &file];
    refused(&args, 3, &["of the levels"]);
    output(&[
        "match",
        "random",
        "random",
        "--game",
        "tic-tac-toe",
        "--games",
        "2",
        "--out",
        &path(folder.path(), "other"),
    ]);
    assert!(!fs::read_to_string(folder.path().join("other")).unwrap().contains("\"levels\""));
}
