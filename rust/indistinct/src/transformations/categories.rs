//! The common parts of counts and sums by category: the list of categories, and the largest distance by which a row
//! can change the vector.

use crate::{
    core::{Error, Fallible, Parameter, ToParameter, require},
    domains::{Atom, AtomDomain, BallDomain, Norm, Number, VectorDomain},
    metrics::{L1Distance, L2Distance, LInfDistance, RowChange, SensitivityMetric},
};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, RoundedMath};
use std::{collections::BTreeMap, str::FromStr};

/// The treatment of rows whose category is not in the list.
///
/// In text it is `drop` or `other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownCategories {
    /// The row is dropped.
    Drop,
    /// The row is added to an additional entry, after the entries of the listed categories.
    Other,
}

impl FromStr for UnknownCategories {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        match text {
            "drop" => Ok(Self::Drop),
            "other" => Ok(Self::Other),
            _ => Err(Error::parameter("unknown", "must be `drop` or `other`")),
        }
    }
}

impl ToParameter for UnknownCategories {
    fn to_parameter(&self) -> Parameter {
        let text = match self {
            Self::Drop => "drop",
            Self::Other => "other",
        };
        text.to_parameter()
    }
}

/// Values that can be categories.
pub trait Category: Atom + Ord + ToParameter {}

impl<T: Atom + Ord + ToParameter> Category for T {}

/// The position of each category's entry.
#[derive(Clone)]
pub(crate) struct Index<K> {
    slots: Slots<K>,
    listed: usize,
    unknown: UnknownCategories,
}

/// The slot of each listed category; all others share the slot after these.
#[derive(Clone)]
enum Slots<K> {
    /// A table indexed by code, relative to the first category's code. Codes after its end use its last entry.
    Codes { first: u64, table: Vec<usize>, last: usize },
    /// The categories in sorted order. The number of comparisons in a search depends on the length of the list, not on
    /// the value.
    Sorted(Vec<(K, usize)>),
}

/// The maximum length of a table of codes, which keeps it in the processor's cache.
const LONGEST_TABLE: usize = 1 << 10;

impl<K: Category> Slots<K> {
    fn new(keys: BTreeMap<K, usize>) -> Self {
        Self::by_codes(&keys).unwrap_or_else(|| Self::Sorted(keys.into_iter().collect()))
    }

    /// Returns a table of codes, if all categories have codes near the first one's.
    fn by_codes(keys: &BTreeMap<K, usize>) -> Option<Self> {
        let first = keys.keys().next()?.code()?;
        let mut table = vec![keys.len(); LONGEST_TABLE];
        for (key, &slot) in keys {
            *table.get_mut(offset(key.code()?, first))? = slot;
        }
        let last = table.iter().rposition(|&slot| slot != keys.len())? + 1;
        table.resize(last, keys.len());
        table.push(keys.len());
        Some(Self::Codes { first, table, last })
    }
}

/// Returns the distance of a code from the first one. The subtraction may wrap.
#[inline]
fn offset(code: u64, first: u64) -> usize {
    usize::try_from(code.wrapping_sub(first)).unwrap_or(usize::MAX)
}

impl<K: Category> Index<K> {
    pub(crate) fn new(categories: &[K], unknown: UnknownCategories) -> Fallible<Self> {
        require(!categories.is_empty(), "categories", "must not be empty")?;
        let keys: BTreeMap<K, usize> = categories.iter().cloned().zip(0..).collect();
        let listed = keys.len();
        require(listed == categories.len(), "categories", "must be distinct")?;
        Ok(Self { slots: Slots::new(keys), listed, unknown })
    }

    /// Returns the number of entries.
    pub(crate) fn entries(&self) -> usize {
        self.listed + usize::from(self.unknown == UnknownCategories::Other)
    }

    /// Returns the number of slots: one for each listed category, and one for all others, which is an entry only if
    /// they are collected.
    pub(crate) fn slots(&self) -> usize {
        self.listed + 1
    }

    /// Returns the domain of vectors with one number for each entry.
    pub(crate) fn vectors<T: Number>(&self) -> VectorDomain<AtomDomain<T>> {
        VectorDomain::new(AtomDomain::new()).with_size(self.entries())
    }

    /// Returns the slot of a row with this category. With a table, there is no branch that depends on the row.
    #[inline]
    pub(crate) fn slot(&self, category: &K) -> usize {
        let slot = match &self.slots {
            Slots::Codes { first, table, last } => {
                category.code().and_then(|code| table.get(offset(code, *first).min(*last)))
            }
            Slots::Sorted(keys) => {
                let place = keys.binary_search_by(|(listed, _)| listed.cmp(category));
                place.ok().and_then(|place| keys.get(place)).map(|(_, slot)| slot)
            }
        };
        slot.copied().unwrap_or(self.listed)
    }
}

