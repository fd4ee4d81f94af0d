# The three insurance plans with the most persons, by name: the largest of all noisy counts.
from survey import survey
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
plans = KeySet.from_dict({"plan": list(range(1, 20))})
query = QueryBuilder("survey").enforce(MaxRowsPerID(1)).groupby(plans).count()
session.evaluate(query, PureDPBudget(1)).orderBy("count", ascending=False).select("plan").show(3)
