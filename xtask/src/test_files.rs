//! Files of tests that are parts of one program (`tests/all.rs`, or `main.rs` of a folder): one that it does not name would
//! never run, and nobody would notice.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The files of tests that no program has.
pub(crate) fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for krate in fs::read_dir(root.join("crates")).context("crates cannot be read")? {
        let krate = krate?.path();
        let tests = krate.join("tests");
        if !tests.is_dir() {
            continue;
        }
        let manifest = read(&krate.join("Cargo.toml"))?;
        if let Ok(program) = fs::read_to_string(tests.join("all.rs")) {
            faults.extend(missing(&names(&tests)?, &program, &manifest).map(|name| fault(&tests, name, "all.rs")));
        }
        for folder in fs::read_dir(&tests)? {
            let folder = folder?.path();
            if let Ok(program) = fs::read_to_string(folder.join("main.rs")) {
                faults.extend(missing(&names(&folder)?, &program, "").map(|name| fault(&folder, name, "main.rs")));
            }
        }
    }
    Ok(faults)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// The files of a folder that are Rust, without their ending.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let file = file?.file_name();
        names.extend(file.to_string_lossy().strip_suffix(".rs").map(str::to_owned));
    }
    Ok(names)
}

/// Those that are neither a module of the program nor a program of their own.
fn missing<'a>(names: &'a [String], program: &str, manifest: &str) -> impl Iterator<Item = &'a str> {
    let is_named = |name: &str| {
        let (module, own) = (format!("mod {name};"), format!("name = \"{name}\""));
        program.lines().any(|line| line == module) || manifest.lines().any(|line| line == own)
    };
    names.iter().map(String::as_str).filter(move |name| *name != "main" && !is_named(name))
}

fn fault(folder: &Path, name: &str, program: &str) -> String {
    format!("{}: no program has this file of tests: {program} wants `mod {name};`", folder.join(name).display())
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn a_file_that_no_program_has_is_found() {
        let names = ["all", "clocks", "memory", "new", "main"].map(String::from);
        let manifest = "[[test]]\nname = \"all\"\n\n[[test]]\nname = \"memory\"\n";
        let found: Vec<&str> = missing(&names, "mod common;\n\nmod clocks;\n// mod new;\n", manifest).collect();
        assert_eq!(found, ["new"]);
    }
}
