//! What is compared with what. Each side is a Criterion benchmark under `benches/`, measured in the same run.

pub mod accounting;
mod chains;
pub mod questions;

/// Two benchmarks and the ratio that is wanted between them.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// What is measured.
    pub name: &'static str,
    /// Criterion's name of our benchmark: its group and its own.
    pub ours: &'static str,
    /// Whom we compare with.
    pub peer: &'static str,
    /// Criterion's name of the peer's benchmark.
    pub peer_benchmark: &'static str,
    /// How many operations one iteration of either makes.
    pub operations: f64,
    /// How many times faster than the peer ours must be.
    pub target: f64,
}

/// How many rows the benchmarks of statistics have.
pub const ROWS: usize = 10_000_000;

/// How many rows the benchmarks of frames have: fewer than are worth a second thread.
pub const FRAME_ROWS: usize = 1 << 20;

/// Every comparison with a target.
pub const COMPARISONS: &[Comparison] = &[
    rounded("inf_add", "rounded/add_fast", "rounded/add_mpfr"),
    rounded("inf_sub", "rounded/sub_fast", "rounded/sub_mpfr"),
    rounded("inf_mul", "rounded/mul_fast", "rounded/mul_mpfr"),
    rounded("inf_div", "rounded/div_fast", "rounded/div_mpfr"),
    rounded("inf_sqrt", "rounded/sqrt_fast", "rounded/sqrt_mpfr"),
    opendp("discrete Laplace, scale 1", "noise/discrete_laplace_1e0", "opendp/discrete_laplace_1e0", 80.0),
    opendp("discrete Laplace, scale 1e3", "noise/discrete_laplace_1e3", "opendp/discrete_laplace_1e3", 80.0),
    opendp("discrete Laplace, scale 1e6", "noise/discrete_laplace_1e6", "opendp/discrete_laplace_1e6", 80.0),
    opendp("discrete Gaussian, scale 1", "noise/discrete_gaussian_1e0", "opendp/discrete_gaussian_1e0", 350.0),
    opendp("discrete Gaussian, scale 1e3", "noise/discrete_gaussian_1e3", "opendp/discrete_gaussian_1e3", 350.0),
    opendp("discrete Gaussian, scale 1e6", "noise/discrete_gaussian_1e6", "opendp/discrete_gaussian_1e6", 90.0),
    opendp("discrete Gaussian, scale 1e9", "noise/discrete_gaussian_1e9", "opendp/discrete_gaussian_1e9", 90.0),
    opendp("vector, discrete Laplace 1", "noise/discrete_laplace_1e0_vector", "opendp/discrete_laplace_1e0", 80.0),
    opendp("vector, discrete Laplace 1e3", "noise/discrete_laplace_1e3_vector", "opendp/discrete_laplace_1e3", 80.0),
    opendp("vector, discrete Laplace 1e6", "noise/discrete_laplace_1e6_vector", "opendp/discrete_laplace_1e6", 80.0),
    opendp("Laplace f64, default grids", "noise/laplace", "opendp/laplace", 500.0),
    opendp("Gaussian f64, default grids", "noise/gaussian", "opendp/gaussian", 2000.0),
    opendp("randomized response, bool", "noise/bernoulli", "opendp/randomized_response", 6.0),
    noisy_max("noisy max of 1,000, scale 1", "noise/noisy_max_exponential_1", "opendp/noisy_max_1", 50.0),
    noisy_max("noisy max of 1,000, scale 100", "noise/noisy_max_exponential_100", "opendp/noisy_max_100", 5.0),
    inexact("randomized response, bool", "noise/bernoulli", "rand_distr Bernoulli", "inexact/bernoulli", 2.0),
    converted("rho-zCDP, delta(epsilon)", "accounting/zcdp_delta", "opendp_accounting/zcdp_delta"),
    converted("rho-zCDP, epsilon(delta)", "accounting/zcdp_epsilon", "opendp_accounting/zcdp_epsilon"),
    mapped("Laplace map", "maps/laplace", "opendp_maps/laplace", 1000.0),
    mapped("1,000 composed and mapped", "maps/composition_1000", "opendp_maps/composition_1000", 1.0),
    Comparison {
        name: "filter, 100,000 questions",
        ours: "maps/filter_100000",
        peer: "ten times 10,000",
        peer_benchmark: "maps/filter_10000",
        operations: 100_000.0,
        target: 0.08,
    },
    frames("frame: clamp and sum", "frames/clamp_sum", "typed rows", "frames/clamp_sum_typed", 0.95),
    frames("frame: sums of ten categories", "frames/ten_categories", "typed rows", "frames/ten_categories_typed", 0.95),
    frames("frame: sums by two columns", "frames/two_keys", "typed rows, closure", "frames/two_keys_typed", 0.95),
    frames("plan: clamp and sum", "frames/clamp_sum_plan", "the chain in Rust", "frames/clamp_sum_chain", 0.95),
    frames(
        "plan: ten categories",
        "frames/ten_categories_plan",
        "the chain in Rust",
        "frames/ten_categories_chain",
        0.95,
    ),
    frames("plan: two columns", "frames/two_keys_plan", "the chain in Rust", "frames/two_keys_chain", 0.95),
    frames("expression a b + 3 > 1000", "frames/expression", "Arrow's kernels", "frames/arrow_kernels", 0.5),
    frames("expression a b + 3 > 1000", "frames/expression", "closure on cells", "frames/closure_on_cells", 3.0),
    rows("clamp and exact sum, one thread", "clamp_sum/ours_one_thread", "inexact loop", "clamp_sum/loop", 0.3),
    rows("clamp and exact sum", "clamp_sum/ours", "opendp 0.16", "clamp_sum/opendp", 10.0),
    rows(
        "clamp and exact sum, one thread",
        "clamp_sum/ours_one_thread",
        "opendp 0.16, sized",
        "clamp_sum/opendp_sized",
        8.0,
    ),
    rows(
        "count by categories, one thread",
        "count_by_categories/ours_one_thread",
        "loop",
        "count_by_categories/loop",
        0.5,
    ),
    rows(
        "count by categories, one thread",
        "count_by_categories/ours_one_thread",
        "opendp 0.16",
        "count_by_categories/opendp",
        5.0,
    ),
    inexact("discrete Laplace, scale 1", "noise/discrete_laplace_1e0", "-s ln(u)", "inexact/laplace", 3.0),
    inexact("discrete Laplace, scale 1e6", "noise/discrete_laplace_1e6", "-s ln(u)", "inexact/laplace", 3.0),
    inexact("discrete Gaussian, scale 1", "noise/discrete_gaussian_1e0", "rand_distr Normal", "inexact/normal", 2.0),
    inexact("discrete Gaussian, scale 1e3", "noise/discrete_gaussian_1e3", "rand_distr Normal", "inexact/normal", 2.0),
    inexact("discrete Gaussian, scale 1e6", "noise/discrete_gaussian_1e6", "rand_distr Normal", "inexact/normal", 8.0),
    inexact("Laplace f64", "noise/laplace", "-s ln(u)", "inexact/laplace", 3.0),
    inexact("Gaussian f64", "noise/gaussian", "rand_distr Normal", "inexact/normal", 4.0),
];

