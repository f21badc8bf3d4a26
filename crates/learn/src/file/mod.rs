//! A trained agent as files: `manifest.json` says what it is, `weights.safetensors` holds its numbers.
//!
//! Here they are bytes; folders and archives are the business of who keeps them. Reading runs no code, refuses what is
//! damaged, too large or malformed with a sentence, and allocates no more than the files' own size says.
//!
//! The manifest holds the SHA-256 of every other file, and its own: that of its bytes with zeros in the place of the sum.
//! So any byte that has changed is noticed.

mod manifest;
mod tensors;

use std::borrow::Cow;

use sha2::{Digest, Sha256};

pub use manifest::{CurvePoint, Evaluation, FORMAT, FileSum, Manifest};

use crate::learner::Saved;

/// The file that says what the agent is.
pub const MANIFEST: &str = "manifest.json";
/// The file of its numbers.
pub const WEIGHTS: &str = "weights.safetensors";
/// The most bytes an agent's file may have.
pub const MOST_BYTES: usize = 1 << 30;
/// The most bytes a checkpoint may have. Beside an agent's weights, it may hold the mean of the last ones and two sums of changes
/// for each.
pub const MOST_CHECKPOINT_BYTES: usize = 4 * MOST_BYTES;
/// The most bytes a manifest may have.
pub const MOST_MANIFEST_BYTES: usize = 16 << 20;

/// Files with their names.
pub type Files = Vec<(String, Vec<u8>)>;

/// Why files are no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// A file is not there.
    #[error("{name} is missing")]
    Missing {
        /// Its name.
        name: String,
    },
    /// A file is larger than any agent's.
    #[error("{name} is too large: it has {bytes} bytes, and {most} are allowed")]
    TooLarge {
        /// Its name.
        name: String,
        /// Its size.
        bytes: u64,
        /// What is allowed.
        most: u64,
    },
    /// A file is not as it was written.
    #[error("{name} is damaged: {why}")]
    Damaged {
        /// Its name.
        name: String,
        /// What does not fit.
        why: String,
    },
    /// The files are of a format that is not known here.
    #[error("{MANIFEST} is of format {format}, and this version of Raichi reads up to {FORMAT}")]
    TooNew {
        /// The format.
        format: u64,
    },
}

fn damaged(name: &str, why: impl std::fmt::Display) -> FileError {
    FileError::Damaged { name: name.into(), why: why.to_string() }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sum_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The field of the manifest's own sum, as it is written: its value is 64 characters.
const OWN_SUM: &str = "\"manifest_sha256\": \"";
const SUM_LEN: usize = 64;

/// An agent as files. The sums in `manifest` are made here.
pub fn write(mut manifest: Manifest, saved: &Saved) -> Files {
    let weights = tensors::write(&saved.tensors);
    manifest.format = FORMAT;
    manifest.network = saved.network.clone();
    manifest.files = vec![FileSum { name: WEIGHTS.into(), bytes: weights.len() as u64, sha256: sum_of(&weights) }];
    vec![(MANIFEST.into(), sealed(&manifest)), (WEIGHTS.into(), weights)]
}

/// The manifest as bytes, with its own sum.
fn sealed(manifest: &Manifest) -> Vec<u8> {
    let blank = Manifest { manifest_sha256: "0".repeat(SUM_LEN), ..manifest.clone() };
    let mut text = serde_json::to_string_pretty(&blank).expect("a manifest is plain data");
    text.push('\n');
    let sum = sum_of(text.as_bytes());
    let at = own_sum(&text).expect("the manifest has its sum");
    text.replace_range(at..at + SUM_LEN, &sum);
    text.into_bytes()
}

/// The same agent under another name: its manifest has this name and a new sum, the other files are as they were.
///
/// # Errors
/// When the manifest is missing, damaged or too new.
pub fn renamed<'a>(files: &'a Files, name: &str) -> Result<Cow<'a, Files>, FileError> {
    let at = files.iter().position(|(other, _)| other == MANIFEST);
    let at = at.ok_or_else(|| FileError::Missing { name: MANIFEST.into() })?;
    let manifest = read_manifest(&files[at].1)?;
    if manifest.name == name {
        return Ok(Cow::Borrowed(files));
    }
    let mut files = files.clone();
    files[at].1 = sealed(&Manifest { name: name.into(), ..manifest });
    Ok(Cow::Owned(files))
}

/// Where the manifest's own sum stands: in its last field.
fn own_sum(text: &str) -> Option<usize> {
    let at = text.rfind(OWN_SUM)? + OWN_SUM.len();
    text.get(at..at + SUM_LEN).map(|_| at)
}

/// Reads a manifest; its sum is checked.
///
/// # Errors
/// When it is damaged or too new.
pub fn read_manifest(bytes: &[u8]) -> Result<Manifest, FileError> {
    check_size(MANIFEST, bytes.len() as u64, MOST_MANIFEST_BYTES)?;
    let text = std::str::from_utf8(bytes).map_err(|_| damaged(MANIFEST, "it is no text"))?;
    let at = own_sum(text).ok_or_else(|| damaged(MANIFEST, "its checksum is missing"))?;
    let mut blank = text.to_owned();
    blank.replace_range(at..at + SUM_LEN, &"0".repeat(SUM_LEN));
    if sum_of(blank.as_bytes()) != text[at..at + SUM_LEN] {
        return Err(damaged(MANIFEST, "its checksum does not fit its bytes"));
    }
    let json: serde_json::Value = serde_json::from_str(text).map_err(|why| damaged(MANIFEST, why))?;
    match json.get("format").and_then(serde_json::Value::as_u64) {
        Some(format) if format > FORMAT => return Err(FileError::TooNew { format }),
        _ => {}
    }
    serde_json::from_value(json).map_err(|why| damaged(MANIFEST, why))
}

