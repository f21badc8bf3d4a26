//! `raichi train`, `eval`, `agents …`, `report` and `sweep`: agents learn, are kept, packed, refused when damaged.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::running::{Run, output, raichi, refused, run};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a temporary path is text").into()
}

/// Trains an agent of a small board in a moment.
fn train(folder: &str, name: &str) -> Run {
    run(&[
        "train",
        "tic-tac-toe",
        "--agent",
        "ntuple:tuples=1x9,tables=seat,alpha=1,epsilon=0.3",
        "--games",
        "600",
        "--eval",
        "against random --games 20",
        "--out",
        name,
        "--agents-dir",
        folder,
        "--json",
    ])
}

#[test]
fn an_agent_is_trained_and_plays_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let trained = train(folder, "three");
    assert_eq!((trained.code, trained.err.as_str()), (0, ""));
    let points: Vec<Value> = trained.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(points.len(), 10, "{}", trained.out);
    assert_eq!(points[9]["games"], 600);
    assert_eq!(points[9]["evaluations"][0]["games"], 20);

    // The last line of an evaluation, to the letter.
    let line =
        output(&["eval", "trained:three", "--against", "perfect", "--games", "6", "--json", "--agents-dir", folder]);
    let json: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["draws", "games", "interval", "kept", "losses", "score", "wins"]);
    assert!(line.starts_with("{\"score\":"), "{line}");
    let number = |key: &str| json[key].as_f64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), 6.0);
    assert!((0.0..=1.0).contains(&number("kept")));
    assert_eq!(json["interval"].as_array().unwrap().len(), 2);

    // How often it is right, without games.
    let line = output(&["eval", "trained:three", "--positions", "50", "--json", "--agents-dir", folder]);
    assert!(line.starts_with("{\"right\":") && line.contains("\"positions\":50,\"choices\":"), "{line}");
    let text = output(&["eval", "trained:three", "--positions", "all", "--agents-dir", folder]);
    assert!(text.contains("of 4520 positions") && text.contains("in which an action can be wrong"), "{text}");
    assert!(!text.contains('['), "all positions are no sample: {text}");
    refused(
        &["eval", "trained:three", "--positions", "none", "--agents-dir", folder],
        2,
        &["--positions none: expected a number"],
    );

    // Fewer games of the same training do not replace it, and as many do.
    let smaller = ["train", "tic-tac-toe", "--agent", "ntuple:tuples=1x9,tables=seat,alpha=1,epsilon=0.3"];
    let smaller = [&smaller[..], &["--games", "20", "--out", "three", "--agents-dir", folder]].concat();
    refused(&smaller, 2, &["a trained agent three already, of 600 games of tic-tac-toe", "--restart"]);
    assert_eq!(train(folder, "three").code, 0);

    // Under its name in a match, and as an evaluator of searches.
    for agent in [
        "trained:three",
        "alphabeta:nodes=50,evaluator=three",
        "mcts:sims=20,evaluator=three",
        "greedy:evaluator=three",
    ] {
        let text = output(&["match", agent, "random", "--game", "tic-tac-toe", "--games", "2", "--agents-dir", folder]);
        assert!(text.contains(agent), "{text}");
    }
    refused(
        &["eval", "trained:three", "--game", "connect-four", "--agents-dir", folder],
        2,
        &["trained does not play connect-four"],
    );
    refused(
        &["eval", "trained:absent", "--agents-dir", folder],
        2,
        &["no trained agent `absent`; there are learned-", ", three"],
    );
    refused(&["eval", "random", "--agents-dir", folder], 2, &["--game is missing"]);
    refused(&["eval", "nobody", "--agents-dir", folder], 2, &["there is no agent `nobody`", "raichi agents list"]);

    let page = output(&["report", "three", "--agents-dir", folder]);
    assert!(page.starts_with("<!doctype html>") && page.contains("against random"), "{page}");
    let histories = path(Path::new(folder), "histories.txt");
    fs::write(&histories, "b2 a1\n").unwrap();
    refused(&["report", &histories], 3, &["histories.txt: this is neither", "raichi train --json"]);
}

