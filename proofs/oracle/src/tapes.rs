//! What the samplers answer on random tapes of bits, one case a line, for `replay.ml` to compare with the models that
//! Coq extracted.

use anyhow::bail;
use clap::ValueEnum;
use indistinct_numeric::gmp::{Integer, Rational};
use indistinct_sampling::{
    Entropy, Error, Fallible, bernoulli,
    gmp::{bernoulli_exp, bernoulli_rational, uniform_below},
    reference,
    testing::BitTape,
    testing::SeededEntropy,
    uniform_below_u64,
};
use std::io::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Sampler {
    UniformBelow,
    UniformBelowU64,
    Bernoulli,
    BernoulliFloat,
    BernoulliExp,
    Geometric,
    DiscreteLaplace,
    DiscreteGaussian,
}

impl Sampler {
    /// Parameters that take few enough bits for a tape: a numerator and a denominator.
    fn parameter(self, source: &mut SeededEntropy) -> Fallible<(u64, u64)> {
        let mut below = |bound: u64| uniform_below_u64(bound, source);
        Ok(match self {
            Self::UniformBelow => {
                let bits = below(21)?;
                (1 + below(1 << bits)?, 1)
            }
            Self::UniformBelowU64 => {
                let bits = below(61)?;
                (1 + below(1 << bits)?, 1)
            }
            Self::Bernoulli => {
                let den = 1 + below(1000)?;
                (below(den + 1)?, den)
            }
            // A float: at most 53 bits above the last place.
            Self::BernoulliFloat => {
                let places = below(61)?;
                (below((1 << places.min(53)) + 1)?, 1 << places)
            }
            Self::BernoulliExp => (below(40)?, 1 + below(30)?),
            Self::Geometric | Self::DiscreteLaplace | Self::DiscreteGaussian => (below(60)?, 1 + below(12)?),
        })
    }

    /// Random bits; for the coin of a float, mostly after digits of its own, without which one round would decide.
    fn tape(self, (num, den): (u64, u64), source: &mut SeededEntropy) -> Fallible<Vec<bool>> {
        let mut tape: Vec<bool> = (0..self.tape_length()).map(|_| source.bit()).collect::<Fallible<_>>()?;
        if self == Self::BernoulliFloat {
            let same = [0, 31, 32, 64].into_iter().nth(source.bits(2)?.try_into().unwrap_or(0)).unwrap_or(0);
            let digits = (u128::from(num) << 64) / u128::from(den);
            tape.iter_mut().zip((0..64).rev()).take(same).for_each(|(bit, place)| *bit = digits >> place & 1 == 1);
        }
        Ok(tape)
    }

    fn tape_length(self) -> u32 {
        match self {
            Self::UniformBelow | Self::Bernoulli => 64,
            Self::BernoulliFloat => 96,
            Self::UniformBelowU64 | Self::BernoulliExp => 160,
            Self::Geometric | Self::DiscreteLaplace => 320,
            Self::DiscreteGaussian => 640,
        }
    }

    fn answer(self, (num, den): (u64, u64), mutant: bool, tape: &mut dyn Entropy) -> Fallible<String> {
        let fraction = Rational::from((num, den));
        Ok(match (self, mutant) {
            (Self::UniformBelow, false) => uniform_below(&num.into(), tape)?.to_string(),
            (Self::UniformBelowU64, false) => uniform_below_u64(num, tape)?.to_string(),
            (Self::BernoulliFloat, false) => bernoulli(fraction.to_f64(), tape)?.to_string(),
            (Self::Bernoulli, false) => bernoulli_rational(&fraction, tape)?.to_string(),
            (Self::BernoulliExp, false) => bernoulli_exp(&fraction, tape)?.to_string(),
            (Self::Geometric, false) => reference::geometric(&fraction, tape)?.to_string(),
            (Self::DiscreteLaplace, false) => reference::discrete_laplace(&fraction, tape)?.to_string(),
            (Self::DiscreteGaussian, false) => reference::discrete_gaussian(&fraction, tape)?.to_string(),
            // `<=` for `<`.
            (Self::UniformBelow, true) => uniform_below(&(num + 1).into(), tape)?.to_string(),
            (Self::UniformBelowU64, true) => uniform_below_u64(num + 1, tape)?.to_string(),
            (Self::BernoulliFloat, true) => {
                (tape.bits(32)? <= u64::try_from((u128::from(num) << 32) / u128::from(den)).unwrap_or(0)).to_string()
            }
            (Self::Bernoulli, true) => (uniform_below(fraction.denom(), tape)? <= *fraction.numer()).to_string(),
            // The parity the wrong way around where the exponent is whole.
            (Self::BernoulliExp, true) => (bernoulli_exp(&fraction, tape)? != fraction.is_integer()).to_string(),
            // The quotient rounded up.
            (Self::Geometric, true) => {
                let size = reference::geometric(&Rational::from(fraction.numer().clone()), tape)?;
                Rational::from((size, fraction.denom().clone())).ceil().to_string()
            }
            // The second zero is not drawn again.
            (Self::DiscreteLaplace, true) => {
                let size = reference::discrete_laplace(&fraction, tape)?;
                if size == 0 && tape.bit()? { Integer::from(1) } else { size }.to_string()
            }
            // The scale's floor, for one more than it.
            (Self::DiscreteGaussian, true) => {
                reference::discrete_gaussian(&Rational::from(fraction.floor_ref()), tape)?.to_string()
            }
        })
    }
}

/// So many tapes for each sampler; the mutant is one with a mistake, which the comparison must catch.
pub(crate) fn print(tapes: u32, mutant: Option<Sampler>, out: &mut impl Write) -> anyhow::Result<()> {
    let mut source = SeededEntropy::new(20_261_121);
    for sampler in Sampler::value_variants() {
        let Some(name) = sampler.to_possible_value() else { bail!("a sampler without a name") };
        for _ in 0..tapes {
            let (num, den) = sampler.parameter(&mut source)?;
            let bits = sampler.tape((num, den), &mut source)?;
            let answer = match sampler.answer((num, den), mutant == Some(*sampler), &mut BitTape::new(&bits)) {
                Err(Error::Entropy) => "?".to_owned(),
                answer => answer?,
            };
            let text: String = bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect();
            writeln!(out, "{} {num} {den} {text} {answer}", name.get_name())?;
        }
    }
    Ok(())
}
