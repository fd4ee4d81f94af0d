//! Values of the maps, for Coq to check: of each the claim of `oracle/Claims.v` that it keeps. The value is not below
//! the real one, and above it by rounding at most. A value that is lower by a part in 10^13 must be below the real one
//! (in 10^10, where the map looks for the best order). Some are of parameters of all sizes, where rounding may be
//! anything that is not below.

use crate::{
    source::Source,
    theorems::{Theorems, number},
};
use anyhow::ensure;
use indistinct::{bounds::CompositionMeasure, core::ToParameter, domains::Norm, prelude::*};
use indistinct_numeric::RoundedArithmetic;
use indistinct_sampling::Entropy;
use std::io::Write;

/// A value of a map, and what it promises, as a claim of `oracle/Claims.v` with its parameters.
struct Certificate {
    value: f64,
    claim: String,
}

impl Certificate {
    fn new(value: f64, claim: String) -> anyhow::Result<Self> {
        Ok(Self { value, claim })
    }
}

fn laplace(source: &mut Source) -> anyhow::Result<Certificate> {
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let value = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale)?.map(&d_in)?;
    Certificate::new(value, format!("laplace_claim {} {}", number(d_in)?, number(scale)?))
}

fn gaussian(source: &mut Source) -> anyhow::Result<Certificate> {
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let value =
        make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale)?.map(&d_in)?;
    Certificate::new(value, format!("gaussian_claim {} {}", number(d_in)?, number(scale)?))
}

fn gaussian_divergence(source: &mut Source) -> anyhow::Result<Certificate> {
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let value = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale)?.map(&d_in)?;
    Certificate::new(value, format!("gaussian_mu_claim {} {}", number(d_in)?, number(scale)?))
}

fn numbers(list: &[f64]) -> anyhow::Result<String> {
    Ok(format!("[{}]", list.iter().map(|x| number(*x)).collect::<anyhow::Result<Vec<_>>>()?.join("; ")))
}

/// The theorem holds of all units; this is the code's.
fn gaussian_composition(source: &mut Source) -> anyhow::Result<Certificate> {
    let parts = parts(1 + source.below(9)?, source, |scale| {
        make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale)
    })?;
    let mus = parts.iter().map(|part| Ok(part.map(&1.0)?)).collect::<anyhow::Result<Vec<_>>>()?;
    let greatest = mus.iter().fold(0.0, |greatest: f64, mu| greatest.max(*mu));
    let unit = f64::from_bits(greatest.to_bits() & (0x7ff << 52)).max(f64::MIN_POSITIVE);
    let value = make_composition(parts)?.map(&1.0)?;
    Certificate::new(value, format!("mu_composition_claim {} {}", number(unit)?, numbers(&mus)?))
}

fn gdp_to_zcdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let noisy = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, source.positive()?)?;
    let mu = number(noisy.map(&1.0)?)?;
    let value = make_GDP_to_zCDP(noisy)?.map(&1.0)?;
    Certificate::new(value, format!("gaussian_to_zcdp_claim {mu}"))
}

/// Under max divergence, zero-concentrated divergence and range divergence, and the deltas of pairs.
fn composition(source: &mut Source) -> anyhow::Result<Certificate> {
    let count = 1 + source.below(9)?;
    match source.below(4)? {
        0 => {
            let parts = parts(count, source, |scale| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale))?;
            sum_of_losses("pure_composition_claim", parts)
        }
        1 => {
            let parts = parts(count, source, |scale| {
                make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale)
            })?;
            sum_of_losses("concentrated_composition_claim", parts)
        }
        2 => {
            let parts = parts(count, source, |scale| {
                make_pureDP_to_bounded_range(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale)?)
            })?;
            sum_of_losses("range_composition_claim", parts)
        }
        _ => {
            let parts = parts(count, source, |scale| {
                let profile = make_pureDP_to_approxDP(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 8.0)?)?;
                let least = (-20.0 - scale.ln()).exp2();
                make_fix_delta(make_fixed_approxDP_to_approxDP(profile)?, least)
            })?;
            let deltas = parts.iter().map(|part| Ok(part.map(&1.0)?.1)).collect::<anyhow::Result<Vec<_>>>()?;
            let (_, value) = make_composition(parts)?.map(&1.0)?;
            Certificate::new(value, format!("deltas_composition_claim {}", numbers(&deltas)?))
        }
    }
}

type Part<MO> = Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>;