#[test]
fn evaluations_have_names() {
    let quick = |game: &str, more: &[&str]| output(&[&["eval", "random", "--game", game], more].concat());
    let listed = quick("othello", &["--quick", "list"]);
    for name in ["random", "minimax", "mcts", "hand", "starts"] {
        assert!(listed.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {listed}");
    }
    let json: Value = serde_json::from_str(&quick("hex:size=6", &["--quick", "list", "--json"])).unwrap();
    assert!(json.as_array().unwrap().iter().any(|one| one["name"] == "perfect-starts"), "{json}");

    let text = quick("tic-tac-toe", &["--quick", "minimax", "--games", "2"]);
    assert!(text.contains("against minimax:nodes=1000000,depth=9") && text.contains("2 games"), "{text}");
    let text = quick("tic-tac-toe", &["--quick", "starts", "--games", "6", "--seat", "0"]);
    assert!(text.contains("against perfect") && text.contains("from all, 6 games"), "{text}");
    assert!(quick("2048", &["--quick", "mean", "--games", "1"]).contains("score"));
    assert!(quick("tablut", &["--quick", "list"]).contains("no evaluations by name"));

    let wrong = ["eval", "random", "--game", "nim", "--quick", "best"];
    refused(&wrong, 2, &["no such evaluation", "nim has random, mcts, minimax, perfect and starts"]);
    refused(
        &["eval", "random", "--game", "nim", "--quick", "random", "--against", "best"],
        2,
        &["cannot be used with"],
    );
    // Shells that complete are offered the names.
    assert!(output(&["completions", "bash"]).contains("mcts-starts"));
}

#[test]
fn a_trained_agent_is_packed_unpacked_and_refused_when_damaged() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (here, there) = (here.path(), there.path());
    let (old, new) = (here.to_str().unwrap(), there.to_str().unwrap());
    assert_eq!(train(old, "three").code, 0);
    let file = path(there, "packed.zip.file");
    let export = ["agents", "export", "three", &file, "--agents-dir", old];
    output(&export);
    refused(&export, 2, &["packed.zip.file: there is such a file"]);
    // A device is written to and stays one.
    #[cfg(target_os = "linux")]
    {
        refused(&["agents", "export", "three", "/dev/full", "--agents-dir", old], 1, &["/dev/full cannot be written"]);
        let link = there.join("link");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        assert_eq!(output(&["agents", "export", "three", link.to_str().unwrap(), "--agents-dir", old]), "");
        assert!(link.is_symlink());
    }
    let text = output(&["agents", "import", &file, "--as", "other", "--agents-dir", new]);
    assert!(text.contains("other imported"), "{text}");
    assert!(output(&["agents", "list", "--agents-dir", new]).contains("other"));
    assert!(output(&["agents", "--agents-dir", new, "list"]).contains("other"));
    refused(&["agents", "tic-tac-toe", "list"], 2, &["stands before a subcommand"]);
    let json: Value = serde_json::from_str(&output(&["agents", "list", "--json", "--agents-dir", new])).unwrap();
    let other = json.as_array().unwrap().iter().find(|agent| agent["name"] == "other").unwrap();
    assert_eq!(other["game"], "tic-tac-toe");
    assert!(output(&["agents", "show", "other", "--agents-dir", new]).contains("600 games"));
    assert!(output(&["agents", "verify", "other", "--agents-dir", new]).contains("is whole"));
    // It has its new name everywhere, in what is exported of it too.
    let manifest = |folder: &str, name: &str| -> Value {
        serde_json::from_str(&output(&["agents", "show", name, "--json", "--agents-dir", folder])).unwrap()
    };
    let again = path(there, "again.zip");
    output(&["agents", "export", "other", &again, "--agents-dir", new]);
    output(&["agents", "import", &again, "--agents-dir", old]);
    let (three, other) = (manifest(old, "three"), manifest(new, "other"));
    assert_eq!((&three["name"], &other["name"]), (&"three".into(), &"other".into()));
    assert_eq!(three["files"], other["files"]);
    assert_ne!(three["manifest_sha256"], other["manifest_sha256"]);
    assert_eq!(manifest(old, "other"), other);
    refused(&["agents", "import", &file, "--as", "other", "--agents-dir", new], 2, &["already"]);
    refused(&["agents", "import", &file, "--as", "../other", "--agents-dir", new], 2, &["no name of an agent"]);

    let whole = fs::read(&file).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 12) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&file, damaged).unwrap();
        refused(&["agents", "verify", &file, "--agents-dir", new], 3, &["refused"]);
        refused(&["agents", "import", &file, "--as", "third", "--agents-dir", new], 3, &["refused"]);
    }
    output(&["agents", "remove", "other", "--agents-dir", new]);
    refused(&["agents", "show", "other", "--agents-dir", new], 2, &["no trained agent `other`"]);
}

