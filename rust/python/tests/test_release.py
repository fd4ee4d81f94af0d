"""Releases from end to end."""

import html
import json
import os
import pathlib
import re
import threading

import pandas
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from conftest import COLUMNS, ROWS

import indistinct
from indistinct import Certificate, Epsilon, EpsilonDelta, Ledger, Rho, Session

SQL = """
SELECT region, COUNT(*) AS n, AVG(days) AS days FROM stays
WHERE region IN ('north', 'south') GROUP BY region
"""


def check(release):
    """Counts of about 2000, means of about 2 and 9; each fails with probability below 1e-9 at an epsilon of 2."""
    north, south = release.table
    assert [north["region"], south["region"]] == ["north", "south"]
    for row, mean in [(north, 2.0), (south, 9.0)]:
        assert abs(row["n"] - ROWS / 2) < 200
        assert abs(row["days"] - mean) < 2
        assert row["n from"] <= row["n"] <= row["n to"]


def test_from_a_csv_file(ledger, csv):
    session = Session(ledger, "survey").add_table(
        "stays",
        columns=COLUMNS,
        data=csv,
        individuals="patient",
        drop_null=["patient"],
        csv=dict(delimiter=";", decimal=",", missing=["NA"]),
    )
    release = session.release(session.price_sql(SQL, spend=Epsilon(2.0)), "first")
    check(release)
    release.certificate.verify(release.released)
    release.certificate.verify_in(ledger)
    assert ledger.budget("survey").remaining == Epsilon(2.0)


def test_texts_in_latin_1(ledger, tmp_path):
    """Labels with other than ASCII characters, in the encoding of their file, and how a curator sees that it is wrong."""
    path = tmp_path / "stays.csv"
    path.write_bytes(b"person,city\n" + b"".join(b"%d,K\xf6ln\n" % person for person in range(200)))
    columns = {"person": "integer", "city": 'category("Köln", missing)'}
    latin = dict(encoding="latin-1")
    session = Session(ledger, "survey").add_table(
        "t", columns, path, individuals="person", drop_null=["person"], csv=latin
    )
    release = session.release(session.price_sql("SELECT city, COUNT(*) AS n FROM t GROUP BY city", spend=Epsilon(2.0)), "k")
    counts = {row["city"]: row["n"] for row in release.table}
    assert abs(counts["Köln"] - 200) < 50
    assert abs(counts[None]) < 50
    unreadable = [
        indistinct.inspect_private(path, columns, csv=options)["columns"]["city"] for options in (None, latin)
    ]
    assert unreadable[0] == {"missing": 0, "unreadable": 200, "first_unreadable": 1}
    assert unreadable[1] == {"missing": 0, "unreadable": 0, "first_unreadable": None}
    found = indistinct.inspect_private(path, {"person": "integer"})
    assert (found["records"], found["misshapen"], found["first_misshapen"]) == (200, 0, None)
    with pytest.raises(indistinct.DataError, match="column a: is not in the data"):
        indistinct.inspect_private(path, {"a": "text"})


