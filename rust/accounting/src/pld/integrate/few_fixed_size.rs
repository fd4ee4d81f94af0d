//! A few releases on samples of fixed size, apart by how many of them lose anything: of none and of one alone what is
//! lost is known, and the rest has a transform that falls fast. See `proofs/accounting/pld_few_fixed_size.md`.

use crate::pld::{
    integrate::{
        chernoff::ChernoffBound,
        contour::{Contour, Transforms},
        exponent::total,
        saddle_point::Plan,
        truncate::Truncated,
    },
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, number},
        fixed_size_gaussian::FixedSizeGaussian,
        once::once,
    },
    transform::{fixed_size_bend::FixedSizeBend, nodes::Nodes},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Bounds, ComplexBall, Enclosure, Interval, UNIT_ROUNDOFF, exp_or_tiny, midpoint},
};
use std::f64::consts::TAU;

type E = Interval<192>;

/// No more releases than this.
const MOST_RELEASES: u64 = 400;
/// The logarithm of the relative error that each of the charged parts is given, and how many nodes are spent on it at
/// most.
type Goal = (f64, f64);
/// Where other contours may do as well, and where they do not.
pub(crate) const FIRST_GOALS: &[Goal] = &[(32.0, 512.0), (26.0, 1024.0)];
pub(crate) const NEXT_GOALS: &[Goal] = &[(20.0, 4096.0)];
pub(crate) const LAST_GOALS: &[Goal] = &[(20.0, 4096.0), (16.0, 6144.0), (13.0, 8192.0)];

/// What two and more lose together, and each one alone.
#[derive(Debug)]
pub(crate) struct FewFixedSize {
    several: Contour,
    /// How likely it is that a certain kind is the only one to lose anything, and its loss.
    singles: Vec<(E, FiniteLoss)>,
}

/// A kind, without large losses.
struct Kind {
    law: FixedSizeGaussian,
    count: u64,
    bend: FixedSizeBend,
}

