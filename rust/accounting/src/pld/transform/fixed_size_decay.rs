//! How fast the transform of the loss on a sample of fixed size falls: `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    loss::fixed_size_gaussian::FixedSizeGaussian,
    transform::{decay::lost_by_rectangle, nodes::Nodes},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, exp_or_tiny},
};

/// So many steps on either side of zero.
const CELLS: u32 = 64;

/// The masses and the widths of uniform parts of the tilted distribution.
#[derive(Debug)]
pub(crate) struct FixedSizeDecay {
    rectangles: Vec<(Below, Below)>,
}

/// A step of a function that is below the density: its height, and the width on which it is that.
#[derive(Clone, Copy)]
struct Step {
    height: Below,
    width: Below,
}

impl FixedSizeDecay {
    pub(crate) fn new(fixed: &FixedSizeGaussian, tilt: f64) -> Option<Self> {
        let whole = Above::of(&fixed.values(&Nodes::point(tilt))?.log_normalizer.exp());
        let end = bulk(fixed, tilt).min(fixed.end?);
        let at = |i: u32| Ball::exact(end * f64::from(i) / f64::from(CELLS));
        let (mut ahead, mut behind) = (Vec::new(), Vec::new());
        for i in 0..CELLS {
            let (from, to) = (at(i), at(i + 1));
            let (least, most) = (fixed.loss(&from), fixed.loss(&to));
            let width = Below::of(&most.sub(&least));
            let falling = fixed.log_density(&to).add(&fixed.stretch(&to).ln());
            let up = falling.add(&Ball::exact(tilt).add(&Ball::exact(1.0)).mul(&least));
            let down = falling.sub(&Ball::exact(tilt).mul(&most));
            let step = |logarithm: &Ball| Step { height: Below::of(&exp_or_tiny(logarithm)) / whole, width };
            ahead.push(step(&up));
            behind.push(step(&down));
        }
        behind.reverse();
        behind.extend(ahead);
        Some(Self { rectangles: layers(&behind) })
    }

    /// A lower bound on `-ln |m(t)|` for every t from a frequency on.
    pub(crate) fn log_decay(&self, frequency: f64) -> Below {
        let lost: Below = self.rectangles.iter().map(|rectangle| lost_by_rectangle(*rectangle, frequency)).sum();
        let lost = lost.min(Below::exact(0.999)).or(Below::ZERO);
        -(-lost).ln_1p()
    }
}

/// About where the tilted density has fallen to next to nothing, in floats.
fn bulk(fixed: &FixedSizeGaussian, tilt: f64) -> f64 {
    let (law, variance) = (fixed.sampled(), fixed.sigma * fixed.sigma);
    let at = |u: f64| (1.0 + tilt) * law.log_mixture_estimate(u) - u / 2.0 - variance * u * u / 2.0;
    let step = 0.05 / fixed.sigma;
    let (mut u, mut most) = (0.0, at(0.0));
    for _ in 0..20_000 {
        u += step;
        most = most.max(at(u));
        if at(u) < most - 8.0 {
            break;
        }
    }
    u
}

/// The steps as rectangles above one another: each over a run of steps, as high as the least of them is above what lies
/// below.
fn layers(steps: &[Step]) -> Vec<(Below, Below)> {
    let (mut layers, mut open) = (Vec::new(), vec![(steps, Below::ZERO)]);
    while let Some((steps, base)) = open.pop() {
        let least = steps.iter().enumerate().min_by(|x, y| x.1.height.get().total_cmp(&y.1.height.get()));
        let Some((place, Step { height, .. })) = least else { continue };
        let width: Below = steps.iter().map(|step| step.width).sum();
        layers.push(((*height - Above::exact(base.get())) * width, width));
        let (left, right) = steps.split_at(place);
        open.push((left, *height));
        open.push((right.get(1..).unwrap_or_default(), *height));
    }
    layers
}
