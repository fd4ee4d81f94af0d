//! Values of the maps, as goals for Coq: the value is not below the real one, and above it by rounding at most. A value
//! that is lower by a part in 10^13 must be below the real one.

use anyhow::ensure;
use indistinct::prelude::*;
use indistinct_numeric::{Dyadic, Integer};
use indistinct_sampling::{testing::SeededEntropy, uniform_below};
use std::io::Write;

/// A value of a map, and the real value as Coq reads it.
struct Certificate {
    value: f64,
    /// The real value is the greatest of these.
    real: Vec<String>,
}

/// Random parameters.
struct Source(SeededEntropy);

impl Source {
    fn below(&mut self, bound: u32) -> anyhow::Result<u32> {
        let drawn = uniform_below(&Integer::from(bound), &mut self.0)?;
        Ok(drawn.to_u32().unwrap_or(0))
    }

    /// A positive number with all its bits, from `2^-20` to `2^20`.
    fn positive(&mut self) -> anyhow::Result<f64> {
        let (high, low) = (self.below(u32::MAX)?, self.below(u32::MAX)?);
        let fraction = 1.0 + (f64::from(high) + f64::from(low) / 2f64.powi(32)) / 2f64.powi(32);
        Ok(fraction * 2f64.powi(i32::try_from(self.below(40)?)? - 20))
    }

    fn number(&mut self) -> anyhow::Result<f64> {
        let size = self.positive()?;
        Ok(if self.below(2)? == 0 { size } else { -size })
    }

    fn bounds(&mut self) -> anyhow::Result<(f64, f64)> {
        let (x, y) = (self.number()?, self.number()?);
        Ok((x.min(y), x.max(y)))
    }

    fn rows(&mut self) -> anyhow::Result<u32> {
        Ok(1 + self.below(1000)?)
    }
}

/// A float, exactly.
fn literal(x: f64) -> anyhow::Result<String> {
    let x = Dyadic::from_f64(x)?;
    let power = format!("2 ^ {}", x.exponent().unsigned_abs());
    Ok(format!("(IZR ({}) {} {power})", x.mantissa(), if x.exponent() < 0 { "/" } else { "*" }))
}

fn laplace(source: &mut Source) -> anyhow::Result<Certificate> {
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let value = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale)?.map(&d_in)?;
    Ok(Certificate { value, real: vec![format!("{} / {}", literal(d_in)?, literal(scale)?)] })
}

fn gaussian(source: &mut Source) -> anyhow::Result<Certificate> {
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let value =
        make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale)?.map(&d_in)?;
    Ok(Certificate { value, real: vec![format!("({} / {}) ^ 2 / 2", literal(d_in)?, literal(scale)?)] })
}

fn composition(source: &mut Source) -> anyhow::Result<Certificate> {
    let parts = (0..1 + source.below(9)?)
        .map(|_| Ok(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), source.positive()?)?))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let losses = parts.iter().map(|part| literal(part.map(&1.0)?)).collect::<anyhow::Result<Vec<_>>>()?;
    let value = make_composition(parts)?.map(&1.0)?;
    Ok(Certificate { value, real: vec![losses.join(" + ")] })
}

fn sum(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in) = (source.bounds()?, source.rows()?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?);
    let (l, u) = (literal(bounds.0)?, literal(bounds.1)?);
    Ok(match source.below(3)? {
        0 => Certificate {
            value: make_sum(rows, SymmetricDistance)?.map(&d_in)?,
            real: vec![format!("{d_in} * Rabs {l}"), format!("{d_in} * Rabs {u}")],
        },
        1 => Certificate {
            value: make_sum(rows.with_size(7), InsertDeleteDistance)?.map(&(2 * d_in + 1))?,
            real: vec![format!("{d_in} * ({u} - {l})")],
        },
        _ => Certificate {
            value: make_sum(rows, ChangeOneDistance)?.map(&d_in)?,
            real: vec![format!("{d_in} * ({u} - {l})")],
        },
    })
}

fn count_by_categories(source: &mut Source) -> anyhow::Result<Certificate> {
    let (rows, d_in) = (VectorDomain::new(AtomDomain::u32()), source.rows()?);
    let (list, unknown) = (vec![1, 2], UnknownCategories::Drop);
    Ok(match source.below(4)? {
        0 => Certificate {
            value: make_count_by_categories(rows, HammingDistance, list, unknown, L1Distance::new())?.map(&d_in)?,
            real: vec![format!("{d_in} * 2")],
        },
        1 => Certificate {
            value: make_count_by_categories(rows, ChangeOneDistance, list, unknown, LInfDistance::new())?.map(&d_in)?,
            real: vec![format!("{d_in}")],
        },
        2 => Certificate {
            value: make_count_by_categories(rows, HammingDistance, list, unknown, LInfDistance::monotonic())?
                .map(&d_in)?,
            real: vec![format!("{d_in} * 2")],
        },
        _ => Certificate {
            value: make_count_by_categories(rows, ChangeOneDistance, list, unknown, L2Distance::new())?.map(&d_in)?,
            real: vec![format!("{d_in} * sqrt 2")],
        },
    })
}

