"""Calls of an ambulance service, as its office would write them: calls.csv beside, the same at each run.

    python3 examples/data/make_calls.py

Pure Python; the generator is random.Random(20261231), of which random() alone is used: its values are the same in all
versions.
"""

import datetime
import math
import random
from pathlib import Path

draw = random.Random(20261231).random
PATIENTS = 2_600
FIRST_DAY = datetime.date(2024, 1, 1)
DAYS = 3 * 365 + 1
# The mean of the minutes until the ambulance is there, and of patients the share who live there.
DISTRICTS = {"Altstadt": (7.5, 0.35), "Nord": (9.5, 0.4), "Süd": (11.0, 0.25)}
HEADER = "call;patient;district;date;minutes;cost;age;urgent;outcome"


def normal():
    return math.sqrt(-2 * math.log(1 - draw())) * math.cos(2 * math.pi * draw())


def number(value, places):
    """As 1.234,50."""
    return f"{value:,.{places}f}".translate(str.maketrans(",.", ".,"))


def district():
    left = draw()
    for name, (_, share) in DISTRICTS.items():
        left -= share
        if left < 0:
            return name
    return name


def calls_of(patient):
    home, age = district(), int(100 * math.sqrt(draw()))
    calls = 1
    while calls < 12 and draw() < 0.35:
        calls += 1
    for _ in range(calls):
        place = home if draw() < 0.9 else district()
        day = FIRST_DAY + datetime.timedelta(days=int(DAYS * draw()))
        urgent = draw() < 0.4
        minutes = DISTRICTS[place][0] * math.exp(0.35 * normal() - 0.06) * (0.8 if urgent else 1.1)
        cost = math.exp(6.2 + 0.5 * normal())
        outcome = "hospital" if draw() < (0.8 if urgent else 0.5) else "home"
        yield day, [
            patient if draw() > 0.004 else "k.A.",
            place if draw() > 0.005 else "k.A.",
            f"{day:%d.%m.%Y}" if draw() > 0.003 else "k.A.",
            number(minutes, 1) if draw() > 0.03 else "k.A.",
            number(cost, 2) if draw() > 0.05 else "k.A.",
            str(age) if draw() > 0.01 else "k.A.",
            str(int(urgent)),
            outcome if draw() > 0.02 else "k.A.",
        ]


if __name__ == "__main__":
    calls = [call for patient in range(PATIENTS) for call in calls_of(f"p{patient:04d}")]
    calls.sort(key=lambda call: call[0])
    lines = [HEADER] + [";".join([str(row + 1), *cells]) for row, (_, cells) in enumerate(calls)]
    Path(__file__).with_name("calls.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
