#!/usr/bin/env python3
"""Small changes to the code that no test notices: `make mutants`, see docs/dev/mutants.md.

cargo-mutants says what to change, and would build the crate anew for each change. Here all changes are built into one program, each as
a second body of its function that the variable MUTANT chooses:

    fn f(x: u32) -> u32 { match crate::mutant() { 17 => { x - 1 } _ => { x + 1 } } }

so that a change costs the run of a few tests. What does not compile is left out, by the lines of the compiler's errors.

FILES   what to change; by default maps, samplers and rounding
RE      only changes whose name matches this regular expression
JOBS    test programs at a time (2)
NAME    the run's name: what an earlier run of the same name noticed is not tried again
STAGES  0: constants and the like, which are built one at a time; 1: unit tests of the changed file that take no long time, and those of its folder beside the source; 2: all of the crate, with the tests beside it and those of its maps; 3: the audit's gate, the laws of
        samplers and the tests that cross crates. Each runs on what the one before missed; by default 012
RESUME  1: with the programs as the last run of this name has built them, whose changes these are
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target" / "mutants"
# Runs of other names have trees and results of their own.
NAME = os.environ.get("NAME", "all")
TREE = TARGET / NAME
RESULTS = TARGET / "results"
CRATES = ["numeric", "sampling", "accounting", "indistinct"]
# Modules of a crate's integration tests that belong to the unit tests of a crate; one of the name of a changed file's folder is run with those of the file.
BESIDE = {
    "indistinct-numeric": ("indistinct-numeric", ["fast_path", "bracket"]),
    "indistinct-accounting": ("indistinct-accounting", ["concentrated", "gaussian", "renyi", "bounds", "profile", "composition", "known_failures"]),
    "indistinct": ("indistinct-tests", ["roundings", "maps"]),
}
FILES = (
    "rust/numeric/src/arithmetic.rs rust/numeric/src/fast.rs rust/numeric/src/integer.rs rust/numeric/src/convert.rs "
    "rust/sampling/src rust/indistinct/src/measures rust/indistinct/src/measurements rust/indistinct/src/transformations "
    "rust/indistinct/src/combinators rust/indistinct/src/metrics rust/indistinct/src/domains rust/indistinct/src/core "
    "rust/accounting/src/conversions rust/accounting/src/concentrated rust/accounting/src/gaussian rust/accounting/src/renyi"
)
# For their time: ten million random pairs are left to the third stage, all digits of coins to the second, and the tests of what nothing else
# builds on to changes of their own files.
# The names of the prelude are others in the copy, where every result has the name that cargo-mutants knows.
SLOW, SLOWER = ["--skip", "bernoulli::tests::enumerated_laws", "--skip", "prelude::tests"], ["--skip", "random_pairs"]
LEAVES = (
    "bernoulli::",
    "snapped::",
    "reference::",
    "measurements::above_threshold::",
    "measurements::tree_aggregation::",
    "measurements::matrix_factorization::",
    "measurements::alp::",
)
# More than any test needs: CPU seconds beyond five times what a run takes unchanged, and bytes.
CPU_SECONDS, BYTES = 5, 6 << 30
ENVIRONMENT = dict(
    os.environ,
    # One of each name: for cargo the same package of two trees is one, and the last build would be run for both.
    CARGO_TARGET_DIR=str(TARGET / "built" / NAME),
    RUSTFLAGS="--cap-lints=warn",
    RUST_TEST_THREADS="2",
    # Functions with many bodies have large frames.
    RUST_MIN_STACK=str(64 << 20),
    # The first failure ends a run: an option of the test harness that is not yet stable.
    RUSTC_BOOTSTRAP="1",
    # The same random cases for all, none of which is kept: a case kept for one change would be tried on all later ones.
    PROPTEST_RNG_SEED="1",
    PROPTEST_DISABLE_FAILURE_PERSISTENCE="1",
)


def copy_tree():
    """A copy of the project in which every result is called so, for cargo-mutants knows it by its name."""
    shutil.rmtree(TREE, ignore_errors=True)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).exists():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)
    for crate in CRATES:
        for path in (TREE / "rust" / crate / "src").rglob("*.rs"):
            lines = path.read_text().split("\n")
            lines = [line if re.match(r"\s*//[/!]", line) else re.sub(r"\bFallible\b", "Result", line) for line in lines]
            text = "\n".join(lines).replace(
                "pub type Result<T> = Result<T, Error>;",
                "pub type Result<T, E = Error> = core::result::Result<T, E>;\n/// The same.\npub type Fallible<T> = Result<T>;",
            )
            text = re.sub(r"^(pub use error::\{.*)Result", r"\1Fallible, Result", text, flags=re.M)
            text = text.replace("Explanation, Result", "Explanation, Fallible, Result")
            # What is always inlined, with all of its bodies into all of another's, grows without bound.
            path.write_text(write_out(text.replace("#[inline(always)]", "#[inline]"), path))
        # A crate that depends on itself, for its testing sources, is built twice: in the copy it has them by default.
        manifest = TREE / "rust" / crate / "Cargo.toml"
        text = re.sub(r'^indistinct(-sampling)? = \{ path = "\.".*\n', "", manifest.read_text(), flags=re.M)
        has_testing = re.search(r"^testing = ", text, flags=re.M)
        if has_testing and re.search(r"^default = \[", text, flags=re.M):
            text = re.sub(r"^default = \[", 'default = ["testing", ', text, flags=re.M)
        else:
            text = re.sub(r"^testing = ", 'default = ["testing"]\ntesting = ', text, flags=re.M)
        manifest.write_text(text)


CHOICE = """
/// The number of the change at hand.
pub(crate) fn mutant() -> u32 {
    static NUMBER: std::sync::LazyLock<u32> =
        std::sync::LazyLock::new(|| std::env::var("MUTANT").map_or(0, |number| number.parse().unwrap_or(0)));
    *NUMBER
}
"""


def write_out(text, path):
    """Macros of one arm, `($(pattern)+) => {$(items)+}`, written out for the first of the types that they are called with, and for all whose
    expressions differ: cargo-mutants changes nothing inside of a macro, and much is declared for many types at a time."""
    macro = r"^macro_rules! (\w+) \{\n    \(\$\(((?:(?!\$\().)+?)\)(,?)\+ ?(?:\$\(,\)\?)?\) => \{\$\(\n(.*?)\n    \)\+\};\n\}\n"
    for name, pattern, separator, body in re.findall(macro, text, flags=re.M | re.S):
        variables = re.findall(r"\$(\w+):(\w+)", pattern)
        parts = re.split(r"(\$\w+:\w+|\s+)", pattern)
        item = "".join("(.+?)" if re.match(r"\$\w+:", part) else r"\s+" if part.isspace() else re.escape(part) for part in parts)
        item = re.compile(r"\s*(" + item + (r"(?:,|\Z)" if separator else "") + r")\s*", re.S)
        seen = set()

        def written(call):
            calls, copies, rest = (call[1] or call[2]).strip(), "", ""
            while calls:
                found = item.match(calls)
                if not found:
                    sys.exit(f"{path}: {name}: {calls}")
                calls = calls[found.end() :]
                values = dict(zip((variable for variable, _ in variables), found.groups()[1:]))
                expressions = tuple(values[variable] for variable, kind in variables if kind == "expr")
                if expressions in seen:
                    rest += f"    {found[1]}\n"
                    continue
                seen.add(expressions)
                values.update((variable, f"({values[variable]})") for variable, kind in variables if kind == "expr")
                copies += re.sub(r"\$(\w+)", lambda use: values.get(use[1], use[0]), body) + "\n"
            return copies + (f"{name}! {{\n{rest}}}\n" if rest else "")

        text = re.sub(r"^" + name + r"!(?:\(([^\n]*)\);| \{\n(.*?)\n\})\n", written, text, flags=re.M | re.S)
    return text


def list_changes():
    arguments = ["cargo", "mutants", "--list", "--json", "--no-shuffle"]
    for file in os.environ.get("FILES", "").split() or FILES.split():
        arguments += ["--file", f"{file}/**/*.rs" if (TREE / file).is_dir() else file]
    listed = json.loads(subprocess.run(arguments, cwd=TREE, check=True, stdout=subprocess.PIPE, text=True).stdout)
    listed += turned_around(listed)
    listed = [change for change in listed if re.search(os.environ.get("RE", ""), change["name"])]
    for crate in CRATES:
        with open(TREE / "rust" / crate / "src" / "lib.rs", "a") as root:
            root.write(CHOICE)
    return {number: change for number, change in enumerate(listed, 1)}


def turned_around(listed):
    """Roundings turned around, which cargo-mutants does not know: up for down, and the upper end of an enclosure for the lower."""
    by_file = defaultdict(list)
    for change in listed:
        if change["function"]:
            by_file[change["file"]].append(change)
    for file, changes in by_file.items():
        text = (TREE / file).read_text().split("#[cfg(test)]\nmod tests")[0]
        for found in re.finditer(r"(?<!fn )\b(inf_|neg_inf_)(?=[a-z])|(?<=\.)(upper|lower)\b", text):
            line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
            around = [change for change in changes if is_within(line, change["function"]["span"])]
            if "//" in text[found.start() - column + 1 : found.start()] or not around:
                continue
            other = {"inf_": "neg_inf_", "neg_inf_": "inf_", "upper": "lower", "lower": "upper"}[found[0]]
            inner = max(around, key=lambda change: change["function"]["span"]["start"]["line"])
            end = {"line": line, "column": column + len(found[0])}
            name = f"{file}:{line}:{column}: turn {found[0]} into {other} in {inner['function']['function_name']}"
            yield dict(inner, name=name, replacement=other, span={"start": {"line": line, "column": column}, "end": end})


def is_within(line, span):
    return span["start"]["line"] <= line <= span["end"]["line"]


class Source:
    """A file, with the changes to be tried in it."""

    def __init__(self, name, changes):
        self.name, self.changes = name, changes
        self.text = (TREE / name).read_text()
        self.lines = [0]
        for line in self.text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.functions = defaultdict(list)
        self.outside = []
        for number, change in changes.items():
            body = self.body(change["function"])
            if body:
                self.functions[body].append(number)
            else:
                self.outside.append(number)

    def offset(self, place):
        return self.lines[place["line"] - 1] + place["column"] - 1

    def body(self, function):
        """Where the body of a function is, between its braces; none for what runs when the program is compiled, and for a function whose
        type is that of its body, but for an iterator."""
        if not function or "impl " in function["return_type"] and not self.item(function):
            return None
        start, end = (self.offset(function["span"][side]) for side in ("start", "end"))
        name = re.escape(function["function_name"].split("::")[-1])
        head = re.search(r"^[^/\n]*?\bfn\s+" + name + r"\b", self.text[start:end], flags=re.M)
        if not head or "const fn" in head[0]:
            return None
        return self.text.index("{", start + head.end(), end) + 1, end - 1

    @staticmethod
    def item(function):
        """What the iterator is of that a function returns, of a type that only its body says: all bodies then collect what theirs has."""
        found = re.match(r"-> impl Iterator<Item ?= ?(.*)>$", function["return_type"])
        return found and found[1]

    def written(self, left_out):
        """The text with all changes but those left out, and which lines each has."""
        lines, out, line = {}, [], 1

        def emit(text):
            nonlocal line
            out.append(text)
            line += text.count("\n")

        def emit_range(start, end):
            """The text as it is, but for the functions in it."""
            nonlocal line
            inside = sorted(body for body in self.functions if start <= body[0] and body[1] <= end)
            for body in inside:
                if body[0] < start:
                    continue
                emit(self.text[start : body[0]])
                numbers = [number for number in self.functions[body] if number not in left_out]
                item = self.item(self.changes[self.functions[body][0]]["function"])
                opened, closed = (f"Iterator::collect::<Vec<{item}>>({{", "}).into_iter()") if item else ("", "")
                emit(" match crate::mutant() {\n")
                for number in numbers:
                    span = self.changes[number]["span"]
                    first = line
                    changed = self.text[body[0] : self.offset(span["start"])] + self.changes[number]["replacement"]
                    emit(f"{number} => {{\n{opened}{changed}{self.text[self.offset(span['end']) : body[1]]}{closed}\n}}\n")
                    lines[number] = (first, line)
                emit("_ => {\n" + opened)
                nested = self.functions.pop(body)
                emit_range(*body)
                self.functions[body] = nested
                emit(closed + "\n} } ")
                start = body[1]
            emit(self.text[start:end])

        emit_range(0, len(self.text))
        return "".join(out), lines


    def alone(self, number):
        """The text with one change, and no other way to run it."""
        span = self.changes[number]["span"]
        return self.text[: self.offset(span["start"])] + self.changes[number]["replacement"] + self.text[self.offset(span["end"]) :]


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=TREE, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def sources_of(changes):
    by_file = defaultdict(dict)
    for number, change in changes.items():
        by_file[change["file"]][number] = change
    return [Source(name, of_file) for name, of_file in by_file.items()]


def build_in(changes, sources):
    """Write all changes that compile into the tree; returns those that do not, and those that cannot be built in."""
    packages = [part for package in sorted({change["package"] for change in changes.values()}) for part in ("-p", package)]
    outside = {number for source in sources for number in source.outside}
    left_out = set()
    while True:
        lines = {}
        for source in sources:
            text, lines[source.name] = source.written(left_out | outside)
            (TREE / source.name).write_text(text)
        checked = cargo("check", "--profile", "mutants", "--message-format", "json", *packages)
        failing, elsewhere = set(), []
        for message in map(json.loads, checked.stdout.splitlines()):
            message = message.get("message")
            if not message or message["level"] != "error" or not message["spans"]:
                continue
            hit = {
                number
                for span in message["spans"]
                for number, (first, last) in lines.get(span["file_name"], {}).items()
                if span["is_primary"] and first <= span["line_start"] and span["line_end"] <= last
            }
            failing |= hit
            if not hit:
                elsewhere.append(message["rendered"])
        if checked.returncode == 0:
            return left_out, outside
        if not failing:
            sys.exit("no change to blame:\n" + "\n".join(elsewhere))
        print(f"{len(failing)} do not compile", flush=True)
        left_out |= failing


def programs(*arguments):
    """The test programs that cargo builds, with their packages' folders."""
    built = cargo("test", "--profile", "mutants", "--no-run", "--message-format", "json", *arguments)
    if built.returncode:
        sys.exit("the tests do not compile: " + " ".join(arguments) + "\n" + built.stdout[-3000:])
    found = []
    for message in map(json.loads, built.stdout.splitlines()):
        if message.get("executable") and message["profile"]["test"]:
            found.append((message["target"]["name"], message["executable"], Path(message["manifest_path"]).parent))
    return found


