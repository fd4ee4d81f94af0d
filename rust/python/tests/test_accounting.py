"""Privacy losses of trainings: bounds, neighbors, conversions of other accountants' records, and noise in bulk."""

import math
import threading
import time
from typing import NamedTuple

import numpy
import pytest

import indistinct
from indistinct import QuestionError, Rho, accounting, noise
from indistinct.accounting import PrivacyLoss, calibrate_rate, calibrate_sigma, calibrate_steps

ADD = dict(neighbors="add_remove")
REPLACE = dict(neighbors="replace")


def dp_sgd(sigma, rate, steps):
    return PrivacyLoss.gaussian(sigma, **ADD).on_poisson_sample(rate) * steps


def test_bounds_print_as_one_number_rounded_up():
    epsilon = dp_sgd(1.1, 256 / 60_000, 14_062).epsilon(1e-5)
    # docs/ACCOUNTING.md: 2.381596921.
    assert 2.38159692 < epsilon.lower <= epsilon.upper < 2.38159693
    assert str(epsilon) == "2.39" and f"{epsilon}" == "2.39" and float(epsilon) == epsilon.upper
    assert repr(epsilon) == f"Bounds(lower={epsilon.lower!r}, upper={epsilon.upper!r})"
    assert epsilon == dp_sgd(1.1, 256 / 60_000, 14_062).epsilon(1e-5) and len({epsilon, epsilon}) == 1
    with pytest.raises(QuestionError, match="^delta must be above the probability of an infinite loss"):
        PrivacyLoss.approximate(0.0, 1.0, **ADD).epsilon(1e-5)


def test_losses_are_those_of_the_mechanisms():
    closed = math.log1p(0.1 * math.expm1(1.0))
    assert PrivacyLoss.pure(1.0, **ADD).on_poisson_sample(0.1).epsilon(1e-12).upper == pytest.approx(closed, rel=1e-6)
    assert PrivacyLoss.gaussian(1.0, **REPLACE).advantage().upper == pytest.approx(math.erf(0.5 / 2**0.5), rel=1e-12)
    assert PrivacyLoss.laplace(2.0, **ADD).delta(0.0).upper == pytest.approx(1 - math.exp(-0.25), rel=1e-12)
    assert PrivacyLoss.approximate(1.0, 1e-3, **ADD).delta(1.0).upper == pytest.approx(1e-3, rel=1e-12)
    assert PrivacyLoss.gaussian(2.0, **ADD).rho() == 0.125 and PrivacyLoss.gaussian(2.0, **ADD).renyi([2, 4]) == [0.25, 0.5]
    assert PrivacyLoss.discrete_gaussian(50.0, 5, **ADD).epsilon(1e-6).upper == pytest.approx(
        PrivacyLoss.gaussian(10.0, **ADD).epsilon(1e-6).upper, rel=1e-2
    )
    assert PrivacyLoss.discrete_laplace(5.0, 2, **ADD).delta(0.4).upper < 1e-15
    exponential, pure = PrivacyLoss.exponential_mechanism(1.0, **ADD), PrivacyLoss.pure(1.0, **ADD)
    assert (exponential * 50).epsilon(1e-6).upper < (pure * 50).epsilon(1e-6).lower
    # The number of responses shows an added individual: the neighbors cannot be another kind.
    assert PrivacyLoss.randomized_response(1.0) == PrivacyLoss.pure(1.0, **REPLACE) != PrivacyLoss.randomized_response(1.0, 5)
    with pytest.raises(QuestionError, match="^neighbors must be"):
        PrivacyLoss.randomized_response(1.0).on_poisson_sample(0.01)
    [missed] = PrivacyLoss.gaussian(1.0, **ADD).tradeoff([0.05])
    assert 0.7404 < missed < 0.74051
    # The share of a sample is rounded up: the nearest float to a third is below it.
    third = PrivacyLoss.gaussian(2.0, **REPLACE).on_fixed_size_sample(1, 3)
    assert "0.33333333333333337" in str(third)


