//! Sums of terms, each of which is multiplied by one number from node to node, to many digits: for the first nodes of a
//! contour, where most of what is summed cancels.

use crate::pld::loss::complex::{Complex, PreciseComplex};

/// What a point weighs, and what that is multiplied by from node to node.
#[derive(Clone, Copy)]
pub(crate) struct PreciseTerm {
    pub(crate) at: PreciseComplex,
    pub(crate) step: PreciseComplex,
}

/// The sums of all terms at so many nodes.
pub(crate) fn precise_sums(terms: &[PreciseTerm], count: usize) -> Option<Vec<PreciseComplex>> {
    let mut sums = vec![PreciseComplex::zero(); count];
    for PreciseTerm { at, step } in terms {
        let values = by_halves(*at, *step, count)?;
        sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum = sum.add(value));
    }
    Some(sums)
}

/// The powers of a number, from the zeroth on.
pub(crate) fn precise_powers(base: PreciseComplex, count: usize) -> Option<Vec<PreciseComplex>> {
    by_halves(PreciseComplex::one(), base, count)
}

/// A number times the powers of another: each is a product of two that are half as far, as what a product is off by in
/// either part may be up to the root of two times as much as what its factors are.
fn by_halves(at: PreciseComplex, step: PreciseComplex, count: usize) -> Option<Vec<PreciseComplex>> {
    let product = |first: &[PreciseComplex], second: &[PreciseComplex], n: usize| {
        Some(first.get(n / 2)?.mul(second.get(n - n / 2)?))
    };
    let mut powers = vec![PreciseComplex::one(), step];
    for n in 2..=count / 2 {
        powers.push(product(&powers, &powers, n)?);
    }
    let mut found = vec![at];
    for n in 1..count {
        found.push(product(&found, &powers, n)?);
    }
    found.truncate(count);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::loss::complex::tests::{at, width_around};
    use indistinct_numeric::enclosure::{Ball, Enclosure};
    use rug::{Float, ops::Pow};

    /// A thousand steps leave nearly as many digits as one, on the circle and where a term falls.
    #[test]
    fn sums_contain_the_truth_closely() {
        for (size, turns) in [(1.0, 0.01), (1.0, 0.123), (0.99, 0.37), (0.2, 0.6), (1.0, 0.0)] {
            let step = PreciseComplex::on_circle(&Ball::exact(turns)).scale(&Ball::exact(size));
            let term = PreciseTerm { at: PreciseComplex::real(&Ball::exact(0.75)), step };
            for count in [0, 1, 2, 3, 4, 5, 97, 1000] {
                let (sums, powers) =
                    (precise_sums(&[term, term], count).unwrap(), precise_powers(step, count).unwrap());
                assert_eq!((sums.len(), powers.len()), (count, count));
                for (n, (sum, power)) in (0u32..).zip(sums.iter().zip(&powers)) {
                    let falls = Float::with_val(300, size).pow(n);
                    let turned = Float::with_val(300, turns) * n;
                    let widths = [
                        width_around(sum, &at(&(falls.clone() * 1.5), &turned)),
                        width_around(power, &at(&falls, &turned)),
                    ];
                    assert!(widths.iter().all(|width| *width < 1e-25), "{size} {turns} {n}: {widths:?}");
                }
            }
        }
    }
}
