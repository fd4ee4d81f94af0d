"""The calculators: bounds that are rounded to the safe side.

>>> from indistinct import accounting
>>> round(accounting.rho_to_epsilon(0.5, 1e-6), 3)
5.222
>>> from indistinct import Rho
>>> accounting.curves(Rho(0.5))["renyi"][1]
(2.0, 1.0)
"""

from ._native import accuracy, compose, curves, curves_report, gaussian_sigma, rho_to_epsilon

__all__ = ["accuracy", "compose", "curves", "curves_report", "gaussian_sigma", "rho_to_epsilon"]
