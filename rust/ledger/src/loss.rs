//! What a release costs, and what an account may spend.

use crate::{
    amount::Amount,
    error::{Error, Fallible},
};
use std::{fmt, str::FromStr};

/// A measure of privacy loss in which losses of releases on the same data add up, number by number, also if each is
/// chosen after those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// Pure differential privacy: an epsilon.
    Epsilon,
    /// Approximate differential privacy: an epsilon and a delta.
    EpsilonDelta,
    /// Zero-concentrated differential privacy: a rho.
    Rho,
    /// The same, but for a delta.
    RhoDelta,
}

impl Measure {
    const ALL: [Self; 4] = [Self::Epsilon, Self::EpsilonDelta, Self::Rho, Self::RhoDelta];

    /// The names of its numbers.
    fn numbers(self) -> &'static [&'static str] {
        match self {
            Measure::Epsilon => &["epsilon"],
            Measure::EpsilonDelta => &["epsilon", "delta"],
            Measure::Rho => &["rho"],
            Measure::RhoDelta => &["rho", "delta"],
        }
    }

    /// The names of its numbers, with `+` between: `epsilon+delta`.
    pub fn name(self) -> String {
        self.numbers().join("+")
    }
}

/// A loss, or a budget, in a measure: exact numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loss {
    measure: Measure,
    numbers: Vec<Amount>,
}

impl Loss {
    fn new(measure: Measure, numbers: &[f64]) -> Fallible<Self> {
        let numbers = numbers.iter().map(|number| Amount::new(*number)).collect::<Fallible<_>>()?;
        Ok(Self { measure, numbers })
    }

    /// An epsilon.
    ///
    /// # Errors
    ///
    /// A number that is negative or not finite, as for the others.
    pub fn epsilon(epsilon: f64) -> Fallible<Self> {
        Self::new(Measure::Epsilon, &[epsilon])
    }

    /// An epsilon and a delta.
    pub fn epsilon_delta(epsilon: f64, delta: f64) -> Fallible<Self> {
        Self::new(Measure::EpsilonDelta, &[epsilon, delta])
    }

    /// A rho.
    pub fn rho(rho: f64) -> Fallible<Self> {
        Self::new(Measure::Rho, &[rho])
    }

    /// A rho and a delta.
    pub fn rho_delta(rho: f64, delta: f64) -> Fallible<Self> {
        Self::new(Measure::RhoDelta, &[rho, delta])
    }

    /// The measure.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The exact numbers.
    pub fn numbers(&self) -> &[Amount] {
        &self.numbers
    }

    pub(crate) fn nothing(measure: Measure) -> Self {
        Self { measure, numbers: measure.numbers().iter().map(|_| Amount::zero()).collect() }
    }

    /// Both together, number by number.
    ///
    /// # Errors
    ///
    /// Another measure.
    pub fn plus(&self, other: &Self) -> Fallible<Self> {
        self.check_measure(other)?;
        let numbers = self.numbers.iter().zip(&other.numbers).map(|(left, right)| left.plus(right)).collect();
        Ok(Self { measure: self.measure, numbers })
    }

    /// What is left of this after another one; none if a number of it is greater.
    ///
    /// # Errors
    ///
    /// Another measure.
    pub fn minus(&self, other: &Self) -> Fallible<Option<Self>> {
        self.check_measure(other)?;
        let left = self.numbers.iter().zip(&other.numbers).map(|(all, spent)| all.minus(spent));
        let numbers: Option<Vec<Amount>> = left.collect();
        Ok(numbers.map(|numbers| Self { measure: self.measure, numbers }))
    }

    fn check_measure(&self, other: &Self) -> Fallible<()> {
        if self.measure == other.measure {
            return Ok(());
        }
        let rule = format!("is in {}, where the account is in {}", other.measure.name(), self.measure.name());
        Err(Error::parameter("loss", rule))
    }

    /// The exact text, by which it is stored and read back.
    pub fn text(&self) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(Amount::to_string).collect();
        format!("{} {}", self.measure.name(), numbers.join(" "))
    }
}

/// For people: the floats nearest to the numbers.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.measure.numbers().iter().zip(&self.numbers);
        let words: Vec<String> = numbers.map(|(name, number)| format!("{name} {}", number.to_f64())).collect();
        f.write_str(&words.join(", "))
    }
}

/// The exact text, by which it is stored.
impl FromStr for Loss {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let refuse = || Error::Refused("a loss cannot be read".into());
        let mut words = text.split(' ');
        let name = words.next().ok_or_else(refuse)?;
        let measure = Measure::ALL.into_iter().find(|measure| measure.name() == name).ok_or_else(refuse)?;
        let numbers: Vec<Amount> = words.map(str::parse).collect::<Fallible<_>>()?;
        if numbers.len() == measure.numbers().len() { Ok(Self { measure, numbers }) } else { Err(refuse()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_add_up_number_by_number() {
        let both = Loss::epsilon_delta(0.5, 1e-6).unwrap();
        let sum = both.plus(&both).unwrap();
        assert_eq!(sum, Loss::epsilon_delta(1.0, 2e-6).unwrap());
        assert_eq!(sum.to_string(), "epsilon 1, delta 0.000002");
        assert_eq!(sum.minus(&both).unwrap(), Some(both.clone()));
        assert_eq!(both.minus(&Loss::epsilon_delta(0.25, 1e-5).unwrap()).unwrap(), None);
        assert!(both.plus(&Loss::epsilon(1.0).unwrap()).is_err());
        assert!(both.minus(&Loss::rho_delta(0.1, 0.0).unwrap()).is_err());
    }

    #[test]
    fn texts_are_read_back() {
        for loss in [Loss::epsilon(0.1), Loss::epsilon_delta(3.0, 1e-9), Loss::rho(0.0), Loss::rho_delta(1e-300, 1.0)] {
            let loss = loss.unwrap();
            assert_eq!(loss.text().parse::<Loss>().unwrap(), loss);
        }
        for text in ["", "epsilon", "epsilon ", "epsilon 1p0 1p0", "delta 1p0", "epsilon  1p0", "epsilon+delta 1p0"] {
            assert!(text.parse::<Loss>().is_err(), "{text}");
        }
        assert!(Loss::epsilon(f64::NAN).is_err() && Loss::rho(-1.0).is_err());
    }
}
