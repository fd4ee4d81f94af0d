# How far a count may be from the truth: within what in 95 of 100 releases.
import opendp.prelude as dp
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1,
)
query = context.query().truncate_per_group(5).select(dp.len(signed=True))
print(query.summarize(alpha=0.05), query.release().collect())
