//! What one seat sees, kept from position to position: only what a changed entry changes is worked out again.
//!
//! A *sight* holds the indices of all placements for the position on the board. To value the positions that actions lead
//! to, [`Sight::look`] finds the placements whose index is another one there; their weights are asked for while the next
//! action is looked at, and summed in [`Sight::sum`]. Checked: equal to [`Network::plain_sum`] in random games.

use super::network::Network;

/// What a seat sees of the position on the board.
pub(crate) struct Sight {
    pub(crate) seat: usize,
    observation: Vec<i32>,
    ranks: Vec<u8>,
    n_filled: u32,
    indices: Vec<u32>,
    /// The same as `indices` between calls; where indices of other positions are worked out.
    working: Vec<u32>,
    /// The weights at `indices` in the set that begins at `first`, as they were at [`Sight::gather`].
    current: Vec<f32>,
    first: usize,
    base_sum: f32,
    changed: Vec<(u16, u8)>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    lookups: Vec<u32>,
}

/// Where the weights of a position that was looked at are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    start: u32,
    end: u32,
    first: usize,
    /// What the sum is before the lookups.
    known: f32,
}

impl Sight {
    /// The sights of all seats.
    pub(crate) fn of_seats(network: &Network, n_seats: usize) -> Vec<Sight> {
        (0..n_seats).map(|seat| Sight::new(network, seat)).collect()
    }

    /// The sight of a seat, of nothing in particular.
    pub(crate) fn new(network: &Network, seat: usize) -> Sight {
        let n = network.n_placements();
        let observation = vec![i32::MIN; network.observation_len()];
        Sight {
            seat,
            observation,
            ranks: vec![0; network.points().len()],
            n_filled: 0,
            indices: vec![0; n],
            working: vec![0; n],
            current: vec![0.0; n],
            first: usize::MAX,
            base_sum: 0.0,
            changed: Vec::new(),
            touched: Vec::with_capacity(n),
            is_touched: vec![false; n],
            lookups: Vec::new(),
        }
    }

    /// The indices of all placements.
    pub(crate) fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Where the weights begin for a kind of position.
    pub(crate) fn first_weight(&self, network: &Network, kind: usize) -> usize {
        network.first_weight(self.seat, kind, self.n_filled)
    }

    /// Sees another position.
    pub(crate) fn see(&mut self, network: &Network, observation: &[i32]) {
        if network.is_worked_out_afresh() {
            self.n_filled = network.rank(observation, &mut self.ranks);
            network.indices_at_once(&self.ranks, &mut self.indices);
            return;
        }
        if self.observation[0] == i32::MIN {
            self.see_afresh(network, observation);
            return;
        }
        self.note_changes(network, observation);
        for &(point, before) in &self.changed {
            let point = usize::from(point);
            let rank = self.ranks[point];
            let (placements, from) = network.part(point, before);
            let (_, to) = network.part(point, rank);
            for ((&placement, &from), &to) in placements.iter().zip(from).zip(to) {
                let index = &mut self.indices[placement as usize];
                *index = index.wrapping_add(to).wrapping_sub(from);
                self.working[placement as usize] = *index;
            }
            let place = &network.points()[point];
            self.n_filled = self.n_filled + u32::from(place.is_filled(rank)) - u32::from(place.is_filled(before));
        }
        self.observation.copy_from_slice(observation);
        self.first = usize::MAX;
    }

    fn see_afresh(&mut self, network: &Network, observation: &[i32]) {
        let (indices, n_filled) = network.indices(observation);
        self.working.copy_from_slice(&indices);
        self.indices = indices;
        self.n_filled = n_filled;
        network.rank(observation, &mut self.ranks);
        self.observation.copy_from_slice(observation);
        self.first = usize::MAX;
    }

    /// Puts the new ranks in place, and the old ones into `changed`.
    #[inline]
    fn note_changes(&mut self, network: &Network, observation: &[i32]) {
        self.changed.clear();
        // Few entries change: eight are compared at once.
        const AT_ONCE: usize = 8;
        let chunks = self.observation.chunks(AT_ONCE).zip(observation.chunks(AT_ONCE));
        for (chunk, (before, now)) in chunks.enumerate() {
            if before == now {
                continue;
            }
            for (i, _) in before.iter().zip(now).enumerate().filter(|(_, (before, now))| before != now) {
                for &point in network.dependents(chunk * AT_ONCE + i) {
                    let rank = network.points()[usize::from(point)].rank(observation);
                    let before = std::mem::replace(&mut self.ranks[usize::from(point)], rank);
                    if rank != before {
                        self.changed.push((point, before));
                    }
                }
            }
        }
    }

