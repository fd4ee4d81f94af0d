# Person-years by region, which a public table of sites says.
from survey import spark, survey
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

session = Session.from_dataframe(PureDPBudget(1), "survey", survey, protected_change=AddRowsWithID("person_id"))
sites = [(1, "midwest"), (2, "west"), (3, "east"), (4, "east"), (5, "south"), (6, "south")]
regions = spark.createDataFrame(sites, "site int, region string")
keys = KeySet.from_dict({"region": ["east", "midwest", "south", "west"]})
query = QueryBuilder("survey").join_public(regions).enforce(MaxRowsPerID(5)).groupby(keys).count()
session.evaluate(query, PureDPBudget(1)).show()
