# The three insurance plans with the most persons, by name: the largest of all noisy counts.
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
plans = pl.LazyFrame({"plan": list(range(1, 20))})
query = context.query().truncate_per_group(1).group_by("plan").agg(dp.len(signed=True)).with_keys(plans)
print(query.release().collect().top_k(3, by="len")["plan"].to_list())
