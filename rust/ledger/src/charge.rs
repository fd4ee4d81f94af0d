//! A release in three commits: charge, draw and release.

use crate::{
    chain::Head,
    error::Fallible,
    ledger::{Ledger, check_name},
    loss::Loss,
    requests::{Found, Name, Receipt, Request},
};

/// The state in which a charge finds a key.
#[derive(Debug)]
#[must_use]
pub enum Charge<'a> {
    /// Charged, now or before a crash: the data may be read.
    Charged(Charged<'a>),
    /// Released before: returns the same bytes at no cost.
    Released(Vec<u8>),
}

/// A charge whose noise has not been drawn. Drawing consumes it; if it is dropped, it can be resumed with its key.
#[derive(Debug)]
#[must_use]
pub struct Charged<'a> {
    ledger: &'a mut Ledger,
    name: Name,
    receipt: Receipt,
}

/// A charge whose noise may be drawn once. If it is dropped, the release is lost.
#[derive(Debug)]
#[must_use]
pub struct Drawn<'a> {
    ledger: &'a mut Ledger,
    name: Name,
    entry: Head,
}

impl Ledger {
    /// Charges an account, and all above it, for a release of this plan, or returns the state of an earlier charge
    /// under the same key. The charge is on the disk when this returns.
    ///
    /// # Parameters
    ///
    /// - `key`: a name for this release, chosen by the caller. To retry a release, use the same key.
    /// - `plan`: an identifier of the release, such as the hash of a plan.
    /// - `loss`: the loss of the release in the measure of the account.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Budget`] if less remains in an account on the way to the top, [`Error::Conflict`] if the key
    /// was charged for a different plan or loss, and [`Error::Lost`] if a release under this key was interrupted after
    /// its noise was drawn.
    ///
    /// [`Error::Budget`]: crate::Error::Budget
    /// [`Error::Conflict`]: crate::Error::Conflict
    /// [`Error::Lost`]: crate::Error::Lost
    pub fn charge(&mut self, account: &str, key: &str, plan: &str, loss: &Loss) -> Fallible<Charge<'_>> {
        let request = Request { account, key, plan, loss };
        match self.commit(|tables| request.charge(tables))? {
            Found::Released(bytes) => Ok(Charge::Released(bytes)),
            Found::Charged(receipt) => Ok(Charge::Charged(Charged { ledger: self, name: request.name(), receipt })),
        }
    }
}

impl<'a> Charged<'a> {
    /// Returns the entry of the charge: its number and its hash, which represents all entries up to it.
    pub fn entry(&self) -> Head {
        self.receipt.entry
    }

    /// Returns the account's spending right before this charge, even if the charge was resumed later.
    pub fn before(&self) -> &Loss {
        &self.receipt.before
    }

    /// Returns the account's spending right after this charge.
    pub fn after(&self) -> &Loss {
        &self.receipt.after
    }

    /// Records that noise is about to be drawn. After this there is only one attempt, because a second draw after a
    /// crash would allow a choice between two releases.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Lost`](crate::Error::Lost) if another process continued with the same key, and
    /// [`Error::Process`](crate::Error::Process) in a fork of the process that charged. After a storage error, the draw
    /// may or may not be recorded; to find out, charge the same key again.
    pub fn draw(self) -> Fallible<Drawn<'a>> {
        let Self { ledger, name, .. } = self;
        let entry = ledger.commit(|tables| name.draw(tables, None))?;
        Ok(Drawn { ledger, name, entry })
    }

    /// Like [`draw`](Self::draw), for a plan other than the charged one. After this the key belongs to this plan alone.
    /// The charge does not change, so the caller must ensure that this plan's loss does not exceed it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`draw`](Self::draw), and an error if [`Ledger::charge`] would refuse the plan.
    pub fn draw_for(self, plan: &str) -> Fallible<Drawn<'a>> {
        check_name("plan", plan)?;
        let Self { ledger, name, .. } = self;
        let entry = ledger.commit(|tables| name.draw(tables, Some(plan)))?;
        Ok(Drawn { ledger, name, entry })
    }
}

impl Drawn<'_> {
    /// Returns the entry of the draw: its number and its hash.
    pub fn entry(&self) -> Head {
        self.entry
    }

    /// Stores the release. It may be shown to anyone only after this returns.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Lost`](crate::Error::Lost) if it was stored already. After a storage error, do not show the
    /// release, because it may or may not be stored; charge the same key again to find out.
    pub fn release(self, bytes: &[u8]) -> Fallible<()> {
        let Self { ledger, name, entry } = self;
        ledger.commit(|tables| name.release(tables, entry, bytes))?;
        Ok(())
    }
}
