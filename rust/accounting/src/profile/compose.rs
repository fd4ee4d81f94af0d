//! Two guarantees together.
use crate::{
    composition::{basic_composition, gaussian_composition, sum_of},
    error::{Error, Fallible},
    profile::kind::{Kind, PrivacyProfile},
    renyi::RenyiCurve,
    units::{Delta, Epsilon, Mu},
};

impl PrivacyProfile {
    /// Returns the joint guarantee of two mechanisms on the same data; the second may be chosen after seeing the result
    /// of the first.
    ///
    /// | | composed |
    /// |---|---|
    /// | pure and pure | sum of epsilons |
    /// | the same repeated guarantee | sum of counts |
    /// | Gaussian and Gaussian | root of the sum of squares |
    /// | concentrated and concentrated, or Gaussian | sum of rhos |
    /// | any other two of pure, Gaussian, concentrated, Renyi | sum of Renyi curves |
    /// | an (epsilon, delta) pair and another pair, or pure | sum of both parts |
    ///
    /// Error: any other two guarantees, for which this crate has no rule.
    pub fn compose(&self, other: &Self) -> Fallible<Self> {
        match (&self.0, &other.0) {
            (Kind::Pure(x), Kind::Pure(y)) => Self::pure(sum_of([*x, *y].into_iter(), "epsilon")?),
            (Kind::Gaussian(x), Kind::Gaussian(y)) => Self::gaussian(Mu(gaussian_composition(&[*x, *y])?)),
            (
                Kind::Repeated { count: x, epsilon, delta },
                Kind::Repeated { count: y, epsilon: other_epsilon, delta: other_delta },
            ) if epsilon == other_epsilon && delta == other_delta => {
                let rule = "must add up to less than 2^32";
                let count = x.checked_add(*y).ok_or(Error::Parameter { parameter: "count", rule })?;
                Self::repeated(count, Epsilon(*epsilon), Delta(*delta))
            }
            (Kind::Approximate(_) | Kind::Pure(_), Kind::Approximate(_) | Kind::Pure(_)) => {
                let (epsilon, delta) = basic_composition(&[self.pair()?, other.pair()?])?;
                Self::approximate(vec![(epsilon, delta)])
            }
            _ => {
                let curve = self.curve()?.compose(&other.curve()?)?;
                Ok(curve.line().map_or_else(|| Ok(Self::renyi(curve)), Self::concentrated)?)
            }
        }
    }

    /// The guarantee as one pair.
    fn pair(&self) -> Fallible<(f64, f64)> {
        match &self.0 {
            Kind::Pure(epsilon) => Ok((*epsilon, 0.0)),
            Kind::Approximate(pairs) => match pairs.as_slice() {
                [pair] => Ok(*pair),
                _ => Err(NO_RULE),
            },
            _ => Err(NO_RULE),
        }
    }

    /// The guarantee as bounds on Renyi divergences.
    fn curve(&self) -> Fallible<RenyiCurve> {
        match &self.0 {
            Kind::Pure(epsilon) => RenyiCurve::pure(*epsilon),
            Kind::Concentrated(rho) => RenyiCurve::concentrated(*rho),
            Kind::Gaussian(mu) => RenyiCurve::gaussian(Mu(*mu)),
            Kind::Renyi(curve) => Ok(curve.clone()),
            Kind::Approximate(_) | Kind::Repeated { .. } | Kind::Losses(_) => Err(NO_RULE),
        }
    }
}

const NO_RULE: Error =
    Error::Parameter { parameter: "other", rule: "must be of a kind with which there is a rule of composition" };
