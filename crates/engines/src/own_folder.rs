//! Folders of tables, for the tests of what is kept in them.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use raichi_solve::Folder;

/// A folder of one test, which goes with it.
pub(crate) struct OwnFolder(pub(crate) PathBuf);

impl OwnFolder {
    /// There is none yet; `name` is that of the test.
    pub(crate) fn new(name: &str) -> OwnFolder {
        OwnFolder(std::env::temp_dir().join(format!("raichi-tables-{name}-{}", std::process::id())))
    }

    /// Where all that is written has to be kept.
    pub(crate) fn kept(&self) -> Folder<'_> {
        Folder { path: &self.0, not_kept: &|why| panic!("{why}") }
    }

    /// What the job finds, and what it was not able to keep.
    pub(crate) fn with<T>(&self, job: impl FnOnce(Folder<'_>) -> T) -> (T, Vec<String>) {
        let not_kept = Mutex::new(Vec::new());
        let found = job(Folder { path: &self.0, not_kept: &|why| not_kept.lock().unwrap().push(why.to_string()) });
        (found, not_kept.into_inner().unwrap())
    }

    /// Makes it impossible to write the file: a folder with something in it lies in its place.
    pub(crate) fn block(&self, file: &str) {
        fs::create_dir_all(self.0.join(file).join("in the way")).unwrap();
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
