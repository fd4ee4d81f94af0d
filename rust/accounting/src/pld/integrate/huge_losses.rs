//! What releases on samples of fixed size come to if one of them, at least, has a huge loss: all of it, whatever the
//! others lose, but for next to nothing. See `proofs/accounting/pld_cut_fixed_size.md`.

use crate::pld::{
    loss::{finite_loss::number, fixed_size_gaussian::FixedSizeGaussian, truncation::Sharpness},
    transform::{
        cut_fixed_size::{CutFixedSize, Masses},
        tabulated::TabulatedDensity,
    },
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Bounds, Enclosure, Interval, exp_near},
};

type E = Interval<192>;

/// Shares of the logarithm of what may be left out, as the logarithm of how likely a huge loss is.
const SHARES: [f64; 6] = [0.5, 0.53, 0.57, 0.62, 0.7, 0.8];

/// Losses that a cut drops are huge.
#[derive(Debug, Clone)]
pub(crate) struct HugeLosses {
    /// How likely it is that there is one, under the first distribution and under the second.
    first: E,
    second: E,
    /// What two in opposite directions come to at most, over `e^epsilon`.
    opposed: Above,
    /// And one that the others make up for, over `e^((1 + power) epsilon)`.
    balanced: Above,
    power: f64,
}

impl HugeLosses {
    /// Losses as likely as may be, of which about `e^budget` is not known; and the laws without them.
    pub(crate) fn new(
        laws: &[(FixedSizeGaussian, u64)],
        epsilon: f64,
        budget: f64,
    ) -> Option<(Self, Vec<(CutFixedSize, u64)>)> {
        let whole = cut(laws, budget, Sharpness::Sharp)?;
        let (cuts, power) = SHARES.into_iter().find_map(|share| {
            let cuts = cut(laws, budget * share, Sharpness::Sharp)?;
            power(&cuts, epsilon, budget).map(|power| (cuts, power))
        })?;
        let mut found =
            Self { first: E::exact(0.0), second: E::exact(0.0), opposed: Above::ZERO, balanced: Above::ZERO, power };
        let (mut kept_first, mut kept_second, mut log_mgf) = (E::exact(0.0), E::exact(0.0), Above::ZERO);
        let (mut first, mut second) = (Above::ZERO, Above::ZERO);
        for ((cut, count, _), (far, _, lost)) in cuts.iter().zip(&whole) {
            let count = number(*count);
            let Masses { first: one, second: other } = far.masses_above(cut.far)?;
            // The lost mass is that of all releases of the kind.
            let most = *lost / Below::exact(count);
            let more = |mass: &E| mass.add(&E::between(0.0, most.get()));
            let one = more(&E::between(one.lower().max(0.0), one.upper()));
            let other = more(&E::between(other.lower().max(0.0), other.upper()));
            first += Above::of(&one) * count;
            second += Above::of(&other) * count;
            let kept = |mass: &E| E::exact(0.0).sub(mass).ln_1p().mul(&E::exact(count));
            kept_first = kept_first.add(&kept(&one));
            kept_second = kept_second.add(&kept(&other));
            found.balanced += cut.dropped_behind(power) * count;
            log_mgf += cut.log_mgf(power, None)? * count;
        }
        found.first = E::exact(0.0).sub(&kept_first.exp_m1());
        found.second = E::exact(0.0).sub(&kept_second.exp_m1());
        found.opposed = first * second;
        found.balanced = found.balanced * log_mgf.exp() / (Below::exact(1.0) + power);
        Some((found, cuts.into_iter().map(|(cut, count, _)| (cut, count)).collect()))
    }

    /// Bounds on what they come to.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        let growth = E::exact(epsilon).exp();
        let sum = self.first.sub(&growth.mul(&self.second));
        let more = |factor: &E, most: Above| Above::of(&factor.mul(&E::exact(most.get())));
        let balanced = E::exact(epsilon).mul(&E::exact(1.0).add(&E::exact(self.power))).exp();
        let upper = Above::of(&sum) + more(&growth, self.opposed) + more(&balanced, self.balanced);
        Bounds { lower: sum.lower().max(0.0), upper: upper.or(Above::of(&self.first)).max(Above::ZERO).get() }
    }
}

/// All laws without losses that have a probability of about `e^budget` together, and bounds on that.
pub(crate) fn cut(
    laws: &[(FixedSizeGaussian, u64)],
    budget: f64,
    sharpness: Sharpness,
) -> Option<Vec<(CutFixedSize, u64, Above)>> {
    let budget = budget - number(u64::try_from(laws.len()).ok()?).ln();
    let one = |(law, count): &(FixedSizeGaussian, u64)| {
        let (cut, lost) = CutFixedSize::new(law, number(*count), budget, sharpness)?;
        Some((cut, *count, lost))
    };
    laws.iter().map(one).collect()
}

/// A power with which little is left that others make up for, if there is one, in floats.
fn power(cuts: &[(CutFixedSize, u64, Above)], epsilon: f64, budget: f64) -> Option<f64> {
    let tables: Vec<_> = cuts.iter().map(|(cut, count, _)| (cut.table(number(*count)), cut)).collect();
    let left = |power: f64| {
        let (mut huge, mut value) = (0.0, (1.0 + power) * epsilon - power.ln_1p());
        for (table, cut) in &tables {
            let TabulatedDensity { rows, count, .. } = table;
            let log_kept = |ratio: f64| cut.far.log_kept(cut.far.mean(ratio)).get();
            let dropped = rows.iter().map(|(mass, loss, ratio)| {
                let kept = log_kept(*ratio);
                -kept.exp_m1() * exp_near(mass - kept - (1.0 + power) * loss)
            });
            huge += dropped.sum::<f64>() * count;
            value += table.log_mgf(power) * count;
        }
        huge.ln() + value
    };
    let least = cuts.iter().fold(f64::INFINITY, |least, (cut, ..)| least.min(cut.loss_at_cut()));
    (0..16i32).map(|i| 0.5 / least * 1.5f64.powi(i)).find(|power| left(*power) <= budget)
}
