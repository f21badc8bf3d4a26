//! Core, games, search and learn use nothing of the machine: no clock, thread, file, environment, network or system randomness.
//!
//! So they run in a browser, and the same seed gives the same game. This looks for names in the sources; their tests may
//! use what they like. [`std::time::Duration`] is a number and no clock.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const CRATES: [&str; 4] = ["core", "games", "search", "learn"];

/// Names that may not be used, and what they are.
const FORBIDDEN: [(&str, &str); 25] = [
    ("Instant", "a clock"),
    ("SystemTime", "a clock"),
    ("UNIX_EPOCH", "a clock"),
    ("std::thread", "a thread"),
    ("thread::", "a thread"),
    ("thread_local!", "a thread"),
    ("std::fs", "a file"),
    ("std::io", "a file"),
    ("std::path", "a file"),
    ("std::os", "the system"),
    ("std::env", "the environment"),
    ("std::net", "the network"),
    ("std::process", "the system"),
    ("print!", "the terminal"),
    ("println!", "the terminal"),
    ("eprint!", "the terminal"),
    ("eprintln!", "the terminal"),
    ("getrandom", "system randomness"),
    ("rand::rng", "system randomness"),
    ("rand::random", "system randomness"),
    ("thread_rng", "system randomness"),
    ("ThreadRng", "system randomness"),
    ("OsRng", "system randomness"),
    ("SysRng", "system randomness"),
    ("from_entropy", "system randomness"),
];

/// Each use of a forbidden name, with its place.
pub(crate) fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for name in CRATES {
        let mut files = Vec::new();
        list(&root.join("crates").join(name).join("src"), &mut files)?;
        let mut sources = Vec::new();
        for path in files {
            let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            sources.push((path, text));
        }
        let for_tests: BTreeSet<PathBuf> = sources.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
        for (path, text) in &sources {
            if !for_tests.iter().any(|module| path.starts_with(module) || *path == module.with_extension("rs")) {
                let path = path.strip_prefix(root).unwrap_or(path).display().to_string();
                faults.extend(faults_of(&path, text));
            }
        }
    }
    Ok(faults)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

const FOR_TESTS: &str = "#[cfg(test)]";

/// The modules that the file at `path` declares for tests only, as paths without an extension.
fn test_modules(path: &Path, text: &str) -> Vec<PathBuf> {
    let is_root = path.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib");
    let folder = if is_root { path.parent().unwrap_or(path).into() } else { path.with_extension("") };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = |pair: &[&str]| match pair {
        [FOR_TESTS, declaration] => Some(declaration.split_once("mod ")?.1.strip_suffix(';')?.to_string()),
        _ => None,
    };
    lines.windows(2).filter_map(declared).map(|module| folder.join(module)).collect()
}

fn faults_of(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((i, line)) = lines.next() {
        if line.trim() == FOR_TESTS {
            skip_item(&mut lines);
            continue;
        }
        let code = line.split_once("//").map_or(line, |(code, _)| code);
        for (forbidden, what) in FORBIDDEN {
            if uses(code, forbidden) {
                faults.push(format!("{name}:{}: `{forbidden}`: {what} comes in from outside here", i + 1));
            }
        }
    }
    faults
}

/// Skips what follows an attribute: one line, or all up to the bracket that ends it. The sources are formatted.
fn skip_item<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) {
    let Some((_, first)) = lines.find(|(_, line)| !line.trim_start().starts_with("#[")) else { return };
    if !first.trim_end().ends_with(';') {
        let indent = &first[..first.len() - first.trim_start().len()];
        let end = format!("{indent}}}");
        lines.find(|(_, line)| line.trim_end() == end);
    }
}

/// Whether `code` has `name` in it as a whole word, or as a member of a group: `std::{fs, env}` uses `std::fs`.
fn uses(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |text: &str, name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !before.ends_with(is_word) && (!name.ends_with(is_word) || !after.starts_with(is_word))
        })
    };
    let grouped = name.split_once("::").is_some_and(|(first, member)| {
        let group = format!("{first}::{{");
        code.split_once(&group).is_some_and(|(_, members)| whole(members, member))
    });
    whole(code, name) || grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn what_belongs_to_the_machine_is_found_with_its_line() {
        for line in [
            "use std::time::{Duration, Instant};",
            "let now = SystemTime::now();",
            "std::thread::sleep(pause);",
            "use std::thread;",
            "thread::spawn(|| {});",
            "use std::{collections::HashMap, fs};",
            "let text = std::fs::read_to_string(path);",
            "if std::env::var_os(\"X\").is_some() {",
            "use std::net::TcpStream;",
            "std::process::exit(1);",
            "getrandom::fill(&mut bytes);",
            "let mut rng = rand::rng();",
            "let mut rng = SmallRng::from_rng(&mut OsRng);",
            "thread_rng().random()",
            "println!(\"{state:?}\");",
        ] {
            let found = faults_of("a.rs", &format!("fn fine() {{}}\n{line}\n"));
            assert!(!found.is_empty() && found[0].starts_with("a.rs:2: "), "{line}: {found:?}");
        }
    }

    #[test]
    fn durations_other_words_comments_and_tests_are_fine() {
        for text in [
            "use std::time::Duration;\n",
            "// An Instant would be a clock; so would std::time::SystemTime.\n",
            "struct Instantly;\nfn n_threads(thread: u64) -> usize {\n    thread\n}\n",
            "let text = env!(\"CARGO_PKG_NAME\");\n",
            "use rand::Rng;\nuse crate::{fs, env};\n",
            "#[cfg(test)]\nuse std::thread;\n\nfn fine() {}\n",
            "    #[cfg(test)]\n    #[allow(unused)]\n    mod tests {\n        fn f() {\n            Instant::now();\n        }\n    }\n",
        ] {
            assert_eq!(faults_of("a.rs", text), [""; 0], "{text}");
        }
        let after = "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\nuse std::env;\n";
        assert_eq!(faults_of("a.rs", after).len(), 1, "code after the tests counts");
    }

    #[test]
    fn modules_for_tests_are_named_by_their_path() {
        let text = "mod rules;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\npub(super) mod reference;\n";
        let named = |path: &str| test_modules(Path::new(path), text);
        assert_eq!(named("hex/mod.rs"), [PathBuf::from("hex/tests"), PathBuf::from("hex/reference")]);
        assert_eq!(named("hex/rules.rs")[0], PathBuf::from("hex/rules/tests"));
    }

    #[test]
    fn core_games_and_search_use_nothing_of_the_machine() {
        assert_eq!(faults(&workspace::root()).unwrap(), [""; 0]);
    }
}
