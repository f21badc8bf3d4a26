//! What the fuzz target asks of made-up agents, asked of the committed ones.

#[path = "../../../fuzz/src/agents.rs"]
mod agents;
#[path = "../../../fuzz/corpus.rs"]
mod committed;

use std::path::Path;

#[test]
fn agents_specs() {
    committed::each(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz"), "agent", agents::agent);
}
