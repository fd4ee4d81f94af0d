# Mean of all that a person spent, over all of that person's years, up to 10,000 dollars.
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
totals = context.query().group_by("person_id").agg(pl.col("medical_spend").sum().alias("total"))
mean = pl.col("total").fill_nan(0.0).fill_null(0.0).dp.mean((0.0, 10_000.0))
print(totals.select(mean).release().collect())
