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

pub(crate) mod GDP_to_PLD;
pub(crate) mod GDP_to_approxDP;
pub(crate) mod GDP_to_zCDP;
pub(crate) mod PLD_to_RDP;
pub(crate) mod PLD_to_approxDP;
pub(crate) mod RDP_to_approxDP;
pub(crate) mod approximate;
pub(crate) mod bounded_range_to_PLD;
pub(crate) mod bounded_range_to_pureDP;
pub(crate) mod bounded_range_to_zCDP;
pub(crate) mod fix_delta;
pub(crate) mod fix_epsilon;
pub(crate) mod fixed_approxDP_to_PLD;
pub(crate) mod fixed_approxDP_to_approxDP;
pub(crate) mod pureDP_to_PLD;
pub(crate) mod pureDP_to_approxDP;
pub(crate) mod pureDP_to_bounded_range;
pub(crate) mod pureDP_to_zCDP;
pub(crate) mod zCDP_to_RDP;
pub(crate) mod zCDP_to_approxDP;
