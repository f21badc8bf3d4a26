//! The committed corpora, for the tests that go through them.

use std::fs;
use std::path::Path;

/// What a target asks of a text; returns the sentence that the text is refused with, if it is.
pub type Check = fn(&str) -> Option<String>;

/// Asks `check` of every committed text of a target's corpus; returns the name of each and what `check` returned.
///
/// # Panics
/// Where it does not hold, saying of which text.
pub fn each(fuzz: &Path, target: &str, check: Check) -> Vec<(String, Option<String>)> {
    let folder = fuzz.join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name().into_string());
    let names = names.map(|name| name.expect("the names of the texts are ASCII"));
    // What a fuzzer has found here is named by its hash and not committed.
    let mut names: Vec<String> = names.filter(|name| !is_hash(name)).collect();
    assert!(!names.is_empty(), "{} holds nothing", folder.display());
    names.sort();
    let ask = |name: String| {
        let path = folder.join(&name);
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let asked = std::panic::catch_unwind(|| check(&text));
        let sentence = asked.unwrap_or_else(|_| panic!("it does not hold of {}", path.display()));
        (name, sentence)
    };
    names.into_iter().map(ask).collect()
}

fn is_hash(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|b| b.is_ascii_hexdigit())
}
