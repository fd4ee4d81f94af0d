# How far a count may be from the truth, in 95 of 100 releases: by hand, from the law of the noise.
import math

from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
released = session.evaluate(QueryBuilder("survey").enforce(MaxRowsPerID(5)).count(), PureDPBudget(1)).first()
print(released, 5 / 1 * math.log(1 / 0.05))
