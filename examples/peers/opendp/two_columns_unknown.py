# Person-years by site and insurance plan, of pairs that nobody lists.
import opendp.prelude as dp
from survey import survey

dp.enable_features("contrib")
context = dp.Context.compositor(
    data=survey,
    privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
    privacy_loss=dp.loss_of(epsilon=1.0, delta=1e-6),
    split_evenly_over=1,
)
print(context.query().truncate_per_group(1).group_by("site", "plan").agg(dp.len()).release().collect())
