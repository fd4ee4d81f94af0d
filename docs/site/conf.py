"""How Sphinx builds the site; `build.py` runs it."""

import functools
import json
import os
import posixpath
import subprocess
import sys
from pathlib import Path

from docutils import nodes
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

sys.path.insert(0, str(Path(__file__).parent))
from pages import ROOT, docname  # noqa: E402

HERE = Path(__file__).parent
REPOSITORY = "https://github.com/indistinct-dp/indistinct"

project = "indistinct"
html_title = "indistinct"
author = ""
copyright = ""
extensions = ["myst_parser"]
templates_path = [str(HERE / "templates")]
myst_enable_extensions = ["dollarmath", "strikethrough"]
myst_heading_anchors = 6
myst_dmath_allow_labels = False
myst_dmath_double_inline = True
# A page may skip a level of titles, and an example may have dots where its reader writes something.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# A summary would be fetched from the page, which a browser refuses where the site is a folder.
html_show_search_summary = False
html_static_path = [str(HERE / "static"), os.environ["KATEX_FONTS"]]
html_css_files = ["katex.min.css", "site.css"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/api.html",
        "sidebar/scroll-end.html",
    ]
}
html_context = {"has_api": bool(os.environ.get("API"))}
pygments_style = "default"
pygments_dark_style = "github-dark"

html_math_renderer = "katex"

sources = set()


def page_of(path):
    """The page of the site for a file or folder of the repository, without its ending, if there is one."""
    full = ROOT / path
    if path.endswith(".md") and full.is_file():
        return docname(path)
    if full.is_dir():
        if (full / "README.md").is_file():
            return docname(posixpath.join(path, "README.md") if path != "." else "README.md")
        if list(full.glob("*.md")) and path.startswith("proofs/"):
            return path + "/index"
    if full.exists():
        sources.add(path)
        return path
    return None


class Links(SphinxTransform):
    """Links as the repository has them: pages, sources, folders, and the repository's own address."""

    default_priority = 400

    def apply(self):
        here = self.env.docname
        folder = posixpath.dirname("README" if here == "index" else here)
        for node in list(self.document.findall(addnodes.pending_xref)):
            if node.get("refdomain") == "doc":
                continue
            target, _, anchor = node["reftarget"].partition("#")
            path = posixpath.normpath(posixpath.join(folder, target)) if target else None
            self.replace(node, path, anchor)
        for node in list(self.document.findall(nodes.reference)):
            target = node.get("refuri", "")
            if target == REPOSITORY or target.startswith(REPOSITORY + "/"):
                path, _, anchor = target.removeprefix(REPOSITORY).partition("#")
                path = path.removeprefix("/blob/main/").removeprefix("/tree/main/").strip("/")
                self.replace(node, posixpath.normpath(path or "."), anchor)

    def replace(self, node, path, anchor):
        page = path and page_of(path)
        if not page:
            return
        known = page in self.env.found_docs
        link = (addnodes.pending_xref if known else nodes.reference)("")
        link += node.children
        if known:
            link.attributes.update(
                refdomain="doc", reftype="myst", reftarget=page, reftargetid=anchor or None,
                refdoc=self.env.docname, refexplicit=True,
            )
        else:
            uri = posixpath.relpath(page + ".html", posixpath.dirname(self.env.docname) or ".")
            link["refuri"] = uri + ("#" + anchor if anchor else "")
            link["internal"] = True
        node.replace_self(link)


def pages_of_sources(app):
    """A page for each file and folder that a page links to."""
    for path in sorted(sources):
        if (ROOT / path).is_dir():
            yield from page_of_folder(path)
            continue
        text = (ROOT / path).read_text()
        body = app.builder.highlighter.highlight_block(text, language_of(path), force=True, linenos="inline")
        yield path, {"title": path, "body": f"<h1>{path.split('/')[-1]}</h1><p><code>{path}</code></p>{body}"}, "page.html"


def language_of(path):
    if path.endswith(".v"):
        return "coq"
    try:
        return get_lexer_for_filename(path).aliases[0]
    except ClassNotFound:
        return "text"


def page_of_folder(path):
    inside = sorted(entry for entry in (ROOT / path).iterdir() if not entry.name.startswith("."))
    lines = []
    for entry in inside:
        name = entry.relative_to(ROOT).as_posix()
        known = page_of_known(name)
        shown = entry.name + ("/" if entry.is_dir() else "")
        if known:
            uri = posixpath.relpath(known + ".html", posixpath.dirname(path) or ".")
            lines.append(f'<li><a href="{uri}">{shown}</a></li>')
        else:
            lines.append(f"<li>{shown}</li>")
    yield path, {"title": path, "body": f"<h1>{path}</h1><ul>{''.join(lines)}</ul>"}, "page.html"


def page_of_known(path):
    """The page of a file that has one already."""
    full = ROOT / path
    if path in sources:
        return path
    if path.endswith(".md") and full.is_file():
        return docname(path)
    if full.is_dir() and (full / "README.md").is_file():
        return docname(path + "/README.md")
    return None


@functools.cache
def katex():
    """KaTeX, which is asked a line and answers a line."""
    command = ["node", HERE / "formulas.js", os.environ["KATEX"]]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@functools.cache
def formula(text, stands_alone):
    """Formulas become HTML here, not in the reader's browser; one that KaTeX cannot read ends the build."""
    print(json.dumps([text, stands_alone]), file=katex().stdin, flush=True)
    answer = json.loads(katex().stdout.readline())
    if "error" in answer:
        raise ExtensionError(f"KaTeX cannot read {text}: {answer['error']}")
    return answer["html"]


def visit_inline(self, node):
    self.body.append(f'<span class="math">{formula(node.astext(), False)}</span>')
    raise nodes.SkipNode


def visit_alone(self, node):
    self.body.append(f'<div class="math">{formula(node.astext(), True)}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_alone, None))
    app.add_transform(Links)
    app.connect("html-collect-pages", pages_of_sources)
    return {"parallel_read_safe": False}
