//! Verification: recomputes everything in a ledger from its entries.

use crate::{
    books::{Booked, Books},
    chain::{Head, hex, link},
    checkpoint::{Checkpoint, Settling},
    error::{Error, Fallible},
    ledger::Ledger,
    requests::Name,
    store::Tables,
};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

impl Ledger {
    /// Reads all entries, recomputes accounts and requests from them, and compares the results with the tables, and the
    /// bytes of releases with their hashes. `known`, an earlier head, must be one of the entries; this shows that the
    /// ledger was not reset to an earlier state.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Tampered`], with the item that does not follow from the entries.
    pub fn verify(&self, known: Option<Head>) -> Fallible<Head> {
        Ok(self.verify_after(&Checkpoint::nothing(), known)?.head)
    }

    /// Verifies like [`Ledger::verify`], and returns a checkpoint from which the next verification can begin.
    pub fn checkpoint(&self) -> Fallible<Checkpoint> {
        self.verify_after(&Checkpoint::nothing(), None)
    }

    /// Verifies like [`Ledger::verify`], but does not read the entries up to a checkpoint again, because the checkpoint
    /// represents them. It compares accounts, all requests and the bytes of all releases, which takes most of the time,
    /// and returns the next checkpoint.
    ///
    /// ```
    /// use indistinct_ledger::{Checkpoint, Ledger, Loss};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("survey.ledger");
    /// let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
    /// let kept = ledger.checkpoint()?.to_string();
    /// // A month later.
    /// let _ = ledger.charge("survey", "a", "plan", &Loss::epsilon(0.25)?)?;
    /// let next = ledger.verify_since(&kept.parse()?)?;
    /// assert_eq!(next.head().entries, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`Error::Tampered`], with the item that does not follow from the entries.
    pub fn verify_since(&self, checkpoint: &Checkpoint) -> Fallible<Checkpoint> {
        self.verify_after(checkpoint, None)
    }

    fn verify_after(&self, start: &Checkpoint, known: Option<Head>) -> Fallible<Checkpoint> {
        self.read(|tables| verify(tables, start, known))
    }
}

/// Verifies tables within a transaction.
pub(crate) fn verify(tables: &mut dyn Tables, start: &Checkpoint, known: Option<Head>) -> Fallible<Checkpoint> {
    let requests = start.open.clone().into_iter().collect::<HashMap<_, _>>();
    let mut books = Books { accounts: start.accounts.clone(), requests };
    let head = books.read(tables, start.head, known)?;
    books.compare_accounts(tables)?;
    books.compare_requests(tables, start, head)
}

fn tampered(what: impl Into<String>) -> Error {
    Error::Tampered(what.into())
}

const REQUESTS: &str =
    "SELECT account, key, plan, loss, charged, drawn, released, result FROM request ORDER BY account, key";

impl Books {
    /// Reads the entries after one of them.
    fn read(&mut self, tables: &mut dyn Tables, start: Head, known: Option<Head>) -> Fallible<Head> {
        let unknown = || {
            tampered(
                "the known head is not one of its entries: the ledger was reset to an earlier state, or is another ledger",
            )
        };
        if start.entries > 0 {
            let found = tables.row("SELECT hash FROM entry WHERE number = $1", &[start.number().into()])?;
            let is_start = found.map(|mut row| row.hash()).transpose()? == Some(start.hash);
            is_start.then_some(()).ok_or_else(unknown)?;
        }
        let mut head = start;
        let mut is_known = known.is_none_or(|known| known == head);
        let after = "SELECT number, kind, body, hash FROM entry WHERE number > $1 ORDER BY number";
        tables.each(after, &[start.number().into()], &mut |mut row| {
            let (number, kind, body, hash) = (row.number()?, row.text()?, row.text()?, row.hash()?);
            if Some(number) != head.number().checked_add(1) || link(&head.hash, number, &kind, &body) != hash {
                return Err(tampered(format!("entry {number} does not match its hash")));
            }
            self.enter(number, &kind, &body)
                .ok_or_else(|| tampered(format!("the contents of entry {number} cannot be read")))?;
            head = Head::new(number, hash);
            is_known |= known == Some(head);
            Ok(())
        })?;
        if head.entries == 0 {
            return Err(tampered("there are no entries"));
        }
        if is_known { Ok(head) } else { Err(unknown()) }
    }

    fn compare_accounts(&self, tables: &mut dyn Tables) -> Fallible<()> {
        let mut found = 0usize;
        tables.each(
            "SELECT name, above, budget, spent, opened, prepaid, closed FROM account",
            &[],
            &mut |mut row| {
                let name = row.text()?;
                let (parent, budget, spent, opened) = (row.text_if_any()?, row.text()?, row.text()?, row.number()?);
                let (prepaid, closed) = (row.text_if_any()?, row.number_if_any()?);
                let is_so = self.accounts.get(&name).is_some_and(|account| {
                    account.parent == parent
                        && account.budget.text() == budget
                        && account.spent.text() == spent
                        && account.opened == opened
                        && account.prepaid == prepaid
                        && account.closed == closed
                });
                found = found.saturating_add(1);
                if is_so { Ok(()) } else { Err(tampered(format!("the account {name:?} does not match its entries"))) }
            },
        )?;
        if found == self.accounts.len() { Ok(()) } else { Err(tampered("an account is missing")) }
    }

    /// Compares all requests. Each must be either a request that was settled at the start, where all of these together
    /// must have the known hash, or a request in these books, and not both.
    fn compare_requests(self, tables: &mut dyn Tables, start: &Checkpoint, head: Head) -> Fallible<Checkpoint> {
        let (mut found, mut before, mut now) = (0usize, Settling::default(), Settling::default());
        tables.each(REQUESTS, &[], &mut |mut row| {
            let name = Name { account: row.text()?, key: row.text()? };
            let request = Booked {
                plan: row.text()?,
                loss: row.text()?,
                charged: row.number()?,
                drawn: row.number_if_any()?,
                released: row.number_if_any()?,
                sha256: row.bytes_if_any()?.map(|bytes| hex(&Sha256::digest(bytes))),
            };
            let was_settled = request.released.is_some_and(|released| released <= start.head.number());
            let is_so = match self.requests.get(&name) {
                None if was_settled => true,
                booked => !was_settled && booked == Some(&request),
            };
            if !is_so {
                return Err(tampered(format!("the request {:?} of {:?}", name.key, name.account)));
            }
            if was_settled {
                before.add(&name, &request);
            } else {
                found = found.saturating_add(1);
            }
            if request.released.is_some() {
                now.add(&name, &request);
            }
            Ok(())
        })?;
        if found != self.requests.len() {
            return Err(tampered("a request is missing"));
        }
        if before.settled() != start.settled {
            return Err(tampered("a release from before the checkpoint was changed"));
        }
        let open = self.requests.into_iter().filter(|(_, request)| request.released.is_none()).collect();
        Ok(Checkpoint { head, accounts: self.accounts, open, settled: now.settled() })
    }
}
