"""What is refused, by which exception, and that none of them quotes data."""

import datetime
import decimal
import functools
import os
import traceback
import zoneinfo

import pandas
import pyarrow
import pyarrow.parquet
import pytest
from conftest import CANARIES, COLUMNS

import indistinct
from indistinct import Epsilon, EpsilonDelta, Ledger, Rest, Rho, Session

COUNT = "SELECT COUNT(*) FROM stays"


def add(session, **changes):
    arguments = dict(name="other", columns=COLUMNS, individuals="patient", drop_null=["patient"])
    return session.add_table(**{**arguments, **changes})


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT patient FROM stays",
        "SELECT * FROM stays",
        "DELETE FROM stays",
        "SELECT COUNT(*) FROM nowhere",
        "SELECT AVG(nothing) FROM stays",
        "SELECT region, COUNT(*) FROM stays GROUP BY region",
        "",
    ],
)
def test_statements(session, sql):
    with pytest.raises(indistinct.QuestionError):
        session.price_sql(sql, spend=Epsilon(1.0))


def test_places_in_statements(session):
    with pytest.raises(indistinct.QuestionError, match="line 2, column 8"):
        session.price_sql("SELECT COUNT(*),\n       nothing(days) FROM stays", spend=Epsilon(1.0))


def test_questions(session):
    query = session.query("stays")
    for refused in [
        lambda: session.query("nowhere"),
        lambda: query.filter("days >"),
        lambda: query.filter("nothing > 1").count().price(spend=Epsilon(1.0)),
        lambda: query.price(spend=Epsilon(1.0)),
        lambda: query.count().price(spend=Epsilon(0.0)),
        lambda: query.count().price(spend=Rho(0.5)),
        lambda: query.count().price(spend=Epsilon(1.0), alpha=1.5),
        lambda: query.mean("days", (3, 1)).price(spend=Epsilon(1.0)),
        lambda: query.group_by(region="north"),
        lambda: query.group_by(region=[object()]),
        lambda: query.group_by(region=[]),
        lambda: query.group_by(),
        lambda: query.price_unknown_keys(["region"], spend=Epsilon(1.0)),
        lambda: query.price_bounds("days", (0, 10), spend=Rho(1.0)),
        lambda: session.price_plan("stays", "{}"),
        lambda: session.price_plan("stays", "nothing = 1"),
        lambda: Epsilon(-1.0),
        lambda: Epsilon(float("nan")),
        lambda: EpsilonDelta(1.0, float("inf")),
    ]:
        with pytest.raises(indistinct.QuestionError):
            refused()
    with pytest.raises(TypeError, match=r"spend must be a loss in a measure, such as Epsilon\(0.5\)"):
        query.count().price(spend=1.0)
    with pytest.raises(indistinct.QuestionError, match="public keys must be listed"):
        query.group_by("region")
    with pytest.raises(TypeError):
        query.count().price(Epsilon(1.0))


def test_a_price_is_used_up(session):
    priced = session.price_sql(COUNT, spend=Epsilon(1.0))
    session.release(priced, "first")
    with pytest.raises(indistinct.QuestionError, match="used up"):
        session.release(priced, "second")
    assert session.budget().spent == Epsilon(1.0)


def test_a_price_is_of_its_session(session, ledger):
    other = Session(ledger, "survey")
    with pytest.raises(indistinct.QuestionError, match="another session"):
        other.release(session.price_sql(COUNT, spend=Epsilon(1.0)), "first")
    assert ledger.budget("survey").spent == Epsilon(0.0)


def test_budgets_and_keys(session, ledger):
    dear = session.price_sql(COUNT, spend=Epsilon(5.0))
    assert not dear.affordable
    assert dear.contribution_limits == ["of each individual, 1 row counts"]
    assert dear.contribution_limits[0] in str(dear)
    with pytest.raises(indistinct.BudgetError):
        session.release(dear, "first")
    session.release(session.price_sql(COUNT, spend=Epsilon(1.0)), "first")
    with pytest.raises(indistinct.NameConflict):
        session.release(session.price_sql(COUNT, spend=Epsilon(2.0)), "first")
    assert ledger.budget("survey").spent == Epsilon(1.0)
    for name in ["BudgetError", "NameConflict", "LostRelease", "LedgerError", "DataError", "QuestionError"]:
        assert issubclass(getattr(indistinct, name), indistinct.IndistinctError)


