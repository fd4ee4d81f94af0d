//! What is said, and with which code, when something is wrong.

use crate::{QUESTION, SCHEMA, folder, open, run};
use std::{fs, sync::Arc};

/// The code and what is said; nothing is on standard output.
fn refused(here: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(here, arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn each_mistake_has_its_code_and_its_place() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let ann = ["--account", "ann", "--name", "k", "--yes"];
    let release =
        |question: &str, spend: &str| refused(here, &[&["release", question, "--spend", spend], &ann[..]].concat());
    for (question, spend, code, said) in [
        ("SELECT AVG(days) FROM stays", "epsilon=1", 3, "[the question:1:12]"),
        ("SELECT COUNT(*) FROM visits", "epsilon=1", 3, "there is no table \"visits\""),
        ("SELECT city, COUNT(*) FROM stays GROUP BY city", "epsilon=1", 3, "nothing lists the keys"),
        ("SELECT city, COUNT(*) FROM stays GROUP BY city", "epsilon=1,delta=1e-6", 3, "or select COUNT("),
        ("SELECT city, COUNT(DISTINCT patient) FROM stays GROUP BY city", "epsilon=1", 3, "costs a delta"),
        ("SELECT COUNT(*) FROM stays HAVING AVG(days) > 1", "epsilon=1", 3, "add AVG(days) to SELECT"),
        (QUESTION, "epsilon=1.5", 4, "remains of the account \"ann\": epsilon 1"),
        (QUESTION, "epsilon=-1", 3, "budget"),
        (QUESTION, "rho=1", 3, "account \"ann\" is in epsilon: use --spend epsilon=…"),
        (QUESTION, "euros=1", 2, "is not a budget"),
    ] {
        let (found, told) = release(question, spend);
        assert_eq!(found, Some(code), "{question}: {told}");
        assert!(told.contains(said), "{question}: {told}");
    }
    // Nothing of this was paid.
    assert!(crate::says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
    let missing =
        refused(here, &[&["release", QUESTION, "--spend", "epsilon=1", "--data", "no.csv"], &ann[..]].concat());
    assert_eq!(missing.0, Some(7));
    let (code, told) = refused(here, &["price", QUESTION, "--spend", "epsilon=1", "--schema", "no.toml"]);
    assert!(code == Some(7) && told.contains("no.toml: there is no schema; `indistinct init` proposes one"), "{told}");
    let unsure = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k"];
    let (code, told) = refused(here, &unsure);
    assert!(
        code == Some(8) && told.contains("cost: epsilon 0.5") && told.ends_with("use --yes where no one can confirm\n")
    );
    assert!(crate::says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
    // A key that was used.
    crate::says(here, &[&unsure[..], &["--yes"]].concat());
    let (code, told) = release(QUESTION, "epsilon=0.25");
    assert!(code == Some(5) && told.contains("another plan or another loss"), "{told}");
    // Parts, where the unit may be in several, and one that is none.
    let parts =
        ["budget", "partition", "--table", "stays", "--column", "region", "--account", "ann", "--budget", "epsilon=1"];
    let (code, told) = refused(here, &[&parts[..], &["n=north"]].concat());
    assert!(code == Some(3) && told.contains("one row added or removed"), "{code:?} {told}");
    assert_eq!(refused(here, &[&parts[..], &["north"]].concat()).0, Some(2));
    // No ledger, several accounts, a ledger that is there.
    let (code, told) = refused(here, &["budget", "show", "--ledger", "none"]);
    assert!(code == Some(7) && told.contains("none: there is no ledger; open one: indistinct budget open"), "{told}");
    assert_eq!(refused(here, &["price", QUESTION, "--spend", "epsilon=1"]).0, Some(2));
    let (code, told) = refused(here, &["budget", "open", "x", "--budget", "epsilon=1"]);
    assert!(code == Some(7) && told.contains("budget.ledger: exists already"), "{told}");
    let much = run(here, &["budget", "open", "x", "--budget", "epsilon=10.5", "--ledger", "much"]);
    assert!(much.status.success() && String::from_utf8(much.stderr).unwrap().contains("guarantees little"));
    assert_eq!(refused(here, &["release"]).0, Some(2));
    assert_eq!(refused(here, &["init"]).0, Some(7), "it is there");
}

#[test]
fn a_schema_is_refused_with_its_line() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    for (from, to, place) in [
        ("float(missing)", "flot(missing)", "schema.toml:12:"),
        ("delimiter", "delimitr", "schema.toml:15:1]"),
        ("unit = \"1 individual added", "unit = \"1 family added", "\"1 family added or removed\" is not a unit"),
        ("individuals = \"patient\"", "individuals = \"person\"", "person"),
        ("[tables.stays.columns]", "[tables.stays.columns", "schema.toml:8:"),
    ] {
        assert!(SCHEMA.contains(from));
        fs::write(here.join("bad.toml"), SCHEMA.replace(from, to)).unwrap();
        let price = ["price", QUESTION, "--spend", "epsilon=1", "--account", "ann", "--schema", "bad.toml"];
        let (code, told) = refused(here, &price);
        assert!(code == Some(3) && told.contains(place.trim_start_matches("schema")), "{to}: {told}");
    }
    // Rows that are left out where individuals are replaced, who may have fewer rows then.
    fs::write(here.join("bad.toml"), SCHEMA.replace("added or removed", "changed")).unwrap();
    let price =
        ["release", QUESTION, "--spend", "epsilon=1", "--account", "ann", "--name", "k", "--schema", "bad.toml"];
    assert_eq!(refused(here, &price).0, Some(8));
    // Where rows are replaced, a question of replaced rows is refused, whether rows without a value are left out or
    // those whose identifier cannot be read.
    let or_rows = SCHEMA.replace("drop_null = [\"patient\"]", "");
    let or_rows =
        or_rows.replace("individuals = \"patient\"", "individuals = \"patient\"\nnull_is_own_individual = true");
    let or_rows = or_rows.replace("patient = \"text\"", "patient = \"text(missing)\"");
    for (schema, patient) in [(SCHEMA, "text"), (&or_rows, "text(missing)")] {
        fs::write(here.join("bad.toml"), schema.replace("1 individual added or removed", "1 row changed")).unwrap();
        let individuals = if patient == "text" { "individuals" } else { "individuals_or_null" };
        let plan = format!(
            "version = 2\nmetric = \"ChangeOneDistance\"\n{individuals} = \"patient\"\n\
             columns = {{ patient = \"{patient}\", days = \"float(missing)\" }}\n\
             steps = [{{ make = \"with_columns\", columns = [[\"one\", \"fill_null(days, 1.0)\"]] }}, \
             {{ make = \"rows\", columns = [\"one\"] }}, {{ make = \"count\" }}, \
             {{ make = \"laplace\", scale = 0.01 }}]\n"
        );
        fs::write(here.join("plan.toml"), &plan).unwrap();
        let plan_of = |command| [command, "--plan", "plan.toml", "--account", "ann", "--schema", "bad.toml"];
        for command in [plan_of("price").to_vec(), [&plan_of("release")[..], &["--name", "k", "--yes"]].concat()] {
            let (code, told) = refused(here, &command);
            assert!(code == Some(3) && told.contains("if rows may be left out"), "{told}");
        }
    }
    // What becomes of missing cells is said before anything is paid.
    fs::write(here.join("bad.toml"), SCHEMA.replace("drop_null = [\"patient\"]", "")).unwrap();
    let (code, told) = refused(here, &price);
    assert!(code == Some(3) && told.contains("must declare how to treat missing cells"), "{told}");
    // Already by the price, with the word to write.
    fs::write(here.join("bad.toml"), SCHEMA.replace("days = \"float(missing)\"", "days = \"float\"")).unwrap();
    let only_price = ["price", QUESTION, "--spend", "epsilon=1", "--account", "ann", "--schema", "bad.toml"];
    let (code, told) = refused(here, &only_price);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == Some(3) && told.contains("column days") && told.contains("declare float(missing)"), "{told}");
    assert!(crate::says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
    // Where they come and go, it is a question that can be paid for.
    fs::write(here.join("bad.toml"), or_rows).unwrap();
    assert_eq!(refused(here, &price).0, Some(8));
}

/// Keys that say nothing of the table as it is declared are no decoration: each is refused at its line.
#[test]
fn a_key_that_would_be_ignored_is_refused_with_its_line() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let nobody = SCHEMA.replace("individual added", "row added");
    let nobody = nobody.replace("individuals = \"patient\"", "null_is_own_individual = true");
    let parquet = SCHEMA.replace("\"stays.csv\"", "\"stays.parquet\"");
    let of_parquet = "[tables.stays.parquet]\ndrop_null = [\"patient\"]\n";
    let (before, _) = SCHEMA.split_once("[tables.stays.csv]").unwrap();
    let public = "\n[public.cities]\nfile = \"cities.csv\"\nindividuals = \"city\"\n\n[public.cities.columns]\ncity = \"text\"\n";
    for (schema, line, said) in [
        (nobody, 6, "name the column of identifiers with `individuals`"),
        (parquet.clone(), 14, "`csv` does not apply to stays.parquet, which is Parquet by its name"),
        ([before, of_parquet].concat(), 14, "`parquet` does not apply to stays.csv, which is CSV by its name"),
        ([SCHEMA, public].concat(), 22, "must not name a column of individuals, because its rows are public"),
    ] {
        fs::write(here.join("bad.toml"), &schema).unwrap();
        let price = ["price", QUESTION, "--spend", "epsilon=1", "--account", "ann", "--schema", "bad.toml"];
        let (code, told) = refused(here, &price);
        let flat = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(3) && flat.contains(&format!("[bad.toml:{line}:")) && flat.contains(said), "{told}");
    }
    // A file of the other kind by --data, for which nothing is said; and both kinds, of each of which something is.
    fs::write(here.join("rows.parquet"), "PAR1").unwrap();
    let release = ["release", QUESTION, "--spend", "epsilon=1", "--account", "ann", "--name", "k", "--yes"];
    let (code, told) = refused(here, &[&release[..], &["--data", "rows.parquet"]].concat());
    assert!(code == Some(3) && told.contains("`csv` does not apply to rows.parquet"), "{told}");
    fs::write(here.join("both.toml"), [SCHEMA, "\n", of_parquet].concat()).unwrap();
    let price = ["price", QUESTION, "--spend", "epsilon=1", "--account", "ann", "--schema", "both.toml"];
    assert!(crate::says(here, &price).contains("cost: epsilon 1"));
    assert!(crate::says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
}

/// A price is shown without a ledger, in the terms of what is to be spent; a release needs one.
#[test]
fn a_price_needs_no_ledger() {
    let folder = folder(10);
    let here = folder.path();
    for (spend, cost) in [("epsilon=0.5", "cost: epsilon 0.5\n"), ("rho=0.125", "cost: rho 0.125\n")] {
        let price = ["price", QUESTION, "--spend", spend];
        let told = crate::says(here, &price);
        assert!(told.contains(cost) && told.contains("\naccount: none, because no ledger was named\n"), "{told}");
        let told = crate::says(here, &[&["--format", "json"], &price[..]].concat());
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert!(told["affordable"].is_null() && told["cost"].is_string(), "{told}");
    }
    let cities = "SELECT city, COUNT(DISTINCT patient) FROM stays GROUP BY city";
    let told = crate::says(here, &["price", cities, "--spend", "epsilon=1,delta=1e-6"]);
    assert!(told.contains("cost: epsilon ") && told.contains("delta ") && told.contains("will not appear"), "{told}");
    assert!(crate::says(here, &["price", QUESTION, "--within", "20"]).contains("cost: epsilon "));
    let plan = "version = 2\nmetric = \"SymmetricIdDistance\"\nindividuals = \"patient\"\n\
                columns = { patient = \"text\", days = \"float(missing)\" }\n\
                steps = [{ make = \"bound_rows\", columns = [\"patient\"], max_rows = 1 }, \
                { make = \"rows\", columns = [\"patient\"] }, { make = \"count\" }, \
                { make = \"gaussian\", scale = 4, output_measure = \"ZeroConcentratedDivergence\" }]\n";
    fs::write(here.join("plan.toml"), plan).unwrap();
    assert!(crate::says(here, &["price", "--plan", "plan.toml"]).contains("cost: rho 0.03125\n"));
    // What a release refuses, a price without a ledger refuses, too.
    fs::write(here.join("plan.toml"), plan.replace("text", "integer")).unwrap();
    let (code, told) = refused(here, &["price", "--plan", "plan.toml"]);
    assert!(code == Some(3) && told.contains("the question declares the column \"patient\" as integer"), "{told}");
    // Where a ledger or an account is named, it is there; and nothing is paid without one.
    let price = ["price", QUESTION, "--spend", "epsilon=0.5"];
    for named in [&["--ledger", "no.ledger"][..], &["--account", "ann"]] {
        assert_ne!(refused(here, &[&price[..], named].concat()).0, Some(0), "{named:?}");
    }
    assert_ne!(refused(here, &["price", QUESTION, "--spend", "rest"]).0, Some(0));
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--name", "k", "--yes"];
    assert_ne!(refused(here, &release).0, Some(0));
    assert!(!here.join("budget.ledger").exists());
    open(here);
    let told = crate::says(here, &[&price[..], &["--account", "ann"]].concat());
    assert!(told.contains("account \"ann\": epsilon 1 remains"), "{told}");
}

/// Another unit than the ledger's, and a certificate of something else.
#[test]
fn what_was_declared_and_what_was_released_are_kept() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    crate::says(here, &[&release[..], &["--certificate", "c.json", "--results", "r.json"]].concat());
    fs::write(here.join("other.toml"), SCHEMA.replace("1 individual", "2 individuals")).unwrap();
    let (code, told) = refused(here, &[&release[..], &["--schema", "other.toml"]].concat());
    assert!(code == Some(3) && told.contains("another declaration"), "{told}");
    fs::write(here.join("r.json"), "[[1,2],[3,4],[5,6]]").unwrap();
    let (code, told) = refused(here, &["certificate", "verify", "c.json", "--results", "r.json"]);
    assert!(code == Some(6) && told.contains("released differs from the computed value"), "{told}");
}

