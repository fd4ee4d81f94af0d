# Visits to a doctor by age: slope and intercept, one row of each person.
from survey import survey
from tmlt.analytics import AddRowsWithID, ColumnType, MaxRowsPerID, PureDPBudget, QueryBuilder, Session


def products(row):
    x, y = min(max(row["age"] / 65, 0.0), 1.0), min(row["md_visits"] / 40, 1.0)
    return {"x": x, "y": y, "xx": x * x, "xy": x * y}


session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
columns = {name: ColumnType.DECIMAL for name in ["x", "y", "xx", "xy"]}
rows = QueryBuilder("survey").map(products, columns, augment=True).enforce(MaxRowsPerID(1))
queries = [rows.count(), *[rows.sum(column, 0, 1) for column in columns]]
n, x, y, xx, xy = [session.evaluate(query, PureDPBudget(0.2)).first()[0] for query in queries]
slope = (xy - x * y / n) / (xx - x * x / n)
print(f"{40 * slope / 65} a year of age, {40 * (y - slope * x) / n} at birth")
