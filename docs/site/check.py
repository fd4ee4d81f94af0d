"""Follows the links of the site, and reads it in a browser, as it is in its folder and without a network: `make site-check`.

    check.py <site> <hyperlink> <browser> [<folder for pictures>]

Every link within the site leads to a page, and to a place on it. Every page: no error on the console, nothing asked of a network, no formula with an error or left as text, and at 360 and
1280 points no page that scrolls sideways. Then the search, light and dark, and the way by the keyboard.
"""

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NARROW, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 900}

# Links of rustdoc that are no mistake of a page: several lines of a source, which its script reads; scripts that it
# leaves out where they would be empty; methods that are not documented.
OF_RUSTDOC = re.compile(r"\.rs\.html#\d+-\d+$|/api/trait\.impl/|/api/.*#tymethod\.")

# Of the API's pages, which rustdoc writes and tests, one of each kind.
API = ["index.html", "transformations/fn.make_sum.html", "metrics/struct.SymmetricDistance.html", "core/index.html"]

# Pages of each kind, of which pictures are taken.
SHOWN = ["index", "docs/guide/1-privacy", "docs/CONSTRUCTORS", "docs/ACCOUNTING", "proofs/transformations/sum",
         "proofs/INDEX", "examples/stays.rs"]

TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return null;
    const wide = [...document.querySelectorAll("article *")].filter((one) =>
        one.getBoundingClientRect().right > width + 1);
    return wide.slice(0, 3).map((one) => one.tagName + "." + one.className + " " + one.textContent.slice(0, 60)).join("; ")
        || "outside of the text";
}"""

FORMULAS = r"""() => {
    const wrong = [...document.querySelectorAll(".katex-error")].map((one) => one.textContent);
    const texts = document.createTreeWalker(document.querySelector("article") || document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (/\$[^$]*\\[a-z]+/.test(text.data) && !text.parentElement.closest("pre, code, annotation, script"))
            wrong.push(text.data);
    }
    return wrong;
}"""

FOCUSED = """() => {
    const one = document.activeElement;
    const style = getComputedStyle(one);
    const place = one.closest("article") ? "text" : one.closest(".sidebar-tree") ? "contents"
        : one.matches(".sidebar-search") ? "search" : "other";
    const seen = style.outlineStyle !== "none" || style.boxShadow !== "none" || place === "search";
    return [place, seen, one.outerHTML.slice(0, 90)];
}"""


def check_links(hyperlink, site, problems):
    said = subprocess.run([hyperlink, site, "--check-anchors"], capture_output=True, text=True, check=False).stdout
    page = None
    for line in said.splitlines():
        found = re.match(r"  error: bad link (.*)", line)
        if found and not OF_RUSTDOC.search(found[1]):
            problems.append(f"{page}: leads nowhere: {found[1]}")
        page = line if line and not line.startswith(" ") else page
    links = re.search(r"Checking (\d+) links", said)
    if not links or int(links[1]) < 10_000:
        problems.append(f"no links were followed: {said[:200]}")


def check_pages(page, site, addresses, problems):
    here = []
    page.on("console", lambda said: here.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: here.append(str(error)))
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else here.append(asked.url))
    page.on("requestfailed", lambda asked: here.append(f"not found: {asked.url}"))
    for address in addresses:
        name = address.relative_to(site).as_posix()
        page.set_viewport_size(NARROW)
        page.goto(address.as_uri())
        for size in (NARROW, WIDE):
            page.set_viewport_size(size)
            wide = page.evaluate(TOO_WIDE)
            if wide:
                here.append(f"scrolls sideways at {size['width']}: {wide}")
        here += [f"formula: {wrong}" for wrong in page.evaluate(FORMULAS)]
        problems += [f"{name}: {what}" for what in here]
        here.clear()


def check_search(page, site, problems):
    """From the first page, by the keyboard alone."""
    page.set_viewport_size(WIDE)
    page.goto((site / "index.html").as_uri())
    page.locator(".sidebar-search").focus()
    page.keyboard.type("sensitivity")
    page.keyboard.press("Enter")
    try:
        page.wait_for_selector("#search-results li a", timeout=20_000)
    except Exception:  # what a browser says of a wait that ends is no better than this
        problems.append("the search finds nothing for sensitivity")
        return
    page.goto((site / "search.html").as_uri() + "?q=qwertzuiop")
    page.wait_for_function("document.querySelector('#search-results')?.innerText.includes('did not match')")


def check_keyboard(page, site, problems):
    for size in (NARROW, WIDE):
        page.set_viewport_size(size)
        page.goto((site / "docs/guide/README.html").as_uri())
        reached = set()
        for _ in range(400):
            page.keyboard.press("Tab")
            place, seen, what = page.evaluate(FOCUSED)
            if not seen:
                problems.append(f"the focus does not show at {size['width']}: {what}")
                break
            reached.add(place)
            if place == "text":
                break
        wanted = {"text"} if size is NARROW else {"text", "search", "contents"}
        problems += [f"the keyboard does not reach the {place} at {size['width']}" for place in wanted - reached]


def check_schemes(browser, site, problems):
    """Light and dark, as the reader's system says."""
    dark = {}
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto((site / "index.html").as_uri())
        colors = page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
            ".map((color) => color.match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))"
        )
        dark[scheme] = colors[0] < colors[1]
        page.close()
    if dark != {"light": False, "dark": True}:
        problems.append(f"dark: {dark}")


def take_pictures(browser, site, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for kind, size in (("narrow", NARROW), ("wide", WIDE)):
            page = browser.new_page(color_scheme=scheme, viewport=size)
            for name in SHOWN:
                page.goto((site / f"{name}.html").as_uri())
                page.screenshot(path=folder / f"{name.replace('/', '-')}-{kind}-{scheme}.png")
            page.close()


def check_itself(page):
    """A page that is wrong in each way is seen to be."""
    page.set_viewport_size(NARROW)
    page.set_content(r"<article><p style='width: 900px'>wide</p><p>$\alpha$ and <code>$\beta$</code></p></article>")
    assert "wide" in page.evaluate(TOO_WIDE)
    assert page.evaluate(FORMULAS) == [r"$\alpha$ and "]


def main(site, hyperlink, browser, pictures=None):
    problems = []
    check_links(hyperlink, site, problems)
    pages = [path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] not in ("api", "_static")]
    if (site / "api").is_dir():
        pages += [site / "api/indistinct" / name for name in API]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser)
        page = chromium.new_page()
        check_itself(page)
        check_search(page, site, problems)
        check_keyboard(page, site, problems)
        check_schemes(chromium, site, problems)
        check_pages(page, site, pages, problems)
        if pictures:
            take_pictures(chromium, site, Path(pictures))
        chromium.close()
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages read, {len(problems)} problems")
    if problems or len(pages) < 200:
        raise SystemExit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
