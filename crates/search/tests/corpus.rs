//! What the fuzz target asks of made-up agents, asked of the committed ones.

#[path = "../../../fuzz/src/agents.rs"]
pub mod agents;
#[path = "../../../fuzz/corpus.rs"]
pub mod corpus;

#[test]
fn agents_specs() {
    corpus::each("agent", agents::agent);
}
