"""A ledger, and stays of patients: a CSV file, and the same rows as a table of pyarrow."""

import pyarrow
import pytest

from indistinct import Epsilon, Ledger, Session

COLUMNS = {"patient": "text", "region": "text(missing)", "days": "float(0..=30, missing)"}
# In cells alone: nothing that is shown may hold one.
CANARIES = ["canary-of-a-patient", "canary-of-a-region", "29.0625"]
ROWS = 4000


def rows():
    regions = ["north", "south"]
    table = [{"patient": f"p{n}", "region": regions[n % 2], "days": [2.0, 9.0][n % 2]} for n in range(ROWS)]
    return [*table, {"patient": CANARIES[0], "region": CANARIES[1], "days": 29.0625}]


@pytest.fixture
def ledger(tmp_path):
    return Ledger.create(tmp_path / "survey.ledger", "survey", Epsilon(4.0))


@pytest.fixture
def arrow():
    return pyarrow.Table.from_pylist(rows())


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "stays.csv"
    lines = [f"{row['patient']};{row['region']};{str(row['days']).replace('.', ',')}" for row in rows()]
    path.write_text("\n".join(["patient;region;days", *lines, ";north;NA", "p1;NA;"]) + "\n")
    return path


@pytest.fixture
def session(ledger, arrow):
    return Session(ledger, "survey").add_table(
        "stays", columns=COLUMNS, data=arrow, individuals="patient", drop_null=["patient"]
    )
