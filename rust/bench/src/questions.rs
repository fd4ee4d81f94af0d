//! 1,486 questions as users ask them, drawn from a fixed seed: what `docs/ACCOUNTING.md` promises is measured on these.

use indistinct_accounting::{Delta, Epsilon, Fallible, PrivacyLossDistribution, Rate, Scale, Sigma};
use indistinct_numeric::enclosure::Bounds;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

type P = PrivacyLossDistribution;

/// The kinds of questions, and how many of each are asked.
pub const KINDS: [(&str, usize); 9] = [
    ("DP-SGD", 800),
    ("samples of fixed size", 150),
    ("one individual replaced", 60),
    ("1 to 100 steps, Poisson samples", 40),
    ("1 to 100 steps, fixed size", 40),
    ("releases of 1 to 50 kinds", 250),
    ("exponential mechanisms", 55),
    ("samples beside releases", 60),
    ("corners", 31),
];

/// A question with its answer: bounds on epsilon, or on delta, and the CPU time of the one call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    /// What kind of question.
    pub kind: String,
    /// The composition and what was asked of it.
    pub question: String,
    /// The lower bound.
    pub lower: f64,
    /// The upper bound; none where it is infinite, as JSON has no such number.
    pub upper: Option<f64>,
    /// CPU time of this thread.
    pub milliseconds: f64,
}

impl Answer {
    /// The distance of the bounds over the upper one.
    pub fn width(&self) -> f64 {
        match self.upper {
            Some(0.0) => 0.0,
            Some(upper) => (upper - self.lower) / upper,
            None => 1.0,
        }
    }

    /// Whether no number satisfies both this answer and another.
    pub fn crosses(&self, other: &Self) -> bool {
        let upper = |answer: &Self| answer.upper.unwrap_or(f64::INFINITY);
        self.lower > upper(other) || upper(self) < other.lower
    }
}

/// What is asked of a composition.
#[derive(Debug, Clone, Copy)]
enum Asked {
    /// Epsilon at this delta.
    Epsilon(f64),
    /// Delta at this epsilon.
    Delta(f64),
}

/// Asks all questions of the kinds with `only` in their names, and hands each answer on.
///
/// # Errors
///
/// None: the parameters are in range.
pub fn ask_all(only: &str, mut each: impl FnMut(Answer)) -> Fallible<()> {
    for (kind, count) in KINDS {
        if !kind.contains(only) {
            continue;
        }
        let mut draws = Draws(kind.bytes().fold(59, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))));
        let mut found = 0;
        let corners = if kind == "corners" { corners()? } else { Vec::new() };
        while found < count {
            let (all, asked, is_any) = match corners.get(found) {
                Some((all, asked)) => (all.clone(), *asked, true),
                None => {
                    let (all, asked) = draws.question(kind, found)?;
                    (all, asked, false)
                }
            };
            let before = cpu_milliseconds();
            let bounds = match asked {
                Asked::Epsilon(delta) => all.epsilon(delta)?,
                Asked::Delta(epsilon) => all.delta(epsilon)?,
            };
            let milliseconds = cpu_milliseconds() - before;
            // Nobody's budget is outside of these.
            let likely = match asked {
                Asked::Epsilon(_) => 1e-3..=100.0,
                Asked::Delta(_) => 1e-12..=1e-2,
            };
            if !is_any && (bounds.upper < *likely.start() || bounds.lower > *likely.end()) {
                continue;
            }
            found += 1;
            let asked = match asked {
                Asked::Epsilon(delta) => format!("epsilon at delta {delta:?}"),
                Asked::Delta(epsilon) => format!("delta at epsilon {epsilon:?}"),
            };
            let Bounds { lower, upper } = bounds;
            let upper = upper.is_finite().then_some(upper);
            each(Answer { kind: kind.into(), question: format!("{all}: {asked}"), lower, upper, milliseconds });
        }
    }
    Ok(())
}

fn cpu_milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = i32::try_from(time.tv_sec).map_or(f64::NAN, f64::from);
    let nanoseconds = i32::try_from(time.tv_nsec).map_or(f64::NAN, f64::from);
    seconds * 1e3 + nanoseconds / 1e6
}

/// Parameters from a seed, by SplitMix64.
struct Draws(u64);

impl Draws {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform from 0 to 1, in steps of 2^-32.
    fn uniform(&mut self) -> f64 {
        u32::try_from(self.bits() >> 32).map_or(0.5, f64::from) / f64::from(u32::MAX)
    }

