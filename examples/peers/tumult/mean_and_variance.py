# Mean and variance of doctor visits, of a number of rows that nobody knows.
from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(5))
print(session.evaluate(rows.average("md_visits", 0, 40), PureDPBudget(0.5)).first())
print(session.evaluate(rows.variance("md_visits", 0, 40), PureDPBudget(0.5)).first())
