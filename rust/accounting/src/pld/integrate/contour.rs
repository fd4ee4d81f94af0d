//! Delta as an integral through the saddle point of the moment generating function, with every error charged.
//!
//! With M(z) = E[e^(z L)] for the sum L of all losses under the first distribution, c > 0 and A > 0, the trapezoid sum
//! `(1/A) sum over n of M(z) e^(-z epsilon) / (z (z + 1))`, `z = c + 2 pi i n / A`, is
//! `sum over m of D(epsilon + m A) e^(c m A)`: delta, and terms that are not negative and fall geometrically on either
//! side (Poisson summation). For a lattice the sum over n closes after as many points as there are steps in A, with a
//! kernel in place of `1/(z (z + 1))`. See `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    integrate::{
        aliasing::Aliasing,
        chernoff::ChernoffBound,
        kernel::{Exponent, Kernel, total, variance},
        saddle_point::Plan,
        truncate::Truncated,
    },
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, number},
        sampled_gaussian::SampledGaussian,
        tails::ShiftedDecay,
    },
    transform::{
        decay::GaussianDecay,
        exponential_decay::ExponentialDecay,
        far_out::Product,
        fixed_size_decay::FixedSizeDecay,
        nodes::{Nodes, Values},
        tilted::TiltedDensity,
    },
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{
        Ball, Bounds, CompensatedSum, ComplexBall, EXP_NEAR_ERROR, Enclosure, Interval, UNIT_ROUNDOFF, exp_near,
        exp_or_tiny, midpoint,
    },
};
use std::f64::consts::TAU;

/// So many points at most are near, where there are others far out.
const NEAR: u32 = 64;
/// So many steps multiply what a logarithm is off by to more than the usual goal.
const MANY_STEPS: u64 = 1 << 18;
/// No more points on a contour than this.
pub(crate) const MOST_POINTS: f64 = 16_384.0;

/// The integrand at the nodes of a contour, for every epsilon near that for which the contour was chosen; the bounds
/// hold for any.
#[derive(Debug)]
pub(crate) struct Contour {
    pub(crate) tilt: f64,
    pub(crate) period: f64,
    /// `M(z)/(z (z + 1))` at the points, by their numbers, over the log_normalizer.
    pub(crate) values: Vec<(u32, ComplexBall)>,
    pub(crate) log_normalizer: Interval<192>,
    pub(crate) variance: Ball,
    /// The phase of the loss, without epsilon.
    pub(crate) shift: Ball,
    /// The sum beyond the last node, over the log_normalizer.
    pub(crate) remainder: Above,
    pub(crate) wrapped: Aliasing,
    /// The part left out of the sum: the losses that are all near zero.
    pub(crate) bulk: Option<ChernoffBound>,
    /// The probability of what was truncated.
    pub(crate) truncated_mass: Above,
}

impl Contour {
    /// To a goal, with no more points than are spent on it.
    pub(crate) fn to((goal, most): (f64, f64), losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let (truncated, mut plan) = Truncated::plan(losses, epsilon, (goal, known))?;
        // The bounds claim somewhat less than there is.
        let points = plan.frequency * plan.period / TAU * 1.3;
        if points.is_nan() || points > most {
            return None;
        }
        let above = ChernoffBound::new(&truncated.losses, plan.higher)?;
        plan.make_room(goal, &above, epsilon);
        let mut fall = JointDecay { variance: Below::of(&variance(losses)).or(Below::ZERO), decays: Vec::new() };
        for (loss, count) in &truncated.losses {
            let decay = match loss {
                FiniteLoss::Sampled(law) => MarginalDecay::Sampled(decay(law, plan.tilt)?),
                FiniteLoss::FixedSize(law) => MarginalDecay::FixedSize(FixedSizeDecay::new(law, plan.tilt)?),
                FiniteLoss::Exponential(law) => MarginalDecay::Exponential(law.decay(plan.tilt)),
                FiniteLoss::ByTails(law) => MarginalDecay::Shifted(law.decay(plan.tilt)?),
                FiniteLoss::Gaussian { .. } | FiniteLoss::Lattice(_) | FiniteLoss::Loose(_) => continue,
            };
            fall.decays.push((decay, number(*count)));
        }
        let (count, log_decay) = fall.points(&plan, goal, most)?;
        let nodes = Nodes::new(plan.tilt, plan.period, count);
        let transforms = Transforms::new(&truncated.losses, &nodes)?;
        let beyond = (-log_decay).exp() * nodes.remainder() * transforms.at_tilt();
        let found = Self::of(transforms, &truncated.losses, &plan, beyond, above)?;
        Some(Self { truncated_mass: truncated.mass, ..found })
    }

