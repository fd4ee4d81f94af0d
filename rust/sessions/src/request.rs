//! The text of a question in a ledger.

use indistinct::core::ProofLevel;
use std::fmt;

/// A question as a ledger stores it. A different plan or a different table makes a different request. The proof level
/// is for readers of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    /// The hash of the plan.
    pub(crate) plan: &'a str,
    pub(crate) table: &'a str,
    pub(crate) level: ProofLevel,
}

impl<'a> Request<'a> {
    /// Reads a request from its text, if a session wrote it.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let (plan, rest) = text.strip_prefix("plan ")?.split_once(" of table ")?;
        let (table, level) = rest.rsplit_once(", proof ")?;
        Some(Self { plan, table, level: level.parse().ok()? })
    }
}

impl fmt::Display for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan {} of table {}, proof {}", self.plan, self.table, self.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_was_written() {
        for table in ["stays", " of table ", "a, proof B", "plan c of table d, proof A"] {
            let request = Request { plan: "c0ffee", table, level: ProofLevel::C };
            assert_eq!(Request::read(&request.to_string()), Some(request));
        }
        for other in ["", "plan c0ffee", "plan c0ffee of table stays", "plan c0ffee of table stays, proof Z"] {
            assert_eq!(Request::read(other), None);
        }
    }
}