/// The benchmarks of [`COMPARISONS`] that are not in `listing`, which is what `cargo bench -- --list` prints.
pub fn unknown_keys(listing: &str) -> Vec<&'static str> {
    let listed: Vec<&str> = listing.lines().filter_map(|line| line.strip_suffix(": benchmark")).collect();
    let named = COMPARISONS.iter().flat_map(|comparison| [comparison.ours, comparison.peer_benchmark]);
    named.filter(|name| !listed.contains(name)).collect()
}

const fn rounded(name: &'static str, ours: &'static str, peer_benchmark: &'static str) -> Comparison {
    Comparison { name, ours, peer: "MPFR, directed", peer_benchmark, operations: 1000.0, target: 20.0 }
}

/// A hundred exact draws beside opendp's of the same distribution.
const fn opendp(name: &'static str, ours: &'static str, peer_benchmark: &'static str, target: f64) -> Comparison {
    Comparison { name, ours, peer: "opendp 0.16", peer_benchmark, operations: 100.0, target }
}

/// One selection beside opendp's, which is that of exponential noise too.
const fn noisy_max(name: &'static str, ours: &'static str, peer_benchmark: &'static str, target: f64) -> Comparison {
    Comparison { name, ours, peer: "opendp 0.16", peer_benchmark, operations: 1.0, target }
}

/// A statistic of all rows beside a loop's or opendp's.
const fn rows(
    name: &'static str,
    ours: &'static str,
    peer: &'static str,
    peer_benchmark: &'static str,
    target: f64,
) -> Comparison {
    Comparison { name, ours, peer, peer_benchmark, operations: 1e7, target }
}

/// A chain or an expression on a frame of 2^20 rows, on one thread.
const fn frames(
    name: &'static str,
    ours: &'static str,
    peer: &'static str,
    peer_benchmark: &'static str,
    target: f64,
) -> Comparison {
    Comparison { name, ours, peer, peer_benchmark, operations: 1_048_576.0, target }
}

/// Eight conversions beside opendp's of the same guarantee.
const fn converted(name: &'static str, ours: &'static str, peer_benchmark: &'static str) -> Comparison {
    Comparison { name, ours, peer: "opendp 0.16", peer_benchmark, operations: 8.0, target: 20.0 }
}

/// Privacy maps beside opendp's of the same measurement.
const fn mapped(name: &'static str, ours: &'static str, peer_benchmark: &'static str, operations: f64) -> Comparison {
    Comparison { name, ours, peer: "opendp 0.16", peer_benchmark, operations, target: 20.0 }
}

/// A hundred exact draws beside the inexact draw, of which ours may cost `at_most` times as much.
const fn inexact(
    name: &'static str,
    ours: &'static str,
    peer: &'static str,
    peer_benchmark: &'static str,
    at_most: f64,
) -> Comparison {
    Comparison { name, ours, peer, peer_benchmark, operations: 100.0, target: 1.0 / at_most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_that_is_not_listed_is_named() {
        let named: Vec<&str> = COMPARISONS.iter().flat_map(|row| [row.ours, row.peer_benchmark]).collect();
        let listing = |left_out: &str| {
            let others = named.iter().filter(|name| **name != left_out);
            others.map(|name| format!("{name}: benchmark\n")).collect::<String>()
        };
        assert_eq!(unknown_keys(&listing("")), [""; 0]);
        assert_eq!(unknown_keys(&listing("opendp/laplace")), ["opendp/laplace"]);
        assert_eq!(unknown_keys("maps_laplace: benchmark\n").len(), named.len());
    }
}
