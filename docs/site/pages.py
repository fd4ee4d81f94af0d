"""Puts the pages of the repository where Sphinx reads them, as they are but for what GitHub shows of itself: the table
of contents, the head of a proof page, and the lines of an example that rustdoc hides."""

import re
import shutil
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def all_pages():
    """Every page for readers, by its path in the repository."""
    places = ["*.md", "docs/**/*.md", "proofs/**/*.md", "rust/*/README.md", "rust/cluster/*/README.md", "examples/**/*.md"]
    found = {path.relative_to(ROOT).as_posix() for place in places for path in ROOT.glob(place)}
    return sorted(found)


def docname(page):
    """The page of the site: README.md is its first one."""
    return "index" if page == "README.md" else page.removesuffix(".md")


def parts(pages):
    """Each part's title and pages; every page but the first is in one."""
    listed = tomllib.loads((ROOT / "docs/site/parts.toml").read_text())
    left = [page for page in pages if page != "README.md"]
    found, wrong = [], []

    def take(patterns):
        taken = []
        for pattern in patterns:
            matching = [page for page in left if Path(page).match(pattern) and page.count("/") == pattern.count("/")]
            if not matching and "*" not in pattern:
                wrong.append(f"docs/site/parts.toml names {pattern}, which does not exist or is named before")
            taken += matching
            left[:] = [page for page in left if page not in matching]
        return taken

    # A page that is named is in the part that names it, whatever pattern comes before.
    for part in listed["part"]:
        found.append((part["title"], part["pages"]))
    named = {page for _, patterns in found for page in patterns if "*" not in page}
    held = [page for page in left if page in named]
    left[:] = [page for page in left if page not in named]
    resolved = []
    for title, patterns in found:
        taken = []
        for pattern in patterns:
            if "*" in pattern:
                taken += take([pattern])
            elif pattern in held:
                taken.append(pattern)
            else:
                wrong.append(f"docs/site/parts.toml names {pattern}, which does not exist")
        resolved.append((title, taken))
    trees = []
    for tree in listed["tree"]:
        below = take(tree["pages"])
        folders = {}
        for page in [page for page in left if page.startswith(tree["folders"] + "/")]:
            folders.setdefault("/".join(page.split("/")[:2]), []).append(page)
            left.remove(page)
        trees.append((tree["top"], below, folders))
    wrong += [f"{page} is in no part of docs/site/parts.toml" for page in left]
    if wrong:
        raise SystemExit("\n".join(wrong))
    return [(title, taken) for title, taken in resolved if taken], trees


def toctree(entries, *options):
    lines = ["", "```{toctree}", *options, "", *[f"/{entry}" for entry in entries], "```", ""]
    return "\n".join(lines)


def head_of_proof(text):
    """What the front matter of a proof page says, as text below its title."""
    found = re.match(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    if not found:
        return text
    front, body = yaml.safe_load(found[1]), found[2]
    lines = [f"**Level {front['level']}**"]
    for measure, level in (front.get("under") or {}).items():
        lines[0] += f", {level} under `{measure}`"
    theorems = front.get("theorem") or []
    theorems = [theorems] if isinstance(theorems, str) else theorems
    if theorems:
        lines.append("Theorem: " + ", ".join(f"`{name}`" for name in theorems))
    if front.get("reviewed"):
        lines.append(f"Read against the code: {front['reviewed']}")
    if front.get("omits"):
        lines.append("Leaves out: " + " ".join(str(front["omits"]).split()))
    code = ["  " + f"`{str(unit).split()[0]}`" for unit in front.get("code") or []]
    lines.append("Code: " + ", ".join(unit.strip() for unit in code))
    title, _, rest = body.lstrip().partition("\n")
    return title + "\n\n" + "\n".join("> " + line + "  " for line in lines) + "\n\n" + rest


def shown_examples(text):
    """Code of Rust without the lines that rustdoc hides, and with a language that the highlighter knows."""
    lines, in_rust = [], False
    for line in text.split("\n"):
        fence = re.match(r"(\s*)```(\w*)", line)
        if fence:
            in_rust = not in_rust and fence[2] == "rust"
            lines.append(re.sub(r"```rust\b.*", "```rust", line))
        elif not (in_rust and re.match(r"\s*#( |$)", line)):
            lines.append(line)
    return "\n".join(lines)


def write(folder, name, text):
    """Writes only what has changed, so that Sphinx reads only that again."""
    path = folder / (name + ".md")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)
    return path


def stage(folder):
    """Writes the pages and the table of contents below this folder; what is there and is no page of now goes."""
    pages = all_pages()
    tables, trees = parts(pages)
    contents = {page: shown_examples(head_of_proof((ROOT / page).read_text())) for page in pages}
    for title, taken in tables:
        contents["README.md"] += toctree([docname(page) for page in taken], ":hidden:", f":caption: {title}")
    written = set()
    for top, below, folders in trees:
        indexes = [f"{name}/index" for name in folders]
        contents[top] += toctree([*[docname(page) for page in below], *indexes], ":hidden:")
        for name, inside in folders.items():
            title = name.split("/")[-1].capitalize()
            text = f"# {title}\n" + toctree([docname(page) for page in inside], ":maxdepth: 1")
            written.add(write(folder, f"{name}/index", text))
    written |= {write(folder, docname(page), text) for page, text in contents.items()}
    for path in folder.rglob("*.md"):
        if path not in written:
            path.unlink()
    for place in ["docs/figures"]:
        shutil.copytree(ROOT / place, folder / place, dirs_exist_ok=True)
