# How many adults, each counted once, had a stay in hospital in the second year.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=0.5),
    split_evenly_over=1,
)
condition = (pl.col("year") == 2) & (pl.col("age") >= 18.0) & (pl.col("admissions") > 0)
query = context.query().filter(condition).truncate_per_group(1).select(dp.len(signed=True))
print(query.release().collect().item())
