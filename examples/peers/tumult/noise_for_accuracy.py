# A count that is within 10 of the truth in 95 of 100 releases: the epsilon by hand, from the law of the noise.
import math

from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

budget = PureDPBudget(math.log(1 / 0.05) / 10)
session = Session.from_dataframe(budget, "survey", survey, protected_change=AddRowsWithID("person_id"))
query = QueryBuilder("survey").enforce(MaxRowsPerID(1)).count()
print(budget, session.evaluate(query, budget).first())
