//! Sorting that is compiled once for a type of keys, not once for each game.
//!
//! Searches sort actions and what they found out about them, whose types depend on the game, by keys that do not. The
//! standard library's sort is compiled for each type of items; where it is not in a hot loop this one takes its place.

use std::cmp::Ordering;

/// A number in the total order of floating-point numbers, [`f64::total_cmp`].
#[derive(Clone, Copy, Debug)]
pub struct Total(pub f64);

impl Ord for Total {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Total {}

/// Sorts `items` by their keys, the least first; items with equal keys stay in their order.
pub fn sort_by_keys<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let mut keys = Vec::with_capacity(items.len());
    for item in items.iter() {
        keys.push(key(item));
    }
    let mut places = places_by_key(&keys);
    for i in 0..items.len() {
        // What stood at this place has been swapped to where the item took its place came from.
        let mut from = places[i];
        while from < i {
            from = places[from];
        }
        places[i] = from;
        items.swap(i, from);
    }
}

/// The places of the keys, the least key first; equal keys stay in their order.
fn places_by_key<K: Ord>(keys: &[K]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
    places
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::random::{index, stream};

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut rng = stream(5, "order", 0);
        for n in 0..60 {
            // Few different keys, so that many are equal.
            let items: Vec<(f64, usize)> = (0..n).map(|i| (index(&mut rng, 5) as f64 - 2.0, i)).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_keys(&mut ours, |&(key, _)| Reverse(Total(key)));
            theirs.sort_by(|(a, _), (b, _)| b.total_cmp(a));
            assert_eq!(ours, theirs);
        }
    }
}