/// A column that was declared with a wrong type and a file that breaks off, both mended under the key that was charged.
#[test]
fn a_corrected_schema_keeps_the_charge() {
    let folder = folder(1000);
    let here = folder.path();
    open(here);
    let rows = fs::read_to_string(here.join("stays.csv")).unwrap();
    fs::write(here.join("stays.csv"), format!("{rows}\"")).unwrap();
    fs::write(here.join("wrong.toml"), SCHEMA.replace("days = \"float(missing)\"", "days = \"integer(missing)\""))
        .unwrap();
    let release = |schema, spend| {
        ["release", QUESTION, "--spend", spend, "--account", "ann", "--name", "k", "--yes", "--schema", schema]
    };
    let (code, told) = refused(here, &release("wrong.toml", "epsilon=0.5"));
    assert!(code == Some(7) && told.contains("the charge stands"), "{told}");
    assert!(told.contains("use `indistinct release` with --name \"k\" again"), "{told}");
    fs::write(here.join("stays.csv"), rows).unwrap();
    let (code, told) = refused(here, &release("schema.toml", "epsilon=0.25"));
    assert!(code == Some(5) && told.contains("was charged epsilon 0.5"), "{told}");
    let unasked = release("schema.toml", "epsilon=0.5");
    let unasked: Vec<&str> = unasked.into_iter().filter(|word| *word != "--yes").collect();
    let told = String::from_utf8(run(here, &unasked).stderr).unwrap();
    assert!(told.contains("free"), "{told}");
    let budgets = crate::says(here, &["budget", "show"]);
    assert!(budgets.contains("epsilon 0.5  epsilon 0.5"), "{budgets}");
    let (code, told) = refused(here, &release("wrong.toml", "epsilon=0.5"));
    assert!(code == Some(5) && told.contains("another plan"), "{told}");
    crate::says(here, &["ledger", "verify"]);
}

