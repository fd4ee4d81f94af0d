//! `accuracy`.

use crate::{
    arguments::{AccuracyArguments, Format, Noise},
    failure::Failure,
    output::{Rows, upper},
};
use indistinct::{
    accuracy::{discrete_gaussian_accuracy, discrete_laplace_accuracy, gaussian_accuracy, laplace_accuracy},
    core::Released,
};

pub(crate) fn run(arguments: &AccuracyArguments, format: Format) -> Result<(), Failure> {
    let AccuracyArguments { noise, scale, alpha } = *arguments;
    let within = match noise {
        Noise::Laplace => laplace_accuracy(scale, alpha),
        Noise::Gaussian => gaussian_accuracy(scale, alpha),
        Noise::DiscreteLaplace => discrete_laplace_accuracy(scale, alpha),
        Noise::DiscreteGaussian => discrete_gaussian_accuracy(scale, alpha),
    }?;
    let row = vec![Released::Float(scale), Released::Float(alpha), upper(within, format)];
    Rows::of_values(&["scale", "fails with probability", "within"], vec![row]).print(format)
}
