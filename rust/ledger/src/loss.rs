//! The loss of a release, and the budget of an account.

use crate::{
    amount::Amount,
    error::{Error, Fallible},
};
use std::{fmt, str::FromStr};

/// A measure of privacy loss. The losses of releases on the same data add up, number by number, even if each release is
/// chosen after the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// Pure differential privacy: an epsilon.
    Epsilon,
    /// Approximate differential privacy: an epsilon and a delta.
    EpsilonDelta,
    /// Zero-concentrated differential privacy: a rho.
    Rho,
    /// Approximate zero-concentrated differential privacy: a rho and a delta.
    RhoDelta,
    /// Renyi differential privacy at one order, the same for all releases of an account.
    Renyi {
        /// The order.
        order: Order,
    },
    /// Gaussian differential privacy: the square of mu, which adds up.
    Gaussian,
}

/// The order of a Renyi divergence: a finite float above 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order(u64);

impl Order {
    /// # Errors
    ///
    /// Returns an error if the number is not above 1, or not finite.
    pub fn new(order: f64) -> Fallible<Self> {
        let is_order = order > 1.0 && order.is_finite();
        if is_order { Ok(Self(order.to_bits())) } else { Err(Error::parameter("order", "must be finite and above 1")) }
    }

    /// Returns the order as a float.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// Parses the shortest decimal of the float.
    fn read(text: &str) -> Option<Self> {
        let order = Self::new(read(text).ok()?.to_f64()).ok()?;
        (order.text() == text).then_some(order)
    }

    /// Returns the shortest decimal that parses to the float.
    fn text(self) -> String {
        Amount::try_from(self.value()).map(|order| order.to_string()).unwrap_or_default()
    }
}

impl Measure {
    /// The measures without a parameter.
    const PLAIN: [Self; 5] = [Self::Epsilon, Self::EpsilonDelta, Self::Rho, Self::RhoDelta, Self::Gaussian];

    /// Returns the names of its numbers.
    fn numbers(self) -> &'static [&'static str] {
        match self {
            Measure::Epsilon => &["epsilon"],
            Measure::EpsilonDelta => &["epsilon", "delta"],
            Measure::Rho => &["rho"],
            Measure::RhoDelta => &["rho", "delta"],
            Measure::Renyi { .. } => &["renyi"],
            Measure::Gaussian => &["mu^2"],
        }
    }

    /// Returns the exact name under which it is stored: the names of its numbers, joined by `+`, such as
    /// `epsilon+delta`.
    pub fn name(self) -> String {
        let name = self.numbers().join("+");
        match self {
            Measure::Renyi { order } => format!("{name}({})", order.text()),
            _ => name,
        }
    }

    fn read(name: &str) -> Option<Self> {
        let order = name.strip_prefix("renyi(").and_then(|order| order.strip_suffix(')'));
        match order {
            Some(order) => Some(Self::Renyi { order: Order::read(order)? }),
            None => Self::PLAIN.into_iter().find(|measure| measure.name() == name),
        }
    }
}

/// A loss, or a budget, in a measure: exact numbers.
///
/// A number is a float, a text or an [`Amount`]. A float means its shortest decimal: 0.1 is one tenth. That decimal may
/// be smaller than the float, so a computed bound must be converted by [`Amount::exact`].
///
/// ```
/// use indistinct_ledger::{Amount, Loss};
/// let tenth = Loss::epsilon(0.1)?;
/// assert_eq!(tenth, Loss::epsilon("0.10")?);
/// assert_eq!(tenth.plus(&Loss::epsilon(0.2)?)?.to_string(), "epsilon 0.3");
/// let bound = Loss::epsilon(Amount::exact(0.1)?)?;
/// assert_eq!(tenth.minus(&bound)?, None);
/// assert_eq!(bound.rounded_up().to_string(), "epsilon 0.10000000000000001");
/// # Ok::<(), indistinct_ledger::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loss {
    measure: Measure,
    numbers: Vec<Amount>,
}

/// Converts a number of a loss.
fn amount<A: TryInto<Amount>>(number: A) -> Fallible<Amount>
where
    Error: From<A::Error>,
{
    Ok(number.try_into()?)
}

/// Parses an amount from its canonical text.
fn read(text: &str) -> Fallible<Amount> {
    let amount: Amount = text.parse()?;
    if amount.to_string() == text {
        Ok(amount)
    } else {
        Err(Error::Refused("a stored amount is not in its canonical form".into()))
    }
}

