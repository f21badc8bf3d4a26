//! `cargo xtask new-game ID`: the files of a game, and its place in the registry.
//!
//! The template is a whole small game, in `xtask/template`, which this crate's tests play: what is written compiles and
//! passes. Its name is replaced by the new one; the rest is for the author to replace, file by file.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

const FILES: [(&str, &str); 11] = [
    ("mod.rs", include_str!("../template/mod.rs")),
    ("rules.rs", include_str!("../template/rules.rs")),
    ("notation.rs", include_str!("../template/notation.rs")),
    ("encode.rs", include_str!("../template/encode.rs")),
    ("view.rs", include_str!("../template/view.rs")),
    ("tests.rs", include_str!("../template/tests.rs")),
    ("rules.md", include_str!("../template/rules.md")),
    ("lesson.toml", include_str!("../template/lesson.toml")),
    ("problems.toml", include_str!("../template/problems.toml")),
    ("about.md", include_str!("../template/about.md")),
    ("perft.txt", include_str!("../template/perft.txt")),
];

pub(crate) fn run(root: &Path, id: &str) -> Result<()> {
    let names = Names::of(id)?;
    let folder = workspace::games(root).join(&names.folder);
    ensure!(!folder.exists(), "{} is there already", folder.display());

    let library = workspace::games(root).join("lib.rs");
    let text = fs::read_to_string(&library).with_context(|| format!("{} cannot be read", library.display()))?;
    let registered = registered(&text, &names)?;

    fs::create_dir(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    for (file, template) in FILES {
        fs::write(folder.join(file), names.fill_in(template))?;
    }
    fs::write(&library, registered)?;
    format(&folder);
    println!(
        "{} is a small whole game called {}. Make it yours, file by file, beginning with mod.rs; then\n\
         `cargo test -p raichi-games`, `cargo xtask golden {id}`, `cargo xtask tidy`.",
        folder.display(),
        names.name,
    );
    Ok(())
}

// Lines with a longer name may have to be broken. Where there is no rustfmt, `make test` finds it.
fn format(folder: &Path) {
    let files = FILES.iter().map(|(file, _)| folder.join(file)).filter(|path| path.extension() == Some("rs".as_ref()));
    let done = Command::new("rustfmt").args(["--edition", "2024"]).args(files).status();
    if !done.is_ok_and(|status| status.success()) {
        println!("rustfmt did not run: `cargo fmt` before you commit");
    }
}

/// What the new game is called where.
struct Names {
    /// In specs: `french-military`.
    id: String,
    /// The module: `french_military`.
    folder: String,
    /// The type: `FrenchMilitary`.
    game: String,
    /// For people: `French Military`.
    name: String,
}

impl Names {
    fn of(id: &str) -> Result<Names> {
        let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let letter_first = id.starts_with(|c: char| c.is_ascii_lowercase());
        ensure!(
            letter_first && id.split('-').all(word),
            "`{id}` is no id: small letters and digits, a letter first, with single hyphens between words"
        );
        ensure!(!KEYWORDS.contains(&id), "`{id}` is a word of Rust and cannot be a module; choose another id");
        let words: Vec<String> = id.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        Ok(Names { id: id.into(), folder: id.replace('-', "_"), game: words.concat(), name: words.join(" ") })
    }

    fn fill_in(&self, template: &str) -> String {
        template.replace("take-away", &self.id).replace("TakeAway", &self.game).replace("Take Away", &self.name)
    }
}

// Those that are written in small letters and are long enough to be an id.
const KEYWORDS: [&str; 47] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "unsafe", "use", "where", "while",
];

/// The library with one module line and one registry line more: modules in the order of their names, the registry in the
/// order of ids, as a lobby shows them.
fn registered(library: &str, names: &Names) -> Result<String> {
    let module = |line: &str| line.strip_prefix("pub mod ")?.strip_suffix(';').map(String::from);
    let library = insert(library, "pub mod ", module, &names.folder, &format!("pub mod {};", names.folder))?;
    let mut inside = false;
    let entry = |text: &str| {
        inside = (inside || text.starts_with("registry! {")) && text != "}";
        let folder = text.strip_prefix("    ").filter(|_| inside)?.strip_suffix(',')?.split("::").next()?;
        Some(id_of(folder))
    };
    insert(&library, "registry! {", entry, &names.id, &format!("    {}::{},", names.folder, names.game))
}

/// The id of the game in a folder; of one that is not built in yet, as a new game's folder is named after its id.
fn id_of(folder: &str) -> String {
    let built_in = raichi_games::ROOMS.iter().find(|rooms| rooms.folder == folder).map(|rooms| rooms.id.into());
    built_in.unwrap_or_else(|| folder.replace('_', "-"))
}

