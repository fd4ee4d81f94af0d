//! Tables as they are printed, written and shown: names, order, digits, what is hidden, and what must not be raw.

use crate::{SCHEMA, folder, open, run, says};
use std::{fs, path::Path};

/// A ledger of epsilon and delta, and a file of so many patients in each city.
fn cities(here: &Path, cities: &[(&str, u32)]) {
    says(here, &["budget", "open", "survey", "--budget", "epsilon=9,delta=1e-3"]);
    let mut rows = String::from("patient;region;city;days\n");
    let mut patient = 0;
    for (city, patients) in cities {
        for _ in 0..*patients {
            patient += 1;
            rows += &format!("p{patient};north;{city};3\n");
        }
    }
    fs::write(here.join("stays.csv"), rows).unwrap();
}

const BY_CITY: &str = "SELECT COUNT(DISTINCT patient) AS people, city AS place FROM stays GROUP BY city";

/// Keys that nobody lists: what is shown is said before, names and order are those of the statement, each count has an
/// interval, and the threshold is named beside them.
#[test]
fn a_threshold_is_told_before_and_after() {
    let folder = folder(1);
    let here = folder.path();
    cities(here, &[("Bern", 3000), ("Chur", 2)]);
    let ask = [BY_CITY, "--spend", "epsilon=1,delta=1e-6"];
    let price = says(here, &[&["price"], &ask[..]].concat());
    let told =
        "keys with fewer than about 15 individuals will not appear: a key is shown if its noisy count is 15 or more";
    assert!(price.contains(told) && price.contains("people: the number of a key"), "{price}");
    let json = says(here, &[&["price"], &ask[..], &["--format", "json"]].concat());
    assert!(json.contains(told), "{json}");
    let release = [&["release"], &ask[..], &["--name", "k", "--yes", "--html", "a.html", "--force"]].concat();
    let table = says(here, &release);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["people", "place"], "{table}");
    // Noise of scale 1: off by 30 with probability below 1e-12.
    assert!(lines[1][0].parse::<i32>().is_ok_and(|count| (2970..3030).contains(&count)), "{table}");
    assert!(lines[1][1].starts_with('[') && lines[1][3] == "Bern" && lines.len() == 6, "{table}");
    let limit = "each individual counts in at most 1 group";
    assert!(table.contains(&format!("\ncontribution limit: {limit}\n")), "{table}");
    assert!(table.contains("keys whose noisy people is 15 or more are shown"), "{table}");
    let csv = says(here, &[&release[..], &["--format", "csv"]].concat());
    assert!(csv.starts_with("people,people from,people to,place,contribution limit\n"), "{csv}");
    assert!(csv.contains(&format!(",Bern,{limit}\n")), "{csv}");
    let json = says(here, &[&release[..], &["--format", "json"]].concat());
    let entries = ["\"people\": ", "\"people from\": ", "\"people to\": ", "\"place\": \"Bern\"", limit];
    assert!(entries.map(|entry| json.find(entry).unwrap()).is_sorted() && !json.contains(".0"), "{json}");
    let page = fs::read_to_string(here.join("a.html")).unwrap();
    let head = "<th scope=\"col\" class=\"n\">people</th><th scope=\"col\" class=\"n\">from</th>\
                <th scope=\"col\" class=\"n\">to</th><th scope=\"col\">place</th>";
    assert!(page.contains(head) && page.contains("<th scope=\"row\">Bern</th>"), "{page}");
    assert!(page.contains("keys whose noisy people is 15 or more are shown"));
}

