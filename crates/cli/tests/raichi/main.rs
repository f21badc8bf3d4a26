//! The real binary, from outside.

mod commands;
mod old_records;
mod pipes;
mod play;
mod running;
mod serve;