    /// Between two numbers, uniform in the logarithm, with three digits, as a user writes it.
    fn log_uniform(&mut self, least: f64, most: f64) -> f64 {
        let drawn = (least.ln() + self.uniform() * (most / least).ln()).exp();
        format!("{drawn:.2e}").parse().unwrap_or(drawn)
    }

    /// A whole number, likewise.
    fn count(&mut self, least: u64, most: u64) -> u64 {
        let ends = [least, most].map(|end| u32::try_from(end).map_or(f64::from(u32::MAX), f64::from));
        let [least_float, most_float] = ends;
        let drawn = self.log_uniform(least_float, most_float + 0.999);
        format!("{:.0}", drawn.floor()).parse().unwrap_or(least).clamp(least, most)
    }

    fn question(&mut self, kind: &str, number: usize) -> Fallible<(P, Asked)> {
        let all = match kind {
            "DP-SGD" => {
                let (sigma, rate) = (self.log_uniform(0.5, 10.0), self.log_uniform(1e-5, 0.1));
                P::poisson_gaussian(Sigma(sigma), Rate(rate))?.repeat(self.count(100, 1_000_000))?
            }
            "samples of fixed size" => {
                let (sigma, rate) = (self.log_uniform(0.5, 10.0), self.log_uniform(1e-5, 0.1));
                P::fixed_size_gaussian(Sigma(sigma), Rate(rate))?.repeat(self.count(100, 1_000_000))?
            }
            "one individual replaced" => {
                let (sigma, rate) = (self.log_uniform(0.5, 10.0), self.log_uniform(1e-4, 0.1));
                P::poisson_gaussian_replace(Sigma(sigma), Rate(rate))?.repeat(self.count(100, 100_000))?
            }
            "1 to 100 steps, Poisson samples" => {
                let (sigma, rate) = (self.log_uniform(0.5, 5.0), self.log_uniform(1e-4, 0.3));
                P::poisson_gaussian(Sigma(sigma), Rate(rate))?.repeat(self.count(1, 100))?
            }
            "1 to 100 steps, fixed size" => {
                let (sigma, rate) = (self.log_uniform(0.5, 5.0), self.log_uniform(1e-4, 0.3));
                P::fixed_size_gaussian(Sigma(sigma), Rate(rate))?.repeat(self.count(1, 100))?
            }
            "exponential mechanisms" => P::bounded_range(self.log_uniform(0.001, 2.0))?.repeat(self.count(1, 2_000))?,
            "samples beside releases" => {
                let (sigma, rate) = (self.log_uniform(0.5, 5.0), self.log_uniform(1e-4, 0.05));
                let training = P::poisson_gaussian(Sigma(sigma), Rate(rate))?.repeat(self.count(1, 50_000))?;
                let kinds = self.count(1, 3);
                (0..kinds).try_fold(training, |all, _| all.compose(&self.release(kinds)?))?
            }
            _ => {
                let kinds = self.count(1, 50);
                (0..kinds).try_fold(P::none(), |all, _| all.compose(&self.release(kinds)?))?
            }
        };
        // Every fourth question on samples is for a delta.
        let is_sampled = !["releases of 1 to 50 kinds", "exponential mechanisms"].contains(&kind);
        if is_sampled && number % 4 == 3 {
            return Ok((all, Asked::Delta(self.log_uniform(0.05, 10.0))));
        }
        Ok((all, Asked::Epsilon(self.log_uniform(1e-12, 1e-5))))
    }

    /// One release of several, some times.
    fn release(&mut self, kinds: u64) -> Fallible<P> {
        let most = if kinds > 8 { 4 } else { 100 };
        let times = self.count(1, most);
        let one = match self.bits() % 6 {
            0 => P::laplace(Scale(self.log_uniform(2.0, 100.0)))?,
            1 => P::gaussian(Sigma(self.log_uniform(2.0, 100.0)))?,
            2 => P::discrete_gaussian(Sigma(self.log_uniform(2.0, 100.0)), 1)?,
            3 => P::discrete_laplace(Scale(self.log_uniform(2.0, 100.0)), 1)?,
            4 => P::pure(self.log_uniform(0.003, 0.5))?,
            _ => P::approximate(Epsilon(self.log_uniform(0.003, 0.5)), Delta(self.log_uniform(1e-18, 1e-15)))?,
        };
        one.repeat(times)
    }
}