#[test]
fn several_runs_go_on_where_they_were_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let measured = |seed: &str, n: &str, eval: &str| {
        let learner = ["--agent", "ntuple:tuples=1x9", "--games", "100", "--eval", eval];
        let rest = ["--seed", seed, "--runs", n, "--agents-dir", folder];
        run(&[&["train", "tic-tac-toe"], &learner[..], &rest].concat())
    };
    let runs = |seed: &str, n: &str| measured(seed, n, "against random --games 4");
    let both = runs("7", "2");
    assert_eq!((both.code, both.err.as_str()), (0, ""), "{}", both.out);
    // Those that are there are left as they are, and count in the spread.
    let more = runs("7", "3");
    assert_eq!(more.code, 0, "{}", more.err);
    assert_eq!(more.err.matches("is trained already, of 100 games").count(), 2, "{}", more.err);
    assert!(more.out.contains("3 runs against random"), "{}", more.out);
    // Runs that were measured otherwise do not count as they are.
    for eval in ["against perfect --games 4", "against perfect --games 6"] {
        let otherwise = measured("7", "3", eval);
        assert_eq!((otherwise.code, otherwise.err.as_str()), (0, ""), "{}", otherwise.out);
        assert!(otherwise.out.contains("3 runs against perfect"), "{}", otherwise.out);
    }
    assert_eq!(measured("7", "3", "against perfect --games 6").err.matches("is trained already").count(), 3);
    // There is no seed after the greatest.
    let beyond = runs("18446744073709551615", "2");
    assert_eq!(beyond.code, 2);
    assert!(beyond.err.contains("would pass 18446744073709551615"), "{}", beyond.err);
}

#[test]
fn an_agent_says_with_which_positions_its_training_began() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let starts = path(folder.path(), "my starts.txt");
    let replayed: serde_json::Value =
        serde_json::from_str(&output(&["replay", "tic-tac-toe", "a1 b2", "--json"])).unwrap();
    fs::write(&starts, replayed["position"].as_str().unwrap()).unwrap();
    let learner = ["train", "tic-tac-toe", "--agent", "ntuple:tuples=1x9", "--games", "50"];
    let rest = ["--eval", "against random --games 2", "--out", "begun", "--agents-dir", dir];
    let plain = [&learner[..], &rest].concat();
    output(&[&plain[..], &["--starts", &starts]].concat());
    let shown = output(&["agents", "show", "begun", "--agents-dir", dir]);
    assert!(shown.contains(&format!("--seed 0 --starts '{starts}'")), "{shown}");
    // Another training is none of the same agent.
    refused(&plain, 2, &["there is a trained agent begun already"]);
    output(&[&plain[..], &["--until", "score>=-1 against random", "--restart"]].concat());
    let shown = output(&["agents", "show", "begun", "--agents-dir", dir]);
    let until = "--until 'score>=-1 against random' --eval 'against random --games 2'";
    assert!(shown.contains(until) && !shown.contains("--starts"), "{shown}");
}

