//! Tables from noisy residuals, exactly.

use num::{Integer, ToPrimitive};

use crate::{
    AxisSet, Error, Fallible, Workload,
    error::require,
    residual::{multiply_in_place, residual_in_place},
};

/// Noisy residuals of all sets of a workload's closure, from which the table of any marginal of the closure is
/// computed: unbiased, and in exact fractions, so that all tables add up exactly.
///
/// The noise may have any distribution. If the noise on the residual over a set A has expectation zero, then so has the
/// error of every table.
///
/// For a marginal M, with x the true table over the axes of A and P the projection that removes all of its margins, the
/// true table is the sum over A in M of P x, each entry repeated along the axes of M outside of A and divided by their
/// sizes. The residual is the product of the sizes of A times P x. Its noisy value, projected once more (P P = P) and
/// divided by the product, takes the place of P x.
///
/// ```
/// use indistinct_marginals::{AxisSet, Reconstruction, Workload};
/// let workload = Workload::up_to(vec![2, 2], 2)?;
/// // Residuals over (), (0), (1) and (0, 1), each with noise.
/// let noisy = vec![vec![100], vec![41, -38], vec![-22, 17], vec![3, -1, 2, 0]];
/// let tables = Reconstruction::new(workload, noisy)?;
/// for axes in [vec![0, 1], vec![0], vec![1], vec![]] {
///     println!("{:?}", tables.table(&AxisSet::new(axes)?)?.to_f64());
/// }
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// [30.125, 39.625, 10.125, 20.125]
/// [69.75, 30.25]
/// [40.25, 59.75]
/// [100.0]
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reconstruction {
    workload: Workload,
    residuals: Vec<Vec<i64>>,
    /// The public tables that are held, with their axes.
    held: Vec<(AxisSet, Vec<i64>)>,
}

impl Reconstruction {
    /// From the noisy residuals of the [measured](Workload::measured) sets, in their order. The public tables, if there
    /// are any, must then be [held](Reconstruction::hold).
    ///
    /// # Errors
    ///
    /// There are not as many residuals as measured sets, or a residual has not as many cells as its marginal.
    pub fn new(workload: Workload, residuals: Vec<Vec<i64>>) -> Fallible<Self> {
        let (sets, count) = (workload.measured().count(), residuals.len());
        require(count == sets, "residuals", format!("must be one for each of the {sets} measured sets, not {count}"))?;
        let mut given = residuals.into_iter();
        let mut residuals = Vec::with_capacity(workload.closure().len());
        for set in workload.closure() {
            if workload.is_public(set) {
                residuals.push(Vec::new());
            } else if let Some(residual) = given.next() {
                let cells = workload.cells(set)?;
                let rule = || format!("must have {cells} cells over {set}, not {}", residual.len());
                require(residual.len() == cells, "residuals", rule())?;
                residuals.push(residual);
            }
        }
        Ok(Reconstruction { workload, residuals, held: Vec::new() })
    }

    /// Holds a public table fixed: the exact residuals of its margins take the place of the noisy ones, in the tables
    /// of all marginals.
    ///
    /// Tables then agree with the public table exactly. This is the unbiased reconstruction given the public table,
    /// because noise on the residuals of different sets is independent. A table that the
    /// [workload](Workload::with_public) names as public needs no budget, and [`Scales`](crate::Scales) count on it.
    ///
    /// The table must be public already, and must not come from the protected data: no noise is added to it.
    ///
    /// # Errors
    ///
    /// The table has another number of cells than the marginal; it contradicts a table that is held already; an integer
    /// does not fit in 64 bits. Nothing is then changed.
    ///
    /// ```
    /// use indistinct_marginals::{AxisSet, Reconstruction, Workload};
    /// let first = AxisSet::new([0])?;
    /// let workload = Workload::up_to(vec![2, 2], 2)?.with_public([first.clone()])?;
    /// // Residuals over (1) and (0, 1); those over () and (0) are public.
    /// let noisy = vec![vec![-22, 17], vec![3, -1, 2, 0]];
    /// let mut tables = Reconstruction::new(workload, noisy)?;
    /// tables.hold(first, vec![70, 30])?;
    /// println!("{:?}", tables.table(&AxisSet::new([0, 1])?)?.to_f64());
    /// println!("{}", tables.hold(AxisSet::total(), vec![99]).unwrap_err());
    /// # Ok::<(), indistinct_marginals::Error>(())
    /// ```
    ///
    /// ```text
    /// [30.25, 39.75, 10.0, 20.0]
    /// public tables must not contradict: those over () and over (0) disagree over ()
    /// ```
    pub fn hold(&mut self, axes: AxisSet, table: Vec<i64>) -> Fallible<()> {
        let cells = self.workload.cells(&axes)?;
        let rule = || format!("must have {cells} cells over {axes}, not {}", table.len());
        require(table.len() == cells, "table", rule())?;
        for (other, held) in &self.held {
            let common = axes.intersection(other);
            let agree = self.margin(&axes, &table, &common)? == self.margin(other, held, &common)?;
            let rule = || format!("must not contradict: those over {axes} and over {other} disagree over {common}");
            require(agree, "public tables", rule())?;
        }
        let mut known = Vec::new();
        for (at, set) in self.workload.closure().iter().enumerate().filter(|(_, set)| set.is_subset(&axes)) {
            let mut residual = self.margin(&axes, &table, set)?;
            residual_in_place(&mut residual, &self.workload.sizes_of(set)?)?;
            known.push((at, residual));
        }
        for (at, residual) in known {
            if let Some(of_set) = self.residuals.get_mut(at) {
                *of_set = residual;
            }
        }
        self.held.push((axes, table));
        Ok(())
    }

