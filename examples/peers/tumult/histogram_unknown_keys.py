# How many persons each insurance plan had, of plans that nobody lists.
from survey import survey
from tmlt.analytics import AddRowsWithID, ApproxDPBudget, KeySet, MaxRowsPerID, QueryBuilder, Session

budget = ApproxDPBudget(1, 1e-6)
session = Session.from_dataframe(budget, "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(1))
plans = session.evaluate(rows.get_groups("plan"), ApproxDPBudget(0.5, 1e-6))
session.evaluate(rows.groupby(KeySet.from_dataframe(plans)).count(), ApproxDPBudget(0.5, 0)).show()
