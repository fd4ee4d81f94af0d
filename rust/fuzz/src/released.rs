//! What is done with releases and before them: shares, quantiles, trees made consistent, accuracies, searches for a parameter.

use crate::{Source, record::told};
use indistinct::prelude::*;

pub(crate) fn run(source: &mut Source) {
    match source.below(4) {
        0 => shares(source),
        1 => tree(source),
        2 => accuracies(source),
        _ => searches(source),
    }
}

fn shares(source: &mut Source) {
    let counts = source.several(5, Source::mostly_plain);
    if let Some(shares) = told(cdf_from_counts(&counts)) {
        assert_eq!(shares.len(), counts.len());
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares.is_sorted(), "{shares:?}");
    }
    let (edges, alphas) = (source.rising(6), source.several(3, Source::probability));
    if let Some(quantiles) = told(quantiles_from_counts(&edges, &counts, &alphas)) {
        assert!(quantiles.len() == alphas.len() && quantiles.iter().all(|x| !x.is_nan()), "{quantiles:?}");
    }
}

fn tree(source: &mut Source) {
    let (leaves, branching) = (source.size(), source.size());
    let tree = source.several(15, Source::mostly_plain);
    if let Some(consistent) = told(consistent_b_ary_tree(&tree, leaves, branching)) {
        assert_eq!(consistent.len(), leaves);
        assert!(consistent.iter().all(|x| !x.is_nan()));
    }
}

fn accuracies(source: &mut Source) {
    let (scale, alpha) = (source.mostly_plain(), source.probability());
    let found = [
        told(laplace_accuracy(scale, alpha)),
        told(discrete_laplace_accuracy(scale, alpha)),
        told(gaussian_accuracy(scale, alpha)),
        told(discrete_gaussian_accuracy(scale, alpha)),
        told(laplace_scale(scale, alpha)),
        told(discrete_laplace_scale(scale, alpha)),
        told(gaussian_scale(scale, alpha)),
        told(discrete_gaussian_scale(scale, alpha)),
    ];
    assert!(found.iter().flatten().all(|x| *x >= 0.0), "{found:?} at {scale} {alpha}");
}

fn searches(source: &mut Source) {
    let (d_in, d_out) = (source.word(), source.mostly_plain());
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let make = |scale: f64| space() >> then_count() >> then_laplace(scale);
    if let Some(scale) = told(smallest_scale(make, &d_in, &d_out)) {
        assert!(make(scale).unwrap().check(&d_in, &d_out).unwrap(), "{scale} is not enough");
    }
    let (range, at) = ((source.float(), source.float()), source.float());
    assert!(told(smallest(range, |x: f64| Ok(x >= at))).is_none_or(|x| x >= at));
    assert!(told(largest(range, |x: f64| Ok(x <= at))).is_none_or(|x| x <= at));
    let (range, at) = ((source.word(), source.word()), source.word());
    assert!(told(smallest(range, |x: u32| Ok(x >= at))).is_none_or(|x| x >= at));
    assert!(told(largest(range, |x: u32| Ok(x <= at))).is_none_or(|x| x <= at));
}
