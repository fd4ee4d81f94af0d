//! Samplers that take and return the exact numbers used in computations: for the other crates of this project, not for
//! users.

pub use crate::{
    bernoulli::{bernoulli_exp, bernoulli_rational},
    lazy::LazyReal,
    uniform::uniform_below,
};