def test_losses_compose():
    step = dp_sgd(1.0, 0.01, 1)
    assert step + step == step * 2 == 2 * step == numpy.int64(2) * step != step
    assert step * 0 == PrivacyLoss.none(**ADD) and sum([step, step], PrivacyLoss.none(**ADD)) == 2 * step
    assert str(2 * step) == "2 times Gaussian noise of sigma 1.0 on a Poisson sample of rate 0.01"
    assert repr(step).endswith('neighbors="add_remove">') and step.neighbors == "add_remove"
    # A hundred releases of epsilon 0.1, as the optimal composition theorem has it.
    assert str((PrivacyLoss.pure(0.1, **ADD) * 100).epsilon(1e-6)) == "4.78"
    for add in [lambda: step + 1, lambda: step * 1.5, lambda: step * True]:
        with pytest.raises(TypeError):
            add()


def test_neighbors_are_named_and_kept():
    add, replace = PrivacyLoss.gaussian(1.0, **ADD), PrivacyLoss.gaussian(1.0, **REPLACE)
    assert add != replace
    with pytest.raises(TypeError, match="neighbors"):
        PrivacyLoss.gaussian(1.0)
    for refused in [
        lambda: add + replace,
        lambda: replace.on_poisson_sample(0.1),
        lambda: add.on_fixed_size_sample(1, 10),
        lambda: PrivacyLoss.gaussian(1.0, neighbors="unbounded"),
        lambda: calibrate_sigma(rate=0.1, steps=1, epsilon=1.0, delta=1e-6, neighbors="replace"),
    ]:
        with pytest.raises(QuestionError, match="^neighbors must be"):
            refused()


@pytest.mark.parametrize(
    "name, refused",
    [
        ("sigma", lambda: PrivacyLoss.gaussian(0.0, **ADD)),
        ("scale", lambda: PrivacyLoss.laplace(math.nan, **ADD)),
        ("epsilon", lambda: PrivacyLoss.exponential_mechanism(-1.0, **ADD)),
        ("sensitivity", lambda: PrivacyLoss.discrete_gaussian(1.0, 0, **ADD)),
        ("sensitivity", lambda: PrivacyLoss.discrete_gaussian(1.0, -1, **ADD)),
        ("sensitivity", lambda: PrivacyLoss.discrete_laplace(1.0, 2**32, **ADD)),
        ("amounts", lambda: PrivacyLoss.mixture_gaussian(1.0, [])),
        ("categories", lambda: PrivacyLoss.randomized_response(1.0, 1)),
        ("categories", lambda: PrivacyLoss.randomized_response(1.0, 2**32)),
        ("rate", lambda: dp_sgd(1.0, 1.5, 1)),
        ("self", lambda: dp_sgd(1.0, 0.5, 2).on_poisson_sample(0.5)),
        ("sample_size", lambda: PrivacyLoss.gaussian(1.0, **REPLACE).on_fixed_size_sample(11, 10)),
        ("sample_size", lambda: PrivacyLoss.gaussian(1.0, **REPLACE).on_fixed_size_sample(-1, 10)),
        ("population", lambda: PrivacyLoss.gaussian(1.0, **REPLACE).on_fixed_size_sample(0, 0)),
        ("the number of repetitions", lambda: dp_sgd(1.0, 0.5, -1)),
        ("the number of repetitions", lambda: dp_sgd(1.0, 0.5, 2**70)),
        ("delta", lambda: dp_sgd(1.0, 0.5, 1).epsilon(0.0)),
        ("epsilon", lambda: dp_sgd(1.0, 0.5, 1).delta(-1.0)),
        ("orders", lambda: dp_sgd(1.0, 0.5, 1).renyi([1.0])),
        ("false_positive_rates", lambda: dp_sgd(1.0, 0.5, 1).tradeoff([1.5])),
        ("steps", lambda: calibrate_sigma(rate=0.1, steps=0, epsilon=1.0, delta=1e-6, **ADD)),
        ("steps", lambda: calibrate_rate(sigma=1.0, steps=-3, epsilon=1.0, delta=1e-6, **ADD)),
        ("rate", lambda: calibrate_steps(sigma=1.0, rate=-0.1, epsilon=1.0, delta=1e-6, **ADD)),
    ],
)
def test_errors_name_the_parameter(name, refused):
    with pytest.raises(QuestionError, match=f"^{name} must"):
        refused()


