//! All constructors, and the way in which a plan calls each of them.

use super::stage::Stage;
use crate::{
    combinators,
    core::{Entry, How},
    frames, measurements, transformations,
};

/// The entries of all constructors, folder by folder.
pub(super) fn entries() -> impl Iterator<Item = Entry<Stage>> {
    let folders: [Vec<Entry<Stage>>; 4] =
        [combinators::entries(), frames::entries(), measurements::entries(), transformations::entries()];
    folders.into_iter().flatten()
}

/// A constructor, which may be a step of a stored plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Constructor {
    /// The name, with `make_`, which is left out in files.
    pub name: &'static str,
    /// The names of its parameters, or the reason why no stored plan can contain it.
    pub parameters: Result<&'static [&'static str], &'static str>,
}

/// Returns all constructors: the possible steps of stored plans with their parameters, and the others with a reason.
///
/// ```
/// use indistinct::plans::constructors;
/// let bound = constructors().find(|one| one.name == "make_bound_groups").unwrap();
/// assert_eq!(bound.parameters, Ok(&["by", "max_groups", "max_rows"][..]));
/// let snapping = constructors().find(|one| one.name == "make_snapping").unwrap();
/// assert_eq!(snapping.parameters, Err("no step of a plan returns a single float"));
/// ```
pub fn constructors() -> impl Iterator<Item = Constructor> {
    entries().map(|entry| {
        let parameters = match entry.how {
            How::Rebuilt { parameters, .. } => Ok(parameters),
            How::ByHand(parameters) => Ok(parameters),
            How::Exempt(reason) => Err(reason),
        };
        Constructor { name: entry.name, parameters }
    })
}
