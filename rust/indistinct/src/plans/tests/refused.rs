//! What a plan refuses, it refuses with the place.

use super::super::FrameMeasurement;
use crate::core::ErrorKind;

/// A plan in TOML with these steps.
fn plan(steps: &str) -> String {
    format!(
        "version = 2\nmetric = \"SymmetricDistance\"\n[columns]\nid = \"integer\"\nage = \"integer(0..=120, missing)\"\nx = \"float\"\nward = \"text\"\n{steps}"
    )
}

fn step(text: &str) -> String {
    format!("[[steps]]\nmake = {text}\n")
}

#[track_caller]
fn refused(text: &str, told: &str) {
    let error = FrameMeasurement::from_toml(text).unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Plan, format!("plan: {told}")), "{text}");
}

fn quantile(candidates: &str, scale: &str) -> String {
    let rows = step("\"rows\"\ncolumns = [\"x\"]");
    let scores = step(&format!("\"quantile_scores\"\nalpha = 0.5\ncandidates = {candidates}"));
    plan(&[rows, scores, step(&format!("\"permute_and_flip\"\n{scale}"))].concat())
}

fn sum(scale: &str) -> String {
    let clamp = step("\"with_columns\"\ncolumns = [[\"x\", \"clamp(x, 0.0, 1.5)\"]]");
    let rows = step("\"rows\"\ncolumns = [\"x\"]");
    plan(&[clamp, rows, step("\"sum\""), step(&format!("\"laplace\"\n{scale}"))].concat())
}

#[test]
fn places_are_named() {
    assert!(FrameMeasurement::from_toml(&sum("scale = 1")).is_ok());
    assert!(FrameMeasurement::from_toml(&quantile("[0, 1.5]", "scale = 1")).is_ok());
    refused(
        &quantile("[0, \"1\"]", "scale = 1"),
        "line 14, column 18: steps[1].candidates[1]: expected a number, not the text 1",
    );
    refused(
        &quantile("[2, 1]", "scale = 1"),
        "line 14, column 14: steps[1].candidates: must be at least one number, in ascending order",
    );
    refused(&sum(""), "line 16, column 1: steps[3].scale: is missing");
    refused(
        &sum("scale = 1\nscales = 2"),
        "line 19, column 10: steps[3].scales: is not a parameter of laplace, whose parameters are: scale",
    );
    refused(&sum("scale = -1.0"), "line 18, column 9: steps[3].scale: must not be negative");
    refused(&sum("scale = \"inf\""), "line 18, column 9: steps[3].scale: expected a number, not the text inf");
    refused(&sum("scale = inf"), "line 18, column 9: steps[3].scale: must be finite");
    refused(&sum("scale = 1e400"), "line 18, column 9: must be a number that a 64-bit float can represent");
    refused(&sum("scale = 1e-400"), "line 18, column 9: must be a number that a 64-bit float can represent");
    refused(
        &quantile("[-0.0, 1e-400]", "scale = 1"),
        "line 14, column 21: must be a number that a 64-bit float can represent",
    );
    let read = |columns: &str| plan(&step(&format!("\"rows\"\ncolumns = {columns}")));
    refused(
        &read("[\"x\", \"ward\"]"),
        "line 10, column 11: steps[0].columns: must name one column for each part of a row: 1, not 2",
    );
    refused(
        &read("[\"age\"]"),
        "line 10, column 11: steps[0].columns: the column \"age\" may have missing cells: fill or filter them, or read the column as an `Option`",
    );
    // The steps that stand for those of the first version are named.
    let first = read("[\"x\"]").replace("version = 2", "version = 1");
    let error = FrameMeasurement::from_toml(&first).unwrap_err().to_string();
    let told = "plan: line 1, column 11: version: must be 2, where bound_rows stands for rows_of_individuals";
    assert!(error.starts_with(told) && error.contains("count_individuals_by_key"), "{error}");
    refused(
        &plan(&step("\"rows_of_individuals\"\ncolumns = [\"x\"]")),
        "line 9, column 8: steps[0].make: rows_of_individuals is not part of plans: bound_rows limits the rows of \
         individuals in plans, and rows reads them",
    );
}