def test_integers_are_integers():
    for refused in [
        lambda: calibrate_sigma(rate=0.1, steps=1.0, epsilon=1.0, delta=1e-6, **ADD),
        lambda: PrivacyLoss.gaussian(1.0, **REPLACE).on_fixed_size_sample(True, 10),
    ]:
        with pytest.raises(TypeError, match="^(steps|sample_size) must be an integer"):
            refused()


def test_calibration_keeps_the_budget_and_wastes_little():
    sigma = calibrate_sigma(rate=0.01, steps=1000, epsilon=2.0, delta=1e-6, **ADD)
    assert dp_sgd(sigma, 0.01, 1000).delta(2.0).upper <= 1e-6 < dp_sgd(sigma * 0.9999, 0.01, 1000).delta(2.0).lower
    rate = calibrate_rate(sigma=1.0, steps=1000, epsilon=2.0, delta=1e-6, **ADD)
    assert dp_sgd(1.0, rate, 1000).delta(2.0).upper <= 1e-6 < dp_sgd(1.0, rate * 1.0001, 1000).delta(2.0).lower
    steps = calibrate_steps(sigma=1.0, rate=0.01, epsilon=2.0, delta=1e-6, **ADD)
    assert dp_sgd(1.0, 0.01, steps).delta(2.0).upper <= 1e-6 < dp_sgd(1.0, 0.01, steps + 2).delta(2.0).lower
    assert isinstance(steps, int)


def test_losses_have_curves():
    training = dp_sgd(1.0, 0.01, 1000)
    curves = accounting.curves(training)
    assert dict(curves["epsilon"])[1e-6] == training.epsilon(1e-6).upper
    exact = training.tradeoff([rate for rate, _ in curves["misses"]])
    assert all(few <= most + 1e-12 and few > most - 1e-2 for (_, few), most in zip(curves["misses"], exact))
    assert "1000 times Gaussian noise" in accounting.curves_report(training)
    with pytest.raises(TypeError, match="PrivacyLoss"):
        accounting.curves(1.0)


def test_the_lock_is_released_meanwhile():
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(None)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    noise.discrete_gaussian(1e30**0.5, 200_000)
    after = len(ticks)
    stop.set()
    thread.join()
    assert after > before


# Records of other accountants.


def test_opacus_histories():
    history = [(1.0, 0.01, 500), (0.8, 0.02, 300)]
    assert accounting.from_opacus_history(history) == dp_sgd(1.0, 0.01, 500) + dp_sgd(0.8, 0.02, 300)
    assert accounting.from_opacus_history([]) == PrivacyLoss.none(**ADD)
    for wrong, name in [
        ([(1.0, 0.01)], r"history\[0\] must be"),
        ([(1.0, 0.01, 5), (1.0, 0.01, 0.5)], r"history\[1\] must be"),
        ([(0.0, 0.01, 5)], r"history\[0\]: sigma must"),
        ([(1.0, 1.01, 5)], r"history\[0\]: rate must"),
        ([("1", 0.01, 5)], r"history\[0\] must be"),
    ]:
        with pytest.raises(QuestionError, match=name):
            accounting.from_opacus_history(wrong)


class GaussianDpEvent(NamedTuple):
    noise_multiplier: float


