//! The committed corpora, for the tests that guard them.

use std::fs;
use std::path::Path;

/// Asks `check` of every committed text of a target's corpus, and says which one it does not hold of.
pub fn each(target: &str, check: fn(&str)) {
    let files = files(target);
    assert!(!files.is_empty(), "fuzz/corpus/{target} holds nothing");
    for (name, text) in files {
        let asked = std::panic::catch_unwind(|| check(&text));
        assert!(asked.is_ok(), "it does not hold of fuzz/corpus/{target}/{name}");
    }
}

/// The names and texts.
fn files(target: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name().into_string());
    let names = names.map(|name| name.expect("whoever commits a file names it in ASCII"));
    // What a fuzzer has found here is named by its hash and not committed.
    let mut names: Vec<String> = names.filter(|name| !is_hash(name)).collect();
    names.sort();
    let text = |name: &String| fs::read_to_string(folder.join(name)).unwrap_or_else(|why| panic!("{name}: {why}"));
    names.iter().map(|name| (name.clone(), text(name))).collect()
}

fn is_hash(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|b| b.is_ascii_hexdigit())
}
