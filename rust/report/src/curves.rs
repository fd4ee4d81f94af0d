//! The curves of a guarantee, as numbers, as pictures, and as a page of both.

use crate::{
    error::Fallible,
    guarantee::Guarantee,
    html::{document, escaped, table},
    lines::{Axis, Level, Step, between, picture},
    words::{down, round, up},
};
use std::fmt::Write;

/// Bounds at round numbers, each rounded in the safe direction.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Curves {
    /// Deltas, each with an epsilon that holds for it. The epsilon is infinite if no finite one holds.
    pub epsilons: Vec<(f64, f64)>,
    /// Epsilons, each with a delta that holds for it.
    pub deltas: Vec<(f64, f64)>,
    /// False positive rates, each with a lower bound on the false negative rate.
    pub misses: Vec<(f64, f64)>,
    /// Orders, each with an upper bound on the Renyi divergence; empty if the divergences are infinite.
    pub divergences: Vec<(f64, f64)>,
}

/// The number of points in a picture.
const POINTS: u32 = 240;

/// False positive rates.
const SHARES: [f64; 9] = [0.0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8];

/// The smallest delta in a picture.
const LEAST_DELTA: f64 = 1e-12;

impl Guarantee {
    /// Returns the curves of the guarantee at round numbers.
    ///
    /// # Errors
    ///
    /// Returns no error for guarantees made by this crate.
    ///
    /// ```
    /// let loss = indistinct_ledger::Loss::rho(0.1)?;
    /// let curves = indistinct_report::Guarantee::of_loss(&loss)?.curves()?;
    /// assert!(curves.epsilons.iter().any(|(delta, epsilon)| *delta == 1e-6 && *epsilon < 2.15));
    /// assert_eq!(curves.divergences.first(), Some(&(1.5, 0.15000000000000002)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn curves(&self) -> Fallible<Curves> {
        let greatest = self.greatest_epsilon()?;
        let epsilons = [0.0, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12];
        let orders = [1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];
        let divergence = |order: &f64| Ok(self.divergence(*order)?.map(|bound| (*order, bound)));
        let divergences: Vec<Option<(f64, f64)>> = orders.iter().map(divergence).collect::<Fallible<_>>()?;
        Ok(Curves {
            epsilons: at(epsilons, |delta| self.epsilon(delta))?,
            deltas: at(between(0.0, greatest), |epsilon| self.delta(epsilon))?,
            misses: at(SHARES, |share| self.misses(share))?,
            divergences: divergences.into_iter().flatten().collect(),
        })
    }

    /// Returns the power of a test about an individual, as a picture and a table.
    pub(crate) fn tells(&self) -> Fallible<String> {
        let mut html = String::from(
            "<p>Suppose that somebody knows everything about everybody but one individual, and tests from the \
                 release whether this individual is in the data. A test has false alarms: it takes some individuals to \
                 be in the data who are not. Every test with this share of false alarms misses at least the share below \
                 of the individuals who are in the data, whatever else is known. Guessing finds as large a share of \
                 them as its share of false alarms.</p>",
        );
        html += &self.tradeoff_drawn()?;
        let missed = |(share, missed): &(f64, f64)| {
            let caught = if *missed >= 1.0 { 0.0 } else { (1.0 - missed).next_up().min(1.0) };
            vec![round(*share), down(*missed), up(caught)]
        };
        html += &table(
            "False positive rates, with the least false negative rate of any test",
            &[("false alarms", true), ("misses at least", true), ("finds at most", true)],
            |place| place == 0,
            &at(SHARES, |share| self.misses(share))?.iter().map(missed).collect::<Vec<_>>(),
        );
        Ok(html)
    }

    /// Returns all curves, as pictures and tables.
    pub(crate) fn section(&self) -> Fallible<String> {
        let curves = self.curves()?;
        let mut html = String::from("<h3>The power of a test</h3>");
        html += &self.tells()?;
        html += "<h3>Epsilon and delta</h3><p>Whatever may be released is at most e to the epsilon times as likely \
                 with somebody's data as without them, and by delta more. A guarantee is one for many pairs: a smaller \
                 epsilon with a greater delta.</p>";
        html += &self.profile_drawn()?;
        let row = |(first, second): &(f64, f64)| vec![round(*first), up(*second)];
        html += &table(
            "The epsilon for some deltas",
            &[("delta", true), ("epsilon at most", true)],
            |place| place == 0,
            &curves.epsilons.iter().map(row).collect::<Vec<_>>(),
        );
        html += &table(
            "The delta for some epsilons",
            &[("epsilon", true), ("delta at most", true)],
            |place| place == 0,
            &curves.deltas.iter().map(row).collect::<Vec<_>>(),
        );
        html += "<h3>Renyi divergences</h3>";
        if curves.divergences.is_empty() {
            html += "<p>There is no curve, because a guarantee with a delta leaves no Renyi divergence finite.</p>";
            return Ok(html);
        }
        html += "<p>Of several releases on the same data these add up, order by order: it is what accounts of many \
                 releases are kept in.</p>";
        html += &self.divergences_drawn()?;
        html += &table(
            "The divergence of some orders",
            &[("order", true), ("divergence at most", true)],
            |place| place == 0,
            &curves.divergences.iter().map(row).collect::<Vec<_>>(),
        );
        Ok(html)
    }

    fn tradeoff_drawn(&self) -> Fallible<String> {
        let points = at(shares(0.0, 1.0), |share| self.misses(share))?;
        let axis = |name| Axis { name, ends: (0.0, 1.0), is_logarithmic: false };
        let guess = Level { name: "guessing", from: (0.0, 1.0), to: (1.0, 0.0) };
        let caption = "The trade-off curve: the false negative rate of a test, by its false positive rate";
        let (across, up) = (
            axis("false positive rate: share of those who are not in the data"),
            axis("false negative rate: share of those who are in the data"),
        );
        Ok(picture(caption, (&across, &up), &points, Step::Since, &[guess], Some("no test is possible here")))
    }

    fn profile_drawn(&self) -> Fallible<String> {
        let greatest = match self.greatest_epsilon()? {
            0.0 => 1.0,
            greatest => greatest,
        };
        let across = Axis { name: "epsilon", ends: (0.0, greatest), is_logarithmic: false };
        let up = Axis { name: "delta", ends: (LEAST_DELTA, 1.0), is_logarithmic: true };
        let points = at(shares(0.0, greatest), |epsilon| self.delta(epsilon))?;
        let caption = "Delta for every epsilon, an upper bound";
        Ok(picture(caption, (&across, &up), &points, Step::Until, &[], None))
    }

    fn divergences_drawn(&self) -> Fallible<String> {
        let orders: Vec<f64> = shares(0.0, 1.0).into_iter().map(|share| 1.1 * f64::powf(128.0 / 1.1, share)).collect();
        let found = at(orders, |order| Ok(self.divergence(order)?.unwrap_or(f64::INFINITY)))?;
        let points: Vec<(f64, f64)> = found.into_iter().filter(|(_, bound)| bound.is_finite()).collect();
        let (Some((first, _)), Some((last, greatest))) = (points.first(), points.last()) else {
            return Ok(String::new());
        };
        let across = Axis { name: "order", ends: (*first, last.max(first * 2.0)), is_logarithmic: true };
        let greatest = if *greatest > 0.0 { *greatest } else { 1.0 };
        let up = Axis { name: "divergence", ends: (0.0, greatest), is_logarithmic: false };
        let caption = "The Renyi divergence of every order, an upper bound";
        Ok(picture(caption, (&across, &up), &points, Step::Since, &[], None))
    }
}

