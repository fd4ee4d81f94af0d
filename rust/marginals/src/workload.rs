//! The marginals that are asked for, and the residuals that they need.

use num::ToPrimitive;

use crate::{AxisSet, Error, Fallible, error::require};

/// The greatest number of cells of one marginal: 2^26. In 128 bits, its exact table takes 1 GiB.
pub const MAX_CELLS: usize = 1 << 26;

/// The greatest number of marginals, and of residuals of one order: 2^20.
pub const MAX_SETS: usize = 1 << 20;

/// Marginals over axes with finitely many values, with a weight each.
///
/// An axis is known by its position, and by its size, which is the number of its values. A marginal over a set of axes
/// is the table of counts (or sums) of all combinations of their values, in row-major order: the last axis runs
/// fastest. The marginal over no axis is the total. A weight multiplies the variance of the marginal's cells in what
/// [`Scales`](crate::Scales) minimizes.
///
/// The *closure* of a workload has every subset of its marginals. Each set of the closure has one residual, and a
/// marginal is a sum of the residuals of its subsets. An axis with one value is left out of the closure, because a
/// residual over such an axis is always zero.
///
/// ```
/// use indistinct_marginals::{AxisSet, Workload};
/// let workload = Workload::up_to(vec![3, 4, 2], 2)?;
/// for set in workload.closure() {
///     println!("{set}: {} cells", workload.cells(set)?);
/// }
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// (): 1 cells
/// (0): 3 cells
/// (1): 4 cells
/// (2): 2 cells
/// (0, 1): 12 cells
/// (0, 2): 6 cells
/// (1, 2): 8 cells
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    sizes: Vec<usize>,
    marginals: Vec<(AxisSet, f64)>,
    closure: Vec<AxisSet>,
    public: Vec<AxisSet>,
}

impl Workload {
    /// These marginals with their weights, over axes of these sizes.
    ///
    /// # Errors
    ///
    /// There is no marginal, or a marginal is listed twice; an axis does not exist or has no value; a weight is not a
    /// positive finite number; a marginal has more than [`MAX_CELLS`] cells; there are more than [`MAX_SETS`] marginals
    /// or residuals of one order.
    pub fn new(sizes: Vec<usize>, marginals: impl IntoIterator<Item = (AxisSet, f64)>) -> Fallible<Self> {
        for (axis, &size) in sizes.iter().enumerate() {
            require(size >= 1, "sizes", format!("must be positive: axis {axis} has no value"))?;
        }
        let mut marginals: Vec<(AxisSet, f64)> = marginals.into_iter().collect();
        require(!marginals.is_empty(), "marginals", "must not be empty")?;
        let count = marginals.len();
        require(count <= MAX_SETS, "marginals", format!("must be at most {MAX_SETS}, not {count}"))?;
        marginals.sort_by(|(a, _), (b, _)| a.cmp(b));
        let twice = marginals.iter().zip(marginals.iter().skip(1)).find(|(a, b)| a.0 == b.0);
        if let Some(((set, _), _)) = twice {
            require(false, "marginals", format!("must be distinct: {set} is listed twice"))?;
        }
        for (set, weight) in &marginals {
            cells(&sizes, set)?;
            let rule = || format!("must be positive and finite, unlike {weight} for {set}");
            require(*weight > 0.0 && weight.is_finite(), "weights", rule())?;
        }
        let closure = closure(&sizes, marginals.iter().map(|(set, _)| set))?;
        Ok(Workload { sizes, marginals, closure, public: Vec::new() })
    }

    /// All marginals of at most `order` axes, the total among them, with weight 1.
    ///
    /// # Errors
    ///
    /// As [`Workload::new`].
    pub fn up_to(sizes: Vec<usize>, order: usize) -> Fallible<Self> {
        Workload::of_orders(sizes, 0, order)
    }

