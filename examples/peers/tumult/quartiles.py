# The quartiles of ages, one row of each person.
from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(2), "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(1))
for alpha in [0.25, 0.5, 0.75]:
    print(session.evaluate(rows.quantile("age", alpha, 0, 65), PureDPBudget(2 / 3)).first())
