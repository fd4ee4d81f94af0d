//! `accounting`: the calculators.

use crate::{
    arguments::{AccountingCommand, CurvesArguments, Format, LossArguments, NeighborsArgument},
    commands::{guarantee, plan},
    failure::Failure,
    output::{Rows, lower, upper},
    targets::Targets,
};
use indistinct::accounting::{
    Delta, Epsilon, Error, Fallible, NeighborLoss, Neighbors, PrivacyLossDistribution as Losses, Rate, Rho, Scale,
    Sigma, cdp_epsilon, gaussian_sigma,
};
use indistinct::core::Released;
use indistinct::numeric::{RoundedArithmetic, enclosure::Bounds, read_float};
use indistinct_report::{Guarantee, curves_page};

pub(crate) fn run(command: &AccountingCommand, format: Format) -> Result<(), Failure> {
    let number = |names: [&str; 3], [first, second, bound]: [f64; 3]| {
        let row = vec![Released::Float(first), Released::Float(second), upper(bound, format)];
        Rows::of_values(&names, vec![row]).print(format)
    };
    match command {
        &AccountingCommand::Convert { rho, delta } => {
            number(["rho", "delta", "epsilon"], [rho, delta, cdp_epsilon(Rho(rho), Delta(delta)).map_err(wrong)?])
        }
        AccountingCommand::Epsilon { losses, delta, html, force } => {
            let loss = losses_of(losses)?;
            let mut targets = Targets::new(&[("--html", html.as_deref())], &[], *force)?;
            let found = loss.losses().epsilon(*delta).map_err(wrong)?;
            if html.is_some() {
                let guarantee = Guarantee::of_losses(loss.losses().clone())?;
                let about = format!("Neighbors: {}.", neighbors_in_words(loss.neighbors()));
                targets.write("--html", || Ok(curves_page("Privacy curves", &about, &guarantee)?))?;
            }
            bounds(["delta", "epsilon", "epsilon at least"], (*delta, found), format)
        }
        AccountingCommand::Delta { losses, epsilon } => {
            let found = losses_of(losses)?.losses().delta(*epsilon).map_err(wrong)?;
            bounds(["epsilon", "delta", "delta at least"], (*epsilon, found), format)
        }
        &AccountingCommand::Calibrate { epsilon, delta, sensitivity, neighbors, rate, steps, sigma } => {
            if neighbors.is_some_and(|neighbors| neighbors == NeighborsArgument::Replace)
                && (rate.is_some() || sigma.is_some())
            {
                return Err(Failure::input("--neighbors must be add-remove: the samples are Poisson samples"));
            }
            let (least, most) = ((epsilon, delta), (Epsilon(epsilon), Delta(delta)));
            match (sigma, rate, steps) {
                (None, None, None) => {
                    let sigma = gaussian_sigma(sensitivity, most.0, most.1).map_err(wrong)?;
                    number(["epsilon", "delta", "standard deviation"], [least.0, least.1, sigma])
                }
                (None, rate, steps) => {
                    let (rate, steps) = (Rate(rate.unwrap_or(1.0)), steps.unwrap_or(1));
                    let sigma = Losses::calibrate_sigma(rate, steps, most.0, most.1).map_err(wrong)?;
                    if !(0.0..f64::INFINITY).contains(&sensitivity) {
                        return Err(Failure::input("sensitivity must be a number that is not negative"));
                    }
                    let deviation = sigma.inf_mul(sensitivity).map_err(|error| wrong(error.into()))?;
                    number(["epsilon", "delta", "standard deviation"], [least.0, least.1, deviation])
                }
                (Some(sigma), None, Some(steps)) => {
                    let rate = Losses::calibrate_rate(Sigma(sigma), steps, most.0, most.1).map_err(wrong)?;
                    let row = vec![Released::Float(epsilon), Released::Float(delta), lower(rate, format)];
                    Rows::of_values(&["epsilon", "delta", "rate"], vec![row]).print(format)
                }
                (Some(sigma), Some(rate), None) => {
                    let steps = Losses::calibrate_steps(Sigma(sigma), Rate(rate), most.0, most.1).map_err(wrong)?;
                    let row = vec![Released::Float(epsilon), Released::Float(delta), Released::Integer(steps.into())];
                    Rows::of_values(&["epsilon", "delta", "steps"], vec![row]).print(format)
                }
                (Some(_), ..) => Err(Failure::new(2, "--sigma needs either --rate or --steps, but not both")),
            }
        }
        AccountingCommand::Curves(arguments) => curves(arguments, format),
    }
}

/// An error about a parameter, under the name of its option.
fn wrong(error: Error) -> Failure {
    let Error::Parameter { parameter, rule } = error else { return Failure::input(error.to_string()) };
    let name = match parameter {
        "count" | "steps" => "--steps or times",
        "losses" => "mechanisms on a sample",
        "eta" => "exponential",
        "neighbors" => "--neighbors",
        "sample_size" => "--sample-size",
        other => other,
    };
    Failure::input(format!("{name} {rule}"))
}

/// One number, rounded up, for people; both bounds for programs.
fn bounds([at, name, least]: [&str; 3], (given, found): (f64, Bounds), format: Format) -> Result<(), Failure> {
    let mut row = vec![Released::Float(given), upper(found.upper, format)];
    let mut names = vec![at, name];
    if format != Format::Text {
        row.push(lower(found.lower, format));
        names.push(least);
    }
    Rows::of_values(&names, vec![row]).print(format)
}

