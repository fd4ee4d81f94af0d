use crate::{Error, Question, UnknownKeys, question};
use indistinct::{core::Place, frames::*, queries::*};
use proptest::prelude::*;

fn stays() -> FrameDomain {
    let columns = [
        ("patient", ColumnDomain::integer()),
        ("region", ColumnDomain::category(["north", "south"]).unwrap().with_missing()),
        ("city", ColumnDomain::text()),
        ("age", ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap()),
        ("days", ColumnDomain::float().with_missing()),
        ("admitted", ColumnDomain::date()),
        ("urgent", ColumnDomain::bool()),
    ];
    FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap()
}

fn asked(sql: &str) -> Result<Question, Error> {
    let public = |name: &str| match name {
        "cities" => Some(cities()),
        "regions" => Some(regions()),
        _ => None,
    };
    question(sql, &[("stays", Query::new(&stays()))], public)
}

/// Public: each city once, one without a canton, and one row without a city.
fn cities() -> PublicTable {
    let text = || ColumnDomain::text().with_missing();
    let domain = FrameDomain::new([("city", text()), ("canton", text()), ("size", ColumnDomain::integer())]).unwrap();
    let rows = Frame::new([
        ("city", [Some("Bern"), Some("Thun"), Some("Vaduz"), None].into_iter().collect::<Column>()),
        ("canton", [Some("BE"), Some("BE"), None, Some("ZH")].into_iter().collect()),
        ("size", [130i64, 43, 5, 0].into_iter().collect()),
    ]);
    PublicTable::new(&domain, &rows.unwrap()).unwrap()
}

/// Public: a price for each region and urgency; regions stand in it twice.
fn regions() -> PublicTable {
    let columns =
        [("region", ColumnDomain::text()), ("urgent", ColumnDomain::bool()), ("price", ColumnDomain::integer())];
    let rows = Frame::new([
        ("region", ["north", "north", "south", "east"].into_iter().collect::<Column>()),
        ("urgent", [true, false, true, true].into_iter().collect()),
        ("price", [9i64, 3, 8, 99].into_iter().collect()),
    ]);
    PublicTable::new(&FrameDomain::new(columns).unwrap(), &rows.unwrap()).unwrap()
}