def test_utf_16(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,Köln\n", encoding="utf-16")
    with pytest.raises(indistinct.DataError, match="set the encoding to utf-16"):
        indistinct.inspect_private(path, {"b": "text"})
    found = indistinct.inspect_private(path, {"b": 'category("Köln", missing)'}, csv=dict(encoding="utf-16"))
    assert found["columns"]["b"] == {"missing": 0, "unreadable": 0, "first_unreadable": None}


@pytest.mark.parametrize("writer", ["polars", "pyarrow", "pandas"])
def test_from_an_arrow_file(ledger, arrow, tmp_path, writer):
    """Files of the format Arrow IPC, as their writers have them by default."""
    path = tmp_path / ("stays.feather" if writer == "pandas" else "stays.arrow")
    if writer == "polars":
        polars.from_arrow(arrow).write_ipc(path)
    elif writer == "pyarrow":
        with pyarrow.ipc.new_file(path, arrow.schema) as file:
            file.write_table(arrow)
    else:
        arrow.to_pandas().to_feather(path)
    session = Session(ledger, "survey").add_table(
        "stays", COLUMNS, path, individuals="patient", drop_null=["patient"], temp_dir=tmp_path
    )
    check(session.release(session.price_sql(SQL, spend=Epsilon(2.0)), "first"))
    assert indistinct.inspect_private(path, COLUMNS)["records"] == arrow.num_rows
    with pytest.raises(indistinct.QuestionError, match="csv"):
        indistinct.inspect_private(path, COLUMNS, csv=dict(delimiter=";"))
    with pytest.raises(indistinct.DataError, match="column days: is float64 in the data, but declared as date"):
        Session(ledger, "survey").add_table("stays", {"days": "date(missing)"}, path)
    assert ledger.budget("survey").remaining == Epsilon(2.0)


def test_options_of_csv_are_those_of_schema_files(tmp_path):
    """The page lists the options of schema files, to which a test of the program holds it; here are the same."""
    page = (pathlib.Path(__file__).parents[3] / "docs" / "topics" / "schema.md").read_text()
    table = page.split("| key of `[tables.name.csv]` |")[1].split("\n\n")[0]
    keys = {key for line in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", line.split("|")[1])}
    with pytest.raises(indistinct.QuestionError) as refused:
        indistinct.inspect_private(tmp_path / "none.csv", {"a": "text"}, csv=dict(separator=";"))
    known = str(refused.value).split("the options are: ")[1].split(", ")
    assert set(known) == keys - {"drop_null", "fill_null"} and len(known) == 8
    values = dict(
        delimiter=";",
        quote=False,
        encoding="windows-1252",
        decimal=",",
        thousands=".",
        header=["a", "b"],
        missing=["-"],
        formats={"b": "%d.%m.%Y"},
    )
    assert set(values) == set(known)
    path = tmp_path / "rows.csv"
    path.write_bytes('1.000,5;01.02.2026\n"\x80;-\n'.encode("latin-1"))
    columns = {"a": "text(missing)", "b": "date(missing)"}
    cells = indistinct.inspect_private(path, columns, csv=values)["columns"]
    assert cells["a"] == {"missing": 0, "unreadable": 0, "first_unreadable": None}
    assert cells["b"] == {"missing": 1, "unreadable": 0, "first_unreadable": None}
    assert indistinct.inspect_private(path, {**columns, "a": "float"}, csv=values)["columns"]["a"]["first_unreadable"] == 2


def test_from_a_parquet_file(ledger, arrow, tmp_path):
    path = tmp_path / "stays.Parquet"
    pyarrow.parquet.write_table(arrow, path)
    session = Session(ledger, "survey").add_table(
        "stays", COLUMNS, path, individuals="patient", drop_null=["patient"], temp_dir=tmp_path
    )
    check(session.release(session.price_sql(SQL, spend=Epsilon(2.0)), "first"))


def test_from_a_pipe(ledger, csv):
    read, write = os.pipe()
    options = dict(delimiter=";", decimal=",")
    session = Session(ledger, "survey").add_table(
        "stays", COLUMNS, f"/dev/fd/{read}", individuals="patient", drop_null=["patient"], csv=options
    )
    priced = session.price_sql(SQL, spend=Epsilon(2.0))

    def send():
        with os.fdopen(write, "w") as pipe:
            pipe.write(csv.read_text())

    writer = threading.Thread(target=send)
    writer.start()
    check(session.release(priced, "first"))
    writer.join()
    with pytest.raises(indistinct.DataError, match="whose rows an earlier release has read"):
        session.release(session.price_sql(SQL, spend=Epsilon(1.0)), "second")
    assert session.budget().spent == Epsilon(2.0)
    os.close(read)


def test_a_file_is_found_from_another_directory_and_read_anew(ledger, csv, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = dict(delimiter=";", decimal=",")
    session = Session(ledger, "survey").add_table(
        "stays", COLUMNS, csv.name, individuals="patient", drop_null=["patient"], csv=options, temp_dir="."
    )
    monkeypatch.chdir("/")
    check(session.release(session.price_sql(SQL, spend=Epsilon(2.0)), "first"))
    csv.write_text("patient;region;days\n")
    north, south = session.release(session.price_sql(SQL, spend=Epsilon(2.0)), "second").table
    assert max(north["n"], south["n"]) < 200
    assert sorted(path.name for path in tmp_path.iterdir() if "ledger" not in path.name) == ["stays.csv"]


@pytest.mark.parametrize("frame", [lambda t: t, lambda t: t.to_pandas(), polars.from_arrow, lambda t: t.to_reader()])
def test_from_what_has_arrows_stream(ledger, arrow, frame):
    session = Session(ledger, "survey").add_table(
        "stays", columns=COLUMNS, data=frame(arrow), individuals="patient", drop_null=["patient"]
    )
    check(session.release(session.price_sql(SQL, spend=Epsilon(2.0)), "first"))


def test_the_least_budget_for_an_accuracy(session):
    """By hand: an epsilon of 0.2843 for a count within 10 in 95 of 100 releases, rounded up to three digits."""
    query = session.query("stays").count()
    least = query.least_budget("count", 10)
    assert isinstance(least, Epsilon) and least.numbers[0] == 0.285
    assert query.price(spend=least).accuracy["count"] == "each number within 10"
    assert isinstance(query.least_budget("count", 10, measure="rho"), Rho)
    assert query.least_budget("count", 10, delta=1e-6).numbers[1] == 1e-6
    for wrong in [dict(statistic="sum"), dict(measure="mu"), dict(measure="rho", delta=1e-6)]:
        with pytest.raises(indistinct.QuestionError):
            query.least_budget(**{"statistic": "count", "within": 10, **wrong})


def test_body_and_purpose_are_in_the_certificate(ledger, arrow):
    session = Session(ledger, "survey", body="Bureau <of> Statistics", purpose="the yearbook")
    session = session.add_table("stays", COLUMNS, arrow, "patient", drop_null=["patient"])
    release = session.release(session.query("stays").count().price(spend=Epsilon(1.0)), "count")
    said = json.loads(release.certificate.text)
    assert said["about"] == {"body": "Bureau <of> Statistics", "purpose": "the yearbook"} and len(said["date"]) == 10
    page = release.report()
    assert "Bureau &lt;of&gt; Statistics" in page and said["date"] in page and "What is assumed" in page


def test_a_query_step_by_step(session):
    query = session.query("stays").filter("days > 0").group_by(region=["north", "south"])
    query = query.count().alias("n").mean("days", (0, 30)).alias("days")
    priced = query.price(spend=Epsilon(2.0))
    assert priced.cost == Epsilon(2.0) and priced.affordable
    assert list(priced.accuracy) == ["n", "days"]
    assert "account \"survey\"" in str(priced)
    check(session.release(priced, "first"))


def test_all_statistics(session):
    query = session.query("stays").max_rows_per_individual(2).count_individuals().count_non_null("days")
    query = query.count_distinct("region").sum("days", (0, 30)).variance("days", (0, 30)).weight(2.0)
    query = query.standard_deviation("days", (0, 30)).covariance("days", (0, 30), "days * 2.0", (0, 60))
    query = query.quantiles("days", [float(edge) for edge in range(31)], [0.25, 0.5])
    row, = session.release(query.price(spend=Epsilon(1.0)), "all").table
    assert len(row) == 3 * 9 + 1 and row["quantile(days, 0.5)"] is not None
    assert row["contribution limit"].startswith("count(days): of each individual, at most 2 rows count")
    totals = session.query("stays").aggregate_per_individual(total="sum(days)").mean("total", (0, 60))
    assert len(session.release(totals.price(spend=Epsilon(1.0)), "totals").table) == 1
    kept = session.query("stays").with_column("weeks", "days / 7.0").mean("weeks", (0, 5))
    assert len(session.release(kept.price(spend=Epsilon(1.0)), "weeks").table) == 1


def test_what_nobody_lists_or_knows(tmp_path, arrow):
    ledger = Ledger.create(tmp_path / "delta.ledger", "survey", EpsilonDelta(4.0, 1e-5))
    session = Session(ledger, "survey").add_table("stays", COLUMNS, arrow, "patient", drop_null=["patient"])
    spend = EpsilonDelta(1.0, 1e-9)
    found = session.release(session.query("stays").price_unknown_keys(["region"], spend=spend), "regions")
    assert [row["region"] for row in found.table] == ["north", "south"]
    assert all(1 <= row["count from"] <= row["count"] <= row["count to"] for row in found.table)
    assert found.notes[0] == "contribution limit: each individual counts in at most 1 group"
    assert found.notes[1].startswith("keys whose noisy count is ")
    assert all(note in str(found) for note in found.notes)
    same = session.price_sql("SELECT COUNT(DISTINCT patient) AS n, region FROM stays GROUP BY region", spend=spend)
    assert "will not appear" in str(same)
    again = session.release(same, "regions")
    assert again.is_replay and list(again.table[0]) == ["n", "n from", "n to", "region", "contribution limit"]
    named = session.price_sql("SELECT region AS place, COUNT(DISTINCT patient) AS n FROM stays GROUP BY region", spend=spend)
    assert list(session.release(named, "places").table[0]) == ["place", "n", "n from", "n to", "contribution limit"]
    query = session.query("stays").mean("days", (0, 30)).alias("days").sum("days", (0, 30)).alias("all days")
    priced = query.price_unknown_keys(["region"], spend=spend)
    assert list(priced.accuracy) == ["count", "days", "all days"]
    for row in session.release(priced, "sums").table:
        assert row["days from"] <= row["days"] <= row["days to"] and "all days" in row
    with pytest.raises(indistinct.QuestionError, match="quantiles"):
        query.quantiles("days", [0.0, 30.0], [0.5]).price_unknown_keys(["region"], spend=spend)
    bounds = session.query("stays").price_bounds("days", (0, 10), spend=Epsilon(1.0))
    (row,) = session.release(bounds, "bounds").table
    assert row["to"] == 16.0


def test_individuals_in_groups(tmp_path):
    """Each individual counts in one group, or in as many as are said."""
    columns = {"p": "text", "v": 'category("a", "b", missing)'}
    rows = pyarrow.table({"p": [str(row // 2) for row in range(1000)], "v": ["a", "b"] * 500})
    ledger = Ledger.create(tmp_path / "groups.ledger", "survey", Epsilon(1000.0))
    session = Session(ledger, "survey").add_table("t", columns, rows, "p", drop_null=["p"])
    sql = "SELECT v, COUNT(DISTINCT p) AS people FROM t WHERE v IN ('a', 'b') GROUP BY v"
    limit = "each individual counts in at most 1 group"
    one = session.price_sql(sql, spend=Epsilon(40.0))
    assert one.contribution_limits == [limit] and limit in str(one)
    one = session.release(one, "one")
    assert abs(sum(row["people"] for row in one.table) - 500) < 5
    assert limit in str(one) and limit in one._repr_html_() and limit in one.report()
    assert all(row["contribution limit"] == limit for row in one.table)
    two = session.price_sql(sql, spend=Epsilon(40.0), max_groups_per_individual=2)
    query = session.query("t").filter('v in ["a", "b"]').max_groups_per_individual(2).group_by(v=["a", "b"]).count_individuals().alias("people")
    assert two.contribution_limits == query.price(spend=Epsilon(40.0)).contribution_limits == []
    two = session.release(two, "two")
    assert all(abs(row["people"] - 500) < 5 for row in two.table) and "contribution limit" not in two.table[0]
    assert session.release(query.price(spend=Epsilon(40.0)), "two").is_replay


def test_a_plan(session):
    """The plan of a release is in its certificate, and is asked again as it is."""
    counted = session.release(session.query("stays").count().price(spend=Epsilon(1.0)), "count")
    plan = json.loads(counted.certificate.text)["plan"]
    assert session.release(session.price_plan("stays", plan), "count").is_replay
    release = session.release(session.price_plan("stays", plan), "count again")
    assert not release.is_replay and len(release.table) == 1
    release.certificate.verify(release.released)


def test_replays(session, ledger):
    first = session.release(session.price_sql(SQL, spend=Epsilon(1.0)), "first")
    again = session.release(session.price_sql(SQL, spend=Epsilon(1.0)), "first")
    assert not first.is_replay and again.is_replay
    assert (first.table, first.released) == (again.table, again.released)
    assert first.certificate.text == again.certificate.text
    assert ledger.budget("survey").spent == Epsilon(1.0)


def test_answers_as_tables(session):
    release = session.release(session.price_sql(SQL, spend=Epsilon(1.0)), "first")
    assert release.to_arrow().to_pylist() == release.table
    assert release.to_arrow().schema.field("n").type == pyarrow.int64()
    assert release.to_arrow().schema.field("days").type == pyarrow.float64()
    assert isinstance(release.to_pandas(), pandas.DataFrame)
    assert release.to_polars().to_dicts() == release.table
    assert "<td>north</td>" in release._repr_html_() and "north" in str(release)


def test_noise_is_not_shown_as_numbers(session):
    """A mean of nobody is None, `n/a` for people, and explained once; the order is that of the statement."""
    sql = "SELECT AVG(days) AS days, COUNT(*) AS n, region FROM stays WHERE region IN ('north', 'west') GROUP BY region"
    release = session.release(session.price_sql(sql, spend=Epsilon(1.0)), "noise")
    north, west = release.table
    assert list(west) == ["days", "days from", "days to", "n", "n from", "n to", "region", "contribution limit"]
    assert west["days"] is None and north["days"] is not None and isinstance(west["n"], int)
    assert west["n from"] <= west["n"] <= west["n to"]
    assert str(release).count("n/a: ") == 1 and "n/a [" in str(release) and len(release.notes) == 2
    assert release.report().count(">n/a</td>") == 1 and release._repr_html_().count("n/a [") == 1
    assert release.to_arrow().to_pylist() == release.table


def test_html_is_escaped(session):
    priced = session.query("stays").group_by(region=["<b>&"]).count().price(spend=Epsilon(1.0))
    assert "<b>" not in priced._repr_html_()
    shown = session.release(priced, "<i>")._repr_html_()
    assert "<b>" not in shown and "<i>" not in shown and html.escape("<b>&") in shown


def test_ledgers(tmp_path):
    path = tmp_path / "budget.ledger"
    ledger = Ledger.create(path, "all", Rho(1.0))
    head = ledger.verify()
    ledger.add_account("ann", "all", Rho(0.25))
    assert ledger.accounts() == ["all", "ann"]
    assert ledger.budget("ann").parent == "all" and ledger.budget("ann").total == Rho(0.25)
    ledger.verify(head)
    again = Ledger.open(path)
    assert [entry["kind"] for entry in again.history("ann")] == ["account"]
    assert again.history("ann")[0]["loss"] == Rho(0.25)


def test_certificates_of_others(session):
    release = session.release(session.price_sql(SQL, spend=Epsilon(1.0)), "first")
    read = Certificate.read(release.certificate.text)
    read.verify(release.released)
    assert read.cost == Epsilon(1.0) and str(read) == release.certificate.text
    with pytest.raises(indistinct.CertificateError):
        read.verify(release.released + " ")
    with pytest.raises(indistinct.CertificateError):
        Certificate.read("{}")


def test_two_threads(session, ledger):
    """Each releases what the other does, and some of its own: each key is paid once, whoever comes first."""
    failures, replays = [], []

    def work(name):
        try:
            for number in range(8):
                key = f"shared {number}" if number % 2 else f"{name} {number}"
                query = session.query("stays").filter(f"days > {number}").count()
                release = session.release(query.price(spend=Epsilon(0.125)), key)
                release.certificate.verify(release.released)
                ledger.verify()
                replays.append(release.is_replay)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(name,)) for name in ["one", "other"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sum(replays) == 4 and ledger.budget("survey").spent == Epsilon(12 * 0.125)


def test_the_lock_is_given_up(session):
    """Another thread runs while rows are read."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.0005):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    for number in range(5):
        session.release(session.price_sql(SQL, spend=Epsilon(0.125)), f"release {number}")
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 5