    /// Before other positions are looked at: reads the weights of this one, where those of others follow from what differs.
    pub(crate) fn prepare(&mut self, network: &Network, kind: usize) {
        if !network.is_worked_out_afresh() {
            self.gather(network, kind);
        }
    }

    /// Reads the weights of this position; returns their sum.
    pub(crate) fn gather(&mut self, network: &Network, kind: usize) -> f32 {
        self.first = self.first_weight(network, kind);
        let mut sum = 0.0;
        for (current, &index) in self.current.iter_mut().zip(&self.indices) {
            *current = network.weights().get(self.first + index as usize);
            sum += *current;
        }
        self.base_sum = sum;
        sum
    }

    /// Forgets the lookups of the last position's actions.
    pub(crate) fn begin(&mut self) {
        self.lookups.clear();
    }

    /// Looks at another position: finds its weights and asks for them.
    pub(crate) fn look(&mut self, network: &Network, observation: &[i32], kind: usize) -> Look {
        if network.is_worked_out_afresh() {
            self.look_afresh(network, observation, kind)
        } else {
            self.look_on(network, observation, kind)
        }
    }

    fn look_afresh(&mut self, network: &Network, observation: &[i32], kind: usize) -> Look {
        let start = self.lookups.len();
        let n_filled = network.rank(observation, &mut self.ranks);
        self.lookups.resize(start + self.indices.len(), 0);
        network.indices_at_once(&self.ranks, &mut self.lookups[start..]);
        let first = network.first_weight(self.seat, kind, n_filled);
        self.lookups[start..].iter().for_each(|&index| network.weights().prefetch(first + index as usize));
        Look { start: start as u32, end: self.lookups.len() as u32, first, known: 0.0 }
    }

    fn look_on(&mut self, network: &Network, observation: &[i32], kind: usize) -> Look {
        self.note_changes(network, observation);
        let start = self.lookups.len() as u32;
        let mut n_filled = self.n_filled;
        for &(point, before) in &self.changed {
            let place = &network.points()[usize::from(point)];
            let rank = self.ranks[usize::from(point)];
            n_filled = n_filled + u32::from(place.is_filled(rank)) - u32::from(place.is_filled(before));
        }
        let first = network.first_weight(self.seat, kind, n_filled);
        let known = match (first == self.first, self.changed.len()) {
            (true, 1) => self.look_at_changes(network),
            _ if network.is_small() => self.look_at_all_at_once(network),
            (true, _) => self.look_at_changes(network),
            (false, _) => self.look_at_all(network),
        };
        for &index in &self.lookups[start as usize..] {
            network.weights().prefetch(first + index as usize);
        }
        for &(point, before) in &self.changed {
            self.ranks[usize::from(point)] = before;
        }
        Look { start, end: self.lookups.len() as u32, first, known }
    }

    /// The lookups of the placements that differ; returns the sum of the weights of all others.
    #[inline]
    fn look_at_changes(&mut self, network: &Network) -> f32 {
        let mut known = self.base_sum;
        if let [(point, before)] = self.changed[..] {
            let (placements, from) = network.part(point.into(), before);
            let (_, to) = network.part(point.into(), self.ranks[usize::from(point)]);
            for ((&placement, &from), &to) in placements.iter().zip(from).zip(to) {
                known -= self.current[placement as usize];
                self.lookups.push(self.indices[placement as usize].wrapping_add(to).wrapping_sub(from));
            }
            return known;
        }
        self.touched.clear();
        for &(point, before) in &self.changed {
            let (placements, from) = network.part(point.into(), before);
            let (_, to) = network.part(point.into(), self.ranks[usize::from(point)]);
            for ((&placement, &from), &to) in placements.iter().zip(from).zip(to) {
                let place = placement as usize;
                self.working[place] = self.working[place].wrapping_add(to).wrapping_sub(from);
                if !std::mem::replace(&mut self.is_touched[place], true) {
                    self.touched.push(placement);
                }
            }
        }
        for &placement in &self.touched {
            let place = placement as usize;
            known -= self.current[place];
            self.lookups.push(std::mem::replace(&mut self.working[place], self.indices[place]));
            self.is_touched[place] = false;
        }
        known
    }

