//! A few releases of several kinds, exactly: Laplace noise, ranges and responses, whose losses have piecewise
//! exponential distributions.
//!
//! Against `e^(-l/2) P` the transform of each is `e^(r z)` and `e^(-r z)` with factors in z: `(1 + 1/(2z))/2` and
//! `(1 - 1/(2z))/2` for Laplace noise, `1/z` and `-1/z` for a range, ones for a response, times a constant. Multiplied
//! out, delta is a sum over all ways to give a sign to each, of a polynomial of how far their total is above epsilon,
//! and at the ends an exponential. See `proofs/accounting/pld.md`.

use crate::pld::loss::{
    exponential::Exponential,
    finite_loss::{FiniteLoss, FiniteLosses, number},
    lattice::{LatticeKind, LatticeLoss},
};
use indistinct_numeric::enclosure::{Bounds, Enclosure};

/// Terms times their degree, at most: some milliseconds.
const MOST: f64 = 1e4;
/// Factors 1/z, at most.
const MOST_FACTORS: u64 = 48;

/// Alike, so many times.
struct Group<E> {
    count: u32,
    kind: Kind,
    /// The greatest loss.
    radius: E,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Laplace,
    Range,
    Response,
}

/// Delta of a few releases.
pub(crate) struct Heterogeneous<E> {
    groups: Vec<Group<E>>,
    /// The product of all constants.
    constant: E,
    /// For each number of Laplace releases on the upper side: polynomials, from the constant term upwards.
    polynomials: Vec<Vec<E>>,
    /// All factors 1/z.
    factors: u32,
    laplaces: u32,
}

impl<E: Enclosure> Heterogeneous<E> {
    /// None, where there are others, or too many.
    pub(crate) fn new(losses: &FiniteLosses) -> Option<Self> {
        Self::of(losses.iter().map(|(loss, count)| group(loss, *count)).collect::<Option<_>>()?)
    }

    /// Laplace releases alone, whose sensitivity is `a` scales.
    pub(crate) fn laplace(count: u32, a: f64) -> Option<Self> {
        Self::of(vec![Group { count, kind: Kind::Laplace, radius: E::exact(a) }])
    }

    fn of(groups: Vec<Group<E>>) -> Option<Self> {
        let count = |kind: Kind| {
            groups.iter().filter(|group| group.kind == kind).map(|group| u64::from(group.count)).sum::<u64>()
        };
        let (laplaces, ranges) = (count(Kind::Laplace), count(Kind::Range));
        let factors = laplaces + ranges;
        let terms: f64 = groups.iter().map(|group| f64::from(group.count) + 1.0).product();
        if factors == 0 || factors > MOST_FACTORS || terms * number(factors) > MOST {
            return None;
        }
        let (factors, laplaces) = (u32::try_from(factors).ok()?, u32::try_from(laplaces).ok()?);
        let constant = groups.iter().fold(E::exact(1.0), |product, group| {
            (0..group.count).fold(product, |product, _| product.mul(&group.constant()))
        });
        let polynomials = (0..=laplaces).map(|above| polynomial(above, laplaces - above, factors)).collect();
        Some(Self { groups, constant, polynomials, factors, laplaces })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        let epsilon = E::exact(epsilon);
        let start = Term { weight: E::exact(1.0), left: E::exact(0.0).sub(&epsilon), above: 0 };
        let mut sum = E::exact(0.0);
        self.visit(&self.groups, &start, &mut |term| sum = sum.add(&self.term(term)));
        let half = E::exact(0.5);
        let Bounds { lower, upper } = sum.mul(&self.constant).mul(&epsilon.mul(&half).exp()).bounds();
        // A NaN makes bounds of 0 and 1.
        Bounds {
            lower: if lower > 0.0 { lower.min(1.0) } else { 0.0 },
            upper: if upper < 1.0 { upper.max(0.0) } else { 1.0 },
        }
    }

    /// All numbers of members of each group that are on the lower side.
    fn visit(&self, groups: &[Group<E>], term: &Term<E>, each: &mut dyn FnMut(&Term<E>)) {
        let Some((group, rest)) = groups.split_first() else { return each(term) };
        let count = f64::from(group.count);
        let mut weight = term.weight.clone();
        for below in 0..=group.count {
            let number = f64::from(below);
            let left = term.left.add(&group.radius.mul(&E::exact(count - 2.0 * number)));
            let above = term.above + if group.kind == Kind::Laplace { group.count - below } else { 0 };
            self.visit(rest, &Term { weight: weight.clone(), left, above }, each);
            // To the next binomial coefficient, with the sign of one more on the lower side.
            let ratio = E::exact(count - number).div(&E::exact(number + 1.0));
            let sign = E::exact(if group.kind == Kind::Range { -1.0 } else { 1.0 });
            weight = weight.mul(&ratio).mul(&sign);
        }
    }

