# Person-years at each coinsurance level, and of all.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=2,
)
rows = context.query().truncate_per_group(5)
levels = pl.LazyFrame({"coinsurance": [0, 25, 50, 95, 100]})
print(rows.group_by("coinsurance").agg(dp.len(signed=True)).with_keys(levels).release().collect())
print(rows.select(dp.len(signed=True)).release().collect())
