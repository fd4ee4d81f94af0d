# A query as text, and a release of what was read back.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1,
)
query = context.query().filter(pl.col("age") >= 18.0).truncate_per_group(1).select(dp.len(signed=True))
stored = query.polars_plan.serialize()
print(len(stored), context.deserialize_polars_plan(stored).release().collect())