/// A plan chooses nothing of what the rows are: neither whose they are, nor how they are read, nor how many there are.
#[test]
fn a_plan_about_other_rows_is_refused() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let plan = |head: &str| {
        format!(
            "version = 2\nmetric = \"SymmetricIdDistance\"\n{head}\nsteps = [\n\
             {{ make = \"with_columns\", columns = [[\"one\", \"1\"]] }},\n\
             {{ make = \"bound_rows\", columns = [\"one\"], max_rows = 1 }},\n\
             {{ make = \"rows\", columns = [\"one\"] }},\n{{ make = \"count\" }},\n\
             {{ make = \"laplace\", scale = 4 }}]\n"
        )
    };
    for (head, said) in [
        (
            "individuals = \"city\"\ncolumns = { city = \"text\", days = \"float(missing)\" }",
            "column \"city\" as text, but the table declares it as text(missing)",
        ),
        (
            "individuals = \"patient\"\ncolumns = { patient = \"integer\", days = \"float(missing)\" }",
            "as integer, but the table declares it as text",
        ),
        (
            "individuals = \"patient\"\nrows = 3\ncolumns = { patient = \"text\", days = \"float(missing)\" }",
            "number of rows",
        ),
        (
            "individuals = \"patient\"\ncolumns = { patient = \"text\", days = \"float(missing)\", ward = \"text\" }",
            "has a column \"ward\"",
        ),
        (
            "individuals = \"region\"\ncolumns = { region = 'category(\"north\", \"south\")', days = \"float(missing)\" }",
            "column \"region\" as category",
        ),
    ] {
        fs::write(here.join("plan.toml"), plan(head)).unwrap();
        let release = ["release", "--plan", "plan.toml", "--account", "ann", "--name", "k", "--yes"];
        for command in [&release[..], &["price", "--plan", "plan.toml", "--account", "ann"]] {
            let (code, told) = refused(here, command);
            assert!(code == Some(3) && told.contains(said), "{head}: {told}");
        }
    }
    assert!(crate::says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
}