/// A plan of more steps than can be stored is refused before any of them is built: a step that nobody knows would be
/// told otherwise. The number is that of the steps as they are written, which the limit is on.
#[test]
fn too_many_steps_are_refused_before_they_are_built() {
    let plan = |parts: usize, step: &str| {
        let leaf = format!(r#"[{{"make":"{step}","scale":{{"float":"1.0"}}}}]"#);
        let of =
            |inner: &str| format!(r#"[{{"make":"composition","measurements":[{}]}}]"#, vec![inner; parts].join(","));
        let nested = of(&of(&leaf));
        let steps = nested.strip_prefix('[').unwrap();
        let before = r#"{"make":"rows","columns":["x"]},{"make":"count"}"#;
        let head = r#""version":2,"columns":[["x","float"]],"metric":"SymmetricDistance""#;
        FrameMeasurement::from_json(&format!(r#"{{{head},"steps":[{before},{steps}}}"#)).map(|_| ())
    };
    // Of each part rows, count and noise, and of each of the compositions one: 3 n^2 + n + 1.
    assert!(plan(147, "nonsense").unwrap_err().to_string().contains("no step \"nonsense\""));
    let told = plan(148, "nonsense").unwrap_err().to_string();
    assert_eq!(told, "plan: steps: must be at most 65536 steps, and a repeated step counts each time");
    assert!(plan(12, "laplace").is_ok());
}

/// An error tells what to do where that can be told, and doing so helps.
#[test]
fn hints_are_given_and_true() {
    let of = |head: &str, steps: &[&str]| {
        let steps: String = steps.iter().map(|text| step(text)).collect();
        let columns = "id = \"integer\"\nx = \"float(0.0..=1.0)\"\ny = \"float(missing)\"\nward = \"text(missing)\"\n";
        FrameMeasurement::from_toml(&format!("version = 2\n{head}[columns]\n{columns}{steps}")).map(|_| ())
    };
    let rows = |steps: &[&str]| of("metric = \"SymmetricDistance\"\n", steps);
    let persons = |steps: &[&str]| of("individuals = \"id\"\nmetric = \"SymmetricIdDistance\"\n", steps);
    let hint = |built: crate::core::Fallible<()>, told: &str| {
        let error = built.unwrap_err().to_string();
        assert!(error.ends_with(&format!("; {told}")), "{error}");
    };
    let by = |metric: &str| format!("\"count_rows_by\"\nplace = \"id\"\nplaces = 2\noutput_metric = \"{metric}\"");
    let (l1, l2) = (by("L1Distance"), by("L2Distance"));
    let laplace = "\"laplace\"\nscale = 1";
    let gaussian = "\"gaussian\"\noutput_measure = \"ZeroConcentratedDivergence\"\nscale = 1";
    assert_eq!(rows(&[&l1, laplace]), Ok(()));
    hint(rows(&[&l2, laplace]), "laplace needs L1Distance, which output_metric can set; with L2Distance, use gaussian");
    hint(
        rows(&[&l1, gaussian]),
        "gaussian needs L2Distance, which output_metric can set; with L1Distance, use laplace",
    );
    assert_eq!(rows(&[&l2, gaussian]), Ok(()));
    hint(
        rows(&[&l1, "\"permute_and_flip\"\nscale = 1"]),
        "permute_and_flip needs LInfDistance, which output_metric can set; with L1Distance, use laplace",
    );
    let read = "\"rows\"\ncolumns = [\"x\"]";
    hint(rows(&[read, laplace]), "these are still rows: count or sum them first");
    hint(rows(&["\"count\""]), "read a column as rows first, with rows");
    assert_eq!(rows(&[read, "\"count\"", laplace]), Ok(()));
    let bounded = "\"bound_rows\"\ncolumns = [\"x\", \"id\"]\nmax_rows = 1";
    hint(
        persons(&["\"sum\""]),
        "limit the rows per individual first, with bound_rows, and read a column as rows, with rows",
    );
    hint(persons(&[read]), "limit the rows per individual first, with bound_rows");
    hint(persons(&[&l1, laplace]), "limit the rows per individual first, with bound_rows");
    assert_eq!(persons(&[bounded, read, "\"sum\"", laplace]), Ok(()));
    assert_eq!(persons(&[bounded, &l1, laplace]), Ok(()));
    hint(
        rows(&[bounded]),
        "this step needs individuals: set individuals and metric = \"SymmetricIdDistance\" in the plan",
    );
    let keys = "\"count_individuals_by_key\"\nkey = \"ward\"\nmax_keys = 1\noutput_metric = \"L01InfDistance\"";
    let threshold = "\"laplace_threshold\"\nscale = 1\nthreshold = 20";
    let error = persons(&[keys, threshold]).unwrap_err().to_string();
    assert!(
        error.ends_with("steps[0].key: the column \"ward\" may be missing: fill it, filter it, or use text_key"),
        "{error}"
    );
    let filled = "\"with_columns\"\ncolumns = [[\"ward\", 'fill_null(ward, \"a\")']]";
    assert_eq!(persons(&[filled, keys, threshold]), Ok(()));
    hint(rows(&["\"filter_row\""]), "there is \"filter_rows\"");
    hint(rows(&["\"group_mean\""]), "there is \"group_means\"");
    let budget = rows(&[read, "\"sum\"", "\"laplace\"\nepsilon = 1"]);
    hint(budget, "a query (`queries::Query`) finds the scale for a budget");
}

/// Whatever stands one inside another ends in an error, and not the stack.
#[test]
fn deep_texts_are_refused() {
    for depth in [100, 1_000, 100_000] {
        let (open, close, dots) = ("[".repeat(depth), "]".repeat(depth), "a.".repeat(depth));
        let tomls = [
            format!("version = {open}{close}"),
            format!("{dots}a = 1"),
            format!("[{dots}a]"),
            format!("version = {{ {dots}a = 1 }}"),
            format!("version = {}1{}", "{ a = ".repeat(depth), "}".repeat(depth)),
            sum(&format!("scale = {open}{close}")),
            plan(&step(&format!("\"filter_rows\"\ncondition = \"{}1\"", "not ".repeat(depth)))),
            plan(&step(&format!(
                "\"composition\"\nmeasurements = {}{}",
                "[[{ make = \"composition\", measurements = ".repeat(depth),
                "}]]".repeat(depth)
            ))),
        ];
        for text in tomls {
            assert!(FrameMeasurement::from_toml(&text).is_err());
        }
        let composition = r#"{"make":"composition","measurements":[["#;
        let steps = format!("{}{}", composition.repeat(depth), "]]}".repeat(depth));
        for text in [format!("{open}{close}"), format!("{{\"steps\":[{steps}]}}"), "{\"a\":".repeat(depth)] {
            assert!(FrameMeasurement::from_json(&text).is_err());
        }
    }
}

#[test]
fn json_is_read_strictly() {
    let built = FrameMeasurement::from_toml(&sum("scale = 1.5")).unwrap();
    let json = built.to_json().unwrap();
    let refused = |from: &str, to: &str, told: &str| {
        let text = json.replacen(from, to, 1);
        assert_ne!(text, json, "{from}");
        let error = FrameMeasurement::from_json(&text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Plan);
        // What the text of the file decides has a place in it.
        let message = error.to_string();
        let said = message.strip_prefix("plan: ").unwrap();
        let placed = said.strip_prefix("line 1, column ").and_then(|rest| rest.split_once(": "));
        assert!(placed.map_or(said, |(_, rule)| rule).starts_with(told), "{error}");
    };
    refused(r#"{"float":"1.5"}"#, "1.5", "a float must be written as text");
    refused(r#"{"float":"1.5"}"#, r#"{"float":"one"}"#, "\"one\" is not a float");
    refused(r#"{"float":"1.5"}"#, r#"{"float":1}"#, "steps[3].scale: expected a value");
    refused(r#"{"float":"1.5"}"#, "99999999999999999999", "a float must be written as text");
    refused(r#""version":2"#, r#""version":3"#, "version: must be 2");
    refused(r#""version":2"#, r#""version":1"#, "version: must be 2, where bound_rows stands for");
    refused(r#""version":2"#, r#""version":2,"version":2"#, "\"version\" is repeated");
    refused(r#""version":2"#, r#""version":2,"more":1"#, "more: is unknown");
    refused(
        r#""make":"sum""#,
        r#""make":"make_sum""#,
        "steps[2].make: there is no step \"make_sum\"; there is \"sum\"",
    );
    refused(
        r#""make":"sum""#,
        r#""make":"snapping""#,
        "steps[2].make: snapping is not part of plans: no step of a plan returns a single float",
    );
    refused(
        r#""make":"sum""#,
        r#""make":"laplace","scale":1"#,
        "steps[2].make: laplace does not accept its input: VectorDomain(AtomDomain<f64>(0.0..=1.5)), SymmetricDistance; these are still rows: count or sum them first",
    );
    refused(
        r#""SymmetricDistance""#,
        r#""Symmetric""#,
        "metric: must be one of SymmetricDistance, InsertDeleteDistance",
    );
    refused(r#"{"float":"1.5"}"#, r#"{"float":"1e400"}"#, "\"1e400\" is not a float");
    refused(r#"{"float":"1.5"}"#, r#"{"float":"1e-400"}"#, "\"1e-400\" is not a float");
    refused(
        r#""columns":[["id","integer"]"#,
        r#""columns":{"id":"integer"},"more":[["x"]"#,
        "columns: expected a list",
    );
    refused(r#""make":"sum""#, r#""make":"sum","measurements":[]"#, "steps[2].measurements: must not be empty");
    refused(r#""make":"sum""#, r#""make":"rows","columns":["x"]"#, "steps[2].make: rows does not accept its input");
    refused(r#""integer""#, r#""integers""#, "columns[0][1]: at character 1");
    refused(r#""metric":"#, r#""individuals":"x","metric":"#, "individuals: the column \"x\"");
    refused(
        r#""make":"sum""#,
        r#""make":"composition","measurements":[[{"make":"count"}]]"#,
        "steps[2].measurements[0]: the last step must be a release",
    );
}

/// What follows on a release is released once: no composition does, which would release it again for each of its
/// measurements, and again for each of those of the next one.
#[test]
fn a_composition_follows_on_data() {
    let count = [step("\"rows\"\ncolumns = [\"x\"]"), step("\"count\""), step("\"laplace\"\nscale = 1")].concat();
    let twice = step("\"composition\"\nmeasurements = [[], []]");
    refused(
        &plan(&[count.as_str(), &twice.repeat(40)].concat()),
        "line 17, column 8: steps[3].make: a composition must follow data, not a release",
    );
}

/// Steps before a composition are built once, and what is written of them for each of its measurements is bounded.
#[test]
fn what_is_shared_is_built_once_and_not_written_without_end() {
    let long = step(&format!("\"with_columns\"\ncolumns = [[\"{}\", \"1\"]]", "a".repeat(1 << 20)));
    let shared = [long, step("\"rows\"\ncolumns = [\"ward\"]")].concat();
    let count = "[{ make = \"count\" }, { make = \"laplace\", scale = 1 }]";
    let both = |parts: usize| {
        let composition = step(&format!("\"composition\"\nmeasurements = [{}]", vec![count; parts].join(", ")));
        FrameMeasurement::from_toml(&plan(&[shared.as_str(), &composition].concat()))
    };
    assert_eq!(both(2).map(|_| ()), Ok(()));
    let error = both(100).unwrap_err().to_string();
    assert!(error.contains("steps: must have parameters of at most 67108864 characters"), "{error}");
}

/// As many compositions one inside another as can be written, and no more.
#[test]
fn compositions_are_nested_so_far_as_their_text_is_read() {
    use crate::{frames::*, prelude::*};
    let domain = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
    let mut nested =
        ((domain, SymmetricDistance) >> then_rows::<f64, _, _>(vec!["x"]) >> then_count() >> then_laplace(1.0))
            .unwrap()
            .with_release(crate::core::Releasable::released);
    for depth in 1..=17 {
        nested = make_composition(vec![nested]).unwrap().with_release(|all| super::super::Released::List(all.clone()));
        let built = FrameMeasurement::from_plan(nested.plan());
        if depth == 17 {
            let rule = "plan: steps: compositions may be nested at most 16 deep";
            assert_eq!(built.unwrap_err().to_string(), rule);
            break;
        }
        let built = built.unwrap();
        assert_eq!(FrameMeasurement::from_json(&built.to_json().unwrap()).unwrap().plan(), nested.plan());
        assert_eq!(FrameMeasurement::from_toml(&built.to_toml().unwrap()).unwrap().plan(), nested.plan());
    }
}

/// Sums of integers are wider than counts are, and no function of these follows on them.
#[test]
fn a_function_follows_on_a_release_of_its_own_type() {
    let sums = |value: &str| {
        format!(
            "[{{ make = \"sum_column_by\", place = \"id\", places = 1, column = \"{value}\", \
             output_metric = \"L1Distance\" }}, {{ make = \"laplace\", scale = 1e30 }}]"
        )
    };
    let clamped = step(
        "\"with_columns\"\ncolumns = [[\"x\", \"clamp(fill_null(x, 0.0), 0.0, 1.0)\"], [\"age\", \"clamp(fill_null(age, 0), 0, 9)\"]]",
    );
    let both = step(&format!("\"composition\"\nmeasurements = [{}, {}]", sums("x"), sums("age")));
    let means = step("\"group_means\"\nbounds = [0, 1]");
    let error = FrameMeasurement::from_toml(&plan(&[clamped, both, means].concat())).unwrap_err().to_string();
    let told = "group_means must follow a release of 2 parts: a list of values, each a float; a list of values, each a 64-bit integer, not of 2 parts: \
                a list of values, each a float; a list of values, each a 128-bit integer";
    assert!(error.ends_with(told), "{error}");
}

/// A plan whose words were changed is not built as what it was.
#[test]
fn altered_plans_are_refused() {
    use crate::{core::Plan, frames::*, prelude::*};
    let domain = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
    let sum = ((domain, SymmetricDistance)
        >> then_with_columns(vec![("x", col("x").clamp(0.0, 1.5))])
        >> then_rows::<f64, _, _>(vec!["x"])
        >> then_sum()
        >> then_laplace(1.0))
    .unwrap();
    let stored = serde_json::to_string(sum.plan()).unwrap();
    let read = |text: &str| FrameMeasurement::from_plan(&serde_json::from_str::<Plan>(text).unwrap());
    assert_eq!(read(&stored).unwrap().plan(), sum.plan());
    let told = "plan: steps: the plan's spaces or parameters differ from those that its steps build";
    for (from, to) in [
        ("AtomDomain<Dyadic>", "AtomDomain<f64>"),
        (r#"AtomDomain<f64>(0.0..=1.5)), SymmetricDistance"#, r#"AtomDomain<f64>(0.0..=1.0)), SymmetricDistance"#),
    ] {
        let altered = stored.replacen(from, to, 1);
        assert_ne!(altered, stored, "{from}");
        assert_eq!(read(&altered).unwrap_err().to_string(), told, "{from}");
    }
    let end = stored.rfind("MaxDivergence").unwrap();
    let altered = format!("{}Zero{}", &stored[..end], &stored[end..]);
    assert_eq!(
        read(&altered).unwrap_err().to_string(),
        "plan: steps: the domains and metrics of a chain must be those of its first and last step"
    );
    assert!(read(&stored.replacen("make_sum", "postprocess", 1)).is_err());
    // Spaces without end.
    for word in ["OptionDomain(", "PairDomain("] {
        let output =
            stored.replacen("VectorDomain(AtomDomain", &format!("VectorDomain({}AtomDomain", word.repeat(200_000)), 1);
        assert!(read(&output).is_err());
    }
    // A measurement that begins elsewhere than what it is made of, and a step around one that is made of none.
    let converted = make_pureDP_to_zCDP(sum.clone()).unwrap();
    let stored = serde_json::to_string(converted.plan()).unwrap();
    let altered =
        stored.replacen(r#""input":"FrameDomain(\"x\": float), SymmetricDistance""#, r#""input":"nonsense""#, 1);
    assert!(altered != stored && read(&altered).is_err());
    let altered = stored.replacen("make_pureDP_to_zCDP", "make_laplace", 1).replacen(
        r#""children""#,
        r#""parameters":[["scale",{"float":"1.0"}]],"children""#,
        1,
    );
    assert!(altered != stored && read(&altered).is_err());
    // Compositions after one another, each of two: twice as many at each.
    let leaf = |name: &str| {
        format!(
            r#"{{"name":"{name}","space":{{"input":"FrameDomain(), SymmetricDistance","output":"FrameDomain(), SymmetricDistance"}}}}"#
        )
    };
    let node = leaf("make_composition").replace("}}", &format!(r#"}},"children":[{},{}]}}"#, leaf("a"), leaf("b")));
    let chain = leaf("chain").replace("}}", &format!(r#"}},"children":[{}]}}"#, vec![node; 40].join(",")));
    assert_eq!(read(&chain).unwrap_err().to_string(), "plan: steps: a composition must follow data, not a release");
    let own = sum >> Function::new(|x: &f64| x.round());
    let error = FrameMeasurement::from_plan(own.unwrap().plan()).unwrap_err();
    assert_eq!(error.to_string(), "plan: steps[4].make: there is no step \"postprocess\"");
}