#[test]
fn a_network_from_elsewhere_needs_its_game_and_a_build_that_runs_it() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let file = path(folder.path(), "net.onnx");
    fs::write(&file, b"no network").unwrap();
    let import = ["agents", "import", &file, "--agents-dir", dir];
    refused(&import, 2, &["--game is missing", "ONNX"]);
    refused(&[&import[..], &["--game", "2048"]].concat(), 3, &["no bounds"]);
    refused(&[&import[..], &["--game", "tic-tac-toe", "--as", "../net"]].concat(), 2, &["no name of an agent"]);
    // Where the feature is there, ONNX Runtime refuses it, or is not found itself.
    refused(&[&import[..], &["--game", "tic-tac-toe"]].concat(), 3, &["the trained agent", "ONNX"]);
    let archive = path(folder.path(), "net.zip");
    fs::write(&archive, b"no archive").unwrap();
    refused(&["agents", "import", &archive, "--game", "tic-tac-toe"], 2, &["--game is for files in ONNX's form"]);
}

#[test]
fn a_network_plays_with_and_without_its_search_and_searches_take_it() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let agent = "alphazero:width=16,blocks=1,sims=8,fast-sims=2,round=16";
    let args = ["train", "connect-four:width=5,height=4", "--agent", agent, "--games", "32"];
    let rest = ["--eval", "against random --games 2", "--out", "net", "--bits", "8", "--agents-dir", dir];
    assert_eq!(run(&[&args[..], &rest].concat()).code, 0);
    for agent in
        ["trained:net", "trained:net,sims=16", "mcts:sims=20,evaluator=net", "alphabeta:nodes=200,evaluator=net"]
    {
        let line = output(&[
            "eval",
            agent,
            "--game",
            "connect-four:width=5,height=4",
            "--against",
            "random",
            "--games",
            "4",
            "--json",
            "--agents-dir",
            dir,
        ]);
        assert!(line.contains("\"games\":4"), "{agent}: {line}");
    }
    assert_eq!(train(dir, "tuples").code, 0);
    let args = ["eval", "trained:tuples,sims=8", "--against", "random", "--games", "2", "--agents-dir", dir];
    refused(&args, 2, &["no search of its own", "mcts:evaluator=tuples"]);
}

#[test]
fn a_training_that_was_stopped_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let args = [
        "train",
        "connect-four:width=5,height=4",
        "--agent",
        "ntuple:tuples=8x4",
        "--games",
        "1000000000",
        "--eval",
        "against random --games 2",
        "--out",
        "long",
        "--agents-dir",
        dir,
        "--checkpoint",
        "1",
    ];
    let mut child = raichi(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let checkpoint = folder.path().join(".training").join("long.zip");
    // A checkpoint is written every second: the training is under way, and signals are waited for.
    while !checkpoint.is_file() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(50));
    }
    // The signal that Ctrl-C sends.
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(child.wait().unwrap().success());
    assert!(checkpoint.is_file());
    // It said at once that it saves, and then that it has.
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert!(said.find("saving").unwrap() < said.find("saved after").unwrap(), "{said}");
    // With fewer games to go it ends at once, from where it stood.
    let args: Vec<&str> = args.iter().map(|&arg| if arg == "1000000000" { "1" } else { arg }).collect();
    let ended = run(&args);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.err.contains("going on after"), "{}", ended.err);
    assert!(!checkpoint.exists());
    assert!(output(&["agents", "list", "--agents-dir", dir]).contains("long"));
}

