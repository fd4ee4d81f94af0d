//! Values of the maps, as goals for Coq: the value is not below the real one, and above it by rounding at most. A value
//! that is lower by a part in 10^13 must be below the real one (in 10^10, where the map looks for the best order).

use crate::{
    source::Source,
    theorems::{Theorems, print_axioms},
};
use anyhow::ensure;
use indistinct::{bounds::CompositionMeasure, domains::Norm, prelude::*};
use indistinct_numeric::Dyadic;
use indistinct_sampling::Entropy;
use std::io::Write;

/// A value of a map, and the real value as Coq reads it.
struct Certificate {
    value: f64,
    /// The real value is the greatest of these.
    real: Vec<String>,
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

fn gaussian_divergence(source: &mut Source) -> anyhow::Result<Certificate> {
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let value = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale)?.map(&d_in)?;
    Ok(Certificate { value, real: vec![format!("{} / {}", literal(d_in)?, literal(scale)?)] })
}

fn gaussian_composition(source: &mut Source) -> anyhow::Result<Certificate> {
    let parts = parts(1 + source.below(9)?, source, |scale| {
        make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale)
    })?;
    let squares =
        parts.iter().map(|part| Ok(literal(part.map(&1.0)?)? + " ^ 2")).collect::<anyhow::Result<Vec<_>>>()?;
    let value = make_composition(parts)?.map(&1.0)?;
    Ok(Certificate { value, real: vec![format!("sqrt ({})", squares.join(" + "))] })
}

fn gdp_to_zcdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let noisy = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, source.positive()?)?;
    let mu = literal(noisy.map(&1.0)?)?;
    let value = make_GDP_to_zCDP(noisy)?.map(&1.0)?;
    Ok(Certificate { value, real: vec![format!("{mu} ^ 2 / 2")] })
}

/// Under max divergence, zero-concentrated divergence and range divergence, and the deltas of pairs.
fn composition(source: &mut Source) -> anyhow::Result<Certificate> {
    let count = 1 + source.below(9)?;
    Ok(match source.below(4)? {
        0 => sum_of_losses(parts(count, source, |scale| {
            make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale)
        })?)?,
        1 => sum_of_losses(parts(count, source, |scale| {
            make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale)
        })?)?,
        2 => sum_of_losses(parts(count, source, |scale| {
            make_pureDP_to_bounded_range(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale)?)
        })?)?,
        _ => {
            let parts = parts(count, source, |scale| {
                let profile = make_pureDP_to_approxDP(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 8.0)?)?;
                let least = (-20.0 - scale.ln()).exp2();
                make_fix_delta(make_fixed_approxDP_to_approxDP(profile)?, least)
            })?;
            let deltas = parts.iter().map(|part| literal(part.map(&1.0)?.1)).collect::<anyhow::Result<Vec<_>>>()?;
            let (_, value) = make_composition(parts)?.map(&1.0)?;
            Certificate { value, real: vec![deltas.join(" + ")] }
        }
    })
}

type Part<MO> = Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>;

fn parts<MO: Measure>(
    count: u32,
    source: &mut Source,
    part: impl Fn(f64) -> Fallible<Part<MO>>,
) -> anyhow::Result<Vec<Part<MO>>> {
    (0..count).map(|_| Ok(part(source.positive()?)?)).collect()
}