/// Nothing passes: a sentence says so, in every form.
#[test]
fn an_empty_table_says_why() {
    let folder = folder(1);
    let here = folder.path();
    cities(here, &[("Bern", 1), ("Chur", 1)]);
    let release = ["release", BY_CITY, "--spend", "epsilon=1,delta=1e-6", "--name", "k", "--yes", "--html", "a.html"];
    let release = [&release[..], &["--force"]].concat();
    let told = "no key is shown, because each noisy people is below 15";
    let table = says(here, &release);
    assert!(table.contains(told), "{table}");
    for (format, printed) in [("csv", "people,people from,people to,place,contribution limit\n"), ("json", "[]\n")] {
        let output = run(here, &[&release[..], &["--format", format]].concat());
        let notes = String::from_utf8(output.stderr).unwrap();
        assert!(notes.contains(&format!("note: {told}")), "{notes}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), printed);
    }
    assert!(fs::read_to_string(here.join("a.html")).unwrap().contains(told));
}

/// A mean of nobody is `n/a` everywhere, and explained once; counts are whole numbers; digits are the same on the page;
/// quantiles end where values do.
#[test]
fn noise_is_not_shown_as_numbers() {
    let folder = folder(2000);
    let here = folder.path();
    open(here);
    let sql = "SELECT COUNT(*) AS zz, region, AVG(CLAMP(days, 0, 30)) AS aa, MEDIAN(CLAMP(days, 0, 30)) AS mid \
               FROM stays GROUP BY region";
    let release = ["release", sql, "--spend", "epsilon=1", "--account", "ann", "--name", "k", "--yes"];
    let release = [&release[..], &["--html", "a.html", "--force"]].concat();
    let table = says(here, &release);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["zz", "region", "aa", "mid"]);
    let hidden = "n/a [0, 30]";
    let of_nobody = table.lines().find(|line| line.contains("missing")).unwrap();
    assert_eq!(of_nobody.matches(hidden).count(), 2, "{table}");
    assert_eq!(table.matches("n/a: ").count(), 1, "{table}");
    let csv = says(here, &[&release[..], &["--format", "csv"]].concat());
    let head = "zz,zz from,zz to,region,aa,aa from,aa to,mid,mid from,mid to,contribution limit\n";
    assert!(csv.starts_with(head), "{csv}");
    let of_nobody = csv.lines().last().unwrap();
    let limit = "\"of each individual, 1 row counts\"";
    assert!(of_nobody.ends_with(&format!(",,n/a,0,30,n/a,0,30,{limit}")) && !of_nobody.contains('.'), "{csv}");
    let json = says(here, &[&release[..], &["--format", "json"]].concat());
    assert!(json.contains("\"aa\": null") && !json.contains("\"zz\": null"), "{json}");
    let page = fs::read_to_string(here.join("a.html")).unwrap();
    // The words of the shell, in cells.
    for line in table.lines().skip(1).take(2) {
        let number = line.split_whitespace().nth(4).unwrap();
        assert!(page.contains(&format!("<td class=\"n\">{number}</td>")), "{number}: {page}");
    }
    assert_eq!(page.matches("<td class=\"n\">n/a</td>").count(), 2);
    assert_eq!(page.matches("n/a: ").count(), 1);
}

/// Keys of contributors and fields of certificates of others do nothing to a terminal, and are no formulas.
#[test]
fn what_others_wrote_is_printed_as_text() {
    let folder = folder(1);
    let here = folder.path();
    let formula = "=HYPERLINK(0)";
    let raw = ["\u{1b}", "\u{202e}", "\u{9b}"];
    cities(here, &[("\u{1b}]0x\u{202e}y\u{9b}", 900), (formula, 900), ("-1", 900), ("@x", 900)]);
    let release = ["release", BY_CITY, "--spend", "epsilon=4,delta=1e-6", "--name", "k\u{202e}", "--yes"];
    let release = [&release[..], &["--certificate", "c.json", "--force"]].concat();
    for format in ["text", "csv", "json"] {
        let output = run(here, &[&release[..], &["--format", format]].concat());
        let (table, notes) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(table.contains("0x") && table.contains("u"), "{table}");
        for control in raw {
            assert!(!table.contains(control) && !notes.contains(control), "{format}: {table:?} {notes:?}");
        }
        if format == "csv" {
            for cell in [",'=HYPERLINK(0),", ",'-1,", ",'@x,", ",\\u{1b}]0x\\u{202e}y\\u{9b},"] {
                assert!(table.contains(cell), "{cell}: {table}");
            }
        }
    }
    // Any field of a forged certificate.
    let certificate = fs::read_to_string(here.join("c.json")).unwrap();
    for (field, forged) in [
        ("\"table\":\"stays\"", "\"table\":\"=1\\u001b[2Jx\u{202e}\""),
        ("\"name\":\"indistinct\"", "\"name\":\"=a\\u009b\""),
    ] {
        assert!(certificate.contains(field), "{certificate}");
        fs::write(here.join("f.json"), certificate.replace(field, forged)).unwrap();
        for format in ["text", "csv", "json"] {
            let shown = says(here, &["certificate", "show", "f.json", "--format", format]);
            assert!(!raw.iter().any(|control| shown.contains(control)), "{format}: {shown:?}");
            assert!(format != "csv" || shown.contains(",'="), "{shown}");
        }
    }
    fs::write(here.join("bad.json"), format!("{{\"version\": \"{}\u{202e}", "x")).unwrap();
    let told = run(here, &["certificate", "show", "bad.json"]).stderr;
    assert!(!String::from_utf8(told).unwrap().contains('\u{202e}'));
    let plan = format!("{SCHEMA}\n# \u{202e}\n[tables.\"\u{202e}x\"]\nfoo = 1\n");
    fs::write(here.join("bad.toml"), plan).unwrap();
    let told = run(here, &["price", BY_CITY, "--spend", "epsilon=1", "--schema", "bad.toml"]).stderr;
    assert!(!String::from_utf8(told).unwrap().contains('\u{202e}'));
}

