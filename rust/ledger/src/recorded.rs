//! The record of one request.

use crate::{
    error::Fallible,
    ledger::Ledger,
    requests::{Recorded, recorded},
};

impl Ledger {
    /// The record of a key of an account; none if the key is unknown. Readers do not wait for writers.
    ///
    /// # Errors
    ///
    /// [`Error::Tampered`](crate::Error::Tampered) where the request is not what its entries say.
    pub fn request(&self, account: &str, key: &str) -> Fallible<Option<Recorded>> {
        self.read(|tables| recorded(tables, account, key))
    }
}