/// Norms for the distance between vectors of counts or sums.
pub trait CategoryMetric: SensitivityMetric<Distance = f64> {
    /// Returns the largest length, rounded up, of the change by one step of a dataset metric, if each row adds a
    /// number of at most `magnitude` in size, from an interval of length `range`, to one entry.
    ///
    /// Adding or removing a row changes one entry by at most `magnitude`. Replacing one changes a single entry by at
    /// most `range`, or two entries by at most `magnitude` each.
    fn step(&self, unit: RowChange, magnitude: f64, range: f64) -> Fallible<f64>;

    /// Returns the largest length, rounded up, of a change in which no entry changes by more than these sizes.
    #[doc(hidden)]
    fn norm(&self, sizes: &[f64]) -> Fallible<f64>;

    /// Returns the largest length, rounded up, of a vector to which `all` rows each add at most 1 in one entry, with
    /// at most `each` rows in the same entry.
    #[doc(hidden)]
    fn of_rows(&self, all: u32, each: u32) -> Fallible<f64>;

    /// Returns the length of a vector, rounded up. Signs matter in a metric that adds increases and decreases.
    #[doc(hidden)]
    fn length_of(&self, vector: &[f64]) -> Fallible<f64> {
        self.norm(&vector.iter().map(|number| number.abs()).collect::<Vec<_>>())
    }

    /// Returns true if the length of a vector is the largest size of its numbers and of their differences, that is, of
    /// an increase of one and a decrease of another.
    #[doc(hidden)]
    fn is_of_differences(&self) -> bool {
        false
    }

    /// Returns the largest length in this metric, rounded up, of a vector whose length in another norm is bounded.
    #[doc(hidden)]
    fn length(&self, ball: &BallDomain) -> Fallible<f64> {
        let ones = |number: usize| self.norm(&vec![1.0; number]);
        // The longest are those with one number, or with all of one size.
        let factor = match ball.norm() {
            Norm::L1 => ones(1.min(ball.size()))?,
            Norm::L2 => self.per_euclidean(ball.size())?,
            Norm::LInf => ones(ball.size())?,
        };
        Ok(ball.radius().inf_mul(factor)?)
    }

    /// Returns the largest length, rounded up, of a vector with `size` numbers and Euclidean length 1.
    #[doc(hidden)]
    fn per_euclidean(&self, size: usize) -> Fallible<f64>;
}

fn inf_sum(terms: impl IntoIterator<Item = Fallible<f64>>) -> Fallible<f64> {
    terms.into_iter().try_fold(0.0, |sum: f64, term| Ok(sum.inf_add(term?)?))
}

impl CategoryMetric for L1Distance {
    fn step(&self, unit: RowChange, magnitude: f64, range: f64) -> Fallible<f64> {
        Ok(match unit {
            RowChange::AddOrRemove => magnitude,
            RowChange::Replace => range.max(magnitude.inf_mul(2.0)?),
        })
    }

    fn norm(&self, sizes: &[f64]) -> Fallible<f64> {
        inf_sum(sizes.iter().map(|size| Ok(*size)))
    }

    fn of_rows(&self, all: u32, _each: u32) -> Fallible<f64> {
        Ok(f64::from(all))
    }

    fn per_euclidean(&self, size: usize) -> Fallible<f64> {
        Ok(f64::inf_from(&size)?.inf_sqrt()?)
    }
}

impl CategoryMetric for L2Distance {
    fn step(&self, unit: RowChange, magnitude: f64, range: f64) -> Fallible<f64> {
        Ok(match unit {
            RowChange::AddOrRemove => magnitude,
            RowChange::Replace => range.max(magnitude.inf_mul(2f64.inf_sqrt()?)?),
        })
    }

    fn norm(&self, sizes: &[f64]) -> Fallible<f64> {
        // Neither squares nor their sum leave the range: all are in units of the greatest.
        let greatest = sizes.iter().copied().fold(0.0, f64::max);
        if greatest == 0.0 || greatest == f64::INFINITY {
            return Ok(greatest);
        }
        let squares = sizes.iter().map(|size| Ok(size.inf_div(greatest)?.inf_powi(2)?));
        Ok(greatest.inf_mul(inf_sum(squares)?.inf_sqrt()?)?)
    }

    /// The sum of squares is at most the largest size times the sum of sizes.
    fn of_rows(&self, all: u32, each: u32) -> Fallible<f64> {
        Ok(f64::inf_from(&(u64::from(all) * u64::from(each)))?.inf_sqrt()?)
    }

