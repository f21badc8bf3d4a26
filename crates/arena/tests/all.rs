//! The files of tests as one program: a program for each file takes longer to build, and more of the disk.

mod contest;
mod golden;
