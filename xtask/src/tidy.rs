//! `cargo xtask tidy`: what no compiler checks. Which crate uses which, the files of the games, what the lower
//! crates may not use of the machine ([`crate::purity`]), lock files beside ours ([`crate::locks`]), files of tests
//! that no program has ([`crate::test_files`]), leftovers.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use raichi_core::erased::split_spec;
use raichi_core::lesson::Course;
use raichi_core::perft::KnownCounts;
use raichi_games::ROOMS;

use crate::{locks, purity, test_files, workspace};

pub(crate) fn run(root: &Path) -> Result<()> {
    let mut faults = arrows(root)?;
    faults.extend(rooms(root)?);
    faults.extend(purity::faults(root)?);
    faults.extend(locks::faults(root)?);
    faults.extend(test_files::faults(root)?);
    faults.extend(leftovers(root)?);
    if faults.is_empty() {
        println!("tidy");
        return Ok(());
    }
    faults.sort();
    bail!("{}\nnot tidy: {}", faults.join("\n"), faults.len())
}

/// Each crate and those it may use, in the order of ARCHITECTURE.md. A crate that is not here has no place yet.
const ARROWS: [(&str, &[&str]); 12] = [
    ("machine", &[]),
    ("core", &[]),
    ("games", &["machine", "core"]),
    ("search", &["machine", "core"]),
    ("solve", &["machine", "core"]),
    ("learn", &["machine", "core", "search"]),
    ("engines", &["machine", "core", "games", "search", "solve", "learn"]),
    ("agents", &["core", "games", "search", "solve", "learn", "engines"]),
    ("arena", &["core", "games", "search", "solve", "learn", "engines", "agents"]),
    ("server", &["core", "games", "search", "solve", "learn", "engines", "agents", "arena"]),
    ("cli", &["core", "games", "search", "solve", "learn", "engines", "agents", "arena", "server"]),
    ("python", &["core", "games", "search", "solve", "learn", "engines", "agents", "arena"]),
];

/// What a crate's tests and benches may use as well: the games to try things on.
const FOR_TESTS: [&str; 1] = ["games"];

fn arrows(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for folder in folders(&root.join("crates"))? {
        let path = root.join("crates").join(&folder).join("Cargo.toml");
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let manifest: toml::Table = text.parse().with_context(|| format!("{}", path.display()))?;
        faults.extend(arrows_of(&folder, &manifest));
    }
    Ok(faults)
}

fn arrows_of(folder: &str, manifest: &toml::Table) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == folder) else {
        return vec![format!("crates/{folder}: which crates may it use? Say so in ARCHITECTURE.md and in tidy")];
    };
    let mut faults = Vec::new();
    if manifest.get("lints").and_then(|lints| lints.get("workspace")) != Some(&true.into()) {
        faults.push(format!("crates/{folder}/Cargo.toml: `[lints] workspace = true` is missing"));
    }
    for (kind, used) in used(manifest) {
        let tested = kind == "dev-dependencies" && FOR_TESTS.contains(&used.as_str());
        if !allowed.contains(&used.as_str()) && !tested {
            let allowed = if allowed.is_empty() { "none".into() } else { allowed.join(", ") };
            faults.push(format!("crates/{folder}/Cargo.toml: {kind} name {used}; of our crates it may use {allowed}"));
        }
    }
    faults
}

/// The crates of ours that a manifest names, for any target, and in which table.
fn used(manifest: &toml::Table) -> Vec<(&'static str, String)> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets =
        manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|targets| targets.values());
    let tables = std::iter::once(manifest).chain(targets.filter_map(toml::Value::as_table));
    let of_table = |table: &toml::Table| {
        let names = |kind| table.get(kind).and_then(toml::Value::as_table).into_iter().flat_map(|table| table.keys());
        let ours = |kind| names(kind).filter_map(move |name| Some((kind, name.strip_prefix("raichi-")?.to_string())));
        KINDS.into_iter().flat_map(ours).collect::<Vec<_>>()
    };
    tables.flat_map(of_table).collect()
}

/// Files every game has, besides `mod.rs` with its header.
const NEEDED: [&str; 11] = [
    "rules.rs",
    "notation.rs",
    "encode.rs",
    "view.rs",
    "rules.md",
    "lesson.toml",
    "problems.toml",
    "about.md",
    "tests.rs",
    "perft.txt",
    "playthrough.txt",
];
const HEADER: [&str; 5] = ["Rules:", "Decisions:", "Actions:", "Positions:", "Checked against:"];

