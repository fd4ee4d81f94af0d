//! The distributions of samplers, on every tape of bits that matters: the vectors of `samplers.json` to their last
//! digit. Beside each, a sampler as one writes it first is run on the same tapes, and its distribution is another.

use indistinct::{
    numeric::{
        enclosure::{Bounds, Enclosure},
        gmp::{Integer, Rational},
    },
    sampling::{
        Entropy, Error, Fallible, IntegerNoise,
        gmp::{bernoulli_exp, bernoulli_rational, uniform_below},
        testing::enumerate,
    },
};
use indistinct_audit::{
    key::Seen,
    law::Law,
    tape::{self, Probing},
};
use indistinct_tests::{decimal, fraction, vectors};
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;

/// The vectors of one family, with their masses: the outcome and its probability.
fn family(prefix: &str) -> Vec<(String, Value, Vec<(i64, Rational)>)> {
    let named = vectors("samplers").into_iter().filter(|(name, _)| name.starts_with(prefix));
    let cases: Vec<_> = named
        .map(|(name, vector)| {
            let masses = vector["pmf"].as_object().unwrap().iter();
            let masses = masses.map(|(outcome, mass)| (outcome.parse().unwrap(), decimal(mass))).collect();
            (name, vector, masses)
        })
        .collect();
    assert!(!cases.is_empty(), "{prefix}");
    cases
}

fn parameter(vector: &Value, name: &str) -> Rational {
    fraction(&vector["params"][name])
}

/// The distribution of a sampler of tables: what the first 128 digits decide.
fn law(draw: impl Fn(&mut dyn Entropy) -> Fallible<i64>) -> Law {
    let probing = Probing::default().with_requests(3);
    tape::enumerate(probing, &mut |entropy| Ok(draw(entropy)?.key())).unwrap().law
}

/// Whether every mass of a vector is, to 1e-14 of it, one that the distribution may have; what is undecided is far
/// below the least of them.
fn agrees(law: &Law, masses: &[(i64, Rational)]) -> bool {
    let undecided = law.undecided().upper();
    masses.iter().all(|(outcome, mass)| {
        let (Bounds { lower, upper }, mass) = (law.mass(&outcome.key()).bounds(), mass.to_f64());
        lower <= mass * (1.0 + 1e-14) && mass * (1.0 - 1e-14) <= upper + undecided && undecided < mass * 1e-9
    })
}

/// A geometric size and a fair sign, where zero comes with both.
fn with_two_zeros(scale: Rational) -> Law {
    let size = IntegerNoise::geometric(scale).unwrap();
    law(|entropy| {
        let size = size.draw_i64(entropy)?;
        Ok(if entropy.bit()? { -size } else { size })
    })
}

#[test]
fn discrete_laplace_vectors() {
    for (name, vector, masses) in family("discrete_laplace") {
        let scale = parameter(&vector, "s");
        let noise = IntegerNoise::laplace(scale.clone()).unwrap();
        assert!(agrees(&law(|entropy| noise.draw_i64(entropy)), &masses), "{name}");
        let control = with_two_zeros(scale);
        assert!(!agrees(&control, &masses), "{name}: no power");
    }
}

#[test]
fn mass_at_zero_sign() {
    let (_, vector, masses) = family("mass_at_zero_sign").remove(0);
    let noise = IntegerNoise::laplace(parameter(&vector, "s")).unwrap();
    assert!(agrees(&law(|entropy| noise.draw_i64(entropy)), &masses));
    let control = with_two_zeros(parameter(&vector, "s"));
    assert!(!agrees(&control, &masses) && agrees(&control, &[(0, decimal(&vector["naive"]["double count of zero"]))]));
}

/// The negative control rounds a normal number.
#[test]
fn discrete_gaussian_vectors() {
    for (name, vector, masses) in family("discrete_gaussian") {
        // The scale's square is a square.
        let scale = parameter(&vector, "sigma2").to_f64().sqrt();
        assert_eq!(Rational::from_f64(scale).unwrap().square(), parameter(&vector, "sigma2"));
        let noise = IntegerNoise::gaussian(scale).unwrap();
        assert!(agrees(&law(|entropy| noise.draw_i64(entropy)), &masses), "{name}");
        let normal = Normal::new(0.0, scale).unwrap();
        let control = law(|entropy| {
            let uniform = (f64::from(u32::try_from(entropy.bits(32)?).unwrap()) + 0.5) / 2f64.powi(32);
            Ok(format!("{:.0}", normal.inverse_cdf(uniform)).parse().unwrap())
        });
        assert!(!agrees(&control, &masses), "{name}: no power");
    }
}

/// The bounds of the probability of true, on tapes of so many bits: what they decide, and that with what they do not.
fn truth(depth: usize, coin: impl Fn(&mut dyn Entropy) -> Fallible<bool>) -> (f64, f64) {
    let law = enumerate(depth, |entropy| coin(entropy)).unwrap();
    let decided = law.mass.get(&true).copied().unwrap_or(0.0);
    (decided, decided + law.undecided)
}