    fn per_euclidean(&self, size: usize) -> Fallible<f64> {
        Ok(if size == 0 { 0.0 } else { 1.0 })
    }
}

/// A replaced row may increase one entry and decrease another; the monotonic form adds the two changes.
impl CategoryMetric for LInfDistance {
    fn step(&self, unit: RowChange, magnitude: f64, range: f64) -> Fallible<f64> {
        Ok(match unit {
            RowChange::AddOrRemove => magnitude,
            RowChange::Replace if self.is_monotonic() => range.max(magnitude.inf_mul(2.0)?),
            RowChange::Replace => range.max(magnitude),
        })
    }

    fn norm(&self, sizes: &[f64]) -> Fallible<f64> {
        let mut sizes = sizes.to_vec();
        sizes.sort_by(|left, right| right.total_cmp(left));
        // In the monotonic form, one entry may rise and another fall.
        inf_sum(sizes.into_iter().take(1 + usize::from(self.is_monotonic())).map(Ok))
    }

    fn of_rows(&self, all: u32, each: u32) -> Fallible<f64> {
        Ok(f64::from(if self.is_monotonic() { all.min(each.saturating_mul(2)) } else { each }))
    }

    fn length_of(&self, vector: &[f64]) -> Fallible<f64> {
        let greatest = |sign: f64| vector.iter().fold(0.0, |greatest: f64, number| greatest.max(sign * number));
        let (rise, fall) = (greatest(1.0), greatest(-1.0));
        if self.is_monotonic() { Ok(rise.inf_add(fall)?) } else { Ok(rise.max(fall)) }
    }

    fn is_of_differences(&self) -> bool {
        self.is_monotonic()
    }

