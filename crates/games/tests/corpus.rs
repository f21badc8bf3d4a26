//! What the fuzz targets ask of made-up texts, asked of the committed ones.

#[path = "../../../fuzz/corpus.rs"]
pub mod corpus;
#[path = "../../../fuzz/src/games.rs"]
pub mod games;

#[test]
fn specs() {
    corpus::each("spec", games::spec);
}

#[test]
fn histories() {
    corpus::each("history", games::history);
}

#[test]
fn records() {
    corpus::each("record", games::record);
}

#[test]
fn choices() {
    corpus::each("choice", games::choice);
}