def run(program, number, filters, cpu):
    """Run a test program on a change: "passed", "failed" or "timeout"."""
    _, path, folder = program

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu), int(cpu) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    child = subprocess.Popen(
        [path, "-Z", "unstable-options", "--fail-fast", "--quiet", *filters],
        cwd=folder,
        env=dict(ENVIRONMENT, MUTANT=str(number), CARGO_MANIFEST_DIR=str(folder)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=limit,
    )
    try:
        status = child.wait(timeout=20 * cpu)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return "timeout"
    # 24 is the signal of a process that used up its time.
    return "passed" if status == 0 else "timeout" if status in (-24, -9) else "failed"


def module(change):
    """The module of a file: `rust/sampling/src/entropy/os.rs` is `entropy::os`."""
    return change["file"].split("/src/")[1].removesuffix(".rs").removesuffix("/mod").replace("/", "::")


class Unchanged:
    """The CPU seconds that runs take without a change, measured when first asked for."""

    def __init__(self):
        self.seconds, self.programs, self.lock = {}, {}, threading.Lock()

    def limit(self, program, filters):
        key = (program[1], *filters)
        with self.lock:
            if key not in self.seconds:
                before = os.times()
                self.must_pass(program, filters)
                after = os.times()
                # Of this run and, at most, of others that ended meanwhile.
                self.seconds[key] = after.children_user + after.children_system - before.children_user - before.children_system
                self.programs[key] = program, filters
            return CPU_SECONDS + 5 * self.seconds[key]

    def again(self):
        """What passed before all changes passes after them, or nothing that was noticed means anything."""
        for program, filters in self.programs.values():
            self.must_pass(program, filters)

    @staticmethod
    def must_pass(program, filters):
        if run(program, 0, filters, 3600) != "passed":
            # Also ends the threads that are at work.
            print(f"{program[0]} does not pass unchanged: {filters}", flush=True)
            os._exit(1)


def all_of(package):
    """The unit tests of a package, and the integration tests that belong to them: a program, and the module of each."""
    crate, modules = BESIDE.get(package, (package, []))
    (unit,) = programs("-p", package, "--lib")
    beside = programs("-p", crate, "--test", "integration") if modules else []
    return unit, [(program, module) for program in beside for module in modules]


def unit_tests(changes, stage):
    """How a change is tried in the first stages: the runs of a program, each with its filters."""
    found = {package: all_of(package) for package in {change["package"] for change in changes.values()}}
    long_of = {package: long_tests(unit) for package, (unit, _) in found.items()}
    folders = {module(change).split("::")[0] for change in changes.values()}
    # The tests beside the source, of the folders that are changed.
    long_beside = {name: long_tests(program, name) for _, others in found.values() for program, name in others if name in folders}

    def plan(change):
        unit, others = found[change["package"]]
        long = long_of[change["package"]]
        folder = module(change).split("::")[0]
        if stage == "1":
            # Nearly every change is noticed by the tests of its file, in less than a second.
            own = [(unit, [f"{module(change)}::", *skip(long), *SLOW])]
            return own + [(program, [f"{name}::", *skip(long_beside[name]), *SLOWER]) for program, name in others if name == folder]
        mine = f"{module(change)}::"
        leaf = next((leaf for leaf in LEAVES if mine.startswith(leaf)), None)
        # Those of the file first, the long ones too.
        own = [(unit, [leaf or mine])]
        common = [(unit, ["--exact", name]) for name in long if not name.startswith(LEAVES)]
        beside = [(program, [f"{name}::", *SLOWER]) for program, name in sorted(others, key=lambda other: other[1] != folder)]
        return own + beside + common[:1] + [(unit, [*skip(long), *SLOW])] + common[1:]

    return plan


def skip(names):
    return [part for name in names for part in ("--skip", name)]


def long_tests(program, module=""):
    """Those that take more than a third of a second, once measured: they run after the others, the shortest first."""
    name, path, folder = program
    known = RESULTS / f"long-{name}{module and '-' + module}.json"
    if not known.exists():
        command = [path, *([f"{module}::"] if module else []), "-Z", "unstable-options", "--report-time", "--test-threads", "1", *SLOW, *SLOWER]
        report = subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout
        times = re.findall(r"^test (\S+).* \.\.\. ok <([\d.]+)s>$", report, flags=re.M)
        long = sorted((float(seconds), name) for name, seconds in times if float(seconds) > 0.3)
        known.write_text(json.dumps([name for _, name in long]))
    return json.loads(known.read_text())


def try_alone(changes, sources, tally):
    """Constants and the like, one at a time: all unit tests of the crate."""
    for source in sources:
        (TREE / source.name).write_text(source.text)
    done = tally.outcomes()
    for source in sources:
        for number in source.outside:
            change = changes[number]
            if done.get(change["name"], "survived") != "survived":
                continue
            (TREE / source.name).write_text(source.alone(number))
            if cargo("check", "--profile", "mutants", "-p", change["package"]).returncode:
                tally.add("unviable", change)
            else:
                attempt(change, 0, own_and_all, None, tally)
        (TREE / source.name).write_text(source.text)


def own_and_all(change):
    """The unit tests of the changed file, and then all of the crate, which are built only if those pass."""
    for program in programs("-p", change["package"], "--lib"):
        yield program, [f"{module(change)}::", *SLOW]
    unit, beside = all_of(change["package"])
    yield unit, SLOW
    for program, name in beside:
        yield program, [f"{name}::", *SLOWER]


def crossing_tests():
    """The third stage, for every change: all tests of the audit's gate and of what crosses crates. Hashes of pages notice every change, and
    say nothing of the code, so that xtask is not among them."""
    found = programs("-p", "indistinct-sampling", "-p", "indistinct-numeric", "-p", "indistinct-tests", "-p", "indistinct-audit", "-p", "indistinct-gate", "--tests")
    units = {"indistinct_sampling", "indistinct_numeric", "forks", "fuzz"}
    plan = [(program, ["--skip", "compile_fail::"]) for program in found if program[0] not in units]
    return lambda change: plan


class Tally:
    """What became of each change, by name, on disk."""

    def __init__(self, name, stage):
        RESULTS.mkdir(parents=True, exist_ok=True)
        self.path, self.lock = RESULTS / f"{name}-{stage}.txt", threading.Lock()
        self.file = open(self.path, "a", buffering=1)

    def outcomes(self):
        """The last outcome of each change."""
        return {line.split("\t")[1]: line.split("\t")[0] for line in open(self.path)}

    def add(self, outcome, change, by="", seconds=0.0):
        with self.lock:
            self.file.write(f"{outcome}\t{change['name']}\t{by}\t{seconds:.1f}\n")


def attempt(change, number, plan, unchanged, tally):
    start = time.monotonic()
    for program, filters in plan(change):
        outcome = run(program, number, filters, unchanged.limit(program, filters) if unchanged else 120)
        if outcome != "passed":
            tally.add({"failed": "noticed"}.get(outcome, outcome), change, program[0], time.monotonic() - start)
            return
    tally.add("survived", change, "", time.monotonic() - start)


def build(stages):
    """The changes of this run, those that can be tried, and those that do not compile."""
    copy_tree()
    changes = list_changes()
    print(f"{len(changes)} changes", flush=True)
    # What an earlier run noticed need not be built again.
    known = Tally(NAME, "1").outcomes()
    changes = {number: change for number, change in changes.items() if known.get(change["name"], "survived") == "survived"}
    sources = sources_of(changes)
    if "0" in stages:
        try_alone(changes, sources, Tally(NAME, "0"))
        if stages == "0":
            return changes, {}, set()
    left_out, outside = build_in(changes, sources)
    print(f"{len(outside)} are untried", flush=True)
    tried = {number: change for number, change in changes.items() if number not in left_out | outside}
    (RESULTS / f"{NAME}.json").write_text(json.dumps([changes, tried, sorted(left_out)]))
    return changes, tried, left_out


def resume():
    """The same, of the last run of this name."""
    changes, tried, left_out = json.loads((RESULTS / f"{NAME}.json").read_text())
    numbered = lambda changes: {int(number): change for number, change in changes.items()}
    return numbered(changes), numbered(tried), left_out


def main():
    started = time.monotonic()
    os.nice(max(0, 15 - os.nice(0)))
    stages = os.environ.get("STAGES", "012")
    if os.environ.get("RESUME"):
        changes, tried, left_out = resume()
    else:
        changes, tried, left_out = build(stages)
    if stages != "0":
        print(f"{len(tried)} compile: {time.monotonic() - started:.0f} seconds", flush=True)
    for stage in stages.replace("0", ""):
        tally = Tally(NAME, stage)
        if stage == "1":
            for number in sorted(left_out):
                tally.add("unviable", changes[number])
        else:
            before = Tally(NAME, str(int(stage) - 1)).outcomes()
            tried = {number: change for number, change in tried.items() if before.get(change["name"]) == "survived"}
        plan = crossing_tests() if stage == "3" else unit_tests(tried, stage)
        print(f"built: {time.monotonic() - started:.0f} seconds", flush=True)
        with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            unchanged = Unchanged()
            done = {change for change, outcome in tally.outcomes().items() if outcome in ("noticed", "timeout")}
            left = [(number, change) for number, change in tried.items() if change["name"] not in done]
            list(pool.map(lambda item: attempt(item[1], item[0], plan, unchanged, tally), left))
        unchanged.again()
        counts = defaultdict(int)
        for outcome in tally.outcomes().values():
            counts[outcome] += 1
        print(f"stage {stage}: {dict(counts)}, {time.monotonic() - started:.0f} seconds", flush=True)


main()
