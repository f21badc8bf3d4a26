//! Where trained agents lie, by name: a folder of archives (`NAME.zip`) or folders (`NAME/`), and those that come with the
//! command. Agents of the folder come first where names are equal.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use raichi_learn::Saved;
use raichi_learn::file::{
    self, FileError, Files, MANIFEST, MOST_BYTES, MOST_MANIFEST_BYTES, Manifest, WEIGHTS, check_size,
};

use super::archive;
use super::shipped::SHIPPED;
use crate::searching::BUILT_IN_EVALUATORS;

/// Nobody takes longer to write a file.
const LONGEST_WRITING: Duration = Duration::from_secs(3600);

/// Why there is no such agent.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No agent has this name.
    #[error("there is no trained agent `{}`; {known}", raichi_core::notation::shortened(.name))]
    Unknown {
        /// The name given.
        name: String,
        /// Which there are.
        known: String,
    },
    /// The name is none.
    #[error("`{}` is no name of an agent: letters, digits, -, _ and . make one, 64 at most, the first no point",
        raichi_core::notation::shortened(.name))]
    NoName {
        /// The name given.
        name: String,
    },
    /// The name is that of a built-in evaluator.
    #[error("`{name}` cannot be the name of a trained agent: evaluator={name} is built in")]
    Reserved {
        /// The name given.
        name: String,
    },
    /// An agent of this name is there already.
    #[error("there is a trained agent `{name}` already; give the new one another name, or remove the old one first")]
    Taken {
        /// The name.
        name: String,
    },
    /// The agent came with the command and cannot be removed.
    #[error("`{name}` comes with the command and cannot be removed")]
    Shipped {
        /// The name.
        name: String,
    },
    /// Its files are no agent.
    #[error("the trained agent {name} is refused: {why}")]
    File {
        /// Its name, or the file's.
        name: String,
        /// What is wrong.
        why: FileError,
    },
    /// A file cannot be read or written.
    #[error("{}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
    /// Nobody said where agents lie.
    #[error("it is not known where trained agents lie; neither HOME nor XDG_DATA_HOME is set, nor --agents-dir")]
    NoFolder,
}

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Says where trained agents lie, once and before they are used.
pub fn keep_in(folder: PathBuf) {
    // Who comes second finds that it is decided.
    let _ = FOLDER.set(folder);
}

/// Where trained agents lie where nothing else is said: `$XDG_DATA_HOME/raichi/agents`, else
/// `~/.local/share/raichi/agents`.
fn usual_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("raichi/agents"))
}

/// Where trained agents lie.
///
/// # Errors
/// When nothing says where.
pub fn folder() -> Result<PathBuf, StoreError> {
    FOLDER.get().cloned().or_else(usual_folder).ok_or(StoreError::NoFolder)
}

/// Checks a name. Those of built-in evaluators are reserved: `evaluator=NAME` would never find the agent.
///
/// # Errors
/// When it is none, or reserved.
pub fn check_name(name: &str) -> Result<(), StoreError> {
    if BUILT_IN_EVALUATORS.contains(&name) {
        return Err(StoreError::Reserved { name: name.into() });
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(allowed) && !name.starts_with('.');
    if is_name { Ok(()) } else { Err(StoreError::NoName { name: name.into() }) }
}

/// A trained agent's name and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name.
    pub name: String,
    /// Whether it comes with the command.
    pub shipped: bool,
}

/// All agents, by name.
pub fn list() -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for entry in folder().ok().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = match name.strip_suffix(".zip") {
            Some(name) => name,
            None if entry.path().join(MANIFEST).is_file() => &name,
            None => continue,
        };
        if check_name(name).is_ok() && !places.iter().any(|place| place.name == name) {
            places.push(Place { name: name.into(), shipped: false });
        }
    }
    for (name, _) in SHIPPED {
        if !places.iter().any(|place| place.name == *name) {
            places.push(Place { name: (*name).into(), shipped: true });
        }
    }
    places.sort_by(|a, b| a.name.cmp(&b.name));
    places
}

