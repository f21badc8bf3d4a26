//! The real binary, from outside.

mod commands;
mod contest;
mod database;
mod learning;
mod old_records;
mod pipes;
mod play;
mod running;
mod serve;
mod serving;
