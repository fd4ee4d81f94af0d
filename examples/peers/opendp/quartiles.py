# The quartiles of ages, one row of each person.
import opendp.prelude as dp
import polars as pl
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=2.0),
    split_evenly_over=1,
    margins=[dp.polars.Margin(max_length=100_000)],
)
age = pl.col("age").fill_nan(0.0).fill_null(0.0)
candidates = [5.0 * k for k in range(14)]
quartiles = [age.dp.quantile(alpha, candidates).alias(str(alpha)) for alpha in [0.25, 0.5, 0.75]]
print(context.query().truncate_per_group(1).select(quartiles).release().collect())
