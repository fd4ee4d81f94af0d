"""What the noise and the maps of other libraries do with floats: docs/COMPARE.md.

    pip install opendp==0.16.0 diffprivlib==0.6.6 python-dp==1.1.5 && python examples/peers/floats.py

A release of 0 is *impossible from 1* if no float z has 1 + z, rounded, equal to it: who sees it knows that the number was
not 1, if the noise is a float that is added.
"""

import math
import sys
import types

DRAWS = 20_000


def impossible_from_one(release) -> float:
    def is_impossible(released: float) -> bool:
        z = released - 1.0
        return all(1.0 + near != released for near in (z, math.nextafter(z, math.inf), math.nextafter(z, -math.inf)))

    return sum(is_impossible(release(0.0)) for _ in range(DRAWS)) / DRAWS


def diffprivlib():
    # Its models do not import with scikit-learn 1.9; its mechanisms do.
    sys.modules["diffprivlib.models"] = types.ModuleType("diffprivlib.models")
    from diffprivlib.mechanisms import Laplace, Snapping

    yield "Laplace, impossible from 1", impossible_from_one(Laplace(epsilon=1.0, sensitivity=1.0).randomise)
    snapping = Snapping(epsilon=1.0, sensitivity=1.0, lower=-1000.0, upper=1000.0)
    yield "Snapping, impossible from 1", impossible_from_one(snapping.randomise)


def pydp():
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    yield "Laplace, impossible from 1", impossible_from_one(LaplaceMechanism(1.0, 1.0).add_noise)


def opendp():
    import opendp.prelude as dp

    dp.enable_features("contrib")
    number = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    yield "map of Laplace noise of scale 3", repr(dp.m.make_laplace(*number, 3.0).map(1.0))
    rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0), nan=False))
    yield "map of a sum of floats up to 10", repr(dp.t.make_sum(rows, dp.symmetric_distance()).map(1))


for library in (diffprivlib, pydp, opendp):
    try:
        for what, value in library():
            print(f"{library.__name__}: {what}: {value}")
    except ImportError as error:
        print(f"{library.__name__}: {error}")
