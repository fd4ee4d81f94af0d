//! Backups of a ledger, which cannot be charged until one is restored.

use crate::{
    chain::Head,
    error::{Error, Fallible},
    ledger::Ledger,
    sqlite,
};
use std::{fs, path::Path};

impl Ledger {
    /// Copies the whole ledger to a new file, even while other processes charge it. It verifies the copy, and returns
    /// the copy's head, which you should keep with the copy. A backup can be read and verified, but not charged;
    /// [`Ledger::restore`] makes a ledger from it.
    ///
    /// ```
    /// use indistinct_ledger::{Error, Ledger, Loss};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("survey.ledger");
    /// # let (copy, new) = (folder.path().join("survey.backup"), folder.path().join("restored.ledger"));
    /// let ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
    /// let head = ledger.backup(&copy)?;
    /// let mut backup = Ledger::open(&copy)?;
    /// assert_eq!(backup.verify(Some(head))?, head);
    /// assert!(backup.charge("survey", "a", "plan", &Loss::epsilon(0.5)?).is_err());
    /// // Only if the ledger itself is lost: charges of after the backup are not in it.
    /// let mut restored = Ledger::restore(&copy, &new)?;
    /// assert!(restored.charge("survey", "a", "plan", &Loss::epsilon(0.5)?).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`Error::System`] if the file exists, [`Error::Tampered`] if the ledger does not follow from its
    /// entries, and [`Error::Refused`] for a ledger on a server, which has its own backup tools.
    pub fn backup(&self, to: impl AsRef<Path>) -> Fallible<Head> {
        self.check_process()?;
        let to = to.as_ref();
        sqlite::make(to)?;
        let made = self.store().backup(to).and_then(|()| Self::open(to)?.verify(None));
        made.inspect_err(|_| drop(fs::remove_file(to)))
    }

    /// Makes a ledger from a backup in a new file, for use when the ledger itself is lost. Charges made after the
    /// backup are missing: their releases were made, and their budget can be spent again.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Ledger::create`] and [`Ledger::open`], and [`Error::Refused`] if the file is not a
    /// backup.
    pub fn restore(backup: impl AsRef<Path>, to: impl AsRef<Path>) -> Fallible<Self> {
        let (from, to) = (Self::open(backup)?, to.as_ref());
        if !from.store().is_backup()? {
            return Err(Error::Refused("the file is a ledger, not a backup".into()));
        }
        sqlite::check_folder(to)?;
        sqlite::make(to)?;
        let made = from.store().backup(to).and_then(|()| {
            let ledger = sqlite::restored(to)?;
            ledger.verify(None)?;
            Ok(ledger)
        });
        made.inspect_err(|_| drop(fs::remove_file(to)))
    }
}
