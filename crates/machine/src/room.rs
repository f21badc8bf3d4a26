//! Room for a table that is read at random places.

/// An empty vector with room for `n` elements, whose pages may be huge ones: a table of many megabytes is then read without
/// a walk through the system's tables of pages each time, which costs as much as the memory itself.
///
/// Elsewhere than on Linux, and for small tables, it is `Vec::with_capacity`.
pub fn with_room<T>(n: usize) -> Vec<T> {
    let room = Vec::with_capacity(n);
    #[cfg(target_os = "linux")]
    advise_huge_pages(&room);
    room
}

#[cfg(target_os = "linux")]
fn advise_huge_pages<T>(room: &Vec<T>) {
    const PAGE: usize = 4096;
    let start = room.as_ptr().cast::<u8>();
    let skip = start.align_offset(PAGE);
    let bytes = (room.capacity() * size_of::<T>()).saturating_sub(skip) / PAGE * PAGE;
    if size_of::<T>() > 0 && bytes > 0 {
        // SAFETY: the range is whole pages that belong to the vector, and the advice changes nothing that a program can see.
        // Where it is refused, pages stay small.
        unsafe { libc::madvise(start.add(skip).cast_mut().cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(test)]
mod tests {
    use super::with_room;

    #[test]
    fn room_is_there_and_is_filled_as_that_of_any_vector() {
        for n in [0, 1, 1000, 3 << 20] {
            let mut room = with_room::<u16>(n);
            assert!(room.is_empty() && room.capacity() >= n);
            room.extend((0..n).map(|i| i as u16));
            assert!(room.iter().enumerate().all(|(i, &value)| value == i as u16));
        }
        assert!(with_room::<()>(7).is_empty());
    }
}
