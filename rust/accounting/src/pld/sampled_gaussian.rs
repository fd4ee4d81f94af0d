//! Gaussian noise on a random sample: its loss's transform, by the trapezoid rule with a proved error.
//!
//! With `g(y) = 1 - q + q e^(mu y - mu^2/2)`, mu = 1/sigma, and y standard normal, the laws are
//!
//! | | density of P | loss |
//! |---|---|---|
//! | remove | `phi(y) g(y)` | `ln g(y)` |
//! | add | `phi(y)` | `-ln g(y)` |
//! | replace | `phi(y) g(y)` | `ln g(y) - ln g(-y)` |
//!
//! The arguments are in `proofs/accounting/pld.md`.

use super::cut::{Cut, Order};
use super::disk::turns;
use super::shifted::whole;
use super::table::Table;
use super::tilted::Tilted;
use super::transform::{Atoms, Cumulants, Line, Values, cumulants};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Ball, Enclosure, exp_m1_near, exp_near, ln_1p_near},
};

/// Which of the laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Remove,
    Add,
    Replace,
    /// A fixed size: the law of `Remove` above zero, that of `Add` below, and the rest at zero. Not smooth: it is put on a grid.
    Fixed,
}

/// Noise of standard deviation `sigma` on a sum that a person in the sample moves by 1; each is in it with probability `rate`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SampledGaussian {
    pub(super) sigma: f64,
    pub(super) rate: f64,
    pub(super) side: Side,
    /// What is kept of large losses; all, if none. Not for `Add`, whose losses have a bound.
    pub(super) cut: Option<Cut>,
}

/// More quadrature points than this are not spent.
const MOST: u32 = 1 << 15;

/// Nor more terms in all sums on a line: some tenths of a second.
const MOST_TERMS: u64 = 1 << 26;

impl SampledGaussian {
    /// `ln g(y)`.
    fn log_mixture(&self, exponent: &Ball) -> Ball {
        let rate = Ball::exact(self.rate);
        if exponent.lower() > 30.0 {
            let rest = Ball::exact(1.0).sub(&rate).div(&rate).mul(&Ball::exact(0.0).sub(exponent).exp());
            return rate.ln().add(exponent).add(&rest.ln_1p());
        }
        let growth = if exponent.upper() < -690.0 { Ball::between(-1.0, -1.0 + 1e-15) } else { exponent.exp_m1() };
        rate.mul(&growth).ln_1p()
    }

    /// The logarithm of the tilted density, and the loss.
    fn weigh(&self, tilt: f64, mu: &Ball, y: f64) -> (Ball, Ball) {
        let at = Ball::exact(y);
        let half = mu.mul(mu).mul(&Ball::exact(0.5));
        let along = mu.mul(&at);
        let ahead = along.sub(&half);
        let normal = at.mul(&at).mul(&Ball::exact(-0.5));
        let mixture = self.log_mixture(&ahead);
        let (base, loss) = match self.side {
            Side::Remove | Side::Fixed => (normal.add(&mixture), mixture),
            Side::Add => (normal, Ball::exact(0.0).sub(&mixture)),
            Side::Replace => {
                let other = self.log_mixture(&Ball::exact(0.0).sub(&along).sub(&half));
                (normal.add(&mixture), mixture.sub(&other))
            }
        };
        let kept = self.cut.map_or(Ball::exact(0.0), |cut| cut.kept(&ahead));
        (base.add(&Ball::exact(tilt).mul(&loss)).add(&kept), loss)
    }

    /// Bounds on how fast the logarithm of the tilted density can grow rightwards and leftwards, beside `-y^2/2`.
    pub(super) fn growth(&self, tilt: f64) -> (f64, f64) {
        let mu = 1.000_001 / self.sigma;
        match self.side {
            Side::Remove | Side::Fixed => (0.0, (tilt + 1.0) * mu),
            // Below zero, q e^w/g is at most q/(1 - q).
            Side::Add => (tilt * mu * (self.rate / (1.0 - self.rate) * 1.000_001).min(1.0), 0.0),
            Side::Replace => (0.0, (2.0 * tilt + 1.0) * mu),
        }
    }

    /// Beyond these distances below and above zero the logarithm of the tilted density falls by at least 10 a unit.
    pub(super) fn window(&self, tilt: f64) -> (f64, f64) {
        let (left, right) = self.growth(tilt);
        let mu = 1.0 / self.sigma;
        let Some(cut) = self.cut else { return (left + 10.0, right + 10.0) };
        // Where w = mu y - mu^2/2 is that of the cut's end; before it, what is kept at an angle may grow by up to `growth` mu a unit, and leftwards by less
        // than 1.
        let end = (cut.end(right * self.sigma, 10.0 * self.sigma) / mu + mu / 2.0) * 1.000_001 + 1e-6;
        (left + 11.0, (right + 10.0 + cut.growth() * mu).min(end.max(1.0)))
    }

