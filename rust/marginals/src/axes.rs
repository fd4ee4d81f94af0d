//! Sets of axes.

use std::{cmp::Ordering, fmt};

use crate::{Fallible, error::require};

/// A set of axes, by their positions in increasing order. The empty set is the total.
///
/// Sets are ordered by size, then lexicographically.
///
/// ```
/// use indistinct_marginals::AxisSet;
/// let set = AxisSet::new([4, 1])?;
/// println!("{set}, {}, {}", AxisSet::new([9])? < set, AxisSet::total());
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// (1, 4), true, ()
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AxisSet(Vec<usize>);

impl AxisSet {
    /// The set of these positions, in any order.
    ///
    /// # Errors
    ///
    /// A position is listed twice.
    pub fn new(positions: impl IntoIterator<Item = usize>) -> Fallible<Self> {
        let mut positions: Vec<usize> = positions.into_iter().collect();
        positions.sort_unstable();
        let twice = positions.iter().zip(positions.iter().skip(1)).find(|(a, b)| a == b);
        require(twice.is_none(), "axes", format!("must be distinct: {positions:?} has one twice"))?;
        Ok(AxisSet(positions))
    }

    /// The empty set: the marginal that only has the total.
    #[must_use]
    pub fn total() -> Self {
        AxisSet::default()
    }

    /// The positions, in increasing order.
    #[must_use]
    pub fn positions(&self) -> &[usize] {
        &self.0
    }

    /// The number of axes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the set is empty: the total.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the axis is in the set.
    #[must_use]
    pub fn contains(&self, axis: usize) -> bool {
        self.0.binary_search(&axis).is_ok()
    }

    /// True if all axes are in the other set.
    #[must_use]
    pub fn is_subset(&self, other: &AxisSet) -> bool {
        self.0.iter().all(|&axis| other.contains(axis))
    }

    /// The axes that both sets have.
    #[must_use]
    pub fn intersection(&self, other: &AxisSet) -> AxisSet {
        self.filtered(|axis| other.contains(axis))
    }

    /// The axes for which `keep` is true.
    pub(crate) fn filtered(&self, keep: impl Fn(usize) -> bool) -> AxisSet {
        AxisSet(self.0.iter().copied().filter(|&axis| keep(axis)).collect())
    }

    /// The subsets with one axis less.
    pub(crate) fn without_one(&self) -> impl Iterator<Item = AxisSet> {
        self.0.iter().map(|&left_out| self.filtered(|axis| axis != left_out))
    }

    /// All subsets, in the order of sets.
    #[must_use]
    pub fn subsets(&self) -> Vec<AxisSet> {
        let mut subsets = vec![AxisSet::total()];
        for &axis in &self.0 {
            let with: Vec<AxisSet> = subsets.iter().map(|subset| subset.with_last(axis)).collect();
            subsets.extend(with);
        }
        subsets.sort_unstable();
        subsets
    }

    /// This set and an axis greater than all of its axes.
    pub(crate) fn with_last(&self, axis: usize) -> AxisSet {
        AxisSet(self.0.iter().copied().chain([axis]).collect())
    }

    /// All sets of `order` axes of `0..axes`, in the order of sets.
    pub(crate) fn of_order(axes: usize, order: usize) -> Vec<AxisSet> {
        let mut sets = vec![AxisSet::total()];
        for _ in 0..order {
            let longer = |set: &AxisSet| {
                (set.0.last().map_or(0, |last| last + 1)..axes).map(|axis| set.with_last(axis)).collect()
            };
            sets = sets.iter().flat_map(|set| -> Vec<AxisSet> { longer(set) }).collect();
        }
        sets
    }
}

impl PartialOrd for AxisSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AxisSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl fmt::Display for AxisSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions: Vec<String> = self.0.iter().map(usize::to_string).collect();
        write!(f, "({})", positions.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_all_subsets_in_order() {
        let subsets = AxisSet::new([5, 0, 2]).unwrap().subsets();
        let text: Vec<String> = subsets.iter().map(AxisSet::to_string).collect();
        assert_eq!(text, ["()", "(0)", "(2)", "(5)", "(0, 2)", "(0, 5)", "(2, 5)", "(0, 2, 5)"]);
        assert_eq!(AxisSet::total().subsets(), [AxisSet::total()]);
    }

    #[test]
    fn sets_of_an_order_are_the_combinations() {
        assert_eq!(AxisSet::of_order(100, 3).len(), 161_700);
        assert_eq!(AxisSet::of_order(3, 0), [AxisSet::total()]);
        assert_eq!(AxisSet::of_order(3, 4), []);
        let sets = AxisSet::of_order(5, 2);
        assert!(sets.is_sorted() && sets.len() == 10);
    }

    #[test]
    fn an_axis_twice_is_refused() {
        assert_eq!(AxisSet::new([3, 1, 3]).unwrap_err().to_string(), "axes must be distinct: [1, 3, 3] has one twice");
    }
}
