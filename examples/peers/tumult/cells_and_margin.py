# Person-years at each coinsurance level, and of all.
from survey import survey
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(5))
levels = KeySet.from_dict({"coinsurance": [0, 25, 50, 95, 100]})
session.evaluate(rows.groupby(levels).count(), PureDPBudget(0.5)).show()
session.evaluate(rows.count(), PureDPBudget(0.5)).show()
