"""What other accountants have recorded, as a `PrivacyLoss`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._native import PrivacyLoss, QuestionError

if TYPE_CHECKING:
    from ._native import _Neighbors


def from_opacus_history(history: Iterable[tuple[float, float, int]]) -> PrivacyLoss:
    """The loss of the steps in the `history` of an Opacus accountant: `(noise_multiplier, sample_rate, steps)` each.

    The neighbors are "add_remove", as in Opacus, and each step is one of Gaussian noise on a Poisson sample. Opacus
    records the same history with `poisson_sampling=False`, where batches are shuffled: then this loss is not theirs.

    >>> print(from_opacus_history([(1.0, 0.01, 500), (0.8, 0.01, 500)]).epsilon(1e-6))
    3.19
    """
    total = PrivacyLoss.none(neighbors="add_remove")
    for number, entry in enumerate(history):
        try:
            sigma, rate, steps = entry
            total += PrivacyLoss.gaussian(sigma, neighbors="add_remove").on_poisson_sample(rate) * operator.index(steps)
        except (TypeError, ValueError) as error:
            rule = "must be (noise_multiplier, sample_rate, steps), two numbers and an integer"
            raise QuestionError(f"history[{number}] {rule}") from error
        except QuestionError as error:
            raise QuestionError(f"history[{number}]: {error}") from error
    return total


def from_dp_event(event: Any, *, neighbors: _Neighbors) -> PrivacyLoss:
    """The loss of a `DpEvent` of dp_accounting, or of its named tuple; the package need not be installed.

    An event bounds the norm of what one individual contributes by C, and its noise multiplier is in units of C. Two
    contributions are 2 C apart, so for "replace" the noise counts as half as large. Samples keep their neighbors:
    `PoissonSampledDpEvent` is for "add_remove", `SampledWithoutReplacementDpEvent` for "replace".
    `MixtureOfGaussiansDpEvent` compares the noise with and without one individual, so it is for "add_remove". Any other
    event raises a `QuestionError` that says why.

    >>> from typing import NamedTuple
    >>> class GaussianDpEvent(NamedTuple):
    ...     noise_multiplier: float
    >>> print(from_dp_event(GaussianDpEvent(2.0), neighbors="add_remove").epsilon(1e-6))
    2.26
    >>> print(from_dp_event(GaussianDpEvent(2.0), neighbors="replace").epsilon(1e-6))
    4.89
    """
    # The error about the neighbors, before any about the event.
    PrivacyLoss.none(neighbors=neighbors)
    return _loss(event, neighbors)


def _loss(event: Any, neighbors: _Neighbors) -> PrivacyLoss:
    name = _name(event)
    if name in _REFUSED:
        raise QuestionError(f"{name}: {_REFUSED[name]}")
    if name not in _EVENTS:
        raise QuestionError(f"{name} is not an event that is understood; these are: {', '.join(_EVENTS)}")
    fields, convert = _EVENTS[name]
    if _fields(event) != fields:
        raise QuestionError(f"{name} must have the fields {fields}, and has {_fields(event)}: its meaning is unknown")
    try:
        return convert(neighbors, *(getattr(event, field) for field in fields))
    except TypeError as error:
        raise QuestionError(f"{name}: {error}") from error
    except QuestionError as error:
        raise QuestionError(f"{name}: {error}") from error


def _name(event: Any) -> str:
    name = getattr(event, "class_name", None) or type(event).__name__
    return name.decode() if isinstance(name, bytes) else str(name)


def _fields(event: Any) -> list[str]:
    attributes = getattr(type(event), "__attrs_attrs__", None)
    if attributes is not None:
        return [attribute.name for attribute in attributes]
    return [field for field in getattr(event, "_fields", ()) if field not in ("module_name", "class_name")]


# Each individual contributes at most C; neighbors are that far apart in units of C.
_APART = {"add_remove": 1, "replace": 2}


def _non_private(neighbors: _Neighbors) -> PrivacyLoss:
    return PrivacyLoss.approximate(0.0, 1.0, neighbors=neighbors)


def _gaussian(neighbors: _Neighbors, noise_multiplier: float) -> PrivacyLoss:
    if noise_multiplier == 0:
        return _non_private(neighbors)
    return PrivacyLoss.gaussian(noise_multiplier / _APART[neighbors], neighbors=neighbors)


def _laplace(neighbors: _Neighbors, noise_multiplier: float) -> PrivacyLoss:
    if noise_multiplier == 0:
        return _non_private(neighbors)
    return PrivacyLoss.laplace(noise_multiplier / _APART[neighbors], neighbors=neighbors)


def _discrete_laplace(neighbors: _Neighbors, noise_parameter: float, sensitivity: int) -> PrivacyLoss:
    if not noise_parameter > 0:
        raise QuestionError("noise_parameter must be above 0")
    # Not above the reciprocal.
    scale = math.nextafter(1 / noise_parameter, 0.0)
    return PrivacyLoss.discrete_laplace(scale, operator.index(sensitivity) * _APART[neighbors], neighbors=neighbors)


def _mixture(
    neighbors: _Neighbors, standard_deviation: float, sensitivities: Sequence[float], sampling_probs: Sequence[float]
) -> PrivacyLoss:
    if neighbors != "add_remove":
        raise QuestionError('neighbors must be "add_remove": the event adds one individual to a sum, or removes one')
    if len(sensitivities) != len(sampling_probs):
        raise QuestionError("sensitivities and sampling_probs must have the same length")
    if not math.isclose(math.fsum(sampling_probs), 1.0, rel_tol=1e-12):
        raise QuestionError("sampling_probs must add up to 1")
    if not any(sensitivities):
        return PrivacyLoss.none(neighbors=neighbors)
    return PrivacyLoss.mixture_gaussian(standard_deviation, list(zip(sensitivities, sampling_probs)))


def _composed(neighbors: _Neighbors, events: Sequence[Any]) -> PrivacyLoss:
    return sum((_loss(event, neighbors) for event in events), PrivacyLoss.none(neighbors=neighbors))


def _repeated(neighbors: _Neighbors, event: Any, count: int) -> PrivacyLoss:
    return _loss(event, neighbors) * operator.index(count)


def _poisson_sampled(neighbors: _Neighbors, sampling_probability: float, event: Any) -> PrivacyLoss:
    return _loss(event, neighbors).on_poisson_sample(sampling_probability)


def _without_replacement(neighbors: _Neighbors, population: int, sample_size: int, event: Any) -> PrivacyLoss:
    return _loss(event, neighbors).on_fixed_size_sample(sample_size, population)


_EVENTS: dict[str, tuple[list[str], Callable[..., PrivacyLoss]]] = {
    "NoOpDpEvent": ([], lambda neighbors: PrivacyLoss.none(neighbors=neighbors)),
    "NonPrivateDpEvent": ([], _non_private),
    "GaussianDpEvent": (["noise_multiplier"], _gaussian),
    "LaplaceDpEvent": (["noise_multiplier"], _laplace),
    "DiscreteLaplaceDpEvent": (["noise_parameter", "sensitivity"], _discrete_laplace),
    "MixtureOfGaussiansDpEvent": (["standard_deviation", "sensitivities", "sampling_probs"], _mixture),
    "ComposedDpEvent": (["events"], _composed),
    "SelfComposedDpEvent": (["event", "count"], _repeated),
    "PoissonSampledDpEvent": (["sampling_probability", "event"], _poisson_sampled),
    "SampledWithoutReplacementDpEvent": (["source_dataset_size", "sample_size", "event"], _without_replacement),
}

_REFUSED = {
    "UnsupportedDpEvent": "its author does not know what it loses",
    "RandomizedResponseDpEvent": "its noise_parameter is not an epsilon; use PrivacyLoss.randomized_response",
    "SampledWithReplacementDpEvent": "no bound for samples with replacement is proved here",
    "SingleEpochTreeAggregationDpEvent": "an individual is in many nodes of a tree; compose the Gaussian noise of one "
    "path, PrivacyLoss.gaussian(sigma, neighbors=...) * levels",
    "RepeatAndSelectDpEvent": "the number of repetitions is random, and no bound for it is here",
    "ZCDpEvent": "a rho is a bound and not a mechanism; convert the total with rho_to_epsilon",
    "TruncatedSubsampledGaussianDpEvent": "truncated samples are not Poisson samples: an individual can displace another",
}