def test_amounts_are_decimals(ledger, arrow):
    """A float is the decimal that Python prints for it; texts, integers and decimals are what they say."""
    tenth = Epsilon(0.1)
    for same in ["0.1", "0.10", "1e-1", decimal.Decimal("0.1"), decimal.Decimal("1E-1")]:
        assert Epsilon(same) == tenth and hash(Epsilon(same)) == hash(tenth)
    assert (str(tenth), repr(tenth), Epsilon(1) == Epsilon(1.0)) == ("epsilon 0.1", "Epsilon(0.1)", True)
    assert Epsilon(decimal.Decimal(0.1)) != tenth, "the float itself is above a tenth"
    assert str(EpsilonDelta("0.5", decimal.Decimal("1e-6"))) == "epsilon 0.5, delta 0.000001"
    long = Epsilon("0.1000000000000000000000001")
    assert eval(repr(long)) == long != tenth
    refused = [-0.1, float("nan"), "nan", "", "one", "1e5000", decimal.Decimal("-1"), decimal.Decimal("Infinity"), True]
    for wrong in refused:
        with pytest.raises(indistinct.IndistinctError):
            Epsilon(wrong)
    with pytest.raises(TypeError):
        Epsilon([0.1])
    # Ten times a tenth is 1, and there is no eleventh.
    ledger.add_account("ann", "survey", Epsilon(1))
    ann = Session(ledger, "ann").add_table(
        "stays", columns=COLUMNS, data=arrow, individuals="patient", drop_null=["patient"]
    )
    for number in range(10):
        if number == 8:
            assert ann.budget().remaining == Epsilon(0.2)
            assert repr(ann.budget()) == "<Budget: epsilon 1, of which epsilon 0.2 remains>"
        priced = ann.price_sql(COUNT, spend=tenth)
        assert priced.cost == tenth
        ann.release(priced, f"tenth {number}")
    assert ann.budget().remaining == Epsilon(0)
    assert not ann.price_sql(COUNT, spend=Epsilon("1e-20")).affordable


def test_a_price_needs_no_ledger(session, arrow):
    alone = Session(unit="1 individual added or removed")
    alone.add_table("stays", columns=COLUMNS, data=arrow, individuals="patient", drop_null=["patient"])
    for spend in [Epsilon(0.5), Rho(0.125)]:
        priced = alone.price_sql(COUNT, spend=spend)
        assert priced.cost == spend and priced.affordable is None
        assert "account: none, because no ledger was named" in str(priced)
    assert alone.price_sql(COUNT, spend=Epsilon(0.5)).accuracy == session.price_sql(COUNT, spend=Epsilon(0.5)).accuracy
    for refused in [
        lambda: alone.release(alone.price_sql(COUNT, spend=Epsilon(0.5)), "first"),
        lambda: alone.budget(),
        lambda: alone.price_sql(COUNT, spend=Rest()),
    ]:
        with pytest.raises(indistinct.QuestionError, match="the session has no ledger"):
            refused()
    with pytest.raises(indistinct.QuestionError, match="ledger: name the ledger that has the account"):
        Session(account="survey")


def test_what_is_left_can_be_spent(session, ledger):
    ledger.add_account("ann", "survey", Epsilon(1.0))
    other = Session(ledger, "ann")
    for number, epsilon in enumerate([0.1, 0.2, 0.3]):
        session.release(session.price_sql(COUNT, spend=Epsilon(epsilon)), str(number))
    session.release(session.price_sql(COUNT, spend=Epsilon(3.0)), "3")
    left = session.budget().remaining
    assert left == Epsilon(0.4) and repr(left) == "Epsilon(0.4)" and left.numbers == [0.4]
    assert not session.price_sql(COUNT, spend=Epsilon("0.4000000000000000000000001")).affordable
    assert session.price_sql(COUNT, spend=left).affordable
    assert session.query("stays").count().price(spend=left).affordable
    # The account above has less left than Ann.
    assert other.budget().remaining == Epsilon(1.0)
    rest = session.query("stays").count().price(spend=Rest())
    assert rest.affordable and rest.cost == left
    session.release(session.price_sql(COUNT, spend=Rest()), "rest")
    with pytest.raises(indistinct.BudgetError, match="nothing remains"):
        session.price_sql(COUNT, spend=Rest())


