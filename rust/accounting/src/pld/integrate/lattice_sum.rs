//! The integral for losses on lattices, which closes after finitely many points.

use crate::pld::{
    integrate::{
        aliasing::Aliasing,
        kernel::{Exponent, total},
        saddle_point::{GOAL, plan},
    },
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, number},
        lattice::{LatticeLoss, ball, common_step, rational},
    },
    transform::{
        discrete_gaussian::{self, DiscreteGaussian},
        estimate::Estimate,
    },
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{
        Ball, Bounds, CompensatedSum, ComplexBall, Enclosure, Interval, UNIT_ROUNDOFF, exp_or_tiny, midpoint,
        unit_circle,
    },
    fft,
    gmp::{Integer, Rational},
};

/// No more points of a lattice are summed than this: 8 MB.
pub(crate) const MOST_LATTICE: u32 = 1 << 17;
/// No larger lattice period, where only a few of its points count.
const MOST_SIZE: u32 = 1 << 31;

/// The integrand at the nodes of a contour, for losses on lattices with a common step and every epsilon near that for
/// which the contour was chosen; the bounds hold for any.
///
/// Where losses are only near the lattice, all together within some slack, delta lies between the lattice's at epsilon
/// plus and minus that.
#[derive(Debug)]
pub(crate) struct LatticeSum {
    pub(crate) tilt: f64,
    step: Rational,
    offset: Rational,
    size: u32,
    /// None for losses that are all on the lattice.
    slack: Option<Above>,
    /// M at the points up to half of the period, over the scales; or up to fewer, and a bound on what it is at each of
    /// the others.
    values: Vec<ComplexBall>,
    rest: Above,
    log_normalizer: Interval<192>,
    wrapped: Aliasing,
}

impl LatticeSum {
    /// None if there is no common step, or it is too small.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        Self::to(GOAL, losses, epsilon, known)
    }

    /// The same to a goal.
    pub(crate) fn to(goal: f64, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let laws: Option<Vec<(&LatticeLoss, u64)>> = losses
            .iter()
            .map(|(loss, count)| if let FiniteLoss::Lattice(law) = loss { Some((law, *count)) } else { None })
            .collect();
        let laws = laws?;
        let slack = losses.iter().map(|(loss, count)| Above::exact(loss.slack()) * number(*count)).sum::<Above>();
        let slack = losses.iter().any(|(loss, _)| loss.slack() != 0.0).then_some(slack);
        let (step, multiples) = common_step(laws.iter().map(|(law, _)| *law))?;
        let mut plan = plan(&Estimate::new(losses), epsilon, goal, known)?;
        let wanted = plan.period / step.to_f64();
        let size = (2..=MOST_SIZE.ilog2()).map(|bits| 1u32 << bits).find(|size| f64::from(*size) >= wanted)?;
        // A float below the period, for what wraps around.
        plan.period = Rational::from(&step * size).to_f64();
        let tilt = plan.tilt;
        let offset = laws.iter().fold(Rational::new(), |sum, (law, count)| sum + Rational::from(&law.offset * *count));
        let closed = if multiples.iter().all(|multiple| *multiple == 1) { closed(&laws, tilt, size) } else { None };
        let found = closed.or_else(|| (size <= MOST_LATTICE).then(|| transformed(&laws, &multiples, tilt, size))?);
        let LatticeTransform { values, log_normalizer, rest } = found?;
        let wrapped = Aliasing::new(losses, &plan)?;
        Some(Self { tilt, step, offset, size, slack, values, rest, log_normalizer, wrapped })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Option<Bounds> {
        let Some(slack) = self.slack else { return self.on_lattice(epsilon) };
        let upper = self.on_lattice((Below::exact(epsilon) - slack).get())?.upper;
        Some(Bounds { lower: self.on_lattice((slack + epsilon).get())?.lower, upper })
    }

    fn on_lattice(&self, epsilon: f64) -> Option<Bounds> {
        type E = Interval<192>;
        let Self { tilt, step, offset, size, .. } = self;
        // The first lattice point at or above epsilon is `epsilon + theta`.
        let exact_epsilon = rational(epsilon)?;
        let steps = (Rational::from(&exact_epsilon - offset) / step).ceil();
        let theta = Rational::from(&steps * step) + offset - exact_epsilon;
        let first = {
            let modulus = Integer::from(*size);
            let index = steps.numer().clone() % &modulus;
            (if index < 0 { index + modulus } else { index }).to_u32()?
        };
        let mask = size - 1;
        let kernel = Kernel::new(step, &theta, *tilt);
        let mut sum = CompensatedSum::default();
        for (n, value) in (0..=size / 2).zip(&self.values) {
            let shifted = f64::from(n.wrapping_mul(first) & mask) / f64::from(*size);
            let value =
                value.mul(&ComplexBall::on_circle(-shifted, 0.0)).mul(&kernel.at(f64::from(n) / f64::from(*size)));
            let weight = if n == 0 || n == size / 2 { 1.0 } else { 2.0 };
            sum.add(weight * value.re, weight * value.radius);
        }
        let (sum, error) = sum.bounds();
        let error = (self.rest * f64::from(*size) * kernel.at(0.0).modulus() + error).get();
        // `e^(-tilt (epsilon + theta))`.
        let theta = ball(&theta);
        let epsilon_up = E::exact(epsilon).add(&E::between(theta.lower(), theta.upper()));
        let exponent = Exponent {
            log_normalizer: &self.log_normalizer,
            variance: &Ball::exact(0.0),
            tilt: *tilt,
            epsilon: epsilon_up,
        };
        let sum = E::exact(sum).add(&E::between(-error, error)).div(&E::exact(f64::from(*size)));
        Some(self.wrapped.enclose_delta(sum.mul(&exponent.value().exp()), epsilon))
    }
}

