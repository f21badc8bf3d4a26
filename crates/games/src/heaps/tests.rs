//! The word of heaps against the list of what may be taken.

use raichi_core::random::{index, stream};

use super::{Heaps, Setup, nth_of_sums};

fn listed(setup: &Setup, heaps: &Heaps) -> Vec<super::Take> {
    let mut takes = Vec::new();
    setup.list(heaps, &mut takes);
    takes
}

#[test]
fn the_nth_action_of_a_word_is_the_nth_of_the_list() {
    let mut rng = stream(1, "heaps", 0);
    for sizes in [&[5, 5, 5][..], &[1, 3, 5, 7], &[127], &[1; 8], &[16, 15, 16, 16, 16, 16, 16, 16]] {
        for limit in [1, 2, 4, 7, 16, 127, 255] {
            let setup = Setup::new(sizes, limit);
            assert!(setup.one_word);
            let mut heaps = setup.start();
            while !heaps.are_gone() {
                let takes = listed(&setup, &heaps);
                assert_eq!(setup.n_actions(&heaps), takes.len());
                let sums = setup.running_sums(heaps.first);
                let drawn: Vec<_> = (0..takes.len() as u64).map(|nth| nth_of_sums(sums, nth)).collect();
                assert_eq!(drawn, takes);
                setup.take(&mut heaps, takes[index(&mut rng, takes.len())]);
            }
        }
    }
}

#[test]
fn heaps_beyond_one_word_are_drawn_and_taken_too() {
    let mut rng = stream(2, "heaps", 0);
    for (sizes, limit) in [(&[255; 12][..], 255), (&[1; 9], 5), (&[128], 3), (&[40, 60, 30], 255)] {
        let setup = Setup::new(sizes, limit);
        assert!(!setup.one_word);
        let mut heaps = setup.start();
        while !heaps.are_gone() {
            let takes = listed(&setup, &heaps);
            assert_eq!(setup.n_actions(&heaps), takes.len());
            let take = setup.random(&heaps, &mut rng);
            assert!(takes.contains(&take));
            let before: Vec<u8> = (0..sizes.len() as u8).map(|heap| heaps.items(heap)).collect();
            setup.take(&mut heaps, take);
            for heap in 0..sizes.len() as u8 {
                let taken = if heap == take.heap { take.count } else { 0 };
                assert_eq!(heaps.items(heap), before[usize::from(heap)] - taken);
            }
        }
    }
}
