//! A value that one thread uses at a time.

use crate::failure::{Failure, Fallible};
use std::sync::{Mutex, MutexGuard};

/// Wait for it. The interpreter's lock must not be held: whoever has this one may need that.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> Fallible<MutexGuard<'_, T>> {
    shared.lock().map_err(|_| Failure::other("an earlier call did not end: open the ledger and the session again"))
}
