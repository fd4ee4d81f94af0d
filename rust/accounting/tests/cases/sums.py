"""The rows of the unit tests of `renyi/sampled.rs`: `python3 rust/accounting/tests/cases/sums.py` (mpmath).

What the code sums in floats, summed here at 60 digits, by powers instead of differences of exponentials; with what its floats may be off by and
the bound off the line as the page says (proofs/accounting/sampled_gaussian.md). A row: rate, sigma, t, step and distance of the points; value,
error, around, beyond and count of the sum; and the bound on the logarithm of the moment."""

from mpmath import mp, mpf, ceil, exp, expm1, fabs, log, log1p, pi, sqrt

mp.dps = 60
ROUNDING, UNIT, CUT = mpf(2) ** -46, mpf(2) ** -49, 40
LEFT_TAIL, AROUND = mpf("2e-20"), mpf("0.25")


def off_by(x, value):
    """exp_m1_near(x)."""
    return UNIT * (fabs(value) if fabs(x) < mpf("0.006") else 2 * value + mpf("2.2"))


def excess_at(rate, sigma, t, z):
    """Value, error, bound off the line, and two bounds on the size of the term."""
    alpha, x = 1 + t, (z - mpf("0.5")) / sigma**2
    normal = z * z / (2 * sigma**2)
    density, ell = exp(-normal), rate * expm1(x)
    logarithm = log1p(ell)
    if t * logarithm > 600:
        value = exp(alpha * logarithm - normal)
        error = value * (4 + alpha * (1 + fabs(x)) + normal) * ROUNDING
        around = 4 * alpha * t * (value if t >= 1 else exp(2 * logarithm - normal) / (1 - rate))
        return value, error, around, (value + error, mp.inf)
    power = (1 + ell) ** t - 1
    value = (1 + ell) ** alpha - 1 - alpha * ell
    by_ell = alpha * fabs(power) * (rate * off_by(x, expm1(x)) + rate * exp(x) * fabs(x) * UNIT)
    by_ln = fabs(logarithm) if fabs(ell) < mpf("0.006") else max(fabs(logarithm), 1)
    by_power = (1 + ell) ** alpha * t * by_ln * UNIT + (1 + ell) * off_by(t * logarithm, power)
    is_small = fabs(ell) * (alpha + 2) < mpf("0.1")
    size = value if is_small else fabs((1 + ell) * power) + fabs(t * ell)
    own = 0 if is_small else by_power
    error = 2 * density * (by_ell + own + (4 * size + value * (8 + normal)) * UNIT)
    spread = 1 + (1 + ell) ** (alpha - 2) if t >= 1 else 1 / (1 - rate)
    around = alpha * t / 2 * rate**2 * (exp(x) + 1) ** 2 * spread * density
    square = alpha * t / 2 * (rate * exp(x)) ** 2 * ((1 + ell) ** (alpha - 2) if t >= 1 else 1)
    wider = 1 + (4 + alpha * (1 + fabs(x)) + normal) * ROUNDING
    return value * density, error, around, ((1 + ell) ** alpha * density * wider, square * density * wider)


def moment_at(rate, sigma, t, z, shift):
    """Value, error, its share of the bound off the line, size, and the logarithm of the power."""
    alpha, x = 1 + t, (z - mpf("0.5")) / sigma**2
    normal = z * z / (2 * sigma**2)
    logarithm = log1p(rate * expm1(x))
    value = exp(alpha * logarithm - normal - shift)
    by_x = value * alpha * exp(-logarithm) if rate > mpf("0.5") else 0
    error = (value * (4 + alpha * (1 + fabs(x)) + normal + shift) + by_x) * ROUNDING
    return value, error, value, value + error, alpha * logarithm - alpha * (1 + fabs(x)) * ROUNDING


def beyond_of(size, ratio):
    return size * ratio / (1 - ratio) if ratio < 1 else mp.inf


def rightwards(index, points, term, sums):
    rate, sigma, t, step, _ = points
    alpha = 1 + t
    while True:
        z = index * step
        sizes = term(z, sums)
        sums["count"] += 1
        index += 1
        if z > alpha:
            growths = (alpha, max(alpha, 2))
            ratios = [exp(-step * (z - growth) / sigma**2) for growth in growths]
            beyond = min(beyond_of(size, ratio) for size, ratio in zip(sizes, ratios))
            if beyond <= sums["value"] * mpf("1e-13") or z > alpha + 19 * sigma:
                sums["beyond"] += beyond
                return


def add(sums, value, error, around):
    sums["value"] += value
    sums["error"] += error
    sums["around"] += around


def excess(points):
    rate, sigma, t, step, _ = points
    sums = dict(value=mpf(0), error=mpf(0), around=mpf(0), beyond=mpf(0), count=0, cut=False)

    def term(z, sums):
        value, error, around, size = excess_at(rate, sigma, t, z)
        add(sums, value, error, around)
        return size

    rightwards(-ceil(mpf("9.5") * sigma / step), points, term, sums)
    return sums