    /// The margin of a table over some of its axes.
    fn margin(&self, axes: &AxisSet, table: &[i64], over: &AxisSet) -> Fallible<Vec<i64>> {
        let shape = shape(axes, &self.workload.sizes_of(axes)?, over);
        let mut margin = vec![0; self.workload.cells(over)?];
        sum_into(&mut margin, table, &shape)?;
        Ok(margin)
    }

    /// True if the residual of a set is known exactly.
    pub(crate) fn is_held(&self, set: &AxisSet) -> bool {
        self.held.iter().any(|(axes, _)| set.is_subset(axes))
    }

    /// The residual of a set, projected once more, in integers: (product of sizes)^2 times the part of the tables.
    pub(crate) fn projected(&self, at: usize, set: &AxisSet) -> Fallible<Vec<i128>> {
        let residual = self.residuals.get(at).map_or(&[][..], Vec::as_slice);
        let missing = self.workload.is_public(set) && !self.is_held(set);
        require(!missing, "public tables", format!("must be held before tables are made: that over {set} is not"))?;
        let mut projected: Vec<i128> = residual.iter().map(|&cell| i128::from(cell)).collect();
        multiply_in_place(&mut projected, &self.workload.sizes_of(set)?, 128)?;
        Ok(projected)
    }

    /// The workload.
    #[must_use]
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// The residuals, in the order of the closure: noisy, held, or empty if public and not held yet.
    #[must_use]
    pub fn residuals(&self) -> &[Vec<i64>] {
        &self.residuals
    }

    /// The table of a marginal of the closure.
    ///
    /// # Errors
    ///
    /// The marginal is not in the closure, a numerator does not fit in 128 bits, or a public table is not held yet.
    pub fn table(&self, marginal: &AxisSet) -> Fallible<Table> {
        let sizes = self.workload.sizes_of(marginal)?;
        let cells = self.workload.cells(marginal)?;
        let parts = self.workload.parts(marginal)?;
        let mut numerators = vec![0_i128; cells];
        for (at, set) in parts {
            let mut projected = self.projected(at, &set)?;
            // P y is the projected residual over (product of A)^2; repeated and divided by the product r of the other
            // axes, it is r times the projected residual over (product of M)^2.
            let repeated = (cells / projected.len().max(1)).to_i128().ok_or_else(too_large)?;
            for cell in &mut projected {
                *cell = cell.checked_mul(repeated).ok_or_else(too_large)?;
            }
            add_repeated(&mut numerators, &projected, &shape(marginal, &sizes, &set))?;
        }
        let product = cells.to_i128().ok_or_else(too_large)?;
        let denominator = product.checked_mul(product).ok_or_else(too_large)?;
        Ok(Table { axes: marginal.clone(), sizes, numerators, denominator })
    }
}

fn too_large() -> Error {
    Error::Overflow { operation: "table", bits: 128 }
}

/// The sizes of a marginal's axes, each with whether the axis is in the set.
pub(crate) fn shape(marginal: &AxisSet, sizes: &[usize], set: &AxisSet) -> Vec<(usize, bool)> {
    marginal.positions().iter().zip(sizes).map(|(&axis, &size)| (size, set.contains(axis))).collect()
}