fn rooms(root: &Path) -> Result<Vec<String>> {
    let games = workspace::games(root);
    let mut faults = Vec::new();
    for folder in folders(&games)? {
        let here = games.join(&folder);
        // What two games share has a folder too, and no rules of its own.
        if !here.join("rules.rs").exists() {
            continue;
        }
        if !ROOMS.iter().any(|rooms| rooms.folder == folder) {
            faults.push(format!("{folder}: not in the registry (crates/games/src/lib.rs)"));
        }
        let header = fs::read_to_string(here.join("mod.rs")).unwrap_or_default();
        faults.extend(header_faults(&header).into_iter().map(|fault| format!("{folder}/mod.rs: {fault}")));
        for room in NEEDED.into_iter().filter(|room| !here.join(room).exists()) {
            faults.push(format!("{folder}: {room} is missing"));
        }
    }
    for rooms in ROOMS {
        faults.extend(
            perft_faults(rooms.id, rooms.perft).into_iter().map(|fault| format!("{}/perft.txt: {fault}", rooms.folder)),
        );
        faults.extend(
            lesson_faults(rooms.lesson).into_iter().map(|fault| format!("{}/lesson.toml: {fault}", rooms.folder)),
        );
        faults.extend(about_faults(rooms.about).into_iter().map(|fault| format!("{}/about.md: {fault}", rooms.folder)));
    }
    Ok(faults)
}

fn header_faults(text: &str) -> Vec<String> {
    let header: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
    let missing = HEADER.into_iter().filter(|start| !header.iter().any(|line| line.starts_with(start)));
    let mut faults: Vec<String> = missing.map(|start| format!("the header has no line `//! {start} …`")).collect();
    if header.iter().any(|line| line.contains("the game that the template holds")) {
        faults.push("the header is still the template's".into());
    }
    faults
}

fn perft_faults(id: &str, text: &str) -> Vec<String> {
    let lines = match KnownCounts::parse(text) {
        Ok(lines) => lines,
        Err(why) => return vec![why],
    };
    let mut faults = Vec::new();
    for line in &lines {
        if split_spec(&line.spec).0 != id {
            faults.push(format!("`{}` is another game", line.spec));
        }
        if line.source.is_empty() {
            faults.push(format!("the counts of `{}` have no source", line.spec));
        }
    }
    if lines.iter().all(|line| line.nightly) {
        faults.push("no count is quick enough for every run".into());
    }
    faults
}

/// How many steps a first lesson has.
const STEPS: std::ops::RangeInclusive<usize> = 4..=10;

/// Whether the steps are true to the rules is asked by a test of the games.
fn lesson_faults(text: &str) -> Vec<String> {
    let course = match Course::parse(text) {
        Ok(course) => course,
        Err(why) => return vec![why.to_string()],
    };
    match course.lesson.first().map(|lesson| lesson.step.len()) {
        Some(n_steps) if STEPS.contains(&n_steps) => Vec::new(),
        n_steps => vec![format!("a first lesson of {STEPS:?} steps is wanted, not {}", n_steps.unwrap_or(0))],
    }
}

/// What is told about every game, each behind its words in bold.
const TOLD: [&str; 3] = ["**Reading.**", "**What was decided, and why", "**How it was checked.**"];

fn about_faults(text: &str) -> Vec<String> {
    let missing = TOLD.into_iter().filter(|words| !text.contains(words));
    missing.map(|words| format!("{words} is missing")).collect()
}

/// What must not stand in a committed text, and why; what Rust's lints find is left to them. In two halves, so that
/// this file holds none of them.
const LEFTOVERS: [([&str; 2], &str); 9] = [
    (["TO", "DO"], "unfinished work goes in an issue, where someone will find it"),
    (["FIX", "ME"], "unfinished work goes in an issue, where someone will find it"),
    (["console", ".log("], "left over from debugging"),
    (["<<<<", "<<< "], "an unresolved merge"),
    (["/ho", "me/"], "a path of one machine"),
    (["/ro", "ot/"], "a path of one machine"),
    (["/tm", "p/"], "a path of one machine"),
    (["/wo", "rk/"], "a path of one machine"),
    (["C:\\Us", "ers"], "a path of one machine"),
];

// Where everybody can fetch the parts we use.
const CRATES: &str = "registry+https://github.com/rust-lang/crates.io-index";
const PACKAGES: &str = "https://registry.npmjs.org/";

fn leftovers(root: &Path) -> Result<Vec<String>> {
    let listed = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output();
    let listed = listed.context("git does not start")?;
    if !listed.status.success() {
        bail!("git cannot list the files: {}", String::from_utf8_lossy(&listed.stderr));
    }
    let mut faults = Vec::new();
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
        // Pictures are no text, and a file may have been deleted but not yet committed.
        let Ok(text) = fs::read_to_string(root.join(name)) else { continue };
        let found = match Path::new(name).file_name().and_then(|name| name.to_str()) {
            Some("Cargo.lock") => lock_faults(name, &text, "source = \"", CRATES),
            Some("package-lock.json") => lock_faults(name, &text, "\"resolved\": \"", PACKAGES),
            _ => leftovers_of(name, &text),
        };
        faults.extend(found);
    }
    Ok(faults)
}