/// The files of an agent.
///
/// # Errors
/// When there is none of this name, or its files cannot be read.
pub fn files(name: &str) -> Result<Files, StoreError> {
    check_name(name)?;
    match place(name) {
        Some(Found::Archive(path) | Found::Folder(path)) => files_at(&path),
        Some(Found::Shipped(bytes)) => archive::read(bytes).map_err(|why| StoreError::File { name: name.into(), why }),
        None => Err(unknown(name)),
    }
}

/// Where an agent was found.
enum Found {
    Archive(PathBuf),
    Folder(PathBuf),
    Shipped(&'static [u8]),
}

fn place(name: &str) -> Option<Found> {
    if let Ok(folder) = folder() {
        let (archive, unpacked) = (folder.join(format!("{name}.zip")), folder.join(name));
        if archive.is_file() {
            return Some(Found::Archive(archive));
        }
        if unpacked.join(MANIFEST).is_file() {
            return Some(Found::Folder(unpacked));
        }
    }
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, bytes)| Found::Shipped(bytes))
}

fn unknown(name: &str) -> StoreError {
    let names: Vec<String> = list().into_iter().map(|place| place.name).collect();
    let known = match names.as_slice() {
        [] => "none has been trained or imported yet".into(),
        names => format!("there are {}", names.join(", ")),
    };
    StoreError::Unknown { name: name.into(), known }
}

/// The files of an agent that lies anywhere: an archive or a folder.
///
/// # Errors
/// When it cannot be read or is too large.
pub fn files_at(path: &Path) -> Result<Files, StoreError> {
    if path.is_dir() {
        let mut files = Files::new();
        for name in [MANIFEST, WEIGHTS] {
            let path = path.join(name);
            if path.is_file() {
                files.push((name.into(), bytes_at(&path)?));
            }
        }
        return Ok(files);
    }
    archive::read(&bytes_at(path)?).map_err(|why| StoreError::File { name: path.display().to_string(), why })
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read, or is larger than any agent.
pub fn bytes_at(path: &Path) -> Result<Vec<u8>, StoreError> {
    let failed = |why| StoreError::Io { path: path.into(), why };
    let name = path.display().to_string();
    let file = fs::File::open(path).map_err(failed)?;
    // An archive is a little larger than what is in it.
    let most = MOST_BYTES + (1 << 20);
    let too_large = |why| StoreError::File { name: name.clone(), why };
    check_size(&name, file.metadata().map_err(failed)?.len(), most).map_err(too_large)?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    check_size(&name, bytes.len() as u64, most).map_err(too_large)?;
    Ok(bytes)
}

/// Reads an agent whole; every checksum is checked.
///
/// # Errors
/// When there is none of this name, or it is damaged.
pub fn load(name: &str) -> Result<Arc<(Manifest, Saved)>, StoreError> {
    type ByName = HashMap<String, Weak<(Manifest, Saved)>>;
    static LOADED: Mutex<Option<ByName>> = Mutex::new(None);
    let files = files(name)?;
    let refused = |why| StoreError::File { name: name.into(), why };
    let manifest = files.iter().find(|(file, _)| file == MANIFEST);
    let (_, manifest) = manifest.ok_or_else(|| refused(FileError::Missing { name: MANIFEST.into() }))?;
    // The manifest's sum stands for all of the agent.
    let sum = file::sum_of(manifest);
    let known = {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.get_or_insert_default().get(&sum).and_then(Weak::upgrade)
    };
    let read = file::read(&files).map_err(refused)?;
    if let Some(known) = known {
        return Ok(known);
    }
    let agent = Arc::new(read);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded.get_or_insert_default();
    loaded.retain(|_, agent| agent.strong_count() > 0);
    loaded.insert(sum, Arc::downgrade(&agent));
    Ok(agent)
}

/// What an agent says of itself; its other files are not read.
///
/// # Errors
/// When there is none of this name, or its manifest is damaged.
pub fn manifest(name: &str) -> Result<Manifest, StoreError> {
    check_name(name)?;
    let refused = |why| StoreError::File { name: name.into(), why };
    let bytes = match place(name) {
        Some(Found::Archive(path)) => {
            let file = fs::File::open(&path).map_err(|why| StoreError::Io { path, why })?;
            archive::read_one(file, MANIFEST, MOST_MANIFEST_BYTES).map_err(refused)?
        }
        Some(Found::Folder(path)) => Some(bytes_at(&path.join(MANIFEST))?),
        Some(Found::Shipped(bytes)) => {
            archive::read_one(Cursor::new(bytes), MANIFEST, MOST_MANIFEST_BYTES).map_err(refused)?
        }
        None => return Err(unknown(name)),
    };
    let bytes = bytes.ok_or_else(|| refused(FileError::Missing { name: MANIFEST.into() }))?;
    file::read_manifest(&bytes).map_err(refused)
}

/// What an agent's files say of it.
///
/// # Errors
/// When the manifest is missing or damaged.
pub fn manifest_of(name: &str, files: &Files) -> Result<Manifest, StoreError> {
    let refused = |why| StoreError::File { name: name.into(), why };
    let manifest = files.iter().find(|(file, _)| file == MANIFEST);
    let (_, bytes) = manifest.ok_or_else(|| refused(FileError::Missing { name: MANIFEST.into() }))?;
    file::read_manifest(bytes).map_err(refused)
}

/// The names of the agents trained for a game, those of the folder first.
pub fn trained_for(spec: &str) -> Vec<String> {
    let mut places = list();
    places.sort_by_key(|place| place.shipped);
    let fits =
        |place: &Place| manifest(&place.name).is_ok_and(|manifest| super::check_game(spec, &manifest.game).is_ok());
    places.into_iter().filter(fits).map(|place| place.name).collect()
}

/// Keeps an agent under a name, which its manifest has from then on, in the place of one that was there where `replace` says
/// so.
///
/// # Errors
/// When the name is taken, the manifest is damaged, or the file cannot be written; nothing has changed then.
pub fn save(name: &str, files: &Files, replace: bool) -> Result<PathBuf, StoreError> {
    check_name(name)?;
    let files = file::renamed(files, name).map_err(|why| StoreError::File { name: name.into(), why })?;
    let folder = folder()?;
    fs::create_dir_all(&folder).map_err(|why| StoreError::Io { path: folder.clone(), why })?;
    let (path, unpacked) = (folder.join(format!("{name}.zip")), folder.join(name));
    if !replace && (path.exists() || unpacked.exists()) {
        return Err(StoreError::Taken { name: name.into() });
    }
    write_whole(&path, &archive::write(&files, true))?;
    Ok(path)
}

/// Writes a file whole or not at all: beside it first, then in its place.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    remove_unfinished(path);
    let beside = path.with_extension(format!("tmp-{}", std::process::id()));
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|why| {
        // What was written of it is of no use.
        let _ = fs::remove_file(&beside);
        StoreError::Io { path: path.into(), why }
    })
}

