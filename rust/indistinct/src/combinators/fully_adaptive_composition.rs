//! `make_fully_adaptive_composition`: measurements chosen one after another, with an odometer.

use super::compositor::{Compositor, Ledger};
use crate::{
    core::{Distance, Domain, Fallible, Measurement, Metric, MetricSpace, PrivacyMap, ToParameter},
    measures::BudgetMeasure,
};
use indistinct_derive::constructor;

/// Keeps the data, and releases any measurements of them. Each measurement and its loss may be chosen after seeing all
/// earlier releases. An [`Odometer`] shows the loss so far, at any distance.
///
/// # Privacy
///
/// Infinite (0 at distance 0), because nothing limits the measurements. For a bound and a distance that are fixed in
/// advance: if an analyst never asks for a measurement that would raise the odometer above the bound, the loss is at
/// most the bound (Rogers, Roth, Ullman, Vadhan 2016; Feldman, Zrnic 2021; Smith, Thakurta 2022; Haney et al. 2023).
/// [`make_privacy_filter`](super::make_privacy_filter) enforces such a bound.
///
/// # Errors
///
/// See [`Compositor::eval`] for the errors of a query.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let odometer = (space.clone() >> then_fully_adaptive_composition(MaxDivergence))?;
/// let data = odometer.invoke(&[3.0, 9.0, 8.0])?;
/// let count = (space >> then_count() >> then_laplace(2.0))?;
/// let mut rows: i64 = data.eval(&count)?;
/// while rows < 0 && data.spent(&1)? < 2.0 {
///     rows = data.eval(&count)?;
/// }
/// assert!(data.spent(&1)? <= 2.0);
/// assert_eq!(data.spent(&3)?, 3.0 * data.spent(&1)?);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries and is not a value"))]
pub fn make_fully_adaptive_composition<DI: Domain, MI: Metric<Distance: Default>, MO: BudgetMeasure + ToParameter>(
    input_domain: DI,
    input_metric: MI,
    output_measure: MO,
) -> Fallible<Measurement<DI, Odometer<DI, MI, MO>, MI, MO>>
where
    (DI, MI): MetricSpace,
{
    let rule = output_measure.clone();
    let map =
        PrivacyMap::new(
            move |distance: &MI::Distance| {
                if distance.is_within(&MI::Distance::default()) { rule.compose(&[]) } else { MO::infinite() }
            },
        );
    // An odometer has no bound on its loss, by intent; each measurement that it answers has one of its own.
    Ok(Compositor::measurement((input_domain, input_metric), output_measure, AllMaps, map)?.accept_infinite_loss())
}

/// The release of [`make_fully_adaptive_composition`]: data that answer any measurements, and show the loss so far.
pub type Odometer<DI, MI, MO> = Compositor<DI, MI, MO, AllMaps>;

/// A ledger that allows every measurement and records all of them.
pub struct AllMaps;

impl<MI: Metric, MO: BudgetMeasure> Ledger<MI, MO> for AllMaps {
    const NAME: &'static str = "Odometer";
    type Entries = Vec<PrivacyMap<MI, MO>>;
    type Entry = PrivacyMap<MI, MO>;

    fn open(&self) -> Self::Entries {
        Vec::new()
    }

    fn entry(&self, map: &PrivacyMap<MI, MO>) -> Fallible<PrivacyMap<MI, MO>> {
        Ok(map.clone())
    }

    fn allows(&self, _: &MO, _: &Self::Entries, _: &PrivacyMap<MI, MO>) -> Fallible<()> {
        Ok(())
    }

    fn write(&self, maps: &mut Self::Entries, map: &PrivacyMap<MI, MO>) {
        maps.push(map.clone());
    }
}

impl<DI: Domain, MI: Metric<Distance: Default>, MO: BudgetMeasure> Odometer<DI, MI, MO> {
    /// Returns the loss of all releases so far, for data at most `d_in` apart: the sum of their maps there, in time
    /// proportional to their number. The distance is between the data that the odometer holds, after any transformation
    /// before it. There is no limit, so no budget remains; use a privacy filter to enforce one.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not a distance, or if a map has no value for it.
    pub fn spent(&self, d_in: &MI::Distance) -> Fallible<MO::Distance> {
        let maps = self.read(|maps| Ok(maps.clone()))?;
        d_in.validate()?;
        self.measure().compose(&maps.iter().map(|map| map.eval(d_in)).collect::<Fallible<Vec<_>>>()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::{core::RandomizedFunction, prelude::*};
    use indistinct_sampling::Entropy;

    type Number = AtomDomain<i64>;

    fn space() -> (Number, AbsoluteDistance) {
        (AtomDomain::i64(), AbsoluteDistance::new())
    }

    #[test]
    fn the_odometer_sums_maps_at_any_distance() {
        let concentrated = (space() >> then_fully_adaptive_composition(ZeroConcentratedDivergence)).unwrap();
        assert_eq!((concentrated.map(&0.0), concentrated.map(&1.0)), (Ok(0.0), Ok(f64::INFINITY)));
        let data = concentrated.invoke(&7).unwrap();
        assert_eq!(data.spent(&1.0), Ok(0.0));
        for scale in [1.0, 2.0] {
            let gaussian = (space() >> then_gaussian(ZeroConcentratedDivergence, scale)).unwrap();
            assert!(data.eval(&gaussian).is_ok());
        }
        assert_eq!((data.spent(&1.0), data.spent(&2.0), data.spent(&0.0)), (Ok(0.625), Ok(2.5), Ok(0.0)));
        assert!(data.spent(&-1.0).is_err() && data.spent(&f64::NAN).is_err());
        assert!(format!("{data:?}").starts_with("Odometer("));
    }

    #[test]
    fn a_failed_release_is_counted_and_a_refused_one_is_not() {
        let data = (space() >> then_fully_adaptive_composition(MaxDivergence)).unwrap().invoke(&7).unwrap();
        let laplace = (space() >> then_laplace(2.0)).unwrap();
        let failing = (laplace
            >> Function::new_fallible(|_: &i64| {
                make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), -1.0).map(|_| 0)
            }))
        .unwrap();
        assert!(data.eval(&failing).is_err());
        assert_eq!(data.spent(&1.0), Ok(0.5));
        let always = RandomizedFunction::new(|_: &i64, _: &mut dyn Entropy| Ok(0));
        let always =
            Measurement::new(space(), MaxDivergence, always, crate::core::PrivacyMap::new(|_| Ok(1.0))).unwrap();
        assert_eq!(data.eval(&always).unwrap_err().kind(), ErrorKind::Question);
        let bounded = AtomDomain::i64().with_bounds((0, 9)).unwrap();
        let other = make_laplace(bounded, AbsoluteDistance::new(), 1.0).unwrap();
        assert_eq!(data.eval(&other).unwrap_err().kind(), ErrorKind::Question);
        assert_eq!(data.spent(&1.0), Ok(0.5));
    }
}