/// The numbers that a table can hold.
pub(crate) trait Entry: Copy {
    fn plus(self, other: Self) -> Fallible<Self>;
}
impl Entry for i128 {
    fn plus(self, other: Self) -> Fallible<Self> {
        self.checked_add(other).ok_or_else(too_large)
    }
}
impl Entry for i64 {
    fn plus(self, other: Self) -> Fallible<Self> {
        self.checked_add(other).ok_or(Error::Overflow { operation: "margin", bits: 64 })
    }
}
impl Entry for f64 {
    fn plus(self, other: Self) -> Fallible<Self> {
        Ok(self + other)
    }
}

/// Adds the table over some axes to the table over all, each entry repeated along the other axes.
pub(crate) fn add_repeated<T: Entry>(whole: &mut [T], part: &[T], shape: &[(usize, bool)]) -> Fallible<()> {
    match shape {
        [] => {
            for (cell, added) in whole.iter_mut().zip(part) {
                *cell = cell.plus(*added)?;
            }
            Ok(())
        }
        // The last axes that are not in the set: one number for all cells.
        _ if shape.iter().all(|(_, kept)| !kept) => {
            for (cell, added) in whole.iter_mut().zip(part.iter().cycle()) {
                *cell = cell.plus(*added)?;
            }
            Ok(())
        }
        _ if shape.iter().all(|(_, kept)| *kept) => add_repeated(whole, part, &[]),
        [(size, kept), inner @ ..] => {
            let block = (whole.len() / size.max(&1)).max(1);
            let of_part = if *kept { (part.len() / size.max(&1)).max(1) } else { part.len().max(1) };
            for (whole, part) in whole.chunks_exact_mut(block).zip(part.chunks_exact(of_part).cycle()) {
                add_repeated(whole, part, inner)?;
            }
            Ok(())
        }
    }
}

/// Sums the table over all axes into the table over some, which starts with zeros.
pub(crate) fn sum_into<T: Entry>(part: &mut [T], whole: &[T], shape: &[(usize, bool)]) -> Fallible<()> {
    match shape {
        [(size, kept), inner @ ..] if shape.iter().any(|(_, kept)| !kept) => {
            let block = (whole.len() / size.max(&1)).max(1);
            if *kept {
                let of_part = (part.len() / size.max(&1)).max(1);
                for (whole, part) in whole.chunks_exact(block).zip(part.chunks_exact_mut(of_part)) {
                    sum_into(part, whole, inner)?;
                }
            } else {
                for whole in whole.chunks_exact(block) {
                    sum_into(part, whole, inner)?;
                }
            }
            Ok(())
        }
        _ => {
            for (cell, added) in part.iter_mut().zip(whole) {
                *cell = cell.plus(*added)?;
            }
            Ok(())
        }
    }
}

/// The table of a marginal in exact fractions with one denominator.
///
/// Two tables are equal if their fractions are, whatever the denominators.
#[derive(Debug, Clone)]
pub struct Table {
    axes: AxisSet,
    sizes: Vec<usize>,
    numerators: Vec<i128>,
    denominator: i128,
}

impl Table {
    /// The axes of the marginal.
    #[must_use]
    pub fn axes(&self) -> &AxisSet {
        &self.axes
    }

    /// The sizes of the axes.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The numerators of the cells, in row-major order.
    #[must_use]
    pub fn numerators(&self) -> &[i128] {
        &self.numerators
    }

    /// The denominator of all cells: positive, the square of the number of cells.
    #[must_use]
    pub fn denominator(&self) -> i128 {
        self.denominator
    }

    /// The cells in floats. Each is within three roundings of the fraction, and exact if the fraction is an integer
    /// below 2^53.
    ///
    /// Sums of floats round, so tables of floats add up to within roundings; the fractions add up exactly.
    #[must_use]
    pub fn to_f64(&self) -> Vec<f64> {
        let cell = |numerator: &i128| {
            let (whole, rest) = numerator.div_rem(&self.denominator);
            let fraction = rest.to_f64().unwrap_or(0.0) / self.denominator.to_f64().unwrap_or(1.0);
            whole.to_f64().unwrap_or(0.0) + fraction
        };
        self.numerators.iter().map(cell).collect()
    }

