"""Writes the files beside it, as polars, pyarrow, pandas, DuckDB and Spark write them by default: the same rows by each.

    python -m venv tools && tools/bin/pip install polars==2.1.0 pyarrow==26.0.1 pandas==3.1.1 duckdb==2.0.1 pyspark==4.0.0
    tools/bin/python write.py

Spark needs Java 17. The tests compare what is read with the rows below; nothing else depends on these files.
"""

import datetime as dt
import glob
import os
import shutil
import sys
from decimal import Decimal
from zoneinfo import ZoneInfo

HERE = os.path.dirname(os.path.abspath(__file__))
VIENNA = ZoneInfo("Europe/Vienna")
ROWS = {
    "n": [1, None, -3],
    "small": [7, 8, None],
    "wide": [3, 2**63, 2**64 - 1],
    "x": [0.5, None, -2.25],
    "f": [0.25, 1.5, None],
    "b": [True, None, False],
    "t": ["Bern", "", None],
    "c": ["north", "south", None],
    "day": [dt.date(2026, 11, 28), None, dt.date(1969, 12, 31)],
    "at": [dt.datetime(2026, 11, 28, 6, 17, 45, 250000), None, dt.datetime(1969, 12, 31, 23, 59, 59)],
    "zoned": [dt.datetime(2026, 7, 1, 12, 0, tzinfo=VIENNA), dt.datetime(2026, 1, 1, 12, 0, tzinfo=VIENNA), None],
    "cost": [Decimal("1.10"), Decimal("2.20"), Decimal("12345678901234.56")],
    "whole": [Decimal("17.00"), Decimal("17.50"), None],
    # No declaration reads these.
    "clock": [dt.time(6, 17), None, dt.time(23, 59)],
    "list": [[1, 2], None, [3]],
}


def path(name):
    return os.path.join(HERE, name)


def of_polars():
    import polars as pl

    types = {"n": pl.Int64, "small": pl.Int8, "wide": pl.UInt64, "x": pl.Float64, "f": pl.Float32, "b": pl.Boolean,
             "t": pl.String, "c": pl.Categorical, "day": pl.Date, "at": pl.Datetime("us"),
             "zoned": pl.Datetime("us", "Europe/Vienna"), "cost": pl.Decimal(18, 2), "whole": pl.Decimal(18, 2),
             "clock": pl.Time, "list": pl.List(pl.Int64)}
    frame = pl.DataFrame(ROWS, schema=types)
    frame.write_parquet(path("polars.parquet"))
    frame.write_ipc(path("polars.arrow"))


def table():
    import pyarrow as pa

    types = {"n": pa.int64(), "small": pa.int8(), "wide": pa.uint64(), "x": pa.float64(), "f": pa.float32(),
             "b": pa.bool_(), "t": pa.large_string(), "c": pa.dictionary(pa.int8(), pa.string()), "day": pa.date32(),
             "at": pa.timestamp("ns"), "zoned": pa.timestamp("ms", tz="Europe/Vienna"), "cost": pa.decimal128(18, 2),
             "whole": pa.decimal256(40, 2), "clock": pa.time64("us"), "list": pa.list_(pa.int64())}
    columns = {name: pa.array(values, types[name]) for name, values in ROWS.items() if name != "c"}
    columns["c"] = pa.array(ROWS["c"], pa.string()).dictionary_encode().cast(types["c"])
    return pa.table({name: columns[name] for name in ROWS})


def of_pyarrow():
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

    rows = table()
    pq.write_table(rows, path("pyarrow.parquet"))
    with pa.ipc.new_file(path("pyarrow.arrow"), rows.schema) as writer:
        writer.write(rows)
    # One file for each codec.
    few = rows.select(["n", "t"])
    for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
        pq.write_table(few, path(f"{codec}.parquet"), compression=codec)
    for codec in ["lz4", "zstd"]:
        options = pa.ipc.IpcWriteOptions(compression=codec)
        with pa.ipc.new_file(path(f"{codec}.arrow"), few.schema, options=options) as writer:
            writer.write(few)