/// Cases that were loose, slow or wrong once, here or elsewhere.
fn corners() -> Fallible<Vec<(P, Asked)>> {
    use Asked::{Delta as D, Epsilon as E};
    let poisson = |sigma, rate, steps| P::poisson_gaussian(Sigma(sigma), Rate(rate))?.repeat(steps);
    let fixed = |sigma, rate, steps| P::fixed_size_gaussian(Sigma(sigma), Rate(rate))?.repeat(steps);
    let replace = |sigma, rate, steps| P::poisson_gaussian_replace(Sigma(sigma), Rate(rate))?.repeat(steps);
    let discrete = |sigma, count| P::discrete_gaussian(Sigma(sigma), 1)?.repeat(count);
    let pure = |epsilon, count| P::pure(epsilon)?.repeat(count);
    let laplace = |scale, count| P::laplace(Scale(scale))?.repeat(count);
    let and = |all: P, other: P| all.compose(&other);
    let pair = |weights: &[(f64, f64)], count| P::discrete(weights)?.repeat(count);
    let beside = and(replace(1.28, 0.0002, 349)?, discrete(0.93, 300)?)?;
    let sampled = and(pure(2.838, 1)?.poisson_sampled(0.0213)?.repeat(30)?, pure(0.00318, 100)?)?;
    Ok(vec![
        // Replaced beside discrete noise.
        (beside.clone(), E(1e-6)),
        (beside, D(170.0)),
        (and(replace(1.28, 0.0002, 349)?, discrete(0.93, 150)?)?, E(1e-6)),
        // One sampled step beside atoms.
        (and(sampled, poisson(1.295, 0.00207, 1)?)?, E(0.0773)),
        (and(and(poisson(1.0, 0.01, 1)?, pure(0.1, 20)?)?, laplace(5.0, 3)?)?, E(1e-6)),
        (and(pure(0.1, 20)?, poisson(1.0, 0.001, 1)?)?, E(1e-6)),
        (and(pure(0.1, 20)?, replace(1.0, 0.001, 1)?)?, E(1e-6)),
        // Custom pairs of two kinds.
        (and(pair(&[(0.5, 0.3), (0.3, 0.3), (0.2, 0.4)], 3)?, pair(&[(0.9, 0.8), (0.1, 0.2)], 2)?)?, E(1e-6)),
        (and(pair(&[(0.6, 0.4), (0.4, 0.6)], 7)?, pair(&[(0.5, 0.25), (0.3, 0.5), (0.2, 0.25)], 4)?)?, D(0.5)),
        // Slow for delta.
        (poisson(0.579, 1.23e-5, 238_931)?, D(1.14)),
        (poisson(0.795, 2.3e-5, 140_650)?, E(3.03e-11)),
        // Few steps at small rates.
        (poisson(1.0, 1e-4, 1)?, E(1e-7)),
        (poisson(1.0, 1e-4, 2)?, E(1e-7)),
        (poisson(1.0, 1e-4, 20)?, E(1e-7)),
        (poisson(0.6, 1e-5, 100)?, E(1e-8)),
        (poisson(0.5, 1e-6, 1_000)?, E(1e-9)),
        (poisson(2.0, 1e-3, 5)?, D(0.01)),
        (fixed(1.0, 0.01, 2)?, E(1e-6)),
        (fixed(1.0, 0.001, 5)?, E(1e-6)),
        (fixed(0.7, 1e-4, 10)?, E(1e-6)),
        (fixed(0.4, 1e-5, 100)?, E(1e-6)),
        (fixed(5.144, 0.0325, 667_923)?, E(1e-6)),
        (replace(0.3, 1e-5, 2)?, D(0.5)),
        (replace(2.0, 1e-3, 2)?, D(0.5)),
        // Tiny deltas, and large epsilons.
        (poisson(1.0, 0.01, 10_000)?, E(1e-30)),
        (poisson(0.7, 0.1, 1_000)?, E(1e-100)),
        (poisson(0.5, 0.1, 1_000)?, E(1e-9)),
        (pure(3.0, 100)?, E(1e-9)),
        // Many, and many kinds.
        (laplace(3_333.0, 1_000_000)?, E(1e-6)),
        ((1..=80).try_fold(P::none(), |all, i| and(all, pure(0.01 * f64::from(i), 1)?))?, E(1e-6)),
        (P::bounded_range(1e-3)?.repeat(1_000_000)?, E(1e-6)),
    ])
}
