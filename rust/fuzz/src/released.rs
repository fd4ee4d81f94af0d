//! What is done with releases and before them: shares, quantiles, trees made consistent, estimates from responses,
//! accuracies, searches for a parameter.

use crate::{Source, record::told};
use indistinct::{
    prelude::*,
    search::{largest, smallest},
};

pub(crate) fn run(source: &mut Source) {
    match source.below(5) {
        0 => shares(source),
        1 => tree(source),
        2 => estimates(source),
        3 => accuracies(source),
        _ => searches(source),
    }
}

fn shares(source: &mut Source) {
    let counts = source.several(5, Source::mostly_plain);
    if let Some(shares) = told(cdf_from_counts(&counts)) {
        assert_eq!(shares.len(), counts.len());
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares.is_sorted(), "{shares:?}");
        assert_eq!(shares.last(), Some(&1.0), "{counts:?}");
    }
    let (edges, alphas) = (source.rising(6), source.several(3, Source::probability));
    let alphas = sorted(alphas);
    if let Some(quantiles) = told(quantiles_from_counts(&edges, &counts, &alphas)) {
        assert!(quantiles.len() == alphas.len() && quantiles.is_sorted(), "{quantiles:?}");
        let (least, greatest) = (edges[0], edges[edges.len() - 1]);
        assert!(quantiles.iter().all(|x| (least..=greatest).contains(x)), "{quantiles:?}");
    }
}

fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn estimates(source: &mut Source) {
    let prob = source.probability();
    let (categories, reports) = (source.several(5, Source::integer), source.several(20, Source::integer));
    if let Some(estimates) = told(debias_randomized_response(&reports, &categories, prob)) {
        sums_to(&estimates, &reports);
        assert_eq!(estimates.len(), categories.len());
    }
    let bits: Vec<bool> = reports.iter().map(|report| report % 2 == 0).collect();
    if let Some(estimate) = told(debias_randomized_response_bool(&bits, prob)) {
        let vectors: Vec<Vec<bool>> = bits.iter().map(|bit| vec![*bit, !bit]).collect();
        let of_vectors = debias_randomized_response_bitvec(&vectors, prob).unwrap();
        assert!(of_vectors.is_empty() || of_vectors[0] == estimate, "{of_vectors:?} {estimate}");
        if !bits.is_empty() {
            sums_to(&of_vectors, &reports);
        }
    }
}

/// Whether these estimates are finite, and sum to the number of reports but for the rounding of each.
fn sums_to<T>(estimates: &[f64], reports: &[T]) {
    let size = estimates.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let number = f64::from(u32::try_from(reports.len()).unwrap());
    assert!((estimates.iter().sum::<f64>() - number).abs() <= 1e-14 * size, "{estimates:?} of {number}");
}

fn tree(source: &mut Source) {
    let (leaves, branching) = (source.size(), source.size());
    let tree = source.several(15, Source::mostly_plain);
    if let Some(consistent) = told(consistent_b_ary_tree(&tree, leaves, branching)) {
        assert_eq!(consistent.len(), leaves);
        assert!(consistent.iter().all(|x| x.is_finite()), "{consistent:?}");
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