def test_ledgers_are_backed_up(tmp_path, ledger):
    kept = tmp_path / "kept"
    assert ledger.backup(kept) == ledger.verify()
    with pytest.raises(indistinct.LedgerError, match="already"):
        ledger.backup(kept)
    with pytest.raises(indistinct.LedgerError, match="is a backup"):
        Ledger.open(kept).add_account("ann", "survey", Epsilon(1.0))
    Ledger.restore(kept, tmp_path / "new").add_account("ann", "survey", Epsilon(1.0))
    (tmp_path / "second").hardlink_to(tmp_path / "survey.ledger")
    with pytest.raises(indistinct.LedgerError, match="2 names"):
        ledger.budget("survey")
    for delta in [1.0, 2.0]:
        with pytest.raises(indistinct.QuestionError, match="delta below 1"):
            Ledger.create(tmp_path / "all.ledger", "survey", EpsilonDelta(1.0, delta))


def test_ledgers(tmp_path, ledger):
    with pytest.raises(indistinct.LedgerError):
        Ledger.open(tmp_path / "nowhere.ledger")
    with pytest.raises(indistinct.LedgerError):
        Ledger.create(tmp_path / "survey.ledger", "survey", Epsilon(1.0))
    with pytest.raises(indistinct.LedgerError):
        ledger.verify("9:" + 64 * "0")
    for refused in [
        lambda: ledger.verify("nothing"),
        lambda: ledger.budget("nobody"),
        lambda: ledger.history("nobody"),
        lambda: ledger.add_account("survey", "survey", Epsilon(1.0)),
        lambda: ledger.add_account("ann", "survey", Rho(1.0)),
        lambda: Session(ledger, "nobody"),
        lambda: Session(ledger, "survey", "1 person"),
    ]:
        with pytest.raises(indistinct.QuestionError):
            refused()


def test_the_unit_is_declared_once(session, ledger):
    session.release(session.price_sql(COUNT, spend=Epsilon(1.0)), "patients")
    with pytest.raises(indistinct.IndistinctError):
        Session(ledger, "survey", "1 row added or removed")


def test_parts_are_paid_for_once_and_a_closed_account_pays_nothing(tmp_path, arrow, session):
    with pytest.raises(indistinct.QuestionError, match="one row added or removed"):
        session.partition("stays", "region", {"north": "north"}, Epsilon(1.0))
    ledger = Ledger.create(tmp_path / "rows.ledger", "survey", Epsilon(64.0))
    unit = "1 row added or removed"
    columns = {**COLUMNS, "patient": "text(missing)"}
    stays = Session(ledger, "survey", unit).add_table("stays", columns, arrow)
    stays.partition("stays", "region", {"bureau n": "north", "bureau s": "south"}, Epsilon(60.0))
    assert ledger.budget("survey").remaining == Epsilon(4.0)
    assert ledger.budget("bureau n").prepaid is not None
    north = Session(ledger, "bureau n", unit).add_table("stays", columns, arrow)
    release = north.release(north.price_sql("SELECT COUNT(*) FROM stays", spend=Epsilon(60.0)), "all")
    assert release.to_arrow().to_pylist()[0]["COUNT(*)"] == 2000.0
    assert 'region = "north"' in release.certificate.text.replace("\\", "")
    ledger.close("survey")
    assert ledger.budget("survey").is_closed
    with pytest.raises(indistinct.QuestionError, match="closed"):
        stays.release(stays.price_sql("SELECT COUNT(*) FROM stays", spend=Epsilon(1.0)), "all")