fn parts<MO: Measure>(
    count: u32,
    source: &mut Source,
    part: impl Fn(f64) -> Fallible<Part<MO>>,
) -> anyhow::Result<Vec<Part<MO>>> {
    (0..count).map(|_| Ok(part(source.positive()?)?)).collect()
}

fn sum_of_losses<MO: CompositionMeasure<Distance = f64>>(
    claim: &str,
    parts: Vec<Part<MO>>,
) -> anyhow::Result<Certificate> {
    let losses = parts.iter().map(|part| Ok(part.map(&1.0)?)).collect::<anyhow::Result<Vec<_>>>()?;
    let value = make_composition(parts)?.map(&1.0)?;
    Certificate::new(value, format!("{claim} {}", numbers(&losses)?))
}

fn sum(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in) = (source.bounds()?, source.rows()?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?);
    let (l, u) = (number(bounds.0)?, number(bounds.1)?);
    let (value, rows, d_in) = match source.below(3)? {
        0 => (make_sum(rows, SymmetricDistance)?.map(&d_in)?, "SymmetricDistance false", d_in),
        1 => {
            let d_in = 2 * d_in + 1;
            (make_sum(rows.with_size(7), InsertDeleteDistance)?.map(&d_in)?, "InsertDeleteDistance true", d_in)
        }
        _ => (make_sum(rows, ChangeOneDistance)?.map(&d_in)?, "ChangeOneDistance false", d_in),
    };
    Certificate::new(value, format!("sum_claim {rows} {l} {u} {d_in}"))
}

fn count_by_categories(source: &mut Source) -> anyhow::Result<Certificate> {
    let (rows, d_in) = (VectorDomain::new(AtomDomain::u32()), source.rows()?);
    let (list, unknown) = (vec![1, 2], UnknownCategories::Drop);
    let (value, metrics) = match source.below(4)? {
        0 => (
            make_count_by_categories(rows, HammingDistance, list, unknown, L1Distance::new())?.map(&d_in)?,
            "L1Distance HammingDistance",
        ),
        1 => (
            make_count_by_categories(rows, ChangeOneDistance, list, unknown, LInfDistance::new())?.map(&d_in)?,
            "(LInfDistance false) ChangeOneDistance",
        ),
        2 => (
            make_count_by_categories(rows, HammingDistance, list, unknown, LInfDistance::monotonic())?.map(&d_in)?,
            "(LInfDistance true) HammingDistance",
        ),
        _ => (
            make_count_by_categories(rows, ChangeOneDistance, list, unknown, L2Distance::new())?.map(&d_in)?,
            "L2Distance ChangeOneDistance",
        ),
    };
    Certificate::new(value, format!("count_by_categories_claim {metrics} {d_in}"))
}

fn sum_by_categories(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in) = (source.bounds()?, source.rows()?);
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds(bounds)?));
    let (l, u, list, unknown) = (number(bounds.0)?, number(bounds.1)?, vec![1, 2], UnknownCategories::Drop);
    let (value, metrics) = match source.below(5)? {
        0 => (
            make_sum_by_categories(rows, SymmetricDistance, list, unknown, L2Distance::new())?.map(&d_in)?,
            "L2Distance SymmetricDistance",
        ),
        1 => (
            make_sum_by_categories(rows, HammingDistance, list, unknown, L1Distance::new())?.map(&d_in)?,
            "L1Distance HammingDistance",
        ),
        2 => (
            make_sum_by_categories(rows, HammingDistance, list, unknown, LInfDistance::new())?.map(&d_in)?,
            "(LInfDistance false) HammingDistance",
        ),
        3 => (
            make_sum_by_categories(rows, ChangeOneDistance, list, unknown, LInfDistance::monotonic())?.map(&d_in)?,
            "(LInfDistance true) ChangeOneDistance",
        ),
        _ => (
            make_sum_by_categories(rows, ChangeOneDistance, list, unknown, L2Distance::new())?.map(&d_in)?,
            "L2Distance ChangeOneDistance",
        ),
    };
    Certificate::new(value, format!("sum_by_categories_claim {metrics} {l} {u} {d_in}"))
}

