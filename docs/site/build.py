"""Builds the site: `make site`.

    build.py <tools> <site> [<api>]

<tools> has KaTeX and what is kept from one run to the next, <site> is written, <api> is what rustdoc has written, if it
is to be part of the site.
"""

import os
import posixpath
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from pages import ROOT, docname, stage  # noqa: E402


def with_fonts(tools):
    """KaTeX's style sheet, with the one kind of font that all browsers read."""
    dist, kept = tools / "node_modules/katex/dist", tools / "katex"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(dist / "fonts", kept / "fonts", ignore=shutil.ignore_patterns("*.ttf", "*.woff"))
    style = (dist / "katex.min.css").read_text()
    (kept / "katex.min.css").write_text(re.sub(r',url\([^)]*\.(woff|ttf)\) format\("\w+"\)', "", style))
    return kept


def copy_api(api, site):
    """The pages of rustdoc. Links to proofs lead to the site's pages, and links to a page that only leads on to where
    that does: it would lose the place on the page."""
    shutil.copytree(api, site / "api", ignore=shutil.ignore_patterns(".lock"), dirs_exist_ok=True)
    first = '<!DOCTYPE html><title>indistinct</title><meta http-equiv="refresh" content="0; url=indistinct/index.html">'
    (site / "api/index.html").write_text(first + '<a href="indistinct/index.html">indistinct</a>')
    texts = {page.relative_to(site).as_posix(): page.read_text() for page in (site / "api").rglob("*.html")}
    leads_on = {}
    for name, text in texts.items():
        found = re.search(r'http-equiv="refresh" content="0;URL=([^"]+)"', text[:500])
        if found:
            leads_on[name] = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[1]))
    for name, text in texts.items():
        folder = posixpath.dirname(name)

        def mended(found, folder=folder):
            target, anchor = found[1], found[2] or ""
            proof = re.fullmatch(r"(?:\.\./)+(proofs/[\w/]+)\.md", target)
            path = f"{proof[1]}.html" if proof else leads_on.get(posixpath.normpath(posixpath.join(folder, target)))
            return f'href="{posixpath.relpath(path, folder)}{anchor}"' if path else found[0]

        linked = re.sub(r'href="([^"#:]+)(#[^"]*)?"', mended, text)
        if linked != text:
            (site / name).write_text(linked)


def main(tools, site, api=None):
    pages = tools / "pages"
    stage(pages)
    os.environ["KATEX"], os.environ["KATEX_FONTS"] = str(tools / "node_modules/katex"), str(with_fonts(tools))
    os.environ["API"] = api or ""
    shutil.rmtree(site, ignore_errors=True)
    from sphinx.cmd.build import build_main

    arguments = ["-q", "-E", "-a", "-W", "--keep-going", "-b", "html", "-c", str(ROOT / "docs/site")]
    failed = build_main([*arguments, "-d", str(tools / "doctrees"), str(pages), str(site)])
    if failed:
        raise SystemExit(failed)
    if api:
        copy_api(Path(api), site)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *sys.argv[3:])
