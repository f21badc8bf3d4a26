//! Bits as the small integers of an observation.

/// Eight bits, the lowest first, as eight numbers 0 or 1.
///
/// ```
/// assert_eq!(raichi_games::spread::SPREAD[0b0000_0101], [1, 0, 1, 0, 0, 0, 0, 0]);
/// ```
pub static SPREAD: [[i32; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte][bit] = (byte >> bit & 1) as i32;
            bit += 1;
        }
        byte += 1;
    }
    spread
};