    /// The lookups of all placements of a small network, several at once.
    fn look_at_all_at_once(&mut self, network: &Network) -> f32 {
        let start = self.lookups.len();
        self.lookups.extend_from_slice(&self.indices);
        for &(point, before) in &self.changed {
            let (from, to) =
                (network.row(point.into(), before), network.row(point.into(), self.ranks[usize::from(point)]));
            for ((index, &from), &to) in self.lookups[start..].iter_mut().zip(from).zip(to) {
                *index = index.wrapping_add(to).wrapping_sub(from);
            }
        }
        0.0
    }

    /// The lookups of all placements.
    fn look_at_all(&mut self, network: &Network) -> f32 {
        for &(point, before) in &self.changed {
            let (placements, from) = network.part(point.into(), before);
            let (_, to) = network.part(point.into(), self.ranks[usize::from(point)]);
            for ((&placement, &from), &to) in placements.iter().zip(from).zip(to) {
                let index = &mut self.working[placement as usize];
                *index = index.wrapping_add(to).wrapping_sub(from);
            }
        }
        self.lookups.extend_from_slice(&self.working);
        self.working.copy_from_slice(&self.indices);
        0.0
    }

    /// The sum of weights of a position that was looked at.
    #[inline]
    pub(crate) fn sum(&self, network: &Network, look: Look) -> f32 {
        look.known + network.weights().sum(look.first, &self.lookups[look.start as usize..look.end as usize])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::erased::{GameVisitor, Playable};
    use raichi_core::game::Phase;
    use raichi_core::path::PathGame;
    use raichi_core::random::{Rng, stream};

    use super::*;
    use crate::ntuple::inputs::{Below, Blocks, Inputs, ReadOptions, Reading};
    use crate::ntuple::network::Sets;
    use crate::ntuple::tuples::{Drawing, Wanted};

    fn read(below: Below, reading: Reading) -> ReadOptions {
        ReadOptions { blocks: Blocks::Board, below, most_values: 6, reading }
    }

    struct SeesTheSame(&'static str, Below, Reading, usize);

    impl GameVisitor for SeesTheSame {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let inputs = Inputs::of(game, &read(self.1, self.2)).unwrap();
            let tuples = Wanted::parse(self.0).unwrap().choose(&inputs, Drawing::Walk, 3).unwrap();
            let n_seats = game.facts().n_seats;
            let sets = Sets { n_seats, n_kinds: 1, n_phases: self.3 };
            let network = Network::new(inputs, tuples, sets, 4, false).unwrap();
            let rng = &mut stream(1, "test", 0);
            (0..network.weights().len()).for_each(|i| network.weights().set(i, (rng.next_u64() >> 40) as f32 / 1e6));
            let mut sights: Vec<Sight> = (0..n_seats).map(|seat| Sight::new(&network, seat)).collect();
            for number in 0..3 {
                let mut state = game.initial_state();
                let rng = &mut stream(2, "test", number);
                while let Some(seat) = next_to_act(game, &mut state, rng) {
                    let mut observation = vec![0; network.observation_len()];
                    game.observe(&state, seat, &mut observation);
                    let sight = &mut sights[seat];
                    sight.see(&network, &observation);
                    let close = |one: f32, other: f32| assert!((one - other).abs() < 1e-2, "{one} {other}");
                    close(sight.gather(&network, 0), network.plain_sum(&observation, seat, 0));
                    sight.prepare(&network, 0);
                    assert_eq!(sight.indices(), network.indices(&observation).0);
                    sight.begin();
                    let mut actions = Vec::new();
                    game.legal_actions(&state, seat, &mut actions);
                    for &action in actions.iter().take(20) {
                        let mut after = state.position().clone();
                        game.game().apply(&mut after, seat, action);
                        game.observe(&after, seat, &mut observation);
                        let look = sight.look(&network, &observation, 0);
                        close(sight.sum(&network, look), network.plain_sum(&observation, seat, 0));
                    }
                    let action = game.random_action(&state, seat, &mut actions, rng);
                    game.apply(&mut state, seat, action);
                }
            }
        }
    }

    fn next_to_act<G: Playable>(
        game: &PathGame<G>,
        state: &mut raichi_core::path::PathState<G>,
        rng: &mut raichi_core::random::FastRng,
    ) -> Option<usize> {
        loop {
            match game.phase(state) {
                Phase::Over => return None,
                Phase::Act(seats) => return Some(seats.first()),
                Phase::Chance => {
                    let outcome = game.sample_outcome(state, rng);
                    game.apply_outcome(state, outcome);
                }
            }
        }
    }

    #[test]
    fn what_is_kept_along_is_what_is_worked_out_afresh() {
        for (spec, tuples, below, reading, phases) in [
            ("tic-tac-toe", "5x4", Below::Ignored, Reading::Single, 1),
            ("connect-four", "20x6", Below::Support, Reading::Single, 1),
            ("othello", "20x5", Below::Ignored, Reading::Single, 3),
            ("hex:size=5", "10x4", Below::Ignored, Reading::Single, 2),
            ("2048", "8x4", Below::Ignored, Reading::Single, 1),
            ("sim", "8x5", Below::Ignored, Reading::Single, 1),
            ("nim3p", "3x2", Below::Ignored, Reading::Single, 1),
            ("rubiks-cube:size=2", "8x3", Below::Ignored, Reading::Joined, 1),
            ("yavalath", "10x5", Below::Ignored, Reading::Single, 1),
        ] {
            raichi_games::visit(spec, SeesTheSame(tuples, below, reading, phases)).unwrap();
        }
    }

    /// Symmetric positions are worth the same.
    struct Symmetric(Reading, usize);

    impl GameVisitor for Symmetric {
        type Output = ();

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
            let inputs = Inputs::of(game, &read(Below::Ignored, self.0)).unwrap();
            assert_eq!(inputs.symmetries.len(), self.1, "{}", game.spec());
            let tuples = Wanted::parse("6x3").unwrap().choose(&inputs, Drawing::Points, 3).unwrap();
            let sets = Sets { n_seats: 1, n_kinds: 1, n_phases: 1 };
            let network = Network::new(inputs, tuples, sets, self.1, false).unwrap();
            let rng = &mut stream(1, "test", 0);
            (0..network.weights().len()).for_each(|i| network.weights().set(i, (rng.next_u64() >> 40) as f32 / 1e6));
            let mut state = game.initial_state();
            for _ in 0..12 {
                let Some(seat) = next_to_act(game, &mut state, rng) else { break };
                let mut observation = vec![0; network.observation_len()];
                game.observe(&state, seat, &mut observation);
                let value = network.plain_sum(&observation, 0, 0);
                for symmetry in 0..game.n_symmetries() {
                    let mut image = observation.clone();
                    game.map_observation(symmetry, &observation, &mut image);
                    let mapped = network.plain_sum(&image, 0, 0);
                    assert!((mapped - value).abs() < 1e-3 * value.abs().max(1.0), "{} {symmetry}", game.spec());
                }
                let action = game.random_action(&state, seat, &mut Vec::new(), rng);
                game.apply(&mut state, seat, action);
            }
        }
    }

