//! Memory asked for before it is read.

/// Asks the processor to bring the cache line in which `place` begins, and does not wait for it.
///
/// A table of a gigabyte is never in the cache: a search that knows which places it will read next asks for all of them, and
/// waits once rather than for each in turn. Where there is no such instruction nothing happens.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the processor has the instruction (SSE, part of x86-64), and the address is that of a reference; a prefetch
        // changes nothing that a program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::prefetch;

    #[test]
    fn what_is_asked_for_stays_as_it_is() {
        let places: Vec<u64> = (0..1000).collect();
        places.iter().for_each(prefetch);
        assert!(places.iter().enumerate().all(|(i, &place)| place == i as u64));
        prefetch(&());
    }
}