fn neighbors_in_words(neighbors: Neighbors) -> &'static str {
    match neighbors {
        Neighbors::AddRemove => "one individual added or removed",
        Neighbors::Replace => "one individual replaced",
    }
}

fn losses_of(arguments: &LossArguments) -> Result<NeighborLoss, Failure> {
    let LossArguments { neighbors, sigma, rate, sample_size, population, steps, mechanisms } = arguments;
    let neighbors = match neighbors {
        NeighborsArgument::AddRemove => Neighbors::AddRemove,
        NeighborsArgument::Replace => Neighbors::Replace,
    };
    let named =
        |losses: Fallible<Losses>| losses.and_then(|losses| NeighborLoss::new(losses, neighbors)).map_err(wrong);
    let mut all = named(Ok(Losses::none()))?;
    if let Some(sigma) = sigma {
        let noise = named(Losses::gaussian(Sigma(*sigma)))?;
        let step = match (rate, sample_size, population) {
            (Some(rate), ..) => noise.on_poisson_sample(*rate),
            (None, Some(sample_size), Some(population)) => noise.on_fixed_size_sample(*sample_size, *population),
            _ => Ok(noise),
        };
        all = step.and_then(|step| step.repeat(steps.unwrap_or(1))).map_err(wrong)?;
    }
    for text in mechanisms {
        let (losses, times) = mechanism(text)?;
        let one = named(losses)?;
        all = one.repeat(times).and_then(|one| all.compose(&one)).map_err(wrong)?;
    }
    Ok(all)
}

/// `laplace=10,times=3`.
fn mechanism(text: &str) -> Result<(Fallible<Losses>, u64), Failure> {
    let unknown = || {
        let known = "laplace=10, gaussian=8, discrete-gaussian=8, discrete-laplace=10, epsilon=1, epsilon=1,delta=1e-6, \
                     exponential=1; each may end with ,times=3";
        Failure::new(2, format!("{text:?} is not a mechanism; examples are {known}"))
    };
    let parts: Option<Vec<(&str, &str)>> =
        text.split(',').map(|part| part.split_once('=').map(|(name, value)| (name.trim(), value.trim()))).collect();
    let mut parts = parts.ok_or_else(unknown)?;
    let times = match parts.pop_if(|(name, _)| *name == "times") {
        Some((_, times)) => times.parse().map_err(|_| unknown())?,
        None => 1,
    };
    let numbers: Option<Vec<(&str, f64)>> =
        parts.into_iter().map(|(name, value)| read_float(value).map(|number| (name, number))).collect();
    let losses = match numbers.ok_or_else(unknown)?.as_slice() {
        [("laplace", scale)] => Losses::laplace(Scale(*scale)),
        [("gaussian", sigma)] => Losses::gaussian(Sigma(*sigma)),
        [("discrete-gaussian", sigma)] => Losses::discrete_gaussian(Sigma(*sigma), 1),
        [("discrete-laplace", scale)] => Losses::discrete_laplace(Scale(*scale), 1),
        [("epsilon", epsilon)] => Losses::pure(*epsilon),
        [("epsilon", epsilon), ("delta", delta)] => Losses::approximate(Epsilon(*epsilon), Delta(*delta)),
        [("exponential", epsilon)] => Losses::bounded_range(*epsilon),
        _ => return Err(unknown()),
    };
    Ok((losses, times))
}

/// The curve of lower bounds.
const MISSES: &str = "misses, at least, for false alarms of";

fn curves(arguments: &CurvesArguments, format: Format) -> Result<(), Failure> {
    let CurvesArguments { guarantee: text, plan: path, units, html, force } = arguments;
    let inputs: Vec<_> = path.as_deref().map(|path| ("the plan", path)).into_iter().collect();
    let mut targets = Targets::new(&[("--html", html.as_deref())], &inputs, *force)?;
    let (found, about) = match (text, path) {
        (_, Some(path)) => {
            let about = format!("One release by the plan {}, for inputs that are {units} apart.", path.display());
            (Guarantee::of_plan(&plan(path)?, *units)?, about)
        }
        (text, None) => {
            let loss = guarantee(text.as_deref().unwrap_or_default())?;
            (Guarantee::of_loss(&loss)?, "All releases under this guarantee together.".into())
        }
    };
    targets.write("--html", || Ok(curves_page("Privacy curves", &about, &found)?))?;
    let curves = found.curves()?;
    let of = [
        ("epsilon for a delta of", &curves.epsilons),
        ("delta for an epsilon of", &curves.deltas),
        (MISSES, &curves.misses),
        ("Renyi divergence of order", &curves.divergences),
    ];
    let rows = of.into_iter().flat_map(|(curve, points)| points.iter().map(move |(at, bound)| (curve, *at, *bound)));
    let row = |(curve, at, bound): (&str, f64, f64)| {
        let bound = match curve {
            _ if !bound.is_finite() => Released::None,
            MISSES => lower(bound, format),
            _ => upper(bound, format),
        };
        vec![Released::Text(curve.into()), Released::Float(at), bound]
    };
    Rows::of_values(&["curve", "at", "bound"], rows.map(row).collect()).print(format)
}
