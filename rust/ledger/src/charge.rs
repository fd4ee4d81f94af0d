//! A release in three commits: charged, drawn, released.

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
    /// Charged, now or before a crash: data may be touched.
    Charged(Charged<'a>),
    /// Released before: these bytes again, free.
    Released(Vec<u8>),
}

/// A charge whose noise has not been drawn. It is used up by that; dropped, it can be taken up again with its key.
#[derive(Debug)]
#[must_use]
pub struct Charged<'a> {
    ledger: &'a mut Ledger,
    name: Name,
    receipt: Receipt,
}

/// A charge whose noise may be drawn, once. Dropped, it is lost.
#[derive(Debug)]
#[must_use]
pub struct Drawn<'a> {
    ledger: &'a mut Ledger,
    name: Name,
    entry: Head,
}

impl Ledger {
    /// Charge an account, and all above it, for a release of this plan; or find what became of an earlier charge under
    /// the same key. The charge is on the disk when this returns.
    ///
    /// # Parameters
    ///
    /// - `key`: a name for this release, chosen by the caller; one that is tried again has the same.
    /// - `plan`: what is released, such as the hash of a plan.
    /// - `loss`: the loss of the release in the measure of the account.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if an account on the way to the top has less left; [`Error::Conflict`] if the key was charged
    /// for another plan or loss; [`Error::Lost`] if a release under this key was interrupted after its noise was drawn.
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
    /// The entry of the charge: its number and its hash, which stands for all entries up to it.
    pub fn entry(&self) -> Head {
        self.receipt.entry
    }

    /// The account's spending right before this charge, even if the charge was resumed later.
    pub fn before(&self) -> &Loss {
        &self.receipt.before
    }

    /// The account's spending right after this charge.
    pub fn after(&self) -> &Loss {
        &self.receipt.after
    }

    /// Mark that noise is about to be drawn. From here on there is one attempt: a second draw after a crash would
    /// choose between two.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`](crate::Error::Lost) if another process went on with the same key;
    /// [`Error::Process`](crate::Error::Process) in a fork of the process that charged. After an error of the storage
    /// the mark may or may not be there; charge the same key again to find out.
    pub fn draw(self) -> Fallible<Drawn<'a>> {
        let Self { ledger, name, .. } = self;
        let entry = ledger.commit(|tables| name.draw(tables, None))?;
        Ok(Drawn { ledger, name, entry })
    }

    /// Like [`draw`](Self::draw), for another plan than the charged one. From here on the key belongs to this plan
    /// alone. The charge stays as it is, so the caller must make sure that this plan's loss is not above it.
    ///
    /// # Errors
    ///
    /// As for [`draw`](Self::draw); a plan that [`Ledger::charge`] would refuse.
    pub fn draw_for(self, plan: &str) -> Fallible<Drawn<'a>> {
        check_name("plan", plan)?;
        let Self { ledger, name, .. } = self;
        let entry = ledger.commit(|tables| name.draw(tables, Some(plan)))?;
        Ok(Drawn { ledger, name, entry })
    }
}

impl Drawn<'_> {
    /// The entry of the draw: its number and its hash.
    pub fn entry(&self) -> Head {
        self.entry
    }

    /// Store the release. Only once this has returned may anybody see it.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`](crate::Error::Lost) if it was stored already. After an error of the storage the release must not
    /// be shown, because it may or may not be stored; charge the same key again to find out.
    pub fn release(self, bytes: &[u8]) -> Fallible<()> {
        let Self { ledger, name, entry } = self;
        ledger.commit(|tables| name.release(tables, entry, bytes))?;
        Ok(())
    }
}
