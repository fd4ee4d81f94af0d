"""Pages for a browser, and what notebooks show."""

from html.parser import HTMLParser

import pytest

from indistinct import Epsilon, EpsilonDelta, QuestionError, Rho, accounting

FOREIGN = ["<script", "http://", "https://", "src=", "@import"]
OPEN = {"meta"}


class Page(HTMLParser):
    """A page whose elements are closed in the order in which they were opened."""

    def __init__(self, text):
        super().__init__()
        self.open, self.names = [], []
        self.feed(text)
        assert self.open == [] and not any(foreign in text for foreign in FOREIGN) and len(text) < 300_000

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        if tag not in OPEN:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.names.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
def release(session):
    query = session.query("stays").group_by(region=["north", "<b>&"]).count().mean("days", (0, 30))
    return session.release(query.price(spend=Epsilon(2.0), alpha=0.01), "<i>first")


def test_a_release_has_a_page(release):
    text = release.report()
    page = Page(text)
    assert page.names.count("svg") == 3 and "details" in page.names
    assert "each fails with probability 0.01" in text and "<b>" not in text and "<i>" not in text
    again = release.report(alpha=0.5)
    assert "each fails with probability 0.5<" in again and again.replace("0.5<", "0.01<") != text
    for alpha in [2.0, -1.0, float("nan")]:
        with pytest.raises(QuestionError):
            release.report(alpha=alpha)


def test_a_page_labels_the_intervals_that_it_has(session):
    first = session.price_sql("SELECT COUNT(*) FROM stays", spend=Epsilon(1.0))
    session.release(first, "count")
    again = session.release(session.price_sql("SELECT COUNT(*) FROM stays", spend=Epsilon(1.0), alpha=0.9), "count")
    assert again.is_replay and "each fails with probability 0.9<" in again.report()
    assert "SELECT COUNT(*) FROM stays" in again.report()


def test_notebooks_show_a_table_and_plots(release):
    shown = release._repr_html_()
    assert Page(shown).names.count("svg") == 2 and "<td>north</td>" in shown and "<b>" not in shown


def test_an_account_has_a_page(release, ledger):
    ledger.add_account("ann", "survey", Epsilon(1.0))
    text = ledger.report("survey")
    assert Page(text).names.count("svg") == 4
    assert "epsilon 2" in text and "1 individual added or removed" in text and "&lt;i&gt;first" in text
    assert "Nothing was spent" in ledger.report("ann")
    with pytest.raises(QuestionError):
        ledger.report("eve")


def test_guarantees_have_curves():
    curves = accounting.curves(Rho(0.5))
    assert list(curves) == ["epsilon", "delta", "misses", "renyi"]
    assert dict(curves["epsilon"])[1e-6] == accounting.rho_to_epsilon(0.5, 1e-6)
    assert dict(curves["renyi"])[2.0] == 1.0
    assert accounting.curves(EpsilonDelta(1.0, 1e-6))["renyi"] == []
    text = accounting.curves_report(Rho(0.5), title="<b>", about="of 2026")
    assert Page(text).names.count("svg") == 3 and "of 2026" in text and "<b>" not in text