/// What a forger may write is told apart from what was checked.
#[test]
fn what_was_not_checked_is_said() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    crate::says(here, &[&release[..], &["--certificate", "c.json", "--results", "r.json"]].concat());
    let certificate = fs::read_to_string(here.join("c.json")).unwrap();
    fs::write(here.join("forged.json"), certificate.replace("\"table\":\"stays\"", "\"table\":\"wards\"")).unwrap();
    let verify = ["certificate", "verify", "forged.json"];
    let (released, ledger) = (["--results", "r.json"], ["--ledger", "budget.ledger"]);
    let text = crate::says(here, &[&verify[..], &released].concat());
    assert!(text.contains("numbers are those of the hash\nnot checked without --ledger: ") && text.contains("table;"));
    let text = crate::says(here, &verify);
    assert!(text.contains("the numbers were not compared"), "{text}");
    let json = crate::says(here, &[&verify[..], &released, &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let lists = |name: &str, what: &str| json[name].as_array().unwrap().iter().any(|item| item == what);
    assert!(lists("unchecked", "table") && !lists("checked", "table"));
    assert!(lists("checked", "the numbers are those of the hash"));
    for with in [[&ledger[..], &[]].concat(), [&ledger[..], &released].concat()] {
        let (code, told) = refused(here, &[&verify[..], &with].concat());
        assert!(code == Some(6) && told.contains("table"), "{told}");
        let mut genuine = [&verify[..], &with].concat();
        genuine[2] = "c.json";
        assert!(crate::says(here, &genuine).contains("as the ledger has it"));
    }
}

/// What `init` proposes is a schema that the program takes, of a sample as it is written here.
#[test]
fn a_sample_becomes_a_schema() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let rows = "person;admitted;days;ward\na;01.02.2024;1,5;x\na;13.12.2024;2,25;y\nb;28.02.2023;;z\n";
    fs::write(here.join("sample.csv"), rows).unwrap();
    let init = ["init", "proposed.toml", "--table", "stays", "--public-sample", "sample.csv"];
    let (code, told) = refused(here, &init);
    assert!(code == Some(2) && told.contains("the first line has 3 ';' and no ',': use --delimiter ';'"), "{told}");
    crate::says(here, &[&init[..], &["--delimiter", ";", "--individuals", "person"]].concat());
    let proposed = fs::read_to_string(here.join("proposed.toml")).unwrap();
    for line in [
        "\"person\" = \"text\"\n",
        "\"admitted\" = \"date(missing)\"",
        "\"days\" = \"float(missing)\"",
        "decimal = \",\"",
        "formats = { \"admitted\" = \"%d.%m.%Y\" }",
        "drop_null = [\"person\"]",
    ] {
        assert!(proposed.contains(line), "{line}: {proposed}");
    }
    let price = ["price", "SELECT AVG(CLAMP(days, 0, 9)) FROM stays", "--spend", "epsilon=1", "--account", "ann"];
    assert!(crate::says(here, &[&price[..], &["--schema", "proposed.toml"]].concat()).contains("cost: epsilon 1"));
}