def moment(points, shift):
    rate, sigma, t, step, _ = points
    sums = dict(value=mpf(0), error=mpf(0), around=mpf(0), beyond=mpf(0), count=0, cut=False)

    def term(z, sums):
        value, error, around, size, term.power = moment_at(rate, sigma, t, z, shift)
        add(sums, value, error, around)
        return size

    middle = ceil((1 + t) / step)
    rightwards(middle, points, lambda z, sums: (term(z, sums), mp.inf), sums)
    index = middle - 1
    while index >= -ceil(mpf("9.5") * sigma / step):
        z = index * step
        size = term(z, sums)
        sums["count"] += 1
        if z > mpf("0.5") and shift > CUT:
            rise, fall = term.power / (z - mpf("0.5")), z / sigma**2
            beyond = beyond_of(size, exp(-step * (rise - fall)))
            if beyond <= sums["value"] * mpf("1e-13"):
                sums["beyond"] += beyond
                sums["cut"] = True
                return sums
        index -= 1
    return sums


def logarithm(points):
    """The bound on the logarithm of the moment, and the sums it is of."""
    rate, sigma, t, step, distance = points
    alpha = 1 + t
    x = (alpha - mpf("0.5")) / sigma**2
    shift = alpha * log1p(rate * expm1(x)) - alpha**2 / (2 * sigma**2)
    sums = moment(points, shift) if shift > 1 else excess(points)
    charged = lambda key: (sums[key] + sums["error"]) * (1 + (sums["count"] + 32) * mpf(2) ** -52) + sums["beyond"]
    kappa = 2 * exp(distance**2 / (2 * sigma**2)) / expm1(2 * pi * distance / step)
    share = kappa / (1 - kappa)
    if share >= mpf("1e-6"):
        return None, sums
    total = step / sigma / sqrt(2 * pi) * (charged("value") + charged("around") * (1 + AROUND) * share)
    if shift > 1:
        return shift + log(total + (1 + share if sums["cut"] else LEFT_TAIL) * exp(-shift)), sums
    return log1p(total + LEFT_TAIL * alpha * t * rate**2 / (1 - rate) / 2), sums


def choice(rate, sigma, t):
    """Step and distance of the points, before the step is cut to 20 bits."""
    square = sigma**2
    strip = pi * square if t >= 1 else pi * square / 2
    wanted = 36 + log1p(square)
    step = pi * sigma * sqrt(2 / wanted)
    distance = 2 * pi * square / step
    if distance > strip:
        step, distance = 2 * pi * strip / (wanted + strip**2 / (2 * square)), strip
    return step, distance


def digits(x):
    return repr(float(x)).replace("e+", "e").replace("e-0", "e-")


def show(*fields):
    print("(" + ", ".join(str(x) if isinstance(x, int) else digits(x) for x in fields) + "),")


KEYS = ("value", "error", "around", "beyond", "count")

if __name__ == "__main__":
    exactly = lambda rows: [[mpf(x) for x in row] for row in rows]
    print("points: rate, sigma, t, step, distance")
    for row in exactly([(0.1, 0.5, 1.5), (0.1, 0.5, 0.5), (0.1, 8, 2.5), (0.1, 8, 0.5), (0.1, 1, 1)]):
        show(*row, *choice(*row))
    print("excess: rate, sigma, t, step, value, error, around, beyond, count")
    for row in exactly(
        [
            # Ordinary, and of an order below 2.
            (0.01, 1, 1, 0.5),
            (0.3, 0.8, 0.5, 0.4),
            (0.9, 0.5, 2.5, 0.3),
            # Where x, and L - 1, are small, by series and not.
            (0.5, 100, 1, 50),
            (0.5, 100, 30, 50),
            (1e-4, 2, 20, 1),
            # Far out, where only the power counts.
            (0.5, 0.7, 20, 0.5),
            (0.5, 0.058, 0.99, 2.57),
        ]
    ):
        sums = excess([*row, None])
        show(*row, *(sums[key] for key in KEYS))
    print("moment: rate, sigma, t, step, shift, value, error, around, beyond, count")
    for row in exactly(
        [
            (0.3, 1, 9, 0.5, 33),
            (0.999, 0.75, 0.125, 0.5, 0.5),
            (0.9, 0.5, 2.5, 0.3, 20),
            # Cut on the left; not yet cut; and far out.
            (0.3, 1, 11, 0.5, 45),
            (0.3, 1, 10, 0.5, 40),
            (0.5, 0.05, 1.2, 0.0625, 500),
        ]
    ):
        sums = moment([*row[:4], None], row[4])
        show(*row, *(sums[key] for key in KEYS))
    print("logarithm: rate, sigma, t, step, distance, bound")
    for row in exactly(
        [
            (0.01, 1, 1, 0.5, 1.27),
            (0.01, 1, 1, 0.265, 0.64),
            (0.3, 0.8, 0.5, 0.4, 1.0),
            (0.3, 1, 9, 0.5, 1.27),
            (0.3, 1, 10.5, 0.5, 1.27),
            (1 - 2.0**-50, 100, 2, 50, 126),
            (0.5, 1e4, 1, 5e3, 12600),
        ]
    ):
        bound, sums = logarithm(row)
        show(*row, bound)
