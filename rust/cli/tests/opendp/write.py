"""Measurements as OpenDP 0.16 writes them, beside this file, and the loss of each by its own map.

    pip install opendp==0.16.0
    python rust/cli/tests/opendp/write.py
"""

import json
import pathlib

import opendp.prelude as dp

dp.enable_features("contrib", "honest-but-curious")
HERE = pathlib.Path(__file__).parent


def rows(size=None, metric=dp.symmetric_distance(), **atom):
    return dp.vector_domain(dp.atom_domain(**atom), size), metric


floats = rows(T=float, nan=False)
clamped = floats >> dp.t.then_clamp((0.0, 10.0))
count = rows(T=str) >> dp.t.then_count()
total = clamped >> dp.t.then_sum() >> dp.m.then_laplace(20.0)
table = dp.t.make_split_dataframe(",", ["region", "days"]) >> dp.t.make_select_column("region", str)

TAKEN = {
    "count": count >> dp.m.then_laplace(2.0),
    "count_of_a_table": table >> dp.t.then_count() >> dp.m.then_geometric(1.0),
    "distinct": rows(T=str) >> dp.t.then_count_distinct() >> dp.m.then_geometric(4.0),
    "sum": total,
    "sum_of_integers": rows(T=int) >> dp.t.then_clamp((-5, 3)) >> dp.t.then_sum() >> dp.m.then_laplace(8.0),
    "mean": rows(100, T=float, nan=False, bounds=(0.0, 1.0)) >> dp.t.then_mean() >> dp.m.then_laplace(0.125),
    "gaussian": count >> dp.m.then_gaussian(4.0),
    "concentrated": dp.c.make_pureDP_to_zCDP(count >> dp.m.then_laplace(2.0)),
    "approximate": dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(count >> dp.m.then_gaussian(4.0)), 1e-6),
    "composition": dp.c.make_composition([total, floats >> dp.t.then_count() >> dp.m.then_laplace(2.0)]),
    "inserted": rows(metric=dp.insert_delete_distance(), T=float, nan=False) >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum() >> dp.m.then_laplace(4.0),
}

REFUSED = {
    "granular": clamped >> dp.t.then_sum() >> dp.m.then_laplace(20.0, k=-10),
    "bounded_noise": count >> dp.m.then_geometric(2.0, bounds=(0, 100)),
    "cast": rows(T=str) >> dp.t.then_cast(float) >> dp.t.then_impute_constant(1.0) >> dp.t.then_clamp((0.0, 5.0)) >> dp.t.then_sum() >> dp.m.then_laplace(5.0),
    "quantile": floats >> dp.t.then_quantile_score_candidates([0.0, 1.0], alpha=0.5) >> dp.m.then_noisy_max(dp.max_divergence(), 1.0),
    "local": dp.m.make_randomized_response_bool(0.75),
    "not_a_number": rows(T=float) >> dp.t.then_count() >> dp.m.then_laplace(2.0),
}


def main():
    losses = {}
    for name, measurement in {**TAKEN, **REFUSED}.items():
        (HERE / f"{name}.json").write_text(dp.serialize(measurement) + "\n")
        if name in TAKEN:
            # Of two rows, for a change of one cannot be between tables of a known size.
            loss = measurement.map(2)
            losses[name] = list(loss) if isinstance(loss, tuple) else [loss]
    (HERE / "losses.json").write_text(json.dumps(losses, indent=2) + "\n")


if __name__ == "__main__":
    main()
