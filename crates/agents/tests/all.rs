//! The files of tests as one program, but those that need a process of their own (`Cargo.toml` names them): a program for each
//! file takes longer to build, and more of the disk.

mod agents;
// What is public beside the fuzz targets is private here.
#[allow(unreachable_pub)]
mod corpus;
mod kinds;
mod lessons;
mod levels;
mod perfect;
mod problems;
mod separately;
mod trained;
