# The median age at each of six sites, each with all of the budget.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1,
    margins=[dp.polars.Margin(by=["site"], max_length=100_000)],
)
median = pl.col("age").fill_nan(0.0).fill_null(0.0).dp.median([5.0 * k for k in range(14)])
query = context.query().truncate_per_group(1).group_by("site").agg(median)
print(query.with_keys(pl.LazyFrame({"site": list(range(1, 7))})).release().collect())