    /// The step that keeps the trapezoid rule's error below 2^-66 of the whole up to a height: `2 pi a / X` for the best half-width a of a strip, where
    /// `X = ln(4 / error) + a^2/2 + height mu a (twice for replace) - tilt ln cos(mu a/2)` (not for remove; for add and `mu a <= pi/2`,
    /// `-tilt ln(1 - q)` if that is less).
    ///
    /// With a cut, X has what [`turned`](Self::turned) tells besides, and the whole is that of `scale`.
    pub(super) fn step(&self, line: &Line, height: f64, scale: f64) -> Option<f64> {
        let mu = 1.000_001 / self.sigma;
        let strip = (std::f64::consts::PI / mu * 0.98).min(40.0);
        let wider = self.turned(line.tilt, scale)?;
        let turn = if self.side == Side::Replace { 2.0 } else { 1.0 };
        let mut best = 0f64;
        for i in 1..=48u32 {
            let half_width = strip * f64::from(i) / 48.0;
            let lost = self.grown(line.tilt, mu * half_width);
            let Some((_, wider)) = wider.iter().find(|(angle, _)| mu * half_width <= *angle) else { break };
            let need =
                (47.9 + half_width * half_width / 2.0 + turn * height * mu * half_width + lost + wider) * 1.000_001;
            best = best.max(std::f64::consts::TAU * half_width / need);
        }
        // A step of few bits, so that its multiples are floats.
        let step = f64::from_bits((best * 0.999).to_bits() & !0x3ff_ffff_ffff);
        let (left, right) = self.window(line.tilt);
        (step > 0.0 && (left + right) / step < f64::from(MOST)).then_some(step)
    }

    /// The logarithm of a bound on what dividing by powers of g at an angle, and not on the real line, makes of the tilted density.
    pub(super) fn divided(&self, tilt: f64, angle: f64) -> f64 {
        if matches!(self.side, Side::Remove | Side::Fixed) {
            return 0.0;
        }
        let cosine = turns(angle / 2.0 / std::f64::consts::TAU).0 - 1e-12;
        -tilt * cosine.neg_inf_ln().unwrap_or(f64::NEG_INFINITY)
    }

    /// For `Add`, and angles up to a quarter turn: the same of these powers by themselves, `-tilt ln(1 - q)`; else infinite.
    pub(super) fn missed(&self, tilt: f64, angle: f64) -> f64 {
        let is_known = self.side == Side::Add && angle <= std::f64::consts::FRAC_PI_2;
        if is_known { -tilt * (-self.rate).neg_inf_ln_1p().unwrap_or(f64::NEG_INFINITY) } else { f64::INFINITY }
    }

    /// And of what it makes of the density's integral.
    pub(super) fn grown(&self, tilt: f64, angle: f64) -> f64 {
        self.divided(tilt, angle).min(self.missed(tilt, angle))
    }

