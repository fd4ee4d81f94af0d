//! Measures the errors of running sums with correlated noise beside those of a tree, at the same loss, and prints the
//! table of `docs/PERFORMANCE.md`.

use indistinct::{domains::Norm, prelude::*, sampling::testing::SeededEntropy};
use std::{
    error::Error,
    io::{self, Write},
};

/// The standard deviation of the noise on each of so many running sums, by so many runs on nothing, and by a formula.
struct Errors {
    measured: Vec<f64>,
    computed: Vec<f64>,
}

impl Errors {
    fn of(runs: u32, computed: Vec<f64>, mut run: impl FnMut() -> Fallible<Vec<f64>>) -> Fallible<Self> {
        let mut squares = vec![0.0; computed.len()];
        for _ in 0..runs {
            squares.iter_mut().zip(run()?).for_each(|(sum, x)| *sum += x * x / f64::from(runs));
        }
        Ok(Self { measured: squares.into_iter().map(f64::sqrt).collect(), computed })
    }

    /// The root of the mean square over all steps, measured and computed, and the greatest, computed.
    fn told(&self) -> String {
        let mean = |errors: &[f64]| {
            let count: f64 = errors.iter().map(|_| 1.0).sum();
            (errors.iter().map(|x| x * x).sum::<f64>() / count).sqrt()
        };
        let greatest = self.computed.iter().copied().fold(0.0, f64::max);
        format!("{:.2} ({:.2}), {greatest:.2}", mean(&self.measured), mean(&self.computed))
    }
}

/// A tree of integers that change by at most 1, at rho 1/2: the noise on a sum is that of a block for each digit 1 of
/// its time.
fn tree(steps: u32, runs: u32, entropy: &mut SeededEntropy) -> Fallible<Errors> {
    // Integers of a hundredth, so that the noise is as good as continuous.
    const UNIT: i64 = 100;
    let levels = u32::BITS - steps.leading_zeros();
    let items = VectorDomain::new(AtomDomain::i64().with_bounds((0, UNIT))?);
    let scale = 100.0 * f64::from(levels).sqrt();
    let sums = make_tree_aggregation(items, HammingDistance, ZeroConcentratedDivergence, steps, scale)?;
    let rho = sums.map(&1)?;
    let computed = (1..=steps).map(|time| f64::from(levels * time.count_ones()).sqrt() * (2.0 * rho).sqrt());
    Errors::of(runs, computed.collect(), || {
        let sums = sums.invoke_with(&[], entropy)?;
        (0..steps)
            .map(|_| {
                let sum = sums.eval_with(&0, entropy)?;
                Ok(f64::from(i32::try_from(sum).unwrap_or(i32::MAX)) / 100.0)
            })
            .collect()
    })
}

/// A factor, at the same loss, of sums that move by at most 1 and parts that come once.
fn factored(factor: &ToeplitzFactor, runs: u32, entropy: &mut SeededEntropy) -> Fallible<Errors> {
    let steps = factor.steps();
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let number = VectorDomain::new(AtomDomain::f64()).with_size(1);
    let step = (space() >> then_map(number, vec![0.0], |x: &f64| vec![*x]) >> then_norm_clip(Norm::L2, 1.0))?;
    let step = (step >> then_vector_sum(L2Distance::new()))?;
    let parts = VectorDomain::new(space().0).with_size(usize::try_from(steps).unwrap_or(usize::MAX));
    let data = vec![Vec::new(); parts.size().unwrap_or(0)];
    let metric = PartitionDistance(SymmetricDistance);
    let scale = factor.sensitivity(steps)?;
    let sums =
        make_matrix_factorization(parts, metric, ZeroConcentratedDivergence, factor.clone(), 1, (1, 1.0), scale)?;
    let rho = sums.map(&(1, 1, 1))?;
    let computed = factor.errors().iter().map(|error| error * scale * (2.0 * rho).sqrt()).collect();
    Errors::of(runs, computed, || {
        let sums = sums.invoke_with(&data, entropy)?;
        (0..steps).map(|_| Ok(sums.eval_with(&step, entropy)?.iter().sum())).collect()
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut entropy = SeededEntropy::new(1);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "| steps | noise of each step's own | tree | square root | square root, 16 bands | 4 sqrt(steps) bands |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for log in (4..=12).step_by(2) {
        let steps = 1u32 << log;
        let runs = if steps <= 256 { 400 } else { 25 };
        let root = ToeplitzFactor::square_root(steps)?;
        let own = ToeplitzFactor::new(vec![1.0], steps)?;
        let wide = root.banded(4 << (log / 2))?;
        let told = [
            factored(&own, runs, &mut entropy)?.told(),
            tree(steps, runs, &mut entropy)?.told(),
            factored(&root, runs, &mut entropy)?.told(),
            factored(&root.banded(16)?, runs, &mut entropy)?.told(),
            factored(&wide, runs, &mut entropy)?.told(),
        ];
        writeln!(out, "| {steps} | {} |", told.join(" | "))?;
    }
    Ok(())
}