    /// An increase and a decrease of the same size.
    fn per_euclidean(&self, size: usize) -> Fallible<f64> {
        let numbers = size.min(1 + usize::from(self.is_monotonic()));
        Ok(f64::inf_from(&numbers)?.inf_sqrt()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{numeric::gmp::Rational, truth::sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn norms_are_rounded_up(one in sizes(-3, 3), two in sizes(-3, 3), three in sizes(-3, 3)) {
            let exact = [one, two, three].map(|size| Rational::from_f64(size).unwrap());
            let square: Rational = exact.iter().map(|size| Rational::from(size.square_ref())).sum();
            let norm = L2Distance::new().norm(&[one, two, three]).unwrap();
            prop_assert!(Rational::from_f64(norm).unwrap().square() >= square, "{norm:e}");
            let norm = L1Distance::new().norm(&[one, two, three]).unwrap();
            prop_assert!(Rational::from_f64(norm).unwrap() >= exact.iter().sum::<Rational>(), "{norm:e}");
        }
    }

    #[test]
    fn categories_must_be_distinct_and_there_must_be_some() {
        for categories in [vec![], vec![1, 2, 1]] {
            let error = Index::<i32>::new(&categories, UnknownCategories::Drop).err().unwrap();
            assert_eq!(error.kind(), crate::core::ErrorKind::Parameter("categories"));
        }
    }

    #[test]
    fn the_handling_of_unknown_categories_can_be_read_from_text() {
        for unknown in [UnknownCategories::Drop, UnknownCategories::Other] {
            assert_eq!(unknown.to_parameter().to_string().parse(), Ok(unknown));
        }
        let error = "ignore".parse::<UnknownCategories>().unwrap_err();
        assert_eq!(error.kind(), crate::core::ErrorKind::Parameter("unknown"));
    }

    /// Near and far, from the first on, past the ends and through them.
    #[test]
    fn each_category_has_its_slot_and_all_others_the_last() {
        fn check<K: Category>(categories: &[K], others: &[K]) {
            let index = Index::new(categories, UnknownCategories::Other).unwrap();
            for (slot, category) in categories.iter().enumerate() {
                assert_eq!(index.slot(category), slot, "{category:?}");
            }
            assert!(others.iter().all(|other| index.slot(other) == categories.len()), "{others:?}");
            assert_eq!((index.slots(), index.entries()), (categories.len() + 1, categories.len() + 1));
            let dropped = Index::new(categories, UnknownCategories::Drop).unwrap();
            assert_eq!((dropped.slots(), dropped.entries()), (categories.len() + 1, categories.len()));
            assert_eq!(dropped.vectors::<f64>(), VectorDomain::new(AtomDomain::f64()).with_size(categories.len()));
        }
        check(&[0u32, 1023], &[1, 1022, 1024, u32::MAX]);
        check(&[7u32, 5, 6], &[4, 8, 0, 1029, u32::MAX]);
        check(&[0u32, 1024, 500], &[1, 1023, 1025]);
        check(&[-1i64, 0, 1], &[-2, 2, i64::MIN, i64::MAX]);
        check(&[i64::MIN, i64::MAX], &[0, i64::MIN + 1, i64::MAX - 1]);
        check(&[true], &[false]);
        check(&["b", "a"], &["c", ""]);
        check(&[3i128, -3], &[0, i128::MAX]);
    }

    /// By hand: how far one row can move a vector of counts (magnitude 1, range 0) or of sums.
    #[test]
    fn steps_of_every_metric() {
        let (add, replace) = (RowChange::AddOrRemove, RowChange::Replace);
        let (l1, l2) = (L1Distance::new(), L2Distance::new());
        let (linf, monotonic) = (LInfDistance::new(), LInfDistance::monotonic());
        for (unit, magnitude, range, truth) in [
            (add, 2.0, 3.0, [2.0, 2.0, 2.0, 2.0]),
            (replace, 1.0, 0.0, [2.0, 2f64.sqrt(), 1.0, 2.0]),
            (replace, 4.0, 8.0, [8.0, 8.0, 8.0, 8.0]),
            (replace, 4.0, 7.0, [8.0, 7.0, 7.0, 8.0]),
            (replace, 4.0, 1.0, [8.0, 32f64.sqrt(), 4.0, 8.0]),
        ] {
            let step = |metric: &dyn Fn(RowChange, f64, f64) -> Fallible<f64>| metric(unit, magnitude, range).unwrap();
            let steps = [
                step(&|unit, magnitude, range| l1.step(unit, magnitude, range)),
                step(&|unit, magnitude, range| l2.step(unit, magnitude, range)),
                step(&|unit, magnitude, range| linf.step(unit, magnitude, range)),
                step(&|unit, magnitude, range| monotonic.step(unit, magnitude, range)),
            ];
            for (step, truth) in steps.into_iter().zip(truth) {
                assert!(step >= truth && step <= truth * (1.0 + 4.0 * f64::EPSILON), "{unit:?} {magnitude} {range}");
            }
        }
    }

    #[test]
    fn lengths_of_every_metric() {
        let sizes = [3.0, 4.0, 0.0];
        let (l1, l2) = (L1Distance::new(), L2Distance::new());
        let (linf, monotonic) = (LInfDistance::new(), LInfDistance::monotonic());
        assert_eq!((l1.norm(&sizes), linf.norm(&sizes), monotonic.norm(&sizes)), (Ok(7.0), Ok(4.0), Ok(7.0)));
        assert!((5.0..5.0 + 1e-14).contains(&l2.norm(&sizes).unwrap()));
        let nothing = [l1.norm(&[]), l2.norm(&[]), l2.norm(&[0.0]), linf.norm(&[]), monotonic.norm(&[])];
        assert_eq!(nothing, [0.0; 5].map(Ok));
        // Of the vector itself, with its signs.
        let both = [3.0, -4.0, 0.0];
        assert_eq!(
            (l1.length_of(&both), linf.length_of(&both), monotonic.length_of(&both)),
            (Ok(7.0), Ok(4.0), Ok(7.0))
        );
        assert_eq!((monotonic.length_of(&sizes), monotonic.length_of(&[-3.0, -4.0])), (Ok(4.0), Ok(4.0)));
        assert_eq!(
            (monotonic.length_of(&[]), linf.length_of(&[-0.0]), l2.length_of(&[-2.0])),
            (Ok(0.0), Ok(0.0), Ok(2.0))
        );
        assert_eq!(
            [monotonic.is_of_differences(), linf.is_of_differences(), l1.is_of_differences()],
            [true, false, false]
        );
        let (per_l1, per_linf) = (|size| l1.per_euclidean(size), |size| linf.per_euclidean(size));
        assert_eq!((per_l1(0), per_l1(1), per_l1(4)), (Ok(0.0), Ok(1.0), Ok(2.0)));
        assert_eq!((l2.per_euclidean(0), l2.per_euclidean(1), l2.per_euclidean(9)), (Ok(0.0), Ok(1.0), Ok(1.0)));
        assert_eq!((per_linf(0), per_linf(1), per_linf(9)), (Ok(0.0), Ok(1.0), Ok(1.0)));
        let rise_and_fall = monotonic.per_euclidean(9).unwrap();
        assert!(rise_and_fall * rise_and_fall >= 2.0 && rise_and_fall.next_down() * rise_and_fall.next_down() < 2.0);
        assert_eq!((monotonic.per_euclidean(1), monotonic.per_euclidean(0)), (Ok(1.0), Ok(0.0)));
    }
}
