//! Large blocks of memory that begin as zeros and cost nothing until they are touched.
//!
//! The first touch of a page costs about as much as a simulation of a small game, and a search of some thousand simulations
//! touches hundreds. So a block of which not too much was used is kept for the next one of the same size, and the used part is
//! cleared when that one has to be zero.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Where a block begins: at a cache line.
const LINE: usize = 64;

/// As many `T` as were asked for, all bytes zero, the first one at the beginning of a cache line.
///
/// The system hands such memory out page by page when it is first touched. On Linux all but the first pages may be huge
/// ones: a search jumps about in its tree, and with small pages most jumps miss the translation buffer too.
pub struct Zeroed<T: Zero> {
    start: NonNull<T>,
    len: usize,
    allocation: NonNull<u8>,
    layout: Layout,
    /// So many bytes, from `start` on, may not have been zero at first.
    inherited: usize,
    /// So many bytes, from `start` on, may have been written to since; `None` where that is not known.
    used: Option<usize>,
}

/// A block that nobody has.
struct Spare {
    allocation: NonNull<u8>,
    layout: Layout,
    /// So many bytes, from the first cache line on, may not be zero.
    used: usize,
}

// SAFETY: nobody else has it.
unsafe impl Send for Spare {}

/// Blocks for the next who ask for one of the same size, the oldest first.
static SPARE: Mutex<Vec<Spare>> = Mutex::new(Vec::new());

/// So many blocks are kept at most,
const MOST_SPARE: usize = 8;

/// and so many of their bytes were used, all together: the pages that were touched stay with the process.
const MOST_USED: usize = 64 << 20;

/// Types for which all bytes zero is a value.
///
/// # Safety
/// It must be, and dropping one must do nothing.
pub unsafe trait Zero {}

// SAFETY: atomic integers may be zero, and have nothing to drop.
unsafe impl Zero for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zero for AtomicU64 {}
// SAFETY: all of its elements may be.
unsafe impl<T: Zero, const N: usize> Zero for [T; N] {}

impl<T: Zero> Zeroed<T> {
    /// `None` where the system does not give so much.
    pub fn new(len: usize) -> Option<Zeroed<T>> {
        // SAFETY: what is not zero is overwritten before anybody sees it.
        let mut block = unsafe { Self::of_any_bytes(len)? };
        // SAFETY: so many bytes lie there, nobody else has them, and zeros are a `T`.
        unsafe { block.start.as_ptr().cast::<u8>().write_bytes(0, block.inherited) };
        block.inherited = 0;
        Some(block)
    }

    /// The same where it does not matter which bytes it begins with: they may be those of an earlier block.
    ///
    /// # Safety
    /// Any bytes must be a `T`.
    pub(crate) unsafe fn of_any_bytes(len: usize) -> Option<Zeroed<T>> {
        assert!(size_of::<T>() > 0 && align_of::<T>() <= LINE, "no such types are kept");
        let bytes = len.checked_mul(size_of::<T>())?.checked_add(LINE)?;
        // A larger alignment would make the allocator write the zeros itself.
        let layout = Layout::from_size_align(bytes, 16).ok()?;
        let block = match spare_block(layout) {
            Some(block) => block,
            None => {
                // SAFETY: the layout's size is not zero.
                let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
                advise_huge_pages(allocation, layout.size());
                Spare { allocation, layout, used: 0 }
            }
        };
        let offset = block.allocation.as_ptr().align_offset(LINE);
        // SAFETY: the offset is below LINE, by which the allocation is longer than `len` elements.
        let start = unsafe { block.allocation.add(offset) }.cast();
        Some(Zeroed { start, len, allocation: block.allocation, layout, inherited: block.used, used: None })
    }

    /// Promises that no element from `n` on was written to, so that the block may serve again.
    ///
    /// # Safety
    /// It must be so: another block would begin with what was written there.
    pub(crate) unsafe fn is_unused_from(&mut self, n: usize) {
        self.used = Some(n.min(self.len) * size_of::<T>());
    }
}

fn spare_block(layout: Layout) -> Option<Spare> {
    let mut spare = SPARE.lock().ok()?;
    let at = spare.iter().position(|block| block.layout == layout)?;
    Some(spare.remove(at))
}

/// Keeps a block; returns those for which there is no room.
fn keep_spare(block: Spare) -> Vec<Spare> {
    let Ok(mut spare) = SPARE.lock() else { return vec![block] };
    spare.push(block);
    // The youngest ones stay.
    let (mut n, mut used) = (0, 0usize);
    for block in spare.iter().rev() {
        used = used.saturating_add(block.used);
        if used > MOST_USED || n == MOST_SPARE {
            break;
        }
        n += 1;
    }
    let n_gone = spare.len() - n;
    spare.drain(..n_gone).collect()
}