/// That a file is not too large to be read.
///
/// # Errors
/// When it is.
pub fn check_size(name: &str, bytes: u64, most: usize) -> Result<(), FileError> {
    if bytes > most as u64 {
        return Err(FileError::TooLarge { name: name.into(), bytes, most: most as u64 });
    }
    Ok(())
}

/// Reads an agent; every sum is checked.
///
/// # Errors
/// Names the file that is missing, too large or damaged.
pub fn read(files: &Files) -> Result<(Manifest, Saved), FileError> {
    read_within(files, MOST_BYTES)
}

/// Reads a checkpoint, in the same way.
///
/// # Errors
/// Names the file that is missing, too large or damaged.
pub fn read_checkpoint(files: &Files) -> Result<(Manifest, Saved), FileError> {
    read_within(files, MOST_CHECKPOINT_BYTES)
}

fn read_within(files: &Files, most: usize) -> Result<(Manifest, Saved), FileError> {
    let file = |name: &str| {
        let found = files.iter().find(|(other, _)| other == name);
        found.map(|(_, bytes)| bytes.as_slice()).ok_or_else(|| FileError::Missing { name: name.into() })
    };
    let manifest = read_manifest(file(MANIFEST)?)?;
    for sum in &manifest.files {
        let bytes = file(&sum.name)?;
        check_size(&sum.name, bytes.len() as u64, most)?;
        if bytes.len() as u64 != sum.bytes || sum_of(bytes) != sum.sha256 {
            return Err(damaged(&sum.name, format!("its checksum is not the one in {MANIFEST}")));
        }
    }
    if !manifest.files.iter().any(|sum| sum.name == WEIGHTS) {
        return Err(damaged(MANIFEST, format!("it has no checksum of {WEIGHTS}")));
    }
    let tensors = tensors::read(file(WEIGHTS)?).map_err(|why| damaged(WEIGHTS, why))?;
    let saved = Saved { network: manifest.network.clone(), tensors };
    Ok((manifest, saved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner::{Numbers, Tensor};

    fn example() -> (Manifest, Saved) {
        let manifest = Manifest { name: "example".into(), game: "tic-tac-toe".into(), ..Manifest::default() };
        let tensor = |name: &str, numbers| Tensor { name: name.into(), numbers };
        let tensors = vec![
            tensor("weights", Numbers::F32(vec![1.0, -2.5])),
            tensor("small", Numbers::I8(vec![-1, 2, 3])),
            tensor("middle", Numbers::I16(vec![300, -300])),
        ];
        (manifest, Saved { network: serde_json::json!({"kind": "ntuple"}), tensors })
    }

    #[test]
    fn what_was_written_reads_back() {
        let (manifest, saved) = example();
        let files = write(manifest, &saved);
        let (manifest, mut back) = read(&files).unwrap();
        assert_eq!(manifest.game, "tic-tac-toe");
        back.tensors.sort_by(|a, b| b.name.cmp(&a.name));
        let mut tensors = saved.tensors;
        tensors.sort_by(|a, b| b.name.cmp(&a.name));
        assert_eq!((back.network, back.tensors), (saved.network, tensors));
    }

    #[test]
    fn any_byte_that_has_changed_is_noticed() {
        let (manifest, saved) = example();
        let files = write(manifest, &saved);
        for file in 0..files.len() {
            for byte in 0..files[file].1.len() {
                for flip in [0x01, 0x20, 0x80] {
                    let mut damaged = files.clone();
                    damaged[file].1[byte] ^= flip;
                    assert!(read(&damaged).is_err(), "byte {byte} of {}", files[file].0);
                }
            }
        }
    }

    #[test]
    fn a_renamed_agent_is_whole_and_differs_in_its_name_alone() {
        let (manifest, saved) = example();
        let files = write(manifest, &saved);
        let other = renamed(&files, "other").unwrap().into_owned();
        let ((before, _), (after, _)) = (read(&files).unwrap(), read(&other).unwrap());
        let sum = after.manifest_sha256.clone();
        assert_ne!(sum, before.manifest_sha256);
        assert_eq!(after, Manifest { name: "other".into(), manifest_sha256: sum, ..before });
        assert_eq!(other[1..], files[1..]);
        assert_eq!(*renamed(&other, "example").unwrap(), files);
        assert_eq!(*renamed(&files, "example").unwrap(), files);
        for byte in 0..other[0].1.len() {
            let mut damaged = other.clone();
            damaged[0].1[byte] ^= 0x01;
            assert!(read(&damaged).is_err() && renamed(&damaged, "third").is_err(), "byte {byte}");
        }
        assert_eq!(renamed(&Vec::new(), "other").unwrap_err().to_string(), "manifest.json is missing");
    }

    #[test]
    fn what_is_missing_is_named() {
        let (manifest, saved) = example();
        let mut files = write(manifest, &saved);
        files.pop();
        assert_eq!(read(&files).unwrap_err().to_string(), "weights.safetensors is missing");
        assert_eq!(read(&Vec::new()).unwrap_err().to_string(), "manifest.json is missing");
    }
}
