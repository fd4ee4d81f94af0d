# Mean spending, between bounds that are found privately.
from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(5))
bounds = session.evaluate(rows.get_bounds("medical_spend"), PureDPBudget(0.5)).first()
low, high = bounds["medical_spend_lower_bound"], bounds["medical_spend_upper_bound"]
print(low, high, session.evaluate(rows.average("medical_spend", low, high), PureDPBudget(0.5)).first())
