"""Private tables, asked over months, within one budget that survives anything.

A question is priced before any data are opened, and then released or not. A release is charged in a ledger before data
are read, and comes with a certificate that others can check without data.

>>> import pathlib, tempfile, indistinct
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> stays = folder / "stays.csv"
>>> rows = [f"{number},{['north', 'south'][number % 2]},{number % 9}" for number in range(4000)]
>>> _ = stays.write_text("\\n".join(["patient,region,days", *rows, ""]))
>>> ledger = indistinct.Ledger.create(folder / "survey.ledger", "survey 2026", indistinct.Epsilon(1.0))
>>> session = indistinct.Session(ledger, "survey 2026").add_table(
...     "stays",
...     columns={"patient": "text", "region": "text(missing)", "days": "float(0..=30, missing)"},
...     data=stays,
...     individuals="patient",
...     drop_null=["patient"],
... )
>>> sql = "SELECT region, COUNT(*) AS n FROM stays WHERE region IN ('north', 'south') GROUP BY region"
>>> priced = session.price_sql(sql, spend=indistinct.Epsilon(0.5))
>>> priced.cost, priced.affordable
(Epsilon(0.5), True)
>>> release = session.release(priced, "2026-Q3/stays by region")
>>> [row["region"] for row in release.table]
['north', 'south']
>>> release.certificate.verify(release.released)
>>> session.budget().remaining
Epsilon(0.5)
"""

from . import accounting, audit, noise
from ._native import (
    Budget,
    BudgetError,
    Certificate,
    CertificateError,
    DataError,
    Epsilon,
    EpsilonDelta,
    IndistinctError,
    Ledger,
    LedgerError,
    Loss,
    LostRelease,
    NameConflict,
    PricedQuery,
    Query,
    QuestionError,
    Release,
    Rest,
    Rho,
    Session,
    inspect_private,
)

__all__ = [
    "Budget",
    "BudgetError",
    "Certificate",
    "CertificateError",
    "DataError",
    "Epsilon",
    "EpsilonDelta",
    "IndistinctError",
    "Ledger",
    "LedgerError",
    "Loss",
    "LostRelease",
    "NameConflict",
    "PricedQuery",
    "Query",
    "QuestionError",
    "Release",
    "Rest",
    "Rho",
    "Session",
    "accounting",
    "audit",
    "inspect_private",
    "noise",
]
