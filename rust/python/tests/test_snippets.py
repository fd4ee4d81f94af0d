"""The Python of pages prints what stands below it, as rust/pages says of other languages; UPDATE=1 writes it there."""

import contextlib
import difflib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).parents[3]
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md")), PROJECT / "rust" / "python" / "README.md"]
# A block of Python, and directly below it a block with its output.
SNIPPET = re.compile(r"^```python\n(.*?)^```\n(\n*```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
# Code of other libraries.
FOREIGN = re.compile("import opendp|from dp_accounting")
# A block that is a file in the folder of the page.
FILE = re.compile(r"^```\w*\n((?:#|--) ([\w.-]+\.(?:toml|sql|csv|json))\n.*?)^```$", re.MULTILINE | re.DOTALL)


def run(programs):
    """What each of the programs of a page prints, one after another with the same names."""
    names, printed = {"__name__": "page"}, []
    for program in programs:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(program, "page", "exec"), names)
        printed.append("".join(line.rstrip() + "\n" for line in output.getvalue().splitlines()))
    return printed


def fits(there, printed):
    """Whether lines of a page are what is printed; a line of dots stands for any lines."""
    if there and there[0] == "…":
        return any(fits(there[1:], printed[skip:]) for skip in range(1, len(printed) + 1))
    return there == printed if not (there and printed) else there[0] == printed[0] and fits(there[1:], printed[1:])


def seeded(tmp_path):
    """The replacement of the system's random function in a process of a test: the package itself takes no seed."""
    library = tmp_path / "seeded.so"
    source = PROJECT / "rust" / "pages" / "src" / "seeded.c"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return library


def printed_by(page, programs, tmp_path, library):
    folder = tmp_path / page.relative_to(PROJECT).as_posix().replace("/", "-")
    shutil.copytree(PROJECT / "examples" / "data", folder / "examples" / "data")
    for file in FILE.finditer(page.read_text() if page.exists() else ""):
        (folder / "examples" / "data" / file[2]).write_text(file[1])
    environment = {**os.environ, "LD_PRELOAD": str(library), "PAGE_SEED": page.name}
    command = [sys.executable, __file__]
    given = json.dumps(programs)
    ran = subprocess.run(command, input=given, capture_output=True, text=True, cwd=folder / "examples" / "data", env=environment)
    assert ran.returncode == 0, f"{page}: {ran.stderr}"
    return json.loads(ran.stdout)


def test_python_prints_what_pages_show(tmp_path):
    library, wrong = seeded(tmp_path), []
    for page in PAGES:
        text = page.read_text()
        found = [snippet for snippet in SNIPPET.finditer(text) if not FOREIGN.search(snippet[1])]
        if not found:
            continue
        changed = text
        for snippet, output in reversed(list(zip(found, printed_by(page, [snippet[1] for snippet in found], tmp_path, library)))):
            if fits((snippet[3] or "").splitlines(), output.splitlines()):
                continue
            shown = f"```python\n{snippet[1]}```\n" + (f"\n```text\n{output}```\n" if output else "")
            changed = changed[: snippet.start()] + shown + changed[snippet.end() :]
        if changed == text:
            continue
        if "UPDATE" in os.environ:
            page.write_text(changed)
        else:
            wrong += [f"{page}: differs from what its Python prints", *difflib.unified_diff(text.splitlines(), changed.splitlines(), lineterm="", n=0)]
    assert not wrong, "\n".join(wrong)


def test_the_package_takes_no_seed(tmp_path):
    """Without the replaced function of the system, two releases differ, whatever the environment says."""
    program = """
from indistinct import Epsilon, Ledger, Session
import os
if os.path.exists("l"): os.remove("l")
session = Session(Ledger.create("l", "a", Epsilon(1)), "a", "1 row added or removed").add_table(
    "calls", columns={"cost": "float(missing)"}, data="calls.csv", csv=dict(delimiter=";", decimal=","))
print(session.release(session.price_sql("SELECT SUM(CLAMP(cost, 0, 2000)) FROM calls", spend=Epsilon(1)), "sum"))
"""
    release = lambda number, library: printed_by(PROJECT / f"{number}.md", [program], tmp_path, library)
    environment, os.environ["PAGE_SEED"] = dict(os.environ), "1"
    assert release(1, "") != release(2, "")
    os.environ.pop("PAGE_SEED")
    os.environ.update(environment)


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
