//! The real binary, from outside.

mod commands;
mod pipes;
mod play;
mod running;
mod serve;
