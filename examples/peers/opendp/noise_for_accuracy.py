# A count that is within 10 of the truth in 95 of 100 releases, and what it costs.
import opendp.prelude as dp
from survey import survey

dp.enable_features("contrib")
scale = dp.accuracy_to_discrete_laplacian_scale(accuracy=10.0, alpha=0.05)
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0),
)
query = context.query(epsilon=1 / scale).truncate_per_group(1).select(dp.len(signed=True))
print(query.release().collect(), context.current_privacy_loss())
