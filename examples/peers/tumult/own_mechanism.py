# A transformation of one's own, visits beyond ten; a mechanism of one's own is not offered.
from survey import survey
from tmlt.analytics import AddRowsWithID, ColumnType, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
beyond_ten = QueryBuilder("survey").map(
    lambda row: {"beyond": max(row["md_visits"] - 10, 0)}, {"beyond": ColumnType.INTEGER}, augment=True
)
session.evaluate(beyond_ten.enforce(MaxRowsPerID(5)).sum("beyond", 0, 30), PureDPBudget(1)).show()
