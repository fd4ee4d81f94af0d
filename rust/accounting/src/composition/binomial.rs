//! The hockey-stick divergence of repeated randomized response: a binomial sum.

use crate::composition::factorial::ln_factorial;
use indistinct_numeric::{
    Above, Below,
    enclosure::{Enclosure, Formula},
};

/// The sum D: `(1 + e^-epsilon)^-k` times the sum of `C(k, l) e^(-l epsilon) (1 - e^(total - (k - 2l) epsilon))+`.
///
/// Weights are those of a binomial distribution, so that nearly all of the sum is within some deviations of its mean,
/// or of the last positive term. The terms left out on either side are bounded by a geometric series and enter as an
/// interval.
pub(crate) struct Repeated {
    pub(crate) count: u32,
    pub(crate) epsilon: f64,
    pub(crate) total: f64,
}

/// Sums that end within so many terms of zero start there, and so do those whose weights do.
const NEAR: (f64, f64) = (8.0, 64.0);

/// Geometric series are summed up to this ratio.
const MOST_RATIO: f64 = 1.0 - 1e-6;
/// The relative size of the terms left out.
const NEGLIGIBLE: f64 = f64::from_bits((1023 - 60) << 52);

/// Losses below this in all are scaled up, by its root.
const TINY: f64 = f64::from_bits((1023 - 200) << 52);

const TINY_ROOT: f64 = f64::from_bits((1023 - 100) << 52);

/// The relative distance of the sum from a linear one, where losses are below `TINY_ROOT`: 8 times that.
const NEARLY_LINEAR: f64 = f64::from_bits((1023 - 97) << 52);

impl Formula for Repeated {
    fn evaluate<E: Enclosure>(&self) -> E {
        let k = f64::from(self.count);
        if k * self.epsilon < TINY && self.epsilon > 0.0 {
            // The sum is all but linear there; larger numbers have all their bits.
            let larger = Self { count: self.count, epsilon: self.epsilon / TINY_ROOT, total: self.total / TINY_ROOT };
            let value = larger.evaluate::<E>().mul(&E::exact(TINY_ROOT));
            return value.add(&value.mul(&E::between(-NEARLY_LINEAR, NEARLY_LINEAR)));
        }
        // No term is positive: the quotient below would overflow for an epsilon among the least floats.
        if (Above::exact(k) * Above::exact(self.epsilon)).get() <= self.total {
            return E::exact(0.0);
        }
        // A term is positive up to here.
        let ratio = Below::exact(self.total) / Above::exact(self.epsilon);
        let last = ((Above::exact(k) - ratio) / 2.0).get();
        if self.epsilon == 0.0 || last < 0.0 {
            return E::exact(0.0);
        }
        let last = last.floor().min(k);
        let shrunk = (-self.epsilon).exp();
        let mean = k * shrunk / (1.0 + shrunk);
        let far = (mean + 10.0 * (mean / (1.0 + shrunk)).sqrt() + 16.0).floor();
        if last <= NEAR.0 || far <= NEAR.1 { self.upwards(last) } else { self.downwards(last.min(far), last) }
    }
}

impl Repeated {
    fn scale<E: Enclosure>(&self, shrunk: &E) -> E {
        E::exact(-f64::from(self.count)).mul(&shrunk.ln_1p()).exp()
    }

    /// `total - (k - 2l) epsilon`.
    fn excess<E: Enclosure>(&self, l: f64) -> E {
        let loss = E::exact(f64::from(self.count) - 2.0 * l).mul(&E::exact(self.epsilon));
        E::exact(self.total).sub(&loss)
    }

    /// `1 - e^excess`.
    fn share<E: Enclosure>(&self, l: f64) -> E {
        E::exact(0.0).sub(&self.excess::<E>(l).exp_m1())
    }

    /// From l = 0 upwards, by products.
    fn upwards<E: Enclosure>(&self, last: f64) -> E {
        let k = f64::from(self.count);
        let shrunk = E::exact(-self.epsilon).exp();
        if !shrunk.upper().is_finite() {
            return E::between(0.0, 1.0);
        }
        let (mut weight, mut sum, mut l) = (E::exact(1.0), E::exact(0.0), 0.0);
        while l <= last {
            sum = sum.add(&weight.mul(&positive(&self.share(l))));
            weight = weight.mul(&shrunk).mul(&E::exact(k - l)).div(&E::exact(l + 1.0));
            l += 1.0;
            // Ratios of neighbors fall: what is left is less than a geometric series.
            let ratio = Above::of(&shrunk) * (k - l) / (l + 1.0);
            if ratio.get() < 0.5 && weight.upper() <= sum.lower() * NEGLIGIBLE {
                let rest = Above::of(&weight) / (Below::exact(1.0) - ratio);
                sum = sum.add(&E::between(0.0, rest.get()));
                break;
            }
        }
        sum.mul(&self.scale(&shrunk))
    }

