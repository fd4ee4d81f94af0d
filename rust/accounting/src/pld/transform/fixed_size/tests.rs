//! The transform beside quadrature at 200 bits, and deltas beside a grid's.

use super::*;
use crate::{
    PrivacyLossDistribution as P,
    pld::{
        distribution::losses,
        integrate::{contour::Contour, discretized::Discretized},
        loss::direction::Direction,
        transform::fixed_size_decay::FixedSizeDecay,
    },
    units::{Rate, Sigma},
};
use indistinct_numeric::enclosure::Bounds;
use proptest::prelude::*;
use rug::{Float, float::Constant};

const BITS: u32 = 200;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// `ln C - u/2 - sigma^2 u^2/2`.
fn log_density(law: &FixedSizeGaussian, u: &Float) -> Float {
    let variance = wide(law.sigma) * law.sigma;
    let root = (Float::with_val(BITS, Constant::Pi) * 2u32).sqrt();
    let factor = (wide(law.sigma) / root).ln() - Float::with_val(BITS, variance.recip_ref()) / 8u32;
    factor - Float::with_val(BITS, u / 2u32) - variance * u.clone().square() / 2u32
}

/// `ln(1 + q (e^u - 1))`.
fn loss(law: &FixedSizeGaussian, u: &Float) -> Float {
    (Float::with_val(BITS, u.exp_m1_ref()) * law.rate).ln_1p()
}

/// An integral from 0 to the end, by the tanh-sinh rule.
fn integral(end: f64, f: impl Fn(&Float) -> Float) -> Float {
    let mut sum = wide(0.0);
    for i in -1400i32..=1400 {
        let s = wide(f64::from(i) / 280.0);
        let inner = s.clone().sinh() * Float::with_val(BITS, Constant::Pi) / 2u32;
        // The distance to the end that is nearer, with all its digits.
        let near = Float::with_val(BITS, Float::with_val(BITS, inner.abs_ref()) * 2u32).exp() + 1u32;
        let near = Float::with_val(BITS, near.recip_ref()) * end;
        let u = if i < 0 { near } else { wide(end) - near };
        let speed = s.cosh() * Float::with_val(BITS, Constant::Pi) / 4u32 * end / inner.cosh().square();
        sum += f(&u) * speed;
    }
    sum / 280u32
}

/// M - 1 of the law up to its end, at `tilt + i t`: without what the end leaves out, which is below its bound.
fn transform(law: &FixedSizeGaussian, tilt: f64, t: f64) -> (Float, Float) {
    let part = |is_real: bool| {
        integral(law.end.unwrap(), |u| {
            let (y, weight) = (loss(law, u), log_density(law, u).exp());
            let high = (y.clone() * (wide(tilt) + 1u32)).exp();
            let low = (y.clone() * -wide(tilt)).exp();
            let angle = y.clone() * t;
            let value = if is_real { (high + low) * angle.cos() - y.exp() - 1u32 } else { (high - low) * angle.sin() };
            value * weight
        })
    };
    (part(true), part(false))
}

fn law(sigma: f64, rate: f64) -> FixedSizeGaussian {
    let law = FixedSizeGaussian { sigma, rate, end: None };
    law.truncated(1000.0, -50.0).unwrap().0
}

const LAWS: [(f64, f64, f64); 6] =
    [(1.0, 0.01, 3.0), (0.6, 0.001, 2.0), (5.0, 0.03, 40.0), (2.0, 1e-6, 10.0), (1.0, 0.5, 0.25), (30.0, 0.2, 90.0)];

#[test]
fn values_contain_what_quadrature_finds() {
    for (sigma, rate, tilt) in LAWS {
        let law = law(sigma, rate);
        let period = 16.0 * sigma;
        let values = law.values(&Nodes::new(tilt, period, 40)).unwrap();
        let (whole, _) = transform(&law, tilt, 0.0);
        let lost = law.beyond(law.end.unwrap()).unwrap().get();
        let log = Float::with_val(BITS, whole.ln_1p_ref());
        let Bounds { lower, upper } = values.log_normalizer.bounds();
        assert!(lower <= log && upper >= log.clone() - lost, "{sigma} {rate}: {lower:e} {upper:e} {log:e}");
        assert!(upper - lower <= 1e-13 * upper, "{sigma} {rate}: {lower:e} {upper:e}");
        for n in [1u32, 2, 7, 39] {
            let t = TAU * f64::from(n) / period;
            let (re, im) = transform(&law, tilt, t);
            let turn = wide(values.center) * f64::from(n) / period * Float::with_val(BITS, Constant::Pi) * -2i32;
            let (cosine, sine) = (turn.clone().cos(), turn.sin());
            let (re, im) = (re + 1u32, im);
            let whole = whole.clone() + 1u32;
            let turned = (re.clone() * &cosine - im.clone() * &sine, re * sine + im * cosine);
            let found = values.less_one[usize::try_from(n).unwrap()];
            let off = (turned.0 / &whole - 1u32 - found.re).hypot(&(turned.1 / whole - found.im));
            // The reference's frequency is a float near the node's.
            let slack = 1e-15 * t * values.center.abs().max(found.modulus());
            assert!(off.to_f64() <= found.radius + slack, "{sigma} {rate} {n}: {off:e} {found:?}");
            assert!(found.radius <= 1e-11 * found.modulus().max(1e-6), "{sigma} {rate} {n}: {found:?}");
        }
    }
}

