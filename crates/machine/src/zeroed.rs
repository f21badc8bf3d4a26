//! Large blocks of memory that begin as zeros and cost nothing until they are touched.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
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
}

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
        assert!(size_of::<T>() > 0 && align_of::<T>() <= LINE, "no such types are kept");
        let bytes = len.checked_mul(size_of::<T>())?.checked_add(LINE)?;
        // A larger alignment would make the allocator write the zeros itself.
        let layout = Layout::from_size_align(bytes, 16).ok()?;
        // SAFETY: the layout's size is not zero.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = allocation.as_ptr().align_offset(LINE);
        // SAFETY: the offset is below LINE, by which the allocation is longer than `len` elements.
        let start = unsafe { allocation.add(offset) }.cast();
        advise_huge_pages(allocation, layout.size());
        Some(Zeroed { start, len, allocation, layout })
    }
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
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) }
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
