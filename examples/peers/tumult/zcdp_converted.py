# Two Gaussian releases under zero-concentrated privacy; no conversion of their loss to epsilon and delta is offered.
from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, QueryBuilder, RhoZCDPBudget, Session

session = Session.from_dataframe(RhoZCDPBudget(0.01), "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(1))
session.evaluate(rows.count(), RhoZCDPBudget(0.005)).show()
session.evaluate(rows.sum("md_visits", 0, 40), RhoZCDPBudget(0.005)).show()
