//! Noise that is chosen on the way, and an end that is not planned: a budget of Renyi divergence at one order is kept
//! while the training goes on.

use crate::{
    Arguments,
    chain::{Step, of_count, people},
    model::{FEATURES, PEOPLE, Person, Year, length, scores},
};
use indistinct::{prelude::*, search::smallest};
use std::io::{self, Write};

/// Orders that a budget may be for. One of them is chosen by a plan, before there is a release.
const ORDERS: [f64; 16] = [1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 32.0, 48.0, 64.0];

/// The loss of this many steps like this one, at the order that gives the least epsilon at `delta`.
fn budget(step: Step, steps: u32, delta: f64) -> Fallible<RenyiCurve> {
    let plan = make_PLD_to_RDP(step.sampled(&[0.0; FEATURES])?)?.map(&1)?.repeat(steps)?;
    let mut best = (f64::INFINITY, plan.at_orders(&ORDERS[..1])?);
    for order in ORDERS {
        let curve = plan.at_orders(&[order])?;
        let epsilon = curve.epsilon(delta)?;
        if epsilon < best.0 {
            best = (epsilon, curve);
        }
    }
    Ok(best.1)
}

pub(crate) fn run(arguments: &Arguments, train: &[Person], test: &[Year]) -> Result<f64, Box<dyn std::error::Error>> {
    let &Arguments { epsilon, delta, rate, epochs, clip, learning_rate, quantile, .. } = arguments;
    let (per_epoch, steps) = arguments.steps();
    let at = |noise| Step { clip, noise, counted: of_count(rate, quantile), rate };
    let filter = |noise| people() >> then_privacy_filter(RenyiDivergence, 1, budget(at(noise), steps, delta)?);
    let promised = |noise| Ok::<f64, Error>(make_RDP_to_approxDP(filter(noise)?)?.map(&1)?.epsilon(delta)?);
    let noise = match arguments.noise {
        Some(noise) => noise,
        None => smallest((1e-3 * clip, 1e6 * clip), |noise| Ok(promised(noise)? <= epsilon))?,
    };
    let (filter, promised) = (filter(noise)?, promised(noise)?);
    let planned = noise / clip;
    writeln!(
        io::stdout(),
        "A budget for {steps} steps at rate {rate} with noise of {planned:.4} times the clipped length"
    )?;
    writeln!(
        io::stdout(),
        "{:>5} {:>6} {:>8} {:>7} {:>14}   {:>8} {:>7}",
        "epoch",
        "steps",
        "length",
        "noise",
        "epsilon so far",
        "accuracy",
        "ranking"
    )?;
    let data = filter.invoke(train)?;
    let mut weights = vec![0.0; FEATURES];
    let features: f64 = weights.iter().map(|_| 1.0).sum();
    // Less noise is asked for later, when it is what the steps are made of.
    let mut ratio = 1.5 * planned;
    let mut step = Step { noise: ratio * clip, ..at(noise) };
    let (mut count, mut ended) = (0, "after ten times the epochs planned");
    'training: for epoch in 1..=epochs.saturating_mul(10) {
        let mut total = [0.0; FEATURES];
        for _ in 0..per_epoch {
            let (sum, halves) = match data.eval(&make_PLD_to_RDP(step.sampled(&weights)?)?) {
                Err(error) if error.kind() == ErrorKind::Budget => {
                    ended = "when the budget had no room for another step";
                    break 'training;
                }
                released => released?,
            };
            count += 1;
            weights.iter_mut().zip(&sum).for_each(|(weight, sum)| *weight -= learning_rate * sum / (rate * PEOPLE));
            total.iter_mut().zip(sum).for_each(|(total, sum)| *total += sum);
            if let Some(quantile) = quantile {
                let clip = step.next_clip(halves, quantile);
                step = Step { clip, noise: ratio * clip, ..step };
            }
        }
        let (accuracy, ranking) = scores(&weights, test);
        let so_far = data.spent()?.epsilon(delta)?;
        writeln!(
            io::stdout(),
            "{epoch:>5} {count:>6} {:>8.4} {ratio:>7.4} {so_far:>14.6}   {accuracy:>8.4} {ranking:>7.4}",
            step.clip
        )?;
        // About the length that noise alone would have.
        let of_noise = step.noise * (f64::from(per_epoch) * features).sqrt();
        if length(&total) < 2.0 * of_noise {
            if ratio < 0.5 * planned {
                ended = "for its steps were hardly more than noise, at half the noise planned";
                break;
            }
            ratio *= 0.7;
            step.noise = ratio * step.clip;
        }
    }
    writeln!(io::stdout(), "It ended {ended}; {count} steps were taken.")?;
    // What was spent at an end that is chosen by what was released is less than what is promised, but no promise.
    Ok(promised)
}
