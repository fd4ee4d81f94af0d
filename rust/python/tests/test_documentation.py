"""The examples of all docstrings, the notebook of docs/PYTHON.md, and the calculators."""

import doctest
import inspect
import math
import pathlib

import opendp.prelude as dp
import polars as pl

import indistinct
from indistinct import Epsilon, Ledger, Session, accounting, audit, noise


def test_examples():
    finder = doctest.DocTestFinder()
    examples = [example for module in [indistinct, accounting, audit, noise] for example in finder.find(module, module.__name__)]
    for module in [indistinct, accounting, noise]:
        for name in module.__all__:
            thing = getattr(module, name)
            assert thing.__doc__, name
            if inspect.ismodule(thing):
                continue
            examples += finder.find(thing, name, module=False, globs=vars(module).copy())
    runner = doctest.DocTestRunner()
    for example in examples:
        runner.run(example)
    assert runner.tries > 15 and runner.failures == 0


def test_calculators():
    assert 5.1 < accounting.rho_to_epsilon(0.5, 1e-6) < 5.8
    assert accounting.gaussian_sigma(1.0, 1e-6) < accounting.gaussian_sigma(1.0, 1e-6, sensitivity=2.0)
    assert accounting.accuracy("laplace", 2.0) >= 2.0 * math.log(20)
    assert accounting.accuracy("discrete gaussian", 10.0, alpha=0.01) > accounting.accuracy("gaussian", 1.0)
    for refused in [lambda: accounting.accuracy("cauchy", 1.0), lambda: accounting.rho_to_epsilon(-1.0, 0.5)]:
        try:
            refused()
        except indistinct.QuestionError:
            continue
        raise AssertionError("not refused")


def test_draws_refute_what_is_too_little_and_nothing_else():
    truthful = [run // 2 % 4 != 0 for run in range(40_000)]
    lies = [not outcome for outcome in truthful]
    least = audit.empirical_lower_bounds(truthful, lies, epsilon=0.5)
    assert 0.95 < least.epsilon < math.log(3) and 0.25 < least.delta < 0.75 - math.exp(0.5) / 4
    assert 0 < least.rho < math.log(3) and 0 < least.mu < 1.35 and "epsilon=0.9" in repr(least)
    # Texts, lists with floats, None and arrays tell the same.
    arrays = [pl.Series([outcome, False]).to_numpy() for outcome in truthful], [(outcome, False) for outcome in lies]
    nested = [[[str(outcome), math.inf, None]] for outcome in truthful], [[(str(outcome), math.inf, None)] for outcome in lies]
    for first, second in [arrays, nested]:
        assert audit.empirical_lower_bounds(first, second).epsilon > 0.9
    assert audit.empirical_lower_bounds([10**40, 1], [1, 10**40]).epsilon == 0.0
    itself: list = []
    itself.append(itself)
    for refused in [
        lambda: audit.empirical_lower_bounds([1], [1, 2]),
        lambda: audit.empirical_lower_bounds(lies, lies, confidence=1.0),
        lambda: audit.empirical_lower_bounds(lies, lies, delta=math.nan),
        lambda: audit.empirical_lower_bounds([itself, itself], lies),
        lambda: audit.empirical_lower_bounds([object(), 1], lies),
    ]:
        try:
            refused()
        except indistinct.QuestionError:
            continue
        raise AssertionError("not refused")


SURVEY = pathlib.Path(__file__).parents[3] / "examples" / "data" / "rand_hie.csv"


def test_the_notebook_of_an_opendp_user(tmp_path):
    """What docs/PYTHON.md has in its right column: the truth is 20190 person-years, none a person's sixth."""
    ledger = Ledger.create(tmp_path / "survey.ledger", "survey", Epsilon(1.0))
    session = Session(ledger, "survey").add_table(
        "survey",
        data=SURVEY,
        columns={"person_id": "integer", "coinsurance": "integer(missing)"},
        individuals="person_id",
        drop_null=["person_id"],
    )
    levels = [0, 25, 50, 95, 100]
    query = session.query("survey").max_rows_per_individual(5)
    query = query.group_by(coinsurance=levels).count()
    priced = query.price(spend=Epsilon(1.0), alpha=0.05)
    found = session.release(priced, "levels").to_polars()
    assert found["coinsurance"].to_list() == levels and abs(found["count"].sum() - 20190) < 1000
    # The same noise: integers, of scale 5.
    assert "within 15" in priced.accuracy["count"]


def test_the_same_notebook_in_opendp():
    """What docs/PYTHON.md has in its left column."""
    dp.enable_features("contrib")
    context = dp.Context.compositor(
        data=pl.scan_csv(SURVEY),
        privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=1,
    )
    levels = pl.LazyFrame({"coinsurance": [0, 25, 50, 95, 100]})
    query = context.query().truncate_per_group(5)
    query = query.group_by("coinsurance").agg(dp.len(signed=True)).with_keys(levels)
    summary = query.summarize(alpha=0.05)
    assert summary["scale"].to_list() == [5.0] and 15 < summary["accuracy"][0] < 16
    found = query.release().collect()
    assert sorted(found["coinsurance"].to_list()) == [0, 25, 50, 95, 100] and abs(found["len"].sum() - 20190) < 1000