    /// All marginals of `order` axes, with weight 1.
    ///
    /// # Errors
    ///
    /// As [`Workload::new`]; there are fewer axes than `order`.
    pub fn of_order(sizes: Vec<usize>, order: usize) -> Fallible<Self> {
        let rule = || format!("must be at most the number of axes, {}", sizes.len());
        require(order <= sizes.len(), "order", rule())?;
        Workload::of_orders(sizes, order, order)
    }

    /// The same workload, where the exact tables over these sets are public. The residuals of all their subsets are
    /// then known: they need no noise and cost nothing, and [`Scales`](crate::Scales) gives them the variance zero.
    ///
    /// # Errors
    ///
    /// An axis does not exist, or a table has more than [`MAX_CELLS`] cells.
    pub fn with_public(mut self, sets: impl IntoIterator<Item = AxisSet>) -> Fallible<Self> {
        for set in sets {
            self.cells(&set)?;
            self.public.push(set);
        }
        Ok(self)
    }

    fn of_orders(sizes: Vec<usize>, from: usize, to: usize) -> Fallible<Self> {
        let axes = sizes.len();
        let to = to.min(axes);
        let mut sets = 0_usize;
        for order in from..=to {
            sets = sets.saturating_add(combinations(axes, order));
            let rule = || format!("must be at most {MAX_SETS}: {axes} axes have more of order {from} to {to}");
            require(sets <= MAX_SETS, "marginals", rule())?;
        }
        let sets = (from..=to).flat_map(|order| AxisSet::of_order(axes, order));
        Workload::new(sizes, sets.map(|set| (set, 1.0)))
    }

    /// The number of values of each axis.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The marginals with their weights, in the order of sets.
    #[must_use]
    pub fn marginals(&self) -> &[(AxisSet, f64)] {
        &self.marginals
    }

    /// The sets that have a residual: all subsets of the marginals, without axes of one value, in the order of sets.
    #[must_use]
    pub fn closure(&self) -> &[AxisSet] {
        &self.closure
    }

    /// True if the table over a set is the margin of a public table.
    #[must_use]
    pub fn is_public(&self, set: &AxisSet) -> bool {
        self.public.iter().any(|public| set.is_subset(public))
    }

    /// The sets of the closure that are not public, in its order: those whose residuals a release measures.
    pub fn measured(&self) -> impl Iterator<Item = &AxisSet> {
        self.closure.iter().filter(|set| !self.is_public(set))
    }

    /// The position of a set in the closure.
    #[must_use]
    pub fn position(&self, set: &AxisSet) -> Option<usize> {
        self.closure.binary_search(set).ok()
    }

    /// The sizes of the axes of a set.
    ///
    /// # Errors
    ///
    /// An axis does not exist.
    pub fn sizes_of(&self, set: &AxisSet) -> Fallible<Vec<usize>> {
        sizes_of(&self.sizes, set)
    }

    /// The number of cells of the marginal over a set.
    ///
    /// # Errors
    ///
    /// An axis does not exist, or there are more than [`MAX_CELLS`] cells.
    pub fn cells(&self, set: &AxisSet) -> Fallible<usize> {
        cells(&self.sizes, set)
    }

    /// The number of cells of all residuals that are not public: the length of one release.
    #[must_use]
    pub fn residual_cells(&self) -> u128 {
        let cells = |set: &AxisSet| self.cells(set).ok().and_then(|cells| cells.to_u128()).unwrap_or(0);
        self.measured().map(cells).sum()
    }