    /// From transforms and the Gaussian losses beside them; `remainder` is the sum beyond the last node, over the
    /// log_normalizer.
    pub(crate) fn of(
        transforms: Transforms,
        gaussians: &FiniteLosses,
        plan: &Plan,
        remainder: Above,
        above: ChernoffBound,
    ) -> Option<Self> {
        let Plan { tilt, period, .. } = *plan;
        let Transforms { mut values, log_normalizer, center } = transforms;
        let variance = variance(gaussians);
        let shift = variance.mul(&Ball::exact(tilt).add(&Ball::exact(0.5))).add(&center);
        let root = Ball::inverse_root_two_pi().mul(&Ball::exact(period));
        // Minus variance/2 (2 pi/A)^2, to be multiplied by n^2.
        let spread = Ball::exact(0.0).sub(&variance).mul(&Ball::exact(0.5)).div(&root.mul(&root));
        let two_pi = Ball::exact(1.0).div(&Ball::inverse_root_two_pi().mul(&Ball::inverse_root_two_pi()));
        let spread = spread.mul(&two_pi);
        let is_gaussian = variance.upper() > 0.0;
        let kernel = Kernel::new(tilt, period);
        for (node, value) in &mut values {
            let n = f64::from(*node);
            if is_gaussian {
                let fallen = spread.mul(&Ball::exact(n).mul(&Ball::exact(n)));
                *value = value.mul(&ComplexBall::real(if n < f64::from(NEAR) {
                    midpoint(&exp_or_tiny(&fallen))
                } else {
                    exponential_near(&fallen)
                }));
            }
            *value = value.mul(&kernel.at(*node));
        }
        let wrapped = Aliasing::below(above, plan)?;
        Some(Self {
            tilt,
            period,
            values,
            log_normalizer,
            variance,
            shift,
            remainder,
            wrapped,
            bulk: None,
            truncated_mass: Above::ZERO,
        })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        type E = Interval<192>;
        let mut sum = CompensatedSum::default();
        for (weight, value) in self.turned(epsilon) {
            sum.add(weight * value.re, weight * value.radius);
        }
        let (sum, error) = sum.bounds();
        let Self { log_normalizer, variance, tilt, .. } = self;
        let exponent = Exponent { log_normalizer, variance, tilt: *tilt, epsilon: E::exact(epsilon) };
        let error = (self.remainder + error).get();
        let sum = E::exact(sum).add(&E::between(-error, error));
        let sum = sum.div(&E::exact(self.period)).mul(&exponent.value().exp());
        let Bounds { lower, upper } = self.wrapped.enclose_delta(sum, epsilon);
        let bulk = self.bulk.as_ref().map_or(Above::ZERO, |bulk| bulk.at(epsilon));
        Bounds { lower, upper: (bulk + self.truncated_mass + upper).get().min(1.0) }
    }

    /// The summands at each node, for an epsilon, and their multiplicities.
    fn turned(&self, epsilon: f64) -> impl Iterator<Item = (f64, ComplexBall)> {
        let (turn, error) = midpoint(&self.shift.sub(&Ball::exact(epsilon)).div(&Ball::exact(self.period)));
        self.values.iter().map(move |(n, value)| {
            let weight = if *n == 0 { 1.0 } else { 2.0 };
            let n = f64::from(*n);
            let angle = n * turn;
            let turned = ComplexBall::on_circle(angle, n * error + UNIT_ROUNDOFF * angle.abs());
            (weight, value.mul(&turned))
        })
    }
}