fn sum_of_losses<MO: CompositionMeasure<Distance = f64>>(parts: Vec<Part<MO>>) -> anyhow::Result<Certificate> {
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

fn randomized_response_bitvec(source: &mut Source) -> anyhow::Result<Certificate> {
    let (prob, d_in) = (near_one(source)?, source.rows()?);
    let bits = VectorDomain::new(AtomDomain::bool());
    let value = make_randomized_response_bitvec(bits, HammingDistance, prob)?.map(&d_in)?;
    let prob = literal(prob)?;
    Ok(Certificate { value, real: vec![format!("{d_in} * ln ({prob} / (1 - {prob}))")] })
}

/// The norm and the greatest change, in turn.
fn count_by(source: &mut Source) -> anyhow::Result<Certificate> {
    let (rows, d_in) = (VectorDomain::new(AtomDomain::u32()), source.rows()?);
    Ok(match source.below(3)? {
        0 => Certificate {
            value: make_count_by(rows, HammingDistance, L02InfDistance)?.map(&d_in)?.1,
            real: vec![format!("{d_in} * sqrt 2")],
        },
        1 => Certificate {
            value: make_count_by(rows, ChangeOneDistance, L01InfDistance)?.map(&d_in)?.1,
            real: vec![format!("{d_in} * 2")],
        },
        _ => Certificate {
            value: make_count_by(rows, HammingDistance, L02InfDistance)?.map(&d_in)?.2,
            real: vec![format!("{d_in}")],
        },
    })
}

fn sum_by(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in) = (source.bounds()?, source.rows()?);
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds(bounds)?));
    let (l, u) = (literal(bounds.0)?, literal(bounds.1)?);
    let within = format!("{d_in} * ({u} - {l})");
    let apart = |factor| [&l, &u].map(|bound| format!("{d_in} * ({factor} * Rabs {bound})")).to_vec();
    Ok(match source.below(4)? {
        0 => {
            Certificate { value: make_sum_by(rows, SymmetricDistance, L02InfDistance)?.map(&d_in)?.1, real: apart("1") }
        }
        1 => Certificate {
            value: make_sum_by(rows, HammingDistance, L01InfDistance)?.map(&d_in)?.1,
            real: [apart("2"), vec![within]].concat(),
        },
        2 => Certificate {
            value: make_sum_by(rows, ChangeOneDistance, L02InfDistance)?.map(&d_in)?.1,
            real: [apart("sqrt 2"), vec![within]].concat(),
        },
        _ => Certificate {
            value: make_sum_by(rows, HammingDistance, L02InfDistance)?.map(&d_in)?.2,
            real: [apart("1"), vec![within]].concat(),
        },
    })
}

fn count_persons_by(source: &mut Source) -> anyhow::Result<Certificate> {
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::u32()));
    let (d_in, max_keys) = (source.rows()?, 1 + source.below(1000)?);
    Ok(match source.below(2)? {
        0 => Certificate {
            value: make_count_persons_by(rows, SymmetricIdDistance, max_keys, L02InfDistance)?.map(&d_in)?.1,
            real: vec![format!("{d_in} * sqrt {max_keys}")],
        },
        _ => Certificate {
            value: make_count_persons_by(rows, SymmetricIdDistance, max_keys, L01InfDistance)?.map(&d_in)?.1,
            real: vec![format!("{d_in} * {max_keys}")],
        },
    })
}

/// Rows of known number under both kinds of metric: so many replacements.
fn replaced(source: &mut Source, map: impl Fn(bool, u32) -> Fallible<f64>, step: &str) -> anyhow::Result<Certificate> {
    let d_in = source.rows()?;
    let value = if source.below(2)? == 0 { map(true, d_in)? } else { map(false, 2 * d_in + 1)? };
    Ok(Certificate { value, real: vec![format!("{d_in} * ({step})")] })
}

fn mean(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, size) = (source.bounds()?, 1 + source.below(1000)?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?).with_size(size.try_into()?);
    let step = format!("({} - {}) / {size}", literal(bounds.1)?, literal(bounds.0)?);
    let map = |replaced: bool, d_in| match replaced {
        true => make_mean(rows.clone(), ChangeOneDistance)?.map(&d_in),
        false => make_mean(rows.clone(), SymmetricDistance)?.map(&d_in),
    };
    self::replaced(source, map, &step)
}

fn variance(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, size) = (source.bounds()?, 2 + source.below(1000)?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?).with_size(size.try_into()?);
    let step = format!("({} - {}) ^ 2 / {size}", literal(bounds.1)?, literal(bounds.0)?);
    let map = |replaced: bool, d_in| match replaced {
        true => make_variance(rows.clone(), HammingDistance)?.map(&d_in),
        false => make_variance(rows.clone(), InsertDeleteDistance)?.map(&d_in),
    };
    self::replaced(source, map, &step)
}

