//! Privacy loss distributions: delta and epsilon of compositions, as enclosures.
//!
//! The loss of a composition is the sum of the losses of its parts, and `delta(epsilon) = E[(1 - e^(epsilon - L))+]` an integral of the product of
//! their moment generating functions along a line through its saddle point, where nothing cancels. What is neglected there and what is
//! rounded is charged to both bounds.
//!
//! | file | what |
//! |---|---|
//! | `distribution`, `law`, `finite` | the pairs of laws, and their composition |
//! | `bounds`, `inverse`, `calibrate`, `order` | what is asked of them |
//! | `table` | laws in floats, for looking |
//! | `saddle`, `contour`, `lattice_sum`, `gridded` | the integral: where; for smooth losses; on a lattice; for any |
//! | `wrapped` | what it has too much |
//! | `simple` | what always holds |
//! | `integral` | whichever of these there is |
//! | `many_laplace`, `several` | Laplace noise alone, where `composition` has no sum; a few releases of several kinds |
//! | `shape`, `top` | one mechanism's loss, of whichever kind; the greatest |
//! | `sampled_gaussian`, `exponential`, `lattice`, `transform` | moment generating functions on a line |
//! | `cut`, `far` | what may be left out of large losses |
//! | `path`, `moving`, `shifted` | the transform along a path beside the real line |
//! | `sparse`, `large` | the integral where nearly all losses are near zero |
//! | `decay`, `tilted`, `exponential_fall` | how fast these fall |
//! | `grid` | any law on a lattice, from above and from below |
//! | `disk`, `fft` | complex numbers with a radius, and the transform with a proven error |
//!
//! See `proofs/accounting/pld.md`.

mod bounds;
mod calibrate;
mod contour;
mod cut;
mod decay;
mod disk;
mod distribution;
mod exponential;
mod exponential_fall;
mod far;
mod fft;
mod finite;
mod grid;
mod gridded;
mod integral;
mod inverse;
mod large;
mod lattice;
mod lattice_sum;
mod law;
mod many_laplace;
mod moving;
mod order;
mod path;
mod saddle;
mod sampled_gaussian;
mod several;
mod shape;
mod shifted;
mod simple;
mod sparse;
mod table;
mod tilted;
mod top;
mod transform;
mod wrapped;

#[cfg(test)]
mod tests;

pub use distribution::PrivacyLossDistribution;
pub(crate) use many_laplace::ManyLaplace;
pub(crate) use several::Several;
