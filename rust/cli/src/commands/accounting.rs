//! `accounting`: the calculators.

use crate::{
    arguments::{AccountingCommand, CurvesArguments, Format},
    commands::{guarantee, plan},
    failure::Failure,
    output::{Rows, lower, upper},
    targets::Targets,
};
use indistinct::accounting::{Delta, Epsilon, Error, Rho, cdp_epsilon, gaussian_sigma, optimal_composition_epsilon};
use indistinct::core::Released;
use indistinct_report::{Guarantee, curves_page};

pub(crate) fn run(command: &AccountingCommand, format: Format) -> Result<(), Failure> {
    let wrong = |error: Error| Failure::input(error.to_string());
    let number = |names: [&str; 3], [first, second, bound]: [f64; 3]| {
        let row = vec![Released::Float(first), Released::Float(second), upper(bound, format)];
        Rows::of_values(&names, vec![row]).print(format)
    };
    match command {
        &AccountingCommand::Convert { rho, delta } => {
            number(["rho", "delta", "epsilon"], [rho, delta, cdp_epsilon(Rho(rho), Delta(delta)).map_err(wrong)?])
        }
        &AccountingCommand::Compose { epsilon, times, delta } => {
            let total =
                optimal_composition_epsilon(times, Epsilon(epsilon), Delta(0.0), Delta(delta)).map_err(wrong)?;
            number(["epsilon of each", "delta of all", "epsilon of all"], [epsilon, delta, total])
        }
        &AccountingCommand::Calibrate { epsilon, delta, sensitivity } => {
            let sigma = gaussian_sigma(sensitivity, Epsilon(epsilon), Delta(delta)).map_err(wrong)?;
            number(["epsilon", "delta", "standard deviation"], [epsilon, delta, sigma])
        }
        AccountingCommand::Curves(arguments) => curves(arguments, format),
    }
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