/// The bound on the rule's error holds for coarse rules too, and a rule with half of the points is off by more.
#[test]
fn a_rule_is_as_good_as_it_says() {
    let mut is_caught = false;
    for (sigma, rate, tilt) in LAWS {
        let law = law(sigma, rate);
        let factor = Above::of(&exp_or_tiny(&law.log_factor()));
        let integrand = Integrand { law, end: law.end.unwrap(), tilt, variance: law.variance(), factor };
        let t = 5.0 * sigma;
        let (truth, _) = transform(&law, tilt, t);
        for goal in [-6.0, -12.0, -20.0, -30.0] {
            let goal = truth.clone().abs().ln().to_f64() + goal;
            let Rule { points, error } = integrand.rule(Above::exact(t), goal).unwrap();
            let term = |point: &Point| {
                let (y, weight) = (wide(point.loss.lower()), wide(point.log_weight.lower()).exp());
                let both = (y.clone() * (1.0 + tilt)).exp() + (y.clone() * -tilt).exp();
                (both * (y.clone() * t).cos() - y.exp() - 1u32) * weight
            };
            let sum = points.iter().map(term).fold(wide(0.0), |sum, term| sum + term);
            let half = points.iter().step_by(2).map(term).fold(wide(0.0), |sum, term| sum + term) * 2u32;
            let off = |sum: Float| (sum - &truth).abs().to_f64();
            let rounding = 1e-12 * truth.clone().abs().to_f64();
            let found = off(sum);
            assert!(found <= error.get() + rounding, "{sigma} {rate} {goal}: {found:e} {:e}", error.get());
            is_caught |= off(half) > error.get() + rounding;
        }
    }
    assert!(is_caught);
}

#[test]
fn it_falls_at_least_as_fast_as_claimed() {
    for (sigma, rate, tilt) in LAWS {
        let law = law(sigma, rate);
        let fall = FixedSizeDecay::new(&law, tilt).unwrap();
        let values = law.values(&Nodes::new(tilt, 4.0 * sigma, 60)).unwrap();
        let size = |n: u32| {
            let x = values.less_one[usize::try_from(n).unwrap()];
            (1.0 + x.re).hypot(x.im) + x.radius
        };
        let mut claimed = 0f64;
        for from in [1u32, 2, 5, 20, 50] {
            let log_decay = fall.log_decay(TAU * f64::from(from) / (4.0 * sigma)).get();
            let slowest = (from..60).map(|n| -size(n).ln()).fold(f64::INFINITY, f64::min);
            assert!(log_decay <= slowest, "{sigma} {rate} {from}: {log_decay} {slowest}");
            claimed = claimed.max(log_decay / slowest);
        }
        // Not nothing.
        assert!(claimed > 0.3, "{sigma} {rate}: {claimed}");
    }
}

/// What an end leaves out of both sides is below its bound, and not far below.
#[test]
fn what_is_left_out_is_charged() {
    for (sigma, rate, _) in LAWS {
        let law = FixedSizeGaussian { sigma, rate, end: None };
        let (ended, lost) = law.truncated(1.0, -20.0).unwrap();
        let far = FixedSizeGaussian { end: Some(ended.end.unwrap() + 12.0 / sigma), ..law };
        let mass = |law: &FixedSizeGaussian| {
            integral(law.end.unwrap(), |u| log_density(law, u).exp() * (loss(law, u).exp() + 1u32))
        };
        let truth = (mass(&far) - mass(&ended)).to_f64();
        assert!(truth <= lost.get() && lost.get() < 40.0 * truth, "{sigma} {rate}: {truth:e} {:e}", lost.get());
    }
}

