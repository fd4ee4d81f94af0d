"""Releases from files by engines of ours beside the plain aggregates of polars and DuckDB, in one run.

Seconds, and the greatest memory of a process. Run by `make engines`. Arguments: our program, a directory for the files,
the numbers of rows. With three more, a library, a question and a file, that library is asked alone.
"""

import os
import subprocess
import sys
import time

QUESTIONS = {
    "rows": "sums by ten keys",
    "individuals": "mean by ten keys of one row of each individual",
}
OURS = ["native", "datafusion"]
OTHERS = ["polars", "duckdb"]
ROWS_OF_AN_INDIVIDUAL = 10


def of_polars(question, path):
    """The plain aggregate, in floats and without privacy."""
    import polars

    scan = polars.scan_parquet if path.endswith(".parquet") else polars.scan_csv
    x = polars.col("x").clip(0.0, 1000.0)
    frame = scan(path)
    if question == "individuals":
        # Any row of each individual; which one ours takes, a hash decides.
        frame = frame.unique("id", keep="any").group_by("key").agg(x.mean())
    else:
        frame = frame.group_by("key").agg(x.sum())
    return lambda: frame.collect(engine="streaming")


def of_duckdb(question, path):
    """The same."""
    import duckdb

    x = "least(greatest(x, 0.0), 1000.0)"
    if question == "individuals":
        asked = f"SELECT key, avg({x}) FROM (SELECT any_value(key) AS key, any_value(x) AS x FROM '{path}' GROUP BY id) GROUP BY key"
    else:
        asked = f"SELECT key, sum({x}) FROM '{path}' GROUP BY key"
    connection = duckdb.connect()
    return lambda: connection.execute(asked).fetchall()


def of_other(library, question, path):
    ask = {"polars": of_polars, "duckdb": of_duckdb}[library](question, path)
    start = time.perf_counter()
    ask()
    seconds = time.perf_counter() - start
    with open("/proc/self/status") as status:
        memory = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:"))
    print(f"{seconds:.2f}\t{memory}")


def as_parquet(path):
    import polars

    polars.scan_csv(path).sink_parquet(path.replace(".csv", ".parquet"), compression="snappy", row_group_size=1 << 18)


def asked(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        print(" ".join(arguments), done.stderr[-2000:], file=sys.stderr)
        return float("nan"), float("nan")
    return tuple(float(number) for number in done.stdout.split()[:2])


def main():
    program, directory = sys.argv[1:3]
    if sys.argv[3] in OTHERS:
        return of_other(*sys.argv[3:6])
    os.makedirs(directory, exist_ok=True)
    names = [*OURS, *OTHERS]
    print(f"| rows | file | what | {' | '.join(f'{name}, rows/s' for name in names)} | {' | '.join(f'{name}, MiB' for name in names)} |")
    print(f"|---:|---|---|{'---:|' * 2 * len(names)}")
    for rows in map(int, sys.argv[3:]):
        csv = os.path.join(directory, f"rows-{rows}.csv")
        subprocess.run([program, "write", csv, str(rows), str(rows // ROWS_OF_AN_INDIVIDUAL)], check=True)
        as_parquet(csv)
        for path in (csv, csv.replace(".csv", ".parquet")):
            size = f"{path.rsplit('.')[-1]}, {os.path.getsize(path) / 2**30:.2f} GiB"
            for question, name in QUESTIONS.items():
                measured = [asked([program, "release", question, engine, path, "--directory", directory]) for engine in OURS]
                measured += [asked([sys.executable, __file__, program, directory, other, question, path]) for other in OTHERS]
                speeds = [f"{rows / seconds:,.0f}" for seconds, _ in measured]
                memory = [f"{mebibytes:,.0f}" for _, mebibytes in measured]
                print(f"| {rows:,} | {size} | {name} | {' | '.join(speeds + memory)} |", flush=True)
            os.remove(path)


if __name__ == "__main__":
    main()