#[test]
fn public_tables_are_joined_where_each_key_stands_once() {
    let query = || Query::new(&stays());
    let by_city = |column| cities().lookup([("city", col("city"))], column).unwrap();
    let is_city = || !cities().has([("city", col("city"))]).unwrap().is_null();
    let known = regions().with_values("region", &["north".into(), "south".into()]).unwrap();
    let price = || known.lookup([("region", col("region")), ("urgent", col("urgent"))], "price").unwrap();
    let keys = |name: &str, keys: Vec<Cell>| KeySet::product([(name, keys)]).unwrap();
    for (sql, expected) in [
        ("SELECT COUNT(*) FROM stays JOIN cities ON stays.city = cities.city", query().filter(is_city()).count()),
        (
            "SELECT canton, COUNT(*) FROM stays INNER JOIN cities c ON c.city = city GROUP BY canton",
            query()
                .filter(is_city())
                .with_column("canton", by_city("canton"))
                .group_by(keys("canton", vec!["BE".into(), Cell::Missing, "ZH".into()]))
                .count(),
        ),
        (
            "SELECT c.size, COUNT(*) FROM stays LEFT JOIN cities AS c ON (c.city = stays.city) WHERE size > 5 GROUP BY c.size",
            query()
                .filter(by_city("size").gt(5))
                .with_column("size", by_city("size"))
                .group_by(keys("size", vec![130.into(), 43.into(), 5.into(), 0.into(), Cell::Missing]))
                .count(),
        ),
        (
            "SELECT SUM(CLAMP(price, 0, 9)) FROM stays LEFT OUTER JOIN regions r \
             ON r.region = stays.region AND urgent = r.urgent",
            query().sum(price().max(0).min(9), (3.0, 9.0)),
        ),
    ] {
        let found = asked(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert_eq!((found.table.as_str(), plan(&found.query)), ("stays", plan(&expected)), "{sql}");
    }
    for (sql, word) in [
        ("SELECT COUNT(*) FROM stays JOIN wards ON wards.a = city", "no public table \"wards\""),
        ("SELECT COUNT(*) FROM cities", "\"cities\" is a public table, but FROM must name a private one: stays"),
        ("SELECT COUNT(*) FROM stays JOIN regions r ON r.region = stays.region", "must be unique"),
        ("SELECT COUNT(*) FROM stays JOIN cities ON city = cities.city AND TRUE", "ON equal columns"),
        ("SELECT COUNT(*) FROM stays JOIN cities ON cities.city = cities.canton", "one side"),
        ("SELECT COUNT(*) FROM stays JOIN cities ON stays.city = region", "one side"),
        ("SELECT COUNT(*) FROM stays JOIN cities USING (city)", "ON equal columns"),
        ("SELECT COUNT(*) FROM stays NATURAL JOIN cities", "ON equal columns"),
        ("SELECT COUNT(*) FROM stays RIGHT JOIN cities ON stays.city = cities.city", "JOIN and LEFT JOIN"),
        ("SELECT COUNT(*) FROM stays CROSS JOIN cities", "JOIN and LEFT JOIN"),
        ("SELECT COUNT(*) FROM stays JOIN cities stays ON stays.city = city", "names two tables"),
        ("SELECT COUNT(city) FROM stays JOIN cities ON stays.city = cities.city", "of several tables"),
        ("SELECT COUNT(cities.age) FROM stays JOIN cities ON stays.city = cities.city", "not a column"),
        (
            "SELECT city, c.size, d.size, COUNT(DISTINCT patient) FROM stays JOIN cities c ON stays.city = c.city \
             JOIN cities d ON stays.city = d.city GROUP BY stays.city, c.size, d.size",
            "two keys are named \"size\"",
        ),
    ] {
        let error = asked(sql).unwrap_err();
        assert!(error.message.contains(word), "{sql}: {error}");
    }
}

/// The plan of a query with a budget: equal plans, equal queries.
fn plan(query: &Query) -> String {
    query.measurement(Budget::Epsilon(1.0)).unwrap().measurement().to_json().unwrap()
}

fn names(query: &Query) -> Vec<String> {
    let measurement = query.measurement(Budget::Epsilon(1.0)).unwrap();
    measurement.accuracy(0.05).unwrap().into_iter().map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn statements_are_the_queries_that_they_say() {
    let query = || Query::new(&stays());
    let labels = || ["north", "south"].map(Cell::from).into_iter().chain([Cell::Missing]).collect::<Vec<_>>();
    let regions = || KeySet::product([("region", labels())]).unwrap();
    let clamped = || col("days").max(0).min(30);
    for (sql, expected) in [
        ("SELECT COUNT(*) FROM stays", query().count()),
        ("select count(*) from stays s where s.age >= 18", query().filter(col("age").ge(18)).count()),
        (
            "SELECT COUNT(DISTINCT patient), COUNT(days) FROM stays",
            query().count_individuals().count_non_null(col("days")),
        ),
        ("SELECT COUNT(DISTINCT city) FROM stays", query().count_distinct(col("city"))),
        (
            "SELECT region, AVG(CLAMP(days, 0, 30)) FROM stays GROUP BY region",
            query().group_by(regions()).mean(clamped(), (0.0, 30.0)),
        ),
        ("SELECT SUM(age), VAR_POP(age), STDDEV_POP(age) FROM stays", {
            let age = || col("age");
            query().sum(age(), (0.0, 120.0)).variance(age(), (0.0, 120.0)).standard_deviation(age(), (0.0, 120.0))
        }),
        (
            "SELECT COVAR_POP(age, LEAST(GREATEST(days, 0), 30)) FROM stays",
            query().covariance((col("age"), (0.0, 120.0)), (clamped(), (0.0, 30.0))),
        ),
        ("SELECT MEDIAN(age) FROM stays", {
            query().quantiles(col("age"), (0..=121).map(f64::from).collect(), &[0.5])
        }),
        ("SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY CLAMP(days, 0, 30)) FROM stays", {
            query().quantiles(clamped(), (0..=100).map(|bin| 30.0 * (f64::from(bin) / 100.0)).collect(), &[0.9])
        }),
        (
            "SELECT city, COUNT(*) FROM stays WHERE city IN ('Bern', 'Basel', 'Bern') AND (NOT urgent) GROUP BY city",
            query()
                .filter(col("city").is_in(["Bern", "Basel"]) & !col("urgent"))
                .group_by(KeySet::product([("city", ["Bern", "Basel"])]).unwrap())
                .count(),
        ),
        (
            "SELECT region, COUNT(*) FROM stays WHERE region = region AND city = 'Bern' GROUP BY region",
            query().filter(col("region").eq(col("region")) & col("city").eq("Bern")).group_by(regions()).count(),
        ),
        (
            "SELECT city, COUNT(*) FROM stays WHERE city = 'Bern' GROUP BY city",
            query().filter(col("city").eq("Bern")).group_by(KeySet::product([("city", ["Bern"])]).unwrap()).count(),
        ),
        (
            "SELECT EXTRACT(YEAR FROM admitted) AS year, urgent, COUNT(*) FROM stays \
             WHERE EXTRACT(YEAR FROM admitted) BETWEEN 2024 AND 2026 GROUP BY EXTRACT(YEAR FROM admitted), urgent",
            query()
                .filter(col("admitted").year().ge(2024) & col("admitted").year().le(2026))
                .with_column("year", col("admitted").year())
                .group_by(
                    KeySet::product([("year", [2024, 2025, 2026])])
                        .unwrap()
                        .times(&KeySet::product([("urgent", [false, true])]).unwrap())
                        .unwrap(),
                )
                .count(),
        ),
        (
            "SELECT region, COUNT(*) FROM stays WHERE region IS NOT NULL GROUP BY region",
            query()
                .filter(!col("region").is_null())
                .group_by(KeySet::product([("region", ["north", "south"])]).unwrap())
                .count(),
        ),
        (
            "SELECT age, COUNT(*) FROM stays WHERE age BETWEEN -1 AND 1 GROUP BY age",
            query()
                .filter(col("age").ge(-1) & col("age").le(1))
                .group_by(KeySet::product([("age", [-1, 0, 1])]).unwrap())
                .count(),
        ),
        (
            "SELECT COUNT(*) FROM stays WHERE admitted >= DATE '2026-01-01' AND days IS NOT NULL AND \
             CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END <> 'child'",
            query()
                .filter(
                    col("admitted").ge("2026-01-01")
                        & !col("days").is_null()
                        & when(col("age").lt(18), "child", when(col("age").lt(65), "adult", "old")).ne("child"),
                )
                .count(),
        ),
        (
            "SELECT COUNT(*) FROM stays WHERE -(age + 1) * 2 / 3 < -5 OR COALESCE(days, 0.5) <= 1.5",
            query().filter((-(col("age") + 1) * lit(2) / lit(3)).lt(-5) | col("days").fill_null(0.5).le(1.5)).count(),
        ),
    ] {
        let found = asked(sql).unwrap();
        assert_eq!((found.table.as_str(), &found.unknown_keys), ("stays", &None), "{sql}");
        assert_eq!(plan(&found.query), plan(&expected), "{sql}");
    }
}

#[test]
fn statistics_have_the_names_of_the_statement() {
    let query = asked("SELECT COUNT(*) AS stays, AVG(age), MEDIAN(age) AS median FROM stays").unwrap().query;
    assert_eq!(names(&query), ["stays", "AVG(age)", "median"]);
}

/// Names that AS gives to keys and counts, in the order of the statement; a key that it leaves out comes first.
#[test]
fn columns_have_the_order_of_the_statement() {
    let found = asked("SELECT COUNT(*) AS zz, region AS place, SUM(age) AS aa FROM stays GROUP BY city, region").err();
    assert!(found.is_some_and(|error| error.message.contains("nothing lists the keys")));
    let found =
        asked("SELECT COUNT(*) AS zz, region AS place, SUM(age) AS aa FROM stays GROUP BY urgent, region").unwrap();
    assert_eq!(found.view.columns(), ["urgent", "zz", "place", "aa"]);
    let query = Query::new(&stays()).with_column("place", col("region"));
    let places = KeySet::product([("place", ["north".into(), "south".into(), Cell::Missing])]).unwrap();
    let keys = KeySet::product([("urgent", [false, true])]).unwrap().times(&places).unwrap();
    assert_eq!(plan(&found.query), plan(&query.group_by(keys).count().sum(col("age"), (0.0, 120.0))));
    let found = asked("SELECT COUNT(DISTINCT patient) AS n, city AS place FROM stays GROUP BY city").unwrap();
    let UnknownKeys { keys, count, .. } = found.unknown_keys.unwrap();
    assert_eq!((keys, count.as_str()), (vec!["place".to_owned()], "n"));
    assert_eq!(found.view.columns(), ["n", "place"]);
    assert!(found.query.count_unknown_keys(["place"], (1.0, 1e-9)).is_ok());
}

/// The bins of numbers are keys that the statement lists: whole numbers, rounded down, and bins of equal width.
#[test]
fn bins_are_keys() {
    let counts = |sql: &str| {
        let measurement = asked(sql).unwrap().query.measurement(Budget::Epsilon(50.0)).unwrap();
        let days = [-3.0, -0.5, 0.0, 9.99, 10.0, 29.99, 30.0, 77.0].repeat(50);
        let rows = days.len();
        let column = |value: &str| vec![value.to_owned(); rows].into_iter().collect::<Column>();
        let frame = Frame::new([
            ("patient", (0..).take(rows).collect::<Column>()),
            ("region", Column::from_cells(Kind::Category, (0..rows).map(|_| Cell::from(0)))),
            ("city", column("Bern")),
            ("age", (0..).map(|row: i64| row % 121).take(rows).collect()),
            ("days", days.into_iter().map(Some).collect()),
            ("admitted", Column::from_cells(Kind::Date, (0..rows).map(|_| Cell::from(0)))),
            ("urgent", (0..rows).map(|_| true).collect()),
        ]);
        let table = measurement.release(&frame.unwrap(), 0.05).unwrap();
        let key = |row: usize| table.keys().unwrap().key(row).unwrap()[0].to_string();
        // Noise of scale 1/50: off by one with probability below 1e-21.
        let count = |row: usize| table.column("n").unwrap()[row].value.unwrap();
        (0..table.rows()).map(|row| format!("{}: {}", key(row), count(row))).collect::<Vec<_>>()
    };
    let floor = "FLOOR(CLAMP(days, -3, 30) / 10)";
    assert_eq!(
        counts(&format!("SELECT {floor} AS bin, COUNT(*) AS n FROM stays GROUP BY {floor}")),
        ["-1: 100", "0: 100", "1: 50", "2: 50", "3: 100", "missing: 0"]
    );
    let bucket = "WIDTH_BUCKET(days, 0, 30, 3)";
    assert_eq!(
        counts(&format!("SELECT {bucket} AS bin, COUNT(*) AS n FROM stays WHERE days IS NOT NULL GROUP BY {bucket}"))
            .len(),
        6
    );
    assert_eq!(
        counts(&format!("SELECT {bucket}, COUNT(*) AS n FROM stays WHERE {bucket} IS NOT NULL GROUP BY ({bucket})")),
        ["0: 100", "1: 100", "2: 50", "3: 50", "4: 100"]
    );
    // A value that is never missing has no missing key, though a quotient might be missing.
    let decades = counts("SELECT FLOOR(age / 10) AS a, COUNT(*) AS n FROM stays GROUP BY FLOOR(age / 10)");
    assert_eq!((decades.len(), decades[12].as_str()), (13, "12: 3"));
    // Whole numbers are their own floor; those of one value have one key.
    assert_eq!(counts("SELECT FLOOR(age) AS a, COUNT(*) AS n FROM stays GROUP BY FLOOR(age)").len(), 121);
}

/// A column whose name is a word of SQL is told how to write it.
#[test]
fn names_that_are_words_of_sql_are_quoted() {
    let columns = ["person", "user", "group", "interval", "all", "current_date"];
    let table = FrameDomain::new(columns.map(|name| (name, ColumnDomain::integer()))).unwrap();
    let asked = |sql: &str| question(sql, &[("t", Query::new(&table))], |_| None);
    for (sql, column, word) in [
        ("SELECT COUNT(DISTINCT user) FROM t", 23, "user"),
        ("SELECT COUNT(*) FROM t WHERE current_date > 3", 30, "current_date"),
        ("SELECT group, COUNT(*) FROM t GROUP BY group", 8, "group"),
        ("SELECT COUNT(interval) FROM t", 14, "interval"),
        ("SELECT COUNT(all) FROM t", 14, "all"),
    ] {
        let error = asked(sql).unwrap_err();
        let message = format!("{word:?} is a column of t and a keyword of SQL: write it in double quotes");
        assert_eq!((error.message, error.place), (message, Some(Place::new(1, column))), "{sql}");
        assert!(asked(&sql.replace(word, &format!("{word:?}"))).is_ok() || word == "group", "{sql}");
    }
    // Other errors stay what they are.
    for (sql, word) in
        [("SELECT COUNT(* FROM t", "Expected"), ("SELECT COUNT(DISTINCT session_user) FROM t", "not part")]
    {
        assert!(asked(sql).unwrap_err().message.contains(word), "{sql}");
    }
}

#[test]
fn keys_that_nobody_lists_need_a_count_that_decides() {
    let found = asked("SELECT city, COUNT(DISTINCT patient) FROM stays WHERE urgent GROUP BY city").unwrap();
    let UnknownKeys { keys, count, .. } = found.unknown_keys.unwrap();
    assert_eq!((keys, count.as_str()), (vec!["city".to_owned()], "COUNT(DISTINCT patient)"));
    assert!(found.query.count_unknown_keys(["city"], (1.0, 1e-9)).is_ok());
    let sql =
        "SELECT AVG(age) AS mean, city, COUNT(DISTINCT patient) AS n, SUM(age), COUNT(*) FROM stays GROUP BY city";
    let found = asked(sql).unwrap();
    assert_eq!(found.view.columns(), ["mean", "city", "n", "SUM(age)", "COUNT(*)"]);
    assert_eq!(found.unknown_keys.unwrap().count, "n");
    let cities = found.query.count_unknown_keys(["city"], (1.0, 1e-9)).unwrap().alias("n").unwrap();
    let names: Vec<String> = cities.accuracy(0.05).unwrap().iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names, ["n", "mean", "SUM(age)", "COUNT(*)"]);
    for sql in ["SELECT city, COUNT(*) FROM stays GROUP BY city", "SELECT city, AVG(age) FROM stays GROUP BY city"] {
        let error = asked(sql).unwrap_err().message;
        assert!(error.contains("nothing lists the keys"), "{error}");
        assert!(error.contains("; or select COUNT(DISTINCT patient), which decides which keys are shown"), "{error}");
    }
    // What is not a sum of rows is refused by the query.
    let median = asked("SELECT city, COUNT(DISTINCT patient), MEDIAN(age) FROM stays GROUP BY city").unwrap();
    let error = median.query.count_unknown_keys(["city"], (1.0, 1e-9)).unwrap_err();
    assert!(error.to_string().contains("quantiles"), "{error}");
}

/// The table of `docs/topics/sql.md`.
fn asked_of_calls(sql: &str) -> Result<Question, Error> {
    let columns = [
        ("patient", "text"),
        ("district", r#"category("Altstadt", "Nord", "Süd", missing)"#),
        ("date", "date(missing)"),
        ("minutes", "float(missing)"),
        ("cost", "float(missing)"),
        ("age", "integer(0..=120, missing)"),
        ("urgent", "bool(missing)"),
        ("outcome", "text(missing)"),
    ];
    let calls = FrameDomain::new(columns.map(|(name, domain)| (name, domain.parse::<ColumnDomain>().unwrap())));
    let calls = calls.unwrap().with_individuals("patient").unwrap();
    let domain = FrameDomain::new(["name", "bank"].map(|name| (name, ColumnDomain::text()))).unwrap();
    let districts = Frame::new([
        ("name", ["Altstadt", "Nord", "Süd"].into_iter().collect::<Column>()),
        ("bank", ["left", "left", "right"].into_iter().collect()),
    ]);
    let districts = PublicTable::new(&domain, &districts.unwrap()).unwrap();
    let public = |name: &str| (name == "districts").then(|| districts.clone());
    question(sql, &[("calls", Query::new(&calls))], public)
}

/// Every statement on pages can be priced, and what they say is refused is refused.
#[test]
fn pages_on_sql_are_true() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let [page, calls] =
        ["topics/sql.md", "cookbook/calls.md"].map(|page| std::fs::read_to_string(format!("{docs}/{page}")).unwrap());
    let statements = |page: &str| -> Vec<String> {
        page.split("\n```sql\n").skip(1).filter_map(|rest| Some(rest.split_once("\n```\n")?.0.to_owned())).collect()
    };
    let statements = [statements(&page), statements(&calls)].concat();
    assert_eq!(statements.len(), 12, "{statements:?}");
    for sql in &statements {
        let found = asked_of_calls(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        match found.unknown_keys {
            Some(counts) => assert!(found.query.count_unknown_keys(&counts.keys, (1.0, 1e-6)).is_ok(), "{sql}"),
            None => assert!(found.query.measurement(Budget::Epsilon(1.0)).is_ok(), "{sql}"),
        }
    }
    for (part, sql) in [
        ("YEAR(date)", "SELECT COUNT(*) FROM calls WHERE YEAR(date) = 2025"),
        ("GROUP BY year", "SELECT EXTRACT(YEAR FROM date) AS year, COUNT(*) FROM calls GROUP BY year"),
        ("GROUP BY 1", "SELECT urgent, COUNT(*) FROM calls GROUP BY 1"),
        (
            "EXTRACT(YEAR FROM date) AS date",
            "SELECT EXTRACT(YEAR FROM date) AS date, COUNT(*) FROM calls WHERE EXTRACT(YEAR FROM date) = 2025 \
             GROUP BY EXTRACT(YEAR FROM date)",
        ),
        ("outcome = \"home\"", "SELECT COUNT(*) FROM calls WHERE outcome = \"home\""),
        ("minutes > 8,5", "SELECT COUNT(*) FROM calls WHERE minutes > 8,5"),
        ("date >= '01.07.2025'", "SELECT COUNT(*) FROM calls WHERE date >= '01.07.2025'"),
        ("AVG(minutes)", "SELECT AVG(minutes) FROM calls WHERE minutes BETWEEN 0 AND 60"),
        ("STDDEV(age)", "SELECT STDDEV(age) FROM calls"),
        ("VARIANCE(age)", "SELECT VARIANCE(age) FROM calls"),
        ("VAR_SAMP(age)", "SELECT VAR_SAMP(age) FROM calls"),
        ("SUM(urgent)", "SELECT SUM(urgent) FROM calls"),
        ("SUM(age) / COUNT(*)", "SELECT SUM(age) / COUNT(*) FROM calls"),
        ("ROUND(AVG(age))", "SELECT ROUND(AVG(age)) FROM calls"),
        ("COUNT(*) FILTER (WHERE urgent)", "SELECT COUNT(*) FILTER (WHERE urgent) FROM calls"),
        ("COUNT(DISTINCT age, district)", "SELECT COUNT(DISTINCT age, district) FROM calls"),
        ("MAX(age)", "SELECT MAX(age) FROM calls"),
        ("GROUP BY outcome", "SELECT outcome, AVG(age) FROM calls GROUP BY outcome"),
        ("outcome LIKE 'h%'", "SELECT COUNT(*) FROM calls WHERE outcome LIKE 'h%'"),
        ("IF(…)", "SELECT AVG(IF(urgent, 1, 0)) FROM calls"),
        ("IFNULL(x, 0)", "SELECT AVG(IFNULL(age, 0)) FROM calls"),
        ("NULLIF(x, 0)", "SELECT AVG(NULLIF(age, 0)) FROM calls"),
        ("SELECT *", "SELECT * FROM calls"),
        ("urgent = 1", "SELECT COUNT(*) FROM calls WHERE urgent = 1"),
    ] {
        assert!(page.contains(&format!("`{part}`")), "{part}");
        let is_refused = asked_of_calls(sql).is_err_and(|error| error.place.is_some_and(|place| place.line == 1))
            || asked_of_calls(sql).is_ok_and(|found| found.query.measurement(Budget::Epsilon(1.0)).is_err());
        assert!(is_refused, "{sql}");
    }
}

/// Times as programs write them, and days beside times; what is no date or time is refused at its place.
#[test]
fn dates_and_times_are_compared_as_they_are_written() {
    let visits = FrameDomain::new([("seen", ColumnDomain::time()), ("born", ColumnDomain::date())]).unwrap();
    let asked = |condition: &str| {
        let sql = format!("SELECT COUNT(*) FROM visits\nWHERE {condition}");
        question(&sql, &[("visits", Query::new(&visits))], |_| None)
    };
    let priced = |condition: &str| asked(condition).unwrap().query.measurement(Budget::Epsilon(1.0)).is_ok();
    for literal in [
        "'2026-02-01'",
        "DATE '2026-02-01'",
        "TIMESTAMP '2026-02-01'",
        "TIMESTAMP '2026-02-01 00:00'",
        "TIMESTAMP '2026-02-01T06:00:00Z'",
        "TIMESTAMP WITH TIME ZONE '2026-02-01 06:00:00+02:00'",
    ] {
        assert!(priced(&format!("seen >= {literal}")), "{literal}");
        assert!(priced(&format!("{literal} > seen AND seen IN ({literal})")), "{literal}");
    }
    assert!(priced("seen BETWEEN '2026-02-01' AND '2026-02-28T23:59'"));
    assert!(priced("CAST(born AS TIMESTAMP) < seen"));
    assert!(priced("born >= TIMESTAMP '2026-02-01 00:00:00' OR born = '2026/02/01'"));
    for (condition, column, word) in [
        ("seen >= 'yesterday'", 15, "must be a time, such as 2026-11-23 (midnight)"),
        ("born >= '2026-02-01T06:00'", 15, "must be a date, such as 2026-11-23; a date can be compared"),
        ("born BETWEEN '2026-02-01' AND '2026-02-30'", 37, "must be a date"),
        (
            "born IN (DATE '2026-02-01', '01.03.2026')",
            35,
            "has the key \"01.03.2026\", which is not a value of type date",
        ),
        ("TIMESTAMP '2026-02-01 06:00 CET' <= seen", 17, "must be a time"),
    ] {
        let error = asked(condition).err().unwrap_or_else(|| panic!("{condition}"));
        assert_eq!(error.place, Some(Place::new(2, column)), "{condition}: {error}");
        assert!(error.message.contains(word), "{error}");
    }
}

/// What is refused, and where.
#[test]
fn what_is_outside_is_refused_with_its_place() {
    for (sql, place, word) in [
        ("", (0, 0), "one statement"),
        ("SELECT", (0, 0), ""),
        ("SELECT COUNT(*) FROM stays; SELECT COUNT(*) FROM stays", (0, 0), "one statement"),
        ("DELETE FROM stays", (1, 1), "SELECT"),
        ("SELECT * FROM stays", (1, 8), "release rows"),
        ("SELECT days FROM stays", (1, 8), "neither an aggregate"),
        ("SELECT COUNT(*) FROM visits", (1, 22), "there is no table \"visits\"; the tables are: stays"),
        ("SELECT COUNT(*)\nFROM stays\nWHERE dys > 3", (3, 7), "there is no column \"dys\""),
        ("SELECT AVG(days) FROM stays", (1, 12), "needs bounds"),
        ("SELECT MEDIAN(city) FROM stays", (1, 15), "city is of type text, and not a number: use CLAMP(CAST(city AS"),
        ("SELECT SUM(region) FROM stays", (1, 12), "region is of type category, and not a number"),
        ("SELECT SUM(urgent) FROM stays", (1, 12), "use CASE WHEN urgent THEN 1 ELSE 0 END"),
        ("SELECT COUNT(*) FROM stays WHERE city = 7", (1, 41), "city is a text, so write '7'"),
        ("SELECT COUNT(*) FROM stays WHERE\n -7 < city", (2, 3), "city is a text, so write '-7'"),
        ("SELECT COUNT(*) FROM stays WHERE city IN ('a', 7)", (1, 48), "city is a text, so write '7'"),
        ("SELECT COUNT(*) FROM stays WHERE city BETWEEN 1 AND 2", (1, 47), "city is a text, so write '1'"),
        ("SELECT COUNT(*) FROM stays WHERE age = '7'", (1, 40), "age is of type integer, so write the value without"),
        ("SELECT COUNT(*) FROM stays WHERE city = age", (1, 34), ""),
        ("SELECT COUNT(*) FROM stays WHERE age + city > 3", (1, 34), ""),
        ("SELECT COUNT(*) FROM stays WHERE city", (1, 34), "city is of type text, but a condition must be Boolean"),
        ("SELECT COUNT(age + city) FROM stays", (1, 14), ""),
        ("SELECT city, AVG(age) FROM stays GROUP BY city", (1, 43), "city = 'category(\"a\", \"b\")'"),
        (
            "SELECT AVG(age) FROM stays GROUP BY EXTRACT(MONTH FROM admitted)",
            (1, 56),
            "MONTH FROM admitted) BETWEEN 1 AND 12",
        ),
        (
            "SELECT AVG(age) FROM stays GROUP BY EXTRACT(YEAR FROM admitted)",
            (1, 55),
            "EXTRACT(YEAR FROM admitted) IN (1, 2)",
        ),
        ("SELECT AVG(age) FROM stays GROUP BY admitted", (1, 37), "admitted IN ('2026-01-01', '2026-01-02')"),
        ("SELECT AVG(age) FROM stays GROUP BY days", (1, 37), "FLOOR(CLAMP(days, lowest, highest))"),
        ("SELECT AVG(CLAMP(days, 30, 0)) FROM stays", (1, 12), "the lowest bound, 30, must be below the highest, 0"),
        ("SELECT COUNT(*) FROM stays WHERE CLAMP(days, -1, -1) = 0", (1, 34), "-1, must be below the highest, -1"),
        ("SELECT SUM(CLAMP(days, 0,5, 60,0)) FROM stays", (1, 12), "decimals with a point"),
        ("SELECT COUNT(*) FROM stays WHERE YEAR(admitted) = 2026", (1, 34), "use EXTRACT(YEAR FROM admitted)"),
        ("SELECT COUNT(*) FROM stays WHERE city = \"Bern\"", (1, 41), "texts have single quotes"),
        ("SELECT STDDEV(age) FROM stays", (1, 8), "STDDEV_POP"),
        ("SELECT MAX(age) FROM stays", (1, 8), "is not an aggregate"),
        ("SELECT SUM(DISTINCT age) FROM stays", (1, 8), "is not an aggregate"),
        ("SELECT COUNT(*) FILTER (WHERE urgent) FROM stays", (1, 8), "is not an aggregate"),
        ("SELECT SUM(age) OVER () FROM stays", (1, 8), "is not an aggregate"),
        ("SELECT COUNT(*) FROM stays WHERE city LIKE 'B%'", (1, 34), "is not part"),
        ("SELECT COUNT(*) FROM stays WHERE age IN (SELECT age FROM stays)", (1, 34), "is not part"),
        ("SELECT COUNT(*) FROM stays WHERE age IN (1, NULL)", (1, 45), "a list may contain"),
        ("SELECT COUNT(*) FROM stays HAVING AVG(age) > 3", (1, 35), "add AVG(age) to SELECT"),
        ("SELECT COUNT(*) FROM stays HAVING age > 3", (1, 35), "no column \"age\" in the released table"),
        ("SELECT COUNT(*) FROM stays HAVING COUNT(*)", (1, 35), "condition"),
        ("SELECT COUNT(*) FROM stays ORDER BY 2", (1, 37), "SELECT has no column of number 2"),
        ("SELECT COUNT(*) FROM stays ORDER BY 1 NULLS FIRST", (1, 37), "missing values come last"),
        ("SELECT COUNT(*) FROM stays ORDER BY ALL", (1, 37), "no column \"ALL\""),
        ("SELECT COUNT(*) FROM stays LIMIT 3 OFFSET 2", (1, 34), "without OFFSET"),
        ("SELECT COUNT(*) FROM stays LIMIT 1 + 1", (1, 34), "LIMIT takes a number of rows"),
        ("SELECT DISTINCT COUNT(*) FROM stays", (1, 1), "DISTINCT"),
        ("SELECT COUNT(*) FROM stays, stays", (1, 1), "one private table"),
        ("SELECT COUNT(*) FROM stays JOIN stays ON TRUE", (1, 33), "no public table"),
        ("SELECT COUNT(*) FROM (SELECT * FROM stays)", (1, 23), "not a table"),
        ("SELECT COUNT(*) FROM stays UNION SELECT COUNT(*) FROM stays", (1, 1), "one SELECT"),
        ("SELECT SUM(age) FROM stays AS s (age, days)", (1, 22), "must be a name for the table alone"),
        ("SELECT COUNT(*) FROM stays QUALIFY TRUE", (1, 1), "may have only SELECT"),
        ("SELECT TOP 3 COUNT(*) FROM stays", (1, 1), "may have only SELECT"),
        ("SELECT COUNT(*) FROM stays TABLESAMPLE BERNOULLI (10)", (1, 22), "not a table"),
        ("SELECT COUNT(*) FROM stays GROUP BY ALL", (1, 1), "may have only SELECT"),
        (
            "SELECT COUNT(*) FROM stays GROUP BY 1",
            (1, 37),
            "must name columns of the table, not 1: repeat the expression: GROUP BY COUNT(*)",
        ),
        (
            "SELECT EXTRACT(YEAR FROM admitted) AS y, COUNT(*) FROM stays GROUP BY y",
            (1, 71),
            "not y: repeat the expression: GROUP BY EXTRACT(YEAR FROM admitted)",
        ),
        ("SELECT COUNT(*) FROM stays GROUP BY 7", (1, 37), "must name columns of the table, not 7"),
        ("SELECT region AS days, COUNT(*) FROM stays GROUP BY region", (1, 53), "is a column"),
        ("SELECT region, COUNT(*) AS region FROM stays GROUP BY region", (1, 1), "two columns are named \"region\""),
        ("SELECT region, region AS r, COUNT(*) FROM stays GROUP BY region", (1, 58), "occurs twice"),
        ("SELECT FLOOR(days), COUNT(*) FROM stays GROUP BY FLOOR(days)", (1, 56), "FLOOR(CLAMP(days"),
        ("SELECT COUNT(*) FROM stays WHERE days > 1e-400", (1, 41), "1e-400 is not a 64-bit float"),
        ("SELECT COUNT(*) FROM stays WHERE days IN (-2e-324)", (1, 44), "2e-324 is not a 64-bit float"),
        ("SELECT AVG(CLAMP(days, 0, 1e400)) FROM stays", (1, 27), "1e400 is not a 64-bit float"),
        ("SELECT COUNT(*) FROM stays WHERE FLOOR(CLAMP(days, 0, 1e6)) = 1", (1, 40), "more than 10000"),
        ("SELECT COUNT(*) FROM stays WHERE WIDTH_BUCKET(days, 9, 0, 5) = 1", (1, 34), "below the highest"),
        ("SELECT COUNT(*) FROM stays WHERE WIDTH_BUCKET(days, 0, age, 5) = 1", (1, 34), "all constants"),
        ("SELECT region, COUNT(*) FROM stays GROUP BY ROLLUP (region)", (1, 53), "is not part"),
        ("SELECT region FROM stays GROUP BY region", (1, 1), "releases nothing"),
        ("SELECT COUNT(*) FROM stays WHERE age BETWEEN 0 AND 1e9 GROUP BY age", (1, 65), "nothing lists the keys"),
        ("SELECT COUNT(*) FROM stays WHERE age BETWEEN 0 AND 20000 GROUP BY age", (1, 67), "10000"),
        ("WITH a AS (SELECT 1) SELECT COUNT(*) FROM stays", (1, 1), "WITH"),
    ] {
        let error = asked(sql).unwrap_err();
        assert!(error.message.contains(word), "{sql}: {error}");
        if place.0 > 0 {
            let found = error.place.map_or((0, 0), |place| (place.line, place.column));
            assert_eq!(found, place, "{sql}: {error}");
        }
    }
}

proptest! {
    /// Whatever is written ends in a query or an error.
    #[test]
    fn no_statement_makes_it_panic(
        words in proptest::collection::vec(prop_oneof![
            Just("SELECT"), Just("FROM stays"), Just("WHERE"), Just("GROUP BY"), Just("COUNT(*)"), Just("AVG(age)"),
            Just("region"), Just("city"), Just("days"), Just("("), Just(")"), Just(","), Just("IN"), Just("'a'"),
            Just("AND"), Just("NOT"), Just("1"), Just("BETWEEN"), Just("CASE WHEN"), Just("END"), Just("AS x"),
            Just("-"), Just("*"), Just("FROM stays JOIN cities c ON"), Just("c.city = city"), Just("c.size"), Just("NULL"), Just("DATE '2026-01-01'"), Just("MEDIAN("), Just("CLAMP(days, 0, 9)"),
        ], 0..24)
    ) {
        let _ = asked(&words.join(" "));
        let _ = asked(&format!("SELECT COUNT(*) FROM stays WHERE {}", words.join(" ")));
    }
}

/// Nesting ends in an error, not in the stack.
#[test]
fn deep_nesting_is_an_error() {
    for many in [1_000, 100_000] {
        assert!(
            asked(&format!("SELECT COUNT(*) FROM stays WHERE {}TRUE{}", "(".repeat(many), ")".repeat(many))).is_err()
        );
        assert!(asked(&format!("SELECT COUNT(*) FROM stays WHERE {}TRUE", "NOT ".repeat(many))).is_err());
        let long = format!("SELECT COUNT(*) FROM stays WHERE urgent{}", " AND urgent".repeat(many));
        let _ = asked(&long);
    }
}

/// Rows of the released table are chosen by keys, aliases, aggregates and places; a number that noise exceeds is
/// missing: it satisfies no comparison, and comes last in both orders.
#[test]
fn having_order_and_limit_choose_rows() {
    let rows = [("north", Some(8.0), Some(2.5)), ("south", Some(-1.0), None), ("west", Some(8.0), Some(9.0))];
    let shown = |clauses: &str| {
        let select = "SELECT city AS r, COUNT(*), AVG(CLAMP(days, 0, 9)) AS mean FROM stays";
        let listed = "WHERE city IN ('north', 'south', 'west') GROUP BY city";
        let view = asked(&format!("{select} {listed} {clauses}")).unwrap().view;
        let cell = |row: usize, name: &str| match name {
            "r" => Cell::from(rows[row].0),
            "COUNT(*)" => rows[row].1.into(),
            _ => rows[row].2.into(),
        };
        let places = view.rows(rows.len(), cell).unwrap();
        places.into_iter().map(|place| &rows[place].0[..1]).collect::<String>()
    };
    for (clauses, expected) in [
        ("", "nsw"),
        ("HAVING COUNT(*) >= 8", "nw"),
        ("HAVING count(*) >= 8 AND NOT mean < 9", "w"),
        ("HAVING mean < 100", "nw"),
        ("HAVING mean IS NULL OR city = 'west'", "sw"),
        ("HAVING r IN ('north', 'south')", "ns"),
        ("HAVING mean * COUNT(*) > 70", "w"),
        ("ORDER BY COUNT(*)", "snw"),
        ("ORDER BY 2 DESC, r DESC", "wns"),
        ("ORDER BY mean", "nws"),
        ("ORDER BY mean DESC", "wns"),
        ("ORDER BY city DESC LIMIT 2", "ws"),
        ("ORDER BY -COUNT(*) NULLS LAST, mean DESC", "wns"),
        ("HAVING COUNT(*) < -5", ""),
        ("LIMIT 0", ""),
        ("LIMIT 99", "nsw"),
    ] {
        assert_eq!(shown(clauses), expected, "{clauses}");
    }
}

/// Days are listed as texts, and compared with days in either spelling.
#[test]
fn days_of_the_released_table_are_compared() {
    let sql = "SELECT admitted, COUNT(*) FROM stays WHERE admitted IN ('2026-01-02', '2025-12-31') GROUP BY admitted \
               HAVING admitted >= DATE '2025-01-01' ORDER BY admitted";
    let view = asked(sql).unwrap().view;
    let days = ["2026-01-02", "2025-12-31"];
    let cell = |row: usize, name: &str| if name == "admitted" { Cell::from(days[row]) } else { 3.0.into() };
    assert_eq!(view.rows(2, cell).unwrap(), [1, 0]);
}

/// The results of a CASE are keys if they are constants, or listed by their conditions.
#[test]
fn a_case_lists_everything_else() {
    let keys = |case: &str| {
        let asked = asked(&format!("SELECT {case} AS place, COUNT(*) FROM stays GROUP BY {case}")).unwrap();
        let measurement = asked.query.measurement(Budget::Epsilon(1.0)).ok()?;
        let table = measurement.release(&[], 0.05).ok()?;
        let keys = table.keys()?.clone();
        Some((0..keys.len()).map(|row| keys.key(row).unwrap()[0].to_string()).collect::<Vec<_>>())
    };
    let case = "CASE WHEN city IN ('Bern', 'Basel') THEN city ELSE 'other' END";
    assert_eq!(keys(case).unwrap(), ["\"Bern\"", "\"Basel\"", "\"other\""]);
    let case = "CASE WHEN age < 18 THEN 'young' WHEN age >= 18 THEN 'old' END";
    assert_eq!(keys(case).unwrap(), ["\"young\"", "\"old\"", "missing"]);
    let case = "CASE WHEN age BETWEEN 1 AND 3 THEN age ELSE -1 END";
    assert_eq!(keys(case).unwrap(), ["1", "2", "3", "-1"]);
    for open in ["CASE WHEN age > 3 THEN city ELSE 'other' END", "CASE WHEN city = 'Bern' THEN 'b' ELSE city END"] {
        let sql = format!("SELECT {open} AS place, AVG(age) FROM stays GROUP BY {open}");
        assert!(asked(&sql).unwrap_err().to_string().contains("nothing lists the keys"), "{open}");
    }
}
