"""100 questions about trainings and releases through the Python package, beside dp-accounting, PLD-accounting and opake-accounting.

Run by `make bench-training`, which installs the wheel and the peers. Prints a table, and the greatest shortfall of each peer
below our lower bound with the question that reproduces it. `calibrate` among the arguments times one calibration alone.
"""

import functools
import importlib.util
import math
import pathlib
import random
import signal
import statistics
import sys
import time

from dp_accounting.pld import privacy_loss_distribution as pld
from indistinct.accounting import PrivacyLoss, calibrate_sigma

ADD = dict(neighbors="add_remove")
# A peer's answer that takes longer counts as none.
SECONDS = 120


def questions():
    """Kinds and parameters, the same at each run; epsilon of all but the releases is from 0.01 to 30."""
    source = random.Random(2026)
    between = lambda low, high: math.exp(source.uniform(math.log(low), math.log(high)))
    found = []
    while len(found) < 80:
        sigma, rate = round(between(0.5, 8.0), 3), float(f"{between(1e-4, 0.1):.3g}")
        steps, delta = round(between(100, 100_000)), float(f"{between(1e-12, 1e-5):.2g}")
        epsilon = ours("sampled", sigma, rate, steps).epsilon(delta)
        if 0.01 < epsilon.lower < 30:
            found.append(("sampled", sigma, rate, steps, delta))
    for kind in ["gaussian", "laplace"]:
        for _ in range(10):
            times = round(between(2, 1000))
            found.append((kind, round(between(1, 5) * times**0.5, 2), 1.0, times, float(f"{between(1e-12, 1e-5):.2g}")))
    return found


def ours(kind, noise, rate, times):
    if kind == "laplace":
        return PrivacyLoss.laplace(noise, **ADD) * times
    one = PrivacyLoss.gaussian(noise, **ADD)
    return (one.on_poisson_sample(rate) if kind == "sampled" else one) * times


def dp_accounting(kind, noise, rate, times, delta):
    make = pld.from_laplace_mechanism if kind == "laplace" else pld.from_gaussian_mechanism
    return make(noise, sampling_prob=rate).self_compose(times).get_epsilon_for_delta(delta)


def pld_accounting(kind, noise, rate, times, delta):
    if kind != "sampled":
        return None
    from PLD_accounting import subsample_pld

    one = subsample_pld(pld=pld.from_gaussian_mechanism(noise), sampling_probability=rate)
    return one.self_compose(times).get_epsilon_for_delta(delta)


@functools.cache
def native_opake():
    """Its compiled module alone, because its Python package does not import under all versions of Python."""
    folder = pathlib.Path(importlib.util.find_spec("opake.api.accounting").submodule_search_locations[0])
    [library] = folder.glob("core/opake_accounting*.so")
    spec = importlib.util.spec_from_file_location("opake_accounting", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def opake(kind, noise, rate, times, delta):
    if kind == "laplace":
        return None
    module = native_opake()
    one = module.gaussian_pld(noise, module.DiscretizationConfig())
    return (module.poisson_pld(one, rate) if kind == "sampled" else one).self_compose(times).epsilon_at(delta)


PEERS = {"dp-accounting 0.6.0": dp_accounting, "PLD-accounting 2.0": pld_accounting, "opake-accounting 0.16.1": opake}


def timed(ask):
    """The answer and its milliseconds of processor time; None for the answer if it takes too long."""

    def late(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    start = time.process_time()
    try:
        answer = ask()
    except (TimeoutError, MemoryError, ValueError) as error:
        print(f"no answer: {type(error).__name__} {error}", file=sys.stderr)
        answer = None
    finally:
        signal.alarm(0)
    return answer, (time.process_time() - start) * 1e3


def calibrate():
    """Gaussian noise for the epsilon of google/dpsynth#71, 0.01 at delta 1e-5, over 100 releases."""
    sigma, milliseconds = timed(lambda: calibrate_sigma(rate=1.0, steps=100, epsilon=0.01, delta=1e-5, **ADD))
    print(f"calibration for epsilon 0.01 at delta 1e-5, 100 releases: sigma {sigma:.1f} in {milliseconds:.1f} ms")


def main():
    calibrate()
    if "calibrate" in sys.argv:
        return
    asked = questions()
    answers, times = [], []
    for kind, noise, rate, steps, delta in asked:
        runs = [timed(lambda: ours(kind, noise, rate, steps).epsilon(delta)) for _ in range(3)]
        answers.append(runs[0][0])
        times.append(min(run[1] for run in runs))
    width = [found.upper / found.lower - 1 for found in answers]
    print("| | answers | median ms | greatest ms | median error | greatest error | below our lower bound |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    row = [statistics.median(times), max(times), statistics.median(width), max(width)]
    print(f"| indistinct (width) | {len(answers)} | {row[0]:.2g} | {row[1]:.3g} | {row[2]:.0e} | {row[3]:.0e} | |")
    for name, ask in PEERS.items():
        errors, times, below = [], [], []
        for question, found in zip(asked, answers):
            answer, milliseconds = timed(lambda: ask(*question))
            if answer is None:
                continue
            times.append(milliseconds)
            errors.append(abs(answer / found.upper - 1))
            if answer < found.lower:
                below.append((1 - answer / found.lower, answer, question, found))
        row = [statistics.median(times), max(times), statistics.median(errors), max(errors)]
        print(f"| {name} | {len(errors)} | {row[0]:.3g} | {row[1]:.3g} | {row[2]:.0e} | {row[3]:.0e} | {len(below)} |", flush=True)
        sizes = ", ".join(f"{shortfall:.0e}" for shortfall, *_ in sorted(below))
        for _, answer, question, found in [max(below)] if below else []:
            print(f"{name}: shortfalls {sizes}; the greatest: {question}: {answer!r} is below {found!r}", file=sys.stderr)


if __name__ == "__main__":
    main()
