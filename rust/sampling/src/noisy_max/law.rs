//! The distributions of noise for selecting the largest numbers.

use crate::real::Form;

/// The distribution of the noise that is added before numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionNoise {
    /// Density `exp(-z)` for `z >= 0`: the largest number is selected as in permute-and-flip.
    Exponential,
    /// Distribution function `exp(-exp(-z))`: the largest number is selected as in the exponential mechanism.
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
