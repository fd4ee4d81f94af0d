"""The groups `mixtures` and `mixtures_twice` of `pld.json`: `python3 rust/accounting/tests/cases/mixtures.py` (mpmath, some minutes).

Delta of one mixture of Gaussians, from the root of its loss by bisection and normal tails; and of two releases, by quadrature of the curve of the
second over the noise of the first. The second shares no step with the code, which puts losses on a grid."""

import json

from mpmath import binomial, erfc, exp, inf, log, mp, mpf, npdf, quad, sqrt

mp.dps = 34


def binomial_weights(rate, records):
    rate = mpf(rate)
    weights = [binomial(records, k) * rate**k * (1 - rate) ** (records - k) for k in range(records + 1)]
    # Of few digits, which every reader of JSON finds the same float for.
    return [[k, float(f"{float(weight):.5e}")] for k, weight in enumerate(weights)]


class Mixture:
    def __init__(self, sigma, amounts, side):
        total = sum(mpf(w) for _, w in amounts)
        self.parts = [(mpf(a) / mpf(sigma), mpf(w) / total) for a, w in amounts]
        self.side = side

    def log_g(self, y):
        return log(sum(w * exp(mu * y - mu * mu / 2) for mu, w in self.parts))

    def loss(self, y):
        return self.log_g(y) if self.side == "remove" else -self.log_g(y)

    def density(self, y):
        return npdf(y) * (exp(self.log_g(y)) if self.side == "remove" else 1)

    def root(self, wanted):
        """Where ln g is a number."""
        low, high = mpf(-60), mpf(60)
        if self.log_g(low) > wanted:
            return -inf
        if self.log_g(high) < wanted:
            return inf
        for _ in range(130):
            middle = (low + high) / 2
            low, high = (middle, high) if self.log_g(middle) < wanted else (low, middle)
        return low

    def delta(self, epsilon):
        """P(L > epsilon) - e^epsilon Q(L > epsilon), at any real number."""
        y = self.root(epsilon if self.side == "remove" else -epsilon)
        tail = lambda x: mpf(0) if x == inf else mpf(1) if x == -inf else erfc(x / sqrt(2)) / 2
        mixed, still = sum(w * tail(y - mu) for mu, w in self.parts), tail(y)
        if self.side == "remove":
            return mixed - exp(epsilon) * still
        return tail(-y) - exp(epsilon) * sum(w * tail(mu - y) for mu, w in self.parts)


def two(first, second, epsilon):
    last = max(mu for mu, _ in first.parts) + 16
    points = [mpf(-16) + i * (last + 16) / 48 for i in range(49)]
    return quad(lambda y: first.density(y) * second.delta(epsilon - first.loss(y)), points, maxdegree=4)


THREE = [[0, 0.9], [1, 0.08], [2.5, 0.02]]
FAR = [[0.5, 0.5], [1, 0.25], [4, 0.25]]
EIGHT = binomial_weights(0.01, 8)
ONE = [(1, THREE), (0.7, THREE), (2, FAR), (4, EIGHT), (1, EIGHT), (0.5, [[0, 0.999], [1, 0.001]]), (1, [[3, 1.0]])]
TWO = [(1, THREE), (2, FAR), (2, EIGHT)]


def rows():
    def row(sigma, amounts, side, count, epsilon, delta):
        part = {"kind": f"mixture_{side}", "count": count, "sigma": sigma, "amounts": amounts}
        return {"fn": "pld_delta", "components": [part], "eps": epsilon, "truth": {"delta": mp.nstr(delta, 28)}}

    for side in ["remove", "add"]:
        for sigma, amounts in ONE:
            mixture = Mixture(sigma, amounts, side)
            for epsilon in [0.0, 0.05, 0.5, 2.0, 6.0]:
                delta = mixture.delta(mpf(epsilon))
                if delta > mpf("1e-40"):  # No loss is so great where an individual is added.
                    yield row(sigma, amounts, side, 1, epsilon, delta)
        for sigma, amounts in TWO:
            mixture = Mixture(sigma, amounts, side)
            for epsilon in [0.1, 1.0]:
                delta = two(mixture, mixture, mpf(epsilon))
                if delta > mpf("1e-40"):
                    yield row(sigma, amounts, side, 2, epsilon, delta)


all_rows = list(rows())
for name, count in [("mixtures", 1), ("mixtures_twice", 2)]:
    group = [json.dumps(row) for row in all_rows if row["components"][0]["count"] == count]
    print(f'"{name}": [\n' + ",\n".join(group) + "\n],")