/// Removes what a program that was killed had written of the same file. It may have been gigabytes.
fn remove_unfinished(path: &Path) {
    let Some(entries) = path.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    let is_beside = |other: &Path| {
        let extension = other.extension().and_then(|extension| extension.to_str());
        other.file_stem() == path.file_stem() && extension.is_some_and(|extension| extension.starts_with("tmp-"))
    };
    for entry in entries.flatten().filter(|entry| is_beside(&entry.path())) {
        let modified = entry.metadata().and_then(|about| about.modified());
        // Another program may be writing.
        if modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > LONGEST_WRITING)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes an agent.
///
/// # Errors
/// When there is none of this name in the folder, or it cannot be removed.
pub fn remove(name: &str) -> Result<(), StoreError> {
    check_name(name)?;
    let folder = folder()?;
    let (archive, unpacked) = (folder.join(format!("{name}.zip")), folder.join(name));
    if archive.is_file() {
        return fs::remove_file(&archive).map_err(|why| StoreError::Io { path: archive, why });
    }
    if unpacked.join(MANIFEST).is_file() {
        return fs::remove_dir_all(&unpacked).map_err(|why| StoreError::Io { path: unpacked, why });
    }
    match SHIPPED.iter().any(|(shipped, _)| *shipped == name) {
        true => Err(StoreError::Shipped { name: name.into() }),
        false => Err(unknown(name)),
    }
}