/// The product of the transforms of all losses but the Gaussian ones, at the nodes of a contour.
#[derive(Debug, Clone)]
pub(crate) struct Transforms {
    /// By the numbers of the nodes, the base point first, over the log_normalizer.
    values: Vec<(u32, ComplexBall)>,
    log_normalizer: Interval<192>,
    /// Their phase.
    center: Ball,
}

impl Transforms {
    /// The value at the base point, over the log_normalizer.
    pub(crate) fn at_tilt(&self) -> Above {
        Above::promised(self.values.first().map_or(f64::NAN, |(_, value)| value.modulus()))
    }

    pub(crate) fn new(losses: &FiniteLosses, nodes: &Nodes) -> Option<Self> {
        Self::by((0..nodes.count).collect(), losses, |loss, count| transform((loss, count), nodes))
    }

    /// At nodes by their numbers, which rise from 0 on one after another at first: those as on any contour, and the
    /// others in floats.
    pub(crate) fn at(numbers: &[u32], losses: &FiniteLosses, (tilt, period): (f64, f64)) -> Option<Self> {
        let consecutive = (0..NEAR).zip(numbers).take_while(|(i, n)| i == *n).count();
        let (_, far) = numbers.split_at(consecutive);
        let nodes = Nodes::new(tilt, period, u32::try_from(consecutive).ok()?);
        let near = Self::new(losses, &nodes)?;
        let mut product = Product::new((tilt, period));
        let others = losses.iter().filter(|(loss, count)| !product.take(loss, *count, tilt));
        let others: Vec<_> = others.cloned().collect();
        let rest = Self::by(far.to_vec(), &others, |loss, _| loss.values_at((tilt, period), far))?;
        let turned = product.center.add(&rest.center).sub(&near.center).div(&Ball::exact(period));
        let (turn, error) = midpoint(&turned);
        let far = rest.values.iter().zip(product.values(far)).map(|((n, rest), value)| {
            let times = f64::from(*n);
            let angle = times * turn;
            let turned = ComplexBall::on_circle(angle, times * error + UNIT_ROUNDOFF * angle.abs());
            (*n, value.mul(rest).mul(&turned))
        });
        let values = near.values.iter().copied().chain(far).collect();
        Some(Self { values, ..near })
    }

    fn by(
        numbers: Vec<u32>,
        losses: &FiniteLosses,
        transform: impl Fn(&FiniteLoss, u64) -> Option<Values>,
    ) -> Option<Self> {
        let (mut log_normalizers, mut center) = (Vec::new(), Ball::exact(0.0));
        let mut values: Vec<_> = numbers.into_iter().map(|n| (n, ComplexBall::ONE)).collect();
        for (loss, count) in losses {
            if matches!(loss, FiniteLoss::Gaussian { .. }) {
                continue;
            }
            let found = transform(loss, *count)?;
            log_normalizers.push((found.log_normalizer, *count));
            center = center.add(&Ball::exact(found.center).mul(&Ball::exact(number(*count))));
            for ((_, value), less_one) in values.iter_mut().zip(&found.less_one) {
                *value = value.mul(&less_one.power_of_one_plus(*count));
            }
        }
        Some(Self { values, log_normalizer: total(&log_normalizers), center })
    }
}

/// The exponential of what is not positive, in floats, and what that is off by.
fn exponential_near(x: &Ball) -> (f64, f64) {
    let (middle, error) = midpoint(x);
    let value = exp_near(middle);
    // e^x - 1 <= 1.1 x up to 0.1; below e^-700 it is taken for 0.
    let share = if error <= 0.1 { Above::exact(error) * 1.1 + EXP_NEAR_ERROR * 1.5 } else { Above::UNKNOWN };
    (value, (share * value + 1e-300).get())
}

/// How fast one distribution's characteristic function is known to fall.
enum MarginalDecay {
    Sampled(GaussianDecay),
    Exponential(ExponentialDecay),
    FixedSize(FixedSizeDecay),
    Shifted(ShiftedDecay),
}

