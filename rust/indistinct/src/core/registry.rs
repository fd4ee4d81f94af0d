//! The registry by which a plan calls constructors again.

use super::{Domain, Error, Fallible, Given, Measure, Measurement, Metric, Releasable, Transformation};

/// A chain on data of one domain that is built step by step, whatever the types of its current output.
///
/// Each function adds a step if the chain's current space is the step's input space, and returns `None` otherwise.
pub(crate) trait Builder: Sized {
    /// The domain of all chains' inputs.
    type Domain: Domain;
    /// The metric of all chains' inputs.
    type Metric: Metric<Distance = u32>;
    /// The type of all releases.
    type Release: 'static;

    /// Adds a step on data of the input domain.
    fn first<D: Domain, M: Metric<Distance = u32>, MO: Metric>(
        &self,
        step: impl FnOnce(Self::Domain, M) -> Fallible<Transformation<Self::Domain, D, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// Adds a step on the current output.
    fn then<D: Domain, DO: Domain, M: Metric, MO: Metric>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Transformation<D, DO, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// Adds a measurement of data of the input domain.
    fn release_first<TO: Releasable, M: Metric<Distance = u32>, MO: Measure>(
        &self,
        step: impl FnOnce(Self::Domain, M) -> Fallible<Measurement<Self::Domain, TO, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// Adds a measurement of the current output.
    fn release<D: Domain, TO: Releasable, M: Metric, MO: Measure>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Measurement<D, TO, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// Converts the measurement to another measure.
    fn convert<M: Measure, MO: Measure>(
        &self,
        step: impl FnOnce(
            Measurement<Self::Domain, Self::Release, Self::Metric, M>,
        ) -> Fallible<Measurement<Self::Domain, Self::Release, Self::Metric, MO>>,
    ) -> Option<Fallible<Self>>;
}

/// A constructor with its name in plans. `#[constructor]` writes it.
pub(crate) struct Entry<B> {
    pub(crate) name: &'static str,
    pub(crate) how: How<B>,
}

/// The way in which a constructor is called again.
pub(crate) enum How<B> {
    /// A plan calls the constructor through one of several instances.
    Rebuilt { parameters: &'static [&'static str], instances: Vec<Instance<B>> },
    /// A plan calls the constructor through code written for it, with these parameters.
    ByHand(&'static [&'static str]),
    /// A plan cannot call the constructor, for this reason.
    Exempt(&'static str),
}

/// One way to call a constructor, with types for its generic parameters. It returns `None` if the chain's current space
/// has other types.
pub(crate) type Instance<B> = fn(&B, &Given<'_>) -> Option<Fallible<B>>;

/// Adds a step to the chain with the first of these instances that fits.
pub(crate) fn first_that_fits<B>(instances: &[Instance<B>], chain: &B, given: &Given<'_>) -> Option<Fallible<B>> {
    let mut furthest: Option<(usize, Error)> = None;
    for instance in instances {
        given.take_read();
        match instance(chain, given) {
            None => {}
            Some(Ok(next)) => return Some(Ok(next)),
            Some(Err(error)) => {
                let read = given.take_read();
                if furthest.as_ref().is_none_or(|(before, _)| *before < read) {
                    furthest = Some((read, error));
                }
            }
        }
    }
    furthest.map(|(_, error)| Err(error))
}
