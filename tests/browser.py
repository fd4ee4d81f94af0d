"""The pages that `indistinct` writes, in a real browser: layout, messages, keyboard, print. `make browser` runs this.

The arguments are the program and a folder, in which the pages and a picture of each are left to be looked at.
"""

import pathlib
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

PROJECT = pathlib.Path(__file__).parents[1]
WIDTHS = {"wide": 1280, "narrow": 375}
SCHEMA = """
unit = "1 individual added or removed"

[tables.stays]
file = "stays.csv"
individuals = "patient"

[tables.stays.columns]
patient = "text"
region = 'category("north", "south", "east", "west", missing)'
days = "float(0..=30, missing)"

[tables.stays.csv]
delimiter = ";"
decimal = ","
missing = ["NA"]
drop_null = ["patient"]
"""
PLAN = """
version = 2
metric = "SymmetricIdDistance"
individuals = "patient"
columns = { patient = "text", days = "float(0..=30, missing)" }
steps = [
    { make = "bound_rows", columns = ["patient"], max_rows = 1 },
    { make = "rows", columns = ["patient"] },
    { make = "count" },
    { make = "gaussian", output_measure = "ZeroConcentratedDivergence", scale = 4 },
]
"""
# Longer than there is room for.
LONG = "a-key-of-a-release-that-is-longer-than-a-telephone-is-wide-and-has-no-space-to-be-broken-at"


def pages(program, folder):
    """One of each kind."""
    shutil.copy(PROJECT / "examples" / "data" / "stays.csv", folder)
    (folder / "schema.toml").write_text(SCHEMA)
    (folder / "count.toml").write_text(PLAN)
    (folder / "budget.ledger").unlink(missing_ok=True)

    def run(*arguments):
        subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    run("budget", "open", "stays of 2026", "--budget", "epsilon=2")
    run("budget", "add-account", "ann", "--parent", "stays of 2026", "--budget", "epsilon=1")
    question = "SELECT region, COUNT(*) AS stays, AVG(days) AS days FROM stays GROUP BY region"
    for key, account, cost in [("Q1", "ann", 0.25), ("Q2", "stays of 2026", 0.5), (LONG, "ann", 0.125), ("Q4", "ann", 0.5)]:
        spend = ["--spend", f"epsilon={cost}", "--name", key, "--account", account, "--yes"]
        run("release", question, *spend, "--force", "--html", "long.html" if key == LONG else "release.html")
    run("report", "--ledger", "budget.ledger", "--force", "--html", "account.html")
    for name, guarantee in [("pure", "epsilon=1"), ("pair", "epsilon=1,delta=1e-6"), ("rho", "rho=0.5"), ("mu", "mu=0.1")]:
        run("accounting", "curves", guarantee, "--force", "--html", f"{name}.html")
    run("accounting", "curves", "--plan", "count.toml", "--force", "--html", "plan.html")
    return sorted(folder.glob("*.html"))


# What is wrong with a page as it is laid out, each in a line.
LAYOUT = """() => {
    const wrong = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
        wrong.push(`the page is ${root.scrollWidth} wide, the window ${root.clientWidth}`);
    let level = 0;
    for (const heading of document.querySelectorAll("h1, h2, h3")) {
        const now = Number(heading.tagName[1]);
        if (now > level + 1) wrong.push(`${heading.textContent}: a heading of level ${now} below one of ${level}`);
        level = now;
    }
    for (const svg of document.querySelectorAll("svg")) {
        if (svg.getAttribute("role") !== "img" || !svg.getAttribute("aria-label")) wrong.push("a picture without a name");
        const box = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")];
        const boxes = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
        boxes.forEach(([name, text], place) => {
            if (text.left < box.left - 1 || text.right > box.right + 1 || text.top < box.top - 1 || text.bottom > box.bottom + 1)
                wrong.push(`${svg.getAttribute("aria-label")}: "${name}" is outside of the picture`);
            for (const [other, beside] of boxes.slice(place + 1))
                if (text.left < beside.right && beside.left < text.right && text.top < beside.bottom - 2 && beside.top < text.bottom - 2)
                    wrong.push(`${svg.getAttribute("aria-label")}: "${name}" is on "${other}"`);
        });
    }
    for (const table of document.querySelectorAll("table")) {
        if (!table.caption) wrong.push("a table without a caption");
        if (!table.querySelector("th")) wrong.push("a table without headers");
    }
    return wrong;
}"""


# The contrast of all text with what is behind it, at least 4.5, as WCAG 2.2 has it.
CONTRAST = """() => {
    const parts = color => color.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
        const linear = [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
    const wrong = [];
    for (const element of document.querySelectorAll("p, td, th, li, h1, h2, h3, caption, figcaption, text, summary")) {
        const style = getComputedStyle(element);
        const color = parts(element.tagName === "text" ? style.fill : style.color);
        const [a, b] = [light(color), light(canvas)];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) wrong.push(`${element.textContent}: a contrast of ${contrast.toFixed(1)}`);
    }
    return wrong;
}"""


def keyboard(page):
    """Each part that scrolls and each that opens is reached by the tabulator, is seen to be, and opens."""
    parts = page.locator("[tabindex], summary, a, button").count()
    seen = set()
    for _ in range(parts):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const at = document.activeElement; const style = getComputedStyle(at);"
            "return [[...document.querySelectorAll('*')].indexOf(at), style.outlineStyle] }"
        )
        assert found[1] != "none", "what has the focus is not seen to"
        seen.add(found[0])
    wrong = [] if len(seen) == parts else [f"the tabulator reaches {len(seen)} of {parts} parts"]
    for summary in page.locator("summary").all():
        summary.focus()
        page.keyboard.press("Enter")
        if not summary.evaluate("it => it.parentElement.open"):
            wrong.append("what is closed does not open")
    return wrong


def scrolling(page):
    """What is wider than a narrow window is reached by the arrows."""
    return page.evaluate(
        "() => [...document.querySelectorAll('.scroll')].filter(it => it.scrollWidth > it.clientWidth + 1)"
        ".filter(it => { it.scrollLeft = 40; return it.scrollLeft === 0 || it.tabIndex < 0 }).map(it => it.ariaLabel)"
    )


def look(browser, path, folder):
    wrong = []
    for scheme in ["light", "dark"]:
        for name, width in WIDTHS.items():
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            said = []
            page.on("console", lambda message: said.append(f"the console: {message.text}"))
            page.on("pageerror", lambda error: said.append(f"an error: {error}"))
            page.on("request", lambda request: said.append(f"asks for {request.url}") if request.url != path.as_uri() else None)
            page.goto(path.as_uri())
            page.screenshot(path=folder / f"{path.stem}-{name}-{scheme}.png", full_page=True)
            found = page.evaluate(LAYOUT) + page.evaluate(CONTRAST) + keyboard(page) + scrolling(page) + said
            wrong += [f"{path.name}, {name}, {scheme}: {what}" for what in found]
            page.close()
    page = browser.new_page()
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    if page.locator("details").count() and not page.locator("details pre").first.is_visible():
        wrong.append(f"{path.name}: what is closed is not printed")
    page.pdf(path=folder / f"{path.stem}.pdf")
    page.close()
    if path.stat().st_size > 300_000:
        wrong.append(f"{path.name}: has {path.stat().st_size} bytes")
    return wrong


def main(program, folder, browser):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    wrong = []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        found = pages(pathlib.Path(program).resolve(), folder)
        for path in found:
            wrong += look(opened, path, folder)
        print(f"{len(found)} pages in {opened.version}, {folder}")
        opened.close()
    print("\n".join(wrong) or "nothing is wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
