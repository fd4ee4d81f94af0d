# Person-years by region, which a public table of sites says.
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
regions = {1: "midwest", 2: "west", 3: "east", 4: "east", 5: "south", 6: "south"}
region = pl.col("site").replace_strict(regions, default="elsewhere").alias("region")
keys = pl.LazyFrame({"region": ["east", "midwest", "south", "west"]})
query = context.query().truncate_per_group(5).with_columns(region)
print(query.group_by("region").agg(dp.len(signed=True)).with_keys(keys).release().collect())
