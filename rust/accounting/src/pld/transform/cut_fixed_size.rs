//! The loss on a sample of fixed size with a smooth end, taken apart into what is near zero and what is large: bounds
//! on the parts along rays, and their transforms.
//!
//! With `v = e^u - 1`, `g = 1 + q v`: along a ray `v = e^(s + i phi)` its argument rises from 0, and `g^(i t)` falls.
//! The arguments are in `proofs/accounting/pld_cut_fixed_size.md`.

use crate::pld::{
    loss::{
        fixed_size_gaussian::FixedSizeGaussian,
        truncation::{Sharpness, Truncation},
    },
    transform::tabulated::TabulatedDensity,
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{Ball, Enclosure, exp_near, midpoint},
};

mod contour;

pub(crate) use contour::{Masses, PreciseParts};

/// Tangents of half the angles of contours: of the last, twice the angle is still below a right one.
const HALF_TANGENTS: [f64; 7] = [0.04, 0.08, 0.12, 0.17, 0.23, 0.3, 0.38];
/// Cells to a unit of s: of rays, and of the real axis where next to all digits count.
const CELLS: f64 = 8.0;
const FINE: f64 = 64.0;
/// No more cells along a ray than these.
const MOST_CELLS: f64 = 16_384.0;
/// What is beyond the last place.
const NOTHING: f64 = 1e-250;
/// s where there is nothing to the left.
const LEFT: f64 = -690.0;
/// Left of it a moment generating function hardly grows.
const START: f64 = -16.0;

/// Gaussian noise on a sample of fixed size, without positive losses far out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutFixedSize {
    law: FixedSizeGaussian,
    pub(crate) far: Truncation,
    /// A u beyond which there is next to nothing.
    last: f64,
}

/// Of positive losses those that are large, those that are near, and both; and the negative losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Large,
    Near,
    Positive,
    Negative,
}

/// All v of one argument, in the first quadrant.
#[derive(Debug, Clone, Copy)]
struct Ray {
    angle: Above,
    cosine: Range,
    sine: Range,
}

impl Ray {
    const REAL: Self = Self { angle: Above::ZERO, cosine: Range::exact(1.0), sine: Range::exact(0.0) };

    fn new((cosine, sine): &(Ball, Ball), angle: f64) -> Self {
        let range = |ball: &Ball| Range { below: Below::of(ball), above: Above::of(ball) };
        Self { angle: Above::exact(angle), cosine: range(cosine), sine: range(sine) }
    }

    /// That of a contour; the angle is below twice its half's tangent.
    fn middle(half_tangent: f64) -> Self {
        Self::new(&angle(half_tangent), 2.0 * half_tangent)
    }

    /// That of twice its angle.
    fn edge(half_tangent: f64) -> Self {
        let (cosine, sine) = angle(half_tangent);
        let (one, two) = (Ball::exact(1.0), Ball::exact(2.0));
        let double = (one.sub(&two.mul(&sine).mul(&sine)), two.mul(&sine).mul(&cosine));
        Self::new(&double, 4.0 * half_tangent)
    }
}

/// The cosine and the sine of the angle whose half has this tangent.
fn angle(half_tangent: f64) -> (Ball, Ball) {
    let (one, tangent) = (Ball::exact(1.0), Ball::exact(half_tangent));
    let square = tangent.mul(&tangent);
    let norm = one.add(&square);
    (one.sub(&square).div(&norm), tangent.add(&tangent).div(&norm))
}

/// The law at a tilt, of which losses above a cut are large.
#[derive(Debug, Clone, Copy)]
struct Tilted {
    cut: CutFixedSize,
    near: Truncation,
    tilt: f64,
    log_factor: Above,
    variance: Range,
}

/// What is known of large losses: for each contour's edge, in cells, the logarithm of what they weigh over
/// `e^log_normalizer` and by how much a frequency lessens it; the last is what lies beyond.
#[derive(Debug)]
pub(crate) struct LargeLosses {
    edges: Vec<Vec<(Above, Below)>>,
}

impl LargeLosses {
    /// The size of their transform from a frequency on.
    pub(crate) fn size_from(&self, frequency: f64) -> Above {
        let at = |cells: &Vec<(Above, Below)>| -> Above {
            cells.iter().map(|(logarithm, damping)| (*logarithm - *damping * frequency).exp()).sum()
        };
        self.edges.iter().fold(Above::UNKNOWN, |least, cells| least.or(at(cells)))
    }

