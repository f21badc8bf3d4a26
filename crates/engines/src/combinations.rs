//! Sets of small numbers by their own number: the combinatorial number system (Lehmer 1964).

/// The largest sets.
pub(crate) const MOST: usize = 6;

/// Numbers in sets are below this.
const N_PLACES: usize = 81;

/// How many sets of k of n numbers there are, by k and n.
const CHOOSE: [[u64; N_PLACES + 1]; MOST + 1] = {
    let mut choose = [[0; N_PLACES + 1]; MOST + 1];
    choose[0] = [1; N_PLACES + 1];
    let mut k = 1;
    while k <= MOST {
        let mut n = 1;
        while n <= N_PLACES {
            choose[k][n] = choose[k - 1][n - 1] + choose[k][n - 1];
            n += 1;
        }
        k += 1;
    }
    choose
};

/// How many sets of `k` of `n` numbers there are.
#[inline]
pub(crate) const fn choose(k: usize, n: usize) -> u64 {
    CHOOSE[k][n]
}

/// The number of a set among all sets of as many numbers; `places` rise.
#[inline]
pub(crate) fn rank(places: impl Iterator<Item = usize>) -> u64 {
    places.enumerate().map(|(nth, place)| choose(nth + 1, place)).sum()
}

/// The set of `n` numbers with this number, rising.
#[inline]
pub(crate) fn unrank(mut rank: u64, n: usize, places: &mut [usize; MOST]) {
    for nth in (0..n).rev() {
        let choose = &CHOOSE[nth + 1];
        let place = choose.partition_point(|&below| below <= rank) - 1;
        places[nth] = place;
        rank -= choose[place];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_number() {
        for (k, n) in [(0, 5), (1, 5), (3, 9), (6, 12)] {
            let mut sets = Vec::new();
            for number in 0..choose(k, n) {
                let mut places = [0; MOST];
                unrank(number, k, &mut places);
                let places = places[..k].to_vec();
                assert!(places.windows(2).all(|pair| pair[0] < pair[1]) && places.iter().all(|&place| place < n));
                assert_eq!(rank(places.iter().copied()), number);
                sets.push(places);
            }
            sets.sort();
            sets.dedup();
            assert_eq!(sets.len() as u64, choose(k, n));
        }
    }
}
