//! Ensures that there is a page to embed: where `web/dist` has not been built, a small one that says how to.

use std::fs;
use std::path::Path;

const PLACEHOLDER: &str = r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Raichi</title>
  </head>
  <body>
    <h1>Raichi</h1>
    <p>The server runs, but its page was not built. In the repository's folder:</p>
    <pre>make page && cargo build</pre>
    <p>or <code>make run</code>, which does both and starts the server.</p>
  </body>
</html>
"#;

fn main() -> std::io::Result<()> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    let index = dist.join("index.html");
    if !index.exists() {
        fs::create_dir_all(&dist)?;
        fs::write(&index, PLACEHOLDER)?;
    }
    println!("cargo::rerun-if-changed={}", dist.display());
    println!("cargo::rerun-if-changed=migrations");
    Ok(())
}
