//! The real binary, from outside.

mod commands;
mod contest;
mod database;
mod old_records;
mod pipes;
mod play;
mod running;
mod serve;
mod serving;
