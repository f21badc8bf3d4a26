//! What is legal: why not, listed, counted, and drawn at random.

use arrayvec::ArrayVec;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;

use super::pile::{LEAST, NEUTRAL, Pile, Portion};
use super::rules::{Action, N_PILES, State};

/// How often an action is drawn from a little more than the legal ones before these are listed.
const DRAWS: usize = 64;

/// Why an action is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The pile is untouched, and an untouched one before it in the order of letters is to be named first.
    NotNextPile,
    StockEmpty,
    SamePile,
    NoStones,
    StonesMissing,
    ColourGone,
    PileSmall,
    Balanced,
    Exchanged,
    Reversed,
    NotStuck,
}

impl State {
    /// Why the seat to act may not do this.
    #[inline]
    pub(super) fn fault(&self, action: Action) -> Option<Fault> {
        match action {
            Action::Place { pile } => self.place_fault(pile),
            Action::Move { .. } if self.barred == Some(action) => Some(Fault::Reversed),
            Action::Move { from, to, own, neutral } => self.move_fault(from, to, Portion { own, neutral }),
            Action::Pass => (self.n_places() + self.n_moves() > 0).then_some(Fault::NotStuck),
        }
    }

    #[inline]
    fn place_fault(&self, pile: u8) -> Option<Fault> {
        let Some(before) = self.nameable().get(usize::from(pile)) else { return Some(Fault::NotNextPile) };
        if self.stocks[self.seat()] == 0 {
            return Some(Fault::StockEmpty);
        }
        before.plus(self.seat(), Portion::ONE).is_balanced().then_some(Fault::Balanced)
    }

    #[inline]
    pub(super) fn move_fault(&self, from: u8, to: u8, portion: Portion) -> Option<Fault> {
        let piles = self.nameable();
        let (Some(&source), Some(&destination)) = (piles.get(usize::from(from)), piles.get(usize::from(to))) else {
            return Some(Fault::NotNextPile);
        };
        if from == to {
            return Some(Fault::SamePile);
        }
        if portion == Portion::NOTHING {
            return Some(Fault::NoStones);
        }
        if !source.holds(self.seat(), portion) {
            return Some(Fault::StonesMissing);
        }
        let (rest, grown) = (source.minus(self.seat(), portion), destination.plus(self.seat(), portion));
        if rest.0.contains(&0) {
            Some(Fault::ColourGone)
        } else if rest.size() < LEAST {
            Some(Fault::PileSmall)
        } else if rest.is_balanced() || grown.is_balanced() {
            Some(Fault::Balanced)
        } else {
            (rest == destination).then_some(Fault::Exchanged)
        }
    }

    /// Appends what is legal, passing aside.
    pub(super) fn list(&self, actions: &mut Vec<Action>) {
        let n_nameable = self.nameable().len() as u8;
        let legal = |&action: &Action| self.fault(action).is_none();
        actions.extend((0..n_nameable).map(|pile| Action::Place { pile }).filter(legal));
        for (from, source) in (0..).zip(self.named()) {
            for to in (0..n_nameable).filter(|&to| to != from) {
                actions.extend(source.portions(self.seat()).map(|portion| portion.between(from, to)).filter(legal));
            }
        }
    }

    /// How many stones from the stock are legal.
    pub(super) fn n_places(&self) -> usize {
        (0..self.nameable().len() as u8).filter(|&pile| self.place_fault(pile).is_none()).count()
    }

    /// How many moves are legal, without listing them. From what numbers allow go, for each source, the portion whose
    /// loss would balance it; for each destination the portion that would balance it and the one by which the two would
    /// exchange their contents; and the reversal, which is legal otherwise and none of these.
    pub(super) fn n_moves(&self) -> usize {
        let (seat, destinations) = (self.seat(), self.nameable());
        let wants: ArrayVec<(usize, Portion), N_PILES> =
            destinations.iter().enumerate().filter_map(|(to, pile)| Some((to, pile.want(seat)?))).collect();
        let mut n_moves = 0;
        for (from, &source) in self.named().iter().enumerate() {
            let surplus = source.surplus(seat).filter(|&portion| source.spares(seat, portion));
            let n_portions = source.n_portions(seat) as usize - usize::from(surplus.is_some());
            if n_portions == 0 {
                continue;
            }
            let balances =
                |&&(to, want): &&(usize, Portion)| to != from && source.spares(seat, want) && Some(want) != surplus;
            let exchanges = |&&destination: &&Pile| exchange(source, destination, seat);
            n_moves += n_portions * (destinations.len() - 1);
            n_moves -= wants.iter().filter(balances).count() + destinations.iter().filter(exchanges).count();
        }
        n_moves - usize::from(self.barred.is_some())
    }

    /// A random legal action, unless none is found soon: drawn from what numbers allow, and drawn again while the rules
    /// forbid it.
    #[inline]
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Action> {
        let seat = self.seat();
        let n_nameable = self.nameable().len() as u32;
        let n_places = if self.stocks[seat] == 0 { 0 } else { n_nameable };
        let n_destinations = n_nameable - 1;
        let mut n_portions = [0; N_PILES];
        for (n_portions, pile) in n_portions.iter_mut().zip(self.named()) {
            *n_portions = pile.n_portions(seat);
        }
        let candidate = |mut nth: u32| {
            if nth < n_places {
                return Action::Place { pile: nth as u8 };
            }
            nth -= n_places;
            let mut from = 0;
            while nth >= n_portions[from] * n_destinations {
                nth -= n_portions[from] * n_destinations;
                from += 1;
            }
            let to = (nth % n_destinations) as u8;
            let portion = self.piles[from].nth_portion(seat, nth / n_destinations);
            portion.between(from as u8, to + u8::from(to >= from as u8))
        };
        let n_candidates = n_places + n_portions.iter().sum::<u32>() * n_destinations;
        let n_draws = if n_candidates == 0 { 0 } else { DRAWS };
        let mut draws = (0..n_draws).map(|_| candidate(random::index(rng, n_candidates as usize) as u32));
        draws.find(|&action| self.fault(action).is_none())
    }
}

impl Portion {
    pub(super) const ONE: Portion = Portion { own: 1, neutral: 0 };
    const NOTHING: Portion = Portion { own: 0, neutral: 0 };

    #[inline]
    fn between(self, from: u8, to: u8) -> Action {
        Action::Move { from, to, own: self.own, neutral: self.neutral }
    }
}

/// Whether some portion makes the two piles exchange their contents.
#[inline]
fn exchange(source: Pile, destination: Pile, seat: Seat) -> bool {
    source.0[1 - seat] == destination.0[1 - seat]
        && source.0[seat] >= destination.0[seat]
        && source.0[NEUTRAL] >= destination.0[NEUTRAL]
        && source != destination
}