    /// How many symmetries the rules have, and how many of them are rearrangements of points.
    struct Count(Below);

    impl GameVisitor for Count {
        type Output = (usize, usize);

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            (game.n_symmetries(), Inputs::of(game, &read(self.0, Reading::Single)).unwrap().symmetries.len())
        }
    }

    #[test]
    fn all_symmetries_of_the_rules_are_found() {
        // Those of cards are not needed: where something is hidden weights are not shared.
        for entry in raichi_games::REGISTRY.iter().filter(|entry| entry.id != "leduc-poker") {
            for below in [Below::Ignored, Below::Support] {
                let (of_rules, found) = raichi_games::visit(entry.id, Count(below)).unwrap();
                // What lies below does not stay below where a board is turned.
                assert!(found == of_rules || below == Below::Support && found > 0, "{} {below:?}", entry.id);
            }
        }
        assert_eq!(raichi_games::visit("connect-four", Count(Below::Support)).unwrap(), (2, 2));
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        for (spec, reading, n) in [
            ("tic-tac-toe", Reading::Single, 8),
            ("connect-four", Reading::Single, 2),
            ("hex:size=5", Reading::Single, 2),
            ("2048", Reading::Single, 8),
            ("rubiks-cube:size=2", Reading::Single, 6),
            ("rubiks-cube:size=2", Reading::Joined, 6),
            ("rubiks-cube:size=3", Reading::Joined, 48),
            ("sim", Reading::Single, 12),
        ] {
            raichi_games::visit(spec, Symmetric(reading, n)).unwrap();
        }
    }
}
