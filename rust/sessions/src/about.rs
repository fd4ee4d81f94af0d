//! The body that makes releases, and their purpose.

use serde::{Deserialize, Serialize};

/// The body that makes releases, and their purpose, in the curator's words. Both are public.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The body that is responsible for the releases.
    pub body: String,
    /// The purpose of the releases.
    pub purpose: String,
}

impl About {
    pub(crate) fn is_empty(&self) -> bool {
        self.body.is_empty() && self.purpose.is_empty()
    }
}
