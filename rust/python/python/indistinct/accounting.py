"""The calculators: bounds that are rounded to the safe side.

>>> from indistinct import accounting
>>> round(accounting.epsilon_of_rho(0.5, 1e-6), 3)
5.222
"""

from ._native import accuracy, compose, epsilon_of_rho, gaussian_sigma

__all__ = ["accuracy", "compose", "epsilon_of_rho", "gaussian_sigma"]