/// Limits that do and do not bind each other, and more rows than there is room for.
fn sum_of_individuals(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in, entries) = (source.bounds()?, source.rows()?, 1 + source.below(40)?);
    let (rows, each) = (1 + source.below(1000)?, 1 + source.below(60)?);
    let (rows, each) =
        if source.is_wide() { (rows << source.below(22)?, each << source.below(26)?) } else { (rows, each) };
    let pairs = PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds(bounds)?);
    let people = VectorDomain::new(PairDomain::new(AtomDomain::u32(), pairs));
    let (metric, list, unknown) = (SymmetricIdDistance, (0..entries).collect(), UnknownCategories::Drop);
    macro_rules! value {
        ($out:expr) => {
            make_sum_by_categories_of_individuals(people, metric, list, unknown, rows, each, $out)?.map(&d_in)?
        };
    }
    let (value, metric) = match source.below(5)? {
        0 => (value!(L1Distance::new()), "L1Distance"),
        1 => (value!(LInfDistance::new()), "(LInfDistance false)"),
        2 => (value!(LInfDistance::monotonic()), "(LInfDistance true)"),
        _ => (value!(L2Distance::new()), "L2Distance"),
    };
    let (l, u) = (number(bounds.0)?, number(bounds.1)?);
    Certificate::new(value, format!("sum_of_individuals_claim {metric} {entries} {rows} {each} {l} {u} {d_in}"))
}

/// A pure loss, and the measurement that has it at distance 1.
type Pure = (f64, Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MaxDivergence>);

fn pure(scale: f64) -> anyhow::Result<Pure> {
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale)?;
    Ok((noisy.map(&1.0)?, noisy))
}

/// A measurement that has a loss at every distance.
fn with_loss<MO: Measure + ToParameter + Default>(
    loss: MO::Distance,
) -> anyhow::Result<Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MO>>
where
    MO::Distance: Clone + Send + Sync,
{
    Ok(make_user_measurement(
        AtomDomain::i64(),
        AbsoluteDistance::new(),
        MO::default(),
        |value: &i64, _: &mut dyn Entropy| Ok(*value),
        move |_: &f64| Ok(loss.clone()),
    )?)
}

fn bounded_range_to_zcdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let scores = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let (d_in, scale) = (source.positive()?, source.positive()?);
    let select = make_exponential(scores, LInfDistance::new(), RangeDivergence, scale)?;
    let eta = number(select.map(&d_in)?)?;
    let value = make_bounded_range_to_zCDP(select)?.map(&d_in)?;
    Certificate::new(value, format!("range_to_zcdp_claim {eta}"))
}

fn pure_to_bounded_range(source: &mut Source) -> anyhow::Result<Certificate> {
    let (epsilon, noisy) = pure(source.positive()?)?;
    let value = make_pureDP_to_bounded_range(noisy)?.map(&1.0)?;
    Certificate::new(value, format!("pure_to_range_claim {}", number(epsilon)?))
}

/// Losses up to 32, or of all sizes: of greater ones the hyperbolic tangent is 1 to all digits.
fn pure_to_zcdp(source: &mut Source) -> anyhow::Result<Certificate> {
    let (epsilon, noisy) = if source.is_wide() {
        let epsilon = source.positive()?;
        (epsilon, with_loss::<MaxDivergence>(epsilon)?)
    } else {
        pure(source.positive()?.max(1.0 / 32.0))?
    };
    let value = make_pureDP_to_zCDP(noisy)?.map(&1.0)?;
    let claim = if epsilon > 512.0 { "pure_to_zcdp_far_claim" } else { "pure_to_zcdp_claim" };
    Certificate::new(value, format!("{claim} {}", number(epsilon)?))
}

/// Probabilities near 1: the logarithm of odds near 1 magnifies what these were rounded by. So they are from 1/2 on
/// only where they are of all sizes.
fn randomized_response_bool(source: &mut Source) -> anyhow::Result<Certificate> {
    let prob = source.near_one()?;
    let value = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob)?.map(&1)?;
    Certificate::new(value, format!("response_bool_claim {}", number(prob)?))
}

fn randomized_response(source: &mut Source) -> anyhow::Result<Certificate> {
    let others = 1 + source.below(if source.is_wide() { 2000 } else { 9 })?;
    // The least there may be, too.
    let prob = match source.is_wide().then(|| source.below(4)).transpose()? {
        Some(0) => 1f64.inf_div(f64::from(others) + 1.0)?,
        Some(1) => source.between(1f64.inf_div(f64::from(others) + 1.0)?, 0.5)?,
        _ => source.near_one()?,
    };
    let categories = (0..=others).collect();
    let value = make_randomized_response(AtomDomain::u32(), DiscreteDistance, categories, prob)?.map(&1)?;
    Certificate::new(value, format!("response_claim {others} {}", number(prob)?))
}

