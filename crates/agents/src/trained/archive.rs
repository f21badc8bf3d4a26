//! An agent's files in one `.zip`.
//!
//! Its comment holds the SHA-256 of all bytes before it, so that a flipped byte is noticed wherever it lies, in the archive's
//! own tables too. Archives that other programs packed have no such comment: there the checksums of the files count.

use std::io::{Cursor, Read, Seek, Write};

use raichi_learn::file::{
    FileError, Files, MANIFEST, MOST_BYTES, MOST_CHECKPOINT_BYTES, check_size, read_manifest, sum_of,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const MARK: &str = "raichi-sha256:";
const SUM_LEN: usize = 64;
/// The most files an archive may have.
const MOST_FILES: usize = 16;

/// Packs files; `compressed` takes longer and less room.
pub fn write(files: &Files, compressed: bool) -> Vec<u8> {
    let method = if compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let options = SimpleFileOptions::default().compression_method(method).large_file(true);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let blank = format!("{MARK}{}", "0".repeat(SUM_LEN));
    zip.set_comment(blank).expect("it is short");
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options).expect("writing to memory");
        zip.write_all(bytes).expect("writing to memory");
    }
    let mut bytes = zip.finish().expect("writing to memory").into_inner();
    let at = bytes.len() - SUM_LEN;
    let sum = sum_of(&bytes[..at]);
    bytes[at..].copy_from_slice(sum.as_bytes());
    bytes
}

/// Unpacks an archive. No file may be larger than an agent's, whatever the archive says of its size.
///
/// # Errors
/// When it is no archive, damaged, or too large.
pub fn read(bytes: &[u8]) -> Result<Files, FileError> {
    unpack(open(bytes)?, MOST_BYTES)
}

/// Unpacks a checkpoint, which may be larger.
///
/// # Errors
/// When it is no archive, damaged, or too large.
pub fn read_checkpoint(bytes: &[u8]) -> Result<Files, FileError> {
    unpack(open(bytes)?, MOST_CHECKPOINT_BYTES)
}

/// Unpacks an archive that anybody may have made: its manifest first, and the rest only where that is one. Zeros are packed
/// to a thousandth, so the size of the archive says nothing of what is in it.
///
/// # Errors
/// When it is no archive, has no manifest, is damaged, or larger than `most_manifest` and, in all, `most`.
pub fn read_bounded(bytes: &[u8], most_manifest: usize, most: usize) -> Result<Files, FileError> {
    let mut zip = open(bytes)?;
    let manifest = unpack_one(&mut zip, MANIFEST, most_manifest)?;
    read_manifest(&manifest.ok_or_else(|| FileError::Missing { name: MANIFEST.into() })?)?;
    unpack(zip, most)
}

fn damaged(why: impl ToString) -> FileError {
    FileError::Damaged { name: "the archive".into(), why: why.to_string() }
}

fn open(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, FileError> {
    let zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    check_comment(bytes, zip.comment()).map_err(damaged)?;
    if zip.len() > MOST_FILES {
        return Err(damaged(format!("it has {} files, and an agent has at most {MOST_FILES}", zip.len())));
    }
    Ok(zip)
}

/// All files, which have at most so many bytes in all.
fn unpack(mut zip: ZipArchive<impl Read + Seek>, most: usize) -> Result<Files, FileError> {
    let mut files = Files::new();
    let mut total = 0_u64;
    for i in 0..zip.len() {
        let file = zip.by_index(i).map_err(damaged)?;
        if file.is_dir() {
            continue;
        }
        // A folder that was packed whole has its name before each file's.
        let name = file.name().map_err(damaged)?;
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        check_size("the archive", total.saturating_add(file.size()), most)?;
        let mut content = Vec::new();
        let left = most as u64 - total;
        file.take(left + 1).read_to_end(&mut content).map_err(|why| damaged(format!("{name}: {why}")))?;
        total += content.len() as u64;
        check_size("the archive", total, most)?;
        files.push((name, content));
    }
    Ok(files)
}

/// One file of an archive, without reading the others; `None` where it has no such file.
///
/// # Errors
/// When it is no archive, damaged, or too large.
pub(super) fn read_one(archive: impl Read + Seek, wanted: &str, most: usize) -> Result<Option<Vec<u8>>, FileError> {
    unpack_one(&mut ZipArchive::new(archive).map_err(damaged)?, wanted, most)
}

fn unpack_one(zip: &mut ZipArchive<impl Read + Seek>, wanted: &str, most: usize) -> Result<Option<Vec<u8>>, FileError> {
    let is_wanted = |name: &str| name.rsplit('/').next() == Some(wanted);
    let found = zip.file_names().flatten().find(|name| is_wanted(name)).map(|name| name.into_owned());
    let Some(name) = found else { return Ok(None) };
    let file = zip.by_name(&name).map_err(damaged)?;
    check_size(wanted, file.size(), most)?;
    let mut content = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut content).map_err(|why| damaged(format!("{wanted}: {why}")))?;
    check_size(wanted, content.len() as u64, most)?;
    Ok(Some(content))
}

fn check_comment(bytes: &[u8], comment: &[u8]) -> Result<(), String> {
    if comment.is_empty() {
        // Ours never lacks it; its place would be the last bytes.
        let tail = &bytes[bytes.len().saturating_sub(SUM_LEN)..];
        let looks_ours = tail.len() == SUM_LEN && tail.iter().all(u8::is_ascii_hexdigit);
        return if looks_ours { Err("its checksum is cut off".into()) } else { Ok(()) };
    }
    let sum = comment.strip_prefix(MARK.as_bytes()).filter(|sum| sum.len() == SUM_LEN);
    let at = bytes.len() - SUM_LEN.min(bytes.len());
    match sum {
        Some(sum) if *sum == bytes[at..] && sum_of(&bytes[..at]).as_bytes() == sum => Ok(()),
        _ => Err("its checksum does not fit its bytes".into()),
    }
}
