"""Privacy accounting: what a training or any other sequence of mechanisms loses, and the noise for a budget.

Every number is a bound with proven rounding. A `PrivacyLoss` is what mechanisms lose, for neighbors that you name:

>>> from indistinct.accounting import PrivacyLoss, calibrate_sigma
>>> step = PrivacyLoss.gaussian(sigma=1.1, neighbors="add_remove").on_poisson_sample(rate=256 / 60_000)
>>> training = step * 14_062
>>> print(training.epsilon(delta=1e-5))  # rounded up; .lower and .upper have all digits
2.39

The histories of other accountants are converted:

>>> history = [(1.1, 256 / 60_000, 14_062)]  # an Opacus accountant's `history`
>>> from_opacus_history(history) == training
True

Bounds of guarantees:

>>> round(rho_to_epsilon(0.5, 1e-6), 3)
5.222
>>> from indistinct import Rho
>>> curves(Rho(0.5))["renyi"][1]
(2.0, 1.0)
"""

from ._adapters import from_dp_event, from_opacus_history
from ._native import (
    Bounds,
    PrivacyLoss,
    accuracy,
    calibrate_rate,
    calibrate_sigma,
    calibrate_steps,
    curves,
    curves_report,
    gaussian_sigma,
    rho_to_epsilon,
)

__all__ = [
    "Bounds",
    "PrivacyLoss",
    "accuracy",
    "calibrate_rate",
    "calibrate_sigma",
    "calibrate_steps",
    "curves",
    "curves_report",
    "from_dp_event",
    "from_opacus_history",
    "gaussian_sigma",
    "rho_to_epsilon",
]
