"""The health survey, as polars reads it."""

from pathlib import Path

import polars as pl

survey = pl.scan_csv(Path(__file__).parents[2] / "data" / "rand_hie.csv", infer_schema_length=None)
