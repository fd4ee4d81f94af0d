"""Metadata as SmartNoise 1.0 writes them, beside this file.

    pip install smartnoise-sql==1.0.10
    python rust/cli/tests/smartnoise/write.py
"""

import pathlib

from snsql.metadata import Boolean, CollectionYamlLoader, DateTime, Float, Int, Metadata, String, Table

HERE = pathlib.Path(__file__).parent


def stays(**options):
    columns = [
        String("patient", is_key=True),
        String("region", card=2),
        Int("age", lower=0, upper=120, nullable=False),
        Float("days", lower=0.0, upper=30.0),
        Boolean("urgent"),
        DateTime("admitted"),
    ]
    return Table("ward", "stays", columns, rowcount=2000, max_ids=3, **options)


def visits(**options):
    return Table("ward", "visits", [Int("minutes", lower=0, upper=600), String("room")], row_privacy=True, **options)


FILES = {
    "individuals": [stays()],
    "rows": [visits(), Table("ward", "rooms", [String("room", nullable=False)], row_privacy=True)],
    # What means something else here, or cannot be.
    "exact": [visits(rows_exact=100)],
    "unclamped": [visits(clamp_columns=False)],
    "replaced": [Table("ward", "visits", [Int("minutes", nullable=True, missing_value=0)], row_privacy=True)],
    "both": [stays(), visits()],
    "nobody": [Table("ward", "visits", [Int("minutes")])],
}

for name, tables in FILES.items():
    CollectionYamlLoader(str(HERE / f"{name}.yaml")).write_file(Metadata(tables, "postgres"), "hospital")