def test_public_tables_are_joined(tmp_path, session):
    columns = {"region": "text", "bureau": "text"}
    path = tmp_path / "regions.csv"
    path.write_text("region,bureau\nnorth,Uri\nsouth,Lugano\n")
    session.add_public_table("regions", columns, path)
    session.add_public_table("others", columns, pyarrow.table({"region": ["north"], "bureau": ["Uri"]}))
    statement = "SELECT bureau, COUNT(*) FROM stays JOIN regions r ON r.region = stays.region GROUP BY bureau"
    found = session.release(session.price_sql(statement, spend=Epsilon(1.0)), "bureaus").to_arrow().to_pylist()
    assert [row["bureau"] for row in found] == ["Uri", "Lugano"]
    for rows in [path, tmp_path / "none.csv", pyarrow.table({"region": ["north"], "bureau": [1]})]:
        with pytest.raises(indistinct.QuestionError):
            session.add_public_table("regions", columns, rows)


def test_public_tables_may_be_parquet(tmp_path, session):
    path = tmp_path / "regions.parquet"
    rows = pyarrow.table({"region": ["north", "south"], "bureau": ["Uri", "Lugano"]})
    pyarrow.parquet.write_table(rows, path, compression="zstd")
    session.add_public_table("regions", {"region": "text", "bureau": "text"}, path)
    statement = "SELECT bureau, COUNT(*) FROM stays JOIN regions r ON r.region = stays.region GROUP BY bureau"
    found = session.release(session.price_sql(statement, spend=Epsilon(1.0)), "bureaus").to_arrow().to_pylist()
    assert [row["bureau"] for row in found] == ["Uri", "Lugano"]
    for columns, csv in [({"region": "text"}, dict(delimiter=";")), ({"bureau": "integer"}, None)]:
        with pytest.raises(indistinct.QuestionError):
            session.add_public_table("others", columns, path, csv=csv)


@pytest.mark.parametrize("is_file", [False, True])
def test_types_of_other_programs_are_read_or_named(ledger, tmp_path, is_file):
    at = datetime.datetime(2026, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("Europe/Vienna"))
    rows = pyarrow.table({"who": ["a", "b"], "cost": [decimal.Decimal("1.10"), None], "at": [at, None]})
    if is_file:
        pyarrow.parquet.write_table(rows, tmp_path / "costs.parquet", compression="brotli")
        rows = tmp_path / "costs.parquet"
    declared = {"who": "text", "cost": "float(missing)", "at": "time(missing)"}
    add = functools.partial(Session(ledger, "survey").add_table, data=rows, individuals="who", drop_null=["who"])
    for column, wrong, told in [("cost", "text(missing)", "decimal(3, 2)"), ("at", "date(missing)", "Europe/Vienna")]:
        with pytest.raises(indistinct.DataError) as refused:
            add("costs", {**declared, column: wrong})
        assert told in str(refused.value) and f"column {column}: is " in str(refused.value)
    costs = add("costs", declared)
    costs.release(costs.price_sql("SELECT COUNT(*) FROM costs", spend=Epsilon(1.0)), "costs")


def test_a_named_pipe_is_refused(ledger, tmp_path):
    os.mkfifo(tmp_path / "rows")
    with pytest.raises(indistinct.DataError, match="is a named pipe"):
        Session(ledger, "survey").add_table("stays", {"who": "text"}, tmp_path / "rows", "who", drop_null=["who"])