/// The transforms of all losses at the points up to half of the period, or at fewer.
struct LatticeTransform {
    values: Vec<ComplexBall>,
    rest: Above,
    log_normalizer: Interval<192>,
}

/// The transform of discrete Gaussian noise alone, in closed form.
fn closed(laws: &[(&LatticeLoss, u64)], tilt: f64, size: u32) -> Option<LatticeTransform> {
    let laws = laws.iter().map(|(law, count)| Some((DiscreteGaussian::new(law, tilt)?, *count)));
    let laws: Vec<_> = laws.collect::<Option<_>>()?;
    let (values, rest) = discrete_gaussian::on_lattice(&laws, size, MOST_LATTICE)?;
    let log_normalizers: Vec<_> = laws.iter().map(|(law, count)| (law.log_normalizer(), *count)).collect();
    Some(LatticeTransform { values, rest, log_normalizer: total(&log_normalizers) })
}

/// The transform of any losses on a lattice, by a Fourier transform of their weights.
fn transformed(laws: &[(&LatticeLoss, u64)], multiples: &[i64], tilt: f64, size: u32) -> Option<LatticeTransform> {
    let roots = fft::roots(size);
    let half = usize::try_from(size / 2 + 1).ok()?;
    let (mut log_normalizers, mut values) = (Vec::new(), vec![ComplexBall::ONE; half]);
    for ((law, count), multiple) in laws.iter().zip(multiples) {
        let found = law.weights(tilt);
        log_normalizers.push((Ball::exact(found.log_normalizer), *count));
        let mut data = vec![(0.0, 0.0); usize::try_from(size).ok()?];
        let mut total = 0.0;
        let mut folded = 0.0f64;
        for (index, weight) in &found.weights {
            let index = index.wrapping_mul(*multiple).rem_euclid(i64::from(size));
            let slot = data.get_mut(usize::try_from(index).ok()?)?;
            folded = folded.max(slot.0);
            slot.0 += weight;
            total += weight;
        }
        // Sums within a slot round by a unit for each summand, of which there are at most as many as atoms.
        let terms = f64::from(u32::try_from(found.weights.len()).ok()?);
        let folding = if folded > 0.0 { Above::of_roundings(terms) } else { Above::ZERO };
        fft::transform(&mut data, &roots);
        let whole = Above::exact(total) * (Above::of_roundings(terms) + 1.0);
        let error = (found.error + whole * (fft::error(size) * (folding + 1.0) + folding)).get();
        for (n, value) in (0..=size / 2).zip(values.iter_mut()) {
            let (re, im) = *data.get(usize::try_from(fft::position(n, size)).ok()?)?;
            *value = value.mul(&ComplexBall::new(re, im, error).power(*count));
        }
    }
    Some(LatticeTransform { values, rest: Above::ZERO, log_normalizer: total(&log_normalizers) })
}

/// `sum over j >= 0 of e^(-z j step) (1 - e^(-theta - j step))`, for z = tilt + 2 pi i x/step:
/// `(a + b w) / ((1 - w) (1 - w e^-step))` with `w = e^(-z step)`, `a = 1 - e^-theta`,
/// `b = e^-theta (1 - e^(theta - step))`.
struct Kernel {
    constant: ComplexBall,
    linear: ComplexBall,
    /// For the tilt and for one more: `1 - e^(-tilt step)`, and `e^(-tilt step)`.
    low: (f64, f64),
    high: (f64, f64),
}