class SelfComposedDpEvent(NamedTuple):
    event: object
    count: int


def event(name, **fields):
    """An event as `DpEvent.to_named_tuple` has it."""
    fields = dict(module_name="dp_accounting.dp_event", class_name=name, **fields)
    return NamedTuple("Event", [(field, object) for field in fields])(**fields)


def test_events_keep_what_they_mean():
    read = accounting.from_dp_event
    gaussian = GaussianDpEvent(1.1)
    assert read(gaussian, **ADD) == PrivacyLoss.gaussian(1.1, **ADD)
    # Two contributions of norm 1 are 2 apart.
    assert read(gaussian, **REPLACE) == PrivacyLoss.gaussian(0.55, **REPLACE)
    assert read(event("LaplaceDpEvent", noise_multiplier=3.0), **REPLACE) == PrivacyLoss.laplace(1.5, **REPLACE)
    lattice = read(event("DiscreteLaplaceDpEvent", noise_parameter=0.3, sensitivity=2), **ADD)
    assert lattice.delta(0.6 * (1 - 1e-9)).upper > 0 and lattice.delta(0.6 * (1 + 1e-9)).upper < 1e-15
    sampled = event("PoissonSampledDpEvent", sampling_probability=0.01, event=gaussian)
    training = SelfComposedDpEvent(sampled, 1000)
    assert read(training, **ADD) == dp_sgd(1.1, 0.01, 1000)
    both = event("ComposedDpEvent", events=[training, event("NoOpDpEvent"), gaussian])
    assert read(both, **ADD) == dp_sgd(1.1, 0.01, 1000) + PrivacyLoss.gaussian(1.1, **ADD)
    # Two mechanisms on one sample are not two on a sample each.
    one = event("PoissonSampledDpEvent", sampling_probability=0.01, event=event("ComposedDpEvent", events=[gaussian] * 2))
    two = SelfComposedDpEvent(sampled, 2)
    assert read(one, **ADD).epsilon(1e-6).lower > read(two, **ADD).epsilon(1e-6).upper
    amounts = dict(sensitivities=[0.0, 1.0, 2.5], sampling_probs=[0.9, 0.08, 0.02])
    mixture = event("MixtureOfGaussiansDpEvent", standard_deviation=2.0, **amounts)
    assert read(mixture, **ADD) == PrivacyLoss.mixture_gaussian(2.0, [(0.0, 0.9), (1.0, 0.08), (2.5, 0.02)])
    nothing = event("MixtureOfGaussiansDpEvent", standard_deviation=2.0, sensitivities=[0.0], sampling_probs=[1.0])
    assert read(nothing, **ADD) == PrivacyLoss.none(**ADD)
    fixed = event("SampledWithoutReplacementDpEvent", source_dataset_size=3, sample_size=1, event=gaussian)
    assert read(fixed, **REPLACE) == PrivacyLoss.gaussian(0.55, **REPLACE).on_fixed_size_sample(1, 3)
    for nothing in [event("NonPrivateDpEvent"), GaussianDpEvent(0)]:
        assert read(nothing, **ADD).delta(5.0).upper == 1.0


def mixture(sigma, sensitivities, probabilities):
    fields = dict(standard_deviation=sigma, sensitivities=sensitivities, sampling_probs=probabilities)
    return event("MixtureOfGaussiansDpEvent", **fields)