    /// From l = start downwards, with the weight there by factorials.
    fn downwards<E: Enclosure>(&self, start: f64, last: f64) -> E {
        let (k, epsilon) = (f64::from(self.count), E::exact(self.epsilon));
        let growth = epsilon.exp();
        // What a share lacks of 1 shrinks from term to term by e^(-2 epsilon), and 1 less that is added to the share:
        // nothing cancels.
        let twice = E::exact(-2.0 * self.epsilon);
        let (kept, lost) = (twice.exp(), E::exact(0.0).sub(&twice.exp_m1()));
        let Some(weight) = self.weight::<E>(start) else { return E::between(0.0, 1.0) };
        let mut sum = E::exact(0.0);
        if last > start {
            // Above the mean ratios of neighbors fall, too.
            let shrunk = Above::of(&E::exact(-self.epsilon).exp());
            let ratio = shrunk * (k - start) / (start + 1.0);
            let above =
                if ratio.get() < MOST_RATIO { (ratio / (Below::exact(1.0) - ratio)).get() } else { f64::INFINITY };
            sum = E::between(0.0, 1.0).mul(&E::exact(above)).mul(&weight);
        }
        let (mut weight, mut l) = (weight, start);
        let (mut rest, mut share) = (self.excess::<E>(start).exp(), self.share::<E>(start));
        // The same in floats, relative to the first weight, to see when to stop.
        let (mut near_weight, mut near_sum, growth_near) = (1.0f64, 0.0f64, growth.upper());
        let mut is_positive = false;
        // Of two neighbors' ratios at a time, as divisions take longest.
        let mut second: Option<E> = None;
        loop {
            is_positive = is_positive || share.lower() >= 0.0;
            let term = if is_positive { weight.mul(&share) } else { weight.mul(&positive(&share)) };
            sum = sum.add(&term);
            near_sum += near_weight * share.upper().max(0.0);
            if l == 0.0 {
                return sum;
            }
            let ratio = l * growth_near / (k - l + 1.0);
            if ratio < MOST_RATIO && near_weight * ratio <= near_sum * NEGLIGIBLE * (1.0 - ratio) {
                // Two operations.
                let ratio = Above::rounded(ratio, 2);
                let below = E::exact((ratio / (Below::exact(1.0) - ratio)).get());
                return sum.add(&E::between(0.0, 1.0).mul(&below).mul(&weight));
            }
            let exact_ratio = second.take().unwrap_or_else(|| {
                let (one_less, less) = (E::exact(k - l + 1.0), E::exact(k - l + 2.0));
                let inverse = E::exact(1.0).div(&one_less.mul(&less));
                second = Some(E::exact(l - 1.0).mul(&one_less).mul(&inverse));
                E::exact(l).mul(&less).mul(&inverse)
            });
            weight = weight.mul(&growth).mul(&exact_ratio);
            share = share.add(&rest.mul(&lost));
            rest = rest.mul(&kept);
            near_weight *= ratio;
            l -= 1.0;
        }
    }

    /// `C(k, l) e^(-l epsilon) (1 + e^-epsilon)^-k`.
    pub(crate) fn weight<E: Enclosure>(&self, l: f64) -> Option<E> {
        let chosen = to_count(l)?;
        let rest = self.count.checked_sub(chosen)?;
        let choices = ln_factorial::<E>(self.count).sub(&ln_factorial(chosen)).sub(&ln_factorial(rest));
        let shrunk = E::exact(-self.epsilon).exp();
        let scale = E::exact(f64::from(self.count)).mul(&shrunk.ln_1p());
        Some(choices.sub(&E::exact(l).mul(&E::exact(self.epsilon))).sub(&scale).exp())
    }
}

/// The positive part: where the sign is open, something between zero and the upper bound.
fn positive<E: Enclosure>(share: &E) -> E {
    if share.lower() >= 0.0 { share.clone() } else { E::between(0.0, share.upper().max(0.0)) }
}

/// A float that is an integer below 2^32.
pub(crate) fn to_count(x: f64) -> Option<u32> {
    // In the low bits of x + 2^52.
    let bits = (x + 4_503_599_627_370_496.0).to_bits() & ((1 << 52) - 1);
    u32::try_from(bits).ok().filter(|&count| f64::from(count) == x)
}