    /// The margin over some of the axes: the exact sum over the others.
    ///
    /// # Errors
    ///
    /// An axis is not one of the table's, or a sum does not fit in 128 bits.
    pub fn margin(&self, axes: &AxisSet) -> Fallible<Table> {
        let rule = || format!("must be axes of the table {}, unlike {axes}", self.axes);
        require(axes.is_subset(&self.axes), "axes", rule())?;
        let shape = shape(&self.axes, &self.sizes, axes);
        let sizes: Vec<usize> = shape.iter().filter(|(_, kept)| *kept).map(|(size, _)| *size).collect();
        let mut numerators = vec![0; sizes.iter().product()];
        sum_into(&mut numerators, &self.numerators, &shape)?;
        Ok(Table { axes: axes.clone(), sizes, numerators, denominator: self.denominator })
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        // Reduced fractions are equal if and only if their parts are.
        let reduced = |table: &Table, numerator: i128| {
            let divisor = numerator.gcd(&table.denominator).max(1);
            (numerator / divisor, table.denominator / divisor)
        };
        let mut cells = self.numerators.iter().zip(&other.numerators);
        self.axes == other.axes
            && self.sizes == other.sizes
            && self.numerators.len() == other.numerators.len()
            && cells.all(|(&a, &b)| reduced(self, a) == reduced(other, b))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dense;

    /// The margin of a table by its definition, cell by cell.
    fn margin_by_cells(table: &[i64], sizes: &[usize], set: &AxisSet) -> Vec<i64> {
        let kept: Vec<usize> = set.positions().iter().map(|&axis| sizes[axis]).collect();
        let mut margin = vec![0; kept.iter().product()];
        for (at, cell) in table.iter().enumerate() {
            let mut rest = at;
            let mut values = vec![0; sizes.len()];
            for axis in (0..sizes.len()).rev() {
                values[axis] = rest % sizes[axis];
                rest /= sizes[axis];
            }
            let into = set.positions().iter().fold(0, |index, &axis| index * sizes[axis] + values[axis]);
            margin[into] += cell;
        }
        margin
    }

    fn domain() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
        proptest::collection::vec(1_usize..5, 1..5).prop_flat_map(|sizes| {
            let axes = proptest::sample::subsequence((0..sizes.len()).collect::<Vec<_>>(), 1..=sizes.len());
            (Just(sizes), axes)
        })
    }

    proptest! {
        #[test]
        fn without_noise_the_tables_are_the_true_ones((sizes, axes) in domain(), seed in any::<u64>()) {
            let full = dense::integers(seed, sizes.iter().product(), 50);
            let whole = AxisSet::new(axes).unwrap();
            let workload = Workload::new(sizes.clone(), [(whole.clone(), 1.0)]).unwrap();
            let exact = |set: &AxisSet| {
                let mut cells = margin_by_cells(&full, &sizes, set);
                residual_in_place(&mut cells, &workload.sizes_of(set).unwrap()).unwrap();
                cells
            };
            let residuals = workload.closure().iter().map(exact).collect();
            let tables = Reconstruction::new(workload, residuals).unwrap();
            for set in whole.subsets() {
                let table = tables.table(&set).unwrap();
                let expected = margin_by_cells(&full, &sizes, &set);
                let exact = expected.iter().map(|&cell| i128::from(cell) * table.denominator());
                prop_assert_eq!(table.numerators(), exact.collect::<Vec<_>>());
                let floats: Vec<f64> = expected.iter().map(|cell| cell.to_f64().unwrap()).collect();
                prop_assert_eq!(table.to_f64(), floats);
            }
        }

        #[test]
        fn noisy_tables_are_the_dense_reconstruction_and_add_up((sizes, axes) in domain(), seed in any::<u64>()) {
            let whole = AxisSet::new(axes).unwrap();
            let workload = Workload::new(sizes.clone(), [(whole.clone(), 1.0)]).unwrap();
            let residuals: Vec<Vec<i64>> = workload.closure().iter().enumerate()
                .map(|(at, set)| dense::integers(dense::mixed(seed, at), workload.cells(set).unwrap(), 1 << 40))
                .collect();
            let tables = Reconstruction::new(workload.clone(), residuals.clone()).unwrap();
            let table = tables.table(&whole).unwrap();
            let of_whole = workload.sizes_of(&whole).unwrap();
            let mut expected = vec![0.0; workload.cells(&whole).unwrap()];
            for (set, residual) in workload.closure().iter().zip(&residuals) {
                let kept: Vec<bool> = whole.positions().iter().map(|&axis| set.contains(axis)).collect();
                // Each axis of the set is centered; each other axis repeats the cell and divides it.
                let matrix = dense::by_axis(&of_whole, |axis, n| {
                    if kept[axis] { dense::centering(n) } else { dense::constant(n, 1, 1.0 / n.to_f64().unwrap()) }
                });
                let product: usize = workload.cells(set).unwrap();
                for (cell, row) in expected.iter_mut().zip(&matrix) {
                    let sum: f64 = row.iter().zip(residual).map(|(a, x)| a * x.to_f64().unwrap()).sum();
                    *cell += sum / product.to_f64().unwrap();
                }
            }
            for (cell, expected) in table.to_f64().into_iter().zip(expected) {
                prop_assert!((cell - expected).abs() <= 1e-2, "{} {}", cell, expected);
            }
            for set in whole.subsets() {
                prop_assert_eq!(tables.table(&set).unwrap(), table.margin(&set).unwrap());
            }
        }
    }