impl Loss {
    /// Makes a loss of an epsilon.
    ///
    /// # Errors
    ///
    /// Returns an error if the number is negative or not finite, or has more digits than an [`Amount`]. The other
    /// functions return this error, too.
    pub fn epsilon<A: TryInto<Amount>>(epsilon: A) -> Fallible<Self>
    where
        Error: From<A::Error>,
    {
        Ok(Self { measure: Measure::Epsilon, numbers: vec![amount(epsilon)?] })
    }

    /// Makes a loss of an epsilon and a delta.
    pub fn epsilon_delta<A: TryInto<Amount>, B: TryInto<Amount>>(epsilon: A, delta: B) -> Fallible<Self>
    where
        Error: From<A::Error> + From<B::Error>,
    {
        Ok(Self { measure: Measure::EpsilonDelta, numbers: vec![amount(epsilon)?, amount(delta)?] })
    }

    /// Makes a loss of a rho.
    pub fn rho<A: TryInto<Amount>>(rho: A) -> Fallible<Self>
    where
        Error: From<A::Error>,
    {
        Ok(Self { measure: Measure::Rho, numbers: vec![amount(rho)?] })
    }

    /// Makes a loss of a rho and a delta.
    pub fn rho_delta<A: TryInto<Amount>, B: TryInto<Amount>>(rho: A, delta: B) -> Fallible<Self>
    where
        Error: From<A::Error> + From<B::Error>,
    {
        Ok(Self { measure: Measure::RhoDelta, numbers: vec![amount(rho)?, amount(delta)?] })
    }

    /// Makes a loss of a Renyi divergence at an order. The order is the exact float.
    ///
    /// # Errors
    ///
    /// Returns the errors of the other functions, and an error if the order is not finite and above 1.
    pub fn renyi<A: TryInto<Amount>>(order: f64, divergence: A) -> Fallible<Self>
    where
        Error: From<A::Error>,
    {
        Ok(Self { measure: Measure::Renyi { order: Order::new(order)? }, numbers: vec![amount(divergence)?] })
    }

    /// Makes a loss of a mu of Gaussian differential privacy. Its exact square is stored and added: a budget of
    /// `mu(1.0)` allows a hundred releases of `mu(0.1)`.
    pub fn mu<A: TryInto<Amount>>(mu: A) -> Fallible<Self>
    where
        Error: From<A::Error>,
    {
        Ok(Self { measure: Measure::Gaussian, numbers: vec![amount(mu)?.squared()?] })
    }

    /// Returns the measure.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns the exact numbers.
    pub fn numbers(&self) -> &[Amount] {
        &self.numbers
    }

    /// Makes a loss of 0.
    pub fn nothing(measure: Measure) -> Self {
        Self { measure, numbers: measure.numbers().iter().map(|_| Amount::zero()).collect() }
    }

    /// Adds two losses, number by number.
    ///
    /// # Errors
    ///
    /// Returns an error if the measures differ.
    pub fn plus(&self, other: &Self) -> Fallible<Self> {
        self.check_measure(other)?;
        let numbers = self.numbers.iter().zip(&other.numbers).map(|(left, right)| left.plus(right)).collect();
        Ok(Self { measure: self.measure, numbers })
    }

    /// Subtracts another loss; `None` if a number of the other loss is larger.
    ///
    /// # Errors
    ///
    /// Returns an error if the measures differ.
    pub fn minus(&self, other: &Self) -> Fallible<Option<Self>> {
        self.check_measure(other)?;
        let left = self.numbers.iter().zip(&other.numbers).map(|(all, spent)| all.minus(spent));
        let numbers: Option<Vec<Amount>> = left.collect();
        Ok(numbers.map(|numbers| Self { measure: self.measure, numbers }))
    }

    /// Rounds each number up to at most 17 digits: a charge that covers a computed bound.
    #[must_use]
    pub fn rounded_up(&self) -> Self {
        Self { measure: self.measure, numbers: self.numbers.iter().map(Amount::rounded_up).collect() }
    }

    /// Returns true if its first number is 0, so that nothing can be spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.numbers.first().is_none_or(Amount::is_zero)
    }

    /// Returns the minimum of both, number by number.
    pub(crate) fn least(&self, other: &Self) -> Fallible<Self> {
        self.check_measure(other)?;
        let numbers = self.numbers.iter().zip(&other.numbers).map(|(left, right)| left.min(right).clone());
        Ok(Self { measure: self.measure, numbers: numbers.collect() })
    }

    /// Returns an error if it cannot be a budget. A delta of 1 would allow a release of all data.
    pub(crate) fn check_budget(&self) -> Fallible<()> {
        let names = self.measure.numbers();
        let delta = names.iter().zip(&self.numbers).find(|(name, _)| **name == "delta");
        let is_none = delta.is_some_and(|(_, delta)| *delta >= Amount::one());
        let rule = "must have a delta below 1: with delta 1, everything may be revealed";
        if is_none { Err(Error::parameter("budget", rule)) } else { Ok(()) }
    }

    fn check_measure(&self, other: &Self) -> Fallible<()> {
        if self.measure == other.measure {
            return Ok(());
        }
        let rule = format!("is measured in {}, but the account is in {}", other.measure.name(), self.measure.name());
        Err(Error::parameter("loss", rule))
    }

    /// Returns the exact text, in which it is stored and parsed.
    pub fn text(&self) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(Amount::to_string).collect();
        format!("{} {}", self.measure.name(), numbers.join(" "))
    }
}

