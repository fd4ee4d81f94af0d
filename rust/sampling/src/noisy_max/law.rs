//! The distributions of noise with which numbers are compared.

use crate::real::Form;

/// The distribution of the noise with which numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionNoise {
    /// Density `exp(-z)` for z from 0 on: the greatest is that of permute-and-flip.
    Exponential,
    /// Distribution function `exp(-exp(-z))`: the greatest is that of the exponential mechanism.
    Gumbel,
}

impl SelectionNoise {
    pub(super) fn form(self) -> Form {
        match self {
            SelectionNoise::Exponential => Form::MinusLn,
            SelectionNoise::Gumbel => Form::Gumbel,
        }
    }
}