/// `text` with `line` put before the first of the lines with a key that sorts after `key`, or behind the last of them.
fn insert(
    text: &str,
    what: &str,
    mut key_of: impl FnMut(&str) -> Option<String>,
    key: &str,
    line: &str,
) -> Result<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let list: Vec<(usize, String)> = (0..lines.len()).filter_map(|i| Some((i, key_of(lines[i])?))).collect();
    let Some((last, _)) = list.last() else { bail!("the games' lib.rs has no line `{what}` to put another beside") };
    let place = list.iter().find(|(_, other)| other.as_str() > key).map_or(last + 1, |(i, _)| *i);
    lines.insert(place, line);
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn names_follow_from_the_id() {
        let names = Names::of("french-military9").unwrap();
        assert_eq!((names.folder.as_str(), names.game.as_str()), ("french_military9", "FrenchMilitary9"));
        assert_eq!(
            names.fill_in("take-away TakeAway, Take Away"),
            "french-military9 FrenchMilitary9, French Military9"
        );
        for bad in ["", "Hex", "2048", "a--b", "a-", "-a", "a_b", "é", "match"] {
            assert!(Names::of(bad).is_err(), "{bad}");
        }
    }

    /// A part of the games' list, so that a game may be added to the real one anywhere.
    const LIBRARY: &str = "\
//! Games.

pub mod french_military;
pub mod leduc_poker;
pub mod twenty_forty_eight;
pub mod yavalath;

registry! {
    twenty_forty_eight::TwentyFortyEight,
    french_military::FrenchMilitary,
    leduc_poker::LeducPoker,
    yavalath::Yavalath,
}
";

    #[test]
    fn lines_are_put_in_order() {
        for (id, module_before, entry_before) in [
            ("aardvark", None, Some("twenty_forty_eight::TwentyFortyEight")),
            ("my-game", Some("leduc_poker"), Some("leduc_poker::LeducPoker")),
            ("go", Some("french_military"), Some("french_military::FrenchMilitary")),
            ("zebra", Some("yavalath"), Some("yavalath::Yavalath")),
        ] {
            let names = Names::of(id).unwrap();
            let registered = registered(LIBRARY, &names).unwrap();
            let (module, entry) =
                (format!("pub mod {};\n", names.folder), format!("    {}::{},\n", names.folder, names.game));
            assert_eq!(registered.replacen(&module, "", 1).replacen(&entry, "", 1), LIBRARY, "{id}: one line each");
            let stands_after = |line: &str, before: Option<String>| match before {
                Some(before) => registered.contains(&format!("{before}{line}")),
                None => registered.contains(&format!("\n\n{line}")),
            };
            assert!(
                stands_after(&module, module_before.map(|name| format!("pub mod {name};\n"))),
                "{id}: {registered}"
            );
            assert!(stands_after(&entry, entry_before.map(|name| format!("    {name},\n"))), "{id}: {registered}");
        }
        let nothing = registered("registry! {\n}\n", &Names::of("go").unwrap());
        assert!(nothing.unwrap_err().to_string().contains("no line `pub mod `"));
    }

    #[test]
    fn a_game_is_written_once() {
        let root = tempfile::tempdir().unwrap();
        let games = workspace::games(root.path());
        fs::create_dir_all(&games).unwrap();
        fs::copy(workspace::games(&workspace::root()).join("lib.rs"), games.join("lib.rs")).unwrap();
        run(root.path(), "brand-new").unwrap();
        let library = fs::read_to_string(games.join("lib.rs")).unwrap();
        assert!(
            library.contains("pub mod brand_new;\n") && library.contains("    brand_new::BrandNew,\n"),
            "{library}"
        );
        for (file, _) in FILES {
            let text = fs::read_to_string(games.join("brand_new").join(file)).unwrap();
            assert!(!text.contains("take-away") && !text.contains("TakeAway"), "{file}: {text}");
        }
        assert!(run(root.path(), "brand-new").unwrap_err().to_string().contains("is there already"));
    }

    #[test]
    fn the_template_keeps_the_laws() {
        use raichi_core::conformance::{Effort, check};
        use raichi_core::erased::create;
        for spec in [None, Some("size=1"), Some("size=30,take=7"), Some("misere=true")] {
            let game = Arc::new(create::<crate::template::TakeAway>(spec).unwrap());
            (0..20).for_each(|seed| check(&game, seed, Effort { max_plies: 100, n_looks: 10, n_draws: 3 }));
        }
    }

    #[test]
    fn the_templates_lesson_is_true_to_its_rules() {
        use raichi_core::Entry;
        use raichi_core::lesson::Course;
        let course = Course::parse(include_str!("../template/lesson.toml")).unwrap();
        for step in &course.lesson[0].step {
            let (_, params) = raichi_core::erased::split_spec(&step.game);
            let game = (Entry::of::<crate::template::TakeAway>().create)(params).unwrap();
            assert_eq!(step.faults(&*game), [""; 0], "{}", step.title);
        }
    }

    #[test]
    fn the_templates_counts_hold() {
        use raichi_core::erased::create;
        use raichi_core::perft::{KnownCounts, perft};
        for known in KnownCounts::parse(include_str!("../template/perft.txt")).unwrap() {
            let (_, params) = raichi_core::erased::split_spec(&known.spec);
            let game = create::<crate::template::TakeAway>(params).unwrap();
            let start = game.initial_state();
            for (depth, count) in (1..).zip(&known.counts) {
                assert_eq!(Some(perft(&game, &start, depth)), *count, "{} {depth}", known.spec);
            }
        }
    }
}