fn randomized_response_bitvec(source: &mut Source) -> anyhow::Result<Certificate> {
    let (prob, d_in) = (source.near_one()?, source.rows()?);
    let d_in = if source.is_wide() { d_in << source.below(22)? } else { d_in };
    let bits = VectorDomain::new(AtomDomain::bool());
    let value = make_randomized_response_bitvec(bits, HammingDistance, prob)?.map(&d_in)?;
    Certificate::new(value, format!("response_bits_claim {d_in} {}", number(prob)?))
}

/// The norm and the greatest change, in turn.
fn count_by(source: &mut Source) -> anyhow::Result<Certificate> {
    let (rows, d_in) = (VectorDomain::new(AtomDomain::u32()), source.rows()?);
    let (value, claim) = match source.below(3)? {
        0 => (
            make_count_by(rows, HammingDistance, L02InfDistance)?.map(&d_in)?.1,
            "count_by_norm_claim L02InfDistance HammingDistance",
        ),
        1 => (
            make_count_by(rows, ChangeOneDistance, L01InfDistance)?.map(&d_in)?.1,
            "count_by_norm_claim L01InfDistance ChangeOneDistance",
        ),
        _ => (
            make_count_by(rows, HammingDistance, L02InfDistance)?.map(&d_in)?.2,
            "count_by_greatest_claim L02InfDistance HammingDistance",
        ),
    };
    Certificate::new(value, format!("{claim} {d_in}"))
}

fn sum_by(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, d_in) = (source.bounds()?, source.rows()?);
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds(bounds)?));
    let (l, u) = (number(bounds.0)?, number(bounds.1)?);
    let (value, claim) = match source.below(4)? {
        0 => (
            make_sum_by(rows, SymmetricDistance, L02InfDistance)?.map(&d_in)?.1,
            "sum_by_norm_claim L02InfDistance SymmetricDistance",
        ),
        1 => (
            make_sum_by(rows, HammingDistance, L01InfDistance)?.map(&d_in)?.1,
            "sum_by_norm_claim L01InfDistance HammingDistance",
        ),
        2 => (
            make_sum_by(rows, ChangeOneDistance, L02InfDistance)?.map(&d_in)?.1,
            "sum_by_norm_claim L02InfDistance ChangeOneDistance",
        ),
        _ => (
            make_sum_by(rows, HammingDistance, L02InfDistance)?.map(&d_in)?.2,
            "sum_by_greatest_claim L02InfDistance HammingDistance",
        ),
    };
    Certificate::new(value, format!("{claim} {d_in} {l} {u}"))
}

fn count_individuals_by(source: &mut Source) -> anyhow::Result<Certificate> {
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::u32()));
    let (d_in, max_keys) = (source.rows()?, 1 + source.below(1000)?);
    let (value, metric) = match source.below(2)? {
        0 => (
            make_count_individuals_by(rows, SymmetricIdDistance, max_keys, L02InfDistance)?.map(&d_in)?.1,
            "L02InfDistance",
        ),
        _ => (
            make_count_individuals_by(rows, SymmetricIdDistance, max_keys, L01InfDistance)?.map(&d_in)?.1,
            "L01InfDistance",
        ),
    };
    Certificate::new(value, format!("count_individuals_claim {metric} {d_in} {max_keys}"))
}

/// Under both kinds of metric.
fn mean(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, size) = (source.bounds()?, 1 + source.below(1000)?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?).with_size(size.try_into()?);
    let (l, u, d_in) = (number(bounds.0)?, number(bounds.1)?, source.rows()?);
    let (value, metric, d_in) = match source.below(2)? {
        0 => (make_mean(rows, ChangeOneDistance)?.map(&d_in)?, "ChangeOneDistance", d_in),
        _ => (make_mean(rows, SymmetricDistance)?.map(&(2 * d_in + 1))?, "SymmetricDistance", 2 * d_in + 1),
    };
    Certificate::new(value, format!("mean_claim {metric} {l} {u} {size} {d_in}"))
}

fn variance(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, size) = (source.bounds()?, 2 + source.below(1000)?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?).with_size(size.try_into()?);
    let (l, u, d_in) = (number(bounds.0)?, number(bounds.1)?, source.rows()?);
    let (value, metric, d_in) = match source.below(2)? {
        0 => (make_variance(rows, HammingDistance)?.map(&d_in)?, "HammingDistance", d_in),
        _ => (make_variance(rows, InsertDeleteDistance)?.map(&(2 * d_in + 1))?, "InsertDeleteDistance", 2 * d_in + 1),
    };
    Certificate::new(value, format!("variance_claim {metric} {l} {u} {size} {d_in}"))
}

