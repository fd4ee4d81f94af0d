//! Values of the Gaussian maps, as goals for Coq, whose certificates `oracle/Gaussian.v` evaluates.
//!
//! A delta is above the real one, and lowered by a part in 10^12 it is below. An inverse has at most the delta that was
//! asked for, and moved by a part in 10^12 to the other side it has more.

use crate::{
    source::Source,
    theorems::{Theorems, number},
};
use anyhow::ensure;
use indistinct::prelude::*;
use indistinct_accounting::{gaussian_mu, gaussian_sigma};
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
    /// So many terms of the series fall below its sum by 250 bits.
    fn terms(&self) -> u32 {
        let mu = self.top / self.bottom;
        let square = (self.epsilon / mu + mu / 2.0).powi(2);
        let (mut bits, mut terms) = (0.0, 0u32);
        while bits < 250.0 || f64::from(2 * terms) <= square {
            terms += 1;
            bits += (f64::from(2 * terms + 1) / square).log2();
        }
        terms
    }

    fn write(&self, name: &str) -> anyhow::Result<String> {
        let numbers = [self.low, self.top, self.bottom, self.epsilon, self.high];
        ensure!(numbers.iter().all(|x| x.is_finite()), "{name}: a certificate is of finite values");
        let numbers = numbers.into_iter().map(number).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(format!("Between {} {}", self.terms(), numbers.join(" ")))
    }
}

fn release(mu: f64) -> anyhow::Result<PrivacyProfile> {
    let noisy = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 1.0)?;
    Ok(make_GDP_to_approxDP(noisy)?.map(&mu)?)
}

/// Epsilons from 1e-3 to 50, and deviations of the loss that leave deltas from 1e-30 to nearly 1; every fifth mu is
/// below the 1e-10 at which the code changes its formula.
fn delta(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
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

/// The value at hand has less than the delta asked for, and the one beyond has more.
fn inverse(delta: f64, claim: impl Fn(f64) -> Claim, value: f64, beyond: f64) -> Vec<Claim> {
    vec![Claim { high: delta, ..claim(value) }, Claim { low: delta, ..claim(value * beyond) }]
}

fn epsilon(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
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
    let (epsilon, delta) = (source.between(1e-3, 50.0)?, source.between(1e-30, 0.9)?);
    let claim = |mu| Claim { low: 0.0, top: mu, bottom: 1.0, epsilon, high: 1.0 };
    Ok(inverse(delta, claim, gaussian_mu(epsilon, delta)?, 1.0 + PART))
}

fn sigma(source: &mut Source) -> anyhow::Result<Vec<Claim>> {
    let (epsilon, delta) = (source.between(1e-3, 50.0)?, source.between(1e-30, 0.9)?);
    let sensitivity = source.positive()?;
    let claim = |sigma| Claim { low: 0.0, top: sensitivity, bottom: sigma, epsilon, high: 1.0 };
    Ok(inverse(delta, claim, gaussian_sigma(sensitivity, epsilon, delta)?, 1.0 - PART))
}

type Map = fn(&mut Source) -> anyhow::Result<Vec<Claim>>;

const MAPS: [(&str, Map); 4] =
    [("make_GDP_to_approxDP", delta), ("gaussian_epsilon", epsilon), ("gaussian_mu", mu), ("gaussian_sigma", sigma)];

/// The maps' names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MAPS.iter().map(|(name, _)| *name)
}

/// Coq's file: of each map so many values.
pub(crate) fn print(values: u32, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "Require Import List NArith ZArith. Import ListNotations. From DP Require Import Oracle.Gaussian.")?;
    let mut source = Source::new(11);
    for (name, map) in MAPS {
        let mut theorems = Theorems::new(name, "claim");
        for _ in 0..values {
            for claim in map(&mut source)? {
                theorems.push(claim.write(name)?);
            }
        }
        theorems.write("Forall is_between", out)?;
    }
    Ok(())
}
