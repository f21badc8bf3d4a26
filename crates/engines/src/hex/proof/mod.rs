//! Proofs of who wins: see `search.rs`.

pub(crate) mod board;
mod circuit;
mod connections;
mod fill;
pub(crate) mod search;
#[cfg(test)]
mod tests;
