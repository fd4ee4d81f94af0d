//! Who makes releases, and what for.

use serde::{Deserialize, Serialize};

/// Who makes releases, and what for: the words of a curator, which are public.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The body that is responsible for the releases.
    pub body: String,
    /// What the releases are for.
    pub purpose: String,
}

impl About {
    pub(crate) fn is_empty(&self) -> bool {
        self.body.is_empty() && self.purpose.is_empty()
    }
}