fn sum_of_squared_deviations(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bounds, size) = (source.bounds()?, 2 + source.below(1000)?);
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds)?).with_size(size.try_into()?);
    let (l, u, d_in) = (number(bounds.0)?, number(bounds.1)?, source.rows()?);
    let (value, metric, d_in) = match source.below(2)? {
        0 => (make_sum_of_squared_deviations(rows, ChangeOneDistance)?.map(&d_in)?, "ChangeOneDistance", d_in),
        _ => {
            let d_in = 2 * d_in + 1;
            (make_sum_of_squared_deviations(rows, SymmetricDistance)?.map(&d_in)?, "SymmetricDistance", d_in)
        }
    };
    Certificate::new(value, format!("squared_deviations_claim {metric} {l} {u} {size} {d_in}"))
}

/// Two columns, three entries.
fn covariance(source: &mut Source) -> anyhow::Result<Certificate> {
    let (first, second) = (source.bounds()?, source.bounds()?);
    let (size, d_in) = (2 + source.below(1000)?, source.rows()?);
    let row = PairDomain::new(AtomDomain::f64().with_bounds(first)?, AtomDomain::f64().with_bounds(second)?);
    let rows = VectorDomain::new(row).with_size(size.try_into()?);
    let (value, metrics, d_in) = match source.below(4)? {
        0 => (
            make_covariance(rows, ChangeOneDistance, L1Distance::new())?.map(&d_in)?,
            "L1Distance ChangeOneDistance",
            d_in,
        ),
        1 => {
            let d_in = 2 * d_in + 1;
            let value = make_covariance(rows, SymmetricDistance, L2Distance::new())?.map(&d_in)?;
            (value, "L2Distance SymmetricDistance", d_in)
        }
        2 => (
            make_covariance(rows, HammingDistance, LInfDistance::new())?.map(&d_in)?,
            "(LInfDistance false) HammingDistance",
            d_in,
        ),
        _ => (
            make_covariance(rows, HammingDistance, LInfDistance::monotonic())?.map(&d_in)?,
            "(LInfDistance true) HammingDistance",
            d_in,
        ),
    };
    let [l, u, m, v] = [first.0, first.1, second.0, second.1].map(number);
    Certificate::new(value, format!("covariance_claim {metrics} {} {} {} {} {size} {d_in}", l?, u?, m?, v?))
}

fn vector_sum(source: &mut Source) -> anyhow::Result<Certificate> {
    let (size, radius, d_in) = (2 + source.below(1000)?, source.positive()?, source.rows()?);
    let length = size.try_into()?;
    let rows = |norm| Ok::<_, Error>(VectorDomain::new(BallDomain::new(length, norm, radius)?));
    let (value, metrics, metric) = match source.below(6)? {
        0 => (
            make_vector_sum(rows(Norm::L1)?, SymmetricDistance, L2Distance::new())?.map(&d_in)?,
            "L2Distance L1",
            "SymmetricDistance",
        ),
        1 => (
            make_vector_sum(rows(Norm::L2)?, HammingDistance, L2Distance::new())?.map(&d_in)?,
            "L2Distance L2",
            "HammingDistance",
        ),
        2 => (
            make_vector_sum(rows(Norm::L2)?, InsertDeleteDistance, L1Distance::new())?.map(&d_in)?,
            "L1Distance L2",
            "InsertDeleteDistance",
        ),
        3 => (
            make_vector_sum(rows(Norm::L2)?, SymmetricDistance, LInfDistance::monotonic())?.map(&d_in)?,
            "(LInfDistance true) L2",
            "SymmetricDistance",
        ),
        4 => (
            make_vector_sum(rows(Norm::LInf)?, ChangeOneDistance, L2Distance::new())?.map(&d_in)?,
            "L2Distance LInf",
            "ChangeOneDistance",
        ),
        _ => (
            make_vector_sum(rows(Norm::LInf)?, SymmetricDistance, LInfDistance::monotonic())?.map(&d_in)?,
            "(LInfDistance true) LInf",
            "SymmetricDistance",
        ),
    };
    Certificate::new(value, format!("vector_sum_claim {metrics} {size} {} {metric} {d_in}", number(radius)?))
}