    /// For angles `mu a` up to each: an upper bound on the logarithm of the integral with what [`Cut`] keeps at that angle, over `scale`. Without a cut nothing is kept
    /// more than on the real line.
    ///
    /// At an angle, `s` has turned by it, and what is kept is at most `e^(s (1 - cos)) Q(s)`. In each cell the normal density is greatest at the end near zero, the rest of the density and
    /// s at the right, Q at the left. Before s is a quarter, what is kept grows by at most e^(1/8), and the integral is below that of the law, which who calls this sees to be at most
    /// twice `e^scale`.
    pub(super) fn turned(&self, tilt: f64, scale: f64) -> Option<Vec<(f64, f64)>> {
        let Some(cut) = self.cut else { return Some(vec![(f64::INFINITY, 0.0)]) };
        // Angles whose cosines are above 0.877, 0.696, 0.5.
        let levels = [(0.5, 0.877), (0.8, 0.696), (1.04, 0.5)];
        let mut sums = [0.0; 3];
        let (left, right) = self.window(tilt);
        let (_, growth) = self.growth(tilt);
        let mu = 1.0 / self.sigma;
        let mean = |y: f64| cut.mean(mu * y - mu * mu / 2.0);
        let start = ((-1.4 - cut.shift) / mu + mu / 2.0).clamp(-left, right);
        let mut before = mean(start);
        if before > 16.0 {
            return None;
        }
        // Before the cells it is at most 2 e^(1/8); or it is less than a normal tail at 10, by e^8 at most.
        let first = if before <= 0.25 { 2.3 } else { exp_near((-40.0 - scale).clamp(-690.0, 690.0)) };
        let width = (0.0625 * self.sigma.clamp(1.0, 8.0)).min(16.0 / growth.max(1.0)).min(right + left);
        let count = ((right - start) / width).ceil();
        if count.is_nan() || count > f64::from(MOST) {
            return None;
        }
        let mut index = 0.0;
        let mut last = [0.0; 3];
        while index <= count {
            let (from, to) = (index * width + start, (index + 1.0) * width + start);
            let nearest = if from > 0.0 {
                from
            } else if to < 0.0 {
                to
            } else {
                0.0
            };
            let (after, kept) = (mean(to), cut.log_most_kept(before));
            let rest = self.rough(tilt, to) - nearest * nearest / 2.0 - scale;
            for ((sum, last), (_, cosine)) in sums.iter_mut().zip(&mut last).zip(levels) {
                *last = exp_near((rest + after * (1.0 - cosine) * 1.000_001 + kept + 1e-6).max(-690.0));
                *sum += *last;
            }
            before = after;
            index += 1.0;
        }
        // What is beyond falls by 10 a unit from where it is at most that of the last cell.
        let mut found = Vec::new();
        for ((sum, last), (angle, _)) in sums.iter().zip(last).zip(levels) {
            found.push((angle, ((sum * width + last) * 0.4 + first).inf_ln().ok()? + 1e-6));
        }
        Some(found)
    }

    /// For `Remove`, and the others at rates up to a half: an upper bound on the tilted density over the normal one, in logarithms. It rises in y, but for `Add`.
    pub(super) fn rough(&self, tilt: f64, y: f64) -> f64 {
        let mu = 1.0 / self.sigma;
        let logarithm = self.rough_loss(mu * y - mu * mu / 2.0);
        let other = if self.side == Side::Replace { self.rough_loss(-mu * y - mu * mu / 2.0) } else { 0.0 };
        let power = if self.side == Side::Add { -tilt } else { tilt + 1.0 };
        let size = (tilt + 1.0) * logarithm.abs() + tilt * other.abs();
        power * logarithm - tilt * other + (size + 1.0) * 1e-9
    }

    /// `ln g` in floats, from the exponent: within `10^-12 max(1, |ln g|)`, or above it where g is below 2^-49.
    pub(super) fn rough_loss(&self, exponent: f64) -> f64 {
        if exponent > 600.0 {
            return exponent;
        }
        ln_1p_near((self.rate * exp_m1_near(exponent)).max(-1.0 + 2f64.powi(-49)))
    }

    /// The same law without what is large enough that all of it, over `count` releases, has a probability of about `e^budget`; and a bound on that probability.
    pub(super) fn without_far(&self, count: f64, budget: f64, order: Order) -> Option<(Self, f64)> {
        let mu = 1.0 / self.sigma;
        let has_end = !matches!(self.side, Side::Remove | Side::Replace);
        if self.cut.is_some() || has_end || self.rate > 0.5 || !(1e-3..=10.0).contains(&mu) {
            return None;
        }
        let ratio = |y: f64| mu * y - mu * mu / 2.0;
        let density = |y: f64| self.rough(0.0, y) - y * y / 2.0;
        let start = (8..296u32).map(|i| f64::from(i) / 8.0).find(|y| density(*y) + count.ln() - 1.0 <= budget)?;
        // The sharper the density falls beside what is dropped, the nearer that may begin.
        let found = (0..16u32).find_map(|i| {
            let cut = Cut::from(ratio(start) + f64::from(i) * 0.25, order);
            let beyond = self.dropped(cut) * count * 1.000_001;
            (beyond <= exp_near((budget + 1.0).max(-690.0))).then_some((cut, beyond))
        });
        let (cut, beyond) = found?;
        Some((Self { cut: Some(cut), ..*self }, beyond))
    }

    /// An upper bound on what a cut drops of the first law.
    ///
    /// Below zero all of it counts; then cells of an eighth, the normal density at their left, the rest at their right. Beyond 48, the first law is below two normal tails at 38.
    fn dropped(&self, cut: Cut) -> f64 {
        let mu = 1.0 / self.sigma;
        let dropped = |y: f64| {
            let ratio = mu * y - mu * mu / 2.0;
            cut.most_dropped(ratio + cut.shift + (ratio.abs() + cut.shift.abs() + 1.0) * 1e-9, 1.0).min(0.0)
        };
        let mut sum = exp_near(dropped(0.0).max(-690.0)) + 1e-300;
        for i in 0..384u32 {
            let (from, to) = (f64::from(i) / 8.0, f64::from(i + 1) / 8.0);
            let found = self.rough(0.0, to) - from * from / 2.0 * 0.999_999_999 + dropped(to);
            sum += exp_near(found.max(-690.0)) * 0.4 / 8.0;
        }
        sum
    }