impl MarginalDecay {
    /// A lower bound on the fall of the logarithm, from a frequency on.
    fn log_decay(&self, frequency: f64, angle: &mut i32) -> Below {
        match self {
            Self::Sampled(decay) => decay.log_decay(frequency, angle),
            Self::Exponential(fall) => fall.log_decay(frequency),
            Self::FixedSize(fall) => fall.log_decay(frequency),
            Self::Shifted(decay) => decay.log_decay(frequency),
        }
    }
}

/// How fast a distribution's transform falls: finer than the integral needs, if it does not need much.
fn decay(law: &SampledGaussian, tilt: f64) -> Option<GaussianDecay> {
    TiltedDensity::new(law, tilt, if law.truncation.is_some() { 1.0 } else { 2.0 })?.decay()
}

/// A loss's transform on a contour: where the real axis takes many points, on a shifted one, which takes fewer. For
/// many steps, the value at the base point is known to more digits by the real axis.
fn transform((loss, count): (&FiniteLoss, u64), nodes: &Nodes) -> Option<Values> {
    let off_axis = match loss {
        FiniteLoss::Sampled(law) => law.off_axis(nodes),
        _ => None,
    };
    let Some(found) = off_axis else { return loss.values(nodes) };
    let at_base = || loss.values(&Nodes { count: 1, ..*nodes }).map(|base| base.log_normalizer);
    let better = if count >= MANY_STEPS { at_base() } else { None };
    let better = better.filter(|better| width(better) < width(&found.log_normalizer));
    Some(Values { log_normalizer: better.unwrap_or(found.log_normalizer), ..found })
}

fn width(ball: &Ball) -> f64 {
    ball.upper() - ball.lower()
}

/// How far the logarithm of the moment generating function's modulus falls along a contour.
struct JointDecay {
    variance: Below,
    decays: Vec<(MarginalDecay, f64)>,
}

impl JointDecay {
    /// From a frequency on; where each search ended is kept for the next.
    fn at(&self, frequency: f64, angles: &mut [i32]) -> Below {
        let mut sum = Below::exact(frequency).squared() * 0.5 * self.variance;
        for ((decay, count), angle) in self.decays.iter().zip(angles) {
            sum += decay.log_decay(frequency, angle) * *count;
        }
        sum
    }

