//! What needs `unsafe`, behind safe functions, each with its reason.
//!
//! Here is nothing of games, search or learning: only memory and arithmetic. [`SharedTree`] is a tree of fixed size
//! that several threads read and grow at the same time without locks; the standard library has no container that is
//! written once by one thread while others read, keeps its entries side by side and allocates nothing after the start.
//! [`Zeroed`] is memory that costs nothing until it is touched; the library has that for plain integers only.
//! [`Map`] reads a file as memory. [`prefetch`] asks for memory before it is read, [`with_room`] for large pages. [`matrix`]
//! multiplies matrices with instructions that not every processor has, [`byte_matrix`] those of bytes; [`Instructions`] compiles
//! what it is given for them.
//!
//! All else in the workspace denies `unsafe`.

#![allow(unsafe_code, reason = "this is the crate that has it")]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

pub mod byte_matrix;
mod instructions;
mod map;
pub mod matrix;
mod prefetch;
mod room;
mod shared_tree;
mod words;
mod zeroed;

pub use instructions::{Body, Choice, InstructionSet, Instructions, Portable, V3, V4};
pub use map::Map;
pub use prefetch::prefetch;
pub use room::with_room;
pub use shared_tree::{Entries, Entry, Family, Head, Record, SharedTree, Start, Starts};
pub use words::{Sixteen, Sums, Words};
pub use zeroed::{Zero, Zeroed};