/// Returns a function's values.
fn at(of: impl IntoIterator<Item = f64>, value: impl Fn(f64) -> Fallible<f64>) -> Fallible<Vec<(f64, f64)>> {
    of.into_iter().map(|x| Ok((x, value(x)?))).collect()
}

/// Returns evenly spaced numbers between two ends.
fn shares(from: f64, to: f64) -> Vec<f64> {
    (0..=POINTS).map(|part| from + (to - from) * (f64::from(part) / f64::from(POINTS))).collect()
}

/// The note on all curves.
pub(crate) const BOUNDS: &str = "All numbers are bounds, computed with proven rounding: the true privacy loss may be \
    smaller, and is never larger. Between the computed points, a curve is drawn as steps, so that it is a bound there \
    too.";

/// Returns a page with the curves of a guarantee, a title and an introduction.
///
/// # Errors
///
/// Returns the errors of [`Guarantee::curves`].
pub fn curves_page(title: &str, about: &str, guarantee: &Guarantee) -> Fallible<String> {
    let mut body = String::new();
    let _ = write!(body, "<p>{}</p><p>Guarantee: <strong>{}</strong>.</p>", escaped(about), escaped(guarantee.words()));
    let _ = write!(body, "<p>{BOUNDS}</p><h2>What can be inferred from it</h2>");
    body += &guarantee.section()?;
    Ok(document(title, &body))
}
