# Epsilon 2 over six releases, by weights.
from survey import survey
from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(2), "survey", survey, protected_change=AddRowsWithID("person_id"))
rows = QueryBuilder("survey").enforce(MaxRowsPerID(1))
bounds = {"md_visits": 40, "admissions": 4, "family_size": 10, "education": 25, "mental_health": 100}
queries = [*[rows.sum(column, 0, upper) for column, upper in bounds.items()], rows.count()]
for query, weight in zip(queries, [1, 1, 2, 1, 1, 4]):
    session.evaluate(query, PureDPBudget(2 * weight / 10)).show()
