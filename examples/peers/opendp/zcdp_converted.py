# Two Gaussian releases under zero-concentrated privacy, their loss as epsilon at a delta of one in a million.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(rho=0.01),
    split_evenly_over=1,
    margins=[dp.polars.Margin(max_length=100_000)],
)
visits = pl.col("md_visits").fill_null(0).dp.sum((0, 40))
query = context.query().truncate_per_group(1).select(dp.len(signed=True), visits)
converted = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(query.resolve()), 1e-6)
print(query.release().collect(), converted.map(1))
