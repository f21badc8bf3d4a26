//! An agent's files in one `.zip`.
//!
//! Its comment holds the SHA-256 of all bytes before it, so that a flipped byte is noticed wherever it lies, in the archive's
//! own tables too. Archives that other programs packed have no such comment: there the checksums of the files count.

use std::io::{Cursor, Read, Seek, Write};

use raichi_learn::file::{FileError, Files, MOST_BYTES, check_size, sum_of};
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
    let damaged = |why: String| FileError::Damaged { name: "the archive".into(), why };
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|why| damaged(why.to_string()))?;
    check_comment(bytes, zip.comment()).map_err(damaged)?;
    if zip.len() > MOST_FILES {
        return Err(damaged(format!("it has {} files, and an agent has at most {MOST_FILES}", zip.len())));
    }
    let mut files = Files::new();
    let mut total = 0;
    for i in 0..zip.len() {
        let file = zip.by_index(i).map_err(|why| damaged(why.to_string()))?;
        if file.is_dir() {
            continue;
        }
        // A folder that was packed whole has its name before each file's.
        let name = file.name().map_err(|why| damaged(why.to_string()))?;
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        check_size(&name, file.size(), MOST_BYTES)?;
        let mut content = Vec::new();
        let left = MOST_BYTES as u64 - total;
        file.take(left + 1).read_to_end(&mut content).map_err(|why| damaged(format!("{name}: {why}")))?;
        total += content.len() as u64;
        check_size("the archive", total, MOST_BYTES)?;
        files.push((name, content));
    }
    Ok(files)
}

/// One file of an archive, without reading the others; `None` where it has no such file.
///
/// # Errors
/// When it is no archive, damaged, or too large.
pub(super) fn read_one(archive: impl Read + Seek, wanted: &str, most: usize) -> Result<Option<Vec<u8>>, FileError> {
    let damaged = |why: String| FileError::Damaged { name: "the archive".into(), why };
    let mut zip = ZipArchive::new(archive).map_err(|why| damaged(why.to_string()))?;
    let is_wanted = |name: &str| name.rsplit('/').next() == Some(wanted);
    let found = zip.file_names().flatten().find(|name| is_wanted(name)).map(|name| name.into_owned());
    let Some(name) = found else { return Ok(None) };
    let file = zip.by_name(&name).map_err(|why| damaged(why.to_string()))?;
    check_size(wanted, file.size(), most)?;
    let mut content = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut content).map_err(|why| damaged(format!("{wanted}: {why}")))?;
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