fn b_ary_tree(source: &mut Source) -> anyhow::Result<Certificate> {
    let (bins, branching) = (2 + source.below(1000)?, 2 + source.below(8)?);
    let counts = VectorDomain::new(AtomDomain::i64()).with_size(bins.try_into()?);
    let (d_in, children, l1) = (source.positive()?, branching.try_into()?, L1Distance::new());
    let (value, metric) = match source.below(4)? {
        0 => (make_b_ary_tree(counts, l1, children, L1Distance::new())?.map(&d_in)?, "L1Distance"),
        1 => (make_b_ary_tree(counts, l1, children, L2Distance::new())?.map(&d_in)?, "L2Distance"),
        2 => (make_b_ary_tree(counts, l1, children, LInfDistance::new())?.map(&d_in)?, "(LInfDistance false)"),
        _ => (make_b_ary_tree(counts, l1, children, LInfDistance::monotonic())?.map(&d_in)?, "(LInfDistance true)"),
    };
    Certificate::new(value, format!("tree_claim {metric} {branching} {bins} {}", number(d_in)?))
}

/// Matrices whose norm is that of a column, of a row, or a product of two vectors' lengths.
fn linear_queries(source: &mut Source) -> anyhow::Result<Certificate> {
    let (a, b, c, e) = (source.number()?, source.number()?, source.number()?, source.number()?);
    let (space, d_in) = (VectorDomain::new(AtomDomain::f64()).with_size(2), source.positive()?);
    let mut matrix = vec![vec![a, b], vec![c, e]];
    let (monotonic, plain) = (LInfDistance::monotonic, LInfDistance::new);
    let (value, claim) = match source.below(9)? {
        0 => (
            make_linear_queries(space, L1Distance::new(), matrix.clone(), L1Distance::new())?.map(&d_in)?,
            "linear_queries_columns_claim L1Distance L1Distance",
        ),
        1 => (
            make_linear_queries(space, L1Distance::new(), matrix.clone(), L2Distance::new())?.map(&d_in)?,
            "linear_queries_columns_claim L1Distance L2Distance",
        ),
        2 => (
            make_linear_queries(space, L2Distance::new(), matrix.clone(), plain())?.map(&d_in)?,
            "linear_queries_rows_claim L2Distance (LInfDistance false)",
        ),
        3 => (
            make_linear_queries(space, plain(), matrix.clone(), plain())?.map(&d_in)?,
            "linear_queries_rows_claim (LInfDistance false) (LInfDistance false)",
        ),
        4 => (
            make_linear_queries(space, L1Distance::new(), matrix.clone(), monotonic())?.map(&d_in)?,
            "linear_queries_columns_claim L1Distance (LInfDistance true)",
        ),
        5 => (
            make_linear_queries(space, monotonic(), matrix.clone(), plain())?.map(&d_in)?,
            "linear_queries_rows_claim (LInfDistance true) (LInfDistance false)",
        ),
        6 => (
            make_linear_queries(space, plain(), matrix.clone(), monotonic())?.map(&d_in)?,
            "linear_queries_differences_claim (LInfDistance false)",
        ),
        7 => (
            make_linear_queries(space, monotonic(), matrix.clone(), monotonic())?.map(&d_in)?,
            "linear_queries_differences_claim (LInfDistance true)",
        ),
        _ => {
            matrix.truncate(1);
            (
                make_linear_queries(space, L2Distance::new(), matrix.clone(), L2Distance::new())?.map(&d_in)?,
                "linear_queries_euclidean_claim",
            )
        }
    };
    let matrix = matrix.iter().map(|row| numbers(row)).collect::<anyhow::Result<Vec<_>>>()?.join("; ");
    Certificate::new(value, format!("{claim} [{matrix}] 2 {}", number(d_in)?))
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
    Certificate::new(value, format!("zcdp_to_rdp_claim {} {}", number(order)?, number(rho)?))
}

/// What is less than 1: a delta of 1 promises nothing.
fn promising(delta: f64) -> anyhow::Result<f64> {
    ensure!(delta < 1.0, "a delta of 1 promises nothing");
    Ok(delta)
}

