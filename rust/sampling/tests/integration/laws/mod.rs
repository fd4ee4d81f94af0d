//! Ten million draws of every distribution at every scale (in `make test-deep`; two million in `make test`), against
//! its exact distribution function; and negative controls that the tests reject.
//!
//! Two statistics, each with a false-alarm rate of 1e-10 (the seeds are fixed, so that a run that passes once passes
//! always; the whole of the suite makes fewer than 200 comparisons): the largest gap between the distribution
//! functions, with the bound of Dvoretzky, Kiefer and Wolfowitz, and G, twice the relative entropy of the counts in
//! cells, with the quantile of chi-square.

mod continuous;
mod discrete;

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The false-alarm rate of one comparison.
const ALARM: f64 = 1e-10;

/// Counts in cells whose upper ends have distribution function `ends`, the last of them 1.
pub(crate) struct Cells {
    ends: Vec<f64>,
    counts: Vec<u64>,
}

impl Cells {
    pub(crate) fn new(ends: Vec<f64>) -> Self {
        assert!(ends.windows(2).all(|pair| pair[0] <= pair[1]) && (ends.last().unwrap() - 1.0).abs() < 1e-12);
        Self { counts: vec![0; ends.len()], ends }
    }

    pub(crate) fn count(&mut self, cell: usize) {
        self.counts[cell] += 1;
    }

    fn draws(&self) -> f64 {
        as_float(self.counts.iter().sum())
    }

    /// The largest gap between the distribution functions at the ends of the cells, over its bound.
    pub(crate) fn gap(&self) -> f64 {
        let (draws, mut seen, mut gap) = (self.draws(), 0, 0f64);
        for (count, end) in self.counts.iter().zip(&self.ends) {
            seen += count;
            gap = gap.max((as_float(seen) / draws - end).abs());
        }
        gap / ((2.0 / ALARM).ln() / (2.0 * draws)).sqrt()
    }

    /// G over its bound, where cells of less than twenty expected draws are joined with the next.
    pub(crate) fn g(&self) -> f64 {
        let (draws, mut before) = (self.draws(), 0.0);
        let (mut g, mut cells, mut count, mut share) = (0.0, 0u32, 0.0, 0.0);
        let mut close = |count: &mut f64, share: &mut f64| {
            if *count > 0.0 {
                // Draws in a cell without mass make it infinite.
                g += 2.0 * *count * (*count / (*share * draws)).ln();
            }
            cells += 1;
            (*count, *share) = (0.0, 0.0);
        };
        for (position, (seen, end)) in self.counts.iter().zip(&self.ends).enumerate() {
            count += as_float(*seen);
            share += end - before;
            before = *end;
            let rest = 1.0 - end;
            let last = position + 1 == self.ends.len();
            if last || (share * draws >= 20.0 && rest * draws >= 20.0) {
                close(&mut count, &mut share);
            }
        }
        if cells == 1 {
            return 0.0;
        }
        g / ChiSquared::new(f64::from(cells - 1)).unwrap().inverse_cdf(1.0 - ALARM)
    }

    /// Whether both statistics are within their bounds.
    pub(crate) fn follow(&self) -> bool {
        self.gap() < 1.0 && self.g() < 1.0
    }
}

pub(crate) fn as_float(n: u64) -> f64 {
    n.to_string().parse().unwrap()
}

/// The number of draws that make one comparison, at most.
const DRAWS: u32 = 10_000_000;

/// The number of draws that make one of the comparisons at every scale.
fn draws() -> u32 {
    if std::env::var_os("TEST_DEEP").is_some() { DRAWS } else { DRAWS / 5 }
}
