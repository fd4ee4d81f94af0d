"""Lines of each task, here and with the peers, by one rule: writes the table into docs/COMPARE.md.

    python3 examples/peers/lines.py [--check]

Counted is every line that is neither blank nor a comment, of a file as rustfmt or black (120 columns) leaves it,
without those that read the data: their import from the file `survey` beside and the call of it.
"""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1]
PAGE = EXAMPLES.parent / "docs" / "COMPARE.md"
BEGIN, END = "<!-- by examples/peers/lines.py -->\n", "<!-- until here -->\n"
COMMENTS = ("#", "//")
READING = ("use super::survey::read;", "let frame = read(&survey)?;", "from survey import")

# The name of a task, what it asks, and the plan of the cookbook that asks it, where no query in Rust does.
TASKS = [
    ("counts_by_category", "counts by category", None),
    ("mean_bounds_unknown", "a mean, bounds found privately", None),
    ("mean_and_variance", "mean and variance, number of rows unknown", None),
    ("quartiles", "median and quartiles", None),
    ("histogram_unknown_keys", "counts of unknown keys", None),
    ("two_columns_listed", "means by two columns, keys listed", None),
    ("two_columns_unknown", "counts by two columns, unknown keys", None),
    ("public_table", "a public table joined", None),
    ("filter", "a filter", None),
    ("regression", "a regression: slope and intercept", None),
    ("cells_and_margin", "cells and their margin", None),
    ("top_three", "the top three, by name", "top_three"),
    ("six_releases_by_weights", "epsilon 2 over six releases, by weights", None),
    ("zcdp_converted", "Gaussian noise, its loss as epsilon and delta", None),
    ("totals_of_individuals", "mean of persons' totals", None),
    ("accuracy", "the accuracy of a count, in 95 of 100 releases", None),
    ("noise_for_accuracy", "the noise for a given accuracy", None),
    ("own_mechanism", "a user-defined transformation and mechanism", None),
    ("stored_and_rebuilt", "a query stored as text, read back and released", None),
    ("parallel_medians", "a median of each part, each with all of epsilon", None),
    ("sparse_vector", "the first of many counts above a threshold", None),
    ("private_gradient_descent", "noisy gradients of random samples", None),
]

# What is done in part: what is missing stands in the page's last table.
IN_PART = {"peers/tumult/zcdp_converted.py", "peers/tumult/own_mechanism.py"}


def lines(path):
    """How many lines of a file count."""
    kept = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return sum(1 for line in kept if line and not line.startswith(COMMENTS) and not line.startswith(READING))


def cell(file):
    """A number with a link, if there is such a file."""
    path = EXAMPLES / file
    part = "in part " if file in IN_PART else ""
    return f"{part}[{lines(path)}](../examples/{file})" if path.exists() else "none"


def table():
    """All tasks, one a line, and the sums over those that each has a program for."""
    yield "| task | here | | OpenDP | Tumult |\n|---|---:|---|---:|---:|\n"
    together = []
    for name, question, plan in TASKS:
        own = f"cookbook/{plan}.toml" if plan else f"peers/indistinct/{name}.rs"
        files = [own, f"peers/opendp/{name}.py", f"peers/tumult/{name}.py"]
        here, *peers = map(cell, files)
        yield "| " + " | ".join([question, here, "plan" if plan else "Rust", *peers]) + " |\n"
        if "none" not in peers and IN_PART.isdisjoint(files):
            together.append([lines(EXAMPLES / file) for file in files])
    here, opendp, tumult = map(sum, zip(*together))
    yield f"| the {len(together)} that all three have, together | {here} | | {opendp} | {tumult} |\n"


def main():
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    written = before + BEGIN + "".join(table()) + END + after
    if "--check" in sys.argv and written != text:
        sys.exit("docs/COMPARE.md is stale: python3 examples/peers/lines.py")
    PAGE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
