# How many adults, each counted once, had a stay in hospital in the second year.
from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(0.5), "survey", survey, protected_change=AddRowsWithID("person_id"))
adults = QueryBuilder("survey").filter("year = 2 AND age >= 18 AND admissions > 0")
session.evaluate(adults.enforce(MaxRowsPerID(1)).count(), PureDPBudget(0.5)).show()