    #[test]
    fn a_table_outside_of_the_closure_is_refused() {
        let workload = Workload::of_order(vec![2, 3, 2], 1).unwrap();
        let tables = Reconstruction::new(workload, vec![vec![9], vec![1, 0], vec![0, 0, 1], vec![3, 3]]).unwrap();
        let error = tables.table(&AxisSet::new([0, 2]).unwrap()).unwrap_err().to_string();
        assert_eq!(error, "marginal (0, 2) is in no marginal of the workload; add it to the workload");
        assert!(tables.table(&AxisSet::new([7]).unwrap()).is_err());
        assert_eq!(tables.table(&AxisSet::total()).unwrap().to_f64(), [9.0]);
        let wide = tables.table(&AxisSet::new([0]).unwrap()).unwrap();
        assert!(wide.margin(&AxisSet::new([1]).unwrap()).is_err());
    }

    proptest! {
        #[test]
        fn held_tables_are_met_exactly_and_the_rest_is_as_before(seed in any::<u64>()) {
            let set = |axes: &[usize]| AxisSet::new(axes.iter().copied()).unwrap();
            let sizes = vec![3, 4, 2];
            let full = dense::integers(seed, 24, 50);
            let workload = Workload::up_to(sizes.clone(), 3).unwrap();
            let noisy = |workload: &Workload| -> Vec<Vec<i64>> {
                let drawn = |set: &AxisSet| dense::integers(dense::mixed(seed, set.len()), workload.cells(set).unwrap(), 1000);
                workload.measured().map(drawn).collect()
            };
            let before = Reconstruction::new(workload.clone(), noisy(&workload)).unwrap();
            let held = [set(&[0, 1]), set(&[2])];
            let public = workload.with_public(held.clone()).unwrap();
            let mut after = Reconstruction::new(public.clone(), noisy(&public)).unwrap();
            prop_assert!(after.table(&set(&[0])).is_err(), "not held yet");
            for axes in &held {
                after.hold(axes.clone(), margin_by_cells(&full, &sizes, axes)).unwrap();
            }
            let whole = set(&[0, 1, 2]);
            let table = after.table(&whole).unwrap();
            for axes in &held {
                for margin in axes.subsets() {
                    let expected: Vec<f64> =
                        margin_by_cells(&full, &sizes, &margin).into_iter().map(dense::real).collect();
                    prop_assert_eq!(table.margin(&margin).unwrap().to_f64(), expected);
                }
            }
            // What no public table determines is unchanged.
            for (at, axes) in public.closure().iter().enumerate() {
                if !public.is_public(axes) {
                    prop_assert_eq!(after.projected(at, axes).unwrap(), before.projected(at, axes).unwrap());
                }
            }
            let mut wrong = margin_by_cells(&full, &sizes, &set(&[1, 2]));
            wrong[0] += 1;
            let error = after.clone().hold(set(&[1, 2]), wrong).unwrap_err().to_string();
            let expected = "public tables must not contradict: those over (1, 2) and over (0, 1) disagree over (1)";
            prop_assert_eq!(error, expected);
            after.hold(set(&[1, 2]), margin_by_cells(&full, &sizes, &set(&[1, 2]))).unwrap();
        }
    }

    #[test]
    fn residuals_of_another_shape_are_refused() {
        let workload = Workload::of_order(vec![2], 1).unwrap();
        let error = Reconstruction::new(workload.clone(), vec![vec![1]]).unwrap_err().to_string();
        assert_eq!(error, "residuals must be one for each of the 2 measured sets, not 1");
        let error = Reconstruction::new(workload, vec![vec![1], vec![1]]).unwrap_err().to_string();
        assert_eq!(error, "residuals must have 2 cells over (0), not 1");
    }
}