/// The least budget for an accuracy, in place of one; it is that of the price, and the same for a release.
#[test]
fn an_accuracy_has_a_least_budget() {
    let folder = folder(200);
    let here = folder.path();
    open(here);
    let sql = "SELECT region, COUNT(*) AS n FROM stays GROUP BY region";
    let price = |more: &[&str]| {
        let output = run(here, &[&["price", sql, "--account", "ann", "--max-rows-per-individual", "1"], more].concat());
        let told = [output.stdout, output.stderr].map(|told| String::from_utf8(told).unwrap());
        (output.status.code(), told)
    };
    let (code, [price_within, note]) = price(&["--within", "10"]);
    assert!(code == Some(0) && price_within.contains("n: each number within 10"), "{price_within} {note}");
    let spend = note.split("--spend ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert_eq!(spend, "epsilon=0.285", "{note}");
    assert_eq!(price(&["--spend", spend]).1[0], price_within);
    let less = price(&["--spend", "epsilon=0.284"]).1[0].clone();
    assert!(less.contains("n: each number within 11"), "{less}");
    for (more, code, said) in [
        (&["--within", "0"][..], 2, "positive"),
        (&["--within", "10", "--spend", "epsilon=1"], 2, "--spend"),
        (&[], 2, "--spend"),
    ] {
        let (found, [_, told]) = price(more);
        assert!(found == Some(code) && told.contains(said), "{more:?}: {told}");
    }
    let mean = ["price", "SELECT AVG(CLAMP(days, 0, 9)) FROM stays", "--account", "ann", "--within", "1"];
    let refused = run(here, &mean);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("needs a count or a sum"));
    let release = ["release", sql, "--within", "10", "--account", "ann", "--name", "k", "--yes", "--format", "csv"];
    let table = says(here, &release);
    assert_eq!(table, says(here, &release), "the same budget, and the same release");
    assert!(says(here, &["budget", "show"]).contains("epsilon 0.285"));
}

/// Who released, when, for what, and on which assumptions: on the certificate and the page.
#[test]
fn certificates_and_pages_say_who_when_and_why() {
    let folder = folder(20);
    let here = folder.path();
    open(here);
    let schema = SCHEMA.replace("unit = ", "body = \"Bureau <of> Statistics\"\nunit = ");
    fs::write(here.join("schema.toml"), schema).unwrap();
    let release =
        ["release", "SELECT COUNT(*) FROM stays", "--spend", "epsilon=0.5", "--account", "ann", "--name", "k"];
    let files = ["--yes", "--certificate", "c.json", "--html", "a.html", "--purpose", "the yearbook"];
    says(here, &[&release[..], &files].concat());
    let shown = says(here, &["certificate", "show", "c.json"]);
    let page = fs::read_to_string(here.join("a.html")).unwrap();
    let line = shown.lines().find(|line| line.trim_start().starts_with("date")).unwrap();
    let date = line.split_whitespace().last().unwrap();
    assert!(date.len() == 10 && page.contains(&format!("<td>{date}</td>")), "{shown}");
    for part in ["the yearbook", "each individual has one identifier in all tables"] {
        assert!(shown.contains(part) && page.contains(part), "{part}");
    }
    assert!(shown.contains("Bureau <of> Statistics") && page.contains("Bureau &lt;of&gt; Statistics"));
    let held = says(here, &["certificate", "verify", "c.json", "--ledger", "budget.ledger"]);
    assert!(held.contains("date, body and purpose"), "{held}");
    let forged = fs::read_to_string(here.join("c.json")).unwrap().replace("the yearbook", "another thing");
    fs::write(here.join("f.json"), forged).unwrap();
    let refused = run(here, &["certificate", "verify", "f.json", "--ledger", "budget.ledger"]);
    assert_eq!(refused.status.code(), Some(6));
    assert!(says(here, &["certificate", "registry", "c.json"]).contains("Bureau <of> Statistics"));
}

