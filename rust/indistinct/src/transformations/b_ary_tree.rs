//! `make_b_ary_tree`: the sums of blocks of a histogram, from single bins to the whole histogram.

use super::categories::CategoryMetric;
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{AtomDomain, VectorDomain},
    metrics::L1Distance,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;

/// Computes a tree over the counts of a histogram: the counts are its leaves, and each node above is the sum of up to
/// `branching` nodes below it.
///
/// The vector lists the layers from the root down to the leaves. The count of a range of bins is the sum of few nodes,
/// so its error from noisy nodes is smaller than from noisy bins.
/// [`consistent_b_ary_tree`](crate::postprocessing::consistent_b_ary_tree) computes the best counts from a release.
///
/// # Parameters
///
/// - `branching`: the maximum number of children, at least 2.
/// - `output_metric`: [`L1Distance`] for Laplace noise, [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// With `l` layers: `l d_in` in L1, `sqrt(l) d_in` (rounded up) in L2, and `d_in` in both forms of
/// [`LInfDistance`](crate::metrics::LInfDistance), because different bins cause an increase of one node and a decrease
/// of another. The input metric is L1, in which one row counts once. A Euclidean distance between histograms would not
/// be enough, because changes in many bins add up in the nodes above them (Hay, Rastogi, Miklau, Suciu 2010).
///
/// # Errors
///
/// Returns an error if the histogram's length is unknown or 0, if the number of nodes exceeds `usize`, or if the
/// branching is below 2.
///
/// ```
/// use indistinct::prelude::*;
/// let histogram = VectorDomain::new(AtomDomain::i64()).with_size(5);
/// let tree = make_b_ary_tree(histogram, L1Distance::new(), 2, L1Distance::new())?;
/// assert_eq!(tree.invoke(&[1, 2, 3, 4, 5])?, [15, 10, 5, 3, 7, 5, 1, 2, 3, 4, 5]);
/// assert_eq!(tree.map(&1.0)?, 4.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_b_ary_tree<MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<AtomDomain<i64>>,
    input_metric: L1Distance,
    branching: usize,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<AtomDomain<i64>>, VectorDomain<AtomDomain<i128>>, L1Distance, MO>>
where
    (VectorDomain<AtomDomain<i128>>, MO): MetricSpace,
{
    let rule = "the number of bins must be known, and at least one";
    let leaves =
        input_domain.size().filter(|leaves| *leaves >= 1).ok_or_else(|| Error::parameter("input_domain", rule))?;
    let layers = layers(leaves, branching)?;
    let rule = "the number of bins must leave room for a tree: all its nodes must be fewer than 2^64";
    let nodes = number_of_nodes(&layers).ok_or_else(|| Error::parameter("input_domain", rule))?;
    let output_domain = VectorDomain::new(AtomDomain::new()).with_size(nodes);
    // Each leaf counts once in each layer, with one sign.
    let factor = output_metric.length_of(&vec![1.0; layers.len()])?;
    Transformation::<_, _, L1Distance, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::new(move |counts: &[i64]| tree(counts, branching)),
        StabilityMap::new(move |d_in: &f64| Ok(d_in.inf_mul(factor)?)),
    )
}

/// Returns the number of nodes in each layer, from the root down.
pub(crate) fn layers(leaves: usize, branching: usize) -> Fallible<Vec<usize>> {
    require(branching >= 2, "branching", "must be at least 2")?;
    let above = |nodes: &usize| (*nodes > 1).then(|| nodes.div_ceil(branching));
    let mut layers: Vec<usize> = std::iter::successors(Some(leaves), above).collect();
    layers.reverse();
    Ok(layers)
}

/// Returns the number of nodes in all layers, if it fits in a `usize`.
pub(crate) fn number_of_nodes(layers: &[usize]) -> Option<usize> {
    layers.iter().try_fold(0, |nodes: usize, layer| nodes.checked_add(*layer))
}

/// Returns all layers from the root down. The sum of fewer than 2^63 integers of 64 bits fits in 127 bits.
fn tree(counts: &[i64], branching: usize) -> Vec<i128> {
    let mut layers = vec![counts.iter().copied().map(i128::from).collect::<Vec<_>>()];
    while let Some(layer) = layers.last().filter(|layer| layer.len() > 1) {
        layers.push(layer.chunks(branching).map(|children| children.iter().sum()).collect());
    }
    layers.reverse();
    layers.concat()
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn bins(number: usize) -> VectorDomain<AtomDomain<i64>> {
        VectorDomain::new(AtomDomain::i64()).with_size(number)
    }

    #[test]
    fn shapes_and_distances() {
        for (leaves, branching, nodes, layers) in
            [(1, 2, 1, 1.0), (2, 2, 3, 2.0), (9, 3, 13, 3.0), (10, 3, 17, 4.0), (5, 100, 6, 2.0)]
        {
            let tree = make_b_ary_tree(bins(leaves), L1Distance::new(), branching, L1Distance::new()).unwrap();
            assert_eq!((tree.output_domain().size(), tree.map(&1.0)), (Some(nodes), Ok(layers)));
            assert_eq!(tree.invoke(&vec![1; leaves]).unwrap().len(), nodes);
        }
        let tree = make_b_ary_tree(bins(5), L1Distance::new(), 2, L2Distance::new()).unwrap();
        assert_eq!((tree.map(&3.0), tree.map(&0.0)), (Ok(6.0), Ok(0.0)));
        for metric in [LInfDistance::new(), LInfDistance::monotonic()] {
            let tree = make_b_ary_tree(bins(5), L1Distance::new(), 2, metric).unwrap();
            assert_eq!((tree.map(&3.0), tree.map(&0.0)), (Ok(3.0), Ok(0.0)));
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        let tree = make_b_ary_tree(bins(3), L1Distance::new(), 2, L1Distance::new()).unwrap();
        let [root, ..] = tree.invoke(&[i64::MIN; 3]).unwrap()[..] else { panic!("there is a root") };
        assert_eq!(root, 3 * i128::from(i64::MIN));
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |bins, branching| {
            let tree = make_b_ary_tree(bins, L1Distance::new(), branching, L1Distance::new());
            tree.map(|_| ()).map_err(|error| error.kind())
        };
        assert_eq!(kind(bins(3), 1), Err(ErrorKind::Parameter("branching")));
        for bins in [bins(0), VectorDomain::new(AtomDomain::i64())] {
            assert_eq!(kind(bins, 2), Err(ErrorKind::Parameter("input_domain")));
        }
        // More nodes than a number of this machine counts: in a tree, and in its shape.
        for leaves in [usize::MAX, (usize::MAX >> 1) + 2, usize::MAX - 62] {
            assert_eq!(kind(bins(leaves), 2), Err(ErrorKind::Parameter("input_domain")));
            let counts = consistent_b_ary_tree(&[1, 2, 3], leaves, 2);
            assert_eq!(counts.map_err(|error| error.kind()), Err(ErrorKind::Parameter("tree")));
        }
        assert!(make_b_ary_tree(bins(1 << 62), L1Distance::new(), 2, L1Distance::new()).is_ok());
    }
}
