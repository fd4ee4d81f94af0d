//! Releases of samples, and of shuffled reports.

use crate::{
    Source, exercise,
    record::{make, told},
    spaces::{integer_domain, integers_for, one_of, rows_of},
};
use indistinct::{bounds::RowMetric, prelude::*};

pub(crate) fn run(source: &mut Source) {
    match source.below(4) {
        0 => poisson(source),
        1 => without_replacement(source),
        2 => population(source),
        _ => shuffled(source),
    }
}

type Rows = VectorDomain<AtomDomain<i64>>;

fn noisy_count<M: RowMetric>(
    source: &mut Source,
    rows: Rows,
    metric: M,
) -> Option<Measurement<Rows, i64, M, MaxDivergence>> {
    told((rows, metric) >> then_count() >> then_laplace(source.mostly_plain()))
}

/// The same with a delta, which may be what the loss at distance 0 is.
fn told_outright<M: RowMetric>(
    source: &mut Source,
    rows: Rows,
    metric: M,
) -> Option<Measurement<Rows, (), M, Approximate<MaxDivergence>>> {
    let (epsilon, delta) = (source.mostly_plain(), source.probability());
    let at_zero = if source.below(8) == 0 { source.probability() } else { 0.0 };
    let release = |_: &[i64], _: &mut dyn indistinct::sampling::Entropy| Ok(());
    let map = move |d_in: &u32| {
        Ok(if *d_in == 0 { (0.0, at_zero) } else { (f64::from(*d_in) * epsilon, at_zero.max(delta)) })
    };
    make!(make_user_measurement(rows, metric, Approximate(MaxDivergence), release, map))
}

fn poisson(source: &mut Source) {
    let element = integer_domain(source);
    let (data, rate) = (integers_for(source, &element, 5), source.probability());
    let rows = if source.below(8) == 0 { VectorDomain::new(element).with_size(2) } else { VectorDomain::new(element) };
    one_of!(source: [SymmetricDistance, InsertDeleteDistance] |metric| if source.coin() {
        let Some(count) = noisy_count(source, rows.clone(), metric) else { return };
        exercise::measurement(make!(make_poisson_sampling(count, rate)), source, &data)
    } else {
        let Some(part) = told_outright(source, rows.clone(), metric) else { return };
        let Some(sampled) = make!(make_poisson_sampling(part, rate)) else { return };
        exercise::rises(source, &|d_in| sampled.map(d_in))
    });
}

fn without_replacement(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 6);
    let rows = rows_of(source, element, data.len() / 2);
    let population = if source.coin() { data.len() } else { source.size() };
    if source.coin() {
        let Some(count) = noisy_count(source, rows, ChangeOneDistance) else { return };
        exercise::measurement(make!(make_sampling_without_replacement(count, population)), source, &data);
    } else {
        let Some(part) = told_outright(source, rows, ChangeOneDistance) else { return };
        let Some(sampled) = make!(make_sampling_without_replacement(part, population)) else { return };
        exercise::rises(source, &|d_in| sampled.map(d_in));
    }
}

fn population(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let population = source.size().saturating_add(data.len());
    if source.coin() {
        let Some(count) = noisy_count(source, rows, ChangeOneDistance) else { return };
        let amplified = make!(make_population_amplification(count, population, AssumeSecretSample));
        exercise::measurement(amplified, source, &data);
    } else {
        let Some(part) = told_outright(source, rows, ChangeOneDistance) else { return };
        let Some(amplified) = make!(make_population_amplification(part, population, AssumeSecretSample)) else {
            return;
        };
        exercise::rises(source, &|d_in| amplified.map(d_in));
    }
}

fn shuffled(source: &mut Source) {
    let (size, delta) = (source.size(), source.probability());
    let prob = source.probability();
    let Some(response) = told(make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob)) else {
        return;
    };
    let reports = make!(make_shuffled_reports(response, size, delta));
    let data: Vec<bool> = (0..if source.coin() { size.min(8) } else { 3 }).map(|_| source.coin()).collect();
    exercise::measurement(reports, source, &data);
}
