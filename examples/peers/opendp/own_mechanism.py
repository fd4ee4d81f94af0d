# A transformation and a mechanism of one's own: visits beyond ten, and geometric noise written by hand.
import math
import random

import opendp.prelude as dp
from survey import survey

dp.enable_features("contrib", "honest-but-curious")
rows = dp.vector_domain(dp.atom_domain(T="i32")), dp.symmetric_distance()
beyond_ten = dp.t.make_user_transformation(
    *rows, *rows, lambda visits: [max(visit - 10, 0) for visit in visits], lambda d_in: d_in
)


def noisy(total):
    rate = 1 / 150
    draw = lambda: math.floor(math.log(1 - random.random()) / -rate)
    return total + draw() - draw()


mechanism = dp.m.make_user_measurement(
    dp.atom_domain(T="i32"),
    dp.absolute_distance(T="i32"),
    dp.max_divergence(),
    noisy,
    lambda d_in: d_in / 150,
    TO="i32",
)
measurement = beyond_ten >> dp.t.then_clamp((0, 30)) >> dp.t.then_sum() >> mechanism
print(measurement(survey.collect()["md_visits"].to_list()), measurement.map(5))
