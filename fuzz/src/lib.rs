//! What is asked of the texts that a fuzzer makes up: a function a target.

pub mod agents;
pub mod games;
