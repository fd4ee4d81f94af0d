//! A plan that is fixed beforehand: so many steps, each with the same loss, counted by the distribution of the loss.

use crate::{
    Arguments,
    chain::{OnPeople, Released, Step, Years, of_count, people},
    model::{FEATURES, PEOPLE, Person, Year, scores},
};
use indicatif::{ProgressBar, ProgressStyle};
use indistinct::{
    accounting::{Delta, Epsilon, advanced_composition},
    combinators::AdaptiveComposition,
    numeric::RoundedArithmetic,
    prelude::*,
};
use std::{
    error::Error,
    io::{self, Write},
};

/// A training under way: it answers one step after another.
type Conversation = AdaptiveComposition<VectorDomain<Years>, SymmetricDistance, PrivacyLossDivergence>;

/// This many steps like this one, each chosen in view of those before it. The loss of a step does not depend on the
/// weights.
fn training(
    step: &OnPeople<Released, PrivacyLossDivergence>,
    steps: u32,
) -> Fallible<OnPeople<Conversation, PrivacyLossDivergence>> {
    let losses = (0..steps).map(|_| step.map(&1)).collect::<Fallible<_>>()?;
    people() >> then_adaptive_composition(PrivacyLossDivergence, 1, losses)
}

/// A step as (epsilon, delta), sampling included. `each` is the delta at which the sum's guarantee is read; the noise
/// does not depend on it.
fn apart(step: Step, each: f64) -> Fallible<(f64, f64)> {
    let pair = make_fix_delta(make_GDP_to_approxDP(step.noisy(&[0.0; FEATURES])?)?, each)?;
    make_poisson_sampling(pair, step.rate)?.map(&1)
}

pub(crate) fn run(arguments: &Arguments, train: &[Person], test: &[Year]) -> Result<f64, Box<dyn Error>> {
    let &Arguments { epsilon, delta, rate, epochs, clip, learning_rate, quantile, .. } = arguments;
    let (per_epoch, steps) = arguments.steps();
    let start = vec![0.0; FEATURES];
    let at = |noise| Step { clip, noise, counted: of_count(rate, quantile), rate };
    let planned = |noise| training(&at(noise).sampled(&start)?, steps);
    let noise = match arguments.noise {
        Some(noise) => noise,
        None => {
            let at_epsilon = |noise| make_fix_epsilon(make_PLD_to_approxDP(planned(noise)?)?, epsilon);
            smallest_scale(at_epsilon, &1, &(epsilon, delta))?
        }
    };
    // Half of delta for all steps, half for advanced composition's own.
    let each = (delta / 2.0 / f64::from(steps) / rate).min(1.0) * (1.0 - 1e-12);
    let (one_epsilon, one_delta) = apart(at(noise), each)?;

    let length = noise / clip;
    writeln!(io::stdout(), "{steps} steps at rate {rate}, noise of {length:.4} times the clipped length {clip}")?;
    writeln!(
        io::stdout(),
        "{:>5} {:>6} {:>48}   {:>16}",
        "",
        "",
        "epsilon so far, by four ways of counting",
        "on other people"
    )?;
    writeln!(
        io::stdout(),
        "{:>5} {:>6} {:>22} {:>7} {:>9} {:>7}   {:>8} {:>7}",
        "epoch",
        "steps",
        "losses, both bounds",
        "Renyi",
        "advanced",
        "basic",
        "accuracy",
        "ranking"
    )?;
    let bar = ProgressBar::new(u64::from(steps)).with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len}")?);
    let data = planned(noise)?.invoke(train)?;
    let (mut weights, mut step) = (start, at(noise));
    let mut spent = 0.0;
    for epoch in 1..=epochs {
        for _ in 0..per_epoch {
            let (sum, halves) = data.eval(&step.sampled(&weights)?)?;
            weights.iter_mut().zip(sum).for_each(|(weight, sum)| *weight -= learning_rate * sum / (rate * PEOPLE));
            if let Some(quantile) = quantile {
                // As much noise as was declared, in proportion to the length, and a little more: no rounding of the two
                // makes it less.
                let clip = step.next_clip(halves, quantile);
                step = Step { clip, noise: clip * length * (1.0 + 1e-12), ..step };
            }
            bar.inc(1);
        }
        let (count, composed) = (epoch * per_epoch, data.spent()?);
        let losses = composed.epsilon(delta)?;
        let renyi = composed.renyi()?.epsilon(delta)?;
        let advanced = advanced_composition(count, Epsilon(one_epsilon), Delta(one_delta), delta / 2.0)?.0;
        let basic = one_epsilon.inf_mul(f64::from(count))?;
        let (accuracy, ranking) = scores(&weights, test);
        let bounds = format!("{:.6} to {:.6}", losses.lower, losses.upper);
        bar.suspend(|| {
            writeln!(
            io::stdout(),
            "{epoch:>5} {count:>6} {bounds:>22} {renyi:>7.4} {advanced:>9.3} {basic:>7.3}   {accuracy:>8.4} {ranking:>7.4}"
        )
        })?;
        // An epsilon whose delta is seen to do is one, also where another is printed for its bounds are a little apart.
        spent = if composed.delta(epsilon)?.upper <= delta { losses.upper.min(epsilon) } else { losses.upper };
    }
    bar.finish_and_clear();
    if quantile.is_some() {
        writeln!(io::stdout(), "The clipped length, found by noisy counts: {:.4}.", step.clip)?;
    }
    Ok(spent)
}