    /// The squared L2 sensitivity of the [residual](crate::residual_in_place) over a set, if one row is added to or
    /// removed from the table: the product of n (n - 1) over the sizes n. It is exact.
    ///
    /// A row adds 1 to one cell, so the residual changes by a column of the Kronecker product of the matrices
    /// n I - J. Such a column has the entry n - 1 once and the entry -1 in n - 1 places, for each axis; the squared
    /// norm is (n - 1)^2 + (n - 1) = n (n - 1).
    ///
    /// # Errors
    ///
    /// An axis does not exist, or there are more than [`MAX_CELLS`] cells.
    pub fn squared_sensitivity(&self, set: &AxisSet) -> Fallible<u128> {
        self.cells(set)?;
        let factor = |size: usize| size.to_u128().map(|n| n * n.saturating_sub(1));
        let product = self
            .sizes_of(set)?
            .into_iter()
            .map(factor)
            .try_fold(1_u128, |product, factor| factor.and_then(|factor| product.checked_mul(factor)));
        product.ok_or(Error::Overflow { operation: "squared_sensitivity", bits: 128 })
    }

    /// The set without axes of one value.
    pub(crate) fn reduced(&self, set: &AxisSet) -> AxisSet {
        reduced(&self.sizes, set)
    }

    /// An error, unless the marginal is in the closure. Axes of one value do not matter.
    pub(crate) fn require_known(&self, marginal: &AxisSet) -> Fallible<()> {
        self.cells(marginal)?;
        match self.position(&self.reduced(marginal)) {
            Some(_) => Ok(()),
            None => Err(Error::UnknownMarginal { marginal: marginal.to_string() }),
        }
    }

    /// The subsets of a marginal that have a residual, with their positions in the closure.
    pub(crate) fn parts(&self, marginal: &AxisSet) -> Fallible<Vec<(usize, AxisSet)>> {
        self.require_known(marginal)?;
        let subsets = self.reduced(marginal).subsets();
        Ok(subsets.into_iter().filter_map(|set| Some((self.position(&set)?, set))).collect())
    }
}

fn sizes_of(sizes: &[usize], set: &AxisSet) -> Fallible<Vec<usize>> {
    let size = |&axis: &usize| {
        let rule = || format!("must exist: {set} has axis {axis}, and there are {} axes", sizes.len());
        sizes.get(axis).copied().ok_or_else(|| Error::Parameter { parameter: "axes", rule: rule() })
    };
    set.positions().iter().map(size).collect()
}

fn cells(sizes: &[usize], set: &AxisSet) -> Fallible<usize> {
    let sizes = sizes_of(sizes, set)?;
    let cells = sizes.iter().try_fold(1_usize, |cells, &size| cells.checked_mul(size));
    let rule = || format!("must have at most {MAX_CELLS} cells, unlike {set} with axes of sizes {sizes:?}");
    require(cells.is_some_and(|cells| cells <= MAX_CELLS), "marginals", rule())?;
    Ok(cells.unwrap_or(MAX_CELLS))
}

fn reduced(sizes: &[usize], set: &AxisSet) -> AxisSet {
    set.filtered(|axis| sizes.get(axis).is_none_or(|&size| size > 1))
}

/// All subsets of the sets, in the order of sets: order by order from the greatest, each set adds those with one axis
/// less.
fn closure<'a>(sizes: &[usize], sets: impl Iterator<Item = &'a AxisSet>) -> Fallible<Vec<AxisSet>> {
    let mut by_order: Vec<Vec<AxisSet>> = vec![Vec::new()];
    for set in sets {
        let set = reduced(sizes, set);
        by_order.resize(by_order.len().max(set.len() + 1), Vec::new());
        if let Some(of_order) = by_order.get_mut(set.len()) {
            of_order.push(set);
        }
    }
    let mut closed: Vec<Vec<AxisSet>> = Vec::with_capacity(by_order.len());
    let mut below: Vec<AxisSet> = Vec::new();
    while let Some(mut of_order) = by_order.pop() {
        of_order.append(&mut below);
        of_order.sort_unstable();
        of_order.dedup();
        let order = by_order.len();
        let rule = || format!("need {} residuals of {order} axes; the most is {MAX_SETS}", of_order.len());
        require(of_order.len() <= MAX_SETS, "marginals", rule())?;
        below = of_order.iter().flat_map(AxisSet::without_one).collect();
        closed.push(of_order);
    }
    Ok(closed.into_iter().rev().flatten().collect())
}