fn sum_of_squared_deviations(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, size) = (source.bounds()?, 2 + source.below(1000)?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?).with_size(size.try_into()?);
    let (l, u) = (literal(bounds.0)?, literal(bounds.1)?);
    let step = format!("({u} - {l}) ^ 2 * ({} / {size})", size - 1);
    let map = |replaced: bool, d_in| match replaced {
        true => make_sum_of_squared_deviations(rows.clone(), ChangeOneDistance)?.map(&d_in),
        false => make_sum_of_squared_deviations(rows.clone(), SymmetricDistance)?.map(&d_in),
    };
    self::replaced(source, map, &step)
}

/// Two columns, three entries.
fn covariance(source: &mut Source) -> anyhow::Result<Certificate> {
    let (first, second) = (source.bounds()?, source.bounds()?);
    let (size, d_in) = (2 + source.below(1000)?, source.rows()?);
    let row = PairDomain::new(AtomDomain::f64().with_bounds(first)?, AtomDomain::f64().with_bounds(second)?);
    let rows = VectorDomain::new(row).with_size(size.try_into()?);
    let v = format!("({} - {})", literal(first.1)?, literal(first.0)?);
    let w = format!("({} - {})", literal(second.1)?, literal(second.0)?);
    let (vv, vw, ww) = (format!("{v} ^ 2"), format!("{v} * {w}"), format!("{w} ^ 2"));
    let per = |norm: String| format!("{d_in} * (({norm}) / {size})");
    Ok(match source.below(4)? {
        0 => Certificate {
            value: make_covariance(rows, ChangeOneDistance, L1Distance::new())?.map(&d_in)?,
            real: vec![per(format!("{vv} + {vw} + {ww}"))],
        },
        1 => Certificate {
            value: make_covariance(rows, SymmetricDistance, L2Distance::new())?.map(&(2 * d_in + 1))?,
            real: vec![per(format!("sqrt (({vv}) ^ 2 + ({vw}) ^ 2 + ({ww}) ^ 2)"))],
        },
        2 => Certificate {
            value: make_covariance(rows, HammingDistance, LInfDistance::new())?.map(&d_in)?,
            real: [vv, ww].map(per).to_vec(),
        },
        _ => Certificate {
            value: make_covariance(rows, HammingDistance, LInfDistance::monotonic())?.map(&d_in)?,
            real: [format!("{vv} + {vw}"), format!("{vw} + {ww}")].map(per).to_vec(),
        },
    })
}

fn vector_sum(source: &mut Source) -> anyhow::Result<Certificate> {
    let (size, radius, d_in) = (2 + source.below(1000)?, source.positive()?, source.rows()?);
    let length = size.try_into()?;
    let rows = |norm| Ok::<_, Error>(VectorDomain::new(BallDomain::new(length, norm, radius)?));
    let radius = literal(radius)?;
    let (value, factor) = match source.below(6)? {
        0 => (make_vector_sum(rows(Norm::L1)?, SymmetricDistance, L2Distance::new())?.map(&d_in)?, "1".into()),
        1 => (make_vector_sum(rows(Norm::L2)?, HammingDistance, L2Distance::new())?.map(&d_in)?, "2".into()),
        2 => (
            make_vector_sum(rows(Norm::L2)?, InsertDeleteDistance, L1Distance::new())?.map(&d_in)?,
            format!("sqrt {size}"),
        ),
        3 => (
            make_vector_sum(rows(Norm::L2)?, SymmetricDistance, LInfDistance::monotonic())?.map(&d_in)?,
            "sqrt 2".into(),
        ),
        4 => (
            make_vector_sum(rows(Norm::LInf)?, ChangeOneDistance, L2Distance::new())?.map(&d_in)?,
            format!("(2 * sqrt {size})"),
        ),
        _ => {
            (make_vector_sum(rows(Norm::LInf)?, SymmetricDistance, LInfDistance::monotonic())?.map(&d_in)?, "2".into())
        }
    };
    Ok(Certificate { value, real: vec![format!("{d_in} * ({radius} * {factor})")] })
}

