//! `make_randomized_response_bitvec`: releases bits after flipping each of them with a fixed probability.

use super::randomized_response_bool::loss_of_bit;
use crate::{
    core::{Fallible, LossMap, Measurement, PrivacyMap, RandomizedFunction},
    domains::{AtomDomain, VectorDomain},
    measures::{MaxDivergence, PrivacyLossDistribution, losses_of_pair},
    metrics::{HammingDistance, moved},
};
use indistinct_derive::constructor;
use indistinct_sampling::bernoulli;

/// Releases each bit of a vector with a given probability, and otherwise its negation, independently.
///
/// With one bit for each category, of which exactly one is set, this is basic RAPPOR (Erlingsson, Pihur, Korolova
/// 2014), where two values differ in two bits. With a Bloom filter of h hashes, two values differ in up to 2 h bits.
/// [`debias_randomized_response_bitvec`](super::debias_randomized_response_bitvec) estimates how many vectors have each
/// bit set.
///
/// # Parameters
///
/// - `prob`: the probability of each true bit, from 1/2 to 1: `1 - f / 2` for RAPPOR's f.
///
/// # Privacy
///
/// `epsilon = d_in ln(prob / (1 - prob))`, rounded up, for vectors that differ in `d_in` bits.
///
/// # Errors
///
/// Returns an error if the probability is out of range.
///
/// ```
/// use indistinct::prelude::*;
/// let bits = VectorDomain::new(AtomDomain::bool()).with_size(4);
/// let report = make_randomized_response_bitvec(bits, HammingDistance, 0.75)?;
/// assert_eq!(report.invoke(&[false, true, false, false])?.len(), 4);
/// assert!((report.map(&2)? - 2.0 * 3f64.ln()).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_randomized_response_bitvec(
    input_domain: VectorDomain<AtomDomain<bool>>,
    input_metric: HammingDistance,
    prob: f64,
) -> Fallible<Measurement<VectorDomain<AtomDomain<bool>>, Vec<bool>, HammingDistance, MaxDivergence>> {
    let epsilon = loss_of_bit(prob)?;
    let losses = LossMap::new(move |d_in: &u32| match *d_in {
        0 => Ok(PrivacyLossDistribution::none()),
        bits => Ok(losses_of_pair(epsilon, 0.0)?.repeat(bits.into())?),
    });
    let measurement = Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |bits: &[bool], entropy| {
            bits.iter().map(|bit| Ok(bernoulli(prob, entropy)? == *bit)).collect()
        }),
        PrivacyMap::new(move |d_in: &u32| moved(*d_in, epsilon)),
    )?;
    Ok(measurement.with_losses(losses))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_loss_adds_up_over_bits() {
        let bits = || VectorDomain::new(AtomDomain::bool());
        let report = make_randomized_response_bitvec(bits(), HammingDistance, 0.75).unwrap();
        let single =
            make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75).unwrap().map(&1).unwrap();
        assert_eq!((report.map(&0), report.map(&1)), (Ok(0.0), Ok(single)));
        assert!(report.map(&3).unwrap() >= 3.0 * single);
        assert_eq!(
            make_randomized_response_bitvec(bits(), HammingDistance, 1.0)
                .unwrap()
                .accept_infinite_loss()
                .invoke(&[true, false]),
            Ok(vec![true, false])
        );
        for prob in [0.4, 1.2, f64::NAN] {
            let error = make_randomized_response_bitvec(bits(), HammingDistance, prob).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("prob"));
        }
    }
}