#[test]
fn what_cannot_be_trained_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    for (args, code, says) in [
        (&["tic-tac-toe", "--agent", "ntuple:tuples=0x5"][..], 2, &["tuples", "70x8"][..]),
        (&["tic-tac-toe", "--agent", "ntuple:alfa=1"], 2, &["alfa", "alpha"]),
        (&["tic-tac-toe", "--agent", "forest"], 2, &["forest", "ntuple"]),
        (&["tic-tac-toe", "--agent", "ntuple:n-step=3,lambda=0.5"], 2, &["n-step and lambda"]),
        (&["kuhn-poker", "--agent", "ntuple"], 2, &["hidden", "method=q"]),
        (&["jabirs-transmutations", "--agent", "ntuple:method=q"], 2, &["at the same time"]),
        (&["othello", "--agent", "ntuple:tuples=5x25"], 2, &["weights", "fewer or shorter"]),
        (&["2048", "--agent", "alphazero"], 2, &["no bounds"]),
        (&["tic-tac-toe", "--agent", "alphazero:width=0"], 2, &["width", "1 to 512"]),
        (&["tic-tac-toe", "--agent", "alphazero:full=0"], 2, &["full=0", "above 0"]),
        (&["nim", "--agent", "alphazero:net=residual"], 2, &["no grid", "net=layers"]),
        (&["tic-tac-toe", "--until", "soon"], 2, &["kept>=0.95 against perfect"]),
        (&["tic-tac-toe", "--until", "kept>=2 against perfect"], 2, &["kept>=2", "from 0 to 1"]),
        (&["tic-tac-toe", "--until", "score>=1.5 against random"], 2, &["score>=1.5", "from -1 to 1"]),
        (
            &["poker", "--agent", "ntuple:method=sarsa", "--until", "kept>=1 against random"],
            2,
            &["no solver", "take score"],
        ),
        (&["tic-tac-toe", "--eval", "nobody"], 2, &["--eval", "there is no agent `nobody`"]),
        (&["tic-tac-toe", "--eval", "against random --games 0"], 2, &["--games 0", "from 1"]),
        (&["tic-tac-toe", "--starts", "/dev/null"], 2, &["--starts /dev/null", "no line"]),
        (&["tic-tac-toe", "--eval", "against random --starts /dev/null"], 3, &["no line"]),
        (&["tic-tac-toe", "--eval", "against perfect --starts nowhere"], 2, &["--starts nowhere", "plies:N"]),
        (&["tic-tac-toe", "--preset", "best"], 2, &["best", "good"]),
        (&["tic-tac-toe", "--out", "a/b"], 2, &["no name of an agent"]),
        (&["othello", "--out", "patterns"], 2, &["evaluator=patterns is built in"]),
    ] {
        let args = [&["train"], args, &["--agents-dir", dir, "--games", "10"]].concat();
        let ended = run(&args);
        assert_eq!(ended.code, code, "raichi {args:?}: {}", ended.err);
        for word in says {
            assert!(ended.err.contains(word), "raichi {args:?} does not say `{word}`: {}", ended.err);
        }
        assert!(!ended.err.contains("panicked"), "raichi {args:?}: {}", ended.err);
    }
}

