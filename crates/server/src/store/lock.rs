//! One server at a time: a file beside the database that the server keeps locked, and that says who it is.
//!
//! The lock is the system's (`flock`), so that it ends with the process, however that ends. It is not on the database
//! itself, where SQLite has locks of its own.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::file::{Unusable, beside};

/// How long to wait for a server that is just ending.
const PATIENCE: Duration = Duration::from_secs(1);

/// Who has the database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// Its process.
    pub process: Option<u32>,
    /// Since when, in seconds since 1970.
    pub since: Option<u64>,
    /// Where it listens.
    pub address: Option<String>,
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another server is using it")?;
        let Some(process) = self.process else { return Ok(()) };
        write!(f, ": process {process}")?;
        if let Some(since) = self.since {
            let since = SystemTime::UNIX_EPOCH + Duration::from_secs(since);
            write!(f, ", since {}", httpdate::fmt_http_date(since))?;
        }
        match &self.address {
            Some(address) => write!(f, ", at http://{address}"),
            None => Ok(()),
        }
    }
}

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    held: Mutex<(File, LockHolder)>,
}

impl Lock {
    /// Locks the database of this name.
    ///
    /// # Errors
    /// Says who has it.
    pub(super) fn take(database: &Path) -> Result<Lock, Unusable> {
        let path = beside(database, "-lock");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let named =
                |why: io::Error| io::Error::new(why.kind(), format!("{} cannot be made: {why}", path.display()));
            let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = opened.map_err(named)?;
            match file.try_lock() {
                // Its last holder may have removed it since it was opened here.
                Ok(()) if is_still_at(&file, &path) => {
                    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok();
                    let holder = LockHolder {
                        process: Some(process::id()),
                        since: since.map(|since| since.as_secs()),
                        address: None,
                    };
                    write(&mut file, &holder)?;
                    return Ok(Lock { path, held: Mutex::new((file, holder)) });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(Duration::from_millis(20)),
                Err(TryLockError::WouldBlock) => {
                    let mut text = String::new();
                    let read = file.read_to_string(&mut text).ok();
                    let holder = read.and_then(|_| serde_json::from_str(&text).ok());
                    return Err(Unusable::InUse(holder.unwrap_or_default()));
                }
                Err(TryLockError::Error(why)) => return Err(why.into()),
            }
        }
    }

    /// Says where the holder listens.
    pub(super) fn serving_at(&self, address: String) -> io::Result<()> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, holder) = &mut *held;
        holder.address = Some(address);
        write(file, holder)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked; a file that is left behind does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

fn write(file: &mut File, holder: &LockHolder) -> io::Result<()> {
    let text = serde_json::to_string(holder).expect("a holder is text and numbers");
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |ours: &fs::Metadata, there: &fs::Metadata| (ours.dev(), ours.ino()) == (there.dev(), there.ino());
    matches!((&file.metadata(), &fs::metadata(path)), (Ok(ours), Ok(there)) if same(ours, there))
}

#[cfg(not(unix))]
fn is_still_at(_file: &File, path: &Path) -> bool {
    path.exists()
}