/// The number of sets of `order` of `axes` axes; the greatest integer if it is larger.
fn combinations(axes: usize, order: usize) -> usize {
    let mut count = u128::from(order <= axes);
    for taken in 0..order.min(axes.saturating_sub(order)) {
        let (Some(left), Some(next)) = ((axes - taken).to_u128(), (taken + 1).to_u128()) else { return usize::MAX };
        // Exact: a product of consecutive integers over a factorial, step by step.
        let Some(product) = count.checked_mul(left) else { return usize::MAX };
        count = product / next;
        if count > u128::from(u64::MAX) {
            return usize::MAX;
        }
    }
    count.to_usize().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<const N: usize>(positions: [usize; N]) -> AxisSet {
        AxisSet::new(positions).unwrap()
    }

    fn refused(result: Fallible<Workload>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn the_closure_has_every_subset_once_in_order() {
        let workload = Workload::new(vec![3, 1, 4, 5], [(set([0, 2]), 1.0), (set([1, 2, 3]), 2.0)]).unwrap();
        let expected = [set([]), set([0]), set([2]), set([3]), set([0, 2]), set([2, 3])];
        assert_eq!(workload.closure(), expected, "an axis of one value has no residual");
        for (at, set) in expected.iter().enumerate() {
            assert_eq!(workload.position(set), Some(at));
        }
        assert_eq!(workload.position(&set([0, 3])), None);
        assert_eq!(workload.residual_cells(), 1 + 3 + 4 + 5 + 12 + 20);
        assert_eq!(workload.squared_sensitivity(&set([0, 2])).unwrap(), 6 * 12);
    }

    #[test]
    fn a_hundred_axes_up_to_order_three_have_all_residuals() {
        let workload = Workload::up_to(vec![10; 100], 3).unwrap();
        assert_eq!(workload.closure().len(), 166_751);
        assert_eq!(workload.marginals().len(), 166_751);
        assert!(workload.closure().is_sorted());
    }

    #[test]
    fn orders_are_combinations() {
        for axes in 0..12 {
            for order in 0..14 {
                let counted = AxisSet::of_order(axes, order).len();
                assert_eq!(combinations(axes, order), counted, "{axes} {order}");
            }
        }
        assert_eq!(combinations(300, 150), usize::MAX);
        assert_eq!(Workload::up_to(vec![2; 3], 9).unwrap().closure().len(), 8);
        assert_eq!(Workload::of_order(vec![2; 3], 2).unwrap().marginals().len(), 3);
    }

    #[test]
    fn bad_workloads_are_refused_by_name() {
        assert_eq!(refused(Workload::new(vec![2], [])), "marginals must not be empty");
        let missing = "axes must exist: (0, 2) has axis 2, and there are 2 axes";
        assert_eq!(refused(Workload::new(vec![2, 2], [(set([0, 2]), 1.0)])), missing);
        let twice = "marginals must be distinct: (0) is listed twice";
        assert_eq!(refused(Workload::new(vec![2], [(set([0]), 1.0), (set([0]), 2.0)])), twice);
        assert_eq!(refused(Workload::up_to(vec![2, 0], 1)), "sizes must be positive: axis 1 has no value");
        for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refused(Workload::new(vec![2], [(set([0]), weight)])).starts_with("weights must be positive"));
        }
        let large = "marginals must have at most 67108864 cells, unlike (0, 1) with axes of sizes [100000, 1000]";
        assert_eq!(refused(Workload::up_to(vec![100_000, 1000], 2)), large);
        assert!(refused(Workload::new(vec![usize::MAX, 3], [(set([0, 1]), 1.0)])).contains("cells"));
        let many = "marginals must be at most 1048576: 300 axes have more of order 0 to 4";
        assert_eq!(refused(Workload::up_to(vec![2; 300], 4)), many);
        assert_eq!(refused(Workload::of_order(vec![2; 3], 4)), "order must be at most the number of axes, 3");
    }
}
