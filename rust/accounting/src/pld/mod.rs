//! Privacy loss distributions: delta and epsilon of compositions, as enclosures.
//!
//! The loss of a composition is the sum of the losses of its parts, and `delta(epsilon) = E[(1 - e^(epsilon - L))+]` is
//! an integral of the product of their moment generating functions along a vertical contour through its saddle point,
//! where nothing cancels. Neglected terms and rounding are charged to both bounds.
//!
//! A question walks down four floors. A floor imports from itself and from those below it, never from above: `loss`
//! from nothing here, `transform` from `loss`, `integrate` from both, `answer` from all. Within a floor, an arrow
//! points at what is imported.
//!
//! ```text
//!  delta(epsilon), epsilon(delta), calibrated parameters                                    answer/
//!    composed      a composition in one direction: a closed form, or an integral
//!    |-- supremum, enumeration                     the greatest loss; a sum over all outcomes
//!    |-- fallback                                  bounds that always hold
//!    |-- delta, epsilon, calibrate                 the worse direction; inverses by one search over delta
//!    v
//!  one integral, every error charged                                                        integrate/
//!    walk          the methods, in the order in which they are tried
//!    |-- lattice_sum       losses on a lattice: finitely many nodes, by a Fourier transform
//!    |-- contour           losses with a density: nodes until the remainder is nothing
//!    |-- low_rate          bulk and tail apart, where nearly all losses are near zero
//!    |-- smoothed -> tail  any losses without a density, with a little noise beside them; which nodes count
//!    |-- discretized       anything: twice on a lattice, from above and from below
//!    |   saddle_point, truncate                    where to integrate, and without which losses (floats)
//!    |   chernoff, aliasing     what always holds; what the trapezoid sum has too much
//!    v
//!  the moment generating function of one loss, and how fast it falls                        transform/
//!    mgf           of whichever kind, at the nodes of a contour
//!    |-- real_axis, off_axis, exponential, lattice by quadrature, on a shifted contour, in closed form, by weights
//!    |-- fixed_size, discrete_gaussian             by quadrature on a half line; by Poisson's formula
//!    |   nodes, atoms                              the nodes and what is known there; sums of finitely many losses
//!    |   far_out                                   many losses of a few atoms, multiplied at many nodes
//!    |   strip, shifted_contour, recurrence        how far off the axis; the integrand there; from node to node
//!    |   turning, lanes        complex logarithms, and what a term turns by from node to node; sixteen at a time
//!    |-- tilted -> decay, exponential_decay, fixed_size_decay, tail_bound   lower bounds on its decay
//!    |   returns                                   the same of many losses together, block by block
//!    |   tabulated, estimate, cumulants            the same in floats, for finding where to integrate
//!    v
//!  the loss of one mechanism                                                                loss/
//!    pair          the dominating pair of distributions; direction: which of its two the loss is drawn from
//!    |-- finite_loss       sampled_gaussian, fixed_size_gaussian, exponential, lattice, discrete
//!    |-- tails             normal_loss, mixture: what is known of a loss by its distribution functions
//!    |-- once                                        one step in closed form
//!    |-- truncation, truncated_gaussian            a smooth end to large losses, and what it drops
//!    |-- discretize                                any loss on a lattice, from above or from below
//! ```
//!
//! The module `distribution` holds what the caller composed, as pairs, `order` compares two such by their pairs, and
//! `sampling` derives their losses on a sample and their Renyi divergences.
//!
//! `CONTRIBUTING.md` says how to add a kind of loss. `Exponential` is not to be extended: what is known of its density
//! is used in many places. The arguments are in `proofs/accounting/pld.md` (pairs) and
//! `proofs/accounting/pld_lemmas.md`.

mod answer;
mod distribution;
mod integrate;
mod loss;
mod order;
mod sampling;
mod transform;

#[cfg(test)]
mod tests;

pub use distribution::PrivacyLossDistribution;
pub use loss::direction::{Direction, Neighbors};
