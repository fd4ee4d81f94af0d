# Mean spending, between bounds that are found privately: a high quantile among powers of two.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=2,
    margins=[dp.polars.Margin(max_length=100_000)],
)
spend = pl.col("medical_spend").cast(float).fill_nan(0.0).fill_null(0.0)
candidates = [2.0**k for k in range(21)]
bound = context.query().truncate_per_group(5).select(spend.dp.quantile(0.99, candidates)).release().collect().item()
print(bound, context.query().truncate_per_group(5).select(spend.dp.mean((0.0, bound))).release().collect())