def test_a_refused_table_leaves_the_session_as_it_was(session, arrow):
    priced = session.price_sql(COUNT, spend=Epsilon(1.0))
    for changes in [
        dict(data=arrow, columns={**COLUMNS, "days": "float(9..=1)"}),
        dict(data=arrow, columns={**COLUMNS, "days": "number"}),
        dict(data=arrow, individuals="nobody"),
        dict(data=arrow, individuals=None),
        dict(data=arrow, individuals=None, null_is_own_individual=True),
        dict(data=arrow, name="stays"),
        dict(data=arrow, name=""),
        dict(data=arrow, csv=dict(delimiter=";")),
        dict(data=arrow, temp_dir="."),
        dict(data="stays.parquet", csv=dict(delimiter=";")),
        dict(data=arrow, drop_null=None),
        dict(data=arrow, fill_null={"days": object()}),
        dict(data=__file__, csv=dict(separator=";")),
        dict(data=__file__, csv=dict(delimiter="§")),
        dict(data=__file__, csv=dict(encoding="ascii")),
        dict(data=__file__, csv=dict(quote=None)),
        dict(data=__file__, csv=dict(missing="NA")),
        dict(data=__file__, csv=dict(formats={"days": "%Y"})),
        dict(data=__file__, drop_null=None),
    ]:
        with pytest.raises(indistinct.QuestionError):
            add(session, **changes)
    for changes in [
        dict(data=arrow.drop_columns("days")),
        dict(data=arrow.set_column(2, "days", pyarrow.array([b"x"] * len(arrow)))),
        dict(data="nowhere.csv"),
        dict(data="nowhere/stays.csv"),
        dict(data="nowhere.parquet"),
        dict(data=__file__, temp_dir="nowhere"),
        dict(data=__file__, temp_dir=__file__),
    ]:
        with pytest.raises(indistinct.DataError):
            add(session, **changes)
    with pytest.raises(TypeError):
        add(session, data=[{"patient": "p1"}])
    session.release(priced, "first")


def test_a_row_that_changes_may_be_one_that_is_left_out(tmp_path, arrow, csv):
    ledger = Ledger.create(tmp_path / "changed.ledger", "survey", Epsilon(1.0))
    columns = ", ".join(f"{name} = '{column}'" for name, column in COLUMNS.items())
    one = "{ make = 'with_columns', columns = [['one', '1']] }, { make = 'rows', columns = ['one'] }"
    steps = f"[{one}, {{ make = 'count' }}, {{ make = 'laplace', scale = 0.01 }}]"
    plan = f"version = 2\nmetric = 'ChangeOneDistance'\ncolumns = {{ {columns} }}\nsteps = {steps}"
    session = Session(ledger, "survey", "1 row changed")
    add(session, name="frame", data=arrow, individuals=None)
    add(session, name="file", data=csv, individuals=None, csv=dict(delimiter=";", decimal=","))
    for table in ["frame", "file"]:
        with pytest.raises(indistinct.QuestionError, match="if rows may be left out"):
            session.price_plan(table, plan)
        assert session.query(table).count().price(spend=Epsilon(1.0)).cost == Epsilon(1.0)
    # In a file whose reader drops none, every record is a row. A frame may have been filtered before it came here.
    every = dict(columns=COLUMNS | {"patient": "text(missing)"}, individuals=None, drop_null=None)
    plan = plan.replace("patient = 'text'", "patient = 'text(missing)'")
    add(session, name="whole", data=csv, csv=dict(delimiter=";", decimal=","), **every)
    assert session.price_plan("whole", plan).cost == Epsilon(0.0)
    add(session, name="perhaps", data=arrow, **every)
    with pytest.raises(indistinct.QuestionError, match="if rows may be left out"):
        session.price_plan("perhaps", plan)


def test_a_file_that_is_gone_costs_nothing_and_one_that_breaks_off_keeps_its_charge(ledger, csv):
    session = add(Session(ledger, "survey"), name="stays", data=csv, csv=dict(delimiter=";", decimal=","))
    priced = session.price_sql(COUNT, spend=Epsilon(1.0))
    text = csv.read_text()
    csv.unlink()
    with pytest.raises(indistinct.DataError, match="stays.csv"):
        session.release(priced, "first")
    assert ledger.budget("survey").spent == Epsilon(0.0)
    csv.write_text(text + '"')
    with pytest.raises(indistinct.DataError, match="the charge stands"):
        session.release(session.price_sql(COUNT, spend=Epsilon(1.0)), "first")
    assert ledger.budget("survey").spent == Epsilon(1.0)
    csv.write_text(text)
    assert not session.release(session.price_sql(COUNT, spend=Epsilon(1.0)), "first").is_replay
    assert ledger.budget("survey").spent == Epsilon(1.0)


