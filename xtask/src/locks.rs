//! Lock files of the workspaces beside ours (`fuzz`, the peers of the benchmarks): nothing in `make test` builds these, so that
//! a dependency added to a crate would be missed in them until somebody fuzzes or compares.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Folders with a lock file of their own.
const BESIDE: [&str; 2] = ["bench/peers/rust", "fuzz"];

/// What the lock files beside ours do not know of our crates.
pub(crate) fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for folder in BESIDE {
        let lock = table(&root.join(folder).join("Cargo.lock"))?;
        for package in packages(&lock) {
            let Some(krate) = name(package).strip_prefix("raichi-") else { continue };
            // Packages of those workspaces themselves are not among the crates.
            let manifest = root.join("crates").join(krate).join("Cargo.toml");
            if manifest.exists() {
                let missing = missing(&table(&manifest)?, package);
                let of = |what: String| format!("{folder}/Cargo.lock: {krate} uses {what}; run `cargo metadata` there");
                faults.extend(missing.into_iter().map(of));
            }
        }
    }
    Ok(faults)
}

fn table(path: &Path) -> Result<toml::Table> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    text.parse().with_context(|| format!("{}", path.display()))
}

fn packages(lock: &toml::Table) -> impl Iterator<Item = &toml::Value> {
    lock.get("package").and_then(toml::Value::as_array).into_iter().flatten()
}

fn name(package: &toml::Value) -> &str {
    package.get("name").and_then(toml::Value::as_str).unwrap_or_default()
}

/// The dependencies of a manifest that its package in a lock file does not name. Optional ones need not be there.
fn missing(manifest: &toml::Table, package: &toml::Value) -> Vec<String> {
    let known = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
    // A version follows the name where there are several.
    let known: Vec<&str> = known.filter_map(|text| text.as_str()?.split(' ').next()).collect();
    let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let of_targets = targets.filter_map(|target| target.get("dependencies"));
    let declared =
        manifest.get("dependencies").into_iter().chain(of_targets).filter_map(toml::Value::as_table).flatten();
    let needed = declared.filter(|(_, how)| how.get("optional") != Some(&true.into()));
    let package = |(key, how): (&String, &toml::Value)| match how.get("package").and_then(toml::Value::as_str) {
        Some(renamed) => renamed.to_string(),
        None => key.clone(),
    };
    needed.map(package).filter(|name| !known.contains(&name.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_that_a_lock_file_does_not_know_is_found() {
        let manifest = "[target.'cfg(unix)'.dependencies]\nlibc = '1'\n[dependencies]\nrand.workspace = true\nbytes = { version = '1', optional = true }\n\
                        old = { version = '1', package = 'new' }"
            .parse()
            .unwrap();
        let lock: toml::Table = "[[package]]\nname = 'raichi-machine'\ndependencies = ['rand 0.10.1']".parse().unwrap();
        let package = packages(&lock).next().unwrap();
        assert_eq!(name(package), "raichi-machine");
        assert_eq!(missing(&manifest, package), ["new", "libc"]);
    }
}