/// What is public of a file is looked at before anything is charged: its header, and that it is there.
#[test]
fn a_file_without_its_columns_costs_nothing() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    let right = fs::read_to_string(here.join("stays.csv")).unwrap();
    for wrong in [right.replace("days", "hours"), right.replace(';', "|"), String::new()] {
        fs::write(here.join("stays.csv"), wrong).unwrap();
        let (code, told) = refused(here, &release);
        assert!(code == Some(7) && told.contains("is not in the data"), "{code:?} {told}");
        assert!(crate::says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
    }
    fs::write(here.join("stays.csv"), right).unwrap();
    let released = crate::says(here, &release);
    // A replay needs no file.
    fs::write(here.join("stays.csv"), "").unwrap();
    assert_eq!(crate::says(here, &release), released);
}

/// How cells are read is told to whoever asks for it by name, and said to be private.
#[test]
fn a_curator_sees_how_a_file_is_read() {
    let folder = folder(10);
    let here = folder.path();
    let wrong = "patient;region;city;days\np1;north;Bern;3,5\np2;east;;3.5\n;south;Chur\n";
    fs::write(here.join("stays.csv"), wrong).unwrap();
    let output = run(here, &["inspect-private"]);
    assert!(output.status.success() && String::from_utf8(output.stderr).unwrap().contains("exact and private"));
    let told = String::from_utf8(output.stdout).unwrap();
    let expected = "3 records\n1 with another number of cells than the header, the first in record 3\n\
                    city: 1 missing, 0 unreadable\n\
                    days: 1 missing, 1 unreadable, the first in record 2\n\
                    patient: 1 missing, 0 unreadable\n\
                    region: 0 missing, 1 unreadable, the first in record 2\n\
                    2 individuals with 2 rows\n\
                    --max-rows-per-individual 1 keeps 2 rows, 100.0 %\n";
    assert_eq!(told, expected);
    let checked = |arguments: &[&str]| String::from_utf8(run(here, arguments).stdout).unwrap();
    let told: serde_json::Value = serde_json::from_str(&checked(&["--format", "json", "inspect-private"])).unwrap();
    assert_eq!((&told["records"], &told["columns"][1]["first_unreadable"]), (&3.into(), &2.into()));
    // Which limit keeps how many rows: 3 of 9 rows of a, and 1 of b, c and d.
    let rows: String = "aaaaaaaaabcd".chars().map(|patient| format!("{patient};north;x;1\n")).collect();
    fs::write(here.join("stays.csv"), format!("patient;region;city;days\n{rows};north;x;1\n")).unwrap();
    let told = checked(&["inspect-private"]);
    let shares = "4 individuals with 12 rows\n--max-rows-per-individual 1 keeps 4 rows, 33.3 %\n\
                  --max-rows-per-individual 2 keeps 5 rows, 41.6 %\n--max-rows-per-individual 5 keeps 8 rows, 66.6 %\n\
                  --max-rows-per-individual 10 keeps 12 rows, 100.0 %\n";
    assert!(told.ends_with(shares), "{told}");
    let told: serde_json::Value = serde_json::from_str(&checked(&["--format", "json", "inspect-private"])).unwrap();
    assert_eq!((&told["individuals"], &told["rows_kept"][2]["rows"]), (&4.into(), &8.into()));
    // The file is read as the schema says, in its encoding, too.
    let schema = fs::read_to_string(here.join("schema.toml")).unwrap();
    let latin = schema.replace("delimiter = ", "encoding = \"latin-1\"\ndelimiter = ");
    fs::write(here.join("stays.csv"), b"patient;region;city;days\np1;north;Z\xfcrich;3,5\n").unwrap();
    assert!(checked(&["inspect-private"]).contains("city: 0 missing, 1 unreadable"));
    fs::write(here.join("schema.toml"), latin).unwrap();
    assert!(checked(&["inspect-private"]).contains("city: 0 missing, 0 unreadable"));
    fs::write(here.join("schema.toml"), schema.replace("delimiter = ", "encoding = \"ascii\"\ndelimiter = ")).unwrap();
    assert!(
        refused(here, &["inspect-private"])
            .1
            .contains("is not one of utf-8, utf-16, utf-16be, latin-1 and windows-1252")
    );
}

