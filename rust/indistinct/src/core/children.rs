//! The plans of the values that something was built from.

use super::{Fallible, Plan};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{cell::Cell, fmt, sync::Arc};

/// Plans, in order. They are kept where they are: in the values that were built, of which these are shared holders.
///
/// None is deeper or larger than a construction may be, so that whatever goes from step to step ends, on any stack.
#[derive(Clone, Default)]
pub struct Children {
    holders: Vec<Arc<dyn Planned>>,
    extent: Extent,
}

/// How large these plans are, counted as they are added.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    /// All steps, each as often as it occurs.
    pub(super) steps: usize,
    /// The depths of all, one after another.
    pub(super) sequence: usize,
    /// The greatest depth.
    pub(super) deepest: usize,
}

impl Extent {
    fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            sequence: self.sequence.saturating_add(other.sequence),
            deepest: self.deepest.max(other.deepest),
        }
    }
}

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
        self.holders.iter().flat_map(|holder| holder.plans())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.extent.steps == 0
    }

    pub(super) fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn push(&mut self, holder: Arc<impl Planned>) {
        self.extent = holder.plans().into_iter().map(Plan::extent).fold(self.extent, Extent::and);
        self.holders.push(holder);
    }

    pub(super) fn join(&mut self, other: Children) {
        self.extent = self.extent.and(other.extent);
        self.holders.extend(other.holders);
    }
}

/// An error, if one of the plans is deeper or larger than a construction may be.
impl TryFrom<Vec<Plan>> for Children {
    type Error = super::Error;

    fn try_from(plans: Vec<Plan>) -> Fallible<Self> {
        let mut children = Self::default();
        for plan in plans {
            children.push(Arc::new(plan.checked()?));
        }
        Ok(children)
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

/// Refused on the way down, before a stack could end.
impl<'de> Deserialize<'de> for Children {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter().map_err(D::Error::custom)?;
        Self::try_from(Vec::<Plan>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

thread_local! {
    /// How many lists of children are being read, one inside another.
    static LEVELS: Cell<usize> = const { Cell::new(0) };
}

/// One list of children that is being read.
struct Level;

impl Level {
    fn enter() -> Fallible<Self> {
        let levels = LEVELS.get();
        super::plan::check_depth(levels)?;
        LEVELS.set(levels.saturating_add(1));
        Ok(Self)
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVELS.set(LEVELS.get().saturating_sub(1));
    }
}
