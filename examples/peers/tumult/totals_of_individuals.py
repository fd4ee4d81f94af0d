# Mean of all that a person spent, over all of that person's years, up to 10,000 dollars.
from survey import survey
from tmlt.analytics import AddRowsWithID, ColumnType, MaxRowsPerID, PureDPBudget, QueryBuilder, Session


def total(rows):
    return [{"total": sum(row["medical_spend"] for row in rows)}]


session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
totals = QueryBuilder("survey").flat_map_by_id(total, {"total": ColumnType.DECIMAL}).enforce(MaxRowsPerID(1))
session.evaluate(totals.average("total", 0, 10_000), PureDPBudget(1)).show()