/// One individual's text with a quote that is never closed fails the release of all, unless the schema says that no
/// quotes stand around cells: then it stays in its own row.
#[test]
fn without_quotes_a_row_stays_a_line() {
    let folder = folder(20);
    let here = folder.path();
    open(here);
    let rows = fs::read_to_string(here.join("stays.csv")).unwrap();
    fs::write(here.join("stays.csv"), rows + "p1;north;\"Bern;3\n").unwrap();
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    let (code, told) = refused(here, &release);
    assert!(code == Some(7) && told.contains("a quoted field is not closed"), "{told}");
    let schema = fs::read_to_string(here.join("schema.toml")).unwrap();
    let with = |quote: &str| {
        let quoted = schema.replace("delimiter = ", &format!("quote = {quote}\ndelimiter = "));
        fs::write(here.join("schema.toml"), quoted).unwrap();
        let output = run(here, &["inspect-private"]);
        let told = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(told).unwrap())
    };
    for (quote, code, said) in [
        ("false", 0, "city: 0 missing, 0 unreadable"),
        ("\"'\"", 0, "city: 0 missing, 0 unreadable"),
        ("true", 7, "a quoted field is not closed"),
        ("\"€\"", 3, "csv.quote: must be an ASCII character"),
        ("\"ab\"", 3, "csv.quote: must be a character, or false"),
    ] {
        let (found, told) = with(quote);
        assert!(found == Some(code) && told.contains(said), "{quote}: {found:?} {told}");
    }
    with("false");
    // The charge of the same question stands, and its answer is drawn now.
    assert!(crate::says(here, &release).contains("north"));
}