/// Delta of a pair at another epsilon, below its own.
fn fixed_to_profile(source: &mut Source) -> anyhow::Result<Certificate> {
    if source.is_wide() {
        let (own, delta) = (source.positive()?, source.positive()?);
        ensure!(delta < 1.0, "no delta");
        let epsilon = match source.below(3)? {
            0 => 0.0,
            1 => own - own.min(source.positive()?),
            _ => own * f64::from(source.below(9)?) / 8.0,
        };
        let fixed = with_loss::<Approximate<MaxDivergence>>((own, delta))?;
        let value = promising(make_fixed_approxDP_to_approxDP(fixed)?.map(&1.0)?.delta(epsilon)?)?;
        let claim = format!("pair_delta_claim {} {} {}", number(own)?, number(delta)?, number(epsilon)?);
        return Certificate::new(value, claim);
    }
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), source.positive()?.clamp(0.25, 64.0))?;
    let least = source.positive()? / 2f64.powi(24);
    let fixed = make_fix_delta(make_fixed_approxDP_to_approxDP(make_pureDP_to_approxDP(noisy)?)?, least)?;
    let (own, delta) = fixed.map(&1.0)?;
    let epsilon = own * f64::from(source.below(8)?) / 8.0;
    let value = make_fixed_approxDP_to_approxDP(fixed)?.map(&1.0)?.delta(epsilon)?;
    Certificate::new(value, format!("pair_delta_claim {} {} {}", number(own)?, number(delta)?, number(epsilon)?))
}

/// The bound is convex in `t`, and least where `2 rho t + rho - epsilon = ln(1 + 1/t)`: by bisection, to all digits of
/// `t`.
fn zcdp_to_profile(source: &mut Source) -> anyhow::Result<Certificate> {
    let is_wide = source.is_wide();
    let (rho, noisy) = if is_wide {
        let rho = source.positive()?;
        (rho, with_loss::<ZeroConcentratedDivergence>(rho)?)
    } else {
        concentrated(source.positive()?.clamp(0.25, 64.0))?
    };
    let epsilon = match is_wide.then(|| source.below(3)).transpose()? {
        Some(0) => source.positive()?,
        Some(1) => 0.0,
        _ => rho + f64::from(source.below(40)?) * rho.sqrt() / 8.0,
    };
    let (mut low, mut high) = (1e-300f64, 1e300f64);
    for _ in 0..200 {
        let t = low.sqrt() * high.sqrt();
        if 2.0 * rho * t - (epsilon - rho) < t.recip().ln_1p() { low = t } else { high = t }
    }
    let mut value = make_zCDP_to_approxDP(noisy)?.map(&1.0)?.delta(epsilon)?;
    if is_wide {
        value = promising(value)?;
    }
    Certificate::new(value, format!("cdp_delta_claim {} {} {}", number(rho)?, number(epsilon)?, number(low)?))
}

/// A curve that is known at one order, at an epsilon above it: no order below is better.
fn rdp_to_profile(source: &mut Source) -> anyhow::Result<Certificate> {
    let is_wide = source.is_wide();
    let (order, divergence) = if is_wide {
        (1.0 + source.between(2f64.powi(-52), 2f64.powi(52))?, source.positive()?)
    } else {
        (2.0 + source.positive()?.clamp(1.0, 64.0).floor(), source.positive()?.clamp(0.01, 4.0))
    };
    let noisy = with_loss::<RenyiDivergence>(RenyiCurve::from_points(vec![(order, divergence)])?)?;
    let above = if is_wide && source.below(2)? == 0 { source.positive()? } else { f64::from(source.below(16)?) / 16.0 };
    let epsilon = divergence + above;
    let mut value = make_RDP_to_approxDP(noisy)?.map(&1.0)?.delta(epsilon)?;
    if is_wide {
        value = promising(value)?;
    }
    let (divergence, epsilon, t) = (number(divergence)?, number(epsilon)?, number(order - 1.0)?);
    Certificate::new(value, format!("renyi_delta_claim {divergence} {epsilon} {t}"))
}

/// Many of a map's values, and how close to the real ones they are.
type Map = fn(&mut Source) -> anyhow::Result<Certificate>;

/// A value exceeds the real one by less than a part in 2 to the power of `bits`, and lowered by the part `lower` it is
/// below. Enclosures have 280 bits; where parameters are of all sizes, so many as `wide` says: what a sum of the
/// greatest float and the least has. Logarithms, which take longest, have these only where the least float may be a
/// difference from one.
struct Tightness {
    bits: u32,
    lower: f64,
    wide: u32,
}

