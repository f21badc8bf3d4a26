//! What must not be guessed: table ids, the keys that hold seats, and the seeds that chance is drawn from.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

/// The system has no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the system's source of randomness failed: {0}")]
pub(crate) struct NoRandomness(getrandom::Error);

fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(bytes)
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A new table id: 100 random bits, so that nobody can guess one.
pub(crate) fn table_id() -> Result<String, NoRandomness> {
    // Without letters and digits that look alike.
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let bytes = random::<20>()?;
    Ok(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
}

/// Whether a text has the form of a table's id.
pub(crate) fn is_table_id(text: &str) -> bool {
    text.len() == 20 && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// A secret that holds a seat, or that allows writing a game's variations. It is shown once, to who made the table, and
/// never stored or logged.
pub(crate) struct Key(String);

impl Key {
    /// 192 random bits.
    pub(crate) fn new() -> Result<Key, NoRandomness> {
        Ok(Key(URL_SAFE_NO_PAD.encode(random::<24>()?)))
    }

    pub(crate) fn hash(&self) -> KeyHash {
        KeyHash::of(&self.0)
    }

    pub(crate) fn reveal(self) -> String {
        self.0
    }
}

/// The hash of a key, which is stored. Keys are random, so a fast hash is as good as a slow one.
#[derive(Clone, Copy, Eq)]
pub struct KeyHash(pub(crate) [u8; 32]);

impl KeyHash {
    pub(crate) fn of(key: &str) -> KeyHash {
        KeyHash(sha256(key.as_bytes()))
    }
}

impl PartialEq for KeyHash {
    /// In constant time, so that how long a refusal takes says nothing about the hash that is stored.
    fn eq(&self, other: &KeyHash) -> bool {
        let differing = self.0.iter().zip(&other.0).fold(0, |differing, (one, other)| differing | (one ^ other));
        std::hint::black_box(differing) == 0
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash(…)")
    }
}

/// The seed of a table's chance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub(crate) [u8; 32]);

impl Seed {
    pub(crate) fn new() -> Result<Seed, NoRandomness> {
        random().map(Seed)
    }

    /// Reads 64 hexadecimal digits, as in a record.
    pub fn from_hex(text: &str) -> Option<Seed> {
        let digits = text.bytes().all(|b| b.is_ascii_hexdigit());
        let mut seed = [0; 32];
        for (i, byte) in seed.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2).filter(|_| digits && text.len() == 64)?, 16).ok()?;
        }
        Some(Seed(seed))
    }

    /// The seed in hexadecimal: shown when the game is over.
    pub(crate) fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// Its SHA-256 in hexadecimal: shown from the start.
    pub fn hash(&self) -> String {
        hex(&sha256(&self.0))
    }

    /// The seed of an engine's decision at ply `ply`. It reveals nothing about this seed.
    pub(crate) fn for_engine(&self, seat: usize, ply: usize) -> u64 {
        let hash = Sha256::new().chain_update(b"engine").chain_update(self.0);
        let hash: [u8; 32] =
            hash.chain_update((seat as u64).to_le_bytes()).chain_update((ply as u64).to_le_bytes()).finalize().into();
        u64::from_le_bytes(hash[..8].try_into().expect("eight of 32 bytes"))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// The generator that a table draws ply number `ply` from, when chance acts there: ChaCha20 keyed with the table's
/// seed, one stream a ply. With the seed of a finished game every outcome can be drawn again.
pub fn outcome_stream(seed: &Seed, ply: usize) -> ChaCha20Rng {
    let mut rng = ChaCha20Rng::from_seed(seed.0);
    rng.set_stream(ply as u64);
    rng
}

/// The generator that a table draws from what the text of its first position hides: as [`outcome_stream`], in the last
/// of all streams, which no ply has.
pub(crate) fn hidden_stream(seed: &Seed) -> ChaCha20Rng {
    let mut rng = ChaCha20Rng::from_seed(seed.0);
    rng.set_stream(u64::MAX);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_repeated_and_not_printed() {
        let (a, b) = (Seed::new().unwrap(), Seed::new().unwrap());
        assert_ne!(a, b);
        assert_eq!(format!("{a:?} {:?}", KeyHash::of("x")), "Seed(…) KeyHash(…)");
        let key = Key::new().unwrap().reveal();
        assert!(key.len() == 32 && key != Key::new().unwrap().reveal(), "{key}");
        let id = table_id().unwrap();
        assert!(is_table_id(&id) && id != table_id().unwrap(), "{id}");
    }

    #[test]
    fn hashes_are_the_same_where_all_their_bytes_are() {
        let hash = KeyHash::of("x");
        assert_eq!(hash, KeyHash::of("x"));
        for byte in 0..32 {
            let mut other = hash;
            other.0[byte] ^= 0x80;
            assert_ne!(hash, other, "byte {byte}");
        }
    }

    #[test]
    fn a_seed_is_hashed_as_bytes() {
        // SHA-256 of 32 zero bytes.
        let hash = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
        assert_eq!(Seed([0; 32]).hash(), hash);
        let seed = Seed::new().unwrap();
        assert_eq!(Seed::from_hex(&seed.reveal()), Some(seed));
        for bad in ["", "00", &hash[1..], &hash.replace('6', "g"), &format!("{hash}0"), &hash.replace("66", "é")] {
            assert_eq!(Seed::from_hex(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_ply_has_its_own_stream() {
        use raichi_core::random::Rng;
        let seed = Seed([7; 32]);
        let draw = |ply| outcome_stream(&seed, ply).next_u64();
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        assert_ne!(seed.for_engine(0, 3), seed.for_engine(1, 3));
    }

    /// By `openssl enc -chacha20` with the seed as key and, as vector, eight bytes of 0 and the stream's number.
    #[test]
    fn streams_are_those_of_the_cipher() {
        use raichi_core::random::Rng;
        let seed = Seed([7; 32]);
        let drawn =
            [outcome_stream(&seed, 0), outcome_stream(&seed, 3), hidden_stream(&seed)].map(|mut rng| rng.next_u64());
        assert_eq!(drawn.map(u64::swap_bytes), [0xf400_9278_57aa_f641, 0x8f26_59fb_0a43_0cfe, 0xf35e_7121_8a55_e5c4]);
    }
}