def of_pandas():
    import pandas as pd

    frame = pd.DataFrame({
        # With a missing cell, whole numbers are floats.
        "n": pd.Series(ROWS["n"]),
        "small": pd.array(ROWS["small"], "Int8"),
        "wide": pd.Series(ROWS["wide"], dtype="uint64"),
        "x": pd.Series(ROWS["x"]),
        "f": pd.Series(ROWS["f"], dtype="float32"),
        "b": pd.Series(ROWS["b"], dtype="object"),
        "t": pd.Series(ROWS["t"]),
        "c": pd.Series(ROWS["c"], dtype="category"),
        "day": pd.Series(ROWS["day"], dtype="object"),
        "at": pd.to_datetime(pd.Series(ROWS["at"])),
        "zoned": pd.to_datetime(pd.Series(ROWS["zoned"]), utc=True).dt.tz_convert("Europe/Vienna"),
        "cost": pd.Series(ROWS["cost"], dtype="object"),
        "whole": pd.Series(ROWS["whole"], dtype="object"),
        "clock": pd.Series(ROWS["clock"], dtype="object"),
        "list": pd.Series(ROWS["list"], dtype="object"),
        # A column without a value has no type, and a day that pandas parses is a time.
        "nothing": pd.Series([None, None, None], dtype="object"),
        "midnight": pd.to_datetime(pd.Series(["2026-11-28", None, "1969-12-31"])),
    })
    frame.to_parquet(path("pandas.parquet"))
    frame.to_feather(path("pandas.arrow"))


def of_duckdb():
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'Europe/Vienna'")
    connection.register("given", table().drop(["c", "zoned", "whole"]))
    connection.execute("CREATE TYPE side AS ENUM ('north', 'south')")
    connection.execute("""
        COPY (
            SELECT n, small, wide, x, f, b, t,
                   ['north', 'south', NULL][row_number() OVER ()]::side AS c, day, "at"::TIMESTAMP AS "at",
                   ['2026-07-01 12:00:00+02', '2026-01-01 12:00:00+01', NULL][row_number() OVER ()]::TIMESTAMPTZ AS zoned,
                   cost, [17.00, 17.50, NULL][row_number() OVER ()]::DECIMAL(38, 2) AS whole, clock, list
            FROM given
        ) TO '%s' (FORMAT parquet)""" % path("duckdb.parquet"))


def of_spark():
    from pyspark.sql import SparkSession, types as of

    spark = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    fields = {"n": of.LongType(), "small": of.ByteType(), "x": of.DoubleType(), "f": of.FloatType(),
              "b": of.BooleanType(), "t": of.StringType(), "c": of.StringType(), "day": of.DateType(),
              "at": of.TimestampNTZType(), "zoned": of.TimestampType(), "cost": of.DecimalType(18, 2),
              "whole": of.DecimalType(38, 2), "list": of.ArrayType(of.LongType())}
    schema = of.StructType([of.StructField(name, kind) for name, kind in fields.items()])
    rows = list(zip(*(ROWS[name] for name in fields)))
    # Neither the least nor the greatest of such days is within 64 bits of nanoseconds.
    far = "CASE small WHEN 7 THEN timestamp '0001-01-01' WHEN 8 THEN timestamp '9999-12-31' END AS far"
    frame = spark.createDataFrame(rows, schema).selectExpr("*", far)
    frame.coalesce(1).write.mode("overwrite").parquet(path("spark"))
    spark.stop()
    part, = glob.glob(path("spark/*.parquet"))
    shutil.move(part, path("spark.parquet"))
    shutil.rmtree(path("spark"))
    shutil.rmtree("artifacts", ignore_errors=True)


if __name__ == "__main__":
    for write in [of_polars, of_pyarrow, of_pandas, of_duckdb, of_spark]:
        if len(sys.argv) < 2 or sys.argv[1] in write.__name__:
            write()