    /// The same at frequency zero for one edge.
    fn whole(&self, index: usize) -> Above {
        self.edges.get(index).map_or(Above::UNKNOWN, |cells| cells.iter().map(|(logarithm, _)| logarithm.exp()).sum())
    }
}

impl CutFixedSize {
    /// Without positive losses so large that all of them, over `count` releases, have a probability of about
    /// `e^budget`; and a bound on that.
    pub(crate) fn new(law: &FixedSizeGaussian, count: f64, budget: f64, sharpness: Sharpness) -> Option<(Self, Above)> {
        if law.end.is_some() || !(0.1..=1e4).contains(&law.sigma) || !(1e-12..1.0).contains(&law.rate) {
            return None;
        }
        let allowed = exp_near(budget.clamp(-690.0, 0.0));
        let mut ends = (0..400u32).map(|i| (1.0 + 0.25 * f64::from(i)) / law.sigma);
        let last = ends.find(|end| law.beyond(*end).is_some_and(|lost| lost.get() <= NOTHING))?;
        let first = (1.0 / law.sigma).exp_m1().ln();
        let step = (last.exp_m1().ln() + 4.0 - first) / 256.0;
        // The least cut that drops no more.
        let at = |i: u32| {
            let cut = Self { law: *law, far: Truncation::of(sharpness, first + step * f64::from(i)), last };
            (cut, cut.dropped() * count)
        };
        let (mut low, mut high) = (0u32, 256u32);
        while low < high {
            let middle = low.midpoint(high);
            if at(middle).1.get() <= allowed { high = middle } else { low = middle + 1 }
        }
        let found = at(low);
        (found.1.get() <= allowed).then_some(found)
    }

    /// A bound on what the cut drops of positive losses.
    fn dropped(&self) -> Above {
        self.dropped_with(CELLS, |law, (from, to)| {
            law.log_size(&Ray::REAL, Part::Negative, (from, to)) + (Above::exact(to).exp() * self.law.rate).ln_1p()
        })
    }

    /// A bound on what it drops of `w g^-b`.
    pub(crate) fn dropped_behind(&self, power: f64) -> Above {
        self.dropped_with(FINE, |law, cell| Tilted { tilt: power, ..*law }.log_size(&Ray::REAL, Part::Negative, cell))
    }

    /// Of a density up to the last place, and of all beyond.
    fn dropped_with(&self, fineness: f64, log_density: impl Fn(&Tilted, (f64, f64)) -> Above) -> Above {
        let law = self.tilted(self.far, 0.0);
        let log_size = |(from, to): (f64, f64)| log_density(&law, (from, to)) + self.far.log_dropped_at(to);
        let end = whole_cells(self.last.exp_m1().ln() + 1e-6, fineness).1;
        let start = (-24.0f64).min(end);
        let inner: Above = cells((start, end), fineness).map(|cell| log_size(cell).exp()).sum();
        inner / fineness + log_size((LEFT, start)).exp() + self.law.beyond(self.last).unwrap_or(Above::UNKNOWN)
    }

    fn tilted(&self, near: Truncation, tilt: f64) -> Tilted {
        let range = |ball: &Ball| Range { below: Below::of(ball), above: Above::of(ball) };
        let log_factor = Above::of(&self.law.log_factor());
        Tilted { cut: *self, near, tilt, log_factor, variance: range(&self.law.variance()) }
    }

    /// About the loss of which half is kept, in floats.
    pub(crate) fn loss_at_cut(&self) -> f64 {
        (self.law.rate * (self.far.growth().ln() - self.far.shift).exp()).ln_1p()
    }

    /// The distribution in floats.
    pub(crate) fn table(&self, count: f64) -> TabulatedDensity {
        let Self { law, far, .. } = self;
        let sampled = law.sampled();
        let log_factor = midpoint(&law.log_factor()).0;
        let end = 9.5 - far.shift;
        let step = ((end - START) / 400.0).max(0.05);
        let (mut rows, mut behind, mut left) = (Vec::new(), Vec::new(), 1.0);
        let mut s = START;
        while s < end && rows.len() < 1000 {
            let u = exp_near(s).ln_1p();
            let loss = sampled.log_mixture_estimate(u);
            let base = log_factor - u / 2.0 - law.sigma * law.sigma * u * u / 2.0 + s - u + step.ln();
            left -= exp_near(base + loss) + exp_near(base);
            rows.push((base + loss + far.log_kept(far.mean(s)).get(), loss, s));
            behind.push((base, -loss, -1000.0));
            s += step;
        }
        rows.push((left.max(1e-300).ln(), 0.0, -1000.0));
        rows.extend(behind);
        TabulatedDensity { rate: law.rate, least_growth: 0.0, count, rows, is_cut: false }
    }

