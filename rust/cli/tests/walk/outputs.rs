//! What leaves the program.

use crate::{QUESTION, folder, open, run, says};
use std::fs;

/// Cells of the file are in nothing that is printed or written.
#[test]
fn canaries_are_seen_nowhere() {
    let folder = folder(200);
    let here = folder.path();
    open(here);
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    let files = ["--certificate", "c.json", "--results", "r.json", "--html", "r.html"];
    let mut seen = says(here, &[&release[..], &files].concat());
    for format in ["text", "json", "csv"] {
        seen += &says(here, &[&release[..], &["--format", format]].concat());
        seen += &says(here, &["price", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--format", format]);
    }
    let unread = run(here, &[&release[..7], &["other", "--yes", "--data", "schema.toml"]].concat());
    seen += &String::from_utf8_lossy(&unread.stderr);
    for file in fs::read_dir(here).unwrap() {
        let path = file.unwrap().path();
        if !path.ends_with("stays.csv") {
            seen += &String::from_utf8_lossy(&fs::read(path).unwrap());
        }
    }
    assert!(seen.len() > 50_000);
    assert!(!seen.contains("zzcanaryzz") && !seen.contains("p199"));
}

/// Codes, and how much is said on standard error, do not tell neighbors apart.
#[test]
fn neighbors_end_alike() {
    let ended = |patients: u32| {
        let folder = folder(patients);
        open(folder.path());
        let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
        let output = run(folder.path(), &release);
        (output.status.code(), output.stderr.len())
    };
    assert_eq!(ended(100), ended(101));
    assert_eq!(ended(0), ended(1));
}

/// One page, readable without a network, a script or colors.
#[test]
fn the_page_holds_all_that_was_said() {
    let folder = folder(2000);
    let here = folder.path();
    open(here);
    let key = "days <b>by</b> region & \"sex\"";
    let release =
        ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", key, "--yes", "--html", "r.html"];
    let release = [&release[..], &["--force"]].concat();
    says(here, &release);
    let page = fs::read_to_string(here.join("r.html")).unwrap();
    assert!(page.len() < 300_000);
    for part in [
        "<html lang=\"en\">",
        "days &lt;b&gt;by&lt;/b&gt; region &amp; &quot;sex&quot;",
        "<caption>",
        "scope=\"col\"",
        "role=\"img\"",
        "prefers-color-scheme:dark",
        "@media print",
        "1 individual added or removed",
        "make_laplace",
        "SELECT region, COUNT(*) AS stays",
        "Individuals, by column",
        "In words: no result is more than 1.7 times as likely",
        "What is not protected",
        "plan_hash",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for foreign in ["<script", "http://", "https://", "<b>by", "src=", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Two statistics, and what can be told from the release.
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(page.contains("each fails with probability 0.05"));
    // The same release with other intervals.
    says(here, &[&release[..], &["--alpha", "0.5"]].concat());
    let other = fs::read_to_string(here.join("r.html")).unwrap();
    assert!(other.contains("each fails with probability 0.5<") && other != page);
}

/// The same, of a guarantee and of an account.
#[test]
fn curves_and_budgets_have_pages() {
    let folder = folder(100);
    let here = folder.path();
    open(here);
    let read = |name: &str| fs::read_to_string(here.join(name)).unwrap();
    let table = says(here, &["accounting", "curves", "rho=0.1", "--html", "rho.html"]);
    assert!(table.contains("epsilon for a delta of") && table.contains("1e-6    2.15"), "{table}");
    let json = says(here, &["accounting", "curves", "epsilon=1,delta=1e-6", "--format", "json", "--html", "pair.html"]);
    // No epsilon has a smaller delta, and no Renyi divergence is finite.
    assert!(json.contains("\"bound\": null") && !json.contains("Renyi"), "{json}");
    assert!(
        read("pair.html").contains("There is no curve") && read("rho.html").contains("The divergence of some orders")
    );
    let ann = ["--spend", "epsilon=0.25", "--account", "ann", "--yes", "--name"];
    for key in ["first", "<second>"] {
        says(here, &[&["release", QUESTION], &ann[..], &[key]].concat());
    }
    says(here, &["report", "--ledger", "budget.ledger", "--html", "all.html"]);
    says(here, &["report", "--ledger", "budget.ledger", "--account", "ann", "--html", "ann.html"]);
    for (page, budget) in [("all.html", "The budget of survey"), ("ann.html", "The budget of ann")] {
        let page = read(page);
        for part in [budget, "epsilon 0.5", "&lt;second&gt;", "1 individual added or removed", "What can be inferred"] {
            assert!(page.contains(part), "{part}");
        }
    }
    for page in ["rho.html", "pair.html", "all.html", "ann.html"] {
        let page = read(page);
        assert!(page.len() < 300_000 && page.contains("role=\"img\"") && page.contains("prefers-color-scheme:dark"));
        for foreign in ["<script", "http://", "https://", "<second>", "src=", "@import"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
    for (arguments, code) in [
        (&["accounting", "curves"][..], 2),
        (&["accounting", "curves", "sigma=1"], 2),
        (&["accounting", "curves", "epsilon=-1"], 3),
        (&["report", "--html", "x.html"], 2),
        (&["report", "--ledger", "none", "--html", "x.html"], 7),
        (&["report", "--ledger", "budget.ledger", "--account", "eve", "--html", "x.html"], 3),
    ] {
        assert_eq!(run(here, arguments).status.code(), Some(code), "{arguments:?}");
    }
}

/// What a release reads is not what it writes, and what is there stays unless by force; all before anything is paid.
#[test]
fn nothing_is_overwritten() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    fs::write(here.join("old.html"), "old").unwrap();
    fs::create_dir(here.join("sub")).unwrap();
    fs::hard_link(here.join("stays.csv"), here.join("hard.csv")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("budget.ledger", here.join("soft.html")).unwrap();
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    let kept =
        || ["stays.csv", "schema.toml", "budget.ledger", "old.html"].map(|name| fs::read(here.join(name)).unwrap());
    let before = kept();
    for (files, code, said) in [
        (&["--html", "stays.csv"][..], 2, "--html stays.csv: is the data"),
        (&["--html", "sub/../stays.csv", "--force"], 2, "is the data"),
        (&["--results", "hard.csv", "--force"], 2, "is the data"),
        (&["--certificate", "budget.ledger", "--force"], 2, "is the ledger"),
        #[cfg(unix)]
        (&["--html", "soft.html", "--force"], 2, "is the ledger"),
        (&["--html", "budget.ledger-journal"], 2, "is the ledger"),
        (&["--html", "schema.toml", "--force"], 2, "is the schema"),
        (&["--html", "x", "--results", "./x"], 2, "is also the target of --results"),
        (&["--html", "old.html"], 7, "exists already; --force"),
        (&["--html", "sub", "--force"], 7, "is not a file"),
        (&["--html", "nowhere/r.html"], 7, "--html nowhere/r.html: "),
        (&["--certificate", "c.json", "--html", "old.html/r.html"], 7, "--html old.html/r.html: "),
    ] {
        let output = run(here, &[&release[..], files].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.stdout.is_empty() && output.status.code() == Some(code) && told.contains(said),
            "{files:?}: {told}"
        );
        assert!(kept() == before, "{files:?}");
    }
    assert!(says(here, &["budget", "show"]).contains("epsilon 0  epsilon 1"));
    let report = run(here, &["report", "--ledger", "budget.ledger", "--html", "budget.ledger", "--force"]);
    assert!(report.status.code() == Some(2) && kept() == before);
    // Nothing is left of what was refused, and what is forced is written.
    let table = says(here, &[&release[..], &["--html", "old.html", "--results", "r.json", "--force"]].concat());
    assert!(table.contains("north") && fs::read_to_string(here.join("old.html")).unwrap().contains("<html"));
    let names = fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with(".indistinct")).count(), 0);
}

/// A file that cannot be written once it is paid: the numbers are printed all the same.
#[cfg(unix)]
#[test]
fn what_is_not_written_is_printed() {
    use std::{
        io::Write,
        process::{Command, Stdio},
        thread,
        time::Duration,
    };
    let folder = folder(10);
    let here = folder.path();
    open(here);
    fs::create_dir(here.join("out")).unwrap();
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--name", "k", "--yes"];
    let files = ["--data", "/dev/stdin", "--html", "out/r.html"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_indistinct"));
    command.args([&release[..], &files].concat()).current_dir(here).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It waits for rows, and the folder goes.
    while fs::read_dir(here.join("out")).unwrap().count() == 0 {
        thread::sleep(Duration::from_millis(20));
    }
    let mut rows = child.stdin.take().unwrap();
    fs::remove_dir_all(here.join("out")).unwrap();
    rows.write_all(crate::csv(10).as_bytes()).unwrap();
    drop(rows);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(7), "{told}");
    assert!(told.contains("--html") && told.contains("stored under its name, \"k\""), "{told}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("north") && table == says(here, &[&release[..], &["--data", "stays.csv"]].concat()));
}

/// Of each individual so many rows count, which nobody is left to guess.
#[test]
fn it_is_said_how_many_rows_count() {
    let folder = folder(100);
    let here = folder.path();
    open(here);
    let ask = |command: &str, more: &[&str]| {
        let of = [command, QUESTION, "--spend", "epsilon=0.25", "--account", "ann"];
        let output = run(here, &[&of[..], more].concat());
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|told| String::from_utf8(told).unwrap())
    };
    let (one, five) = ("of each individual, 1 row counts", "of each individual, at most 5 rows count");
    let [price, note] = ask("price", &[]);
    assert!(
        price.contains(one) && note.starts_with("note: ") && note.contains("--max-rows-per-individual"),
        "{price} {note}"
    );
    let [price, note] = ask("price", &["--max-rows-per-individual", "5"]);
    assert!(price.contains(five) && note.is_empty(), "{price} {note}");
    let [price, _] = ask("price", &["--max-rows-per-individual", "5", "--format", "json"]);
    assert!(price.contains("\"of each individual, at most 5 rows count\""), "{price}");
    let five_rows =
        ["--max-rows-per-individual", "5", "--name", "k", "--yes", "--html", "r.html", "--certificate", "c.json"];
    let [table, note] = ask("release", &five_rows);
    assert!(table.contains(five) && note.is_empty(), "{table} {note}");
    assert!(fs::read_to_string(here.join("r.html")).unwrap().contains(five));
    assert!(says(here, &["certificate", "show", "c.json"]).contains(five));
    let none = run(here, &["price", QUESTION, "--spend", "epsilon=0.25", "--max-rows-per-individual", "0"]);
    let told = String::from_utf8(none.stderr).unwrap();
    assert!(none.status.code() == Some(2) && told.contains("--max-rows-per-individual"), "{told}");
}

/// Individuals are counted in one group each, or in as many as are said, which stands beside the numbers everywhere.
#[test]
fn individuals_are_counted_in_all_groups_that_are_paid_for() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let schema = "unit = \"1 individual added or removed\"\n[tables.t]\nfile = \"d.csv\"\nindividuals = \"p\"\n\
                  [tables.t.columns]\np = \"text\"\nv = \"text(missing)\"\n\
                  [tables.t.csv]\ndrop_null = [\"p\"]\n";
    fs::write(here.join("schema.toml"), schema).unwrap();
    let rows: String = (0..500).map(|person| format!("{person},a\n{person},b\n")).collect();
    fs::write(here.join("d.csv"), "p,v\n".to_owned() + &rows).unwrap();
    says(here, &["budget", "open", "x", "--budget", "epsilon=1000,delta=1e-3"]);
    let listed = "SELECT v AS letter, COUNT(DISTINCT p) AS people FROM t WHERE v IN ('a', 'b') GROUP BY v";
    let unknown_keys = "SELECT v AS letter, COUNT(DISTINCT p) AS people FROM t GROUP BY v";
    let (one, hint) = ("each individual counts in at most 1 group", "--max-groups-per-individual says in how many");
    for (place, (sql, spend)) in
        [(listed, "epsilon=40"), (unknown_keys, "epsilon=40,delta=1e-6")].into_iter().enumerate()
    {
        // The sum of both counts, by each format; its noise is of scale 2/40 at most.
        let release = |key: &str, more: &[&str]| {
            let key = format!("{key} {place}");
            let [html, certificate] = ["html", "json"].map(|name| format!("{key}.{name}"));
            let of = ["release", sql, "--spend", spend, "--name", &key, "--yes", "--force"];
            let files = ["--html", &html, "--certificate", &certificate];
            let mut told = Vec::new();
            for format in ["csv", "json", "text"] {
                let output = run(here, &[&of[..], &files, more, &["--format", format]].concat());
                assert!(output.status.success(), "{output:?}");
                told.push([output.stdout, output.stderr].map(|told| String::from_utf8(told).unwrap()));
            }
            let page = fs::read_to_string(here.join(html)).unwrap();
            let rows = says(here, &["certificate", "show", &certificate]);
            let rows = rows.lines().find(|line| line.trim_start().starts_with("rows ")).unwrap().to_owned();
            let people = told[0][0].lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap());
            (people.collect::<Vec<_>>(), told, page, rows)
        };
        let (people, told, page, rows) = release("one", &[]);
        assert!((people.iter().sum::<f64>() - 500.0).abs() < 5.0 && people.len() == 2, "{people:?}");
        assert!(told.iter().all(|[answer, note]| answer.contains(one) && note.contains(one) && note.contains(hint)));
        assert!(page.matches(one).count() >= 2 && rows.contains(one) && !rows.contains("all"), "{rows}");
        let (people, told, page, rows) = release("two", &["--max-groups-per-individual", "2"]);
        assert!(people.iter().all(|count| (count - 500.0).abs() < 5.0) && people.len() == 2, "{people:?}");
        // Where nobody lists the groups, there may be more than two.
        let (limit, is_limited) = ("each individual counts in at most 2 groups", sql == unknown_keys);
        assert!(told.iter().all(|[answer, note]| answer.contains(limit) == is_limited && !note.contains(hint)));
        assert_eq!(
            (page.contains(limit), rows.contains(limit), rows.contains("all")),
            (is_limited, is_limited, !is_limited)
        );
        let price = |most: &str, format: &str| {
            says(here, &["price", sql, "--spend", spend, "--max-groups-per-individual", most, "--format", format])
        };
        assert!(price("1", "text").contains(one) && price("1", "json").contains(one));
        let none = run(here, &["price", sql, "--spend", spend, "--max-groups-per-individual", "0"]);
        assert_eq!(none.status.code(), Some(2));
    }
    // Rows are not groups.
    let rows = ["price", unknown_keys, "--spend", "epsilon=1,delta=1e-6", "--max-rows-per-individual", "2"];
    let output = run(here, &rows);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("max_groups_per_individual"), "{told}");
    // Sums and means of groups that nobody lists, in the order of the statement, in all outputs.
    let sql = "SELECT AVG(CLAMP(LENGTH(p), 0, 3)) AS mean, v, COUNT(DISTINCT p) AS people, COUNT(*) FROM t GROUP BY v";
    let of = ["release", sql, "--spend", "epsilon=80,delta=1e-6", "--name", "sums", "--yes", "--html", "sums.html"];
    let csv = says(here, &[&of[..], &["--format", "csv", "--max-groups-per-individual", "2"]].concat());
    let head =
        "mean,mean from,mean to,v,people,people from,people to,COUNT(*),COUNT(*) from,COUNT(*) to,contribution limit";
    assert_eq!(csv.lines().next(), Some(head), "{csv}");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        // Ten persons with one digit, 90 with two and 400 with three.
        assert!((number(0) - 2.78).abs() < 0.1 && (number(4) - 500.0).abs() < 5.0, "{line}");
        assert!(number(1) < 2.8 && number(2) > 2.76 && number(4) == number(7), "{line}");
    }
    assert!(fs::read_to_string(here.join("sums.html")).unwrap().contains("COUNT(*)"));
    let spend = ["--spend", "epsilon=80,delta=1e-6"];
    let price = says(here, &[&["price", sql], &spend[..]].concat());
    assert!(price.contains("  mean: within about ") && price.contains("will not appear"), "{price}");
    says(here, &["budget", "open", "pure", "--budget", "epsilon=1", "--ledger", "pure"]);
    let output = run(here, &[&["price", sql], &spend[..], &["--ledger", "pure"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("is in epsilon, and finding unknown keys") && told.contains("list the keys"), "{told}");
    // Two limits at once.
    let both =
        ["--spend", "epsilon=40,delta=1e-6", "--max-rows-per-individual", "2", "--max-groups-per-individual", "1"];
    let told = says(here, &[&["price", &listed.replace("DISTINCT p", "*")], &both[..]].concat());
    assert!(told.contains("of each individual, at most 2 rows in each of at most 1 group count"), "{told}");
}

/// What is left is spent whole, in exact numbers; a known release is free, and is not announced as anything else.
#[test]
fn the_rest_is_spent_and_the_known_is_free() {
    let folder = folder(100);
    let here = folder.path();
    says(here, &["budget", "open", "survey", "--budget", "epsilon=0.3"]);
    says(here, &["budget", "add-account", "ann", "--parent", "survey", "--budget", "epsilon=1"]);
    let release = |spend: &str, more: &[&str]| {
        let of = ["release", "SELECT COUNT(*) FROM stays", "--account", "ann", "--spend", spend];
        let output = run(here, &[&of[..], more].concat());
        (output.status.code(), [output.stdout, output.stderr].map(|told| String::from_utf8(told).unwrap()))
    };
    let (code, [first, _]) = release("epsilon=0.1", &["--name", "a", "--yes"]);
    assert_eq!(code, Some(0));
    let (code, [_, told]) = release("rest", &["--name", "b", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let said = told.lines().find_map(|line| line.strip_prefix("note: the rest is --spend ")).unwrap().to_owned();
    assert_eq!(said, "epsilon=0.2");
    let (code, [_, told]) = release("rest", &["--name", "c", "--yes"]);
    assert!(code == Some(4) && told.contains("nothing remains of the account \"survey\""), "{told}");
    // Amounts with more digits than a float are spent as they are, and what is left of them, too.
    says(here, &["budget", "open", "ann", "--budget", "epsilon=0.25", "--ledger", "other"]);
    let (code, _) = release("epsilon=0.0500000000000000000000001", &["--name", "a", "--yes", "--ledger", "other"]);
    assert_eq!(code, Some(0));
    let shown = says(here, &["budget", "show", "--ledger", "other"]);
    assert!(shown.contains("epsilon 0.1999999999999999999999999"), "{shown}");
    let (code, [_, told]) = release("rest", &["--name", "c", "--yes", "--ledger", "other"]);
    assert!(code == Some(0) && told.contains("--spend epsilon=0.1999999999999999999999999\n"), "{told}");
    let shown = says(here, &["budget", "show", "--ledger", "other"]);
    assert!(shown.trim_end().ends_with("  epsilon 0"), "{shown}");
    let (code, [_, told]) = release("rest", &["--name", "d", "--yes", "--ledger", "other"]);
    assert!(code == Some(4) && told.contains("nothing remains of the account \"ann\""), "{told}");
    // Known: free, whatever is left, and without a question.
    let (code, [again, told]) = release("epsilon=0.1", &["--name", "a"]);
    assert!(code == Some(0) && again == first && told.contains("\"a\" was made before (entry "), "{told}");
    assert!(!told.contains("cost"), "{told}");
    let (code, _) = release(&said, &["--name", "b"]);
    assert_eq!(code, Some(0));
}
