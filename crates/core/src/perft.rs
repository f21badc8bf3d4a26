//! Perft: the number of legal paths of exactly n plies, the field's check that two programs play the same game.
//! Games that end sooner are not counted. Outcomes of chance count like actions; where several seats may act, each
//! seat's actions are counted.

use crate::game::{Game, Phase};
use crate::information::Information;
use crate::path::{PathGame, PathState};
use crate::random::mix;

/// The number of legal paths of exactly `depth` plies from `state`, path by path; [`u64::MAX`] where there are so many or more.
///
/// The last ply is counted, not played ([`Game::count_actions`]).
pub fn perft<G: Information>(game: &PathGame<G>, state: &PathState<G>, depth: u32) -> u64 {
    count(game, state, &mut buffers(depth), &mut NoTable).unwrap_or(u64::MAX)
}

/// The same number, with a table of positions counted before: many paths lead to the same one.
///
/// The table compares whole positions, not keys alone, so the count is exact. Where the outcome depends on the path
/// (`path_dependent` of the facts) equal positions need not have equal counts, and it is not used.
pub fn perft_with_table<G: Information>(
    game: &PathGame<G>,
    state: &PathState<G>,
    depth: u32,
    table: &mut CountTable<G>,
) -> u64 {
    if game.facts().path_dependent {
        return perft(game, state, depth);
    }
    count(game, state, &mut buffers(depth), table).unwrap_or(u64::MAX)
}

/// Counts of positions: a direct-mapped table, in which the newest entry replaces what is in its place.
///
/// It begins small, so that a short count does not pay for a large table, and grows to its limit.
pub struct CountTable<G: Game> {
    entries: Vec<Option<Entry<G>>>,
    /// A power of two.
    most_entries: usize,
    /// Positions stored since it last grew.
    n_stored: usize,
}

struct Entry<G: Game> {
    key: u64,
    position: G::State,
    depth: u32,
    count: u64,
}

impl<G: Game> CountTable<G> {
    const FEWEST: usize = 1 << 10;
    const GROWTH: usize = 8;
    /// Measured on Connect Four: a table that grows sooner leaves the processor's caches before that pays.
    const STORED_PER_ENTRY: usize = 2;

    /// A table of at most `bytes`, beside what positions keep on the heap.
    pub fn of_size(bytes: usize) -> Self {
        let most_entries = 1 << (bytes / size_of::<Option<Entry<G>>>()).max(1).ilog2();
        let n_entries = most_entries.min(Self::FEWEST);
        CountTable { entries: empty(n_entries), most_entries, n_stored: 0 }
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let n_entries = (self.entries.len() * Self::GROWTH).min(self.most_entries);
        for entry in std::mem::replace(&mut self.entries, empty(n_entries)).into_iter().flatten() {
            let slot = self.slot(entry.key);
            self.entries[slot] = Some(entry);
        }
        self.n_stored = 0;
    }
}

fn empty<G: Game>(n_entries: usize) -> Vec<Option<Entry<G>>> {
    std::iter::repeat_with(|| None).take(n_entries).collect()
}

/// Where counts of positions are kept.
trait Counts<G: Game> {
    /// What a position is found by, computed once.
    type Key: Copy;
    fn key(game: &G, position: &G::State, depth: u32) -> Self::Key;
    fn get(&self, key: Self::Key, position: &G::State, depth: u32) -> Option<u64>;
    fn put(&mut self, key: Self::Key, position: &G::State, depth: u32, count: u64);
}

struct NoTable;

impl<G: Game> Counts<G> for NoTable {
    type Key = ();
    #[inline]
    fn key(_game: &G, _position: &G::State, _depth: u32) {}
    #[inline]
    fn get(&self, (): (), _position: &G::State, _depth: u32) -> Option<u64> {
        None
    }
    #[inline]
    fn put(&mut self, (): (), _position: &G::State, _depth: u32, _count: u64) {}
}

impl<G: Game> Counts<G> for CountTable<G> {
    type Key = u64;

    #[inline]
    fn key(game: &G, position: &G::State, depth: u32) -> u64 {
        // The same position counted to another depth is another entry. Not every game's key has good low bits.
        mix(game.key(position) ^ u64::from(depth))
    }

    #[inline]
    fn get(&self, key: u64, position: &G::State, depth: u32) -> Option<u64> {
        let entry = self.entries[self.slot(key)].as_ref()?;
        (entry.key == key && entry.depth == depth && entry.position == *position).then_some(entry.count)
    }

    #[inline]
    fn put(&mut self, key: u64, position: &G::State, depth: u32, count: u64) {
        self.n_stored += 1;
        if self.n_stored > Self::STORED_PER_ENTRY * self.entries.len() && self.entries.len() < self.most_entries {
            self.grow();
        }
        let slot = self.slot(key);
        self.entries[slot] = Some(Entry { key, position: position.clone(), depth, count });
    }
}

struct Buffers<G: Game> {
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
}

// One buffer a ply still to go, so that nothing is allocated on the way.
fn buffers<G: Game>(depth: u32) -> Vec<Buffers<G>> {
    (0..depth).map(|_| Buffers { actions: Vec::new(), outcomes: Vec::new() }).collect()
}

// `None` where there are more paths than a `u64` holds: a table makes so deep counts cheap. What is above ends at once then.
fn count<G: Information, T: Counts<G>>(
    game: &PathGame<G>,
    state: &PathState<G>,
    buffers: &mut [Buffers<G>],
    table: &mut T,
) -> Option<u64> {
    let depth = buffers.len() as u32;
    let (buffer, deeper) = match buffers {
        [] => return Some(1),
        [last] => return Some(count_last(game, state, last)),
        [deeper @ .., buffer] => (buffer, deeper),
    };
    let key = T::key(game.game(), state.position(), depth);
    if let Some(count) = table.get(key, state.position(), depth) {
        return Some(count);
    }
    let mut total = 0_u64;
    let mut next = state.clone();
    match game.phase(state) {
        Phase::Over => {}
        Phase::Chance => {
            buffer.outcomes.clear();
            game.outcomes(state, &mut buffer.outcomes);
            for &(outcome, _) in &buffer.outcomes {
                next.clone_from(state);
                game.apply_outcome(&mut next, outcome);
                total = total.checked_add(match deeper {
                    [last] => count_last(game, &next, last),
                    _ => count(game, &next, deeper, table)?,
                })?;
            }
        }
        Phase::Act(seats) => {
            for seat in seats.iter() {
                buffer.actions.clear();
                game.legal_actions(state, seat, &mut buffer.actions);
                for &action in &buffer.actions {
                    next.clone_from(state);
                    game.apply(&mut next, seat, action);
                    // Without a further call, since nearly all of the time goes there.
                    total = total.checked_add(match deeper {
                        [last] => count_last(game, &next, last),
                        _ => count(game, &next, deeper, table)?,
                    })?;
                }
            }
        }
    }
    table.put(key, state.position(), depth, total);
    Some(total)
}

// The last ply: what may happen is counted, and no table is asked.
#[inline]
fn count_last<G: Information>(game: &PathGame<G>, state: &PathState<G>, buffer: &mut Buffers<G>) -> u64 {
    match game.phase(state) {
        Phase::Over => 0,
        Phase::Chance => {
            buffer.outcomes.clear();
            game.outcomes(state, &mut buffer.outcomes);
            buffer.outcomes.len() as u64
        }
        Phase::Act(seats) => {
            let actions = |seat| game.count_actions(state, seat, &mut buffer.actions) as u64;
            seats.iter().map(actions).sum()
        }
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