fn training(sigma: f64, rate: f64, steps: u64) -> Vec<(crate::pld::loss::finite_loss::FiniteLoss, u64)> {
    losses(&P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap(), Direction::Remove)
}

/// One road by quadrature, the other by cells of a lattice.
fn both(sigma: f64, rate: f64, steps: u64, epsilon: f64) -> Option<(Bounds, Bounds)> {
    let losses = training(sigma, rate, steps);
    let contour = Contour::to((19.0, 16_384.0), &losses, epsilon, 0.0)?.delta(epsilon);
    let grid = Discretized::new(&losses, epsilon, contour.upper.ln()).and_then(|grid| grid.delta(epsilon));
    Some((contour, grid.unwrap_or(Bounds { lower: 0.0, upper: 1.0 })))
}

fn agree(x: Bounds, y: Bounds) -> bool {
    x.lower <= y.upper && y.lower <= x.upper
}

#[test]
fn deltas_agree_with_a_grid() {
    let mut apart = 0;
    for (sigma, rate, steps, epsilon) in [
        (1.0, 0.01, 50, 0.84),
        (1.0, 0.01, 400, 1.5),
        (5.0, 0.03, 50, 0.18),
        (5.0, 0.03, 1000, 0.2),
        (1.0, 0.5, 50, 29.0),
        (20.0, 0.1, 100, 0.05),
        (0.6, 0.001, 2000, 2.0),
    ] {
        let (contour, grid) = both(sigma, rate, steps, epsilon).unwrap();
        let name = format!("{sigma} {rate} {steps}: {contour:?} {grid:?}");
        assert!(agree(contour, grid), "{name}");
        assert!(contour.upper - contour.lower <= 1e-6 * contour.upper, "{name}");
        assert!(grid.upper - grid.lower <= 0.5 * grid.upper, "{name}");
        // A negative control: with Poisson samples delta is less, and the grid tells.
        let poisson = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
        let less = poisson.delta(epsilon).unwrap();
        assert!(less.upper < contour.lower, "{name}: {less:?}");
        apart += u32::from(less.upper < grid.lower);
    }
    assert!(apart > 3, "{apart}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn deltas_agree_with_a_grid_anywhere(
        sigma in 0.5f64..8.0, rate in -3.0f64..-0.1, steps in 60u64..400, share in 0.3f64..3.0,
    ) {
        let rate = 10f64.powf(rate);
        let epsilon = share * rate * 8f64.sqrt() / sigma * 20.0;
        if let Some((contour, grid)) = both(sigma, rate, steps, epsilon) {
            prop_assert!(agree(contour, grid), "{contour:?} {grid:?}");
        }
    }
}

/// As finitely many losses, the values are those that are reckoned afresh at each node; weights that are left out
/// count.
#[test]
fn values_as_atoms() {
    for (sigma, rate, tilt) in [(1.0, 0.1, 3.25), (0.5, 0.01, 1.5), (4.0, 0.6, 20.0), (1.0, 0.999, 2.0)] {
        let (law, _) = FixedSizeGaussian { sigma, rate, end: None }.truncated(1.0, -30.0).unwrap();
        let nodes = Nodes::new(tilt, 2.2 * law.loss(&Ball::exact(law.end.unwrap())).upper(), 150);
        let factor = Above::of(&exp_or_tiny(&law.log_factor()));
        let integrand = Integrand { law, end: law.end.unwrap(), tilt, variance: law.variance(), factor };
        let rule = integrand.rule(nodes.frequency(), -40.0).unwrap();
        let (atoms, afresh) = (law.values_of_atoms(&rule, &nodes).unwrap(), law.values(&nodes).unwrap());
        let apart = atoms.log_normalizer.sub(&afresh.log_normalizer);
        assert!(apart.lower() <= 0.0 && 0.0 <= apart.upper(), "{sigma} {rate}: {apart:?}");
        for (n, (x, y)) in atoms.less_one.iter().zip(&afresh.less_one).enumerate() {
            let turns = f64::from(u32::try_from(n).unwrap()) * ((atoms.center - afresh.center) / nodes.period);
            let turned = ComplexBall::ONE.add(x).mul(&ComplexBall::on_circle(turns, turns.abs() * 1e-15));
            let (re, im) = (turned.re - 1.0 - y.re, turned.im - y.im);
            assert!(re.hypot(im) <= turned.radius + y.radius + 1e-16, "{sigma} {rate} {n}: {turned:?} {y:?}");
            assert!(x.radius < 1e-11, "{sigma} {rate} {n}: {x:?}");
        }
    }
}