fn b_ary_tree(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bins, branching) = (2 + source.below(1000)?, 2 + source.below(8)?);
    let mut layers = 1;
    let mut nodes = bins;
    while nodes > 1 {
        nodes = nodes.div_ceil(branching);
        layers += 1;
    }
    let counts = VectorDomain::new(AtomDomain::i64()).with_size(bins.try_into()?);
    let (d_in, branching, l1) = (source.positive()?, branching.try_into()?, L1Distance::new());
    let (value, factor) = match source.below(4)? {
        0 => (make_b_ary_tree(counts, l1, branching, L1Distance::new())?.map(&d_in)?, format!("{layers}")),
        1 => (make_b_ary_tree(counts, l1, branching, L2Distance::new())?.map(&d_in)?, format!("sqrt {layers}")),
        2 => (make_b_ary_tree(counts, l1, branching, LInfDistance::new())?.map(&d_in)?, "1".into()),
        _ => (make_b_ary_tree(counts, l1, branching, LInfDistance::monotonic())?.map(&d_in)?, "2".into()),
    };
    Ok(Certificate { value, real: vec![format!("{} * {factor}", literal(d_in)?)] })
}

/// Matrices whose norm is that of a column, of a row, or a product of two vectors' lengths.
fn lipschitz(source: &mut Source) -> anyhow::Result<Certificate> {
    let (a, b, c, e) = (source.number()?, source.number()?, source.number()?, source.number()?);
    let (space, d_in) = (VectorDomain::new(AtomDomain::f64()).with_size(2), source.positive()?);
    let [p, q, r, s] = [a, b, c, e].map(literal);
    let (p, q, r, s, d) = (p?, q?, r?, s?, literal(d_in)?);
    let square = vec![vec![a, b], vec![c, e]];
    Ok(match source.below(5)? {
        0 => Certificate {
            value: make_lipschitz(space, L1Distance::new(), square, L1Distance::new())?.map(&d_in)?,
            real: vec![format!("{d} * (Rabs {p} + Rabs {r})"), format!("{d} * (Rabs {q} + Rabs {s})")],
        },
        1 => Certificate {
            value: make_lipschitz(space, L1Distance::new(), square, L2Distance::new())?.map(&d_in)?,
            real: vec![format!("{d} * sqrt ({p} ^ 2 + {r} ^ 2)"), format!("{d} * sqrt ({q} ^ 2 + {s} ^ 2)")],
        },
        2 => Certificate {
            value: make_lipschitz(space, L2Distance::new(), square, LInfDistance::new())?.map(&d_in)?,
            real: vec![format!("{d} * sqrt ({p} ^ 2 + {q} ^ 2)"), format!("{d} * sqrt ({r} ^ 2 + {s} ^ 2)")],
        },
        3 => Certificate {
            value: make_lipschitz(space, LInfDistance::new(), square, LInfDistance::new())?.map(&d_in)?,
            real: vec![format!("{d} * (Rabs {p} + Rabs {q})"), format!("{d} * (Rabs {r} + Rabs {s})")],
        },
        _ => Certificate {
            value: make_lipschitz(space, L2Distance::new(), vec![vec![a, b]], L2Distance::new())?.map(&d_in)?,
            real: vec![format!("{d} * sqrt ({p} ^ 2 + {q} ^ 2)")],
        },
    })
}

/// A zero-concentrated loss, and the measurement that has it at distance 1.
type Concentrated = (f64, Measurement<AtomDomain<i64>, i64, AbsoluteDistance, ZeroConcentratedDivergence>);

fn concentrated(scale: f64) -> anyhow::Result<Concentrated> {
    let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale)?;
    Ok((noisy.map(&1.0)?, noisy))
}

fn zcdp_to_rdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let (rho, noisy) = concentrated(source.positive()?)?;
    let order = 1.0 + source.positive()?;
    let value = make_zCDP_to_RDP(noisy)?.map(&1.0)?.at(order)?;
    Ok(Certificate { value, real: vec![format!("{} * {}", literal(order)?, literal(rho)?)] })
}

