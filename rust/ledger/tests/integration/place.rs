//! Where the ledger of a test is: in a file, or on the server that `run.sh` started.

use indistinct_ledger::{Fallible, Ledger, Loss};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Makes of each function of a place one test with a file, and one with a server (feature `postgres`).
macro_rules! everywhere {
    ($($name:ident)*) => {
        mod in_a_file {
            $(#[test] fn $name() { super::$name(&$crate::place::Place::file()) })*
        }
        #[cfg(feature = "postgres")]
        mod on_a_server {
            $(#[test] fn $name() { super::$name(&$crate::place::Place::server()) })*
        }
    };
}
pub(crate) use everywhere;

/// The place of one ledger.
pub(crate) struct Place {
    /// A path, or the name of a ledger on a server and where that is.
    pub(crate) text: String,
    _folder: Option<TempDir>,
}

#[cfg(feature = "postgres")]
const SERVER: &str = "server:";

impl Place {
    pub(crate) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { text: folder.path().join("a.ledger").to_str().unwrap().into(), _folder: Some(folder) }
    }

    pub(crate) fn at(path: &Path) -> Self {
        Self { text: path.to_str().unwrap().into(), _folder: None }
    }

    /// In memory, where there is such a folder: for what is not about a disk.
    pub(crate) fn in_memory() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        Self { text: folder.path().join("a.ledger").to_str().unwrap().into(), _folder: Some(folder) }
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn server() -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let url = std::env::var("LEDGER_SERVER").expect("make test-postgres starts a server");
        Self::on_server(&url, &format!("ledger_{}_{number}", std::process::id()))
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn on_server(url: &str, name: &str) -> Self {
        Self { text: format!("{SERVER}{name}@{url}"), _folder: None }
    }

    /// Where the server is, and the name of the ledger there.
    #[cfg(feature = "postgres")]
    pub(crate) fn server_and_name(&self) -> (&str, &str) {
        let (name, url) = self.text.strip_prefix(SERVER).unwrap().split_once('@').unwrap();
        (url, name)
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.text.clone().into()
    }

    pub(crate) fn create(&self, budget: &Loss) -> Ledger {
        #[cfg(feature = "postgres")]
        if self.text.starts_with(SERVER) {
            let (url, name) = self.server_and_name();
            return Ledger::create_on_server(url, name, "survey", budget).unwrap();
        }
        Ledger::create(self.path(), "survey", budget).unwrap()
    }

    pub(crate) fn open(&self) -> Ledger {
        open(&self.text).unwrap()
    }
}

/// What a process of its own is told of a place.
pub(crate) fn open(text: &str) -> Fallible<Ledger> {
    #[cfg(feature = "postgres")]
    if let Some((name, url)) = text.strip_prefix(SERVER).and_then(|place| place.split_once('@')) {
        return Ledger::open_on_server(url, name);
    }
    Ledger::open(Path::new(text))
}