    /// Where the trapezoid rule has its points.
    pub(super) fn rule(&self, tilt: f64, step: f64) -> impl Iterator<Item = f64> {
        let (left, right) = self.window(tilt);
        let (first, last) = ((left / step).ceil(), (right / step).ceil());
        std::iter::successors(Some(-first), move |index| Some(index + 1.0).filter(|index| *index <= last))
            .map(move |index| index * step)
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        if self.cut.is_some() {
            return Table::new(self, 1.0).cumulants(tilt);
        }
        let mu = 1.0 / self.sigma;
        let (left, right) = self.growth(tilt);
        let step = ((left + right + 16.0) / 64.0).max(0.25).min(1.0f64.max(mu) * 0.25);
        let count = ((left + right + 16.0) / step).min(4000.0);
        let log_g = |y: f64| self.rough_loss(mu * y - mu * mu / 2.0);
        let mut atoms = Vec::new();
        let mut index = 0.0;
        while index <= count {
            let y = index * step - left - 8.0;
            index += 1.0;
            let (base, loss) = match self.side {
                // Half of it: close enough for looking.
                Side::Fixed if y < mu / 2.0 => (log_g(y), 0.0),
                Side::Remove | Side::Fixed => (log_g(y), log_g(y)),
                Side::Add => (0.0, -log_g(y)),
                Side::Replace => (log_g(y), log_g(y) - log_g(-y)),
            };
            atoms.push((base + tilt * loss - y * y / 2.0, loss));
        }
        let found = cumulants(atoms.iter().copied());
        Cumulants { value: found.value + (step * 0.398_942_280_401_432_7).ln(), ..found }
    }

    /// The transform on a line along a path beside the real one, where that takes many points.
    pub(super) fn beside(&self, line: &Line) -> Option<Values> {
        let scale = Tilted::new(self, line.tilt, 1.0)?.middle();
        let (left, right) = self.window(line.tilt);
        let most = self.step(line, line.height(), scale).map_or(f64::INFINITY, |step| (left + right) / step);
        if most > 400.0 { whole(self, line, scale) } else { None }
    }

    /// The transform on a line; none if it would take too many points.
    pub(super) fn values(&self, line: &Line) -> Option<Values> {
        if self.side == Side::Fixed {
            return None;
        }
        let guess = if self.cut.is_some() { self.cumulants(line.tilt).value } else { 0.0 };
        let step = self.step(line, if line.count == 1 { 0.0 } else { line.height() }, guess)?;
        let mu = Ball::exact(1.0).div(&Ball::exact(self.sigma));
        let weight = Ball::exact(step).mul(&Ball::inverse_root_two_pi()).ln();
        let pair = |y| {
            let (density, loss) = self.weigh(line.tilt, &mu, y);
            (density.add(&weight), loss)
        };
        let pairs: Vec<_> = self.rule(line.tilt, step).map(pair).collect();
        let mut atoms = Atoms::new(&pairs);
        // The tails beyond the first and the last point: there the logarithm of the density falls by at least 10 a unit. The points that the
        // rule leaves out are below the integral that it leaves out.
        let edge = |pair: Option<&(Ball, Ball)>| {
            pair.map_or(f64::INFINITY, |(weight, _)| (weight.upper() - atoms.scale).inf_exp().unwrap_or(f64::INFINITY))
        };
        let tails = (edge(pairs.first()) + edge(pairs.last())) / step * 0.100_001;
        let total: f64 = atoms.weights.iter().sum();
        // The rule's own error is below 2^-66 of the integral, or of what it was guessed to be, of which the integral is at most twice.
        let is_guessed = self.cut.is_none() || (guess - atoms.scale).abs() < 0.69;
        if !(total > 0.5 && total < 1.5 && tails + atoms.error < 0.1 && is_guessed) {
            return None;
        }
        atoms.error += 2.0 * tails + 2f64.powi(-if self.cut.is_none() { 65 } else { 63 });
        let terms = u64::try_from(atoms.weights.len()).ok()?;
        (terms * u64::from(line.count) <= MOST_TERMS).then(|| atoms.values(line))
    }
}