    /// The inverse transform at what is left, which is 0 where that is not positive.
    fn term(&self, Term { weight, left, above }: &Term<E>) -> E {
        if left.upper() <= 0.0 {
            return E::exact(0.0);
        }
        let left = if left.lower() >= 0.0 { left.clone() } else { E::between(0.0, left.upper()) };
        let polynomial = usize::try_from(*above).ok().and_then(|above| self.polynomials.get(above));
        let coefficients = polynomial.map(Vec::as_slice).unwrap_or_default().iter().rev();
        let mut sum = coefficients.fold(E::exact(0.0), |sum, coefficient| sum.mul(&left).add(coefficient));
        let power = |base: f64| (0..self.factors).fold(E::exact(1.0), |power, _| power.mul(&E::exact(base)));
        let half = left.mul(&E::exact(0.5));
        if *above == self.laplaces {
            sum = sum.add(&power(2.0).mul(&half.exp()));
        }
        if *above == 0 {
            // (-1)^(laplaces - 1) over (-1/2)^factors.
            let sign = E::exact(if self.laplaces.is_multiple_of(2) { -1.0 } else { 1.0 });
            sum = sum.add(&power(-2.0).mul(&sign).mul(&E::exact(0.0).sub(&half).exp()));
        }
        weight.mul(&sum)
    }
}

/// Signs that were given: the binomial coefficients and signs so far, the total so far less epsilon, and how many
/// Laplace releases are above.
struct Term<E> {
    weight: E,
    left: E,
    above: u32,
}

impl<E: Enclosure> Group<E> {
    /// What the exponentials are multiplied by.
    fn constant(&self) -> E {
        let half = self.radius.mul(&E::exact(0.5));
        let (log_growth, shrunk) = (half.exp(), E::exact(0.0).sub(&half).exp());
        let one = E::exact(1.0);
        match self.kind {
            Kind::Laplace => shrunk.mul(&E::exact(0.5)),
            // 1/(4 sinh(r/2)).
            Kind::Range => one.div(&half.exp_m1().sub(&E::exact(0.0).sub(&half).exp_m1()).mul(&E::exact(2.0))),
            Kind::Response => one.div(&log_growth.add(&shrunk)),
        }
    }
}

fn group<E: Enclosure>(loss: &FiniteLoss, count: u64) -> Option<Group<E>> {
    let count = u32::try_from(count).ok()?;
    let (kind, radius) = match loss {
        FiniteLoss::Exponential(Exponential::Laplace { scale }) => {
            (Kind::Laplace, E::exact(1.0).div(&E::exact(*scale)))
        }
        FiniteLoss::Exponential(Exponential::BoundedRange { eta }) => (Kind::Range, E::exact(*eta)),
        FiniteLoss::Lattice(LatticeLoss { kind: LatticeKind::Binary { epsilon }, .. }) => {
            (Kind::Response, E::exact(*epsilon))
        }
        _ => return None,
    };
    Some(Group { count, kind, radius })
}

/// The residue at 0 of `e^(z y) (z + 1/2)^(above - 1) (z - 1/2)^(below - 1) / z^factors`, as a polynomial in y: the
/// factor's Taylor coefficients, the last first, over factorials.
fn polynomial<E: Enclosure>(above: u32, below: u32, factors: u32) -> Vec<E> {
    let mut series = vec![E::exact(0.0); usize::try_from(factors).unwrap_or(0)];
    if let Some(first) = series.first_mut() {
        *first = E::exact(1.0);
    }
    for (times, constant) in [(above, 0.5), (below, -0.5)] {
        if times == 0 {
            // Divided by `constant + z`.
            let mut before = E::exact(0.0);
            for coefficient in &mut series {
                *coefficient = coefficient.sub(&before).div(&E::exact(constant));
                before = coefficient.clone();
            }
        }
        for _ in 1..times {
            let mut before = E::exact(0.0);
            for coefficient in &mut series {
                let here = coefficient.clone();
                *coefficient = here.mul(&E::exact(constant)).add(&before);
                before = here;
            }
        }
    }
    let (mut factorial, mut j) = (E::exact(1.0), 0.0);
    let over_factorials = series.iter().rev().map(|coefficient| {
        let found = coefficient.div(&factorial);
        j += 1.0;
        factorial = factorial.mul(&E::exact(j));
        found
    });
    over_factorials.collect()
}
