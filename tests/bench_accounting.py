"""Our accountant beside dp-accounting, and PLD-accounting for DP-SGD: time, value, and whether that is below the truth, on the same questions in
one run.

Run by `make bench-accounting`. Arguments: our program, which prints a question a line.
"""

import re
import resource
import statistics
import subprocess
import sys
import time
from math import comb

from dp_accounting.pld import common, privacy_loss_distribution as pld
from PLD_accounting import subsample_pld
from measured import record

# The kinds whose times stand on several pages.
KEPT = {"DP-SGD, epsilon at delta 1e-5 to 1e-14": "dp_sgd_ms"}


def dual(kind, name):
    """PLD-accounting's answer to a question of DP-SGD as a function, or None."""
    if not (kind.startswith("DP-SGD, epsilon") and "10000 steps" in name):
        return None
    rate, sigma, delta = (float(re.search(word + r" ([^,]+)", name).group(1)) for word in ("rate", "sigma", "delta"))
    one = lambda: subsample_pld(pld=pld.from_gaussian_mechanism(sigma), sampling_probability=rate)
    return lambda: one().self_compose(10_000).get_epsilon_for_delta(delta)


def peer(kind, name):
    """dp-accounting's answer to a question as a function, or None where it is not asked."""
    number = lambda word: float(re.search(word, name).group(1))
    if kind.startswith("individuals of several records"):
        records, sigma, steps = int(number(r"(\d+) records")), number(r"sigma (\S+),"), int(number(r"(\d+) steps"))
        weights = [comb(records, k) * 0.01**k * 0.99 ** (records - k) for k in range(records + 1)]
        one = lambda: pld.from_mixture_gaussian_mechanism(sigma, list(range(records + 1)), weights)
        return lambda: one().self_compose(steps).get_epsilon_for_delta(1e-6)
    if kind.startswith("DP-SGD, epsilon") and "10000 steps" in name:
        rate, sigma, delta = number(r"rate (\S+),"), number(r"sigma (\S+),"), number(r"delta (\S+)")
        one = lambda: pld.from_gaussian_mechanism(sigma, sampling_prob=rate)
        return lambda: one().self_compose(10_000).get_epsilon_for_delta(delta)
    if kind == "100 times discrete Gaussian noise":
        sigma, sensitivity = number(r"sigma (\S+),"), int(number(r"sensitivity (\S+)"))
        one = lambda: pld.from_discrete_gaussian_mechanism(sigma, sensitivity)
        return lambda: one().self_compose(100).get_epsilon_for_delta(1e-6)
    if kind == "100 times (1, 1e-8)":
        one = lambda: pld.from_privacy_parameters(common.DifferentialPrivacyParameters(1.0, 1e-8))
        return lambda: one().self_compose(100).get_epsilon_for_delta(1e-5)
    if kind in ("Gaussian noise, exactly", "Laplace noise of one scale", "responses, exactly"):
        count = int(number(r"(\d+) times"))
        root = count**0.5
        one = {
            "Gaussian noise, exactly": lambda: pld.from_gaussian_mechanism(root),
            "Laplace noise of one scale": lambda: pld.from_laplace_mechanism(root / 0.3),
            "responses, exactly": lambda: pld.from_privacy_parameters(common.DifferentialPrivacyParameters(1 / root, 0.0)),
        }[kind]
        return lambda: one().self_compose(count).get_epsilon_for_delta(1e-6)
    return None


def main():
    lines = subprocess.run([sys.argv[1], "--lines"], check=True, capture_output=True, text=True).stdout.splitlines()
    *lines, memory = lines
    rows = {}
    for line in lines:
        milliseconds, lower, upper, kind, name = line.split("\t")
        for accountant, asked in [("dp-accounting", peer), ("PLD-accounting", dual)]:
            ask = asked(kind, name)
            if ask is None:
                continue
            start = time.perf_counter()
            value = ask()
            theirs = (time.perf_counter() - start) * 1e3
            row = rows.setdefault((accountant, kind), [])
            row.append((float(milliseconds), theirs, value < float(lower), value / float(upper) - 1))
            if value < float(lower):
                print(f"{accountant}: {kind}: {name}: {value!r} is below {lower}", file=sys.stderr)
    print("| accountant | what | cases | ours, ms | theirs, ms | times faster | theirs over ours, less 1: median | below the truth |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    numbers = {}
    for (accountant, kind), row in rows.items():
        ours, theirs = statistics.median(r[0] for r in row), statistics.median(r[1] for r in row)
        off = statistics.median(abs(r[3]) for r in row)
        print(f"| {accountant} | {kind} | {len(row)} | {ours:.2g} | {theirs:.3g} | {theirs / ours:,.0f} | {off:.0e} | {sum(r[2] for r in row)} |")
        if kind in KEPT and accountant == "dp-accounting":
            numbers[KEPT[kind]] = {"ours": float(f"{ours:.2g}"), "theirs": float(f"{theirs:.3g}")}
    theirs = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ours = memory.split("\t")[1]
    print(f"\nMost memory of a process, all questions: ours {ours}, theirs {theirs} kB.")
    numbers["memory_mb"] = {"ours": round(int(ours.split()[0]) / 1e3), "theirs": round(theirs / 1e3)}
    record("accounting", "make bench-accounting", numbers)


if __name__ == "__main__":
    main()