impl Kernel {
    fn new(step: &Rational, theta: &Rational, tilt: f64) -> Self {
        let minus = |x: &Ball| Ball::exact(0.0).sub(x);
        let (exact_step, rest) = (ball(step), ball(&Rational::from(step - theta)));
        let theta = ball(theta);
        // A ball's exponential ends at -700, where what is left of 1 - e^x is 1.
        let gone =
            |x: &Ball| if x.upper() < -690.0 { Ball::between(1f64.next_down(), 1.0) } else { minus(&x.exp_m1()) };
        let constant = ComplexBall::real(midpoint(&gone(&minus(&theta))));
        let linear = ComplexBall::real(midpoint(&exp_or_tiny(&minus(&theta)).mul(&gone(&minus(&rest)))));
        let pair = |tilt: f64| {
            let exponent = minus(&exact_step.mul(&Ball::exact(tilt)));
            (midpoint(&gone(&exponent)).0, midpoint(&exp_or_tiny(&exponent)).0)
        };
        Self { constant, linear, low: pair(tilt), high: pair(tilt + 1.0) }
    }

    fn at(&self, x: f64) -> ComplexBall {
        let (cosine, sine) = unit_circle(-x);
        let half = unit_circle(x / 2.0).1;
        // Each part is good to 16 units of itself, as sines of small angles are.
        let rest = |(gone, left): (f64, f64)| {
            let (re, im) = (gone + left * 2.0 * half * half, -left * sine);
            ComplexBall::new(re, im, 40.0 * UNIT_ROUNDOFF * (re.abs() + im.abs()))
        };
        let power =
            ComplexBall::new(self.low.1 * cosine, self.low.1 * sine, 32.0 * UNIT_ROUNDOFF * self.low.1 + 1e-200);
        let numerator = self.constant.add(&self.linear.mul(&power));
        numerator.mul(&rest(self.low).inverse()).mul(&rest(self.high).inverse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{distribution::losses, loss::direction::Direction},
        units::Sigma,
    };

    /// In closed form as by the Fourier transform, where nodes are left out, too; a center that is a little off is
    /// caught.
    #[test]
    fn discrete_gaussian_noise_is_the_same_both_ways() {
        let (mut left_out, mut caught) = (0, 0);
        for (sigma, sensitivity, count) in [(2.0, 1, 1), (2.3, 3, 1), (2.0, 1, 60), (7.0, 2, 35), (40.0, 13, 9)] {
            let all = P::discrete_gaussian(Sigma(sigma), sensitivity).unwrap().repeat(count).unwrap();
            let losses = losses(&all, Direction::Remove);
            let [(FiniteLoss::Lattice(law), count)] = losses.as_slice() else { panic!("{losses:?}") };
            let laws = [(law, *count)];
            for tilt in [0.75, 3.125, 17.5] {
                for size in [64, 1024, 8192] {
                    let found = closed(&laws, tilt, size).unwrap();
                    let truth = transformed(&laws, &[1], tilt, size).unwrap();
                    let name = format!("{all} {tilt} {size}");
                    // Over the same scale.
                    let scale = found.log_normalizer.sub(&truth.log_normalizer);
                    let scale = ComplexBall::real(midpoint(&Ball::between(scale.lower(), scale.upper()).exp()));
                    let off = |n: usize, value: &ComplexBall| {
                        let (x, y) = (value.mul(&scale), truth.values[n]);
                        (x.re - y.re).hypot(x.im - y.im) - x.radius - y.radius
                    };
                    for (n, value) in found.values.iter().enumerate() {
                        assert!(off(n, value) <= 0.0, "{name} {n}: {:e}", off(n, value));
                        let turned =
                            value.mul(&ComplexBall::on_circle(1e-3 * f64::from(u32::try_from(n).unwrap()), 0.0));
                        caught += u32::from(off(n, &turned) > 1e-9);
                    }
                    for (n, value) in truth.values.iter().enumerate().skip(found.values.len()) {
                        let least = value.re.hypot(value.im) - value.radius;
                        assert!(least <= (found.rest * scale.modulus()).get(), "{name} {n}");
                        left_out += 1;
                    }
                }
            }
        }
        assert!(left_out > 1000 && caught > 100, "{left_out} {caught}");
    }
}
