# Visits to a doctor by age: slope and intercept, one row of each person.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1,
    margins=[dp.polars.Margin(max_length=100_000)],
)
x = (pl.col("age") / 65.0).fill_nan(0.0).fill_null(0.0).clip(0.0, 1.0)
y = (pl.col("md_visits").cast(float) / 40.0).fill_nan(0.0).fill_null(0.0).clip(0.0, 1.0)
sums = {"x": x, "y": y, "xx": x * x, "xy": x * y}
query = (
    context.query()
    .truncate_per_group(1)
    .select(dp.len(signed=True), *[expression.dp.sum((0.0, 1.0)).alias(name) for name, expression in sums.items()])
)
n, x, y, xx, xy = query.release().collect().row(0)
slope = (xy - x * y / n) / (xx - x * x / n)
print(f"{40 * slope / 65} a year of age, {40 * (y - slope * x) / n} at birth")