/// The page on schemas has all options of CSV files; a test in Python holds those of Python to the page.
#[test]
fn the_page_on_schemas_lists_all_options_of_csv() {
    let page = include_str!("../../../../docs/topics/schema.md");
    let table = page.split_once("| key of `[tables.name.csv]` |").unwrap().1.split_once("\n\n").unwrap().0;
    let cells = table.lines().skip(2).filter_map(|line| line.split('|').nth(1));
    let mut listed: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let folder = folder(1);
    let here = folder.path();
    fs::write(here.join("schema.toml"), SCHEMA.replace("delimiter = ", "delimitr = ")).unwrap();
    let told = refused(here, &["inspect-private"]).1;
    let known = told.split_once("expected one of ").unwrap().1.split_once("\n").unwrap().0;
    let mut known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(known, listed);
}

/// The columns of sample files, of which nobody is guessed to be an individual.
#[test]
fn a_schema_from_a_sample_is_refused_until_somebody_decides() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let init = |file: &str, more: &[&str]| {
        let _ = fs::remove_file(here.join("made.toml"));
        run(here, &[&["init", "made.toml", "--table", "t", "--public-sample", file], more].concat())
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let made = || fs::read_to_string(here.join("made.toml")).unwrap();
    let sample = "year,id,zip,when,paid,id2,a,a\n2024,001,02134,2026-03-01T10:00:00Z,\"2,720.36\",7,1,2\n\
                  2024,002,00501,2026-03-01T12:00:00+01:00,\"1,000.00\",NA,1,2\n";
    fs::write(here.join("sample.csv"), sample).unwrap();
    let output = init("sample.csv", &[]);
    let said = text(output.stdout);
    for line in [
        "\"zip\": all cells are numbers, but some would lose their form as numbers, such as \"02134\"",
        "\"paid\": numbers, if the file is read with thousands = \",\"",
        "\"a\": occurs twice in the header",
        "made.toml: read and correct it; name the column of individuals there",
    ] {
        assert!(output.status.success() && said.contains(line), "{line}: {said}");
    }
    for line in [
        "individuals = \"\"\n",
        "drop_null = [\"\"]",
        "\"year\" = \"integer(missing)\"",
        "\"id\" = \"text(missing)\"",
        "\"zip\" = \"text(missing)\"",
        "\"when\" = \"time(missing)\"",
        "\"id2\" = \"integer(missing)\"",
    ] {
        assert!(made().contains(line), "{line}: {}", made());
    }
    assert!(!made().contains("\n\"a\" ="), "{}", made());
    let price =
        ["price", "SELECT COUNT(*) AS n FROM t", "--spend", "epsilon=1", "--account", "ann", "--schema", "made.toml"];
    let (code, told) = refused(here, &price);
    let decide = "decide which column identifies individuals";
    // A long message goes on over lines.
    assert!(code == Some(3) && told.split_whitespace().collect::<Vec<_>>().join(" ").contains(decide), "{told}");
    // Decided: text, for 001 and 1 may be two.
    assert!(init("sample.csv", &["--individuals", "id"]).status.success());
    assert!(made().contains("\"id\" = \"text\"\n") && made().contains("drop_null = [\"id\"]"));
    assert!(crate::says(here, &price).contains("cost: epsilon 1"));
    assert!(init("sample.csv", &["--individuals", "year"]).status.success());
    assert!(made().contains("# 7, 07, +7 and 7.0 are one individual") && made().contains("\"year\" = \"integer\"\n"));
    let unknown = init("sample.csv", &["--individuals", "nobody"]);
    assert!(unknown.status.code() == Some(2) && text(unknown.stderr).contains("the sample has no column \"nobody\""));

    // Of a long file the first rows.
    let many = "n,x\n".to_owned() + &"1,2\n".repeat(1000) + "no,2\n";
    fs::write(here.join("sample.csv"), many).unwrap();
    init("sample.csv", &[]);
    assert!(made().contains("\"n\" = \"integer(missing)\""));
    init("sample.csv", &["--rows", "1001"]);
    assert!(!made().contains("\"n\" = \"integer"), "{}", made());

    fs::write(here.join("sample.csv"), b"id,ort\n1,K\xf6ln\n2,K\xf6ln\n3,Bonn\n4,Bonn\n").unwrap();
    let latin = init("sample.csv", &[]);
    assert!(
        latin.status.code() == Some(7) && text(latin.stderr).contains("--encoding: a cell is not in this encoding")
    );
    assert!(init("sample.csv", &["--encoding", "latin-1"]).status.success());
    assert!(
        made().contains("encoding = \"latin-1\"") && made().contains("category(\\\"Bonn\\\", \\\"Köln\\\", missing)"),
        "{}",
        made()
    );
    assert_eq!(init("sample.csv", &["--encoding", "ascii"]).status.code(), Some(2));
}

