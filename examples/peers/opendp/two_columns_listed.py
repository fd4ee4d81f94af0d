# Mean visits by sex and coinsurance level, the keys listed.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1,
    margins=[dp.polars.Margin(by=["female", "coinsurance"], max_length=100_000)],
)
keys = pl.LazyFrame({"female": [0, 1]}).join(pl.LazyFrame({"coinsurance": [0, 25, 50, 95, 100]}), how="cross")
mean = pl.col("md_visits").fill_null(0).dp.mean((0, 40))
query = context.query().truncate_per_group(3).group_by("female", "coinsurance").agg(mean).with_keys(keys)
print(query.release().collect())
