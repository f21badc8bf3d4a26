//! The files of tests as one program: a program for each file takes longer to build, and more of the disk.

mod conformance;
// What is public beside the fuzz targets is private here.
#[allow(unreachable_pub)]
mod corpus;
mod endings;
mod lessons;
mod perft;
mod rulebook;
mod score_sheets;
mod seat_tones;
mod setups;
mod why_not;
