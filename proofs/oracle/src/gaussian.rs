//! Values of the Gaussian maps, as goals for Coq, whose certificates `oracle/Gaussian.v` evaluates.
//!
//! A delta is above the real one, and lowered by a part in 10^12 it is below. An inverse has at most the delta that was
//! asked for, and moved by a part in 10^12 to the other side it has more. Some are of parameters of all sizes, as far
//! as exponentials of epsilon have digits to subtract, and moved only where they are not too small for that.

use crate::{
    source::Source,
    theorems::{Theorems, number},
};
use anyhow::ensure;
use indistinct::prelude::*;
use indistinct_accounting::{Delta, Epsilon, gaussian_mu, gaussian_sigma};
use std::io::Write;

/// How far a value may be from the real one.
const PART: f64 = 1e-12;

/// The delta of sensitivity `top` over standard deviation `bottom` is between two floats.
struct Claim {
    low: f64,
    top: f64,
    bottom: f64,
    epsilon: f64,
    high: f64,
}

impl Claim {
    /// So many bits that the difference of both terms of delta has its first digits: one is a number near 1 or 0, the
    /// other `e^epsilon` times such a number.
    fn digits(&self) -> u32 {
        let delta = if self.low > 0.0 { self.low } else { self.high };
        let needed = 80.0 + self.epsilon * std::f64::consts::LOG2_E - delta.log2();
        let mut digits = 280;
        while f64::from(digits) < needed {
            digits += 1;
        }
        digits
    }

    /// So many terms of the series fall below its sum by all bits but 30.
    fn terms(&self, digits: u32) -> u32 {
        let mu = self.top / self.bottom;
        let square = (self.epsilon / mu + mu / 2.0).powi(2);
        let (mut bits, mut terms) = (0.0, 0u32);
        while bits < f64::from(digits) - 30.0 || f64::from(2 * terms) <= square {
            terms += 1;
            bits += (f64::from(2 * terms + 1) / square).log2();
        }
        terms
    }

    fn write(&self, name: &str) -> anyhow::Result<String> {
        let numbers = [self.low, self.top, self.bottom, self.epsilon, self.high];
        ensure!(numbers.iter().all(|x| x.is_finite()), "{name}: a certificate is of finite values");
        let numbers = numbers.into_iter().map(number).collect::<anyhow::Result<Vec<_>>>()?;
        let digits = self.digits();
        Ok(format!("Between {digits} {} {}", self.terms(digits), numbers.join(" ")))
    }
}

fn release(mu: f64) -> anyhow::Result<PrivacyProfile> {
    let noisy = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 1.0)?;
    Ok(make_GDP_to_approxDP(noisy)?.map(&mu)?)
}

/// Epsilons from 1e-3 to 50, and deviations of the loss that leave deltas from 1e-30 to nearly 1; every fifth mu is
/// below the 1e-10 at which the code changes its formula.
fn delta(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
    if source.is_wide() {
        let (mu, epsilon) = pair_of_any_size(source)?;
        let high = release(mu)?.delta(epsilon)?;
        let low = if high < NEARLY_LEAST { ANY } else { high * (1.0 - PART) };
        return Ok(vec![Claim { low, top: mu, bottom: 1.0, epsilon, high }]);
    }
    let (mu, epsilon) = if source.below(5)? == 0 {
        let mu = source.between(1e-15, 1e-10)?;
        (mu, mu * source.between(0.01, 10.0)?)
    } else {
        let (epsilon, deviations) = (source.between(1e-3, 50.0)?, f64::from(source.below(1400)?) / 100.0 - 3.0);
        (deviations.hypot((2.0 * epsilon).sqrt()) - deviations, epsilon)
    };
    let high = release(mu)?.delta(epsilon)?;
    Ok(vec![Claim { low: high * (1.0 - PART), top: mu, bottom: 1.0, epsilon, high }])
}

/// From here on down, floats are too far apart for a part in 10^12, or nearly so.
const NEARLY_LEAST: f64 = 1e-290;
/// Below every delta.
const ANY: f64 = -1.0;
/// No epsilon is above this where parameters are of all sizes: a bit of it is one of the digits.
const MOST: f64 = 700.0;

fn positive_epsilon(source: &mut Source) -> anyhow::Result<f64> {
    if source.below(4)? == 0 { source.between(50.0, MOST) } else { source.between(1e-300, MOST) }
}

/// A mu and an epsilon whose delta is below 0.999, and above 1e-300 unless mu is small; mus down to the least float.
fn pair_of_any_size(source: &mut Source) -> anyhow::Result<(f64, f64)> {
    if source.below(4)? == 0 {
        let mu = if source.below(2)? == 0 { f64::from_bits(1) } else { f64::MIN_POSITIVE.next_down() };
        return Ok((mu, mu * f64::from(source.below(30)?)));
    }
    if source.below(6)? == 0 {
        return Ok((source.between(1e-300, 6.0)?, 0.0));
    }
    let (epsilon, deviations) = (positive_epsilon(source)?, f64::from(source.below(3900)?) / 100.0 - 3.0);
    let length = deviations.hypot((2.0 * epsilon).sqrt());
    let mu = if deviations > 0.0 { 2.0 * (epsilon / (deviations + length)) } else { length - deviations };
    Ok((mu, epsilon))
}