/// Writes the exact numbers with their names, for people.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.measure.numbers().iter().zip(&self.numbers);
        let words: Vec<String> = numbers.map(|(name, number)| format!("{name} {number}")).collect();
        f.write_str(&words.join(", "))?;
        if let Measure::Renyi { order } = self.measure { write!(f, " at order {}", order.value()) } else { Ok(()) }
    }
}

/// Parses the exact text in which it is stored.
impl FromStr for Loss {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let refuse = || Error::Refused("a loss cannot be read".into());
        let mut words = text.split(' ');
        let name = words.next().ok_or_else(refuse)?;
        let measure = Measure::read(name).ok_or_else(refuse)?;
        let numbers: Vec<Amount> = words.map(read).collect::<Fallible<_>>()?;
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
        for loss in [
            Loss::epsilon(0.1),
            Loss::epsilon_delta(3.0, 1e-9),
            Loss::rho(0.0),
            Loss::rho_delta(1e-300, 1.0),
            Loss::renyi(1.1, 0.1),
            Loss::renyi(f64::MAX, 0.0),
            Loss::mu(0.1),
            Loss::mu(5e-324),
            Loss::mu(f64::MAX),
        ] {
            let loss = loss.unwrap();
            assert_eq!(loss.text().parse::<Loss>().unwrap(), loss);
        }
        assert_eq!(Loss::epsilon_delta(0.1, 1e-6).unwrap().text(), "epsilon+delta 0.1 0.000001");
        for text in ["", "epsilon", "epsilon ", "epsilon 1 1", "delta 1", "epsilon  1", "epsilon+delta 1"] {
            assert!(text.parse::<Loss>().is_err(), "{text}");
        }
        for text in ["renyi 1", "renyi() 1", "renyi(1) 1", "renyi(0.75) 1", "renyi(3.0) 1", "mu 1"] {
            assert!(text.parse::<Loss>().is_err(), "{text}");
        }
        // A number has one text; more digits than a float has are no order.
        for text in ["epsilon 0.10", "epsilon 1e-1", "epsilon .1", "epsilon -0", "renyi(9007199254740993) 1"] {
            assert!(text.parse::<Loss>().is_err(), "{text}");
        }
        assert!(Loss::epsilon(f64::NAN).is_err() && Loss::rho(-1.0).is_err() && Loss::mu(-1.0).is_err());
        for order in [1.0, 0.5, -2.0, f64::NAN, f64::INFINITY] {
            assert!(Loss::renyi(order, 0.1).is_err(), "{order}");
        }
    }

    #[test]
    fn orders_do_not_mix_and_squares_add_up() {
        let (two, three) = (Loss::renyi(2.0, 0.25).unwrap(), Loss::renyi(3.0, 0.25).unwrap());
        assert_eq!(two.plus(&two).unwrap(), Loss::renyi(2.0, 0.5).unwrap());
        assert!(two.plus(&three).is_err() && two.minus(&three).is_err());
        assert_eq!(two.to_string(), "renyi 0.25 at order 2");
        let half = Loss::mu(0.5).unwrap();
        let one = (0..3).fold(half.clone(), |sum, _| sum.plus(&half).unwrap());
        assert_eq!((one.clone(), one.to_string().as_str()), (Loss::mu(1.0).unwrap(), "mu^2 1"));
        // The square of a tenth is a hundredth, of which a hundred are 1; that of the float 0.1 is more.
        let hundred = |tenth: Loss| (0..99).fold(tenth.clone(), |sum, _| sum.plus(&tenth).unwrap());
        assert_eq!(hundred(Loss::mu(0.1).unwrap()), one);
        assert_eq!(one.minus(&hundred(Loss::mu(Amount::exact(0.1).unwrap()).unwrap())).unwrap(), None);
        assert!(Loss::mu("1e-600").is_err() && Loss::mu("1e600").is_err(), "their squares have too many digits");
    }
}
