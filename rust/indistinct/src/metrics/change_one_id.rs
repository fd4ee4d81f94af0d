//! The distance between datasets, counted in individuals replaced.

use super::{RowByRowMetric, SymmetricIdDistance, dataset::check_least};
use crate::core::{Domain, Fallible, Metric, ToParameter, parameter_by_debug, sealed};
use indistinct_numeric::RoundedArithmetic;

/// The smallest number of individuals that must be replaced to turn one table into the other, ignoring the order of
/// rows.
///
/// A replacement first removes all rows of one individual, or no rows. It then adds any rows of one individual who has
/// no rows at that point (possibly the same individual), or no rows. So each of these cases counts once: an individual
/// whose rows change, an individual who takes the place of another, and an individual who is only added or removed. A
/// guarantee at distance 1 protects the presence of a whole individual and the contents of all their rows, whether or
/// not the participants and their number are public.
///
/// The distance is the larger of two numbers: the individuals of one table whose rows differ in the other table, and
/// the same with the tables exchanged. It is at most [`SymmetricIdDistance`], and at least half of it. It applies to
/// tables (`FrameDomain`); [`SymmetricIdDistance`] applies to their typed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChangeOneIdDistance;

impl Metric for ChangeOneIdDistance {
    type Distance = u32;

    fn describe(&self, distance: &u32) -> String {
        match distance {
            1 => "1 individual replaced".into(),
            _ => format!("{distance} individuals replaced"),
        }
    }

    fn least_distance(&self, _: &impl Domain) -> u32 {
        1
    }

    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &u32) -> Fallible<()> {
        check_least(self, sizes, *distance, (1, "one individual replaced"))
    }
}

impl RowByRowMetric for ChangeOneIdDistance {}

sealed!(() ChangeOneIdDistance);

parameter_by_debug!(() ChangeOneIdDistance);

/// Metrics between datasets that count individuals, each with all of their rows.
///
/// Promise: a function of each individual's own rows that ignores their order, and returns nothing for no rows, does
/// not increase the distance between datasets.
pub trait IndividualMetric: RowByRowMetric + Metric<Distance = u32> + ToParameter + Copy {
    /// Returns the maximum number of individuals added or removed between datasets at distance `d_in` in this metric.
    fn added_or_removed(d_in: u32) -> Fallible<u32>;
}

impl IndividualMetric for SymmetricIdDistance {
    fn added_or_removed(d_in: u32) -> Fallible<u32> {
        Ok(d_in)
    }
}

/// A replaced individual is one removed and one added.
impl IndividualMetric for ChangeOneIdDistance {
    fn added_or_removed(d_in: u32) -> Fallible<u32> {
        Ok(d_in.inf_mul(2)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn words_and_least_distances() {
        assert_eq!(ChangeOneIdDistance.describe(&1), "1 individual replaced");
        assert_eq!(ChangeOneIdDistance.describe(&2), "2 individuals replaced");
        let rows = VectorDomain::new(AtomDomain::bool());
        // An individual is replaced in data of a known size, too, but not in data without rows.
        assert_eq!(ChangeOneIdDistance.least_distance(&rows.clone().with_size(3)), 1);
        assert_eq!(ChangeOneIdDistance.check_neighbors(&[Some(3)], &1), Ok(()));
        assert!(ChangeOneIdDistance.check_neighbors(&[Some(0)], &1).is_err());
        assert_eq!(
            (ChangeOneIdDistance.least_distance(&rows), ChangeOneIdDistance.check_neighbors(&[None], &1)),
            (1, Ok(()))
        );
    }

    #[test]
    fn a_replacement_is_two_steps() {
        assert_eq!(SymmetricIdDistance::added_or_removed(3), Ok(3));
        assert_eq!(ChangeOneIdDistance::added_or_removed(3), Ok(6));
        let too_many = ChangeOneIdDistance::added_or_removed(u32::MAX).unwrap_err();
        assert_eq!(too_many.kind(), ErrorKind::Numeric);
    }
}
