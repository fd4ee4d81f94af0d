# Mean and variance of doctor visits, of a number of rows that nobody knows.
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
visits = pl.col("md_visits").fill_null(0).clip(0, 40)
query = (
    context.query()
    .truncate_per_group(5)
    .select(dp.len(signed=True), visits.dp.sum((0, 40)), (visits * visits).dp.sum((0, 1600)).alias("squares"))
)
rows, total, squares = query.release().collect().row(0)
print(total / rows, squares / rows - (total / rows) ** 2)