    /// How many points it takes until nothing matters any more beside the goal, and how far it has fallen there.
    fn points(&self, plan: &Plan, goal: f64, most: f64) -> Option<(u32, Below)> {
        let Plan { period, base, estimate, .. } = *plan;
        let mut angles = vec![20; self.decays.len()];
        let mut enough = |frequency: f64| {
            let log_decay = self.at(frequency, &mut angles);
            let spread = (2.0 / (frequency * frequency * period) + 2.0 / (TAU * frequency)).ln();
            (log_decay.get() >= goal - estimate + base + spread).then_some(log_decay)
        };
        let (mut low, mut high) = (0.0, plan.frequency * 1.2);
        let mut found = enough(high);
        if found.is_none() {
            // If not even as many as are spent are enough, no fewer are looked at.
            enough(most * TAU / period)?;
        }
        while found.is_none() {
            (low, high) = (high, high * 1.2);
            if high.is_nan() || high <= 0.0 || high * period / TAU > most {
                return None;
            }
            found = enough(high);
        }
        for _ in 0..3 {
            let middle = low + (high - low) / 2.0;
            match enough(middle) {
                Some(log_decay) => (high, found) = (middle, Some(log_decay)),
                None => low = middle,
            }
        }
        let count = Nodes::up_to(high, period).filter(|count| f64::from(*count) <= MOST_POINTS)?;
        Some((count, found?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{
            distribution::losses,
            integrate::{contour::Contour, discretized::Discretized},
            loss::{direction::Direction, sampled_gaussian::Side, truncation::Sharpness},
        },
        units::{Rate, Sigma},
    };
    use indistinct_numeric::{enclosure::Bounds, gmp::Rational};
    use proptest::prelude::*;

    fn agree(x: Bounds, y: Bounds) -> bool {
        x.lower <= y.upper && y.lower <= x.upper
    }

    fn grid(losses: &FiniteLosses, epsilon: f64) -> Bounds {
        let found = Discretized::new(losses, epsilon, 0.0).and_then(|discretized| discretized.delta(epsilon));
        found.unwrap_or(Bounds { lower: 0.0, upper: 1.0 })
    }

    /// What is truncated is charged: a negative control that forgets it claims too little.
    #[test]
    fn what_is_cut_off_is_charged() {
        let mut caught = false;
        for (sigma, rate, steps, epsilon) in [(0.7, 0.01, 300, 1.0), (1.0, 0.001, 2000, 0.6), (1.0, 0.02, 500, 1.5)] {
            let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
            let losses = losses(&all, Direction::Remove);
            let grid = grid(&losses, epsilon);
            let truncated = Truncated::new(&losses, grid.upper.ln() - 1.0);
            let nodes = Contour::to((19.0, 4096.0), &truncated.losses, epsilon, 0.0).unwrap().delta(epsilon);
            assert!(
                nodes.lower <= grid.upper && nodes.upper + truncated.mass.get() >= grid.lower,
                "{nodes:?} {grid:?}"
            );
            assert!(truncated.mass.get() > 0.0 && truncated.mass.get() < grid.upper, "{:e}", truncated.mass.get());
            let whole = Contour::to((19.0, 4096.0), &losses, epsilon, 0.0).unwrap().delta(epsilon);
            caught |= nodes.upper < whole.lower;
            assert!(agree(whole, grid) && whole.upper - whole.lower < 1e-4 * whole.upper, "{whole:?} {grid:?}");
        }
        assert!(caught);
    }

    /// A vector of a looseness: with what is kept, with weights, and with the value at the base point to single digits
    /// of floats, 6e11 steps multiplied what they were off by to a tenth.
    #[test]
    fn many_steps_are_known() {
        for (sigma, rate, steps, epsilon) in [
            (5.467_867, 9.368_175e-7, 617_660_596_483, 0.665_729_6),
            (4.218_292, 4.048_336e-7, 246_160_530_784, 0.160_246_9),
            (1.877_362, 1e-6, 1 << 36, 1.5),
            (60.0, 1e-5, 1 << 38, 0.6),
        ] {
            let losses = losses(
                &P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap(),
                Direction::Remove,
            );
            let contour =
                |goal: f64, known: f64| Contour::to((goal, 4096.0), &losses, epsilon, known).unwrap().delta(epsilon);
            let first = contour(32.0, 0.0);
            let found = contour(24.0, first.upper.ln());
            let name = format!("{sigma} {rate} {steps}: {first:?} {found:?}");
            assert!(agree(first, found) && found.upper - found.lower < 1e-5 * found.upper, "{name}");
        }
    }

    /// The value at the base point by the real axis is that of the shifted contour, to more digits.
    #[test]
    fn the_base_point_by_both_axes() {
        let (mut seen, mut narrower) = (0, 0);
        for (sigma, rate, tilt, period) in
            [(0.5, 1e-6, 30.0, 0.1), (1.0, 1e-3, 20.0, 0.05), (3.0, 0.1, 5.0, 0.01), (0.8, 1e-8, 12.0, 0.01)]
        {
            for side in [Side::Remove, Side::Add] {
                let law = SampledGaussian { sigma, rate, side, truncation: None };
                let cut =
                    law.density_cells().and_then(|cells| law.truncated(&cells, 1e6, -40.0, (Sharpness::Sharp, 1.0)));
                for law in [Some(law), cut.map(|found| found.0)].into_iter().flatten() {
                    let nodes = Nodes::new(tilt, period, 64);
                    let Some(shifted) = law.off_axis(&nodes) else { continue };
                    seen += 1;
                    let found = transform((&FiniteLoss::Sampled(law), MANY_STEPS), &nodes).unwrap().log_normalizer;
                    let (shifted, name) = (shifted.log_normalizer, format!("{law:?} {tilt}"));
                    assert!(shifted.lower() <= found.upper() && found.lower() <= shifted.upper(), "{name}");
                    assert!(width(&found) <= width(&shifted), "{name}");
                    narrower += u32::from(width(&found) < 0.1 * width(&shifted));
                }
            }
        }
        assert!(seen >= 6 && narrower >= 3, "{seen} {narrower}");
    }

    /// Many small losses at rates so small that a tilt is 10^5 and more: the truth by a plain sum over a line of the
    /// integral of the density in floats, without what is far out.
    #[test]
    fn small_rates_against_another_sum() {
        for (sigma, rate, count, epsilon, truth) in [
            (3.63, 6.37e-7, 16_384, 2.29e-5, 1.912_887_812_985e-6),
            (2.04, 1.87e-7, 4_194_304, 2e-4, 1.657_391_739_889e-5),
            (2.23, 4.43e-7, 2_048, 9.46e-6, 8.012_946_329_519e-7),
            (3.0, 1.3e-6, 256, 2e-5, 7.273_789_401_186e-9),
            (2.53, 1.61e-7, 256, 2e-6, 1.395_263_323_565e-8),
        ] {
            let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(count).unwrap();
            let Bounds { lower, upper } = all.delta_in(epsilon, Direction::Remove).unwrap();
            let name = format!("{sigma} {rate} {count}: {lower:e} {truth:e} {upper:e}");
            assert!(lower <= truth * (1.0 + 1e-10) && truth * (1.0 - 1e-10) <= upper, "{name}");
            assert!(upper - lower <= 1e-7 * upper, "{name}");
        }
    }

    /// The same beside much noise, where nothing but a steep cut ends soon enough.
    #[test]
    fn much_noise_against_another_sum() {
        for (sigma, rate, count, epsilon, truth) in [
            (394.4, 5.993_198e-7, 2_097_152, 1.1441e-5, 3.971_539_423_193e-14),
            (92.3, 9.223e-4, 8, 1.493e-4, 4.344_044_103_827e-13),
            (4_327.65, 4.4657e-8, 33_554_432, 0.0, 2.384_637_845_99e-8),
            (89.58, 1.878e-5, 1_024, 1.507e-4, 1.026_644_112_943e-117),
            (456.0, 4.7617e-6, 1_024, 1.0662e-6, 6.415_233_192_671e-11),
            (40.0, 1e-3, 3, 4e-4, 1.109_239_095_533e-23),
            (12.0, 3e-3, 20, 1e-2, 1.047_442_316_337e-20),
            (16.0, 1e-6, 16, 3e-7, 1.452_793_633_367e-8),
        ] {
            let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(count).unwrap();
            let found = Contour::to((19.0, 4096.0), &losses(&all, Direction::Remove), epsilon, 0.0).unwrap();
            let Bounds { lower, upper } = found.delta(epsilon);
            let name = format!("{sigma} {rate} {count}: {lower:e} {truth:e} {upper:e}");
            assert!(lower <= truth * (1.0 + 1e-10) && truth * (1.0 - 1e-10) <= upper, "{name}");
            assert!(upper - lower <= 1e-4 * upper, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn lines_agree_with_a_grid(
            log_sigma in -0.3f64..2.3, rate in -4.0f64..-1.0, expected in -0.5f64..1.5, share in 0.1f64..6.0, replace: bool,
        ) {
            let (sigma, rate) = (10f64.powf(log_sigma), 10f64.powf(rate));
            let steps = (10f64.powf(expected) / rate).ceil();
            let one = if replace { P::poisson_gaussian_replace(Sigma(sigma), Rate(rate)) } else { P::poisson_gaussian(Sigma(sigma), Rate(rate)) };
            let times = Rational::from_f64(steps).unwrap().numer().to_u64().unwrap();
            let losses = losses(&one.unwrap().repeat(times).unwrap(), Direction::Remove);
            let deviation = rate * (1.0 / (sigma * sigma)).exp_m1().sqrt() * steps.sqrt();
            let epsilon = share * deviation;
            if let Some(nodes) = Contour::to((19.0, 4096.0), &losses, epsilon, 0.0) {
                let (bounds, grid) = (nodes.delta(epsilon), grid(&losses, epsilon));
                prop_assert!(agree(bounds, grid), "{:?} {:?}", bounds, grid);
            }
        }
    }
}