/// Gaussian noise is that of the root of the groups of an individual times the rows in each; Laplace noise is that of
/// all rows. The limits are said in the answer.
#[test]
fn gaussian_noise_uses_both_limits() {
    let folder = folder(2000);
    let here = folder.path();
    says(here, &["budget", "open", "survey", "--budget", "rho=9"]);
    let within = |rows: &str, groups: &str| {
        let ask = ["SELECT region, COUNT(*) AS stays FROM stays GROUP BY region", "--spend", "rho=0.02"];
        let limits = ["--max-rows-per-individual", rows, "--max-groups-per-individual", groups, "--format", "json"];
        let price = says(here, &[&["price"], &ask[..], &limits].concat());
        let limit = format!("at most {rows} row{} in each of at most", if rows == "1" { "" } else { "s" });
        assert!(price.contains(&limit), "{price}");
        let told = price.split("within ").nth(1).unwrap_or_else(|| panic!("{price}"));
        told.split([' ', '"', ',']).next().unwrap().parse::<f64>().unwrap()
    };
    let one = within("1", "1");
    // Widths are whole numbers of some 10 and more.
    for (rows, groups, factor) in [("1", "2", 2f64.sqrt()), ("4", "1", 4.0), ("4", "2", 4.0 * 2f64.sqrt())] {
        let ratio = within(rows, groups) / one;
        assert!((ratio / factor - 1.0).abs() < 0.1, "{rows} {groups}: {ratio}");
    }
}

/// A statement may begin with a comment of SQL, as that of a file does, and is no option then; errors keep their
/// places.
#[test]
fn a_statement_may_begin_with_a_comment() {
    let folder = folder(20);
    let here = folder.path();
    open(here);
    for comment in ["-- stays by region", "--stays by region", "--", "-- a = b", "/* stays */"] {
        let sql = format!("{comment}\nSELECT COUNT(*) AS n FROM stays");
        assert!(says(here, &["price", &sql, "--account", "ann", "--spend", "epsilon=1"]).contains("cost: epsilon 1"));
        let wrong = sql.replace("COUNT(*)", "COUNT(dys)");
        let wrong = run(here, &["price", &wrong, "--account", "ann", "--spend", "epsilon=1"]);
        let told = String::from_utf8(wrong.stderr).unwrap();
        assert!(wrong.status.code() == Some(3) && told.contains("line 2, column 14"), "{told}");
    }
    let unknown = run(here, &["price", "--spent=epsilon=1", "SELECT COUNT(*) FROM stays"]);
    assert!(unknown.status.code() == Some(2) && String::from_utf8(unknown.stderr).unwrap().contains("'--spent'"));
}

/// A second table, perhaps over the same file, spends what the first one did: the program says so, with the ledger.
#[test]
fn a_table_that_is_new_in_a_ledger_is_named() {
    let folder = folder(20);
    let here = folder.path();
    open(here);
    let schema = fs::read_to_string(here.join("schema.toml")).unwrap();
    let second = schema.split_once("[tables.stays]").unwrap().1.replace("tables.stays", "tables.visits");
    fs::write(here.join("schema.toml"), format!("{schema}\n[tables.visits]{second}")).unwrap();
    let told = |table: &str, name: &str| {
        let sql = format!("SELECT COUNT(*) AS n FROM {table}");
        let release = ["release", &sql, "--spend", "epsilon=0.1", "--account", "ann", "--yes", "--name", name];
        let output = run(here, &release);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let note = "note: table \"visits\" is new in the ledger budget.ledger, which has releases of \"stays\"";
    assert!(!told("stays", "a").contains("is new in") && !told("stays", "b").contains("is new in"));
    assert!(told("visits", "c").contains(note));
    assert!(!told("visits", "d").contains("is new in") && !told("stays", "e").contains("is new in"));
}
