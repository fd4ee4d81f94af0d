//! Numbers with noise.

use crate::{
    Source, exercise,
    record::make,
    spaces::{float_domain, floats_for, integer_domain, integers_for, rows_of},
};
use indistinct::{measurements::Scale, prelude::*};

pub(crate) fn run(source: &mut Source) {
    match source.below(5) {
        0 => of_float(source),
        1 => of_floats(source),
        2 => of_integer(source),
        3 => of_integers(source),
        _ => bounded(source),
    }
}

/// A scale on a grid, which may be none.
fn scale(source: &mut Source) -> Scale {
    let scale = Scale::new(source.mostly_plain());
    match source.below(3) {
        0 => scale.on_grid(i32::from(source.byte()) * 10 - 1200),
        _ => scale,
    }
}

fn of_float(source: &mut Source) {
    let domain = float_domain(source);
    let data = floats_for(source, &domain, 1).pop().unwrap_or(0.0);
    let (scale, metric) = (scale(source), AbsoluteDistance::new());
    match source.below(3) {
        0 => exercise::measurement(make!(make_laplace(domain, metric, scale)), source, &data),
        1 => exercise::measurement(make!(make_gaussian(domain, metric, GaussianDivergence, scale)), source, &data),
        _ => {
            let rho = ZeroConcentratedDivergence;
            exercise::measurement(make!(make_gaussian(domain, metric, rho, scale)), source, &data);
        }
    }
}

fn of_floats(source: &mut Source) {
    let element = float_domain(source);
    let data = floats_for(source, &element, 3);
    let (rows, scale) = (rows_of(source, element, data.len()), scale(source));
    if source.coin() {
        exercise::measurement(make!(make_laplace(rows, L1Distance::new(), scale)), source, &data);
    } else {
        let rho = ZeroConcentratedDivergence;
        exercise::measurement(make!(make_gaussian(rows, L2Distance::new(), rho, scale)), source, &data);
    }
}

fn of_integer(source: &mut Source) {
    let domain = integer_domain(source);
    let data = integers_for(source, &domain, 1).pop().unwrap_or(0);
    let scale = scale(source);
    let metric = AbsoluteDistance::new();
    match source.below(4) {
        0 => exercise::measurement(make!(make_laplace(domain.clone(), metric, scale)), source, &data),
        2 => {
            let d_in = if source.coin() { f64::from(source.byte()) } else { source.mostly_plain() };
            let d_out = source.mostly_plain();
            exercise::measurement(make!(make_staircase(domain.clone(), metric, d_in, d_out)), source, &data);
        }
        1 => {
            let rho = ZeroConcentratedDivergence;
            exercise::measurement(make!(make_gaussian(domain.clone(), metric, rho, scale)), source, &data);
        }
        _ => {
            let bounds = source.coin().then(|| (source.integer(), source.integer()));
            let noisy = make!(make_geometric(domain.clone(), metric, scale.value(), bounds));
            if let Some(released) = noisy.as_ref().and_then(|noisy| exercise::release(source, noisy, &data)) {
                assert!(bounds.is_none_or(|(low, high)| low <= released && released <= high));
            }
            exercise::measurement(noisy, source, &data);
        }
    }
}

fn of_integers(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 3);
    let (rows, scale) = (rows_of(source, element, data.len()), scale(source));
    if source.coin() {
        exercise::measurement(make!(make_laplace(rows, L1Distance::new(), scale)), source, &data);
    } else {
        let rho = ZeroConcentratedDivergence;
        exercise::measurement(make!(make_gaussian(rows, L2Distance::new(), rho, scale)), source, &data);
    }
}

/// Noise with a range or a pair of its own.
fn bounded(source: &mut Source) {
    let domain = float_domain(source);
    let data = floats_for(source, &domain, 1).pop().unwrap_or(0.0);
    let metric = AbsoluteDistance::new();
    if source.coin() {
        let bound = source.mostly_plain();
        let snapped = make!(make_snapping(domain, metric, source.mostly_plain(), bound));
        if let Some(released) = snapped.as_ref().and_then(|snapped| exercise::release(source, snapped, &data)) {
            assert!(released.abs() <= bound);
        }
        exercise::measurement(snapped, source, &data);
    } else {
        let (d_in, d_out) = (source.mostly_plain(), (source.mostly_plain(), source.probability()));
        exercise::measurement(make!(make_canonical_noise(domain, metric, d_in, d_out)), source, &data);
    }
}
