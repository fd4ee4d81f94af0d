"""Payments of a town's shared bicycles, as its office would write them: rides.csv beside, the same at each run.

    python3 examples/data/make_rides.py

Pure Python; the generator is random.Random(20251231), of which random() alone is used: its values are the same in all
versions.
"""

import datetime
import math
import random
from pathlib import Path

draw = random.Random(20251231).random
CUSTOMERS = 3_400
FIRST_DAY = datetime.date(2025, 1, 1)
# Rides for each day of each month, as weights.
SEASON = [3, 3, 5, 8, 11, 13, 14, 15, 11, 8, 5, 4]
STATIONS = ["Hauptbahnhof", "Universität", "Rathaus", "Zähringerplatz", "Hafen", "Südbad", "Messe", "Klinikum"]
STREETS = [
    "Mühl",
    "Brücken",
    "Linden",
    "Garten",
    "Schul",
    "Kirch",
    "Berg",
    "Wiesen",
    "Gärtner",
    "Färber",
    "Höhen",
    "Ufer",
]
ENDS = ["straße", "weg", "platz", "gasse", "allee", "ring", "steig", "hof", "damm", "park"]
EMPLOYERS = ["Stadtwerke", "Universität", "Klinikum", "Landratsamt", "Sparkasse", "Müller & Söhne"]
TRADES = [
    "Bäckerei",
    "Schreinerei",
    "Praxis",
    "Kanzlei",
    "Gärtnerei",
    "Buchhandlung",
    "Druckerei",
    "Optik",
    "Café",
    "Apotheke",
]
NAMES = ["Huber", "Böhm", "Krüger", "Weiß", "Schäfer", "Jung", "Vogt", "Haas", "Lörcher", "Arnold", "Kühn", "Roth"]
NOTES = [
    "Kette lief ab,\nRad Nr. {} gesperrt",
    'Kunde schreibt: "zu teuer"; Antwort am {}. Tag',
    "Rückgabe an anderer Station; Nr. {}",
    'Beleg {}\n"Quittung folgt"',
]


def pick(values, weights):
    """One of some values, by their weights."""
    at = draw() * sum(weights)
    for value, weight in zip(values, weights):
        at -= weight
        if at < 0.0:
            return value
    return values[-1]


def normal():
    """A normal number, by Box and Muller."""
    return math.sqrt(-2.0 * math.log(1.0 - draw())) * math.cos(2.0 * math.pi * draw())


def number(value):
    """As an office writes it: 1.234,50."""
    return f"{value:,.2f}".translate(str.maketrans(",.", ".,"))


def cell(text):
    """A cell, in quotes where it needs them."""
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ';"\n') else text


def missing(text, probability, spellings):
    """A text, or one of the ways to say that there is none."""
    return spellings[int(draw() * len(spellings))] if draw() < probability else text


def customers():
    """Numbers of rides, a home station and an employer: more than half of all customers have one ride, a few have hundreds."""
    stations = STATIONS + [street + end for end in ENDS for street in STREETS]
    employers = ["privat"] + EMPLOYERS + [f"{trade} {name}" for trade in TRADES for name in NAMES]
    by_station = [1.0 / (place + 2.0) for place in range(len(stations))]
    by_employer = [4.0] + [1.0 / (place + 1.0) for place in range(len(employers) - 1)]
    for _ in range(CUSTOMERS):
        rides = min(400, int((1.0 - draw()) ** (-1.0 / 1.05)))
        yield rides, pick(stations, by_station), pick(employers, by_employer), (stations, by_station)


def rows():
    """One line for each ride."""
    for customer, (rides, home, employer, (stations, by_station)) in enumerate(customers()):
        for _ in range(rides):
            month = pick(range(12), SEASON)
            day = datetime.date(2025, month + 1, 1 + int(draw() * 28))
            station = home if draw() < 0.6 else pick(stations, by_station)
            minutes = 1 + int(math.exp(3.0 + 0.7 * normal()))
            fee = 1.5 + 0.1 * minutes * math.exp(0.3 * normal() - 0.045)
            # A bicycle that did not come back.
            fee = 600.0 + 900.0 * draw() if draw() < 0.003 else fee
            # A refund.
            fee = -fee if draw() < 0.01 else fee
            note = NOTES[int(draw() * len(NOTES))].format(int(draw() * 900) + 100) if draw() < 0.04 else ""
            yield draw(), [
                missing(f"K{customer * 7919 % 100_000:05}", 0.005, ["", "Gast"]),
                missing(day.strftime("%d.%m.%Y"), 0.01, ["", "k. A.", "00.00.0000"]),
                missing(station, 0.02, ["", "k. A.", "?"]),
                missing(employer, 0.01, ["", "k. A."]),
                missing(str(minutes), 0.02, ["", "-", "NA"]),
                missing(number(fee), 0.02, ["", "-", "k. A.", "NA"]),
                note,
            ]


def main():
    header = ["Kunde", "Tag", "Station", "Arbeitgeber", "Minuten", "Betrag", "Bemerkung"]
    lines = [header] + [row for _, row in sorted(rows())]
    text = "".join(";".join(map(cell, line)) + "\r\n" for line in lines)
    Path(__file__).with_name("rides.csv").write_bytes(text.encode("latin-1"))


if __name__ == "__main__":
    main()
