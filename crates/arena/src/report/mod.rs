//! What was found, as text for a terminal and as self-contained pages with plots.
//!
//! [`mod@balance`] prints a balance sheet, [`standings`] the tables of a match, [`tournament`] a whole tournament with the
//! games that [`sample`] chose, [`training`] the curves of training runs, [`mod@print`] sheets for paper. Pages share a
//! template (`page`), the page's colours (`tones`), plots (`plots`) and drawings of positions (`drawing`, `stepper`).

pub mod balance;
pub mod print;
pub mod sample;
pub mod standings;
pub mod tournament;
pub mod training;

mod drawing;
mod page;
mod plots;
mod stepper;
mod tones;
