//! The discrete Laplace and discrete Gaussian distributions over all integers, in exact rationals.

use crate::{Entropy, Error, Fallible, Rule, bernoulli::bernoulli_exp, uniform::uniform_below};
use rug::{Integer, Rational};

/// Draws an integer `z >= 0` with probability proportional to `exp(-z / scale)`; always 0 at scale 0.
///
/// This is Algorithm 2 of Canonne, Kamath, Steinke 2020, with `scale = t / s` in lowest terms. `u + t v`, with `u`
/// below `t` kept with probability `exp(-u / t)` and `v` geometric, is geometric with ratio `exp(-1 / t)`; dividing by
/// `s` makes the ratio `exp(-s / t)`.
pub fn geometric(scale: &Rational, entropy: &mut dyn Entropy) -> Fallible<Integer> {
    require_scale(scale)?;
    if *scale == 0 {
        return Ok(Integer::new());
    }
    let (t, s) = (scale.numer(), scale.denom());
    let one = Rational::from(1);
    loop {
        let u = uniform_below(t, entropy)?;
        if !bernoulli_exp(&Rational::from((&u, t)), entropy)? {
            continue;
        }
        let mut v = Integer::new();
        while bernoulli_exp(&one, entropy)? {
            v += 1;
        }
        return Ok((u + t * v) / s);
    }
}

/// Draws an integer `z` with probability proportional to `exp(-|z| / scale)`; always 0 at scale 0.
///
/// The algorithm draws a geometric size and a fair sign, and rejects zero with a minus sign. The expected number of
/// rounds is below four at any scale.
pub fn discrete_laplace(scale: &Rational, entropy: &mut dyn Entropy) -> Fallible<Integer> {
    loop {
        let magnitude = geometric(scale, entropy)?;
        if *scale == 0 {
            return Ok(magnitude);
        }
        let negative = entropy.bit()?;
        if negative && magnitude == 0 {
            continue;
        }
        return Ok(if negative { -magnitude } else { magnitude });
    }
}

/// Draws an integer `z` with probability proportional to `exp(-z^2 / (2 scale^2))`; always 0 at scale 0.
///
/// This is Algorithm 3 of Canonne, Kamath, Steinke 2020: a discrete Laplace draw of scale `t = floor(scale) + 1`, kept
/// with probability `exp(-(|z| - scale^2 / t)^2 / (2 scale^2))`. The expected number of rounds is below two and a half
/// at any scale.
pub fn discrete_gaussian(scale: &Rational, entropy: &mut dyn Entropy) -> Fallible<Integer> {
    require_scale(scale)?;
    if *scale == 0 {
        return Ok(Integer::new());
    }
    let variance = Rational::from(scale.square_ref());
    let t = Rational::from(scale.floor_ref()) + 1u32;
    let center = Rational::from(&variance / &t);
    loop {
        let candidate = discrete_laplace(&t, entropy)?;
        let offset = Rational::from(candidate.abs_ref()) - &center;
        let exponent = offset.square() / &variance / 2u32;
        if bernoulli_exp(&exponent, entropy)? {
            return Ok(candidate);
        }
    }
}

fn require_scale(scale: &Rational) -> Fallible<()> {
    match *scale < 0 {
        true => Err(Error::Parameter(Rule::Scale)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::testing::{SeededEntropy, enumerate};

    /// Probability of `z` when its weight is `weight(z)`, by summation in f64 (the tails beyond 400 are negligible).
    fn probability(weight: impl Fn(f64) -> f64, z: i32) -> f64 {
        let total: f64 = (-400..=400).map(|z| weight(f64::from(z))).sum();
        weight(f64::from(z)) / total
    }

    type Sampler = fn(&Rational, &mut dyn Entropy) -> Fallible<Integer>;
    type Weight = fn(f64, f64) -> f64;
    const LAWS: [(Sampler, Weight); 2] = [
        (discrete_laplace, |z, scale| (-z.abs() / scale).exp()),
        (discrete_gaussian, |z, scale| (-z * z / (2.0 * scale * scale)).exp()),
    ];

    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        for (law, (sampler, weight)) in LAWS.into_iter().enumerate() {
            for scale in [Rational::from((1, 2)), Rational::from(1)] {
                let enumerated = enumerate(18, |entropy| sampler(&scale, entropy)).unwrap();
                assert!(enumerated.undecided < 0.6, "law {law} at {scale}: {}", enumerated.undecided);
                for (z, mass) in &enumerated.mass {
                    let p = probability(|z| weight(z, scale.to_f64()), z.to_i32().unwrap());
                    assert!(
                        *mass <= p + 1e-12 && p <= mass + enumerated.undecided + 1e-12,
                        "law {law}, {z}: {mass}, {p}"
                    );
                }
            }
        }
    }

    /// Largest gap between the empirical and the true distribution function; DKW bounds the chance that it exceeds `g`
    /// by 2 exp(-2 n g^2).
    fn largest_gap(mut draw: impl FnMut() -> i32, draws: u32, weight: impl Fn(f64) -> f64) -> f64 {
        let mut counts = std::collections::BTreeMap::new();
        (0..draws).for_each(|_| *counts.entry(draw()).or_insert(0u32) += 1);
        let (mut seen, mut truth, mut gap) = (0u32, 0.0, 0f64);
        for z in -400..=400 {
            seen += counts.get(&z).copied().unwrap_or(0);
            truth += probability(&weight, z);
            gap = gap.max((f64::from(seen) / f64::from(draws) - truth).abs());
        }
        gap
    }

    #[test]
    fn draws_follow_the_law_and_a_scale_off_by_a_tenth_does_not() {
        // The seed is fixed; for a fresh one the false-alarm rate of this bound would be 1e-9.
        let draws = 40_000;
        let bound = (f64::ln(2e9) / (2.0 * f64::from(draws))).sqrt();
        for (sampler, weight) in LAWS {
            for scale in [0.5, 3.0, 20.25] {
                let mut entropy = SeededEntropy::new(7);
                let exact = Rational::from_f64(scale).unwrap();
                let draw = || sampler(&exact, &mut entropy).unwrap().to_i32().unwrap();
                assert!(largest_gap(draw, draws, |z| weight(z, scale)) < bound, "scale {scale}");
            }
            let exact = Rational::from_f64(20.25 * 1.1).unwrap();
            let mut entropy = SeededEntropy::new(8);
            let draw = || sampler(&exact, &mut entropy).unwrap().to_i32().unwrap();
            assert!(largest_gap(draw, draws, |z| weight(z, 20.25)) > bound, "the test cannot see a tenth");
        }
    }

    #[test]
    fn extreme_scales() {
        let mut entropy = SeededEntropy::new(9);
        for (sampler, _) in LAWS {
            assert_eq!(sampler(&Rational::new(), &mut entropy).unwrap(), 0);
            assert_eq!(sampler(&Rational::from_f64(1e-3).unwrap(), &mut entropy).unwrap(), 0);
            assert_eq!(sampler(&Rational::from_f64(5e-324).unwrap(), &mut entropy).unwrap(), 0);
            let huge = sampler(&Rational::from_f64(1e300).unwrap(), &mut entropy).unwrap();
            assert!(huge.significant_bits() > 900 && huge.significant_bits() < 1010, "{huge}");
            assert!(sampler(&Rational::from(-1), &mut entropy).is_err());
        }
    }
}
