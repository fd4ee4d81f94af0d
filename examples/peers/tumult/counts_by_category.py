# Person-years at each coinsurance level, five of each person at most.
from survey import survey
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
levels = KeySet.from_dict({"coinsurance": [0, 25, 50, 95, 100]})
query = QueryBuilder("survey").enforce(MaxRowsPerID(5)).groupby(levels).count()
session.evaluate(query, PureDPBudget(1)).show()
