# The median age at each of six sites, each with all of the budget.
from survey import survey
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
sites = KeySet.from_dict({"site": list(range(1, 7))})
query = QueryBuilder("survey").enforce(MaxRowsPerID(1)).groupby(sites).median("age", 0, 65)
session.evaluate(query, PureDPBudget(1)).show()
