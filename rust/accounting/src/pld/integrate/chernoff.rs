//! Chernoff's bound on delta.

use crate::pld::{
    integrate::kernel::{Exponent, total, variance},
    loss::finite_loss::{FiniteLoss, FiniteLosses, number},
    transform::{nodes::Nodes, tilted::TiltedDensity},
};
use indistinct_numeric::{
    Above, RoundedArithmetic,
    enclosure::{Ball, ComplexBall, Enclosure, Interval},
};

type E = Interval<192>;

/// `D(x) <= M(c) e^(-c x)/(1 + c)` for every c > 0 and x.
#[derive(Debug, Clone)]
pub(crate) struct ChernoffBound {
    tilt: f64,
    log_normalizer: E,
    variance: Ball,
    /// The rest of M(c) beside the log_normalizer, over 1 + c.
    rest: E,
}

impl ChernoffBound {
    pub(crate) fn new(losses: &FiniteLosses, tilt: f64) -> Option<Self> {
        let (mut log_normalizers, mut excess) = (Vec::new(), E::exact(1.0));
        for (loss, count) in losses {
            if matches!(loss, FiniteLoss::Gaussian { .. }) {
                continue;
            }
            let most = match loss {
                FiniteLoss::Sampled(law) => TiltedDensity::new(law, tilt, 1.0)
                    .map(|tilted| tilted.log_mgf().get())
                    .filter(|most| most.is_finite()),
                _ => None,
            };
            if let Some(most) = most {
                log_normalizers.push((Ball::exact(most), *count));
                continue;
            }
            let values = loss.values(&Nodes::point(tilt))?;
            let size = ComplexBall::ONE.add(values.less_one.first()?).modulus();
            if let (false, Some(greatest)) = (size.is_finite(), loss.greatest()) {
                // Of next to nothing floats may say nothing; M(c) is at most that of the greatest loss.
                log_normalizers.push((Ball::exact(tilt.inf_mul(greatest).ok()?), *count));
                continue;
            }
            log_normalizers.push((values.log_normalizer, *count));
            if *count == 1 {
                excess = excess.mul(&E::exact(size));
            } else {
                excess = excess.mul(&E::exact(size).ln().mul(&E::exact(number(*count))).exp());
            }
        }
        let rest = excess.div(&E::exact(1.0).add(&E::exact(tilt)));
        Some(Self { tilt, log_normalizer: total(&log_normalizers), variance: variance(losses), rest })
    }

    /// With Gaussian losses besides.
    pub(crate) fn beside(self, gaussians: &FiniteLosses) -> Self {
        Self { variance: self.variance.add(&variance(gaussians)), ..self }
    }

    /// At one epsilon, times a factor.
    pub(crate) fn times(&self, epsilon: f64, factor: &E) -> E {
        let Self { log_normalizer, variance, tilt, .. } = self;
        let exponent = Exponent { log_normalizer, variance, tilt: *tilt, epsilon: E::exact(epsilon) };
        exponent.value().exp().mul(&self.rest).mul(factor)
    }

    /// The bound on delta.
    pub(crate) fn at(&self, epsilon: f64) -> Above {
        Above::of(&self.times(epsilon, &E::exact(1.0)))
    }
}
