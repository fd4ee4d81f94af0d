# Mean visits by sex and coinsurance level, the keys listed.
from survey import survey
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
keys = KeySet.from_dict({"female": [0, 1], "coinsurance": [0, 25, 50, 95, 100]})
query = QueryBuilder("survey").enforce(MaxRowsPerID(3)).groupby(keys).average("md_visits", 0, 40)
session.evaluate(query, PureDPBudget(1)).show()
