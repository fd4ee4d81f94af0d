# Person-years by site and insurance plan, of pairs that nobody lists.
from survey import survey
from tmlt.analytics import AddRowsWithID, ApproxDPBudget, KeySet, MaxRowsPerID, QueryBuilder, Session

budget = ApproxDPBudget(1, 1e-6)
session = Session.from_dataframe(budget, "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(1))
pairs = session.evaluate(rows.get_groups(["site", "plan"]), ApproxDPBudget(0.5, 1e-6))
session.evaluate(rows.groupby(KeySet.from_dataframe(pairs)).count(), ApproxDPBudget(0.5, 0)).show()