impl FewFixedSize {
    /// To the first of the goals that is met; none where that does not help.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64, goals: &[Goal]) -> Option<Self> {
        let is_fixed = |(loss, _): &(FiniteLoss, u64)| matches!(loss, FiniteLoss::FixedSize(_));
        let count = losses.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
        if count > MOST_RELEASES || !losses.iter().all(is_fixed) {
            return None;
        }
        goals.iter().find_map(|goal| Self::to(*goal, losses, epsilon, known))
    }

    fn to((goal, most): Goal, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let (truncated, mut plan) = Truncated::plan(losses, epsilon, (goal, known))?;
        let above = ChernoffBound::new(&truncated.losses, plan.higher)?;
        plan.make_room(goal, &above, epsilon);
        let kinds = kinds(&truncated.losses, plan.tilt)?;
        let (count, remainder) = nodes(&kinds, &plan, goal, most)?;
        let nodes = Nodes::new(plan.tilt, plan.period, count);
        let found = Contour::of(transforms(&kinds, &nodes)?, &[], &plan, remainder, above)?;
        let singles = losses.iter().enumerate().map(|(i, (loss, _))| Some((single(&kinds, i)?, loss.clone())));
        Some(Self {
            several: Contour { truncated_mass: truncated.mass, ..found },
            singles: singles.collect::<Option<_>>()?,
        })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`, for an epsilon that is not negative.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        let several = self.several.delta(epsilon);
        let mut sum = E::between(several.lower, several.upper);
        for (weight, loss) in &self.singles {
            let Some(alone) = once(loss, epsilon) else { return Bounds { lower: several.lower, upper: 1.0 } };
            sum = sum.add(&E::between(alone.lower, alone.upper).mul(weight));
        }
        let Bounds { lower, upper } = sum.bounds();
        Bounds {
            lower: if lower > 0.0 { lower.min(1.0) } else { 0.0 },
            upper: if upper < 1.0 { upper.max(0.0) } else { 1.0 },
        }
    }
}

fn kinds(truncated: &FiniteLosses, tilt: f64) -> Option<Vec<Kind>> {
    let kinds = truncated.iter().map(|(loss, count)| match loss {
        FiniteLoss::FixedSize(law) => Some(Kind { law: *law, count: *count, bend: FixedSizeBend::new(law, tilt)? }),
        _ => None,
    });
    kinds.collect()
}

/// How many nodes there are to a goal, and a bound on the sum over all others, over the log_normalizer.
fn nodes(kinds: &[Kind], plan: &Plan, goal: f64, most: f64) -> Option<(u32, Above)> {
    let Plan { period, base, estimate, .. } = *plan;
    let wanted = (estimate - goal - base).exp() * period;
    let mut frequency = 4.0 * TAU / period;
    loop {
        let count = Nodes::up_to(frequency, period).filter(|count| f64::from(*count) <= most)?;
        let rest = beyond(kinds, &Nodes::new(plan.tilt, period, count));
        if rest.get() <= wanted {
            return Some((count, rest));
        }
        frequency *= 1.25;
    }
}

/// With r what `|rho|` is at most from the first frequency T that is left out, it is at most `r T/t` beyond, and what
/// two and more have at most `f S^2 (T/t)^2/2`, `f = prod (a + r)^n`, `S = sum n r/(a + r)`: the sum over both tails is
/// at most `f S^2 (1/T^2 + A/(6 pi T))`.
fn beyond(kinds: &[Kind], nodes: &Nodes) -> Above {
    let first = Below::TWO_PI * f64::from(nodes.count) / Above::exact(nodes.period);
    let (mut log_product, mut sum) = (Above::ZERO, Above::ZERO);
    for Kind { count, bend, .. } in kinds {
        let (count, rest) = (number(*count), bend.at(first));
        log_product += (rest + Above::of(&bend.atom)).ln() * count;
        sum += rest / (Below::of(&bend.atom) + rest.get()) * count;
    }
    let spread = Above::exact(1.0) / first.squared() + Above::exact(nodes.period) / (Below::TWO_PI * first * 3.0);
    log_product.exp() * sum.power(2) * spread
}

/// What two and more have, at the nodes.
fn transforms(kinds: &[Kind], nodes: &Nodes) -> Option<Transforms> {
    let length = usize::try_from(nodes.count).ok()?;
    let mut all = vec![ComplexBall::ONE; length];
    let mut fewer = vec![ComplexBall::real(midpoint(&product(kinds, None)?)); length];
    let mut log_normalizers = Vec::new();
    for (i, Kind { law, count, bend }) in kinds.iter().enumerate() {
        let found = law.values(nodes)?;
        log_normalizers.push((found.log_normalizer, *count));
        let atom = ComplexBall::real(midpoint(&bend.atom)).neg();
        let alone = ComplexBall::real(midpoint(&product(kinds, Some(i))?.mul(&Ball::exact(number(*count)))));
        let turned = found.center / nodes.period;
        for ((n, less_one), (all, fewer)) in (0u32..).zip(&found.less_one).zip(all.iter_mut().zip(&mut fewer)) {
            let turn = |times: f64| {
                let angle = turned * (f64::from(n) * times);
                ComplexBall::on_circle(angle, 4.0 * UNIT_ROUNDOFF * angle.abs())
            };
            *all = all.mul(&less_one.power_of_one_plus(*count)).mul(&turn(number(*count)));
            let rest = ComplexBall::ONE.add(less_one).mul(&turn(1.0)).add(&atom);
            *fewer = fewer.add(&rest.mul(&alone));
        }
    }
    let values = all.iter().zip(&fewer).map(|(all, fewer)| all.add(&fewer.neg())).collect();
    Some(Transforms::of(values, total(&log_normalizers)))
}

/// The product of all atoms over `M(c)`, or of all but one of a kind.
fn product(kinds: &[Kind], without: Option<usize>) -> Option<Ball> {
    let logarithms = kinds.iter().enumerate().map(|(i, Kind { count, bend, .. })| {
        let count = count.checked_sub(u64::from(Some(i) == without))?;
        Some(if count == 0 { Ball::exact(0.0) } else { bend.atom.ln().mul(&Ball::exact(number(count))) })
    });
    let sum = logarithms.collect::<Option<Vec<_>>>()?.iter().fold(Ball::exact(0.0), |sum, x| sum.add(x));
    Some(exp_or_tiny(&sum))
}

/// How likely it is that one of a kind loses something, and no other.
fn single(kinds: &[Kind], which: usize) -> Option<E> {
    let mut weight = E::exact(number(kinds.get(which)?.count));
    for (i, Kind { law, count, .. }) in kinds.iter().enumerate() {
        let atom = law.atom();
        let atom = E::between(atom.lower().max(0.0), atom.upper());
        for _ in 0..count.checked_sub(u64::from(i == which))? {
            weight = weight.mul(&atom);
        }
    }
    Some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{
            distribution::losses,
            integrate::{discretized::Discretized, smooth::smooth_contour},
            loss::direction::Direction,
        },
        units::{Rate, Sigma},
    };

    fn fixed(sigma: f64, rate: f64, count: u64) -> P {
        P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(count).unwrap()
    }

    fn few(losses: &FiniteLosses, epsilon: f64) -> Option<FewFixedSize> {
        let goals = [FIRST_GOALS, LAST_GOALS].concat();
        FewFixedSize::new(losses, epsilon, 0.0, &goals)
    }

    fn agree(x: Bounds, y: Bounds) -> bool {
        x.lower <= y.upper && y.lower <= x.upper
    }

    fn width(bounds: Bounds) -> f64 {
        (bounds.upper - bounds.lower) / bounds.upper
    }

    /// Of a few against a grid, of more against another contour, also of two kinds; what forgets that one alone may
    /// lose something is caught.
    #[test]
    fn as_by_a_grid_and_another_contour() {
        let mut caught = 0;
        for (all, epsilon) in [
            (fixed(5.0, 0.5, 2), 0.6),
            (fixed(5.0, 0.5, 2), 0.0),
            (fixed(1.0, 0.1, 5), 2.9),
            (fixed(3.0, 0.05, 4), 0.1),
            (fixed(1.0, 0.999, 3), 7.0),
            (fixed(30.0, 0.3, 5), 0.09),
            (fixed(2.0, 0.2, 3).compose(&fixed(4.0, 0.4, 2)).unwrap(), 0.9),
            (fixed(2.0, 0.2, 1).compose(&fixed(4.0, 0.4, 1)).unwrap(), 0.3),
        ] {
            let losses = losses(&all, Direction::Remove);
            let few = few(&losses, epsilon).unwrap();
            let grid = Discretized::new(&losses, epsilon, 0.0).unwrap().delta(epsilon).unwrap();
            let found = few.delta(epsilon);
            assert!(agree(found, grid), "{all} {epsilon}: {found:?} {grid:?}");
            assert!(width(found) < 1e-5 && width(grid) < 1e-3, "{all} {epsilon}: {found:?} {grid:?}");
            let silent = FewFixedSize { singles: Vec::new(), ..few };
            caught += u32::from(silent.delta(epsilon).upper < grid.lower);
        }
        // At high rates hardly ever one alone loses enough.
        assert!(caught >= 5, "{caught}");
        for (all, epsilon) in [(fixed(3.0, 0.05, 60), 0.6), (fixed(1.0, 0.1, 100), 8.8), (fixed(5.0, 0.5, 300), 9.0)] {
            let losses = losses(&all, Direction::Remove);
            let found = few(&losses, epsilon).unwrap().delta(epsilon);
            let other = smooth_contour(&losses, epsilon, 0.0).unwrap().delta(epsilon);
            assert!(agree(found, other) && width(found) < 1e-8 && width(other) < 1e-8, "{all}: {found:?} {other:?}");
        }
    }

    /// Sums that end early: they are off by no more than they say, and are wrong without it.
    #[test]
    fn what_is_not_summed_is_counted() {
        let mut caught = 0;
        for (sigma, rate, count, epsilon) in [(5.0, 0.5, 3, 0.8), (1.0, 0.1, 8, 3.0), (30.0, 0.3, 5, 0.09)] {
            let losses = losses(&fixed(sigma, rate, count), Direction::Remove);
            let truth = few(&losses, epsilon).unwrap().delta(epsilon);
            for count in [6, 25] {
                let early = |share: f64| {
                    let goal = (20.0, 4096.0);
                    let mut few = FewFixedSize::to(goal, &losses, epsilon, 0.0).unwrap();
                    let (truncated, _) = Truncated::plan(&losses, epsilon, (goal.0, 0.0)).unwrap();
                    let Contour { tilt, period, .. } = few.several;
                    let kinds = kinds(&truncated.losses, tilt).unwrap();
                    few.several.values.truncate(usize::try_from(count).unwrap());
                    few.several.remainder = beyond(&kinds, &Nodes::new(tilt, period, count)) * share;
                    few.delta(epsilon)
                };
                let found = early(1.0);
                assert!(agree(found, truth), "{sigma} {count}: {found:?} {truth:?}");
                caught += u32::from(!agree(early(0.0), truth));
            }
        }
        assert!(caught >= 3, "{caught}");
    }

    #[test]
    fn only_these() {
        let is_for = |all: &P| few(&losses(all, Direction::Remove), 8.0).is_some();
        assert!(is_for(&fixed(1.0, 0.1, 100)) && !is_for(&fixed(1.0, 0.1, 401)));
        assert!(!is_for(&fixed(1.0, 0.1, 4).compose(&P::pure(0.1).unwrap()).unwrap()));
    }
}