@pytest.mark.parametrize(
    "wrong, neighbors, reason",
    [
        (event("UnsupportedDpEvent"), "add_remove", "UnsupportedDpEvent: its author"),
        (event("RepeatAndSelectDpEvent", event=None, mean=1, shape=1), "add_remove", "RepeatAndSelectDpEvent: "),
        (event("SampledWithReplacementDpEvent"), "replace", "SampledWithReplacementDpEvent: "),
        (event("ZCDpEvent", rho=1.0, xi=0.0), "add_remove", "ZCDpEvent: a rho is a bound"),
        (event("NewDpEvent"), "add_remove", "NewDpEvent is not an event that is understood"),
        (event("GaussianDpEvent", noise_multiplier=1.0, clipped=True), "add_remove", "must have the fields"),
        (event("PoissonSampledDpEvent", sampling_probability=0.1, event=GaussianDpEvent(1)), "replace", "neighbors must"),
        (event("GaussianDpEvent", noise_multiplier="1"), "add_remove", "GaussianDpEvent: "),
        (event("SelfComposedDpEvent", event=GaussianDpEvent(1), count=1.5), "add_remove", "SelfComposedDpEvent: "),
        (GaussianDpEvent(-1.0), "add_remove", "GaussianDpEvent: sigma must"),
        (mixture(1.0, [0.0, 1.0], [0.9, 0.1]), "replace", "neighbors must be \"add_remove\""),
        (mixture(1.0, [0.0, 1.0], [1.0]), "add_remove", "must have the same length"),
        (mixture(1.0, [0.0, 1.0], [0.5, 0.4]), "add_remove", "sampling_probs must add up to 1"),
        (mixture(1.0, [0.0, -1.0], [0.5, 0.5]), "add_remove", "amounts must"),
        (mixture(-1.0, [0.0, 1.0], [0.5, 0.5]), "add_remove", "sigma must"),
        (mixture(0.0, [0.0, 1.0], [0.5, 0.5]), "add_remove", "sigma must"),
        (
            event("PoissonSampledDpEvent", sampling_probability=0.1, event=mixture(1.0, [1.0], [1.0])),
            "add_remove",
            "must all come from Gaussian noise",
        ),
        (
            event("DiscreteLaplaceDpEvent", noise_parameter=0.3, sensitivity=2**31),
            "replace",
            "DiscreteLaplaceDpEvent: sensitivity must be below 2\\^32",
        ),
        (GaussianDpEvent(1.0), "bounded", "^neighbors must"),
        (3, "add_remove", "int is not an event"),
    ],
)
def test_events_that_mean_something_else_are_refused(wrong, neighbors, reason):
    with pytest.raises(QuestionError, match=reason):
        accounting.from_dp_event(wrong, neighbors=neighbors)


def test_events_of_the_package():
    pytest.importorskip("dp_accounting")
    from dp_accounting import NeighboringRelation, dp_event as dp
    from dp_accounting.pld import PLDAccountant

    step = dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1.0))
    events = [
        (dp.SelfComposedDpEvent(step, 1000), "add_remove", "ADD_OR_REMOVE_ONE"),
        (dp.ComposedDpEvent([dp.GaussianDpEvent(4.0), dp.LaplaceDpEvent(5.0)]), "add_remove", "ADD_OR_REMOVE_ONE"),
        (dp.SelfComposedDpEvent(dp.DiscreteLaplaceDpEvent(0.2, 1), 5), "add_remove", "ADD_OR_REMOVE_ONE"),
        (dp.SelfComposedDpEvent(dp.GaussianDpEvent(8.0), 5), "replace", "REPLACE_ONE"),
        (
            dp.SelfComposedDpEvent(dp.MixtureOfGaussiansDpEvent(2.0, [0.0, 1.0, 2.5], [0.9, 0.08, 0.02]), 100),
            "add_remove",
            "ADD_OR_REMOVE_ONE",
        ),
    ]
    for given, neighbors, relation in events:
        accountant = PLDAccountant(NeighboringRelation[relation]).compose(given)
        found = accounting.from_dp_event(given, neighbors=neighbors)
        assert found.epsilon(1e-6).upper == pytest.approx(accountant.get_epsilon(1e-6), rel=1e-2)
        assert accounting.from_dp_event(given.to_named_tuple(), neighbors=neighbors) == found
    known = {name for name in dir(dp) if name.endswith("DpEvent")} - {"DpEvent"}
    from indistinct import _adapters

    assert known == set(_adapters._EVENTS) | set(_adapters._REFUSED)


