//! A balance sheet that fills game by game, of one variant of a game or of two, which are played in turn.

use raichi_arena::measure::PlayedGame;
use raichi_arena::runner::Meeting;
use raichi_arena::statistics::{Estimate, Mean};
use raichi_arena::{BalanceSheet, Sampling};
use serde::{Deserialize, Serialize};

use super::message::{
    BalanceRequest, BalanceView, CourseView, MeanView, PlayedGameView, ReachedView, RunProgress, SeatBalanceView,
    SheetView,
};
use super::work::{Work, damaged, game, not_too_long, within};
use crate::agents::Engines;
use crate::error::Refusal;

const MOST_VARIANTS: u64 = 2;
const MOST_GAMES: u64 = 20_000;
/// All games of a run have at most so many plies: an hour or so of random ones.
const MOST_PLIES: u64 = 200_000_000;
/// How often the course is noted: after a game, and each time that there are so many times as many.
const COURSE: f64 = 1.25;

/// Games as they are kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    variant: usize,
    games: Vec<PlayedGame>,
}

/// Games that measure one variant or two.
pub(super) struct Balance {
    variants: Vec<Variant>,
    n_games: u64,
    agent: String,
    /// Of the games that have ended.
    n_plies: u64,
    pub(super) most_plies: u64,
}

struct Variant {
    sampling: Sampling,
    /// How many of its games are kept.
    n_kept: usize,
    course: Vec<CourseView>,
}

impl Balance {
    pub(super) fn begin(request: &BalanceRequest, finished: &[String], engines: &Engines) -> Result<Balance, Refusal> {
        within("variants", request.variants.len() as u64, 1, MOST_VARIANTS)?;
        within("games", request.games, 1, MOST_GAMES)?;
        let agent = engines.in_a_run(&request.agent)?;
        let variant = |spec: &String| {
            let meeting = Meeting::new(game(spec)?, std::slice::from_ref(&agent))?;
            let sampling = Sampling::new(meeting, request.seed.into(), request.games);
            Ok(Variant { sampling, n_kept: 0, course: Vec::new() })
        };
        let mut variants = request.variants.iter().map(variant).collect::<Result<Vec<_>, Refusal>>()?;
        for kept in finished {
            let Kept { variant, games } = serde_json::from_str(kept).map_err(damaged)?;
            variants.get_mut(variant).ok_or_else(|| damaged("no such variant"))?.recall(games);
        }
        let games = variants.iter().flat_map(|variant| variant.sampling.games());
        let n_plies = games.map(|game| game.n_plies as u64).sum();
        let agent = engines.name_of(&agent);
        Ok(Balance { variants, n_games: request.games, agent, n_plies, most_plies: MOST_PLIES })
    }
}

impl Variant {
    fn recall(&mut self, games: Vec<PlayedGame>) {
        for game in games {
            self.sampling.recall([game]);
            self.note();
        }
        self.n_kept = self.sampling.games().len();
    }

    /// Takes note of what is known after the games so far, now and then.
    fn note(&mut self) {
        let games = self.sampling.games();
        let next = self.course.last().map_or(1.0, |last| (last.n_games as f64 * COURSE).max(last.n_games as f64 + 1.0));
        if (games.len() as f64) < next {
            return;
        }
        let n_seats = games[0].payoffs.len();
        let range = self.sampling.meeting().game().facts().payoff_range;
        let seats = (0..n_seats).map(|seat| share(games, seat, range)).collect();
        self.course.push(CourseView { n_games: games.len(), seats });
    }

    fn sheet(&self) -> Option<SheetView> {
        let game = self.sampling.meeting().game().as_ref();
        self.sampling.sheet().map(|sheet| told(PlayedGameView::of(game), sheet, self.course.clone()))
    }
}

/// The share of games that a seat won alone; what it was paid where it is alone, within `range` where that is known.
fn share(games: &[PlayedGame], seat: usize, range: Option<(f64, f64)>) -> MeanView {
    let paid = |game: &PlayedGame| game.payoffs[seat];
    if games[0].payoffs.len() == 1 {
        return Mean::payoff(&games.iter().map(paid).collect::<Vec<_>>(), range).into();
    }
    let won = |game: &&PlayedGame| {
        let others = (0..game.payoffs.len()).filter(|&other| other != seat);
        others.map(|other| game.payoffs[other]).all(|other| other < game.payoffs[seat])
    };
    Estimate::proportion(games.iter().filter(won).count() as f64, games.len()).into()
}

impl Work for Balance {
    fn advance(&mut self, enough: &mut dyn FnMut() -> bool) -> Result<Vec<String>, Refusal> {
        while !self.is_over() && !enough() {
            // The one with fewer games is next, so that both are known equally well.
            let next = self.variants.iter_mut().filter(|variant| !variant.sampling.is_over());
            let next = next.min_by_key(|variant| variant.sampling.games().len()).expect("it is not over");
            if next.sampling.step()? {
                self.n_plies += next.sampling.games().last().map_or(0, |game| game.n_plies as u64);
                next.note();
            }
            not_too_long(next.sampling.n_plies(), self.n_plies, self.most_plies)?;
        }
        let mut finished = Vec::new();
        for (variant, of) in self.variants.iter_mut().enumerate() {
            let games = of.sampling.games()[of.n_kept..].to_vec();
            of.n_kept += games.len();
            if !games.is_empty() {
                let kept = Kept { variant, games };
                finished.push(serde_json::to_string(&kept).expect("games are measured in finite numbers"));
            }
        }
        Ok(finished)
    }

    fn is_over(&self) -> bool {
        self.variants.iter().all(|variant| variant.sampling.is_over())
    }

    fn n_done(&self) -> u64 {
        self.variants.iter().map(|variant| variant.sampling.games().len() as u64).sum()
    }

    fn n_total(&self) -> Option<u64> {
        Some(self.n_games * self.variants.len() as u64)
    }

    fn progress(&self) -> RunProgress {
        let sheets = self.variants.iter().map(Variant::sheet).collect();
        RunProgress::Balance(BalanceView { agent: self.agent.clone(), sheets })
    }
}

fn told(of: PlayedGameView, sheet: BalanceSheet, course: Vec<CourseView>) -> SheetView {
    let seats = sheet.seats.iter();
    SheetView {
        of,
        n_games: sheet.n_games,
        seats: seats.map(|seat| SeatBalanceView { payoff: seat.payoff.into(), wins: seat.wins.into() }).collect(),
        decisive: sheet.decisive.map(Into::into),
        drawn: sheet.drawn.map(Into::into),
        length: [sheet.length.mean, sheet.length.deviation],
        lengths: sheet.length_histogram.iter().map(|bar| [bar.from, bar.to, bar.count as u64]).collect(),
        branching: [sheet.branching.mean, sheet.branching.deviation],
        most_actions: sheet.most_actions,
        lead_changes: sheet.lead_changes.map(Into::into),
        coverage: sheet.coverage.map(Into::into),
        reached: sheet.reached.map(|reached| ReachedView {
            what: reached.what,
            shares: reached.shares.into_iter().map(|(least, share)| (least, share.into())).collect(),
        }),
        ends: sheet.ends,
        course,
    }
}