fn leftovers_of(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for (halves, why) in LEFTOVERS {
            if line.contains(&halves.concat()) {
                faults.push(format!("{name}:{}: `{}`: {why}", i + 1, halves.concat()));
            }
        }
    }
    faults
}

fn lock_faults(name: &str, text: &str, key: &str, home: &str) -> Vec<String> {
    let from = text.lines().enumerate().filter_map(|(i, line)| Some((i + 1, line.split_once(key)?.1)));
    let strange = from.filter(|(_, from)| !from.starts_with(home));
    strange.map(|(i, from)| format!("{name}:{i}: {} is not {home}", from.trim_end_matches(['"', ',']))).collect()
}

fn folders(path: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    folders.sort();
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(folder: &str, manifest: &str) -> Vec<String> {
        arrows_of(folder, &format!("{manifest}\n[lints]\nworkspace = true\n").parse().unwrap())
    }

    #[test]
    fn the_repository_is_tidy() {
        run(&crate::workspace::root()).unwrap();
    }

    #[test]
    fn arrows_point_upward_only() {
        assert_eq!(
            faults("search", "[dependencies]\nraichi-core = {}\nrand = \"1\"\n[dev-dependencies]\nraichi-games = {}"),
            [""; 0]
        );
        for (folder, manifest) in [
            ("core", "[dependencies]\nraichi-games.workspace = true"),
            ("search", "[dependencies]\nraichi-games = { path = \"../games\" }"),
            ("games", "[build-dependencies]\nraichi-search = {}"),
            ("games", "[dev-dependencies]\nraichi-server = {}"),
            ("search", "[target.'cfg(unix)'.dependencies]\nraichi-games = {}"),
            ("search", "[dev-dependencies]\nraichi-agents = {}"),
            ("agents", "[dependencies]\nraichi-arena = {}"),
            ("arena", "[dependencies]\nraichi-server = {}"),
            ("attic", ""),
        ] {
            assert_eq!(faults(folder, manifest).len(), 1, "{folder}: {manifest}");
        }
        assert_eq!(arrows_of("core", &toml::Table::new()).len(), 1, "the lint table");
    }

    #[test]
    fn headers_are_whole_and_the_authors_own() {
        let whole = "//! Hex.\n//!\n//! Rules: x\n//! Decisions: none.\n//! Actions: cells\n//! Positions: rows\n//! Checked against: y\n\nmod a;\n";
        assert_eq!(header_faults(whole), [""; 0]);
        assert_eq!(
            header_faults(&whole.replace("//! Rules", "// Rules")).len(),
            5,
            "a header ends at its first other line"
        );
        assert_eq!(header_faults(&whole.replace("Decisions", "Choices")).len(), 1);
        assert_eq!(header_faults(include_str!("../template/mod.rs")), ["the header is still the template's"]);
    }

    #[test]
    fn counts_have_a_source_and_are_of_this_game() {
        assert_eq!(perft_faults("hex", "hex: 121 | by hand\n"), [""; 0]);
        for text in ["hex: 121\n", "hex: 121 |\n", "nim: 15 | by hand\nhex: 1 | x\n", "nightly hex: 121 | by hand\n"] {
            assert_eq!(perft_faults("hex", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_first_lesson_is_neither_short_nor_long() {
        let step = "[[lesson.step]]\ntitle = 'S'\ngame = 'nim'\ntask = 'Win.'\nwon = true\nright = 'Yes.'\n";
        let lesson = |n_steps: usize| format!("[[lesson]]\ntitle = 'L'\n{}", step.repeat(n_steps));
        assert_eq!(lesson_faults(&lesson(4)), [""; 0]);
        assert_eq!(lesson_faults(&lesson(10)), [""; 0]);
        for text in [lesson(3), lesson(11), "lesson = []".into(), "lesson = 1".into()] {
            assert_eq!(lesson_faults(&text).len(), 1, "{text}");
        }
        assert_eq!(about_faults("**Reading.** x\n\n**What was decided, and why.** y\n").len(), 1);
    }

    #[test]
    fn leftovers_are_found_with_their_line() {
        for (halves, _) in LEFTOVERS {
            let found = leftovers_of("a.rs", &format!("fine\n// {}\n", halves.concat()));
            assert!(found.len() == 1 && found[0].starts_with("a.rs:2: "), "{found:?}");
        }
        let lock = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\nsource = \"git+https://x\"\n";
        let found = lock_faults("Cargo.lock", lock, "source = \"", CRATES);
        assert_eq!(found, ["Cargo.lock:2: git+https://x is not registry+https://github.com/rust-lang/crates.io-index"]);
    }

    #[test]
    fn the_repository_is_tidy_except_for_the_games_files() {
        let root = workspace::root();
        assert_eq!(arrows(&root).unwrap(), [""; 0]);
        assert_eq!(leftovers(&root).unwrap(), [""; 0]);
    }
}