# Noise in bulk.


def test_discrete_noise_has_its_distribution():
    draws = noise.discrete_gaussian(3.0, (300, 200))
    assert draws.shape == (300, 200) and draws.dtype == numpy.int64 and draws.flags.writeable
    # Each within 6 standard deviations.
    assert abs(draws.mean()) < 6 * 3 / 60_000**0.5 and abs(draws.std() / 3.0 - 1) < 6 / 120_000**0.5
    ratio = math.exp(-1 / 18)
    assert abs((abs(draws) == 1).sum() / 2 / (draws == 0).sum() - ratio) < 0.1
    assert noise.discrete_gaussian(3.0, 0).shape == (0,)
    assert (noise.discrete_gaussian(3.0, 100) != noise.discrete_gaussian(3.0, 100)).any()


def test_rounded_noise_is_on_its_grid():
    values = numpy.full((100, 200), 1e3)
    noisy = noise.add_gaussian(values, sigma=3.0, granularity=0.25)
    assert noisy.shape == values.shape and (values == 1e3).all() and (noisy * 4 % 1 == 0).all()
    assert abs(noisy.mean() - 1e3) < 6 * 3 / 20_000**0.5 and abs(noisy.std() / 3.0 - 1) < 6 / 40_000**0.5
    default = noise.add_gaussian([0.0] * 1000, sigma=3.0)
    assert (default * 2**31 % 1 == 0).all() and (default * 2**30 % 1 != 0).any()
    # A slice that is not contiguous, and a list.
    assert noise.add_gaussian(values[::2, ::3], 1.0).shape == (50, 67) and noise.add_gaussian(1, 1.0).shape == ()
    # Each value keeps its place, in whatever order it is stored.
    ordered = numpy.asfortranarray(numpy.arange(12.0).reshape(3, 4) * 1e6)
    assert (abs(noise.add_gaussian(ordered, 1.0) - ordered) < 100).all()


def test_samples_have_their_rate():
    sample = noise.poisson_sample(0.25, 40_000)
    assert sample.dtype == bool and abs(sample.mean() - 0.25) < 6 * (0.25 * 0.75 / 40_000) ** 0.5
    assert noise.poisson_sample(1.0, 10).all() and not noise.poisson_sample(0.0, 10).any()
    sizes = {int(noise.poisson_sample(0.5, 1000).sum()) for _ in range(20)}
    assert len(sizes) > 1


@pytest.mark.parametrize(
    "name, refused",
    [
        ("sigma", lambda: noise.discrete_gaussian(0.0, 1)),
        ("sigma", lambda: noise.discrete_gaussian(2.0**50, 1)),
        ("sigma", lambda: noise.add_gaussian([1.0], math.inf)),
        ("sigma", lambda: noise.add_gaussian([1.0], -1.0)),
        ("size", lambda: noise.discrete_gaussian(1.0, (2, -1))),
        ("values", lambda: noise.add_gaussian([1.0, math.nan], 1.0)),
        ("values", lambda: noise.add_gaussian([1.0, math.inf], 1.0)),
        ("granularity", lambda: noise.add_gaussian([1.0], 1.0, granularity=0.3)),
        ("granularity", lambda: noise.add_gaussian([1.0], 1.0, granularity=0.0)),
        ("rate", lambda: noise.poisson_sample(math.nan, 1)),
        ("population", lambda: noise.poisson_sample(0.5, -1)),
    ],
)
def test_noise_names_the_parameter(name, refused):
    with pytest.raises(QuestionError, match=f"^{name} must"):
        refused()


def test_guarantees_of_ledgers_are_still_understood():
    assert accounting.curves(Rho(0.5))["renyi"][1] == (2.0, 1.0)
    assert indistinct.accounting is accounting and "noise" in indistinct.__all__
