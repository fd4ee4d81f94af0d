//! What loss distributions are asked, how long it may take, and how far apart the bounds may be. The distributions are
//! what the maps of chains say, and asking a chain for them is part of a question, where there is such a chain.

use crate::chains::{
    Chain, discrete_gaussian, gaussian, laplace, response, sampled, sampled_without_replacement, selection,
};
use indistinct::core::Fallible;
use indistinct_accounting::{Delta, Epsilon, PrivacyLossDistribution, Rate, Sigma};
use indistinct_numeric::enclosure::Bounds;

/// A question whose answer is a number between two bounds.
pub struct Task {
    /// What kind of question; questions of a kind share a row of the table.
    pub kind: &'static str,
    /// Which of them.
    pub name: String,
    /// The time that was aimed at, in milliseconds.
    pub milliseconds: f64,
    /// The distance of the bounds over the upper one that was aimed at; infinite where only an upper bound is asked.
    pub width: f64,
    prepare: Box<dyn Fn() -> Fallible<Question>>,
}

/// Asks, as often as it is called.
pub type Question = Box<dyn Fn() -> Fallible<Bounds>>;

impl Task {
    /// The question, for which a chain may have to be made. Chains of a hundred thousand steps are not kept.
    ///
    /// # Errors
    ///
    /// None: the parameters are in range.
    pub fn question(&self) -> Fallible<Question> {
        (self.prepare)()
    }
}

type P = PrivacyLossDistribution;

