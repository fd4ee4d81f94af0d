"""Records in docs/measured.toml what a benchmark has measured; `cargo xtask measured` then writes it into the pages."""

import datetime
import json
import os
import platform
import tomllib
from pathlib import Path

FILE = Path(__file__).parents[1] / "docs/measured.toml"


def written(value):
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {written(number)}" for name, number in value.items()) + " }"
    if isinstance(value, str):
        return json.dumps(value)
    return value.isoformat() if isinstance(value, datetime.date) else f"{value:.15g}"


def text_of(head, runs):
    """The file: its first comment, and the runs in the order of their names."""
    parts = [f"[{run}]\n" + "".join(f"{name} = {written(value)}\n" for name, value in runs[run].items()) for run in sorted(runs)]
    return head + "\n" + "\n".join(parts)


def record(run, command, numbers):
    """Put a run in the place of the one before: a number for each name of a thing and of whose it is."""
    text = FILE.read_text()
    head, runs = text.split("\n\n")[0] + "\n", tomllib.loads(text)
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    about = {"command": command, "date": datetime.date.today(), "machine": machine}
    runs[run] = about | dict(sorted(numbers.items()))
    FILE.write_text(text_of(head, runs))
