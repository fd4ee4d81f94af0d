"""Evidence against a privacy claim, by draws of any mechanism.

>>> import random
>>> from indistinct import audit
>>> source = random.Random(2026)
>>> def textbook(count):  # should have an epsilon of 1
...     return round(count + source.expovariate(2.0) - source.expovariate(2.0))
>>> draws = [[textbook(count) for _ in range(20_000)] for count in (7, 8)]
>>> audit.empirical_lower_bounds(*draws).epsilon > 1.0
True
"""

from ._native import EmpiricalLowerBounds, empirical_lower_bounds

__all__ = ["EmpiricalLowerBounds", "empirical_lower_bounds"]