#[test]
fn levels_are_calibrated_where_their_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let done = raichi(&["calibrate", "tic-tac-toe"]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(said.contains("--out crates/agents/src/levels/levels.toml: there is no such file"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is begun");
}

#[test]
fn a_sweep_says_which_option_matters() {
    let text = output(&[
        "sweep",
        "tic-tac-toe",
        "--agent",
        "ntuple:tuples=1x9",
        "--games",
        "300",
        "--eval",
        "against random --games 10",
        "--vary",
        "alpha=0.01,1",
        "--vary",
        "lambda=0,0.5",
        "--random",
        "3",
    ]);
    assert!(text.contains("what each option did"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("differs by")).count(), 2, "{text}");
    refused(&["sweep", "tic-tac-toe", "--vary", "alpha"], 2, &["alpha=0.5,1,2"]);
}

#[test]
fn a_sweep_checks_all_values_first_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "sweep.jsonl");
    let sweep = |vary: &str| {
        let args =
            ["sweep", "tic-tac-toe", "--agent", "ntuple:tuples=1x9", "--games", "200", "--runs", "2", "--vary", vary];
        run(&[&args[..], &["--eval", "against random --games 10", "--out", &file]].concat())
    };
    // The last value is none: nothing is trained.
    let ended = sweep("alpha=0.1,1,x");
    assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{}", ended.err);
    assert!(ended.err.contains("alpha=x"), "{}", ended.err);
    assert!(!Path::new(&file).exists());

    let first = sweep("alpha=0.1,1");
    assert!(first.out.contains("(standard error)"), "{} {}", first.out, first.err);
    let kept = fs::read_to_string(&file).unwrap();
    assert_eq!(kept.lines().count(), 4, "{kept}");
    // What is there is not trained again, whatever it says; a new value is.
    let changed = kept.replace("\"score\":", "\"score\":12345,\"before\":");
    fs::write(&file, &changed).unwrap();
    let second = sweep("alpha=0.1,1,2");
    assert!(second.out.contains("12345"), "{} {}", second.out, second.err);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 6);
    fs::write(&file, "{}\n").unwrap();
    assert_eq!(sweep("alpha=0.1,1").code, 3);

    let twice = ["sweep", "tic-tac-toe", "--agent", "ntuple", "--vary", "alpha=1", "--vary", "alpha=2"];
    refused(&twice, 2, &["alpha", "twice"]);
    // A grid of more combinations than fit anywhere, of which two are drawn.
    let values: Vec<String> = (1..=200).map(|i| format!("{}", f64::from(i) / 100.0)).collect();
    let vary: Vec<String> =
        ["alpha", "alpha-end", "epsilon-end"].iter().map(|key| format!("{key}={}", values[..99].join(","))).collect();
    let mut args = vec!["sweep", "tic-tac-toe", "--agent", "ntuple:tuples=1x9", "--games", "10", "--seed", "3"];
    args.extend(vary.iter().flat_map(|vary| ["--vary", vary]));
    refused(&args, 2, &["combinations", "--random N"]);
    let drawn = output(&[&args[..], &["--random", "2", "--eval", "against random --games 2"]].concat());
    assert_eq!(drawn.lines().filter(|line| line.starts_with("ntuple:")).count(), 2, "{drawn}");
}

#[test]
fn a_sweep_does_not_go_on_from_other_positions() {
    let folder = tempfile::tempdir().unwrap();
    let [file, starts, openings] = ["sweep.jsonl", "starts", "openings"].map(|name| path(folder.path(), name));
    let eval = format!("against random --games 4 --starts {openings}");
    let args = ["sweep", "tic-tac-toe", "--agent", "ntuple:tuples=1x9", "--games", "50", "--vary", "alpha=0.1,1"];
    let args = [&args[..], &["--starts", &starts, "--eval", &eval, "--out", &file]].concat();
    fs::write(&starts, "X2/3/3 1\n").unwrap();
    fs::write(&openings, "b2\n").unwrap();
    let first = run(&args);
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(run(&args).out, first.out, "what is there is not trained again");
    let kept = fs::read_to_string(&file).unwrap();
    fs::write(&openings, "a1\n").unwrap();
    refused(&args, 3, &["sweep.jsonl", "measured from other positions", "--out"]);
    fs::write(&openings, "b2\n").unwrap();
    fs::write(&starts, "1X1/3/3 1\n").unwrap();
    refused(&args, 3, &["sweep.jsonl", "other positions (--starts)", "--out"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), kept);
}

#[test]
fn an_agent_says_for_which_game_it_was_trained() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    train(folder, "ka");
    let args =
        ["eval", "trained:ka", "--game", "othello", "--against", "random", "--games", "2", "--agents-dir", folder];
    refused(&args, 2, &["ka", "trained for tic-tac-toe"]);
    // Where none is named it is said that there is none.
    let args = ["eval", "trained", "--game", "tablut", "--against", "random", "--games", "2", "--agents-dir", folder];
    refused(&args, 2, &["no agent has been trained"]);
}
