//! The check that a computation continues only in the process that began it.

use super::{Error, ErrorKind, Fallible};

/// The process in which a stateful object was made.
///
/// A forked child has a copy of the state, and does not know the answers of other copies: each copy would spend the
/// whole budget. So only the process that made the object may use it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Process(u32);

impl Process {
    /// Returns the calling process.
    pub(crate) fn this() -> Self {
        Self(std::process::id())
    }

    /// Returns an error in any other process.
    pub(crate) fn check(self) -> Fallible<()> {
        let rule = "a queryable or an aggregate can be used only in the process that made it";
        if self.0 == std::process::id() { Ok(()) } else { Err(Error::new(ErrorKind::Process, rule)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/forks.rs` tests a child of a real fork.
    #[test]
    fn only_the_maker_goes_on() {
        assert_eq!(Process::this().check(), Ok(()));
        assert_eq!(Process(std::process::id() ^ 1).check().unwrap_err().kind(), ErrorKind::Process);
    }
}
