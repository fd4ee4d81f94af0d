//! What is compared with what. Each side is a Criterion benchmark under `benches/`, measured in the same run.

/// Two benchmarks and the ratio that is wanted between them.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// What is measured.
    pub name: &'static str,
    /// Criterion's path of our benchmark.
    pub ours: &'static str,
    /// Whom we compare with.
    pub peer: &'static str,
    /// Criterion's path of the peer's benchmark.
    pub peer_benchmark: &'static str,
    /// How many operations one iteration of either makes.
    pub operations: f64,
    /// How many times faster than the peer ours must be.
    pub target: f64,
}

/// Every comparison with a target.
pub const COMPARISONS: &[Comparison] = &[
    rounded("inf_add", "rounded/add_fast", "rounded/add_mpfr"),
    rounded("inf_sub", "rounded/sub_fast", "rounded/sub_mpfr"),
    rounded("inf_mul", "rounded/mul_fast", "rounded/mul_mpfr"),
    rounded("inf_div", "rounded/div_fast", "rounded/div_mpfr"),
    rounded("inf_sqrt", "rounded/sqrt_fast", "rounded/sqrt_mpfr"),
];

const fn rounded(name: &'static str, ours: &'static str, peer_benchmark: &'static str) -> Comparison {
    Comparison { name, ours, peer: "MPFR, directed", peer_benchmark, operations: 1000.0, target: 20.0 }
}