    /// A bound on the logarithm of the moment generating function of all, or of what is near.
    pub(crate) fn log_mgf(&self, tilt: f64, near: Option<Truncation>) -> Option<Above> {
        let law = self.tilted(near.unwrap_or(self.far), tilt);
        let part = if near.is_some() { Part::Near } else { Part::Positive };
        let end = law.end(&Ray::REAL)?;
        let growth = |from: f64, to: f64| law.log_size(&Ray::REAL, part, (from, to)) + law.shrunk(to);
        let mut sum = growth(LEFT, START).exp() + law.log_size(&Ray::REAL, part, (end, end)).exp() * 0.1;
        let inner: Above = cells((START, end), FINE).map(|(from, to)| growth(from, to).exp()).sum();
        sum += inner / FINE;
        // Without large losses there is less.
        let missed = near.map_or(Below::ZERO, |near| self.missed(tilt, &near, end));
        let found = (sum - missed).ln_1p();
        found.get().is_finite().then_some(found)
    }

    /// A lower bound on the integral of `(1 - Q) w (g + 1 - g^-c)`, Q being what a cut keeps: by which `1 + integral of
    /// Q w h_c` exceeds the moment generating function at c.
    fn missed(&self, tilt: f64, near: &Truncation, end: f64) -> Below {
        let (log_factor, variance) = (Below::of(&self.law.log_factor()), Above::of(&self.law.variance()));
        let in_cell = |(from, to): (f64, f64)| {
            let (u, growth) = (Above::exact(to).exp().ln_1p(), Range::exact(from).exp());
            let speed = Below::exact(from) - growth.above.ln_1p();
            let log_density = log_factor - u * 0.5 - variance * u.squared() * 0.5 + speed;
            let mixed = growth.below * self.law.rate;
            let rest = -(-(mixed.ln_1p() * tilt)).exp_m1();
            let log_kept = near.log_kept(near.log_mean(Range::exact(from)).below.exp().get().max(0.0));
            log_density.exp() * (mixed + 1.0 + rest) * -log_kept.exp_m1()
        };
        // Further to the left next to nothing is dropped.
        let start = whole_cells(-near.shift, FINE).0;
        cells((start, end), FINE).map(in_cell).sum::<Below>() / FINE
    }

    /// Bounds on large losses.
    pub(crate) fn large(&self, tilt: f64, near: Truncation, log_normalizer: f64) -> Option<LargeLosses> {
        let law = self.tilted(near, tilt);
        let edge = |half_tangent: f64| {
            let ray = Ray::edge(half_tangent);
            law.cells(&ray, Part::Large, -near.shift - 6.0, log_normalizer)
        };
        Some(LargeLosses { edges: HALF_TANGENTS.into_iter().map(edge).collect::<Option<_>>()? })
    }
}

impl Tilted {
    /// A bound on the logarithm of the integrand's size between two places on a ray, at frequency 0. From the left end
    /// of the ray on it bounds what falls by e to a unit leftwards from the second.
    fn log_size(&self, ray: &Ray, part: Part, (from, to): (f64, f64)) -> Above {
        let Self { cut: CutFixedSize { law, far, .. }, near, tilt, log_factor, variance } = self;
        let low = if from > LEFT { Below::exact(from).exp() } else { Below::ZERO };
        let high = Above::exact(to).exp();
        // `|1 + v|^2 = 1 + 2 r cos + r^2`.
        let growth = low * (ray.cosine.below * 2.0 + low.get());
        let alpha = growth.ln_1p() * 0.5;
        let beta = if to < 0.0 { ray.angle.or(ray.sine.above * high) } else { ray.angle };
        let speed = high / (growth + 1.0).sqrt();
        let density = *log_factor - alpha * 0.5 - variance.below * alpha.squared() * 0.5
            + variance.above * beta.squared() * 0.5
            + speed.ln();
        if part == Part::Negative {
            let growth = low * law.rate;
            let loss = (growth * (ray.cosine.below * 2.0 + growth.get())).ln_1p() * 0.5;
            return density - loss * *tilt;
        }
        let growth = high * law.rate;
        let loss = (growth * (ray.cosine.above * 2.0 + growth.get())).ln_1p() * 0.5;
        let places = Range { below: Below::exact(from), above: Above::exact(to) };
        let kept = |cut: &Truncation| {
            let means = cut.log_mean(places);
            if ray.angle.get() == 0.0 {
                cut.log_kept(means.below.exp().get().max(0.0))
            } else {
                cut.log_kept_off_axis(means, ray.cosine.below)
            }
        };
        let cuts = match part {
            Part::Large => {
                let saturated = near.saturated(ray.cosine.below);
                kept(far) + near.log_dropped(near.log_mean(places).above, saturated)
            }
            Part::Near => kept(far) + kept(near),
            Part::Positive | Part::Negative => kept(far),
        };
        density + loss * *tilt + loss + cuts
    }