/// An epsilon, 0 among them, and a delta, the least float among them.
fn budget_of_any_size(source: &mut Source) -> anyhow::Result<(f64, f64)> {
    let epsilon = if source.below(6)? == 0 { 0.0 } else { positive_epsilon(source)? };
    let delta = if source.below(4)? == 0 { f64::from_bits(1) } else { source.between(1e-300, 0.9)? };
    Ok((epsilon, delta))
}

/// Both claims, or the first alone where the parameters are too small for the second.
fn inverse_of_any_size(budget: (f64, f64), claims: Vec<Claim>) -> Vec<Claim> {
    let is_tight = budget.0 >= 1e-9 && budget.1 >= NEARLY_LEAST;
    claims.into_iter().take(if is_tight { 2 } else { 1 }).collect()
}

/// The value at hand has less than the delta asked for, and the one beyond has more.
fn inverse(delta: f64, claim: impl Fn(f64) -> Claim, value: f64, beyond: f64) -> Vec<Claim> {
    vec![Claim { high: delta, ..claim(value) }, Claim { low: delta, ..claim(value * beyond) }]
}

fn epsilon(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
    if source.is_wide() {
        let (mu, (_, delta)) = (source.between(1e-300, 30.0)?, budget_of_any_size(source)?);
        let epsilon = release(mu)?.epsilon(delta)?;
        ensure!(epsilon <= MOST, "no goal for so many digits");
        let claim = |epsilon| Claim { low: ANY, top: mu, bottom: 1.0, epsilon, high: 1.0 };
        return Ok(inverse_of_any_size((epsilon, delta), inverse(delta, claim, epsilon, 1.0 - PART)));
    }
    loop {
        let (mu, delta) = (source.between(1e-3, 10.0)?, source.between(1e-30, 0.9)?);
        let epsilon = release(mu)?.epsilon(delta)?;
        if (1e-3..50.0).contains(&epsilon) {
            let claim = |epsilon| Claim { low: 0.0, top: mu, bottom: 1.0, epsilon, high: 1.0 };
            return Ok(inverse(delta, claim, epsilon, 1.0 - PART));
        }
    }
}

fn mu(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
    if source.is_wide() {
        let (epsilon, delta) = budget_of_any_size(source)?;
        let mu = gaussian_mu(Epsilon(epsilon), Delta(delta))?;
        ensure!(mu > 0.0, "no mu is as small");
        let claim = |mu| Claim { low: ANY, top: mu, bottom: 1.0, epsilon, high: 1.0 };
        return Ok(inverse_of_any_size((epsilon, delta), inverse(delta, claim, mu, 1.0 + PART)));
    }
    let (epsilon, delta) = (source.between(1e-3, 50.0)?, source.between(1e-30, 0.9)?);
    let claim = |mu| Claim { low: 0.0, top: mu, bottom: 1.0, epsilon, high: 1.0 };
    Ok(inverse(delta, claim, gaussian_mu(Epsilon(epsilon), Delta(delta))?, 1.0 + PART))
}

fn sigma(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
    if source.is_wide() {
        let ((epsilon, delta), sensitivity) = (budget_of_any_size(source)?, source.positive()?);
        let sigma = gaussian_sigma(sensitivity, Epsilon(epsilon), Delta(delta))?;
        ensure!(sigma.is_finite(), "more noise than there is");
        let claim = |sigma| Claim { low: ANY, top: sensitivity, bottom: sigma, epsilon, high: 1.0 };
        let least = if sigma < NEARLY_LEAST { 0.0 } else { delta };
        return Ok(inverse_of_any_size((epsilon, least), inverse(delta, claim, sigma, 1.0 - PART)));
    }
    let (epsilon, delta) = (source.between(1e-3, 50.0)?, source.between(1e-30, 0.9)?);
    let sensitivity = source.positive()?;
    let claim = |sigma| Claim { low: 0.0, top: sensitivity, bottom: sigma, epsilon, high: 1.0 };
    Ok(inverse(delta, claim, gaussian_sigma(sensitivity, Epsilon(epsilon), Delta(delta))?, 1.0 - PART))
}

type Map = fn(&mut Source) -> anyhow::Result<Vec<Claim>>;

const MAPS: [(&str, Map); 4] =
    [("make_GDP_to_approxDP", delta), ("gaussian_epsilon", epsilon), ("gaussian_mu", mu), ("gaussian_sigma", sigma)];

/// The maps' names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MAPS.iter().map(|(name, _)| *name)
}

/// Coq's file: of each map so many values, and so many goals at parameters of all sizes.
pub(crate) fn print(values: u32, extreme: usize, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "Require Import List NArith ZArith. Import ListNotations. From DP Require Import Oracle.Gaussian.")?;
    let mut source = Source::new(11);
    for (name, map) in MAPS {
        let mut theorems = Theorems::new(name, "claim");
        for _ in 0..values {
            for claim in map(&mut source)? {
                theorems.push(claim.write(name)?);
            }
        }
        source.widen(true);
        let (mut claims, mut tries) = (Vec::new(), 0);
        while claims.len() < extreme {
            tries += 1;
            ensure!(tries <= 100 * extreme, "{name}: at parameters of all sizes it hardly ever has a value");
            claims.extend(map(&mut source).unwrap_or_default());
        }
        source.widen(false);
        for claim in claims.into_iter().take(extreme) {
            theorems.push(claim.write(name)?);
        }
        theorems.write("Forall is_between", out)?;
    }
    Ok(())
}
