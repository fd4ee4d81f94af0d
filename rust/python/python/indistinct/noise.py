"""Exact noise and Poisson samples as numpy arrays, for a training of your own. Needs numpy.

A draw from here is not a release: no budget is charged, no ledger records it, and no proof covers what is added to it,
rounded or published. The bound on what an individual can contribute is yours to keep. The randomness is the operating
system's; there are no seeds.

>>> from indistinct import noise
>>> noise.discrete_gaussian(sigma=1e6, size=(2, 3)).dtype
dtype('int64')
>>> noise.add_gaussian([0.0, 1.0], sigma=2.0).shape
(2,)
>>> bool(noise.poisson_sample(rate=1.0, population=4).all())
True
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._native import QuestionError, discrete_gaussian_bytes, gaussian_bytes, poisson_sample_bytes

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

__all__ = ["add_gaussian", "discrete_gaussian", "poisson_sample"]


def discrete_gaussian(sigma: float, size: int | Sequence[int]) -> NDArray[numpy.int64]:
    """Integers z with probability in proportion to `exp(-z**2 / (2 * sigma**2))`, drawn exactly and independently.

    Add them to exact integers that are clipped to a known sensitivity. `PrivacyLoss.discrete_gaussian` is the loss of
    one such integer. A vector of L2 sensitivity d has the rho `d**2 / (2 * sigma**2)` of zero-concentrated differential
    privacy. `sigma` is above 0 and below 2**50.
    """
    import numpy

    shape = tuple(operator.index(n) for n in size) if isinstance(size, Sequence) else (operator.index(size),)
    if any(n < 0 for n in shape):
        raise QuestionError("size must not be negative")
    return numpy.frombuffer(discrete_gaussian_bytes(sigma, math.prod(shape)), numpy.int64).reshape(shape)


def add_gaussian(values: ArrayLike, sigma: float, granularity: float | None = None) -> NDArray[numpy.float64]:
    """The `values` with independent Gaussian noise: each ideal real sum, rounded to the nearest multiple of
    `granularity` and to the nearest float.

    Rounding comes after the noise, so it costs no privacy. Noise that is added in floating-point arithmetic leaves
    traces of the value in the low digits of the result. The granularity is a power of two; by default it is the
    greatest one up to `sigma / 2**32`. The values must be finite, and they are not changed. They must be exact
    themselves: a sum of floats whose rounding depends on the other rows has a greater sensitivity than its terms.
    """
    import numpy

    given = numpy.asarray(values, numpy.float64)
    if granularity is None:
        exponent = math.frexp(sigma)[1] - 33 if 0 < sigma < math.inf else 0
        exponent = max(exponent, -1074)
    else:
        fraction, exponent = math.frexp(granularity)
        if fraction != 0.5:
            raise QuestionError("granularity must be a power of two")
        exponent -= 1
    noisy = gaussian_bytes(given.tobytes(), sigma, exponent)
    return numpy.frombuffer(noisy, numpy.float64).reshape(given.shape)


def poisson_sample(rate: float, population: int) -> NDArray[numpy.bool_]:
    """A Poisson sample: for each individual of the population, True with probability exactly `rate`, independently.

    Amplification by sampling needs a sample that stays secret, and a new one for each step. Its size varies: divide a
    sum by the expected size, and never by the size of the sample.
    """
    import numpy

    count = operator.index(population)
    if count < 0:
        raise QuestionError("population must not be negative")
    return numpy.frombuffer(poisson_sample_bytes(rate, count), numpy.bool_)
