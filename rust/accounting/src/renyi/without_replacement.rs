//! Renyi divergences of a mechanism on a sample of fixed size.

use crate::{
    composition::ln_factorial,
    error::{Fallible, non_negative, require},
    renyi::curve::RenyiCurve,
};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Ball, Enclosure},
};

/// Up to here every whole order; from there on each some 3% above the one before.
const DENSE: u32 = 64;

impl RenyiCurve {
    /// The curve of a mechanism with this one when it is run on a sample *without replacement*: n of m rows, every set
    /// as likely, with `rate = n/m` rounded up. Neighbors *replace* one row, here and there; one sample serves one run.
    ///
    /// Returns a curve through the bound of the source at integer orders up to `greatest_order`: all orders up to 64,
    /// and then orders about 3 % apart. The curve never exceeds the curve without sampling. It is a bound, not the
    /// exact divergence. Returns an error if the rate is outside 0 to 1, or `greatest_order` outside 2 to 4096.
    ///
    /// Source: Wang, Balle, Kasiviswanathan 2019, "Subsampled Renyi differential privacy and analytical moments
    /// accountant", Theorem 9.
    ///
    /// ```
    /// use indistinct_accounting::{Mu, RenyiCurve};
    /// let noise = RenyiCurve::gaussian(Mu(0.2))?;
    /// let steps = noise.sampled_without_replacement(0.01, 256)?.repeat(1000)?;
    /// assert!(steps.epsilon(1e-6)? < noise.repeat(1000)?.epsilon(1e-6)? / 50.0);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn sampled_without_replacement(&self, rate: f64, greatest_order: u32) -> Fallible<Self> {
        let rate = non_negative(rate, "rate")?;
        require(rate <= 1.0, "rate", "must be at most 1")?;
        require((2..=4096).contains(&greatest_order), "greatest_order", "must be between 2 and 4096")?;
        let terms = self.terms(rate, greatest_order)?;
        let factorials: Vec<Ball> = (0..=greatest_order).map(ln_factorial).collect();
        let mut points = Vec::new();
        let mut order = 2;
        loop {
            let whole = self.at(f64::from(order))?;
            let bound = if rate == 0.0 { 0.0 } else { sampled(order, &terms, &factorials).min(whole) };
            points.push((f64::from(order), bound));
            if order == greatest_order {
                return Self::from_points(points);
            }
            order = greatest_order.min(if order < DENSE { order + 1 } else { order + order / 32 });
        }
    }

    /// For each j from 2 on the logarithm of `rate^j` times what the bound has beside `C(alpha, j)`.
    fn terms(&self, rate: f64, greatest_order: u32) -> Fallible<Vec<Ball>> {
        let (rate, two) = (Ball::exact(rate).ln(), Ball::exact(2.0));
        // e^epsilon - 1 at infinite order, where it matters: below 2.
        let greatest = self.at(f64::INFINITY)?;
        let ratio = if greatest < 2.0 { Ball::exact(greatest).exp_m1() } else { two };
        let mut terms = Vec::new();
        for j in 2..=greatest_order {
            let (own, power) = (self.at(f64::from(j))?, Ball::exact(f64::from(j)));
            let loss = Ball::exact(f64::from(j - 1).inf_mul(own)?);
            // min(2, (e^epsilon - 1)^j), as a logarithm.
            let likely = if ratio.upper() > 0.0 { least(two.ln(), power.mul(&ratio.ln())) } else { Ball::exact(-1e6) };
            let mut term = loss.add(&likely);
            if j == 2 {
                let close = Ball::exact(own).exp_m1().mul(&Ball::exact(4.0));
                term = if own == 0.0 { Ball::exact(-1e6) } else { least(term, close.ln()) };
            }
            terms.push(power.mul(&rate).add(&term));
        }
        Ok(terms)
    }
}

/// The one with the smaller upper bound: an upper bound on the smaller of two numbers.
fn least(x: Ball, y: Ball) -> Ball {
    if y.upper() < x.upper() { y } else { x }
}

