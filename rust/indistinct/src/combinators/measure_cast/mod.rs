//! Measurements with their loss converted to another measure.
//!
//! | constructor | from | to |
//! |---|---|---|
//! | [`make_pureDP_to_approxDP`] | epsilon | (epsilon, 0) |
//! | [`make_pureDP_to_bounded_range`] | epsilon | eta = 2 epsilon |
//! | [`make_bounded_range_to_pureDP`] | eta | epsilon = eta |
//! | [`make_bounded_range_to_zCDP`] | eta | rho = eta^2 / 8 |
//! | [`make_pureDP_to_zCDP`] | epsilon | rho = epsilon tanh(epsilon / 2) |
//! | [`make_zCDP_to_approxDP`] | rho | a profile |
//! | [`make_zCDP_to_RDP`] | rho | a curve: alpha rho |
//! | [`make_RDP_to_approxDP`] | a curve | a profile |
//! | [`make_GDP_to_approxDP`] | mu | a profile |
//! | [`make_GDP_to_zCDP`] | mu | rho = mu^2 / 2 |
//! | [`make_fixed_approxDP_to_approxDP`] | (epsilon, delta) | a profile |
//! | [`make_pureDP_to_PLD`] | epsilon | losses of randomized response |
//! | [`make_bounded_range_to_PLD`] | eta | losses of the worst pairs of the range |
//! | [`make_GDP_to_PLD`] | mu | losses of Gaussian noise |
//! | [`make_fixed_approxDP_to_PLD`] | (epsilon, delta) | losses of the worst pair |
//! | [`make_PLD_to_approxDP`] | losses | a profile |
//! | [`make_PLD_to_RDP`] | losses | a curve: their Renyi divergences |
//! | [`make_fix_delta`] | a profile | (epsilon(delta), delta) |
//! | [`make_fix_epsilon`] | a profile | (epsilon, delta(epsilon)) |
//! | [`make_approximate`] | d | (d, 0) |

#![allow(non_snake_case)] // the field's names for the measures

mod GDP_to_PLD;
mod GDP_to_approxDP;
mod GDP_to_zCDP;
mod PLD_to_RDP;
mod PLD_to_approxDP;
mod RDP_to_approxDP;
mod approximate;
mod bounded_range_to_PLD;
mod bounded_range_to_pureDP;
mod bounded_range_to_zCDP;
#[cfg(feature = "plans")]
mod entries;
mod fix_delta;
mod fix_epsilon;
mod fixed_approxDP_to_PLD;
mod fixed_approxDP_to_approxDP;
mod pureDP_to_PLD;
mod pureDP_to_approxDP;
mod pureDP_to_bounded_range;
mod pureDP_to_zCDP;
mod zCDP_to_RDP;
mod zCDP_to_approxDP;

pub use GDP_to_PLD::make_GDP_to_PLD;
pub use GDP_to_approxDP::make_GDP_to_approxDP;
pub use GDP_to_zCDP::make_GDP_to_zCDP;
pub use PLD_to_RDP::make_PLD_to_RDP;
pub use PLD_to_approxDP::make_PLD_to_approxDP;
pub use RDP_to_approxDP::make_RDP_to_approxDP;
pub use approximate::make_approximate;
pub use bounded_range_to_PLD::make_bounded_range_to_PLD;
pub use bounded_range_to_pureDP::make_bounded_range_to_pureDP;
pub use bounded_range_to_zCDP::make_bounded_range_to_zCDP;
#[cfg(feature = "plans")]
pub(crate) use entries::entries;
pub use fix_delta::make_fix_delta;
pub use fix_epsilon::make_fix_epsilon;
pub use fixed_approxDP_to_PLD::make_fixed_approxDP_to_PLD;
pub use fixed_approxDP_to_approxDP::make_fixed_approxDP_to_approxDP;
pub use pureDP_to_PLD::make_pureDP_to_PLD;
pub use pureDP_to_approxDP::make_pureDP_to_approxDP;
pub use pureDP_to_bounded_range::make_pureDP_to_bounded_range;
pub use pureDP_to_zCDP::make_pureDP_to_zCDP;
pub use zCDP_to_RDP::make_zCDP_to_RDP;
pub use zCDP_to_approxDP::make_zCDP_to_approxDP;