/// All questions.
///
/// # Errors
///
/// None: the parameters are in range.
pub fn tasks() -> Fallible<Vec<Task>> {
    let mut tasks = Vec::new();
    for delta in [1e-5, 1e-10, 1e-14, 1e-30] {
        // Far out, a wider answer will do.
        let (kind, width) = if delta == 1e-30 {
            ("DP-SGD, epsilon at delta 1e-30", 1e-2)
        } else {
            ("DP-SGD, epsilon at delta 1e-5 to 1e-14", 1e-6)
        };
        for rate in [0.001, 0.01, 0.1] {
            for sigma in [0.7, 1.0, 5.0] {
                for steps in [1_000, 10_000, 100_000] {
                    let all = move || Chain::repeated(&sampled(sigma, rate)?, steps);
                    let name = format!("rate {rate:e}, sigma {sigma}, {steps} steps, delta {delta:e}");
                    tasks.push(of_chain(kind, name, (2.0, width), (all, delta)));
                }
            }
        }
    }
    for steps in [2, 5, 20, 100, 500] {
        for (rate, sigma) in [(0.001, 0.7), (0.01, 1.0), (0.1, 1.0), (0.1, 5.0)] {
            let all = move || Chain::repeated(&sampled(sigma, rate)?, steps);
            let name = format!("rate {rate:e}, sigma {sigma}, {steps} steps, delta 1e-6");
            tasks.push(of_chain("DP-SGD, 2 to 500 steps", name, (2.0, 1e-6), (all, 1e-6)));
        }
    }
    for steps in [100, 1_000, 10_000, 100_000] {
        for (size, sigma) in [(10, 1.0), (50, 5.0), (500, 2.0)] {
            let all = move || Chain::repeated(&sampled_without_replacement(sigma, (size, 1000))?, steps);
            let name = format!("{size} of 1000, sigma {sigma}, {steps} steps, delta 1e-6");
            tasks.push(of_chain("DP-SGD on samples of fixed size", name, (10.0, 1e-6), (all, 1e-6)));
        }
    }
    for (rate, sigma, delta) in [(1e-4, 0.8, 1e-6), (1e-4, 0.6, 1e-6), (1e-5, 0.7, 1e-6), (1e-4, 0.8, 1e-10)] {
        let all = move || Chain::planned(&sampled(sigma, rate)?, 1_000_000);
        let name = format!("rate {rate:e}, sigma {sigma}, delta {delta:e}");
        tasks.push(of_chain("hard: 10^6 steps at small rates", name, (50.0, 1e-5), (all, delta)));
    }
    for (records, sigma, steps) in [(8, 4.0, 1_000), (32, 8.0, 5_000)] {
        let all = P::poisson_gaussian_records(Sigma(sigma), Rate(0.01), records)?.repeat(steps)?;
        let name = format!("{records} records, sigma {sigma}, {steps} steps");
        let run = move || Ok(all.epsilon(1e-6)?);
        tasks.push(task("individuals of several records, rate 0.01", name, (100.0, 1e-6), run));
    }
    for (rate, sigma, epsilon) in [(0.01, 1.0, 0.5), (0.001, 2.0, 0.5), (1e-5, 0.3, 0.5), (0.1, 100.0, 0.01)] {
        let one = P::poisson_gaussian_replace(Sigma(sigma), Rate(rate))?;
        let name = format!("rate {rate:e}, sigma {sigma}, epsilon {epsilon}");
        tasks.push(task("one step with one replaced, delta", name, (0.1, 1e-12), move || Ok(one.delta(epsilon)?)));
    }
    for delta in [1e-6, 1e-10] {
        let phase = |i: u32| {
            let part = f64::from(i) / 19.0;
            Ok(vec![sampled(0.8 + part, 0.005 + 0.01 * part)?; 500])
        };
        let phases = move || Chain::each((0..20).map(phase).collect::<Fallible<Vec<_>>>()?.concat());
        let name = format!("500 steps each, delta {delta:e}");
        tasks.push(of_chain("hard: 20 phases", name, (50.0, 1e-5), (phases, delta)));
    }
    for (sigma, sensitivity) in [(5.0, 1), (1.0, 1), (50.0, 7)] {
        let all = move || Chain::repeated(&discrete_gaussian(sigma, sensitivity)?, 100);
        let name = format!("sigma {sigma}, sensitivity {sensitivity}");
        tasks.push(of_chain("100 times discrete Gaussian noise", name, (10.0, 1e-6), (all, 1e-6)));
    }
    let all = P::approximate(Epsilon(1.0), Delta(1e-8))?.repeat(100)?;
    tasks.push(task("100 times (1, 1e-8)", "delta 1e-5".into(), (10.0, 1e-6), move || Ok(all.epsilon(1e-5)?)));
    let mixed = || {
        let parts = [vec![sampled(0.8, 0.005)?; 100], vec![gaussian(8.0)?; 200], vec![laplace(10.0)?; 100]];
        Chain::each(parts.concat())
    };
    tasks.push(of_chain("mixed: samples, Gaussian, Laplace", "delta 1e-6".into(), (10.0, 1e-6), (mixed, 1e-6)));
    let root = |count: u32| f64::from(count).sqrt();
    let often = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let counts = [10, 100, 1_000, 10_000];
    for count in counts {
        let all = move || Chain::repeated(&gaussian(root(count))?, often(count));
        tasks.push(of_chain("Gaussian noise, exactly", format!("{count} times"), (0.1, 1e-12), (all, 1e-6)));
    }
    for count in counts {
        let all = move || Chain::repeated(&laplace(root(count) / 0.3)?, often(count));
        tasks.push(of_chain("Laplace noise of one scale", format!("{count} times"), (60.0, 1e-4), (all, 1e-6)));
    }
    for count in counts {
        let all = move || Chain::repeated(&response(1.0 / root(count))?, often(count));
        tasks.push(of_chain("responses, exactly", format!("{count} times"), (0.1, 1e-12), (all, 1e-6)));
    }
    let count = 1_000_000;
    let all = move || Chain::planned(&laplace(root(count) / 0.3)?, often(count));
    tasks.push(of_chain("Laplace noise, many times", format!("{count} times"), (10.0, 1e-6), (all, 1e-6)));
    let scales: &[f64] = &[1.0, 2.0, 3.0, 5.0, 10.0];
    for (name, scales, factor, count) in [
        ("5 scales, each once", scales, 1.0, 1),
        ("5 scales, 10 times each", scales, 10.0, 10),
        ("2 scales, 50 times each", &[10.0, 20.0], 1.0, 50),
    ] {
        let all = move || {
            let parts = scales.iter().map(|scale| Ok(vec![laplace(scale * factor)?; count]));
            Chain::each(parts.collect::<Fallible<Vec<_>>>()?.concat())
        };
        tasks.push(of_chain("Laplace noise of several scales", name.into(), (10.0, 1e-6), (all, 1e-6)));
    }
    for count in [10, 1_000, 100_000] {
        let all = move || Chain::repeated(&selection(1.0 / root(count))?, often(count));
        let name = format!("{count} times");
        tasks.push(of_chain("exponential mechanisms", name, (10.0, 1e-6), (all, 1e-6)));
    }
    for (rate, steps, epsilon, delta) in
        [(0.01, 10_000, 4.0, 1e-6), (0.004, 14_000, 2.0, 1e-5), (0.1, 1_000, 8.0, 1e-10), (0.001, 100_000, 1.0, 1e-9)]
    {
        let name = format!("rate {rate:e}, {steps} steps, epsilon {epsilon}, delta {delta:e}");
        tasks.push(task("least sigma for DP-SGD", name, (15.0, f64::INFINITY), move || {
            let upper = P::calibrate_sigma(Rate(rate), steps, Epsilon(epsilon), Delta(delta))?;
            Ok(Bounds { lower: 0.0, upper })
        }));
    }
    let orders: Vec<f64> = (0..155u32).map(|i| 1.05 + f64::from(i) * f64::from(i) / 50.0).collect();
    for (rate, sigma) in [(0.001, 0.7), (0.01, 1.0), (0.1, 5.0)] {
        let (step, orders) = (P::poisson_gaussian(Sigma(sigma), Rate(rate))?.renyi()?, orders.clone());
        let name = format!("rate {rate:e}, sigma {sigma}");
        tasks.push(task("Renyi divergences at 155 orders", name, (1.0, f64::INFINITY), move || {
            let most = orders.iter().try_fold(0f64, |most, order| step.at(*order).map(|found| most.max(found)))?;
            Ok(Bounds { lower: 0.0, upper: most })
        }));
    }
    Ok(tasks)
}

fn task(
    kind: &'static str,
    name: String,
    (milliseconds, width): (f64, f64),
    run: impl Fn() -> Fallible<Bounds> + Clone + 'static,
) -> Task {
    Task { kind, name, milliseconds, width, prepare: Box::new(move || Ok(Box::new(run.clone()))) }
}

/// What a chain loses, and its epsilon at a delta.
fn of_chain(
    kind: &'static str,
    name: String,
    (milliseconds, width): (f64, f64),
    (chain, delta): (impl Fn() -> Fallible<Chain> + 'static, f64),
) -> Task {
    let prepare = move || -> Fallible<Question> {
        let chain = chain()?;
        Ok(Box::new(move || Ok(chain.losses()?.epsilon(delta)?)))
    };
    Task { kind, name, milliseconds, width, prepare: Box::new(prepare) }
}
