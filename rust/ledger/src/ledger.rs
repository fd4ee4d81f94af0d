//! A ledger, open in this process.

use crate::{
    error::{Error, Fallible},
    store::{Store, Tables},
};
use std::{fmt, process};

/// A ledger, in a file or on a server, open in this process.
pub struct Ledger {
    store: Box<dyn Store>,
    process: u32,
    /// True if a write has failed. It may or may not be on the disk until the ledger is opened again.
    is_broken: bool,
}

/// The version of the tables and of their contents. A program refuses every other version.
pub(crate) const VERSION: i64 = 3;

impl Ledger {
    pub(crate) fn with(store: impl Store + 'static) -> Self {
        Self { store: Box::new(store), process: process::id(), is_broken: false }
    }

    /// Does all of the work in one commit, which is on the disk when this returns, or none of it.
    pub(crate) fn commit<T>(&mut self, mut work: impl FnMut(&mut dyn Tables) -> Fallible<T>) -> Fallible<T> {
        self.check_process()?;
        if self.is_broken {
            return Err(Error::Refused("an earlier write failed: open the ledger again".into()));
        }
        let mut done = None;
        let end = self.store.write(&mut |tables| {
            done = Some(work(tables)?);
            Ok(())
        });
        self.is_broken = matches!(end, Err(Error::Storage(_)));
        end?;
        done.ok_or_else(|| Error::Refused("nothing was done".into()))
    }

    /// Reads everything as it was at one moment.
    pub(crate) fn read<T>(&self, mut work: impl FnMut(&mut dyn Tables) -> Fallible<T>) -> Fallible<T> {
        self.check_process()?;
        let mut done = None;
        self.store.read(&mut |tables| {
            done = Some(work(tables)?);
            Ok(())
        })?;
        done.ok_or_else(|| Error::Refused("nothing was done".into()))
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Refuses a forked child, which has its parent's connection: neither SQLite's locks nor a server can distinguish
    /// them.
    pub(crate) fn check_process(&self) -> Fallible<()> {
        if self.process == process::id() { Ok(()) } else { Err(Error::Process) }
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ledger")
    }
}

pub(crate) fn check_name(parameter: &'static str, name: &str) -> Fallible<()> {
    let is_name = !name.is_empty() && name.len() <= 1024 && !name.chars().any(char::is_control);
    let rule = "must have 1 to 1024 bytes and no control characters";
    if is_name { Ok(()) } else { Err(Error::parameter(parameter, rule)) }
}
