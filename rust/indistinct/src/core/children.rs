//! The plans of the values that something was built from.

use super::Plan;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, sync::Arc};

/// Plans, in order. They are kept where they are: in the values that were built, of which these are shared holders.
#[derive(Clone, Default)]
pub struct Children(Vec<Arc<dyn Planned>>);

/// Values that know how they were built: of one constructor, or of several.
pub(crate) trait Planned: Send + Sync + 'static {
    fn plans(&self) -> Vec<&Plan>;
}

impl Planned for Plan {
    fn plans(&self) -> Vec<&Plan> {
        vec![self]
    }
}

impl Children {
    /// One by one.
    pub fn iter(&self) -> impl Iterator<Item = &Plan> {
        self.0.iter().flat_map(|holder| holder.plans())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|holder| holder.plans().is_empty())
    }

    pub(crate) fn push(&mut self, holder: Arc<impl Planned>) {
        self.0.push(holder);
    }
}

impl From<Arc<Plan>> for Children {
    fn from(plan: Arc<Plan>) -> Self {
        Self(vec![plan])
    }
}

impl FromIterator<Children> for Children {
    fn from_iter<I: IntoIterator<Item = Children>>(all: I) -> Self {
        Self(all.into_iter().flat_map(|children| children.0).collect())
    }
}

impl PartialEq for Children {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Children {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Children {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Children {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plans = Vec::<Plan>::deserialize(deserializer)?;
        Ok(plans.into_iter().map(|plan| Self::from(Arc::new(plan))).collect())
    }
}