const DIGITS: u32 = 280;
const ROUNDED: Tightness = Tightness { bits: 50, lower: 1e-13, wide: 2500 };
const STEPS: Tightness = Tightness { bits: 47, ..ROUNDED };
const LOGARITHM: Tightness = Tightness { wide: DIGITS, ..ROUNDED };
const STEPS_OF_LOGARITHMS: Tightness = Tightness { wide: DIGITS, ..STEPS };
const EXPONENTIAL: Tightness = Tightness { wide: 1500, ..ROUNDED };
const SEARCHED: Tightness = Tightness { bits: 36, lower: 1e-10, wide: 1500 };
const SEARCHED_AT_ONE: Tightness = Tightness { wide: DIGITS, ..SEARCHED };

const MAPS: [(&str, Map, Tightness); 30] = [
    ("make_laplace", laplace, ROUNDED),
    ("make_gaussian", gaussian, ROUNDED),
    ("make_composition", composition, ROUNDED),
    ("make_sum", sum, ROUNDED),
    ("make_count_by_categories", count_by_categories, ROUNDED),
    ("make_sum_by_categories", sum_by_categories, ROUNDED),
    ("make_sum_by_categories_of_individuals", sum_of_individuals, ROUNDED),
    ("make_bounded_range_to_zCDP", bounded_range_to_zcdp, ROUNDED),
    ("make_pureDP_to_bounded_range", pure_to_bounded_range, ROUNDED),
    ("make_pureDP_to_zCDP", pure_to_zcdp, EXPONENTIAL),
    ("make_randomized_response_bool", randomized_response_bool, LOGARITHM),
    ("make_randomized_response", randomized_response, LOGARITHM),
    ("make_count_by", count_by, ROUNDED),
    ("make_sum_by", sum_by, ROUNDED),
    ("make_count_individuals_by", count_individuals_by, ROUNDED),
    ("make_mean", mean, ROUNDED),
    ("make_variance", variance, STEPS),
    ("make_sum_of_squared_deviations", sum_of_squared_deviations, STEPS),
    ("make_covariance", covariance, STEPS),
    ("make_vector_sum", vector_sum, STEPS),
    ("make_b_ary_tree", b_ary_tree, STEPS),
    ("make_linear_queries", linear_queries, STEPS),
    ("make_zCDP_to_RDP", zcdp_to_rdp, ROUNDED),
    ("make_fixed_approxDP_to_approxDP", fixed_to_profile, EXPONENTIAL),
    ("make_zCDP_to_approxDP", zcdp_to_profile, SEARCHED),
    ("make_RDP_to_approxDP", rdp_to_profile, SEARCHED_AT_ONE),
    ("make_gaussian under Gaussian divergence", gaussian_divergence, ROUNDED),
    ("make_composition under Gaussian divergence", gaussian_composition, STEPS),
    ("make_GDP_to_zCDP", gdp_to_zcdp, ROUNDED),
    ("make_randomized_response_bitvec", randomized_response_bitvec, STEPS_OF_LOGARITHMS),
];

/// The maps' names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MAPS.iter().map(|(name, ..)| *name)
}

/// Coq's file: of every map of this part so many values, and so many at parameters of all sizes, where rounding may be
/// anything that is not below.
pub(crate) fn print(
    values: u32,
    extreme: u32,
    (part, parts): (usize, usize),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "Require Import List NArith ZArith. Import ListNotations.")?;
    writeln!(
        out,
        "From DP Require Import Dataset categories keys norms Oracle.Gaussian Oracle.Formulas Oracle.Claims."
    )?;
    let mut source = Source::new(7);
    for (place, (name, map, Tightness { bits, lower, wide })) in MAPS.into_iter().enumerate() {
        let mut theorems = Theorems::new(name, "certificate");
        for _ in 0..values {
            let Certificate { value, claim } = map(&mut source)?;
            ensure!(value.is_finite(), "{name}: a certificate is of a finite value");
            let (value, lowered) = (number(value)?, number(value * (1.0 - lower))?);
            theorems.push(format!("certify ({claim}) {value} (Some (Close {bits} {lowered})) {DIGITS}"));
        }
        source.widen(true);
        let (mut found, mut tries) = (0, 0);
        while found < extreme {
            tries += 1;
            ensure!(tries <= 100 * extreme, "{name}: at parameters of all sizes it hardly ever has a value");
            // What a map refuses, or gives as infinity, promises nothing.
            let Ok(Certificate { value, claim }) = map(&mut source) else { continue };
            if value.is_finite() {
                theorems.push(format!("certify ({claim}) {} None {wide}", number(value)?));
                found += 1;
            }
        }
        source.widen(false);
        if place % parts + 1 == part {
            theorems.write("Forall holds", out)?;
        }
    }
    Ok(())
}