    /// The logarithm of what `g^(1 + c)` has to be multiplied by to be `(g^(1 + c) - 1) (1 - g^-c)`, at most: that
    /// rises.
    fn shrunk(&self, to: f64) -> Above {
        let growth = Range::exact(to).exp();
        let loss = Range {
            below: (growth.below * self.cut.law.rate).ln_1p(),
            above: (growth.above * self.cut.law.rate).ln_1p(),
        };
        let rest = -(-(loss.above * self.tilt)).exp_m1();
        let ahead = -((-(loss.above * self.tilt + loss.above)).exp_m1());
        (rest * ahead).ln().or(Above::ZERO)
    }

    /// Where it falls by 10 to a unit, and goes on to; none where what is near is not before what is far.
    fn end(&self, ray: &Ray) -> Option<f64> {
        let far = self.cut.far;
        if self.near.shift < far.shift {
            return None;
        }
        // And where next to nothing is kept, and v/(1 + v) hardly rises.
        let least = (self.tilt + far.growth() + self.near.growth() + 11.0).max(far.growth() * 3.2 + 60.0);
        let end = (Above::exact(least + 1.0) / ray.cosine.below).ln().get() - far.shift;
        let end = whole_cells(end, CELLS).1.max(2.0);
        let mean = far.log_mean(Range::exact(end)).below.exp() * ray.cosine.below;
        (mean.get() >= least + 0.5).then_some(end)
    }

    /// What a part weighs along a ray, cell by cell from about a place on, over `e^log_normalizer`, and what is left
    /// and right of these; and how fast that falls with the frequency.
    fn cells(&self, ray: &Ray, part: Part, start: f64, log_normalizer: f64) -> Option<Vec<(Above, Below)>> {
        let end = self.end(ray)?;
        let start = whole_cells(start, CELLS).0.min(end);
        if (end - start) * CELLS > MOST_CELLS {
            return None;
        }
        let damping = |at: f64| {
            let growth = Below::exact(at).exp() * self.cut.law.rate;
            growth / (Above::exact(growth.get()) + 1.0) * ray.sine.below
        };
        let log_size = |from: f64, to: f64| self.log_size(ray, part, (from, to)) - log_normalizer;
        let mut found = vec![(log_size(LEFT, start), Below::ZERO)];
        let width = (Above::exact(1.0) / CELLS).ln();
        found.extend(cells((start, end), CELLS).map(|(from, to)| (log_size(from, to) + width, damping(from))));
        let right = if part == Part::Negative { 4.0 } else { 0.1 };
        found.push((log_size(end, end) + Above::exact(right).ln(), damping(end)));
        Some(found)
    }

    /// The same of all, at frequency 0.
    fn integral(&self, ray: &Ray, part: Part, start: f64, log_normalizer: f64) -> Above {
        let cells = self.cells(ray, part, start, log_normalizer);
        cells.map_or(Above::UNKNOWN, |cells| cells.iter().map(|(logarithm, _)| logarithm.exp()).sum())
    }
}

/// The places a whole number of cells from 0 that are next to one, below and above.
fn whole_cells(at: f64, cells: f64) -> (f64, f64) {
    ((at * cells).floor() / cells, (at * cells).ceil() / cells)
}

/// Cells between two places that are a whole number of them from 0.
fn cells((start, end): (f64, f64), cells: f64) -> impl Iterator<Item = (f64, f64)> {
    let at = move |i: u32| start + f64::from(i) / cells;
    (0..u32::MAX).map(move |i| (at(i), at(i + 1))).take_while(move |(from, _)| *from < end)
}