/// Of a Parquet sample the types are the file's own.
#[test]
fn a_parquet_file_becomes_a_schema() {
    use arrow_array::{Float64Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let columns: [(&str, arrow_array::ArrayRef); 4] = [
        ("person", Arc::new(StringArray::from(vec!["007", "7", "8", "9"]))),
        ("city", Arc::new(StringArray::from(vec!["Bern", "Chur", "Bern", "Chur"]))),
        ("paid", Arc::new(Float64Array::from(vec![1.0, 2.5, 3.0, 4.0]))),
        ("when", Arc::new(TimestampMicrosecondArray::from(vec![0, 1, 2, 3]))),
    ];
    let visits: (&str, arrow_array::ArrayRef) = ("visits", Arc::new(Int64Array::from(vec![1, 2, 3, 4])));
    let batch = RecordBatch::try_from_iter(columns.into_iter().chain([visits])).unwrap();
    let file = fs::File::create(here.join("t.parquet")).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let init = ["init", "made.toml", "--table", "t", "--public-sample", "t.parquet", "--individuals", "person"];
    assert_eq!(crate::says(here, &init), "made.toml: read and correct it\n");
    let made = fs::read_to_string(here.join("made.toml")).unwrap();
    for line in [
        "file = \"t.parquet\"",
        "[tables.t.parquet]",
        "\"person\" = \"text\"",
        "\"city\" = \"category(\\\"Bern\\\", \\\"Chur\\\", missing)\"",
        "\"paid\" = \"float(missing)\"",
        "\"when\" = \"time(missing)\"",
        "\"visits\" = \"integer(missing)\"",
    ] {
        assert!(made.contains(line), "{line}: {made}");
    }
    let release =
        ["release", "SELECT COUNT(*) AS n FROM t", "--spend", "epsilon=1", "--account", "ann", "--name", "k", "--yes"];
    assert!(crate::says(here, &[&release[..], &["--schema", "made.toml"]].concat()).contains('n'));
}

/// A budget of delta 1 is none, and what a ledger's file must not be is said before anything is paid.
#[test]
fn ledgers_that_could_lose_charges_are_refused() {
    let folder = folder(10);
    let here = folder.path();
    for budget in ["epsilon=1,delta=1", "epsilon=1,delta=2"] {
        let (code, told) = refused(here, &["budget", "open", "survey", "--budget", budget]);
        assert!(code == Some(3) && told.contains("must have a delta below 1"), "{told}");
        assert!(!here.join("budget.ledger").exists());
    }
    for budget in ["epsilon=nan", "epsilon=-1", "epsilon=inf", "epsilon=1,delta=-0.1"] {
        let (code, told) = refused(here, &["budget", "open", "survey", "--budget", budget]);
        assert!(code == Some(3) && told.contains("must be a decimal number of at least 0"), "{budget}: {told}");
    }
    open(here);
    fs::hard_link(here.join("budget.ledger"), here.join("second")).unwrap();
    for ledger in ["budget.ledger", "second"] {
        let (code, told) = refused(here, &["budget", "show", "--ledger", ledger]);
        assert!(code == Some(6) && told.contains("has 2 names (hard links)"), "{told}");
    }
    fs::remove_file(here.join("second")).unwrap();
    // A backup: to a new file alone, read, not charged, restored.
    let head = crate::says(here, &["ledger", "backup", "kept"]);
    let (code, told) = refused(here, &["ledger", "backup", "kept"]);
    assert!(code == Some(7) && told.contains("kept: exists already"), "{told}");
    assert_eq!(crate::says(here, &["ledger", "verify", "--ledger", "kept", "--expected-head", head.trim()]), head);
    let (code, told) = refused(
        here,
        &["budget", "add-account", "eve", "--parent", "ann", "--budget", "epsilon=1", "--ledger", "kept"],
    );
    assert!(code == Some(6) && told.contains("is a backup"), "{told}");
    let (code, told) = refused(here, &["ledger", "restore", "kept"]);
    assert!(code == Some(7) && told.contains("budget.ledger: exists already"), "{told}");
    assert_eq!(crate::says(here, &["ledger", "restore", "kept", "--ledger", "new"]), head);
    crate::says(here, &["budget", "add-account", "eve", "--parent", "ann", "--budget", "epsilon=1", "--ledger", "new"]);
}
