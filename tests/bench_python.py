"""A release from a CSV file through Python beside the same by the program, which is Rust alone, in one run.

Run by `make bench-python`. Arguments: the program, a folder for files, the number of rows.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import pyarrow.csv

from indistinct import Epsilon, Ledger, Session

REGIONS = [f"r{number}" for number in range(10)]
LISTED = ", ".join(f"'{region}'" for region in REGIONS)
SQL = f"SELECT region, COUNT(*) AS n, AVG(CLAMP(days, 0, 30)) AS days FROM stays WHERE region IN ({LISTED}) GROUP BY region"
COLUMNS = {"patient": "integer", "region": "text", "days": "float(0..=30)"}
SCHEMA = """unit = "1 individual added or removed"

[tables.stays]
individuals = "patient"

[tables.stays.columns]
patient = "integer"
region = "text"
days = "float(0..=30)"

[tables.stays.csv]
drop_null = ["patient"]
fill_null = { region = "", days = 0.0 }
"""
RUNS = 5


def write(path, rows):
    """Ten rows of each individual, if they are not there yet."""
    if os.path.exists(path):
        return
    draw = random.Random(1)
    with open(path + ".part", "w") as file:
        file.write("patient,region,days\n")
        for _ in range(rows):
            file.write(f"{draw.randrange(rows // 10)},{draw.choice(REGIONS)},{30 * draw.random():.3f}\n")
    os.rename(path + ".part", path)


def through_python(rows):
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.create(f"{folder}/budget.ledger", "bench", Epsilon(1.0))
        start = time.perf_counter()
        filled = {"region": "", "days": 0.0}
        session = Session(ledger, "bench").add_table(
            "stays", COLUMNS, rows, individuals="patient", drop_null=["patient"], fill_null=filled
        )
        session.release(session.price_sql(SQL, spend=Epsilon(0.5)), "bench")
        return time.perf_counter() - start


def by_the_program(program, path):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/schema.toml", "w") as file:
            file.write(SCHEMA)
        run = lambda *arguments: subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True)
        run("budget", "open", "bench", "--budget", "epsilon=1")
        start = time.perf_counter()
        run("release", SQL, "--spend", "epsilon=0.5", "--data", path, "--name", "bench", "--yes")
        return time.perf_counter() - start


def main(program, folder, rows):
    os.makedirs(folder, exist_ok=True)
    path = os.path.abspath(f"{folder}/{rows}.csv")
    write(path, int(rows))
    table = pyarrow.csv.read_csv(path)
    ways = {
        "the program, from CSV": lambda: by_the_program(os.path.abspath(program), path),
        "Python, from CSV": lambda: through_python(path),
        "Python, from a table of pyarrow": lambda: through_python(table),
    }
    times = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, way in ways.items():
            times[name].append(way())
    first = statistics.median(times["the program, from CSV"])
    print("| rows | way | s, median | over the program's | least | greatest |\n|---:|---|---:|---:|---:|---:|")
    for name, each in times.items():
        median = statistics.median(each)
        print(f"| {int(rows):,} | {name} | {median:.2f} | {median / first:.2f} | {min(each):.2f} | {max(each):.2f} |")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
