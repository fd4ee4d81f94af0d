//! `account`: the calculators.

use crate::{
    arguments::{AccountCommand, Format},
    failure::Failure,
    output::Rows,
};
use indistinct::accounting::{Delta, Epsilon, Error, Rho, cdp_epsilon, gaussian_sigma, optimal_composition_epsilon};

pub(crate) fn run(command: &AccountCommand, format: Format) -> Result<(), Failure> {
    let wrong = |error: Error| Failure::input(error.to_string());
    let number = |names: [&str; 3], numbers: [f64; 3]| {
        Rows::of_words(&names, vec![numbers.map(|number| number.to_string()).to_vec()]).print(format)
    };
    match *command {
        AccountCommand::Convert { rho, delta } => {
            number(["rho", "delta", "epsilon"], [rho, delta, cdp_epsilon(Rho(rho), Delta(delta)).map_err(wrong)?])
        }
        AccountCommand::Compose { epsilon, times, delta } => {
            let total =
                optimal_composition_epsilon(times, Epsilon(epsilon), Delta(0.0), Delta(delta)).map_err(wrong)?;
            number(["epsilon of each", "delta of all", "epsilon of all"], [epsilon, delta, total])
        }
        AccountCommand::Calibrate { epsilon, delta, sensitivity } => {
            let sigma = gaussian_sigma(sensitivity, Epsilon(epsilon), Delta(delta)).map_err(wrong)?;
            number(["epsilon", "delta", "standard deviation"], [epsilon, delta, sigma])
        }
    }
}