/// `ln(1 + sum over j of C(alpha, j) e^term) / (alpha - 1)`, rounded up.
fn sampled(order: u32, terms: &[Ball], factorials: &[Ball]) -> f64 {
    let of = |n: u32| usize::try_from(n).ok().and_then(|n| factorials.get(n)).copied();
    let exponents: Option<Vec<Ball>> =
        (2..=order).zip(terms).map(|(j, term)| Some(of(order)?.sub(&of(j)?).sub(&of(order - j)?).add(term))).collect();
    let Some(exponents) = exponents else { return f64::INFINITY };
    let greatest = exponents.iter().map(Ball::upper).fold(0.0, f64::max);
    let shift = Ball::exact(if greatest > 600.0 { greatest } else { 0.0 });
    let sum = exponents.iter().fold(Ball::exact(0.0), |sum, exponent| sum.add(&exponent.sub(&shift).exp()));
    let logarithm = if greatest > 600.0 {
        // 1 is nothing beside the sum, but not quite.
        shift.add(&sum.add(&Ball::between(0.0, 1e-250)).ln())
    } else {
        sum.ln_1p()
    };
    logarithm.div(&Ball::exact(f64::from(order - 1))).upper()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renyi::part::Part;
    use crate::units::Mu;

    /// Theorem 9 as printed: `ln(1 + S) / (alpha - 1)`, with
    /// `S = C(alpha, 2) rate^2 min(4 (e^D2 - 1), e^D2 min(2, E^2)) + T`, where `T` is the sum over j from 3 of
    /// `C(alpha, j) rate^j e^((j - 1) Dj) min(2, E^j)` and `E = e^D(infinity) - 1`; by the greatest term, which may be
    /// large.
    fn printed(curve: &RenyiCurve, rate: f64, order: u32) -> f64 {
        let greatest = curve.at(f64::INFINITY).unwrap().exp_m1();
        let (mut choices, mut logarithms) = (f64::from(order), vec![0.0]);
        for j in 2..=order {
            choices *= f64::from(order - j + 1) / f64::from(j);
            let own = curve.at(f64::from(j)).unwrap();
            let likely = f64::from(j - 1) * own + greatest.powf(f64::from(j)).min(2.0).ln();
            let term = if j == 2 { likely.min((4.0 * own.exp_m1()).ln()) } else { likely };
            logarithms.push(choices.ln() + f64::from(j) * rate.ln() + term);
        }
        let top = logarithms.iter().copied().fold(0.0, f64::max);
        (top + logarithms.iter().map(|x| (x - top).exp()).sum::<f64>().ln()) / f64::from(order - 1)
    }

    #[test]
    fn the_printed_bound() {
        for (curve, rate, order) in [
            // E below 1, between 1 and 2, above and without bound; D2 small and large.
            (RenyiCurve::pure(0.5).unwrap(), 0.25, 2),
            (RenyiCurve::pure(0.5).unwrap(), 0.25, 7),
            (RenyiCurve::pure(0.9).unwrap(), 0.125, 6),
            (RenyiCurve::pure(1.5).unwrap(), 0.25, 5),
            (RenyiCurve::pure(3.0).unwrap(), 0.125, 5),
            (RenyiCurve::gaussian(Mu(0.5)).unwrap(), 0.125, 9),
            (RenyiCurve::gaussian(Mu(3.0)).unwrap(), 0.125, 3),
            // Moments that are no floats.
            (RenyiCurve::concentrated(100.0).unwrap(), 0.5, 10),
            (RenyiCurve::concentrated(80.0).unwrap(), 0.5, 4),
        ] {
            let (own, truth) = (
                curve.sampled_without_replacement(rate, order).unwrap().at(f64::from(order)),
                printed(&curve, rate, order),
            );
            let own = own.unwrap();
            assert!(truth < curve.at(f64::from(order)).unwrap(), "{curve} {rate} {order}");
            assert!((own / truth - 1.0).abs() < 1e-12, "{curve} {rate} {order}: {own} {truth}");
        }
        // Nothing of nothing, and no more than without sampling.
        assert!(RenyiCurve::pure(0.0).unwrap().sampled_without_replacement(0.5, 8).unwrap().at(8.0).unwrap() < 1e-300);
        let noise = RenyiCurve::gaussian(Mu(1.0)).unwrap();
        assert_eq!(noise.sampled_without_replacement(0.0, 8).unwrap().at(8.0), Ok(0.0));
        assert_eq!(noise.sampled_without_replacement(1.0, 8).unwrap().at(8.0), noise.at(8.0));
        assert!(noise.sampled_without_replacement(1.0f64.next_up(), 8).is_err());
    }

    /// Never below the printed bound at 400 bits, to the last digit.
    #[test]
    fn rounded_up() {
        let wide = |x: f64| rug::Float::with_val(400, x);
        for i in 1..60u32 {
            let x = f64::from(i);
            let (two, three, four) = (40.0 + x * 0.37, 50.0 + x * 0.37, 90.0 + x * 0.137);
            let curve = RenyiCurve::from_points(vec![(2.0, two), (3.0, three), (4.0, four)]).unwrap();
            let own = curve.sampled_without_replacement(0.25, 4).unwrap().at(4.0).unwrap();
            // C(4, j) / 4^j, and 2 for any mechanism.
            let moment = wide(two).exp() * 12u32 / 16u32 + (wide(three) * 2u32).exp() * 8u32 / 64u32;
            let moment: rug::Float = moment + (wide(four) * 3u32).exp() * 2u32 / 256u32 + 1u32;
            assert!(own >= moment.ln() / 3u32, "{two} {four}: {own}");
        }
    }

    /// All orders up to 64, then each 1/32 above the one before, and the last.
    #[test]
    fn orders() {
        let curve = RenyiCurve::gaussian(Mu(0.5)).unwrap().sampled_without_replacement(0.01, 100).unwrap();
        let [(1.0, Part::Points(points))] = curve.parts.as_slice() else { panic!() };
        let orders: Vec<u32> =
            (2..=100).filter(|order| points.orders().any(|t| t + 1.0 == f64::from(*order))).collect();
        let mut expected: Vec<u32> = (2..=64).collect();
        expected.extend([66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 99, 100]);
        assert_eq!(orders, expected);
        assert_eq!(points.orders().count(), expected.len());
    }

    #[test]
    fn the_smaller_upper_bound() {
        let (low, high) = (Ball::between(1.0, 2.0), Ball::between(0.0, 3.0));
        assert_eq!((least(low, high).upper(), least(high, low).upper()), (low.upper(), low.upper()));
    }
}