fn sum_by_categories(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in) = (source.bounds()?, source.rows()?);
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds(bounds)?));
    let (l, u, list, unknown) = (literal(bounds.0)?, literal(bounds.1)?, vec![1, 2], UnknownCategories::Drop);
    let (within, apart) =
        (format!("{d_in} * ({u} - {l})"), |factor| [&l, &u].map(|bound| format!("{d_in} * ({factor} * Rabs {bound})")));
    Ok(match source.below(5)? {
        0 => Certificate {
            value: make_sum_by_categories(rows, SymmetricDistance, list, unknown, L2Distance::new())?.map(&d_in)?,
            real: apart("1").to_vec(),
        },
        1 => Certificate {
            value: make_sum_by_categories(rows, HammingDistance, list, unknown, L1Distance::new())?.map(&d_in)?,
            real: [apart("2").to_vec(), vec![within]].concat(),
        },
        2 => Certificate {
            value: make_sum_by_categories(rows, HammingDistance, list, unknown, LInfDistance::new())?.map(&d_in)?,
            real: [apart("1").to_vec(), vec![within]].concat(),
        },
        3 => Certificate {
            value: make_sum_by_categories(rows, ChangeOneDistance, list, unknown, LInfDistance::monotonic())?
                .map(&d_in)?,
            real: [apart("2").to_vec(), vec![within]].concat(),
        },
        _ => Certificate {
            value: make_sum_by_categories(rows, ChangeOneDistance, list, unknown, L2Distance::new())?.map(&d_in)?,
            real: [apart("sqrt 2").to_vec(), vec![within]].concat(),
        },
    })
}

/// A pure loss, and the measurement that has it at distance 1.
type Pure = (f64, Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MaxDivergence>);

fn pure(scale: f64) -> anyhow::Result<Pure> {
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale)?;
    Ok((noisy.map(&1.0)?, noisy))
}

fn bounded_range_to_zcdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let scores = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let select = make_exponential(scores, LInfDistance::new(), RangeDivergence, scale)?;
    let eta = literal(select.map(&d_in)?)?;
    let value = make_bounded_range_to_zCDP(select)?.map(&d_in)?;
    Ok(Certificate { value, real: vec![format!("{eta} ^ 2 / 8")] })
}

fn pure_to_bounded_range(source: &mut Source) -> anyhow::Result<Certificate> {
    let (epsilon, noisy) = pure(source.positive()?)?;
    let value = make_pureDP_to_bounded_range(noisy)?.map(&1.0)?;
    Ok(Certificate { value, real: vec![format!("2 * {}", literal(epsilon)?)] })
}

/// Losses up to 32: of greater ones the hyperbolic tangent is 1 to all digits.
fn pure_to_zcdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let (epsilon, noisy) = pure(source.positive()?.max(1.0 / 32.0))?;
    let (value, epsilon) = (make_pureDP_to_zCDP(noisy)?.map(&1.0)?, literal(epsilon)?);
    Ok(Certificate { value, real: vec![format!("{epsilon} * ((1 - exp (- {epsilon})) / (1 + exp (- {epsilon})))")] })
}

/// Probabilities near 1. The logarithm of odds near 1 magnifies what these were rounded by.
fn near_one(source: &mut Source) -> anyhow::Result<f64> {
    Ok(1.0 - source.positive()? / 2f64.powi(27))
}

fn randomized_response_bool(source: &mut Source) -> anyhow::Result<Certificate> {
    let prob = near_one(source)?;
    let value = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob)?.map(&1)?;
    let prob = literal(prob)?;
    Ok(Certificate { value, real: vec![format!("ln ({prob} / (1 - {prob}))")] })
}

fn randomized_response(source: &mut Source) -> anyhow::Result<Certificate> {
    let (prob, others) = (near_one(source)?, 1 + source.below(9)?);
    let categories = (0..=others).collect();
    let value = make_randomized_response(AtomDomain::u32(), DiscreteDistance, categories, prob)?.map(&1)?;
    let prob = literal(prob)?;
    Ok(Certificate { value, real: vec![format!("ln ({prob} * {others} / (1 - {prob}))")] })
}

type Map = fn(&mut Source) -> anyhow::Result<Certificate>;

const MAPS: [(&str, Map); 11] = [
    ("make_laplace", laplace),
    ("make_gaussian", gaussian),
    ("make_composition", composition),
    ("make_sum", sum),
    ("make_count_by_categories", count_by_categories),
    ("make_sum_by_categories", sum_by_categories),
    ("make_bounded_range_to_zCDP", bounded_range_to_zcdp),
    ("make_pureDP_to_bounded_range", pure_to_bounded_range),
    ("make_pureDP_to_zCDP", pure_to_zcdp),
    ("make_randomized_response_bool", randomized_response_bool),
    ("make_randomized_response", randomized_response),
];

/// Coq's file: of each map so many values.
pub(crate) fn print(values: u32, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "Require Import Reals. From Interval Require Import Tactic. Open Scope R_scope.")?;
    writeln!(out, "Ltac check := interval with (i_prec 200).")?;
    let mut source = Source(SeededEntropy::new(7));
    for (name, map) in MAPS {
        writeln!(out, "(* {name} *)")?;
        for _ in 0..values {
            let Certificate { value, real } = map(&mut source)?;
            ensure!(value.is_finite(), "{name}: a certificate is of a finite value");
            let (exact, lowered) = (literal(value)?, literal(value * (1.0 - 1e-13))?);
            // Not below any of them, and close to one.
            let bounds: Vec<_> = real.iter().map(|real| format!("{real} <= {exact}")).collect();
            writeln!(out, "Goal {}. Proof. repeat split; check. Qed.", bounds.join(" /\\ "))?;
            let close =
                |relation: &str| -> Vec<String> { real.iter().map(|real| relation.replace("real", real)).collect() };
            let tight = close(&format!("({exact} <= (real) * (1 + / 2 ^ 50) /\\ {lowered} < real)"));
            let tactics: Vec<_> = (0..real.len())
                .map(|place| {
                    let left = if place + 1 < real.len() { "left; " } else { "" };
                    format!("solve [{}{left}split; check]", "right; ".repeat(place))
                })
                .collect();
            writeln!(out, "Goal {}. Proof. first [{}]. Qed.", tight.join(" \\/ "), tactics.join(" | "))?;
        }
    }
    Ok(())
}
