//! Data that answer measurements one after another, and the ledger that decides which are allowed.

use crate::{
    core::{
        Answered, Domain, Error, ErrorKind, Fallible, Marks, Measurement, Metric, MetricSpace, Owned, PrivacyMap,
        ProofLevel, RandomizedFunction, State,
    },
    measures::CompositionMeasure,
};
use indistinct_sampling::{Entropy, OsEntropy};
use std::{borrow::Borrow, fmt, sync::Arc};

/// Data that answer measurements one after another, each chosen after seeing the earlier releases, as long as a ledger
/// allows them. It is the release of [`make_privacy_filter`](super::make_privacy_filter),
/// [`make_adaptive_composition`](super::make_adaptive_composition) and
/// [`make_fully_adaptive_composition`](super::make_fully_adaptive_composition).
///
/// Threads may share a compositor; a clone is another handle on the same ledger. A compositor belongs to the process
/// that made it. A forked child gets no answers, because its copy of the ledger would not know the releases of other
/// copies.
pub struct Compositor<DI: Domain, MI: Metric, MO: CompositionMeasure, L: Ledger<MI, MO>> {
    data: Arc<Owned<DI>>,
    rules: Arc<Rules<DI, MI, MO, L>>,
    entries: State<L::Entries>,
    answered: Answered,
}

/// The conditions on every measurement.
struct Rules<DI, MI, MO, L> {
    space: (DI, MI),
    measure: MO,
    ledger: L,
}

/// The rule that decides which measurements may follow earlier ones.
#[allow(private_bounds)]
pub trait Ledger<MI: Metric, MO: CompositionMeasure>: Send + Sync + 'static {
    /// The name of the release that keeps this ledger.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The record of the measurements so far.
    #[doc(hidden)]
    type Entries: Send + 'static;
    /// The record of one measurement.
    #[doc(hidden)]
    type Entry;

    /// Returns the entries before the first measurement.
    #[doc(hidden)]
    fn open(&self) -> Self::Entries;
    /// Returns the entry of a measurement with this map. It is computed without the lock.
    #[doc(hidden)]
    fn entry(&self, map: &PrivacyMap<MI, MO>) -> Fallible<Self::Entry>;
    /// Returns an error if no such measurement may follow.
    #[doc(hidden)]
    fn allows(&self, measure: &MO, entries: &Self::Entries, entry: &Self::Entry) -> Fallible<()>;
    /// Records a measurement that is allowed.
    #[doc(hidden)]
    fn write(&self, entries: &mut Self::Entries, entry: &Self::Entry);
}

impl<DI: Domain, MI: Metric<Distance: Default>, MO: CompositionMeasure, L: Ledger<MI, MO>> Compositor<DI, MI, MO, L> {
    /// Makes the measurement that releases a compositor of its data.
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
            Ok(Self { data, rules: rules.clone(), entries, answered: Answered::nothing() })
        });
        Ok(Measurement::new(space, measure, release, map)?.with_marks(Marks { interactive: true, ..Marks::default() }))
    }

    /// Releases a measurement, with randomness from the operating system. The measurement is recorded before it is
    /// released, and stays recorded if the release fails.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Question`] for a measurement with a different domain, metric or measure, or with a loss at
    /// distance 0. Returns [`ErrorKind::InfiniteLoss`] if its loss is infinite at every distance, unless that was
    /// accepted. Returns [`ErrorKind::Budget`], with both losses, if it may lose more than remains, and
    /// [`ErrorKind::Exhausted`] if no measurement may follow. None of these costs anything, and other measurements may
    /// be tried. Returns [`ErrorKind::Process`] in a forked child. Returns the errors of [`Measurement::invoke`] in all
    /// other cases.
    pub fn eval<TO: 'static>(&self, measurement: &Measurement<DI, TO, MI, MO>) -> Fallible<TO> {
        self.release(measurement, &mut OsEntropy::new())
    }

    /// Releases with randomness from `entropy`, for tests and audits, with the feature `testing`.
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
            return refuse("an interactive measurement needs a measure with a known rule for concurrent composition");
        }
        if measurement.check_repeatable().is_err() {
            return refuse("a measurement of a secret sample may not be released together with others");
        }
        if !measurement.check(&MI::Distance::default(), &measure.compose(&[])?)? {
            return refuse("a measurement must cost nothing at distance 0");
        }
        let entry = ledger.entry(measurement.privacy_map())?;
        // The map, which may be a caller's own, runs before the lock.
        let is_finite = measurement.check_finite_loss();
        // Allowed and written under one lock: two threads cannot both take the last unit.
        self.entries.step(
            |entries| {
                ledger.allows(measure, entries, &entry)?;
                is_finite
            },
            |entries| {
                ledger.write(entries, &entry);
                Ok(())
            },
        )?;
        self.answered.note(measurement.weakest_proof());
        measurement.function().eval(self.data.as_ref().borrow(), entropy)
    }

    /// Returns the weakest proof of all measurements released so far, on every handle, or the strongest level if there
    /// are none. An interactive measurement records its own queries, and the explanation of the measurement that made
    /// this compositor lists the other proofs. A user-defined post-processing function is assumed to use only the
    /// release; you vouch for that.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let space = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    /// let data = (space.clone() >> then_privacy_filter(MaxDivergence, 1, 1.0))?.invoke(&[3, 5, 8])?;
    /// data.eval(&(space.clone() >> then_count() >> then_laplace(2.0))?)?;
    /// assert!(data.weakest_proof() > ProofLevel::Unproven);
    /// let large = (space >> then_filter(|x: &i64| *x > 4) >> then_count() >> then_laplace(2.0))?;
    /// data.eval(&large)?;
    /// assert_eq!(data.weakest_proof(), ProofLevel::Unproven);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn weakest_proof(&self) -> ProofLevel {
        self.answered.weakest()
    }

    pub(super) fn ledger(&self) -> &L {
        &self.rules.ledger
    }

    pub(super) fn measure(&self) -> &MO {
        &self.rules.measure
    }

    /// Reads the entries so far.
    pub(super) fn read<T>(&self, read: impl FnOnce(&L::Entries) -> Fallible<T>) -> Fallible<T> {
        self.entries.step(|_| Ok(()), |entries| read(entries))
    }
}