/// Delta of a pair at another epsilon, below its own.
fn fixed_to_profile(source: &mut Source) -> anyhow::Result<Certificate> {
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), source.positive()?.clamp(0.25, 64.0))?;
    let least = source.positive()? / 2f64.powi(24);
    let fixed = make_fix_delta(make_fixed_approxDP_to_approxDP(make_pureDP_to_approxDP(noisy)?)?, least)?;
    let (own, delta) = fixed.map(&1.0)?;
    let epsilon = own * f64::from(source.below(8)?) / 8.0;
    let value = make_fixed_approxDP_to_approxDP(fixed)?.map(&1.0)?.delta(epsilon)?;
    let (own, delta, epsilon) = (literal(own)?, literal(delta)?, literal(epsilon)?);
    let response = format!("(exp {own} - exp {epsilon}) / (1 + exp {own})");
    Ok(Certificate { value, real: vec![format!("{delta} + (1 - {delta}) * ({response})")] })
}

/// `exp (t (divergence - epsilon) - entropy t)`, the bound of a conversion at the order `1 + t`.
fn delta_at(t: f64, divergence: &str, epsilon: f64) -> anyhow::Result<String> {
    let (t, epsilon) = (literal(t)?, literal(epsilon)?);
    Ok(format!("exp ({t} * ({divergence} - {epsilon}) - (({t} + 1) * ln (1 + {t}) - {t} * ln {t}))"))
}

/// The bound is convex in `t`, and least where `2 rho t + rho - epsilon = ln(1 + 1/t)`: by bisection, to all digits of
/// `t`.
fn zcdp_to_profile(source: &mut Source) -> anyhow::Result<Certificate> {
    let (rho, noisy) = concentrated(source.positive()?.clamp(0.25, 64.0))?;
    let epsilon = rho + f64::from(source.below(40)?) * rho.sqrt() / 8.0;
    let (mut low, mut high) = (1e-6f64, 1e9f64);
    for _ in 0..200 {
        let t = (low * high).sqrt();
        if 2.0 * rho * t + rho - epsilon < t.recip().ln_1p() { low = t } else { high = t }
    }
    let value = make_zCDP_to_approxDP(noisy)?.map(&1.0)?.delta(epsilon)?;
    let divergence = format!("(1 + {}) * {}", literal(low)?, literal(rho)?);
    Ok(Certificate { value, real: vec![delta_at(low, &divergence, epsilon)?] })
}

/// A curve that is known at one order, at an epsilon above it: no order below is better.
fn rdp_to_profile(source: &mut Source) -> anyhow::Result<Certificate> {
    let order = 2.0 + source.positive()?.clamp(1.0, 64.0).floor();
    let divergence = source.positive()?.clamp(0.01, 4.0);
    let curve = RenyiCurve::from_points(vec![(order, divergence)])?;
    let noisy = make_user_measurement(
        AtomDomain::i64(),
        AbsoluteDistance::new(),
        RenyiDivergence,
        |value: &i64, _: &mut dyn Entropy| Ok(*value),
        move |_: &f64| Ok(curve.clone()),
    )?;
    let epsilon = divergence + f64::from(source.below(16)?) / 16.0;
    let value = make_RDP_to_approxDP(noisy)?.map(&1.0)?.delta(epsilon)?;
    Ok(Certificate { value, real: vec![delta_at(order - 1.0, &literal(divergence)?, epsilon)?] })
}

/// Many of a map's values, and how close to the real ones they are.
type Map = fn(&mut Source) -> anyhow::Result<Certificate>;

/// A value exceeds the real one by less than a part in 2 to the first power, and lowered by the second part it is
/// below.
struct Tightness(u32, f64);

const ROUNDED: Tightness = Tightness(50, 1e-13);
const STEPS: Tightness = Tightness(47, 1e-13);
const SEARCHED: Tightness = Tightness(36, 1e-10);

