//! Perft: the number of legal paths of exactly n plies, the field's check that two programs play the same game.
//! Games that end sooner are not counted. Outcomes of chance count like actions; where several seats may act, each
//! seat's actions are counted.

use crate::game::{Game, Phase};
use crate::information::Information;
use crate::path::{PathGame, PathState};

/// The number of legal paths of exactly `depth` plies from `state`.
///
/// The last ply is counted, not played ([`Game::count_actions`]).
pub fn perft<G: Information>(game: &PathGame<G>, state: &PathState<G>, depth: u32) -> u64 {
    let mut buffers: Vec<Buffers<G>> =
        (0..depth).map(|_| Buffers { actions: Vec::new(), outcomes: Vec::new() }).collect();
    count(game, state, &mut buffers)
}

struct Buffers<G: Game> {
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
}

// One buffer a ply still to go, so that nothing is allocated on the way.
fn count<G: Information>(game: &PathGame<G>, state: &PathState<G>, buffers: &mut [Buffers<G>]) -> u64 {
    let Some((buffer, deeper)) = buffers.split_last_mut() else { return 1 };
    let mut total = 0;
    match game.phase(state) {
        Phase::Over => {}
        Phase::Chance => {
            buffer.outcomes.clear();
            game.outcomes(state, &mut buffer.outcomes);
            if deeper.is_empty() {
                return buffer.outcomes.len() as u64;
            }
            for &(outcome, _) in &buffer.outcomes {
                let mut next = state.clone();
                game.apply_outcome(&mut next, outcome);
                total += count(game, &next, deeper);
            }
        }
        Phase::Act(seats) => {
            for seat in seats.iter() {
                if deeper.is_empty() {
                    total += game.count_actions(state, seat, &mut buffer.actions) as u64;
                    continue;
                }
                buffer.actions.clear();
                game.legal_actions(state, seat, &mut buffer.actions);
                for &action in &buffer.actions {
                    let mut next = state.clone();
                    game.apply(&mut next, seat, action);
                    total += match deeper {
                        [last] => count_last(game, &next, last),
                        _ => count(game, &next, deeper),
                    };
                }
            }
        }
    }
    total
}

// The last ply, where nearly all of the time goes: one seat, as nearly always, is counted without a further call.
#[inline]
fn count_last<G: Information>(game: &PathGame<G>, state: &PathState<G>, buffer: &mut Buffers<G>) -> u64 {
    match game.phase(state) {
        Phase::Over => 0,
        Phase::Act(seats) if seats.len() == 1 => game.count_actions(state, seats.first(), &mut buffer.actions) as u64,
        _ => count(game, state, std::slice::from_mut(buffer)),
    }
}

/// One line of a game's `perft.txt`: published or independently found counts.
///
/// A line reads `[nightly] SPEC [after HISTORY]: COUNT COUNT … | SOURCE`, the counts from ply 1 on, `-` for one that is
/// not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCounts {
    /// The game.
    pub spec: String,
    /// The plies before the first one counted.
    pub history: String,
    /// The counts, from depth 1.
    pub counts: Vec<Option<u64>>,
    /// Who found them.
    pub source: String,
    /// Whether the line is left to the long run.
    pub nightly: bool,
}

impl KnownCounts {
    /// Reads a whole `perft.txt`; empty lines and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// Names the first line that is not of the form.
    ///
    /// ```
    /// use raichi_core::perft::KnownCounts;
    /// let known = KnownCounts::parse("# SPEC: COUNTS | SOURCE\nnim after a1: 14 - | by hand\n").unwrap();
    /// assert_eq!((known[0].history.as_str(), known[0].counts.as_slice()), ("a1", &[Some(14), None][..]));
    /// assert!(KnownCounts::parse("nim: 15").unwrap_err().contains("line 1"));
    /// ```
    pub fn parse(text: &str) -> Result<Vec<KnownCounts>, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        lines.map(|(i, line)| KnownCounts::parse_line(line).map_err(|why| format!("line {}: {why}", i + 1))).collect()
    }

    fn parse_line(line: &str) -> Result<KnownCounts, String> {
        let (nightly, line) = line.strip_prefix("nightly ").map_or((false, line), |line| (true, line));
        let (line, source) = line.split_once('|').ok_or("no source: `| who found them` is missing")?;
        let (start, counts) = line.rsplit_once(": ").ok_or("no counts: `SPEC: COUNT COUNT …` is wanted")?;
        let (spec, history) = start.split_once(" after ").unwrap_or((start, ""));
        let count = |word: &str| match word {
            "-" => Ok(None),
            number => number.parse().map(Some).map_err(|_| format!("`{number}` is neither a count nor -")),
        };
        let counts: Vec<Option<u64>> = counts.split_whitespace().map(count).collect::<Result<_, _>>()?;
        Ok(KnownCounts { spec: spec.into(), history: history.into(), counts, source: source.trim().into(), nightly })
    }

    /// The count known for a depth from 0.
    pub fn at(&self, depth: u32) -> Option<u64> {
        if depth == 0 { Some(1) } else { *self.counts.get(depth as usize - 1)? }
    }
}
