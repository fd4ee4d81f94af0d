//! The code that no page covers, and why none has to.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::{fs, path::Path};

/// Where the list is.
pub(super) const UNCOVERED: &str = "proofs/uncovered.toml";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    group: Vec<Group>,
}

/// What stands for one reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// Why no guarantee depends on it.
    reason: String,
    /// Single units, as a page would name them.
    #[serde(default)]
    units: Vec<String>,
    /// Whole modules, with those inside them.
    #[serde(default)]
    modules: Vec<String>,
    /// The attribute that these modules must be declared under.
    only: Option<String>,
}

/// A unit or a module, and the reason.
pub(super) struct Exception {
    pub(super) name: String,
    pub(super) is_module: bool,
    pub(super) reason: String,
    pub(super) only: Option<String>,
}

impl Exception {
    /// All that the list says.
    pub(super) fn read_all(root: &Path) -> Result<Vec<Self>> {
        let path = root.join(UNCOVERED);
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        let File { group } = toml::from_str(&text).with_context(|| format!("{UNCOVERED} is not understood"))?;
        let of = |Group { reason, units, modules, only }: Group| {
            let units = units.into_iter().map(|name| (name, false));
            let all = units.chain(modules.into_iter().map(|name| (name, true)));
            all.map(move |(name, is_module)| Self { name, is_module, reason: reason.clone(), only: only.clone() })
        };
        Ok(group.into_iter().flat_map(of).collect())
    }

    /// Whether its reason is one for this unit, which may implement something of other code.
    pub(super) fn excuses(&self, unit: &str, reaches_out: bool) -> bool {
        let is_named = unit == self.name;
        if self.is_module { !is_named && !reaches_out && self.holds(unit) } else { is_named }
    }

    /// Whether a path is that of the module, or leads into it.
    pub(super) fn holds(&self, path: &str) -> bool {
        path.strip_prefix(&self.name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }
}
