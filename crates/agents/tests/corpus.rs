//! What the fuzz target asks of made-up agents, asked of the committed ones.

#[path = "../../../fuzz/src/agents.rs"]
pub mod agents;
#[path = "../../../fuzz/corpus.rs"]
pub mod corpus;

use std::path::Path;

#[test]
fn agents_specs() {
    corpus::each(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz"), "agent", agents::agent);
}