const MAPS: [(&str, Map, Tightness); 29] = [
    ("make_laplace", laplace, ROUNDED),
    ("make_gaussian", gaussian, ROUNDED),
    ("make_composition", composition, ROUNDED),
    ("make_sum", sum, ROUNDED),
    ("make_count_by_categories", count_by_categories, ROUNDED),
    ("make_sum_by_categories", sum_by_categories, ROUNDED),
    ("make_bounded_range_to_zCDP", bounded_range_to_zcdp, ROUNDED),
    ("make_pureDP_to_bounded_range", pure_to_bounded_range, ROUNDED),
    ("make_pureDP_to_zCDP", pure_to_zcdp, ROUNDED),
    ("make_randomized_response_bool", randomized_response_bool, ROUNDED),
    ("make_randomized_response", randomized_response, ROUNDED),
    ("make_count_by", count_by, ROUNDED),
    ("make_sum_by", sum_by, ROUNDED),
    ("make_count_persons_by", count_persons_by, ROUNDED),
    ("make_mean", mean, ROUNDED),
    ("make_variance", variance, STEPS),
    ("make_sum_of_squared_deviations", sum_of_squared_deviations, STEPS),
    ("make_covariance", covariance, STEPS),
    ("make_vector_sum", vector_sum, STEPS),
    ("make_b_ary_tree", b_ary_tree, STEPS),
    ("make_lipschitz", lipschitz, STEPS),
    ("make_zCDP_to_RDP", zcdp_to_rdp, ROUNDED),
    ("make_fixed_approxDP_to_approxDP", fixed_to_profile, ROUNDED),
    ("make_zCDP_to_approxDP", zcdp_to_profile, SEARCHED),
    ("make_RDP_to_approxDP", rdp_to_profile, SEARCHED),
    ("make_gaussian under Gaussian divergence", gaussian_divergence, ROUNDED),
    ("make_composition under Gaussian divergence", gaussian_composition, STEPS),
    ("make_GDP_to_zCDP", gdp_to_zcdp, ROUNDED),
    ("make_randomized_response_bitvec", randomized_response_bitvec, STEPS),
];

/// Coq's file: of each map so many values, and so many at parameters of all sizes, where rounding may be anything that
/// is not below.
pub(crate) fn print(values: u32, extreme: u32, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "Require Import Reals. From Interval Require Import Tactic. Open Scope R_scope.")?;
    writeln!(out, "Ltac check := interval with (i_prec 200).")?;
    let (mut source, mut all) = (Source::new(7), Vec::new());
    for (name, map, Tightness(bits, lower)) in MAPS {
        let mut theorems = Theorems::new(name, out)?;
        for _ in 0..values {
            let Certificate { value, real } = map(&mut source)?;
            ensure!(value.is_finite(), "{name}: a certificate is of a finite value");
            let (exact, lowered) = (literal(value)?, literal(value * (1.0 - lower))?);
            // Not below any of them, and close to one.
            let bounds: Vec<_> = real.iter().map(|real| format!("{real} <= {exact}")).collect();
            theorems.write(&bounds.join(" /\\ "), "repeat split; check", out)?;
            let close =
                |relation: &str| -> Vec<String> { real.iter().map(|real| relation.replace("real", real)).collect() };
            let tight = close(&format!("({exact} <= (real) * (1 + / 2 ^ {bits}) /\\ {lowered} < real)"));
            let tactics: Vec<_> = (0..real.len())
                .map(|place| {
                    let left = if place + 1 < real.len() { "left; " } else { "" };
                    format!("solve [{}{left}split; check]", "right; ".repeat(place))
                })
                .collect();
            theorems.write(&tight.join(" \\/ "), &format!("first [{}]", tactics.join(" | ")), out)?;
        }
        source.widen(true);
        for _ in 0..extreme {
            // What a map refuses, or gives as infinity, promises nothing. For logarithms and exponentials of numbers of
            // all sizes, Coq would need thousands of digits.
            let Ok(Certificate { value, real }) = map(&mut source) else { continue };
            let is_algebraic = !real.iter().any(|real| real.contains("exp") || real.contains("ln"));
            if value.is_finite() && is_algebraic {
                let exact = literal(value)?;
                let bounds: Vec<_> = real.iter().map(|real| format!("{real} <= {exact}")).collect();
                theorems.write(&bounds.join(" /\\ "), "repeat split; check", out)?;
            }
        }
        source.widen(false);
        all.push(theorems.end(out)?);
    }
    print_axioms(&all, out)
}
