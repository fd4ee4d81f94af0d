//! The record of one request.

use crate::{
    error::Fallible,
    ledger::Ledger,
    requests::{Recorded, recorded},
};

impl Ledger {
    /// Returns the record of a key of an account; `None` if the key is unknown. Readers do not wait for writers.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Tampered`](crate::Error::Tampered) if the request does not match its entries.
    pub fn request(&self, account: &str, key: &str) -> Fallible<Option<Recorded>> {
        self.read(|tables| recorded(tables, account, key))
    }
}