def test_texts_that_are_not_utf_8_are_not_trusted(session):
    texts = pyarrow.Array.from_buffers(
        pyarrow.string(), 1, [None, pyarrow.py_buffer(b"\0\0\0\0\2\0\0\0"), pyarrow.py_buffer(b"\xff\xfe")]
    )
    table = pyarrow.table({"patient": texts, "region": ["north"], "days": [1.0]})
    with pytest.raises(indistinct.DataError):
        add(session, data=table)


def test_no_exception_quotes_cells(session, ledger, csv, tmp_path):
    """What pandas says of a column of two types quotes a cell; so does what a reader of CSV might."""
    said = []

    def keep(refused):
        try:
            refused()
        except Exception as failure:
            said.append("".join(traceback.format_exception(failure, limit=0)) + repr(failure.args))
        else:
            raise AssertionError("not refused")

    mixed = pandas.DataFrame({"patient": [CANARIES[0], 7], "region": [CANARIES[1], "x"], "days": [29.0625, 1.0]})
    keep(lambda: add(session, data=mixed))
    swapped = pandas.DataFrame({"patient": [CANARIES[0]], "region": [29.0625], "days": [CANARIES[1]]})
    keep(lambda: add(session, data=swapped))
    broken = tmp_path / "broken.csv"
    broken.write_text('patient,region,days\n"' + ",".join(CANARIES) + "\n")
    unclosed = add(session, name="broken", data=broken)
    keep(lambda: unclosed.release(unclosed.price_sql("SELECT COUNT(*) FROM broken", spend=Epsilon(1.0)), "broken"))
    keep(lambda: session.price_sql("SELECT days FROM stays", spend=Epsilon(1.0)))
    keep(lambda: session.release(session.price_sql(COUNT, spend=Epsilon(9.0)), "dear"))
    for canary in CANARIES:
        assert not any(canary in text for text in said), canary


def test_cells_are_in_nothing_that_is_shown(session, ledger, tmp_path):
    priced = session.query("stays").group_by(region=["north", "south"]).count().price(spend=Epsilon(1.0))
    shown = [str(priced), repr(priced), priced._repr_html_(), repr(session), repr(ledger)]
    release = session.release(priced, "first")
    shown += [str(release), repr(release), release._repr_html_(), release.released, release.certificate.text]
    shown += [repr(release.certificate), repr(ledger.history("survey")), str(release.table)]
    files = [path.read_bytes() for path in tmp_path.iterdir() if path.name.startswith("survey.ledger")]
    assert files
    for canary in CANARIES:
        assert not any(canary in text for text in shown), canary
        assert not any(canary.encode() in content for content in files), canary


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_a_forked_child_spends_nothing(session, ledger):
    priced = session.price_sql(COUNT, spend=Epsilon(1.0))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            session.release(priced, "first")
        except indistinct.LedgerError:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ledger.budget("survey").spent == Epsilon(0.0)


def test_what_a_file_lacks_is_told_before_it_is_paid_for(ledger, tmp_path):
    path = tmp_path / "stays.csv"
    path.write_text("patient,region\np1,north\n")
    columns = {"patient": "text", "region": "text(missing)", "days": "float(missing)"}
    with pytest.raises(indistinct.IndistinctError, match="days"):
        Session(ledger, "survey").add_table("stays", columns, path, individuals="patient", drop_null=["patient"])
    path.write_text("patient,region,days\np1,north,2\n")
    session = Session(ledger, "survey").add_table("stays", columns, path, individuals="patient", drop_null=["patient"])
    priced = session.price_sql("SELECT COUNT(DISTINCT patient) FROM stays", spend=Epsilon(1.0))
    path.write_text("")
    with pytest.raises(indistinct.IndistinctError):
        session.release(priced, "first")
    path.unlink()
    with pytest.raises(indistinct.IndistinctError):
        session.release(session.price_sql("SELECT COUNT(DISTINCT patient) FROM stays", spend=Epsilon(1.0)), "first")
    assert ledger.budget("survey").spent == Epsilon(0.0)
