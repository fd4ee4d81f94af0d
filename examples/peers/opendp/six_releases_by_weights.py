# Epsilon 2 over six releases, by weights.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=2.0),
    split_by_weights=[1, 1, 2, 1, 1, 4],
    margins=[dp.polars.Margin(max_length=100_000)],
)
bounds = {"md_visits": 40, "admissions": 4, "family_size": 10, "education": 25, "mental_health": 100}
for column, upper in bounds.items():
    total = pl.col(column).cast(float).fill_nan(0.0).fill_null(0.0).dp.sum((0.0, float(upper)))
    print(context.query().truncate_per_group(1).select(total).release().collect())
print(context.query().truncate_per_group(1).select(dp.len(signed=True)).release().collect())
