//! Copies of a ledger, from which no charge is made until one is restored.

use crate::{
    chain::Head,
    error::{Error, Fallible},
    ledger::Ledger,
    sqlite,
};
use std::{fs, path::Path};

impl Ledger {
    /// A copy of all of it, also while others charge, in a file that does not exist yet; its head, to be kept beside
    /// it. The copy is verified. It can be read and verified, and nothing is charged to it: [`Ledger::restore`] makes a
    /// ledger of it.
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
    /// [`Error::System`] if there is a file; [`Error::Tampered`] if the ledger does not follow from its entries;
    /// [`Error::Refused`] for a ledger on a server, which has tools for that.
    pub fn backup(&self, to: impl AsRef<Path>) -> Fallible<Head> {
        self.check_process()?;
        let to = to.as_ref();
        sqlite::make(to)?;
        let made = self.store().backup(to).and_then(|()| Self::open(to)?.verify(None));
        made.inspect_err(|_| drop(fs::remove_file(to)))
    }

    /// A ledger of a backup, in a file that does not exist yet, for when the ledger itself is lost. Charges that were
    /// made after the backup are not in it: what was released with them is released, and what they spent can be spent
    /// again.
    ///
    /// # Errors
    ///
    /// The errors of [`Ledger::create`] and [`Ledger::open`]; [`Error::Refused`] if it is not a backup.
    pub fn restore(backup: impl AsRef<Path>, to: impl AsRef<Path>) -> Fallible<Self> {
        let (from, to) = (Self::open(backup)?, to.as_ref());
        if !from.store().is_backup()? {
            return Err(Error::Refused("is a ledger, not a backup of one".into()));
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