impl<T: Zero> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements lie there for as long as `self` does; zeros are a `T`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zero> Drop for Zeroed<T> {
    fn drop(&mut self) {
        let Zeroed { allocation, layout, inherited, used, .. } = *self;
        let block = Spare { allocation, layout, used: used.map_or(usize::MAX, |used| used.max(inherited)) };
        let gone = if block.used <= MOST_USED { keep_spare(block) } else { vec![block] };
        for block in gone {
            // SAFETY: it was allocated with this layout, and nobody has it.
            unsafe { dealloc(block.allocation.as_ptr(), block.layout) }
        }
    }
}

// SAFETY: it owns its elements, as a Vec does.
unsafe impl<T: Zero + Send> Send for Zeroed<T> {}
// SAFETY: shared, it gives out nothing but `&T`.
unsafe impl<T: Zero + Sync> Sync for Zeroed<T> {}

/// Asks for huge pages behind the first half megabyte: a small search should not wait for a large page to be zeroed, which
/// takes as long as some fifty small ones.
#[cfg(target_os = "linux")]
fn advise_huge_pages(allocation: NonNull<u8>, bytes: usize) {
    const SMALL: usize = 512 << 10;
    const HUGE: usize = 2 << 20;
    if bytes < SMALL + 2 * HUGE {
        return;
    }
    // SAFETY: the offset is within the allocation, by the test above.
    let start = unsafe { allocation.add(SMALL) };
    let skip = start.as_ptr().align_offset(HUGE);
    // SAFETY: the range lies within the allocation; the advice changes nothing that a program can see. An error means
    // small pages, which work too.
    unsafe { libc::madvise(start.add(skip).as_ptr().cast(), bytes - SMALL - skip, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_allocation: NonNull<u8>, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn a_block_that_serves_again_is_all_zeros() {
        // No other test asks for blocks of this length.
        const LEN: usize = 70_001;
        let (mut n_again, mut n_as_it_was) = (0, 0);
        for n_used in [1, 0, 1000, LEN].repeat(20) {
            // Nobody minds what it begins with: how much was used before must not be forgotten.
            // SAFETY: any bytes are such a number.
            let mut block: Zeroed<AtomicU64> = unsafe { Zeroed::of_any_bytes(LEN).unwrap() };
            n_as_it_was += usize::from(block[0].load(Relaxed) != 0);
            block.iter().take(n_used).for_each(|word| word.store(u64::MAX, Relaxed));
            // SAFETY: no others were written to.
            unsafe { block.is_unused_from(n_used) };
            let address = block.start;
            drop(block);
            let mut again: Zeroed<AtomicU64> = Zeroed::new(LEN).unwrap();
            assert!(again.iter().all(|word| word.load(Relaxed) == 0));
            n_again += usize::from(again.start == address);
            again[0].store(7, Relaxed);
            // SAFETY: only the first was written to.
            unsafe { again.is_unused_from(1) };
        }
        // Other tests may push one out of its place now and then.
        assert!(n_again > 0 && n_as_it_was > 0);
    }

    #[test]
    fn what_was_used_much_or_nobody_knows_how_much_is_not_kept() {
        const LEN: usize = MOST_USED / 8 + 77;
        let is_kept = || SPARE.lock().unwrap().iter().any(|block| block.layout.size() == LEN * 8 + LINE);
        drop(Zeroed::<AtomicU64>::new(LEN).unwrap());
        assert!(!is_kept());
        let mut block: Zeroed<AtomicU64> = Zeroed::new(LEN).unwrap();
        // SAFETY: none were written to.
        unsafe { block.is_unused_from(LEN) };
        drop(block);
        assert!(!is_kept());
    }

    #[test]
    fn only_so_many_blocks_are_kept() {
        for len in 90_000..90_000 + 3 * MOST_SPARE {
            let mut block: Zeroed<AtomicU64> = Zeroed::new(len).unwrap();
            // SAFETY: none were written to.
            unsafe { block.is_unused_from(0) };
        }
        assert!(SPARE.lock().unwrap().len() <= MOST_SPARE);
    }

    #[test]
    fn so_much_used_memory_is_kept_at_most() {
        for len in 5_000_000..5_000_006 {
            let mut block: Zeroed<AtomicU64> = Zeroed::new(len).unwrap();
            // SAFETY: none were written to.
            unsafe { block.is_unused_from(MOST_USED / 8 / 3) };
        }
        let kept: Vec<usize> = SPARE.lock().unwrap().iter().map(|block| block.used).collect();
        assert!(kept.iter().sum::<usize>() <= MOST_USED, "{kept:?}");
    }
}
