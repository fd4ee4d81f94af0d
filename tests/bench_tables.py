"""Private releases of ten million rows beside polars and opendp, in one run: least time, and the greatest memory of a process.

Run by `make bench-peers`. Arguments: our program, and where the rows may be written. With two more, a library and a
question, one measurement is printed: least milliseconds and greatest MiB.
"""

import math
import subprocess
import sys
import time

from measured import record

ROWS = 10_000_000
RUNS = 3
# Ours and polars take turns so many times, for other programs may run on the machine.
ROUNDS = 3
QUESTIONS = {
    "filter-clamp-sum": "filter, clamp, sum",
    "ten-sums": "sums of ten categories",
    "means-by-two": "means by two columns",
    "million-keys": "counts of 10^6 keys",
    "expression": "rows where x y + 3 > 1000",
}


def write(path):
    """Integers `id` (below 10^6, small ones more often), `key` (of ten) and `other` (of seven); floats `x` and `y`."""
    import numpy
    import polars

    random = numpy.random.default_rng(20261123)
    frame = polars.DataFrame({
        "id": (random.random(ROWS) ** 2 * 1e6).astype(numpy.int64),
        "key": random.integers(0, 10, ROWS),
        "other": random.integers(0, 7, ROWS),
        "x": random.uniform(-100.0, 900.0, ROWS),
        "y": random.uniform(-1.0, 9.0, ROWS),
    })
    frame.write_ipc(path, compression="uncompressed")


def of_polars(frame, question):
    """The plain aggregate, without privacy."""
    import polars

    column, x = polars.col, polars.col("x").clip(0.0, 500.0)
    return {
        "filter-clamp-sum": lambda: frame.lazy().filter(column("key") == 3).select(x.sum()).collect(),
        "ten-sums": lambda: frame.lazy().group_by("key").agg(x.sum()).collect(),
        "means-by-two": lambda: frame.lazy().group_by("key", "other").agg(x.mean()).collect(),
        "million-keys": lambda: frame.lazy().group_by("id").agg(polars.len()).collect(),
        "expression": lambda: frame.lazy().filter(column("x") * column("y") + 3.0 > 1000.0).select(polars.len()).collect(),
    }[question]


def of_opendp(path, question):
    """The private release of the same guarantee: epsilon 1 for one row, and of unknown keys delta 1e-7."""
    import opendp.prelude as dp
    import polars

    dp.enable_features("contrib")
    column = polars.col
    bounds = (0.0, 500.0)
    by = {"ten-sums": ["key"], "means-by-two": ["key", "other"]}.get(question)
    unknown = {"delta": 1e-7} if question == "million-keys" else {}
    margins = [dp.polars.Margin(by=[], max_length=ROWS)]
    if by:
        groups = 10 if by == ["key"] else 70
        margins.append(dp.polars.Margin(by=by, max_length=ROWS, max_groups=groups, invariant="keys"))
    if question == "million-keys":
        margins.append(dp.polars.Margin(by=["id"], max_length=ROWS))

    def release():
        context = dp.Context.compositor(
            # As its users have rows: a frame in memory would be handed over at a cost that is not its own.
            data=polars.scan_ipc(path),
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=1.0, **unknown),
            split_evenly_over=1,
            margins=margins,
        )
        query, x = context.query(), column("x").fill_null(0.0).fill_nan(0.0)
        made = {
            "filter-clamp-sum": lambda: query.filter(column("key") == 3).select(x.dp.sum(bounds)),
            "ten-sums": lambda: query.group_by("key").agg(x.dp.sum(bounds)),
            "means-by-two": lambda: query.group_by("key", "other").agg(x.dp.mean(bounds)),
            "million-keys": lambda: query.group_by("id").agg(dp.len()),
            "expression": lambda: query.filter(column("x") * column("y") + 3.0 > 1000.0).select(dp.len()),
        }[question]()
        return made.release().collect()

    return release


def memory():
    """The greatest memory of this process so far, in MiB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:"))


def measure(library, question, path):
    import polars

    frame = None if library == "opendp" else polars.read_ipc(path, memory_map=False)
    release = of_opendp(path, question) if library == "opendp" else of_polars(frame, question)
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        release()
        times.append((time.perf_counter() - start) * 1e3)
    print(f"{min(times):.1f}\t{memory()}")


def asked(arguments):
    """The numbers that a process prints; nothing, and why, where it fails."""
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        print(" ".join(arguments), done.stderr[-2000:], file=sys.stderr)
        return [math.nan] * 2
    return [float(number) for number in done.stdout.split()]


def main():
    program, path = sys.argv[1:3]
    if len(sys.argv) > 3:
        return measure(sys.argv[3], sys.argv[4], path)
    write(path)
    print("| what | ours, ms | polars, ms | opendp, ms | ours, MiB | polars, MiB | opendp, MiB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    times = {}
    for question, name in QUESTIONS.items():
        ask = {
            "ours": [program, question, path, "--runs", str(RUNS)],
            "polars": [sys.executable, __file__, program, path, "polars", question],
            "opendp": [sys.executable, __file__, program, path, "opendp", question],
        }
        found = {library: [] for library in ask}
        for round_ in range(ROUNDS):
            for library, arguments in ask.items():
                if library != "opendp" or round_ == 0:
                    found[library].append(asked(arguments))
        rows = [(min(least for least, _ in rows), max(most for _, most in rows)) for rows in found.values()]
        cells = [f"{row[0]:,.0f}" for row in rows] + [f"{row[1]:,.0f}" for row in rows]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
        times[question] = {library: round(row[0]) for library, row in zip(found, rows) if not math.isnan(row[0])}
    record("tables", "make bench-peers", times)


if __name__ == "__main__":
    main()
