"""Releases from files by the native engine beside polars' plain aggregates, in one run: seconds, and the greatest memory of a process.

Run by `make engines`. Arguments: our program, a directory for the files, the numbers of rows. With two more, a question
and a file, polars is asked alone.
"""

import os
import subprocess
import sys
import time

QUESTIONS = {
    "rows": "sums by ten keys",
    "individuals": "mean by ten keys of one row of each individual",
}
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
    start = time.perf_counter()
    frame.collect(engine="streaming")
    seconds = time.perf_counter() - start
    with open("/proc/self/status") as status:
        memory = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:"))
    print(f"{seconds:.1f}\t{memory}")


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
    if sys.argv[3] in QUESTIONS:
        return of_polars(*sys.argv[3:5])
    os.makedirs(directory, exist_ok=True)
    print("| rows | file | what | ours, s | polars, s | ours, rows/s | polars, rows/s | ours, MiB | polars, MiB |")
    print("|---:|---|---|---:|---:|---:|---:|---:|---:|")
    for rows in map(int, sys.argv[3:]):
        csv = os.path.join(directory, f"rows-{rows}.csv")
        subprocess.run([program, "write", csv, str(rows), str(rows // ROWS_OF_AN_INDIVIDUAL)], check=True)
        as_parquet(csv)
        for path in (csv, csv.replace(".csv", ".parquet")):
            size = f"{path.rsplit('.')[-1]}, {os.path.getsize(path) / 2**30:.2f} GiB"
            for question, name in QUESTIONS.items():
                ours = asked([program, "release", question, path, "--directory", directory])
                polars = asked([sys.executable, __file__, program, directory, question, path])
                speeds = [f"{rows / seconds:,.0f}" for seconds, _ in (ours, polars)]
                cells = [f"{ours[0]:.1f}", f"{polars[0]:.1f}", *speeds, f"{ours[1]:,.0f}", f"{polars[1]:,.0f}"]
                print(f"| {rows:,} | {size} | {name} | {' | '.join(cells)} |", flush=True)
            os.remove(path)


if __name__ == "__main__":
    main()