/// The masses close in on the vector's from both sides. The negative control is a coin of three terms of the series.
#[test]
fn bernoulli_exp_vectors() {
    for (name, vector, masses) in family("bernoulli_exp") {
        let (x, mass) = (parameter(&vector, "gamma"), masses[0].1.to_f64());
        let mut width = 1.0;
        for depth in [8, 16, 24, 28] {
            let (low, high) = truth(depth, |entropy| bernoulli_exp(&x, entropy));
            assert!(low <= mass && mass <= high && high - low <= width, "{name}: {low} {high}");
            width = high - low;
        }
        assert!(width < 4e-3, "{name}: {width}");
        let series = Rational::from(1) - &x + x.clone().square() / 2u32;
        let cut = series.min(Rational::from(1));
        let first = (cut << 24u32).floor().numer().to_u64().unwrap();
        let control = law(|entropy| Ok(i64::from(entropy.bits(24)? < first)));
        let Bounds { lower: low, upper: high } = control.mass(&1i64.key()).bounds();
        assert!(control.undecided().upper() == 0.0);
        assert!(high < mass || low > mass, "{name}: no power, {low} {high}");
    }
}

/// Coins of a fraction: what is undecided after some rounds is the mass of their rejections, and what is decided the
/// fraction of the rest.
#[test]
fn bernoulli_rational_vectors() {
    for (name, vector, masses) in family("bernoulli_rational") {
        let p = parameter(&vector, "p");
        assert!((p.clone() - &masses[0].1).abs() < Rational::from((1, 10u64.pow(18))) / 10u64.pow(18), "{name}");
        if *p.denom() == 3 {
            for round in 1..=10 {
                let law = enumerate(2 * round, |entropy| bernoulli_rational(&p, entropy)).unwrap();
                let undecided = 0.25f64.powi(i32::try_from(round).unwrap());
                assert_eq!(law.undecided, undecided, "{name}");
                // Thirds of 1 - 4^-n, which are binary fractions.
                let decided = Rational::from_f64(1.0 - undecided).unwrap() * &p;
                assert_eq!(Rational::from_f64(law.mass[&true]), Some(decided), "{name}");
            }
            // The negative control takes a remainder of sixteen bits, and is a little off at every depth.
            let control = enumerate(20, |entropy| Ok(*p.numer() > entropy.bits(16)? % 3)).unwrap();
            assert!(
                control.undecided == 0.0 && Rational::from_f64(control.mass[&true]).unwrap() != p,
                "{name}: no power"
            );
        } else {
            // One word, without rejection: true for words below the numerator, and for no other.
            let numerator = p.numer().to_u64().unwrap();
            assert_eq!(*p.denom(), Integer::from(1) << 64u32);
            let toss = |word: u64| bernoulli_rational(&p, &mut Word(Some(word)));
            assert_eq!(
                [toss(0), toss(numerator - 1), toss(numerator), toss(u64::MAX)],
                [Ok(true), Ok(true), Ok(false), Ok(false)]
            );
            // The negative control compares floats: the last of the words that are true is lost.
            let float = |word: u64| Rational::from(word).to_f64() / 2f64.powi(64) < p.to_f64();
            assert!(!float(numerator - 1) && toss(numerator - 1) == Ok(true), "no power");
        }
    }
}

/// One word, for one request.
struct Word(Option<u64>);

impl Entropy for Word {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        self.0.take().map(|word| word >> (64 - count)).ok_or(Error::Entropy)
    }
}

/// Every value below n has the same mass at every depth, and what is not decided was rejected. The negative control
/// takes remainders.
#[test]
fn uniform_int_no_modulo_bias() {
    for n in vectors("samplers")["uniform_int_no_modulo_bias"]["params"]["n"].as_array().unwrap() {
        let n: u64 = n.as_str().unwrap().parse().unwrap();
        let bits = 64 - (n - 1).leading_zeros();
        let draw = |entropy: &mut dyn Entropy| uniform_below(&Integer::from(n), entropy).map(|z| z.to_u64().unwrap());
        if n < 1 << 10 {
            for depth in [10, 12, 18] {
                let law = enumerate(depth, draw).unwrap();
                let first = law.mass.values().next().copied().unwrap_or_default();
                assert!(law.mass.values().all(|mass| *mass == first), "{n} {depth}");
                assert!((law.undecided + law.mass.values().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            let mut control: BTreeMap<u64, u32> = BTreeMap::new();
            (0..1u64 << 16).for_each(|word| *control.entry(word % n).or_insert(0) += 1);
            assert!(control.values().any(|count| *count != control[&0]), "{n}: no power");
        } else {
            // Too many to list: a word below n is the outcome, any other is rejected, so that each has the mass of one
            // word.
            let of = |word: u64| draw(&mut Word(Some(word << (64 - bits))));
            for word in (0..63).map(|digit| n >> digit).chain([0, 1, n - 2, n - 1, n, n + 1, (1 << bits) - 1]) {
                assert_eq!(of(word), if word < n { Ok(word) } else { Err(Error::Entropy) }, "{word}");
            }
            // Of the words whose remainder is 0 there is one more than of those whose remainder is 1.
            let words = |remainder: u64| (u64::MAX - remainder) / n + 1;
            assert!(words(0) == words(1) + 1, "{n}: no power");
        }
    }
}
