//! Who sits where: groups of agents, and the orders of a group on a game's seats.

use raichi_core::random::{shuffle, stream};

/// As many orders of a group as this are all played in a round; of more, a round takes the rotations of one order,
/// drawn anew for each round, so that every agent has every seat equally often.
const MOST_ORDERS: usize = 120;

/// The groups that meet in a game of `n_seats`: all combinations of the agents where there are more than seats, else
/// one group of all of them.
pub fn groups(n_agents: usize, n_seats: usize) -> Vec<Vec<usize>> {
    if n_agents <= n_seats {
        return vec![(0..n_agents).collect()];
    }
    let mut group: Vec<usize> = (0..n_seats).collect();
    let mut all = Vec::new();
    loop {
        all.push(group.clone());
        // The last place that can still be raised.
        let Some(place) = (0..n_seats).rev().find(|&place| group[place] < n_agents - n_seats + place) else {
            return all;
        };
        group[place] += 1;
        for later in place + 1..n_seats {
            group[later] = group[later - 1] + 1;
        }
    }
}

/// How many [`groups`] there are, at most `u64::MAX`.
pub fn n_groups(n_agents: usize, n_seats: usize) -> u64 {
    if n_agents <= n_seats {
        return 1;
    }
    let chosen = n_seats.min(n_agents - n_seats) as u128;
    // Each step is a number of combinations itself, so that the division has no remainder.
    let step = |n: u128, i: u128| n.saturating_mul(n_agents as u128 - i) / (i + 1);
    let n = (0..chosen).try_fold(1, |n, i| Some(step(n, i)).filter(|&n| n <= u128::from(u64::MAX)));
    n.map_or(u64::MAX, |n| n as u64)
}

/// How many [`orders`] a group of so many agents has in one round. Where a round takes rotations of a group that is smaller
/// than the seats, some of them may be the same; they are all counted.
pub fn n_orders(n_in_group: usize, n_seats: usize) -> u64 {
    let group: Vec<usize> = (0..n_in_group).collect();
    let fillings = fillings(&group, n_seats);
    let n_orders = fillings.iter().map(|filling| count_orders(filling)).fold(0, usize::saturating_add);
    if n_orders <= MOST_ORDERS { n_orders as u64 } else { (fillings.len() * n_seats) as u64 }
}

/// The orders in which a group sits on `n_seats` in one round, each once. A group smaller than the seats is repeated
/// round; the agent repeated more often is each of them in turn. `round` and `seed` draw the order of
/// groups that have too many of them.
pub fn orders(group: &[usize], n_seats: usize, round: u64, seed: u64) -> Vec<Vec<usize>> {
    let fillings = fillings(group, n_seats);
    let n_orders: usize = fillings.iter().map(|filling| count_orders(filling)).fold(0, usize::saturating_add);
    if n_orders <= MOST_ORDERS {
        return fillings.into_iter().flat_map(all_orders).collect();
    }
    let rotations = fillings.into_iter().flat_map(|mut order| {
        shuffle(&mut stream(seed, "seats", round), &mut order);
        (0..n_seats).map(move |by| {
            let mut order = order.clone();
            order.rotate_left(by);
            order
        })
    });
    let mut orders: Vec<Vec<usize>> = rotations.collect();
    let mut seen = std::collections::HashSet::new();
    orders.retain(|order| seen.insert(order.clone()));
    orders
}

// Who sits at all: a group smaller than the seats is repeated, each of its agents in turn more often.
fn fillings(group: &[usize], n_seats: usize) -> Vec<Vec<usize>> {
    let fillings = (0..group.len()).map(|first| {
        let mut filling: Vec<usize> = (0..n_seats).map(|seat| group[(first + seat) % group.len()]).collect();
        filling.sort_unstable();
        filling
    });
    let mut fillings: Vec<Vec<usize>> = fillings.collect();
    fillings.sort_unstable();
    fillings.dedup();
    fillings
}

// n! over the factorials of how often each agent sits.
fn count_orders(sorted: &[usize]) -> usize {
    let mut count = 1usize;
    let mut run = 0;
    for i in 0..sorted.len() {
        run = if i > 0 && sorted[i] == sorted[i - 1] { run + 1 } else { 1 };
        count = count.saturating_mul(i + 1) / run;
    }
    count
}

// All distinct orders, rising, from the sorted one on.
fn all_orders(mut order: Vec<usize>) -> Vec<Vec<usize>> {
    let mut all = vec![order.clone()];
    while let Some(i) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) {
        let j = (i..order.len()).rev().find(|&j| order[j] > order[i - 1]).expect("the one at i is greater");
        order.swap(i - 1, j);
        order[i..].reverse();
        all.push(order.clone());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_agents_than_seats_meet_in_every_combination() {
        assert_eq!(groups(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(groups(3, 1), [[0], [1], [2]]);
        assert_eq!(groups(2, 3), [[0, 1]]);
        assert_eq!(groups(6, 3).len(), 20);
    }

    #[test]
    fn a_group_sits_in_every_order() {
        assert_eq!(orders(&[4, 7], 2, 0, 0), [[4, 7], [7, 4]]);
        assert_eq!(orders(&[5], 3, 0, 0), [[5, 5, 5]]);
        // Two agents on three seats: each is in turn the one that sits twice.
        assert_eq!(orders(&[0, 1], 3, 0, 0), [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]);
        assert_eq!(orders(&[0, 1, 2], 3, 0, 0).len(), 6);
        assert_eq!(orders(&[0, 1, 2, 3, 4], 5, 0, 0).len(), 120);
    }

    #[test]
    fn they_are_counted_without_a_list_of_them() {
        for (n_agents, n_seats) in [(4, 2), (3, 1), (2, 3), (6, 3), (16, 8), (16, 15), (5, 5)] {
            assert_eq!(n_groups(n_agents, n_seats), groups(n_agents, n_seats).len() as u64, "{n_agents} on {n_seats}");
        }
        assert_eq!(n_groups(70, 35), u64::MAX);
        assert_eq!(n_groups(1_000, 500), u64::MAX);
        for (n_in_group, n_seats) in [(2, 2), (1, 3), (2, 3), (3, 3), (5, 5), (8, 8), (16, 16)] {
            let group: Vec<usize> = (0..n_in_group).collect();
            let n = orders(&group, n_seats, 0, 1).len() as u64;
            assert_eq!(n_orders(n_in_group, n_seats), n, "{n_in_group} on {n_seats}");
        }
        // Rotations that may be the same.
        assert_eq!(n_orders(2, 10), 10);
        assert!(orders(&[0, 1], 10, 0, 1).len() as u64 <= n_orders(2, 10));
    }

    #[test]
    fn of_too_many_orders_a_round_takes_rotations() {
        let group: Vec<usize> = (0..10).collect();
        let orders_of = |round| orders(&group, 10, round, 1);
        let round = orders_of(0);
        assert_eq!(round.len(), 10);
        for seat in 0..10 {
            let mut on_seat: Vec<usize> = round.iter().map(|order| order[seat]).collect();
            on_seat.sort_unstable();
            assert_eq!(on_seat, group, "everybody has seat {seat} once");
        }
        assert_eq!(round, orders_of(0));
        assert_ne!(round, orders_of(1));
        // Two agents on ten seats have 252 orders.
        assert!(orders(&[0, 1], 10, 0, 1).len() <= 20);
    }
}
