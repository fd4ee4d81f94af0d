//! How a constructor is called again by a plan.

use super::{Domain, Error, Fallible, Given, Measure, Measurement, Metric, Releasable, Transformation};

/// A chain over data of one domain that is built step by step, whatever the types of what it has come to.
///
/// Each function adds a step, if the chain has come to where the step begins, and else gives nothing.
pub(crate) trait Builder: Sized {
    /// The domain that all chains begin with.
    type Domain: Domain;
    /// The metric that they begin with.
    type Metric: Metric<Distance = u32>;
    /// The type in which all releases are expressed.
    type Release: 'static;

    /// A step on data of the domain that chains begin with.
    fn first<D: Domain, M: Metric<Distance = u32>, MO: Metric>(
        &self,
        step: impl FnOnce(Self::Domain, M) -> Fallible<Transformation<Self::Domain, D, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// A step on what was computed from them.
    fn then<D: Domain, DO: Domain, M: Metric, MO: Metric>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Transformation<D, DO, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// A release of it.
    fn release<D: Domain, TO: Releasable, M: Metric, MO: Measure>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Measurement<D, TO, M, MO>>,
    ) -> Option<Fallible<Self>>;

    /// The release under another measure.
    fn convert<M: Measure, MO: Measure>(
        &self,
        step: impl FnOnce(
            Measurement<Self::Domain, Self::Release, Self::Metric, M>,
        ) -> Fallible<Measurement<Self::Domain, Self::Release, Self::Metric, MO>>,
    ) -> Option<Fallible<Self>>;
}

/// A constructor, by its name in plans. `#[constructor]` writes it.
pub(crate) struct Entry<B> {
    pub(crate) name: &'static str,
    pub(crate) how: How<B>,
}

/// How a constructor is called again.
pub(crate) enum How<B> {
    /// In one of several ways.
    Rebuilt {
        parameters: &'static [&'static str],
        /// True if it reads columns as typed rows.
        has_row: bool,
        instances: Vec<Instance<B>>,
    },
    /// By code of its own.
    ByHand,
    /// Not, for this reason.
    Exempt(&'static str),
}

/// One way to call a constructor: with types for its generic parameters. Nothing, if the chain has not come to where
/// these types stand.
pub(crate) type Instance<B> = fn(&B, &Given<'_>) -> Option<Fallible<B>>;

/// The chain with one more step by one of these ways to call a constructor.
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
