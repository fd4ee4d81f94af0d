//! Data that answer measurements one after another, and the ledger that says which.

use crate::{
    core::{
        Domain, Error, ErrorKind, Fallible, Marks, Measurement, Metric, MetricSpace, Owned, PrivacyMap,
        RandomizedFunction, State,
    },
    measures::CompositionMeasure,
};
use indistinct_sampling::{Entropy, OsEntropy};
use std::{borrow::Borrow, fmt, sync::Arc};

/// Data that answer measurements one after another, each chosen in view of the releases before it, as long as a ledger allows: the release of
/// [`make_privacy_filter`](super::make_privacy_filter), [`make_adaptive_composition`](super::make_adaptive_composition) and
/// [`make_fully_adaptive_composition`](super::make_fully_adaptive_composition).
///
/// Threads may share it; a clone is another handle on the same ledger.
pub struct Compositor<DI: Domain, MI: Metric, MO: CompositionMeasure, L: Ledger<MI, MO>> {
    data: Arc<Owned<DI>>,
    rules: Arc<Rules<DI, MI, MO, L>>,
    entries: State<L::Entries>,
}

/// What every measurement must keep.
struct Rules<DI, MI, MO, L> {
    space: (DI, MI),
    measure: MO,
    ledger: L,
}

/// Which measurements may follow the ones before.
#[allow(private_bounds)]
pub trait Ledger<MI: Metric, MO: CompositionMeasure>: Send + Sync + 'static {
    /// What the release that keeps this ledger is called.
    #[doc(hidden)]
    const NAME: &'static str;
    /// What is remembered.
    #[doc(hidden)]
    type Entries: Send + 'static;
    /// What one measurement adds.
    #[doc(hidden)]
    type Entry;

    /// The ledger before the first measurement.
    #[doc(hidden)]
    fn open(&self) -> Self::Entries;
    /// What a measurement with this map adds; no one else is kept waiting meanwhile.
    #[doc(hidden)]
    fn entry(&self, map: &PrivacyMap<MI, MO>) -> Fallible<Self::Entry>;
    /// An error if no such measurement may follow.
    #[doc(hidden)]
    fn allows(&self, entries: &Self::Entries, entry: &Self::Entry) -> Fallible<()>;
    /// Write down a measurement that is allowed.
    #[doc(hidden)]
    fn write(&self, entries: &mut Self::Entries, entry: &Self::Entry);
}

impl<DI: Domain, MI: Metric<Distance: Default>, MO: CompositionMeasure, L: Ledger<MI, MO>> Compositor<DI, MI, MO, L> {
    /// The measurement that releases a compositor of its data.
    pub(super) fn measurement(
        space: (DI, MI),
        measure: MO,
        ledger: L,
        map: PrivacyMap<MI, MO>,
    ) -> Fallible<Measurement<DI, Self, MI, MO>>
    where
        (DI, MI): MetricSpace,
    {
        let rules = Arc::new(Rules { space: space.clone(), measure: measure.clone(), ledger });
        let release = RandomizedFunction::new(move |data: &DI::Carrier, _: &mut dyn Entropy| {
            let (data, entries) = (Arc::new(data.to_owned()), State::new(rules.ledger.open()));
            Ok(Self { data, rules: rules.clone(), entries })
        });
        Ok(Measurement::new(space, measure, release, map)?.with_marks(Marks { interactive: true, ..Marks::default() }))
    }

    /// A release of a measurement, with randomness from the operating system. It is written down before it is made, and stays so
    /// if the release fails.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Question`] for a measurement of another domain, metric or measure, or with a loss at distance 0;
    /// [`ErrorKind::InfiniteLoss`] for one whose loss is infinite at every distance, unless that was accepted;
    /// [`ErrorKind::Budget`] if it may lose more than is left, [`ErrorKind::Exhausted`] if none may follow: none of these costs anything, and other measurements
    /// may be tried. Otherwise as [`Measurement::invoke`].
    pub fn eval<TO: 'static>(&self, measurement: &Measurement<DI, TO, MI, MO>) -> Fallible<TO> {
        self.release(measurement, &mut OsEntropy::new())
    }

    /// A release with randomness from `entropy`: for tests and audits, with the feature `testing`.
    #[cfg(feature = "testing")]
    pub fn eval_with<TO: 'static>(
        &self,
        measurement: &Measurement<DI, TO, MI, MO>,
        entropy: &mut dyn Entropy,
    ) -> Fallible<TO> {
        self.release(measurement, entropy)
    }

    fn release<TO: 'static>(
        &self,
        measurement: &Measurement<DI, TO, MI, MO>,
        entropy: &mut dyn Entropy,
    ) -> Fallible<TO> {
        let Rules { space, measure, ledger } = self.rules.as_ref();
        let refuse = |rule| Err(Error::new(ErrorKind::Question, rule));
        if (measurement.input_domain(), measurement.input_metric()) != (&space.0, &space.1) {
            return refuse("a measurement must have the declared input domain and metric");
        }
        if measurement.output_measure() != measure {
            return refuse("a measurement must have the declared measure");
        }
        if measurement.is_interactive() && !measure.is_concurrent() {
            return refuse("an interactive measurement needs a measure whose rule is known to hold concurrently");
        }
        if measurement.check_repeatable().is_err() {
            return refuse("a measurement of a secret sample may not be released beside others");
        }
        if !measurement.check(&MI::Distance::default(), &measure.compose(&[])?)? {
            return refuse("a measurement must cost nothing at distance 0");
        }
        let entry = ledger.entry(measurement.privacy_map())?;
        measurement.check_finite_loss()?;
        // Allowed and written under one lock: two threads cannot both take the last unit.
        self.entries.step(
            |entries| ledger.allows(entries, &entry),
            |entries| {
                ledger.write(entries, &entry);
                Ok(())
            },
        )?;
        measurement.function().eval(self.data.as_ref().borrow(), entropy)
    }

    pub(super) fn ledger(&self) -> &L {
        &self.rules.ledger
    }

    pub(super) fn measure(&self) -> &MO {
        &self.rules.measure
    }

    /// What the entries so far say.
    pub(super) fn read<T>(&self, read: impl FnOnce(&L::Entries) -> Fallible<T>) -> Fallible<T> {
        self.entries.step(|_| Ok(()), |entries| read(entries))
    }
}

impl<DI: Domain, MI: Metric, MO: CompositionMeasure, L: Ledger<MI, MO>> Clone for Compositor<DI, MI, MO, L> {
    fn clone(&self) -> Self {
        Self { data: self.data.clone(), rules: self.rules.clone(), entries: self.entries.clone() }
    }
}

impl<DI: Domain, MI: Metric, MO: CompositionMeasure, L: Ledger<MI, MO>> fmt::Debug for Compositor<DI, MI, MO, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(L::NAME)
    }
}