impl<DI: Domain, MI: Metric, MO: CompositionMeasure, L: Ledger<MI, MO>> Clone for Compositor<DI, MI, MO, L> {
    fn clone(&self) -> Self {
        Self {
            data: self.data.clone(),
            rules: self.rules.clone(),
            entries: self.entries.clone(),
            answered: self.answered.clone(),
        }
    }
}

impl<DI: Domain, MI: Metric, MO: CompositionMeasure, L: Ledger<MI, MO>> fmt::Debug for Compositor<DI, MI, MO, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(weakest proof of what it released: {})", L::NAME, self.answered.weakest())
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    type Rows = VectorDomain<AtomDomain<i64>>;

    fn space() -> (Rows, SymmetricDistance) {
        (VectorDomain::new(AtomDomain::i64()), SymmetricDistance)
    }

    fn count() -> Measurement<Rows, i64, SymmetricDistance, MaxDivergence> {
        (space() >> then_count() >> then_laplace(4.0)).unwrap()
    }

    /// Makes the same release by a step without a proof.
    fn own_count() -> Measurement<Rows, i64, SymmetricDistance, MaxDivergence> {
        (space() >> then_filter(|_: &i64| true) >> then_count() >> then_laplace(4.0)).unwrap()
    }

    /// Every handle to a conversation remembers the weakest proof level of its queries, even if the conversation is
    /// inside others. It does not remember refused queries.
    macro_rules! remembers {
        ($conversation:expr) => {{
            let data = $conversation.unwrap().invoke(&[3, 5, 8]).unwrap();
            let handle = data.clone();
            assert_eq!(data.weakest_proof(), ProofLevel::A);
            data.eval(&count()).unwrap();
            let proved = count().explain(&1).unwrap().weakest_proof();
            assert!(proved > ProofLevel::Unproven && handle.weakest_proof() == proved);
            let other = make_count(space().0.with_size(3), SymmetricDistance).unwrap();
            assert!(data.eval(&(other >> then_laplace(4.0)).unwrap()).is_err());
            assert_eq!(data.weakest_proof(), proved);
            let inside = make_composition((count(), make_composition(vec![own_count()]).unwrap())).unwrap();
            handle.eval(&inside).unwrap();
            data.eval(&count()).unwrap();
            assert_eq!(data.weakest_proof(), ProofLevel::Unproven);
            assert!(format!("{data:?}").ends_with("(weakest proof of what it released: unproven)"));
        }};
    }

    #[test]
    fn a_conversation_remembers_the_weakest_proof_of_what_it_released() {
        remembers!(space() >> then_privacy_filter(MaxDivergence, 1, 1.0));
        remembers!(space() >> then_adaptive_composition(MaxDivergence, 1, vec![0.5; 4]));
        remembers!(space() >> then_fully_adaptive_composition(MaxDivergence));
    }

    /// The level that is remembered for a query is the one that its explanation shows, at any distance.
    #[test]
    fn levels_do_not_depend_on_distances() {
        let laplace = count();
        let sampled = make_poisson_sampling(count(), 0.5).unwrap();
        let cast = make_pureDP_to_approxDP(own_count()).unwrap();
        let post = (count() >> Function::new(|x: &i64| x + 1)).unwrap();
        for d_in in [0, 1, 7] {
            assert_eq!(laplace.explain(&d_in).unwrap().weakest_proof(), laplace.weakest_proof());
            assert_eq!(sampled.explain(&d_in).unwrap().weakest_proof(), sampled.weakest_proof());
            assert_eq!(cast.explain(&d_in).unwrap().weakest_proof(), cast.weakest_proof());
            assert_eq!(post.explain(&d_in).unwrap().weakest_proof(), post.weakest_proof());
        }
        assert_eq!(cast.weakest_proof(), ProofLevel::Unproven);
    }
}
